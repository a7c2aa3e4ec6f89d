"""Woods: heavy ones as a closed roof of crowns, light ones as trees standing apart on washed ground.

Source: the cartography, 10.3, and 20.7 for the depth of heavy woods.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.crowns import Tree, crowns, grown, shadows
from printkit.drawing.items import Laid, LayerName
from printkit.drawing.pen import LEAST_MEANING, Pen
from printkit.drawing.planting import edge_row, planted
from printkit.drawing.shapes import Line, dots, fill, outline
from printkit.drawing.washes import wash
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Area

_HEAVY_RADIUS: Final = 5.8
_LIGHT_RADIUS: Final = 5.4
_SPREAD: Final = 0.18
_HEAVY_SPACING: Final = 1.36
_LIGHT_SPACING: Final = 2.75
_EDGE_INSET: Final = 0.85
_EDGE_STEP: Final = 0.98
_GREAT_SHARE: Final = 0.10
_GREAT: Final = 1.35
_COVERED: Final = 0.98
_UNDERSTOREY: Final = (0.55, 0.68)
_LABEL_ROOM: Final = 0.45


def heavy_woods(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a heavy wood: dark floor, crowns that touch. Nothing but shadows leaves its outline by more than a leaf."""
    radius, style = pen.size(_HEAVY_RADIUS), pen.style
    floor, dark = style.ink("heavy-woods"), style.ink("heavy-woods-dark")
    if floor is not None and dark is not None and style.washes:
        ground = area.outline.buffer(-0.55 * radius)
        for path in fill(ground, floor.towards(dark, 0.45)) + fill(
            area.outline.buffer(-1.6 * radius), floor.thin(0.35)
        ):
            yield LayerName.WOOD_FLOOR, path
    room = area.outline if style.washes else shapely.difference(area.outline, pen.clear)
    lower, upper = roof(room, radius, pen.stream(f"draw/{area.id}/trees"))
    yield from shadows(lower + upper, pen)
    yield from crowns(lower, pen)
    yield from crowns(upper, pen)


def light_woods(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a light wood: washed ground in a dotted edge, undergrowth as dots, trees well apart."""
    style = pen.style
    for path in wash(area.outline, style.ink("light-woods"), style.ink("light-woods-wash-edge"), pen):
        yield LayerName.WOOD_FLOOR, path
    edge = pen.stroke(style.solid("light-woods-edge"), 0.50, dash=(0.01, 2.0), least=LEAST_MEANING)
    for path in outline(area.outline, edge):
        yield LayerName.WOOD_FLOOR, path
    stream = pen.stream(f"draw/{area.id}/undergrowth")
    undergrowth = planted(area.outline.buffer(-pen.size(1.5)), pen.size(4.2), stream, avoid=pen.clear)
    sizes = pen.size(0.18) + pen.size(0.18) * stream.array(len(undergrowth))
    for path in dots(undergrowth, sizes, pen.tint("light-woods-edge", 0.75)):
        yield LayerName.WOOD_FLOOR, path
    stand = grove(area.outline, pen.size(_LIGHT_RADIUS), pen.clear, pen.stream(f"draw/{area.id}/trees"))
    yield from shadows(stand, pen)
    yield from crowns(stand, pen)


def roof(area: BaseGeometry, radius: float, stream: Stream, *, edge: bool = True) -> tuple[list[Tree], list[Tree]]:
    """Return a closed stand of crowns as its lower and its upper storey; the lower is painted first.

    Args:
        area: no crown's middle lies outside it.
        radius: of a usual crown in printed mm. One in ten is larger, and the lower storey smaller.
        edge: a row of trees along the edge, which makes it plain to the eye.
    """
    row = edge_row(area, _EDGE_INSET * radius, _HEAVY_SPACING * _EDGE_STEP * radius, stream)
    row = row if edge else row[:0]
    inner = planted(area.buffer(-_EDGE_INSET * radius), _HEAVY_SPACING * radius, stream, kept=row)
    great = np.where(stream.array(len(inner)) < _GREAT_SHARE, _GREAT, 1.0)
    places = np.vstack([row, inner])
    sizes = _sizes(len(places), radius, stream) * np.concatenate([np.ones(len(row)), great])
    upper = grown(places, sizes.tolist(), "crown", stream)
    gaps = planted(area.buffer(-0.9 * radius), 0.8 * radius, stream)
    bare = _farther(gaps, places, _COVERED * radius)
    low, high = _UNDERSTOREY
    lower = grown(bare, (radius * (low + (high - low) * stream.array(len(bare)))).tolist(), "crown", stream)
    return lower, upper


def grove(
    area: BaseGeometry, radius: float, clear: BaseGeometry, stream: Stream, *, spacing: float = _LIGHT_SPACING
) -> list[Tree]:
    """Return trees that stand ``spacing`` radii apart, a row of them along the edge, none over ``clear`` ground."""
    row = edge_row(area, _EDGE_INSET * radius, spacing * _EDGE_STEP * radius, stream)
    places = np.vstack([row, planted(area.buffer(-_EDGE_INSET * radius), spacing * radius, stream, kept=row)])
    sizes = _sizes(len(places), radius, stream)
    stand = grown(places, sizes.tolist(), "light-crown", stream)
    return [tree for tree in stand if not clear.dwithin(shapely.Point(tree.x, tree.y), _LABEL_ROOM * radius)]


def _sizes(count: int, radius: float, stream: Stream) -> Line:
    return np.asarray(radius * (1 - _SPREAD + 2 * _SPREAD * stream.array(count)))


def _farther(places: Line, standing: Line, distance: float) -> Line:
    """Return the places that lie farther than ``distance`` from all that stand."""
    if not len(places) or not len(standing):
        return places
    tree = shapely.STRtree(shapely.points(standing))
    near, _ = tree.query(shapely.points(places), predicate="dwithin", distance=distance)
    return np.delete(places, np.unique(near), axis=0)
