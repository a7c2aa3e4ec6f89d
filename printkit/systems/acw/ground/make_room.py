"""Find room for terrain pieces: positions, rotations, smaller sizes (AC-G04).

Forests and swamps can give up ground to other pieces.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.systems.acw.ground.placement import TRIES, PlacedGround, ZoneGround, ZonePlacement
from printkit.systems.acw.terms.pieces import HILLS, PLACES, ROADS, STREAMS, Piece
from printkit.terrain.field.features import Area, Kind
from printkit.terrain.geometry.measure import line_bearing

_ENOUGH: Final = 8  # number of valid positions to compare before the best is used

_GAP: Final = 0.012  # gap between areas, as a fraction of the unit of their zone

ALL_HILLS: Final = (*HILLS, Piece.RISE)

_ON_ANY_HILL: Final = (Piece.WOOD, Piece.WOODLAND, Piece.SCRUB, Piece.ROCKS, Piece.SCREE, Piece.CLEARING)
_ON_GENTLE_HILLS: Final = (Piece.FIELD, Piece.FARM, Piece.BUILDING)
_GENTLE: Final = (Piece.HILL, Piece.RISE)

# Pieces that no road or railroad may cross, with their gap as a fraction of the unit (AC-G05).
_OFF_WAYS: Final = {
    Piece.ROCKS: 0.01,
    Piece.SCREE: 0.01,
    Piece.POOL: 0.02,
    Piece.FIELD: 0.012,
    Piece.FARM: 0.008,
    Piece.BUILDING: 0.008,
}
_OFF_RAILS: Final = {Piece.SETTLEMENT: 0.01, Piece.TOWN: 0.01, Piece.FORT: 0.02}
# Pieces that no stream may cross, with their gap (AC-G06). Nobody ploughs across a stream, so fields are included.
_OFF_STREAMS: Final = {
    Piece.SETTLEMENT: 0.01,
    Piece.TOWN: 0.01,
    Piece.FORT: 0.02,
    Piece.FARM: 0.01,
    Piece.BUILDING: 0.01,
    Piece.ROCKS: 0.01,
    Piece.SCREE: 0.01,
    Piece.FIELD: 0.01,
    **dict.fromkeys(ALL_HILLS, 0.02),
}
# Pieces that must not cover a ravine (AC-F20).
_OFF_RAVINES: Final = (*PLACES, Piece.FARM, Piece.BUILDING, Piece.ROCKS)

_ROUGH: Final = 0.6  # tolerance in mm of the simplified outline used to test positions

# Fields and houses follow the nearest line: maximum deviation in degrees, and chord of the line in mm.
_SKEW: Final = 5.0
_CHORD: Final = 60.0

PieceSpot = tuple[float, float, float]


class PlacementRequest(Struct, frozen=True, kw_only=True):
    """A request to place an outline; ``drawn`` is the outline around the origin at its usual size.

    ``factors`` limit its scale. ``spot`` draws a position and a rotation in degrees. The position with the highest
    ``score`` is used, but never one with minus infinity. The piece never covers ``closed``, and covers ``last`` only if
    there is no other room.
    """

    drawn: Polygon
    factors: tuple[float, float]
    room: Polygon
    closed: BaseGeometry
    last: BaseGeometry
    spot: Callable[[Stream, float], PieceSpot]
    score: Callable[[Polygon], float]


def place(wish: PlacementRequest, stream: Stream) -> Polygon | None:
    """Return the outline at its position, or None without room (AC-G04)."""
    least, most = wish.factors
    usual = (max(least, min(most, 0.85)), max(least, min(most, 1.15)))
    both = wish.closed if wish.last.is_empty else shapely.union_all([wish.closed, wish.last])
    rounds = [(both, usual), (both, (least, least))]
    if not wish.last.is_empty:
        rounds.append((wish.closed, (least, min(most, 1.0))))
    # Test positions with a simplified outline. Only the final position uses all points.
    rough = shapely.get_coordinates(wish.drawn.simplify(_ROUGH).exterior)
    room = wish.room.buffer(-_ROUGH, join_style="mitre").bounds
    for taken, factors in rounds:
        found = _tried(wish, rough, room, taken, factors, stream)
        if found is not None:
            return found
    return None


def _tried(
    wish: PlacementRequest,
    rough: NDArray[np.float64],
    room: tuple[float, float, float, float],
    taken: BaseGeometry,
    factors: tuple[float, float],
    stream: Stream,
) -> Polygon | None:
    shapely.prepare(taken)
    left, low, right, high = room
    # Most positions fail at their middle. Test that first, before the shape is built.
    about_middle = shapely.contains_xy(Polygon(rough), 0.0, 0.0)
    best: tuple[float, float, float, float] | None = None
    found, enough = -math.inf, 0
    for _ in range(TRIES):
        factor = stream.between(*factors)
        x, y, turn = wish.spot(stream, factor)
        points = elementary.product(rough, _turned(factor, turn))
        (west, south), (east, north) = points.min(axis=0), points.max(axis=0)
        if east - west > right - left or north - south > high - low:
            continue
        # Move a shape that is partly outside the area back into it.
        x = min(max(x, left - west), right - east)
        y = min(max(y, low - south), high - north)
        if about_middle and shapely.intersects_xy(taken, x, y):
            continue
        points += (x, y)
        shape = Polygon(points)
        if taken.intersects(shape):
            continue
        score = wish.score(shape)
        if score == -math.inf:
            continue
        if score > found:
            best, found = (factor, turn, x, y), score
        enough += 1
        if enough == _ENOUGH:
            break
    if best is None:
        return None
    factor, turn, x, y = best
    return shapely.transform(
        wish.drawn, lambda points: elementary.product(points, _turned(factor, turn)) + np.array([x, y])
    )


def _turned(factor: float, turn: float) -> NDArray[np.float64]:
    """Return the matrix that scales and rotates rows of points."""
    cosine, sine = factor * math.cos(math.radians(turn)), factor * math.sin(math.radians(turn))
    return np.array([[cosine, sine], [-sine, cosine]])


def anywhere(room: Polygon) -> Callable[[Stream, float], PieceSpot]:
    """Return a function that draws any position in an area, with any rotation."""
    left, low, right, high = room.bounds

    def spot(stream: Stream, _factor: float) -> PieceSpot:
        return stream.between(left, right), stream.between(low, high), stream.between(0.0, 360.0)

    return spot


def aligned(room: Polygon, lines: BaseGeometry) -> Callable[[Stream, float], PieceSpot]:
    """Return a function that draws any position in an area, parallel to the nearest line or to the table."""
    left, low, right, high = room.bounds
    parts = [part for part in shapely.get_parts(lines) if isinstance(part, LineString) and part.length > _ROUGH]

    def spot(stream: Stream, _factor: float) -> PieceSpot:
        x, y = stream.between(left, right), stream.between(low, high)
        turn = 90.0 * stream.draw_index(4) + stream.between(-_SKEW, _SKEW)
        if parts:
            line = min(parts, key=Point(x, y).distance)
            turn += line_bearing(line, line.project(Point(x, y)), _CHORD)
        return x, y, turn

    return spot


def about(at: Point, spread: float) -> Callable[[Stream, float], PieceSpot]:
    """Return a function that draws positions around a point, with any rotation."""

    def spot(stream: Stream, _factor: float) -> PieceSpot:
        return at.x + stream.draw_normal(spread), at.y + stream.draw_normal(spread), stream.between(0.0, 360.0)

    return spot


def taken(placement: ZonePlacement, site: ZoneGround, piece: Piece) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the ground that a piece must not cover, and the ground for a last resort (AC-G02)."""
    near = site.box.buffer(0.1 * site.unit)
    gap = _GAP * site.unit
    closed: list[BaseGeometry] = [placement.water] if not placement.water.is_empty else []
    last: list[BaseGeometry] = []
    for placed in placement.placed:
        if not placed.outline.intersects(near):
            continue
        hill = placed.piece in ALL_HILLS
        allowed = (hill and piece in _ON_ANY_HILL) or (placed.piece in _GENTLE and piece in _ON_GENTLE_HILLS)
        (last if allowed else closed).append(placement.roughly(placed.outline, _ROUGH, gap))
    ways = (*ROADS, Piece.RAILROAD)
    if piece in _OFF_WAYS:
        closed.append(placement.ribbons(ways, gap=_OFF_WAYS[piece] * site.unit, zone=site.zone))
    if piece in _OFF_RAILS:
        closed.append(placement.ribbons((Piece.RAILROAD,), gap=_OFF_RAILS[piece] * site.unit, zone=site.zone))
    if piece in _OFF_STREAMS:
        closed.append(placement.ribbons(STREAMS, gap=_OFF_STREAMS[piece] * site.unit, zone=site.zone))
    if piece in _OFF_RAVINES:
        ravines = (work for work in placement.works if work.kind is Kind.RAVINE)
        closed += [work.line.buffer(work.width / 2 + gap, quad_segs=4) for work in ravines]
    return shapely.union_all(closed), shapely.union_all(last)


