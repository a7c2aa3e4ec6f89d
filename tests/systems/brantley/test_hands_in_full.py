"""Hands and the ninth card in large print and in long languages: what has no room on a card is on its sheet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from card_deck import said, texts
from test_brantley_sheets import OTHERS, PLAIN, hand, ninth, rules

from printkit.content.cards import Card
from printkit.content.prose import Paragraph, ScoreTable
from printkit.core.words import Words
from printkit.drawing.canvas.items import LayerName, Text
from printkit.options.printing import PrintOptions
from printkit.page.sheet import Document
from printkit.recipes.output.files import LARGE_PT
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.systems.brantley.dealing.decks import distinct_faces
from printkit.systems.brantley.sheets.documents import build_board_document, build_hand_document, build_ninth_document

HILLS = ["9S", "JS", "QC", "KS", *PLAIN[:4], "JC"]
"""A pack whose first player holds both kinds of hills, and whose ninth card is one."""


def order(language: str, *, large: bool = True) -> SheetContext:
    return print_context(PrintOptions(style="ink-saver", large_print=large), Words(tuple(language.split("+"))))


def told(document: Document) -> str:
    """Return all that a document says, without spaces and strokes."""
    return "".join(said(each.drawing) for page in document.pages for each in page.placements).replace(" ", "")


def said_by(card: Card) -> Iterator[str]:
    """Yield every stretch of text of a card, its words alone."""
    for block in card.blocks:
        match block:
            case Paragraph():
                yield from block.text.split()
            case ScoreTable():
                for score, meaning in block.rows:
                    yield from (score, *meaning.split())


@pytest.mark.parametrize("language", ["en", "es", "en+es"])
@pytest.mark.clause("BR-A05", "BR-A06", "BR-M12")
def test_in_large_print_every_word_of_every_card_is_on_its_sheet_in_11_points_and_pages_tell_nothing(
    language: str,
) -> None:
    how = order(language)
    held, last = hand(HILLS, how.words), ninth(HILLS, how.words)
    sheet, sealed = build_hand_document(held, how), build_ninth_document(last, how)
    for document, cards in ((sheet, [one.card for one in held.cards]), (sealed, [last.card])):
        whole = told(document)
        assert [word for card in cards for word in said_by(card) if word not in whole] == []
    pages = 3 if language == "en+es" else 2
    assert len(sheet.pages) == len(build_hand_document(hand(PLAIN, how.words), how).pages) == pages
    small = {
        item.content
        for document in (sheet, sealed, build_board_document(how))
        for page in document.pages
        for each in page.placements
        for layer, item in each.drawing.items()
        if isinstance(item, Text) and layer.name is not LayerName.PRINTER and item.size_pt < LARGE_PT - 1e-6
    }
    assert small == set()


def test_there_is_one_kind_for_each_wording_of_the_pack() -> None:
    found = distinct_faces(rules(), Words(("en",)))
    assert len({(card.title, card.banner, card.blocks) for card in found}) == len(found)
    assert {"Hill", "Two-level hill", "Lake", "Good going"} <= {card.title for card in found}


def test_a_deal_of_usual_type_is_as_it_was() -> None:
    how = order("en", large=False)
    assert len(build_hand_document(hand(OTHERS, how.words), how).pages) == 2
    assert any(
        text.size_pt < LARGE_PT
        for page in build_hand_document(hand(PLAIN, how.words), how).pages
        for each in page.placements
        for text in texts(each.drawing)
    )
