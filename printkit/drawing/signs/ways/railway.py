"""Railways: ballast, sleepers and two rails, below all roads; railway bridges and level crossings.

Source: the cartography, 10.4 and 10.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Cap, Ink, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, normals, outline, polygons, resampled
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.lines.course_lines import (
    band,
    courses,
    extend_past_edge,
    ground,
    joins,
    meet,
    nearest_part,
    on,
    own_size,
    shadow,
    sized,
    stroke_shape,
)
from printkit.drawing.signs.ways.crossings import course_of, water_span
from printkit.drawing.signs.ways.roads import beside, forded
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Kind

_WHITE: Final = Ink(255, 255, 255)
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

_PLANK: Final = 1.2
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
        """Return the track on a bed: as wide as the bed, with an upper limit for wide embankments."""
        own = own_size(Kind.RAILWAY, context)
        wide = min(course.width, _LARGEST * own)
        grown = max(1.0, wide / own)
        step = context.size(_SLEEPER_STEP) * grown
        return cls(half=_GAUGE * wide / 2, sleeper=_SLEEPER * wide, step=step, heavy=math.sqrt(grown))


def railway(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a railway. A branch joins the other railway by its rails, without a second bed on it."""
    course = sized(course, context)
    line = extend_past_edge(course, field)
    gauge = Gauge.of(course, context)
    railways = courses(field, Kind.RAILWAY)
    mains = [other for other in railways if joins(course, other)]
    lies_on = shapely.union_all([*(ground(other, field, context) for other in mains), forded(course, context, field)])
    joined = [ground(other, field, context, spare=-_HAIR) for other in railways if meet(course, other)]
    bed = shapely.difference(band(line, course.width), lies_on)
    if context.style.washes:
        beyond = context.size(_SOFT)
        theirs = shapely.union_all([ground(other, field, context, spare=beyond) for other in mains])
        soft = shapely.difference(band(line, course.width + 2 * beyond), theirs)
        yield from on(LayerName.RAIL, fill(soft, context.tint("relief-shade", 0.12)))
    ballast = context.style.ink("ballast") or _WHITE
    yield from on(LayerName.RAIL, fill(bed, ballast))
    edge = ballast.mix(context.style.solid("rail"), _EDGE_TONE if context.style.washes else 1.0)
    edges = [part for side in (1, -1) for part in beside(line, side * course.width / 2, shapely.union_all(joined))]
    yield from on(LayerName.RAIL, outline(edges, context.stroke(edge, _EDGE, cap=Cap.BUTT, minimum_mm=LEAST_MEANING)))
    yield from _shoulders(course, bed, gauge, context)
    yield from _track(line, gauge, context, off=lies_on)


