"""What every face of a card is given: the card's size, the layouts for it, pen and words, and what was once drawn."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import Struct, field

from printkit.chance.streams import Jitter
from printkit.content.cards import CardSize
from printkit.core.words import Words
from printkit.drawing.canvas.items import Font, Ink, Item, Rect
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.cards.layouts import TerrainLayout, TextLayout, terrain_layout, text_layout
from printkit.drawing.lettering.lettering import Hand
from printkit.drawing.text.drafter import Desk
from printkit.terrain.geometry.roughness import Noise

_MEADOW: Final = 342
"""The seed of what is drawn on cards: of all it is one whose noise lets grass grow over the whole of a picture."""


class CardDesk(Struct, frozen=True, kw_only=True):
    """The desk for one deck of one size.

    What was drawn is remembered: cards that are framed alike or say the same share it. ``texts`` stand with what they
    say, and with the layout that left them room.
    """

    size: CardSize
    desk: Desk
    terrain: TerrainLayout
    text: TextLayout
    frames: dict[Rect, tuple[Item, ...]] = field(default_factory=dict)
    texts: list[tuple[object, tuple[Item, ...], TerrainLayout]] = field(default_factory=list)

    @property
    def style(self) -> Style:
        """Return the style."""
        return self.desk.style

    @property
    def words(self) -> Words:
        """Return the words."""
        return self.desk.words

    @property
    def ground(self) -> Ink:
        """Return the ground of the card."""
        return self.style.solid("cartouche")

    def line(self, mm: float) -> float:
        """Return the width of a line; styles for poor light draw heavier."""
        return self.desk.pen.width(mm)

    def hand(self, font: Font, size_pt: float, token: str = "ink", *, track: float = 0.0) -> Hand:
        """Return a hand of a true size in points."""
        return Hand(font=font, size_pt=size_pt, ink=self.style.solid(token), track=track)


def card_desk(size: CardSize, *, style: Style, words: Words) -> CardDesk:
    """Return the desk for cards of a size, its irregularity the same for every deck and game."""
    pen = Pen(style=style, jitter=Jitter(_MEADOW), noise=_noise())
    return CardDesk(size=size, desk=Desk(pen=pen, words=words), terrain=terrain_layout(size), text=text_layout(size))


@cache
def _noise() -> Noise:
    return Noise.of(Jitter(_MEADOW).stream("draw/noise"))
