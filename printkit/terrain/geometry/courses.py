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
from printkit.core import elementary
from printkit.terrain.geometry.measure import between, direction, meetings, reached, sharpest_bend, straight
from printkit.terrain.geometry.routing import XY, CostField, RoutingGround, band, resampled, smooth_curve

# --- Styles of courses: their ends, how wide they swing, how sharply they bend ----------------------------------------


class Terminal(Struct, frozen=True):
    """An end of a course; with a lead the course is straight from ``at`` to ``lead``, over any obstacle."""

    at: XY
    lead: XY | None = None

    @property
    def inner(self) -> XY:
        """Return the point where the free part of the course starts."""
        return self.lead or self.at

    @property
    def lead_length(self) -> float:
        """Return the length of the straight lead in mm; 0 without a lead."""
        return math.dist(self.at, self.inner)


class CourseStyle(Struct, frozen=True, kw_only=True):
    """The style of a kind of course; lengths in mm.

    Args:
        wavelength, swing: minimum and maximum of its bends; the swing is to one side.
        bow: sideways bow of the course, as a share of its length.
        swings: shares of the swing to try around the straight line, each ``draws`` times.
        tamed: shares of the swing to try around a path that avoids obstacles, for each margin.
        draws: number of random lines for each share.
        margins: distances from forbidden ground, tried in this order.
        bend_over, bend_most: bends measured over ``bend_over`` mm are at most ``bend_most`` degrees.
        calm: spread of the smoothing of the finished line.
        square_below: a crossing with an angle below this, in degrees, is bent to be nearly square.
    """

    wavelength: tuple[float, float]
    swing: tuple[float, float]
    bow: float
    swings: tuple[float, ...]
    tamed: tuple[float, ...]
    draws: int
    margins: tuple[float, ...]
    bend_over: float
    bend_most: float
    calm: float
    square_below: float = 0.0

    def scaled(self, size: float) -> CourseStyle:
        """Return the style for a board that is ``size`` times as large."""
        return replace(
            self,
            wavelength=(self.wavelength[0] * size, self.wavelength[1] * size),
            swing=(self.swing[0] * size, self.swing[1] * size),
            margins=tuple(margin * size for margin in self.margins),
            bend_over=self.bend_over * size,
            calm=self.calm * size,
        )


# A lowland river: a bend every eight to eleven widths.
MEANDERING: Final = CourseStyle(
    wavelength=(190.0, 275.0),
    swing=(40.0, 68.0),
    bow=0.05,
    swings=(1.0, 0.8, 0.6),
    tamed=(1.0, 0.7, 0.45, 0.2, 0.0),
    draws=2,
    margins=(24.0, 10.0, 3.0, 0.5),
    bend_over=40.0,
    bend_most=68.0,
    calm=19.0,
)

# A country road: it leaves the straight line only for a reason, and crosses rivers squarely.
STRAIGHTISH: Final = CourseStyle(
    wavelength=(260.0, 480.0),
    swing=(7.0, 15.0),
    bow=0.025,
    swings=(1.0, 0.5),
    tamed=(1.0, 0.4, 0.0),
    draws=1,
    margins=(22.0, 9.0, 3.0, 0.5),
    bend_over=50.8,
    bend_most=56.0,
    calm=18.0,
    square_below=64.0,
)

_Line = NDArray[np.float64]
# Takes a finished line and returns the line to place, which may be cut, or None if a rule forbids it.
Finish = Callable[[LineString], LineString | None]


# Number of sound lines that the rules may refuse before the search stops: then the ends must be at fault.
_PATIENCE: Final = 4

# Swings grow from 0 to full size within this length of an end, in mm.
_END_EASE: Final = 70.0

# Angle in degrees of a crossing after bending: an exact right angle would look drawn with a ruler.
_SQUARE: Final = 74.0

_PROBE: Final = 6.0
_PROBES: Final = 12


def routed(
    start: Terminal,
    end: Terminal,
    country: RoutingGround,
    stream: Stream,
    *,
    manner: CourseStyle,
    longest: float,
    finish: Finish = lambda line: line,
    flood: CostField | None = None,
) -> LineString | None:
    """Return the centre line of a course with a point every 2 mm, or None if no line is possible.

    Args:
        manner: style of the course, for example ``MEANDERING`` or ``STRAIGHTISH``.
        longest: maximum ratio of length to straight distance.
        finish: further conditions of the rules.
        flood: paths from about ``start``, if they are known already.
    """
    if any(country.shuts(LineString([one.at, one.inner]), country.half_width) for one in (start, end)):
        return None
    refused = 0
    for guide, swing, margin in _tries(start, end, country, manner, stream, flood, longest):
        line = _finished(_swung(guide, swing, margin, country, manner, stream), start, end, country, manner)
        if not _sound(line, start, end, country, manner, longest):
            continue
        if (kept := finish(line)) is not None:
            return kept
        refused += 1
        if refused == _PATIENCE:
            break
    return None


