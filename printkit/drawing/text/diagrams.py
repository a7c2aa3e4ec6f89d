"""Small plans by their names: what cards and pages show beside their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from printkit.content.prose import Diagram
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.text.setting import Setting
from printkit.drawing.text.text_styles import Manner
from printkit.systems.collision.sheets.diagrams import crossing, landing, order, squares, stands
from printkit.systems.solo.sheets.diagram_ranks import deep_and_thin, pikes
from printkit.systems.solo.sheets.diagram_stances import stance
from printkit.systems.solo.sheets.diagram_zones import camp, edges, places, shore
from printkit.systems.solo.sheets.diagrams import bands, corners, sectors

Maker = Callable[[Diagram, float, Manner], Drawing]
"""Draws a plan as wide in mm as it is told, and as high as it needs."""

DIAGRAMS: Final[Mapping[str, Maker]] = {
    "corners": corners,
    "bands": bands,
    "sectors": sectors,
    "edges": edges,
    "camp": camp,
    "shore": shore,
    "places": places,
    "pikes": pikes,
    "ranks": deep_and_thin,
    "stance": stance,
    "edge-squares": squares,
    "column-stands": stands,
    "column-order": order,
    "column-entry": crossing,
    "column-landing": landing,
}

_BEFORE: Final = 0.6


def set_diagram(block: Diagram, width: float, manner: Manner) -> Setting:
    """Return a plan over the width of its column.

    Raises:
        PageError: nobody draws a plan of that name.
    """
    if block.name not in DIAGRAMS:
        raise PageError("no plan is called {block!r}; there are {known}", block=block.name, known=", ".join(DIAGRAMS))
    drawing = DIAGRAMS[block.name](block, width, manner)
    return Setting(parts=(drawing,), before=manner.gap(_BEFORE))
