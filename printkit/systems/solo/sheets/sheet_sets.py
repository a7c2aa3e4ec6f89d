"""The sheets of a battle as one document (8.1, 0.7), and the pair cards of two armies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import ScenarioError, Sentence, UsageError, quote_path
from printkit.core.paths import exists
from printkit.core.words import Words
from printkit.kit import registry
from printkit.kit.system import RuleSystem
from printkit.options.commands import GameOptions
from printkit.options.play import ArmyOptions
from printkit.page.sheet import Document, Flip
from printkit.recipes.game.request import parse_settings, read_text
from printkit.recipes.game.scenarios import add_file_lines
from printkit.recipes.output.handout import rules_document
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.prints.card_jobs import CardSheets, DeckJob, build_deck_sheets
from printkit.recipes.prints.decks import SystemDeck, card_file_name
from printkit.recipes.prints.file_names import add_marks, slug
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.army_files import read_army
from printkit.systems.solo.armies.rules import SoloRules, load_solo_rules, split_mode
from printkit.systems.solo.armies.steps import Mode
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, map_of, open_battle, save
from printkit.systems.solo.battle.battles import log_path as log_of
from printkit.systems.solo.cards import pair_cards
from printkit.systems.solo.cards.pair import Pair, build_pair, read_recorded_pair
from printkit.systems.solo.cards.sheet_values import RolledValues, SheetCase
from printkit.systems.solo.sheets.battle_sheets import (
    make_army_sheet,
    make_battle_sheet,
    make_bound_log,
    make_bound_strip,
    make_secret_pages,
    read_placing,
    read_terrain,
)
from printkit.systems.solo.tactics.battle_log import COMPOSE, BattleLog
from printkit.systems.solo.tactics.battle_log import read_log as read_battle_log
from printkit.terrain.field.record import Record

SYSTEM: Final = "solo-dba"

# --- The pair cards of two armies: of a recorded game, or of armies in settings ---------------------------------------

PAIR: Final = pair_cards.PAIR


class PairDeck(NamedTuple):
    """The deck of pair cards, and the lines of the report about its armies."""

    deck: SystemDeck
    lines: tuple[str, ...]


def make_pair_deck(
    game: tuple[RuleSystem, Record] | None, settings: Sequence[str], seed: int, words: Words
) -> PairDeck:  # fmt: skip
    """Return the pair cards of a recorded game, or of the armies that settings name.

    If a setting is missing, or the NPG's list leaves choices, the seed decides, as in a game with that seed.

    Args:
        game: the rule system and the record, or None.
        settings: settings as on the command line, for example ``npg=viking``; without a game.
        seed: the seed for the armies.
        words: the words of one or several languages.

    Raises:
        UsageError: a setting is unknown, or the record is of another rule system.
        RecordError: the record has no armies.
        ScenarioError: an army is wrong, or YOUR choices are open.
    """
    system = registry.find(SYSTEM)
    if game is not None:
        if game[0].name != SYSTEM:
            raise UsageError(
                "deck {pair} belongs to {system}, but this record is of {rules}",
                pair=PAIR,
                system=SYSTEM,
                rules=game[0].name,
            )
        pair = read_recorded_pair(game[1], game[0].book)
        return PairDeck(SystemDeck(pair_cards.build_pair_deck(pair, words), game[0]), (describe_pair(pair),))
    pair, is_rolled = read_pair(system, dict(parse_settings(settings)), seed)
    seed_lines = (Sentence("Armies rolled with seed {seed}.", seed=seed),) if is_rolled else ()
    return PairDeck(SystemDeck(pair_cards.build_pair_deck(pair, words), system), (describe_pair(pair), *seed_lines))


def pair_sheets(job: DeckJob) -> CardSheets:
    """Return the pair cards of a card job.

    Raises:
        UsageError: a setting is unknown, or the record is of another rule system.
        RecordError: the record has no armies.
        ScenarioError: an army is wrong, or YOUR choices are open.
        PageError: the paper is too small, or a text does not fit its card.
    """
    seed = job.order.asked.seed if job.order.asked.seed is not None or job.game is not None else job.draw_seed()
    pair = make_pair_deck(job.game, job.order.asked.settings, seed or 0, job.order.words)
    name_seed = None if job.game is not None else seed
    name = card_file_name(job.order, job.deck, seed=name_seed)
    return build_deck_sheets(pair.deck, job, name=name, notes=pair.lines)


def read_pair(system: RuleSystem, settings: dict[str, str], seed: int) -> tuple[Pair, bool]:
    """Return the armies that settings name, and whether any dice were rolled for them.

    ``seed`` is that of the dice.

    Raises:
        UsageError: a setting or a value is unknown.
        ScenarioError: an army is wrong, or YOUR choices are open.
    """
    try:
        rules = SoloRules.of(system.book, settings)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    inputs = add_file_lines(system, rules.settings, {})
    dice = Dice(Seeded(seed))
    pair, _ = build_pair(rules, inputs, dice)
    return pair, bool(dice.log)


def describe_pair(pair: Pair) -> Sentence:
    """Return the line of a report that names both armies."""
    return Sentence("{npg_army} (NPG) against {your_army} (you)", npg_army=pair.npg.name, your_army=pair.you.name)


NAME: Final = "npg-sheets"


class SheetSet(Struct, frozen=True):
    """All sheets as one document, the lines of its report, and its file name without suffix."""

    document: Document
    lines: tuple[str, ...]
    name: str


def make_sheet_set(
    armies: ArmyOptions, game: GameOptions, context: SheetContext, *, seed: int, may_write: bool = True
) -> SheetSet:
    """Return the sheets of a battle, of two armies, or blank ones.

    Args:
        armies: its ``first`` is a battle file or the NPG's army; if it is empty, the sheets are blank.
        game: the settings, and the seed if the user gave one.
        context: the context to print with.
        seed: the user's seed, or a new one.
        may_write: whether to save the log of a battle next to its file, if its armies are rolled now.

    Raises:
        UsageError: the mode is not possible with these armies.
        ScenarioError: an army, a battle file or a setting is wrong, or there are no rolls to print.
        PageError: the paper is too small, or a name too long.
    """
    settings, mode = split_mode(parse_settings(game.settings))
    army = None
    if not armies.first:
        if mode not in (None, Mode.BLANK):
            raise UsageError("mode={mode} needs armies: printkit npg sheets NPG YOU, or a battle file", mode=mode)
        case = SheetCase(mode=Mode.BLANK, rules=load_solo_rules())
    elif not armies.you:
        order = BattleOrder(
            path=Path(armies.first),
            words=context.words,
            seed=seed,
            own_seed=game.seed is not None,
            settings=settings,
        )
        case, seed = _make_battle_case(order, mode, may_write=may_write)
    elif mode is Mode.ROLLED:
        raise UsageError(
            "mode=rolled prints the rolls of a battle, but two armies have not rolled yet; name a battle "
            "file, or use printkit handouts --rules solo-dba"
        )
    else:
        army_settings = {**settings, "npg": armies.first, "you": armies.you}
        pair, _ = read_pair(registry.find(SYSTEM), army_settings, seed)
        army = read_army(armies.first)
        secret = bool(army.find_open_slots()) or mode is Mode.BLANK
        case = SheetCase(mode=mode or Mode.RANGES, rules=pair.rules, pair=pair, secret=secret)
    document, lines = _make_document(case, context, seed, army=army)
    slugs = [slug(Path(name).stem) for name in (armies.first, armies.you) if name]
    return SheetSet(document, lines, add_marks(NAME, *slugs, f"seed{seed}", mode or ""))


def _make_battle_case(order: BattleOrder, mode: Mode | None, *, may_write: bool) -> tuple[SheetCase, int]:
    """Return the case of a battle file and its seed.

    The NPG's rolls are on separate pages. With ``may_write`` a battle that is opened for the first time is saved.

    Raises:
        ScenarioError: the mode asks for rolls, but there are none yet.
    """
    log_path = log_of(order.path)
    log = read_battle_log(read_text(log_path), str(log_path)) if exists(log_path) else BattleLog()
    if mode is Mode.ROLLED and not log.done(COMPOSE):
        raise ScenarioError(
            "{path}: this battle has no rolls yet; play its first stage: printkit npg terrain {path}",
            path=quote_path(order.path),
        )
    mode = mode or (Mode.ROLLED if log.done(COMPOSE) else Mode.RANGES)
    case = open_battle(order)
    if may_write and not log.done(COMPOSE):
        save(case.log, order.path)
    sheet = SheetCase(
        mode=mode,
        rules=case.rules,
        pair=case,
        rolls=_collect_rolls(case) if mode is Mode.ROLLED else RolledValues(),
        # The NPG's army is hidden if dice chose elements of it.
        secret=mode is not Mode.RANGES
        or any(step["dice"] and str(step["clause"]).startswith("SD-2.2") for step in case.log.stages[COMPOSE].steps),
        title=case.battle.title,
        edge=case.edge,
    )
    return sheet, order.seed if case.log.seed is None else case.log.seed


def _collect_rolls(case: BattleCase) -> RolledValues:
    """Return all rolls of a battle."""
    system_and_record = map_of(case.battle, case.log, case.order.path)
    return RolledValues(
        steps=tuple(step for stage in case.log.stages.values() for step in stage.steps),
        terrain={} if system_and_record is None else read_terrain(system_and_record[1]),
        placing={} if system_and_record is None else read_placing(system_and_record[1]),
        bounds=case.log.bounds,
        overrides=case.log.overrides,
    )


def _make_document(
    case: SheetCase, context: SheetContext, seed: int, *, army: Army | None
) -> tuple[Document, tuple[Sentence, ...]]:
    """Return the document and the lines of its report, what it has first.

    Sheets for the table come first, the pages that stay face down last. ``army`` is the NPG's list. The sheet to roll
    it by hand is left out if the list has no choices, or its dice are rolled already. ``seed`` is that of the bounds.
    """
    words = context.words
    pages = [*make_battle_sheet(case, context), *make_bound_log(case, context), *make_bound_strip(seed, case, context)]
    is_rolled = army is not None and bool(army.find_open_slots()) and case.mode is not Mode.BLANK
    if army is None if case.pair is None else army is not None and army.find_open_slots() and not is_rolled:
        pages += make_army_sheet(army, case, context)
    hidden_pages = make_secret_pages(case, context) if case.secret and case.mode is not Mode.BLANK else ()
    pages += hidden_pages
    numbered_pages = tuple(replace(page, label=f"{number} {page.label}") for number, page in enumerate(pages, 1))
    title = words("npg.sheet.title")
    document = rules_document(title, numbered_pages, SYSTEM, words, keywords=("sheets",), flip=Flip.LONG_EDGE)
    lines = [
        Sentence("{count} pages, {mode}; bounds rolled with seed {seed}", count=len(pages), mode=case.mode, seed=seed)
    ]
    if case.pair is not None:
        lines.append(describe_pair(case.pair))
    if is_rolled:
        lines.append(Sentence("NPG army rolled with seed {seed}.", seed=seed))
    if hidden_pages:
        lines.append(Sentence("The last {count} pages are for the NPG. Keep them face down.", count=len(hidden_pages)))
    return document, tuple(lines)
