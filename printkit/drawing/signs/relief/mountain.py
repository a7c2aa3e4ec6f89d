"""Mountains: rock shaded by strokes down from its ridges, and the layout of peaks, spurs and forks.

Source: the cartography, 10.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import Item, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, normals, outline, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import poisson_points, thin_out
from printkit.drawing.signs.lines.course_lines import on_layer, shadow
from printkit.drawing.signs.relief.landforms import Numbers, extend_past_board
from printkit.drawing.signs.relief.relief_field import (
    Regions,
    ReliefGrid,
    Shade,
    clip_regions,
    compute_light,
    draw_shades,
    measure_inside,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Hill
from printkit.terrain.field.grids import Cell

# --- The skeleton of a mountain: peaks, the ridge that joins them, its spurs and their forks --------------------------

_TO_EDGE: Final = 0.86
_SADDLE: Final = 0.66
_FOOT: Final = 0.10
_FORK_FOOT: Final = 0.08
_END_SPURS: Final = (1.0, 1.9)
_MIDDLE_SPURS: Final = (1.35,)
_SPUR_WAVER: Final = 0.18
_END_WAVER: Final = 0.25
_SPUR_REACH: Final = (0.74, 0.90)
_FORK_TURN: Final = (0.6, 0.9)
_FORK_REACH: Final = 0.72
_FORK_NODES: Final = (3, 4)
_ZIGZAG: Final = 0.10
_NODES: Final = 7
_FORK_BENDS: Final = 5
_TRIES: Final = 8
# Least distance between two ridges that do not share a start, as a share of the radius
_APART: Final = 0.06

_CREST_FALL: Final = 1.2
_NEAR_MIDDLE: Final = 0.12


class Ridge(Struct, frozen=True, eq=False):
    """A line from higher to lower ground, with the height at each end as a share of a peak's height.

    Points are an n x 2 array in printed mm; ``high`` and ``low`` are 0 to 1.
    """

    points: Line
    high: float
    low: float

    def heights(self, count: int) -> Numbers:
        """Return the heights at ``count`` even steps along the ridge, as shares of a peak's height.

        Both ends are included, the higher first.
        """
        return np.asarray(self.high + (self.low - self.high) * exact_math.power(np.linspace(0, 1, count), _CREST_FALL))


class Ridges(Struct, frozen=True, eq=False):
    """All ridges of a mountain. ``radius`` is that of a circle with the area of one peak's ground, in printed mm."""

    radius: float
    ridges: tuple[Ridge, ...]

    def cone_heights(self, grid: ReliefGrid, *, share: float, fall: float, step: float) -> Numbers:
        """Return the height of cones along all ridges in printed mm at each node of a grid; -inf outside every cone.

        Rows of the result are those of the grid. Where cones overlap, the highest counts.

        Args:
            grid: the grid of the result.
            share: height of a peak in radii.
            fall: slope of a cone, in mm down per mm out.
            step: printed mm between the cones of a ridge.
        """
        heights = np.full((grid.rows, grid.columns), -np.inf)
        x, y = grid.x, grid.y
        for ridge in self.ridges:
            points = resampled(ridge.points, step)
            tops = ridge.heights(len(points)) * share * self.radius
            for (peak_x, peak_y), top in zip(points.tolist(), tops.tolist(), strict=True):
                reach = top / fall
                rows = slice(*np.searchsorted(y, (peak_y - reach, peak_y + reach)).tolist())
                columns = slice(*np.searchsorted(x, (peak_x - reach, peak_x + reach)).tolist())
                cone = top - fall * np.hypot(x[columns] - peak_x, y[rows, None] - peak_y)
                np.maximum(heights[rows, columns], cone, out=heights[rows, columns])
        return heights


