"""Commands for armies: list, compose, battle sheets, deployment map, counters and table aid."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from printkit.console import terminal
from printkit.core.errors import ScenarioError, UsageError
from printkit.options.commands import GameOptions
from printkit.options.play import ArmyOptions, BattleOptions, DeploymentOptions
from printkit.options.printing import FOLDER, CardOptions, FileOptions, LanguageOptions, PrintOptions

if TYPE_CHECKING:
    from printkit.core.words import Words

# --- Lists of armies, and the NPG's composition -----------------------------------------------------------------------


def list_armies(asked: ArmyOptions, spoken: LanguageOptions) -> None:
    """List the sample armies, or show one."""
    from printkit.systems.solo.armies.army_files import in_words, read_army, samples
    from printkit.systems.solo.armies.composition_text import army_lines, listing_lines
    from printkit.systems.solo.battle.composing_job import in_turn

    words = terminal.words(spoken.lang)
    found = samples() if asked.army is None else (read_army(asked.army),)

    def tell(one: Words) -> Iterator[str]:
        told = [in_words(army, one) for army in found]
        return listing_lines(told, one) if asked.army is None else army_lines(told[0], one)

    terminal.show(in_turn(words, tell))


def compose_army(armies: ArmyOptions, game: GameOptions, asked: PrintOptions, files: FileOptions) -> None:
    """Roll for the NPG's army, and show each step."""
    from printkit.console.games import refuse_ask_and_dice
    from printkit.systems.solo.battle.composing_job import compose_job, write_job

    words = terminal.words(asked.lang)
    refuse_ask_and_dice(game)
    seed = terminal.fresh_seed() if game.seed is None else game.seed
    person = terminal.build_prompter() if game.ask else None
    job = compose_job(armies, game, words, seed=seed, person=person, every=files.verbose)
    path = write_job(job, Path(files.out), force=asked.force) if files.out else None
    terminal.show(job.lines)
    if files.verbose:
        from printkit.chance.dice import write_log

        terminal.tell(write_log(job.log).splitlines())
    if files.quiet:
        return
    if job.seed is not None:
        terminal.tell([words("npg.army.seed", seed=job.seed)])
    if job.unused:
        terminal.tell([words("npg.army.unused", count=job.unused)])
    if path is not None:
        terminal.tell([str(path)])


# --- The sheets of a battle: battle sheet, bound log, bounds rolled before the game -----------------------------------


def print_sheets(armies: ArmyOptions, game: GameOptions, asked: PrintOptions, files: FileOptions) -> None:
    """Print the battle sheet, the bound log and the pre-rolled bounds."""
    from printkit.console.documents import deliver_document
    from printkit.export.writers import PAGES
    from printkit.page.printer import apply_profile
    from printkit.recipes.output.files import find_style
    from printkit.recipes.output.printers import PrintContext, sheet_for
    from printkit.recipes.prints.file_names import LARGE, add_marks, printing_marks
    from printkit.systems.solo.sheets.paper import MARGIN
    from printkit.systems.solo.sheets.sheet_sets import sheet_set

    formats = files.formats(PAGES, is_single=True)
    words, profile = terminal.words(asked.lang), terminal.profile(files.printer)
    paper = sheet_for(asked.sheet, margin=MARGIN, default=MARGIN, profile=profile, backs=True)
    seed = terminal.fresh_seed() if game.seed is None else game.seed
    style = find_style(asked.style, words.code, large_print=asked.large_print)
    sheets = PrintContext(asked=asked, sheet=paper, style=style, words=words)
    made = sheet_set(armies, game, sheets, seed=seed, writes=not files.plan)
    document = apply_profile(made.document, profile).document
    large = LARGE if asked.large_print else ""
    name = add_marks(made.name, *printing_marks(words, None, asked.sheet, profile), large)
    deliver_document(document, name, formats, files, force=asked.force, notices=made.lines)


# --- Drawn armies: the deployment of a battle on its map, and counters to cut out -------------------------------------


def print_deployment_map(
    battle: BattleOptions, game: GameOptions, asked: DeploymentOptions, files: FileOptions
) -> None:
    """Print the map of a battle with both armies on it, and their counters."""
    from printkit.options.printing import validate_parts
    from printkit.recipes.game.request import parse_settings
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.map_scale import parse_scale
    from printkit.recipes.prints.maps import SHOWN, map_context
    from printkit.systems.solo.battle.battles import BattleOrder
    from printkit.systems.solo.sheets.deployment_maps import PARTS, deployment_files, made_lines

    words, path = terminal.words(asked.lang), Path(battle.file)
    if parse_scale(asked.scale) is None:
        raise UsageError(
            "--scale fit is the overview, which is always printed. Choose a scale, for example 1:1 or 1:2."
        )
    refuse_file(files)
    hide = validate_parts(asked.hide, (*SHOWN, *PARTS))
    order = map_context(replace(asked, hide=sorted(hide - {*PARTS})), words, terminal.profile(files.printer))
    # The log has the deployment and both armies, so nothing is rolled.
    wanted = BattleOrder(path=path, words=words, seed=0, settings=parse_settings(game.settings))
    made = deployment_files(wanted, order, counters=hide.isdisjoint(PARTS))
    folder = files.place if files.out else FOLDER / f"{path.stem}-deployment"
    written = write_folder(made.files, folder, force=asked.force)
    if not files.quiet:
        terminal.tell(made_lines(made, written, words))


