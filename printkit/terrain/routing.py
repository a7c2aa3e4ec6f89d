"""Finding a way: a coarse grid searched from one place, and an elastic band that makes the path found run smoothly."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

Line = NDArray[np.float64]
XY = tuple[float, float]

_COMFORT: Final = 40.0
"""Millimetres of free ground beside a course beyond which more makes it no better."""

_CROWDED: Final = 3.0
"""How much dearer a step is that runs right along forbidden ground."""

_CROSSING: Final = 3.0
"""How much dearer a step is in or beside a line that should be crossed squarely."""

_COARSE: Final = 0.6
"""Millimetres by which forbidden ground may be simplified where a way is only sought."""

_SPACING: Final = 9.0
"""Millimetres between the points of the band."""


@dataclass(frozen=True, kw_only=True)
class Country:
    """The ground over which a course is laid.

    Args:
        room: upright rectangle in which its centre line stays, apart from its leads.
        closed: ground that the whole width of the course keeps out of; may be empty.
        half_width: of the course.
        squarely: lines that may be crossed, but squarely, and not followed.
        squarely_reach: how near such a line the course is in its way.
        step: mm of the grid on which a way is sought.
        coarse: forbidden ground with few points, for what need not be exact.
    """

    room: Polygon
    closed: BaseGeometry
    half_width: float
    squarely: tuple[LineString, ...] = ()
    squarely_reach: float = 0.0
    step: float = 12.7
    coarse: BaseGeometry = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "coarse", shapely.simplify(self.closed, _COARSE))

    def barrier(self, margin: float) -> BaseGeometry:
        """Return where the centre line may not be if its side is to keep a margin from forbidden ground; roughly."""
        found = self.coarse.buffer(self.half_width + margin, quad_segs=4)
        shapely.prepare(found)
        return found

    def clearance(self, points: Line) -> Line:
        """Return how far off forbidden ground the course's side is at points, roughly; negative where it is on it."""
        if self.coarse.is_empty:
            return np.full(len(points), 1e6)
        away = np.asarray(shapely.distance(shapely.points(points), self.coarse), dtype=float)
        return away - self.half_width


@dataclass(slots=True)
class Flood:
    """The cheapest ways from one place to every node of the grid."""

    country: Country
    start: XY
    _columns: int = 0
    _rows: int = 0
    _origin: XY = (0.0, 0.0)
    _cost: list[float] = field(default_factory=list)
    _before: list[int] = field(default_factory=list)
    _way: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        left, low, right, high = self.country.room.bounds
        step = self.country.step
        # The grid is anchored at the board's corner, so that nodes fall on whole steps of the board.
        first_column, first_row = math.floor(left / step), math.floor(low / step)
        self._columns = math.ceil(right / step) - first_column + 3
        self._rows = math.ceil(high / step) - first_row + 3
        self._origin = ((first_column - 1) * step, (first_row - 1) * step)
        self._cost = self._costs().tolist()
        self._spread()

    def _nodes(self) -> Line:
        columns, rows = np.meshgrid(np.arange(self._columns), np.arange(self._rows))
        nodes = np.column_stack([columns.ravel(), rows.ravel()]).astype(float)
        places: Line = nodes * self.country.step + self._origin
        return places

    def _costs(self) -> Line:
        """Return the price of a millimetre at each node; infinite where the course may not be."""
        country, nodes = self.country, self._nodes()
        left, low, right, high = country.room.bounds
        edge = np.minimum.reduce([nodes[:, 0] - left, right - nodes[:, 0], nodes[:, 1] - low, high - nodes[:, 1]])
        free = np.minimum(country.clearance(nodes), edge + _COMFORT / 2)
        cost = 1.0 + _CROWDED * np.clip(1.0 - free / _COMFORT, 0.0, 1.0) ** 2
        for line in country.squarely:
            near = shapely.dwithin(shapely.points(nodes), line, country.squarely_reach)
            cost = np.where(near, cost * _CROSSING, cost)
        grid = np.where((free < 0) | (edge < -1e-6), np.inf, cost).reshape(self._rows, self._columns)
        # A rim of closed nodes spares the search every question about the grid's edge.
        grid[[0, -1], :] = np.inf
        grid[:, [0, -1]] = np.inf
        return grid.ravel()

    def _node(self, place: XY) -> int:
        """Return the open node nearest to a place, or -1 if none is within two steps."""
        step = self.country.step
        column = round((place[0] - self._origin[0]) / step)
        row = round((place[1] - self._origin[1]) / step)
        best, nearest = -1, math.inf
        for other_row in range(max(0, row - 2), min(self._rows, row + 3)):
            for other_column in range(max(0, column - 2), min(self._columns, column + 3)):
                node = other_row * self._columns + other_column
                away = math.dist(place, self._place(node))
                if self._cost[node] < math.inf and away < nearest:
                    best, nearest = node, away
        return best

    def _place(self, node: int) -> XY:
        row, column = divmod(node, self._columns)
        return self._origin[0] + column * self.country.step, self._origin[1] + row * self.country.step

    def _spread(self) -> None:
        """Search outwards from the start, the cheapest open end first."""
        cost, step, columns = self._cost, self.country.step, self._columns
        moves = [
            (up * columns + right, step * math.hypot(up, right))
            for up in (-1, 0, 1)
            for right in (-1, 0, 1)
            if up or right
        ]
        price = [math.inf] * len(cost)
        self._before, self._way = [-1] * len(cost), [math.inf] * len(cost)
        first = self._node(self.start)
        if first < 0:
            return
        price[first], self._way[first] = 0.0, 0.0
        open_ends = [(0.0, first)]
        while open_ends:
            so_far, node = heapq.heappop(open_ends)
            if so_far > price[node]:
                continue
            for move, length in moves:
                other = node + move
                if cost[other] == math.inf:
                    continue
                total = so_far + length * (cost[node] + cost[other]) / 2
                if total < price[other] - 1e-9:
                    price[other], self._before[other] = total, node
                    self._way[other] = self._way[node] + length
                    heapq.heappush(open_ends, (total, other))

    def way(self, end: XY) -> float:
        """Return the length of the way to a place along the grid, which overstates a slanting one a little."""
        node = self._node(end)
        return self._way[node] if node >= 0 else math.inf

    def path(self, end: XY) -> list[XY] | None:
        """Return the nodes of the way from the start to a place, both places themselves included, or None."""
        node = self._node(end)
        if node < 0 or self._way[node] == math.inf:
            return None
        found = [end]
        while node >= 0:
            found.append(self._place(node))
            node = self._before[node]
        found[-1] = self.start
        return found[::-1]


