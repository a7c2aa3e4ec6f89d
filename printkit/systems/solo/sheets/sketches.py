"""Sketches to draw on: the board with quarters, ninths and river bands; the zone of one side (8.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.canvas.items import Anchor, Font, Item, Rect
from printkit.drawing.forms.form_parts import draw_cell_text
from printkit.drawing.lettering.lettering import line
from printkit.systems.solo.sheets.paper import SheetPaper

# Side of the sketch of the board, in mm.
BOARD: Final = 100.0

# Width and height of the sketch of the zone, in mm.
ZONE: Final = (160.0, 60.0)

_FRAME: Final = 0.5
_QUARTER: Final = 0.4
_NINTH: Final = 0.15
_DASH: Final = (1.6, 1.2)
_LABEL: Final = 4.0
_LABEL_PT: Final = 8.0
_CAPITALS: Final = 0.36


def board_sketch(x: float, y: float, paper: SheetPaper) -> Iterator[Item]:
    """Yield a square of 100 mm: heavy lines for quarters, thin for ninths, dashed for river bands.

    Args:
        x: x of the left edge, in mm.
        y: y of the near edge, in mm.
        paper: the paper with the names of the edges.
    """
    side, drafter = BOARD, paper.drafter
    for part in (1 / 3, 2 / 3):
        yield drafter.rule([(x + part * side, y), (x + part * side, y + side)], _NINTH)
        yield drafter.rule([(x, y + part * side), (x + side, y + part * side)], _NINTH)
    for part in (1 / 4, 3 / 4):
        yield drafter.dashed_line([(x + part * side, y), (x + part * side, y + side)], 0.2, _DASH)
        yield drafter.dashed_line([(x, y + part * side), (x + side, y + part * side)], 0.2, _DASH)
    yield drafter.rule([(x + side / 2, y), (x + side / 2, y + side)], _QUARTER)
    yield drafter.rule([(x, y + side / 2), (x + side, y + side / 2)], _QUARTER)
    yield drafter.box(Rect(x, y, side, side), _FRAME)
    hand = drafter.type_style(Font.FIGURES, _LABEL_PT)
    drop = _CAPITALS * hand.height
    middle = (x + side / 2, y + side / 2)
    places = (
        ("far", (middle[0], y + side + 1.2), 0.0),
        ("near", (middle[0], y - _LABEL + 0.8), 0.0),
        ("left", (x - 1.2, middle[1]), 90.0),
        ("right", (x + side + 1.2 + 2 * drop, middle[1]), 90.0),
    )
    for name, at, angle in places:
        said = paper.say(f"board.{name}")
        yield from drafter.text(said, at, hand, max_width_mm=side, anchor=Anchor.MIDDLE, angle=angle)


def zone_sketch(x: float, y: float, paper: SheetPaper) -> Iterator[Item]:
    """Yield the zone of a side, its enemy at the top: a flank at each end, Centre and Reserve between.

    Args:
        x: x of the left end, in mm.
        y: y of the base edge, in mm.
        paper: the paper with the names of the positions.
    """
    (wide, high), drafter = ZONE, paper.drafter
    quarter = wide / 4
    behind = y + high * 2 / 3
    for part in (1, 3):
        yield drafter.rule([(x + part * quarter, y), (x + part * quarter, y + high)], _QUARTER)
    yield drafter.dashed_line([(x + quarter, behind), (x + 3 * quarter, behind)], 0.25, _DASH)
    yield drafter.rule([(x + wide / 2, y), (x + wide / 2, y + high)], _NINTH)
    yield drafter.box(Rect(x, y, wide, high), _FRAME)
    places = (
        ("left", Rect(x, y + high - 6, quarter, 6)),
        ("centre", Rect(x + quarter, y + high - 6, 2 * quarter, 6)),
        ("right", Rect(x + 3 * quarter, y + high - 6, quarter, 6)),
        ("reserve", Rect(x + quarter, behind - 6, 2 * quarter, 6)),
    )
    for name, place in places:
        yield from draw_cell_text(paper.say(f"zone.{name}"), place, drafter, size_pt=8.5, font=Font.HEAVY)
    hand = drafter.type_style(Font.FIGURES, _LABEL_PT)
    for name, foot in (("enemy", y + high + 1.2), ("edge", y - _LABEL + 0.8)):
        yield from line(paper.say(f"zone.{name}"), (x + wide / 2, foot), hand, anchor=Anchor.MIDDLE)
