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
from printkit.systems.acw.ground.make_room import (
    PiecePose,
    PlacementRequest,
    collect_obstacles,
    place_outline,
    uniform_poses,
)
from printkit.systems.acw.ground.placement import AT_FOOT, JOINT, PlacedGround, ZoneGround, ZonePlacement, build_origin
from printkit.systems.acw.ground.shapes import outline
from printkit.systems.acw.ground.spurs import counterclockwise, find_spur
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import ALL_HILLS, CLIFFS, ROADS, STEEP, STREAMS, Piece
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


def place_hills(placement: ZonePlacement) -> None:
    """Place all hills: long and steep ones first, as they block most courses; spurs last.

    They are added to ``placement.placed``; one without room goes to ``placement.left_out``.
    """
    results = list(placement.find_results(*ALL_HILLS))
    for result in sorted(results, key=lambda result: _placing_rank(result.piece)):
        placed_hill = _place_hill(placement, result)
        if placed_hill is not None:
            placement.placed.append(placed_hill)


def move_hills(placement: ZonePlacement, *, roads: bool) -> None:
    """Move hills off courses that could not avoid them; a hill without other room is left out (AC-G04).

    Streams must not cross any hill (AC-G06). Roads must not cross a steep hill or a hill with a cliff; tracks may climb
    one at a slant (AC-G05). ``roads`` selects roads, otherwise streams.
    """
    courses = tuple(piece for piece in ROADS if piece is not Piece.TRACK) if roads else STREAMS
    lines, tracks = placement.lines(courses), [leg.line for leg in placement.legs if roads and leg.piece is Piece.TRACK]

    def is_blocking(placed_piece: PlacedGround) -> bool:
        """Return whether a course crosses a hill, or a track climbs it too steeply."""
        if roads and placed_piece.piece not in (*STEEP, *CLIFFS):
            return False
        return bool(placed_piece.outline.intersection(lines).length > _CROSSED) or any(
            _climbs_steeply(track, placed_piece.outline) for track in tracks
        )

    _move_blocking_hills(placement, is_blocking)


def _climbs_steeply(track: LineString, hill: Polygon) -> bool:
    """Return whether a track climbs a hill at over 45 degrees to its contour; both in mm on the board.

    The outline of the hill counts as its contour. A track that hardly touches the hill does not climb it.
    """
    if track.intersection(hill).length <= _CROSSED:
        return False
    rim = LineString(hill.exterior.coords)
    return any(crossing_angle(meeting.at, track, rim) > _SLANT for meeting in find_meetings(track, rim))


def move_hills_off_swamps(placement: ZonePlacement) -> None:
    """Move hills off swamps that had to grow together there (AC-N33)."""
    swamps = shapely.union_all([placed_piece.outline for placed_piece in placement.find_pieces((Piece.SWAMP,))])
    _move_blocking_hills(placement, lambda placed_piece: placed_piece.outline.intersection(swamps).area > _CROSSED)


def _move_blocking_hills(placement: ZonePlacement, is_blocking: Callable[[PlacedGround], bool]) -> None:
    """Move each hill that ``is_blocking`` selects, then the spurs next to its old position.

    ``is_blocking`` gets a placed hill. The hills change in ``placement.placed``; those without other room are left out.
    """
    results = {result.id: result for result in placement.find_results(*ALL_HILLS)}
    old_outlines = []
    for placed_piece in list(placement.placed):
        if placed_piece.piece in ALL_HILLS and is_blocking(placed_piece):
            old_outlines.append(placed_piece.outline)
            _move_hill(placement, placed_piece, results[placed_piece.feature.id])
    vacated_area = shapely.union_all(old_outlines)
    for placed_piece in list(placement.find_pieces((Piece.SPUR,))):
        # Move a spur whose hill has moved away, so that it joins another hill.
        if placed_piece.outline.distance(vacated_area) < _GROWN * placement.sites[placed_piece.zone].unit:
            _move_hill(placement, placed_piece, results[placed_piece.feature.id])


def _move_hill(placement: ZonePlacement, placed_piece: PlacedGround, result: RollResult) -> None:
    """Place a hill again, if possible next to the streams that rise at its foot.

    Without other room it is left out (AC-G04). It changes ``placement.placed`` in place; the hill keeps its index
    there.
    """
    index, near = placement.placed.index(placed_piece), AT_FOOT * placement.sites[placed_piece.zone].unit
    # AC-N25: streams without a joint at their start rise at the foot of a hill.
    heads = [Point(leg.line.coords[0]) for leg in placement.legs if leg.piece in STREAMS and leg.starts is None]
    springs = MultiPoint([head for head in heads if head.distance(placed_piece.outline) < near])
    del placement.placed[index]
    moved_hill = _place_hill(placement, result, springs)
    if moved_hill is not None:
        placement.placed.insert(index, moved_hill)


