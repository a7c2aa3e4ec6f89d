"""Hachures: downhill strokes that are heavier on steeper ground, and the traces that they follow.

Traces run uphill from places half a millimetre apart around a contour; they never cross. Strokes start evenly spaced at
the foot and follow traces. On spurs, where traces converge, every second stroke ends early, then every second of the
rest. In hollows, where traces diverge, extra strokes begin between them half way up. The spacing therefore stays
between 0.75 and 1.5 of the target, and the row closes around the hill without a seam.

Source: the cartography, 9.3, and 20.3 and 20.4 for the ends of faces and for narrow hills.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.drawing.canvas.shapes import Line
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import Numbers, around
from printkit.drawing.signs.relief.relief_field import USUAL_RADIUS, ContourLevel, Relief, smooth_step

# --- Slopes prepared for hachures -------------------------------------------------------------------------------------

_HAIR: Final = 1e-6  # Distance in steps between the last usable position and the end of a trace

STEP: Final = 0.7  # Distance in mm at 1:1 between the points of a trace

_BEYOND: Final = 3.0  # Extra steps of a trace beyond its strokes

_NEAR: Final = 14.0  # Reach in mm at 1:1 within which the strokes of neighbouring places lengthen a trace

_BELOW_NEXT: Final = 1.6
_LENGTH: Final = (9.5, 23.0)
_LENGTH_WAVER: Final = 0.16
_LENGTH_WAVE: Final = 26.0
_SHARE_OF_HILL: Final = 0.78
_RIDGE: Final = 0.30  # A trace ends at a ridge, where the smoothed gradient is below this value.
# A trace is near a ridge, within about 4 mm, where the gradient is below this value.
_NEAR_RIDGE: Final = 0.62

_JOINED: Final = 0.15  # Neighbouring traces count as one from this share of their distance at the foot.

_SHARE_OF_TRACE: Final = 0.82
_EVEN_LENGTH: Final = 24.0
_EVEN_CREST: Final = 9.0
_CREST_FROM: Final = 0.6
_CREST_FADE: Final = 12.0

# Exponent of the radius for longer strokes on gentle ground of broad hills, and the greatest factor
_LONGER: Final = (0.6, 2.2)

# Further rows on gentle ground per usual radius, and least and greatest radius that counts
_ROWS: Final = (1.6, 0.6, 3.2)

_LOW_FORM: Final = 60.0  # Radius in mm at 1:1 from which a low landform has further rows as well

APRON: Final = 23.0  # Distance in mm at 1:1 from the contour to the top of scree

GENTLE: Final = 0.45  # Further rows are drawn where the steepness is below this value.


class Traces(Struct, frozen=True, eq=False):
    """Lines up the slope from every place of a contour.

    Attributes:
        points: points one step apart, n x k x 2.
        steps: steps to the end of each line: a ridge, the next contour, or the last traced point.
        easy: steps until each line comes near a ridge; infinite without a ridge.
    """

    points: NDArray[np.float64]
    steps: Numbers
    easy: Numbers

    def at(self, place: Numbers, step: Numbers) -> Line:
        """Return points at fractional places and steps. Places wrap around the contour."""
        count, last = self.points.shape[0], self.points.shape[1] - 1
        held = np.clip(step, 0, last - _HAIR)
        column, over = held.astype(int), (held % 1.0)[..., None]
        row, beyond = np.floor(place).astype(int) % count, (place % 1.0)[..., None]
        ahead = (row + 1) % count
        low = self.points[row, column] * (1 - beyond) + self.points[ahead, column] * beyond
        high = self.points[row, column + 1] * (1 - beyond) + self.points[ahead, column + 1] * beyond
        found: Line = low * (1 - over) + high * over
        return found

    def whole(self, place: Numbers, steps: int) -> NDArray[np.float64]:
        """Return the points of the lines up from fractional places, n x k x 2, equal to ``at`` at every step.

        Args:
            place: fractional places around the contour.
            steps: least number of steps, if the lines are that long.
        """
        row, beyond = np.floor(place).astype(int) % len(self.points), (place % 1.0)[:, None, None]
        ahead, points = (row + 1) % len(self.points), self.points[:, : steps + 2]
        found = np.asarray(points[row] * (1 - beyond) + points[ahead] * beyond)
        over = (found.shape[1] - 1 - _HAIR) % 1.0
        found[:, -1] = found[:, -2] * (1 - over) + found[:, -1] * over
        return found


class Slope(Struct, frozen=True, eq=False):
    """A contour with its traces, ready for strokes.

    Attributes:
        level: the contour level.
        traces: its traces.
        length: length of the first row around the contour, in steps.
        crest: the smoothed line through the upper ends of the first row.
        rows: number of further rows on gentle ground.
    """

    level: ContourLevel
    traces: Traces
    length: Numbers
    crest: Line
    rows: int

    @property
    def steepness(self) -> Numbers:
        """Return the steepness around the contour."""
        return self.level.steepness


def prepared(relief: Relief, level: ContourLevel, context: SymbolContext) -> Slope:
    """Return a contour of a hill with its traces. Strokes stay below the next contours.

    Args:
        relief: relief of the hill.
        level: the contour level.
        context: context with the stroke size of this hill.
    """
    gentle, steep = (relief.landform.stroke * length for length in _LENGTH)
    radius = level.deepest / context.size(1.0)
    share = radius / USUAL_RADIUS
    power, longest = _LONGER
    gentle = min(gentle * min(longest, max(1.0, math.pow(share, power))), max(gentle, steep))
    rows = further_rows(radius) if relief.landform.second_row or radius > _LOW_FORM else 0
    steepness = level.steepness
    first = gentle + (steep - gentle) * steepness
    x, y = level.places.T
    whole = level.contour.exterior.length
    first = first * (1 + _LENGTH_WAVER * context.noise.at(x, y, context.size(_LENGTH_WAVE)) * (1 - steepness))
    traces = _traced(relief, level, context, _reached(level, first, rows, context) / STEP + _BEYOND)
    length = np.minimum(first / STEP, _SHARE_OF_HILL * level.deepest / context.size(STEP))
    length = np.minimum(length, np.minimum(_SHARE_OF_TRACE * traces.easy, traces.steps))
    length = np.minimum(around(length, context.size(_EVEN_LENGTH), whole), traces.steps)
    heads = traces.at(np.arange(len(length)).astype(float), length)
    crest = np.column_stack([around(axis, context.size(_EVEN_CREST), whole) for axis in heads.T])
    return Slope(level, traces, length, crest, rows)


def further_rows(radius: float) -> int:
    """Return the number of rows after the first on gentle ground; ``radius`` in mm at 1:1."""
    each, least, most = _ROWS
    return max(1, round(each * min(most, max(least, radius / USUAL_RADIUS)) - 0.5))


def _reached(level: ContourLevel, first: Numbers, rows: int, context: SymbolContext) -> Numbers:
    """Return how far up, in mm, the longest stroke near each place ends, as a limit for tracing."""
    reached = np.where(level.bare, np.maximum(first, APRON), first)
    low = first / STEP
    for number in range(rows):
        low = low + _above(number, level, context)
        length = _ROW_LENGTH[min(number, 1)]
        reached = np.where(_shown(number, level, context), np.maximum(reached, low * STEP + length), reached)
        low = low + length / STEP
    near = max(1, round(context.size(_NEAR) / level.contour.exterior.length * len(first)))
    # Sliding maximum over this many places on both sides, by doubling windows.
    width = 1
    while width <= 2 * near:
        shift = min(width, 2 * near + 1 - width)
        reached = np.maximum(reached, np.roll(reached, shift))
        width += shift
    return np.roll(reached, -near)


def _traced(relief: Relief, level: ContourLevel, context: SymbolContext, wanted: Numbers) -> Traces:
    step, grid, steps = context.size(STEP), relief.grid, int(wanted.max())
    ceiling = [other.inside for other in relief.above(level)]
    into = np.maximum.reduce(ceiling) if ceiling else None
    at = level.places
    points = np.empty((steps + 1, len(at), 2))
    points[0] = at
    lengths, easy = np.zeros(len(at)), np.full(len(at), np.inf)
    going = np.arange(len(at))
    for number in range(1, steps + 1):
        going = going[wanted[going] >= number]
        ascent = grid.at(level.uphill, at[going])
        rate = np.hypot(ascent[:, 0], ascent[:, 1])
        near = going[rate < _NEAR_RIDGE]
        easy[near] = np.minimum(easy[near], number - 1)
        kept = rate > _RIDGE
        going, onward = going[kept], at[going[kept]] + ascent[kept] / rate[kept, None] * step
        if into is not None:
            below = grid.at(into, onward) < -context.size(_BELOW_NEXT)
            going, onward = going[below], onward[below]
        points[number] = at
        at = points[number]
        at[going] = onward
        lengths[going] = number
    points = np.ascontiguousarray(points.swapaxes(0, 1))
    together = _drawn_together(points, level, context)
    return Traces(points, lengths, np.where(together < lengths, np.minimum(easy, together), easy))


def _drawn_together(points: NDArray[np.float64], level: ContourLevel, context: SymbolContext) -> Numbers:
    """Return the step at which neighbouring traces are so close that they continue as one, on a ridge."""
    apart = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    wide = np.hypot(apart[..., 0], apart[..., 1])
    whole = level.contour.exterior.length
    even = np.column_stack([around(column, context.size(4.0), whole) for column in wide.T])
    joined = even < _JOINED * even[:, :1]
    return np.asarray(np.where(joined.any(axis=1), joined.argmax(axis=1), points.shape[1]), dtype=float)


def crest_widths(slope: Slope, context: SymbolContext) -> Numbers:
    """Return the relative width of the crest line around the contour, 0 to 1. It fades out over 12 mm."""
    steep = ((slope.steepness > _CREST_FROM) & ~slope.level.bare).astype(float)
    if steep.max() == 0.0:
        return steep
    if steep.min() == 1.0:
        return steep
    whole = slope.level.contour.exterior.length
    step = whole / len(steep)
    reach = max(1, round(context.size(_CREST_FADE) / step))
    gentle = np.flatnonzero(steep == 0.0)
    places = np.arange(len(steep))
    # Repeat the indices before the first place and after the last to close the ring.
    rounds = np.concatenate([gentle - len(steep), gentle, gentle + len(steep)])
    at = np.searchsorted(rounds, places)
    nearest = np.minimum(rounds[at] - places, places - rounds[at - 1])
    return smooth_step(nearest / reach)


def between(values: Numbers, spots: Numbers) -> Numbers:
    """Return values around a contour at fractional places."""
    count = len(values)
    row, beyond = np.floor(spots).astype(int) % count, spots % 1.0
    return np.asarray(values[row] * (1 - beyond) + values[(row + 1) % count] * beyond)


_ABOVE_CONTOUR: Final = 0.7
_EVEN_ROOM: Final = 9
_SPACING: Final = (2.50, 1.55)  # Spacing of the feet in mm at 1:1, on gentle and on steep ground
_HATCHED_SPACING: Final = (3.0, 1.8)  # The same in hatched styles: wider, because there is no tint beneath

_WAVER: Final = 0.06
# Share of the spacing at which every second stroke ends; the others are then 1.5 spacings apart.
_CLOSEST: Final = 0.76

# One stroke in this many never ends early. The number of strokes is a multiple of it, so the row has no seam.
_RANKS: Final = 8

_PARTS: Final = 4  # Places for each stroke of a row: one for the stroke and three before the next

_LEAST: Final = 2.2  # Least length of a stroke in mm at 1:1; a shorter one would be a dot.

# Least share of its length that a stroke reaches, and the range above it, on gentle ground
_RAGGED: Final = (0.80, 0.30)
_SHARP: Final = (0.965, 0.035)  # The same on steep ground

_ROW_ABOVE: Final = (2.0, 4.5)
_ROW_LENGTH: Final = (7.0, 6.5)
_ROW_SPACING: Final = 1.25
_ROW_WIDTH: Final = 0.62
_ROW_NAMES: Final = ("second", "third", "fourth", "fifth", "sixth")
_ROW_WAVE: Final = 30.0
_BREAKS_WAVE: Final = 44.0
_BREAKS_FROM: Final = -0.15
_BREAKS_MORE: Final = 0.22
_FROM_RIDGE: Final = 1.0

_HEAD_WIDTH: Final = (0.40, 0.98)
_TAPER: Final = 0.24
_LEAST_WIDTH: Final = 0.20
_AWAY_FROM_LIGHT: Final = 0.40
_INK_SHARE: Final = 0.62  # Greatest width of a stroke's head, as a share of the spacing

_GIVES_WAY: Final = 0.70
_POINT: Final = 0.6
_BEND: Final = 3.5  # Distance in mm at 1:1 between the points of a finished stroke


class Hachure(NamedTuple):
    """One hachure: points from head to foot, its width at each end in mm, and the steepness of the ground."""

    points: Line
    head: float
    foot: float
    steepness: float


def strokes(slope: Slope, context: SymbolContext, name: str) -> Iterator[Hachure]:
    """Yield the strokes of a contour: the first row, strokes that fill its gaps, and further rows on gentle ground."""
    yield from _first_row(slope, context, name)
    low = slope.length
    for number in range(slope.rows):
        low = low + _above(number, slope.level, context)
        yield from _further_row(slope, context, name, number, low)
        low = low + _ROW_LENGTH[min(number, 1)] / STEP


def _first_row(slope: Slope, context: SymbolContext, name: str) -> Iterator[Hachure]:
    low = np.full(len(slope.length), _ABOVE_CONTOUR / STEP)
    shortest, spread = (np.where(slope.steepness < 0.5, *pair) for pair in zip(_RAGGED, _SHARP, strict=True))
    row = _Row(low, np.maximum(slope.length, low), np.maximum(slope.traces.steps, low), shortest, spread)
    yield from _stood(slope, row, context, context.stream(f"{name}/first"))


def _above(number: int, level: ContourLevel, context: SymbolContext) -> Numbers:
    """Return the gap in steps between a further row and the heads of the row below, around the contour."""
    if number == 0:
        return np.full(len(level.places), _ROW_ABOVE[0] / STEP)
    x, y = level.places.T
    share = np.clip(0.5 + 0.5 * context.noise.at(x, y, context.size(_ROW_WAVE)), 0.0, 1.0)
    return np.asarray((1.0 + 0.5 * number + (_ROW_ABOVE[1] + 2.0 * number) * share) / STEP)


def _shown(number: int, level: ContourLevel, context: SymbolContext) -> NDArray[np.bool_]:
    """Return where a further row is drawn: on gentle ground, with breaks from the second further row on."""
    gentle: NDArray[np.bool_] = level.steepness < GENTLE
    if number == 0:
        return gentle
    x, y = level.places.T
    return gentle & (context.noise.at(x, y, context.size(_BREAKS_WAVE)) > _BREAKS_FROM + _BREAKS_MORE * number)


def _further_row(slope: Slope, context: SymbolContext, name: str, number: int, low: Numbers) -> Iterator[Hachure]:
    """Yield the strokes of a row above the first. Higher rows are broken, sparser and thinner."""
    shown = _shown(number, slope.level, context)
    room = np.where(shown, np.minimum(slope.traces.steps, slope.traces.easy - _FROM_RIDGE / STEP), 0.0)
    high = np.minimum(low + _ROW_LENGTH[min(number, 1)] / STEP * (1 - slope.steepness), room)
    shortest, spread = (np.full(len(low), share) for share in _RAGGED)
    row = _Row(low, np.maximum(low, high), np.maximum(low, room), shortest, spread)
    stream = context.stream(f"{name}/{_ROW_NAMES[number]}")
    spacing = _ROW_SPACING + 0.25 * number
    yield from _stood(slope, row, context, stream, spacing=spacing, width=max(0.3, _ROW_WIDTH - 0.10 * number))


class _Row(NamedTuple):
    """A row of strokes around a contour; lengths in steps.

    Attributes:
        low: feet of the strokes.
        high: heads of the strokes.
        room: greatest step for a head.
        shortest: least share of its length that a stroke reaches.
        spread: range of that share above ``shortest``.
    """

    low: Numbers
    high: Numbers
    room: Numbers
    shortest: Numbers
    spread: Numbers


def _stood(
    slope: Slope, row: _Row, context: SymbolContext, stream: Stream, *, spacing: float = 1.0, width: float = 1.0
) -> Iterator[Hachure]:
    """Yield the strokes of a row, thick at the head and heavier on slopes that face away from the light."""
    gentle, steep = _HATCHED_SPACING if context.style.hatched else _SPACING
    wanted = context.size(spacing) * (gentle + (steep - gentle) * slope.steepness)
    count, spots = _spots(slope, row.low, wanted, stream, context)
    ranks = _ranks(count)
    low, high, steepness = (between(values, spots) for values in (row.low, row.high, slope.steepness))
    room = _room(slope, spots, int(high.max())) / between(wanted, spots)[:, None]
    foot, head = _living(room * ranks[:, None] >= _CLOSEST, low, high, ranks >= 1)
    gives_way = head < high
    reach = between(row.shortest, spots) + between(row.spread, spots) * stream.draw_array(len(spots))
    head = np.minimum(foot + (head - foot) * reach, between(row.room, spots))
    shares = np.take_along_axis(room, np.clip(head.astype(int), 0, room.shape[1] - 1)[:, None], axis=1)[:, 0]
    # Spacing at the stroke's head among the strokes that reach it.
    shares *= np.ldexp(1.0, np.ceil(elementary.log2(_CLOSEST / np.maximum(shares, 1e-6))).astype(int))
    most = _INK_SHARE * shares * between(wanted, spots)
    reached = (head - low) / np.maximum(high - low, 1e-9)
    covered = slope.level.bare[np.floor(spots).astype(int) % len(slope.level.bare)]
    standing = np.flatnonzero((head - foot > _LEAST / STEP) & ~covered)
    for number, points in zip(standing, _lines(slope, spots[standing], head[standing], foot[standing]), strict=True):
        steep = float(steepness[number])
        heavy = _weight(points, steep) * width
        at_head = min(context.width(heavy, minimum_mm=_LEAST_WIDTH), float(most[number]))
        whole = Hachure(points, at_head, min(context.width(heavy * _TAPER), at_head), steep)
        yield from _running_out(whole, float(reached[number])) if gives_way[number] else (whole,)


def _lines(slope: Slope, spots: Numbers, head: Numbers, foot: Numbers) -> list[Line]:
    """Return the points of strokes from head to foot (both in steps along their traces), in one call for speed."""
    if not len(spots):
        return []
    bends = np.maximum(3, ((head - foot) * STEP / _BEND).astype(int) + 2)
    ends = np.cumsum(bends)
    bend = np.arange(ends[-1]) - np.repeat(ends - bends, bends)
    steps = bend * np.repeat((foot - head) / (bends - 1), bends) + np.repeat(head, bends)
    steps[ends - 1] = foot
    return np.split(slope.traces.at(np.repeat(spots, bends), steps), ends[:-1])


def _running_out(stroke: Hachure, reached: float) -> tuple[Hachure, Hachure]:
    """Return a stroke that ends early, in two parts: it thickens like its neighbours, then tapers to a point."""
    turn = max(1, round(len(stroke.points) * 0.4))
    thick = stroke.foot + (stroke.head - stroke.foot) * reached * 0.6
    return (
        Hachure(stroke.points[: turn + 1], _POINT * stroke.foot, thick, stroke.steepness),
        Hachure(stroke.points[turn:], thick, stroke.foot, stroke.steepness),
    )


def _weight(points: Line, steepness: float) -> float:
    """Return the width of a stroke's head in mm at 1:1, from its steepness and the direction of the light."""
    down = points[-1] - points[0]
    lit = float(down[1] - down[0]) * 0.7071 / max(float(np.hypot(*down)), 1e-9)
    gentle, steep = _HEAD_WIDTH
    return (gentle + (steep - gentle) * steepness) * (1 - _AWAY_FROM_LIGHT * lit)


