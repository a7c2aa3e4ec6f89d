"""Rasters over a part of the board, distances to outlines, and noise.

All values come from sums, products and roots, so that they are identical on all processors.
"""

from __future__ import annotations

import io
import math
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.resources import resource
from printkit.drawing.canvas.items import Rect

# Values of dots; large arrays use single precision, because each value becomes a byte.
Dots: TypeAlias = NDArray[np.floating[Any]]


# Maximum number of dots of a raster; a wood of half a metre gets slightly larger dots.
_MAX_DOTS: Final = 1_100_000

_SPREAD: Final = 50.0
_MIDDLE: Final = 2.55
_SIDE: Final = 512
_WIDE_STEP: Final = 5.4
_FINE_STEP: Final = 1.35
_NEAR_MM: Final = 11.0
# Tolerance in mm for simplifying a line before measuring distances to it.
_TOLERANCE: Final = 0.05

_IndexPair: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], Dots]


class Raster(Struct, frozen=True):
    """Square dots of ``px`` printed mm in ``width`` columns and ``height`` rows, from the top.

    The lower left corner is at ``left``, ``low``, in printed mm.
    """

    left: float
    low: float
    px: float
    width: int
    height: int

    @property
    def frame(self) -> Rect:
        """Return the area of the raster, in printed mm."""
        return Rect(self.left, self.low, self.width * self.px, self.height * self.px)

    @property
    def column_centres(self) -> Dots:
        """Return the x of the centre of each column, in printed mm."""
        return np.asarray(self.left + (np.arange(self.width) + 0.5) * self.px, dtype=np.float64)

    @property
    def row_centres(self) -> Dots:
        """Return the y of the centre of each row in printed mm, from the top row."""
        return np.asarray(self.low + (self.height - np.arange(self.height) - 0.5) * self.px, dtype=np.float64)

    def dot_positions(self, selection: NDArray[np.bool_]) -> Dots:
        """Return the positions of the chosen dots, n x 2, in printed mm."""
        row, column = np.nonzero(selection)
        return np.column_stack([self.column_centres[column], self.row_centres[row]])

    def at(self, values: Dots, points: Dots) -> Dots:
        """Return the values of the dots at points (n x 2, printed mm); points outside use the nearest dot."""
        column = np.clip(((points[:, 0] - self.left) / self.px).astype(np.int64), 0, self.width - 1)
        row = np.clip(((self.low - points[:, 1]) / self.px + self.height).astype(np.int64), 0, self.height - 1)
        return np.asarray(values[row, column])


def raster_about(bounds: tuple[float, float, float, float], pad: float, dpi: float) -> Raster:
    """Return a raster over ``bounds`` and a margin of ``pad`` printed mm, with ``dpi`` dots per inch on paper.

    ``bounds`` are left, bottom, right and top in printed mm. A raster that would have too many dots covers the same
    area with larger ones.
    """
    left, bottom, right, top = bounds[0] - pad, bounds[1] - pad, bounds[2] + pad, bounds[3] + pad
    max_dpi = math.sqrt(_MAX_DOTS * 25.4 * 25.4 / max(1.0, (right - left) * (top - bottom)))
    px = 25.4 / min(dpi, max_dpi)
    width, height = max(2, math.ceil((right - left) / px)), max(2, math.ceil((top - bottom) / px))
    return Raster(left, top - height * px, px, width, height)


def smoothstep(values: Dots) -> Dots:
    """Return values clipped to 0 to 1 and smoothed at both ends (smoothstep)."""
    cut = np.clip(values, 0.0, 1.0)
    return np.asarray(cut * cut * (3.0 - 2.0 * cut))


def bump(values: Dots, half_width: Dots | float) -> Dots:
    """Return 1 where values are 0, falling smoothly to 0 at twice ``half_width`` on both sides.

    ``half_width`` has the unit of the values.
    """
    return smoothstep(1.0 - np.abs(values) / (2.0 * half_width))


def blurred(values: Dots, radius: float) -> Dots:
    """Return an array of the same shape and type, blurred by three box averages on both axes.

    A box extends ``radius`` dots to each side, rounded and at least 1. Beyond the edge the edge values repeat.
    """
    side = max(1, round(radius))
    for _ in range(3):
        for axis in (0, 1):
            ends = [(side + 1, side) if current_axis == axis else (0, 0) for current_axis in (0, 1)]
            sums = np.cumsum(np.pad(values, ends, mode="edge"), axis=axis, dtype=np.float64)
            span = 2 * side + 1
            head, tail = (slice(None, -span), slice(span, None))
            parts = (sums[tail], sums[head]) if axis == 0 else (sums[:, tail], sums[:, head])
            values = ((parts[0] - parts[1]) / span).astype(values.dtype)
    return values


def lit(heights: Dots, px: float) -> Dots:
    """Return how much each dot faces the light in the north-west; negative where it faces away.

    ``px`` is the size of a dot in the unit of the heights, usually printed mm.
    """
    south_slope, east_slope = np.gradient(heights / px)
    return np.asarray((east_slope + south_slope) * 0.7071)


