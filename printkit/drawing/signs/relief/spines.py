"""Spines of long hills: their course, their knolls and saddles, and the height of the ground on both sides."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Polygon

from printkit.core import exact_math
from printkit.drawing.canvas.shapes import Line, lines, normals, resampled
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import Numbers

_LEAST_RADIUS: Final = 20.0  # Least radius in mm at 1:1 of the largest circle inside a hill with a spine

_LONG: Final = 1.8  # Least ratio of length to breadth of a ridge

_CHORDS: Final = 48
_FROM_ENDS: Final = 0.55  # Distance from the outline to the end of a spine, in radii

_WANDERS: Final = 0.34
_WANDER_WAVE: Final = 1.7
_EVEN: Final = 3
STEP: Final = 5.0

_TWO_SADDLES: Final = 5.0  # Length in radii of the longest spine with two saddles; a longer one has three

_ASTRAY: Final = 0.22
_SADDLE: Final = (0.30, 0.55)  # Least and greatest depth of a saddle, as a share of the spine's height

_SADDLE_WIDE: Final = 0.50  # Half the width of a saddle, in radii

_SPURS: Final = 0.16
_SPUR_WAVE: Final = 0.75


class Spine(Struct, frozen=True, eq=False):
    """The spine of a ridge.

    Attributes:
        points: points 5 mm at 1:1 apart from end to end, n x 2 in printed mm.
        depth: depth of the saddles at each point, from 0 on knolls to 1.
    """

    points: Line
    depth: Numbers

    @classmethod
    def from_contour(cls, contour: Polygon, radius: float, context: SymbolContext) -> Spine | None:
        """Return the spine of a long hill, or None if the hill is too small or too round.

        Args:
            contour: lowest contour of the hill, in printed mm.
            radius: radius of the largest circle inside it, in printed mm.
            context: gives sizes and noise.
        """
        if radius < context.size(_LEAST_RADIUS):
            return None
        middle = _find_middle_line(contour)
        if middle is None or LineString(middle).length < 2 * radius * _LONG:
            return None
        wander = context.noise.at(middle[:, 0], middle[:, 1], _WANDER_WAVE * radius)
        wavy_line = middle + normals(middle) * (_WANDERS * radius * np.clip(wander, -1, 1))[:, None]
        inner_line = shapely.intersection(
            shapely.linestrings(_smooth_line(wavy_line)), contour.buffer(-_FROM_ENDS * radius)
        )
        runs = lines(inner_line)
        if not runs:
            return None
        points = resampled(max(runs, key=lambda run: run.length), context.size(STEP))
        return cls(points, _compute_saddles(points, radius, context))

    def flank_heights(self, x: Numbers, y: Numbers, inside: Numbers, radius: float, context: SymbolContext) -> Numbers:
        """Return the height of the ground at grid nodes: 1 on knolls, 0 on the outline and outside.

        Args:
            x: x of the nodes, row by row, in printed mm.
            y: y of the nodes, row by row.
            inside: distance of each node inside the outline, in mm.
            radius: radius of the largest circle inside the hill, in printed mm.
            context: gives the noise.
        """
        nearest = np.full(x.shape, np.inf)
        low = np.zeros(x.shape)
        for (spine_x, spine_y), spine_depth in zip(self.points.tolist(), self.depth.tolist(), strict=True):
            squared_distance = (x - spine_x) ** 2 + (y - spine_y) ** 2
            nearer = squared_distance < nearest
            nearest, low = np.where(nearer, squared_distance, nearest), np.where(nearer, spine_depth, low)
        inside_mm = np.maximum(inside, 0.0)
        share = inside_mm / np.maximum(inside_mm + np.sqrt(nearest), 1e-9)
        spurs = context.noise.at(x, y, _SPUR_WAVE * radius) * _SPURS * 4 * share * (1 - share)
        return np.asarray(np.clip(share + spurs, 0.0, 1.0) * (1 - low * share))


def _find_middle_line(contour: Polygon) -> Line | None:
    """Return the midpoints of chords across the longer axis of a hill, from end to end.

    The result is an n x 2 array in printed mm, or None if there are too few chords.
    """
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(contour))
    sides = np.diff(corners[:3], axis=0)
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    axis_direction = sides[lengths.argmax()] / max(float(lengths.max()), 1e-9)
    axis_direction = (
        axis_direction if tuple(axis_direction) > (0.0, 0.0) else -axis_direction
    )  # Independent of where the ring begins.
    normal = np.array([-axis_direction[1], axis_direction[0]])
    ring = shapely.get_coordinates(contour)
    axis_positions, normal_positions = (exact_math.product(ring, axis) for axis in (axis_direction, normal))
    chord_positions = axis_positions.min() + (np.arange(_CHORDS) + 0.5) / _CHORDS * np.ptp(axis_positions)
    ends = [
        chord_positions[:, None] * axis_direction + side * normal
        for side in (normal_positions.min(), normal_positions.max())
    ]
    chords = shapely.intersection(shapely.linestrings(np.stack(ends, axis=1)), contour)
    midpoints = [
        shapely.get_coordinates(max(parts, key=lambda part: part.length)).mean(axis=0)
        for chord in chords
        if (parts := lines(chord))
    ]
    return np.array(midpoints) if len(midpoints) > 2 * _EVEN else None


def _smooth_line(line: Line) -> Line:
    """Return the points of a line, each the average of the seven points around it, in the same unit.

    The ends are repeated for the average.
    """
    padded = np.vstack([np.repeat(line[:1], _EVEN, axis=0), line, np.repeat(line[-1:], _EVEN, axis=0)])
    total = np.zeros_like(line)
    for first in range(2 * _EVEN + 1):
        total += padded[first : first + len(line)]
    return np.asarray(total / (2 * _EVEN + 1))


def _compute_saddles(points: Line, radius: float, context: SymbolContext) -> Numbers:
    """Return the depth of the saddles at each point of a spine, 0 to 1.

    There are two or three saddles of different depth. ``radius`` is that of the largest circle in the hill, in printed
    mm.
    """
    step = np.hypot(*np.diff(points, axis=0).T)
    distances = np.concatenate([[0.0], np.cumsum(step)])
    total = float(distances[-1])
    count = 2 if total < _TWO_SADDLES * radius else 3
    low = np.zeros(len(points))
    for number in range(count):
        share = (number + 0.5) / count
        x, y = points[min(len(points) - 1, int(share * len(points)))]
        shift_noise, depth_noise = (float(context.noise.at(x + shift * radius, y, radius)) for shift in (17.0, 31.0))
        middle = total * (share + _ASTRAY / count * min(1.0, max(-1.0, shift_noise)))
        min_depth, max_depth = _SADDLE
        depth = min_depth + (max_depth - min_depth) * min(1.0, max(0.0, 0.5 + depth_noise))
        saddle_offset = np.clip(np.abs(distances - middle) / (_SADDLE_WIDE * radius), 0.0, 1.0)
        low = np.maximum(low, depth * 0.5 * (1 + exact_math.cos(np.pi * saddle_offset)))
    return low
