"""Bounds of items, which writers and tiling use for culling, and positions of texts.

Bounds are never too small. Bounds of text are slightly too large.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import (
    GRID,
    Affine,
    Anchor,
    Cap,
    Font,
    Item,
    Join,
    Path,
    PathRun,
    Picture,
    Rect,
    Stamp,
    Stroke,
    Text,
)
from printkit.drawing.lettering.typefaces import advances

# Units of the display list grid in a millimetre.
PER_MM: Final = 100

# The maximum length of a mitred corner, in line widths; longer corners are bevelled. This is the default of PDF.
MITRE_LIMIT: Final = 10.0

# No letter extends farther from its left foot than this, in type sizes.
_TALLEST: Final = 1.2


class Extent(NamedTuple):
    """Bounds on the grid of 0.01 printed mm."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: Extent) -> bool:
        """Return whether the two boxes share a point; touching sides count."""
        return self[0] <= other[2] and other[0] <= self[2] and self[1] <= other[3] and other[1] <= self[3]

    def apply_transform(self, place: Affine) -> Extent:
        """Return the bounds, in units of 0.01 mm, of the box after a transform.

        The shift of the transform is in mm. The result is the axis-parallel box around the four transformed corners.
        """
        a, b, c, d, e, f = place
        left, bottom, right, top = self
        e, f = e * PER_MM, f * PER_MM
        # Rounding is monotonic: the minimum over the corners is the sum of the smallest terms.
        x0, x1, x2, x3 = a * left, a * right, c * bottom, c * top
        y0, y1, y2, y3 = b * left, b * right, d * bottom, d * top
        return Extent(
            min(x0, x1) + min(x2, x3) + e,
            min(y0, y1) + min(y2, y3) + f,
            max(x0, x1) + max(x2, x3) + e,
            max(y0, y1) + max(y2, y3) + f,
        )


def box_of(rect: Rect) -> Extent:
    """Return the bounds, in units of 0.01 mm, of a rectangle in mm."""
    return Extent(rect.x * PER_MM, rect.y * PER_MM, rect.right * PER_MM, rect.top * PER_MM)


def bounds_of(clip: Rect | PathRun) -> Rect:
    """Return the bounding rectangle of a clip in mm; a run has its points in units of 0.01 mm."""
    if isinstance(clip, Rect):
        return clip
    x_values, y_values = clip.points[::2], clip.points[1::2]
    left, low = min(x_values) * GRID, min(y_values) * GRID
    return Rect(left, low, max(x_values) * GRID - left, max(y_values) * GRID - low)


def window_of(clip: Rect, transform: Affine) -> Extent:
    """Return the part of a drawing, in units of 0.01 mm, that is visible through a clip on the page.

    The clip is in mm on the page. ``transform`` maps mm of the drawing to mm of the page.

    Raises:
        ZeroDivisionError: the transform has no inverse.
    """
    a, b, c, d, e, f = transform
    area = a * d - b * c
    inverse = Affine(d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)
    return box_of(clip).apply_transform(inverse)


def union_extents(boxes: Iterable[Extent]) -> Extent:
    """Return the bounds of one or more boxes, in units of 0.01 mm; raises ValueError without boxes."""
    left, bottom, right, top = zip(*boxes, strict=True)
    return Extent(min(left), min(bottom), max(right), max(top))


def extents(item: Item, artwork_extents: dict[int, list[Extent]] | None = None) -> list[Extent]:
    """Return the bounds of an item in units of 0.01 mm: one box, or one for each place of a stamp.

    The list is empty for an empty item. ``artwork_extents`` caches the bounds of artworks by identity; use it only
    while the items exist.
    """
    (boxes,) = extents_of((item,), artwork_extents)
    return boxes


