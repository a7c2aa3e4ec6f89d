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
from printkit.systems.brantley.board.course_records import OPPOSITE, XY, EdgeSpot, Goal, IntoArea, IntoCourse
from printkit.systems.brantley.board.course_routes import (
    APART_IN,
    apart_from_roads,
    country,
    goal_place,
    grounds,
    junction_leads,
    met_earlier,
    routed,
)
from printkit.systems.brantley.dealing.deal import ACROSS
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import line_bearing
from printkit.terrain.geometry.routing import CostField, RoutingGround

_STEP_IN: Final = 0.5
# Distance in inches that an automatic course keeps from the corners. The rule requires one inch.
_SHY_IN: Final = 3.0

# The longest path on the routing grid to an offered end, per unit of straight distance. Bends use up the rest.
_DIRECT: Final = {Kind.RIVER: 1.32, Kind.ROAD: 1.16}

# Shorter distances in inches are offered only if no end is farther away: a course should cross some ground.
_LONG_IN: Final = {Kind.RIVER: 9.0, Kind.ROAD: 7.0}

# The same for a course across the board. A course may cut off a corner, but that looks dull.
_ACROSS_IN: Final = 17.0

_JUNCTIONS: Final = (0.3, 0.4, 0.5, 0.6, 0.7)

# The smallest angle in degrees between a course and the course that it joins. At less, the two would run side by side.
_ASIDE: Final = 42.0

T = TypeVar("T")
Accept = Callable[[LineString], bool]


class LaidCourse(NamedTuple):
    """A routed course: its start, its goal and its line."""

    start: EdgeSpot
    goal: Goal
    line: LineString


class _End(NamedTuple):
    """A start and a goal."""

    start: EdgeSpot
    goal: Goal

    def __str__(self) -> str:
        return str(self.start)


class _Open(Struct, frozen=True):
    """A start on an edge: its point in mm, and the first point clear of the edge."""

    spot: EdgeSpot
    at: XY
    inner: XY


