"""What tells players that a printer scales: the bank card of a plan and the ticks of every sheet, measured in PDF."""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import POINTS, opened
from seen import box_around, runs, type_boxes

from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Layer, LayerName
from printkit.drawing.canvas.plain import BLACK, WHITE, make_rectangle
from printkit.export import pdf
from printkit.page.assembly import assembly_plan_pages
from printkit.page.lattice import fit_lattice
from printkit.page.marks import Imprint, common_marks, tile_marks
from printkit.page.sheet import Document, Sheet, find_sheet
from printkit.page.tiling import tile_drawing

Points = list[tuple[float, float]]

IMPRINT = Imprint(title="Seven Oaks", seed="1998", who=("Player A: blue · Player B: red",))
TEXTS = {"en": "10 mm to the paper’s edge", "es": "10 mm hasta el borde del papel"}


def strokes(holder: pikepdf.Page | pikepdf.Object, placed: pikepdf.Matrix | None = None) -> Iterator[Points]:
    """Yield the points of every path that a page strokes, itself or in its forms, in mm of the page."""
    matrices = [pikepdf.Matrix() if placed is None else placed]
    paths: list[Points] = []
    for operands, operator in pikepdf.parse_content_stream(holder):
        match str(operator):
            case "q":
                matrices.append(matrices[-1])
            case "Q":
                matrices.pop()
            case "cm":
                matrices[-1] = pikepdf.Matrix(*map(float, operands)) @ matrices[-1]
            case "Do" if holder.Resources.XObject[operands[0]].Subtype == "/Form":
                yield from strokes(holder.Resources.XObject[operands[0]], matrices[-1])
            case "m" | "l":
                x, y = matrices[-1].transform((float(operands[0]), float(operands[1])))
                if str(operator) == "m":
                    paths.append([])
                paths[-1].append((x / POINTS, y / POINTS))
            case "S":
                yield from paths
                paths = []
            case "f" | "f*" | "B" | "B*" | "n":
                paths = []


def size(points: Points) -> tuple[float, float]:
    across, up = zip(*points, strict=True)
    return max(across) - min(across), max(up) - min(up)


def board(width: float, depth: float) -> Drawing:
    return Drawing(width, depth, (Layer(LayerName.PAPER, (make_rectangle((0, 0, width, depth), BLACK),)),))


PAPERS = [
    (paper, *sides, margin, language)
    for paper in ("a4", "letter", "a3", "a1")
    for sides in ((609.6, 609.6), (1828.8, 1219.2), (300.0, 900.0), (900.0, 300.0))
    for margin, language in ((None, "en"), (5.0, "es"), (12.7, "en"), (15.0, "es"))
]


@pytest.mark.parametrize(("paper", "width", "depth", "margin", "language"), PAPERS)
def test_every_sheet_has_ticks_at_a_whole_distance_from_its_edges(
    paper: str, width: float, depth: float, margin: float | None, language: str
) -> None:
    sheet = find_sheet(paper) if margin is None else find_sheet(paper, margin=margin)
    words = Words((language,))
    tiling = tile_drawing(board(width, depth), sheet, imprint=IMPRINT, words=words)
    distance = 15.0 if sheet.printable.x > 10 else 10.0
    made = opened(pdf.data(Document(title="", pages=tiling.pages[:2])))
    assert len(made.pages) == min(2, len(tiling.pages))
    for page in made.pages:
        lines = [points for points in strokes(page) if len(points) == 2]
        ticks = [points for points in lines if max(size(points)) == pytest.approx(2.4, abs=0.02)]
        corner = (tiling.lattice.window.x + 0.8, tiling.lattice.window.y + 0.8)
        upright = [points for points in ticks if min(y for _, y in points) == pytest.approx(corner[1], abs=0.02)]
        lying = [points for points in ticks if min(x for x, _ in points) == pytest.approx(corner[0], abs=0.02)]
        assert all(size(points)[0] < 0.01 for points in upright)
        assert all(size(points)[1] < 0.01 for points in lying)
        assert [points[0][0] for points in upright] == [pytest.approx(distance, abs=0.05)]
        assert [points[0][1] for points in lying] == [pytest.approx(distance, abs=0.05)]
    marks = common_marks(tiling.lattice, words).layers[0].items
    said = [text for text, _ in type_boxes(marks)]
    assert said.count(f"{distance:g}{TEXTS[language].removeprefix('10')}") == 1
    assert said.count(f"{distance:g}") == 1


