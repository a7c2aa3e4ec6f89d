"""The DBA divisions of the board: quarters, nine sectors, rows and columns, squares in the corners (SD-3.3.4-a).

Near is the side of the user while terrain is placed; left is the user's left (SD-3.3-a).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from shapely import LineString, Polygon, box
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.geometry.measure import quarters_met

_Shape = TypeVar("_Shape", bound=BaseGeometry)


class Quarter(StrEnum):
    """A quarter of the board, named after its corner."""

    NEAR_LEFT = "near-left"
    NEAR_RIGHT = "near-right"
    FAR_LEFT = "far-left"
    FAR_RIGHT = "far-right"

    @property
    def is_far(self) -> bool:
        """Return whether the quarter is in the far half."""
        return self in (Quarter.FAR_LEFT, Quarter.FAR_RIGHT)

    @property
    def is_right(self) -> bool:
        """Return whether the quarter is in the right half."""
        return self in (Quarter.NEAR_RIGHT, Quarter.FAR_RIGHT)


class Axis(StrEnum):
    """The direction of a course: from left to right, or from the near edge to the far one."""

    ACROSS = "across"
    UP = "up"

    @property
    def ends(self) -> tuple[Edge, Edge]:
        """Return the two edges where a course along this axis starts and ends."""
        return (Edge.LEFT, Edge.RIGHT) if self is Axis.ACROSS else (Edge.NEAR, Edge.FAR)

    def length(self, board: Board) -> float:
        """Return the size of the board along the axis, in mm on the board."""
        return board.width if self is Axis.ACROSS else board.depth

    def breadth(self, board: Board) -> float:
        """Return the size of the board perpendicular to the axis, in mm on the board."""
        return board.depth if self is Axis.ACROSS else board.width

    def point(self, distance: float, offset: float) -> tuple[float, float]:
        """Return the point at a distance along the axis and an offset across it, in mm on the board."""
        return (distance, offset) if self is Axis.ACROSS else (offset, distance)

    def cross_range(self, shape: BaseGeometry) -> tuple[float, float]:
        """Return the start and the end of a shape across the axis, in mm on the board."""
        left, low, right, high = shape.bounds
        return (low, high) if self is Axis.ACROSS else (left, right)

    def edge_strip(self, board: Board, low: float, high: float) -> Polygon:
        """Return the strip of the board along the axis, between ``low`` and ``high`` mm on the board.

        The distances are measured from the near edge for ``ACROSS``, from the left edge for ``UP``.
        """
        if self is Axis.ACROSS:
            return box(0, low, board.width, high)
        return box(low, 0, high, board.depth)


def find_axis(line: LineString, board: Board) -> Axis:
    """Return the axis of a course between opposite edges: its longer extent relative to the board."""
    left, low, right, high = line.bounds
    return Axis.ACROSS if (right - left) / board.width >= (high - low) / board.depth else Axis.UP


# Cosine and sine of the anticlockwise quarter turn from the near edge to each edge.
_ROTATIONS: Final[Mapping[Edge, tuple[int, int]]] = {
    Edge.NEAR: (1, 0), Edge.RIGHT: (0, 1), Edge.FAR: (-1, 0), Edge.LEFT: (0, -1),
}  # fmt: skip


def rotate_to_edge(shape: _Shape, board: Board, edge: Edge) -> _Shape:
    """Return a shape for the near edge of a square board, rotated around the centre to another edge."""
    return _rotate_quarters(shape, board, *_ROTATIONS[edge])


def rotate_from_edge(shape: _Shape, board: Board, edge: Edge) -> _Shape:
    """Return a shape as a player at an edge of a square board sees it: rotated so that this edge is the near one."""
    cosine, sine = _ROTATIONS[edge]
    return _rotate_quarters(shape, board, cosine, -sine)


def _rotate_quarters(shape: _Shape, board: Board, cosine: int, sine: int) -> _Shape:
    """Return a shape rotated anticlockwise around the centre of the board, by a quarter turn or two.

    ``cosine`` and ``sine`` are those of the angle.
    """
    if cosine == 1:
        return shape
    x, y = board.width / 2, board.depth / 2
    rotated_shape: _Shape = affine_transform(
        shape, [cosine, -sine, sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y]
    )
    return rotated_shape


# The quarters in the order of ``quarters_met``, from 1.
_QUARTER_ORDER: Final = (Quarter.FAR_LEFT, Quarter.FAR_RIGHT, Quarter.NEAR_LEFT, Quarter.NEAR_RIGHT)

# The index of the third for each column or row name, from the left or from the near edge.
THIRD_INDEXES: Final = {"left": 0, "centre": 1, "right": 2, "near": 0, "middle": 1, "far": 2}


def quarter_area(board: Board, quarter_name: Quarter) -> Polygon:
    """Return a quarter of the board as a rectangle, in mm on the board."""
    return corner_area(board, quarter_name, board.width / 2, board.depth / 2)


def corner_area(board: Board, quarter_name: Quarter, width: float, depth: float) -> Polygon:
    """Return the rectangle in a corner of the board, of the given size in mm on the board (SD-3.3.2-a)."""
    left = board.width - width if quarter_name.is_right else 0.0
    bottom = board.depth - depth if quarter_name.is_far else 0.0
    return box(left, bottom, left + width, bottom + depth)


def find_quarters(shape: BaseGeometry, board: Board, minimum: float = 0.0) -> tuple[Quarter, ...]:
    """Return the quarters with more than ``minimum`` of a shape; empty if no quarter has that much.

    ``minimum`` is in mm on the board for a line, in mm² for an area.
    """
    quarters = [_QUARTER_ORDER[number - 1] for number in quarters_met(shape, board, minimum)]
    return tuple(member for member in Quarter if member in quarters)


def third_range(total_mm: float, name: str) -> tuple[float, float]:
    """Return the start and the end of a column or row of a board ``total_mm`` mm wide or deep, in mm.

    ``name`` is left, centre or right for a column; near, middle or far for a row.
    """
    index = THIRD_INDEXES[name]
    return index * total_mm / 3, (index + 1) * total_mm / 3


def sector_area(board: Board, column: str, row: str) -> Polygon:
    """Return one of the nine equal sectors of the board as a rectangle, in mm on the board.

    ``column`` is left, centre or right; ``row`` is near, middle or far.
    """
    left, right = third_range(board.width, column)
    low, high = third_range(board.depth, row)
    return box(left, low, right, high)