class Chooser(Struct, frozen=True, dict=True):
    """Chooses the ends of a course for one placer, and logs each choice."""

    site: CourseBrief
    dice: Dice
    accept: Accept

    def lay(self, jitter: Jitter) -> LaidCourse:
        """Return a course that keeps every rule.

        It chooses new ends up to ``new_ends_max`` times, then takes a corridor between the zones (BR-G37, BR-G58).

        Raises:
            PlacementError: no corridor is open; this cannot happen on a board of nine features within their margins.
        """
        name = f"{self.site.sort.stage}/{self.site.identity}/line"
        for attempt in range(self.site.rules.whole("new_ends_max")):
            ends = self._ends()
            if ends is None:
                continue
            stream = jitter.stream(f"{name}/{attempt}" if attempt else name)
            line = routed(self.site, *ends, stream, flattest=self.site.rules.number("crossing_angle"))
            if line is not None and self.accept(line):
                return LaidCourse(ends.start, ends.goal, line)
        return self._corridor()

    def _choose(self, options: Sequence[object], what: str) -> int:
        """Return the index of the chosen option; a single option needs no decision."""
        if len(options) == 1:
            return 0
        labels = [str(option) for option in options]
        clause = self.site.sort.clauses["single" if not self.site.others else "each"]
        return labels.index(self.dice.choose(labels, self._reasons[what], clause, asks=True))

    @cached_property
    def _reasons(self) -> Mapping[str, Sentence]:
        named = {"sort": str(self.site.sort), "course": self.site.identity}
        return {
            "where to": Sentence("{sort} {course}: where to", **named),
            "start": Sentence("{sort} {course}: start", **named),
            "end": Sentence("{sort} {course}: end", **named),
            "which one": Sentence("{sort} {course}: which one", **named),
            "junction": Sentence("{sort} {course}: junction", **named),
            "corridor": Sentence("{sort} {course}: corridor", **named),
        }

    def _ends(self) -> _End | None:
        """Return a start and a goal, or None if the choice has no possible end."""
        ways: dict[str, Callable[[], _End | None]] = {}
        served = {other.id: other.line.coords[-1] for other in self.site.others}
        areas = [
            area
            for area in self.site.areas(self.site.sort.into)
            if not any(area.outline.contains(Point(end)) for end in served.values())
        ]
        if areas:
            ways[f"into a {self.site.sort.into}"] = lambda: self._into_area([IntoArea(area.id) for area in areas])
        if self.site.others:
            ways[f"into {self.site.others[0].id}"] = self._into_course
        # Players prefer a road that leads to a built-up area. A road across the board is the fallback.
        if not (areas and self.site.sort is ROAD):
            ways = {"across the board": self._across, **ways}
        return list(ways.values())[self._choose(list(ways), "where to")]()

    def _across(self) -> _End | None:
        starts = self._open
        if not starts:
            return None
        start = starts[self._choose([start.spot for start in starts], "start")].spot
        goals = self._reached(start, [edge for edge in Edge if edge is not start.edge])
        if not goals:
            return None
        return _End(start, goals[self._choose(goals, "end")])

    def _reached(self, start: EdgeSpot, edges: Sequence[Edge]) -> list[EdgeSpot]:
        """Return the edge points that the course can reach without a long detour and without being too short."""
        at, inner, least = self.site.place(start), _inner(self.site, start), _LONG_IN[self.site.sort.kind]
        ends = [end for end in self._open if end.spot.edge in edges]
        for clear in grounds(self.site, None):
            flood = CostField(country(self.site, start, clear=clear), inner)
            near = [end for end in ends if self._is_near(flood, inner, end.inner)]
            found = self._far(near, lambda end: math.dist(end.at, at), _ACROSS_IN)
            if found and math.dist(found[0].at, at) > least * self.site.inch:
                return [end.spot for end in found]
        return []

    def _into_area(self, goals: list[IntoArea]) -> _End | None:
        """Return ends in one of the areas; a river ends in the nearer of two lakes (BR-Q13)."""
        if self.site.sort is ROAD:
            goals = [goals[self._choose(goals, "which one")]]
        ends: list[_End] = []
        for clear in grounds(self.site, None):
            for goal in goals:
                place = goal_place(self.site, goal)
                ends += self._starts(self._flood(goal, place, clear=clear), goal)
            if ends:
                break
        nearest: dict[EdgeSpot, _End] = {}
        for end in ends:
            if end.start not in nearest or self._length(end) < self._length(nearest[end.start]):
                nearest[end.start] = end
        ends = self._far(list(nearest.values()), self._length, _LONG_IN[self.site.sort.kind])
        return ends[self._choose(ends, "start")] if ends else None

    def _into_course(self) -> _End | None:
        """Return ends with a junction on the first earlier course as the goal."""
        other = self.site.others[0]
        gap = max(self.site.rules.length(name) for name in ("river_junction_gap", "junction_gap"))
        shares = [share for share in _JUNCTIONS if min(share, 1 - share) * other.line.length > gap]
        if not shares:
            return None
        goal = IntoCourse(other.id, shares[self._choose(shares, "junction")])
        ends: list[_End] = []
        leads = junction_leads(self.site, goal, goal_place(self.site, goal))
        for lead in leads:
            ends += self._starts(self._flood(goal, lead), goal)
        ends = [end for end in dict.fromkeys(ends) if self._comes_aside(end, other.line)]
        ends = self._far(ends, self._length, _LONG_IN[self.site.sort.kind])
        return ends[self._choose(ends, "start")] if ends else None

    def _comes_aside(self, end: _End, joined: LineString) -> bool:
        """Return whether the straight line to a junction meets the joined course at a large enough angle."""
        place, start = goal_place(self.site, end.goal), self.site.place(end.start)
        way = math.degrees(math.atan2(start[1] - place[1], start[0] - place[0]))
        turn = abs(way - line_bearing(joined, float(joined.project(Point(place))), 2 * self.site.inch)) % 180
        return min(turn, 180 - turn) >= _ASIDE

    def _starts(self, flood: CostField, goal: Goal) -> list[_End]:
        """Return the ends whose starts are near the origin of the path costs without a long detour."""
        return [_End(start.spot, goal) for start in self._open if self._is_near(flood, flood.start, start.inner)]

    @cached_property
    def _open(self) -> list[_Open]:
        return _open_spots(self.site)

    @cached_property
    def _floods(self) -> dict[tuple[RoutingGround, XY], CostField]:
        return {}

    def _flood(self, goal: Goal, start: XY, *, clear: bool = False) -> CostField:
        """Return the path costs from a point of a goal, cached for later tries."""
        key = (country(self.site, goal, clear=clear), start)
        if key not in self._floods:
            self._floods[key] = CostField(*key)
        return self._floods[key]

    def _is_near(self, flood: CostField, start: tuple[float, float], end: tuple[float, float]) -> bool:
        return flood.path_length(end) <= _DIRECT[self.site.sort.kind] * math.dist(start, end)

    def _length(self, end: _End) -> float:
        return math.dist(self.site.place(end.start), goal_place(self.site, end.goal))

    def _far(self, ends: list[T], length: Callable[[T], float], inches: float) -> list[T]:
        far = [end for end in ends if length(end) >= inches * self.site.inch]
        return far or ends

    def _corridor(self) -> LaidCourse:
        found = [laid for laid in corridors(self.site) if self.accept(laid.line)] or list(corridors(self.site))
        if not found:
            shut = ", ".join(dict.fromkeys(closed.identity for closed in self.site.closed(None)))
            raise PlacementError(
                "no route is left for {sort} {identity} between {shut}",
                sort=self.site.sort,
                identity=self.site.identity,
                shut=shut,
                clause=self.site.sort.ground_clause,
            )
        return found[self._choose([laid.start for laid in found], "corridor")]


