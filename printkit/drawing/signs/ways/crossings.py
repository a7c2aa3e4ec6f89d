"""Bridges and fords, drawn along the road and as long as the water under them is wide.

Source: the cartography, 10.4; BR-G61 makes the symbol 1.25 times the river's width along the road.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.decks import WaterSpan, find_water_span
from printkit.drawing.canvas.items import Cap, Ink, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.lines.course_lines import (
    band,
    extend_past_edge,
    nearest_part,
    on,
    parallel,
    shadow,
    sized,
    stroke_shape,
)
from printkit.drawing.signs.ways.roads import passed_ground
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing

_WHITE: Final = Ink(255, 255, 255)
_ALONG: Final = 1.25
_SHORE: Final = 2.0
_LEAST_ALONG: Final = 2.0
_MOST_ALONG: Final = 6.0
# Over water narrower than this, in mm at 1:1, a bridge has a single arch and a ford has smaller stones.
_NARROW: Final = 8.0

_NARROWEST_WAY: Final = 3.6
_PLANK: Final = 1.5
_RAIL_POST: Final = 3.0


def bridge(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a stone bridge: cutwaters, a jointed deck a little wider than the road, parapets with splayed wings."""
    whole = _deck(crossing, context, field)
    first, last, half = whole.first, whole.last, whole.half
    deck = whole.place(box(first, -half, last, half))
    piers = whole.place(_cutwaters(first, last, half, context))
    yield from _cast(deck, piers, crossing, context, field)
    yield from on(LayerName.CROSSING, fill(piers, context.style.ink("stone")))
    yield from on(LayerName.CROSSING, stroke_shape(piers, context, "stone-line", 0.35, join=Join.MITRE))
    yield from on(LayerName.CROSSING, fill(deck, context.style.ink("road")))
    pitch = context.size(2.6)
    joints = whole.place(_across(np.arange(first + pitch / 2, last, pitch), half))
    yield from on(LayerName.CROSSING, stroke_shape(joints, context, "road-casing", 0.14, alpha=0.6, cap=Cap.BUTT))
    walls = whole.place(_parapets(first, last, half + context.size(0.4), context))
    yield from on(LayerName.CROSSING, stroke_shape(walls, context, "stone-line", 1.55))
    core = context.stroke(context.style.solid("stone") if context.style.washes else _WHITE, 0.85)
    yield from on(LayerName.CROSSING, outline(walls, core))


