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
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Stroke
from printkit.drawing.canvas.plain import WHITE, make_frame
from printkit.drawing.canvas.shapes import dots, fill_and_stroke
from printkit.drawing.cards.layouts import LEAST_PT, CardLayout
from printkit.drawing.cards.parts import card_drawing, ground
from printkit.drawing.cards.text_card import card_foot
from printkit.drawing.lettering.lettering import TypeStyle, line, measure, shrink_to_fit
from printkit.systems.solo.sheets.stance_marks import draw_stance_mark

# Width and height of a cell of the strip, in mm.
CELL: Final = (7.0, 10.0)

PIPS_PT: Final = 28.0

# Width of the circle and of the die, in mm.
_DIE: Final = 17.0
# The same on a narrow card with labels in two languages.
_DIE_SMALL: Final = 13.5

# Gap between the label of the strip and its cells, in mm.
_LABEL_GAP: Final = 0.6

# Centre of circle and die, as a share of the card height.
_HEAD_SHARE: Final = 0.86

_STRIP_SHARE: Final = 0.475
_MOST_ROWS: Final = 2
# Height of a cell, in mm, if a narrow card has the strip in two rows.
_LOW_CELL: Final = 7.4
# Distance between these rows, in mm.
_ROW_PITCH: Final = 11.4

_OVERRIDE_SHARE: Final = 0.265
_OVERRIDE_PT: Final = 13.0
_SUM_SHARE: Final = 0.155
_MARK: Final = (6.2, 8.6)
_CAPITALS: Final = 0.72
_PIP_SHARE: Final = 0.105
_STEP_SHARE: Final = 0.26
_THIN: Final = 0.5 * MM_PER_POINT
_ROUND: Final = 24

# Positions of the pips of each die face, in steps from its centre.
_PIP_STEPS: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
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
    safe_width = size.width - 2 * size.safe
    facts: Mapping[str, Any] = card.facts
    if CELL[0] * math.ceil(len(facts["strip"]) / _MOST_ROWS) > safe_width:
        raise PageError(
            "card {card}: a strip of {count} cells {cell:g} mm wide does not fit {size}; use a larger card",
            card=card.id,
            count=len(facts["strip"]),
            cell=CELL[0],
            size=size.name,
        )
    items = [
        *_draw_circle(facts, plan),
        *_draw_die(facts, plan),
        *_draw_strip(facts, plan),
        *_draw_texts(card, facts, plan),
    ]
    return card_drawing(size, ground(plan), items)


def _compute_die_width(facts: Mapping[str, Any], plan: CardLayout) -> float:
    """Return the width of circle and die in mm on paper; smaller for two languages above two rows."""
    is_crowded = _count_rows(facts, plan) > 1 and SEPARATOR in facts["said"]["pips"] + facts["said"]["stance"]
    return _DIE_SMALL if is_crowded else _DIE


def _compute_centre_y(width_mm: float, plan: CardLayout) -> float:
    """Return the y of the centre of circle and die, in mm on paper."""
    default_y = _HEAD_SHARE * plan.size.height - 1.0
    return default_y if width_mm == _DIE else max(default_y, plan.size.height - plan.size.safe - width_mm / 2)


