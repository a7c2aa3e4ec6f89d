"""Judges courses as lines, and by the graph of their record: what they keep out of, how they cross, where they end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise, permutations
from typing import Final

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.judge.case import ALL_HILLS, STEEP, Case, Check, JudgedGround, Seen, both, crossings_of, ends
from printkit.systems.acw.judge.room import drawn
from printkit.systems.acw.terms.facts import RecordedEnd, told
from printkit.systems.acw.terms.pieces import PLACES, ROADS, STREAMS, TREES, WATERS, Piece
from printkit.systems.acw.terms.plan import ZoneAxis
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import angle_at, sinuosity

# --- Judges courses by the graph of their record ----------------------------------------------------------------------


def told_ends(name: str, part: str, pieces: Sequence[Piece], case: Case) -> Faults:
    """Courses reach what the graph says they end at: edges, the water, places, hills."""
    ground, lines = case.laid, case.laid.lines(*pieces)
    for zone, text in getattr(getattr(case.graph, name), part):
        target = _target(case, told(zone, text))
        if target is None or target.is_empty:
            continue
        off = math.inf if lines.is_empty else lines.distance(target)
        if off > case.rules.number("end_reach") * ground.unit(zone):
            yield Sentence(
                "{name}: nothing reaches {text} of zone {zone}, {off:.0f} mm off",
                name=name,
                text=text,
                zone=zone,
                off=off,
            )


def _target(case: Case, end: RecordedEnd) -> BaseGeometry | None:
    """Return what an end goes to as a shape; None for what has none, or lies not on the table for want of room."""
    ground, last = case.laid, end.via[-1] if end.via else end.zone
    match end.to:
        case "edge" if end.side in ground.grid.edges(last):
            return ground.side(last, end.side)
        case "water" if not ground.water.is_empty:
            return ground.water.intersection(ground.boxes[last])
        case "place" if end.at is not None:
            shapes = [one.shape for one in ground.in_zone(end.at, *PLACES) if one.piece is end.piece]
        case "foot":
            shapes = [one.shape for one in ground.in_zone(end.zone, *ALL_HILLS)]
        case "swamp" | "pool":
            box = ground.boxes[end.zone]
            shapes = [shape for one in ground.of(Piece[end.to.upper()]) if (shape := one.shape & box).area > 0]
        case _:
            return None
    return shapely.union_all(shapes) if shapes else None


def steps(name: str, pieces: Sequence[Piece], case: Case) -> Faults:
    """A course crosses every side that a link of the graph crosses, from the one zone on."""
    ground, lines = case.laid, case.laid.lines(*pieces)
    inner = {zone: lines.intersection(box.buffer(-case.touch)) for zone, box in ground.boxes.items()}
    for path in getattr(case.graph, name).links:
        # Whether a link leaps over a zone is judged by the graph alone.
        for one, other in (pair for pair in pairwise(path) if ground.grid.distance(*pair) == 1):
            side = ground.side(one, ground.grid.side_between(one, other))
            if not all(inner[zone].dwithin(side, case.touch + 0.01) for zone in (one, other)):
                yield Sentence(
                    "no {key} or its like joins zones {one} and {other}", key=pieces[0].key, one=one, other=other
                )


def creek_edges(case: Case) -> Faults:
    """AC-N30: the creek comes onto the table and leaves it by the edges of its way."""
    creek, ground = case.creek, case.laid
    if creek is None:
        raise UnseenError("no creek crosses the table")
    lines = ground.lines(Piece.CREEK)
    for zone, side in ((creek.path[0], creek.entry), (creek.path[-1], creek.exit)):
        if lines.is_empty or lines.distance(ground.side(zone, side)) > case.touch:
            yield Sentence("the creek does not reach edge {side} of zone {zone}", side=side, zone=zone)


RECORDED_END_CHECKS: Final[Mapping[str, Check]] = {
    "AC-N02": drawn(both(partial(steps, "roads", ROADS), partial(steps, "streams", STREAMS))),
    "AC-N10": drawn(partial(told_ends, "roads", "ends", ROADS)),
    "AC-N11": drawn(partial(told_ends, "roads", "ends", ROADS)),
    "AC-N20": drawn(partial(told_ends, "streams", "mouths", STREAMS)),
    "AC-N25": drawn(partial(told_ends, "streams", "sources", STREAMS)),
    "AC-N30": drawn(creek_edges),
}
"""What of the graph the lines of a record can be seen not to follow."""


_WAYS: Final = (*ROADS, Piece.RAILROAD)
_ALL: Final = (*_WAYS, *STREAMS)
_TOUCH: Final = 3.0
_MEETS: Final = 1.0
"""How near in mm to the line of a road another one ends that runs into it."""

_LONGEST: Final = {
    **dict.fromkeys(ROADS, "longest_road"),
    **dict.fromkeys(STREAMS, "longest_stream"),
    Piece.RAILROAD: "longest_rail",
}
_SHORT: Final = 0.2

_SIDE_ROAD_TO: Final[Mapping[str, tuple[Piece, ...]]] = {"farm": (Piece.FARM, Piece.BUILDING), "trees": TREES}


def ways_keep_out(case: Case) -> Faults:
    """AC-G05: roads and rails keep out of pools, cliffs, rocks, steep hills, river and sea; tracks may climb."""
    ground = case.laid
    bars = list(ground.of(Piece.POOL, Piece.ROCKS, *WATERS))
    for way in ground.of(*_WAYS):
        for bar in (*bars, *ground.of(*STEEP)):
            inside = way.line.intersection(bar.shape)
            if inside.length <= case.touch:
                continue
            if bar.piece in STEEP and way.piece is Piece.TRACK:
                yield from _climbs(case, way, bar)
            else:
                yield Sentence(
                    "{way} runs through {bar} for {length:.0f} mm", way=way.id, bar=bar.id, length=inside.length
                )
        for hill in ground.of(*ALL_HILLS):
            if any(face.kind is Kind.CLIFF and face.line.intersects(way.line) for face in hill.faces):
                yield Sentence("{way} crosses the cliff of {hill}", way=way.id, hill=hill.id)


def _climbs(case: Case, way: Seen, hill: Seen) -> Faults:
    most = case.rules.number("climb")
    rim = LineString(hill.shape.exterior.coords)
    for at in crossings_of(way.line, rim):
        angle = angle_at(at, way.line, rim)
        if angle > most + case.rules.slack("climb"):
            yield Sentence(
                "{way} climbs {hill} at {angle:.0f} degrees to the contour; at most {most:.0f}",
                way=way.id,
                hill=hill.id,
                angle=angle,
                most=most,
            )


def streams_keep_out(case: Case) -> Faults:
    """AC-G06: streams and creeks keep out of hills, places and rocks."""
    ground = case.laid
    bars = list(ground.of(*ALL_HILLS, *PLACES, Piece.FARM, Piece.BUILDING, Piece.ROCKS))
    for stream in ground.of(*STREAMS):
        for bar in bars:
            inside = stream.line.intersection(bar.shape)
            if inside.length > case.touch:
                yield Sentence(
                    "{stream} runs through {bar} for {length:.0f} mm",
                    stream=stream.id,
                    bar=bar.id,
                    length=inside.length,
                )


def sides(case: Case) -> Faults:
    """AC-G07: one crossing of a side for each class of courses, between a quarter and three quarters along it."""
    ground, slack = case.laid, case.rules.slack("side_crossing_min")
    least, most = (case.rules.number(f"side_crossing_{end}") for end in ("min", "max"))
    for zone in ground.grid.zones:
        for side, other in ground.grid.neighbours(zone):
            if other < zone:
                continue
            line = ground.side(zone, side)
            for pieces in (ROADS, STREAMS, (Piece.RAILROAD,)):
                spots = crossings_of(ground.lines(*pieces), line)
                shares = [line.project(at) / line.length for at in spots]
                where = Sentence("the side between zones {zone} and {other}", zone=zone, other=other)
                if len(shares) > 1:
                    yield Sentence(
                        "{key} and its like cross {where} {count} times",
                        key=pieces[0].key,
                        where=where,
                        count=len(shares),
                    )
                for share in shares:
                    if not least - slack <= share <= most + slack:
                        yield Sentence(
                            "{key} or its like crosses {where} {share:.2f} along it",
                            key=pieces[0].key,
                            where=where,
                            share=share,
                        )


def smooth(case: Case) -> Faults:
    """AC-G08: no course crosses itself, and none is much longer than straight from side to side."""
    ground = case.laid
    for one in ground.of(*_ALL):
        if not one.line.is_simple:
            yield Sentence("{one} crosses itself", one=one.id)
            continue
        for zone, box in ground.boxes.items():
            part = one.line.intersection(box)
            merged = shapely.line_merge(part) if part.geom_type == "MultiLineString" else part
            for piece in shapely.get_parts(merged):
                if not isinstance(piece, LineString) or piece.length < _SHORT * ground.unit(zone):
                    continue
                far = sinuosity(piece)
                if far > case.rules.number(_LONGEST[one.piece]) + case.rules.slack(_LONGEST[one.piece]):
                    yield Sentence(
                        "{one} is {far:.2f} times as long as straight in zone {zone}", one=one.id, far=far, zone=zone
                    )


def reaches(case: Case) -> Faults:
    """AC-N04: in each zone lies the type of course of which the record tells."""
    ground = case.laid
    for reach in case.facts.reaches:
        measure = ground.profile.of_piece(reach.piece)
        if not any(
            one.feature.kind is measure.kind and one.line.intersection(ground.boxes[reach.zone]).length > case.touch
            for one in ground.of(*_ALL)
        ):
            yield Sentence("no {piece} runs in zone {zone}", piece=reach.piece.value, zone=reach.zone)


def junctions(case: Case) -> Faults:
    """AC-N14: where a road of a game ends on the way of another one stands a junction."""
    if not case.facts.zones:
        raise UnseenError("the record lists no rolls")
    roads = list(case.laid.of(*ROADS))
    marks = [mark.at for mark in case.laid.crossings if mark.kind is Kind.JUNCTION]
    for road, other in permutations(roads, 2):
        for end in ends(road.line):
            inside = end.distance(other.line) < _MEETS and min(map(end.distance, ends(other.line))) > _TOUCH
            if inside and not any(end.distance(at) < _TOUCH for at in marks):
                yield Sentence("{road} runs into {other} without a junction", road=road.id, other=other.id)


def dry_ends(case: Case) -> Faults:
    """AC-N13: no road and no railroad runs into the water of an edge."""
    ground = case.laid
    edge = ground.water_edge
    if edge is None:
        raise UnseenError("no edge of the table is water")
    line = ground.edge(edge)
    for way in ground.of(*_WAYS):
        if way.line.intersection(ground.water).length > case.touch or way.line.distance(line) < case.touch:
            yield Sentence("{way} runs to the water edge", way=way.id)


def apart(case: Case) -> Faults:
    """AC-N26: where two streams meet they become one."""
    streams = list(case.laid.of(*STREAMS))
    for one, other in combinations(streams, 2):
        tips = shapely.MultiPoint([*ends(one.line), *ends(other.line)])
        far = max(width for each in (one, other) if (width := getattr(each.feature, "width", 0.0)) is not None)
        for at in crossings_of(one.line, other.line):
            if at.distance(tips) > _TOUCH + far:
                yield Sentence(
                    "{one} and {other} cross at {x:.0f}, {y:.0f} mm", one=one.id, other=other.id, x=at.x, y=at.y
                )


def road_ends(case: Case) -> Faults:
    """AC-N10..AC-N15: a road ends on an edge, in a place or another road; a side road at a wood or farm (AC-N04)."""
    ground = case.laid
    open_ends = _told_open(case, "roads")
    for road in ground.of(*ROADS):
        others = [one.line for one in ground.of(*ROADS) if one is not road]
        near = case.rules.number("end_reach") * ground.unit(road.zone)
        homes = [one.shape for one in ground.of(*PLACES, Piece.FARM, Piece.BUILDING, *TREES)]
        for end in ends(road.line):
            zone = _zone_at(ground, end)
            reached = (
                end.distance(ground.playing_area.exterior) < case.touch
                or any(end.distance(line) < _TOUCH for line in others)
                or any(end.distance(home) < near for home in homes)
                or zone in open_ends
            )
            if not reached:
                yield Sentence(
                    "{road} ends in the open of zone {zone}, at {x:.0f}, {y:.0f} mm",
                    road=road.id,
                    zone=zone,
                    x=end.x,
                    y=end.y,
                )


def rail_ends(case: Case) -> Faults:
    """AC-N31, AC-N32: every railroad runs to an edge of the table or into another railroad."""
    ground = case.laid
    rails = list(ground.of(Piece.RAILROAD))
    if not rails:
        raise UnseenError("no Railroad lies on the table")
    for rail in rails:
        others = [one.line for one in rails if one is not rail]
        for end in ends(rail.line):
            if end.distance(ground.playing_area.exterior) > case.touch and not any(
                end.distance(line) < _TOUCH for line in others
            ):
                yield Sentence("{rail} ends in the open, at {x:.0f}, {y:.0f} mm", rail=rail.id, x=end.x, y=end.y)
    through = [axis for axis in ZoneAxis if any(_joins(case, rail.line, axis) for rail in rails)]
    if not through:
        yield Sentence("no railroad runs from one edge of the table to the other across it")


def _joins(case: Case, line: LineString, axis: ZoneAxis) -> bool:
    return all(line.distance(case.laid.edge(side)) < case.touch for side in axis.sides)


def stream_ends(case: Case) -> Faults:
    """AC-N20..AC-N25: a stream comes from somewhere and goes somewhere; one end at most is a spring in the open."""
    ground = case.laid
    for stream in ground.of(*STREAMS):
        others = [one.shape for one in ground.of(*STREAMS) if one is not stream]
        wet = [one.shape for one in ground.of(Piece.SWAMP, Piece.POOL, *WATERS)]
        near = case.rules.number("end_reach") * ground.unit(stream.zone)
        hills = [one.shape for one in ground.of(*ALL_HILLS)]
        found = [
            end.distance(ground.playing_area.exterior) < case.touch
            or any(end.distance(shape) < _TOUCH for shape in (*others, *wet))
            for end in ends(stream.line)
        ]
        heads = [any(end.distance(hill) < near for hill in hills) for end in ends(stream.line)]
        if not any(found):
            kind = Sentence("rises at a hill, but") if any(heads) else Sentence("neither rises nor ends anywhere: it")
            yield Sentence(
                "{stream} {kind} runs neither off the table nor into any water",
                stream=stream.id,
                kind=kind,
            )


def _told_open(case: Case, name: str) -> set[int]:
    """Return the zones in which an end lies in the open, as the graph of the record says."""
    try:
        ends_told = [told(zone, text) for zone, text in getattr(case.graph, name).ends]
        found = {end.zone for end in ends_told if end.to == "open"} | _open_branches(case)
        return found | {zone for end in ends_told if (zone := _left_out(case, end)) is not None}
    except UnseenError:
        return set()


def _left_out(case: Case, end: RecordedEnd) -> int | None:
    """Return the zone of a place to which a road goes, but which found no room there."""
    if end.to != "place" or end.at is None or any(True for _ in case.laid.in_zone(end.at, *PLACES)):
        return None
    return end.at


def _open_branches(case: Case) -> set[int]:
    """Return the zones with a side road into the open, or to houses or trees that found no room."""
    return {
        zone
        for zone, to in _branches(case)
        if to == "open" or (to in _SIDE_ROAD_TO and not any(case.laid.in_zone(zone, *_SIDE_ROAD_TO[to])))
    }


def _branches(case: Case) -> list[tuple[int, str]]:
    """Return the zone of each side road, and to what it leads, as the record tells."""
    return [(reach.zone, reach.arms[0][0]) for reach in case.facts.reaches if reach.branch and reach.arms]


def _zone_at(ground: JudgedGround, at: Point) -> int:
    return min(ground.boxes, key=lambda zone: (ground.boxes[zone].distance(at), zone))


def side_roads(case: Case) -> Faults:
    """AC-N04: a side road ends in the open only where no edge is; two roads leave by one edge well apart."""
    ground, water, rules = case.laid, case.laid.water_edge, case.rules
    for zone, to in _branches(case):
        edges = [side for side in ground.grid.edges(zone) if side is not water]
        if to == "open" and edges and rules.choice("ac-q27") != "stub":
            yield Sentence("a road ends in the open of zone {zone}, which has an edge of the table", zone=zone)
        for side in edges:
            least = (rules.number("roads_apart") - rules.slack("roads_apart")) * ground.unit(zone)
            line = ground.side(zone, side)
            ways = sorted(
                line.project(end)
                for road in ground.of(*ROADS)
                for end in ends(road.line)
                if end.distance(line) < case.touch
            )
            for one, other in pairwise(ways):
                if other - one < least:
                    yield Sentence(
                        "two roads leave zone {zone} by edge {side}, {off:.0f} mm apart",
                        zone=zone,
                        side=side,
                        off=other - one,
                    )


CHECKS: Final[Mapping[str, Check]] = {
    "AC-211": drawn(both(road_ends, rail_ends, stream_ends)),
    "AC-G05": drawn(ways_keep_out),
    "AC-G06": drawn(streams_keep_out),
    "AC-G07": drawn(sides),
    "AC-G08": drawn(smooth),
    "AC-N13": drawn(dry_ends),
    "AC-N04": drawn(both(side_roads, reaches)),
    "AC-N14": drawn(both(road_ends, junctions)),
    "AC-N24": drawn(stream_ends),
    "AC-N26": drawn(apart),
    "AC-N31": drawn(rail_ends),
}
"""What of the lines of courses a record can be seen to break."""
