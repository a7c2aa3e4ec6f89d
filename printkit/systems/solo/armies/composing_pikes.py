"""The choices of an army list one after the other, and which of their options would leave an odd number of pikes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from printkit.systems.solo.armies.army import Army, Bundle, Slot
from printkit.systems.solo.armies.composing_terms import PikeParity

_PIKES: Final = "Pk"


class Choice(Struct, frozen=True, kw_only=True):
    """One choice between options: of a slot, or of one of its elements, counted from 1; a fixed part has one option."""

    slot: Slot
    place: int
    element: int

    @property
    def options(self) -> tuple[Bundle, ...]:
        """Return what there is to choose from."""
        return self.slot.options

    @property
    def name(self) -> str:
        """Return what it is called in the log of dice."""
        return self.slot.id if self.slot.count == 1 else f"{self.slot.id}, {self.element} of {self.slot.count}"


def choices_of(army: Army) -> tuple[Choice, ...]:
    """Return the choices of a list in its order, element by element where each has one of its own (SD-2.2-a)."""
    return tuple(
        Choice(slot=slot, place=place, element=element)
        for place, slot in enumerate(army.slots)
        for element in range(1, slot.count + 1)
    )


def pikes_of(army: Army, codes: Iterable[str]) -> int:
    """Return how many of these elements are pikes."""
    return sum(1 for code in codes if army.element(code).troop.code == _PIKES)


class PikeRule(Struct, frozen=True):
    """The rule about odd pikes for one list, as it is read (AMB-02): what may still follow after each choice.

    ``rests`` holds for each choice the remainders by two that all later ones can add, with the general's.
    """

    army: Army
    reading: PikeParity
    rests: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, army: Army, choices: tuple[Choice, ...], reading: PikeParity) -> PikeRule:
        """Return the rule for a list."""
        after = frozenset({0})
        if reading is not PikeParity.STRICT:
            after = frozenset(pikes_of(army, option.codes) % 2 for option in army.general)
        rests = [after]
        for choice in reversed(choices[1:]):
            own = {pikes_of(army, option.codes) % 2 for option in choice.options}
            rests.append(frozenset((one + later) % 2 for one in own for later in rests[-1]))
        return cls(army, reading, tuple(reversed(rests)))

    def live(self, choice: int, options: tuple[Bundle, ...], taken: int) -> tuple[int, ...]:
        """Return the places of the options that may be diced for, none where every one would leave an odd number.

        Args:
            choice: the place of the choice.
            options: its options.
            taken: the pikes that the army has so far.
        """
        if self.reading in (PikeParity.OFF, PikeParity.FINAL):
            return tuple(range(len(options)))
        return tuple(
            place
            for place, option in enumerate(options)
            if any((taken + pikes_of(self.army, option.codes) + rest) % 2 == 0 for rest in self.rests[choice])
        )

    def mends(self, choices: tuple[Choice, ...]) -> int | None:
        """Return the place of the last choice that can make an odd number even, or None."""
        for place in range(len(choices) - 1, -1, -1):
            if len({pikes_of(self.army, option.codes) % 2 for option in choices[place].options}) > 1:
                return place
        return None
