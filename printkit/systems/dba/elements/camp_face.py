"""A camp as a square: a dashed border, three tents in its rear half, and its name along the rear."""

from __future__ import annotations

import math
from typing import Final

from shapely import box
from shapely.affinity import rotate

from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Cap, Font, Item, Join, Stroke
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import Hand, least_size, line, shrunk
from printkit.systems.dba.elements.element_face import ground_ink, side_ink
from printkit.systems.dba.elements.troop_symbols import symbol

_TENT: Final = 0.24
_TENTS: Final = ((-0.3, 0.08), (0.0, 0.14), (0.3, 0.08))
_NAME: Final = 0.075
_FROM_REAR: Final = 0.40
_DASH: Final = (0.05, 0.025)
_LINE: Final = 0.010
_LEAST: Final = 0.18


def camp_face(
    said: str, side: str, x: float, y: float, size: float, style: Style, *, facing: float = 90.0
) -> list[Item]:
    """Return a camp drawn about its middle.

    Args:
        said: its name.
        side: ``NPG`` or ``YOU``.
        x: of the middle, in mm.
        y: of the middle, in mm.
        size: its side in mm.
        style: inks.
        facing: where the enemy is, degrees anticlockwise from the right; 90 is up.
    """
    width = max(_LINE * size * style.line_factor, _LEAST)
    dash = tuple(share * size for share in _DASH)
    stroke = Stroke(side_ink(side, style), width, dash, cap=Cap.BUTT, join=Join.MITRE)
    half = (size - width) / 2
    ground = rotate(box(x - size / 2, y - size / 2, x + size / 2, y + size / 2), facing - 90.0, origin=(x, y))
    border = rotate(box(x - half, y - half, x + half, y + half), facing - 90.0, origin=(x, y))
    items: list[Item] = [*fill(ground, ground_ink(side, style)), *outline(border.exterior, stroke)]
    ahead_x, ahead_y = _unit(facing)
    along_x, along_y = _unit(facing - 90.0)
    for along, back in _TENTS:
        at_x, at_y = x + size * (along * along_x - back * ahead_x), y + size * (along * along_y - back * ahead_y)
        items += symbol("CF", at_x, at_y, _TENT * size, style.solid("ink"), style.solid("halo"))
    points = max(_NAME * size / MM_PER_POINT, least_size(Font.BANNER))
    hand = shrunk(said, Hand(font=Font.BANNER, size_pt=points, ink=style.solid("ink")), 0.9 * size)
    angle = 90.0 if round(facing) % 180 == 0 else 0.0
    up_x, up_y = _unit(angle + 90.0)
    low = 0.36 * hand.height
    foot = (x - _FROM_REAR * size * ahead_x - up_x * low, y - _FROM_REAR * size * ahead_y - up_y * low)
    return [*items, *line(said, foot, hand, anchor=Anchor.MIDDLE, angle=angle)]


def _unit(degrees: float) -> tuple[float, float]:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
