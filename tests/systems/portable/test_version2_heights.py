"""Hills and mountains of version 2: number, place, chains, heights, and the order of the dice."""

from __future__ import annotations

import pytest
from laying import areas, board, cells, dice_of, left, reasons, step, with_

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.core.errors import PlacementError, ScenarioError
from printkit.systems.portable.grid.sketch import Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, grid_of, neighbours

HEIGHTS = (Kind.HILL, Kind.MOUNTAIN)
APART = 1
FLAT = {"relief": "flat"}


def hills(*scores: int, grid: str = "sq-8x8", settings: dict[str, str] | None = None, on: Sketch | None = None):
    dice = dice_of(*scores)
    found = step("hills", dice, grid, settings={**FLAT, **(settings or {})}, on=on)
    assert left(dice) == 0
    return found, dice


@pytest.mark.clause("PW2-10")
@pytest.mark.parametrize(
    ("relief", "score", "number"), [("flat", 3, 3), ("undulating", 4, 6), ("hilly", 2, 6), ("mountainous", 5, 11)]
)
def test_the_numbers_of_the_published_text(relief, score, number):
    dice = Dice(ScriptedSource([str(score)], Seeded(5), Seeded(5)))
    found = step("hills", dice, "hex-9x8", settings={"relief": relief})
    assert len(list(found.of(*HEIGHTS))) == number
    assert dice.log[0].clause == "PW2-10"


@pytest.mark.clause("PW2-12", "PW2-21", "PW0-06", "PW0-07", "PW0-08", "PW0-10")
def test_hills_are_counted_from_the_start_row_and_on_from_one_another():
    found, dice = hills(2, 2, 1, 3, 6, 1, 2, 3, 4)
    assert areas(found, Kind.HILL) == [cells("3;2"), cells("4;3")]
    assert reasons(dice) == [
        "number of hills: 2",
        "start row of the hill areas: 2",
        *(f"hill 1, die {die} of 3: {score}" for die, score in ((1, 1), (2, 3), (3, 6))),
        "does hill 2 join the last one: 1",
        *(f"hill 2, die {die} of 3: {score}" for die, score in ((1, 2), (2, 3), (3, 4))),
    ]
    assert [throw.clause for throw in dice.log] == ["PW2-10", "PW0-06", *["PW2-12"] * 3, "PW2-20", *["PW2-12"] * 3]


@pytest.mark.clause("PW2-12", "PW0-05", "PW0-09")
def test_counting_goes_round_and_passes_over_hills():
    found, _ = hills(3, 6, 6, 6, 6, APART, 5, 5, 5, APART, 6, 6, 6)
    assert areas(found, Kind.HILL) == [cells("8;2"), cells("2;1"), cells("4;3")]
    blocked, _ = hills(2, 1, 1, 1, 1, APART, 1, 1, 1, on=with_("sq-8x8", (Kind.SEA, "1;3 1;4")))
    assert areas(blocked, Kind.HILL) == [cells("1;5"), cells("1;8")]


class TestChains:
    @pytest.mark.clause("PW2-20", "PW0-12", "PW0-14")
    @pytest.mark.parametrize(
        ("sides", "area"), [("1", "3;4"), ("2", "4;5"), ("3", "5;4"), ("4", "4;3"), ("5 6 3", "5;4")]
    )
    def test_a_joined_hill_lies_on_the_side_that_the_die_names_and_squares_throw_five_and_six_again(self, sides, area):
        found, dice = hills(2, 4, 1, 1, 2, 6, *map(int, sides.split()))
        assert areas(found, Kind.HILL) == [cells("4;4"), cells(area)]
        thrown = sides.split()
        assert [(throw.answer, throw.clause) for throw in dice.log[-len(thrown) :]] == [
            (side, "PW2-20") for side in thrown
        ]

    @pytest.mark.clause("PW2-20")
    def test_hexes_have_six_sides(self):
        for side in range(1, 7):
            found, _ = hills(2, 4, 1, 1, 3, 5, side, grid="hex-9x8")
            first, second = areas(found, Kind.HILL)
            assert second == (found.grid.step(first[0], side - 1),)

    @pytest.mark.clause("PW2-20", "PW2-21")
    def test_where_no_neighbour_is_free_the_dice_count_on_and_no_direction_is_thrown(self):
        shut = with_("sq-8x8", (Kind.SEA, "3;4 4;5 5;4 4;3"))
        found, dice = hills(2, 4, 1, 1, 2, 6, 1, 1, 1, on=shut)
        assert areas(found, Kind.HILL) == [cells("4;4"), cells("4;7")]
        assert not any("direction" in throw.reason for throw in dice.log)

    @pytest.mark.clause("PW2-20", "PW0-12", "PWA-15")
    @pytest.mark.parametrize(
        ("grid", "scores", "settings", "chain", "joins"),
        [
            ("sq-8x8", (3, 4, 1, 1, 2, 5, 2, 6, 2), {}, "4;4 4;5 4;6", 2),
            ("sq-8x8", (3, 1, 1, 1, 1, 4, 1, 4, 2), {}, "1;3 1;4 1;5", 2),
            ("sq-8x8", (3, 4, 1, 1, 2, 5, 3, APART, 1, 1, 1), {}, "4;4 5;4 5;7", 2),
            ("sq-8x8", (2, 4, 1, 1, 2, 1, 1, 1), {"pw2.chains": "off"}, "4;4 4;7", 0),
        ],
        ids=["to the number of hills", "past hills and the edge", "then by counting", "turned off"],
    )
    def test_a_chain_goes_on_from_the_new_hill(self, grid, scores, settings, chain, joins):
        found, dice = hills(*scores, grid=grid, settings=settings)
        assert areas(found, Kind.HILL) == [cells(area) for area in chain.split()]
        assert sum("join" in throw.reason for throw in dice.log) == joins, "none after the last hill"


