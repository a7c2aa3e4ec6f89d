"""Roads from edge to opposite edge along a row or column: nearly straight, round features where they can, to a town.

A road first tries to pass everything by, then ground that is no worse than wood or rough, then all that is not water;
it meets a river square on, once if it can.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.legal import CourseLimits, course_faults
from printkit.systems.dba.ground.shapes import SizeSpan, measures
from printkit.systems.dba.ground.waters import to_shore
from printkit.terrain.field.battlefield import Board
from printkit.terrain.geometry.courses import STRAIGHTISH, Terminal, routed
from printkit.terrain.geometry.measure import common_pieces, meetings, points_of
from printkit.terrain.geometry.roughness import largest
from printkit.terrain.geometry.routing import RoutingGround

_MANNER_BW: Final = 40.0
_TRIES: Final = 2
_TIGHT: Final = 0.99
_BANK: Final = 0.2
_TOUCH: Final = 0.15
"""Base widths by which a town must reach into a row for its road to be sure to touch it."""

_NEAR_SQUARE: Final = 45.0
_STEEPEST: Final = 42.0
"""Degrees by which a road strays from its axis at most: more would no longer look straight, or run along an edge."""

_QUAY: Final = 0.4
"""Share of its width by which a road ends before a shore."""


class CrossedCourse(Struct, frozen=True, kw_only=True):
    """A river, or a road already laid, that a road may meet; ``wide`` in mm."""

    line: LineString
    wide: float
    along: bool


class RoadObstacles(Struct, frozen=True, kw_only=True):
    """The ground of a road.

    Args:
        water: what it can never pass: waterways but the one on whose shore it ends.
        hard, soft: ground it passes only if it must, and rather than go far about.
        passages: rivers and roads.
        shore: the waterway along the edge of one of its ends.
        through: a town that it must touch, or None.
    """

    water: BaseGeometry
    hard: BaseGeometry
    soft: BaseGeometry
    passages: tuple[CrossedCourse, ...] = ()
    shore: Polygon | None = None
    through: Polygon | None = None


def road(board: Board, limits: CourseLimits, width: float, lie: RoadObstacles, stream: Stream) -> LineString | None:
    """Return the centre line of a road that keeps its limits, or None where no try does."""
    span = row_room(board, limits)
    if span is None:
        return None
    room = limits.axis.belt(board, *span)
    target = None if lie.through is None else _target(lie.through, room, _TOUCH * board.scale.base_width)
    if lie.through is not None and target is None:
        return None
    manner = STRAIGHTISH.scaled(board.scale.base_width / _MANNER_BW)
    for ground in _grounds(board, room, width, lie):
        for _ in range(_TRIES):
            start, end = _ends(board, limits.axis, span, target, stream)
            line = routed(
                start, end, ground, stream, manner=manner, longest=_TIGHT * limits.longest,
                finish=lambda found: found if _kept(found, board, limits, width, lie) else None,
            )  # fmt: skip
            if line is not None:
                return _ended(line, width, lie)
    return None


def row_room(board: Board, limits: CourseLimits) -> SizeSpan | None:
    """Return from where to where a road's centre line may lie, square to it: off the edge and the sides of its row."""
    left, low, right, high = limits.band.bounds
    least, most = (low, high) if limits.axis is Axis.ACROSS else (left, right)
    base, breadth, found = board.scale.base_width, limits.axis.breadth(board), measures("road")
    inner = min(float(found["row"]) * base, 0.12 * (most - least)) + limits.half_width
    outer = min(float(found["edge"]) * base, 0.25 * (most - least)) + limits.half_width
    start = least + (outer if least <= 0 else inner)
    stop = most - (outer if most >= breadth - 0.01 else inner)
    return (start, stop) if stop > start else None


def _target(town: Polygon, room: Polygon, depth: float) -> Point | None:
    """Return a place ``depth`` mm inside that part of a town which a road can reach; None if there is none."""
    part = largest(town.intersection(room).buffer(-depth))
    return None if part.is_empty else part.representative_point()


