"""Measurements of shapes for the rules: lengths, bends, edges, overlaps, crossings, stations.

The functions do not depend on the source of a shape: they serve generated battlefields and those drawn by hand.
Lengths are in the mm of the shapes given: mm on the board, or printed mm for a scaled battlefield.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray
from shapely import LineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.core import exact_math
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Course, Crossing, Feature

# --- Stations: points at many distances along a line, found in one pass -----------------------------------------------

_Points = NDArray[np.float64]


def point_distances(line: BaseGeometry) -> NDArray[np.float64]:
    """Return the distance of each point along a line or ring, in the mm of the line; the first is 0.

    The result has as many numbers as the line has points.
    """
    return np.concatenate([[0.0], np.cumsum(_segment_lengths(np.diff(shapely.get_coordinates(line), axis=0)))])


def interpolate_points(line: BaseGeometry, distances: ArrayLike) -> _Points:
    """Return the points at given distances along a line or ring, as rows of x and y in its mm.

    Args:
        line: at least two points, with a length above 0.
        distances: distances from its start in mm, not negative; a distance past the end gives the end.
    """
    corners = shapely.get_coordinates(line)
    steps = np.diff(corners, axis=0)
    lengths = _segment_lengths(steps)
    ends = np.cumsum(lengths)
    targets = np.asarray(distances, dtype=float)
    segment = np.searchsorted(ends, targets, side="right")
    is_past_end = segment == len(ends)
    segment[is_past_end] = len(ends) - 1
    start = np.where(segment > 0, ends[segment - 1], 0.0)
    # Past the end there is no division: the last segment may have length 0.
    share = np.divide(targets - start, lengths[segment], out=np.zeros_like(targets), where=~is_past_end)
    points: _Points = steps[segment] * share[:, None] + corners[segment]
    points[is_past_end] = corners[-1]
    return points


def cut_line(line: BaseGeometry, start: float, stop: float) -> _Points:
    """Return the points of a line from distance ``start`` to ``stop`` along it, including both ends.

    The distances are in the mm of the line, ``start`` is at least 0, and a ``stop`` past the end gives the end. The
    points are rows of x and y in the same mm: the start, the corners between, the stop.
    """
    distances = point_distances(line)
    ends = interpolate_points(line, [start, stop])
    return np.vstack([ends[:1], shapely.get_coordinates(line)[(distances > start) & (distances < stop)], ends[1:]])


def _segment_lengths(steps: _Points) -> NDArray[np.float64]:
    """Return the length of each segment, from rows of its x and y steps in the same mm."""
    lengths: NDArray[np.float64] = np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1])
    return lengths


# Size of the caches for ribbons and edges: each attempt for a new course is compared with the same ones.
_CACHE_SIZE: Final = 16


class Meeting(Struct, frozen=True):
    """A crossing of two lines.

    Attributes:
        at: the point.
        angle: the angle between the lines, 0 to 90 degrees.
        along, along_other: distance of the point along each line, in mm.
    """

    at: Point
    angle: float
    distance: float
    other_distance: float


def line_points(line: BaseGeometry) -> NDArray[np.float64]:
    """Return the coordinates of a shape in its mm, as rows of x and y.

    The last point of a ring repeats the first.
    """
    points: NDArray[np.float64] = shapely.get_coordinates(line)
    return points


def straight_length(line: LineString) -> float:
    """Return the straight distance between the ends of a line, in the mm of the line."""
    return math.dist(line.coords[0], line.coords[-1])


def sinuosity(line: LineString) -> float:
    """Return a line's length divided by the distance of its ends, 1 or more; infinite if they coincide."""
    direct = straight_length(line)
    return math.inf if direct == 0 else float(line.length) / direct


def line_bearing(line: LineString, distance: float, span_mm: float) -> float:
    """Return the bearing of a line at ``distance`` mm from its start (mm of the line), in degrees.

    It is the bearing of the chord from ``span_mm`` / 2 mm before the point to ``span_mm`` / 2 mm after it,
    anticlockwise from +x, -180 to 180. The chord ends at the ends of the line.
    """
    first = line.interpolate(max(0.0, distance - span_mm / 2))
    last = line.interpolate(min(line.length, distance + span_mm / 2))
    return math.degrees(math.atan2(last.y - first.y, last.x - first.x))


