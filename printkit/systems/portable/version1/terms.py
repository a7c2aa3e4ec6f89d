"""Shared parts of all stages of version 1: board edge, free areas, and areas given in the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PlacementError
from printkit.systems.portable.grid.counting import May, PlacementFacts
from printkit.systems.portable.grid.edges import Ring, address
from printkit.systems.portable.grid.overrides import PlaceSpec
from printkit.systems.portable.grid.sketch import HABITATION, HEIGHTS, TREES, AreaFeature, Sketch, SketchNote
from printkit.systems.portable.grid.terms import GridTerms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell


class Version1Terms(GridTerms, frozen=True, kw_only=True, dict=True):
    """The grid, rules and scenario of one game of version 1."""

    @cached_property
    def ring(self) -> Ring:
        """Return the slots and stations of the board edge."""
        return Ring.from_rules(self.rules)

    @property
    def sliver(self) -> float:
        """Return the largest share that rivers and roads may cover of an empty area, 0 to 1 (PW1-25)."""
        return self.rules.number("sliver")

    def is_dry(self, sketch: Sketch, cell: Cell) -> bool:
        """Return whether an area belongs to no river or road, and they cover at most a sliver of it (PW1-25)."""
        return not any(cell in course.cells for course in sketch.ways) and sketch.cover(cell) <= self.sliver

    def is_bare(self, sketch: Sketch, cell: Cell, *grounds: Kind) -> bool:
        """Return whether an area is dry and has no ground, except of the kinds in ``grounds``.

        It is dry if it belongs to no river or road, and they cover at most a sliver of it.
        """
        return all(feature.kind in grounds for feature in sketch.features_at(cell)) and self.is_dry(sketch, cell)


class PlacingRow(Struct, frozen=True):
    """Places features one after another.

    Attributes:
        throws: positions in the log of shared rolls, for the next feature.
        facts: shared facts for the record, for the next feature.
    """

    terms: Version1Terms
    sketch: Sketch
    throws: tuple[int, ...]
    facts: PlacementFacts

    def add_feature(
        self, cells: tuple[Cell, ...], kind: Kind, facts: PlacementFacts, throws: tuple[int, ...], *, contours: int = 0
    ) -> Self:
        """Return the row with one more feature, or with a note if there are no ``cells`` (PW0-11).

        The row itself does not change. The feature gets the next free ID of its kind.

        Args:
            cells: its areas; empty if no area was free.
            kind: its kind.
            facts: for the record.
            throws: positions in the log, from 1.
            contours: height of a hill; 0 for everything else.
        """
        if not cells:
            note = SketchNote(key="dropped", clause="PW0-11", values={"kind": kind.value})
            return replace(self, sketch=self.sketch.add(note))
        piece = AreaFeature(
            id=self.sketch.next_id("trees" if kind in TREES else kind.value),
            kind=kind,
            cells=cells,
            contours=contours,
            throws=tuple(sorted({*self.throws, *throws})),
            clauses=next(clauses for kinds, clauses in _CLAUSES.items() if kind in kinds),
            told={**self.facts, **facts},
        )
        return replace(self, sketch=self.sketch.add(piece), throws=(), facts={})


_CLAUSES: Final[Mapping[tuple[Kind, ...], tuple[str, ...]]] = {
    HEIGHTS: ("PW1-30", "PW1-31", "PW1-32"),
    TREES: ("PW1-40", "PW1-41", "PW1-42"),
    HABITATION: ("PW1-51", "PW1-52", "PW1-54"),
}


def check_given_area(given_place: PlaceSpec, can_take: May) -> Cell:
    """Return the one area of a given place.

    Raises:
        PlacementError: it has several areas, or its area cannot take it.
    """
    return check_given_areas(given_place, 1, can_take)[0]


def check_given_areas(given_place: PlaceSpec, count: int, can_take: May) -> tuple[Cell, ...]:
    """Return the areas of a given place, in their order; ``can_take`` tests each.

    Raises:
        PlacementError: it does not have ``count`` areas, or one of them cannot take it.
    """
    if len(given_place.cells) != count:
        raise PlacementError(
            "{place}: a {kind} has {count} areas here, not {given}",
            place=given_place.place,
            kind=given_place.kind,
            count=count,
            given=len(given_place.cells),
        )
    for cell in given_place.cells:
        if not can_take(cell):
            raise PlacementError(
                "{place}: area {cell} is occupied or cannot have a {kind}",
                place=given_place.place,
                cell=address(cell),
                kind=given_place.kind,
            )
    return given_place.cells
