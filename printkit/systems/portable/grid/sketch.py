"""The sketch: features, courses and crossings on the areas of a grid, before they have shapes.

A sketch is append-only. Ask it whether a feature may go on an area. Lengths are in areas: 1 is the side of a square or
the distance between opposite sides of a hex.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid

TREES: Final = (Kind.WOODLAND, Kind.CONIFER_FOREST, Kind.PALM_FOREST)
HABITATION: Final = (Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN, Kind.CITY)
ROADS: Final = (Kind.ROAD, Kind.TRACK)
HEIGHTS: Final = (Kind.HILL, Kind.MOUNTAIN)
FIELDS: Final = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD)
WAYS: Final = (Kind.RIVER, *ROADS, Kind.RAILWAY)


class AreaFeature(Struct, frozen=True, kw_only=True):
    """A feature that fills whole areas.

    Attributes:
        cells: in the order located.
        contours: height of a hill; 0 for everything else.
        throws: positions in the log, from 1.
        told: plain values for the record about how it was placed.
    """

    id: str
    kind: Kind
    cells: tuple[Cell, ...]
    contours: int = 0
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)


class CellCourse(Struct, frozen=True, kw_only=True):
    """A river, road or railway, ``width`` areas wide: a chain of areas or a straight band.

    Attributes:
        cells: in travel order.
        enters: the outer side of the first cell where a chain enters the board; None if it begins inside.
        leaves: the outer side of the last cell where a chain leaves the board; None if it ends inside.
        beside: for each cell the second one that a wide river takes on a bank, or None; empty for one area's width.
        band: the ends of a straight band, in mm on the board.
        shares: the share of each area that a band covers (PW1-25).
    """

    id: str
    kind: Kind
    cells: tuple[Cell, ...]
    width: float
    enters: int | None = None
    leaves: int | None = None
    beside: tuple[Cell | None, ...] = ()
    band: tuple[tuple[float, float], tuple[float, float]] | None = None
    shares: Mapping[Cell, float] = field(default_factory=dict)
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_wide(self) -> bool:
        """Return whether it is more than one area wide."""
        return self.width > 1.0 if self.band is not None else any(self.beside)

    def share(self, cell: Cell) -> float:
        """Return the share of an area that the course covers, 0 to 1; a chain covers whole areas."""
        if self.band is not None:
            return self.shares.get(cell, 0.0)
        return 1.0 if cell in self.cells or cell in self.beside else 0.0


class Passage(Struct, frozen=True, kw_only=True):
    """A crossing of two courses: a ford, a bridge, a railway bridge or a level crossing.

    Attributes:
        way: the ID of the course that crosses.
        water: the ID of the course that is crossed.
        cells: the areas that both share there, in travel order of ``way``.
        at: the point in mm on the board if both are straight bands, otherwise None.
    """

    id: str
    kind: Kind
    way: str
    water: str
    cells: tuple[Cell, ...]
    at: tuple[float, float] | None = None
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)


class SketchNote(Struct, frozen=True, kw_only=True):
    """A notice for the user: ``key`` selects its text, ``values`` fill it in; ``feature`` is an ID."""

    key: str
    clause: str
    feature: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


Piece = AreaFeature | CellCourse | Passage


class Sketch(Struct, frozen=True, kw_only=True):
    """Everything placed so far on a grid, by type, in the order placed."""

    grid: Grid
    placings: tuple[AreaFeature, ...] = ()
    ways: tuple[CellCourse, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[SketchNote, ...] = ()

    def add(self, *pieces: Piece | SketchNote) -> Sketch:
        """Return a copy of the sketch with these features, courses, crossings and notes added at the end."""
        sketch = self
        for piece in pieces:
            match piece:
                case AreaFeature():
                    sketch = replace(sketch, placings=(*sketch.placings, piece))
                case CellCourse():
                    sketch = replace(sketch, ways=(*sketch.ways, piece))
                case Passage():
                    sketch = replace(sketch, passages=(*sketch.passages, piece))
                case SketchNote():
                    sketch = replace(sketch, notes=(*sketch.notes, piece))
        return sketch

    def features_at(self, cell: Cell, *kinds: Kind) -> tuple[AreaFeature, ...]:
        """Return the features on an area, of these kinds or of all; empty if there are none."""
        return tuple(piece for piece in self.placings if cell in piece.cells and (not kinds or piece.kind in kinds))

    def courses_at(self, cell: Cell, *kinds: Kind) -> tuple[CellCourse, ...]:
        """Return the courses that cover any part of an area, of these kinds or of all.

        They are in the order placed; empty if there are none.
        """
        return tuple(course for course in self.ways if (not kinds or course.kind in kinds) and course.share(cell) > 0)

    def cover(self, cell: Cell) -> float:
        """Return the share of an area that rivers and roads cover together, 0 to 1 (PWA-18)."""
        return min(1.0, plain_sum(course.share(cell) for course in self.select_courses(Kind.RIVER, *ROADS)))

    def is_empty(self, cell: Cell) -> bool:
        """Return whether an area has no feature and no course covers any part of it."""
        return not self.features_at(cell) and not self.courses_at(cell)

    def of(self, *kinds: Kind) -> Iterator[AreaFeature]:
        """Yield the features of these kinds, in the order placed."""
        return (piece for piece in self.placings if piece.kind in kinds)

    def select_courses(self, *kinds: Kind) -> Iterator[CellCourse]:
        """Yield the courses of these kinds, in the order placed."""
        return (course for course in self.ways if course.kind in kinds)

    def select_cells(self, *kinds: Kind) -> frozenset[Cell]:
        """Return all areas with a feature of these kinds; courses do not count."""
        return frozenset(cell for piece in self.of(*kinds) for cell in piece.cells)

    def next_id(self, name: str) -> str:
        """Return the next free ID with this name: ``hill-1``, ``hill-2`` ...

        Numbers count from 1. The sketch does not change.
        """
        taken_ids = {piece.id for pieces in (self.placings, self.ways, self.passages) for piece in pieces}
        number = 1
        while f"{name}-{number}" in taken_ids:
            number += 1
        return f"{name}-{number}"


def write_note(note: SketchNote) -> Sentence:
    """Return what could not be placed as the rules say, with the reason."""
    values = {"count": 1, "kind": "", "areas": "", "what": "", "area": "", **note.values}
    values |= {"feature": note.feature, "rule": note.clause}
    match note.key:
        case "dropped":
            return Sentence("no area was left for {count} {kind} (PW0-11)", **values)
        case "smaller":
            return Sentence("{feature} has fewer areas, because no area next to it was left ({rule})", **values)
        case "forced":
            return Sentence("{feature} had to cross hills, because they block every route ({rule})", **values)
        case "short":
            return Sentence("{feature} touches fewer than three areas ({rule})", **values)
        case "nowhere":
            return Sentence("no route for {what} ({rule})", **values)
        case _:
            return Sentence("no road reaches {feature} at {area} ({rule})", **values)
