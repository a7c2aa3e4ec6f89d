"""Railways, and bridges and fords, which are as long as the water under them is wide.

Source: the cartography, 10.4; BR-G61 makes the symbol 1.25 times the river's width along the road.

Source: the cartography, 10.4 and 10.5.
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
from printkit.drawing.canvas.items import Cap, Join, LayeredItems, LayerName
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, normals, outline, polygons, resampled
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.lines.course_lines import (
    band,
    branches_off,
    courses,
    courses_meet,
    default_width,
    extend_past_edge,
    ground,
    nearest_part,
    offset_line,
    on_layer,
    set_drawn_width,
    shadow,
    stroke_shape,
)
from printkit.drawing.signs.routes.roads import crossed_ground, find_open_water, offset_lines
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Kind

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
    core = context.stroke(context.style.solid("stone") if context.style.washes else WHITE, 0.85)
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


_SOFT: Final = 1.1
_EDGE: Final = 0.35
_EDGE_TONE: Final = 0.45
_SLEEPER_STEP: Final = 2.5
_SLEEPER: Final = 0.76
_GAUGE: Final = 3.4 / 7.5
_LARGEST: Final = 2.4
_HAIR: Final = 0.1
_WIDE: Final = 1.5
_STONES: Final = 2.4

_BRIDGE: Final = 10.0 / 7.5
_GIRDER: Final = 1.4
_GIRDER_ON: Final = 1.5
_TRUSS_STEP: Final = 4.2
_TRUSS: Final = 1.4

_RAIL_PLANK: Final = 1.2
_DECK_OVER: Final = 0.8
_GATE: Final = 1.4
_GATE_FIELD: Final = 2.0
_GATE_OVER: Final = 1.5
_GATE_OFF: Final = 3.4


class Gauge(Struct, frozen=True):
    """The sizes of a railway track, in printed mm.

    Attributes:
        half: half the distance between the rails.
        sleeper: length of a sleeper.
        step: spacing of the sleepers.
        heavy: factor for the line widths, 1 at the default width.
    """

    half: float
    sleeper: float
    step: float
    heavy: float

    @classmethod
    def of(cls, course: Course, context: SymbolContext) -> Gauge:
        """Return the sizes of the track on a railway's bed, in printed mm.

        They grow with the width of the bed, up to 2.4 times the default width. ``course`` must have its drawn width.
        """
        default_mm = default_width(Kind.RAILWAY, context)
        width_mm = min(course.width, _LARGEST * default_mm)
        factor = max(1.0, width_mm / default_mm)
        step = context.size(_SLEEPER_STEP) * factor
        return cls(half=_GAUGE * width_mm / 2, sleeper=_SLEEPER * width_mm, step=step, heavy=math.sqrt(factor))


def railway(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a railway.

    A branch joins the other railway by its rails, without a second bed on it. Shapes and items are in printed mm.
    """
    course = set_drawn_width(course, context)
    line = extend_past_edge(course, field)
    gauge = Gauge.of(course, context)
    railways = courses(field, Kind.RAILWAY)
    mains = [other_railway for other_railway in railways if branches_off(course, other_railway)]
    excluded_ground = shapely.union_all(
        [*(ground(other_railway, field, context) for other_railway in mains), find_open_water(course, context, field)]
    )
    joined_grounds = [
        ground(other_railway, field, context, spare=-_HAIR)
        for other_railway in railways
        if courses_meet(course, other_railway)
    ]
    bed = shapely.difference(band(line, course.width), excluded_ground)
    if context.style.washes:
        margin = context.size(_SOFT)
        main_grounds = shapely.union_all(
            [ground(other_railway, field, context, spare=margin) for other_railway in mains]
        )
        halo = shapely.difference(band(line, course.width + 2 * margin), main_grounds)
        yield from on_layer(LayerName.RAIL, fill(halo, context.tint("relief-shade", 0.12)))
    ballast = context.style.ink("ballast") or WHITE
    yield from on_layer(LayerName.RAIL, fill(bed, ballast))
    edge = ballast.mix(context.style.solid("rail"), _EDGE_TONE if context.style.washes else 1.0)
    edges = [
        part
        for side in (1, -1)
        for part in offset_lines(line, side * course.width / 2, shapely.union_all(joined_grounds))
    ]
    yield from on_layer(
        LayerName.RAIL, outline(edges, context.stroke(edge, _EDGE, cap=Cap.BUTT, minimum_mm=LEAST_MEANING))
    )
    yield from _draw_shoulders(course, bed, gauge, context)
    yield from _draw_track(line, gauge, context, excluded_ground=excluded_ground)


