"""A hill on a grid: distance inside each contour, steepness, height, and the light on the surface.

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

from printkit.core import exact_math
from printkit.drawing.canvas.items import Ink, Path
from printkit.drawing.canvas.shapes import Line, fills
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import (
    LANDFORMS,
    SOFT_END,
    Landform,
    Numbers,
    compute_face_weights,
    match_bearings,
    sample_contour,
    smooth_ring,
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
# Greatest smoothing of distances, as a share of the largest circle's radius. More would level a narrow ridge.
_SMOOTH_NARROW: Final = 0.35

_SMOOTH_HEIGHT: Final = 3.0
_SMOOTH_LIGHT: Final = 1.5

# Radius in mm at 1:1 of the largest circle inside a hill of usual size; larger hills are broad.
USUAL_RADIUS: Final = 45.0

_BROADEST: Final = 4.0  # Greatest breadth of a hill for light and shade, in usual radii

_RIDGE_RISE: Final = 0.24  # Extra height of a ridge along its spine, as a share of its radius

_FAINT: Final = 0.16  # Greatest light of a broad hill that gets more bands.
# Factor for those bands. More than a dozen thin overlapping bands would tint the ground by rounding of colours.
_FINER: Final = 2

# Width of a broad hill's slope as a share of its radius. A narrower slope would leave a flat top.
_BROAD_BAND: Final = 0.72

_BROAD_RISE: Final = 0.7
# Extra smoothing of a broad hill for each further usual radius; without it a hill has creases like a roof.
_BROAD_SMOOTH: Final = 4.5

_ROUND_ABOUT: Final = 1.5  # Margin of a broad hill's light grid, in spreads of its smoothing

_LIGHT: Final = (-0.58, 0.58, 0.57)
_COARSE_DISTANCE: Final = 2
_LARGE_GRID: Final = 12000  # Number of nodes from which distances are measured on a still coarser grid

_COARSE_STEEPNESS: Final = 3
_LEAST_INSIDE: Final = 4.0
_NO_RING: Final = 3  # A hole with this many points or fewer is dropped because it has no area.

# Tolerance of the simplified contour for measuring distances, as a share of a cell
_RING_WITHIN: Final = 0.02

_BAND_WITHIN: Final = 0.06
_BARE: Final = (Kind.CLIFF, Kind.SCREE)  # Faces with a separate symbol and without hachures


class ReliefGrid(Struct, frozen=True, eq=False):
    """Square cells over a rectangle, in printed mm. A field on it is an array of rows from south to north."""

    left: float
    bottom: float
    cell: float
    columns: int
    rows: int

    @classmethod
    def covering(cls, shape: BaseGeometry, margin: float, cell: float) -> ReliefGrid:
        """Return the grid that covers a shape and a margin around it, with cells of ``cell`` mm.

        Everything is in printed mm.
        """
        left, low, right, high = shape.bounds
        columns, rows = (int(np.ceil((size + 2 * margin) / cell)) + 1 for size in (right - left, high - low))
        return cls(left - margin, low - margin, cell, columns, rows)

    @property
    def x(self) -> Numbers:
        """Return the x of every column, in printed mm."""
        return np.asarray(self.left + self.cell * np.arange(self.columns))

    @property
    def y(self) -> Numbers:
        """Return the y of every row, in printed mm."""
        return np.asarray(self.bottom + self.cell * np.arange(self.rows))

    def nodes(self) -> tuple[Numbers, Numbers]:
        """Return x and y of every node in printed mm, as two arrays of rows x columns."""
        x, y = np.meshgrid(self.x, self.y)
        return x, y

    def coarser(self, factor: int) -> ReliefGrid:
        """Return a grid over the same ground with cells ``factor`` times as large, from the same lower left corner."""
        return ReliefGrid(
            self.left, self.bottom, self.cell * factor, self.columns // factor + 2, self.rows // factor + 2
        )

    def at(self, field: Numbers, points: Line) -> Numbers:
        """Return the bilinear values of a field at points of any shape (..., 2); outside, the border value.

        A field may have several values at every node: rows x columns x values. ``points`` are in printed mm.
        """
        x_index, y_index = self._fractional_indices(points[..., 0], points[..., 1])
        column, row = x_index.astype(int), y_index.astype(int)
        right, up = x_index - column, y_index - row
        if field.ndim > 2:
            right, up = right[..., None], up[..., None]
        low = field[row, column] * (1 - right) + field[row, column + 1] * right
        high = field[row + 1, column] * (1 - right) + field[row + 1, column + 1] * right
        value: Numbers = low * (1 - up) + high * up
        return value

    def resample_on(self, field: Numbers, finer: ReliefGrid) -> Numbers:
        """Return a field at every node of a finer grid, interpolated like ``at``, in its unit."""
        x_index, y_index = self._fractional_indices(finer.x, finer.y)
        column, row = x_index.astype(int), y_index.astype(int)
        right, up = x_index - column, (y_index - row)[:, None]
        row_values = field[:, column] * (1 - right) + field[:, column + 1] * right
        return np.asarray(row_values[row] * (1 - up) + row_values[row + 1] * up)

    def _fractional_indices(self, x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
        """Return the fractional column and row of points, given by x and y in printed mm."""
        x_index = np.clip((x - self.left) / self.cell, 0, self.columns - 1.001)
        return x_index, np.clip((y - self.bottom) / self.cell, 0, self.rows - 1.001)

    def blur(self, field: Numbers, spread: float) -> Numbers:
        """Return a field blurred by ``spread`` printed mm (standard deviation), by repeated binomial passes.

        The result is a new array of rows x columns, in the unit of the field.
        """
        padded = np.empty((self.rows + 2, self.columns + 2))
        inner = padded[1:-1, 1:-1]
        inner[:] = field
        rows, doubled = np.empty((self.rows, self.columns + 2)), np.empty_like(padded)
        for _ in range(max(1, round(2 * (spread / self.cell) ** 2))):
            padded[0], padded[-1] = padded[1], padded[-2]
            padded[:, 0], padded[:, -1] = padded[:, 1], padded[:, -2]
            np.multiply(padded, 2, out=doubled)
            np.add(padded[:-2], doubled[1:-1], out=rows)
            rows += padded[2:]
            # Powers of two are exact: dividing by 16 once equals dividing by 4 twice.
            np.multiply(rows, 2, out=doubled[1:-1])
            np.add(rows[:, :-2], doubled[1:-1, 1:-1], out=inner)
            inner += rows[:, 2:]
            inner /= 16
        return inner.copy()

    def area_above(self, field: Numbers, level: float) -> BaseGeometry:
        """Return the ground where a field is greater than a level, in printed mm; empty for none.

        ``level`` has the unit of the field.
        """
        return Regions.from_field(self, field).area_above(level)

    def area_below(self, field: Numbers, level: float) -> BaseGeometry:
        """Return the ground where a field is smaller than a level, in printed mm; empty for none.

        ``level`` has the unit of the field.
        """
        return Regions.from_field(self, field).area_below(level)


class Regions(Struct, frozen=True, eq=False):
    """The ground above or below any level of one field. Building it costs more than one query."""

    contours: contourpy.ContourGenerator

    @classmethod
    def from_field(cls, grid: ReliefGrid, field: Numbers) -> Regions:
        """Return the regions above and below levels of a field, an array with a value for each node."""
        return cls(make_contour_generator(*grid.nodes(), field))

    def area_above(self, level: float) -> BaseGeometry:
        """Return the ground where the field is greater than a level, in printed mm; empty for none.

        ``level`` has the unit of the field.
        """
        return self._area_between(level, np.inf)

    def area_below(self, level: float) -> BaseGeometry:
        """Return the ground where the field is smaller than a level, in printed mm; empty for none.

        ``level`` has the unit of the field.
        """
        return self._area_between(-np.inf, level)

    def _area_between(self, low: float, high: float) -> BaseGeometry:
        """Return the ground where the field is between two levels, in printed mm; an empty polygon for none.

        Levels are in the unit of the field.
        """
        polygon_data: Any = self.contours.filled(low, high)
        (points,), (rings,), (parts,) = polygon_data
        if points is None:
            return Polygon()
        sizes = np.diff(rings.astype(np.int64))
        has_area = sizes > _NO_RING
        ends = (np.append(0, np.cumsum(sizes[has_area])), np.append(0, np.cumsum(has_area))[parts], [0, len(parts) - 1])
        kept_points = points[np.repeat(has_area, sizes)]
        (area,) = shapely.from_ragged_array(shapely.GeometryType.MULTIPOLYGON, kept_points, ends)
        return shapely.make_valid(area)


class Shade(NamedTuple):
    """Bands that deepen step by step.

    Levels are values of the light, without a unit; alpha is 0 to 1.

    Attributes:
        token: the name of the ink.
        first: first level of the light.
        last: last level of the light.
        bands: number of bands.
        alpha: alpha of each band.
    """

    token: str
    first: float
    last: float
    bands: int
    alpha: float

    def finer(self, times: int) -> Shade:
        """Return the same shade with ``times`` as many bands."""
        return self._replace(bands=self.bands * times, alpha=self.alpha / times)


def draw_shades(light: Regions, outline: Polygon, context: SymbolContext, dark: Shade, lit: Shade) -> list[Path]:
    """Return the shading of a hill as paths, clipped to its outline in printed mm.

    ``light`` is the light on the hill. ``dark`` shades slopes away from the light, and ``lit`` those that face it.
    """
    paths: list[Path] = []
    for shade, region in ((dark, light.area_below), (lit, light.area_above)):
        ink = context.style.ink(shade.token)
        if ink is not None:
            levels = np.linspace(shade.first, shade.last, shade.bands).tolist()
            paths += clip_regions([region(level) for level in levels], outline, ink.with_alpha(shade.alpha), context)
    return paths


def clip_regions(regions: list[BaseGeometry], outline: Polygon, ink: Ink | None, context: SymbolContext) -> list[Path]:
    """Return regions clipped to an outline, one path each, in their order; an empty list without an ink.

    Everything is in printed mm. The result is simplified and may lose invisible slivers, which is many times faster.
    """
    if ink is None:
        return []
    clipped_regions = shapely.intersection(regions, outline)
    return fills(shapely.simplify(clipped_regions, context.size(_BAND_WITHIN), preserve_topology=False), repeat(ink))


def make_contour_generator(x: Numbers, y: Numbers, field: Numbers) -> contourpy.ContourGenerator:
    """Return the contour generator of a field without missing values.

    ``contourpy.contour_generator`` would look for masks and import the masked arrays (10 ms), so the class is used
    directly.
    """
    import contourpy  # Takes 3 ms; boards without tints or hills do not need it.

    return contourpy.SerialContourGenerator(
        x,
        y,
        field,
        None,  # type: ignore[arg-type]  # No mask; contour_generator also passes None.
        corner_mask=True,
        line_type=contourpy.LineType.Separate,
        fill_type=contourpy.FillType.ChunkCombinedOffsetOffset,
        quad_as_tri=False,
        z_interp=contourpy.ZInterp.Linear,
    )


class ContourLevel(Struct, frozen=True, eq=False):
    """One contour and the shape of the ground inside it, in printed mm.

    Attributes:
        contour: the contour.
        rank: the number of contours around it.
        places: points around the contour.
        steepness: steepness at each place, from 0 (gentle) to 1 (steep).
        bare: whether cliff or scree replaces strokes at each place.
        inside: field of the distance inside the contour in printed mm; negative outside.
        slope: field of the steepness, cliff and scree included.
        uphill: smoothed gradient of ``inside``, (x, y): length 1 on a slope, near 0 on a ridge.
        deepest: radius of the largest circle inside.
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
    """The fields of a hill, in printed mm.

    ``light`` is 0 on level ground and positive where it faces the light. It has a separate, coarser grid on broad
    hills. Where the light changes little, ``finer`` multiplies the number of shade bands to hide their edges. Ridges
    have a ``spine``.
    """

    landform: Landform
    grid: ReliefGrid
    levels: tuple[ContourLevel, ...]
    light_grid: ReliefGrid
    light: Numbers
    finer: int
    spine: Spine | None = None

    @classmethod
    def from_hill(cls, hill: Hill, context: SymbolContext, members: Sequence[Hill] = ()) -> Relief:
        """Return the relief of a hill at the scale of the context, in printed mm.

        Args:
            hill: the hill.
            context: gives scale, sizes and noise.
            members: the hills that make up a joint hill. Upper levels take their steepness from the member that they
                belong to.
        """
        grid = ReliefGrid.covering(hill.outline, context.size(_MARGIN), context.size(_CELL))
        levels = tuple(_build_levels(hill, grid, context, members if len(members) > 1 else (hill,)))
        landform = LANDFORMS[hill.kind]
        rises = (_compute_height(level, context.size(landform.height), context) for level in levels)
        height = sum(rises, np.zeros((grid.rows, grid.columns)))
        spine = Spine.from_contour(levels[0].contour, levels[0].deepest, context) if landform.ridge else None
        broad = min(_BROADEST, max(1.0, max(level.deepest for level in levels) / context.size(USUAL_RADIUS)))
        spread = context.size(_SMOOTH_HEIGHT) * (1 + _BROAD_SMOOTH * (broad - 1))
        light_grid = grid
        if broad > 1:
            cell = grid.cell * int(broad + 0.5)
            light_grid = ReliefGrid.covering(hill.outline, context.size(_MARGIN) + _ROUND_ABOUT * spread, cell)
            height = grid.resample_on(height, light_grid)
        if spine is not None:
            # A ridge rises all the way to its spine on both sides.
            flanks = spine.flank_heights(
                *light_grid.nodes(), grid.resample_on(levels[0].inside, light_grid), levels[0].deepest, context
            )
            height = height + flanks * _RIDGE_RISE * levels[0].deepest
        smooth = light_grid.blur(height, spread)
        light = compute_light(smooth, light_grid, context.size(_SMOOTH_LIGHT) * broad)
        finer = _FINER if broad > 1 and float(np.abs(light).max()) < _FAINT else 1
        return cls(landform, grid, levels, light_grid, light, finer, spine)

    def levels_above(self, level: ContourLevel) -> tuple[ContourLevel, ...]:
        """Return the contours directly inside a level; an empty tuple if there is no contour in it."""
        return tuple(
            candidate
            for candidate in self.levels
            if candidate.rank == level.rank + 1 and level.contour.intersects(candidate.contour)
        )


