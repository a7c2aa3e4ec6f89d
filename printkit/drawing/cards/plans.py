"""Plans on narrow cards: rotated, or replaced by words if their texts still overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Block, Diagram
from printkit.core.errors import PageError
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Drawing, Rect, Text
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.cards.text_card import card_text_styles
from printkit.drawing.lettering.extent import text_foot, text_length
from printkit.drawing.text.text_styles import TextStyle
from printkit.drawing.text.typesetting import lay_out_block, plan_as_text

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
