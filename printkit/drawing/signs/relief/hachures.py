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
from printkit.core import exact_math
from printkit.drawing.canvas.shapes import Line
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import Numbers, smooth_ring
from printkit.drawing.signs.relief.large_hills import (
    compute_face_factors,
    compute_largeness,
    compute_row_shares,
    even_out_spurs,
    has_crest_line,
)
from printkit.drawing.signs.relief.relief_field import USUAL_RADIUS, ContourLevel, Relief, smooth_step
from printkit.drawing.signs.relief.traces import STEP, Traces, trace_uphill

# --- Slopes prepared for hachures -------------------------------------------------------------------------------------

_BEYOND: Final = 3.0  # Extra steps of a trace beyond its strokes

_NEAR: Final = 14.0  # Reach in mm at 1:1 within which the strokes of neighbouring places lengthen a trace

_LENGTH: Final = (9.5, 23.0)
_LENGTH_WAVER: Final = 0.16
_LENGTH_WAVE: Final = 26.0
_SHARE_OF_HILL: Final = 0.78
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


class Slope(Struct, frozen=True, eq=False):
    """A contour with its traces, ready for strokes.

    Attributes:
        level: the contour level.
        traces: its traces.
        length: height of the first row's heads above the contour at each place, in steps of 0.7 mm at 1:1.
        crest: the smoothed line through the upper ends of the first row, n x 2 in printed mm.
        rows: number of further rows on gentle ground.
        largeness: 0 on a small hill to 1 on a large one.
        row_shares: share of their usual length that strokes on gentle ground have at each place, 0 to 1.
    """

    level: ContourLevel
    traces: Traces
    length: Numbers
    crest: Line
    rows: int
    largeness: float
    row_shares: Numbers

    @property
    def steepness(self) -> Numbers:
        """Return the steepness at each place of the contour, from 0 (gentle) to 1 (steep)."""
        return self.level.steepness


def prepare_slope(relief: Relief, level: ContourLevel, context: SymbolContext) -> Slope:
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
    rows = count_further_rows(radius) if relief.landform.second_row or radius > _LOW_FORM else 0
    steepness = level.steepness
    first_length = gentle + (steep - gentle) * steepness
    x, y = level.places.T
    contour_mm = level.contour.exterior.length
    largeness = compute_largeness(max(level.deepest for level in relief.levels), context)
    row_shares = np.ones(len(x))
    if largeness > 0:
        change = largeness * (compute_face_factors(level, context) - 1)
        row_shares = steepness + (1 - steepness) * compute_row_shares(level, largeness, context)
        first_length = first_length * (1 + change * steepness) * np.maximum(row_shares, 1.0)
        row_shares = np.minimum(row_shares, 1.0)
    first_length = first_length * (
        1 + _LENGTH_WAVER * context.noise.at(x, y, context.size(_LENGTH_WAVE)) * (1 - steepness)
    )
    traces = trace_uphill(relief, level, context, _reached(level, first_length, rows, context) / STEP + _BEYOND)
    length = np.minimum(first_length / STEP, _SHARE_OF_HILL * level.deepest / context.size(STEP))
    length = np.minimum(length, np.minimum(_SHARE_OF_TRACE * traces.ridge_free_steps, traces.steps))
    if largeness > 0 and steepness.max() > 0:
        even_lengths = even_out_spurs(length * context.size(STEP), level, context) / context.size(STEP)
        length = np.where(steepness > 0, even_lengths, length)
    length = np.minimum(smooth_ring(length, context.size(_EVEN_LENGTH), contour_mm), traces.steps)
    heads = traces.at(np.arange(len(length)).astype(float), length)
    crest = np.column_stack([smooth_ring(axis, context.size(_EVEN_CREST), contour_mm) for axis in heads.T])
    return Slope(level, traces, length, crest, rows, largeness, row_shares)


def count_further_rows(radius: float) -> int:
    """Return the number of rows after the first on gentle ground, at least 1.

    ``radius`` is that of the largest circle in the contour, in mm at 1:1.
    """
    rows_per_radius, min_share, max_share = _ROWS
    return max(1, round(rows_per_radius * min(max_share, max(min_share, radius / USUAL_RADIUS)) - 0.5))