def bearing(start: Point, end: Point) -> float:
    """Return the bearing from one point to another in degrees anticlockwise from +x, -180 to 180."""
    return math.degrees(math.atan2(end.y - start.y, end.x - start.x))


def turn_between(first: float, second: float) -> float:
    """Return the angle between two bearings in degrees: 0 for the same direction, 180 for opposite ones."""
    return abs(math.remainder(first - second, 360.0))


def sharpest_bend(line: LineString, span_mm: float) -> float:
    """Return the sharpest bend of a line in degrees: 0 is straight on, 180 straight back.

    ``span_mm`` is in the mm of the line. A bend at a point is the angle between the chords over ``span_mm`` / 2 mm
    before it and after it. A corner therefore counts in full, and a smooth curve by its turn over about ``span_mm`` mm.
    Near an end the chord is shorter, down to a tenth of its length. The result is 0 for a line that is too short to
    measure.
    """
    return max((angle for angle, _ in measure_bends(line, span_mm)), default=0.0)


def measure_bends(line: LineString, span_mm: float) -> list[tuple[float, Point]]:
    """Return the bends of a line, measured like ``sharpest_bend``: pairs (degrees, point).

    The pairs are not in order along the line: first those at its corners, then those at steps of about ``span_mm`` / 10
    mm, in the mm of the line. A bend is the angle between the chords over ``span_mm`` / 2 before and after the point; a
    chord stops at the end of the line. There is no pair within ``span_mm`` / 20 of an end, so the list is empty for a
    line of at most ``span_mm`` / 10. The degrees are 0 (straight on) to 180.
    """
    reach, length = span_mm / 2, float(line.length)
    corners = point_distances(line)[1:-1]
    steps = np.linspace(0.0, length, max(3, math.ceil(length / (span_mm / 10)) + 1))
    places = np.concatenate([corners, steps])
    places = places[(places > reach / 10) & (places < length - reach / 10)]
    if not len(places):
        return []
    stops = np.concatenate([places, np.maximum(places - reach, 0.0), np.minimum(places + reach, length)])
    centres, before, after = interpolate_points(line, stops).reshape(3, -1, 2)
    arriving, leaving = centres - before, after - centres
    cross = arriving[:, 0] * leaving[:, 1] - arriving[:, 1] * leaving[:, 0]
    turns = np.degrees(np.abs(exact_math.arctan2(cross, (arriving * leaving).sum(axis=1))))
    return list(zip(turns.tolist(), shapely.points(centres), strict=True))


def bend_radius(line: LineString, span_mm: float) -> float:
    """Return the radius of a line's sharpest bend, measured over ``span_mm``, both in mm of the line.

    It is infinite for a straight line and for one too short to measure. A sharp corner gives a small radius, never 0.
    """
    bend = sharpest_bend(line, span_mm)
    return span_mm / 2 / math.radians(bend) if bend else math.inf


def quarters_met(shape: BaseGeometry, board: Board, min_extent: float = 0.0) -> tuple[int, ...]:
    """Return the numbers of the board quarters that a shape is in, in order.

    They are 1 far left, 2 far right, 3 near left, 4 near right. The result is empty for a shape off the board and for a
    point.

    Args:
        shape: the shape in mm on the board.
        board: the board.
        min_extent: a quarter counts if more than this length of a line in mm, or area of a polygon in mm², is in it; a
            touch never counts.
    """
    numbers: list[int] = []
    for number, quarter in enumerate(board.zones(2, 2), 1):
        part = shape.intersection(quarter)
        extent = part.area if shape.area > 0 else part.length
        if extent > min_extent:
            numbers.append(number)
    return tuple(numbers)


def gap(first: BaseGeometry, second: BaseGeometry) -> float:
    """Return the distance between two shapes in mm on the board; 0 if they touch or overlap."""
    return float(first.distance(second))


def overlap(first: BaseGeometry, second: BaseGeometry) -> float:
    """Return the area in mm² on the board that two shapes share; 0 if they do not overlap."""
    return float(first.intersection(second).area)


@lru_cache(maxsize=_CACHE_SIZE)
def ribbon(line: LineString, width: float, *, rounding: int = 8) -> Polygon:
    """Return the area that a course of this width covers around its centre line. Cached.

    Its ends are square. Width, line and area are in the same mm, on the board or printed.

    Args:
        rounding: number of segments of a quarter circle.
    """
    return line.buffer(width / 2, cap_style="flat", quad_segs=rounding)


