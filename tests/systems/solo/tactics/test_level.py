"""The aggression level: five modifiers, three results (SD-5.2); overriding the engine (SD-5.4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from forces import CST, DES, HOP, LEG, PHX, STP, TRB, WDS, force
from solo_games import RULES
from throwing import FACES, dice, no_dice, on, share

from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.steps import sum_modifiers
from printkit.systems.solo.tactics.bounds import FREE, LEVEL, LevelCase, aggression_level, override
from printkit.systems.solo.tactics.tactics_tables import Level, tactics


@pytest.mark.clause("ST-62", "SD-5.2-a", "SD-5.2-m1..SD-5.2-m5", "SD-5.2-r1..SD-5.2-r3", "AMB-46")
@pytest.mark.parametrize(
    ("npg", "you", "die", "added", "counted", "total", "level"),
    [
        (STP, LEG, 1, 3, ["m1", "m2"], 4, Level.NEUTRAL),
        (TRB, HOP, 4, 1, ["m3"], 5, Level.AGGRESSIVE),
        (LEG, STP, 5, -2, ["m5"], 3, Level.NEUTRAL),
        (WDS, LEG, 6, -1, ["m4"], 5, Level.AGGRESSIVE),
        (CST, PHX, 3, 0, [], 3, Level.NEUTRAL),
        (DES, LEG, 2, 2, ["m1"], 4, Level.NEUTRAL),
    ],
)
def test_st_62(npg: Force, you: Force, die: int, added: int, counted: list[str], total: int, level: Level) -> None:
    thrown = dice(die)
    found, step = aggression_level(LevelCase(npg, you), RULES, thrown)
    assert (sum_modifiers(step.modifiers), on(step.modifiers)) == (added, counted)
    assert (step.total, found, len(thrown.log)) == (total, level, 1)


@pytest.mark.clause("ST-63", "SD-5.2-r1", "SD-5.2-r2", "SD-5.2-r3")
def test_st_63() -> None:
    chances = {
        -3: "5/6 1/6 0",
        -2: "2/3 1/3 0",
        -1: "1/2 1/3 1/6",
        0: "1/3 1/3 1/3",
        1: "1/6 1/3 1/2",
        2: "0 1/3 2/3",
        3: "0 1/6 5/6",
        4: "0 0 1",
    }
    for added, shares in chances.items():
        found = [share(tactics(RULES).level_at(face + added) is level for face in FACES) for level in Level]
        assert found == [Fraction(part) for part in shares.split()], added


@pytest.mark.clause("ST-64", "SD-5.2-m4")
def test_st_64() -> None:
    def counts(light: int, heavy: int) -> bool:
        npg = force("light", f"Hd* {12 - light}, Ax {light}", "hilly", 1)
        you = force("heavy", f"Bd* {heavy}, Hd {12 - heavy}", "hilly", 1) if heavy < 12 else HEAVY
        return on(LEVEL.judge(LevelCase(npg, you), RULES)) == ["m4"]

    assert [counts(4, 12), counts(5, 4), counts(5, 5)] == [False, False, True]


HEAVY = force("heavy", "Bd* 12", "hilly", 1)
MILD = force("mild", "Hd* 12", "hilly", 1)


@pytest.mark.clause("SD-5.2-m1..SD-5.2-m5")
@pytest.mark.parametrize(
    ("modifier", "below", "above", "you"),
    [
        ("m1", "Kn* 4, Hd 8", "Kn* 5, Hd 7", MILD),
        ("m2", "Ax* 6, Ps 4, Hd 2", "Ax* 6, Ps 5, Hd 1", MILD),
        ("m3", "Wb* 5, Hd 7", "Wb* 6, Hd 6", force("spears", "Sp* 6, Hd 6", "hilly", 1)),
        ("m4", "Ax* 4, Hd 8", "Ax* 5, Hd 7", HEAVY),
        ("m5", "Sp* 2, Bd 2, Pk 1, Hd 7", "Sp* 2, Bd 2, Pk 2, Hd 6", MILD),
    ],
)
def test_each_modifier_matters(modifier: str, below: str, above: str, you: Force) -> None:
    assert on(LEVEL.judge(LevelCase(force("x", below, "hilly", 1), you), RULES)) == []
    assert on(LEVEL.judge(LevelCase(force("x", above, "hilly", 1), you), RULES)) == [modifier]
    assert list(LEVEL.tests) == [each.condition for each in tactics(RULES).level.modifiers]


@pytest.mark.clause("ST-71", "SD-5.4-a", "SD-5.4-b", "SD-5.4-c", "SD-5.4-d", "AMB-45")
def test_st_71_with_its_chances_and_one_try_a_bound() -> None:
    thrown = dice(2, 3, 6)
    steps = [override(used, RULES, thrown) for used in range(3)]
    assert [step.result for step in steps] == ["obey", "free", "free"]
    assert [step.inputs["used_now"] for step in steps] == [1, 2, 3]
    assert [step.row for step in steps] == ["SD-5.4-c", "SD-5.4-b", "SD-5.4-b"]
    with pytest.raises(ScenarioError, match="all 3 attempts"):
        override(3, RULES, no_dice())
    with pytest.raises(ScenarioError, match="you may try one per bound"):
        override(1, RULES, no_dice(), tried_this_bound=True)
    free = {face: override(0, RULES, dice(face)).result == FREE for face in FACES}
    assert share(free.values()) == Fraction(2, 3)
    assert share(any(free[face] for face in throw) for throw in product(FACES, repeat=3)) == Fraction(26, 27)
