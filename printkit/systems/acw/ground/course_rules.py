"""The rules of roads, railroads and streams, as rows: legs are placed by them, and ``check`` judges by them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import product, takewhile
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from shapely import LineString, MultiPoint, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.core.errors import Sentence
from printkit.kit.shape_rules import Measurement, Measurements, ShapeRule
from printkit.systems.acw.ground.checked_ground import CheckedGround, CheckedPiece, end_points, find_crossings
from printkit.systems.acw.ground.placement import ZonePlacement
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.terms.pieces import (
    ALL_HILLS,
    BEND_LENGTH,
    PLACES,
    ROADS,
    ROUTES,
    STEEP,
    STREAMS,
    TREES,
    WATERS,
    CourseClass,
    Piece,
)
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import (
    bend_radius,
    crossing_angle,
    line_bearing,
    line_points,
    sinuosity,
    turn_between,
)

# Tolerance in mm for the lengths of a course that is placed.
ROUNDING_MM: Final = 0.01

CourseRule: TypeAlias = ShapeRule[CheckedPiece, CheckedGround]

_SIDE_ROAD_TO: Final[Mapping[str, tuple[Piece, ...]]] = {"farm": (Piece.FARM, Piece.BUILDING), "trees": TREES}


def _find_self_crossing(course: CheckedPiece, _ground: CheckedGround) -> Measurements:
    if not course.line.is_simple:
        yield Measurement()


def _measure_ratios(course: CheckedPiece, ground: CheckedGround) -> Measurements:
    """Yield the ratio of a course in each zone; very short sections are not measured."""
    for zone, box in ground.boxes.items() if course.line.is_simple else ():
        part = course.line.intersection(box)
        merged = shapely.line_merge(part) if part.geom_type == "MultiLineString" else part
        for section in shapely.get_parts(merged):
            if isinstance(section, LineString) and section.length >= ground.part("stretch"):
                yield Measurement(sinuosity(section), words={"zone": zone})


def _find_intrusions(
    course: CheckedPiece, ground: CheckedGround, closed_pieces: Iterable[Piece]
) -> Iterator[tuple[CheckedPiece, float]]:
    """Yield the pieces that a course enters, with its length inside, in mm on the board."""
    for piece in ground.select(*closed_pieces):
        length = course.line.intersection(piece.shape).length
        if length > ground.touch:
            yield piece, length


def _measure_intrusions(closed_to: CourseClass, course: CheckedPiece, ground: CheckedGround) -> Measurements:
    for piece, length in _find_intrusions(course, ground, ground.place_rules.find_closed_to(closed_to)):
        if piece.piece not in STEEP or course.piece is not Piece.TRACK:
            yield Measurement(words={"bar": piece.id, "length": length})


def _measure_climbs(route: CheckedPiece, ground: CheckedGround) -> Measurements:
    for hill, _ in _find_intrusions(route, ground, STEEP) if route.piece is Piece.TRACK else ():
        rim = LineString(hill.shape.exterior.coords)
        for crossing in find_crossings(route.line, rim):
            yield Measurement(crossing_angle(crossing, route.line, rim), words={"hill": hill.id})


def _find_crossed_cliffs(route: CheckedPiece, ground: CheckedGround) -> Measurements:
    for hill in ground.select(*ALL_HILLS):
        if any(face.kind is Kind.CLIFF and face.line.intersects(route.line) for face in hill.faces):
            yield Measurement(words={"hill": hill.id})


def _find_water_edge(route: CheckedPiece, ground: CheckedGround) -> Measurements:
    edge = ground.water_edge
    if edge is not None and (
        route.line.intersection(ground.water).length > ground.touch
        or route.line.distance(ground.edge(edge)) < ground.touch
    ):
        yield Measurement()


def _measure_marks(route: CheckedPiece, ground: CheckedGround) -> Measurements:
    """Yield the distance of each crossing from its nearest mark, less the widths of both courses."""
    for other in ground.select(*STREAMS, *(() if route.piece is Piece.RAILROAD else (Piece.RAILROAD,))):
        marks = [mark.at for mark in ground.crossings if {mark.route, mark.water} == {route.id, other.id}]
        for point in find_crossings(route.line, other.line):
            distance = min(map(point.distance, marks), default=math.inf)
            words = {"other": other.id, "x": point.x, "y": point.y}
            yield Measurement(distance - route.width - other.width, words=words)


def _find_loose_ends(course: CheckedPiece, ground: CheckedGround, targets: Iterable[BaseGeometry]) -> list[Point]:
    """Return the ends of a course that are not on a table edge or on one of ``targets``."""
    edge, shapes = ground.playing_area.exterior, list(targets)
    return [
        end
        for end in end_points(course.line)
        if end.distance(edge) >= ground.touch and all(end.distance(shape) >= ground.meets for shape in shapes)
    ]


def _find_road_ends(road: CheckedPiece, ground: CheckedGround) -> Measurements:
    homes = (*PLACES, Piece.FARM, Piece.BUILDING, *TREES)
    for end in _find_loose_ends(road, ground, (one.line for one in ground.select(*ROADS) if one is not road)):
        zone = min(ground.boxes, key=lambda zone: (ground.boxes[zone].distance(end), zone))
        is_home = any(end.distance(home.shape) < ground.part("end_reach") for home in ground.select(*homes))
        if not is_home and zone not in _find_open_zones(ground):
            yield Measurement(words={"zone": zone, "x": end.x, "y": end.y})


def _find_open_zones(ground: CheckedGround) -> set[int]:
    """Return the zones where a road may end on open ground: by the graph, or because a piece had no room.

    It is empty without a graph.
    """
    if ground.facts.graph is None:
        return set()
    recorded_ends, side_roads = ground.facts.graph.ends("roads"), ground.facts.side_roads
    places = {end.at for end in recorded_ends if end.target == "place" and end.at is not None}
    return {
        *(end.zone for end in recorded_ends if end.target == "open"),
        *(zone for zone in places if not any(ground.in_zone(zone, *PLACES))),
        *(zone for zone, target in side_roads if target == "open"),
        *(
            zone
            for zone, target in side_roads
            if target in _SIDE_ROAD_TO and not any(ground.in_zone(zone, *_SIDE_ROAD_TO[target]))
        ),
    }


def _find_missing_junctions(road: CheckedPiece, ground: CheckedGround) -> Measurements:
    marks = [mark.at for mark in ground.crossings if mark.kind is Kind.JUNCTION]
    for other, end in product(ground.select(*ROADS), end_points(road.line)):
        is_inside = (
            other is not road
            and end.distance(other.line) < ground.touch
            and min(map(end.distance, end_points(other.line))) > ground.meets
        )
        # Records without rolls need no junctions.
        if is_inside and ground.facts.zones and not any(end.distance(mark) < ground.meets for mark in marks):
            yield Measurement(words={"other": other.id})


def _measure_radius(rail: CheckedPiece, ground: CheckedGround) -> Measurements:
    yield Measurement(bend_radius(rail.line, BEND_LENGTH * ground.unit) / ground.unit)


def _find_rail_ends(rail: CheckedPiece, ground: CheckedGround) -> Measurements:
    others = (one.line for one in ground.select(Piece.RAILROAD) if one is not rail)
    for end in _find_loose_ends(rail, ground, others):
        yield Measurement(words={"x": end.x, "y": end.y})


def _measure_sway(piece: Piece, stream: CheckedPiece, ground: CheckedGround) -> Measurements:
    """Yield how far a stream of a type leaves the chord between its ends, as a fraction of its length.

    A long stream may wind and stay near its chord, so its halves and their halves count too, down to the least length.
    """
    min_length = ground.part("winding_over")
    if stream.piece is not piece or stream.line.length <= min_length:
        return
    pending, max_share = [stream.line], 0.0
    while pending:
        line = pending.pop()
        chord = LineString([line.coords[0], line.coords[-1]])
        max_share = max(
            max_share, float(np.max(shapely.distance(chord, shapely.points(line_points(line)))) / line.length)
        )
        if line.length / 2 > min_length:
            pending += [substring(line, *ends, normalized=True) for ends in ((0.0, 0.5), (0.5, 1.0))]
    yield Measurement(max_share)


def _find_stream_ends(stream: CheckedPiece, ground: CheckedGround) -> Measurements:
    waters = (one.shape for one in ground.select(*STREAMS, Piece.SWAMP, Piece.POOL, *WATERS) if one is not stream)
    if len(_find_loose_ends(stream, ground, waters)) == 2:
        ends, reach = MultiPoint(end_points(stream.line)), ground.part("end_reach")
        is_head = any(ends.distance(hill.shape) < reach for hill in ground.select(*ALL_HILLS))
        kind = Sentence("starts at a hill, but") if is_head else Sentence("neither starts nor ends anywhere: it")
        yield Measurement(words={"kind": kind})


def _measure_confluences(stream: CheckedPiece, ground: CheckedGround) -> Measurements:
    """Yield the distance of each meeting from the ends of both streams, less the width of the wider one."""
    # Each pair is measured once, for the first of both.
    for other in takewhile(lambda one: one is not stream, reversed(list(ground.select(*STREAMS)))):
        tips = MultiPoint([*end_points(stream.line), *end_points(other.line)])
        for point in find_crossings(stream.line, other.line):
            words = {"other": other.id, "x": point.x, "y": point.y}
            yield Measurement(point.distance(tips) - max(stream.width, other.width), words=words)


def _build_ratio_rule(number: str) -> CourseRule:
    """Return the rule of the length in a zone; ``number`` is its limit."""
    return ShapeRule(
        "AC-G08",
        "length in a zone, as a multiple of the straight distance",
        _measure_ratios,
        says="{it} is {found:.2f} times as long as a straight line in zone {zone}; the maximum is {limit:g}",
        maximum=number,
    )


_NO_LOOP: Final[CourseRule] = ShapeRule(
    "AC-G08", "does not cross itself", _find_self_crossing, says="{it} crosses itself"
)
_ROAD_LENGTH: Final = _build_ratio_rule("longest_road")
_STREAM_LENGTH: Final = _build_ratio_rule("longest_stream")
_RADIUS: Final[CourseRule] = ShapeRule(
    "AC-F26",
    "radius of the bends, as a share of the shorter side of a zone",
    _measure_radius,
    minimum="rail_radius",
)
OFF_HILLS: Final[CourseRule] = ShapeRule(
    "AC-G06",
    "does not run through hills, settlements, houses or rocks",
    partial(_measure_intrusions, CourseClass.STREAMS),
    says="{it} runs through {bar} for {length:.0f} mm",
)

_ROUTE_RULES: Final[tuple[CourseRule, ...]] = (
    ShapeRule(
        "AC-G05",
        "does not run through pools, rocks, edge water or, unless it is a track, steep hills",
        partial(_measure_intrusions, CourseClass.ROUTES),
        says="{it} runs through {bar} for {length:.0f} mm",
    ),
    ShapeRule(
        "AC-G05",
        "angle of a track to the contour of a steep hill",
        _measure_climbs,
        says="{it} climbs {hill} too steeply: {found:.0f}° to the contour, limit {limit:.0f}°",
        maximum="climb",
    ),
    ShapeRule("AC-G05", "does not cross a cliff", _find_crossed_cliffs, says="{it} crosses the cliff of {hill}"),
    ShapeRule("AC-N13", "does not run to the water edge", _find_water_edge, says="{it} runs to the water edge"),
    ShapeRule(
        "AC-N40",
        "distance of a crossing from its mark, in addition to the widths of both courses",
        _measure_marks,
        says="{it} crosses {other} at {x:.0f}, {y:.0f} mm without a ford, bridge or crossing",
        maximum="crossing_near",
        also=("AC-F39",),
    ),
)

_ROAD_RULES: Final[tuple[CourseRule, ...]] = (
    _ROAD_LENGTH,
    ShapeRule(
        "AC-N14",
        "ends at an edge of the table, a road, a settlement, a farm or trees",
        _find_road_ends,
        says="{it} ends on open ground in zone {zone}, at {x:.0f}, {y:.0f} mm",
        also=("AC-211",),
    ),
    ShapeRule(
        "AC-N14",
        "has a junction where it ends on another road",
        _find_missing_junctions,
        says="{it} meets {other} without a junction",
    ),
)

_RAIL_RULES: Final[tuple[CourseRule, ...]] = (
    _RADIUS,
    _build_ratio_rule("longest_rail"),
    ShapeRule(
        "AC-N31",
        "ends at an edge of the table or another railroad",
        _find_rail_ends,
        says="{it} ends on open ground, at {x:.0f}, {y:.0f} mm",
        also=("AC-211",),
    ),
)

_STREAM_RULES: Final[tuple[CourseRule, ...]] = (
    OFF_HILLS,
    _STREAM_LENGTH,
    ShapeRule(
        "AC-N24",
        "has at most one end on open ground",
        _find_stream_ends,
        says="{it} {kind} does not run off the table or into water",
        also=("AC-211",),
    ),
    ShapeRule(
        "AC-N26",
        "distance of a meeting of two streams from an end of one, in addition to the width of the wider one",
        _measure_confluences,
        says="{it} and {other} cross at {x:.0f}, {y:.0f} mm",
        maximum="meets",
    ),
    *(
        ShapeRule(
            clause,
            "distance from the straight line between the ends, as a share of the length",
            partial(_measure_sway, piece),
            minimum="winding_sway",
        )
        for clause, piece in (("AC-F18", Piece.STREAM), ("AC-F19", Piece.CREEK))
    ),
)

# The rules of courses by the pieces to which they apply.
COURSE_RULES: Final[dict[tuple[Piece, ...], tuple[CourseRule, ...]]] = {
    (*ROUTES, *STREAMS): (_NO_LOOP,),
    ROUTES: _ROUTE_RULES,
    ROADS: _ROAD_RULES,
    (Piece.RAILROAD,): _RAIL_RULES,
    STREAMS: _STREAM_RULES,
}


# These rules refuse a new line in a zone. A branch of a railroad may use the tolerance for its length.
_LEG_RULES: Final[Mapping[Piece, tuple[CourseRule, ...]]] = {
    **dict.fromkeys(ROADS, (_NO_LOOP, _ROAD_LENGTH)),
    **dict.fromkeys(STREAMS, (_NO_LOOP, _STREAM_LENGTH)),
    Piece.RAILROAD: (_NO_LOOP, _RADIUS),
}


def keeps_rules(
    placement: ZonePlacement, zone: int, piece: Piece, line: LineString, rules: Iterable[CourseRule] = ()
) -> bool:
    """Return whether a new course in a zone, a line in mm on the board, keeps the rules for its piece, or ``rules``."""
    measure = placement.measure(piece)
    width = (measure.width or 0.0) * placement.unit
    feature = Course(id="", kind=measure.kind, line=line, width=width, going=measure.going)
    pieces = (CheckedPiece(piece=one.piece, zone=one.zone, feature=one.feature) for one in placement.placed)
    course = CheckedPiece(piece=piece, zone=zone, feature=feature)
    ground = CheckedGround(
        rules=placement.rules,
        grid=placement.laying.grid,
        profile=placement.profile,
        all_pieces=tuple(pieces),
        boxes={zone: placement.sites[zone].box},
        rounding_mm=ROUNDING_MM,
    )
    return not any(True for rule in rules or _LEG_RULES[piece] for _ in rule.find_faults(course, ground))


class SideCrossings(NamedTuple):
    """The crossings of all courses of a class, such as roads, over a side between two zones.

    ``id`` is the least piece of the class, ``words`` have both zones, and ``shares`` the positions along the side.
    """

    id: str
    words: Mapping[str, object]
    shares: list[float]


def find_side_crossings(ground: CheckedGround) -> Iterator[SideCrossings]:
    """Yield the crossings of roads, streams and railroads over each side between two zones."""
    for pieces in (ROADS, STREAMS, (Piece.RAILROAD,)):
        lines = ground.lines(*pieces)
        for zone in ground.boxes:
            for line, other in ((ground.side(zone, side), other) for side, other in ground.grid.neighbours(zone)):
                if zone < other:
                    shares = [line.project(point) / line.length for point in find_crossings(lines, line)]
                    yield SideCrossings(pieces[0].key, {"zone": zone, "other": other}, shares)


def _count_crossings(side: SideCrossings, _ground: CheckedGround) -> Measurements:
    if len(side.shares) > 1:
        yield Measurement(words={**side.words, "count": len(side.shares)})


def _measure_shares(side: SideCrossings, _ground: CheckedGround) -> Measurements:
    yield from (Measurement(share, words=side.words) for share in side.shares)


SIDE_RULES: Final[tuple[ShapeRule[SideCrossings, CheckedGround], ...]] = (
    ShapeRule(
        "AC-G07",
        "roads, streams and railroads cross it once each",
        _count_crossings,
        says="{it} and similar features cross the border between zones {zone} and {other} {count} times",
    ),
    ShapeRule(
        "AC-G07",
        "position of a crossing along the side",
        _measure_shares,
        minimum="side_crossing_min",
        says="{it} or a similar feature crosses the border between zones {zone} and {other} at {found:.2f} of its "
        "length; at least {limit:g}",
    ),
    ShapeRule(
        "AC-G07",
        "position of a crossing along the side",
        _measure_shares,
        maximum="side_crossing_max",
        says="{it} or a similar feature crosses the border between zones {zone} and {other} at {found:.2f} of its "
        "length; at most {limit:g}",
    ),
)

_MARK_KINDS: Final = (Kind.FORD, Kind.BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING)


def find_marks(ground: CheckedGround) -> Iterator[Crossing]:
    """Yield the fords, bridges and level crossings of a table."""
    return (mark for mark in ground.crossings if mark.kind in _MARK_KINDS)


def _find_joined(mark: Crossing, ground: CheckedGround) -> Iterator[tuple[CheckedPiece, CheckedPiece]]:
    """Yield the upper and the lower course of a mark; nothing if they are not both on the table."""
    courses = {piece.id: piece for piece in ground.all_pieces if isinstance(piece.feature, Course)}
    if mark.route in courses and mark.water in courses:
        yield courses[mark.route], courses[mark.water]


def _find_missing_courses(mark: Crossing, ground: CheckedGround) -> Measurements:
    if not any(_find_joined(mark, ground)):
        yield Measurement(words={"way": mark.route, "water": mark.water})


def _find_wrong_kind(mark: Crossing, ground: CheckedGround) -> Measurements:
    for route, water in _find_joined(mark, ground):
        rows = CrossingRules.from_rules(ground.rules).rows
        kinds = (kind for overs, unders, kind in rows if route.piece in overs and water.piece in unders)
        expected_kind = next(kinds, None)
        # A road without a roll may be an unfenced road, which crosses a stream by a ford.
        is_ford = mark.kind is Kind.FORD and route.piece is Piece.ROAD and route.roll is None
        if mark.kind is not expected_kind and not is_ford:
            words = {"kind": mark.kind, "way": route.piece.value, "water": water.piece.value}
            yield Measurement(words={**words, "wanted": expected_kind or Sentence("nothing")})


def _measure_mark_distance(mark: Crossing, ground: CheckedGround) -> Measurements:
    for joined in _find_joined(mark, ground):
        yield Measurement(max(mark.at.distance(course.line) for course in joined))


def _measure_mark_turn(mark: Crossing, ground: CheckedGround) -> Measurements:
    for route, _ in _find_joined(mark, ground):
        bearing = line_bearing(route.line, route.line.project(mark.at), ground.rules.length("crossing_near"))
        yield Measurement(min(turn_between(bearing + turn, mark.bearing) for turn in (0.0, 180.0)))


MARK_RULES: Final[tuple[ShapeRule[Crossing, CheckedGround], ...]] = (
    ShapeRule(
        "AC-N40",
        "joins two courses that are on the table",
        _find_missing_courses,
        says="{it} joins {way} and {water}, which are not both on the table",
        also=("AC-F39",),
    ),
    ShapeRule(
        "AC-N40",
        "is the mark that the types of both courses require",
        _find_wrong_kind,
        says="{it} is a {kind}, but a {way} crosses a {water} by a {wanted}",
        also=("AC-F39",),
    ),
    ShapeRule(
        "AC-N40",
        "distance from both courses",
        _measure_mark_distance,
        maximum="meets",
        also=("AC-F39",),
    ),
    ShapeRule(
        "AC-N40",
        "turn from the direction of its road or railroad",
        _measure_mark_turn,
        maximum="crossing_turn",
        also=("AC-F39",),
    ),
)
