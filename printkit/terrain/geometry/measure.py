"""Measurements of shapes for the rules: lengths, bends, edges, overlaps, crossings, stations.

The functions do not depend on the source of a shape: they serve generated battlefields and those drawn by hand.
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

from printkit.core import elementary
from printkit.terrain.field.battlefield import Board, Edge

# --- Stations: points at many distances along a line, found in one pass -----------------------------------------------

_Points = NDArray[np.float64]


def reached(line: BaseGeometry) -> NDArray[np.float64]:
    """Return the distance of each point along a line or ring in mm; the first is 0."""
    return np.concatenate([[0.0], np.cumsum(_lengths(np.diff(shapely.get_coordinates(line), axis=0)))])


def stations(line: BaseGeometry, gone: ArrayLike) -> _Points:
    """Return the points at given distances along a line or ring, as rows of x and y.

    Args:
        line: at least two points, with a length above 0.
        gone: distances from its start in mm, not negative; a distance past the end gives the end.
    """
    corners = shapely.get_coordinates(line)
    steps = np.diff(corners, axis=0)
    lengths = _lengths(steps)
    ends = np.cumsum(lengths)
    along = np.asarray(gone, dtype=float)
    place = np.searchsorted(ends, along, side="right")
    beyond = place == len(ends)
    place[beyond] = len(ends) - 1
    start = np.where(place > 0, ends[place - 1], 0.0)
    # Past the end there is no division: the last segment may have length 0.
    share = np.divide(along - start, lengths[place], out=np.zeros_like(along), where=~beyond)
    found: _Points = steps[place] * share[:, None] + corners[place]
    found[beyond] = corners[-1]
    return found


def between(line: BaseGeometry, start: float, stop: float) -> _Points:
    """Return the points of a line between two distances along it in mm, including both ends."""
    gone = reached(line)
    ends = stations(line, [start, stop])
    return np.vstack([ends[:1], shapely.get_coordinates(line)[(gone > start) & (gone < stop)], ends[1:]])


def _lengths(steps: _Points) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1])
    return found


# Size of the caches for ribbons and edges: each attempt for a new course is compared with the same ones.
_KEPT: Final = 16


class Meeting(Struct, frozen=True):
    """A crossing of two lines.

    Attributes:
        at: the point.
        angle: the angle between the lines, 0 to 90 degrees.
        along, along_other: distance of the point along each line, in mm.
    """

    at: Point
    angle: float
    along: float
    along_other: float


def points_of(line: BaseGeometry) -> NDArray[np.float64]:
    """Return the coordinates of a shape as rows of x and y."""
    found: NDArray[np.float64] = shapely.get_coordinates(line)
    return found


def straight(line: LineString) -> float:
    """Return the straight distance between the ends of a line."""
    return math.dist(line.coords[0], line.coords[-1])


def sinuosity(line: LineString) -> float:
    """Return the length of a line divided by the distance of its ends; infinite if they coincide."""
    direct = straight(line)
    return math.inf if direct == 0 else float(line.length) / direct


def direction(line: LineString, along: float, over: float) -> float:
    """Return the bearing of a line at a distance from its start.

    It is the bearing of the chord from ``over`` / 2 mm before the point to ``over`` / 2 mm after it, in degrees
    anticlockwise from +x, -180 to 180.
    """
    first = line.interpolate(max(0.0, along - over / 2))
    last = line.interpolate(min(line.length, along + over / 2))
    return math.degrees(math.atan2(last.y - first.y, last.x - first.x))


def bearing(start: Point, end: Point) -> float:
    """Return the bearing from one point to another in degrees anticlockwise from +x, -180 to 180."""
    return math.degrees(math.atan2(end.y - start.y, end.x - start.x))


def turn_between(one: float, other: float) -> float:
    """Return the difference of two bearings in degrees: 0 for the same direction, 180 for opposite ones."""
    return abs(math.remainder(one - other, 360.0))


def sharpest_bend(line: LineString, over: float) -> float:
    """Return the sharpest bend of a line in degrees: 0 is straight on, 180 straight back.

    A bend at a point is the angle between the chords over ``over`` / 2 mm before it and after it. A corner
    therefore counts in full, and a smooth curve by its turn over about ``over`` mm. Near an end the chord is
    shorter, down to a tenth of its length.
    """
    return max((angle for angle, _ in bends(line, over)), default=0.0)


def bends(line: LineString, over: float) -> list[tuple[float, Point]]:
    """Return the bends of a line in degrees, measured like ``sharpest_bend``, each with its point."""
    reach, whole = over / 2, float(line.length)
    corners = reached(line)[1:-1]
    steps = np.linspace(0.0, whole, max(3, math.ceil(whole / (over / 10)) + 1))
    places = np.concatenate([corners, steps])
    places = places[(places > reach / 10) & (places < whole - reach / 10)]
    if not len(places):
        return []
    around = np.concatenate([places, np.maximum(places - reach, 0.0), np.minimum(places + reach, whole)])
    here, before, after = stations(line, around).reshape(3, -1, 2)
    arriving, leaving = here - before, after - here
    cross = arriving[:, 0] * leaving[:, 1] - arriving[:, 1] * leaving[:, 0]
    turns = np.degrees(np.abs(elementary.arctan2(cross, (arriving * leaving).sum(axis=1))))
    return list(zip(turns.tolist(), shapely.points(here), strict=True))


def bend_radius(line: LineString, over: float) -> float:
    """Return the radius of a line's sharpest bend over ``over`` mm, in mm; infinite for a straight line."""
    bend = sharpest_bend(line, over)
    return over / 2 / math.radians(bend) if bend else math.inf


