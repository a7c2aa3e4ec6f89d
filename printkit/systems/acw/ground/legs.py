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
from printkit.core.elementary import cubic
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


class Sort(Struct, frozen=True, kw_only=True):
    """The style of a course, in fractions of the unit: its bends, and its maximum length (AC-G08)."""

    wavelength: tuple[float, float]
    swing: tuple[float, float]
    bow: float
    longest: float
    bend_most: float
    square_below: float = 0.0

    def manner(self, unit: float) -> CourseStyle:
        """Return the style in mm."""
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
WINDING: Final = Sort(wavelength=(0.30, 0.46), swing=(0.035, 0.065), bow=0.07, longest=1.45, bend_most=75.0)

# The style of a creek.
WIDE: Final = Sort(wavelength=(0.42, 0.62), swing=(0.05, 0.085), bow=0.06, longest=1.45, bend_most=70.0)

# The style of a road.
EASY: Final = Sort(
    wavelength=(0.6, 1.0), swing=(0.015, 0.035), bow=0.05, longest=1.26, bend_most=62.0, square_below=58.0
)


class LegSpec(Struct, frozen=True, kw_only=True):
    """The input for routing in one zone: zone and unit, half width of the course in mm, its style."""

    box: Polygon
    unit: float
    half: float
    sort: Sort


def way(
    run: LegSpec,
    start: Terminal,
    end: Terminal,
    closed: Iterable[BaseGeometry],
    stream: Stream,
    *,
    squarely: tuple[LineString, ...] = (),
    wanted: Callable[[LineString], bool] = lambda _line: True,
    liked: Callable[[LineString], bool] | None = None,
) -> LineString:
    """Return a line between two points of a zone.

    Args:
        closed: obstacles, best first; each is tried until one of them allows a route.
        wanted: a condition for the line; the simple curve of the last resort may break it.
        liked: a preference for the line, dropped if no obstacles allow such a line.
    """
    left, low, right, high = run.box.bounds
    by = min(_ROOM * run.unit + run.half / 2, _WITHIN * run.unit, (right - left) / 5, (high - low) / 5)
    room = shapely.box(left + by, low + by, right - by, high - by)
    grounds = [
        RoutingGround(
            free_area=room,
            closed=ground,
            half_width=run.half,
            crossing_lines=squarely,
            crossing_reach=2.0 * run.half + 0.02 * run.unit,
            step=run.unit * _GRID,
        )
        for ground in closed
    ]
    manner, longest = run.sort.manner(run.unit), run.sort.longest
    for taste in (liked, None) if liked is not None else (None,):
        for country in grounds:
            finish = _judge(wanted, taste)
            found = routed(start, end, country, stream, style=manner, max_ratio=longest, finish=finish)
            if found is not None:
                return found
    return plain(start, end, run.box)


def led(at: XY, out: XY, unit: float) -> Terminal:
    """Return an end on a side of the zone; the course starts straight from it.

    Args:
        out: the direction out of the zone at this point.
    """
    far = _LEAD * unit
    return Terminal(at=at, lead=(at[0] - far * out[0], at[1] - far * out[1]))


def joining(main: LineString, at: Point, start: XY, far: float, *, upstream: float = 0.0) -> Terminal:
    """Return an end on another course, approached from the side of ``start``.

    Args:
        far: the distance in mm from the other course where the approach begins.
        upstream: the shift of that point up the other course, as a share of ``far``; 0 gives a right angle.
    """
    along = main.project(at)
    before, after = main.interpolate(max(along - 8, 0)), main.interpolate(min(along + 8, main.length))
    size = before.distance(after) or 1.0
    down = ((after.x - before.x) / size, (after.y - before.y) / size)
    left = (start[0] - at.x) * -down[1] + (start[1] - at.y) * down[0] > 0
    side = (-down[1], down[0]) if left else (down[1], -down[0])
    lead = (at.x + far * (side[0] - upstream * down[0]), at.y + far * (side[1] - upstream * down[1]))
    return Terminal(at=(at.x, at.y), lead=lead)


def _judge(
    wanted: Callable[[LineString], bool], liked: Callable[[LineString], bool] | None
) -> Callable[[LineString], LineString | None]:
    return lambda line: line if wanted(line) and (liked is None or liked(line)) else None


def plain(start: Terminal, end: Terminal, box: Polygon) -> LineString:
    """Return a simple curve between two ends that follows their directions.

    A curve that would leave the zone is made flatter, and straight as the last resort.
    """
    room, first, last = box.buffer(_ON_SIDE), np.array(start.at), np.array(end.at)
    out, back = (_lead(one, other) for one, other in ((start, end), (end, start)))
    at = np.linspace(0.0, 1.0, max(6, math.ceil(math.dist(start.at, end.at) / 4.0)))[:, None]
    for handle in _HANDLES:
        far = handle * math.dist(start.at, end.at)
        line = LineString(cubic(first, first + far * out, last + far * back, last, at))
        if line.is_simple and room.contains(line):
            return line
    return LineString([start.at, end.at])


def _lead(one: Terminal, other: Terminal) -> np.typing.NDArray[np.float64]:
    towards = one.lead or other.at
    step = np.array(towards) - np.array(one.at)
    return np.asarray(step / (math.hypot(*step) + 1e-9))


def until(line: LineString, other: LineString) -> LineString:
    """Return the part of a line up to another line, or the entire line if they do not meet."""
    meets = line.intersection(other)
    if meets.is_empty:
        return line
    along = min(line.project(Point(at)) for at in shapely.get_coordinates(meets))
    return substring(line, 0.0, along) if along > TOUCH else line


def meets_only_at(line: LineString, other: LineString, at: Point) -> bool:
    """Return whether a line meets another one nowhere except near a point."""
    meets = line.intersection(other)
    return bool(meets.is_empty or at.buffer(TOUCH).contains(meets))
