"""Assembly sheets of Hexon layouts: every piece is on its plan, slopes point down, everything stays on the sheet."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations

import pytest
from drawing_text import dump
from hexon_plans import bare, full, plan
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, box

from printkit.core.words import find_words
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import Drawing, LayerName, Path, Rect, Text
from printkit.drawing.lettering.extent import extents
from printkit.drawing.lettering.lettering import width
from printkit.hexon.assembly import FirstPagePictures, assembly_pages
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.stock import Stock
from printkit.hexon.plans.board import (
    board_tints,
    draw_layer_plan,
    full_window,
    sheet_scale,
    split_into_windows,
    window_bounds,
)
from printkit.hexon.plans.top_plan import SIGNS, draw_symbol_key, draw_top_plan
from printkit.terrain.field.grids import HexGrid

CAMPAIGN = styles.find("campaign")
SLOPE = "slope"
SCALE = 1 / 5
FREE = Rect(0, 0, 190, 277)
BLANK = FirstPagePictures(map=lambda wide, high: Drawing(wide, high, ()), legend=lambda wide: Drawing(wide, 0.0, ()))
PAGES = partial(assembly_pages, free=FREE, style=CAMPAIGN, title="A field", pictures=BLANK)


@pytest.fixture(scope="module")
def layout() -> HexonLayout:
    return lay_out(full(), SLOPE)


def texts(drawing: Drawing, *names: LayerName) -> list[str]:
    return [item.content for layer, item in drawing.items() if isinstance(item, Text) and layer.name in names]


def length(text: Text) -> float:
    return width(text.content, text.font, text.size_pt)


def points(path: Path) -> list[tuple[float, float]]:
    return [(x / 100, y / 100) for run in path.runs for x, y in zip(run.points[::2], run.points[1::2], strict=True)]


@pytest.mark.clause("HX-54")
def test_the_base_shows_every_board_by_its_number(layout: HexonLayout) -> None:
    found = texts(draw_layer_plan(layout, layout.layers[0], scale=SCALE, style=CAMPAIGN), LayerName.NUMBER)
    numbers = [str(number) for number in range(1, 13)]
    ends = [str(number) for number in (*range(1, 10), *range(1, 9))]
    addresses = [layout.grid.address(cell) for cell in layout.grid.cells()]
    assert sorted(found) == sorted((*numbers, *ends, *ends, *addresses))


@pytest.mark.clause("HX-54", "HX-26")
def test_slopes_have_their_letter_and_an_arrow_away_from_the_plateau() -> None:
    layout = lay_out(plan(*("." * 8,) * 3, "...1....", *("." * 8,) * 3), SLOPE)
    drawn = draw_layer_plan(layout, layout.layers[1], scale=SCALE, style=CAMPAIGN)
    assert texts(drawn, LayerName.NUMBER).count("C1") == 6
    arrows = [
        points(item) for layer, item in drawn.items() if layer.name is LayerName.OVERLAY and isinstance(item, Path)
    ]
    assert len(arrows) == 6
    (single,) = [piece for piece in layout.layers[1].pieces if piece.kind == "single"]
    x, y = layout.grid.centre(single.cells[0])
    top = x * SCALE + 7, y * SCALE + 7
    for start, tip, *_ in arrows:
        assert math.dist(top, tip) - math.dist(top, start) == pytest.approx(math.dist(start, tip), abs=0.02)


@pytest.mark.clause("HX-51", "HX-52", "HX-54")
def test_strips_and_markers_are_on_the_last_plan(layout: HexonLayout) -> None:
    plan = draw_top_plan(layout, find_words("en"), scale=SCALE, style=CAMPAIGN)
    drawn = plan.drawing
    bands = [
        item
        for layer, item in drawn.items()
        if layer.name in (LayerName.COURSE, LayerName.WATER) and isinstance(item, Path) and item.stroke is not None
    ]
    passed = [1 if len(strip.sides) == 2 else len(strip.sides) for strip in layout.strips]
    assert sorted(len(item.runs) for item in bands) == sorted(passed)
    said = texts(drawn, LayerName.LABEL)
    assert "Village" in said
    assert any("Bridge" in note for _, _, note in plan.notes)


@pytest.mark.clause("HX-51", "HX-54")
@pytest.mark.parametrize("language", ["en", "es", "en+es"])
def test_words_lie_on_no_road(layout: HexonLayout, language: str) -> None:
    drawn = draw_top_plan(layout, find_words(language), scale=SCALE, style=CAMPAIGN).drawing
    roads = [
        LineString(points(item)).buffer(item.stroke.width / 2)
        for layer, item in drawn.items()
        if layer.name is LayerName.CASING and isinstance(item, Path) and item.stroke is not None and len(item.runs) == 1
    ]
    words = [item for layer, item in drawn.items() if layer.name is LayerName.LABEL and isinstance(item, Text)]
    level = [box(word.at[0], word.at[1], word.at[0] + length(word), word.at[1] + 1.5) for word in words]
    assert len(level) > 5
    for word in level:
        assert not any(road.intersection(word).area > 0.05 for road in roads)
    for one, other in combinations(level, 2):
        assert one.intersection(other).area < 0.05


@pytest.mark.clause("HX-02", "HX-54")
def test_boards_side_by_side_differ_in_tint() -> None:
    layout = lay_out(bare(12, 10))
    tints = board_tints(layout.layers[0].pieces, layout.grid)
    owner = {cell: piece.number for piece in layout.layers[0].pieces for cell in piece.cells}
    for cell, number in owner.items():
        for beside in (layout.grid.neighbour(cell, way) for way in range(6)):
            if beside is not None and owner[beside] != number:
                assert tints[owner[beside]] != tints[number]


@pytest.mark.clause("HX-28")
def test_a_hill_that_ends_at_the_table_edge_has_a_wall_there() -> None:
    layout = lay_out(plan("1......", ".......", ".......", "......."), SLOPE)
    assert layout.cut
    red = CAMPAIGN.solid("side-red")
    drawn = draw_layer_plan(layout, layout.layers[1], scale=SCALE, style=CAMPAIGN)
    walls = [item for _, item in drawn.items() if isinstance(item, Path) and item.stroke and item.stroke.ink == red]
    assert len(walls) == len(layout.cut)


@settings(max_examples=25)
@given(st.integers(3, 40), st.integers(3, 40), st.sampled_from(["flat-odd-low", "pointy-odd-left"]))
def test_windows_show_every_cell_and_fit_the_room(columns: int, rows: int, grain: str) -> None:
    grid = HexGrid(columns, rows, 100.0, grain)
    scale, shown = split_into_windows(grid, 182, 220, least_mm=8.0)
    assert all(any(window.contains(cell) for window in shown) for cell in grid.cells())
    assert 100 * scale >= 8.0
    for window in shown:
        left, near, right, far = window_bounds(grid, window)
        assert (right - left) * scale + 14 <= 182
        assert (far - near) * scale + 14 <= 220


def test_one_window_shows_all_that_fits_at_the_largest_round_scale() -> None:
    grid = HexGrid(9, 8, 100.0)
    assert split_into_windows(grid, 182, 220, least_mm=8.0) == (1 / 5, (full_window(grid),))
    assert sheet_scale(HexGrid(9, 8, 100.0), 190, 230) == 1 / 5
    assert sheet_scale(HexGrid(36, 24, 100.0), 277, 160) == 1 / 20


def test_the_key_shows_every_sign_with_its_text() -> None:
    drawn = draw_symbol_key({sign: f"{sign} is this" for sign in SIGNS}, HexGrid(9, 8, 100.0), 180, CAMPAIGN)
    assert set(texts(drawn, LayerName.LABEL)) == {f"{sign} is this" for sign in SIGNS}


@pytest.mark.parametrize("grain", ["flat-odd-low", "pointy-odd-left"])
def test_everything_stays_on_the_plan(grain: str) -> None:
    layout = lay_out(bare(7, 5, grain))
    drawn = draw_layer_plan(layout, layout.layers[0], scale=SCALE, style=CAMPAIGN)
    for item in (item for layer in drawn.layers for item in layer.items):
        places = [item.at] if isinstance(item, Text) else points(item) if isinstance(item, Path) else []
        assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in places)


@pytest.mark.clause("HX-54", "HX-32")
@pytest.mark.parametrize("language", ["en", "es"])
def test_sheets_hold_parts_notes_and_two_layers_a_page(layout: HexonLayout, language: str) -> None:
    pages = PAGES(layout, words=find_words(language), stock=Stock(own={"C1": 3}))
    # The first sheet, the layers in pairs, what lies on top, and the list to pack by.
    assert len(pages) == 1 + (len(layout.layers) + 1) // 2 + 2
    said = " ".join(item.content for _, item in pages[0].items() if isinstance(item, Text))
    assert "A field" in said
    assert str(layout.needs()["C1"]) in said.split()


def test_every_sheet_says_who_is_who_above_the_foot_and_no_plan_lies_on_it(layout: HexonLayout) -> None:
    who = ("Player A: blue, dashed lines, far edge", "Jugador A: azul, líneas de trazos, borde lejano")
    pages = PAGES(layout, words=find_words("en+es"), origin="A field", players=who)
    for page in pages:
        told = {item.content: item.at[1] for _, item in page.items() if isinstance(item, Text)}
        assert [told[said] for said in who] == sorted((told[said] for said in who), reverse=True)
        # What is drawn above ends above them; a pad of hexes below 12 mm would lie on them.
        paths = [box.bottom for _, item in page.items() if isinstance(item, Path) for box in extents(item)]
        assert min(paths) / 100 > max(told[said] for said in who)


def test_sheets_are_drawn_the_same_twice(layout: HexonLayout) -> None:
    def drawn() -> list[str]:
        return [dump(page) for page in PAGES(layout, words=find_words("en+es"))]

    assert drawn() == drawn()
