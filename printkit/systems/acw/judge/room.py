"""Check positions and missing pieces (AC-G01..G04), and kind, going and size (AC-F01..AC-F36)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

import shapely
from shapely import LineString, Polygon, STRtree
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, ignoring_hand_edits
from printkit.systems.acw.judge.case import (
    ALL_HILLS,
    AbsentError,
    AcwCase,
    Check,
    CheckedPiece,
    both,
    box_of,
)
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, TREES, WATERS, Piece
from printkit.systems.acw.terms.profile import FIELDS
from printkit.systems.acw.terms.tables import clearing_reading
from printkit.terrain.field.features import Course, Kind

# --- Check kind, going and size of the pieces (AC-F01..AC-F36) --------------------------------------------------------

# Pieces that grow around others or are joined to them: they can be too large, but not too small.
_GROWS: Final = (Piece.FOREST, Piece.SWAMP, Piece.SPUR, Piece.CLEARING)


def is_piece(piece: Piece) -> Check:
    """Return the check for kind, going and size of a piece."""

    def check(case: AcwCase) -> Faults:
        found, measure = list(case.laid.of(piece)), case.laid.measure(piece)
        if not found:
            raise AbsentError("there is no {piece} on the table", piece=piece.value)
        for one in found:
            kind, going = one.feature.kind, one.feature.going.name
            if kind not in (FIELDS if piece is Piece.FIELD else (measure.kind,)):
                yield Sentence("{one} is a {kind}, but a {piece} was rolled", one=one.id, kind=kind, piece=piece.value)
            wanted = (case.laid.measure(Piece.WOOD) if one.belt else measure).going.name
            if going not in ("", wanted):
                yield Sentence(
                    "{one} is {found} going; a {piece} must be {wanted}",
                    one=one.id,
                    found=going,
                    piece=piece.value,
                    wanted=wanted,
                )
            yield from misfits(case, one)

    return check


def misfits(case: AcwCase, one: CheckedPiece, *, only_small: bool = False) -> Faults:
    """Yield the faults in the size of a piece; with ``only_small`` only sizes below the minimum."""
    ground, off = case.laid, case.rules.number("sizes_missed")
    measure, feature = ground.measure(one.piece), one.feature
    floor = 0.0 if one.piece in _GROWS else measure.least * (1 - off)
    top = math.inf if only_small else measure.most * (1 + off)
    unit, named = ground.unit, {"one": one.id, "piece": one.piece.value}
    if isinstance(feature, Course):
        width, length = measure.width if measure.width is not None else measure.short, feature.line.length
        low, high = ((width or 0.0) * unit * by for by in (1 - off, 1 + off))
        if width is not None and not low <= feature.width <= high:
            yield Sentence(
                "{one} is {width:.1f} mm wide; a {piece} must be {low:.1f} to {high:.1f} mm",
                **named,
                width=feature.width,
                low=low,
                high=high,
            )
        elif measure.long is not None and not measure.long * unit * floor <= length <= measure.long * unit * top:
            yield Sentence(
                "{one} is {length:.0f} mm long; a {piece} must be {low:.0f} to {high:.0f} mm",
                **named,
                length=length,
                low=measure.long * unit * floor,
                high=measure.long * unit * top,
            )
    elif measure.long is not None and measure.short is not None and not one.belt and not _grown(case, one):
        if one.piece is Piece.SWAMP and case.rolled_twice(one.zone, one.piece):
            unit *= math.sqrt(case.rules.number("swamp_twice"))
        ranges = [(length * unit * floor, length * unit * top) for length in (measure.long, measure.short)]
        wide, deep, missed = box_of(feature.outline, ranges[0], ranges[1])
        (low, high), (shallow, most) = ranges
        least = Sentence("at least {low:.0f} x {shallow:.0f}", low=low, shallow=shallow)
        between = {"low": low, "high": high, "shallow": shallow, "most": most}
        room = least if only_small else Sentence("{low:.0f}-{high:.0f} x {shallow:.0f}-{most:.0f}", **between)
        if missed:
            yield Sentence(
                "{one} is {wide:.0f} x {deep:.0f} mm; a {piece} must be {room}",
                **named,
                wide=wide,
                deep=deep,
                room=room,
            )


def _grown(case: AcwCase, one: CheckedPiece) -> bool:
    """Return whether a swamp is joined with those of other zones: it may then have any size."""
    return one.piece is Piece.SWAMP and sum(_lies_in(case, one.shape, zone) for zone in case.grid.zones) > 1


_REACHING: Final = (Piece.LONG_HILL, Piece.SPUR, Piece.FOREST, Piece.SWAMP, Piece.SAND_DUNES)
_ON_ANY_HILL: Final = (Piece.WOOD, Piece.WOODLAND, Piece.SCRUB, Piece.ROCKS, Piece.SCREE, Piece.CLEARING)
_ON_GENTLE: Final = (Piece.FIELD, Piece.FARM, Piece.BUILDING)
# Pieces whose position no other rule limits: for these it is possible to check whether there was room.
_FREE: Final = (Piece.WOOD, Piece.SCRUB, Piece.POOL, Piece.HILL, Piece.RISE, Piece.STEEP_HILL, Piece.ROCKS)


def inside(case: AcwCase) -> Faults:
    """Check AC-G01: areas keep 0.04 of the unit from the sides of their zone; some may reach them."""
    for one in (one for one in case.laid.areas() if one.piece not in WATERS):
        reaching = one.piece in _REACHING
        by = 0.0 if reaching else case.part("area_margin")
        off = case.touch if reaching else case.rules.slack("area_margin") * case.laid.unit
        out = one.shape.difference(case.laid.boxes[one.zone].buffer(off - by, join_style="mitre"))
        if not out.is_empty and not _joined(case, one, out):
            yield Sentence(
                "{one} reaches {area:.0f} mm² outside zone {zone}, or outside its margin of {by:.0f} mm",
                one=one.id,
                zone=one.zone,
                by=by,
                area=out.area,
            )


def _joined(case: AcwCase, one: CheckedPiece, out: BaseGeometry) -> bool:
    """Return whether a piece outside its zone is a swamp joined with swamps of other zones (AC-N33)."""
    over = [zone for zone in case.grid.zones if zone != one.zone and _lies_in(case, out, zone)]
    return one.piece is Piece.SWAMP and all(not case.facts.rolls or case.zones.has(zone, Piece.SWAMP) for zone in over)


def apart(case: AcwCase) -> Faults:
    """Check AC-G02: two areas overlap only if one is allowed on the other."""
    found, most = list(case.laid.areas()), case.rules.number("lap")
    shapes = [one.shape for one in found]
    if not found:
        return
    for first, second in STRtree(shapes).query(shapes, predicate="intersects").T:
        one, other, lap = found[first], found[second], shapes[first].intersection(shapes[second]).area
        if first < second and lap > most and not (_may_lie_on(one, other) or _may_lie_on(other, one)):
            yield Sentence("{first} and {second} overlap by {lap:.0f} mm²", first=one.id, second=other.id, lap=lap)


def _may_lie_on(cover: CheckedPiece, hill: CheckedPiece) -> bool:
    gentle = hill.piece in (Piece.HILL, Piece.RISE) and cover.piece in _ON_GENTLE
    return gentle or (hill.piece in ALL_HILLS and (cover.piece in _ON_ANY_HILL or cover.belt))


def not_too_small(case: AcwCase) -> Faults:
    """Check AC-G04: pieces are not scaled below their smallest factor."""
    for one in case.laid.areas():
        yield from misfits(case, one, only_small=True)


def left_out(case: AcwCase) -> Faults:
    """Check AC-G04: each rolled piece is on the table, or the record rightly says that there was no room."""
    ground = case.laid
    features = case.record.battlefield.features
    ids = {feature.id for feature in features}
    grown = (each for each in features if isinstance(each, Course) or each.kind is Kind.SWAMP)
    plenty = case.rules.number("room_plenty")
    throws = {throw for feature in grown for throw in feature.origin.throws}
    for told in case.facts.zones:
        roll, piece = told.result, told.piece
        if piece is None or not roll.lies or roll.id in ids or roll.throw in throws or _passes(case, roll.zone, piece):
            continue
        named = {"piece": piece.value, "zone": roll.zone, "roll": roll.roll}
        if not told.no_room:
            yield Sentence(
                "the {piece} of zone {zone}, roll {roll}, is missing, and the record does not say that "
                "there was no room",
                **named,
            )
        elif piece in _FREE and open_ground(case, roll.zone, piece).area > plenty * ground.boxes[roll.zone].area:
            yield Sentence(
                "the {piece} of zone {zone}, roll {roll}, is missing, although there is room for it", **named
            )


def _passes(case: AcwCase, zone: int, piece: Piece) -> bool:
    """Return whether a joined feature (road, stream, railroad or swamp) stands for a piece in its zone.

    Without a die for the piece, the record does not show which part of the feature it is.
    """
    if piece in STREAMS and _with_creek(case, zone):
        return True
    group = next((group for group in (ROADS, STREAMS, (Piece.RAILROAD,), (Piece.SWAMP,)) if piece in group), ())
    if not group or any(roll.throw is not None for roll in case.zones.lying(zone) if roll.piece is piece):
        return False
    return any(_lies_in(case, one.shape, zone) for one in case.laid.of(*group))


def _with_creek(case: AcwCase, zone: int) -> bool:
    """Return whether the streams of a zone are part of the creek across the table (AC-N26)."""
    if case.facts.graph is None or case.creek is None or zone not in case.creek.path:
        return False
    return all(reach.zone != zone for reach in case.anew.streams.reaches)


def open_ground(case: AcwCase, zone: int, piece: Piece) -> BaseGeometry:
    """Return the area of a zone where the middle of a piece at its smallest size fits in any rotation."""
    ground = case.laid
    measure, unit = ground.measure(piece), ground.unit
    reach = ((measure.long or 0.0) * measure.least / 2 + case.rules.number("area_margin")) * unit
    bars = [
        one.shape
        for one in ground.seen
        if not (one.piece in ALL_HILLS and piece in _ON_ANY_HILL) and not one.piece.key.endswith("fence")
    ]
    return ground.boxes[zone].buffer(-reach, join_style="mitre").difference(shapely.union_all(bars).buffer(reach))


def necks(case: AcwCase) -> Faults:
    """Check AC-N33: swamps of neighbouring zones join, by a strip at least 0.15 of the unit wide."""
    ground, wet = case.laid, _wet_zones(case)
    pairs = [(one, other) for one, other in combinations(wet, 2) if ground.grid.distance(one, other) == 1]
    if not pairs:
        raise UnseenError("no two neighbouring zones have swamps")
    whole = shapely.union_all([swamp.shape for swamp in ground.of(Piece.SWAMP)])
    neck = (case.rules.number("swamp_neck") - case.rules.slack("swamp_neck")) * ground.unit
    parts = shapely.get_parts(whole.buffer(-neck / 2))
    for pair in pairs:
        lies = all(_lies_in(case, whole, zone) for zone in pair)
        if lies and not any(all(_lies_in(case, part, zone) for zone in pair) for part in parts):
            yield Sentence(
                "the swamps of zones {one} and {other} are not joined by a strip of {neck:.0f} mm",
                one=pair[0],
                other=pair[1],
                neck=neck,
            )


def _wet_zones(case: AcwCase) -> list[int]:
    """Return the zones with a swamp, by their rolls, or by the shapes if the record has no rolls."""
    ground = case.laid
    if case.facts.rolls:
        return [zone for zone in ground.grid.zones if case.zones.has(zone, Piece.SWAMP)]
    shapes = [swamp.shape for swamp in ground.of(Piece.SWAMP)]
    return [
        zone
        for zone, box in ground.boxes.items()
        if any(shape.intersection(box).area > case.part("swamp_seen") ** 2 for shape in shapes)
    ]


def _lies_in(case: AcwCase, shape: BaseGeometry, zone: int) -> bool:
    return bool(shape.intersection(case.laid.boxes[zone]).area > case.rules.number("lap"))


def swamp_in_water(case: AcwCase) -> Faults:
    """Check AC-N34: a swamp touches the stream of its zone, or the edge water if there is no stream."""
    ground = case.laid
    whole = shapely.union_all([swamp.shape for swamp in ground.of(Piece.SWAMP)])
    if whole.is_empty:
        raise UnseenError("there is no swamp on the table")
    for zone in _wet_zones(case):
        box = ground.boxes[zone]
        shape, at_water = whole.intersection(box), ground.at_water(zone)
        ribbons = [one.shape for one in ground.of(*STREAMS) if one.line.intersection(box).length > case.touch]
        wet = ribbons or [ground.water] * at_water
        off = shape.distance(shapely.union_all(wet)) if wet and _lies_in(case, whole, zone) else 0.0
        if off > case.touch and ribbons:
            yield Sentence("the swamp of zone {zone} is {off:.0f} mm from its stream", zone=zone, off=off)
        elif off > case.touch:
            yield Sentence("the swamp of zone {zone} is {off:.0f} mm from the water", zone=zone, off=off)


def clearings(case: AcwCase) -> Faults:
    """Check AC-F13: a clearing is a hole in the trees of its zone, or a belt with gaps surrounds it."""
    ground, rules = case.laid, case.rules
    trees = [wood.shape for wood in ground.of(*TREES)]
    least, most = (rules.number(f"belt_planted_{end}") for end in ("min", "max"))
    slack = rules.slack("belt_planted_min")
    reading = clearing_reading(rules, case.facts.geography)
    for one in ground.of(Piece.CLEARING):
        inner = one.shape.buffer(-case.touch)
        # In the reading "wooded-zone", a belt around the clearing is not enough: trees must cover the zone.
        woods = [wood for wood in ground.of(*TREES) if not (wood.belt and reading == "wooded-zone")]
        if reading == "nothing" or any(Polygon(wood.shape.exterior).contains(inner) for wood in woods):
            continue
        belt = case.part("belt")
        ring = one.shape.buffer(belt).difference(one.shape)
        planted = shapely.union_all(trees).intersection(ring)
        share = planted.area / ring.area
        if not any(wood.distance(one.shape) < case.touch for wood in trees):
            yield Sentence("{one} has no trees or belt of trees around it", one=one.id)
        elif reading == "wooded-zone":
            yield from _closed(case, one)
        elif share < least - slack:
            yield Sentence(
                "{one} has trees on {share:.0%} of its rim; a belt of trees must surround it", one=one.id, share=share
            )
        elif share > most + slack:
            yield Sentence(
                "{one} has trees on {share:.0%} of its rim; gaps should take a quarter of it", one=one.id, share=share
            )
        elif _gaps(one.shape, planted, belt) < rules.whole("belt_gaps"):
            yield Sentence("{one} has one gap in its belt; at least two", one=one.id)


def _closed(case: AcwCase, one: CheckedPiece) -> Faults:
    """Check AC-Q16: trees cover nearly all of the zone that is free of the clearing and other pieces."""
    ground, woods = case.laid, shapely.union_all([wood.shape for wood in case.laid.of(*TREES)])
    others = [other.shape for other in ground.seen if other.piece not in (*TREES, *ROADS, *STREAMS, Piece.RAILROAD)]
    free = ground.boxes[one.zone].buffer(-case.part("area_margin"), join_style="mitre")
    free = free.difference(shapely.union_all(others).buffer(case.part("belt_beside")))
    share = free.intersection(woods).area / free.area if free.area else 1.0
    if share < case.rules.number("wooded"):
        yield Sentence(
            "{one} has trees on {share:.0%} of the free ground of its zone; it must have them on all of it",
            one=one.id,
            share=share,
        )


def _gaps(opening: Polygon, planted: BaseGeometry, belt: float) -> int:
    """Return the number of gaps in a belt, counted along its middle line."""
    line = LineString(opening.buffer(belt / 2).exterior.coords)
    # Merge the two parts of a gap at the start of the line.
    free = shapely.line_merge(line.difference(planted))
    return sum(part.length > belt / 2 for part in shapely.get_parts(free))


def drawn(check: Check) -> Check:
    """Return the check, except that a record without shapes raises UnseenError."""

    def asked(case: AcwCase) -> Iterator[str]:
        if not case.laid.seen:
            raise UnseenError("the record has no shapes")
        yield from check(case)

    return asked


# The checks of positions by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-G01": drawn(inside),
    "AC-G02": drawn(apart),
    "AC-G04": drawn(ignoring_hand_edits(both(not_too_small, left_out))),
    "AC-N33": drawn(necks),
    "AC-N34": drawn(swamp_in_water),
    "AC-F13": drawn(clearings),
}
