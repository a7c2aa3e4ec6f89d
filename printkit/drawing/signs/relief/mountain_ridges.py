"""The skeleton of a mountain: peaks, the ridge that joins them, its spurs and their forks.

Source: the cartography, 10.2, and 20.5 for spurs that must not cross.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon

from printkit.chance.streams import Stream
from printkit.drawing.canvas.shapes import Line, resampled
from printkit.drawing.signs.relief.relief_field import Grid, Numbers

_TO_EDGE: Final = 0.86
_SADDLE: Final = 0.66
_FOOT: Final = 0.10
_FORK_FOOT: Final = 0.08
_END_SPURS: Final = (1.0, 1.9)
_MIDDLE_SPURS: Final = (1.35,)
_SPUR_WAVER: Final = 0.18
_END_WAVER: Final = 0.25
_SPUR_REACH: Final = (0.74, 0.90)
_FORK_TURN: Final = (0.6, 0.9)
_FORK_REACH: Final = 0.72
_FORK_NODES: Final = (3, 4)
_ZIGZAG: Final = 0.10
_NODES: Final = 7
_FORK_BENDS: Final = 5
_TRIES: Final = 8
_APART: Final = 0.06
"""The least distance of two ridges that do not begin at the same place, as a share of the radius."""

_FALL: Final = 1.2
_NEAR_MIDDLE: Final = 0.12


class Ridge(Struct, frozen=True, eq=False):
    """A line from higher to lower ground, and its height at either end: 1 is the height of a peak."""

    points: Line
    high: float
    low: float

    def heights(self, count: int) -> Numbers:
        """Return the height at ``count`` places along it."""
        return np.asarray(self.high + (self.low - self.high) * np.linspace(0, 1, count) ** _FALL)


class Ridges(Struct, frozen=True, eq=False):
    """All ridges of a mountain; ``radius`` is that of a circle as large as the ground of one peak, in printed mm."""

    radius: float
    ridges: tuple[Ridge, ...]

    def height(self, grid: Grid, *, share: float, fall: float, step: float) -> Numbers:
        """Return the height of cones that stand on all ridges, in printed mm; nothing beyond their feet.

        Args:
            share: the height of a peak in radii.
            fall: how steeply a cone falls.
            step: mm between the cones of a ridge.
        """
        found = np.full((grid.rows, grid.columns), -np.inf)
        x, y = grid.x, grid.y
        for ridge in self.ridges:
            points = resampled(ridge.points, step)
            tops = ridge.heights(len(points)) * share * self.radius
            for (across, up), top in zip(points.tolist(), tops.tolist(), strict=True):
                reach = top / fall
                rows = slice(*np.searchsorted(y, (up - reach, up + reach)).tolist())
                columns = slice(*np.searchsorted(x, (across - reach, across + reach)).tolist())
                cone = top - fall * np.hypot(x[columns] - across, y[rows, None] - up)
                np.maximum(found[rows, columns], cone, out=found[rows, columns])
        return found


def ridges(outline: Polygon, peaks: int | Sequence[Line], inside: Numbers, grid: Grid, stream: Stream) -> Ridges:
    """Return the ridges of a mountain.

    Args:
        peaks: how many, along its axis; or where they stand, from neighbour to neighbour.
        inside: how far inside the outline every node of the grid lies.
    """
    axis = _axis(outline)
    tops = _peaks(outline, peaks, axis, inside, grid) if isinstance(peaks, int) else list(peaks)
    radius = math.sqrt(outline.area / len(tops) / math.pi)
    drawing = _Drawing(outline, radius, stream)
    drawing.main(tops, axis)
    for number, top in enumerate(tops):
        ends = number in (0, len(tops) - 1)
        before, after = tops[max(0, number - 1)], tops[min(len(tops) - 1, number + 1)]
        along = axis if len(tops) == 1 else _bearing(after - before)
        for side in (1.0, -1.0):
            for turn in _END_SPURS if ends else _MIDDLE_SPURS:
                drawing.spur(top, along, side, turn)
    return Ridges(radius, tuple(drawing.found))


class _Drawing:
    """Ridges as they are drawn, each where no other is in its way."""

    def __init__(self, outline: Polygon, radius: float, stream: Stream) -> None:
        self._outline = outline
        self._rim = outline.exterior
        self._radius = radius
        self._stream = stream
        self.found: list[Ridge] = []

    def main(self, tops: list[Line], axis: float) -> None:
        """Draw the ridge over all peaks and on towards the outline at both ends."""
        first = axis + math.pi if len(tops) == 1 else _bearing(tops[0] - tops[1])
        last = axis if len(tops) == 1 else _bearing(tops[-1] - tops[-2])
        for top, bearing in ((tops[0], first), (tops[-1], last)):
            turned = bearing + self._stream.between(-_END_WAVER, _END_WAVER)
            end = top + (self._edge(top, turned) - top) * _TO_EDGE
            self.found.append(Ridge(self._zigzag(top, end, _NODES), 1.0, _FOOT))
        for one, other in pairwise(tops):
            if not self._outline.contains(LineString([one, other])):
                continue
            aside = np.array([self._stream.between(-0.1, 0.1), self._stream.between(-0.1, 0.1)])
            saddle = (one + other) / 2 + aside * self._radius
            for top in (one, other):
                self.found.append(Ridge(self._zigzag(top, saddle, _NODES), 1.0, _SADDLE))

    def spur(self, top: Line, along: float, side: float, turn: float) -> None:
        """Draw a spur and its fork; nothing where others leave no room."""
        for _ in range(_TRIES):
            bearing = along + side * (turn + self._stream.between(-_SPUR_WAVER, _SPUR_WAVER))
            end = top + (self._edge(top, bearing) - top) * self._stream.between(*_SPUR_REACH)
            spur = Ridge(self._zigzag(top, end, _NODES), 0.97, _FOOT)
            if self._free(spur.points):
                self.found.append(spur)
                self._fork(spur, bearing)
                return

    def _fork(self, spur: Ridge, bearing: float) -> None:
        for _ in range(_TRIES):
            node = _FORK_NODES[self._stream.below(len(_FORK_NODES))]
            turn = self._stream.between(*_FORK_TURN) * (1 if self._stream.unit() < 0.5 else -1)
            at = spur.points[node]
            end = at + (self._edge(at, bearing + turn) - at) * _FORK_REACH
            fork = Ridge(self._zigzag(at, end, _FORK_BENDS), float(spur.heights(_NODES)[node]), _FORK_FOOT)
            if self._free(fork.points):
                self.found.append(fork)
                return

    def _free(self, points: Line) -> bool:
        """Return whether a ridge keeps off all others but where it begins."""
        line = LineString(points[1:])
        away = min(LineString(ridge.points).distance(line) for ridge in self.found)
        return bool(away > _APART * self._radius)

    def _edge(self, at: Line, bearing: float) -> Line:
        """Return where a ray first meets the outline."""
        far = 1.0 + self._rim.length
        ray = LineString([at, at + far * np.array([math.cos(bearing), math.sin(bearing)])])
        met = shapely.get_coordinates(shapely.intersection(ray, self._rim))
        return np.asarray(met[np.hypot(*(met - at).T).argmin()]) if len(met) else at

    def _zigzag(self, start: Line, end: Line, nodes: int) -> Line:
        share = np.linspace(0, 1, nodes)
        way = end - start
        swing = _ZIGZAG * (2 * self._stream.array(nodes) - 1) * np.sin(np.pi * share) ** 0.6
        return np.asarray(start + share[:, None] * way + swing[:, None] * np.array([-way[1], way[0]]))


def _axis(outline: Polygon) -> float:
    """Return the bearing of the long side of the smallest rectangle about an outline, in radians."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))
    sides = np.diff(corners[:3], axis=0)
    return _bearing(sides[np.hypot(*sides.T).argmax()]) % math.pi


