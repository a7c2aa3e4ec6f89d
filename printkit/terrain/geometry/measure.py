"""What rule books ask of shapes: lengths and bends, edges, overlaps, meetings; and places along a line in one pass.

Nothing here knows how a shape came about, so the same functions lay out a battlefield and judge one drawn by hand.
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

# --- Stations: places at many distances along a line, found in one pass over it ---------------------------------------

_Points = NDArray[np.float64]


def reached(line: BaseGeometry) -> NDArray[np.float64]:
    """Return how far along a line or ring each of its points lies, in mm; its first lies at 0."""
    return np.concatenate([[0.0], np.cumsum(_lengths(np.diff(shapely.get_coordinates(line), axis=0)))])


def stations(line: BaseGeometry, gone: ArrayLike) -> _Points:
    """Return the points at distances along a line or ring, as rows of x and y.

    Args:
        line: of two points at least and some length.
        gone: mm from its start, not below 0; whoever goes too far stands at its end.
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
    # Where one goes beyond a last piece of no length, there is nothing to divide by, and nothing is asked for.
    share = np.divide(along - start, lengths[place], out=np.zeros_like(along), where=~beyond)
    found: _Points = steps[place] * share[:, None] + corners[place]
    found[beyond] = corners[-1]
    return found


def between(line: BaseGeometry, start: float, stop: float) -> _Points:
    """Return the points of a line from one distance along it, in mm, to a greater one."""
    gone = reached(line)
    ends = stations(line, [start, stop])
    return np.vstack([ends[:1], shapely.get_coordinates(line)[(gone > start) & (gone < stop)], ends[1:]])


def _lengths(steps: _Points) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1])
    return found


_KEPT: Final = 16
"""Ribbons and edges that are kept at hand: a new course is held against the same ones try after try."""


class Meeting(Struct, frozen=True):
    """Where two lines cross: the place, the angle between them (0 to 90 degrees), and how far along each it lies."""

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
    """Return the length of a line over the straight distance between its ends; infinite if they coincide."""
    direct = straight(line)
    return math.inf if direct == 0 else float(line.length) / direct


def direction(line: LineString, along: float, over: float) -> float:
    """Return the bearing of a line at a distance from its start: of the chord that reaches ``over`` / 2 either way.

    Degrees anticlockwise from +x, from -180 to 180.
    """
    first = line.interpolate(max(0.0, along - over / 2))
    last = line.interpolate(min(line.length, along + over / 2))
    return math.degrees(math.atan2(last.y - first.y, last.x - first.x))


def bearing(start: Point, end: Point) -> float:
    """Return the bearing from one point to another: degrees anticlockwise from +x, from -180 to 180."""
    return math.degrees(math.atan2(end.y - start.y, end.x - start.x))


def turn_between(one: float, other: float) -> float:
    """Return by how many degrees two bearings differ: 0 the same way, 180 the opposite one."""
    return abs(math.remainder(one - other, 360.0))


def sharpest_bend(line: LineString, over: float) -> float:
    """Return the sharpest bend of a line in degrees: 0 is straight on, 180 straight back.

    A bend is the turn from the chord of ``over`` / 2 that leads up to a place to the one that leads on from it. So a
    corner counts in full, and a smooth curve by how much it turns about ``over`` mm of its way. Places nearer to an end
    than half that way are judged by the shorter chord that is left, down to a tenth of it.
    """
    return max((angle for angle, _ in bends(line, over)), default=0.0)


def bends(line: LineString, over: float) -> list[tuple[float, Point]]:
    """Return the bends of a line as ``sharpest_bend`` measures them, each with its place."""
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
    """Return the radius in mm of the sharpest bend of a line about ``over`` mm of its way; infinite if it has none."""
    bend = sharpest_bend(line, over)
    return over / 2 / math.radians(bend) if bend else math.inf


