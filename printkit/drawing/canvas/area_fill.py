"""Fill areas: washes with darker rings at the edge, hatching, and projection of points onto a line."""

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

# --- Projection: for each of many places, the distance along a line to its nearest point ------------------------------

_Numbers = NDArray[np.float64]

# Group sizes: this many places are measured together. Each size is a multiple of the next.
_TOGETHER: Final = (1024, 128, 16, 1)

# Tolerance in mm, so that rounding never drops the nearest segment.
_NEARLY: Final = 1e-6


class _Near(Struct, frozen=True):
    """The segments of a line that may be nearest to each place.

    Attributes:
        begins: for each place, the index of its first entry in the other arrays.
        pieces: segment indexes.
        far: distances in mm from the place to the segment.
        share: position of the nearest point, as a share of the segment's length.
    """

    begins: NDArray[np.int64]
    pieces: NDArray[np.int64]
    far: _Numbers
    share: _Numbers


def located(line: BaseGeometry, places: Line) -> _Numbers:
    """Return the distance along a line, in mm, of the point nearest to each place (n x 2).

    If two points are equally near, the first counts. The line needs two points or more and no zero-length segment.
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
    """Return the segments near each place, in the order of the line."""
    begins, counts = np.zeros(1, dtype=np.int64), np.array([len(start)])
    pieces, size = np.arange(len(start)), len(places)
    for following in _TOGETHER:
        # Split the groups of the previous step. Each part inherits the segments of its group.
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
        # The segment nearest to any place of the group is within this distance of the group's middle.
        kept = far <= np.repeat(np.minimum.reduceat(far, begins) + 2 * about + _NEARLY, counts)
        counts = np.add.reduceat(kept.astype(np.int64), begins)
        begins, pieces = np.cumsum(counts) - counts, pieces[kept]
    return _Near(begins, pieces, far, share)


def _beside(places: Line, start: Line, steps: Line) -> tuple[_Numbers, _Numbers]:
    """Return distances of places from segments in mm, and projections as shares of the segment."""
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


# Darker rings at the edge of a wash: inset in mm at 1:1, and alpha.
RINGS: Final = ((4.5, 0.07), (2.4, 0.09), (1.1, 0.12))

# The same for a thin wash, for example on yards and fields.
FAINT_RINGS: Final = ((3.0, 0.06), (1.4, 0.10))

_POOLED: Final = 0.55

# Simplification tolerance of the outline that soft rings follow, in mm at 1:1.
_EASED: Final = 0.06

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
    """Return a flat fill with darker rings along the edge.

    The list is empty if the style has no washes or no such ink.

    Args:
        edge: the ink of the rings; None mixes it from ``ink``.
        through: ground that shows through a thinner fill, for example a hill with hachures.
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
    # Rim and inset are one path: the even-odd rule paints only the ring between them.
    rim = runs(area, closed=True)
    return found + [
        Path(rim + within, fill=pooled.thin(alpha))
        for within, (_, alpha) in zip(runs_of_each(inner, closed=True), rings, strict=True)
        if rim
    ]


def insides(area: BaseGeometry, insets: NDArray[np.float64], context: SymbolContext) -> NDArray[np.object_]:
    """Return an area shrunk by each of many insets in printed mm, for soft tints.

    The outline is simplified first, by less than a tint can show. This removes most of its points.
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
    """Return an area drawn as parallel strokes in one path.

    Pitch and width are in printed mm, the angle is in degrees. All areas share one lattice of strokes through the
    origin, so neighbours match.
    """
    ground = area if isinstance(area, BaseGeometry) else shapely.union_all(list(area))
    if ink is None:
        return []
    strokes = [stroke for stroke in hatching(ground, pitch, angle) if stroke.length > width]
    return outline(strokes, Stroke(ink, width, cap=Cap.BUTT))


def hatching(ground: BaseGeometry, pitch: float, angle: float = 45.0) -> list[LineString]:
    """Return parallel strokes over an area on a lattice through the origin, however short they are."""
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
