"""Counting along rows and round the ring (PW0-04..PW0-12, PW0-15, PW1-10..PW1-13, PWA-02, PWA-08, PW-WE1-g)."""

from __future__ import annotations

from itertools import product

import pytest
from first_version import cell, cells, dice_of, grid, rules, spent

from printkit.chance.dice import Dice, Seeded
from printkit.kit.book import read_book
from printkit.kit.rules import Rules
from printkit.systems.portable.grid import counting
from printkit.systems.portable.grid.counting import DirectionResult, Series
from printkit.systems.portable.grid.edges import (
    EdgePosition,
    Ring,
    edge_cell,
    edge_point,
    find_end_cells,
    free_edge_cell,
    outer_side,
)
from printkit.systems.portable.grid.terms import GridTerms
from printkit.terrain.field.grids import GRAINS, Cell, HexGrid


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
        assert (located.count, located.cell, located.skipped_cells) == (int(count), cell(area), cells(over))
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


@pytest.mark.clause("PW0-11")
def test_a_full_grid_takes_nothing_and_needs_no_die() -> None:
    dice = dice_of("")
    series = Series.start(grid(), dice, "start row of the hills", may=lambda _: False)
    located, after = series.locate(dice, "hill 1", "", may=lambda _: False)
    assert (located.cell, located.throws, dice.log) == (None, (), [])
    assert after == series


@pytest.mark.clause("PW0-05")
def test_the_only_free_area_is_found_wherever_the_count_ends() -> None:
    for score in "123456":
        dice = dice_of(f"1 {score} 1 1")
        series = Series.start(grid(), dice, "start row of the hills")
        located, _ = series.locate(dice, "hill 1", "", may=lambda at: at == cell("1;2"))
        assert located.cell == cell("1;2")


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
    series = Series.start(grid(), dice, "start row of the hills").resume_at(cell("5;5"))
    located, _ = series.locate(dice, "hill", "", may=lambda _: True)
    assert located.after == cell("5;5")
    assert located.cell is not None
    counted = path(1)
    assert (counted.index(located.cell) - counted.index(cell("5;5"))) % 64 == sum(located.dice)


BOARDS = (grid("sq-8x8"), *(HexGrid(9, 8, 100.0, grain) for grain in GRAINS))
RING = Ring.from_rules(rules())
TABLE = {
    "top": "bottom bottom right right bottom-right top-right",
    "top-right": "bottom bottom right right bottom-right bottom-left",
    "right": "bottom bottom left left bottom-right bottom-left",
    "bottom-right": "bottom bottom left left top-left bottom-left",
}


@pytest.mark.clause("PW1-10", "PW1-11", "PW1-12")
def test_the_entry_is_the_first_slot_of_its_score_from_the_top_and_the_exit_the_next_clockwise() -> None:
    entries = [RING.entry_slot(score).name for score in range(1, 7)]
    assert entries == ["top", "top", "right", "right", "bottom-right", "top-right"]
    exits = {entry: [RING.exit_slot(RING.find_slot(entry), score).name for score in range(1, 7)] for entry in TABLE}
    assert exits == {entry: slots.split() for entry, slots in TABLE.items()}


@pytest.mark.clause("PW1-13", "PWA-02")
def test_a_score_names_a_station() -> None:
    twelfths = [12 * RING.station(score) for score in range(1, 7)]
    assert twelfths == pytest.approx([5, 7, 1, 3, 9, 11])


@pytest.mark.clause("PW1-13", "PW1-15")
def test_stations_run_from_the_left_or_the_top_and_corners_are_exact() -> None:
    sides = {"top": (200, 800), "bottom": (200, 0), "left": (0, 600), "right": (800, 600)}
    assert {side: edge_point(grid("sq-8x8"), EdgePosition(side, 0.25)) for side in sides} == sides
    corners = {"top-left": (0, 800), "top-right": (800, 800), "bottom-right": (800, 0), "bottom-left": (0, 0)}
    assert {corner: edge_point(grid("sq-8x8"), EdgePosition(corner)) for corner in corners} == corners
    hexes = grid("hex-9x8")
    assert edge_point(hexes, EdgePosition("bottom-right")) == (hexes.width, 0)


