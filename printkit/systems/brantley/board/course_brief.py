"""The conditions for placing a river or a road, and the rule values in which the two differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from msgspec import Struct
from shapely import LineString, Point, prepare
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.board.course_records import XY, EdgePoint, Goal, IntoArea, IntoCourse
from printkit.systems.brantley.dealing.game_rules import is_closed, rule_inch_mm
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import Area, Course, Hill, Kind
from printkit.terrain.geometry.measure import (
    corner_distance,
    crossing_angle,
    find_meetings,
    find_shores,
    keeps_inside,
    locate_on_edge,
    sharpest_bend,
    straight_length,
    touches_edge_only_at_ends,
    wet_lengths,
)

# --- The differences between rivers and roads -------------------------------------------------------------------------


class CourseType(Struct, frozen=True, kw_only=True):
    """The clauses and names in which rivers and roads differ.

    Their numbers are in the rule book under the name of the kind.
    """

    kind: Kind
    stage: str
    letter: str
    goal_kind: Kind
    ground_clause: str
    length_clause: str
    area_clause: str
    junction_clause: str
    clauses: Mapping[str, str]

    def __str__(self) -> str:
        return self.kind.value


RIVER: Final = CourseType(
    kind=Kind.RIVER,
    stage="rivers",
    letter="R",
    goal_kind=Kind.LAKE,
    ground_clause="BR-X14",
    length_clause="BR-X15",
    area_clause="BR-X12",
    junction_clause="BR-X13",
    clauses={
        "single": "BR-402",
        "each": "BR-403",
        "start": "BR-404",
        "edge": "BR-405",
        "area": "BR-406",
        "course": "BR-407",
    },
)

ROAD: Final = CourseType(
    kind=Kind.ROAD,
    stage="roads",
    letter="D",
    goal_kind=Kind.BUA,
    ground_clause="BR-X18",
    length_clause="BR-X18",
    area_clause="BR-X16",
    junction_clause="BR-X17",
    clauses={
        "single": "BR-502",
        "each": "BR-503",
        "start": "BR-504",
        "edge": "BR-505",
        "area": "BR-506",
        "course": "BR-507",
    },
)


# Tolerance in mm for the limits of a line: the rounding error of a sum over thousands of points. It is smaller than the
# tolerance of the checker, so every placed course passes the check.
_TOLERANCE_MM: Final = 0.01


class CourseFault:
    """A fault of a course: the clause for its error, and the sentence."""

    def __init__(self, clause: str, template: str, /, **values: object) -> None:
        self.clause = clause
        self.sentence = Sentence(template, **values)


class ClosedGround(NamedTuple):
    """Ground that a course may not enter: the feature's ID, its kind and its shape in mm on the board."""

    identity: str
    kind: Kind
    shape: BaseGeometry


