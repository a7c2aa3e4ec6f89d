"""Cards on sheets: where they stand, what stands beside them, and backs that land on their fronts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from card_samples import MINI, POKER, TAROT, US, samples
from msgspec.structs import replace
from reading import Outline, opened, outlines, rendered, texts
from seen import assert_legible, box_around, own, runs, type_boxes

from printkit.content.cards import CardSize
from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Path, Rect, Text
from printkit.export import pdf
from printkit.page.imposition import CutPlan, ImposedCards, impose
from printkit.page.marks import Imprint
from printkit.page.sheet import Document, Flip, Page, Sheet, find_sheet
from printkit.page.slots import fit_slots, flips_left_right, mirror_to_back

ENGLISH = Words(("en",))
BOTH = Words(("en", "es"))
DOTS = 4


def imposed(
    count: int,
    size: CardSize = POKER,
    sheet: str | Sheet = "a4",
    *,
    backed: bool = True,
    words: Words = ENGLISH,
    margin: float = 5.0,
    **more: object,
) -> ImposedCards:
    paper = find_sheet(sheet, margin=margin) if isinstance(sheet, str) else sheet
    cutting = replace(CutPlan(size=size), **more)
    return impose(samples(count, size, backed=backed), paper, cutting, imprint=Imprint(title="Oaks"), words=words)


def printed(made: ImposedCards) -> bytes:
    return pdf.data(Document(title="Oaks", pages=made.pages, flip=made.flip))


def stroked(data: bytes, page: int) -> list[Outline]:
    """Return every outline that a page of a PDF strokes."""
    made = opened(data)
    return list(outlines(made.pages[page].obj))


def boxes(data: bytes, page: int) -> list[Outline]:
    """Return the outlines of cards that a page of a PDF strokes."""
    return [each for each in stroked(data, page) if each.size == pytest.approx((63.0, 88.0), abs=0.02)]


def marks(page: Page) -> Iterator[Path | Text]:
    """Yield what a page carries outside its cards."""
    for layer in page.placements[-1].drawing.layers:
        for item in layer.items:
            assert isinstance(item, Path | Text)
            yield item


MARGINS = [
    (POKER, "a4", 0.0, 10.50, 16.50),
    (POKER, "letter", 0.0, 13.45, 7.70),
    (POKER, "a4", 2.0, 8.50, 14.50),
    (POKER, "letter", 2.0, 11.45, 5.70),
    (US, "a4", 0.0, 9.75, 15.15),
    (US, "letter", 0.0, 12.70, 6.35),
    (US, "a4", 2.0, 7.75, 13.15),
    (US, "letter", 2.0, 10.70, 4.35),
]


@pytest.mark.parametrize(("size", "sheet", "gutter", "left", "top"), MARGINS)
def test_nine_cards_stand_in_the_middle(size: CardSize, sheet: str, gutter: float, left: float, top: float) -> None:
    paper = find_sheet(sheet, margin=min(5.0, top))
    slots = fit_slots(size.width, size.height, paper, gutter=gutter)
    assert (slots.columns, slots.rows, slots.sheet.is_landscape) == (3, 3, False)
    assert slots.block.x == pytest.approx(left)
    assert paper.height - slots.block.top == pytest.approx(top)
    assert slots.block.y == pytest.approx(top)


@pytest.mark.parametrize(("sheet", "gutter", "left", "top"), [case[1:] for case in MARGINS[:4]])
def test_cards_have_their_size_and_place_in_the_file(sheet: str, gutter: float, left: float, top: float) -> None:
    found, height = boxes(printed(imposed(9, sheet=sheet, gutter=gutter, backed=False)), 0), find_sheet(sheet).height
    places = [
        (left + column * (63 + gutter), height - top - row * (88 + gutter))
        for row, column in product(range(3), repeat=2)
    ]
    assert [(box.left, box.top) for box in found] == [pytest.approx(place, abs=0.05) for place in places]


def test_a_sheet_is_turned_only_where_that_holds_more_and_a_column_gives_way_to_marks() -> None:
    """Three columns and two rows fill A4 to its margins, so two and two stand on it, and the paper need not lie."""
    a4 = find_sheet("a4", margin=5.0)
    assert not fit_slots(100.0, 100.0, a4).sheet.is_landscape
    assert not fit_slots(70.0, 120.0, a4).sheet.is_landscape
    assert fit_slots(63.5, 88.9, find_sheet("letter", margin=5.0), gutter=2.0).sheet.is_landscape
    lying, large, small = fit_slots(126.0, 88.0, a4.rotated()), fit_slots(100.0, 143.5, a4), fit_slots(66.5, 143.5, a4)
    assert (lying.sheet.is_landscape, lying.count) == (True, 4)
    assert large.count == 2
    assert large.bands() is not None
    assert (small.columns, small.rows, small.sheet.is_landscape) == (2, 2, False)


def test_as_many_sheets_as_it_takes_all_alike_and_two_sided_for_one_card_with_a_back() -> None:
    made = imposed(10, backed=False)
    assert [page.label for page in made.pages] == ["1", "2"]
    data = printed(made)
    (alone,) = boxes(data, 1)
    assert alone == boxes(data, 0)[0]
    cards = [*samples(9, POKER, backed=False), *samples(1, POKER)]
    made = impose(
        cards, find_sheet("a4", margin=5.0), CutPlan(size=POKER), imprint=Imprint(title="Oaks"), words=ENGLISH
    )
    assert [page.back for page in made.pages] == [False, True, False, True]
    assert [len(page.placements) for page in made.pages] == [10, 1, 2, 2]


TURNS = [
    pytest.param(count, size, sheet, flip, id=f"{count} {size.name} {sheet} {flip}")
    for count, size, sheet in [(9, POKER, "a4"), (10, POKER, "a4"), (5, POKER, "170x260mm"), (7, TAROT, "260x170mm")]
    for flip in Flip
]


@pytest.mark.parametrize(("count", "size", "sheet", "flip"), TURNS)
def test_every_back_lands_on_its_front(count: int, size: CardSize, sheet: str, flip: Flip) -> None:
    """A back is drawn as its front shows through the paper, so the turned page must be the front to the pixel."""
    made = imposed(count, size, sheet, flip=flip, outlined=False)
    pages = list(rendered(printed(made), DOTS))
    assert len(pages) == 2 * made.sheets
    paper = made.slots.sheet
    for front, back, page in zip(pages[::2], pages[1::2], made.pages[::2], strict=True):
        turned = back[:, ::-1] if flips_left_right(paper, flip) else back[::-1, :]
        window = _pixels(page.trim, paper)
        assert (front[window] < 128).sum() > 1000
        assert (np.abs(front[window] - turned[window]) > 128).sum() == 0


def test_the_paper_decides_which_way_an_edge_turns() -> None:
    a4 = find_sheet("a4")
    assert flips_left_right(a4, Flip.LONG_EDGE)
    assert not flips_left_right(a4, Flip.SHORT_EDGE)
    assert not flips_left_right(a4.rotated(), Flip.LONG_EDGE)
    assert flips_left_right(a4.rotated(), Flip.SHORT_EDGE)
    assert mirror_to_back(Rect(10, 20, 63, 88), a4, Flip.LONG_EDGE) == Rect(137, 20, 63, 88)
    assert mirror_to_back(Rect(10, 20, 63, 88), a4, Flip.SHORT_EDGE) == Rect(10, 189, 63, 88)


def test_pairs_meet_when_they_are_folded() -> None:
    made = imposed(5, fold=True, outlined=False)
    assert (made.slots.columns, made.slots.rows, made.slots.sheet.is_landscape, made.flip) == (2, 2, True, None)
    first, second = rendered(printed(made), DOTS)
    for number in range(5):
        pair = made.slots.slot(number % 4)
        shown = (first if number < 4 else second)[_pixels(pair, made.slots.sheet)]
        front, back = np.hsplit(shown, 2)
        # The fold itself is dashed along the edge of both.
        front, folded = front[:, :-1], back[:, ::-1][:, :-1]
        assert (front < 128).sum() > 1000
        assert (np.abs(front - folded) > 128).sum() == 0


@pytest.mark.parametrize(("flip", "wanted"), [(Flip.LONG_EDGE, "LongEdge"), (Flip.SHORT_EDGE, "ShortEdge")])
def test_a_reader_is_told_how_to_turn_the_sheets(flip: Flip, wanted: str) -> None:
    assert opened(printed(imposed(1, flip=flip))).Root.ViewerPreferences.Duplex == f"/DuplexFlip{wanted}"
    assert "/Duplex" not in opened(printed(imposed(1, flip=flip, backed=False))).Root.ViewerPreferences


def _pixels(rect: Rect, sheet: Sheet) -> tuple[slice, slice]:
    sides = (sheet.height - rect.top, sheet.height - rect.y, rect.x, rect.right)
    top, bottom, left, right = (round(side * DOTS) for side in sides)
    return slice(top, bottom), slice(left, right)


def test_sheets_say_what_they_are_and_how_they_are_turned() -> None:
    shown = texts(printed(imposed(10, flip=Flip.SHORT_EDGE)))
    for number, (page, side) in enumerate(zip(shown, ("front", "back", "front", "back"), strict=True)):
        assert f"Oaks – sheet {1 + number // 2} of 2 – {side} – flip on the short edge" in page
        assert "printer profile: none" in page
        assert "10 cm" in page
        assert "4 in" in page
        assert "Print at 100 %" in page
    assert "fold it on the dashed line" in texts(printed(imposed(1, fold=True)))[0]


CASES = [
    pytest.param(size, sheet, gutter, bleed, count, words, id=f"{size.name} {sheet} {gutter:g} {bleed:g} {count}")
    for size, sheet, gutter, bleed, count, words in [
        (POKER, "a4", 0.0, 0.0, 9, ENGLISH),
        (POKER, "letter", 0.0, 0.0, 5, BOTH),
        (POKER, "letter", 2.0, 0.0, 9, BOTH),
        (US, "letter", 0.0, 3.0, 9, ENGLISH),
        (MINI, "a4", 6.0, 3.0, 11, BOTH),
        (TAROT, "a4", 0.0, 3.0, 1, ENGLISH),
        (POKER, "a5", 0.0, 0.0, 3, ENGLISH),
    ]
]


@pytest.mark.parametrize(("size", "sheet", "gutter", "bleed", "count", "words"), CASES)
@pytest.mark.parametrize("fold", [False, True])
def test_no_mark_stands_in_a_card_or_outside_the_margins(
    size: CardSize, sheet: str, gutter: float, bleed: float, count: int, words: Words, fold: bool
) -> None:
    paper = find_sheet(sheet if sheet != "a5" else "148x210mm", margin=5.0)
    made = imposed(count, replace(size, bleed=bleed), paper, gutter=gutter, words=words, fold=fold)
    room = made.slots.sheet.printable.padded(0.05)
    for page in made.pages:
        places = [placement.clip for placement in page.placements[:-1] if placement.clip is not None]
        cards = [made.slots.slot(number) for number in range(len(places) // (2 if fold else 1))]
        if page.back:
            cards = [mirror_to_back(card, made.slots.sheet, Flip.LONG_EDGE) for card in cards]
        for item in marks(page):
            for x, y in _points(item):
                assert room.x <= x <= room.right, item
                assert room.y <= y <= room.top, item
                assert not any(_holds(card, x, y, fold=fold) for card in cards), item


def _points(item: Path | Text) -> list[tuple[float, float]]:
    if isinstance(item, Text):
        return [item.at]
    return [(x / 100, y / 100) for run in item.runs for x, y in zip(run.points[::2], run.points[1::2], strict=True)]


def _holds(card: Rect, x: float, y: float, *, fold: bool) -> bool:
    inside = card.padded(-0.02)
    on_fold = fold and abs(x - card.x - card.width / 2) < 0.02
    return inside.x < x < inside.right and inside.y < y < inside.top and not on_fold


def test_ticks_are_five_long_and_begin_two_outside() -> None:
    (page,) = imposed(9, backed=False).pages
    (ticks,) = (item for item in marks(page) if isinstance(item, Path) and item.stroke and not item.runs[0].closed)
    assert ticks.stroke is not None
    assert ticks.stroke.width == 0.15
    ends = {run.points for run in ticks.runs}
    above = {(x, 28250, x, 28750) for x in (1050, 7350, 13650, 19950)}
    assert above & ends == above
    # At the sides the margin cuts them short.
    assert (850, 1650, 500, 1650) in ends
    assert len(ends) == 16


def test_check_bars_are_true_and_hairlines_can_be_left_out_and_never_stand_on_backs() -> None:
    data = printed(imposed(9))
    for page, cards in ((0, 9), (1, 0)):
        lengths = sorted(max(each.size) for each in stroked(data, page) if min(each.size) < 2)
        assert lengths == pytest.approx([100.0, 101.6], abs=0.02)
        assert len(boxes(data, page)) == cards
    assert boxes(printed(imposed(3, outlined=False)), 0) == []


@pytest.mark.parametrize(("sheet", "rows"), [("a3", 1), ("a4", 2)])
def test_check_bars_stand_at_the_outer_edge_side_by_side_or_one_above_the_other(sheet: str, rows: int) -> None:
    made = imposed(1, sheet=sheet, backed=False)
    (page,) = made.pages
    bands, room = made.slots.bands(), made.slots.sheet.printable
    assert bands is not None
    assert not bands.vertical
    bars = [box_around(points) for path, points in runs(own(page)) if path.stroke and len(points) == 4]
    metric, inches = (bar for bar in bars if bar.height < 2)
    assert metric.y == pytest.approx(room.y, abs=0.01)
    assert (inches.y > metric.top) == (rows == 2)
    assert (inches.x > metric.right) == (rows == 1)
    assert inches.top <= room.y + bands.depth
    labels = dict(type_boxes(own(page)))
    for bar, label in ((metric, labels["10 cm"]), (inches, labels["4 in"])):
        assert bar.right < label.x < bar.right + 2
        assert bar.y - 0.1 <= label.y <= bar.top


@pytest.mark.parametrize("sheet", ["a4", "letter", "150x210mm", "260x170mm", "100x130mm"])
@pytest.mark.parametrize("words", [ENGLISH, BOTH])
def test_no_type_beside_the_cards_runs_into_other_type(sheet: str, words: Words) -> None:
    for page in imposed(3, sheet=sheet, words=words).pages:
        assert_legible(own(page), page.sheet.printable)


def test_bleed_goes_where_nobody_stands() -> None:
    size = replace(POKER, bleed=3.0)
    close, apart = imposed(9, size, backed=False), imposed(4, size, backed=False, gutter=6.0)
    first, middle = close.pages[0].placements[0].clip, close.pages[0].placements[4].clip
    slot = close.slots.slot(0)
    assert first == Rect(slot.x - 3, slot.y, 66, 91)
    assert middle == close.slots.slot(4)
    assert apart.pages[0].placements[0].clip == apart.slots.slot(0).padded(3.0)


@pytest.mark.parametrize(
    ("count", "sheet", "more", "said"),
    [
        (0, "a4", {}, "no cards to print"),
        (1, "60x90mm", {}, "a card of 63 x 88 mm with its marks does not fit the printable area of"),
        (
            1,
            "a4",
            {"margin": 4.0},
            "margins of 4 mm are narrower than the 5 mm that printers need. Use "
            "wider margins, or measure your printer: printkit calibrate",
        ),
        (1, "a4", {"gutter": -1.0}, "a gutter of -1 mm is not possible; use 0mm or more, for example 2mm"),
        (1, "36in-roll", {}, "has no fixed size"),
    ],
)
def test_what_cannot_be_is_refused(count: int, sheet: str, more: dict[str, float], said: str) -> None:
    with pytest.raises(PageError, match=said):
        imposed(count, sheet=sheet, **more)
    # A printer that is known to reach farther may.
    assert imposed(9, US, "letter", gutter=2.0, margin=4.35, least_margin=4.2).slots.count == 9
