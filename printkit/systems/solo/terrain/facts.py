"""What a game keeps in its record besides features: both armies, who attacks, and every step with its modifiers.

A record so tells everything that later procedures ask of an army, and no army file is needed for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from printkit.systems.dba.ground.pieces import Pick
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.composing import Attack, Composed
from printkit.systems.solo.armies.force import Force, Home
from printkit.systems.solo.armies.game_armies import Armies
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.terrain.placing import Placed, ordered
from printkit.systems.solo.terrain.selection import Selection

Json = dict[str, Any]

COMPOSITION: Final = "composition"
"""The one part of the facts that YOU may not know before your own army stands: the NPG's elements and his dice."""


def army_facts(armies: Armies, composed: Composed) -> Json:
    """Return what both sides may know: the lists, and YOUR elements."""
    return {
        "npg": _list_facts(armies.npg),
        "you": {**_list_facts(armies.you), **force_facts(composed.you)},
    }


def composition_facts(composed: Composed) -> Json:
    """Return the NPG's army and how it was composed, which is for the umpire alone."""
    return {**force_facts(composed.force), "steps": steps_facts(composed.steps)}


def force_facts(force: Force) -> Json:
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


def attack_facts(attack: Attack) -> Json:
    """Return who attacks, and the step that says why."""
    return {"attacker": attack.attacker.value, "defender": attack.defender.value, "step": attack.step.as_data()}


def terrain_facts(home: Home, selection: Selection | None, placed: Placed | None) -> Json:
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


def _piece(pick: Pick, identity: str, picks: Sequence[Pick]) -> Json:
    """Return a piece: compulsory, or which of the optional ones, counted in the order chosen."""
    optional = [other for other in picks if not other.compulsory]
    return {
        "id": identity,
        "terrain": pick.terrain.value,
        "compulsory": pick.compulsory,
        "of": len(optional) if not pick.compulsory else len(picks) - len(optional),
    }


def _list_facts(army: Army) -> Json:
    return {
        "name": army.name,
        "file": army.file,
        "home": army.home.value,
        "aggression": army.aggression,
        "camp": army.camp,
        "number": army.number,
        "dates": army.dates,
        "version": army.version,
        **({"littoral": _pairs(army)} if army.home is Home.LITTORAL else {}),
    }


def _pairs(army: Army) -> Json:
    """Return which of each pair of features suits a littoral army, or that dice decide (SD-3.2.2-a, -b)."""
    return {"hills_or_marsh": army.pairs.hills_or_marsh.value, "woods_or_dunes": army.pairs.woods_or_dunes.value}
