"""Armies for the tests of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from printkit.systems.collision.march.columns import Army, read_army
from printkit.systems.collision.march.columns_check import Land, check_army
from printkit.systems.collision.march.faults import Readings

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
    return read_army(tree(*args, **more), "army")


def codes(made: Army, *, land: Land | None = None, base_width: float = 40.0, **settings: str) -> list[str]:
    """Return the codes of what is wrong with an army."""
    readings = Readings({key.replace("_", "-"): value for key, value in settings.items()})
    return [fault.code for fault in check_army(made, readings, land=land, base_width=base_width)]
