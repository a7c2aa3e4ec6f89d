"""Cards with one language on each side: the back has a title and a foot of its own."""

from __future__ import annotations

from dataclasses import replace

from printkit.cards import Card
from printkit.drawing.card_desk import CardDesk
from printkit.drawing.card_text import content_back
from printkit.drawing.items import Drawing


def other_side(card: Card, bench: CardDesk) -> Drawing:
    """Return the back of a card: its ``back`` under the title and above the foot that its facts give.

    Raises:
        PageError: its text does not fit in the smallest type; says how many lines are too many.
    """
    return content_back(replace(card, title=str(card.facts["title"]), foot=str(card.facts["foot"])), bench)