def smooth_step(share: Numbers) -> Numbers:
    """Return 0 for a share up to 0, 1 for one from 1 on, and a smooth transition between."""
    clipped = np.clip(share, 0.0, 1.0)
    return np.asarray(clipped * clipped * (3 - 2 * clipped))


def _build_levels(
    hill: Hill, grid: ReliefGrid, context: SymbolContext, members: Sequence[Hill]
) -> Iterator[ContourLevel]:
    """Yield the contour levels of a hill, lowest first.

    ``members`` are the hills of a joint hill; upper levels take their steepness from the member that they belong to.
    """
    outer_places = sample_contour(hill.outline, context)
    outer_steepness = compute_face_weights(hill, outer_places, context, (Kind.STEEP_SLOPE,))
    covered_weights = compute_face_weights(hill, outer_places, context, _BARE)
    outer_falls, is_outer_bare = np.maximum(outer_steepness, covered_weights), covered_weights > 0.5
    for number, contour in enumerate(hill.contours):
        rank = sum(outer_contour.contains(contour.representative_point()) for outer_contour in hill.contours[:number])
        places = outer_places if number == 0 else sample_contour(contour, context)
        steepness, falls, bare = outer_steepness, outer_falls, is_outer_bare
        if number:
            if len(members) > 1:
                upper_steepness = _find_lower_steepness(places, members, context)
            elif outer_steepness.min() == outer_steepness.max():
                upper_steepness = np.full(len(places), outer_steepness[0])
            else:
                upper_steepness = outer_steepness[match_bearings(places, contour, outer_places, hill.outline)]
            falls = steepness = smooth_ring(upper_steepness, context.size(SOFT_END) / 2, contour.exterior.length)
            bare = np.zeros(len(places), dtype=bool)
        inside = measure_inside(contour, grid)
        deepest = max(float(inside.max()), context.size(_LEAST_INSIDE))
        smooth = grid.blur(inside, min(context.size(_SMOOTH_DISTANCE), _SMOOTH_NARROW * deepest))
        north, east = np.gradient(smooth, grid.cell)
        yield ContourLevel(
            contour=contour,
            rank=rank,
            places=places,
            steepness=steepness,
            bare=bare,
            inside=inside,
            slope=_spread_inwards(grid, places, falls),
            uphill=np.stack([east, north], axis=-1),
            deepest=deepest,
        )


