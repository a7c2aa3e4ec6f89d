"""Assembly sheets of Hexon layouts: every piece is on its plan, slopes point down, everything stays on the sheet."""

from __future__ import annotations

import math

import pytest
from hexon_plans import bare, full, plan

from printkit.drawing import style as styles
from printkit.drawing.hexon_sheets import layer_plan, sheet_scale, top_plan
from printkit.drawing.items import Drawing, LayerName, Path, Text
from printkit.recipes.hexon_sheets import assembly_pages
from printkit.terrain.hexes import HexGrid
from printkit.terrain.hexon_layout import HexonLayout, lay_out
from printkit.terrain.hexon_settings import HexonSettings
from printkit.terrain.hexon_stock import Stock
from printkit.words import find

CAMPAIGN = styles.find("campaign")
SLOPE = HexonSettings(hills="slope", node_limit=5_000)
SCALE = 1 / 5


@pytest.fixture(scope="module")
def layout() -> HexonLayout:
    return lay_out(full(), SLOPE)


def texts(drawing: Drawing, *names: LayerName) -> list[str]:
    return [item.content for layer, item in drawing.items() if isinstance(item, Text) and layer.name in names]


def points(path: Path) -> list[tuple[float, float]]:
    return [(x / 100, y / 100) for run in path.runs for x, y in zip(run.points[::2], run.points[1::2], strict=True)]


@pytest.mark.clause("HX-54")
def test_the_base_shows_every_board_by_its_number(layout: HexonLayout) -> None:
    found = texts(layer_plan(layout, layout.layers[0], scale=SCALE, style=CAMPAIGN), LayerName.NUMBER)
    numbers = [str(number) for number in range(1, 13)]
    ends = [str(number) for number in (*range(1, 10), *range(1, 9))]
    assert sorted(found) == sorted((*numbers, *ends, *ends))


@pytest.mark.clause("HX-54", "HX-26")
def test_slopes_have_their_letter_and_an_arrow_away_from_the_plateau() -> None:
    layout = lay_out(plan(*("." * 8,) * 3, "...1....", *("." * 8,) * 3), SLOPE)
    drawn = layer_plan(layout, layout.layers[1], scale=SCALE, style=CAMPAIGN)
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
    drawn = top_plan(layout, find("en"), scale=SCALE, style=CAMPAIGN)
    courses = [item for layer, item in drawn.items() if layer.name is LayerName.COURSE and isinstance(item, Path)]
    assert sorted(len(item.runs) for item in courses) == sorted(len(strip.sides) for strip in layout.strips)
    assert {"Village", "Bridge"} <= set(texts(drawn, LayerName.LABEL))


@pytest.mark.clause("HX-25")
def test_a_hex_that_no_piece_fits_is_crossed_out() -> None:
    field = plan(".......", ".......", "..1....", ".......", "..1....", ".......", ".......")
    layout = lay_out(field, HexonSettings(hills="slope", repair="report"))
    assert "X" in texts(layer_plan(layout, layout.layers[1], scale=SCALE, style=CAMPAIGN), LayerName.NUMBER)


@pytest.mark.parametrize("grain", ["flat-odd-low", "pointy-odd-left"])
def test_everything_stays_on_the_plan(grain: str) -> None:
    layout = lay_out(bare(7, 5, grain))
    drawn = layer_plan(layout, layout.layers[0], scale=SCALE, style=CAMPAIGN)
    for item in (item for layer in drawn.layers for item in layer.items):
        places = [item.at] if isinstance(item, Text) else points(item) if isinstance(item, Path) else []
        assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in places)


def test_the_scale_is_the_largest_round_one_that_fits() -> None:
    assert sheet_scale(HexGrid(9, 8, 100.0), 190, 230) == 1 / 5
    assert sheet_scale(HexGrid(36, 24, 100.0), 277, 160) == 1 / 20


@pytest.mark.clause("HX-54", "HX-32")
@pytest.mark.parametrize("language", ["en", "es"])
def test_sheets_hold_parts_notes_and_a_page_for_each_layer(layout: HexonLayout, language: str) -> None:
    pages = assembly_pages(
        layout, 190, 277, style=CAMPAIGN, words=find(language), title="A field", stock=Stock(own={"C1": 3})
    )
    assert len(pages) == 1 + len(layout.layers) + 1
    said = " ".join(item.content for _, item in pages[0].items() if isinstance(item, Text))
    assert "A field" in said
    assert str(layout.needs()["C1"]) in said.split()