def _reached(level: ContourLevel, first_length: Numbers, rows: int, context: SymbolContext) -> Numbers:
    """Return how far up, in mm at 1:1, the longest stroke near each place ends, as a limit for tracing.

    Args:
        level: the contour level.
        first_length: length of the first row at each place, in mm at 1:1.
        rows: number of further rows.
        context: gives sizes and noise.
    """
    reach_mm = np.where(level.bare, np.maximum(first_length, APRON), first_length)
    low = first_length / STEP
    for number in range(rows):
        low = low + _compute_row_gap(number, level, context)
        length = _ROW_LENGTH[min(number, 1)]
        reach_mm = np.where(_is_row_shown(number, level, context), np.maximum(reach_mm, low * STEP + length), reach_mm)
        low = low + length / STEP
    neighbour_count = max(1, round(context.size(_NEAR) / level.contour.exterior.length * len(first_length)))
    # Sliding maximum over this many places on both sides, by doubling windows.
    width = 1
    while width <= 2 * neighbour_count:
        shift = min(width, 2 * neighbour_count + 1 - width)
        reach_mm = np.maximum(reach_mm, np.roll(reach_mm, shift))
        width += shift
    return np.roll(reach_mm, -neighbour_count)


def compute_crest_widths(slope: Slope, context: SymbolContext) -> Numbers:
    """Return the relative width of the crest line at each place of the contour, 0 to 1.

    It is above 0 where the slope is steep and not covered, and fades out over 12 mm at 1:1. On large hills it has gaps.
    """
    is_steep = ((slope.steepness > _CREST_FROM) & ~slope.level.bare).astype(float)
    if is_steep.max() > 0.0:
        is_steep *= has_crest_line(slope.level, slope.largeness, context)
    if is_steep.max() == 0.0:
        return is_steep
    if is_steep.min() == 1.0:
        return is_steep
    contour_mm = slope.level.contour.exterior.length
    step = contour_mm / len(is_steep)
    reach = max(1, round(context.size(_CREST_FADE) / step))
    gentle = np.flatnonzero(is_steep == 0.0)
    indices = np.arange(len(is_steep))
    # Repeat the indices before the first place and after the last to close the ring.
    repeated_indices = np.concatenate([gentle - len(is_steep), gentle, gentle + len(is_steep)])
    insertion_index = np.searchsorted(repeated_indices, indices)
    nearest = np.minimum(repeated_indices[insertion_index] - indices, indices - repeated_indices[insertion_index - 1])
    return smooth_step(nearest / reach)


def interpolate_ring(values: Numbers, places: Numbers) -> Numbers:
    """Return values around a contour at fractional places: indices from 0 that wrap around.

    ``values`` has one value for each place of the contour. The result has one for each of ``places``.
    """
    count = len(values)
    row, fraction = np.floor(places).astype(int) % count, places % 1.0
    return np.asarray(values[row] * (1 - fraction) + values[(row + 1) % count] * fraction)


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
_ROW_SHOWN: Final = 0.4  # Least share of the first row's usual length below further rows

_HEAD_WIDTH: Final = (0.40, 0.98)
_TAPER: Final = 0.24
_LEAST_WIDTH: Final = 0.20
_AWAY_FROM_LIGHT: Final = 0.40
_INK_SHARE: Final = 0.62  # Greatest width of a stroke's head, as a share of the spacing

_GIVES_WAY: Final = 0.70
_POINT: Final = 0.6
_BEND: Final = 3.5  # Distance in mm at 1:1 between the points of a finished stroke


class Hachure(NamedTuple):
    """One hachure: points from head to foot, its width at each end, and the steepness of the ground.

    Points and widths are in printed mm, and steepness is from 0 (gentle) to 1 (steep).
    """

    points: Line
    head: float
    foot: float
    steepness: float


def make_hachures(slope: Slope, context: SymbolContext, name: str) -> Iterator[Hachure]:
    """Yield the strokes of a contour in printed mm: the first row with strokes in its gaps, then further rows.

    Further rows are on gentle ground. ``name`` is the prefix of the random streams.
    """
    yield from _make_first_row(slope, context, name)
    low = slope.length
    for number in range(slope.rows):
        low = low + _compute_row_gap(number, slope.level, context)
        yield from _make_further_row(slope, context, name, number, low)
        low = low + _ROW_LENGTH[min(number, 1)] / STEP


