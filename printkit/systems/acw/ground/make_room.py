"""Find room for terrain pieces: positions, rotations, smaller sizes (AC-G04).

Forests and swamps can give up ground to other pieces.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.systems.acw.ground.placement import TRIES, PlacedGround, ZoneGround, ZonePlacement
from printkit.systems.acw.terms.pieces import COURSE_PIECES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.measure import line_bearing

_ENOUGH: Final = 8  # number of valid positions to compare before the best is used

_GAP: Final = 0.012  # gap between areas, as a fraction of the unit of their zone

_ROUGH: Final = 0.6  # tolerance in mm of the simplified outline used to test positions

# Fields and houses follow the nearest line: maximum deviation in degrees, and chord of the line in mm.
_SKEW: Final = 5.0
_CHORD: Final = 60.0

# The position of a piece: x and y in mm on the table, and its rotation in degrees.
PiecePose = tuple[float, float, float]
# Gets a random stream and a size factor.
PoseSampler = Callable[[Stream, float], PiecePose]


class PlacementRequest(Struct, frozen=True, kw_only=True):
    """A request to place an outline; ``base_outline`` is the outline around the origin at its usual size.

    ``factors`` limit its scale. ``draw_pose`` draws a position and a rotation in degrees. The position with the highest
    ``score`` is used, but never one with minus infinity, or one that ``accepts`` refuses. The piece never covers
    ``closed``, and covers ``last`` only if there is no other room.
    """

    base_outline: Polygon
    factors: tuple[float, float]
    search_area: Polygon
    closed: BaseGeometry
    last: BaseGeometry
    draw_pose: PoseSampler
    score: Callable[[Polygon], float]
    accepts: Callable[[Polygon], bool] = lambda _shape: True


def place_outline(request: PlacementRequest, stream: Stream) -> Polygon | None:
    """Return the outline of a request at its best random position, or None without room (AC-G04).

    Usual sizes are tried first, then the smallest size, then ground of the last resort. The outline is in mm on the
    board, rotated and scaled. Nothing is placed yet.
    """
    least, most = request.factors
    usual_factors = (max(least, min(most, 0.85)), max(least, min(most, 1.15)))
    all_obstacles = request.closed if request.last.is_empty else shapely.union_all([request.closed, request.last])
    rounds = [(all_obstacles, usual_factors), (all_obstacles, (least, least))]
    if not request.last.is_empty:
        rounds.append((request.closed, (least, min(most, 1.0))))
    # Test positions with a simplified outline. Only the final position uses all points.
    rough_points = shapely.get_coordinates(request.base_outline.simplify(_ROUGH).exterior)
    area_bounds = request.search_area.buffer(-_ROUGH, join_style="mitre").bounds
    for obstacles, factors in rounds:
        outline = _try_positions(request, rough_points, area_bounds, obstacles, factors, stream)
        if outline is not None:
            return outline
    return None


def place_first(requests: Iterable[PlacementRequest], stream: Stream) -> Polygon | None:
    """Return the outline of the first request that has room, in mm on the board; None if none has."""
    return next((outline for request in requests if (outline := place_outline(request, stream)) is not None), None)


def _try_positions(
    request: PlacementRequest,
    rough_points: NDArray[np.float64],
    area_bounds: tuple[float, float, float, float],
    obstacles: BaseGeometry,
    factors: tuple[float, float],
    stream: Stream,
) -> Polygon | None:
    """Return the outline at the best of some random positions, in mm on the board; None without room.

    A position that is partly outside the area is moved back into it. The search ends after a few valid positions.

    Args:
        request: the outline and its conditions.
        rough_points: the simplified outline around the origin, as rows of x and y in mm.
        area_bounds: left, near, right and far limits of the ground for the piece, in mm.
        obstacles: the ground that the piece must not cover, in mm.
        factors: the smallest and largest size factor.
        stream: the random stream of the positions.
    """
    shapely.prepare(obstacles)
    left, low, right, high = area_bounds
    # Most positions fail at their middle. Test that first, before the shape is built.
    has_middle = shapely.contains_xy(Polygon(rough_points), 0.0, 0.0)
    best: tuple[float, float, float, float] | None = None
    best_score, valid_count = -math.inf, 0
    for _ in range(TRIES):
        factor = stream.between(*factors)
        x, y, turn = request.draw_pose(stream, factor)
        points = exact_math.product(rough_points, _transform_matrix(factor, turn))
        (west, south), (east, north) = points.min(axis=0), points.max(axis=0)
        if east - west > right - left or north - south > high - low:
            continue
        # Move a shape that is partly outside the area back into it.
        x = min(max(x, left - west), right - east)
        y = min(max(y, low - south), high - north)
        if has_middle and shapely.intersects_xy(obstacles, x, y):
            continue
        points += (x, y)
        shape = Polygon(points)
        if obstacles.intersects(shape):
            continue
        score = request.score(shape) if request.accepts(shape) else -math.inf
        if score == -math.inf:
            continue
        if score > best_score:
            best, best_score = (factor, turn, x, y), score
        valid_count += 1
        if valid_count == _ENOUGH:
            break
    if best is None:
        return None
    factor, turn, x, y = best
    return shapely.transform(
        request.base_outline,
        lambda points: exact_math.product(points, _transform_matrix(factor, turn)) + np.array([x, y]),
    )


def _transform_matrix(factor: float, turn: float) -> NDArray[np.float64]:
    """Return the matrix that scales rows of points by ``factor`` and rotates them by ``turn`` degrees."""
    cosine, sine = factor * math.cos(math.radians(turn)), factor * math.sin(math.radians(turn))
    return np.array([[cosine, sine], [-sine, cosine]])


def uniform_poses(area: Polygon) -> PoseSampler:
    """Return a function that draws any position within the bounding box of an area in mm, with any rotation.

    The function takes a random stream and a size factor, which it ignores. It returns x and y in mm on the board, and a
    rotation in degrees.
    """
    left, low, right, high = area.bounds

    def draw_pose(stream: Stream, _factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: anywhere in the bounding box."""
        return stream.between(left, right), stream.between(low, high), stream.between(0.0, 360.0)

    return draw_pose


