"""Neighbours: which houses of a settlement stand so near a place that they may be in the way of another."""

from __future__ import annotations

import math

from msgspec import Struct, field

from printkit.drawing.signs.buildings import House

_HAIR = 1e-6


class Neighbours(Struct):
    """The houses of a settlement by number, kept by square cells of ``cell`` mm: however many, few are asked."""

    cell: float
    _numbers: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    _houses: dict[int, House] = field(default_factory=dict)
    _reach: float = 0.0

    def put(self, number: int, house: House) -> None:
        """Set a house down, or set it down anew."""
        if number in self._houses:
            self._numbers[self._cell(self._houses[number])].remove(number)
        self._houses[number] = house
        self._numbers.setdefault(self._cell(house), []).append(number)
        self._reach = max(self._reach, reach(house))

    def near(self, house: House, apart: float, *, besides: int | None = None) -> list[int] | None:
        """Return the numbers of the houses that may stand within ``apart`` mm; None where one certainly does.

        ``besides`` is the number of a house that does not count.
        """
        own, cell = reach(house), self.cell
        far = own + self._reach + apart + _HAIR
        rows = range(int((house.y - far) // cell), int((house.y + far) // cell) + 1)
        found: list[int] = []
        for column in range(int((house.x - far) // cell), int((house.x + far) // cell) + 1):
            for row in rows:
                for number in self._numbers.get((column, row), ()):
                    if number == besides:
                        continue
                    other = self._houses[number]
                    between = math.hypot(house.x - other.x, house.y - other.y)
                    # The circles that lie within both grounds meet.
                    if between < (min(house.width, house.depth) + min(other.width, other.depth)) / 2:
                        return None
                    if between <= own + reach(other) + apart + _HAIR:
                        found.append(number)
        return found

    def _cell(self, house: House) -> tuple[int, int]:
        return int(house.x // self.cell), int(house.y // self.cell)


def reach(house: House) -> float:
    """Return how far the corners of a house lie from its middle."""
    return math.hypot(house.width, house.depth) / 2
