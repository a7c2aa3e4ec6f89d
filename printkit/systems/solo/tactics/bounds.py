"""The NPG's bounds: PIPs, stance and moves (SD-5.3), his aggressiveness (SD-5.2), tries to override (SD-5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import (
    AppliedModifier,
    Procedure,
    Step,
    apply_modifier,
    roll_on_table,
    sum_modifiers,
)
from printkit.systems.solo.tactics.tactics_tables import Action, Level, Permitted, Stance, tactics

# --- How aggressively the NPG plays the whole game: one die before his first bound (SD-5.2) ---------------------------


class LevelCase(Struct, frozen=True):
    """Both armies as they are at the start of the battle (AMB-46)."""

    npg: Force
    you: Force


LEVEL: Final[Procedure[LevelCase]] = Procedure(
    "level",
    {
        "SD-5.2-m1": lambda case, its: case.npg.mounted_count >= its("SD-5.2-m1"),
        "SD-5.2-m2": lambda case, its: case.npg.count_moving_at_least(its("SD-5.2-m2_paces")) >= its("SD-5.2-m2"),
        "SD-5.2-m3": lambda case, its: min(case.npg.count("Wb"), case.you.count("Sp")) >= its("SD-5.2-m3"),
        "SD-5.2-m4": lambda case, its: (
            min(case.npg.count("Ax", "Ps"), case.you.count("Cv", "Kn", "Bd", "Sp")) >= its("SD-5.2-m4")
        ),
        "SD-5.2-m5": lambda case, its: case.npg.count("Sp", "Bd", "Pk") >= its("SD-5.2-m5"),
    },
)
"""All five modifiers are known from the armies."""


def aggression_level(case: LevelCase, rules: SoloRules, dice: Dice) -> tuple[Level, Step]:
    """Return the level, thrown once at the start of the NPG's first bound (SD-5.2-a)."""
    step = LEVEL.roll(case, dice, rules, reason=Sentence("aggression level"), clause="SD-5.2-a", inputs={})
    return Level(step.result), step


# --- Ignoring the engine for a bound: three tries a game, each a die (SD-5.4) -----------------------------------------

FREE: Final = "free"


def override(used: int, rules: SoloRules, dice: Dice, *, tried_this_bound: bool = False) -> Step:
    """Return what a try gives: ``free`` or ``obey``; it is spent either way, and PIPs stay as they are.

    Args:
        used: tries already spent in this game.
        dice: throws.
        tried_this_bound: one was made in this bound; there is one a bound, before its first PIP (AMB-45).

    Raises:
        ScenarioError: all tries are spent, or one was made in this bound; no die is thrown.
    """
    most = tactics(rules).overrides
    if used >= most:
        raise ScenarioError(
            "all {most} attempts to override the NPG's list are used; play the bound by its list",
            most=most,
            clause="SD-5.4-a",
        )
    if tried_this_bound:
        raise ScenarioError("an override was already tried in this bound; you may try one per bound", clause="AMB-45")
    return roll_on_table(
        tactics(rules).override,
        (),
        dice,
        reason=Sentence("override of the engine"),
        clause="SD-5.4-a",
        title="npg.battle.step.override",
        inputs={"used_before": used, "used_now": used + 1},
    )


class Losses(Struct, frozen=True, kw_only=True):
    """Losses that count for victory (AMB-43): troop elements, and what a camp in the enemy's hands counts as.

    ``camp`` says that a side's camp is counted among them, ``general`` that its general is one of them.
    """

    npg: int = 0
    you: int = 0
    npg_camp: bool = False
    you_camp: bool = False
    npg_general: bool = False
    you_general: bool = False

    @property
    def camps(self) -> tuple[str, ...]:
        """Return the sides whose camp is counted."""
        return tuple(side for side, camp in (("npg", self.npg_camp), ("you", self.you_camp)) if camp)

    @property
    def generals(self) -> tuple[str, ...]:
        """Return the sides whose general is lost."""
        return tuple(side for side, general in (("npg", self.npg_general), ("you", self.you_general)) if general)


def winner(losses: Losses, rules: SoloRules) -> str:
    """Return who has won by losses at the end of a bound, ``npg`` or ``you``; empty while the game goes on (F-13).

    A side is beaten that has lost elements enough, or its general, and more than the other.
    """
    npg, you, least = losses.npg, losses.you, rules.whole("losses_end_min")
    if npg > you and (npg >= least or losses.npg_general):
        return "you"
    return "npg" if you > npg and (you >= least or losses.you_general) else ""


class Bound(Struct, frozen=True, kw_only=True):
    """One bound of the NPG: his PIPs, the stance die, and what came of them."""

    pips: int
    die: int
    stance: Stance
    net: int
    step: Step


def stance_modifiers(level: Level, pips: int, losses: Losses, rules: SoloRules) -> tuple[AppliedModifier, ...]:
    """Return the seven modifiers; one that counts for each lost element is written with its whole amount."""
    found = []
    for each in tactics(rules).stance_modifiers:
        times = each.times(pips=pips, level=level, npg=losses.npg, you=losses.you)
        found.append(apply_modifier(each.clause, each.amount * max(1, times), times > 0))
    return tuple(found)


def bound(level: Level, losses: Losses, rules: SoloRules, dice: Dice) -> Bound:
    """Throw the PIP die and the stance die, and return the stance (SD-5.3-a, SD-5.3-b)."""
    tables = tactics(rules)
    pips = dice.d6(Sentence("PIPs"), "SD-5.3-a")
    modifiers = stance_modifiers(level, pips, losses, rules)
    added = sum_modifiers(modifiers)
    die = dice.d6(
        Sentence("stance"),
        lambda score: tables.stance.row(score + added).clause,
        brings=lambda score: tables.stance_at(score + added).value,
    )
    net = tables.net_of(level, losses.npg, losses.you)
    stance = tables.stance_at(die + added)
    step = Step(
        clause="SD-5.3-b",
        title="npg.battle.step.stance",
        inputs={"level": level.value, "pips": pips, "npg_lost": losses.npg, "you_lost": losses.you, "net": net},
        dice=(pips, die),
        modifiers=modifiers,
        total=die + added,
        row=tables.stance.row(die + added).clause,
        result=stance.value,
    )
    return Bound(pips=pips, die=die, stance=stance, net=net, step=step)


def next_move(stance: Stance, possible: Sequence[Action], rules: SoloRules) -> Permitted | None:
    """Return the move for the next PIP: the first on the list that is possible and useful (SD-5.3-c, AMB-45).

    Where nothing on the list is possible, Re-arrange Line is, if the person finds it so (AMB-44).

    Args:
        stance: whose list it is.
        possible: the actions that the person finds possible and useful.
        rules: of the game.
    """
    moves = tactics(rules).permitted[stance]
    last = Permitted(len(moves) + 1, Action.REARRANGE_LINE, tactics(rules).actions[Action.REARRANGE_LINE])
    return next((move for move in (*moves, last) if move.action in possible), None)