def extents_of(items: Iterable[Item], artwork_extents: dict[int, list[Extent]] | None = None) -> list[list[Extent]]:
    """Return the bounds of each item in units of 0.01 mm, one list of boxes for each item.

    An artwork used by several stamps is measured once; ``artwork_extents`` caches its bounds by identity.
    """
    # Cache artworks by identity, because comparing them takes as long as measuring them.
    artwork_extents = {} if artwork_extents is None else artwork_extents

    def bounds(item: Item) -> list[Extent]:
        """Return the bounds of one item in units of 0.01 mm; an empty list for an empty item.

        A stamp has a box for each of its places. Paths without fill and stroke and texts of spaces count as empty.
        """
        match item:
            case Path():
                return [path_extent(item)] if item.runs and (item.fill or item.stroke) else []
            case Text():
                return [text_extent(item)] if item.content.strip() else []
            case Stamp():
                artwork_boxes = artwork_extents.get(id(item.artwork))
                if artwork_boxes is None:
                    part_boxes = [box for path in item.artwork.paths for box in bounds(path)]
                    part_boxes += [box_of(picture.frame) for picture in item.artwork.pictures]
                    artwork_boxes = artwork_extents[id(item.artwork)] = (
                        [union_extents(part_boxes)] if part_boxes else []
                    )
                return [box.apply_transform(place) for box in artwork_boxes for place in item.places]
            case Picture():
                return [box_of(item.frame)]
            case _:
                assert_never(item)

    return [bounds(item) for item in items]


def path_extent(path: Path) -> Extent:
    """Return the bounds of a path with points and of its stroke, in units of 0.01 mm."""
    reach = 0.0 if path.stroke is None else stroke_reach(path.stroke) * PER_MM
    x_values = [run.points[::2] for run in path.runs]
    y_values = [run.points[1::2] for run in path.runs]
    return Extent(
        min(map(min, x_values)) - reach,
        min(map(min, y_values)) - reach,
        max(map(max, x_values)) + reach,
        max(map(max, y_values)) + reach,
    )


def stroke_reach(stroke: Stroke) -> float:
    """Return the maximum distance of a stroke from its line, in printed mm.

    It is half the width, more for square ends, and 10 times that for mitred corners.
    """
    if stroke.join is Join.MITRE:
        return stroke.width / 2 * MITRE_LIMIT
    return stroke.width / 2 * (math.sqrt(2) if stroke.cap is Cap.SQUARE else 1.0)


def text_extent(text: Text) -> Extent:
    """Return bounds, in units of 0.01 mm, that contain all letters of a text and its halo."""
    spread = text.size_pt * MM_PER_POINT * _TALLEST + (text.halo.width if text.halo else 0.0)
    if text.glyphs:
        x_values, y_values, _ = zip(*text.glyphs, strict=True)
        left, low, right, high = min(x_values), min(y_values), max(x_values), max(y_values)
    else:
        (x, y), reach, turn = text_foot(text), text_length(text), math.radians(text.angle)
        end_x, end_y = x + reach * math.cos(turn), y + reach * math.sin(turn)
        left, low, right, high = min(x, end_x), min(y, end_y), max(x, end_x), max(y, end_y)
    return box_of(Rect(left, low, right - left, high - low).padded(spread))


def text_foot(text: Text) -> tuple[float, float]:
    """Return x and y of the start of the baseline of a straight text, in printed mm."""
    if text.anchor is Anchor.START:
        return text.at
    share = 0.5 if text.anchor is Anchor.MIDDLE else 1.0
    back, turn = share * text_length(text), math.radians(text.angle)
    return text.at[0] - back * math.cos(turn), text.at[1] - back * math.sin(turn)


def text_length(text: Text) -> float:
    """Return the length of a straight text in printed mm, with tracking between its letters."""
    untracked_mm = 0.001 * _measure_thousandths(text.font, text.content) * text.size_pt * MM_PER_POINT
    return untracked_mm + text.track * max(len(text.content) - 1, 0)


@lru_cache(maxsize=1024)
def _measure_thousandths(font: Font, content: str) -> float:
    """Return the length of a text in thousandths of its type size; cached for repeated use."""
    return 1000 * plain_sum(advances(font).steps(content))
