"""Boards without a mark, and samples without a sign: for tests that ask about files, pages and texts, not about ink."""

from __future__ import annotations

from typing import Final

import pytest
from shapely import Polygon

from printkit.drawing.canvas.symbol_context import Memo
from printkit.drawing.map.labels import Labels

_SAMPLES: Final = {"furniture.legend": "_SWATCHES", "furniture.specimens": "", "cards.art": "_PICTURES"}
"""Rooms that draw samples of signs, and what they keep of them."""


def left_bare(patch: pytest.MonkeyPatch) -> None:
    """Leave out every mark on boards, in swatches and on the pictures of cards; all else on their pages stays."""
    patch.setattr("printkit.drawing.map.board_drawing.gathered", lambda *_, **__: ())
    patch.setattr("printkit.drawing.map.board_drawing.labels", lambda *_, **__: Labels((), Polygon()))
    for room, kept in _SAMPLES.items():
        patch.setattr(f"printkit.drawing.{room}.draw", lambda *_, **__: iter(()))
        # What is drawn without its sign must not come to stand on the maps of other tests.
        if kept:
            patch.setattr(f"printkit.drawing.{room}.{kept}", Memo(96))
