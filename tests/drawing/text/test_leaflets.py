"""Leaflets: no head is left behind, tables go on under their head, columns end level, no page is nearly empty."""

from __future__ import annotations

import pytest
from card_deck import texts

from printkit.content.prose import Bullets, Heading, Paragraph, Table
from printkit.core.errors import PageError
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import (
    GRID,
    Affine,
    Artwork,
    Drawing,
    Font,
    Ink,
    Layer,
    LayerName,
    Path,
    PathRun,
    Stamp,
    Stroke,
    Text,
)
from printkit.drawing.canvas.layers import fade_drawing
from printkit.drawing.text.leaflet import (
    FOOT,
    HEAD,
    Columns,
    Content,
    Figure,
    Leaflet,
    NewPage,
    SideFigure,
    leaflet_pages,
)

WIDE, HIGH = 170.0, 250.0
PROSE = Paragraph("The army that deployed second moves first, and its general throws for his pips. " * 4)


def made(
    *contents: Content, title: str = "Orders", origin: str = "seed 6", height: float = HIGH
) -> tuple[Drawing, ...]:
    leaflet = Leaflet(title=title, subtitle="of the day", contents=contents, origin=origin)
    return leaflet_pages(leaflet, WIDE, height, style=style.find("campaign"), words=find_words("en"))


def spoken(page: Drawing) -> str:
    return " ".join(text.content for text in sorted(texts(page), key=lambda text: (-text.at[1], text.at[0])))


def body(page: Drawing) -> list[Text]:
    """Return the type between head and foot."""
    return [text for text in texts(page) if FOOT <= text.at[1] <= HIGH - HEAD]


def picture(width: float, height: float) -> Drawing:
    corners = (0, 0, width / GRID, 0, width / GRID, height / GRID, 0, height / GRID)
    return Drawing(
        width,
        height,
        (Layer(LayerName.PAPER, (Path((PathRun(tuple(round(each) for each in corners)),), fill=Ink(200, 200, 200)),)),),
    )


def left_of(page: Drawing, figure: float) -> float:
    """Return where the grey picture of a width begins."""
    for item in (item for layer in page.layers for item in layer.items):
        if isinstance(item, Path) and item.fill == Ink(200, 200, 200):
            xs = item.runs[0].points[::2]
            if max(xs) - min(xs) == round(figure / GRID):
                return min(xs) * GRID
    raise AssertionError("no picture")


def test_the_first_page_has_the_title_and_the_others_a_running_head() -> None:
    pages = made(*[PROSE] * 40)
    assert len(pages) > 1
    title = next(text for text in texts(pages[0]) if "Orders" in text.content)
    assert title.size_pt > 20
    head = next(text for text in texts(pages[1]) if "Orders" in text.content)
    assert head.font is Font.SMALL_CAPITALS
    for number, page in enumerate(pages, 1):
        said = spoken(page)
        assert f"page {number} of {len(pages)}" in said
        assert "seed 6" in said
    assert "page" not in spoken(made(PROSE)[0])


@pytest.mark.parametrize("lines", range(18, 34, 4))
def test_no_head_stands_last_on_its_page(lines: int) -> None:
    contents: list[Content] = []
    for number in range(lines):
        contents += [PROSE] if number % 3 else [Heading(f"Section {number}"), PROSE]
    for page in made(*contents):
        lowest = min(body(page), key=lambda text: text.at[1])
        assert lowest.font is not Font.SMALL_CAPITALS


def test_a_table_goes_on_under_its_head_and_loses_no_row() -> None:
    table = Table(head=("Kind", "Going"), rows=tuple((f"hill {number}", "bad") for number in range(90)))
    pages = made(table)
    assert len(pages) > 1
    assert all(spoken(page).count("Kind") == 1 for page in pages)
    numbers = [text.content for page in pages for text in texts(page) if text.content.isdigit()]
    assert sorted(set(map(int, numbers)) & set(range(90))) == list(range(90))


