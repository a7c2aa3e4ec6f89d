"""Check relations between pieces: spurs and hills, fields and farms, walls and fields, and others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Final

import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.acw.ground.checked_ground import CheckedPiece
from printkit.systems.acw.judge.case import AcwCase, Check, combine_checks
from printkit.systems.acw.judge.positions import find_open_ground, require_shapes
from printkit.systems.acw.terms.pieces import (
    ALL_HILLS,
    CLIFFS,
    HILLS,
    PLACES,
    ROADS,
    STREAMS,
    CourseClass,
    Neighbour,
    Piece,
)
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import bearing, turn_between


def check_near(piece: Piece, case: AcwCase) -> Faults:
    """Check that each piece of a type is near what its row ``place`` names, if its zone has it."""
    rule = case.layout.place_rules[piece]
    max_distance = case.part(rule.within) + case.rules.slack(rule.within) * case.layout.unit if rule.within else 0.0
    for item in case.layout.select(piece):
        match rule.near:
            case Neighbour.ROADS:
                shapes, place = _list_roads(case, item), Sentence("the road")
            case Neighbour.HILLS:
                shapes, place = _list_hill_shapes(case, item), Sentence("the nearest hill")
            case _:
                shapes, place = _list_shores(case, item), Sentence("the shore")
        distance = min((item.shape.distance(shape) for shape in shapes), default=0.0)
        if distance > max_distance:
            yield Sentence(
                "{it} is {off:.0f} mm from {place} of zone {zone}",
                it=item.id,
                off=distance,
                place=place,
                zone=item.zone,
            )


def _list_shores(case: AcwCase, item: CheckedPiece) -> list[Polygon]:
    """Return the edge water (mm on the board) in or next to the zone of a piece, or an empty list."""
    return [case.layout.water] if case.layout.has_water(item.zone) else []


def _list_hill_shapes(case: AcwCase, item: CheckedPiece) -> list[Polygon]:
    """Return the outlines of the hills in the zone of a piece, in mm on the board."""
    return [hill.shape for hill in case.layout.in_zone(item.zone, *HILLS)]


def _list_roads(case: AcwCase, item: CheckedPiece) -> list[BaseGeometry]:
    """Return the roads in the zone of a piece as one shape of lines in mm on the board.

    The list is empty if they only touch the zone.
    """
    roads = case.layout.lines(*ROADS, zone=item.zone)
    return [roads] if roads.length >= case.touch else []


def check_spurs(case: AcwCase) -> Faults:
    """Check AC-F05: a spur starts at a table edge, a hill, or a zone side with a hill beyond it."""
    ground = case.layout
    # A hill that was rolled counts even if there was no room for it.
    hilly = {hill.zone for hill in ground.select(*HILLS)}
    hilly |= {roll.zone for roll in case.facts.rolls if roll.is_placed and roll.piece in HILLS}
    for spur in ground.select(Piece.SPUR):
        max_gap = case.part("spur_base")
        next_zones = [
            ground.grid.neighbour(spur.zone, side)
            for side in ZoneSide
            if spur.shape.distance(ground.side(spur.zone, side)) < max_gap
        ]
        touches_hill = any(
            hill is not spur and hill.shape.distance(spur.shape) < max_gap for hill in ground.select(*ALL_HILLS)
        )
        if not touches_hill and not any(zone is None or zone in hilly for zone in next_zones):
            yield Sentence("{one} does not start at a hill or an edge", one=spur.id)


def check_ridges(case: AcwCase) -> Faults:
    """Check AC-F04: a long hill meets a long hill, spur or steep hill of the next zone.

    This applies if both reach the shared side.
    """
    ground = case.layout
    for ridge in ground.select(Piece.LONG_HILL):
        for side, next_zone in ground.grid.neighbours(ridge.zone):
            line = ground.side(ridge.zone, side)
            for hill in ground.in_zone(next_zone, Piece.LONG_HILL, Piece.SPUR, Piece.STEEP_HILL):
                both_reach = all(shape.distance(line) < case.touch for shape in (ridge.shape, hill.shape))
                if both_reach and ridge.shape.distance(hill.shape) > case.part("ridge_gap"):
                    yield Sentence(
                        "{one} and {hill} both reach the border between their zones, but do not meet there",
                        one=ridge.id,
                        hill=hill.id,
                    )


def check_cliffs(case: AcwCase) -> Faults:
    """Check AC-F06: a cliff faces the water or the creek, otherwise away from the nearest other hill."""
    limit = case.rules.number("cliff_facing") + case.rules.slack("cliff_facing")
    for hill in case.layout.select(*CLIFFS):
        middle, (name, bearings) = hill.shape.centroid, _find_cliff_target(case, hill)
        for face in (face for face in hill.faces if face.kind is Kind.CLIFF):
            facing = bearing(middle, face.line.interpolate(0.5, normalized=True))
            deviation = min((turn_between(facing, target) for target in bearings), default=0.0)
            if deviation > limit:
                yield Sentence(
                    "{one}: its cliff must face {name}, but is {off:.0f} degrees off",
                    one=hill.id,
                    off=deviation,
                    name=name,
                )


def _find_cliff_target(case: AcwCase, item: CheckedPiece) -> tuple[Sentence, list[float]]:
    """Return a text for what the cliff of a hill must face, and the bearings that do, in degrees.

    The bearings are anticlockwise from +x, -180 to 180. They are to the water, to a creek, or away from the
    nearest hill. Without any, every bearing is right.
    """
    ground, middle = case.layout, item.shape.centroid
    if not ground.water.is_empty:
        return Sentence("the water"), [_bearing_to(middle, ground.water)]
    creeks = [creek.line for creek in ground.select(Piece.CREEK)] if case.facts.creek is not None else []
    if creeks:
        return Sentence("the creek"), [_bearing_to(middle, line) for line in creeks]
    others = [hill.shape for hill in ground.select(*ALL_HILLS) if hill is not item]
    nearest = (
        [min(others, key=item.shape.distance), min(others, key=lambda hill: hill.centroid.distance(middle))]
        if others
        else []
    )
    return Sentence("away from the nearest hill"), [bearing(hill.centroid, middle) for hill in nearest]


def _bearing_to(middle: Point, shape: BaseGeometry) -> float:
    """Return the bearing from a point to the nearest point of a shape; 0 if the point is inside it.

    It is in degrees anticlockwise from +x, -180 to 180.
    """
    return bearing(middle, Point(shapely.shortest_line(middle, shape).coords[-1]))


def check_fields(case: AcwCase) -> Faults:
    """Check AC-F14: the fields of a zone share sides."""
    for zone in case.grid.zones:
        zone_fields = list(case.layout.in_zone(zone, Piece.FIELD))
        for field in zone_fields if len(zone_fields) > 1 else ():
            other_fields = shapely.union_all(
                [other.shape.buffer(case.touch) for other in zone_fields if other is not field]
            )
            # Buffering by the touch distance adds that length at both ends of the shared side.
            if field.shape.exterior.intersection(other_fields).length - 2 * case.touch < case.part("field_shared"):
                yield Sentence("{one} does not share a side with another field of zone {zone}", one=field.id, zone=zone)


def check_field_homes(case: AcwCase) -> Faults:
    """Check AC-N35: the fields of a zone are at a farm, settlement or road, if there is room."""
    ground = case.layout
    for zone in ground.grid.zones:
        field_shapes = [item.shape for item in ground.in_zone(zone, Piece.FIELD)]
        homes = [item.shape for item in ground.in_zone(zone, Piece.FARM, *PLACES)]
        homes += [item.shape for item in ground.select(*ROADS) if item.line.intersects(ground.boxes[zone])]
        home, near = shapely.union_all(homes), case.part("field_home")
        distance = shapely.union_all(field_shapes).distance(home) if field_shapes and homes else 0.0
        if distance > near and (
            find_open_ground(case, zone, Piece.FIELD).intersection(home.buffer(near)).area
            > case.part("field_plot") ** 2
        ):
            yield Sentence(
                "the fields of zone {zone} are {off:.0f} mm from all its farms, settlements and roads",
                zone=zone,
                off=distance,
            )


def check_walls(case: AcwCase) -> Faults:
    """Check AC-F15: a wall runs along the side of a field, if its zone has one."""
    for wall in case.layout.select(Piece.WALL):
        sides = _field_sides(case, wall)
        if sides:
            yield from _check_along(case, wall, sides, Sentence("a field"))


def check_fences(case: AcwCase) -> Faults:
    """Check AC-F16: a fence runs along a field or road of its zone, if there is room for it."""
    ground = case.layout
    for fence in ground.select(Piece.FENCE_LINE):
        box = ground.boxes[fence.zone]
        roads = [road.shape for road in ground.select(*ROADS) if road.line.intersection(box).length > case.touch]
        if _has_free_side(case, fence, roads):
            yield from _check_along(case, fence, [*_field_sides(case, fence), *roads], Sentence("a field or road"))


def _field_sides(case: AcwCase, work: CheckedPiece) -> list[BaseGeometry]:
    """Return the outlines of the fields in the zone of a wall or fence, as lines in mm on the board."""
    return [field.shape.exterior for field in case.layout.in_zone(work.zone, Piece.FIELD)]


def _check_along(case: AcwCase, work: CheckedPiece, sides: list[BaseGeometry], target: Sentence) -> Faults:
    """Yield a fault if too little of a wall or fence runs along ``sides``.

    ``sides`` are lines or areas in mm on the board. ``target`` names them in the message.
    """
    near = shapely.union_all(sides).buffer(case.part("work_beside"))
    share = work.line.intersection(near).length / work.line.length
    if share < case.rules.number("work_along"):
        yield Sentence(
            "{one} runs along {what} of zone {zone} for {share:.0%} of its length",
            one=work.id,
            what=target,
            zone=work.zone,
            share=share,
        )


def _has_free_side(case: AcwCase, fence: CheckedPiece, roads: list[Polygon]) -> bool:
    """Return whether a field or road of the zone has a long enough free side for a fence.

    ``roads`` are the areas of the roads in the zone, in mm on the board.
    """
    ground = case.layout
    margin, times = case.part("fence_free_margin"), case.rules.number("fence_free_times")
    inner_area = ground.boxes[fence.zone].buffer(-2 * margin)
    edge_shapes = [*roads, *(field.shape for field in ground.in_zone(fence.zone, Piece.FIELD))]
    obstacles = [
        shape
        for item in ground.all_pieces
        if item is not fence and item.piece not in ROADS
        for shape in (item.shape, item.line)
    ]
    closed = shapely.union_all([*obstacles, *roads]).buffer(margin / 2 - case.touch)
    free = (
        shapely.union_all([shape.buffer(margin / 2).exterior for shape in edge_shapes])
        .intersection(inner_area)
        .difference(closed)
    )
    parts = shapely.get_parts(shapely.line_merge(free) if free.geom_type == "MultiLineString" else free)
    return any(part.length > times * fence.line.length for part in parts)


def check_ditches(case: AcwCase) -> Faults:
    """Check AC-F17: a ditch leads from a field, road or swamp to a stream, pool or water of its zone.

    It is checked only for those that the zone has.
    """
    ground, measure = case.layout, case.layout.measure(Piece.DITCH)
    for ditch in ground.select(Piece.DITCH):
        box, unit = ground.boxes[ditch.zone], ground.unit
        wet_shapes = [
            other.shape for other in ground.select(*STREAMS) if other.line.intersection(box).length > case.touch
        ]
        wet_shapes += [*(other.shape for other in ground.in_zone(ditch.zone, Piece.POOL)), *_list_shores(case, ditch)]
        water, reach = shapely.union_all(wet_shapes), case.part("ditch_reach")
        distance = ditch.line.distance(water) if wet_shapes else 0.0
        if distance > reach:
            yield Sentence(
                "{one} ends {off:.0f} mm from all water of zone {zone}", one=ditch.id, off=distance, zone=ditch.zone
            )
        dry_shapes = [other.shape.intersection(box) for other in ground.select(Piece.FIELD, Piece.SWAMP, *ROADS)]
        heads = shapely.union_all(dry_shapes).intersection(box.buffer(-reach))
        # Fields, roads and swamps farther from all water than the longest ditch do not count.
        max_distance = (measure.long or 0.0) * measure.most * unit - reach
        distance = (
            0.0
            if heads.is_empty or (wet_shapes and heads.distance(water) > max_distance)
            else ditch.line.boundary.distance(heads)
        )
        if distance > reach:
            yield Sentence(
                "{one} begins {off:.0f} mm away from all fields, roads and swamps of zone {zone}",
                one=ditch.id,
                off=distance,
                zone=ditch.zone,
            )


def check_ravines(case: AcwCase) -> Faults:
    """Check AC-F20: a ravine contains the stream of its zone, and does not run under towns or rocks."""
    ground, measure = case.layout, case.layout.measure(Piece.RAVINE)
    whole, part = (case.rules.number(f"ravine_held_{name}") for name in ("whole", "stream"))
    for ravine in ground.select(Piece.RAVINE):
        streams = ground.lines(*STREAMS, zone=ravine.zone)
        wet_part = ravine.line.intersection(streams.buffer(max(ravine.width, case.touch)))
        # Ravines of neighbouring zones meet at the shared side, so a short stream there may be elsewhere.
        meets = any(any(ground.in_zone(zone, Piece.RAVINE)) for _, zone in ground.grid.neighbours(ravine.zone))
        min_length = (measure.long or 0.0) * measure.least * ground.unit
        stream_limit = math.inf if streams.length >= min_length else 0.0 if meets else part * streams.length
        if not streams.is_empty and wet_part.length < min(whole * ravine.line.length, stream_limit):
            yield Sentence("{one} does not contain the stream of zone {zone}", one=ravine.id, zone=ravine.zone)
        for place in ground.select(*ground.place_rules.find_closed_to(CourseClass.RAVINES)):
            if place.shape.intersection(ravine.shape).area > case.touch:
                yield Sentence("{one} runs under {place}", one=ravine.id, place=place.id)


_AT_ROADS: Final = combine_checks(*(partial(check_near, piece) for piece in (*PLACES, Piece.FARM)))

# The checks of this module by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-F04": require_shapes(check_ridges),
    "AC-F05": require_shapes(check_spurs),
    "AC-F06": require_shapes(check_cliffs),
    "AC-F08": require_shapes(check_cliffs),
    "AC-F14": require_shapes(check_fields),
    "AC-F15": require_shapes(check_walls),
    "AC-F16": require_shapes(check_fences),
    "AC-F17": require_shapes(check_ditches),
    "AC-F20": require_shapes(check_ravines),
    "AC-F23": require_shapes(partial(check_near, Piece.SAND_DUNES)),
    "AC-F25": require_shapes(partial(check_near, Piece.SCREE)),
    "AC-F33": require_shapes(partial(check_near, Piece.FARM)),
    "AC-N16": require_shapes(_AT_ROADS),
    "AC-N35": require_shapes(check_field_homes),
}
