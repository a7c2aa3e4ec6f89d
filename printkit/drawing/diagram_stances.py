"""The mark of a stance as a plan among words, 18 mm high as on the cards of the stances."""

from __future__ import annotations

from typing import Final

from printkit.drawing.items import Drawing
from printkit.drawing.manners import Manner
from printkit.drawing.setting import part
from printkit.drawing.stance_marks import stance_mark
from printkit.prose import Diagram

SIDE: Final = 18.0
"""Height and width of the mark in mm."""


def stance(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the mark in the middle of its column. Labels: ``stance`` and ``letter``."""
    side = min(SIDE, block.highest or SIDE)
    mark = stance_mark(
        block.labels["stance"], block.labels["letter"], (width / 2, side / 2), side, side, ink=manner.rule
    )
    return part(width, side, mark)