@pytest.mark.parametrize("count", [20, 28, 33, 39])
def test_no_page_is_nearly_empty(count: int) -> None:
    pages = made(*[PROSE] * count)
    for page in pages:
        lowest = min(text.at[1] for text in body(page))
        assert HIGH - lowest > 0.45 * HIGH, f"{count} paragraphs on {len(pages)} pages"
    smallest = min(text.size_pt for page in pages for text in body(page) if text.font is Font.SMALL)
    assert smallest >= 9.0 - 1e-9


def test_nothing_leaves_its_page_and_a_new_page_is_one() -> None:
    columns = Columns(tuple(Bullets((f"item {number}", "another one")) for number in range(80)), count=3)
    for page in made(PROSE, columns, SideFigure(Figure(picture(60, 50), "a caption"), (PROSE,)), PROSE):
        for text in texts(page):
            assert 0 <= text.at[0] <= WIDE
            assert 0 < text.at[1] < HIGH
    assert len(made(PROSE, NewPage(), PROSE)) == 2


def test_columns_end_level_and_a_head_over_them_stays_with_them() -> None:
    (page,) = made(Columns(tuple(Paragraph(f"Order {number}.") for number in range(11))))
    feet: dict[bool, float] = {}
    for text in body(page):
        right = text.at[0] > WIDE / 2
        feet[right] = min(text.at[1], feet.get(right, HIGH))
    assert abs(feet[True] - feet[False]) < 12.0
    filler = [PROSE] * 27
    columns = Columns(tuple(Paragraph(f"Order {number}.") for number in range(30)))
    for page in made(*filler, Heading("Orders of the day"), columns):
        lowest = min(body(page), key=lambda text: text.at[1])
        assert lowest.font is not Font.SMALL_CAPITALS


def test_text_stands_beside_a_figure_and_goes_on_below_it_or_below_one_that_leaves_no_room_beside() -> None:
    table = Table(head=("Kind", "Going"), rows=tuple((f"hill {number}", "bad") for number in range(24)))
    (page,) = made(SideFigure(Figure(picture(70, 50)), (table,), side="right"))
    assert left_of(page, 70) == pytest.approx(WIDE - 70, abs=0.02)
    assert spoken(page).count("Kind") == 2
    (page,) = made(SideFigure(Figure(picture(70, 50)), (Paragraph("short"),)))
    assert left_of(page, 70) == 0
    (page,) = made(SideFigure(Figure(picture(160, 50)), (Paragraph("short"),)))
    assert left_of(page, 160) == pytest.approx(5, abs=0.02)


def test_a_figure_wider_or_higher_than_the_page_is_refused() -> None:
    for figure, said in ((picture(200, 50), "wide does not fit"), (picture(100, 400), "high does not fit")):
        with pytest.raises(PageError, match=said):
            made(Figure(figure))


def test_fading_mixes_every_ink_with_paper() -> None:
    black, white = Ink(0, 0, 0), Ink(255, 255, 255)
    run = PathRun((0, 0, 100, 0, 100, 100))
    tree = Artwork("tree", (Path((run,), fill=black),))
    items = (
        Path((run,), fill=black, stroke=Stroke(black, 0.2)),
        Text(content="x", at=(0, 0), size_pt=9, ink=black, font=Font.ROMAN, halo=Stroke(white, 1)),
        Stamp(tree, (Affine(),)),
        Stamp(tree, (Affine(e=1),)),
    )
    path, text, first, second = (
        item for _, item in fade_drawing(Drawing(9, 9, (Layer(LayerName.PAPER, items),)), 0.6).items()
    )
    grey = Ink(153, 153, 153)
    assert isinstance(path, Path)
    assert isinstance(text, Text)
    assert isinstance(first, Stamp)
    assert isinstance(second, Stamp)
    assert path.fill == grey
    assert path.stroke == Stroke(grey, 0.2)
    assert (text.ink, text.halo) == (grey, Stroke(white, 1))
    assert first.artwork is second.artwork
    assert first.artwork.paths[0].fill == grey
