"""Where a course comes onto the board and where it leaves it: thrown for, or as a person gives it (PW2-30..PW2-32)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError
from printkit.systems.portable.grid.edges import QUARTERS, Quarters, address, edge_cells
from printkit.systems.portable.grid.overrides import End, GivenWay
from printkit.terrain.field.grids import Cell, Grid

_CORNERS: Final = {"top-left": (0, 0), "top-right": (0, -1), "bottom-right": (2, 0), "bottom-left": (2, -1)}
"""The edge on which the cell of a corner stands, and its place along it, clockwise."""

_EDGES: Final = ("top", "right", "bottom", "left")
_AN_EDGE: Final = 4
_OUT: Final = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
"""Where the four edges look, y to the far edge."""


class Mouth(NamedTuple):
    """An area at which a course passes the edge of the board, and its quarter; 0 where only the area was given."""

    cell: Cell
    quarter: int


class Mouths(NamedTuple):
    """Where a course comes in and where it goes out."""

    entry: Mouth
    exit: Mouth


class Edge(Struct, frozen=True, kw_only=True):
    """The edge of a grid, and how its quarters are read."""

    grid: Grid
    quarters: Quarters

    def mouths(self, given: GivenWay, *, name: str, taken: Collection[Cell], dice: Dice) -> Mouths | None:
        """Return where a course comes in and goes out, or None where the whole edge is taken.

        Thrown for are the quarter of entry, that of the exit, then the areas of both (PW2-37); what is given is not.
        One area is never both.

        Raises:
            ScenarioError: an end that version 2 does not know, or one area as both ends.
        """
        entry, exit_ = self._given(given, given.start), self._given(given, given.end)
        if entry is not None and exit_ is not None and entry.cell and entry.cell == exit_.cell:
            raise ScenarioError(
                "{place}: {cell} cannot be both ends of a course", place=given.place, cell=address(entry.cell)
            )
        first = entry.quarter if entry else dice.d6(f"entry of {name}", self.quarters.clause)
        last = exit_.quarter if exit_ else self._thrown_exit(entry, first, name, dice)
        start = entry.cell if entry else None
        if start is None:
            barred = {*taken, *((exit_.cell,) if exit_ and exit_.cell else ())}
            start = self.quarters.area(self.grid, first, taken=barred, dice=dice, reason=f"entry of {name}")
        if start is None:
            return None
        end = exit_.cell if exit_ else None
        if end is None:
            end = self.quarters.area(self.grid, last, taken={*taken, start}, dice=dice, reason=f"exit of {name}")
        return None if end is None else Mouths(Mouth(start, first), Mouth(end, last))

    def side(self, mouth: Mouth, onward: Cell) -> int:
        """Return the outer side of an area through which a course passes the edge, as straight as may be to ``onward``.

        It is a side towards the edge whose quarter was thrown, or any outer side of an area that was given.
        """
        cell = mouth.cell
        edges = [(mouth.quarter - 1) // _AN_EDGE] if mouth.quarter else range(_AN_EDGE)
        outer = [
            direction
            for direction in range(self.grid.directions())
            if self.grid.beside(cell, direction) is None
            and any(_dot(self._towards(cell, self.grid.step(cell, direction)), _OUT[edge]) > 0.1 for edge in edges)
            and any(cell in edge_cells(self.grid)[edge] for edge in edges)
        ]
        if not outer:
            outer = [side for side in range(self.grid.directions()) if self.grid.beside(cell, side) is None]
        ahead = self._towards(cell, onward)
        return min(outer, key=lambda side: round(_dot(self._towards(cell, self.grid.step(cell, side)), ahead), 6))

    def _thrown_exit(self, entry: _GivenMouth | None, first: int, name: str, dice: Dice) -> int:
        """Throw for the quarter of the exit, counted on from that of the entry (PW2-31)."""
        begin = first
        if entry is not None and entry.cell is not None and not first:
            begin = self._quarter_of(entry.cell)
        return self.quarters.exit_of(begin, dice.d6(f"exit of {name}", self.quarters.clause))

    def _given(self, given: GivenWay, end: End) -> _GivenMouth | None:
        if end == End():
            return None
        if end.quarter is not None:
            return _GivenMouth(None, end.quarter)
        cell = end.cell
        if end.slot in _CORNERS:
            edge, place = _CORNERS[end.slot]
            cell = edge_cells(self.grid)[edge][place]
        elif end.share is not None:
            along = edge_cells(self.grid)[_EDGES.index(end.slot)]
            # Shares run from the left or the top, the lower and the left edge from the right and from below.
            along = along if end.slot in ("top", "right") else along[::-1]
            cell = along[min(int(end.share * len(along)), len(along) - 1)]
        if cell is None:
            raise ScenarioError(
                "{place}: version 2 has no stations; write a quarter of the edge as q3, an area as "
                "(1;5), a corner as top-left, or a share of a side as top 40%",
                place=given.place,
                clause="PW2-30",
            )
        if not any(cell in along for along in edge_cells(self.grid)):
            raise ScenarioError(
                "{place}: {cell} does not lie on the edge of {grid}",
                place=given.place,
                cell=address(cell),
                grid=self.grid.name,
                clause="PW2-30",
            )
        return _GivenMouth(cell, 0)

    def _quarter_of(self, cell: Cell) -> int:
        """Return the first quarter clockwise to which an area of the edge belongs."""
        return next(number for number in range(1, QUARTERS + 1) if cell in self.quarters.cells(self.grid, number))

    def _towards(self, cell: Cell, other: Cell) -> tuple[float, float]:
        """Return the direction from an area to another as a vector of length 1."""
        (x, y), (to_x, to_y) = self.grid.centre(cell), self.grid.centre(other)
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        return (to_x - x) / length, (to_y - y) / length


class _GivenMouth(NamedTuple):
    """What a person said of an end: its area, or its quarter alone."""

    cell: Cell | None
    quarter: int


def _dot(one: tuple[float, float], other: tuple[float, float]) -> float:
    return one[0] * other[0] + one[1] * other[1]
