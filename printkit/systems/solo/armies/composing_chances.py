"""Exact chances of a composition, without a die: every army that can come, its general, and who attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from msgspec import Struct

from printkit.kit.book import RuleBook
from printkit.systems.solo.armies.army import Army, Bundle
from printkit.systems.solo.armies.choices import ByOption, Threat, agreed_modifiers, general_modifiers
from printkit.systems.solo.armies.composing_pikes import PikeRule, choices_of, pikes_of
from printkit.systems.solo.armies.composing_terms import CompositionTerms, PikeParity
from printkit.systems.solo.armies.contests import contest_chances
from printkit.systems.solo.armies.steps import sum_of

_SIDES: Final = 6

Filling = tuple[Bundle, ...]
"""What the choices of a list took, in their order."""


def attack_chance(npg: int, you: int) -> Fraction:
    """Return the chance that the non-player general attacks, by the aggression of each; ties are thrown again."""
    return contest_chances((npg, you))[0]


def filling_chances(army: Army, terms: CompositionTerms) -> Mapping[Filling, Fraction]:
    """Return the chance of everything that the slots can take, the general apart.

    Options of a slot have no modifiers, so that those that are not left out are equally likely, however ties are
    diced. Where the finished army alone is looked at, this is before its last choice is diced again.
    """
    choices = choices_of(army)
    rule = PikeRule.of(army, choices, terms.pike_parity)
    mends = rule.mends(choices) if terms.pike_parity is PikeParity.FINAL else None
    found: dict[Filling, Fraction] = {(): Fraction(1)}
    for place, choice in enumerate(choices):
        longer: dict[Filling, Fraction] = {}
        for filling, chance in found.items():
            pikes = sum(pikes_of(army, bundle.codes) for bundle in filling)
            live = rule.live(place, choice.options, pikes) or tuple(range(len(choice.options)))
            for option in live:
                start = len(filling) - choice.element + 1
                own = (*filling[start:], choices[place].options[option])
                # Within a slot the order of the elements makes no other army; but the choice that may be diced again
                # has to be told from those before it.
                key = (*filling[:start], *(own if place == mends else sorted(own, key=_codes)))
                longer[key] = longer.get(key, Fraction(0)) + chance / len(live)
        found = longer
    return found


class Outlook(Struct, frozen=True, kw_only=True):
    """What can be said about the general before a die is thrown.

    ``chances`` is the chance of each of his options over every army that can come; open modifiers count nothing, and
    where a person chooses between tied options it is as if they were diced again. ``modifiers`` are those of each
    option as far as they are the same in every such army; where they are not, they are open.
    """

    chances: Mapping[Bundle, Fraction]
    modifiers: ByOption


def outlook(army: Army, threat: Threat, terms: CompositionTerms, book: RuleBook) -> Outlook:
    """Return the outlook for the general of a list."""
    # His modifiers ask only which elements there are, not which slot they came from.
    alike: dict[tuple[str, ...], tuple[Filling, Fraction]] = {}
    for filling, chance in filling_chances(army, terms).items():
        codes = tuple(sorted(code for bundle in filling for code in bundle.codes))
        alike[codes] = (filling, chance + (alike[codes][1] if codes in alike else 0))
    found = dict.fromkeys(army.general, Fraction(0))
    every = []
    for filling, chance in alike.values():
        modifiers = general_modifiers(army, slots_of(army, filling), threat, terms, book)
        every.append(modifiers)
        sums = tuple(sum_of(option) for option in modifiers)
        for option, share in zip(army.general, contest_chances(sums, redice_all=terms.redice_all), strict=True):
            found[option] += chance * share
    return Outlook(chances=found, modifiers=agreed_modifiers(every))


def _codes(bundle: Bundle) -> tuple[str, ...]:
    return bundle.codes


def army_chances(
    army: Army, threat: Threat, terms: CompositionTerms, book: RuleBook
) -> Mapping[tuple[tuple[str, ...], str], Fraction]:
    """Return the chance of each finished army: the codes of the other elements in order, and the general's option."""
    found: dict[tuple[tuple[str, ...], str], Fraction] = {}
    for filling, chance in filling_chances(army, terms).items():
        modifiers = general_modifiers(army, slots_of(army, filling), threat, terms, book)
        sums = tuple(sum_of(option) for option in modifiers)
        for general, share in zip(army.general, contest_chances(sums, redice_all=terms.redice_all), strict=True):
            finished = _finished(army, filling, general, terms)
            for codes in finished:
                key = (codes, str(general))
                found[key] = found.get(key, Fraction(0)) + chance * share / len(finished)
    return {key: chance for key, chance in found.items() if chance}


def slots_of(army: Army, filling: Sequence[Bundle]) -> tuple[tuple[Bundle, ...], ...]:
    """Return a filling slot by slot."""
    ends = [0]
    for slot in army.slots:
        ends.append(ends[-1] + slot.count)
    return tuple(tuple(filling[start:end]) for start, end in pairwise(ends))


def _finished(army: Army, filling: Filling, general: Bundle, terms: CompositionTerms) -> list[tuple[str, ...]]:
    """Return the finished armies, all equally likely: one, or those of the last choice diced again (AMB-02, final)."""
    whole = [filling]
    pikes = pikes_of(army, [code for bundle in (*filling, general) for code in bundle.codes])
    choices = choices_of(army)
    place = PikeRule.of(army, (), PikeParity.FINAL).mends(choices)
    if terms.pike_parity is PikeParity.FINAL and pikes % 2 and place is not None:
        odd = pikes_of(army, filling[place].codes) % 2
        evened = [one for one in choices[place].options if pikes_of(army, one.codes) % 2 != odd]
        whole = [(*filling[:place], option, *filling[place + 1 :]) for option in evened]
    rest = general.codes[1:]
    return [tuple(sorted([*(code for bundle in one for code in bundle.codes), *rest])) for one in whole]
