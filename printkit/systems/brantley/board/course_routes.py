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
from printkit.core.errors import Sentence
from printkit.systems.brantley.board.course_brief import CourseBrief, CourseFault
from printkit.systems.brantley.board.course_records import XY, EdgePoint, Goal, IntoArea, IntoCourse
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry import courses
from printkit.terrain.geometry.courses import MEANDERING, STRAIGHTISH, Finish, Terminal, round_corners
from printkit.terrain.geometry.measure import common_pieces, find_meetings
from printkit.terrain.geometry.routing import CostField, RoutingGround

# Distance of an automatic course from the board edge, in course widths. It is more than the rules require, so that the
# course does not follow the edge.
INSET_WIDTHS: Final = 1.5

# Largest sideways shift at an edge, as a share of the distance to the inset.
_SLANT: Final = 0.7

# Gap in inches between a road and a river that it does not cross.
_BANK_IN: Final = 0.3

# Gap in inches between two rivers that do not join, if there is space.
RIVER_GAP_IN: Final = 1.6

# The share of the maximum length that an automatic course may use.
_MAX_LENGTH_SHARE: Final = 0.995

# Cache size for routing grounds and goal points.
_CACHE_SIZE: Final = 32

# Length in inches of the rounding of a recorded corner.
_ROUNDING_IN: Final = 1.5


def routing_ground(
    brief: CourseBrief, goal: Goal, *, clear: bool = False, inset: float = INSET_WIDTHS
) -> RoutingGround:
    """Return the ground for routing a course to a goal, in mm on the board.

    A course that it joins is open only near the junction. ``goal`` may be a point on an edge: then no course is open
    for a junction.

    Args:
        clear: True also closes ground that a course may pass but should avoid if it can.
        inset: distance that the course keeps from the board edge, in course widths.
    """
    return _build_routing_ground(brief, None if isinstance(goal, EdgePoint) else goal, clear, inset)


@lru_cache(maxsize=_CACHE_SIZE)
def _build_routing_ground(
    brief: CourseBrief, goal: IntoArea | IntoCourse | None, clear: bool, inset: float
) -> RoutingGround:
    """Return the cached routing ground for a goal, in mm on the board; None as ``goal`` means any edge.

    Args:
        clear: True also closes ground that a course may pass but should avoid if it can.
        inset: distance that the course keeps from the board edge, in course widths.
    """
    board, half_width = brief.board, brief.width / 2
    shapes = [closed.shape for closed in brief.closed_ground(goal, clear=clear)]
    for earlier in brief.earlier_courses:
        joins = isinstance(goal, IntoCourse) and goal.identity == earlier.id
        if brief.course_type.kind is Kind.RIVER or joins:
            gap_mm = RIVER_GAP_IN * brief.inch if clear and brief.course_type.kind is Kind.RIVER and not joins else 0.0
            bed = earlier.line.buffer(earlier.width / 2 + gap_mm)
            if isinstance(goal, IntoCourse) and joins:
                opening = earlier.line.interpolate(goal.share, normalized=True).buffer(
                    earlier.width / 2 + 2.4 * half_width
                )
                bed = bed.difference(opening)
            shapes.append(bed)
    crossed_courses = [*brief.rivers]
    if brief.course_type.kind is Kind.ROAD:
        crossed_courses += [
            earlier
            for earlier in brief.earlier_courses
            if not (isinstance(goal, IntoCourse) and goal.identity == earlier.id)
        ]
    inset_mm = inset * brief.width
    return RoutingGround(
        free_area=box(inset_mm, inset_mm, board.width - inset_mm, board.depth - inset_mm),
        closed=shapely.union_all(shapes),
        half_width=half_width,
        crossing_lines=tuple(course.line for course in crossed_courses),
        crossing_reach=max((course.width / 2 for course in crossed_courses), default=0.0) + half_width + 3.0,
        step=brief.inch / 2,
    )


