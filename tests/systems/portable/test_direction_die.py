"""The direction die: sides by number, again on squares, clockwise where one cannot be used (PW0-12, PWA-08)."""

from __future__ import annotations

import pytest
from first_version import cell, cells, dice_of, grid, spent

from printkit.systems.portable.grid import counting
from printkit.systems.portable.grid.counting import Turned

SQUARE, HEX = "sq-8x8", "hex-9x8"


def turn(name: str, start: str, scores: str, closed: str = "") -> Turned:
    dice, blocked = dice_of(scores), cells(closed)
    found = counting.turn(
        grid(name),
        cell(start),
        dice=dice,
        reason="direction of hill 2",
        clause="PW0-12",
        may=lambda at: at not in blocked,
    )
    assert spent(dice)
    return found


@pytest.mark.clause("PW0-12", "PWA-08")
@pytest.mark.parametrize(("name", "there"), [(SQUARE, "3;4 4;5 5;4 4;3"), (HEX, "3;4 3;5 4;5 5;4 4;3 3;3")])
def test_one_is_the_top_and_the_others_follow_clockwise(name: str, there: str) -> None:
    assert [turn(name, "4;4", str(score)).cell for score in range(1, len(there.split()) + 1)] == list(cells(there))


@pytest.mark.clause("PW0-12", "PW0-14")
def test_five_and_six_are_thrown_again_on_squares() -> None:
    found = turn(SQUARE, "4;4", "6 5 2")
    assert (found.cell, found.score, found.throws) == (cell("4;5"), 2, (1, 2, 3))


@pytest.mark.clause("PW0-12")
def test_the_next_usable_side_clockwise_replaces_one_that_is_not() -> None:
    found = turn(SQUARE, "1;8", "1")
    assert (found.cell, found.passed) == (cell("2;8"), (1, 2))
    assert turn(SQUARE, "4;4", "4", closed="4;3 3;4").cell == cell("4;5")
    assert turn(SQUARE, "4;4", "1", closed="3;4 4;5 5;4 4;3").cell is None