def free_spot(
    site: ZoneGround, *, away: tuple[Point, ...], closed: BaseGeometry, stream: Stream, share: float = 0.45
) -> Point:
    """Return a point clear of ``closed``, about ``share`` of the unit from the points ``away``."""
    left, low, right, high = site.inside(0.2).bounds
    best, found = Point(site.middle), -math.inf
    for _ in range(40):
        spot = Point(stream.between(left, right), stream.between(low, high))
        clear = min(spot.distance(closed) if not closed.is_empty else site.unit, 0.18 * site.unit)
        near = min((spot.distance(other) for other in away), default=share * site.unit)
        score = 2.0 * clear - abs(near - share * site.unit)
        if score > found and not closed.contains(spot):
            best, found = spot, score
    return best


# --- Swamps and forests give up ground to pieces that must be there, as long as they stay in one part -----------------

# Gap between a forest and a piece that replaced part of it, and half the minimum width of the rest, as fractions of
# the unit. The last number is the share of the forest that must remain.
_EDGE, _GROVE, _STANDING = 0.012, 0.03, 0.6

_FORESTS: Final = (Piece.FOREST,)
_CLEARINGS: Final = 4  # number of searches for ground that a forest can give up


# Checks whether the rest of a piece is large enough to remain.
Stays = Callable[[PlacedGround, Polygon], bool]


