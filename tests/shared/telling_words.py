"""What must not be read on a sheet before the reveal: codes of cards, words of ranks, suits and ground."""

from __future__ import annotations

import re

from printkit.core.words import catalogue
from printkit.systems.brantley.dealing.cards import PACK

_CODES = {str(card) for card in PACK}
_KEYS = re.compile(r"brantley\.(suit|result|cards\.title|rank)\.")
_ALSO_COUNT = {"dos", "two", "one", "una", "levels", "niveles", "level", "nivel"}


def telling() -> set[str]:
    """Return the words of both languages that name a suit, ground or a rank, but for those that also count."""
    said = [text for code in ("en", "es") for key, text in catalogue(code).items() if _KEYS.match(key)]
    return {word.lower() for text in said for word in re.findall(r"[^\W\d_]{3,}", text)} - _ALSO_COUNT


def told(text: str) -> set[str]:
    """Return what a text tells that it must not; how the lines of a side are drawn is no ground."""
    for code in ("en", "es"):
        text = re.sub(r"\s+".join(catalogue(code)["sides.broken"].split()), "", text)
    tokens = set(re.findall(r"\w+", text))
    return _CODES & tokens | telling() & {word.lower() for word in tokens}
