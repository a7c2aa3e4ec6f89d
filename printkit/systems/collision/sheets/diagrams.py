"""Diagrams for columns: edge squares, positions, order of march, crossing an edge, landing."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.drawing.canvas.items import Anchor, Drawing
from printkit.drawing.text.sketch import DiagramSketch
from printkit.drawing.text.text_styles import TextStyle

# Width of an element on the diagrams, in mm.
_BASE: Final = 5.2


def squares(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the board with its four edge squares, at most ``width`` mm wide on paper.

    Labels: ``clear``. Numbers in base widths: ``board``, ``square``, ``depth``.
    """
    side = min(width - 2.0, block.max_height or 34.0)
    sketch = DiagramSketch(width, side + 1.0, style)
    step = side / block.numbers["board"]
    x, wide, deep = (width - side) / 2, block.numbers["square"] * step, block.numbers["depth"] * step
    low = (side - wide) / 2
    for left, foot, patch_width, patch_height in (
        (low, 0.0, wide, deep),
        (low, side - deep, wide, deep),
        (0.0, low, deep, wide),
        (side - deep, low, deep, wide),
    ):
        sketch.hatch_rectangle(x + left, foot + 0.5, patch_width, patch_height)
        sketch.draw_rectangle(x + left, foot + 0.5, patch_width, patch_height)
    sketch.draw_rectangle(x, 0.5, side, side, weight="strong")
    sketch.words(block.labels["clear"], (x + side / 2, side / 2 + 0.5), max_width_mm=side - 2 * deep - 1.0)
    return sketch.drawing()


def stands(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a drawing of an edge: column 1 in its box, the first element of column 2 at the edge, the rest outside.

    The diagram is ``width`` mm wide on paper. Labels: ``edge``.
    """
    sketch = DiagramSketch(width, 6.2 * _BASE, style)
    edge, middle = 2.7 * _BASE, 0.36 * width
    box = 3.6 * _BASE
    sketch.draw_rectangle(middle - box / 2, edge, box, 0.94 * box, weight="fine")
    sketch.line((0.0, edge), (width, edge), weight="strong")
    for place in range(4):
        _base(sketch, middle - 1.3 * _BASE, edge + (2.8 - 0.62 * place) * _BASE, "1" if place == 0 else "")
    for place in range(4):
        _base(sketch, middle + 0.3 * _BASE, edge + (0.05 - 0.62 * place) * _BASE, "2" if place == 0 else "")
    for place in range(4):
        _base(sketch, 0.80 * width, edge - (0.75 + 0.62 * place) * _BASE, "3" if place == 0 else "")
    sketch.words(block.labels["edge"], (width - 0.5, edge + 2.2), anchor=Anchor.END)
    return sketch.drawing()


def order(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a drawing of the three patterns of columns side by side on ``width`` mm of paper, with dark baggage.

    Labels: ``none``, ``one``, ``two``. Numbers of elements in a column: ``usual``; ``second`` and ``third`` with an
    ally.
    """
    sketch = DiagramSketch(width, 8.4 * _BASE * 0.62 + 5.0, style)
    top = sketch.height - 0.62 * _BASE
    third = width / 3
    usual = [int(block.numbers["usual"])] * 3
    one = [usual[0], int(block.numbers["second"]), int(block.numbers["third"])]
    for number, (name, sizes) in enumerate((("none", usual), ("one", one), ("two", usual))):
        middle = (number + 0.5) * third
        for column, size in enumerate(sizes):
            x = middle + (column - 1) * 1.12 * _BASE - _BASE / 2
            for place in range(size + (column == 1)):
                foot = top - place * 0.66 * _BASE
                _base(sketch, x, foot, str(column + 1) if place == 0 else "", filled=place == size)
        sketch.words(block.labels[name], (middle, 2.0), max_width_mm=third - 1.0)
    return sketch.drawing()


def crossing(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a drawing of a column that has partly entered: the front of its first element is on the board.

    The diagram is ``width`` mm wide on paper. Labels: ``on``, ``off``.
    """
    sketch = DiagramSketch(width, 5.0 * _BASE, style)
    edge, middle = 2.2 * _BASE, width / 2
    sketch.line((0.0, edge), (width, edge), weight="strong")
    for place in range(4):
        _base(sketch, middle - _BASE / 2, edge + (0.9 - 0.66 * place) * _BASE, "3" if place == 0 else "")
    sketch.draw_arrow((middle, edge + 1.75 * _BASE), (middle, edge + 2.7 * _BASE))
    sketch.words(block.labels["on"], (0.5, edge + 2.4), anchor=Anchor.START)
    sketch.words(block.labels["off"], (0.5, edge - 2.4), anchor=Anchor.START)
    return sketch.drawing()


def landing(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a drawing of both ways to land: the rear element on the water, or a flank of every element.

    The diagram is ``width`` mm wide on paper. Labels: ``water``.
    """
    sketch = DiagramSketch(width, 4.6 * _BASE, style)
    shore = 1.3 * _BASE
    sketch.hatch_rectangle(0.0, 0.0, width, shore)
    sketch.line((0.0, shore), (width, shore), weight="strong")
    sketch.write_on_plate(block.labels["water"], (0.5 * width, shore / 2))
    for place in range(4):
        _base(sketch, 0.22 * width, shore + (2.0 - 0.66 * place) * _BASE, "3" if place == 0 else "")
    for place in range(4):
        x = 0.88 * width - (place + 1) * 0.66 * _BASE
        sketch.draw_shape(_corners(x, shore, 0.62 * _BASE, _BASE))
        if place == 0:
            sketch.words("3", (x + 0.31 * _BASE, shore + _BASE / 2), strong=True)
    sketch.draw_arrow((0.90 * width, shore + _BASE / 2), (0.98 * width, shore + _BASE / 2))
    sketch.draw_arrow((0.22 * width + _BASE / 2, shore + 2.8 * _BASE), (0.22 * width + _BASE / 2, shore + 3.25 * _BASE))
    return sketch.drawing()


def _base(sketch: DiagramSketch, x: float, y: float, text: str, *, filled: bool = False) -> None:
    """Draw an element with its lower left corner at ``x``, ``y`` in printed mm; ``text`` is its number.

    With ``filled`` the element is dark.
    """
    sketch.draw_shape(_corners(x, y, _BASE, 0.62 * _BASE), is_filled=filled)
    if text:
        sketch.words(text, (x + _BASE / 2, y + 0.31 * _BASE), strong=True)


def _corners(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a rectangle in mm on paper, from the lower left anticlockwise."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)