@pytest.mark.clause("PW1-60")
@pytest.mark.parametrize("board", BOARDS, ids=lambda each: each.grain or "square")
def test_a_chain_begins_in_the_area_of_its_stand_and_comes_in_by_a_side(board: HexGrid) -> None:
    for slot, share in product(("top", "right", "bottom", "left"), (0.0, 1 / 12, 0.5, 11 / 12, 1.0)):
        stand = EdgePosition(slot, share)
        found = edge_cell(board, stand)
        assert board.contains(found)
        side = outer_side(board, found, edge_point(board, stand))
        assert side is not None
        assert board.neighbour(found, side) is None
    assert edge_cell(board, EdgePosition("top-right")) == Cell(board.columns, 1)
    assert edge_cell(board, EdgePosition("bottom-left")) == Cell(1, board.rows)


@pytest.mark.clause("PWA-11")
@pytest.mark.parametrize(
    ("area", "taken", "given"),
    [("1;4", "", "1;4"), ("1;4", "1;4 1;5", "1;6"), ("1;8", "1;8", "2;8"), ("2;1", "2;1", "1;1")],
)
def test_a_taken_area_of_the_edge_gives_way_to_the_next_clockwise(area: str, taken: str, given: str) -> None:
    board = grid("sq-8x8")
    assert free_edge_cell(board, cell(area), frozenset(cells(taken))) == cell(given)
    assert free_edge_cell(board, cell(area), frozenset(board.cells())) is None


@pytest.mark.clause("PWA-11")
@pytest.mark.parametrize(
    ("free", "ends"),
    [("1;6 4;8", "1;6 4;8"), ("1;6", "1;6 8;5"), ("1;6 8;5", "1;6 8;5"), ("8;5 1;2", "8;5 1;2"), ("", "1;4 8;5")],
)
def test_a_course_past_hills_enters_and_leaves_by_two_areas(free: str, ends: str) -> None:
    board = grid("sq-8x8")
    taken = frozenset(board.cells()) - set(cells(free))
    assert find_end_cells(board, EdgePosition("top", 0.4), EdgePosition("bottom", 0.6), taken) == tuple(cells(ends))


SQUARE, HEX = "sq-8x8", "hex-9x8"


def turn(name: str, start: str, scores: str, closed: str = "") -> DirectionResult:
    dice, blocked = dice_of(scores), cells(closed)
    found = counting.roll_direction(
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
    assert (found.cell, found.skipped_scores) == (cell("2;8"), (1, 2))
    assert turn(SQUARE, "4;4", "4", closed="4;3 3;4").cell == cell("4;5")
    assert turn(SQUARE, "4;4", "1", closed="3;4 4;5 5;4 4;3").cell is None


@pytest.mark.clause("PW0-13")
@pytest.mark.parametrize(
    ("name", "number", "scaled"),
    [
        ("hex-9x8", 7, 7), ("sq-8x8", 9, 8), ("sq-8x8", 4, 4), ("sq-6x6", 3, 2), ("sq-6x6", 5, 3), ("sq-6x6", 1, 1),
        ("sq-6x6", 0, 0), ("sq-3x3", 11, 1), ("sq-3x3", 12, 2), ("sq-3x3", 1, 1), ("sq-18x8", 3, 6),
    ],
)  # fmt: skip
def test_numbers_by_area_are_rounded_with_halves_up_and_are_at_least_one(name: str, number: int, scaled: int) -> None:
    for choice, due in (("by-area", scaled), ("as-written", number)):
        rules = Rules.of(read_book("portable-2"), {"grid": name, "numbers": choice})
        assert GridTerms.from_scenario(grid(name), rules, {}).scale_number(number) == due
