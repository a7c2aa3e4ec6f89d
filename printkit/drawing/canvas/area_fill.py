"""The filling of areas: the wash that pools at an edge, hatching for shade, and the nearest points along a line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Cap, Ink, Path, Stroke
from printkit.drawing.canvas.shapes import Line, fill, lines, outline, runs, runs_of_each
from printkit.drawing.canvas.symbol_context import SymbolContext

# --- Locating: how far along a line the point of it lies that is nearest to a place, for a row of places at once ------

_Numbers = NDArray[np.float64]

_TOGETHER: Final = (1024, 128, 16, 1)
"""How many places are measured together, each number a multiple of the next."""

_NEARLY: Final = 1e-6
"""Millimetres by which a piece may seem too far and still be measured."""


class _Near(Struct, frozen=True):
    """For every place the pieces of a line that may be nearest: where they begin among all, and what was measured."""

    begins: NDArray[np.int64]
    pieces: NDArray[np.int64]
    far: _Numbers
    share: _Numbers


def located(line: BaseGeometry, places: Line) -> _Numbers:
    """Return how many mm from the start of a line the point of it lies that is nearest to each of some places, n x 2.

    Of two that are equally near the first counts. The line has two points at least, and no piece of no length.
    """
    corners = shapely.get_coordinates(line)
    start, steps = corners[:-1], np.diff(corners, axis=0)
    lengths = _lengths(steps)
    gone = np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
    near = _near(places, start, steps)
    least = np.repeat(np.minimum.reduceat(near.far, near.begins), np.diff([*near.begins, len(near.far)]))
    nearest = np.flatnonzero(near.far == least)
    best = nearest[np.searchsorted(nearest, near.begins)]
    piece = near.pieces[best]
    found: _Numbers = gone[piece] + np.clip(near.share[best], 0.0, 1.0) * lengths[piece]
    return found


def _near(places: Line, start: Line, steps: Line) -> _Near:
    """Return the pieces near each place, in the order of the line."""
    begins, counts = np.zeros(1, dtype=np.int64), np.array([len(start)])
    pieces, size = np.arange(len(start)), len(places)
    for following in _TOGETHER:
        # The groups of the step before are parted; each part takes over the pieces of its group.
        firsts = np.arange(0, len(places), following)
        group = firsts // size
        counts = counts[group]
        offsets = np.cumsum(counts) - counts
        pieces = pieces[np.arange(counts.sum()) + np.repeat(begins[group] - offsets, counts)]
        begins, size = offsets, following
        middles = places[np.minimum(firsts + size // 2, len(places) - 1)]
        far, share = _beside(np.repeat(middles, counts, axis=0), start[pieces], steps[pieces])
        if size == 1:
            break
        about = np.maximum.reduceat(_lengths(places - np.repeat(middles, size, axis=0)[: len(places)]), firsts)
        # What is nearest to a place of the group is no farther from the group's middle than this.
        kept = far <= np.repeat(np.minimum.reduceat(far, begins) + 2 * about + _NEARLY, counts)
        counts = np.add.reduceat(kept.astype(np.int64), begins)
        begins, pieces = np.cumsum(counts) - counts, pieces[kept]
    return _Near(begins, pieces, far, share)


def _beside(places: Line, start: Line, steps: Line) -> tuple[_Numbers, _Numbers]:
    """Return how far places lie from pieces of a line, and beside which share of a piece's length, 0 at its start."""
    x, y = places[:, 0] - start[:, 0], places[:, 1] - start[:, 1]
    across, up = steps[:, 0], steps[:, 1]
    square = across * across + up * up
    share = (x * across + y * up) / square
    aside = np.abs((x * up - y * across) / square) * np.sqrt(square)
    end_x, end_y = places[:, 0] - (start[:, 0] + across), places[:, 1] - (start[:, 1] + up)
    ends = np.where(share <= 0, x * x + y * y, end_x * end_x + end_y * end_y)
    return np.where((share <= 0) | (share >= 1), np.sqrt(ends), aside), share


