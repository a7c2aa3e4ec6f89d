"""The assembly plan, and overviews on one sheet."""

from __future__ import annotations

import pytest

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, Path, Rect, Text
from printkit.page.assembly import assembly, room, zone_assembly
from printkit.page.marks import Imprint
from printkit.page.overview import fit, overview, ratio
from printkit.page.ruling import filled
from printkit.page.sheet import find
from printkit.page.slots import shelved
from printkit.page.tiling import Zone, tile

ENGLISH = Words(("en",))
IMPRINT = Imprint(title="Seven Oaks", seed="1998")
MAP = Drawing(609.6, 609.6, (Layer(LayerName.PAPER, (filled([Rect(0, 0, 609.6, 609.6)], Ink(9, 9, 9)),)),))


def block(width: float, height: float) -> Drawing:
    return Drawing(width, height, ())


def said(page) -> str:
    texts = [item for placement in page.placements for _, item in placement.drawing.items() if isinstance(item, Text)]
    return " ".join(text.content for text in texts)


@pytest.mark.parametrize("language", [("en",), ("es",), ("en", "es")])
@pytest.mark.parametrize("sheet", ["a4", "letter", "a3"])
def test_plan_and_furniture_share_one_page(sheet, language):
    words = Words(language)
    laid = tile(MAP, find(sheet), imprint=IMPRINT, words=words)
    (page,) = assembly(laid, MAP, (block(110, 60), block(50, 60)), find(sheet), imprint=IMPRINT, words=words)
    assert page.sheet.height > page.sheet.width
    text = said(page)
    assert all(tile.label in text for tile in laid.pages)
    assert "Seven Oaks" in text
    assert "1998" in text


def test_blocks_keep_their_size_and_go_on_to_a_second_page():
    laid = tile(MAP, find("a4"), imprint=IMPRINT, words=ENGLISH)
    blocks = tuple(block(170, 60 + number) for number in range(6))
    pages = assembly(laid, MAP, blocks, find("a4"), imprint=IMPRINT, words=ENGLISH)
    placed = [placement for page in pages for placement in page.placements if placement.drawing in blocks]
    assert sorted(placement.drawing.height for placement in placed) == [60, 61, 62, 63, 64, 65]
    assert all((placement.transform.a, placement.transform.d) == (1.0, 1.0) for placement in placed)
    assert [page.label for page in pages] == ["plan", "plan 2", "plan 3"][: len(pages)]
    assert [bool(page.bookmark) for page in pages] == [True] + [False] * (len(pages) - 1)


def test_the_map_shrinks_to_spare_a_page():
    laid = tile(MAP, find("a4"), imprint=IMPRINT, words=ENGLISH)
    sizes = []
    for height in (60, 140):
        (page,) = assembly(laid, MAP, (block(170, height),), find("a4"), imprint=IMPRINT, words=ENGLISH)
        sizes.append(page.placements[0].transform.a)
    assert sizes[0] > sizes[1]


def test_left_out_sheets_are_named():
    part = Drawing(609.6, 609.6, (Layer(LayerName.PAPER, (filled([Rect(0, 0, 609.6, 190)], Ink(9, 9, 9)),)),))
    laid = tile(part, find("a4"), imprint=IMPRINT, words=ENGLISH)
    (page,) = assembly(laid, part, (), find("a4"), imprint=IMPRINT, words=ENGLISH)
    assert "nothing is on them" in said(page)
    assert "A1,A2,A3,A4,B1,B2,B3,B4" in said(page).replace(" ", "")


def test_blocks_stand_clear_of_one_another_and_of_the_edge():
    free = room(find("a4"))
    blocks = [block(80, 40), block(70, 30), block(150, 20), block(60, 90), block(60, 10), block(100, 120)]
    spots = shelved(blocks, Rect(free.x, free.y, free.width, 70), free)
    assert [spot.drawing for spot in spots] == blocks
    rects = [(spot.page, Rect(spot.x, spot.y, spot.drawing.width, spot.drawing.height)) for spot in spots]
    for place, (page, one) in enumerate(rects):
        assert free.x <= one.x
        assert one.right <= free.right + 1e-9
        assert free.y <= one.y
        assert one.top <= free.top + 1e-9
        assert not any(page == other_page and one.grown(2).meets(other) for other_page, other in rects[place + 1 :])


def test_a_block_that_is_wider_than_the_paper_is_refused():
    laid = tile(MAP, find("a4"), imprint=IMPRINT, words=ENGLISH)
    with pytest.raises(PageError, match="larger paper"):
        assembly(laid, MAP, (block(300, 60),), find("a4"), imprint=IMPRINT, words=ENGLISH)


def test_an_overview_says_its_true_scale():
    page = overview(MAP, find("a4"), IMPRINT, ENGLISH)
    scale = page.placements[0].transform.a
    assert 609.6 * scale == pytest.approx(190.0)
    assert f"Printed at {ratio(scale)}" in said(page)
    assert ratio(scale) == "1:3.21"
    reduced = overview(block(100, 100), find("a4"), IMPRINT, ENGLISH, scale=0.25)
    assert reduced.placements[0].transform.a == 1.0
    assert "Printed at 1:4." in said(reduced)


def test_an_overview_turns_the_paper_for_a_wide_map():
    lying, scale = fit(1828.8, 1219.2, find("a4"))
    assert lying.width > lying.height
    assert scale == pytest.approx(min(277 / 1828.8, 180 / 1219.2))


def test_nothing_is_fitted_to_a_roll():
    with pytest.raises(PageError, match="name another"):
        fit(100, 100, find("24in-roll"))


def test_inks_of_plans_are_colours():
    half = Zone("1", Rect(0, 0, 304.8, 609.6)), Zone("2", Rect(304.8, 0, 304.8, 609.6))
    laid = tile(MAP, find("a4"), imprint=IMPRINT, words=ENGLISH)
    zoned = tuple(tile(MAP, find("a4"), imprint=IMPRINT, words=ENGLISH, zone=zone) for zone in half)
    pages = (
        *assembly(laid, MAP, (), find("a4"), imprint=IMPRINT, words=ENGLISH),
        *zone_assembly(zoned, half, MAP, (), find("a4"), imprint=IMPRINT, words=ENGLISH),
    )
    paths = [
        item for page in pages for put in page.placements for _, item in put.drawing.items() if isinstance(item, Path)
    ]
    inks = {ink for path in paths for ink in (path.fill, path.stroke and path.stroke.ink) if ink is not None}
    assert Ink(255, 255, 255, 0.8) in inks
    assert all(0 <= part <= 255 for ink in inks for part in ink[:3])
