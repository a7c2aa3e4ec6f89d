"""Ground as dots: a raster over a part of the board, distances to outlines, and noise laid on it.

Everything is worked out by sums, products and roots, so that all processors agree to the last digit.
"""

from __future__ import annotations

import io
import math
from functools import cache
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.resources import resource
from printkit.drawing.canvas.items import Rect

Dots: TypeAlias = NDArray[np.float64]

_MOST: Final = 1_100_000
"""Dots that a raster has at most: a wood of half a metre is a little coarser."""

_SPREAD: Final = 50.0
_MIDDLE: Final = 2.55
_SIDE: Final = 512
_WIDE_STEP: Final = 5.4
_FINE_STEP: Final = 1.35
_NEAR: Final = 11.0


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
            sums = np.cumsum(np.pad(values, ends, mode="edge"), axis=axis)
            span = 2 * side + 1
            low, high = (slice(None, -span), slice(span, None))
            parts = (sums[high], sums[low]) if axis == 0 else (sums[:, high], sums[:, low])
            values = (parts[0] - parts[1]) / span
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
    tree = shapely.STRtree(_pieces(line))
    if raster.px >= _FINE_STEP:
        return _measured(tree, area, raster, np.ones((raster.height, raster.width), dtype=bool), np.zeros(0))
    wide = _coarser(raster, _WIDE_STEP)
    everywhere = np.ones((wide.height, wide.width), dtype=bool)
    coarse = _measured(tree, area, wide, everywhere, np.zeros(0))
    fine = _coarser(raster, _FINE_STEP)
    found = between(coarse, wide, fine)
    near = np.abs(found) < _NEAR
    return between(_measured(tree, area, fine, near, found), fine, raster)


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


def _measured(
    tree: shapely.STRtree, area: BaseGeometry | None, raster: Raster, chosen: NDArray[np.bool_], rest: Dots
) -> Dots:
    found = rest.copy() if rest.size else np.zeros((raster.height, raster.width))
    places = raster.places(chosen)
    if len(places):
        asked, far = tree.query_nearest(shapely.points(places), return_distance=True, all_matches=False)
        distance = np.empty(len(places))
        distance[asked[0]] = far
        if area is not None:
            distance = np.where(shapely.contains_xy(area, places[:, 0], places[:, 1]), distance, -distance)
        found[chosen] = distance
    return found


def between(values: Dots, coarse: Raster, fine: Raster) -> Dots:
    """Return values of a coarse raster at the dots of a fine one within it, along straight lines between them."""
    column, right = _shares((fine.across - coarse.left) / coarse.px - 0.5, coarse.width)
    row, under = _shares((coarse.low - fine.up) / coarse.px + coarse.height - 0.5, coarse.height)
    rows = values[row] * (1.0 - under)[:, None] + values[row + 1] * under[:, None]
    return np.asarray(rows[:, column] * (1.0 - right) + rows[:, column + 1] * right)


def _shares(at: Dots, count: int) -> tuple[NDArray[np.int64], Dots]:
    whole = np.clip(np.floor(at).astype(np.int64), 0, count - 2)
    return whole, np.clip(at - whole, 0.0, 1.0)


# --- Noise ------------------------------------------------------------------------------------------------------------


@cache
def tile(name: str) -> Dots:
    """Return a square of noise whose opposite edges join; mean 0, spread 1."""
    image = Image.open(io.BytesIO(resource("templates/mats/noise", f"{name}.png").read_bytes()))
    return np.asarray(image, dtype=np.float64) / _SPREAD - _MIDDLE


def noise(name: str, raster: Raster, side: float, stream: Stream) -> Dots:
    """Return a tile of noise ``side`` mm wide laid over a raster, shifted by the stream."""
    held, step = tile(name), _SIDE / side * raster.px
    down, over = stream.unit() * _SIDE, stream.unit() * _SIDE
    row, under = _wrapped(np.arange(raster.height, dtype=np.float64) * step + down)
    column, right = _wrapped(np.arange(raster.width, dtype=np.float64) * step + over)
    rows = held[row] * (1.0 - under)[:, None] + held[(row + 1) % _SIDE] * under[:, None]
    return np.asarray(rows[:, column] * (1.0 - right) + rows[:, (column + 1) % _SIDE] * right)


def noise_along(places: Dots, side: float, stream: Stream) -> Dots:
    """Return noise at places along a line, in mm, that comes again after ``side`` mm."""
    row = tile("middle")[stream.below(_SIDE)]
    whole, share = _wrapped(places * (_SIDE / side) + stream.unit() * _SIDE)
    return np.asarray(row[whole] * (1.0 - share) + row[(whole + 1) % _SIDE] * share)


def _wrapped(at: Dots) -> tuple[NDArray[np.int64], Dots]:
    whole = np.floor(at)
    return whole.astype(np.int64) % _SIDE, at - whole