def resampled(points: Line, spacing: float) -> Line:
    """Return points at even distances along a line, about ``spacing`` mm apart, its ends included."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    gone = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0.0, gone[-1], max(2, round(gone[-1] / spacing)) + 1)
    return np.column_stack([np.interp(at, gone, points[:, axis]) for axis in (0, 1)])


def smooth_curve(points: Line, spacing: float = 2.0) -> Line:
    """Return the centripetal Catmull-Rom curve through points, which neither loops nor overshoots between them."""
    kept = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-6])
    points = points[kept]
    if len(points) < 3:
        return resampled(points, spacing)
    ghosts = 2 * points[[0, -1]] - points[[1, -2]]
    through = np.vstack([ghosts[0], points, ghosts[1]])
    knots = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(through, axis=0).T) ** 0.5)])
    widest = float(np.hypot(*np.diff(points, axis=0).T).max())
    curve = _spans(through, knots, max(2, math.ceil(1.3 * widest / spacing)))
    return resampled(np.vstack([curve, points[-1:]]), spacing)


def _spans(through: Line, knots: Line, count: int) -> Line:
    """Return ``count`` points of the curve from every point to the next, by Barry and Goldman's pyramid.

    The first and the last point only give the curve its direction.
    """
    spans = len(through) - 3
    at = np.linspace(knots[1:-2], knots[2:-1], count, endpoint=False, axis=1)[:, :, None]
    level = [through[place : place + spans, None, :] for place in range(4)]
    for width in (1, 2, 3):
        level = [
            (
                (knots[place + width : place + width + spans, None, None] - at) * level[place]
                + (at - knots[place : place + spans, None, None]) * level[place + 1]
            )
            / (knots[place + width : place + width + spans] - knots[place : place + spans])[:, None, None]
            for place in range(len(level) - 1)
        ]
    return level[0].reshape(-1, 2)


def band(path: Line, country: Country, *, margin: float, rounds: int = 40) -> Line:
    """Return a path drawn smooth like an elastic band that forbidden ground pushes away.

    Args:
        path: points from start to end; both stay where they are.
        margin: mm that the side of the course should keep from forbidden ground; it is kept where there is room.
        rounds: more make the band tauter.
    """
    points = resampled(path, _SPACING)
    left, low, right, high = country.room.bounds
    rim = None if country.coarse.is_empty else country.coarse.boundary
    for turn in range(rounds):
        moved = points.copy()
        moved[1:-1] += 0.5 * ((points[:-2] + points[2:]) / 2 - points[1:-1])
        if len(points) > 8:
            # A second pull over a longer reach takes out bends that the short one would need hundreds of rounds for.
            moved[3:-3] += 0.3 * ((points[:-6] + points[6:]) / 2 - points[3:-3])
        if rim is not None and (turn % 2 or turn == rounds - 1):
            moved = _pushed(moved, rim, country, margin)
        moved[:, 0] = np.clip(moved[:, 0], left, right)
        moved[:, 1] = np.clip(moved[:, 1], low, high)
        moved[0], moved[-1] = points[0], points[-1]
        points = moved
    return points


def _pushed(points: Line, rim: BaseGeometry, country: Country, margin: float) -> Line:
    """Return the points, those too near forbidden ground moved straight away from its rim."""
    feet = shapely.get_coordinates(shapely.shortest_line(rim, shapely.points(points))).reshape(-1, 2, 2)[:, 0]
    away = points - feet
    distance = np.hypot(away[:, 0], away[:, 1])
    inside = np.where(shapely.contains_xy(country.coarse, points[:, 0], points[:, 1]), -1.0, 1.0)
    short = np.maximum(0.0, country.half_width + margin - inside * distance)
    unit = away * (inside / (distance + 1e-9))[:, None]
    # In a gap narrower than twice the margin both sides push: half a step each time settles in the middle.
    moved: Line = points + 0.5 * np.minimum(short, _SPACING)[:, None] * unit
    return moved
