"""The spines of long hills: where one runs, where its knolls and saddles are, and how high the flanks beside it are."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Polygon

from printkit.core import elementary
from printkit.drawing.canvas.shapes import Line, lines, normals, resampled
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import Numbers

_LEAST_RADIUS: Final = 20.0
"""Radius in mm at 1:1 of the largest circle inside a long hill from which its spine can be told."""

_LONG: Final = 1.8
"""How many times as long as broad a ridge is at least."""

_CHORDS: Final = 48
_FROM_ENDS: Final = 0.55
"""How far from the outline a spine ends, in radii."""

_WANDERS: Final = 0.34
_WANDER_WAVE: Final = 1.7
_EVEN: Final = 3
STEP: Final = 5.0

_TWO_SADDLES: Final = 5.0
"""Radii of length up to which a spine has two saddles, and three beyond."""

_ASTRAY: Final = 0.22
_SADDLE: Final = (0.30, 0.55)
"""How low saddles lie at least and at most, as shares of the spine's height."""

_SADDLE_WIDE: Final = 0.50
"""Half the width of a saddle in radii."""

_SPURS: Final = 0.16
_SPUR_WAVE: Final = 0.75


class Spine(Struct, frozen=True, eq=False):
    """The spine of a ridge: points a few mm apart, and how low ground lies there, from 0 on knolls to 1."""

    points: Line
    low: Numbers

    @classmethod
    def of(cls, contour: Polygon, radius: float, context: SymbolContext) -> Spine | None:
        """Return the spine of a long hill; None where the hill is too small or too round.

        Args:
            contour: of its lowest level, in printed mm.
            radius: of the largest circle inside it.
        """
        if radius < context.size(_LEAST_RADIUS):
            return None
        middle = _middle(contour)
        if middle is None or LineString(middle).length < 2 * radius * _LONG:
            return None
        wander = context.noise.at(middle[:, 0], middle[:, 1], _WANDER_WAVE * radius)
        moved = middle + normals(middle) * (_WANDERS * radius * np.clip(wander, -1, 1))[:, None]
        within = shapely.intersection(shapely.linestrings(_evened(moved)), contour.buffer(-_FROM_ENDS * radius))
        runs = lines(within)
        if not runs:
            return None
        points = resampled(max(runs, key=lambda run: run.length), context.size(STEP))
        return cls(points, _saddles(points, radius, context))

    def flanks(self, x: Numbers, y: Numbers, inside: Numbers, radius: float, context: SymbolContext) -> Numbers:
        """Return how high the ground lies at nodes of a grid, 1 on knolls, 0 on the outline and beyond.

        Args:
            x: of the nodes, row by row.
            y: likewise.
            inside: how far inside the outline each lies.
            radius: of the largest circle inside.
        """
        nearest = np.full(x.shape, np.inf)
        low = np.zeros(x.shape)
        for (across, up), here in zip(self.points.tolist(), self.low.tolist(), strict=True):
            away = (x - across) ** 2 + (y - up) ** 2
            nearer = away < nearest
            nearest, low = np.where(nearer, away, nearest), np.where(nearer, here, low)
        within = np.maximum(inside, 0.0)
        share = within / np.maximum(within + np.sqrt(nearest), 1e-9)
        spurs = context.noise.at(x, y, _SPUR_WAVE * radius) * _SPURS * 4 * share * (1 - share)
        return np.asarray(np.clip(share + spurs, 0.0, 1.0) * (1 - low * share))


def _middle(contour: Polygon) -> Line | None:
    """Return the middles of chords across the longer axis of a hill, from end to end."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(contour))
    sides = np.diff(corners[:3], axis=0)
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    along = sides[lengths.argmax()] / max(float(lengths.max()), 1e-9)
    along = along if tuple(along) > (0.0, 0.0) else -along  # So that it does not depend on where a ring begins.
    aside = np.array([-along[1], along[0]])
    ring = shapely.get_coordinates(contour)
    far, wide = (elementary.product(ring, axis) for axis in (along, aside))
    at = far.min() + (np.arange(_CHORDS) + 0.5) / _CHORDS * np.ptp(far)
    ends = [at[:, None] * along + side * aside for side in (wide.min(), wide.max())]
    chords = shapely.intersection(shapely.linestrings(np.stack(ends, axis=1)), contour)
    found = [
        shapely.get_coordinates(max(parts, key=lambda part: part.length)).mean(axis=0)
        for chord in chords
        if (parts := lines(chord))
    ]
    return np.array(found) if len(found) > 2 * _EVEN else None


def _evened(line: Line) -> Line:
    """Return a line evened out along its points, its ends kept."""
    padded = np.vstack([np.repeat(line[:1], _EVEN, axis=0), line, np.repeat(line[-1:], _EVEN, axis=0)])
    total = np.zeros_like(line)
    for first in range(2 * _EVEN + 1):
        total += padded[first : first + len(line)]
    return np.asarray(total / (2 * _EVEN + 1))


def _saddles(points: Line, radius: float, context: SymbolContext) -> Numbers:
    """Return how low a spine lies at its points: two or three saddles, none like the other."""
    step = np.hypot(*np.diff(points, axis=0).T)
    at = np.concatenate([[0.0], np.cumsum(step)])
    whole = float(at[-1])
    count = 2 if whole < _TWO_SADDLES * radius else 3
    low = np.zeros(len(points))
    for number in range(count):
        share = (number + 0.5) / count
        x, y = points[min(len(points) - 1, int(share * len(points)))]
        astray, deep = (float(context.noise.at(x + shift * radius, y, radius)) for shift in (17.0, 31.0))
        middle = whole * (share + _ASTRAY / count * min(1.0, max(-1.0, astray)))
        least, most = _SADDLE
        depth = least + (most - least) * min(1.0, max(0.0, 0.5 + deep))
        off = np.clip(np.abs(at - middle) / (_SADDLE_WIDE * radius), 0.0, 1.0)
        low = np.maximum(low, depth * 0.5 * (1 + elementary.cos(np.pi * off)))
    return low