def railway_bridge(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a girder bridge: an open deck with sleepers and rails between two trusses.

    Shapes and items are in printed mm.
    """
    rails_course = set_drawn_width(get_course(crossing.route, field), context)
    span = water_span(crossing, rails_course.width, field, context)
    half = rails_course.width * _BRIDGE / 2
    first, last = span.deck(context.size(1.0))
    deck = span.place(shapely.box(first, -half, last, half), crossing)
    yield from on_layer(LayerName.CROSSING, shadow(deck, context, (1.2, 1.4), 0.28, avoid=deck))
    yield from on_layer(LayerName.CROSSING, fill(deck, context.style.ink("stone")))
    rails = nearest_part(shapely.intersection(extend_past_edge(rails_course, field), deck), crossing.at)
    yield from _draw_track(rails, Gauge.of(rails_course, context), context, layer=LayerName.CROSSING)
    place = partial(span.place, crossing=crossing)
    count = max(2, round((last - first) / context.size(_TRUSS_STEP)) * 2)
    stations = np.linspace(first, last, count + 1)
    depth = np.where(np.arange(count + 1) % 2 == 0, 0.0, context.size(_TRUSS))
    bars = [LineString(np.column_stack([stations, side * (half - depth)])) for side in (1, -1)]
    truss = place(shapely.MultiLineString(bars))
    yield from on_layer(LayerName.CROSSING, stroke_shape(truss, context, "stone-line", 0.28, join=Join.MITRE))
    extra = context.size(_GIRDER_ON)
    girders = [LineString([(first - extra, side * half), (last + extra, side * half)]) for side in (1, -1)]
    girder = place(shapely.MultiLineString(girders))
    yield from on_layer(LayerName.CROSSING, stroke_shape(girder, context, "stone-line", _GIRDER, cap=Cap.BUTT))


def level_crossing(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a road over a railway: planks between and next to the rails, and a barred gate on both sides.

    Yields (layer, item) pairs in printed mm; shapes are in printed mm too.
    """
    road = set_drawn_width(get_course(crossing.route, field), context)
    rails = set_drawn_width(get_course(crossing.water, field), context)
    strip = band(extend_past_edge(road, field), road.width)
    line = extend_past_edge(rails, field)
    deck = shapely.intersection(band(line, rails.width + 2 * context.size(_DECK_OVER)), strip)
    deck = nearest_part(deck, crossing.at)
    yield from on_layer(LayerName.CROSSING, fill(deck, context.style.ink("timber-deck")))
    half, plank = rails.width / 2 + context.size(_DECK_OVER), context.size(_RAIL_PLANK)
    offsets = np.linspace(-half, half, max(3, round(2 * half / plank) + 1))[1:-1]
    joints = [shapely.intersection(part, deck) for offset in offsets for part in offset_lines(line, float(offset))]
    yield from on_layer(LayerName.CROSSING, stroke_shape(joints, context, "timber", 0.22, cap=Cap.BUTT))
    yield from on_layer(
        LayerName.CROSSING, stroke_shape(deck, context, "timber", 0.40, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    )
    gauge = Gauge.of(rails, context)
    rail_parts = [
        shapely.intersection(part, deck) for side in (1, -1) for part in offset_lines(line, side * gauge.half)
    ]
    yield from on_layer(
        LayerName.CROSSING, stroke_shape(rail_parts, context, "rail", 0.60 * gauge.heavy, minimum_mm=LEAST_MEANING)
    )
    yield from _draw_gates(crossing, road, rails, context)


def _draw_shoulders(course: Course, bed: BaseGeometry, gauge: Gauge, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the stones of an embankment at least 1.5 times as wide as its sleepers are long.

    ``bed`` is the ground of the embankment, in printed mm.
    """
    if course.width < _WIDE * gauge.sleeper:
        return
    track = course.line.buffer(gauge.sleeper / 2 + context.size(0.8))
    free = shapely.difference(bed.buffer(-context.size(0.8)), track)
    stream = context.stream(f"draw/{course.id}/ballast")
    stones = [point for part in polygons(free) for point in poisson_points(part, context.size(_STONES), stream)]
    yield from on_layer(LayerName.RAIL, dots(stones, context.size(0.18), context.tint("sleeper", 0.55)))


def _draw_track(
    line: BaseGeometry,
    gauge: Gauge,
    context: SymbolContext,
    *,
    excluded_ground: BaseGeometry | None = None,
    layer: LayerName = LayerName.RAIL,
) -> LayeredItems:
    """Yield (layer, item) pairs of sleepers and rails along a line in printed mm.

    There are no sleepers on ``excluded_ground``.
    """
    sleepers: list[Line] = []
    for part in lines(line):
        middles = resampled(part, gauge.step)
        half_sleepers = normals(middles) * (gauge.sleeper / 2)
        sleepers += list(np.stack([middles - half_sleepers, middles + half_sleepers], axis=1))
    sleeper_lines: BaseGeometry = shapely.MultiLineString(sleepers)
    sleeper_lines = sleeper_lines if excluded_ground is None else shapely.difference(sleeper_lines, excluded_ground)
    # On white paper, sleepers of full weight would make the railway the darkest line on the sheet.
    weight = (0.90 if context.style.washes else 0.62) * gauge.heavy
    yield from on_layer(
        layer, stroke_shape(sleeper_lines, context, "sleeper", weight, cap=Cap.BUTT, minimum_mm=LEAST_MEANING)
    )
    rails = [offset_lines(line, side * gauge.half) for side in (1, -1)]
    yield from on_layer(
        layer, stroke_shape(rails, context, "rail", 0.55 * gauge.heavy, cap=Cap.BUTT, minimum_mm=LEAST_MEANING)
    )


def _draw_gates(crossing: Crossing, road: Course, rails: Course, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the gates across the road, equally far from the rails at any crossing angle.

    Shapes and items are in printed mm.
    """
    rail_position = rails.line.project(crossing.at)
    rail_start, rail_end = (rails.line.interpolate(distance) for distance in (rail_position - 1.0, rail_position + 1.0))
    angle = math.radians(crossing.bearing) - math.atan2(rail_end.y - rail_start.y, rail_end.x - rail_start.x)
    slant = max(0.5, abs(math.sin(angle)))
    reach = road.width / 2 + context.size(_GATE_OVER)
    gate_distance = (
        rails.width / 2 + context.size(_GATE_OFF) + (reach + context.size(_GATE)) * abs(math.cos(angle))
    ) / slant
    road_position = road.line.project(crossing.at)
    bars: list[LineString] = []
    for side in (1, -1):
        middle = road.line.interpolate(road_position + side * gate_distance)
        before, after = (road.line.interpolate(road_position + side * gate_distance + step) for step in (-0.5, 0.5))
        road_angle = math.atan2(after.y - before.y, after.x - before.x)
        half_bar = np.array([-math.sin(road_angle), math.cos(road_angle)]) * reach
        centre = np.array([middle.x, middle.y])
        bars.append(LineString([centre - half_bar, centre + half_bar]))
    gate_lines = shapely.MultiLineString(bars)
    frame = context.size(_GATE) + 2 * LEAST_MEANING
    yield from on_layer(
        LayerName.CROSSING, fill(gate_lines.buffer(frame / 2, cap_style="square"), context.style.ink("ink"))
    )
    yield from on_layer(LayerName.CROSSING, fill(gate_lines.buffer(context.size(_GATE) / 2, cap_style="flat"), WHITE))
    count = max(3, round(2 * reach / context.size(_GATE_FIELD)) | 1)
    fields: list[Line] = []
    for bar in bars:
        ends = resampled(bar, bar.length / count)
        fields += [ends[index : index + 2] for index in range(0, count, 2)]
    red = shapely.MultiLineString(fields).buffer(context.size(_GATE) / 2, cap_style="flat")
    yield from on_layer(LayerName.CROSSING, fill(red, context.style.ink("side-red")))