def railway_bridge(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a girder bridge: an open deck with sleepers and rails between two trusses."""
    way = sized(course_of(crossing.route, field), context)
    span = water_span(crossing, way.width, field, context)
    half = way.width * _BRIDGE / 2
    first, last = span.deck(context.size(1.0))
    deck = span.place(shapely.box(first, -half, last, half), crossing)
    yield from on(LayerName.CROSSING, shadow(deck, context, (1.2, 1.4), 0.28, off=deck))
    yield from on(LayerName.CROSSING, fill(deck, context.style.ink("stone")))
    rails = nearest_part(shapely.intersection(extend_past_edge(way, field), deck), crossing.at)
    yield from _track(rails, Gauge.of(way, context), context, layer=LayerName.CROSSING)
    yield from _trusses(first, last, half, partial(span.place, crossing=crossing), context)


def level_crossing(crossing: Crossing, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a road over a railway: planks between and next to the rails, and a barred gate on both sides."""
    road = sized(course_of(crossing.route, field), context)
    rails = sized(course_of(crossing.water, field), context)
    strip = band(extend_past_edge(road, field), road.width)
    line = extend_past_edge(rails, field)
    deck = shapely.intersection(band(line, rails.width + 2 * context.size(_DECK_OVER)), strip)
    deck = nearest_part(deck, crossing.at)
    yield from on(LayerName.CROSSING, fill(deck, context.style.ink("timber-deck")))
    half, plank = rails.width / 2 + context.size(_DECK_OVER), context.size(_PLANK)
    offsets = np.linspace(-half, half, max(3, round(2 * half / plank) + 1))[1:-1]
    joints = [shapely.intersection(part, deck) for offset in offsets for part in beside(line, float(offset))]
    yield from on(LayerName.CROSSING, stroke_shape(joints, context, "timber", 0.22, cap=Cap.BUTT))
    yield from on(LayerName.CROSSING, stroke_shape(deck, context, "timber", 0.40, join=Join.MITRE, least=LEAST_MEANING))
    gauge = Gauge.of(rails, context)
    over = [shapely.intersection(part, deck) for side in (1, -1) for part in beside(line, side * gauge.half)]
    yield from on(LayerName.CROSSING, stroke_shape(over, context, "rail", 0.60 * gauge.heavy, least=LEAST_MEANING))
    yield from _gates(crossing, road, rails, context)


def _shoulders(course: Course, bed: BaseGeometry, gauge: Gauge, context: SymbolContext) -> LayeredItems:
    """Draw the stones of an embankment that is much wider than its track."""
    if course.width < _WIDE * gauge.sleeper:
        return
    track = course.line.buffer(gauge.sleeper / 2 + context.size(0.8))
    free = shapely.difference(bed.buffer(-context.size(0.8)), track)
    stream = context.stream(f"draw/{course.id}/ballast")
    stones = [place for part in polygons(free) for place in poisson_points(part, context.size(_STONES), stream)]
    yield from on(LayerName.RAIL, dots(stones, context.size(0.18), context.tint("sleeper", 0.55)))


def _track(
    line: BaseGeometry,
    gauge: Gauge,
    context: SymbolContext,
    *,
    off: BaseGeometry | None = None,
    layer: LayerName = LayerName.RAIL,
) -> LayeredItems:
    """Draw sleepers and rails along a line; no sleepers on the ground of ``off``."""
    sleepers: list[Line] = []
    for part in lines(line):
        middles = resampled(part, gauge.step)
        across = normals(middles) * (gauge.sleeper / 2)
        sleepers += list(np.stack([middles - across, middles + across], axis=1))
    laid: BaseGeometry = shapely.MultiLineString(sleepers)
    laid = laid if off is None else shapely.difference(laid, off)
    # On white paper, sleepers of full weight would make the railway the darkest line on the sheet.
    weight = (0.90 if context.style.washes else 0.62) * gauge.heavy
    yield from on(layer, stroke_shape(laid, context, "sleeper", weight, cap=Cap.BUTT, least=LEAST_MEANING))
    rails = [beside(line, side * gauge.half) for side in (1, -1)]
    yield from on(layer, stroke_shape(rails, context, "rail", 0.55 * gauge.heavy, cap=Cap.BUTT, least=LEAST_MEANING))


def _trusses(
    first: float, last: float, half: float, place: Callable[[BaseGeometry], BaseGeometry], context: SymbolContext
) -> LayeredItems:
    """Draw the zigzag of both trusses and their girders, which are a little longer."""
    count = max(2, round((last - first) / context.size(_TRUSS_STEP)) * 2)
    stations = np.linspace(first, last, count + 1)
    depth = np.where(np.arange(count + 1) % 2 == 0, 0.0, context.size(_TRUSS))
    bars = [LineString(np.column_stack([stations, side * (half - depth)])) for side in (1, -1)]
    truss = place(shapely.MultiLineString(bars))
    yield from on(LayerName.CROSSING, stroke_shape(truss, context, "stone-line", 0.28, join=Join.MITRE))
    farther = context.size(_GIRDER_ON)
    girders = [LineString([(first - farther, side * half), (last + farther, side * half)]) for side in (1, -1)]
    girder = place(shapely.MultiLineString(girders))
    yield from on(LayerName.CROSSING, stroke_shape(girder, context, "stone-line", _GIRDER, cap=Cap.BUTT))


def _gates(crossing: Crossing, road: Course, rails: Course, context: SymbolContext) -> LayeredItems:
    """Draw the gates across the road, at the same distance from the rails at any crossing angle."""
    gone = rails.line.project(crossing.at)
    here, ahead = (rails.line.interpolate(at) for at in (gone - 1.0, gone + 1.0))
    angle = math.radians(crossing.bearing) - math.atan2(ahead.y - here.y, ahead.x - here.x)
    slant = max(0.5, abs(math.sin(angle)))
    reach = road.width / 2 + context.size(_GATE_OVER)
    off = (rails.width / 2 + context.size(_GATE_OFF) + (reach + context.size(_GATE)) * abs(math.cos(angle))) / slant
    way = road.line.project(crossing.at)
    bars: list[LineString] = []
    for side in (1, -1):
        middle = road.line.interpolate(way + side * off)
        near, far = (road.line.interpolate(way + side * off + step) for step in (-0.5, 0.5))
        along = math.atan2(far.y - near.y, far.x - near.x)
        across = np.array([-math.sin(along), math.cos(along)]) * reach
        centre = np.array([middle.x, middle.y])
        bars.append(LineString([centre - across, centre + across]))
    both = shapely.MultiLineString(bars)
    frame = context.size(_GATE) + 2 * LEAST_MEANING
    yield from on(LayerName.CROSSING, fill(both.buffer(frame / 2, cap_style="square"), context.style.ink("ink")))
    yield from on(LayerName.CROSSING, fill(both.buffer(context.size(_GATE) / 2, cap_style="flat"), _WHITE))
    count = max(3, round(2 * reach / context.size(_GATE_FIELD)) | 1)
    fields: list[Line] = []
    for bar in bars:
        ends = resampled(bar, bar.length / count)
        fields += [ends[place : place + 2] for place in range(0, count, 2)]
    red = shapely.MultiLineString(fields).buffer(context.size(_GATE) / 2, cap_style="flat")
    yield from on(LayerName.CROSSING, fill(red, context.style.ink("side-red")))
