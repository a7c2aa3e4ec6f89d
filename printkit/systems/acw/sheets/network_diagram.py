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
from printkit.systems.acw.sheets.piece_list import zone_at, zone_of
from printkit.systems.acw.terms.plan import ZonePlan, ZoneSide, zone_grid
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, edge_at
from printkit.terrain.field.features import Area, Course, Crossing, Kind
from printkit.terrain.field.record import Record

ROADS: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)
STREAMS: Final = (Kind.STREAM, Kind.CREEK)
RAILS: Final = (Kind.RAILWAY,)

# The kinds of the three networks by their keys in the word files.
CLASSES: Final = {"roads": ROADS, "streams": STREAMS, "rail": RAILS}

PLACES: Final = (Kind.SETTLEMENT, Kind.TOWN, Kind.FORT)
_SIDES: Final = {
    Edge.FAR: ZoneSide.NORTH,
    Edge.RIGHT: ZoneSide.EAST,
    Edge.NEAR: ZoneSide.SOUTH,
    Edge.LEFT: ZoneSide.WEST,
}

# Points of one course nearer to each other than this are one point, in mm.
_CLOSE: Final = 4.0

# Largest distance between the end of a course and another course that it joins, in mm.
_TOUCHING: Final = 6.0

# Distance from the end of a course at which other zones are looked for, in mm.
_STEP: Final = 1.0


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
    knots: tuple[CoursePoint, ...]


class NetworkPassage(Struct, frozen=True, kw_only=True):
    """A ford, bridge, level crossing or junction with its zone and the kinds of the two courses."""

    crossing: Crossing
    zone: int
    over: Kind | None
    under: Kind | None


class NetworkMark(Struct, frozen=True, kw_only=True):
    """A point that players measure, with all kinds of courses that pass or end there."""

    knot: CoursePoint
    kinds: tuple[Kind, ...]


class NetworkDiagram(Struct, frozen=True, kw_only=True):
    """The content of the network diagram; ``areas`` are towns, pools and water for orientation."""

    grid: ZonePlan
    strands: tuple[Strand, ...]
    marks: tuple[NetworkMark, ...]
    passages: tuple[NetworkPassage, ...]
    areas: tuple[Area, ...]


def diagram(record: Record, rules: Rules, letters: dict[str, str]) -> NetworkDiagram:
    """Return the network of a record, measured on its shapes.

    Args:
        record: a game, or a battlefield that was drawn by hand.
        rules: the rules of the record.
        letters: the first letter of the point names for each of ``CLASSES``.
    """
    field, grid = record.battlefield, zone_grid(rules)
    courses = [feature for feature in field.features if isinstance(feature, Course)]
    found: list[Strand] = []
    marks: list[NetworkMark] = []
    for net, kinds in CLASSES.items():
        own: list[NetworkMark] = []
        for course in (course for course in courses if course.kind in kinds):
            found += [_named(strand, letters[net], own) for strand in _strands(course, net, field, grid, courses)]
        marks += own
    shown = (*PLACES, Kind.FARM, Kind.BUILDING, Kind.SWAMP, Kind.POOL, Kind.WATERWAY, Kind.SEA)
    areas = (feature for feature in field.features if isinstance(feature, Area) and feature.kind in shown)
    return NetworkDiagram(
        grid=grid, strands=tuple(found), marks=tuple(marks), passages=tuple(_passages(field, grid)), areas=tuple(areas)
    )


def _strands(
    course: Course, net: str, field: Battlefield, grid: ZonePlan, courses: Sequence[Course]
) -> Iterator[Strand]:
    """Yield one strand for each part of a course on the board."""
    seen = shapely.intersection(course.line, field.board.shape)
    parts = [part for part in shapely.get_parts(seen) if isinstance(part, LineString) and part.length > _CLOSE]
    for part in sorted(parts, key=lambda part: course.line.project(Point(part.coords[0]))):
        knots = _knots(part, course, field, grid, courses)
        straight = LineString([(knot.x, knot.y) for knot in knots])
        yield Strand(course=replace(course, line=straight), net=net, knots=knots)


