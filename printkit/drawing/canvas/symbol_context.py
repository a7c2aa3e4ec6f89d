"""The context of a symbol: style, scale and random variation; and the fills of areas."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from typing import Any, Final, Generic, TypeVar

import numpy as np
import shapely
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter, Stream
from printkit.drawing.canvas.items import Cap, Ink, Join, Path, Stroke
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, fill, lines, outline, runs, runs_of_each
from printkit.drawing.canvas.style import Style
from printkit.terrain.geometry.outlines import Noise

HAIRLINE = 0.12
LEAST_MEANING = 0.18
# Below this scale, in printed mm per mm of the board, maps are small and have fewer details.
SMALL_SCALE = 1 / 3
_Result = TypeVar("_Result")


class SymbolContext(Struct, frozen=True, kw_only=True, eq=False):
    """Style, scale and random streams for symbols.

    Symbols receive shapes in printed mm and take all sizes and lines from the context.

    Attributes:
        scale: printed mm per mm of the board.
        clear: boxes of labels; stamps do not cover them.
        factor: extra scale of symbols, below 1 in legends.
        memo: results of ``once``.
    """

    style: Style
    jitter: Jitter
    noise: Noise
    scale: float = 1.0
    clear: BaseGeometry = NOTHING
    factor: float = 1.0
    memo: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, measure: Callable[[], _Result], *subjects: object, by: Hashable) -> _Result:
        """Return the result of ``measure``, computed once for each size and each set of objects.

        Args:
            measure: computes the result from the objects alone, independent of ``clear``.
            subjects: the objects that it measures, compared by identity: for example a battlefield and a course.
            by: the rest of the key: the name of the measure, then its parameters.
        """
        key = (by, self.scale, self.factor, *map(id, subjects))
        if key not in self.memo:
            # Store the objects too: otherwise Python could reuse their IDs for other objects.
            self.memo[key] = measure(), subjects
        result: _Result = self.memo[key][0]
        return result

    @property
    def symbol_scale(self) -> float:
        """Return the scale of symbols: printed mm per mm at 1:1; symbols shrink more slowly than the map."""
        return _shrink_scale(self.scale) * self.factor

    def size(self, mm: float) -> float:
        """Return the printed size in mm of a stamp, spacing or stroke length that measures ``mm`` at 1:1."""
        return mm * self.symbol_scale

    def width(self, mm: float, *, minimum_mm: float = HAIRLINE) -> float:
        """Return the printed width in mm of a line that is ``mm`` wide at 1:1, at least ``minimum_mm``.

        Use ``minimum_mm=LEAST_MEANING`` if the line carries meaning. A line below 1.3 mm at 1:1 is multiplied by the
        line factor of the style.
        """
        heavier = self.style.line_factor if mm < 1.3 else 1.0
        return max(mm * self.symbol_scale * heavier, minimum_mm)

    def stroke(
        self,
        ink: Ink,
        mm: float,
        *,
        dash: tuple[float, ...] = (),
        phase: float = 0.0,
        cap: Cap = Cap.ROUND,
        join: Join = Join.ROUND,
        minimum_mm: float = HAIRLINE,
    ) -> Stroke:
        """Return a stroke in printed mm; its width ``mm``, dashes and phase are given in mm at 1:1.

        ``dash`` has lengths of dashes and gaps in turn; empty for a solid line. ``phase`` is where in the dashes the
        line begins. ``minimum_mm`` is the smallest printed width.
        """
        dashes = tuple(self.size(length) for length in dash)
        return Stroke(ink, self.width(mm, minimum_mm=minimum_mm), dashes, self.size(phase), cap, join)

    def tint(self, token: str, alpha: float) -> Ink | None:
        """Return the ink called ``token`` with opacity ``alpha`` (0 to 1); None if the style has no such ink.

        In a style without washes the ink keeps its own opacity.
        """
        ink = self.style.ink(token)
        return ink.with_alpha(alpha) if ink is not None and self.style.washes else ink

    def stream(self, name: str) -> Stream:
        """Return the random stream of one feature and purpose, for example ``features/z5/trees``.

        Equal names give equal streams: each call returns a new one from its start.
        """
        return self.jitter.stream(name)

    def smaller(self, factor: float) -> SymbolContext:
        """Return a context with symbols ``factor`` times their present size, for legends and small hills."""
        return replace(self, factor=self.factor * factor)


@cache
def _shrink_scale(scale: float) -> float:
    """Return the scale of symbols, from 0.35 to 1, on a map of ``scale`` printed mm per mm of the board."""
    return min(1.0, max(0.35, math.pow(scale, 0.55)))


# Diagonal of a 24-inch board, in mm.
_USUAL_DIAGONAL = 862.0


def large_board(width: float, depth: float) -> float:
    """Return the scale, at least 1, of things read from across the board; 1 on a board of 24 inches.

    ``width`` and ``depth`` are the sides of the board in mm of the board.
    """
    return max(1.0, math.sqrt(math.hypot(width, depth) / _USUAL_DIAGONAL))


# --- A memo for drawings that repeat on many sheets: swatches of legends, pictures of cards ---------------------------

_Drawn = TypeVar("_Drawn")


class Memo(Struct, Generic[_Drawn]):
    """A cache of the last ``capacity`` drawings; the oldest is dropped first."""

    capacity: int
    _entries: dict[Hashable, tuple[_Drawn, tuple[object, ...]]] = field(default_factory=dict)

    def draw_once(
        self, draw: Callable[[], _Drawn], context: SymbolContext, *subjects: object, purpose: Hashable = ()
    ) -> _Drawn:
        """Return the result of ``draw``, computed once for each context and each set of objects.

        Args:
            draw: draws the result, which depends only on the context, the objects and ``purpose``.
            context: the key includes its style, random seeds, scale and clear ground.
            subjects: the objects that it draws, compared by identity.
            purpose: the rest of the key.
        """
        chance = (context.jitter.seed, tuple(sorted(context.jitter.stage_seeds.items())))
        things = (context.style, context.noise, context.clear, *subjects)
        key = (purpose, context.scale, context.factor, chance, *map(id, things))
        if key not in self._entries:
            if len(self._entries) >= self.capacity:
                del self._entries[next(iter(self._entries))]
            # Store the objects too: otherwise Python could reuse their IDs for other objects.
            self._entries[key] = draw(), things
        return self._entries[key][0]


# --- Projection: for each of many places, the distance along a line to its nearest point ------------------------------

_Numbers = NDArray[np.float64]

# Group sizes: this many places are measured together. Each size is a multiple of the next.
_GROUP_SIZES: Final = (1024, 128, 16, 1)

# Tolerance in mm, so that rounding never drops the nearest segment.
_TOLERANCE_MM: Final = 1e-6


class _NearSegments(Struct, frozen=True):
    """The segments of a line that may be nearest to each place.

    Attributes:
        starts: for each place, the index of its first entry in the other arrays.
        segments: segment indexes.
        distances: distances in printed mm from the place to the segment.
        shares: position of the nearest point, as a share of the segment's length.
    """

    starts: NDArray[np.int64]
    segments: NDArray[np.int64]
    distances: _Numbers
    shares: _Numbers


def project_points(line: BaseGeometry, places: Line) -> _Numbers:
    """Return the distance along a line, in printed mm from its start, of the point nearest to each place.

    Places are n x 2, in printed mm. If two points are equally near, the first counts. The line needs two points or
    more, and no segment of length 0.
    """
    corners = shapely.get_coordinates(line)
    start, steps = corners[:-1], np.diff(corners, axis=0)
    lengths = _lengths(steps)
    segment_starts = np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
    near = _find_near_segments(places, start, steps)
    least = np.repeat(np.minimum.reduceat(near.distances, near.starts), np.diff([*near.starts, len(near.distances)]))
    nearest = np.flatnonzero(near.distances == least)
    best = nearest[np.searchsorted(nearest, near.starts)]
    piece = near.segments[best]
    distances: _Numbers = segment_starts[piece] + np.clip(near.shares[best], 0.0, 1.0) * lengths[piece]
    return distances


def _find_near_segments(places: Line, start: Line, steps: Line) -> _NearSegments:
    """Return the segments of a line that may be nearest to each place, in the order of the line.

    Args:
        places: points in printed mm, n x 2.
        start: first point of each segment in mm, m x 2.
        steps: vector in mm from the first to the last point of each segment, m x 2.
    """
    starts, counts = np.zeros(1, dtype=np.int64), np.array([len(start)])
    segments, size = np.arange(len(start)), len(places)
    for following in _GROUP_SIZES:
        # Split the groups of the previous step. Each part inherits the segments of its group.
        firsts = np.arange(0, len(places), following)
        group = firsts // size
        counts = counts[group]
        offsets = np.cumsum(counts) - counts
        segments = segments[np.arange(counts.sum()) + np.repeat(starts[group] - offsets, counts)]
        starts, size = offsets, following
        middles = places[np.minimum(firsts + size // 2, len(places) - 1)]
        distances, share = _measure_distances(np.repeat(middles, counts, axis=0), start[segments], steps[segments])
        if size == 1:
            break
        radii = np.maximum.reduceat(_lengths(places - np.repeat(middles, size, axis=0)[: len(places)]), firsts)
        # The segment nearest to any place of the group is within this distance of the group's middle.
        is_near = distances <= np.repeat(np.minimum.reduceat(distances, starts) + 2 * radii + _TOLERANCE_MM, counts)
        counts = np.add.reduceat(is_near.astype(np.int64), starts)
        starts, segments = np.cumsum(counts) - counts, segments[is_near]
    return _NearSegments(starts, segments, distances, share)


def _measure_distances(places: Line, start: Line, steps: Line) -> tuple[_Numbers, _Numbers]:
    """Return the distance of each place from its segment in mm on paper, and its projection on it.

    A projection is a share of the segment's length: 0 at ``start``, 1 at ``start + steps``; it is below 0 or above 1
    beyond the ends. The arguments are n x 2, in mm, with one segment for each place; both results have n numbers.
    """
    x, y = places[:, 0] - start[:, 0], places[:, 1] - start[:, 1]
    step_x, step_y = steps[:, 0], steps[:, 1]
    square = step_x * step_x + step_y * step_y
    share = (x * step_x + y * step_y) / square
    perpendicular = np.abs((x * step_y - y * step_x) / square) * np.sqrt(square)
    end_x, end_y = places[:, 0] - (start[:, 0] + step_x), places[:, 1] - (start[:, 1] + step_y)
    squared_ends = np.where(share <= 0, x * x + y * y, end_x * end_x + end_y * end_y)
    return np.where((share <= 0) | (share >= 1), np.sqrt(squared_ends), perpendicular), share


def _lengths(steps: Line) -> _Numbers:
    """Return the length of each vector, in printed mm; ``steps`` is n x 2 in mm."""
    return np.asarray(np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1]))


# Darker rings at the edge of a wash: inset in mm at 1:1, and alpha.
RINGS: Final = ((4.5, 0.07), (2.4, 0.09), (1.1, 0.12))

# The same for a thin wash, for example on yards and fields.
FAINT_RINGS: Final = ((3.0, 0.06), (1.4, 0.10))

_EDGE_SHARE: Final = 0.55

# Simplification tolerance of the outline that soft rings follow, in mm at 1:1.
_SIMPLIFY_MM: Final = 0.06

_OVERLAY_ALPHA: Final = 0.50


def wash(
    area: BaseGeometry,
    ink: Ink | None,
    edge: Ink | None,
    context: SymbolContext,
    rings: Sequence[tuple[float, float]] = RINGS,
    *,
    visible_ground: BaseGeometry | None = None,
) -> list[Path]:
    """Return a flat fill of an area in printed mm, with darker rings along its edge.

    The list is empty if the style has no washes, or without an ink.

    Args:
        area: the area in printed mm.
        ink: the ink of the fill.
        edge: the ink of the rings; None mixes it from ``ink``.
        context: style and scale.
        rings: inset in mm at 1:1 and opacity (0 to 1) of each ring.
        visible_ground: ground in printed mm that shows through a thinner fill, for example a hill with hachures.
    """
    if ink is None or not context.style.washes:
        return []
    edge_ink = edge or ink.mix(context.style.solid("wash-edge"), _EDGE_SHARE)
    if visible_ground is None or visible_ground.is_empty:
        paths = fill(area, ink)
    else:
        paths = fill(shapely.difference(area, visible_ground), ink)
        paths += fill(shapely.intersection(area, visible_ground), ink.with_alpha(_OVERLAY_ALPHA))
    inset_shapes = inset_areas(area, np.array([context.size(inset) for inset, _ in rings]), context)
    # Rim and inset are one path: the even-odd rule paints only the ring between them.
    rim = runs(area, closed=True)
    return paths + [
        Path(rim + inset_runs, fill=edge_ink.with_alpha(alpha))
        for inset_runs, (_, alpha) in zip(runs_of_each(inset_shapes, closed=True), rings, strict=True)
        if rim
    ]


def inset_areas(area: BaseGeometry, insets: NDArray[np.float64], context: SymbolContext) -> NDArray[np.object_]:
    """Return an area shrunk by each of many insets, for soft tints: one geometry for each inset, in order.

    Area and insets are in printed mm. A geometry is empty if the inset removes the whole area. The outline is
    simplified first, by less than a tint can show. This removes most of its points.
    """
    simplified = shapely.simplify(area, context.size(_SIMPLIFY_MM), preserve_topology=False)
    return np.asarray(shapely.buffer(area if simplified.is_empty else simplified, -insets, quad_segs=4))


def draw_hatching(
    area: BaseGeometry | Iterable[BaseGeometry],
    ink: Ink | None,
    pitch: float,
    width: float,
    angle: float = 45.0,
) -> list[Path]:
    """Return an area filled with parallel strokes in one path; empty without an ink.

    Area, ``pitch`` (distance between strokes) and ``width`` (of a stroke) are in printed mm. ``angle`` is in degrees,
    anticlockwise from the x-axis. All areas share one lattice of strokes through the origin, so neighbours match.
    Strokes that are not longer than ``width`` are left out.
    """
    ground = area if isinstance(area, BaseGeometry) else shapely.union_all(list(area))
    if ink is None:
        return []
    strokes = [stroke for stroke in hatch_lines(ground, pitch, angle) if stroke.length > width]
    return outline(strokes, Stroke(ink, width, cap=Cap.BUTT))


def hatch_lines(ground: BaseGeometry, pitch: float, angle: float = 45.0) -> list[LineString]:
    """Return parallel strokes over an area, however short they are, as lines.

    Area and lines have the same unit, usually printed mm. The strokes are ``pitch`` of it apart, on a lattice through
    the origin, at ``angle`` degrees anticlockwise from the x-axis. An empty area gives an empty list.
    """
    if ground.is_empty:
        return []
    rotated_ground = affinity.rotate(ground, -angle, origin=(0, 0))
    left, low, right, high = rotated_ground.bounds
    rows = np.arange(math.ceil(low / pitch), math.floor(high / pitch) + 1) * pitch
    if not len(rows):
        return []
    ends = np.array([[[left - 1, y], [right + 1, y]] for y in rows])
    strokes = shapely.intersection(shapely.multilinestrings(shapely.linestrings(ends)), rotated_ground)
    return lines(affinity.rotate(strokes, angle, origin=(0, 0)))
