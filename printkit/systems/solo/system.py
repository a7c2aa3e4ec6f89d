"""The Solo DBA rule system: both armies, the attacker, and the terrain of the defender's home.

Stages: ``armies`` (which armies, and YOUR options), ``army`` and ``general`` (the NPG's composition), ``attacker``,
``selection``, ``placement``. Each stage rolls separate dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.countryside import Countryside
from printkit.kit.shape_rules import ShapeRules
from printkit.kit.system import Outcome, RollClauses, Scenario, Verdict, find_square_side
from printkit.systems.dba.armies.list_notation import is_notation
from printkit.systems.dba.ground.home_countryside import find_home_countryside, find_home_names
from printkit.systems.solo.armies.army_files import sample_names
from printkit.systems.solo.armies.composing import STAGES as COMPOSING
from printkit.systems.solo.armies.composing import Attack, ComposedArmy, compose_army, roll_for_attack
from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.game_armies import (
    ATTACKER,
    COMPOSITION,
    Armies,
    army_facts,
    attack_facts,
    choose_armies,
    composition_facts,
    file_lines,
)
from printkit.systems.solo.armies.game_armies import STAGE as ARMIES
from printkit.systems.solo.armies.rules import SoloRules, load_solo_rules
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.systems.solo.terrain.placing import PlacementOutcome, place_terrain, terrain_facts
from printkit.systems.solo.terrain.read_record import explain_features, format_armies
from printkit.systems.solo.terrain.selection import Selection, select_terrain
from printkit.systems.solo.terrain.topography import SelectionCase
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

NAME: Final = "solo-dba"
SELECTION: Final = "selection"
PLACEMENT: Final = "placement"

_ARMY_SETTINGS: Final = ("npg", "you")
# A path, or an army on one line.
_ARMY_PATTERN: Final = r".+\.toml|.*[/\\].*|.*\d.*,.*"

_NPG_ONLY: Final = "npg"
# Decimal places of board lengths in mm, as in the record.
_DECIMALS: Final = 6
# Number of titles for each home topography.
_TITLE_COUNT: Final = 3


class SoloDba:
    """The rule system Solo DBA: a non-player general for DBA 2.2; either side may be the defender."""

    name: str = NAME
    stages: tuple[str, ...] = (ARMIES, *COMPOSING, SELECTION, PLACEMENT)

    @cached_property
    def book(self) -> RuleBook:
        """Return the rule book. Its army settings also accept sample armies, a path, or an army on one line."""
        book = read_book(NAME)
        settings = (
            replace(setting, values=(*setting.values, *sample_names()), pattern=_ARMY_PATTERN)
            if setting.key in _ARMY_SETTINGS
            else setting
            for setting in book.settings
        )
        return replace(book, settings=tuple(settings))

    def board(
        self,
        width: float | None = None,
        depth: float | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        cell: float | None = None,
    ) -> Board:
        """Return the square board: 24 inches, 36 for 25 mm figures, or the given side (F-18, AMB-19).

        Paces and base widths depend on the scale of the figures, not on the size of the board. ``width`` and ``depth``
        are in mm on the board; ``cell`` must be None.

        Raises:
            UsageError: the requested board is not square, is too small, or has cells.
        """
        scale = self.book.settle(settings or {})["scale"]
        numbers = self.book.numbers
        pace = round(numbers[f"inches_per_100_paces_{scale}"] * MM_PER_INCH / 100, _DECIMALS)
        default_mm = round(numbers[f"board_in_{scale}"] * MM_PER_INCH, _DECIMALS)
        side_mm = find_square_side(NAME, default_mm, width, depth, cell, examples="24in or 36in")
        least_mm = numbers["board_p_min"] * pace
        if side_mm < least_mm - 1e-6:
            raise UsageError(
                "a board of {side:g} mm is too small: two corners of 900 paces need {least:g} mm for {scale} figures",
                side=side_mm,
                least=least_mm,
                scale=scale,
            )
        return Board(side_mm, side_mm, GroundScale(pace=pace, base_width=numbers[f"base_width_mm_{scale}"]))

    def names_file(self, text: str) -> bool:
        """Return whether a value of ``npg`` or ``you`` is a name or path rather than an army on one line."""
        return not is_notation(text)

    def file_lists(self, text: str, place: str) -> Mapping[str, tuple[str, ...]]:
        """Return the lines of the army file that ``npg`` or ``you`` names, for the record.

        ``text`` is the contents of the file, and ``place`` its path. The only key is the name of the list; its first
        line is a mark with the path.
        """
        return file_lines(text, place)

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return the battlefield of a battle between two armies.

        Raises:
            ScenarioError: a setting or an army is wrong, or YOUR options are still open (SD-2.1-a).
            ResourceError: there is no such army.
            DiceError: a die has an impossible score, or the dice run out.
        """
        rules = SoloRules.of(self.book, scenario.settings, board=scenario.board)
        armies = choose_armies(rules, scenario.inputs, dice.at(ARMIES))
        built_armies = compose_army(armies.npg, armies.you, dice, rules)
        attack = self._find_attack(armies, scenario, dice)
        forces = {Side.NPG: built_armies.force, Side.YOU: built_armies.you}
        case = SelectionCase.from_armies(forces[attack.defender], forces[attack.attacker], rules)
        selection, placement = self._place_terrain(case, attack, dice, jitter)
        composition = composition_facts(built_armies)
        title_number = 1 + jitter.stream(f"{SELECTION}/board/title").draw_index(_TITLE_COUNT)
        field = Battlefield(
            board=scenario.board,
            features=placement.features if placement else (),
            title=f"solo-dba.title.{case.home.value}.{title_number}",
        )
        own_terrain = Sentence(
            "YOU defend with home topography {home} and place its terrain yourself (AMB-10)", home=case.home.value
        )
        return Outcome(
            battlefield=field,
            log=tuple(dice.log),
            details={
                "armies": army_facts(armies, built_armies),
                "attack": attack_facts(attack),
                "terrain": terrain_facts(case.home, selection, placement),
                COMPOSITION: composition,
            },
            secrets={COMPOSITION: composition},
            warnings=(
                *_describe_attack(built_armies, attack),
                *(placement.warnings if placement else (own_terrain,)),
            ),
        )

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the rule book, in the order of the book."""
        from printkit.systems.solo.judge.judge import judge

        return judge(record, self.book)

    def shape_rules(self) -> ShapeRules:
        """Return the rules of shapes by heading."""
        from printkit.systems.solo.terrain.terrain_rules import list_shape_rules

        return list_shape_rules()

    def roll_clauses(self) -> RollClauses:
        """Return the clauses that a replay of the log proves."""
        from printkit.systems.solo.judge.judge import ROLL_CLAUSES

        return ROLL_CLAUSES

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return the sentences about each feature, by its ID: its dice and its clauses.

        Features without these facts in the record are left out.
        """
        return explain_features(record, words)

    def subtitle(self, record: Record, words: Words) -> str:
        """Return both armies and the attacker as a subtitle. It names nothing that is hidden from YOU."""
        return format_armies(record, words)

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the reference cards, and the bound deck shuffled by the game's seed (8.4, 8.5).

        The seed is 0 without a record.
        """
        from printkit.systems.solo.cards.decks import decks

        rules = load_solo_rules(settings or {}) if record is None else SoloRules.of_record(self.book, record)
        return decks(words, rules, seed=(record.seed or 0) if record is not None else 0)

    def goings(self) -> Mapping[str, str]:
        """Return the name of the going of each map symbol, by the name of the symbol."""
        return self.book.goings_by_sign()

    def countryside(self, record: Record) -> Countryside:
        """Return the countryside of the home topography where a battle is fought."""
        return find_home_countryside(record)

    def home_names(self, details: Mapping[str, Any]) -> str:
        """Return the period of the place names for the home topography where a battle is fought."""
        return find_home_names(self.book, details)

    def _find_attack(self, armies: Armies, scenario: Scenario, dice: Dice) -> Attack:
        """Return who attacks: as the battle file says, or by dice (SD-2.3-a).

        Raises:
            ScenarioError: the file names neither side as attacker.
        """
        npg, you = armies.npg.aggression, armies.you.aggression
        attacker = scenario.inputs.get(ATTACKER)
        if attacker is None:
            return roll_for_attack(npg, you, dice)
        if attacker not in list(Side):
            raise ScenarioError("attacker = {given!r} is not valid; write npg or you", given=attacker)
        return Attack(attacker=Side(str(attacker)), rounds=(), npg=npg, you=you)

    def _place_terrain(
        self, case: SelectionCase, attack: Attack, dice: Dice, jitter: Jitter
    ) -> tuple[Selection | None, PlacementOutcome | None]:
        """Select and place the terrain. Return None twice if YOU defend and place it (SD-3-a, AMB-10)."""
        if attack.defender is Side.YOU and case.rules.choice("solo_terrain") == _NPG_ONLY:
            return None, None
        selection = select_terrain(case, dice.at(SELECTION))
        return selection, place_terrain(
            selection.picks, PlacementTerms.from_rules(case.rules), dice.at(PLACEMENT), jitter
        )


def _describe_attack(built_armies: ComposedArmy, attack: Attack) -> tuple[str, ...]:
    """Return one line that names both armies and the attacker, without the NPG's elements."""
    npg, you = built_armies.force.name, built_armies.you.name
    if attack.attacker is Side.NPG:
        return (Sentence("The NPG attacks with {npg_army}; YOU defend with {your_army}", npg_army=npg, your_army=you),)
    return (Sentence("YOU attack with {your_army}; the NPG defends with {npg_army}", your_army=you, npg_army=npg),)