def _make_first_row(slope: Slope, context: SymbolContext, name: str) -> Iterator[Hachure]:
    """Yield the strokes of the row just above the contour, in printed mm.

    ``name`` is the prefix of the random stream. Strokes that fill gaps of the row are among them.
    """
    low = np.full(len(slope.length), _ABOVE_CONTOUR / STEP)
    shortest, spread = (np.where(slope.steepness < 0.5, *pair) for pair in zip(_RAGGED, _SHARP, strict=True))
    high = np.maximum(slope.length, low)
    high = np.where(slope.row_shares < 1, low + (high - low) * slope.row_shares, high)
    row = _StrokeRow(low, high, np.maximum(slope.traces.steps, low), shortest, spread)
    yield from _make_row_strokes(slope, row, context, context.stream(f"{name}/first"))


def _compute_row_gap(number: int, level: ContourLevel, context: SymbolContext) -> Numbers:
    """Return the gap between a further row and the heads of the row below, at each place of the contour.

    The gap is in steps of 0.7 mm at 1:1. ``number`` counts further rows from 0.
    """
    if number == 0:
        return np.full(len(level.places), _ROW_ABOVE[0] / STEP)
    x, y = level.places.T
    share = np.clip(0.5 + 0.5 * context.noise.at(x, y, context.size(_ROW_WAVE)), 0.0, 1.0)
    return np.asarray((1.0 + 0.5 * number + (_ROW_ABOVE[1] + 2.0 * number) * share) / STEP)


def _is_row_shown(number: int, level: ContourLevel, context: SymbolContext) -> NDArray[np.bool_]:
    """Return for each place of the contour whether a further row is drawn there.

    It is drawn on gentle ground, with breaks from the second further row on. ``number`` counts further rows from 0.
    """
    gentle: NDArray[np.bool_] = level.steepness < GENTLE
    if number == 0:
        return gentle
    x, y = level.places.T
    return gentle & (context.noise.at(x, y, context.size(_BREAKS_WAVE)) > _BREAKS_FROM + _BREAKS_MORE * number)


def _make_further_row(slope: Slope, context: SymbolContext, name: str, number: int, low: Numbers) -> Iterator[Hachure]:
    """Yield the strokes of a row above the first, in printed mm.

    Higher rows are broken, sparser and thinner.

    Args:
        name: prefix of the random stream.
        number: counts further rows from 0.
        low: foot of the row at each place, in steps of 0.7 mm at 1:1 up the slope from the contour.
    """
    is_shown = _is_row_shown(number, slope.level, context) & (slope.row_shares > _ROW_SHOWN)
    max_steps = np.where(
        is_shown, np.minimum(slope.traces.steps, slope.traces.ridge_free_steps - _FROM_RIDGE / STEP), 0.0
    )
    high = np.minimum(low + _ROW_LENGTH[min(number, 1)] / STEP * (1 - slope.steepness), max_steps)
    shortest, spread = (np.full(len(low), share) for share in _RAGGED)
    row = _StrokeRow(low, np.maximum(low, high), np.maximum(low, max_steps), shortest, spread)
    stream = context.stream(f"{name}/{_ROW_NAMES[number]}")
    spacing = _ROW_SPACING + 0.25 * number
    yield from _make_row_strokes(
        slope, row, context, stream, spacing=spacing, width=max(0.3, _ROW_WIDTH - 0.10 * number)
    )


class _StrokeRow(NamedTuple):
    """A row of strokes around a contour; lengths in steps of 0.7 mm at 1:1.

    Attributes:
        low: feet of the strokes.
        high: heads of the strokes.
        max_step: greatest step for a head.
        shortest: least share of its length that a stroke reaches.
        spread: range of that share above ``shortest``.
    """

    low: Numbers
    high: Numbers
    max_step: Numbers
    shortest: Numbers
    spread: Numbers


