"""The choices of an army list in order, and the modifiers of the general's options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.systems.solo.armies.army import Army, Bundle, Combination, Slot
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, Fact, agreed, all_of, applied

# --- The choices of an army list in order -----------------------------------------------------------------------------

_PIKES: Final = "Pk"


class OptionChoice(Struct, frozen=True, kw_only=True):
    """A choice between options, for a slot or one of its elements (from 1); fixed slots have one option."""

    slot: Slot
    place: int
    element: int

    @property
    def options(self) -> tuple[Bundle, ...]:
        """Return the options."""
        return self.slot.options

    @property
    def name(self) -> str:
        """Return the name of the choice in the dice log."""
        slot = self.slot
        if slot.count == 1:
            return slot.id
        return Sentence("{slot}, {number:d} of {count:d}", slot=slot.id, number=self.element, count=slot.count)


def choices_of(army: Army) -> tuple[OptionChoice, ...]:
    """Return the choices of a list in order; slots with a choice per element give several (SD-2.2-a)."""
    return tuple(
        OptionChoice(slot=slot, place=place, element=element)
        for place, slot in enumerate(army.slots)
        for element in range(1, slot.count + 1)
    )


def pikes_of(army: Army, codes: Iterable[str]) -> int:
    """Return the number of pike elements among these codes."""
    return sum(1 for code in codes if army.element(code).troop.code == _PIKES)


class PikeRule(Struct, frozen=True):
    """The rule against odd pikes for one list: it excludes options that cannot become even (AMB-02).

    ``rests`` has a set for each choice: the pike counts modulo 2 that all later choices and the general can add.
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
        """Return the indices of the allowed options; empty if each of them leaves an odd number of pikes.

        Args:
            choice: the index of the choice.
            options: its options.
            taken: the number of pikes in the army so far.
        """
        return tuple(
            place
            for place, option in enumerate(options)
            if any((taken + pikes_of(self.army, option.codes) + rest) % 2 == 0 for rest in self.rests[choice])
        )


_TABLE: Final = "general"
_PSILOI: Final = "Ps"
_ELEPHANTS: Final = "El"


# The modifiers of each option of the general.
ByOption: TypeAlias = tuple[tuple[AppliedModifier, ...], ...]


class Threat(Struct, frozen=True, kw_only=True):
    """The threat of the player's army to a general: enough bows, enough troops that frighten elephants.

    A field is unknown while the player's open choices can change it.
    """

    bows: Fact
    frightens_elephants: Fact


def threat_of(armies: Iterable[Force], rules: SoloRules) -> Threat:
    """Return the threat of the player's army, given every army that it can still become."""
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
    """One option of the general: the general's element, the army, and the threat to the general."""

    led: Element
    army: Force
    threat: Threat

    @property
    def others(self) -> tuple[Element, ...]:
        """Return the other eleven elements."""
        return tuple(element for element in self.army.elements if not element.general)

    @property
    def kind(self) -> str:
        """Return the type code of the general's element."""
        return self.led.troop.code

    @property
    def is_there(self) -> bool:
        """Return whether another element has the type of the general's element (AMB-06)."""
        return any(element.troop.code == self.kind for element in self.others)

    @property
    def is_slower(self) -> bool:
        """Return whether the general's element is slower than every other element (AMB-05)."""
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
    """Return the modifiers of each option of the general with these slots, in the order of the rule book."""
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
    """Return the modifiers of each option over several cases; a modifier is open where the cases differ."""
    return tuple(agreed(option) for option in zip(*every, strict=True))


def _agreed(facts: Iterable[bool]) -> Fact:
    found = list(dict.fromkeys(facts))
    return found[0] if len(found) == 1 else None
