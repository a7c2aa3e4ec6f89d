"""The options of the command line, the same wherever they make sense, and which of them contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from printkit.core.errors import UsageError

Rules = Annotated[str | None, typer.Option("--rules", metavar="NAME", help="The rule system [brantley].")]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="One setting of the rules; repeatable. See printkit rules NAME."),
]
Scenario = Annotated[
    Path | None, typer.Option("--scenario", metavar="FILE.toml", help="Settings and lists from a file.")
]
Recorded = Annotated[
    Path | None,
    typer.Option("--scenario", metavar="FILE.toml", help="Say what a game recorded in this file has still to throw."),
]
BoardSize = Annotated[
    str | None, typer.Option("--board", metavar="SIZE", help="24in, 72x48in, 18BW [the system's own].")
]
CellSize = Annotated[
    str | None, typer.Option("--cell", metavar="LENGTH", help="Of a gridded board: across flats or side [100mm].")
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", min=0, help="Chance comes from this seed [a fresh one].")
]
DiceText = Annotated[
    str | None,
    typer.Option("--dice", metavar="SCORES", help='Your own dice and cards, "5 3 KS 7H", or @FILE; a log is one.'),
]
Ask = Annotated[bool, typer.Option("--ask", help="Ask for each throw on the terminal.")]
From = Annotated[
    Path | None, typer.Option("--from", metavar="RECORD.json", help="Print this record again; nothing is rolled.")
]
Reroll = Annotated[
    list[str] | None, typer.Option("--reroll", metavar="STAGE", help="With --from: throw this stage anew; repeatable.")
]
Keep = Annotated[
    list[str] | None,
    typer.Option("--keep", metavar="STAGE", help="With --from: throw all stages anew but this; repeatable."),
]
Paper = Annotated[
    str, typer.Option("--sheet", metavar="NAME", help="a4, a3 ... letter, 36in-roll, one, or WIDTHxHEIGHT with units.")
]
Margin = Annotated[str, typer.Option("--margin", metavar="LENGTH", help="The edge of the paper that is not printed.")]
OwnMargin = Annotated[
    str | None,
    typer.Option("--margin", metavar="LENGTH", help="The edge that is not printed [10mm, or the printer's]."),
]
Printer = Annotated[
    str | None, typer.Option("--printer", metavar="NAME", help="Print true on this printer; see printkit calibrate.")
]
Overlap = Annotated[
    str, typer.Option("--overlap", metavar="LENGTH", help="How far neighbouring sheets repeat each other.")
]
Furniture = Annotated[
    str | None, typer.Option("--furniture", metavar="KIND", help="mat, full or none [mat for tiled sheets, else full].")
]
Scale = Annotated[str, typer.Option("--scale", metavar="SCALE", help="1:1, 1:4, or fit: an overview on one sheet.")]
StyleName = Annotated[
    str, typer.Option("--style", metavar="NAME", help="campaign, ink-saver, high-contrast, or a file of your own.")
]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="CODE", help="en, es, or en+es [from the locale, else en].")
]
Format = Annotated[
    list[str] | None, typer.Option("--to", metavar="FORMAT", help="pdf, svg, png, json; repeatable [pdf].")
]
Out = Annotated[Path, typer.Option("--out", metavar="PATH", help="A file or a folder; - for standard output.")]
TerrainBox = Annotated[
    str | None, typer.Option("--box", metavar="FILE.toml", help="Your own terrain pieces, to which the field is held.")
]
Count = Annotated[int, typer.Option("--count", metavar="N", min=1, help="N battlefields of consecutive seeds.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", min=1, help="With --count: processes that share them out [one a core]."),
]
Backend = Annotated[
    str | None,
    typer.Option("--backend", metavar="NAME", help="With --count: loky, multiprocessing, or dask, a cluster [loky]."),
]
Again = Annotated[bool, typer.Option("--again", help="With --count: make also those anew that are there and whole.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace files of another game or another printing that stand in the way.")
]
Plan = Annotated[bool, typer.Option("--plan", help="Say what would be written, and write nothing.")]
Numbers = Annotated[
    bool, typer.Option("--numbers/--no-numbers", help="Number the features, and explain them in a key.")
]
Zones = Annotated[bool, typer.Option("--zones/--no-zones", help="Mark the zones of the rules on the map.")]
ByZone = Annotated[
    bool, typer.Option("--by-zone", help="Lay each zone of the board out by itself, on sheets that are named by it.")
]
OneZone = Annotated[
    list[str] | None,
    typer.Option("--zone", metavar="N", help="Print this zone alone, as --by-zone does; repeatable."),
]
Deployment = Annotated[
    bool, typer.Option("--deployment/--no-deployment", help="Draw the lines up to which armies deploy.")
]
CellGrid = Annotated[bool, typer.Option("--grid/--no-grid", help="Draw and number the cells of a gridded map.")]
Blank = Annotated[bool, typer.Option("--blank", help="An empty grid of the rules' cells, or their form, to sketch on.")]
CardSize = Annotated[
    str,
    typer.Option("--size", metavar="SIZE", help="us-2.5x3.5in, mini, tarot, or 60x92mm [poker-63x88]."),
]
Backs = Annotated[
    str,
    typer.Option("--backs", metavar="KIND", help="none, deck (one picture on all) or content [the deck's own]."),
]
FlipEdge = Annotated[
    str | None,
    typer.Option("--flip", metavar="EDGE", help="How sheets are turned over: long-edge or short-edge [long-edge]."),
]
Fold = Annotated[bool, typer.Option("--fold", help="Backs beside their fronts, to be folded: prints on one side.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Show every throw.")]


def refuse_together(
    *,
    from_: Path | None,
    reroll: Sequence[str] | None,
    keep: Sequence[str] | None,
    seed: int | None,
    playing: Sequence[str],
    out: Path,
    formats: Sequence[str],
) -> None:
    """Refuse options that contradict each other; ``playing`` are those given that only a new game can heed.

    Raises:
        UsageError: says which, and why.
    """
    if (reroll or keep) and from_ is None:
        raise UsageError("--reroll and --keep need --from RECORD.json, the game whose stages they throw anew")
    if reroll and keep:
        raise UsageError("--reroll and --keep together say two things; give the stages to throw, or those to keep")
    if from_ is not None and playing:
        raise UsageError(
            "--from prints a game that was played; {playing} would need a new one", playing=" and ".join(playing)
        )
    if from_ is not None and seed is not None and not (reroll or keep):
        raise UsageError("--from throws nothing; --seed goes with --reroll or --keep, whose stages it throws")
    if "--ask" in playing and "--dice" in playing:
        raise UsageError("--ask and --dice together say two things; give the dice, or be asked for them")
    if str(out) == "-" and (len(formats) > 1 or "--count" in playing):
        raise UsageError("--out - writes one file; give one --to and no --count")