def gentle_stroke(points: Line, heavy: float, context: SymbolContext) -> Hachure:
    """Return a stroke for gentle ground, from head to foot; ``heavy`` multiplies its width."""
    weight = _weight(points, 0.0) * heavy
    head = context.width(weight, minimum_mm=_LEAST_WIDTH)
    return Hachure(points, head, min(context.width(weight * _TAPER), head), 0.0)


def _spots(slope: Slope, low: Numbers, wanted: Numbers, stream: Stream, context: SymbolContext) -> tuple[int, Numbers]:
    """Return the number of strokes around the contour, and ``_PARTS`` fractional places for each.

    The first place of each is for the stroke, the others are for extra strokes in hollows.
    """
    feet = slope.traces.at(np.arange(len(low)).astype(float), low)
    moved = np.roll(feet, -1, axis=0) - feet
    speed = around(np.hypot(moved[:, 0], moved[:, 1]), context.size(4.0), slope.level.contour.exterior.length)
    passed = np.concatenate([[0.0], np.cumsum(speed / wanted)])
    count = _RANKS * max(1, round(float(passed[-1]) / _RANKS))
    passed *= count / passed[-1]
    strays = _WAVER * (2 * stream.draw_array(count * _PARTS) - 1)
    at = np.arange(count * _PARTS) / _PARTS + strays
    return count, np.asarray(np.interp(at % count, passed, np.arange(len(passed)).astype(float)))


