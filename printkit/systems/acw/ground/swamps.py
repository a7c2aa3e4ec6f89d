"""Place swamps on streams or at the water, and join neighbouring swamps (AC-N33, AC-N34)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.areas import wish_of
from printkit.systems.acw.ground.flanks import ruled_lines, unruled
from printkit.systems.acw.ground.hills import give_way
from printkit.systems.acw.ground.make_room import ALL_HILLS, PieceSpot, PlacementRequest, anywhere, place
from printkit.systems.acw.ground.placement import PlacedGround, ZoneGround, ZonePlacement, area, origin
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.roughness import largest_polygon

_NECK: Final = (0.16, 0.32)
_POOLS: Final = 0.13
_SOFT: Final = 0.05
# Maximum distance of a swamp beyond the table edge, if the water is there, before it is cut; a fraction of the unit.
_OVER: Final = 0.1

_BOTTOM: Final = 0.45
_WAYS_ACROSS: Final = 19
_FIRST: Final = 0.12
_TOUCH: Final = 1.0  # maximum distance in mm between a swamp and its stream or water


def lay_swamps(placement: ZonePlacement) -> None:
    """Place the swamps of all zones, then join neighbouring swamps."""
    rolls: dict[int, list[RollResult]] = {}
    for result in placement.results(Piece.SWAMP):
        rolls.setdefault(result.zone, []).append(result)
    found: dict[int, Area] = {}
    for zone, results in rolls.items():
        shape = _swamp(placement, results)
        if shape is None:
            for result in results:
                placement.leave_out(result, _where(placement, zone))
            continue
        swamp = area(placement, results[0], shape)
        found[zone] = replace(swamp, origin=origin(zone, results, (*swamp.origin.clauses, "AC-N34")))
    for zone, feature in _grown(placement, found).items():
        loose = replace(feature, outline=_loose(placement, zone, feature.outline))
        placement.placed.append(PlacedGround(piece=Piece.SWAMP, zone=zone, feature=loose))
    give_way(placement)


def _loose(placement: ZonePlacement, zone: int, swamp: Polygon) -> Polygon:
    """Return a swamp without straight edges, unless it would lose contact with its stream or water."""
    sites = [site for site in placement.sites.values() if site.box.intersects(swamp)]
    dry = placement.shore(zone).buffer(0.02 * placement.unit)
    lines = [side.difference(dry) for side in ruled_lines(box for site in sites for box in (site.box, site.room))]
    streams = [leg.line for leg in placement.legs if leg.piece in STREAMS and leg.line.dwithin(swamp, _TOUCH)]
    loose = unruled(
        swamp,
        [side for side in lines if isinstance(side, LineString) and side.length],
        unit=placement.sites[zone].unit,
        neck=placement.rules.number("swamp_neck") * min(site.unit for site in sites),
        stream=placement.stream(f"z{zone}", "flanks"),
    )
    boxes = [site.box for site in sites if not placement.shore(site.zone).is_empty]
    wet = [box for box in boxes if swamp.intersection(box).dwithin(placement.water, _TOUCH)]
    kept = all(line.dwithin(loose, _TOUCH) for line in streams)
    return loose if kept and all(loose.intersection(box).dwithin(placement.water, _TOUCH) for box in wet) else swamp


def _where(placement: ZonePlacement, zone: int) -> Sentence | None:
    """Return the text for the required position of the swamp of a zone (AC-N34), or None."""
    if not placement.lines(STREAMS, zone).is_empty:
        return Sentence("on the stream of its zone")
    return None if placement.shore(zone).is_empty else Sentence("at the water")


def _swamp(placement: ZonePlacement, results: Sequence[RollResult]) -> Polygon | None:
    """Return the swamp of a zone: on its stream, at the water or anywhere; or None."""
    result = results[0]
    site = placement.sites[result.zone]
    larger = sqrt(placement.rules.number("swamp_twice")) if len(results) > 1 else 1.0
    line, shore = placement.lines(STREAMS, result.zone), placement.shore(result.zone)
    anchor = placement.anchors.pop((result.zone, To.SWAMP), None)
    pulls = _pulls(placement, result.zone)
    spot: Callable[..., PieceSpot] = anywhere(site.room)
    if anchor is not None:
        spot = _along(LineString([anchor, (anchor.x + 0.1, anchor.y)]), 0.05 * site.unit)
    elif not line.is_empty:
        spot = _along(line, 0.04 * site.unit)
    elif not shore.is_empty:
        spot = _along(shore, 0.05 * site.unit)
    wish = wish_of(placement, result, spot=spot, score=_score(placement, site, line, pulls), larger=larger)
    if not shore.is_empty:
        # A swamp may touch the water. It is cut at the shore.
        wish = replace(wish, closed=_without_water(placement, site), room=_to_water(site, shore))
    shape = place(wish, placement.stream(result.id, "place"))
    if shape is None and not line.is_empty:
        shape = _bottoms(placement, site, wish, line)
    if shape is None:
        return None
    dry = shape.difference(placement.water)
    return _beside(dry if site.box.covers(dry) else dry.intersection(site.box), line)


def _beside(shape: BaseGeometry, line: BaseGeometry) -> Polygon | None:
    """Return the largest part of a swamp after the cut at the water; on a stream, a part that touches it."""
    if line.is_empty:
        return largest_polygon(shape)
    on_stream = [part for part in shapely.get_parts(shape) if part.distance(line) < _TOUCH]
    return largest_polygon(shapely.union_all(on_stream)) if on_stream else None


def _bottoms(placement: ZonePlacement, site: ZoneGround, wish: PlacementRequest, line: BaseGeometry) -> Polygon | None:
    """Return a swamp along a stream from small discs, if the usual shape has no room; or None."""
    longest = max(shapely.get_parts(line), key=lambda part: float(part.length))
    far = min(_BOTTOM * site.unit, longest.length)
    stream = placement.stream(f"z{site.zone}", "bottoms")
    start = stream.between(0.0, longest.length - far)
    count = max(3, round(far / (_POOLS * site.unit / 2)))
    discs = [
        longest.interpolate(start + far * number / count).buffer(stream.between(*_NECK) * site.unit / 2, quad_segs=12)
        for number in range(count + 1)
    ]
    shape = shapely.union_all(discs).intersection(site.room).difference(wish.closed)
    return largest_polygon(shape) if shape.area > (placement.rules.number("swamp_neck") * site.unit) ** 2 else None


def _without_water(placement: ZonePlacement, site: ZoneGround) -> BaseGeometry:
    near = site.box.buffer(1.0)
    return shapely.union_all([placed.outline for placed in placement.placed if placed.outline.intersects(near)])


def _to_water(site: ZoneGround, shore: BaseGeometry) -> Polygon:
    """Return the area for a swamp: its zone, and a strip beyond the table edge if the water begins there."""
    if shore.intersects(site.room):
        return site.room
    left, low, right, high = site.room.bounds
    west, south, east, north = shore.bounds
    over, (x, y) = _OVER * site.unit, site.middle
    if south == north:
        low, high = (low, north + over) if south > y else (south - over, high)
    else:
        left, right = (left, east + over) if west > x else (west - over, right)
    return shapely.box(left, low, right, high)


def _along(line: BaseGeometry, spread: float) -> Callable[..., PieceSpot]:
    parts = list(shapely.get_parts(line))

    def spot(stream, _factor: float) -> PieceSpot:  # type: ignore[no-untyped-def]
        part = parts[stream.below(len(parts))]
        at = part.interpolate(stream.unit(), normalized=True)
        return at.x + stream.bell(spread), at.y + stream.bell(spread), stream.between(0.0, 360.0)

    return spot


def _pulls(placement: ZonePlacement, zone: int) -> list[LineString]:
    """Return the sides of a zone shared with zones whose swamps must join this one."""
    grid = placement.laying.grid
    pairs = [pair for pair in placement.laying.network.swamps if zone in pair]
    others = [one if other == zone else other for one, other in pairs]
    return [placement.sites[zone].side(grid.side_between(zone, other)) for other in others]


def _score(
    placement: ZonePlacement, site: ZoneGround, line: BaseGeometry, pulls: list[LineString]
) -> Callable[[Polygon], float]:
    water = placement.water if not placement.water.is_empty and placement.water.intersects(site.box) else Polygon()

    def score(shape: Polygon) -> float:
        total = -plain_sum(shape.distance(pull) for pull in pulls)
        if not line.is_empty:
            return float(total + min(shape.intersection(line).length, 0.3 * site.unit))
        if not water.is_empty:
            outside = shape.intersection(water).area / shape.area
            return float(total - 2 * shape.distance(water) - site.unit * max(0.0, outside - 0.2))
        return float(total)

    return score


def _grown(placement: ZonePlacement, found: dict[int, Area]) -> dict[int, Area]:
    """Return the swamps, with those of neighbouring zones joined under the lowest zone (AC-N33)."""
    grown = dict(found)
    home = {zone: zone for zone in found}
    for one, other in placement.laying.network.swamps:
        if one not in home or other not in home:
            continue
        first, second = home[one], home[other]
        neck = _neck(placement, found[one].outline, found[other].outline, (one, other))
        if neck is None:
            continue
        shapes = [grown[zone].outline for zone in dict.fromkeys((first, second))]
        whole = _soft(placement, shapely.union_all([*shapes, neck]), (*shapes, neck))
        members = [zone for zone, now in home.items() if now in (first, second)]
        whole = largest_polygon(whole.intersection(shapely.union_all([placement.sites[zone].box for zone in members])))
        kept, gone = min(first, second), max(first, second)
        origins = [grown[zone].origin for zone in dict.fromkeys((kept, gone))]
        grown[kept] = replace(
            grown[kept],
            outline=whole,
            origin=replace(
                origins[0],
                throws=tuple(sorted({throw for each in origins for throw in each.throws})),
                clauses=tuple(dict.fromkeys((*origins[0].clauses, "AC-N33"))),
            ),
        )
        if gone != kept:
            del grown[gone]
        home = {zone: kept if now == gone else now for zone, now in home.items()}
    return grown


def _neck(placement: ZonePlacement, one: Polygon, other: Polygon, zones: tuple[int, int]) -> Polygon | None:
    """Return the neck that joins two swamps across the shared side, or None if other pieces block it."""
    nearest = LineString(shapely.shortest_line(one, other))
    ways = (nearest, LineString([one.centroid, other.centroid]), *_across(placement, one, other, zones))
    firm = [placed.outline.buffer(2.0) for placed in placement.placed if placed.piece not in ALL_HILLS]
    hills = [placed.outline.buffer(2.0) for placed in placement.of(ALL_HILLS)]
    # If hills leave no route, ignore them; they move away later.
    for closed in ([*firm, *hills], firm):
        bars = shapely.union_all([*closed, placement.water])
        shapely.prepare(bars)
        for cut in (False, True):
            neck = _through(placement, ways, bars, one, other, zones, cut=cut)
            if neck is not None:
                return neck
    return None


def _through(
    placement: ZonePlacement,
    ways: Sequence[LineString],
    bars: BaseGeometry,
    one: Polygon,
    other: Polygon,
    zones: tuple[int, int],
    *,
    cut: bool,
) -> Polygon | None:
    """Return a neck along the first free route; with ``cut``, obstacles may narrow it."""
    unit = min(placement.sites[zone].unit for zone in zones)
    for middle in ways:
        start, end = (Point(middle.coords[place]) for place in (0, -1))
        inner = [_inwards(swamp, at, unit) for swamp, at in ((one, start), (other, end))]
        way = LineString([inner[0], *middle.coords, inner[1]])
        for neck in (
            _wet_way(placement, way, unit, zones),
            way.buffer((placement.rules.number("swamp_neck") + 0.01) * unit / 2, quad_segs=8),
        ):
            if not bars.intersects(neck):
                return neck
            if cut and _joins(placement, rest := largest_polygon(neck.difference(bars)), one, other, zones):
                return rest
    return None


def _joins(placement: ZonePlacement, neck: Polygon, one: Polygon, other: Polygon, zones: tuple[int, int]) -> bool:
    """Return whether two swamps and their neck are wide enough everywhere from one swamp to the other."""
    least = placement.rules.number("swamp_neck") * min(placement.sites[zone].unit for zone in zones)
    whole = shapely.union_all([one, other, neck]).buffer(-least / 2)
    ends = [one, other, *(placement.sites[zone].box for zone in zones)]
    return any(all(part.intersection(end).area > least for end in ends) for part in shapely.get_parts(whole))


def _across(placement: ZonePlacement, one: Polygon, other: Polygon, zones: tuple[int, int]) -> Iterator[LineString]:
    """Yield routes between two swamps across the shared side: shortest first, then middle to middle."""
    side = placement.sites[zones[0]].side(placement.laying.grid.side_between(*zones))
    shares = [_FIRST + (1 - 2 * _FIRST) * number / (_WAYS_ACROSS - 1) for number in range(_WAYS_ACROSS)]
    spots = [side.interpolate(share, normalized=True) for share in shares]
    spots.sort(key=lambda spot: spot.distance(one) + spot.distance(other))
    for spot in spots:
        ends = [Point(shapely.shortest_line(swamp, spot).coords[0]) for swamp in (one, other)]
        yield LineString([ends[0], spot, ends[1]])
    for spot in spots:
        yield LineString([one.centroid, spot, other.centroid])


def _wet_way(placement: ZonePlacement, way: LineString, unit: float, zones: tuple[int, int]) -> Polygon:
    """Return a neck with irregular sides and the minimum width everywhere."""
    stream = placement.stream(f"z{zones[0]}", f"neck/{zones[1]}")
    count = max(2, round(way.length / (_POOLS * unit)))
    discs = [
        way.interpolate(place / count, normalized=True).buffer(stream.between(*_NECK) * unit / 2, quad_segs=12)
        for place in range(count + 1)
    ]
    least = way.buffer((placement.rules.number("swamp_neck") + 0.01) * unit / 2, quad_segs=8)
    return largest_polygon(shapely.union_all([least, *discs]))


def _inwards(swamp: Polygon, at: Point, unit: float) -> Point:
    """Return a point inside a swamp, behind a point of its edge."""
    middle = swamp.centroid
    far = at.distance(middle) or 1.0
    share = min(1.0, 0.12 * unit / far)
    return Point(at.x + share * (middle.x - at.x), at.y + share * (middle.y - at.y))


def _soft(placement: ZonePlacement, whole: BaseGeometry, parts: Sequence[Polygon]) -> Polygon:
    """Return joined swamps with rounded corners where the necks begin."""
    by = _SOFT * placement.unit
    closed = whole.buffer(by, quad_segs=8).buffer(-by, quad_segs=8)
    bars = shapely.union_all([placed.outline.buffer(1.0) for placed in placement.placed] + [placement.water])
    calm = largest_polygon(shapely.union_all([closed.difference(bars), *parts]))
    return Polygon(calm.exterior) if not bars.intersects(Polygon(calm.exterior)) else calm
