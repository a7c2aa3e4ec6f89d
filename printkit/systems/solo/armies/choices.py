"""The modifiers of the general's element: what each asks of an option, of the other elements and of YOUR army."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.resources import template
from printkit.kit.book import BookRow, RuleBook
from printkit.systems.solo.armies.army import Army, Bundle, Combination
from printkit.systems.solo.armies.composing_terms import CompositionTerms
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.steps import AppliedModifier, Fact, all_of, applied

_FILE: Final = "composition"
_TABLE: Final = "general"
_BOWS: Final = "SD-2.2.1-m2"
_FRIGHTENS: Final = "SD-2.2.1-m5"
_PIKES: Final = "Pk"
_PSILOI: Final = "Ps"
_ELEPHANTS: Final = "El"


ByOption: TypeAlias = tuple[tuple[AppliedModifier, ...], ...]
"""The modifiers of each option of the general."""


class Threat(Struct, frozen=True, kw_only=True):
    """What YOUR army has against a general: enough bows, enough that frightens elephants; unknown while YOU choose."""

    bows: Fact
    frightens_elephants: Fact


def threat_of(armies: Iterable[Force]) -> Threat:
    """Return the threat of YOUR army, or of all those that it can still become."""
    forces = tuple(armies)
    return Threat(
        bows=_agreed(_holds(_BOWS, force) for force in forces),
        frightens_elephants=_agreed(_holds(_FRIGHTENS, force) for force in forces),
    )


class GeneralCase(Struct, frozen=True):
    """One option of the general in one army: his element, the other eleven, what threatens him, how rules are read."""

    led: Element
    army: Force
    threat: Threat
    terms: CompositionTerms

    @property
    def others(self) -> tuple[Element, ...]:
        """Return the other eleven elements."""
        return tuple(element for element in self.army.elements if not element.general)

    @property
    def kind(self) -> str:
        """Return the code of his type."""
        return self.army.type_of(self.led)

    @property
    def is_there(self) -> bool:
        """Return whether his type is among the others; his own element does not count (AMB-06)."""
        alike = [element for element in self.others if self.army.type_of(element) == self.kind]
        return any(not self.terms.match_code or _same_code(element.code, self.led.code) for element in alike)

    @property
    def is_slower(self) -> bool:
        """Return whether he moves slower than every other element, or than some (AMB-05)."""
        faster = [self.led.troop.move < element.troop.move for element in self.others]
        return any(faster) if self.terms.slower_than_some else all(faster)


_TESTS: Final[Mapping[str, Callable[[GeneralCase], Fact]]] = {
    "SD-2.2.1-m1": lambda case: case.army.count(_PIKES) % 2 == 1,
    "SD-2.2.1-m2": lambda case: all_of(
        case.led.troop.mounted and case.led.troop.code != _ELEPHANTS, case.threat.bows
    ),
    "SD-2.2.1-m3": lambda case: case.is_slower,
    "SD-2.2.1-m4": lambda case: case.kind == _PSILOI,
    "SD-2.2.1-m5": lambda case: all_of(case.kind == _ELEPHANTS, case.threat.frightens_elephants),
    "SD-2.2.1-m6": lambda case: case.army.is_infantry(case.led) and case.is_there,
    # Elephants are mounted here whatever AMB-08 says of counts, for the clause names them.
    "SD-2.2.1-m7": lambda case: case.led.troop.mounted and case.is_there,
}  # fmt: skip


def general_modifiers(
    army: Army, slots: tuple[tuple[Bundle, ...], ...], threat: Threat, terms: CompositionTerms, book: RuleBook
) -> ByOption:
    """Return the modifiers of each option of the general, the slots being filled so, in the order of the rule book."""
    found = []
    for option in army.general:
        force = army.force(Combination(slots=slots, general=option), terms.classing)
        led, *_ = force.elements
        case = GeneralCase(led, force, threat, terms)
        found.append(
            tuple(
                applied(modifier.condition, modifier.amount, _TESTS[modifier.condition](case), str(option))
                for modifier in book.tables[_TABLE].modifiers
            )
        )
    return tuple(found)


def agreed_modifiers(
    every: Sequence[tuple[tuple[AppliedModifier, ...], ...]],
) -> ByOption:
    """Return the modifiers of each option as far as all of several cases agree; where they do not, open."""
    options = []
    for option in zip(*every, strict=True):
        judged = []
        for same in zip(*option, strict=True):
            states = {modifier.state for modifier in same}
            fact = None if len(states) > 1 else _FACTS[same[0].state]
            judged.append(applied(same[0].clause, same[0].amount, fact, same[0].about))
        options.append(tuple(judged))
    return tuple(options)


_FACTS: Final[Mapping[str, Fact]] = {"on": True, "off": False, "open": None}


def _agreed(facts: Iterable[bool]) -> Fact:
    found = list(dict.fromkeys(facts))
    return found[0] if len(found) == 1 else None


def _holds(clause: str, force: Force) -> bool:
    """Return whether an army has as many of some types as a modifier asks; one entry that holds is enough."""
    return any(force.count(*types.split()) >= least for types, least in _counts()[clause].items())


@cache
def _counts() -> Mapping[str, Mapping[str, int]]:
    tree = BookRow(f"{_FILE}: [counts]", template("npg", _FILE)["counts"])
    rows = {clause: BookRow(f"{_FILE}: [counts] {clause}", tree.need(clause, dict)) for clause in tree.values}
    return {clause: {types: row.need(types, int) for types in row.values} for clause, row in rows.items()}


def _same_code(one: str, other: str) -> bool:
    """Return whether two codes are the same; a free mix of figures, 3/4Wb, is the same as either of its two."""
    figures, name = _parted(one)
    others, other_name = _parted(other)
    return name == other_name and (figures == others or bool(set(figures) & set(others)))


def _parted(code: str) -> tuple[tuple[str, ...], str]:
    """Return the numbers of figures of a code, and its name without them and without what it dismounts as."""
    mounted = code.split("//", 1)[0]
    return tuple(letter for letter in mounted if letter.isdigit()), mounted.lstrip("0123456789/")
