"""Lay out headings, write-in lines and boxes, ornaments and spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Boxes, Heading, Ornament, Space, WriteLines
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Item, Stroke
from printkit.drawing.lettering.lettering import TypeStyle, line, shrink_to_fit
from printkit.drawing.text.text_runs import natural, rows_of, set_rows
from printkit.drawing.text.text_styles import (
    LaidOutBlock,
    TextStyle,
    disc,
    drawing_of,
    oblong,
    ornament_rule,
    patch,
    rule,
)

# Minimum distance between write-in lines in mm.
LEAST_PITCH: Final = 6.0

_BEFORE: Final = 0.5
_BEFORE_BLANKS: Final = 0.2
_BEFORE_HEADING: Final = 0.95
_AFTER_HEADING: Final = 0.16
_DISC: Final = 0.66
_LEAST_HEAD: Final = 0.84
_LEAST_LINE: Final = 0.35
_BOX_LINE: Final = 0.75 * MM_PER_POINT
_SIDES: Final = 36


def set_heading(block: Heading, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a heading in small capitals after its number in a disc, with the aside on the right if it fits."""
    radius = _DISC * style.size if block.number else 0.0
    indent = 2 * radius + 0.45 * style.size if block.number else 0.0
    gap = 0.6 * style.size
    beside = natural(block.remark, style.aside, style.strong) + gap if block.remark else 0.0
    hand = _head_hand(block.text, (width - indent - beside, width - indent), style)
    whole = natural(block.text, hand, hand)
    on_one_row = indent + whole + beside <= width
    text_rows = rows_of(block.text, hand, hand, width - indent)
    high = style.row(hand)
    below = () if on_one_row or not block.remark else rows_of(block.remark, style.aside, style.strong, width - indent)
    # The aside may fit beside the last row of a heading if not beside the first.
    if below and indent + text_rows[-1].width + beside <= width:
        below, on_one_row = (), True
    after = style.gap(_AFTER_HEADING)
    height = len(text_rows) * high + len(below) * style.row(style.aside) + after
    items: list[Item] = []
    foot = style.foot(hand)
    if block.number:
        items += number_disc(block.number, (radius, height - high + foot + 0.31 * hand.height), radius, style)
    items += set_rows(text_rows, indent, height, width=width - indent, row=high, foot=foot)
    last = height - len(text_rows) * high
    if block.remark and on_one_row:
        rows = rows_of(block.remark, style.aside, style.strong, width)
        items += set_rows(rows, 0.0, last + high, width=width, row=high, foot=foot, align="right")
    items += set_rows(below, indent, last, width=width, row=style.row(style.aside), foot=style.foot(style.aside))
    return LaidOutBlock(parts=(drawing_of(width, height, items),), before=style.gap(_BEFORE_HEADING), keeps=True)


def _head_hand(text: str, rooms: Sequence[float], style: TextStyle) -> TypeStyle:
    """Return the type style of a heading: a little smaller if it then fits one row, with its aside or without."""
    whole = natural(text, style.head, style.head)
    for room in rooms:
        if whole > 0 and room / whole >= _LEAST_HEAD:
            return style.head.resize(min(1.0, 0.999 * room / whole))
    return style.head


def number_disc(number: str, middle: tuple[float, float], radius: float, style: TextStyle) -> list[Item]:
    """Return a white number on a black disc."""
    hand = shrink_to_fit(number, replace(style.figure, ink=style.paper), 1.8 * radius)
    at = (middle[0], middle[1] - 0.36 * hand.height)
    return [disc(middle, radius, style.rule, sides=_SIDES), *line(number, at, hand, anchor=Anchor.MIDDLE)]


def set_blanks(block: WriteLines, width: float, style: TextStyle) -> LaidOutBlock:
    """Return write-in lines, each after its label, or below a long label."""
    pitch = max(block.pitch, LEAST_PITCH)
    parts = tuple(_blank(label, width, pitch, style) for label in block.labels)
    return LaidOutBlock(parts=parts, before=style.gap(_BEFORE_BLANKS))


