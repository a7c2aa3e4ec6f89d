"""Manners of setting prose: which hand sets text, strong words, notes and heads, and in what inks rules are drawn."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.drawing.canvas.items import Font, Ink
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import FIGURE_SHARE, LEAST_BOOK, Hand, least_size

Face: TypeAlias = Literal["book", "plain"]
"""``book`` is EB Garamond, for pages and tables; ``plain`` is Lato, for small cards."""

LEAST_PT: Final = 7.0
"""The smallest type in points of anything that is held in the hand, figures included."""

_SMALL_CUT_TO_PT: Final = 11.0
_ASCENT: Final = 0.74


class Manner(Struct, frozen=True, kw_only=True):
    """How blocks are set. ``leading`` is the distance of rows in sizes; ``air`` widens or narrows all gaps.

    ``tint`` is the ground of every other row, None where a style has no washes. ``heavier`` multiplies line widths.
    """

    text: Hand
    strong: Hand
    note: Hand
    head: Hand
    aside: Hand
    label: Hand
    figure: Hand
    leading: float
    rule: Ink
    tint: Ink | None
    paper: Ink
    air: float = 1.0
    heavier: float = 1.0

    @property
    def size(self) -> float:
        """Return the size of running text in mm."""
        return self.text.height

    def row(self, hand: Hand | None = None) -> float:
        """Return how high a row of a hand is in mm, running text where none is given."""
        return (hand or self.text).height * self.leading

    def foot(self, hand: Hand | None = None) -> float:
        """Return how high above the foot of its row the letters of a hand stand, in mm."""
        size = (hand or self.text).height
        return size * (1 - _ASCENT + (self.leading - 1) / 2)

    def gap(self, sizes: float) -> float:
        """Return a gap in mm of so many sizes of the text."""
        return sizes * self.size * self.air

    def line(self, mm: float) -> float:
        """Return the width of a line in mm."""
        return mm * self.heavier

    def sized(self, share: float) -> Manner:
        """Return the manner with all its type at a share of its size, though nothing under what may be printed."""
        return replace(
            self,
            text=_shrunk(self.text, share),
            strong=_shrunk(self.strong, share),
            note=_shrunk(self.note, share),
            head=_shrunk(self.head, share),
            aside=_shrunk(self.aside, share),
            label=_shrunk(self.label, share),
            figure=_shrunk(self.figure, share),
        )

    def closer(self, leading: float, air: float) -> Manner:
        """Return the manner with other distances."""
        return replace(self, leading=leading, air=air)


def manner(style: Style, size_pt: float, *, face: Face = "book", leading: float | None = None) -> Manner:
    """Return the manner of a style for text of a size.

    Args:
        style: its inks; a style without washes has no tints.
        size_pt: of running text, in points.
        face: of running text.
        leading: the distance of rows in sizes; 1.2 where nothing is said.
    """
    ink, second = style.solid("ink"), style.solid("ink-secondary")
    if face == "book":
        small = size_pt < _SMALL_CUT_TO_PT
        body, italic = (Font.SMALL, Font.SMALL_ITALIC) if small else (Font.ROMAN, Font.ITALIC)
        strong, figure, note = 0.90, 0.86, 0.92
    else:
        body, italic = Font.FIGURES, Font.FIGURES_ITALIC
        strong, figure, note = 1.0, 1.0, 0.92

    def hand(font: Font, share: float, own: Ink = ink, *, track: float = 0.0) -> Hand:
        size = max(size_pt * share, min(_least(font), size_pt))
        return Hand(font=font, size_pt=size, ink=own, track=track)

    return Manner(
        text=hand(body, 1.0),
        strong=hand(Font.BANNER, strong),
        note=hand(italic, note, second),
        head=hand(Font.SMALL_CAPITALS, 1.25, track=0.12),
        aside=hand(italic, 0.95, second),
        label=hand(Font.BANNER, 0.80, second, track=0.08),
        figure=hand(Font.HEAVY, figure),
        leading=leading or 1.2,
        rule=ink,
        tint=style.ink("card-band") if style.washes else None,
        paper=Ink(255, 255, 255),
        heavier=style.line_factor,
    )


def _shrunk(hand: Hand, share: float) -> Hand:
    return hand.sized(share, least=_least(hand.font))


def _least(font: Font) -> float:
    """Return the smallest size of a face at which its figures, set somewhat smaller, are still large enough."""
    return LEAST_PT / FIGURE_SHARE if least_size(font) == LEAST_BOOK else LEAST_PT
