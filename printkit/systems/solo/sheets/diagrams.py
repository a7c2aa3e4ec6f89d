"""Plans of the whole board: corners, edges and river bands with their die faces, and the nine sectors."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.drawing.canvas.items import Anchor, Drawing
from printkit.drawing.text.sketch import Sketch
from printkit.drawing.text.text_styles import Manner

_RIM: Final = 3.6
"""Room beside the board for a line of type, in sizes of 8 points."""

_SIDE: Final = 8.5
_GAP: Final = 2.0
_NOTE: Final = 0.46
"""How much of the width the board has where words stand beside it."""


def corners(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the board with its four corners and edges, each with its die faces, and words beside it.

    Labels: the corners ``near-right`` ..., the edges ``near`` ..., and ``note``. Numbers: ``board`` and ``corner``.
    """
    sketch, x, y, side = _beside(block, width, manner)
    square = side * block.numbers["corner"] / block.numbers["board"]
    for corner, left, low in (
        ("near-left", x, y),
        ("near-right", x + side - square, y),
        ("far-left", x, y + side - square),
        ("far-right", x + side - square, y + side - square),
    ):
        sketch.shaded(left, low, square, square)
        sketch.oblong(left, low, square, square)
        sketch.words(block.labels[corner], (left + square / 2, low + square / 2), strong=True)
    sketch.oblong(x, y, side, side, weight="strong")
    _edge_words(sketch, block, x, y, side)
    return sketch.drawing()


def bands(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the board with the bands of a river, across and up, each with its die faces and inches.

    Labels: ``across-near``, ``across-far``, ``up-left``, ``up-right``, the edges, ``note``. Numbers: ``board``, and for
    each band where it begins and ends.
    """
    sketch, x, y, side = _beside(block, width, manner)
    inch = side / block.numbers["board"]
    for name in ("across-near", "across-far", "up-left", "up-right"):
        low, high = (block.numbers[f"{name}-{end}"] * inch for end in ("from", "to"))
        middle = (low + high) / 2
        if name.startswith("across"):
            for at in (low, high):
                sketch.line((x, y + at), (x + side, y + at), weight="fine", dashed=True)
            sketch.arrow((x - 0.5, y + middle), (x + 3.0, y + middle))
            sketch.words(block.labels[name], (x - 1.2, y + middle), anchor=Anchor.END, strong=True)
        else:
            for at in (low, high):
                sketch.line((x + at, y), (x + at, y + side), weight="fine", dashed=True)
            sketch.arrow((x + middle, y - 0.5), (x + middle, y + 3.0))
            sketch.words(block.labels[name], (x + middle, y - 0.5 * _rim(sketch)), strong=True)
    sketch.oblong(x, y, side, side, weight="strong")
    sketch.words(block.labels["far"], (x + side / 2, y + side + 0.5 * _rim(sketch)), room=side)
    return sketch.drawing()


def sectors(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the nine sectors with the faces of both dice, and outside the faces of roads.

    Labels: columns ``left``, ``centre``, ``right`` and rows ``near``, ``middle``, ``far``, the faces of each as
    ``left-die`` ...; roads ``across-near`` ... ``up-right``; ``first``, ``second`` and ``road`` say which die.
    """
    rim = _RIM * manner.size / 2.82
    beside = 2 * rim + 3.4
    side = min(width - 2 * beside, (block.highest or 1000.0) - 4.6 * rim)
    sketch = Sketch(width, side + 4.6 * rim, manner)
    x, y = (width - side) / 2, 2 * rim
    third = side / 3
    for place, name in enumerate(("left", "centre", "right")):
        middle = x + (place + 0.5) * third
        sketch.words(block.labels[f"{name}-die"], (middle, y - 0.5 * rim), strong=True)
        sketch.arrow((middle + 2.2, y + side + 0.9 * rim), (middle + 2.2, y + side + 0.3))
        sketch.words(block.labels[f"up-{name}"], (middle, y + side + 0.6 * rim), strong=True)
    for place, name in enumerate(("near", "middle", "far")):
        middle = y + (place + 0.5) * third
        sketch.words(block.labels[f"{name}-die"], (x - 1.0, middle), anchor=Anchor.END, strong=True)
        sketch.arrow((x + side + 0.9 * rim, middle), (x + side + 0.3, middle))
        at = (x + side + 0.9 * rim + 1.0, middle)
        sketch.words(block.labels[f"across-{name}"], at, anchor=Anchor.START, strong=True)
        for column, across in enumerate(("left", "centre", "right")):
            at = (x + (column + 0.5) * third, middle)
            sketch.rows(f"{block.labels[name]} {block.labels[across]}", at, room=third - 1.6)
    for cut in (third, 2 * third):
        sketch.line((x + cut, y), (x + cut, y + side))
        sketch.line((x, y + cut), (x + side, y + cut))
    sketch.oblong(x, y, side, side, weight="strong")
    sketch.words(block.labels["first"], (x + side / 2, y - 1.5 * rim), room=width)
    sketch.words(block.labels["second"], (0.5 * rim, y + side / 2), angle=90.0)
    sketch.words(block.labels["road"], (x + side / 2, y + side + 1.7 * rim), room=width)
    sketch.words(block.labels["road"], (width - 0.5 * rim, y + side / 2), angle=90.0)
    return sketch.drawing()


def _beside(block: Diagram, width: float, manner: Manner) -> tuple[Sketch, float, float, float]:
    """Return a sketch with words at its right, and where on it the board stands: x, y and side."""
    rim = _RIM * manner.size / 2.82
    side = min(_NOTE * width, (block.highest or 1000.0) - 2 * rim)
    sketch = Sketch(width, side + 2 * rim, manner)
    left = _SIDE - 1.5
    room = width - left - side - _SIDE + 1.5 - _GAP
    middle = width - room / 2
    sketch.rows(block.labels["note"], (middle, rim + side / 2), room=room)
    return sketch, left, rim, side


def _edge_words(sketch: Sketch, block: Diagram, x: float, y: float, side: float) -> None:
    rim = 0.5 * _rim(sketch)
    sketch.words(block.labels["near"], (x + side / 2, y - rim), strong=True)
    sketch.words(block.labels["far"], (x + side / 2, y + side + rim), strong=True)
    sketch.words(block.labels["left"], (x - 1.0, y + side / 2), anchor=Anchor.END, strong=True)
    sketch.words(block.labels["right"], (x + side + 1.0, y + side / 2), anchor=Anchor.START, strong=True)


def _rim(sketch: Sketch) -> float:
    return _RIM * sketch.manner.size / 2.82
