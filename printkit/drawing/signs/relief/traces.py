"""Traces: lines up the slope of a hill from evenly spaced places around a contour. They never cross."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from printkit.drawing.canvas.shapes import Line
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import Numbers, smooth_ring
from printkit.drawing.signs.relief.relief_field import ContourLevel, Relief

_HAIR: Final = 1e-6  # Distance in steps between the last usable position and the end of a trace

STEP: Final = 0.7  # Distance in mm at 1:1 between the points of a trace

_BELOW_NEXT: Final = 1.6

_RIDGE: Final = 0.30  # A trace ends at a ridge, where the smoothed gradient is below this value.

# A trace is near a ridge, within about 4 mm, where the gradient is below this value.
_NEAR_RIDGE: Final = 0.62

_JOINED: Final = 0.15  # Neighbouring traces count as one from this share of their distance at the foot.


class Traces(Struct, frozen=True, eq=False):
    """Lines up the slope from every place of a contour.

    Attributes:
        points: points one step apart, n x k x 2, in printed mm.
        steps: steps of 0.7 mm at 1:1 to the end of each line: a ridge, the next contour, or the last traced point.
        ridge_free_steps: steps until each line comes near a ridge; infinite without a ridge.
    """

    points: NDArray[np.float64]
    steps: Numbers
    ridge_free_steps: Numbers

    def at(self, place: Numbers, step: Numbers) -> Line:
        """Return points at fractional places and steps, n x 2, in printed mm.

        Places are indices that wrap around the contour. A step is 0.7 mm at 1:1 up the slope.
        """
        count, last = self.points.shape[0], self.points.shape[1] - 1
        clipped = np.clip(step, 0, last - _HAIR)
        column, step_fraction = clipped.astype(int), (clipped % 1.0)[..., None]
        row, place_fraction = np.floor(place).astype(int) % count, (place % 1.0)[..., None]
        next_row = (row + 1) % count
        low = self.points[row, column] * (1 - place_fraction) + self.points[next_row, column] * place_fraction
        high = self.points[row, column + 1] * (1 - place_fraction) + self.points[next_row, column + 1] * place_fraction
        points: Line = low * (1 - step_fraction) + high * step_fraction
        return points

    def lines_from(self, place: Numbers, steps: int) -> NDArray[np.float64]:
        """Return the points of the lines up from fractional places, n x k x 2, equal to ``at`` at every step.

        Points are in printed mm.

        Args:
            place: fractional places around the contour.
            steps: least number of steps of 0.7 mm at 1:1, if the lines are that long.
        """
        row, place_fraction = np.floor(place).astype(int) % len(self.points), (place % 1.0)[:, None, None]
        next_row, points = (row + 1) % len(self.points), self.points[:, : steps + 2]
        lines = np.asarray(points[row] * (1 - place_fraction) + points[next_row] * place_fraction)
        step_fraction = (lines.shape[1] - 1 - _HAIR) % 1.0
        lines[:, -1] = lines[:, -2] * (1 - step_fraction) + lines[:, -1] * step_fraction
        return lines


def trace_uphill(relief: Relief, level: ContourLevel, context: SymbolContext, needed_steps: Numbers) -> Traces:
    """Return the traces up the slope from every place of a contour, ``needed_steps`` long at most.

    A step is 0.7 mm at 1:1, and ``needed_steps`` has a number for each place. A trace ends early at a ridge or just
    below the next contour. Points are in printed mm, places x steps x 2; lengths are in steps.
    """
    step, grid, steps = context.size(STEP), relief.grid, int(needed_steps.max())
    ceiling = [upper_level.inside for upper_level in relief.levels_above(level)]
    ceiling_inside = np.maximum.reduce(ceiling) if ceiling else None
    positions = level.places
    points = np.empty((steps + 1, len(positions), 2))
    points[0] = positions
    lengths, ridge_free_steps = np.zeros(len(positions)), np.full(len(positions), np.inf)
    active = np.arange(len(positions))
    for number in range(1, steps + 1):
        active = active[needed_steps[active] >= number]
        ascent = grid.at(level.uphill, positions[active])
        rate = np.hypot(ascent[:, 0], ascent[:, 1])
        near_ridge = active[rate < _NEAR_RIDGE]
        ridge_free_steps[near_ridge] = np.minimum(ridge_free_steps[near_ridge], number - 1)
        is_rising = rate > _RIDGE
        active, next_positions = (
            active[is_rising],
            positions[active[is_rising]] + ascent[is_rising] / rate[is_rising, None] * step,
        )
        if ceiling_inside is not None:
            below = grid.at(ceiling_inside, next_positions) < -context.size(_BELOW_NEXT)
            active, next_positions = active[below], next_positions[below]
        points[number] = positions
        positions = points[number]
        positions[active] = next_positions
        lengths[active] = number
    points = np.ascontiguousarray(points.swapaxes(0, 1))
    merge_steps = _find_merge_steps(points, level, context)
    return Traces(
        points, lengths, np.where(merge_steps < lengths, np.minimum(ridge_free_steps, merge_steps), ridge_free_steps)
    )


def _find_merge_steps(points: NDArray[np.float64], level: ContourLevel, context: SymbolContext) -> Numbers:
    """Return for each trace the step at which it and its neighbours are so close that they continue as one, on a ridge.

    ``points`` are those of the traces, n x k x 2, in printed mm. The result is k for traces that stay apart.
    """
    gaps = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    widths = np.hypot(gaps[..., 0], gaps[..., 1])
    contour_mm = level.contour.exterior.length
    smooth_widths = np.column_stack([smooth_ring(column, context.size(4.0), contour_mm) for column in widths.T])
    is_merged = smooth_widths < _JOINED * smooth_widths[:, :1]
    return np.asarray(np.where(is_merged.any(axis=1), is_merged.argmax(axis=1), points.shape[1]), dtype=float)
