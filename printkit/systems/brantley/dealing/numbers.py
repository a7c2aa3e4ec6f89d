"""The numbers that players add to a sealed game, so that no player knows its dice before the reveal (BR-M13).

Whoever stores the sealed game could look into it and choose a deal with good dice. The opponent's number comes later
and changes those dice. ``closed_game.dice_seed`` makes one seed from the sealed data and all numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from printkit.core.errors import ScenarioError, UsageError
from printkit.systems.brantley.dealing.deal import PLAYERS

# The largest number that a player may give. Six digits are enough against guessing by hand.
GREATEST: Final = 10**12

_GIVEN: Final = re.compile(r"\s*([AB])\s*=\s*(\d{1,13})\s*", re.ASCII | re.IGNORECASE)


def added(kept: Mapping[str, int], given: Iterable[str]) -> dict[str, int]:
    """Return the saved numbers plus new ones such as ``A=4711``; repeating a saved number has no effect.

    Raises:
        UsageError: a text is not a player's number.
        ScenarioError: a player has given another number before.
    """
    found = dict(kept)
    for text in given:
        read = _number(text)
        if read is None:
            raise UsageError(
                "--number {text!r} is not a player's number; write for example A=4711, a whole number from "
                "0 to {greatest:,}",
                text=text,
                greatest=GREATEST,
            )
        player, number = read
        if found.setdefault(player, number) != number:
            raise ScenarioError(
                "player {player} has already given the number {kept} and may give only one; leave out {number}",
                player=player,
                kept=found[player],
                number=number,
                clause="BR-M13",
            )
    return {player: found[player] for player in PLAYERS if player in found}


def read_numbers(text: str) -> dict[str, int]:
    """Return the numbers of a file, one per line; empty lines and text after ``#`` are ignored.

    Raises:
        ScenarioError: a line is not a player's number, or is a player's second; names the line.
    """
    found: dict[str, int] = {}
    for place, line in enumerate(text.splitlines(), 1):
        bare = line.split("#")[0].strip()
        if not bare:
            continue
        read = _number(bare)
        if read is None or found.get(read[0], read[1]) != read[1]:
            raise ScenarioError(
                "line {place}: {line!r} is not a player's number, or is their second; write for example "
                "A=4711, a whole number from 0 to {greatest:,}",
                place=place,
                line=bare,
                greatest=GREATEST,
            )
        found[read[0]] = read[1]
    return {player: found[player] for player in PLAYERS if player in found}


def write_numbers(numbers: Mapping[str, int]) -> str:
    """Return the text of the file of the players' numbers."""
    return "".join(f"{player}={number}\n" for player, number in numbers.items())


def _number(text: str) -> tuple[str, int] | None:
    read = _GIVEN.fullmatch(text)
    if read is None or int(read[2]) > GREATEST:
        return None
    return read[1].upper(), int(read[2])
