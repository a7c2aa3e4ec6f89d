"""A stage as it is told at the terminal: to throw by, as played, as it stands in the log; and the terrain stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.streams import Jitter
from printkit.core.errors import PrintkitError, ScenarioError, Sentence
from printkit.kit.countryside import default_name_list
from printkit.kit.registry import find, shapes_of
from printkit.kit.system import INPUTS
from printkit.recipes.game.games import roundtrip_record
from printkit.recipes.game.request import Orders
from printkit.recipes.game.roll_text import ThrowText
from printkit.recipes.game.scenarios import build_scenario
from printkit.recipes.output.files import write_folder
from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.game_armies import ATTACKER
from printkit.systems.solo.armies.rules import BOOK
from printkit.systems.solo.battle.battles import (
    BattleCase,
    BattleOrder,
    answered,
    army_place,
    entry,
    going_on,
    laid_by_person,
    open_battle,
    save,
)
from printkit.systems.solo.battle.lines import INDENT, deployment_lines, head_lines, open_lines, sealed_line, step_lines
from printkit.systems.solo.battle.sheets import sheet_lines
from printkit.systems.solo.tactics.battle_file import HAND
from printkit.systems.solo.tactics.battle_log import COMPOSE, DEPLOY, TERRAIN
from printkit.terrain.field.names import draw_name
from printkit.terrain.field.record import Record, write

if TYPE_CHECKING:
    from printkit.systems.solo.battle.stages import StagePlayed

_OF_LOGS: Final = "en"
"""The language in which logs are kept: reasons and answers stand in it as they are."""


def tell_sheet(case: BattleCase, stage: str) -> Iterator[str]:
    """Yield a stage before its dice."""
    yield from head_lines(case)
    yield from sheet_lines(case, stage)


def tell_new(case: BattleCase, stage: str, played: StagePlayed) -> Iterator[str]:
    """Yield a stage that was just played."""
    yield from head_lines(case)
    yield from _entry_lines(replace(case, log=played.log), stage)


def tell_played(case: BattleCase, stage: str, play: Callable[[BattleCase], StagePlayed]) -> Iterator[str]:
    """Yield a stage as it stands in the log, and what the same dice would give by the facts of now (7.5)."""
    words = case.order.words
    yield from head_lines(case)
    yield words("npg.battle.already")
    yield from _entry_lines(case, stage)
    changed = _replayed(case, stage, play)
    if changed is not None and changed.log.stages[stage].results != case.log.stages[stage].results:
        if case.log.shapes < (here := shapes_of(BOOK)):
            yield Sentence(
                "made by an older printkit (shapes version {made}, yours {here}); a different result may "
                "come from the shapes alone",
                made=case.log.shapes,
                here=here,
            )
        yield words("npg.battle.would_now")
        yield from step_lines([step.as_data() for step in changed.steps], case.text, every=case.order.every)


def army_lines(case: BattleCase) -> Iterator[str]:
    """Yield how this run rolled for the NPG's army and who attacks; while the army is hidden, only that."""
    if case.sealed:
        yield sealed_line(case)
        return
    yield from composition_lines(case)
    yield case.order.words("npg.battle.army", elements=" ".join(case.log.result(COMPOSE, "npg_army")))


def composition_lines(case: BattleCase) -> Iterator[str]:
    """Yield the rolls for the NPG's army and for who attacks."""
    words = case.order.words
    for step in case.log.stages[COMPOSE].steps:
        dice = " ".join(str(die) for die in step["dice"])
        said = words(str(step["title"]), slot=step["inputs"].get("slot", ""), element="", of="")
        rolled = f"{words('npg.battle.dice', dice=dice)} -> " if dice else ""
        yield f"{said} [{step['clause']}]: {rolled}{step['result']}"


def _entry_lines(case: BattleCase, stage: str) -> Iterator[str]:
    found = case.log.stages[stage]
    yield from step_lines(found.steps, case.text, every=case.order.every)
    if stage == DEPLOY:
        yield from deployment_lines(found.results, case.text)
    yield from open_lines(found.steps, case.text)


