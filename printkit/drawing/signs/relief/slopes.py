"""Slopes ready for hachures: lines traced straight up from a contour, how far strokes reach on them, and the crest.

Source: the cartography, 9.3, and 20.3 and 20.4 for how faces end and how narrow hills are treated.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from printkit.drawing.canvas.shapes import Line
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.relief.contour_places import around
from printkit.drawing.signs.relief.relief_field import Level, Numbers, Relief, smooth_step

_HAIR: Final = 1e-6
"""How far before the end of a trace, in steps, its last place lies."""

STEP: Final = 0.7
"""Millimetres at 1:1 from one point of a trace to the next."""

_BELOW_NEXT: Final = 1.6
_LENGTH: Final = (9.5, 23.0)
_LENGTH_WAVER: Final = 0.16
_LENGTH_WAVE: Final = 26.0
_SHARE_OF_HILL: Final = 0.78
_RIDGE: Final = 0.30
_NEAR_RIDGE: Final = 0.62
"""Where the smoothed gradient falls under these a trace has come to a ridge, and within some 4 mm of it."""

_JOINED: Final = 0.15
"""Share of their distance at the foot at which neighbouring traces count as one."""

_SHARE_OF_TRACE: Final = 0.82
_EVEN_LENGTH: Final = 24.0
_EVEN_CREST: Final = 9.0
_CREST_FROM: Final = 0.6
_CREST_FADE: Final = 12.0

REACH: Final = 9.0
"""Millimetres at 1:1 that traces of gentle ground go on above the first row of strokes, for a second one."""

APRON: Final = 23.0
"""How far in mm at 1:1 scree reaches up from the contour."""

GENTLE: Final = 0.45
"""The steepness under which there is a second row."""


class Traces(Struct, frozen=True, eq=False):
    """Lines up the slope from every place of a contour, points of each a step apart, n x k x 2.

    ``steps`` is how far each may be followed: to a ridge, to the next contour, or to its end. ``easy`` is how far it
    runs before it comes near a ridge, endless where there is none.
    """

    points: NDArray[np.float64]
    steps: Numbers
    easy: Numbers

    def at(self, place: Numbers, step: Numbers) -> Line:
        """Return points between places and between steps; both may be broken numbers, places go round."""
        count, last = self.points.shape[0], self.points.shape[1] - 1
        held = np.clip(step, 0, last - _HAIR)
        column, over = held.astype(int), (held % 1.0)[..., None]
        row, beyond = np.floor(place).astype(int) % count, (place % 1.0)[..., None]
        ahead = (row + 1) % count
        low = self.points[row, column] * (1 - beyond) + self.points[ahead, column] * beyond
        high = self.points[row, column + 1] * (1 - beyond) + self.points[ahead, column + 1] * beyond
        found: Line = low * (1 - over) + high * over
        return found

    def whole(self, place: Numbers) -> NDArray[np.float64]:
        """Return the points of the lines up from broken places, n x k x 2: what ``at`` finds at every step."""
        row, beyond = np.floor(place).astype(int) % len(self.points), (place % 1.0)[:, None, None]
        ahead = (row + 1) % len(self.points)
        found = np.asarray(self.points[row] * (1 - beyond) + self.points[ahead] * beyond)
        over = (found.shape[1] - 1 - _HAIR) % 1.0
        found[:, -1] = found[:, -2] * (1 - over) + found[:, -1] * over
        return found


class Slope(Struct, frozen=True, eq=False):
    """A contour made ready for strokes: traces, and around it the length of the first row in steps and its crest.

    ``second_row`` is whether a second row of strokes follows where the ground is gentle.
    """

    level: Level
    traces: Traces
    length: Numbers
    crest: Line
    second_row: bool

    @property
    def steepness(self) -> Numbers:
        """Return the steepness around the contour."""
        return self.level.steepness


def prepared(relief: Relief, level: Level, pen: Pen) -> Slope:
    """Return a contour of a hill with its traces; strokes keep below the next contours.

    Args:
        pen: with the size of this hill's strokes.
    """
    gentle, steep = (relief.landform.stroke * length for length in _LENGTH)
    steepness = level.steepness
    first = gentle + (steep - gentle) * steepness
    x, y = level.places.T
    whole = level.contour.exterior.length
    first = first * (1 + _LENGTH_WAVER * pen.noise.at(x, y, pen.size(_LENGTH_WAVE)) * (1 - steepness))
    farthest = float(np.max(first + (steepness < GENTLE) * REACH * relief.landform.second_row))
    farthest = max(farthest, APRON) if level.bare.any() else farthest
    traces = _traced(relief, level, pen, steps=int(farthest / STEP) + 3)
    length = np.minimum(first / STEP, _SHARE_OF_HILL * level.deepest / pen.size(STEP))
    length = np.minimum(length, np.minimum(_SHARE_OF_TRACE * traces.easy, traces.steps))
    length = np.minimum(around(length, pen.size(_EVEN_LENGTH), whole), traces.steps)
    heads = traces.at(np.arange(len(length)).astype(float), length)
    crest = np.column_stack([around(axis, pen.size(_EVEN_CREST), whole) for axis in heads.T])
    return Slope(level, traces, length, crest, relief.landform.second_row)


def _traced(relief: Relief, level: Level, pen: Pen, *, steps: int) -> Traces:
    step, grid = pen.size(STEP), relief.grid
    ceiling = [other.inside for other in relief.above(level)]
    into = np.maximum.reduce(ceiling) if ceiling else None
    at = level.places
    points = np.empty((len(at), steps + 1, 2))
    points[:, 0] = at
    lengths, easy = np.zeros(len(at)), np.full(len(at), np.inf)
    going = np.ones(len(at), dtype=bool)
    for number in range(1, steps + 1):
        ascent = grid.at(level.uphill, at)
        rate = np.hypot(ascent[:, 0], ascent[:, 1])
        easy = np.where(going & (rate < _NEAR_RIDGE), np.minimum(easy, number - 1), easy)
        going = going & (rate > _RIDGE)
        onward = at + ascent / np.maximum(rate, 1e-9)[:, None] * step
        if into is not None:
            going &= grid.at(into, onward) < -pen.size(_BELOW_NEXT)
        at = np.where(going[:, None], onward, at)
        points[:, number] = at
        lengths += going
    together = _drawn_together(points, level, pen)
    return Traces(points, lengths, np.where(together < lengths, np.minimum(easy, together), easy))


def _drawn_together(points: NDArray[np.float64], level: Level, pen: Pen) -> Numbers:
    """Return the step at which neighbouring traces have come so near that they run on as one, along a ridge."""
    apart = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    wide = np.hypot(apart[..., 0], apart[..., 1])
    whole = level.contour.exterior.length
    even = np.column_stack([around(column, pen.size(4.0), whole) for column in wide.T])
    joined = even < _JOINED * even[:, :1]
    return np.asarray(np.where(joined.any(axis=1), joined.argmax(axis=1), points.shape[1]), dtype=float)


def crest_widths(slope: Slope, pen: Pen) -> Numbers:
    """Return how heavy the line along the heads is around the contour, 0 to 1: it fades out over 12 mm."""
    steep = ((slope.steepness > _CREST_FROM) & ~slope.level.bare).astype(float)
    if steep.max() == 0.0:
        return steep
    if steep.min() == 1.0:
        return steep
    whole = slope.level.contour.exterior.length
    step = whole / len(steep)
    reach = max(1, round(pen.size(_CREST_FADE) / step))
    gentle = np.flatnonzero(steep == 0.0)
    places = np.arange(len(steep))
    apart = np.abs(places[:, None] - gentle[None, :])
    nearest = np.minimum(apart, len(steep) - apart).min(axis=1)
    return smooth_step(nearest / reach)


def between(values: Numbers, spots: Numbers) -> Numbers:
    """Return values around a contour at broken places."""
    count = len(values)
    row, beyond = np.floor(spots).astype(int) % count, spots % 1.0
    return np.asarray(values[row] * (1 - beyond) + values[(row + 1) % count] * beyond)
