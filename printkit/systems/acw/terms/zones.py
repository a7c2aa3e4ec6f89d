"""How the table is divided into zones (AC-201, AC-202)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from printkit.core.units import MM_PER_INCH
from printkit.kit.book import RuleBook
from printkit.systems.acw.terms.plan import ZoneGrid
from printkit.terrain.field.battlefield import Board

_NEARLY: Final = 1e-6
"""By how much of a zone a side may be over and still not need another one: lengths are rounded."""


def zone_grid(board: Board, book: RuleBook, settings: Mapping[str, str]) -> ZoneGrid:
    """Return the zones of a board: equal ones of at most 24 inches, or squares with a narrow rest (AC-201, AC-Q02)."""
    size = book.numbers["zone"] * MM_PER_INCH
    division = _equal if settings["ac-q02"] == "equal" else _squares
    return ZoneGrid(widths=division(board.width, size), depths=division(board.depth, size))


def _equal(length: float, size: float) -> tuple[float, ...]:
    count = _count(length, size)
    return (length / count,) * count


def _squares(length: float, size: float) -> tuple[float, ...]:
    """Return whole zones and the rest last, which is at the east or the south."""
    count = _count(length, size)
    return (*(size,) * (count - 1), length - size * (count - 1))


def _count(length: float, size: float) -> int:
    return max(1, math.ceil(length / size - _NEARLY))