def build_ridges(
    outline: Polygon, peaks: int | Sequence[Line], inside: Numbers, grid: ReliefGrid, stream: Stream
) -> Ridges:
    """Return the ridges of a mountain, in printed mm: the main ridge first, then spurs, each with its fork.

    Args:
        outline: outline of the mountain.
        peaks: the number of peaks along its axis, or the position of each peak in order (at least one).
        inside: how far inside the outline every node of the grid is, in mm.
        grid: the grid of ``inside``.
        stream: random stream for bends, spurs and forks.
    """
    axis = _find_axis(outline)
    tops = _find_peaks(outline, peaks, axis, inside, grid) if isinstance(peaks, int) else list(peaks)
    radius = math.sqrt(outline.area / len(tops) / math.pi)
    builder = _RidgeBuilder(outline, radius, stream)
    builder.add_main_ridge(tops, axis)
    for number, top in enumerate(tops):
        ends = number in (0, len(tops) - 1)
        previous, following = tops[max(0, number - 1)], tops[min(len(tops) - 1, number + 1)]
        bearing = axis if len(tops) == 1 else _compute_bearing(following - previous)
        for side in (1.0, -1.0):
            for turn in _END_SPURS if ends else _MIDDLE_SPURS:
                builder.add_spur(top, bearing, side, turn)
    return Ridges(radius, tuple(builder.found))


class _RidgeBuilder:
    """The ridges placed so far, in printed mm. Each new ridge stays clear of the others."""

    def __init__(self, outline: Polygon, radius: float, stream: Stream) -> None:
        self._outline = outline
        self._rim = outline.exterior
        self._radius = radius
        self._stream = stream
        self.found: list[Ridge] = []

    def add_main_ridge(self, tops: list[Line], axis: float) -> None:
        """Add the main ridge over all peaks and on towards the outline at both ends.

        ``tops`` are the peaks in order, in printed mm; ``axis`` is the bearing of the ridge of a single peak, in
        radians.
        """
        first = axis + math.pi if len(tops) == 1 else _compute_bearing(tops[0] - tops[1])
        last = axis if len(tops) == 1 else _compute_bearing(tops[-1] - tops[-2])
        for top, bearing in ((tops[0], first), (tops[-1], last)):
            varied_bearing = bearing + self._stream.between(-_END_WAVER, _END_WAVER)
            end = top + (self._find_edge(top, varied_bearing) - top) * _TO_EDGE
            self.found.append(Ridge(self._make_zigzag(top, end, _NODES), 1.0, _FOOT))
        for first_top, second_top in pairwise(tops):
            if not self._outline.contains(LineString([first_top, second_top])):
                continue
            shift = np.array([self._stream.between(-0.1, 0.1), self._stream.between(-0.1, 0.1)])
            saddle = (first_top + second_top) / 2 + shift * self._radius
            for top in (first_top, second_top):
                self.found.append(Ridge(self._make_zigzag(top, saddle, _NODES), 1.0, _SADDLE))

    def add_spur(self, top: Line, axis: float, side: float, turn: float) -> None:
        """Add a spur and its fork, or nothing if there is no free position.

        Args:
            top: the peak where the spur begins, in printed mm.
            axis: bearing of the main ridge there, in radians.
            side: 1 for the left of the main ridge, -1 for the right.
            turn: angle between the main ridge and the spur, in radians.
        """
        for _ in range(_TRIES):
            bearing = axis + side * (turn + self._stream.between(-_SPUR_WAVER, _SPUR_WAVER))
            end = top + (self._find_edge(top, bearing) - top) * self._stream.between(*_SPUR_REACH)
            spur = Ridge(self._make_zigzag(top, end, _NODES), 0.97, _FOOT)
            if self._is_clear(spur.points):
                self.found.append(spur)
                self._add_fork(spur, bearing)
                return

    def _add_fork(self, spur: Ridge, bearing: float) -> None:
        """Add a branch of a spur to ``found``, or nothing if no try is clear of other ridges.

        ``bearing`` is the direction of the spur, in radians.
        """
        for _ in range(_TRIES):
            node = _FORK_NODES[self._stream.draw_index(len(_FORK_NODES))]
            turn = self._stream.between(*_FORK_TURN) * (1 if self._stream.draw_unit() < 0.5 else -1)
            start = spur.points[node]
            end = start + (self._find_edge(start, bearing + turn) - start) * _FORK_REACH
            fork = Ridge(self._make_zigzag(start, end, _FORK_BENDS), float(spur.heights(_NODES)[node]), _FORK_FOOT)
            if self._is_clear(fork.points):
                self.found.append(fork)
                return

    def _is_clear(self, points: Line) -> bool:
        """Return whether a ridge, in printed mm, stays clear of all others, apart from its start."""
        line = LineString(points[1:])
        distance = min(LineString(ridge.points).distance(line) for ridge in self.found)
        return bool(distance > _APART * self._radius)

    def _find_edge(self, start: Line, bearing: float) -> Line:
        """Return the first point where a ray meets the outline, in printed mm; the start if it does not.

        ``bearing`` is the direction of the ray, in radians.
        """
        ray_length = 1.0 + self._rim.length
        ray = LineString([start, start + ray_length * np.array([math.cos(bearing), math.sin(bearing)])])
        hits = shapely.get_coordinates(shapely.intersection(ray, self._rim))
        return np.asarray(hits[np.hypot(*(hits - start).T).argmin()]) if len(hits) else start

    def _make_zigzag(self, start: Line, end: Line, nodes: int) -> Line:
        """Return a zigzag line of ``nodes`` points from ``start`` to ``end``, n x 2, in printed mm."""
        share = np.linspace(0, 1, nodes)
        run = end - start
        swing = (
            _ZIGZAG * (2 * self._stream.draw_array(nodes) - 1) * exact_math.power(exact_math.sin(np.pi * share), 0.6)
        )
        return np.asarray(start + share[:, None] * run + swing[:, None] * np.array([-run[1], run[0]]))


