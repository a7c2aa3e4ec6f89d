"""Place separate areas: pools, dunes, rocks, scree, woods and scrub (AC-F09..AC-F12, AC-F21..AC-F25)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.systems.acw.ground.make_room import (
    ALL_HILLS,
    PieceSpot,
    PlacementRequest,
    about,
    anywhere,
    cleared,
    place,
    taken,
)
from printkit.systems.acw.ground.placement import TRIES, PlacedGround, ZonePlacement, area
from printkit.systems.acw.ground.shapes import outline
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import HILLS, ROADS, STREAMS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.roughness import largest_polygon

# Spread of the positions of a pool around the end of its stream, first and second try, as fractions of the unit.
_AT_SPRING: Final = (0.02, 0.05)

# Minimum area of a forest around other pieces, as a share of its smallest size.
_FULL: Final = 0.62

_MOST_OF: Final = 0.16  # minimum area of every forest, as a share of a square zone

_FOREST_GAP: Final = 0.02
_BELOW: Final = 0.07
_FOREST_TRIES: Final = 9
_LED: Final = 0.05
_ABOUT: Final = 2.0
# Pieces that attract each piece; scree must be at the foot of a hill (AC-F25).
_PULL: Final = {
    Piece.SCREE: HILLS,
    Piece.ROCKS: ALL_HILLS,
    Piece.SCRUB: (*ALL_HILLS, *TREES, Piece.ROCKS),
    Piece.WOOD: (*ALL_HILLS, Piece.WOOD, Piece.WOODLAND),
    Piece.WOODLAND: (*ALL_HILLS, Piece.WOOD),
}
_CROSSED: Final = 0.6  # score penalty for each mm of road or railroad inside a piece


def lay_pools(placement: ZonePlacement) -> None:
    """Place pools: at the end of a stream that needs one, otherwise anywhere in the zone (AC-F21)."""
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
    """Place forests, which fill most of their zone; later pieces may replace parts (AC-F11, AC-G04)."""
    for result in placement.results(Piece.FOREST):
        where = Sentence("about what lies in its zone")
        put(placement, result, _forest(placement, result), where=where, tries=_FOREST_TRIES)


def lay_trees(placement: ZonePlacement) -> None:
    """Place woodlands and woods (AC-F09, AC-F10)."""
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
    """Place scrub, rocks, scree or dunes (AC-F12, AC-F23..AC-F25)."""
    if result.piece is Piece.SAND_DUNES:
        put(placement, result, _dunes(placement, result))
        return
    hills = [one.outline for one in placement.in_zone(result.zone, HILLS)]
    if result.piece is Piece.SCREE and hills:
        put(placement, result, _scree(placement, result, hills), where=Sentence("at the foot of a hill"))
        return
    put(placement, result, _found(placement, result, score=_liking(placement, result)))


def _scree(placement: ZonePlacement, result: RollResult, hills: list[Polygon]) -> Polygon | None:
    """Return scree at the foot of a hill, if necessary in a forest; None without room (AC-F25)."""
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
    """Return a function that draws positions at the feet of hills, parallel to the hill (AC-F25)."""
    deep = (placement.measure(Piece.SCREE).short or 0.0) * placement.sites[result.zone].unit
    reach = 2.0 * deep

    def spot(stream: Stream, factor: float) -> PieceSpot:
        hill = hills[stream.draw_index(len(hills))]
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
    """Place an area and return True, or record that there is no room ``where`` it must be (AC-G04)."""
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
) -> PlacementRequest:
    """Return the placement request of an area: its outline at the usual size, its zone and its obstacles."""
    assert result.piece is not None
    site, measure = placement.sites[result.zone], placement.measure(result.piece)
    stream = placement.stream(result.id, "outline")
    long, short = ((length or 0.0) * site.unit * larger for length in (measure.long, measure.short))
    closed, last = taken(placement, site, result.piece)
    return PlacementRequest(
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
    """Return a score function: best near pieces that attract this one, with few mm of roads inside."""
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
    """Return a forest that fills most of its zone around the other pieces, or None (AC-F11)."""
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
        kept = largest_polygon(shape.intersection(shapely.box(left, low, right, high)).difference(bars))
        calm = largest_polygon(kept.buffer(-soft).buffer(2 * soft).buffer(-soft).difference(whole.closed))
        if calm.area > least and (best is None or _worth(calm, leads) > _worth(best, leads)):
            best = Polygon(calm.exterior) if not whole.closed.intersects(Polygon(calm.exterior)) else calm
    return best


def _worth(forest: Polygon, leads: BaseGeometry) -> tuple[bool, float]:
    """Return the value of a forest: whether it reaches the end of its side road, then its area."""
    return leads.is_empty or forest.intersects(leads), forest.area


def _dunes(placement: ZonePlacement, result: RollResult) -> Polygon | None:
    """Return dunes, along the edge water if the zone has a shore (AC-F23)."""
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
        at = parts[stream.draw_index(len(parts))].interpolate(stream.draw_unit(), normalized=True)
        off = inland * (factor * deep * stream.between(0.5, 0.7) + 0.02 * site.unit)
        x, y = (at.x, at.y + off) if north_or_south else (at.x + off, at.y)
        return x, y, turn + stream.between(-9, 9)

    def score(shape: Polygon) -> float:
        return -float(shape.distance(water))

    return _found(placement, result, spot=spot, score=score)
