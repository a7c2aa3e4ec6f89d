"""The commands that draw armies: the deployment of a battle on its map, and counters of armies to cut out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.errors import UsageError
from printkit.core.units import parse_length

BattleFile = Annotated[Path, typer.Argument(metavar="BATTLE.toml", help="The battle; its deployment is in its log.")]
NpgArmy = Annotated[str, typer.Argument(metavar="NPG", help="His army: a sample by its name, or an army file.")]
YourArmy = Annotated[str | None, typer.Argument(metavar="[YOU]", help="YOUR army, as NPG.")]
Folder = Annotated[Path | None, typer.Option("--out", metavar="PATH", help="The folder [output/BATTLE-deployment].")]
Figures = Annotated[str, typer.Option("--figures", metavar="SCALE", help="15mm or 25mm: how wide and deep bases are.")]
WithCounters = Annotated[bool, typer.Option("--counters/--no-counters", help="With sheets of counters to cut out.")]

_OUTPUT: Final = Path("output")
_SCALES: Final = ("15mm", "25mm")


def deployment_map_(
    battle: BattleFile,
    settings: options.Setting = None,
    sheet: options.Paper = "a4",
    margin: options.OwnMargin = None,
    overlap: options.Overlap = "10mm",
    furniture: options.Furniture = None,
    scale: options.Scale = "1:1",
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    counters: WithCounters = True,
    out: Folder = None,
    force: options.Force = False,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
) -> None:
    """Print the map of a battle with both armies on it, whole and at true size, and their counters."""
    from printkit.core import words as languages
    from printkit.recipes.game.request import pairs
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.maps import map_sheet, parse_scale
    from printkit.systems.solo.battle.battles import BattleOrder
    from printkit.systems.solo.sheets.deployment_maps import deployment_files, made_lines

    words = languages.find(lang or terminal.language())
    if parse_scale(scale) is None:
        raise UsageError("--scale fit is the overview, which comes first anyway; give a scale, as 1:1 or 1:2")
    if out is not None and out.suffix.lower() == ".pdf":
        raise UsageError("--out {out}: several files are written, so it is a folder", out=out)
    order = map_sheet(
        sheet=sheet,
        margin=None if margin is None else parse_length(margin),
        overlap=parse_length(overlap),
        words=words,
        style=style,
        furniture=furniture,
        scale=scale,
        profile=terminal.profile(printer),
    )
    # Nothing is thrown here: the log has the deployment, and with it both armies.
    wanted = BattleOrder(path=battle, words=words, seed=0, settings=pairs(settings or ()))
    made = deployment_files(wanted, order, counters=counters)
    written = write_folder(made.files, out or _OUTPUT / f"{battle.stem}-deployment", force=force)
    if not quiet:
        terminal.tell(made_lines(made, written, words))


def counters_(
    npg: NpgArmy,
    you: YourArmy = None,
    figures: Figures = "15mm",
    sheet: options.Paper = "a4",
    margin: options.OwnMargin = None,
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    format_: options.Format = None,
    out: options.Out = _OUTPUT,
    force: options.Force = False,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
) -> None:
    """Print counters of one army or two at true size, with every element that their choices may ask for."""
    from printkit.core import words as languages
    from printkit.recipes.prints.file_names import marked, printing_marks, printing_slug
    from printkit.recipes.prints.printing import write_document
    from printkit.systems.brantley.sheets.documents import sheet_order
    from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
    from printkit.systems.solo.armies.armies import in_words, read_army
    from printkit.systems.solo.sheets.counters import counter_document, of_army

    if figures not in _SCALES:
        raise UsageError("--figures {figures!r}; there are {scales}", figures=figures, scales=" and ".join(_SCALES))
    words = languages.find(lang or terminal.language())
    order = sheet_order(
        sheet=sheet,
        margin=None if margin is None else parse_length(margin),
        words=words,
        style=style,
        profile=terminal.profile(printer),
    )
    named = ((NPG, npg), *(((YOU, you),) if you is not None else ()))
    sets = [of_army(in_words(read_army(name), words.each()[0]), side) for side, name in named]
    document = counter_document(sets, order, scale=figures)
    armies = [printing_slug(Path(army).stem) for _, army in named]
    scale = figures if figures != _SCALES[0] else ""
    name = marked("counters", *armies, scale, *printing_marks(words, order.style, order.sheet, order.profile))
    written = write_document(document, name, format_ or ("pdf",), out, force=force)
    if not quiet:
        count = sum(len(each.elements) for each in sets)
        print(words("deployment.made.counters", count=count, pages=len(document.pages)), file=sys.stderr)
        terminal.tell(f"  {path}" for path in written)


def register(app: typer.Typer) -> None:
    """Add the commands to those about the non-player general."""
    app.command("deployment-map")(deployment_map_)
    app.command("counters")(counters_)
