"""Typesetting: lay out blocks of prose at a column's width, and stack laid-out blocks to a column.

A laid-out block has parts, and a page can break between them. Nothing is wider than its column: rows break between
words, and a word that is too long is hyphenated or made smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from printkit.content.prose import (
    Block,
    Boxes,
    Bullets,
    CheckBoxes,
    Diagram,
    Heading,
    Modifiers,
    Ornament,
    Paragraph,
    Results,
    ScoreTable,
    Space,
    Steps,
    Table,
    WriteLines,
)
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Item, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined, rotate_quarter_turn
from printkit.drawing.canvas.plain import (
    TOLERANCE,
    make_disc,
    make_line,
    make_ornament,
    make_rectangle,
)
from printkit.drawing.lettering.lettering import TypeStyle, line, shrink_to_fit
from printkit.drawing.text.set_tables import (
    lay_out_bullets,
    lay_out_check_list,
    lay_out_modifiers,
    lay_out_paragraph,
    lay_out_results,
    lay_out_scores,
    lay_out_steps,
    lay_out_table,
)
from printkit.drawing.text.text_runs import draw_rows, natural_width, wrap_text
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle
from printkit.kit.plugin import load
from printkit.kit.registry import merge_plugin_table

# Minimum distance between write-in lines in mm.
LEAST_PITCH: Final = 6.0

_FORM_BEFORE: Final = 0.5
_BEFORE_BLANKS: Final = 0.2
_BEFORE_HEADING: Final = 0.95
_AFTER_HEADING: Final = 0.16
_DISC: Final = 0.66
_LEAST_HEAD: Final = 0.84
_LEAST_LINE: Final = 0.35
_BOX_LINE: Final = 0.75 * MM_PER_POINT
_SIDES: Final = 36


def lay_out_heading(block: Heading, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a heading over ``width`` printed mm: small capitals after its number in a disc.

    The aside is on the right if it fits, otherwise below.
    """
    radius = _DISC * style.size if block.number else 0.0
    indent = 2 * radius + 0.45 * style.size if block.number else 0.0
    gap = 0.6 * style.size
    aside_width = natural_width(block.remark, style.aside, style.strong) + gap if block.remark else 0.0
    heading_style = _heading_style(block.text, (width - indent - aside_width, width - indent), style)
    text_width = natural_width(block.text, heading_style, heading_style)
    fits_one_row = indent + text_width + aside_width <= width
    text_rows = wrap_text(block.text, heading_style, heading_style, width - indent)
    row_height = style.row_height(heading_style)
    aside_rows = (
        () if fits_one_row or not block.remark else wrap_text(block.remark, style.aside, style.strong, width - indent)
    )
    # The aside may fit beside the last row of a heading if not beside the first.
    if aside_rows and indent + text_rows[-1].width + aside_width <= width:
        aside_rows, fits_one_row = (), True
    after = style.gap_mm(_AFTER_HEADING)
    height = len(text_rows) * row_height + len(aside_rows) * style.row_height(style.aside) + after
    items: list[Item] = []
    baseline = style.baseline_height(heading_style)
    if block.number:
        items += draw_number_disc(
            block.number, (radius, height - row_height + baseline + 0.31 * heading_style.height), radius, style
        )
    items += draw_rows(text_rows, indent, height, width=width - indent, row=row_height, baseline=baseline)
    last_bottom = height - len(text_rows) * row_height
    if block.remark and fits_one_row:
        rows = wrap_text(block.remark, style.aside, style.strong, width)
        items += draw_rows(
            rows, 0.0, last_bottom + row_height, width=width, row=row_height, baseline=baseline, align="right"
        )
    items += draw_rows(
        aside_rows,
        indent,
        last_bottom,
        width=width,
        row=style.row_height(style.aside),
        baseline=style.baseline_height(style.aside),
    )
    return LaidOutBlock(
        parts=(drawing_of(width, height, items),), gap_mm=style.gap_mm(_BEFORE_HEADING), keeps_with_next=True
    )


