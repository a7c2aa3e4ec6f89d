"""Cheapest chains of cells (PW2-33..PW2-35), routes round hills, and wide rivers (PW2-36).

Of two chains with equal cost, the better one is closer to the straight line between its ends; then the first in reading
order. All values are integers, so that two mirror images compare as exactly equal. Cross products on the lattice of a
grid have a constant ratio to those on the board.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, groupby
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.tables import DieTable
from printkit.core.errors import Sentence
from printkit.terrain.field.grids import Cell, Grid, neighbours

_RING_OF_A_SQUARE = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


class RouteGround(Struct, frozen=True, kw_only=True):
    """The ground that a course crosses.

    Attributes:
        barred_cells: hills and mountains; the course goes round them.
        closed: cells that it never enters, for example lakes for roads.
        extra: the cost of a cell above 1.
    """

    grid: Grid
    barred_cells: frozenset[Cell] = frozenset()
    closed: frozenset[Cell] = frozenset()
    extra: Mapping[Cell, int] = field(default_factory=dict)

    def with_open_hills(self, cost: int = 1) -> RouteGround:
        """Return a copy in which hills and mountains can be crossed, at ``cost`` for each area (PW2-35).

        Other extra costs of these areas are replaced. Closed cells stay closed.
        """
        dearer = {**self.extra, **dict.fromkeys(sorted(self.barred_cells), cost - 1)}
        return replace(self, barred_cells=frozenset(), extra=dearer)

    def with_closed_cells(self, cells: Collection[Cell]) -> RouteGround:
        """Return a copy with more closed cells."""
        return replace(self, closed=self.closed | frozenset(cells))

    def can_enter(self, cell: Cell) -> bool:
        """Return whether a course may enter a cell: it is on the grid, has no hill in the way, and is not closed."""
        return self.grid.contains(cell) and cell not in self.barred_cells and cell not in self.closed

    def cost(self, cell: Cell) -> int:
        """Return the cost of a cell: 1, or more if the cell has an extra cost."""
        return 1 + self.extra.get(cell, 0)

    def open_neighbours(self, cell: Cell) -> Iterator[Cell]:
        """Yield the neighbours that a course may enter, clockwise from the top."""
        return (
            other
            for other in neighbour_cells(self.grid, cell)
            if other not in self.barred_cells and other not in self.closed
        )


class Route(Struct, frozen=True, kw_only=True):
    """A chain of cells in travel order.

    Attributes:
        cost: the sum of the costs of all cells.
        bend: the sum of squared distances of their centres from the straight line between the ends (on hexes times
            4/3).
        forced_cells: the hills that it had to cross (PW2-35).
    """

    cells: tuple[Cell, ...]
    cost: int
    bend: Fraction = Fraction(0)
    forced_cells: tuple[Cell, ...] = ()


@cache
def ring_cells(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the 6 hexes or 8 squares round a cell, clockwise from the top; some may be off the grid."""
    if grid.shape == "square":
        return tuple(Cell(cell.column + right, cell.row + down) for right, down in _RING_OF_A_SQUARE)
    return tuple(grid.step(cell, direction) for direction in range(grid.direction_count()))