def softened(points: _Line, radius: float) -> LineString:
    """Return a line through the points with corners rounded by up to ``radius`` mm; it never gets longer."""
    if len(points) < 3:
        return LineString(resampled(points, 2.0))
    found: list[_Line] = [points[:1]]
    for before, corner, after in zip(points[:-2], points[1:-1], points[2:], strict=True):
        reach = min(radius, 0.45 * math.dist(before, corner), 0.45 * math.dist(corner, after))
        first = corner + (before - corner) * (reach / math.dist(before, corner))
        last = corner + (after - corner) * (reach / math.dist(corner, after))
        at = np.linspace(0.0, 1.0, 13)[:, None]
        found.append((1 - at) ** 2 * first + 2 * at * (1 - at) * corner + at**2 * last)
    curve = np.vstack([*found, points[-1:]])
    return LineString(resampled(curve[np.concatenate([[True], (np.diff(curve, axis=0) != 0).any(axis=1)])], 2.0))


def _finished(points: _Line, start: Terminal, end: Terminal, country: RoutingGround, manner: CourseStyle) -> LineString:
    """Return the line with its leads, smoothed, and nearly square where it crosses other lines."""
    line = _squared(_calmed(_with_leads(points, start, end), manner.calm), country, manner)
    # Smoothing may shift an end by a rounding error, but an end must be exactly on its edge.
    line[0], line[-1] = start.at, end.at
    return LineString(line)


def _tries(
    start: Terminal,
    end: Terminal,
    country: RoutingGround,
    manner: CourseStyle,
    stream: Stream,
    flood: CostField | None,
    longest: float,
) -> Iterator[tuple[_Line, float, float]]:
    """Yield guide lines from start to end with a share of the swing and a margin, widest swings first."""
    direct = np.array([start.inner, end.inner])
    bed = LineString(direct).buffer(country.half_width + manner.margins[0])
    if not bed.intersects(country.closed):
        for swing in manner.swings:
            for _ in range(manner.draws):
                yield _bowed(direct, swing, manner, stream), swing, manner.margins[1]
    path = (flood or CostField(country, start.inner)).path(end.inner)
    if path is None:
        return
    # If several leads share one search, it started at the first of them.
    path[0] = start.inner
    for margin in manner.margins:
        guide = band(np.array(path), country, margin=margin)
        bare = _finished(smooth_curve(guide, 4.0), start, end, country, manner)
        # If the path without bends breaks a condition, bends hardly ever correct that.
        if _sound(bare, start, end, country, manner, longest):
            for swing in manner.tamed:
                for _ in range(manner.draws if swing else 1):
                    yield guide, swing, margin


def _bowed(direct: _Line, share: float, manner: CourseStyle, stream: Stream) -> _Line:
    """Return a straight line with a slight bow to one side or an S shape, like a valley."""
    points = resampled(direct, 12.0)
    at = np.linspace(0.0, 1.0, len(points))
    whole = math.dist(*direct)
    once, twice = stream.between(-1, 1), stream.between(-0.6, 0.6)
    shift = share * manner.bow * whole * (once * elementary.sin(math.pi * at) + twice * elementary.sin(math.tau * at))
    across = np.array([-(direct[1] - direct[0])[1], (direct[1] - direct[0])[0]]) / (whole + 1e-9)
    bowed: _Line = points + shift[:, None] * across
    return bowed


def _swung(
    guide: _Line, share: float, margin: float, country: RoutingGround, manner: CourseStyle, stream: Stream
) -> _Line:
    """Return the guide line with bends added, each limited by the free ground beside it."""
    points = resampled(smooth_curve(guide, 4.0), 4.0)
    if share == 0 or len(points) < 12:
        return smooth_curve(points, 2.0)
    along = np.gradient(points, axis=0)
    along /= np.hypot(along[:, 0], along[:, 1])[:, None] + 1e-9
    across = np.column_stack([-along[:, 1], along[:, 0]])
    gone: _Line = np.arange(len(points), dtype=np.float64) * 4.0
    wavelength = stream.between(*manner.wavelength)
    # Length and width of the bends drift along the course, so no two bends are the same.
    drift = _drift(gone, 2.3 * wavelength, stream)
    phase = math.tau * gone / wavelength + 0.9 * drift + stream.between(0, math.tau)
    width = 0.5 * (manner.swing[0] + manner.swing[1]) + 0.5 * (manner.swing[1] - manner.swing[0]) * _drift(
        gone, 1.7 * wavelength, stream
    )
    wave = share * width * elementary.sin(phase)
    ease = np.minimum(gone, gone[-1] - gone) / min(_END_EASE, 0.4 * gone[-1])
    wave *= np.clip(ease, 0, 1) ** 2 * (3 - 2 * np.clip(ease, 0, 1))
    left, right = (_side_room(points, side * across, margin, country) for side in (1.0, -1.0))
    room = np.where(wave > 0, left, right) + 1e-6
    shift = room * elementary.tanh(wave / room)
    # Bends lean a little downstream, because water undercuts their banks.
    lean = -0.16 * wavelength / math.tau * elementary.sin(2 * phase) * np.abs(shift) / manner.swing[1]
    swung = points + shift[:, None] * across + lean[:, None] * along
    return smooth_curve(resampled(swung, 14.0), 2.0)


