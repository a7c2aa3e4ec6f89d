"""Plans as Hexon tiles: layers, hills with slopes or as steps, strips, markers, stocks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hexon_plans import bare, full, plan
from shapely import Point, Polygon

from printkit.core.errors import FileError, PrintkitError, ScenarioError
from printkit.core.words import find_words
from printkit.drawing.canvas.items import LayerName, Text
from printkit.drawing.canvas.style import find as find_style
from printkit.hexon.files import layout_notes
from printkit.hexon.layout import covering
from printkit.hexon.layout.hills import HILLS
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.layout.stock import Stock, given_up, parts, read_stock, shortages
from printkit.hexon.layout.strips import StripName, rotate_mask, strip_name
from printkit.hexon.plans.board import PlanBoard, draw_layer_plan, full_window
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, grid_of, neighbours
from printkit.terrain.gridded.gridplan import CellChain, CellPlot, GridPlan

SLOPE, STEP = "slope", "step"

MESA = ("........", "........", "..111...", "..111...", "........", "........", "........", "........")


def counts(layout: HexonLayout) -> dict[str, int]:
    return {kind.value: count for kind, count in layout.counts().items()}


def cells_of(layout: HexonLayout, level: int) -> list[Cell]:
    return [cell for piece in layout.layers[level].pieces for cell in piece.cells]


@pytest.mark.clause("HX-34", "HX-33", "PW0-01", "HX-26", "HX-54")
def test_the_base_covers_the_whole_table_with_few_boards_the_same_every_time() -> None:
    layout = lay_out(full(), SLOPE)
    assert sorted(cells_of(layout, 0)) == sorted(layout.grid.cells())
    assert {piece.kind for piece in layout.layers[0].pieces} <= {PieceKind.BOARD, PieceKind.SINGLE}
    assert layout.layers[0].pieces == lay_out(bare(9, 8)).layers[0].pieces
    layout = lay_out(bare(9, 8))
    assert [piece.number for piece in layout.pieces] == list(range(1, 13))
    assert (layout.gap, counts(layout)) == (0, {"board": 12})
    assert lay_out(full(), SLOPE) == lay_out(full(), SLOPE)


@pytest.mark.clause("HX-50", "HX-30")
def test_steps_are_flat_pieces_a_layer_a_contour_and_boards_where_they_are_large_enough() -> None:
    layout = lay_out(plan("......", ".1221.", "..11..", "......"), STEP)
    assert sorted(cells_of(layout, 1)) == [(2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2)]
    assert sorted(cells_of(layout, 2)) == [(3, 2), (4, 2)]
    assert not any(hill.sloped for hill in layout.hills)
    layout = lay_out(plan("......", ".111..", ".111..", "......"), STEP)
    assert [piece.kind for piece in layout.layers[1].pieces] == [PieceKind.BOARD]


@pytest.mark.clause("HX-50", "HX-21", "HX-28")
def test_a_hill_gets_slopes_on_its_whole_rim_but_for_those_beyond_the_table() -> None:
    layout = lay_out(plan(*MESA), SLOPE)
    slopes = [piece for piece in layout.layers[1].pieces if piece.kind not in (PieceKind.BOARD, PieceKind.SINGLE)]
    assert (layout.layers[1].boards, layout.layers[1].singles) == (1, 0)
    assert [sum(piece.kind == kind for piece in slopes) for kind in ("A1", "B1", "C1")] == [1, 4, 7]
    assert {piece.hill for piece in layout.layers[1].pieces} == {1}
    assert layout.cut == ()
    layout = lay_out(plan("1.....", "......", "......", "......"), SLOPE)
    on_table = [piece for piece in layout.pieces if piece.kind == PieceKind.C1]
    assert (len(on_table), len(layout.cut)) == (3, 3)
    assert not any(layout.grid.contains(piece.cells[0]) for piece in layout.cut)
    assert all(layout.grid.contains(cell) for piece in layout.pieces for cell in piece.cells)


@pytest.mark.clause("HX-50", "HX-52")
def test_hills_and_trees_are_steps_or_slopes_by_their_size_and_rim() -> None:
    field = plan("........", ".1......", "........", "....11..", "........", "........")
    sloped = {mode: [hill.sloped for hill in lay_out(field, mode).hills] for mode in HILLS}
    assert sloped == {"auto": [False, True], "slope": [True, True], "step": [False, False]}
    field = plan("........", ".1v.....", "........", "........", ".....1..", "........")
    first, second = lay_out(field, SLOPE).hills
    assert (first.sloped, first.reason, first.faults) == (True, "occupied", (Cell(3, 2),))
    assert (second.sloped, second.reason) == (True, None)
    first, second = lay_out(plan("........", ".11v....", "........", "........", "....11..", "........")).hills
    assert (first.sloped, first.reason, first.faults) == (False, "occupied", (Cell(4, 2),))
    assert (second.sloped, second.reason) == (True, None)
    field = plan("......", ".11t..", "......", "......")
    assert not lay_out(field).hills[0].sloped
    assert (lay_out(field, SLOPE).hills[0].sloped, lay_out(field, SLOPE).hills[0].faults) == (True, ())
    layout = lay_out(plan("......", "..T...", "......", "......"), SLOPE)
    assert layout.hills[0].sloped
    assert [(mark.kind, mark.level, mark.cell) for mark in layout.markers] == [(Kind.LIGHT_WOODS, 1, (3, 2))]


@pytest.mark.clause("HX-50")
def test_a_mountain_is_three_levels() -> None:
    field = plan("......", "..m...", "......", "......")
    assert [len(layer.pieces) for layer in lay_out(field, STEP).layers] == [4, 1, 1, 1]
    steep = lay_out(field, SLOPE).hills[0]
    assert (steep.sloped, steep.reason) == (False, "steep")


@pytest.mark.clause("HX-27")
def test_levels_two_high_stand_on_hills_that_are_wide_enough_and_not_on_slopes() -> None:
    layout = lay_out(plan("......", "......", "..2...", "......", "......"), SLOPE)
    assert [sorted(piece.kind.value for piece in layer.pieces) for layer in layout.layers[1:]] == [
        ["C2"] * 6 + ["single"],
        ["single"],
    ]
    assert cells_of(layout, 2) == [(3, 3)]
    layout = lay_out(plan("........", "........", "..111...", "..121...", "...1....", "........", "........"), SLOPE)
    below, above = layout.layers[1], layout.layers[2]
    assert sum(piece.kind == PieceKind.C1 for piece in above.pieces) == 6
    assert {cell for piece in above.pieces for cell in piece.cells} <= {
        cell for piece in below.pieces if piece.kind in ("board", "single") for cell in piece.cells
    }
    assert (counts(layout)["B1"], counts(layout)["C1"]) == (6, 12)
    hill = lay_out(plan("......", "......", "..21..", "......", "......"), SLOPE).hills[0]
    assert (hill.sloped, hill.reason) == (False, "steep")
    assert Cell(3, 2) in hill.faults
    assert Cell(4, 3) not in hill.faults
    first, second = lay_out(plan("........", "........", "..1..2..", "........", "........"), SLOPE).hills
    assert (first.sloped, second.sloped) == (True, True)
    first, second = lay_out(plan("........", "........", "..1.2...", "........", "........"), SLOPE).hills
    assert (first.sloped, second.sloped, second.reason) == (True, False, "meets")


@pytest.mark.clause("HX-25", "HX-54", "HX-50")
def test_hexes_that_no_slope_fits_are_raised_where_they_are_open() -> None:
    field = plan(".......", "..1....", "..1....", ".......", "..1....", "..1....", ".......")
    raised = lay_out(field)
    assert raised.raised_cells == (Cell(3, 4),)
    assert (3, 4) in cells_of(raised, 1)
    occupied = plan(".......", "..1....", "..1....", "..v....", "..1....", "..1....", ".......")
    assert [hill.sloped for hill in lay_out(occupied).hills] == [False, False]
    # In this mode every hex keeps its height. Both hills have a vertical side there.
    for each in (field, occupied):
        layout = lay_out(each, SLOPE)
        assert [(hill.sloped, hill.faults) for hill in layout.hills] == [(True, (Cell(3, 4),))] * 2
        assert (layout.raised_cells, len(cells_of(layout, 1))) == ((), 18)


@pytest.mark.clause("HX-50", "HX-21", "HX-52")
def test_slopes_have_trees_and_hills_have_vertical_sides_where_the_ground_is_not_free() -> None:
    rows = (".......", "..t....", ".v1....", "...v...", ".......")
    layout = lay_out(plan(*rows), SLOPE)
    slopes = {piece.cells[0] for piece in layout.layers[1].pieces if piece.kind is PieceKind.C1}
    assert slopes == set(neighbours(layout.grid, Cell(3, 3))) - {Cell(2, 3), Cell(4, 4)}
    assert Cell(3, 2) in slopes
    assert [mark.level for mark in layout.markers] == [0, 0, 0]
    assert list(layout_notes(layout, find_words("en"))) == [
        "Hill 1 (hex 0303) has vertical sides next to 0203, 0404: the ground is not open, or no slope fits.",
        "Place the trees of 0302 on the slope pieces.",
    ]
    # Without any slope the hill is built as steps, and trees where no slope fits are not raised.
    hill = lay_out(plan(".vvv.", ".v1v.", ".vvv."), SLOPE).hills[0]
    assert (hill.sloped, hill.reason, len(hill.faults)) == (False, "occupied", 6)
    assert not lay_out(plan("1vvv", "vvvv", "vvvv"), SLOPE).hills[0].sloped
    layout = lay_out(plan(".......", "..1....", "..t....", "..1....", "......."), SLOPE)
    assert (layout.raised_cells, {hill.faults for hill in layout.hills}) == ((), {(Cell(3, 3),)})


@pytest.mark.clause("HX-51", "HX-08", "HX-52")
def test_strips_are_named_by_their_sides_and_wide_water_and_all_else_are_markers() -> None:
    cases = {
        (0,): "end", (1, 4): "straight", (0, 2): "gentle", (5, 1): "gentle", (0, 5): "sharp", (0, 2, 4): "Y",
        (0, 1, 3): "junction", (1, 2, 3): "junction", (0, 1, 3, 4): "cross", (0, 1, 2, 3, 4, 5): "cross",
    }  # fmt: skip
    assert {sides: strip_name(sides).value for sides in cases} == cases
    layout = lay_out(full())
    pieces = {(piece.kind, piece.cell): piece for piece in layout.strips}
    fork = pieces[Kind.ROAD, Cell(5, 5)]
    assert (fork.name, fork.sides, fork.features) == (StripName.JUNCTION, (0, 1, 2), ("road-1", "road-2"))
    assert pieces[Kind.ROAD, Cell(5, 7)].name is StripName.END
    assert pieces[Kind.ROAD, Cell(1, 6)].sides == (2, 5)
    assert {piece.name for piece in layout.strips if piece.kind is Kind.RIVER} == {StripName.STRAIGHT}
    assert {piece.sides for piece in layout.strips if piece.kind is Kind.RIVER} == {(1, 4)}
    assert all(rotate_mask(piece.pattern, piece.rotation) == piece.mask for piece in layout.strips)
    marks = {(mark.cell, mark.kind): mark.features for mark in layout.markers}
    assert marks == {
        (Cell(6, 1), Kind.VILLAGE): ("village-1-6",),
        (Cell(6, 3), Kind.LIGHT_WOODS): ("light_woods-3-6",),
        (Cell(8, 6), Kind.BRIDGE): ("bridge-1",),
        (Cell(9, 7), Kind.VILLAGE): ("village-7-9",),
    }
    assert set(layout.needs()) >= {"road-junction", "river-straight"}
    layout = lay_out(plan("....", ".ww.", "....", "...."))
    assert [(mark.kind, mark.cell) for mark in layout.markers] == [(Kind.RIVER, (2, 2)), (Kind.RIVER, (3, 2))]
    apart = CellChain(feature="w", kind=Kind.RIVER, cells=(Cell(1, 1), Cell(4, 4)))
    assert lay_out(plan("....", "....", "....", "....", strips=(apart,))).strips == ()
    chain = tuple(Cell(2, row) for row in (1, 2, 3, 4))
    river = CellChain(feature="r", kind=Kind.RIVER, cells=chain, enters=0, leaves=3, wide=(Cell(1, 1),))
    layout = lay_out(plan("...", "...", "...", "...", strips=(river,)))
    assert [mark.cell for mark in layout.markers] == [(1, 1), (2, 1), (2, 2)]
    assert [(strip.cell, strip.sides) for strip in layout.strips] == [((2, row), (1, 4)) for row in (3, 4)]


@pytest.mark.clause("HX-31")
def test_a_limit_ends_the_search_for_fewest_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "NODE_LIMIT", 50)
    (found,) = lay_out(bare(13, 9)).layers
    assert found.gap == found.bound - found.boards > 0


@pytest.mark.clause("HX-53")
def test_squares_are_refused() -> None:
    grid = grid_of("sq-8x8", cell=100.0)
    squares = GridPlan(grid=grid, plots=tuple(CellPlot(cell=cell) for cell in grid.cells()))
    with pytest.raises(ScenarioError, match=r"sq-8x8 .* hexes; generate the battlefield on hexes.*HX-53"):
        lay_out(squares)


@pytest.mark.clause("HX-32", "HX-34")
def test_boards_of_a_stock_go_to_the_base_and_those_that_lack_are_named_beside_single_hexes() -> None:
    layout = lay_out(plan(*MESA), STEP, Stock(own={"boards": 10, "singles": 10}))
    assert [layer.boards for layer in layout.layers] == [10, 0]
    assert [layer.singles for layer in layout.layers] == [4, 6]
    assert (layout.shortages, layout.unlisted_pieces) == ((), ())
    free = lay_out(plan(*MESA), STEP)
    short = lay_out(plan(*MESA), STEP, Stock(own={"boards": 9, "singles": 4}))
    assert [layer.bound for layer in short.layers] == [layer.bound for layer in free.layers] == [10, 1]
    assert (short.withheld, short.gap) == (2, 0)
    (lack,) = short.shortages
    assert (lack.name, lack.missing, lack.boards) == ("singles", 12, 2)
    assert shortages({"singles": 13}, Stock(), withheld=2)[0].boards == 0


@pytest.mark.clause("HX-32")
def test_slopes_are_laid_where_they_are_owned_and_given_up_where_they_cost_least() -> None:
    field = plan("...........", ".1......11.", "...........", "...........", "...........")
    own = {"boards": 9, "singles": 40, "B1": 2}
    layout = lay_out(field, SLOPE, Stock(own={**own, "C1": 11}))
    assert [hill.sloped for hill in layout.hills] == [False, True]
    lacks = layout.hills[0].shortage
    assert lacks is not None
    assert (layout.hills[0].reason, lacks.name, lacks.need, lacks.own) == ("owned", "C1", 12, 11)
    assert layout.shortages == ()
    assert all(hill.sloped for hill in lay_out(field, SLOPE, Stock(own={**own, "C1": 12})).hills)
    none = lay_out(field, SLOPE, Stock(own={"boards": 9, "singles": 40}))
    assert not any(hill.sloped for hill in none.hills)
    assert none.unlisted_pieces == ("B1", "C1")
    hills = {1: {"C1": 6, "B1": 2}, 2: {"C1": 5}, 3: {"B1": 9}}
    for count, number in ((10, 2), (5, 1), (2, 1)):
        found = given_up(hills, Stock(own={"C1": count, "B1": 20}))
        assert found is not None
        assert (found[0], found[1].name) == (number, "C1")
    assert given_up(hills, Stock(own={"C1": 11, "B1": 11})) is None


@pytest.mark.clause("HX-05", "HX-32")
def test_the_template_of_a_stock_has_codes_and_packets_and_no_other_is_there() -> None:
    stock = read_stock("stock")
    assert (stock.own["boards"], stock.packs["singles"], stock.codes["singles"]) == (21, 10, "HEXIIS/BR")
    stock = Stock(own={"singles": 4}, codes={"singles": "HEXIIS/BR"}, packs={"singles": 10, "boards": 21})
    singles, boards = parts({"singles": 15, "boards": 22}, stock)
    assert (singles.missing, singles.packets, singles.code) == (11, 2, "HEXIIS/BR")
    assert (boards.own, boards.missing, boards.packets, boards.code) == (0, 22, 2, "")
    assert parts({"boards": 22})[0].own is None
    with pytest.raises(PrintkitError, match=r"no file nowhere\.toml"):
        read_stock("nowhere.toml")


@pytest.mark.clause("HX-32")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[own]\nboard = 3", "2: own: 'board' is not a piece. Did you mean boards?"),
        ("[own]\nroad-bent = 3", "2: own: 'road-bent' is not a piece. Did you mean road-"),
        ("[own]\nhill-end = 3", "2: own: 'hill-end' is not a piece. "),
        ("[own]\nC1 = -1", "2: own.C1 = -1 is not valid. Write a whole number of at least 0."),
        ("[own]\nC1 = true", "2: own.C1 = true is not valid"),
        ("[packs]\nC1 = 0", "2: packs.C1 = 0 is not valid. Write a whole number of at least 1."),
        ("[codes]\nC1 = 7", "2: codes.C1 = 7 is not valid. Write a text in quotes"),
        ("owns = 1", '1: unknown key "owns". Did you mean own?'),
        ("own = 1", "1: own = 1 is not valid. Write [own], and its keys below it."),
        ("title = 1", "1: title = 1 is not valid"),
        ("[own", "1: not valid TOML"),
    ],
)
def test_a_wrong_stock_is_named_with_file_key_and_what_may_stand_there(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=re.escape(f"{file}, line {said}")):
        read_stock(str(file))


@pytest.mark.parametrize("grain", ["flat-odd-low", "pointy-odd-right"])
@pytest.mark.parametrize("turned", [False, True])
def test_each_cell_of_a_plan_shows_its_number_inside_above_all_pieces(grain: str, turned: bool) -> None:
    layout = lay_out(plan("......", ".1221.", "..11..", "......", grain=grain), SLOPE)
    for layer in layout.layers:
        drawn = draw_layer_plan(layout, layer, scale=0.15, style=find_style("campaign"), turned=turned)
        board = PlanBoard(layout.grid, 0.15, find_style("campaign"), full_window(layout.grid), turned)
        placed = [(name, item) for name, item in drawn.items() if isinstance(item, Text) and len(item.content) == 4]
        assert {item.content for _, item in placed} == {layout.grid.address(cell) for cell in layout.grid.cells()}
        places = {item.content: Point(item.at) for _, item in placed}
        for cell in layout.grid.cells():
            assert Polygon(board.corners(cell)).contains(places[layout.grid.address(cell)])
        assert {name.name for name, _ in placed} == {LayerName.NUMBER}
