"""Values for texts about columns: numbers of the book and words for settings."""

from __future__ import annotations

from typing import Final

from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns_check import column_sizes, format_number

# Placeholders in texts, by the number of a setting. A value without words leaves its placeholder empty.
_SLOTS: Final = ("q09", "q19", "q22")


def said(rules: Rules, words: Words) -> dict[str, str]:
    """Return the values for texts about columns by name, as text.

    They are the numbers of the book by their names, ``sizes`` and ``sizes_one_ally`` of the three columns, and a text
    for each setting slot (may be empty).
    """
    values = {name: format_number(rules.number(name), words) for name in rules.book.numbers}
    values["sizes"], values["sizes_one_ally"] = (
        "-".join(str(size) for size in column_sizes(rules, one_ally=one)) for one in (False, True)
    )
    for slot in _SLOTS:
        key = f"columns.reading.{slot}.{rules.choice(f'cc-{slot}')}"
        values[slot] = words(key, **values) if words.has(key) else ""
    return values
