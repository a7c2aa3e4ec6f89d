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


class Ways(Struct, frozen=True, kw_only=True):
    """The ground that a course crosses.

    Attributes:
        barred: hills and mountains; the course goes round them.
        closed: cells that it never enters, for example lakes for roads.
        extra: the cost of a cell above 1.
    """

    grid: Grid
    barred: frozenset[Cell] = frozenset()
    closed: frozenset[Cell] = frozenset()
    extra: Mapping[Cell, int] = field(default_factory=dict)

    def opened(self, cost: int = 1) -> Ways:
        """Return a copy in which hills and mountains can be crossed, at ``cost`` for each area (PW2-35)."""
        dearer = {**self.extra, **dict.fromkeys(sorted(self.barred), cost - 1)}
        return replace(self, barred=frozenset(), extra=dearer)

    def without(self, cells: Collection[Cell]) -> Ways:
        """Return a copy with more closed cells."""
        return replace(self, closed=self.closed | frozenset(cells))

    def enters(self, cell: Cell) -> bool:
        """Return whether a course may enter a cell."""
        return self.grid.contains(cell) and cell not in self.barred and cell not in self.closed

    def cost(self, cell: Cell) -> int:
        """Return the cost of a cell."""
        return 1 + self.extra.get(cell, 0)

    def onward(self, cell: Cell) -> Iterator[Cell]:
        """Yield the neighbours that a course may enter, clockwise from the top."""
        return (other for other in sharing(self.grid, cell) if other not in self.barred and other not in self.closed)


class Route(Struct, frozen=True, kw_only=True):
    """A chain of cells in travel order.

    Attributes:
        cost: the sum of the costs of all cells.
        bend: the sum of squared distances of their centres from the straight line between the ends (on hexes times
            4/3).
        forced: the hills that it had to cross (PW2-35).
    """

    cells: tuple[Cell, ...]
    cost: int
    bend: Fraction = Fraction(0)
    forced: tuple[Cell, ...] = ()


