"""Grids of squares and hexes, with cell addresses, neighbours and shapes. Lengths in mm.

Columns count from the left and rows from the far edge, both from 1 (PW0-02). Directions count from 0, clockwise from
the top: squares up, right, down, left; flat-topped hexes N, NE, SE, S, SW, NW; pointy-topped hexes NE, E, SE, SW, W,
NW (PW0-12). All corners are points of one lattice, so neighbours share bit-identical corners.
"""

from __future__ import annotations

import math
import re
from abc import ABCMeta, abstractmethod
from functools import lru_cache
from typing import ClassVar, Final, Literal, NamedTuple, get_args

import shapely
from msgspec import Struct, StructMeta
from shapely import LineString, Polygon
from shapely.geometry.polygon import orient

from printkit.core.errors import UsageError

# A point this near a side is on it, in mm.
TOUCH: Final = 1e-6

_LETTERS: Final = 26


class Cell(NamedTuple):
    """The address of a cell: column and row from 1, counted from the far left."""

    column: int
    row: int


class _AbstractStructMeta(StructMeta, ABCMeta):
    """Metaclass for a msgspec Struct with abstract methods."""


class Grid(Struct, frozen=True, metaclass=_AbstractStructMeta):
    """A board divided into cells.

    Attributes:
        cell: mm across the flats of a hex, or along the side of a square; on the board, or printed mm on a scaled map.
        grain: orientation of hexes, one of ``GRAINS``; empty for squares.
        turns: quarter turns anticlockwise since the cells were numbered; not 0 only on a map seen from another edge.
        shape: ``hex`` or ``square``.
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
        """Return the grid as text that ``grid_of`` reads, for example ``hex-9x8``.

        It has the columns before the rows, and not the size of a cell, the grain or a rotation.
        """

    @property
    @abstractmethod
    def width(self) -> float:
        """Return the width of the rectangle that bounds all cells, in the mm of ``cell``."""

    @property
    @abstractmethod
    def depth(self) -> float:
        """Return the depth of the rectangle that bounds all cells, in the mm of ``cell``."""

    @abstractmethod
    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the centre of a cell as (x, y) in the mm of the grid. The cell may be off the grid.

        The near left corner of the grid's rectangle is (0, 0), x grows to the right and y to the far edge. Columns
        count from 1 at the left, rows from 1 at the far edge.
        """

    @abstractmethod
    def corners(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """Return the corners (x, y) of a cell in the mm of the grid, clockwise, without repeating the first.

        Corner n, from 0, starts the side in direction n: that side ends at corner n + 1. There are 4 or 6 corners.
        """

    @abstractmethod
    def step(self, cell: Cell, direction: int) -> Cell:
        """Return the neighbour of a cell in a direction, even if it is off the grid.

        Directions count from 0, clockwise from the top. The top is the far edge of the grid. Squares have directions 0
        to 3 and hexes 0 to 5; direction 0 of a hex with pointy top is up and to the right.
        """

    @abstractmethod
    def hull(self) -> Polygon:
        """Return the outline of all cells in the mm of the grid, anticlockwise.

        It can have notches at the edges of hexes; for squares it is the rectangle of the board.
        """

    @abstractmethod
    def at(self, x: float, y: float) -> Cell | None:
        """Return the cell that contains the point (x, y) in the mm of the grid, or None off the grid.

        On a shared side it is the first cell in reading order. A point up to a tiny tolerance outside the grid still
        counts as on it.
        """

    @abstractmethod
    def axial(self, cell: Cell) -> tuple[int, int]:
        """Return the axial coordinates (q, s) of a hex; column 1, row 1 is (0, 0) (HX-10, HX-11).

        Raises:
            ValueError: the cells are squares.
        """

    @abstractmethod
    def from_axial(self, q: int, s: int) -> Cell:
        """Return the hex with these axial coordinates, which may be off the grid.

        Raises:
            ValueError: the cells are squares.
        """

    def cells(self) -> tuple[Cell, ...]:
        """Return all cells in reading order: row by row from the far left (PW0-04)."""
        return tuple(Cell(column, row) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1))

    def printed_cell(self, cell: Cell) -> Cell:
        """Return the column and row printed for a cell: on a rotated grid, its number before the rotation.

        The printed column and row count from 1. Without a rotation it is the cell itself.
        """
        columns, rows = self.columns, self.rows
        for _ in range(self.turns):
            cell = Cell(rows + 1 - cell.row, cell.column)
            columns, rows = rows, columns
        return cell

    def address(self, cell: Cell) -> str:
        """Return the printed address of a cell: column and row as ``0304`` for a hex, ``C4`` for a square.

        The number of a hex has two digits for the column and two for the row; both are those of ``printed_cell``.
        """
        number = self.printed_cell(cell)
        if self.shape == "hex":
            return f"{number.column:02d}{number.row:02d}"
        return f"{self.column_label(number.column)}{number.row}"

    def column_label(self, column: int) -> str:
        """Return the label of a column: its number for hexes, a letter for squares (A to Z, then AA).

        ``column`` counts from 1, so 1 is A and 27 is AA. A hex column has no leading zero.
        """
        if self.shape == "hex":
            return str(column)
        prefix, letter = divmod(column - 1, _LETTERS)
        return ("" if not prefix else chr(ord("A") + prefix - 1)) + chr(ord("A") + letter)

    def contains(self, cell: Cell) -> bool:
        """Return whether the grid contains a cell.

        It does if the column is 1 to the number of columns and the row 1 to the number of rows.
        """
        return 1 <= cell.column <= self.columns and 1 <= cell.row <= self.rows

    def direction_count(self) -> int:
        """Return the number of sides of a cell: 4 or 6."""
        return len(self.corners(Cell(1, 1)))

    def neighbour(self, cell: Cell, direction: int) -> Cell | None:
        """Return the neighbour of a cell in a direction, or None if it is off the grid.

        Directions count from 0, clockwise from the top.
        """
        candidate = self.step(cell, direction)
        return candidate if self.contains(candidate) else None

    def find_direction(self, start: Cell, target: Cell) -> int:
        """Return the direction from the cell ``start`` to its neighbour ``target``.

        Directions count from 0, clockwise from the top.

        Raises:
            ValueError: the cells do not share a side.
        """
        for direction in range(self.direction_count()):
            if self.step(start, direction) == target:
                return direction
        raise ValueError(f"{tuple(start)} and {tuple(target)} share no side")

    def face(self, cell: Cell, direction: int) -> LineString:
        """Return the side of a cell in a direction as a line in the mm of the grid, clockwise around the cell.

        Directions count from 0, clockwise from the top. The line has two points, corner ``direction`` and the next
        corner. The cell may be off the grid.
        """
        corners = self.corners(cell)
        return LineString([corners[direction], corners[(direction + 1) % len(corners)]])

    def outline(self, cell: Cell) -> Polygon:
        """Return the outline of a cell in the mm of the grid, anticlockwise."""
        return _cell_outline(self, cell)