class TestHeights:
    @pytest.mark.clause("PW2-11")
    @pytest.mark.parametrize(
        ("relief", "contours"),
        [("undulating", [1, 1, 1, 1, 2, 2]), ("hilly", [1, 1, 1, 1, 2, 2]), ("mountainous", [1, 1, 2, 2, 0, 0])],
    )
    def test_what_each_score_makes_of_a_hill(self, relief, contours):
        for score, count in enumerate(contours, 1):
            found, dice = hills(1, 1, 1, 1, score, settings={"relief": relief, "hills": "1"})
            (hill,) = found.placings
            assert (hill.kind, hill.contours) == (Kind.HILL if count else Kind.MOUNTAIN, count)
            assert dice.log[-1].clause == "PW2-11"

    @pytest.mark.clause("PW2-11")
    def test_flat_country_throws_for_no_height(self):
        found, dice = hills(1, 1, 1, 1, 1)
        assert [hill.contours for hill in found.placings] == [1]
        assert not any("height" in throw.reason for throw in dice.log)

    @pytest.mark.clause("PW2-11", "PW2-21")
    def test_heights_are_thrown_after_all_hills_are_located_in_their_order(self):
        located = (1, 1, 1, 1, APART, 1, 1, 1, APART, 1, 1, 1)
        found, dice = hills(*located, 5, 1, 6, settings={"relief": "hilly", "hills": "3"})
        assert [hill.contours for hill in found.placings] == [2, 1, 2]
        assert [throw.reason for throw in dice.log[-3:]] == [f"height of hill {number}" for number in (1, 2, 3)]
        assert [hill.told["height_score"] for hill in found.placings] == [5, 1, 6]


class TestGiven:
    @pytest.mark.clause("PW0-13")
    def test_given_hills_take_no_dice_but_those_of_an_unknown_height(self):
        dice = dice_of(6)
        lines = {"features": ["hill (3;5) contours 2", "mountain (1;1)", "hill (4;4)"]}
        found = step("hills", dice, settings={"relief": "hilly"}, inputs=lines)
        given = [("hill", Cell(5, 3), 2), ("mountain", Cell(1, 1), 0), ("hill", Cell(4, 4), 2)]
        assert [(piece.kind.value, piece.cells[0], piece.contours) for piece in found.placings] == given
        assert reasons(dice) == ["height of hill 3: 6"]

    @pytest.mark.clause("PW0-13", "PW2-12")
    def test_a_number_beyond_those_given_is_located_by_dice(self):
        dice = dice_of(1, 1, 1, 1)
        found = step("hills", dice, settings={**FLAT, "hills": "2"}, inputs={"features": ["hill (1;3)"]})
        assert areas(found, Kind.HILL) == [cells("1;3"), cells("1;4")]
        assert left(dice) == 0
        assert step("hills", dice_of(), settings={"hills": "0"}).placings == ()

    @pytest.mark.clause("PW0-13")
    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            (["hill (3;5)", "mountain (3;5)"], "line 2 of the features: area"),
            (["sea (1;1)", "hill (1;1)"], "line 2 of the features: area"),
            (["volcano (3;5)"], "no kind 'volcano' in these rules"),
        ],
    )
    def test_one_area_is_not_given_twice_and_an_unknown_kind_is_refused(self, lines, message):
        with pytest.raises((PlacementError, ScenarioError), match=message):
            board(inputs={"features": lines})


@pytest.mark.clause("PW0-11")
def test_a_full_board_takes_no_more_hills_and_says_so():
    found = step("hills", Dice(Seeded(1)), "sq-3x3", settings={**FLAT, "hills": "12"})
    assert len(found.placings) == 9
    (note,) = found.notes
    assert (note.key, note.clause, note.values) == ("dropped", "PW0-11", {"kind": "hill", "count": 3})


@pytest.mark.clause("PW0-12", "PW2-20")
@pytest.mark.parametrize("grid", ["sq-8x8", "hex-9x8", "hex-6x8"])
def test_chained_hills_are_neighbours(grid):
    whole = grid_of(grid, cell=100)
    chained = 0
    for seed in range(10):
        found = step("hills", Dice(Seeded(seed)), grid, settings={"relief": "mountainous"})
        for hill in found.placings:
            if hill.told["by"] == "beside":
                chained += 1
                assert Cell(*hill.told["after"]) in neighbours(whole, hill.cells[0])
    assert chained > 20