def _heading_style(text: str, widths: Sequence[float], style: TextStyle) -> TypeStyle:
    """Return the type style of a heading: a little smaller if it then fits one row.

    ``widths`` has the available widths in printed mm, with its aside and without; the first that works counts.
    """
    text_width = natural_width(text, style.head, style.head)
    for available_mm in widths:
        if text_width > 0 and available_mm / text_width >= _LEAST_HEAD:
            return style.head.resize(min(1.0, 0.999 * available_mm / text_width))
    return style.head


def draw_number_disc(number: str, middle: tuple[float, float], radius: float, style: TextStyle) -> list[Item]:
    """Return a white number on a black disc; ``middle`` (x and y) and ``radius`` are in printed mm."""
    number_style = shrink_to_fit(number, replace(style.figure, ink=style.paper), 1.8 * radius)
    baseline = (middle[0], middle[1] - 0.36 * number_style.height)
    return [
        make_disc(middle, radius, style.rule, sides=_SIDES),
        *line(number, baseline, number_style, anchor=Anchor.MIDDLE),
    ]


def lay_out_write_lines(block: WriteLines, width: float, style: TextStyle) -> LaidOutBlock:
    """Return write-in lines over ``width`` printed mm, each after its label, or below a long label.

    Each line is one part. Lines are ``block.pitch`` mm apart, but at least 6 mm. A long label takes more than 0.65 of
    the width.
    """
    pitch = max(block.pitch, LEAST_PITCH)
    parts = tuple(_draw_write_line(label, width, pitch, style) for label in block.labels)
    return LaidOutBlock(parts=parts, gap_mm=style.gap_mm(_BEFORE_BLANKS))


def _draw_write_line(label: str, width: float, pitch: float, style: TextStyle) -> Drawing:
    """Return a write-in line over ``width`` printed mm after its label, or below a long label.

    ``pitch`` is the height of the row in mm.
    """
    stroke = style.line(0.2)
    length = natural_width(label, style.text, style.strong)
    baseline = 0.25 * style.size
    if length <= width * (1 - _LEAST_LINE):
        start = length + 0.45 * style.size if label else 0.0
        rows = wrap_text(label, style.text, style.strong, width)
        items: list[Item] = [
            *draw_rows(rows, 0.0, style.row_height(), width=width, row=style.row_height(), baseline=baseline)
        ]
        return drawing_of(width, pitch, [*items, make_line([(start, baseline), (width, baseline)], style.rule, stroke)])
    rows = wrap_text(label, style.text, style.strong, width)
    height = len(rows) * style.row_height() + pitch + 0.2 * style.size
    items = [
        *draw_rows(
            rows, 0.0, height - 0.2 * style.size, width=width, row=style.row_height(), baseline=style.baseline_height()
        )
    ]
    return drawing_of(width, height, [*items, make_line([(0.0, baseline), (width, baseline)], style.rule, stroke)])


def lay_out_boxes(block: Boxes, width: float, style: TextStyle) -> LaidOutBlock:
    """Return write-in boxes side by side over ``width`` printed mm, in as many rows as needed.

    Short labels are above the box, others on its right. Each row is one part. Only the first row of a label above a box
    is drawn. Without labels the block has no parts.
    """
    if not block.labels:
        return LaidOutBlock(parts=(), gap_mm=0.0)
    max_label_mm = max(natural_width(label, style.text, style.strong) for label in block.labels)
    side = min(block.side, width)
    has_labels_above = max_label_mm <= 1.25 * side
    gap = 0.4 * style.size
    cell = side + gap if has_labels_above else side + gap + max_label_mm + 2 * gap
    count = len(block.labels)
    max_columns = max(1, math.floor((width + gap) / cell))
    columns = min(count, max_columns)
    columns = math.ceil(count / math.ceil(count / columns))
    cell_width = width / columns if not has_labels_above else cell
    parts = [
        _draw_boxes(
            block.labels[first : first + columns],
            width,
            style,
            cell=cell_width,
            side=side,
            has_labels_above=has_labels_above,
        )
        for first in range(0, count, columns)
    ]
    return LaidOutBlock(parts=tuple(parts), gap_mm=style.gap_mm(_FORM_BEFORE))


