"""The reference cards of the solo game as a booklet: two sheets that are printed on both sides and folded once (S4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from printkit.core.errors import Sentence, UsageError
from printkit.page.booklets import FLIP, booklet, page_room
from printkit.page.leaflets import in_hand
from printkit.page.printer import LEAST_MARGIN, corrected
from printkit.page.sheet import Document
from printkit.recipes.output.printers import sheet_for
from printkit.recipes.prints.decks import CardOrder
from printkit.systems.solo.cards.reference import reference_deck
from printkit.systems.solo.sheets.booklet import booklet_pages

BOOKLET: Final = "booklet"
"""What is asked for as if it were a deck."""


class Folded(NamedTuple):
    """A booklet as a document, and how many sheets and pages it has."""

    document: Document
    sheets: int
    pages: int


def booklet_document(order: CardOrder) -> Folded:
    """Return the booklet on the paper of an order.

    Raises:
        UsageError: something is asked for that only cards can have, or no such paper.
        PageError: the paper is too small.
    """
    if order.count is not None or order.backs or order.fold or order.flip is not None:
        raise UsageError("--count, --backs, --flip and --fold go with cards; the booklet is turned over the short edge")
    sheet = sheet_for(order.sheet, margin=order.margin, default=LEAST_MARGIN, profile=order.profile, backs=True)
    sheet = in_hand(sheet)
    words = order.words
    deck = reference_deck(words)
    width, height = page_room(sheet)
    drawn = booklet_pages(
        deck.cards,
        width,
        height,
        title=deck.title,
        subtitle=words("npg.cards.booklet-subtitle"),
        style=order.style,
    )
    made = booklet(drawn, sheet, words=words)
    document = Document(
        title=words("npg.cards.booklet"),
        pages=made.pages,
        language=words.code,
        keywords=(deck.name, BOOKLET),
        flip=FLIP,
    )
    return Folded(corrected(document, order.profile).document, made.sheets, len(drawn))


def booklet_lines(folded: Folded) -> Iterator[str]:
    """Yield what the booklet takes, and how it is made."""
    yield Sentence(
        "{title}: {pages} pages on {sheets}, printed on both sides, turned over the short edge",
        title=folded.document.title,
        pages=folded.pages,
        sheets=Sentence("1 sheet") if folded.sheets == 1 else Sentence("{count} sheets", count=folded.sheets),
    )
    yield Sentence("  lay the sheets into one another and fold them once")