def _find_axis(outline: Polygon) -> float:
    """Return the bearing of the long side of the smallest rectangle around an outline, in radians.

    It is anticlockwise from the x axis, from 0 to below pi.
    """
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))
    sides = np.diff(corners[:3], axis=0)
    return _compute_bearing(sides[np.hypot(*sides.T).argmax()]) % math.pi


def long_side(outline: Polygon) -> float:
    """Return the length of the long side of the smallest rectangle around an outline, in printed mm."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))
    return float(np.hypot(*np.diff(corners[:3], axis=0).T).max())


def _find_peaks(outline: Polygon, count: int, axis: float, inside: Numbers, grid: ReliefGrid) -> list[Line]:
    """Return the peaks along the axis, one for each of ``count`` equal sections, in printed mm.

    A peak is the innermost node in the middle of its section. Sections whose node is outside are left out, but there is
    always one peak.

    Args:
        outline: outline of the mountain.
        count: number of sections.
        axis: bearing of its long side, in radians.
        inside: how far inside the outline every node of the grid is.
        grid: the grid of ``inside``.
    """
    direction = np.array([math.cos(axis), math.sin(axis)])
    positions = exact_math.product(shapely.get_coordinates(outline), direction)
    x, y = grid.nodes()
    share = (x * direction[0] + y * direction[1] - positions.min()) / float(np.ptp(positions))
    peaks: list[Line] = []
    for number in range(count):
        # The ends of a section are left for the saddles between neighbouring peaks.
        near_middle = np.abs(share * count - number - 0.5) < (0.5 if count == 1 else _NEAR_MIDDLE)
        depth = np.where(near_middle, inside, -np.inf)
        row, column = np.unravel_index(int(depth.argmax()), depth.shape)
        top = np.array([float(x[row, column]), float(y[row, column])])
        if outline.contains(Point(top)):
            peaks.append(top)
    return peaks or [shapely.get_coordinates(outline.representative_point())[0]]


def _compute_bearing(vector: Line) -> float:
    """Return the direction of a vector (x, y), in radians anticlockwise from the x axis, from -pi to pi."""
    return math.atan2(float(vector[1]), float(vector[0]))


_PEAK_EVERY: Final = 90.0
_CELL: Final = 0.8
_MARGIN: Final = 3.0
_HEIGHT: Final = 0.95
_FALL: Final = 1.6
_RIDGE_STEP: Final = 1.2
_SOFT: Final = 1.2
_LEAST_RISE: Final = 0.20
_MOST_RISE: Final = (1.6, 0.5)
_ROUGH: Final = (0.9, 16.0)
_SMOOTH: Final = 0.9
_SMOOTH_LIGHT: Final = 0.5

_FEET: Final = (0.26, 0.13)
_SNOW: Final = 0.68
_TINT_WAVER: Final = (1.1, 9.0)
_FOOT_ALPHA: Final = 0.55
_SNOW_ALPHA: Final = 0.75
_DARK: Final = Shade("mountain-shade", -0.04, -0.75, 13, 0.046)
_LIT: Final = Shade("mountain-lit", 0.02, 0.34, 8, 0.095)

_IN_SHADE: Final = -0.12
_IN_LIGHT: Final = 0.05
# Spacing of strokes in mm at 1:1: in shade, in half light, and in full light
_SPACINGS: Final = (1.55, 2.3, 3.8)

_HATCHED_SPACING: Final = 1.15
_TRACE: Final = 0.6
_LEVEL: Final = 0.08
_BARE_SNOW: Final = -0.25
_RIDGE: Final = (0.72, 0.14)
_FOOT_EVERY: Final = 1.9
_FOOT_LENGTH: Final = (2.8, 4.6)
_OUTLINE: Final = 0.55


class _Rock(Struct, frozen=True, eq=False):
    """A mountain on a grid, in printed mm.

    Attributes:
        inside: distance inside the outline, in mm.
        height: height of the ground, in mm.
        light: light on the surface, see ``compute_light``.
        top: height of a peak, in mm.
    """

    outline: Polygon
    grid: ReliefGrid
    inside: Numbers
    height: Numbers
    light: Numbers
    top: float
    ridges: Ridges


def mountain(hill: Hill, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a mountain.

    Its number of peaks comes from its cells, or from its length. Shapes and items are in printed mm.
    """
    rock = _build_rock(extend_past_board(hill, field.board, context), context, field, f"draw/{hill.id}/ridges")
    yield from on_layer(LayerName.MOUNTAIN, _draw_tones(rock, context))
    ink = context.style.solid("mountain-line")
    soft = context.tint("mountain-line", 0.80)
    yield from on_layer(LayerName.MOUNTAIN, wedges(_make_slope_strokes(rock, context, f"draw/{hill.id}/strokes"), soft))
    yield from on_layer(LayerName.MOUNTAIN, wedges(_make_crest_strokes(rock, context), ink))
    yield from on_layer(
        LayerName.MOUNTAIN,
        wedges(_make_foot_strokes(rock, context, f"draw/{hill.id}/feet"), context.tint("mountain-line", 0.9)),
    )
    line = context.stroke(ink, _OUTLINE, minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.MOUNTAIN, outline(rock.outline, line))


