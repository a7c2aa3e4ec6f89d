"""Irregular lines of dry-stone walls: rounded corners and a slight waver about the true line.

Only the drawing changes. Ends, gates, and stretches near a road or a field do not move.

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

MOST: Final = 2.0  # Greatest distance of the drawn centre line from the true one, in mm at 1:1

_STEP: Final = 3.0
_PASSES: Final = 6
_WAVER: Final = (2.6, 60.0)
_FREE_FROM: Final = 5.0
_FADING: Final = 15.0
_HAIR: Final = 0.1


def wandered(line: LineString, context: SymbolContext, *, crossed: BaseGeometry, beside: BaseGeometry) -> LineString:
    """Return the centre line of a wall as it is drawn.

    Args:
        line: the true centre line in printed mm.
        context: gives the scale and the noise of the map.
        crossed: the gaps for roads; the wall does not move near them.
        beside: ground that the wall must not come nearer to. The wall may waver where it is already on that ground.
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
    """Return how far each point may move: 0 where it is fixed and at both ends, rising to 1 away from there."""
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
