"""What texts about columns take from the rules of a game: its numbers, and how its open questions are read (CC-Q)."""

from __future__ import annotations

from typing import Final

from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns_check import sizes_of
from printkit.systems.collision.march.faults import figure

_SLOTS: Final = (
    *("q02", "q03", "q04", "q05", "q06", "q07", "q08", "q09", "q11", "q13", "q13-note", "q15", "q15-label", "q16"),
    *("q17", "q17-label", "q17-note", "q18", "q19", "q20", "q22", "q23", "q26", "q29", "q32"),
)
"""Places in texts that a reading fills, by the number of its question; a reading without words leaves its own empty."""


def said(rules: Rules, words: Words) -> dict[str, str]:
    """Return every value that a text about columns may name: numbers of the book, columns' sizes, readings' words."""
    values = {name: figure(rules.number(name), words) for name in rules.book.numbers}
    values["sizes"], values["sizes_one_ally"] = (
        "-".join(str(size) for size in sizes_of(rules, one_ally=one)) for one in (False, True)
    )
    for slot in _SLOTS:
        key = f"columns.reading.{slot}.{rules.choice(f'cc-{slot[:3]}')}"
        values[slot.replace("-", "_")] = words(key, **values) if words.has(key) else ""
    return values
