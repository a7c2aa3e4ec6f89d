"""Entries of a key that is read as a page: the sign in its swatch, beside it the name and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from printkit.content.prose import Block, Paragraph
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import Placed, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.text_styles import manner
from printkit.drawing.text.typesetting import column, column_height, set_blocks

_SIZE_PT: Final = 9.5
_LEADING: Final = 1.1
_AIR: Final = 0.12
_BETWEEN: Final = 2.6
_UNDER: Final = 0.6


def sign_entry(swatch: Drawing, name: str, said: Sequence[str], width: float, style: Style) -> Drawing:
    """Return an entry ``width`` mm wide, swatch and text about the same middle."""
    how = manner(style, _SIZE_PT, leading=_LEADING).closer(_LEADING, _AIR)
    blocks: list[Block] = [Paragraph(f"**{name}**"), *(Paragraph(text) for text in said if text)]
    room = width - swatch.width - _BETWEEN
    settings = set_blocks(blocks, room, how)
    text = column(settings, room)
    height = max(swatch.height, column_height(settings)) + 2 * _UNDER
    parts = [
        Placed(swatch, 0.0, (height - swatch.height) / 2),
        Placed(text, swatch.width + _BETWEEN, (height - text.height) / 2),
    ]
    return joined(width, height, parts)
