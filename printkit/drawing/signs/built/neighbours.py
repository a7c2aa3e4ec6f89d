"""Neighbours: which houses of a settlement stand so near a place that they may be in the way of another."""

from __future__ import annotations

import math
from typing import NamedTuple

from msgspec import Struct, field

from printkit.drawing.signs.built.buildings import House

_HAIR = 1e-6


class _Circles(NamedTuple):
    """The middle of a house, and the circles about it: one that lies within its ground, one that holds its corners."""

    x: float
    y: float
    within: float
    about: float

    @classmethod
    def of(cls, house: House) -> _Circles:
        """Return the circles of a house."""
        return cls(house.x, house.y, min(house.width, house.depth) / 2, math.hypot(house.width, house.depth) / 2)


class Neighbours(Struct):
    """The houses of a settlement by number, kept by square cells of ``cell`` mm: however many, few are asked."""

    cell: float
    _numbers: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    _standing: dict[int, _Circles] = field(default_factory=dict)
    _reach: float = 0.0

    def put(self, number: int, house: House) -> None:
        """Set a house down, or set it down anew."""
        if number in self._standing:
            self._numbers[self._cell(self._standing[number])].remove(number)
        own = self._standing[number] = _Circles.of(house)
        self._numbers.setdefault(self._cell(own), []).append(number)
        self._reach = max(self._reach, own.about)

    def near(self, house: House, apart: float, *, besides: int | None = None) -> list[int] | None:
        """Return the numbers of the houses that may stand within ``apart`` mm; None where one certainly does.

        ``besides`` is the number of a house that does not count.
        """
        (x, y, within, about), cell = _Circles.of(house), self.cell
        clear = about + apart + _HAIR
        far = clear + self._reach
        rows = range(int((y - far) // cell), int((y + far) // cell) + 1)
        found: list[int] = []
        for column in range(int((x - far) // cell), int((x + far) // cell) + 1):
            for row in rows:
                for number in self._numbers.get((column, row), ()):
                    if number == besides:
                        continue
                    other = self._standing[number]
                    between = math.hypot(x - other.x, y - other.y)
                    if between < within + other.within:
                        return None
                    if between <= clear + other.about:
                        found.append(number)
        return found

    def _cell(self, circles: _Circles) -> tuple[int, int]:
        return int(circles.x // self.cell), int(circles.y // self.cell)
