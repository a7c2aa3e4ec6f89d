"""Typesetting: lay out blocks of prose at a column's width, and stack laid-out blocks to a column.

A laid-out block has parts, and a page can break between them. Nothing is wider than its column: rows break between
words, and a word that is too long is hyphenated or made smaller.
"""

from __future__ import annotations

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
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import PlacedDrawing, joined, rotate_quarter_turn
from printkit.drawing.text.set_forms import (
    lay_out_boxes,
    lay_out_heading,
    lay_out_ornament,
    lay_out_space,
    lay_out_write_lines,
)
from printkit.drawing.text.set_lists import (
    lay_out_bullets,
    lay_out_check_list,
    lay_out_modifiers,
    lay_out_paragraph,
    lay_out_results,
    lay_out_steps,
)
from printkit.drawing.text.set_tables import lay_out_scores, lay_out_table
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle
from printkit.kit.plugin import load
from printkit.kit.registry import merge_plugin_table

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
    if portrait_drawing.height > width + _TOLERANCE:
        raise PageError(
            "a plan {height:.0f} mm high does not fit sideways in a column of {width:.0f} mm",
            height=portrait_drawing.height,
            width=width,
        )
    rotated_drawing = rotate_quarter_turn(portrait_drawing)
    return joined(
        width, rotated_drawing.height, [PlacedDrawing(rotated_drawing, (width - rotated_drawing.width) / 2, 0.0)]
    )


_TOLERANCE: Final = 1e-6
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
    """Return the blocks in order, laid out at a width in printed mm."""
    return tuple(lay_out_block(block, width, style) for block in blocks)


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
        if block_height <= height + _TOLERANCE:
            return TextFit(finished_blocks, style, block_height, 0.0)
    return TextFit(finished_blocks, style, block_height, block_height - height)
