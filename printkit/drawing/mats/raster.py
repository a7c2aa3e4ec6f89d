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
_MOST: Final = 1_100_000

_SPREAD: Final = 50.0
_MIDDLE: Final = 2.55
_SIDE: Final = 512
_WIDE_STEP: Final = 5.4
_FINE_STEP: Final = 1.35
_NEAR: Final = 11.0
# Tolerance in mm for simplifying a line before measuring distances to it.
_EASED: Final = 0.05

_Between: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], Dots]


class Raster(Struct, frozen=True):
    """Square dots of ``px`` mm in ``height`` rows from the top; the lower left corner is at ``left``, ``low``."""

    left: float
    low: float
    px: float
    width: int
    height: int

    @property
    def frame(self) -> Rect:
        """Return the area of the raster, in mm."""
        return Rect(self.left, self.low, self.width * self.px, self.height * self.px)

    @property
    def across(self) -> Dots:
        """Return the x of the centre of each column, in mm."""
        return np.asarray(self.left + (np.arange(self.width) + 0.5) * self.px, dtype=np.float64)

    @property
    def up(self) -> Dots:
        """Return the y of the centre of each row in mm, from the top row."""
        return np.asarray(self.low + (self.height - np.arange(self.height) - 0.5) * self.px, dtype=np.float64)

    def places(self, chosen: NDArray[np.bool_]) -> Dots:
        """Return the positions of the chosen dots, n x 2, in mm."""
        row, column = np.nonzero(chosen)
        return np.column_stack([self.across[column], self.up[row]])

    def at(self, values: Dots, places: Dots) -> Dots:
        """Return the values of the dots at some places; places outside use the nearest dot."""
        column = np.clip(((places[:, 0] - self.left) / self.px).astype(np.int64), 0, self.width - 1)
        row = np.clip(((self.low - places[:, 1]) / self.px + self.height).astype(np.int64), 0, self.height - 1)
        return np.asarray(values[row, column])


def raster_about(bounds: tuple[float, float, float, float], pad: float, dpi: float) -> Raster:
    """Return a raster over ``bounds`` and a margin, with ``dpi`` dots per inch, or fewer if it is too large."""
    left, low, right, high = bounds[0] - pad, bounds[1] - pad, bounds[2] + pad, bounds[3] + pad
    most = math.sqrt(_MOST * 25.4 * 25.4 / max(1.0, (right - left) * (high - low)))
    px = 25.4 / min(dpi, most)
    width, height = max(2, math.ceil((right - left) / px)), max(2, math.ceil((high - low) / px))
    return Raster(left, high - height * px, px, width, height)


def smooth(values: Dots) -> Dots:
    """Return values clipped to 0 to 1 and smoothed at both ends (smoothstep)."""
    cut = np.clip(values, 0.0, 1.0)
    return np.asarray(cut * cut * (3.0 - 2.0 * cut))


def bump(values: Dots, wide: float) -> Dots:
    """Return 1 where values are 0, falling smoothly to 0 at twice ``wide`` on both sides."""
    return smooth(1.0 - np.abs(values) / (2.0 * wide))


def blurred(values: Dots, reach: float) -> Dots:
    """Return values blurred by three box averages of about ``reach`` dots on each side."""
    side = max(1, round(reach))
    for _ in range(3):
        for axis in (0, 1):
            ends = [(side + 1, side) if each == axis else (0, 0) for each in (0, 1)]
            sums = np.cumsum(np.pad(values, ends, mode="edge"), axis=axis, dtype=np.float64)
            span = 2 * side + 1
            low, high = (slice(None, -span), slice(span, None))
            parts = (sums[high], sums[low]) if axis == 0 else (sums[:, high], sums[:, low])
            values = ((parts[0] - parts[1]) / span).astype(values.dtype)
    return values


def lit(heights: Dots, px: float) -> Dots:
    """Return how much ground faces the light in the north-west; negative where it faces away."""
    down, across = np.gradient(heights / px)
    return np.asarray((across + down) * 0.7071)


# --- Distances --------------------------------------------------------------------------------------------------------


def inside(area: BaseGeometry, raster: Raster) -> Dots:
    """Return the depth of each dot inside an area, in mm; negative outside."""
    shapely.prepare(area)
    return _spread(area.boundary, area, raster)


def apart(line: BaseGeometry, raster: Raster) -> Dots:
    """Return the distance of each dot from a line, in mm."""
    return _spread(line, None, raster)


def _spread(line: BaseGeometry, area: BaseGeometry | None, raster: Raster) -> Dots:
    """Return distances, measured at coarse steps and near the line at fine ones, and interpolated."""
    # Simplify first: invisible bends cost as much time as visible ones.
    pieces = _pieces(shapely.simplify(line, _EASED, preserve_topology=False))
    if raster.px >= _FINE_STEP:
        return _measured(pieces, area, raster)
    wide, fine = (_coarser(raster, step) for step in (_WIDE_STEP, _FINE_STEP))
    found = between(_measured(pieces, area, wide), wide, fine)
    close = _close(pieces, fine)
    near = close < _NEAR
    places = fine.places(near)
    if area is not None:
        close[near] *= np.where(shapely.contains_xy(area, places[:, 0], places[:, 1]), 1.0, -1.0)
    return between(np.where(near, close, found).astype(np.float32), fine, raster)


def along(line: BaseGeometry, places: Dots) -> Dots:
    """Return, for each place, the distance in mm from the start of a line to its nearest point on the line."""
    pieces = _pieces(line)
    nearest = shapely.STRtree(pieces).query_nearest(shapely.points(places), all_matches=False)
    piece = np.zeros(len(places), dtype=np.int64)
    piece[nearest[0]] = nearest[1]
    lengths = shapely.length(pieces)
    before = np.cumsum(lengths) - lengths
    return np.asarray(before[piece] + shapely.line_locate_point(pieces[piece], shapely.points(places)))