def _find_lower_steepness(places: Line, members: Sequence[Hill], context: SymbolContext) -> Numbers:
    """Return the steepness at places of an upper contour, 0 to 1, from the outline of their hill.

    It is that of the outline on the same bearing. ``places`` is an n x 2 array in printed mm.
    """
    distances, steepness_rows = [], []
    for member in members:
        for contour in member.contours[1:]:
            outer = sample_contour(member.outline, context)
            steepness = compute_face_weights(member, outer, context, (Kind.STEEP_SLOPE,))
            steepness_rows.append(steepness[match_bearings(places, contour, outer, member.outline)])
            distances.append(shapely.distance(shapely.points(places), contour.exterior))
    return np.asarray(np.array(steepness_rows)[np.argmin(distances, axis=0), np.arange(len(places))])


def measure_inside(contour: Polygon, grid: ReliefGrid) -> Numbers:
    """Return the distance of every node of the grid inside a contour, in printed mm; negative outside.

    It is interpolated from a coarser grid.
    """
    coarse = grid.coarser(_COARSE_DISTANCE + (grid.columns * grid.rows > _LARGE_GRID))
    x, y = coarse.nodes()
    ring = contour.exterior.simplify(_RING_WITHIN * grid.cell, preserve_topology=False)
    shapely.prepare(contour)
    distances = shapely.distance(shapely.points(x, y), ring)
    inside = np.where(shapely.contains_xy(contour, x, y), distances, -distances)
    return coarse.resample_on(inside, grid)


