"""Strokes down both sides of a long hill's spine, and the line along its crest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString

from printkit.drawing.canvas.shapes import Line, normals, resampled
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.hachures import Hachure, make_gentle_stroke
from printkit.drawing.signs.relief.relief_field import ContourLevel
from printkit.drawing.signs.relief.spines import STEP, Spine

# Rows of strokes: start distance from the spine, length and spacing in mm at 1:1, and relative weight
_ROWS: Final = ((1.6, 9.0, 2.9, 0.80), (13.0, 7.5, 3.5, 0.62))

# Extra start distance of strokes in mm at 1:1, varied by noise; even strokes would look like a hedge.
_BROADER: Final = 5.0
_BROADER_WAVE: Final = 42.0

_SHORTER: Final = (0.62, 0.38)
# Lowness of the spine from which a row has no strokes, so that saddles stay clear
_NO_STROKES: Final = (0.42, 0.16)

_BREAKS_WAVE: Final = 60.0
_BREAKS_FROM: Final = (-9.0, -0.25)
_OFF: Final = 0.6
_LEAST_LINE: Final = 14.0
_LINE_TO: Final = 0.36


def make_spine_strokes(
    spine: Spine, level: ContourLevel, hachures: Sequence[Hachure], context: SymbolContext, name: str
) -> list[Hachure]:
    """Return strokes down both sides of the spine and around its ends, but not in saddles.

    Args:
        spine: the spine of the hill.
        level: the lowest contour level.
        hachures: the other strokes of the hill; the new strokes keep clear of them.
        context: gives sizes and noise.
        name: prefix of the random streams.
    """
    new_strokes = list(_make_rows(spine, level, context, name))
    ends = np.array([stroke.points[[0, -1]] for stroke in (*hachures, *new_strokes)])
    strokes, first = shapely.linestrings(ends), len(hachures)
    stroke_index, neighbour_index = shapely.STRtree(strokes).query(
        strokes[first:], predicate="dwithin", distance=context.size(_OFF)
    )
    crossing_indices = set(stroke_index[neighbour_index < stroke_index + first].tolist())
    return [stroke for number, stroke in enumerate(new_strokes) if number not in crossing_indices]


def _make_rows(spine: Spine, level: ContourLevel, context: SymbolContext, name: str) -> Iterator[Hachure]:
    """Yield the strokes around a spine, row by row, also where they touch other strokes.

    Points and widths are in printed mm. ``name`` names the random streams. Rows that do not fit in the contour are left
    out.
    """
    spine_shape, contour, radius = LineString(spine.points), level.contour, level.deepest
    shapely.prepare(contour)
    for number, (distance, length, spacing, weight) in enumerate(_ROWS):
        if context.size(distance + length) > 0.6 * radius:
            continue
        stream = context.stream(f"{name}/spine/{number}")
        ring = shapely.normalize(spine_shape.buffer(context.size(distance))).exterior
        heads = resampled(ring, context.size(spacing))[:-1]
        outward = -normals(heads) if shapely.is_ccw(ring) else normals(heads)
        extra = np.clip(0.5 + context.noise.at(heads[:, 0], heads[:, 1], context.size(_BROADER_WAVE)), 0.0, 1.0)
        heads = heads + outward * (context.size(_BROADER) * extra)[:, None]
        reach = context.size(length) * (_SHORTER[0] + _SHORTER[1] * stream.draw_array(len(heads)))
        low = spine.depth[_find_nearest(heads, spine.points)]
        is_drawn = context.noise.at(heads[:, 0], heads[:, 1], context.size(_BREAKS_WAVE)) > _BREAKS_FROM[number]
        is_drawn &= low < _NO_STROKES[number]
        feet = heads + outward * reach[:, None]
        is_drawn &= shapely.contains_xy(contour, feet[:, 0], feet[:, 1])
        for head, foot in zip(heads[is_drawn], feet[is_drawn], strict=True):
            points = np.stack([head, (head + foot) / 2, foot])
            yield make_gentle_stroke(points, weight, context)


def find_crest_lines(spine: Spine) -> list[Line]:
    """Return the parts of a spine that get a line, n x 2 each in printed mm: its knolls, but not its saddles.

    Parts of at most 14 mm at 1:1 are left out; the list may be empty.
    """
    high = spine.depth < _LINE_TO
    runs = np.split(np.arange(len(high)), np.flatnonzero(np.diff(high.astype(int))) + 1)
    return [spine.points[run] for run in runs if high[run[0]] and len(run) * STEP > _LEAST_LINE]


def _find_nearest(positions: Line, points: Line) -> NDArray[np.int64]:
    """Return the index of the nearest of ``points`` for each position; both are n x 2 in one unit."""
    squared_distances = (positions[:, None, 0] - points[None, :, 0]) ** 2 + (
        positions[:, None, 1] - points[None, :, 1]
    ) ** 2
    return np.asarray(squared_distances.argmin(axis=1))
