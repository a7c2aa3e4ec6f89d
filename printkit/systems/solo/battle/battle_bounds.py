"""The NPG's bounds as told at the table: level, PIPs, stance, moves in their order, overrides, kinds of attack."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from printkit.core.words import Words
from printkit.systems.solo.battle.battles import Case
from printkit.systems.solo.battle.lines import bound_lines, head_lines, move_lines, override_lines, step_lines
from printkit.systems.solo.battle.sheets import sheet_lines
from printkit.systems.solo.battle.stages import play_bound, play_override
from printkit.systems.solo.tactics.attacks import attack_class
from printkit.systems.solo.tactics.battle_log import BattleLog
from printkit.systems.solo.tactics.bounds import Losses
from printkit.systems.solo.tactics.override import FREE


def play_and_tell(case: Case, losses: Losses | None) -> tuple[BattleLog, tuple[str, ...]]:
    """Throw the next bound, and return the log to keep and the lines to show."""
    words = case.order.words
    played, made = play_bound(case, losses)
    lines = list(head_lines(case))
    lines += step_lines([step.as_data() for step in played.steps], words, every=case.order.every)
    lines += bound_lines(made, len(played.log.bounds), case.settings, words, overrides=played.log.overrides)
    return played.log, tuple(lines)


def try_override(case: Case) -> tuple[BattleLog, tuple[str, ...]]:
    """Try an override for the bound thrown last, and return the log to keep and the lines to show."""
    words = case.order.words
    played, stance = play_override(case)
    (step,) = played.steps
    lines = [*step_lines([step.as_data()], words), *override_lines(step.result, played.log.overrides, words)]
    if step.result != FREE:
        lines += move_lines(stance, case.settings, words)
    return played.log, tuple(lines)


def tell_sheet(case: Case) -> Iterator[str]:
    """Yield level and stance before their dice."""
    yield from head_lines(case)
    yield from sheet_lines(case, "bound")


def losses_question(case: Case) -> str:
    """Return the question for the losses, with those of the last bound."""
    last = case.log.bounds[-1]
    return case.order.words("npg.battle.losses", npg=last.npg_lost, you=last.you_lost)


def odds_line(chances: tuple[Fraction, Fraction], words: Words) -> str:
    """Return which kind of attack two chances make (AMB-41)."""
    kind = attack_class(*chances)
    return words("npg.battle.no_attack") if kind is None else words(f"npg.battle.action.{kind}")