def route_course(
    brief: CourseBrief, start: EdgePoint, goal: Goal, stream: Stream, *, flattest: float = 0.0
) -> LineString | None:
    """Return the line of a course that keeps every rule, in mm on the board; None if none is found.

    A road first avoids all features, then only those that it may not enter (BR-G58). A river keeps away from rivers
    that it does not join, and runs beside them only if there is no other route. If the length limit is too tight for an
    automatic course, it returns None without a search.

    Args:
        flattest: an angle in degrees at which the road should cross rivers, beside the limit of the rules.
        start: the start on an edge.
        goal: the end: a point on an edge, an area or a junction.
        stream: gives the random bends; it is used up.
    """
    if _MAX_LENGTH_SHARE * brief.length_ratio_max < 1.0:
        return None
    for clear in clearance_options(brief, goal):
        if (line := _route_over_ground(brief, start, goal, stream, clear=clear, flattest=flattest)) is not None:
            return line
    return None


def clearance_options(brief: CourseBrief, goal: Goal | None) -> tuple[bool, ...]:
    """Return the values of ``clear`` to try: True avoids all features, False uses passable ground too.

    For a river, True keeps the gap to rivers that it does not join.
    """
    if brief.course_type.kind is Kind.RIVER:
        joined_id = goal.identity if isinstance(goal, IntoCourse) else ""
        return (True, False) if any(course.id != joined_id for course in brief.earlier_courses) else (False,)
    return (True, False) if len(brief.closed_ground(goal, clear=True)) != len(brief.closed_ground(goal)) else (True,)


def _route_over_ground(
    brief: CourseBrief, start: EdgePoint, goal: Goal, stream: Stream, *, clear: bool, flattest: float
) -> LineString | None:
    """Return the line of a course in mm on the board that keeps every rule; None if none is found.

    Args:
        clear: True avoids all features, False also uses ground that the course may pass.
        flattest: an angle in degrees at which the road should cross rivers, beside the limit of the rules.
    """
    side = brief.rules.number("board_side")
    corner_gaps = [
        end.corner_distance(side) * brief.inch / brief.width for end in (start, goal) if isinstance(end, EdgePoint)
    ]
    inset = max(1.0, min(INSET_WIDTHS, *corner_gaps, INSET_WIDTHS))
    ground = routing_ground(brief, goal, clear=clear, inset=inset)
    costs: CostField | None = None
    for first, last in terminals(brief, start, goal, inset * brief.width):
        costs = costs or CostField(ground, first.inner)
        line = courses.routed(
            first,
            last,
            ground,
            stream,
            style=MEANDERING if brief.course_type.kind is Kind.RIVER else STRAIGHTISH,
            max_ratio=_MAX_LENGTH_SHARE * brief.length_ratio_max,
            finish=_make_finish(brief, goal, clear, flattest),
            costs=costs,
        )
        if line is not None:
            return line
    return None


def terminals(brief: CourseBrief, start: EdgePoint, goal: Goal, gap: float) -> Iterator[tuple[Terminal, Terminal]]:
    """Yield pairs of start and end terminals in mm on the board, the best looking pair first.

    First both ends are angled towards each other, then they are square to the edge. An end in an area is its middle,
    without a lead point; a junction has several pairs, one for each side to join from.

    Args:
        brief: the course to place.
        start: its start on an edge.
        goal: its end.
        gap: distance in mm between the board edge and the lead point of a terminal.

    Raises:
        KeyError: the area or the course of the goal is not on the board.
    """
    aim = goal_position(brief, goal)
    for slant in (_SLANT, 0.0):
        first = _edge_terminal(brief, start, aim, gap, slant)
        if isinstance(goal, EdgePoint):
            yield first, _edge_terminal(brief, goal, brief.edge_position(start), gap, slant)
        elif isinstance(goal, IntoArea):
            yield first, Terminal(aim)
        else:
            for lead in junction_leads(brief, goal, brief.edge_position(start)):
                yield first, Terminal(aim, lead)


@lru_cache(maxsize=_CACHE_SIZE)
def goal_position(brief: CourseBrief, goal: Goal) -> XY:
    """Return the target point of a course, in mm on the board.

    It is the point on the edge, the middle of the area, or the junction.

    Raises:
        KeyError: the area or the course is not on the board.
    """
    if isinstance(goal, EdgePoint):
        return brief.edge_position(goal)
    if isinstance(goal, IntoArea) and (area := brief.area(goal.identity)):
        middle = area.outline.centroid
        middle = middle if area.outline.contains(middle) else area.outline.representative_point()
        return middle.x, middle.y
    if isinstance(goal, IntoCourse) and (joined := brief.earlier_course(goal.identity)):
        junction = joined.line.interpolate(goal.share, normalized=True)
        return junction.x, junction.y
    raise KeyError(str(goal))


