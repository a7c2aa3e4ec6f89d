"""Strips of large tilled fields, with grassy balks between them and headlands at both ends.

Source: the cartography, 10.7.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.lines.course_lines import on_layer, stroke_shape
from printkit.drawing.signs.lines.wet_plants import Tufts

LARGE: Final = 9000.0  # Least area of a tilled field with strips, in mm² at 1:1

_WIDTH: Final = 44.0
_MOST: Final = 5
_UNEVEN: Final = 0.16
_BALK: Final = 1.8
_HEADLAND: Final = 7.0
_BEFORE_HEADLAND: Final = 1.2
_SPARE: Final = 20.0
_SLIVER: Final = 1.2
_STEPS: Final = 13
_BALK_ALPHA: Final = 0.45
_DARKER: Final = 0.07
_TUFTS: Final = (6.5, 1.5)


class TilledStrips(Struct, frozen=True):
    """The parts of a large field, in printed mm.

    Attributes:
        strips: the long narrow strips that are tilled, side by side.
        balks: the untilled ground between them.
        headlands: the ground at both ends where the teams turn.
    """

    strips: tuple[BaseGeometry, ...]
    balks: BaseGeometry
    headlands: tuple[BaseGeometry, ...]


def divide_into_strips(
    ground: BaseGeometry, angle: float, bend: float, context: SymbolContext, stream: Stream
) -> TilledStrips | None:
    """Return the long narrow strips in which a field is tilled, or None if it is too small for strips.

    There are two to five strips; a field needs 9000 mm² at 1:1. Parts may be empty.

    Args:
        ground: the field in printed mm.
        angle: direction of its rows in radians, anticlockwise.
        bend: sideways shift between the two ends of a row, as a share of its length. Balks have the same bend.
        context: gives the scale.
        stream: random stream for the widths of the strips.
    """
    unit = context.size(1.0)
    if ground.area < LARGE * unit**2:
        return None
    centre = ground.centroid
    rotated_field = affinity.rotate(ground, -angle, origin=centre, use_radians=True)
    left, low, right, high = rotated_field.bounds
    count = max(2, min(_MOST, round((high - low) / (_WIDTH * unit))))
    swing, middle, long = bend * (right - left) / 2, (left + right) / 2, right - left
    x = np.linspace(left - _SPARE * unit, right + _SPARE * unit, _STEPS)
    bow = swing * exact_math.sin(math.pi * np.clip(x - middle, -long / 2, long / 2) / long)

    def make_strip(bottom: float, top: float) -> Polygon:
        """Return the bent strip between two heights in the rotated field, in printed mm."""
        return Polygon(np.vstack([np.column_stack([x, bottom + bow]), np.column_stack([x, top + bow])[::-1]]))

    def rotate_back(shape: BaseGeometry) -> BaseGeometry:
        """Return a shape of the rotated field in printed mm, turned back to the direction of the rows."""
        return affinity.rotate(shape, angle, origin=centre, use_radians=True)

    cuts = [low + (high - low) * (k + stream.between(-_UNEVEN, _UNEVEN)) / count for k in range(1, count)]
    edges = [low - _SPARE * unit, *cuts, high + _SPARE * unit]
    half, head = _BALK / 2 * unit, _HEADLAND * unit
    # Remove ground within a headland of either end, measured along the rows, also where the ends slant.
    body = shapely.intersection(
        _shift_ground(rotated_field, head), shapely.intersection(rotated_field, _shift_ground(rotated_field, -head))
    )
    turning = head - _BEFORE_HEADLAND * unit
    return TilledStrips(
        strips=tuple(
            rotate_back(shapely.intersection(body, make_strip(bottom + half, top - half)))
            for bottom, top in pairwise(edges)
        ),
        balks=rotate_back(
            shapely.intersection(body, shapely.union_all([make_strip(cut - half, cut + half) for cut in cuts]))
        ),
        headlands=tuple(
            rotate_back(_remove_slivers(shapely.difference(rotated_field, _shift_ground(rotated_field, shift)), unit))
            for shift in (turning, -turning)
        ),
    )


def _shift_ground(ground: BaseGeometry, shift: float) -> BaseGeometry:
    """Return ground moved ``shift`` printed mm along x."""
    return affinity.translate(ground, shift, 0.0)


def _remove_slivers(ground: BaseGeometry, unit: float) -> BaseGeometry:
    """Return ground without the slivers along sides that are not quite parallel to the rows.

    ``ground`` is in printed mm, and ``unit`` is printed mm per mm at 1:1.
    """
    return ground.buffer(-_SLIVER * unit, join_style="mitre").buffer(_SLIVER * unit, join_style="mitre")


def draw_balks(
    field_strips: TilledStrips, label_area: BaseGeometry, ink: str, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Draw every second strip a little darker, and the balks with a few tufts of grass clear of labels.

    Yields (layer, item) pairs.

    Args:
        field_strips: the strips and balks of the field.
        label_area: boxes of labels, in printed mm.
        ink: name of the ink that darkens the strips.
        context: gives the style and sizes.
        stream: random stream for the tufts.
    """
    if context.style.washes:
        yield from on_layer(LayerName.FIELD, fill(list(field_strips.strips[1::2]), context.tint(ink, _DARKER)))
        yield from on_layer(LayerName.FIELD, fill(field_strips.balks, context.tint("pasture", _BALK_ALPHA)))
    spacing, height = (context.size(mm) for mm in _TUFTS)
    points = poisson_points(field_strips.balks.buffer(-context.size(_BALK) * 0.3), spacing, stream, avoid=label_area)
    tufts = Tufts.at(points.tolist(), height, 3, stream)
    yield from on_layer(LayerName.FIELD, stroke_shape(tufts.blades, context, "pasture-tuft", 0.26))