def _place_hill(placement: ZonePlacement, result: RollResult, springs: MultiPoint = _NO_SPRINGS) -> PlacedGround | None:
    """Return the hill of a result at its position; without room, record that and return None (AC-G04).

    The hill is not added to ``placement.placed``; that is left to the caller. ``springs`` are points in mm on the board
    where streams rise; if possible the hill has its foot there.
    """
    assert result.piece is not None
    hill_outline = (
        find_spur(placement, result) if result.piece is Piece.SPUR else _find_outline(placement, result, springs)
    )
    if hill_outline is None:
        spur_position = Sentence("on a hill or an edge to grow out of") if result.piece is Piece.SPUR else None
        placement.leave_out(result, spur_position or Sentence("off the courses and joints of its zone"))
        return None
    return PlacedGround(piece=result.piece, zone=result.zone, feature=_build_hill(placement, result, hill_outline))


def _placing_rank(piece: Piece | None) -> int:
    """Return the rank of a hill in the order of placement, from 0: long and steep ones first, spurs last."""
    order = (Piece.LONG_HILL, *STEEP)
    if piece is Piece.SPUR:
        return len(order) + 1
    return order.index(piece) if piece in order else len(order)


def _find_outline(placement: ZonePlacement, result: RollResult, springs: MultiPoint) -> Polygon | None:
    """Return the outline of a separate hill in mm on the board, or None without room.

    If possible, the points ``springs``, in mm, are at its foot.
    """
    assert result.piece is not None
    zone_ground, measure = placement.sites[result.zone], placement.measure(result.piece)
    stream = placement.stream(result.id, "outline")
    base_outline = outline(
        result.piece, (measure.long or 0) * zone_ground.unit, (measure.short or 0) * zone_ground.unit, stream
    )
    is_ridge = result.piece is Piece.LONG_HILL
    closed, last = collect_obstacles(placement, zone_ground, result.piece)
    is_blocking = result.piece in (*STEEP, *CLIFFS)
    reserved_ground = _reserved_ground(placement, zone_ground, is_blocking=is_blocking)
    request = PlacementRequest(
        base_outline=base_outline,
        factors=(measure.least, measure.most),
        search_area=zone_ground.box if is_ridge else zone_ground.room,
        closed=shapely.union_all([closed, reserved_ground]),
        last=last,
        draw_pose=uniform_poses(zone_ground.room),
        score=_hill_score(placement, zone_ground, result),
    )
    straight = shapely.union_all(placement.straights[zone_ground.zone]).buffer(
        _BESIDE_WAYS * zone_ground.unit, quad_segs=4
    )
    obstacle_sets = [shapely.union_all([request.closed, straight]), request.closed]
    if not is_blocking:
        # A gentle hill may be on the line of a railroad, which runs through it in a cutting.
        obstacle_sets.append(closed)
    requests = [replace(request, closed=obstacles) for obstacles in obstacle_sets]
    if not springs.is_empty:
        near = AT_FOOT * zone_ground.unit
        spring_request = replace(
            request,
            draw_pose=_poses_above_springs(springs, base_outline, zone_ground.unit),
            score=lambda shape: -float(springs.distance(shape)),
        )
        for obstacles in obstacle_sets * _ATTEMPTS:
            hill_outline = place_outline(replace(spring_request, closed=obstacles), stream)
            if hill_outline is not None and hill_outline.distance(springs) < near:
                return hill_outline
    hill_outline = next(
        (hill_outline for request in requests if (hill_outline := place_outline(request, stream)) is not None), None
    )
    if hill_outline is not None or result.piece is not Piece.STEEP_HILL:
        return hill_outline
    # As a last resort a steep hill may be on a track that climbs it at a slant.
    tracks = [leg.line for leg in placement.legs if leg.zone == zone_ground.zone and leg.piece is Piece.TRACK]
    track_obstacles = shapely.union_all(
        [closed, _reserved_ground(placement, zone_ground, is_blocking=True, tracks_allowed=True)]
    )
    return (
        place_outline(replace(request, closed=track_obstacles, score=_slanting_score(request.score, tracks)), stream)
        if tracks
        else None
    )


