"""The network between zone sides, and its ends, for building a table without a map (AC-A08)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.kit.rules import Rules
from printkit.systems.acw.sheets.piece_list import feature_zone, find_zone
from printkit.systems.acw.terms.plan import ZonePlan, ZoneSide, zone_grid
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, find_edge
from printkit.terrain.field.features import Area, Course, Crossing, Kind
from printkit.terrain.field.record import Record

ROADS: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)
STREAMS: Final = (Kind.STREAM, Kind.CREEK)
RAILS: Final = (Kind.RAILWAY,)

# The kinds of the three networks by their keys in the word files.
CLASSES: Final = {"roads": ROADS, "streams": STREAMS, "rail": RAILS}

PLACES: Final = (Kind.SETTLEMENT, Kind.TOWN, Kind.FORT)
_EDGE_SIDES: Final = {
    Edge.FAR: ZoneSide.NORTH,
    Edge.RIGHT: ZoneSide.EAST,
    Edge.NEAR: ZoneSide.SOUTH,
    Edge.LEFT: ZoneSide.WEST,
}

# Points of one course nearer to each other than this are one point, in mm.
_MIN_SPACING: Final = 4.0

# Largest distance between the end of a course and another course that it joins, in mm.
_JOIN_DISTANCE: Final = 6.0

# Distance from the end of a course at which other zones are looked for, in mm.
_PROBE_DISTANCE: Final = 1.0


class CoursePoint(Struct, frozen=True, kw_only=True):
    """A point of a course, in mm of the board.

    Attributes:
        name: the name of a point that players measure, otherwise empty.
        zones: the two zones that share the side at the point, or the one zone at an edge or end.
        edge: the edge of the table at the point.
    """

    x: float
    y: float
    name: str = ""
    zones: tuple[int, ...] = ()
    edge: ZoneSide | None = None


class Strand(Struct, frozen=True, kw_only=True):
    """One course of the network as a chain of points joined by straight lines."""

    course: Course
    net: str
    points: tuple[CoursePoint, ...]


class NetworkPassage(Struct, frozen=True, kw_only=True):
    """A ford, bridge, level crossing or junction with its zone and the kinds of the two courses."""

    crossing: Crossing
    zone: int
    upper: Kind | None
    lower: Kind | None


class NetworkMark(Struct, frozen=True, kw_only=True):
    """A point that players measure, with all kinds of courses that pass or end there."""

    point: CoursePoint
    kinds: tuple[Kind, ...]


class NetworkDiagram(Struct, frozen=True, kw_only=True):
    """The content of the network diagram; ``areas`` are towns, pools and water for orientation."""

    grid: ZonePlan
    strands: tuple[Strand, ...]
    marks: tuple[NetworkMark, ...]
    passages: tuple[NetworkPassage, ...]
    areas: tuple[Area, ...]


def build_diagram(record: Record, rules: Rules, letters: dict[str, str]) -> NetworkDiagram:
    """Return the network of a record, measured on its shapes, in mm of the board.

    Args:
        record: a game, or a battlefield that was drawn by hand.
        rules: the rules of the record.
        letters: the first letter of the point names for each of ``CLASSES``.
    """
    field, grid = record.battlefield, zone_grid(rules)
    courses = [feature for feature in field.features if isinstance(feature, Course)]
    strands: list[Strand] = []
    marks: list[NetworkMark] = []
    for net, kinds in CLASSES.items():
        net_marks: list[NetworkMark] = []
        for course in (course for course in courses if course.kind in kinds):
            strands += [
                _name_points(strand, letters[net], net_marks)
                for strand in _split_course(course, net, field, grid, courses)
            ]
        marks += net_marks
    area_kinds = (*PLACES, Kind.FARM, Kind.BUILDING, Kind.SWAMP, Kind.POOL, Kind.WATERWAY, Kind.SEA)
    areas = (feature for feature in field.features if isinstance(feature, Area) and feature.kind in area_kinds)
    return NetworkDiagram(
        grid=grid,
        strands=tuple(strands),
        marks=tuple(marks),
        passages=tuple(_list_passages(field, grid)),
        areas=tuple(areas),
    )


def _split_course(
    course: Course, net: str, field: Battlefield, grid: ZonePlan, courses: Sequence[Course]
) -> Iterator[Strand]:
    """Yield one strand for each part of a course on the board.

    ``net`` is the key of its network in ``CLASSES``. ``courses`` are all courses of the board. The line of a strand is
    straight from point to point. Strands are in the direction of the course, and very short parts are left out.
    """
    visible = shapely.intersection(course.line, field.board.shape)
    parts = [part for part in shapely.get_parts(visible) if isinstance(part, LineString) and part.length > _MIN_SPACING]
    for part in sorted(parts, key=lambda part: course.line.project(Point(part.coords[0]))):
        points = _find_points(part, course, field, grid, courses)
        straight = LineString([(knot.x, knot.y) for knot in points])
        yield Strand(course=replace(course, line=straight), net=net, points=points)


def _find_points(
    line: LineString, course: Course, field: Battlefield, grid: ZonePlan, courses: Sequence[Course]
) -> tuple[CoursePoint, ...]:
    """Return the points of a course in its direction: ends, zone sides, crossings, junctions and towns.

    ``line`` is the part of the course on the board, in mm. ``courses`` are all courses of the board.
    """
    points_by_distance: dict[float, CoursePoint] = {}

    def add(point: Point, course_point: CoursePoint | None = None) -> None:
        """Add a point of the course, unless another one is within 4 mm; by default without a name or zones."""
        distance = line.project(point)
        nearest = line.interpolate(distance)
        close_points = [place for place in points_by_distance if abs(place - distance) < _MIN_SPACING]
        if not close_points:
            points_by_distance[distance] = course_point or CoursePoint(x=nearest.x, y=nearest.y)

    for end in (line.coords[0], line.coords[-1]):
        add(Point(end), _find_end(Point(end), course, field.board, grid, courses))
    meetings = shapely.get_parts(shapely.intersection(line, _zone_sides(grid)))
    for side_point in [part.representative_point() for part in meetings if not part.is_empty]:
        zones = _adjacent_zones(side_point, line, grid)
        if zones[0] != zones[1]:
            add(side_point, CoursePoint(x=side_point.x, y=side_point.y, zones=zones))
    for other in field.features:
        if isinstance(other, Crossing) and course.id in (other.route, other.water):
            add(other.at)
        if isinstance(other, Area) and other.kind in PLACES and other.outline.intersects(line):
            overlap = shapely.intersection(other.outline, line)
            add(line.interpolate(line.project(overlap.centroid)))
        if isinstance(other, Course) and other is not course:
            for end in (other.line.coords[0], other.line.coords[-1]):
                if line.distance(Point(end)) < _JOIN_DISTANCE and find_edge(end, field.board) is None:
                    add(Point(end))
    return tuple(points_by_distance[distance] for distance in sorted(points_by_distance))


def _find_end(point: Point, course: Course, board: Board, grid: ZonePlan, courses: Sequence[Course]) -> CoursePoint:
    """Return the end of a course: on an edge of the table, on another course, or on open ground.

    ``point`` is in mm of the board. An end within 6 mm of another course moves onto it.
    """
    zone = find_zone(grid, point.x, point.y)
    edge = find_edge((point.x, point.y), board)
    if edge is not None:
        return CoursePoint(x=point.x, y=point.y, zones=(zone,), edge=_EDGE_SIDES[edge])
    kinds = next(kinds for kinds in CLASSES.values() if course.kind in kinds)
    others = [other for other in courses if other is not course and other.kind in kinds]
    nearest = min(others, key=lambda other: other.line.distance(point), default=None)
    if nearest is not None and nearest.line.distance(point) < _JOIN_DISTANCE:
        point = nearest.line.interpolate(nearest.line.project(point))
    # A course that ends on a zone side continues as a course of another kind in the next zone.
    probes = (
        (point.x - _PROBE_DISTANCE, point.y),
        (point.x + _PROBE_DISTANCE, point.y),
        (point.x, point.y - _PROBE_DISTANCE),
        (point.x, point.y + _PROBE_DISTANCE),
    )
    zones = tuple(dict.fromkeys((zone, *(find_zone(grid, *probe) for probe in probes))))
    return CoursePoint(x=point.x, y=point.y, zones=zones[:2])


def _adjacent_zones(point: Point, line: LineString, grid: ZonePlan) -> tuple[int, ...]:
    """Return the zones before and after a point where the course ``line`` crosses a zone side.

    Both shapes are in mm on the board. There are always two zones, in the direction of the line; they are equal if the
    course does not leave the zone there.
    """
    distance = line.project(point)
    near = (
        line.interpolate(max(0.0, distance - _MIN_SPACING)),
        line.interpolate(min(line.length, distance + _MIN_SPACING)),
    )
    return tuple(find_zone(grid, near_point.x, near_point.y) for near_point in near)


def _zone_sides(grid: ZonePlan) -> BaseGeometry:
    """Return the shared sides of zones as lines in mm of the board."""
    width, depth = grid.size
    xs = [column * grid.width for column in range(1, grid.columns)]
    ys = [row * grid.depth for row in range(1, grid.rows)]
    sides = [LineString([(x, 0.0), (x, depth)]) for x in xs]
    sides += [LineString([(0.0, y), (width, y)]) for y in ys]
    return shapely.MultiLineString(sides)


def _name_points(strand: Strand, letter: str, marks: list[NetworkMark]) -> Strand:
    """Return a strand with names for its measured points, and add these points to ``marks`` in place.

    The names are ``letter`` and a number. Numbers continue those of ``marks``, from 1. Points within a few mm on the
    board share one mark, which then has the zones and kinds of both. Points without a zone get no name.
    """
    points = []
    for point in strand.points:
        if not point.zones:
            points.append(point)
            continue
        index = next(
            (
                index
                for index, mark in enumerate(marks)
                if math.hypot(mark.point.x - point.x, mark.point.y - point.y) < _JOIN_DISTANCE
            ),
            len(marks),
        )
        if index == len(marks):
            marks.append(NetworkMark(point=replace(point, name=f"{letter}{index + 1}"), kinds=()))
        entry = marks[index]
        kinds = tuple(dict.fromkeys((*entry.kinds, strand.course.kind)))
        zones = tuple(dict.fromkeys((*entry.point.zones, *point.zones)))
        marks[index] = NetworkMark(point=replace(entry.point, zones=zones), kinds=kinds)
        points.append(replace(point, name=entry.point.name))
    return replace(strand, points=tuple(points))


def _list_passages(field: Battlefield, grid: ZonePlan) -> Iterator[NetworkPassage]:
    """Yield each ford, bridge, level crossing and junction with its zone and the kinds of its courses."""
    kinds = {feature.id: feature.kind for feature in field.features}
    for feature in field.features:
        if isinstance(feature, Crossing):
            upper, lower = kinds.get(feature.route), kinds.get(feature.water)
            yield NetworkPassage(crossing=feature, zone=feature_zone(feature, grid), upper=upper, lower=lower)