def ground_of(feature: Feature) -> BaseGeometry:
    """Return the ground that a feature covers, in the mm of its shape.

    A crossing is its point, a course the area of its width, a hill its lowest contour, another feature its outline.
    """
    match feature:
        case Crossing():
            return feature.at
        case Course():
            return ribbon(feature.line, feature.width)
        case _:
            return feature.outline


def locate_on_edge(point: Point, board: Board, tolerance: float = 0.01) -> tuple[Edge, float] | None:
    """Return the edge that a point is on and its distance along that edge, or None if it is on no edge.

    Lengths are in mm on the board. The distance starts at the left or near end of the edge. A point at most
    ``tolerance`` mm from an edge is on it, on either side. At a corner it is the first edge in the order of ``Edge``.
    """
    for edge in Edge:
        side = board.edge(edge)
        if side.distance(point) <= tolerance:
            return edge, float(side.project(point))
    return None


def corner_distance(point: Point, board: Board) -> float:
    """Return the distance in mm on the board from a point to the nearest of its corners."""
    return float(shapely.distance(point, _corners(board.width, board.depth)))


@lru_cache(maxsize=_CACHE_SIZE)
def _corners(width: float, depth: float) -> MultiPoint:
    """Return the four corners of a board, from its width and depth in mm on the board. Cached.

    The origin is the near left corner.
    """
    return MultiPoint([(0, 0), (width, 0), (width, depth), (0, depth)])


def touches_edge_only_at_ends(line: LineString, board: Board, tolerance: float = 0.01) -> bool:
    """Return whether a line stays on the board and meets its edge only at the line's ends (BR-G53).

    A line that does not meet the edge at all passes too. ``tolerance`` is in mm on the board: the line may be outside
    by that much, and run along the edge for ten times that much at an end.
    """
    inside, rim = _buffer_board(board, tolerance)
    if not inside.covers(line):
        return False
    ends = shapely.multipoints(line_points(line)[[0, -1]])
    contacts = line.intersection(rim)
    return all(part.distance(ends) <= tolerance and part.length <= 10 * tolerance for part in _nonempty_parts(contacts))


@lru_cache(maxsize=_CACHE_SIZE)
def _buffer_board(board: Board, tolerance: float) -> tuple[Polygon, Polygon]:
    """Return the areas of the board and of its edge line, both buffered by ``tolerance`` mm on the board."""
    shapes = board.shape.buffer(tolerance), board.shape.exterior.buffer(tolerance)
    shapely.prepare(shapes)
    return shapes


def edge_clearance(line: LineString, board: Board, distance_mm: float) -> float:
    """Return the least distance of a line from the edges in mm on the board, except near ends on an edge (BR-G34).

    The exception is twice ``distance_mm`` mm of the line at each end: a slant of thirty degrees is just enough. The
    result is negative past an edge, and infinite if no part of the line remains.
    """
    start, stop = 0.0, float(line.length)
    if locate_on_edge(Point(line.coords[0]), board) is not None:
        start += 2 * distance_mm
    if locate_on_edge(Point(line.coords[-1]), board) is not None:
        stop -= 2 * distance_mm
    if stop <= start:
        return math.inf
    left, low, right, high = substring(line, start, stop).bounds
    return float(min(left, low, board.width - right, board.depth - high))


def crossing_angle(point: Point, line: LineString, other: LineString, span_mm: float = 10.0) -> float:
    """Return the angle between two lines at a point on both: 0 degrees for parallel, 90 for square.

    The point may be off the lines; the nearest point of each line then counts.

    Args:
        point: the point.
        line: the first line.
        other: the second line.
        span_mm: length of the chord that gives the direction of each line, in mm of the lines.
    """
    return _angle_between(line, float(line.project(point)), other, float(other.project(point)), span_mm)


def _angle_between(
    line: LineString, distance: float, other: LineString, other_distance: float, span_mm: float
) -> float:
    """Return the angle between two lines at a distance along each in mm, 0 to 90 degrees.

    Args:
        line: the first line.
        distance: the distance along the first line.
        other: the second line.
        other_distance: the distance along the second line.
        span_mm: length of the chord that gives the direction of each line.
    """
    turn = abs(line_bearing(line, distance, span_mm) - line_bearing(other, other_distance, span_mm)) % 180.0
    return min(turn, 180.0 - turn)