def _lengths(steps: Line) -> _Numbers:
    return np.asarray(np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1]))


RINGS: Final = ((4.5, 0.07), (2.4, 0.09), (1.1, 0.12))
"""Insets in mm at 1:1 and alphas of the rings in which a wash pools where the brush stops."""

FAINT_RINGS: Final = ((3.0, 0.06), (1.4, 0.10))
"""Those of a thin wash, as on the ground of yards and fields."""

_POOLED: Final = 0.55
_EASED: Final = 0.06
"""How far in mm at 1:1 the rim of ground may lie from the line that soft rings follow."""

_THROUGH: Final = 0.50


def wash(
    area: BaseGeometry,
    ink: Ink | None,
    edge: Ink | None,
    context: SymbolContext,
    rings: Sequence[tuple[float, float]] = RINGS,
    *,
    through: BaseGeometry | None = None,
) -> list[Path]:
    """Return a flat fill with darker rings along the edge; nothing in a style that has no such ink.

    Args:
        edge: the ink of the rings; None mixes it from ``ink``.
        through: ground that shows through the fill, as a hill does whose hachures must be read.
    """
    if ink is None or not context.style.washes:
        return []
    pooled = edge or ink.towards(context.style.solid("wash-edge"), _POOLED)
    if through is None or through.is_empty:
        found = fill(area, ink)
    else:
        found = fill(shapely.difference(area, through), ink)
        found += fill(shapely.intersection(area, through), ink.thin(_THROUGH))
    inner = insides(area, np.array([context.size(inset) for inset, _ in rings]), context)
    # Rim and inset in one path: by the rule of even and odd only the ring between them is painted.
    rim = runs(area, closed=True)
    return found + [
        Path(rim + within, fill=pooled.thin(alpha))
        for within, (_, alpha) in zip(runs_of_each(inner, closed=True), rings, strict=True)
        if rim
    ]


def insides(area: BaseGeometry, insets: NDArray[np.float64], context: SymbolContext) -> NDArray[np.object_]:
    """Return an area less its rim, once for each of many insets in printed mm, as soft tints want it.

    Points that lead along the rim by less than anybody sees in a tint are left out before: there are several times as
    many of them as of the others.
    """
    eased = shapely.simplify(area, context.size(_EASED), preserve_topology=False)
    return np.asarray(shapely.buffer(area if eased.is_empty else eased, -insets, quad_segs=4))


def hatched(
    area: BaseGeometry | Iterable[BaseGeometry],
    ink: Ink | None,
    pitch: float,
    width: float,
    angle: float = 45.0,
) -> list[Path]:
    """Return an area drawn as parallel strokes, one path; pitch and width in printed mm, the angle in degrees.

    The strokes of all areas lie on one lattice through the origin, so neighbours match.
    """
    ground = area if isinstance(area, BaseGeometry) else shapely.union_all(list(area))
    if ink is None:
        return []
    strokes = [stroke for stroke in hatching(ground, pitch, angle) if stroke.length > width]
    return outline(strokes, Stroke(ink, width, cap=Cap.BUTT))


def hatching(ground: BaseGeometry, pitch: float, angle: float = 45.0) -> list[LineString]:
    """Return parallel strokes over some ground on a lattice through the origin, the shortest of them as well."""
    if ground.is_empty:
        return []
    level = affinity.rotate(ground, -angle, origin=(0, 0))
    left, low, right, high = level.bounds
    rows = np.arange(math.ceil(low / pitch), math.floor(high / pitch) + 1) * pitch
    if not len(rows):
        return []
    ends = np.array([[[left - 1, y], [right + 1, y]] for y in rows])
    shown = shapely.intersection(shapely.multilinestrings(shapely.linestrings(ends)), level)
    return lines(affinity.rotate(shown, angle, origin=(0, 0)))
