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
    PiecePose,
    PlacementRequest,
    PoseSampler,
    accept_near,
    clear_forest,
    collect_obstacles,
    nearby_poses,
    place_outline,
    uniform_poses,
)
from printkit.systems.acw.ground.placement import TRIES, PlacedGround, ZonePlacement, build_area
from printkit.systems.acw.ground.shapes import outline
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import ALL_HILLS, HILLS, ROADS, STREAMS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.outlines import largest_polygon

# Spread of the positions of a pool around the end of its stream, first and second try, as fractions of the unit.
_AT_SPRING: Final = (0.02, 0.05)

# Minimum area of a forest around other pieces, as a share of its smallest size.
_FULL: Final = 0.62

_MOST_OF: Final = 0.16  # minimum area of every forest, as a share of a square zone

_FOREST_GAP: Final = 0.02
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


def place_pools(placement: ZonePlacement) -> None:
    """Place pools: at the end of a stream that needs one, otherwise anywhere in the zone (AC-F21).

    They are added to ``placement.placed``; one without room goes to ``placement.left_out``. The ends of streams that
    they use are removed from ``placement.anchors``.
    """
    for result in placement.find_results(Piece.POOL):
        zone_ground = placement.sites[result.zone]
        anchor = placement.anchors.pop((result.zone, To.POOL), None)
        if anchor is not None:
            samplers = (nearby_poses(anchor, spread * zone_ground.unit) for spread in _AT_SPRING)
            request = build_request(placement, result, score=_nearness_score(anchor))
            outlines = (
                place_outline(replace(request, draw_pose=draw_pose), placement.stream(result.id, "place"))
                for draw_pose in samplers
            )
            pool_outline = next((shape for shape in outlines if shape is not None), None)
        else:
            stream_lines = shapely.union_all([placement.lines(STREAMS, result.zone), *placement.straights[result.zone]])
            pool_outline = _find_outline(
                placement,
                result,
                score=_distance_score(stream_lines, 0.12 * zone_ground.unit) if not stream_lines.is_empty else None,
            )
        add_area(
            placement,
            result,
            pool_outline,
            position=Sentence("at the end of its stream") if anchor is not None else None,
        )


def place_forests(placement: ZonePlacement) -> None:
    """Place forests, which fill most of their zone; later pieces may replace parts (AC-F11, AC-G04).

    They are added to ``placement.placed``; one without room goes to ``placement.left_out``.
    """
    for result in placement.find_results(Piece.FOREST):
        position = Sentence("about what lies in its zone")
        add_area(placement, result, _find_forest(placement, result), position=position, tries=_FOREST_TRIES)


def place_trees(placement: ZonePlacement) -> None:
    """Place woodlands and woods, if possible at the end of a side road to trees (AC-F09, AC-F10).

    They are added to ``placement.placed``; one without room goes to ``placement.left_out``.
    """
    for result in placement.find_results(Piece.WOOD, Piece.WOODLAND):
        anchor = placement.anchors.get((result.zone, To.TREES))
        if anchor is not None:
            zone_ground = placement.sites[result.zone]
            wood_outline = _find_outline(
                placement,
                result,
                draw_pose=nearby_poses(anchor, 0.08 * zone_ground.unit),
                score=_nearness_score(anchor),
            )
            if wood_outline is not None:
                add_area(placement, result, wood_outline)
                continue
        add_area(placement, result, _find_outline(placement, result, score=_piece_score(placement, result)))


def place_wild_piece(placement: ZonePlacement, result: RollResult) -> None:
    """Place scrub, rocks, scree or dunes (AC-F12, AC-F23..AC-F25).

    The piece is added to ``placement.placed``, or to ``placement.left_out`` without room. Scree goes to the foot of a
    hill if its zone has one.
    """
    if result.piece is Piece.SAND_DUNES:
        add_area(placement, result, _find_dunes(placement, result))
        return
    hills = [placed_piece.outline for placed_piece in placement.in_zone(result.zone, HILLS)]
    if result.piece is Piece.SCREE and hills:
        add_area(placement, result, _find_scree(placement, result, hills), position=Sentence("at the foot of a hill"))
        return
    add_area(placement, result, _find_outline(placement, result, score=_piece_score(placement, result)))


