"""Reference cards of Solo DBA: cards of text, in the loosest setting that fits.

Each type size is tried with all gaps, from widest to narrowest, before the next smaller size. So short texts fill their
card and long texts keep their size. A stance card has the mark of its stance.

Source: the specification of the solo game, 8.3 and 8.4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from printkit.content.cards import Card
from printkit.content.prose import Block
from printkit.core.errors import PageError
from printkit.core.resources import template
from printkit.drawing.canvas.items import Drawing, Font, Item, Rect, Text
from printkit.drawing.canvas.layers import drawing_items
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.drawing.cards.layouts import LEAST_PT, CardLayout, sizes_from
from printkit.drawing.cards.parts import card_drawing
from printkit.drawing.cards.text_card import card_foot, card_title, grounds, title_strip, too_long_error
from printkit.drawing.lettering.lettering import width as width_of
from printkit.drawing.text.flow import Flow
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle, text_style
from printkit.drawing.text.typesetting import column_height, lay_out_blocks, stack_blocks
from printkit.systems.solo.sheets.card_pictures import compute_title_inset, draw_picture, find_window
from printkit.systems.solo.sheets.stance_marks import SIDE, draw_stance_mark

# Size of headings, as a multiple of the text size. Small capitals as large as on pages would need another line.
_HEADING_SHARE: Final = 1.12

_HEADING_GAP: Final = 0.25
_RANK_SHARE: Final = 1.35
_MARK_GAP: Final = 1.2
# Share of the height of a stance card for the text below its list.
_BELOW_SHARE: Final = 0.15

_ABOVE_FOOT: Final = 0.8
# Minimum width of text in two columns, in mm.
_WIDE_MM: Final = 120.0


def npg_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of a reference card.

    Raises:
        PageError: the text does not fit in the smallest type allowed. The message gives the number of excess lines.
    """
    area = _find_text_area(plan)
    stance = card.facts.get("stance")
    if not isinstance(stance, str):
        return _draw_card(card, plan, _typeset_blocks(card, _split_sides(card, plan)[0], plan, area))
    # The list is left of the mark; the other blocks are below both.
    letter = str(card.facts.get("letter", ""))
    side = min(SIDE, 0.32 * area.width)
    narrow_width = area.width - side - _MARK_GAP
    below_mm = _BELOW_SHARE * area.height
    upper_area = area._replace(y=area.y + below_mm, height=area.height - below_mm)
    # The list has the full width, unless its text would overlap the mark.
    items = _typeset_blocks(card, card.blocks[:1], plan, upper_area, ranked=True)
    if any(_overlaps_mark(item, area.x + narrow_width, area.top - side - _MARK_GAP) for item in items):
        items = _typeset_blocks(card, card.blocks[:1], plan, upper_area._replace(width=narrow_width), ranked=True)
    items += _typeset_blocks(card, card.blocks[1:], plan, area._replace(height=below_mm), largest=False)
    middle = (area.right - side / 2, area.top - side / 2)
    items += draw_stance_mark(stance, letter, middle, side, side, ink=plan.drafter.style.solid("ink"))
    return _draw_card(card, plan, items)


def npg_back(card: Card, plan: CardLayout) -> Drawing | None:
    """Return the back of a reference card, or None if it has no text.

    Raises:
        PageError: its text does not fit in the smallest type.
    """
    _, back = _split_sides(card, plan)
    return _draw_card(card, plan, _typeset_blocks(card, back, plan, _find_text_area(plan))) if back else None


def _split_sides(card: Card, plan: CardLayout) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """Return the blocks of the front and of the back.

    The fact ``back_from`` of a card is the first of its blocks that are on the back if one side is too small for all.
    """
    back_from = card.facts.get("back_from")
    if isinstance(back_from, int) and not _fits(card, card.blocks, plan):
        front, back = card.blocks[:back_from], card.blocks[back_from:]
        if _fits(card, front, plan) and _fits(card, back, plan):
            return front, back
    return card.blocks, card.back


def _fits(card: Card, blocks: Sequence[Block], plan: CardLayout) -> bool:
    """Return whether blocks fit one side of a card."""
    try:
        _typeset_blocks(card, blocks, plan, _find_text_area(plan))
    except PageError:
        return False
    return True


def list_text_styles(card: Card, plan: CardLayout) -> tuple[TextStyle, ...]:
    """Return the styles to try for a card: the largest size first, in each size the loosest style first.

    Sizes below the smallest on the card are left out.
    """
    type_settings = load_npg_type()
    card_sizes = card.facts.get("sizes")
    sizes = [float(size) for size in (card_sizes if isinstance(card_sizes, tuple) else type_settings["sizes"])]
    card_least = card.facts.get("least")
    least_pt = max(plan.least_pt, float(card_least) if isinstance(card_least, float) else LEAST_PT)
    sizes = list(sizes_from(sizes, plan.drafter.style.least_pt))
    larger_sizes = [sizes[0] * plan.text.share] if plan.text.share > 1 else []
    return tuple(
        make_legible(text_style(plan.drafter.style, size, face="plain", leading=leading), gap_factor)
        for size in (*larger_sizes, *sizes)
        if size >= least_pt
        for leading, gap_factor in type_settings["settings"]
    )


