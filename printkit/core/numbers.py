"""Non-negative integers in user input: ASCII digits only, limited in length."""

from __future__ import annotations

from typing import Final

# The most digits of an integer: enough for 128 bits.
DIGITS: Final = 40
# The largest integer that is accepted.
GREATEST: Final = 10**DIGITS - 1
_FIGURES: Final = frozenset("0123456789")


def is_number(text: str) -> bool:
    """Return whether a text is only ASCII digits, from 1 to ``DIGITS`` of them; leading zeros are allowed."""
    return 0 < len(text) <= DIGITS and _FIGURES.issuperset(text)


def parse_int(text: str, maximum: int | None = None) -> int | None:
    """Return the integer in a text, from 0 to ``maximum``, or None if the text is not such a number.

    Signs, spaces and digits of other scripts are not accepted, nor more than ``DIGITS`` digits. A ``maximum`` of None
    sets no other limit.
    """
    if not is_number(text):
        return None
    number = int(text)
    return number if maximum is None or number <= maximum else None
