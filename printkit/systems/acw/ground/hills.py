"""Place hills: positions, outlines, upper contours and steep sides (AC-F01..AC-F08)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.systems.acw.ground.make_room import ALL_HILLS, PieceSpot, PlacementRequest, anywhere, place, taken
from printkit.systems.acw.ground.placement import (
    AT_FOOT,
    CLIFFS,
    JOINT,
    STEEP,
    PlacedGround,
    ZoneGround,
    ZonePlacement,
    origin,
)
from printkit.systems.acw.ground.shapes import outline
from printkit.systems.acw.ground.spurs import counterclockwise, spur
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Hill, HillFace, Kind
from printkit.terrain.geometry.measure import crossing_angle, find_meetings
from printkit.terrain.geometry.outlines import inner_contour

_UPPER_INSET: Final = 0.045
_CORRIDOR: Final = 0.05
_BESIDE_WAYS: Final = 0.05
_OFF_ROAD: Final = 0.02
_CROSSED: Final = 1.0
_SLANT: Final = 45.0
_GROWN: Final = 0.03
_OFF_SPRING: Final = (0.02, 0.055)
_ATTEMPTS: Final = 2
_NO_SPRINGS: Final = MultiPoint()


def lay_hills(placement: ZonePlacement) -> None:
    """Place all hills: long and steep ones first, as they block most courses; spurs last."""
    results = list(placement.results(*ALL_HILLS))
    for result in sorted(results, key=lambda result: _rank(result.piece)):
        placed = _placed(placement, result)
        if placed is not None:
            placement.placed.append(placed)


def resettle_hills(placement: ZonePlacement, *, roads: bool) -> None:
    """Move hills off courses that could not avoid them; a hill without other room is left out (AC-G04).

    Streams must not cross any hill (AC-G06). Roads must not cross a steep hill or a hill with a cliff; tracks may climb
    one at a slant (AC-G05).
    """
    courses = tuple(piece for piece in ROADS if piece is not Piece.TRACK) if roads else STREAMS
    lines, tracks = placement.lines(courses), [leg.line for leg in placement.legs if roads and leg.piece is Piece.TRACK]

    def barred(placed: PlacedGround) -> bool:
        if roads and placed.piece not in (*STEEP, *CLIFFS):
            return False
        return bool(placed.outline.intersection(lines).length > _CROSSED) or any(
            _climbs(track, placed.outline) for track in tracks
        )

    _resettle(placement, barred)


def _climbs(track: LineString, hill: Polygon) -> bool:
    """Return whether a track climbs a hill too steeply instead of at a slant to its contour."""
    if track.intersection(hill).length <= _CROSSED:
        return False
    rim = LineString(hill.exterior.coords)
    return any(crossing_angle(meeting.at, track, rim) > _SLANT for meeting in find_meetings(track, rim))


def give_way(placement: ZonePlacement) -> None:
    """Move hills off swamps that had to grow together there (AC-N33)."""
    swamps = shapely.union_all([placed.outline for placed in placement.of((Piece.SWAMP,))])
    _resettle(placement, lambda placed: placed.outline.intersection(swamps).area > _CROSSED)


def _resettle(placement: ZonePlacement, barred: Callable[[PlacedGround], bool]) -> None:
    results = {result.id: result for result in placement.results(*ALL_HILLS)}
    moved = []
    for placed in list(placement.placed):
        if placed.piece in ALL_HILLS and barred(placed):
            moved.append(placed.outline)
            _move(placement, placed, results[placed.feature.id])
    left = shapely.union_all(moved)
    for placed in list(placement.of((Piece.SPUR,))):
        # Move a spur whose hill has moved away, so that it joins another hill.
        if placed.outline.distance(left) < _GROWN * placement.sites[placed.zone].unit:
            _move(placement, placed, results[placed.feature.id])


def _move(placement: ZonePlacement, placed: PlacedGround, result: RollResult) -> None:
    """Place a hill again, if possible next to the streams that rise at its foot."""
    place_of, springs = placement.placed.index(placed), _springs(placement, placed)
    del placement.placed[place_of]
    anew = _placed(placement, result, springs)
    if anew is not None:
        placement.placed.insert(place_of, anew)


def _springs(placement: ZonePlacement, placed: PlacedGround) -> MultiPoint:
    """Return the points where streams rise at the foot of a hill (AC-N25)."""
    near = AT_FOOT * placement.sites[placed.zone].unit
    heads = [Point(leg.line.coords[0]) for leg in placement.legs if leg.piece in STREAMS and leg.starts is None]
    return MultiPoint([head for head in heads if head.distance(placed.outline) < near])


def _placed(placement: ZonePlacement, result: RollResult, springs: MultiPoint = _NO_SPRINGS) -> PlacedGround | None:
    """Return the placed hill of a result, or None and a record in ``left_out`` without room."""
    assert result.piece is not None
    found = spur(placement, result) if result.piece is Piece.SPUR else _free(placement, result, springs)
    if found is None:
        spur_of = Sentence("on a hill or an edge to grow out of") if result.piece is Piece.SPUR else None
        placement.leave_out(result, spur_of or Sentence("off the courses and joints of its zone"))
        return None
    return PlacedGround(piece=result.piece, zone=result.zone, feature=_hill(placement, result, found))


def _rank(piece: Piece | None) -> int:
    order = (Piece.LONG_HILL, *STEEP)
    if piece is Piece.SPUR:
        return len(order) + 1
    return order.index(piece) if piece in order else len(order)


def _free(placement: ZonePlacement, result: RollResult, springs: MultiPoint) -> Polygon | None:
    """Return the outline of a separate hill, if possible with the given springs at its foot; or None."""
    assert result.piece is not None
    site, measure = placement.sites[result.zone], placement.measure(result.piece)
    stream = placement.stream(result.id, "outline")
    drawn = outline(result.piece, (measure.long or 0) * site.unit, (measure.short or 0) * site.unit, stream)
    ridge = result.piece is Piece.LONG_HILL
    closed, last = taken(placement, site, result.piece)
    barring = result.piece in (*STEEP, *CLIFFS)
    corridor = _kept_free(placement, site, barring=barring)
    wish = PlacementRequest(
        drawn=drawn,
        factors=(measure.least, measure.most),
        room=site.box if ridge else site.room,
        closed=shapely.union_all([closed, corridor]),
        last=last,
        spot=anywhere(site.room),
        score=_liking(placement, site, result),
    )
    straight = shapely.union_all(placement.straights[site.zone]).buffer(_BESIDE_WAYS * site.unit, quad_segs=4)
    grounds = [shapely.union_all([wish.closed, straight]), wish.closed]
    if not barring:
        # A gentle hill may be on the line of a railroad, which runs through it in a cutting.
        grounds.append(closed)
    wishes = [replace(wish, closed=ground) for ground in grounds]
    if not springs.is_empty:
        near = AT_FOOT * site.unit
        wished = replace(
            wish, spot=_above(springs, drawn, site.unit), score=lambda shape: -float(springs.distance(shape))
        )
        for ground in grounds * _ATTEMPTS:
            found = place(replace(wished, closed=ground), stream)
            if found is not None and found.distance(springs) < near:
                return found
    found = next((found for wish in wishes if (found := place(wish, stream)) is not None), None)
    if found is not None or result.piece is not Piece.STEEP_HILL:
        return found
    # As a last resort a steep hill may be on a track that climbs it at a slant.
    tracks = [leg.line for leg in placement.legs if leg.zone == site.zone and leg.piece is Piece.TRACK]
    climbed = shapely.union_all([closed, _kept_free(placement, site, barring=True, climbed=True)])
    return place(replace(wish, closed=climbed, score=_slanting(wish.score, tracks)), stream) if tracks else None


def _slanting(liking: Callable[[Polygon], float], tracks: list[LineString]) -> Callable[[Polygon], float]:
    """Return a score function that rejects a steep hill if a track climbs it too steeply (AC-G05)."""
    return lambda shape: -math.inf if any(_climbs(track, shape) for track in tracks) else liking(shape)


def _above(springs: MultiPoint, drawn: Polygon, unit: float) -> Callable[[Stream, float], PieceSpot]:
    """Return a function that draws positions for a hill with one of the springs at its foot."""
    long, short = drawn.bounds[2] - drawn.bounds[0], drawn.bounds[3] - drawn.bounds[1]

    def spot(stream: Stream, factor: float) -> PieceSpot:
        spring = springs.geoms[stream.draw_index(len(springs.geoms))]
        bearing, turn = stream.between(0.0, math.tau), stream.between(0.0, 360.0)
        aside = bearing - math.radians(turn)
        foot = factor / math.hypot(2 * math.cos(aside) / long, 2 * math.sin(aside) / short)
        far = foot + stream.between(*_OFF_SPRING) * unit
        return spring.x + far * math.cos(bearing), spring.y + far * math.sin(bearing), turn

    return spot


def _kept_free(placement: ZonePlacement, site: ZoneGround, *, barring: bool, climbed: bool = False) -> BaseGeometry:
    """Return the ground that a hill must keep free: around joints and along railroads.

    Railroads cannot go around a hill. A hill that blocks roads also keeps off roads, and off tracks unless they may
    climb it.
    """
    spots = [point.buffer(JOINT * site.unit, quad_segs=4) for point in placement.joints]
    pool = placement.anchors.get((site.zone, To.POOL))
    if pool is not None:
        spots.append(pool.buffer(JOINT * site.unit, quad_segs=4))
    room = (_CORRIDOR if barring else _CORRIDOR / 2) * site.unit
    lines = [line.buffer(room, quad_segs=4) for line in placement.rails.get(site.zone, ())]
    if barring:
        roads = tuple(piece for piece in ROADS if not climbed or piece is not Piece.TRACK)
        spots.append(placement.ribbons(roads, gap=_OFF_ROAD * site.unit, zone=site.zone))
    return shapely.union_all([*spots, *lines])


def _liking(placement: ZonePlacement, site: ZoneGround, result: RollResult) -> Callable[[Polygon], float]:
    """Return a score function: best off the lines between joints, near spurs and ridges of other zones."""
    bars = shapely.union_all(placement.straights[site.zone])
    log, grid = placement.laying.log, placement.laying.grid
    pulls = [
        site.side(side)
        for side, other in grid.neighbours(result.zone)
        if log.has(other, Piece.SPUR) or (result.piece is Piece.LONG_HILL and log.has(other, Piece.LONG_HILL))
    ]
    pull = shapely.union_all(pulls)

    def score(shape: Polygon) -> float:
        barred = shape.intersection(bars).length if not bars.is_empty else 0.0
        near = shape.distance(pull) if not pull.is_empty else 0.0
        return -barred - 3.0 * near

    return score


def _hill(placement: ZonePlacement, result: RollResult, shape: Polygon) -> Hill:
    """Return the hill feature without cliffs and scree; these depend on other pieces and come later."""
    assert result.piece is not None
    measure = placement.measure(result.piece)
    stream, unit = placement.stream(result.id, "contours"), placement.sites[result.zone].unit
    contours: tuple[Polygon, ...] = (shape,)
    faces: tuple[HillFace, ...] = ()
    if result.piece in STEEP:
        least, most = (placement.rules.number(f"upper_contour_{end}") for end in ("min", "max"))
        contours = (shape, inner_contour(shape, stream, share=(least, most), inset=_UPPER_INSET * unit))
        if result.piece is Piece.STEEP_HILL:
            faces = (HillFace(line=counterclockwise(shape), kind=Kind.STEEP_SLOPE, going=measure.going, side=0),)
    return Hill(
        id=result.id,
        kind=measure.kind,
        contours=contours,
        going=measure.going,
        faces=faces,
        origin=origin(result.zone, (result,), (measure.clause,)),
    )
