"""Sets what is written into, and what parts a page: lines and boxes to fill, heads of sections, ornaments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from printkit.content.prose import Blanks, Boxes, Heading
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import GRID, Anchor, Drawing, Ink, Item, Path, Run, Stroke
from printkit.drawing.lettering.lettering import Hand, line, shrunk
from printkit.drawing.text.text_runs import natural, rows_of, set_rows
from printkit.drawing.text.text_styles import Manner, Setting, lozenge, oblong, part, patch, rule

LEAST_PITCH: Final = 6.0
"""How far apart in mm lines to write on are at least."""

_BEFORE: Final = 0.5
_BEFORE_BLANKS: Final = 0.2
_BEFORE_HEADING: Final = 0.95
_AFTER_HEADING: Final = 0.16
_DISC: Final = 0.66
_LEAST_HEAD: Final = 0.84
_LEAST_LINE: Final = 0.35
_BOX_LINE: Final = 0.75 * MM_PER_POINT
_SIDES: Final = 36


def set_heading(block: Heading, width: float, manner: Manner) -> Setting:
    """Return a head in small capitals after its number in a disc, and the aside at the right where it has room."""
    hand = _head_hand(block, width, manner)
    radius = _DISC * manner.size if block.number else 0.0
    indent = 2 * radius + 0.45 * manner.size if block.number else 0.0
    gap = 0.6 * manner.size
    beside = natural(block.aside, manner.aside, manner.strong) + gap if block.aside else 0.0
    whole = natural(block.text, hand, hand)
    on_one_row = indent + whole + beside <= width
    text_rows = rows_of(block.text, hand, hand, width - indent)
    high = manner.row(hand)
    below = () if on_one_row or not block.aside else rows_of(block.aside, manner.aside, manner.strong, width - indent)
    # The last row of a head may have room for an aside that the first has not.
    if below and indent + text_rows[-1].width + beside <= width:
        below, on_one_row = (), True
    after = manner.gap(_AFTER_HEADING)
    height = len(text_rows) * high + len(below) * manner.row(manner.aside) + after
    items: list[Item] = []
    foot = manner.foot(hand)
    if block.number:
        items += number_disc(block.number, (radius, height - high + foot + 0.31 * hand.height), radius, manner)
    items += set_rows(text_rows, indent, height, width=width - indent, row=high, foot=foot)
    last = height - len(text_rows) * high
    if block.aside and on_one_row:
        rows = rows_of(block.aside, manner.aside, manner.strong, width)
        items += set_rows(rows, 0.0, last + high, width=width, row=high, foot=foot, align="right")
    items += set_rows(below, indent, last, width=width, row=manner.row(manner.aside), foot=manner.foot(manner.aside))
    return Setting(parts=(part(width, height, items),), before=manner.gap(_BEFORE_HEADING), keeps=True)


def _head_hand(block: Heading, width: float, manner: Manner) -> Hand:
    """Return the hand of a head: somewhat smaller where that brings it on one row with its aside, or alone."""
    number = 2 * _DISC * manner.size + 0.45 * manner.size if block.number else 0.0
    aside = natural(block.aside, manner.aside, manner.strong) + 0.6 * manner.size if block.aside else 0.0
    whole = natural(block.text, manner.head, manner.head)
    for room in (width - number - aside, width - number):
        if whole > 0 and room / whole >= _LEAST_HEAD:
            return manner.head.sized(min(1.0, 0.999 * room / whole))
    return manner.head


def number_disc(number: str, middle: tuple[float, float], radius: float, manner: Manner) -> list[Item]:
    """Return a number in white on a black disc."""
    hand = _in_paper(manner.figure, manner.paper)
    hand = shrunk(number, hand, 1.8 * radius)
    at = (middle[0], middle[1] - 0.36 * hand.height)
    return [_disc(middle, radius, manner.rule), *line(number, at, hand, anchor=Anchor.MIDDLE)]


def set_blanks(block: Blanks, width: float, manner: Manner) -> Setting:
    """Return lines to write on, each after its label; a label that leaves no room has its line below."""
    pitch = max(block.pitch, LEAST_PITCH)
    parts = tuple(_blank(label, width, pitch, manner) for label in block.labels)
    return Setting(parts=parts, before=manner.gap(_BEFORE_BLANKS))


def _blank(label: str, width: float, pitch: float, manner: Manner) -> Drawing:
    stroke = manner.line(0.2)
    length = natural(label, manner.text, manner.strong)
    foot = 0.25 * manner.size
    if length <= width * (1 - _LEAST_LINE):
        start = length + 0.45 * manner.size if label else 0.0
        rows = rows_of(label, manner.text, manner.strong, width)
        items: list[Item] = [*set_rows(rows, 0.0, manner.row(), width=width, row=manner.row(), foot=foot)]
        return part(width, pitch, [*items, rule([(start, foot), (width, foot)], manner.rule, stroke)])
    rows = rows_of(label, manner.text, manner.strong, width)
    height = len(rows) * manner.row() + pitch + 0.2 * manner.size
    items = [*set_rows(rows, 0.0, height - 0.2 * manner.size, width=width, row=manner.row(), foot=manner.foot())]
    return part(width, height, [*items, rule([(0.0, foot), (width, foot)], manner.rule, stroke)])


def set_boxes(block: Boxes, width: float, manner: Manner) -> Setting:
    """Return boxes side by side: short labels stand above their box, others at its right."""
    if not block.labels:
        return Setting(parts=(), before=0.0)
    longest = max(natural(label, manner.text, manner.strong) for label in block.labels)
    side = min(block.side, width)
    above = longest <= 1.25 * side
    gap = 0.4 * manner.size
    cell = side + gap if above else side + gap + longest + 2 * gap
    count = len(block.labels)
    fitting = max(1, math.floor((width + gap) / cell))
    columns = min(count, fitting)
    columns = math.ceil(count / math.ceil(count / columns))
    wide = width / columns if not above else cell
    parts = [
        _boxes(block.labels[first : first + columns], width, manner, cell=wide, side=side, above=above)
        for first in range(0, count, columns)
    ]
    return Setting(parts=tuple(parts), before=manner.gap(_BEFORE))


def _boxes(labels: Sequence[str], width: float, manner: Manner, *, cell: float, side: float, above: bool) -> Drawing:
    """Return one row of boxes, in cells of a width."""
    stroke = Stroke(manner.rule, manner.line(_BOX_LINE))
    gap = 0.4 * manner.size
    high = manner.row()
    if above:
        height = side + high + gap
        items: list[Item] = []
        for place, label in enumerate(labels):
            items.append(patch(oblong(place * cell, gap, side, side), None, stroke))
            rows = rows_of(label, manner.text, manner.strong, max(side, cell - 0.2))
            items += set_rows(rows[:1], place * cell, height, width=side, row=high, foot=manner.foot(), align="middle")
        return part(width, height, items)
    set_labels = [rows_of(label, manner.text, manner.strong, max(cell - side - 2 * gap, 1.0)) for label in labels]
    height = max(side, *(len(rows) * high for rows in set_labels)) + gap
    items = []
    for place, rows in enumerate(set_labels):
        middle = (height - gap) / 2 + gap
        items.append(patch(oblong(place * cell, middle - side / 2, side, side), None, stroke))
        top = middle + len(rows) * high / 2
        items += set_rows(rows, place * cell + side + gap, top, width=cell, row=high, foot=manner.foot())
    return part(width, height, items)


def set_ornament(width: float, manner: Manner) -> Setting:
    """Return a rule across the column, parted by a lozenge."""
    half = min(1.7, 0.04 * width)
    height = 0.8 * manner.size
    middle = height / 2
    stroke = manner.line(0.25)
    gap = half + 0.7
    items: list[Item] = [
        rule([(0.0, middle), (width / 2 - gap, middle)], manner.rule, stroke),
        rule([(width / 2 + gap, middle), (width, middle)], manner.rule, stroke),
        patch(lozenge(width / 2, middle, half, 0.45 * half), manner.rule),
    ]
    return Setting(parts=(part(width, height, items),), before=manner.gap(0.3))


def _disc(middle: tuple[float, float], radius: float, ink: Ink) -> Path:
    turns = [2 * math.pi * step / _SIDES for step in range(_SIDES)]
    points = [(middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn)) for turn in turns]
    return Path((Run(tuple(round(value / GRID) for point in points for value in point), closed=True),), fill=ink)


def _in_paper(hand: Hand, paper: Ink) -> Hand:
    return Hand(font=hand.font, size_pt=hand.size_pt, ink=paper, track=hand.track)
