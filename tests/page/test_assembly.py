"""The assembly plan, and overviews on one sheet."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from seen import Line, assert_legible, box_around, own, runs, straight, type_boxes

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Ink, Item, Layer, LayerName, Path, Rect, Text
from printkit.drawing.canvas.plain import BLACK, make_rectangle
from printkit.page.assembly import VEIL, assembly_plan_pages, draw_small_sheets, joining_steps, plan_area, zone_assembly
from printkit.page.leaflets import fit, overview, ratio, reading_sheet, with_bars
from printkit.page.leaflets import overview_area as overview_room
from printkit.page.marks import Imprint
from printkit.page.sheet import Page, find_sheet, page_of
from printkit.page.slots import place_on_shelves
from printkit.page.tiling import Tiling, Zone, tile_drawing

ENGLISH = Words(("en",))
IMPRINT = Imprint(title="Seven Oaks", seed="1998")
MAP = Drawing(609.6, 609.6, (Layer(LayerName.PAPER, (make_rectangle((0, 0, 609.6, 609.6), Ink(9, 9, 9)),)),))


LAID = tile_drawing(MAP, find_sheet("a4"), imprint=IMPRINT, words=ENGLISH)

WHO = "Player A: blue, dashed lines, far edge · Player B: red, solid lines, near edge"


def block(width: float, height: float) -> Drawing:
    return Drawing(width, height, ())


def plan(
    *blocks: Drawing, laid: Tiling = LAID, drawing: Drawing = MAP, imprint: Imprint = IMPRINT, words: Words = ENGLISH
) -> tuple[Page, ...]:
    """Return the pages of a plan on A4, of the map or of another drawing."""
    return assembly_plan_pages(laid, drawing, blocks, find_sheet("a4"), imprint=imprint, words=words)


def said(page) -> str:
    texts = [item for placement in page.placements for _, item in placement.drawing.items() if isinstance(item, Text)]
    return " ".join(text.content for text in texts)


@pytest.mark.parametrize("language", [("en",), ("es",), ("en", "es")])
@pytest.mark.parametrize("sheet", ["a4", "letter", "a3"])
def test_plan_and_furniture_share_one_page(sheet, language):
    words = Words(language)
    laid = tile_drawing(MAP, find_sheet(sheet), imprint=IMPRINT, words=words)
    (page,) = assembly_plan_pages(
        laid, MAP, (block(110, 60), block(50, 60)), find_sheet(sheet), imprint=IMPRINT, words=words
    )
    assert page.sheet.height > page.sheet.width
    text = said(page)
    assert all(tile.label in text for tile in laid.pages)
    assert "Seven Oaks" in text
    assert "1998" in text


def test_blocks_keep_their_size_and_go_on_to_a_second_page():
    blocks = tuple(block(170, 60 + number) for number in range(6))
    pages = plan(*blocks)
    placed = [placement for page in pages for placement in page.placements if placement.drawing in blocks]
    assert sorted(placement.drawing.height for placement in placed) == [60, 61, 62, 63, 64, 65]
    assert all((placement.transform.a, placement.transform.d) == (1.0, 1.0) for placement in placed)
    assert [page.label for page in pages] == ["plan", "plan 2", "plan 3"][: len(pages)]
    assert [bool(page.bookmark) for page in pages] == [True] + [False] * (len(pages) - 1)


def test_every_page_of_a_plan_says_who_is_who_where_its_key_may_stand_on_another():
    imprint = Imprint(title="Seven Oaks", seed="1998", who=(f"{WHO} · {WHO}", WHO))
    pages = plan(*(block(150, 110) for _ in range(3)), imprint=imprint)
    assert len(pages) > 1
    for page in pages:
        assert f"printer profile: none – {WHO}" in said(page)
        assert said(page).count(WHO) == 1


def test_who_is_who_stands_below_a_heading_that_leaves_it_no_room():
    imprint = Imprint(title="The Field under a Hill with a Name that is Long", seed="199812", who=(WHO,))
    (page,) = plan(imprint=imprint)
    rows = {item.content: item.at for _, item in page.placements[-1].drawing.items() if isinstance(item, Text)}
    (above,) = (at for content, at in rows.items() if content.endswith("printer profile: none"))
    assert rows[WHO][0] == above[0]
    assert 2.0 < above[1] - rows[WHO][1] < 3.5


def test_the_map_shrinks_to_spare_a_page():
    first, second = (plan(block(170, height)) for height in (60, 140))
    assert len(first) == len(second) == 1
    assert first[0].placements[0].transform.a > second[0].placements[0].transform.a


def ground(box: Rect) -> Drawing:
    """Return a drawing as large as the map that is one patch."""
    return Drawing(609.6, 609.6, (Layer(LayerName.PAPER, (make_rectangle(box, BLACK),)),))


def test_left_out_sheets_are_named_and_the_row_begins_with_the_lower_left_one_that_is_printed():
    low, right = ground(Rect(0, 0, 609.6, 190)), ground(Rect(200, 0, 409.6, 609.6))
    (page,) = plan(laid=tile_drawing(low, find_sheet("a4"), imprint=IMPRINT, words=ENGLISH), drawing=low)
    assert "they are empty" in said(page)
    assert "A1,A2,A3,A4,B1,B2,B3,B4" in said(page).replace(" ", "")
    assert any("Start with C1," in step for step in joining_steps(LAID, ENGLISH))
    laid = tile_drawing(right, find_sheet("a4"), imprint=IMPRINT, words=ENGLISH)
    assert laid.dropped == ("A1", "B1", "C1")
    assert any("Start with C2," in step for step in joining_steps(laid, ENGLISH))


def test_blocks_stand_clear_of_one_another_and_of_the_edge():
    free = plan_area(find_sheet("a4"))
    blocks = [block(80, 40), block(70, 30), block(150, 20), block(60, 90), block(60, 10), block(100, 120)]
    spots = place_on_shelves(blocks, Rect(free.x, free.y, free.width, 70), free)
    assert [spot.drawing for spot in spots] == blocks
    rects = [(spot.page, Rect(spot.x, spot.y, spot.drawing.width, spot.drawing.height)) for spot in spots]
    for place, (page, one) in enumerate(rects):
        assert free.x <= one.x
        assert one.right <= free.right + 1e-9
        assert free.y <= one.y
        assert one.top <= free.top + 1e-9
        assert not any(page == other_page and one.padded(2).meets(other) for other_page, other in rects[place + 1 :])


def test_a_block_that_is_wider_than_the_paper_and_what_is_fitted_to_a_roll_are_refused():
    with pytest.raises(PageError, match="larger paper"):
        plan(block(300, 60))
    with pytest.raises(PageError, match="Choose another paper"):
        fit(100, 100, find_sheet("24in-roll"))


def test_an_overview_says_its_true_scale_and_turns_the_paper_for_a_wide_map():
    page = overview(MAP, find_sheet("a4"), IMPRINT, ENGLISH)
    scale = page.placements[0].transform.a
    assert 609.6 * scale == pytest.approx(182.0)
    assert f"Printed at {ratio(scale)}" in said(page)
    assert ratio(scale) == "1:3.35"
    reduced = overview(block(100, 100), find_sheet("a4"), IMPRINT, ENGLISH, scale=0.25)
    assert reduced.placements[0].transform.a == 1.0
    assert "Printed at 1:4." in said(reduced)
    lying, scale = fit(1828.8, 1219.2, find_sheet("a4"))
    assert lying.width > lying.height
    assert scale == pytest.approx(min(269 / 1828.8, 180 / 1219.2))


def test_inks_of_plans_are_colours():
    half = Zone("1", Rect(0, 0, 304.8, 609.6)), Zone("2", Rect(304.8, 0, 304.8, 609.6))
    zoned = tuple(tile_drawing(MAP, find_sheet("a4"), imprint=IMPRINT, words=ENGLISH, zone=zone) for zone in half)
    pages = (*plan(), *zone_assembly(zoned, half, MAP, (), find_sheet("a4"), imprint=IMPRINT, words=ENGLISH))
    items = [item for page in pages for put in page.placements for _, item in put.drawing.items()]
    paths = [item for item in items if isinstance(item, Path)]
    inks = {ink for path in paths for ink in (path.fill, path.stroke and path.stroke.ink) if ink is not None}
    assert Ink(255, 255, 255, 0.8) in inks
    assert all(0 <= part <= 255 for ink in inks for part in ink[:3])


def sides(items: list[Item], width: float = 0.25) -> set[Line]:
    """Return the black edges over a small map, to a tenth of a millimetre."""
    black = [item for item in items if isinstance(item, Path) and item.stroke and item.stroke.width == width]
    return {tuple(round(value, 1) for value in line) for line in straight(black)}


def test_edges_between_sheets_stand_where_one_ends_and_the_next_begins():
    """Each sheet covers 10 mm at the right and the top of its neighbours; the outer edges are those of the map."""
    lattice = LAID.lattice
    assert (lattice.columns, lattice.rows) == (4, 3)
    across, up = lattice.window.width - 10, lattice.window.height - 10
    half = Rect(20.0, 30.0, 304.8, 304.8)
    edges = sides(draw_small_sheets(LAID, half))
    upright = sorted({x for x, _, end, _ in edges if x == end})
    level = sorted({y for _, y, _, end in edges if y == end})
    assert upright == pytest.approx([20 + across * column / 2 for column in (1, 2, 3)], abs=0.06)
    assert level == pytest.approx([30 + up * row / 2 for row in (1, 2)], abs=0.06)
    for at, low, high, first, last in ((0, 1, 3, 30.0, 334.8), (1, 0, 2, 20.0, 324.8)):
        for place in upright if at == 0 else level:
            parts = sorted((line[low], line[high]) for line in edges if line[at] == line[at + 2] == place)
            assert (parts[0][0], parts[-1][1]) == pytest.approx((first, last), abs=0.06)
            assert all(one[1] == pytest.approx(two[0], abs=0.11) for one, two in pairwise(parts))


def test_the_name_of_each_sheet_stands_in_its_middle_and_one_alone_has_no_edges():
    window = LAID.lattice.window
    across, up = window.width - 10, window.height - 10
    rights, tops = [across, 2 * across, 3 * across, 609.6], [609.6, 2 * up, up]
    lefts, lows = [0.0, *rights[:-1]], [2 * up, up, 0.0]
    names = dict(type_boxes(draw_small_sheets(LAID, Rect(20.0, 30.0, 304.8, 304.8))))
    assert len(names) == 12
    # A map of one sheet has no edges.
    alone = tile_drawing(block(150, 200), find_sheet("a4"), imprint=IMPRINT, words=ENGLISH)
    assert sides(draw_small_sheets(alone, Rect(0, 0, 75, 100))) == set()
    for name, box in names.items():
        row, column = "ABC".index(name[0]), int(name[1]) - 1
        assert box.x + box.width / 2 == pytest.approx(20 + (lefts[column] + rights[column]) / 4, abs=0.1)
        assert box.y + box.height / 2 == pytest.approx(30 + (lows[row] + tops[row]) / 4, abs=0.3)


ZONES = tuple(
    Zone(name, Rect(x, y, 304.8, 304.8))
    for name, x, y in (("1", 0, 304.8), ("2", 304.8, 304.8), ("3", 0, 0), ("4", 304.8, 0))
)


def zoned_plan(names: str = "1234") -> Page:
    zoned = [
        tile_drawing(MAP, find_sheet("a4"), imprint=IMPRINT, words=ENGLISH, zone=zone)
        for zone in ZONES
        if zone.name in names
    ]
    return zone_assembly(zoned, ZONES, MAP, (), find_sheet("a4"), imprint=IMPRINT, words=ENGLISH)[0]


def test_zones_are_told_apart_on_the_small_map_and_numbered_in_their_upper_left_corner():
    page = zoned_plan()
    place = page.placements[0].clip
    assert place is not None
    middle = round(place.x + place.width / 2, 1), round(place.y + place.height / 2, 1)
    edges = sides(own(page), 0.7)
    assert {line[0] for line in edges if line[0] == line[2]} == {round(place.x, 1), middle[0]}
    assert {line[1] for line in edges if line[1] == line[3]} == {round(place.y, 1), middle[1]}
    discs = [points for path, points in runs(own(page)) if path.fill == BLACK and len(points) == 32]
    for zone, disc in zip(ZONES, discs, strict=True):
        left, top = place.x + zone.window.x * place.width / 609.6, place.y + zone.window.top * place.height / 609.6
        assert left < min(x for x, _ in disc) < left + 1
        assert top - 1 < max(y for _, y in disc) < top
        box = box_around(disc)
        (number,) = (at for content, at in type_boxes(own(page)) if content == zone.name and at.meets(box))
        assert number.x + number.width / 2 == pytest.approx(box.x + box.width / 2, abs=0.1)
        assert number.y + number.height / 2 == pytest.approx(box.y + box.height / 2, abs=0.3)


def test_the_sheets_of_each_zone_are_shown_where_the_zone_lies_and_joined_where_there_are_two():
    assert "edge to edge" in said(zoned_plan("12"))
    page = zoned_plan("4")
    assert "edge to edge" not in said(page)
    place = page.placements[0].clip
    assert place is not None
    edges = sides(own(page))
    assert edges
    for x, y, right, top in edges:
        assert place.x + place.width / 2 - 0.1 <= x <= right <= place.right + 0.1
        assert place.y - 0.1 <= y <= top <= place.y + place.height / 2 + 0.1
    veils = [points for path, points in runs(own(page)) if path.fill == VEIL]
    half = place.width / 2
    assert {
        (round((box_around(veil).x - place.x) / half), round((box_around(veil).y - place.y) / half)) for veil in veils
    } == {(0, 0), (0, 1), (1, 1)}


def test_names_that_would_run_into_one_another_are_left_out():
    """Sheets of a zone may be very small on the plan, and the least type would not fit them."""
    laid = tile_drawing(MAP, find_sheet("a4"), imprint=IMPRINT, words=ENGLISH, zone=ZONES[0])
    shown = []
    for side in (10, 15, 20, 25, 30, 40, 60, 120):
        items = draw_small_sheets(laid, Rect(0, 0, side, side))
        assert_legible(items, Rect(0, side / 2 - 1, side / 2 + 1, side / 2 + 2))
        shown.append(len(type_boxes(items)))
    assert shown == sorted(shown)
    assert (shown[0], shown[-1]) == (0, len(laid.pages))


@pytest.mark.parametrize("language", [("en",), ("es",), ("en", "es")])
@pytest.mark.parametrize("sheet", ["a4", "letter", "24in-roll"])
def test_all_type_of_a_plan_is_legible_and_inside_the_margins(sheet, language):
    words = Words(language)
    laid = tile_drawing(MAP, find_sheet(sheet), imprint=IMPRINT, words=words)
    for page in assembly_plan_pages(
        laid, MAP, (block(110, 60),), reading_sheet(find_sheet(sheet)), imprint=IMPRINT, words=words
    ):
        assert_legible(own(page), page.sheet.printable)
        for path, points in runs(own(page)):
            box = box_around(points)
            assert page.sheet.printable.padded(0.1).meets(box), path
            assert box.x >= page.sheet.printable.x - 0.1
            assert box.right <= page.sheet.printable.right + 0.1


def test_steps_stand_apart_and_languages_farther():
    words = Words(("en", "es"))
    laid = tile_drawing(MAP, find_sheet("a4"), imprint=IMPRINT, words=words)
    (page,) = assembly_plan_pages(laid, MAP, (), find_sheet("a4"), imprint=IMPRINT, words=words)
    place = page.placements[0].clip
    assert place is not None
    beside = [box for _, box in type_boxes(own(page)) if place.right < box.x < plan_area(page.sheet).right]
    # The line at the foot of the sheet is no step.
    feet = sorted({round(box.y, 1) for box in beside if 100 < box.y < place.top})
    apart = Counter(round(upper - lower) for lower, upper in pairwise(feet))
    row, step, language = sorted(apart)
    assert row < step < language
    assert (apart[step], apart[language]) == (2 * (len(joining_steps(laid, ENGLISH)) - 1), 1)


def test_the_check_bars_of_a_plan_stand_beside_it_and_below_it():
    (page,) = plan()
    free = plan_area(find_sheet("a4"))
    bars = [box_around(points) for path, points in runs(own(page)) if path.stroke and len(points) == 4]
    lying = [bar for bar in bars if bar.width in (pytest.approx(100.0), pytest.approx(101.6)) and bar.height < 2]
    standing = [bar for bar in bars if bar.height in (pytest.approx(100.0), pytest.approx(101.6)) and bar.width < 2]
    assert len(lying) == len(standing) == 2
    assert all(bar.top < free.y and bar.x == pytest.approx(free.x) for bar in lying)
    assert all(bar.x > free.right and bar.y == pytest.approx(free.y) for bar in standing)


@pytest.mark.parametrize("sheet", ["a4", "letter"])
@pytest.mark.parametrize("board", [MAP, block(190, 900)])
def test_an_overview_keeps_its_bars_and_its_type_below_the_map_and_at_its_left(sheet, board):
    page = overview(board, find_sheet(sheet), IMPRINT, ENGLISH)
    place, free, left = page.placements[0].clip, page.sheet.printable, overview_room(page.sheet)
    assert place is not None
    foot = Rect(free.x, free.y, free.width, left.y - free.y)
    side = Rect(free.x, free.y, left.x - free.x, free.height)
    assert_legible(own(page), free)
    drawn = [box_around(points) for _, points in runs(own(page))] + [box for _, box in type_boxes(own(page))]
    assert all(free.x - 0.1 <= box.x and free.y - 0.1 <= box.y for box in drawn)
    assert all(box.top < foot.top or box.right < side.right for box in drawn)
    assert foot.top <= place.y
    assert side.right <= place.x
    assert place.top <= free.top + 1e-9
    assert place.right <= free.right + 1e-9
    # What is narrow stands in the middle of the paper, not of what the bars leave.
    assert place.x == pytest.approx(max((page.sheet.width - place.width) / 2, left.x))


def bars_of(page):
    """Return the lengths of the check bars, those that lie and those that stand."""
    bars = [box_around(points) for path, points in runs(own(page)) if path.stroke and len(points) == 4]
    lying = sorted(round(bar.width, 2) for bar in bars if bar.height < 2)
    standing = sorted(round(bar.height, 2) for bar in bars if bar.width < 2)
    return lying, standing


@pytest.mark.parametrize(
    ("sheet", "lengths"), [("a4", [100.0, 101.6]), ("letter", [100.0, 101.6]), ("11x11cm", [50.0, 50.8])]
)
def test_an_overview_is_checked_across_and_along(sheet, lengths):
    for board in (MAP, block(190, 900), block(900, 190)):
        assert bars_of(overview(board, find_sheet(sheet), IMPRINT, ENGLISH)) == (lengths, lengths)


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_a_sheet_as_large_as_its_map_has_the_bars_on_its_rim(scale):
    whole = page_of(block(700, 800))
    page = with_bars(whole, 9.15, IMPRINT, ENGLISH, scale=scale)
    assert bars_of(page) == ([100.0, 101.6], [100.0, 101.6])
    assert (page.sheet, page.placements[0]) == (whole.sheet, whole.placements[0])
    drawn = [box_around(points) for _, points in runs(own(page))] + [box for _, box in type_boxes(own(page))]
    assert all(box.top <= 9.15 or box.right <= 9.15 for box in drawn)
    assert all(min(box.x, box.y) > 1.0 for box in drawn)
    assert IMPRINT.format_line(ENGLISH) in said(page)
    assert ("Printed at 1:2. Print at 100 %" in said(page)) is (scale != 1)
