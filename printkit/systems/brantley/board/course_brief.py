"""The conditions for placing a river or a road, and the rule values in which the two differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from msgspec import Struct
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.board.checked_courses import (
    CheckedCourse,
    End,
    EndKind,
    find_courses,
    find_edge_end,
)
from printkit.systems.brantley.board.course_records import XY, EdgePoint, Goal, IntoArea
from printkit.systems.brantley.board.course_rules import COURSE_RULES, ROUNDING_MM, CourseSurroundings
from printkit.systems.brantley.dealing.game_rules import is_closed, rule_inch_mm
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import Area, Course, Hill, Kind, Origin
from printkit.terrain.field.record_features import UNSTATED

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


class CourseFault(NamedTuple):
    """A fault of a course: the clause for its error, and the sentence."""

    clause: str
    sentence: Sentence


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

    def find_faults(self, line: LineString, goal: Goal, *, clear: bool = False) -> Iterator[CourseFault]:
        """Yield the faults of a centre line in mm on the board; nothing if it keeps every rule.

        Args:
            line: the centre line, from its start to its goal.
            goal: the end that the line should reach.
            clear: True if a road must also avoid ground that it may pass.
        """
        closed = [
            (Sentence("{area} ({kind})", area=ground.identity, kind=ground.kind), ground.shape)
            for ground in self.closed_ground(goal, clear=clear)
        ]
        surroundings = CourseSurroundings(
            board=self.board,
            rules=self.rules,
            closed_ground=lambda _: closed,
            other_courses=lambda _: self._checked_courses,
            rivers=self._checked_rivers,
            areas={area.id: area.outline for area in self.areas(self.course_type.goal_kind)},
            rounding_mm=ROUNDING_MM,
        )
        start, end = (
            find_edge_end(Point(point), self.board, ROUNDING_MM) for point in (line.coords[0], line.coords[-1])
        )
        if not isinstance(goal, EdgePoint):
            kind = EndKind.AREA if isinstance(goal, IntoArea) else EndKind.COURSE
            end = End(at=end.at, kind=kind, target=goal.identity)
        course = CheckedCourse(feature=self.build_course(line), line=line, part_count=1, start=start, end=end)
        for rule in COURSE_RULES[self.course_type.kind]:
            for fault in rule.find_faults(course, surroundings):
                yield CourseFault(rule.error_clause or rule.clause, fault)

    def build_course(self, line: LineString, origin: Origin | None = None) -> Course:
        """Return the course with this centre line, in mm on the board."""
        return Course(
            id=self.identity,
            kind=self.course_type.kind,
            line=line,
            width=self.width,
            going=UNSTATED,
            origin=origin or Origin(),
        )

    @cached_property
    def _checked_courses(self) -> tuple[CheckedCourse, ...]:
        """Return the earlier courses of the same type with their ends."""
        return find_courses(self.earlier_courses, self.areas(self.course_type.goal_kind), self.board, ROUNDING_MM)

    @cached_property
    def _checked_rivers(self) -> tuple[CheckedCourse, ...]:
        """Return the rivers that a road may cross; empty for a river."""
        return find_courses(self.rivers, self.areas(Kind.LAKE), self.board, ROUNDING_MM)
