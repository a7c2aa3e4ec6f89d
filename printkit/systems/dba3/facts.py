"""What a game keeps in its record besides features: home, features with quarter and die, discards, base edges."""

from __future__ import annotations

from typing import Any

from printkit.systems.dba3.placing.placing import Placed, ordered
from printkit.systems.dba3.placing.selection import Pick
from printkit.systems.dba3.placing.terms import Home
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER, Edges

Json = dict[str, Any]


def terrain_facts(home: Home, picks: tuple[Pick, ...], placed: Placed) -> Json:
    """Return the features in the order placed; those without a quarter were discarded, and ``discarded`` says why."""
    laid = {each.identity: each for each in placed.laid}
    compulsory = sum(pick.compulsory for pick in picks)
    return {
        "home": home.value,
        "pieces": [
            {
                "id": identity,
                "terrain": pick.terrain.value,
                "bua": pick.town or None,
                "compulsory": pick.compulsory,
                "of": compulsory if pick.compulsory else len(picks) - compulsory,
                "quarter": laid[identity].quarter if identity in laid else None,
            }
            for pick, identity in ordered(picks)
        ],
        "discarded": [
            {"id": each.identity, "name": each.pick.name, "quarter": each.quarter, "by": list(each.by)}
            for each in placed.discarded
        ],
    }


def deployment_facts(edges: Edges) -> Json:
    """Return both base edges, and who deploys and moves first (D3-55, D3-66)."""
    return {
        "defender": DEFENDER,
        "invader": INVADER,
        "defender_edge": edges.defender.value,
        "invader_edge": edges.invader.value,
        "deploys_first": DEFENDER,
        "moves_first": INVADER,
    }
