"""Rivers, lakes and marshes of version 2, and the second bank of wide rivers."""

from __future__ import annotations

import pytest
from laying import EMPTY, areas, board, cells, dice_of, left, reasons, step, with_

from printkit.chance.dice import Dice, Seeded
from printkit.systems.portable.grid.routes import widen_river
from printkit.systems.portable.version2.steps import STAGES
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, grid_of, neighbours

SQUARES, HEXES = grid_of("sq-8x8", cell=100), grid_of("hex-9x8", cell=100)
DOWN = "1;3 2;3 3;3 4;3 5;3 6;3 7;3 8;3"
ACROSS = {"rivers": ["from (1;3) to (8;3)"]}


class TestRivers:
    @pytest.mark.clause("PW2-37", "PW2-36", "PW2-34")
    def test_the_dice_are_thrown_in_their_order(self):
        dice = dice_of(1, 1, 5, 2, 4, 3, 6, 2)
        found = step("rivers", dice)
        assert left(dice) == 0
        assert reasons(dice) == [
            "entry of river 1: 1",
            "exit of river 1: 1",
            "entry of river 1, area (1;1): 5",
            "entry of river 1, area (1;2): 2",
            "exit of river 1, area (1;3): 4",
            "exit of river 1, area (1;4): 3",
            "width of river 1: 6",
            "bank of river 1, going downstream: 2",
        ]
        assert [throw.clause for throw in dice.log] == ["PW2-31"] * 2 + ["PW2-32"] * 4 + ["PW2-36"] * 2
        assert found.ways[0].width == 2

    @pytest.mark.clause("PW2-37", "PW2-34")
    def test_the_die_round_the_hills_is_the_last(self):
        dice = dice_of(5, 1, 1)
        found = step("rivers", dice, on=with_("sq-8x8", (Kind.HILL, "4;3")), inputs=ACROSS)
        asked = ["width of river 1", "bank of river 1, going downstream", "which way round the hills, river 1"]
        assert [throw.reason for throw in dice.log] == asked
        assert Cell(2, 4) in found.ways[0].cells

    @pytest.mark.clause("PW2-36")
    @pytest.mark.parametrize("score", range(1, 7))
    def test_one_to_four_is_one_area_wide_and_five_or_six_two_of_which_a_die_gives_the_bank(self, score):
        dice = dice_of(score, *([1] if score > 4 else []))
        (river,) = step("rivers", dice, inputs=ACROSS).ways
        assert (river.width, bool(river.beside)) == ((2, True) if score > 4 else (1, False))
        assert left(dice) == 0
        (wide,) = step("rivers", dice_of(6, score), inputs=ACROSS).ways
        # Who goes down the map has his left on its right.
        assert {cell.column for cell in wide.beside} == {4 if score < 4 else 2}

    @pytest.mark.clause("PW2-36", "PW0-13")
    def test_a_width_may_be_known(self):
        (wide,) = step("rivers", dice_of(1), settings={"river-areas": "2"}, inputs=ACROSS).ways
        assert {cell.column for cell in wide.beside} == {4}
        (single,) = step("rivers", dice_of(), inputs={"rivers": ["from (1;3) to (8;3) width 1"]}).ways
        assert single.beside == ()

    @pytest.mark.clause("PWA-12")
    def test_several_rivers_are_each_complete_before_the_next(self):
        dice = Dice(Seeded(4))
        found = step("rivers", dice, "hex-9x8", settings={"river": "2"})
        assert [way.id for way in found.ways] == ["river-1", "river-2"]
        names = [throw.reason.split("river ")[1][0] for throw in dice.log]
        assert names == sorted(names)
        assert step("rivers", dice_of(), settings={"river": "no"}).ways == ()

    @pytest.mark.clause("PW2-32", "PW2-35")
    def test_a_river_through_hills_is_reported_and_hills_all_along_the_edge_keep_none_out(self):
        wall = " ".join(f"4;{column}" for column in range(1, 9))
        found = step("rivers", dice_of(1), on=with_("sq-8x8", (Kind.HILL, wall)), inputs=ACROSS)
        assert found.ways[0].facts["forced"] == [[3, 4]]
        assert "PW2-35" in found.ways[0].clauses
        (note,) = found.notes
        assert (note.key, note.feature, note.values) == ("forced", "river-1", {"areas": "(4;3)"})
        rim = " ".join(f"{row};{column}" for row in range(1, 9) for column in range(1, 9) if {row, column} & {1, 8})
        (river,) = step("rivers", Dice(Seeded(2)), on=with_("sq-8x8", (Kind.HILL, rim))).ways
        assert river.facts["forced"]

    @pytest.mark.clause("PW2-33")
    @pytest.mark.parametrize(("grid", "sides"), [("sq-8x8", (0, 2)), ("hex-9x8", (0, 3))])
    def test_a_river_comes_in_and_goes_out_by_outer_sides(self, grid, sides):
        (river,) = step("rivers", dice_of(1), grid, inputs=ACROSS).ways
        assert (river.enters, river.leaves) == sides

    @pytest.mark.clause("PW2-33", "PW2-30")
    @pytest.mark.parametrize(("line", "hill", "side"), [("from q4 to (8;8)", "1;7", 0), ("from q5 to (8;1)", "2;8", 1)])
    def test_in_a_corner_it_comes_in_over_the_edge_whose_quarter_was_thrown(self, line, hill, side):
        dice = dice_of(1)
        (river,) = step("rivers", dice, on=with_("sq-8x8", (Kind.HILL, hill)), inputs={"rivers": [line]}).ways
        assert left(dice) == 0
        assert (river.cells[0], river.enters) == (Cell(8, 1), side)

    @pytest.mark.clause("PW0-13")
    def test_no_river_flows_through_a_sea_that_is_known(self):
        found = board(3, "sq-8x8", inputs={"features": ["sea (1;1) (2;1) (3;1) (4;1)", "sea (8;8)"]}, river="2")
        sea = found.select_cells(Kind.SEA)
        assert len(sea) == 5
        for way in found.ways:
            assert not sea & set(way.cells)
        assert all(set(piece.cells) <= sea for piece in found.placings if sea & set(piece.cells))


