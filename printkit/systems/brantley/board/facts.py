"""What a board keeps in its record besides features: zones, hands, hill dice, courses, deployment (BR-G90)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from msgspec.structs import replace
from shapely import box

from printkit.chance.dice import Throw
from printkit.systems.brantley.board.courses import Placed
from printkit.systems.brantley.board.hills import HillThrow
from printkit.systems.brantley.dealing.cards import GOOD_GOING, Result
from printkit.systems.brantley.dealing.deal import PLAYERS, ZONES, Deal, ZoneCard
from printkit.systems.brantley.dealing.turns import Deployment
from printkit.terrain.field.battlefield import Board, Overlay
from printkit.terrain.field.features import Course, Crossing

Json = dict[str, Any]
Traced = TypeVar("Traced", Course, Crossing)

_PLACES: Final = 3


def card_facts(laid: Mapping[int, ZoneCard], results: Mapping[int, Result], dealt: Deal | None, first: str) -> Json:
    """Return the nine zones, and where a pack was dealt, its order and the hands.

    Args:
        laid: the card of each zone.
        results: what each card put down; good going is left out.
        dealt: None where only the cards of the zones are known.
        first: who laid the first card.
    """
    zones = [
        {
            "n": zone,
            "card": str(found.card) if found.card else None,
            "placed_by": found.placed_by or None,
            "turn": found.turn,
            "blind": found.is_blind and dealt is not None,
            "result": results[zone].name if zone in results else GOOD_GOING,
        }
        for zone, found in sorted(laid.items())
    ]
    if dealt is None:
        return {"zones": zones}
    hands = {player: [str(card) for card in hand] for player, hand in dealt.hands.items()}
    return {"zones": zones, "first": first, "hands": hands, "deck": [str(card) for card in dealt.pack]}


def hill_facts(thrown: Mapping[int, HillThrow]) -> list[Json]:
    """Return the dice of each hill; ``modified`` is the slope score that counts."""
    return [
        {"zone": zone, "slope": dice.slope, "modified": dice.modified, "woods": dice.woods}
        for zone, dice in sorted(thrown.items())
    ]


def course_facts(courses: Sequence[Placed]) -> list[Json]:
    """Return where each river or road starts and ends, as recorded courses write it (``N:8.0``)."""
    return [
        {
            "id": placed.course.id,
            "placed_by": placed.course.origin.placed_by,
            "start": placed.start,
            "end": dict(placed.end),
        }
        for placed in courses
    ]


def traced(features: Sequence[Traced], stage: str, log: Sequence[Throw]) -> list[Traced]:
    """Return courses or crossings with the places of their throws in the log: those that name them, or name none."""
    names = [re.compile(rf"\b{feature.id}\b") for feature in features]
    found = []
    for feature, own in zip(features, names, strict=True):
        throws = tuple(
            place
            for place, throw in enumerate(log, 1)
            if throw.stage == stage and (own.search(throw.reason) or not any(n.search(throw.reason) for n in names))
        )
        found.append(replace(feature, origin=replace(feature.origin, throws=throws)))
    return found


def deployment_facts(order: Deployment, depth: float) -> Json:
    """Return how deep the players deploy in mm, and in which order."""
    return {
        "depth_mm": round(depth, _PLACES),
        "deploys_first": order.deploys_first,
        "moves_first": order.moves_first,
    }


def overlays(board: Board, depth: float) -> tuple[Overlay, ...]:
    """Return the nine zones, and both deployment areas, ``depth`` mm from the base edges (BR-105, BR-701, BR-G72)."""
    areas = {"A": box(0, board.depth - depth, board.width, board.depth), "B": box(0, 0, board.width, depth)}
    zones = board.zones(3, 3)
    return (
        *(Overlay(kind="zone", shape=zones[zone - 1], label=str(zone)) for zone in ZONES),
        *(Overlay(kind="deployment", shape=areas[player], side=player) for player in PLAYERS),
    )