def quarters_met(shape: BaseGeometry, board: Board, least: float = 0.0) -> tuple[int, ...]:
    """Return the board quarters with a shape: 1 far left, 2 far right, 3 near left, 4 near right.

    Args:
        least: a quarter counts if more than this length in mm, or area in mm², is in it; a touch never counts.
    """
    found: list[int] = []
    for number, quarter in enumerate(board.zones(2, 2), 1):
        part = shape.intersection(quarter)
        extent = part.area if shape.area > 0 else part.length
        if extent > least:
            found.append(number)
    return tuple(found)


def gap(one: BaseGeometry, other: BaseGeometry) -> float:
    """Return the distance between two shapes; 0 if they touch or overlap."""
    return float(one.distance(other))


def overlap(one: BaseGeometry, other: BaseGeometry) -> float:
    """Return the area in mm² that two shapes share."""
    return float(one.intersection(other).area)


@lru_cache(maxsize=_KEPT)
def ribbon(line: LineString, width: float, *, rounding: int = 8) -> Polygon:
    """Return the area that a course of ``width`` mm covers, with square ends. Cached.

    Args:
        rounding: number of segments of a quarter circle.
    """
    return line.buffer(width / 2, cap_style="flat", quad_segs=rounding)


def edge_of(point: Point, board: Board, tolerance: float = 0.01) -> tuple[Edge, float] | None:
    """Return the edge that a point is on and its distance from the edge's left or near end, or None."""
    for edge in Edge:
        side = board.edge(edge)
        if side.distance(point) <= tolerance:
            return edge, float(side.project(point))
    return None


def corner_distance(point: Point, board: Board) -> float:
    """Return the distance of a point from the nearest corner of the board."""
    return float(shapely.distance(point, _corners(board.width, board.depth)))


@lru_cache(maxsize=_KEPT)
def _corners(width: float, depth: float) -> MultiPoint:
    return MultiPoint([(0, 0), (width, 0), (width, depth), (0, depth)])


def touches_edge_only_at_ends(line: LineString, board: Board, tolerance: float = 0.01) -> bool:
    """Return whether a line stays on the board and meets its edge only at the line's ends (BR-G53)."""
    inside, rim = _bounds(board, tolerance)
    if not inside.covers(line):
        return False
    ends = shapely.multipoints(points_of(line)[[0, -1]])
    met = line.intersection(rim)
    return all(part.distance(ends) <= tolerance and part.length <= 10 * tolerance for part in _parts(met))


@lru_cache(maxsize=_KEPT)
def _bounds(board: Board, tolerance: float) -> tuple[Polygon, Polygon]:
    """Return the area of a board and the line of its edge, both buffered by the tolerance."""
    found = board.shape.buffer(tolerance), board.shape.exterior.buffer(tolerance)
    shapely.prepare(found)
    return found


def runs_inside(line: LineString, board: Board, by: float) -> bool:
    """Return whether a line keeps ``by`` mm from every edge, except near ends on an edge (BR-G34).

    The exception is twice ``by`` mm of the line at each end: a slant of thirty degrees is just enough.
    """
    return edge_room(line, board, by) >= by - 0.01 and touches_edge_only_at_ends(line, board)


def edge_room(line: LineString, board: Board, by: float) -> float:
    """Return the smallest distance of a line from an edge in mm, except near ends on an edge.

    The exception is twice ``by`` mm of the line at each end. The result is negative past an edge, and
    infinite if no part of the line remains.
    """
    start, stop = 0.0, float(line.length)
    if edge_of(Point(line.coords[0]), board) is not None:
        start += 2 * by
    if edge_of(Point(line.coords[-1]), board) is not None:
        stop -= 2 * by
    if stop <= start:
        return math.inf
    left, low, right, high = substring(line, start, stop).bounds
    return float(min(left, low, board.width - right, board.depth - high))


