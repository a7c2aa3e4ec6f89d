"""Streets of a settlement: continuations of the map's roads to the middle, side streets, and lanes.

Source: the cartography, 9.9 and 10.9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.drawing.canvas.shapes import Line, lines, normals, resampled, ribbon, tangents
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.built.settlement_types import Lanes, SettlementType
from printkit.drawing.signs.lines.course_lines import TOUCH, Measured, courses, drawn_width, way_size
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind

_APPROACH: Final = 0.75
# Greatest number of streets. A road may enter at such a slant that no street can close the gap next to it.
_MOST: Final = 9

_LEAST_STREET: Final = 0.3
_FUNNEL: Final = 1.6
_LEAST_LANE_SECTOR: Final = math.radians(48)
_LEAST_LANE_REACH: Final = 37.0
_LEAST_RING_REACH: Final = 24.0
_SPARED: Final = 0.25

# Kinds of roads that continue as streets of a settlement
ENTERING: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH)


class Gate(Struct, frozen=True, kw_only=True):
    """The entry of a road: its last piece, which ends on the outline, and its width."""

    approach: tuple[tuple[float, float], ...]
    width: float


class Street(Struct, frozen=True, kw_only=True):
    """A street from the edge of the ground to the centre, or between two other streets.

    Attributes:
        line: its centre line.
        width: its width in printed mm.
        mouth: width of the road that it continues; 0 without a road.
        lead: length of the line that is still on the road, before the ground begins.
        main: whether it has ruts.
    """

    line: LineString
    width: float
    mouth: float = 0.0
    lead: float = 0.0
    main: bool = False

    def ground(self, casing: float = 0.0) -> BaseGeometry:
        """Return its ground, ``casing`` mm smaller on each side. The road's width narrows to the street's."""
        if self.mouth <= self.width:
            cap = "flat" if self.main else "round"
            return self.line.buffer(self.width / 2 - casing, quad_segs=8, cap_style=cap)
        points = resampled(self.line, 1.0)
        gone = Measured.of(points).gone - self.lead
        share = np.clip(gone / min(_FUNNEL * self.mouth, 0.8 * float(gone[-1])), 0, 1)
        eased = share * share * (3 - 2 * share)
        return ribbon(points, self.mouth + (self.width - self.mouth) * eased - 2 * casing)


def gates(ground: Polygon, field: Battlefield, context: SymbolContext) -> list[Gate]:
    """Return the entries of roads that end inside the ground or run through it."""
    found: list[Gate] = []
    for course in courses(field, *ENTERING):
        whole = Measured.of(course.line)
        width = drawn_width(course, context)
        for inside in lines(shapely.intersection(course.line, ground)):
            for end, outwards in ((inside.coords[0], -1), (inside.coords[-1], 1)):
                if ground.exterior.distance(Point(end)) < TOUCH:
                    here = course.line.project(Point(end))
                    far = here + outwards * _APPROACH * width
                    piece = whole.cut(min(here, far), max(here, far))[::-outwards]
                    found.append(Gate(approach=tuple((float(x), float(y)) for x, y in piece), width=width))
    return found


def streets(
    ground: Polygon, entries: Sequence[Gate], settling: SettlementType, context: SymbolContext, stream: Stream
) -> list[Street]:
    """Return the streets that meet in the middle, ordered by bearing.

    There is one from every gate. More are added until no angle between neighbours exceeds that of ``settling``. Without
    a gate, the first two run along the ground's long axis.
    """
    centre = middle(ground)
    first, others, aside, _ = settling.widths
    found = [_from_gate(gate, centre, others if number else first, context) for number, gate in enumerate(entries)]
    if not found:
        axis = long_axis(ground)
        found = [_main(ground, centre, axis + turn, others, context, stream) for turn in (0.0, math.pi)]
    elif len(found) == 1:
        found.append(_main(ground, centre, _bearing(found[0], centre) + math.pi, others, context, stream))
    towards = [_bearing(street, centre) for street in found]
    while True:
        order = np.argsort(towards, kind="stable").tolist()
        found, bearings = [found[place] for place in order], [towards[place] for place in order]
        gaps = np.diff([*bearings, bearings[0] + 2 * math.pi])
        widest = int(np.argmax(gaps))
        if gaps[widest] <= settling.widest or len(found) >= _MOST:
            return found
        bearing = bearings[widest] + gaps[widest] / 2 + stream.between(-0.28, 0.28)
        # Side streets leave the main street away from the middle, because an even cross does not look like a town.
        main = found[stream.draw_index(2)]
        start = _outwards(main, centre).spot(min(0.3 * main.line.length, context.size(stream.between(0, 16))))
        line = _to_edge(ground, start, bearing, context.size(5.0), context, stream)
        found.append(Street(line=line, width=way_size(aside, context)))
        towards = [*bearings, _bearing(found[-1], centre)]


def lanes(
    ground: Polygon,
    through: Sequence[Street],
    taken: BaseGeometry,
    settling: SettlementType,
    context: SymbolContext,
    stream: Stream,
) -> list[Street]:
    """Return lanes that curve from one street to the next, where the gap is wide and ``taken`` leaves room.

    The lanes of a ring meet at the streets, and none is left out at random.
    """
    centre = middle(ground)
    found: list[Street] = []
    if settling.lanes is Lanes.NONE:
        return found
    ring = settling.lanes is Lanes.RING
    joints = [stream.between(0.54, 0.62) for _ in through] if ring else []
    least = context.size(_LEAST_RING_REACH if ring else _LEAST_LANE_REACH)
    bearings = [_bearing(street, centre) for street in through]
    for number, street in enumerate(through):
        beside = (number + 1) % len(through)
        following = through[beside]
        gap = (bearings[beside] - bearings[number]) % (2 * math.pi) or 2 * math.pi
        share = (joints[number], joints[beside]) if ring else (stream.between(0.5, 0.6), stream.between(0.5, 0.6))
        bearing = bearings[number] + gap / 2
        reach = _reach(ground, centre, bearing)
        spared = not ring and stream.draw_unit() < _SPARED and reach < 1.6 * least
        if spared or gap < _LEAST_LANE_SECTOR or reach < least:
            continue
        first, last = (
            _outwards(each, centre).at(part * each.line.length)[0]
            for each, part in zip((street, following), share, strict=True)
        )
        bow = np.array(centre) + 0.62 * reach * np.array([math.cos(bearing), math.sin(bearing)])
        lane = _uneven(curve(first, 2 * bow - (first + last) / 2, last), context)
        if not lane.buffer(context.size(4)).intersects(taken):
            found.append(Street(line=lane, width=way_size(settling.widths[3], context)))
    return found


def middle(ground: Polygon) -> tuple[float, float]:
    """Return the point where the streets meet: the centroid, or an inner point if the centroid is outside."""
    point = ground.centroid if ground.contains(ground.centroid) else ground.representative_point()
    return float(point.x), float(point.y)


def long_axis(shape: BaseGeometry) -> float:
    """Return the direction of the long side of the smallest box around a shape, in radians, pointing right."""
    corners = shapely.get_coordinates(shape.minimum_rotated_rectangle)[:3]
    sides = np.diff(corners, axis=0)
    x, y = sides[int(np.argmax(np.hypot(sides[:, 0], sides[:, 1])))]
    angle = math.atan2(float(y), float(x))
    return angle - math.pi * round(angle / math.pi)


def curve(first: Line, bow: Line, last: Line) -> Line:
    """Return a quadratic curve from ``first`` to ``last`` with the control point ``bow``."""
    along = np.linspace(0, 1, 33)[:, None]
    return np.asarray((1 - along) ** 2 * first + 2 * along * (1 - along) * bow + along**2 * last)


def _from_gate(gate: Gate, centre: tuple[float, float], width: float, context: SymbolContext) -> Street:
    """Return a street that continues a road from before the outline and bends to the middle."""
    approach, goal = np.array(gate.approach), np.array(centre)
    at, inward = approach[-1], tangents(approach)[-1]
    inside = _uneven(curve(at, at + inward * float(np.hypot(*(goal - at))) * 0.5, goal), context)
    line = LineString(np.vstack([approach[:-1], shapely.get_coordinates(inside)]))
    narrowed = min(gate.width, way_size(width, context))
    return Street(line=line, width=narrowed, mouth=gate.width, lead=line.length - inside.length, main=True)


def _main(
    ground: Polygon, centre: tuple[float, float], bearing: float, width: float, context: SymbolContext, stream: Stream
) -> Street:
    """Return a main street without a road, as wide as the streets of roads."""
    line = _to_edge(ground, centre, bearing, context.size(1.2), context, stream)
    return Street(line=line, width=way_size(width, context), main=True)


def _to_edge(
    ground: Polygon, centre: tuple[float, float], bearing: float, short: float, context: SymbolContext, stream: Stream
) -> LineString:
    """Return a slightly curved line from ``short`` mm inside the ground's edge to the middle."""
    along = np.array([math.cos(bearing), math.sin(bearing)])
    whole = _reach(ground, centre, bearing)
    reach = max(whole - short, _LEAST_STREET * whole)
    start, goal = np.array(centre) + along * reach, np.array(centre)
    aside = np.array([-along[1], along[0]]) * reach * stream.between(-0.22, 0.22)
    return _uneven(curve(start, (start + goal) / 2 + aside, goal), context)


