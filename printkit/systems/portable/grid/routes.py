"""Chains of cells by the least cost: the most direct way of rivers, roads and railways across a board (PW2-33..PW2-35).

A chain of equal cost is better the nearer it keeps to the straight line between its ends, and of two that keep equally
near the first in reading order. All of it is reckoned in whole numbers, so that two chains that are mirror images are
equal to the last bit: cross products on the lattice of a grid stand in one ratio to those on the board.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.terrain.field.grids import Cell, Grid

_RING_OF_A_SQUARE = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


class Ways(Struct, frozen=True, kw_only=True):
    """What a course meets on its way.

    ``barred`` are hills and mountains, which it goes round; ``closed`` what it never enters, as lakes for roads;
    ``extra`` what a cell costs above 1. ``diagonal`` lets courses on squares pass corners (``pw2.square_steps`` 8), but
    not between two barred cells, nor over one of the diagonal ``links`` of an earlier course, which it would cross
    without sharing a cell.
    """

    grid: Grid
    barred: frozenset[Cell] = frozenset()
    closed: frozenset[Cell] = frozenset()
    extra: Mapping[Cell, int] = field(default_factory=dict)
    diagonal: bool = False
    links: frozenset[frozenset[Cell]] = frozenset()

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
        for other, between in _steps(self.grid, cell):
            if other in self.barred or other in self.closed:
                continue
            if between and not (self.diagonal and between not in self.links and any(map(self.enters, between))):
                continue
            yield other


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
def _steps(grid: Grid, cell: Cell) -> tuple[tuple[Cell, frozenset[Cell]], ...]:
    """Return the cells of the grid about one, clockwise, each with the two beside the corner over which it lies."""
    ring = around(grid, cell)
    squares = grid.shape == "square"
    return tuple(
        (other, frozenset((ring[place - 1], ring[(place + 1) % len(ring)])) if squares and place % 2 else frozenset())
        for place, other in enumerate(ring)
        if grid.holds(other)
    )


def sharing(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells of the grid that share a side with one, clockwise (PW0-18)."""
    return tuple(other for other, between in _steps(grid, cell) if not between)


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
