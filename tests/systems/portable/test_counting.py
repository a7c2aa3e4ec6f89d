"""Counting along the rows (PW0-04..PW0-11, PW0-15), and every line of the worked example by it (PW-WE1-g)."""

from __future__ import annotations

import pytest
from first_version import cell, cells, dice_of, grid, spent

from printkit.chance.dice import Dice, Seeded
from printkit.systems.portable.grid.counting import Series
from printkit.terrain.field.grids import Cell


def path(row: int, name: str = "sq-8x8") -> tuple[Cell, ...]:
    """Return the areas in the order counted from a start row."""
    return Series.start(grid(name), dice_of(str(row)), "start row of the hills").path


HILLS = "1 3 6  2 3 4  1 1 5  2 2 2  3 4 5"
TREES = "1 2 5  2 3 4  1 2 6  2 4 6"
PLACES = "5 6 2  1 3 5  4 6 6  1 3 4"
SQUARES = "3;2 3;3 3;4 4;6 5;6 6;5 6;6 7;6 7;7 7;8"
PEOPLED = "3;2 3;3 3;4 5;6 6;5 7;7 7;8"


@pytest.mark.clause("PW0-04", "PW0-06", "PW0-07", "PW0-08", "PW0-09", "PW0-10", "PWA-01")
@pytest.mark.parametrize(
    ("name", "row", "throws", "closed", "found", "passed"),
    [
        ("sq-8x8", 2, HILLS, SQUARES, "13 3;5, 23 4;7, 31 5;7, 39 6;7, 51 8;3", "3;2 3;3 3;4, 4;6, 5;6, 6;5 6;6, "),
        ("hex-9x8", 2, HILLS, "6;8 6;9", "10 3;1, 19 4;1, 26 4;8, 32 5;5, 46 7;1", ", , , , 6;8 6;9"),
        ("sq-8x8", 3, TREES, SQUARES, "8 3;8, 17 5;1, 26 6;2, 41 8;1", ", , , 7;6 7;7 7;8"),
        ("hex-9x8", 3, TREES, "6;8 6;9", "8 3;8, 17 4;8, 26 5;8, 38 7;2", ", , , "),
        ("sq-8x8", 2, PLACES, PEOPLED, "13 3;5, 22 4;6, 38 6;6, 46 7;6", ", , , "),
        ("hex-9x8", 2, PLACES, "3;4 3;5", "15 3;6, 24 4;6, 40 6;4, 48 7;3", "3;4 3;5, , , "),
    ],
)
def test_the_worked_example(name: str, row: int, throws: str, closed: str, found: str, passed: str) -> None:
    """Each three dice give a count and an area, past those that are closed or taken."""
    dice = dice_of(f"{row} {throws}")
    series = Series.start(grid(name), dice, "start row of the features")
    blocked = set(cells(closed))
    for counted, over in zip(found.split(", "), passed.split(", "), strict=True):
        located, series = series.locate(dice, "feature", "PW0-10", may=lambda at: at not in blocked)
        count, area = counted.split()
        assert (located.count, located.cell, located.passed) == (int(count), cell(area), cells(over))
        blocked.add(cell(area))
    assert spent(dice)


@pytest.mark.clause("PW0-04")
def test_every_row_is_counted_from_the_left() -> None:
    assert path(2)[6:10] == cells("2;7 2;8 3;1 3;2")


@pytest.mark.clause("PW0-05", "PWA-04")
def test_counting_goes_on_at_the_top() -> None:
    assert path(6)[23:26] == cells("8;8 1;1 1;2")
    dice = dice_of("6 6 6 6 6 6 6")
    series = Series.start(grid(), dice, "start row of the hills")
    located, series = series.locate(dice, "hill 1", "", may=lambda _: True)
    assert located.cell == cell("8;2")
    located, series = series.locate(dice, "hill 2", "", may=lambda _: True)
    assert located.cell == cell("2;4")


@pytest.mark.clause("PW0-05", "PW0-11")
def test_a_full_grid_takes_nothing_and_ends_the_search() -> None:
    dice = dice_of("1 1 1 1")
    series = Series.start(grid(), dice, "start row of the hills")
    located, after = series.locate(dice, "hill 1", "", may=lambda _: False)
    assert located.cell is None
    assert len(located.passed) == 64
    assert after == series


@pytest.mark.clause("PW0-06", "PW0-14")
def test_scores_without_a_row_are_thrown_again_and_logged() -> None:
    dice = dice_of("6 5 4")
    series = Series.start(grid("sq-4x4"), dice, "start row of the hills")
    assert (series.row, series.throws) == (4, (1, 2, 3))
    assert [(throw.reason, throw.answer) for throw in dice.log] == [("start row of the hills", die) for die in "654"]


@pytest.mark.clause("PW0-06")
def test_a_score_names_its_own_row() -> None:
    assert [path(score, "sq-9x9")[0] for score in range(1, 7)] == list(cells("1;1 2;1 3;1 4;1 5;1 6;1"))


@pytest.mark.clause("PW0-15")
@pytest.mark.parametrize("name", ["sq-8x8", "sq-10x10", "hex-9x8"])
def test_every_area_is_counted_once(name: str) -> None:
    assert sorted(path(3, name)) == sorted(grid(name).cells())


@pytest.mark.clause("PW0-08")
def test_later_counts_start_at_the_area_that_was_placed() -> None:
    dice = Dice(Seeded(3))
    series = Series.start(grid(), dice, "start row of the hills").from_(cell("5;5"))
    located, _ = series.locate(dice, "hill", "", may=lambda _: True)
    assert located.after == cell("5;5")
    assert located.cell is not None
    counted = path(1)
    assert (counted.index(located.cell) - counted.index(cell("5;5"))) % 64 == sum(located.dice)
