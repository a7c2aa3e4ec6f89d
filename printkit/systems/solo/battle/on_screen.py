"""A battle on a screen: where it stands as plain values, the chances of an attack, and what a screen may do with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.paths import is_file
from printkit.core.words import Words
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.force import read_troops
from printkit.systems.solo.armies.plain_list import PlainList, read_plain_list
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, map_place, open_battle
from printkit.systems.solo.battle.facts import question_of
from printkit.systems.solo.battle.file_changes import own_army, tell_edge, tell_fact
from printkit.systems.solo.battle.lines import head_lines, signed
from printkit.systems.solo.battle.sheets import odds_line, read_chances
from printkit.systems.solo.battle.stages import open_facts
from printkit.systems.solo.battle.standing import end_lines
from printkit.systems.solo.tactics.battle_log import DEPLOY, LEVEL, STAGES, TERRAIN
from printkit.systems.solo.tactics.combat_odds import THROWS, combat_odds, fighting_types
from printkit.systems.solo.tactics.situation import FactValue, choices_of, is_number
from printkit.systems.solo.tactics.tactics_tables import Stance, tactics

_MOST: Final = 12
"""The greatest number of elements that a fact may name on a screen."""


class ScreenMove(Struct, frozen=True, kw_only=True):
    """A move that the stance permits: its place in the list, its name, what it means, and its clause."""

    place: int
    title: str
    meaning: str
    clause: str


class ScreenBound(Struct, frozen=True, kw_only=True):
    """A bound: its number, both dice, the stance in words and as a key, how it came, and an override in words."""

    number: int
    pips: int
    die: int
    stance: str
    key: str
    why: str
    override: str


class ScreenFact(Struct, frozen=True, kw_only=True):
    """A fact that only the table knows: its name, its question, its answers as values, and the one that was given."""

    name: str
    question: str
    answers: tuple[str, ...]
    given: str


class ScreenBattle(Struct, frozen=True, kw_only=True):
    """Where a battle stands.

    ``lines`` tell who fights whom; ``map`` is the record of the ground, where one lies; ``done`` are the stages that
    were played; ``edge_left`` says that the base edge that is left to him is still to be written down; ``lost`` and
    ``camps`` are the losses at the last bound, the NPG's first; ``most`` is the most that each side can lose; ``over``
    says who has won, and is empty while nobody has.
    """

    npg: str
    you: str
    attacks: bool
    lines: tuple[str, ...]
    map: Path | None
    done: tuple[str, ...]
    edge_left: bool
    ground: bool
    level: str
    overrides: int
    bounds: tuple[ScreenBound, ...]
    moves: tuple[ScreenMove, ...]
    walk: str
    facts: tuple[ScreenFact, ...]
    lost: tuple[int, int]
    camps: tuple[bool, bool]
    most: tuple[int, int]
    over: str

    @property
    def next_stage(self) -> str:
        """Return what comes next: a stage, or ``bound``; a swap may be proposed, and is never due."""
        if DEPLOY in self.done:
            return "bound"
        if not self.ground:
            return TERRAIN
        return "edge" if self.attacks and "edge" not in self.done else DEPLOY


class ScreenOdds(Struct, frozen=True, kw_only=True):
    """Of how many throws an attacker destroys and is destroyed, and which attack that is."""

    kill: int
    die: int
    of: int
    attack: str


def standing(path: Path, words: Words) -> ScreenBattle:
    """Return where a battle stands; nothing is thrown, and nothing is written.

    Raises:
        ScenarioError: its file, an army or a setting is wrong.
        RecordError: its log or its map cannot be read.
    """
    case = open_battle(BattleOrder(path=path, words=words, seed=0))
    log = case.log
    last = log.bounds[-1] if log.bounds else None
    level = log.result(LEVEL, "level")
    worth = case.rules.whole("losses_camp_worth")
    sides = tuple(len(force.elements) + worth for force in (case.npg, case.you))
    camps = last.camps if last else ()
    return ScreenBattle(
        npg=named(case.npg.name, words),
        you=named(case.you.name, words),
        attacks=case.npg_attacks,
        lines=tuple(line.strip() for line in head_lines(case)),
        map=_map(case),
        done=tuple(name for name in STAGES if log.done(name)),
        edge_left=not case.npg_attacks and case.edge is None,
        ground=case.field is not None or log.done(TERRAIN) or bool(case.battle.situation.values),
        level=words(f"npg.battle.result.level.{level}") if level else "",
        overrides=max(0, tactics(case.rules).overrides - log.overrides),
        bounds=tuple(_bounds(case)),
        moves=() if last is None else tuple(_moves(Stance(last.stance), case)),
        walk=words("npg.battle.walk"),
        facts=tuple(_facts(case)),
        lost=(last.npg_lost, last.you_lost) if last else (0, 0),
        camps=("npg" in camps, "you" in camps),
        most=(sides[0], sides[1]),
        over=" ".join(end_lines(log, case.rules, words)),
    )


def _map(case: BattleCase) -> Path | None:
    place = map_place(case.battle, case.log, case.order.path)
    return place if place is not None and is_file(place) else None


def _bounds(case: BattleCase) -> Iterator[ScreenBound]:
    words, rows = case.order.words, tactics(case.rules)
    for each in case.log.bounds:
        base = rows.base(each.pips, each.die)
        added = base - each.die + each.net
        yield ScreenBound(
            number=each.number,
            pips=each.pips,
            die=each.die,
            stance=words(f"npg.battle.result.stance.{each.stance}"),
            key=each.stance,
            why=f"{each.die} {signed(added)} = {base + each.net}".replace("-", "−"),
            override=words(f"npg.battle.show.override.{each.override}") if each.override else "",
        )


def _moves(stance: Stance, case: BattleCase) -> Iterator[ScreenMove]:
    for move in tactics(case.rules).permitted[stance]:
        yield ScreenMove(
            place=move.place,
            title=case.order.words(f"npg.cards.action.{move.action}"),
            meaning=case.text(f"definition.{move.action}"),
            clause=move.clause,
        )


def _facts(case: BattleCase) -> Iterator[ScreenFact]:
    given = case.battle.situation.values
    for name in dict.fromkeys((*given, *open_facts(case))):
        yield ScreenFact(
            name=name, question=question_of(name, case.text), answers=_answers(name), given=_said(given.get(name))
        )


def _answers(name: str) -> tuple[str, ...]:
    """Return what a fact may be, as a form says it: numbers, the words of the battle file, or yes and no."""
    return tuple(map(str, range(_MOST + 1))) if is_number(name) else choices_of(name) or ("yes", "no")


def _said(value: FactValue | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


# --- Chances ----------------------------------------------------------------------------------------------------------


def types() -> tuple[str, ...]:
    """Return the codes of the types that fight."""
    return tuple(each.code for each in fighting_types(read_troops()))


def odds(attacker: str, defender: str, words: Words) -> ScreenOdds:
    """Return the chances of an attack, front to front in good going, alone on both sides.

    Raises:
        UsageError: no such type.
    """
    known = {each.code: each for each in fighting_types(read_troops())}
    for code in (attacker, defender):
        if code not in known:
            raise UsageError("there is no type {code!r}; use one of {known}", code=code, known=", ".join(known))
    found = combat_odds(known[attacker], known[defender])
    chances = Fraction(found.kill, THROWS), Fraction(found.die, THROWS)
    return ScreenOdds(kill=found.kill, die=found.die, of=THROWS, attack=odds_line(chances, words))


def own_odds(chances: str, words: Words) -> str:
    """Return what kind of attack two chances make, as ``1/6,1/12`` to kill and to die (AMB-41).

    Raises:
        UsageError: they are no two chances.
    """
    return odds_line(read_chances(chances), words)


class LoneBattles(Struct, frozen=True, kw_only=True):
    """What a screen may do with a battle; each is a function of the same name, here or in ``file_changes``."""

    standing: Callable[[Path, Words], ScreenBattle]
    tell_fact: Callable[[Path, str, str], None]
    tell_edge: Callable[[Path, str], None]
    own_army: Callable[[str, Path], str]
    read_list: Callable[[str, str, Words], PlainList]
    types: Callable[[], tuple[str, ...]]
    odds: Callable[[str, str, Words], ScreenOdds]
    own_odds: Callable[[str, Words], str]


BATTLES: Final = LoneBattles(
    standing=standing,
    tell_fact=tell_fact,
    tell_edge=tell_edge,
    own_army=own_army,
    read_list=read_plain_list,
    types=types,
    odds=odds,
    own_odds=own_odds,
)
