"""Rivers and roads as their rules measure them: the line on the board and its two ends."""

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


class EndKind(Enum):
    """Where a course may start or end."""

    EDGE = auto()
    AREA = auto()
    COURSE = auto()
    NOWHERE = auto()


class End(Struct, frozen=True, kw_only=True):
    """One end of a course: the point in mm on the board, and the edge or the ID of the feature there.

    ``target`` is empty if the end is nowhere.
    """

    at: Point
    kind: EndKind
    target: str = ""

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Sentence:
        """Return the place of the end in words, with its point in mm on the board."""
        place = f"({self.at.x:.1f}, {self.at.y:.1f})"
        match self.kind:
            case EndKind.EDGE:
                return Sentence("{place} on the {what} edge", place=place, what=self.target)
            case EndKind.AREA:
                return Sentence("{place} in {what}", place=place, what=self.target)
            case EndKind.COURSE:
                return Sentence("{place} on {what}", place=place, what=self.target)
            case EndKind.NOWHERE:
                return Sentence("{place}, which is not a permitted place", place=place)


class CheckedCourse(Struct, frozen=True, kw_only=True):
    """A course on the board: the centre line, clipped to the board, and its ends.

    The line is in mm on the board; ``part_count`` is the number of its parts on the board.
    """

    feature: Course
    line: LineString
    part_count: int
    start: End
    end: End

    @property
    def id(self) -> str:
        """Return the ID of the course."""
        return self.feature.id

    def ends(self, kind: EndKind) -> Iterator[End]:
        """Yield the ends of a kind, the start first."""
        return (end for end in (self.start, self.end) if end.kind is kind)

    def ends_in(self, other: CheckedCourse, point: Point, near: float) -> bool:
        """Return whether this course ends in another one, within ``near`` mm of a point on the board."""
        return self.end.kind is EndKind.COURSE and self.end.target == other.id and self.end.at.distance(point) <= near


def find_courses(
    courses: Sequence[Course], areas: Sequence[AreaOrHill], board: Board, touch: float
) -> tuple[CheckedCourse, ...]:
    """Return the courses of one type, with their lines in mm clipped to the board and their ends.

    The order is that of ``courses``.

    Args:
        courses: all rivers, or all roads; ends on one of the others count as junctions.
        areas: the areas that they may end in.
        board: the board, in mm.
        touch: distance in mm on the board within which an end is on an edge or on another course.
    """
    lines = {course.id: _clip_to_board(course.line, board, touch) for course in courses}
    checked_courses = []
    for course in courses:
        line, pieces = lines[course.id]
        other_lines = {name: shape for name, (shape, _) in lines.items() if name != course.id}
        start, end = (
            _find_end(Point(point), areas, other_lines, board, touch) for point in (line.coords[0], line.coords[-1])
        )
        checked_courses.append(CheckedCourse(feature=course, line=line, part_count=pieces, start=start, end=end))
    return tuple(checked_courses)


def _clip_to_board(line: LineString, board: Board, touch: float) -> tuple[LineString, int]:
    """Return the longest part of a line inside the board, in mm on the board, and how many there are.

    If no part is on the board, the line is unchanged and the number is 0. ``touch`` is a tolerance in mm.
    """
    if board.shape.buffer(touch).covers(line):
        return line, 1
    inside = shapely.line_merge(line.intersection(board.shape))
    parts = [part for part in getattr(inside, "geoms", [inside]) if isinstance(part, LineString) and part.length]
    if not parts:
        return line, 0
    return max(parts, key=lambda part: part.length), len(parts)


def find_edge_end(point: Point, board: Board, touch: float) -> End:
    """Return the end of a course on a board edge, or nowhere; ``touch`` is the tolerance in mm on the board."""
    on_edge = locate_on_edge(point, board, touch)
    return End(at=point, kind=EndKind.EDGE, target=on_edge[0].value) if on_edge else End(at=point, kind=EndKind.NOWHERE)


def _find_end(
    point: Point, areas: Sequence[AreaOrHill], other_lines: Mapping[str, LineString], board: Board, touch: float
) -> End:
    """Return what is at the end of a course: a board edge, an area, another course, or nothing.

    ``point`` is in mm on the board. ``other_lines`` are the lines of the other courses by ID. ``touch`` is the distance
    in mm within which a point is on a line.
    """
    end = find_edge_end(point, board, touch)
    if end.kind is EndKind.EDGE:
        return end
    for area in areas:
        if area.outline.contains(point):
            return End(at=point, kind=EndKind.AREA, target=area.id)
    for name, line in other_lines.items():
        if line.distance(point) <= touch:
            return End(at=point, kind=EndKind.COURSE, target=name)
    return end