def aligned_poses(area: Polygon, lines: BaseGeometry) -> PoseSampler:
    """Return a function that draws any position, with a side parallel to the nearest line or to the table.

    The function takes a random stream and a size factor, which it ignores. It returns x and y in mm on the board, and a
    rotation in degrees. That is the bearing of the line, plus a random multiple of 90, plus a small random deviation.

    Args:
        area: the positions are within its bounding box, in mm.
        lines: lines in mm; without any, the bearing is 0.
    """
    left, low, right, high = area.bounds
    parts = [part for part in shapely.get_parts(lines) if isinstance(part, LineString) and part.length > _ROUGH]

    def draw_pose(stream: Stream, _factor: float) -> PiecePose:
        """Return x and y in mm on the board, and a rotation in degrees along or across the nearest line."""
        x, y = stream.between(left, right), stream.between(low, high)
        turn = 90.0 * stream.draw_index(4) + stream.between(-_SKEW, _SKEW)
        if parts:
            line = min(parts, key=Point(x, y).distance)
            turn += line_bearing(line, line.project(Point(x, y)), _CHORD)
        return x, y, turn

    return draw_pose


def nearby_poses(point: Point, spread: float) -> PoseSampler:
    """Return a function that draws positions around a point, with any rotation.

    The function takes a random stream and a size factor, which it ignores. It returns x and y in mm on the board, and a
    rotation in degrees.

    Args:
        point: the point in mm on the board.
        spread: the standard deviation of x and y, in mm on the board.
    """

    def draw_pose(stream: Stream, _factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: around the point."""
        return point.x + stream.draw_normal(spread), point.y + stream.draw_normal(spread), stream.between(0.0, 360.0)

    return draw_pose


def collect_obstacles(
    placement: ZonePlacement, zone_ground: ZoneGround, piece: Piece
) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the ground that a piece must not cover, and the ground for a last resort (AC-G02).

    Both are in mm on the board and include gaps. The first has pieces in and near the zone, water, and courses that the
    piece keeps away from. The second is ground of hills that the piece may be on. Either is empty if there is no such
    ground.
    """
    near = zone_ground.box.buffer(0.1 * zone_ground.unit)
    gap, rules = _GAP * zone_ground.unit, placement.place_rules
    closed: list[BaseGeometry] = [placement.water] if not placement.water.is_empty else []
    last: list[BaseGeometry] = []
    for placed_piece in placement.placed:
        if not placed_piece.outline.intersects(near):
            continue
        (last if rules.may_cover(piece, placed_piece.piece) else closed).append(
            placement.simplify_shape(placed_piece.outline, _ROUGH, gap)
        )
    for course, off in rules[piece].off.items():
        pieces = COURSE_PIECES[course]
        closed.append(placement.ribbons(pieces, gap=off * zone_ground.unit, zone=zone_ground.zone))
    return shapely.union_all(closed), shapely.union_all(last)


def accept_near(placement: ZonePlacement, result: RollResult) -> Callable[[Polygon], bool]:
    """Return a function that tests whether an outline is near what its piece must be near.

    The outline is in mm on the board. The test is the row ``place`` of the piece. Without the neighbour in its zone,
    the piece may be anywhere.
    """
    assert result.piece is not None
    rule = placement.place_rules[result.piece]
    neighbours = Polygon() if rule.near is None else placement.neighbours(rule.near, result.zone)
    limit = max(0.0, placement.rules.number(rule.within) * placement.unit - _ROUGH) if rule.within else 0.0
    return lambda shape: neighbours.is_empty or bool(shape.distance(neighbours) <= limit)


def free_spot(
    zone_ground: ZoneGround, *, away: tuple[Point, ...], closed: BaseGeometry, stream: Stream, share: float = 0.45
) -> Point:
    """Return a random point clear of ``closed``, about ``share`` of the unit from the nearest of ``away``.

    It is in mm on the board. It is the middle of the zone if all tried points are in ``closed``.

    Args:
        zone_ground: the zone of the point.
        away: points in mm on the board; may be empty.
        closed: ground in mm to stay clear of.
        stream: the random stream.
        share: a fraction of the shorter side of the zone.
    """
    left, low, right, high = zone_ground.inset_box(0.2).bounds
    best, best_score = Point(zone_ground.middle), -math.inf
    for _ in range(40):
        point = Point(stream.between(left, right), stream.between(low, high))
        clear = min(point.distance(closed) if not closed.is_empty else zone_ground.unit, 0.18 * zone_ground.unit)
        near = min((point.distance(reference) for reference in away), default=share * zone_ground.unit)
        score = 2.0 * clear - abs(near - share * zone_ground.unit)
        if score > best_score and not closed.contains(point):
            best, best_score = point, score
    return best


# --- Swamps and forests give up ground to pieces that must be there, as long as they stay in one part -----------------

# Gap between a forest and a piece that replaced part of it, and half the minimum width of the rest, as fractions of
# the unit. The last number is the share of the forest that must remain.
_EDGE, _GROVE, _STANDING = 0.012, 0.03, 0.6

_FORESTS: Final = (Piece.FOREST,)
_CLEARINGS: Final = 4  # number of searches for ground that a forest can give up


# Checks whether the rest of a piece is large enough to remain.
IntactCheck = Callable[[PlacedGround, Polygon], bool]


def requests_without_pieces(
    placement: ZonePlacement, pieces: Collection[Piece], build_requests: Callable[[], list[PlacementRequest]]
) -> list[PlacementRequest]:
    """Return the requests of ``build_requests``, called while pieces of the given types are off the table.

    ``build_requests`` gets no arguments. Afterwards the pieces are back in ``placement.placed``.
    """
    everything = placement.placed
    placement.placed = [placed_piece for placed_piece in everything if placed_piece.piece not in pieces]
    requests = build_requests()
    placement.placed = everything
    return requests


def win_ground(
    placement: ZonePlacement,
    pieces: Collection[Piece],
    requests: Sequence[PlacementRequest],
    stream: Stream,
    *,
    gap: float,
    is_intact: IntactCheck,
) -> Polygon | None:
    """Return the first position in mm on the board at which some pieces can give up ground; or None.

    The ground is cut out of these pieces in ``placement.placed``. The new piece itself is not added.

    Args:
        placement: the table so far.
        pieces: the types of pieces that may give up ground; hills never do.
        requests: the requests to try, in order.
        stream: the random stream of the positions.
        gap: the gap in mm between the position and the rest of these pieces.
        is_intact: gets a piece and its rest, and returns whether the rest is large enough. The rest is one polygon.
    """
    for request in requests:
        outline = place_outline(request, stream)
        if outline is None:
            continue
        remainders: dict[int, PlacedGround] = {}
        for number, placed_piece in enumerate(placement.placed):
            if placed_piece.piece not in pieces or not isinstance(placed_piece.feature, Area):
                continue
            cleared_area = outline.buffer(gap)
            if not placed_piece.outline.intersects(cleared_area):
                continue
            remainder = placed_piece.outline.difference(cleared_area)
            if not isinstance(remainder, Polygon) or not is_intact(placed_piece, remainder):
                break
            remainders[number] = replace(placed_piece, feature=replace(placed_piece.feature, outline=remainder))
        else:
            for number, placed_piece in remainders.items():
                placement.placed[number] = placed_piece
            return outline
    return None


def clear_forest(
    placement: ZonePlacement,
    zone: int,
    build_requests: Callable[[], list[PlacementRequest]],
    stream: Stream,
) -> Polygon | None:
    """Return the first position in mm on the board at which forests can give up ground; or None.

    The ground is cut out of the forests in ``placement.placed``.

    Args:
        placement: the table so far.
        zone: the zone of the new piece.
        build_requests: returns the requests to try; called while forests are off the table.
        stream: the random stream of the positions.
    """
    unit, woods = placement.sites[zone].unit, placement.measure(Piece.FOREST)
    least_size = [(length or 0.0) * woods.least * unit for length in (woods.long, woods.short)]

    def is_intact(trees: PlacedGround, remainder: Polygon) -> bool:
        """Return whether the rest of a forest (outline in mm on the board) is in one part and large enough."""
        is_whole = count_parts(remainder, _GROVE * unit) <= count_parts(trees.outline, _GROVE * unit)
        return is_whole and remainder.area > max(
            _STANDING * trees.outline.area, _STANDING * least_size[0] * least_size[1]
        )

    requests = requests_without_pieces(placement, _FORESTS, build_requests) * _CLEARINGS
    return win_ground(placement, _FORESTS, requests, stream, gap=_EDGE * unit, is_intact=is_intact)


def count_parts(shape: shapely.Geometry, inset: float) -> int:
    """Return the number of parts of a shape in mm on the board, after an inset by ``inset`` mm.

    An inset of half a width counts the parts that are wider than this width.
    """
    return len(shapely.get_parts(shape.buffer(-inset)))
