"""Composition of the NPG's army: slot by slot, then the general, then the attacker (SD-2).

Source: Solo DBA for DBA 2.2, section 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.solo.armies.army import Army, Bundle, Combination
from printkit.systems.solo.armies.choices import (
    OptionChoice,
    PikeRule,
    assess_threat,
    count_pikes,
    general_modifiers,
    list_choices,
)
from printkit.systems.solo.armies.contests import Contest, hold_contest
from printkit.systems.solo.armies.force import Force, Side
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import Step, list_open_clauses

ARMY: Final = "army"
GENERAL: Final = "general"
ATTACKER: Final = "attacker"

# The stages of composition; each has a separate dice stream.
STAGES: Final = (ARMY, GENERAL, ATTACKER)

_SLOT: Final = "npg.army.step.slot"
_GENERAL: Final = "npg.army.step.general"
_ATTACKER: Final = "npg.army.step.attacker"


class ChosenBundle(Struct, frozen=True, kw_only=True):
    """The result of a choice: the contest of its options (SD-2.2-d).

    ``is_suspended`` marks a choice in which each option left an odd number of pikes, so none was excluded (AMB-02).
    """

    choice: OptionChoice
    contest: Contest
    is_suspended: bool = False

    @property
    def option(self) -> Bundle:
        """Return the option that won."""
        return self.choice.options[self.contest.winner]

    @property
    def step(self) -> Step:
        """Return the choice as a step of the log."""
        contest = self.contest
        excluded_names = [name for index, name in enumerate(contest.options) if index not in contest.live]
        inputs: dict[str, Any] = {"slot": self.choice.slot.id, "element": self.choice.element_number}
        inputs |= {"of": self.choice.slot.count, "options": list(contest.options), "left_out": excluded_names}
        return Step(
            clause="SD-2.2-b" if contest.rounds else "SD-2.2-d",
            title=_SLOT,
            inputs=inputs,
            dice=contest.dice,
            total=contest.winning_total,
            result=str(self.option),
        )


class ComposedArmy(Struct, frozen=True, kw_only=True):
    """The finished army of the NPG, with the choices and dice that led to it."""

    army: Army
    you: Force
    combination: Combination
    force: Force
    choice_results: tuple[ChosenBundle, ...]
    general: Contest

    @property
    def dice(self) -> int:
        """Return the number of dice rolled, for the choices and for the general, re-rolls included."""
        return sum(len(result.contest.dice) for result in self.choice_results) + len(self.general.dice)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return a step for each choice with several options, and one for the general's element."""
        return (*(result.step for result in self.choice_results if len(result.choice.options) > 1), self._general_step)

    @property
    def _general_step(self) -> Step:
        """Return the contest for the general's element as a step of the log."""
        modifiers = tuple(modifier for option in self.general.modifiers for modifier in option)
        return Step(
            clause="SD-2.2.1-a",
            title=_GENERAL,
            inputs={
                "options": list(self.general.options),
                "others": dict(Counter(self.combination.other_codes)),
                "you": dict(self.you.type_counts()),
            },
            dice=self.general.dice,
            modifiers=modifiers,
            total=self.general.winning_total,
            result=self.general.options[self.general.winner],
            open=list_open_clauses(modifiers),
        )


class Attack(Struct, frozen=True, kw_only=True):
    """The attacker, the aggression of each side, and the rounds of dice.

    A round is two dice, the NPG's first; the totals differ in the last round. ``rounds`` is empty if a user or a
    campaign names the attacker.
    """

    attacker: Side
    rounds: tuple[tuple[int, int], ...]
    npg: int
    you: int

    @property
    def defender(self) -> Side:
        """Return the other side."""
        return Side.YOU if self.attacker is Side.NPG else Side.NPG

    @property
    def totals(self) -> tuple[int, int]:
        """Return both totals of the last round, the NPG's first: die plus aggression."""
        npg, you = self.rounds[-1]
        return npg + self.npg, you + self.you

    @property
    def step(self) -> Step:
        """Return the attack as a step of the log."""
        return Step(
            clause="SD-2.3-a",
            title=_ATTACKER,
            inputs={"npg_aggression": self.npg, "you_aggression": self.you},
            dice=tuple(score for round_scores in self.rounds for score in round_scores),
            total=max(self.totals) if self.rounds else None,
            result=self.attacker.value,
        )


