"""Place settlements, forts, farms and buildings on or near roads, and fields (AC-F14, F32..F36)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.systems.acw.ground.areas import put, wish_of
from printkit.systems.acw.ground.make_room import (
    PieceSpot,
    PlacementRequest,
    about,
    aligned,
    anywhere,
    cleared,
    parts,
    place,
    without,
    won,
)
from printkit.systems.acw.ground.placement import JOINT, PlacedGround, ZonePlacement
from printkit.systems.acw.ground.zone_crossings import CREEK, ROAD, STREAM, Joints
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Area, Kind

# --- Settlements, towns and forts on their roads (AC-F32, AC-F35, AC-F36, AC-N16) -------------------------------------

_DRY: Final = 0.012  # gap between a place and a swamp that gave up ground to it, as a fraction of the unit
_WADE: Final = 0.078  # half the minimum width of such a swamp, as a fraction of the unit (AC-N33)
_LEFT: Final = 0.6  # share of the swamp that must remain
_SHORTEST: Final = 10.0  # minimum length in mm of a road that ends in a place
_ATTEMPTS: Final = 5  # number of searches in swamps


def lay_campaign(placement: ZonePlacement, joints: Joints) -> None:
    """Place the towns and forts of the campaign on the expected roads, before other pieces (AC-302)."""
    for result in placement.results(*CAMPAIGN_PLACES):
        site, stream = placement.sites[result.zone], placement.stream(result.id, "place")
        roads, streams = (
            shapely.union_all([line for course in courses for line in joints.straights(course, result.zone)])
            for courses in ((ROAD,), (STREAM, CREEK))
        )

        def near(shape: Polygon, roads: BaseGeometry = roads) -> float:
            return 0.0 if roads.is_empty else -float(roads.distance(shape.centroid))

        def on_road(shape: Polygon, roads: BaseGeometry = roads) -> float:
            return -math.inf if not roads.is_empty and not shape.intersects(roads) else near(shape)

        wish = wish_of(placement, result, spot=aligned(site.room, roads))
        joints_off = shapely.MultiPoint(placement.joints).buffer(JOINT * site.unit, quad_segs=4)
        # Never cover edge water. Cover the railroad, which cannot turn, before a stream.
        grounds = [
            shapely.union_all([closed, joints_off, *ways])
            for ways in ((streams.buffer(JOINT * site.unit),), ())
            for closed in (wish.closed, placement.water)
        ]
        wishes = [replace(wish, closed=ground, score=score) for score in (on_road, near) for ground in grounds]
        tried = (place(each, stream) for each in (*wishes, replace(wish, closed=placement.water)))
        put(placement, result, next((found for found in tried if found is not None), None), also="AC-302")


def settle(placement: ZonePlacement, result: RollResult) -> None:
    """Place a settlement so that the road of its zone passes through it (AC-N16)."""
    site = placement.sites[result.zone]
    anchor = placement.anchors.get((result.zone, To.PLACE))
    roads = placement.lines(ROADS, result.zone)
    stream = placement.stream(result.id, "place")
    spots: list[Callable[..., PieceSpot]] = []
    if not roads.is_empty:
        spots.append(_on(roads, anchor, 0.03 * site.unit))
        spots.append(_on(roads, None, 0.06 * site.unit))
    if anchor is not None:
        spots.append(_near(anchor, 0.05 * site.unit))
    spots.append(anywhere(site.room))

    def score(shape: Polygon) -> float:
        return float(shape.intersection(roads).length) - (0.0 if roads.is_empty else float(shape.distance(roads)))

    found = None
    least = placement.measure(Piece.SETTLEMENT).least
    small = [(spot, (least, least)) for spot in spots[:2]] if not roads.is_empty else []
    whole = wish_of(placement, result, score=score)
    for spot, factors in (*((spot, None) for spot in spots), *small):
        wish = replace(whole, spot=spot)
        placed = place(replace(wish, factors=factors) if factors is not None else wish, stream)
        if placed is not None and (roads.is_empty or placed.intersects(roads)):
            found = placed
            break
        found = found or placed
    if not roads.is_empty and (found is None or not found.intersects(roads)):
        # A settlement must touch the road of its zone.
        found = _drained(placement, result, spots[:2], score, stream, roads)
    if found is None:
        on_road = spots[:2] if not roads.is_empty else spots
        found = cleared(
            placement,
            result.zone,
            lambda: [wish_of(placement, result, spot=spot, score=score) for spot in on_road],
            stream,
            lambda shape: roads.is_empty or bool(shape.intersects(roads)),
        )
    also = "AC-N16" if found is not None and found.intersects(roads) else ""
    put(placement, result, found, also=also, where=None if roads.is_empty else Sentence("on the road of its zone"))
    if found is not None and anchor is not None:
        _end_in(placement, result.zone, found)


def _end_in(placement: ZonePlacement, zone: int, place_of: Polygon) -> None:
    """Shorten the road that ends in a place, so that it does not continue beyond the place."""
    for number, leg in enumerate(placement.legs):
        loose = leg.zone == zone and leg.piece in ROADS and leg.ends is None and leg.meets is None
        if loose and leg.line.intersects(place_of) and not place_of.contains(Point(leg.line.coords[-1])):
            inner = shapely.get_coordinates(leg.line.intersection(place_of))
            along = sorted(leg.line.project(shapely.points(inner)))
            if along[-1] > _SHORTEST:
                placement.legs[number] = replace(leg, line=substring(leg.line, 0.0, (along[0] + along[-1]) / 2))


def _drained(
    placement: ZonePlacement,
    result: RollResult,
    spots: list[Callable[..., PieceSpot]],
    score: Callable[[Polygon], float],
    stream: Stream,
    roads: BaseGeometry,
) -> Polygon | None:
    """Return a place on its road that takes ground from a swamp; None if that would split the swamp."""
    unit = placement.sites[result.zone].unit
    streams = placement.lines(STREAMS)

    def stays(swamp: PlacedGround, rest: Polygon) -> bool:
        whole = parts(rest, _WADE * unit) <= parts(swamp.outline, _WADE * unit)
        wet = rest.intersects(streams) or not swamp.outline.intersects(streams)
        joined = _joined(placement, swamp.outline) <= _joined(placement, rest)
        return whole and wet and joined and rest.area > _LEFT * swamp.outline.area

    swamps = (Piece.SWAMP,)
    wishes = without(placement, swamps, lambda: [wish_of(placement, result, spot=spot, score=score) for spot in spots])
    return won(
        placement,
        swamps,
        wishes * _ATTEMPTS,
        stream,
        gap=_DRY * unit,
        stays=stays,
        wanted=lambda shape: bool(shape.intersects(roads)),
    )


def _joined(placement: ZonePlacement, swamp: Polygon) -> set[tuple[int, int]]:
    """Return the pairs of zones that a swamp joins with the minimum width everywhere (AC-N33)."""
    sites = [site for site in placement.sites.values() if site.box.intersects(swamp)]
    neck = placement.rules.number("swamp_neck") * min(site.unit for site in sites)
    bodies = shapely.get_parts(swamp.buffer(-neck / 2))
    held = [[site.zone for site in sites if body.intersection(site.box).area > neck] for body in bodies]
    return {pair for zones in held for pair in combinations(zones, 2)}


def _on(lines: BaseGeometry, anchor: Point | None, spread: float) -> Callable[..., PieceSpot]:
    """Return a function that draws positions on lines, near the anchor if there is one."""
    parts = list(shapely.get_parts(lines))

    def spot(stream: Stream, _factor: float) -> PieceSpot:
        part = parts[stream.draw_index(len(parts))]
        at = part.interpolate(stream.between(0.15, 0.85), normalized=True)
        if anchor is not None:
            at = part.interpolate(part.project(anchor) - abs(stream.draw_normal(2 * spread)))
        return at.x + stream.draw_normal(spread), at.y + stream.draw_normal(spread), stream.between(0.0, 360.0)

    return spot


def _near(anchor: Point, spread: float) -> Callable[..., PieceSpot]:
    def spot(stream: Stream, _factor: float) -> PieceSpot:
        return anchor.x + stream.draw_normal(spread), anchor.y + stream.draw_normal(spread), stream.between(0.0, 360.0)

    return spot


_BESIDE: Final = 0.012
_PLAY: Final = 3.0
# Maximum distance between a farm and its road if there is no room next to the road, as a fraction of the unit.
_AWAY: Final = 0.09

_AT_ROAD: Final = 0.14  # maximum distance between a farm and its road, as a fraction of the unit
_SKEW: Final = 5.0  # maximum deviation of a farm near its road from the axes of the table, in degrees
_MIDDLES: Final = 8  # number of tries for its middle on open ground

# Maximum distance between a field and its farm, place or road, if nearer ground is covered; a fraction of the unit.
_FIELDS_OFF: Final = 0.27

# Spread of the positions of a farm around the end of its side road, as fractions of the unit.
_ENDS_NEAR: Final = (0.08, 0.14)
# Maximum distance between a farm and that end, as a fraction of the unit.
_REACHED: Final = 0.06

_CROPS: Final = (Kind.CROPS, Kind.PLOUGH, Kind.CROPS, Kind.PASTURE)
_ENDS: Final = 0.12  # share of a road at each end without positions next to it


def lay_places(placement: ZonePlacement) -> None:
    """Place settlements, then farms, then single buildings."""
    for result in placement.results(Piece.SETTLEMENT):
        settle(placement, result)
    for result in placement.results(Piece.FARM):
        _beside(placement, result)
    for result in placement.results(Piece.BUILDING):
        _beside(placement, result)


def lay_field(placement: ZonePlacement, result: RollResult) -> None:
    """Place a field next to another one of its zone, or a farm, settlement or road (AC-F14, AC-N35)."""
    wish = wish_of(placement, result, spot=_in_line(placement, result.zone))
    stream = placement.stream(result.id, "place")
    kind = _CROPS[stream.draw_index(len(_CROPS))]
    fields = [one.outline for one in placement.in_zone(result.zone, (Piece.FIELD,))]
    if fields:
        found = _next_field(placement, result, wish, fields, stream)
        if found is None:
            found = _half_of(placement, result.zone)
        put(placement, result, found, kind=kind, also="AC-N35", where=Sentence("beside another field of its zone"))
        return
    more = sum(other.piece is Piece.FIELD for other in placement.laying.log.lying(result.zone)) > 1
    if more:
        wish = replace(wish, score=_neighbourly(placement, result, wish.closed))
    found = next((found for found in _by_homes(placement, result, wish, stream) if found is not None), None)
    if found is not None:
        put(placement, result, found, kind=kind, also="AC-N35")
        return
    if not more:
        wish = replace(wish, score=_worked(placement, result.zone))
    put(placement, result, place(wish, stream), kind=kind)


def _by_homes(
    placement: ZonePlacement, result: RollResult, wish: PlacementRequest, stream: Stream
) -> Iterator[Polygon | None]:
    """Yield a field for each position next to a farm, settlement or road, then in a forest (AC-N35)."""
    spots = _field_spots(placement, result, wish.drawn)
    for spot in spots:
        yield place(replace(wish, spot=spot), stream)
    yield cleared(placement, result.zone, lambda: [wish_of(placement, result, spot=spot) for spot in spots], stream)


def _in_line(placement: ZonePlacement, zone: int) -> Callable[..., PieceSpot]:
    """Return a function that draws positions in a zone, parallel to its nearest course."""
    return aligned(placement.sites[zone].room, placement.lines((*ROADS, Piece.RAILROAD, *STREAMS), zone))


def _half_of(placement: ZonePlacement, zone: int) -> Polygon | None:
    """Split a field of the zone and return one half; None if no field is large enough (AC-F14)."""
    measure, unit = placement.measure(Piece.FIELD), placement.sites[zone].unit
    least = [(length or 0.0) * measure.least * unit for length in (measure.long, measure.short)]
    for place_of, placed in enumerate(placement.placed):
        if placed.zone != zone or placed.piece is not Piece.FIELD or not isinstance(placed.feature, Area):
            continue
        sides = _sides(placed.outline)
        long = max((0, 1), key=lambda number: sides[number].length + sides[number + 2].length)
        one, other = sides[long], sides[long + 2]
        first, last = (side.interpolate(0.5, normalized=True) for side in (one, other))
        lengths = sorted((one.length / 2, other.length / 2, sides[1 - long].length, sides[3 - long].length))
        if lengths[0] < least[1] or lengths[2] < least[0]:
            continue
        kept = Polygon([one.coords[0], first, last, other.coords[1]])
        rest = Polygon([first, one.coords[1], other.coords[0], last])
        placement.placed[place_of] = replace(placed, feature=replace(placed.feature, outline=kept))
        return rest
    return None


def _worked(placement: ZonePlacement, zone: int) -> Callable[[Polygon], float]:
    """Return a score function for a single field: best near houses, fields and roads."""
    site = placement.sites[zone]
    homes = [
        one.outline for one in placement.of((Piece.FARM, Piece.SETTLEMENT, Piece.TOWN, Piece.BUILDING, Piece.FIELD))
    ]
    near = shapely.union_all([*homes, placement.lines(ROADS)]).intersection(site.box.buffer(0.4 * site.unit))

    def score(shape: Polygon) -> float:
        return 0.0 if near.is_empty else -float(shape.distance(near))

    return score


def _beside(placement: ZonePlacement, result: RollResult) -> None:
    """Place a farm or building next to the road of its zone, if there is one (AC-F33, AC-N16)."""
    assert result.piece is not None
    site = placement.sites[result.zone]
    wish = wish_of(placement, result, spot=_in_line(placement, result.zone))
    stream = placement.stream(result.id, "place")
    anchor = placement.anchors.get((result.zone, To.FARM))
    legs = [leg for leg in placement.legs if leg.zone == result.zone and leg.piece in ROADS]
    found = None
    reached, homes = _REACHED * site.unit, list(placement.in_zone(result.zone, (Piece.FARM, Piece.BUILDING)))
    if legs:
        lines = [(leg.line, placement.width(leg) / 2) for leg in legs]
        # A side road without a farm goes to the first house of its zone.
        if anchor is not None and not any(one.outline.distance(anchor) < reached for one in homes):
            found = _at_end(wish, anchor, site.unit, stream)
        if found is None:
            spot = _along(lines, wish.drawn, _BESIDE * site.unit, anchor)
            found = place(replace(wish, spot=spot), stream)
        if found is None:
            spot = _along(lines, wish.drawn, _BESIDE * site.unit, None, play=_AWAY * site.unit)
            found = place(replace(wish, spot=spot), stream)
        roads = shapely.union_all([line for line, _ in lines])
        # A position outside the area is moved back into it, which may be far from the road.
        if result.piece is Piece.FARM and (found is None or found.distance(roads) > _AT_ROAD * site.unit):
            beside = _along(lines, wish.drawn, _BESIDE * site.unit, None, play=_AWAY * site.unit)
            found = _near_road(wish, roads, site.unit, stream) or cleared(
                placement,
                result.zone,
                lambda: [wish_of(placement, result, spot=beside)],
                stream,
                lambda shape: bool(shape.distance(roads) < _AT_ROAD * site.unit),
            )
            put(placement, result, found, also="AC-N16", where=Sentence("beside the road of its zone"))
            return
        wish = replace(wish, score=lambda shape: -float(shape.distance(roads)))
    if found is None and result.piece is Piece.BUILDING:
        farms = [one.outline for one in placement.in_zone(result.zone, (Piece.FARM, Piece.FIELD))]
        if farms:
            spot = _against(farms, wish.drawn, 0.02 * site.unit)
            found = place(replace(wish, spot=spot), stream)
    also = "AC-N16" if legs and found else ""
    found = found or place(wish, stream)
    found = found or cleared(placement, result.zone, lambda: [wish_of(placement, result)], stream)
    put(placement, result, found, also=also)


def _near_road(wish: PlacementRequest, roads: BaseGeometry, unit: float, stream: Stream) -> Polygon | None:
    """Return a farm near its road but not parallel to it, or None if it would be too far away."""
    left, low, right, high = wish.drawn.bounds
    half, far = wish.factors[0] * (high - low) / 2, _AT_ROAD * unit
    open_ground = wish.room.buffer(-half, join_style="mitre").difference(wish.closed.buffer(half, quad_segs=4))
    near = open_ground.intersection(roads.buffer(far + wish.factors[0] * (right - left) / 2))
    if near.is_empty:
        return None
    middles = shapely.get_parts(near)
    shapely.prepare(middles)

    def spot(stream: Stream, _factor: float) -> PieceSpot:
        ground = middles[stream.draw_index(len(middles))]
        west, south, east, north = ground.bounds
        for _ in range(_MIDDLES):
            x, y = stream.between(west, east), stream.between(south, north)
            if shapely.contains_xy(ground, x, y):
                break
        return x, y, 90.0 * stream.draw_index(4) + stream.between(-_SKEW, _SKEW)

    found = place(replace(wish, spot=spot, score=lambda shape: -float(shape.distance(roads))), stream)
    return found if found is not None and found.distance(roads) < far else None


def _at_end(wish: PlacementRequest, anchor: Point, unit: float, stream: Stream) -> Polygon | None:
    """Return a farm near the end of its side road, or None without room (AC-N04)."""

    def score(shape: Polygon) -> float:
        return -float(shape.distance(anchor))

    for spread in _ENDS_NEAR:
        found = place(replace(wish, spot=about(anchor, spread * unit), score=score), stream)
        if found is not None and found.distance(anchor) < _REACHED * unit:
            return found
    return None


def _along(
    lines: list[tuple[LineString, float]],
    drawn: Polygon,
    gap: float,
    anchor: Point | None = None,
    play: float = _PLAY,
) -> Callable[..., PieceSpot]:
    """Return a function that draws positions next to lines (with half widths), parallel to the line."""
    deep = drawn.bounds[3] - drawn.bounds[1]

    def spot(stream: Stream, factor: float) -> PieceSpot:
        line, half = lines[stream.draw_index(len(lines))]
        ends = _ENDS if play == _PLAY else 0.0
        along = stream.between(ends, 1 - ends) * line.length
        if anchor is not None and line.distance(anchor) < 5.0:
            along = min(max(line.project(anchor) + stream.draw_normal(12.0), 8.0), line.length - 4.0)
        before, after = line.interpolate(max(0, along - 20)), line.interpolate(min(line.length, along + 20))
        bearing = math.atan2(after.y - before.y, after.x - before.x)
        side = 1.0 if stream.draw_unit() < 0.5 else -1.0
        off = half + gap + factor * deep / 2 + stream.between(0.3, play)
        at = line.interpolate(along)
        turn = math.degrees(bearing) + stream.between(-3, 3) + (180.0 if stream.draw_unit() < 0.5 else 0.0)
        return at.x - side * off * math.sin(bearing), at.y + side * off * math.cos(bearing), turn

    return spot


def _against(grounds: list[Polygon], drawn: Polygon, gap: float, play: float = _PLAY) -> Callable[..., PieceSpot]:
    """Return a function that draws positions next to the sides of areas, parallel to the side."""
    sides = [side for ground in grounds for side in _sides(ground)]
    deep = drawn.bounds[3] - drawn.bounds[1]

    def spot(stream: Stream, factor: float) -> PieceSpot:
        side = sides[stream.draw_index(len(sides))]
        at = side.interpolate(stream.between(0.1, 0.9), normalized=True)
        (x, y), (end_x, end_y) = side.coords
        bearing = math.atan2(end_y - y, end_x - x)
        off = gap + factor * deep / 2 + stream.between(0.3, play)
        return at.x + off * math.sin(bearing), at.y - off * math.cos(bearing), math.degrees(bearing)

    return spot


def _sides(ground: Polygon) -> list[LineString]:
    """Return the straight sides of an area; the area is on the left of each side."""
    plain = ground.exterior if len(ground.exterior.coords) < 8 else ground.minimum_rotated_rectangle.exterior
    ring = shapely.geometry.polygon.orient(Polygon(plain)).exterior.coords
    return [LineString([ring[place], ring[place + 1]]) for place in range(len(ring) - 1)]


def _field_spots(placement: ZonePlacement, result: RollResult, drawn: Polygon) -> list[Callable[..., PieceSpot]]:
    """Return functions that draw positions of a field: at a farm, a settlement, then a road (AC-N35)."""
    zone, unit = result.zone, placement.sites[result.zone].unit
    found: list[Callable[..., PieceSpot]] = []
    for pieces in ((Piece.FARM,), (Piece.SETTLEMENT, Piece.TOWN)):
        grounds = [one.outline for one in placement.in_zone(zone, pieces)]
        if grounds:
            found.append(_against(grounds, drawn, 0.013 * unit))
            found.append(_against(grounds, drawn, 0.013 * unit, play=_AWAY * unit))
            found.append(_against(grounds, drawn, 0.013 * unit, play=_FIELDS_OFF * unit))
    legs = [leg for leg in placement.legs if leg.zone == zone and leg.piece in ROADS]
    if legs:
        lines = [(leg.line, placement.width(leg) / 2) for leg in legs]
        found.append(_along(lines, drawn, 0.013 * unit))
        found.append(_along(lines, drawn, 0.013 * unit, play=_AWAY * unit))
        found.append(_along(lines, drawn, 0.013 * unit, play=_FIELDS_OFF * unit))
    return found


def _next_field(
    placement: ZonePlacement, result: RollResult, wish: PlacementRequest, fields: list[Polygon], stream: Stream
) -> Polygon | None:
    """Return a field that shares an entire side with another field of its zone, or None."""
    site, measure = placement.sites[result.zone], placement.measure(Piece.FIELD)
    long, short = (measure.long or 0) * site.unit, (measure.short or 0) * site.unit
    for factor in (1.0, 0.85, measure.least):
        for field in fields:
            own = field.buffer(0.0)
            closed = wish.closed.difference(own.buffer(0.02 * site.unit))
            others = shapely.union_all([closed, wish.last])
            for side in sorted(_sides(field), key=lambda _side: stream.draw_unit()):
                shape = _built_on(side, short if side.length > 0.8 * long else long, factor, stream)
                if site.room.contains(shape) and not others.intersects(shape) and shape.intersection(own).area < 1.0:
                    return shape
    return None


def _neighbourly(placement: ZonePlacement, result: RollResult, closed: BaseGeometry) -> Callable[[Polygon], float]:
    """Return a score function: 1 if another field has room next to a side of the field, otherwise 0."""
    site, measure = placement.sites[result.zone], placement.measure(Piece.FIELD)
    deep = (measure.short or 0) * site.unit

    def score(shape: Polygon) -> float:
        plots = [_built_on(side, deep, 1.08, placement.stream(result.id, "beside")) for side in _sides(shape)]
        return float(any(site.room.contains(plot) and not closed.intersects(plot) for plot in plots))

    return score


def _built_on(side: LineString, deep: float, factor: float, stream: Stream) -> Polygon:
    """Return a four-sided plot on the right of a line."""
    (x, y), (end_x, end_y) = side.coords
    length = side.length
    out = ((end_y - y) / length * deep * factor, -(end_x - x) / length * deep * factor)
    first, last = stream.between(0.92, 1.04), stream.between(0.92, 1.04)
    return Polygon([(x, y), (x + first * out[0], y + first * out[1]), (end_x + last * out[0], end_y + last * out[1]),
                    (end_x, end_y)])  # fmt: skip
