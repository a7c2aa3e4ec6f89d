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
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Join, Rect, Stroke
from printkit.drawing.canvas.layers import drawing_items, drawing_of
from printkit.drawing.canvas.plain import WHITE, make_line, make_lozenge, make_polygon, make_rectangle
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.cards.parts import border, card_drawing, ground
from printkit.drawing.lettering.lettering import TypeStyle, line, shrink_to_fit
from printkit.drawing.text.text_styles import LEAST_PT, TextStyle, text_style
from printkit.drawing.text.typesetting import column_height, lay_out_blocks, stack_blocks

# Side of the smallest card with everything on one face, in mm.
ONE_FACE_MM: Final = 150.0

_PT: Final = 9.8
_SMALL: Final = 8.3 / 9.8
_SHARES: Final = (1.08, 1.04, 1.0, 0.96, 0.92, 0.88, 0.84, 0.80)
_GAP_FACTORS: Final = (1.0, 0.75, 0.5)
_TITLE_PT: Final = 24.0
_SUBTITLE_PT: Final = 10.5
_MOVES_HEAD: Final = 5.6
_MOVES_ROW: Final = 4.3
_GAP: Final = 3.0
_EDGE: Final = 2.4
_LEAST_GAP: Final = 2.0
_INKS: Final = {"aggressive": "side-red", "cautious": "sepia", "defensive": "side-blue"}


