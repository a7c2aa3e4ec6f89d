"""A battle of the non-player general: its file read, both armies made, a stage played, its log kept beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.asking import UndoneAnswers
from printkit.chance.dice import Dice, Question, ScriptedSource, Seeded, Source, Throw
from printkit.chance.replaying import ReplaySource
from printkit.core.errors import RecordError, ResourceError, ScenarioError, UsageError, quote_path
from printkit.core.paths import exists, is_file, resolve_sibling
from printkit.core.typed import member_error, place_of
from printkit.core.words import Words
from printkit.kit.registry import find, shapes_of
from printkit.kit.replay import newer_version_line
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import UserPrompts, drop_unknown_clause, play_with_undo
from printkit.recipes.game.request import read_record_file, read_text
from printkit.recipes.output.files import write_folder
from printkit.systems.dba.armies.list_notation import is_notation
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.army_files import (
    names_army_file,
    read_army,
    sample_names,
)
from printkit.systems.solo.armies.composing import STAGES as COMPOSING
from printkit.systems.solo.armies.composing import compose_army, roll_for_attack
from printkit.systems.solo.armies.force import Element, Force, Side, TroopTable, read_troops
from printkit.systems.solo.armies.game_armies import ARMY_CHOICES, choose_options
from printkit.systems.solo.armies.game_armies import STAGE as ARMIES
from printkit.systems.solo.armies.rules import BOOK, SoloRules, load_solo_rules
from printkit.systems.solo.armies.steps import Mode, Step
from printkit.systems.solo.battle.agreement import on_map, refuse_other_game, refuse_other_ground, refuse_other_log
from printkit.systems.solo.battle.composing_job import source_of
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.tactics.battle_file import HAND, Battle, read_battle
from printkit.systems.solo.tactics.battle_log import (
    COMPOSE,
    DEPLOY,
    EDGE,
    STAGES,
    TERRAIN,
    BattleLog,
    StageEntry,
    read_log,
    write_log,
)
from printkit.systems.solo.tactics.ground import situation_of
from printkit.systems.solo.tactics.situation import Situation
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.record import Record

A = TypeVar("A")
T = TypeVar("T")

FACTS: Final = "facts"
"""The stage in which a person tells what only the table knows."""


class BattleOrder(Struct, frozen=True, kw_only=True):
    """What a command line asks for. ``seed`` is fresh where nobody gave one; ``own_seed`` says that somebody did.

    ``person`` is the person at the terminal, who is asked for dice and facts. ``again`` throws a stage anew.
    ``show_npg`` tells what the NPG's army is made of before it is deployed.
    """

    path: Path
    words: Words
    seed: int
    own_seed: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    mode: Mode = Mode.ROLLED
    dice: str | None = None
    person: UserPrompts | None = None
    again: bool = False
    every: bool = False
    show_npg: bool = False


class BattleCase(Pair, frozen=True, kw_only=True):
    """Everything that a stage needs: both armies with their options fixed, the readings, the facts, the log so far."""

    order: BattleOrder
    battle: Battle
    log: BattleLog
    attacker: Side
    field: Battlefield | None
    edge: Edge | None
    dice: Dice
    steps: tuple[Step, ...] = ()

    @property
    def sealed(self) -> bool:
        """Return whether what the NPG's army is made of is not to be told yet."""
        return not (self.order.show_npg or self.order.every or self.log.done(DEPLOY))

    @property
    def text(self) -> CardText:
        """Return the words with the numbers of the rules."""
        return CardText(self.order.words, self.rules)

    @property
    def npg_attacks(self) -> bool:
        """Return whether the NPG is the attacker."""
        return self.attacker is Side.NPG

    def knowing(self, facts: Mapping[str, Any]) -> BattleCase:
        """Return a copy of the case with facts that a person has answered, which outweigh those already known.

        The log of the copy keeps them; nothing is written to disk. Without facts it is the case itself.
        """
        if not facts:
            return self
        return replace(
            self,
            situation=self.situation.knowing(facts, "asked").from_home(littoral=self.you.is_littoral),
            log=replace(self.log, answers={**self.log.answers, **facts}),
        )


def log_path(path: Path) -> Path:
    """Return the place of the log of a battle: ``battle.json`` beside ``battle.toml``.

    Raises:
        UsageError: the battle file has not the name of a TOML file.
    """
    if path.suffix != ".toml":
        raise UsageError(
            "{path} is not a battle file; give the path of a TOML file, for example battle.toml", path=path
        )
    return path.with_suffix(".json")


