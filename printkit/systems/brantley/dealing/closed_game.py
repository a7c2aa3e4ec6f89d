"""The sealed game: everything about a deal in one file until the reveal, and the commitment to that deal.

The file is not encrypted. Its hidden part is packed, so nobody sees a card by opening the file by accident or by
searching a disk. A cheat can unpack it. The commitment on the sheets of the players proves that nobody changed the file
after the deal (BR-M13).
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
"""Hexadecimal digits of a commitment: 128 bits, too many for anybody to find a second deal with the same one."""

OLD_DIGITS: Final = 16
"""Digits of the commitment of the oldest sealed games, which covers only salt and pack; records still have them."""

SALT_DIGITS: Final = 32

_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"
_WORDS: Final = 2


def pack_commitment(salt: str, codes: Sequence[str]) -> str:
    """Return the old commitment to a pack alone, given by the codes of its cards, the top one first."""
    return fingerprint(f"{salt}|{','.join(codes)}")[:OLD_DIGITS]


def game_name(commitment: str) -> str:
    """Return a name that is easy to say, for example ``lusab-babad``.

    It stands for the first eight digits of the commitment, five letters for four digits, and reveals nothing else.
    """
    return "-".join(_word(int(commitment[4 * place : 4 * place + 4], 16)) for place in range(_WORDS))


def salt_of(seed: int) -> str:
    """Return the salt of an open game, so that the same command gives the same files.

    Whoever knows the seed can deal the same pack, so a secret deal takes a random salt.
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

# The first format with a commitment that covers dice and settings.
_OLDEST: Final = 2

_LINE: Final = 100
_SPOILT: Final = Sentence(
    "the sealed part cannot be opened because it was changed or truncated; use the file as printkit deal wrote it"
)


class ClosedGame(Struct, frozen=True, kw_only=True):
    """A deal before its reveal: everything that decides the battlefield, except the turns of the players.

    Attributes:
        salt: random hexadecimal digits, part of each code of the game.
        pack: the codes of the cards, the top one first.
        seed: the seed of the dice.
        settings: a value for every setting of the rules in the version of the deal, and for those of all rule systems.
        first: the player who places the first card.
        board: the size of the board as the user typed it, or empty.
        thrown: the dice for the first player; empty if nobody rolled for it (BR-D1).
        dice: the user's own dice that the deal did not need.
        goes_on: True if the seed rolls the rest after the user's dice.
        inputs: the lists of the scenario, by name.
        is_open: True if pack and salt come from the seed.
        shapes: the version of the outlines of the rules at the deal (``kit.plugin.Plugin``).
        journal: the format of the journal of the turns; 0 for a game of version 0.2, which has no codes of its turns.
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
        """Return the game as builtin values, as in its record."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        if not self.journal:
            # Records of version 0.2 do not have this member.
            del members["journal"]
        return members

    @property
    def canonical(self) -> str:
        """Return the game as JSON text that is always the same: its keys sorted, without spaces."""
        members = self.members
        if self.shapes == FIRST_SHAPES:
            # Games dealt before this member existed keep the commitment that their sheets show.
            del members["shapes"]
        return json.dumps(members, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def commitment(self) -> str:
        """Return the commitment to the deal: the first digits of the SHA-256 of ``canonical`` (BR-M13)."""
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
        """Return the setting for the last zone: ``blind`` or ``clear`` (BR-Q20)."""
        return self.settings["br-q20"]

    @property
    def rule_settings(self) -> dict[str, str]:
        """Return the settings of its rules, without those of all rule systems."""
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
    """Return the file of a sealed game; ``note`` explains the file to anybody who opens it."""
    packed_text = b64encode(zlib.compress(game.canonical.encode(), 9)).decode()
    document = {
        "printkit": {"closed_game": FORMAT, "version": __version__, "shapes": game.shapes},
        "rules": RULES,
        "game": game.seal.game,
        "commitment": game.seal.commitment,
        "note": note,
        "closed": textwrap.wrap(packed_text, _LINE),
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
        file_format = self.printkit.closed_game
        if file_format is None:
            raise MemberError("this is not a sealed game; give the file or folder that printkit deal wrote", "game")
        if file_format > FORMAT:
            raise MemberError(
                "printkit.closed_game is {stated}: a newer printkit made it, and this one ({version}) reads up "
                "to {format}; update printkit",
                "printkit",
                stated=file_format,
                version=__version__,
                format=FORMAT,
            )
        if file_format < _OLDEST:
            raise MemberError(
                "printkit.closed_game is {stated}: an older printkit dealt it, so its commitment does not "
                "cover dice and settings; deal the game again",
                "printkit",
                stated=file_format,
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
    sealed_file = read_json(text, _SealedFile, file)
    game = _open(sealed_file.closed)
    if game is None:
        raise FileError("{place}: {reason}", place=file, reason=_SPOILT)
    sealed_values = {"commitment": game.commitment, "game": game.seal.game, "shapes": game.shapes}
    header_values = {
        "commitment": sealed_file.commitment,
        "game": sealed_file.game,
        "shapes": sealed_file.printkit.shapes,
    }
    if wrong := [name for name, value in sealed_values.items() if value != header_values[name]]:
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
        decompressor = zlib.decompressobj()
        content = decompressor.decompress(b64decode("".join(closed), validate=True), MOST_BYTES)
        game = msgspec.json.decode(content, type=ClosedGame) if decompressor.eof else None
        return game if game is not None and game.first in PLAYERS and game.dealt and game.ninth else None
    except (RecordError, DiceError, KeyError, ValueError, TypeError, msgspec.MsgspecError, zlib.error):
        return None