def _find_scree(placement: ZonePlacement, result: RollResult, hills: list[Polygon]) -> Polygon | None:
    """Return the outline of scree at the foot of a hill, in mm on the board; None without room (AC-F25).

    ``hills`` are the outlines of the hills in the zone, in mm. The scree can take ground from a forest.
    """
    stream, score = placement.stream(result.id, "place"), _piece_score(placement, result)
    request = build_request(placement, result, score=score)
    at_foot = replace(request, draw_pose=_hill_foot_poses(placement, result, hills))
    return (
        place_outline(at_foot, stream)
        or clear_forest(
            placement,
            result.zone,
            lambda: [build_request(placement, result, draw_pose=at_foot.draw_pose, score=score)],
            stream,
        )
        or place_outline(request, stream)
    )


def _hill_foot_poses(placement: ZonePlacement, result: RollResult, hills: list[Polygon]) -> PoseSampler:
    """Return a function that draws positions at the feet of hills, parallel to the hill (AC-F25).

    The function takes a random stream and a size factor. It returns x and y in mm on the board, and a rotation in
    degrees.
    """
    depth = (placement.measure(Piece.SCREE).short or 0.0) * placement.sites[result.zone].unit
    reach = 2.0 * depth

    def draw_pose(stream: Stream, factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: at the foot of a random hill."""
        hill = hills[stream.draw_index(len(hills))]
        ring = shapely.geometry.polygon.orient(hill).exterior
        distance = stream.between(0.0, ring.length)
        before, after = (ring.interpolate((distance + shift) % ring.length) for shift in (-reach / 2, reach / 2))
        bearing = math.atan2(after.y - before.y, after.x - before.x)
        point, offset = ring.interpolate(distance), factor * depth * stream.between(0.5, 0.62)
        return point.x + offset * math.sin(bearing), point.y - offset * math.cos(bearing), math.degrees(bearing)

    return draw_pose


def add_area(
    placement: ZonePlacement,
    result: RollResult,
    area_outline: Polygon | None,
    *,
    kind: Kind | None = None,
    extra_clause: str = "",
    position: Sentence | None = None,
    tries: int = TRIES,
) -> bool:
    """Place the area of a result and return True; without room, record that and return False (AC-G04).

    It changes ``placement.placed`` or ``placement.left_out`` in place.

    Args:
        placement: the table so far.
        result: the roll that gave the piece.
        area_outline: the outline in mm on the board, or None if no room was found.
        kind: the kind of the feature; by default that of the piece.
        extra_clause: a clause to add to the origin of the feature.
        position: where the piece must be, for the note about a piece without room.
        tries: the number of positions that were tried, for the same note.
    """
    assert result.piece is not None
    if area_outline is None:
        placement.leave_out(result, position, tries)
        return False
    feature = build_area(placement, result, area_outline, kind=kind, extra_clause=extra_clause)
    placement.placed.append(PlacedGround(piece=result.piece, zone=result.zone, feature=feature))
    return True


def build_request(
    placement: ZonePlacement,
    result: RollResult,
    *,
    draw_pose: PoseSampler | None = None,
    score: Callable[[Polygon], float] | None = None,
    search_area: Polygon | None = None,
    size_factor: float = 1.0,
) -> PlacementRequest:
    """Return the request to place an area: its outline at the usual size, its zone and its obstacles.

    Nothing is placed yet.

    Args:
        placement: the table so far; its pieces are obstacles.
        result: the roll that gave the piece.
        draw_pose: gets a random stream and a size factor, and returns x and y in mm on the board and a rotation in
            degrees; by default any pose in the zone.
        score: gets an outline in mm and rates it, the highest is best, minus infinity excludes it; by default all are
            equal.
        search_area: the ground for the piece, in mm; by default the zone without its margin.
        size_factor: a factor on the usual length and width.
    """
    assert result.piece is not None
    zone_ground, measure = placement.sites[result.zone], placement.measure(result.piece)
    stream = placement.stream(result.id, "outline")
    long, short = ((length or 0.0) * zone_ground.unit * size_factor for length in (measure.long, measure.short))
    closed, last = collect_obstacles(placement, zone_ground, result.piece)
    return PlacementRequest(
        base_outline=outline(result.piece, long, short, stream),
        factors=(measure.least, measure.most),
        search_area=search_area or zone_ground.room,
        closed=closed,
        last=last,
        draw_pose=draw_pose or uniform_poses(zone_ground.room),
        score=score or (lambda _shape: 0.0),
        accepts=accept_near(placement, result),
    )


def _find_outline(
    placement: ZonePlacement,
    result: RollResult,
    *,
    draw_pose: PoseSampler | None = None,
    score: Callable[[Polygon], float] | None = None,
) -> Polygon | None:
    """Return the outline of a piece on free ground or in a forest, in mm on the board; None without room.

    Args:
        placement: the table so far; its pieces are obstacles.
        result: the roll that gave the piece.
        draw_pose: gets a random stream and a size factor, and returns x and y in mm and a rotation in degrees; by
            default any pose in the zone.
        score: gets an outline in mm and rates it, the highest is best; by default all are equal.
    """
    stream = placement.stream(result.id, "place")
    shape = place_outline(build_request(placement, result, draw_pose=draw_pose, score=score), stream)
    if shape is not None:
        return shape
    return clear_forest(
        placement, result.zone, lambda: [build_request(placement, result, draw_pose=draw_pose, score=score)], stream
    )


def _nearness_score(point: Point) -> Callable[[Polygon], float]:
    """Return a score function: minus the distance of a shape's middle from a point, in mm on the board."""

    def score(shape: Polygon) -> float:
        """Return minus the distance of the middle of a shape from the point, in mm on the board."""
        return -float(shape.centroid.distance(point))

    return score


def _distance_score(lines: BaseGeometry, maximum: float) -> Callable[[Polygon], float]:
    """Return a score function: a shape's distance from lines in mm on the board, at most ``maximum``."""

    def score(shape: Polygon) -> float:
        """Return the distance of a shape from the lines in mm on the board, at most the maximum."""
        return min(float(shape.distance(lines)), maximum)

    return score


def _piece_score(placement: ZonePlacement, result: RollResult) -> Callable[[Polygon], float]:
    """Return a score function: highest near pieces that attract this one, with few roads inside.

    Scores are in mm on the board. Each mm of road or railroad inside a shape lowers its score by 0.6.
    """
    assert result.piece is not None
    zone_ground = placement.sites[result.zone]
    near = zone_ground.box.buffer(0.15 * zone_ground.unit)
    attractors = [
        placed_piece.outline.simplify(_ABOUT)
        for placed_piece in placement.find_pieces(_PULL.get(result.piece, ()))
        if placed_piece.outline.intersects(near)
    ]
    if result.piece is Piece.SCREE:
        attractors = [placed_piece.outline for placed_piece in placement.in_zone(result.zone, HILLS)]
    attracting_area = shapely.union_all(attractors)
    road_lines = placement.lines((*ROADS, Piece.RAILROAD), result.zone)

    def score(shape: Polygon) -> float:
        """Return minus the mm from a shape to the pieces that attract it, minus 0.6 for each mm of road inside it."""
        nearness = -float(shape.distance(attracting_area)) if not attracting_area.is_empty else 0.0
        return nearness - _CROSSED * float(shape.intersection(road_lines).length)

    return score


def _find_forest(placement: ZonePlacement, result: RollResult) -> Polygon | None:
    """Return the outline of a forest that fills most of its zone; None without room (AC-F11).

    It is in mm on the board. The forest leaves out the other pieces, and reaches the end of its side road if possible.
    """
    zone_ground, measure = placement.sites[result.zone], placement.measure(Piece.FOREST)
    request = build_request(placement, result, search_area=zone_ground.box)
    stream = placement.stream(result.id, "place")
    gap, soft = _FOREST_GAP * zone_ground.unit, 0.03 * zone_ground.unit
    obstacles = request.closed.buffer(gap, quad_segs=4)
    least = max(_FULL * measure.least**2 * request.base_outline.area, _MOST_OF * zone_ground.unit**2)
    anchor = placement.anchors.get((result.zone, To.TREES))
    road_end_area = anchor.buffer(_LED * zone_ground.unit) if anchor is not None else Polygon()
    left, low, right, high = zone_ground.inset_box(0.015).bounds
    best: Polygon | None = None
    for attempt in range(_FOREST_TRIES):
        factor = (
            stream.between(max(measure.least, 0.95), measure.most) if attempt < _FOREST_TRIES - 2 else measure.least
        )
        west, south, east, north = request.base_outline.bounds
        slack_x = max(0.0, (right - left) - factor * (east - west)) / 2
        slack_y = max(0.0, (high - low) - factor * (north - south)) / 2
        shape = shapely.affinity.scale(request.base_outline, factor, factor, origin=(0, 0))
        if attempt % 2:
            shape = shapely.affinity.rotate(shape, 180, origin=(0, 0))
        x, y = zone_ground.middle
        shape = shapely.affinity.translate(
            shape, x + stream.between(-slack_x, slack_x), y + stream.between(-slack_y, slack_y)
        )
        free_part = largest_polygon(shape.intersection(shapely.box(left, low, right, high)).difference(obstacles))
        smoothed = largest_polygon(free_part.buffer(-soft).buffer(2 * soft).buffer(-soft).difference(request.closed))
        if smoothed.area > least and (
            best is None or _forest_value(smoothed, road_end_area) > _forest_value(best, road_end_area)
        ):
            best = Polygon(smoothed.exterior) if not request.closed.intersects(Polygon(smoothed.exterior)) else smoothed
    return best


def _forest_value(forest: Polygon, road_end_area: BaseGeometry) -> tuple[bool, float]:
    """Return whether a forest reaches the end of its side road, and its area in mm² on the board.

    ``road_end_area`` is the ground around that end in mm on the board. If it is empty, the first part is True.
    """
    return road_end_area.is_empty or forest.intersects(road_end_area), forest.area


def _find_dunes(placement: ZonePlacement, result: RollResult) -> Polygon | None:
    """Return the outline of dunes, by the edge water if the zone has any; None without room (AC-F23).

    It is in mm on the board.
    """
    zone_ground = placement.sites[result.zone]
    water, shore = placement.water, placement.shore(result.zone)
    if shore.is_empty:
        return _find_outline(placement, result, score=_piece_score(placement, result))
    assert placement.laying.water is not None
    north_or_south = placement.laying.water.edge.value in "NS"
    turn = 0.0 if north_or_south else 90.0
    parts = [part for part in shapely.get_parts(shapely.line_merge(shore)) if part.length > 1.0] or [water.exterior]
    depth = (placement.measure(Piece.SAND_DUNES).short or 0.0) * zone_ground.unit
    inland = -1.0 if placement.laying.water.edge.value in "NE" else 1.0

    def draw_pose(stream: Stream, factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: next to the shore."""
        point = parts[stream.draw_index(len(parts))].interpolate(stream.draw_unit(), normalized=True)
        offset = inland * (factor * depth * stream.between(0.5, 0.7) + 0.02 * zone_ground.unit)
        x, y = (point.x, point.y + offset) if north_or_south else (point.x + offset, point.y)
        return x, y, turn + stream.between(-9, 9)

    def score(shape: Polygon) -> float:
        """Return minus the distance of a shape from the edge water, in mm on the board."""
        return -float(shape.distance(water))

    return _find_outline(placement, result, draw_pose=draw_pose, score=score)
