"""Locating a row of areas, each by 3D6 from the last or, where the chain die says so, next to it (PW2-12, PW2-20)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.tables import DieTable
from printkit.systems.portable.grid.counting import Counting, Series, since
from printkit.systems.portable.grid.neighbours import Sides
from printkit.systems.portable.grid.telling import Told, counted, turned
from printkit.terrain.field.grid import neighbours
from printkit.terrain.field.grids import Cell, Grid

JOINS: Final = "joins"
_CHAIN: Final = "PW2-20"


class Spot(Struct, frozen=True, kw_only=True):
    """An area that was located; ``chained_to`` is the one that it was joined to, None where it was counted.

    ``told`` is how it came about, as the record keeps it; ``throws`` are places in the log.
    """

    cell: Cell
    told: Told
    chained_to: Cell | None = None
    throws: tuple[int, ...] = ()


class Trial(Struct, frozen=True, kw_only=True):
    """An area that may be taken: what was located so far, and the one it would be chained to, None where counted."""

    cell: Cell
    found: tuple[Spot, ...]
    chained_to: Cell | None


May: TypeAlias = Callable[[Trial], bool]


class Chains(Struct, frozen=True, kw_only=True):
    """How rows of areas are located on a grid.

    ``table`` is the chain die, None where there are no chains. ``kept`` areas take nothing.
    """

    grid: Grid
    counting: Counting
    sides: Sides
    table: DieTable[str] | None
    kept: frozenset[Cell] = frozenset()

    def locate(self, count: int, *, name: str, clause: str, dice: Dice, may: May) -> tuple[Spot, ...]:
        """Return the areas of up to ``count`` features; fewer where no area may take the next one (PW0-11).

        The dice are the start row and 3D6, then for each further one the chain die, and 3D6 or the direction die
        (PW2-21). Where no neighbour may take a chained one, it is located by 3D6 (PW2-20).

        Args:
            count: how many to locate.
            name: what they are called in the log, as "hill".
            clause: that of the 3D6.
            dice: thrown in this order.
            may: whether an area may take the next one.
        """
        if count < 1:
            return ()
        mark = len(dice.log)
        series = Series.start(self.counting, dice, f"the {name} areas")
        found: tuple[Spot, ...] = ()
        while len(found) < count:
            what = f"{name} {len(found) + 1}"
            spot = self._chained(found, what, dice, may)
            if spot is None:
                located, series = series.locate(dice, what, clause, may=self._trials(may, found))
                if located.cell is None:
                    break
                spot = Spot(cell=located.cell, told=counted(located))
            series = series.from_(spot.cell)
            found = (*found, replace(spot, throws=since(dice, mark)))
            mark = len(dice.log)
        return found

    def _chained(self, found: tuple[Spot, ...], what: str, dice: Dice, may: May) -> Spot | None:
        """Throw the chain die for all but the first, and return an area next to the last one if it says so (PW2-20)."""
        if not found or self.table is None or self.table.roll(dice, f"does {what} join the last one") != JOINS:
            return None
        last = found[-1].cell
        free = self._trials(may, found, last)
        if not any(map(free, neighbours(self.grid, last))):
            return None
        found_beside = self.sides.turn(self.grid, last, dice=dice, what=what, clause=_CHAIN, may=free)
        if found_beside.cell is None:
            return None
        return Spot(cell=found_beside.cell, told=turned(found_beside, last), chained_to=last)

    def _trials(self, may: May, found: tuple[Spot, ...], chained_to: Cell | None = None) -> Callable[[Cell], bool]:
        """Return whether an area may take the next one; those outside an inner rectangle never do (PW0-15)."""
        taken = {spot.cell for spot in found}

        def free(cell: Cell) -> bool:
            inside = cell not in taken and cell not in self.kept and self.counting.holds(cell)
            return inside and may(Trial(cell=cell, found=found, chained_to=chained_to))

        return free