@cache
def around(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the 6 hexes or 8 squares round a cell, clockwise from the top; some may be off the grid."""
    if grid.shape == "square":
        return tuple(Cell(cell.column + right, cell.row + down) for right, down in _RING_OF_A_SQUARE)
    return tuple(grid.step(cell, direction) for direction in range(grid.direction_count()))


@cache
def sharing(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the neighbours of a cell on the grid, clockwise (PW0-18)."""
    return neighbours(grid, cell)


def best(ways: Ways, start: Cell, end: Cell) -> Route | None:
    """Return the cheapest chain between two cells, or None; of equal costs the straightest (PW2-33)."""
    if not (ways.enters(start) and ways.enters(end)):
        return None
    grid, line = ways.grid, _Line.between(ways.grid, start, end)
    begun = (_place(grid, start),)
    queue: list[tuple[int, int, tuple[int, ...], Cell]] = [(ways.cost(start), line.off(start), begun, start)]
    done: set[Cell] = set()
    while queue:
        cost, bend, path, cell = heapq.heappop(queue)
        if cell in done:
            continue
        if cell == end:
            cells = tuple(Cell(place % grid.columns + 1, place // grid.columns + 1) for place in path)
            return Route(cells=cells, cost=cost, bend=Fraction(bend, line.length))
        done.add(cell)
        for other in ways.onward(cell):
            if other not in done:
                longer = (*path, _place(grid, other))
                heapq.heappush(queue, (cost + ways.cost(other), bend + line.off(other), longer, other))
    return None


def nearest(ways: Ways, starts: Collection[Cell], ends: Collection[Cell]) -> Route | None:
    """Return the best chain from any start to any end, or None if there is none (PW2-44)."""
    costs = {start: distances(ways, start) for start in starts}
    found = [(cost, start, end) for start in starts for end in ends if (cost := costs[start].get(end)) is not None]
    least = min((cost for cost, _, _ in found), default=0)
    routes = [best(ways, start, end) for cost, start, end in found if cost == least]
    return min((route for route in routes if route is not None), key=_rank(ways.grid), default=None)


def by_way_of(ways: Ways, start: Cell, middle: Cell, end: Cell) -> Route | None:
    """Return a chain through a middle cell that enters no cell twice (PW2-60); None if there is none."""
    first = best(ways, start, middle)
    if first is None:
        return None
    second = best(ways.without(first.cells[:-1]), middle, end)
    if second is None:
        return None
    return Route(
        cells=(*first.cells, *second.cells[1:]),
        cost=first.cost + second.cost - ways.cost(middle),
        bend=first.bend + second.bend,
    )


def shorter(grid: Grid, routes: Collection[Route]) -> Route | None:
    """Return the best chain by the ranking of PW2-33, or None if there are none."""
    return min(routes, key=_rank(grid), default=None)


def _rank(grid: Grid) -> Callable[[Route], tuple[int, Fraction, list[int]]]:
    return lambda route: (route.cost, route.bend, [_place(grid, cell) for cell in route.cells])


def _place(grid: Grid, cell: Cell) -> int:
    """Return the index of a cell in reading order, from 0."""
    return (cell.row - 1) * grid.columns + cell.column - 1


def distances(ways: Ways, start: Cell) -> dict[Cell, int]:
    """Return the least cost from ``start`` to each cell that can be reached."""
    if not ways.enters(start):
        return {}
    queue, costs = [(ways.cost(start), start)], dict[Cell, int]()
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in costs:
            continue
        costs[cell] = cost
        for other in ways.onward(cell):
            if other not in costs:
                heapq.heappush(queue, (cost + ways.cost(other), other))
    return costs


class _Line(Struct, frozen=True):
    """A straight line between two cells on the lattice; ``length`` is squared, in squared cells."""

    grid: Grid
    start: tuple[int, int]
    along: tuple[int, int]
    length: int

    @classmethod
    def between(cls, grid: Grid, start: Cell, end: Cell) -> _Line:
        (right, down), (to_right, to_down) = _lattice(grid, start), _lattice(grid, end)
        q, s = to_right - right, to_down - down
        skew = q * s if grid.shape == "hex" else 0
        return cls(grid, (right, down), (q, s), max(1, q * q + skew + s * s))

    def off(self, cell: Cell) -> int:
        """Return the squared distance of a cell from the line, times the squared length of the line.

        The cross product is an area. On hexes the unit area of the lattice is sin 60° of that of squares. This factor
        is the same for all chains of a board, so it is left out.
        """
        q, s = _lattice(self.grid, cell)
        return (self.along[0] * (s - self.start[1]) - self.along[1] * (q - self.start[0])) ** 2


@cache
def _lattice(grid: Grid, cell: Cell) -> tuple[int, int]:
    return grid.axial(cell) if grid.shape == "hex" else (cell.column, cell.row)


# --- Going round hills ------------------------------------------------------------------------------------------------

LEFT: Final = "left"
RIGHT: Final = "right"


def round_the_hills(name: str) -> Sentence:
    """Return the reason for the die that decides between two routes round hills."""
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

    def course(self, ways: Ways, start: Cell, end: Cell, *, dice: Dice, name: str) -> Route | None:
        """Return the route that avoids the hills between two cells, or None if there is no route.

        If hills close every route, the course crosses as few as possible and lists them in ``forced``. ``name`` is the
        name of the course in the log.
        """
        found = best(ways, start, end)
        if found is None:
            return self._forced(ways, start, end)
        plain = best(ways.opened(), start, end)
        if plain is None or not ways.barred.intersection(plain.cells):
            return found
        left, right = self._both(ways, plain)
        if left is None or right is None:
            return found
        if not self.always and (left.cost != right.cost or found.cost < left.cost):
            return found
        side = self.table.roll(dice, round_the_hills(name))
        return left if side == LEFT else right

    def _forced(self, ways: Ways, start: Cell, end: Cell) -> Route | None:
        found = best(ways.opened(self.hill), start, end)
        if found is None:
            return None
        return replace(found, forced=tuple(cell for cell in found.cells if cell in ways.barred))

    def _both(self, ways: Ways, plain: Route) -> tuple[Route | None, Route | None]:
        """Return the routes to the left and to the right of a chain that hills block."""
        start, end = plain.cells[0], plain.cells[-1]
        left, right = sides_of(ways.grid, plain.cells)
        one, other = best(ways.without(right), start, end), best(ways.without(left), start, end)
        if one is not None and other is not None and further_left(other, one):
            return other, one
        return one, other


def sides_of(grid: Grid, cells: tuple[Cell, ...]) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells on the left and on the right of a chain from edge to edge, in travel direction."""
    return _spread(grid, cells, LEFT), _spread(grid, cells, RIGHT)


def beside(grid: Grid, cells: tuple[Cell, ...], place: int) -> dict[str, tuple[Cell, ...]]:
    """Return the cells round one of a chain, from rear to front, by side; including cells off the grid.

    At an end of the chain, on the edge of the board, the course is assumed to come from outside.
    """
    ring = around(grid, cells[place])
    outer = next((spot for spot, cell in enumerate(ring) if not grid.contains(cell)), 0)
    rear = ring.index(cells[place - 1]) if place > 0 else outer
    front = ring.index(cells[place + 1]) if place + 1 < len(cells) else outer
    count = len(ring)
    left = tuple(ring[(rear + step) % count] for step in range(1, (front - rear) % count))
    right = tuple(ring[(rear - step) % count] for step in range(1, (rear - front) % count))
    return {LEFT: left, RIGHT: right}


def further_left(one: Route, other: Route) -> bool:
    """Return whether a route is further left on the map: by mean column, then by mean row."""
    return _mean(one) < _mean(other)


def stretches(cells: Sequence[Cell], shared: Collection[Cell]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """Yield each run of a chain through cells in ``shared``: its first index and its cells."""
    for within, run in groupby(enumerate(cells), key=lambda each: each[1] in shared):
        if within:
            places, found = zip(*run, strict=True)
            yield places[0], found


def _mean(route: Route) -> tuple[Fraction, Fraction]:
    count = len(route.cells)
    return (
        Fraction(sum(cell.column for cell in route.cells), count),
        Fraction(sum(cell.row for cell in route.cells), count),
    )


def _spread(grid: Grid, cells: tuple[Cell, ...], side: str) -> frozenset[Cell]:
    """Return all cells on one side of a chain: those within reach without crossing it."""
    on_chain = frozenset(cells)
    seeds = (beside(grid, cells, place)[side] for place in range(len(cells)))
    waiting = [cell for cell in chain.from_iterable(seeds) if grid.contains(cell) and cell not in on_chain]
    found = set[Cell]()
    while waiting:
        cell = waiting.pop()
        if cell in found:
            continue
        found.add(cell)
        waiting += [other for other in sharing(grid, cell) if other not in on_chain]
    return frozenset(found)


# --- Wide rivers: every area of the chain also takes a neighbour on one bank (PW2-36) ---------------------------------

_OTHER: Final = {LEFT: RIGHT, RIGHT: LEFT}


def widened(grid: Grid, chain: tuple[Cell, ...], *, barred: Collection[Cell], bank: str) -> tuple[Cell | None, ...]:
    """Return the second cell of a river two areas wide, for each cell of its chain, or None.

    Each cell takes a neighbour on the chosen bank, in travel direction downstream. At a turn towards that bank the
    river does not need one, nor next to an area that it already takes. If all neighbours on that bank are off the grid
    or in ``barred``, it takes one on the other bank. If these are not free either, the river stays one area wide there.
    """
    taken: list[Cell | None] = []
    for place in range(len(chain)):
        found = None
        about = beside(grid, chain, place)
        for side in (bank, _OTHER[bank]):
            sides = [cell for cell in about[side] if _share_a_side(grid, chain[place], cell)]
            if not sides or any(cell in chain or cell in taken for cell in sides):
                break
            free = [cell for cell in sides if grid.contains(cell) and cell not in barred]
            if free:
                found = free[0]
                break
        taken.append(found)
    return tuple(taken)


def _share_a_side(grid: Grid, one: Cell, other: Cell) -> bool:
    return any(grid.step(one, direction) == other for direction in range(grid.direction_count()))
