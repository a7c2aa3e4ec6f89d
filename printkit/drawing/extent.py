"""How far items reach: the bounds that writers and tiling cull by, and where a text stands.

Bounds never are too small; of type they are somewhat too large.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from printkit.drawing.items import GRID, Affine, Anchor, Cap, Item, Join, Path, Rect, Run, Stamp, Stroke, Text
from printkit.drawing.typefaces import typeface
from printkit.units import MM_PER_POINT

PER_MM: Final = 100
"""Units of the display list's grid a millimetre."""

MITRE_LIMIT: Final = 10.0
"""How many widths of its line a mitred corner may be long; beyond that it is cut off. The default of PDF."""

_TALLEST: Final = 1.2
"""No letter reaches farther from its foot than this share of the size."""


class Box(NamedTuple):
    """Bounds on the grid of 0.01 mm."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: Box) -> bool:
        """Return whether the two have a point in common."""
        return self[0] <= other[2] and other[0] <= self[2] and self[1] <= other[3] and other[1] <= self[3]

    def moved(self, place: Affine) -> Box:
        """Return the bounds of the box after a transform in mm."""
        a, b, c, d, e, f = place
        across = [a * x + c * y + e * PER_MM for x in (self.left, self.right) for y in (self.bottom, self.top)]
        up = [b * x + d * y + f * PER_MM for x in (self.left, self.right) for y in (self.bottom, self.top)]
        return Box(min(across), min(up), max(across), max(up))


def box_of(rect: Rect) -> Box:
    """Return the bounds of a rectangle of millimetres."""
    return Box(rect.x * PER_MM, rect.y * PER_MM, rect.right * PER_MM, rect.top * PER_MM)


def bounds_of(clip: Rect | Run) -> Rect:
    """Return the rectangle about what a layer is cut to, in mm."""
    if isinstance(clip, Rect):
        return clip
    across, up = clip.points[::2], clip.points[1::2]
    left, low = min(across) * GRID, min(up) * GRID
    return Rect(left, low, max(across) * GRID - left, max(up) * GRID - low)


def window_of(clip: Rect, transform: Affine) -> Box:
    """Return the part of a drawing that a placement can show, from its clip on the page.

    Raises:
        ZeroDivisionError: the transform flattens the drawing.
    """
    a, b, c, d, e, f = transform
    area = a * d - b * c
    back = Affine(d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)
    return box_of(clip).moved(back)


def around(boxes: Iterable[Box]) -> Box:
    """Return the bounds of boxes, of which there is at least one."""
    left, bottom, right, top = zip(*boxes, strict=True)
    return Box(min(left), min(bottom), max(right), max(top))


def extents(item: Item) -> list[Box]:
    """Return the bounds of what an item draws: one box, or one a place of a stamp; none where it draws nothing."""
    match item:
        case Path():
            return [path_extent(item)] if item.runs and (item.fill or item.stroke) else []
        case Text():
            return [text_extent(item)] if item.content.strip() else []
        case Stamp():
            drawn = [box for path in item.artwork.paths for box in extents(path)]
            return [around(drawn).moved(place) for place in item.places] if drawn else []
        case _:
            assert_never(item)


def path_extent(path: Path) -> Box:
    """Return the bounds of a path that has points."""
    reach = 0.0 if path.stroke is None else stroke_reach(path.stroke) * PER_MM
    across = [run.points[::2] for run in path.runs]
    up = [run.points[1::2] for run in path.runs]
    return Box(
        min(map(min, across)) - reach,
        min(map(min, up)) - reach,
        max(map(max, across)) + reach,
        max(map(max, up)) + reach,
    )


def stroke_reach(stroke: Stroke) -> float:
    """Return how far from its line a stroke can draw, in mm."""
    if stroke.join is Join.MITRE:
        return stroke.width / 2 * MITRE_LIMIT
    return stroke.width / 2 * (math.sqrt(2) if stroke.cap is Cap.SQUARE else 1.0)


def text_extent(text: Text) -> Box:
    """Return bounds that no letter of a text, and no halo, reaches beyond."""
    spread = text.size_pt * MM_PER_POINT * _TALLEST + (text.halo.width if text.halo else 0.0)
    feet = [(x, y) for x, y, _ in text.glyphs]
    if not feet:
        (x, y), reach, turn = text_foot(text), text_length(text), math.radians(text.angle)
        feet = [(x, y), (x + reach * math.cos(turn), y + reach * math.sin(turn))]
    across, up = zip(*feet, strict=True)
    return box_of(Rect(min(across), min(up), max(across) - min(across), max(up) - min(up)).grown(spread))


def text_foot(text: Text) -> tuple[float, float]:
    """Return where the left foot of a straight text stands, in mm."""
    if text.anchor is Anchor.START:
        return text.at
    share = 0.5 if text.anchor is Anchor.MIDDLE else 1.0
    back, turn = share * text_length(text), math.radians(text.angle)
    return text.at[0] - back * math.cos(turn), text.at[1] - back * math.sin(turn)


def text_length(text: Text) -> float:
    """Return how long a straight text is, in mm; letter-spacing stands between letters, not after the last."""
    face = typeface(text.font).face
    widths, missing = face.charWidths, face.defaultWidth
    thousandths: float = sum([widths.get(ord(letter), missing) for letter in text.content])
    solid = 0.001 * thousandths * text.size_pt * MM_PER_POINT
    return solid + text.track * max(len(text.content) - 1, 0)
