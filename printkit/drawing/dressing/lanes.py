"""Lanes: decorative tracks from towns and farms, and across the widest open ground.

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

from printkit.drawing.canvas.shapes import normals
from printkit.drawing.dressing.country import OpenCountry, growth
from printkit.drawing.dressing.open_ground import FARMS, TOWNS, OpenGround
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.roughness import Noise
from printkit.terrain.geometry.routing import RoutingGround, band, resampled, smooth_curve

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
_TURNED: Final = 0.2

_Numbers = NDArray[np.float64]
_Mask = NDArray[np.bool_]

# Steps to neighbouring nodes: straight, diagonal and knight moves, with their lengths.
_MOVES: Final = tuple(
    (up, over, math.hypot(up, over))
    for up in (-2, -1, 0, 1, 2)
    for over in (-2, -1, 0, 1, 2)
    if math.gcd(up, over) == 1
)

# The longest step, in nodes.
_RIM: Final = 2

# Nodes up to this much more expensive than the cheapest one are expanded together with it.
_WAVE_DEPTH: Final = 1.5


def lanes(ground: OpenGround, country: OpenCountry, noise: Noise) -> tuple[LineString, ...]:
    """Return the lanes of a board, in mm of the board."""
    if not country.lanes:
        return ()
    return tuple(_Search(ground, country, noise).found())


class _Net(Struct):
    """The search grid for lanes, rows from the near edge.

    Attributes:
        places: positions of the nodes.
        shape: numbers of rows and columns.
        free: nodes that a lane may use.
        cost: cost of a node for each mm.
        rim: nodes at the board edge.
        to_edge: distance to the board edge, in mm.
        to_way: distance to the nearest road or lane, in mm.
    """

    places: _Numbers
    shape: tuple[int, int]
    free: _Mask
    cost: _Numbers
    rim: _Mask
    to_edge: _Numbers
    to_way: _Numbers


class _Search:
    """A search for lanes, one by one; later lanes may end at earlier ones."""

    def __init__(self, ground: OpenGround, country: OpenCountry, noise: Noise) -> None:
        self.ground, self.noise, self.country = ground, noise, country
        self.grown = growth(ground.field, country)
        left, low, right, high = ground.whole.bounds
        self.bounds = (left, low, right, high)
        self.closed = shapely.simplify(ground.solid, 0.5)
        self.rule = RoutingGround(room=box(*self.bounds), closed=self.closed, half_width=WIDTH / 2)
        self.lanes: list[LineString] = []
        self.net = self._net()

    def found(self) -> list[LineString]:
        """Return the lanes: first from towns and farms, then across the widest open ground."""
        for start, out in self._exits():
            self._leave(start, out)
        left, low, right, high = self.bounds
        size = math.sqrt((right - left) * (high - low) / _USUAL)
        for _ in range(round(self.country.lanes * max(1.0, size / self.grown))):
            if not self._through():
                break
        return self.lanes

    def _net(self) -> _Net:
        left, low, right, high = self.bounds
        step = _NODE * self.grown
        columns, rows = int((right - left) / step) + 1, int((high - low) / step) + 1
        x = left + (np.arange(columns) + 0.5) * ((right - left) / columns)
        y = low + (np.arange(rows) + 0.5) * ((high - low) / rows)
        across, up = (part.ravel() for part in np.meshgrid(x, y))
        places = np.column_stack([across, up])
        nodes = shapely.points(places)
        shapely.prepare(self.closed)
        to_solid = np.full(len(nodes), 1e6)
        # Larger distances have no effect. The extra millimetre makes rounding irrelevant.
        near = shapely.dwithin(self.closed, nodes, _NEAR + 1.0)
        to_solid[near] = shapely.distance(nodes[near], self.closed)
        roughness = _ROUGHNESS * (1.0 + self.noise.at(across, up, _WAVE * self.grown))
        cost = np.maximum(1.0 + roughness + _NEARNESS * np.clip(1.0 - to_solid / _NEAR, 0.0, 1.0), 0.2)
        to_edge = np.minimum.reduce([across - left, right - across, up - low, high - up])
        inside = shapely.contains_xy(self.ground.whole, across, up)
        net = _Net(
            places=places,
            shape=(rows, columns),
            free=(to_solid > _BLOCKED) & inside,
            cost=cost,
            rim=to_edge < step,
            to_edge=to_edge,
            to_way=np.full(len(nodes), 1e6),
        )
        for way in self.ground.ways:
            self._neared(net, shapely.simplify(way, 1.0))
        return net

    def _neared(self, net: _Net, way: BaseGeometry) -> None:
        """Update ``to_way`` of the free nodes for one road or lane.

        Only nodes that are nearer to it than to the board edge, or within a step of it, matter.
        """
        shapely.prepare(way)
        free = np.flatnonzero(net.free)
        nodes = shapely.points(net.places[free])
        counts = np.minimum(net.to_way, np.maximum(net.to_edge, _NODE * self.grown) + 1.0)[free]
        near = shapely.dwithin(way, nodes, counts)
        net.to_way[free[near]] = np.minimum(net.to_way[free[near]], shapely.distance(nodes[near], way))

    # --- The cheapest path to a goal ----------------------------------------------------------------------------------

    def _path(self, start: int, goals: _Mask, barred: _Mask | None = None) -> list[int]:
        """Return the nodes of the cheapest path from a node to any goal; an empty list if there is no path."""
        net = self.net
        free = net.free if barred is None else net.free & ~barred
        ends = np.flatnonzero(goals & free)
        if not free[start] or not len(ends):
            return []
        price = _prices(net, free, goals, start)
        end = int(ends[np.argmin(price[ends])])
        if not math.isfinite(price[end]):
            return []
        found, rows, columns = [end], *net.shape
        while found[-1] != start and len(found) < len(price):
            row, column = divmod(found[-1], columns)
            here = net.cost[found[-1]]
            beside = (
                ((row + up) * columns + column + over, length)
                for up, over, length in _MOVES
                if 0 <= row + up < rows and 0 <= column + over < columns
            )
            ways = [(price[node] + length * (here + net.cost[node]) / 2, node) for node, length in beside if free[node]]
            best, node = min(ways, default=(math.inf, start))
            if not math.isfinite(best) or node in found:
                return []
            found.append(node)
        return found[::-1]

    def _goals(self) -> _Mask:
        """Return the nodes where a lane may end: at the board edge, a road or another lane."""
        net = self.net
        return net.free & (net.rim | (net.to_way < _NODE * self.grown))

    # --- Lanes from settlements, and lanes across open ground ---------------------------------------------------------

    def _exits(self) -> Iterator[tuple[_Numbers, _Numbers]]:
        """Yield the start point and direction of lanes from towns and farms, the best of each place first."""
        for place in self.ground.areas(*TOWNS):
            yield from self._sides(place, _EXITS)
        for place in self.ground.areas(*FARMS):
            yield from self._sides(place, 1)

    def _sides(self, place: Area, most: int) -> Iterator[tuple[_Numbers, _Numbers]]:
        ring = place.outline.exterior
        points = resampled(shapely.get_coordinates(ring), ring.length / 24)[:-1]
        middle = np.array(place.outline.centroid.coords[0])
        out = points - middle
        out /= np.maximum(np.hypot(out[:, 0], out[:, 1]), 1e-9)[:, None]
        ahead = shapely.points(points + 30.0 * self.grown * out)
        room = np.full(len(points), 1e3) if self.closed.is_empty else shapely.distance(ahead, self.closed)
        ways = shapely.union_all(self.ground.ways)
        if most == 1:
            order = np.argsort(shapely.distance(ahead, ways) if self.ground.ways else -room, kind="stable")
        else:
            far = shapely.distance(shapely.points(points), ways) if self.ground.ways else np.full(len(points), 60.0)
            order = np.argsort(-(np.minimum(room, 30.0) + np.minimum(far, 60.0)), kind="stable")
        taken: list[_Numbers] = []
        for number in order.tolist():
            if len(taken) == most:
                return
            if room[number] > CLEAR and all(float((out[number] * other).sum()) < _TURNED for other in taken):
                taken.append(out[number])
                yield points[number], out[number]

    def _leave(self, start: _Numbers, out: _Numbers) -> None:
        """Add a lane from the edge of a place to a road, lane or board edge that is not too near."""
        net = self.net
        for reach in (_STRAIGHT_OUT, 1.5 * _STRAIGHT_OUT):
            first = self._node(start + reach * out)
            if first is not None:
                break
        else:
            return
        far = net.places - start
        goals = self._goals() & (np.hypot(far[:, 0], far[:, 1]) > _SHORTEST * self.grown)
        nodes = self._path(first, goals)
        if len(nodes) > 3:
            self._keep([start, *self._ended(nodes)], from_place=True)

    def _through(self) -> bool:
        """Try a lane through the node farthest from all roads, lanes and edges.

        Return False if no node is far enough. If the lane fails, its surroundings are closed for further attempts.
        """
        net = self.net
        far = np.where(net.free & ~net.rim, np.minimum(net.to_way, net.to_edge), 0.0)
        middle = int(np.argmax(far))
        if far[middle] < self.country.away * self.grown:
            return False
        goals = self._goals()
        one = self._path(middle, goals)
        steps = net.places - net.places[middle]
        reach = np.hypot(steps[:, 0], steps[:, 1])
        two: list[int] = []
        if one:
            back = net.places[one[-1]] - net.places[middle]
            share = (steps * back).sum(axis=1) / np.maximum(reach * math.hypot(*back.tolist()), 1e-9)
            barred = (share > 0.55) & (reach > 2 * _NODE * self.grown)
            two = self._path(middle, goals & (share < -0.1), barred)
        if not (one and two and self._keep([*self._ended(one)[::-1], *self._ended(two)[1:]])):
            net.free = net.free & (reach > 30.0 * self.grown)
        return True

    def _node(self, place: _Numbers) -> int | None:
        """Return the free node nearest to a place, or None if it is not within a step."""
        steps = self.net.places - place
        near = int(np.argmin(np.hypot(steps[:, 0], steps[:, 1])))
        return near if self.net.free[near] and math.hypot(*steps[near].tolist()) < _NODE * self.grown else None

    def _ended(self, nodes: Sequence[int]) -> list[_Numbers]:
        """Return the positions of nodes, with the end on the road, lane or board edge that they lead to."""
        points = [self.net.places[node] for node in nodes]
        last, step = points[-1], _NODE * self.grown
        network = [*self.ground.ways, *self.lanes]
        end = Point(last)
        if network and self.net.to_way[nodes[-1]] < step:
            joined = shapely.shortest_line(end, shapely.union_all(network))
            return [*points[:-1], np.array(joined.coords[-1])]
        left, low, right, high = self.bounds
        x, y = last.tolist()
        sides = {(left, y): x - left, (right, y): right - x, (x, low): y - low, (x, high): high - y}
        return [*points, np.array(min(sides, key=lambda side: sides[side]))]

    # --- From nodes to a line -----------------------------------------------------------------------------------------

    def _keep(self, points: Sequence[_Numbers], *, from_place: bool = False) -> bool:
        """Add a lane along points if its line is good; return whether it was added."""
        line = self._drawn(np.array(points))
        if line.length < _SHORTEST * self.grown or not line.is_simple or not self._is_clear(line, from_place):
            return False
        if self._runs_beside(line):
            return False
        self.lanes.append(line)
        self._neared(self.net, shapely.simplify(line, 0.8))
        return True

    def _drawn(self, points: _Numbers) -> LineString:
        """Return a natural line: pulled taut, pushed away from features, slightly wavy."""
        taut = band(points, self.rule, margin=CLEAR + 0.5, rounds=_ROUNDS)
        curve = smooth_curve(taut, 4.0)
        steps = np.minimum(np.arange(len(curve)), np.arange(len(curve))[::-1]) / max(1.0, len(curve) / 4)
        waver = _WAVER * self.grown * np.minimum(steps, 1.0)
        waver = waver * self.noise.at(curve[:, 0], curve[:, 1], _WAVER_WAVE * self.grown)
        wavering = LineString(curve + normals(curve) * waver[:, None])
        return wavering if self._is_clear(wavering, from_place=True) else LineString(curve)

    def _is_clear(self, line: LineString, from_place: bool) -> bool:
        """Return whether a line keeps clear of features; with ``from_place`` its start is not checked."""
        if self.closed.is_empty:
            return True
        points = resampled(shapely.get_coordinates(line), 3.0)
        gone = np.arange(len(points)) * (line.length / max(1, len(points) - 1))
        judged = points[gone > _STRAIGHT_OUT] if from_place else points
        return len(judged) > 1 and not shapely.dwithin(self.closed, LineString(judged), CLEAR)

    def _runs_beside(self, line: LineString) -> bool:
        """Return whether a line is close to a road or lane for most of its length."""
        network = [*self.ground.ways, *self.lanes]
        if not network:
            return False
        places = shapely.points(resampled(shapely.get_coordinates(line), 10.0))
        ways = MultiLineString(network)
        shapely.prepare(ways)
        return float(shapely.dwithin(ways, places, _BESIDE * self.grown).mean()) > _MOST_BESIDE


def _prices(net: _Net, free: _Mask, goals: _Mask, start: int) -> _Numbers:
    """Return the cost of each node from the start, exact on the cheapest path to a goal.

    Costs spread from the start, cheapest first, until the cheapest goal is final. Elsewhere they may be too high or
    infinite.
    """
    rows, columns = net.shape
    # A border of closed nodes, so that steps need no bounds check.
    rim = _RIM
    wide = columns + 2 * rim
    cost, price = np.full((2, rows + 2 * rim, wide), np.inf)
    cost[rim:-rim, rim:-rim] = np.where(free, net.cost, np.inf).reshape(rows, columns)
    ends = np.flatnonzero(goals & free)
    ends = (ends // columns + rim) * wide + ends % columns + rim
    shape, cost, price = price.shape, cost.ravel(), price.ravel()
    moves = np.array([up * wide + over for up, over, _ in _MOVES])
    lengths = np.array([length for _, _, length in _MOVES])
    price[(start // columns + rim) * wide + start % columns + rim] = 0.0
    fresh = price < np.inf
    while True:
        waiting = np.flatnonzero(fresh)
        asked = price[waiting]
        least = asked.min(initial=np.inf)
        if least >= price[ends].min(initial=np.inf):
            return price.reshape(shape)[rim:-rim, rim:-rim].ravel()
        front = waiting[asked <= least + _WAVE_DEPTH]
        fresh[front] = False
        to = front[:, None] + moves
        found = price[front][:, None] + lengths * (cost[to] + cost[front][:, None]) / 2
        better = found < price[to]
        to, found = to[better], found[better]
        np.minimum.at(price, to, found)
        fresh[to] = True


def ribbon(lane: LineString, width: float) -> Polygon | BaseGeometry:
    """Return the area of a lane."""
    return lane.buffer(width / 2, cap_style="flat", quad_segs=4)
