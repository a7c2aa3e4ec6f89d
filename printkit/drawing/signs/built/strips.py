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
from printkit.core import elementary
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.lines.course_lines import on, stroke_shape
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
    """The parts of a large field.

    Attributes:
        strips: the strips, side by side.
        balks: the balks between them.
        headlands: the ground at both ends where the teams turn.
    """

    strips: tuple[BaseGeometry, ...]
    balks: BaseGeometry
    headlands: tuple[BaseGeometry, ...]


def in_strips(
    ground: BaseGeometry, angle: float, bend: float, context: SymbolContext, stream: Stream
) -> TilledStrips | None:
    """Return the strips of a field, or None if it is too small for strips.

    Args:
        ground: the field in printed mm.
        angle: direction of its rows in radians.
        bend: sideways shift between the two ends of a row, as a share of its length. Balks have the same bend.
        context: gives the scale.
        stream: random stream for the widths of the strips.
    """
    unit = context.size(1.0)
    if ground.area < LARGE * unit**2:
        return None
    at = ground.centroid
    level = affinity.rotate(ground, -angle, origin=at, use_radians=True)
    left, low, right, high = level.bounds
    count = max(2, min(_MOST, round((high - low) / (_WIDTH * unit))))
    swing, middle, long = bend * (right - left) / 2, (left + right) / 2, right - left
    x = np.linspace(left - _SPARE * unit, right + _SPARE * unit, _STEPS)
    bow = swing * elementary.sin(math.pi * np.clip(x - middle, -long / 2, long / 2) / long)

    def between(bottom: float, top: float) -> Polygon:
        return Polygon(np.vstack([np.column_stack([x, bottom + bow]), np.column_stack([x, top + bow])[::-1]]))

    def back(shape: BaseGeometry) -> BaseGeometry:
        return affinity.rotate(shape, angle, origin=at, use_radians=True)

    cuts = [low + (high - low) * (k + stream.between(-_UNEVEN, _UNEVEN)) / count for k in range(1, count)]
    edges = [low - _SPARE * unit, *cuts, high + _SPARE * unit]
    half, head = _BALK / 2 * unit, _HEADLAND * unit
    # Remove ground within a headland of either end, measured along the rows, also where the ends slant.
    body = shapely.intersection(_moved(level, head), shapely.intersection(level, _moved(level, -head)))
    turning = head - _BEFORE_HEADLAND * unit
    return TilledStrips(
        strips=tuple(
            back(shapely.intersection(body, between(bottom + half, top - half))) for bottom, top in pairwise(edges)
        ),
        balks=back(shapely.intersection(body, shapely.union_all([between(cut - half, cut + half) for cut in cuts]))),
        headlands=tuple(
            back(_opened(shapely.difference(level, _moved(level, by)), unit)) for by in (turning, -turning)
        ),
    )


def _moved(ground: BaseGeometry, by: float) -> BaseGeometry:
    return affinity.translate(ground, by, 0.0)


def _opened(ground: BaseGeometry, unit: float) -> BaseGeometry:
    """Return ground without the slivers along sides that are not quite parallel to the rows."""
    return ground.buffer(-_SLIVER * unit, join_style="mitre").buffer(_SLIVER * unit, join_style="mitre")


def draw_balks(
    found: TilledStrips, clear: BaseGeometry, ink: str, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Draw every second strip a little darker, and the grass of the balks with a few tufts clear of labels."""
    if context.style.washes:
        yield from on(LayerName.FIELD, fill(list(found.strips[1::2]), context.tint(ink, _DARKER)))
        yield from on(LayerName.FIELD, fill(found.balks, context.tint("pasture", _BALK_ALPHA)))
    apart, height = (context.size(mm) for mm in _TUFTS)
    places = poisson_points(found.balks.buffer(-context.size(_BALK) * 0.3), apart, stream, avoid=clear)
    tufts = Tufts.at(places.tolist(), height, 3, stream)
    yield from on(LayerName.FIELD, stroke_shape(tufts.blades, context, "pasture-tuft", 0.26))
