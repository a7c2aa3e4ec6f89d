"""The DBA divisions of the board: quarters, nine sectors, rows and columns, squares in the corners (SD-3.3.4-a).

Near is the side of the user while terrain is placed; left is the user's left (SD-3.3-a).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from shapely import Polygon, box
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
        """Return the edges at the start and the end of such a course."""
        return (Edge.LEFT, Edge.RIGHT) if self is Axis.ACROSS else (Edge.NEAR, Edge.FAR)

    def length(self, board: Board) -> float:
        """Return the distance between these edges, in mm."""
        return board.width if self is Axis.ACROSS else board.depth

    def breadth(self, board: Board) -> float:
        """Return the size of the board perpendicular to the axis, in mm."""
        return board.depth if self is Axis.ACROSS else board.width

    def belt(self, board: Board, low: float, high: float) -> Polygon:
        """Return the strip from ``low`` to ``high`` mm from the near edge, or from the left one."""
        if self is Axis.ACROSS:
            return box(0, low, board.width, high)
        return box(low, 0, high, board.depth)


# Cosine and sine of the anticlockwise quarter turn from the near edge to each edge.
_TURNS: Final[Mapping[Edge, tuple[int, int]]] = {
    Edge.NEAR: (1, 0), Edge.RIGHT: (0, 1), Edge.FAR: (-1, 0), Edge.LEFT: (0, -1),
}  # fmt: skip


def turned(shape: _Shape, board: Board, edge: Edge) -> _Shape:
    """Return a shape for the near edge of a square board, rotated around the centre to another edge."""
    return _turned(shape, board, *_TURNS[edge])


def seen(shape: _Shape, board: Board, edge: Edge) -> _Shape:
    """Return a shape as a player at an edge of a square board sees it: rotated so that this edge is the near one."""
    cosine, sine = _TURNS[edge]
    return _turned(shape, board, cosine, -sine)


def _turned(shape: _Shape, board: Board, cosine: int, sine: int) -> _Shape:
    if cosine == 1:
        return shape
    x, y = board.width / 2, board.depth / 2
    found: _Shape = affine_transform(
        shape, [cosine, -sine, sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y]
    )
    return found


# The quarters in the order of ``quarters_met``, from 1.
_NUMBERS: Final = (Quarter.FAR_LEFT, Quarter.FAR_RIGHT, Quarter.NEAR_LEFT, Quarter.NEAR_RIGHT)

# The index of the third for each column or row name, from the left or from the near edge.
THIRDS: Final = {"left": 0, "centre": 1, "right": 2, "near": 0, "middle": 1, "far": 2}


def quarter(board: Board, which: Quarter) -> Polygon:
    """Return a quarter of the board."""
    return corner(board, which, board.width / 2, board.depth / 2)


def corner(board: Board, which: Quarter, width: float, depth: float) -> Polygon:
    """Return the rectangle of the given size in mm in a corner of the board (SD-3.3.2-a)."""
    left = board.width - width if which.is_right else 0.0
    low = board.depth - depth if which.is_far else 0.0
    return box(left, low, left + width, low + depth)


def quarters_held(shape: BaseGeometry, board: Board, least: float = 0.0) -> tuple[Quarter, ...]:
    """Return the quarters with more than ``least`` of a shape: mm of a line, mm² of an area."""
    found = [_NUMBERS[number - 1] for number in quarters_met(shape, board, least)]
    return tuple(each for each in Quarter if each in found)


def third(whole: float, name: str) -> tuple[float, float]:
    """Return the start and the end of a column or row on a board of ``whole`` mm in that direction."""
    place = THIRDS[name]
    return place * whole / 3, (place + 1) * whole / 3


def sector(board: Board, column: str, row: str) -> Polygon:
    """Return one of the nine equal sectors by its column and its row."""
    left, right = third(board.width, column)
    low, high = third(board.depth, row)
    return box(left, low, right, high)
