"""Wide rivers: every area of the chain takes a neighbour on one bank as well (PW2-36)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from printkit.systems.portable.grid.detours import LEFT, RIGHT, beside
from printkit.terrain.field.grids import Cell, Grid

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
