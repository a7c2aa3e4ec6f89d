"""Clearing: an opening in a wood, good ground in the shade of its north-western edge. Source: the cartography, 10.3."""

from __future__ import annotations

from typing import Final

import shapely
from shapely import Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.items import Laid, LayerName
from printkit.drawing.pen import LEAST_MEANING, Pen
from printkit.drawing.planting import planted
from printkit.drawing.shapes import Line, fill, lines, painted
from printkit.drawing.signs.courses import on, ruled
from printkit.drawing.signs.wet import tuft
from printkit.drawing.signs.woods import ways
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Area

_SHADE: Final = 2.0
_SHADE_ALPHA: Final = 0.18
_FROM_EDGE: Final = 3.0
_TUFT_SPACING: Final = 7.5
_TUFT_HEIGHT: Final = 2.4
_STUMP: Final = 0.9
_RINGS: Final = 0.5
_STUMP_SPACING: Final = 15.0
_BESIDE_STUMP: Final = 2.6


def clearing(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a clearing; woods leave its ground open by themselves and keep a row of trees about it."""
    ground, style = area.outline, pen.style
    yield from on(LayerName.WOOD_FLOOR, fill(ground, style.ink("paper")))
    if style.shadows:
        moved = affinity.translate(ground, pen.size(_SHADE), -pen.size(_SHADE))
        shade = shapely.difference(ground, moved)
        yield from on(LayerName.WOOD_FLOOR, fill(shade, pen.tint("shadow", _SHADE_ALPHA)))
    bare = shapely.union_all([pen.clear, ways(field, pen)])
    stumps = _stumps(area, ground, bare, pen)
    room = shapely.difference(bare, Point()) if not stumps else shapely.union_all([bare, *stumps])
    yield from on(LayerName.WOOD_FLOOR, ruled(_grass(area, ground, room, pen), pen, "pasture-tuft", 0.32))
    edge = ruled(ground, pen, "light-woods-edge", 0.50, dash=(2.2, 1.5), least=LEAST_MEANING)
    yield from on(LayerName.WOOD_FLOOR, edge)
    line = pen.stroke(style.solid("timber"), 0.22)
    radius = pen.size(_STUMP)
    discs = [spot.centroid.buffer(radius, quad_segs=4) for spot in stumps]
    for disc in discs:
        yield from on(LayerName.WOOD_FLOOR, painted(disc, style.ink("timber-deck"), line))
    rings = [disc.centroid.buffer(_RINGS * radius, quad_segs=3).exterior for disc in discs]
    yield from on(LayerName.WOOD_FLOOR, ruled(rings, pen, "timber", 0.22))


def _stumps(area: Area, ground: BaseGeometry, bare: BaseGeometry, pen: Pen) -> list[BaseGeometry]:
    """Return the ground about every stump that grass leaves open."""
    stream = pen.stream(f"draw/{area.id}/stumps")
    room = ground.buffer(-pen.size(_FROM_EDGE + _STUMP))
    places = planted(room, pen.size(_STUMP_SPACING), stream, avoid=bare.buffer(pen.size(_STUMP)))
    return [Point(x, y).buffer(pen.size(_BESIDE_STUMP)) for x, y in places]


def _grass(area: Area, ground: BaseGeometry, bare: BaseGeometry, pen: Pen) -> list[Line]:
    stream = pen.stream(f"draw/{area.id}/grass")
    places = planted(ground.buffer(-pen.size(_FROM_EDGE)), pen.size(_TUFT_SPACING), stream, avoid=bare)
    return [blade for x, y in places for blade in tuft((x, y), pen.size(_TUFT_HEIGHT), 4, stream)]
