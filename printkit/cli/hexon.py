"""The command that plans a battlefield as Hexon tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.options import STREAM, BatchOptions, Game
from printkit.console.parameters import Opt, flag, made_of
from printkit.core.errors import Sentence, UsageError, typed_path
from printkit.core.paths import exists, is_file

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.hexon.job import HexonOrder
    from printkit.kit.system import RuleSystem
    from printkit.recipes.game.games import Played

_FORMATS: Final = ("printkit.hexon.formats.layouts:SHEETS", "printkit.hexon.formats.layouts:LAYOUTS")


class HexonOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit hexon``."""

    game: Game
    hexes: Annotated[
        str | None,
        Opt("--hexes", "COLSxROWS", "Of a board without a grid [its size at 100 mm, at least 9x8]."),
    ] = None
    grain: Annotated[str | None, Opt("--grain", "GRAIN", "With --hexes sampled: flat or pointed tops [flat].")] = None
    hills: Annotated[str, Opt("--hills", "MODE", "auto, slope, or step: how the sides of hills are built.")] = "auto"
    footprint: Annotated[
        str, Opt("--footprint", "MODE", "plateau: slopes lie round a hill; drop or grow: within it.")
    ] = "plateau"
    repair: Annotated[str, Opt("--repair", "MODE", "raise hexes that no slope fits, or report them.")] = "raise"
    two_high: Annotated[str, Opt("--two-high", "MODE", "pieces of two levels, or stacked: a wider hill below.")] = (
        "pieces"
    )
    mountain: Annotated[str, Opt("--mountain", "MODE", "three levels, or a piece of its own.")] = "levels"
    steps: Annotated[str | None, Opt("--steps", "HEXES", "Lay the hills at these hexes as steps: '0403 0106'.")] = None
    nodes: Annotated[
        int | None, Opt("--nodes", "N", "How far the search for fewest pieces goes [250000].", least=1, most=10_000_000)
    ] = None
    stock: Annotated[str | None, Opt("--stock", "FILE", "Your own pieces, .toml or .csv; what lacks is said.")] = None
    seeds: Annotated[
        str | None, Opt("--seeds", "SEEDS", "With --stock: take the field that it builds best, of seeds 1..50.")
    ] = None
    far_side: Annotated[bool, flag("--far-side", "The plans once more, as they are seen from the far edge.")] = False
    overlays: Annotated[
        bool, flag("--overlays", "Sheets to cut too: strips and hexes as large as the tiles, for what no tile shows.")
    ] = False
    stock_template: Annotated[
        Path | None, Opt("--stock-template", "FILE", "Write a stock file to fill in, .toml or .csv, and stop.")
    ] = None
    sheet: options.PaperName = "a4"
    margin: options.OwnMargin = None
    style: options.StyleName = "campaign"
    lang: options.Language = None
    show_seed: options.ShowSeed = False
    large_print: options.LargePrint = False
    formats: Annotated[
        tuple[str, ...],
        Opt("--to", "FORMAT", "{names}; repeatable [pdf, json, csv].", names=_FORMATS),
    ] = ()
    out: options.Out = options.FOLDER
    force: options.Force = False
    batch: BatchOptions
    plan: options.Plan = False
    printer: options.Printer = None
    quiet: options.Quiet = False


