"""A square board as the side at one of its edges sees it: shapes are given for the near edge and turned to theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

from printkit.terrain.field.battlefield import Board, Edge

Shape = TypeVar("Shape", bound=BaseGeometry)

_TURNS: Final[Mapping[Edge, tuple[int, int]]] = {
    Edge.NEAR: (1, 0), Edge.RIGHT: (0, 1), Edge.FAR: (-1, 0), Edge.LEFT: (0, -1),
}  # fmt: skip
"""Cosine and sine of the quarter turns, anticlockwise, that bring the near edge to each."""


def turned(shape: Shape, board: Board, edge: Edge) -> Shape:
    """Return a shape drawn for the near edge as it lies at another, turned about the middle of the board."""
    cosine, sine = _TURNS[edge]
    if edge is Edge.NEAR:
        return shape
    x, y = board.width / 2, board.depth / 2
    found: Shape = affine_transform(
        shape, [cosine, -sine, sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y]
    )
    return found
