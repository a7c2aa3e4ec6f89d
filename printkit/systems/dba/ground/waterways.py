"""A waterway along an edge of the board, and a river between opposite edges within its band."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.shapes import SizeSpan, load_measures
from printkit.systems.dba.ground.terrain_limits import CourseLimits, Depths
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
_EDGE_TOLERANCE: Final = 0.05
# Base width in mm to which the course style of rivers is scaled.
_STYLE_BASE_MM: Final = 40.0

_LEAD_BW: Final = 0.5
_TRIES: Final = 6
# Share of the maximum length that a generated river may use.
_LENGTH_SHARE: Final = 0.985


# Returns whether a course may run along a centre line, in mm on the board.
LineTest: TypeAlias = Callable[[LineString], bool]


def make_waterway(board: Board, edge: Edge, depths: Depths, stream: Stream) -> Polygon:
    """Return the area of a waterway along a complete edge in mm on the board, with a wavy shore.

    Slightly more than half of its length stays within the shallow depth. The depth is between the limits of ``depths``.
    """
    axis = Axis.ACROSS if edge in (Edge.NEAR, Edge.FAR) else Axis.UP
    length = axis.length(board)
    positions = np.linspace(0.0, length, math.ceil(length / _STEP) + 1)
    wave = np.zeros_like(positions)
    look = load_measures("waterway")
    for wave_bw, share in look["waves"]:
        wavelength = wave_bw * board.scale.base_width * stream.between(0.8, 1.25)
        wave += share * exact_math.sin(math.tau * positions / wavelength + stream.between(0, math.tau))
    depth_range = depths.depth_max - depths.depth_min
    # Shares flatten towards 0 and 1 without reaching them, so that the shore never follows its limit.
    shares = _MARGIN + (1 - 2 * _MARGIN) / (1 + exact_math.exp(-4.4 * (look["mean"] + wave - 0.5)))
    depth = depths.depth_min + depth_range * shares
    middle = float(np.quantile(depth, _SHALLOW_HALF))
    if middle > depths.shallow_max:
        # All depths shrink by the same factor, so that the bays keep their shape.
        depth = depths.depth_min + (depth - depths.depth_min) * (depths.shallow_max - depths.depth_min) / (
            middle - depths.depth_min
        )
    shore = np.column_stack([positions, depth])
    ring = np.vstack([[0.0, 0.0], [length, 0.0], shore[::-1]])
    if axis is Axis.UP:
        ring = ring[:, ::-1]
    if edge is Edge.FAR:
        ring[:, 1] = board.depth - ring[:, 1]
    elif edge is Edge.RIGHT:
        ring[:, 0] = board.width - ring[:, 0]
    return shapely.geometry.polygon.orient(Polygon(ring))


def find_water_edge(water: BaseGeometry, board: Board) -> Edge | None:
    """Return the edge of the board that water (in mm on the board) covers completely, or None."""
    for edge in Edge:
        line = board.edge(edge)
        if line.intersection(water.buffer(_EDGE_TOLERANCE)).length >= line.length - 2 * _PROBE_OFF:
            return edge
    return None


def measure_depths(water: BaseGeometry, board: Board, edge: Edge) -> NDArray[np.float64]:
    """Return the depths of water in mm on the board, measured from an edge at regular steps along it."""
    return np.asarray(shapely.length(_probe_water(water, board, edge)), dtype=float)


def _probe_water(water: BaseGeometry, board: Board, edge: Edge) -> NDArray[np.object_]:
    """Return the wet part of each of 400 lines perpendicular to an edge, in mm on the board.

    The result is an array of geometries, empty where there is no water.
    """
    axis = Axis.ACROSS if edge in (Edge.NEAR, Edge.FAR) else Axis.UP
    positions = np.linspace(_PROBE_OFF, axis.length(board) - _PROBE_OFF, _PROBES)
    near_side, far_side = np.full_like(positions, -1.0), np.full_like(positions, axis.breadth(board) + 1.0)
    ends = np.stack([np.column_stack([positions, near_side]), np.column_stack([positions, far_side])], axis=1)
    probes = shapely.linestrings(ends if axis is Axis.ACROSS else ends[:, :, ::-1])
    return np.asarray(shapely.intersection(probes, water))


def route_river(
    board: Board,
    limits: CourseLimits,
    width: float,
    stream: Stream,
    *,
    accept: LineTest,
    closed: BaseGeometry,
    shore: Polygon | None = None,
) -> LineString | None:
    """Return the centre line of a river that ``accept`` accepts, or None if every try fails.

    The line and the width of the river are in mm on the board.

    Args:
        accept: gets the line and returns whether a river may run along it.
        closed: ground that the full width of the river avoids.
        shore: the waterway along the edge of one of its ends; the river ends at its shore.
    """
    strip = _river_strip(board, limits)
    low, high = limits.axis.cross_range(strip)
    if high - low < 0.2 * board.scale.base_width:
        return None
    ground = RoutingGround(free_area=strip, closed=closed, half_width=width / 2, step=board.scale.base_width / 4)
    style = _river_style(board, high - low)
    for _ in range(_TRIES):
        start, end = (
            _make_end(board, limits.axis, last, stream.between(low, high), (low, high)) for last in (False, True)
        )
        line = routed(start, end, ground, stream, style=style, max_ratio=_LENGTH_SHARE * limits.longest)
        line = None if line is None else cut_at_shore(line, shore)
        if line is not None and accept(line):
            return line
    return None


def cut_at_shore(line: LineString, shore: Polygon | None) -> LineString | None:
    """Return the part of a course before the shore of a waterway, or None if nothing remains.

    Shapes are in mm on the board. A course that does not reach the shore does not change.
    """
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


def _river_strip(board: Board, limits: CourseLimits) -> Polygon:
    """Return the part of the band for the centre line of a river, in mm on the board.

    It leaves out the clearance of edges, and is on one side of the middle of the board.
    """
    band_start, band_end = limits.axis.cross_range(limits.band)
    breadth = limits.axis.breadth(board)
    margin = limits.half_width + 0.06 * board.scale.base_width
    band_start, band_end = max(band_start, limits.clearance), min(band_end, breadth - limits.clearance)
    if band_start < breadth / 2 < band_end:
        # Bands of fixed inches may cross the middle of a small board; the river stays on the wider side.
        band_start, band_end = (
            (band_start, breadth / 2) if breadth / 2 - band_start >= band_end - breadth / 2 else (breadth / 2, band_end)
        )
    return limits.axis.edge_strip(board, band_start + margin, max(band_start, band_end - margin))


def _make_end(board: Board, axis: Axis, is_last: bool, offset: float, span: SizeSpan) -> Terminal:
    """Return an end of a river on the edge, with a short straight lead, slightly inside its band.

    ``offset`` is its position across the axis and ``span`` the range of the band, in mm on the board.
    """
    inner = min(max(offset, span[0] + 0.12 * (span[1] - span[0])), span[1] - 0.12 * (span[1] - span[0]))
    total_length, lead = axis.length(board), _LEAD_BW * board.scale.base_width
    edge_distance, inside = (total_length, total_length - lead) if is_last else (0.0, lead)
    return Terminal(axis.point(edge_distance, inner), axis.point(inside, inner))


def _river_style(board: Board, breadth: float) -> CourseStyle:
    """Return the course style of a river, whose bends fit into its band, ``breadth`` mm wide on the board."""
    style = MEANDERING.scaled(board.scale.base_width / _STYLE_BASE_MM)
    low, high = style.swing
    swing_max = min(high, 0.46 * breadth)
    bow = min(style.bow, 0.1 * breadth / max(board.width, board.depth))
    return replace(style, swing=(min(low, 0.6 * swing_max), swing_max), bow=bow)
