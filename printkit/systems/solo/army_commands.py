"""The commands about the non-player general: his army, and lists of armies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.console.commands import Commands
from printkit.core.errors import UsageError
from printkit.core.units import parse_length

if TYPE_CHECKING:
    from printkit.core.words import Words


# --- The commands that draw armies: the deployment of a battle on its map, and counters of armies to cut out ----------

BattleFile = Annotated[Path, typer.Argument(metavar="BATTLE.toml", help="The battle; its deployment is in its log.")]
CounterArmy = Annotated[str, typer.Argument(metavar="NPG", help="His army: a sample by its name, or an army file.")]
SecondCounterArmy = Annotated[str | None, typer.Argument(metavar="[YOU]", help="YOUR army, as NPG.")]
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
    npg: CounterArmy,
    you: SecondCounterArmy = None,
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
    from printkit.recipes.output.printers import sheet_request
    from printkit.recipes.prints.file_names import marked, printing_marks, printing_slug
    from printkit.recipes.prints.printing import write_document
    from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
    from printkit.systems.solo.armies.army_files import in_words, read_army
    from printkit.systems.solo.sheets.counters import counter_document, of_army

    if figures not in _SCALES:
        raise UsageError("--figures {figures!r}; there are {scales}", figures=figures, scales=" and ".join(_SCALES))
    words = languages.find(lang or terminal.language())
    order = sheet_request(
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


def register_maps(app: typer.Typer) -> None:
    """Add the commands to those about the non-player general."""
    app.command("deployment-map")(deployment_map_)
    app.command("counters")(counters_)


# --- The command that prints the sheets of a battle: battle sheet, bound log, bounds rolled before the game -----------

_FOLDER: Final = Path("output")

First = Annotated[
    str | None,
    typer.Argument(
        metavar="[BATTLE.toml | NPG]", help="A battle file; or his army, a sample by its name or a file [blank sheets]."
    ),
]
Second = Annotated[str | None, typer.Argument(metavar="[YOU]", help="YOUR army, its choices made.")]
SheetMode = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="MODE",
        help="blank; ranges: what is known counted; rolled: what a battle has thrown "
        "[blank without armies, ranges of armies, rolled of a battle].",
    ),
]


def sheets_(
    first: First = None,
    you: Second = None,
    settings: options.Setting = None,
    mode: SheetMode = None,
    seed: options.Seed = None,
    sheet: options.Paper = "a4",
    printer: options.Printer = None,
    style: options.StyleName = "high-contrast",
    lang: options.Language = None,
    to: options.Format = None,
    out: options.Out = _FOLDER,
    force: options.Force = False,
    plan: options.Plan = False,
    quiet: options.Quiet = False,
) -> None:
    """Print the battle sheet, the bound log and 24 bounds rolled before the game; of armies or a battle filled in."""
    from printkit.core import words as languages
    from printkit.export.writers import known_document
    from printkit.page.printer import corrected
    from printkit.recipes.game.request import pairs
    from printkit.recipes.output.files import find_style
    from printkit.recipes.output.printers import sheet_for
    from printkit.recipes.prints.file_names import document_stem, marked, printing_marks
    from printkit.recipes.prints.printing import STREAM, document_bytes, would_write, write_document
    from printkit.systems.solo.sheets.battle_sheets import SheetOrder
    from printkit.systems.solo.sheets.paper import MARGIN
    from printkit.systems.solo.sheets.sheet_sets import SetOrder, sheet_set

    formats = tuple(dict.fromkeys(known_document(name) for name in to or ["pdf"]))
    if out == STREAM and len(formats) > 1:
        raise UsageError("--out - writes one file; give one --to")
    words = languages.find(lang or terminal.language())
    profile = terminal.profile(printer)
    paper = sheet_for(sheet, margin=MARGIN, default=MARGIN, profile=profile, backs=True)
    made = sheet_set(
        SetOrder(
            first=first,
            you=you,
            settings=pairs(settings or ()),
            mode=mode,
            seed=terminal.fresh_seed() if seed is None else seed,
            own_seed=seed is not None,
            sheets=SheetOrder(sheet=paper, style=find_style(style), words=words),
        ),
        writes=not plan,
    )
    document = corrected(made.document, profile).document
    name = marked(made.name, *printing_marks(words, None, sheet, profile))
    if plan:
        stem = document_stem(name, out)
        lines = (*made.lines, *would_write(stem.with_name(f"{stem.name}.{ending}") for ending in formats))
        terminal.show(lines)
        return
    if out == STREAM:
        sys.stdout.buffer.write(document_bytes(document, formats[0]))
        return
    written = write_document(document, name, formats, out, force=force)
    if not quiet:
        terminal.tell([*made.lines, *(f"  {path}" for path in written)])


def register_sheets(app: typer.Typer) -> None:
    """Add the command to those of the non-player general."""
    app.command("sheets")(sheets_)


app = Commands(help="A non-player general for DBA 2.2: his army, and what he does with it.", rich_markup_mode=None)

ArmyName = Annotated[
    str | None,
    typer.Argument(metavar="[ARMY]", help="A sample army by its name, or an army file; none lists the samples."),
]
NpgArmy = Annotated[
    str | None, typer.Argument(metavar="[NPG]", help="His army: a sample by its name, or an army file [by the seed].")
]
YourArmy = Annotated[
    str | None, typer.Argument(metavar="[YOU]", help="YOUR army, its choices made: as NPG [a sample by the seed].")
]
Mode = Annotated[
    str | None,
    typer.Option(
        "--mode", metavar="MODE", help="ranges: what to throw, what is known counted; blank: boxes to tick [rolled]."
    ),
]
OpenByChance = Annotated[
    bool, typer.Option("--choose-for-you", help="Let chance make the choices that YOUR army leaves open.")
]
ArmyOut = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Also write the finished army, NAME.toml, or each step, NAME.json."),
]


@app.callback(invoke_without_command=True)
def npg_(context: typer.Context, lang: options.Language = None) -> None:
    """A non-player general for DBA 2.2: his army, and what he does with it."""
    terminal.prefer(lang)
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("armies")
def armies_(name: ArmyName = None, lang: options.Language = None) -> None:
    """List the sample armies; of one, or of an army file, show what it holds and what is to be chosen."""
    from printkit.core import words as languages
    from printkit.systems.solo.armies.army_files import in_words, read_army, samples
    from printkit.systems.solo.armies.composition_text import army_lines, listing_lines
    from printkit.systems.solo.battle.composing_job import in_turn

    words = languages.find(lang or terminal.language())
    armies = samples() if name is None else (read_army(name),)

    def tell(one: Words) -> Iterator[str]:
        told = [in_words(army, one) for army in armies]
        return listing_lines(told, one) if name is None else army_lines(told[0], one)

    terminal.show(in_turn(words, tell))


@app.command("compose")
def compose_(
    npg: NpgArmy = None,
    you: YourArmy = None,
    settings: options.Setting = None,
    mode: Mode = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    choose_for_you: OpenByChance = False,
    lang: options.Language = None,
    out: ArmyOut = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Dice for the army of the non-player general, slot by slot, the general last; then for who attacks."""
    from printkit.core import words as languages
    from printkit.recipes.game.request import dice_text, pairs
    from printkit.systems.solo.battle.composing_job import ComposeOrder, compose_job, write_job

    words = languages.find(lang or terminal.language())
    if ask and dice is not None:
        raise UsageError("--ask and --dice together say two things; give the dice, or be asked for them")
    job = compose_job(
        ComposeOrder(
            words=words,
            seed=terminal.fresh_seed() if seed is None else seed,
            npg=npg,
            you=you,
            settings=pairs(settings or ()),
            mode=mode,
            dice=dice_text(dice),
            goes_on=seed is not None,
            table=terminal.table() if ask else None,
            open_by_chance=choose_for_you,
            every=verbose,
        )
    )
    path = None if out is None else write_job(job, out, force=force)
    terminal.show(job.lines)
    if verbose:
        from printkit.chance.dice import write_log

        print(write_log(job.log), end="", file=sys.stderr)
    if quiet:
        return
    if job.drawn:
        print(words("npg.army.seed", seed=job.seed), file=sys.stderr)
    if job.unused:
        print(words("npg.army.unused", count=job.unused), file=sys.stderr)
    if path is not None:
        print(path, file=sys.stderr)
