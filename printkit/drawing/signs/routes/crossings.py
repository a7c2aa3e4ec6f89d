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

from printkit.core import exact_math
from printkit.drawing.canvas.decks import WaterSpan, find_water_span
from printkit.drawing.canvas.items import Cap, Ink, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.lines.course_lines import (
    band,
    extend_past_edge,
    nearest_part,
    offset_line,
    on_layer,
    set_drawn_width,
    shadow,
    stroke_shape,
)
from printkit.drawing.signs.routes.roads import crossed_ground
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
    """Yield (layer, item) pairs that draw a stone bridge.

    It has cutwaters, a jointed deck a little wider than the road, and parapets with splayed wings. Shapes and items are
    in printed mm.
    """
    bridge_deck = _build_deck(crossing, context, field)
    first, last, half = bridge_deck.first, bridge_deck.last, bridge_deck.half
    deck = bridge_deck.place(box(first, -half, last, half))
    piers = bridge_deck.place(_make_cutwaters(first, last, half, context))
    yield from _draw_shadow(deck, piers, crossing, context, field)
    yield from on_layer(LayerName.CROSSING, fill(piers, context.style.ink("stone")))
    yield from on_layer(LayerName.CROSSING, stroke_shape(piers, context, "stone-line", 0.35, join=Join.MITRE))
    yield from on_layer(LayerName.CROSSING, fill(deck, context.style.ink("road")))
    pitch = context.size(2.6)
    joints = bridge_deck.place(_make_cross_lines(np.arange(first + pitch / 2, last, pitch), half))
    yield from on_layer(LayerName.CROSSING, stroke_shape(joints, context, "road-casing", 0.14, alpha=0.6, cap=Cap.BUTT))
    walls = bridge_deck.place(_make_parapets(first, last, half + context.size(0.4), context))
    yield from on_layer(LayerName.CROSSING, stroke_shape(walls, context, "stone-line", 1.55))
    core = context.stroke(context.style.solid("stone") if context.style.washes else _WHITE, 0.85)
    yield from on_layer(LayerName.CROSSING, outline(walls, core))