def quarters_met(shape: BaseGeometry, board: Board, least: float = 0.0) -> tuple[int, ...]:
    """Return which quarters of the board a shape meets: 1 far left, 2 far right, 3 near left, 4 near right.

    Args:
        least: mm of length, or mm² of area, that must lie in a quarter for it to count; a touch never counts.
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
    """Return the strip that a course of ``width`` covers, cut square at its ends.

    Args:
        rounding: pieces of a quarter circle.
    """
    return line.buffer(width / 2, cap_style="flat", quad_segs=rounding)


def edge_of(point: Point, board: Board, tolerance: float = 0.01) -> tuple[Edge, float] | None:
    """Return the edge on which a point lies and its distance from that edge's left or near end, or None."""
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
    """Return the corners of a board."""
    return MultiPoint([(0, 0), (width, 0), (width, depth), (0, depth)])


def touches_edge_only_at_ends(line: LineString, board: Board, tolerance: float = 0.01) -> bool:
    """Return whether a line lies on the board and meets its edge nowhere but at its own ends (BR-G53)."""
    inside, rim = _bounds(board, tolerance)
    if not inside.covers(line):
        return False
    ends = shapely.multipoints(points_of(line)[[0, -1]])
    met = line.intersection(rim)
    return all(part.distance(ends) <= tolerance and part.length <= 10 * tolerance for part in _parts(met))


@lru_cache(maxsize=_KEPT)
def _bounds(board: Board, tolerance: float) -> tuple[Polygon, Polygon]:
    """Return a board and its edge, both that much wider."""
    found = board.shape.buffer(tolerance), board.shape.exterior.buffer(tolerance)
    shapely.prepare(found)
    return found


def runs_inside(line: LineString, board: Board, by: float) -> bool:
    """Return whether a line keeps ``by`` mm from every edge, apart from running in and out at its ends (BR-G34).

    An end on an edge has twice ``by`` of its way to get clear of it: a slant of thirty degrees is just enough.
    """
    return edge_room(line, board, by) >= by - 0.01 and touches_edge_only_at_ends(line, board)


def edge_room(line: LineString, board: Board, by: float) -> float:
    """Return how near to an edge a line comes in mm, apart from twice ``by`` of its way at each end on an edge.

    Beyond an edge it is less than nothing, and infinite where nothing of the line is left.
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
    """Return the angle between two lines at a place on both: 0 degrees alongside, 90 square.

    Args:
        over: mm of each line whose chord gives its direction there.
    """
    return _angle(line, float(line.project(at)), other, float(other.project(at)), over)


def _angle(line: LineString, along: float, other: LineString, along_other: float, over: float) -> float:
    turn = abs(direction(line, along, over) - direction(other, along_other, over)) % 180.0
    return min(turn, 180.0 - turn)


def meetings(line: LineString, other: LineString, over: float = 10.0) -> tuple[Meeting, ...]:
    """Return where a line crosses another, in the order along the first; of a stretch that both share, its middle.

    Args:
        over: mm of each line whose chord gives its direction there.
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
    """Return the pieces of ``common_pieces``, each with the mm of it that lie in the other course."""
    pieces, strip = common_pieces(line, width, other, other_width), ribbon(other, other_width, rounding=16)
    return [(piece, float(piece.intersection(strip).length)) for piece in pieces]


def common_pieces(line: LineString, width: float, other: LineString, other_width: float) -> tuple[LineString, ...]:
    """Return the stretches of a course's centre line that lie in another course's ribbon (BR-G57).

    A course that merely brushes the other counts too: its edge may be in the ribbon though its middle is not, so the
    ribbons are compared, and each common piece gives the stretch of centre line beside it.
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
    """Return the pieces of a shape; none if it is empty."""
    return [part for part in shapely.get_parts(shape) if not part.is_empty]


WAVER: Final = 1.5
"""Millimetres by which a side that was drawn may waver: on a small board that looks like a corner, and is none."""


def corners(outline: Polygon, over: float) -> int:
    """Return how many corners an outline has that stand off the straight line between their neighbours.

    Args:
        over: mm by which they do at least. A corner that is rounded by less than that is one, and what wavers by less
            between two corners is straight.
    """
    ring, centre = shapely.get_coordinates(outline.exterior)[:-1], outline.centroid
    # What lies farthest from the middle is a corner for certain, and there the ring is cut open.
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
    """Return the points where a line passes an outline."""
    return [
        part
        for part in shapely.get_parts(line.intersection(outline.exterior))
        if isinstance(part, Point) and not part.is_empty
    ]