# --- Distances --------------------------------------------------------------------------------------------------------


def inside(area: BaseGeometry, raster: Raster) -> Dots:
    """Return the depth of each dot inside an area, in printed mm; negative outside. Rows are from the top.

    Depth is the distance from the nearest edge of the area. Far from the edge it is less exact.
    """
    shapely.prepare(area)
    return _interpolate_distances(area.boundary, area, raster)


def distance_to_line(line: BaseGeometry, raster: Raster) -> Dots:
    """Return the distance of each dot from a line, in printed mm; rows from the top.

    Far from the line it is less exact.
    """
    return _interpolate_distances(line, None, raster)


def _interpolate_distances(line: BaseGeometry, area: BaseGeometry | None, raster: Raster) -> Dots:
    """Return the distance in printed mm of each dot from a line.

    With an area it is the depth inside: negative outside the area.
    """
    # Simplify first: invisible bends cost as much time as visible ones.
    pieces = _line_pieces(shapely.simplify(line, _TOLERANCE, preserve_topology=False))
    if raster.px >= _FINE_STEP:
        return _measure_distances(pieces, area, raster)
    coarse_raster, fine_raster = (_coarser_raster(raster, step) for step in (_WIDE_STEP, _FINE_STEP))
    coarse_distances = between(_measure_distances(pieces, area, coarse_raster), coarse_raster, fine_raster)
    near_values = _near_distances(pieces, fine_raster)
    is_near = near_values < _NEAR_MM
    points = fine_raster.dot_positions(is_near)
    if area is not None:
        near_values[is_near] *= np.where(shapely.contains_xy(area, points[:, 0], points[:, 1]), 1.0, -1.0)
    return between(np.where(is_near, near_values, coarse_distances).astype(np.float32), fine_raster, raster)


def distance_along_line(line: BaseGeometry, points: Dots) -> Dots:
    """Return how far along a line the point nearest to each place is, in printed mm.

    ``points`` are the places, n x 2, in printed mm.
    """
    pieces = _line_pieces(line)
    nearest = shapely.STRtree(pieces).query_nearest(shapely.points(points), all_matches=False)
    piece = np.zeros(len(points), dtype=np.int64)
    piece[nearest[0]] = nearest[1]
    lengths = shapely.length(pieces)
    before = np.cumsum(lengths) - lengths
    return np.asarray(before[piece] + shapely.line_locate_point(pieces[piece], shapely.points(points)))


def _line_pieces(line: BaseGeometry) -> NDArray[np.object_]:
    """Return the straight pieces of lines in printed mm, as an array of lines with two points."""
    points, part_indices = shapely.get_coordinates(shapely.get_parts(line), return_index=True)
    steps = np.stack([points[:-1], points[1:]], axis=1)[part_indices[1:] == part_indices[:-1]]
    return np.asarray(shapely.linestrings(steps))


def _coarser_raster(raster: Raster, step: float) -> Raster:
    """Return a raster with dots of ``step`` printed mm that extends beyond the centres of this raster."""
    frame = raster.frame.padded(step)
    width, height = math.ceil(frame.width / step) + 1, math.ceil(frame.height / step) + 1
    return Raster(frame.x, frame.y, step, width, height)


def _measure_distances(pieces: NDArray[np.object_], area: BaseGeometry | None, raster: Raster) -> Dots:
    """Return the distance of each dot from the nearest piece; with an area, negative outside it.

    ``pieces`` is an array of lines with two points. All are in printed mm.
    """
    points = raster.dot_positions(np.ones((raster.height, raster.width), dtype=bool))
    tree = shapely.STRtree(pieces)
    pair_indices, distances = tree.query_nearest(shapely.points(points), return_distance=True, all_matches=False)
    distance = np.empty(len(points))
    distance[pair_indices[0]] = distances
    if area is not None:
        distance = np.where(shapely.contains_xy(area, points[:, 0], points[:, 1]), distance, -distance)
    return distance.reshape(raster.height, raster.width)


