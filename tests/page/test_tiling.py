"""Tiles, the sheets that are left out, and their marks."""

from __future__ import annotations

import math

import pytest

from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font, Ink, Item, Layer, LayerName, Path, PathRun, Rect, Stroke, Text
from printkit.drawing.lettering.extent import box_of, extents, text_foot, text_length
from printkit.page.lattice import lay
from printkit.page.marks import CheckBar, Imprint, common_marks, tile_marks
from printkit.page.ruling import filled, frame
from printkit.page.sheet import find
from printkit.page.tiling import shows, tile

ENGLISH = Words(("en",))
BLACK = Ink(0, 0, 0)
IMPRINT = Imprint(title="Seven Oaks", seed="1998")


def drawing(*items: Item, side: float = 609.6, clip: Rect | None = None) -> Drawing:
    return Drawing(side, side, (Layer(LayerName.PAPER, items, clip),))


def said(made: Drawing) -> list[str]:
    return [item.content for _, item in made.items() if isinstance(item, Text)]


def test_sheets_without_content_are_dropped_and_named():
    laid = tile(drawing(filled([Rect(10, 10, 250, 150)], BLACK)), find("a4"), imprint=IMPRINT, words=ENGLISH)
    assert [page.label for page in laid.pages] == ["C1", "C2"]
    assert laid.dropped == ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "C3", "C4")


def test_a_frame_about_a_sheet_is_not_on_it():
    laid = tile(drawing(frame(Rect(1, 1, 607, 607), BLACK, 0.5)), find("a4"), imprint=IMPRINT, words=ENGLISH)
    assert laid.dropped == ("B2", "B3")


@pytest.mark.parametrize(
    ("item", "window", "seen"),
    [
        (filled([Rect(0, 0, 100, 100)], BLACK), Rect(40, 40, 10, 10), True),
        (frame(Rect(0, 0, 100, 100), BLACK, 0.4), Rect(40, 40, 10, 10), False),
        (frame(Rect(0, 0, 100, 100), BLACK, 0.4), Rect(100.1, 40, 10, 10), True),
        (frame(Rect(0, 0, 100, 100), BLACK, 0.4), Rect(103, 40, 10, 10), False),
        (Path((PathRun((0, 0, 10000, 10000), False),), stroke=Stroke(BLACK, 1)), Rect(45, 45, 1, 1), True),
        (Path((PathRun((0, 0, 10000, 10000), False),), stroke=Stroke(BLACK, 1)), Rect(10, 80, 5, 5), False),
        (Text(content="Oak", at=(10, 10), size_pt=20, ink=BLACK, font=Font.ROMAN), Rect(12, 11, 5, 5), True),
        (Text(content="Oak", at=(10, 10), size_pt=20, ink=BLACK, font=Font.ROMAN), Rect(60, 11, 5, 5), False),
    ],
)
def test_what_can_be_seen_in_a_window(item, window, seen):
    assert shows(drawing(item), window) is seen


def test_what_is_cut_away_cannot_be_seen():
    cut = drawing(filled([Rect(0, 0, 100, 100)], BLACK), clip=Rect(0, 0, 20, 20))
    assert shows(cut, Rect(10, 10, 5, 5))
    assert not shows(cut, Rect(40, 40, 5, 5))


def test_a_sheet_as_large_as_the_drawing_carries_nothing_else():
    whole = drawing(filled([Rect(0, 0, 600, 600)], BLACK))
    laid = tile(whole, find("one"), imprint=IMPRINT, words=ENGLISH)
    (page,) = laid.pages
    assert (page.sheet.width, page.sheet.height) == (609.6, 609.6)
    assert [placement.drawing for placement in page.placements] == [whole]


@pytest.mark.parametrize("sheet", ["a4", "a3", "letter", "130x180mm", "100x140mm", "legal"])
@pytest.mark.parametrize("language", [("en",), ("es",), ("en", "es")])
def test_marks_keep_off_the_map_and_inside_the_margins(sheet, language):
    lattice = lay(609.6, 609.6, find(sheet))
    kept = [tile.name for tile in lattice.tiles()]
    window = box_of(lattice.window.grown(-0.05))
    room = box_of(lattice.sheet.printable.grown(0.1))
    for each in (lattice.tile(0, 0), lattice.tile(1, 1), lattice.tile(lattice.rows - 1, lattice.columns - 1)):
        words = Words(language)
        common, own = common_marks(lattice, words), tile_marks(lattice, each, IMPRINT, words, kept=kept)
        for item in common.layers[0].items + own.layers[0].items:
            if isinstance(item, Path):
                for run in item.runs:
                    for box in extents(Path((run,), fill=BLACK)):
                        assert not box.meets(window)
                        assert box.left >= room.left
                        assert box.bottom >= room.bottom
                        assert box.right <= room.right
                        assert box.top <= room.top
            elif isinstance(item, Text):
                (x, y), turn, reach = text_foot(item), math.radians(item.angle), text_length(item)
                for share in (0.0, 0.5, 1.0):
                    at = Rect(x + share * reach * math.cos(turn), y + share * reach * math.sin(turn), 0, 0)
                    assert not lattice.window.meets(at)
                    assert lattice.sheet.printable.meets(at)
                assert item.size_pt >= 6.5


def test_every_sheet_says_what_it_is():
    laid = tile(drawing(filled([Rect(0, 0, 609.6, 609.6)], BLACK)), find("a4"), imprint=IMPRINT, words=ENGLISH)
    page = next(page for page in laid.pages if page.label == "B2")
    found = [text for placement in page.placements for text in said(placement.drawing)]
    everything = " ".join(found)
    assert "Print at 100 %, actual size" in found
    assert {"A2", "B1", "B2", "B3", "C2"} <= set(everything.replace("–", " ").replace(",", " ").split())
    assert "Seven Oaks – seed 1998 – sheet B2, 6 of 12 – printer profile: none" in everything
    assert {"10 cm", "4 in", "glue"} <= set(found)


def test_only_sheets_with_neighbours_are_glued():
    laid = tile(drawing(filled([Rect(0, 0, 140, 100)], BLACK)), find("a4"), imprint=IMPRINT, words=ENGLISH)
    (page,) = laid.pages
    assert page.label == "C1"
    assert "glue" not in said(page.placements[2].drawing)


def test_a_long_title_does_not_leave_the_band():
    lattice = lay(609.6, 609.6, find("a4"))
    marks = tile_marks(lattice, lattice.tile(0, 0), Imprint(title="Oak " * 90), ENGLISH, kept=["A1"])
    assert any(text.endswith("…") for text in said(marks))


def test_a_check_bar_is_as_long_as_it_says():
    bar = CheckBar(100.0, ENGLISH)
    lying, standing = bar.across(5.0, 50.0), bar.up(50.0, 5.0)
    boxes = [box for item in (*lying, *standing) if isinstance(item, Path) and item.fill for box in extents(item)]
    assert {10000, 10160} <= {box.right - box.left for box in boxes}
    assert {10000, 10160} <= {box.top - box.bottom for box in boxes}
