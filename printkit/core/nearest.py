"""Suggestions for a mistyped name, and keys to compare typed words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_FEW: Final = 3


def nearest_names(text: str, candidates: Iterable[str], limit: int = _FEW) -> list[str]:
    """Return at most ``limit`` candidates that are similar to a mistyped name, the most similar first.

    Those that contain the text come first. The result is empty only without candidates. Capitals do not matter in the
    first test. A candidate appears once.

    Args:
        text: the mistyped name.
        candidates: the known names.
        limit: the maximum number of results.
    """
    from difflib import get_close_matches

    names, query = list(candidates), text.strip().lower()
    matches = [name for name in names if query and query in name.lower()]
    return list(dict.fromkeys((*matches, *get_close_matches(query, names, n=limit, cutoff=0.0))))[:limit]


def plain_key(word: str) -> str:
    """Return a word in small letters without accents, hyphens, spaces, and the ``s`` of a plural, for comparison.

    Underscores and characters outside ASCII go too. A word of up to three letters keeps its ``s``.
    """
    text = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode().casefold()
    text = re.sub(r"[-_ ]", "", text)
    return text[:-1] if len(text) > 3 and text.endswith("s") else text
