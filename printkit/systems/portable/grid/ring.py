"""The edge of the board as version 1 reads it: eight slots clockwise, and stations on its sides (PW1-10..PW1-13)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct
from shapely import Point

from printkit.kit.book import RuleBook
from printkit.systems.portable.grid.edges import edge_cells
from printkit.terrain.field.grids import Cell, Grid

_EDGES = ("top", "right", "bottom", "left")


class Slot(NamedTuple):
    """A side or corner of the board and the scores that name it."""

    name: str
    scores: tuple[int, ...]

    @property
    def is_corner(self) -> bool:
        """Return whether it is a corner, which needs no station."""
        return "-" in self.name


class Stand(NamedTuple):
    """Where on the edge a course begins or ends: ``share`` of a side from its left or top end, 0 at a corner."""

    slot: str
    share: float = 0.0


class Ring(Struct, frozen=True):
    """The slots clockwise from the top, and the station of each score as a share of a side."""

    slots: tuple[Slot, ...]
    stations: tuple[float, ...]

    @classmethod
    def of(cls, book: RuleBook, stations: str) -> Ring:
        """Return the ring of a rule book, with the stations of a setting (PWA-02)."""
        slots = tuple(Slot(row.need("slot", str), tuple(row.need("scores", list))) for row in book.own("ring"))
        row = next(row for row in book.own("stations") if row.need("stations", str) == stations)
        return cls(slots, tuple(float(Fraction(text)) for text in row.need("at", list)))

    def slot(self, name: str) -> Slot:
        """Return the slot of a name."""
        return next(slot for slot in self.slots if slot.name == name)

    def entry(self, score: int) -> Slot:
        """Return the first slot of a score, clockwise from the top and counting it (PW1-11)."""
        return next(slot for slot in self.slots if score in slot.scores)

    def exit(self, entry: Slot, score: int) -> Slot:
        """Return the first slot of a score, clockwise after the entry, so of its own scores the opposite (PW1-12)."""
        at = self.slots.index(entry)
        onward = (*self.slots[at + 1 :], *self.slots[:at])
        return next(slot for slot in onward if score in slot.scores)

    def station(self, score: int) -> float:
        """Return the share of a side at which a score stands (PW1-13)."""
        return self.stations[score - 1]


def point(grid: Grid, stand: Stand) -> tuple[float, float]:
    """Return the place in mm of a stand, on the rectangle that bounds the grid (PW1-15)."""
    near_far = {"top": grid.depth, "bottom": 0.0}
    left_right = {"left": 0.0, "right": grid.width}
    first, _, second = stand.slot.partition("-")
    if second:
        return left_right[second], near_far[first]
    if first in near_far:
        return stand.share * grid.width, near_far[first]
    return left_right[first], (1.0 - stand.share) * grid.depth


def edge_cell(grid: Grid, stand: Stand) -> Cell:
    """Return the area at the edge in which a stand lies, for courses that are chains of areas."""
    first, _, second = stand.slot.partition("-")
    if second:
        return Cell(1 if second == "left" else grid.columns, 1 if first == "top" else grid.rows)
    across, down = (min(int(stand.share * count) + 1, count) for count in (grid.columns, grid.rows))
    match first:
        case "top":
            return Cell(across, 1)
        case "bottom":
            return Cell(across, grid.rows)
        case "left":
            return Cell(1, down)
        case _:
            return Cell(grid.columns, down)


def free_edge_cell(grid: Grid, cell: Cell, barred: frozenset[Cell]) -> Cell | None:
    """Return a cell of the edge, or where it is barred the next one clockwise that is not; None if all are (PW2-32)."""
    ring = list(dict.fromkeys(cell for edge in edge_cells(grid) for cell in edge))
    at = ring.index(cell)
    return next((other for other in (*ring[at:], *ring[:at]) if other not in barred), None)


def outer_side(grid: Grid, cell: Cell, toward: tuple[float, float]) -> int | None:
    """Return the side of a cell at the edge that leads off the board, the one that lies nearest to a place.

    None where every side leads to another cell.
    """
    outer = [direction for direction in range(grid.directions()) if grid.beside(cell, direction) is None]

    def off(direction: int) -> float:
        middle = grid.face(cell, direction).interpolate(0.5, normalized=True)
        return round(float(middle.distance(Point(toward))), 3)

    return min(outer, key=off, default=None)
