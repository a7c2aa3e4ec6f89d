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
from printkit.drawing.signs.cover.woods import treeless_course_ground
from printkit.drawing.signs.lines.channels import find_reserved_ground, subtract_waters
from printkit.drawing.signs.lines.course_lines import draw_area_ground, on_layer, stipple_area, stroke_shape
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
    """Yield (layer, item) pairs that draw a clearing.

    Woods leave its ground open and have a row of trees around it. Shapes and items are in printed mm.
    """
    ground, style = area.outline, context.style
    yield from on_layer(LayerName.WOOD_FLOOR, fill(ground, style.ink("paper")))
    if style.shadows:
        shifted = affinity.translate(ground, context.size(_SHADE), -context.size(_SHADE))
        shade = shapely.difference(ground, shifted)
        yield from on_layer(LayerName.WOOD_FLOOR, fill(shade, context.tint("shadow", _SHADE_ALPHA)))
    blocked_area = shapely.union_all([context.clear, treeless_course_ground(field, context)])
    stumps = _place_stumps(area, blocked_area, context)
    stump_areas = circles(stumps, context.size(_BESIDE_STUMP))
    blades = _make_grass(area, shapely.union_all([blocked_area, *stump_areas]), context)
    yield from on_layer(LayerName.WOOD_FLOOR, stroke_shape(blades, context, "pasture-tuft", 0.32))
    edge = stroke_shape(ground, context, "light-woods-edge", 0.50, dash=(2.2, 1.5), minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.WOOD_FLOOR, edge)
    line = context.stroke(style.solid("timber"), 0.22)
    for x, y in stumps:
        for share in (1.0, _RING):
            disc = Point(x, y).buffer(share * context.size(_STUMP), quad_segs=4)
            yield from on_layer(LayerName.WOOD_FLOOR, fill_and_stroke(disc, style.ink("timber-deck"), line))


def _place_stumps(area: Area, blocked_area: BaseGeometry, context: SymbolContext) -> Line:
    """Return the positions of tree stumps in a clearing as an n x 2 array, clear of ``blocked_area``.

    Coordinates are in printed mm.
    """
    stream = context.stream(f"draw/{area.id}/stumps")
    stump_area = area.outline.buffer(-context.size(_CLEARING_FROM_EDGE + _STUMP))
    return poisson_points(
        stump_area, context.size(_STUMP_SPACING), stream, avoid=blocked_area.buffer(context.size(_STUMP))
    )


def _make_grass(area: Area, blocked_area: BaseGeometry, context: SymbolContext) -> Line:
    """Return the blades of grass in a clearing as an array of n curves, clear of ``blocked_area``.

    A curve is a row of points (x, y), so the array has three dimensions. Coordinates are in printed mm.
    """
    stream = context.stream(f"draw/{area.id}/grass")
    points = poisson_points(
        area.outline.buffer(-context.size(_CLEARING_FROM_EDGE)), context.size(_TUFT_SPACING), stream, avoid=blocked_area
    )
    return Tufts.at(points.tolist(), context.size(_TUFT_HEIGHT), 4, stream).blades


_CLUMP_SPACING: Final = 6.4
_ASIDE: Final = (1.5, 1.1)
_BUSH: Final = (0.9, 1.75)
_ROOM: Final = 2.0
_FROM_EDGE: Final = 3.4
_DOT_SPACING: Final = 4.6


def scrub(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw scrub, brush or gorse.

    Roads and waters through it are open. Shapes and items are in printed mm.
    """
    ground, avoid = subtract_waters(area, context, field), find_reserved_ground(context, field)
    yield from draw_area_ground(ground, context, ("scrub-ground",), edge=("scrub-line", 0.40, (0.01, 2.4)))
    dot_stream = context.stream(f"draw/{area.id}/undergrowth")
    inner_area, ink = ground.buffer(-context.size(_ROOM), quad_segs=4), context.tint("scrub-line", 0.8)
    yield from on_layer(
        LayerName.GROUND_PATTERN, stipple_area(inner_area, avoid, context, dot_stream, (_DOT_SPACING, 0.16, 0.14), ink)
    )
    stream = context.stream(f"draw/{area.id}/bushes")
    bush_list = place_bushes(inner_area.buffer(context.size(_ROOM - _FROM_EDGE), quad_segs=4), avoid, context, stream)
    yield from standing(bush_list, context, LayerName.GROUND_PATTERN)


def place_bushes(area: BaseGeometry, avoid: BaseGeometry, context: SymbolContext, stream: Stream) -> list[Tree]:
    """Return clumps of one to three bushes, in printed mm; empty if there is no room.

    The first bush of a clump is in ``area``; clumps keep 3.4 mm at 1:1 off ``avoid``. Both areas are in printed mm.
    ``stream`` gives places and sizes.
    """
    points: list[tuple[float, float]] = []
    radii: list[float] = []
    for x, y in poisson_points(
        area, context.size(_CLUMP_SPACING), stream, avoid=avoid.buffer(context.size(3.4), quad_segs=4)
    ).tolist():
        for number in range(1 + stream.draw_index(3)):
            turn = stream.between(0, 2 * math.pi)
            reach_x, reach_y = (context.size(reach) * (number > 0) for reach in _ASIDE)
            points.append((x + reach_x * math.cos(turn), y + reach_y * math.sin(turn)))
            radii.append(context.size(stream.between(*_BUSH)))
    return grown(points, radii, "scrub", stream)
