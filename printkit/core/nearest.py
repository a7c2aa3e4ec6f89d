"""Suggestions for a mistyped name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_FEW: Final = 3


def nearest_names(text: str, candidates: Iterable[str], limit: int = _FEW) -> list[str]:
    """Return at most ``limit`` candidates that are similar to a mistyped name, the most similar first.

    Those that contain the text come first. The result is empty only without candidates.
    """
    from difflib import get_close_matches

    names, query = list(candidates), text.strip().lower()
    matches = [name for name in names if query and query in name.lower()]
    return list(dict.fromkeys((*matches, *get_close_matches(query, names, n=limit, cutoff=0.0))))[:limit]
