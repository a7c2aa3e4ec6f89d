"""Woods: heavy ones as a closed roof of crowns, light ones as trees standing apart on washed ground.

Source: the cartography, 10.3, and 20.7 for the depth of heavy woods.
"""

from __future__ import annotations

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
from printkit.drawing.signs.courses import bands
from printkit.drawing.washes import wash
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Area, Kind

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
_UNDERSTOREY_SPACING: Final = 0.8
_LABEL_ROOM: Final = 0.8
_BESIDE_WAYS: Final = 1.5
_NOBODY: Final = np.zeros((0, 2))


def heavy_woods(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a heavy wood: dark floor, crowns that touch. A way through it is lined by an edge of its own."""
    ground = shapely.difference(area.outline, ways(field, pen))
    yield from forest(ground, pen.size(_HEAVY_RADIUS), pen, pen.stream(f"draw/{area.id}/trees"))


def ways(field: Battlefield, pen: Pen) -> BaseGeometry:
    """Return the ground of roads and rivers and a little beside them, which trees leave open."""
    return bands(field, Kind.ROAD, Kind.RIVER, spare=pen.size(_BESIDE_WAYS))


def forest(area: BaseGeometry, radius: float, pen: Pen, stream: Stream) -> Laid:
    """Draw closed woods of crowns of about ``radius`` printed mm on any ground."""
    style = pen.style
    floor, dark = style.ink("heavy-woods"), style.ink("heavy-woods-dark")
    if floor is not None and dark is not None and style.washes:
        for path in fill(area.buffer(-0.55 * radius), floor.towards(dark, 0.45)):
            yield LayerName.WOOD_FLOOR, path
        for path in fill(area.buffer(-1.6 * radius), floor.thin(0.35)):
            yield LayerName.WOOD_FLOOR, path
    lower, upper = roof(area, radius, pen, stream)
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
    stand = grove(area.outline, pen.size(_LIGHT_RADIUS), pen, pen.stream(f"draw/{area.id}/trees"))
    stand = clear_of(ways(field, pen), stand, radii=1.0)
    yield from shadows(stand, pen)
    yield from crowns(stand, pen)


def roof(area: BaseGeometry, radius: float, pen: Pen, stream: Stream) -> tuple[list[Tree], list[Tree]]:
    """Return a closed stand of crowns as its lower and its upper storey; the lower is painted first.

    A row of trees makes the edge plain to the eye. A style that hatches leaves out what would stand under a label.

    Args:
        area: no crown's middle lies outside it.
        radius: of a usual crown in printed mm. One in ten is larger, and the lower storey smaller.
    """
    row = edge_row(area, _EDGE_INSET * radius, _HEAVY_SPACING * _EDGE_STEP * radius, stream)
    inner = planted(area.buffer(-_EDGE_INSET * radius), _HEAVY_SPACING * radius, stream, kept=row)
    places = np.vstack([row, inner])
    great = np.where(stream.array(len(inner)) < _GREAT_SHARE, _GREAT, 1.0)
    sizes = _sizes(len(places), radius, stream) * np.concatenate([np.ones(len(row)), great])
    upper = grown(places, sizes.tolist(), "crown", stream)
    gaps = shapely.difference(
        area.buffer(-0.9 * radius), shapely.union_all(shapely.buffer(shapely.points(places), _COVERED * radius))
    )
    under = planted(gaps, _UNDERSTOREY_SPACING * radius, stream)
    low, high = _UNDERSTOREY
    lower = grown(under, (radius * (low + (high - low) * stream.array(len(under)))).tolist(), "crown", stream)
    if pen.style.hatched:
        return clear_of(pen.clear, lower, radii=_LABEL_ROOM), clear_of(pen.clear, upper, radii=_LABEL_ROOM)
    return lower, upper


def grove(
    area: BaseGeometry,
    radius: float,
    pen: Pen,
    stream: Stream,
    *,
    spacing: float = _LIGHT_SPACING,
    edge: bool = True,
) -> list[Tree]:
    """Return trees that stand ``spacing`` radii apart, none under a label; with ``edge`` a row of them along it.

    Without that row their middles may lie anywhere in the area.
    """
    row = edge_row(area, _EDGE_INSET * radius, spacing * _EDGE_STEP * radius, stream) if edge else _NOBODY
    room = area.buffer(-_EDGE_INSET * radius) if edge else area
    places = np.vstack([row, planted(room, spacing * radius, stream, kept=row)])
    stand = grown(places, _sizes(len(places), radius, stream).tolist(), "light-crown", stream)
    return clear_of(pen.clear, stand, radii=_LABEL_ROOM)


def clear_of(ground: BaseGeometry, stand: list[Tree], *, radii: float) -> list[Tree]:
    """Return the trees whose middles keep so many of their radii from some ground."""
    if not stand or ground.is_empty:
        return stand
    away = shapely.distance(shapely.points([(tree.x, tree.y) for tree in stand]), ground)
    return [tree for tree, apart in zip(stand, away.tolist(), strict=True) if apart > radii * tree.radius]


def _sizes(count: int, radius: float, stream: Stream) -> Line:
    return np.asarray(radius * (1 - _SPREAD + 2 * _SPREAD * stream.array(count)))
