"""Check relations between pieces: spurs and hills, fields and farms, walls and fields, and others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.acw.judge.case import ALL_HILLS, CLIFFS, AcwCase, Check, CheckedPiece, both
from printkit.systems.acw.judge.room import drawn, open_ground
from printkit.systems.acw.terms.pieces import HILLS, PLACES, ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import bearing, turn_between


def beside(
    piece: Piece, others: Callable[[AcwCase, CheckedPiece], Iterable[BaseGeometry]], limit: str = "", *, says: str
) -> Check:
    """Return a check that each piece of a type is near one of some shapes, if there are any.

    Args:
        others: returns the shapes for a piece.
        limit: name of the largest distance in the rule book, a share of the zone's unit; without it they must touch.
        says: the message for a fault, with ``{it}`` for the ID, ``{off}`` in mm and ``{zone}``.
    """

    def check(case: AcwCase) -> Faults:
        for one in case.laid.of(piece):
            off = min((one.shape.distance(other) for other in others(case, one)), default=0.0)
            if off > (case.part(limit) if limit else 0.0):
                yield Sentence(says, it=one.id, off=off, zone=one.zone)

    return check


def _shore(case: AcwCase, one: CheckedPiece) -> list[Polygon]:
    return [case.laid.water] if case.laid.at_water(one.zone) else []


def _hills(case: AcwCase, one: CheckedPiece) -> list[Polygon]:
    return [hill.shape for hill in case.laid.in_zone(one.zone, *HILLS)]


def _roads(case: AcwCase, one: CheckedPiece) -> list[BaseGeometry]:
    """Return the roads in the zone of a piece, if they do more than touch the zone."""
    roads = case.laid.lines(*ROADS, zone=one.zone)
    return [roads] if roads.length >= case.touch else []


def spurs(case: AcwCase) -> Faults:
    """Check AC-F05: a spur starts at a table edge, a hill, or a zone side with a hill beyond it."""
    ground = case.laid
    # A hill that was rolled counts even if there was no room for it.
    hilly = {hill.zone for hill in ground.of(*HILLS)}
    hilly |= {roll.zone for roll in case.facts.rolls if roll.lies and roll.piece in HILLS}
    for one in ground.of(Piece.SPUR):
        near = case.part("spur_base")
        beyond = [
            ground.grid.neighbour(one.zone, side)
            for side in ZoneSide
            if one.shape.distance(ground.side(one.zone, side)) < near
        ]
        own = any(hill is not one and hill.shape.distance(one.shape) < near for hill in ground.of(*ALL_HILLS))
        if not own and not any(zone is None or zone in hilly for zone in beyond):
            yield Sentence("{one} does not start at a hill or an edge", one=one.id)


def ridges(case: AcwCase) -> Faults:
    """Check AC-F04: a long hill meets a long hill, spur or steep hill of the next zone.

    This applies if both reach the shared side.
    """
    ground = case.laid
    for one in ground.of(Piece.LONG_HILL):
        for side, other in ground.grid.neighbours(one.zone):
            line = ground.side(one.zone, side)
            for hill in ground.in_zone(other, Piece.LONG_HILL, Piece.SPUR, Piece.STEEP_HILL):
                reach = all(shape.distance(line) < case.touch for shape in (one.shape, hill.shape))
                if reach and one.shape.distance(hill.shape) > case.part("ridge_gap"):
                    yield Sentence(
                        "{one} and {hill} both reach the border between their zones, but do not meet there",
                        one=one.id,
                        hill=hill.id,
                    )


def cliffs(case: AcwCase) -> Faults:
    """Check AC-F06: a cliff faces the water or the creek, otherwise away from the nearest other hill."""
    limit = case.rules.number("cliff_facing") + case.rules.slack("cliff_facing")
    for one in case.laid.of(*CLIFFS):
        middle, (name, right) = one.shape.centroid, _faced(case, one)
        for face in (face for face in one.faces if face.kind is Kind.CLIFF):
            facing = bearing(middle, face.line.interpolate(0.5, normalized=True))
            off = min((turn_between(facing, each) for each in right), default=0.0)
            if off > limit:
                yield Sentence(
                    "{one}: its cliff must face {name}, but is {off:.0f} degrees off", one=one.id, off=off, name=name
                )


def _faced(case: AcwCase, one: CheckedPiece) -> tuple[Sentence, list[float]]:
    """Return what the cliff of a hill must face, and the bearings that do; empty if any bearing is right."""
    ground, middle = case.laid, one.shape.centroid
    if not ground.water.is_empty:
        return Sentence("the water"), [_towards(middle, ground.water)]
    creeks = [creek.line for creek in ground.of(Piece.CREEK)] if case.facts.creek is not None else []
    if creeks:
        return Sentence("the creek"), [_towards(middle, line) for line in creeks]
    others = [hill.shape for hill in ground.of(*ALL_HILLS) if hill is not one]
    near = (
        [min(others, key=one.shape.distance), min(others, key=lambda hill: hill.centroid.distance(middle))]
        if others
        else []
    )
    return Sentence("away from the nearest hill"), [bearing(hill.centroid, middle) for hill in near]


def _towards(middle: Point, shape: BaseGeometry) -> float:
    return bearing(middle, Point(shapely.shortest_line(middle, shape).coords[-1]))


def fields(case: AcwCase) -> Faults:
    """Check AC-F14: the fields of a zone share sides."""
    for zone in case.grid.zones:
        found = list(case.laid.in_zone(zone, Piece.FIELD))
        for one in found if len(found) > 1 else ():
            rest = shapely.union_all([other.shape.buffer(case.touch) for other in found if other is not one])
            # Buffering by the touch distance adds that length at both ends of the shared side.
            if one.shape.exterior.intersection(rest).length - 2 * case.touch < case.part("field_shared"):
                yield Sentence("{one} does not share a side with another field of zone {zone}", one=one.id, zone=zone)


def worked(case: AcwCase) -> Faults:
    """Check AC-N35: the fields of a zone are at a farm, settlement or road, if there is room."""
    ground = case.laid
    for zone in ground.grid.zones:
        found = [one.shape for one in ground.in_zone(zone, Piece.FIELD)]
        homes = [one.shape for one in ground.in_zone(zone, Piece.FARM, *PLACES)]
        homes += [one.shape for one in ground.of(*ROADS) if one.line.intersects(ground.boxes[zone])]
        home, near = shapely.union_all(homes), case.part("field_home")
        off = shapely.union_all(found).distance(home) if found and homes else 0.0
        if off > near and (
            open_ground(case, zone, Piece.FIELD).intersection(home.buffer(near)).area > case.part("field_plot") ** 2
        ):
            yield Sentence(
                "the fields of zone {zone} are {off:.0f} mm from all its farms, settlements and roads",
                zone=zone,
                off=off,
            )


def walls(case: AcwCase) -> Faults:
    """Check AC-F15: a wall runs along the side of a field, if its zone has one."""
    for one in case.laid.of(Piece.WALL):
        sides = _field_sides(case, one)
        if sides:
            yield from _along(case, one, sides, Sentence("a field"))


def fences(case: AcwCase) -> Faults:
    """Check AC-F16: a fence runs along a field or road of its zone, if there is room for it."""
    ground = case.laid
    for one in ground.of(Piece.FENCE_LINE):
        box = ground.boxes[one.zone]
        roads = [road.shape for road in ground.of(*ROADS) if road.line.intersection(box).length > case.touch]
        if _free_side(case, one, roads):
            yield from _along(case, one, [*_field_sides(case, one), *roads], Sentence("a field or road"))


def _field_sides(case: AcwCase, work: CheckedPiece) -> list[BaseGeometry]:
    return [field.shape.exterior for field in case.laid.in_zone(work.zone, Piece.FIELD)]


def _along(case: AcwCase, one: CheckedPiece, sides: list[BaseGeometry], what: Sentence) -> Faults:
    near = shapely.union_all(sides).buffer(case.part("work_beside"))
    share = one.line.intersection(near).length / one.line.length
    if share < case.rules.number("work_along"):
        yield Sentence(
            "{one} runs along {what} of zone {zone} for {share:.0%} of its length",
            one=one.id,
            what=what,
            zone=one.zone,
            share=share,
        )


def _free_side(case: AcwCase, fence: CheckedPiece, roads: list[Polygon]) -> bool:
    """Return whether a field or road of the zone has a long enough free side for a fence."""
    ground = case.laid
    margin, times = case.part("fence_free_margin"), case.rules.number("fence_free_times")
    kept = ground.boxes[fence.zone].buffer(-2 * margin)
    own = [*roads, *(field.shape for field in ground.in_zone(fence.zone, Piece.FIELD))]
    bars = [
        shape for one in ground.seen if one is not fence and one.piece not in ROADS for shape in (one.shape, one.line)
    ]
    closed = shapely.union_all([*bars, *roads]).buffer(margin / 2 - case.touch)
    free = shapely.union_all([shape.buffer(margin / 2).exterior for shape in own]).intersection(kept).difference(closed)
    parts = shapely.get_parts(shapely.line_merge(free) if free.geom_type == "MultiLineString" else free)
    return any(part.length > times * fence.line.length for part in parts)


def ditches(case: AcwCase) -> Faults:
    """Check AC-F17: a ditch leads from a field, road or swamp to a stream, pool or water of its zone.

    It is checked only for those that the zone has.
    """
    ground, measure = case.laid, case.laid.measure(Piece.DITCH)
    for one in ground.of(Piece.DITCH):
        box, unit = ground.boxes[one.zone], ground.unit
        wet = [other.shape for other in ground.of(*STREAMS) if other.line.intersection(box).length > case.touch]
        wet += [*(other.shape for other in ground.in_zone(one.zone, Piece.POOL)), *_shore(case, one)]
        water, near = shapely.union_all(wet), case.part("ditch_reach")
        off = one.line.distance(water) if wet else 0.0
        if off > near:
            yield Sentence("{one} ends {off:.0f} mm from all water of zone {zone}", one=one.id, off=off, zone=one.zone)
        dry = [other.shape.intersection(box) for other in ground.of(Piece.FIELD, Piece.SWAMP, *ROADS)]
        heads = shapely.union_all(dry).intersection(box.buffer(-near))
        # Fields, roads and swamps farther from all water than the longest ditch do not count.
        far = (measure.long or 0.0) * measure.most * unit - near
        off = 0.0 if heads.is_empty or (wet and heads.distance(water) > far) else one.line.boundary.distance(heads)
        if off > near:
            yield Sentence(
                "{one} begins {off:.0f} mm away from all fields, roads and swamps of zone {zone}",
                one=one.id,
                off=off,
                zone=one.zone,
            )


def ravines(case: AcwCase) -> Faults:
    """Check AC-F20: a ravine contains the stream of its zone, and does not run under towns or rocks."""
    ground, measure = case.laid, case.laid.measure(Piece.RAVINE)
    whole, part = (case.rules.number(f"ravine_held_{name}") for name in ("whole", "stream"))
    for one in ground.of(Piece.RAVINE):
        streams = ground.lines(*STREAMS, zone=one.zone)
        wet = one.line.intersection(streams.buffer(max(one.width, case.touch)))
        # Ravines of neighbouring zones meet at the shared side, so a short stream there may be elsewhere.
        meets = any(any(ground.in_zone(zone, Piece.RAVINE)) for _, zone in ground.grid.neighbours(one.zone))
        least = (measure.long or 0.0) * measure.least * ground.unit
        short = math.inf if streams.length >= least else 0.0 if meets else part * streams.length
        if not streams.is_empty and wet.length < min(whole * one.line.length, short):
            yield Sentence("{one} does not contain the stream of zone {zone}", one=one.id, zone=one.zone)
        for place in ground.of(*PLACES, Piece.FARM, Piece.BUILDING, Piece.ROCKS):
            if place.shape.intersection(one.shape).area > case.touch:
                yield Sentence("{one} runs under {place}", one=one.id, place=place.id)


_DUNES: Final = beside(Piece.SAND_DUNES, _shore, "dunes_shore", says="{it} is {off:.0f} mm from the shore of its zone")
_SCREE: Final = beside(
    Piece.SCREE, _hills, "scree_foot", says="{it} is {off:.0f} mm from the nearest hill of zone {zone}"
)
_FARMS: Final = beside(Piece.FARM, _roads, "farm_road", says="{it} is {off:.0f} mm from the road of zone {zone}")
_PLACES: Final = tuple(
    beside(piece, _roads, says="the road of zone {zone} misses {it} by {off:.0f} mm") for piece in PLACES
)

# The checks of this module by clause.
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
    "AC-F23": drawn(_DUNES),
    "AC-F25": drawn(_SCREE),
    "AC-F33": drawn(_FARMS),
    "AC-N16": drawn(both(*_PLACES, _FARMS)),
    "AC-N35": drawn(worked),
}
