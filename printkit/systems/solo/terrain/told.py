"""Read armies, terrain pieces and steps from a Solo DBA record, with type checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba.ground.told import ChosenPiece
from printkit.systems.solo.armies.force import (
    Element,
    Force,
    HillsOrMarsh,
    Home,
    LittoralPairs,
    Side,
    WoodsOrDunes,
    read_troops,
)
from printkit.terrain.field.geojson import Member

N = TypeVar("N", Home, Side, Terrain, HillsOrMarsh, WoodsOrDunes)

_REMEDY: Final = Sentence("a record made by printkit has it")


class RecordedPiece(ChosenPiece, frozen=True, kw_only=True):
    """A selected piece; ``result`` is empty if the piece was dropped."""

    terrain: Terrain
    result: str


class RecordedStep(Struct, frozen=True, kw_only=True):
    """A selection step: clause, title, whether each modifier counts, and the army file's choice."""

    clause: str
    title: str
    counts: Mapping[str, bool]
    army: str


def need(told: Member, *names: str) -> Member:
    """Return a nested member by its names, outermost first.

    Raises:
        RecordError: a member is missing; the message names it.
    """
    for name in names:
        told = told.need(name, _REMEDY)
    return told


def told_pieces(terrain: Member) -> tuple[RecordedPiece, ...]:
    """Return the pieces in placement order, including dropped ones.

    Raises:
        RecordError: a piece is not valid; the message names it.
    """
    return tuple(_piece(each) for each in need(terrain, "pieces").items())


def told_left_out(terrain: Member) -> tuple[str, ...]:
    """Return the IDs of the dropped pieces; errors as in ``told_pieces``."""
    return tuple(need(each, "id").text() for each in need(terrain, "left_out").items())


def told_steps(terrain: Member) -> tuple[RecordedStep, ...]:
    """Return the steps of the selection; errors as in ``told_pieces``."""
    return tuple(_step(Member(checked_step(each), each.path)) for each in need(terrain, "selection").items())


def checked_step(told: Member) -> Mapping[str, Any]:
    """Return a step as plain values (see ``Step.as_data``), with all types checked.

    Raises:
        RecordError: a value is missing or has the wrong type; the message names it.
    """
    for name in ("clause", "title", "result"):
        need(told, name).text()
    for die in need(told, "dice").items():
        die.whole()
    for _ in need(told, "inputs").pairs():
        pass
    for modifier in need(told, "modifiers").items():
        need(modifier, "value").whole()
        for name in ("id", "state", "about"):
            need(modifier, name).text()
    found: Mapping[str, Any] = told.value
    return found


def told_force(army: Member, elements: Member) -> Force:
    """Return an army of a record, from the facts of its list and its elements by code.

    Raises:
        RecordError: a value is missing or not valid; the message names it.
    """
    pairs = army.get("littoral")
    return Force(
        name=need(army, "name").text(),
        home=named(Home, need(army, "home")),
        aggression=need(army, "aggression").whole(),
        elements=_elements(elements),
        camp=need(army, "camp").yes_no(),
        pairs=LittoralPairs()
        if pairs is None
        else LittoralPairs(
            hills_or_marsh=named(HillsOrMarsh, need(pairs, "hills_or_marsh")),
            woods_or_dunes=named(WoodsOrDunes, need(pairs, "woods_or_dunes")),
        ),
    )


def named(names: type[N], told: Member) -> N:
    """Return the enum member with the value of a text.

    Raises:
        RecordError: the enum does not have the value; the message lists the values.
    """
    if told.text() not in list(names):
        raise told.wrong("one of {names}", names=", ".join(names))
    return names(told.text())


def _elements(told: Member) -> tuple[Element, ...]:
    troops, found, led = read_troops(), list[Element](), told.get("general")
    for code, count in need(told, "elements").pairs():
        troop = troops.find(code)
        if troop is None:
            raise Member(code, count.path).wrong("the code of a troop type")
        general = led is not None and led.text() == code
        found += [Element(code=code, troop=troop, general=general and not place) for place in range(count.whole())]
    return tuple(found)


def _piece(told: Member) -> RecordedPiece:
    result = told.get("result")
    return RecordedPiece(
        id=need(told, "id").text(),
        terrain=named(Terrain, need(told, "terrain")),
        is_compulsory=need(told, "compulsory").yes_no(),
        choice_count=need(told, "of").whole(),
        result="" if result is None else result.text(),
    )


def _step(told: Member) -> RecordedStep:
    army = need(told, "inputs").get("army")
    return RecordedStep(
        clause=need(told, "clause").text(),
        title=need(told, "title").text(),
        counts={
            need(each, "id").text(): need(each, "state").text() == "on" for each in need(told, "modifiers").items()
        },
        army="" if army is None else army.text(),
    )
