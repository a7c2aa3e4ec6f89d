"""Diagrams next to text: the board with its die faces and sectors, elements in ranks, and deployment."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.drawing.canvas.items import Anchor, Drawing
from printkit.drawing.text.sketch import DiagramSketch
from printkit.drawing.text.text_styles import TextStyle

# --- Diagrams of elements in ranks: pikes two deep, and a mass two deep or with single elements at its ends -----------

_WIDEST: Final = 6.6
# Depth of a drawn element, as a share of its width.
_DEEP: Final = 0.42

_BESIDE: Final = 15.0
_AIR: Final = 1.3


def pikes(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a diagram of pikes two deep. Labels: "front" and "said"; number: "elements"."""
    return _ranks(block, width, style, (("said", 0),))


def deep_and_thin(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a mass two deep, and below it the same mass with its end files one deep.

    Labels: "front"; "deep" and "thin" have die faces. Number: "elements".
    """
    return _ranks(block, width, style, (("deep", 0), ("thin", 2)))


def _ranks(block: Diagram, width: float, style: TextStyle, forms: tuple[tuple[str, int], ...]) -> Drawing:
    """Return one diagram below the other. A form is a label and the number of files that are one deep."""
    count = int(block.numbers["elements"])
    most = max(_frontage(count, thin) for _, thin in forms)
    wide = min(_WIDEST, (width - _BESIDE) / most)
    deep = _DEEP * wide
    row = 1.35 * style.size
    high = 2 * deep + _AIR + 0.8
    sketch = DiagramSketch(width, row + len(forms) * high, style)
    top = sketch.height - row
    middle = _BESIDE + (width - _BESIDE) / 2
    sketch.words(block.labels["front"], (middle, sketch.height - row / 2), max_width_mm=width - _BESIDE)
    for name, thin in forms:
        files = _frontage(count, thin)
        left = middle - files * wide / 2
        backed = count - files
        first = (files - backed + 1) // 2 if thin else 0
        for place in range(files):
            x = left + (place + 0.5) * wide
            sketch.draw_element(x, top - 0.5 * deep - 0.4, wide - 0.5, deep - 0.3, is_filled=True)
            if first <= place < first + backed:
                sketch.draw_element(x, top - 1.5 * deep - 0.4, wide - 0.5, deep - 0.3)
        sketch.words(block.labels[name], (0.0, top - deep - 0.4), anchor=Anchor.START, strong=True)
        top -= high
    return sketch.drawing()


def _frontage(count: int, thin: int) -> int:
    """Return the number of files of a mass; ``thin`` of them are one deep, the others two deep."""
    return thin + -(-(count - thin) // 2)


# --- Diagrams of deployment: an edge's zones, the camp, the shore, and the positions of groups ------------------------

# Height of a strip with one line of type, in mm, at a text size of 8 points.
_STRIP: Final = 4.3

_WATER: Final = 9.0


def edges(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the strips of the board that count for an edge, with the letters of their modifiers.

    Labels: from the far edge "far-zone", "far-ahead", "ahead", "zone", and below them "rear".
    """
    high = _strip(style)
    sketch = DiagramSketch(width, 5 * high, style)
    left, right = 0.0, width
    for place, name in enumerate(("zone", "ahead", "far-ahead", "far-zone")):
        low = (place + 1) * high
        if name.endswith("zone"):
            quarter = (right - left) / 4
            sketch.shade_rectangle(left + quarter, low, 2 * quarter, high)
        sketch.draw_rectangle(left, low, right - left, high, weight="fine")
        sketch.words(block.labels[name], ((left + right) / 2, low + high / 2), max_width_mm=right - left - 2)
    sketch.draw_rectangle(left, high, right - left, 4 * high, weight="strong")
    sketch.words(block.labels["rear"], (width / 2, 0.45 * high), max_width_mm=width)
    return sketch.drawing()


def camp(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a base edge with the terrain that the camp avoids, its cover, and its best position.

    Labels: "edge", "water", "road", "bad", "camp", "centre".
    """
    high = (block.max_height or 0.62 * width) - _strip(style)
    sketch = DiagramSketch(width, high + _strip(style), style)
    low = _strip(style)
    water = _WATER
    sketch.hatch_rectangle(width - water, low, water, high)
    sketch.line((width - water, low), (width - water, low + high))
    sketch.write_on_plate(block.labels["water"], (width - water / 2, low + high / 2))
    road = 0.78 * (width - water)
    for side in (-0.9, 0.9):
        sketch.line((road + side, low + high), (road + side, low))
    sketch.write_on_plate(block.labels["road"], (road, low + 0.72 * high))
    middle = width / 2
    sketch.line((middle, low), (middle, low + high), weight="fine", is_dashed=True)
    bad = 0.31 * (width - water)
    deep = 0.24 * high
    sketch.hatch_rectangle(bad - 8.5, low + 0.50 * high, 17.0, deep)
    sketch.draw_rectangle(bad - 8.5, low + 0.50 * high, 17.0, deep)
    sketch.write_on_plate(block.labels["bad"], (bad, low + 0.62 * high))
    sketch.draw_element(bad + 4.0, low + 0.14 * high, 9.0, 0.24 * high)
    sketch.words(block.labels["camp"], (bad + 4.0, low + 0.14 * high), max_width_mm=8.6)
    sketch.draw_arrow((bad + 9.0, low + 0.14 * high), (middle - 0.4, low + 0.14 * high))
    sketch.words(block.labels["centre"], (middle - 1.0, low + 0.93 * high), anchor=Anchor.END)
    sketch.draw_rectangle(0.0, low, width, high, weight="strong")
    sketch.words(block.labels["edge"], (width / 2, 0.45 * low), max_width_mm=width)
    return sketch.drawing()


def shore(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the board with its centre line and shore, and the areas where bad going and YOUR camp count.

    Labels: "npg", "you", "water", "line", "here", "camp", "camp-note". Numbers in paces: "board", "along" from the
    centre line, "inland" from the shore, "camp".
    """
    rim = _strip(style)
    side = min(width - 2.0, (block.max_height or 1000.0) - 2 * rim)
    sketch = DiagramSketch(width, side + 2 * rim, style)
    x, y = (width - side) / 2, rim
    pace = side / block.numbers["board"]
    water = 0.16 * side
    shoreline = x + side - water
    inland, along = block.numbers["inland"] * pace, block.numbers["along"] * pace
    sketch.hatch_rectangle(shoreline, y, water, side)
    sketch.line((shoreline, y), (shoreline, y + side))
    sketch.shade_rectangle(shoreline - inland, y + side / 2 - along, inland, 2 * along)
    sketch.draw_rectangle(shoreline - inland, y + side / 2 - along, inland, 2 * along, weight="fine")
    reach = block.numbers["camp"] * pace
    sketch.line((shoreline - reach, y + 0.70 * side), (shoreline - reach, y + side), weight="fine", is_dashed=True)
    sketch.words(block.labels["camp"], (shoreline - reach / 2, y + 0.88 * side), max_width_mm=reach - 1)
    sketch.words(block.labels["camp-note"], (shoreline - reach - 1.0, y + 0.88 * side), anchor=Anchor.END)
    sketch.line((x, y + side / 2), (shoreline - inland, y + side / 2), is_dashed=True)
    sketch.words(block.labels["line"], (x + 1.5, y + side / 2 + 0.45 * rim), anchor=Anchor.START)
    sketch.rows(block.labels["here"], (shoreline - inland / 2, y + side / 2), max_width_mm=inland - 0.6)
    sketch.write_on_plate(block.labels["water"], (x + side - water / 2, y + 0.2 * side))
    sketch.draw_rectangle(x, y, side, side, weight="strong")
    sketch.words(block.labels["you"], (width / 2, y + side + 0.55 * rim), max_width_mm=width)
    sketch.words(block.labels["npg"], (width / 2, 0.45 * rim), max_width_mm=width)
    return sketch.drawing()


def places(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the positions of groups in the zone of the NPG, which faces up the page.

    Labels: "left", "centre", "right", "reserve", "front", "edge".
    """
    high = _strip(style)
    deep = 3.4 * high
    sketch = DiagramSketch(width, deep + 2 * high, style)
    low = high
    quarter = width / 4
    for name, left, wide in (("left", 0.0, quarter), ("right", 3 * quarter, quarter)):
        sketch.draw_rectangle(left, low, wide, deep, weight="fine")
        sketch.rows(block.labels[name], (left + wide / 2, low + deep / 2), max_width_mm=wide - 1)
    sketch.shade_rectangle(quarter, low + 0.62 * deep, 2 * quarter, 0.38 * deep)
    sketch.draw_rectangle(quarter, low + 0.62 * deep, 2 * quarter, 0.38 * deep)
    sketch.words(block.labels["centre"], (width / 2, low + 0.81 * deep), max_width_mm=2 * quarter - 1)
    sketch.line((quarter, low + 0.30 * deep), (3 * quarter, low + 0.30 * deep), is_dashed=True)
    sketch.words(block.labels["reserve"], (width / 2, low + 0.45 * deep), max_width_mm=2 * quarter - 1)
    sketch.draw_rectangle(0.0, low, width, deep, weight="strong")
    sketch.words(block.labels["front"], (width / 2, low + deep + 0.5 * high), max_width_mm=width)
    sketch.words(block.labels["edge"], (width / 2, 0.45 * high), max_width_mm=width)
    return sketch.drawing()


def _strip(style: TextStyle) -> float:
    return _STRIP * style.size / 2.82


# Space around the board for a line of type, in mm, at a text size of 8 points.
_RIM: Final = 3.6

_SIDE: Final = 8.5
_GAP: Final = 2.0
# Share of the width for the board if there is a note at its right.
_NOTE: Final = 0.46


def corners(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the board with its four corners and edges, each with its die faces, and a note at the right.

    Labels: the corners "near-right" ..., the edges "near" ..., and "note". Numbers: "board" and "corner".
    """
    sketch, x, y, side = _beside(block, width, style)
    square = side * block.numbers["corner"] / block.numbers["board"]
    for corner, left, low in (
        ("near-left", x, y),
        ("near-right", x + side - square, y),
        ("far-left", x, y + side - square),
        ("far-right", x + side - square, y + side - square),
    ):
        sketch.shade_rectangle(left, low, square, square)
        sketch.draw_rectangle(left, low, square, square)
        sketch.words(block.labels[corner], (left + square / 2, low + square / 2), strong=True)
    sketch.draw_rectangle(x, y, side, side, weight="strong")
    _edge_words(sketch, block, x, y, side)
    return sketch.drawing()


def bands(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the board with the bands of a river, across and up, each with its label, and a note.

    Labels: "across-near", "across-far", "up-left", "up-right", "far", "note". Numbers in inches: "board", and the start
    and end of each band, for example "up-left-from" and "up-left-to".
    """
    sketch, x, y, side = _beside(block, width, style)
    inch = side / block.numbers["board"]
    for name in ("across-near", "across-far", "up-left", "up-right"):
        low, high = (block.numbers[f"{name}-{end}"] * inch for end in ("from", "to"))
        middle = (low + high) / 2
        if name.startswith("across"):
            for at in (low, high):
                sketch.line((x, y + at), (x + side, y + at), weight="fine", is_dashed=True)
            sketch.draw_arrow((x - 0.5, y + middle), (x + 3.0, y + middle))
            sketch.words(block.labels[name], (x - 1.2, y + middle), anchor=Anchor.END, strong=True)
        else:
            for at in (low, high):
                sketch.line((x + at, y), (x + at, y + side), weight="fine", is_dashed=True)
            sketch.draw_arrow((x + middle, y - 0.5), (x + middle, y + 3.0))
            sketch.words(block.labels[name], (x + middle, y - 0.5 * _rim(sketch)), strong=True)
    sketch.draw_rectangle(x, y, side, side, weight="strong")
    sketch.words(block.labels["far"], (x + side / 2, y + side + 0.5 * _rim(sketch)), max_width_mm=side)
    return sketch.drawing()


def sectors(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the nine sectors with the faces of both dice, and the die faces of roads outside the board.

    Labels: columns "left", "centre", "right" and rows "near", "middle", "far", and their faces "left-die" ...; roads
    "across-near" ... "up-right"; "first", "second" and "road" name the dice.
    """
    rim = _RIM * style.size / 2.82
    beside = 2 * rim + 3.4
    side = min(width - 2 * beside, (block.max_height or 1000.0) - 4.6 * rim)
    sketch = DiagramSketch(width, side + 4.6 * rim, style)
    x, y = (width - side) / 2, 2 * rim
    third = side / 3
    for place, name in enumerate(("left", "centre", "right")):
        middle = x + (place + 0.5) * third
        sketch.words(block.labels[f"{name}-die"], (middle, y - 0.5 * rim), strong=True)
        sketch.draw_arrow((middle + 2.2, y + side + 0.9 * rim), (middle + 2.2, y + side + 0.3))
        sketch.words(block.labels[f"up-{name}"], (middle, y + side + 0.6 * rim), strong=True)
    for place, name in enumerate(("near", "middle", "far")):
        middle = y + (place + 0.5) * third
        sketch.words(block.labels[f"{name}-die"], (x - 1.0, middle), anchor=Anchor.END, strong=True)
        sketch.draw_arrow((x + side + 0.9 * rim, middle), (x + side + 0.3, middle))
        at = (x + side + 0.9 * rim + 1.0, middle)
        sketch.words(block.labels[f"across-{name}"], at, anchor=Anchor.START, strong=True)
        for column, across in enumerate(("left", "centre", "right")):
            at = (x + (column + 0.5) * third, middle)
            sketch.rows(f"{block.labels[name]} {block.labels[across]}", at, max_width_mm=third - 1.6)
    for cut in (third, 2 * third):
        sketch.line((x + cut, y), (x + cut, y + side))
        sketch.line((x, y + cut), (x + side, y + cut))
    sketch.draw_rectangle(x, y, side, side, weight="strong")
    sketch.words(block.labels["first"], (x + side / 2, y - 1.5 * rim), max_width_mm=width)
    sketch.words(block.labels["second"], (0.5 * rim, y + side / 2), angle=90.0)
    sketch.words(block.labels["road"], (x + side / 2, y + side + 1.7 * rim), max_width_mm=width)
    sketch.words(block.labels["road"], (width - 0.5 * rim, y + side / 2), angle=90.0)
    return sketch.drawing()


def _beside(block: Diagram, width: float, style: TextStyle) -> tuple[DiagramSketch, float, float, float]:
    """Return a sketch with a note at the right, and x, y and side of the board on it, in mm."""
    rim = _RIM * style.size / 2.82
    side = min(_NOTE * width, (block.max_height or 1000.0) - 2 * rim)
    sketch = DiagramSketch(width, side + 2 * rim, style)
    left = _SIDE - 1.5
    room = width - left - side - _SIDE + 1.5 - _GAP
    middle = width - room / 2
    sketch.rows(block.labels["note"], (middle, rim + side / 2), max_width_mm=room)
    return sketch, left, rim, side


def _edge_words(sketch: DiagramSketch, block: Diagram, x: float, y: float, side: float) -> None:
    rim = 0.5 * _rim(sketch)
    sketch.words(block.labels["near"], (x + side / 2, y - rim), strong=True)
    sketch.words(block.labels["far"], (x + side / 2, y + side + rim), strong=True)
    sketch.words(block.labels["left"], (x - 1.0, y + side / 2), anchor=Anchor.END, strong=True)
    sketch.words(block.labels["right"], (x + side + 1.0, y + side / 2), anchor=Anchor.START, strong=True)


def _rim(sketch: DiagramSketch) -> float:
    return _RIM * sketch.style.size / 2.82