def compose_army(army: Army, you: Army, dice: Dice, rules: SoloRules) -> ComposedArmy:
    """Roll for the NPG's army and return it with its choices and dice.

    Args:
        army: the NPG's army list.
        you: the player's army, with every choice made.
        dice: rolled in the order of the list, the general last; ties are rolled again at once.
        rules: the rules of the game.

    Raises:
        ScenarioError: the player's army still has open choices; no die is rolled (SD-2.1-a).
        DiceError: the user's dice are not valid.
    """
    your_force = you.resolve_force()
    choices = list_choices(army)
    choice_results = _roll_choices(army, choices, dice.at(ARMY))
    modifiers = general_modifiers(army, _group_by_slot(army, choice_results), assess_threat([your_force], rules), rules)
    names = [str(option) for option in army.general]
    general = hold_contest(
        names,
        range(len(names)),
        modifiers,
        clause="SD-2.2.1-a",
        tie_clause="AMB-04",
        reason=lambda name: Sentence("general: {option}", option=name),
        dice=dice.at(GENERAL),
    )
    combination = Combination(slots=_group_by_slot(army, choice_results), general=army.general[general.winner])
    return ComposedArmy(
        army=army,
        you=your_force,
        combination=combination,
        force=army.build_force(combination),
        choice_results=tuple(choice_results),
        general=general,
    )


def roll_for_attack(npg: int, you: int, dice: Dice) -> Attack:
    """Roll for the attacker: die plus aggression, the higher total attacks, ties roll again (SD-2.3-a).

    The result has the scores of every round, the NPG's first.

    Args:
        npg: aggression of the NPG's army.
        you: aggression of the player's army.
        dice: both dice are logged; the NPG's is rolled first.
    """
    stage = dice.at(ATTACKER)
    rounds: list[tuple[int, int]] = []
    while not rounds or rounds[-1][0] + npg == rounds[-1][1] + you:
        rounds.append(
            (stage.d6(Sentence("attacker: the NPG"), "SD-2.3-a"), stage.d6(Sentence("attacker: YOU"), "SD-2.3-a"))
        )
    is_npg_ahead = rounds[-1][0] + npg > rounds[-1][1] + you
    return Attack(attacker=Side.NPG if is_npg_ahead else Side.YOU, rounds=tuple(rounds), npg=npg, you=you)


def _roll_choices(army: Army, choices: tuple[OptionChoice, ...], dice: Dice) -> list[ChosenBundle]:
    """Roll for every choice and return the results, in the order of the list (SD-2.2-a..d).

    Options that the rule for pikes excludes do not roll.
    """
    rule = PikeRule.from_choices(army, choices)
    pikes = 0
    results = []
    for index, choice in enumerate(choices):
        live = rule.find_live_options(index, choice.options, pikes)
        result = _resolve_choice(
            choice, live or range(len(choice.options)), dice, is_suspended=choice.slot.is_open and not live
        )
        pikes += count_pikes(army, result.option.codes)
        results.append(result)
    return results


def _resolve_choice(choice: OptionChoice, live: Sequence[int], dice: Dice, *, is_suspended: bool) -> ChosenBundle:
    """Roll for one choice between its live options and return the result.

    Args:
        choice: the choice.
        live: the indices, from 0, of the options that are not excluded.
        dice: one die for each; ties roll again.
        is_suspended: whether each option leaves an odd number of pikes.
    """
    contest = hold_contest(
        [str(option) for option in choice.options],
        live,
        (),
        clause="SD-2.2-b",
        tie_clause="SD-2.2-c",
        reason=lambda name: Sentence("{slot}: {option}", slot=choice.name, option=name),
        dice=dice,
    )
    return ChosenBundle(choice=choice, contest=contest, is_suspended=is_suspended)


def _group_by_slot(army: Army, results: Sequence[ChosenBundle]) -> tuple[tuple[Bundle, ...], ...]:
    """Return the options taken, by slot: one tuple for each slot, with one option for each choice."""
    options = {(result.choice.slot_index, result.choice.element_number): result.option for result in results}
    return tuple(
        tuple(options[slot_index, element] for element in range(1, slot.count + 1))
        for slot_index, slot in enumerate(army.slots)
    )
