"""Facts that a game stores in its record, and sentences that explain each feature.

The sentences are printed on the map, so they do not reveal the NPG's army.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict

from printkit.core.errors import RecordError
from printkit.core.words import IN_ENGLISH, SEPARATOR, Words
from printkit.kit.provenance import describe_features
from printkit.kit.sides import RecordedSide, strip_brackets
from printkit.systems.dba.ground.legal import PiecePick
from printkit.systems.dba.ground.told import PieceAccount
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.army_files import named as army_named
from printkit.systems.solo.armies.composing import Attack, Composed
from printkit.systems.solo.armies.force import Force, Home, Side
from printkit.systems.solo.armies.game_armies import Armies
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.terrain.placing import PlacementOutcome, ordered
from printkit.systems.solo.terrain.selection import Selection
from printkit.systems.solo.terrain.told import RecordedPiece, named, need, told_pieces
from printkit.terrain.field.features import Feature
from printkit.terrain.field.geojson import Member
from printkit.terrain.field.record import Record

# --- Facts in the record of a game, in addition to the features -------------------------------------------------------

_Json = dict[str, Any]

# The facts that the player must not see before their own army is deployed: the NPG's elements and its dice.
COMPOSITION: Final = "composition"


def army_facts(armies: Armies, composed: Composed) -> _Json:
    """Return the facts that both sides may know: the lists, and the player's elements."""
    return {
        "npg": _list_facts(armies.npg),
        "you": {**_list_facts(armies.you), **force_facts(composed.you)},
    }


def composition_facts(composed: Composed) -> _Json:
    """Return the NPG's army and the steps of its composition, for the umpire only."""
    return {**force_facts(composed.force), "steps": steps_facts(composed.steps)}


def force_facts(force: Force) -> _Json:
    """Return the element counts of an army by code in list order, the general's code, and totals."""
    led = force.general
    return {
        "elements": dict(Counter(element.code for element in force.elements)),
        "general": led.code if led else None,
        "types": dict(force.counts()),
        "mounted": force.mounted,
        "infantry": force.infantry,
        "bad_goers": force.bad_goers,
    }


def attack_facts(attack: Attack) -> _Json:
    """Return the attacker, the defender, and the step that decided."""
    return {"attacker": attack.attacker.value, "defender": attack.defender.value, "step": attack.step.as_data()}


def terrain_facts(home: Home, selection: Selection | None, placed: PlacementOutcome | None) -> _Json:
    """Return the pieces in placement order, the dropped pieces, and the steps of selection and placement.

    If the player chooses the terrain, there is no selection and only the home topography is returned (AMB-10).
    """
    if selection is None or placed is None:
        return {"home": home.value, "by": "person"}
    results = {piece.identity: piece.result for piece in placed.laid}
    return {
        "home": home.value,
        "by": "dice",
        "pieces": [
            {**_piece(pick, identity, selection.picks), "result": results.get(identity)}
            for pick, identity in ordered(selection.picks)
        ],
        "left_out": [{"id": each.identity, "by": list(each.blockers)} for each in placed.dropped],
        "selection": steps_facts(selection.steps),
        "placement": [
            {"id": step.identity, "result": step.result, "throws": list(step.throws), "refused": step.refused or None}
            for step in placed.steps
        ],
    }


