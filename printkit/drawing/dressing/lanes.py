"""Lanes: decorative tracks across the ground between the features of a board.

Every lane ends at a road, another lane or the board edge. Lanes avoid features and do not run parallel to roads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.drawing.canvas.shapes import normals
from printkit.drawing.dressing.countryside_types import OpenCountry, dressing_scale
from printkit.drawing.dressing.free_ground import OpenGround
from printkit.terrain.field.features import Area, Kind
from printkit.terrain.geometry.outlines import Noise
from printkit.terrain.geometry.routing import RoutingGround, relax_band, resample_line, smooth_curve

TOWNS: Final = (Kind.BUA, Kind.TOWN, Kind.CITY, Kind.VILLAGE, Kind.HAMLET, Kind.SETTLEMENT)
FARMS: Final = (Kind.FARM, Kind.BUILDING)

WIDTH: Final = 2.6

# Minimum distance in mm between the centre of a lane and features, except at its start.
CLEAR: Final = 6.5

_NODE: Final = 11.0
_BLOCKED: Final = 8.5
_NEAR: Final = 20.0
_NEARNESS: Final = 1.6
_ROUGHNESS: Final = 0.55
_WAVE: Final = 150.0
_WAVER: Final = 2.4
_WAVER_WAVE: Final = 70.0
_SHORTEST: Final = 45.0
_STRAIGHT_OUT: Final = 11.0
_BESIDE: Final = 26.0
_MOST_BESIDE: Final = 0.5
_ROUNDS: Final = 22
_USUAL: Final = 609.6**2
_EXITS: Final = 2

# While lanes are missing, the clearance of the next lane is reduced step by step, in mm of the board.
_CLEARANCE_STEP: Final = 12.0
_LEAST_CLEARANCE: Final = 40.0

# Tries for each lane that a board should have.
_MOST_TRIES: Final = 4

# The smallest piece of ground that lanes and roads may enclose, in mm2 of the board.
_LEAST_ENCLOSED: Final = 20_000.0

# A lane turns into a road or lane that it meets: where it leaves its line, and how far along it then joins, in mm.
_TURN: Final = (24.0, 16.0)
_TURN_POINTS: Final = 9

# An end this near a road or lane is on it, in mm of the board.
_ON_ROAD: Final = 0.5

_TURNED: Final = 0.2

_Numbers = NDArray[np.float64]
_Mask = NDArray[np.bool_]

# Steps to neighbouring nodes: straight, diagonal and knight moves, with their lengths.
_MOVES: Final = tuple(
    (move_row, move_column, math.hypot(move_row, move_column))
    for move_row in (-2, -1, 0, 1, 2)
    for move_column in (-2, -1, 0, 1, 2)
    if math.gcd(move_row, move_column) == 1
)

# The longest step, in nodes.
_RIM: Final = 2

# Nodes up to this much more expensive than the cheapest one are expanded together with it.
_WAVE_DEPTH: Final = 1.5


def lanes(ground: OpenGround, cover: OpenCountry, noise: Noise) -> tuple[LineString, ...]:
    """Return the centre lines of the lanes of a board, in mm of the board.

    The tuple is empty if the settings allow no lanes.
    """
    if not cover.lanes:
        return ()
    return tuple(_LaneSearch(ground, cover, noise).find_lanes())


class _SearchGrid(Struct):
    """The search grid for lanes, rows from the near edge.

    Attributes:
        places: positions of the nodes.
        shape: numbers of rows and columns.
        free: nodes that a lane may use.
        cost: cost of a node for each mm of the board.
        rim: nodes at the board edge.
        to_edge: distance to the board edge, in mm of the board.
        to_road: distance to the nearest road or lane, in mm of the board.
    """

    places: _Numbers
    shape: tuple[int, int]
    free: _Mask
    cost: _Numbers
    rim: _Mask
    to_edge: _Numbers
    to_road: _Numbers


class _LaneSearch:
    """A search for lanes, one by one; later lanes may end at earlier ones."""

    def __init__(self, ground: OpenGround, cover: OpenCountry, noise: Noise) -> None:
        self.ground, self.noise, self.country = ground, noise, cover
        self.grown = dressing_scale(ground.field, cover)
        left, low, right, high = ground.board_area.bounds
        self.bounds = (left, low, right, high)
        self.closed = shapely.simplify(ground.solid, 0.5)
        self.rule = RoutingGround(free_area=box(*self.bounds), closed=self.closed, half_width=WIDTH / 2)
        self.lanes: list[LineString] = []
        self.net = self._build_grid()

    def find_lanes(self) -> list[LineString]:
        """Return the centre lines of lanes, in mm of the board, and keep them in ``lanes``.

        Lanes from towns and farms come first, then lanes across the widest open ground. Call it once.
        """
        for start, out in self._find_exits():
            self._add_exit_lane(start, out)
        left, low, right, high = self.bounds
        size = math.sqrt((right - left) * (high - low) / _USUAL)
        count = len(self.lanes) + round(self.country.lanes * max(1.0, size / self.grown))
        clearance, free = self.country.lane_clearance, self.net.free
        for _ in range(_MOST_TRIES * count):
            if len(self.lanes) >= count:
                break
            if not self._add_through_lane(clearance * self.grown):
                clearance -= _CLEARANCE_STEP
                if clearance < _LEAST_CLEARANCE:
                    break
                # Ground where a lane failed is tried again: other lanes may give it a better end now.
                self.net.free = free
        return self.lanes

    def _build_grid(self) -> _SearchGrid:
        """Return the search grid over the board, with distances to edges and roads in mm of the board."""
        left, low, right, high = self.bounds
        step = _NODE * self.grown
        columns, rows = int((right - left) / step) + 1, int((high - low) / step) + 1
        x = left + (np.arange(columns) + 0.5) * ((right - left) / columns)
        y = low + (np.arange(rows) + 0.5) * ((high - low) / rows)
        grid_x, grid_y = (part.ravel() for part in np.meshgrid(x, y))
        places = np.column_stack([grid_x, grid_y])
        nodes = shapely.points(places)
        shapely.prepare(self.closed)
        to_solid = np.full(len(nodes), 1e6)
        # Larger distances have no effect. The extra millimetre makes rounding irrelevant.
        is_near = shapely.dwithin(self.closed, nodes, _NEAR + 1.0)
        to_solid[is_near] = shapely.distance(nodes[is_near], self.closed)
        roughness = _ROUGHNESS * (1.0 + self.noise.at(grid_x, grid_y, _WAVE * self.grown))
        cost = np.maximum(1.0 + roughness + _NEARNESS * np.clip(1.0 - to_solid / _NEAR, 0.0, 1.0), 0.2)
        to_edge = np.minimum.reduce([grid_x - left, right - grid_x, grid_y - low, high - grid_y])
        inside = shapely.contains_xy(self.ground.board_area, grid_x, grid_y)
        grid = _SearchGrid(
            places=places,
            shape=(rows, columns),
            free=(to_solid > _BLOCKED) & inside,
            cost=cost,
            rim=to_edge < step,
            to_edge=to_edge,
            to_road=np.full(len(nodes), 1e6),
        )
        for road_line in self.ground.road_lines:
            self._update_road_distance(grid, shapely.simplify(road_line, 1.0))
        return grid

    def _update_road_distance(self, grid: _SearchGrid, line: BaseGeometry) -> None:
        """Lower ``to_road`` of the free nodes of ``grid``, in place, for the line of one road or lane.

        The line is in mm of the board. Only nodes that are nearer to it than to the board edge, or within a step of it,
        matter.
        """
        shapely.prepare(line)
        free = np.flatnonzero(grid.free)
        nodes = shapely.points(grid.places[free])
        limits = np.minimum(grid.to_road, np.maximum(grid.to_edge, _NODE * self.grown) + 1.0)[free]
        is_near = shapely.dwithin(line, nodes, limits)
        grid.to_road[free[is_near]] = np.minimum(grid.to_road[free[is_near]], shapely.distance(nodes[is_near], line))

    # --- The cheapest path to a goal ----------------------------------------------------------------------------------

    def _find_path(self, start: int, goals: _Mask, closed_nodes: _Mask | None = None) -> list[int]:
        """Return the indexes of the nodes on the cheapest path from ``start`` to any goal, both included.

        The list is empty if there is no path. The path avoids ``closed_nodes``.
        """
        grid = self.net
        free = grid.free if closed_nodes is None else grid.free & ~closed_nodes
        ends = np.flatnonzero(goals & free)
        if not free[start] or not len(ends):
            return []
        costs = _spread_costs(grid, free, goals, start)
        end = int(ends[np.argmin(costs[ends])])
        if not math.isfinite(costs[end]):
            return []
        path, rows, columns = [end], *grid.shape
        while path[-1] != start and len(path) < len(costs):
            row, column = divmod(path[-1], columns)
            node_cost = grid.cost[path[-1]]
            neighbours = (
                ((row + row_step) * columns + column + column_step, length)
                for row_step, column_step, length in _MOVES
                if 0 <= row + row_step < rows and 0 <= column + column_step < columns
            )
            steps = [
                (costs[node] + length * (node_cost + grid.cost[node]) / 2, node)
                for node, length in neighbours
                if free[node]
            ]
            best, node = min(steps, default=(math.inf, start))
            if not math.isfinite(best) or node in path:
                return []
            path.append(node)
        return path[::-1]

    def _goal_nodes(self) -> _Mask:
        """Return for each node whether a lane may end there: at the board edge, a road or another lane.

        The nodes are rows from the near edge. Only free nodes count.
        """
        grid = self.net
        return grid.free & (grid.rim | (grid.to_road < _NODE * self.grown))

    # --- Lanes from settlements, and lanes across open ground ---------------------------------------------------------

    def _find_exits(self) -> Iterator[tuple[_Numbers, _Numbers]]:
        """Yield the start point and direction of lanes from towns, then from farms.

        The best of each place is first: on open ground, far from roads for a town and near a road for a farm. Points
        are x and y in mm of the board; directions are vectors of length 1.
        """
        for place in self.ground.areas(*TOWNS):
            yield from self._find_place_exits(place, _EXITS)
        for place in self.ground.areas(*FARMS):
            yield from self._find_place_exits(place, 1)

    def _find_place_exits(self, place: Area, limit: int) -> Iterator[tuple[_Numbers, _Numbers]]:
        """Yield up to ``limit`` start points and directions of lanes from one place, the best first.

        With a limit of 1 the best is nearest to a road, otherwise it is far from roads and features. There may be none.
        Points are x and y in mm of the board; directions are vectors of length 1, away from the middle of the place.
        """
        ring = place.outline.exterior
        points = resample_line(shapely.get_coordinates(ring), ring.length / 24)[:-1]
        middle = np.array(place.outline.centroid.coords[0])
        directions = points - middle
        directions /= np.maximum(np.hypot(directions[:, 0], directions[:, 1]), 1e-9)[:, None]
        ahead = shapely.points(points + 30.0 * self.grown * directions)
        clearances = np.full(len(points), 1e3) if self.closed.is_empty else shapely.distance(ahead, self.closed)
        road_lines = shapely.union_all(self.ground.road_lines)
        if limit == 1:
            order = np.argsort(
                shapely.distance(ahead, road_lines) if self.ground.road_lines else -clearances, kind="stable"
            )
        else:
            far = (
                shapely.distance(shapely.points(points), road_lines)
                if self.ground.road_lines
                else np.full(len(points), 60.0)
            )
            order = np.argsort(-(np.minimum(clearances, 30.0) + np.minimum(far, 60.0)), kind="stable")
        exit_directions: list[_Numbers] = []
        for number in order.tolist():
            if len(exit_directions) == limit:
                return
            if clearances[number] > CLEAR and all(
                float((directions[number] * other).sum()) < _TURNED for other in exit_directions
            ):
                exit_directions.append(directions[number])
                yield points[number], directions[number]

    def _add_exit_lane(self, start: _Numbers, direction: _Numbers) -> None:
        """Add a lane from the edge of a place to a road, lane or board edge that is not too near.

        ``start`` is x and y in mm of the board, ``direction`` a vector of length 1. No lane is added if
        none is long enough, clear of features and away from other roads.
        """
        grid = self.net
        for reach in (_STRAIGHT_OUT, 1.5 * _STRAIGHT_OUT):
            first = self._find_node(start + reach * direction)
            if first is not None:
                break
        else:
            return
        far = grid.places - start
        goals = self._goal_nodes() & (np.hypot(far[:, 0], far[:, 1]) > _SHORTEST * self.grown)
        nodes = self._find_path(first, goals)
        if len(nodes) > 3:
            self._add_lane([start, *self._complete_end(nodes)], from_place=True)

    def _add_through_lane(self, least_clearance: float) -> bool:
        """Try a lane through the node farthest from all roads, lanes and edges.

        Return False if no node is ``least_clearance`` mm of the board away from them, otherwise True, whether the lane
        succeeds or not. If the lane fails, its surroundings are closed for further attempts.
        """
        grid = self.net
        clearance = np.where(grid.free & ~grid.rim, np.minimum(grid.to_road, grid.to_edge), 0.0)
        middle = int(np.argmax(clearance))
        if clearance[middle] < least_clearance:
            return False
        goals = self._goal_nodes()
        first_path = self._find_path(middle, goals)
        steps = grid.places - grid.places[middle]
        reach = np.hypot(steps[:, 0], steps[:, 1])
        second_path: list[int] = []
        if first_path:
            back = grid.places[first_path[-1]] - grid.places[middle]
            share = (steps * back).sum(axis=1) / np.maximum(reach * math.hypot(*back.tolist()), 1e-9)
            closed_nodes = (share > 0.55) & (reach > 2 * _NODE * self.grown)
            second_path = self._find_path(middle, goals & (share < -0.1), closed_nodes)
        if not (
            first_path
            and second_path
            and self._add_lane([*self._complete_end(first_path)[::-1], *self._complete_end(second_path)[1:]])
        ):
            grid.free = grid.free & (reach > 30.0 * self.grown)
        return True

    def _find_node(self, place: _Numbers) -> int | None:
        """Return the index of the free node nearest to a place (x and y in mm of the board).

        An index counts rows from the near edge, from 0. None is returned if the nearest node is not free, or not
        within a step of the grid (about 11 mm).
        """
        steps = self.net.places - place
        near = int(np.argmin(np.hypot(steps[:, 0], steps[:, 1])))
        return near if self.net.free[near] and math.hypot(*steps[near].tolist()) < _NODE * self.grown else None

    def _complete_end(self, nodes: Sequence[int]) -> list[_Numbers]:
        """Return the positions of nodes, with the end on the road, lane or board edge that they lead to.

        Positions are x and y in mm of the board.
        """
        points = [self.net.places[node] for node in nodes]
        last, step = points[-1], _NODE * self.grown
        network = [*self.ground.road_lines, *self.lanes]
        end = Point(last)
        if network and self.net.to_road[nodes[-1]] < step:
            link = shapely.shortest_line(end, shapely.union_all(network))
            return [*points[:-1], np.array(link.coords[-1])]
        left, low, right, high = self.bounds
        x, y = last.tolist()
        sides = {(left, y): x - left, (right, y): right - x, (x, low): y - low, (x, high): high - y}
        return [*points, np.array(min(sides, key=lambda side: sides[side]))]

    # --- From nodes to a line -----------------------------------------------------------------------------------------

    def _add_lane(self, points: Sequence[_Numbers], *, from_place: bool = False) -> bool:
        """Add a lane along points (x and y in mm of the board) if it is good; return whether it was added.

        A good lane is long enough, does not cross itself, is clear of features and not along a road. With
        ``from_place`` the start of the lane may be near a feature.
        """
        line = self._shape_line(np.array(points))
        if line.length < _SHORTEST * self.grown or not line.is_simple or not self._is_clear(line, from_place):
            return False
        if self._is_parallel_to_road(line) or self._encloses_little(line):
            return False
        line = self._turn_into_roads(line)
        self.lanes.append(line)
        self._update_road_distance(self.net, shapely.simplify(line, 0.8))
        return True

    def _shape_line(self, points: _Numbers) -> LineString:
        """Return a natural line through about the given points, in mm of the board.

        It is pulled taut, pushed away from features, and slightly wavy.
        """
        taut = relax_band(points, self.rule, margin=CLEAR + 0.5, rounds=_ROUNDS)
        curve = smooth_curve(taut, 4.0)
        steps = np.minimum(np.arange(len(curve)), np.arange(len(curve))[::-1]) / max(1.0, len(curve) / 4)
        waver = _WAVER * self.grown * np.minimum(steps, 1.0)
        waver = waver * self.noise.at(curve[:, 0], curve[:, 1], _WAVER_WAVE * self.grown)
        wavering = LineString(curve + normals(curve) * waver[:, None])
        return wavering if self._is_clear(wavering, from_place=True) else LineString(curve)

    def _is_clear(self, line: LineString, from_place: bool) -> bool:
        """Return whether a line in mm of the board keeps clear of features.

        With ``from_place`` its start is not checked.
        """
        if self.closed.is_empty:
            return True
        points = resample_line(shapely.get_coordinates(line), 3.0)
        distances = np.arange(len(points)) * (line.length / max(1, len(points) - 1))
        checked_points = points[distances > _STRAIGHT_OUT] if from_place else points
        return len(checked_points) > 1 and not shapely.dwithin(self.closed, LineString(checked_points), CLEAR)

    def _is_parallel_to_road(self, line: LineString) -> bool:
        """Return whether a line in mm of the board is close to a road or lane for most of its length."""
        network = [*self.ground.road_lines, *self.lanes]
        if not network:
            return False
        places = shapely.points(resample_line(shapely.get_coordinates(line), 10.0))
        road_lines = MultiLineString(network)
        shapely.prepare(road_lines)
        return float(shapely.dwithin(road_lines, places, _BESIDE * self.grown).mean()) > _MOST_BESIDE

    def _encloses_little(self, line: LineString) -> bool:
        """Return whether a line in mm of the board and the other lanes and roads enclose a small piece of ground.

        Two such lanes would have the same use.
        """
        network = shapely.union_all([line, *self.ground.road_lines, *self.lanes])
        pieces = shapely.get_parts(shapely.polygonize(shapely.get_parts(network)))
        return any(
            piece.area < _LEAST_ENCLOSED * self.grown**2 and piece.exterior.distance(line) < _ON_ROAD
            for piece in pieces
        )

    def _turn_into_roads(self, line: LineString) -> LineString:
        """Return a lane whose ends turn into the roads and lanes that they meet, instead of meeting them squarely.

        Lines are in mm of the board. An end stays as it is if the turn would come near a feature or leave the board.
        """
        network = [*self.ground.road_lines, *self.lanes]
        for _ in range(2):
            line = line.reverse()
            turned_line = self._turn_end(line, network)
            if (
                turned_line is not None
                and turned_line.is_simple
                and self._is_clear(turned_line, from_place=True)
                and self._is_clear(turned_line.reverse(), from_place=True)
            ):
                line = turned_line
        return line

    def _turn_end(self, line: LineString, network: Sequence[LineString]) -> LineString | None:
        """Return a lane whose last part curves into the road or lane at its end; None if there is none.

        Lines are in mm of the board.
        """
        end = Point(line.coords[-1])
        road_line = next((road for road in network if road.distance(end) < _ON_ROAD), None)
        cut_length, join_distance = (length * self.grown for length in _TURN)
        if road_line is None or line.length < 2 * cut_length:
            return None
        points = shapely.get_coordinates(substring(line, 0.0, line.length - cut_length))
        place = road_line.project(end)
        joins = [
            shapely.get_coordinates(road_line.interpolate(distance))[0]
            for distance in (place - join_distance, place + join_distance)
            if 0.0 < distance < road_line.length
        ]
        if not joins:
            return None
        corner = shapely.get_coordinates(end)[0]
        heading = corner - points[-1]
        join = max(joins, key=lambda candidate: float(((candidate - corner) * heading).sum()))
        share = np.linspace(0.0, 1.0, _TURN_POINTS)[1:, None]
        curve = (1 - share) ** 2 * points[-1] + 2 * share * (1 - share) * corner + share**2 * join
        return LineString(np.vstack([points, curve]))


def _spread_costs(grid: _SearchGrid, free: _Mask, goals: _Mask, start: int) -> _Numbers:
    """Return the cost of each node from ``start``, exact on the cheapest path to a goal.

    Costs are in mm of the board multiplied by the cost of the ground. They spread from the start, cheapest first, until
    the cheapest goal is final. Elsewhere they may be too high or infinite.
    """
    rows, columns = grid.shape
    # A border of closed nodes, so that steps need no bounds check.
    rim = _RIM
    row_length = columns + 2 * rim
    node_costs, costs = np.full((2, rows + 2 * rim, row_length), np.inf)
    node_costs[rim:-rim, rim:-rim] = np.where(free, grid.cost, np.inf).reshape(rows, columns)
    ends = np.flatnonzero(goals & free)
    ends = (ends // columns + rim) * row_length + ends % columns + rim
    shape, node_costs, costs = costs.shape, node_costs.ravel(), costs.ravel()
    moves = np.array([row_step * row_length + column_step for row_step, column_step, _ in _MOVES])
    lengths = np.array([length for _, _, length in _MOVES])
    costs[(start // columns + rim) * row_length + start % columns + rim] = 0.0
    is_waiting = costs < np.inf
    while True:
        waiting = np.flatnonzero(is_waiting)
        waiting_costs = costs[waiting]
        least = waiting_costs.min(initial=np.inf)
        if least >= costs[ends].min(initial=np.inf):
            return costs.reshape(shape)[rim:-rim, rim:-rim].ravel()
        front = waiting[waiting_costs <= least + _WAVE_DEPTH]
        is_waiting[front] = False
        targets = front[:, None] + moves
        new_costs = costs[front][:, None] + lengths * (node_costs[targets] + node_costs[front][:, None]) / 2
        is_better = new_costs < costs[targets]
        targets, new_costs = targets[is_better], new_costs[is_better]
        np.minimum.at(costs, targets, new_costs)
        is_waiting[targets] = True


def ribbon(lane: LineString, width: float) -> Polygon | BaseGeometry:
    """Return the area of a lane with ``width``, in the unit of its line."""
    return lane.buffer(width / 2, cap_style="flat", quad_segs=4)
