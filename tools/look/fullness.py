"""How full a picture of a board is: the share that is not bare paper, and the largest bare circle.

The picture is brought to 900 dots a side, fine lines are taken out by a median of nine dots, and each dot is held
against the paper, the middle of the lighter half. What differs by more than a threshold (dE of CIE 1976) and is wider
than five dots is not bare.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageFilter

SIDE: Final = 900
_FINE: Final = 9
_CORE: Final = 2
_STEP: Final = 12
"""Dots between the middles that are tried for the circle."""

_TO_XYZ: Final = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE: Final = np.array([0.95047, 1.0, 1.08883])

_Numbers = NDArray[np.float64]
_Mask = NDArray[np.bool_]


class Fill(NamedTuple):
    """What a picture shows: shares of the board from 0 to 1, and the diameter of the circle in depths of the board."""

    plain: float
    faint: float
    circle: float


def fill(picture: Image.Image) -> Fill:
    """Measure the picture of a board without frame, of any size; ``plain`` is from dE 9, ``faint`` from dE 5."""
    small = picture.convert("RGB").resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    colours = _lab(np.asarray(small.filter(ImageFilter.MedianFilter(_FINE)), dtype=float) / 255.0)
    flat = colours.reshape(-1, 3)
    paper = np.median(flat[np.argsort(flat[:, 0])[-len(flat) // 2 :]], axis=0)
    apart = np.sqrt(((colours - paper) ** 2).sum(axis=2))
    plain, faint = _opened(apart > 9.0), _opened(apart > 5.0)
    return Fill(float(plain.mean()), float(faint.mean()), _circle(plain, picture.width / picture.height))


def _lab(colours: _Numbers) -> _Numbers:
    linear = np.where(colours > 0.04045, ((colours + 0.055) / 1.055) ** 2.4, colours / 12.92)
    parts = np.einsum("ijk,lk->ijl", linear, _TO_XYZ) / _WHITE
    roots = np.where(parts > 0.008856, np.cbrt(parts), 7.787 * parts + 16 / 116)
    x, y, z = np.moveaxis(roots, 2, 0)
    return np.dstack([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def _opened(mask: _Mask) -> _Mask:
    """Return a mask without what is narrower than five dots."""
    for narrower in (np.logical_and, np.logical_or):
        for _ in range(_CORE):
            mask = _with_neighbours(mask, narrower)
    return mask


def _with_neighbours(mask: _Mask, both: np.ufunc) -> _Mask:
    found = mask
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            found = both(found, np.roll(mask, (down, right), axis=(0, 1)))
    return found


def _circle(mask: _Mask, shape: float) -> float:
    """Return the diameter of the largest circle on the board that holds nothing of a mask, in depths of the board."""
    across = np.array([shape / SIDE, 1.0 / SIDE])
    middles = np.stack(np.meshgrid(*[np.arange(0, SIDE, _STEP)] * 2), axis=-1).reshape(-1, 2) * across
    rim = np.minimum(middles, np.array([shape, 1.0]) - middles).min(axis=1)
    rows, columns = np.nonzero(mask[::6, ::6])
    if not len(rows):
        return float(2 * rim.max())
    taken = shapely.STRtree(shapely.points(np.column_stack([columns, rows]) * 6 * across))
    tried = np.flatnonzero(rim > 0.0)
    (of, _), reach = taken.query_nearest(shapely.points(middles[tried]), return_distance=True, all_matches=False)
    return float(2 * np.minimum(rim[tried[of]], reach).max())
