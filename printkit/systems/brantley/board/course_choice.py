"""Automatic rivers and roads: choose the placer's decisions from the ends that a course can reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple, TypeVar

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import PlacementError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.board.course_brief import ROAD, CourseBrief
from printkit.systems.brantley.board.course_records import OPPOSITE, XY, EdgePoint, Goal, IntoArea, IntoCourse
from printkit.systems.brantley.board.course_routes import (
    RIVER_GAP_IN,
    clearance_options,
    crosses_cleanly,
    end_at_river,
    goal_position,
    junction_leads,
    route_course,
    routing_ground,
)
from printkit.systems.brantley.dealing.deal import ZONES_PER_SIDE
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import line_bearing
from printkit.terrain.geometry.routing import CostField, RoutingGround

_STEP_IN: Final = 0.5
# Distance in inches that an automatic course keeps from the corners. The rule requires one inch.
_CORNER_GAP_IN: Final = 3.0

# The longest path on the routing grid to an offered end, per unit of straight distance. Bends use up the rest.
_MAX_DETOUR: Final = {Kind.RIVER: 1.32, Kind.ROAD: 1.16}

# Shorter distances in inches are offered only if no end is farther away: a course should cross some ground.
_MIN_LENGTH_IN: Final = {Kind.RIVER: 9.0, Kind.ROAD: 7.0}

# The same for a course across the board. A course may cut off a corner, but that looks dull.
_MIN_CROSSING_IN: Final = 17.0

_JUNCTION_SHARES: Final = (0.3, 0.4, 0.5, 0.6, 0.7)

# The smallest angle in degrees between a course and the course that it joins. At less, the two would run side by side.
_MIN_JUNCTION_DEG: Final = 42.0

T = TypeVar("T")
Accept = Callable[[LineString], bool]


class RoutedCourse(NamedTuple):
    """A routed course: its start, its goal and its line in mm on the board."""

    start: EdgePoint
    goal: Goal
    line: LineString


class _CourseEnds(NamedTuple):
    """A start and a goal."""

    start: EdgePoint
    goal: Goal

    def __str__(self) -> str:
        return str(self.start)


class _OpenStart(Struct, frozen=True):
    """A start on an edge: its point in mm on the board, and the first point clear of the edge."""

    edge_point: EdgePoint
    at: XY
    inner_point: XY


class CourseChooser(Struct, frozen=True, dict=True):
    """Chooses the ends of a course for one placer, and logs each choice."""

    brief: CourseBrief
    dice: Dice
    accept: Accept

    def choose_course(self, jitter: Jitter) -> RoutedCourse:
        """Return a course that keeps every rule: its start, its goal, and its line in mm on the board.

        It chooses new ends up to ``new_ends_max`` times, then takes a corridor between the zones (BR-G37, BR-G58). The
        choices are logged in ``dice``. Each try uses its own stream of ``jitter``, which does not change.

        Raises:
            PlacementError: no corridor is open; this cannot happen on a board of nine features within their margins.
        """
        name = f"{self.brief.course_type.stage}/{self.brief.identity}/line"
        for attempt in range(self.brief.rules.whole("new_ends_max")):
            ends = self._choose_ends()
            if ends is None:
                continue
            stream = jitter.stream(f"{name}/{attempt}" if attempt else name)
            line = route_course(self.brief, *ends, stream, flattest=self.brief.rules.number("crossing_angle"))
            if line is not None and self.accept(line):
                return RoutedCourse(ends.start, ends.goal, line)
        return self._choose_corridor()

    def _choose(self, options: Sequence[object], question: str) -> int:
        """Return the index of the chosen option, from 0; a single option needs no decision.

        A choice among several is logged in ``dice``. ``question`` is a key of ``_reasons``, which gives the text of the
        log.
        """
        if len(options) == 1:
            return 0
        labels = [str(option) for option in options]
        clause = self.brief.course_type.clauses["single" if not self.brief.earlier_courses else "each"]
        return labels.index(self.dice.choose(labels, self._reasons[question], clause, asks=True))

    @cached_property
    def _reasons(self) -> Mapping[str, Sentence]:
        """Return the text of the log for each decision of the placer, by its question.

        The questions are where to, start, end, which one, junction and corridor.
        """
        values = {"sort": str(self.brief.course_type), "course": self.brief.identity}
        return {
            "where to": Sentence("{sort} {course}: where to", **values),
            "start": Sentence("{sort} {course}: start", **values),
            "end": Sentence("{sort} {course}: end", **values),
            "which one": Sentence("{sort} {course}: which one", **values),
            "junction": Sentence("{sort} {course}: junction", **values),
            "corridor": Sentence("{sort} {course}: corridor", **values),
        }

    def _choose_ends(self) -> _CourseEnds | None:
        """Return the chosen start and goal of a course; None if the chosen kind of goal has no possible end.

        The decisions are logged in ``dice``.
        """
        finders: dict[str, Callable[[], _CourseEnds | None]] = {}
        end_points = {course.id: course.line.coords[-1] for course in self.brief.earlier_courses}
        areas = [
            area
            for area in self.brief.areas(self.brief.course_type.goal_kind)
            if not any(area.outline.contains(Point(end)) for end in end_points.values())
        ]
        if areas:
            finders[f"into a {self.brief.course_type.goal_kind}"] = lambda: self._choose_area_ends(
                [IntoArea(area.id) for area in areas]
            )
        if self.brief.earlier_courses:
            finders[f"into {self.brief.earlier_courses[0].id}"] = self._choose_junction_ends
        # Players prefer a road that leads to a built-up area. A road across the board is the fallback.
        if not (areas and self.brief.course_type is ROAD):
            finders = {"across the board": self._choose_crossing_ends, **finders}
        return list(finders.values())[self._choose(list(finders), "where to")]()

    def _choose_crossing_ends(self) -> _CourseEnds | None:
        """Return the chosen start and a goal on another edge; None if no start or no goal is possible."""
        starts = self._open_starts
        if not starts:
            return None
        start = starts[self._choose([start.edge_point for start in starts], "start")].edge_point
        goals = self._find_reachable_ends(start, [edge for edge in Edge if edge is not start.edge])
        if not goals:
            return None
        return _CourseEnds(start, goals[self._choose(goals, "end")])

    def _find_reachable_ends(self, start: EdgePoint, edges: Sequence[Edge]) -> list[EdgePoint]:
        """Return the points on ``edges`` that a course from ``start`` can reach without a long detour.

        Points near the start are left out. Far points are preferred. The list is empty if no point is possible.
        """
        start_point, inner_point, minimum = (
            self.brief.edge_position(start),
            _inner_point(self.brief, start),
            _MIN_LENGTH_IN[self.brief.course_type.kind],
        )
        ends = [end for end in self._open_starts if end.edge_point.edge in edges]
        for clear in clearance_options(self.brief, None):
            costs = CostField(routing_ground(self.brief, start, clear=clear), inner_point)
            near_ends = [end for end in ends if self._is_direct(costs, inner_point, end.inner_point)]
            far_ends = self._prefer_far(near_ends, lambda end: math.dist(end.at, start_point), _MIN_CROSSING_IN)
            if far_ends and math.dist(far_ends[0].at, start_point) > minimum * self.brief.inch:
                return [end.edge_point for end in far_ends]
        return []

    def _choose_area_ends(self, goals: list[IntoArea]) -> _CourseEnds | None:
        """Return the chosen start, and one of the areas as the goal; None if no start is possible.

        A river ends in the nearer of two lakes (BR-Q13).
        """
        if self.brief.course_type is ROAD:
            goals = [goals[self._choose(goals, "which one")]]
        ends: list[_CourseEnds] = []
        for clear in clearance_options(self.brief, None):
            for goal in goals:
                goal_point = goal_position(self.brief, goal)
                ends += self._find_ends(self._path_costs(goal, goal_point, clear=clear), goal)
            if ends:
                break
        nearest: dict[EdgePoint, _CourseEnds] = {}
        for end in ends:
            if end.start not in nearest or self._straight_length(end) < self._straight_length(nearest[end.start]):
                nearest[end.start] = end
        ends = self._prefer_far(
            list(nearest.values()), self._straight_length, _MIN_LENGTH_IN[self.brief.course_type.kind]
        )
        return ends[self._choose(ends, "start")] if ends else None

    def _choose_junction_ends(self) -> _CourseEnds | None:
        """Return the chosen ends with a junction on the first earlier course as the goal, or None.

        None means a junction too near the ends of that course, or one that no start can reach.
        """
        joined = self.brief.earlier_courses[0]
        gap = max(self.brief.rules.length(name) for name in ("river_junction_gap", "junction_gap"))
        shares = [share for share in _JUNCTION_SHARES if min(share, 1 - share) * joined.line.length > gap]
        if not shares:
            return None
        goal = IntoCourse(joined.id, shares[self._choose(shares, "junction")])
        ends: list[_CourseEnds] = []
        leads = junction_leads(self.brief, goal, goal_position(self.brief, goal))
        for lead in leads:
            ends += self._find_ends(self._path_costs(goal, lead), goal)
        ends = [end for end in dict.fromkeys(ends) if self._joins_at_angle(end, joined.line)]
        ends = self._prefer_far(ends, self._straight_length, _MIN_LENGTH_IN[self.brief.course_type.kind])
        return ends[self._choose(ends, "start")] if ends else None

    def _joins_at_angle(self, end: _CourseEnds, joined: LineString) -> bool:
        """Return whether the straight line to a junction meets the joined line at a large enough angle.

        ``joined`` is the joined line, in mm on the board.
        """
        junction, start = goal_position(self.brief, end.goal), self.brief.edge_position(end.start)
        bearing_deg = math.degrees(math.atan2(start[1] - junction[1], start[0] - junction[0]))
        turn = (
            abs(bearing_deg - line_bearing(joined, float(joined.project(Point(junction))), 2 * self.brief.inch)) % 180
        )
        return min(turn, 180 - turn) >= _MIN_JUNCTION_DEG

    def _find_ends(self, costs: CostField, goal: Goal) -> list[_CourseEnds]:
        """Return the goal with each open start from which the path to it has no long detour.

        ``costs`` has the path lengths in mm on the board from a point at the goal. The list may be empty.
        """
        return [
            _CourseEnds(start.edge_point, goal)
            for start in self._open_starts
            if self._is_direct(costs, costs.start, start.inner_point)
        ]

    @cached_property
    def _open_starts(self) -> list[_OpenStart]:
        """Return the possible starts on all edges, found only once; empty if all are blocked."""
        return _find_open_starts(self.brief)

    @cached_property
    def _costs_cache(self) -> dict[tuple[RoutingGround, XY], CostField]:
        """Return the cache of path costs, by routing ground and start point in mm on the board."""
        return {}

    def _path_costs(self, goal: Goal, start: XY, *, clear: bool = False) -> CostField:
        """Return the path costs from a point at a goal, cached for later tries; all in mm on the board.

        ``clear`` is True if a road must also avoid ground that it may pass.
        """
        key = (routing_ground(self.brief, goal, clear=clear), start)
        if key not in self._costs_cache:
            self._costs_cache[key] = CostField(*key)
        return self._costs_cache[key]

    def _is_direct(self, costs: CostField, start: tuple[float, float], end: tuple[float, float]) -> bool:
        """Return whether the path to ``end`` is short enough compared with the straight line from ``start``.

        Points are in mm on the board. ``costs`` has the path lengths from ``start``. A path may be 1.32 times as long
        as the straight line for a river, and 1.16 times for a road.
        """
        return costs.path_length(end) <= _MAX_DETOUR[self.brief.course_type.kind] * math.dist(start, end)

    def _straight_length(self, end: _CourseEnds) -> float:
        """Return the straight distance between start and goal, in mm on the board."""
        return math.dist(self.brief.edge_position(end.start), goal_position(self.brief, end.goal))

    def _prefer_far(self, ends: list[T], length: Callable[[T], float], inches: float) -> list[T]:
        """Return the ends with a length of at least ``inches`` of the rules; all ends if none is so long.

        ``length`` returns the length of an end in mm on the board.
        """
        far_ends = [end for end in ends if length(end) >= inches * self.brief.inch]
        return far_ends or ends

    def _choose_corridor(self) -> RoutedCourse:
        """Return the chosen straight course along a line between the zones (BR-G37).

        Raises:
            PlacementError: no such line is open.
        """
        courses = [course for course in find_corridors(self.brief) if self.accept(course.line)] or list(
            find_corridors(self.brief)
        )
        if not courses:
            obstacles = ", ".join(dict.fromkeys(obstacle.identity for obstacle in self.brief.closed_ground(None)))
            raise PlacementError(
                "no route is left for {sort} {identity} between {shut}",
                sort=self.brief.course_type,
                identity=self.brief.identity,
                shut=obstacles,
                clause=self.brief.course_type.ground_clause,
            )
        return courses[self._choose([course.start for course in courses], "corridor")]


def find_corridors(brief: CourseBrief, edges: Sequence[Edge] = tuple(Edge)) -> Iterator[RoutedCourse]:
    """Yield the straight courses along the lines between the zones that break no rule (BR-G37).

    They start on ``edges``, in the order of the edges, at a third and at two thirds of each edge. They end on the
    opposite edge. Lines are in mm on the board; a river may end at an earlier river.
    """
    for edge in edges:
        for third in range(1, ZONES_PER_SIDE):
            start = EdgePoint(edge, third * brief.rules.number("board_side") / ZONES_PER_SIDE)
            goal = EdgePoint(OPPOSITE[edge], start.inches)
            straight = LineString([brief.edge_position(start), brief.edge_position(goal)])
            line, end = end_at_river(brief, straight, goal)
            if next(brief.find_faults(line, end), None) is None and crosses_cleanly(brief, line, end):
                yield RoutedCourse(start, end, line.segmentize(2.0))


def count_open_corridors(field: Battlefield, rules: Rules, enough: int = 4) -> int:
    """Return how many of the four lines between the zones are open to a road, counting up to ``enough``.

    ``field`` has the features and rivers that may block them.
    """
    brief = CourseBrief(course_type=ROAD, identity="", field=field, earlier_courses=(), rules=rules)
    return sum(1 for _ in islice(find_corridors(brief, (Edge.FAR, Edge.LEFT)), enough))


def _edge_points(brief: CourseBrief, edge: Edge) -> list[EdgePoint]:
    """Return the points on an edge that a placer can choose: every half inch, from 3 inches off each corner.

    The order is from the edge's left or near end. Inches are those of the rules.
    """
    edge_length = brief.board.edge(edge).length / brief.inch
    count = int((edge_length - 2 * _CORNER_GAP_IN) / _STEP_IN + 1e-9)
    return [EdgePoint(edge, _CORNER_GAP_IN + _STEP_IN * index) for index in range(count + 1)]


def _inner_point(brief: CourseBrief, edge_point: EdgePoint) -> tuple[float, float]:
    """Return the first point of a course from an edge that is clear of the edge, in mm on the board.

    It is 1.53 course widths from the edge.
    """
    (x, y), (normal_x, normal_y) = brief.edge_position(edge_point), edge_point.inward_vector()
    return x + 1.53 * brief.width * normal_x, y + 1.53 * brief.width * normal_y


def _find_open_starts(brief: CourseBrief) -> list[_OpenStart]:
    """Return the unblocked starts on all edges, edge by edge; may be empty.

    A later river has only the starts away from earlier courses, if there are any.
    """
    shapes = [obstacle.shape for obstacle in brief.closed_ground(None)]
    shapes += [course.line.buffer(course.width / 2, quad_segs=4) for course in (*brief.earlier_courses, *brief.rivers)]
    closed_ground = shapely.union_all(shapes)
    edge_points = [start for edge in Edge for start in _edge_points(brief, edge)]
    starts = [_OpenStart(start, brief.edge_position(start), _inner_point(brief, start)) for start in edge_points]
    leads = shapely.linestrings([[start.at, start.inner_point] for start in starts])
    shapely.prepare(closed_ground)
    # Few starts are near closed ground. Only these need an exact distance.
    near = np.flatnonzero(shapely.dwithin(closed_ground, leads, brief.width / 2 + 1.0))
    blocked_indexes = {int(index) for index in near[shapely.distance(leads[near], closed_ground) < brief.width / 2]}
    free = [start for index, start in enumerate(starts) if index not in blocked_indexes]
    if brief.course_type.kind is Kind.RIVER and brief.earlier_courses:
        gap_mm = RIVER_GAP_IN * brief.inch + brief.width
        beds = shapely.union_all([course.line for course in brief.earlier_courses])
        return [start for start in free if beds.distance(Point(start.at)) >= gap_mm] or free
    return free
