"""Leaflets on paper: small sheets stay, large ones give way; texts and documents that are too long."""

from __future__ import annotations

import time
from string import ascii_letters

import pytest
from seen import assert_legible, own

from printkit.core.errors import PageError
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing, Rect, Text
from printkit.drawing.lettering.lettering import SMALL, measure, shorten
from printkit.page.leaflets import booklet_page_size, leaflet_area, leaflet_sheets, make_booklet, reading_sheet
from printkit.page.sheet import MOST_PAGES, Document, Sheet
from printkit.page.sheet import find_sheet as sheet


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        *((name, name) for name in ("a4", "letter", "legal")),
        *((large, "a4") for large in ("a0", "one")),
        *((large, "letter") for large in ("tabloid", "24in-roll")),
        # One that lies is put upright.
        ("297x210mm", "297x210mm"),
    ],
)
def test_a_leaflet_is_printed_on_a_sheet_that_the_hand_holds(asked: str, given: str) -> None:
    paper = reading_sheet(sheet(asked))
    assert paper.name == given
    assert paper.width < paper.height


@pytest.mark.parametrize("measured", [True, False])
def test_pages_keep_inside_the_margins_and_say_how_to_print(measured: bool) -> None:
    words, paper = find_words("en"), sheet("a4", margin=8)
    free = leaflet_area(paper, measured=measured)
    drawing = Drawing(free.width, free.height, ())
    pages = leaflet_sheets([drawing, drawing], paper, words=words, bookmark="Aid", label="aid", measured=measured)
    assert [(page.label, page.bookmark) for page in pages] == [("aid 1", "Aid"), ("aid 2", "")]
    for page in pages:
        place = page.placements[0].transform
        assert place.e >= 8
        assert place.e + free.width <= 210 - 8 + 1e-9
        assert place.f + free.height <= 297 - 8
        said = [item.content for _, item in page.placements[1].drawing.items() if isinstance(item, Text)]
        assert any("100" in text for text in said)
        assert ("10 cm" in " ".join(said)) == measured


@pytest.mark.parametrize("measured", [True, False])
def test_the_words_at_the_foot_stand_below_the_leaflet_and_beside_the_bars(measured: bool) -> None:
    for asked in ("a4", "letter", "148x210mm"):
        paper = sheet(asked)
        free, inside = leaflet_area(paper, measured=measured), paper.printable
        drawing = Drawing(free.width, free.height, ())
        (page,) = leaflet_sheets([drawing], paper, words=find_words("en+es"), measured=measured)
        assert_legible(own(page), Rect(inside.x, inside.y, inside.width, free.y - inside.y))


@pytest.mark.parametrize(("margin", "size"), [(5.0, (132.5, 194.0)), (10.0, (128.5, 190.0))])
def test_a_page_of_a_booklet_has_half_a_sheet_inside_its_white_edge(margin: float, size: tuple[float, float]) -> None:
    assert booklet_page_size(sheet("a4", margin=margin)) == pytest.approx(size)


def test_pages_of_a_booklet_follow_one_another_once_it_is_folded() -> None:
    """Of two sheets in one another the outer has 8, 1 and 2, 7, the inner 6, 3 and 4, 5; six pages leave two white."""
    paper = sheet("a4", margin=5.0)
    width, height = booklet_page_size(paper)
    drawings = [Drawing(width, height + number / 1000, ()) for number in range(1, 7)]
    made = make_booklet(drawings, paper, words=find_words("en"))
    assert made.sheets == 2
    found = []
    for page in made.pages:
        assert (page.sheet.width, page.sheet.height) == (297.0, 210.0)
        sides: dict[float, int] = {}
        for put in page.placements:
            sides[put.transform.e] = drawings.index(put.drawing) + 1
            assert put.transform.f == 8.0
        found.append((sides.get(8.0), sides.get(156.5)))
        assert sides.keys() <= {8.0, 156.5}
    assert found == [(None, 1), (2, None), (6, 3), (4, 5)]
    assert [page.back for page in made.pages] == [False, True, False, True]
    assert [page.label for page in made.pages] == ["1", "1 back", "2", "2 back"]


@pytest.mark.parametrize("room", [0.0, 1.0, 9.7, 40.0, 200.0])
@pytest.mark.parametrize(
    "text", ["", "Field", "The Field of Mutila, seed 7", "wide  and   narrow " * 9, ascii_letters * 6]
)
def test_a_text_loses_no_more_than_it_must(text: str, room: float) -> None:
    if measure(text, SMALL) <= room:
        assert shorten(text, SMALL, room) == text
        return
    fitting = (f"{text[:end].rstrip()}…" for end in range(len(text) - 1, 0, -1))
    assert shorten(text, SMALL, room) == next((each for each in fitting if measure(each, SMALL) <= room), "")


def test_a_text_as_long_as_a_book_costs_no_time() -> None:
    begun = time.process_time()
    for each in ("a" * 20_000, "word " * 4_000, " " * 20_000 + "x"):
        assert measure(shorten(each, SMALL, 120.0), SMALL) <= 120.0
    assert time.process_time() - begun < 1.0


def test_a_document_has_at_most_so_many_pages() -> None:
    page = Sheet(name="a4", width=210.0, height=297.0, margin=5.0).page(label="1")
    assert len(Document(title="x", pages=(page,) * MOST_PAGES).pages) == MOST_PAGES
    with pytest.raises(PageError, match=r"this needs 2,001 pages, and a document has at most 2,000"):
        Document(title="x", pages=(page,) * (MOST_PAGES + 1))
