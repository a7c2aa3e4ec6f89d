"""The choices of an army list in order, and the modifiers of the general's options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.systems.solo.armies.army import Army, Bundle, Combination, Slot
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, Fact, all_facts, apply_modifier, merge_states

# --- The choices of an army list in order -----------------------------------------------------------------------------

_PIKES: Final = "Pk"


class OptionChoice(Struct, frozen=True, kw_only=True):
    """A choice between options, for a slot or one of its elements (from 1); fixed slots have one option."""

    slot: Slot
    slot_index: int
    element_number: int

    @property
    def options(self) -> tuple[Bundle, ...]:
        """Return the options of the slot of this choice, in the order of the list."""
        return self.slot.options

    @property
    def name(self) -> str:
        """Return the name of the choice in the dice log."""
        slot = self.slot
        if slot.count == 1:
            return slot.id
        return Sentence("{slot}, {number:d} of {count:d}", slot=slot.id, number=self.element_number, count=slot.count)


def list_choices(army: Army) -> tuple[OptionChoice, ...]:
    """Return the choices of a list in order; slots with a choice per element give several (SD-2.2-a)."""
    return tuple(
        OptionChoice(slot=slot, slot_index=slot_index, element_number=element_number)
        for slot_index, slot in enumerate(army.slots)
        for element_number in range(1, slot.count + 1)
    )


def count_pikes(army: Army, codes: Iterable[str]) -> int:
    """Return the number of pike elements among these codes."""
    return sum(1 for code in codes if army.build_element(code).troop.code == _PIKES)


class PikeRule(Struct, frozen=True):
    """The rule against odd pikes for one list: it excludes options that cannot become even (AMB-02).

    ``remainders`` has a set for each choice: the pike counts modulo 2 that all later choices and the general can add.
    """

    army: Army
    remainders: tuple[frozenset[int], ...]

    @classmethod
    def from_choices(cls, army: Army, choices: tuple[OptionChoice, ...]) -> PikeRule:
        """Return the rule for a list; ``choices`` are its choices in the order of ``list_choices``."""
        remainders = [frozenset(count_pikes(army, option.codes) % 2 for option in army.general)]
        for choice in reversed(choices[1:]):
            parities = {count_pikes(army, option.codes) % 2 for option in choice.options}
            remainders.append(
                frozenset((parity + later_parity) % 2 for parity in parities for later_parity in remainders[-1])
            )
        return cls(army, tuple(reversed(remainders)))

    def find_live_options(self, choice_index: int, options: tuple[Bundle, ...], pike_count: int) -> tuple[int, ...]:
        """Return the indices, from 0, of the options that still allow an even number of pikes in the army.

        The result is empty if no option allows it.

        Args:
            choice_index: the index of the choice, from 0.
            options: its options.
            pike_count: the number of pikes in the army so far, without this choice.
        """
        return tuple(
            index
            for index, option in enumerate(options)
            if any(
                (pike_count + count_pikes(self.army, option.codes) + remainder) % 2 == 0
                for remainder in self.remainders[choice_index]
            )
        )


_GENERAL_TABLE: Final = "general"
_PSILOI: Final = "Ps"
_ELEPHANTS: Final = "El"


# The modifiers of each option of the general.
OptionModifiers: TypeAlias = tuple[tuple[AppliedModifier, ...], ...]


class Threat(Struct, frozen=True, kw_only=True):
    """The threat of the player's army to a general: enough bows, enough troops that frighten elephants.

    A field is unknown while the player's open choices can change it.
    """

    bows: Fact
    frightens_elephants: Fact


def assess_threat(armies: Iterable[Force], rules: SoloRules) -> Threat:
    """Return the threat of the player's army, given every army that it can still become.

    A fact is unknown (None) if the armies differ in it.
    """
    forces, minimum = tuple(armies), rules.whole
    return Threat(
        bows=_find_common_fact(force.count("Bw") >= minimum("SD-2.2.1-m2") for force in forces),
        frightens_elephants=_find_common_fact(
            force.count("Ps", "Ax", "LH") >= minimum("SD-2.2.1-m5_light")
            or force.count("Art") >= minimum("SD-2.2.1-m5_guns")
            for force in forces
        ),
    )


class GeneralCase(Struct, frozen=True):
    """One option of the general: the general's element, the army, and the threat to the general."""

    general_element: Element
    army: Force
    threat: Threat

    @property
    def other_elements(self) -> tuple[Element, ...]:
        """Return the elements of the army without that of the general, in the order of the list."""
        return tuple(element for element in self.army.elements if not element.general)

    @property
    def type_code(self) -> str:
        """Return the type code of the general's element."""
        return self.general_element.troop.code

    @property
    def has_same_type(self) -> bool:
        """Return whether another element has the type of the general's element (AMB-06)."""
        return any(element.troop.code == self.type_code for element in self.other_elements)

    @property
    def is_slower(self) -> bool:
        """Return whether the general's element is slower than every other element (AMB-05)."""
        return all(self.general_element.troop.move < element.troop.move for element in self.other_elements)


_TESTS: Final[Mapping[str, Callable[[GeneralCase], Fact]]] = {
    "SD-2.2.1-m1": lambda case: case.army.count(_PIKES) % 2 == 1,
    "SD-2.2.1-m2": lambda case: all_facts(
        case.general_element.troop.mounted and case.general_element.troop.code != _ELEPHANTS, case.threat.bows
    ),
    "SD-2.2.1-m3": lambda case: case.is_slower,
    "SD-2.2.1-m4": lambda case: case.type_code == _PSILOI,
    "SD-2.2.1-m5": lambda case: all_facts(case.type_code == _ELEPHANTS, case.threat.frightens_elephants),
    "SD-2.2.1-m6": lambda case: case.general_element.troop.infantry and case.has_same_type,
    "SD-2.2.1-m7": lambda case: case.general_element.troop.mounted and case.has_same_type,
}  # fmt: skip


def general_modifiers(
    army: Army, slots: tuple[tuple[Bundle, ...], ...], threat: Threat, rules: SoloRules
) -> OptionModifiers:
    """Return the modifiers of each option of the general with these slots, in the order of the rule book.

    There is one tuple for each option.
    """
    option_modifiers = []
    for option in army.general:
        force = army.build_force(Combination(slots=slots, general=option))
        general_element, *_ = force.elements
        case = GeneralCase(general_element, force, threat)
        option_modifiers.append(
            tuple(
                apply_modifier(modifier.condition, modifier.amount, _TESTS[modifier.condition](case), str(option))
                for modifier in rules.outcomes(_GENERAL_TABLE).modifiers
            )
        )
    return tuple(option_modifiers)


def merge_option_modifiers(cases: Sequence[OptionModifiers]) -> OptionModifiers:
    """Return the modifiers of each option over several cases; one is unknown (open) where they differ."""
    return tuple(merge_states(option) for option in zip(*cases, strict=True))


def _find_common_fact(facts: Iterable[bool]) -> Fact:
    """Return the fact if it is the same in all cases, otherwise None (unknown)."""
    distinct_facts = list(dict.fromkeys(facts))
    return distinct_facts[0] if len(distinct_facts) == 1 else None
