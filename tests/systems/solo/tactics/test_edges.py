"""The edge of an attacking NPG, with the die of the rule book (SD-4.1), and its camp (SD-4.2, SD-4.3)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from forces import CST, DES, HOP, LEG, SOL, STP, TRB, WAG, WDS, force
from solo_games import RULES
from throwing import FACES, dice, no_dice, on, pairs, share

from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.steps import ModifierState, find_sum_range, sum_modifiers
from printkit.systems.solo.tactics.camp import CAMP, CampCase, CampSpot, camp_garrison, camp_place, preferred_spots
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
    sums = {edge: sum_modifiers(found) for edge, found in edge_modifiers(TRB, LEG, ST_41, RULES).items()}
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
    assert sum_modifiers(having) - sum_modifiers(without) == amount


@pytest.mark.clause("SD-4.1-b")
def test_an_unknown_fact_is_open_and_counts_nothing() -> None:
    found = EDGE.judge(EdgeCase(npg=INLAND, you=LITTORAL, situation=Situation(), edge=Edge.NEAR), RULES)
    assert {modifier.state for modifier in found} <= {ModifierState.OPEN, ModifierState.OFF}
    assert find_sum_range(found) == (-8, 8)


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
        for name in RULES.needed_facts(clause, edge="near", opposite="far"):
            assert read_fact(name, "none" if name == "waterway" else False) is not None
    assert [facing(edge) for edge in EDGES] == [Edge.FAR, Edge.RIGHT, Edge.NEAR, Edge.LEFT]
    assert flanking(Edge.NEAR) == (Edge.LEFT, Edge.RIGHT)
    assert CST.is_littoral


THREE = force("three", "Cv* 2, Sp 3, Bd 7", "hilly", 1)


@pytest.mark.clause("ST-44", "ST-45", "SD-4.2-a", "SD-4.2-b", "SD-4.2-m1", "SD-4.2-m2", "SD-4.2-m3", "AMB-47")
@pytest.mark.parametrize(
    ("npg", "you", "die", "counted", "total", "result", "chance"),
    [
        (HOP, STP, 3, ["m1", "m3"], 6, "spear", Fraction(2, 3)),
        (LEG, HOP, 5, [], 5, "followers", Fraction(1, 6)),
        (SOL, DES, 2, ["m1", "m3"], 5, "followers", Fraction(2, 3)),
        (THREE, DES, 2, ["m1", "m2", "m3"], 6, "spear", Fraction(5, 6)),
    ],
)
def test_st_44_and_45(
    npg: Force, you: Force, die: int, counted: list[str], total: int, result: str, chance: Fraction
) -> None:
    thrown = dice(die)
    step = camp_garrison(npg, you, RULES, thrown)
    assert (on(step.modifiers), step.total, step.result, len(thrown.log)) == (counted, total, result, 1)
    assert share(camp_garrison(npg, you, RULES, dice(face)).result == "spear" for face in FACES) == chance


@pytest.mark.clause("SD-4.2-a", "SD-4.2-b", "SD-4.3-p4")
def test_without_spears_or_camp_no_die_is_thrown_and_without_a_map_the_person_places_the_camp() -> None:
    for npg, result in ((TRB, "followers"), (WAG, "no_camp")):
        step = camp_garrison(npg, HOP, RULES, no_dice())
        assert (step.result, step.dice) == (result, ())
    step = camp_place(LEG, HOP, None)
    assert (step.result, step.question_key) == ("by_hand", "npg.battle.person.camp_place")
    assert camp_place(WAG, HOP, None).result == "no_camp"


PLAIN = force("plain", "Kn* 2, Sp 4, Bd 6", "hilly", 1)


@pytest.mark.clause("SD-4.2-m1", "SD-4.2-m2", "SD-4.2-m3")
@pytest.mark.parametrize(
    ("modifier", "npg", "you"),
    [
        ("m1", PLAIN, force("scouts", "LH* 1, Bd 11", "hilly", 1)),
        ("m2", force("odd", "Kn* 2, Sp 5, Bd 5", "hilly", 1), force("few", "Cv* 1, Bd 11", "hilly", 1)),
        ("m3", PLAIN, force("horse", "Cv* 3, Bd 9", "hilly", 1)),
    ],
)
def test_each_modifier_matters(modifier: str, npg: Force, you: Force) -> None:
    assert on(CAMP.judge(CampCase(PLAIN, force("few", "Cv* 1, Bd 11", "hilly", 1)), RULES)) == []
    assert on(CAMP.judge(CampCase(npg, you), RULES)) == [modifier]
    assert list(CAMP.tests) == [each.condition for each in RULES.outcomes("camp").modifiers]


SPOTS = (
    CampSpot(along=4, behind_bad_going=True),
    CampSpot(along=12, enemy_road=True),
    CampSpot(along=20, waterway_flank=True),
)


@pytest.mark.clause("ST-46", "SD-4.3-p1", "SD-4.3-p2", "SD-4.3-p3", "SD-4.3-p4")
def test_st_46() -> None:
    best, kept = preferred_spots(SPOTS, you_littoral=True, middle=12)
    assert ([spot.along for spot in best], kept) == ([4], ("SD-4.3-p1", "SD-4.3-p2", "SD-4.3-p3", "SD-4.3-p4"))
    no_road = (SPOTS[0], CampSpot(along=12), SPOTS[2])
    assert [spot.along for spot in preferred_spots(no_road, you_littoral=False, middle=12)[0]] == [4]
    bare = (CampSpot(along=4), CampSpot(along=12), SPOTS[2])
    assert [spot.along for spot in preferred_spots(bare, you_littoral=False, middle=12)[0]] == [12]


@pytest.mark.clause("SD-4.3-p1", "SD-4.3-p2", "SD-4.3-p3", "SD-4.3-p4")
def test_each_preference_decides_alone() -> None:
    def best(*spots: CampSpot, littoral: bool = True) -> list[float]:
        return [spot.along for spot in preferred_spots(spots, you_littoral=littoral, middle=12)[0]]

    assert best(CampSpot(along=12, waterway_flank=True), CampSpot(along=2)) == [2]
    assert best(CampSpot(along=12, waterway_flank=True), CampSpot(along=2), littoral=False) == [12]
    assert best(CampSpot(along=12, enemy_road=True), CampSpot(along=2)) == [2]
    assert best(CampSpot(along=12), CampSpot(along=2, behind_bad_going=True)) == [2]
    assert best(CampSpot(along=10), CampSpot(along=14), CampSpot(along=2)) == [10, 14]
    # A preference that nothing satisfies is skipped.
    alone = CampSpot(along=2, waterway_flank=True, enemy_road=True)
    assert preferred_spots((alone,), you_littoral=True, middle=12) == ((alone,), ("SD-4.3-p4",))