@lru_cache(maxsize=64)
def _union_cells(grid: Grid) -> Polygon:
    """Return the outline of all cells of a grid in its mm, anticlockwise. Cached."""
    return orient(shapely.union_all([grid.outline(cell) for cell in grid.cells()]))


@lru_cache(maxsize=4096)
def _cell_outline(grid: Grid, cell: Cell) -> Polygon:
    """Return the outline of a cell in the mm of the grid. Cached, because sampling needs it many times."""
    return Polygon(grid.corners(cell)[::-1])


# --- Boards of hexes: their lattice, and axial coordinates for finding neighbours -------------------------------------

# Orientations of hexes: flat-topped with the odd columns half a hex lower or higher, or pointy-topped with the odd rows
# shifted right or left.
Grain = Literal["flat-odd-low", "flat-odd-high", "pointy-odd-right", "pointy-odd-left"]
GRAINS: Final[tuple[str, ...]] = get_args(Grain)

# Axial steps of the six directions, clockwise from the top.
_FLAT: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_POINTY: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))

# Corners relative to the centre in lattice steps, clockwise; corner n starts the side in direction n.
_FLAT_CORNERS: Final = ((-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1), (-2, 0))
_POINTY_CORNERS: Final = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))


class HexGrid(Grid, frozen=True):
    """Hexes ``cell`` mm across the flats, the same number in every row; flat-topped rows zigzag."""

    grain: str = GRAINS[0]
    shape: ClassVar[str] = "hex"

    @property
    def name(self) -> str:
        """Return the grid as text, for example ``hex-9x8``."""
        return f"hex-{self.columns}x{self.rows}"

    @property
    def flat(self) -> bool:
        """Return whether the hexes are flat-topped."""
        return self.grain.startswith("flat")

    @property
    def side(self) -> float:
        """Return the length of a side of a hex in the mm of ``cell``."""
        return self.cell / math.sqrt(3.0)

    @property
    def width(self) -> float:
        """Return the distance from the leftmost corner to the rightmost, in the mm of ``cell``."""
        steps = 3 * self.columns + 1 if self.flat else 2 * self.columns + 1
        return self._lattice_point(steps, 0)[0]

    @property
    def depth(self) -> float:
        """Return the distance from the nearest side or corner to the farthest, in the mm of ``cell``."""
        steps = 2 * self.rows + 1 if self.flat else 3 * self.rows + 1
        return self._lattice_point(0, steps)[1]

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the centre of a hex as (x, y) in the mm of the grid. The hex may be off the grid."""
        return self._lattice_point(*self._lattice_centre(cell))

    def corners(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """Return the corners (x, y) of a hex in the mm of the grid, clockwise.

        Corner n, from 0, starts the side in direction n.
        """
        x_steps, y_steps = self._lattice_centre(cell)
        corner_steps = _FLAT_CORNERS if self.flat else _POINTY_CORNERS
        step_x, step_y = self._lattice_steps
        return tuple([((x_steps + right) * step_x, (y_steps + far) * step_y) for right, far in corner_steps])

    def step(self, cell: Cell, direction: int) -> Cell:
        """Return the neighbour of a hex in a direction, even if it is off the grid.

        Directions are 0 to 5, clockwise from the top.
        """
        q, s = self.axial(cell)
        right, down = (_FLAT if self.flat else _POINTY)[direction]
        return self.from_axial(q + right, s + down)

    def hull(self) -> Polygon:
        """Return the outline of all hexes in the mm of the grid, anticlockwise."""
        return _union_cells(self)

    def at(self, x: float, y: float) -> Cell | None:
        """Return the hex that contains the point (x, y) in the mm of the grid, or None off the grid.

        Columns and rows count from 1. On a shared side or corner it is the first of the hexes in reading order.
        """
        x_steps, y_steps = x / self._lattice_point(1, 0)[0], (self.depth - y) / self._lattice_point(0, 1)[1]
        column, row = (x_steps / 3, y_steps / 2) if self.flat else (x_steps / 2, y_steps / 3)
        rows, columns = (range(math.floor(line), math.floor(line) + 3) for line in (row, column))
        distances = {cell: math.dist(self.centre(cell), (x, y)) for cell in (Cell(c, r) for r in rows for c in columns)}
        closest = min(distances.values()) + TOUCH
        return next((cell for cell, distance in distances.items() if distance <= closest and self.contains(cell)), None)

    def axial(self, cell: Cell) -> tuple[int, int]:
        """Return the axial coordinates (q, s) of a hex; column 1, row 1 is (0, 0) (HX-10, HX-11)."""
        q, s = cell.column - 1, cell.row - 1
        return (q, s - self._axis_offset(q)) if self.flat else (q - self._axis_offset(s), s)

    def from_axial(self, q: int, s: int) -> Cell:
        """Return the hex with these axial coordinates, which may be off the grid.

        It is the reverse of ``axial``, and (0, 0) is column 1, row 1.
        """
        return Cell(q + 1, s + self._axis_offset(q) + 1) if self.flat else Cell(q + self._axis_offset(s) + 1, s + 1)

    @property
    def _odd_lags(self) -> bool:
        """Return whether the odd lines are shifted: odd columns towards the near edge, or odd rows to the right.

        Otherwise the even lines are. Columns and rows count from 1.
        """
        return self.grain in ("flat-odd-low", "pointy-odd-right")

    def _axis_offset(self, line: int) -> int:
        """Return how many cells the slanting axis is shifted at a line of hexes (HX-11).

        ``line`` is the column of flat-topped hexes or the row of pointy-topped ones, counted from 0. The result is
        about half of it, rounded up if odd lines are shifted and down otherwise.
        """
        return (line + line % 2) // 2 if self._odd_lags else (line - line % 2) // 2

    def _lattice_centre(self, cell: Cell) -> tuple[int, int]:
        """Return the centre of a cell as whole lattice steps (to the right, up) from the near left corner.

        The length of a step in mm is that of ``_lattice_steps``.
        """
        if self.flat:
            low = (cell.column % 2 == 1) == self._odd_lags
            return 3 * cell.column - 1, 2 * (self.rows - cell.row) + (1 if low else 2)
        right = (cell.row % 2 == 1) == self._odd_lags
        return 2 * cell.column - (0 if right else 1), 3 * (self.rows - cell.row) + 2

    def _lattice_point(self, x_steps: int, y_steps: int) -> tuple[float, float]:
        """Return the point (x, y), in the mm of the grid, this many lattice steps from the near left corner."""
        step_x, step_y = self._lattice_steps
        return x_steps * step_x, y_steps * step_y

    @property
    def _lattice_steps(self) -> tuple[float, float]:
        """Return the horizontal and the vertical lattice step in mm of the grid.

        For flat-topped hexes they are half a side and half the distance across the flats; for pointy-topped ones the
        other way round.
        """
        half_side, half = self.side / 2, self.cell / 2
        return (half_side, half) if self.flat else (half, half_side)


# --- Boards of squares, and grids from text ---------------------------------------------------------------------------

__all__ = ["GRAINS", "Cell", "Grid", "HexGrid", "SquareGrid", "grid_of", "neighbours"]

# Limits for the number of columns and rows of a grid.
MIN_CELLS: Final = 3
MAX_CELLS: Final = 60

_GRID_TEXT: Final = re.compile(r"(hex|sq|square)-([0-9]{1,3})x([0-9]{1,3})")


class SquareGrid(Grid, frozen=True):
    """Squares of side ``cell``."""

    shape: ClassVar[str] = "square"

    @property
    def name(self) -> str:
        """Return the grid as text, for example ``sq-8x8``."""
        return f"sq-{self.columns}x{self.rows}"

    @property
    def width(self) -> float:
        """Return the width of the board in the mm of ``cell``."""
        return self.columns * self.cell

    @property
    def depth(self) -> float:
        """Return the depth of the board in the mm of ``cell``."""
        return self.rows * self.cell

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the centre of a square as (x, y) in the mm of the grid. The square may be off the grid."""
        return (cell.column - 0.5) * self.cell, (self.rows - cell.row + 0.5) * self.cell

    def corners(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """Return the corners (x, y) of a square in the mm of the grid, clockwise from the far left one."""
        left, right = (cell.column - 1) * self.cell, cell.column * self.cell
        near, far = (self.rows - cell.row) * self.cell, (self.rows - cell.row + 1) * self.cell
        return (left, far), (right, far), (right, near), (left, near)

    def step(self, cell: Cell, direction: int) -> Cell:
        """Return the neighbour of a square in a direction, even if it is off the grid.

        Directions are 0 to 3: up, right, down, left.
        """
        right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[direction]
        return Cell(cell.column + right, cell.row + down)

    def hull(self) -> Polygon:
        """Return the board as a rectangle in the mm of the grid, anticlockwise."""
        return Polygon([(0, 0), (self.width, 0), (self.width, self.depth), (0, self.depth)])

    def at(self, x: float, y: float) -> Cell | None:
        """Return the square that contains the point (x, y) in the mm of the grid, or None off the grid.

        Columns count from 1 at the left, rows from 1 at the far edge. On a shared side it is the left or the far
        square.
        """
        if not (-TOUCH <= x <= self.width + TOUCH and -TOUCH <= y <= self.depth + TOUCH):
            return None
        column = math.ceil((x - TOUCH) / self.cell)
        row = math.ceil((self.depth - y - TOUCH) / self.cell)
        return Cell(min(max(column, 1), self.columns), min(max(row, 1), self.rows))

    def axial(self, cell: Cell) -> tuple[int, int]:
        """Raise ValueError: squares do not have axial coordinates."""
        raise ValueError(f"{tuple(cell)} is a square; axial coordinates are of hexes")

    def from_axial(self, q: int, s: int) -> Cell:
        """Raise ValueError: squares do not have axial coordinates."""
        raise ValueError(f"({q}, {s}) is no square; axial coordinates are of hexes")


def grid_of(text: str, *, cell: float, grain: str = GRAINS[0]) -> Grid:
    """Return the grid that a text such as ``hex-9x8``, ``sq-8x8`` or ``square-10x10`` names (PW0-01).

    The number of columns comes first. Capitals and spaces at the ends do not matter.

    Args:
        text: the name of the grid.
        cell: mm on the board across the flats of a hex, or along the side of a square.
        grain: orientation of hexes and the lines that are shifted, one of ``GRAINS``; checked for squares too, but
            without effect.

    Raises:
        UsageError: the text is not a grid, a side has too few or too many cells, the cell size is not a positive
            number, or the grain is not known.
    """
    match = _GRID_TEXT.fullmatch(text.strip().lower())
    if match is None:
        raise UsageError("{text!r} is not a grid; write hex-9x8, sq-8x8 or another number of columns x rows", text=text)
    columns, rows = int(match.group(2)), int(match.group(3))
    if not (min(columns, rows) >= MIN_CELLS and max(columns, rows) <= MAX_CELLS):
        raise UsageError(
            "a grid of {number} is not possible; each side must have {least} to {most} cells",
            number=text.strip(),
            least=MIN_CELLS,
            most=MAX_CELLS,
        )
    if not 0 < cell < math.inf:
        raise UsageError("a cell of {cell:g} mm is not possible; its length must be greater than 0", cell=cell)
    if grain not in GRAINS:
        raise UsageError(
            "{grain!r} is not an orientation of hexes; use one of {grains}", grain=grain, grains=", ".join(GRAINS)
        )
    return HexGrid(columns, rows, cell, grain) if match.group(1) == "hex" else SquareGrid(columns, rows, cell)


def neighbours(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells that share a side with a cell, clockwise from the top (PW0-18).

    Neighbours off the grid are left out, so a cell at the edge has fewer than 4 or 6. Corners do not count.
    """
    candidates = (grid.neighbour(cell, direction) for direction in range(grid.direction_count()))
    return tuple(neighbour for neighbour in candidates if neighbour is not None)
