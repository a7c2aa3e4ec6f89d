"""Plans on cards that are too narrow for them: they lie on their side, and where even so type lies on type are told."""

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

CLEAR: Final = 3.0
"""Millimetres inside the cut that type of a plan keeps, as all other type does."""

_HIGH: Final = 0.6
"""How high the middle of small letters and capitals reaches, in sizes."""

_HAIR: Final = 0.02
_ALONG: Final = 0.15
_OVER: Final = 0.25
"""How much two stretches of type may share before one lies on the other, in mm along and across."""


def has_plan(blocks: Sequence[Block]) -> bool:
    """Return whether a plan is among blocks."""
    return any(isinstance(block, Diagram) for block in blocks)


def clashes(drawing: Drawing, *, beside: float = -CLEAR) -> bool:
    """Return whether type lies on other type, or reaches further than ``beside`` mm over the sides of a drawing."""
    boxes = list(_boxes(drawing))
    reach = beside + _HAIR
    if any(box.x < -reach or box.right > drawing.width + reach for box in boxes):
        return True
    return any(_overlap(one, other) for one, other in combinations(boxes, 2))


def fitted_plans(blocks: Sequence[Block], plan: CardLayout) -> tuple[Block, ...]:
    """Return blocks with each plan as a card has room for it: as it is, lying on its side, or told in words."""
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
    """Yield the boxes of the lines of type of a drawing, which run across or up."""
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