def _build_rock(hill: Hill, context: SymbolContext, field: Battlefield, name: str) -> _Rock:
    """Return the shape of a mountain on a grid. ``name`` names the random stream of its ridges."""
    ground = hill.outline
    grid = ReliefGrid.covering(ground, context.size(_MARGIN), context.size(_CELL))
    inside = measure_inside(ground, grid)
    peaks = (
        _find_cell_peaks(hill, field) or len(hill.cells) or max(1, round(long_side(ground) / context.size(_PEAK_EVERY)))
    )
    all_ridges = build_ridges(ground, peaks, inside, grid, context.stream(name))
    top = _HEIGHT * all_ridges.radius
    cones = all_ridges.cone_heights(grid, share=_HEIGHT, fall=_FALL, step=context.size(_RIDGE_STEP))
    rise, soft = _LEAST_RISE * inside, context.size(_SOFT)
    height = soft * np.logaddexp(0.0, (np.maximum(cones, -10 * top) - rise) / soft) + rise
    max_slope, max_base = _MOST_RISE
    x, y = grid.nodes()
    rough, wave = (context.size(value) for value in _ROUGH)
    height = np.minimum(height, max_slope * inside + context.size(max_base)) + rough * context.noise.fractal(
        x, y, wave, octaves=2
    )
    height = grid.blur(np.where(inside > 0, height, 0.0), context.size(_SMOOTH))
    return _Rock(
        ground, grid, inside, height, compute_light(height, grid, context.size(_SMOOTH_LIGHT)), top, all_ridges
    )