def _make_row_strokes(
    slope: Slope, row: _StrokeRow, context: SymbolContext, stream: Stream, *, spacing: float = 1.0, width: float = 1.0
) -> Iterator[Hachure]:
    """Yield the strokes of a row, thick at the head and heavier on slopes that face away from the light.

    ``spacing`` and ``width`` are factors of the usual distance between strokes and of their width. Points and widths of
    the strokes are in printed mm. Strokes on covered places or too short ones are left out.
    """
    gentle, steep = _HATCHED_SPACING if context.style.hatched else _SPACING
    target_mm = context.size(spacing) * (gentle + (steep - gentle) * slope.steepness)
    count, places = _place_strokes(slope, row.low, target_mm, stream, context)
    # Ranks 1, 2, 4 and 8 are strokes of the row; strokes of higher rank continue longer where strokes converge.
    # Ranks 1/2 and 1/4 are extra strokes where the row diverges.
    ranks = np.gcd(np.arange(count * _PARTS), _RANKS * _PARTS) / _PARTS
    low, high, steepness = (interpolate_ring(values, places) for values in (row.low, row.high, slope.steepness))
    spacing_shares = _measure_spacing(slope, places, int(high.max())) / interpolate_ring(target_mm, places)[:, None]
    foot, head = _find_stroke_spans(spacing_shares * ranks[:, None] >= _CLOSEST, low, high, ranks >= 1)
    gives_way = head < high
    length_factors = interpolate_ring(row.shortest, places) + interpolate_ring(row.spread, places) * stream.draw_array(
        len(places)
    )
    head = np.minimum(foot + (head - foot) * length_factors, interpolate_ring(row.max_step, places))
    shares = np.take_along_axis(
        spacing_shares, np.clip(head.astype(int), 0, spacing_shares.shape[1] - 1)[:, None], axis=1
    )[:, 0]
    # Spacing at the stroke's head among the strokes that reach it.
    shares *= np.ldexp(1.0, np.ceil(exact_math.log2(_CLOSEST / np.maximum(shares, 1e-6))).astype(int))
    max_widths = _INK_SHARE * shares * interpolate_ring(target_mm, places)
    length_shares = (head - low) / np.maximum(high - low, 1e-9)
    is_covered = slope.level.bare[np.floor(places).astype(int) % len(slope.level.bare)]
    drawn_indices = np.flatnonzero((head - foot > _LEAST / STEP) & ~is_covered)
    for number, points in zip(
        drawn_indices,
        _make_stroke_lines(slope, places[drawn_indices], head[drawn_indices], foot[drawn_indices]),
        strict=True,
    ):
        steep = float(steepness[number])
        head_width = _compute_head_width(points, steep) * width
        at_head = min(context.width(head_width, minimum_mm=_LEAST_WIDTH), float(max_widths[number]))
        full_stroke = Hachure(points, at_head, min(context.width(head_width * _TAPER), at_head), steep)
        yield from (
            _split_tapering_stroke(full_stroke, float(length_shares[number])) if gives_way[number] else (full_stroke,)
        )


def _make_stroke_lines(slope: Slope, places: Numbers, head: Numbers, foot: Numbers) -> list[Line]:
    """Return the points of each stroke from head to foot, n x 2 in printed mm, in one call for speed.

    Args:
        slope: the slope with its traces, which run up the slope from the contour.
        places: the fractional place on the contour where the trace of each stroke begins; indices from 0.
        head: the upper end of each stroke, in steps (0.7 mm at 1:1) up its trace from the contour.
        foot: the lower end in the same steps; less than ``head``.
    """
    if not len(places):
        return []
    point_counts = np.maximum(3, ((head - foot) * STEP / _BEND).astype(int) + 2)
    ends = np.cumsum(point_counts)
    point_numbers = np.arange(ends[-1]) - np.repeat(ends - point_counts, point_counts)
    steps = point_numbers * np.repeat((foot - head) / (point_counts - 1), point_counts) + np.repeat(head, point_counts)
    steps[ends - 1] = foot
    return np.split(slope.traces.at(np.repeat(places, point_counts), steps), ends[:-1])


def _split_tapering_stroke(stroke: Hachure, length_share: float) -> tuple[Hachure, Hachure]:
    """Return a stroke that ends early in two parts: the one at the head, then the one at the foot.

    From the foot the stroke thickens like its neighbours, then it tapers to a point at the head. ``length_share`` is
    its length as a share of a complete stroke, 0 to 1.
    """
    turn = max(1, round(len(stroke.points) * 0.4))
    thick = stroke.foot + (stroke.head - stroke.foot) * length_share * 0.6
    return (
        Hachure(stroke.points[: turn + 1], _POINT * stroke.foot, thick, stroke.steepness),
        Hachure(stroke.points[turn:], thick, stroke.foot, stroke.steepness),
    )


def _compute_head_width(points: Line, steepness: float) -> float:
    """Return the width of a stroke's head in mm at 1:1, from its steepness and the direction of the light.

    ``points`` run from head to foot, and ``steepness`` is from 0 (gentle) to 1 (steep).
    """
    fall = points[-1] - points[0]
    lit = float(fall[1] - fall[0]) * 0.7071 / max(float(np.hypot(*fall)), 1e-9)
    gentle, steep = _HEAD_WIDTH
    return (gentle + (steep - gentle) * steepness) * (1 - _AWAY_FROM_LIGHT * lit)


