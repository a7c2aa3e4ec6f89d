"""Maps of cells: a board with the outline of its cells, their lines and numbers, and what keeps off these."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path as File

import numpy as np
import pytest
import shapely
from cell_country import FLAT, SQUARES, area, battlefield, blank, country, hill
from msgspec.structs import replace
from shapely import Point

from printkit.chance.streams import Jitter
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import GRID, Drawing, LayerName, Path, PathRun, Rect, Stamp, Text
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.furniture import Furniture, frame_board
from printkit.drawing.lettering.extent import extents
from printkit.drawing.map.board_drawing import MapCaption, MapLayout, board_drawing, scaled
from printkit.drawing.map.cell_marks import cell_address, cell_context, column_figure
from printkit.drawing.text.drafter import Drafter
from printkit.export import pdf, svg
from printkit.page.sheet import Document, page_of
from printkit.page.tiling import is_visible
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid, HexGrid, SquareGrid, grid_of
from printkit.terrain.geometry.outlines import Noise

SMALL = HexGrid(3, 3, 24.0)


@cache
def drawn(grid: Grid, manner: str = "ink-saver", *, marks: bool = True) -> Drawing:
    """Return the board of a small country on a grid."""
    ground = (area(grid, "heath", Kind.SCRUB, [(1, 1), (1, 2)]), hill(grid, "hill", [(3, 2)], name="Top"))
    return made(battlefield(grid, ground, title=""), manner, marks=marks)


def made(field: Battlefield, manner: str = "ink-saver", *, marks: bool = True, scale: float = 1.0) -> Drawing:
    return board_drawing(field, Drafter.map(style.find(manner), find_words("en"), Jitter(7), scale=scale), grid=marks)


def texts(drawing: Drawing, layer: LayerName) -> list[Text]:
    return [item for found, item in drawing.items() if found.name is layer and isinstance(item, Text)]


@pytest.mark.parametrize(("grid", "name"), [(SMALL, "cells-hex"), (SquareGrid(3, 3, 24.0), "cells-square")])
def test_a_small_map_stays_as_it_was(grid: Grid, name: str, golden: Callable[[Drawing, str], None]) -> None:
    golden(drawn(grid), name)


def test_everything_is_cut_to_the_outline_of_the_cells_and_a_sheet_beyond_it_is_left_out() -> None:
    hull = SMALL.hull()
    for layer in drawn(SMALL).layers:
        assert isinstance(layer.clip, PathRun)
        points = np.array(layer.clip.points).reshape(-1, 2) * GRID
        assert shapely.Polygon(points).symmetric_difference(hull).area < 2.0
    drawing = Drawing(500, 500, drawn(SMALL).layers)
    assert is_visible(drawing, Rect(10, 10, 50, 50))
    assert not is_visible(drawing, Rect(400, 400, 50, 50))


@pytest.mark.clause("PW0-02", "PW0-03")
def test_every_cell_bears_its_number_under_its_top_hexes_by_column_and_row_and_squares_as_on_a_chessboard() -> None:
    for grid in (SMALL, HexGrid(3, 3, 40.0, "pointy-odd-right"), SquareGrid(3, 3, 40.0)):
        numbers = texts(drawn(grid), LayerName.GRID)
        assert [text.content for text in numbers] == [cell_address(grid, cell) for cell in grid.cells()]
        for text, cell in zip(numbers, grid.cells(), strict=True):
            assert grid.outline(cell).contains(Point(text.at))
            assert text.at[1] > grid.centre(cell)[1]
    assert cell_address(FLAT, Cell(3, 4)) == "0304"
    assert cell_address(SQUARES, Cell(3, 4)) == "C4"
    assert [column_figure(SquareGrid(60, 3, 1.0), column) for column in (1, 26, 27, 53)] == ["A", "Z", "AA", "BA"]


def test_the_grid_may_be_left_out_and_an_empty_one_is_left_clean_to_be_sketched_on() -> None:
    assert all(layer.name is not LayerName.GRID for layer in drawn(SMALL, marks=False).layers)
    drawing = made(blank("hex-3x3", 40.0), "campaign")
    assert {layer.name for layer in drawing.layers} == {LayerName.PAPER, LayerName.MOTTLE, LayerName.GRID}


@pytest.mark.parametrize(("cell", "size"), [(74.0, 1.0), (100.0, 1.25), (37.0, 0.5743), (10.0, 0.40)])
def test_signs_suit_the_printed_cell(cell: float, size: float) -> None:
    context = SymbolContext(
        style=style.find("campaign"), jitter=Jitter(1), noise=Noise.from_stream(Jitter(1).stream("draw/noise"))
    )
    assert cell_context(context, HexGrid(9, 8, cell)).symbol_scale == pytest.approx(size, abs=1e-3)
    assert cell_context(replace(context, scale=0.2), HexGrid(9, 8, cell)).symbol_scale == pytest.approx(size, abs=1e-3)
    assert cell_context(context, None) is context


def test_a_battlefield_is_scaled_with_its_cells() -> None:
    half = scaled(country(FLAT), 0.5)
    assert half.grid == HexGrid(9, 8, 37.0)
    assert half.ground.area == pytest.approx(FLAT.hull().area / 4)


@pytest.mark.parametrize("grid", [HexGrid(4, 4, 74.0, "flat-odd-high"), HexGrid(4, 4, 74.0, "pointy-odd-left")])
def test_single_trees_keep_off_lines_and_middles(grid: Grid) -> None:
    drawing = drawn(grid)
    lines = shapely.union_all([grid.outline(cell).boundary for cell in grid.cells()])
    middles = shapely.MultiPoint([grid.centre(cell) for cell in grid.cells()])
    trees = [
        Point((left + right) / 2 * GRID, (low + high) / 2 * GRID).buffer((right - left) / 2 * GRID)
        for layer, item in drawing.items()
        if layer.name is LayerName.CROWN and isinstance(item, Stamp)
        for left, low, right, high in extents(item)
    ]
    assert len(trees) > 8
    assert all(tree.distance(lines) >= 1.9 and tree.distance(middles) >= 2.9 for tree in trees)


def test_two_cells_in_five_have_no_trees() -> None:
    grid = HexGrid(9, 8, 74.0, "flat-odd-high")
    places = [
        Point((left + right) / 2 * GRID, (low + high) / 2 * GRID)
        for layer, item in drawn(grid).items()
        if layer.name is LayerName.CROWN and isinstance(item, Stamp)
        for left, low, right, high in extents(item)
    ]
    bare = [cell for cell in grid.cells() if not any(grid.outline(cell).contains(place) for place in places)]
    assert 0.38 <= len(bare) / len(grid.cells()) <= 0.55


def test_names_keep_off_the_numbers_of_cells() -> None:
    grid = HexGrid(4, 4, 74.0)
    field = battlefield(grid, (replace(area(grid, "w", Kind.SCRUB, [(2, 2), (2, 3)]), name="The Heath"),), title="")
    drawing = made(field)
    (name,) = {text.at for text in texts(drawing, LayerName.LABEL)}
    assert min(np.hypot(name[0] - text.at[0], name[1] - text.at[1]) for text in texts(drawing, LayerName.GRID)) > 5
    assert grid.hull().contains(Point(name))


def test_the_board_lies_on_its_sheet_within_edge_and_figures() -> None:
    field = blank("sq-3x4", 40.0)
    caption = MapCaption(title="An empty field", seed=1)
    layout = MapLayout(field=field, style=style.find("campaign"), words=find_words("en"), caption=caption)
    drawing = made(field, "campaign")
    mat = frame_board(drawing, layout, Furniture.MAT)
    figures = [text.content for text in texts(mat.drawing, LayerName.FRAME)]
    assert sorted(set(figures)) == ["1", "2", "3", "4", "A", "B", "C"]
    assert all(figures.count(figure) == 2 for figure in figures)
    full = frame_board(drawing, layout, Furniture.FULL)
    said = [item.content for _, item in full.drawing.items() if isinstance(item, Text)]
    assert "3 BY 4 SQUARES OF 40 MM" in "".join(said)
    assert not any("base widths" in text for text in said)
    shadow = [
        item
        for layer, item in full.drawing.items()
        if layer.name is LayerName.PAPER and layer.clip is None and isinstance(item, Path)
    ]
    assert len(shadow) == 1
    assert (full.board_rect.width, full.board_rect.height) == (120.0, 160.0)


def test_cells_have_their_numbers_and_the_key_names_cells_instead_of_numbers() -> None:
    grid = HexGrid(3, 3, 74.0)
    field = battlefield(grid, (area(grid, "w", Kind.SCRUB, [(2, 3)]),), title="")
    assert not texts(made(field), LayerName.NUMBER)
    layout = MapLayout(
        field=field, style=style.find("ink-saver"), words=find_words("en"), caption=MapCaption(title="Heath")
    )
    made_full = frame_board(Drawing(grid.width, grid.depth, ()), layout, Furniture.FULL).drawing
    assert "0203" in [text.content for text in texts(made_full, LayerName.MARGIN)]


def test_writers_cut_to_the_outline_of_cells(tmp_path: File) -> None:
    grid = grid_of("hex-3x3", cell=24.0)
    drawing = drawn(grid)
    document = Document(title="Cells", pages=(page_of(drawing),))
    (written,) = svg.write(document, tmp_path / "cells.svg")
    text = written.read_text(encoding="utf-8")
    definitions = [part.split("</clipPath>")[0] for part in text.split("<clipPath ")[1:]]
    assert any("<path d=" in part for part in definitions)
    assert pdf.data(document).startswith(b"%PDF")
