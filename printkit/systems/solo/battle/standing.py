"""Where a battle stands: armies, stages, losses, level, overrides, bounds; how it ends; and what is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from printkit.core.errors import UsageError
from printkit.core.paths import is_file
from printkit.core.words import Words
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.battle.battles import BattleCase, log_path
from printkit.systems.solo.battle.lines import INDENT, head_lines, sealed_line
from printkit.systems.solo.tactics.battle_log import COMPOSE, LEVEL, STAGES, TERRAIN, BattleLog
from printkit.systems.solo.tactics.bounds import Losses, winner
from printkit.systems.solo.tactics.tactics_tables import tactics

BOUND: Final = "bound"


# --- Losses, which are told for a whole game or as what a bound brought ----------------------------------------------


def judged_losses(losses: Losses, case: BattleCase) -> Losses:
    """Return losses that can be: no more than an army with its camp, none without its camp and its general.

    They are not less than at the last bound, unless a camp was taken back.

    Raises:
        UsageError: they cannot be.
    """
    before, worth = losses_before(case.log), case.rules.whole("losses_camp_worth")
    for side, lost, had, force in (
        ("npg", losses.npg, before.npg, case.npg),
        ("you", losses.you, before.you, case.you),
    ):
        camp, general = side in losses.camps, side in losses.generals
        most = len(force.elements) + camp * worth
        least = had - worth * (side in before.camps and not camp)
        if lost > most:
            raise UsageError("--lost: {side} cannot have lost {lost} of {most}", side=side, lost=lost, most=most)
        if lost < least:
            raise UsageError(
                "--lost: {side} had lost {before} before this bound, so it cannot have lost {lost}; undo a "
                "wrong bound with --undo",
                side=side,
                before=had,
                lost=lost,
            )
        if lost < camp * worth + general:
            raise UsageError(
                "--lost: {side} has lost {lost}, and its camp counts as {worth} and its general as 1; give "
                "the total of all losses",
                side=side,
                lost=lost,
                worth=worth,
            )
    return losses


def losses_before(log: BattleLog) -> Losses:
    """Return what the NPG and YOU had lost by the last bound."""
    return log.bounds[-1].losses if log.bounds else Losses()


def ended(log: BattleLog, rules: SoloRules) -> str:
    """Return who has won by the losses at the last bound, as ``winner`` does; empty while the game goes on."""
    return winner(log.bounds[-1].losses, rules) if log.bounds else ""


def end_lines(log: BattleLog, rules: SoloRules, words: Words) -> Iterator[str]:
    """Yield that the game is over, where it is."""
    if winner := ended(log, rules):
        lost = losses_before(log)
        yield words(f"npg.battle.end.{winner}", npg=lost.npg, you=lost.you)


# --- Where a battle stands -------------------------------------------------------------------------------------------


def standing(case: BattleCase) -> Iterator[str]:
    """Yield where a battle stands, from its armies to the last bound."""
    words, log = case.order.words, case.log
    yield from head_lines(case)
    codes = log.result(COMPOSE, "npg_army") or []
    yield INDENT + (sealed_line(case) if case.sealed else words("npg.battle.army", elements=" ".join(codes)))
    done = [words(f"npg.battle.stage.{name}") for name in STAGES if log.done(name)]
    yield INDENT + words("npg.battle.show.done", stages=", ".join(done) or words("npg.battle.show.nothing"))
    if level := log.result(LEVEL, "level"):
        yield INDENT + words("npg.battle.show.level", level=words(f"npg.battle.result.level.{level}"))
    left = max(0, tactics(case.rules).overrides - log.overrides)
    yield INDENT + words("npg.battle.override.left", count=left)
    for bound in log.bounds:
        said = words(
            "npg.battle.bound",
            number=bound.number,
            count=bound.pips,
            stance=words(f"npg.battle.result.stance.{bound.stance}"),
        )
        lost = words("npg.battle.show.lost", npg=bound.npg_lost, you=bound.you_lost)
        fallen = "".join(f"; {words(f'npg.battle.show.general.{side}')}" for side in bound.losses.generals)
        tried = f"; {words(f'npg.battle.show.override.{bound.override}')}" if bound.override else ""
        yield f"{said}; {lost}{fallen}{tried}"
    yield from end_lines(log, case.rules, words)


# --- What is taken back ----------------------------------------------------------------------------------------------


def undo(case: BattleCase, stage: str) -> tuple[BattleLog, str]:
    """Return the log without what was done last of a stage, and a line that says what was taken back.

    Of bounds it is the override of the last one, or else that bound, and before the first the level; of another stage
    it is the stage with all that came after it, and of the terrain its map too.

    Raises:
        UsageError: nothing of the stage was done.
    """
    words, log = case.order.words, case.log
    if stage == BOUND and log.bounds:
        last = log.bounds[-1]
        taken = "override" if last.override else "bound"
        return log.without_last_bound(), words(f"npg.battle.undo.{taken}", number=last.number)
    name = LEVEL if stage == BOUND else stage
    if not log.done(name):
        raise UsageError("{path}: there is nothing to undo yet", path=case.order.path)
    if name == TERRAIN:
        _drop_map(case)
    return log.without(name), words("npg.battle.undo.stage", stage=words(f"npg.battle.stage.{name}"))


def _drop_map(case: BattleCase) -> None:
    """Remove the map that the terrain of this battle has made; a file of another name is left."""
    name = str(case.log.result(TERRAIN, "map") or "")
    place: Path = log_path(case.order.path).parent / name
    if name == f"{case.order.path.stem}-map.json" and is_file(place):
        place.unlink()
