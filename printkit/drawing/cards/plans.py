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
from printkit.drawing.text.typesetting import set_block, told_plan

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


def clashes(drawing: Drawing, *, beside: float = -CLEAR) -> bool:
    """Return whether texts overlap, or extend more than ``beside`` mm beyond the left or right side."""
    boxes = list(_boxes(drawing))
    reach = beside + _HAIR
    if any(box.x < -reach or box.right > drawing.width + reach for box in boxes):
        return True
    return any(_overlap(one, other) for one, other in combinations(boxes, 2))


def fitted_plans(blocks: Sequence[Block], plan: CardLayout) -> tuple[Block, ...]:
    """Return blocks with each plan made to fit the card: unchanged, rotated, or replaced by words."""
    style, room = card_text_styles(plan)[-1], plan.text.box
    return tuple(_fitted(block, room, style) if isinstance(block, Diagram) else block for block in blocks)


def _fitted(block: Diagram, room: Rect, style: TextStyle) -> Block:
    for tried in (block, replace(block, along=room.height)):
        try:
            made = set_block(tried, room.width, style)
        except PageError:
            continue
        if made.height <= room.height and not any(clashes(part, beside=room.x - CLEAR) for part in made.parts):
            return tried
    return told_plan(block)


def _boxes(drawing: Drawing) -> Iterator[Rect]:
    """Yield the bounding boxes of straight lines of text in a drawing."""
    straight = (item for _, item in drawing.items() if isinstance(item, Text) and not item.glyphs)
    for text in straight:
        turn = math.radians(text.angle)
        (x, y), along, high = text_foot(text), text_length(text), _HIGH * text.size_pt * MM_PER_POINT
        ends = (along * math.cos(turn) - high * math.sin(turn), along * math.sin(turn) + high * math.cos(turn))
        yield Rect(x + min(0.0, ends[0]), y + min(0.0, ends[1]), abs(ends[0]), abs(ends[1]))


def _overlap(one: Rect, other: Rect) -> bool:
    across = min(one.right, other.right) - max(one.x, other.x)
    up = min(one.top, other.top) - max(one.y, other.y)
    return min(across, up) > _ALONG and max(across, up) > _OVER
