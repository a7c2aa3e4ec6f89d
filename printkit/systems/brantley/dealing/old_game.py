"""A sealed game of version 0.2: its turns and the players' numbers are lines of two files, which no code binds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.systems.brantley.dealing.closed_game import ClosedGame, fingerprint
from printkit.systems.brantley.dealing.deal import PLAYERS, ZoneCard, read_turns, write_turn

# The largest number that a player may give.
MAX_NUMBER: Final = 10**12

_NUMBER: Final = re.compile(r"\s*([AB])\s*=\s*(\d{1,13})\s*", re.ASCII | re.IGNORECASE)
_SEED_DIGITS: Final = 12


class OldFiles(Struct, frozen=True, kw_only=True):
    """The files of a game of version 0.2: the texts of its turns and numbers, and the fingerprint of its reveal."""

    turns: str = ""
    numbers: str = ""
    reveal_fingerprint: str = ""

    def add(self, game: ClosedGame, turns: Sequence[str], numbers: Sequence[str]) -> OldFiles:
        """Return the files after more turns and numbers, as the user typed them.

        Raises:
            ScenarioError: a turn or a number is not valid.
        """
        all_turns = read_old_turns(game, _append_lines(self.turns, turns))
        new_turns = [write_turn(turn, game.dealt) for turn in all_turns[len(all_turns) - len(turns) :]]
        numbers_text = _append_lines(self.numbers, numbers)
        read_old_numbers(numbers_text)
        return replace(self, turns=_append_lines(self.turns, new_turns), numbers=numbers_text)


def read_old_turns(game: ClosedGame, text: str) -> tuple[ZoneCard, ...]:
    """Return the turns of a file of placements, one per line, in the order of the lines.

    Empty lines and text after ``#`` are ignored. ``text`` is the contents of the file.

    Raises:
        ScenarioError: a line cannot be parsed, or breaks BR-X01 to BR-X05; names the line of the file.
    """
    lines = _content_lines(text)
    return read_turns([*lines.values()], game.dealt, game.first, numbers=[*lines])


def read_old_numbers(text: str) -> dict[str, int]:
    """Return the numbers of a file by player, A first, one per line; empty lines and text after ``#`` are ignored.

    Raises:
        ScenarioError: a line is not a player's number, or is a player's second; names the line.
    """
    numbers: dict[str, int] = {}
    for place, line in _content_lines(text).items():
        match = _NUMBER.fullmatch(line)
        player, number = (match[1].upper(), int(match[2])) if match else ("", MAX_NUMBER + 1)
        if number > MAX_NUMBER or numbers.setdefault(player, number) != number:
            raise ScenarioError(
                "line {place}: {line!r} is not a player's number, or is their second; write for example "
                "A=4711, a whole number from 0 to {greatest:,}",
                place=place,
                line=line,
                greatest=MAX_NUMBER,
            )
    return {player: numbers[player] for player in PLAYERS if player in numbers}


def old_dice_seed(game: ClosedGame, numbers: Mapping[str, int]) -> int:
    """Return the seed of the dice after the reveal: that of the deal, and the numbers of the players.

    It is 48 bits of the SHA-256 of ``salt|seed|A=4711|B=17``, where a player without a number has nothing after their
    letter; without any number it is the sealed seed alone.
    """
    if not numbers:
        return game.seed
    number_texts = (f"{player}={numbers.get(player, '')}" for player in PLAYERS)
    return int(fingerprint("|".join((game.salt, str(game.seed), *number_texts)))[:_SEED_DIGITS], 16)


def _content_lines(text: str) -> dict[int, str]:
    """Return the lines of a text by their numbers from 1, without comments and empty lines."""
    lines = ((number, line.split("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1))
    return {number: line for number, line in lines if line}


def _append_lines(text: str, lines: Sequence[str]) -> str:
    """Return a text with more lines; a last line without its end gets one."""
    start = text if not text or text.endswith("\n") or not lines else f"{text}\n"
    return start + "".join(f"{line}\n" for line in lines)
