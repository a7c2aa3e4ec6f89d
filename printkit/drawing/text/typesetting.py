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
from printkit.drawing.text.set_forms import set_blanks, set_boxes, set_heading, set_ornament, set_space
from printkit.drawing.text.set_lists import set_bullets, set_modifiers, set_paragraph, set_results, set_steps, set_ticks
from printkit.drawing.text.set_tables import set_scores, set_table
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle
from printkit.kit.plugin import load
from printkit.kit.registry import merge_plugin_table

# --- Small plans by name, for cards and pages -------------------------------------------------------------------------

# Draws a plan at a width in mm; its height fits the content.
DiagramMaker = Callable[[Diagram, float, TextStyle], Drawing]

_BEFORE: Final = 0.6


def set_diagram(block: Diagram, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a plan over the width of its column, or rotated in the middle of it.

    Raises:
        PageError: there is no plan of that name, or the rotated plan is wider than the column.
    """
    known = merge_plugin_table("diagrams")
    if block.name not in known:
        raise PageError("there is no plan {block!r}; use one of {known}", block=block.name, known=", ".join(known))
    maker: DiagramMaker = load(known[block.name])
    try:
        drawing = _aside(maker, block, width, style) if block.rotated_length else maker(block, width, style)
    except PageError:
        if not style.text.least_pt:
            raise
        # In large print, text replaces a plan whose labels do not fit.
        return set_paragraph(told_plan(block), width, style)
    return LaidOutBlock(parts=(drawing,), before=style.gap(_BEFORE))


def told_plan(block: Diagram) -> Paragraph:
    """Return the labels of a plan as a note, without labels that have no letters."""
    said = [str(label) for label in block.labels.values()]
    return Paragraph("; ".join(label for label in said if any(map(str.isalpha, label))), "note")


def _aside(maker: DiagramMaker, block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a plan rotated by a quarter turn, in the middle of a column."""
    upright = maker(
        replace(block, highest=min(block.max_height or width, width), along=0.0), block.rotated_length, style
    )
    if upright.height > width + _LOOSE:
        raise PageError(
            "a plan {height:.0f} mm high does not fit sideways in a column of {width:.0f} mm",
            height=upright.height,
            width=width,
        )
    turned = rotate_quarter_turn(upright)
    return joined(width, turned.height, [PlacedDrawing(turned, (width - turned.width) / 2, 0.0)])


_LOOSE: Final = 1e-6
# Number of cached layouts: pages are tried more than once, and the sheets of both sides have the same texts.
_KEPT: Final = 256


def set_block(block: Block, width: float, style: TextStyle) -> LaidOutBlock:
    """Return one block laid out at a width in mm."""
    # A diagram has its labels in a mapping, so it is not hashable and cannot be cached.
    return _made(block, width, style) if isinstance(block, Diagram) else _found(block, width, style)


_SETTERS: Final[Mapping[type, Callable[..., LaidOutBlock]]] = {
    Heading: set_heading,
    Paragraph: set_paragraph,
    Steps: set_steps,
    Bullets: set_bullets,
    CheckBoxes: set_ticks,
    ScoreTable: set_scores,
    Modifiers: set_modifiers,
    Results: set_results,
    Table: set_table,
    WriteLines: set_blanks,
    Boxes: set_boxes,
    Diagram: set_diagram,
    Ornament: set_ornament,
    Space: set_space,
}


def _made(block: Block, width: float, style: TextStyle) -> LaidOutBlock:
    return _SETTERS[type(block)](block, width, style)


_found = lru_cache(maxsize=_KEPT)(_made)


def set_blocks(blocks: Iterable[Block], width: float, style: TextStyle) -> tuple[LaidOutBlock, ...]:
    """Return the blocks in order, laid out at a width in mm."""
    return tuple(set_block(block, width, style) for block in blocks)


def column_height(settings: Sequence[LaidOutBlock]) -> float:
    """Return the height of a column of laid-out blocks in mm, without a gap before the first."""
    return plain_sum(setting.height + (setting.before if place else 0.0) for place, setting in enumerate(settings))


def column(settings: Sequence[LaidOutBlock], width: float, *, height: float | None = None) -> Drawing:
    """Return laid-out blocks stacked in one drawing.

    Args:
        settings: the blocks, from ``set_blocks``.
        width: width of the drawing in mm.
        height: height of the drawing in mm, filled from the top; by default the height of the blocks.
    """
    top = column_height(settings) if height is None else height
    whole = top
    parts: list[PlacedDrawing] = []
    for place, setting in enumerate(settings):
        top -= setting.before if place else 0.0
        for piece in setting.parts:
            top -= piece.height
            parts.append(PlacedDrawing(piece, 0.0, top))
    return joined(width, whole, parts)


class TextFit(NamedTuple):
    """Laid-out blocks with their style, height in mm, and excess height in mm."""

    blocks: tuple[LaidOutBlock, ...]
    style: TextStyle
    height: float
    over: float


def set_to_fit(blocks: Sequence[Block], width: float, height: float, tried: Iterable[TextStyle]) -> TextFit:
    """Return the blocks in the first style that fits ``height`` mm, or in the last style."""
    for style in tried:
        made = set_blocks(blocks, width, style)
        high = column_height(made)
        if high <= height + _LOOSE:
            return TextFit(made, style, high, 0.0)
    return TextFit(made, style, high, high - height)
