"""What a record keeps of a game besides features, read as what it must be: zones, hill dice, courses, deployment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct, ValidationError, convert, to_builtins

from printkit.core.errors import DiceError, Sentence
from printkit.systems.brantley.dealing.cards import read_card
from printkit.systems.brantley.dealing.deal import PLAYERS
from printkit.terrain.field.geojson import Member
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.systems.brantley.dealing.closed_game import ClosedGame, Seal

SEAL: Final = "seal"
SALT: Final = "salt"
"""Members in which a game that was dealt in secret keeps what its sheets bore."""

SEALED: Final = "sealed"
"""The member with the whole closed part of such a game."""

NUMBERS: Final = "numbers"
"""The member with the numbers that its players have added, by the player."""

_INPUTS: Final = "inputs"

SETTLED_BEFORE: Final = (SEAL, SALT, SEALED, NUMBERS)
"""All members that tell of the deal, and that no throw of the game gives."""

ENDS: Final = ("edge", "lake", "bua", "river", "road")
"""What a course may end in, as records write it."""


class ZoneFacts(Struct, frozen=True, kw_only=True):
    """One zone as a record lists it: its card by code, who laid it when, and what it gave; empty where it is silent."""

    number: int
    card: str = ""
    placed_by: str = ""
    turn: int | None = None
    is_blind: bool = False
    result: str = ""


class HillDice(Struct, frozen=True, kw_only=True):
    """The dice of a hill: the slope thrown and what it counts for, and the woods, None where they were not thrown."""

    slope: int
    modified: int
    woods: int | None


class CourseFacts(Struct, frozen=True, kw_only=True):
    """A river or road as a record writes it: its ID, its start, and what it ends in; empty where it is silent."""

    id: str
    start: str = ""
    ends_in: str = ""
    end: str = ""


def zones_of(record: Record) -> tuple[ZoneFacts, ...]:
    """Return the zones of a record.

    Raises:
        RecordError: a member is missing or of the wrong type; names it.
    """
    return tuple(
        ZoneFacts(
            number=zone.need("n", Sentence("write the number of the zone")).whole(),
            card=_card(zone.get("card")),
            placed_by=_player(zone.get("placed_by")),
            turn=turn.whole() if (turn := zone.get("turn")) else None,
            is_blind=bool((blind := zone.get("blind")) and blind.value is True),
            result=_text(zone.get("result")),
        )
        for zone in _entries(record, "zones")
    )


def hills_of(record: Record) -> Mapping[int, HillDice]:
    """Return the dice of each hill by its zone; an entry that lacks one is left out.

    Raises:
        RecordError: a member is of the wrong type; names it.
    """
    found = {}
    for entry in _entries(record, "hills"):
        zone, slope, modified, woods = (entry.get(name) for name in ("zone", "slope", "modified", "woods"))
        if zone and slope and modified:
            dice = HillDice(slope=slope.whole(), modified=modified.whole(), woods=woods.whole() if woods else None)
            found[zone.whole()] = dice
    return found


def courses_of(record: Record, *stages: str) -> Mapping[str, CourseFacts]:
    """Return the rivers and roads by their IDs.

    Raises:
        RecordError: a member is missing or of the wrong type; names it.
    """
    found = {}
    for entry in (entry for stage in stages for entry in _entries(record, stage)):
        name, end = entry.need("id", Sentence("name the river or road")).text(), entry.get("end")
        sort = next((each for each in ENDS if end and end.get(each)), "")
        found[name] = CourseFacts(
            id=name, start=_text(entry.get("start")), ends_in=sort, end=_text(end.get(sort) if end else None)
        )
    return found


def texts_of(member: Member | None) -> tuple[str, ...]:
    """Return a list of texts, which is empty where the member is missing."""
    return tuple(part.text() for part in member.items()) if member else ()


def text_of(record: Record, *names: str) -> str:
    """Return a text, step by step down; empty where it is missing."""
    return _text(_found(record, *names))


def pack_of(record: Record) -> tuple[str, ...]:
    """Return the pack in the order shuffled, by code; empty where the record has none."""
    return texts_of(_found(record, "deck"))


def seal_of(record: Record) -> Seal | None:
    """Return what the sheets of a deal bore; None where nothing was dealt in secret."""
    if _found(record, SEAL) is None:
        return None
    # A map of a game that was never secret does not load how games are closed.
    from printkit.systems.brantley.dealing.closed_game import Seal

    is_open = _found(record, SEAL, "open")
    return Seal(
        game=text_of(record, SEAL, "game"),
        commitment=text_of(record, SEAL, "commitment"),
        is_open=is_open is not None and is_open.value is True,
    )


def seal_facts(game: ClosedGame, numbers: Mapping[str, int] = {}) -> dict[str, object]:
    """Return what the record of a revealed game keeps: its reveal sheet is printed of it, and the deal proven."""
    seal = game.seal
    return {
        SEAL: {"game": seal.game, "commitment": seal.commitment, **({"open": True} if seal.is_open else {})},
        SALT: game.salt,
        SEALED: to_builtins(game),
        **({NUMBERS: dict(numbers)} if numbers else {}),
    }


def numbers_of(record: Record) -> dict[str, int]:
    """Return the numbers that the players of a sealed game have added, by the player.

    Raises:
        RecordError: a member is of the wrong type; names it.
    """
    member = _found(record, NUMBERS)
    return {player: own.whole() for player, own in member.pairs() if player in PLAYERS} if member else {}


def lists_of(record: Record) -> dict[str, tuple[str, ...]]:
    """Return the lists of a scenario that a record was made of, by their names.

    Raises:
        RecordError: a list is none of texts; names it.
    """
    member = _found(record, _INPUTS)
    return {name: texts_of(lines) for name, lines in member.pairs()} if member else {}


def sealed_of(record: Record) -> ClosedGame | None:
    """Return the closed part that a record keeps; None where it keeps none.

    Raises:
        RecordError: it is none.
    """
    member = _found(record, SEALED)
    if member is None:
        return None
    from printkit.systems.brantley.dealing.closed_game import ClosedGame

    try:
        return convert(member.value, ClosedGame)
    except ValidationError:
        raise member.wrong("the value sealed at the deal") from None


def _found(record: Record, *names: str) -> Member | None:
    member: Member | None = Member(dict(record.details), record.rules)
    for name in names:
        member = member.get(name) if member else None
    return member


def _entries(record: Record, name: str) -> Iterator[Member]:
    member = _found(record, name)
    return member.items() if member else iter(())


def _text(member: Member | None) -> str:
    return member.text() if member else ""


def _player(member: Member | None) -> str:
    if member and member.text() not in ("", *PLAYERS):
        raise member.wrong("A or B")
    return _text(member)


def _card(member: Member | None) -> str:
    if member is None:
        return ""
    try:
        return str(read_card(member.text()))
    except DiceError:
        raise member.wrong("a card such as 10S or QH") from None
