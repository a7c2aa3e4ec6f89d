"""The log of the table aid, a game as a phone has kept it: read as a stranger's file, and played again by the rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from printkit.core.errors import Sentence
from printkit.core.typed import MemberError, member_error, right
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.tactics.battle_log import BattleLog, BoundEntry
from printkit.systems.solo.tactics.bounds import Losses
from printkit.systems.solo.tactics.logged_steps import Score
from printkit.systems.solo.tactics.tactics_tables import FACES, Level, tactics

SCHEMA: Final = "dba-aid-log/1"

BATTLE: Final = "battle"
CARDS: Final = "cards"
DICE: Final = "dice"
OWN: Final = "own"
LUCK: Final = (BATTLE, CARDS, DICE, OWN)
"""Where dice come from: the bounds of the battle's seed, 36 cards without those used, the phone, the person."""

_SIDES: Final = ("npg", "you")
# The most events of a game; a long one has some hundred.
_MOST: Final = 2000
_EVENTS: Final = Sentence("a list of up to {most} events", most=_MOST)


def battle_key(seed: int | None, npg: str, you: str) -> str:
    """Return what a battle is known by: the same on paper, at the laptop and on a phone."""
    said = json.dumps([SCHEMA, None if seed is None else str(seed), npg, you], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


class LevelEvent(Struct, frozen=True, tag_field="what", tag="level"):
    """The aggression level was rolled."""

    level: Level


class BoundEvent(Struct, frozen=True, tag_field="what", tag="bound"):
    """A bound began, with the scores of its dice."""

    pips: Score
    die: Score


class OverrideEvent(Struct, frozen=True, tag_field="what", tag="override"):
    """The player tried to override the NPG's list, with the score of the die."""

    die: Score


class LossEvent(Struct, frozen=True, kw_only=True, tag_field="what", tag="lost"):
    """All that a side has lost so far."""

    side: Literal["npg", "you"]
    elements: Annotated[int, Meta(ge=0)]
    camp: bool = False
    general: bool = False


Event: TypeAlias = LevelEvent | BoundEvent | OverrideEvent | LossEvent


class AidLog(Struct, frozen=True, kw_only=True):
    """What a phone has saved: which battle, both armies by name, and every event of the game in its order."""

    schema: Literal["dba-aid-log/1"]
    battle: str
    npg: str
    you: str
    events: Annotated[tuple[Event, ...], Meta(max_length=_MOST), right(_EVENTS)]


class AidGame(Struct, frozen=True, kw_only=True):
    """A game as its events leave it; ``level`` is None before the first bound, ``losses`` are those of now."""

    level: Level | None = None
    bounds: tuple[BoundEntry, ...] = ()
    losses: Losses = Losses()


def played(log: AidLog, npg: Force, you: Force, rules: SoloRules, file: str) -> AidGame:
    """Return the game that events make by the rules of a battle; the phone's own results are ignored.

    Raises:
        FileError: an event is not possible at its place; names it and ``file``.
    """
    game = AidGame()
    for index, event in enumerate(log.events):
        try:
            game = _after(game, event, {"npg": npg, "you": you}, rules)
        except MemberError as error:
            raise member_error(file, None, ("events", index), error.reason) from None
    return game


def events_of(log: BattleLog, level: str | None, rules: SoloRules) -> list[dict[str, Any]]:
    """Return the events by which a page goes on from the log of a battle."""
    found: list[dict[str, Any]] = []
    if level:
        found.append({"what": "level", "level": level, "die": 0, "by": BATTLE})
    before = Losses()
    for bound in log.bounds:
        found += (_lost(bound.losses, side, rules) for side in _SIDES if _own(bound.losses, side) != _own(before, side))
        before = bound.losses
        found.append({"what": "bound", "pips": bound.pips, "die": bound.die, "by": BATTLE})
        if bound.override:
            die = next(die for die in FACES if tactics(rules).override.look_up(die) == bound.override)
            found.append({"what": "override", "die": die, "by": BATTLE})
    return found


def _own(losses: Losses, side: str) -> tuple[int, bool, bool]:
    return getattr(losses, side), getattr(losses, f"{side}_camp"), getattr(losses, f"{side}_general")


def _lost(losses: Losses, side: str, rules: SoloRules) -> dict[str, Any]:
    count, camp, general = _own(losses, side)
    elements = max(0, count - camp * rules.whole("losses_camp_worth"))
    return {"what": "lost", "side": side, "elements": elements, "camp": camp, "general": general}


def _after(game: AidGame, event: Event, forces: Mapping[str, Force], rules: SoloRules) -> AidGame:
    """Return a game after an event.

    Raises:
        MemberError: the event is not possible in this game.
    """
    tables, losses = tactics(rules), game.losses
    match event:
        case LevelEvent(level=level):
            if game.level is not None:
                raise MemberError("the aggression level is rolled once per game; write a bound", "what")
            return replace(game, level=level)
        case BoundEvent(pips=pips, die=die):
            if game.level is None:
                raise MemberError("a bound cannot come before the aggression level", "what")
            net = tables.net_of(game.level, losses.npg, losses.you)
            entry = BoundEntry(
                number=len(game.bounds) + 1,
                pips=pips,
                die=die,
                net=net,
                npg_lost=losses.npg,
                you_lost=losses.you,
                stance=tables.stance_at(tables.base(pips, die) + net).value,
                camps=losses.camps,
                generals=losses.generals,
            )
            return replace(game, bounds=(*game.bounds, entry))
        case OverrideEvent(die=die):
            if not game.bounds or game.bounds[-1].override:
                raise MemberError("one override is possible in a bound, after its stance is known", "what")
            if sum(1 for bound in game.bounds if bound.override) >= tables.overrides:
                raise MemberError(
                    "only {most} attempts to override the NPG's list are possible", "what", most=tables.overrides
                )
            last = replace(game.bounds[-1], override=tables.override.look_up(die))
            return replace(game, bounds=(*game.bounds[:-1], last))
        case LossEvent(side=side, elements=elements, camp=camp, general=general):
            if elements > (most := len(forces[side].elements)):
                raise MemberError(
                    "elements = {elements} is not valid. Write a whole number from 0 to {most}.",
                    "elements",
                    elements=elements,
                    most=most,
                )
            count = elements + camp * rules.whole("losses_camp_worth")
            lost = {side: count, f"{side}_camp": camp, f"{side}_general": general}
            return replace(game, losses=replace(losses, **lost))
