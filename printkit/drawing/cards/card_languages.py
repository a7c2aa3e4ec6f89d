"""Cards of few words in large type; with one language on each side the back has a title and a foot of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from printkit.content.cards import Card
from printkit.content.prose import Block, Diagram
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.cards.card_desk import CardDesk
from printkit.drawing.cards.text_card import content_back, text_face

_SIZES: Final = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5)
"""Sizes in points that are tried before those of other cards of text."""


def large_face(card: Card, bench: CardDesk) -> Drawing:
    """Return the front of a card in the largest type in which its text fits; where its plan has no room, without it.

    Raises:
        PageError: its text does not fit in the smallest type; says how many lines are too many.
    """
    try:
        return text_face(card, _large(bench))
    except PageError:
        return text_face(replace(card, blocks=_words(card.blocks)), _large(bench))


def other_side(card: Card, bench: CardDesk) -> Drawing:
    """Return the back of a card: its ``back`` under the title and above the foot that its facts give.

    Raises:
        PageError: its text does not fit in the smallest type; says how many lines are too many.
    """
    turned = replace(card, title=str(card.facts["title"]), foot=str(card.facts["foot"]))
    try:
        return content_back(turned, _large(bench))
    except PageError:
        return content_back(replace(turned, back=_words(turned.back)), _large(bench))


def _words(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return blocks without the plans among them."""
    return tuple(block for block in blocks if not isinstance(block, Diagram))


def _large(bench: CardDesk) -> CardDesk:
    return replace(bench, text=replace(bench.text, sizes=(*_SIZES, *bench.text.sizes)))
