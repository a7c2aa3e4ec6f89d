"""How aggressively the NPG plays the whole game: one die before his first bound (SD-5.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.procedures import count, number
from printkit.systems.solo.armies.steps import AppliedModifier, Step, applied, sum_of
from printkit.systems.solo.tactics.tactics_tables import Level, tactics


class LevelCase(Struct, frozen=True):
    """Both armies as they are counted: at the start of the battle, or on the table (AMB-46)."""

    npg: Force
    you: Force


TESTS: Final[Mapping[str, Callable[[LevelCase, int], bool]]] = {
    "SD-5.2-m1": lambda case, least: case.npg.mounted >= least,
    "SD-5.2-m2": lambda case, least: case.npg.moving_at_least(number("fast")) >= least,
    "SD-5.2-m3": lambda case, least: case.npg.count("Wb") >= least and case.you.count("Sp") >= least,
    "SD-5.2-m4": lambda case, least: (
        case.npg.count("Ax", "Ps") >= least and case.you.count("Cv", "Kn", "Bd", "Sp") >= least
    ),
    "SD-5.2-m5": lambda case, least: case.npg.count("Sp", "Bd", "Pk") >= least,
}
"""What decides each modifier, by its clause; each gets the number that it compares with."""


def level_modifiers(case: LevelCase) -> tuple[AppliedModifier, ...]:
    """Return the five modifiers; all are known from the armies."""
    return tuple(
        applied(each.condition, each.amount, TESTS[each.condition](case, count(each.condition)))
        for each in tactics().level.modifiers
    )


def aggression_level(case: LevelCase, dice: Dice) -> tuple[Level, Step]:
    """Return the level, thrown once at the start of the NPG's first bound (SD-5.2-a)."""
    modifiers = level_modifiers(case)
    added, tables = sum_of(modifiers), tactics()
    die = dice.d6("aggression level", lambda score: tables.level.row(score + added).clause)
    level = tables.level_at(die + added)
    step = Step(
        clause="SD-5.2-a",
        title="npg.battle.step.level",
        dice=(die,),
        modifiers=modifiers,
        total=die + added,
        row=tables.level.row(die + added).clause,
        result=level.value,
    )
    return level, step
