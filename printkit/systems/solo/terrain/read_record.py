"""Read armies, terrain pieces and steps from a Solo DBA record into types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from printkit.core.errors import RecordError
from printkit.systems.dba.ground.checked_pieces import LeftOutPiece
from printkit.systems.dba.ground.placed_pieces import ChosenPiece
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.solo.armies.force import Element, Force, Home, LittoralPairs, Side, read_troops
from printkit.terrain.field.record import Record, read_members


class RecordedPiece(ChosenPiece, frozen=True, kw_only=True):
    """A selected piece; a dropped piece has no ``result``."""

    terrain: Terrain
    result: str | None = None


class RecordedThrows(Struct, frozen=True):
    """A piece that dice placed: its ID, and the numbers of its rolls in the log, from 1."""

    id: str
    throws: tuple[int, ...]


class RecordedModifier(Struct, frozen=True, kw_only=True):
    """A modifier of a step: its clause, its value, whether it counts (``on``), and what it is about."""

    id: str
    value: int
    state: str
    about: str


class RecordedStep(Struct, frozen=True, kw_only=True):
    """A step of the log: clause, title, result, dice, facts and modifiers."""

    clause: str
    title: str
    result: str
    dice: tuple[int, ...]
    inputs: Mapping[str, Any]
    modifiers: tuple[RecordedModifier, ...]


class PersonTerrain(Struct, frozen=True, kw_only=True, tag_field="by", tag="person"):
    """The terrain of a record whose pieces the user places; ``home`` is that of the defender."""

    home: Home


class DiceTerrain(Struct, frozen=True, kw_only=True, tag_field="by", tag="dice"):
    """The terrain of a record whose pieces dice placed.

    ``pieces`` are in placement order, with those that were left out. ``home`` is that of the defender. ``selection``
    and ``placement`` are the steps of the log.
    """

    home: Home
    pieces: tuple[RecordedPiece, ...]
    left_out: tuple[LeftOutPiece, ...]
    selection: tuple[RecordedStep, ...]
    placement: tuple[RecordedThrows, ...] = ()


class _Details(Struct, frozen=True):
    terrain: DiceTerrain | PersonTerrain | None = None


def read_terrain(record: Record) -> DiceTerrain | PersonTerrain | None:
    """Return the terrain of a record, or None without terrain.

    Raises:
        RecordError: a value is missing or not valid; the message names it.
    """
    return read_members(record.details, _Details, record.rules).terrain


class RecordedElements(Struct, frozen=True, kw_only=True):
    """The elements of an army: their number by code, and the code of the general."""

    elements: Mapping[str, int]
    general: str | None = None

    def read(self) -> tuple[Element, ...]:
        """Return the elements in list order; the first with the code of the general is the general's.

        Raises:
            RecordError: there is no such troop type.
        """
        troops, elements = read_troops(), list[Element]()
        for code, count in self.elements.items():
            troop = troops.find_type(code)
            if troop is None:
                raise RecordError("elements: {code} is not the code of a troop type", code=code)
            elements += [
                Element(code=code, troop=troop, general=code == self.general and not index) for index in range(count)
            ]
        return tuple(elements)


class RecordedComposition(RecordedElements, frozen=True, kw_only=True):
    """The army of the NPG: its elements, and the steps that composed it."""

    steps: tuple[RecordedStep, ...]


class RecordedArmy(Struct, frozen=True, kw_only=True):
    """An army of a record: the facts of its list, and the name of its file."""

    name: str
    home: Home
    aggression: int
    camp: bool
    littoral: LittoralPairs | None = None
    file: str | None = None

    def read(self, elements: RecordedElements) -> Force:
        """Return the army with its elements; raises the errors of ``RecordedElements.read``."""
        return Force(
            name=self.name,
            home=self.home,
            aggression=self.aggression,
            elements=elements.read(),
            camp=self.camp,
            pairs=self.littoral or LittoralPairs(),
        )


class RecordedArmies(Struct, frozen=True, kw_only=True):
    """Both armies of a record."""

    npg: RecordedArmy
    you: RecordedArmy

    @property
    def by_side(self) -> Mapping[Side, RecordedArmy]:
        """Return the army of each side."""
        return {Side.NPG: self.npg, Side.YOU: self.you}


class RecordedAttack(Struct, frozen=True, kw_only=True):
    """The attacker, the defender, and the step of the log that decided it."""

    attacker: Side
    defender: Side
    step: RecordedStep
