"""Rule systems for both versions of the Portable Wargame generator: a sketch from dice, then its shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence, UsageError
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import ShapeRules
from printkit.kit.system import Outcome, RollClauses, Scenario, Verdict
from printkit.systems.portable.grid.details import build_details, parse_details
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, HEIGHTS, ROADS, TREES, write_note
from printkit.systems.portable.grid.terms import SketchSteps, build_sketch
from printkit.systems.portable.provenance import explain_features
from printkit.systems.portable.shaping import Shaper
from printkit.systems.portable.version1 import steps as version1
from printkit.systems.portable.version2 import steps as version2
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Grid, grid_of
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

# Decimals of the width and depth of the board and of its ground scale.
_PLACES: Final = 6

# The kinds that the seed of each stage shapes. If a stage is rolled again, only its own features change shape.
_SHAPED_IN: Final[Mapping[str, tuple[Kind, ...]]] = {
    "hills": HEIGHTS,
    "rivers": (Kind.RIVER, Kind.SEA),
    "lakes": (Kind.LAKE,),
    "marshes": (Kind.MARSH,),
    "roads": ROADS,
    "trees": TREES,
    "habitation": HABITATION,
    "railways": (Kind.RAILWAY,),
    "fields": FIELDS,
}

STAGE_OF: Final = {kind: stage for stage, kinds in _SHAPED_IN.items() for kind in kinds}


class Portable(Struct, frozen=True, dict=True):
    """One version of Bob Cordery's generator."""

    name: str
    stages: tuple[str, ...]
    steps: SketchSteps

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
        """Return the board of the grid in the settings, with areas ``cell`` mm wide on the board.

        Without ``cell`` the settings give its size. The source has no ground scale. Here an area is 400 paces and two
        and a half base widths. ``width`` and ``depth`` must be None, because the grid gives the size. Without
        ``settings`` the defaults apply.

        Raises:
            UsageError: the user gave a board size, or the areas are too small or too large to play on.
        """
        if width is not None or depth is not None:
            raise UsageError(
                "{name} is played on a grid; use --set grid=hex-9x8 and --cell 100mm instead of --board", name=self.name
            )
        rules = Rules.of(self.book, settings or {})
        size = rules.number("cell") if cell is None else cell
        least, most = rules.number("cell_min"), rules.number("cell_max")
        if not least <= size <= most:
            raise UsageError(
                "areas of {size:g} mm are not possible; use {cell_min:g} to {cell_max:g} mm",
                size=size,
                cell_min=least,
                cell_max=most,
            )
        grid = _build_grid(rules, size)
        return Board(
            round(grid.width, _PLACES),
            round(grid.depth, _PLACES),
            GroundScale(
                pace=round(size / rules.number("paces_per_area"), _PLACES),
                base_width=round(size / rules.number("bases_per_area"), _PLACES),
            ),
        )

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Roll for a battlefield, area by area.

        Raises:
            ScenarioError: a setting or a list is wrong.
            PlacementError: a feature of the scenario cannot go where the user put it.
            DiceError: there are too few dice, or a die has an impossible score.
        """
        rules = Rules.of(self.book, scenario.settings, board=scenario.board)
        unit = _build_grid(rules, 1.0)
        grid = _build_grid(rules, round(scenario.board.width / unit.width, _PLACES))
        geography = Geography.from_rules(rules)
        sketch = build_sketch(self.steps, grid, rules, scenario.inputs, dice)
        goings = {kind: self.book.going[name] for kind, name in self.goings().items()}
        titles = geography.titles
        field = Battlefield(
            board=scenario.board,
            features=Shaper(sketch, goings, jitter, STAGE_OF).features(),
            title=titles[jitter.stream("board/title").draw_index(len(titles))],
            grid=grid,
        )
        return Outcome(
            battlefield=field,
            log=tuple(dice.log),
            details=build_details(sketch, geography, field.features),
        )

    def list_missing(self, record: Record) -> Iterator[Sentence]:
        """Yield what could not be placed as the rules say, with the reason, as the record has it.

        Raises:
            RecordError: a member of the details is wrong.
        """
        return map(write_note, parse_details(record).notes)

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the book, in its order."""
        from printkit.systems.portable.judge.judge import judge

        return judge(record, self.book, self.steps)

    def shape_rules(self) -> ShapeRules:
        """Return the rules of drawn shapes by heading."""
        from printkit.systems.portable.judge.shape_rules import GROUND_RULES, WIDTH_RULES

        widths = tuple(rule for rule in WIDTH_RULES if rule.clause in self.book.clauses)
        return {Sentence("Areas and hills"): GROUND_RULES, Sentence("Roads and railways"): widths}

    def roll_clauses(self) -> RollClauses:
        """Return the clauses of the members that a replay of the log compares."""
        from printkit.systems.portable.judge.judge import ROLL_CLAUSES

        return ROLL_CLAUSES

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return sentences for each feature, by its ID: its dice, its areas and its clauses.

        Features without these facts in the record are left out.
        """
        return explain_features(record, words)

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the deck of reference cards of the version, adapted to the settings of a game.

        The settings are those of ``record``, otherwise ``settings``; missing ones have their defaults.
        """
        from printkit.systems.portable.decks import decks

        rules = Rules.of(self.book, settings or {}) if record is None else Rules.of_record(self.book, record)
        return decks(rules, words)

    def goings(self) -> Mapping[str, str]:
        """Return the going of every kind of ground, both by name. It is a house rule."""
        return Rules.of(self.book).goings()


def portable_1() -> Portable:
    """Return version 1, of August 2019."""
    return Portable("portable-1", version1.STAGES, version1.steps)


def portable_2() -> Portable:
    """Return version 2, of September and October 2019."""
    return Portable("portable-2", version2.STAGES, version2.steps)


def _build_grid(rules: Rules, cell: float) -> Grid:
    """Return the grid in the settings, with areas ``cell`` mm wide on the board."""
    return grid_of(rules.choice("grid"), cell=cell, grain=rules.choice("grid.hex"))