def hexon(asked: HexonOptions) -> None:
    """Plan tiles for battlefields, each with its record."""
    if asked.stock_template is not None:
        _write_stock(asked.stock_template, quiet=asked.quiet)
        return
    from printkit.console.batches import Verbosity, is_batch, make_batch, place_of, refuse_sharing
    from printkit.console.games import Wanted, games_of
    from printkit.hexon import job as tiles
    from printkit.recipes.output.files import write_folder

    words, wanted = terminal.words(asked.lang), made_of(Wanted, asked, asked.batch)
    wanted.refuse_together(asked.out, tiles.known_formats(asked.formats))
    refuse_sharing(asked.batch, ask=asked.game.ask)
    if asked.stock is not None:
        _judge_stock(asked.stock)
    order = tiles.hexon_order(made_of(tiles.HexonRequest, asked), words, terminal.profile(asked.printer))
    if asked.seeds is not None and is_batch(wanted):
        raise UsageError("--seeds chooses one field; leave --count")
    if is_batch(wanted):
        folder, own_name = place_of(asked.out, tiles.SUFFIXES)
        work, telling = tiles.HexonWork(order=order, out=own_name), made_of(Verbosity, asked)
        make_batch(wanted, words, work, folder, sharing=asked.batch, telling=telling)
        return
    chosen = games_of(wanted, words, quiet=asked.quiet) if asked.seeds is None else _chosen(asked, order, words)
    for system, game in chosen:
        order = _with_answers(asked, order, [game])
        folder, name, record_name = tiles.names_of(game, asked.out, wanted.count, order)
        job = tiles.hexon_job(game, system, order, name=name, record_name=record_name)
        if asked.plan:
            terminal.show(tiles.plan_lines(game, job, folder, order.formats, out=asked.out))
        elif asked.out == STREAM:
            terminal.write(tiles.stream_bytes(job))
        else:
            written = write_folder(job.files, folder, force=asked.force)
            if not asked.quiet:
                terminal.tell([*tiles.job_lines(game, job), *(f"  {path}" for path in written)])


def _chosen(asked: HexonOptions, order: HexonOrder, words: Words) -> Iterator[tuple[RuleSystem, Played]]:
    """Yield the one of several fields for which a stock lacks least, and tell of each what it lacks."""
    from printkit.console.games import new_orders
    from printkit.hexon.choosing import best_built, stock_fit, stock_fits, stock_lines
    from printkit.recipes.game.request import seeds_of

    game = asked.game
    if asked.stock is None:
        raise UsageError("--seeds goes with --stock, whose pieces the field is to be built of")
    others = {"--seed": game.seed is not None, "--from": game.record, "--dice": game.dice, "--ask": game.ask}
    if given := [name for name, there in others.items() if there]:
        raise UsageError("--seeds chooses among new fields; leave {options}", options=" and ".join(given))
    seeds = seeds_of(asked.seeds or "")
    system, orders = new_orders(game)
    tried = terminal.counted(stock_fits(system, orders, order, seeds, words), asked.quiet, total=len(seeds))
    found = list(tried)
    answered = _with_answers(asked, order, [each.game for each in found])
    best = best_built(found if answered is order else (stock_fit(each.game, answered) for each in found))
    if not asked.quiet:
        terminal.tell(stock_lines(best, words.each()[0]))
    yield system, best[0].game


def _with_answers(asked: HexonOptions, order: HexonOrder, games: Sequence[Played]) -> HexonOrder:
    """Return an order whose stock lists all that some fields ask for, where the person can be asked for it."""
    from msgspec.structs import replace

    from printkit.console.boxes import asked_stock, may_ask
    from printkit.hexon.choosing import stock_fit, unlisted

    if asked.stock is None or order.stock is None or not may_ask(asked.quiet):
        return order
    names = unlisted(stock_fit(game, order) for game in games)
    stock = asked_stock(asked.stock, order.stock, names, order.words)
    return order if stock is order.stock else replace(order, stock=stock)


def _judge_stock(name: str) -> None:
    """Refuse what is no stock file; pieces are a person's own, so no name stands for a file of ours."""
    if not is_file(Path(name)) or not name.lower().endswith((".toml", ".csv")):
        raise UsageError(
            "--stock {name!r} is no TOML or CSV file; printkit hexon --stock-template FILE.toml or FILE.csv writes one",
            name=name,
        )


def _write_stock(path: Path, *, quiet: bool) -> None:
    """Write a stock file to fill in; one that is there already is somebody's work and stays."""
    from printkit.core.resources import template_text
    from printkit.hexon.layout.stock_rows import template_rows

    if exists(path):
        raise UsageError("{path} is there already; name another file, or give it as --stock", path=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = template_rows() if path.suffix.lower() == ".csv" else template_text("hexon", "stock")
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            "cannot write {path}: {reason}; name another file", path=path, reason=error.strerror or error
        ) from None
    if not quiet:
        then = Sentence("  fill in what you own, then: printkit hexon --stock {path}", path=typed_path(path))
        terminal.tell([str(path), then])
