"""Settings of a rule system drawn by a seed, so that a few records reach what its defaults never do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from printkit.api import Field, generate
from printkit.core.errors import PrintkitError
from printkit.kit import registry
from printkit.kit.book import Setting

_TRIES = 40
"""Draws for one seed: some settings forbid others, and are refused."""


def value_of(setting: Setting, chance: Random) -> str:
    """Return a value that a setting may have: one of those listed, or a number within its range."""
    if setting.least is not None and setting.most is not None and chance.random() < 0.5:
        return f"{chance.uniform(setting.least, setting.most):.3g}"
    return chance.choice(setting.values)


def _drawn(rules: str, chance: Random) -> Iterator[tuple[str, str]]:
    share = chance.choice((0.15, 0.4, 0.8))
    for setting in registry.find(rules).book.settings:
        if not setting.path and chance.random() < share:
            yield setting.key, value_of(setting, chance)


def settings_of(rules: str, seed: int) -> dict[str, str]:
    """Return settings drawn by a seed, with which it gives a field; those that are refused are drawn anew."""
    return field_of(rules, seed)[1]


def field_of(rules: str, seed: int, board: str | None = None) -> tuple[Field, dict[str, str]]:
    """Return the field that a seed gives with settings drawn by it, and these settings; refused ones are drawn anew."""
    for attempt in range(_TRIES):
        settings = dict(_drawn(rules, Random(f"{rules} {seed} {attempt}")))
        try:
            return generate(rules, seed=seed, board=board, **settings), settings
        except PrintkitError:
            continue
    raise AssertionError(f"{rules} {seed}: all settings were refused")
