"""How a feature came about, as plain values that the record keeps and the account reads."""

from __future__ import annotations

from typing import Any

from printkit.systems.portable.grid.counting import Located
from printkit.systems.portable.grid.neighbours import Turned
from printkit.terrain.field.grids import Cell

Told = dict[str, Any]


def counted(located: Located) -> Told:
    """Return how counting came to an area: from the start of a row, or on from an earlier one."""
    return {
        "by": "first" if located.after is None else "onward",
        "dice": list(located.dice),
        "row": located.row,
        "count": located.count,
        "passed": [list(cell) for cell in located.passed],
        **({} if located.after is None else {"after": list(located.after)}),
    }


def turned(found: Turned, beside: Cell) -> Told:
    """Return how a direction die came to an area next to another."""
    return {"by": "beside", "score": found.score, "passed_sides": list(found.passed), "after": list(beside)}


def placed() -> Told:
    """Return that a person put it there (PW0-13)."""
    return {"by": "given"}
