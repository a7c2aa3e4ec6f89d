"""Counting along the rows (PW0-04..PW0-11), the direction die (PW0-12), and rows of areas one by one (PW2-12)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.tables import DieTable
from printkit.core.errors import Sentence, UsageError
from printkit.kit.rules import Rules
from printkit.terrain.field.grids import Cell, Grid, neighbours

May = Callable[[Cell], bool]
"""Whether an area may take a feature."""

_SIX: Final = 6
_DICE: Final = 3
_INNER: Final = re.compile(r"([0-9]{1,40})x([0-9]{1,40})")


class CountOrder(Struct, frozen=True, kw_only=True):
    """How areas are counted on a grid.

    ``left``, ``top``, ``columns`` and ``rows`` are the rectangle of areas that take point features: the whole grid, or
    an inner one (PW0-15). ``serpentine`` counts every other row from the right (PW0-04), ``scaled`` spreads the six
    scores over all rows (PW0-06), ``wraps`` goes on from the last area at the first one (PW0-05, PWA-04).
    """

    left: int
    top: int
    columns: int
    rows: int
    serpentine: bool = False
    scaled: bool = False
    wraps: bool = True

    @classmethod
    def of(cls, grid: Grid, rules: Rules) -> CountOrder:
        """Return how the rules count on a grid.

        Raises:
            UsageError: an inner rectangle that does not lie inside the grid.
        """
        columns, rows = grid.columns, grid.rows
        found = _INNER.fullmatch(rules.choice("grid.inner"))
        if found is not None:
            columns, rows = int(found[1]), int(found[2])
            if not (1 <= columns <= grid.columns and 1 <= rows <= grid.rows):
                raise UsageError(
                    "grid.inner={columns}x{rows} does not lie inside {grid}; it has up to {grid_columns} "
                    "columns and {grid_rows} rows",
                    columns=columns,
                    rows=rows,
                    grid=grid.name,
                    grid_columns=grid.columns,
                    grid_rows=grid.rows,
                )
        return cls(
            left=(grid.columns - columns) // 2 + 1,
            top=(grid.rows - rows) // 2 + 1,
            columns=columns,
            rows=rows,
            serpentine=rules.choice("grid.order") == "serpentine",
            scaled=rules.choice("grid.start_row") == "scaled",
            wraps=rules.settings.get("pwa-04", "wrap") == "wrap",
        )

    def holds(self, cell: Cell) -> bool:
        """Return whether an area can take point features at all (PW0-15)."""
        return 0 <= cell.column - self.left < self.columns and 0 <= cell.row - self.top < self.rows

    def path(self, row: int) -> tuple[Cell, ...]:
        """Return the areas in the order counted from the left end of a row, numbered from the top of the rectangle.

        Where counting wraps they are all areas, else those down to the last row.
        """
        later = self._lines(range(row, self.rows + 1))
        return (*later, *self._lines(range(1, row))) if self.wraps else later

    def start_row(self, score: int) -> int | None:
        """Return the row that a die names, or None where it names none and is thrown again (PW0-06)."""
        if self.scaled:
            return math.ceil(score * self.rows / _SIX)
        return score if score <= self.rows else None

    def named_row(self, score: int) -> Sentence:
        """Return in words which row a die names."""
        row = self.start_row(score)
        return Sentence("no row: it is thrown again") if row is None else Sentence("row {number}", number=row)

    def _lines(self, rows: range) -> tuple[Cell, ...]:
        found: list[Cell] = []
        for number, row in enumerate(rows):
            line = [Cell(self.left + column, self.top + row - 1) for column in range(self.columns)]
            found += line[::-1] if self.serpentine and number % 2 else line
        return tuple(found)


class Located(Struct, frozen=True, kw_only=True):
    """Where counting came to: the area that takes the feature, or None where none may (PW0-11).

    ``dice`` were thrown, their sum counted from ``after``, the area of an earlier feature, or from the start of ``row``
    (as on the board) if None. ``passed`` were taken. ``count`` is the number of the area from the start of the row
    (PW0-07); ``throws`` are the places of the dice in the log.
    """

    cell: Cell | None
    dice: tuple[int, ...]
    row: int
    after: Cell | None
    passed: tuple[Cell, ...]
    count: int
    throws: tuple[int, ...]


class Series(Struct, frozen=True, kw_only=True):
    """A row of features of one kind, each located from the one before (PW0-10).

    ``place`` is where in the ``path`` the last one stands, -1 before the first. ``throws`` are those of the start row.
    """

    counting: CountOrder
    row: int
    path: tuple[Cell, ...]
    throws: tuple[int, ...]
    place: int = -1

    @classmethod
    def start(cls, counting: CountOrder, dice: Dice, reason: Sentence, clause: str = "PW0-06") -> Series:
        """Throw for the start row; a score without a row is thrown again (PW0-14)."""
        mark = len(dice.log)
        while (row := counting.start_row(dice.d6(reason, clause, brings=counting.named_row))) is None:
            pass
        return cls(counting=counting, row=row, path=counting.path(row), throws=since(dice, mark))

    @property
    def at(self) -> Cell | None:
        """Return the area from which the next one is counted, or None before the first."""
        return self.path[self.place] if self.place >= 0 else None

    def from_(self, cell: Cell) -> Series:
        """Return the series going on from an area, where the last feature stands (PW0-08).

        An area off the path, as a given one above the start row without wrap, leaves it as it is.
        """
        return replace(self, place=self.path.index(cell)) if cell in self.path else self

    def locate(self, dice: Dice, what: str, clause: str, *, may: May) -> tuple[Located, Series]:
        """Throw 3D6 for ``what`` and return where it comes to, and the series from there on (PW0-07..PW0-09).

        Where no area may take it the series stays where it is.
        """
        mark = len(dice.log)
        reasons = (
            Sentence("{feature}, die {number:d} of {count:d}", feature=what, number=number, count=_DICE)
            for number in range(1, _DICE + 1)
        )
        scores = tuple(dice.d6(reason, clause) for reason in reasons)
        aim = self.place + sum(scores)
        passed: list[Cell] = []
        landed = None
        for place in self._onward(aim):
            if may(self.path[place]):
                landed = place
                break
            passed.append(self.path[place])
        located = Located(
            cell=None if landed is None else self.path[landed],
            dice=scores,
            row=self.row + self.counting.top - 1,
            after=self.at,
            passed=tuple(passed),
            count=(aim % len(self.path) if landed is None else landed) + 1,
            throws=since(dice, mark),
        )
        return located, self if landed is None else replace(self, place=landed)

    def _onward(self, aim: int) -> list[int]:
        """Return the places in the path from the one aimed at on, each once."""
        if self.counting.wraps:
            return [(aim + step) % len(self.path) for step in range(len(self.path))]
        return list(range(aim, len(self.path)))


def since(dice: Dice, mark: int) -> tuple[int, ...]:
    """Return the places in the log, from 1, of what was thrown since it was ``mark`` lines long."""
    return tuple(range(mark + 1, len(dice.log) + 1))


# --- The direction die: a side of an area by its number, and the next usable one clockwise (PW0-12) -------------------

CLOCKWISE: Final = "clockwise"


class Turned(Struct, frozen=True, kw_only=True):
    """Where a direction die led: the area, or None where no neighbour may take the feature.

    ``score`` is the last die, ``direction`` what it named, ``passed`` the directions that were not usable, as scores.
    """

    cell: Cell | None
    score: int
    direction: int
    passed: tuple[int, ...]
    throws: tuple[int, ...]


class Sides(Struct, frozen=True):
    """The number of each side of an area, clockwise from the top (PW0-12, PWA-08)."""

    numbers: tuple[int, ...]

    @classmethod
    def of(cls, grid: Grid, text: str = CLOCKWISE) -> Sides:
        """Return the numbers of a setting: clockwise from the top, or a digit for each side.

        Raises:
            UsageError: the digits are not the numbers of the sides, each once.
        """
        usual = tuple(range(1, grid.directions() + 1))
        numbers = usual if text == CLOCKWISE else tuple(int(digit) for digit in text)
        if tuple(sorted(numbers)) != usual:
            raise UsageError(
                "pwa-08={text} numbers no area of {grid}; write each of 1 to {count} once, clockwise from the top",
                text=text,
                grid=grid.name,
                count=len(usual),
            )
        return cls(numbers)

    def _refused(self, score: int) -> str:
        return "" if score in self.numbers else Sentence("no side: it is thrown again")

    def turn(self, grid: Grid, cell: Cell, *, dice: Dice, reason: Sentence, clause: str, may: May) -> Turned:
        """Throw for a neighbour of ``cell``, displaced clockwise over those that may not take it.

        A score without a side, as 5 and 6 on squares, is thrown again.
        """
        mark = len(dice.log)
        while (score := dice.d6(reason, clause, brings=self._refused)) not in self.numbers:
            pass
        first = self.numbers.index(score)
        passed: list[int] = []
        for step in range(len(self.numbers)):
            direction = (first + step) % len(self.numbers)
            other = grid.beside(cell, direction)
            if other is not None and may(other):
                return Turned(
                    cell=other, score=score, direction=direction, passed=tuple(passed), throws=since(dice, mark)
                )
            passed.append(self.numbers[direction])
        return Turned(cell=None, score=score, direction=first, passed=tuple(passed), throws=since(dice, mark))


# --- How a feature came about, as plain values that the record keeps and the account reads ----------------------------

Told = dict[str, Any]


def counted(located: Located) -> Told:
    """Return how counting came to an area: from the start of a row, or on from an earlier one."""
    return {
        "by": "first" if located.after is None else "onward",
        "dice": list(located.dice),
        "row": located.row,
        "count": located.count,
        "passed": [list(cell) for cell in located.passed],
        **({} if located.after is None else {"after": list(located.after)}),
    }


def turned(found: Turned, beside: Cell) -> Told:
    """Return how a direction die came to an area next to another."""
    return {"by": "beside", "score": found.score, "passed_sides": list(found.passed), "after": list(beside)}


def placed() -> Told:
    """Return that a person put it there (PW0-13)."""
    return {"by": "given"}


# --- Locating a row of areas, each by 3D6 from the last or, where the chain die says so, next to it (PW2-12 -----------

JOINS: Final = "joins"
_CHAIN: Final = "PW2-20"


class LocatedArea(Struct, frozen=True, kw_only=True):
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
    found: tuple[LocatedArea, ...]
    chained_to: Cell | None


ChainTest: TypeAlias = Callable[[Trial], bool]


class Chains(Struct, frozen=True, kw_only=True):
    """How rows of areas are located on a grid.

    ``table`` is the chain die, None where there are no chains. ``kept`` areas take nothing.
    """

    grid: Grid
    counting: CountOrder
    sides: Sides
    table: DieTable[str] | None
    kept: frozenset[Cell] = frozenset()

    def locate(self, count: int, *, name: str, clause: str, dice: Dice, may: ChainTest) -> tuple[LocatedArea, ...]:
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
        series = Series.start(self.counting, dice, Sentence("start row of the {kind} areas", kind=name))
        found: tuple[LocatedArea, ...] = ()
        while len(found) < count:
            what = f"{name} {len(found) + 1}"
            spot = self._chained(found, what, dice, may)
            if spot is None:
                located, series = series.locate(dice, what, clause, may=self._trials(may, found))
                if located.cell is None:
                    break
                spot = LocatedArea(cell=located.cell, told=counted(located))
            series = series.from_(spot.cell)
            found = (*found, replace(spot, throws=since(dice, mark)))
            mark = len(dice.log)
        return found

    def _chained(self, found: tuple[LocatedArea, ...], what: str, dice: Dice, may: ChainTest) -> LocatedArea | None:
        """Throw the chain die for all but the first, and return an area next to the last one if it says so (PW2-20)."""
        joins = Sentence("does {feature} join the last one", feature=what)
        if not found or self.table is None or self.table.roll(dice, joins) != JOINS:
            return None
        last = found[-1].cell
        free = self._trials(may, found, last)
        if not any(map(free, neighbours(self.grid, last))):
            return None
        direction = Sentence("direction of {feature}", feature=what)
        found_beside = self.sides.turn(self.grid, last, dice=dice, reason=direction, clause=_CHAIN, may=free)
        if found_beside.cell is None:
            return None
        return LocatedArea(cell=found_beside.cell, told=turned(found_beside, last), chained_to=last)

    def _trials(
        self, may: ChainTest, found: tuple[LocatedArea, ...], chained_to: Cell | None = None
    ) -> Callable[[Cell], bool]:
        """Return whether an area may take the next one; those outside an inner rectangle never do (PW0-15)."""
        taken = {spot.cell for spot in found}

        def free(cell: Cell) -> bool:
            inside = cell not in taken and cell not in self.kept and self.counting.holds(cell)
            return inside and may(Trial(cell=cell, found=found, chained_to=chained_to))

        return free
