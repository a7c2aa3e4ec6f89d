"""Pieces of a board at true size: zone sheets with their backs, cut-outs with tabs; and the kit that needs no game."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace
from playing import rules
from reading import texts
from shapely import box
from telling_words import told
from test_brantley_sheets import order, sized, strokes

from printkit.cli.app import run
from printkit.core.errors import PageError, RecordError, UsageError
from printkit.core.words import find_words as language
from printkit.export.pdf import data
from printkit.kit.registry import find
from printkit.options.printing import CardOptions
from printkit.page.sheet import Document, Flip
from printkit.page.slots import mirror_to_back
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.prints.decks import card_context
from printkit.systems.brantley.sheets import print_decks
from printkit.systems.brantley.sheets.cut_outs import cut_out_document, cut_out_pages
from printkit.systems.brantley.sheets.documents import hidden_pages, reveal_pages
from printkit.systems.brantley.sheets.zones import build_zone_document
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Hill, Kind, Origin
from printkit.terrain.field.record import Record

pytestmark = pytest.mark.usefixtures("table")

ZONE = 203.2
BOARD = find("brantley").board()
FIELD = Battlefield(board=BOARD, title="Hare Hill")
GOING = find("brantley").book.going
LAKE = Area(
    id="z5", kind=Kind.LAKE, going=GOING["impassable"], outline=box(250, 260, 377, 361.6), origin=Origin(zone=5)
)
HILL = Hill(id="z1", kind=Kind.HILL, contours=(box(20, 430, 140, 530),), going=GOING["good"], origin=Origin(zone=1))
CODES = ["KS", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H"]
ZONES = [
    {"n": number, "card": code, "placed_by": None if number == 9 else "AB"[(number + 1) % 2],
     "turn": None if number == 9 else number, "blind": number == 9}
    for number, code in enumerate(CODES, 1)
]  # fmt: skip
BARE = Record(rules="brantley", battlefield=FIELD, details={"zones": ZONES, "deck": CODES}, seed=3)


@cache
def zones_on(sheet: str) -> Document:
    return build_zone_document(BARE, order(sheet))


def text_of(document: Document) -> str:
    return " ".join(" ".join(texts(data(document))).split())


# --- Zone sheets ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-105", "BR-106", "BR-A07")
@pytest.mark.parametrize(("sheet", "parts"), [("letter", 1), ("a4", 2)])
def test_a_zone_is_eight_inches_on_paper_and_shows_its_part_of_the_board_with_its_back_behind(
    sheet: str, parts: int
) -> None:
    document, wide = zones_on(sheet), ZONE / parts
    assert [page.back for page in document.pages] == [False, True] * 9 * parts
    assert document.flip is Flip.LONG_EDGE
    assert len(sized(strokes(replace(document, pages=document.pages[:1])), wide, ZONE)) == 1
    shown = []
    for front, back in zip(document.pages[::2], document.pages[1::2], strict=True):
        board, _ = front.placements
        assert board.transform[:4] == (1.0, 0.0, 0.0, 1.0)
        assert board.clip is not None
        shown.append((board.clip.x - board.transform.e, board.clip.y - board.transform.f, *board.clip[2:]))
        secret, upon, _ = back.placements
        assert secret.clip == upon.clip == mirror_to_back(board.clip, front.sheet, Flip.LONG_EDGE)
    expected = [
        (column * ZONE + part * wide, row * ZONE, wide, ZONE)
        for row in (2, 1, 0)
        for column in range(3)
        for part in range(parts)
    ]
    assert shown == [pytest.approx(window, abs=1e-6) for window in expected]


@pytest.mark.clause("BR-M12")
def test_the_back_of_a_zone_tells_its_number_and_bearing_alone() -> None:
    document = zones_on("letter")
    for number in (1, 17):
        text = text_of(replace(document, pages=(document.pages[number],)))
        assert str((number + 1) // 2) in text
        assert "Player A’s edge" in text
        assert "Hare Hill" not in text
        # The back itself says that its ground is hidden, as every card does.
        assert told(text) <= {"ground"}


def test_paper_for_a_ninth_of_a_zone_is_the_least() -> None:
    with pytest.raises(PageError, match="use larger paper"):
        build_zone_document(BARE, order("60x70mm"))


# --- Cut-outs ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-A10")
def test_each_feature_has_a_tile_of_its_own_at_true_size_with_tabs() -> None:
    record = replace(BARE, battlefield=FIELD.add(LAKE, HILL))
    document = cut_out_document(record, order())
    pictures = [each for page in document.pages for each in page.placements if each.clip is not None]
    assert [each.transform[:4] for each in pictures] == [(1.0, 0.0, 0.0, 1.0)] * 2
    sizes = [each.clip[2:] for each in pictures if each.clip is not None]
    assert sizes == [pytest.approx((131.0, 105.6)), pytest.approx((124.0, 104.0))]
    text = text_of(document)
    assert text.count("glue") >= 6
    assert "Zone 5: Lake" in text
    assert "Zone 1: Hill" in text


@pytest.mark.clause("BR-A10")
def test_a_bare_board_has_nothing_to_cut_out_and_a_large_feature_goes_over_several_sheets() -> None:
    assert cut_out_pages(BARE, order()) == ()
    with pytest.raises(PageError, match="nothing to cut out"):
        cut_out_document(BARE, order())
    for features, labels in (
        ((HILL, replace(LAKE, outline=box(20, 20, 200, 120))), ["Cut-outs", "2-A1"]),
        ((replace(LAKE, outline=box(20, 20, 400, 120)),), ["1-A1", "1-A2"]),
    ):
        pages = cut_out_pages(replace(BARE, battlefield=FIELD.add(*features)), order())
        assert [page.label for page in pages] == labels


# --- Records ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-A08", "BR-A09", "BR-T38", "BR-M21")
def test_a_record_gives_its_hidden_sheet_without_a_card_and_its_reveal_with_a_map() -> None:
    secret, reveal = (text_of(Document(title="", pages=pages(BARE, order()))) for pages in (hidden_pages, reveal_pages))
    assert told(secret) == set()
    for text, parts in (
        (secret, ["A, turn 1", "blind"]),
        (reveal, ["King of spades: built-up area, bad going", " ".join(CODES), "The terrain"]),
    ):
        assert [part for part in parts if part not in text] == []


def test_a_record_drawn_by_hand_has_no_such_sheets() -> None:
    for make in (hidden_pages, reveal_pages):
        with pytest.raises(RecordError, match="drawn by hand"):
            make(replace(BARE, details={}), order())


# --- The kit ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M01", "BR-M02")
def test_the_kit_is_four_files_and_needs_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def stub(found: object, wanted: PrintContext[CardOptions]) -> object:
        asked.append(found.deck.name)  # type: ignore[attr-defined]
        # It is printed in the place of a deck, which takes long to be drawn.
        return type("Printed", (), {"document": print_decks.build_form_document(order(wanted.sheet.name), rules())})

    monkeypatch.setattr(print_decks, "deck_document", stub)
    assert run(["cards", "kit", "--lang", "en", "--style", "ink-saver", "--out", "kit", "--quiet"]) == 0
    assert asked == ["terrain", "reference"]
    names = sorted(path.name for path in Path("kit").iterdir())
    assert names == ["cards-reference.pdf", "cards-terrain.pdf", "record-form.pdf", "zone-board.pdf"]
    assert "Zone 9" in texts((Path("kit") / "zone-board.pdf").read_bytes())[0]
    assert "Rivers" in texts((Path("kit") / "record-form.pdf").read_bytes())[0]


def test_what_the_kit_cannot_be_is_refused() -> None:
    how = card_context(CardOptions(style="ink-saver", backs="deck"), language("en"))
    with pytest.raises(UsageError, match="--backs are for a single deck"):
        print_decks.build_kit_files(how)
    assert run(["cards", "kit", "--out", "-"]) == 2
    assert run(["cards", "kit", "--to", "png"]) == 2
