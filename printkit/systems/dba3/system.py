"""The rule system: the defender chooses terrain from the home topography, and dice place it quarter by quarter.

The stages ``selection`` (home and features), ``placement`` and ``edges`` have separate dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import DiceError, ScenarioError, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.countryside import Countryside
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import ShapeRules
from printkit.kit.system import Outcome, RollClauses, Scenario, Verdict, find_square_side
from printkit.systems.dba.ground.home_countryside import find_home_countryside, find_home_names
from printkit.systems.dba.ground.placed_pieces import PlacedTerrain
from printkit.systems.dba.ground.terrain_rules import TerrainRules
from printkit.systems.dba3.placing import profile
from printkit.systems.dba3.placing.placement import KeepOut, Shore, find_shore
from printkit.systems.dba3.placing.placing import build_terrain_facts, place_features, warn_of_discarded, warn_of_turned
from printkit.systems.dba3.placing.read_record import account, discards_line
from printkit.systems.dba3.placing.selection import choose_features, choose_home, read_listed_features
from printkit.systems.dba3.placing.terms import HomeTopography, Terms
from printkit.systems.dba3.placing.zones import BaseEdges, build_deployment_facts, choose_base_edges, make_overlays
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

NAME: Final = "dba3"
SELECTION: Final = "selection"
PLACEMENT: Final = "placement"
EDGES: Final = "edges"
# The list of a scenario with the features, if the defender has chosen already.
FEATURES: Final = "features"

_DECIMALS: Final = 6
_TOLERANCE_MM: Final = 1e-6
_DEFAULT_BASE_MM: Final = 40.0
# Number of titles for each home topography.
_TITLE_COUNT: Final = 3


class Dba3:
    """The rule system of DBA 3."""

    name: str = NAME
    stages: tuple[str, ...] = (SELECTION, PLACEMENT, EDGES)

    @cached_property
    def book(self) -> RuleBook:
        """Return the rule book."""
        return read_book(self.name)

    def board(
        self,
        width: float | None = None,
        depth: float | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        cell: float | None = None,
    ) -> Board:
        """Return the square of 15 base widths, or one of another side up to 20 (D3-1).

        Lengths are in mm on the board; ``cell`` must be None, because DBA 3 has no grid.

        Raises:
            UsageError: the requested board is not square, is too small or too large, or has cells.
        """
        rules = Rules.of(self.book, settings or {})
        base = float(rules.choice("base").removesuffix("mm"))
        low, high = rules.number("board_bw_min"), rules.number("board_bw_max")
        side = find_square_side(self.name, low * base, width, depth, cell, examples="15BW")
        if not low * base - _TOLERANCE_MM <= side <= high * base + _TOLERANCE_MM:
            raise UsageError(
                "the sides of a DBA 3 board are {board_bw_min:g}BW to {board_bw_max:g}BW (base widths), not {side:g}BW",
                side=side / base,
                board_bw_min=low,
                board_bw_max=high,
                clause="D3-1",
            )
        pace = rules.number("inches_per_100_paces_at_40mm") * MM_PER_INCH / 100 * base / _DEFAULT_BASE_MM
        return Board(side, side, GroundScale(pace=round(pace, _DECIMALS), base_width=base))

    def file_lists(self, text: str, place: str) -> Mapping[str, tuple[str, ...]]:
        """Return the scenario lists from the text of a file that a setting names: a profile (D3-68).

        ``text`` is the contents of the file, and ``place`` its name, for messages. The only key is the name of the list
        with the lines of the profile.

        Raises:
            ScenarioError: the file is not valid; the message names it.
        """
        return {profile.LIST_NAME: profile.read_profile_lines(text, place, self.book)}

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a battlefield chosen and placed by the rules.

        Raises:
            ScenarioError: a setting or a list is wrong.
            DiceError: a die is impossible, or the dice run out.
        """
        try:
            return self._make_outcome(scenario, dice, jitter)
        except DiceError as error:
            # General dice errors have clauses of other rule books, but not of this one.
            if type(error) is not DiceError or error.clause in self.book.clauses:
                raise
            raise DiceError("{fault}", fault=error.fault) from None

    def _make_outcome(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a battlefield chosen and placed by the rules, with its log, details and warnings."""
        lists = _read_lists(scenario.inputs)
        rules = self.rules(lists.get(profile.LIST_NAME, ()), scenario)
        terms = Terms.from_rules(rules)
        selection_dice = dice.at(SELECTION)
        home = choose_home(terms, selection_dice)
        topography, features = terms.topography(home), lists.get(FEATURES, ())
        picks = (
            read_listed_features(features, topography, terms)
            if features
            else choose_features(topography, terms, selection_dice)
        )
        terrain = place_features(
            picks,
            terms,
            dice.at(PLACEMENT),
            jitter,
            keep_out=self.keep_out(rules),
            more_rules=self.more_rules(),
        )
        title_number = 1 + jitter.stream(f"{SELECTION}/board/title").draw_index(_TITLE_COUNT)
        field = Battlefield(
            board=scenario.board, features=terrain.features, title=f"dba3.title.{home.value}.{title_number}"
        )
        shore = find_shore(field)
        edges = choose_base_edges(rules.choice("defender_edge"), shore.edge if shore else None, dice.at(EDGES))
        details: dict[str, Any] = {
            "terrain": build_terrain_facts(home, picks, terrain),
            "deployment": build_deployment_facts(edges),
            **self.more_facts(terrain),
        }
        return Outcome(
            battlefield=replace(field, overlays=self.overlays(rules, edges, home, shore)),
            log=tuple(dice.log),
            details=details,
            warnings=(
                *map(warn_of_discarded, terrain.blocked_pieces),
                *(warn_of_turned(piece) for piece in terrain.placed_pieces if piece.turned_by),
                *([edges.warning] if edges.warning else []),
            ),
        )

    def rules(self, lines: Sequence[str], scenario: Scenario) -> Rules:
        """Return the rules of a game: the rule book with a profile and the settings applied.

        ``lines`` are the lines of the profile.
        """
        return Rules.of(profile.apply_profile(self.book, lines), scenario.settings, board=scenario.board)

    def more_rules(self) -> TerrainRules:
        """Return rules for placing terrain, in addition to those of DBA 3; there are none."""
        return {}

    def keep_out(self, rules: Rules) -> KeepOut | None:
        """Return a function for additional ground that features avoid; for DBA 3 there is none."""
        del rules
        return None

    def overlays(
        self, rules: Rules, edges: BaseEdges, home: HomeTopography, shore: Shore | None
    ) -> tuple[Overlay, ...]:
        """Return the overlays of the map: quarters, and the zones of both sides.

        ``home`` and ``shore`` do not matter.
        """
        del home, shore
        return tuple(make_overlays(edges, rules))

    def more_facts(self, terrain: PlacedTerrain) -> Mapping[str, Any]:
        """Return additional facts for the record; for DBA 3 there are none."""
        del terrain
        return {}

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the rule book, in the order of the book."""
        from printkit.systems.dba3.judge.judge import judge

        return judge(record, self.book)

    def roll_clauses(self) -> RollClauses:
        """Return the clauses that a replay of the log proves."""
        from printkit.systems.dba3.judge.judge import ROLL_CLAUSES

        return ROLL_CLAUSES

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return sentences about each feature, by its ID: its die and its clauses.

        Features without these facts in the record are left out.
        """
        return account(record, words)

    def subtitle(self, record: Record, words: Words) -> str:
        """Return the line under the title, with the discarded features if there are any (D3-39)."""
        subtitle = words(f"rules.{self.name}.subtitle")
        discarded = discards_line(record, words)
        return f"{subtitle} ({discarded})" if discarded else subtitle

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return an empty tuple: DBA 3 has no cards."""
        del words, record, settings
        return ()

    def goings(self) -> Mapping[str, str]:
        """Return the going of every symbol, by the name of the symbol."""
        return self.book.goings_by_sign()

    def countryside(self, record: Record) -> Countryside:
        """Return the countryside of the home topography."""
        return find_home_countryside(record)

    def home_names(self, details: Mapping[str, Any]) -> str:
        """Return the period of names of the home topography.

        ``details`` are those of the record.
        """
        return find_home_names(self.book, details)

    def shape_rules(self) -> ShapeRules:
        """Return the rules of shapes by heading."""
        from printkit.systems.dba3.placing.terrain_rules import list_shape_rules

        return list_shape_rules()


def _read_lists(inputs: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return the lists of a scenario by name, as tuples of texts; missing lists are not added.

    Raises:
        ScenarioError: a list is unknown, or is not a list of texts.
    """
    lists: dict[str, tuple[str, ...]] = {}
    for name, value in inputs.items():
        if name not in (FEATURES, profile.LIST_NAME):
            raise ScenarioError(
                "Unknown list {name!r}. Use {features} or {list}.",
                name=name,
                features=FEATURES,
                list=profile.LIST_NAME,
            )
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise ScenarioError(
                '{name} is not a list of texts. Write for example {name} = ["woods", "river"].', name=name
            )
        lists[name] = tuple(value)
    return lists
