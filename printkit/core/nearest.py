"""Suggestions for a mistyped name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_FEW: Final = 3


def nearest(typed: str, known: Iterable[str], few: int = _FEW) -> list[str]:
    """Return the names most similar to the input, those that contain it first; at least one if ``known`` has any."""
    from difflib import get_close_matches

    names, asked = list(known), typed.strip().lower()
    within = [name for name in names if asked and asked in name.lower()]
    return list(dict.fromkeys((*within, *get_close_matches(asked, names, n=few, cutoff=0.0))))[:few]
