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
from printkit.kit.checks import Faults, UnseenError, check_rolls_placed, ignoring_hand_edits
from printkit.systems.acw.ground.checked_ground import CheckedPiece
from printkit.systems.acw.judge.case import AbsentError, AcwCase, Check, combine_checks, fit_box
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, TREES, WATERS, Piece
from printkit.systems.acw.terms.profile import FIELDS
from printkit.systems.acw.terms.tables import clearing_reading
from printkit.terrain.field.features import Course

# --- Check kind, going and size of the pieces (AC-F01..AC-F36) --------------------------------------------------------

# Pieces that grow around others or are joined to them: they can be too large, but not too small.
_GROWING: Final = (Piece.FOREST, Piece.SWAMP, Piece.SPUR)


def require_piece(piece: Piece) -> Check:
    """Return the check for kind, going and size of a piece.

    The check raises AbsentError if no such piece is on the table.
    """

    def check(case: AcwCase) -> Faults:
        """Yield the faults of each piece of this type."""
        items, measure = list(case.layout.select(piece)), case.layout.measure(piece)
        if not items:
            raise AbsentError("there is no {piece} on the table", piece=piece.value)
        for item in items:
            kind, going = item.feature.kind, item.feature.going.name
            if kind not in (FIELDS if piece is Piece.FIELD else (measure.kind,)):
                yield Sentence("{one} is a {kind}, but a {piece} was rolled", one=item.id, kind=kind, piece=piece.value)
            expected_going = (case.layout.measure(Piece.WOOD) if item.belt else measure).going.name
            if going not in ("", expected_going):
                yield Sentence(
                    "{one} is {found} going; a {piece} must be {wanted}",
                    one=item.id,
                    found=going,
                    piece=piece.value,
                    wanted=expected_going,
                )
            yield from check_size(case, item)

    return check


def check_size(case: AcwCase, piece: CheckedPiece, *, only_small: bool = False) -> Faults:
    """Yield the faults in the size of a piece; with ``only_small`` only sizes below the minimum.

    Sizes in the messages are in mm on the board.
    """
    ground, tolerance = case.layout, case.rules.number("sizes_missed")
    measure, feature = ground.measure(piece.piece), piece.feature
    lowest = 0.0 if piece.piece in _GROWING else measure.least * (1 - tolerance)
    top = math.inf if only_small else measure.most * (1 + tolerance)
    unit, values = ground.unit, {"one": piece.id, "piece": piece.piece.value}
    if isinstance(feature, Course):
        width, length = measure.width if measure.width is not None else measure.short, feature.line.length
        low, high = ((width or 0.0) * unit * factor for factor in (1 - tolerance, 1 + tolerance))
        if width is not None and not low <= feature.width <= high:
            yield Sentence(
                "{one} is {width:.1f} mm wide; a {piece} must be {low:.1f} to {high:.1f} mm",
                **values,
                width=feature.width,
                low=low,
                high=high,
            )
        elif measure.long is not None and not measure.long * unit * lowest <= length <= measure.long * unit * top:
            yield Sentence(
                "{one} is {length:.0f} mm long; a {piece} must be {low:.0f} to {high:.0f} mm",
                **values,
                length=length,
                low=measure.long * unit * lowest,
                high=measure.long * unit * top,
            )
    elif (
        measure.long is not None and measure.short is not None and not piece.belt and not _is_joined_swamp(case, piece)
    ):
        if piece.piece is Piece.SWAMP and case.rolled_twice(piece.zone, piece.piece):
            unit *= math.sqrt(case.rules.number("swamp_twice"))
        ranges = [(length * unit * lowest, length * unit * top) for length in (measure.long, measure.short)]
        wide, deep, deviation = fit_box(feature.outline, ranges[0], ranges[1])
        (low, high), (shallow, most) = ranges
        least = Sentence("at least {low:.0f} x {shallow:.0f}", low=low, shallow=shallow)
        limits = {"low": low, "high": high, "shallow": shallow, "most": most}
        range_text = least if only_small else Sentence("{low:.0f}-{high:.0f} x {shallow:.0f}-{most:.0f}", **limits)
        if deviation:
            yield Sentence(
                "{one} is {wide:.0f} x {deep:.0f} mm; a {piece} must be {room}",
                **values,
                wide=wide,
                deep=deep,
                room=range_text,
            )


def _is_joined_swamp(case: AcwCase, piece: CheckedPiece) -> bool:
    """Return whether a swamp is joined with those of other zones: it may then have any size."""
    return piece.piece is Piece.SWAMP and sum(_is_in_zone(case, piece.shape, zone) for zone in case.grid.zones) > 1


