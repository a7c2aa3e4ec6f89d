"""The command that plans a battlefield as Hexon tiles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.core.units import parse_length

_FOLDER: Final = Path("output")

Hexes = Annotated[
    str | None,
    typer.Option("--hexes", metavar="COLSxROWS", help="Of a board without a grid [its size at 100 mm, at least 9x8]."),
]
Grain = Annotated[
    str | None, typer.Option("--grain", metavar="GRAIN", help="With --hexes sampled: flat or pointed tops [flat].")
]
Hills = Annotated[
    str, typer.Option("--hills", metavar="MODE", help="auto, slope, or step: how the sides of hills are built.")
]
Footprint = Annotated[
    str, typer.Option("--footprint", metavar="MODE", help="plateau: slopes lie round a hill; drop or grow: within it.")
]
Repair = Annotated[
    str, typer.Option("--repair", metavar="MODE", help="raise hexes that no slope fits, or report them.")
]
RidgeEnd = Annotated[
    str, typer.Option("--ridge-end", metavar="MODE", help="raise, c-piece or open: the free end of a ridge.")
]
TwoHigh = Annotated[
    str, typer.Option("--two-high", metavar="MODE", help="pieces of two levels, or stacked: a wider hill below.")
]
Mountain = Annotated[str, typer.Option("--mountain", metavar="MODE", help="three levels, or a piece of its own.")]
Steps = Annotated[
    str | None, typer.Option("--steps", metavar="CELLS", help="Lay the hills at these cells as steps: '3;4 6;1'.")
]
Nodes = Annotated[
    int | None, typer.Option("--nodes", metavar="N", min=1, help="How far the search for fewest pieces goes [250000].")
]
StockFile = Annotated[
    str | None, typer.Option("--stock", metavar="FILE.toml", help="Your own pieces; what lacks is said.")
]
StockTemplate = Annotated[
    Path | None, typer.Option("--stock-template", metavar="FILE.toml", help="Write a stock file to fill in, and stop.")
]
Formats = Annotated[
    list[str] | None,
    typer.Option("--to", metavar="FORMAT", help="pdf, json, csv, text-mapper, tiled; repeatable [pdf, json, csv]."),
]


def hexon_(
    rules: options.Rules = None,
    settings: options.Setting = None,
    scenario: options.Scenario = None,
    board: options.BoardSize = None,
    cell: options.CellSize = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    from_: options.From = None,
    reroll: options.Reroll = None,
    keep: options.Keep = None,
    hexes: Hexes = None,
    grain: Grain = None,
    hills: Hills = "auto",
    footprint: Footprint = "plateau",
    repair: Repair = "raise",
    ridge_end: RidgeEnd = "raise",
    two_high: TwoHigh = "pieces",
    mountain: Mountain = "levels",
    steps: Steps = None,
    nodes: Nodes = None,
    stock: StockFile = None,
    stock_template: StockTemplate = None,
    sheet: options.Paper = "a4",
    margin: options.OwnMargin = None,
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    to: Formats = None,
    out: options.Out = _FOLDER,
    force: options.Force = False,
    count: options.Count = 1,
    jobs: options.Jobs = None,
    backend: options.Backend = None,
    again: options.Again = False,
    plan: options.Plan = False,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
) -> None:
    """Plan a battlefield as Hexon tiles: assembly sheets, the layout for other programs, and a list of parts."""
    if stock_template is not None:
        _write_stock(stock_template, quiet=quiet)
        return
    from printkit.console.batches import Sharing, Telling, is_batch, make_batch, place_of
    from printkit.console.games import Wanted, games_of
    from printkit.core import words as languages
    from printkit.hexon.job import (
        HexonOrder,
        grain_of,
        hexon_job,
        job_lines,
        known_formats,
        names_of,
        plan_lines,
        stream_bytes,
    )
    from printkit.hexon.layout.settings import settings_of
    from printkit.hexon.layout.stock import read_stock
    from printkit.page import sheet as paper
    from printkit.recipes.output.files import find_style, write_folder
    from printkit.recipes.output.printers import sheet_for
    from printkit.recipes.prints.printing import STREAM

    words = languages.find(lang or terminal.language())
    formats = known_formats(to or ())
    texts = {"hills": hills, "footprint": footprint, "repair": repair, "ridge-end": ridge_end, "two-high": two_high}
    texts |= {"mountain": mountain}
    texts |= {name: str(value) for name, value in (("steps", steps), ("node-limit", nodes)) if value is not None}
    try:
        chosen = settings_of(texts)
    except ScenarioError as error:
        raise UsageError("--{error}", error=error) from None
    wanted = Wanted(
        rules=rules,
        settings=settings or (),
        scenario=scenario,
        board=board,
        cell=cell,
        seed=seed,
        dice=dice,
        ask=ask,
        record=from_,
        reroll=reroll or (),
        keep=keep or (),
        count=count,
    )
    wanted.refuse_together(out, formats)
    sharing = Sharing(jobs=jobs, backend=backend, again=again)
    sharing.refuse_together(wanted)
    profile = terminal.profile(printer)
    order = HexonOrder(
        sheet=sheet_for(
            sheet, margin=None if margin is None else parse_length(margin), default=paper.MARGIN, profile=profile
        ),
        words=words,
        style=find_style(style),
        settings=chosen,
        formats=formats,
        hexes=hexes,
        grain=None if grain is None else grain_of(grain),
        stock=None if stock is None else read_stock(_own_file(stock)),
        profile=profile,
    )
    if is_batch(wanted):
        from printkit.hexon.job import SUFFIXES, HexonWork

        folder, own_name = place_of(out, SUFFIXES)
        telling = Telling(plan=plan, quiet=quiet, force=force)
        make_batch(wanted, words, HexonWork(order=order, out=own_name), folder, sharing=sharing, telling=telling)
        return
    for system, game in games_of(wanted, words, quiet=quiet):
        folder, name, record_name = names_of(game, out, count, order)
        job = hexon_job(game, system, order, name=name, record_name=record_name)
        if plan:
            terminal.show(plan_lines(game, job, folder, formats, out=out))
        elif out == STREAM:
            sys.stdout.buffer.write(stream_bytes(job))
        else:
            written = write_folder(job.files, folder, force=force)
            if not quiet:
                terminal.tell([*job_lines(game, job), *(f"  {path}" for path in written)])


def _own_file(name: str) -> str:
    """Return the path of a stock file; pieces are a person's own, so no name stands for a file of ours."""
    if not Path(name).is_file() or not name.endswith(".toml"):
        raise UsageError(
            "--stock {name!r} is no TOML file; printkit hexon --stock-template FILE.toml writes one", name=name
        )
    return name


def _write_stock(path: Path, *, quiet: bool) -> None:
    """Write a stock file to fill in; one that is there already is somebody's work and stays."""
    from printkit.core.resources import template_text

    if path.exists():
        raise UsageError("{path} is there already; name another file, or give it as --stock", path=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(template_text("hexon", "stock"), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            "cannot write {path}: {reason}; name another file", path=path, reason=error.strerror or error
        ) from None
    if not quiet:
        then = Sentence("  fill in what you own, then: printkit hexon --stock {path}", path=path)
        terminal.tell([str(path), then])
