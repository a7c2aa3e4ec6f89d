"""Chance that nobody may guess: seeds that a person did not give, and tokens that open a page."""

from __future__ import annotations

import secrets
from typing import Final

_BYTES: Final = 16
"""128 bits: more than anybody can try."""

_SEEDS: Final = 999_999
"""So that a seed is short enough to be written down."""


def fresh_seed() -> int:
    """Return a seed for a game of which no one was given."""
    return 1 + secrets.randbelow(_SEEDS)


def fresh_salt() -> str:
    """Return hexadecimal digits that nobody can guess: 128 bits, by which a pack is shuffled in secret."""
    return secrets.token_hex(_BYTES)


def token() -> str:
    """Return a token that fits an address."""
    return secrets.token_urlsafe(_BYTES)


def same(one: str, other: str) -> bool:
    """Return whether two tokens are equal, in a time that does not tell how far they are."""
    return secrets.compare_digest(one.encode(), other.encode())
