"""The defender's swap: bad match-ups, their score, the best exchange (SD-4.8)."""

from __future__ import annotations

import pytest
from boards import area, board, marsh
from solo_games import RULES, rules

from printkit.systems.solo.tactics.battle_file import FacingPair, best_swaps, score, swap_aid, swapped
from printkit.systems.solo.tactics.facing_line import FrontElement, Opponent, facing_pairs
from printkit.systems.solo.tactics.ground import ground_of
from printkit.systems.solo.tactics.tactics_tables import tactics
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Kind

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
    assert (step.result, step.dice, step.needs_person) == ("1-3", (), "npg.battle.person.swap")
    assert swap_aid(pairs, rules(swap="auto")).needs_person == ""
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
