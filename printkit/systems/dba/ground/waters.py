"""A waterway along an edge of the board, and a river between opposite edges within its band."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.kit.placement import SLACK
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.legal import CourseLimits, course_faults
from printkit.systems.dba.ground.shapes import SizeSpan, measures
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.geometry.courses import MEANDERING, CourseStyle, Terminal, routed
from printkit.terrain.geometry.routing import RoutingGround

_STEP: Final = 3.0
# Distance of a shore from its depth limits, as a share of the range between them.
_MARGIN: Final = 0.04

# Share of the length in the shallow part: slightly more than half, so that other ways of measuring agree.
_SHALLOW_HALF: Final = 0.53

_PROBES: Final = 400
# Distance in mm from the corners of the board within which water is not measured.
_PROBE_OFF: Final = 0.5

# Tolerance in mm for the distance of a recorded outline from an edge, because records are rounded.
_BESIDE: Final = 0.05
# Base width in mm to which the course style of rivers is scaled.
_MANNER_BW: Final = 40.0

_LEAD: Final = 0.5
_TRIES: Final = 6
# Share of the maximum length that a generated river may use.
_TIGHT: Final = 0.985


class Depths(Struct, frozen=True, kw_only=True):
    """The limits of a waterway in mm: minimum and maximum depth, and the limit for half of its length."""

    least: float
    most: float
    shallow: float


def waterway(board: Board, edge: Edge, depths: Depths, stream: Stream) -> Polygon:
    """Return water along a complete edge with a wavy shore; half of its length stays within the shallow depth."""
    axis = Axis.ACROSS if edge in (Edge.NEAR, Edge.FAR) else Axis.UP
    length = axis.length(board)
    at = np.linspace(0.0, length, math.ceil(length / _STEP) + 1)
    wave = np.zeros_like(at)
    look = measures("waterway")
    for long, share in look["waves"]:
        wavelength = long * board.scale.base_width * stream.between(0.8, 1.25)
        wave += share * elementary.sin(math.tau * at / wavelength + stream.between(0, math.tau))
    play = depths.most - depths.least
    depth = depths.least + play * _soft(look["mean"] + wave)
    middle = float(np.quantile(depth, _SHALLOW_HALF))
    if middle > depths.shallow:
        # All depths shrink by the same factor, so that the bays keep their shape.
        depth = depths.least + (depth - depths.least) * (depths.shallow - depths.least) / (middle - depths.least)
    shore = np.column_stack([at, depth])
    ring = np.vstack([[0.0, 0.0], [length, 0.0], shore[::-1]])
    if axis is Axis.UP:
        ring = ring[:, ::-1]
    if edge is Edge.FAR:
        ring[:, 1] = board.depth - ring[:, 1]
    elif edge is Edge.RIGHT:
        ring[:, 0] = board.width - ring[:, 0]
    return shapely.geometry.polygon.orient(Polygon(ring))


def _soft(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return shares that flatten towards 0 and 1 without reaching them, so that a shore never follows its limit."""
    return _MARGIN + (1 - 2 * _MARGIN) / (1 + elementary.exp(-4.4 * (shares - 0.5)))


def edge_along(water: BaseGeometry, board: Board) -> Edge | None:
    """Return the edge of the board that water covers completely, or None."""
    for edge in Edge:
        line = board.edge(edge)
        if line.intersection(water.buffer(_BESIDE)).length >= line.length - 2 * _PROBE_OFF:
            return edge
    return None


def depths_of(water: BaseGeometry, board: Board, edge: Edge) -> NDArray[np.float64]:
    """Return the depths of water in mm, measured from an edge at regular steps along it."""
    return np.asarray(shapely.length(_probed(water, board, edge)), dtype=float)


def _probed(water: BaseGeometry, board: Board, edge: Edge) -> NDArray[np.object_]:
    """Return the wet parts of lines perpendicular to an edge."""
    axis = Axis.ACROSS if edge in (Edge.NEAR, Edge.FAR) else Axis.UP
    at = np.linspace(_PROBE_OFF, axis.length(board) - _PROBE_OFF, _PROBES)
    out, beyond = np.full_like(at, -1.0), np.full_like(at, axis.breadth(board) + 1.0)
    ends = np.stack([np.column_stack([at, out]), np.column_stack([at, beyond])], axis=1)
    probes = shapely.linestrings(ends if axis is Axis.ACROSS else ends[:, :, ::-1])
    return np.asarray(shapely.intersection(probes, water))