# Pieces whose position no other rule limits: for these it is possible to check whether there was room.
_UNRESTRICTED: Final = (Piece.WOOD, Piece.SCRUB, Piece.POOL, Piece.HILL, Piece.RISE, Piece.STEEP_HILL, Piece.ROCKS)


def check_margins(case: AcwCase) -> Faults:
    """Check AC-G01: areas keep 0.04 of the unit from the sides of their zone; some may reach them."""
    for piece in (piece for piece in case.layout.areas() if piece.piece not in WATERS):
        reaching = case.layout.place_rules[piece.piece].reaches
        margin = 0.0 if reaching else case.part("area_margin")
        tolerance = case.touch if reaching else case.rules.slack("area_margin") * case.layout.unit
        outside_part = piece.shape.difference(
            case.layout.boxes[piece.zone].buffer(tolerance - margin, join_style="mitre")
        )
        if not outside_part.is_empty and not _is_swamp_overlap(case, piece, outside_part):
            yield Sentence(
                "{one} reaches {area:.0f} mm² outside zone {zone}, or outside its margin of {by:.0f} mm",
                one=piece.id,
                zone=piece.zone,
                by=margin,
                area=outside_part.area,
            )


def _is_swamp_overlap(case: AcwCase, piece: CheckedPiece, outside_part: BaseGeometry) -> bool:
    """Return whether a piece outside its zone is a swamp joined with swamps of other zones (AC-N33).

    ``outside_part`` is the part outside the zone, in mm on the board.
    """
    outer_zones = [zone for zone in case.grid.zones if zone != piece.zone and _is_in_zone(case, outside_part, zone)]
    return piece.piece is Piece.SWAMP and all(
        not case.facts.rolls or case.zones.has(zone, Piece.SWAMP) for zone in outer_zones
    )


def check_overlaps(case: AcwCase) -> Faults:
    """Check AC-G02: two areas overlap only if one is allowed on the other."""
    areas, max_overlap = list(case.layout.areas()), case.rules.number("lap")
    shapes = [one.shape for one in areas]
    if not areas:
        return
    for first, second in STRtree(shapes).query(shapes, predicate="intersects").T:
        one, other, overlap = areas[first], areas[second], shapes[first].intersection(shapes[second]).area
        if (
            first < second
            and overlap > max_overlap
            and not (_may_lie_on(case, one, other) or _may_lie_on(case, other, one))
        ):
            yield Sentence("{first} and {second} overlap by {lap:.0f} mm²", first=one.id, second=other.id, lap=overlap)


def _may_lie_on(case: AcwCase, cover: CheckedPiece, hill: CheckedPiece) -> bool:
    """Return whether the piece ``cover`` may be on the piece ``hill``; the trees of a belt are a wood (AC-G02)."""
    return case.layout.place_rules.may_cover(Piece.WOOD if cover.belt else cover.piece, hill.piece)


def check_minimum_sizes(case: AcwCase) -> Faults:
    """Check AC-G04: pieces are not scaled below their smallest factor."""
    for piece in case.layout.areas():
        yield from check_size(case, piece, only_small=True)


def check_missing(case: AcwCase) -> Faults:
    """Check AC-G04: a known piece is on the table; one that is left out is not there, and has no room.

    ``check_rolls_placed`` finds pieces with a die that are missing.
    """
    features = case.record.battlefield.features
    ids = {feature.id for feature in features}
    throws = {throw for feature in features for throw in feature.origin.throws}
    plenty = case.rules.number("room_plenty")
    for entry in (entry for entry in case.facts.zones if entry.result.is_placed):
        roll, piece = entry.result, entry.piece
        assert piece is not None
        is_drawn = roll.id in ids or roll.throw in throws
        values = {"piece": piece.value, "zone": roll.zone, "roll": roll.roll}
        if entry.no_room and is_drawn:
            yield Sentence(
                "the {piece} of zone {zone}, roll {roll}, is on the table, but the record says that there was no room",
                **values,
            )
        elif entry.no_room:
            open_area = find_open_ground(case, roll.zone, piece).area if piece in _UNRESTRICTED else 0.0
            if open_area > plenty * case.layout.boxes[roll.zone].area:
                yield Sentence(
                    "the {piece} of zone {zone}, roll {roll}, is missing, although there is room for it", **values
                )
        elif roll.throw is None and not is_drawn and not _has_joined_feature(case, roll.zone, piece):
            yield Sentence(
                "the {piece} of zone {zone}, roll {roll}, is missing, and the record does not say that "
                "there was no room",
                **values,
            )