def refuse_file(files: FileOptions) -> None:
    """Check that ``--out`` is a folder, because several files are written.

    Raises:
        UsageError: it is a PDF file or standard output.
    """
    if files.streams or files.place.suffix.lower() == ".pdf":
        raise UsageError("--out {out} must be a folder, because several files are written", out=files.out)


def _counted_armies(npg: str, you: str | None) -> tuple[str, str | None]:
    """Return the given armies, or both armies of a battle if the first argument is a battle file.

    Raises:
        UsageError: a second army is given with a battle file.
        ScenarioError: the battle file is wrong.
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
        raise UsageError("{path} is a battle that already names both armies; remove {army}", path=path, army=you)
    try:
        battle = read_battle(text)
    except ScenarioError as error:
        raise ScenarioError("{path}: {error}", path=path, error=error) from None
    return army_place(battle, Side.NPG, path), army_place(battle, Side.YOU, path)


def print_counters(armies: ArmyOptions, asked: CardOptions, game: GameOptions, files: FileOptions) -> None:
    """Print the counters of one or two armies."""
    from printkit.console.documents import deliver_document, deliver_files
    from printkit.export.writers import DECKS, PAGES
    from printkit.recipes.game.request import parse_settings
    from printkit.recipes.output.printers import print_context
    from printkit.recipes.prints.file_names import (
        add_marks,
        document_stem,
        dots_mark,
        margin_marks,
        printing_marks,
        printing_slug,
    )
    from printkit.recipes.prints.virtual_decks import virtual_pieces
    from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
    from printkit.systems.solo.armies.army_files import in_words, read_army
    from printkit.systems.solo.armies.rules import load_rules_from_options
    from printkit.systems.solo.sheets.counters import counter_document, counter_pieces, of_army
    from printkit.systems.solo.tactics.battle_file import SCALES

    scale = load_rules_from_options(parse_settings(game.settings)).choice("scale")
    words, formats = terminal.words(asked.lang), files.formats(PAGES, DECKS, is_single=True)
    order = print_context(asked, words, terminal.profile(files.printer))
    npg, you = _counted_armies(armies.first, armies.you or None)
    named = ((NPG, npg), *(((YOU, you),) if you is not None else ()))
    sets = [of_army(in_words(read_army(name), words.each()[0]), side) for side, name in named]
    marks = (*(printing_slug(Path(army).stem) for _, army in named), scale if scale != SCALES[0] else "")
    paper = printing_marks(words, order.style, order.sheet, order.profile)
    name = add_marks("counters", *marks, *paper, *margin_marks(order.sheet, order.profile), *dots_mark(asked.dpi))
    if len(sheets := tuple(each for each in formats if each in PAGES)) < len(formats):
        pieces = [counter_pieces(each, order.style, words, scale=scale) for each in sets]
        to = document_stem(add_marks("counters", *marks, *printing_marks(words, order.style)), files.place)
        contents = virtual_pieces(words("deployment.counters.document"), pieces, target=to, url_base=files.url_base)
        deliver_files(contents, to.parent, files, force=asked.force)
    if not sheets:
        return
    document = counter_document(sets, order, scale=scale)
    count = sum(len(each.elements) for each in sets)
    said = [words("deployment.made.counters", count=count, pages=len(document.pages))]
    deliver_document(replace(document, dpi=asked.dpi), name, sheets, files, force=asked.force, notices=said)


def write_aid(armies: ArmyOptions, game: GameOptions, asked: PrintOptions, files: FileOptions) -> None:
    """Write the table aid of a battle or of two armies: one page for a phone."""
    from printkit.recipes.output.files import find_style, write_folder
    from printkit.systems.solo.sheets.aid_pages import aid_page

    seed = terminal.fresh_seed() if game.seed is None else game.seed
    words = terminal.words(asked.lang)
    style = find_style(asked.style, words.code, large_print=asked.large_print)
    page = aid_page(armies, game, words, style, seed=seed)
    if files.streams:
        terminal.write(page.text.encode())
        return
    place = files.place if files.place.suffix == ".html" else files.place / page.name
    written = write_folder({place.name: page.text}, place.parent, force=asked.force)
    if not files.quiet:
        terminal.tell([*page.lines, *(f"  {path}" for path in written)])
