"""PDFs are checked where only a PDF can fail: syntax, resources, boxes, pixels, typefaces, bytes and parts."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace
from reading import OPERATORS, RESOURCES, content, holders, opened, texts
from reportlab.pdfbase import pdfdoc, pdfmetrics, ttfonts
from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfgen import canvas
from sample_board import board, rectangle, stroked_rectangles

import printkit
from printkit.core.errors import PageError
from printkit.core.units import mm_to_points
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font, Ink, Layer, LayerName, PathRun, Stroke, Text
from printkit.drawing.canvas.items import Path as Outline
from printkit.drawing.canvas.items import Path as Shape
from printkit.drawing.lettering.extent import Extent, path_extent
from printkit.drawing.lettering.typefaces import advances
from printkit.export import pdf, pdf_sharing
from printkit.export.pdf_content import encode_paths, path_outlines
from printkit.export.pdf_sharing import Fonts
from printkit.page import marks, tiling
from printkit.page.assembly import assembly_plan_pages
from printkit.page.lattice import BAND
from printkit.page.marks import Imprint
from printkit.page.sheet import LARGEST, Document, document_of, find_sheet, named_sheets
from printkit.page.tiling import Tiling, tile_drawing

IMPRINT = Imprint(title="Seven Oaks", seed="1998")
ENGLISH = Words(("en",))


def tiled(drawing: Drawing, sheet: str = "a4") -> Tiling:
    return tile_drawing(drawing, find_sheet(sheet), imprint=IMPRINT, words=ENGLISH)


@pytest.fixture(scope="module")
def sample() -> Drawing:
    return board()


@pytest.fixture(scope="module")
def tiles(sample: Drawing) -> Tiling:
    return tiled(sample)


@pytest.fixture(scope="module")
def printed(sample: Drawing, tiles: Tiling) -> bytes:
    pages = (*assembly_plan_pages(tiles, sample, (), find_sheet("a4"), imprint=IMPRINT, words=ENGLISH), *tiles.pages)
    document = Document(title="Seven Oaks – ñ", pages=pages, subject="a map", keywords=("one", "two"))
    return pdf.data(document)


def rendered(data: bytes, dpi: float = 254.0) -> list[np.ndarray]:
    made = pypdfium2.PdfDocument(data)
    found = [page.render(scale=dpi / 72 * (1 - 1e-6)).to_numpy()[..., :3].astype(int) for page in made]
    made.close()
    return found


def test_pages_hold_legal_operators_and_the_resources_and_forms_that_are_used(printed):
    made = opened(printed)
    assert (made.check_pdf_syntax(), made.pdf_version) == ([], "1.7")
    for holder in holders(made):
        used = {str(operator) for _, operator in pikepdf.parse_content_stream(holder)}
        assert used <= OPERATORS
        assert not re.search(rb"[0-9.][eE][+-]?[0-9]|nan|inf", re.sub(rb"<[0-9A-Fa-f]*>", b"", content(holder)))
        named: dict[str, set[str]] = {}
        for operands, operator in pikepdf.parse_content_stream(holder):
            if str(operator) in RESOURCES:
                named.setdefault(RESOURCES[str(operator)], set()).add(str(operands[0]))
        defined = {kind: set(members.keys()) for kind, members in holder.Resources.items()}
        assert defined == named
    forms = {each.objgen for each in holders(made) if each.get("/Subtype") == pikepdf.Name.Form}
    referred = {form.objgen for holder in holders(made) for form in holder.Resources.get("/XObject", {}).values()}
    assert forms == referred


@pytest.mark.parametrize("sheet", [name for name in named_sheets() if name not in ("a0", "a1")])
def test_pages_are_as_large_as_the_paper_and_bars_as_long_as_they_say(sheet):
    drawing = Drawing(
        700.0, 400.0, (Layer(LayerName.PAPER, (Shape((rectangle(0, 0, 700, 400),), fill=Ink(9, 9, 9)),)),)
    )
    laid = tiled(drawing, sheet)
    made = opened(pdf.data(Document(title="", pages=laid.pages)))
    assert len(made.pages) == laid.lattice.count
    for page, planned in zip(made.pages, laid.pages, strict=True):
        size = [mm_to_points(planned.sheet.width), mm_to_points(planned.sheet.height)]
        assert [float(side) for side in page.MediaBox] == pytest.approx([0, 0, *size], abs=1e-3)
        trim = planned.trim
        corners = [mm_to_points(side) for side in (trim.x, trim.y, trim.right, trim.top)]
        assert [float(side) for side in page.TrimBox] == pytest.approx(corners, abs=1e-3)
        assert "/UserUnit" not in page
        boxes = list(stroked_rectangles(page))
        for along in (100.0, 101.6):
            lying = [box for box in boxes if abs(box.right - box.left - mm_to_points(along)) < mm_to_points(0.02)]
            # In a narrow band at the left the bars stand one above the other, and two inches must do.
            up = 50.8 if along > 100 and laid.lattice.bands[0] < BAND and laid.lattice.window.height < 230 else along
            standing = [box for box in boxes if abs(box.top - box.bottom - mm_to_points(up)) < mm_to_points(0.02)]
            assert len(lying) == len(standing) == 1
            for box in (*lying, *standing):
                assert box.top < mm_to_points(trim.y) or box.right < mm_to_points(trim.x), "a bar lies over the map"


def test_pasted_tiles_are_the_map(sample):
    """Figures that stand just between two dots must be moved the same way on every sheet."""
    between = tuple(
        Text(content="1", at=(5.05 + 13 * i, 4.05 + 9.9 * j), size_pt=12, ink=Ink(0, 0, 0), font=Font.FIGURES)
        for i in range(22)
        for j in range(25)
    )
    drawing = dataclasses.replace(sample, layers=(*sample.layers, Layer(LayerName.NUMBER, between)))
    tiles = tiled(drawing, "130x180mm")
    whole = rendered(pdf.data(document_of(drawing)))[0]
    pasted = np.zeros_like(whole)
    for page, shown in zip(tiles.pages, rendered(pdf.data(Document(title="", pages=tiles.pages))), strict=True):
        placement, trim = page.placements[0], page.trim
        left, top = round(trim.x * 10), shown.shape[0] - round(trim.top * 10)
        width, height = round(trim.width * 10), round(trim.height * 10)
        x = round((trim.x - placement.transform.e) * 10)
        y = whole.shape[0] - round((trim.top - placement.transform.f) * 10)
        pasted[y : y + height, x : x + width] = shown[top : top + height, left : left + width]
    difference = np.abs(whole - pasted)
    assert difference.max() <= 64
    assert difference.mean() < 0.5


def test_tiles_are_little_larger_than_the_one_sheet():
    """What the plan adds is mostly the typeface of its steps, which weighs the same for every map."""
    drawing = board(600.0, 600.0, strokes=6000)
    laid = tiled(drawing)
    plan = assembly_plan_pages(laid, drawing, (), find_sheet("a4"), imprint=IMPRINT, words=ENGLISH)
    several = (Document(title="", pages=pages) for pages in (laid.pages, (*plan, *laid.pages)))
    one, tiles, all_ = (len(pdf.data(document)) for document in (document_of(drawing), *several))
    assert len(laid.pages) == 12
    assert tiles < 1.4 * one
    assert all_ < 1.4 * one + 40_000


def test_what_overruns_the_drawing_is_cut_at_its_edge():
    black = Shape((rectangle(-50, -50, 220, 220),), fill=Ink(0, 0, 0))
    laid = tiled(Drawing(120.0, 120.0, (Layer(LayerName.PAPER, (black,)),)))
    (page,) = laid.pages
    (shown,) = rendered(pdf.data(Document(title="", pages=(page,))))
    right, top = round(page.trim.right * 10), shown.shape[0] - round(page.trim.top * 10)
    assert (shown[top + 20 : top + 1180, right + 2 : right + 50] == 255).all()
    assert (shown[top + 20 : top + 1180, right - 50 : right - 2] == 0).all()


def test_typefaces_are_embedded_as_subsets_and_texts_and_artwork_are_there_once(printed, sample):
    made = opened(printed)
    fonts = {font.objgen: font for holder in holders(made) for font in holder.Resources.get("/Font", {}).values()}
    assert fonts
    for font in fonts.values():
        assert re.match(r"/[A-Z]{6}\+", str(font.BaseFont))
        embedded = font.FontDescriptor.FontFile2.read_bytes()
        assert 1_000 < len(embedded) < 60_000
    assert b"Helvetica" not in printed
    made = pypdfium2.PdfDocument(pdf.data(document_of(sample)))
    found = made[0].get_textpage().get_text_range()
    made.close()
    for content_ in ("Oak Hill", "MARSH (Éire)", "CAMP", "Alder"):
        assert found.count(content_) == 1
    made = opened(pdf.data(document_of(sample)))
    assert sum(1 for each in holders(made) if each.get("/Subtype") == pikepdf.Name.Form) == 1
    placed = [1 for operands, operator in pikepdf.parse_content_stream(made.pages[0]) if str(operator) == "Do"]
    assert 100 < len(placed) <= 120


def test_readers_are_told_names_language_and_not_to_scale(printed, tiles):
    made = opened(printed)
    assert (str(made.Root.ViewerPreferences.PrintScaling), str(made.Root.Lang)) == ("/None", "en")
    labels = [page.label for page in made.pages]
    assert labels == ["plan", *(page.label for page in tiles.pages)]
    with made.open_outline() as outline:
        assert [entry.title for entry in outline.root] == ["How to put it together", "Sheet A1", "Sheet A2"]
    assert (str(made.docinfo["/Title"]), str(made.docinfo["/Subject"])) == ("Seven Oaks – ñ", "a map")
    assert str(made.docinfo["/Keywords"]) == "one, two"
    assert not {"/CreationDate", "/ModDate"} & set(made.docinfo.keys())


def test_the_same_document_has_the_same_bytes_everywhere_and_another_has_another_identifier(sample, tmp_path):
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from sample_board import board\n"
        "from printkit.export import pdf\n"
        "from printkit.page.sheet import document_of\n"
        "pdf.write(document_of(board(), title='x'), Path(sys.argv[2]))\n"
    )
    here = pdf.data(document_of(sample, title="x"))
    assert here == pdf.data(document_of(board(), title="x"))
    there = tmp_path / "there.pdf"
    command = [sys.executable, "-c", script, str(Path(__file__).parent), str(there)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "77"})
    assert there.read_bytes() == here
    one, other = (opened(pdf.data(document_of(each))) for each in (sample, board(301.0)))
    assert bytes(one.trailer.ID[0]) != bytes(other.trailer.ID[0])


def test_pairs_of_letters_are_kerned_and_the_words_stay_whole():
    drawn = Text(content="To Wave AV", at=(10.0, 10.0), size_pt=9.0, ink=Ink(0, 0, 0), font=Font.ROMAN)
    plain = replace(drawn, content="Hill", at=(10.0, 30.0))
    data = pdf.data(document_of(Drawing(60.0, 60.0, (Layer(LayerName.PAPER, (drawn, plain)),)), title="Kerned"))
    shown = [
        operands
        for holder in holders(opened(data))
        for operands, operator in pikepdf.parse_content_stream(holder)
        if str(operator) == "TJ"
    ]
    ((pairs,),) = shown
    assert [int(part) for part in pairs if not isinstance(part, pikepdf.String)] == [85, 85, 110]
    assert "To Wave AV" in texts(data)[0]
    assert "Hill" in texts(data)[0]


def test_what_cannot_be_printed_is_named():
    plain = Drawing(LARGEST, 100.0, ())
    made = opened(pdf.data(document_of(plain)))
    assert float(made.pages[0].MediaBox[2]) == pytest.approx(14400, abs=1e-3)
    with pytest.raises(PageError, match="200 in"):
        pdf.data(document_of(dataclasses.replace(plain, width=LARGEST + 1)))
    text = Text(content="漢", at=(1, 1), size_pt=10, ink=Ink(0, 0, 0), font=Font.FIGURES)
    with pytest.raises(PageError, match="U\\+6F22"):
        pdf.data(document_of(Drawing(10, 10, (Layer(LayerName.LABEL, (text,)),))))
    with pytest.raises(PageError, match="at least one"):
        pdf.data(Document(title="", pages=()))


@pytest.mark.parametrize("file", ["../map.pdf", "/etc/map.pdf", "C:\\map.pdf", "a\\map.pdf", "file:map.pdf", "a//b"])
def test_a_link_leads_nowhere_but_below_the_folder_of_its_file(file):
    text = Text(content="map", at=(1, 1), size_pt=10, ink=Ink(0, 0, 0), font=Font.FIGURES, link=file)
    with pytest.raises(PageError, match="is not a valid file name; choose another --out"):
        pdf.data(document_of(Drawing(10, 10, (Layer(LayerName.LABEL, (text,)),))))


PACKAGE = Path(printkit.__file__).parent
FROM_LIBRARY = re.compile(r"^\s*(from|import) reportlab", re.MULTILINE)
MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if FROM_LIBRARY.search(path.read_text(encoding="utf-8"))]

REASONS = {
    "__NoDefault__": "the members of a catalog are listed there, for its heirs to add to; nothing else adds a member"
}
"""What is used all the same, and why."""

PYTHONS = {"__init__", "__version__", "__future__"}


def named(source: str) -> Iterator[str]:
    """Yield every name with an underscore before it, of what is read, written, called or made."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                if name.startswith("_") and name != "_":
                    yield name


