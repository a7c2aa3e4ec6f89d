"""Grids by their names, and boards of squares; ``cells`` says what a grid answers, ``hexes`` holds boards of hexes."""

from __future__ import annotations

import math
import re
from typing import ClassVar, Final

from shapely import Polygon

from printkit.core.errors import UsageError
from printkit.terrain.field.grids import TOUCH, Cell, Grid
from printkit.terrain.field.hexes import GRAINS, HexGrid

__all__ = ["GRAINS", "Cell", "Grid", "HexGrid", "SquareGrid", "grid_of", "neighbours"]

LEAST: Final = 3
MOST: Final = 60
"""Cells along a side of a grid."""

_TEXT: Final = re.compile(r"(hex|sq|square)-(\d{1,3})x(\d{1,3})")


class SquareGrid(Grid, frozen=True):
    """Squares of side ``cell``."""

    shape: ClassVar[str] = "square"

    @property
    def name(self) -> str:
        """Return the grid as ``sq-8x8``."""
        return f"sq-{self.columns}x{self.rows}"

    @property
    def width(self) -> float:
        """Return the width of the board in mm."""
        return self.columns * self.cell

    @property
    def depth(self) -> float:
        """Return the depth of the board in mm."""
        return self.rows * self.cell

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the middle of a cell, which may lie off the grid."""
        return (cell.column - 0.5) * self.cell, (self.rows - cell.row + 0.5) * self.cell

    def corners(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """Return the corners clockwise from the far left one, which begins the upper side."""
        left, right = (cell.column - 1) * self.cell, cell.column * self.cell
        near, far = (self.rows - cell.row) * self.cell, (self.rows - cell.row + 1) * self.cell
        return (left, far), (right, far), (right, near), (left, near)

    def step(self, cell: Cell, direction: int) -> Cell:
        """Return the neighbour in a direction, also where it lies off the grid."""
        right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[direction]
        return Cell(cell.column + right, cell.row + down)

    def hull(self) -> Polygon:
        """Return the board as a rectangle, anticlockwise."""
        return Polygon([(0, 0), (self.width, 0), (self.width, self.depth), (0, self.depth)])

    def at(self, x: float, y: float) -> Cell | None:
        """Return the cell that holds a point, on a shared side the first in reading order; None off the grid."""
        if not (-TOUCH <= x <= self.width + TOUCH and -TOUCH <= y <= self.depth + TOUCH):
            return None
        column = math.ceil((x - TOUCH) / self.cell)
        row = math.ceil((self.depth - y - TOUCH) / self.cell)
        return Cell(min(max(column, 1), self.columns), min(max(row, 1), self.rows))

    def axial(self, cell: Cell) -> tuple[int, int]:
        """Refuse: squares have no axial coordinates."""
        raise ValueError(f"{tuple(cell)} is a square; axial coordinates are of hexes")

    def from_axial(self, q: int, s: int) -> Cell:
        """Refuse: squares have no axial coordinates."""
        raise ValueError(f"({q}, {s}) is no square; axial coordinates are of hexes")


def grid_of(text: str, *, cell: float, grain: str = GRAINS[0]) -> Grid:
    """Return the grid that a text names: ``hex-9x8``, ``sq-8x8`` or ``square-10x10``, columns first (PW0-01).

    Args:
        cell: mm across the flats of a hex, or along the side of a square.
        grain: how hexes lie; squares do not heed it.

    Raises:
        UsageError: the text names none, a cell of no size, or a grain that is not known.
    """
    found = _TEXT.fullmatch(text.strip().lower())
    if found is None:
        raise UsageError("{text!r} is no grid; write hex-9x8, sq-8x8 or another number of columns x rows", text=text)
    columns, rows = int(found.group(2)), int(found.group(3))
    if not (min(columns, rows) >= LEAST and max(columns, rows) <= MOST):
        raise UsageError(
            "a grid of {number} cannot be played on; its sides have from {least} to {most} cells",
            number=text.strip(),
            least=LEAST,
            most=MOST,
        )
    if not 0 < cell < math.inf:
        raise UsageError("a cell of {cell:g} mm is no cell; its length is greater than 0", cell=cell)
    if grain not in GRAINS:
        raise UsageError(
            "{grain!r} is no way in which hexes lie; there are {grains}", grain=grain, grains=", ".join(GRAINS)
        )
    return HexGrid(columns, rows, cell, grain) if found.group(1) == "hex" else SquareGrid(columns, rows, cell)


def neighbours(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells of the grid that share a side with a cell, clockwise from the top (PW0-18)."""
    beside = (grid.beside(cell, direction) for direction in range(grid.directions()))
    return tuple(found for found in beside if found is not None)
