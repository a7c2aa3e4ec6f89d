"""Scrub: clumps of one to three low bushes in a dotted edge; clearings in woods.

Source: the cartography, 10.3.
"""

from __future__ import annotations

import math
from typing import Final

import shapely
from shapely import Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, circles, fill, fill_and_stroke
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import Tree, grown, standing
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.cover.woods import ways
from printkit.drawing.signs.lines.channels import ashore, kept_clear
from printkit.drawing.signs.lines.course_lines import floor, on, stippled, stroke_shape
from printkit.drawing.signs.lines.wet_plants import Tufts
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

# --- Clearing: an opening in a wood, shaded along its north-western edge ----------------------------------------------

_SHADE: Final = 2.0
_SHADE_ALPHA: Final = 0.18
_CLEARING_FROM_EDGE: Final = 3.0
_TUFT_SPACING: Final = 7.5
_TUFT_HEIGHT: Final = 2.4
_STUMP: Final = 0.9
_RING: Final = 0.5
_STUMP_SPACING: Final = 15.0
_BESIDE_STUMP: Final = 2.6


def clearing(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a clearing. Woods leave its ground open and have a row of trees around it."""
    ground, style = area.outline, context.style
    yield from on(LayerName.WOOD_FLOOR, fill(ground, style.ink("paper")))
    if style.shadows:
        moved = affinity.translate(ground, context.size(_SHADE), -context.size(_SHADE))
        shade = shapely.difference(ground, moved)
        yield from on(LayerName.WOOD_FLOOR, fill(shade, context.tint("shadow", _SHADE_ALPHA)))
    bare = shapely.union_all([context.clear, ways(field, context)])
    stumps = _stumps(area, bare, context)
    about = circles(stumps, context.size(_BESIDE_STUMP))
    blades = _grass(area, shapely.union_all([bare, *about]), context)
    yield from on(LayerName.WOOD_FLOOR, stroke_shape(blades, context, "pasture-tuft", 0.32))
    edge = stroke_shape(ground, context, "light-woods-edge", 0.50, dash=(2.2, 1.5), least=LEAST_MEANING)
    yield from on(LayerName.WOOD_FLOOR, edge)
    line = context.stroke(style.solid("timber"), 0.22)
    for x, y in stumps:
        for share in (1.0, _RING):
            disc = Point(x, y).buffer(share * context.size(_STUMP), quad_segs=4)
            yield from on(LayerName.WOOD_FLOOR, fill_and_stroke(disc, style.ink("timber-deck"), line))


def _stumps(area: Area, bare: BaseGeometry, context: SymbolContext) -> Line:
    stream = context.stream(f"draw/{area.id}/stumps")
    room = area.outline.buffer(-context.size(_CLEARING_FROM_EDGE + _STUMP))
    return poisson_points(room, context.size(_STUMP_SPACING), stream, avoid=bare.buffer(context.size(_STUMP)))


def _grass(area: Area, bare: BaseGeometry, context: SymbolContext) -> Line:
    stream = context.stream(f"draw/{area.id}/grass")
    places = poisson_points(
        area.outline.buffer(-context.size(_CLEARING_FROM_EDGE)), context.size(_TUFT_SPACING), stream, avoid=bare
    )
    return Tufts.at(places.tolist(), context.size(_TUFT_HEIGHT), 4, stream).blades


_CLUMP_SPACING: Final = 6.4
_ASIDE: Final = (1.5, 1.1)
_BUSH: Final = (0.9, 1.75)
_ROOM: Final = 2.0
_FROM_EDGE: Final = 3.4
_DOT_SPACING: Final = 4.6


def scrub(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw scrub, brush or gorse. Roads and waters through it are open."""
    ground, avoid = ashore(area, context, field), kept_clear(context, field)
    yield from floor(ground, context, ("scrub-ground",), edge=("scrub-line", 0.40, (0.01, 2.4)))
    dot_stream = context.stream(f"draw/{area.id}/undergrowth")
    room, ink = ground.buffer(-context.size(_ROOM), quad_segs=4), context.tint("scrub-line", 0.8)
    yield from on(LayerName.GROUND_PATTERN, stippled(room, avoid, context, dot_stream, (_DOT_SPACING, 0.16, 0.14), ink))
    stream = context.stream(f"draw/{area.id}/bushes")
    stand = bushes(room.buffer(context.size(_ROOM - _FROM_EDGE), quad_segs=4), avoid, context, stream)
    yield from standing(stand, context, LayerName.GROUND_PATTERN)


def bushes(room: BaseGeometry, avoid: BaseGeometry, context: SymbolContext, stream: Stream) -> list[Tree]:
    """Return clumps of one to three bushes. The first bush of a clump is in ``room``; clumps keep off ``avoid``."""
    places: list[tuple[float, float]] = []
    radii: list[float] = []
    for x, y in poisson_points(
        room, context.size(_CLUMP_SPACING), stream, avoid=avoid.buffer(context.size(3.4), quad_segs=4)
    ).tolist():
        for number in range(1 + stream.draw_index(3)):
            turn = stream.between(0, 2 * math.pi)
            across, up = (context.size(reach) * (number > 0) for reach in _ASIDE)
            places.append((x + across * math.cos(turn), y + up * math.sin(turn)))
            radii.append(context.size(stream.between(*_BUSH)))
    return grown(places, radii, "scrub", stream)
