"""The rule system: geography, water, zones, joining of zones, and placement of the ground."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.countryside import Countryside
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import ShapeRules
from printkit.kit.system import Outcome, RollClauses, Scenario, Verdict
from printkit.systems.acw.dicing.dicing import Terms, dice_zones, list_open_rolls
from printkit.systems.acw.dicing.geography import BattleLocation, determine_location, find_known_location
from printkit.systems.acw.dicing.water import determine_water, list_open_water
from printkit.systems.acw.ground.ground import lay
from printkit.systems.acw.network.joining import build_network
from printkit.systems.acw.network.network import GroundPlan
from printkit.systems.acw.network.recorded_network import record_facts
from printkit.systems.acw.terms.facts import explain_features
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.plan import ZonePlan, zone_grid
from printkit.systems.acw.terms.profile import PieceProfile, parse_profile_file
from printkit.systems.acw.terms.tables import Tables, choice_list
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

NAME: Final = "acw"

# Decimals of a board length in the record.
_DECIMALS: Final = 6

# Number of titles for each geography.
_TITLE_COUNT: Final = 3


class Acw:
    """American Civil War terrain by State and local geography."""

    name: str = NAME
    stages: tuple[str, ...] = ("geography", "water", "zones", "joining", "ground")

    @cached_property
    def book(self) -> RuleBook:
        """Return the rule book."""
        return read_book(NAME)

    def board(
        self,
        width: float | None = None,
        depth: float | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        cell: float | None = None,
    ) -> Board:
        """Return the table of 72 by 48 inches, or one of another size (AC-202).

        The rule text does not have a ground scale; paces and base widths of the result are those of the rule book.

        Args:
            width: the width in mm at 1:1; by default 72 inches.
            depth: the depth in mm at 1:1; by default the same as a given width, otherwise 48 inches.
            settings: not used.
            cell: must not be given.

        Raises:
            UsageError: a side is too short or too long (AC-X11), or ``cell`` is given.
        """
        del settings
        if cell is not None:
            raise UsageError(
                "{name} divides its table into zones of at most 24 in; give the size with --board, not --cell",
                name=NAME,
            )
        numbers = self.book.numbers
        sides = [
            round(numbers[name] * MM_PER_INCH, _DECIMALS) if side is None else side
            for side, name in ((width, "table_width"), (depth if depth is not None else width, "table_depth"))
        ]
        for side in sides:
            inches = side / MM_PER_INCH
            if not numbers["side_min"] - 1e-6 <= inches <= numbers["side_max"] + 1e-6:
                raise UsageError(
                    "a side of {inches:g} in is too short or too long for a table; use {side_min:g} to {side_max:g} in",
                    inches=inches,
                    side_min=numbers["side_min"],
                    side_max=numbers["side_max"],
                    clause="AC-X11",
                )
        pace = round(MM_PER_INCH / numbers["paces_per_inch"], _DECIMALS)
        return Board(sides[0], sides[1], GroundScale(pace=pace, base_width=numbers["base_width_mm"]))

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Roll the zones, join them and return the battlefield.

        Raises:
            ScenarioError: a setting, a fact of the campaign or a decision is wrong (AC-X01, AC-X05..AC-X10).
            DiceError: a die is missing or not valid (AC-X02, AC-X04).
        """
        rules = Rules.of(self.book, scenario.settings, board=scenario.board)
        grid = zone_grid(rules)
        inputs = Inputs.read(scenario.inputs, grid)
        profile = PieceProfile.from_rules(rules, inputs.profile)
        tables = Tables.from_rules(rules)
        location = determine_location(tables, inputs, rules, dice.at("geography"))
        waters = determine_water(grid, location.geography, inputs, dice.at("water"), rules=rules)
        zone_rolls = dice_zones(_build_terms(rules, grid, inputs, location), dice.at("zones"))
        network = build_network(grid, zone_rolls.log, rules, water=waters.edge, creek=waters.creek)
        name = location.geography.name
        ground_plan = GroundPlan(grid=grid, log=zone_rolls.log, water=waters.edge, network=network, geography=name)
        ground = lay(ground_plan, scenario.board, profile, rules=rules, jitter=jitter)
        unused_count = zone_rolls.unused_decisions
        unused = Sentence("{left} of your decisions were not needed (AC-X03)", left=unused_count)
        title = 1 + jitter.stream("geography/board/title").draw_index(_TITLE_COUNT)
        field = Battlefield(
            board=scenario.board,
            features=ground.features,
            # The zones of the table plan (AC-201, AC-203).
            overlays=tuple(Overlay(kind="zone", shape=grid.box(zone).shape, label=str(zone)) for zone in grid.zones),
            title=f"acw.title.{name}.{title}",
        )
        return Outcome(
            battlefield=field,
            log=tuple(dice.log),
            details=record_facts(ground_plan, location, ground.left_out),
            warnings=(*ground.notes, *([unused] if unused_count else ())),
        )

    def file_lists(self, text: str, place: str) -> Mapping[str, tuple[str, ...]]:
        """Return the scenario lists from the text of a file that a setting names: a profile (AC-Q23).

        ``place`` is the name of the file, for messages.

        Raises:
            ScenarioError: the file cannot be read; the message names the file and the key.
        """
        return {"profile": parse_profile_file(text, place, Rules.of(self.book))}

    def dry_run(self, scenario: Scenario) -> tuple[str, ...]:
        """Return lines for all rolls that are still needed, given the recorded ones (AC-M2): geography, water, zones.

        No die is rolled. Without a known geography it cannot list the rolls of zones.

        Raises:
            ScenarioError: a setting or a list is wrong.
        """
        rules = Rules.of(self.book, scenario.settings, board=scenario.board)
        grid = zone_grid(rules)
        inputs = Inputs.read(scenario.inputs, grid)
        PieceProfile.from_rules(rules, inputs.profile)
        tables = Tables.from_rules(rules)
        location = find_known_location(tables, inputs, rules)
        if isinstance(location, str):
            return (location, Sentence("zones: to be rolled when the geography is known"))
        terms = _build_terms(rules, grid, inputs, location)
        zones = tuple(_roll_line(zone, rolls) for zone, rolls in list_open_rolls(terms).items())
        return (f"geography: {location.geography.name}", *list_open_water(location.geography, inputs, rules), *zones)

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return sentences about each feature, by its ID: its zone, dice and clauses.

        Features without these facts in the record are left out.
        """
        return explain_features(record, Rules.of_record(self.book, record), words)

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the deck of die tables as cards, for the settings of a game (AC-A02).

        The settings are those of ``record``, otherwise ``settings``; missing ones have their defaults.
        """
        from printkit.systems.acw.terms.decks import decks

        rules = Rules.of(self.book, settings or {}) if record is None else Rules.of_record(self.book, record)
        return decks(rules, words)

    def goings(self) -> Mapping[str, str]:
        """Return the name of the going of each symbol by the name of the symbol, from the default profile (AC-Q23)."""
        return self.book.goings_by_sign()

    def countryside(self, record: Record) -> Countryside:
        """Return the style of landscape for the American States."""
        del record
        return Countryside.AMERICAN

    def shape_rules(self) -> ShapeRules:
        """Return the rules of shapes by heading."""
        from printkit.systems.acw.ground.course_rules import COURSE_RULES, MARK_RULES, SIDE_RULES
        from printkit.systems.acw.judge.shapes import PIECE_RULES

        headings = (
            *(Sentence("Roads, railroads and streams"), Sentence("Roads and railroads")),
            *(Sentence("Roads"), Sentence("Railroads"), Sentence("Streams and creeks")),
        )
        return {
            **dict(zip(headings, COURSE_RULES.values(), strict=True)),
            Sentence("Sides between zones"): SIDE_RULES,
            Sentence("Fords, bridges and level crossings"): MARK_RULES,
            Sentence("Hills, woods and works"): tuple(PIECE_RULES.values()),
        }

    def roll_clauses(self) -> RollClauses:
        """Return the clauses that a replay of the log proves."""
        from printkit.systems.acw.judge.judge import ROLL_CLAUSES

        return ROLL_CLAUSES

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the rule book, in the order of the book."""
        from printkit.systems.acw.judge.judge import judge

        return judge(record, self.book)


def _build_terms(rules: Rules, grid: ZonePlan, inputs: Inputs, location: BattleLocation) -> Terms:
    """Return the input for rolling the zones."""
    return Terms(
        grid=grid,
        geography=location.geography,
        options=choice_list(location.geography, rules),
        rules=rules,
        inputs=inputs,
    )


def _roll_line(zone: int, rolls: tuple[int, ...]) -> str:
    """Return the line for a zone that lists its open rolls."""
    if not rolls:
        return Sentence("zone {zone}: no more rolls", zone=zone)
    if len(rolls) == 1:
        return Sentence("zone {zone}: roll {roll}", zone=zone, roll=rolls[0])
    return Sentence("zone {zone}: rolls {rolls}", zone=zone, rolls=", ".join(map(str, rolls)))
