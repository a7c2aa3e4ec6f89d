"""Reference cards of Solo DBA: cards of text, in the loosest setting that fits.

Each type size is tried with all gaps, from widest to narrowest, before the next smaller size. So short texts fill their
card and long texts keep their size. A stance card has the mark of its stance.

Source: the specification of the solo game, 8.3 and 8.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from printkit.content.cards import Card
from printkit.content.prose import Block
from printkit.core.errors import PageError
from printkit.core.resources import template
from printkit.drawing.canvas.items import Drawing, Font, Item, Rect, Text
from printkit.drawing.cards.layouts import LEAST_PT, CardLayout, sizes_from
from printkit.drawing.cards.parts import card_drawing
from printkit.drawing.cards.text_card import card_foot, card_title, grounds, ruled_face, title_strip, too_long_error
from printkit.drawing.lettering.lettering import width as width_of
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle, drawing_items, text_style
from printkit.drawing.text.typesetting import column_height, lay_out_blocks, stack_blocks
from printkit.systems.solo.sheets.card_pictures import beside, picture_of, window_of
from printkit.systems.solo.sheets.stance_marks import SIDE, stance_mark

_LOOSE: Final = 1e-6
# Size of headings, as a multiple of the text size. Small capitals as large as on pages would need another line.
_HEAD: Final = 1.12

_AFTER_HEAD: Final = 0.25
_RANK: Final = 1.35
_MARK_AIR: Final = 1.2
# Share of the height of a stance card for the text below its list.
_BELOW: Final = 0.15

_ABOVE_FOOT: Final = 0.8


def npg_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of a reference card.

    Raises:
        PageError: the text does not fit in the smallest type allowed. The message gives the number of excess lines.
    """
    room = _room(plan)
    stance = card.facts.get("stance")
    if not isinstance(stance, str):
        return _drawn(card, plan, _set(card, card.blocks, plan, room, room.width))
    # The list is left of the mark; the other blocks are below both.
    letter = str(card.facts.get("letter", ""))
    side = min(SIDE, 0.32 * room.width)
    narrow = room.width - side - _MARK_AIR
    low = _BELOW * room.height
    upper = room._replace(y=room.y + low, height=room.height - low)
    # The list has the full width, unless its text would overlap the mark.
    items = list(_set(card, card.blocks[:1], plan, upper, room.width, ranked=True))
    if any(_meets(item, room.x + narrow, room.top - side - _MARK_AIR) for item in items):
        items = list(_set(card, card.blocks[:1], plan, upper, narrow, ranked=True))
    items += _set(card, card.blocks[1:], plan, room._replace(height=low), room.width, largest=False)
    middle = (room.right - side / 2, room.top - side / 2)
    items += stance_mark(stance, letter, middle, side, side, ink=plan.drafter.style.solid("ink"))
    return _drawn(card, plan, items)


def npg_back(card: Card, plan: CardLayout) -> Drawing:
    """Return the back of a reference card; without text, lines for notes.

    Raises:
        PageError: its text does not fit in the smallest type.
    """
    if not card.back:
        return ruled_face(card, plan)
    room = _room(plan)
    return _drawn(card, plan, _set(card, card.back, plan, room, room.width))


def npg_text_styles(card: Card, plan: CardLayout) -> tuple[tuple[TextStyle, ...], ...]:
    """Return the styles to try for a card: the largest size first, and in each size the loosest first."""
    kept = npg_type()
    given = card.facts.get("sizes")
    sizes = [float(size) for size in (given if isinstance(given, tuple) else kept["sizes"])]
    floor = card.facts.get("least")
    least = max(plan.least_pt, float(floor) if isinstance(floor, float) else LEAST_PT)
    sizes = list(sizes_from(sizes, plan.drafter.style.least_pt))
    larger = [sizes[0] * plan.text.share] if plan.text.share > 1 else []
    return tuple(
        tuple(
            legible(text_style(plan.drafter.style, size, face="plain", leading=leading), air)
            for leading, air in kept["settings"]
        )
        for size in (*larger, *sizes)
        if size >= least
    )


