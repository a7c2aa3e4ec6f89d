"""The reference cards: eleven in each language, or English on the front and Spanish on the back (CC-C01 to C11)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec.structs import replace

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Diagram, Paragraph
from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.terrain.field.record import Record

COLUMNS: Final = "columns"
TWO_SIDED: Final = "columns-two-sided"
_BOOK: Final = "collision-course"
LARGE: Final = "large-text"
"""The face of the cards: large type, and a title of its own on the back where there is one."""

NUMBERS: Final = tuple(range(1, 12))


def decks(words: Words, record: Record | None = None) -> tuple[Deck, ...]:
    """Return the reference deck, in two languages one behind the other; without a game also both on one card.

    A game's files bring each card once, so the deck that is turned over is left to whoever asks for it by name.
    """
    cards = tuple(card for one in words.each() for card in _cards(one))
    made = Deck(name=COLUMNS, title=words("columns.cards.deck"), cards=cards, reference=True)
    if record is not None or len(words.languages) == 1:
        return (made,)
    front, back = words.each()
    two = Deck(name=TWO_SIDED, title=words("columns.cards.deck-two"), cards=_turned(front, back), backs="content")
    return (made, two)


def card_texts(words: Words) -> tuple[tuple[str, tuple[Paragraph, ...]], ...]:
    """Return title and text of each card in one language, as the quick sheet sets them too."""
    return tuple((words(f"columns.card.c{number:02}.title"), _text(number, words)) for number in NUMBERS)


def _text(number: int, words: Words) -> tuple[Paragraph, ...]:
    return tuple(Paragraph(line) for line in words(f"columns.card.c{number:02}.text").split("\n"))


def _plans(words: Words) -> dict[int, Diagram]:
    """Return the small plans that stand below the text of some cards, by the number of the card."""

    def plan(name: str, *labels: str, **numbers: float) -> Diagram:
        said = {label: words(f"columns.plan.{label}") for label in labels}
        return Diagram(name=name, labels=said, numbers=numbers, highest=34.0)

    numbers = _numbers()
    square = numbers["edge_square_bw"]
    return {
        1: plan("edge-squares", "clear", board=numbers["board_bw_min"], square=square, depth=square),
        3: plan("column-order", "none", "one", "two"),
        5: plan("column-entry", "on", "off"),
        7: plan("column-stands", "edge"),
        8: plan("column-landing", "water"),
    }


@cache
def _numbers() -> Mapping[str, float]:
    """Return the measures of the rule book, which is read once."""
    return read_book(_BOOK).numbers


def _blocks(number: int, words: Words) -> tuple[Block, ...]:
    """Return text and plan of a card."""
    plan = _plans(words).get(number)
    return _text(number, words) if plan is None else (*_text(number, words), plan)


def _cards(words: Words) -> tuple[Card, ...]:
    return tuple(
        Card(id=f"CC-C{number:02}", title=title, blocks=_blocks(number, words), foot=_foot(number, words), face=LARGE)
        for number, (title, _) in zip(NUMBERS, card_texts(words), strict=True)
    )


def _turned(front: Words, back: Words) -> tuple[Card, ...]:
    """Return the cards with one language on each side."""
    return tuple(
        replace(card, back=_blocks(number, back), facts={"title": title, "foot": _foot(number, back)})
        for number, card, (title, _) in zip(NUMBERS, _cards(front), card_texts(back), strict=True)
    )


def _foot(number: int, words: Words) -> str:
    return words("columns.cards.foot", number=number)
