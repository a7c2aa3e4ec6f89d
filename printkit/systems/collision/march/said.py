"""What texts about columns take from the rules of a game: its numbers, and what its settings say."""

from __future__ import annotations

from typing import Final

from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns_check import figure, sizes_of

_SLOTS: Final = ("q09", "q19", "q22")
"""Places in texts that a setting fills, by its number; a value without words leaves its own empty."""


def said(rules: Rules, words: Words) -> dict[str, str]:
    """Return every value that a text about columns may name: numbers of the book, columns' sizes, settings' words."""
    values = {name: figure(rules.number(name), words) for name in rules.book.numbers}
    values["sizes"], values["sizes_one_ally"] = (
        "-".join(str(size) for size in sizes_of(rules, one_ally=one)) for one in (False, True)
    )
    for slot in _SLOTS:
        key = f"columns.reading.{slot}.{rules.choice(f'cc-{slot}')}"
        values[slot] = words(key, **values) if words.has(key) else ""
    return values
