"""Find paths for courses: search a coarse lattice, then smooth the path like an elastic band."""

from __future__ import annotations

import heapq
import math
from functools import cached_property
from typing import Final

import numpy as np
import shapely
from msgspec import Struct, field
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

_Line = NDArray[np.float64]
XY = tuple[float, float]

# Free ground beside a course that costs nothing extra, in mm.
_COMFORT: Final = 40.0

# Extra cost factor of a step right next to forbidden ground.
_CROWDED: Final = 3.0

# Cost factor of a step in or beside a line that courses should cross at right angles.
_CROSSING: Final = 3.0

# Tolerance for simplifying forbidden ground during the search, in mm.
_COARSE: Final = 0.6

# Within this offset from a node, in steps, no other node can be equally near.
_NO_TIE: Final = 0.499

# Distance that a line may leave its free area, in mm, because of rounding.
_ROUNDED: Final = 0.01

# Distance between the points of the elastic band, in mm.
_SPACING: Final = 9.0


class RoutingGround(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The ground for routing a course. Derived geometry is cached.

    Args:
        room: axis-parallel rectangle that the centre line stays in, apart from its leads.
        closed: ground that the full width of the course keeps out of; may be empty.
        half_width: half the width of the course, in mm.
        squarely: lines that the course may cross near a right angle, but not follow.
        squarely_reach: distance from such a line within which steps cost more, in mm.
        step: mm between the nodes of the search lattice.
    """

    room: Polygon
    closed: BaseGeometry
    half_width: float
    squarely: tuple[LineString, ...] = ()
    squarely_reach: float = 0.0
    step: float = 12.7

    @cached_property
    def coarse(self) -> BaseGeometry:
        """Return the forbidden ground, simplified for checks that need not be exact."""
        found = shapely.simplify(self.closed, _COARSE)
        shapely.prepare(found)
        return found

    @cached_property
    def rim(self) -> BaseGeometry | None:
        """Return the outline of the forbidden ground, or None if there is no such ground."""
        if self.coarse.is_empty:
            return None
        found = self.coarse.boundary
        shapely.prepare(found)
        return found

    @cached_property
    def lattice(self) -> RoutingLattice:
        """Return the lattice for searching paths."""
        return RoutingLattice.over(self)

    @cached_property
    def _barriers(self) -> dict[float, BaseGeometry]:
        return {}

    def barrier(self, margin: float) -> BaseGeometry:
        """Return the area that the centre line must avoid to keep a margin in mm; approximate."""
        if margin not in self._barriers:
            self._barriers[margin] = self.coarse.buffer(self.half_width + margin, quad_segs=4)
            shapely.prepare(self._barriers[margin])
        return self._barriers[margin]

    def shuts(self, line: LineString, by: float) -> bool:
        """Return whether a line comes within ``by`` mm of forbidden ground; exact."""
        shapely.prepare(self.closed)
        return bool(shapely.dwithin(self.closed, line, by))

    def holds(self, points: _Line) -> bool:
        """Return whether all points are in the free area, with a small tolerance for rounding."""
        left, low, right, high = self.room.bounds
        least, most = points.min(axis=0), points.max(axis=0)
        return bool(
            (least >= (left - _ROUNDED, low - _ROUNDED)).all() and (most <= (right + _ROUNDED, high + _ROUNDED)).all()
        )

    def clearance(self, points: _Line, most: float) -> _Line:
        """Return the distance from the course's side to forbidden ground at each point, in mm; approximate.

        It is negative on forbidden ground. Above ``most`` it may be any larger number.
        """
        found = np.full(len(points), 1e6)
        if not self.coarse.is_empty:
            places = shapely.points(points)
            near = np.flatnonzero(shapely.dwithin(self.coarse, places, self.half_width + most + 1.0))
            on = shapely.contains_xy(self.coarse, points[near, 0], points[near, 1])
            found[near[on]] = -self.half_width
            beside = near[~on]
            found[beside] = shapely.distance(places[beside], self.coarse) - self.half_width
        return found


class RoutingLattice(Struct, frozen=True, kw_only=True):
    """A lattice of nodes ``step`` mm apart, row by row from ``origin``, with the cost per mm at each.

    The cost is infinite where the course may not be. It is also infinite in the outermost nodes, so the search does not
    need to check for the edge of the lattice.
    """

    step: float
    columns: int
    rows: int
    origin: XY
    cost: list[float]
    known: dict[XY, int] = field(default_factory=dict)

    @classmethod
    def over(cls, country: RoutingGround) -> RoutingLattice:
        """Return the lattice for a ground."""
        left, low, right, high = country.room.bounds
        step = country.step
        # Anchor the lattice at the board's corner, so that nodes are at whole steps of the board.
        first_column, first_row = math.floor(left / step), math.floor(low / step)
        columns = math.ceil(right / step) - first_column + 3
        rows = math.ceil(high / step) - first_row + 3
        origin = ((first_column - 1) * step, (first_row - 1) * step)
        across, up = np.meshgrid(np.arange(columns), np.arange(rows))
        nodes = np.column_stack([across.ravel(), up.ravel()]).astype(float) * step + origin
        grid = _prices(country, nodes).reshape(rows, columns)
        grid[[0, -1], :] = np.inf
        grid[:, [0, -1]] = np.inf
        return cls(step=step, columns=columns, rows=rows, origin=origin, cost=grid.ravel().tolist())

    def place(self, node: int) -> XY:
        """Return the position of a node."""
        row, column = divmod(node, self.columns)
        return self.origin[0] + column * self.step, self.origin[1] + row * self.step

    def node(self, place: XY) -> int:
        """Return the passable node nearest to a point, or -1 if none is within two steps."""
        if place not in self.known:
            self.known[place] = self._nearest(place)
        return self.known[place]

    def _nearest(self, place: XY) -> int:
        across, up = (place[0] - self.origin[0]) / self.step, (place[1] - self.origin[1]) / self.step
        column, row = round(across), round(up)
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        clear = max(abs(across - column), abs(up - row)) < _NO_TIE
        if inside and clear and self.cost[row * self.columns + column] < math.inf:
            return row * self.columns + column
        best, nearest = -1, math.inf
        for other_row in range(max(0, row - 2), min(self.rows, row + 3)):
            for other in range(max(0, column - 2), min(self.columns, column + 3)):
                node = other_row * self.columns + other
                if self.cost[node] < math.inf and (away := math.dist(place, self.place(node))) < nearest:
                    best, nearest = node, away
        return best


def _prices(country: RoutingGround, nodes: _Line) -> _Line:
    """Return the cost per mm at each node; infinite where the course may not be."""
    left, low, right, high = country.room.bounds
    edge = np.minimum.reduce([nodes[:, 0] - left, right - nodes[:, 0], nodes[:, 1] - low, high - nodes[:, 1]])
    free = np.minimum(country.clearance(nodes, _COMFORT), edge + _COMFORT / 2)
    cost = 1.0 + _CROWDED * np.clip(1.0 - free / _COMFORT, 0.0, 1.0) ** 2
    for line in country.squarely:
        shapely.prepare(line)
        near = shapely.dwithin(line, shapely.points(nodes), country.squarely_reach)
        cost = np.where(near, cost * _CROSSING, cost)
    return np.where((free < 0) | (edge < -1e-6), np.inf, cost)


class CostField:
    """Cheapest paths from one start to the nodes of the lattice, searched outwards only as far as needed."""

    def __init__(self, country: RoutingGround, start: XY) -> None:
        """Start the search at a point."""
        self.start = start
        self._lattice = lattice = country.lattice
        ways = ((up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right)
        moves = [(up * lattice.columns + right, lattice.step * math.hypot(up, right)) for up, right in ways]
        # A step costs its length times the mean of the costs at both ends.
        self._moves = [(move, length, length / 2) for move, length in moves]
        count = len(lattice.cost)
        self._before, self._way, self._price = [-1] * count, [math.inf] * count, [math.inf] * count
        self._settled = [False] * count
        self._open_ends: list[tuple[float, int]] = []
        first = lattice.node(start)
        if first >= 0:
            self._price[first], self._way[first] = 0.0, 0.0
            self._open_ends.append((0.0, first))

    def _spread(self, end: int) -> None:
        """Continue the search, cheapest node first, until the path to ``end`` is known or no nodes are left."""
        cost, price, way, before, settled = self._lattice.cost, self._price, self._way, self._before, self._settled
        open_ends, moves = self._open_ends, self._moves
        while open_ends and not settled[end]:
            so_far, node = heapq.heappop(open_ends)
            if so_far > price[node]:
                continue
            settled[node] = True
            here, gone = cost[node], way[node]
            for move, length, half in moves:
                other = node + move
                total = so_far + half * (here + cost[other])
                if total < price[other] - 1e-9:
                    price[other], before[other], way[other] = total, node, gone + length
                    heapq.heappush(open_ends, (total, other))

    def way(self, end: XY) -> float:
        """Return the length of the path to a point in mm, slightly overstated, or infinity."""
        node = self._lattice.node(end)
        if node < 0:
            return math.inf
        self._spread(node)
        return self._way[node]

    def path(self, end: XY) -> list[XY] | None:
        """Return the path from the start to a point, including both, or None if there is no path."""
        node = self._lattice.node(end)
        if node < 0 or self.way(end) == math.inf:
            return None
        found = [end]
        while node >= 0:
            found.append(self._lattice.place(node))
            node = self._before[node]
        found[-1] = self.start
        return found[::-1]


def resampled(points: _Line, spacing: float) -> _Line:
    """Return evenly spaced points along a line, about ``spacing`` mm apart, including its ends."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    gone = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0.0, gone[-1], max(2, round(gone[-1] / spacing)) + 1)
    return np.column_stack([np.interp(at, gone, points[:, axis]) for axis in (0, 1)])


def smooth_curve(points: _Line, spacing: float = 2.0) -> _Line:
    """Return the centripetal Catmull-Rom curve through points; it does not loop or overshoot."""
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


def _spans(through: _Line, knots: _Line, count: int) -> _Line:
    """Return ``count`` points of the curve between each pair of points (Barry and Goldman's pyramid).

    The first and the last point only give the curve its direction.
    """
    spans = len(through) - 3
    at = np.linspace(knots[1:-2], knots[2:-1], count, endpoint=False, axis=1)
    # Store all x before all y: numpy is slow if the innermost rows are pairs.
    level = [through.T[:, place : place + spans, None] for place in range(4)]
    for width in (1, 2, 3):
        level = [
            (
                (knots[place + width : place + width + spans, None] - at) * level[place]
                + (at - knots[place : place + spans, None]) * level[place + 1]
            )
            / (knots[place + width : place + width + spans] - knots[place : place + spans])[:, None]
            for place in range(len(level) - 1)
        ]
    return level[0].reshape(2, -1).T


def band(path: _Line, country: RoutingGround, *, margin: float, rounds: int = 40) -> _Line:
    """Return a path smoothed like an elastic band that forbidden ground pushes away.

    Args:
        path: points from start to end; both ends stay in place.
        margin: distance in mm between the side of the course and forbidden ground, kept where there is enough space.
        rounds: number of iterations; more rounds give a tauter band.
    """
    points = resampled(path, _SPACING)
    left, low, right, high = country.room.bounds
    for turn in range(rounds):
        moved = points.copy()
        moved[1:-1] += 0.5 * ((points[:-2] + points[2:]) / 2 - points[1:-1])
        if len(points) > 8:
            # A second pull over a longer reach removes long bends; the short one alone would need hundreds of rounds.
            moved[3:-3] += 0.3 * ((points[:-6] + points[6:]) / 2 - points[3:-3])
        if country.rim is not None and (turn % 2 or turn == rounds - 1):
            moved = _pushed(moved, country.rim, country, margin)
        moved[:, 0] = np.clip(moved[:, 0], left, right)
        moved[:, 1] = np.clip(moved[:, 1], low, high)
        moved[0], moved[-1] = points[0], points[-1]
        points = moved
    return points


def _pushed(points: _Line, rim: BaseGeometry, country: RoutingGround, margin: float) -> _Line:
    """Return the points; those too near forbidden ground are moved straight away from its outline."""
    reach, places = country.half_width + margin, shapely.points(points)
    near = shapely.dwithin(country.coarse, places, reach + _ROUNDED)
    if not near.any():
        return points
    pushed = points[near]
    feet = shapely.get_coordinates(shapely.shortest_line(rim, places[near])).reshape(-1, 2, 2)[:, 0]
    away = pushed - feet
    distance = np.hypot(away[:, 0], away[:, 1])
    inside = np.where(shapely.contains_xy(country.coarse, pushed[:, 0], pushed[:, 1]), -1.0, 1.0)
    short = np.maximum(0.0, reach - inside * distance)
    unit = away * (inside / (distance + 1e-9))[:, None]
    # In a gap narrower than twice the margin both sides push, so move half a step: points converge to the middle.
    moved = points.copy()
    moved[near] += 0.5 * np.minimum(short, _SPACING)[:, None] * unit
    return moved
