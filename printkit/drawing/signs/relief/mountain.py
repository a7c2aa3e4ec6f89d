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
from printkit.core import elementary
from printkit.drawing.canvas.items import Item, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, normals, outline, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.scatter import poisson_points, thin_out
from printkit.drawing.signs.lines.course_lines import on, shadow
from printkit.drawing.signs.relief.landforms import Numbers, run_on
from printkit.drawing.signs.relief.relief_field import (
    Regions,
    ReliefGrid,
    Shade,
    inside_of,
    light_on,
    shades,
    within,
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
    """A line from higher to lower ground, with the height at each end as a share of a peak's height."""

    points: Line
    high: float
    low: float

    def heights(self, count: int) -> Numbers:
        """Return the heights at ``count`` even steps along the ridge."""
        return np.asarray(self.high + (self.low - self.high) * elementary.power(np.linspace(0, 1, count), _CREST_FALL))


class Ridges(Struct, frozen=True, eq=False):
    """All ridges of a mountain. ``radius`` is that of a circle with the area of one peak's ground, in printed mm."""

    radius: float
    ridges: tuple[Ridge, ...]

    def height(self, grid: ReliefGrid, *, share: float, fall: float, step: float) -> Numbers:
        """Return the height of cones along all ridges in printed mm; -inf outside every cone.

        Args:
            grid: the grid of the result.
            share: height of a peak in radii.
            fall: slope of a cone.
            step: mm between the cones of a ridge.
        """
        found = np.full((grid.rows, grid.columns), -np.inf)
        x, y = grid.x, grid.y
        for ridge in self.ridges:
            points = resampled(ridge.points, step)
            tops = ridge.heights(len(points)) * share * self.radius
            for (across, up), top in zip(points.tolist(), tops.tolist(), strict=True):
                reach = top / fall
                rows = slice(*np.searchsorted(y, (up - reach, up + reach)).tolist())
                columns = slice(*np.searchsorted(x, (across - reach, across + reach)).tolist())
                cone = top - fall * np.hypot(x[columns] - across, y[rows, None] - up)
                np.maximum(found[rows, columns], cone, out=found[rows, columns])
        return found


def ridges(outline: Polygon, peaks: int | Sequence[Line], inside: Numbers, grid: ReliefGrid, stream: Stream) -> Ridges:
    """Return the ridges of a mountain.

    Args:
        outline: outline of the mountain.
        peaks: the number of peaks along its axis, or the position of each peak in order.
        inside: how far inside the outline every node of the grid is, in mm.
        grid: the grid of ``inside``.
        stream: random stream for bends, spurs and forks.
    """
    axis = _axis(outline)
    tops = _peaks(outline, peaks, axis, inside, grid) if isinstance(peaks, int) else list(peaks)
    radius = math.sqrt(outline.area / len(tops) / math.pi)
    drawing = _Drawing(outline, radius, stream)
    drawing.main(tops, axis)
    for number, top in enumerate(tops):
        ends = number in (0, len(tops) - 1)
        before, after = tops[max(0, number - 1)], tops[min(len(tops) - 1, number + 1)]
        along = axis if len(tops) == 1 else _bearing(after - before)
        for side in (1.0, -1.0):
            for turn in _END_SPURS if ends else _MIDDLE_SPURS:
                drawing.spur(top, along, side, turn)
    return Ridges(radius, tuple(drawing.found))


class _Drawing:
    """The ridges placed so far. Each new ridge stays clear of the others."""

    def __init__(self, outline: Polygon, radius: float, stream: Stream) -> None:
        self._outline = outline
        self._rim = outline.exterior
        self._radius = radius
        self._stream = stream
        self.found: list[Ridge] = []

    def main(self, tops: list[Line], axis: float) -> None:
        """Add the main ridge over all peaks and on towards the outline at both ends."""
        first = axis + math.pi if len(tops) == 1 else _bearing(tops[0] - tops[1])
        last = axis if len(tops) == 1 else _bearing(tops[-1] - tops[-2])
        for top, bearing in ((tops[0], first), (tops[-1], last)):
            turned = bearing + self._stream.between(-_END_WAVER, _END_WAVER)
            end = top + (self._edge(top, turned) - top) * _TO_EDGE
            self.found.append(Ridge(self._zigzag(top, end, _NODES), 1.0, _FOOT))
        for one, other in pairwise(tops):
            if not self._outline.contains(LineString([one, other])):
                continue
            aside = np.array([self._stream.between(-0.1, 0.1), self._stream.between(-0.1, 0.1)])
            saddle = (one + other) / 2 + aside * self._radius
            for top in (one, other):
                self.found.append(Ridge(self._zigzag(top, saddle, _NODES), 1.0, _SADDLE))

    def spur(self, top: Line, along: float, side: float, turn: float) -> None:
        """Add a spur and its fork, or nothing if there is no free position."""
        for _ in range(_TRIES):
            bearing = along + side * (turn + self._stream.between(-_SPUR_WAVER, _SPUR_WAVER))
            end = top + (self._edge(top, bearing) - top) * self._stream.between(*_SPUR_REACH)
            spur = Ridge(self._zigzag(top, end, _NODES), 0.97, _FOOT)
            if self._free(spur.points):
                self.found.append(spur)
                self._fork(spur, bearing)
                return

    def _fork(self, spur: Ridge, bearing: float) -> None:
        for _ in range(_TRIES):
            node = _FORK_NODES[self._stream.draw_index(len(_FORK_NODES))]
            turn = self._stream.between(*_FORK_TURN) * (1 if self._stream.draw_unit() < 0.5 else -1)
            at = spur.points[node]
            end = at + (self._edge(at, bearing + turn) - at) * _FORK_REACH
            fork = Ridge(self._zigzag(at, end, _FORK_BENDS), float(spur.heights(_NODES)[node]), _FORK_FOOT)
            if self._free(fork.points):
                self.found.append(fork)
                return

    def _free(self, points: Line) -> bool:
        """Return whether a ridge stays clear of all others, apart from its start."""
        line = LineString(points[1:])
        away = min(LineString(ridge.points).distance(line) for ridge in self.found)
        return bool(away > _APART * self._radius)

    def _edge(self, at: Line, bearing: float) -> Line:
        """Return the first point where a ray meets the outline."""
        far = 1.0 + self._rim.length
        ray = LineString([at, at + far * np.array([math.cos(bearing), math.sin(bearing)])])
        met = shapely.get_coordinates(shapely.intersection(ray, self._rim))
        return np.asarray(met[np.hypot(*(met - at).T).argmin()]) if len(met) else at

    def _zigzag(self, start: Line, end: Line, nodes: int) -> Line:
        share = np.linspace(0, 1, nodes)
        way = end - start
        swing = (
            _ZIGZAG * (2 * self._stream.draw_array(nodes) - 1) * elementary.power(elementary.sin(np.pi * share), 0.6)
        )
        return np.asarray(start + share[:, None] * way + swing[:, None] * np.array([-way[1], way[0]]))


def _axis(outline: Polygon) -> float:
    """Return the bearing of the long side of the smallest rectangle around an outline, in radians."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))
    sides = np.diff(corners[:3], axis=0)
    return _bearing(sides[np.hypot(*sides.T).argmax()]) % math.pi


def length_of(outline: Polygon) -> float:
    """Return the length of the long side of the smallest rectangle around an outline."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))
    return float(np.hypot(*np.diff(corners[:3], axis=0).T).max())


def _peaks(outline: Polygon, count: int, axis: float, inside: Numbers, grid: ReliefGrid) -> list[Line]:
    """Return the peaks along the axis: the innermost node in the middle of each of ``count`` equal sections."""
    along = np.array([math.cos(axis), math.sin(axis)])
    reach = elementary.product(shapely.get_coordinates(outline), along)
    x, y = grid.nodes()
    share = (x * along[0] + y * along[1] - reach.min()) / float(np.ptp(reach))
    found: list[Line] = []
    for number in range(count):
        # The ends of a section are left for the saddles between neighbouring peaks.
        middle = np.abs(share * count - number - 0.5) < (0.5 if count == 1 else _NEAR_MIDDLE)
        depth = np.where(middle, inside, -np.inf)
        row, column = np.unravel_index(int(depth.argmax()), depth.shape)
        top = np.array([float(x[row, column]), float(y[row, column])])
        if outline.contains(Point(top)):
            found.append(top)
    return found or [shapely.get_coordinates(outline.representative_point())[0]]


def _bearing(way: Line) -> float:
    return math.atan2(float(way[1]), float(way[0]))


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
    """A mountain on a grid.

    Attributes:
        inside: distance inside the outline, in mm.
        height: height of the ground, in mm.
        light: light on the surface, see ``light_on``.
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
    """Draw a mountain. Its number of peaks comes from its cells, or from its length."""
    rock = _rock(run_on(hill, field.board, context), context, field, f"draw/{hill.id}/ridges")
    yield from on(LayerName.MOUNTAIN, _tones(rock, context))
    ink = context.style.solid("mountain-line")
    soft = context.tint("mountain-line", 0.80)
    yield from on(LayerName.MOUNTAIN, wedges(_strokes(rock, context, f"draw/{hill.id}/strokes"), soft))
    yield from on(LayerName.MOUNTAIN, wedges(_crests(rock, context), ink))
    yield from on(
        LayerName.MOUNTAIN, wedges(_feet(rock, context, f"draw/{hill.id}/feet"), context.tint("mountain-line", 0.9))
    )
    line = context.stroke(ink, _OUTLINE, minimum_mm=LEAST_MEANING)
    yield from on(LayerName.MOUNTAIN, outline(rock.outline, line))


def _rock(hill: Hill, context: SymbolContext, field: Battlefield, name: str) -> _Rock:
    ground = hill.outline
    grid = ReliefGrid.over(ground, context.size(_MARGIN), context.size(_CELL))
    inside = inside_of(ground, grid)
    peaks = _cell_peaks(hill, field) or len(hill.cells) or max(1, round(length_of(ground) / context.size(_PEAK_EVERY)))
    found = ridges(ground, peaks, inside, grid, context.stream(name))
    top = _HEIGHT * found.radius
    cones = found.height(grid, share=_HEIGHT, fall=_FALL, step=context.size(_RIDGE_STEP))
    rise, soft = _LEAST_RISE * inside, context.size(_SOFT)
    height = soft * np.logaddexp(0.0, (np.maximum(cones, -10 * top) - rise) / soft) + rise
    most, more = _MOST_RISE
    x, y = grid.nodes()
    rough, wave = (context.size(value) for value in _ROUGH)
    height = np.minimum(height, most * inside + context.size(more)) + rough * context.noise.fractal(
        x, y, wave, octaves=2
    )
    height = grid.smoothed(np.where(inside > 0, height, 0.0), context.size(_SMOOTH))
    return _Rock(ground, grid, inside, height, light_on(height, grid, context.size(_SMOOTH_LIGHT)), top, found)


def _cell_peaks(hill: Hill, field: Battlefield) -> list[Line]:
    """Return a peak in the middle of each cell, each next one the nearest of the rest; empty without a grid."""
    grid = field.grid
    if grid is None or not hill.cells:
        return []
    left = [np.array(grid.centre(Cell(*cell))) for cell in hill.cells]
    left = [top for top in left if hill.outline.contains(shapely.points(top))]
    # Start at the outermost peak, or the ridge would double back.
    middle = np.mean(left, axis=0) if left else 0.0
    left.sort(key=lambda top: -round(float(np.hypot(*(top - middle))), 3))
    found = left[:1]
    left = left[1:]
    while left:
        left.sort(key=lambda top: round(float(np.hypot(*(top - found[-1]))), 3))
        found.append(left.pop(0))
    return found


def _tones(rock: _Rock, context: SymbolContext) -> Iterator[Item]:
    """Yield the shadow, the rock, its foot, its snow, and the bands of shade and light."""
    style, grid = context.style, rock.grid
    yield from shadow(rock.outline, context, (2.2, 2.4), 0.20, off=rock.outline)
    yield from fill(rock.outline, style.ink("mountain"))
    if not style.washes:
        return
    x, y = grid.nodes()
    waver, wave = (context.size(value) for value in _TINT_WAVER)
    uneven = rock.height + waver * context.noise.fractal(x, y, wave, octaves=2)
    rises, light = Regions.of(grid, uneven), Regions.of(grid, rock.light)
    for share, ink in zip(_FEET, style.family("mountain-foot"), strict=True):
        yield from within([rises.below(share * rock.top)], rock.outline, ink.with_alpha(_FOOT_ALPHA), context)
    yield from within([rises.above(_SNOW * rock.top)], rock.outline, context.tint("snow", _SNOW_ALPHA), context)
    yield from shades(light, rock.outline, context, _DARK, _LIT)


def _strokes(rock: _Rock, context: SymbolContext, name: str) -> Iterator[tuple[Line, float, float]]:
    """Yield strokes down the slopes: close and heavy in shade, few and short in the light, none on lit snow."""
    stream, grid = context.stream(name), rock.grid
    closer = _HATCHED_SPACING if context.style.hatched else 1.0
    shade, middle, lit = (context.size(spacing) * closer for spacing in _SPACINGS)
    tries = poisson_points(rock.outline.buffer(-context.size(_TRACE)), shade, stream, avoid=context.clear)
    light = grid.at(rock.light, tries)
    places = thin_out(tries, np.select([light < _IN_SHADE, light < _IN_LIGHT], [shade, middle], lit))
    light, high = grid.at(rock.light, places), grid.at(rock.height, places)
    bare = (high > (_SNOW * rock.top)) & (light > _BARE_SNOW)
    places, light = places[~bare], light[~bare]
    dark = np.maximum(0.0, -light)
    chance = stream.draw_array(len(places))
    long = np.where(light < _IN_LIGHT, 2.6 + 6.5 * np.minimum(1.0, 2 * dark), 2.1) * (0.8 + 0.4 * chance)
    heavy = 0.22 + 0.46 * np.minimum(1.0, 1.7 * dark)
    for points, width in zip(_falling(places, context.size(1) * long, rock, context), heavy.tolist(), strict=True):
        if len(points) > 3:
            yield points, context.width(width), context.size(0.08)


def _falling(places: Line, long: Numbers, rock: _Rock, context: SymbolContext) -> Iterator[Line]:
    """Yield the path downhill from each point, of its length at most, to level ground, a label or the outline."""
    step, grid = context.size(_TRACE), rock.grid
    up, across = np.gradient(rock.height, grid.cell)
    uphill = np.stack([across, up], axis=-1)
    most = int(np.ceil(long.max(initial=0.0) / step))
    points = np.empty((most + 1, len(places), 2))
    at: Line = places
    points[0] = at
    lengths = np.zeros(len(places), dtype=int)
    going = np.ones(len(places), dtype=bool)
    for number in range(1, most + 1):
        fall = -grid.at(uphill, at)
        rate = np.hypot(fall[:, 0], fall[:, 1])
        onward = np.asarray(at + fall / np.maximum(rate, 1e-9)[:, None] * step)
        going = going & (rate > _LEVEL) & (number * step < long) & (grid.at(rock.inside, onward) > step)
        going &= ~shapely.contains_xy(context.clear, onward[:, 0], onward[:, 1])
        at = np.where(going[:, None], onward, at)
        points[number] = at
        lengths += going
    for number, length in enumerate(lengths.tolist()):
        yield points[: length + 1, number]


def _crests(rock: _Rock, context: SymbolContext) -> Iterator[tuple[Line, float, float]]:
    thick, thin = _RIDGE
    for ridge in rock.ridges.ridges:
        low = thick * ridge.low**1.2 if ridge.low > 0.5 else thin
        yield resampled(ridge.points, context.size(1.0)), context.width(thick * ridge.high**1.2), context.width(low)


def _feet(rock: _Rock, context: SymbolContext, name: str) -> Iterator[tuple[Line, float, float]]:
    """Yield short strokes from inside the outline out to it."""
    stream = context.stream(name)
    ring = LineString(rock.outline.exterior.coords)
    rim = resampled(ring if shapely.is_ccw(rock.outline.exterior) else ring.reverse(), context.size(_FOOT_EVERY))[:-1]
    if len(rim) < 2:
        return
    for foot, inward in zip(rim, normals(rim), strict=True):
        head = foot + inward * context.size(stream.between(*_FOOT_LENGTH))
        if rock.outline.contains(LineString([head, foot + inward * 0.1])):
            yield np.array([head, foot + inward * context.size(0.3)]), context.width(0.42), context.width(0.12)
