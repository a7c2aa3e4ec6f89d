"""Plans of deployment: an edge's zones, the camp, the shore, and the places of groups."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.drawing.canvas.items import Anchor, Drawing
from printkit.drawing.text.sketch import Sketch
from printkit.drawing.text.text_styles import Manner

_STRIP: Final = 4.3
"""The height of a strip with one line of type in sizes of 8 points, mm."""

_WATER: Final = 9.0


def edges(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the strips that an edge is judged by, with the letters of the modifiers that look there.

    Labels: from the far edge on ``far-zone``, ``far-ahead``, ``ahead``, ``zone``, and ``flank``, ``rear``.
    """
    high = _strip(manner)
    sketch = Sketch(width, 5 * high, manner)
    left, right = 0.0, width
    for place, name in enumerate(("zone", "ahead", "far-ahead", "far-zone")):
        low = (place + 1) * high
        if name.endswith("zone"):
            quarter = (right - left) / 4
            sketch.shaded(left + quarter, low, 2 * quarter, high)
        sketch.oblong(left, low, right - left, high, weight="fine")
        sketch.words(block.labels[name], ((left + right) / 2, low + high / 2), room=right - left - 2)
    sketch.oblong(left, high, right - left, 4 * high, weight="strong")
    sketch.words(block.labels["rear"], (width / 2, 0.45 * high), room=width)
    return sketch.drawing()


def camp(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return a base edge with what the camp keeps away from, what it hides behind, and its best place.

    Labels: ``edge``, ``water``, ``road``, ``bad``, ``camp``, ``centre``.
    """
    high = (block.highest or 0.62 * width) - _strip(manner)
    sketch = Sketch(width, high + _strip(manner), manner)
    low = _strip(manner)
    water = _WATER
    sketch.hatched(width - water, low, water, high)
    sketch.line((width - water, low), (width - water, low + high))
    sketch.plate(block.labels["water"], (width - water / 2, low + high / 2))
    road = 0.78 * (width - water)
    for side in (-0.9, 0.9):
        sketch.line((road + side, low + high), (road + side, low))
    sketch.plate(block.labels["road"], (road, low + 0.72 * high))
    middle = width / 2
    sketch.line((middle, low), (middle, low + high), weight="fine", dashed=True)
    bad = 0.31 * (width - water)
    deep = 0.24 * high
    sketch.hatched(bad - 8.5, low + 0.50 * high, 17.0, deep)
    sketch.oblong(bad - 8.5, low + 0.50 * high, 17.0, deep)
    sketch.plate(block.labels["bad"], (bad, low + 0.62 * high))
    sketch.element(bad + 4.0, low + 0.14 * high, 9.0, 0.24 * high)
    sketch.words(block.labels["camp"], (bad + 4.0, low + 0.14 * high), room=8.6)
    sketch.arrow((bad + 9.0, low + 0.14 * high), (middle - 0.4, low + 0.14 * high))
    sketch.words(block.labels["centre"], (middle - 1.0, low + 0.93 * high), anchor=Anchor.END)
    sketch.oblong(0.0, low, width, high, weight="strong")
    sketch.words(block.labels["edge"], (width / 2, 0.45 * low), room=width)
    return sketch.drawing()


def shore(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the board with its centre line and shore, and where bad going and YOUR camp count.

    Labels: ``npg``, ``you``, ``water``, ``line``, ``here``, ``camp``. Numbers in paces: ``board``, ``along`` from the
    centre line, ``inland`` from the shore, ``camp``.
    """
    rim = _strip(manner)
    side = min(width - 2.0, (block.highest or 1000.0) - 2 * rim)
    sketch = Sketch(width, side + 2 * rim, manner)
    x, y = (width - side) / 2, rim
    pace = side / block.numbers["board"]
    water = 0.16 * side
    shoreline = x + side - water
    inland, along = block.numbers["inland"] * pace, block.numbers["along"] * pace
    sketch.hatched(shoreline, y, water, side)
    sketch.line((shoreline, y), (shoreline, y + side))
    sketch.shaded(shoreline - inland, y + side / 2 - along, inland, 2 * along)
    sketch.oblong(shoreline - inland, y + side / 2 - along, inland, 2 * along, weight="fine")
    reach = block.numbers["camp"] * pace
    sketch.line((shoreline - reach, y + 0.70 * side), (shoreline - reach, y + side), weight="fine", dashed=True)
    sketch.words(block.labels["camp"], (shoreline - reach / 2, y + 0.88 * side), room=reach - 1)
    sketch.words(block.labels["camp-note"], (shoreline - reach - 1.0, y + 0.88 * side), anchor=Anchor.END)
    sketch.line((x, y + side / 2), (shoreline - inland, y + side / 2), dashed=True)
    sketch.words(block.labels["line"], (x + 1.5, y + side / 2 + 0.45 * rim), anchor=Anchor.START)
    sketch.rows(block.labels["here"], (shoreline - inland / 2, y + side / 2), room=inland - 0.6)
    sketch.plate(block.labels["water"], (x + side - water / 2, y + 0.2 * side))
    sketch.oblong(x, y, side, side, weight="strong")
    sketch.words(block.labels["you"], (width / 2, y + side + 0.55 * rim), room=width)
    sketch.words(block.labels["npg"], (width / 2, 0.45 * rim), room=width)
    return sketch.drawing()


def places(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return the places of groups in the zone of the NPG, who looks up the page.

    Labels: ``left``, ``centre``, ``right``, ``reserve``, ``front``, ``edge``.
    """
    high = _strip(manner)
    deep = 3.4 * high
    sketch = Sketch(width, deep + 2 * high, manner)
    low = high
    quarter = width / 4
    for name, left, wide in (("left", 0.0, quarter), ("right", 3 * quarter, quarter)):
        sketch.oblong(left, low, wide, deep, weight="fine")
        sketch.rows(block.labels[name], (left + wide / 2, low + deep / 2), room=wide - 1)
    sketch.shaded(quarter, low + 0.62 * deep, 2 * quarter, 0.38 * deep)
    sketch.oblong(quarter, low + 0.62 * deep, 2 * quarter, 0.38 * deep)
    sketch.words(block.labels["centre"], (width / 2, low + 0.81 * deep), room=2 * quarter - 1)
    sketch.line((quarter, low + 0.30 * deep), (3 * quarter, low + 0.30 * deep), dashed=True)
    sketch.words(block.labels["reserve"], (width / 2, low + 0.45 * deep), room=2 * quarter - 1)
    sketch.oblong(0.0, low, width, deep, weight="strong")
    sketch.words(block.labels["front"], (width / 2, low + deep + 0.5 * high), room=width)
    sketch.words(block.labels["edge"], (width / 2, 0.45 * high), room=width)
    return sketch.drawing()


def _strip(manner: Manner) -> float:
    return _STRIP * manner.size / 2.82