def make_gentle_stroke(points: Line, heavy: float, context: SymbolContext) -> Hachure:
    """Return a stroke for gentle ground, from head to foot; ``heavy`` multiplies its width.

    ``points`` is an n x 2 array in printed mm.
    """
    weight = _compute_head_width(points, 0.0) * heavy
    head = context.width(weight, minimum_mm=_LEAST_WIDTH)
    return Hachure(points, head, min(context.width(weight * _TAPER), head), 0.0)


def _place_strokes(
    slope: Slope, low: Numbers, target_mm: Numbers, stream: Stream, context: SymbolContext
) -> tuple[int, Numbers]:
    """Return the number of strokes around the contour, and ``_PARTS`` fractional places for each.

    The first place of each is for the stroke, the others are for extra strokes in hollows.

    Args:
        slope: the contour with its traces.
        low: feet of the row at each place of the contour, in steps of 0.7 mm at 1:1.
        target_mm: distance between strokes at each place, in printed mm.
        stream: random stream for the positions.
        context: gives the sizes.
    """
    feet = slope.traces.at(np.arange(len(low)).astype(float), low)
    differences = np.roll(feet, -1, axis=0) - feet
    speed = smooth_ring(
        np.hypot(differences[:, 0], differences[:, 1]), context.size(4.0), slope.level.contour.exterior.length
    )
    stroke_numbers = np.concatenate([[0.0], np.cumsum(speed / target_mm)])
    count = _RANKS * max(1, round(float(stroke_numbers[-1]) / _RANKS))
    stroke_numbers *= count / stroke_numbers[-1]
    jitter = _WAVER * (2 * stream.draw_array(count * _PARTS) - 1)
    positions = np.arange(count * _PARTS) / _PARTS + jitter
    return count, np.asarray(np.interp(positions % count, stroke_numbers, np.arange(len(stroke_numbers)).astype(float)))


def _measure_spacing(slope: Slope, places: Numbers, steps: int) -> Numbers:
    """Return the distance in printed mm to the next stroke of the row for every place and step.

    A step is 0.7 mm at 1:1 up the slope. Rows of the result are places and columns are steps. Distances are smoothed
    along the row.
    """
    lines = slope.traces.lines_from(places, steps)
    ends = np.roll(lines, -_PARTS // 2, axis=0) - np.roll(lines, _PARTS // 2, axis=0)
    widths = np.hypot(ends[..., 0], ends[..., 1])
    padded = np.concatenate([widths[-_EVEN_ROOM:], widths, widths[:_EVEN_ROOM]])
    sums = np.zeros_like(widths)
    for first in range(2 * _EVEN_ROOM, -1, -1):
        sums += padded[first : first + len(widths)]
    return sums / (2 * _EVEN_ROOM + 1)


def _find_stroke_spans(
    is_alive: NDArray[np.bool_], low: Numbers, high: Numbers, is_rooted: NDArray[np.bool_]
) -> tuple[Numbers, Numbers]:
    """Return the first and last step (0.7 mm at 1:1 each) of each stroke, as two arrays.

    A stroke of the row is drawn from the foot up, an extra stroke from the head down.

    Args:
        is_alive: for each stroke and step, whether there is room for the stroke.
        low: foot of each stroke in steps.
        high: head of each stroke in steps.
        is_rooted: whether each stroke is one of the row.
    """
    steps = np.arange(is_alive.shape[1])[None, :]
    inside = (steps >= low[:, None]) & (steps <= high[:, None])
    is_dead = inside & ~is_alive
    first = np.where(is_dead.any(axis=1), is_dead.argmax(axis=1), high)
    last = np.where(is_dead.any(axis=1), is_alive.shape[1] - 1 - is_dead[:, ::-1].argmax(axis=1), low)
    # A stroke that ends early ends well below the other heads, or the heads would merge into a blot.
    latest = low + _GIVES_WAY * (high - low)
    early = np.where(is_dead.any(axis=1), np.minimum(first, latest), high)
    late = np.where(is_dead.any(axis=1), np.maximum(last, high - latest + low), low)
    return np.where(is_rooted, low, late), np.where(is_rooted, early, high)
