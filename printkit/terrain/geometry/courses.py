"""Rivers that meander and roads that run nearly straight over given ground; and the style of each sort of course.

A course is sought in tries from free and handsome to tame: swinging about the straight line, then about a way found
round the obstacles, with ever smaller swings, until one keeps every condition.
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

# --- How sorts of courses run: where they are held, how wide they swing, how sharply they bend ------------------------


class Terminal(Struct, frozen=True):
    """An end of a course. With a lead the course runs straight between ``at`` and ``lead``, whatever lies there."""

    at: XY
    lead: XY | None = None

    @property
    def inner(self) -> XY:
        """Return the place from which the course is free."""
        return self.lead or self.at

    @property
    def lead_length(self) -> float:
        """Return the length of the straight lead."""
        return math.dist(self.at, self.inner)


class CourseStyle(Struct, frozen=True, kw_only=True):
    """How a sort of course runs; lengths in mm.

    Args:
        wavelength, swing: of its bends; the swing is to one side.
        bow: how far the whole course bows, as a share of its length.
        swings: the shares of the swing to try about the straight line, each ``draws`` times.
        tamed: the same, about a way round obstacles, for each margin.
        margins: what it keeps from forbidden ground beside its way, tried in this order.
        bend_over, bend_most: no bend over so many mm of way is sharper than so many degrees.
        calm: mm over which the finished line is evened out.
        square_below: degrees; a crossing that is flatter is bent to be square.
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
        """Return how the same course runs where everything is so many times as large."""
        return replace(
            self,
            wavelength=(self.wavelength[0] * size, self.wavelength[1] * size),
            swing=(self.swing[0] * size, self.swing[1] * size),
            margins=tuple(margin * size for margin in self.margins),
            bend_over=self.bend_over * size,
            calm=self.calm * size,
        )


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
"""A lowland river: a bend every eight to eleven widths."""

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
"""A country road: it leaves the straight line only for a reason, and comes square to a river."""


_Line = NDArray[np.float64]
Finish = Callable[[LineString], LineString | None]
"""Takes a finished line, may cut it, and returns what is to be laid, or None if a rule forbids it."""


_PATIENCE: Final = 4
"""Sound lines that the rules may refuse before the ends themselves are held to be at fault."""

_END_EASE: Final = 70.0
"""Millimetres over which swings grow from nothing at an end."""

_SQUARE: Final = 74.0
"""Degrees at which a way that was bent to be square meets a river: a right angle would look drawn with a ruler."""

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
    """Return the centre line of a course, a point every 2 mm, or None where there is no way.

    Args:
        manner: how it runs: as a river does, or a road, or in a manner of its own.
        longest: most length for a millimetre of straight distance.
        finish: what the rules want besides.
        flood: the ways from about ``start``, if they were sought already.
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
    """Return a line through given points with its corners rounded by up to ``radius`` mm; it never gets longer."""
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
    """Return the line with its leads, evened out, and square where it crosses others."""
    line = _squared(_calmed(_with_leads(points, start, end), manner.calm), country, manner)
    # Smoothing may shift an end by the last digit, and an end must lie on its edge to that digit.
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
    """Yield guides from start to end with a share of the swing and a margin, from free to tame."""
    direct = np.array([start.inner, end.inner])
    bed = LineString(direct).buffer(country.half_width + manner.margins[0])
    if not bed.intersects(country.closed):
        for swing in manner.swings:
            for _ in range(manner.draws):
                yield _bowed(direct, swing, manner, stream), swing, manner.margins[1]
    path = (flood or CostField(country, start.inner)).path(end.inner)
    if path is None:
        return
    # A flood that serves several leads began at the first of them.
    path[0] = start.inner
    for margin in manner.margins:
        guide = band(np.array(path), country, margin=margin)
        bare = _finished(smooth_curve(guide, 4.0), start, end, country, manner)
        # Where the bare way breaks a condition, bends laid over it hardly ever mend that.
        if _sound(bare, start, end, country, manner, longest):
            for swing in manner.tamed:
                for _ in range(manner.draws if swing else 1):
                    yield guide, swing, margin


def _bowed(direct: _Line, share: float, manner: CourseStyle, stream: Stream) -> _Line:
    """Return a straight line bowed a little, once or to and fro, as whole valleys are."""
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
    """Return the guide with bends laid over it, each as wide as the free ground beside the way allows."""
    points = resampled(smooth_curve(guide, 4.0), 4.0)
    if share == 0 or len(points) < 12:
        return smooth_curve(points, 2.0)
    along = np.gradient(points, axis=0)
    along /= np.hypot(along[:, 0], along[:, 1])[:, None] + 1e-9
    across = np.column_stack([-along[:, 1], along[:, 0]])
    gone: _Line = np.arange(len(points), dtype=np.float64) * 4.0
    wavelength = stream.between(*manner.wavelength)
    # Bends are never alike: their length and their width drift along the course.
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
    # Bends lean a little downstream and fill out, as water undercuts them.
    lean = -0.16 * wavelength / math.tau * elementary.sin(2 * phase) * np.abs(shift) / manner.swing[1]
    swung = points + shift[:, None] * across + lean[:, None] * along
    return smooth_curve(resampled(swung, 14.0), 2.0)


def _drift(gone: _Line, wavelength: float, stream: Stream) -> _Line:
    """Return a slow wandering between about -1 and 1 along a way."""
    total = np.zeros_like(gone)
    for factor in (1.0, 1.7):
        total += 0.6 * elementary.sin(math.tau * factor * gone / wavelength + stream.between(0, math.tau))
    return total


def _side_room(points: _Line, across: _Line, margin: float, country: RoutingGround) -> _Line:
    """Return how far each point may be moved aside: what is free there and for a stretch before and behind."""
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
    """Return the points with the straight leads at both ends."""
    before = [start.at] if start.lead else []
    after = [end.at] if end.lead else []
    return np.vstack([np.array([*before]).reshape(-1, 2), points, np.array([*after]).reshape(-1, 2)])


def _calmed(points: _Line, reach: float) -> _Line:
    """Return the points smoothed by a bell of that spread in mm; the ends and the directions there stay."""
    spacing = 4.0
    even = resampled(points, spacing)
    width = min(round(3 * reach / spacing), len(even) - 1)
    bell = elementary.exp(-0.5 * (np.arange(-width, width + 1) * spacing / reach) ** 2)
    # Mirrored through its end point, a line goes straight on beyond it, and the end stays where it is.
    ahead, behind = 2 * even[0] - even[width:0:-1], 2 * even[-1] - even[-2 : -width - 2 : -1]
    padded = np.vstack([ahead, even, behind])
    smooth = np.column_stack([elementary.convolve(padded[:, axis], bell / bell.sum()) for axis in (0, 1)])
    smooth[0], smooth[-1] = even[0], even[-1]
    return smooth_curve(smooth, 2.0)


def _squared(points: _Line, country: RoutingGround, manner: CourseStyle) -> _Line:
    """Return the points, bent where they cross a line too flatly so that they cross it nearly at right angles."""
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
    """Return whether a line keeps its length, its room, its distance from closed ground and from itself, and bends."""
    if line.length > longest * straight(line) or not line.is_simple:
        return False
    if country.shuts(line, country.half_width - 1e-6):
        return False
    if not country.holds(between(line, 1.2 * start.lead_length, line.length - 1.2 * end.lead_length)):
        return False
    if sharpest_bend(line, manner.bend_over) > manner.bend_most:
        return False
    return not line.buffer(1.15 * country.half_width).interiors
