"""The edge of an attacking NPG: candidates, nine modifiers, ties, and the die of the rule book (SD-4.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from forces import CST, DES, LEG, STP, TRB, WDS, force
from solo_games import RULES
from throwing import FACES, dice, on, pairs

from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.steps import ModifierState, sum_of, sums_of
from printkit.systems.solo.tactics.edges import (
    EDGE,
    EdgeCase,
    candidate_edges,
    edge_modifiers,
    preferred_edge,
    real_edge,
)
from printkit.systems.solo.tactics.situation import EDGES, Situation, facing, flanking, read_fact
from printkit.terrain.field.battlefield import Edge

NONE: dict[str, bool | int | str] = {"waterway": "none", "bua": "none"} | {
    f"{edge}.{part}": False for edge in EDGES for part in ("zone_clear", "zone_bad_centre", "bad_ahead", "gentle_hill")
}


def table_with(**facts: bool | int | str) -> Situation:
    """Return a table on which every fact is known to be no, but for those given; a dot is two underlines."""
    return Situation().knowing(NONE | {name.replace("__", "."): value for name, value in facts.items()}, "given")


ST_41 = table_with(
    bua="near-left",
    far__zone_clear=True,
    far__gentle_hill=True,
    far__bad_ahead=True,
    right__zone_bad_centre=True,
    left__zone_bad_centre=True,
)


@pytest.mark.clause("ST-41", "SD-4.1-a", "SD-4.1-b", "SD-4.1-m1", "SD-4.1-m2", "SD-4.1-m4", "SD-4.1-m8", "SD-4.1-m9")
def test_st_41() -> None:
    thrown = dice(3, 6)
    edge, step = preferred_edge(TRB, LEG, ST_41, RULES, thrown)
    assert candidate_edges(ST_41) == (Edge.FAR, Edge.RIGHT)
    assert (edge, step.total, step.result) == (Edge.RIGHT, 6, "right")
    assert step.inputs["totals"] == {"far": [5], "right": [6]}
    assert on(step.modifiers, "far") == ["m1", "m4", "m8"]
    assert on(step.modifiers, "right") == ["m2", "m9"]
    assert (step.dice, len(thrown.log), step.open) == ((3, 6), 2, ())


@pytest.mark.clause("ST-42", "SD-4.1-b", "AMB-24")
def test_st_42_only_tied_edges_dice_again_with_their_modifiers() -> None:
    thrown = dice(4, 6, 2, 5)
    edge, step = preferred_edge(TRB, LEG, ST_41, RULES, thrown)
    assert (edge, len(thrown.log)) == (Edge.RIGHT, 4)
    assert step.inputs["totals"] == {"far": [6, 4], "right": [6, 5]}
    thrown = dice(5, 5, 1, 2, 3, 4)
    edge, step = preferred_edge(TRB, LEG, table_with(), RULES, thrown)
    assert (edge, len(thrown.log)) == (Edge.LEFT, 6)
    assert step.inputs["totals"]["far"] == [1]


@pytest.mark.clause("ST-42", "SD-4.1-b", "AMB-24")
def test_st_42_the_chances_of_the_far_edge() -> None:
    sums = {edge: sum_of(found) for edge, found in edge_modifiers(TRB, LEG, ST_41, RULES).items()}
    assert sums == {Edge.FAR: 2, Edge.RIGHT: 0}
    decided = [(far, right) for far, right in pairs() if far + 2 != right]
    won = [preferred_edge(TRB, LEG, ST_41, RULES, dice(*throw))[0] is Edge.FAR for throw in decided]
    assert Fraction(sum(won), len(won)) == Fraction(13, 16)


@pytest.mark.clause("ST-43", "SD-4.1-m3", "SD-4.1-m5")
@pytest.mark.parametrize(
    ("npg", "you", "counted"),
    [
        (LEG, STP, ["m3"]),
        (LEG, WDS, ["m5"]),
        (LEG, DES, ["m3"]),
        (LEG, force("five", "Cv* 5, Bd 7", "hilly", 1), []),
    ],
)
def test_st_43(npg: Force, you: Force, counted: list[str]) -> None:
    case = EdgeCase(npg=npg, you=you, situation=table_with(far__bad_ahead=True), edge=Edge.NEAR)
    assert on(EDGE.judge(case, RULES)) == counted


LITTORAL = force("sailors", "Kn* 6, Ax 6", "littoral", 1)
INLAND = force("farmers", "Kn* 6, Ax 6", "arable", 1)


@pytest.mark.clause("SD-4.1-m1..SD-4.1-m9", "SD-4.1-m3", "SD-4.1-m5", "SD-4.1-m6", "SD-4.1-m7", "SD-4.1-m8")
@pytest.mark.parametrize(
    ("counted", "amount", "facts", "npg", "you"),
    [
        ("m1", 3, {"near__zone_clear": True}, INLAND, LITTORAL),
        ("m2", 3, {"far__zone_bad_centre": True}, INLAND, LITTORAL),
        ("m3", 1, {"far__bad_ahead": True}, INLAND, LITTORAL),
        ("m4", 1, {"near__gentle_hill": True}, INLAND, LITTORAL),
        ("m5", -1, {"far__bad_ahead": True}, INLAND, WDS),
        ("m6", -1, {"waterway": "left"}, INLAND, LITTORAL),
        ("m6", -1, {"waterway": "right"}, INLAND, LITTORAL),
        ("m7", -2, {"waterway": "near"}, INLAND, LITTORAL),
        ("m8", -2, {"near__bad_ahead": True}, INLAND, LITTORAL),
        ("m9", -3, {"near__zone_bad_centre": True}, INLAND, LITTORAL),
        # Without its army a fact adds nothing.
        ("", 0, {"waterway": "left"}, INLAND, INLAND),
        ("", 0, {"waterway": "near"}, INLAND, INLAND),
        ("", 0, {"waterway": "far"}, INLAND, LITTORAL),
        ("", 0, {"near__bad_ahead": True}, force("light", "Ax* 6, Ps 2, Bd 4", "hilly", 1), INLAND),
        ("", 0, {"far__bad_ahead": True}, INLAND, force("seven", "Bw* 7, Kn 5", "hilly", 1)),
    ],
)
def test_each_modifier_hangs_on_its_own_fact_and_army(
    counted: str, amount: int, facts: dict[str, bool | int | str], npg: Force, you: Force
) -> None:
    without, having = (
        EDGE.judge(EdgeCase(npg=npg, you=you, situation=each, edge=Edge.NEAR), RULES)
        for each in (table_with(), table_with(**facts))
    )
    assert on(without) == []
    assert on(having) == counted.split()
    assert sum_of(having) - sum_of(without) == amount


@pytest.mark.clause("SD-4.1-b")
def test_an_unknown_fact_is_open_and_counts_nothing() -> None:
    found = EDGE.judge(EdgeCase(npg=INLAND, you=LITTORAL, situation=Situation(), edge=Edge.NEAR), RULES)
    assert {modifier.state for modifier in found} <= {ModifierState.OPEN, ModifierState.OFF}
    assert sums_of(found) == (-8, 8)


@pytest.mark.clause("SD-4.1-a")
def test_a_town_in_a_corner_takes_two_edges_out() -> None:
    for corner, left in (("near-left", "far right"), ("far-right", "near left"), ("none", "near left far right")):
        assert " ".join(candidate_edges(table_with(bua=corner))) == left
    assert len(candidate_edges(Situation())) == 4


@pytest.mark.clause("SD-4.1-c", "AMB-47")
def test_the_rule_book_gives_the_preferred_edge_half_of_the_time() -> None:
    found = [real_edge(Edge.LEFT, RULES, dice(face))[0] for face in FACES]
    assert found == [Edge.NEAR, Edge.FAR, Edge.RIGHT, Edge.LEFT, Edge.LEFT, Edge.LEFT]
    assert real_edge(Edge.LEFT, RULES, dice(1))[1].inputs["your_edge"] == "far"


def test_modifiers_of_the_book_and_predicates_are_the_same_and_edges_lie_opposite_and_beside_each_other() -> None:
    assert list(EDGE.tests) == [modifier.condition for modifier in RULES.outcomes("edge").modifiers]
    for clause in EDGE.tests:
        for name in RULES.facts_of(clause, edge="near", opposite="far"):
            assert read_fact(name, "none" if name == "waterway" else False) is not None
    assert [facing(edge) for edge in EDGES] == [Edge.FAR, Edge.RIGHT, Edge.NEAR, Edge.LEFT]
    assert flanking(Edge.NEAR) == (Edge.LEFT, Edge.RIGHT)
    assert CST.littoral
