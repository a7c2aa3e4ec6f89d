"""The chance of every finished army of a list, by which the tests hold composition and outlook against its dice."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from printkit.systems.solo.armies.army import Army, Bundle
from printkit.systems.solo.armies.choices import PikeParity, PikeRule, Threat, choices_of, general_modifiers, pikes_of
from printkit.systems.solo.armies.contests import TakenOptions, contest_chances, filling_chances, slots_of
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import sum_of


def army_chances(army: Army, threat: Threat, rules: SoloRules) -> Mapping[tuple[tuple[str, ...], str], Fraction]:
    """Return the chance of each finished army: the codes of the other elements in order, and the general's option."""
    found: dict[tuple[tuple[str, ...], str], Fraction] = {}
    for filling, chance in filling_chances(army, rules).items():
        modifiers = general_modifiers(army, slots_of(army, filling), threat, rules)
        sums = tuple(sum_of(option) for option in modifiers)
        for general, share in zip(army.general, contest_chances(sums, redice_all=rules.redice_all), strict=True):
            finished = _finished(army, filling, general, rules)
            for codes in finished:
                key = (codes, str(general))
                found[key] = found.get(key, Fraction(0)) + chance * share / len(finished)
    return {key: chance for key, chance in found.items() if chance}


def _finished(army: Army, filling: TakenOptions, general: Bundle, rules: SoloRules) -> list[tuple[str, ...]]:
    """Return the finished armies, all equally likely: one, or those of the last choice diced again (AMB-02, final)."""
    whole = [filling]
    pikes = pikes_of(army, [code for bundle in (*filling, general) for code in bundle.codes])
    choices = choices_of(army)
    place = PikeRule.of(army, (), PikeParity.FINAL).mends(choices)
    if rules.choice("pike_parity") == PikeParity.FINAL and pikes % 2 and place is not None:
        odd = pikes_of(army, filling[place].codes) % 2
        evened = [one for one in choices[place].options if pikes_of(army, one.codes) % 2 != odd]
        whole = [(*filling[:place], option, *filling[place + 1 :]) for option in evened]
    rest = general.codes[1:]
    return [tuple(sorted([*(code for bundle in one for code in bundle.codes), *rest])) for one in whole]
