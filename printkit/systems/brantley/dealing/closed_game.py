"""The closed game: everything about a deal in one file until the reveal, and the commitment to that deal.

The file is an envelope and no safe. What nobody may see yet is packed so that whoever opens the file by accident, or
searches a disk for it, reads no card; who wants to cheat can unpack it. That nobody changed it in the meantime is
another matter: the commitment on the sheets that the players hold proves it (BR-M13).
"""

from __future__ import annotations

import json
import textwrap
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from printkit import __version__
from printkit.chance.streams import Stream
from printkit.core.errors import DiceError, FileError, RecordError, Sentence
from printkit.core.reading import MOST_BYTES
from printkit.core.typed import MemberError, read_json
from printkit.kit.rules import OWN_KEYS
from printkit.systems.brantley.dealing.cards import read_card
from printkit.systems.brantley.dealing.deal import PLAYERS, Deal, deal_hands
from printkit.systems.brantley.dealing.facts import GameFacts, Seal
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.terrain.field.record import FIRST_SHAPES, read_members

# --- The commitment to a deal -----------------------------------------------------------------------------------------

DIGITS: Final = 32
"""Hexadecimal digits of a commitment: 128 bits, too many for anybody to find a second deal that has the same."""

OLD_DIGITS: Final = 16
"""Those of games dealt by the first closed games, which were bound to salt and pack alone; records still have them."""

SALT_DIGITS: Final = 32

_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"
_WORDS: Final = 2


def pack_commitment(salt: str, codes: Sequence[str]) -> str:
    """Return the old commitment to a pack alone, given by the codes of its cards, the top one first."""
    return fingerprint(f"{salt}|{','.join(codes)}")[:OLD_DIGITS]


def game_name(commitment: str) -> str:
    """Return a name that can be said on the telephone, as ``lusab-babad``.

    It is the beginning of the commitment, five letters for four digits, and so tells no more than that does.
    """
    return "-".join(_word(int(commitment[4 * place : 4 * place + 4], 16)) for place in range(_WORDS))


def salt_of(seed: int) -> str:
    """Return the salt of an open game, so that the same command gives the same files.

    Who knows such a seed can deal the pack himself; a deal that has to stay secret takes a salt from nowhere.
    """
    stream = Stream(f"salt/{seed}")
    return "".join(f"{stream.draw_index(16):x}" for _ in range(SALT_DIGITS))


def _word(bits: int) -> str:
    """Return sixteen bits as consonant, vowel, consonant, vowel, consonant."""
    letters = [_CONSONANTS[bits & 15]]
    bits >>= 4
    for _ in range(2):
        letters += [_VOWELS[bits & 3], _CONSONANTS[bits >> 2 & 15]]
        bits >>= 6
    return "".join(reversed(letters))


# 3 since the commitment binds ``shapes`` too, 4 since settings of version 0.2 no longer exist, 5 since the turns are in
# a journal.
FORMAT: Final = 5

# The format of the journal that binds the turns of a game, ``game.txt``.
JOURNAL: Final = 1

# The first format of which the commitment binds dice and settings.
_OLDEST: Final = 2

_LINE: Final = 100
_SPOILT: Final = Sentence(
    "the sealed part cannot be opened because it was changed or truncated; use the file as printkit deal wrote it"
)


class ClosedGame(Struct, frozen=True, kw_only=True):
    """A deal before its reveal, with all that decides the battlefield but for the turns of the players.

    ``pack`` are the codes of its cards. ``settings`` have a value for every key of the rule book of the version that
    dealt it, and those that hold for every rule system. ``first`` lays the first card; ``thrown`` are the dice that
    settled it, where it was thrown for (BR-D1). ``dice`` are those of a person's own dice that the deal did not need.
    ``goes_on`` says that the seed may throw on where his dice run out. ``is_open`` says that pack and salt come from
    the seed. ``shapes`` is the number of the outlines of the rules when the cards were dealt (``kit.plugin.Plugin``).
    ``journal`` is the format of the journal of its turns; 0 for a game of version 0.2, whose turns no code binds.
    """

    salt: str
    pack: tuple[str, ...]
    seed: int
    settings: Mapping[str, str]
    first: str
    board: str
    thrown: tuple[str, ...]
    dice: tuple[str, ...]
    goes_on: bool
    inputs: Mapping[str, tuple[str, ...]]
    is_open: bool = False
    shapes: int = FIRST_SHAPES
    journal: int = 0

    @property
    def members(self) -> dict[str, Any]:
        """Return all of it as builtin values, as the record of the game has it."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        if not self.journal:
            # Records of version 0.2 do not have this member.
            del members["journal"]
        return members

    @property
    def canonical(self) -> str:
        """Return all of it as one text that has one form only: JSON with its keys in order and no spaces."""
        members = self.members
        if self.shapes == FIRST_SHAPES:
            # Games dealt before there were such numbers keep the commitment of their sheets.
            del members["shapes"]
        return json.dumps(members, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def commitment(self) -> str:
        """Return the commitment to everything that the deal settled: it begins the SHA-256 of that text (BR-M13)."""
        return fingerprint(self.canonical)[:DIGITS]

    @property
    def seal(self) -> Seal:
        """Return the name of the game and the commitment to it."""
        return Seal(game=game_name(self.commitment), commitment=self.commitment, is_open=self.is_open)

    @property
    def dealt(self) -> Deal:
        """Return the hands and the ninth card."""
        return deal_hands([read_card(code) for code in self.pack])

    @property
    def ninth(self) -> str:
        """Return what becomes of the last zone: ``blind`` or ``clear`` (BR-Q20)."""
        return self.settings["br-q20"]

    @property
    def ruled(self) -> dict[str, str]:
        """Return the settings that are those of its rules."""
        return {key: text for key, text in self.settings.items() if key not in OWN_KEYS}


def sealed_of(facts: GameFacts) -> ClosedGame | None:
    """Return the sealed part of a revealed game from its record, or None if the record does not have it.

    Raises:
        RecordError: it does not have the form of a sealed game.
    """
    return None if facts.sealed is None else read_members(facts.sealed, ClosedGame, RULES, "sealed")


def fingerprint(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits."""
    return sha256(text.encode(errors="backslashreplace")).hexdigest()