def _spread_inwards(grid: ReliefGrid, places: Line, steepness: Numbers) -> Numbers:
    """Return the steepness at every node of the grid, 0 to 1, from that at the places of a contour.

    It is an average of the places, weighted by distance to the power -4. A coarser grid is enough for this smooth
    field.
    """
    if steepness.min() == steepness.max():
        return np.full((grid.rows, grid.columns), steepness[0])
    coarse = grid.coarser(_COARSE_STEEPNESS)
    sampling = slice(None, None, max(1, len(places) // 160))
    x, y = coarse.nodes()
    square = (x.reshape(-1, 1) - places[sampling, 0]) ** 2 + (y.reshape(-1, 1) - places[sampling, 1]) ** 2
    distant = square + coarse.cell**2 / 4
    weights = 1 / (distant * distant)
    spread = (exact_math.product(weights, steepness[sampling]) / weights.sum(axis=1)).reshape(
        coarse.rows, coarse.columns
    )
    return coarse.resample_on(spread, grid)


def _compute_height(level: ContourLevel, full_height: float, context: SymbolContext) -> Numbers:
    """Return the extra height of the ground inside one contour at every node of the grid, in printed mm.

    It is about ``full_height`` printed mm on a hill of usual size, and more on a broad hill.
    """
    gentle, steep = _BAND
    broad = max(gentle, _BROAD_BAND * level.deepest / context.size(1))
    height_factor = math.pow(min(_BROADEST, broad / gentle), _BROAD_RISE)
    gentle = broad
    band = np.minimum(context.size(1) * (gentle + (steep - gentle) * level.slope), 0.95 * level.deepest)
    rise = full_height * height_factor * min(1.0, level.deepest / context.size(_FULL_HEIGHT_FROM))
    return np.asarray(rise * smooth_step(level.inside / band) * (1 + _STEEP_RISE * level.slope))


def compute_light(height: Numbers, grid: ReliefGrid, smooth: float) -> Numbers:
    """Return the light on a surface at every node: 0 on level ground, negative away from the light.

    Without blur it is from about -1.4 to 0.43, where the surface faces the light.

    Args:
        height: height at every node of the grid, in printed mm.
        grid: the grid.
        smooth: blur of the result in printed mm.
    """
    slope_y, slope_x = np.gradient(height, grid.cell)
    east, north, up = _LIGHT
    light = (up - slope_x * east - slope_y * north) / np.sqrt(slope_x**2 + slope_y**2 + 1) - up
    return grid.blur(light, smooth)
