"""A stage as it is told at the terminal: as a sheet to throw by, as it was just played, or as it stands in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from printkit.chance.dice import Dice, Scripted, Seeded
from printkit.core.errors import PrintkitError
from printkit.systems.solo.battle.lines import deployment_lines, head_lines, open_lines, step_lines
from printkit.systems.solo.battle.sheets import sheet_lines
from printkit.systems.solo.tactics.battle_log import COMPOSE, DEPLOY

if TYPE_CHECKING:
    from printkit.systems.solo.battle.battles import Case
    from printkit.systems.solo.battle.stages import Played


def tell_sheet(case: Case, stage: str) -> Iterator[str]:
    """Yield a stage before its dice."""
    yield from head_lines(case)
    yield from sheet_lines(case, stage)


def tell_new(case: Case, stage: str, played: Played) -> Iterator[str]:
    """Yield a stage that was just played."""
    yield from head_lines(case)
    yield from _entry_lines(replace(case, log=played.log), stage)


def tell_played(case: Case, stage: str, play: Callable[[Case], Played]) -> Iterator[str]:
    """Yield a stage as it stands in the log, and what the same dice would give by the facts of now (7.5)."""
    words = case.order.words
    yield from head_lines(case)
    yield words("npg.battle.already")
    yield from _entry_lines(case, stage)
    changed = _replayed(case, stage, play)
    if changed is not None and changed.log.stages[stage].results != case.log.stages[stage].results:
        yield words("npg.battle.would_now")
        yield from step_lines([step.as_data() for step in changed.steps], words, every=case.order.every)


def army_lines(case: Case) -> Iterator[str]:
    """Yield how the NPG's army was made and who attacks, where this run diced for it."""
    words = case.order.words
    for step in case.log.stages[COMPOSE].steps:
        dice = " ".join(str(die) for die in step["dice"])
        said = words(str(step["title"]), slot=step["inputs"].get("slot", ""), element="", of="")
        thrown = f"{words('npg.battle.dice', dice=dice)} -> " if dice else ""
        yield f"{said} [{step['clause']}]: {thrown}{step['result']}"
    codes = case.log.result(COMPOSE, "npg_army")
    yield words("npg.battle.army", elements=" ".join(codes))


def _entry_lines(case: Case, stage: str) -> Iterator[str]:
    words, found = case.order.words, case.log.stages[stage]
    yield from step_lines(found.steps, words, every=case.order.every)
    if stage == DEPLOY:
        yield from deployment_lines(found.results, words)
    yield from open_lines(found.steps, words)


def _replayed(case: Case, stage: str, play: Callable[[Case], Played]) -> Played | None:
    """Return the stage by its own dice and the facts as they are now; None where the dice fit no longer."""
    scores = [str(die) for step in case.log.stages[stage].steps for die in step["dice"]]
    quiet = replace(case.order, table=None)
    try:
        return play(replace(case, order=quiet, dice=Dice(Scripted(scores, Seeded(0)))))
    except PrintkitError:
        return None