@cache
def npg_type() -> dict[str, Any]:
    """Return the type sizes, leadings and gaps of these cards."""
    kept: dict[str, Any] = template("cards", "npg")["type"]
    return kept


def _room(plan: CardLayout) -> Rect:
    """Return the text area, with a gap above the footer so that table rules do not touch its rule."""
    box = plan.text.box
    return box._replace(y=box.y + _ABOVE_FOOT, height=box.height - _ABOVE_FOOT)


def _set(
    card: Card,
    blocks: Sequence[Block],
    plan: CardLayout,
    room: Rect,
    width: float,
    *,
    largest: bool = True,
    ranked: bool = False,
) -> tuple[Item, ...]:
    """Return blocks typeset to a width from the top of ``room``, in the largest type that fits.

    Without ``largest`` sizes above the common ones are not tried. ``ranked`` enlarges the numbers of steps.
    """
    most = max(npg_type()["sizes"][0] * max(1.0, plan.text.share), 1.1 * plan.drafter.style.least_pt)

    def tried(how: TextStyle) -> tuple[LaidOutBlock, ...]:
        if ranked:
            how = replace(how, figure=how.figure.resize(_RANK))
        return closed_up(lay_out_blocks(blocks, width, how), how)

    def fits(settings: Sequence[LaidOutBlock]) -> bool:
        return column_height(settings) <= room.height + _LOOSE

    sizes = [hows for hows in npg_text_styles(card, plan) if largest or hows[0].text.size_pt <= most]
    if not sizes:
        raise PageError(
            "card {card}: no type size fits, because all are below {least_pt:g} pt", card=card.id, least_pt=LEAST_PT
        )
    closest: tuple[LaidOutBlock, ...] = ()
    for roomiest, *between, last in sizes:
        if fits(settings := tried(roomiest)):
            return _hung(settings, room, width)
        # If the tightest setting does not fit, no setting of this size fits.
        if fits(closest := tried(last)):
            found = next((settings for settings in map(tried, between) if fits(settings)), closest)
            return _hung(found, room, width)
    how = sizes[-1][-1]
    over = -int(-(column_height(closest) - room.height) // how.row_height())
    raise too_long_error(card, over, how.text.size_pt, plan)


def _meets(item: Item, right: float, above: float) -> bool:
    """Return whether an item is text higher than ``above`` that extends past ``right``, both in mm."""
    if not isinstance(item, Text) or item.at[1] < above:
        return False
    return item.at[0] + width_of(item.content, item.font, item.size_pt, track=item.track) > right


def closed_up(settings: Sequence[LaidOutBlock], how: TextStyle) -> tuple[LaidOutBlock, ...]:
    """Return the blocks with only a small gap below each heading."""
    close = _AFTER_HEAD * how.size
    heads = (False, *(setting.keeps_with_next for setting in settings))
    return tuple(
        replace(setting, before=min(setting.gap_mm, close)) if headed else setting
        for setting, headed in zip(settings, heads, strict=False)
    )


def _hung(settings: Sequence[LaidOutBlock], room: Rect, width: float) -> tuple[Item, ...]:
    made = stack_blocks(settings, width)
    return tuple(drawing_items(made, room.x, room.top - made.height))


def legible(made: TextStyle, air: float) -> TextStyle:
    """Return a style with no type below the minimum size, and headings in its strong type."""
    strong = replace(made.strong, font=Font.HEAVY)
    head = strong.resize(_HEAD)
    return replace(made.with_min_size(LEAST_PT), strong=strong, head=head, air=air)


def _drawn(card: Card, plan: CardLayout, items: Sequence[Item]) -> Drawing:
    window = window_of(card, plan)
    below, shown = picture_of(card, window, plan) if window is not None else ((), ())
    title = card_title(card, plan, left_mm=beside(window))
    whole = [*title_strip(plan), *title, *card_foot(card, plan), *items, *shown]
    return card_drawing(plan.size, grounds(plan), whole, *below)