def timber_bridge(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a timber bridge: close planks between two handrails on posts, without piers."""
    whole = _deck(crossing, context, field)
    first, last, half = whole.first, whole.last, whole.half
    deck = whole.place(box(first, -half, last, half))
    yield from _cast(deck, Polygon(), crossing, context, field)
    yield from on(LayerName.CROSSING, fill(deck, context.style.ink("timber-deck")))
    count = max(4, round((last - first) / context.size(_PLANK)))
    planks = whole.place(_across(np.linspace(first, last, count + 1), half))
    yield from on(LayerName.CROSSING, stroke_shape(planks, context, "timber", 0.25, cap=Cap.BUTT, least=LEAST_MEANING))
    rails = whole.place(_parapets(first, last, half + context.size(0.3), context))
    yield from on(LayerName.CROSSING, stroke_shape(rails, context, "timber", 0.62, least=LEAST_MEANING))
    posts = np.linspace(first, last, max(2, round((last - first) / context.size(_RAIL_POST))) + 1)
    square = context.size(0.62)
    feet = [box(x - square, y - square, x + square, y + square) for x in posts for y in (-half, half)]
    yield from on(LayerName.CROSSING, fill(whole.place(shapely.MultiPolygon(feet)), context.style.ink("timber")))


def ford(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a ford: shallows from bank to bank, rows of dashes in the water, stepping stones, dotted sides."""
    way, water = sized(course_of(crossing.route, field), context), sized(course_of(crossing.water, field), context)
    stream = context.stream(f"draw/{crossing.id}/ford")
    width = _least_width(crossing, context, field)
    span = water_span(crossing, width, field, context)
    first, last = span.first, span.last
    half, beside = width / 2, width / 2 + context.size(1.5)
    river, path = passed_ground(water, context, field), extend_past_edge(way, field)
    shallows = nearest_part(band(path, 2 * beside).intersection(river.buffer(context.size(_SHORE))), crossing.at)
    yield from on(LayerName.CROSSING, fill(shallows, context.tint("road", 0.55)))
    rows: list[LineString] = []
    for y in np.linspace(-half, half, max(5, round(2 * half / context.size(2.2)))):
        x = first + stream.between(0, min(context.size(2), (last - first) / 3))
        while abs(y) > context.size(1.4) and x < last:
            length = context.size(stream.between(1.6, 3.4))
            rows.append(LineString([(x, y), (min(last, x + length), y)]))
            x += length + context.size(stream.between(1.2, 2.6))
    inside = river.buffer(-min(context.size(0.8), water.width / 6))
    dashes = shapely.intersection(span.place(shapely.MultiLineString(rows), crossing), inside)
    yield from on(LayerName.CROSSING, stroke_shape(dashes, context, "waterline", 0.34))
    yield from _stones(first, last, crossing, river, context)
    beyond = max((_ALONG - 1) / 2 * water.width, context.size(_LEAST_ALONG))
    whole = river.buffer(min(beyond, context.size(_MOST_ALONG)))
    sides = [side.intersection(whole) for turn in (1, -1) for side in parallel(path, turn * beside)]
    dotted = [nearest_part(side, crossing.at) for side in sides]
    how = {"dash": (1.4, 1.5), "cap": Cap.BUTT, "least": LEAST_MEANING}
    yield from on(LayerName.CROSSING, stroke_shape(dotted, context, "road-casing", 0.5, **how))


def junction(_crossing: Crossing, _pen: SymbolContext, _field: Battlefield) -> LayeredItems:
    """Draw nothing. Road layers merge at a junction, and the road routines round its corners."""
    return iter(())


def water_span(crossing: Crossing, width: float, field: Battlefield, context: SymbolContext) -> WaterSpan:
    """Return the span of a crossing over the drawn water, for a road of ``width`` mm."""
    water = sized(course_of(crossing.water, field), context)
    ground = passed_ground(water, context, field)
    return find_water_span(crossing, course_of(crossing.route, field), width, ground, context.size(1.0))


def course_of(identity: str, field: Battlefield) -> Course:
    """Return a course by its ID.

    Raises:
        KeyError: if no feature has this ID, or it is not a course.
    """
    found = field.find(identity)
    if not isinstance(found, Course):
        raise KeyError(identity)
    return found


def placed(shape: BaseGeometry, crossing: Crossing) -> BaseGeometry:
    """Return a shape drawn along the x-axis around the origin, moved to the crossing and rotated along the road."""
    turn = math.radians(crossing.bearing)
    cosine, sine = math.cos(turn), math.sin(turn)
    return affinity.affine_transform(shape, [cosine, -sine, sine, cosine, crossing.at.x, crossing.at.y])


class _Deck(Struct, frozen=True):
    """The deck of a bridge, in coordinates along the road.

    Attributes:
        first: start along the road.
        last: end along the road.
        half: half the width.
        place: moves a shape from these coordinates to the map.
    """

    first: float
    last: float
    half: float
    place: Callable[[BaseGeometry], BaseGeometry]


def _deck(crossing: Crossing, context: SymbolContext, field: Battlefield) -> _Deck:
    width = _least_width(crossing, context, field)
    span = water_span(crossing, width, field, context)
    place = partial(span.place, crossing=crossing)
    return _Deck(*span.deck(context.size(1.0)), (width + context.size(0.8)) / 2, place)


def _least_width(crossing: Crossing, context: SymbolContext, field: Battlefield) -> float:
    """Return the printed width of the road at its crossing, with a minimum."""
    return max(sized(course_of(crossing.route, field), context).width, context.size(_NARROWEST_WAY))


def _cast(
    deck: BaseGeometry, piers: BaseGeometry, crossing: Crossing, context: SymbolContext, field: Battlefield
) -> LayeredItems:
    """Draw the shadow of a bridge next to its road."""
    if context.style.shadows:
        way = sized(course_of(crossing.route, field), context)
        cast = affinity.translate(deck, context.size(1.2), -context.size(1.4))
        sides = affinity.translate(piers, context.size(0.9), -context.size(0.9))
        beside = shapely.difference(cast.union(sides), band(way.line, way.width))
        yield from on(LayerName.CROSSING, fill(beside, context.tint("shadow", 0.28)))


def _across(stations: np.ndarray, half: float) -> BaseGeometry:
    """Return lines across a deck."""
    return shapely.MultiLineString([[(x, -half), (x, half)] for x in stations])


def _parapets(first: float, last: float, off: float, context: SymbolContext) -> BaseGeometry:
    """Return the lines along both sides of a deck, with wings splayed outwards at both ends."""
    wing, splay = context.size(3.0), context.size(1.8)
    wall = ((first - wing, off + splay), (first, off), (last, off), (last + wing, off + splay))
    sides = [LineString([(x, side * y) for x, y in wall]) for side in (1, -1)]
    return shapely.MultiLineString(sides)


def _cutwaters(first: float, last: float, half: float, context: SymbolContext) -> BaseGeometry:
    """Return the pointed ends of two piers, upstream and downstream. A single arch has no piers."""
    if last - first < context.size(7.0 + _NARROW):
        return Polygon()
    middle, reach = (first + last) / 2, (last - first) / 2 * 0.34
    base, out = context.size(1.7), context.size(2.7)
    feet = product((middle - reach, middle + reach), (1, -1))
    piers = [Polygon([(x - base, side * half), (x + base, side * half), (x, side * (half + out))]) for x, side in feet]
    return shapely.MultiPolygon(piers)


def _stones(first: float, last: float, crossing: Crossing, river: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Draw at least two stepping stones along the road, only where there is water."""
    stream = context.stream(f"draw/{crossing.id}/stones")
    small = min(1.0, max(0.62, (last - first) / context.size(_NARROW)))
    step = min(context.size(2.7) * small, (last - first) / 2)
    row = [
        _stone(x, context.size(stream.between(-0.5, 0.5)), context.size(stream.between(0.75, 1.05)) * small)
        for x in np.arange(first + min(context.size(1.0), step / 2), last, step)
    ]
    stones = shapely.get_parts(placed(shapely.MultiPolygon(row), crossing))
    laid = shapely.multipolygons(stones[shapely.dwithin(stones, river, context.size(0.2))])
    yield from on(LayerName.CROSSING, shadow(laid, context, (0.4, 0.45), 0.28))
    yield from on(LayerName.CROSSING, fill(laid, context.style.ink("stone")))
    yield from on(LayerName.CROSSING, stroke_shape(laid, context, "stone-line", 0.28))


def _stone(x: float, y: float, radius: float) -> Polygon:
    turn = np.arange(8) * (np.pi / 4)
    return Polygon(np.column_stack([x + radius * elementary.cos(turn), y + radius * elementary.sin(turn)]))
