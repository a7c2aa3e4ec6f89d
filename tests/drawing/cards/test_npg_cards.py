"""Cards of the solo game as they are drawn and put on sheets: measures, type, what keeps apart in black and white."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath

import numpy as np
import pytest
from card_deck import bench, beyond, made, reach, said, texts
from drawing_text import dump
from msgspec.structs import replace
from numpy.typing import NDArray
from solo_games import RULES

from printkit.content.cards import Card, Deck
from printkit.content.prose import Diagram, Modifiers, Paragraph, Results
from printkit.core.errors import BookError, PageError, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Affine, Drawing, Font, Path, Text
from printkit.drawing.cards.faces import CardFace, draw_front
from printkit.drawing.cards.layouts import find_size
from printkit.drawing.cards.parts import rotated
from printkit.drawing.lettering.extent import union_extents
from printkit.drawing.text.text_styles import text_style
from printkit.drawing.text.typesetting import lay_out_diagram
from printkit.export.png import pictures
from printkit.kit import registry
from printkit.options.printing import CardOptions
from printkit.page.imposition import CutPlan, impose
from printkit.page.marks import Imprint
from printkit.page.sheet import Document, Flip, Page, Placement, Sheet
from printkit.page.sheet import find_sheet as find_paper
from printkit.recipes.prints.decks import DeckOnSheets, SystemDeck, card_context, deck_document, find_deck
from printkit.systems.solo.cards.bound_deck import build_bound_deck
from printkit.systems.solo.cards.decks import build_summary_deck
from printkit.systems.solo.cards.reference import build_reference_deck
from printkit.systems.solo.sheets.booklet import make_booklet_document
from printkit.systems.solo.sheets.card_bound import CELL
from printkit.systems.solo.sheets.card_pictures import PLANS, draw_picture, find_window

ENGLISH = Words(("en",))
MEASURED = FilePath(__file__).parents[3] / "docs" / "dev" / "map-quality.md"
FULLEST = ("R02", "R12", "P-A")


@cache
def reference(language: str, size: str) -> dict[str, CardFace]:
    """Return the reference cards; in another size than the usual one the fullest of them."""
    deck = build_reference_deck(Words((language,)), RULES)
    if size:
        deck = replace(deck, cards=tuple(card for card in deck.cards if card.id in FULLEST))
    return {face.id: face for face in made(deck, size, manner="ink-saver", lang=language)}


@cache
def bound() -> Deck:
    return build_bound_deck(ENGLISH, RULES, seed=7)


def plain(*drawings: Drawing) -> dict[float, int]:
    """Return how many letters stand in each size of type."""
    found: dict[float, int] = {}
    for text in (text for drawing in drawings for text in texts(drawing)):
        found[round(text.size_pt, 2)] = found.get(round(text.size_pt, 2), 0) + len(text.content)
    return found


def oblongs(drawing: Drawing) -> Iterator[tuple[float, float, float, float]]:
    """Yield x, y, width and height in mm of every stroked path of four corners."""
    for item in (item for _, item in drawing.items() if isinstance(item, Path) and item.stroke):
        if all(len(run.points) == 8 for run in item.runs):
            for run in item.runs:
                across, up = run.points[::2], run.points[1::2]
                low, left = min(up), min(across)
                yield left / 100, low / 100, (max(across) - left) / 100, (max(up) - low) / 100


@pytest.mark.clause("ST-77")
@pytest.mark.parametrize(("language", "size"), [("en", ""), ("es", ""), ("es", "us-2.5x3.5in")])
def test_every_text_stands_in_the_safe_box_in_type_that_can_be_read(language: str, size: str) -> None:
    card = find_size(size)
    for name, face in reference(language, size).items():
        for side in (face.front, face.back):
            assert side is not None
            assert [(name, text.content) for text in texts(side) if text.size_pt < 7.0 - 1e-6] == []
            assert [(name, text) for text in beyond(side, card.width, card.height)] == []


def body_sizes(language: str) -> dict[str, float]:
    """Return the size in which most letters of each reference card stand."""
    sizes = {name: plain(face.front) for name, face in reference(language, "").items()}
    return {name: max(found, key=lambda size: found[size]) for name, found in sizes.items()}


@pytest.mark.clause("ST-77")
@pytest.mark.parametrize("language", ["en", "es"])
def test_body_type_is_8_points_where_it_can_be_and_never_under_7(language: str) -> None:
    bodies = body_sizes(language)
    assert min(bodies.values()) >= 7.5
    assert bodies["R12"] >= 7.5
    assert sum(size >= 8.0 for size in bodies.values()) >= 25
    assert all(bodies[name] == 9.0 for name in ("P-A", "P-C", "P-D", "G1", "G2", "G3", "G4"))


@pytest.mark.parametrize(("language", "column"), [("en", 1), ("es", 3)])
def test_the_page_tells_the_type_of_each_card(language: str, column: int) -> None:
    lines = MEASURED.read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if line.count(" | ") == 4 and " × " in line and "`" not in line]
    rows = [line.strip("| ").split(" | ") for line in listed]
    told = {row[0]: row[column].split(" × ")[1] for row in rows}
    assert {name: float(size) for name, size in told.items()} == body_sizes(language)


@pytest.mark.clause("ST-77")
def test_what_is_too_long_wraps_or_is_refused_by_name() -> None:
    army = "The Most Noble and Invincible Host of the Hills and the Sea!"
    plan = bench("", manner="ink-saver")
    card = Card(id="X4", title=army, blocks=(Paragraph(army),), face="npg")
    titled = "".join(text.content for text in texts(draw_front(card, plan)) if text.font is Font.SMALL_CAPITALS)
    assert "".join(titled.split()) == "".join(army.split())
    endless = replace(card, title="X", blocks=(Paragraph(" ".join([army] * 24)),))
    with pytest.raises(PageError, match=r"^card X4 is \d+ lines too long for poker-63x88 at 7 pt; shorten"):
        draw_front(endless, plan)
    with pytest.raises(PageError, match=r"at 7.5 pt; shorten"):
        draw_front(replace(endless, facts={"least": 7.5}), plan)
    with pytest.raises(PageError, match=r"card X4: the title .* does not fit in \d+ mm on two lines at 7 pt"):
        draw_front(replace(card, title=" ".join([army] * 3)), plan)


def test_modifiers_have_a_column_of_8_mm_and_boxes_of_3_and_results_stand_in_boxes_side_by_side() -> None:
    block = Modifiers((("+2", "five"), ("-12", "six")), boxes=2)
    drawing = draw_front(Card(id="R1", title="R", blocks=(block,), face="npg"), bench("", manner="ink-saver"))
    squares = [found for found in oblongs(drawing) if found[2:] == (3.0, 3.0)]
    assert [round(found[0], 2) for found in squares] == [3.0, 7.2, 3.0, 7.2]
    amounts = [text for text in texts(drawing) if text.content in ("+2", "−12")]
    ends = [reach(text).right / 100 for text in amounts]
    assert ends == pytest.approx([3 + 2 * 4.2 + 8] * 2, abs=0.05)
    assert {text.font for text in amounts} == {Font.HEAVY}
    results = Results(((("3 or less", "BUA"), ("4 or more", "Road")), (("5", "all"),)))
    drawing = draw_front(Card(id="R1", title="R", blocks=(results,), face="npg"), bench("", manner="ink-saver"))
    boxes = [found for found in oblongs(drawing) if found[2] == 57.0]
    assert len(boxes) == 2
    assert boxes[0][1] == pytest.approx(boxes[1][1] + boxes[1][3], abs=0.02)
    assert "3 or less BUA 4 or more Road 5 all" in said(drawing)


def test_stance_cards_bear_their_mark_18_mm_high_beside_the_list() -> None:
    for name, letter in (("P-A", "A"), ("P-C", "C"), ("P-D", "D")):
        drawing = reference("en", "")[name].front
        big = next(text for text in texts(drawing) if text.content == letter)
        assert big.size_pt > 15
        shapes = [reach(item) for _, item in drawing.items() if isinstance(item, Path)]
        mark = [box for box in shapes if box.right > 5990 and box.left > 4100 and box.top > 7300 and box.bottom > 5000]
        assert any(round(box.top - box.bottom, -1) >= 1790 for box in mark), name


def test_every_plan_is_drawn_and_another_is_refused() -> None:
    backs = [block for card in build_reference_deck(ENGLISH, RULES).cards for block in card.back]
    blocks = [block for card in registry.find("collision-course").decks(ENGLISH)[0].cards for block in card.blocks]
    drawn = {block.name for block in (*backs, *blocks) if isinstance(block, Diagram)}
    assert drawn | {"stance"} == set(registry.merge_plugin_table("diagrams"))
    with pytest.raises(PageError, match="there is no plan 'moon'; use one of corners, bands"):
        lay_out_diagram(Diagram(name="moon"), 57.0, text_style(style.find("ink-saver"), 8.0))


def test_every_reference_card_but_those_of_the_stances_has_a_picture_beside_its_title() -> None:
    plan = bench("", manner="campaign")
    cards = {card.id: card for card in build_reference_deck(ENGLISH, RULES).cards}
    assert {name for name, card in cards.items() if "picture" not in card.facts} == {"P-A", "P-C", "P-D"}
    names = [card.facts["picture"] for card in cards.values() if "picture" in card.facts]
    assert set(PLANS) <= set(names)
    for card in cards.values():
        window = find_window(card, plan)
        if window is None:
            continue
        assert plan.text.band.top > window.top > window.y > plan.text.box.top
        _, shown = draw_picture(card, window, plan)
        edge = union_extents(reach(item) for item in shown)
        assert min(edge.left - 100 * window.x, 100 * window.right - edge.right) >= -40
        assert min(edge.bottom - 100 * window.y, 100 * window.top - edge.top) >= -40
        title = [text for text in texts(draw_front(card, plan)) if text.font is Font.SMALL_CAPITALS]
        assert min(text.at[0] for text in title) > window.right


def test_a_long_title_goes_before_the_picture_and_an_unknown_one_is_named() -> None:
    plan = bench("", manner="ink-saver")
    card = Card(id="X", title="Aggression", blocks=(Paragraph("One."),), face="npg", facts={"picture": "die"})
    assert find_window(card, plan) is not None
    long = replace(card, title="The garrison of the built-up area and who is in it")
    assert find_window(long, plan) is None
    assert dump(draw_front(long, plan)) == dump(draw_front(replace(long, facts={}), plan))
    with pytest.raises(BookError, match="card X: no picture 'moon'; use a kind of ground"):
        draw_front(replace(card, facts={"picture": "moon"}), plan)


@pytest.mark.clause("ST-73")
def test_a_bound_card_has_the_measures_of_the_specification_and_keeps_to_its_box_in_two_languages() -> None:
    card = next(card for card in bound().cards if card.id == "B23")
    drawing = draw_front(card, bench("", manner="ink-saver"))
    pips = next(text for text in texts(drawing) if text.size_pt == 28.0)
    assert (pips.content, pips.at[0] < 20) == ("4", True)
    cells = [found for found in oblongs(drawing) if found[2:] == CELL]
    assert len(cells) == 8
    assert [round(cell[0], 2) for cell in cells] == [pytest.approx(3.5 + 7 * place) for place in range(8)]
    letters = [text.content for text in texts(drawing) if text.content in ("A", "C", "D")]
    assert letters == list("DCCAAAAA")
    for words in ("PIPS", "STANCE", "OVERRIDE YES", "2D6 = 9", "B23 4/5", "−3", "+4"):
        assert words in said(drawing)
    foot = next(text for text in texts(drawing) if text.content == "B23 4/5")
    assert foot.size_pt == 7.0
    assert min(text.size_pt for text in texts(drawing)) >= 7.0
    assert list(beyond(drawing, 63, 88)) == []
    small = draw_front(card, bench("mini"))
    assert [text.content for text in texts(small) if text.content in ("A", "C", "D")] == letters
    assert list(beyond(small, 44, 68)) == []
    deck = build_bound_deck(Words(("en", "es")), RULES, seed=7)
    both = draw_front(next(card for card in deck.cards if card.id == "B06"), bench("", manner="ink-saver"))
    assert list(beyond(both, 63, 88)) == []
    assert "OVERRIDE YES · ANULAR: SÍ" in said(both)
    assert min(text.size_pt for text in texts(both)) >= 7.0


def regions(dark: NDArray[np.bool_]) -> list[int]:
    """Return the sizes of the regions of a picture that hang together, the largest first."""
    left = {(int(row), int(column)) for row, column in zip(*np.nonzero(dark), strict=True)}
    sizes = []
    while left:
        edge, size = [left.pop()], 0
        while edge:
            row, column = edge.pop()
            size += 1
            for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if near in left:
                    left.remove(near)
                    edge.append(near)
        sizes.append(size)
    return sorted(sizes, reverse=True)


def test_in_one_bit_at_300_dpi_every_letter_of_the_strip_keeps_apart_from_its_fill() -> None:
    """D and C are black regions beside outline and half; the A is a white one inside its triangle."""
    card = next(card for card in bound().cards if card.id == "B11")
    drawing = draw_front(card, bench("", manner="campaign"))
    sheet = Sheet("card", 63.0, 88.0, 0.0)
    page = Page(sheet=sheet, placements=(Placement(drawing, Affine()),), trim=sheet.printable, label="1")
    picture = next(iter(pictures(Document(title="t", pages=(page,)), 300)))
    dark = np.asarray(picture.convert("L")) < 128
    dot = 300 / 25.4
    low = min(found[1] for found in oblongs(drawing) if found[2:] == CELL)
    top, bottom = (88 - low - CELL[1] + 0.3) * dot, (88 - low - 0.3) * dot
    for place, letter in enumerate("DDCCAAAA"):
        left = (3.5 + CELL[0] * place + 0.3) * dot
        cell = dark[round(top) : round(bottom), round(left) : round(left + (CELL[0] - 0.6) * dot)]
        blacks = [size for size in regions(cell) if size > 25]
        whites = [size for size in regions(np.pad(~cell, 1, constant_values=True)) if size > 25]
        # Black: outline and letter of D, half and letter of C, triangle of A and the inside of its letter.
        assert len(blacks) == 2, (place, letter, blacks)
        # White: what lies outside, what lies inside the outline, the inside of D; the letter A itself.
        assert len(whites) == {"D": 3, "C": 2, "A": 2}[letter], (place, letter, whites)


@pytest.mark.clause("ST-72")
def test_backs_of_the_bound_deck_are_one_picture_with_a_white_edge_and_alike_upside_down() -> None:
    few = replace(bound(), cards=bound().cards[:3])
    backs = [face.back for face in made(few, manner="ink-saver")]
    assert all(back is backs[0] for back in backs)
    back = backs[0]
    assert back is not None
    assert {text.content for text in texts(back)} == {"BOUND DECK"}
    edge = union_extents(reach(item) for _, item in back.items())
    assert min(edge.left, edge.bottom, 6300 - edge.right, 8800 - edge.top) >= 399
    lines = [item for _, item in back.items() if isinstance(item, Path)]
    kept, again = (
        {frozenset(zip(run.points[::2], run.points[1::2], strict=True)) for item in items for run in item.runs}  # type: ignore[union-attr]
        for items in (lines, rotated(lines, find_size()))
    )
    assert kept == again


def printed(deck: Deck, **more: object) -> DeckOnSheets:
    order = card_context(CardOptions(style="ink-saver", **more), ENGLISH)  # type: ignore[arg-type]
    return deck_document(SystemDeck(deck, None), order)


@pytest.mark.clause("ST-76")
@pytest.mark.parametrize(
    ("sheet", "size", "left", "top"),
    [
        ("a4", "poker-63x88", 10.50, 16.50),
        ("letter", "poker-63x88", 13.45, 7.70),
        ("a4", "us-2.5x3.5in", 9.75, 15.15),
        ("letter", "us-2.5x3.5in", 12.70, 6.35),
    ],
)
def test_nine_cards_on_a_sheet_with_their_backs_behind_them(sheet: str, size: str, left: float, top: float) -> None:
    few = replace(bound(), cards=bound().cards[:9])
    made_of = printed(few, sheet=sheet, size=size)
    card = find_size(size)
    fronts, backs = made_of.document.pages
    paper = find_paper(sheet)
    places = [(placed.transform.e, placed.transform.f) for placed in fronts.placements[:-1]]
    assert places[0] == pytest.approx((left, paper.height - top - card.height), abs=0.01)
    assert places[8] == pytest.approx((left + 2 * card.width, paper.height - top - 3 * card.height), abs=0.01)
    behind = [(placed.transform.e, placed.transform.f) for placed in backs.placements[:-1]]
    assert behind == [pytest.approx((paper.width - x - card.width, y), abs=0.01) for x, y in places]
    assert made_of.document.flip is Flip.LONG_EDGE


def test_backs_stand_on_their_heads_over_the_short_edge_and_decks_have_their_number_of_pages() -> None:
    few = replace(bound(), cards=bound().cards[:9])
    fronts, backs = printed(few, flip=Flip.SHORT_EDGE).document.pages
    for one, other in zip(fronts.placements[:-1], backs.placements[:-1], strict=True):
        assert (other.transform.a, other.transform.d) == (-1.0, -1.0)
        assert other.transform.e - 63.0 == pytest.approx(one.transform.e, abs=0.01)
        assert other.transform.f == pytest.approx(297.0 - one.transform.f, abs=0.01)
    assert printed(replace(few, cards=few.cards[:4]), fold=True).imposition.slots.count == 4
    cards = tuple(reference("en", "").values())
    cutting = CutPlan(size=find_size())
    both = impose(cards, find_paper("a4"), cutting, imprint=Imprint(title="t"), words=ENGLISH)
    assert (both.sheets, len(both.pages)) == (3, 6)
    assert sum(len(page.placements) - 1 for page in both.pages) == 2 * 27


def test_the_decks_need_no_rule_system_and_only_the_bound_deck_is_shuffled() -> None:
    assert find_deck("npg", ENGLISH, {}).deck.name == "npg"
    one, other = (find_deck("bound", ENGLISH, {}, seed=seed, copies=2).deck for seed in (1, 2))
    assert len(one.cards) == len(other.cards) == 72
    assert one.cards != other.cards
    with pytest.raises(
        UsageError, match="--count works only with the deck bound; deck npg has a fixed order and number of cards"
    ):
        find_deck("npg", ENGLISH, {}, copies=2)
    with pytest.raises(UsageError, match="--seed works only with the deck bound"):
        find_deck("summary", ENGLISH, {}, seed=2)
    with pytest.raises(UsageError, match="unknown deck 'nothing'; use one of npg, summary, bound, blank"):
        find_deck("nothing", ENGLISH, {})


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_summary_stands_on_one_large_card_or_on_both_sides_of_a_smaller_one(language: str) -> None:
    deck = build_summary_deck(Words((language,)), RULES)
    (whole,) = made(deck, "150x150", manner="campaign", lang=language)
    assert whole.back is None
    (small,) = made(deck, "tarot", manner="ink-saver", lang=language)
    assert small.back is not None
    for side in (whole.front, small.front, small.back):
        assert min(text.size_pt for text in texts(side)) >= 6.9
        assert list(beyond(side, side.width, side.height)) == []
    assert "11" in said(whole.front)
    parts = made(deck, manner="ink-saver", lang=language)
    assert len(parts) > 1
    told = " ".join(said(side) for part in parts for side in (part.front, part.back) if side is not None)
    words = [text.content for text in texts(small.back) if len(text.content) > 4 and not text.content.isupper()]
    assert [word for word in words if word not in told] == []


def test_the_booklet_is_two_sheets_folded_once_at_8_points() -> None:
    words = Words(("es",))
    order = card_context(CardOptions(sheet="letter", style="ink-saver"), words)
    folded = make_booklet_document(order)
    pages = folded.document.pages
    assert (len(pages), folded.pages) == (4, 8)
    assert folded.document.flip is Flip.SHORT_EDGE
    assert [page.back for page in pages] == [False, True, False, True]
    bodies = [placed.drawing for page in pages for placed in page.placements]
    feet = ([text.content for text in texts(body) if text.at[1] < 1.0 and text.content.isdigit()] for body in bodies)
    assert "".join(numbers[0] for numbers in feet) == "81276345"
    sizes = plain(*bodies)
    assert max(sizes, key=lambda size: sizes[size]) == 8.0
    titles = " ".join(said(body) for body in bodies)
    assert all(f"{card.id} " in titles for card in build_reference_deck(words, RULES).cards)
    with pytest.raises(UsageError, match="--flip and --fold are for cards"):
        make_booklet_document(card_context(CardOptions(fold=True), words))


def test_the_same_order_is_the_same_drawing_with_titles_grounds_and_feet_of_all_cards() -> None:
    cards = build_reference_deck(ENGLISH, RULES).cards
    plan = bench("", manner="ink-saver")
    assert dump(draw_front(cards[11], plan)) == dump(reference("en", "")["R12"].front)
    assert isinstance(next(iter(texts(draw_front(cards[11], plan)))), Text)
    plan = bench("", manner="campaign")
    title, rows = Card(id="R1", title="Battle sequence", blocks=(Paragraph("One."),)), []
    for card in (title, replace(title, face="npg"), replace(title, face="npg", back=(Paragraph("Two."),))):
        told = [text for text in texts(draw_front(card, plan)) if text.content != "One."]
        rows.append([(text.content, text.font, text.size_pt, text.at) for text in told])
    assert rows[0] == rows[1] == rows[2]
    card = next(card for card in bound().cards if card.id == "B23")
    ground, *_ = (item for _, item in draw_front(card, plan).items() if isinstance(item, Path))
    assert ground.fill == plan.ground
    foot = next(text for text in texts(draw_front(card, plan)) if text.content == "B23 4/5")
    assert (foot.at[0], foot.at[1]) == (plan.text.foot.x, plan.text.foot.y)
