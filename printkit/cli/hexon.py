"""The command ``hexon``: plan battlefields with Hexon tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from printkit.console import terminal
from printkit.console.games import check_conflicts, games_of, new_orders
from printkit.core.errors import Sentence, UsageError, joined
from printkit.core.paths import exists, is_folder
from printkit.options.commands import BatchOptions, GameOptions, StockOptions
from printkit.options.printing import FileOptions, TileOptions

if TYPE_CHECKING:
    from printkit.hexon.job import TileContext
    from printkit.kit.system import RuleSystem
    from printkit.recipes.game.games import GeneratedGame


def plan_tiles(
    game: GameOptions, options: TileOptions, stock: StockOptions, files: FileOptions, batch: BatchOptions
) -> int:
    """Plan the tiles of battlefields and write them, each with its record; return the exit status."""
    from printkit.console.batches import deliver_game, is_batch, make_batch, output_path, reject_shared_output
    from printkit.hexon.job import SUFFIXES, TILES, parse_formats, tile_bytes, tile_context
    from printkit.recipes.batch.batches import BATCH_COUNT, Work

    words = terminal.words(options.lang)
    check_conflicts(game, files, parse_formats(options.to), count=batch.count)
    reject_shared_output(batch, ask=game.ask)
    if options.stock is not None:
        _check_stock(options.stock)
    order = tile_context(options, words, terminal.profile(files.printer))
    is_set = stock.seeds is not None and options.stock is None and options.hills != "slope"
    if stock.seeds is not None and not is_set and is_batch(batch, game):
        raise UsageError("--seeds chooses one battlefield; remove --count")
    folder, name = output_path(files, SUFFIXES)
    if stock.seeds is not None and is_set:
        choice = _choose_set(stock.seeds, game, order, batch.count, quiet=files.quiet)
        if choice is None:
            return 0
        order, games = choice
        batch = BatchOptions()
    elif is_batch(batch, game):
        work = Work(make=TILES, order=order, out=name)
        return make_batch(game, batch, words, work, folder, files=files, force=options.force)
    elif stock.seeds is None:
        games = games_of(game, words, quiet=files.quiet, count=batch.count)
    else:
        games = _choose_field(stock.seeds, game, options.stock, order, quiet=files.quiet)
    for system, generated_game in games:
        order = _complete_order(options.stock, order, [generated_game], quiet=files.quiet)
        terminal.stage(Sentence("planning the tiles"))
        work = Work(make=TILES, order=order, out=name, count=min(batch.count, BATCH_COUNT))
        deliver_game(work, system, generated_game, folder, files, tile_bytes, force=options.force)
    return 0


def _choose_field(
    seeds: str, game: GameOptions, stock: str | None, order: TileContext, *, quiet: bool
) -> Iterator[tuple[RuleSystem, GeneratedGame]]:
    """Yield one pair: the system and the best game; list the missing pieces of each seed.

    It has the fewest missing pieces. With ``--hills slope`` it has the most hills with slopes, and they are listed too.
    ``seeds`` is a list such as ``1..20``, and ``stock`` the path of the stock file.
    """
    from printkit.hexon.seed_choice import (
        slope_lines,
        sort_by_missing,
        sort_by_slopes,
        stock_fit,
        stock_fits,
        stock_lines,
    )

    by_slopes = order.asked.hills == "slope"
    numbers = _parse_new_seeds(seeds, game)
    system, orders = new_orders(game)
    progress = terminal.track_progress(
        stock_fits(system, orders, order, numbers, order.words), quiet, total=len(numbers)
    )
    fits = list(progress)
    full_order = _complete_order(stock, order, [fit.game for fit in fits], quiet=quiet)
    sort_fits = sort_by_slopes if by_slopes else sort_by_missing
    best = sort_fits(fits if full_order is order else (stock_fit(fit.game, full_order) for fit in fits))
    if not quiet and by_slopes:
        terminal.tell(slope_lines(best))
    if not quiet and stock is not None:
        terminal.tell(stock_lines(best, order.words.each()[0]))
    yield system, best[0].game


def _choose_set(
    seeds: str, game: GameOptions, order: TileContext, size: int, *, quiet: bool
) -> tuple[TileContext, Iterable[tuple[RuleSystem, GeneratedGame]]] | None:
    """Report how many battlefields the best sets of square tiles build; return the context of the set to print.

    The first battlefield that it builds is returned with it. With a ``size`` of 1, the default, it returns None, and no
    set is printed. ``seeds`` is a list such as ``1..100``.

    Raises:
        UsageError: the battlefields have no squares, or the set builds none of them.
    """
    from msgspec.structs import replace

    from printkit.hexon.square_sets import SIZES, make_set
    from printkit.hexon.square_tiles import lay_out_squares
    from printkit.recipes.game.games import play
    from printkit.terrain.gridded.gridplan import build_plan

    numbers = _parse_new_seeds(seeds, game)
    system, orders = new_orders(game)
    games = (play(system, orders, seed, order.words) for seed in numbers)
    games_by_seed, layouts = {}, {}
    for seed, generated_game in zip(numbers, terminal.track_progress(games, quiet, total=len(numbers)), strict=True):
        field = generated_game.record.battlefield
        if field.grid is None or field.grid.shape != "square":
            raise UsageError("--seeds needs --stock, the pieces to build the battlefield with, or --hills slope")
        games_by_seed[seed], layouts[seed] = generated_game, lay_out_squares(field, build_plan(field))
    if not quiet:
        terminal.tell(make_set(layouts, count).sentence for count in SIZES if count != size)
    if size == 1:
        terminal.tell([Sentence("To print a set: --count {count}", count=SIZES[-1])])
        return None
    tile_set = make_set(layouts, size)
    if not tile_set.layouts:
        raise UsageError(
            "--count {size}: so few tiles build none of these battlefields; use a larger --count", size=size
        )
    return replace(order, square_set=tile_set), [(system, games_by_seed[next(iter(tile_set.layouts))])]


def _parse_new_seeds(seeds: str, game: GameOptions) -> tuple[int, ...]:
    """Return the numbers of a list of seeds such as ``1..20``.

    Raises:
        UsageError: the list is not valid, or another option chooses the battlefield.
    """
    from printkit.recipes.game.request import parse_seeds

    others = {
        "--seed": game.seed is not None,
        "--from": game.record,
        "--dice": game.dice,
        "--ask": game.ask,
        "--like": game.wish,
    }
    if conflicts := [name for name, there in others.items() if there]:
        raise UsageError(
            "--seeds chooses among new battlefields; remove {options}", options=joined(conflicts, Sentence(" and "))
        )
    return parse_seeds(seeds)


def _complete_order(
    stock: str | None, order: TileContext, games: Sequence[GeneratedGame], *, quiet: bool
) -> TileContext:
    """Return the context with a complete stock; at a terminal, ask the user for unlisted pieces.

    ``stock`` is the path of the stock file, or None.
    """
    from msgspec.structs import replace

    from printkit.console.boxes import complete_stock, may_ask
    from printkit.hexon.seed_choice import all_unlisted_pieces, stock_fit

    if stock is None or order.stock is None or not may_ask(quiet):
        return order
    names = all_unlisted_pieces(stock_fit(game, order) for game in games)
    full_stock = complete_stock(stock, order.stock, names, order.words)
    return order if full_stock is order.stock else replace(order, stock=full_stock)


def _check_stock(name: str) -> None:
    """Raise UsageError if the stock is not a TOML or CSV file; there are no built-in stocks."""
    if not exists(Path(name)):
        raise UsageError(
            "--stock {name!r} does not exist. To write one: printkit schema stock --example --out tiles.toml",
            name=name,
        )
    if is_folder(Path(name)):
        raise UsageError("{path} is a folder; name a file", path=name)
    if not name.lower().endswith((".toml", ".csv")):
        raise UsageError(
            "--stock {name!r} is not a TOML or CSV file. To write one: printkit schema stock --example "
            "--out tiles.toml",
            name=name,
        )
