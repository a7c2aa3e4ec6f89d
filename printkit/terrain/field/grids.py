"""What every board cut into cells answers: addresses, neighbours, shapes. Lengths in mm, y to the far edge.

Columns count from the left and rows from the far edge, both from 1, as a page is read (PW0-02). Directions count from
0, clockwise from the top: squares up, right, down, left; flat-topped hexes N, NE, SE, S, SW, NW; pointy-topped hexes
NE, E, SE, SW, W, NW (PW0-12). All corners stand on one lattice, so neighbours share theirs to the last bit.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct, StructMeta
from shapely import LineString, Polygon

TOUCH: Final = 1e-6
"""Millimetres within which a point lies on a side."""

_LETTERS: Final = 26


class Cell(NamedTuple):
    """The address of a cell, both numbers from 1, counted from the far left."""

    column: int
    row: int


class _Answering(StructMeta, ABCMeta):
    """What makes structures of which each kind answers some questions in its own way."""


class Grid(Struct, frozen=True, metaclass=_Answering):
    """A board cut into cells: ``columns`` in every row, ``cell`` mm across the flats of a hex or along a square.

    ``grain`` says how hexes lie, and is empty for squares; ``shape`` is ``hex`` or ``square``. ``turns`` counts the
    quarter turns anticlockwise since people numbered its cells: none but where a map is shown from another edge.
    """

    columns: int
    rows: int
    cell: float
    grain: str = ""
    turns: int = 0
    shape: ClassVar[str]

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the grid as ``grid_of`` reads it, as ``hex-9x8``."""

    @property
    @abstractmethod
    def width(self) -> float:
        """Return the width in mm of the rectangle that bounds all cells."""

    @property
    @abstractmethod
    def depth(self) -> float:
        """Return the depth in mm of the rectangle that bounds all cells."""

    @abstractmethod
    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the middle of a cell, which may lie off the grid."""

    @abstractmethod
    def corners(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """Return the corners clockwise; each begins the side of its direction."""

    @abstractmethod
    def step(self, cell: Cell, direction: int) -> Cell:
        """Return the neighbour in a direction, also where it lies off the grid."""

    @abstractmethod
    def hull(self) -> Polygon:
        """Return the outline of all cells together, anticlockwise."""

    @abstractmethod
    def at(self, x: float, y: float) -> Cell | None:
        """Return the cell that holds a point, on a shared side the first in reading order; None off the grid."""

    @abstractmethod
    def axial(self, cell: Cell) -> tuple[int, int]:
        """Return the axial coordinates of a hex, (0, 0) for column 1 of row 1 (HX-10, HX-11).

        Raises:
            ValueError: the cells are squares.
        """

    @abstractmethod
    def from_axial(self, q: int, s: int) -> Cell:
        """Return the hex of axial coordinates, which may lie off the grid.

        Raises:
            ValueError: the cells are squares.
        """

    def cells(self) -> tuple[Cell, ...]:
        """Return all cells in reading order: row by row from the far left (PW0-04)."""
        return tuple(Cell(column, row) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1))

    def numbered(self, cell: Cell) -> Cell:
        """Return the address that people say: on a turned grid the one that the cell had before."""
        columns, rows = self.columns, self.rows
        for _ in range(self.turns):
            cell = Cell(rows + 1 - cell.row, cell.column)
            columns, rows = rows, columns
        return cell

    def address(self, cell: Cell) -> str:
        """Return what stands in a cell for people: column and row of a hex as ``0304``, of a square as ``C4``."""
        said = self.numbered(cell)
        if self.shape == "hex":
            return f"{said.column:02d}{said.row:02d}"
        return f"{self.column_figure(said.column)}{said.row}"

    def column_figure(self, column: int) -> str:
        """Return the figure of a column of hexes, or the letter of one of squares: A to Z, then AA."""
        if self.shape == "hex":
            return str(column)
        before, last = divmod(column - 1, _LETTERS)
        return ("" if not before else chr(ord("A") + before - 1)) + chr(ord("A") + last)

    def holds(self, cell: Cell) -> bool:
        """Return whether a cell is one of the grid."""
        return 1 <= cell.column <= self.columns and 1 <= cell.row <= self.rows

    def directions(self) -> int:
        """Return how many sides a cell has: 4 or 6."""
        return len(self.corners(Cell(1, 1)))

    def beside(self, cell: Cell, direction: int) -> Cell | None:
        """Return the neighbour in a direction, or None off the grid."""
        found = self.step(cell, direction)
        return found if self.holds(found) else None

    def turn(self, one: Cell, other: Cell) -> int:
        """Return the direction from a cell to its neighbour.

        Raises:
            ValueError: they share no side.
        """
        for direction in range(self.directions()):
            if self.step(one, direction) == other:
                return direction
        raise ValueError(f"{tuple(one)} and {tuple(other)} share no side")

    def face(self, cell: Cell, direction: int) -> LineString:
        """Return the side of a cell towards a direction, running clockwise about the cell."""
        corners = self.corners(cell)
        return LineString([corners[direction], corners[(direction + 1) % len(corners)]])

    def outline(self, cell: Cell) -> Polygon:
        """Return the shape of a cell, anticlockwise."""
        return Polygon(self.corners(cell)[::-1])
