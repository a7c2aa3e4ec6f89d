"""Clearing: an opening in a wood, good ground in the shade of its north-western edge. Source: the cartography, 10.3."""

from __future__ import annotations

from typing import Final

import shapely
from shapely import Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.shapes import Line, circles, fill, painted
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.scatter.scatter import planted
from printkit.drawing.signs.cover.woods import ways
from printkit.drawing.signs.lines.course_lines import on, ruled
from printkit.drawing.signs.lines.wet_plants import Tufts
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

_SHADE: Final = 2.0
_SHADE_ALPHA: Final = 0.18
_FROM_EDGE: Final = 3.0
_TUFT_SPACING: Final = 7.5
_TUFT_HEIGHT: Final = 2.4
_STUMP: Final = 0.9
_RING: Final = 0.5
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
    stumps = _stumps(area, bare, pen)
    about = circles(stumps, pen.size(_BESIDE_STUMP))
    blades = _grass(area, shapely.union_all([bare, *about]), pen)
    yield from on(LayerName.WOOD_FLOOR, ruled(blades, pen, "pasture-tuft", 0.32))
    edge = ruled(ground, pen, "light-woods-edge", 0.50, dash=(2.2, 1.5), least=LEAST_MEANING)
    yield from on(LayerName.WOOD_FLOOR, edge)
    line = pen.stroke(style.solid("timber"), 0.22)
    for x, y in stumps:
        for share in (1.0, _RING):
            disc = Point(x, y).buffer(share * pen.size(_STUMP), quad_segs=4)
            yield from on(LayerName.WOOD_FLOOR, painted(disc, style.ink("timber-deck"), line))


def _stumps(area: Area, bare: BaseGeometry, pen: Pen) -> Line:
    stream = pen.stream(f"draw/{area.id}/stumps")
    room = area.outline.buffer(-pen.size(_FROM_EDGE + _STUMP))
    return planted(room, pen.size(_STUMP_SPACING), stream, avoid=bare.buffer(pen.size(_STUMP)))


def _grass(area: Area, bare: BaseGeometry, pen: Pen) -> Line:
    stream = pen.stream(f"draw/{area.id}/grass")
    places = planted(area.outline.buffer(-pen.size(_FROM_EDGE)), pen.size(_TUFT_SPACING), stream, avoid=bare)
    return Tufts.at(places.tolist(), pen.size(_TUFT_HEIGHT), 4, stream).blades
