"""How a dry wall wanders: nobody laid one with a ruler, so its corners are eased and it wavers about its true line.

Only the drawing does. Ends, gates, and what runs beside a way or a field stay where they are.

Source: the cartography, 10.6.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import Line, normals, resampled
from printkit.drawing.canvas.symbol_context import SymbolContext

MOST: Final = 2.0
"""So many mm at 1:1 a wall is drawn off its true line at most; all of it lies within that and half its width."""

_STEP: Final = 3.0
_PASSES: Final = 6
_WAVER: Final = (2.6, 60.0)
_FREE_FROM: Final = 5.0
_FADING: Final = 15.0
_HAIR: Final = 0.1


def wandered(line: LineString, context: SymbolContext, *, crossed: BaseGeometry, beside: BaseGeometry) -> LineString:
    """Return a wall's middle line as it is drawn.

    Args:
        line: its true middle in printed mm.
        context: for the scale and the noise of the map.
        crossed: the gaps that it leaves for ways; it is true on either side of them.
        beside: ground that it stands clear of and must not come nearer to. Where it lies on that already, it wavers.
    """
    step = context.size(_STEP)
    if line.length < 3 * step:
        return line
    points = resampled(line, step)
    free = _free(points, step, context, crossed, beside)
    eased = points.copy()
    for _ in range(_PASSES):
        eased[1:-1] = (eased[:-2] + eased[1:-1] + eased[2:]) / 3
    amount, wave = (context.size(mm) for mm in _WAVER)
    aside = amount * context.noise.at(points[:, 0], points[:, 1], wave)
    off = free[:, None] * (eased - points + normals(eased) * aside[:, None])
    far = np.hypot(off[:, 0], off[:, 1])
    most = context.size(MOST - _HAIR)
    return LineString(points + off * np.minimum(1.0, most / np.maximum(far, 1e-9))[:, None])


def _free(
    points: Line, step: float, context: SymbolContext, crossed: BaseGeometry, beside: BaseGeometry
) -> NDArray[np.float64]:
    """Return how free every point is to leave the true line: 0 where it is held and at both ends, 1 far from there."""
    places, near = shapely.points(points), context.size(_FREE_FROM)
    apart = shapely.distance(beside, places)
    held = (apart > 0) & (apart < near) | shapely.dwithin(crossed, places, near)
    held[[0, -1]] = True
    numbers = np.arange(len(points))
    fixed = np.flatnonzero(held)
    after = np.minimum(np.searchsorted(fixed, numbers), len(fixed) - 1)
    before = np.maximum(after - 1, 0)
    steps = np.minimum(np.abs(fixed[after] - numbers), np.abs(fixed[before] - numbers))
    return np.asarray(np.minimum(1.0, steps * step / context.size(_FADING)))