@cache
def kept() -> set[str]:
    """Return the names that the library keeps to itself."""
    return {name for module in (canvas, pdfdoc, pdfmetrics, ttfonts) for name in named(inspect.getsource(module))}


def test_the_library_and_its_names_are_known_and_each_reason_is_still_needed():
    assert len(MODULES) >= 3
    assert kept() >= {"_asciiReadable", "_pdfScale", "_ttf_data", "_doc", "_code", "__NoDefault__"}
    used = {name for path in MODULES for name in named(path.read_text(encoding="utf-8"))}
    assert REASONS.keys() <= used & kept()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_name_is_used_that_the_library_keeps_to_itself(path):
    used = set(named(path.read_text(encoding="utf-8")))
    assert (used & kept()) - PYTHONS - REASONS.keys() == set()


COORDINATES = some.integers(-9_999_999, 9_999_999) | some.sampled_from((0, -1, 9999, 10_000, -10_000, 99_999))
RUNS = some.builds(
    PathRun,
    some.lists(some.tuples(COORDINATES, COORDINATES), min_size=1, max_size=5).map(lambda found: sum(found, ())),
    some.booleans(),
)
PATHS = some.builds(Outline, some.lists(RUNS, min_size=1, max_size=3).map(tuple), some.just(Ink(1, 2, 3)))


