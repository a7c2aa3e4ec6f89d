"""A small map for a page: the board at a scale that fits, within a thin frame."""

from __future__ import annotations

from typing import Final

from printkit.chance.streams import Jitter
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Join, Stroke
from printkit.drawing.canvas.layers import Placed, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.setting import oblong, part, patch
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.beyond import with_beyond

_LINE: Final = 0.35
_PAD: Final = 0.4


def small_map(
    field: Battlefield,
    width: float,
    height: float,
    *,
    style: Style,
    words: Words,
    jitter: Jitter,
    numbers: bool = False,
) -> Drawing:
    """Return the board as large as ``width`` by ``height`` mm hold it, in a frame; at most at true size."""
    field = with_beyond(field)
    scale = min((width - 2 * _PAD) / field.board.width, (height - 2 * _PAD) / field.board.depth, 1.0)
    board = board_drawing(
        field,
        style=style,
        words=words,
        jitter=jitter,
        scale=scale,
        numbers=numbers,
        zones=False,
        deployment=False,
    )
    return in_frame(board, style)


def in_frame(board: Drawing, style: Style) -> Drawing:
    """Return a drawing with a rule about it."""
    stroke = Stroke(style.solid("ink"), _LINE * style.line_factor, join=Join.MITRE)
    width, height = board.width + 2 * _PAD, board.height + 2 * _PAD
    frame = patch(oblong(_PAD / 2, _PAD / 2, width - _PAD, height - _PAD), None, stroke)
    return joined(width, height, [Placed(board, _PAD, _PAD), Placed(part(width, height, [frame]), 0.0, 0.0)])
