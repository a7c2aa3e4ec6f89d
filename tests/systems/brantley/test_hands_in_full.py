"""Hands and the ninth card in large print and in long languages: what has no room on a card is on its sheet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from card_deck import said, texts
from test_brantley_sheets import OTHERS, PLAIN, hand, ninth, rules

from printkit.content.cards import Card
from printkit.content.prose import Paragraph, Scores
from printkit.core.words import Words
from printkit.drawing.canvas.items import LayerName, Text
from printkit.page.sheet import Document
from printkit.page.sheet import find as find_sheet
from printkit.recipes.output.files import LARGE_PT, find_style
from printkit.recipes.output.printers import SheetRequest
from printkit.systems.brantley.dealing.decks import kinds
from printkit.systems.brantley.sheets.documents import board_document, hand_document, sealed_document

HILLS = ["9S", "JS", "QC", "KS", *PLAIN[:4], "JC"]
"""A pack whose first player holds both kinds of hills, and whose ninth card is one."""

LANGUAGES = ("en", "es", "en+es")


def order(language: str, *, large: bool = True) -> SheetRequest:
    style = find_style("ink-saver", large_print=large)
    return SheetRequest(sheet=find_sheet("a4"), style=style, words=Words(tuple(language.split("+"))))


def told(document: Document) -> str:
    """Return all that a document says, without spaces and strokes."""
    return "".join(said(each.drawing) for page in document.pages for each in page.placements).replace(" ", "")


def said_by(card: Card) -> Iterator[str]:
    """Yield every stretch of text of a card, its words alone."""
    for block in card.blocks:
        match block:
            case Paragraph():
                yield from block.text.split()
            case Scores():
                for score, meaning in block.rows:
                    yield from (score, *meaning.split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.clause("BR-A05", "BR-A06")
def test_every_word_of_every_card_is_on_its_sheet_in_large_print(language: str) -> None:
    how = order(language)
    held, last = hand(HILLS, how.words), ninth(HILLS, how.words)
    for document, cards in (
        (hand_document(held, how), [one.card for one in held.held]),
        (sealed_document(last, how), [last.card]),
    ):
        whole = told(document)
        assert [word for card in cards for word in said_by(card) if word not in whole] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_dealt_has_no_type_under_11_points(language: str) -> None:
    how = order(language)
    made = (
        hand_document(hand(HILLS, how.words), how),
        sealed_document(ninth(HILLS, how.words), how),
        board_document(how),
    )
    drawings = [each.drawing for document in made for page in document.pages for each in page.placements]
    found = {
        item.content
        for drawing in drawings
        for layer, item in drawing.items()
        if isinstance(item, Text) and layer.name is not LayerName.PRINTER and item.size_pt < LARGE_PT - 1e-6
    }
    assert found == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.clause("BR-M12")
def test_the_number_of_pages_tells_nothing_of_the_cards(language: str) -> None:
    how = order(language)
    counts = {len(hand_document(hand(codes, how.words), how).pages) for codes in (PLAIN, HILLS)}
    assert counts == {3 if language == "en+es" else 2}


def test_there_is_one_kind_for_each_wording_of_the_pack() -> None:
    found = kinds(rules(), Words(("en",)))
    assert len({(card.title, card.banner, card.blocks) for card in found}) == len(found)
    assert {"Hill", "Hill of two levels", "Lake", "Good going"} <= {card.title for card in found}


def test_a_deal_of_usual_type_is_as_it_was() -> None:
    how = order("en", large=False)
    assert len(hand_document(hand(OTHERS, how.words), how).pages) == 2
    assert any(
        text.size_pt < LARGE_PT
        for page in hand_document(hand(PLAIN, how.words), how).pages
        for each in page.placements
        for text in texts(each.drawing)
    )
