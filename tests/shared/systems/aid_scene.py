"""A table aid and its data, by settings of the rules."""

from __future__ import annotations

import json
import re
from typing import Any

from printkit.core.words import find_words
from printkit.drawing.canvas.style import find as find_style
from printkit.kit import registry
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.sheets.sheet_sets import read_pair
from printkit.systems.solo.sheets.table_aid import make_table_aid

SEED = 11


def pair_of(**settings: str) -> Pair:
    """Return the armies of the tests by the readings of a game."""
    names = {"npg": "gallic", "you": "polybian-roman", **settings}
    return read_pair(registry.find("solo-dba"), names, SEED)[0]


def page_of(language: str = "en", style: str = "campaign", *, seed: int | None = SEED, **settings: str) -> str:
    """Return the page of a game."""
    return make_table_aid(pair_of(**settings), find_words(language), find_style(style), seed=seed)


def data_of(page: str) -> dict[str, Any]:
    """Return the values of a page."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    found: dict[str, Any] = json.loads(text)
    return found
