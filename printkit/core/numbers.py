"""Whole numbers in texts of people: digits of ASCII alone, and not without end."""

from __future__ import annotations

from typing import Final

# Digits of a whole number, which hold 128 bits.
DIGITS: Final = 40
# The greatest whole number that is read.
GREATEST: Final = 10**DIGITS - 1
_FIGURES: Final = frozenset("0123456789")


def is_number(text: str) -> bool:
    """Return whether a text is a whole number from 0 up: digits from 0 to 9 alone, and not too many of them."""
    return 0 < len(text) <= DIGITS and _FIGURES.issuperset(text)


def parse_int(text: str, most: int | None = None) -> int | None:
    """Return the whole number that a text is, from 0 up to ``most``; None where it is none, or a larger one.

    Signs, spaces and digits of other scripts are no part of a number.
    """
    if not is_number(text):
        return None
    number = int(text)
    return number if most is None or number <= most else None
