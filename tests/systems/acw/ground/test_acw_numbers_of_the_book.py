"""A number that is changed in the book changes the table that is laid by it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tables_by_hand import INCH, book, dice_of, settle

from printkit.chance.streams import Jitter
from printkit.kit.system import Scenario
from printkit.systems.acw.system import Acw
from printkit.terrain.field.features import Feature


def laid(geography: str, dice: str, size: tuple[float, float], **numbers: float) -> tuple[Feature, ...]:
    """Return what lies on a table of a few zones by a book with other numbers."""
    system, settings = Acw(), settle(geography=geography)
    system.__dict__["book"] = replace(book(), numbers={**book().numbers, **numbers})
    board = system.board(*(side * INCH for side in size))
    scenario = Scenario(board=board, settings=settings, seed=1, inputs={})
    return system.lay_out(scenario, dice_of(dice), Jitter(1)).battlefield.features


@pytest.mark.parametrize(
    ("name", "value", "geography", "dice", "size"),
    [
        ("side_crossing_min", 0.45, "farm", "1,6 / 1,1,2,4", (48, 24)),
        ("upper_contour_max", 0.32, "farm", "1,6", (24, 24)),
        ("swamp_twice", 1.2, "swampy", "1,1,3,3", (24, 24)),
        ("fence_pieces", 1, "farm", "3,3,5,4", (24, 24)),
        ("scree_sector", 60, "hilly", "6,6", (24, 24)),
    ],
)
def test_a_number_of_the_book_is_laid_by(name, value, geography, dice, size):
    usual = laid(geography, dice, size)
    assert usual
    assert laid(geography, dice, size) == usual
    assert laid(geography, dice, size, **{name: value}) != usual