def _pieces(line: BaseGeometry) -> NDArray[np.object_]:
    points, of = shapely.get_coordinates(shapely.get_parts(line), return_index=True)
    steps = np.stack([points[:-1], points[1:]], axis=1)[of[1:] == of[:-1]]
    return np.asarray(shapely.linestrings(steps))


def _coarser(raster: Raster, step: float) -> Raster:
    """Return a raster of larger dots whose outer centres are outside all centres of this raster."""
    frame = raster.frame.padded(step)
    width, height = math.ceil(frame.width / step) + 1, math.ceil(frame.height / step) + 1
    return Raster(frame.x, frame.y, step, width, height)


def _measured(pieces: NDArray[np.object_], area: BaseGeometry | None, raster: Raster) -> Dots:
    """Return the distance of each dot from the nearest piece; with an area, negative outside it."""
    places = raster.places(np.ones((raster.height, raster.width), dtype=bool))
    tree = shapely.STRtree(pieces)
    asked, far = tree.query_nearest(shapely.points(places), return_distance=True, all_matches=False)
    distance = np.empty(len(places))
    distance[asked[0]] = far
    if area is not None:
        distance = np.where(shapely.contains_xy(area, places[:, 0], places[:, 1]), distance, -distance)
    return distance.reshape(raster.height, raster.width)


def _close(pieces: NDArray[np.object_], raster: Raster) -> Dots:
    """Return the distance of each dot from the nearest piece; infinite beyond ``_NEAR``.

    Each piece updates the dots round it. If most dots are near a piece, this is several times as fast as a query for
    each dot.
    """
    found = np.full((raster.height, raster.width), np.inf)
    across, up = raster.across, raster.up
    ends = shapely.get_coordinates(pieces).reshape(-1, 2, 2)
    corners = np.stack([ends.min(axis=1) - _NEAR, ends.max(axis=1) + _NEAR], axis=1)
    columns = np.clip(np.ceil((corners[..., 0] - across[0]) / raster.px), 0, raster.width).astype(np.int64)
    rows = np.clip(np.ceil((up[0] - corners[:, ::-1, 1]) / raster.px), 0, raster.height).astype(np.int64)
    steps = ends[:, 1] - ends[:, 0]
    lengths = np.maximum((steps * steps).sum(axis=1), 1e-12)
    told = zip(ends[:, 0].tolist(), steps.tolist(), lengths.tolist(), columns.tolist(), rows.tolist(), strict=True)
    for (x, y), (over, rise), length, (left, right), (top, low) in told:
        east, north = across[left:right] - x, (up[top:low] - y)[:, None]
        gone = np.clip((east * over + north * rise) / length, 0.0, 1.0)
        east, north = east - gone * over, north - gone * rise
        part = found[top:low, left:right]
        np.minimum(part, east * east + north * north, out=part)
    return np.asarray(np.sqrt(found))


def between(values: Dots, coarse: Raster, fine: Raster) -> Dots:
    """Return the values of a coarse raster at the dots of a fine raster inside it, by linear interpolation."""
    column, right = _shares((fine.across - coarse.left) / coarse.px - 0.5, coarse.width)
    row, under = _shares((coarse.low - fine.up) / coarse.px + coarse.height - 0.5, coarse.height)
    return _bent(values, (row, row + 1, under), (column, column + 1, right))


def _bent(values: Dots, rows: _Between, columns: _Between) -> Dots:
    """Return values interpolated between pairs of rows and of columns (bilinear)."""
    first, last, under = rows
    left, beside, right = columns
    under, right = under.astype(values.dtype)[:, None], right.astype(values.dtype)
    found = values[first] * (1 - under) + values[last] * under
    return np.asarray(found[:, left] * (1 - right) + found[:, beside] * right)


def _shares(at: Dots, count: int) -> tuple[NDArray[np.int64], Dots]:
    whole = np.clip(np.floor(at).astype(np.int64), 0, count - 2)
    return whole, np.clip(at - whole, 0.0, 1.0)


# --- Noise ------------------------------------------------------------------------------------------------------------


@cache
def tile(name: str) -> Dots:
    """Return a square of noise that tiles without seams; mean 0, standard deviation 1."""
    image = Image.open(io.BytesIO(resource("templates/mats/noise", f"{name}.png").read_bytes()))
    return (np.asarray(image, dtype=np.float64) / _SPREAD - _MIDDLE).astype(np.float32)


def noise(name: str, raster: Raster, side: float, stream: Stream) -> Dots:
    """Return noise over a raster from a tile ``side`` mm wide, with an offset from the stream."""
    held, step = tile(name), _SIDE / side * raster.px
    down, over = stream.draw_unit() * _SIDE, stream.draw_unit() * _SIDE
    row, under = _wrapped(np.arange(raster.height, dtype=np.float64) * step + down)
    column, right = _wrapped(np.arange(raster.width, dtype=np.float64) * step + over)
    return _bent(held, (row, (row + 1) % _SIDE, under), (column, (column + 1) % _SIDE, right))


def noise_along(places: Dots, side: float, stream: Stream) -> Dots:
    """Return noise at distances along a line, in mm; it repeats after ``side`` mm."""
    row = tile("middle")[stream.draw_index(_SIDE)]
    whole, share = _wrapped(places * (_SIDE / side) + stream.draw_unit() * _SIDE)
    return np.asarray(row[whole] * (1.0 - share) + row[(whole + 1) % _SIDE] * share)


def _wrapped(at: Dots) -> tuple[NDArray[np.int64], Dots]:
    whole = np.floor(at)
    return whole.astype(np.int64) % _SIDE, at - whole