def _list_placing_rolls(case: AcwCase) -> Iterator[tuple[int, str]]:
    """Yield the number in the log of each roll that places a piece, with the reason if there was no room for it."""
    for entry in case.facts.zones:
        if entry.result.is_placed and entry.throw is not None:
            yield entry.throw, entry.no_room


def _has_joined_feature(case: AcwCase, zone: int, piece: Piece) -> bool:
    """Return whether a zone has a joined feature (road, stream, railroad or swamp) that may be a piece without a die.

    A feature of the same group, for example any stream, must lie in the zone.
    """
    group = next((group for group in (ROADS, STREAMS, (Piece.RAILROAD,), (Piece.SWAMP,)) if piece in group), ())
    return any(_is_in_zone(case, one.shape, zone) for one in case.layout.select(*group))


def find_open_ground(case: AcwCase, zone: int, piece: Piece) -> BaseGeometry:
    """Return the area where the middle of a piece at its smallest size fits in any rotation.

    It is in mm on the board, inside the zone and empty without such ground.
    """
    ground = case.layout
    measure, unit = ground.measure(piece), ground.unit
    reach = ((measure.long or 0.0) * measure.least / 2 + case.rules.number("area_margin")) * unit
    bars = [
        one.shape
        for one in ground.all_pieces
        if not ground.place_rules.may_cover(piece, one.piece) and not one.piece.key.endswith("fence")
    ]
    return ground.boxes[zone].buffer(-reach, join_style="mitre").difference(shapely.union_all(bars).buffer(reach))


def check_necks(case: AcwCase) -> Faults:
    """Check AC-N33: swamps of neighbouring zones join, by a strip at least 0.15 of the unit wide.

    Raises:
        UnseenError: no two neighbouring zones have swamps.
    """
    ground, swamp_zones = case.layout, _list_swamp_zones(case)
    pairs = [(one, other) for one, other in combinations(swamp_zones, 2) if ground.grid.distance(one, other) == 1]
    if not pairs:
        raise UnseenError("no two neighbouring zones have swamps")
    swamp_area = shapely.union_all([swamp.shape for swamp in ground.select(Piece.SWAMP)])
    neck = (case.rules.number("swamp_neck") - case.rules.slack("swamp_neck")) * ground.unit
    parts = shapely.get_parts(swamp_area.buffer(-neck / 2))
    for pair in pairs:
        is_present = all(_is_in_zone(case, swamp_area, zone) for zone in pair)
        if is_present and not any(all(_is_in_zone(case, part, zone) for zone in pair) for part in parts):
            yield Sentence(
                "the swamps of zones {one} and {other} are not joined by a strip of {neck:.0f} mm",
                one=pair[0],
                other=pair[1],
                neck=neck,
            )


def _list_swamp_zones(case: AcwCase) -> list[int]:
    """Return the zones with a swamp, by their rolls, or by the shapes if the record has no rolls.

    A shape counts if enough of its area is in the zone. Zones are in ascending order.
    """
    ground = case.layout
    if case.facts.rolls:
        return [zone for zone in ground.grid.zones if case.zones.has(zone, Piece.SWAMP)]
    shapes = [swamp.shape for swamp in ground.select(Piece.SWAMP)]
    return [
        zone
        for zone, box in ground.boxes.items()
        if any(shape.intersection(box).area > case.part("swamp_seen") ** 2 for shape in shapes)
    ]


def _is_in_zone(case: AcwCase, shape: BaseGeometry, zone: int) -> bool:
    """Return whether a shape in mm on the board is in a zone, with more than a negligible area."""
    return bool(shape.intersection(case.layout.boxes[zone]).area > case.rules.number("lap"))


def check_swamps(case: AcwCase) -> Faults:
    """Check AC-N34: a swamp touches the stream of its zone, or the edge water if there is no stream.

    Raises:
        UnseenError: no swamp is on the table.
    """
    ground = case.layout
    swamp_area = shapely.union_all([swamp.shape for swamp in ground.select(Piece.SWAMP)])
    if swamp_area.is_empty:
        raise UnseenError("there is no swamp on the table")
    for zone in _list_swamp_zones(case):
        box = ground.boxes[zone]
        shape, at_water = swamp_area.intersection(box), ground.has_water(zone)
        ribbons = [one.shape for one in ground.select(*STREAMS) if one.line.intersection(box).length > case.touch]
        wet = ribbons or [ground.water] * at_water
        distance = shape.distance(shapely.union_all(wet)) if wet and _is_in_zone(case, swamp_area, zone) else 0.0
        if distance > case.touch and ribbons:
            yield Sentence("the swamp of zone {zone} is {off:.0f} mm from its stream", zone=zone, off=distance)
        elif distance > case.touch:
            yield Sentence("the swamp of zone {zone} is {off:.0f} mm from the water", zone=zone, off=distance)