def _near_distances(pieces: NDArray[np.object_], raster: Raster) -> Dots:
    """Return the distance in printed mm of each dot from the nearest piece, correct up to 11 mm; rows from the top.

    A dot that is farther away has a value above 11: infinite, or the distance from a piece that need not be the
    nearest. ``pieces`` is an array of lines with two points, in printed mm.
    """
    # Each piece updates the dots round it. If most dots are near a piece, this is several times as fast as a query for
    # each dot.
    squared_distances = np.full((raster.height, raster.width), np.inf)
    xs, ys = raster.column_centres, raster.row_centres
    ends = shapely.get_coordinates(pieces).reshape(-1, 2, 2)
    corners = np.stack([ends.min(axis=1) - _NEAR_MM, ends.max(axis=1) + _NEAR_MM], axis=1)
    columns = np.clip(np.ceil((corners[..., 0] - xs[0]) / raster.px), 0, raster.width).astype(np.int64)
    rows = np.clip(np.ceil((ys[0] - corners[:, ::-1, 1]) / raster.px), 0, raster.height).astype(np.int64)
    steps = ends[:, 1] - ends[:, 0]
    lengths = np.maximum((steps * steps).sum(axis=1), 1e-12)
    piece_data = zip(
        ends[:, 0].tolist(), steps.tolist(), lengths.tolist(), columns.tolist(), rows.tolist(), strict=True
    )
    for (x, y), (step_x, step_y), length, (left, right), (top, low) in piece_data:
        east, north = xs[left:right] - x, (ys[top:low] - y)[:, None]
        progress = np.clip((east * step_x + north * step_y) / length, 0.0, 1.0)
        east, north = east - progress * step_x, north - progress * step_y
        part = squared_distances[top:low, left:right]
        np.minimum(part, east * east + north * north, out=part)
    return np.asarray(np.sqrt(squared_distances))


def between(values: Dots, coarse: Raster, fine: Raster) -> Dots:
    """Return the values of a coarse raster at the dots of a fine raster inside it, by linear interpolation."""
    column, column_share = _interpolation_shares((fine.column_centres - coarse.left) / coarse.px - 0.5, coarse.width)
    row, row_share = _interpolation_shares(
        (coarse.low - fine.row_centres) / coarse.px + coarse.height - 0.5, coarse.height
    )
    return _interpolate_bilinear(values, (row, row + 1, row_share), (column, column + 1, column_share))


def _interpolate_bilinear(values: Dots, rows: _IndexPair, columns: _IndexPair) -> Dots:
    """Return values interpolated between pairs of rows and pairs of columns (bilinear).

    Each of ``rows`` and ``columns`` has the first indices, the second indices, and the share (0 to 1) of the second.
    """
    first, last, row_share = rows
    left, next_column, column_share = columns
    row_share, column_share = row_share.astype(values.dtype)[:, None], column_share.astype(values.dtype)
    row_values = values[first] * (1 - row_share) + values[last] * row_share
    return np.asarray(row_values[:, left] * (1 - column_share) + row_values[:, next_column] * column_share)


def _interpolation_shares(positions: Dots, count: int) -> tuple[NDArray[np.int64], Dots]:
    """Return the index of the dot before each position, and the share (0 to 1) of the next dot.

    Positions are in dots; ``count`` is the number of dots.
    """
    indices = np.clip(np.floor(positions).astype(np.int64), 0, count - 2)
    return indices, np.clip(positions - indices, 0.0, 1.0)


# --- Noise ------------------------------------------------------------------------------------------------------------


@cache
def noise_tile(name: str) -> Dots:
    """Return a square of 512 by 512 values of noise that tiles without seams.

    Its mean is about 0 and its standard deviation about 1. ``name`` is that of its file in ``templates/mats/noise``.
    """
    image = Image.open(io.BytesIO(resource("templates/mats/noise", f"{name}.png").read_bytes()))
    return (np.asarray(image, dtype=np.float64) / _SPREAD - _MIDDLE).astype(np.float32)


def raster_noise(name: str, raster: Raster, side: float, stream: Stream) -> Dots:
    """Return a noise value for each dot of a raster; mean 0, standard deviation 1.

    ``name`` is the noise tile: ``broad``, ``middle`` or ``fine``. ``side`` is its width in printed mm. The stream gives
    its offset, two numbers.
    """
    noise_values, step = noise_tile(name), _SIDE / side * raster.px
    shift_y, shift_x = stream.draw_unit() * _SIDE, stream.draw_unit() * _SIDE
    row, row_share = _wrap_positions(np.arange(raster.height, dtype=np.float64) * step + shift_y)
    column, column_share = _wrap_positions(np.arange(raster.width, dtype=np.float64) * step + shift_x)
    return _interpolate_bilinear(
        noise_values, (row, (row + 1) % _SIDE, row_share), (column, (column + 1) % _SIDE, column_share)
    )


def line_noise(distances: Dots, side: float, stream: Stream) -> Dots:
    """Return noise at distances in printed mm along a line; it repeats after ``side`` mm.

    Its mean is about 0 and its standard deviation about 1. It draws two numbers from ``stream``.
    """
    row = noise_tile("middle")[stream.draw_index(_SIDE)]
    indices, share = _wrap_positions(distances * (_SIDE / side) + stream.draw_unit() * _SIDE)
    return np.asarray(row[indices] * (1.0 - share) + row[(indices + 1) % _SIDE] * share)


def _wrap_positions(positions: Dots) -> tuple[NDArray[np.int64], Dots]:
    """Return the index of the dot before each position in a noise tile, and the share (0 to 1) of the next.

    Positions are in dots and wrap round the tile.
    """
    indices = np.floor(positions)
    return indices.astype(np.int64) % _SIDE, positions - indices