def save(log: BattleLog, path: Path) -> None:
    """Write the log of a battle beside its file, whole or not at all, in the place of what it was before."""
    place = log_path(path)
    write_folder({place.name: write_log(log)}, place.parent, force=True)


def open_battle(order: BattleOrder) -> BattleCase:
    """Return the case of a battle as it stands; where the NPG's army is not yet made, make it, and dice who attacks.

    Raises:
        ScenarioError: the battle file, an army or a setting is wrong, or YOUR options are open (SD-2.1-a).
        RecordError: the log or the map cannot be read.
        DiceError: a person's dice do not do.
    """
    with drop_unknown_clause(find(BOOK)):
        return play_with_undo(partial(_opened, order))


def answered(case: BattleCase, play: Callable[[BattleCase], T]) -> T:
    """Return what is played of an open battle; a person may take back what he has answered for it, dice and facts."""
    seed = case.log.seed or 0
    with drop_unknown_clause(find(BOOK)):
        return play_with_undo(lambda begun: play(replace(case, dice=Dice(_source(case.order, seed, begun)))))


def answered_after(case: BattleCase, ask: Callable[[], A], play: Callable[[BattleCase, A], T]) -> T:
    """Return what is played of an open battle by what a person was asked before it, which he may take back too.

    Args:
        ask: asks him; it is called again where he takes back what he answered.
    """
    person = case.order.person
    earlier = replace(person, has_earlier_answer=True) if person is not None else None
    ready = replace(case, order=replace(case.order, person=earlier))

    def once() -> T:
        found = ask()
        return answered(ready, lambda one: play(one, found))

    while True:
        try:
            return once()
        except UndoneAnswers:
            continue


def _opened(order: BattleOrder, begun: Sequence[Throw]) -> BattleCase:
    text = read_text(order.path)
    log = _log(order.path)
    try:
        battle = read_battle(text, str(order.path))
        # Settings of the command line outweigh those of the file.
        rules = load_solo_rules(battle.settings, order.settings)
        refuse_other_log(battle, log)
    except ScenarioError as error:
        # The settings of the rules are in the table ``solo``.
        member = tuple("solo" if key == "settings" else key for key in error.member)
        place = place_of(str(order.path), text, member) if member else order.path
        # A setting that no longer exists keeps its exit status.
        raise type(error)("{path}: {error}", path=place, error=error) from None
    found = map_of(battle, log, order.path)
    battle = on_map(battle, None if found is None else found[1].battlefield, rules, order.path)
    rules = load_solo_rules({**battle.settings, "scale": battle.scale}, order.settings)
    played = found[1].seed if found is not None and battle.map != HAND else None
    seeds = (order.seed if order.own_seed else None, log.seed, battle.seed, played)
    seed = next((given for given in seeds if given is not None), order.seed)
    log = replace(log, seed=seed)
    dice = Dice(_Logged(_thrown_for(battle, found, order), _source(order, seed, begun)))
    listed = _your_army(battle, order, log, dice)
    yours = listed.resolve_force()
    npg, attacker, log, steps = _composed(battle, _army(battle, Side.NPG, order), listed, log, dice, rules, order.path)
    diced = log.result(EDGE, "npg_edge")
    edge = battle.edge or (Edge(diced) if diced else None)
    mapped = found[1].battlefield if found is not None and not laid_by_person(found[1]) else None
    known = situation_of(mapped, edge, rules) if mapped is not None else Situation()
    refuse_other_ground(battle, known, order.path)
    given = known.knowing(battle.situation.values, "given")
    try:
        situation = given.knowing(log.answers, "asked")
    except ScenarioError as error:
        raise ScenarioError("{path}: {error}", path=log_path(order.path), error=error) from None
    situation = situation.from_home(littoral=yours.is_littoral)
    return BattleCase(
        order=order,
        battle=battle,
        log=log,
        npg=npg,
        you=yours,
        attacker=attacker,
        rules=rules,
        situation=situation,
        field=mapped,
        edge=edge,
        dice=dice,
        steps=steps,
    )


def entry(steps: tuple[Step, ...], **results: Any) -> StageEntry:
    """Return what the log keeps of a stage."""
    return StageEntry(results=results, steps=tuple(step.as_data() for step in steps))


