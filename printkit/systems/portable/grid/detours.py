"""Going round hills: the shorter way wins, of equals a die decides, and what no way round costs (PW2-34, PW2-35)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.tables import DieTable
from printkit.systems.portable.grid.routes import Route, Ways, around, best, sharing
from printkit.terrain.field.grids import Cell, Grid

LEFT: Final = "left"
RIGHT: Final = "right"

ROUND: Final = "which way round the hills, {name}"
"""What the log calls the die."""


class Detours(Struct, frozen=True, kw_only=True):
    """How a course goes round hills.

    ``table`` is the die that decides between two ways; ``always`` throws it wherever both sides have one
    (``pw2.detour`` die). ``on_map`` says whose left is meant: the map's or the traveller's (PWA-07). A hill that has to
    be passed costs ``hill`` (PW2-35).
    """

    table: DieTable[str]
    hill: int
    always: bool = False
    on_map: bool = True

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
        side = self.table.roll(dice, ROUND.format(name=name))
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
        if one is not None and other is not None and self.on_map and further_left(other, one):
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


def diagonals(grid: Grid, cells: tuple[Cell, ...]) -> Iterator[frozenset[Cell]]:
    """Yield the steps of a chain that pass a corner, each as its two cells."""
    if grid.shape == "square":
        for one, other in pairwise(cells):
            if one.column != other.column and one.row != other.row:
                yield frozenset((one, other))


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
