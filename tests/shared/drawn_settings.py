"""Settings drawn by a seed as the soaks draw them, so that a few records reach what defaults never do."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from printkit.api import Field, generate
from printkit.core.errors import PrintkitError

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import soak_evenings

value_of = soak_evenings.value
"""Returns a value that a setting may have: one of those listed, or a number or text of its own."""

_TRIES = 40
"""Draws for one seed: some settings forbid others, and are refused."""


def _drawn(rules: str, seed: int, attempt: int) -> dict[str, str]:
    given = list(soak_evenings.settings(rules, Random(f"{rules} {seed} {attempt}")))[1::2]
    return dict(each.split("=", 1) for each in given)


def settings_of(rules: str, seed: int) -> dict[str, str]:
    """Return settings drawn by a seed, with which it gives a field; those that are refused are drawn anew."""
    return field_of(rules, seed)[1]


def field_of(rules: str, seed: int, board: str | None = None) -> tuple[Field, dict[str, str]]:
    """Return the field that a seed gives with settings drawn by it, and these settings.

    Settings that are refused are drawn anew, and so are those that leave the board bare.
    """
    for attempt in range(_TRIES):
        settings = _drawn(rules, seed, attempt)
        try:
            field = generate(rules, seed=seed, board=board, **settings)
        except PrintkitError:
            continue
        if field.record.battlefield.features:
            return field, settings
    raise AssertionError(f"{rules} {seed}: all settings were refused")
