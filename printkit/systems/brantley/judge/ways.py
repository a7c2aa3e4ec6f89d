"""Rivers and roads under check: the line on the board and its two ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import TypeAlias

import shapely
from msgspec import Struct
from shapely import LineString, Point

from printkit.core.errors import Sentence
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Course, Hill
from printkit.terrain.geometry.measure import locate_on_edge

AreaOrHill: TypeAlias = Area | Hill


class Stop(Enum):
    """Where a course may start or end."""

    EDGE = auto()
    AREA = auto()
    COURSE = auto()
    NOWHERE = auto()


class End(Struct, frozen=True, kw_only=True):
    """One end of a course: the point, and the edge or the ID of the feature there."""

    at: Point
    stop: Stop
    what: str = ""

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Sentence:
        """Return the place of the end in words."""
        place = f"({self.at.x:.1f}, {self.at.y:.1f})"
        match self.stop:
            case Stop.EDGE:
                return Sentence("{place} on the {what} edge", place=place, what=self.what)
            case Stop.AREA:
                return Sentence("{place} in {what}", place=place, what=self.what)
            case Stop.COURSE:
                return Sentence("{place} on {what}", place=place, what=self.what)
            case Stop.NOWHERE:
                return Sentence("{place}, which is not a permitted place", place=place)


class JudgedWay(Struct, frozen=True, kw_only=True):
    """A course on the board: the centre line, clipped to the board, and its ends."""

    course: Course
    line: LineString
    pieces: int
    start: End
    end: End

    @property
    def id(self) -> str:
        """Return the ID of the course."""
        return self.course.id

    def ends(self, stop: Stop) -> Iterator[End]:
        """Yield the ends of a kind, the start first."""
        return (end for end in (self.start, self.end) if end.stop is stop)


def ways(courses: Sequence[Course], into: Sequence[AreaOrHill], board: Board, touch: float) -> tuple[JudgedWay, ...]:
    """Return the courses of one type on the board.

    Args:
        into: the areas that they may end in.
        touch: distance in mm within which an end is on an edge or on another course.
    """
    lines = {course.id: _on_board(course.line, board, touch) for course in courses}
    found = []
    for course in courses:
        line, pieces = lines[course.id]
        others = {name: shape for name, (shape, _) in lines.items() if name != course.id}
        start, end = (_end(Point(point), into, others, board, touch) for point in (line.coords[0], line.coords[-1]))
        found.append(JudgedWay(course=course, line=line, pieces=pieces, start=start, end=end))
    return tuple(found)


def _on_board(line: LineString, board: Board, touch: float) -> tuple[LineString, int]:
    """Return the longest part of a line on the board, and the number of parts."""
    if board.shape.buffer(touch).covers(line):
        return line, 1
    inside = shapely.line_merge(line.intersection(board.shape))
    parts = [part for part in getattr(inside, "geoms", [inside]) if isinstance(part, LineString) and part.length]
    if not parts:
        return line, 0
    return max(parts, key=lambda part: part.length), len(parts)


def _end(at: Point, areas: Sequence[AreaOrHill], others: Mapping[str, LineString], board: Board, touch: float) -> End:
    if on_edge := locate_on_edge(at, board, touch):
        return End(at=at, stop=Stop.EDGE, what=on_edge[0].value)
    for area in areas:
        if area.outline.contains(at):
            return End(at=at, stop=Stop.AREA, what=area.id)
    for name, line in others.items():
        if line.distance(at) <= touch:
            return End(at=at, stop=Stop.COURSE, what=name)
    return End(at=at, stop=Stop.NOWHERE)
