"""A sheet of strips side by side under a title, all set in the one size in which each of them fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from printkit.content.prose import Block
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import Placed, joined
from printkit.drawing.text.leaflet_heads import title_block
from printkit.drawing.text.sheet_desk import SheetDesk, plain
from printkit.drawing.text.typesetting import column, column_height, set_blocks

SIZES: Final = (11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)
_GUTTER: Final = 7.0
_LINE: Final = 0.2
_ABOVE: Final = 5.0
_LOOSE: Final = 1e-6


def quick_sheet(
    title: str,
    strips: Sequence[tuple[Block, ...]],
    width: float,
    height: float,
    desk: SheetDesk,
    *,
    below: Sequence[Block] = (),
) -> Drawing:
    """Return a sheet of ``width`` by ``height`` mm.

    Args:
        title: over the whole width.
        strips: what stands side by side, each from the top.
        width: mm.
        height: mm.
        desk: style and words.
        below: what stands under all strips over the whole width.

    Raises:
        PageError: a strip does not fit in the smallest type.
    """
    head = title_block(title, "", width, desk.style)
    room = height - head.height
    narrow = (width - _GUTTER * (len(strips) - 1)) / len(strips)
    for how in desk.manners(SIZES):
        settings = [set_blocks(blocks, narrow, how) for blocks in strips]
        under = set_blocks(below, width, how)
        foot = column_height(under) + (_ABOVE if below else 0.0)
        needed = max(column_height(each) for each in settings) + foot
        if needed <= room + _LOOSE:
            break
    else:
        raise PageError(
            "{title} needs {needed:.0f} mm of the {room:.0f} mm that a page is high; take larger "
            "paper, or one language",
            title=title,
            needed=needed,
            room=room,
        )
    # What is left over goes above what stands below, and the rest stays free at the foot.
    foot = room - needed
    parts = [Placed(head, 0.0, room)]
    for place, each in enumerate(settings):
        drawing = column(each, narrow)
        parts.append(Placed(drawing, place * (narrow + _GUTTER), room - drawing.height))
    low = foot + column_height(under) + (_ABOVE / 2 if below else 0.0)
    if below:
        parts.append(Placed(column(under, width), 0.0, foot))
    between = [
        desk.rule([(x, low), (x, room)], _LINE, "ink-secondary")
        for x in (place * (narrow + _GUTTER) - _GUTTER / 2 for place in range(1, len(strips)))
    ]
    return joined(width, height, [*parts, Placed(plain(width, height, between), 0.0, 0.0)])
