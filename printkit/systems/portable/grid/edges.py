"""The edge of the board in sixteen quarters, and where in one a course comes in or goes out (PW2-30..PW2-32).

Quarters are numbered clockwise from the top left corner: 1-4 the upper edge, 5-8 the right one, 9-12 the lower one from
right to left, 13-16 the left one from below.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.terrain.field.grids import Cell, Grid

QUARTERS: Final = 16
_AN_EDGE: Final = 4


class Quarters(Struct, frozen=True, kw_only=True):
    """How the quarters are read: ``onward`` is added to the second die (PW2-31, PW2-31a).

    Where quarters are ``closed``, a cell in the middle between two belongs to both; else to the one that begins there,
    clockwise (PWA-06).
    """

    onward: int = 0
    closed: bool = True
    clause: str = "PW2-31"

    def exit_of(self, entry: int, score: int) -> int:
        """Return the quarter in which a course leaves that came in through ``entry``."""
        return (entry - 1 + self.onward + score) % QUARTERS + 1

    def cells(self, grid: Grid, quarter: int) -> tuple[Cell, ...]:
        """Return the cells of a quarter clockwise (PW2-30): those whose centre lies in it.

        Centres are counted in cells along the edge, so that hexes, whose columns reach into each other, and squares
        are cut alike.
        """
        edge, part = divmod(quarter - 1, _AN_EDGE)
        along = edge_cells(grid)[edge]
        whole = 2 * len(along)
        low, high = whole * part, whole * (part + 1)
        return tuple(
            cell
            for place, cell in enumerate(along)
            if low <= (centre := _AN_EDGE * (2 * place + 1)) and (centre < high or (self.closed and centre == high))
        )

    def area(self, grid: Grid, quarter: int, *, taken: Collection[Cell], dice: Dice, reason: str) -> Cell | None:
        """Return the cell of a quarter in which a course begins or ends (PW2-32); None where the whole edge is taken.

        Of several free ones the highest die; where none is free, the next free one of the edge clockwise.
        """
        free = [cell for cell in self.cells(grid, quarter) if cell not in taken]
        if not free:
            return next_on_edge(grid, quarter, taken)
        return highest(free, dice, reason=reason, clause="PW2-32")


def edge_cells(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of the four edges clockwise, upper edge first; those of the corners stand in two of them."""
    across, down = range(1, grid.columns + 1), range(1, grid.rows + 1)
    return (
        tuple(Cell(column, 1) for column in across),
        tuple(Cell(grid.columns, row) for row in down),
        tuple(Cell(column, grid.rows) for column in reversed(across)),
        tuple(Cell(1, row) for row in reversed(down)),
    )


def next_on_edge(grid: Grid, quarter: int, taken: Collection[Cell]) -> Cell | None:
    """Return the first cell of the edge clockwise from the beginning of a quarter that is not taken (PW2-32)."""
    edge, part = divmod(quarter - 1, _AN_EDGE)
    edges = edge_cells(grid)
    along = edges[edge]
    begins = next(place for place in range(len(along)) if _AN_EDGE * (2 * place + 1) >= 2 * len(along) * part)
    ring = (*along[begins:], *(cell for step in (1, 2, 3) for cell in edges[(edge + step) % 4]), *along[:begins])
    return next((cell for cell in ring if cell not in taken), None)


def highest(cells: Collection[Cell], dice: Dice, *, reason: str, clause: str) -> Cell:
    """Throw for each cell in turn and return the one with the highest score; those that tie throw again (PW2-32)."""
    left = list(cells)
    while len(left) > 1:
        scores = [dice.d6(f"{reason}, area {address(cell)}", clause) for cell in left]
        left = [cell for cell, score in zip(left, scores, strict=True) if score == max(scores)]
    return left[0]


def address(cell: Cell) -> str:
    """Return a cell as the rules write it: row and column, from the top left (PW0-02)."""
    return f"({cell.row};{cell.column})"
