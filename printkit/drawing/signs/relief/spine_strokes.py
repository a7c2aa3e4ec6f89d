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
from printkit.drawing.signs.relief.hachures import Hachure, gentle_stroke
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


def spine_strokes(
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
    found = list(_rows(spine, level, context, name))
    ends = np.array([stroke.points[[0, -1]] for stroke in (*hachures, *found)])
    strokes, first = shapely.linestrings(ends), len(hachures)
    near, other = shapely.STRtree(strokes).query(strokes[first:], predicate="dwithin", distance=context.size(_OFF))
    crossed = set(near[other < near + first].tolist())
    return [stroke for number, stroke in enumerate(found) if number not in crossed]


def _rows(spine: Spine, level: ContourLevel, context: SymbolContext, name: str) -> Iterator[Hachure]:
    whole, contour, radius = LineString(spine.points), level.contour, level.deepest
    shapely.prepare(contour)
    for number, (off, length, spacing, heavy) in enumerate(_ROWS):
        if context.size(off + length) > 0.6 * radius:
            continue
        stream = context.stream(f"{name}/spine/{number}")
        ring = shapely.normalize(whole.buffer(context.size(off))).exterior
        heads = resampled(ring, context.size(spacing))[:-1]
        outward = -normals(heads) if shapely.is_ccw(ring) else normals(heads)
        broader = np.clip(0.5 + context.noise.at(heads[:, 0], heads[:, 1], context.size(_BROADER_WAVE)), 0.0, 1.0)
        heads = heads + outward * (context.size(_BROADER) * broader)[:, None]
        reach = context.size(length) * (_SHORTER[0] + _SHORTER[1] * stream.draw_array(len(heads)))
        low = spine.low[_nearest(heads, spine.points)]
        shown = context.noise.at(heads[:, 0], heads[:, 1], context.size(_BREAKS_WAVE)) > _BREAKS_FROM[number]
        shown &= low < _NO_STROKES[number]
        feet = heads + outward * reach[:, None]
        shown &= shapely.contains_xy(contour, feet[:, 0], feet[:, 1])
        for head, foot in zip(heads[shown], feet[shown], strict=True):
            points = np.stack([head, (head + foot) / 2, foot])
            yield gentle_stroke(points, heavy, context)


def spine_line(spine: Spine) -> list[Line]:
    """Return the parts of a spine that get a line: its knolls, but not its saddles."""
    high = spine.low < _LINE_TO
    stretches = np.split(np.arange(len(high)), np.flatnonzero(np.diff(high.astype(int))) + 1)
    return [spine.points[stretch] for stretch in stretches if high[stretch[0]] and len(stretch) * STEP > _LEAST_LINE]


def _nearest(places: Line, points: Line) -> NDArray[np.int64]:
    """Return the index of the nearest point for each place."""
    apart = (places[:, None, 0] - points[None, :, 0]) ** 2 + (places[:, None, 1] - points[None, :, 1]) ** 2
    return np.asarray(apart.argmin(axis=1))