def junction_leads(brief: CourseBrief, goal: IntoCourse, origin: XY) -> Iterator[XY]:
    """Yield points in mm on the board beside a course through which another course can join it.

    The two points nearest to ``origin`` come first, then the farthest.

    Raises:
        KeyError: the joined course is not on the board.
    """
    course = brief.earlier_course(goal.identity)
    if course is None:
        raise KeyError(goal.identity)
    distance, reach = goal.share * course.line.length, course.width / 2 + 1.6 * brief.width
    junction, ahead = course.line.interpolate(distance), course.line.interpolate(distance + 6.0)
    previous = course.line.interpolate(distance - 6.0)
    flow = math.atan2(ahead.y - previous.y, ahead.x - previous.x)
    turns = sorted((math.radians(turn) for turn in (90, 60, 120, -90, -60, -120)), key=lambda turn: abs(turn) > 1.6)
    points = [
        (junction.x + reach * math.cos(flow + turn), junction.y + reach * math.sin(flow + turn)) for turn in turns
    ]
    nearer = sorted(points, key=lambda point: math.dist(point, origin))
    return iter(nearer[:2] + nearer[-1:])


def _edge_terminal(brief: CourseBrief, edge_point: EdgePoint, aim: XY, gap: float, slant: float) -> Terminal:
    """Return a terminal on an edge, in mm on the board, with its lead point just beyond the inset.

    Args:
        aim: point in mm towards which the lead point moves sideways.
        gap: distance of the inset from the board edge, in mm.
        slant: largest sideways shift, as a fraction of the distance to the lead point; 0 is square to the edge.
    """
    point, (normal_x, normal_y) = brief.edge_position(edge_point), edge_point.inward_vector()
    lead = 1.02 * gap
    offset = (aim[0] - point[0]) * normal_y + (aim[1] - point[1]) * -normal_x
    shift = max(-slant * lead, min(slant * lead, 0.09 * offset))
    inner_point = (point[0] + normal_x * lead + normal_y * shift, point[1] + normal_y * lead - normal_x * shift)
    inset = box(gap, gap, brief.board.width - gap, brief.board.depth - gap)
    if slant and not inset.covers(Point(inner_point)):
        inner_point = (point[0] + normal_x * lead, point[1] + normal_y * lead)
    return Terminal(point, inner_point)


def _make_finish(brief: CourseBrief, goal: Goal, clear: bool, flattest: float) -> Finish:
    """Return a function that cuts a routed line at its goal and checks it against all rules.

    The function returns the cut line in mm, or None if it breaks a rule. The function takes a line in mm on the board,
    from the start to the goal.

    Args:
        clear: True if the line must avoid all features.
        flattest: an angle in degrees at which the road should cross rivers, beside the limit of the rules.
    """

    def finish(line: LineString) -> LineString | None:
        """Return a line in mm on the board, cut at its goal; None if it breaks a rule."""
        cut = cut_inside_goal(brief, line, goal)
        if cut is None or next(brief.find_faults(cut, goal, clear=clear), None) is not None:
            return None
        return cut if _crosses_steeply(brief, cut, flattest) and crosses_cleanly(brief, cut, goal) else None

    return finish


def _crosses_steeply(brief: CourseBrief, line: LineString, flattest: float) -> bool:
    """Return whether a road crosses every river at ``flattest`` degrees or more; ``line`` is in mm on the board."""
    return all(
        meeting.angle >= flattest - 1e-6
        for river in brief.rivers
        for meeting in (find_meetings(line, river.line) if flattest else ())
    )


