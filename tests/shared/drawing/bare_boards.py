"""Boards without a mark, and samples without a sign: for tests that ask about files, pages and texts, not about ink."""

from __future__ import annotations

from typing import Final

import pytest
from shapely import Polygon

from printkit.drawing.canvas.symbol_context import Memo
from printkit.drawing.map.labels import Labels

_KEPT: Final = ("furniture.legend._SWATCHES", "cards.art._PICTURES")
"""What rooms that draw samples of signs keep of them."""


def own_pictures(patch: pytest.MonkeyPatch) -> None:
    """Let pictures that are remembered be those of this test alone: what it leaves empty is nobody else's."""
    for kept in _KEPT:
        patch.setattr(f"printkit.drawing.{kept}", Memo(96))


def left_bare(patch: pytest.MonkeyPatch) -> None:
    """Leave out every mark on boards, in swatches and on the pictures of cards; all else on their pages stays."""
    patch.setattr("printkit.drawing.map.board_drawing.group_by_layer", lambda *_, **__: ())
    patch.setattr("printkit.drawing.map.board_drawing.labels", lambda *_, **__: Labels((), Polygon()))
    own_pictures(patch)
    for room in ("furniture.legend", "furniture.specimens", "cards.art"):
        patch.setattr(f"printkit.drawing.{room}.draw", lambda *_, **__: iter(()))