def check_clearings(case: AcwCase) -> Faults:
    """Check AC-F13: a clearing is a hole in the trees of its zone, or a belt with gaps surrounds it."""
    ground, rules = case.layout, case.rules
    trees = [wood.shape for wood in ground.select(*TREES)]
    least, most = (rules.number(f"belt_planted_{end}") for end in ("min", "max"))
    slack = rules.slack("belt_planted_min")
    reading = clearing_reading(rules, case.facts.geography)
    for clearing in ground.select(Piece.CLEARING):
        inner = clearing.shape.buffer(-case.touch)
        # In the reading "wooded-zone", a belt around the clearing is not enough: trees must cover the zone.
        woods = [wood for wood in ground.select(*TREES) if not (wood.belt and reading == "wooded-zone")]
        if reading == "nothing" or any(Polygon(wood.shape.exterior).contains(inner) for wood in woods):
            continue
        belt = case.part("belt")
        ring = clearing.shape.buffer(belt).difference(clearing.shape)
        belt_trees = shapely.union_all(trees).intersection(ring)
        share = belt_trees.area / ring.area
        if not any(wood.distance(clearing.shape) < case.touch for wood in trees):
            yield Sentence("{one} has no trees or belt of trees around it", one=clearing.id)
        elif reading == "wooded-zone":
            yield from _check_wooded_zone(case, clearing)
        elif share < least - slack:
            yield Sentence(
                "{one} has trees on {share:.0%} of its rim; a belt of trees must surround it",
                one=clearing.id,
                share=share,
            )
        elif share > most + slack:
            yield Sentence(
                "{one} has trees on {share:.0%} of its rim; gaps should take a quarter of it",
                one=clearing.id,
                share=share,
            )
        elif _count_gaps(clearing.shape, belt_trees, belt) < rules.whole("belt_gaps"):
            yield Sentence("{one} has one gap in its belt; at least two", one=clearing.id)


def _check_wooded_zone(case: AcwCase, clearing: CheckedPiece) -> Faults:
    """Check AC-Q16: trees cover nearly all of the zone that is free of the clearing and other pieces."""
    ground, woods = case.layout, shapely.union_all([wood.shape for wood in case.layout.select(*TREES)])
    obstacles = [
        other.shape for other in ground.all_pieces if other.piece not in (*TREES, *ROADS, *STREAMS, Piece.RAILROAD)
    ]
    free = ground.boxes[clearing.zone].buffer(-case.part("area_margin"), join_style="mitre")
    free = free.difference(shapely.union_all(obstacles).buffer(case.part("belt_beside")))
    share = free.intersection(woods).area / free.area if free.area else 1.0
    if share < case.rules.number("wooded"):
        yield Sentence(
            "{one} has trees on {share:.0%} of the free ground of its zone; it must have them on all of it",
            one=clearing.id,
            share=share,
        )


def _count_gaps(opening: Polygon, belt_trees: BaseGeometry, belt: float) -> int:
    """Return the number of gaps in a belt, counted along its middle line.

    Gaps up to half the width of the belt do not count.

    Args:
        opening: the outline of the clearing, in mm on the board.
        belt_trees: the trees of the belt, in mm.
        belt: the width of the belt, in mm.
    """
    line = LineString(opening.buffer(belt / 2).exterior.coords)
    # Merge the two parts of a gap at the start of the line.
    free = shapely.line_merge(line.difference(belt_trees))
    return sum(part.length > belt / 2 for part in shapely.get_parts(free))


def require_shapes(check: Check) -> Check:
    """Return the check, except that a record without shapes raises UnseenError."""

    def check_shapes(case: AcwCase) -> Iterator[str]:
        """Yield the faults of the check; without shapes raise UnseenError."""
        if not case.layout.all_pieces:
            raise UnseenError("the record has no shapes")
        yield from check(case)

    return check_shapes


# The checks of positions by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-G01": require_shapes(check_margins),
    "AC-G02": require_shapes(check_overlaps),
    "AC-G04": require_shapes(
        ignoring_hand_edits(combine_checks(check_minimum_sizes, check_missing, check_rolls_placed(_list_placing_rolls)))
    ),
    "AC-N33": require_shapes(check_necks),
    "AC-N34": require_shapes(check_swamps),
    "AC-F13": require_shapes(check_clearings),
}
