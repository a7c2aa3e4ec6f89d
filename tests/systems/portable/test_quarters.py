"""The edge in sixteen quarters: the published example in all readings, shared areas, ties, and a full edge."""

from __future__ import annotations

from itertools import chain, product

import pytest
from laying import GRIDS, book, cells, dice_of, left, reasons, step, with_

from printkit.core.errors import ScenarioError
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.edges import QUARTERS, Quarters, edge_cells, next_edge_cell, roll_highest
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, grid_of

EXAMPLE = {
    "onward": {"sq-8x8": "7;8 8;8", "hex-9x8": "7;9 8;9", "hex-6x8": "7;6 8;6"},
    "sep30": dict.fromkeys(GRIDS, "6;1 5;1"),
    "sep30-topdown": dict.fromkeys(GRIDS, "4;1 3;1"),
}
ENTRY = {"sq-8x8": "1;5 1;6", "hex-9x8": "1;5 1;6 1;7", "hex-6x8": "1;4 1;5"}
EXITS = {"onward": 8, "sep30": 14, "sep30-topdown": 15}


@pytest.mark.clause("PW-WE2", "PW2-30", "PW2-31", "PW2-31a", "PW2-32", "PW2-37", "PWA-05")
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("reading", EXAMPLE)
def test_the_published_example_in_every_reading_and_as_a_river(grid, reading):
    rules, whole = Rules.of(book(), {"pw2.exit": reading}), grid_of(grid, cell=100)
    found, entry, leaving = Quarters.from_rules(rules), cells(ENTRY[grid]), cells(EXAMPLE[reading][grid])
    assert found.find_cells(whole, 3) == entry
    assert found.exit_quarter(3, 5) == EXITS[reading]
    assert found.find_cells(whole, EXITS[reading]) == leaving
    dice = dice_of(3, 5, *([6] + [1] * (len(entry) - 1)), 1, 6, 1)
    (river,) = step("rivers", dice, grid, settings={"pw2.exit": reading}).ways
    assert (river.cells[0], river.cells[-1]) == (entry[0], leaving[1])
    assert left(dice) == 0
    assert (river.facts["entry_quarter"], river.facts["exit_quarter"]) == (3, EXITS[reading])
    assert {throw.clause for throw in dice.log[:2]} == {found.clause}


@pytest.mark.clause("PW2-31", "PW2-31a")
def test_the_exit_is_one_to_six_quarters_on_or_seven_to_twelve():
    for entry, score in product(range(1, 7), repeat=2):
        assert (Quarters().exit_quarter(entry, score) - entry) % QUARTERS == score
        assert (Quarters(onward=6).exit_quarter(entry, score) - entry) % QUARTERS == score + 6
    assert Quarters(onward=6).exit_quarter(6, 6) == 2


@pytest.mark.clause("PW2-30", "PWA-06")
@pytest.mark.parametrize(
    ("grid", "shared"),
    [("sq-8x8", set()), ("hex-9x8", {5}), ("hex-6x8", {2, 5}), ("sq-10x10", {3, 8}), ("sq-4x4", set())],
)
def test_an_area_in_the_middle_between_two_quarters_belongs_to_both(grid, shared):
    whole = grid_of(grid, cell=100)
    every = [cell.column for number in range(1, 5) for cell in Quarters().find_cells(whole, number)]
    assert set(every) == set(range(1, whole.columns + 1))
    assert {column for column in every if every.count(column) > 1} == shared


@pytest.mark.clause("PW2-30")
@pytest.mark.parametrize("grid", [*GRIDS, "hex-7x5"])
def test_quarters_go_round_clockwise_from_the_top_left(grid):
    whole = grid_of(grid, cell=100)
    quarters = [Quarters().find_cells(whole, number) for number in range(1, QUARTERS + 1)]
    ring = tuple(tuple(dict.fromkeys(chain(*quarters[first : first + 4]))) for first in range(0, QUARTERS, 4))
    assert ring == edge_cells(whole)
    assert ring[0][0] == Cell(1, 1)
    assert set(chain(*ring)) == {
        cell for cell in whole.cells() if cell.column in (1, whole.columns) or cell.row in (1, whole.rows)
    }


@pytest.mark.clause("PW2-32")
def test_the_highest_die_wins_and_only_those_that_tie_throw_again():
    dice = dice_of(4, 6, 6, 2, 5)
    assert roll_highest(cells("1;5 1;6 1;7"), dice, reason="entry of river 1", clause="PW2-32") == Cell(7, 1)
    thrown = ("(1;5): 4", "(1;6): 6", "(1;7): 6", "(1;6): 2", "(1;7): 5")
    assert reasons(dice) == [f"entry of river 1, area {each}" for each in thrown]
    assert left(dice) == 0


@pytest.mark.clause("PW2-32")
def test_a_single_free_area_takes_no_die_and_a_full_quarter_gives_way_clockwise():
    grid, dice = grid_of("sq-8x8", cell=100), dice_of()
    taken = set(cells("1;5 1;6 1;7"))
    assert Quarters().choose_cell(grid, 3, taken_cells=set(cells("1;5")), dice=dice, reason="entry") == Cell(6, 1)
    assert Quarters().choose_cell(grid, 3, taken_cells=taken, dice=dice, reason="entry") == Cell(8, 1)
    assert next_edge_cell(grid, 16, {cell for cell in grid.cells() if cell.column == 1}) == Cell(2, 1)
    assert next_edge_cell(grid, 1, set(grid.cells())) is None


@pytest.mark.clause("PW2-32")
def test_hills_take_no_part_and_one_area_is_never_both_ends():
    hilly = with_("sq-8x8", (Kind.HILL, "1;5 8;8"))
    dice = dice_of(3, 5, 1)
    (river,) = step("rivers", dice, on=hilly).ways
    assert (river.cells[0], river.cells[-1]) == (Cell(6, 1), Cell(8, 7))
    assert left(dice) == 0
    corner = step("rivers", dice_of(4, 1, 1, 6, 1)).ways[0]
    assert (corner.cells[0], corner.cells[-1]) == (Cell(8, 1), Cell(8, 2))


@pytest.mark.clause("PW0-13", "PW2-30", "PW2-31")
@pytest.mark.parametrize(
    ("line", "scores", "ends"),
    [
        ("from (1;3) to (8;5)", (1,), "1;3 8;5"),
        ("from q3 to (8;5)", (6, 1, 1), "1;5 8;5"),
        ("from q1 to q8", (1, 2, 2, 1, 1), "1;2 7;8"),
        ("to (8;5)", (3, 6, 1, 1), "1;5 8;5"),
        ("from (1;5)", (5, 2, 1, 1), "1;5 7;8"),
        ("from top-left to bottom-right", (1,), "1;1 8;8"),
        ("from left 40% to right 99%", (1,), "4;1 8;8"),
    ],
)
def test_what_is_known_of_a_course_is_not_thrown_for(line, scores, ends):
    dice = dice_of(*scores)
    (river,) = step("rivers", dice, inputs={"rivers": [line]}).ways
    assert (river.cells[0], river.cells[-1]) == cells(ends)
    assert left(dice) == 0


@pytest.mark.clause("PW2-30")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("from top 3 to (8;5)", "version 2 has no edge positions"),
        ("from (4;4) to (8;5)", r"\(4;4\) is not on the edge of sq-8x8"),
        ("from (1;3) to (1;3)", r"\(1;3\) cannot be both ends"),
    ],
)
def test_ends_that_cannot_be_are_refused(line, message):
    with pytest.raises(ScenarioError, match=message):
        step("rivers", dice_of(), inputs={"rivers": [line]})
