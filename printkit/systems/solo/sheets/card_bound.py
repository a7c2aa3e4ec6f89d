"""A card of the bound deck: PIPs, stance die, strip of stances by NET, override, sum of both dice.

Source: the specification of the solo game, 8.5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace
from shapely import Point, box

from printkit.content.cards import Card
from printkit.core.errors import PageError
from printkit.core.units import MM_PER_POINT
from printkit.core.words import SEPARATOR
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Join, Stroke
from printkit.drawing.canvas.shapes import dots, fill_and_stroke
from printkit.drawing.cards.layouts import LEAST_PT, CardLayout
from printkit.drawing.cards.parts import card_drawing, ground
from printkit.drawing.cards.text_card import card_foot
from printkit.drawing.lettering.lettering import TypeStyle, line, measure, shrink_to_fit
from printkit.drawing.text.text_styles import oblong, patch
from printkit.systems.solo.sheets.stance_marks import stance_mark

# Width and height of a cell of the strip, in mm.
CELL: Final = (7.0, 10.0)

PIPS_PT: Final = 28.0

_WHITE: Final = Ink(255, 255, 255)
# Width of the circle and of the die, in mm.
_DIE: Final = 17.0
# The same on a narrow card with labels in two languages.
_DIE_SMALL: Final = 13.5

# Gap between the label of the strip and its cells, in mm.
_BESIDE: Final = 0.6

# Centre of circle and die, as a share of the card height.
_HEAD: Final = 0.86

_STRIP: Final = 0.475
_MOST_ROWS: Final = 2
# Height of a cell, in mm, if a narrow card has the strip in two rows.
_LOW: Final = 7.4
# Distance between these rows, in mm.
_ROW_PITCH: Final = 11.4

_OVERRIDE: Final = 0.265
_OVERRIDE_PT: Final = 13.0
_SUM: Final = 0.155
_MARK: Final = (6.2, 8.6)
_CAPITALS: Final = 0.72
_PIP: Final = 0.105
_AT: Final = 0.26
_THIN: Final = 0.5 * MM_PER_POINT
_ROUND: Final = 24

# Positions of the pips of each die face, in steps from its centre.
_SPOTS: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def bound_face(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of a bound card.

    Facts of the card:
        pips, die: the scores.
        nets: the NET of each cell, as text.
        strip: a stance and its letter for each cell.
        said: the texts "pips", "stance", "net", "override" and "sum".

    Raises:
        PageError: the card is too narrow for its strip.
    """
    size = plan.size
    safe = size.width - 2 * size.safe
    facts: Mapping[str, Any] = card.facts
    if CELL[0] * math.ceil(len(facts["strip"]) / _MOST_ROWS) > safe:
        raise PageError(
            "card {card}: a strip of {count} cells {cell:g} mm wide does not fit {size}; use a larger card",
            card=card.id,
            count=len(facts["strip"]),
            cell=CELL[0],
            size=size.name,
        )
    items = [
        *_circle(facts, plan),
        *_die(facts, plan),
        *_strip(facts, plan),
        *_words(card, facts, plan),
    ]
    return card_drawing(size, ground(plan), items)


def _die_width(facts: Mapping[str, Any], plan: CardLayout) -> float:
    """Return the width of circle and die in mm; smaller for two languages above two rows of cells."""
    several = _rows(facts, plan) > 1 and SEPARATOR in facts["said"]["pips"] + facts["said"]["stance"]
    return _DIE_SMALL if several else _DIE


def _head(wide: float, plan: CardLayout) -> float:
    """Return the y of the centre of circle and die, in mm."""
    usual = _HEAD * plan.size.height - 1.0
    return usual if wide == _DIE else max(usual, plan.size.height - plan.size.safe - wide / 2)