class CourseBrief(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """A course to place: its type, its ID, the board, and the earlier courses of the same type.

    It does not change while the program tries ends and lines, so cached measurements stay valid.
    """

    course_type: CourseType
    identity: str
    field: Battlefield
    earlier_courses: tuple[Course, ...]
    rules: Rules

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.field.board

    @cached_property
    def inch(self) -> float:
        """Return one inch of the rules on this board, in mm on the board."""
        return rule_inch_mm(self.rules)

    @cached_property
    def width(self) -> float:
        """Return the width of the course in mm on the board (BR-G31, BR-G51)."""
        return self.rules.length(f"{self.course_type}_width")

    @property
    def length_ratio_max(self) -> float:
        """Return the maximum ratio of a course's length to the straight distance (BR-G32, BR-G52)."""
        return self.rules.number(f"{self.course_type}_limit")

    @property
    def end_depth(self) -> float:
        """Return how far inside an area's outline a course ends, in mm on the board (BR-G38, BR-G55)."""
        return self.rules.length(f"{self.course_type.goal_kind}_depth")

    @property
    def edge_gap(self) -> float:
        """Return the minimum mm on the board from a river's centre line to an edge, except at its ends."""
        return self.width * self.rules.number("river_edge_gap_in_widths")

    def edge_position(self, edge_point: EdgePoint) -> XY:
        """Return the board coordinates of a point on an edge, in mm."""
        return edge_point.at(self.board, self.inch)

    @cached_property
    def rivers(self) -> tuple[Course, ...]:
        """Return the rivers that a road may cross; the tuple is empty for a river."""
        if self.course_type.kind is Kind.RIVER:
            return ()
        return tuple(feature for feature in self.field.select_features(Kind.RIVER) if isinstance(feature, Course))

    def areas(self, kind: Kind) -> tuple[Area, ...]:
        """Return the area features of a kind on the board."""
        return tuple(feature for feature in self.field.select_features(kind) if isinstance(feature, Area))

    def area(self, identity: str) -> Area | None:
        """Return the lake or built-up area with this ID in which the course may end, or None."""
        return next((area for area in self.areas(self.course_type.goal_kind) if area.id == identity), None)

    def earlier_course(self, identity: str) -> Course | None:
        """Return the earlier course of the same type with this ID, or None."""
        return next((candidate for candidate in self.earlier_courses if candidate.id == identity), None)

    def closed_ground(self, goal: Goal | None, *, clear: bool = False) -> tuple[ClosedGround, ...]:
        """Return the ground that the course may not enter on its way to a goal, in mm on the board.

        The order is that of the features on the board. A hill with steep sides may give several entries with its ID.
        The result is empty if nothing is closed.

        Args:
            goal: if it is a lake or a built-up area, that area is not in the result.
            clear: True for the first choice of a road, which avoids every area and hill (BR-G58); ignored for rivers.
        """
        is_road = self.course_type.kind is Kind.ROAD
        clear = clear and is_road
        # BR-Q15: with this setting a road may cross passable hills, but not their steep slopes.
        avoids_steep_slopes = is_road and self.rules.choice("br-q15") == "passable"
        closed: list[ClosedGround] = []
        for feature in self.field.features:
            if not isinstance(feature, (Area, Hill)) or (isinstance(goal, IntoArea) and feature.id == goal.identity):
                continue
            impassable = feature.going.is_impassable
            if clear or is_closed(self.course_type.kind, feature.kind, self.rules, impassable=impassable):
                closed.append(ClosedGround(feature.id, feature.kind, feature.outline))
            elif avoids_steep_slopes and isinstance(feature, Hill):
                steep = [face for face in feature.faces if face.going.is_impassable]
                closed.extend(ClosedGround(feature.id, face.kind, face.line) for face in steep)
        return tuple(closed)

    def find_faults(
        self, line: LineString, goal: Goal, *, clear: bool = False, flattest: float | None = None
    ) -> Iterator[CourseFault]:
        """Yield the faults of a centre line in mm on the board; nothing if it keeps every rule.

        Faults of the ground come first, then those of the shape, of the end, and of contacts with rivers.

        Args:
            line: the centre line, from its start to its goal.
            goal: the end that the line should reach.
            clear: True if a road must also avoid ground that it may pass.
            flattest: the smallest angle in degrees at which a road may cross a river; default: the fallback of BR-G57.
        """
        yield from self._find_ground_faults(line, goal, clear=clear)
        yield from self._find_shape_faults(line)
        yield from self._find_goal_faults(line, goal)
        if self.course_type.kind is Kind.RIVER:
            yield from self._find_river_contacts(line, goal)
        else:
            yield from self._find_crossing_faults(line, flattest or self.rules.number("crossing_angle_min"))

    def _find_ground_faults(self, line: LineString, goal: Goal, *, clear: bool) -> Iterator[CourseFault]:
        """Yield a fault for each closed shape that a line enters or comes too near.

        The line is in mm on the board. ``clear`` is True if a road must also avoid ground that it may pass. The line
        must keep half the course's width away. ``goal`` is the end of the line: a goal area is not closed.
        """
        for identity, kind, shape in self.closed_ground(goal, clear=clear):
            # Many courses are measured against the same ground.
            prepare(shape)
            if not shape.dwithin(line, self.width / 2):
                continue
            gap = shape.distance(line)
            if gap < self.width / 2 - _TOLERANCE_MM:
                relation = (
                    Sentence("runs into") if gap == 0 else Sentence("comes within {gap:.2f} in of", gap=gap / self.inch)
                )
                yield CourseFault(
                    self.course_type.ground_clause,
                    "{sort} {identity} {where} {other} ({kind}); its centre line must stay {width:g} in "
                    "from ground it may not enter",
                    sort=self.course_type,
                    identity=self.identity,
                    where=relation,
                    other=identity,
                    kind=kind,
                    width=self.width / 2 / self.inch,
                )

    def _find_shape_faults(self, line: LineString) -> Iterator[CourseFault]:
        """Yield the faults of a line (mm on the board): length, bends, crossing itself, corners and edges.

        Messages give lengths in inches of the rules.
        """
        name, inch = f"{self.course_type} {self.identity}", self.inch
        longest = self.length_ratio_max * straight_length(line)
        if line.length > longest + _TOLERANCE_MM:
            yield CourseFault(
                self.course_type.length_clause,
                "{name} is {length:.2f} in long; the maximum is {limit:g} x {straight:.2f} in = {most:.2f} in",
                name=name,
                length=line.length / inch,
                limit=self.length_ratio_max,
                straight=straight_length(line) / inch,
                most=longest / inch,
            )
        if self.course_type.kind is Kind.ROAD:
            bend, sharpest = sharpest_bend(line, self.rules.length("bend_over")), self.rules.number("road_bend_max")
            if bend > sharpest + _TOLERANCE_MM:
                yield CourseFault(
                    "BR-X18",
                    "{name} bends by {bend:.0f} degrees; the maximum is {sharpest:g}",
                    name=name,
                    bend=bend,
                    sharpest=sharpest,
                )
        if not line.is_simple:
            yield CourseFault("BR-G35", "{name} crosses itself", name=name)
        for x, y in (line.coords[0], line.coords[-1]):
            distance = corner_distance(Point(x, y), self.board)
            minimum = self.rules.number("corner_gap")
            if locate_on_edge(Point(x, y), self.board) and distance < minimum * inch - _TOLERANCE_MM:
                yield CourseFault(
                    "BR-X10",
                    "{name} meets the edge {near:.2f} in from a corner; the minimum is {room:g} in",
                    name=name,
                    near=distance / inch,
                    room=minimum,
                )
        if self.course_type.kind is Kind.RIVER and not keeps_inside(line, self.board, self.edge_gap):
            yield CourseFault(
                "BR-G34",
                "{name} comes within {edge_gap:g} in of the board edge between its ends",
                name=name,
                edge_gap=self.edge_gap / inch,
            )
        elif not touches_edge_only_at_ends(line, self.board):
            yield CourseFault(
                "BR-G34" if self.course_type.kind is Kind.RIVER else "BR-X18",
                "{name} touches the board edge between its ends",
                name=name,
            )

    def _find_goal_faults(self, line: LineString, goal: Goal) -> Iterator[CourseFault]:
        """Yield the faults at a line's end (mm on the board): its depth in an area, or its junction.

        A goal on the board edge has no faults here.
        """
        name, inch, end_point = f"{self.course_type} {self.identity}", self.inch, Point(line.coords[-1])
        if isinstance(goal, IntoArea) and (area := self.area(goal.identity)):
            crossing_count, end_depth = len(find_shores(line, area.outline)), area.outline.exterior.distance(end_point)
            shallowest, deepest = (
                self.rules.number(f"{self.course_type.goal_kind}_depth_{end}") for end in ("min", "max")
            )
            if crossing_count != 1:
                yield CourseFault(
                    self.course_type.ground_clause,
                    "{name} crosses the outline of {area} {passed} times; it should cross once",
                    name=name,
                    area=area.id,
                    passed=crossing_count,
                )
            if (
                not area.outline.contains(end_point)
                or not shallowest * inch - _TOLERANCE_MM <= end_depth <= deepest * inch + _TOLERANCE_MM
            ):
                yield CourseFault(
                    self.course_type.ground_clause,
                    "{name} ends {deep:.2f} in from the outline of {area}; it should end {low:g} to "
                    "{high:g} in inside it",
                    name=name,
                    deep=end_depth / inch,
                    area=area.id,
                    low=shallowest,
                    high=deepest,
                )
        if isinstance(goal, IntoCourse) and (joined_course := self.earlier_course(goal.identity)):
            clause = "BR-G39" if self.course_type.kind is Kind.RIVER else "BR-X18"
            distance = joined_course.line.project(end_point)
            end_distance = min(distance, joined_course.line.length - distance) / inch
            minimum = self.rules.number("river_junction_gap" if self.course_type.kind is Kind.RIVER else "junction_gap")
            if end_distance < minimum - 1e-3:
                yield CourseFault(
                    clause,
                    "{name} joins {other} {room:.2f} in from its end; the minimum is {least:g} in",
                    name=name,
                    other=joined_course.id,
                    room=end_distance,
                    least=minimum,
                )
            angle, flattest = crossing_angle(end_point, line, joined_course.line), self.rules.number("junction_angle")
            if angle < flattest - 1e-6:
                yield CourseFault(
                    clause,
                    "{name} meets {other} at {angle:.0f} degrees; the minimum is {flattest:g}",
                    name=name,
                    other=joined_course.id,
                    angle=angle,
                    flattest=flattest,
                )

    def _find_river_contacts(self, line: LineString, goal: Goal) -> Iterator[CourseFault]:
        """Yield a fault for each river that a river's line crosses, or touches away from its goal.

        The line is in mm on the board. A river may end in another, but not cross it (BR-G40).
        """
        end = Point(line.coords[-1])
        for course in self.earlier_courses:
            joins = isinstance(goal, IntoCourse) and goal.identity == course.id
            points = [meeting.at for meeting in find_meetings(line, course.line)]
            if any(not (joins and point.distance(end) < 0.5) for point in points):
                yield CourseFault(
                    "BR-G40",
                    "river {identity} crosses {other}; it may end there but not cross",
                    identity=self.identity,
                    other=course.id,
                )

    def _find_crossing_faults(self, line: LineString, flattest: float) -> Iterator[CourseFault]:
        """Yield the faults where a road's line crosses a river too flatly, or runs in it or along it.

        The line is in mm on the board. ``flattest`` is the smallest allowed angle in degrees.
        """
        name, inch = Sentence("road {identity}", identity=self.identity), self.inch
        for river in self.rivers:
            crossings = find_meetings(line, river.line)
            for meeting in crossings:
                if meeting.angle < flattest - 1e-6:
                    yield CourseFault(
                        "BR-X18",
                        "{name} crosses {river} at {angle:.0f} degrees; the minimum is {flattest:g}",
                        name=name,
                        river=river.id,
                        angle=meeting.angle,
                        flattest=flattest,
                    )
            for piece, length in wet_lengths(line, self.width, river.line, river.width):
                longest = self.rules.number("crossing_length_in_widths_max") * river.width
                if length > longest + _TOLERANCE_MM:
                    yield CourseFault(
                        "BR-X18",
                        "{name} runs inside {river} for {within:.2f} in; the maximum is {most:g} in",
                        name=name,
                        river=river.id,
                        within=length / inch,
                        most=longest / inch,
                    )
                elif sum(piece.distance(meeting.at) < self.rules.length("one_place") for meeting in crossings) != 1:
                    yield CourseFault(
                        "BR-X18",
                        "{name} runs along {river}, partly in it, and never crosses it cleanly",
                        name=name,
                        river=river.id,
                    )
