"""Ground as dots: a raster over a part of the board, distances to outlines, and noise laid on it.

Everything is worked out by sums, products and roots, so that all processors agree to the last digit.
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

Dots: TypeAlias = NDArray[np.floating[Any]]
"""Values of dots: of single precision where there are many, for each ends as a byte."""


_MOST: Final = 1_100_000
"""Dots that a raster has at most: a wood of half a metre is a little coarser."""

_SPREAD: Final = 50.0
_MIDDLE: Final = 2.55
_SIDE: Final = 512
_WIDE_STEP: Final = 5.4
_FINE_STEP: Final = 1.35
_NEAR: Final = 11.0
_EASED: Final = 0.05
"""How far in mm the line to which distances are measured may lie from its own."""

_Between: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], Dots]


class Raster(Struct, frozen=True):
    """Square dots of ``px`` mm, ``height`` rows from the top, whose lower left corner lies at ``left``, ``low``."""

    left: float
    low: float
    px: float
    width: int
    height: int

    @property
    def frame(self) -> Rect:
        """Return the ground that it covers."""
        return Rect(self.left, self.low, self.width * self.px, self.height * self.px)

    @property
    def across(self) -> Dots:
        """Return the middle of each column, in mm."""
        return np.asarray(self.left + (np.arange(self.width) + 0.5) * self.px, dtype=np.float64)

    @property
    def up(self) -> Dots:
        """Return the middle of each row, in mm, from the top."""
        return np.asarray(self.low + (self.height - np.arange(self.height) - 0.5) * self.px, dtype=np.float64)

    def places(self, chosen: NDArray[np.bool_]) -> Dots:
        """Return where the dots lie that are chosen, n x 2."""
        row, column = np.nonzero(chosen)
        return np.column_stack([self.across[column], self.up[row]])

    def at(self, values: Dots, places: Dots) -> Dots:
        """Return the values of the dots on which places lie; those outside take the nearest."""
        column = np.clip(((places[:, 0] - self.left) / self.px).astype(np.int64), 0, self.width - 1)
        row = np.clip(((self.low - places[:, 1]) / self.px + self.height).astype(np.int64), 0, self.height - 1)
        return np.asarray(values[row, column])


def raster_about(bounds: tuple[float, float, float, float], pad: float, dpi: float) -> Raster:
    """Return a raster over bounds and a border about them, at ``dpi`` dots an inch or as many as there may be."""
    left, low, right, high = bounds[0] - pad, bounds[1] - pad, bounds[2] + pad, bounds[3] + pad
    most = math.sqrt(_MOST * 25.4 * 25.4 / max(1.0, (right - left) * (high - low)))
    px = 25.4 / min(dpi, most)
    width, height = max(2, math.ceil((right - left) / px)), max(2, math.ceil((high - low) / px))
    return Raster(left, high - height * px, px, width, height)


def smooth(values: Dots) -> Dots:
    """Return values from 0 to 1 eased at both ends; others are cut to these."""
    cut = np.clip(values, 0.0, 1.0)
    return np.asarray(cut * cut * (3.0 - 2.0 * cut))


def bump(values: Dots, wide: float) -> Dots:
    """Return a hill of 1 where values are 0, that is gone at twice ``wide`` on both sides."""
    return smooth(1.0 - np.abs(values) / (2.0 * wide))


def blurred(values: Dots, reach: float) -> Dots:
    """Return values averaged over about ``reach`` dots on every side, three times over."""
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
    """Return how much ground faces the lamp in the north-west; less than 0 where it lies in its own shade."""
    down, across = np.gradient(heights / px)
    return np.asarray((across + down) * 0.7071)


# --- Distances --------------------------------------------------------------------------------------------------------


def inside(area: BaseGeometry, raster: Raster) -> Dots:
    """Return how deep each dot lies within an area, in mm; less than 0 outside."""
    shapely.prepare(area)
    return _spread(area.boundary, area, raster)


def apart(line: BaseGeometry, raster: Raster) -> Dots:
    """Return how far each dot lies from a line, in mm."""
    return _spread(line, None, raster)


def _spread(line: BaseGeometry, area: BaseGeometry | None, raster: Raster) -> Dots:
    """Return distances, measured at wide steps, near the line at fine ones, and spread between these."""
    # Bends that nobody sees are as costly as others.
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
    """Return how many mm from the start of a line the point of it lies that is nearest to each of some places."""
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
    """Return a raster of larger dots whose middles lie beyond all middles of this one."""
    frame = raster.frame.grown(step)
    width, height = math.ceil(frame.width / step) + 1, math.ceil(frame.height / step) + 1
    return Raster(frame.x, frame.y, step, width, height)


def _measured(pieces: NDArray[np.object_], area: BaseGeometry | None, raster: Raster) -> Dots:
    """Return how far every dot lies from the nearest of some pieces; within an area, or less than 0 outside."""
    places = raster.places(np.ones((raster.height, raster.width), dtype=bool))
    tree = shapely.STRtree(pieces)
    asked, far = tree.query_nearest(shapely.points(places), return_distance=True, all_matches=False)
    distance = np.empty(len(places))
    distance[asked[0]] = far
    if area is not None:
        distance = np.where(shapely.contains_xy(area, places[:, 0], places[:, 1]), distance, -distance)
    return distance.reshape(raster.height, raster.width)


def _close(pieces: NDArray[np.object_], raster: Raster) -> Dots:
    """Return how far dots lie from the nearest of some pieces; of those farther than needs be told, infinite.

    Every piece tells the dots about it: where most dots are near, that is several times as fast as to ask for each.
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
    """Return values of a coarse raster at the dots of a fine one within it, along straight lines between them."""
    column, right = _shares((fine.across - coarse.left) / coarse.px - 0.5, coarse.width)
    row, under = _shares((coarse.low - fine.up) / coarse.px + coarse.height - 0.5, coarse.height)
    return _bent(values, (row, row + 1, under), (column, column + 1, right))


def _bent(values: Dots, rows: _Between, columns: _Between) -> Dots:
    """Return values between rows and columns, each between two by a share."""
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
    """Return a square of noise whose opposite edges join; mean 0, spread 1."""
    image = Image.open(io.BytesIO(resource("templates/mats/noise", f"{name}.png").read_bytes()))
    return (np.asarray(image, dtype=np.float64) / _SPREAD - _MIDDLE).astype(np.float32)


def noise(name: str, raster: Raster, side: float, stream: Stream) -> Dots:
    """Return a tile of noise ``side`` mm wide laid over a raster, shifted by the stream."""
    held, step = tile(name), _SIDE / side * raster.px
    down, over = stream.unit() * _SIDE, stream.unit() * _SIDE
    row, under = _wrapped(np.arange(raster.height, dtype=np.float64) * step + down)
    column, right = _wrapped(np.arange(raster.width, dtype=np.float64) * step + over)
    return _bent(held, (row, (row + 1) % _SIDE, under), (column, (column + 1) % _SIDE, right))


def noise_along(places: Dots, side: float, stream: Stream) -> Dots:
    """Return noise at places along a line, in mm, that comes again after ``side`` mm."""
    row = tile("middle")[stream.below(_SIDE)]
    whole, share = _wrapped(places * (_SIDE / side) + stream.unit() * _SIDE)
    return np.asarray(row[whole] * (1.0 - share) + row[(whole + 1) % _SIDE] * share)


def _wrapped(at: Dots) -> tuple[NDArray[np.int64], Dots]:
    whole = np.floor(at)
    return whole.astype(np.int64) % _SIDE, at - whole
