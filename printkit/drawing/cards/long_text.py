"""Cards whose text does not fit in the smallest type, and plans on narrow cards.

All of the text is printed, on small cards and in long languages too. Each part shows its number and the number of
parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, zip_longest
from typing import Final, TypeAlias

from msgspec.structs import replace

from printkit.content.cards import Card
from printkit.content.prose import Block, Diagram
from printkit.core.errors import PageError
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Drawing, Font, Item, Rect, Text
from printkit.drawing.canvas.layers import drawing_items
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.cards.parts import card_drawing, going_banner
from printkit.drawing.cards.text_card import BESIDE_BANNER, card_text_styles, frame, grounds, ruled_face
from printkit.drawing.lettering.extent import text_foot, text_length
from printkit.drawing.text.flow import fill_column
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle
from printkit.drawing.text.typesetting import lay_out_block, lay_out_blocks, plan_as_text, stack_blocks

# Distance of all text from the cut, in mm.
CLEAR: Final = 3.0

# Height of a line of text in type sizes: between that of small letters and of capitals.
_HIGH: Final = 0.6

_HAIR: Final = 0.02

# Two texts collide if their boxes overlap by more than this: the shorter and the longer side, in mm.
_ALONG: Final = 0.15
_OVER: Final = 0.25


def has_plan(blocks: Sequence[Block]) -> bool:
    """Return whether one of the blocks is a plan."""
    return any(isinstance(block, Diagram) for block in blocks)


def has_clash(drawing: Drawing, *, overhang: float = -CLEAR) -> bool:
    """Return whether texts overlap, or extend too far beyond the left or right side of a drawing.

    More than ``overhang`` printed mm is too far. A negative overhang is a margin inside the sides, by default 3 mm.
    Texts along curves are not checked.
    """
    boxes = list(_text_boxes(drawing))
    reach = overhang + _HAIR
    if any(box.x < -reach or box.right > drawing.width + reach for box in boxes):
        return True
    return any(_has_overlap(first, second) for first, second in combinations(boxes, 2))


def fit_plans(blocks: Sequence[Block], plan: CardLayout) -> tuple[Block, ...]:
    """Return blocks with each plan made to fit the card: unchanged, rotated, or replaced by words."""
    style, area = card_text_styles(plan)[-1], plan.text.box
    return tuple(_fit_plan(block, area, style) if isinstance(block, Diagram) else block for block in blocks)


def _fit_plan(block: Diagram, area: Rect, style: TextStyle) -> Block:
    """Return a plan that fits an area in printed mm without clashes, or its text.

    The plan is tried unchanged, then rotated to the height of the area. If neither fits, ``plan_as_text`` replaces it.
    """
    for candidate in (block, replace(block, rotated_length=area.height)):
        try:
            block_layout = lay_out_block(candidate, area.width, style)
        except PageError:
            continue
        if block_layout.height <= area.height and not any(
            has_clash(part, overhang=area.x - CLEAR) for part in block_layout.parts
        ):
            return candidate
    return plan_as_text(block)


def _text_boxes(drawing: Drawing) -> Iterator[Rect]:
    """Yield the bounding boxes of straight lines of text in a drawing, in printed mm."""
    straight = (item for _, item in drawing.items() if isinstance(item, Text) and not item.glyphs)
    for text in straight:
        turn = math.radians(text.angle)
        (x, y), length, height = text_foot(text), text_length(text), _HIGH * text.size_pt * MM_PER_POINT
        ends = (length * math.cos(turn) - height * math.sin(turn), length * math.sin(turn) + height * math.cos(turn))
        yield Rect(x + min(0.0, ends[0]), y + min(0.0, ends[1]), abs(ends[0]), abs(ends[1]))


def _has_overlap(first: Rect, second: Rect) -> bool:
    """Return whether two boxes of text (in printed mm) overlap by more than can be overlooked."""
    overlap_x = min(first.right, second.right) - max(first.x, second.x)
    overlap_y = min(first.top, second.top) - max(first.y, second.y)
    return min(overlap_x, overlap_y) > _ALONG and max(overlap_x, overlap_y) > _OVER


FrontMaker: TypeAlias = Callable[[Card, CardLayout], Drawing]

CardSides: TypeAlias = tuple[Drawing, Drawing | None]


def running_fronts(card: Card, plan: CardLayout, draw: FrontMaker) -> tuple[Drawing, ...]:
    """Return the front of a card, or several fronts if its text continues.

    Args:
        card: the content.
        plan: the size and the layouts.
        draw: draws the front if the text fits.

    Raises:
        PageError: a block that cannot be split, for example a plan, does not fit the card.
    """
    for candidate in _card_variants(card, plan):
        try:
            drawing = draw(candidate, plan)
        except PageError:
            if not card.blocks:
                raise
            break
        if not (has_plan(candidate.blocks) and has_clash(drawing)):
            return (drawing,)
    if card.art is not None:
        return _continue_below_picture(card, plan, draw)
    return running_text(card, card.blocks, plan)


def _card_variants(card: Card, plan: CardLayout) -> Iterator[Card]:
    """Yield the card unchanged, then with its plans made to fit."""
    yield card
    yield replace(card, blocks=fit_plans(card.blocks, plan))


def running_text(card: Card, blocks: Sequence[Block], plan: CardLayout) -> tuple[Drawing, ...]:
    """Return the sides that the blocks of a text card need in the smallest type, each with its number.

    ``card`` gives title, footer and banner; its own blocks are ignored. A text that fits one side has no number.

    Raises:
        PageError: a block that cannot be split does not fit the card.
    """
    return _draw_parts(card, _split_blocks(card, blocks, plan), plan)


def _continue_below_picture(card: Card, plan: CardLayout, draw: FrontMaker) -> tuple[Drawing, ...]:
    """Return the card with its picture and as many blocks as fit, then text cards with the other blocks.

    Raises:
        PageError: the picture does not fit without blocks, or a block that cannot be split does not fit a card.
    """
    for count in reversed(range(len(card.blocks))):
        try:
            first = draw(replace(card, blocks=card.blocks[:count]), plan)
        except PageError:
            if not count:
                raise
            continue
        after = replace(card, art=None, banner=None)
        parts = _split_blocks(after, card.blocks[count:], plan)
        return (first, *_draw_parts(after, parts, plan, first=2, count=len(parts) + 1))
    raise AssertionError


def _split_blocks(card: Card, blocks: Sequence[Block], plan: CardLayout) -> list[list[LaidOutBlock]]:
    """Return the laid-out blocks of each side that a card needs for them, as many on each as fit.

    Raises:
        PageError: a block that cannot be split does not fit the card.
    """
    area = plan.text.box
    rest = list(lay_out_blocks(fit_plans(blocks, plan), area.width, card_text_styles(plan)[-1]))
    parts: list[list[LaidOutBlock]] = []
    while rest:
        # The going banner, of one or two rows, is above the first part.
        height = area.height - (_banner_height(card, plan) if not parts else 0.0)
        side_blocks, rest = fill_column(rest, height, must_break=True)
        parts.append(side_blocks)
    return parts


def _draw_parts(
    card: Card, parts: Sequence[Sequence[LaidOutBlock]], plan: CardLayout, *, first: int = 1, count: int = 0
) -> tuple[Drawing, ...]:
    """Return the sides of a card whose text continues, each with its number.

    ``first`` is the number of the first side, ``count`` the number of sides in all (0: as many as there are parts).
    Only side 1 has the going banner of the card.
    """
    area, total = plan.text.box, count or len(parts)
    sides: list[Drawing] = []
    for number, part in enumerate(parts, first):
        items: list[Item] = list(_number_frame(card, number, total, plan))
        top = area.top
        if number == 1 and card.banner is not None:
            top -= _banner_height(card, plan)
            banner_height = plan.terrain.scale_with_text("banner", "height") + BESIDE_BANNER
            items += going_banner(*card.banner, area.top - banner_height, plan).items
        text_column = stack_blocks(part, area.width)
        items += drawing_items(text_column, area.x, top - text_column.height)
        sides.append(card_drawing(plan.size, grounds(plan), items))
    return tuple(sides)


def _banner_height(card: Card, plan: CardLayout) -> float:
    """Return the height in printed mm that the going banner takes with its gaps; 0 without a banner."""
    if card.banner is None:
        return 0.0
    plate = going_banner(*card.banner, 0.0, plan)
    return plan.terrain.scale_with_text("banner", "height") + 2 * BESIDE_BANNER + plate.higher


def _number_frame(card: Card, number: int, count: int, plan: CardLayout) -> tuple[Item, ...]:
    """Return the frame of side ``number`` of ``count``, with the number if there are several.

    ``number`` counts from 1. The number is after the title if that needs no extra row, otherwise in the footer.
    """
    plain_frame = tuple(frame(card, plan))
    if count == 1:
        return plain_frame
    words = plan.drafter.words.each()[0]
    with_number: list[tuple[Item, ...]] = []
    for title, foot in (
        (words("faces.part", title=card.title, part=number, parts=count), card.foot),
        (card.title, words("faces.part", title=card.foot, part=number, parts=count).strip()),
    ):
        try:
            with_number.append(tuple(frame(replace(card, title=title, foot=foot), plan)))
        except PageError:
            continue
        if _count_title_rows(with_number[-1]) == _count_title_rows(plain_frame):
            return with_number[-1]
    if with_number:
        return with_number[0]
    foot = words("faces.part", title="", part=number, parts=count).strip()
    return tuple(frame(replace(card, foot=foot), plan))


def _count_title_rows(items: Sequence[Item]) -> int:
    """Return the number of rows of a title: the different heights of text in small capitals."""
    return len({item.at[1] for item in items if isinstance(item, Text) and item.font is Font.SMALL_CAPITALS})


def pair_sides(
    fronts: Sequence[Drawing], backs: Sequence[Drawing], card: Card, plan: CardLayout
) -> tuple[CardSides, ...]:
    """Return cards, each a front and a back; a missing side gets lines to write on.

    Without backs, the text of ``fronts`` continues from front to back: every second of them is a back. ``card`` and
    ``plan`` give the look of added sides.
    """
    front_sides, back_sides = (fronts, backs) if backs else (fronts[::2], fronts[1::2])
    pairs = zip_longest(front_sides, back_sides)
    return tuple(
        (front_side or ruled_face(card, plan), back_side or ruled_face(card, plan)) for front_side, back_side in pairs
    )
