"""The note of a reveal: with what a sealed game was revealed, so that it is revealed once and not until it pleases.

Another paper, style, language or title bends nothing, and does not stand in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from printkit import __version__
from printkit.chance.dice import Act
from printkit.core.errors import RecordError, ScenarioError, Sentence
from printkit.core.typed import MemberError, read_json
from printkit.systems.brantley.dealing.closed_game import ClosedGame, fingerprint
from printkit.systems.brantley.dealing.facts import facts_of
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.terrain.field.record import FIRST_SHAPES, Record, write

FORMAT: Final = 1

_TURNS: Final = "placements"
_PACK: Final = "deck"


class NoteOrigin(Struct, frozen=True, kw_only=True):
    """What made a note: its format, and the versions of printkit and of the shapes."""

    revealed: Annotated[int, Meta(ge=1)]
    version: str = __version__
    shapes: Annotated[int, Meta(ge=FIRST_SHAPES)] = FIRST_SHAPES

    def __post_init__(self) -> None:
        if self.revealed > FORMAT:
            raise MemberError("a newer printkit wrote this note; update printkit", "revealed")


class RevealNote(Struct, frozen=True, kw_only=True):
    """With what a sealed game was revealed.

    ``lists`` are those of pieces and courses that the players put down by hand; ``dice`` every die in its order;
    ``field`` is the fingerprint of the record without its names.
    """

    printkit: NoteOrigin
    rules: str = RULES
    game: str
    commitment: str
    turns: tuple[str, ...]
    numbers: Mapping[str, int]
    settings: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]
    dice: tuple[str, ...]
    field: str

    @classmethod
    def of(cls, record: Record, game: ClosedGame) -> RevealNote:
        """Return the note of a record that the reveal of a game has given.

        It has the settings as the deal sealed them, so that each version writes the same.
        """
        facts = facts_of(record)
        return cls(
            printkit=NoteOrigin(revealed=FORMAT, shapes=record.shapes),
            game=game.seal.game,
            commitment=game.commitment,
            turns=facts.inputs.get(_TURNS, ()),
            numbers=facts.numbers,
            settings=game.ruled,
            lists={name: lines for name, lines in facts.inputs.items() if name not in (_TURNS, _PACK)},
            dice=tuple(throw.answer for throw in record.log if throw.act is Act.DIE),
            field=field_fingerprint(record, game.ruled),
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
    del document["printkit"]
    return fingerprint(json.dumps(document, sort_keys=True, separators=(",", ":")))


def write_note(note: RevealNote) -> str:
    """Return the file of a note."""
    return json.dumps(to_builtins(note), ensure_ascii=False, indent=1) + "\n"


def read_note(text: str, file: str) -> RevealNote:
    """Return the note of a text; ``file`` is the name of its file.

    Raises:
        FileError: it is not a note, or was written by a newer printkit.
    """
    return read_json(text, RevealNote, file, Sentence("Use the file as printkit reveal wrote it."))


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