def needed(case: BattleCase, stage: str, remedy: str) -> None:
    """Refuse what needs the result of an earlier stage.

    Raises:
        ScenarioError: that was not played; says how to.
    """
    if not case.log.done(stage):
        raise ScenarioError(
            "{path}: {remedy}: printkit npg {stage} {path}",
            path=quote_path(case.order.path),
            remedy=remedy,
            stage=stage,
        )


def _log(path: Path) -> BattleLog:
    place = log_path(path)
    if not exists(place):
        return BattleLog(shapes=shapes_of(BOOK))
    log = read_log(read_text(place), str(place))
    if log.shapes > (here := shapes_of(BOOK)):
        raise RecordError("{place}: {error}", place=place, error=newer_version_line(log.shapes, here))
    return log


class _OpenFacts:
    """Leaves a fact that nobody tells open, which is its last option; everything else is thrown by ``then``."""

    def __init__(self, then: Source) -> None:
        self._then = then

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the last option of a fact, or what is thrown."""
        return (len(question.labels) - 1,) if question.stage == FACTS else self._then.pick(question)


def _source(order: BattleOrder, seed: int, begun: Sequence[Throw]) -> Source:
    """Return where dice and facts come from; every stage and every bound has a stream of its own."""
    seeded = Seeded(seed, dict.fromkeys(STAGES, order.seed) if order.again else None)
    return source_of(order.person, order.dice, _OpenFacts(seeded), begun, goes_on=order.own_seed)


def army_place(battle: Battle, side: Side, path: Path) -> str:
    """Return the army of a side as a battle file names it, or the path of its file in the folder of the battle.

    Raises:
        FileError: there is no such army, or its file is missing or outside that folder; names the line.
    """
    name = battle.npg if side is Side.NPG else battle.you
    if name in sample_names() or is_notation(name):
        return name
    try:
        place = resolve_sibling(path, name, key=side.value)
        if not is_file(place):
            read_army(str(place) if names_army_file(name) else name, _troops())
    except ResourceError as error:
        raise member_error(str(path), read_text(path), (), error.sentence, (side.value,)) from None
    return str(place)


def _army(battle: Battle, side: Side, order: BattleOrder) -> Army:
    return read_army(army_place(battle, side, order.path), _troops())


@cache
def _troops() -> TroopTable:
    return read_troops()


def _your_army(battle: Battle, order: BattleOrder, log: BattleLog, dice: Dice) -> Army:
    """Return YOUR army with its options fixed: as its file says, as logged, or of a sample by chance (SD-2.1-a).

    Raises:
        ScenarioError: an army file of your own leaves options open, and nobody is asked.
    """
    army = _army(battle, Side.YOU, order)
    if army.find_open_slots() and (battle.you in sample_names() or order.person is not None or log.done(COMPOSE)):
        chooser = Dice(_Logged(throws_of(log), dice.source)) if log.done(COMPOSE) else dice
        army = choose_options(army, chooser.at(ARMIES))
    army.resolve_force()
    return army


def _composed(
    battle: Battle, army: Army, you: Army, log: BattleLog, dice: Dice, rules: SoloRules, path: Path = Path()
) -> tuple[Force, Side, BattleLog, tuple[Step, ...]]:
    """Return the NPG's army and who attacks: as logged, as the files say, else diced and logged (SD-2)."""
    codes, attacker = log.result(COMPOSE, "npg_army"), log.result(COMPOSE, "attacker")
    if codes and attacker:
        try:
            elements = tuple(
                army.build_element(code.rstrip("*"), general=code.endswith("*")) for code in map(str, codes)
            )
        except ScenarioError as error:
            raise ScenarioError("{path}: {error}", path=log_path(path), error=error) from None
        force = next(army.iter_possible_forces())
        return replace(force, elements=elements), Side(attacker), log, ()
    steps: tuple[Step, ...] = ()
    if army.find_open_slots():
        made = compose_army(army, you, dice, rules)
        force, steps = made.force, tuple(made.steps)
    else:
        force = army.resolve_force()
    side = battle.attacker
    if side is None:
        attack = roll_for_attack(force.aggression, you.aggression, _attack_dice(battle, dice))
        side, steps = attack.attacker, (*steps, attack.step)
    kept = entry(
        steps,
        npg=battle.npg,
        you=battle.you,
        npg_army=[code_of(each) for each in force.elements],
        attacker=side.value,
        throws=[[throw.stage, throw.reason, throw.asked, throw.answer, throw.clause] for throw in dice.log],
    )
    return force, side, log.with_stage(COMPOSE, kept), steps


