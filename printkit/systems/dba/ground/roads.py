"""Roads between opposite edges along a row or column: nearly straight, around features if possible, and to a town.

A road first avoids every feature, then only ground worse than woods or rough, then only water. It crosses a river
nearly at a right angle, if possible only once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.shapes import SizeSpan, load_measures
from printkit.systems.dba.ground.terrain_limits import CourseLimits
from printkit.systems.dba.ground.waterways import LineTest, cut_at_shore
from printkit.terrain.field.battlefield import Board
from printkit.terrain.geometry.courses import STRAIGHTISH, Terminal, routed
from printkit.terrain.geometry.measure import common_pieces, find_meetings, line_points
from printkit.terrain.geometry.outlines import largest_polygon
from printkit.terrain.geometry.routing import RoutingGround

_STYLE_BASE_MM: Final = 40.0
_TRIES: Final = 2
_LENGTH_SHARE: Final = 0.99
_BANK_BW: Final = 0.2
# How far a town must extend into a row, in base widths, so that its road is sure to touch it.
_TOUCH_BW: Final = 0.15

_NEAR_SQUARE: Final = 45.0
# Maximum angle in degrees between a road and its axis. A steeper road would not look straight, or would follow an edge.
_MAX_ANGLE_DEG: Final = 42.0

# Gap between the end of a road and a shore, as a share of the road's width.
_SHORE_GAP: Final = 0.4


class CrossedCourse(Struct, frozen=True, kw_only=True):
    """A river or an earlier road that a road may cross; ``width`` is in mm on the board."""

    line: LineString
    width: float
    is_parallel: bool


class RoadObstacles(Struct, frozen=True, kw_only=True):
    """The obstacles of a road, in mm on the board.

    Args:
        water: impassable ground: all waterways except ``shore``.
        hard, soft: ground that the road crosses only if a detour would be too long.
        passages: rivers and roads.
        shore: the waterway along the edge of one of its ends.
        town: a town that it must touch, or None.
    """

    water: BaseGeometry
    hard: BaseGeometry
    soft: BaseGeometry
    passages: tuple[CrossedCourse, ...] = ()
    shore: Polygon | None = None
    town: Polygon | None = None


def route_road(
    board: Board, limits: CourseLimits, width: float, obstacles: RoadObstacles, accept: LineTest, stream: Stream
) -> LineString | None:
    """Return the centre line of a road that ``accept`` accepts, or None if every try fails.

    The line and the width of the road are in mm on the board. It ends at a shore, and touches the town of ``obstacles``
    if there is one.
    """
    span = find_row_range(board, limits)
    if span is None:
        return None
    strip = limits.axis.edge_strip(board, *span)
    target = None
    if obstacles.town is not None:
        depth = _TOUCH_BW * board.scale.base_width
        reachable_part = largest_polygon(obstacles.town.intersection(strip).buffer(-depth))
        if reachable_part.is_empty:
            return None
        target = reachable_part.representative_point()
    style = STRAIGHTISH.scaled(board.scale.base_width / _STYLE_BASE_MM)
    for ground in _routing_grounds(board, strip, width, obstacles):
        for _ in range(_TRIES):
            start, end = _choose_ends(board, limits.axis, span, target, stream)
            line = routed(
                start, end, ground, stream, style=style, max_ratio=_LENGTH_SHARE * limits.longest,
                finish=lambda candidate: _finish_road(candidate, board, limits.axis, width, obstacles, accept),
            )  # fmt: skip
            if line is not None:
                return line
    return None


def find_row_range(board: Board, limits: CourseLimits) -> SizeSpan | None:
    """Return the range of a road's centre line across its axis, or None if there is no space.

    It is start and end in mm on the board. The range keeps a distance from the board edge and from the sides of the
    road's row.
    """
    band_start, band_end = limits.axis.cross_range(limits.band)
    base, breadth, road_measures = board.scale.base_width, limits.axis.breadth(board), load_measures("road")
    inner = min(float(road_measures["row"]) * base, 0.12 * (band_end - band_start)) + limits.half_width
    outer = min(float(road_measures["edge"]) * base, 0.25 * (band_end - band_start)) + limits.half_width
    start = band_start + (outer if band_start <= 0 else inner)
    stop = band_end - (outer if band_end >= breadth - 0.01 else inner)
    return (start, stop) if stop > start else None


def _choose_ends(
    board: Board, axis: Axis, span: SizeSpan, target: Point | None, stream: Stream
) -> tuple[Terminal, Terminal]:
    """Return the start and end of a road: nearly opposite each other, and aligned with its target.

    ``span`` is the range for the ends across the axis, and ``target`` a point or None, in mm on the board.
    """
    total_length = axis.length(board)
    slope = stream.between(-1, 1) * float(load_measures("road")["slope"])
    centre_offset, target_distance = stream.between(*span), total_length / 2
    if target is not None:
        target_distance, centre_offset = axis.point(target.x, target.y)
    first, last = (
        min(max(centre_offset + slope * (end - target_distance), span[0]), span[1]) for end in (0.0, total_length)
    )
    return Terminal(axis.point(0.0, first)), Terminal(axis.point(total_length, last))


def _routing_grounds(board: Board, strip: Polygon, width: float, obstacles: RoadObstacles) -> Iterator[RoutingGround]:
    """Yield the routing ground of a road, from the one with most obstacles to the one with only water.

    ``strip`` is the area for the centre line, and ``width`` that of the road, in mm on the board.
    """
    base = board.scale.base_width
    crossed_lines = tuple(passage.line for passage in obstacles.passages)
    parallel_strips = [
        passage.line.buffer(passage.width / 2 + _BANK_BW * base)
        for passage in obstacles.passages
        if passage.is_parallel
    ]
    used_keys: set[bytes] = set()
    nearby_area = strip.buffer(2 * base, join_style="mitre")
    water, hard, soft = obstacles.water, obstacles.hard, obstacles.soft
    for shapes in (
        [water, hard, soft, *parallel_strips],
        [water, hard, *parallel_strips],
        [water, *parallel_strips],
        [water, hard],
        [water],
    ):
        closed = shapely.union_all(shapes).intersection(nearby_area)
        key = shapely.to_wkb(closed)
        if key in used_keys:
            continue
        used_keys.add(key)
        yield RoutingGround(
            free_area=strip,
            closed=closed,
            half_width=width / 2,
            crossing_lines=crossed_lines,
            crossing_reach=max((passage.width / 2 for passage in obstacles.passages), default=0.0) + width / 2 + 3.0,
            step=base / 3,
        )


def _finish_road(
    line: LineString, board: Board, axis: Axis, width: float, obstacles: RoadObstacles, accept: LineTest
) -> LineString | None:
    """Return a road cut off at the shore, or None if it is not accepted or does not cross other courses cleanly.

    It must also touch its town and be nearly straight. The centre line and the width are in mm on the board.
    """
    shore = obstacles.shore
    cut_line = cut_at_shore(line, None if shore is None else shore.buffer(_SHORE_GAP * width, quad_segs=4))
    if cut_line is None or not accept(cut_line):
        return None
    if obstacles.town is not None and cut_line.distance(obstacles.town) > 0:
        return None
    if max_angle_deg(cut_line, axis, board.scale.base_width) > _MAX_ANGLE_DEG:
        return None
    is_clean = all(_crosses_well(cut_line, width, passage, board) for passage in obstacles.passages)
    return cut_line if is_clean else None


def max_angle_deg(line: LineString, axis: Axis, distance_mm: float) -> float:
    """Return the largest angle in degrees between a course and its axis, 0 to 180; above 90 the course runs back.

    The angle is measured on chords of about ``distance_mm`` mm on the board.
    """
    steps = max(2, math.ceil(line.length / (distance_mm / 2)))
    points = line_points(shapely.line_interpolate_point(line, np.linspace(0.0, line.length, steps + 1)))
    chords = points[2:] - points[:-2]
    along_steps, across_steps = (chords[:, 0], chords[:, 1]) if axis is Axis.ACROSS else (chords[:, 1], chords[:, 0])
    backwards = np.sign((along_steps.sum() > 0) - 0.5)
    return float(np.degrees(np.abs(exact_math.arctan2(across_steps, backwards * along_steps))).max())


def _crosses_well(line: LineString, width: float, passage: CrossedCourse, board: Board) -> bool:
    """Return whether a road crosses a river or road cleanly at a steep angle, and never follows it.

    The centre line and the width of the road are in mm on the board.
    """
    crossings = find_meetings(line, passage.line)
    if len(crossings) > (2 if passage.is_parallel else 1) or any(
        crossing.angle < _NEAR_SQUARE for crossing in crossings
    ):
        return False
    bank = width + _BANK_BW * board.scale.base_width
    return len(common_pieces(line, bank, passage.line, passage.width)) == len(crossings)