def without(
    placement: ZonePlacement, pieces: Collection[Piece], wished: Callable[[], list[PlacementRequest]]
) -> list[PlacementRequest]:
    """Return placement requests that ignore the given pieces on the table."""
    everything = placement.placed
    placement.placed = [one for one in everything if one.piece not in pieces]
    wishes = wished()
    placement.placed = everything
    return wishes


def won(
    placement: ZonePlacement,
    pieces: Collection[Piece],
    wishes: Sequence[PlacementRequest],
    stream: Stream,
    *,
    gap: float,
    stays: Stays,
    wanted: Callable[[Polygon], bool] = lambda _shape: True,
) -> Polygon | None:
    """Return the first position that some pieces can give up, or None.

    The position is cut out of these pieces with a gap in mm.
    """
    for wish in wishes:
        found = place(wish, stream)
        if found is None or not wanted(found):
            continue
        rests: dict[int, PlacedGround] = {}
        for number, one in enumerate(placement.placed):
            if one.piece not in pieces or not isinstance(one.feature, Area):
                continue
            clear = found.buffer(gap)
            if not one.outline.intersects(clear):
                continue
            rest = one.outline.difference(clear)
            if not isinstance(rest, Polygon) or not stays(one, rest):
                break
            rests[number] = replace(one, feature=replace(one.feature, outline=rest))
        else:
            for number, one in rests.items():
                placement.placed[number] = one
            return found
    return None


def cleared(
    placement: ZonePlacement,
    zone: int,
    wished: Callable[[], list[PlacementRequest]],
    stream: Stream,
    wanted: Callable[[Polygon], bool] = lambda _shape: True,
) -> Polygon | None:
    """Return the first position that the forest of a zone can give up, and clear it; or None."""
    unit, woods = placement.sites[zone].unit, placement.measure(Piece.FOREST)
    least = [(length or 0.0) * woods.least * unit for length in (woods.long, woods.short)]

    def stays(trees: PlacedGround, rest: Polygon) -> bool:
        whole = parts(rest, _GROVE * unit) <= parts(trees.outline, _GROVE * unit)
        return whole and rest.area > max(_STANDING * trees.outline.area, _STANDING * least[0] * least[1])

    wishes = without(placement, _FORESTS, wished) * _CLEARINGS
    return won(placement, _FORESTS, wishes, stream, gap=_EDGE * unit, stays=stays, wanted=wanted)


def parts(shape: shapely.Geometry, by: float) -> int:
    """Return the number of parts of a shape after an inset by ``by`` mm."""
    return len(shapely.get_parts(shape.buffer(-by)))