@cache
def neighbour_cells(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the neighbours of a cell that are on the grid, clockwise from the top (PW0-18)."""
    return neighbours(grid, cell)


def find_best_route(route_ground: RouteGround, start: Cell, end: Cell) -> Route | None:
    """Return the cheapest chain between two cells, or None; of equal costs the straightest (PW2-33).

    Both cells are included. Steps cross the sides of cells. There is no chain if a course may not enter one of the two
    cells.
    """
    if not (route_ground.can_enter(start) and route_ground.can_enter(end)):
        return None
    grid, line = route_ground.grid, _Line.from_cells(route_ground.grid, start, end)
    start_path = (_cell_index(grid, start),)
    queue: list[tuple[int, int, tuple[int, ...], Cell]] = [
        (route_ground.cost(start), line.squared_offset(start), start_path, start)
    ]
    done_cells: set[Cell] = set()
    while queue:
        cost, bend, path, cell = heapq.heappop(queue)
        if cell in done_cells:
            continue
        if cell == end:
            cells = tuple(Cell(place % grid.columns + 1, place // grid.columns + 1) for place in path)
            return Route(cells=cells, cost=cost, bend=Fraction(bend, line.length))
        done_cells.add(cell)
        for other in route_ground.open_neighbours(cell):
            if other not in done_cells:
                longer = (*path, _cell_index(grid, other))
                heapq.heappush(
                    queue, (cost + route_ground.cost(other), bend + line.squared_offset(other), longer, other)
                )
    return None


def find_nearest_route(route_ground: RouteGround, starts: Collection[Cell], ends: Collection[Cell]) -> Route | None:
    """Return the cheapest chain from any start to any end, or None if there is none (PW2-44).

    Of equal costs the straightest is taken.
    """
    costs = {start: find_least_costs(route_ground, start) for start in starts}
    candidates = [(cost, start, end) for start in starts for end in ends if (cost := costs[start].get(end)) is not None]
    least = min((cost for cost, _, _ in candidates), default=0)
    routes = [find_best_route(route_ground, start, end) for cost, start, end in candidates if cost == least]
    return min((route for route in routes if route is not None), key=_rank_key(route_ground.grid), default=None)


def find_route_via(route_ground: RouteGround, start: Cell, middle: Cell, end: Cell) -> Route | None:
    """Return a chain through a middle cell that enters no cell twice (PW2-60); None if there is none.

    The first part is the cheapest one; the second part avoids its cells.
    """
    first = find_best_route(route_ground, start, middle)
    if first is None:
        return None
    second = find_best_route(route_ground.with_closed_cells(first.cells[:-1]), middle, end)
    if second is None:
        return None
    return Route(
        cells=(*first.cells, *second.cells[1:]),
        cost=first.cost + second.cost - route_ground.cost(middle),
        bend=first.bend + second.bend,
    )


def pick_best_route(grid: Grid, routes: Collection[Route]) -> Route | None:
    """Return the best chain (PW2-33), or None without any: the cheapest, then the straightest.

    If they are still equal, the first in reading order is taken.
    """
    return min(routes, key=_rank_key(grid), default=None)


def _rank_key(grid: Grid) -> Callable[[Route], tuple[int, Fraction, list[int]]]:
    """Return a function that gets a route and returns its key to sort by, best first (PW2-33).

    The key is the cost, then the bend, then the reading order of the cells.
    """
    return lambda route: (route.cost, route.bend, [_cell_index(grid, cell) for cell in route.cells])


def _cell_index(grid: Grid, cell: Cell) -> int:
    """Return the index of a cell in reading order, from 0."""
    return (cell.row - 1) * grid.columns + cell.column - 1


def find_least_costs(route_ground: RouteGround, start: Cell) -> dict[Cell, int]:
    """Return the least cost from ``start`` to each cell that can be reached; others are missing.

    The cost is the sum over all cells of the chain, with both ends: 1 each, or more for a cell with extra cost. The
    result is empty if a course may not enter ``start``.
    """
    if not route_ground.can_enter(start):
        return {}
    queue, costs = [(route_ground.cost(start), start)], dict[Cell, int]()
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in costs:
            continue
        costs[cell] = cost
        for other in route_ground.open_neighbours(cell):
            if other not in costs:
                heapq.heappush(queue, (cost + route_ground.cost(other), other))
    return costs


class _Line(Struct, frozen=True):
    """A straight line between two cells on the lattice; ``length`` is squared, in squared cells."""

    grid: Grid
    start: tuple[int, int]
    vector: tuple[int, int]
    length: int

    @classmethod
    def from_cells(cls, grid: Grid, start: Cell, end: Cell) -> _Line:
        """Return the line between the centres of two cells."""
        (right, down), (to_right, to_down) = _lattice_point(grid, start), _lattice_point(grid, end)
        q, s = to_right - right, to_down - down
        skew = q * s if grid.shape == "hex" else 0
        return cls(grid, (right, down), (q, s), max(1, q * q + skew + s * s))

    def squared_offset(self, cell: Cell) -> int:
        """Return the squared distance of a cell from the line, times the squared length of the line.

        The cross product is an area. On hexes the unit area of the lattice is sin 60° of that of squares. This factor
        is the same for all chains of a board, so it is left out.
        """
        q, s = _lattice_point(self.grid, cell)
        return (self.vector[0] * (s - self.start[1]) - self.vector[1] * (q - self.start[0])) ** 2


@cache
def _lattice_point(grid: Grid, cell: Cell) -> tuple[int, int]:
    """Return the position of a cell: axial coordinates of a hex, column and row of a square."""
    return grid.axial(cell) if grid.shape == "hex" else (cell.column, cell.row)


# --- Going round hills ------------------------------------------------------------------------------------------------

LEFT: Final = "left"
RIGHT: Final = "right"


def detour_reason(name: str) -> Sentence:
    """Return the reason for the die that decides between two routes round hills.

    ``name`` is that of the course, for example "river 1".
    """
    return Sentence("which way round the hills, {course}", course=name)


class Detours(Struct, frozen=True, kw_only=True):
    """Finds routes round hills.

    Attributes:
        table: the die between the two routes; the left one is left on the map (PWA-07).
        hill: the cost of a hill that the course has to cross (PW2-35).
        always: whether to roll wherever both sides have a route.
    """

    table: DieTable[str]
    hill: int
    always: bool = False

    def find_route(self, route_ground: RouteGround, start: Cell, end: Cell, *, dice: Dice, name: str) -> Route | None:
        """Return the route that avoids the hills between two cells, or None if there is no route.

        If hills block the direct route, a die may decide between left and right, and it is logged. If hills close every
        route, the course crosses as few as possible and lists them in ``forced_cells``. ``name`` is the name of the
        course in the log.
        """
        shortest_route = find_best_route(route_ground, start, end)
        if shortest_route is None:
            return self._find_forced_route(route_ground, start, end)
        direct_route = find_best_route(route_ground.with_open_hills(), start, end)
        if direct_route is None or not route_ground.barred_cells.intersection(direct_route.cells):
            return shortest_route
        left, right = self._find_both_routes(route_ground, direct_route)
        if left is None or right is None:
            return shortest_route
        if not self.always and (left.cost != right.cost or shortest_route.cost < left.cost):
            return shortest_route
        side = self.table.roll(dice, detour_reason(name))
        return left if side == LEFT else right

    def _find_forced_route(self, route_ground: RouteGround, start: Cell, end: Cell) -> Route | None:
        """Return the route with the fewest hills, or None; the hills are in ``forced_cells`` (PW2-35)."""
        route = find_best_route(route_ground.with_open_hills(self.hill), start, end)
        if route is None:
            return None
        return replace(route, forced_cells=tuple(cell for cell in route.cells if cell in route_ground.barred_cells))

    def _find_both_routes(self, route_ground: RouteGround, direct_route: Route) -> tuple[Route | None, Route | None]:
        """Return the routes to the left and to the right of a chain that hills block, left on the map first.

        None means a side that hills or closed cells block.
        """
        start, end = direct_route.cells[0], direct_route.cells[-1]
        left, right = split_sides(route_ground.grid, direct_route.cells)
        left_route, right_route = (
            find_best_route(route_ground.with_closed_cells(right), start, end),
            find_best_route(route_ground.with_closed_cells(left), start, end),
        )
        if left_route is not None and right_route is not None and is_further_left(right_route, left_route):
            return right_route, left_route
        return left_route, right_route


def split_sides(grid: Grid, cells: tuple[Cell, ...]) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells on the left and on the right of a chain from edge to edge, in travel direction."""
    return _fill_side(grid, cells, LEFT), _fill_side(grid, cells, RIGHT)


def cells_by_side(
    grid: Grid, cells: tuple[Cell, ...], index: int, enters: int | None = None, leaves: int | None = None
) -> dict[str, tuple[Cell, ...]]:
    """Return the cells round cell ``index`` (from 0) of a chain by side, each side from rear to front.

    The keys are ``left`` and ``right`` in travel direction; on squares the cells at the corners count too. They include
    cells off the grid. ``enters`` and ``leaves`` are the outer sides at the ends of the chain, on the edge of the
    board; without them the first side off the grid counts.
    """
    ring = ring_cells(grid, cells[index])
    outer = next((ring_index for ring_index, cell in enumerate(ring) if not grid.contains(cell)), 0)
    rear_end, front_end = (
        outer if side is None else ring.index(grid.step(cells[index], side)) for side in (enters, leaves)
    )
    rear = ring.index(cells[index - 1]) if index > 0 else rear_end
    front = ring.index(cells[index + 1]) if index + 1 < len(cells) else front_end
    count = len(ring)
    left = tuple(ring[(rear + step) % count] for step in range(1, (front - rear) % count))
    right = tuple(ring[(rear - step) % count] for step in range(1, (rear - front) % count))
    return {LEFT: left, RIGHT: right}


def is_further_left(first: Route, second: Route) -> bool:
    """Return whether ``first`` is further left than ``second`` on the map.

    The mean column decides; if it is equal, the mean row: nearer to the top counts as further left.
    """
    return _mean_position(first) < _mean_position(second)


def find_runs(cells: Sequence[Cell], shared_cells: Collection[Cell]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """Yield each run of a chain through cells in ``shared_cells``: its first index, from 0, and its cells."""
    for is_shared, run in groupby(enumerate(cells), key=lambda item: item[1] in shared_cells):
        if is_shared:
            indices, run_cells = zip(*run, strict=True)
            yield indices[0], run_cells


def _mean_position(route: Route) -> tuple[Fraction, Fraction]:
    """Return the mean column and the mean row of a route."""
    count = len(route.cells)
    return (
        Fraction(sum(cell.column for cell in route.cells), count),
        Fraction(sum(cell.row for cell in route.cells), count),
    )


def _fill_side(grid: Grid, cells: tuple[Cell, ...], side: str) -> frozenset[Cell]:
    """Return all cells on one side of a chain: those within reach without crossing it.

    ``side`` is ``left`` or ``right`` in travel direction. Cells of the chain are not included, and all are on the grid.
    """
    on_chain = frozenset(cells)
    seeds = (cells_by_side(grid, cells, index)[side] for index in range(len(cells)))
    waiting = [cell for cell in chain.from_iterable(seeds) if grid.contains(cell) and cell not in on_chain]
    side_cells = set[Cell]()
    while waiting:
        cell = waiting.pop()
        if cell in side_cells:
            continue
        side_cells.add(cell)
        waiting += [other for other in neighbour_cells(grid, cell) if other not in on_chain]
    return frozenset(side_cells)


# --- Wide rivers: every area of the chain also takes a neighbour on one bank (PW2-36) ---------------------------------

_OTHER: Final = {LEFT: RIGHT, RIGHT: LEFT}


def widen_river(
    grid: Grid,
    chain: tuple[Cell, ...],
    enters: int | None,
    leaves: int | None,
    *,
    barred_cells: Collection[Cell],
    bank: str,
) -> tuple[Cell | None, ...]:
    """Return the second cell of a river two areas wide, for each cell of its ``chain``, or None.

    Each cell takes a neighbour on the chosen ``bank``, in travel direction downstream. No second cell is needed next to
    an area that the river already takes, or in a turn towards that bank round an area of squares. If all areas on that
    bank are off the grid or in ``barred_cells``, or there are none, it takes one on the other bank. If these are not
    free either, the river stays one area wide there. The result is as long as the chain.

    Args:
        grid: the grid.
        chain: the cells of the river.
        enters: the outer side of the first cell where it enters the board.
        leaves: the outer side of the last cell where it leaves.
        barred_cells: cells that it may not take.
        bank: ``left`` or ``right``.
    """
    second_cells: list[Cell | None] = []
    for index in range(len(chain)):
        second_cell = None
        neighbours = {grid.step(chain[index], direction) for direction in range(grid.direction_count())}
        by_side = cells_by_side(grid, chain, index, enters, leaves)
        for side in (bank, _OTHER[bank]):
            bank_cells = [cell for cell in by_side[side] if cell in neighbours]
            if any(cell in chain or cell in second_cells for cell in bank_cells):
                break
            free = [cell for cell in bank_cells or by_side[side] if grid.contains(cell) and cell not in barred_cells]
            if free:
                second_cell = free[0] if bank_cells else None
                break
        second_cells.append(second_cell)
    return tuple(second_cells)
