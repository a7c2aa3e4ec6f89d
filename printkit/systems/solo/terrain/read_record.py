"""Read armies, terrain pieces and steps from a Solo DBA record into types; write them and their origin as text.

The texts are printed on the map, so they do not reveal the NPG's army.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from printkit.core.errors import RecordError
from printkit.core.words import IN_ENGLISH, SEPARATOR, Words
from printkit.kit.provenance import AccountLine, account_features, scores_of_feature
from printkit.kit.sides import RecordedSide, strip_brackets
from printkit.systems.dba.ground.checked_pieces import LeftOutPiece
from printkit.systems.dba.ground.placed_pieces import ChosenPiece, explain_choice
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.solo.armies.army_files import named as army_named
from printkit.systems.solo.armies.force import Element, Force, Home, LittoralPairs, Side, read_troops
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.terrain.field.features import Feature
from printkit.terrain.field.record import Record, read_detail, read_members


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


def explain_features(record: Record, words: Words) -> Mapping[str, str]:
    """Return the explanation of each feature by ID; features without facts in the record are left out.

    Raises:
        RecordError: a piece in the record is not valid.
    """
    terrain = read_terrain(record)
    pieces = {piece.id: piece for piece in terrain.pieces if piece.result} if isinstance(terrain, DiceTerrain) else {}
    choice = {
        "prefix": "solo-dba",
        "home": terrain.home.value if terrain else "",
        "crossing_clause": PlacementTerms.crossing_clause,
    }

    def explain(feature: Feature) -> Iterator[AccountLine]:
        piece = pieces.get(feature.id)
        yield from explain_choice(feature, piece, **choice)
        if piece is not None and (scores := scores_of_feature(feature, record.log)):
            key = "placed" if len(scores) == 1 else "placed_two"
            yield AccountLine(f"solo-dba.account.{key}", where=_find_position(piece.terrain, piece.result or ""))

    return account_features(record, words, explain)


def format_armies(record: Record, words: Words) -> str:
    """Return both army names and the attacker as text; empty if the record does not have them.

    Two languages are separated by a raised dot.

    Raises:
        RecordError: the entries of the record are not valid.
    """
    armies, attack = read_detail(record, RecordedArmies, "armies"), read_detail(record, RecordedAttack, "attack")
    if armies is None or attack is None:
        return ""
    names = {side: army.name for side, army in armies.by_side.items()}
    key = f"solo-dba.armies.{attack.attacker}"
    texts = (
        language(key, **{side: strip_brackets(army_named(name, language)) for side, name in names.items()})
        for language in words.each()
    )
    return SEPARATOR.join(dict.fromkeys(texts))


def told_sides(record: Record) -> dict[str, RecordedSide]:
    """Return the army and role of each side, by ``NPG`` and ``YOU``; a sample has the key of its name.

    The dict is empty without armies.

    Raises:
        RecordError: the entries of the record are not valid.
    """
    armies, attack = read_detail(record, RecordedArmies, "armies"), read_detail(record, RecordedAttack, "attack")
    if armies is None or attack is None:
        return {}
    sides = {}
    for side, army in armies.by_side.items():
        key = "" if army.file is None else f"npg.sample.{Path(army.file).stem}.name"
        role = "attacker" if side is attack.attacker else "defender"
        # A user's file can have the file name of a sample.
        is_sample = IN_ENGLISH.has(key) and IN_ENGLISH(key) == army.name
        sides[side.value.upper()] = RecordedSide(role=role, army=key if is_sample else army.name)
    return sides


def format_position(terrain: str, result: str, words: Words) -> str:
    """Return the result of a piece as text: an edge, corner, band, row, or sector by column and row.

    Args:
        terrain: the type of the piece.
        result: the result of its dice, for example ``left/near``.
        words: the words of the language.

    Raises:
        RecordError: the type of piece does not have this result.
    """
    return _find_position(terrain, result).write(words)


def _find_position(terrain: str, result: str) -> AccountLine:
    """Return the result of a piece in no language yet; the arguments and the error are those of ``format_position``."""
    column, _, row = result.partition("/")
    is_single = terrain in ("waterway", "bua", "river", "road")
    keys = [f"solo-dba.{terrain}.{column}"] if is_single else [f"solo-dba.column.{column}", f"solo-dba.row.{row}"]
    if not all(map(IN_ENGLISH.has, keys)):
        raise RecordError("{result!r} is not a place for {terrain}", result=result, terrain=terrain)
    return (
        AccountLine(keys[0])
        if is_single
        else AccountLine("solo-dba.sector", column=AccountLine(keys[0]), row=AccountLine(keys[1]))
    )
