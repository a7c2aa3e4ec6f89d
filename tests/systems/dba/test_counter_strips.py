"""Strips of counters to cut out: as many rows as the sheet has room for, and never more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import Drawing
from printkit.systems.dba.elements.element_face import TICK, Counter, ElementFace, strips

DEEP, WIDE = 30.0, 60.0
COUNTERS = tuple(Counter(face=ElementFace(code="Sp", type="Sp", side="npg"), width=WIDE, depth=DEEP) for _ in range(7))


@pytest.mark.parametrize(("rows", "heights"), [(1, [1, 1, 1, 1]), (2, [2, 2]), (3, [3, 1]), (9, [4])])
def test_a_strip_is_no_higher_than_the_room_that_it_is_given(rows: int, heights: list[int]) -> None:
    room = rows * DEEP + 2 * TICK + 0.9 * DEEP
    made = strips(COUNTERS, 2 * WIDE + 2 * TICK, room, styles.find("campaign"))
    assert [drawing.height for drawing in made] == [pytest.approx(many * DEEP + 2 * TICK) for many in heights]


def test_a_block_with_a_row_that_is_not_full_stays_as_it_was(golden: Callable[[Drawing, str], None]) -> None:
    (made,) = strips(COUNTERS, 3 * WIDE + 2 * TICK, 200.0, styles.find("campaign"))
    golden(made, "counter-block")