def crosses_cleanly(brief: CourseBrief, line: LineString, goal: Goal) -> bool:
    """Return whether the line of an automatic road crosses rivers and earlier roads cleanly.

    The line is in mm on the board. It may not run close beside them, and may cross an earlier road only once. ``goal``
    is the end of the line. The result is True for every river.
    """
    if brief.course_type.kind is Kind.RIVER:
        return True
    width_mm = brief.width + 2 * _BANK_IN * brief.inch
    for river in brief.rivers:
        if len(common_pieces(line, width_mm, river.line, river.width)) != len(find_meetings(line, river.line)):
            return False
    stop = Point(line.coords[-1])
    for course in brief.earlier_courses:
        joins = isinstance(goal, IntoCourse) and goal.identity == course.id
        # A line that ends on another may miss it by a rounding error, so the junction is counted separately.
        crossings = [
            meeting for meeting in find_meetings(line, course.line) if not (joins and meeting.at.distance(stop) < 1)
        ]
        pieces = common_pieces(line, brief.width, course.line, course.width)
        if len(pieces) != len(crossings) + joins or len(crossings) > (0 if joins else 1):
            return False
        if any(meeting.angle < brief.rules.number("crossing_angle") for meeting in crossings):
            return False
    return True


def cut_inside_goal(brief: CourseBrief, line: LineString, goal: Goal) -> LineString | None:
    """Return a line (mm on the board), cut inside its goal if that is an area; None if it ends outside."""
    if not isinstance(goal, IntoArea):
        return line
    area = brief.area(goal.identity)
    if area is None:
        return None
    return _cut_at_depth(line, area.outline, brief.end_depth)


def _cut_at_depth(line: LineString, outline: Polygon, depth: float) -> LineString | None:
    """Return a line up to its first point at ``depth`` mm on the board inside an outline.

    None means that the line does not get so deep, or that the outline is too small. The start must be outside.
    """
    core = outline.buffer(-depth)
    contact = line.intersection(core.exterior) if isinstance(core, Polygon) and not core.is_empty else None
    if contact is None or contact.is_empty:
        return None
    distance = min(float(line.project(Point(point))) for point in shapely.get_coordinates(contact))
    return substring(line, 0.0, distance)


def route_recorded_course(
    brief: CourseBrief, start: EdgePoint, goal: Goal, via: Sequence[XY]
) -> tuple[LineString | None, CourseFault | None, Goal]:
    """Return a course through recorded points: its line or None, its fault or None, and its goal.

    The line is in mm on the board. There is either a line or a fault. The check uses the line as written. Its corners
    are rounded for the map if that breaks no rule. A river that reaches another river ends there (BR-G40): the returned
    goal is then that junction.

    Args:
        via: the recorded points in order, in inches of the rules from the near left corner of the board.

    Raises:
        KeyError: the area or the course of the goal is not on the board.
    """
    points = [
        brief.edge_position(start),
        *((x * brief.inch, y * brief.inch) for x, y in via),
        goal_position(brief, goal),
    ]
    line = cut_inside_goal(brief, LineString(points), goal)
    if line is None:
        return (
            None,
            CourseFault(
                brief.course_type.ground_clause,
                Sentence(
                    "{sort} {identity} never enters {goal}",
                    sort=brief.course_type,
                    identity=brief.identity,
                    goal=goal,
                ),
            ),
            goal,
        )
    line, goal = end_at_river(brief, line, goal)
    fault = next(brief.find_faults(line, goal), None)
    if fault is not None:
        return None, fault, goal
    softened_line = round_corners(np.array(line.coords), _ROUNDING_IN * brief.inch)
    return (line if next(brief.find_faults(softened_line, goal), None) else softened_line), None, goal


def end_at_river(brief: CourseBrief, line: LineString, goal: Goal) -> tuple[LineString, Goal]:
    """Return a river's line, cut off at the first river that it reaches, and its goal (BR-G40).

    Lines are in mm on the board. The goal is then that river. Roads, and rivers that do not reach another, are
    unchanged.
    """
    if brief.course_type.kind is not Kind.RIVER:
        return line, goal
    first = min(
        (
            (meeting.distance, meeting.other_distance / course.line.length, course.id)
            for course in brief.earlier_courses
            for meeting in find_meetings(line, course.line)
        ),
        default=None,
    )
    if first is None or first[0] > line.length - 0.5:
        return line, goal
    distance, share, identity = first
    course = brief.earlier_course(identity)
    if course is None:
        return line, goal
    end = course.line.interpolate(share, normalized=True)
    points = shapely.get_coordinates(substring(line, 0.0, distance))
    points[-1] = end.x, end.y
    return LineString(points), IntoCourse(identity, share)
