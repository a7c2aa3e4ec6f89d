"""A hill as numbers on a grid: how far inside each contour, how steep, how high, and how the light falls on it.

Source: the cartography, 9.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.items import Ink, Path
from printkit.drawing.canvas.shapes import Line, fills
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import (
    LANDFORMS,
    SOFT_END,
    Landform,
    Numbers,
    around,
    faced,
    places_around,
    same_bearing,
)
from printkit.drawing.signs.relief.spines import Spine
from printkit.terrain.field.features import Hill, Kind

if TYPE_CHECKING:
    import contourpy

_CELL: Final = 1.5
_MARGIN: Final = 8.0
_BAND: Final = (40.0, 18.0)
_FULL_HEIGHT_FROM: Final = 30.0
_STEEP_RISE: Final = 0.25
_SMOOTH_DISTANCE: Final = 7.0
_SMOOTH_NARROW: Final = 0.35
"""The most of the inscribed circle's radius by which distances are smoothed; more would level a narrow ridge."""

_SMOOTH_HEIGHT: Final = 3.0
_SMOOTH_LIGHT: Final = 1.5

USUAL_RADIUS: Final = 45.0
"""Radius in mm at 1:1 of the largest circle inside a hill that is drawn as most are; larger ones are broad."""

_BROADEST: Final = 4.0
"""How many usual radii a hill is broad at most, as far as its light and shade go."""

_RIDGE_RISE: Final = 0.24
"""Share of its radius by which a ridge is higher along its spine than other low ground."""

_FAINT: Final = 0.16
_FINER: Final = 2
"""The light up to which a broad hill has so many times as many bands: more than a dozen, one over the other and each so
thin, would tinge the ground, for screens and printers round colours off."""

_BROAD_BAND: Final = 0.72
"""Share of its radius over which a broad hill rises: were it not broader there, the rest would be a table."""

_BROAD_RISE: Final = 0.7
_BROAD_SMOOTH: Final = 2.6
"""How much more a broad hill is smoothed for each further usual radius, or it would have the ridges of a roof."""

_ROUND_ABOUT: Final = 1.5
"""Spreads of its smoothing that a broad hill's light is reckoned beyond its outline."""

_LIGHT: Final = (-0.58, 0.58, 0.57)
_COARSE_DISTANCE: Final = 2
_LARGE_GRID: Final = 12000
"""Nodes from which ground is so large that distances are measured on a still coarser grid."""

_COARSE_STEEPNESS: Final = 3
_LEAST_INSIDE: Final = 4.0
_NO_RING: Final = 3
"""The most points of a hole that has no ground."""

_RING_WITHIN: Final = 0.02
"""How far, as a share of a cell, a contour may lie beside the line to which distances are measured."""

_BAND_WITHIN: Final = 0.06
_BARE: Final = (Kind.CLIFF, Kind.SCREE)
"""Faces with a sign of their own, on which no hachures stand."""