def log_of_game(battle: Battle, npg: Army, you: Army, record: Record, rules: SoloRules) -> BattleLog:
    """Return the log of a battle that goes on from a recorded game: its armies are made, and it is known who attacks.

    Args:
        battle: names both armies as its file does.
        npg: his list.
        you: YOURS, its choices made or thrown in the game.
        record: the game, whose throws are taken again.
        rules: of the game.
    """
    # The battle names both armies: how the game came to them is not asked again.
    made = (throw for throw in record.log if throw.stage in (ARMIES, *COMPOSING))
    thrown = tuple(throw for throw in made if throw.reason not in ARMY_CHOICES)
    dice = Dice(_Logged(thrown, Seeded(record.seed or 0)))
    yours = choose_options(you, dice.at(ARMIES)) if you.find_open_slots() else you
    return _composed(battle, npg, yours, BattleLog(seed=record.seed, shapes=shapes_of(BOOK)), dice, rules)[2]


def code_of(element: Element) -> str:
    """Return the code of an element as it is written, a general's with a star."""
    return f"{element.code}{'*' if element.general else ''}"


def throws_of(log: BattleLog) -> tuple[Throw, ...]:
    """Return every throw and choice by which the armies were made and the attacker found."""
    return tuple(
        Throw(stage=stage, reason=reason, asked=asked, answer=answer, clause=clause)
        for stage, reason, asked, answer, clause in log.result(COMPOSE, "throws") or ()
    )


def _thrown_for(battle: Battle, found: tuple[RuleSystem, Record] | None, order: BattleOrder) -> tuple[Throw, ...]:
    """Return how the armies were made and the attacker found of the game whose record a battle names; none of others.

    Raises:
        ScenarioError: the battle has other armies, or another attacker, than the record.
    """
    if found is None or battle.map == HAND or found[1].rules != BOOK:
        return ()
    refuse_other_game(battle, found[1], {side.value: _army(battle, side, order).name for side in Side})
    made = (throw for throw in found[1].log if throw.stage in (ARMIES, *COMPOSING))
    return tuple(throw for throw in made if throw.reason not in ARMY_CHOICES)


class _Logged:
    """Answers the stages of a log from it, and every other from ``then``."""

    def __init__(self, log: Sequence[Throw], then: Source) -> None:
        self._replayed = ReplaySource(log, then)
        self._stages = frozenset(throw.stage for throw in log)
        self._then = then

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return what the log says, or what comes now."""
        return (self._replayed if question.stage in self._stages else self._then).pick(question)


def going_on(log: BattleLog, then: Source) -> Source:
    """Return dice that make the same armies again, and throw everything else by ``then``."""
    return _Logged(throws_of(log), then)


def _attack_dice(battle: Battle, dice: Dice) -> Dice:
    """Return the dice for who attacks: a person's own where the file has them; they write in the same log."""
    if battle.attack_dice is None:
        return dice
    return Dice(ScriptedSource([str(die) for die in battle.attack_dice], dice.source, dice.source), log=dice.log)


def laid_by_person(record: Record) -> bool:
    """Return whether a person lays the terrain of a game himself and its record shows none of it (AMB-10)."""
    terrain = record.details.get("terrain")
    by_person = isinstance(terrain, Mapping) and terrain.get("by") == "person"
    return record.rules == BOOK and by_person and not record.battlefield.features


def map_place(battle: Battle, log: BattleLog, path: Path) -> Path | None:
    """Return where the map is that a battle names, or that its terrain stage made; None without one.

    Raises:
        ResourceError: it is outside the folder of the battle.
    """
    own = battle.map != HAND
    name = battle.map if own else str(log.result(TERRAIN, "map") or "")
    if not name:
        return None
    return resolve_sibling(path if own else log_path(path), name if Path(name).suffix else f"{name}.json", key="map")


def map_of(battle: Battle, log: BattleLog, path: Path) -> tuple[RuleSystem, Record] | None:
    """Return the record of the map that a battle names, or of the one that its terrain stage made; None without one.

    Raises:
        ResourceError: it is outside the folder of the battle.
        RecordError: it cannot be read.
        ScenarioError: the file that the log names is missing.
    """
    place = map_place(battle, log, path)
    if place is not None and battle.map == HAND and not exists(place):
        raise ScenarioError(
            "{path}: there is no file {map}, which the log names as the map", path=log_path(path), map=place
        )
    return None if place is None else read_record_file(place)
