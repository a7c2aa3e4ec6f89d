"""Chains of cells by the least cost (PW2-33..PW2-35), ways round hills, and wide rivers (PW2-36).

A chain of equal cost is better the nearer it keeps to the straight line between its ends, and of two that keep equally
near the first in reading order. All of it is reckoned in whole numbers, so that two chains that are mirror images are
equal to the last bit: cross products on the lattice of a grid stand in one ratio to those on the board.
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
    """What a course meets on its way.

    ``barred`` are hills and mountains, which it goes round; ``closed`` what it never enters, as lakes for roads;
    ``extra`` what a cell costs above 1.
    """

    grid: Grid
    barred: frozenset[Cell] = frozenset()
    closed: frozenset[Cell] = frozenset()
    extra: Mapping[Cell, int] = field(default_factory=dict)

    def opened(self, cost: int = 1) -> Ways:
        """Return the same ways with hills and mountains open at a cost for each area (PW2-35)."""
        dearer = {**self.extra, **dict.fromkeys(sorted(self.barred), cost - 1)}
        return replace(self, barred=frozenset(), extra=dearer)

    def without(self, cells: Collection[Cell]) -> Ways:
        """Return the same ways with more cells that may not be entered."""
        return replace(self, closed=self.closed | frozenset(cells))

    def enters(self, cell: Cell) -> bool:
        """Return whether a course may enter a cell."""
        return self.grid.holds(cell) and cell not in self.barred and cell not in self.closed

    def cost(self, cell: Cell) -> int:
        """Return what a cell costs."""
        return 1 + self.extra.get(cell, 0)

    def onward(self, cell: Cell) -> Iterator[Cell]:
        """Yield the cells to which a course may go on, clockwise from the top."""
        return (other for other in sharing(self.grid, cell) if other not in self.barred and other not in self.closed)


class Route(Struct, frozen=True, kw_only=True):
    """A chain of cells in travel order; ``cost`` counts each, ``bend`` is the sum of squared distances of their centres
    from the straight line between its ends (on hexes times 4/3). ``forced`` are the hills it had to pass (PW2-35).
    """

    cells: tuple[Cell, ...]
    cost: int
    bend: Fraction = Fraction(0)
    forced: tuple[Cell, ...] = ()


@cache
def around(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells about one, clockwise from the top, also off the grid: six hexes, or eight squares."""
    if grid.shape == "square":
        return tuple(Cell(cell.column + right, cell.row + down) for right, down in _RING_OF_A_SQUARE)
    return tuple(grid.step(cell, direction) for direction in range(grid.directions()))