def _uneven(line: Line, context: SymbolContext) -> LineString:
    """Return a line that deviates up to about 2 mm from its curve, with fixed ends."""
    stray = context.noise.at(line[:, 0], line[:, 1], way_size(26, context)) * elementary.sin(
        np.linspace(0, np.pi, len(line))
    )
    return LineString(line + normals(line) * (way_size(1.8, context) * stray)[:, None])


def _reach(ground: Polygon, centre: tuple[float, float], bearing: float) -> float:
    """Return the distance from the middle to the edge in a direction."""
    far = 2 * math.hypot(ground.bounds[2] - ground.bounds[0], ground.bounds[3] - ground.bounds[1])
    ray = LineString([centre, (centre[0] + far * math.cos(bearing), centre[1] + far * math.sin(bearing))])
    crossed = shapely.intersection(ray, ground.exterior)
    return float(Point(centre).distance(crossed)) if not crossed.is_empty else 0.0


def _outwards(street: Street, centre: tuple[float, float]) -> Measured:
    points = shapely.get_coordinates(street.line)
    return Measured.of(points[::-1] if math.dist(points[0], centre) > math.dist(points[-1], centre) else points)


def _bearing(street: Street, centre: tuple[float, float]) -> float:
    """Return the bearing of a street from the middle, measured half way out."""
    x, y = _outwards(street, centre).spot(street.line.length / 2)
    return math.atan2(y - centre[1], x - centre[0])
