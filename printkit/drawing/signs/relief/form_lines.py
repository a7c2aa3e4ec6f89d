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
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.drawing.signs.relief.hachures import GENTLE, Hachure
from printkit.drawing.signs.relief.landforms import smooth_ring
from printkit.drawing.signs.relief.relief_field import ContourLevel, Relief
from printkit.drawing.signs.relief.spine_strokes import find_crest_lines

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


def draw_form_lines(relief: Relief, hachures: Sequence[Hachure], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the form lines of a hill, or the crest line of a ridge, clear of its strokes.

    ``hachures`` are these strokes. Shapes and items are in printed mm.
    """
    if relief.spine is not None:
        line_pieces = find_crest_lines(relief.spine)
    else:
        line_pieces = [line for level in relief.levels for line in find_form_lines(level, relief, context)]
    if line_pieces:
        line_pieces = _remove_near_strokes(line_pieces, hachures, context)
    if line_pieces:
        token, width, dash = _LINE if context.style.washes else _LINE_ALONE
        ink = context.tint(token, _INK)
        yield from on_layer(
            LayerName.CONTOUR, outline(line_pieces, context.stroke(ink, width, dash=dash) if ink else None)
        )


def find_form_lines(level: ContourLevel, relief: Relief, context: SymbolContext) -> Iterator[Line]:
    """Yield the pieces of the form lines of a level, each an n x 2 array in printed mm.

    There are none if the level is small or has a contour above it.
    """
    radius = level.deepest
    if radius < context.size(_FROM) or relief.levels_above(level):
        return
    for inset in _ONE if radius < context.size(_TWO_FROM) else _TWO:
        inner_area = level.contour.buffer(-(inset + _ROUNDED) * radius).buffer(_ROUNDED * radius)
        for part in polygons(inner_area):
            ring = _make_wavy_ring(part, radius, context)
            yield from _find_drawn_parts(ring, relief.grid.at(level.slope, ring) < GENTLE, radius, context)


def _remove_near_strokes(
    line_pieces: Sequence[Line], hachures: Sequence[Hachure], context: SymbolContext
) -> list[Line]:
    """Return lines in printed mm without the parts near strokes.

    Short remaining pieces are dropped. Each line is n x 2; a line can become several.
    """
    shapes = np.array([shapely.linestrings(line) for line in line_pieces], dtype=object)
    if hachures:
        min_distance = context.size(_OFF_STROKES)
        strokes = shapely.linestrings(np.array([stroke.points[[0, -1]] for stroke in hachures]))
        _, stroke_indices = shapely.STRtree(strokes).query(shapes, predicate="dwithin", distance=min_distance)
        # ``np.unique`` would import the masked arrays.
        near_strokes = strokes[np.flatnonzero(np.bincount(stroke_indices))]
        shapes = shapely.difference(shapes, shapely.union_all(shapely.buffer(near_strokes, min_distance, quad_segs=2)))
    return [shapely.get_coordinates(line) for line in lines(shapes) if line.length > context.size(_LEAST)]


def _make_wavy_ring(part: shapely.Polygon, radius: float, context: SymbolContext) -> Line:
    """Return the points around a part of the ground, moved in or out by noise and smoothed.

    Coordinates are in printed mm. ``radius`` is that of the largest circle in the hill; it scales the waves.
    """
    line = shapely.normalize(part).exterior
    ring = resampled(line, context.size(_STEP))
    shifts = context.noise.at(ring[:, 0], ring[:, 1], _MOVED_WAVE * radius)
    shifted = (ring + normals(ring) * (_MOVED * radius * shifts)[:, None])[:-1]
    return np.column_stack([smooth_ring(axis, _EVEN * radius, line.length) for axis in shifted.T])


def _find_drawn_parts(ring: Line, gentle: NDArray[np.bool_], radius: float, context: SymbolContext) -> Iterator[Line]:
    """Yield the parts of a ring that are drawn, each an n x 2 array in printed mm.

    Steep faces have a crest instead of a form line. Neighbouring points are about 3 mm at 1:1 apart. At least 12
    percent of the ring is left out.

    Args:
        ring: points of the ring, n x 2.
        gentle: whether the ground is gentle at each point.
        radius: radius of the largest circle in the hill; it scales the breaks.
        context: gives sizes and noise.
    """
    noise = context.noise.at(ring[:, 0] + _ELSEWHERE * radius, ring[:, 1], _SHOWN_WAVE * radius)
    is_drawn = noise > max(_SHOWN_FROM, float(np.sort(noise)[int(_LEAST_GAP * len(noise))]))
    is_drawn &= gentle
    first = int(is_drawn.argmin())
    ring, is_drawn = np.roll(ring, -first, axis=0), np.roll(is_drawn, -first)
    for run in np.split(np.arange(len(ring)), np.flatnonzero(np.diff(is_drawn.astype(int))) + 1):
        if is_drawn[run[0]] and len(run) > 1:
            yield shapely.get_coordinates(shapely.linestrings(ring[run]).simplify(context.size(_WITHIN)))
