"""The choices of an army list: one after the other, and by the modifiers of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.systems.solo.armies.army import Army, Bundle, Combination, Slot
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, Fact, agreed, all_of, applied

# --- The choices of an army list one after the other ------------------------------------------------------------------

_PIKES: Final = "Pk"


class OptionChoice(Struct, frozen=True, kw_only=True):
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
        slot = self.slot
        if slot.count == 1:
            return slot.id
        return Sentence("{slot}, {number:d} of {count:d}", slot=slot.id, number=self.element, count=slot.count)


def choices_of(army: Army) -> tuple[OptionChoice, ...]:
    """Return the choices of a list in its order, element by element where each has one of its own (SD-2.2-a)."""
    return tuple(
        OptionChoice(slot=slot, place=place, element=element)
        for place, slot in enumerate(army.slots)
        for element in range(1, slot.count + 1)
    )


def pikes_of(army: Army, codes: Iterable[str]) -> int:
    """Return how many of these elements are pikes."""
    return sum(1 for code in codes if army.element(code).troop.code == _PIKES)


class PikeRule(Struct, frozen=True):
    """The rule about odd pikes for one list: options are left out where nothing later can make them even (AMB-02).

    ``rests`` holds for each choice the remainders by two that all later ones can add, with the general's.
    """

    army: Army
    rests: tuple[frozenset[int], ...]

    @classmethod
    def of(cls, army: Army, choices: tuple[OptionChoice, ...]) -> PikeRule:
        """Return the rule for a list."""
        rests = [frozenset(pikes_of(army, option.codes) % 2 for option in army.general)]
        for choice in reversed(choices[1:]):
            own = {pikes_of(army, option.codes) % 2 for option in choice.options}
            rests.append(frozenset((one + later) % 2 for one in own for later in rests[-1]))
        return cls(army, tuple(reversed(rests)))

    def live(self, choice: int, options: tuple[Bundle, ...], taken: int) -> tuple[int, ...]:
        """Return the places of the options that may be diced for, none where every one would leave an odd number.

        Args:
            choice: the place of the choice.
            options: its options.
            taken: the pikes that the army has so far.
        """
        return tuple(
            place
            for place, option in enumerate(options)
            if any((taken + pikes_of(self.army, option.codes) + rest) % 2 == 0 for rest in self.rests[choice])
        )


_TABLE: Final = "general"
_PSILOI: Final = "Ps"
_ELEPHANTS: Final = "El"


ByOption: TypeAlias = tuple[tuple[AppliedModifier, ...], ...]
"""The modifiers of each option of the general."""


class Threat(Struct, frozen=True, kw_only=True):
    """What YOUR army has against a general: enough bows, enough that frightens elephants; unknown while YOU choose."""

    bows: Fact
    frightens_elephants: Fact


def threat_of(armies: Iterable[Force], rules: SoloRules) -> Threat:
    """Return the threat of YOUR army, or of all those that it can still become."""
    forces, least = tuple(armies), rules.whole
    return Threat(
        bows=_agreed(force.count("Bw") >= least("SD-2.2.1-m2") for force in forces),
        frightens_elephants=_agreed(
            force.count("Ps", "Ax", "LH") >= least("SD-2.2.1-m5_light")
            or force.count("Art") >= least("SD-2.2.1-m5_guns")
            for force in forces
        ),
    )


class GeneralCase(Struct, frozen=True):
    """One option of the general in one army: his element, the other eleven, and what threatens him."""

    led: Element
    army: Force
    threat: Threat

    @property
    def others(self) -> tuple[Element, ...]:
        """Return the other eleven elements."""
        return tuple(element for element in self.army.elements if not element.general)

    @property
    def kind(self) -> str:
        """Return the code of his type."""
        return self.led.troop.code

    @property
    def is_there(self) -> bool:
        """Return whether his type is among the others; his own element does not count (AMB-06)."""
        return any(element.troop.code == self.kind for element in self.others)

    @property
    def is_slower(self) -> bool:
        """Return whether he moves slower than every other element (AMB-05)."""
        return all(self.led.troop.move < element.troop.move for element in self.others)


_TESTS: Final[Mapping[str, Callable[[GeneralCase], Fact]]] = {
    "SD-2.2.1-m1": lambda case: case.army.count(_PIKES) % 2 == 1,
    "SD-2.2.1-m2": lambda case: all_of(
        case.led.troop.mounted and case.led.troop.code != _ELEPHANTS, case.threat.bows
    ),
    "SD-2.2.1-m3": lambda case: case.is_slower,
    "SD-2.2.1-m4": lambda case: case.kind == _PSILOI,
    "SD-2.2.1-m5": lambda case: all_of(case.kind == _ELEPHANTS, case.threat.frightens_elephants),
    "SD-2.2.1-m6": lambda case: case.led.troop.infantry and case.is_there,
    "SD-2.2.1-m7": lambda case: case.led.troop.mounted and case.is_there,
}  # fmt: skip


def general_modifiers(army: Army, slots: tuple[tuple[Bundle, ...], ...], threat: Threat, rules: SoloRules) -> ByOption:
    """Return the modifiers of each option of the general, the slots being filled so, in the order of the rule book."""
    found = []
    for option in army.general:
        force = army.force(Combination(slots=slots, general=option))
        led, *_ = force.elements
        case = GeneralCase(led, force, threat)
        found.append(
            tuple(
                applied(modifier.condition, modifier.amount, _TESTS[modifier.condition](case), str(option))
                for modifier in rules.outcomes(_TABLE).modifiers
            )
        )
    return tuple(found)


def agreed_modifiers(every: Sequence[ByOption]) -> ByOption:
    """Return the modifiers of each option as far as all of several cases agree; where they do not, open."""
    return tuple(agreed(option) for option in zip(*every, strict=True))


def _agreed(facts: Iterable[bool]) -> Fact:
    found = list(dict.fromkeys(facts))
    return found[0] if len(found) == 1 else None
