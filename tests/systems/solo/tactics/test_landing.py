"""The littoral landing: when a die is thrown, and the twelve things that move it (SD-4.6)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from forces import CST, DES, HOP, LEG, STP, force
from solo_games import RULES
from throwing import FACES, dice, no_dice, on, share

from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.steps import ModifierState, sum_of
from printkit.systems.solo.tactics.camp import LANDING, LandingCase, landing
from printkit.systems.solo.tactics.situation import Situation
from printkit.terrain.field.battlefield import Edge

CALM: dict[str, bool | int | str] = {
    "waterway": "left",
    "your_camp_within_6in_of_waterway": False,
    "bad_going_at_shore": False,
    "dunes_at_shore": False,
    "your_troops_within_3in_of_your_camp": False,
    "you_reserved_landing": 0,
}
AT_SHORE = {"your_camp_within_6in_of_waterway": True, "bad_going_at_shore": True}


def case(npg: Force, you: Force, attacks: bool, **facts: bool | int | str) -> LandingCase:
    situation = Situation().knowing(CALM | facts, "given")
    return LandingCase(npg=npg, you=you, npg_attacks=attacks, situation=situation, edge=Edge.NEAR)


@pytest.mark.clause("ST-53", "SD-4.6-a", "SD-4.6-m1..SD-4.6-m12")
@pytest.mark.parametrize(
    ("one", "added", "counted", "chance"),
    [
        (case(CST, HOP, True, **AT_SHORE), 7, ["m1", "m2", "m3", "m4", "m6", "m7", "m8", "m9"], Fraction(1)),
        (case(CST, LEG, True), 4, ["m1", "m4", "m6", "m7", "m8", "m9"], Fraction(5, 6)),
        (case(CST, CST, True, you_reserved_landing=2), -10, ["m1", "m4", "m8", "m9", "m12"], Fraction(0)),
        (case(CST, DES, False, waterway="far"), -3, ["m6", "m8", "m9", "m10"], Fraction(0)),
        (case(CST, STP, False), -1, ["m6", "m8", "m9"], Fraction(0)),
    ],
)
def test_st_53(one: LandingCase, added: int, counted: list[str], chance: Fraction) -> None:
    step = landing(one, RULES, dice(1))
    assert (sum_of(step.modifiers), on(step.modifiers)) == (added, counted)
    assert share(landing(one, RULES, dice(face)).result == "allowed" for face in FACES) == chance


@pytest.mark.clause("ST-54", "SD-4.6-m11")
def test_st_54() -> None:
    one = case(CST, HOP, True, your_troops_within_3in_of_your_camp=True, **AT_SHORE)
    step = landing(one, RULES, dice(1))
    assert (sum_of(step.modifiers), step.total, step.result) == (5, 6, "allowed")
    assert all(landing(one, RULES, dice(face)).result == "allowed" for face in FACES)


@pytest.mark.clause("SD-4.6-a")
def test_without_littoral_home_or_waterway_no_die_is_thrown() -> None:
    assert landing(case(LEG, HOP, True), RULES, no_dice()).result == "none"
    assert landing(case(CST, HOP, True, waterway="none"), RULES, no_dice()).result == "none"
    unsure = LandingCase(npg=CST, you=HOP, npg_attacks=True, situation=Situation())
    assert landing(unsure, RULES, no_dice()).needs_person == "npg.battle.person.waterway"


QUIET = force("quiet", "Cv* 6, Sp 2, Bw 4", "littoral", 1)
"""A fast general, two Sp, neither Ax nor a train, fewer than eight that move 300 p."""
FOE = force("foe", "Cv* 6, Sp 2, Ax 4", "littoral", 1)
"""Littoral, with as many Sp, and fewer than ten that are slow: the Ax move 300 p."""


@pytest.mark.clause("SD-4.6-m1..SD-4.6-m12", "AMB-35")
@pytest.mark.parametrize(
    ("modifier", "npg", "you", "facts"),
    [
        ("m2", QUIET, FOE, {"your_camp_within_6in_of_waterway": True}),
        ("m3", force("x", "Cv* 6, Sp 2, Bw 3, Ax 1", "littoral", 1), FOE, {"bad_going_at_shore": True}),
        ("m3", force("x", "Cv* 5, Cm 1, Sp 2, Bw 4", "littoral", 1), FOE, {"dunes_at_shore": True}),
        ("m4", QUIET, force("x", "Cv* 2, Sp 2, Ax 8", "littoral", 1), {}),
        ("m5", force("x", "Cv* 8, Sp 2, Bw 2", "littoral", 1), FOE, {}),
        ("m6", QUIET, force("x", "Cv* 6, Sp 2, Ax 4", "hilly", 1), {}),
        ("m7", QUIET, force("x", "Cv* 6, Sp 3, Ax 3", "littoral", 1), {}),
        ("m8", force("x", "Cv* 6, Sp 2, Bw 3, Hd 1", "littoral", 1), FOE, {}),
        ("m9", force("x", "Sp* 2, Cv 6, Bw 4", "littoral", 1), FOE, {}),
        ("m10", QUIET, FOE, {"waterway": "far"}),
    ],
)
def test_each_modifier_matters(modifier: str, npg: Force, you: Force, facts: dict[str, bool | int | str]) -> None:
    assert on(LANDING.judge(case(QUIET, FOE, False), RULES)) == []
    assert on(LANDING.judge(case(npg, you, False, **facts), RULES)) == [modifier]
    assert list(LANDING.tests) == [each.condition for each in RULES.outcomes("landing").modifiers]


@pytest.mark.clause("SD-4.6-m1", "SD-4.6-m10", "SD-4.6-m11", "SD-4.6-m12", "SD-4.6-m3")
def test_some_modifiers_ask_who_attacks_and_rough_ground_at_the_shore_does_not_suit_camels() -> None:
    guarded = {"your_troops_within_3in_of_your_camp": True}
    camels = force("x", "Cv* 5, Cm 1, Sp 2, Bw 4", "littoral", 1)
    for one, counted in (
        (case(QUIET, FOE, True), ["m1"]),
        (case(QUIET, FOE, True, **guarded), ["m1", "m11"]),
        (case(QUIET, FOE, False, **guarded), []),
        (case(QUIET, FOE, True, you_reserved_landing=2), ["m1", "m12"]),
        (case(QUIET, FOE, True, you_reserved_landing=1), ["m1"]),
        (case(QUIET, FOE, True, waterway="far"), ["m1"]),
        (case(camels, FOE, False, bad_going_at_shore=True), []),
    ):
        assert on(LANDING.judge(one, RULES)) == counted


@pytest.mark.clause("AMB-38")
def test_your_camp_is_unknown_when_the_npg_deploys_first() -> None:
    situation = Situation.given(waterway="left")
    one = LandingCase(npg=CST, you=HOP, npg_attacks=False, situation=situation, edge=Edge.NEAR)
    opened = [each.clause for each in LANDING.judge(one, RULES) if each.state is ModifierState.OPEN]
    assert opened == ["SD-4.6-m2", "SD-4.6-m3"]
    assert landing(one, RULES, dice(3)).open == ("SD-4.6-m2", "SD-4.6-m3")
