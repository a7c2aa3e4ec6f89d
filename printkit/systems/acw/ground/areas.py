"""Areas by themselves: pools, dunes, rocks, scree, woods, scrub; clearings and belts of trees (AC-F13, AC-Q16)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.make_room import ALL_HILLS, PieceSpot, Wish, about, anywhere, cleared, place, taken
from printkit.systems.acw.ground.placement import TRIES, PlacedGround, ZonePlacement, area
from printkit.systems.acw.ground.shapes import outline
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import HILLS, ROADS, STREAMS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.systems.acw.terms.tables import clearing_reading
from printkit.terrain.field.features import Area, Kind
from printkit.terrain.geometry.measure import stations
from printkit.terrain.geometry.roughness import largest

_AT_SPRING: Final = (0.02, 0.05)
"""How far from the end of its stream a pool is sought, first and then, as parts of the unit."""

_FULL: Final = 0.62
"""The least share of its smallest size that a forest needs when it grows about other things."""

_MOST_OF: Final = 0.16
"""The least share of a square zone that a forest takes at all."""

_FOREST_GAP: Final = 0.02
_BELOW: Final = 0.07
_FOREST_TRIES: Final = 9
_LED: Final = 0.05
_ABOUT: Final = 2.0
_PULL: Final = {
    Piece.SCREE: HILLS,
    Piece.ROCKS: ALL_HILLS,
    Piece.SCRUB: (*ALL_HILLS, *TREES, Piece.ROCKS),
    Piece.WOOD: (*ALL_HILLS, Piece.WOOD, Piece.WOODLAND),
    Piece.WOODLAND: (*ALL_HILLS, Piece.WOOD),
}
"""What pieces like to lie beside; scree lies at a foot of a hill (AC-F25)."""

_CROSSED: Final = 0.6
"""How much a place loses for each mm of way that would run through it, for pieces better left whole."""


def lay_pools(placement: ZonePlacement) -> None:
    """Lay pools: at the spring or the end of a stream that has one, else where there is room (AC-F21)."""
    for result in placement.results(Piece.POOL):
        site = placement.sites[result.zone]
        anchor = placement.anchors.pop((result.zone, To.POOL), None)
        if anchor is not None:
            spots = (about(anchor, spread * site.unit) for spread in _AT_SPRING)
            wish = wish_of(placement, result, score=_towards(anchor))
            tried = (place(replace(wish, spot=spot), placement.stream(result.id, "place")) for spot in spots)
            found = next((shape for shape in tried if shape is not None), None)
        else:
            ways = shapely.union_all([placement.lines(STREAMS, result.zone), *placement.straights[result.zone]])
            found = _found(placement, result, score=_away(ways, 0.12 * site.unit) if not ways.is_empty else None)
        put(placement, result, found, where=Sentence("at the end of its stream") if anchor is not None else None)


def lay_forests(placement: ZonePlacement) -> None:
    """Lay forests, which take most of their zone: what comes later is cleared from them at need (AC-F11, AC-G04)."""
    for result in placement.results(Piece.FOREST):
        where = Sentence("about what lies in its zone")
        put(placement, result, _forest(placement, result), where=where, tries=_FOREST_TRIES)


def lay_trees(placement: ZonePlacement) -> None:
    """Lay woodlands and woods (AC-F09, AC-F10)."""
    for result in placement.results(Piece.WOOD, Piece.WOODLAND):
        anchor = placement.anchors.get((result.zone, To.TREES))
        if anchor is not None:
            site = placement.sites[result.zone]
            found = _found(placement, result, spot=about(anchor, 0.08 * site.unit), score=_towards(anchor))
            if found is not None:
                put(placement, result, found)
                continue
        put(placement, result, _found(placement, result, score=_liking(placement, result)))


def lay_rest(placement: ZonePlacement, result: RollResult) -> None:
    """Lay scrub, rocks, scree or dunes (AC-F12, AC-F23..AC-F25)."""
    if result.piece is Piece.SAND_DUNES:
        put(placement, result, _dunes(placement, result))
        return
    hills = [one.outline for one in placement.in_zone(result.zone, HILLS)]
    if result.piece is Piece.SCREE and hills:
        put(placement, result, _scree(placement, result, hills), where=Sentence("at the foot of a hill"))
        return
    put(placement, result, _found(placement, result, score=_liking(placement, result)))


def _scree(placement: ZonePlacement, result: RollResult, hills: list[Polygon]) -> Polygon | None:
    """Return scree at the foot of a hill, at need on ground cleared of trees; None where there is no room (AC-F25)."""
    spot, stream = _at_foot(placement, result, hills), placement.stream(result.id, "place")

    wish = wish_of(placement, result, score=_liking(placement, result))
    found = place(replace(wish, spot=spot), stream)
    if found is None:
        found = cleared(
            placement,
            result.zone,
            lambda: [wish_of(placement, result, spot=spot, score=_liking(placement, result))],
            stream,
        )
    if found is None:
        found = place(wish, placement.stream(result.id, "place"))
    near = _BELOW * placement.sites[result.zone].unit
    return found if found is not None and any(found.distance(hill) < near for hill in hills) else None


def _at_foot(placement: ZonePlacement, result: RollResult, hills: list[Polygon]) -> Callable[..., PieceSpot]:
    """Return what draws places at the feet of hills, the long side along them (AC-F25)."""
    deep = (placement.measure(Piece.SCREE).short or 0.0) * placement.sites[result.zone].unit
    reach = 2.0 * deep

    def spot(stream: Stream, factor: float) -> PieceSpot:
        hill = hills[stream.below(len(hills))]
        ring = shapely.geometry.polygon.orient(hill).exterior
        along = stream.between(0.0, ring.length)
        before, after = (ring.interpolate((along + by) % ring.length) for by in (-reach / 2, reach / 2))
        bearing = math.atan2(after.y - before.y, after.x - before.x)
        at, off = ring.interpolate(along), factor * deep * stream.between(0.5, 0.62)
        return at.x + off * math.sin(bearing), at.y - off * math.cos(bearing), math.degrees(bearing)

    return spot


def put(
    placement: ZonePlacement,
    result: RollResult,
    found: Polygon | None,
    *,
    kind: Kind | None = None,
    also: str = "",
    where: Sentence | None = None,
    tries: int = TRIES,
) -> bool:
    """Put an area on the table, or say that there was no room ``where`` it has to lie (AC-G04)."""
    assert result.piece is not None
    if found is None:
        placement.leave_out(result, where, tries)
        return False
    feature = area(placement, result, found, kind=kind, also=also)
    placement.placed.append(PlacedGround(piece=result.piece, zone=result.zone, feature=feature))
    return True


def wish_of(
    placement: ZonePlacement,
    result: RollResult,
    *,
    spot: Callable[..., PieceSpot] | None = None,
    score: Callable[[Polygon], float] | None = None,
    room: Polygon | None = None,
    larger: float = 1.0,
) -> Wish:
    """Return what an area wishes for: its outline at its usual size, its zone, what it may not cover."""
    assert result.piece is not None
    site, measure = placement.sites[result.zone], placement.measure(result.piece)
    stream = placement.stream(result.id, "outline")
    long, short = ((length or 0.0) * site.unit * larger for length in (measure.long, measure.short))
    closed, last = taken(placement, site, result.piece)
    return Wish(
        drawn=outline(result.piece, long, short, stream),
        factors=(measure.least, measure.most),
        room=room or site.room,
        closed=closed,
        last=last,
        spot=spot or anywhere(site.room),
        score=score or (lambda _shape: 0.0),
    )


def _found(
    placement: ZonePlacement,
    result: RollResult,
    *,
    spot: Callable[..., PieceSpot] | None = None,
    score: Callable[[Polygon], float] | None = None,
) -> Polygon | None:
    stream = placement.stream(result.id, "place")
    found = place(wish_of(placement, result, spot=spot, score=score), stream)
    if found is not None:
        return found
    return cleared(placement, result.zone, lambda: [wish_of(placement, result, spot=spot, score=score)], stream)


def _towards(at: Point) -> Callable[[Polygon], float]:
    def score(shape: Polygon) -> float:
        return -float(shape.centroid.distance(at))

    return score


def _away(lines: BaseGeometry, enough: float) -> Callable[[Polygon], float]:
    def score(shape: Polygon) -> float:
        return min(float(shape.distance(lines)), enough)

    return score


def _liking(placement: ZonePlacement, result: RollResult) -> Callable[[Polygon], float]:
    """Return how well a piece likes a place: beside what it belongs to, and hardly crossed by ways."""
    assert result.piece is not None
    site = placement.sites[result.zone]
    near = site.box.buffer(0.15 * site.unit)
    pull = [
        one.outline.simplify(_ABOUT)
        for one in placement.of(_PULL.get(result.piece, ()))
        if one.outline.intersects(near)
    ]
    if result.piece is Piece.SCREE:
        pull = [one.outline for one in placement.in_zone(result.zone, HILLS)]
    wanted = shapely.union_all(pull)
    ways = placement.lines((*ROADS, Piece.RAILROAD), result.zone)

    def score(shape: Polygon) -> float:
        beside = -float(shape.distance(wanted)) if not wanted.is_empty else 0.0
        return beside - _CROSSED * float(shape.intersection(ways).length)

    return score


def _forest(placement: ZonePlacement, result: RollResult) -> Polygon | None:
    """Return a forest that fills most of its zone and grows about what lies there already (AC-F11)."""
    site, measure = placement.sites[result.zone], placement.measure(Piece.FOREST)
    whole = wish_of(placement, result, room=site.box)
    stream = placement.stream(result.id, "place")
    gap, soft = _FOREST_GAP * site.unit, 0.03 * site.unit
    bars = whole.closed.buffer(gap, quad_segs=4)
    least = max(_FULL * measure.least**2 * whole.drawn.area, _MOST_OF * site.unit**2)
    anchor = placement.anchors.get((result.zone, To.TREES))
    leads = anchor.buffer(_LED * site.unit) if anchor is not None else Polygon()
    left, low, right, high = site.inside(0.015).bounds
    best: Polygon | None = None
    for attempt in range(_FOREST_TRIES):
        factor = (
            stream.between(max(measure.least, 0.95), measure.most) if attempt < _FOREST_TRIES - 2 else measure.least
        )
        west, south, east, north = whole.drawn.bounds
        across = max(0.0, (right - left) - factor * (east - west)) / 2
        along = max(0.0, (high - low) - factor * (north - south)) / 2
        shape = shapely.affinity.scale(whole.drawn, factor, factor, origin=(0, 0))
        if attempt % 2:
            shape = shapely.affinity.rotate(shape, 180, origin=(0, 0))
        x, y = site.middle
        shape = shapely.affinity.translate(
            shape, x + stream.between(-across, across), y + stream.between(-along, along)
        )
        kept = largest(shape.intersection(shapely.box(left, low, right, high)).difference(bars))
        calm = largest(kept.buffer(-soft).buffer(2 * soft).buffer(-soft).difference(whole.closed))
        if calm.area > least and (best is None or _worth(calm, leads) > _worth(best, leads)):
            best = Polygon(calm.exterior) if not whole.closed.intersects(Polygon(calm.exterior)) else calm
    return best


def _worth(forest: Polygon, leads: BaseGeometry) -> tuple[bool, float]:
    """Return how good a forest is: whether the side road that leads to it ends at it, then how large it is."""
    return leads.is_empty or forest.intersects(leads), forest.area


def _dunes(placement: ZonePlacement, result: RollResult) -> Polygon | None:
    """Return dunes, along the sea if the zone has it (AC-F23)."""
    site = placement.sites[result.zone]
    water, shore = placement.water, placement.shore(result.zone)
    if shore.is_empty:
        return _found(placement, result, score=_liking(placement, result))
    assert placement.laying.water is not None
    north_or_south = placement.laying.water.edge.value in "NS"
    turn = 0.0 if north_or_south else 90.0
    parts = [part for part in shapely.get_parts(shapely.line_merge(shore)) if part.length > 1.0] or [water.exterior]
    deep = (placement.measure(Piece.SAND_DUNES).short or 0.0) * site.unit
    inland = -1.0 if placement.laying.water.edge.value in "NE" else 1.0

    def spot(stream: Stream, factor: float) -> PieceSpot:
        at = parts[stream.below(len(parts))].interpolate(stream.unit(), normalized=True)
        off = inland * (factor * deep * stream.between(0.5, 0.7) + 0.02 * site.unit)
        x, y = (at.x, at.y + off) if north_or_south else (at.x + off, at.y)
        return x, y, turn + stream.between(-9, 9)

    def score(shape: Polygon) -> float:
        return -float(shape.distance(water))

    return _found(placement, result, spot=spot, score=score)


# --- Clearings: openings in the trees of their zone, or belts of trees about open ground (AC-F13, AC-Q16) -------------

_BELT: Final = 0.08
_INSIDE: Final = 0.045
_GAPS: Final = (0.15, 0.20)
_LEAST_BELT: Final = 40.0
_SHRUNK: Final = (1.0, 0.85, 0.7, 0.6)
_WITHIN: Final = 0.16
_WOOD_SOFT: Final = 0.022
_LEAST_WOOD: Final = 0.02
_WAVES: Final = ((0.55, 0.022), (0.23, 0.012), (0.12, 0.006))
"""How long and how high the waves in the edge of a wooded zone are, as parts of the unit."""

_WAVE_STEP: Final = 0.015


def lay_clearing(placement: ZonePlacement, result: RollResult) -> None:
    """Lay a clearing."""
    if _in_trees(placement, result):
        return
    match clearing_reading(placement.rules, placement.laying.geography):
        case "nothing":
            _open_ground(placement, result)
        case "wooded-zone":
            _wooded_zone(placement, result)
        case _:
            _with_belt(placement, result)


def _in_trees(placement: ZonePlacement, result: RollResult) -> bool:
    """Open the trees of the zone, the largest first; False where there are none with room."""
    site = placement.sites[result.zone]
    trees = sorted(placement.in_zone(result.zone, TREES), key=lambda one: -one.outline.area)
    if not trees:
        return False
    stream = placement.stream(result.id, "place")
    wish = wish_of(placement, result)
    for wood in trees:
        inner = wood.outline.buffer(-_INSIDE * site.unit)
        if inner.is_empty:
            continue
        for factor in _SHRUNK:
            shape = affinity.scale(wish.drawn, factor, factor, origin=(0, 0))
            for _ in range(25):
                x, y, turn = anywhere(largest(inner))(stream, 1.0)
                opening = affinity.translate(affinity.rotate(shape, turn, origin=(0, 0)), x, y)
                if inner.contains(opening):
                    _open(placement, result, wood, opening)
                    return True
    return False


def _open(placement: ZonePlacement, result: RollResult, wood: PlacedGround, opening: Polygon) -> None:
    place_of = placement.placed.index(wood)
    assert isinstance(wood.feature, Area)
    rest = replace(wood.feature, outline=largest(wood.outline.difference(opening)))
    placement.placed[place_of] = replace(wood, feature=rest)
    feature = area(placement, result, opening)
    placement.placed.append(PlacedGround(piece=Piece.CLEARING, zone=result.zone, feature=feature))


def _open_ground(placement: ZonePlacement, result: RollResult) -> None:
    put(placement, result, place(wish_of(placement, result), placement.stream(result.id, "place")))


def _with_belt(placement: ZonePlacement, result: RollResult) -> None:
    """Lay a belt of trees about the clearing, with gaps where ways pass and others so that there are two at least."""
    site = placement.sites[result.zone]
    belt = _BELT * site.unit
    wish = wish_of(placement, result)
    whole = replace(wish, drawn=wish.drawn.buffer(belt), score=_uncrossed(placement, result.zone))
    found = place(whole, placement.stream(result.id, "place"))
    if found is None:
        placement.leave_out(result, Sentence("for an opening, in trees of its zone and in the open"))
        return
    opening = largest(found.buffer(-belt))
    put(placement, result, opening)
    ring = found.difference(opening)
    stream = placement.stream(result.id, "belt")
    kind = placement.measure(Piece.WOOD)
    for number, part in enumerate(_parts(ring, opening, stream), 1):
        feature = replace(area(placement, result, part), id=f"{result.id}-{number}", kind=kind.kind, going=kind.going)
        placement.placed.append(PlacedGround(piece=Piece.WOOD, zone=result.zone, feature=feature))


def _uncrossed(placement: ZonePlacement, zone: int):  # type: ignore[no-untyped-def]
    ways = placement.lines((*ROADS, Piece.RAILROAD), zone)
    return lambda shape: -float(shape.intersection(ways).length)


def _parts(ring: Polygon, opening: Polygon, stream: Stream) -> Iterator[Polygon]:
    """Yield the pieces of a belt between two gaps of together more than a quarter of it (AC-F13)."""
    middle = opening.centroid
    start = stream.between(0, math.tau)
    across = start + math.pi + stream.between(-0.6, 0.6)
    far = 4 * math.hypot(opening.bounds[2] - opening.bounds[0], opening.bounds[3] - opening.bounds[1])
    gaps = []
    for bearing in (start, across):
        half = math.pi * stream.between(*_GAPS)
        angles = np.linspace(bearing - half, bearing + half, 12)
        fan = [(middle.x + far * math.cos(angle), middle.y + far * math.sin(angle)) for angle in angles]
        gaps.append(Polygon([(middle.x, middle.y), *fan]))
    soft = 6.0
    for part in shapely.get_parts(ring.difference(shapely.union_all(gaps))):
        calm = largest(part.buffer(-soft).buffer(soft))
        if calm.area > _LEAST_BELT:
            yield calm


def _wooded_zone(placement: ZonePlacement, result: RollResult) -> None:
    """Make the whole zone light wood but for the clearing, which lies well within it if it can (AC-Q16)."""
    site = placement.sites[result.zone]
    wish, stream = wish_of(placement, result), placement.stream(result.id, "place")
    within = replace(wish, room=site.inside(_WITHIN))
    opening = place(within, stream) or place(wish, stream)
    if opening is None:
        placement.leave_out(result, Sentence("for an opening, in trees of its zone and in the open"))
        return
    closed = shapely.union_all([wish.closed, wish.last])
    soft = _WOOD_SOFT * site.unit
    grown = _rim(placement, result).difference(closed)
    # Where the wood is thin it draws back, and its corners are round; what it grows about it never covers.
    calm = grown.buffer(-soft).buffer(2 * soft, quad_segs=6).buffer(-soft, quad_segs=6)
    free = shapely.intersection(calm, site.room).difference(shapely.union(closed, opening))
    put(placement, result, opening)
    kind = placement.measure(Piece.WOOD)
    woods = [part for part in shapely.get_parts(free) if part.area > _LEAST_WOOD * site.unit**2]
    woods = sorted(woods, key=lambda part: -part.area) or [largest(free)]
    for number, part in enumerate(woods, 1):
        feature = area(placement, result, part)
        feature = replace(feature, id=f"{result.id}-{number}", kind=kind.kind, going=kind.going)
        placement.placed.append(PlacedGround(piece=Piece.WOOD, zone=result.zone, feature=feature))


def _rim(placement: ZonePlacement, result: RollResult) -> Polygon:
    """Return the ground of a wooded zone, whose edge waves to and fro inside the room that areas have."""
    site = placement.sites[result.zone]
    left, low, right, high = site.room.bounds
    stream = placement.stream(result.id, "rim")
    waves = [
        (stream.between(0.8, 1.2) * wave * site.unit, stream.between(0, math.tau), height * site.unit)
        for wave, height in _WAVES
    ]
    deep = plain_sum(height for _, _, height in waves)
    ring = LineString(shapely.box(left, low, right, high).buffer(-deep).exterior)
    around = ring.length
    count = max(24, round(around / (_WAVE_STEP * site.unit)))
    gone = np.arange(count) / count * around
    # A whole number of waves goes round, or the edge would jump where it begins.
    off = np.zeros(count)
    for wave, phase, height in waves:
        off += height * elementary.sin(math.tau * max(1, round(around / wave)) * gone / around + phase)
    points = stations(ring, gone)
    middle = np.array([(left + right) / 2, (low + high) / 2])
    half = np.array([right - left, high - low]) / 2 - deep
    out = (points - middle) / half
    flat = np.abs(out) > 1 - 1e-9
    side = np.where(flat, np.sign(out), 0.0)
    moved = points + side * off[:, None]
    soft = 2 * _WOOD_SOFT * site.unit
    shape = shapely.make_valid(Polygon(moved)).buffer(-soft, quad_segs=6).buffer(soft, quad_segs=6)
    return largest(shape.intersection(site.room))
