"""Frame, legend, cartouche, compass and scales: nothing stands on the board, is cut, or leaves a page half empty."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from msgspec.structs import replace
from shapely import box
from shapely.geometry.base import BaseGeometry
from small_country import SIDE, country, furnishing, layout

from printkit.core.errors import PageError
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing, Font, Item, Layer, LayerName, Path, PathRun, Rect, Stamp, Text
from printkit.drawing.canvas.layers import PlacedDrawing, joined, stack_blocks, translated
from printkit.drawing.furniture import furniture
from printkit.drawing.furniture.compass import build_bars, build_scale_bars
from printkit.drawing.furniture.frame import draw_mat_frame, full_margins, mat_margins
from printkit.drawing.furniture.furniture import (
    FramedBoard,
    Furniture,
    assembly_blocks,
    fit_layout,
    frame_board,
    framed_size,
)
from printkit.drawing.furniture.key import build_column
from printkit.drawing.furniture.legend import build_legend, going_word, legend_entries, swatch_drawing
from printkit.drawing.furniture.swatches import LegendEntry
from printkit.drawing.lettering.lettering import least_size, width
from printkit.drawing.map.board_drawing import MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale

EMPTY = Drawing(SIDE, SIDE, ())

_SWATCHES: dict[tuple[object, ...], Drawing] = {}
LANGUAGES = ("en", "es", "en+es")


@pytest.fixture(autouse=True)
def _each_swatch_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A legend shows the same signs in every language: a swatch hangs on entry, style, seed and scale alone."""

    def once(entry: LegendEntry, drafter: Drafter) -> Drawing:
        asked = entry, drafter.context.style.name, drafter.context.jitter.seed, drafter.context.scale, drafter.size(1)
        if asked not in _SWATCHES:
            _SWATCHES[asked] = swatch_drawing(entry, drafter)
        return _SWATCHES[asked]

    monkeypatch.setattr("printkit.drawing.furniture.legend.swatch_drawing", once)


def made(kind: Furniture, how: MapLayout) -> FramedBoard:
    board = Drawing(SIDE * how.scale, SIDE * how.scale, ())
    return frame_board(board, how, kind)


@cache
def full(language: str = "en", scale: float = 1.0) -> FramedBoard:
    return made(Furniture.FULL, layout(language=language, scale=scale))


@cache
def overview(language: str, width: float, height: float) -> tuple[MapLayout, Drawing]:
    """Return the layout that fits a sheet, and the sheet."""
    found = fit_layout(layout(language=language), width, height)
    return found, made(Furniture.FULL, found).drawing


def reach(item: Item) -> Rect:
    """Return the box of an item's points, of a text its line of feet and its height."""
    match item:
        case Path():
            xs = [x / 100 for run in item.runs for x in run.points[::2]]
            ys = [y / 100 for run in item.runs for y in run.points[1::2]]
        case Text():
            length = width(item.content, item.font, item.size_pt, track=item.track)
            up = abs(item.angle - 90) < 1
            end = (item.at[0], item.at[1] + length) if up else (item.at[0] + length, item.at[1])
            xs, ys = [item.at[0], end[0]], [item.at[1], end[1]]
        case Stamp():
            xs, ys = [place.e for place in item.places], [place.f for place in item.places]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def unclipped(drawing: Drawing) -> list[Item]:
    return [item for layer, item in drawing.items() if layer.clip is None]


def within(drawing: Drawing, slack: float = 0.05) -> bool:
    boxes = [reach(item) for item in unclipped(drawing)]
    return all(
        box.x >= -slack and box.y >= -slack and box.right <= drawing.width + slack and box.top <= drawing.height + slack
        for box in boxes
    )


@pytest.mark.parametrize("kind", [Furniture.MAT, Furniture.FULL])
@pytest.mark.parametrize("scale", [1.0, 0.3])
def test_nothing_of_the_furniture_stands_on_the_board(kind: Furniture, scale: float) -> None:
    sheet = full(scale=scale) if kind is Furniture.FULL else made(kind, layout(scale=scale))
    board = sheet.board_rect
    assert (board.width, board.height) == pytest.approx((SIDE * scale, SIDE * scale))
    inner = board.padded(-0.02)
    for layer, item in sheet.drawing.items():
        if layer.name is LayerName.SHEET:
            continue
        for run in item.runs if isinstance(item, Path) else ():
            box = reach(Path((run,)))
            around = box.x <= board.x and box.right >= board.right and box.y <= board.y and box.top >= board.top
            assert around or not box.meets(inner)
        if isinstance(item, Text):
            assert not reach(item).meets(inner)


