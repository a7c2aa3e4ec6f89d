"""Roads between opposite edges along a row or column: nearly straight, around features if possible, and to a town.

A road first avoids every feature, then only ground worse than woods or rough, then only water. It crosses a river
nearly at a right angle, if possible only once.
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
from printkit.terrain.geometry.measure import common_pieces, find_meetings, line_points
from printkit.terrain.geometry.roughness import largest_polygon
from printkit.terrain.geometry.routing import RoutingGround

_MANNER_BW: Final = 40.0
_TRIES: Final = 2
_TIGHT: Final = 0.99
_BANK: Final = 0.2
# How far a town must extend into a row, in base widths, so that its road is sure to touch it.
_TOUCH: Final = 0.15

_NEAR_SQUARE: Final = 45.0
# Maximum angle in degrees between a road and its axis. A steeper road would not look straight, or would follow an edge.
_STEEPEST: Final = 42.0

# Gap between the end of a road and a shore, as a share of the road's width.
_QUAY: Final = 0.4


class CrossedCourse(Struct, frozen=True, kw_only=True):
    """A river or an earlier road that a road may cross; ``wide`` is in mm."""

    line: LineString
    wide: float
    along: bool


class RoadObstacles(Struct, frozen=True, kw_only=True):
    """The obstacles of a road.

    Args:
        water: impassable ground: all waterways except ``shore``.
        hard, soft: ground that the road crosses only if a detour would be too long.
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
    """Return the centre line of a road that keeps its limits, or None if every try fails."""
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
                start, end, ground, stream, style=manner, max_ratio=_TIGHT * limits.longest,
                finish=lambda found: found if _kept(found, board, limits, width, lie) else None,
            )  # fmt: skip
            if line is not None:
                return _ended(line, width, lie)
    return None


def row_room(board: Board, limits: CourseLimits) -> SizeSpan | None:
    """Return the range of a road's centre line across its axis, away from the board edge and the sides of its row."""
    left, low, right, high = limits.band.bounds
    least, most = (low, high) if limits.axis is Axis.ACROSS else (left, right)
    base, breadth, found = board.scale.base_width, limits.axis.breadth(board), measures("road")
    inner = min(float(found["row"]) * base, 0.12 * (most - least)) + limits.half_width
    outer = min(float(found["edge"]) * base, 0.25 * (most - least)) + limits.half_width
    start = least + (outer if least <= 0 else inner)
    stop = most - (outer if most >= breadth - 0.01 else inner)
    return (start, stop) if stop > start else None


def _target(town: Polygon, room: Polygon, depth: float) -> Point | None:
    """Return a point ``depth`` mm inside the reachable part of a town, or None."""
    part = largest_polygon(town.intersection(room).buffer(-depth))
    return None if part.is_empty else part.representative_point()


def _ends(board: Board, axis: Axis, span: SizeSpan, target: Point | None, stream: Stream) -> tuple[Terminal, Terminal]:
    """Return the ends of a road: nearly opposite each other, and aligned with its target."""
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
    """Yield the routing ground of a road, from the one with most obstacles to the one with only water."""
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
            free_area=room,
            closed=closed,
            half_width=width / 2,
            crossing_lines=crossed,
            crossing_reach=max((each.wide / 2 for each in lie.passages), default=0.0) + width / 2 + 3.0,
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
    """Return the largest angle in degrees between a course and its axis, over ``over`` mm; 90 is perpendicular."""
    steps = max(2, math.ceil(line.length / (over / 2)))
    points = line_points(shapely.line_interpolate_point(line, np.linspace(0.0, line.length, steps + 1)))
    chords = points[2:] - points[:-2]
    ahead, aside = (chords[:, 0], chords[:, 1]) if axis is Axis.ACROSS else (chords[:, 1], chords[:, 0])
    backwards = np.sign((ahead.sum() > 0) - 0.5)
    return float(np.degrees(np.abs(elementary.arctan2(aside, backwards * ahead))).max())


def _ended(line: LineString, width: float, lie: RoadObstacles) -> LineString | None:
    """Return a road cut off just before a shore, so that its corners are not in the water."""
    return to_shore(line, None if lie.shore is None else lie.shore.buffer(_QUAY * width, quad_segs=4))


def _crosses_well(line: LineString, width: float, passage: CrossedCourse, board: Board) -> bool:
    """Return whether a road crosses a river or road cleanly at a steep angle, and never follows it."""
    met = find_meetings(line, passage.line)
    if len(met) > (2 if passage.along else 1) or any(each.angle < _NEAR_SQUARE for each in met):
        return False
    bank = width + _BANK * board.scale.base_width
    return len(common_pieces(line, bank, passage.line, passage.wide)) == len(met)


def features_met(shapes: Sequence[BaseGeometry], strip: Polygon) -> int:
    """Return the number of features in a strip of the board (AMB-22)."""
    return sum(shape.intersects(strip) for shape in shapes)