class ReliefGrid(Struct, frozen=True, eq=False):
    """Square cells over a rectangle; a field on it is an array of rows from south to north."""

    left: float
    low: float
    cell: float
    columns: int
    rows: int

    @classmethod
    def over(cls, shape: BaseGeometry, margin: float, cell: float) -> ReliefGrid:
        """Return the grid that covers a shape and a margin about it."""
        left, low, right, high = shape.bounds
        columns, rows = (int(np.ceil((size + 2 * margin) / cell)) + 1 for size in (right - left, high - low))
        return cls(left - margin, low - margin, cell, columns, rows)

    @property
    def x(self) -> Numbers:
        """Return the x of every column."""
        return np.asarray(self.left + self.cell * np.arange(self.columns))

    @property
    def y(self) -> Numbers:
        """Return the y of every row."""
        return np.asarray(self.low + self.cell * np.arange(self.rows))

    def nodes(self) -> tuple[Numbers, Numbers]:
        """Return x and y of every node, row by row."""
        x, y = np.meshgrid(self.x, self.y)
        return x, y

    def coarser(self, factor: int) -> ReliefGrid:
        """Return a grid of wider cells over the same ground."""
        return ReliefGrid(self.left, self.low, self.cell * factor, self.columns // factor + 2, self.rows // factor + 2)

    def at(self, field: Numbers, points: Line) -> Numbers:
        """Return a field at points of any shape (..., 2), bilinear; beyond the grid its border goes on.

        A field may have several values at every node, rows x columns x values.
        """
        across, along = self._places(points[..., 0], points[..., 1])
        column, row = across.astype(int), along.astype(int)
        right, up = across - column, along - row
        if field.ndim > 2:
            right, up = right[..., None], up[..., None]
        low = field[row, column] * (1 - right) + field[row, column + 1] * right
        high = field[row + 1, column] * (1 - right) + field[row + 1, column + 1] * right
        value: Numbers = low * (1 - up) + high * up
        return value

    def on(self, field: Numbers, finer: ReliefGrid) -> Numbers:
        """Return a field at every node of another grid, as ``at`` does point by point."""
        across, along = self._places(finer.x, finer.y)
        column, row = across.astype(int), along.astype(int)
        right, up = across - column, (along - row)[:, None]
        found = field[:, column] * (1 - right) + field[:, column + 1] * right
        return np.asarray(found[row] * (1 - up) + found[row + 1] * up)

    def _places(self, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
        """Return between which columns and between which rows places lie, as broken numbers."""
        across = np.clip((x - self.left) / self.cell, 0, self.columns - 1.001)
        return across, np.clip((y - self.low) / self.cell, 0, self.rows - 1.001)

    def smoothed(self, field: Numbers, spread: float) -> Numbers:
        """Return a field blurred by ``spread`` mm (standard deviation): repeated binomial passes come near the bell."""
        padded = np.empty((self.rows + 2, self.columns + 2))
        inner = padded[1:-1, 1:-1]
        inner[:] = field
        rows, twice = np.empty((self.rows, self.columns + 2)), np.empty_like(padded)
        for _ in range(max(1, round(2 * (spread / self.cell) ** 2))):
            padded[0], padded[-1] = padded[1], padded[-2]
            padded[:, 0], padded[:, -1] = padded[:, 1], padded[:, -2]
            np.multiply(padded, 2, out=twice)
            np.add(padded[:-2], twice[1:-1], out=rows)
            rows += padded[2:]
            # Whole powers of two round nothing off: to divide by 16 once is to divide by 4 twice.
            np.multiply(rows, 2, out=twice[1:-1])
            np.add(rows[:, :-2], twice[1:-1, 1:-1], out=inner)
            inner += rows[:, 2:]
            inner /= 16
        return inner.copy()

    def above(self, field: Numbers, level: float) -> BaseGeometry:
        """Return the ground where a field is greater than a level."""
        return Regions.of(self, field).above(level)

    def below(self, field: Numbers, level: float) -> BaseGeometry:
        """Return the ground where a field is smaller than a level."""
        return Regions.of(self, field).below(level)


class Regions(Struct, frozen=True, eq=False):
    """The ground above or below any level of one field; to begin costs more than to ask for one level."""

    contours: contourpy.ContourGenerator

    @classmethod
    def of(cls, grid: ReliefGrid, field: Numbers) -> Regions:
        """Return the regions of a field on a grid."""
        return cls(_contours(*grid.nodes(), field))

    def above(self, level: float) -> BaseGeometry:
        """Return the ground where the field is greater than a level."""
        return self._between(level, np.inf)

    def below(self, level: float) -> BaseGeometry:
        """Return the ground where the field is smaller than a level."""
        return self._between(-np.inf, level)

    def _between(self, low: float, high: float) -> BaseGeometry:
        filled: Any = self.contours.filled(low, high)
        (points,), (rings,), (parts,) = filled
        if points is None:
            return Polygon()
        sizes = np.diff(rings.astype(np.int64))
        kept = sizes > _NO_RING
        ends = (np.append(0, np.cumsum(sizes[kept])), np.append(0, np.cumsum(kept))[parts], [0, len(parts) - 1])
        drawn = points[np.repeat(kept, sizes)]
        (found,) = shapely.from_ragged_array(shapely.GeometryType.MULTIPOLYGON, drawn, ends)
        return shapely.make_valid(found)


class Shade(NamedTuple):
    """Bands that deepen step by step: their ink, first and last level of the light, how many, and each one's alpha."""

    token: str
    first: float
    last: float
    bands: int
    alpha: float

    def finer(self, times: int) -> Shade:
        """Return the same shade in so many times as many bands."""
        return self._replace(bands=self.bands * times, alpha=self.alpha / times)


def shades(light: Regions, outline: Polygon, context: SymbolContext, dark: Shade, lit: Shade) -> list[Path]:
    """Return the slopes of a hill that face away from the light, and those that face it."""
    found: list[Path] = []
    for shade, region in ((dark, light.below), (lit, light.above)):
        ink = context.style.ink(shade.token)
        if ink is not None:
            levels = np.linspace(shade.first, shade.last, shade.bands).tolist()
            found += within([region(level) for level in levels], outline, ink.thin(shade.alpha), context)
    return found


def within(regions: list[BaseGeometry], outline: Polygon, ink: Ink | None, context: SymbolContext) -> list[Path]:
    """Return regions as far as they lie within an outline, each a path; nothing without an ink.

    Slips that nobody sees may be lost, which is many times as fast as keeping them.
    """
    if ink is None:
        return []
    shown = shapely.intersection(regions, outline)
    return fills(shapely.simplify(shown, context.size(_BAND_WITHIN), preserve_topology=False), repeat(ink))


def _contours(x: Numbers, y: Numbers, field: Numbers) -> contourpy.ContourGenerator:
    """Return what draws the contours of a field that has a value everywhere.

    The class itself is asked: ``contour_generator`` would look for masks, and so load the masked arrays, 10 ms.
    """
    import contourpy  # 3 ms, which a board without tints or hills does not need.

    return contourpy.SerialContourGenerator(
        x,
        y,
        field,
        None,  # type: ignore[arg-type]  # No mask, as contour_generator passes it too.
        corner_mask=True,
        line_type=contourpy.LineType.Separate,
        fill_type=contourpy.FillType.ChunkCombinedOffsetOffset,
        quad_as_tri=False,
        z_interp=contourpy.ZInterp.Linear,
    )


class ContourLevel(Struct, frozen=True, eq=False):
    """One contour and what the ground does inside it.

    ``rank`` is how many contours lie around it. ``places`` run once around the contour; with them go ``steepness``,
    0 gentle, 1 steep, and ``bare``, whether cliff or scree leaves no room for strokes. ``inside`` and ``slope`` are
    fields: mm inside the contour (negative outside), and steepness, which counts cliff and scree as well. ``uphill``
    is the smoothed gradient of ``inside``, across and up: of length 1 on a slope, near 0 on a ridge. ``deepest`` is the
    radius of the largest inscribed circle.
    """

    contour: Polygon
    rank: int
    places: Line
    steepness: Numbers
    bare: NDArray[np.bool_]
    inside: Numbers
    slope: Numbers
    uphill: Numbers
    deepest: float


class Relief(Struct, frozen=True, eq=False):
    """The fields of a hill, in printed mm; ``light`` is 0 on level ground, positive where the light falls full.

    It has a grid of its own, for it changes the more gently the broader a hill is. Where it changes little on the whole
    there are ``finer`` times as many bands of shade, or one would see their edges. Ridges have a ``spine``.
    """

    landform: Landform
    grid: ReliefGrid
    levels: tuple[ContourLevel, ...]
    light_grid: ReliefGrid
    light: Numbers
    finer: int
    spine: Spine | None = None

    @classmethod
    def of(cls, hill: Hill, context: SymbolContext, members: Sequence[Hill] = ()) -> Relief:
        """Return the relief of a hill at the scale of the context.

        Args:
            members: the hills that it consists of, if several: the upper levels of each are steep where it is itself.
        """
        grid = ReliefGrid.over(hill.outline, context.size(_MARGIN), context.size(_CELL))
        levels = tuple(_levels(hill, grid, context, members if len(members) > 1 else (hill,)))
        landform = LANDFORMS[hill.kind]
        rises = (_height(level, context.size(landform.height), context) for level in levels)
        height = sum(rises, np.zeros((grid.rows, grid.columns)))
        spine = Spine.of(levels[0].contour, levels[0].deepest, context) if landform.ridge else None
        broad = min(_BROADEST, max(1.0, max(level.deepest for level in levels) / context.size(USUAL_RADIUS)))
        spread = context.size(_SMOOTH_HEIGHT) * (1 + _BROAD_SMOOTH * (broad - 1))
        light_grid = grid
        if broad > 1:
            cell = grid.cell * int(broad + 0.5)
            light_grid = ReliefGrid.over(hill.outline, context.size(_MARGIN) + _ROUND_ABOUT * spread, cell)
            height = grid.on(height, light_grid)
        if spine is not None:
            # A ridge rises to its spine all the way, on either side.
            flanks = spine.flanks(
                *light_grid.nodes(), grid.on(levels[0].inside, light_grid), levels[0].deepest, context
            )
            height = height + flanks * _RIDGE_RISE * levels[0].deepest
        smooth = light_grid.smoothed(height, spread)
        light = light_on(smooth, light_grid, context.size(_SMOOTH_LIGHT) * broad)
        finer = _FINER if broad > 1 and float(np.abs(light).max()) < _FAINT else 1
        return cls(landform, grid, levels, light_grid, light, finer, spine)

    def above(self, level: ContourLevel) -> tuple[ContourLevel, ...]:
        """Return the next contours inside one."""
        return tuple(
            other for other in self.levels if other.rank == level.rank + 1 and level.contour.intersects(other.contour)
        )


def smooth_step(share: Numbers) -> Numbers:
    """Return 0 up to 0, 1 from 1 on, and a smooth change between."""
    held = np.clip(share, 0.0, 1.0)
    return np.asarray(held * held * (3 - 2 * held))


def _levels(hill: Hill, grid: ReliefGrid, context: SymbolContext, members: Sequence[Hill]) -> Iterator[ContourLevel]:
    outer_places = places_around(hill.outline, context)
    outer_steepness = faced(hill, outer_places, context, (Kind.STEEP_SLOPE,))
    covered = faced(hill, outer_places, context, _BARE)
    all_falls, outer_bare = np.maximum(outer_steepness, covered), covered > 0.5
    for number, contour in enumerate(hill.contours):
        rank = sum(other.contains(contour.representative_point()) for other in hill.contours[:number])
        places = outer_places if number == 0 else places_around(contour, context)
        steepness, falls, bare = outer_steepness, all_falls, outer_bare
        if number:
            if len(members) > 1:
                found = _as_below(places, members, context)
            elif outer_steepness.min() == outer_steepness.max():
                found = np.full(len(places), outer_steepness[0])
            else:
                found = outer_steepness[same_bearing(places, contour, outer_places, hill.outline)]
            falls = steepness = around(found, context.size(SOFT_END) / 2, contour.exterior.length)
            bare = np.zeros(len(places), dtype=bool)
        inside = inside_of(contour, grid)
        deepest = max(float(inside.max()), context.size(_LEAST_INSIDE))
        smooth = grid.smoothed(inside, min(context.size(_SMOOTH_DISTANCE), _SMOOTH_NARROW * deepest))
        up, across = np.gradient(smooth, grid.cell)
        yield ContourLevel(
            contour=contour,
            rank=rank,
            places=places,
            steepness=steepness,
            bare=bare,
            inside=inside,
            slope=_spread_inwards(grid, places, falls),
            uphill=np.stack([across, up], axis=-1),
            deepest=deepest,
        )


def _as_below(places: Line, members: Sequence[Hill], context: SymbolContext) -> Numbers:
    """Return how steep places of an upper contour are: as the outline on the same bearing of the hill that has them."""
    away, found = [], []
    for member in members:
        for contour in member.contours[1:]:
            outer = places_around(member.outline, context)
            steepness = faced(member, outer, context, (Kind.STEEP_SLOPE,))
            found.append(steepness[same_bearing(places, contour, outer, member.outline)])
            away.append(shapely.distance(shapely.points(places), contour.exterior))
    return np.asarray(np.array(found)[np.argmin(away, axis=0), np.arange(len(places))])


def inside_of(contour: Polygon, grid: ReliefGrid) -> Numbers:
    """Return how far inside a contour every node lies; measured on a coarser grid, for it changes evenly."""
    coarse = grid.coarser(_COARSE_DISTANCE + (grid.columns * grid.rows > _LARGE_GRID))
    x, y = coarse.nodes()
    ring = contour.exterior.simplify(_RING_WITHIN * grid.cell, preserve_topology=False)
    shapely.prepare(contour)
    away = shapely.distance(shapely.points(x, y), ring)
    inside = np.where(shapely.contains_xy(contour, x, y), away, -away)
    return coarse.on(inside, grid)


def _spread_inwards(grid: ReliefGrid, places: Line, steepness: Numbers) -> Numbers:
    """Return steepness everywhere: that of the nearest stretch of contour, blending where several are as near.

    Each place counts by the inverse fourth power of its distance. A coarser grid is enough for so smooth a field.
    """
    if steepness.min() == steepness.max():
        return np.full((grid.rows, grid.columns), steepness[0])
    coarse = grid.coarser(_COARSE_STEEPNESS)
    few = slice(None, None, max(1, len(places) // 160))
    x, y = coarse.nodes()
    square = (x.reshape(-1, 1) - places[few, 0]) ** 2 + (y.reshape(-1, 1) - places[few, 1]) ** 2
    distant = square + coarse.cell**2 / 4
    weights = 1 / (distant * distant)
    spread = (elementary.product(weights, steepness[few]) / weights.sum(axis=1)).reshape(coarse.rows, coarse.columns)
    return coarse.on(spread, grid)


def _height(level: ContourLevel, whole: float, context: SymbolContext) -> Numbers:
    """Return how much higher the ground is for one contour, at most about ``whole`` printed mm."""
    gentle, steep = _BAND
    broad = max(gentle, _BROAD_BAND * level.deepest / context.size(1))
    higher = math.pow(min(_BROADEST, broad / gentle), _BROAD_RISE)
    gentle = broad
    band = np.minimum(context.size(1) * (gentle + (steep - gentle) * level.slope), 0.95 * level.deepest)
    rise = whole * higher * min(1.0, level.deepest / context.size(_FULL_HEIGHT_FROM))
    return np.asarray(rise * smooth_step(level.inside / band) * (1 + _STEEP_RISE * level.slope))


def light_on(height: Numbers, grid: ReliefGrid, smooth: float) -> Numbers:
    """Return how the light falls on a surface: 0 on level ground, at most 1; blurred by ``smooth`` mm."""
    along, across = np.gradient(height, grid.cell)
    east, north, up = _LIGHT
    falls = (up - across * east - along * north) / np.sqrt(across**2 + along**2 + 1) - up
    return grid.smoothed(falls, smooth)
