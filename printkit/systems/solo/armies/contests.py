"""Dice contests between options, and the exact chances of a contest and of a whole composition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.solo.armies.army import Army, Bundle
from printkit.systems.solo.armies.choices import (
    OptionModifiers,
    PikeRule,
    Threat,
    count_pikes,
    general_modifiers,
    list_choices,
    merge_option_modifiers,
)
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, sum_modifiers

_SIDES: Final = 6


class Round(Struct, frozen=True):
    """One round of dice: the index (from 0) and score of each option that rolled, in dice order."""

    scores: tuple[tuple[int, int], ...]


class Contest(Struct, frozen=True, kw_only=True):
    """A finished contest. ``live`` are the indices of the options that were not excluded before the dice.

    ``modifiers`` are those of each option, in every state; empty if the contest does not use modifiers.
    """

    options: tuple[str, ...]
    live: tuple[int, ...]
    winner: int
    rounds: tuple[Round, ...] = ()
    modifiers: tuple[tuple[AppliedModifier, ...], ...] = ()

    @property
    def dice(self) -> tuple[int, ...]:
        """Return every score in dice order."""
        return tuple(score for contest_round in self.rounds for _, score in contest_round.scores)

    def sum(self, option: int) -> int:
        """Return the sum of the modifiers of the option at index ``option``, from 0; unknown ones add 0."""
        return sum_modifiers(self.modifiers[option]) if self.modifiers else 0

    @property
    def winning_total(self) -> int | None:
        """Return the winner's total in the last round, die plus modifiers, or None if no dice were rolled."""
        if not self.rounds:
            return None
        return dict(self.rounds[-1].scores)[self.winner] + self.sum(self.winner)


def hold_contest(
    options: Sequence[str],
    live: Sequence[int],
    modifiers: Sequence[tuple[AppliedModifier, ...]],
    *,
    clause: str,
    tie_clause: str,
    reason: Callable[[str], Sentence],
    dice: Dice,
) -> Contest:
    """Roll a die for each live option; tied ones roll again (AMB-01), a single one needs no die (0.5).

    Args:
        options: the names of the options.
        live: the indices, from 0, of the options that roll, in dice order.
        modifiers: the modifiers of each option, or empty.
        clause: the clause of the first round, for the log.
        tie_clause: the clause of later rounds.
        reason: returns the reason of an option's die, for the log.
        dice: the dice to roll.
    """
    rounds: list[Round] = []
    rolling_options = tuple(live)
    while len(rolling_options) > 1:
        cited_clause = tie_clause if rounds else clause
        scores = tuple((option, dice.d6(reason(options[option]), cited_clause)) for option in rolling_options)
        rounds.append(Round(scores))
        totals = {option: score + (sum_modifiers(modifiers[option]) if modifiers else 0) for option, score in scores}
        rolling_options = tuple(option for option in rolling_options if totals[option] == max(totals.values()))
    return Contest(
        options=tuple(options),
        live=tuple(live),
        winner=rolling_options[0],
        rounds=tuple(rounds),
        modifiers=tuple(modifiers),
    )


