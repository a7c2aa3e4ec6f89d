"""Read armies, terrain pieces and steps from a Solo DBA record, with type checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.systems.dba.ground.piece_origins import ChosenPiece
from printkit.systems.dba.ground.terrain_limits import Terrain
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


def require_member(member: Member, *names: str) -> Member:
    """Return a nested member by its names, outermost first.

    Raises:
        RecordError: a member is missing; the message names it.
    """
    for name in names:
        member = member.need(name, _REMEDY)
    return member


def read_pieces(terrain: Member) -> tuple[RecordedPiece, ...]:
    """Return the pieces in placement order, including dropped ones.

    Raises:
        RecordError: a piece is not valid; the message names it.
    """
    return tuple(_read_piece(piece) for piece in require_member(terrain, "pieces").items())


def read_dropped_ids(terrain: Member) -> tuple[str, ...]:
    """Return the IDs of the dropped pieces, in the order of the record.

    Raises:
        RecordError: the list is missing, or an entry is not valid; the message names it.
    """
    return tuple(require_member(piece, "id").text() for piece in require_member(terrain, "left_out").items())


def read_steps(terrain: Member) -> tuple[RecordedStep, ...]:
    """Return the steps of the selection of terrain, in the order of the record.

    Raises:
        RecordError: the list is missing, or a step is not valid; the message names it.
    """
    return tuple(
        _read_step(Member(read_step_data(step), step.path)) for step in require_member(terrain, "selection").items()
    )


def read_step_data(member: Member) -> Mapping[str, Any]:
    """Return a step of the log as plain values by name, after a check of their types.

    The checked keys are ``clause``, ``title``, ``result``, ``dice``, ``inputs`` and ``modifiers``. The mapping is that
    of the record, not a copy.

    Raises:
        RecordError: a value is missing or has the wrong type; the message names it.
    """
    for name in ("clause", "title", "result"):
        require_member(member, name).text()
    for die in require_member(member, "dice").items():
        die.whole()
    for _ in require_member(member, "inputs").pairs():
        pass
    for modifier in require_member(member, "modifiers").items():
        require_member(modifier, "value").whole()
        for name in ("id", "state", "about"):
            require_member(modifier, name).text()
    data: Mapping[str, Any] = member.value
    return data


def read_recorded_force(army: Member, elements: Member) -> Force:
    """Return an army of a record, from the facts of its list and its elements by code.

    ``elements`` is a member with ``elements``, the counts by code, and perhaps ``general``, the code of the general.

    Raises:
        RecordError: a value is missing or not valid; the message names it.
    """
    pairs = army.get("littoral")
    return Force(
        name=require_member(army, "name").text(),
        home=read_enum(Home, require_member(army, "home")),
        aggression=require_member(army, "aggression").whole(),
        elements=_read_elements(elements),
        camp=require_member(army, "camp").yes_no(),
        pairs=LittoralPairs()
        if pairs is None
        else LittoralPairs(
            hills_or_marsh=read_enum(HillsOrMarsh, require_member(pairs, "hills_or_marsh")),
            woods_or_dunes=read_enum(WoodsOrDunes, require_member(pairs, "woods_or_dunes")),
        ),
    )


def read_enum(enum_type: type[N], member: Member) -> N:
    """Return the member of ``enum_type`` with the text of a record member as its value.

    Raises:
        RecordError: the enum does not have the value; the message lists the values.
    """
    if member.text() not in list(enum_type):
        raise member.wrong("one of {names}", names=", ".join(enum_type))
    return enum_type(member.text())


def _read_elements(member: Member) -> tuple[Element, ...]:
    """Return the elements of an army in list order; empty without codes.

    Each code gives as many elements as its count. ``member`` has ``elements``, the counts by code, and perhaps
    ``general``. The first element with the code ``general`` is the general's.

    Raises:
        RecordError: a code or a count is not valid.
    """
    troops, elements, general_code = read_troops(), list[Element](), member.get("general")
    for code, count in require_member(member, "elements").pairs():
        troop = troops.find_type(code)
        if troop is None:
            raise Member(code, count.path).wrong("the code of a troop type")
        general = general_code is not None and general_code.text() == code
        elements += [Element(code=code, troop=troop, general=general and not index) for index in range(count.whole())]
    return tuple(elements)


def _read_piece(member: Member) -> RecordedPiece:
    """Return a piece of the record.

    Raises:
        RecordError: a value is missing or not valid.
    """
    result = member.get("result")
    return RecordedPiece(
        id=require_member(member, "id").text(),
        terrain=read_enum(Terrain, require_member(member, "terrain")),
        is_compulsory=require_member(member, "compulsory").yes_no(),
        choice_count=require_member(member, "of").whole(),
        result="" if result is None else result.text(),
    )


def _read_step(member: Member) -> RecordedStep:
    """Return the parts of a recorded step that checks compare.

    Raises:
        RecordError: a value is missing or not valid.
    """
    army = require_member(member, "inputs").get("army")
    return RecordedStep(
        clause=require_member(member, "clause").text(),
        title=require_member(member, "title").text(),
        counts={
            require_member(modifier, "id").text(): require_member(modifier, "state").text() == "on"
            for modifier in require_member(member, "modifiers").items()
        },
        army="" if army is None else army.text(),
    )
