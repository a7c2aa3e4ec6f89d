"""Dice as these rules throw them: errors by their own clauses, and one of any number of things by dice (AC-D5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from printkit.chance.dice import Dice
from printkit.core.errors import DiceError

T = TypeVar("T")

_SIDES: Final = 6
_OURS: Final = {"BR-X08": "AC-X02", "BR-X07": "AC-X04"}
"""The errors of a list of dice are the same for all rule systems; here they have clauses of their own."""


def d6(dice: Dice, reason: str, clause: str | Callable[[int], str]) -> int:
    """Return the score of a die.

    Raises:
        DiceError: the list of dice has run out (AC-X02), or holds what is no score (AC-X04).
    """
    try:
        return dice.d6(reason, clause)
    except DiceError as error:
        if error.clause not in _OURS:
            raise
        raise DiceError("{fault}", fault=error.fault, clause=_OURS[error.clause]) from None


def pick(items: Sequence[T], dice: Dice, reason: str, clause: str) -> T:
    """Return one of ``items``, all equally likely, by the fewest dice that can tell them apart (AC-D5).

    The dice are read as one number, the first as its highest figure; a number over the last whole round of the items
    is thrown again.
    """
    count = dice_needed(len(items))
    while True:
        number = 0
        for _ in range(count):
            number = number * _SIDES + d6(dice, reason, clause) - 1
        if number < last_round(len(items)):
            return items[number % len(items)]


def dice_needed(items: int) -> int:
    """Return how many dice pick one of so many things."""
    count = 0
    while _SIDES**count < items:
        count += 1
    return count


def last_round(items: int) -> int:
    """Return how many of the numbers that those dice give are used."""
    whole: int = _SIDES ** dice_needed(items)
    return whole - whole % items