def corridors(site: CourseBrief, edges: Sequence[Edge] = tuple(Edge)) -> Iterator[LaidCourse]:
    """Yield the straight courses along the lines between the zones that break no rule (BR-G37)."""
    for edge in edges:
        for third in range(1, ACROSS):
            start = EdgeSpot(edge, third * site.rules.number("board_side") / ACROSS)
            goal = EdgeSpot(OPPOSITE[edge], start.inches)
            straight = LineString([site.place(start), site.place(goal)])
            line, end = met_earlier(site, straight, goal)
            if next(site.faults(line, end), None) is None and apart_from_roads(site, line, end):
                yield LaidCourse(start, end, line.segmentize(2.0))


def roads_left(field: Battlefield, rules: Rules, enough: int = 4) -> int:
    """Return how many of the four lines between the zones are open to a road, counting up to ``enough``."""
    site = CourseBrief(sort=ROAD, identity="", field=field, others=(), rules=rules)
    return sum(1 for _ in islice(corridors(site, (Edge.FAR, Edge.LEFT)), enough))


def _spots(site: CourseBrief, edge: Edge) -> list[EdgeSpot]:
    """Return the points on an edge that are offered: every half inch, away from the corners."""
    whole = site.board.edge(edge).length / site.inch
    count = int((whole - 2 * _SHY_IN) / _STEP_IN + 1e-9)
    return [EdgeSpot(edge, _SHY_IN + _STEP_IN * place) for place in range(count + 1)]


def _inner(site: CourseBrief, spot: EdgeSpot) -> tuple[float, float]:
    """Return the first point of a course from an edge that is clear of the edge."""
    (x, y), (across, along) = site.place(spot), spot.inward()
    return x + 1.53 * site.width * across, y + 1.53 * site.width * along


def _open_spots(site: CourseBrief) -> list[_Open]:
    """Return the possible starts on all edges; a river starts away from other rivers if it can."""
    shapes = [closed.shape for closed in site.closed(None)]
    shapes += [other.line.buffer(other.width / 2, quad_segs=4) for other in (*site.others, *site.rivers)]
    shut = shapely.union_all(shapes)
    spots = [spot for edge in Edge for spot in _spots(site, edge)]
    found = [_Open(spot, site.place(spot), _inner(site, spot)) for spot in spots]
    leads = shapely.linestrings([[spot.at, spot.inner] for spot in found])
    shapely.prepare(shut)
    # Few starts are near closed ground. Only these need an exact distance.
    near = np.flatnonzero(shapely.dwithin(shut, leads, site.width / 2 + 1.0))
    barred = {int(place) for place in near[shapely.distance(leads[near], shut) < site.width / 2]}
    free = [spot for place, spot in enumerate(found) if place not in barred]
    if site.sort.kind is Kind.RIVER and site.others:
        reach = APART_IN * site.inch + site.width
        beds = shapely.union_all([other.line for other in site.others])
        return [spot for spot in free if beds.distance(Point(spot.at)) >= reach] or free
    return free
