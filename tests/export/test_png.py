"""PNG: exact numbers of dots, the same bytes, and a limit."""

from __future__ import annotations

import pytest
from PIL import Image
from sample_board import board, rectangle

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, Path
from printkit.export import png
from printkit.page.sheet import Document, Sheet, document_of

CORNERS = Drawing(
    100.0,
    50.0,
    (Layer(LayerName.PAPER, (Path((rectangle(0, 0, 10, 10), rectangle(90, 40, 10, 10)), fill=Ink(0, 0, 0)),)),),
)


@pytest.mark.parametrize(("dpi", "size"), [(254.0, (1000, 500)), (150.0, (591, 295)), (72.0, (283, 142))])
def test_a_page_has_exactly_its_dots(tmp_path, dpi, size):
    (path,) = png.write(document_of(CORNERS), tmp_path / "map.png", dpi=dpi)
    with Image.open(path) as picture:
        assert picture.size == size
        assert picture.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)


def test_dots_lie_where_the_drawing_says(tmp_path):
    (path,) = png.write(document_of(CORNERS), tmp_path / "map.png", dpi=254)
    with Image.open(path) as picture:
        assert picture.convert("L").crop((0, 400, 100, 500)).getextrema() == (0, 0)
        assert picture.convert("L").crop((900, 0, 1000, 100)).getextrema() == (0, 0)
        assert picture.convert("L").crop((102, 102, 898, 398)).getextrema() == (255, 255)


def test_pages_are_numbered_files_of_the_same_bytes(tmp_path):
    one, two = (png.write(document_of(board()), tmp_path / name, dpi=40)[0] for name in ("a.png", "b.png"))
    assert one.read_bytes() == two.read_bytes()
    page = document_of(CORNERS).pages[0]
    paths = png.write(Document(title="", pages=(page,) * 10), tmp_path / "map.png", dpi=20)
    assert [path.name for path in paths] == [f"map-{number:02d}.png" for number in range(1, 11)]


def test_a_bitmap_that_is_too_large_or_of_nothing_is_refused():
    with pytest.raises(PageError, match="at most 589 dots an inch"):
        png.dots(Sheet("one", 609.6, 609.6, 0.0), 600)
    assert png.dots(Sheet("one", 609.6, 609.6, 0.0), 589) == (14136, 14136)
    for dpi in (0.0, -1.0):
        with pytest.raises(PageError, match="no resolution"):
            png.dots(Sheet("a4", 210, 297, 10), dpi)
