"""Check courses against the graph and as lines: ground that they avoid, their crossings and ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise, permutations, product
from typing import Final

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.judge.case import (
    ALL_HILLS,
    ROUTES,
    STEEP,
    AcwCase,
    Check,
    CheckedPiece,
    combine_checks,
    end_points,
    find_crossings,
)
from printkit.systems.acw.judge.positions import require_shapes
from printkit.systems.acw.terms.facts import RecordedEnd, parse_end
from printkit.systems.acw.terms.pieces import PLACES, ROADS, STREAMS, TREES, WATERS, Piece
from printkit.systems.acw.terms.plan import ZoneAxis
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import crossing_angle, sinuosity

# --- Check courses against the graph of their record ------------------------------------------------------------------


def check_recorded_ends(name: str, part: str, pieces: Sequence[Piece], case: AcwCase) -> Faults:
    """Check that courses reach the ends in the graph: edges, water, towns, hills.

    Args:
        name: ``roads`` or ``streams``.
        part: the list of ends: ``ends``, ``mouths`` or ``sources``.
        pieces: the types of these courses.
        case: the record to check.
    """
    lines = case.layout.lines(*pieces)
    for zone, text in getattr(getattr(case.graph, name), part):
        target = _find_target(case, parse_end(zone, text))
        if target is None or target.is_empty:
            continue
        distance = math.inf if lines.is_empty else lines.distance(target)
        if distance > case.part("end_reach"):
            yield Sentence(
                "{name}: nothing reaches {text} of zone {zone}; {off:.0f} mm are missing",
                name=name,
                text=text,
                zone=zone,
                off=distance,
            )


def _find_target(case: AcwCase, end: RecordedEnd) -> BaseGeometry | None:
    """Return the shape that a course should end at, in mm on the board, or None if there is none on the board.

    It is a side of a zone, water, or the places, hills, swamps or pools in a zone.
    """
    ground, last = case.layout, end.via[-1] if end.via else end.zone
    match end.target:
        case "edge" if end.side in ground.grid.edges(last):
            return ground.side(last, end.side)
        case "water" if not ground.water.is_empty:
            return ground.water.intersection(ground.boxes[last])
        case "place" if end.at is not None:
            shapes = [piece.shape for piece in ground.in_zone(end.at, *PLACES) if piece.piece is end.piece]
        case "foot":
            shapes = [piece.shape for piece in ground.in_zone(end.zone, *ALL_HILLS)]
        case "swamp" | "pool":
            box = ground.boxes[end.zone]
            shapes = [
                shape for piece in ground.select(Piece[end.target.upper()]) if (shape := piece.shape & box).area > 0
            ]
        case _:
            return None
    return shapely.union_all(shapes) if shapes else None


def steps(name: str, pieces: Sequence[Piece], case: AcwCase) -> Faults:
    """Check that courses cross every zone side that a link of the graph crosses.

    ``name`` is ``roads`` or ``streams``; ``pieces`` are the types of these courses.
    """
    ground, lines = case.layout, case.layout.lines(*pieces)
    inner = {zone: lines.intersection(box.buffer(-case.touch)) for zone, box in ground.boxes.items()}
    for path in getattr(case.graph, name).links:
        # The checks of the graph report links that skip a zone.
        for one, other in (pair for pair in pairwise(path) if ground.grid.distance(*pair) == 1):
            side = ground.side(one, ground.grid.side_between(one, other))
            if not all(inner[zone].dwithin(side, 2 * case.touch) for zone in (one, other)):
                yield Sentence(
                    "no {key} or similar feature connects zones {one} and {other}",
                    key=pieces[0].key,
                    one=one,
                    other=other,
                )


def check_creek_edges(case: AcwCase) -> Faults:
    """Check AC-N30: the creek enters and leaves the table by the edges of its path.

    Raises:
        UnseenError: the table has no creek.
    """
    creek, ground = case.creek, case.layout
    if creek is None:
        raise UnseenError("no creek crosses the table")
    lines = ground.lines(Piece.CREEK)
    for zone, side in ((creek.path[0], creek.entry), (creek.path[-1], creek.exit)):
        if lines.is_empty or lines.distance(ground.side(zone, side)) > case.touch:
            yield Sentence("the creek does not reach edge {side} of zone {zone}", side=side, zone=zone)


# The checks by clause that compare lines with the graph.
RECORDED_END_CHECKS: Final[Mapping[str, Check]] = {
    "AC-N02": require_shapes(combine_checks(partial(steps, "roads", ROADS), partial(steps, "streams", STREAMS))),
    "AC-N10": require_shapes(partial(check_recorded_ends, "roads", "ends", ROADS)),
    "AC-N11": require_shapes(partial(check_recorded_ends, "roads", "ends", ROADS)),
    "AC-N20": require_shapes(partial(check_recorded_ends, "streams", "mouths", STREAMS)),
    "AC-N25": require_shapes(partial(check_recorded_ends, "streams", "sources", STREAMS)),
    "AC-N30": require_shapes(check_creek_edges),
}


_COURSES: Final = (*ROUTES, *STREAMS)
_RATIO_NAMES: Final = {
    **dict.fromkeys(ROADS, "longest_road"),
    **dict.fromkeys(STREAMS, "longest_stream"),
    Piece.RAILROAD: "longest_rail",
}

_SIDE_ROAD_TO: Final[Mapping[str, tuple[Piece, ...]]] = {"farm": (Piece.FARM, Piece.BUILDING), "trees": TREES}


def _find_intrusions(
    case: AcwCase, courses: Sequence[Piece], bars: Sequence[Piece]
) -> Iterator[tuple[CheckedPiece, CheckedPiece, float]]:
    """Yield each course inside a piece of ``bars``, that piece, and the length in mm on the board.

    Lengths of the size of a touch do not count.
    """
    for course, bar in product(case.layout.select(*courses), list(case.layout.select(*bars))):
        length = course.line.intersection(bar.shape).length
        if length > case.touch:
            yield course, bar, length


def check_routes(case: AcwCase) -> Faults:
    """Check AC-G05: roads and rails avoid pools, cliffs, rocks, steep hills, river and sea.

    Tracks may climb steep hills, but not too steeply.
    """
    for route, bar, length in _find_intrusions(case, ROUTES, (Piece.POOL, Piece.ROCKS, *WATERS, *STEEP)):
        if bar.piece in STEEP and route.piece is Piece.TRACK:
            yield from _check_climb(case, route, bar)
        else:
            yield Sentence("{way} runs through {bar} for {length:.0f} mm", way=route.id, bar=bar.id, length=length)
    for route, hill in product(case.layout.select(*ROUTES), list(case.layout.select(*ALL_HILLS))):
        if any(face.kind is Kind.CLIFF and face.line.intersects(route.line) for face in hill.faces):
            yield Sentence("{way} crosses the cliff of {hill}", way=route.id, hill=hill.id)


def _check_climb(case: AcwCase, route: CheckedPiece, hill: CheckedPiece) -> Faults:
    """Yield a fault for each point where a track climbs a steep hill too steeply (AC-G05)."""
    max_angle = case.rules.number("climb")
    rim = LineString(hill.shape.exterior.coords)
    for crossing in find_crossings(route.line, rim):
        angle = crossing_angle(crossing, route.line, rim)
        if angle > max_angle + case.rules.slack("climb"):
            yield Sentence(
                "{way} climbs {hill} too steeply: {angle:.0f}° to the contour, limit {most:.0f}°",
                way=route.id,
                hill=hill.id,
                angle=angle,
                most=max_angle,
            )


def check_streams(case: AcwCase) -> Faults:
    """Check AC-G06: streams and creeks avoid hills, towns, buildings and rocks."""
    bars = (*ALL_HILLS, *PLACES, Piece.FARM, Piece.BUILDING, Piece.ROCKS)
    for stream, bar, length in _find_intrusions(case, STREAMS, bars):
        yield Sentence("{way} runs through {bar} for {length:.0f} mm", way=stream.id, bar=bar.id, length=length)


def check_sides(case: AcwCase) -> Faults:
    """Check AC-G07: each class of courses crosses a zone side once, between 1/4 and 3/4 of its length."""
    ground, slack = case.layout, case.rules.slack("side_crossing_min")
    least, most = (case.rules.number(f"side_crossing_{end}") for end in ("min", "max"))
    pairs = [(zone, side, other) for zone in ground.grid.zones for side, other in ground.grid.neighbours(zone)]
    lines = {pieces[0].key: ground.lines(*pieces) for pieces in (ROADS, STREAMS, (Piece.RAILROAD,))}
    for (zone, side, other), (key, course_lines) in product(
        (pair for pair in pairs if pair[0] < pair[2]), lines.items()
    ):
        line = ground.side(zone, side)
        shares = [line.project(crossing) / line.length for crossing in find_crossings(course_lines, line)]
        where = Sentence("the border between zones {zone} and {other}", zone=zone, other=other)
        if len(shares) > 1:
            yield Sentence(
                "{key} and similar features cross {where} {count} times", key=key, where=where, count=len(shares)
            )
        for share in shares:
            if not least - slack <= share <= most + slack:
                yield Sentence(
                    "{key} or a similar feature crosses {where} at {share:.2f} of its length",
                    key=key,
                    where=where,
                    share=share,
                )


def check_smoothness(case: AcwCase) -> Faults:
    """Check AC-G08: no course crosses itself or is much longer than the straight line through a zone.

    The greatest ratio of both lengths is in the rule book, for each type of course. Very short parts in a zone are not
    checked.
    """
    ground = case.layout
    for course in ground.select(*_COURSES):
        if not course.line.is_simple:
            yield Sentence("{one} crosses itself", one=course.id)
            continue
        max_ratio = case.rules.number(_RATIO_NAMES[course.piece]) + case.rules.slack(_RATIO_NAMES[course.piece])
        for zone, box in ground.boxes.items():
            part = course.line.intersection(box)
            merged = shapely.line_merge(part) if part.geom_type == "MultiLineString" else part
            sections = (piece for piece in shapely.get_parts(merged) if isinstance(piece, LineString))
            for ratio in (sinuosity(piece) for piece in sections if piece.length >= case.part("stretch")):
                if ratio > max_ratio:
                    yield Sentence(
                        "{one} is {far:.2f} times as long as a straight line in zone {zone}",
                        one=course.id,
                        far=ratio,
                        zone=zone,
                    )


def check_reaches(case: AcwCase) -> Faults:
    """Check AC-N04: each zone has the type of course that the record states."""
    ground = case.layout
    for reach in case.facts.reaches:
        measure = ground.profile.piece_measure(reach.piece)
        if not any(
            course.feature.kind is measure.kind
            and course.line.intersection(ground.boxes[reach.zone]).length > case.touch
            for course in ground.select(*_COURSES)
        ):
            yield Sentence("there is no {piece} in zone {zone}", piece=reach.piece.value, zone=reach.zone)


def check_junctions(case: AcwCase) -> Faults:
    """Check AC-N14: a road that ends on another road has a junction there.

    Raises:
        UnseenError: the record has no rolls of zones.
    """
    if not case.facts.zones:
        raise UnseenError("the record has no rolls")
    roads = list(case.layout.select(*ROADS))
    mark_points = [mark.at for mark in case.layout.crossings if mark.kind is Kind.JUNCTION]
    for road, other in permutations(roads, 2):
        for end in end_points(road.line):
            inside = (
                end.distance(other.line) < case.touch and min(map(end.distance, end_points(other.line))) > case.meets
            )
            if inside and not any(end.distance(point) < case.meets for point in mark_points):
                yield Sentence("{road} meets {other} without a junction", road=road.id, other=other.id)


def check_dry_ends(case: AcwCase) -> Faults:
    """Check AC-N13: no road or railroad runs into the water along an edge.

    Raises:
        UnseenError: no edge of the table is water.
    """
    ground = case.layout
    edge = ground.water_edge
    if edge is None:
        raise UnseenError("no edge of the table is water")
    line = ground.edge(edge)
    for route in ground.select(*ROUTES):
        if route.line.intersection(ground.water).length > case.touch or route.line.distance(line) < case.touch:
            yield Sentence("{way} runs to the water edge", way=route.id)


def check_confluences(case: AcwCase) -> Faults:
    """Check AC-N26: streams that meet join; they do not cross."""
    for one, other in combinations(case.layout.select(*STREAMS), 2):
        tips = shapely.MultiPoint([*end_points(one.line), *end_points(other.line)])
        for crossing in find_crossings(one.line, other.line):
            if crossing.distance(tips) > case.meets + max(one.width, other.width):
                yield Sentence(
                    "{one} and {other} cross at {x:.0f}, {y:.0f} mm",
                    one=one.id,
                    other=other.id,
                    x=crossing.x,
                    y=crossing.y,
                )


def _find_loose_ends(case: AcwCase, course: CheckedPiece, lines: Iterable[BaseGeometry]) -> list[Point]:
    """Return the ends of a course that are not on a table edge or on one of ``lines``, within small tolerances.

    Ends and ``lines``, which are lines or areas, are in mm on the board; the list may be empty.
    """
    edge, union = case.layout.playing_area.exterior, shapely.union_all(list(lines))
    return [
        end
        for end in end_points(course.line)
        if end.distance(edge) >= case.touch and (union.is_empty or end.distance(union) >= case.meets)
    ]


def check_road_ends(case: AcwCase) -> Faults:
    """Check AC-N10..AC-N15: a road ends at an edge, a town or another road.

    A side road may also end at a wood or farm (AC-N04).
    """
    ground, open_ends = case.layout, _find_open_zones(case)
    homes = shapely.union_all([one.shape for one in ground.select(*PLACES, Piece.FARM, Piece.BUILDING, *TREES)])
    for road in ground.select(*ROADS):
        for end in _find_loose_ends(case, road, (one.line for one in ground.select(*ROADS) if one is not road)):
            zone = min(ground.boxes, key=lambda zone: (ground.boxes[zone].distance(end), zone))
            home = not homes.is_empty and end.distance(homes) < case.part("end_reach")
            if not home and zone not in open_ends:
                yield Sentence(
                    "{road} ends on open ground in zone {zone}, at {x:.0f}, {y:.0f} mm",
                    road=road.id,
                    zone=zone,
                    x=end.x,
                    y=end.y,
                )


def check_rail_ends(case: AcwCase) -> Faults:
    """Check AC-N31, AC-N32: railroads end at table edges or other railroads, and one crosses the table.

    Raises:
        UnseenError: no railroad is on the table.
    """
    ground = case.layout
    rails = list(ground.select(Piece.RAILROAD))
    if not rails:
        raise UnseenError("there is no railroad on the table")
    for rail in rails:
        for end in _find_loose_ends(case, rail, (one.line for one in rails if one is not rail)):
            yield Sentence("{rail} ends on open ground, at {x:.0f}, {y:.0f} mm", rail=rail.id, x=end.x, y=end.y)
    if not any(
        all(rail.line.distance(ground.edge(side)) < case.touch for side in axis.sides)
        for rail, axis in product(rails, ZoneAxis)
    ):
        yield Sentence("no railroad crosses the table from one edge to another")


def check_stream_ends(case: AcwCase) -> Faults:
    """Check AC-N20..AC-N25: a stream has a source and a mouth; at most one end is on open ground."""
    ground = case.layout
    hills = shapely.union_all([one.shape for one in ground.select(*ALL_HILLS)])
    for stream in ground.select(*STREAMS):
        wet = (one.shape for one in ground.select(*STREAMS, Piece.SWAMP, Piece.POOL, *WATERS) if one is not stream)
        if len(_find_loose_ends(case, stream, wet)) == 2:
            head = not hills.is_empty and stream.line.boundary.distance(hills) < case.part("end_reach")
            kind = Sentence("starts at a hill, but") if head else Sentence("neither starts nor ends anywhere: it")
            yield Sentence(
                "{stream} {kind} does not run off the table or into water",
                stream=stream.id,
                kind=kind,
            )


def _find_open_zones(case: AcwCase) -> set[int]:
    """Return the zones where a road may end on open ground: by the graph, or because a piece had no room.

    It is empty without a graph.
    """
    if case.facts.graph is None:
        return set()
    recorded_ends, layout = case.facts.graph.ends("roads"), case.layout
    places = {end.at for end in recorded_ends if end.target == "place" and end.at is not None}
    return {
        *(end.zone for end in recorded_ends if end.target == "open"),
        *(zone for zone in places if not any(layout.in_zone(zone, *PLACES))),
        *(zone for zone, end_type in _list_side_roads(case) if end_type == "open"),
        *(
            zone
            for zone, end_type in _list_side_roads(case)
            if end_type in _SIDE_ROAD_TO and not any(layout.in_zone(zone, *_SIDE_ROAD_TO[end_type]))
        ),
    }


def _list_side_roads(case: AcwCase) -> list[tuple[int, str]]:
    """Return pairs of zone and type of end, such as ``farm``, for each side road in the record."""
    return [(reach.zone, reach.arms[0][0]) for reach in case.facts.reaches if reach.branch and reach.arms]


def check_side_roads(case: AcwCase) -> Faults:
    """Check AC-N04: a side road ends on open ground only in a zone without an edge.

    Two roads that leave a zone by one edge must be well apart.
    """
    ground, water, rules = case.layout, case.layout.water_edge, case.rules
    for zone, end_type in _list_side_roads(case):
        edges = [side for side in ground.grid.edges(zone) if side is not water]
        if end_type == "open" and edges:
            yield Sentence("a road ends on open ground in zone {zone}, which has an edge of the table", zone=zone)
        least = (rules.number("roads_apart") - rules.slack("roads_apart")) * ground.unit
        tips = [end for road in ground.select(*ROADS) for end in end_points(road.line)]
        for side, line in ((side, ground.side(zone, side)) for side in edges):
            distances = sorted(line.project(end) for end in tips if end.distance(line) < case.touch)
            for gap in (other - one for one, other in pairwise(distances) if other - one < least):
                yield Sentence(
                    "two roads leave zone {zone} by edge {side}, {off:.0f} mm apart", zone=zone, side=side, off=gap
                )


# The checks by clause that need only the lines.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-211": require_shapes(combine_checks(check_road_ends, check_rail_ends, check_stream_ends)),
    "AC-G05": require_shapes(check_routes),
    "AC-G06": require_shapes(check_streams),
    "AC-G07": require_shapes(check_sides),
    "AC-G08": require_shapes(check_smoothness),
    "AC-N13": require_shapes(check_dry_ends),
    "AC-N04": require_shapes(combine_checks(check_side_roads, check_reaches)),
    "AC-N14": require_shapes(combine_checks(check_road_ends, check_junctions)),
    "AC-N24": require_shapes(check_stream_ends),
    "AC-N26": require_shapes(check_confluences),
    "AC-N31": require_shapes(check_rail_ends),
}
