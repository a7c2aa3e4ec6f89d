"""The quarters of a board of DBA 3 by their numbers: clockwise from the defender's left (D3-2).

While terrain is placed he sits at the near edge, so 1 is near left, 2 far left, 3 far right, 4 near right.
"""

from __future__ import annotations

from typing import Final

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.systems.dba.ground.frame import Axis, Quarter, quarter, quarters_held
from printkit.terrain.field.battlefield import Board, Edge

NUMBERED: Final = (Quarter.NEAR_LEFT, Quarter.FAR_LEFT, Quarter.FAR_RIGHT, Quarter.NEAR_RIGHT)
"""The quarters in the order of their numbers, from 1."""

NUMBERS: Final = (1, 2, 3, 4)


def ground_of(board: Board, number: int) -> Polygon:
    """Return the quarter of that number."""
    return quarter(board, NUMBERED[number - 1])


def neighbours(number: int) -> tuple[int, int]:
    """Return the two quarters that share a side with one, the next clockwise first."""
    return number % 4 + 1, (number - 2) % 4 + 1


def line_between(board: Board, one: int, other: int) -> tuple[str, float]:
    """Return the line on which two neighbours meet, as ("x", mm) or ("y", mm)."""
    first, second = NUMBERED[one - 1], NUMBERED[other - 1]
    return ("y", board.depth / 2) if first.is_right == second.is_right else ("x", board.width / 2)


def both(board: Board, one: int, other: int) -> Polygon:
    """Return two neighbouring quarters as one rectangle."""
    return shapely.box(*shapely.union(ground_of(board, one), ground_of(board, other)).bounds)


def strip(board: Board, number: int, axis: Axis) -> Polygon:
    """Return the half of the board that runs along an axis and holds a quarter: the band of a course there (D3-35)."""
    held = NUMBERED[number - 1]
    breadth = axis.breadth(board)
    high = held.is_far if axis is Axis.ACROSS else held.is_right
    return axis.belt(board, breadth / 2 if high else 0.0, breadth if high else breadth / 2)


def edges_of(number: int) -> tuple[Edge, Edge]:
    """Return the two edges of the board on which a quarter borders: the near or far one first."""
    held = NUMBERED[number - 1]
    return (Edge.FAR if held.is_far else Edge.NEAR, Edge.RIGHT if held.is_right else Edge.LEFT)


def numbers_held(shape: BaseGeometry, board: Board, least: float = 0.0) -> tuple[int, ...]:
    """Return the numbers of the quarters that hold more than ``least`` of a shape: mm of a line, mm² of an area."""
    return tuple(sorted(NUMBERED.index(each) + 1 for each in quarters_held(shape, board, least)))
