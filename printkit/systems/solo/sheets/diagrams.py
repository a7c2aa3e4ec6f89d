"""Diagrams next to text: the board with its die faces and sectors, elements in ranks, and deployment."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.drawing.canvas.items import Anchor, Drawing
from printkit.drawing.text.sketch import DiagramSketch
from printkit.drawing.text.text_styles import TextStyle

# --- Diagrams of elements in ranks: pikes two deep, and a mass two deep or with single elements at its ends -----------

_WIDEST_MM: Final = 6.6
# Depth of a drawn element, as a share of its width.
_DEPTH_SHARE: Final = 0.42

_LABEL_WIDTH: Final = 15.0
_ROW_GAP: Final = 1.3


def pikes(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return a diagram of pikes two deep, ``width`` mm wide on paper.

    Labels: "front" and "said"; number: "elements".
    """
    return _draw_ranks(block, width, style, (("said", 0),))


def deep_and_thin(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return elements two deep, and below them the same with end files one deep.

    The diagram is ``width`` mm wide on paper. Labels: "front"; "deep" and "thin" have die faces. Number: "elements".
    """
    return _draw_ranks(block, width, style, (("deep", 0), ("thin", 2)))


def _draw_ranks(block: Diagram, width: float, style: TextStyle, forms: tuple[tuple[str, int], ...]) -> Drawing:
    """Return one diagram below the other, ``width`` mm wide on paper.

    A form is a label and the number of files that are one deep.
    """
    count = int(block.numbers["elements"])
    most_files = max(_count_files(count, thin_count) for _, thin_count in forms)
    element_width = min(_WIDEST_MM, (width - _LABEL_WIDTH) / most_files)
    element_depth = _DEPTH_SHARE * element_width
    row = 1.35 * style.size
    form_height = 2 * element_depth + _ROW_GAP + 0.8
    sketch = DiagramSketch(width, row + len(forms) * form_height, style)
    top = sketch.height - row
    middle = _LABEL_WIDTH + (width - _LABEL_WIDTH) / 2
    sketch.words(block.labels["front"], (middle, sketch.height - row / 2), max_width_mm=width - _LABEL_WIDTH)
    for name, thin_count in forms:
        files = _count_files(count, thin_count)
        left = middle - files * element_width / 2
        rear_files = count - files
        first = (files - rear_files + 1) // 2 if thin_count else 0
        for index in range(files):
            x = left + (index + 0.5) * element_width
            sketch.draw_element(
                x, top - 0.5 * element_depth - 0.4, element_width - 0.5, element_depth - 0.3, is_filled=True
            )
            if first <= index < first + rear_files:
                sketch.draw_element(x, top - 1.5 * element_depth - 0.4, element_width - 0.5, element_depth - 0.3)
        sketch.words(block.labels[name], (0.0, top - element_depth - 0.4), anchor=Anchor.START, strong=True)
        top -= form_height
    return sketch.drawing()


def _count_files(count: int, thin_count: int) -> int:
    """Return the number of files of ``count`` elements: ``thin_count`` one deep, the others two deep."""
    return thin_count + -(-(count - thin_count) // 2)


# --- Diagrams of deployment: an edge's zones, the camp, the shore, and the positions of groups ------------------------

# Height of a strip with one line of type, in mm, at a text size of 8 points.
_STRIP_MM: Final = 4.3

_WATER_MM: Final = 9.0


def edges(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the strips of the board that count for an edge, with the letters of their modifiers.

    The diagram is ``width`` mm wide on paper. Labels: from the far edge "far-zone", "far-ahead", "ahead", "zone", and
    below them "rear".
    """
    high = _compute_strip_height(style)
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

    The diagram is ``width`` mm wide on paper. Labels: "edge", "water", "road", "bad", "camp", "centre".
    """
    high = (block.max_height or 0.62 * width) - _compute_strip_height(style)
    sketch = DiagramSketch(width, high + _compute_strip_height(style), style)
    low = _compute_strip_height(style)
    water = _WATER_MM
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

    The diagram is ``width`` mm wide on paper. Labels: "npg", "you", "water", "line", "here", "camp", "camp-note".
    Numbers in paces: "board", "along" from the centre line, "inland" from the shore, "camp".
    """
    rim = _compute_strip_height(style)
    side = min(width - 2.0, (block.max_height or 1000.0) - 2 * rim)
    sketch = DiagramSketch(width, side + 2 * rim, style)
    x, y = (width - side) / 2, rim
    pace = side / block.numbers["board"]
    water = 0.16 * side
    shoreline = x + side - water
    inland, half_length = block.numbers["inland"] * pace, block.numbers["along"] * pace
    sketch.hatch_rectangle(shoreline, y, water, side)
    sketch.line((shoreline, y), (shoreline, y + side))
    sketch.shade_rectangle(shoreline - inland, y + side / 2 - half_length, inland, 2 * half_length)
    sketch.draw_rectangle(shoreline - inland, y + side / 2 - half_length, inland, 2 * half_length, weight="fine")
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

    The diagram is ``width`` mm wide on paper. Labels: "left", "centre", "right", "reserve", "front", "edge".
    """
    strip_mm = _compute_strip_height(style)
    depth_mm = 3.4 * strip_mm
    sketch = DiagramSketch(width, depth_mm + 2 * strip_mm, style)
    low = strip_mm
    quarter = width / 4
    for name, left, width_mm in (("left", 0.0, quarter), ("right", 3 * quarter, quarter)):
        sketch.draw_rectangle(left, low, width_mm, depth_mm, weight="fine")
        sketch.rows(block.labels[name], (left + width_mm / 2, low + depth_mm / 2), max_width_mm=width_mm - 1)
    sketch.shade_rectangle(quarter, low + 0.62 * depth_mm, 2 * quarter, 0.38 * depth_mm)
    sketch.draw_rectangle(quarter, low + 0.62 * depth_mm, 2 * quarter, 0.38 * depth_mm)
    sketch.words(block.labels["centre"], (width / 2, low + 0.81 * depth_mm), max_width_mm=2 * quarter - 1)
    sketch.line((quarter, low + 0.30 * depth_mm), (3 * quarter, low + 0.30 * depth_mm), is_dashed=True)
    sketch.words(block.labels["reserve"], (width / 2, low + 0.45 * depth_mm), max_width_mm=2 * quarter - 1)
    sketch.draw_rectangle(0.0, low, width, depth_mm, weight="strong")
    sketch.words(block.labels["front"], (width / 2, low + depth_mm + 0.5 * strip_mm), max_width_mm=width)
    sketch.words(block.labels["edge"], (width / 2, 0.45 * strip_mm), max_width_mm=width)
    return sketch.drawing()


def _compute_strip_height(style: TextStyle) -> float:
    """Return the height of a strip with one line of type, in mm on paper."""
    return _STRIP_MM * style.size / 2.82


# Space around the board for a line of type, in mm, at a text size of 8 points.
_RIM_MM: Final = 3.6

_SIDE: Final = 8.5
_GAP: Final = 2.0
# Share of the width for the board if there is a note at its right.
_BOARD_SHARE: Final = 0.46


def corners(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the board with its four corners and edges, each with its die faces, and a note at the right.

    The diagram is ``width`` mm wide on paper. Labels: the corners "near-right" ..., the edges "near" ..., and "note".
    Numbers in inches: "board" and "corner".
    """
    sketch, x, y, side = _start_sketch(block, width, style)
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
    _draw_edge_labels(sketch, block, x, y, side)
    return sketch.drawing()


def bands(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the board with the bands of a river, across and up, each with its label, and a note.

    The diagram is ``width`` mm wide on paper. Labels: "across-near", "across-far", "up-left", "up-right", "far",
    "note". Numbers in inches: "board", and the start and end of each band, for example "up-left-from" and "up-left-to".
    """
    sketch, x, y, side = _start_sketch(block, width, style)
    inch = side / block.numbers["board"]
    for name in ("across-near", "across-far", "up-left", "up-right"):
        low, high = (block.numbers[f"{name}-{end}"] * inch for end in ("from", "to"))
        middle = (low + high) / 2
        if name.startswith("across"):
            for offset in (low, high):
                sketch.line((x, y + offset), (x + side, y + offset), weight="fine", is_dashed=True)
            sketch.draw_arrow((x - 0.5, y + middle), (x + 3.0, y + middle))
            sketch.words(block.labels[name], (x - 1.2, y + middle), anchor=Anchor.END, strong=True)
        else:
            for offset in (low, high):
                sketch.line((x + offset, y), (x + offset, y + side), weight="fine", is_dashed=True)
            sketch.draw_arrow((x + middle, y - 0.5), (x + middle, y + 3.0))
            sketch.words(block.labels[name], (x + middle, y - 0.5 * _compute_rim(sketch)), strong=True)
    sketch.draw_rectangle(x, y, side, side, weight="strong")
    sketch.words(block.labels["far"], (x + side / 2, y + side + 0.5 * _compute_rim(sketch)), max_width_mm=side)
    return sketch.drawing()


def sectors(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the nine sectors with the faces of both dice, and the die faces of roads outside the board.

    The diagram is ``width`` mm wide on paper. Labels: columns "left", "centre", "right" and rows "near", "middle",
    "far", and their faces "left-die" ...; roads "across-near" ... "up-right"; "first", "second" and "road" name the
    dice.
    """
    rim = _RIM_MM * style.size / 2.82
    side_margin = 2 * rim + 3.4
    side = min(width - 2 * side_margin, (block.max_height or 1000.0) - 4.6 * rim)
    sketch = DiagramSketch(width, side + 4.6 * rim, style)
    x, y = (width - side) / 2, 2 * rim
    third = side / 3
    for index, name in enumerate(("left", "centre", "right")):
        middle = x + (index + 0.5) * third
        sketch.words(block.labels[f"{name}-die"], (middle, y - 0.5 * rim), strong=True)
        sketch.draw_arrow((middle + 2.2, y + side + 0.9 * rim), (middle + 2.2, y + side + 0.3))
        sketch.words(block.labels[f"up-{name}"], (middle, y + side + 0.6 * rim), strong=True)
    for index, name in enumerate(("near", "middle", "far")):
        middle = y + (index + 0.5) * third
        sketch.words(block.labels[f"{name}-die"], (x - 1.0, middle), anchor=Anchor.END, strong=True)
        sketch.draw_arrow((x + side + 0.9 * rim, middle), (x + side + 0.3, middle))
        position = (x + side + 0.9 * rim + 1.0, middle)
        sketch.words(block.labels[f"across-{name}"], position, anchor=Anchor.START, strong=True)
        for column, column_name in enumerate(("left", "centre", "right")):
            position = (x + (column + 0.5) * third, middle)
            sketch.rows(f"{block.labels[name]} {block.labels[column_name]}", position, max_width_mm=third - 1.6)
    for cut in (third, 2 * third):
        sketch.line((x + cut, y), (x + cut, y + side))
        sketch.line((x, y + cut), (x + side, y + cut))
    sketch.draw_rectangle(x, y, side, side, weight="strong")
    sketch.words(block.labels["first"], (x + side / 2, y - 1.5 * rim), max_width_mm=width)
    sketch.words(block.labels["second"], (0.5 * rim, y + side / 2), angle=90.0)
    sketch.words(block.labels["road"], (x + side / 2, y + side + 1.7 * rim), max_width_mm=width)
    sketch.words(block.labels["road"], (width - 0.5 * rim, y + side / 2), angle=90.0)
    return sketch.drawing()


def _start_sketch(block: Diagram, width: float, style: TextStyle) -> tuple[DiagramSketch, float, float, float]:
    """Return a sketch with a note at the right, then x, y and side of the board on it.

    Lengths are in mm on paper; the position is the lower left corner.
    """
    rim = _RIM_MM * style.size / 2.82
    side = min(_BOARD_SHARE * width, (block.max_height or 1000.0) - 2 * rim)
    sketch = DiagramSketch(width, side + 2 * rim, style)
    left = _SIDE - 1.5
    note_width = width - left - side - _SIDE + 1.5 - _GAP
    middle = width - note_width / 2
    sketch.rows(block.labels["note"], (middle, rim + side / 2), max_width_mm=note_width)
    return sketch, left, rim, side


def _draw_edge_labels(sketch: DiagramSketch, block: Diagram, x: float, y: float, side: float) -> None:
    """Draw the die faces of the four edges round the board.

    ``x``, ``y`` and ``side`` are its lower left corner and its side, in mm on the sketch.
    """
    rim = 0.5 * _compute_rim(sketch)
    sketch.words(block.labels["near"], (x + side / 2, y - rim), strong=True)
    sketch.words(block.labels["far"], (x + side / 2, y + side + rim), strong=True)
    sketch.words(block.labels["left"], (x - 1.0, y + side / 2), anchor=Anchor.END, strong=True)
    sketch.words(block.labels["right"], (x + side + 1.0, y + side / 2), anchor=Anchor.START, strong=True)


def _compute_rim(sketch: DiagramSketch) -> float:
    """Return the space round the board for one line of type, in mm on paper."""
    return _RIM_MM * sketch.style.size / 2.82
