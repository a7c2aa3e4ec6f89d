"""Route rivers that meander and roads that are nearly straight; styles of courses.

The router tries lines with wide swings around the straight line first. Then it tries smaller and smaller swings around
a path that avoids the obstacles, until a line satisfies every condition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.terrain.geometry.measure import (
    cut_line,
    find_meetings,
    line_bearing,
    point_distances,
    sharpest_bend,
    straight_length,
)
from printkit.terrain.geometry.routing import XY, CostField, RoutingGround, relax_band, resample_line, smooth_curve

# --- Styles of courses: their ends, how wide they swing, how sharply they bend ----------------------------------------


class Terminal(Struct, frozen=True):
    """An end of a course; with a lead the course is straight from ``at`` to ``lead``, over any obstacle.

    Points are x and y in mm on the board.
    """

    at: XY
    lead: XY | None = None

    @property
    def inner(self) -> XY:
        """Return the point (x, y), in mm on the board, where the free part of the course starts.

        Without a lead it is the end itself.
        """
        return self.lead or self.at

    @property
    def lead_length(self) -> float:
        """Return the length of the straight lead in mm on the board; 0 without a lead."""
        return math.dist(self.at, self.inner)


class CourseStyle(Struct, frozen=True, kw_only=True):
    """The style of a kind of course; lengths in mm on the board.

    Args:
        wavelength, swing: minimum and maximum of its bends; the swing is to one side.
        bow: sideways bow of the course, as a share of its length.
        swings: shares of the swing to try around the straight line, each ``draws`` times.
        guided_swings: shares of the swing to try around a path that avoids obstacles, for each margin.
        draws: number of random lines for each share.
        margins: distances from forbidden ground, tried in this order.
        bend_over, bend_most: bends measured over ``bend_length`` mm are at most ``max_bend`` degrees.
        smoothing: spread of the smoothing of the finished line.
        square_below: a crossing with an angle below this, in degrees, is bent to be nearly square.
    """

    wavelength: tuple[float, float]
    swing: tuple[float, float]
    bow: float
    swings: tuple[float, ...]
    guided_swings: tuple[float, ...]
    draws: int
    margins: tuple[float, ...]
    bend_length: float
    max_bend: float
    smoothing: float
    square_below: float = 0.0

    def scaled(self, size: float) -> CourseStyle:
        """Return the style for a board that is ``size`` times as large.

        Its lengths in mm on the board are multiplied by that number; angles and shares do not change. The style itself
        does not change.
        """
        return replace(
            self,
            wavelength=(self.wavelength[0] * size, self.wavelength[1] * size),
            swing=(self.swing[0] * size, self.swing[1] * size),
            margins=tuple(margin * size for margin in self.margins),
            bend_length=self.bend_length * size,
            smoothing=self.smoothing * size,
        )


# A lowland river: a bend every eight to eleven widths.
MEANDERING: Final = CourseStyle(
    wavelength=(190.0, 275.0),
    swing=(40.0, 68.0),
    bow=0.05,
    swings=(1.0, 0.8, 0.6),
    guided_swings=(1.0, 0.7, 0.45, 0.2, 0.0),
    draws=2,
    margins=(24.0, 10.0, 3.0, 0.5),
    bend_length=40.0,
    max_bend=68.0,
    smoothing=19.0,
)

# A country road: it leaves the straight line only for a reason, and crosses rivers squarely.
STRAIGHTISH: Final = CourseStyle(
    wavelength=(260.0, 480.0),
    swing=(7.0, 15.0),
    bow=0.025,
    swings=(1.0, 0.5),
    guided_swings=(1.0, 0.4, 0.0),
    draws=1,
    margins=(22.0, 9.0, 3.0, 0.5),
    bend_length=50.8,
    max_bend=56.0,
    smoothing=18.0,
    square_below=64.0,
)

_Line = NDArray[np.float64]
# Takes a finished line and returns the line to place, which may be cut, or None if a rule forbids it.
Finish = Callable[[LineString], LineString | None]


# Number of sound lines that the rules may refuse before the search stops: then the ends must be at fault.
_MAX_REFUSALS: Final = 4

# Swings grow from 0 to full size within this length of an end, in mm.
_END_EASE: Final = 70.0

# Angle in degrees of a crossing after bending: an exact right angle would look drawn with a ruler.
_SQUARE_ANGLE: Final = 74.0

_PROBE: Final = 6.0
_PROBES: Final = 12


def routed(
    start: Terminal,
    end: Terminal,
    ground: RoutingGround,
    stream: Stream,
    *,
    style: CourseStyle,
    max_ratio: float,
    finish: Finish = lambda line: line,
    costs: CostField | None = None,
) -> LineString | None:
    """Return the centre line of a course with a point about every 2 mm, or None if no line is possible.

    It tries lines with wide bends first. Lengths are in mm on the board. The line runs from ``start`` to ``end``.

    Args:
        start: the end of the course where it starts.
        end: the other end.
        ground: the free area, the forbidden ground and the width of the course.
        stream: the random numbers for its bends.
        style: style of the course, for example ``MEANDERING`` or ``STRAIGHTISH``.
        max_ratio: maximum ratio of the length to the straight distance between the ends.
        finish: takes a finished line and returns the line to place, which may be another one, or None if a rule forbids
            it. After some refusals the search ends with None.
        costs: a search for paths that started at about ``start``, if there is one already; otherwise it is started when
            needed.
    """
    if any(ground.blocks(LineString([terminal.at, terminal.inner]), ground.half_width) for terminal in (start, end)):
        return None
    refusals = 0
    for guide, swing, margin in _generate_guides(start, end, ground, style, stream, costs, max_ratio):
        line = _finish_line(_swing_guide(guide, swing, margin, ground, style, stream), start, end, ground, style)
        if not _is_sound(line, start, end, ground, style, max_ratio):
            continue
        if (final := finish(line)) is not None:
            return final
        refusals += 1
        if refusals == _MAX_REFUSALS:
            break
    return None


def round_corners(points: _Line, radius: float) -> LineString:
    """Return a line through the points with corners rounded by up to ``radius`` mm; it never gets longer.

    ``points`` are rows of x and y in mm on the board. The first and the last point stay in place.
    """
    if len(points) < 3:
        return LineString(resample_line(points, 2.0))
    parts: list[_Line] = [points[:1]]
    for before, corner, after in zip(points[:-2], points[1:-1], points[2:], strict=True):
        reach = min(radius, 0.45 * math.dist(before, corner), 0.45 * math.dist(corner, after))
        first = corner + (before - corner) * (reach / math.dist(before, corner))
        last = corner + (after - corner) * (reach / math.dist(corner, after))
        parameters = np.linspace(0.0, 1.0, 13)[:, None]
        parts.append((1 - parameters) ** 2 * first + 2 * parameters * (1 - parameters) * corner + parameters**2 * last)
    curve = np.vstack([*parts, points[-1:]])
    return LineString(resample_line(curve[np.concatenate([[True], (np.diff(curve, axis=0) != 0).any(axis=1)])], 2.0))


def _finish_line(
    points: _Line, start: Terminal, end: Terminal, ground: RoutingGround, style: CourseStyle
) -> LineString:
    """Return the line with its straight ends, smoothed, and nearly square where it crosses other lines.

    Points are rows of x and y, in mm on the board.
    """
    before = [start.at] if start.lead else []
    after = [end.at] if end.lead else []
    points = np.vstack([np.array(before).reshape(-1, 2), points, np.array(after).reshape(-1, 2)])
    line = _square_crossings(_smooth_line(points, style.smoothing), ground, style)
    # Smoothing may shift an end by a rounding error, but an end must be exactly on its edge.
    line[0], line[-1] = start.at, end.at
    return LineString(line)


def _generate_guides(
    start: Terminal,
    end: Terminal,
    ground: RoutingGround,
    style: CourseStyle,
    stream: Stream,
    costs: CostField | None,
    max_ratio: float,
) -> Iterator[tuple[_Line, float, float]]:
    """Yield guide lines from start to end, each as (points, share of the swing, margin in mm).

    If the straight corridor is free, bowed straight lines come first; the others follow the cheapest path around
    forbidden ground. Wide swings come before narrow ones. Points and margin are in mm on the board. It yields nothing
    if no path is possible. ``costs`` is a search that started near ``start``, or None to start one when needed.
    ``max_ratio`` is the maximum ratio of the finished line's length to the straight distance of its ends.
    """
    direct = np.array([start.inner, end.inner])
    corridor = LineString(direct).buffer(ground.half_width + style.margins[0])
    if not corridor.intersects(ground.closed):
        for swing in style.swings:
            for _ in range(style.draws):
                yield _bow_line(direct, swing, style, stream), swing, style.margins[1]
    path = (costs or CostField(ground, start.inner)).path(end.inner)
    if path is None:
        return
    # If several leads share one search, it started at the first of them.
    path[0] = start.inner
    for margin in style.margins:
        guide = relax_band(np.array(path), ground, margin=margin)
        plain_line = _finish_line(smooth_curve(guide, 4.0), start, end, ground, style)
        # If the path without bends breaks a condition, bends hardly ever correct that.
        if _is_sound(plain_line, start, end, ground, style, max_ratio):
            for swing in style.guided_swings:
                for _ in range(style.draws if swing else 1):
                    yield guide, swing, margin


def _bow_line(direct: _Line, share: float, style: CourseStyle, stream: Stream) -> _Line:
    """Return the straight line ``direct`` with a slight bow to one side or an S shape, like a valley.

    Args:
        direct: two points, rows of x and y in mm on the board; both stay in place.
        share: factor of the bow of the style; 0 gives a straight line.
        style: its ``bow`` is a share of the length of the line.
        stream: draws the side and the form of the bow, two numbers.
    """
    points = resample_line(direct, 12.0)
    parameters = np.linspace(0.0, 1.0, len(points))
    length = math.dist(*direct)
    once, twice = stream.between(-1, 1), stream.between(-0.6, 0.6)
    shift = (
        share
        * style.bow
        * length
        * (once * exact_math.sin(math.pi * parameters) + twice * exact_math.sin(math.tau * parameters))
    )
    normal = np.array([-(direct[1] - direct[0])[1], (direct[1] - direct[0])[0]]) / (length + 1e-9)
    curve: _Line = points + shift[:, None] * normal
    return curve


def _swing_guide(
    guide: _Line, share: float, margin: float, ground: RoutingGround, style: CourseStyle, stream: Stream
) -> _Line:
    """Return the guide line with bends added, each limited by the free ground beside it.

    Points are in mm on the board. ``share`` scales the swing of the style, 0 to 1. The side of the course keeps
    ``margin`` mm from forbidden ground.
    """
    points = resample_line(smooth_curve(guide, 4.0), 4.0)
    if share == 0 or len(points) < 12:
        return smooth_curve(points, 2.0)
    tangents = np.gradient(points, axis=0)
    tangents /= np.hypot(tangents[:, 0], tangents[:, 1])[:, None] + 1e-9
    normals = np.column_stack([-tangents[:, 1], tangents[:, 0]])
    distances: _Line = np.arange(len(points), dtype=np.float64) * 4.0
    wavelength = stream.between(*style.wavelength)
    # Length and width of the bends drift along the course, so no two bends are the same.
    drift = _draw_drift(distances, 2.3 * wavelength, stream)
    phase = math.tau * distances / wavelength + 0.9 * drift + stream.between(0, math.tau)
    width = 0.5 * (style.swing[0] + style.swing[1]) + 0.5 * (style.swing[1] - style.swing[0]) * _draw_drift(
        distances, 1.7 * wavelength, stream
    )
    wave = share * width * exact_math.sin(phase)
    ease = np.minimum(distances, distances[-1] - distances) / min(_END_EASE, 0.4 * distances[-1])
    wave *= np.clip(ease, 0, 1) ** 2 * (3 - 2 * np.clip(ease, 0, 1))
    left, right = (_free_widths(points, side * normals, margin, ground) for side in (1.0, -1.0))
    free_width = np.where(wave > 0, left, right) + 1e-6
    shift = free_width * exact_math.tanh(wave / free_width)
    # Bends lean a little downstream, because water undercuts their banks.
    lean = -0.16 * wavelength / math.tau * exact_math.sin(2 * phase) * np.abs(shift) / style.swing[1]
    bent_points = points + shift[:, None] * normals + lean[:, None] * tangents
    return smooth_curve(resample_line(bent_points, 14.0), 2.0)


def _draw_drift(distances: _Line, wavelength: float, stream: Stream) -> _Line:
    """Return slow random values between about -1 and 1, one for each distance along a line.

    Distances and ``wavelength`` are in mm on the board. It draws two random phases, in radians.
    """
    total = np.zeros_like(distances)
    for factor in (1.0, 1.7):
        total += 0.6 * exact_math.sin(math.tau * factor * distances / wavelength + stream.between(0, math.tau))
    return total


def _free_widths(points: _Line, normals: _Line, margin: float, ground: RoutingGround) -> _Line:
    """Return how far each point may move along its normal, in mm on the board.

    It is the free width there and at nearby points. ``margin`` is the distance in mm that the side of the course keeps
    from forbidden ground.
    """
    steps = _PROBE * np.arange(1, _PROBES + 1)
    probes = points[:, None, :] + steps[None, :, None] * normals[:, None, :]
    left, low, right, high = ground.free_area.bounds
    x, y = probes[..., 0], probes[..., 1]
    is_blocked = (x < left) | (x > right) | (y < low) | (y > high)
    is_blocked |= shapely.contains_xy(ground.barrier(margin), x, y)
    widths = np.where(is_blocked.any(axis=1), _PROBE * is_blocked.argmax(axis=1), _PROBE * _PROBES)
    reach = 6
    padded = np.pad(widths, reach, mode="edge")
    narrowest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).min(axis=1)
    kernel = np.hanning(2 * reach + 3)[1:-1]
    smooth: _Line = exact_math.convolve(np.pad(narrowest, reach, mode="edge"), kernel / kernel.sum())
    return np.minimum(smooth, widths)


def _smooth_line(points: _Line, reach: float) -> _Line:
    """Return the points, in mm on the board, smoothed by a bell curve with a spread of ``reach`` mm.

    Ends and end directions stay the same.
    """
    spacing = 4.0
    even = resample_line(points, spacing)
    width = min(round(3 * reach / spacing), len(even) - 1)
    bell = exact_math.exp(-0.5 * (np.arange(-width, width + 1) * spacing / reach) ** 2)
    # Mirroring the line through its end point continues it straight on, so the end stays in place.
    head, tail = 2 * even[0] - even[width:0:-1], 2 * even[-1] - even[-2 : -width - 2 : -1]
    padded = np.vstack([head, even, tail])
    smooth = np.column_stack([exact_math.convolve(padded[:, axis], bell / bell.sum()) for axis in (0, 1)])
    smooth[0], smooth[-1] = even[0], even[-1]
    return smooth_curve(smooth, 2.0)


def _square_crossings(points: _Line, ground: RoutingGround, style: CourseStyle) -> _Line:
    """Return the points bent to cross other lines nearly at right angles where they crossed too flatly.

    Points are rows of x and y, in mm on the board. The same points are returned if the style has no such limit, if no
    crossing is too flat, or if the flat ones are too near an end.
    """
    if not style.square_below:
        return points
    line = LineString(points)
    is_bent = False
    for other in ground.crossing_lines:
        reach = ground.crossing_reach
        for meeting in reversed(find_meetings(line, other, 2 * reach)):
            far = reach + 34.0
            if meeting.angle >= style.square_below or not far < meeting.distance < line.length - far:
                continue
            line_angle = math.radians(line_bearing(line, meeting.distance, 2 * reach))
            other_angle = math.radians(line_bearing(other, meeting.other_distance, 2 * reach))
            square = math.radians(_SQUARE_ANGLE)
            target_angle = min(
                (other_angle + turn for turn in (square, -square, math.pi + square, math.pi - square)),
                key=lambda bearing: abs(math.remainder(bearing - line_angle, math.tau)),
            )
            aim = np.array([math.cos(target_angle), math.sin(target_angle)])
            centre = np.array([meeting.at.x, meeting.at.y])
            controls = shapely.get_coordinates(line)
            distances = point_distances(line)
            before, after = controls[distances < meeting.distance - far], controls[distances > meeting.distance + far]
            bridge = np.array([centre - reach * aim, centre, centre + reach * aim])
            guide_points = np.vstack([before[:1], before[6::8], bridge, after[:-6:8], after[-1:]])
            line, is_bent = LineString(smooth_curve(guide_points, 2.0)), True
    return _smooth_line(shapely.get_coordinates(line), style.smoothing / 2) if is_bent else points


def _is_sound(
    line: LineString, start: Terminal, end: Terminal, ground: RoutingGround, style: CourseStyle, max_ratio: float
) -> bool:
    """Return whether a line is short enough, simple, in the free area, off forbidden ground and without sharp bends.

    Its band must not close a ring either. The straight leads at both ends may be outside the free area. ``max_ratio``
    is the maximum ratio of its length to the straight distance of its ends.
    """
    if line.length > max_ratio * straight_length(line) or not line.is_simple:
        return False
    if ground.blocks(line, ground.half_width - 1e-6):
        return False
    if not ground.contains(cut_line(line, 1.2 * start.lead_length, line.length - 1.2 * end.lead_length)):
        return False
    if sharpest_bend(line, style.bend_length) > style.max_bend:
        return False
    return not line.buffer(1.15 * ground.half_width).interiors
