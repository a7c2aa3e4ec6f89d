"""Write a board as SVG for a screen: the view box is the board, and each layer has its name."""

from __future__ import annotations

from typing import Final

from printkit.drawing.canvas.items import Drawing, LayerName, Rect
from printkit.drawing.lettering.extent import PER_MM, box_of
from printkit.export.placing import format_number
from printkit.export.svg import Definitions, elements, layer_clip_attribute

# The layers that the user can show and hide.
SWITCHABLE_LAYERS: Final = (LayerName.GRID, LayerName.OVERLAY, LayerName.NUMBER, LayerName.LABEL)

_SPACE: Final = "http://www.w3.org/2000/svg"


def layer_name(layer: LayerName) -> str:
    """Return the name of a layer in the SVG, for example ``hill-tint``."""
    return layer.name.lower().replace("_", "-")


def text(drawing: Drawing) -> str:
    """Return a drawing as SVG text without a fixed size, for a page of a browser.

    The view box is the drawing in units of 0.01 mm. Each layer that is not empty is a group with its name in the
    attribute ``data-layer``.
    """
    definitions = Definitions()
    board_window = box_of(Rect(0.0, 0.0, drawing.width, drawing.height))
    body = []
    for layer in drawing.layers:
        if layer_elements := list(elements(layer.items, board_window, definitions)):
            clip_attribute = layer_clip_attribute(layer, definitions)
            body += [f'<g data-layer="{layer_name(layer.name)}"{clip_attribute}>', *layer_elements, "</g>"]
    width, height = (format_number(side * PER_MM) for side in (drawing.width, drawing.height))
    parts = [f'<svg xmlns="{_SPACE}" viewBox="0 0 {width} {height}">']
    if definitions.elements:
        parts += ["<defs>", *definitions.elements, "</defs>"]
    return "\n".join([*parts, f'<g transform="matrix(1 0 0 -1 0 {height})">', *body, "</g>", "</svg>", ""])
