"""Commands for armies: list, compose, battle sheets, deployment map, counters and table aid."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.documents import deliver_document, deliver_files
from printkit.console.prompts import build_prompter
from printkit.core.errors import Sentence, UsageError
from printkit.export.writers import DECKS, PAGES
from printkit.options.commands import GameOptions
from printkit.options.play import ArmyOptions, BattleOptions, DeploymentOptions
from printkit.options.printing import FOLDER, CardOptions, FileOptions, LanguageOptions, PrintOptions
from printkit.recipes.game.request import parse_settings, read_text
from printkit.recipes.output.files import find_style, write_folder

if TYPE_CHECKING:
    from printkit.core.words import Words

# --- Lists of armies, and the NPG's composition -----------------------------------------------------------------------


def use_sample_names(armies: ArmyOptions) -> ArmyOptions:
    """Return the armies of a command with the names of samples for other words, each with a notice on the terminal."""
    from msgspec.structs import asdict, replace

    from printkit.systems.solo.armies.army_files import meant_sample

    typed_texts = {name: text for name, text in asdict(armies).items() if name != "choose_for_you" and text}
    sample_names = {name: meant_sample(text) for name, text in typed_texts.items()}
    changed_names = {name: sample for name, sample in sample_names.items() if sample != typed_texts[name]}
    terminal.tell(
        Sentence("taking {typed} as {meant}", typed=typed_texts[name], meant=sample)
        for name, sample in changed_names.items()
    )
    return replace(armies, **changed_names)


def list_armies(armies: ArmyOptions, language: LanguageOptions) -> None:
    """List the sample armies on the terminal, or show one; a word that several names contain lists these."""
    armies = use_sample_names(armies)
    from printkit.systems.solo.armies.army_files import in_words, matching_samples, read_army, samples
    from printkit.systems.solo.armies.composition_text import army_lines, listing_lines
    from printkit.systems.solo.battle.composing_job import in_turn

    words = terminal.words(language.lang)
    matching = [] if armies.army is None else matching_samples(armies.army)
    if armies.army is None:
        chosen_armies = samples()
    else:
        chosen_armies = tuple(map(read_army, matching)) if len(matching) > 1 else (read_army(armies.army),)

    def make_lines(translation: Words) -> Iterator[str]:
        """Return the lines of the list, or of the one army, in one language."""
        translated_armies = [in_words(army, translation) for army in chosen_armies]
        return (
            listing_lines(translated_armies, translation, armies.army or "")
            if len(chosen_armies) > 1
            else army_lines(translated_armies[0], translation)
        )

    terminal.show(in_turn(words, make_lines))


def compose_army(armies: ArmyOptions, game: GameOptions, options: PrintOptions, files: FileOptions) -> None:
    """Roll for the NPG's army, and show each step on the terminal.

    With ``--out`` it also saves the result. Without a seed of the user a new one is taken and shown.
    """
    armies = use_sample_names(armies)
    from printkit.console.games import refuse_ask_and_dice
    from printkit.systems.solo.battle.composing_job import compose_job, write_job

    words = terminal.words(options.lang)
    refuse_ask_and_dice(game)
    seed = terminal.fresh_seed() if game.seed is None else game.seed
    person = build_prompter() if game.ask else None
    job = compose_job(armies, game, words, seed=seed, person=person, every=files.verbose)
    path = write_job(job, Path(files.out), force=options.force) if files.out else None
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


def print_sheets(armies: ArmyOptions, game: GameOptions, options: PrintOptions, files: FileOptions) -> None:
    """Print the battle sheet, the bound log and the pre-rolled bounds."""
    armies = use_sample_names(armies)
    from printkit.page.printer import apply_profile
    from printkit.recipes.output.printers import PrintContext, sheet_for
    from printkit.recipes.prints.file_names import LARGE, add_marks, printing_marks
    from printkit.systems.solo.sheets.paper import MARGIN_MM
    from printkit.systems.solo.sheets.sheet_sets import make_sheet_set

    formats = files.formats(PAGES, is_single=True)
    words, profile = terminal.words(options.lang), terminal.profile(files.printer)
    paper = sheet_for(options.sheet, margin=MARGIN_MM, default=MARGIN_MM, profile=profile, backs=True)
    seed = terminal.fresh_seed() if game.seed is None else game.seed
    style = find_style(options.style, words.code, large_print=options.large_print)
    context = PrintContext(asked=options, sheet=paper, style=style, words=words)
    printed_sheets = make_sheet_set(armies, game, context, seed=seed, may_write=not files.plan)
    document = apply_profile(printed_sheets.document, profile).document
    large_mark = LARGE if options.large_print else ""
    name = add_marks(printed_sheets.name, *printing_marks(words, None, paper, profile), large_mark)
    detail, *notes = printed_sheets.lines
    deliver_document(document, name, formats, files, force=options.force, detail=detail, notes=notes, seed=seed)


# --- Drawn armies: the deployment of a battle on its map, and counters to cut out -------------------------------------


def print_deployment_map(
    battle: BattleOptions, game: GameOptions, options: DeploymentOptions, files: FileOptions
) -> None:
    """Print the map of a battle with both armies on it, and their counters.

    Raises:
        UsageError: the scale is "fit".
    """
    from printkit.options.printing import validate_parts
    from printkit.recipes.prints.maps import SHOWN, map_context, parse_scale
    from printkit.systems.solo.battle.battles import BattleOrder
    from printkit.systems.solo.sheets.deployment_maps import PARTS, describe_files, make_deployment_files

    words, path = terminal.words(options.lang), Path(battle.file)
    if parse_scale(options.scale) is None:
        raise UsageError(
            "--scale fit is the overview, which is always printed. Choose a scale, for example 1:1 or 1:2."
        )
    check_folder(files)
    hidden_parts = validate_parts(options.hide, (*SHOWN, *PARTS))
    context = map_context(
        replace(options, hide=sorted(hidden_parts - {*PARTS})), words, terminal.profile(files.printer)
    )
    # The log has the deployment and both armies, so nothing is rolled.
    battle_order = BattleOrder(path=path, words=words, seed=0, settings=parse_settings(game.settings))
    terminal.stage(Sentence("drawing the sheets"))
    deployment = make_deployment_files(battle_order, context, counters=hidden_parts.isdisjoint(PARTS))
    folder = files.place if files.out else FOLDER / f"{path.stem}-deployment"
    paths = write_folder(deployment.files, folder, force=options.force or not files.out)
    if not files.quiet:
        terminal.tell(describe_files(deployment, paths, words))


def check_folder(files: FileOptions) -> None:
    """Check that ``--out`` is a folder, because several files are written.

    Raises:
        UsageError: it is a PDF file or standard output.
    """
    if files.streams or files.place.suffix.lower() == ".pdf":
        raise UsageError("--out {out} must be a folder, because several files are written", out=files.out)


def _find_armies(npg: str, you: str | None) -> tuple[str, str | None]:
    """Return the given armies, NPG first, or both armies of a battle if ``npg`` is a battle file.

    They are names, paths or lists on one line. Without a second army, return None for it. ``you`` is the second army.

    Raises:
        UsageError: a second army is given with a battle file.
        ScenarioError: the battle file is wrong.
    """
    from printkit.core.paths import is_file
    from printkit.systems.solo.armies.force import Side
    from printkit.systems.solo.battle.battles import army_place
    from printkit.systems.solo.tactics.battle_file import is_battle, read_battle

    path = Path(npg)
    if not is_file(path) or not is_battle(text := read_text(path)):
        return npg, you
    if you is not None:
        raise UsageError("{path} is a battle that already names both armies; remove {army}", path=path, army=you)
    battle = read_battle(text, str(path))
    return army_place(battle, Side.NPG, path), army_place(battle, Side.YOU, path)


def print_counters(armies: ArmyOptions, options: CardOptions, game: GameOptions, files: FileOptions) -> None:
    """Print the counters of one or two armies."""
    armies = use_sample_names(armies)
    from printkit.recipes.output.printers import print_context
    from printkit.recipes.prints.file_names import (
        add_marks,
        document_stem,
        printing_marks,
        slug,
    )
    from printkit.recipes.prints.virtual_decks import virtual_pieces
    from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
    from printkit.systems.solo.armies.army_files import in_words, read_army
    from printkit.systems.solo.armies.rules import load_rules_from_options
    from printkit.systems.solo.sheets.counters import draw_counter_pieces, make_army_counters, make_counter_document
    from printkit.systems.solo.tactics.battle_file import SCALES

    scale = load_rules_from_options(parse_settings(game.settings)).choice("scale")
    terminal.stage(Sentence("drawing the sheets"))
    words, formats = terminal.words(options.lang), files.formats(PAGES, DECKS, is_single=True)
    context = print_context(options, words, terminal.profile(files.printer))
    npg, you = _find_armies(armies.first, armies.you or None)
    named_armies = ((NPG, npg), *(((YOU, you),) if you is not None else ()))
    sets = [make_army_counters(in_words(read_army(name), words.each()[0]), side) for side, name in named_armies]
    marks = (*(slug(Path(army).stem) for _, army in named_armies), scale if scale != SCALES[0] else "")
    paper = printing_marks(words, context.style, context.sheet, context.profile)
    name = add_marks("counters", *marks, *paper)
    if len(page_formats := tuple(item for item in formats if item in PAGES)) < len(formats):
        pieces = [draw_counter_pieces(item, context.style, words, scale=scale) for item in sets]
        target = document_stem(add_marks("counters", *marks, *printing_marks(words, context.style)), files.place)
        contents = virtual_pieces(words("deployment.counters.document"), pieces, target=target, url_base=files.url_base)
        title = words("deployment.counters.document")
        deliver_files(contents, target.parent, files, title=title, force=options.force)
    if not page_formats:
        return
    document = make_counter_document(sets, context, scale=scale)
    count = sum(len(item.elements) for item in sets)
    detail = words("deployment.made.counters", count=count)
    deliver_document(replace(document, dpi=options.dpi), name, page_formats, files, force=options.force, detail=detail)


def write_aid(armies: ArmyOptions, game: GameOptions, options: PrintOptions, files: FileOptions) -> None:
    """Write the table aid of a battle or of two armies: one HTML page for a phone, or to standard output."""
    armies = use_sample_names(armies)
    from printkit.systems.solo.sheets.aid_pages import make_aid_page

    seed = terminal.fresh_seed() if game.seed is None else game.seed
    words = terminal.words(options.lang)
    style = find_style(options.style, words.code, large_print=options.large_print)
    page = make_aid_page(armies, game, words, style, seed=seed)
    if files.streams:
        terminal.write(page.text.encode())
        return
    target = files.place if files.place.suffix == ".html" else files.place / page.name
    paths = write_folder({target.name: page.text}, target.parent, force=options.force or not files.out)
    if not files.quiet:
        terminal.tell([*page.lines, *(f"  {path}" for path in paths)])