class TestBanks:
    @pytest.mark.clause("PW2-36")
    def test_hills_and_the_edge_send_it_to_the_other_bank_and_it_is_single_between_hills_and_where_it_turns(self):
        def bank(
            chain: str, hills: str = "", *, side: str = "left", ends: tuple[int, int] = (0, 2)
        ) -> list[Cell | None]:
            return list(widen_river(SQUARES, cells(chain), *ends, barred_cells=cells(hills), bank=side))

        down = [Cell(4, row) for row in range(1, 9)]
        assert bank(DOWN, "4;4") == [*down[:3], Cell(2, 4), *down[4:]]
        assert bank(DOWN, "4;4 4;2")[3] is None
        along_the_edge = bank(" ".join(f"{row};8" for row in range(1, 9)))
        assert {cell.column for cell in along_the_edge if cell} == {7}
        turned = bank("1;3 2;3 3;3 3;2 3;1", side="right", ends=(0, 3))
        assert turned == [Cell(2, 1), Cell(2, 2), None, None, Cell(1, 2)]

    @pytest.mark.clause("PW2-36")
    def test_it_is_wide_up_to_the_sides_where_it_enters_and_leaves_and_round_a_hill_at_a_turn(self):
        along_the_edge = cells(" ".join(f"{row};9" for row in range(1, 9)))
        second = widen_river(HEXES, along_the_edge, 0, 2, barred_cells=(), bank="left")
        assert second == tuple(Cell(8, row) for row in range(1, 9))
        turned = widen_river(SQUARES, cells("1;3 2;3 3;3 3;2"), 0, 3, barred_cells=cells("2;2"), bank="right")
        assert turned[2] == Cell(4, 3)

    @pytest.mark.clause("PW2-36")
    @pytest.mark.parametrize("grid", [SQUARES, HEXES], ids=lambda grid: grid.name)
    def test_every_second_area_touches_its_own_of_the_chain_and_is_no_part_of_it(self, grid):
        banks = set()
        for seed in range(12):
            (river,) = step("rivers", Dice(Seeded(seed)), grid.name, settings={"river-areas": "2"}).ways
            banks.add(river.facts["bank"])
            assert len(river.beside) == len(river.cells)
            second = [cell for cell in river.beside if cell]
            assert len(set(second)) == len(second) >= len(river.cells) / 3
            assert not set(second) & set(river.cells)
            for cell, other in zip(river.cells, river.beside, strict=True):
                assert other is None or other in neighbours(grid, cell)
        assert banks == {"left", "right"}