def find_meetings(line: LineString, other: LineString, span_mm: float = 10.0) -> tuple[Meeting, ...]:
    """Return where two lines cross or touch, in order along the first; a shared section gives its middle.

    Each ``Meeting`` has the point, the angle (0 to 90 degrees) and the distances along both lines in mm. The result is
    empty if they do not meet.

    Args:
        line: the first line.
        other: the second line.
        span_mm: length of the chord that gives the direction of each line, in mm.
    """
    results: list[Meeting] = []
    parts = _nonempty_parts(line.intersection(other))
    lines = [part for part in parts if isinstance(part, LineString)]
    merged = _nonempty_parts(shapely.line_merge(shapely.MultiLineString(lines))) if lines else []
    for part in [part for part in parts if isinstance(part, Point)] + merged:
        point = part if isinstance(part, Point) else part.interpolate(0.5, normalized=True)
        distance, other_distance = float(line.project(point)), float(other.project(point))
        results.append(
            Meeting(point, _angle_between(line, distance, other, other_distance, span_mm), distance, other_distance)
        )
    return tuple(sorted(results, key=lambda meeting: meeting.distance))


def common_pieces(line: LineString, width: float, other: LineString, other_width: float) -> tuple[LineString, ...]:
    """Return the sections of a course's centre line where it overlaps another course (BR-G57).

    The areas of both courses are compared, so a course that only brushes the other counts too. Each common area gives
    the section of centre line next to it. ``width`` and ``other_width`` are the widths of the courses in mm on the
    board. The result is empty if they do not overlap. Sections are parts of ``line``, in order along it.
    """
    if not shapely.dwithin(line, other, (width + other_width) / 2 + 1.0):
        return ()
    common = ribbon(line, width).intersection(ribbon(other, other_width))
    pieces: list[LineString] = []
    for part in _nonempty_parts(common):
        if part.area <= 1e-6:
            continue
        inside = part.intersection(line)
        lengths = [piece for piece in _nonempty_parts(inside) if isinstance(piece, LineString)]
        if lengths:
            distances = line.project(shapely.points(np.concatenate([line_points(piece) for piece in lengths])))
        else:
            distances = line.project(shapely.points(line_points(part)))
        pieces.append(substring(line, float(distances.min()), float(distances.max())))
    return tuple(sorted(pieces, key=lambda piece: float(line.project(Point(piece.coords[0])))))


def _nonempty_parts(shape: BaseGeometry) -> list[BaseGeometry]:
    """Return the parts of a shape, for example its polygons, without the empty ones."""
    return [part for part in shapely.get_parts(shape) if not part.is_empty]


# Waver of a drawn side that does not count as a corner, in mm; it matters on small boards.
MAX_WAVER_MM: Final = 1.5


def count_corners(outline: Polygon, min_offset_mm: float) -> int:
    """Return the number of corners of an outline, without those of its holes.

    Args:
        outline: the outline, in mm on the board.
        min_offset_mm: minimum distance in mm of a corner from the line between its neighbours. A corner rounded by less
            counts as one corner, and a side that wavers by less counts as straight.
    """
    ring, centre = shapely.get_coordinates(outline.exterior)[:-1], outline.centroid
    # The point farthest from the middle is certainly a corner, so cut the ring open there.
    ring = np.roll(ring, -int(np.argmax(np.hypot(*(ring - (centre.x, centre.y)).T))), axis=0)
    simplified = LineString([*ring, ring[0]]).simplify(min_offset_mm, preserve_topology=False)
    points = shapely.get_coordinates(simplified)[:-1]
    while len(points) > 2:
        chords = shapely.linestrings(np.stack([np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)], axis=1))
        offsets = shapely.distance(chords, shapely.points(points))
        flattest = int(np.argmin(offsets))
        if offsets[flattest] > min_offset_mm:
            break
        points = np.delete(points, flattest, axis=0)
    return len(points)


def find_shores(line: LineString, outline: Polygon) -> list[Point]:
    """Return the points where a line crosses or touches an outline, in mm on the board; empty if it does not.

    Holes of the outline do not count, nor sections where the line runs along the outline. The points are in no fixed
    order.
    """
    return [
        part
        for part in shapely.get_parts(line.intersection(outline.exterior))
        if isinstance(part, Point) and not part.is_empty
    ]