def _circle(facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the circle with the PIPs, and the label below it."""
    ink = plan.drafter.style.solid("ink")
    wide = _die_width(facts, plan)
    x, y = plan.size.safe + 0.5 + wide / 2, _head(wide, plan)
    yield from fill_and_stroke(Point(x, y).buffer(wide / 2 - 0.5, quad_segs=_ROUND), _WHITE, Stroke(ink, 0.7))
    hand = plan.drafter.type_style(Font.HEAVY, PIPS_PT)
    yield from line(str(facts["pips"]), (x, y - _CAPITALS / 2 * hand.height), hand, anchor=Anchor.MIDDLE)
    yield from _under(facts["said"]["pips"], x, y - wide / 2, plan)


def _die(facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the stance die with its pips, and the label below it."""
    ink = plan.drafter.style.solid("ink")
    wide = _die_width(facts, plan)
    half = wide / 2 - 0.5
    x, y = plan.size.width - plan.size.safe - 0.5 - wide / 2, _head(wide, plan)
    corner = 2.2
    shape = box(x - half + corner, y - half + corner, x + half - corner, y + half - corner).buffer(corner, quad_segs=12)
    yield from fill_and_stroke(shape, _WHITE, Stroke(ink, 0.7))
    step = _AT * wide
    spots = [(x + across * step, y + up * step) for across, up in _SPOTS[facts["die"]]]
    yield from dots(spots, _PIP * wide, ink)
    yield from _under(facts["said"]["stance"], x, y - wide / 2, plan)


def _under(text: str, x: float, top: float, plan: CardLayout) -> Iterator[Item]:
    for place, row in enumerate(text.split(SEPARATOR)):
        hand = shrink_to_fit(row, plan.drafter.type_style(Font.HEAVY, 8.0, track=0.2), _DIE)
        foot = top - 1.0 - (_CAPITALS + 1.1 * place) * hand.height
        # In large print a label may be wider than the die. It stays inside the safe edge.
        beside = plan.size.safe + measure(row, hand) / 2
        middle = min(max(x, beside), plan.size.width - beside) if hand.least_pt else x
        yield from line(row, (middle, foot), hand, anchor=Anchor.MIDDLE)


def _strip(facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the strip: each cell has the mark of a stance, and its NET above."""
    cells: Sequence[tuple[str, str]] = facts["strip"]
    wide, high = CELL
    rows = _rows(facts, plan)
    count = math.ceil(len(cells) / rows)
    if rows > 1:
        high = _LOW
    ink = plan.drafter.style.solid("ink")
    left = _left(facts, count, plan)
    low = _STRIP * plan.size.height - high / 2 + (rows - 1) * _ROW_PITCH / 2
    hand = plan.drafter.type_style(Font.HEAVY, 8.5)
    for place, (net, (stance, letter)) in enumerate(zip(facts["nets"], cells, strict=True)):
        row, column = divmod(place, count)
        x, y = left + column * wide, low - row * _ROW_PITCH
        middle = left + (column + 0.5) * wide
        yield patch(oblong(x, y, wide, high), None, Stroke(ink, _THIN, join=Join.MITRE))
        yield from line(net, (middle, y + high + 1.1), hand, anchor=Anchor.MIDDLE)
        at, least = (middle, y + high / 2), plan.drafter.style.least_pt
        yield from stance_mark(stance, letter, at, _MARK[0], min(_MARK[1], high - 0.8), ink=ink, least_pt=least)
    if rows > 1:
        # Circle and die fill the space above the cells, so the label is left of the first cell.
        yield from _net_beside(facts, left, low + high + 1.1, plan)
        return
    yield from line(facts["said"]["net"], (left, low + high + 5.0), _net_hand(plan))


def _net_hand(plan: CardLayout) -> TypeStyle:
    return plan.drafter.type_style(Font.FIGURES_MEDIUM, LEAST_PT, track=0.2)


def _net_beside(facts: Mapping[str, Any], left: float, foot: float, plan: CardLayout) -> Iterator[Item]:
    """Yield the label of the strip, left of its upper row, with a line for each language."""
    hand = _net_hand(plan)
    rows = facts["said"]["net"].split(SEPARATOR)
    for place, row in enumerate(rows):
        fitting = shrink_to_fit(row, hand, left - plan.size.safe - _BESIDE)
        yield from line(row, (left - _BESIDE, foot - 1.1 * place * hand.height), fitting, anchor=Anchor.END)


def _left(facts: Mapping[str, Any], count: int, plan: CardLayout) -> float:
    """Return the left end of the strip: centred, or in two rows as far right as its label needs."""
    size, wide = plan.size, CELL[0] * count
    middle = (size.width - wide) / 2
    if _rows(facts, plan) == 1:
        return middle
    hand = _net_hand(plan)
    needed = max(measure(row, hand) for row in facts["said"]["net"].split(SEPARATOR))
    return max(middle, min(size.safe + needed + _BESIDE, size.width - size.safe - wide))


def _rows(facts: Mapping[str, Any], plan: CardLayout) -> int:
    """Return the number of rows of the strip."""
    return 1 if CELL[0] * len(facts["strip"]) <= plan.size.width - 2 * plan.size.safe else _MOST_ROWS


def _words(card: Card, facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the override, the sum of both dice, and the footer."""
    size = plan.size
    safe, middle = size.safe, size.width / 2
    room = size.width - 2 * safe
    for key, share, points in (("override", _OVERRIDE, _OVERRIDE_PT), ("sum", _SUM, 11.0)):
        said = facts["said"][key]
        hand = shrink_to_fit(said, plan.drafter.type_style(Font.HEAVY, points), room)
        if hand.size_pt < LEAST_PT:
            raise PageError(
                "card {card}: {said!r} does not fit in {room:.0f} mm at {least_pt:g} pt; shorten it",
                card=card.id,
                said=said,
                room=room,
                least_pt=LEAST_PT,
            )
        yield from line(said, (middle, share * size.height), hand, anchor=Anchor.MIDDLE)
    rule = (_OVERRIDE + _STRIP) / 2 * size.height - 0.5
    if _rows(facts, plan) > 1:
        # Two rows of cells extend almost to the override; the rule is halfway between them.
        foot = _STRIP * size.height - (_LOW + _ROW_PITCH) / 2
        rule = (foot + _OVERRIDE * size.height + _CAPITALS * _OVERRIDE_PT * MM_PER_POINT) / 2
    yield plan.drafter.rule([(safe, rule), (size.width - safe, rule)], 0.2)
    # Players read the number and the dice of a card together, so one line has both.
    yield from card_foot(replace(card, id=f"{card.id} {card.foot}".strip(), foot=""), plan)