def _drift(gone: _Line, wavelength: float, stream: Stream) -> _Line:
    """Return slow random values between about -1 and 1 along a line."""
    total = np.zeros_like(gone)
    for factor in (1.0, 1.7):
        total += 0.6 * elementary.sin(math.tau * factor * gone / wavelength + stream.between(0, math.tau))
    return total


def _side_room(points: _Line, across: _Line, margin: float, country: RoutingGround) -> _Line:
    """Return how far each point may move sideways in mm: the free width there and at nearby points."""
    steps = _PROBE * np.arange(1, _PROBES + 1)
    probes = points[:, None, :] + steps[None, :, None] * across[:, None, :]
    left, low, right, high = country.room.bounds
    x, y = probes[..., 0], probes[..., 1]
    blocked = (x < left) | (x > right) | (y < low) | (y > high)
    blocked |= shapely.contains_xy(country.barrier(margin), x, y)
    room = np.where(blocked.any(axis=1), _PROBE * blocked.argmax(axis=1), _PROBE * _PROBES)
    reach = 6
    padded = np.pad(room, reach, mode="edge")
    least = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).min(axis=1)
    kernel = np.hanning(2 * reach + 3)[1:-1]
    smooth: _Line = elementary.convolve(np.pad(least, reach, mode="edge"), kernel / kernel.sum())
    return np.minimum(smooth, room)


def _with_leads(points: _Line, start: Terminal, end: Terminal) -> _Line:
    """Return the points with the outer ends of the leads added."""
    before = [start.at] if start.lead else []
    after = [end.at] if end.lead else []
    return np.vstack([np.array([*before]).reshape(-1, 2), points, np.array([*after]).reshape(-1, 2)])


def _calmed(points: _Line, reach: float) -> _Line:
    """Return the points smoothed by a bell curve with that spread in mm; ends and end directions stay."""
    spacing = 4.0
    even = resampled(points, spacing)
    width = min(round(3 * reach / spacing), len(even) - 1)
    bell = elementary.exp(-0.5 * (np.arange(-width, width + 1) * spacing / reach) ** 2)
    # Mirroring the line through its end point continues it straight on, so the end stays in place.
    ahead, behind = 2 * even[0] - even[width:0:-1], 2 * even[-1] - even[-2 : -width - 2 : -1]
    padded = np.vstack([ahead, even, behind])
    smooth = np.column_stack([elementary.convolve(padded[:, axis], bell / bell.sum()) for axis in (0, 1)])
    smooth[0], smooth[-1] = even[0], even[-1]
    return smooth_curve(smooth, 2.0)


def _squared(points: _Line, country: RoutingGround, manner: CourseStyle) -> _Line:
    """Return the points, bent to cross other lines nearly at right angles where the angle is too flat."""
    if not manner.square_below:
        return points
    line = LineString(points)
    bent = False
    for other in country.squarely:
        reach = country.squarely_reach
        for meeting in reversed(meetings(line, other, 2 * reach)):
            far = reach + 34.0
            if meeting.angle >= manner.square_below or not far < meeting.along < line.length - far:
                continue
            way = math.radians(direction(line, meeting.along, 2 * reach))
            water = math.radians(direction(other, meeting.along_other, 2 * reach))
            square = math.radians(_SQUARE)
            wanted = min(
                (water + turn for turn in (square, -square, math.pi + square, math.pi - square)),
                key=lambda bearing: abs(math.remainder(bearing - way, math.tau)),
            )
            aim = np.array([math.cos(wanted), math.sin(wanted)])
            here = np.array([meeting.at.x, meeting.at.y])
            controls = shapely.get_coordinates(line)
            gone = reached(line)
            before, after = controls[gone < meeting.along - far], controls[gone > meeting.along + far]
            bridge = np.array([here - reach * aim, here, here + reach * aim])
            through = np.vstack([before[:1], before[6::8], bridge, after[:-6:8], after[-1:]])
            line, bent = LineString(smooth_curve(through, 2.0)), True
    return _calmed(shapely.get_coordinates(line), manner.calm / 2) if bent else points


def _sound(
    line: LineString, start: Terminal, end: Terminal, country: RoutingGround, manner: CourseStyle, longest: float
) -> bool:
    """Return whether a line keeps all limits: length, bends, free area, closed ground, self-contact."""
    if line.length > longest * straight(line) or not line.is_simple:
        return False
    if country.shuts(line, country.half_width - 1e-6):
        return False
    if not country.holds(between(line, 1.2 * start.lead_length, line.length - 1.2 * end.lead_length)):
        return False
    if sharpest_bend(line, manner.bend_over) > manner.bend_most:
        return False
    return not line.buffer(1.15 * country.half_width).interiors
