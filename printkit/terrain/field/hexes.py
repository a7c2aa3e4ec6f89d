"""Boards of hexes: their lattice, and the axial coordinates in which their neighbours are found."""

from __future__ import annotations

import math
from typing import ClassVar, Final

import shapely
from shapely import Polygon
from shapely.geometry.polygon import orient

from printkit.terrain.field.grids import TOUCH, Cell, Grid

GRAINS: Final = ("flat-odd-low", "flat-odd-high", "pointy-odd-right", "pointy-odd-left")
"""How hexes lie: flat-topped with the odd columns half a hex low or high, or pointy-topped, the odd rows shifted."""

_FLAT: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_POINTY: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The axial steps of the six directions, clockwise from the top."""

_FLAT_CORNERS: Final = ((-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1), (-2, 0))
_POINTY_CORNERS: Final = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""The corners about the middle clockwise, each beginning the side of its direction, in steps of the lattice."""


class HexGrid(Grid, frozen=True):
    """Hexes ``cell`` mm across the flats; every row has as many as the others, so a row of flat-topped ones zigzags."""

    grain: str = GRAINS[0]
    shape: ClassVar[str] = "hex"

    @property
    def name(self) -> str:
        """Return the grid as ``hex-9x8``."""
        return f"hex-{self.columns}x{self.rows}"

    @property
    def flat(self) -> bool:
        """Return whether a side, not a corner, lies on top."""
        return self.grain.startswith("flat")

    @property
    def side(self) -> float:
        """Return the mm of a side."""
        return self.cell / math.sqrt(3.0)

    @property
    def width(self) -> float:
        """Return the mm from the leftmost corner to the rightmost."""
        steps = 3 * self.columns + 1 if self.flat else 2 * self.columns + 1
        return self._point(steps, 0)[0]

    @property
    def depth(self) -> float:
        """Return the mm from the nearest side or corner to the farthest."""
        steps = 2 * self.rows + 1 if self.flat else 3 * self.rows + 1
        return self._point(0, steps)[1]

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the middle of a cell, which may lie off the grid."""
        return self._point(*self._middle(cell))

    def corners(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """Return the corners clockwise; each begins the side of its direction."""
        across, up = self._middle(cell)
        about = _FLAT_CORNERS if self.flat else _POINTY_CORNERS
        return tuple(self._point(across + right, up + far) for right, far in about)

    def step(self, cell: Cell, direction: int) -> Cell:
        """Return the neighbour in a direction, also where it lies off the grid."""
        q, s = self.axial(cell)
        right, down = (_FLAT if self.flat else _POINTY)[direction]
        return self.from_axial(q + right, s + down)

    def hull(self) -> Polygon:
        """Return the outline of all cells together, anticlockwise."""
        return orient(shapely.union_all([self.outline(cell) for cell in self.cells()]))

    def at(self, x: float, y: float) -> Cell | None:
        """Return the cell that holds a point, on a shared side the first in reading order; None off the grid."""
        across, down = x / self._point(1, 0)[0], (self.depth - y) / self._point(0, 1)[1]
        column, row = (across / 3, down / 2) if self.flat else (across / 2, down / 3)
        rows, columns = (range(math.floor(line), math.floor(line) + 3) for line in (row, column))
        near = {cell: math.dist(self.centre(cell), (x, y)) for cell in (Cell(c, r) for r in rows for c in columns)}
        closest = min(near.values()) + TOUCH
        return next((cell for cell, distance in near.items() if distance <= closest and self.holds(cell)), None)

    def axial(self, cell: Cell) -> tuple[int, int]:
        """Return the axial coordinates of a hex, (0, 0) for column 1 of row 1 (HX-10, HX-11)."""
        q, s = cell.column - 1, cell.row - 1
        return (q, s - self._slip(q)) if self.flat else (q - self._slip(s), s)

    def from_axial(self, q: int, s: int) -> Cell:
        """Return the hex of axial coordinates, which may lie off the grid."""
        return Cell(q + 1, s + self._slip(q) + 1) if self.flat else Cell(q + self._slip(s) + 1, s + 1)

    @property
    def _odd_lags(self) -> bool:
        """Return whether the odd columns stand low, or the odd rows right."""
        return self.grain in ("flat-odd-low", "pointy-odd-right")

    def _slip(self, line: int) -> int:
        """Return by how many cells a column, or a pointy row, differs from the slanting axis (HX-11)."""
        return (line + line % 2) // 2 if self._odd_lags else (line - line % 2) // 2

    def _middle(self, cell: Cell) -> tuple[int, int]:
        """Return the middle of a cell in whole steps of the lattice from the near left corner of the board."""
        if self.flat:
            low = (cell.column % 2 == 1) == self._odd_lags
            return 3 * cell.column - 1, 2 * (self.rows - cell.row) + (1 if low else 2)
        right = (cell.row % 2 == 1) == self._odd_lags
        return 2 * cell.column - (0 if right else 1), 3 * (self.rows - cell.row) + 2

    def _point(self, across: int, up: int) -> tuple[float, float]:
        """Return a point of the lattice, whose steps are half a side one way and half the flats the other."""
        half_side, half = self.side / 2, self.cell / 2
        return (across * half_side, up * half) if self.flat else (across * half, up * half_side)
