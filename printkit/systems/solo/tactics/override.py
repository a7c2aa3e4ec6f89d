"""Ignoring the engine for a bound: three tries a game, each a die (SD-5.4)."""

from __future__ import annotations

from typing import Final

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.tactics.tactics_tables import tactics

FREE: Final = "free"
OBEY: Final = "obey"


def override(used: int, dice: Dice, *, tried_this_bound: bool = False) -> Step:
    """Return what a try gives: ``free`` or ``obey``; it is spent either way, and PIPs stay as they are.

    Args:
        used: tries already spent in this game.
        dice: throws.
        tried_this_bound: one was made in this bound; there is one a bound, before its first PIP (AMB-45).

    Raises:
        ScenarioError: all tries are spent, or one was made in this bound; no die is thrown.
    """
    most = tactics().overrides
    if used >= most:
        raise ScenarioError(
            "all {most} tries to override the engine are spent; play the bound by its list",
            most=most,
            clause="SD-5.4-a",
        )
    if tried_this_bound:
        raise ScenarioError(
            "the engine was to be overridden in this bound already; it is tried once a bound", clause="AMB-45"
        )
    table = tactics().override
    die = dice.d6("override of the engine", lambda score: table.row(score).clause)
    row = table.row(die)
    return Step(
        clause="SD-5.4-a",
        title="npg.battle.step.override",
        inputs={"used_before": used, "used_now": used + 1},
        dice=(die,),
        total=die,
        row=row.clause,
        result=row.outcome,
    )