def length_of(outline: Polygon) -> float:
    """Return the length of the long side of the smallest rectangle about an outline."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))
    return float(np.hypot(*np.diff(corners[:3], axis=0).T).max())


def _peaks(outline: Polygon, count: int, axis: float, inside: Numbers, grid: Grid) -> list[Line]:
    """Return the peaks along the axis: the innermost node of each of ``count`` equal stretches of the outline."""
    along = np.array([math.cos(axis), math.sin(axis)])
    reach = shapely.get_coordinates(outline) @ along
    x, y = grid.nodes()
    share = (x * along[0] + y * along[1] - reach.min()) / float(np.ptp(reach))
    found: list[Line] = []
    for number in range(count):
        # The ends of a stretch belong to the saddles between its peak and the next.
        middle = np.abs(share * count - number - 0.5) < (0.5 if count == 1 else _NEAR_MIDDLE)
        depth = np.where(middle, inside, -np.inf)
        row, column = np.unravel_index(int(depth.argmax()), depth.shape)
        top = np.array([float(x[row, column]), float(y[row, column])])
        if outline.contains(Point(top)):
            found.append(top)
    return found or [shapely.get_coordinates(outline.representative_point())[0]]


def _bearing(way: Line) -> float:
    return math.atan2(float(way[1]), float(way[0]))
