"""One board for many printings: papers, furniture and bleeds go about a board, and are no reason to draw it anew."""

from __future__ import annotations

from typing import Any

import pytest

from printkit.drawing.canvas.items import Drawing
from printkit.drawing.map import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield


def boards_drawn_once(patch: pytest.MonkeyPatch) -> None:
    """Give a map that asks for a board which has been drawn this very drawing, as long as the patch lasts."""
    boards: dict[tuple[str, Any], list[tuple[Battlefield, Drawing]]] = {}
    draw = board_drawing.board_drawing

    def once(field: Battlefield, drafter: Drafter, **how: Any) -> Drawing:
        context = drafter.context
        asked = f"{context.style.name} {drafter.words.languages} {context.jitter} {context.scale} {sorted(how.items())}"
        # Boards that are left bare are others than those with their marks.
        there = boards.setdefault((asked, board_drawing.group_by_layer), [])
        for known, drawing in there:
            if known == field:
                return drawing
        there.append((field, draw(field, drafter, **how)))
        return there[-1][1]

    patch.setattr("printkit.recipes.prints.maps.board_drawing", once)
