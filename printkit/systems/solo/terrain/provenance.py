"""How each feature came about, in sentences; and what a game keeps in its record besides features.

Nothing of the NPG's army is told, for these sentences stand on the map.
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
from printkit.systems.dba.ground.legal import Pick
from printkit.systems.dba.ground.told import PieceTeller
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

# --- What a game keeps in its record besides features -----------------------------------------------------------------

_Json = dict[str, Any]

COMPOSITION: Final = "composition"
"""The one part of the facts that YOU may not know before your own army stands: the NPG's elements and his dice."""


def army_facts(armies: Armies, composed: Composed) -> _Json:
    """Return what both sides may know: the lists, and YOUR elements."""
    return {
        "npg": _list_facts(armies.npg),
        "you": {**_list_facts(armies.you), **force_facts(composed.you)},
    }


def composition_facts(composed: Composed) -> _Json:
    """Return the NPG's army and how it was composed, which is for the umpire alone."""
    return {**force_facts(composed.force), "steps": steps_facts(composed.steps)}


def force_facts(force: Force) -> _Json:
    """Return the elements of an army by code in the order of the list, its general's code apart."""
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
    """Return who attacks, and the step that says why."""
    return {"attacker": attack.attacker.value, "defender": attack.defender.value, "step": attack.step.as_data()}


def terrain_facts(home: Home, selection: Selection | None, placed: PlacementOutcome | None) -> _Json:
    """Return the pieces in the order placed, those left out, and the steps of selection and placement.

    Where the person lays out terrain himself both are None, and only his home topography is told (AMB-10).
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
        "left_out": [{"id": each.identity, "by": list(each.by)} for each in placed.dropped],
        "selection": steps_facts(selection.steps),
        "placement": [
            {"id": step.identity, "result": step.result, "throws": list(step.throws), "refused": step.refused or None}
            for step in placed.steps
        ],
    }


def steps_facts(steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Return steps as plain values."""
    return [step.as_data() for step in steps]


def _piece(pick: Pick, identity: str, picks: Sequence[Pick]) -> _Json:
    """Return a piece: compulsory, or which of the optional ones, counted in the order chosen."""
    optional = [other for other in picks if not other.compulsory]
    return {
        "id": identity,
        "terrain": pick.terrain.value,
        "compulsory": pick.compulsory,
        "of": len(optional) if not pick.compulsory else len(picks) - len(optional),
    }


def _list_facts(army: Army) -> _Json:
    """Return what a list says of itself; of a littoral one also which of each pair suits it (SD-3.2.2-a, -b)."""
    told = {name: getattr(army, name) for name in _OF_A_LIST}
    return told | ({"littoral": asdict(army.pairs)} if army.home is Home.LITTORAL else {})


_OF_A_LIST: Final = ("name", "file", "home", "aggression", "camp", "number", "dates", "version")


def account(record: Record, words: Words) -> Mapping[str, str]:
    """Return by the ID of each feature how it came about; features of which the record tells nothing are left out."""
    return describe_features(record, words, lambda record, language: _teller(record, language).sentences)


def armies_line(record: Record, words: Words) -> str:
    """Return both armies by name and who attacks, or an empty text where the record does not tell.

    Raises:
        RecordError: it tells of them, and wrongly.
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
    """Return by NPG and YOU which army each has, and who attacks; a sample is called by the key of its name.

    Raises:
        RecordError: the record tells of them, and wrongly.
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
    """Return whether a key gives the name of a sample: a file of a person's own may be called as one of ours is."""
    return IN_ENGLISH.has(key) and IN_ENGLISH(key) == name


def where_text(terrain: str, result: str, words: Words) -> str:
    """Return the result of a piece in words: an edge, a corner, a band, a row, or a sector by column and row.

    Raises:
        RecordError: the piece cannot lie there.
    """
    first, _, second = result.partition("/")
    single = terrain in ("waterway", "bua", "river", "road")
    keys = [f"solo-dba.{terrain}.{first}"] if single else [f"solo-dba.column.{first}", f"solo-dba.row.{second}"]
    if not all(map(words.has, keys)):
        raise RecordError("{result!r} is not a place for {terrain}", result=result, terrain=terrain)
    told = [words(key) for key in keys]
    return told[0] if single else words("solo-dba.sector", column=told[0], row=told[1])


def _teller(record: Record, words: Words) -> PieceTeller[RecordedPiece]:
    terrain = Member(dict(record.details), record.rules).get("terrain")
    known = terrain if terrain is not None and terrain.get("pieces") is not None else None
    return PieceTeller(
        key="solo-dba",
        passes="SD-3.3.5-d",
        words=words,
        record=record,
        home="" if known is None else named(Home, need(known, "home")).value,
        pieces={} if known is None else {each.id: each for each in told_pieces(known) if each.result},
        placed=_placed,
    )


def _placed(feature: Feature, piece: RecordedPiece, dice: list[str], words: Words) -> tuple[str, _Json]:
    where = where_text(piece.terrain, piece.result, words)
    clauses = ", ".join(feature.origin.clauses)
    return "placed" if len(dice) == 1 else "placed_two", {"dice": ", ".join(dice), "where": where, "clauses": clauses}
