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

MAX_SHIFT: Final = 2.0  # Greatest distance of the drawn centre line from the true one, in mm at 1:1

_STEP: Final = 3.0
_PASSES: Final = 6
_WAVER: Final = (2.6, 60.0)
_FREE_FROM: Final = 5.0
_FADING: Final = 15.0
_HAIR: Final = 0.1


def waver_wall(line: LineString, context: SymbolContext, *, gaps: BaseGeometry, obstacles: BaseGeometry) -> LineString:
    """Return the centre line of a wall as it is drawn, in printed mm.

    It is at most 2 mm at 1:1 from the true one, and its ends stay. A very short wall is returned unchanged.

    Args:
        line: the true centre line in printed mm.
        context: gives the scale and the noise of the map.
        gaps: the gaps for roads; the wall does not move near them.
        obstacles: ground that the wall must not come nearer to. The wall may waver where it is already on that ground.
    """
    step = context.size(_STEP)
    if line.length < 3 * step:
        return line
    points = resampled(line, step)
    freedom = _compute_freedom(points, step, context, gaps, obstacles)
    smooth_points = points.copy()
    for _ in range(_PASSES):
        smooth_points[1:-1] = (smooth_points[:-2] + smooth_points[1:-1] + smooth_points[2:]) / 3
    amount, wave = (context.size(mm) for mm in _WAVER)
    wavering = amount * context.noise.at(points[:, 0], points[:, 1], wave)
    shifts = freedom[:, None] * (smooth_points - points + normals(smooth_points) * wavering[:, None])
    lengths = np.hypot(shifts[:, 0], shifts[:, 1])
    limit = context.size(MAX_SHIFT - _HAIR)
    return LineString(points + shifts * np.minimum(1.0, limit / np.maximum(lengths, 1e-9))[:, None])


def _compute_freedom(
    points: Line, step: float, context: SymbolContext, gaps: BaseGeometry, obstacles: BaseGeometry
) -> NDArray[np.float64]:
    """Return how far each point of a wall may move, as a share of its full shift.

    It is 0 where the point is fixed and at both ends, and rises to 1 away from there.

    Args:
        points: n x 2, in printed mm.
        step: distance between points in printed mm.
        context: gives the sizes.
        gaps: the gaps for roads; points near them are fixed.
        obstacles: ground; points near it, but not on it, are fixed.
    """
    point_shapes, reach = shapely.points(points), context.size(_FREE_FROM)
    distances = shapely.distance(obstacles, point_shapes)
    is_fixed = (distances > 0) & (distances < reach) | shapely.dwithin(gaps, point_shapes, reach)
    is_fixed[[0, -1]] = True
    numbers = np.arange(len(points))
    fixed_indices = np.flatnonzero(is_fixed)
    next_fixed = np.minimum(np.searchsorted(fixed_indices, numbers), len(fixed_indices) - 1)
    previous_fixed = np.maximum(next_fixed - 1, 0)
    steps = np.minimum(np.abs(fixed_indices[next_fixed] - numbers), np.abs(fixed_indices[previous_fixed] - numbers))
    return np.asarray(np.minimum(1.0, steps * step / context.size(_FADING)))
