"""Army lists as armies in columns: a sample, a file or a line of one, its choices made; three columns where none are.

What a list leaves open is settled by its first option, as nobody throws for it here, unless ``chosen`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.systems.collision.march.columns import (
    BAGGAGE,
    HOMES,
    MARKS,
    SHARED,
    WAGON,
    Army,
    Contingent,
    Element,
    Troops,
    read_army,
)
from printkit.systems.dba.armies.list_notation import parse_notation

_LIST: Final = ("slot", "general", "counts", "list", "chosen")
_ABOUT: Final = (
    *("schema", "id", "number", "dates", "version", "source", "confidence", "doubt", "fielded", "by_name", "note"),
    *("aggression", "camp", "littoral"),
)
"""What army lists tell besides, and columns do not ask for."""

_COUNTS: Final = range(1, 13)
_FEW, _MANY = 4, 5
"""Elements of a column, and of the second before one allied contingent (CC-S03)."""

_WAGONS: Final = 2
"""War wagons that take the place of baggage (CC-3.8)."""


def army_from(tree: Mapping[str, Any], place: str, troops: Troops, *, role: str = "") -> Army:
    """Return the army of a table, which may be a list of an army without elements and columns.

    Raises:
        ScenarioError: a key or value is wrong; says which, and what would be right.
    """
    try:
        own = dict(_elements_of(tree, place)) if any(key in tree for key in _LIST) and "elements" not in tree else tree
    except ScenarioError as error:
        error.member = tuple(place.split("."))
        raise
    if "columns" in own:
        return read_army(own, place, troops, role=role)
    army = read_army({**own, "columns": {}}, place, troops, role=role)
    return replace(army, columns=three_columns(army, troops))


def three_columns(army: Army, troops: Troops) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return three legal columns of an army, the general at the head of the first (CC-S03 to CC-S07).

    The slow march first and the fast come last, as a column comes on at the move of its slowest (CC-4.5). Allies are
    the third column. Baggage ends the second, where any is needed.
    """
    own = [element for element in army.elements if element.contingent is Contingent.OWN]
    allied = [element for element in army.elements if element.contingent is not Contingent.OWN]
    led = [element for element in own if element.general][:1]
    rest = sorted((element for element in own if element not in led), key=lambda each: _move(each, troops))
    marching = [element.id for element in (*led, *rest)]
    second = _MANY if len(army.used_allies) == 1 else _FEW
    third = [element.id for element in allied] if allied else marching[_FEW + second :]
    middle = marching[_FEW : _FEW + second] if not allied else marching[_FEW:]
    wagons = sum(element.type.endswith(WAGON) for element in army.elements)
    if not army.city and wagons < _WAGONS:
        middle.append(BAGGAGE)
    return tuple(marching[:_FEW]), tuple(middle), tuple(third)


def _move(element: Element, troops: Troops) -> float:
    found = troops.find(element.type)
    return found.move if found is not None else 0.0


def _elements_of(tree: Mapping[str, Any], place: str) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a table of elements that says what a list says."""
    lists = dict(tree)
    if isinstance(line := lists.get("list"), str):
        lists = {**parse_notation(line, HOMES), **lists}
    for key in tree:
        if key not in (*_LIST, *_ABOUT, *SHARED, *MARKS):
            raise ScenarioError(
                "{place}: unknown key {name!r}; known keys are {names}",
                place=place,
                name=key,
                names=", ".join((*SHARED, *MARKS)),
            )
    codes, led = _codes(lists, place)
    yield (
        "elements",
        [{"id": f"E{number}", "type": code, "general": number == 1} for number, code in enumerate((led, *codes), 1)],
    )
    yield "name", lists.get("name", lists.get("id", place.rpartition(".")[2]))
    yield from ((key, lists[key]) for key in (*SHARED, *MARKS) if key in lists and key not in ("elements", "name"))


def _codes(tree: Mapping[str, Any], place: str) -> tuple[list[str], str]:
    """Return the codes of a list without the general's, and his."""
    if isinstance(tree.get("counts"), Mapping):
        codes, led = _bundle(tree["counts"], place), tree.get("general")
        if not isinstance(led, str) or led not in codes:
            raise ScenarioError(
                '{place}: general is not one of the counted elements; write for example general = "Cv"', place=place
            )
        codes.remove(led)
        return codes, led
    chosen = tree.get("chosen", {})
    general = tree.get("general")
    options = general.get("options") if isinstance(general, Mapping) else None
    slots = tree.get("slot", [])
    if not isinstance(chosen, Mapping) or not isinstance(options, Sequence) or not options or not _tables(slots):
        raise ScenarioError("{place}: write either elements or a list with [[slot]] and [general]", place=place)
    codes = [code for slot in slots for code in _slot(slot, chosen, place)]
    led, *others = _bundle(chosen.get("general", options[0]), place)
    return [*others, *codes], led


def _slot(slot: Mapping[str, Any], chosen: Mapping[str, Any], place: str) -> Iterable[str]:
    if "fixed" in slot:
        return _bundle(slot["fixed"], place)
    options, count = slot.get("options"), slot.get("count", 1)
    if not isinstance(options, Sequence) or not options or not isinstance(count, int) or isinstance(count, bool):
        raise ScenarioError("{place}: [[slot]] {slot!r} has no options", place=place, slot=slot.get("id"))
    said = chosen.get(str(slot.get("id")))
    if isinstance(said, list):
        return [code for one in said for code in _bundle(one, place)]
    if said is not None:
        # A code alone stands for as many as the slot has.
        return _bundle(said, place) * (count if isinstance(said, str) else 1)
    return _bundle(options[0], place) * count


def _bundle(value: object, place: str) -> list[str]:
    """Return the codes of a code, or of a table of codes and numbers."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping) and all(count in _COUNTS for count in value.values()):
        return [code for code, count in value.items() for _ in range(count)]
    raise ScenarioError(
        "{place}: {value!r} is not an element; write a code such as 4Bd, or a table of codes and counts",
        place=place,
        value=value,
    )


def _tables(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, Mapping) for each in value)
