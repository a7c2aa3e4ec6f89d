"""The garrison of a built-up area: whether, and who (SD-4.4); the swap of bad match-ups (SD-4.8)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from boards import area, board, marsh
from forces import ARB, HOP, LEG, MED, PHX, STP, force
from solo_games import RULES, rules
from throwing import FACES, dice, no_dice, on, share

from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.steps import ModifierState, sum_modifiers
from printkit.systems.solo.tactics.battle_file import FacingPair, best_swaps, score, swap_aid, swapped
from printkit.systems.solo.tactics.camp import GARRISON, GarrisonCase, after_camp, bua_garrison, camp_spear, without
from printkit.systems.solo.tactics.facing_line import FrontElement, Opponent, facing_pairs
from printkit.systems.solo.tactics.ground import ground_of
from printkit.systems.solo.tactics.situation import Situation
from printkit.systems.solo.tactics.tactics_tables import tactics
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Kind

OWN = Situation.given(bua="near-left")
OTHER = Situation.given(bua="far-left")


def chance(npg: Force, you: Force, situation: Situation) -> Fraction:
    return share(
        bua_garrison(npg, you, "followers", situation, RULES, dice(face), Edge.NEAR)[0] is not None for face in FACES
    )


@pytest.mark.clause("ST-47", "SD-4.4-a", "SD-4.4-r1", "SD-4.4-r2", "SD-4.4-p3", "SD-4.4-b")
def test_st_47() -> None:
    element, step = bua_garrison(LEG, HOP, "followers", OWN, RULES, dice(6), Edge.NEAR)
    assert on(step.modifiers) == ["m1", "m3", "m4", "m5", "m8"]
    assert (sum_modifiers(step.modifiers), step.total, step.row) == (-2, 4, "SD-4.4-r2")
    assert element is not None
    assert (element.troop.code, step.inputs["chosen_by"]) == ("Bd", "SD-4.4-p3")
    nobody, step = bua_garrison(LEG, HOP, "followers", OWN, RULES, dice(5), Edge.NEAR)
    assert (nobody, step.total, step.row, step.result) == (None, 3, "SD-4.4-r1", "none")
    assert chance(LEG, HOP, OWN) == Fraction(1, 6)


@pytest.mark.clause("ST-48", "SD-4.4-m1..SD-4.4-m8", "AMB-26")
@pytest.mark.parametrize(
    ("npg", "you", "table", "added", "counted", "likely"),
    [
        (LEG, STP, OWN, 1, ["m1", "m2", "m3", "m8"], Fraction(2, 3)),
        (LEG, STP, OTHER, 4, ["m1", "m2", "m3"], Fraction(1)),
        (ARB, LEG, OTHER, -2, ["m1", "m4", "m5", "m6"], Fraction(1, 6)),
        (MED, PHX, OWN, -5, ["m1", "m4", "m5", "m6", "m8"], Fraction(0)),
    ],
)
def test_st_48(npg: Force, you: Force, table: Situation, added: int, counted: list[str], likely: Fraction) -> None:
    _, step = bua_garrison(npg, you, "followers", table, RULES, dice(1), Edge.NEAR)
    assert (sum_modifiers(step.modifiers), on(step.modifiers)) == (added, counted)
    assert chance(npg, you, table) == likely


def _army(elements: str) -> Force:
    """Return an army of these, filled up with Cv to twelve, the general one of them."""
    others = sum(int(part.split()[1]) for part in elements.split(","))
    return force("fixture", f"Cv* {12 - others}, {elements}", "hilly", 1)


def _chosen(npg: Force, camp: str = "followers") -> tuple[Element, str]:
    """Return who goes in against STP with the best die, and by what he is chosen."""
    element, step = bua_garrison(npg, STP, camp, OTHER, RULES, dice(6), Edge.NEAR)
    assert element is not None
    return element, str(step.inputs["chosen_by"])


@pytest.mark.clause("ST-49", "SD-4.4-p1..SD-4.4-p9", "AMB-28")
@pytest.mark.parametrize(
    ("elements", "chosen"),
    [
        ("Bd 4", ("Bd", "p1")),
        ("Bd 3, Sp 3", ("Sp", "p2")),
        ("Bd 6, Sp 2", ("Bd", "p3")),
        ("Sp 2", ("Sp", "p4")),
        ("Pk 3, Art 1", ("Pk", "p5")),
        ("Pk 4, Art 1, Hd 1", ("Art", "p6")),
        ("Pk 4, Hd 1", ("Hd", "p7")),
        ("Ax 1, Wb 5", ("Ax", "p8")),
        ("Wb 2", ("Wb", "p9")),
    ],
)
def test_st_49(elements: str, chosen: tuple[str, str]) -> None:
    element, clause = _chosen(_army(elements))
    assert (element.troop.code, clause) == (chosen[0], f"SD-4.4-{chosen[1]}")


@pytest.mark.clause("ST-49", "SD-4.4-a", "AMB-28")
def test_st_49_nobody_on_the_list_means_no_die_and_even_pikes_are_nobody() -> None:
    for elements in ("Bw 4, Ps 2", "Pk 4"):
        nobody, step = bua_garrison(_army(elements), STP, "followers", OTHER, RULES, no_dice(), Edge.NEAR)
        assert (nobody, step.dice, step.result) == (None, (), "none")


@pytest.mark.clause("ST-50", "SD-4.4-b", "SD-4.4-p2", "AMB-29")
def test_st_50_the_camp_takes_its_spear_first() -> None:
    element, clause = _chosen(LEG, "spear")
    assert (element.troop.code, clause) == ("Sp", "SD-4.4-p2")


@pytest.mark.clause("SD-4.4-b", "AMB-29")
def test_the_general_goes_in_only_where_nobody_else_can() -> None:
    element, clause = _chosen(force("lone", "Bd* 1, Ax 3, Cv 8", "hilly", 1))
    assert (element.troop.code, clause) == ("Ax", "SD-4.4-p8")
    assert _chosen(force("last", "Bd* 1, Cv 11", "hilly", 1))[0].general
    assert not _chosen(force("several", "Bd* 4, Cv 8", "hilly", 1))[0].general


@pytest.mark.clause("SD-4.4-a")
def test_without_town_or_foot_no_die_is_thrown() -> None:
    none = Situation.given(bua="none")
    assert bua_garrison(LEG, STP, "followers", none, RULES, no_dice(), Edge.NEAR)[1].result == "none"
    horse = force("horse", "Cv* 12", "steppe", 1)
    assert bua_garrison(horse, STP, "followers", OWN, RULES, no_dice(), Edge.NEAR)[1].result == "none"
    assert bua_garrison(LEG, STP, "followers", Situation(), RULES, no_dice(), Edge.NEAR)[1].question_key


NEUTRAL = force("neutral", "Cv* 10, Ax 2", "hilly", 1)
"""Neither Bd nor Sp, and foot that is not shooters alone."""
FACED = force("faced", "Cv* 10, Ax 2", "hilly", 1)


@pytest.mark.clause("SD-4.4-m1..SD-4.4-m8")
@pytest.mark.parametrize(
    ("modifier", "defender", "attacker", "own"),
    [
        ("m1", force("x", "Cv* 9, Ax 2, Bd 1", "hilly", 1), FACED, False),
        ("m2", NEUTRAL, force("x", "Cv* 10, Ps 2", "hilly", 1), False),
        ("m3", force("x", "Cv* 9, Ax 2, Sp 1", "hilly", 1), FACED, False),
        ("m4", NEUTRAL, force("x", "Cv* 9, Ax 2, El 1", "hilly", 1), False),
        ("m5", NEUTRAL, force("x", "Cv* 9, Ax 2, Ps 1", "hilly", 1), False),
        ("m6", NEUTRAL, force("x", "Cv* 8, Ax 2, Pk 2", "hilly", 1), False),
        ("m6", NEUTRAL, force("x", "Cv* 9, Ax 2, Bd 1", "hilly", 1), False),
        ("m7", force("x", "Cv* 10, Bw 1, Ps 1", "hilly", 1), FACED, False),
        ("m8", NEUTRAL, FACED, True),
    ],
)
def test_each_modifier_matters(modifier: str, defender: Force, attacker: Force, own: bool) -> None:
    assert on(GARRISON.judge(GarrisonCase(NEUTRAL, FACED, False), RULES)) == []
    assert on(GARRISON.judge(GarrisonCase(defender, attacker, own), RULES)) == [modifier]
    assert list(GARRISON.tests) == [each.condition for each in RULES.outcomes("garrison").modifiers]
    assert [choice.clause for choice in RULES.garrison_choices] == [f"SD-4.4-p{place}" for place in range(1, 10)]


@pytest.mark.clause("SD-4.4-m5", "SD-4.4-m6", "SD-4.4-m8", "AMB-27")
def test_one_spear_or_one_pike_is_not_enough_and_an_unknown_side_is_open() -> None:
    one = force("x", "Cv* 9, Ax 1, Sp 1, Pk 1", "hilly", 1)
    two = force("x", "Cv* 9, Ax 1, Sp 2", "hilly", 1)
    assert on(GARRISON.judge(GarrisonCase(NEUTRAL, one, False), RULES)) == ["m4"]
    assert on(GARRISON.judge(GarrisonCase(NEUTRAL, two, False), RULES)) == ["m4", "m5"]
    # A side that nobody knows is open.
    (*_, own) = GARRISON.judge(GarrisonCase(NEUTRAL, FACED, None), RULES)
    assert own.state is ModifierState.OPEN


@pytest.mark.clause("AMB-29")
def test_the_camp_keeps_a_spear_that_is_not_the_general() -> None:
    assert not camp_spear(HOP).general
    assert after_camp(HOP, "spear").count("Sp") == 9
    assert after_camp(HOP, "followers") is HOP
    assert without(HOP, camp_spear(HOP)).general is not None


EVERY = ("El", "Kn", "Cv", "LH", "Cm", "SCh", "Sp", "Pk", "Bd", "Ax", "Bw", "Ps", "Wb", "Hd", "Art", "WWg")


def line(npg: str, you: str, closed: tuple[int, ...] = ()) -> tuple[FacingPair, ...]:
    faced = zip(npg.split(), you.split(), strict=True)
    return tuple(
        FacingPair(npg=one, you=other, open=place not in closed) for place, (one, other) in enumerate(faced, 1)
    )


@pytest.mark.clause("ST-61", "SD-4.8-a", "SD-4.8-b", "SD-4.8-c", "SD-4.8.1-b1", "SD-4.8.1-b2", "SD-4.8.1-b5", "AMB-40")
def test_st_61_a_psiloi_before_knights_two_bad_pairs_and_ground_between() -> None:
    pairs = line("Ps Bd Cv", "Kn Wb LH")
    assert (pairs[0].bad_for_npg(RULES), score(pairs, RULES)) == ("SD-4.8.1-b1", -1)
    assert best_swaps(pairs, RULES) == ((1, 3),)
    assert score(swapped(pairs, ((1, 3),)), RULES) == 0
    step = swap_aid(pairs, RULES)
    assert (step.result, step.dice, step.question_key) == ("1-3", (), "npg.battle.person.swap")
    assert swap_aid(pairs, rules(swap="auto")).question_key == ""
    # Nothing is swapped for nothing, and two pairs at most.
    assert best_swaps(line("Ax Ax", "Sp Sp"), RULES) == ()
    assert len(best_swaps(line("Ps Bd Ps Bd", "Kn Ax Kn Ax"), RULES)) <= 2
    assert swap_aid(line("Ax Ax", "Sp Sp"), RULES).result == "none"
    pairs = line("Sp Ax El Cv", "Kn Ax LH Hd")
    assert [pair.bad_for_npg(RULES) for pair in pairs] == ["SD-4.8.1-b5", "", "SD-4.8.1-b2", ""]
    assert (best_swaps(pairs, RULES), score(swapped(pairs, ((1, 3),)), RULES)) == (((1, 3),), 1)
    closed = line("Sp Ax El Cv", "Kn Ax LH Hd", closed=(1,))
    assert score(closed, RULES) == -1
    assert (best_swaps(closed, RULES), score(swapped(closed, ((3, 4),)), RULES)) == (((3, 4),), 1)


@pytest.mark.clause("SD-4.8.1-b1..SD-4.8.1-b8")
@pytest.mark.parametrize(
    ("clause", "sufferers", "foes"),
    [
        ("b1", "Ps", "Cv Cm Kn"),
        ("b2", "El", "Ps Ax LH Art"),
        ("b3", "Kn", "El SCh LH Bw"),
        ("b4", "Cv Cm LH Wb", "SCh"),
        ("b5", "Pk Sp", "El Kn SCh"),
        ("b6", "Bd", "Kn SCh"),
        ("b7", "Hd", "El Kn SCh Wb Bw Art"),
        ("b8", "WWg", "El Art"),
    ],
)
def test_each_bad_match_up(clause: str, sufferers: str, foes: str) -> None:
    for sufferer in sufferers.split():
        found = {foe for foe in EVERY if tactics(RULES).bad(sufferer, foe)}
        assert found == set(foes.split())
        assert all(FacingPair(npg=sufferer, you=foe).bad_for_npg(RULES) == f"SD-4.8.1-{clause}" for foe in found)
        assert all(FacingPair(npg=foe, you=sufferer).bad_for_you(RULES) == f"SD-4.8.1-{clause}" for foe in found)


@pytest.mark.clause("SD-4.8-b")
def test_who_faces_whom_is_read_off_both_lines() -> None:
    npg = (FrontElement("Ps", 300.0, 152.0), FrontElement("Cv", 340.0, 152.0), FrontElement("Bd", 300.0, 101.0))
    line = (Opponent("Kn", 305.0), Opponent("Sp", 305.0), Opponent("Wb", 378.0), Opponent("Hd", 420.0))
    found = facing_pairs(npg, line, ground_of(board(), Edge.NEAR, RULES))
    assert [(one.type, other.type, clear) for one, other, clear in found] == [("Ps", "Kn", True), ("Cv", "Wb", True)]
    wooded = ground_of(board(marsh(11, 10, 12.5, 14)), Edge.NEAR, RULES)
    assert [clear for *_, clear in facing_pairs(npg, line, wooded)] == [False, True]
    wet = ground_of(board(area(Kind.WATERWAY, 13, 9, 16, 14)), Edge.NEAR, RULES)
    assert [clear for *_, clear in facing_pairs(npg, line, wet)] == [True, False]
    # Bases that only touch as they look do not face each other.
    beside = facing_pairs(npg[:1], (Opponent("Kn", 340.0),), ground_of(board(), Edge.NEAR, RULES))
    assert beside == ()
