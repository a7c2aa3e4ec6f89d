"""Which edge an attacking NPG prefers, and which the die of the rule book gives him (SD-4.1)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import (
    AppliedModifier,
    Procedure,
    Step,
    all_facts,
    list_open_clauses,
    sum_modifiers,
)
from printkit.systems.solo.tactics.situation import EDGES, Situation, facing, flanking
from printkit.terrain.field.battlefield import Edge


class EdgeCase(Struct, frozen=True, kw_only=True):
    """One edge as the base edge of the NPG."""

    npg: Force
    you: Force
    situation: Situation
    edge: Edge

    def opposite_fact(self, name: str) -> bool | None:
        """Return a fact of the zone opposite."""
        return self.situation.fact(f"{facing(self.edge)}.{name}")

    def own_fact(self, name: str) -> bool | None:
        """Return a fact of the zone itself."""
        return self.situation.fact(f"{self.edge}.{name}")


EDGE: Final[Procedure[EdgeCase]] = Procedure(
    "edge",
    {
        "SD-4.1-m1": lambda case, _: case.own_fact("zone_clear"),
        "SD-4.1-m2": lambda case, _: case.opposite_fact("zone_bad_centre"),
        "SD-4.1-m3": lambda case, its: all_facts(
            case.opposite_fact("bad_ahead"), case.you.count("Kn", "Cv", "LH", "Cm") >= its("SD-4.1-m3")
        ),
        "SD-4.1-m4": lambda case, _: case.own_fact("gentle_hill"),
        "SD-4.1-m5": lambda case, its: all_facts(
            case.opposite_fact("bad_ahead"), case.you.bad_goer_count >= its("SD-4.1-m5")
        ),
        "SD-4.1-m6": lambda case, _: all_facts(case.situation.waterway_at(*flanking(case.edge)), case.you.is_littoral),
        "SD-4.1-m7": lambda case, _: all_facts(case.situation.waterway_at(case.edge), case.you.is_littoral),
        "SD-4.1-m8": lambda case, its: all_facts(
            case.own_fact("bad_ahead"), case.npg.count("Ax", "Ps") < its("SD-4.1-m8")
        ),
        "SD-4.1-m9": lambda case, _: case.own_fact("zone_bad_centre"),
    },
)


def candidate_edges(situation: Situation) -> tuple[Edge, ...]:
    """Return the edges that throw a die: those not beside a built-up area (SD-4.1-a).

    Where nobody knows whether there is one, all four.
    """
    return tuple(edge for edge in EDGES if situation.beside_bua(edge) is not True)


def edge_modifiers(
    npg: Force, you: Force, situation: Situation, rules: SoloRules
) -> dict[Edge, tuple[AppliedModifier, ...]]:
    """Return for each candidate its nine modifiers, each about its edge."""
    found = {}
    for edge in candidate_edges(situation):
        case = EdgeCase(npg=npg, you=you, situation=situation, edge=edge)
        found[edge] = EDGE.judge(case, rules, edge.value)
    return found


def preferred_edge(npg: Force, you: Force, situation: Situation, rules: SoloRules, dice: Dice) -> tuple[Edge, Step]:
    """Return the edge with the highest total; tied edges dice again with their modifiers (SD-4.1-b, AMB-24)."""
    modifiers = edge_modifiers(npg, you, situation, rules)
    sums = {edge: sum_modifiers(found) for edge, found in modifiers.items()}
    contending, thrown, totals = list(modifiers), list[int](), dict[str, list[int]]()
    while True:
        scores = {edge: dice.d6(Sentence("preferred edge: {edge}", edge=edge.value), "SD-4.1-b") for edge in contending}
        thrown += scores.values()
        for edge in contending:
            totals.setdefault(edge.value, []).append(scores[edge] + sums[edge])
        best = max(scores[edge] + sums[edge] for edge in contending)
        contending = [edge for edge in contending if scores[edge] + sums[edge] == best]
        if len(contending) == 1:
            break
    every = tuple(modifier for found in modifiers.values() for modifier in found)
    step = Step(
        clause="SD-4.1-b",
        title="npg.battle.step.edge",
        inputs={"candidates": [edge.value for edge in modifiers], "totals": totals},
        dice=tuple(thrown),
        modifiers=every,
        total=best,
        row="SD-4.1-b",
        result=contending[0].value,
        open=list_open_clauses(every),
    )
    return contending[0], step


def real_edge(preferred: Edge, rules: SoloRules, dice: Dice) -> tuple[Edge, Step]:
    """Return the edge that the die of the rule book gives: 4 to 6 the preferred, 1 to 3 the others (SD-4.1-c).

    The others have their numbers in the order near, left, far, right.
    """
    others = [edge for edge in EDGES if edge is not preferred]
    meant = dict(zip(("first", "second", "third"), others, strict=True)) | {"preferred": preferred}
    score = dice.d6(
        Sentence("the attacker's edge"),
        "SD-4.1-c",
        brings=lambda score: meant[rules.outcomes("edge_die").look_up(score)].value,
    )
    edge = meant[rules.outcomes("edge_die").look_up(score)]
    step = Step(
        clause="SD-4.1-c",
        title="npg.battle.step.edge_die",
        inputs={"preferred": preferred.value, "your_edge": facing(edge).value},
        dice=(score,),
        total=score,
        row="SD-4.1-c",
        result=edge.value,
    )
    return edge, step