@pytest.mark.parametrize("manner", ["campaign", "ink-saver"])
def test_a_mat_is_a_few_millimetres_about_the_board_and_without_furniture_the_board_is_all(manner: str) -> None:
    sheet = made(Furniture.MAT, layout(manner=manner))
    assert SIDE + 10 < sheet.drawing.width < SIDE + 20
    assert within(sheet.drawing)
    alone = frame_board(EMPTY, layout(), Furniture.NONE)
    assert (alone.drawing, alone.board_rect) == (EMPTY, Rect(0, 0, SIDE, SIDE))


@pytest.mark.parametrize(
    ("language", "scale"), [("en", 1.0), ("es", 1.0), ("en+es", 1.0), ("en+es", 0.6), ("en", 0.3), ("en+es", 0.3)]
)
def test_a_full_sheet_holds_all_its_parts(language: str, scale: float) -> None:
    assert within(full(language, scale).drawing)


@pytest.mark.parametrize("scale", [0.25, 0.3, 1.0])
def test_a_legend_of_few_entries_has_names_as_large_as_one_of_many(scale: float) -> None:
    few = replace(country(), features=tuple(each for each in country().features if each.id in ("z4", "R1")))
    kept = layout("en", scale=scale)
    sizes = [
        next(
            item.size_pt
            for item in unclipped(made(Furniture.FULL, replace(kept, field=field)).drawing)
            if isinstance(item, Text) and item.content == "Marsh"
        )
        for field in (few, country())
    ]
    assert sizes[0] == pytest.approx(sizes[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", [(190.0, 267.0), (277.0, 180.0)])
def test_an_overview_fits_the_sheet_that_it_was_made_for_and_its_type_keeps_its_floor(
    language: str, room: tuple[float, float]
) -> None:
    found, sheet = overview(language, *room)
    assert sheet.width <= room[0] + 1e-6
    assert sheet.height <= room[1] + 1e-6
    assert within(sheet)
    assert found.scale * SIDE > 100
    for item in unclipped(sheet):
        if isinstance(item, Text) and item.font in (Font.ROMAN, Font.ITALIC):
            assert item.size_pt >= least_size(item.font) - 1e-6


def test_a_board_that_fits_is_not_made_smaller_and_a_stamp_is_too_small_for_an_overview() -> None:
    assert fit_layout(layout(), 2000, 2000).scale == 1.0
    with pytest.raises(PageError, match="too small for an overview"):
        fit_layout(layout(), 30, 40)


def test_a_fit_below_the_least_scale_that_counts_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    trials: list[float] = []

    def count_trial(sheet: MapLayout, kind: Furniture) -> tuple[float, float]:
        trials.append(sheet.scale)
        return framed_size(sheet, kind)

    monkeypatch.setattr(furniture, "framed_size", count_trial)
    scale = fit_layout(layout(), 180, 260).scale
    count = len(trials)
    assert fit_layout(layout(), 180, 260, min_scale=0.9 * scale).scale == scale
    trials.clear()
    assert fit_layout(layout(), 180, 260, min_scale=1.1 * scale).scale <= 1.1 * scale
    assert len(trials) < count / 2


def test_the_size_is_known_without_drawing_and_a_mat_has_smaller_margins_than_a_frame() -> None:
    how = layout(scale=0.3)
    sheet = full(scale=0.3).drawing
    assert framed_size(how, Furniture.FULL) == (sheet.width, sheet.height)
    drafter = furnishing(layout(), 0.3)
    assert mat_margins(drafter).left < full_margins(drafter).left


@pytest.mark.clause("BR-701", "BR-G71")
def test_the_frame_counts_inches_and_base_widths_on_all_sides_and_names_deployment_with_its_paces() -> None:
    sheet = full()
    board = sheet.board_rect
    said = [item for item in unclipped(sheet.drawing) if isinstance(item, Text)]
    above = [text.content for text in said if text.at[1] > board.top and text.font is Font.FIGURES]
    assert above == [str(inch) for inch in range(2, 24, 2)]
    right = [text for text in said if text.at[0] > board.right and text.font is Font.FIGURES_ITALIC]
    assert [text.content for text in right] == [str(base) for base in range(1, 16)]
    for text in right:
        middle = text.at[1] + 0.36 * text.size_pt * 25.4 / 72
        assert middle - board.y == pytest.approx(40 * int(text.content), abs=0.05)
    frame = next(layer for layer in sheet.drawing.layers if layer.name is LayerName.FRAME)
    band = next(item for item in frame.items if isinstance(item, Path) and item.fill and len(item.runs) == 4 * 24)
    assert band.stroke is None
    assert {"DEPLOYMENT A", "DEPLOYMENT B", "600"} <= {text.content for text in said}


@pytest.mark.parametrize("scale", [1.0, 0.25, 0.15])
def test_a_scale_bar_is_as_long_as_it_says(scale: float) -> None:
    board = country().board
    units = {"inches": 25.4, "centimetres": 10.0, "paces": 0.254, "base_widths": 40.0}
    bars = build_bars(board, furnishing(layout(), scale), scale, 102 * scale**0.55)
    assert [bar.unit for bar in bars] == list(units)
    for bar in bars:
        assert bar.step == pytest.approx(bar.worth * units[bar.unit] * scale)
        assert bar.steps >= 1
        assert bar.step * bar.steps <= 102 * scale**0.55 + 1e-6


@pytest.mark.parametrize("paces", [1, 3, 10, 100, 1000])
def test_a_scale_bar_of_few_paces_to_the_inch_is_no_longer_than_others(paces: int) -> None:
    board = country().board
    board = replace(board, scale=replace(board.scale, pace=25.4 / paces))
    (bar,) = (bar for bar in build_bars(board, furnishing(layout(), 1.0), 1.0, 102.0) if bar.unit == "paces")
    assert bar.step == pytest.approx(bar.worth * 25.4 / paces)
    assert 15.0 < bar.step * bar.steps <= 102.0
    assert f"{bar.worth:g}".isdigit()


@pytest.mark.parametrize("share", [1.0, 0.9, 0.75, 0.6])
@pytest.mark.parametrize("language", LANGUAGES)
def test_scales_hold_their_words_and_are_shorter_where_they_have_less_room(language: str, share: float) -> None:
    assert within(build_scale_bars(country(), furnishing(layout(language=language), 0.2), scale=0.2))
    drafter = furnishing(layout(language=language), 0.1)
    room = share * build_scale_bars(country(), drafter, scale=0.1).width
    block = build_scale_bars(country(), drafter, scale=0.1, max_width=room)
    assert block.width <= room + 1e-6
    assert within(block)


def test_nothing_in_a_column_is_wider_than_it() -> None:
    how = layout(scale=0.1)
    drafter = furnishing(how, 0.1)
    wide = build_scale_bars(how.field, drafter, scale=0.1).width
    for broad in (1.2 * wide, 0.9 * wide):
        parts = build_column(how, drafter, broad, height=200.0).parts
        assert all(part.x >= -1e-6 and part.x + part.drawing.width <= broad + 1e-6 for part in parts)


def test_the_legend_tells_only_what_is_on_the_map_in_swatches_cut_to_their_border() -> None:
    assert "steep_slope" in {entry.key for entry in legend_entries(country())}
    assert "ford" not in {entry.key for entry in legend_entries(country())}
    woods = replace(country(), features=country().features[1:2])
    assert [entry.key for entry in legend_entries(woods)] == ["light_woods"]
    assert legend_entries(Battlefield(board=country().board)) == ()
    block = build_legend(country(), furnishing(layout(), 0.3), 190)
    clips = [layer.clip for layer in block.layers if layer.clip is not None]
    assert len(clips) == len(legend_entries(country()))
    assert not any(one.meets(other) for place, one in enumerate(clips) for other in clips[:place])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wide", [60.0, 190.0, 268.0])
def test_the_legend_keeps_its_text_inside_its_width(language: str, wide: float) -> None:
    for scale in (1.0, 0.3) if wide > 100 else (0.3,):
        block = build_legend(country(), furnishing(layout(language=language), scale), wide)
        assert within(block)


def test_a_going_without_a_word_goes_by_its_own_name() -> None:
    assert going_word("bad", find_words("es")) == "terreno muy difícil"
    assert going_word("knee-deep", find_words("es")) == "knee-deep"
    assert going_word("", find_words("en")) == ""


def test_a_board_in_centimetres_says_so() -> None:
    metric = replace(layout(), field=Battlefield(board=Board(600, 1200, GroundScale(pace=0.25, base_width=40.0))))
    said = [item.content for item in unclipped(assembly_blocks(metric, 190, 270)[0]) if isinstance(item, Text)]
    assert "CM" in " ".join(said)
    assert "60" in said
    assert "120" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_mat_leaves_over_goes_on_sheets_of_its_own(language: str) -> None:
    sheets = stack_blocks(190, 150, assembly_blocks(layout(language=language), 190, 150))
    assert len(sheets) > 1
    for sheet in sheets:
        assert (sheet.width, sheet.height) == (190, 150)
        assert within(sheet)


def test_blocks_are_stacked_from_the_top_and_go_on_overleaf() -> None:
    blocks = [Drawing(50, 40, (Layer(LayerName.MARGIN, (square(),)),)) for _ in range(3)]
    first, second = stack_blocks(100, 95, blocks, gap=5)
    places = [reach(item) for _, item in first.items()]
    assert [(box.x, box.y) for box in places] == [(25, 55), (25, 10)]
    assert [(reach(item).x, reach(item).y) for _, item in second.items()] == [(25, 55)]


def test_joining_keeps_painting_order_and_what_is_moved_takes_clips_and_letters_along() -> None:
    low = Drawing(10, 10, (Layer(LayerName.PAPER, (square(),), Rect(0, 0, 5, 5)),))
    high = Drawing(10, 10, (Layer(LayerName.FRAME, (square(),)),))
    both = joined(20, 20, [PlacedDrawing(high, 0, 0), PlacedDrawing(low, 3.004, 4)])
    assert [layer.name for layer in both.layers] == [LayerName.PAPER, LayerName.FRAME]
    assert both.layers[0].clip == pytest.approx((3, 4, 5, 5))
    text = Text(
        content="a", at=(1, 2), size_pt=9, ink=layout().style.solid("ink"), font=Font.ROMAN, glyphs=((1, 2, 5),)
    )
    layer = translated((Layer(LayerName.LABEL, (square(), text)),), 10, 20)[0]
    path, lettered = layer.items
    assert isinstance(path, Path)
    assert isinstance(lettered, Text)
    assert path.runs[0].points[:2] == (1000, 2000)
    assert (lettered.at, lettered.glyphs) == ((11, 22), ((11, 22, 5),))


def test_the_mat_of_a_small_board_and_the_cartouche_in_text(golden: Callable[[Drawing, str], None]) -> None:
    field = Battlefield(board=Board(101.6, 101.6, GroundScale(pace=0.254, base_width=40.0)))
    items = tuple(draw_mat_frame(field, furnishing(layout(field, manner="ink-saver"), 1.0)))
    golden(Drawing(101.6, 101.6, (Layer(LayerName.FRAME, items),)), "mat-4in")
    golden(assembly_blocks(layout(manner="ink-saver"), 190, 270)[0], "cartouche")


def test_what_a_larger_strip_shows_hangs_on_no_smaller_one_that_was_drawn_before() -> None:
    (entry, *_) = legend_entries(country())
    small = Drafter.furniture(layout().style, find_words("en"))
    large = replace(small, growth=1.6)
    usual, grown = swatch_drawing(entry, small), swatch_drawing(entry, large)
    assert (grown.width, grown.height) == pytest.approx((1.6 * usual.width, 1.6 * usual.height))


def square() -> Path:
    return Path((PathRun((0, 0, 4000, 0, 4000, 3000, 0, 3000)),), fill=layout().style.solid("ink"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_lettering_of_the_frame_stays_inside_the_border(language: str) -> None:
    sheet = full(language)
    frame = [
        item for item in unclipped(sheet.drawing) if isinstance(item, Path) and item.stroke and len(item.runs) == 1
    ]
    borders = [box for box in map(reach, frame) if box.width > sheet.board_rect.width + 30]
    inner = min(borders, key=lambda box: box.width)
    for item in unclipped(sheet.drawing):
        if isinstance(item, Text):
            assert inner.x < reach(item).x
            assert reach(item).right < inner.right


@pytest.mark.parametrize("scale", [1.0, 0.3])
def test_a_board_whose_base_width_is_an_inch_speaks_of_inches_alone(scale: float) -> None:
    usual = layout(scale=scale)
    board = usual.field.board
    inch = replace(board, scale=replace(board.scale, base_width=25.4))
    for how, bases in ((usual, True), (replace(usual, field=replace(usual.field, board=inch)), False)):
        said = [item.content for item in unclipped(made(Furniture.FULL, how).drawing) if isinstance(item, Text)]
        assert any("base widths" in text for text in said) is bases
        assert said.count("BW") == (1 if bases else 0)
        assert said.count("in") == (1 if bases else 2)


LYING, STANDING = (269.0, 180.0), (182.0, 267.0)
"""What an A4 page leaves for a map, in mm."""


@pytest.fixture
def _no_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave swatches empty: it is asked where things stand."""
    monkeypatch.setattr(
        "printkit.drawing.furniture.legend.swatch_drawing",
        lambda _, each: Drawing(each.size(28), each.size(17), ()),
    )


@cache
def wide() -> MapLayout:
    """Return a table of six by four feet with as many features as half of one has."""
    field = replace(country(), board=Board(1828.8, 1219.2, GroundScale(pace=0.254, base_width=40.0)), overlays=())
    made: MapLayout = replace(layout(field), accounts={feature.id: "Wide enough." for feature in field.features})
    return made


def filled(how: MapLayout, room: tuple[float, float]) -> tuple[MapLayout, FramedBoard]:
    fitted = fit_layout(how, *room)
    board = how.field.board
    empty = Drawing(board.width * fitted.scale, board.depth * fitted.scale, ())
    return fitted, frame_board(empty, fitted, Furniture.FULL)


@pytest.mark.usefixtures("_no_signs")
@pytest.mark.parametrize("room", [LYING, STANDING])
@pytest.mark.parametrize("how", [layout(), layout(language="en+es"), wide()], ids=["square", "two languages", "wide"])
def test_a_page_is_filled_and_nothing_lies_on_the_board(how: MapLayout, room: tuple[float, float]) -> None:
    _, made = filled(how, room)
    assert (made.drawing.width, made.drawing.height) == pytest.approx(room)
    board = made.board_rect
    ground: BaseGeometry = box(board.x, board.y, board.right, board.top)
    assert box(0, 0, *room).covers(ground)
    for layer, item in made.drawing.items():
        if isinstance(item, Text):
            x, y = item.at
            assert 0 <= x <= room[0], item.content
            assert 0 <= y <= room[1], item.content
            if layer.name is LayerName.MARGIN:
                assert not ground.covers(box(x, y, x + 1, y + 1)), item.content


@pytest.mark.usefixtures("_no_signs")
def test_the_key_of_a_wide_board_stands_below_it_and_the_rest_beside_so_that_it_is_larger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, made = filled(wide(), LYING)
    texts = {item.content: item.at for _, item in made.drawing.items() if isinstance(item, Text)}
    board = made.board_rect
    (x, y), (_, plate) = texts["MAP KEY"], texts["The Field of Thornby"]
    assert board.x < x < board.right
    assert y < board.y
    assert plate > board.y
    assert texts["The Field of Thornby"][0] > board.right
    scale = fit_layout(wide(), *LYING).scale
    monkeypatch.setattr("printkit.drawing.furniture.furniture._with_strip_about", lambda *_: None)
    assert scale > 1.02 * fit_layout(wide(), *LYING).scale


@pytest.mark.usefixtures("_no_signs")
def test_what_is_said_grows_where_it_has_the_room() -> None:
    few = replace(layout(), field=replace(country(), features=country().features[:1]), accounts={})
    sizes = [
        item.size_pt
        for how in (few, layout())
        for _, item in filled(how, LYING)[1].drawing.items()
        if isinstance(item, Text) and item.content == "MAP KEY"
    ]
    assert sizes[0] > 1.1 * sizes[1]