def summary_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front: the complete summary, or on a smaller card the two dice.

    Raises:
        PageError: the card is too small for it.
    """
    return _Side(card, plan).draw(title=True, tables=True, moves=_fits_one_face(plan))


def summary_back(card: Card, plan: CardLayout) -> Drawing | None:
    """Return the moves if the front has no space for them, otherwise None.

    Raises:
        PageError: the card is too small for it.
    """
    return None if _fits_one_face(plan) else _Side(card, plan).draw(title=False, tables=False, moves=True)


def _fits_one_face(plan: CardLayout) -> bool:
    """Return whether the card is large enough for the complete summary on one face."""
    return min(plan.size.width, plan.size.height) >= ONE_FACE_MM


class _Side:
    """One side being typeset: blocks from the top of the area inside the border."""

    def __init__(self, card: Card, plan: CardLayout) -> None:
        self.card = card
        self.plan = plan
        self.facts: dict[str, Any] = dict(card.facts)
        inner = plan.terrain.border[-1].inset + _EDGE
        size = plan.size
        self.room = Rect(inner, inner, size.width - 2 * inner, size.height - 2 * inner)
        self.share = min(1.0, max(size.width, size.height) / ONE_FACE_MM)

    def draw(self, *, title: bool, tables: bool, moves: bool) -> Drawing:
        """Return the side with the selected parts, in the largest type that fits.

        The parts are the title, the tables of dice, and the lists of moves.

        Raises:
            PageError: they do not fit in the smallest type.
        """
        for share in _SHARES:
            for gap_factor in _GAP_FACTORS:
                style = text_style(self.plan.drafter.style, _PT * share * self.share).with_spacing(1.2, gap_factor)
                parts = [
                    *([self._draw_title()] if title else []),
                    *([self._draw_tables(style)] if tables else []),
                    *([self._draw_moves(style)] if moves else []),
                ]
                free_mm = self.room.height - plain_sum(height for height, _ in parts)
                if free_mm >= _LEAST_GAP * (len(parts) - 1):
                    return self._join_parts(parts, free_mm / max(1, len(parts) - 1) if len(parts) > 1 else free_mm / 2)
        size = self.plan.size
        raise PageError(
            "card {card} does not fit {size} at {least_pt:g} pt; use 105x148 or a larger card",
            card=self.card.id,
            size=size.name,
            least_pt=LEAST_PT,
        )

    def _join_parts(self, parts: Sequence[tuple[float, tuple[Item, ...]]], gap: float) -> Drawing:
        """Return the side with its parts below each other, ``gap`` mm apart on paper but at most 7 mm.

        A part is its height in mm on paper and its items.
        """
        items: list[Item] = [*border(self.plan, self.plan.terrain.border)]
        top = self.room.top
        gap = min(gap, 7.0)
        for height, part_items in parts:
            items += drawing_items(drawing_of(0.0, 0.0, part_items), self.room.x, top - height)
            top -= height + gap
        return card_drawing(self.plan.size, ground(self.plan), items)

    def _draw_title(self) -> tuple[float, tuple[Item, ...]]:
        """Return height in mm on paper and items of title, subtitle and a rule with a lozenge, from y = 0 up."""
        width = self.room.width
        title_style = self.plan.drafter.type_style(Font.SMALL_CAPITALS, _TITLE_PT * self.share, track=0.4)
        title_style = shrink_to_fit(self.card.title, title_style, width)
        subtitle_style = self.plan.drafter.type_style(Font.ITALIC, max(8.5, _SUBTITLE_PT * self.share), "ink-secondary")
        subtitle_style = shrink_to_fit(str(self.facts["subtitle"]), subtitle_style, width)
        height_mm = 0.86 * title_style.height + 1.25 * subtitle_style.height + 3.6
        items: list[Item] = [
            *line(
                self.card.title, (width / 2, height_mm - 0.80 * title_style.height), title_style, anchor=Anchor.MIDDLE
            ),
            *line(str(self.facts["subtitle"]), (width / 2, 4.0), subtitle_style, anchor=Anchor.MIDDLE),
        ]
        ink, middle, gap = self.plan.drafter.style.solid("ink"), 1.4, 3.2
        for start, end in ((0.2 * width, width / 2 - gap), (width / 2 + gap, 0.8 * width)):
            items.append(make_line([(start, middle), (end, middle)], ink, self.plan.drafter.width(0.25)))
        items.append(make_lozenge((width / 2, middle), 2.0, 0.9, ink))
        return height_mm, tuple(items)

    def _draw_tables(self, style: TextStyle) -> tuple[float, tuple[Item, ...]]:
        """Return height in mm on paper and items of the two dice, side by side on a wide card."""
        tables: Sequence[Sequence[Block]] = self.facts["tables"]
        is_wide = self.room.width >= 120.0
        width = (self.room.width - _GAP) / 2 if is_wide else self.room.width
        # The modifiers of a die are smaller than its table.
        small_style = style.scaled(_SMALL)
        settings = [
            [
                setting
                for block in blocks
                for setting in lay_out_blocks([block], width, small_style if isinstance(block, Modifiers) else style)
            ]
            for blocks in tables
        ]
        heights = [column_height(typeset_table) for typeset_table in settings]
        gap = style.gap_mm(0.9)
        height = max(heights) if is_wide else plain_sum(heights) + gap
        items: list[Item] = []
        top = height
        for index, (typeset_table, table_mm) in enumerate(zip(settings, heights, strict=True)):
            left = index * (width + _GAP) if is_wide else 0.0
            items += drawing_items(stack_blocks(typeset_table, width), left, top - table_mm)
            top -= 0.0 if is_wide else table_mm + gap
        return height, tuple(items)

    def _draw_moves(self, style: TextStyle) -> tuple[float, tuple[Item, ...]]:
        """Return height in mm on paper and items of the three lists with their headings, and the override.

        If the override does not fit in the smallest type, the height is larger than any side, and there are no items.
        """
        width = self.room.width
        head = lay_out_blocks([self.facts["moves"]], width, style)
        columns: Sequence[tuple[str, str, Sequence[str]]] = self.facts["columns"]
        note_style = TypeStyle.for_style(
            self.plan.drafter.style, Font.ITALIC, max(8.5, 0.94 * style.text.size_pt), style.text.ink
        )
        note_style = shrink_to_fit(self.facts["override"], note_style, width)
        share = style.text.size_pt / _PT
        row, top_row = _MOVES_ROW * share, _MOVES_HEAD * share
        row_count = max(len(rows) for _, _, rows in columns)
        note_mm = 1.7 * note_style.height
        lists_mm = top_row + row_count * row
        heading_mm = column_height(head)
        height = heading_mm + 0.6 + lists_mm + note_mm
        if note_style.size_pt < LEAST_PT:
            return 2 * self.room.height, ()
        items: list[Item] = drawing_items(stack_blocks(head, width), 0.0, height - heading_mm)
        column_width = (width - _GAP * (len(columns) - 1)) / len(columns)
        for index, (stance, name, rows) in enumerate(columns):
            left, top = index * (column_width + _GAP), note_mm + lists_mm
            items += _draw_heading(stance, name, Rect(left, top - top_row, column_width, top_row), style, self.plan)
            items += _draw_rows(rows, Rect(left, note_mm, column_width, lists_mm - top_row), row, style)
        items += line(self.facts["override"], (width / 2, 0.3 * note_style.height), note_style, anchor=Anchor.MIDDLE)
        return height, tuple(items)


def _draw_heading(stance: str, name: str, area: Rect, style: TextStyle, plan: CardLayout) -> Iterator[Item]:
    """Yield the heading of a list: mark and name, white on a colour; without washes, ink on white.

    ``area`` is its rectangle in mm on paper. ``stance`` is the stance as in the rules, and ``name`` its name in the
    language.
    """
    has_fill = plan.drafter.style.washes
    ink = plan.drafter.style.solid(_INKS[stance])
    mark_ink = WHITE if has_fill else ink
    frame = Stroke(ink, plan.drafter.width(0.6), join=Join.MITRE)
    yield make_rectangle(area, ink if has_fill else None, None if has_fill else frame)
    middle, half = area.y + area.height / 2, 0.30 * area.height
    yield make_polygon(_make_mark(stance, area.x + 1.2 + half, middle, half), mark_ink)
    title_style = TypeStyle.for_style(plan.drafter.style, Font.HEAVY, 0.90 * style.text.size_pt, mark_ink, track=0.15)
    width_mm = area.width - 2 * (2.4 + 2 * half)
    title_style = shrink_to_fit(name.upper(), title_style, width_mm)
    yield from line(
        name.upper(), (area.x + area.width / 2, middle - 0.36 * title_style.height), title_style, anchor=Anchor.MIDDLE
    )


def _make_mark(stance: str, x: float, y: float, half: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a stance in mm on paper: a triangle, a lozenge or a shield.

    Its centre is at ``x``, ``y``; ``half`` is half of its width and height.
    """
    if stance == "aggressive":
        return (x - half, y - half), (x + half, y - half), (x, y + half)
    if stance == "cautious":
        return (x - half, y), (x, y - half), (x + half, y), (x, y + half)
    return (
        (x - half, y + half),
        (x + half, y + half),
        (x + half, y - 0.1 * half),
        (x, y - half),
        (x - half, y - 0.1 * half),
    )


def _draw_rows(rows: Sequence[str], area: Rect, row: float, style: TextStyle) -> Iterator[Item]:
    """Yield the numbered entries of a list, ``row`` mm high each on paper, with rules between them."""
    for index, name in enumerate(rows):
        top = area.top - index * row
        foot = top - row
        number_style = style.figure
        baseline = foot + (row - 0.7 * style.text.height) / 2
        yield from line(str(index + 1), (area.x + 4.6, baseline), number_style, anchor=Anchor.END)
        yield from line(name, (area.x + 6.2, baseline), shrink_to_fit(name, style.text, area.width - 6.6))
        is_last = index == len(rows) - 1
        yield make_line([(area.x, foot), (area.right, foot)], style.rule, style.line(0.30 if is_last else 0.15))