def _knots(
    line: LineString, course: Course, field: Battlefield, grid: ZonePlan, courses: Sequence[Course]
) -> tuple[CoursePoint, ...]:
    """Return the points of a course in its direction: ends, zone sides, crossings, junctions and towns."""
    spots: dict[float, CoursePoint] = {}

    def add(at: Point, made: CoursePoint | None = None) -> None:
        along = line.project(at)
        on = line.interpolate(along)
        near = [place for place in spots if abs(place - along) < _CLOSE]
        if not near:
            spots[along] = made or CoursePoint(x=on.x, y=on.y)

    for end in (line.coords[0], line.coords[-1]):
        add(Point(end), _ending(Point(end), course, field.board, grid, courses))
    for at in _points(shapely.intersection(line, _sides(grid))):
        zones = _beside(at, line, grid)
        if zones[0] != zones[1]:
            add(at, CoursePoint(x=at.x, y=at.y, zones=zones))
    for other in field.features:
        if isinstance(other, Crossing) and course.id in (other.way, other.water):
            add(other.at)
        if isinstance(other, Area) and other.kind in PLACES and other.outline.intersects(line):
            met = shapely.intersection(other.outline, line)
            add(line.interpolate(line.project(met.centroid)))
        if isinstance(other, Course) and other is not course:
            for end in (other.line.coords[0], other.line.coords[-1]):
                if line.distance(Point(end)) < _TOUCHING and edge_at(end, field.board) is None:
                    add(Point(end))
    return tuple(spots[along] for along in sorted(spots))


def _ending(at: Point, course: Course, board: Board, grid: ZonePlan, courses: Sequence[Course]) -> CoursePoint:
    """Return the end of a course: on an edge of the table, on another course, or on open ground."""
    zone = zone_at(grid, at.x, at.y)
    edge = edge_at((at.x, at.y), board)
    if edge is not None:
        return CoursePoint(x=at.x, y=at.y, zones=(zone,), edge=_SIDES[edge])
    kinds = next(kinds for kinds in CLASSES.values() if course.kind in kinds)
    others = [other for other in courses if other is not course and other.kind in kinds]
    nearest = min(others, key=lambda other: other.line.distance(at), default=None)
    if nearest is not None and nearest.line.distance(at) < _TOUCHING:
        at = nearest.line.interpolate(nearest.line.project(at))
    # A course that ends on a zone side continues as a course of another kind in the next zone.
    around = ((at.x - _STEP, at.y), (at.x + _STEP, at.y), (at.x, at.y - _STEP), (at.x, at.y + _STEP))
    zones = tuple(dict.fromkeys((zone, *(zone_at(grid, *spot) for spot in around))))
    return CoursePoint(x=at.x, y=at.y, zones=zones[:2])


def _beside(at: Point, line: LineString, grid: ZonePlan) -> tuple[int, ...]:
    """Return the zones before and after a point where a course crosses a zone side."""
    along = line.project(at)
    near = (line.interpolate(max(0.0, along - _CLOSE)), line.interpolate(min(line.length, along + _CLOSE)))
    return tuple(zone_at(grid, spot.x, spot.y) for spot in near)


def _sides(grid: ZonePlan) -> BaseGeometry:
    """Return the shared sides of zones as lines."""
    width, depth = grid.size
    across = [column * grid.width for column in range(1, grid.columns)]
    up = [row * grid.depth for row in range(1, grid.rows)]
    found = [LineString([(x, 0.0), (x, depth)]) for x in across]
    found += [LineString([(0.0, y), (width, y)]) for y in up]
    return shapely.MultiLineString(found)


def _points(shape: BaseGeometry) -> list[Point]:
    return [part.representative_point() for part in shapely.get_parts(shape) if not part.is_empty]


def _named(strand: Strand, letter: str, marks: list[NetworkMark]) -> Strand:
    """Return a strand with names for its measured points, and add these points to ``marks``.

    Two courses that meet end to end share one mark.
    """
    made = []
    for knot in strand.knots:
        if not knot.zones:
            made.append(knot)
            continue
        place = next((place for place, mark in enumerate(marks) if _apart(mark.knot, knot) < _TOUCHING), len(marks))
        if place == len(marks):
            marks.append(NetworkMark(knot=replace(knot, name=f"{letter}{place + 1}"), kinds=()))
        known = marks[place]
        kinds = tuple(dict.fromkeys((*known.kinds, strand.course.kind)))
        zones = tuple(dict.fromkeys((*known.knot.zones, *knot.zones)))
        marks[place] = NetworkMark(knot=replace(known.knot, zones=zones), kinds=kinds)
        made.append(replace(knot, name=known.knot.name))
    return replace(strand, knots=tuple(made))


def _apart(knot: CoursePoint, other: CoursePoint) -> float:
    return math.hypot(knot.x - other.x, knot.y - other.y)


def _passages(field: Battlefield, grid: ZonePlan) -> Iterator[NetworkPassage]:
    kinds = {feature.id: feature.kind for feature in field.features}
    for feature in field.features:
        if isinstance(feature, Crossing):
            over, under = kinds.get(feature.way), kinds.get(feature.water)
            yield NetworkPassage(crossing=feature, zone=zone_of(feature, grid), over=over, under=under)