def depths_kept(water: Polygon, board: Board, edge: Edge, depths: Depths) -> bool:
    """Return whether a waterway covers a complete edge and keeps its depth limits."""
    depth = depths_of(water, board, edge)
    along = shapely.distance(_probed(water, board, edge), board.edge(edge)) <= SLACK
    deep = float((depth > depths.shallow + SLACK).mean())
    within = (depth >= depths.least - SLACK) & (depth <= depths.most + SLACK)
    return bool(along.all() and within.all() and deep <= 0.5)


def river(
    board: Board,
    limits: CourseLimits,
    width: float,
    stream: Stream,
    *,
    closed: BaseGeometry,
    shore: Polygon | None = None,
) -> LineString | None:
    """Return the centre line of a river that keeps its limits, or None if every try fails.

    Args:
        closed: ground that the full width of the river avoids.
        shore: the waterway along the edge of one of its ends; the river ends at its shore.
    """
    room = _room(board, limits)
    low, high = _sides(room, limits.axis)
    if high - low < 0.2 * board.scale.base_width:
        return None
    ground = RoutingGround(free_area=room, closed=closed, half_width=width / 2, step=board.scale.base_width / 4)
    manner = _manner(board, high - low)
    for _ in range(_TRIES):
        start, end = (_end(board, limits.axis, last, stream.between(low, high), (low, high)) for last in (False, True))
        line = routed(start, end, ground, stream, style=manner, max_ratio=_TIGHT * limits.longest)
        line = None if line is None else to_shore(line, shore)
        if line is not None and not course_faults(line, board, limits, shore):
            return line
    return None


def to_shore(line: LineString, shore: Polygon | None) -> LineString | None:
    """Return a course cut off where it reaches the shore of a waterway; other courses do not change."""
    if shore is None or not line.intersects(shore):
        return line
    if shore.distance(Point(line.coords[0])) < shore.distance(Point(line.coords[-1])):
        line = line.reverse()
    dry = [part for part in shapely.get_parts(line.difference(shore)) if part.length > 0]
    if not dry:
        return None
    first = min(dry, key=lambda part: part.distance(Point(line.coords[0])))
    # A river that touches the water before its mouth ends there too: that is the point where it meets the shore.
    end = substring(line, 0.0, float(line.project(Point(first.coords[-1]))))
    points = [*end.coords[:-1], first.coords[-1]]
    return LineString(points) if len(points) > 1 else None


def _room(board: Board, limits: CourseLimits) -> Polygon:
    """Return the part of the band for the centre line, without the clearance of edges and on one side of the middle."""
    low, high = _sides(limits.band, limits.axis)
    breadth = limits.axis.breadth(board)
    margin = limits.half_width + 0.06 * board.scale.base_width
    low, high = max(low, limits.clearance), min(high, breadth - limits.clearance)
    if low < breadth / 2 < high:
        # Bands of fixed inches may cross the middle of a small board; the river stays on the wider side.
        low, high = (low, breadth / 2) if breadth / 2 - low >= high - breadth / 2 else (breadth / 2, high)
    return limits.axis.belt(board, low + margin, max(low, high - margin))


def _sides(strip: Polygon, axis: Axis) -> SizeSpan:
    left, low, right, high = strip.bounds
    return (low, high) if axis is Axis.ACROSS else (left, right)


def _end(board: Board, axis: Axis, last: bool, at: float, span: SizeSpan) -> Terminal:
    """Return an end on the edge with a short perpendicular lead, slightly inside the sides of the band."""
    inner = min(max(at, span[0] + 0.12 * (span[1] - span[0])), span[1] - 0.12 * (span[1] - span[0]))
    whole, lead = axis.length(board), _LEAD * board.scale.base_width
    along, inside = (whole, whole - lead) if last else (0.0, lead)
    if axis is Axis.ACROSS:
        return Terminal((along, inner), (inside, inner))
    return Terminal((inner, along), (inner, inside))


def _manner(board: Board, breadth: float) -> CourseStyle:
    """Return the course style of a river, with a swing no wider than its band."""
    manner = MEANDERING.scaled(board.scale.base_width / _MANNER_BW)
    low, high = manner.swing
    most = min(high, 0.46 * breadth)
    bow = min(manner.bow, 0.1 * breadth / max(board.width, board.depth))
    return replace(manner, swing=(min(low, 0.6 * most), most), bow=bow)
