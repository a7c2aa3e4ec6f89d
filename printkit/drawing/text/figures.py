"""Figures on pages of text: centred in the column, or with text beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Block, Bullets, CheckBoxes, Modifiers, ScoreTable, Steps, Table
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.text.text_runs import rows_of, set_rows
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle, drawing_of
from printkit.drawing.text.typesetting import column, column_height, set_block

_GUTTER: Final = 6.0
_LEAST_BESIDE: Final = 40.0
_BEFORE: Final = 0.45
_CAPTION: Final = 0.35
_FEWEST_ROWS: Final = 2
# Text that is up to this many times as high as its figure is not split.
_OVER: Final = 1.45
_LOOSE: Final = 1e-6


class Figure(Struct, frozen=True):
    """A drawing at its actual size, with a caption below it."""

    drawing: Drawing
    caption: str = ""


class SideFigure(Struct, frozen=True):
    """A figure with blocks beside it. Blocks that do not fit there continue below, over the full width."""

    figure: Figure
    blocks: tuple[Block, ...]
    side: Literal["left", "right"] = "left"


def set_figure(figure: Figure, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a figure in the middle of a column, with its caption below.

    Raises:
        PageError: the figure is wider than the column.
    """
    drawing = figure.drawing
    if drawing.width > width + _LOOSE:
        raise PageError(
            "a figure {drawing_width:.0f} mm wide does not fit in a column of {width:.0f} mm; use larger paper",
            drawing_width=drawing.width,
            width=width,
        )
    whole = _captioned(figure, style, align="middle")
    return LaidOutBlock(
        parts=(joined(width, whole.height, [PlacedDrawing(whole, (width - drawing.width) / 2, 0.0)]),),
        before=style.gap(_BEFORE),
    )


def set_beside(content: SideFigure, width: float, style: TextStyle) -> tuple[LaidOutBlock, ...]:
    """Return a figure with the text that fits beside it, and the rest of the text below.

    Raises:
        PageError: the figure is wider than the page.
    """
    figure = content.figure
    room = width - figure.drawing.width - _GUTTER
    if room < _LEAST_BESIDE:
        return (set_figure(figure, width, style), *(set_block(block, width, style) for block in content.blocks))
    shown = _captioned(figure, style, align="left")
    whole = [set_block(block, room, style) for block in content.blocks]
    beside, below = whole, list[Block]()
    if column_height(whole) > _OVER * shown.height:
        beside, below = _parted(content.blocks, room, shown.height, style)
    height = max(shown.height, column_height(beside))
    text = column(beside, room, height=height)
    left = content.side == "left"
    parts = [
        PlacedDrawing(shown, 0.0 if left else width - shown.width, height - shown.height),
        PlacedDrawing(text, width - room if left else 0.0, 0.0),
    ]
    first = LaidOutBlock(parts=(joined(width, height, parts),), before=style.gap(_BEFORE))
    return (first, *(set_block(block, width, style) for block in below))


def _captioned(figure: Figure, style: TextStyle, *, align: Literal["left", "middle"]) -> Drawing:
    drawing = figure.drawing
    rows = rows_of(figure.caption, style.note, style.strong, drawing.width)
    if not rows:
        return drawing
    high = style.row(style.note)
    under = len(rows) * high + _CAPTION * style.size
    said = set_rows(
        rows, 0.0, len(rows) * high, width=drawing.width, row=high, foot=style.foot(style.note), align=align
    )
    below = drawing_of(drawing.width, under, said)
    return joined(
        drawing.width, drawing.height + under, [PlacedDrawing(drawing, 0.0, under), PlacedDrawing(below, 0.0, 0.0)]
    )


def _parted(
    blocks: Sequence[Block], width: float, height: float, style: TextStyle
) -> tuple[list[LaidOutBlock], list[Block]]:
    """Return the blocks that fit the height, laid out, and the other blocks. A list can be split."""
    taken: list[LaidOutBlock] = []
    rest = list(blocks)
    while rest:
        setting = set_block(rest[0], width, style)
        gap = setting.before if taken else 0.0
        free = height - column_height(taken) - gap
        if setting.height > free + _LOOSE:
            divided = _divided(rest[0], setting, free)
            if divided is not None:
                taken.append(set_block(divided[0], width, style))
                rest[0] = divided[1]
            break
        taken.append(setting)
        rest.pop(0)
    while rest and taken and taken[-1].keeps:
        taken.pop()
        rest.insert(0, blocks[len(taken)])
    return taken, rest


def _divided(block: Block, setting: LaidOutBlock, free: float) -> tuple[Block, Block] | None:
    """Return a list or table in two pieces, the first at most ``free`` mm high; None if too few rows fit."""
    count = setting.fitting(free) - (1 if setting.head is not None else 0)
    match block:
        case Table() | ScoreTable() | Modifiers() if _FEWEST_ROWS <= count <= len(block.rows) - _FEWEST_ROWS:
            return replace(block, rows=block.rows[:count]), replace(block, rows=block.rows[count:])
        case Steps() if _FEWEST_ROWS <= count < len(block.items):
            rest = replace(block, items=block.items[count:], first=block.first + count)
            return replace(block, items=block.items[:count]), rest
        case Bullets() | CheckBoxes() if _FEWEST_ROWS <= count < len(block.items):
            return replace(block, items=block.items[:count]), replace(block, items=block.items[count:])
        case _:
            return None
