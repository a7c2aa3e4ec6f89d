"""The note of a reveal: with what a sealed game was revealed, so that it is revealed once and not until it pleases.

Another paper, style, language or title bends nothing, and does not stand in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from printkit import __version__
from printkit.chance.dice import Act
from printkit.core.errors import RecordError, ScenarioError, Sentence
from printkit.systems.brantley.dealing.closed_game import ClosedGame, fingerprint
from printkit.systems.brantley.dealing.facts import lists_of, numbers_of
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.terrain.field.geojson import parse
from printkit.terrain.field.record import FIRST_SHAPES, Record, shapes_in, write

FORMAT: Final = 1

_TURNS: Final = "placements"
_PACK: Final = "deck"
_MADE: Final = "printkit"


class RevealNote(Struct, frozen=True, kw_only=True):
    """With what a sealed game was revealed.

    ``lists`` are those of pieces and courses that the players put down by hand; ``dice`` every die in its order;
    ``field`` is the fingerprint of the record without its names, ``shapes`` the number of its outlines.
    """

    game: str
    commitment: str
    turns: tuple[str, ...]
    numbers: Mapping[str, int]
    settings: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]
    dice: tuple[str, ...]
    field: str
    shapes: int = FIRST_SHAPES

    @classmethod
    def of(cls, record: Record, game: ClosedGame) -> RevealNote:
        """Return the note of a record that the reveal of a game has given.

        It has the settings as the deal sealed them, so that each version writes the same.
        """
        lists = lists_of(record)
        return cls(
            game=game.seal.game,
            commitment=game.commitment,
            turns=lists.get(_TURNS, ()),
            numbers=numbers_of(record),
            settings=game.ruled,
            lists={name: lines for name, lines in lists.items() if name not in (_TURNS, _PACK)},
            dice=tuple(throw.answer for throw in record.log if throw.act is Act.DIE),
            field=field_fingerprint(record, game.ruled),
            shapes=record.shapes,
        )

    def refuse_other(self, now: RevealNote) -> None:
        """Refuse another reveal of the game than this first one.

        Raises:
            RecordError: the note is of another game.
            ScenarioError: it would give something else; says what, and why it is refused.
        """
        if self.commitment != now.commitment:
            raise RecordError("this note belongs to a different game, {game}; use it with that game", game=self.game)
        for what, before, after in parted(self, now):
            raise ScenarioError(
                "this game was already revealed with {what}: {before}, not {now}; a sealed game is "
                "revealed only once, so that nobody can try again until the result suits them",
                what=what,
                before=before,
                now=after,
                clause="BR-M14",
            )
        if self.field != now.field:
            raise ScenarioError(
                "this game was already revealed with the same cards and dice, but its battlefield differs "
                "because another version of printkit made it; print its record with printkit map --from",
                clause="BR-M14",
            )


def parted(one: RevealNote, other: RevealNote) -> Iterator[tuple[Sentence, object, object]]:
    """Yield in what two reveals of a game differ: what it is, and how it is in either, as short texts."""
    yield from _listed(Sentence("the turns"), one.turns, other.turns)
    yield from _named(Sentence("the number of player"), one.numbers, other.numbers)
    yield from _named(Sentence("the setting"), one.settings, other.settings)
    for name in dict.fromkeys((*one.lists, *other.lists)):
        lines = (each.lists.get(name, ()) for each in (one, other))
        yield from _listed(Sentence("the list {name}", name=name), *lines)
    yield from _listed(Sentence("the dice"), one.dice, other.dice)


def field_fingerprint(record: Record, settings: Mapping[str, str]) -> str:
    """Return a fingerprint of all that a record says of its game, without title and names, which bend nothing.

    ``settings`` are those of the deal, which stand in place of the record's own.
    """
    field = record.battlefield
    bare = replace(field, title="", features=tuple(replace(feature, name="") for feature in field.features))
    document = json.loads(write(replace(record, battlefield=bare, settings=settings)))
    del document[_MADE]
    return fingerprint(json.dumps(document, sort_keys=True, separators=(",", ":")))


def write_note(note: RevealNote) -> str:
    """Return the file of a note."""
    members = msgspec.to_builtins(note)
    made_by = {"revealed": FORMAT, "version": __version__, "shapes": members.pop("shapes")}
    document = {_MADE: made_by, "rules": RULES, **members}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def read_note(text: str) -> RevealNote:
    """Return the note of a file.

    Raises:
        RecordError: it is none, or of a newer printkit.
    """
    document = parse(text)
    made_by = document.get(_MADE)
    stated = made_by.get("revealed") if made_by else None
    if stated is None or not 0 < stated.whole() <= FORMAT:
        raise _no_note()
    try:
        return replace(msgspec.convert(document.value, RevealNote), shapes=shapes_in(document))
    except msgspec.ValidationError:
        raise _no_note() from None


def _no_note() -> RecordError:
    return RecordError("this printkit cannot read this reveal note; use the file as printkit reveal wrote it")


def _listed(what: Sentence, one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[Sentence, object, object]]:
    """Yield the first place at which two lists differ."""
    for place in range(max(len(one), len(other))):
        before, now = (each[place] if place < len(each) else Sentence("nothing") for each in (one, other))
        if before != now:
            yield Sentence("{what}, number {place}", what=what, place=place + 1), before, now
            return


def _named(what: Sentence, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[Sentence, Any, Any]]:
    for name in dict.fromkeys((*one, *other)):
        if one.get(name) != other.get(name):
            before, now = (each.get(name, Sentence("nothing")) for each in (one, other))
            yield Sentence("{what} {name}", what=what, name=name), before, now
