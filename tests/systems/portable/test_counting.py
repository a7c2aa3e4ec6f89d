"""Counting along the rows (PW0-04..PW0-11, PW0-15), and every line of the worked example by it (PW-WE1-g)."""

from __future__ import annotations

import pytest
from first_version import cell, cells, dice_of, grid, rules, spent

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import UsageError
from printkit.systems.portable.grid.counting import CountOrder, Series


def counting(name: str = "sq-8x8", **settings: str) -> CountOrder:
    return CountOrder.of(grid(name), rules(**settings))


def run(name: str, row: int, throws: str, closed: list[str]) -> list[tuple[int, str, str]]:
    """Locate a feature for each three dice; return count, area, and the areas passed over."""
    dice = dice_of(f"{row} {throws}")
    series = Series.start(counting(name), dice, "start row of the features")
    taken: set[str] = set()
    found = []
    for place in range(len(throws.split()) // 3):
        blocked = {cell(text) for text in closed[place].split()} | {cell(text) for text in taken}
        located, series = series.locate(dice, "feature", "PW0-10", may=lambda at, blocked=blocked: at not in blocked)
        assert located.cell is not None
        area = f"{located.cell.row};{located.cell.column}"
        taken.add(area)
        found.append((located.count, area, " ".join(f"{at.row};{at.column}" for at in located.passed)))
    assert spent(dice)
    return found


HILLS = "1 3 6  2 3 4  1 1 5  2 2 2  3 4 5"
TREES = "1 2 5  2 3 4  1 2 6  2 4 6"
PLACES = "5 6 2  1 3 5  4 6 6  1 3 4"
SQUARE = "3;2 3;3 3;4 4;6 5;6 6;5 6;6 7;6 7;7 7;8"
SETTLERS = "3;2 3;3 3;4 5;6 6;5 7;6 7;7 7;8"
VILLAGERS = "3;2 3;3 3;4 4;6 5;6 6;5 6;6 7;7 7;8"


@pytest.mark.clause("PW0-04", "PW0-06", "PW0-07", "PW0-08", "PW0-09", "PW0-10", "PWA-01")
class TestTheWorkedExample:
    def test_hills_on_squares(self) -> None:
        assert run("sq-8x8", 2, HILLS, [SQUARE] * 5) == [
            (13, "3;5", "3;2 3;3 3;4"), (23, "4;7", "4;6"), (31, "5;7", "5;6"), (39, "6;7", "6;5 6;6"), (51, "8;3", ""),
        ]  # fmt: skip

    def test_hills_on_hexes(self) -> None:
        assert run("hex-9x8", 2, HILLS, ["6;8 6;9"] * 5) == [
            (10, "3;1", ""), (19, "4;1", ""), (26, "4;8", ""), (32, "5;5", ""), (46, "7;1", "6;8 6;9"),
        ]  # fmt: skip

    def test_trees_on_squares(self) -> None:
        assert run("sq-8x8", 3, TREES, [SQUARE] * 4) == [
            (8, "3;8", ""), (17, "5;1", ""), (26, "6;2", ""), (41, "8;1", "7;6 7;7 7;8"),
        ]  # fmt: skip

    def test_trees_on_hexes(self) -> None:
        assert run("hex-9x8", 3, TREES, ["6;8 6;9"] * 4) == [
            (8, "3;8", ""), (17, "4;8", ""), (26, "5;8", ""), (38, "7;2", ""),
        ]  # fmt: skip

    def test_habitation_on_squares(self) -> None:
        assert run("sq-8x8", 2, PLACES, [SETTLERS] * 3 + [VILLAGERS]) == [
            (13, "3;5", ""), (22, "4;6", ""), (38, "6;6", ""), (46, "7;6", ""),
        ]  # fmt: skip

    def test_habitation_on_hexes(self) -> None:
        assert run("hex-9x8", 2, PLACES, ["3;4 3;5"] * 4) == [
            (15, "3;6", "3;4 3;5"), (24, "4;6", ""), (40, "6;4", ""), (48, "7;3", ""),
        ]  # fmt: skip


@pytest.mark.clause("PW0-04")
def test_rows_are_counted_from_the_left_or_every_other_from_the_right() -> None:
    assert counting().path(2)[6:10] == cells("2;7 2;8 3;1 3;2")
    assert counting(grid__order="serpentine").path(2)[6:10] == cells("2;7 2;8 3;8 3;7")


@pytest.mark.clause("PW0-05", "PWA-04")
def test_counting_goes_on_at_the_top_or_ends() -> None:
    path = counting().path(7)
    assert path[15:18] == cells("8;8 1;1 1;2")
    assert len(path) == 64
    assert len(counting(**{"pwa-04": "none"}).path(7)) == 16
    dice = dice_of("6 6 6 6 6 6 6")
    series = Series.start(counting(**{"pwa-04": "none"}), dice, "start row of the hills")
    located, series = series.locate(dice, "hill 1", "", may=lambda _: True)
    assert located.cell == cell("8;2")
    located, series = series.locate(dice, "hill 2", "", may=lambda _: True)
    assert located.cell is None
    assert series.at == cell("8;2")


@pytest.mark.clause("PW0-05", "PW0-11")
def test_a_full_grid_takes_nothing_and_ends_the_search() -> None:
    dice = dice_of("1 1 1 1")
    series = Series.start(counting(), dice, "start row of the hills")
    located, after = series.locate(dice, "hill 1", "", may=lambda _: False)
    assert located.cell is None
    assert len(located.passed) == 64
    assert after == series


@pytest.mark.clause("PW0-06", "PW0-14")
def test_scores_without_a_row_are_thrown_again_and_logged() -> None:
    dice = dice_of("6 5 4")
    assert Series.start(counting("sq-4x4"), dice, "start row of the hills").row == 4
    assert [(throw.reason, throw.answer) for throw in dice.log] == [
        ("start row of the hills", "6"), ("start row of the hills", "5"), ("start row of the hills", "4"),
    ]  # fmt: skip
    assert Series.start(counting("sq-4x4"), dice_of("6 5 4"), "start row of the hills").throws == (1, 2, 3)


@pytest.mark.clause("PW0-06")
def test_six_scores_may_spread_over_all_rows() -> None:
    scaled = counting("sq-9x9", grid__start_row="scaled")
    assert [scaled.start_row(score) for score in range(1, 7)] == [2, 3, 5, 6, 8, 9]
    assert [counting("sq-9x9").start_row(score) for score in range(1, 7)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.clause("PW0-15")
def test_an_inner_rectangle_alone_is_counted() -> None:
    inner = counting("sq-10x10", grid__inner="8x8")
    assert inner.path(1)[:9] == cells("2;2 2;3 2;4 2;5 2;6 2;7 2;8 2;9 3;2")
    assert len(inner.path(1)) == 64
    assert not inner.holds(cell("1;5"))
    dice = dice_of("2 1 1 1")
    located, _ = Series.start(inner, dice, "start row of the hills").locate(dice, "hill", "", may=lambda _: True)
    assert (located.cell, located.row) == (cell("3;4"), 3)
    with pytest.raises(UsageError, match="does not lie inside sq-8x8"):
        counting(grid__inner="9x8")


@pytest.mark.clause("PW0-08")
def test_later_counts_start_at_the_area_that_was_placed() -> None:
    dice = Dice(Seeded(3))
    series = Series.start(counting(), dice, "start row of the hills").from_(cell("5;5"))
    located, _ = series.locate(dice, "hill", "", may=lambda _: True)
    assert located.after == cell("5;5")
    assert located.cell is not None
    path = counting().path(1)
    assert (path.index(located.cell) - path.index(cell("5;5"))) % 64 == sum(located.dice)