class TestStillWaters:
    @pytest.mark.clause("PW2-38", "PW2-39")
    @pytest.mark.parametrize(
        ("stage", "kind", "clause", "score"), [("lakes", Kind.LAKE, "PW2-38", 5), ("marshes", Kind.MARSH, "PW2-39", 2)]
    )
    def test_a_die_says_how_many_and_they_are_located_like_hills(self, stage, kind, clause, score):
        dice = dice_of(score, 3, *([1, 1, 1, 1] * score)[:-1])
        found = step(stage, dice, settings={stage: "die", "pw2.chains": "on"})
        assert left(dice) == 0
        assert sum(len(cells) for cells in areas(found, kind)) == score
        assert dice.log[0].clause == clause
        assert dice.log[1].clause == "PW0-06"

    @pytest.mark.clause("PW2-38", "PW2-39", "PW0-13")
    def test_there_are_none_where_the_country_has_none_and_as_many_as_are_known(self):
        for stage in ("lakes", "marshes"):
            assert step(stage, dice_of()).placings == ()
            assert len(step(stage, dice_of(1, 1, 1, 1), settings={stage: "1"}).placings) == 1
        lines = {"features": ["lake (4;4) (4;5)", "lake (1;1)"]}
        given = step("lakes", dice_of(), settings={"lakes": "die"}, inputs=lines)
        assert areas(given, Kind.LAKE) == [cells("4;4 4;5"), cells("1;1")]

    @pytest.mark.clause("PW2-38")
    def test_chained_areas_are_one_lake(self):
        found = step("lakes", dice_of(4, 1, 1, 2, 6, 2, 1, 1, 1, 1), settings={"lakes": "3"})
        assert areas(found, Kind.LAKE) == [cells("4;4 4;5"), cells("4;8")]

    @pytest.mark.clause("PW2-38", "PW2-39")
    def test_whatever_an_area_holds_is_in_the_way(self):
        full = with_("sq-8x8", (Kind.HILL, "1;3"), (Kind.RIVER, "1;4 2;4"), (Kind.LAKE, "1;5"))
        found = step("marshes", dice_of(1, 1, 1, 1), on=full, settings={"marshes": "1"})
        assert areas(found, Kind.MARSH) == [cells("1;6")]


@pytest.mark.clause("PW2-01")
def test_the_steps_come_in_their_order_and_one_of_which_there_is_nothing_takes_no_dice():
    assert STAGES == (
        "hills", "rivers", "lakes", "marshes", "roads", "trees", "habitation", "connecting", "railways", "fields",
    )  # fmt: skip
    dice = Dice(Seeded(11))
    board(dice=dice, preset="hilly-rural", lakes="die", marshes="die", railway="1")
    stages = [throw.stage for throw in dice.log]
    assert stages == sorted(stages, key=STAGES.index)
    dice = dice_of()
    found = board(dice=dice, settings=EMPTY)
    assert (found.placings, found.ways, dice.log) == ((), (), [])
