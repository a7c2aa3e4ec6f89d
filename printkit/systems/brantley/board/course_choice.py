"""Automatic rivers and roads: choose the placer's decisions from the ends that a course can reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
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
    INSET_WIDTHS,
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
# Distance in inches that an automatic course keeps from the corners. The rules require less.
_CORNER_GAP_IN: Final = 3.0

# The longest path on the routing grid to the end of an automatic course, per unit of straight distance. Bends use up
# the rest of what the rules allow.
_MAX_DETOUR: Final = {Kind.RIVER: 1.32, Kind.ROAD: 1.16}

# An automatic course is shorter, in inches, only if no end is farther away: it should cross some ground.
_MIN_LENGTH_IN: Final = {Kind.RIVER: 9.0, Kind.ROAD: 7.0}

# The same for a course across the board. A course may cut off a corner, but that looks dull.
_MIN_CROSSING_IN: Final = 17.0

# Where a course may join another one, as shares of its length, and where an automatic course does.
_JUNCTION_SHARES: Final = tuple(step / 20 for step in range(1, 20))
_USUAL_JUNCTION_SHARES: Final = (0.3, 0.4, 0.5, 0.6, 0.7)

# The smallest angle in degrees between an automatic course and the course that it joins. At less, the two would run
# side by side.
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

    def _choose(self, options: Sequence[T], question: str, usual: Container[T] = ()) -> T:
        """Return the chosen option; a single option needs no decision.

        A choice among several is logged in ``dice``. A player may choose any of them. Chance chooses one of the
        ``usual`` ones, if there are any. ``question`` is a key of ``_reasons``, which gives the text of the log.
        """
        weights = [int(option in usual) for option in options]
        return self._choose_by_weight(options, question, weights if any(weights) else ())

    def _choose_by_weight(self, options: Sequence[T], question: str, weights: Sequence[int]) -> T:
        """Return the chosen option. Chance chooses by the weights, or all alike if there are none; see ``_choose``."""
        if len(options) == 1:
            return options[0]
        labels = [str(option) for option in options]
        clause = self.brief.course_type.clauses["single" if not self.brief.earlier_courses else "each"]
        label = self.dice.choose(labels, self._reasons[question], clause, asks=True, weights=weights)
        return options[labels.index(label)]

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
        course_type = self.brief.course_type
        end_points = {course.id: course.line.coords[-1] for course in self.brief.earlier_courses}
        areas = [
            area
            for area in self.brief.areas(course_type.goal_kind)
            if not any(area.outline.contains(Point(end)) for end in end_points.values())
        ]
        into_area = f"into a {course_type.goal_kind}"
        finders: dict[str, Callable[[], _CourseEnds | None]] = {"across the board": self._choose_crossing_ends}
        if areas:
            finders[into_area] = lambda: self._choose_area_ends([IntoArea(area.id) for area in areas])
        if self.brief.earlier_courses:
            finders[f"into {self.brief.earlier_courses[0].id}"] = self._choose_junction_ends
        # Half of the automatic roads that can end in a built-up area do.
        area_weight = len(finders) - 1 if course_type is ROAD else 1
        weights = [area_weight if name == into_area else 1 for name in finders]
        return finders[self._choose_by_weight(list(finders), "where to", weights)]()

    def _choose_crossing_ends(self) -> _CourseEnds | None:
        """Return the chosen start and a goal on another edge; None if no start or no goal is possible."""
        if not self._starts:
            return None
        start = self._choose([start.edge_point for start in self._starts], "start", self._usual_starts)
        goals, usual_goals = self._find_crossing_goals(next(each for each in self._starts if each.edge_point == start))
        return _CourseEnds(start, self._choose(goals, "end", usual_goals)) if goals else None

    def _find_crossing_goals(self, start: _OpenStart) -> tuple[list[EdgePoint], list[EdgePoint]]:
        """Return the points on other edges that a course from ``start`` can reach, and the usual ones.

        The usual ones are those without a long detour, and far from the start. Both lists may be empty.
        """
        origin, minimum = start.edge_point, _MIN_LENGTH_IN[self.brief.course_type.kind] * self.brief.inch
        usual_goals: list[_OpenStart] = []
        for clear in clearance_options(self.brief, None) if origin in self._usual_starts else ():
            inner_point = self._usual_starts[origin].inner_point
            costs = CostField(routing_ground(self.brief, origin, clear=clear), inner_point)
            ends = [end for end in self._usual_starts.values() if end.edge_point.edge is not origin.edge]
            direct_ends = [end for end in ends if self._is_direct(costs, inner_point, end.inner_point)]
            far_ends = self._prefer_far(direct_ends, lambda end: math.dist(end.at, start.at), _MIN_CROSSING_IN)
            if far_ends and math.dist(far_ends[0].at, start.at) > minimum:
                usual_goals = far_ends
                break
        costs = CostField(routing_ground(self.brief, origin, inset=_least_inset(self.brief)), start.inner_point)
        goals = [end for end in self._find_reachable_starts(costs) if end.edge is not origin.edge]
        return goals, [end.edge_point for end in usual_goals]

    def _find_reachable_starts(self, costs: CostField) -> list[EdgePoint]:
        """Return the starts from which a path to the start of ``costs`` is not longer than the rules allow."""
        ratio = max(self.brief.length_ratio_max, _MAX_DETOUR[self.brief.course_type.kind])
        return [
            start.edge_point for start in self._starts if self._is_direct(costs, costs.start, start.inner_point, ratio)
        ]

    def _choose_area_ends(self, goals: list[IntoArea]) -> _CourseEnds | None:
        """Return the chosen start, and one of the areas as the goal; None if no start is possible.

        An automatic river ends in the nearer of two lakes (BR-Q13).
        """
        if self.brief.course_type is ROAD:
            goals = [self._choose(goals, "which one")]
        usual_ends: list[_CourseEnds] = []
        for clear in clearance_options(self.brief, None):
            for goal in goals:
                goal_point = goal_position(self.brief, goal)
                usual_ends += self._find_ends(self._path_costs(goal, goal_point, clear=clear), goal)
            if usual_ends:
                break
        usual_ends.sort(key=self._straight_length)
        nearest = {end.start: end for end in reversed(usual_ends)}
        usual = self._prefer_far(
            list(nearest.values()), self._straight_length, _MIN_LENGTH_IN[self.brief.course_type.kind]
        )
        reachable = {
            goal: self._find_reachable_starts(
                self._path_costs(goal, goal_position(self.brief, goal), inset=_least_inset(self.brief))
            )
            for goal in goals
        }
        start_points = [start.edge_point for start in self._starts]
        starts = [point for point in start_points if any(point in points for points in reachable.values())]
        if not starts:
            return None
        start = self._choose(starts, "start", [end.start for end in usual])
        near_goals = [goal for goal in goals if start in reachable[goal]]
        usual_goals = [nearest[start].goal] if start in nearest else []
        return _CourseEnds(start, self._choose(near_goals, "which one", usual_goals))

    def _choose_junction_ends(self) -> _CourseEnds | None:
        """Return the chosen ends with a junction on the first earlier course as the goal, or None.

        None means a junction too near the ends of that course, or one without a start.
        """
        joined = self.brief.earlier_courses[0]
        gap = max(self.brief.rules.length(name) for name in ("river_junction_gap", "junction_gap"))
        beds = shapely.union_all([river.line.buffer(river.width / 2) for river in self.brief.rivers])
        shares = [
            share
            for share in _JUNCTION_SHARES
            if min(share, 1 - share) * joined.line.length > gap
            and not beds.intersects(joined.line.interpolate(share, normalized=True))
        ]
        if not shares:
            return None
        goal = IntoCourse(joined.id, self._choose(shares, "junction", _USUAL_JUNCTION_SHARES))
        usual_ends: list[_CourseEnds] = []
        reachable: list[EdgePoint] = []
        for lead in junction_leads(self.brief, goal, goal_position(self.brief, goal)):
            usual_ends += self._find_ends(self._path_costs(goal, lead), goal)
            reachable += self._find_reachable_starts(self._path_costs(goal, lead, inset=_least_inset(self.brief)))
        usual_ends = [end for end in dict.fromkeys(usual_ends) if self._joins_at_angle(end, joined.line)]
        usual_ends = self._prefer_far(usual_ends, self._straight_length, _MIN_LENGTH_IN[self.brief.course_type.kind])
        starts = [start.edge_point for start in self._starts if start.edge_point in reachable]
        return _CourseEnds(self._choose(starts, "start", [end.start for end in usual_ends]), goal) if starts else None

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
        """Return the goal with each usual start from which the path to it has no long detour.

        ``costs`` has the path lengths in mm on the board from a point at the goal. The list may be empty.
        """
        return [
            _CourseEnds(start.edge_point, goal)
            for start in self._usual_starts.values()
            if self._is_direct(costs, costs.start, start.inner_point)
        ]

    @cached_property
    def _starts(self) -> list[_OpenStart]:
        """Return the starts on all edges that the rules allow, found only once; empty if all are blocked."""
        corner_gap = self.brief.rules.number("corner_gap")
        return find_open_starts(self.brief, corner_gap, _least_inset(self.brief))

    @cached_property
    def _usual_starts(self) -> dict[EdgePoint, _OpenStart]:
        """Return the starts of automatic courses by their points; a later river starts away from earlier ones."""
        starts = find_open_starts(self.brief, _CORNER_GAP_IN, INSET_WIDTHS)
        if self.brief.course_type.kind is Kind.RIVER and self.brief.earlier_courses:
            gap_mm = RIVER_GAP_IN * self.brief.inch + self.brief.width
            beds = shapely.union_all([course.line for course in self.brief.earlier_courses])
            starts = [start for start in starts if beds.distance(Point(start.at)) >= gap_mm] or starts
        return {start.edge_point: start for start in starts}

    @cached_property
    def _costs_cache(self) -> dict[tuple[RoutingGround, XY], CostField]:
        """Return the cache of path costs, by routing ground and start point in mm on the board."""
        return {}

    def _path_costs(self, goal: Goal, start: XY, *, clear: bool = False, inset: float = INSET_WIDTHS) -> CostField:
        """Return the path costs from a point at a goal, cached for later tries; all in mm on the board.

        ``clear`` is True if a road must also avoid ground that it may pass. ``inset`` is the distance that the course
        keeps from the board edge, in its widths.
        """
        key = (routing_ground(self.brief, goal, clear=clear, inset=inset), start)
        if key not in self._costs_cache:
            self._costs_cache[key] = CostField(*key)
        return self._costs_cache[key]

    def _is_direct(self, costs: CostField, start: XY, end: XY, ratio: float = 0.0) -> bool:
        """Return whether the path to ``end`` is short enough compared with the straight line from ``start``.

        Points are in mm on the board. ``costs`` has the path lengths from ``start``. A path may be ``ratio`` times as
        long as the straight line; by default 1.32 times for a river, and 1.16 times for a road.
        """
        ratio = ratio or _MAX_DETOUR[self.brief.course_type.kind]
        return costs.path_length(end) <= ratio * math.dist(start, end)

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
        start = self._choose([course.start for course in courses], "corridor")
        return next(course for course in courses if course.start == start)


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


def _edge_points(brief: CourseBrief, edge: Edge, corner_gap: float) -> list[EdgePoint]:
    """Return a point on an edge every half inch, from ``corner_gap`` inches off each corner.

    The order is from the edge's left or near end. Inches are those of the rules.
    """
    edge_length = brief.board.edge(edge).length / brief.inch
    count = int((edge_length - 2 * corner_gap) / _STEP_IN + 1e-9)
    return [EdgePoint(edge, corner_gap + _STEP_IN * index) for index in range(count + 1)]


def _least_inset(brief: CourseBrief) -> float:
    """Return how near a course may come to the edges of the board, in its widths; it starts as far from the corners."""
    corner_gap = brief.rules.number("corner_gap") * brief.inch / brief.width
    return max(1.0, min(INSET_WIDTHS, corner_gap))


def find_open_starts(brief: CourseBrief, corner_gap: float, inset: float) -> list[_OpenStart]:
    """Return the unblocked starts on all edges, edge by edge; may be empty.

    Args:
        brief: the course.
        corner_gap: the distance of a start from the corners, in inches of the rules.
        inset: how far from the edge a course is clear of it, in its widths.
    """
    shapes = [obstacle.shape for obstacle in brief.closed_ground(None)]
    shapes += [course.line.buffer(course.width / 2, quad_segs=4) for course in (*brief.earlier_courses, *brief.rivers)]
    closed_ground = shapely.union_all(shapes)
    starts: list[_OpenStart] = []
    for edge_point in (point for edge in Edge for point in _edge_points(brief, edge, corner_gap)):
        (x, y), (normal_x, normal_y) = brief.edge_position(edge_point), edge_point.inward_vector()
        # A little beyond the inset, so that rounding does not leave it inside.
        lead = 1.02 * inset * brief.width
        starts.append(_OpenStart(edge_point, (x, y), (x + lead * normal_x, y + lead * normal_y)))
    leads = shapely.linestrings([[start.at, start.inner_point] for start in starts])
    shapely.prepare(closed_ground)
    # Few starts are near closed ground. Only these need an exact distance.
    near = np.flatnonzero(shapely.dwithin(closed_ground, leads, brief.width / 2 + 1.0))
    blocked_indexes = {int(index) for index in near[shapely.distance(leads[near], closed_ground) < brief.width / 2]}
    return [start for index, start in enumerate(starts) if index not in blocked_indexes]