def angle_at(at: Point, line: LineString, other: LineString, over: float = 10.0) -> float:
    """Return the angle between two lines at a point on both: 0 degrees for parallel, 90 for square.

    Args:
        over: length of the chord that gives the direction of each line, in mm.
    """
    return _angle(line, float(line.project(at)), other, float(other.project(at)), over)


def _angle(line: LineString, along: float, other: LineString, along_other: float, over: float) -> float:
    turn = abs(direction(line, along, over) - direction(other, along_other, over)) % 180.0
    return min(turn, 180.0 - turn)


def meetings(line: LineString, other: LineString, over: float = 10.0) -> tuple[Meeting, ...]:
    """Return the crossings of two lines, in order along the first; a shared section gives its middle.

    Args:
        over: length of the chord that gives the direction of each line, in mm.
    """
    found: list[Meeting] = []
    parts = _parts(line.intersection(other))
    shared = [part for part in parts if isinstance(part, LineString)]
    merged = _parts(shapely.line_merge(shapely.MultiLineString(shared))) if shared else []
    for part in [part for part in parts if isinstance(part, Point)] + merged:
        at = part if isinstance(part, Point) else part.interpolate(0.5, normalized=True)
        along, along_other = float(line.project(at)), float(other.project(at))
        found.append(Meeting(at, _angle(line, along, other, along_other, over), along, along_other))
    return tuple(sorted(found, key=lambda meeting: meeting.along))


def wet_lengths(
    line: LineString, width: float, other: LineString, other_width: float
) -> list[tuple[LineString, float]]:
    """Return the result of ``common_pieces``, each with its length inside the other course in mm."""
    pieces, strip = common_pieces(line, width, other, other_width), ribbon(other, other_width, rounding=16)
    return [(piece, float(piece.intersection(strip).length)) for piece in pieces]


def common_pieces(line: LineString, width: float, other: LineString, other_width: float) -> tuple[LineString, ...]:
    """Return the sections of a course's centre line where it overlaps another course (BR-G57).

    The areas of both courses are compared, so a course that only brushes the other counts too. Each common area gives
    the section of centre line next to it.
    """
    if not shapely.dwithin(line, other, (width + other_width) / 2 + 1.0):
        return ()
    shared = ribbon(line, width).intersection(ribbon(other, other_width))
    found: list[LineString] = []
    for part in _parts(shared):
        if part.area <= 1e-6:
            continue
        wet = part.intersection(line)
        lengths = [piece for piece in _parts(wet) if isinstance(piece, LineString)]
        if lengths:
            along = line.project(shapely.points(np.concatenate([points_of(piece) for piece in lengths])))
        else:
            along = line.project(shapely.points(points_of(part)))
        found.append(substring(line, float(along.min()), float(along.max())))
    return tuple(sorted(found, key=lambda piece: float(line.project(Point(piece.coords[0])))))


def _parts(shape: BaseGeometry) -> list[BaseGeometry]:
    """Return the non-empty parts of a shape."""
    return [part for part in shapely.get_parts(shape) if not part.is_empty]


# Waver of a drawn side that does not count as a corner, in mm; it matters on small boards.
WAVER: Final = 1.5


def corners(outline: Polygon, over: float) -> int:
    """Return the number of corners of an outline.

    Args:
        over: minimum distance in mm of a corner from the line between its neighbours. A corner rounded by less counts
            as one corner, and a side that wavers by less counts as straight.
    """
    ring, centre = shapely.get_coordinates(outline.exterior)[:-1], outline.centroid
    # The point farthest from the middle is certainly a corner, so cut the ring open there.
    ring = np.roll(ring, -int(np.argmax(np.hypot(*(ring - (centre.x, centre.y)).T))), axis=0)
    opened = LineString([*ring, ring[0]]).simplify(over, preserve_topology=False)
    found = shapely.get_coordinates(opened)[:-1]
    while len(found) > 2:
        across = shapely.linestrings(np.stack([np.roll(found, 1, axis=0), np.roll(found, -1, axis=0)], axis=1))
        off = shapely.distance(across, shapely.points(found))
        least = int(np.argmin(off))
        if off[least] > over:
            break
        found = np.delete(found, least, axis=0)
    return len(found)


def shores(line: LineString, outline: Polygon) -> list[Point]:
    """Return the points where a line crosses an outline."""
    return [
        part
        for part in shapely.get_parts(line.intersection(outline.exterior))
        if isinstance(part, Point) and not part.is_empty
    ]
