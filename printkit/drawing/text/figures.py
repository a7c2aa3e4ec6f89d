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
from printkit.drawing.text.text_runs import draw_rows, wrap_text
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle, drawing_of
from printkit.drawing.text.typesetting import column_height, lay_out_block, stack_blocks

_GUTTER: Final = 6.0
_MIN_SIDE_WIDTH: Final = 40.0
_BEFORE: Final = 0.45
_CAPTION: Final = 0.35
_FEWEST_ROWS: Final = 2
# Text that is up to this many times as high as its figure is not split.
_UNSPLIT_RATIO: Final = 1.45
_TOLERANCE: Final = 1e-6


class Figure(Struct, frozen=True):
    """A drawing at its actual size, with a caption below it."""

    drawing: Drawing
    caption: str = ""


class SideFigure(Struct, frozen=True):
    """A figure with blocks beside it. Blocks that do not fit there continue below, over the full width."""

    figure: Figure
    blocks: tuple[Block, ...]
    side: Literal["left", "right"] = "left"


def lay_out_figure(figure: Figure, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a figure in the middle of a column ``width`` printed mm wide, with its caption below.

    Raises:
        PageError: the figure is wider than the column.
    """
    drawing = figure.drawing
    if drawing.width > width + _TOLERANCE:
        raise PageError(
            "a figure {drawing_width:.0f} mm wide does not fit in a column of {width:.0f} mm; use larger paper",
            drawing_width=drawing.width,
            width=width,
        )
    captioned_drawing = _add_caption(figure, style, align="middle")
    return LaidOutBlock(
        parts=(
            joined(
                width, captioned_drawing.height, [PlacedDrawing(captioned_drawing, (width - drawing.width) / 2, 0.0)]
            ),
        ),
        gap_mm=style.gap_mm(_BEFORE),
    )


def lay_out_side_figure(content: SideFigure, width: float, style: TextStyle) -> tuple[LaidOutBlock, ...]:
    """Return a figure with the text that fits beside it, and the rest of the text below.

    ``width`` is the width of the page in printed mm. If the text beside the figure would be too narrow, all of it is
    below.

    Raises:
        PageError: the figure is wider than the page.
    """
    figure = content.figure
    side_width = width - figure.drawing.width - _GUTTER
    if side_width < _MIN_SIDE_WIDTH:
        return (lay_out_figure(figure, width, style), *(lay_out_block(block, width, style) for block in content.blocks))
    captioned_drawing = _add_caption(figure, style, align="left")
    all_blocks = [lay_out_block(block, side_width, style) for block in content.blocks]
    side_blocks, blocks_below = all_blocks, list[Block]()
    if column_height(all_blocks) > _UNSPLIT_RATIO * captioned_drawing.height:
        side_blocks, blocks_below = _fit_blocks(content.blocks, side_width, captioned_drawing.height, style)
    height = max(captioned_drawing.height, column_height(side_blocks))
    text = stack_blocks(side_blocks, side_width, height=height)
    is_left = content.side == "left"
    parts = [
        PlacedDrawing(
            captioned_drawing, 0.0 if is_left else width - captioned_drawing.width, height - captioned_drawing.height
        ),
        PlacedDrawing(text, width - side_width if is_left else 0.0, 0.0),
    ]
    first = LaidOutBlock(parts=(joined(width, height, parts),), gap_mm=style.gap_mm(_BEFORE))
    return (first, *(lay_out_block(block, width, style) for block in blocks_below))


def _add_caption(figure: Figure, style: TextStyle, *, align: Literal["left", "middle"]) -> Drawing:
    """Return the drawing of a figure with its caption below, as wide as the drawing.

    A figure without a caption is unchanged. ``align`` is the position of the rows of the caption.
    """
    drawing = figure.drawing
    rows = wrap_text(figure.caption, style.note, style.strong, drawing.width)
    if not rows:
        return drawing
    row_height = style.row_height(style.note)
    caption_height = len(rows) * row_height + _CAPTION * style.size
    caption_texts = draw_rows(
        rows,
        0.0,
        len(rows) * row_height,
        width=drawing.width,
        row=row_height,
        baseline=style.baseline_height(style.note),
        align=align,
    )
    caption_drawing = drawing_of(drawing.width, caption_height, caption_texts)
    return joined(
        drawing.width,
        drawing.height + caption_height,
        [PlacedDrawing(drawing, 0.0, caption_height), PlacedDrawing(caption_drawing, 0.0, 0.0)],
    )


def _fit_blocks(
    blocks: Sequence[Block], width: float, height: float, style: TextStyle
) -> tuple[list[LaidOutBlock], list[Block]]:
    """Return the blocks that fit ``height`` printed mm, laid out, and the other blocks.

    The blocks are ``width`` mm wide. A list or table can be split.
    """
    fitting_blocks: list[LaidOutBlock] = []
    remaining = list(blocks)
    while remaining:
        setting = lay_out_block(remaining[0], width, style)
        gap = setting.gap_mm if fitting_blocks else 0.0
        free_mm = height - column_height(fitting_blocks) - gap
        if setting.height > free_mm + _TOLERANCE:
            pieces = _split_block(remaining[0], setting, free_mm)
            if pieces is not None:
                fitting_blocks.append(lay_out_block(pieces[0], width, style))
                remaining[0] = pieces[1]
            break
        fitting_blocks.append(setting)
        remaining.pop(0)
    while remaining and fitting_blocks and fitting_blocks[-1].keeps_with_next:
        fitting_blocks.pop()
        remaining.insert(0, blocks[len(fitting_blocks)])
    return fitting_blocks, remaining


def _split_block(block: Block, setting: LaidOutBlock, free_mm: float) -> tuple[Block, Block] | None:
    """Return a list or table in two pieces, the first at most ``free_mm`` printed mm high.

    Return None if too few rows fit, or if the block is not a list or table.
    """
    count = setting.fitting_part_count(free_mm) - (1 if setting.head is not None else 0)
    match block:
        case Table() | ScoreTable() | Modifiers() if _FEWEST_ROWS <= count <= len(block.rows) - _FEWEST_ROWS:
            return replace(block, rows=block.rows[:count]), replace(block, rows=block.rows[count:])
        case Steps() if _FEWEST_ROWS <= count < len(block.items):
            second_list = replace(block, items=block.items[count:], first=block.first + count)
            return replace(block, items=block.items[:count]), second_list
        case Bullets() | CheckBoxes() if _FEWEST_ROWS <= count < len(block.items):
            return replace(block, items=block.items[:count]), replace(block, items=block.items[count:])
        case _:
            return None
