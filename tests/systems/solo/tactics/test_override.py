"""Overriding the engine: three tries, a die each (SD-5.4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from solo_games import RULES
from throwing import FACES, dice, no_dice, share

from printkit.core.errors import ScenarioError
from printkit.systems.solo.tactics.bounds import FREE, override


@pytest.mark.clause("ST-71", "SD-5.4-a", "SD-5.4-b", "SD-5.4-c", "SD-5.4-d", "AMB-45")
def test_st_71_with_its_chances_and_one_try_a_bound() -> None:
    thrown = dice(2, 3, 6)
    steps = [override(used, RULES, thrown) for used in range(3)]
    assert [step.result for step in steps] == ["obey", "free", "free"]
    assert [step.inputs["used_now"] for step in steps] == [1, 2, 3]
    assert [step.row for step in steps] == ["SD-5.4-c", "SD-5.4-b", "SD-5.4-b"]
    with pytest.raises(ScenarioError, match="all 3 tries"):
        override(3, RULES, no_dice())
    with pytest.raises(ScenarioError, match="once a bound"):
        override(1, RULES, no_dice(), tried_this_bound=True)
    free = {face: override(0, RULES, dice(face)).result == FREE for face in FACES}
    assert share(free.values()) == Fraction(2, 3)
    assert share(any(free[face] for face in throw) for throw in product(FACES, repeat=3)) == Fraction(26, 27)
