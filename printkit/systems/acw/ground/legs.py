"""Route one course in a zone: first with full bends, then with weaker bends and fewer obstacles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core.exact_math import cubic
from printkit.systems.acw.ground.placement import XY
from printkit.terrain.geometry.courses import CourseStyle, Terminal, routed
from printkit.terrain.geometry.routing import RoutingGround

_GRID: Final = 1 / 36  # step of the routing grid, as a fraction of the unit

_ROOM: Final = 0.02
# Straight start of a course at a side of its zone, and the maximum gap to the sides; the gap must be the smaller.
_LEAD, _WITHIN = 0.05, 0.045

_HANDLES: Final = (0.38, 0.2, 0.1)
_ON_SIDE: Final = 0.5

TOUCH: Final = 3.0  # tolerance in mm for lines that meet at one point


class LegStyle(Struct, frozen=True, kw_only=True):
    """The style of a course, in fractions of the unit: its bends, and its maximum length (AC-G08)."""

    wavelength: tuple[float, float]
    swing: tuple[float, float]
    bow: float
    longest: float
    bend_most: float
    square_below: float = 0.0

    def course_style(self, unit: float) -> CourseStyle:
        """Return the style in mm on the board, for a zone with a unit of ``unit`` mm.

        Lengths of this style are shares of that unit, the shorter side of the zone.
        """
        return CourseStyle(
            wavelength=(self.wavelength[0] * unit, self.wavelength[1] * unit),
            swing=(self.swing[0] * unit, self.swing[1] * unit),
            bow=self.bow,
            swings=(1.0, 0.6),
            guided_swings=(1.0, 0.5, 0.0),
            draws=1,
            margins=(0.035 * unit, 0.012 * unit, 0.5),
            bend_length=0.08 * unit,
            max_bend=self.bend_most,
            smoothing=0.03 * unit,
            square_below=self.square_below,
        )


# The style of a stream.
WINDING: Final = LegStyle(wavelength=(0.30, 0.46), swing=(0.035, 0.065), bow=0.07, longest=1.45, bend_most=75.0)

# The style of a creek.
WIDE: Final = LegStyle(wavelength=(0.42, 0.62), swing=(0.05, 0.085), bow=0.06, longest=1.45, bend_most=70.0)

# The style of a road.
EASY: Final = LegStyle(
    wavelength=(0.6, 1.0), swing=(0.015, 0.035), bow=0.05, longest=1.26, bend_most=62.0, square_below=58.0
)


class LegSpec(Struct, frozen=True, kw_only=True):
    """The input for routing in one zone: its unit and the course's half width (mm on the board), style.

    ``keeps_rules`` gets a line and returns whether it keeps the rules of its course.
    """

    box: Polygon
    unit: float
    half: float
    sort: LegStyle
    keeps_rules: Callable[[LineString], bool]


def way(
    spec: LegSpec,
    start: Terminal,
    end: Terminal,
    closed: Iterable[BaseGeometry],
    stream: Stream,
    *,
    squarely: tuple[LineString, ...] = (),
    wanted: Callable[[LineString], bool] = lambda _line: True,
    liked: Callable[[LineString], bool] | None = None,
) -> LineString:
    """Return the line of a course from ``start`` to ``end`` in one zone, in mm on the board.

    There is always a line: if no route is possible, a simple curve that may cross obstacles.

    Args:
        spec: the zone, the half width of the course and its style.
        start: the start of the course.
        end: the end of the course.
        closed: obstacles in mm, best first; each is tried until one of them allows a route.
        stream: the random stream of the bends.
        squarely: lines in mm that the course crosses near a right angle.
        wanted: gets a line and returns whether it is allowed; the simple curve of the last resort may break it, and the
            rules of its course.
        liked: gets a line and returns whether it is preferred; dropped if no obstacles allow such a line.
    """
    left, low, right, high = spec.box.bounds
    gap_mm = min(_ROOM * spec.unit + spec.half / 2, _WITHIN * spec.unit, (right - left) / 5, (high - low) / 5)
    free_area = shapely.box(left + gap_mm, low + gap_mm, right - gap_mm, high - gap_mm)
    grounds = [
        RoutingGround(
            free_area=free_area,
            closed=ground,
            half_width=spec.half,
            crossing_lines=squarely,
            crossing_reach=2.0 * spec.half + 0.02 * spec.unit,
            step=spec.unit * _GRID,
        )
        for ground in closed
    ]
    style, longest = spec.sort.course_style(spec.unit), spec.sort.longest
    for preference in (liked, None) if liked is not None else (None,):
        for routing_ground in grounds:
            finish = _line_filter(spec.keeps_rules, wanted, preference)
            line = routed(start, end, routing_ground, stream, style=style, max_ratio=longest, finish=finish)
            if line is not None:
                return line
    return plain(start, end, spec.box)


def led(point: XY, outward: XY, unit: float) -> Terminal:
    """Return an end on a side of the zone; the course starts straight from it.

    The straight lead runs inwards.

    Args:
        point: x and y of the end, in mm on the board.
        outward: the direction out of the zone at this point, as x and y of length 1.
        unit: the shorter side of the zone, in mm.
    """
    distance = _LEAD * unit
    return Terminal(at=point, lead=(point[0] - distance * outward[0], point[1] - distance * outward[1]))


def joining(main: LineString, point: Point, start: XY, distance_mm: float, *, upstream: float = 0.0) -> Terminal:
    """Return an end on another course, approached at a right angle from the side of ``start``.

    Args:
        main: the line of the other course, in mm on the board.
        point: the end, on ``main``.
        start: x and y in mm of the point that the course comes from.
        distance_mm: the distance in mm from the other course where the approach begins.
        upstream: the shift of that point towards the start of ``main``, as a share of ``distance_mm``; 0 gives a right
            angle.
    """
    distance = main.project(point)
    before, after = main.interpolate(max(distance - 8, 0)), main.interpolate(min(distance + 8, main.length))
    size = before.distance(after) or 1.0
    down = ((after.x - before.x) / size, (after.y - before.y) / size)
    left = (start[0] - point.x) * -down[1] + (start[1] - point.y) * down[0] > 0
    side = (-down[1], down[0]) if left else (down[1], -down[0])
    lead = (
        point.x + distance_mm * (side[0] - upstream * down[0]),
        point.y + distance_mm * (side[1] - upstream * down[1]),
    )
    return Terminal(at=(point.x, point.y), lead=lead)


def _line_filter(*conditions: Callable[[LineString], bool] | None) -> Callable[[LineString], LineString | None]:
    """Return a function that returns a line (mm on the board) if it meets all conditions that are given, else None."""
    return lambda line: line if all(meets is None or meets(line) for meets in conditions) else None


def plain(start: Terminal, end: Terminal, box: Polygon) -> LineString:
    """Return a simple curve between two ends that follows their directions, in mm on the board.

    A curve that would leave the zone ``box`` or cross itself is made flatter, and straight as the last resort.
    """
    zone_area, first, last = box.buffer(_ON_SIDE), np.array(start.at), np.array(end.at)
    out, back = (_lead_direction(near_end, far_end) for near_end, far_end in ((start, end), (end, start)))
    shares = np.linspace(0.0, 1.0, max(6, math.ceil(math.dist(start.at, end.at) / 4.0)))[:, None]
    for handle in _HANDLES:
        far = handle * math.dist(start.at, end.at)
        line = LineString(cubic(first, first + far * out, last + far * back, last, shares))
        if line.is_simple and zone_area.contains(line):
            return line
    return LineString([start.at, end.at])


def _lead_direction(start: Terminal, end: Terminal) -> np.typing.NDArray[np.float64]:
    """Return the direction of a course at ``start`` as a unit vector: to its lead, or to ``end``."""
    target = start.lead or end.at
    step = np.array(target) - np.array(start.at)
    return np.asarray(step / (math.hypot(*step) + 1e-9))


def until(line: LineString, barrier: LineString) -> LineString:
    """Return the part of a line up to its first meeting with ``barrier``, or the entire line.

    Both are in mm on the board. It is the entire line if they do not meet, or meet within 3 mm of its start.
    """
    meeting = line.intersection(barrier)
    if meeting.is_empty:
        return line
    distance = min(line.project(Point(point)) for point in shapely.get_coordinates(meeting))
    return substring(line, 0.0, distance) if distance > TOUCH else line


def meets_only_at(line: LineString, other: LineString, point: Point) -> bool:
    """Return whether a line meets another one only within 3 mm (on the board) of a point, or not at all."""
    meeting = line.intersection(other)
    return bool(meeting.is_empty or point.buffer(TOUCH).contains(meeting))
