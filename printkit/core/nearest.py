"""Suggestions for a mistyped name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_FEW: Final = 3


def nearest_names(text: str, candidates: Iterable[str], limit: int = _FEW) -> list[str]:
    """Return the names most similar to the input, those that contain it first; at least one if ``candidates`` has
    any."""
    from difflib import get_close_matches

    names, query = list(candidates), text.strip().lower()
    matches = [name for name in names if query and query in name.lower()]
    return list(dict.fromkeys((*matches, *get_close_matches(query, names, n=limit, cutoff=0.0))))[:limit]
