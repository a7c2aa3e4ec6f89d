"""Settings for each kind of settlement, and its streets: continuations of roads, side streets, and lanes.

Source: the cartography, 9.9, 10.9 and 20.1. Lengths are mm at 1:1, for houses of the usual size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import numpy as np
import shapely
from msgspec import Struct, convert
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.resources import template
from printkit.drawing.canvas.shapes import Line, lines, normals, resampled, ribbon, tangents
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.lines.course_lines import TOUCH, MeasuredLine, courses, drawn_width, scale_road_width
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind


class Lanes(StrEnum):
    """The lanes between the streets of a settlement."""

    NONE = "none"
    SOME = "some"
    RING = "ring"


class SettlementType(Struct, frozen=True, kw_only=True):
    """Settings for one kind of settlement. Lengths and areas are in mm and mm² at 1:1.

    Attributes:
        least_houses: least number of houses.
        most_houses: greatest number of houses; None fills the ground with houses of the usual size.
        room: mm² of ground per house. Larger or smaller ground makes larger or smaller houses.
        widths: widths of the street of the first road, of those of other roads, of side streets and of lanes.
        widest: greatest angle between neighbouring streets, in degrees; a full turn means no side streets.
        churches: sizes to try for the church; empty for no church.
        churchyard: greatest share of the ground for the churchyard.
        village: whether the church is a meeting house and there may be a mill and a tavern.
        market_from: least ground in mm² with a market place and a well.
        market: half the length of the market place, as a share of the side of a square with the ground's area.
        market_instead: whether a market place replaces a church that does not fit.
        gaps: least and greatest distance between neighbouring houses on a street.
        setback: least and greatest distance from the street to its houses.
        shares: shares of the usual frontage and depth, tried in order until a house fits.
        infill: sizes of houses away from the streets, placed before gardens.
        afterwards: sizes of houses away from the streets, placed after gardens.
        walled: whether there is a town wall with towers and gates.
    """

    least_houses: int
    most_houses: int | None = None
    room: float
    widths: tuple[float, float, float, float] = (7.0, 6.4, 5.4, 4.6)
    widest: float = 360.0
    lanes: Lanes = Lanes.NONE
    churches: tuple[float, ...] = ()
    churchyard: float = 0.16
    village: bool = False
    market_from: float = math.inf
    market: float = 0.15
    market_instead: bool = False
    gaps: tuple[float, float] = (0.5, 2.4)
    setback: tuple[float, float] = (1.0, 2.2)
    shares: tuple[float, ...] = (1.0,)
    infill: tuple[float, ...] = ()
    afterwards: tuple[float, ...] = ()
    walled: bool = False


# Settings for every kind of settlement where roads continue as streets, by the name of the kind.
SETTLINGS: Final = convert(template("symbols", "settlements"), dict[str, SettlementType])


def get_settlement_type(kind: Kind, *, cells: bool) -> SettlementType:
    """Return the settings for a kind of settlement.

    Args:
        kind: the kind of settlement.
        cells: whether the board has grid cells. On cells a settlement is a few houses; elsewhere it is a village.

    Raises:
        KeyError: the kind is not a settlement.
    """
    return SETTLINGS["village_settlement" if kind is Kind.SETTLEMENT and not cells else kind]


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
    """The entry of a road: its last piece, which ends on the outline, and its width, both in printed mm."""

    approach: tuple[tuple[float, float], ...]
    width: float


class Street(Struct, frozen=True, kw_only=True):
    """A street from the edge of the ground to the centre, or between two other streets.

    Attributes:
        line: its centre line in printed mm.
        width: its width in printed mm.
        mouth: width of the road that it continues, in printed mm; 0 without a road.
        lead: length of the line in printed mm that is still on the road, before the ground begins.
        main: whether it has ruts.
    """

    line: LineString
    width: float
    mouth: float = 0.0
    lead: float = 0.0
    main: bool = False

    def ground(self, casing: float = 0.0) -> BaseGeometry:
        """Return the ground of the street in printed mm, ``casing`` mm smaller on each side.

        If the street continues a wider road, its width narrows from the road's to its own.
        """
        if self.mouth <= self.width:
            cap = "flat" if self.main else "round"
            return self.line.buffer(self.width / 2 - casing, quad_segs=8, cap_style=cap)
        points = resampled(self.line, 1.0)
        distances = MeasuredLine.from_line(points).distances - self.lead
        share = np.clip(distances / min(_FUNNEL * self.mouth, 0.8 * float(distances[-1])), 0, 1)
        smooth_share = share * share * (3 - 2 * share)
        return ribbon(points, self.mouth + (self.width - self.mouth) * smooth_share - 2 * casing)


def find_gates(ground: Polygon, field: Battlefield, context: SymbolContext) -> list[Gate]:
    """Return the entries of roads that end inside the ground or run through it, in printed mm.

    There is one for each point where a road crosses the edge of the ground. The list is empty if no road enters.
    """
    gate_list: list[Gate] = []
    for course in courses(field, *ENTERING):
        course_line = MeasuredLine.from_line(course.line)
        width = drawn_width(course, context)
        for inside in lines(shapely.intersection(course.line, ground)):
            for end, outwards in ((inside.coords[0], -1), (inside.coords[-1], 1)):
                if ground.exterior.distance(Point(end)) < TOUCH:
                    edge_position = course.line.project(Point(end))
                    outer_position = edge_position + outwards * _APPROACH * width
                    piece = course_line.cut(min(edge_position, outer_position), max(edge_position, outer_position))[
                        ::-outwards
                    ]
                    gate_list.append(Gate(approach=tuple((float(x), float(y)) for x, y in piece), width=width))
    return gate_list


def make_streets(
    ground: Polygon, entries: Sequence[Gate], settling: SettlementType, context: SymbolContext, stream: Stream
) -> list[Street]:
    """Return the streets that meet in the middle, ordered by bearing, in printed mm.

    There is one from every gate. Up to nine streets, more are added until no angle between neighbours exceeds that of
    ``settling``. With one gate, the second street runs on from the first; with no gate, the first two run along the
    ground's long axis.

    Args:
        ground: outline of the settlement.
        entries: the gates of roads; may be empty.
        settling: gives the widths and the greatest angle.
        context: gives the scale.
        stream: random stream for directions and bends.
    """
    centre = find_middle(ground)
    first_width, other_width, side_width, _ = settling.widths
    street_list = [
        _make_gate_street(gate, centre, other_width if number else first_width, context)
        for number, gate in enumerate(entries)
    ]
    if not street_list:
        axis = find_long_axis(ground)
        street_list = [
            _make_main_street(ground, centre, axis + turn, other_width, context, stream) for turn in (0.0, math.pi)
        ]
    elif len(street_list) == 1:
        street_list.append(
            _make_main_street(
                ground, centre, _compute_bearing(street_list[0], centre) + math.pi, other_width, context, stream
            )
        )
    all_bearings = [_compute_bearing(street, centre) for street in street_list]
    while True:
        order = np.argsort(all_bearings, kind="stable").tolist()
        street_list, bearings = [street_list[index] for index in order], [all_bearings[index] for index in order]
        gaps = np.diff([*bearings, bearings[0] + 2 * math.pi])
        widest = int(np.argmax(gaps))
        if gaps[widest] <= math.radians(settling.widest) or len(street_list) >= _MOST:
            return street_list
        bearing = bearings[widest] + gaps[widest] / 2 + stream.between(-0.28, 0.28)
        # Side streets leave the main street away from the middle, because an even cross does not look like a town.
        main_street = street_list[stream.draw_index(2)]
        start = _measure_outwards(main_street, centre).point_at(
            min(0.3 * main_street.line.length, context.size(stream.between(0, 16)))
        )
        line = _make_line_from_edge(ground, start, bearing, context.size(5.0), context, stream)
        street_list.append(Street(line=line, width=scale_road_width(side_width, context)))
        all_bearings = [*bearings, _compute_bearing(street_list[-1], centre)]


def make_lanes(
    ground: Polygon,
    main_streets: Sequence[Street],
    blocked_area: BaseGeometry,
    settling: SettlementType,
    context: SymbolContext,
    stream: Stream,
) -> list[Street]:
    """Return at most one lane between each street and the next by bearing, curved outwards, in printed mm.

    It is between points about half way along both streets. There is no lane where the angle or the reach of the ground
    is too small, or where it comes near ``blocked_area``. Lanes.RING starts adjacent lanes at the same points;
    otherwise short lanes are left out at random. Lanes.NONE returns [].

    Args:
        ground: outline of the settlement, in printed mm.
        main_streets: streets in the order of their bearings from the middle, as from ``make_streets``.
        blocked_area: area that lanes avoid, in printed mm.
        settling: gives the kind of lanes and their width.
        context: gives the scale.
        stream: random stream.
    """
    centre = find_middle(ground)
    lane_list: list[Street] = []
    if settling.lanes is Lanes.NONE:
        return lane_list
    ring = settling.lanes is Lanes.RING
    joints = [stream.between(0.54, 0.62) for _ in main_streets] if ring else []
    min_reach = context.size(_LEAST_RING_REACH if ring else _LEAST_LANE_REACH)
    bearings = [_compute_bearing(street, centre) for street in main_streets]
    for number, street in enumerate(main_streets):
        next_number = (number + 1) % len(main_streets)
        following = main_streets[next_number]
        gap = (bearings[next_number] - bearings[number]) % (2 * math.pi) or 2 * math.pi
        share = (joints[number], joints[next_number]) if ring else (stream.between(0.5, 0.6), stream.between(0.5, 0.6))
        bearing = bearings[number] + gap / 2
        reach = _measure_reach(ground, centre, bearing)
        is_spared = not ring and stream.draw_unit() < _SPARED and reach < 1.6 * min_reach
        if is_spared or gap < _LEAST_LANE_SECTOR or reach < min_reach:
            continue
        first, last = (
            _measure_outwards(street_item, centre).at(street_share * street_item.line.length)[0]
            for street_item, street_share in zip((street, following), share, strict=True)
        )
        bow = np.array(centre) + 0.62 * reach * np.array([math.cos(bearing), math.sin(bearing)])
        lane = _make_uneven(make_curve(first, 2 * bow - (first + last) / 2, last), context)
        if not lane.buffer(context.size(4)).intersects(blocked_area):
            lane_list.append(Street(line=lane, width=scale_road_width(settling.widths[3], context)))
    return lane_list


def find_middle(ground: Polygon) -> tuple[float, float]:
    """Return the point where the streets meet, as x and y in printed mm.

    It is the centroid, or an inner point if the centroid is outside.
    """
    point = ground.centroid if ground.contains(ground.centroid) else ground.representative_point()
    return float(point.x), float(point.y)


def find_long_axis(shape: BaseGeometry) -> float:
    """Return the direction of the long side of the smallest box around a shape, in radians.

    It is between -pi/2 and pi/2.
    """
    corners = shapely.get_coordinates(shape.minimum_rotated_rectangle)[:3]
    sides = np.diff(corners, axis=0)
    x, y = sides[int(np.argmax(np.hypot(sides[:, 0], sides[:, 1])))]
    angle = math.atan2(float(y), float(x))
    return angle - math.pi * round(angle / math.pi)


def make_curve(first: Line, bow: Line, last: Line) -> Line:
    """Return 33 points of a quadratic curve from ``first`` to ``last``, a 33 x 2 array in printed mm.

    ``bow`` is its control point; each of the three is an array (x, y).
    """
    positions = np.linspace(0, 1, 33)[:, None]
    return np.asarray((1 - positions) ** 2 * first + 2 * positions * (1 - positions) * bow + positions**2 * last)


def _make_gate_street(gate: Gate, centre: tuple[float, float], width: float, context: SymbolContext) -> Street:
    """Return a street that continues a road from before the outline and bends to the middle.

    Coordinates are in printed mm; ``width`` is the street's greatest width in mm at 1:1.
    """
    approach, goal = np.array(gate.approach), np.array(centre)
    edge_point, inward = approach[-1], tangents(approach)[-1]
    inside = _make_uneven(
        make_curve(edge_point, edge_point + inward * float(np.hypot(*(goal - edge_point))) * 0.5, goal), context
    )
    line = LineString(np.vstack([approach[:-1], shapely.get_coordinates(inside)]))
    street_width = min(gate.width, scale_road_width(width, context))
    return Street(line=line, width=street_width, mouth=gate.width, lead=line.length - inside.length, main=True)


def _make_main_street(
    ground: Polygon, centre: tuple[float, float], bearing: float, width: float, context: SymbolContext, stream: Stream
) -> Street:
    """Return a main street without a road, as wide as the streets of roads.

    Args:
        ground: outline of the settlement, in printed mm.
        centre: the point where the streets meet.
        bearing: its direction from the centre, in radians.
        width: its width in mm at 1:1.
        context: gives the scale.
        stream: random stream for its bend.
    """
    line = _make_line_from_edge(ground, centre, bearing, context.size(1.2), context, stream)
    return Street(line=line, width=scale_road_width(width, context), main=True)


def _make_line_from_edge(
    ground: Polygon, centre: tuple[float, float], bearing: float, short: float, context: SymbolContext, stream: Stream
) -> LineString:
    """Return a slightly curved line from ``short`` mm inside the ground's edge to the middle.

    Everything is in printed mm; ``bearing`` is the direction from ``centre``, in radians.
    """
    direction = np.array([math.cos(bearing), math.sin(bearing)])
    full_reach = _measure_reach(ground, centre, bearing)
    reach = max(full_reach - short, _LEAST_STREET * full_reach)
    start, goal = np.array(centre) + direction * reach, np.array(centre)
    sideways = np.array([-direction[1], direction[0]]) * reach * stream.between(-0.22, 0.22)
    return _make_uneven(make_curve(start, (start + goal) / 2 + sideways, goal), context)


def _make_uneven(line: Line, context: SymbolContext) -> LineString:
    """Return a line that deviates up to about 2 mm at 1:1 from its curve, with fixed ends, in printed mm.

    ``line`` is an n x 2 array. The deviation comes from the noise of the map.
    """
    deviation = context.noise.at(line[:, 0], line[:, 1], scale_road_width(26, context)) * exact_math.sin(
        np.linspace(0, np.pi, len(line))
    )
    return LineString(line + normals(line) * (scale_road_width(1.8, context) * deviation)[:, None])


def _measure_reach(ground: Polygon, centre: tuple[float, float], bearing: float) -> float:
    """Return the distance in printed mm from the middle to the edge of the ground in one direction.

    ``centre`` is the middle, and ``bearing`` is in radians. The result is 0 if there is no edge in that direction.
    """
    ray_length = 2 * math.hypot(ground.bounds[2] - ground.bounds[0], ground.bounds[3] - ground.bounds[1])
    ray = LineString([centre, (centre[0] + ray_length * math.cos(bearing), centre[1] + ray_length * math.sin(bearing))])
    edge_point = shapely.intersection(ray, ground.exterior)
    return float(Point(centre).distance(edge_point)) if not edge_point.is_empty else 0.0


def _measure_outwards(street: Street, centre: tuple[float, float]) -> MeasuredLine:
    """Return the line of a street from its end near the middle outwards, with distances in printed mm."""
    points = shapely.get_coordinates(street.line)
    return MeasuredLine.from_line(
        points[::-1] if math.dist(points[0], centre) > math.dist(points[-1], centre) else points
    )


def _compute_bearing(street: Street, centre: tuple[float, float]) -> float:
    """Return the bearing of a street from the middle in radians, measured half way out.

    It is anticlockwise from the x axis, from -pi to pi.
    """
    x, y = _measure_outwards(street, centre).point_at(street.line.length / 2)
    return math.atan2(y - centre[1], x - centre[0])