def _blank(label: str, width: float, pitch: float, style: TextStyle) -> Drawing:
    stroke = style.line(0.2)
    length = natural(label, style.text, style.strong)
    foot = 0.25 * style.size
    if length <= width * (1 - _LEAST_LINE):
        start = length + 0.45 * style.size if label else 0.0
        rows = rows_of(label, style.text, style.strong, width)
        items: list[Item] = [*set_rows(rows, 0.0, style.row(), width=width, row=style.row(), foot=foot)]
        return drawing_of(width, pitch, [*items, rule([(start, foot), (width, foot)], style.rule, stroke)])
    rows = rows_of(label, style.text, style.strong, width)
    height = len(rows) * style.row() + pitch + 0.2 * style.size
    items = [*set_rows(rows, 0.0, height - 0.2 * style.size, width=width, row=style.row(), foot=style.foot())]
    return drawing_of(width, height, [*items, rule([(0.0, foot), (width, foot)], style.rule, stroke)])


def set_boxes(block: Boxes, width: float, style: TextStyle) -> LaidOutBlock:
    """Return write-in boxes side by side: short labels are above the box, others on its right."""
    if not block.labels:
        return LaidOutBlock(parts=(), before=0.0)
    longest = max(natural(label, style.text, style.strong) for label in block.labels)
    side = min(block.side, width)
    above = longest <= 1.25 * side
    gap = 0.4 * style.size
    cell = side + gap if above else side + gap + longest + 2 * gap
    count = len(block.labels)
    fitting = max(1, math.floor((width + gap) / cell))
    columns = min(count, fitting)
    columns = math.ceil(count / math.ceil(count / columns))
    wide = width / columns if not above else cell
    parts = [
        _boxes(block.labels[first : first + columns], width, style, cell=wide, side=side, above=above)
        for first in range(0, count, columns)
    ]
    return LaidOutBlock(parts=tuple(parts), before=style.gap(_BEFORE))


def _boxes(labels: Sequence[str], width: float, style: TextStyle, *, cell: float, side: float, above: bool) -> Drawing:
    """Return one row of boxes, in cells ``cell`` mm wide."""
    stroke = Stroke(style.rule, style.line(_BOX_LINE))
    gap = 0.4 * style.size
    high = style.row()
    if above:
        height = side + high + gap
        items: list[Item] = []
        for place, label in enumerate(labels):
            items.append(patch(oblong(place * cell, gap, side, side), None, stroke))
            rows = rows_of(label, style.text, style.strong, max(side, cell - 0.2))
            items += set_rows(rows[:1], place * cell, height, width=side, row=high, foot=style.foot(), align="middle")
        return drawing_of(width, height, items)
    set_labels = [rows_of(label, style.text, style.strong, max(cell - side - 2 * gap, 1.0)) for label in labels]
    height = max(side, *(len(rows) * high for rows in set_labels)) + gap
    items = []
    for place, rows in enumerate(set_labels):
        middle = (height - gap) / 2 + gap
        items.append(patch(oblong(place * cell, middle - side / 2, side, side), None, stroke))
        top = middle + len(rows) * high / 2
        items += set_rows(rows, place * cell + side + gap, top, width=cell, row=high, foot=style.foot())
    return drawing_of(width, height, items)


def set_ornament(_: Ornament, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a rule across the column with a lozenge in the middle."""
    half = min(1.7, 0.04 * width)
    height = 0.8 * style.size
    items = ornament_rule((0.0, width), height / 2, half, half + 0.7, style.rule, style.line(0.25))
    return LaidOutBlock(parts=(drawing_of(width, height, items),), before=style.gap(0.3))


def set_space(block: Space, width: float, _: TextStyle) -> LaidOutBlock:
    """Return an empty block."""
    return LaidOutBlock(parts=(drawing_of(width, block.height, ()),), before=0.0)
