"""The direction die: a side of an area by its number, and the next usable one clockwise (PW0-12)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import UsageError
from printkit.systems.portable.grid.counting import May, since
from printkit.terrain.field.grids import Cell, Grid

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

    def turn(self, grid: Grid, cell: Cell, *, dice: Dice, what: str, clause: str, may: May) -> Turned:
        """Throw for a neighbour of ``cell`` for ``what``, displaced clockwise over those that may not take it.

        A score without a side, as 5 and 6 on squares, is thrown again.
        """
        mark = len(dice.log)
        while (score := dice.d6(f"direction of {what}", clause)) not in self.numbers:
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