def spelled(path: Outline) -> str:
    """Return the operators of a path, number by number."""
    said = []
    for run in path.runs:
        pairs = list(zip(run.points[::2], run.points[1::2], strict=True))
        said += [f"{x} {y} {'l' if place else 'm'}\n" for place, (x, y) in enumerate(pairs)]
        said += ["h\n"] if run.closed else []
    return "".join(said)


@given(some.lists(PATHS, max_size=6))
def test_outlines_are_the_numbers_of_the_grid_as_they_stand(paths):
    found = list(path_outlines(paths))
    assert [outline.code for outline in found] == [spelled(path) for path in paths]
    assert [outline[1:] for outline in found] == [path_extent(path) for path in paths]


def test_outlines_are_the_same_at_once_and_paths_without_paint_are_not_written(monkeypatch):
    paths = [Outline((PathRun((x, 5, x + 9, -5)),), Ink(0, 0, 0)) for x in range(40)]
    whole = list(path_outlines(paths))
    monkeypatch.setattr("printkit.export.pdf_content._AT_ONCE", 7)
    assert list(path_outlines(paths)) == whole
    line = PathRun((100, 200, 300, 400), closed=False)
    nothing, drawn = encode_paths([Outline((line,)), Outline((line,), stroke=Stroke(Ink(0, 0, 0), 0.5))])
    assert nothing is None
    assert drawn is not None
    assert drawn.box == Extent(75, 175, 325, 425)


