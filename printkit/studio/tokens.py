"""Unpredictable random values: seeds, salts and access tokens; the cookie that holds the key of the studio."""

from __future__ import annotations

import secrets
from typing import Final

# 128 bits: too many to guess.
_BYTES: Final = 16

# Six digits: short enough to write down.
_SEEDS: Final = 999_999


def fresh_seed() -> int:
    """Return a random seed for a game without a given seed."""
    return 1 + secrets.randbelow(_SEEDS)


def fresh_salt() -> str:
    """Return 128 random bits as hexadecimal digits, to shuffle a pack in secret."""
    return secrets.token_hex(_BYTES)


def fresh_token() -> str:
    """Return a random token that is safe in a URL."""
    return secrets.token_urlsafe(_BYTES)


def tokens_match(left: str, right: str) -> bool:
    """Return whether two tokens are equal, in constant time."""
    return secrets.compare_digest(left.encode(), right.encode())


def cookie_name(port: int) -> str:
    """Return the name of the cookie with the key. Cookies do not know ports, so the name has the port."""
    return f"printkit-{port}"
