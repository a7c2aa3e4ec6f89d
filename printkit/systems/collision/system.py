"""The rule system: a board of DBA 3 with clear edges, so that armies can march on in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import ScenarioError, Sentence
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.provenance import clause_of_value
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import ShapeRules
from printkit.kit.system import Outcome, RollClauses, Scenario, Verdict
from printkit.systems.collision.march.columns import Army, Role, read_troops
from printkit.systems.collision.march.ground import build_overlays, keep_out_of, landing_overlays, landing_sides
from printkit.systems.collision.march.side_facts import INPUTS, planned_landings, read_armies, read_edges, side_facts
from printkit.systems.collision.march.square_rules import SQUARE_RULES
from printkit.systems.dba.ground.placed_pieces import PlacedTerrain
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRules
from printkit.systems.dba3.placing import profile
from printkit.systems.dba3.placing.placement import KeepOut, Shore, find_shore
from printkit.systems.dba3.placing.read_record import read_rules
from printkit.systems.dba3.placing.selection import AUTO
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.systems.dba3.placing.zones import BaseEdges
from printkit.systems.dba3.system import Dba3
from printkit.terrain.field.battlefield import Overlay
from printkit.terrain.field.features import Area, Hill, Kind
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

NAME: Final = "collision-course"
_HOME: Final = "home"
# With at most this many pieces, except linear features and water, the board counts as empty.
_BARE: Final = 1
# Key of the defender's city in the details (CC-G07).
CITY: Final = "city"


class CollisionCourse(Dba3):
    """Collision Course for DBA 3."""

    name: str = NAME

    @cached_property
    def book(self) -> RuleBook:
        """Return the rule book; some settings of DBA 3 have a different default."""
        book = read_book(NAME)
        usual = {row.need("setting", str): row.need("value", str) for row in book.own("defaults")}
        settings = (
            replace(each, values=(usual.get(each.key, each.default), *each.values[1:])) for each in book.settings
        )
        return replace(book, settings=tuple(settings))

    def keep_out(self, rules: Rules) -> KeepOut:
        """Return the constraint that keeps terrain out of the squares on every edge (CC-G03, CC-G05)."""
        return keep_out_of(rules)

    def more_rules(self) -> TerrainRules:
        """Return the rules of the squares (CC-G03, CC-G05)."""
        return SQUARE_RULES

    def shape_rules(self) -> ShapeRules:
        """Return the rules of shapes by heading: those of the squares, and those of DBA 3."""
        return {Sentence("Squares to keep clear"): SQUARE_RULES[Terrain.WOODS], **super().shape_rules()}

    def overlays(
        self, rules: Rules, edges: BaseEdges, home: HomeTopography, shore: Shore | None
    ) -> tuple[Overlay, ...]:
        """Return the quarters, the squares, and the column zones of both sides (CC-O01..CC-O07)."""
        return tuple(build_overlays(rules, edges, shore, littoral=home is HomeTopography.LITTORAL))

    def more_facts(self, terrain: PlacedTerrain) -> Mapping[str, Any]:
        """Return the defender's city as a fact of the record, or nothing without a city (CC-7.3, CC-G07).

        A city never has a garrison.
        """
        for piece in terrain.placed_pieces:
            if piece.features[0].kind is Kind.CITY:
                return {CITY: {"id": piece.identity, "by": "defender", "garrison": "none", "locked": True}}
        return {}

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a battlefield with its log, its facts and its warnings.

        Armies, logs and positions in the scenario are read and checked. The scenario's armies decide who lands, and the
        defender's army gives the home.

        Raises:
            ScenarioError: a setting, a list or an army is wrong.
            DiceError: there are too few dice, or a die has an impossible score.
        """
        inputs = {name: value for name, value in scenario.inputs.items() if name in INPUTS}
        terrain = {name: value for name, value in scenario.inputs.items() if name not in INPUTS}
        lines = terrain.get(profile.LIST_NAME, ())
        rules = self.rules(lines if isinstance(lines, list | tuple) else (), scenario)
        armies = read_armies(inputs, read_troops(rules))
        home_scenario = _at_home(scenario, armies.get(Role.DEFENDER), self.book)
        outcome = super().lay_out(replace(home_scenario, inputs=terrain), dice, jitter)
        field = outcome.battlefield
        if (
            sum(isinstance(feature, Area | Hill) and feature.kind is not Kind.WATERWAY for feature in field.features)
            <= _BARE
        ):
            outcome = replace(outcome, warnings=(*outcome.warnings, Sentence("the board is empty; roll again?")))
        side_facts(inputs, rules, field, read_edges(outcome.details))
        shore = find_shore(field)
        if shore is None or not armies or rules.choice("landing") != "auto":
            return outcome
        # A known army lands if it plans to. For an unknown army the defender's home decides.
        terrain_facts = outcome.details["terrain"]
        littoral = isinstance(terrain_facts, Mapping) and terrain_facts["home"] == HomeTopography.LITTORAL.value
        sides = landing_sides(rules, littoral=littoral, planned_by_side=planned_landings(armies))
        others = tuple(feature for feature in field.overlays if feature.kind != "landing")
        return replace(outcome, battlefield=replace(field, overlays=(*others, *landing_overlays(rules, shore, sides))))

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the deck of reference cards for columns (CC-C01 to C11).

        Without a record, two languages also give the two-sided deck. The settings are those of ``record``, otherwise
        ``settings``.
        """
        from printkit.systems.collision.march.decks import decks

        rules = Rules.of(self.book, settings or {}) if record is None else read_rules(record, self.book)
        return decks(words, rules, is_standalone=record is None)

    def remarks(self, record: Record, words: Words) -> Iterable[str]:
        """Yield the faults of armies, logs and positions, in the user's language (CC-E)."""
        from printkit.systems.collision.judge.columns import remarks

        return remarks(record, self.book, words)

    def judge_terrain(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the book that is about terrain, including those of DBA 3."""
        from printkit.systems.collision.judge.judge import judge_terrain

        return judge_terrain(record, self.book)

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the book, including those of DBA 3."""
        from printkit.systems.collision.judge.judge import judge

        return judge(record, self.book)

    def roll_clauses(self) -> RollClauses:
        """Return the clauses that a replay of the log proves, with those of the city."""
        from printkit.systems.dba3.judge.judge import ROLL_CLAUSES

        return replace(ROLL_CLAUSES, members={**ROLL_CLAUSES.members, CITY: "CC-7.2", f"{CITY}.garrison": "CC-7.3"})


def _at_home(scenario: Scenario, army: Army | None, book: RuleBook) -> Scenario:
    """Return the scenario with the home of the defender's army, unless a home is set.

    ``army`` is the defender's; the scenario is unchanged without one.

    Raises:
        ScenarioError: a different home is set.
    """
    home_setting = scenario.settings.get(_HOME, AUTO)
    if army is None or home_setting == army.home:
        return scenario
    if home_setting == AUTO:
        return replace(scenario, settings={**scenario.settings, _HOME: army.home})
    raise ScenarioError(
        "home = {asked}, but the home of the defender's army, {name}, is {home}; leave the setting out",
        asked=home_setting,
        name=army.name,
        home=army.home,
        clause=clause_of_value(book, "D3-3", army.home),
    )
