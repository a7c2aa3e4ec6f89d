"""The summary of the NPG's tactics on one large card, or on both sides of a smaller one.

Source: the cartography, 16.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from printkit.content.cards import Card
from printkit.content.prose import Block, Modifiers
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Join, Rect, Stroke
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.cards.parts import border, card_drawing, ground
from printkit.drawing.lettering.lettering import TypeStyle, line, shrink_to_fit
from printkit.drawing.text.text_styles import (
    LEAST_PT,
    LaidOutBlock,
    TextStyle,
    drawing_items,
    drawing_of,
    lozenge_corners,
    make_line,
    oblong,
    patch,
    text_style,
)
from printkit.drawing.text.typesetting import column_height, lay_out_blocks, stack_blocks

# Side of the smallest card with everything on one face, in mm.
WHOLE: Final = 150.0

_PT: Final = 9.8
_SMALL: Final = 8.3 / 9.8
_SHARES: Final = (1.08, 1.04, 1.0, 0.96, 0.92, 0.88, 0.84, 0.80)
_AIRS: Final = (1.0, 0.75, 0.5)
_TITLE_PT: Final = 24.0
_SUBTITLE_PT: Final = 10.5
_MOVES_HEAD: Final = 5.6
_MOVES_ROW: Final = 4.3
_GAP: Final = 3.0
_EDGE: Final = 2.4
_LEAST_GAP: Final = 2.0
_WHITE: Final = Ink(255, 255, 255)
_INKS: Final = {"aggressive": "side-red", "cautious": "sepia", "defensive": "side-blue"}


def summary_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front: the complete summary, or on a smaller card the two dice.

    Raises:
        PageError: the card is too small for it.
    """
    return _Side(card, plan).drawn(title=True, tables=True, moves=_whole(plan))


def summary_back(card: Card, plan: CardLayout) -> Drawing | None:
    """Return the moves if the front has no space for them, otherwise None.

    Raises:
        PageError: the card is too small for it.
    """
    return None if _whole(plan) else _Side(card, plan).drawn(title=False, tables=False, moves=True)


def _whole(plan: CardLayout) -> bool:
    return min(plan.size.width, plan.size.height) >= WHOLE


class _Side:
    """One side being typeset: blocks from the top of the area inside the border."""

    def __init__(self, card: Card, plan: CardLayout) -> None:
        self.card = card
        self.plan = plan
        self.facts: dict[str, Any] = dict(card.facts)
        inner = plan.terrain.border[-1].inset + _EDGE
        size = plan.size
        self.room = Rect(inner, inner, size.width - 2 * inner, size.height - 2 * inner)
        self.share = min(1.0, max(size.width, size.height) / WHOLE)

    def drawn(self, *, title: bool, tables: bool, moves: bool) -> Drawing:
        """Return the side with the selected parts, in the largest type that fits."""
        for share in _SHARES:
            for air in _AIRS:
                how = text_style(self.plan.drafter.style, _PT * share * self.share).with_spacing(1.2, air)
                parts = [
                    *([self._title()] if title else []),
                    *([self._tables(how)] if tables else []),
                    *([self._moves(how)] if moves else []),
                ]
                free = self.room.height - plain_sum(height for height, _ in parts)
                if free >= _LEAST_GAP * (len(parts) - 1):
                    return self._joined(parts, free / max(1, len(parts) - 1) if len(parts) > 1 else free / 2)
        size = self.plan.size
        raise PageError(
            "card {card} does not fit {size} at {least_pt:g} pt; use 105x148 or a larger card",
            card=self.card.id,
            size=size.name,
            least_pt=LEAST_PT,
        )

    def _joined(self, parts: Sequence[tuple[float, tuple[Item, ...]]], gap: float) -> Drawing:
        items: list[Item] = [*border(self.plan, self.plan.terrain.border)]
        top = self.room.top
        gap = min(gap, 7.0)
        for height, found in parts:
            items += drawing_items(drawing_of(0.0, 0.0, found), self.room.x, top - height)
            top -= height + gap
        return card_drawing(self.plan.size, ground(self.plan), items)

    def _title(self) -> tuple[float, tuple[Item, ...]]:
        """Return height and items of title, subtitle and a rule with a lozenge, from y = 0 up."""
        width = self.room.width
        hand = self.plan.drafter.type_style(Font.SMALL_CAPITALS, _TITLE_PT * self.share, track=0.4)
        hand = shrink_to_fit(self.card.title, hand, width)
        below = self.plan.drafter.type_style(Font.ITALIC, max(8.5, _SUBTITLE_PT * self.share), "ink-secondary")
        below = shrink_to_fit(str(self.facts["subtitle"]), below, width)
        high = 0.86 * hand.height + 1.25 * below.height + 3.6
        items: list[Item] = [
            *line(self.card.title, (width / 2, high - 0.80 * hand.height), hand, anchor=Anchor.MIDDLE),
            *line(str(self.facts["subtitle"]), (width / 2, 4.0), below, anchor=Anchor.MIDDLE),
        ]
        ink, middle, gap = self.plan.drafter.style.solid("ink"), 1.4, 3.2
        for start, end in ((0.2 * width, width / 2 - gap), (width / 2 + gap, 0.8 * width)):
            items.append(make_line([(start, middle), (end, middle)], ink, self.plan.drafter.width(0.25)))
        items.append(patch(lozenge_corners(width / 2, middle, 2.0, 0.9), ink))
        return high, tuple(items)

    def _tables(self, how: TextStyle) -> tuple[float, tuple[Item, ...]]:
        """Return height and items of the two dice, side by side on a wide card."""
        tables: Sequence[Sequence[Block]] = self.facts["tables"]
        wide = self.room.width >= 120.0
        width = (self.room.width - _GAP) / 2 if wide else self.room.width
        settings = [[setting for block in blocks for setting in _set(block, width, how)] for blocks in tables]
        heights = [column_height(one) for one in settings]
        gap = how.gap_mm(0.9)
        height = max(heights) if wide else plain_sum(heights) + gap
        items: list[Item] = []
        top = height
        for place, (one, own) in enumerate(zip(settings, heights, strict=True)):
            left = place * (width + _GAP) if wide else 0.0
            items += drawing_items(stack_blocks(one, width), left, top - own)
            top -= 0.0 if wide else own + gap
        return height, tuple(items)

    def _moves(self, how: TextStyle) -> tuple[float, tuple[Item, ...]]:
        """Return height and items of the three lists with their headings, and the override below."""
        width = self.room.width
        head = lay_out_blocks([self.facts["moves"]], width, how)
        columns: Sequence[tuple[str, str, Sequence[str]]] = self.facts["columns"]
        note = TypeStyle.for_style(
            self.plan.drafter.style, Font.ITALIC, max(8.5, 0.94 * how.text.size_pt), how.text.ink
        )
        note = shrink_to_fit(self.facts["override"], note, width)
        share = how.text.size_pt / _PT
        row, top_row = _MOVES_ROW * share, _MOVES_HEAD * share
        longest = max(len(rows) for _, _, rows in columns)
        foot = 1.7 * note.height
        body = top_row + longest * row
        above = column_height(head)
        height = above + 0.6 + body + foot
        if note.size_pt < LEAST_PT:
            return 2 * self.room.height, ()
        items: list[Item] = drawing_items(stack_blocks(head, width), 0.0, height - above)
        wide = (width - _GAP * (len(columns) - 1)) / len(columns)
        for place, (stance, name, rows) in enumerate(columns):
            left, top = place * (wide + _GAP), foot + body
            items += _head(stance, name, Rect(left, top - top_row, wide, top_row), how, self.plan)
            items += _rows(rows, Rect(left, foot, wide, body - top_row), row, how)
        items += line(self.facts["override"], (width / 2, 0.3 * note.height), note, anchor=Anchor.MIDDLE)
        return height, tuple(items)


