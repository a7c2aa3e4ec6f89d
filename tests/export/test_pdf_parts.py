"""What the PDF writer is put together from: outlines, letters, and how little it does for many sheets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace
from reportlab.pdfbase.pdfdoc import PDFDocument
from sample_board import rectangle

from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font, Ink, Layer, LayerName, Path, PathRun, Stroke
from printkit.drawing.lettering.extent import Extent, path_extent
from printkit.drawing.lettering.typefaces import advances
from printkit.export import pdf, pdf_sharing
from printkit.export.pdf_content import outlines, path_codes
from printkit.export.pdf_sharing import Fonts
from printkit.page import marks, tiling
from printkit.page.marks import Imprint
from printkit.page.sheet import document_of, find

COORDINATES = some.integers(-9_999_999, 9_999_999) | some.sampled_from((0, -1, 9999, 10_000, -10_000, 99_999))
RUNS = some.builds(
    PathRun,
    some.lists(some.tuples(COORDINATES, COORDINATES), min_size=1, max_size=5).map(lambda found: sum(found, ())),
    some.booleans(),
)
PATHS = some.builds(Path, some.lists(RUNS, min_size=1, max_size=3).map(tuple), some.just(Ink(1, 2, 3)))


def spelled(path: Path) -> str:
    """Return the operators of a path, number by number."""
    said = []
    for run in path.runs:
        pairs = list(zip(run.points[::2], run.points[1::2], strict=True))
        said += [f"{x} {y} {'l' if place else 'm'}\n" for place, (x, y) in enumerate(pairs)]
        said += ["h\n"] if run.closed else []
    return "".join(said)


@given(some.lists(PATHS, max_size=6))
def test_outlines_are_the_numbers_of_the_grid_as_they_stand(paths):
    found = list(outlines(paths))
    assert [outline.code for outline in found] == [spelled(path) for path in paths]
    assert [outline[1:] for outline in found] == [path_extent(path) for path in paths]


def test_outlines_are_the_same_at_once_and_paths_without_paint_are_not_written(monkeypatch):
    paths = [Path((PathRun((x, 5, x + 9, -5)),), Ink(0, 0, 0)) for x in range(40)]
    whole = list(outlines(paths))
    monkeypatch.setattr("printkit.export.pdf_content._AT_ONCE", 7)
    assert list(outlines(paths)) == whole
    line = PathRun((100, 200, 300, 400), closed=False)
    nothing, drawn = path_codes([Path((line,)), Path((line,), stroke=Stroke(Ink(0, 0, 0), 0.5))])
    assert nothing is None
    assert drawn is not None
    assert drawn.box == Extent(75, 175, 325, 425)


def test_the_257th_letter_is_in_a_second_part_with_the_same_space():
    fonts = Fonts(PDFDocument())
    letters = [letter for letter in advances(Font.ROMAN).shares if "\xa0" < letter < "\u0500"][:270]
    fonts.spell(Font.ROMAN, "".join(letters))
    (first, _), (second, codes) = fonts.spell(Font.ROMAN, f"{letters[0]}{letters[-1]} ")[:2]
    assert (first, second[-2:]) == (f"{second[:-2]}+0", "+1")
    assert codes != "00"


def test_paths_and_plans_of_many_sheets_are_made_once(monkeypatch):
    told = []

    def counted(paths):
        told.append(len(paths))
        return path_codes(paths)

    monkeypatch.setattr(pdf_sharing, "path_codes", counted)
    ground = Path((rectangle(0, 0, 700, 700),), Ink(200, 200, 200))
    drawing = Drawing(700, 700, (Layer(LayerName.PAPER, (ground,)),))
    page = document_of(drawing).pages[0]
    pdf.data(replace(document_of(drawing), pages=(page,) * 5))
    assert told == [1]
    marks._plan.cache_clear()
    asked = []
    frame = marks.frame
    monkeypatch.setattr(marks, "frame", lambda *about: asked.append(about) or frame(*about))
    ground = Path((rectangle(0, 0, 1500, 1500),), Ink(200, 200, 200))
    drawing = Drawing(1500, 1500, (Layer(LayerName.PAPER, (ground,)),))
    tiled = tiling.tile(drawing, find("a4"), imprint=Imprint(title="Oaks"), words=Words(("en",)))
    assert len(tiled.pages) > 40
    assert len(asked) == 1
