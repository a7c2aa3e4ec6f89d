"""How large a thing is and where it lies, as a person measures it who lays it out with a ruler."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import shapely
from msgspec import Struct
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.terrain.field.battlefield import Board, Edge

ROUND: Final = 1.12
"""How many times longer than wide a shape may be that nobody turns with care."""

_LOOSE: Final = 0.5


class Dimensions(Struct, frozen=True, kw_only=True):
    """Where a shape ends, in mm from the left and the near edge, and its own length and width however it is turned.

    ``turned`` is the direction of its length in degrees anticlockwise from the near edge, 0 to 180; None for a shape
    as wide as long.
    """

    left: float
    right: float
    near: float
    far: float
    length: float
    width: float
    turned: float | None


def dimensions(shape: BaseGeometry) -> Dimensions:
    """Return where a shape ends and how large it is."""
    left, near, right, far = shape.bounds
    corners = shapely.get_coordinates(shapely.oriented_envelope(shape))
    sides = [(math.dist(start, end), start, end) for start, end in pairwise(corners[:3])]
    (length, start, end), (width, _, _) = sorted(sides, key=lambda side: side[0], reverse=True)
    turned = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) % 180
    return Dimensions(
        left=left,
        right=right,
        near=near,
        far=far,
        length=length,
        width=width,
        turned=None if length < ROUND * width else turned,
    )


def bends(line: LineString, board: Board, *, within: float) -> tuple[tuple[float, float], ...]:
    """Return the ends and the fewest bends of a course on the board, in its direction.

    Straight lines through them lie nowhere farther than ``within`` mm from the course.
    """
    seen = shapely.intersection(line, board.shape)
    parts = [part for part in shapely.get_parts(seen) if isinstance(part, LineString) and part.length > _LOOSE]
    parts.sort(key=lambda part: line.project(shapely.Point(part.coords[0])))
    found: list[tuple[float, float]] = []
    for part in parts:
        run = (
            part
            if line.project(shapely.Point(part.coords[0])) <= line.project(shapely.Point(part.coords[-1]))
            else part.reverse()
        )
        found.extend((float(x), float(y)) for x, y in shapely.get_coordinates(shapely.simplify(run, within)))
    return tuple(point for place, point in enumerate(found) if place == 0 or point != found[place - 1])


def edge_at(point: tuple[float, float], board: Board) -> Edge | None:
    """Return the edge on which a point lies, or None."""
    x, y = point
    reaches = {
        Edge.LEFT: x,
        Edge.RIGHT: board.width - x,
        Edge.NEAR: y,
        Edge.FAR: board.depth - y,
    }
    edge = min(reaches, key=lambda each: reaches[each])
    return edge if reaches[edge] <= _LOOSE else None


def outline_of(shape: Polygon, board: Board) -> BaseGeometry:
    """Return the part of a shape that lies on the board; of one that at most touches it the whole."""
    seen = shapely.intersection(shape, board.shape)
    return seen if seen.area > 0 else shape
