"""What the rules put on the areas of a grid, before anything has a shape: features on whole areas, ways, crossings.

A sketch only grows, a feature at a time; what may stand where is asked of it. Lengths are in areas: 1 is the side of a
square or the flats of a hex.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

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
    """Something that fills whole areas; ``contours`` is the height of a hill, 0 of everything else.

    ``cells`` stand in the order located. ``throws`` are places in the log, from 1; ``told`` is what the record keeps of
    how it came about, plain values only.
    """

    id: str
    kind: Kind
    cells: tuple[Cell, ...]
    contours: int = 0
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)


class CellCourse(Struct, frozen=True, kw_only=True):
    """A river, road or railway, ``width`` areas across.

    A chain of areas has its ``cells`` in travel order; ``enters`` and ``leaves`` are the outer sides of the first and
    last through which it comes onto the board and goes off it, None where it ends inside; ``beside`` has for each cell
    the one on a bank that a wide river takes too, or None, and is empty for ways one area wide. A straight band has its
    ends in ``band``, in mm on the board, and ``shares``: the part of the surface of each area that it covers (PW1-25).
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
    told: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_wide(self) -> bool:
        """Return whether it takes more than an area across."""
        return self.width > 1.0 if self.band is not None else any(self.beside)

    def share(self, cell: Cell) -> float:
        """Return the part of an area that the way covers: a chain takes whole areas."""
        if self.band is not None:
            return self.shares.get(cell, 0.0)
        return 1.0 if cell in self.cells or cell in self.beside else 0.0


class Passage(Struct, frozen=True, kw_only=True):
    """Where a way passes another: a ford or bridge, a railway bridge, a level crossing.

    ``cells`` are the areas that both share there, in travel order of ``way``; ``at`` is the place in mm on the board
    where straight bands meet, None where chains do.
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
    """Something that a person should hear: ``key`` names its words, ``values`` fill them; ``feature`` is an ID."""

    key: str
    clause: str
    feature: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


Piece = AreaFeature | CellCourse | Passage


class Sketch(Struct, frozen=True, kw_only=True):
    """Everything placed so far on a grid, each kind of thing in the order placed."""

    grid: Grid
    placings: tuple[AreaFeature, ...] = ()
    ways: tuple[CellCourse, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[SketchNote, ...] = ()

    def put(self, *pieces: Piece | SketchNote) -> Sketch:
        """Return the sketch with more on it."""
        found = self
        for piece in pieces:
            match piece:
                case AreaFeature():
                    found = replace(found, placings=(*found.placings, piece))
                case CellCourse():
                    found = replace(found, ways=(*found.ways, piece))
                case Passage():
                    found = replace(found, passages=(*found.passages, piece))
                case SketchNote():
                    found = replace(found, notes=(*found.notes, piece))
        return found

    def on(self, cell: Cell, *kinds: Kind) -> tuple[AreaFeature, ...]:
        """Return what stands on an area, of these kinds or of all."""
        return tuple(piece for piece in self.placings if cell in piece.cells and (not kinds or piece.kind in kinds))

    def through(self, cell: Cell, *kinds: Kind) -> tuple[CellCourse, ...]:
        """Return the ways that cover any part of an area, of these kinds or of all."""
        return tuple(way for way in self.ways if (not kinds or way.kind in kinds) and way.share(cell) > 0)

    def cover(self, cell: Cell) -> float:
        """Return how much of an area rivers and roads cover together (PWA-18)."""
        return min(1.0, plain_sum(way.share(cell) for way in self.ways_of(Kind.RIVER, *ROADS)))

    def is_empty(self, cell: Cell) -> bool:
        """Return whether an area holds nothing at all."""
        return not self.on(cell) and not self.through(cell)

    def of(self, *kinds: Kind) -> Iterator[AreaFeature]:
        """Yield what stands on areas of these kinds, in the order placed."""
        return (piece for piece in self.placings if piece.kind in kinds)

    def ways_of(self, *kinds: Kind) -> Iterator[CellCourse]:
        """Yield the ways of these kinds, in the order placed."""
        return (way for way in self.ways if way.kind in kinds)

    def cells_of(self, *kinds: Kind) -> frozenset[Cell]:
        """Return every area on which something of these kinds stands."""
        return frozenset(cell for piece in self.of(*kinds) for cell in piece.cells)

    def next_id(self, name: str) -> str:
        """Return the ID of the next feature of a name: ``hill-1``, ``hill-2`` ..."""
        taken = {piece.id for pieces in (self.placings, self.ways, self.passages) for piece in pieces}
        number = 1
        while f"{name}-{number}" in taken:
            number += 1
        return f"{name}-{number}"