def _find_cell_peaks(hill: Hill, field: Battlefield) -> list[Line]:
    """Return a peak in the middle of each cell, each next one the nearest of the rest.

    The first is the one farthest from the middle of all. Peaks are in printed mm; the list is empty without a grid.
    """
    grid = field.grid
    if grid is None or not hill.cells:
        return []
    waiting = [np.array(grid.centre(Cell(*cell))) for cell in hill.cells]
    waiting = [top for top in waiting if hill.outline.contains(shapely.points(top))]
    # Start at the outermost peak, or the ridge would double back.
    middle = np.mean(waiting, axis=0) if waiting else 0.0
    waiting.sort(key=lambda top: -round(float(np.hypot(*(top - middle))), 3))
    chain = waiting[:1]
    waiting = waiting[1:]
    while waiting:
        waiting.sort(key=lambda top: round(float(np.hypot(*(top - chain[-1]))), 3))
        chain.append(waiting.pop(0))
    return chain


def _draw_tones(rock: _Rock, context: SymbolContext) -> Iterator[Item]:
    """Yield the shadow, the rock, its foot, its snow, and the bands of shade and light.

    Shapes and items are in printed mm.
    """
    style, grid = context.style, rock.grid
    yield from shadow(rock.outline, context, (2.2, 2.4), 0.20, avoid=rock.outline)
    yield from fill(rock.outline, style.ink("mountain"))
    if not style.washes:
        return
    x, y = grid.nodes()
    waver, wave = (context.size(value) for value in _TINT_WAVER)
    uneven = rock.height + waver * context.noise.fractal(x, y, wave, octaves=2)
    rises, light = Regions.from_field(grid, uneven), Regions.from_field(grid, rock.light)
    for share, ink in zip(_FEET, style.family("mountain-foot"), strict=True):
        yield from clip_regions(
            [rises.area_below(share * rock.top)], rock.outline, ink.with_alpha(_FOOT_ALPHA), context
        )
    yield from clip_regions(
        [rises.area_above(_SNOW * rock.top)], rock.outline, context.tint("snow", _SNOW_ALPHA), context
    )
    yield from draw_shades(light, rock.outline, context, _DARK, _LIT)