def _head(stance: str, name: str, at: Rect, how: TextStyle, plan: CardLayout) -> Iterator[Item]:
    """Yield the heading of a list: mark and name, white on a colour; without washes, ink on white."""
    filled = plan.drafter.style.washes
    ink = plan.drafter.style.solid(_INKS[stance])
    shown = _WHITE if filled else ink
    frame = Stroke(ink, plan.drafter.width(0.6), join=Join.MITRE)
    yield patch(oblong(*at), ink if filled else None, None if filled else frame)
    middle, half = at.y + at.height / 2, 0.30 * at.height
    yield patch(_mark(stance, at.x + 1.2 + half, middle, half), shown)
    hand = TypeStyle.for_style(plan.drafter.style, Font.HEAVY, 0.90 * how.text.size_pt, shown, track=0.15)
    room = at.width - 2 * (2.4 + 2 * half)
    hand = shrink_to_fit(name.upper(), hand, room)
    yield from line(name.upper(), (at.x + at.width / 2, middle - 0.36 * hand.height), hand, anchor=Anchor.MIDDLE)


def _mark(stance: str, x: float, y: float, half: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a stance: a triangle, a lozenge or a shield."""
    if stance == "aggressive":
        return (x - half, y - half), (x + half, y - half), (x, y + half)
    if stance == "cautious":
        return lozenge_corners(x, y, half, half)
    return (
        (x - half, y + half),
        (x + half, y + half),
        (x + half, y - 0.1 * half),
        (x, y - half),
        (x - half, y - 0.1 * half),
    )


def _rows(rows: Sequence[str], at: Rect, row: float, how: TextStyle) -> Iterator[Item]:
    """Yield the numbered entries of a list, with rules between them."""
    for place, name in enumerate(rows):
        top = at.top - place * row
        foot = top - row
        rank = how.figure
        letters = foot + (row - 0.7 * how.text.height) / 2
        yield from line(str(place + 1), (at.x + 4.6, letters), rank, anchor=Anchor.END)
        yield from line(name, (at.x + 6.2, letters), shrink_to_fit(name, how.text, at.width - 6.6))
        last = place == len(rows) - 1
        yield make_line([(at.x, foot), (at.right, foot)], how.rule, how.line(0.30 if last else 0.15))


def _set(block: Block, width: float, how: TextStyle) -> tuple[LaidOutBlock, ...]:
    """Return a block typeset to a width. Modifiers of a die are smaller than its table."""
    return lay_out_blocks([block], width, how.scaled(_SMALL) if isinstance(block, Modifiers) else how)
