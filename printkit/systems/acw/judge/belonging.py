"""Judges what belongs to what: spurs and scree to hills, fields to farms, works to fields, places to roads."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import shapely
from shapely import LinearRing, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.judge.case import ALL_HILLS, CLIFFS, Case, Check, Seen
from printkit.systems.acw.judge.room import drawn, open_ground
from printkit.systems.acw.terms.pieces import HILLS, PLACES, ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.geometry.measure import bearing, turn_between

_PLOT: Final = 0.15
"""The side of the square that is as much room as a hundred tries do not miss, as a part of the unit."""
_HELD: Final = 0.8
"""How much of a stream that is shorter than a ravine that holds at least."""


def spurs(case: Case) -> Faults:
    """AC-F05: a spur has its base on the edge of the table, or on a hill, or on a side with a hill beyond."""
    ground = case.laid
    for one in ground.of(Piece.SPUR):
        near = case.rules.number("spur_base") * ground.unit(one.zone)
        if any(hill is not one and hill.shape.distance(one.shape) < near for hill in ground.of(*ALL_HILLS)):
            continue
        bases = [side for side in ZoneSide if one.shape.distance(ground.side(one.zone, side)) < near]
        beyond = [ground.grid.neighbour(one.zone, side) for side in bases]
        hilly = {hill.zone for hill in ground.of(*HILLS)}
        # A spur points to a hill that was rolled also where that found no room in the end.
        hilly |= {roll.zone for roll in case.facts.rolls if roll.lies and roll.piece in HILLS}
        if not any(zone is None or zone in hilly for zone in beyond):
            yield Sentence("{one} grows out of no hill and no edge", one=one.id)


def ridges(case: Case) -> Faults:
    """AC-F04: a long hill meets a long hill, spur or steep hill of the next zone if both reach the shared side."""
    ground = case.laid
    meets = (Piece.LONG_HILL, Piece.SPUR, Piece.STEEP_HILL)
    for one in ground.of(Piece.LONG_HILL):
        for side, other in ground.grid.neighbours(one.zone):
            line = ground.side(one.zone, side)
            for hill in ground.in_zone(other, *meets):
                reach = all(shape.distance(line) < case.touch for shape in (one.shape, hill.shape))
                if reach and one.shape.distance(hill.shape) > case.rules.number("ridge_gap") * ground.unit(one.zone):
                    yield Sentence(
                        "{one} and {hill} both reach the side between them, and do not meet there",
                        one=one.id,
                        hill=hill.id,
                    )


def cliffs(case: Case) -> Faults:
    """AC-F06: a cliff faces the water or the creek; else away from the nearest other hill."""
    ground = case.laid
    creek = _creek(case)
    for one in ground.of(*CLIFFS):
        middle = one.shape.centroid
        for face in (face for face in one.faces if face.kind is Kind.CLIFF):
            top = face.line.interpolate(0.5, normalized=True)
            facing = bearing(middle, top)
            if not ground.water.is_empty:
                right, name = [_towards(middle, ground.water)], Sentence("the water")
            elif creek:
                right, name = [_towards(middle, one) for one in creek], Sentence("the creek")
            else:
                others = [hill for hill in ground.of(*ALL_HILLS) if hill is not one]
                if not others:
                    continue
                near = (
                    min(others, key=lambda hill: hill.shape.distance(one.shape)),
                    min(others, key=lambda hill: hill.shape.centroid.distance(middle)),
                )
                right, name = (
                    [bearing(hill.shape.centroid, middle) for hill in near],
                    Sentence("away from the nearest hill"),
                )
            off = min(turn_between(facing, each) for each in right)
            if off > case.rules.number("cliff_facing") + case.rules.slack("cliff_facing"):
                yield Sentence(
                    "{one}: its cliff is turned {off:.0f} degrees from {name}",
                    one=one.id,
                    off=off,
                    name=name,
                )


def _creek(case: Case) -> list[BaseGeometry]:
    """Return the creeks of a table that one crosses, if the record tells of it."""
    try:
        crossing = case.creek
    except UnseenError:
        crossing = None
    if crossing is None:
        return []
    return [one.line for one in case.laid.of(Piece.CREEK)]


def _towards(middle: Point, shape: BaseGeometry) -> float:
    return bearing(middle, Point(shapely.shortest_line(middle, shape).coords[-1]))


def scree(case: Case) -> Faults:
    """AC-F25: scree lies at the foot of a hill of its zone, if that has one."""
    yield from _beside(case, Piece.SCREE, HILLS, case.rules.number("scree_foot"), "hill")


def dunes(case: Case) -> Faults:
    """AC-F23: dunes lie along the sea side of a zone that has it."""
    ground = case.laid
    for one in ground.of(Piece.SAND_DUNES):
        if ground.at_water(one.zone):
            off = one.shape.distance(ground.water)
            if off > case.rules.number("dunes_shore") * ground.unit(one.zone):
                yield Sentence("{one} lies {off:.0f} mm off the shore of its zone", one=one.id, off=off)


def fields(case: Case) -> Faults:
    """AC-F14: two fields of a zone share a side."""
    ground = case.laid
    for zone in ground.grid.zones:
        found = list(ground.in_zone(zone, Piece.FIELD))
        for one in found if len(found) > 1 else ():
            rest = shapely.union_all([other.shape.buffer(1.5) for other in found if other is not one])
            shared = one.shape.exterior.intersection(rest).length
            if shared < case.rules.number("field_shared") * ground.unit(zone):
                yield Sentence("{one} shares no side with another field of zone {zone}", one=one.id, zone=zone)


def worked(case: Case) -> Faults:
    """AC-N35: a field lies at a farm, settlement or road of its zone rather than anywhere, if there is room for it."""
    ground = case.laid
    for zone in ground.grid.zones:
        found = list(ground.in_zone(zone, Piece.FIELD))
        homes = [one.shape for one in ground.in_zone(zone, Piece.FARM, *PLACES)]
        homes += [one.shape for one in ground.of(*ROADS) if one.line.intersects(ground.boxes[zone])]
        if not found or not homes:
            continue
        home = shapely.union_all(homes)
        off = shapely.union_all([one.shape for one in found]).distance(home)
        if off > case.rules.number("field_home") * ground.unit(zone) and _room_by(case, zone, home):
            yield Sentence(
                "the fields of zone {zone} lie {off:.0f} mm off all farms, settlements and roads of it",
                zone=zone,
                off=off,
            )


def _room_by(case: Case, zone: int, home: BaseGeometry) -> bool:
    """Return whether a field has room by a home or road: so much of it that a hundred tries do not miss it."""
    ground = case.laid
    near = open_ground(case, zone, Piece.FIELD).intersection(
        home.buffer(case.rules.number("field_home") * ground.unit(zone))
    )
    return bool(near.area > (_PLOT * ground.unit(zone)) ** 2)


def walls(case: Case) -> Faults:
    """AC-F15: a wall runs along the side of a field, if its zone has one."""
    yield from _follows(case, Piece.WALL, fields_only=True)


def fences(case: Case) -> Faults:
    """AC-F16: a fence runs along a field or a road of its zone, if that has one."""
    yield from _follows(case, Piece.FENCE_LINE, fields_only=False)


def _follows(case: Case, piece: Piece, *, fields_only: bool) -> Faults:
    ground = case.laid
    for one in ground.of(piece):
        box = ground.boxes[one.zone]
        lines: list[BaseGeometry] = [field.shape.exterior for field in ground.in_zone(one.zone, Piece.FIELD)]
        roads = [road.shape for road in ground.of(*ROADS) if road.line.intersection(box).length > case.touch]
        bound = bool(lines) if fields_only else _free_side(case, one, lines, roads)
        if not bound:
            continue
        near = shapely.union_all([*lines, *([] if fields_only else roads)]).buffer(
            case.rules.number("work_beside") * ground.unit(one.zone)
        )
        share = one.line.intersection(near).length / one.line.length
        if share < case.rules.number("work_along"):
            what = Sentence("a field") if fields_only else Sentence("a field or road")
            yield Sentence(
                "{one} runs along {what} of zone {zone} for {share:.0%} of its length",
                one=one.id,
                what=what,
                zone=one.zone,
                share=share,
            )


def _free_side(case: Case, fence: Seen, fields: list[BaseGeometry], roads: list[Polygon]) -> bool:
    """Return whether a fence had room beside a field or a road of its zone: a free stretch as long as itself."""
    ground = case.laid
    margin = 0.03 * ground.unit(fence.zone)
    kept = ground.boxes[fence.zone].buffer(-2 * margin)
    own = [road.buffer(margin / 2).exterior for road in roads]
    own += [Polygon(field.coords).buffer(margin / 2).exterior for field in fields if isinstance(field, LinearRing)]
    bars = [
        shape for one in ground.seen if one is not fence and one.piece not in ROADS for shape in (one.shape, one.line)
    ]
    closed = shapely.union_all([*bars, *roads]).buffer(margin / 2 - 1.0)
    free = shapely.union_all(own).intersection(kept).difference(closed)
    parts = shapely.get_parts(shapely.line_merge(free) if free.geom_type == "MultiLineString" else free)
    return any(part.length > 1.2 * fence.line.length for part in parts)


def ditches(case: Case) -> Faults:
    """AC-F17: a ditch leads from field, road or swamp to the stream, pool or water of its zone, if that has them."""
    ground = case.laid
    for one in ground.of(Piece.DITCH):
        box = ground.boxes[one.zone]
        wet = [other.shape for other in ground.of(*STREAMS) if other.line.intersection(box).length > case.touch]
        wet += [other.shape for other in ground.in_zone(one.zone, Piece.POOL)]
        if ground.at_water(one.zone):
            wet.append(ground.water)
        water, near = shapely.union_all(wet), 0.06 * ground.unit(one.zone)
        off = one.line.distance(water) if wet else 0.0
        if off > near:
            yield Sentence("{one} ends {off:.0f} mm off all water of zone {zone}", one=one.id, off=off, zone=one.zone)
        dry = [other.shape.intersection(box) for other in ground.of(Piece.FIELD, Piece.SWAMP, *ROADS)]
        heads = shapely.union_all(dry).intersection(box.buffer(-near))
        measure = ground.measure(Piece.DITCH)
        far = (measure.long or 0.0) * measure.most * ground.unit(one.zone) - near
        # A head farther from all water than a ditch is long is none.
        off = 0.0 if heads.is_empty or (wet and heads.distance(water) > far) else one.line.boundary.distance(heads)
        if off > near:
            yield Sentence(
                "{one} begins {off:.0f} mm off all fields, roads and swamps of zone {zone}",
                one=one.id,
                off=off,
                zone=one.zone,
            )


def ravines(case: Case) -> Faults:
    """AC-F20: a stream of the zone runs in its ravine; ravines of neighbouring zones meet at the shared side."""
    ground = case.laid
    for one in ground.of(Piece.RAVINE):
        streams = ground.lines(*STREAMS, zone=one.zone)
        if not streams.is_empty:
            wet = one.line.intersection(streams.buffer(one.feature.width if isinstance(one.feature, Course) else 1.0))
            measure = ground.measure(Piece.RAVINE)
            least = (measure.long or 0.0) * measure.least * ground.unit(one.zone)
            # Ravines that meet at a side begin there, wherever a short stream runs.
            meets = any(any(ground.in_zone(zone, Piece.RAVINE)) for _, zone in ground.grid.neighbours(one.zone))
            short = 0.0 if meets else _HELD * streams.length
            held = min(0.5 * one.line.length, short if streams.length < least else math.inf)
            if wet.length < held:
                yield Sentence("{one} does not hold the stream of zone {zone}", one=one.id, zone=one.zone)
        for place in ground.of(*PLACES, Piece.FARM, Piece.BUILDING, Piece.ROCKS):
            if place.shape.intersection(one.shape).area > case.touch:
                yield Sentence("{one} runs under {place}", one=one.id, place=place.id)


def through_places(case: Case) -> Faults:
    """AC-N16: the road of a zone passes through its settlement, town or fort; a farm stands beside it."""
    ground = case.laid
    for zone in ground.grid.zones:
        roads = ground.lines(*ROADS, zone=zone)
        if roads.is_empty or roads.length < case.touch:
            continue
        for place in ground.in_zone(zone, *PLACES):
            if not place.shape.intersects(roads):
                yield Sentence(
                    "the road of zone {zone} passes {place} by, {distance:.0f} mm off",
                    zone=zone,
                    place=place.id,
                    distance=place.shape.distance(roads),
                )
    yield from farms(case)


def farms(case: Case) -> Faults:
    """AC-F33: a farm stands beside the road of its zone, if that has one."""
    ground = case.laid
    for zone in ground.grid.zones:
        roads = ground.lines(*ROADS, zone=zone)
        if roads.is_empty or roads.length < case.touch:
            continue
        for farm in ground.in_zone(zone, Piece.FARM):
            off = farm.shape.distance(roads)
            if off > case.rules.number("farm_road") * ground.unit(zone):
                yield Sentence(
                    "{farm} stands {off:.0f} mm off the road of zone {zone}", farm=farm.id, off=off, zone=zone
                )


def _beside(case: Case, piece: Piece, others: tuple[Piece, ...], share: float, name: str) -> Faults:
    ground = case.laid
    for one in ground.of(piece):
        found: list[Seen] = list(ground.in_zone(one.zone, *others))
        if not found:
            continue
        off = min(other.shape.distance(one.shape) for other in found)
        if off > share * ground.unit(one.zone):
            yield Sentence(
                "{one} lies {off:.0f} mm off the nearest {name} of zone {zone}",
                one=one.id,
                off=off,
                name=name,
                zone=one.zone,
            )


CHECKS: Final[Mapping[str, Check]] = {
    "AC-F04": drawn(ridges),
    "AC-F05": drawn(spurs),
    "AC-F06": drawn(cliffs),
    "AC-F08": drawn(cliffs),
    "AC-F14": drawn(fields),
    "AC-F15": drawn(walls),
    "AC-F16": drawn(fences),
    "AC-F17": drawn(ditches),
    "AC-F20": drawn(ravines),
    "AC-F23": drawn(dunes),
    "AC-F25": drawn(scree),
    "AC-F33": drawn(farms),
    "AC-N16": drawn(through_places),
    "AC-N35": drawn(worked),
}
"""What of the company that pieces keep a record can be seen to break."""