@cache
def contest_chances(sums: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the exact chance of each option to win, 0 to 1, from their modifier sums; ties roll again."""
    all_options = tuple(range(len(sums)))
    chances: dict[tuple[int, ...], dict[int, Fraction]] = {}
    for size in range(1, len(sums) + 1):
        for group in combinations(all_options, size):
            chances[group] = _group_chances(sums, group, chances)
    return tuple(chances[all_options][option] for option in all_options)


def _group_chances(
    sums: tuple[int, ...], group: tuple[int, ...], known_chances: dict[tuple[int, ...], dict[int, Fraction]]
) -> dict[int, Fraction]:
    """Return the chance of each option of a group, 0 to 1 by index, given those of all smaller groups.

    A tie of the whole group is rolled again, so the other outcomes are scaled up to 1.

    Args:
        sums: the modifier sum of each option.
        group: the indices of the options that roll.
        known_chances: the chances within each smaller group.
    """
    if len(group) == 1:
        return {group[0]: Fraction(1)}
    chances = dict.fromkeys(group, Fraction(0))
    decided_share = Fraction(0)
    for size in range(1, len(group)):
        for tied_options in combinations(group, size):
            share = _find_tie_chance(sums, group, tied_options)
            decided_share += share
            for option in tied_options:
                chances[option] += share * known_chances[tied_options][option]
    return {option: chance / decided_share for option, chance in chances.items()}


def _find_tie_chance(sums: tuple[int, ...], group: tuple[int, ...], tied_options: tuple[int, ...]) -> Fraction:
    """Return the chance, 0 to 1, that exactly ``tied_options`` share the highest total of a round.

    ``sums`` has the modifier sum of each option, and ``group`` the indices of the options that roll; ``tied_options``
    are some of these.
    """
    roll_count = 0
    for total in range(min(sums) + 1, max(sums) + _SIDES + 1):
        combination_count = 1
        for option in group:
            score = total - sums[option]
            if option in tied_options:
                combination_count *= 1 <= score <= _SIDES
            else:
                combination_count *= min(max(score - 1, 0), _SIDES)
        roll_count += combination_count
    return Fraction(roll_count, _SIDES ** len(group))


# --- Exact chances of a composition before any roll: every possible army, its general, and the attacker ---------------


# The option taken by each choice of a list, in order.
ChosenOptions = tuple[Bundle, ...]


def attack_chance(npg: int, you: int) -> Fraction:
    """Return the chance, 0 to 1, that the NPG attacks; ties roll again.

    ``npg`` and ``you`` are the aggression of each side.
    """
    return contest_chances((npg, you))[0]


def filling_chances(army: Army) -> Mapping[ChosenOptions, Fraction]:
    """Return the chance, 0 to 1, of each way to fill the slots, without the general.

    The key has the option of each choice in list order. Options of a slot have no modifiers, so all that are not
    excluded are equally likely.
    """
    choices = list_choices(army)
    rule = PikeRule.from_choices(army, choices)
    fillings: dict[ChosenOptions, Fraction] = {(): Fraction(1)}
    for index, choice in enumerate(choices):
        next_fillings: dict[ChosenOptions, Fraction] = {}
        for filling, chance in fillings.items():
            pikes = sum(count_pikes(army, bundle.codes) for bundle in filling)
            live = rule.find_live_options(index, choice.options, pikes) or tuple(range(len(choice.options)))
            for option in live:
                start = len(filling) - choice.element_number + 1
                slot_options = (*filling[start:], choices[index].options[option])
                # The order of the elements within a slot does not matter.
                key = (*filling[:start], *sorted(slot_options, key=_bundle_codes))
                next_fillings[key] = next_fillings.get(key, Fraction(0)) + chance / len(live)
        fillings = next_fillings
    return fillings


class Outlook(Struct, frozen=True, kw_only=True):
    """The general's chances before any roll.

    ``chances`` is the chance of each option over every possible army; open modifiers add 0. ``modifiers`` are those
    of each option; a modifier is open if it differs between the possible armies.
    """

    chances: Mapping[Bundle, Fraction]
    modifiers: OptionModifiers


def assess_general(army: Army, threat: Threat, rules: SoloRules) -> Outlook:
    """Return the chances (0 to 1) and modifiers of the general's options, over all ways to fill the slots.

    A modifier is unknown (open) if it depends on how the slots are filled. Open modifiers count as 0 in the chances of
    each way.
    """
    # The modifiers depend only on the elements, so fillings with the same codes are merged.
    fillings_by_codes: dict[tuple[str, ...], tuple[ChosenOptions, Fraction]] = {}
    for filling, chance in filling_chances(army).items():
        codes = tuple(sorted(code for bundle in filling for code in bundle.codes))
        fillings_by_codes[codes] = (
            filling,
            chance + (fillings_by_codes[codes][1] if codes in fillings_by_codes else 0),
        )
    option_chances = dict.fromkeys(army.general, Fraction(0))
    cases = []
    for filling, chance in fillings_by_codes.values():
        modifiers = general_modifiers(army, group_by_slot(army, filling), threat, rules)
        cases.append(modifiers)
        sums = tuple(sum_modifiers(option) for option in modifiers)
        for option, share in zip(army.general, contest_chances(sums), strict=True):
            option_chances[option] += chance * share
    return Outlook(chances=option_chances, modifiers=merge_option_modifiers(cases))


def _bundle_codes(bundle: Bundle) -> tuple[str, ...]:
    """Return the codes of a bundle, as a key to sort by."""
    return bundle.codes


def group_by_slot(army: Army, filling: Sequence[Bundle]) -> tuple[tuple[Bundle, ...], ...]:
    """Return the options of a filling by slot: one tuple for each slot; ``filling`` has them in a row."""
    ends = [0]
    for slot in army.slots:
        ends.append(ends[-1] + slot.count)
    return tuple(tuple(filling[start:end]) for start, end in pairwise(ends))
