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
MAX_NUMBER: Final = 10**12

_NUMBER: Final = re.compile(r"\s*([AB])\s*=\s*(\d{1,13})\s*", re.ASCII | re.IGNORECASE)


def add_numbers(saved_numbers: Mapping[str, int], texts: Iterable[str]) -> dict[str, int]:
    """Return the saved numbers plus new ones such as ``A=4711``; repeating a saved number has no effect.

    They are by player, A first. ``saved_numbers`` does not change.

    Raises:
        UsageError: a text is not a player's number.
        ScenarioError: a player has given another number before.
    """
    numbers = dict(saved_numbers)
    for text in texts:
        parsed_number = _parse_number(text)
        if parsed_number is None:
            raise UsageError(
                "--number {text!r} is not a player's number; write for example A=4711, a whole number from "
                "0 to {greatest:,}",
                text=text,
                greatest=MAX_NUMBER,
            )
        player, number = parsed_number
        if numbers.setdefault(player, number) != number:
            raise ScenarioError(
                "player {player} has already given the number {kept} and may give only one; leave out {number}",
                player=player,
                kept=numbers[player],
                number=number,
                clause="BR-M13",
            )
    return {player: numbers[player] for player in PLAYERS if player in numbers}


def read_numbers(text: str) -> dict[str, int]:
    """Return the numbers of a file by player, one per line; empty lines and text after ``#`` are ignored.

    Raises:
        ScenarioError: a line is not a player's number, or is a player's second; names the line.
    """
    numbers: dict[str, int] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        content = line.split("#")[0].strip()
        if not content:
            continue
        parsed_number = _parse_number(content)
        if parsed_number is None or numbers.get(parsed_number[0], parsed_number[1]) != parsed_number[1]:
            raise ScenarioError(
                "line {place}: {line!r} is not a player's number, or is their second; write for example "
                "A=4711, a whole number from 0 to {greatest:,}",
                place=line_number,
                line=content,
                greatest=MAX_NUMBER,
            )
        numbers[parsed_number[0]] = parsed_number[1]
    return {player: numbers[player] for player in PLAYERS if player in numbers}


def write_numbers(numbers: Mapping[str, int]) -> str:
    """Return the text of the file of the players' numbers: a line such as ``A=4711`` for each player."""
    return "".join(f"{player}={number}\n" for player, number in numbers.items())


def _parse_number(text: str) -> tuple[str, int] | None:
    """Return the player and the number in a text such as ``A=4711``; None if it cannot be parsed.

    The player may be in lower case; the result is A or B. The number may be from 0 to 10**12.
    """
    number_match = _NUMBER.fullmatch(text)
    if number_match is None or int(number_match[2]) > MAX_NUMBER:
        return None
    return number_match[1].upper(), int(number_match[2])
