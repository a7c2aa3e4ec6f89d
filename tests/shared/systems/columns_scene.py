"""Armies for the tests of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import Army, read_army, read_troops
from printkit.systems.collision.march.columns_check import Land, check_army
from printkit.terrain.field.battlefield import Board, GroundScale

SYSTEM = find("collision-course")


def rules(base_width: float = 40.0, *, side: float = 15.0, **settings: str) -> Rules:
    """Return the rules of a game: the settings by their keys, with underscores."""
    given = {key.replace("_", "-"): value for key, value in settings.items()}
    size = side * base_width
    return Rules.of(SYSTEM.book, given, board=Board(size, size, GroundScale(pace=25.4, base_width=base_width)))


TROOPS = read_troops(rules())
USUAL = ("Cv", "3Kn", "3Kn", "4Bd", "4Bd", "4Bd", "4Bd", "4Bd", "Sp", "Sp", "Ps", "Ps")


def tree(
    sizes: Sequence[int] = (4, 4, 4),
    *,
    baggage: str = "2-last",
    types: Sequence[str] = USUAL,
    general: int = 0,
    allies: Sequence[int] = (),
    ally_homes: Sequence[str] = ("littoral", "littoral"),
    **more: Any,
) -> dict[str, Any]:
    """Return the table of an army: elements E1 to E12 in columns of these sizes, the last ones those of the allies."""
    elements: list[dict[str, Any]] = [{"id": f"E{place}", "type": kind} for place, kind in enumerate(types, 1)]
    elements[general]["general"] = True
    first = len(elements) - sum(allies)
    found: dict[str, Any] = {"name": "Ours", "role": "defender", "home": "arable", "elements": elements}
    for number, count in enumerate(allies, 1):
        for element in elements[first : first + count]:
            element["contingent"] = f"ally{number}"
        first += count
        found[f"ally{number}"] = {"name": f"Allies {number}", "home": ally_homes[number - 1]}
    ids = [element["id"] for element in elements]
    columns, first = {}, 0
    for number, size in enumerate(sizes, 1):
        columns[str(number)] = ids[first : first + size]
        first += size
    places = {"2-last": ("2", len(columns["2"])), "3-first": ("3", 0), "3-second": ("3", 1), "1-last": ("1", 4)}
    if baggage:
        column, at = places[baggage]
        columns[column].insert(at, "BG")
    return {**found, "columns": columns, **more}


def army(*args: Any, **more: Any) -> Army:
    """Return an army as ``tree`` describes it."""
    return read_army(tree(*args, **more), "army", TROOPS)


def codes(made: Army, *, land: Land | None = None, base_width: float = 40.0, **settings: str) -> list[str]:
    """Return the codes of what is wrong with an army."""
    return [fault.code for fault in check_army(made, rules(base_width, **settings), land=land)]
