"""The commitment to a deal: it stands on every sheet, and proves after the reveal that the pack was never changed.

It is the beginning of a digest over the salt and the whole pack (BR-M13). Without the salt nobody can try out packs
until one fits; with salt and pack, which the reveal sheet prints, anybody can work it out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from msgspec import Struct

from printkit.chance.streams import Stream
from printkit.systems.brantley.dealing.cards import PlayingCard

DIGITS: Final = 16
"""Hexadecimal digits of a commitment."""

SALT_DIGITS: Final = 32

_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"
_WORDS: Final = 2


class Seal(Struct, frozen=True, kw_only=True):
    """What every sheet of one deal bears: the name of the game and the commitment to its pack."""

    game: str
    commitment: str

    @property
    def grouped(self) -> str:
        """Return the commitment as people compare it, four digits at a time."""
        return " ".join(self.commitment[place : place + 4] for place in range(0, DIGITS, 4))


def commit(salt: str, codes: Sequence[str]) -> str:
    """Return the commitment to a pack, given by the codes of its cards, the top one first (BR-M13)."""
    return sha256(f"{salt}|{','.join(codes)}".encode()).hexdigest()[:DIGITS]


def sealed(salt: str, pack: Sequence[PlayingCard]) -> Seal:
    """Return what the sheets of a deal bear."""
    commitment = commit(salt, [str(card) for card in pack])
    return Seal(game=game_name(commitment), commitment=commitment)


def game_name(commitment: str) -> str:
    """Return a name that can be said on the telephone, as ``lusab-babad``.

    It is the first half of the commitment, five letters for four digits, and so tells no more than that does.
    """
    return "-".join(_word(int(commitment[4 * place : 4 * place + 4], 16)) for place in range(_WORDS))


def salt_of(seed: int) -> str:
    """Return the salt of a deal whose seed a person chose, so that the same command gives the same files.

    Who knows such a seed can deal the pack himself; a deal that has to stay secret takes a salt from nowhere.
    """
    stream = Stream(f"salt/{seed}")
    return "".join(f"{stream.below(16):x}" for _ in range(SALT_DIGITS))


def _word(bits: int) -> str:
    """Return sixteen bits as consonant, vowel, consonant, vowel, consonant."""
    letters = [_CONSONANTS[bits & 15]]
    bits >>= 4
    for _ in range(2):
        letters += [_VOWELS[bits & 3], _CONSONANTS[bits >> 2 & 15]]
        bits >>= 6
    return "".join(reversed(letters))
