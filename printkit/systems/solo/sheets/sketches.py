"""Sketches to draw on: the board with quarters, ninths and river bands; the zone of one side (8.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.canvas.items import Anchor, Font, Item, Rect
from printkit.drawing.lettering.lettering import line
from printkit.drawing.text.form_parts import draw_cell_text
from printkit.systems.solo.sheets.paper import SheetPaper

# Side of the sketch of the board, in mm.
BOARD: Final = 100.0

# Width and height of the sketch of the zone, in mm.
ZONE: Final = (160.0, 60.0)

_FRAME: Final = 0.5
_QUARTER: Final = 0.4
_NINTH: Final = 0.15
_DASH: Final = (1.6, 1.2)
_LABEL_MM: Final = 4.0
_LABEL_PT: Final = 8.0
_CAPITALS: Final = 0.36


def draw_board_sketch(x: float, y: float, paper: SheetPaper) -> Iterator[Item]:
    """Yield a square of 100 mm on paper: heavy lines for quarters, thin for ninths, dashed for river bands.

    Args:
        x: x of the left edge, in mm on paper.
        y: y of the near edge, in mm on paper.
        paper: the paper with the names of the edges.
    """
    side, drafter = BOARD, paper.drafter
    for share in (1 / 3, 2 / 3):
        yield drafter.rule([(x + share * side, y), (x + share * side, y + side)], _NINTH)
        yield drafter.rule([(x, y + share * side), (x + side, y + share * side)], _NINTH)
    for share in (1 / 4, 3 / 4):
        yield drafter.dashed_line([(x + share * side, y), (x + share * side, y + side)], 0.2, _DASH)
        yield drafter.dashed_line([(x, y + share * side), (x + side, y + share * side)], 0.2, _DASH)
    yield drafter.rule([(x + side / 2, y), (x + side / 2, y + side)], _QUARTER)
    yield drafter.rule([(x, y + side / 2), (x + side, y + side / 2)], _QUARTER)
    yield drafter.box(Rect(x, y, side, side), _FRAME)
    style = drafter.type_style(Font.FIGURES, _LABEL_PT)
    drop = _CAPITALS * style.height
    middle = (x + side / 2, y + side / 2)
    labels = (
        ("far", (middle[0], y + side + 1.2), 0.0),
        ("near", (middle[0], y - _LABEL_MM + 0.8), 0.0),
        ("left", (x - 1.2, middle[1]), 90.0),
        ("right", (x + side + 1.2 + 2 * drop, middle[1]), 90.0),
    )
    for name, position, angle in labels:
        label = paper.get_text(f"board.{name}")
        yield from drafter.text(label, position, style, max_width_mm=side, anchor=Anchor.MIDDLE, angle=angle)


def draw_zone_sketch(x: float, y: float, paper: SheetPaper) -> Iterator[Item]:
    """Yield the zone of a side, its enemy at the top: a flank at each end, Centre and Reserve between.

    Args:
        x: x of the left end, in mm on paper.
        y: y of the base edge, in mm on paper.
        paper: the paper with the names of the positions.
    """
    (width_mm, height_mm), drafter = ZONE, paper.drafter
    quarter = width_mm / 4
    reserve_y = y + height_mm * 2 / 3
    for count in (1, 3):
        yield drafter.rule([(x + count * quarter, y), (x + count * quarter, y + height_mm)], _QUARTER)
    yield drafter.dashed_line([(x + quarter, reserve_y), (x + 3 * quarter, reserve_y)], 0.25, _DASH)
    yield drafter.rule([(x + width_mm / 2, y), (x + width_mm / 2, y + height_mm)], _NINTH)
    yield drafter.box(Rect(x, y, width_mm, height_mm), _FRAME)
    label_areas = (
        ("left", Rect(x, y + height_mm - 6, quarter, 6)),
        ("centre", Rect(x + quarter, y + height_mm - 6, 2 * quarter, 6)),
        ("right", Rect(x + 3 * quarter, y + height_mm - 6, quarter, 6)),
        ("reserve", Rect(x + quarter, reserve_y - 6, 2 * quarter, 6)),
    )
    for name, area in label_areas:
        yield from draw_cell_text(paper.get_text(f"zone.{name}"), area, drafter, size_pt=8.5, font=Font.HEAVY)
    style = drafter.type_style(Font.FIGURES, _LABEL_PT)
    for name, foot in (("enemy", y + height_mm + 1.2), ("edge", y - _LABEL_MM + 0.8)):
        yield from line(paper.get_text(f"zone.{name}"), (x + width_mm / 2, foot), style, anchor=Anchor.MIDDLE)