def _replayed(case: BattleCase, stage: str, play: Callable[[BattleCase], StagePlayed]) -> StagePlayed | None:
    """Return the stage by its own dice and the facts as they are now; None where the dice fit no longer."""
    scores = [str(die) for step in case.log.stages[stage].steps for die in step["dice"]]
    quiet = replace(case.order, person=None)
    try:
        return play(replace(case, order=quiet, dice=Dice(ScriptedSource(scores, Seeded(0)))))
    except PrintkitError:
        return None


# --- The terrain of a battle: played by the rule system of the solo game, its record kept beside the battle file ------


def play_terrain(order: BattleOrder) -> Iterator[str]:
    """Choose and place the terrain, keep the map, and yield how it came about.

    Raises:
        ScenarioError: the battle has a map of its own, or one was made already.
    """
    case = open_battle(order)
    if case.battle.map != HAND:
        raise ScenarioError(
            "{path}: [board] already has map = {map!r}; remove it to roll for terrain",
            path=order.path,
            map=case.battle.map,
        )
    if case.log.done(TERRAIN) and not order.again:
        raise ScenarioError(
            "{path}: the terrain is already placed ({map}); roll it again with --again",
            path=order.path,
            map=case.log.result(TERRAIN, "map"),
        )
    record = answered(case, _record)
    name = f"{order.path.stem}-map.json"
    # With --again the map that this battle had before gives way; another file of that name does not.
    write_folder({name: write(record)}, order.path.parent, force=order.again and case.log.done(TERRAIN))
    save(case.log.with_stage(TERRAIN, entry((), map=name)), order.path)
    yield from head_lines(case)
    if case.steps:
        yield from army_lines(case)
    one = order.words.each()[0]
    told = str if one.code == _OF_LOGS else ThrowText(one).tell
    made = {throw[0] for throw in case.log.result(COMPOSE, "throws")}
    for throw in record.log:
        if throw.stage not in made:
            yield f"{INDENT}{told(throw.reason)}: {told(throw.answer)} [{throw.clause}]"
    account = find(BOOK).account(record, order.words)
    for feature in record.battlefield.features:
        yield account.get(feature.id, feature.id)
    yield order.words("npg.battle.map", path=order.path.parent / name)
    if laid_by_person(record):
        yield order.words("npg.battle.yours")


def _record(case: BattleCase) -> Record:
    """Return the battlefield of this battle, by its readings, with the armies as they were made."""
    system, battle, words = find(BOOK), case.battle, case.order.words
    named = {side.value: army_place(battle, side, case.order.path) for side in Side}
    orders = Orders(
        rules=BOOK,
        settings={**battle.settings, **named, "scale": battle.scale},
        options=case.order.settings,
        board=None if battle.width_in is None else f"{battle.width_in:g}in",
        title=battle.title,
        inputs={} if battle.attacker is None else {ATTACKER: battle.attacker.value},
    )
    seed = case.order.seed if case.order.again else case.log.seed or 0
    scenario = build_scenario(system, orders, seed)
    outcome = system.lay_out(scenario, Dice(going_on(case.log, case.dice.source)), Jitter(seed))
    attacker = outcome.details["attack"]
    if not isinstance(attacker, Mapping) or attacker.get("attacker") != case.attacker.value:
        raise ScenarioError(
            "{path}: the terrain was rolled for a different attacker; start over with --again", path=case.order.path
        )
    period = default_name_list(system, outcome.details)
    field = draw_name(outcome.battlefield, words.code, period, Jitter(seed))
    title = battle.title or (words(field.title) if words.has(field.title) else field.title)
    record = Record(
        rules=BOOK,
        battlefield=replace(field, title=title),
        settings={**scenario.settings, **orders.extra_settings_of(period)},
        seed=seed,
        log=outcome.log,
        details={**outcome.details, INPUTS: dict(scenario.inputs)} if scenario.inputs else outcome.details,
        shapes=shapes_of(BOOK),
    )
    return roundtrip_record(system, record)
