"""The rules of the shape of rivers and roads, as rows: a new course is placed by them, and ``check`` judges by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import Struct
from shapely import LineString, Polygon, prepare
from shapely.geometry.base import BaseGeometry

from printkit.kit.rules import Rules
from printkit.kit.shape_rules import Measurement, Measurements, ShapeRule
from printkit.systems.brantley.board.checked_courses import CheckedCourse, EndKind
from printkit.systems.brantley.dealing.game_rules import rule_inch_mm
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import (
    common_pieces,
    corner_distance,
    crossing_angle,
    edge_clearance,
    find_meetings,
    find_shores,
    measure_bends,
    straight_length,
    touches_edge_only_at_ends,
)

# Tolerance in mm for the lengths of a course that is placed: the rounding of a sum over thousands of points.
ROUNDING_MM: Final = 0.01


class CourseSurroundings(Struct, frozen=True, kw_only=True):
    """The surroundings of a course. Shapes are in mm on the board.

    Attributes:
        closed_ground: gets a course and returns the ground that it may not enter, with its name in messages.
        other_courses: gets a course and returns those of its type that it is compared with.
        rivers: the rivers that a road may cross.
        areas: the outlines of areas in which a course may end, by ID.
    """

    board: Board
    rules: Rules
    closed_ground: Callable[[CheckedCourse], Iterable[tuple[object, BaseGeometry]]]
    other_courses: Callable[[CheckedCourse], Iterable[CheckedCourse]]
    rivers: tuple[CheckedCourse, ...]
    areas: Mapping[str, Polygon]
    rounding_mm: float | None = None

    @property
    def unit_mm(self) -> float:
        """Return the mm of one inch of the rules on this board."""
        return rule_inch_mm(self.rules)

    @property
    def touch_mm(self) -> float:
        """Return the distance in mm within which shapes touch."""
        return self.rules.length("touch") if self.rounding_mm is None else self.rounding_mm


CourseRule: TypeAlias = ShapeRule[CheckedCourse, CourseSurroundings]


def _measure_width(course: CheckedCourse, _surroundings: CourseSurroundings) -> Measurements:
    yield Measurement(course.feature.width)


def _measure_closed_ground(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    half_width, inch = course.feature.width / 2, surroundings.unit_mm
    for name, shape in surroundings.closed_ground(course):
        # Many courses are measured against the same ground.
        prepare(shape)
        if not shape.dwithin(course.line, half_width):
            continue
        distance = shape.distance(course.line)
        if distance < half_width - surroundings.touch_mm:
            yield Measurement(words={"gap": distance / inch, "name": name, "half": half_width / inch})


def _measure_length(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    times = surroundings.rules.number(f"{course.feature.kind}_limit")
    yield Measurement(course.line.length, straight_length(course.line), {"times": times})


def _measure_bend(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    bends = measure_bends(course.line, surroundings.rules.length("bend_over"))
    degrees, point = max(bends, key=itemgetter(0), default=(0.0, course.start.at))
    yield Measurement(degrees, words={"x": point.x, "y": point.y})


def _find_self_crossing(course: CheckedCourse, _surroundings: CourseSurroundings) -> Measurements:
    if not course.line.is_simple:
        yield Measurement()


def _measure_corner_distances(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    for end in course.ends(EndKind.EDGE):
        yield Measurement(corner_distance(end.at, surroundings.board))


def _count_parts(course: CheckedCourse, _surroundings: CourseSurroundings) -> Measurements:
    if course.part_count != 1:
        yield Measurement(words={"pieces": course.part_count})


def _find_edge_contact(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    if course.part_count == 1 and not touches_edge_only_at_ends(course.line, surroundings.board, surroundings.touch_mm):
        yield Measurement()


def _measure_edge_gap(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    width = course.feature.width
    if course.part_count == 1:
        depth = surroundings.rules.number("river_edge_gap_in_widths") * width
        yield Measurement(edge_clearance(course.line, surroundings.board, depth), width)


def _count_shores(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    if course.end.kind is EndKind.AREA:
        count = len(find_shores(course.line, surroundings.areas[course.end.target]))
        if count != 1:
            yield Measurement(words={"count": count, "area": course.end.target})


def _measure_depth(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    if course.end.kind is EndKind.AREA:
        outline, point = surroundings.areas[course.end.target], course.end.at
        depth = outline.exterior.distance(point)
        yield Measurement(depth if outline.contains(point) else -depth, words={"other": course.end.target})


def _find_joined(course: CheckedCourse, surroundings: CourseSurroundings) -> Iterator[CheckedCourse]:
    if course.end.kind is EndKind.COURSE:
        yield from (other for other in surroundings.other_courses(course) if other.id == course.end.target)


def _measure_junction_gap(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    for other in _find_joined(course, surroundings):
        distance = other.line.project(course.end.at)
        yield Measurement(min(distance, other.line.length - distance), words={"other": other.id})


def _measure_junction_angle(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    for other in _find_joined(course, surroundings):
        yield Measurement(crossing_angle(course.end.at, course.line, other.line), words={"other": other.id})


def _find_shared_points(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    near = surroundings.rules.length("apart")
    for other in surroundings.other_courses(course):
        for meeting in find_meetings(course.line, other.line):
            if not (course.ends_in(other, meeting.at, near) or other.ends_in(course, meeting.at, near)):
                first, second = sorted((course.id, other.id))
                yield Measurement(words={"one": first, "two": second, "x": meeting.at.x, "y": meeting.at.y})


def _measure_crossing_angles(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    for river in surroundings.rivers:
        for meeting in find_meetings(course.line, river.line):
            yield Measurement(meeting.angle, words={"other": river.id})


def _find_wet_pieces(
    course: CheckedCourse, surroundings: CourseSurroundings
) -> Iterator[tuple[CheckedCourse, LineString]]:
    for river in surroundings.rivers:
        for piece in common_pieces(course.line, course.feature.width, river.line, river.feature.width):
            yield river, piece


def _measure_wet_pieces(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    for river, piece in _find_wet_pieces(course, surroundings):
        yield Measurement(piece.length, river.feature.width, {"other": river.id})


def _find_wet_junctions(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    for river in surroundings.rivers if course.end.kind is EndKind.COURSE else ():
        if course.end.at.distance(river.line) < river.feature.width / 2 - surroundings.touch_mm:
            yield Measurement(words={"road": course.end.target, "river": river.id})


def _find_unclean_crossings(course: CheckedCourse, surroundings: CourseSurroundings) -> Measurements:
    one_place = surroundings.rules.length("one_place")
    for river, piece in _find_wet_pieces(course, surroundings):
        meetings = find_meetings(course.line, river.line)
        if sum(piece.distance(meeting.at) < one_place for meeting in meetings) != 1:
            yield Measurement(words={"river": river.id})


def _shared_rules(kind: str, area: str, gap: str, clauses: Mapping[str, tuple[str, str]]) -> tuple[CourseRule, ...]:
    """Return the rules that rivers and roads share, in the order in which a line is tried.

    Args:
        kind: ``river`` or ``road``, the prefix of its numbers.
        area: ``lake`` or ``bua``, the prefix of the numbers of an end in one.
        gap: the number for the distance of a junction from the ends of the other course.
        clauses: by subject, the clause and that of the error for a user's own course.
    """

    def shared_rule(
        subject: str,
        measure: Callable[[CheckedCourse, CourseSurroundings], Measurements],
        *,
        title: str,
        says: str = "",
        minimum: str = "",
        maximum: str = "",
    ) -> CourseRule:
        clause, error_clause = clauses[subject]
        return ShapeRule(clause, title, measure, says=says, minimum=minimum, maximum=maximum, error_clause=error_clause)

    return (
        shared_rule("width", _measure_width, title="width", minimum=f"{kind}_width_min"),
        shared_rule("width", _measure_width, title="width", maximum=f"{kind}_width_max"),
        shared_rule(
            "ground",
            _measure_closed_ground,
            title="half the width away from ground that it may not enter",
            says="{it} comes within {gap:.2f} in of {name}; half its width is {half:.2f} in",
        ),
        shared_rule(
            "length",
            _measure_length,
            title="length, as a multiple of the straight distance",
            says="{it} is {found:.2f} in long; the maximum is {times:g} times the straight distance, {limit:.2f} in",
            maximum=f"{kind}_limit",
        ),
        shared_rule("itself", _find_self_crossing, title="does not cross itself", says="{it} crosses itself"),
        shared_rule(
            "corner",
            _measure_corner_distances,
            title="distance of an end from the corners of the board",
            minimum="corner_gap",
        ),
        shared_rule(
            "edge",
            _count_parts,
            title="one piece on the board",
            says="{pieces} pieces of {it} are on the board; there should be one",
        ),
        shared_rule(
            "edge",
            _find_edge_contact,
            title="off the edge of the board between its ends",
            says="{it} touches the board edge between its ends",
        ),
        shared_rule(
            "area",
            _count_shores,
            title="crosses the outline of the area in which it ends once",
            says="{it} crosses the outline of {area} {count} times; it should cross once",
        ),
        shared_rule("area", _measure_depth, title="depth of an end inside an area", minimum=f"{area}_depth_min"),
        shared_rule("area", _measure_depth, title="depth of an end inside an area", maximum=f"{area}_depth_max"),
        shared_rule(
            "junction",
            _measure_junction_gap,
            title="distance of a junction from the ends of the other course",
            minimum=gap,
        ),
        shared_rule(
            "junction", _measure_junction_angle, title="angle of a junction in degrees", minimum="junction_angle"
        ),
    )


RIVER_RULES: Final[tuple[CourseRule, ...]] = (
    *_shared_rules(
        "river",
        "lake",
        "river_junction_gap",
        {
            "width": ("BR-G31", ""),
            "ground": ("BR-G36", "BR-X14"),
            "length": ("BR-G32", "BR-X15"),
            "itself": ("BR-G35", ""),
            "corner": ("BR-G33", "BR-X10"),
            "edge": ("BR-G34", ""),
            "area": ("BR-G38", "BR-X14"),
            "junction": ("BR-G39", ""),
        },
    ),
    ShapeRule(
        "BR-G34",
        "distance from the edge between its ends, in widths",
        _measure_edge_gap,
        minimum="river_edge_gap_in_widths",
    ),
    ShapeRule(
        "BR-G40",
        "meets another river only where one ends in the other",
        _find_shared_points,
        says="{one} and {two} meet at ({x:.1f}, {y:.1f}), but neither ends in the other there",
    ),
)

ROAD_RULES: Final[tuple[CourseRule, ...]] = (
    *_shared_rules(
        "road",
        "bua",
        "junction_gap",
        {
            "width": ("BR-G51", ""),
            "ground": ("BR-G54", "BR-X18"),
            "length": ("BR-G52", "BR-X18"),
            "itself": ("BR-G52", "BR-X18"),
            "corner": ("BR-G53", "BR-X10"),
            "edge": ("BR-G53", "BR-X18"),
            "area": ("BR-G55", "BR-X18"),
            "junction": ("BR-G56", "BR-X18"),
        },
    ),
    ShapeRule(
        "BR-G52",
        "sharpest bend in degrees",
        _measure_bend,
        says="{it} bends by {found:.0f} degrees at ({x:.1f}, {y:.1f}); the maximum is {limit:g}",
        maximum="road_bend_max",
        error_clause="BR-X18",
    ),
    ShapeRule(
        "BR-G57",
        "angle of a crossing with a river in degrees",
        _measure_crossing_angles,
        minimum="crossing_angle_min",
        error_clause="BR-X18",
    ),
    ShapeRule(
        "BR-G57",
        "length inside a river, in widths of the river",
        _measure_wet_pieces,
        maximum="crossing_length_in_widths_max",
        error_clause="BR-X18",
    ),
    ShapeRule(
        "BR-G57",
        "crosses a river cleanly where it touches it",
        _find_unclean_crossings,
        says="{it} runs along {river} and never crosses it cleanly",
        error_clause="BR-X18",
    ),
    ShapeRule(
        "BR-G57",
        "no junction in a river",
        _find_wet_junctions,
        says="{it} joins {road} in {river}",
        error_clause="BR-X18",
    ),
)

COURSE_RULES: Final[Mapping[Kind, tuple[CourseRule, ...]]] = {Kind.RIVER: RIVER_RULES, Kind.ROAD: ROAD_RULES}
