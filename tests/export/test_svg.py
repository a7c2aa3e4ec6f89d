"""SVG: well-formed, in millimetres, everything referred to is defined, and letters where PDF has them."""

from __future__ import annotations

import math
import re
from contextlib import closing
from xml.etree import ElementTree

import pypdfium2
import pytest
from msgspec.structs import replace
from sample_board import board
from shapely import box

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font, Ink, Layer, LayerName, Path, Text
from printkit.drawing.canvas.plain import make_rectangle
from printkit.drawing.canvas.style import find as find_style
from printkit.drawing.lettering.glyphs import units_per_em
from printkit.drawing.lettering.typefaces import advances
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.export import pdf, svg
from printkit.export.svg import outline
from printkit.page.marks import Imprint
from printkit.page.sheet import Document, document_of, find_sheet
from printkit.page.tiling import tile_drawing
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Going, Hill, Kind

SPACE = "{http://www.w3.org/2000/svg}"


def one_page(drawing):
    document = document_of(drawing)
    return svg.text(document, document.pages[0])


def test_pages_are_files_as_large_as_the_drawing_that_hold_only_what_they_show(tmp_path):
    laid = tile_drawing(board(), find_sheet("a4"), imprint=Imprint(title="Oaks"), words=Words(("en",)))
    paths = svg.write(Document(title="Oaks", pages=laid.pages), tmp_path / "map.svg")
    assert [path.name for path in paths] == ["map-1.svg", "map-2.svg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map-1.svg", "map-2.svg"]
    document = Document(title="Oaks", pages=laid.pages)
    used = [svg.text(document, page).count('href="#stamp1"') for page in laid.pages]
    assert all(40 < count < 90 for count in used)
    (path,) = svg.write(document_of(board(), title="Oaks & <Elms>"), tmp_path / "map.svg")
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert path.name == "map.svg"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("300mm", "260mm", "0 0 30000 26000")
    assert root.find(f"{SPACE}title").text == "Oaks & <Elms>"


def test_what_is_referred_to_is_defined_once_and_words_stand_beside_outlines_and_fills():
    text = one_page(board())
    defined = re.findall(r' id="([^"]+)"', text)
    assert len(defined) == len(set(defined))
    assert set(defined) == {one or other for one, other in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)}
    for said in ("Oak Hill", "MARSH (Éire)", "CAMP", "Alder"):
        assert text.count(f'aria-label="{said}"') == 1
    one, two = document_of(board()), document_of(board())
    assert svg.text(one, one.pages[0]) == svg.text(two, two.pages[0])
    ground, bare = (
        make_rectangle((1, 1, 8, 8), Ink(10, 200, 30)),
        Path(make_rectangle((2, 2, 3, 3), Ink(0, 0, 0)).runs),
    )
    text = one_page(Drawing(20.0, 20.0, (Layer(LayerName.PAPER, (ground, bare)),)))
    assert text.count('fill="#0ac81e"') == 1
    assert 'stroke="#' not in text
    assert text.count("<path") == 1


def test_outlines_reach_as_far_as_their_typeface_says_and_accents_hold_their_letter():
    """Lato draws a capital H between its side bearings, 0 and 1,433 of 2,000 units high."""
    numbers = [float(number) for number in re.findall(r"-?[0-9]+", outline(Font.FIGURES, "H"))]
    across, up = numbers[::2], numbers[1::2]
    assert (units_per_em(Font.FIGURES), min(up)) == (2000, 0)
    assert 1400 < max(up) < 1460
    assert 0 < min(across) < max(across) < advances(Font.FIGURES).shares["H"] * 2000
    # É is put together from E and an accent above it.
    plain, accented = outline(Font.ROMAN, "E"), outline(Font.ROMAN, "É")
    assert plain in accented
    assert accented.count("Z") > plain.count("Z")
    assert outline(Font.ROMAN, " ") == ""


