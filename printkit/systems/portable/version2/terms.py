"""Shared parts of all stages of version 2: chains, numbers, reserved areas, and features of several areas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from printkit.chance.dice import Dice
from printkit.core.errors import PlacementError, Sentence
from printkit.systems.portable.grid.counting import Chains, ChainTest, May, log_positions, scenario_facts
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.overrides import PlaceSpec
from printkit.systems.portable.grid.places import bodies
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, AreaFeature, Sketch, SketchNote
from printkit.systems.portable.grid.terms import MOUNTAIN, GridTerms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

NO: Final = "no"

# The stages in the order of PW2-01; each has its own dice.
STAGES: Final = (
    "hills", "rivers", "lakes", "marshes", "roads", "trees", "habitation", "connecting", "railways", "fields",
)  # fmt: skip

TREES: Final = "trees"
FIELD: Final = "field"

# The kinds of features that a scenario may give, by the stage that places them (PW0-13).
GIVEN_IN: Final[Mapping[str, tuple[str, ...]]] = {
    "hills": ("hill", MOUNTAIN),
    "lakes": (Kind.LAKE,),
    "marshes": (Kind.MARSH,),
    "trees": (TREES,),
    "habitation": HABITATION,
    "fields": (FIELD, *FIELDS),
}


class Count(Struct, frozen=True):
    """How many features still need a position, and the roll that decided it, if there was one.

    Attributes:
        throws: positions in the log.
        facts: facts for the record.
    """

    left: int
    throws: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


class Version2Terms(GridTerms, frozen=True, kw_only=True):
    """The grid, rules and scenario of one game of version 2."""

    def chains(self, stage: str, *, joined: bool = True) -> Chains:
        """Return the method that locates the areas of a stage (PW2-20, PW0-10).

        It has chains if ``joined`` is true and the settings have them on.
        """
        may_join = joined and self.rules.choice("pw2.chains") == "on"
        return Chains(
            grid=self.grid,
            table=self.rules.outcomes("chain") if may_join else None,
            reserved_cells=self.reserved_cells(stage),
        )

    def reserved_cells(self, stage: str) -> frozenset[Cell]:
        """Return the areas that the scenario uses in a later stage (PW0-13).

        Dice place nothing on them, and no course passes them.
        """
        later = STAGES[STAGES.index(stage) + 1 :]
        kinds = [kind for later_stage in later for kind in GIVEN_IN.get(later_stage, ())]
        return frozenset(cell for place in self.terrain.find_places(*kinds) for cell in place.cells)

    def roll_count(self, list_name: str, table: str, *, given_count: int, dice: Dice) -> Count:
        """Return how many of ``list_name`` still need a position: by a die plus the table, or by the scenario.

        The result also has the positions of the roll in the log and the score as a fact; both are empty without a roll.
        If the setting is ``no`` there are none.

        Args:
            list_name: the setting and the list of the book, for example ``hills``.
            table: the row of the list.
            given_count: how many the scenario gives; they are subtracted.
            dice: rolls one die, unless the number is known.
        """
        if self.rules.choice(list_name) == NO:
            return Count(0)
        if (number := self.known_count(list_name, given_count)) is not None:
            return Count(number - given_count)
        mark, row = len(dice.log), self.rules.row(list_name, "table", table)

        def count_left(die: int) -> int:
            """Return how many still need a position with this score."""
            return max(0, self.scale_number(max(0, die + row.need("add", int))) - given_count)

        score = dice.d6(
            _NUMBERS[list_name],
            row.need("clause", str),
            brings=count_left,
        )
        return Count(count_left(score), log_positions(dice, mark), {"number_score": score})


# The reason for each number die, by the list of the book.
_NUMBERS: Final = {
    "hills": Sentence("number of hills"),
    "trees": Sentence("number of trees"),
    "lakes": Sentence("number of lakes"),
    "marshes": Sentence("number of marshes"),
    "habitation": Sentence("number of habitation"),
    "fields": Sentence("number of fields"),
}


def is_open(sketch: Sketch, cell: Cell) -> bool:
    """Return whether trees and inhabited places may go on an area: no course, and no feature but a hill (PWA-14).

    A mountain does not count as a hill.
    """
    return not sketch.courses_at(cell) and all(piece.kind is Kind.HILL for piece in sketch.features_at(cell))


# --- Features of several areas: given ones, connected ones, and those that found no free area -------------------------


def check_given_areas(terms: Version2Terms, *kinds: str, can_take: May) -> tuple[tuple[PlaceSpec, Cell], ...]:
    """Return pairs of place and area for the given places of some kinds, in their order (PW0-13).

    Raises:
        PlacementError: an area is given twice, or cannot take the feature.
    """
    places_by_cell: dict[Cell, PlaceSpec] = {}
    for place in terms.terrain.find_places(*kinds):
        for cell in place.cells:
            if cell in places_by_cell or not can_take(cell):
                raise PlacementError(
                    "{place}: area {cell} is occupied or cannot have a {kind}",
                    place=place.place,
                    cell=address(cell),
                    kind=place.kind,
                    clause="PW0-13",
                )
            places_by_cell[cell] = place
    return tuple((place, cell) for cell, place in places_by_cell.items())


class BodyPlan(Struct, frozen=True, kw_only=True):
    """Features located area by area, where connected areas become one feature.

    Attributes:
        table: row of the book.
        name: name in the log.
        clause: clause of the 3D6.
        body: clause of the connected feature, if it differs.
        lacking: kind in the note about features that found no area; default: the kind of the first.
    """

    stage: str
    table: str
    name: str
    clause: str
    body: str = ""
    lacking: Kind | None = None


def place_bodies(
    terms: Version2Terms,
    sketch: Sketch,
    plan: BodyPlan,
    given_cells: Sequence[Cell],
    dice: Dice,
    *,
    can_take: ChainTest,
    kind: Callable[[tuple[Cell, ...]], Kind],
) -> Sketch:
    """Return the sketch with given and located areas; connected areas are one feature (PW2-20).

    Missing areas give a note.

    Args:
        terms: the rules of the game.
        sketch: the board so far; it does not change.
        plan: the names, table and clauses of the features.
        given_cells: the areas that the scenario gives.
        dice: rolls for the number, then for the positions.
        can_take: gets a ``Trial`` and returns whether an area may take the next feature.
        kind: gets a group of connected areas and returns its kind; for an empty group, the kind in the note about
            missing areas.
    """
    number = terms.roll_count(plan.stage, plan.table, given_count=len(given_cells), dice=dice)
    areas = terms.chains(plan.stage).locate(
        number.left,
        name=plan.name,
        clause=plan.clause,
        dice=dice,
        may=lambda trial: trial.cell not in given_cells and can_take(trial),
    )
    by_cell = {area.cell: area for area in areas}
    for cells in bodies(terms.grid, [*given_cells, *by_cell]):
        own_areas = [by_cell[cell] for cell in cells if cell in by_cell]
        area_facts = [
            {"cell": list(cell), **(by_cell[cell].facts if cell in by_cell else scenario_facts())} for cell in cells
        ]
        sketch = sketch.add(
            AreaFeature(
                id=sketch.next_id(kind(cells).value),
                kind=kind(cells),
                cells=cells,
                throws=(*(number.throws if own_areas else ()), *(throw for area in own_areas for throw in area.throws)),
                clauses=(plan.body or plan.clause, *(("PW0-13",) if len(own_areas) < len(cells) else ())),
                told={**(number.facts if own_areas else {}), "areas": area_facts},
            )
        )
    return sketch.add(*note_missing(plan.lacking or kind(()), number.left - len(areas)))


def note_missing(kind_name: str, missing: int) -> Iterator[SketchNote]:
    """Yield a note if ``missing`` features found no area; nothing if it is 0 or less (PW0-11).

    ``kind_name`` is the kind in the note.
    """
    if missing > 0:
        yield SketchNote(key="dropped", clause="PW0-11", values={"kind": kind_name, "count": missing})
