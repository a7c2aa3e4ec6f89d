"""Facts that a game stores in its record, and sentences that explain each feature.

The sentences are printed on the map, so they do not reveal the NPG's army.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict

from printkit.core.errors import RecordError
from printkit.core.words import IN_ENGLISH, SEPARATOR, Words
from printkit.kit.provenance import AccountLine, account_features, scores_of_feature
from printkit.kit.sides import RecordedSide, strip_brackets
from printkit.systems.dba.ground.placed_pieces import choice_facts, explain_choice
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.army_files import named as army_named
from printkit.systems.solo.armies.composing import Attack, ComposedArmy
from printkit.systems.solo.armies.force import Force, Home
from printkit.systems.solo.armies.game_armies import Armies
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.systems.solo.terrain.placing import PlacementOutcome, sort_picks
from printkit.systems.solo.terrain.read_record import (
    DiceTerrain,
    RecordedArmies,
    RecordedAttack,
    read_terrain,
)
from printkit.systems.solo.terrain.selection import Selection
from printkit.terrain.field.features import Feature
from printkit.terrain.field.record import Record, read_detail

# --- Facts in the record of a game, in addition to the features -------------------------------------------------------

_Json = dict[str, Any]

# The facts that the player must not see before their own army is deployed: the NPG's elements and its dice.
COMPOSITION: Final = "composition"


def army_facts(armies: Armies, composition: ComposedArmy) -> _Json:
    """Return the facts that both sides may know: the lists, and the player's elements."""
    return {
        "npg": _list_facts(armies.npg),
        "you": {**_list_facts(armies.you), **force_facts(composition.you)},
    }


def composition_facts(composition: ComposedArmy) -> _Json:
    """Return the NPG's army and the steps of its composition, for the umpire only."""
    return {**force_facts(composition.force), "steps": steps_facts(composition.steps)}


def force_facts(force: Force) -> _Json:
    """Return the element counts of an army by code in list order, the general's code, and totals."""
    general_element = force.general
    return {
        "elements": dict(Counter(element.code for element in force.elements)),
        "general": general_element.code if general_element else None,
        "types": dict(force.type_counts()),
        "mounted": force.mounted_count,
        "infantry": force.infantry_count,
        "bad_goers": force.bad_goer_count,
    }


def attack_facts(attack: Attack) -> _Json:
    """Return the attacker, the defender, and the step that decided."""
    return {"attacker": attack.attacker.value, "defender": attack.defender.value, "step": attack.step.as_data()}


def terrain_facts(home: Home, selection: Selection | None, outcome: PlacementOutcome | None) -> _Json:
    """Return the facts of the terrain for the record: pieces in placement order, dropped ones, and the steps.

    The keys are ``home``, ``by``, ``pieces``, ``left_out``, ``selection`` and ``placement``. If the player chooses the
    terrain, there is no selection and only the home topography is returned (AMB-10).
    """
    if selection is None or outcome is None:
        return {"home": home.value, "by": "person"}
    results = {piece.identity: piece.result for piece in outcome.placed_pieces}
    return {
        "home": home.value,
        "by": "dice",
        "pieces": [
            {
                "id": identity,
                "terrain": pick.terrain.value,
                **choice_facts(pick, selection.picks),
                "result": results.get(identity),
            }
            for pick, identity in sort_picks(selection.picks)
        ],
        "left_out": [{"id": piece.identity, "by": list(piece.blockers)} for piece in outcome.blocked_pieces],
        "selection": steps_facts(selection.steps),
        "placement": [
            {"id": step.identity, "result": step.result, "throws": list(step.throws), "refused": step.refusal or None}
            for step in outcome.steps
        ],
    }


def steps_facts(steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Return steps as plain values for the JSON record, one mapping for each, in their order.

    The keys are for example ``clause``, ``title``, ``inputs``, ``dice``, ``modifiers``, ``total`` and ``result``.
    """
    return [step.as_data() for step in steps]


def _list_facts(army: Army) -> _Json:
    """Return the facts of an army list; for a littoral home also its choices of features (SD-3.2.2-a, -b)."""
    facts = {name: getattr(army, name) for name in _LIST_KEYS}
    return facts | ({"littoral": asdict(army.pairs)} if army.home is Home.LITTORAL else {})


_LIST_KEYS: Final = ("name", "file", "home", "aggression", "camp", "number", "dates", "version")


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
