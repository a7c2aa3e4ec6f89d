"""Form lines: dashed lines high on a large hill that show its shape between contours.

They waver and break off, and are thinner and paler than contours, so that nobody takes them for the edge of a level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, lines, normals, outline, polygons, resampled
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.lines.course_lines import on
from printkit.drawing.signs.relief.hachures import GENTLE, Hachure
from printkit.drawing.signs.relief.landforms import around
from printkit.drawing.signs.relief.relief_field import ContourLevel, Relief
from printkit.drawing.signs.relief.spine_strokes import spine_line

# Radius of the largest circle inside a level, in mm at 1:1, from which it has one form line.
_FROM: Final = 62.0
_TWO_FROM: Final = 110.0  # The same radius from which it has two form lines

_ONE: Final = (0.46,)  # Inset of a single form line, in radii
_TWO: Final = (0.34, 0.62)  # Insets of two form lines, in radii

_ROUNDED: Final = 0.10
_MOVED: Final = 0.10
_MOVED_WAVE: Final = 0.9
_SHOWN_WAVE: Final = 1.1
_SHOWN_FROM: Final = -0.35
# Shift of the noise that breaks a line, in radii. Unshifted noise would break lines always at the same bends.
_ELSEWHERE: Final = 41.0

# Least share of a line that is left out, because a closed line would look like a contour.
_LEAST_GAP: Final = 0.12

_STEP: Final = 3.0
_EVEN: Final = 0.6
_OFF_STROKES: Final = 1.2
_LEAST: Final = 16.0
_WITHIN: Final = 0.05

_INK: Final = 0.55
_LINE: Final = ("contour", 0.28, (6.5, 1.6))  # Ink, width and dash in mm at 1:1
# The line in styles without washes, where a black line would look like a stroke.
_LINE_ALONE: Final = ("tuft", 0.24, (5.0, 2.6))


def form_lines(relief: Relief, hachures: Sequence[Hachure], context: SymbolContext) -> LayeredItems:
    """Draw the form lines of a hill, or the crest line of a ridge, clear of its strokes."""
    if relief.spine is not None:
        found = spine_line(relief.spine)
    else:
        found = [line for level in relief.levels for line in lines_within(level, relief, context)]
    if found:
        found = _clear_of(found, hachures, context)
    if found:
        token, width, dash = _LINE if context.style.washes else _LINE_ALONE
        ink = context.tint(token, _INK)
        yield from on(LayerName.CONTOUR, outline(found, context.stroke(ink, width, dash=dash) if ink else None))


def lines_within(level: ContourLevel, relief: Relief, context: SymbolContext) -> Iterator[Line]:
    """Yield the pieces of the form lines of a level; none if the level is small or has a contour above it."""
    deep = level.deepest
    if deep < context.size(_FROM) or relief.above(level):
        return
    for inset in _ONE if deep < context.size(_TWO_FROM) else _TWO:
        room = level.contour.buffer(-(inset + _ROUNDED) * deep).buffer(_ROUNDED * deep)
        for part in polygons(room):
            ring = _moved(part, deep, context)
            yield from _broken(ring, relief.grid.at(level.slope, ring) < GENTLE, deep, context)


def _clear_of(found: Sequence[Line], hachures: Sequence[Hachure], context: SymbolContext) -> list[Line]:
    """Return lines without the parts near strokes. Short remaining pieces are dropped."""
    whole = np.array([shapely.linestrings(line) for line in found], dtype=object)
    if hachures:
        off = context.size(_OFF_STROKES)
        strokes = shapely.linestrings(np.array([stroke.points[[0, -1]] for stroke in hachures]))
        _, near = shapely.STRtree(strokes).query(whole, predicate="dwithin", distance=off)
        # ``np.unique`` would import the masked arrays.
        met = strokes[np.flatnonzero(np.bincount(near))]
        whole = shapely.difference(whole, shapely.union_all(shapely.buffer(met, off, quad_segs=2)))
    return [shapely.get_coordinates(line) for line in lines(whole) if line.length > context.size(_LEAST)]


def _moved(part: shapely.Polygon, deep: float, context: SymbolContext) -> Line:
    """Return the points around a part of the ground, moved in or out by noise and smoothed."""
    line = shapely.normalize(part).exterior
    ring = resampled(line, context.size(_STEP))
    move = context.noise.at(ring[:, 0], ring[:, 1], _MOVED_WAVE * deep)
    moved = (ring + normals(ring) * (_MOVED * deep * move)[:, None])[:-1]
    return np.column_stack([around(axis, _EVEN * deep, line.length) for axis in moved.T])


def _broken(ring: Line, gentle: NDArray[np.bool_], deep: float, context: SymbolContext) -> Iterator[Line]:
    """Yield the parts of a ring that are drawn. Steep faces have a crest instead of a form line."""
    shown = context.noise.at(ring[:, 0] + _ELSEWHERE * deep, ring[:, 1], _SHOWN_WAVE * deep)
    seen = shown > max(_SHOWN_FROM, float(np.sort(shown)[int(_LEAST_GAP * len(shown))]))
    seen &= gentle
    first = int(seen.argmin())
    ring, seen = np.roll(ring, -first, axis=0), np.roll(seen, -first)
    for stretch in np.split(np.arange(len(ring)), np.flatnonzero(np.diff(seen.astype(int))) + 1):
        if seen[stretch[0]] and len(stretch) > 1:
            yield shapely.get_coordinates(shapely.linestrings(ring[stretch]).simplify(context.size(_WITHIN)))
