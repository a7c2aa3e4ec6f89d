"""The mark of a stance as a plan among words, 18 mm high as on the cards of the stances."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.text.setting import part
from printkit.drawing.text.text_styles import Manner
from printkit.systems.solo.sheets.stance_marks import stance_mark

SIDE: Final = 18.0
"""Height and width of the mark in mm."""


def stance(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the mark in the middle of its column. Labels: ``stance`` and ``letter``."""
    side = min(SIDE, block.highest or SIDE)
    mark = stance_mark(
        block.labels["stance"], block.labels["letter"], (width / 2, side / 2), side, side, ink=manner.rule
    )
    return part(width, side, mark)
