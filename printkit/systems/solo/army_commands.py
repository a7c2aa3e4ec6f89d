"""The commands about armies: lists of armies, deployment on a map, counters to cut out, the sheets of a battle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import options, terminal
from printkit.console.options import FOLDER, DeckOutput, Game, Paper, SheetOutput
from printkit.console.parameters import Opt, argument, flag, made_of
from printkit.core.errors import ScenarioError, UsageError
from printkit.core.units import DPI

if TYPE_CHECKING:
    from printkit.core.words import Words

_SCALES: Final = ("15mm", "25mm")

ShowNpg = Annotated[bool, flag("--show-npg", "Show the NPG's army on the screen before it is deployed.")]

# --- Lists of armies, and the NPG's composition -----------------------------------------------------------------------


class ArmiesOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg armies``."""

    name: Annotated[
        str | None,
        argument("[ARMY]", "A sample army by its name, or an army file; none lists the samples."),
    ] = None
    lang: options.Language = None


def armies(asked: ArmiesOptions) -> None:
    """List the sample armies, or show one."""
    from printkit.systems.solo.armies.army_files import in_words, read_army, samples
    from printkit.systems.solo.armies.composition_text import army_lines, listing_lines
    from printkit.systems.solo.battle.composing_job import in_turn

    words = terminal.words(asked.lang)
    found = samples() if asked.name is None else (read_army(asked.name),)

    def tell(one: Words) -> Iterator[str]:
        told = [in_words(army, one) for army in found]
        return listing_lines(told, one) if asked.name is None else army_lines(told[0], one)

    terminal.show(in_turn(words, tell))


class ComposeOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg compose``."""

    npg: Annotated[str | None, argument("[NPG]", "His army: a sample by its name, or an army file [by the seed].")] = (
        None
    )
    you: Annotated[str | None, argument("[YOU]", "YOUR army, its choices made: as NPG [a sample by the seed].")] = None
    settings: options.Settings = ()
    mode: Annotated[
        str | None,
        Opt("--mode", "MODE", "ranges: what to throw, what is known counted; blank: boxes to tick [rolled]."),
    ] = None
    seed: options.Seed = None
    dice: options.DiceText = None
    ask: options.Ask = False
    open_by_chance: Annotated[
        bool, flag("--choose-for-you", "Let chance make the choices that YOUR army leaves open.")
    ] = False
    show_npg: ShowNpg = False
    lang: options.Language = None
    out: Annotated[
        Path | None, Opt("--out", "FILE", "Also write the finished army, NAME.toml, or each step, NAME.json.")
    ] = None
    force: options.Force = False
    quiet: options.Quiet = False
    verbose: options.Verbose = False


def compose(asked: ComposeOptions) -> None:
    """Dice for the NPG's army, and tell of it."""
    from printkit.console.games import refuse_ask_and_dice
    from printkit.recipes.game.request import dice_text, pairs
    from printkit.systems.solo.battle.composing_job import ComposeOrder, compose_job, write_job

    words = terminal.words(asked.lang)
    refuse_ask_and_dice(made_of(Game, asked))
    job = compose_job(
        ComposeOrder(
            words=words,
            seed=terminal.fresh_seed() if asked.seed is None else asked.seed,
            npg=asked.npg,
            you=asked.you,
            settings=pairs(asked.settings),
            mode=asked.mode,
            dice=dice_text(asked.dice),
            goes_on=asked.seed is not None,
            person=terminal.person() if asked.ask else None,
            open_by_chance=asked.open_by_chance,
            every=asked.verbose,
            show_npg=asked.show_npg or asked.verbose,
        )
    )
    path = None if asked.out is None else write_job(job, asked.out, force=asked.force)
    terminal.show(job.lines)
    if asked.verbose:
        from printkit.chance.dice import write_log

        terminal.tell(write_log(job.log).splitlines())
    if asked.quiet:
        return
    if job.drawn:
        terminal.tell([words("npg.army.seed", seed=job.seed)])
    if job.unused:
        terminal.tell([words("npg.army.unused", count=job.unused)])
    if path is not None:
        terminal.tell([str(path)])


# --- The sheets of a battle: battle sheet, bound log, bounds rolled before the game -----------------------------------


class SheetsOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg sheets``."""

    first: Annotated[
        str | None,
        argument("[BATTLE.toml | NPG]", "A battle file; or his army, a sample by its name or a file [blank sheets]."),
    ] = None
    you: Annotated[str | None, argument("[YOU]", "YOUR army, its choices made.")] = None
    settings: options.Settings = ()
    mode: Annotated[
        str | None,
        Opt(
            "--mode",
            "MODE",
            "blank; ranges: what is known counted; rolled: what a battle has thrown "
            "[blank without armies, ranges of armies, rolled of a battle].",
        ),
    ] = None
    seed: options.Seed = None
    sheet: options.PaperName = "a4"
    printer: options.Printer = None
    style: options.StyleName = "high-contrast"
    large_print: options.LargePrint = False
    lang: options.Language = None
    output: SheetOutput
    plan: options.Plan = False
    quiet: options.Quiet = False


def sheets(asked: SheetsOptions) -> None:
    """Print the sheets on which a battle is kept."""
    from printkit.console.documents import give
    from printkit.page.printer import corrected
    from printkit.recipes.game.request import pairs
    from printkit.recipes.output.files import find_style
    from printkit.recipes.output.printers import SheetRequest, sheet_for
    from printkit.recipes.prints.file_names import LARGE, marked, printing_marks
    from printkit.systems.solo.sheets.paper import MARGIN
    from printkit.systems.solo.sheets.sheet_sets import SetOrder, sheet_set

    formats = asked.output.sheet_formats()
    words, profile = terminal.words(asked.lang), terminal.profile(asked.printer)
    paper = sheet_for(asked.sheet, margin=MARGIN, default=MARGIN, profile=profile, backs=True)
    made = sheet_set(
        SetOrder(
            first=asked.first,
            you=asked.you,
            settings=pairs(asked.settings),
            mode=asked.mode,
            seed=terminal.fresh_seed() if asked.seed is None else asked.seed,
            own_seed=asked.seed is not None,
            sheets=SheetRequest(sheet=paper, style=find_style(asked.style, large_print=asked.large_print), words=words),
        ),
        writes=not asked.plan,
    )
    document = corrected(made.document, profile).document
    large = LARGE if asked.large_print else ""
    name = marked(made.name, *printing_marks(words, None, asked.sheet, profile), large)
    give(document, name, formats, asked.output, said=made.lines, plan=asked.plan, quiet=asked.quiet)


# --- Armies that are drawn: the deployment of a battle on its map, and counters to cut out ----------------------------


class DeploymentMapOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg deployment-map``."""

    battle: Annotated[Path, argument("BATTLE.toml", "The battle; its deployment is in its log.")]
    settings: options.Settings = ()
    paper: Paper
    furniture: options.FurnitureKind = None
    scale: Annotated[str, Opt("--scale", "SCALE", "1:1 or 1:4, for example. An overview is always printed.")] = "1:1"
    style: options.StyleName = "campaign"
    large_print: options.LargePrint = False
    lang: options.Language = None
    counters: Annotated[bool, flag("--counters/--no-counters", "With sheets of counters to cut out.")] = True
    out: Annotated[Path | None, Opt("--out", "PATH", "The folder [output/BATTLE-deployment].")] = None
    force: options.Force = False
    printer: options.Printer = None
    quiet: options.Quiet = False


def deployment_map(asked: DeploymentMapOptions) -> None:
    """Print the map of a battle with both armies on it, and their counters."""
    from printkit.recipes.game.request import pairs
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.map_scale import parse_scale
    from printkit.recipes.prints.maps import MapRequest, map_sheet
    from printkit.systems.solo.battle.battles import BattleOrder
    from printkit.systems.solo.sheets.deployment_maps import deployment_files, made_lines

    words = terminal.words(asked.lang)
    if parse_scale(asked.scale) is None:
        raise UsageError("--scale fit is the overview, which comes first anyway; give a scale, as 1:1 or 1:2")
    if asked.out is not None and asked.out.suffix.lower() == ".pdf":
        raise UsageError("--out {out}: several files are written, so it is a folder", out=asked.out)
    order = map_sheet(made_of(MapRequest, asked, asked.paper), words, terminal.profile(asked.printer))
    # Nothing is thrown here: the log has the deployment, and with it both armies.
    wanted = BattleOrder(path=asked.battle, words=words, seed=0, settings=pairs(asked.settings))
    made = deployment_files(wanted, order, counters=asked.counters)
    folder = asked.out or FOLDER / f"{asked.battle.stem}-deployment"
    written = write_folder(made.files, folder, force=asked.force)
    if not asked.quiet:
        terminal.tell(made_lines(made, written, words))


class CounterOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg counters``."""

    npg: Annotated[
        str, argument("NPG", "The NPG's army: a sample by its name, or an army file. Or the file of a battle.")
    ]
    you: Annotated[str | None, argument("[YOU]", "YOUR army, as NPG.")] = None
    figures: Annotated[str, Opt("--figures", "SCALE", "15mm or 25mm: how wide and deep bases are.")] = "15mm"
    sheet: options.PaperName = "a4"
    margin: options.OwnMargin = None
    style: options.StyleName = "campaign"
    large_print: options.LargePrint = False
    lang: options.Language = None
    output: DeckOutput
    url_base: options.UrlBase = ""
    dpi: options.Dpi = DPI
    printer: options.Printer = None
    quiet: options.Quiet = False


def _counted_armies(npg: str, you: str | None) -> tuple[str, str | None]:
    """Return the armies that are named, or both of a battle whose file is named in place of the first.

    Raises:
        UsageError: another army is named beside the file of a battle.
        ScenarioError: the file of the battle is wrong.
    """
    from printkit.core.paths import is_file
    from printkit.recipes.game.request import read_text
    from printkit.systems.solo.armies.force import Side
    from printkit.systems.solo.battle.battles import army_place
    from printkit.systems.solo.tactics.battle_file import is_battle, read_battle

    path = Path(npg)
    if not is_file(path) or not is_battle(text := read_text(path)):
        return npg, you
    if you is not None:
        raise UsageError("{path} is a battle, which names both armies; leave out {army}", path=path, army=you)
    try:
        battle = read_battle(text)
    except ScenarioError as error:
        raise ScenarioError("{path}: {error}", path=path, error=error) from None
    return army_place(battle, Side.NPG, path), army_place(battle, Side.YOU, path)


def counters(asked: CounterOptions) -> None:
    """Print the elements of one army or two."""
    from printkit.console.documents import give
    from printkit.export.writers import PAGES
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.output.printers import PrintRequest
    from printkit.recipes.prints.file_names import (
        document_stem,
        dots_mark,
        margin_marks,
        marked,
        printing_marks,
        printing_slug,
    )
    from printkit.recipes.prints.virtual_decks import virtual_pieces
    from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
    from printkit.systems.solo.armies.army_files import in_words, read_army
    from printkit.systems.solo.sheets.counters import counter_document, counter_pieces, of_army

    if asked.figures not in _SCALES:
        scales = " and ".join(_SCALES)
        raise UsageError("--figures {figures!r}; there are {scales}", figures=asked.figures, scales=scales)
    words, formats = terminal.words(asked.lang), asked.output.deck_formats()
    order = made_of(PrintRequest, asked).printing(words, terminal.profile(asked.printer))
    npg, you = _counted_armies(asked.npg, asked.you)
    named = ((NPG, npg), *(((YOU, you),) if you is not None else ()))
    sets = [of_army(in_words(read_army(name), words.each()[0]), side) for side, name in named]
    slugs = [printing_slug(Path(army).stem) for _, army in named]
    scale = asked.figures if asked.figures != _SCALES[0] else ""
    paper = printing_marks(words, order.style, order.sheet, order.profile)
    margins = margin_marks(order.sheet, order.profile)
    name = marked("counters", *slugs, scale, *paper, *margins, *dots_mark(asked.dpi))
    if len(sheets := tuple(each for each in formats if each in PAGES)) < len(formats):
        pieces = [counter_pieces(each, order.style, words, scale=asked.figures) for each in sets]
        to = document_stem(marked("counters", *slugs, scale, *printing_marks(words, order.style)), asked.output.out)
        files = virtual_pieces(words("deployment.counters.document"), pieces, to=to, url_base=asked.url_base)
        written = write_folder(files, to.parent, force=asked.output.force)
        if not asked.quiet:
            terminal.tell(str(path) for path in written)
    if not sheets:
        return
    document = counter_document(sets, order, scale=asked.figures)
    count = sum(len(each.elements) for each in sets)
    said = [words("deployment.made.counters", count=count, pages=len(document.pages))]
    give(replace(document, dpi=asked.dpi), name, sheets, asked.output, said=said, quiet=asked.quiet)