def steps_facts(steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Return steps as plain values."""
    return [step.as_data() for step in steps]


def _piece(pick: PiecePick, identity: str, picks: Sequence[PiecePick]) -> _Json:
    """Return the facts of a piece; ``of`` is the number of pieces of its kind, compulsory or optional."""
    optional = [other for other in picks if not other.compulsory]
    return {
        "id": identity,
        "terrain": pick.terrain.value,
        "compulsory": pick.compulsory,
        "of": len(optional) if not pick.compulsory else len(picks) - len(optional),
    }


def _list_facts(army: Army) -> _Json:
    """Return the facts of an army list; for a littoral home also the littoral pairs (SD-3.2.2-a, -b)."""
    told = {name: getattr(army, name) for name in _OF_A_LIST}
    return told | ({"littoral": asdict(army.pairs)} if army.home is Home.LITTORAL else {})


_OF_A_LIST: Final = ("name", "file", "home", "aggression", "camp", "number", "dates", "version")


def account(record: Record, words: Words) -> Mapping[str, str]:
    """Return the explanation of each feature by ID, if the record has one."""
    return describe_features(record, words, lambda record, language: _teller(record, language).sentences)


def armies_line(record: Record, words: Words) -> str:
    """Return both army names and the attacker as text; empty if the record does not have them.

    Raises:
        RecordError: the entries of the record are not valid.
    """
    known = Member(dict(record.details), record.rules)
    armies, attack = known.get("armies"), known.get("attack")
    if armies is None or attack is None:
        return ""
    names = {side: need(armies, side, "name").text() for side in Side}
    key = f"solo-dba.armies.{named(Side, need(attack, 'attacker'))}"
    told = (
        one(key, **{side: strip_brackets(army_named(name, one)) for side, name in names.items()})
        for one in words.each()
    )
    return SEPARATOR.join(dict.fromkeys(told))


def told_sides(record: Record) -> dict[str, RecordedSide]:
    """Return the army and role of each side, by ``NPG`` and ``YOU``; a sample has the key of its name.

    Raises:
        RecordError: the entries of the record are not valid.
    """
    told = Member(dict(record.details), record.rules)
    armies, attack = told.get("armies"), told.get("attack")
    if armies is None or attack is None:
        return {}
    attacker = named(Side, need(attack, "attacker"))
    found = {}
    for side in Side:
        own = need(armies, side, "name").text()
        file = need(armies, side).get("file")
        key = "" if file is None else f"npg.sample.{Path(file.text()).stem}.name"
        role = "attacker" if side is attacker else "defender"
        found[side.value.upper()] = RecordedSide(role=role, army=key if _names(key, own) else own)
    return found


def _names(key: str, name: str) -> bool:
    """Return whether a key gives this army name; a user's file can have the file name of a sample."""
    return IN_ENGLISH.has(key) and IN_ENGLISH(key) == name


def where_text(terrain: str, result: str, words: Words) -> str:
    """Return the result of a piece as text: an edge, corner, band, row, or sector by column and row.

    Raises:
        RecordError: the type of piece does not have this result.
    """
    first, _, second = result.partition("/")
    single = terrain in ("waterway", "bua", "river", "road")
    keys = [f"solo-dba.{terrain}.{first}"] if single else [f"solo-dba.column.{first}", f"solo-dba.row.{second}"]
    if not all(map(words.has, keys)):
        raise RecordError("{result!r} is not a place for {terrain}", result=result, terrain=terrain)
    told = [words(key) for key in keys]
    return told[0] if single else words("solo-dba.sector", column=told[0], row=told[1])


def _teller(record: Record, words: Words) -> PieceAccount[RecordedPiece]:
    terrain = Member(dict(record.details), record.rules).get("terrain")
    known = terrain if terrain is not None and terrain.get("pieces") is not None else None
    return PieceAccount(
        key="solo-dba",
        crossing_clause="SD-3.3.5-d",
        words=words,
        record=record,
        home="" if known is None else named(Home, need(known, "home")).value,
        pieces={} if known is None else {each.id: each for each in told_pieces(known) if each.result},
        describe_placing=_placed,
    )


def _placed(feature: Feature, piece: RecordedPiece, dice: list[str], words: Words) -> tuple[str, _Json]:
    where = where_text(piece.terrain, piece.result, words)
    clauses = ", ".join(feature.origin.clauses)
    return "placed" if len(dice) == 1 else "placed_two", {"dice": ", ".join(dice), "where": where, "clauses": clauses}
