"""How much of a column is still to come on, and how many moves that takes (CC-S12)."""

from __future__ import annotations

import math
from typing import Final

from msgspec import Struct

from printkit.systems.collision.march.columns import BAGGAGE, Army
from printkit.systems.collision.march.columns_check import baggage_depth
from printkit.systems.collision.march.readings import Readings
from printkit.systems.collision.march.troops import WAGON, Troops

_LOOSE: Final = 1e-9


class EntryLength(Struct, frozen=True, kw_only=True):
    """What of a column is off the board, in mm, and its slowest move in base widths (CC-4.5)."""

    column: int
    mm: float
    base_width: float
    speed: float

    @property
    def widths(self) -> float:
        """Return the length in base widths."""
        return self.mm / self.base_width

    @property
    def moves(self) -> int:
        """Return how many moves at the slowest speed bring the rear on to the board."""
        return math.ceil(self.widths / self.speed - _LOOSE)


def depth_of(army: Army, name: str, troops: Troops, readings: Readings, base_width: float) -> float:
    """Return the depth in mm of an element, or of the baggage: as the file says, else as its type has it."""
    if name == BAGGAGE:
        return baggage_depth(readings, base_width) if army.baggage_depth is None else army.baggage_depth
    element = next(each for each in army.elements if each.id == name)
    if element.depth is not None:
        return element.depth
    troop = troops.find(element.type)
    assert troop is not None
    near = min(troop.depth, key=lambda width: (abs(width - base_width), width))
    return troop.depth[near]


def entry_length(
    army: Army, column: int, troops: Troops, readings: Readings, *, base_width: float, speed: float | None = None
) -> EntryLength:
    """Return what of column 2 or 3 is still to come on when the game begins (CC-2.4 to 2.6).

    The lead of column 2 stands on the board, everything else of both is off.

    Args:
        army: the army.
        column: 1, 2 or 3; of the first nothing is off.
        troops: depths and moves.
        readings: of the open questions.
        base_width: mm.
        speed: base widths; that of the slowest element where none is given.
    """
    names = army.column(column)
    off = {1: (), 2: names[1:], 3: names}[column]
    mm = sum(depth_of(army, name, troops, readings, base_width) for name in off)
    return EntryLength(column=column, mm=mm, base_width=base_width, speed=speed or slowest(army, column, troops))


def slowest(army: Army, column: int, troops: Troops) -> float:
    """Return the move in base widths of a column's slowest element; baggage moves like a war wagon (CC-3.2, CC-4.5)."""
    kinds = {element.id: element.type for element in army.elements} | {BAGGAGE: WAGON}
    moves = [troop.move for name in army.column(column) if (troop := troops.find(kinds[name])) is not None]
    return min(moves, default=1.0)


def entry_margin(army: Army, column: int, troops: Troops, readings: Readings) -> float:
    """Return how far from the side edges a column must come on, in base widths (CC-4.3, CC-Q16)."""
    if readings(16, "none"):
        return 0.0
    if readings(16, "4bw"):
        return troops.side
    kinds = {element.id: element.type for element in army.elements} | {BAGGAGE: WAGON}
    names = army.column(column)[:1] if readings(16, "lead-type") else army.column(column)
    return max((troops.margin(kinds[name]) for name in names), default=troops.side)