def test_the_257th_letter_is_in_a_second_part_with_the_same_space():
    fonts = Fonts(PDFDocument())
    letters = [letter for letter in advances(Font.ROMAN).shares if "\xa0" < letter < "\u0500"][:270]
    fonts.encode_letters(Font.ROMAN, "".join(letters))
    (first, _), (second, codes) = fonts.encode_letters(Font.ROMAN, f"{letters[0]}{letters[-1]} ")[:2]
    assert (first, second[-2:]) == (f"{second[:-2]}+0", "+1")
    assert codes != "00"


def test_paths_and_plans_of_many_sheets_are_made_once(monkeypatch):
    told = []

    def counted(paths):
        told.append(len(paths))
        return encode_paths(paths)

    monkeypatch.setattr(pdf_sharing, "encode_paths", counted)
    ground = Outline((rectangle(0, 0, 700, 700),), Ink(200, 200, 200))
    drawing = Drawing(700, 700, (Layer(LayerName.PAPER, (ground,)),))
    page = document_of(drawing).pages[0]
    pdf.data(replace(document_of(drawing), pages=(page,) * 5))
    assert told == [1]
    marks._build_plan.cache_clear()
    asked = []
    frame = marks.make_frame
    monkeypatch.setattr(marks, "make_frame", lambda *about: asked.append(about) or frame(*about))
    ground = Outline((rectangle(0, 0, 1500, 1500),), Ink(200, 200, 200))
    drawing = Drawing(1500, 1500, (Layer(LayerName.PAPER, (ground,)),))
    tiled = tiling.tile_drawing(drawing, find_sheet("a4"), imprint=Imprint(title="Oaks"), words=Words(("en",)))
    assert len(tiled.pages) > 40
    # The frame of a small plan has the only line of 0.2 mm.
    assert [width for _, _, width in asked].count(0.2) == 1
