"""The log of the table aid, a game as a phone has kept it: read as a stranger's file, and played again by the rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import RecordError, Sentence
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.tactics.battle_log import BattleLog, BoundEntry
from printkit.systems.solo.tactics.bounds import Losses
from printkit.systems.solo.tactics.tactics_tables import FACES, Level, tactics
from printkit.terrain.field.geojson import Member, parse

SCHEMA: Final = "dba-aid-log/1"

BATTLE: Final = "battle"
CARDS: Final = "cards"
DICE: Final = "dice"
OWN: Final = "own"
LUCK: Final = (BATTLE, CARDS, DICE, OWN)
"""Where dice come from: the bounds of the battle's seed, 36 cards without those used, the phone, the person."""

_SIDES: Final = ("npg", "you")
_MOST: Final = 2000
"""Events of a game; one of some hundred is a long one."""


def battle_key(seed: int | None, npg: str, you: str) -> str:
    """Return what a battle is known by: the same on paper, at the laptop and on a phone."""
    said = json.dumps([SCHEMA, None if seed is None else str(seed), npg, you], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


class AidLog(Struct, frozen=True, kw_only=True):
    """What a phone has kept: which battle, both armies by name, and every event of the game in its order."""

    battle: str
    npg: str
    you: str
    events: tuple[Member, ...]


def read_aid_log(text: str) -> AidLog:
    """Return the log of a text; its events are judged when they are played.

    Raises:
        RecordError: it is no such log, or too long for one.
    """
    document = parse(text)
    schema = document.need("schema", Sentence('write "schema": "{schema}"', schema=SCHEMA))
    if schema.value != SCHEMA:
        raise schema.wrong('"{schema}"', schema=SCHEMA)

    def text_of(name: str) -> str:
        return document.need(name, Sentence("a log of the table aid must name its battle and both armies")).text()

    events = document.need("events", Sentence("a log of the table aid must have a list of events"))
    found = tuple(events.items())
    if len(found) > _MOST:
        raise RecordError("a log of the table aid has at most {most} events, not {count}", most=_MOST, count=len(found))
    return AidLog(battle=text_of("battle"), npg=text_of("npg"), you=text_of("you"), events=found)


class AidGame(Struct, frozen=True, kw_only=True):
    """A game as its events leave it; ``level`` is None before the first bound, ``losses`` are those of now."""

    level: Level | None = None
    bounds: tuple[BoundEntry, ...] = ()
    losses: Losses = Losses()


def played(log: AidLog, npg: Force, you: Force, rules: SoloRules) -> AidGame:
    """Return the game that events make by the rules of a battle; the phone's own arithmetic is not believed.

    Raises:
        RecordError: an event cannot be, by itself or where it stands; names it.
    """
    game = AidGame()
    for event in log.events:
        what = event.need("what", Sentence("write one of {kinds}", kinds=", ".join(_KINDS))).text()
        if what not in _KINDS:
            raise event.wrong("an event; write one of {kinds}", kinds=", ".join(_KINDS))
        game = _KINDS[what](game, event, {"npg": npg, "you": you}, rules)
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


# --- Each kind of event -----------------------------------------------------------------------------------------------

_Forces = Mapping[str, Force]


def _level(game: AidGame, event: Member, _: _Forces, __: SoloRules) -> AidGame:
    if game.level is not None:
        raise event.wrong("a bound: the aggression level is rolled once per game")
    level = event.need("level", Sentence("write one of {levels}", levels=", ".join(Level)))
    if level.text() not in list(Level):
        raise level.wrong("one of {levels}", levels=", ".join(Level))
    return replace(game, level=Level(level.text()))


def _bound(game: AidGame, event: Member, _: _Forces, rules: SoloRules) -> AidGame:
    if game.level is None:
        raise event.wrong("the aggression level, which comes before the first bound")
    tables, pips, die = tactics(rules), _die(event, "pips"), _die(event, "die")
    net = tables.net_of(game.level, game.losses.npg, game.losses.you)
    entry = BoundEntry(
        number=len(game.bounds) + 1,
        pips=pips,
        die=die,
        net=net,
        npg_lost=game.losses.npg,
        you_lost=game.losses.you,
        stance=tables.stance_at(tables.base(pips, die) + net).value,
        camps=game.losses.camps,
        generals=game.losses.generals,
    )
    return replace(game, bounds=(*game.bounds, entry))


def _override(game: AidGame, event: Member, _: _Forces, rules: SoloRules) -> AidGame:
    tables = tactics(rules)
    if not game.bounds or game.bounds[-1].override:
        raise event.wrong("a bound: you may try one override, after you know the stance of the bound")
    if sum(1 for bound in game.bounds if bound.override) >= tables.overrides:
        raise event.wrong("one of {most} attempts to override the NPG's list", most=tables.overrides)
    last = replace(game.bounds[-1], override=tables.override.look_up(_die(event, "die")))
    return replace(game, bounds=(*game.bounds[:-1], last))


def _losses(game: AidGame, event: Member, forces: _Forces, rules: SoloRules) -> AidGame:
    side = event.need("side", Sentence("write npg or you"))
    if side.text() not in _SIDES:
        raise side.wrong('"npg" or "you"')
    elements = event.need("elements", Sentence("write the number of elements lost so far"))
    most = len(forces[side.text()].elements)
    if not 0 <= elements.whole() <= most:
        raise elements.wrong("a number from 0 to {most}", most=most)
    camp, general = (found.yes_no() if (found := event.get(name)) else False for name in ("camp", "general"))
    count = elements.whole() + camp * rules.whole("losses_camp_worth")
    name = side.text()
    return replace(game, losses=replace(game.losses, **{name: count, f"{name}_camp": camp, f"{name}_general": general}))


def _die(event: Member, name: str) -> int:
    die = event.need(name, Sentence("the score of a die, from 1 to 6"))
    if die.whole() not in FACES:
        raise die.wrong("the score of a die, from 1 to 6")
    return die.whole()


_KINDS: Final[Mapping[str, Callable[[AidGame, Member, _Forces, SoloRules], AidGame]]] = {
    "level": _level,
    "bound": _bound,
    "override": _override,
    "lost": _losses,
}
