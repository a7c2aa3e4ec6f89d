"""The command ``hexon``: plan battlefields with Hexon tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    if stock.seeds is not None and is_batch(batch, game):
        raise UsageError("--seeds chooses one battlefield; remove --count")
    folder, name = output_path(files, SUFFIXES)
    if is_batch(batch, game):
        work = Work(make=TILES, order=order, out=name)
        return make_batch(game, batch, words, work, folder, files=files, force=options.force)
    if stock.seeds is None:
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
    """Yield one pair: the system and the game with the fewest missing pieces; list the missing pieces of each seed.

    ``seeds`` is a list such as ``1..20``, and ``stock`` the path of the stock file.
    """
    from printkit.hexon.seed_choice import sort_by_missing, stock_fit, stock_fits, stock_lines
    from printkit.recipes.game.request import parse_seeds

    if stock is None:
        raise UsageError("--seeds needs --stock, the pieces to build the battlefield with")
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
    numbers = parse_seeds(seeds)
    system, orders = new_orders(game)
    progress = terminal.track_progress(
        stock_fits(system, orders, order, numbers, order.words), quiet, total=len(numbers)
    )
    fits = list(progress)
    full_order = _complete_order(stock, order, [fit.game for fit in fits], quiet=quiet)
    best = sort_by_missing(fits if full_order is order else (stock_fit(fit.game, full_order) for fit in fits))
    if not quiet:
        terminal.tell(stock_lines(best, order.words.each()[0]))
    yield system, best[0].game


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
