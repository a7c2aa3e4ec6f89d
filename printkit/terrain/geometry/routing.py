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
_FREE_MARGIN: Final = 40.0

# Extra cost factor of a step right next to forbidden ground.
_CROWDING_COST: Final = 3.0

# Cost factor of a step in or beside a line that courses should cross at right angles.
_CROSSING_COST: Final = 3.0

# Tolerance for simplifying forbidden ground during the search, in mm.
_COARSE_TOLERANCE: Final = 0.6

# Within this offset from a node, in steps, no other node can be equally near.
_NO_TIE: Final = 0.499

# Distance that a line may leave its free area, in mm, because of rounding.
_AREA_TOLERANCE: Final = 0.01

# Distance between the points of the elastic band, in mm.
_BAND_SPACING: Final = 9.0


class RoutingGround(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The ground for routing a course. Derived geometry is cached.

    Args:
        free_area: axis-parallel rectangle that the centre line stays in, apart from its leads.
        closed: ground that the full width of the course keeps out of; may be empty.
        half_width: half the width of the course, in mm on the board.
        crossing_lines: lines that the course may cross near a right angle, but not follow.
        crossing_reach: distance from such a line within which steps cost more, in mm on the board.
        step: mm on the board between the nodes of the search lattice.
    """

    free_area: Polygon
    closed: BaseGeometry
    half_width: float
    crossing_lines: tuple[LineString, ...] = ()
    crossing_reach: float = 0.0
    step: float = 12.7

    @cached_property
    def coarse(self) -> BaseGeometry:
        """Return the forbidden ground in mm on the board, simplified for checks that need not be exact."""
        simplified = shapely.simplify(self.closed, _COARSE_TOLERANCE)
        shapely.prepare(simplified)
        return simplified

    @cached_property
    def rim(self) -> BaseGeometry | None:
        """Return the outline of the forbidden ground in mm on the board, or None if there is no such ground."""
        if self.coarse.is_empty:
            return None
        outline = self.coarse.boundary
        shapely.prepare(outline)
        return outline

    @cached_property
    def lattice(self) -> RoutingLattice:
        """Return the lattice for searching paths.

        It is built at the first use and then kept.
        """
        return RoutingLattice.from_ground(self)

    @cached_property
    def _barriers(self) -> dict[float, BaseGeometry]:
        """Return the cache of ``barrier``: areas by their margin in mm on the board."""
        return {}

    def barrier(self, margin: float) -> BaseGeometry:
        """Return the area that the centre line must avoid to keep ``margin`` mm from forbidden ground.

        It is the forbidden ground grown by half the width of the course plus ``margin``, in mm on the board and
        approximate. Results are cached by margin.
        """
        if margin not in self._barriers:
            self._barriers[margin] = self.coarse.buffer(self.half_width + margin, quad_segs=4)
            shapely.prepare(self._barriers[margin])
        return self._barriers[margin]

    def blocks(self, line: LineString, distance: float) -> bool:
        """Return whether a line comes within ``distance`` mm on the board of forbidden ground; exact.

        The width of the course is not added to ``distance``.
        """
        shapely.prepare(self.closed)
        return bool(shapely.dwithin(self.closed, line, distance))

    def contains(self, points: _Line) -> bool:
        """Return whether all points, rows of x and y in mm on the board, are in the free area, within 0.01 mm.

        The free area counts as its bounding rectangle.
        """
        left, low, right, high = self.free_area.bounds
        lowest, highest = points.min(axis=0), points.max(axis=0)
        return bool(
            (lowest >= (left - _AREA_TOLERANCE, low - _AREA_TOLERANCE)).all()
            and (highest <= (right + _AREA_TOLERANCE, high + _AREA_TOLERANCE)).all()
        )

    def clearance(self, points: _Line, limit: float) -> _Line:
        """Return the distance from the course's side to forbidden ground at each point; approximate.

        Points are rows of x and y of the centre line. Lengths are in mm on the board. On forbidden ground it is minus
        half the width of the course. Above ``limit`` it may be any larger number.
        """
        distances = np.full(len(points), 1e6)
        if not self.coarse.is_empty:
            locations = shapely.points(points)
            near = np.flatnonzero(shapely.dwithin(self.coarse, locations, self.half_width + limit + 1.0))
            is_inside = shapely.contains_xy(self.coarse, points[near, 0], points[near, 1])
            distances[near[is_inside]] = -self.half_width
            outer = near[~is_inside]
            distances[outer] = shapely.distance(locations[outer], self.coarse) - self.half_width
        return distances


class RoutingLattice(Struct, frozen=True, kw_only=True):
    """A lattice of nodes ``step`` mm apart on the board, row by row from ``origin``, with the cost per mm at each.

    The cost is infinite where the course may not be. It is also infinite in the outermost nodes, so the search does not
    need to check for the edge of the lattice.
    """

    step: float
    columns: int
    rows: int
    origin: XY
    cost: list[float]
    nodes_by_point: dict[XY, int] = field(default_factory=dict)

    @classmethod
    def from_ground(cls, ground: RoutingGround) -> RoutingLattice:
        """Return the lattice of nodes over the free area of a ground."""
        left, low, right, high = ground.free_area.bounds
        step = ground.step
        # Anchor the lattice at the board's corner, so that nodes are at whole steps of the board.
        first_column, first_row = math.floor(left / step), math.floor(low / step)
        columns = math.ceil(right / step) - first_column + 3
        rows = math.ceil(high / step) - first_row + 3
        origin = ((first_column - 1) * step, (first_row - 1) * step)
        column_indices, row_indices = np.meshgrid(np.arange(columns), np.arange(rows))
        nodes = np.column_stack([column_indices.ravel(), row_indices.ravel()]).astype(float) * step + origin
        grid = _node_costs(ground, nodes).reshape(rows, columns)
        grid[[0, -1], :] = np.inf
        grid[:, [0, -1]] = np.inf
        return cls(step=step, columns=columns, rows=rows, origin=origin, cost=grid.ravel().tolist())

    def node_point(self, node: int) -> XY:
        """Return the position (x, y) of a node in mm on the board, given its index from 0.

        Nodes are numbered row by row from the near left one.
        """
        row, column = divmod(node, self.columns)
        return self.origin[0] + column * self.step, self.origin[1] + row * self.step

    def node(self, point: XY) -> int:
        """Return the index, from 0, of the passable node nearest to a point in mm on the board.

        It is -1 if none is within two steps of the lattice.
        """
        if point not in self.nodes_by_point:
            self.nodes_by_point[point] = self._nearest(point)
        return self.nodes_by_point[point]

    def _nearest(self, point: XY) -> int:
        """Return the index, from 0, of the passable node nearest to a point in mm on the board, without the cache.

        It is -1 if no passable node is within two steps of the lattice.
        """
        column_steps, row_steps = (point[0] - self.origin[0]) / self.step, (point[1] - self.origin[1]) / self.step
        column, row = round(column_steps), round(row_steps)
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        clear = max(abs(column_steps - column), abs(row_steps - row)) < _NO_TIE
        if inside and clear and self.cost[row * self.columns + column] < math.inf:
            return row * self.columns + column
        best, nearest = -1, math.inf
        for other_row in range(max(0, row - 2), min(self.rows, row + 3)):
            for other_column in range(max(0, column - 2), min(self.columns, column + 3)):
                node = other_row * self.columns + other_column
                if self.cost[node] < math.inf and (distance := math.dist(point, self.node_point(node))) < nearest:
                    best, nearest = node, distance
        return best


def _node_costs(ground: RoutingGround, nodes: _Line) -> _Line:
    """Return the cost per mm at each node: 1 in the open, more near obstacles, infinite where the course may not be.

    ``nodes`` are rows of x and y in mm on the board. Nodes near lines to cross cost more too.
    """
    left, low, right, high = ground.free_area.bounds
    edge = np.minimum.reduce([nodes[:, 0] - left, right - nodes[:, 0], nodes[:, 1] - low, high - nodes[:, 1]])
    free = np.minimum(ground.clearance(nodes, _FREE_MARGIN), edge + _FREE_MARGIN / 2)
    cost = 1.0 + _CROWDING_COST * np.clip(1.0 - free / _FREE_MARGIN, 0.0, 1.0) ** 2
    for line in ground.crossing_lines:
        shapely.prepare(line)
        is_near = shapely.dwithin(line, shapely.points(nodes), ground.crossing_reach)
        cost = np.where(is_near, cost * _CROSSING_COST, cost)
    return np.where((free < 0) | (edge < -1e-6), np.inf, cost)


class CostField:
    """Cheapest paths from one start to the nodes of the lattice, searched outwards only as far as needed."""

    def __init__(self, ground: RoutingGround, start: XY) -> None:
        """Start the search at a point, x and y in mm on the board."""
        self.start = start
        self._lattice = lattice = ground.lattice
        offsets = ((up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right)
        moves = [(up * lattice.columns + right, lattice.step * math.hypot(up, right)) for up, right in offsets]
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

    def _expand(self, end: int) -> None:
        """Continue the search, cheapest node first, until the path to the node ``end`` is known.

        The search also stops when no nodes are left. Totals, lengths and previous nodes change in place.
        """
        cost, totals, lengths, previous, is_settled = (
            self._lattice.cost,
            self._price,
            self._way,
            self._before,
            self._settled,
        )
        open_ends, moves = self._open_ends, self._moves
        while open_ends and not is_settled[end]:
            so_far, node = heapq.heappop(open_ends)
            if so_far > totals[node]:
                continue
            is_settled[node] = True
            node_cost, length_so_far = cost[node], lengths[node]
            for move, length, half in moves:
                neighbour = node + move
                total = so_far + half * (node_cost + cost[neighbour])
                if total < totals[neighbour] - 1e-9:
                    totals[neighbour], previous[neighbour], lengths[neighbour] = total, node, length_so_far + length
                    heapq.heappush(open_ends, (total, neighbour))

    def path_length(self, end: XY) -> float:
        """Return the length of the path to a point in mm on the board, slightly too long; infinite if none.

        It continues the search in place until that path is known.
        """
        node = self._lattice.node(end)
        if node < 0:
            return math.inf
        self._expand(node)
        return self._way[node]

    def path(self, end: XY) -> list[XY] | None:
        """Return the path from the start to ``end``, both included, in mm on the board; None without a path.

        Each point is a tuple (x, y); the points between are nodes of the lattice. The search continues in place until
        the path is known.
        """
        node = self._lattice.node(end)
        if node < 0 or self.path_length(end) == math.inf:
            return None
        points = [end]
        while node >= 0:
            points.append(self._lattice.node_point(node))
            node = self._before[node]
        points[-1] = self.start
        return points[::-1]


def resample_line(points: _Line, spacing: float) -> _Line:
    """Return evenly spaced points along a line, about ``spacing`` apart, including its ends.

    Points are rows of x and y. They and ``spacing`` are in the same mm, on the board or printed. There are at least 3
    points.
    """
    steps = np.hypot(*np.diff(points, axis=0).T)
    reach = np.concatenate([[0.0], np.cumsum(steps)])
    distances = np.linspace(0.0, reach[-1], max(2, round(reach[-1] / spacing)) + 1)
    return np.column_stack([np.interp(distances, reach, points[:, axis]) for axis in (0, 1)])


def smooth_curve(points: _Line, spacing: float = 2.0) -> _Line:
    """Return the centripetal Catmull-Rom curve through points; it does not loop or overshoot.

    Points are rows of x and y; repeated ones are dropped, and at least two must remain. The curve starts and ends at
    the first and last of them. Its points are about ``spacing`` apart, in the mm of the points: on the board or
    printed. Two points give a straight line.
    """
    is_distinct = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-6])
    points = points[is_distinct]
    if len(points) < 3:
        return resample_line(points, spacing)
    ghosts = 2 * points[[0, -1]] - points[[1, -2]]
    controls = np.vstack([ghosts[0], points, ghosts[1]])
    knots = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(controls, axis=0).T) ** 0.5)])
    widest = float(np.hypot(*np.diff(points, axis=0).T).max())
    curve = _sample_spans(controls, knots, max(2, math.ceil(1.3 * widest / spacing)))
    return resample_line(np.vstack([curve, points[-1:]]), spacing)


def _sample_spans(controls: _Line, knots: _Line, count: int) -> _Line:
    """Return ``count`` points of the curve between each pair of points (Barry and Goldman's pyramid).

    The first and the last point only give the curve its direction. ``controls`` are rows of x and y in mm, and
    ``knots`` are their parameters on the curve.
    """
    spans = len(controls) - 3
    parameters = np.linspace(knots[1:-2], knots[2:-1], count, endpoint=False, axis=1)
    # Store all x before all y: numpy is slow if the innermost rows are pairs.
    level = [controls.T[:, index : index + spans, None] for index in range(4)]
    for width in (1, 2, 3):
        level = [
            (
                (knots[index + width : index + width + spans, None] - parameters) * level[index]
                + (parameters - knots[index : index + spans, None]) * level[index + 1]
            )
            / (knots[index + width : index + width + spans] - knots[index : index + spans])[:, None]
            for index in range(len(level) - 1)
        ]
    return level[0].reshape(2, -1).T


def relax_band(path: _Line, ground: RoutingGround, *, margin: float, rounds: int = 40) -> _Line:
    """Return a path in mm on the board, smoothed like an elastic band that forbidden ground pushes away.

    Its points are new and evenly spaced, rows of x and y, and stay in the free area's rectangle.

    Args:
        path: points from start to end; both ends stay in place.
        ground: the free area, the forbidden ground and the width of the course.
        margin: distance in mm between the side of the course and forbidden ground, kept where there is enough space.
        rounds: number of iterations; more rounds give a tauter band.
    """
    points = resample_line(path, _BAND_SPACING)
    left, low, right, high = ground.free_area.bounds
    for turn in range(rounds):
        new_points = points.copy()
        new_points[1:-1] += 0.5 * ((points[:-2] + points[2:]) / 2 - points[1:-1])
        if len(points) > 8:
            # A second pull over a longer reach removes long bends; the short one alone would need hundreds of rounds.
            new_points[3:-3] += 0.3 * ((points[:-6] + points[6:]) / 2 - points[3:-3])
        if ground.rim is not None and (turn % 2 or turn == rounds - 1):
            new_points = _push_points(new_points, ground.rim, ground, margin)
        new_points[:, 0] = np.clip(new_points[:, 0], left, right)
        new_points[:, 1] = np.clip(new_points[:, 1], low, high)
        new_points[0], new_points[-1] = points[0], points[-1]
        points = new_points
    return points


def _push_points(points: _Line, rim: BaseGeometry, ground: RoutingGround, margin: float) -> _Line:
    """Return the points, with those too near forbidden ground moved straight away from its outline.

    ``rim`` is that outline. The side of the course should keep ``margin`` from it. Lengths are in mm on the board.
    """
    reach, locations = ground.half_width + margin, shapely.points(points)
    is_near = shapely.dwithin(ground.coarse, locations, reach + _AREA_TOLERANCE)
    if not is_near.any():
        return points
    near_points = points[is_near]
    feet = shapely.get_coordinates(shapely.shortest_line(rim, locations[is_near])).reshape(-1, 2, 2)[:, 0]
    offsets = near_points - feet
    distance = np.hypot(offsets[:, 0], offsets[:, 1])
    inside = np.where(shapely.contains_xy(ground.coarse, near_points[:, 0], near_points[:, 1]), -1.0, 1.0)
    shortfall = np.maximum(0.0, reach - inside * distance)
    unit = offsets * (inside / (distance + 1e-9))[:, None]
    # In a gap narrower than twice the margin both sides push, so move half a step: points converge to the middle.
    new_points = points.copy()
    new_points[is_near] += 0.5 * np.minimum(shortfall, _BAND_SPACING)[:, None] * unit
    return new_points