def timber_bridge(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a timber bridge: close planks between two handrails on posts, without piers.

    Shapes and items are in printed mm.
    """
    bridge_deck = _build_deck(crossing, context, field)
    first, last, half = bridge_deck.first, bridge_deck.last, bridge_deck.half
    deck = bridge_deck.place(box(first, -half, last, half))
    yield from _draw_shadow(deck, Polygon(), crossing, context, field)
    yield from on_layer(LayerName.CROSSING, fill(deck, context.style.ink("timber-deck")))
    count = max(4, round((last - first) / context.size(_PLANK)))
    planks = bridge_deck.place(_make_cross_lines(np.linspace(first, last, count + 1), half))
    yield from on_layer(
        LayerName.CROSSING, stroke_shape(planks, context, "timber", 0.25, cap=Cap.BUTT, minimum_mm=LEAST_MEANING)
    )
    rails = bridge_deck.place(_make_parapets(first, last, half + context.size(0.3), context))
    yield from on_layer(LayerName.CROSSING, stroke_shape(rails, context, "timber", 0.62, minimum_mm=LEAST_MEANING))
    posts = np.linspace(first, last, max(2, round((last - first) / context.size(_RAIL_POST))) + 1)
    half_post = context.size(0.62)
    feet = [box(x - half_post, y - half_post, x + half_post, y + half_post) for x in posts for y in (-half, half)]
    yield from on_layer(
        LayerName.CROSSING, fill(bridge_deck.place(shapely.MultiPolygon(feet)), context.style.ink("timber"))
    )


def ford(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a ford: shallows from bank to bank, rows of dashes in the water, stepping stones, dotted sides.

    Yields (layer, item) pairs in printed mm; shapes are in printed mm too.
    """
    road, water = (
        set_drawn_width(get_course(crossing.route, field), context),
        set_drawn_width(get_course(crossing.water, field), context),
    )
    stream = context.stream(f"draw/{crossing.id}/ford")
    width = _crossing_width(crossing, context, field)
    span = water_span(crossing, width, field, context)
    first, last = span.first, span.last
    half, side_offset = width / 2, width / 2 + context.size(1.5)
    river, path = crossed_ground(water, context, field), extend_past_edge(road, field)
    shallows = nearest_part(band(path, 2 * side_offset).intersection(river.buffer(context.size(_SHORE))), crossing.at)
    yield from on_layer(LayerName.CROSSING, fill(shallows, context.tint("road", 0.55)))
    rows: list[LineString] = []
    for y in np.linspace(-half, half, max(5, round(2 * half / context.size(2.2)))):
        x = first + stream.between(0, min(context.size(2), (last - first) / 3))
        while abs(y) > context.size(1.4) and x < last:
            length = context.size(stream.between(1.6, 3.4))
            rows.append(LineString([(x, y), (min(last, x + length), y)]))
            x += length + context.size(stream.between(1.2, 2.6))
    inside = river.buffer(-min(context.size(0.8), water.width / 6))
    dashes = shapely.intersection(span.place(shapely.MultiLineString(rows), crossing), inside)
    yield from on_layer(LayerName.CROSSING, stroke_shape(dashes, context, "waterline", 0.34))
    yield from _draw_stones(first, last, crossing, river, context)
    margin = max((_ALONG - 1) / 2 * water.width, context.size(_LEAST_ALONG))
    crossing_area = river.buffer(min(margin, context.size(_MOST_ALONG)))
    sides = [side.intersection(crossing_area) for turn in (1, -1) for side in offset_line(path, turn * side_offset)]
    dotted_sides = [nearest_part(side, crossing.at) for side in sides]
    stroke_options = {"dash": (1.4, 1.5), "cap": Cap.BUTT, "minimum_mm": LEAST_MEANING}
    yield from on_layer(LayerName.CROSSING, stroke_shape(dotted_sides, context, "road-casing", 0.5, **stroke_options))


def junction(_crossing: Crossing, _pen: SymbolContext, _field: Battlefield) -> LayeredItems:
    """Return an empty iterator, because road layers merge at a junction, and the road routines round its corners."""
    return iter(())


def water_span(crossing: Crossing, width: float, field: Battlefield, context: SymbolContext) -> WaterSpan:
    """Return the span of a crossing over the drawn water, for a road of ``width`` printed mm.

    Raises:
        KeyError: the road or the water of the crossing is not a course of the battlefield.
    """
    water = set_drawn_width(get_course(crossing.water, field), context)
    ground = crossed_ground(water, context, field)
    return find_water_span(crossing, get_course(crossing.route, field), width, ground, context.size(1.0))


def get_course(identity: str, field: Battlefield) -> Course:
    """Return a course by its ID.

    Raises:
        KeyError: if no feature has this ID, or it is not a course.
    """
    feature = field.find(identity)
    if not isinstance(feature, Course):
        raise KeyError(identity)
    return feature


def place_at_crossing(shape: BaseGeometry, crossing: Crossing) -> BaseGeometry:
    """Return a shape drawn along the x-axis around the origin, moved to the crossing and along the road.

    The x-axis then has the bearing of the crossing. Everything is in printed mm.
    """
    turn = math.radians(crossing.bearing)
    cosine, sine = math.cos(turn), math.sin(turn)
    return affinity.affine_transform(shape, [cosine, -sine, sine, cosine, crossing.at.x, crossing.at.y])


class _Deck(Struct, frozen=True):
    """The deck of a bridge, in printed mm, in coordinates along the road with the crossing at the origin.

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


def _build_deck(crossing: Crossing, context: SymbolContext, field: Battlefield) -> _Deck:
    """Return the deck of a bridge, a little wider than its road."""
    width = _crossing_width(crossing, context, field)
    span = water_span(crossing, width, field, context)
    place = partial(span.place, crossing=crossing)
    return _Deck(*span.deck(context.size(1.0)), (width + context.size(0.8)) / 2, place)


def _crossing_width(crossing: Crossing, context: SymbolContext, field: Battlefield) -> float:
    """Return the printed width in mm of the road at its crossing, with a minimum."""
    return max(set_drawn_width(get_course(crossing.route, field), context).width, context.size(_NARROWEST_WAY))


def _draw_shadow(
    deck: BaseGeometry, piers: BaseGeometry, crossing: Crossing, context: SymbolContext, field: Battlefield
) -> LayeredItems:
    """Draw the shadow of a bridge next to its road; ``deck`` and ``piers`` are on the map in printed mm.

    Yields (layer, item) pairs.
    """
    if context.style.shadows:
        road = set_drawn_width(get_course(crossing.route, field), context)
        deck_shadow = affinity.translate(deck, context.size(1.2), -context.size(1.4))
        pier_shadow = affinity.translate(piers, context.size(0.9), -context.size(0.9))
        visible_shadow = shapely.difference(deck_shadow.union(pier_shadow), band(road.line, road.width))
        yield from on_layer(LayerName.CROSSING, fill(visible_shadow, context.tint("shadow", 0.28)))


def _make_cross_lines(stations: np.ndarray, half: float) -> BaseGeometry:
    """Return lines across a deck, in coordinates along the road, in printed mm.

    ``stations`` are their positions along the road, and ``half`` is half their length.
    """
    return shapely.MultiLineString([[(x, -half), (x, half)] for x in stations])


def _make_parapets(first: float, last: float, offset: float, context: SymbolContext) -> BaseGeometry:
    """Return the lines along both sides of a deck, with wings splayed outwards at both ends.

    They are in coordinates along the road, in printed mm: from ``first`` to ``last``, ``offset`` from the middle. The
    wings extend beyond both.
    """
    wing, splay = context.size(3.0), context.size(1.8)
    wall = ((first - wing, offset + splay), (first, offset), (last, offset), (last + wing, offset + splay))
    sides = [LineString([(x, side * y) for x, y in wall]) for side in (1, -1)]
    return shapely.MultiLineString(sides)


def _make_cutwaters(first: float, last: float, half: float, context: SymbolContext) -> BaseGeometry:
    """Return the pointed ends of two piers, upstream and downstream; empty for a single arch.

    They are in coordinates along the road, in printed mm: the deck is from ``first`` to ``last`` and ``half`` to each
    side.
    """
    if last - first < context.size(7.0 + _NARROW):
        return Polygon()
    middle, reach = (first + last) / 2, (last - first) / 2 * 0.34
    base, length = context.size(1.7), context.size(2.7)
    feet = product((middle - reach, middle + reach), (1, -1))
    piers = [
        Polygon([(x - base, side * half), (x + base, side * half), (x, side * (half + length))]) for x, side in feet
    ]
    return shapely.MultiPolygon(piers)


def _draw_stones(
    first: float, last: float, crossing: Crossing, river: BaseGeometry, context: SymbolContext
) -> LayeredItems:
    """Yield (layer, item) pairs that draw at least two stepping stones along the road, only where there is water.

    They are from ``first`` to ``last``, distances along the road from the crossing; ``river`` is the ground of the
    water. All are in printed mm.
    """
    stream = context.stream(f"draw/{crossing.id}/stones")
    small = min(1.0, max(0.62, (last - first) / context.size(_NARROW)))
    step = min(context.size(2.7) * small, (last - first) / 2)
    row = [
        _make_stone(x, context.size(stream.between(-0.5, 0.5)), context.size(stream.between(0.75, 1.05)) * small)
        for x in np.arange(first + min(context.size(1.0), step / 2), last, step)
    ]
    stones = shapely.get_parts(place_at_crossing(shapely.MultiPolygon(row), crossing))
    stones_in_water = shapely.multipolygons(stones[shapely.dwithin(stones, river, context.size(0.2))])
    yield from on_layer(LayerName.CROSSING, shadow(stones_in_water, context, (0.4, 0.45), 0.28))
    yield from on_layer(LayerName.CROSSING, fill(stones_in_water, context.style.ink("stone")))
    yield from on_layer(LayerName.CROSSING, stroke_shape(stones_in_water, context, "stone-line", 0.28))


def _make_stone(x: float, y: float, radius: float) -> Polygon:
    """Return a stepping stone: a regular octagon around (``x``, ``y``), all in one unit."""
    turn = np.arange(8) * (np.pi / 4)
    return Polygon(np.column_stack([x + radius * exact_math.cos(turn), y + radius * exact_math.sin(turn)]))