def _make_slope_strokes(rock: _Rock, context: SymbolContext, name: str) -> Iterator[tuple[Line, float, float]]:
    """Yield strokes down the slopes: close and heavy in shade, few and short in the light.

    There are none on lit snow. Each is a line from the upper to the lower end, its width at the upper and its width at
    the lower end, in printed mm. ``name`` names the random stream.
    """
    stream, grid = context.stream(name), rock.grid
    closer = _HATCHED_SPACING if context.style.hatched else 1.0
    shade, middle, lit = (context.size(spacing) * closer for spacing in _SPACINGS)
    candidates = poisson_points(rock.outline.buffer(-context.size(_TRACE)), shade, stream, avoid=context.clear)
    light = grid.at(rock.light, candidates)
    stroke_starts = thin_out(candidates, np.select([light < _IN_SHADE, light < _IN_LIGHT], [shade, middle], lit))
    light, heights = grid.at(rock.light, stroke_starts), grid.at(rock.height, stroke_starts)
    is_lit_snow = (heights > (_SNOW * rock.top)) & (light > _BARE_SNOW)
    stroke_starts, light = stroke_starts[~is_lit_snow], light[~is_lit_snow]
    darkness = np.maximum(0.0, -light)
    chance = stream.draw_array(len(stroke_starts))
    lengths = np.where(light < _IN_LIGHT, 2.6 + 6.5 * np.minimum(1.0, 2 * darkness), 2.1) * (0.8 + 0.4 * chance)
    widths = 0.22 + 0.46 * np.minimum(1.0, 1.7 * darkness)
    for points, width in zip(
        _trace_downhill(stroke_starts, context.size(1) * lengths, rock, context), widths.tolist(), strict=True
    ):
        if len(points) > 3:
            yield points, context.width(width), context.size(0.08)


def _trace_downhill(starts: Line, max_lengths: Numbers, rock: _Rock, context: SymbolContext) -> Iterator[Line]:
    """Yield the path downhill from each point, an n x 2 array in printed mm, in the order of ``starts``.

    It ends at its greatest length, on level ground, at a label or near the outline, so it may be a single point.
    ``starts`` and ``max_lengths`` are in printed mm too.
    """
    step, grid = context.size(_TRACE), rock.grid
    north, east = np.gradient(rock.height, grid.cell)
    uphill = np.stack([east, north], axis=-1)
    max_steps = int(np.ceil(max_lengths.max(initial=0.0) / step))
    points = np.empty((max_steps + 1, len(starts), 2))
    positions: Line = starts
    points[0] = positions
    lengths = np.zeros(len(starts), dtype=int)
    is_active = np.ones(len(starts), dtype=bool)
    for number in range(1, max_steps + 1):
        downhill = -grid.at(uphill, positions)
        slope = np.hypot(downhill[:, 0], downhill[:, 1])
        next_positions = np.asarray(positions + downhill / np.maximum(slope, 1e-9)[:, None] * step)
        is_active = (
            is_active & (slope > _LEVEL) & (number * step < max_lengths) & (grid.at(rock.inside, next_positions) > step)
        )
        is_active &= ~shapely.contains_xy(context.clear, next_positions[:, 0], next_positions[:, 1])
        positions = np.where(is_active[:, None], next_positions, positions)
        points[number] = positions
        lengths += is_active
    for number, length in enumerate(lengths.tolist()):
        yield points[: length + 1, number]


def _make_crest_strokes(rock: _Rock, context: SymbolContext) -> Iterator[tuple[Line, float, float]]:
    """Yield a stroke along each ridge: a line, its width at the upper and at the lower end, in printed mm."""
    thick, thin = _RIDGE
    for ridge in rock.ridges.ridges:
        low = thick * ridge.low**1.2 if ridge.low > 0.5 else thin
        yield resampled(ridge.points, context.size(1.0)), context.width(thick * ridge.high**1.2), context.width(low)


def _make_foot_strokes(rock: _Rock, context: SymbolContext, name: str) -> Iterator[tuple[Line, float, float]]:
    """Yield short strokes from inside the outline out to it.

    Each is a line, its width at the inner and its width at the outer end, in printed mm. ``name`` names the random
    stream.
    """
    stream = context.stream(name)
    ring = LineString(rock.outline.exterior.coords)
    rim = resampled(ring if shapely.is_ccw(rock.outline.exterior) else ring.reverse(), context.size(_FOOT_EVERY))[:-1]
    if len(rim) < 2:
        return
    for foot, inward in zip(rim, normals(rim), strict=True):
        head = foot + inward * context.size(stream.between(*_FOOT_LENGTH))
        if rock.outline.contains(LineString([head, foot + inward * 0.1])):
            yield np.array([head, foot + inward * context.size(0.3)]), context.width(0.42), context.width(0.12)
