"""Stations: places at many distances along a line, found in one pass over it.

Shapely walks the line from its start for every single place; here all places share one walk, with the same arithmetic,
so that both agree to the last bit.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

Points = NDArray[np.float64]


def reached(line: BaseGeometry) -> NDArray[np.float64]:
    """Return how far along a line or ring each of its points lies, in mm; its first lies at 0."""
    return np.concatenate([[0.0], np.cumsum(_lengths(np.diff(shapely.get_coordinates(line), axis=0)))])


def stations(line: BaseGeometry, gone: ArrayLike) -> Points:
    """Return the points at distances along a line or ring, as rows of x and y.

    Args:
        line: of two points at least and some length.
        gone: mm from its start, not below 0; whoever goes too far stands at its end.
    """
    corners = shapely.get_coordinates(line)
    steps = np.diff(corners, axis=0)
    lengths = _lengths(steps)
    ends = np.cumsum(lengths)
    along = np.asarray(gone, dtype=float)
    place = np.searchsorted(ends, along, side="right")
    beyond = place == len(ends)
    place[beyond] = len(ends) - 1
    start = np.where(place > 0, ends[place - 1], 0.0)
    # Where one goes beyond a last piece of no length, there is nothing to divide by, and nothing is asked for.
    share = np.divide(along - start, lengths[place], out=np.zeros_like(along), where=~beyond)
    found: Points = steps[place] * share[:, None] + corners[place]
    found[beyond] = corners[-1]
    return found


def between(line: BaseGeometry, start: float, stop: float) -> Points:
    """Return the points of a line from one distance along it, in mm, to a greater one."""
    gone = reached(line)
    ends = stations(line, [start, stop])
    return np.vstack([ends[:1], shapely.get_coordinates(line)[(gone > start) & (gone < stop)], ends[1:]])


def _lengths(steps: Points) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1])
    return found
