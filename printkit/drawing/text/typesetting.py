"""Typesetting: every block of prose as a setting of a column's width, and settings stacked to a column.

A setting falls into parts between which a page may break. Nothing is wider than its column: rows are broken between
words, and a word that is too long is broken or made smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from printkit.content.prose import (
    Blanks,
    Block,
    Boxes,
    Bullets,
    Diagram,
    Heading,
    Modifiers,
    Ornament,
    Paragraph,
    Results,
    Scores,
    Space,
    Steps,
    Table,
    Ticks,
)
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import Placed, joined
from printkit.drawing.text.set_forms import set_blanks, set_boxes, set_heading, set_ornament
from printkit.drawing.text.set_lists import set_bullets, set_modifiers, set_paragraph, set_results, set_steps, set_ticks
from printkit.drawing.text.set_tables import set_scores, set_table
from printkit.drawing.text.text_styles import Manner, Setting, part
from printkit.kit.plugin import load
from printkit.kit.registry import texts

# --- Small plans by their names: what cards and pages show beside their words -----------------------------------------

Maker = Callable[[Diagram, float, Manner], Drawing]
"""Draws a plan as wide in mm as it is told, and as high as it needs."""

_BEFORE: Final = 0.6


def set_diagram(block: Diagram, width: float, manner: Manner) -> Setting:
    """Return a plan over the width of its column.

    Raises:
        PageError: nobody draws a plan of that name.
    """
    known = texts("diagrams")
    if block.name not in known:
        raise PageError("no plan is called {block!r}; there are {known}", block=block.name, known=", ".join(known))
    maker: Maker = load(known[block.name])
    drawing = maker(block, width, manner)
    return Setting(parts=(drawing,), before=manner.gap(_BEFORE))


_LOOSE: Final = 1e-6
_KEPT: Final = 256
"""Blocks that are kept as they were set: pages are tried more than once, and sheets of two sides say the same."""


def set_block(block: Block, width: float, manner: Manner) -> Setting:
    """Return one block set to a width in mm."""
    # The words of a diagram stand in a mapping, by which nothing can be found again.
    return _made(block, width, manner) if isinstance(block, Diagram) else _found(block, width, manner)


def _made(block: Block, width: float, manner: Manner) -> Setting:
    match block:
        case Heading():
            return set_heading(block, width, manner)
        case Paragraph():
            return set_paragraph(block, width, manner)
        case Steps():
            return set_steps(block, width, manner)
        case Bullets():
            return set_bullets(block, width, manner)
        case Ticks():
            return set_ticks(block, width, manner)
        case Scores():
            return set_scores(block, width, manner)
        case Modifiers():
            return set_modifiers(block, width, manner)
        case Results():
            return set_results(block, width, manner)
        case Table():
            return set_table(block, width, manner)
        case Blanks():
            return set_blanks(block, width, manner)
        case Boxes():
            return set_boxes(block, width, manner)
        case Diagram():
            return set_diagram(block, width, manner)
        case Ornament():
            return set_ornament(width, manner)
        case Space():
            return Setting(parts=(part(width, block.height, ()),), before=0.0)


_found = lru_cache(maxsize=_KEPT)(_made)


def set_blocks(blocks: Iterable[Block], width: float, manner: Manner) -> tuple[Setting, ...]:
    """Return blocks set to a width in mm, in their order."""
    return tuple(set_block(block, width, manner) for block in blocks)


def column_height(settings: Sequence[Setting]) -> float:
    """Return how high a column of settings is in mm; before the first there is no gap."""
    return sum(setting.height + (setting.before if place else 0.0) for place, setting in enumerate(settings))


def column(settings: Sequence[Setting], width: float, *, height: float | None = None) -> Drawing:
    """Return settings one below the other.

    Args:
        settings: as ``set_blocks`` returned them.
        width: of the drawing in mm.
        height: of the drawing, from the top of which they hang; as high as they are where none is given.
    """
    top = column_height(settings) if height is None else height
    whole = top
    parts: list[Placed] = []
    for place, setting in enumerate(settings):
        top -= setting.before if place else 0.0
        for piece in setting.parts:
            top -= piece.height
            parts.append(Placed(piece, 0.0, top))
    return joined(width, whole, parts)


def set_to_fit(blocks: Sequence[Block], width: float, height: float, tried: Iterable[Manner]) -> tuple[Setting, ...]:
    """Return blocks set in the first of the manners in which they are no higher than ``height``; else in the last.

    The caller who must not lose anything compares ``column_height`` with the room he has.
    """
    settings: tuple[Setting, ...] = ()
    for manner in tried:
        settings = set_blocks(blocks, width, manner)
        if column_height(settings) <= height + _LOOSE:
            break
    return settings