def _ends(board: Board, axis: Axis, span: SizeSpan, target: Point | None, stream: Stream) -> tuple[Terminal, Terminal]:
    """Return where a road starts and ends: nearly opposite, and in line with the place that it must pass."""
    whole = axis.length(board)
    slope = stream.between(-1, 1) * float(measures("road")["slope"])
    middle, place = stream.between(*span), whole / 2
    if target is not None:
        place, middle = (target.x, target.y) if axis is Axis.ACROSS else (target.y, target.x)
    first, last = (min(max(middle + slope * (end - place), span[0]), span[1]) for end in (0.0, whole))
    if axis is Axis.ACROSS:
        return Terminal((0.0, first)), Terminal((whole, last))
    return Terminal((first, 0.0)), Terminal((last, whole))


def _grounds(board: Board, room: Polygon, width: float, lie: RoadObstacles) -> Iterator[RoutingGround]:
    """Yield the ground of a road, from what it would like to pass by to what it cannot pass."""
    base = board.scale.base_width
    crossed = tuple(each.line for each in lie.passages)
    beside = [each.line.buffer(each.wide / 2 + _BANK * base) for each in lie.passages if each.along]
    seen: set[bytes] = set()
    around = room.buffer(2 * base, join_style="mitre")
    for shapes in ([lie.water, lie.hard, lie.soft, *beside], [lie.water, lie.hard, *beside],
                   [lie.water, *beside], [lie.water, lie.hard], [lie.water]):  # fmt: skip
        closed = shapely.union_all(shapes).intersection(around)
        key = shapely.to_wkb(closed)
        if key in seen:
            continue
        seen.add(key)
        yield RoutingGround(
            room=room,
            closed=closed,
            half_width=width / 2,
            squarely=crossed,
            squarely_reach=max((each.wide / 2 for each in lie.passages), default=0.0) + width / 2 + 3.0,
            step=base / 3,
        )


def _kept(line: LineString, board: Board, limits: CourseLimits, width: float, lie: RoadObstacles) -> bool:
    ended = _ended(line, width, lie)
    if ended is None or course_faults(ended, board, limits, lie.shore):
        return False
    if lie.through is not None and ended.distance(lie.through) > 0:
        return False
    if steepest(ended, limits.axis, board.scale.base_width) > _STEEPEST:
        return False
    return all(_crosses_well(ended, width, passage, board) for passage in lie.passages)


def steepest(line: LineString, axis: Axis, over: float) -> float:
    """Return the degrees by which a course strays from its axis at most, over so many mm of way; 90 is square to it."""
    steps = max(2, math.ceil(line.length / (over / 2)))
    points = points_of(shapely.line_interpolate_point(line, np.linspace(0.0, line.length, steps + 1)))
    chords = points[2:] - points[:-2]
    ahead, aside = (chords[:, 0], chords[:, 1]) if axis is Axis.ACROSS else (chords[:, 1], chords[:, 0])
    backwards = np.sign((ahead.sum() > 0) - 0.5)
    return float(np.degrees(np.abs(elementary.arctan2(aside, backwards * ahead))).max())


def _ended(line: LineString, width: float, lie: RoadObstacles) -> LineString | None:
    """Return a road that comes to a shore cut off a little before it, or its corners would stand in the water."""
    return to_shore(line, None if lie.shore is None else lie.shore.buffer(_QUAY * width, quad_segs=4))


def _crosses_well(line: LineString, width: float, passage: CrossedCourse, board: Board) -> bool:
    """Return whether a road meets a river or a road nearly square, each time clean through, and never follows it."""
    met = meetings(line, passage.line)
    if len(met) > (2 if passage.along else 1) or any(each.angle < _NEAR_SQUARE for each in met):
        return False
    bank = width + _BANK * board.scale.base_width
    return len(common_pieces(line, bank, passage.line, passage.wide)) == len(met)


def features_met(shapes: Sequence[BaseGeometry], strip: Polygon) -> int:
    """Return how many features lie in a strip of the board (AMB-22)."""
    return sum(shape.intersects(strip) for shape in shapes)