def _ranks(count: int) -> Numbers:
    """Return the rank of every place. Strokes of higher rank continue longer where strokes converge.

    Ranks 1, 2, 4 and 8 are strokes of the row. Ranks 1/2 and 1/4 are extra strokes where the row diverges.
    """
    number = np.arange(count * _PARTS)
    return np.gcd(number, _RANKS * _PARTS) / _PARTS


def _room(slope: Slope, spots: Numbers, steps: int) -> Numbers:
    """Return the distance in mm to the next stroke of the row for every place and step, smoothed along the row."""
    lines = slope.traces.whole(spots, steps)
    ends = np.roll(lines, -_PARTS // 2, axis=0) - np.roll(lines, _PARTS // 2, axis=0)
    wide = np.hypot(ends[..., 0], ends[..., 1])
    round_about = np.concatenate([wide[-_EVEN_ROOM:], wide, wide[:_EVEN_ROOM]])
    even = np.zeros_like(wide)
    for first in range(2 * _EVEN_ROOM, -1, -1):
        even += round_about[first : first + len(wide)]
    return even / (2 * _EVEN_ROOM + 1)


def _living(
    alive: NDArray[np.bool_], low: Numbers, high: Numbers, rooted: NDArray[np.bool_]
) -> tuple[Numbers, Numbers]:
    """Return the first and last step of each stroke: row strokes from the foot up, extra strokes from the head down."""
    steps = np.arange(alive.shape[1])[None, :]
    inside = (steps >= low[:, None]) & (steps <= high[:, None])
    dead = inside & ~alive
    first = np.where(dead.any(axis=1), dead.argmax(axis=1), high)
    last = np.where(dead.any(axis=1), alive.shape[1] - 1 - dead[:, ::-1].argmax(axis=1), low)
    # A stroke that ends early ends well below the other heads, or the heads would merge into a blot.
    latest = low + _GIVES_WAY * (high - low)
    early = np.where(dead.any(axis=1), np.minimum(first, latest), high)
    late = np.where(dead.any(axis=1), np.maximum(last, high - latest + low), low)
    return np.where(rooted, low, late), np.where(rooted, early, high)