def _draw_circle(facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the circle with the PIPs, and the label below it.

    Items are in printed mm.
    """
    ink = plan.drafter.style.solid("ink")
    width_mm = _compute_die_width(facts, plan)
    x, y = plan.size.safe + 0.5 + width_mm / 2, _compute_centre_y(width_mm, plan)
    yield from fill_and_stroke(Point(x, y).buffer(width_mm / 2 - 0.5, quad_segs=_ROUND), WHITE, Stroke(ink, 0.7))
    style = plan.drafter.type_style(Font.HEAVY, PIPS_PT)
    yield from line(str(facts["pips"]), (x, y - _CAPITALS / 2 * style.height), style, anchor=Anchor.MIDDLE)
    yield from _draw_label(facts["said"]["pips"], x, y - width_mm / 2, plan)


def _draw_die(facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the stance die with its pips, and the label below it.

    Items are in printed mm.
    """
    ink = plan.drafter.style.solid("ink")
    width_mm = _compute_die_width(facts, plan)
    half = width_mm / 2 - 0.5
    x, y = plan.size.width - plan.size.safe - 0.5 - width_mm / 2, _compute_centre_y(width_mm, plan)
    corner = 2.2
    shape = box(x - half + corner, y - half + corner, x + half - corner, y + half - corner).buffer(corner, quad_segs=12)
    yield from fill_and_stroke(shape, WHITE, Stroke(ink, 0.7))
    step = _STEP_SHARE * width_mm
    pip_points = [(x + step_x * step, y + step_y * step) for step_x, step_y in _PIP_STEPS[facts["die"]]]
    yield from dots(pip_points, _PIP_SHARE * width_mm, ink)
    yield from _draw_label(facts["said"]["stance"], x, y - width_mm / 2, plan)


def _draw_label(text: str, x: float, top: float, plan: CardLayout) -> Iterator[Item]:
    """Yield a label centred on ``x`` below ``top``, both in mm on paper, with a line for each language."""
    for index, row in enumerate(text.split(SEPARATOR)):
        style = shrink_to_fit(row, plan.drafter.type_style(Font.HEAVY, 8.0, track=0.2), _DIE)
        baseline = top - 1.0 - (_CAPITALS + 1.1 * index) * style.height
        # In large print a label may be wider than the die. It stays inside the safe edge.
        least_middle = plan.size.safe + measure(row, style) / 2
        middle = min(max(x, least_middle), plan.size.width - least_middle) if style.least_pt else x
        yield from line(row, (middle, baseline), style, anchor=Anchor.MIDDLE)


def _draw_strip(facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the cells in one row or two: each has the mark of a stance, and its NET above.

    Items are in printed mm.
    """
    cells: Sequence[tuple[str, str]] = facts["strip"]
    cell_width, cell_height = CELL
    rows = _count_rows(facts, plan)
    count = math.ceil(len(cells) / rows)
    if rows > 1:
        cell_height = _LOW_CELL
    ink = plan.drafter.style.solid("ink")
    left = _find_strip_left(facts, count, plan)
    row_y = _STRIP_SHARE * plan.size.height - cell_height / 2 + (rows - 1) * _ROW_PITCH / 2
    style = plan.drafter.type_style(Font.HEAVY, 8.5)
    for index, (net, (stance, letter)) in enumerate(zip(facts["nets"], cells, strict=True)):
        row, column = divmod(index, count)
        x, y = left + column * cell_width, row_y - row * _ROW_PITCH
        middle = left + (column + 0.5) * cell_width
        yield make_frame((x, y, cell_width, cell_height), ink, _THIN)
        yield from line(net, (middle, y + cell_height + 1.1), style, anchor=Anchor.MIDDLE)
        centre, least_pt = (middle, y + cell_height / 2), plan.drafter.style.least_pt
        yield from draw_stance_mark(
            stance, letter, centre, _MARK[0], min(_MARK[1], cell_height - 0.8), ink=ink, least_pt=least_pt
        )
    if rows > 1:
        # Circle and die fill the space above the cells, so the label is left of the first cell.
        yield from _draw_net_label(facts, left, row_y + cell_height + 1.1, plan)
        return
    yield from line(facts["said"]["net"], (left, row_y + cell_height + 5.0), _make_net_style(plan))


def _make_net_style(plan: CardLayout) -> TypeStyle:
    """Return the type style of the label of the stance cells."""
    return plan.drafter.type_style(Font.FIGURES_MEDIUM, LEAST_PT, track=0.2)


def _draw_net_label(facts: Mapping[str, Any], left: float, baseline: float, plan: CardLayout) -> Iterator[Item]:
    """Yield the label of the stance cells, left of their upper row, with a line for each language.

    ``left`` is the left end of the row and ``baseline`` the baseline of the first line, in mm on paper.
    """
    style = _make_net_style(plan)
    rows = facts["said"]["net"].split(SEPARATOR)
    for index, row in enumerate(rows):
        fitted_style = shrink_to_fit(row, style, left - plan.size.safe - _LABEL_GAP)
        yield from line(
            row, (left - _LABEL_GAP, baseline - 1.1 * index * style.height), fitted_style, anchor=Anchor.END
        )


def _find_strip_left(facts: Mapping[str, Any], count: int, plan: CardLayout) -> float:
    """Return the left end, in mm on paper, of the row of stance cells.

    The row is centred; two rows are as far right as their label needs. ``count`` is the number of cells in a row.
    """
    size, strip_width = plan.size, CELL[0] * count
    middle = (size.width - strip_width) / 2
    if _count_rows(facts, plan) == 1:
        return middle
    style = _make_net_style(plan)
    label_width = max(measure(row, style) for row in facts["said"]["net"].split(SEPARATOR))
    return max(middle, min(size.safe + label_width + _LABEL_GAP, size.width - size.safe - strip_width))


def _count_rows(facts: Mapping[str, Any], plan: CardLayout) -> int:
    """Return the number of rows, 1 or 2, that the stance cells of a bound card need."""
    return 1 if CELL[0] * len(facts["strip"]) <= plan.size.width - 2 * plan.size.safe else _MOST_ROWS


def _draw_texts(card: Card, facts: Mapping[str, Any], plan: CardLayout) -> Iterator[Item]:
    """Yield the override, the sum of both dice, and the footer.

    Items are in printed mm.

    Raises:
        PageError: a text does not fit even in the smallest type.
    """
    size = plan.size
    safe, middle = size.safe, size.width / 2
    width_mm = size.width - 2 * safe
    for key, share, points in (("override", _OVERRIDE_SHARE, _OVERRIDE_PT), ("sum", _SUM_SHARE, 11.0)):
        text = facts["said"][key]
        style = shrink_to_fit(text, plan.drafter.type_style(Font.HEAVY, points), width_mm)
        if style.size_pt < LEAST_PT:
            raise PageError(
                "card {card}: {said!r} does not fit in {room:.0f} mm at {least_pt:g} pt; shorten it",
                card=card.id,
                said=text,
                room=width_mm,
                least_pt=LEAST_PT,
            )
        yield from line(text, (middle, share * size.height), style, anchor=Anchor.MIDDLE)
    rule_y = (_OVERRIDE_SHARE + _STRIP_SHARE) / 2 * size.height - 0.5
    if _count_rows(facts, plan) > 1:
        # Two rows of cells extend almost to the override; the rule is halfway between them.
        bottom = _STRIP_SHARE * size.height - (_LOW_CELL + _ROW_PITCH) / 2
        rule_y = (bottom + _OVERRIDE_SHARE * size.height + _CAPITALS * _OVERRIDE_PT * MM_PER_POINT) / 2
    yield plan.drafter.rule([(safe, rule_y), (size.width - safe, rule_y)], 0.2)
    # Players read the number and the dice of a card together, so one line has both.
    yield from card_foot(replace(card, id=f"{card.id} {card.foot}".strip(), foot=""), plan)
