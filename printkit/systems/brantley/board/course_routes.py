"""Route one river or road from an edge to its goal: over the ground, or through recorded points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, Polygon, box
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.systems.brantley.board.course_brief import CourseBrief, CourseFault
from printkit.systems.brantley.board.course_records import XY, EdgeSpot, Goal, IntoArea, IntoCourse
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry import courses
from printkit.terrain.geometry.courses import MEANDERING, STRAIGHTISH, Finish, Terminal, round_corners
from printkit.terrain.geometry.measure import common_pieces, find_meetings
from printkit.terrain.geometry.routing import CostField, RoutingGround

# Distance of an automatic course from the board edge, in course widths. It is more than the rules require, so that the
# course does not follow the edge.
_INSET: Final = 1.5

# Largest sideways shift at an edge, as a share of the distance to the inset.
_SLANT: Final = 0.7

# Gap in inches between a road and a river that it does not cross.
_BESIDE_IN: Final = 0.3

# Gap in inches between two rivers that do not join, if there is space.
APART_IN: Final = 1.6

# The share of the maximum length that an automatic course may use.
_SHORT_OF: Final = 0.995

# Cache size for routing grounds and goal points.
_KEPT: Final = 32

# Length in inches of the rounding of a recorded corner.
_ROUNDING_IN: Final = 1.5


def country(site: CourseBrief, goal: Goal, *, clear: bool = False, inset: float = _INSET) -> RoutingGround:
    """Return the ground for routing a course; a course that it joins is open only near the junction."""
    return _country(site, None if isinstance(goal, EdgeSpot) else goal, clear, inset)


@lru_cache(maxsize=_KEPT)
def _country(site: CourseBrief, goal: IntoArea | IntoCourse | None, clear: bool, inset: float) -> RoutingGround:
    """Return the cached routing ground for a goal, or for any edge."""
    board, half = site.board, site.width / 2
    shapes = [closed.shape for closed in site.closed(goal, clear=clear)]
    for other in site.others:
        joins = isinstance(goal, IntoCourse) and goal.identity == other.id
        if site.sort.kind is Kind.RIVER or joins:
            apart = APART_IN * site.inch if clear and site.sort.kind is Kind.RIVER and not joins else 0.0
            bed = other.line.buffer(other.width / 2 + apart)
            if isinstance(goal, IntoCourse) and joins:
                gate = other.line.interpolate(goal.share, normalized=True).buffer(other.width / 2 + 2.4 * half)
                bed = bed.difference(gate)
            shapes.append(bed)
    crossed = [*site.rivers]
    if site.sort.kind is Kind.ROAD:
        crossed += [other for other in site.others if not (isinstance(goal, IntoCourse) and goal.identity == other.id)]
    gap = inset * site.width
    return RoutingGround(
        free_area=box(gap, gap, board.width - gap, board.depth - gap),
        closed=shapely.union_all(shapes),
        half_width=half,
        crossing_lines=tuple(course.line for course in crossed),
        crossing_reach=max((course.width / 2 for course in crossed), default=0.0) + half + 3.0,
        step=site.inch / 2,
    )


def routed(
    site: CourseBrief, start: EdgeSpot, goal: Goal, stream: Stream, *, flattest: float | None = None
) -> LineString | None:
    """Return a course from an edge to its goal that keeps every rule, or None.

    A road first avoids all features, then only those that it may not enter (BR-G58). A river keeps away from rivers
    that it does not join, and runs beside them only if there is no other route. If the length limit is too tight for an
    automatic course, there is no search.
    """
    if _SHORT_OF * site.limit < 1.0:
        return None
    for clear in grounds(site, goal):
        if (line := _routed(site, start, goal, stream, clear=clear, flattest=flattest)) is not None:
            return line
    return None


def grounds(site: CourseBrief, goal: Goal | None) -> tuple[bool, ...]:
    """Return the values of ``clear`` to try: True avoids all features, False uses passable ground too.

    For a river, True keeps the gap to rivers that it does not join.
    """
    if site.sort.kind is Kind.RIVER:
        joined = goal.identity if isinstance(goal, IntoCourse) else ""
        return (True, False) if any(other.id != joined for other in site.others) else (False,)
    return (True, False) if len(site.closed(goal, clear=True)) != len(site.closed(goal)) else (True,)


def _routed(
    site: CourseBrief, start: EdgeSpot, goal: Goal, stream: Stream, *, clear: bool, flattest: float | None
) -> LineString | None:
    side = site.rules.number("board_side")
    rooms = [spot.room(side) * site.inch / site.width for spot in (start, goal) if isinstance(spot, EdgeSpot)]
    inset = max(1.0, min(_INSET, *rooms, _INSET))
    ground = country(site, goal, clear=clear, inset=inset)
    flood: CostField | None = None
    for first, last in terminals(site, start, goal, inset * site.width):
        flood = flood or CostField(ground, first.inner)
        line = courses.routed(
            first,
            last,
            ground,
            stream,
            style=MEANDERING if site.sort.kind is Kind.RIVER else STRAIGHTISH,
            max_ratio=_SHORT_OF * site.limit,
            finish=_finish(site, goal, clear, flattest),
            costs=flood,
        )
        if line is not None:
            return line
    return None


def terminals(site: CourseBrief, start: EdgeSpot, goal: Goal, gap: float) -> Iterator[tuple[Terminal, Terminal]]:
    """Yield pairs of course ends, the best looking first: angled towards each other, then square to the edge."""
    aim = goal_place(site, goal)
    for slant in (_SLANT, 0.0):
        first = _from_edge(site, start, aim, gap, slant)
        if isinstance(goal, EdgeSpot):
            yield first, _from_edge(site, goal, site.place(start), gap, slant)
        elif isinstance(goal, IntoArea):
            yield first, Terminal(aim)
        else:
            for lead in junction_leads(site, goal, site.place(start)):
                yield first, Terminal(aim, lead)


@lru_cache(maxsize=_KEPT)
def goal_place(site: CourseBrief, goal: Goal) -> XY:
    """Return the target point of a course: its point on the edge, the middle of the area, or the junction."""
    if isinstance(goal, EdgeSpot):
        return site.place(goal)
    if isinstance(goal, IntoArea) and (area := site.area(goal.identity)):
        middle = area.outline.centroid
        middle = middle if area.outline.contains(middle) else area.outline.representative_point()
        return middle.x, middle.y
    if isinstance(goal, IntoCourse) and (other := site.other(goal.identity)):
        place = other.line.interpolate(goal.share, normalized=True)
        return place.x, place.y
    raise KeyError(str(goal))


def junction_leads(site: CourseBrief, goal: IntoCourse, origin: XY) -> Iterator[XY]:
    """Yield points beside a course from which another can join it, those nearest to its origin first."""
    other = site.other(goal.identity)
    if other is None:
        raise KeyError(goal.identity)
    along, reach = goal.share * other.line.length, other.width / 2 + 1.6 * site.width
    here, ahead = other.line.interpolate(along), other.line.interpolate(along + 6.0)
    behind = other.line.interpolate(along - 6.0)
    flow = math.atan2(ahead.y - behind.y, ahead.x - behind.x)
    turns = sorted((math.radians(turn) for turn in (90, 60, 120, -90, -60, -120)), key=lambda turn: abs(turn) > 1.6)
    places = [(here.x + reach * math.cos(flow + turn), here.y + reach * math.sin(flow + turn)) for turn in turns]
    nearer = sorted(places, key=lambda place: math.dist(place, origin))
    return iter(nearer[:2] + nearer[-1:])


def _from_edge(site: CourseBrief, spot: EdgeSpot, aim: XY, gap: float, slant: float) -> Terminal:
    """Return a terminal on an edge, with its lead point at the inset."""
    at, (across, along) = site.place(spot), spot.inward()
    lead = 1.02 * gap
    aside = (aim[0] - at[0]) * along + (aim[1] - at[1]) * -across
    shift = max(-slant * lead, min(slant * lead, 0.09 * aside))
    inner = (at[0] + across * lead + along * shift, at[1] + along * lead - across * shift)
    inset = box(gap, gap, site.board.width - gap, site.board.depth - gap)
    if slant and not inset.covers(Point(inner)):
        inner = (at[0] + across * lead, at[1] + along * lead)
    return Terminal(at, inner)


def _finish(site: CourseBrief, goal: Goal, clear: bool, flattest: float | None) -> Finish:
    def finish(line: LineString) -> LineString | None:
        cut = ended(site, line, goal)
        if cut is None or next(site.faults(cut, goal, clear=clear, flattest=flattest), None) is not None:
            return None
        return cut if apart_from_roads(site, cut, goal) else None

    return finish


def apart_from_roads(site: CourseBrief, line: LineString, goal: Goal) -> bool:
    """Return whether an automatic road crosses rivers and earlier roads cleanly and never runs close beside them.

    It is True for every river.
    """
    if site.sort.kind is Kind.RIVER:
        return True
    wide = site.width + 2 * _BESIDE_IN * site.inch
    for river in site.rivers:
        if len(common_pieces(line, wide, river.line, river.width)) != len(find_meetings(line, river.line)):
            return False
    stop = Point(line.coords[-1])
    for other in site.others:
        joins = isinstance(goal, IntoCourse) and goal.identity == other.id
        # A line that ends on another may miss it by a rounding error, so the junction is counted separately.
        crossed = [
            meeting for meeting in find_meetings(line, other.line) if not (joins and meeting.at.distance(stop) < 1)
        ]
        pieces = common_pieces(line, site.width, other.line, other.width)
        if len(pieces) != len(crossed) + joins or len(crossed) > (0 if joins else 1):
            return False
        if any(meeting.angle < site.rules.number("crossing_angle") for meeting in crossed):
            return False
    return True


def ended(site: CourseBrief, line: LineString, goal: Goal) -> LineString | None:
    """Return the line, cut off just inside its goal if that is an area; None if it does not get inside."""
    if not isinstance(goal, IntoArea):
        return line
    area = site.area(goal.identity)
    if area is None:
        return None
    return _stopped(line, area.outline, site.depth)


def _stopped(line: LineString, outline: Polygon, depth: float) -> LineString | None:
    """Return the line up to the first point that is ``depth`` mm inside an outline, or None."""
    core = outline.buffer(-depth)
    met = line.intersection(core.exterior) if isinstance(core, Polygon) and not core.is_empty else None
    if met is None or met.is_empty:
        return None
    along = min(float(line.project(Point(point))) for point in shapely.get_coordinates(met))
    return substring(line, 0.0, along)


def recorded(
    site: CourseBrief, start: EdgeSpot, goal: Goal, via: Sequence[XY]
) -> tuple[LineString | None, CourseFault | None, Goal]:
    """Return a course through recorded points or its fault, and its goal.

    The check uses the line as written. Its corners are rounded for the map if that breaks no rule. A river that reaches
    another river ends there (BR-G40).
    """
    places = [site.place(start), *((x * site.inch, y * site.inch) for x, y in via), goal_place(site, goal)]
    written = ended(site, LineString(places), goal)
    if written is None:
        return (
            None,
            CourseFault(
                site.sort.ground_clause,
                "{sort} {identity} never enters {goal}",
                sort=site.sort,
                identity=site.identity,
                goal=goal,
            ),
            goal,
        )
    written, goal = met_earlier(site, written, goal)
    fault = next(site.faults(written, goal), None)
    if fault is not None:
        return None, fault, goal
    soft = round_corners(np.array(written.coords), _ROUNDING_IN * site.inch)
    return (written if next(site.faults(soft, goal), None) else soft), None, goal


def met_earlier(site: CourseBrief, line: LineString, goal: Goal) -> tuple[LineString, Goal]:
    """Return a river cut off at the first river that it reaches, and its new goal (BR-G40); roads do not change."""
    if site.sort.kind is not Kind.RIVER:
        return line, goal
    first = min(
        (
            (meeting.distance, meeting.other_distance / other.line.length, other.id)
            for other in site.others
            for meeting in find_meetings(line, other.line)
        ),
        default=None,
    )
    if first is None or first[0] > line.length - 0.5:
        return line, goal
    along, share, identity = first
    other = site.other(identity)
    if other is None:
        return line, goal
    end = other.line.interpolate(share, normalized=True)
    points = shapely.get_coordinates(substring(line, 0.0, along))
    points[-1] = end.x, end.y
    return LineString(points), IntoCourse(identity, share)