@given(
    sides=st.tuples(st.floats(210, 620), st.floats(210, 620)),
    margin=st.floats(2.0, 20.0),
    board_sides=st.tuples(st.floats(200, 1900), st.floats(200, 1900)),
    language=st.sampled_from([("en",), ("es",), ("en", "es")]),
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_ticks_and_their_type_keep_off_the_map_and_all_other_marks(
    sides: tuple[float, float], margin: float, board_sides: tuple[float, float], language: tuple[str, ...]
) -> None:
    lattice = fit_lattice(*board_sides, Sheet("any", *sides, margin))
    words = Words(language)
    names = [tile.name for tile in lattice.tiles()]
    shared = common_marks(lattice, words).layers[0].items
    own = tile_marks(lattice, lattice.tile(0, 0), IMPRINT, words, sheet_names=names).layers[0].items
    items = [*shared, *own]
    boxes = type_boxes(items)
    edge_texts = {f"{distance}{text.removeprefix('10')}" for distance in (5, 10, 15, 20) for text in TEXTS.values()}
    ticked = [each for each in boxes if each[0] in {*edge_texts, "5", "10", "15", "20"}]
    assert len({text for text, _ in ticked}) == len(ticked) <= 2
    bars = [box_around(points) for path, points in runs(items) if path.fill == WHITE]
    for text, place in ticked:
        inner = place.padded(-0.05)
        assert not inner.meets(lattice.window), text
        assert not [other for other, box in boxes if other != text and inner.meets(box)], text
        assert not any(inner.meets(bar) for bar in bars), text
        room = lattice.sheet.printable.padded(0.06)
        assert room.x <= place.x <= place.right <= room.right, text
        assert room.y <= place.y <= place.top <= room.top, text


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("language", [("en",), ("en", "es")])
def test_the_card_of_a_plan_has_the_size_of_a_bank_card(paper: str, language: tuple[str, ...]) -> None:
    words, sheet = Words(language), find_sheet(paper)
    whole = board(609.6, 609.6)
    tiling = tile_drawing(whole, sheet, imprint=IMPRINT, words=words)
    pages = assembly_plan_pages(tiling, whole, [], sheet, imprint=IMPRINT, words=words)
    made = opened(pdf.data(Document(title="", pages=pages)))
    cards = [points for points in strokes(made.pages[0]) if len(points) > 20]
    assert [size(points) for points in cards] == [pytest.approx((85.60, 53.98), abs=0.05)]
    said = {text for placement in pages[0].placements for text, _ in type_boxes(placement.drawing.layers[0].items)}
    assert "Put a bank card on it; it must fit exactly." in said
    assert ("Pon encima una tarjeta bancaria: debe encajar exactamente." in said) == ("es" in language)


def test_a_plan_without_room_has_no_card_and_as_many_pages() -> None:
    words, sheet, whole = Words(("en",)), find_sheet("a4"), board(609.6, 609.6)
    tiling = tile_drawing(whole, sheet, imprint=IMPRINT, words=words)
    pages = assembly_plan_pages(tiling, whole, [board(180.0, 160.0)], sheet, imprint=IMPRINT, words=words)
    assert len(pages) == 1
    made = opened(pdf.data(Document(title="", pages=pages)))
    assert not [points for points in strokes(made.pages[0]) if len(points) > 20]
