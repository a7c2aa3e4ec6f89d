"""What every stage of version 1 works with: the edge of the board, what blocks an area, and areas that were given."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PlacementError
from printkit.systems.portable.grid.counting import May, Told
from printkit.systems.portable.grid.edges import Ring, address
from printkit.systems.portable.grid.overrides import PlaceSpec
from printkit.systems.portable.grid.sketch import HABITATION, HEIGHTS, TREES, AreaFeature, Sketch, SketchNote
from printkit.systems.portable.grid.terms import GridTerms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell


class Version1Terms(GridTerms, frozen=True, kw_only=True, dict=True):
    """The terms of one game of version 1."""

    @cached_property
    def ring(self) -> Ring:
        """Return the slots and stations of the edge."""
        return Ring.of(self.rules)

    @property
    def sliver(self) -> float:
        """Return how much of an area a river or road may cover for it to be empty still (PW1-25)."""
        return self.rules.number("sliver")

    def dry(self, sketch: Sketch, cell: Cell) -> bool:
        """Return whether an area is none of a river or road, and empty of them but for a sliver (PW1-25)."""
        return not any(cell in way.cells for way in sketch.ways) and sketch.cover(cell) <= self.sliver

    def bare(self, sketch: Sketch, cell: Cell, *grounds: Kind) -> bool:
        """Return whether an area is dry and holds nothing, or some kinds of ground at most."""
        return all(each.kind in grounds for each in sketch.on(cell)) and self.dry(sketch, cell)


class PlacingRow(Struct, frozen=True):
    """Features on their way onto the sketch; ``throws`` and ``facts`` belong to the next of them."""

    terms: Version1Terms
    sketch: Sketch
    throws: tuple[int, ...]
    facts: Told

    def put(
        self, cells: tuple[Cell, ...], kind: Kind, told: Told, throws: tuple[int, ...], *, contours: int = 0
    ) -> Self:
        """Return the row with a feature more, or with a note where no area was free (PW0-11)."""
        if not cells:
            note = SketchNote(key="dropped", clause="PW0-11", values={"kind": kind.value})
            return replace(self, sketch=self.sketch.put(note))
        piece = AreaFeature(
            id=self.sketch.next_id("trees" if kind in TREES else kind.value),
            kind=kind,
            cells=cells,
            contours=contours,
            throws=tuple(sorted({*self.throws, *throws})),
            clauses=next(clauses for kinds, clauses in _CLAUSES.items() if kind in kinds),
            told={**self.facts, **told},
        )
        return replace(self, sketch=self.sketch.put(piece), throws=(), facts={})


_CLAUSES: Final[Mapping[tuple[Kind, ...], tuple[str, ...]]] = {
    HEIGHTS: ("PW1-30", "PW1-31", "PW1-32"),
    TREES: ("PW1-40", "PW1-41", "PW1-42"),
    HABITATION: ("PW1-51", "PW1-52", "PW1-54"),
}


def given_area(given: PlaceSpec, may: May) -> Cell:
    """Return the one area of a given place.

    Raises:
        PlacementError: it has several, or its area may not take it.
    """
    return given_areas(given, 1, may)[0]


def given_areas(given: PlaceSpec, count: int, may: May) -> tuple[Cell, ...]:
    """Return the areas of a given place.

    Raises:
        PlacementError: there are not as many as it has, or one may not take it.
    """
    if len(given.cells) != count:
        raise PlacementError(
            "{place}: a {kind} has {count} areas here, not {given}",
            place=given.place,
            kind=given.kind,
            count=count,
            given=len(given.cells),
        )
    for cell in given.cells:
        if not may(cell):
            raise PlacementError(
                "{place}: area {cell} is occupied or cannot have a {kind}",
                place=given.place,
                cell=address(cell),
                kind=given.kind,
            )
    return given.cells
