"""What the judge measures on rivers and roads: the piece on the board, its two ends, angles where lines meet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Area, Course, Hill

TOLERANCE: Final = 0.05
"""Millimetres that a measure may be off before it breaks a clause: far under what a pencil draws."""

AreaOrHill: TypeAlias = Area | Hill

_LOOK: Final = 4.0
"""Millimetres along a line over which its direction is taken: a bend of a hand's tremble is no bend."""


class Stop(Enum):
    """Where a course may start or end."""

    EDGE = auto()
    AREA = auto()
    COURSE = auto()
    NOWHERE = auto()


class End(Struct, frozen=True, kw_only=True):
    """One end of a course: the point, and what is there (an edge, or the ID of a feature)."""

    at: Point
    stop: Stop
    what: str = ""

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Sentence:
        """Return where the end is."""
        place = f"({self.at.x:.1f}, {self.at.y:.1f})"
        match self.stop:
            case Stop.EDGE:
                return Sentence("{place} on the {what} edge", place=place, what=self.what)
            case Stop.AREA:
                return Sentence("{place} in {what}", place=place, what=self.what)
            case Stop.COURSE:
                return Sentence("{place} on {what}", place=place, what=self.what)
            case Stop.NOWHERE:
                return Sentence("{place}, which is nowhere it may", place=place)


class JudgedWay(Struct, frozen=True, kw_only=True):
    """A course as it lies on the board: the centre line, clipped where it overran, and its ends."""

    course: Course
    line: LineString
    pieces: int
    start: End
    end: End

    @property
    def id(self) -> str:
        """Return the ID of the course."""
        return self.course.id

    @property
    def straight(self) -> float:
        """Return the straight distance between the ends."""
        return float(self.start.at.distance(self.end.at))

    @property
    def bed(self) -> BaseGeometry:
        """Return the ground that the course covers, with flat ends."""
        return self.line.buffer(self.course.width / 2, cap_style="flat")

    def ends(self, stop: Stop) -> Iterator[End]:
        """Yield the ends of a sort, the start first."""
        return (end for end in (self.start, self.end) if end.stop is stop)


def ways(courses: Sequence[Course], into: Sequence[AreaOrHill], board: Board) -> tuple[JudgedWay, ...]:
    """Return the courses of one sort as they lie on the board; ``into`` are the areas that they may end in."""
    lines = {course.id: _on_board(course.line, board) for course in courses}
    found = []
    for course in courses:
        line, pieces = lines[course.id]
        others = {name: shape for name, (shape, _) in lines.items() if name != course.id}
        start, end = (_end(Point(point), into, others, board) for point in (line.coords[0], line.coords[-1]))
        found.append(JudgedWay(course=course, line=line, pieces=pieces, start=start, end=end))
    return tuple(found)


def from_corners(point: Point, board: Board) -> float:
    """Return the distance to the nearest corner of the board."""
    corners = ((0, 0), (board.width, 0), (0, board.depth), (board.width, board.depth))
    return min(math.hypot(point.x - x, point.y - y) for x, y in corners)


def near_edge(way: JudgedWay, board: Board, depth: float) -> list[BaseGeometry]:
    """Return the stretches nearer than ``depth`` to the board's edge that hold no end on an edge."""
    inside = board.shape.buffer(-(depth - TOLERANCE), join_style="mitre")
    outside = way.line.difference(inside)
    ends = [end.at for end in way.ends(Stop.EDGE)]
    return [
        stretch
        for stretch in getattr(outside, "geoms", [outside])
        if not stretch.is_empty
        and stretch.length > TOLERANCE
        and all(stretch.distance(end) > TOLERANCE for end in ends)
    ]


def direction(line: LineString, at: Point, look: float = _LOOK) -> float:
    """Return the direction of a line at a point in degrees, over a short stretch to either side."""
    place = line.project(at)
    first, second = line.interpolate(max(0.0, place - look)), line.interpolate(min(line.length, place + look))
    return math.degrees(math.atan2(second.y - first.y, second.x - first.x))


def angle_between(one: LineString, other: LineString, at: Point) -> float:
    """Return the angle of two lines where they meet: 0 alongside to 90 square."""
    turn = abs(direction(one, at) - direction(other, at)) % 180
    return min(turn, 180 - turn)


def sharpest_bend(line: LineString) -> tuple[float, Point]:
    """Return the sharpest bend in degrees (0 is straight on) and its place, a tremble of 1 mm smoothed away."""
    points = np.asarray(line.simplify(1.0).coords)
    headings = np.degrees(np.arctan2(*np.diff(points, axis=0).T[::-1]))
    bends = [abs((second - first + 180) % 360 - 180) for first, second in pairwise(headings)]
    if not bends:
        return 0.0, Point(points[0])
    place = int(np.argmax(bends))
    return float(bends[place]), Point(points[place + 1])


def meetings(one: BaseGeometry, other: BaseGeometry) -> list[Point]:
    """Return the points that two lines share; of a stretch that they share, its middle."""
    parts = shapely.get_parts(one.intersection(other))
    points = [part for part in parts if isinstance(part, Point)]
    lines = [part for part in parts if isinstance(part, LineString) and part.length]
    merged = shapely.get_parts(shapely.line_merge(shapely.MultiLineString(lines))) if lines else ()
    return points + [stretch.interpolate(0.5, normalized=True) for stretch in merged]


def shore_crossings(way: JudgedWay, area: AreaOrHill) -> list[Point]:
    """Return the points where a centre line passes the outline of an area."""
    return meetings(way.line, area.outline.exterior)


def _on_board(line: LineString, board: Board) -> tuple[LineString, int]:
    """Return the longest stretch of a line on the board, and how many stretches there are."""
    if board.shape.buffer(TOLERANCE).covers(line):
        return line, 1
    inside = shapely.line_merge(line.intersection(board.shape))
    parts = [part for part in getattr(inside, "geoms", [inside]) if isinstance(part, LineString) and part.length]
    if not parts:
        return line, 0
    return max(parts, key=lambda part: part.length), len(parts)


def _end(at: Point, areas: Sequence[AreaOrHill], others: Mapping[str, LineString], board: Board) -> End:
    for edge in Edge:
        if board.edge(edge).distance(at) <= TOLERANCE:
            return End(at=at, stop=Stop.EDGE, what=edge.value)
    for area in areas:
        if area.outline.contains(at):
            return End(at=at, stop=Stop.AREA, what=area.id)
    for name, line in others.items():
        if line.distance(at) <= TOLERANCE:
            return End(at=at, stop=Stop.COURSE, what=name)
    return End(at=at, stop=Stop.NOWHERE)