def _slanting_score(base_score: Callable[[Polygon], float], tracks: list[LineString]) -> Callable[[Polygon], float]:
    """Return a score function like ``base_score``, but minus infinity if a track climbs the shape too steeply (AC-G05).

    ``base_score`` gets an outline and rates it. Tracks and shapes are in mm on the board.
    """
    return lambda shape: -math.inf if any(_climbs_steeply(track, shape) for track in tracks) else base_score(shape)


def _poses_above_springs(
    springs: MultiPoint, base_outline: Polygon, unit: float
) -> Callable[[Stream, float], PiecePose]:
    """Return a function that draws positions for a hill with one of the springs at its foot.

    The function takes a random stream and a size factor. It returns x and y in mm on the board, and a rotation in
    degrees.

    Args:
        springs: points in mm on the board.
        base_outline: the outline around the origin at its usual size, in mm.
        unit: the shorter side of the zone, in mm.
    """
    long, short = base_outline.bounds[2] - base_outline.bounds[0], base_outline.bounds[3] - base_outline.bounds[1]

    def draw_pose(stream: Stream, factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: next to a random spring."""
        spring = springs.geoms[stream.draw_index(len(springs.geoms))]
        bearing, turn = stream.between(0.0, math.tau), stream.between(0.0, 360.0)
        relative_angle = bearing - math.radians(turn)
        foot = factor / math.hypot(2 * math.cos(relative_angle) / long, 2 * math.sin(relative_angle) / short)
        distance = foot + stream.between(*_OFF_SPRING) * unit
        return spring.x + distance * math.cos(bearing), spring.y + distance * math.sin(bearing), turn

    return draw_pose


def _reserved_ground(
    placement: ZonePlacement, zone_ground: ZoneGround, *, is_blocking: bool, tracks_allowed: bool = False
) -> BaseGeometry:
    """Return the ground in mm on the board that a hill must keep free: around joints and along railroads.

    Railroads cannot go around a hill. A hill that blocks roads also keeps off roads, and off tracks unless they may
    climb it.
    """
    areas = [point.buffer(JOINT * zone_ground.unit, quad_segs=4) for point in placement.joints]
    pool = placement.anchors.get((zone_ground.zone, To.POOL))
    if pool is not None:
        areas.append(pool.buffer(JOINT * zone_ground.unit, quad_segs=4))
    gap_mm = (_CORRIDOR if is_blocking else _CORRIDOR / 2) * zone_ground.unit
    lines = [line.buffer(gap_mm, quad_segs=4) for line in placement.rails.get(zone_ground.zone, ())]
    if is_blocking:
        roads = tuple(piece for piece in ROADS if not tracks_allowed or piece is not Piece.TRACK)
        areas.append(placement.ribbons(roads, gap=_OFF_ROAD * zone_ground.unit, zone=zone_ground.zone))
    return shapely.union_all([*areas, *lines])


def _hill_score(placement: ZonePlacement, zone_ground: ZoneGround, result: RollResult) -> Callable[[Polygon], float]:
    """Return a score function: highest off the lines between joints, near spurs and ridges of neighbouring zones.

    Shapes and scores are in mm on the board.
    """
    bars = shapely.union_all(placement.straights[zone_ground.zone])
    log, grid = placement.laying.log, placement.laying.grid
    pulls = [
        zone_ground.side(side)
        for side, neighbour in grid.neighbours(result.zone)
        if log.has(neighbour, Piece.SPUR) or (result.piece is Piece.LONG_HILL and log.has(neighbour, Piece.LONG_HILL))
    ]
    pull = shapely.union_all(pulls)

    def score(shape: Polygon) -> float:
        """Return minus the mm of lines under a hill, less three times its mm from spurs and ridges."""
        blocked_length = shape.intersection(bars).length if not bars.is_empty else 0.0
        near = shape.distance(pull) if not pull.is_empty else 0.0
        return -blocked_length - 3.0 * near

    return score


def _build_hill(placement: ZonePlacement, result: RollResult, shape: Polygon) -> Hill:
    """Return the hill feature with the outline ``shape``, its contours and its steep slope.

    The outline is in mm on the board. Cliffs and scree depend on other pieces and come later.
    """
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
        origin=build_origin(result.zone, (result,), (measure.clause,)),
    )