def test_a_letter_that_no_typeface_has_and_a_document_without_a_page_are_refused(tmp_path):
    text = Text(content="漢", at=(1, 1), size_pt=10, ink=Ink(0, 0, 0), font=Font.FIGURES)
    document = document_of(Drawing(10, 10, (Layer(LayerName.LABEL, (text,)),)))
    with pytest.raises(PageError, match="U\\+6F22"):
        svg.text(document, document.pages[0])
    with pytest.raises(PageError, match="at least one"):
        svg.write(Document(title="", pages=()), tmp_path / "map.svg")


def placed_letters(text: Text) -> list[list[float]]:
    """Return the transform of every letter of a text: a, b, c, d without unit, and x, y in hundredths of a mm."""
    page = one_page(Drawing(100.0, 100.0, (Layer(LayerName.PAPER, (text,)),)))
    shapes = re.findall(r'<use href="#[^"]+" transform="matrix\(([^)]+)\)"/>', page)
    return [[float(each) for each in shape.split()] for shape in shapes]


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 200.0])
@pytest.mark.parametrize("track", [0.0, 2.0])
def test_letters_follow_one_another_by_their_widths_along_the_line(angle, track):
    text = Text(
        content="VoIM To", at=(20.0, 30.0), size_pt=20.0, ink=Ink(0, 0, 0), font=Font.ROMAN, angle=angle, track=track
    )
    turn, size = math.radians(angle), 20.0 * 25.4 / 72
    places, off = iter(placed_letters(text)), 0.0
    for letter, step in zip("VoIM To", advances(Font.ROMAN).steps("VoIM To"), strict=True):
        if letter != " ":
            a, b, c, d, x, y = next(places)
            along = 2000 + 100 * off * math.cos(turn), 3000 + 100 * off * math.sin(turn)
            assert (x, y) == pytest.approx(along, abs=0.02)
            assert math.degrees(math.atan2(b, a)) % 360 == pytest.approx(angle, abs=0.1)
            assert (c, d) == pytest.approx((-b, a))
        off += step * size + track
    assert list(places) == []


@pytest.mark.parametrize("content", ["AB C", "ABC"])
def test_letters_on_a_curve_stand_where_they_were_set_with_a_place_for_the_space_or_without(content):
    glyphs = tuple((10.0 + 9 * number, 20.0 + number, 10.0 * number) for number in range(len(content)))
    black = Ink(0, 0, 0)
    text = Text(content=content, at=(0, 0), size_pt=20.0, ink=black, font=Font.ROMAN, glyphs=glyphs)
    shown = [place for place, letter in zip(glyphs, content, strict=True) if letter != " "]
    assert [(x, y) for *_, x, y in placed_letters(text)] == [(100 * x, 100 * y) for x, y, _ in shown]
    bare = tuple(place for place, letter in zip(glyphs, content, strict=True) if letter != " ")
    text = Text(content=content, at=(0, 0), size_pt=20.0, ink=black, font=Font.ROMAN, glyphs=bare)
    assert [(x, y) for *_, x, y in placed_letters(text)] == [(100 * x, 100 * y) for x, y, _ in shown]


def test_an_apostrophe_is_typographic_in_pdf_and_svg_and_straight_in_the_record():
    hill = Hill(id="z1", kind=Kind.HILL, contours=(box(120, 120, 480, 480),), going=Going(0, "good"))
    scale = GroundScale(pace=0.254, base_width=40.0)
    field = Battlefield(board=Board(600.0, 600.0, scale), features=(replace(hill, name="Keller's Hill"),))
    made = board_drawing(field, Drafter.map(find_style("ink-saver"), Words(("en",)), Jitter(3)), numbers=False)
    assert field.features[0].name == "Keller's Hill"
    assert 'aria-label="Keller’s Hill"' in one_page(made)
    with closing(pypdfium2.PdfDocument(pdf.data(document_of(made)))) as file:
        assert "Keller’s Hill" in file[0].get_textpage().get_text_range()