@cache
def sharing(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells of the grid that share a side with one, clockwise (PW0-18)."""
    return neighbours(grid, cell)


def best(ways: Ways, start: Cell, end: Cell) -> Route | None:
    """Return the cheapest chain from a cell to another, of equals the straightest (PW2-33), or None of none."""
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
    """Return the best chain from any of some cells to any of others, or None where there is none (PW2-44)."""
    costs = {start: distances(ways, start) for start in starts}
    found = [(cost, start, end) for start in starts for end in ends if (cost := costs[start].get(end)) is not None]
    least = min((cost for cost, _, _ in found), default=0)
    routes = [best(ways, start, end) for cost, start, end in found if cost == least]
    return min((route for route in routes if route is not None), key=_rank(ways.grid), default=None)


def by_way_of(ways: Ways, start: Cell, middle: Cell, end: Cell) -> Route | None:
    """Return a chain from a cell to another that passes a third, and none twice (PW2-60); None where none is found."""
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
    """Return the best of some chains as PW2-33 ranks them, or None of none."""
    return min(routes, key=_rank(grid), default=None)


def _rank(grid: Grid) -> Callable[[Route], tuple[int, Fraction, list[int]]]:
    return lambda route: (route.cost, route.bend, [_place(grid, cell) for cell in route.cells])


def _place(grid: Grid, cell: Cell) -> int:
    """Return the place of a cell in reading order, from 0."""
    return (cell.row - 1) * grid.columns + cell.column - 1


def distances(ways: Ways, start: Cell) -> dict[Cell, int]:
    """Return the least cost from a cell to each that can be reached."""
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
    """The straight line from a cell to another on the lattice; ``length`` is its squared length in squared cells."""

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

        The cross product is an area, and on hexes the unit of area of the lattice is sin 60 of that of squares: a
        factor that all chains of a board share, and which is left out.
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
    """Return what the die between two ways round hills is for."""
    return Sentence("which way round the hills, {course}", course=name)


"""What the log calls the die."""


class Detours(Struct, frozen=True, kw_only=True):
    """How a course goes round hills.

    ``table`` is the die that decides between two ways, of which one is the left one on the map (PWA-07); ``always``
    throws it wherever both sides have one. A hill that has to be passed costs ``hill`` (PW2-35).
    """

    table: DieTable[str]
    hill: int
    always: bool = False

    def course(self, ways: Ways, start: Cell, end: Cell, *, dice: Dice, name: str) -> Route | None:
        """Return the way from a cell to another that goes round the hills between, or None where nothing leads there.

        Where hills close every way, it passes as few as it can, and its ``forced`` names them. ``name`` is what the
        log calls the course.
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
        """Return the ways round on the left and on the right of a chain that hills block."""
        start, end = plain.cells[0], plain.cells[-1]
        left, right = sides_of(ways.grid, plain.cells)
        one, other = best(ways.without(right), start, end), best(ways.without(left), start, end)
        if one is not None and other is not None and further_left(other, one):
            return other, one
        return one, other


def sides_of(grid: Grid, cells: tuple[Cell, ...]) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return what lies to the left and to the right of a chain that runs from edge to edge, as one travels along it."""
    return _spread(grid, cells, LEFT), _spread(grid, cells, RIGHT)


def beside(grid: Grid, cells: tuple[Cell, ...], place: int) -> dict[str, tuple[Cell, ...]]:
    """Return the cells about one of a chain, from rear to front, by the side on which they lie; also off the grid.

    At the ends of the chain, which lie on the edge of the board, the course is taken to come from beyond it.
    """
    ring = around(grid, cells[place])
    outer = next((spot for spot, cell in enumerate(ring) if not grid.holds(cell)), 0)
    rear = ring.index(cells[place - 1]) if place > 0 else outer
    front = ring.index(cells[place + 1]) if place + 1 < len(cells) else outer
    count = len(ring)
    left = tuple(ring[(rear + step) % count] for step in range(1, (front - rear) % count))
    right = tuple(ring[(rear - step) % count] for step in range(1, (rear - front) % count))
    return {LEFT: left, RIGHT: right}


def further_left(one: Route, other: Route) -> bool:
    """Return whether a way lies further left on the map: its mean column is less, or that equal its mean row."""
    return _mean(one) < _mean(other)


def stretches(cells: Sequence[Cell], shared: Collection[Cell]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """Yield where a chain runs through some cells, as often as it does: the first place in the chain, and the cells."""
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
    """Return every cell off a chain that can be reached from the cells on one side of it without crossing it."""
    on_chain = frozenset(cells)
    seeds = (beside(grid, cells, place)[side] for place in range(len(cells)))
    waiting = [cell for cell in chain.from_iterable(seeds) if grid.holds(cell) and cell not in on_chain]
    found = set[Cell]()
    while waiting:
        cell = waiting.pop()
        if cell in found:
            continue
        found.add(cell)
        waiting += [other for other in sharing(grid, cell) if other not in on_chain]
    return frozenset(found)


# --- Wide rivers: every area of the chain takes a neighbour on one bank as well (PW2-36) ------------------------------

_OTHER: Final = {LEFT: RIGHT, RIGHT: LEFT}


def widened(grid: Grid, chain: tuple[Cell, ...], *, barred: Collection[Cell], bank: str) -> tuple[Cell | None, ...]:
    """Return for each cell of a chain the one that a river two areas wide takes beside it, or None.

    Each has a neighbour on the chosen bank, going downstream. Where the river turns towards that bank, or the neighbour
    is taken by the river already, nothing more is needed. Where all neighbours there are off the grid or ``barred``, as
    hills are, one on the other bank is taken, and where those are too, the river stays single.
    """
    taken: list[Cell | None] = []
    for place in range(len(chain)):
        found = None
        about = beside(grid, chain, place)
        for side in (bank, _OTHER[bank]):
            sides = [cell for cell in about[side] if _share_a_side(grid, chain[place], cell)]
            if not sides or any(cell in chain or cell in taken for cell in sides):
                break
            free = [cell for cell in sides if grid.holds(cell) and cell not in barred]
            if free:
                found = free[0]
                break
        taken.append(found)
    return tuple(taken)


def _share_a_side(grid: Grid, one: Cell, other: Cell) -> bool:
    return any(grid.step(one, direction) == other for direction in range(grid.directions()))