def _draw_boxes(
    labels: Sequence[str], width: float, style: TextStyle, *, cell: float, side: float, has_labels_above: bool
) -> Drawing:
    """Return one row of boxes over ``width`` printed mm, each in a cell ``cell`` mm wide.

    There is a box for each of ``labels``, which are above the boxes or to their right. ``side`` is the side of a box in
    mm.
    """
    stroke = Stroke(style.rule, style.line(_BOX_LINE))
    gap = 0.4 * style.size
    row_height = style.row_height()
    if has_labels_above:
        height = side + row_height + gap
        items: list[Item] = []
        for index, label in enumerate(labels):
            items.append(make_rectangle((index * cell, gap, side, side), None, stroke))
            rows = wrap_text(label, style.text, style.strong, max(side, cell - 0.2))
            items += draw_rows(
                rows[:1],
                index * cell,
                height,
                width=side,
                row=row_height,
                baseline=style.baseline_height(),
                align="middle",
            )
        return drawing_of(width, height, items)
    set_labels = [wrap_text(label, style.text, style.strong, max(cell - side - 2 * gap, 1.0)) for label in labels]
    height = max(side, *(len(rows) * row_height for rows in set_labels)) + gap
    items = []
    for index, rows in enumerate(set_labels):
        middle = (height - gap) / 2 + gap
        items.append(make_rectangle((index * cell, middle - side / 2, side, side), None, stroke))
        top = middle + len(rows) * row_height / 2
        items += draw_rows(
            rows, index * cell + side + gap, top, width=cell, row=row_height, baseline=style.baseline_height()
        )
    return drawing_of(width, height, items)