def write(game: ClosedGame, note: str) -> str:
    """Return the file of a closed game; ``note`` tells a person who opens it what it is."""
    packed = b64encode(zlib.compress(game.canonical.encode(), 9)).decode()
    document = {
        "printkit": {"closed_game": FORMAT, "version": __version__, "shapes": game.shapes},
        "rules": RULES,
        "game": game.seal.game,
        "commitment": game.seal.commitment,
        "note": note,
        "closed": textwrap.wrap(packed, _LINE),
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


class _Origin(Struct, frozen=True, kw_only=True):
    closed_game: int | None = None
    shapes: Annotated[int, Meta(ge=FIRST_SHAPES)] = FIRST_SHAPES


class _SealedFile(Struct, frozen=True, kw_only=True):
    """The file of a sealed game. A member that is missing does not match the sealed part.

    ``closed`` is a list of texts; no error may quote it.
    """

    printkit: _Origin = _Origin()
    rules: str = ""
    game: str = ""
    commitment: str = ""
    closed: Any = ()

    def __post_init__(self) -> None:
        stated = self.printkit.closed_game
        if stated is None:
            raise MemberError("this is not a sealed game; give the file or folder that printkit deal wrote", "game")
        if stated > FORMAT:
            raise MemberError(
                "printkit.closed_game is {stated}: a newer printkit made it, and this one ({version}) reads up "
                "to {format}; update printkit",
                "printkit",
                stated=stated,
                version=__version__,
                format=FORMAT,
            )
        if stated < _OLDEST:
            raise MemberError(
                "printkit.closed_game is {stated}: an older printkit dealt it, so its commitment does not "
                "cover dice and settings; deal the game again",
                "printkit",
                stated=stated,
            )
        if self.rules != RULES:
            raise MemberError(
                "rules is {rules!r}; only {dealt} can be dealt in secret", "rules", rules=self.rules, dealt=RULES
            )


def read(text: str, file: str) -> ClosedGame:
    """Return the sealed game of a text; ``file`` is the name of its file.

    Raises:
        FileError: it is not a sealed game, is from a newer or an older printkit, or is damaged; or its name and
            commitment do not belong to it. The message has nothing of the sealed part.
    """
    saved = read_json(text, _SealedFile, file)
    game = _open(saved.closed)
    if game is None:
        raise FileError("{place}: {reason}", place=file, reason=_SPOILT)
    sealed = {"commitment": game.commitment, "game": game.seal.game, "shapes": game.shapes}
    stated = {"commitment": saved.commitment, "game": saved.game, "shapes": saved.printkit.shapes}
    if wrong := [name for name, value in sealed.items() if value != stated[name]]:
        reason = Sentence(
            "{wrong} does not match the sealed part: one of them was changed after the deal; use the file "
            "as printkit deal wrote it",
            wrong=wrong[0],
        )
        raise FileError("{place}: {reason}", place=file, reason=reason, clause="BR-M13")
    return game


def _open(closed: Any) -> ClosedGame | None:
    """Return the sealed part of a file, or None if it is damaged: no error may have anything of its content."""
    try:
        opening = zlib.decompressobj()
        opened = opening.decompress(b64decode("".join(closed), validate=True), MOST_BYTES)
        game = msgspec.json.decode(opened, type=ClosedGame) if opening.eof else None
        return game if game is not None and game.first in PLAYERS and game.dealt and game.ninth else None
    except (RecordError, DiceError, KeyError, ValueError, TypeError, msgspec.MsgspecError, zlib.error):
        return None