@cache
def load_npg_type() -> dict[str, Any]:
    """Return the type sizes, leadings and gaps of these cards."""
    type_settings: dict[str, Any] = template("cards", "npg")["type"]
    return type_settings


def _find_text_area(plan: CardLayout) -> Rect:
    """Return the text area in mm on paper, with a gap that keeps table rules off the footer."""
    box = plan.text.box
    return box._replace(y=box.y + _ABOVE_FOOT, height=box.height - _ABOVE_FOOT)


def _typeset_blocks(
    card: Card,
    blocks: Sequence[Block],
    plan: CardLayout,
    area: Rect,
    *,
    largest: bool = True,
    ranked: bool = False,
) -> list[Item]:
    """Return blocks typeset from the top of ``area``, in the largest type that fits.

    Args:
        card: the card, for messages and type sizes.
        blocks: its blocks.
        plan: the layout of the card.
        area: the rectangle for the text, in mm on paper.
        largest: also try sizes above the common ones.
        ranked: enlarge the numbers of steps.

    Raises:
        PageError: the blocks do not fit in the smallest type.
    """
    most_pt = max(load_npg_type()["sizes"][0] * max(1.0, plan.text.share), 1.1 * plan.drafter.style.least_pt)
    styles = [style for style in list_text_styles(card, plan) if largest or style.text.size_pt <= most_pt]
    if not styles:
        raise PageError(
            "card {card}: no type size fits, because all are below {least_pt:g} pt", card=card.id, least_pt=LEAST_PT
        )
    for style in styles:
        if ranked:
            style = replace(style, figure=style.figure.resize(_RANK_SHARE))
        settings = _lay_out_columns(card, blocks, area.width, style)
        excess_mm = column_height(settings) - area.height
        if excess_mm <= TOLERANCE:
            text_column = stack_blocks(settings, area.width)
            return drawing_items(text_column, area.x, area.top - text_column.height)
    raise too_long_error(card, math.ceil(excess_mm / style.row_height()), style.text.size_pt, plan)


def _lay_out_columns(card: Card, blocks: Sequence[Block], width: float, style: TextStyle) -> Sequence[LaidOutBlock]:
    """Return blocks laid out ``width`` mm wide on paper.

    The fact ``columns`` of a card is the range of its blocks that are in two columns on a wide card.
    """
    columns = card.facts.get("columns")
    has_columns = isinstance(columns, range) and blocks[: columns.stop] == card.blocks[: columns.stop]
    if not isinstance(columns, range) or not has_columns or width < _WIDE_MM:
        return lay_out_blocks(blocks, width, style)
    flow = Flow(width)
    flow.add(lay_out_blocks(blocks[: columns.start], width, style))
    narrow_blocks = lay_out_blocks(blocks[columns.start : columns.stop], flow.column_width(2), style)
    flow.add_columns(2, [replace(block, min_parts=len(block.parts)) for block in narrow_blocks])
    flow.add(lay_out_blocks(blocks[columns.stop :], width, style))
    (page,) = flow.fill_pages(math.inf, math.inf)
    return page


def _overlaps_mark(item: Item, right: float, above: float) -> bool:
    """Return whether an item is text higher than ``above`` that extends past ``right``, in mm on paper."""
    if not isinstance(item, Text) or item.at[1] < above:
        return False
    return item.at[0] + width_of(item.content, item.font, item.size_pt, track=item.track) > right


def make_legible(style: TextStyle, gap_factor: float) -> TextStyle:
    """Return a style with no type below the minimum size, and headings in its strong type.

    ``gap_factor`` multiplies all gaps between blocks; 1 leaves them unchanged.
    """
    strong_style = replace(style.strong, font=Font.HEAVY)
    heading_style = strong_style.resize(_HEADING_SHARE)
    legible_style = style.with_min_size(LEAST_PT)
    return replace(
        legible_style, strong=strong_style, head=heading_style, gap_factor=gap_factor, below_heading=_HEADING_GAP
    )


def _draw_card(card: Card, plan: CardLayout, items: Sequence[Item]) -> Drawing:
    """Return a card with its title, picture and footer, and these items as its text.

    Items are in mm on paper.
    """
    window = find_window(card, plan)
    picture_layers, picture_items = draw_picture(card, window, plan) if window is not None else ((), ())
    title = card_title(card, plan, left_mm=compute_title_inset(window))
    all_items = [*title_strip(plan), *title, *card_foot(card, plan), *items, *picture_items]
    return card_drawing(plan.size, grounds(plan), all_items, *picture_layers)
