"""Card sizes: find one by name, or parse a custom size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from printkit.content.cards import CardSize
from printkit.core.errors import BookError, UsageError
from printkit.core.numbers import is_number
from printkit.core.resources import template
from printkit.core.units import parse_size, validate_bleed
from printkit.drawing.canvas.items import GRID

# Minimum width and height of a custom card, in mm; text is not legible on smaller cards.
LEAST: Final = (40.0, 55.0)

# Maximum length of a side, in mm.
MOST: Final = 210.0

# A larger card has more than this many times the width and the height.
_CLEARLY: Final = 1.1

_MEMBERS: Final = {"width", "height", "safe", "corner"}
_BARE: Final = re.compile(r"[0-9.,]+\s*[x×]\s*[0-9.,]+")


def find_size(text: str = "", *, bleed: float = 0.0) -> CardSize:
    """Return a card size by name, or a custom size such as ``60x92`` (mm) or ``2.75x4.75in``.

    The result is in printed mm.

    Args:
        text: a name or a size; empty for the first named size.
        bleed: colour beyond the cut, in printed mm.

    Raises:
        UsageError: the name is unknown, the size is too small or too large, or the bleed is not valid.
    """
    validate_bleed(bleed)
    name = text.strip().lower()
    table = named_sizes()
    size = table[name or next(iter(table))] if name in table or not name else _parse_custom_size(text, name)
    return replace(size, bleed=bleed)


def next_larger_name(text: str = "") -> str:
    """Return the name of the next larger size, for large print; the same name if there is none.

    A larger size has both sides more than 1.1 times as long; the one with the least area is chosen. ``text`` is a name
    or a size as for ``find_size``.

    Raises:
        UsageError: ``text`` is not a card size.
    """
    size = find_size(text)
    wider = (
        candidate
        for candidate in named_sizes().values()
        if min(candidate.width / size.width, candidate.height / size.height) > _CLEARLY
    )
    return min(wider, key=lambda candidate: candidate.width * candidate.height, default=size).name


@cache
def named_sizes() -> Mapping[str, CardSize]:
    """Return every named size by name, in printed mm.

    Raises:
        BookError: an entry is not a size.
    """
    return {name: _parse_entry(name, entry) for name, entry in template("sheets", "cards").get("cards", {}).items()}


def _parse_entry(name: str, entry: Any) -> CardSize:
    """Return the card size of one entry of the table of sizes; its numbers are in printed mm.

    ``name`` is the name of the size, and ``entry`` its table: width, height and perhaps more.

    Raises:
        BookError: a number is missing, unknown or not above 0.
    """
    numbers = entry if isinstance(entry, Mapping) else {}
    is_valid = all(isinstance(value, int | float) and value > 0 for value in numbers.values())
    if not is_valid or not {"width", "height"} <= set(numbers) <= _MEMBERS:
        raise BookError(
            "sheets/cards.toml: {name} = {entry!r} is not a card; write for example {{ width = 63, height "
            "= 88 }} in mm",
            name=name,
            entry=entry,
        )
    return CardSize(name=name, **{member: float(value) for member, value in numbers.items()})


def _parse_custom_size(text: str, name: str) -> CardSize:
    """Return the card size of a text such as ``60x92``; without a unit the numbers are printed mm.

    ``name`` is ``text`` in lower case. Sides are rounded to 0.01 mm.

    Raises:
        UsageError: the text is not a size, or the size is too small or too large.
    """
    if not is_number(name[:1]):
        raise UsageError(
            "unknown card size {text!r}; use one of {known}, or a size in mm, for example 60x92",
            text=text,
            known=", ".join(named_sizes()),
        )
    sides = parse_size(f"{name}mm" if _BARE.fullmatch(name) else name)
    # Round the size to the drawing grid, so that its half-turn is on the grid too.
    width, height = (round(round(side / GRID) * GRID, 2) for side in sides)
    if width < LEAST[0] or height < LEAST[1] or max(width, height) > MOST:
        raise UsageError(
            "a card of {width:g} x {height:g} mm is not possible; it must be {least_width:g} to {most:g} "
            "mm wide and {least_height:g} to {most:g} mm high",
            width=width,
            height=height,
            least_width=LEAST[0],
            most=MOST,
            least_height=LEAST[1],
        )
    return CardSize(name=f"{width:g}x{height:g}", width=width, height=height)
