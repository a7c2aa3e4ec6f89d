"""The chance of every finished army of a list, by which the tests hold composition and outlook against its dice."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.choices import Threat, general_modifiers
from printkit.systems.solo.armies.contests import contest_chances, filling_chances, group_by_slot
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import sum_modifiers


def army_chances(army: Army, threat: Threat, rules: SoloRules) -> Mapping[tuple[tuple[str, ...], str], Fraction]:
    """Return the chance of each finished army: the codes of the other elements in order, and the general's option."""
    found: dict[tuple[tuple[str, ...], str], Fraction] = {}
    for filling, chance in filling_chances(army).items():
        modifiers = general_modifiers(army, group_by_slot(army, filling), threat, rules)
        sums = tuple(sum_modifiers(option) for option in modifiers)
        for general, share in zip(army.general, contest_chances(sums), strict=True):
            codes = [code for bundle in filling for code in bundle.codes]
            key = (tuple(sorted([*codes, *general.codes[1:]])), str(general))
            found[key] = found.get(key, Fraction(0)) + chance * share
    return {key: chance for key, chance in found.items() if chance}
