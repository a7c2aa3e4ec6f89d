"""Titles of cards: on one line as long as they are large enough, else on two, parted where the language changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from printkit.content.cards import Card
from printkit.core.errors import PageError
from printkit.core.words import BETWEEN
from printkit.drawing.canvas.items import Anchor, Item
from printkit.drawing.cards.layouts import LEAST_PT
from printkit.drawing.lettering.lettering import Hand, fitted, line, measure, shrunk

_ON_TWO_ROWS: Final = 0.78
_MOST_ROWS: Final = 2


def title_rows(card: Card, hand: Hand, width: float, *, least: float) -> tuple[tuple[str, ...], Hand]:
    """Return the rows of a card's title, two at most, and the hand in which they fit a width.

    Args:
        card: its title is in one language, or in two parted by a raised dot.
        hand: as large as it is set where there is room.
        width: in mm.
        least: the size in points down to which it shrinks on one line.

    Raises:
        PageError: it does not fit on two rows in type that can be read.
    """
    text = card.title
    single = shrunk(text, hand, width)
    if single.size_pt >= least:
        return (text,), single
    if BETWEEN in text:
        rows = tuple(text.split(BETWEEN, 1))
        widest = max(rows, key=lambda row: measure(row, hand))
        double = shrunk(widest, hand.sized(_ON_TWO_ROWS), width)
        if double.size_pt >= LEAST_PT:
            return rows, double
    rows, double = fitted(text, hand.sized(_ON_TWO_ROWS), width, lines=_MOST_ROWS, least=LEAST_PT / hand.size_pt)
    if len(rows) > _MOST_ROWS or double.size_pt < LEAST_PT:
        raise PageError(
            "card {card}: its title {text!r} does not fit {width:.0f} mm on two rows at {least_pt:g} pt; shorten it",
            card=card.id,
            text=text,
            width=width,
            least_pt=LEAST_PT,
        )
    return rows, double


def set_title(rows: Sequence[str], hand: Hand, x: float, foot: float) -> list[Item]:
    """Return the rows of a title about ``x``; the foot is that of a single row, about which two are spread."""
    pitch = 1.06 * hand.height
    first = foot + pitch * (len(rows) - 1) / 2
    items: list[Item] = []
    for place, row in enumerate(rows):
        items += line(row, (x, first - place * pitch), hand, anchor=Anchor.MIDDLE)
    return items