def lay_out_ornament(_: Ornament, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a rule across a column ``width`` printed mm wide, with a lozenge in the middle."""
    half_width = min(1.7, 0.04 * width)
    height = 0.8 * style.size
    items = make_ornament((0.0, width), height / 2, half_width, half_width + 0.7, style.rule, style.line(0.25))
    return LaidOutBlock(parts=(drawing_of(width, height, items),), gap_mm=style.gap_mm(0.3))


def lay_out_space(block: Space, width: float, _: TextStyle) -> LaidOutBlock:
    """Return an empty block ``width`` printed mm wide, with the height that it asks for in mm."""
    return LaidOutBlock(parts=(drawing_of(width, block.height, ()),), gap_mm=0.0)


# --- Small plans by name, for cards and pages -------------------------------------------------------------------------

# Draws a plan at a width in mm; its height fits the content.
DiagramMaker = Callable[[Diagram, float, TextStyle], Drawing]

_BEFORE: Final = 0.6


def lay_out_diagram(block: Diagram, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a plan over a column ``width`` printed mm wide, or rotated in the middle of it.

    In large print, text replaces a plan whose labels do not fit.

    Raises:
        PageError: there is no plan of that name, or the rotated plan is wider than the column.
    """
    plan_makers = merge_plugin_table("diagrams")
    if block.name not in plan_makers:
        raise PageError(
            "there is no plan {block!r}; use one of {known}", block=block.name, known=", ".join(plan_makers)
        )
    maker: DiagramMaker = load(plan_makers[block.name])
    try:
        drawing = _rotate_plan(maker, block, width, style) if block.rotated_length else maker(block, width, style)
    except PageError:
        if not style.text.least_pt:
            raise
        # In large print, text replaces a plan whose labels do not fit.
        return lay_out_paragraph(plan_as_text(block), width, style)
    return LaidOutBlock(parts=(drawing,), gap_mm=style.gap_mm(_BEFORE))


def plan_as_text(block: Diagram) -> Paragraph:
    """Return the labels of a plan as a note, separated by semicolons, without labels that have no letters."""
    labels = [str(label) for label in block.labels.values()]
    return Paragraph("; ".join(label for label in labels if any(map(str.isalpha, label))), "note")


def _rotate_plan(maker: DiagramMaker, block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a plan rotated by a quarter turn, in the middle of a column ``width`` printed mm wide.

    ``maker`` draws the plan.

    Raises:
        PageError: the plan is too high for the width of the column.
    """
    portrait_drawing = maker(
        replace(block, max_height=min(block.max_height or width, width), rotated_length=0.0),
        block.rotated_length,
        style,
    )
    if portrait_drawing.height > width + TOLERANCE:
        raise PageError(
            "a plan {height:.0f} mm high does not fit sideways in a column of {width:.0f} mm",
            height=portrait_drawing.height,
            width=width,
        )
    rotated_drawing = rotate_quarter_turn(portrait_drawing)
    return joined(
        width, rotated_drawing.height, [PlacedDrawing(rotated_drawing, (width - rotated_drawing.width) / 2, 0.0)]
    )


# Number of cached layouts: pages are tried more than once, and the sheets of both sides have the same texts.
_CACHED_BLOCKS: Final = 256


def lay_out_block(block: Block, width: float, style: TextStyle) -> LaidOutBlock:
    """Return one block laid out at a width in printed mm; equal blocks come from a cache."""
    # A diagram has its labels in a mapping, so it is not hashable and cannot be cached.
    return _lay_out(block, width, style) if isinstance(block, Diagram) else _cached_layout(block, width, style)


_SETTERS: Final[Mapping[type, Callable[..., LaidOutBlock]]] = {
    Heading: lay_out_heading,
    Paragraph: lay_out_paragraph,
    Steps: lay_out_steps,
    Bullets: lay_out_bullets,
    CheckBoxes: lay_out_check_list,
    ScoreTable: lay_out_scores,
    Modifiers: lay_out_modifiers,
    Results: lay_out_results,
    Table: lay_out_table,
    WriteLines: lay_out_write_lines,
    Boxes: lay_out_boxes,
    Diagram: lay_out_diagram,
    Ornament: lay_out_ornament,
    Space: lay_out_space,
}


def _lay_out(block: Block, width: float, style: TextStyle) -> LaidOutBlock:
    """Return one block laid out at a width in printed mm, without the cache."""
    return _SETTERS[type(block)](block, width, style)


_cached_layout = lru_cache(maxsize=_CACHED_BLOCKS)(_lay_out)


def lay_out_blocks(blocks: Iterable[Block], width: float, style: TextStyle) -> tuple[LaidOutBlock, ...]:
    """Return the blocks in order, laid out at a width in printed mm.

    The gap below a heading is at most ``below_heading`` of the style.
    """
    laid_out: list[LaidOutBlock] = []
    for block in blocks:
        setting = lay_out_block(block, width, style)
        if laid_out and laid_out[-1].keeps_with_next and setting.gap_mm > style.below_heading * style.size:
            setting = replace(setting, gap_mm=style.below_heading * style.size)
        laid_out.append(setting)
    return tuple(laid_out)


def column_height(blocks: Sequence[LaidOutBlock]) -> float:
    """Return the height of a column of laid-out blocks in printed mm, without a gap before the first."""
    return plain_sum(block.height + (block.gap_mm if index else 0.0) for index, block in enumerate(blocks))


def stack_blocks(blocks: Sequence[LaidOutBlock], width: float, *, height: float | None = None) -> Drawing:
    """Return laid-out blocks stacked in one drawing.

    Args:
        blocks: the blocks, from ``lay_out_blocks``.
        width: width of the drawing in printed mm.
        height: height of the drawing in mm, filled from the top; by default the height of the blocks.
    """
    top = column_height(blocks) if height is None else height
    total_height = top
    parts: list[PlacedDrawing] = []
    for index, block in enumerate(blocks):
        top -= block.gap_mm if index else 0.0
        for piece in block.parts:
            top -= piece.height
            parts.append(PlacedDrawing(piece, 0.0, top))
    return joined(width, total_height, parts)


class TextFit(NamedTuple):
    """Laid-out blocks with their style, height in printed mm, and excess height in mm."""

    blocks: tuple[LaidOutBlock, ...]
    style: TextStyle
    height: float
    excess_mm: float


def lay_out_to_fit(blocks: Sequence[Block], width: float, height: float, styles: Iterable[TextStyle]) -> TextFit:
    """Return the blocks in the first style that fits ``width`` by ``height``, or in the last style.

    Both are in printed mm. The result has their excess height in mm: 0 if they fit.
    """
    for style in styles:
        finished_blocks = lay_out_blocks(blocks, width, style)
        block_height = column_height(finished_blocks)
        if block_height <= height + TOLERANCE:
            return TextFit(finished_blocks, style, block_height, 0.0)
    return TextFit(finished_blocks, style, block_height, block_height - height)
