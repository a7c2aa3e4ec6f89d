"""Place spurs, join ridges (AC-F04, AC-F05); add cliffs, scree and steep sides (AC-F06..AC-F08)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.make_room import collect_obstacles
from printkit.systems.acw.ground.placement import JOINT, PlacedGround, ZoneGround, ZonePlacement
from printkit.systems.acw.ground.shapes import spur_tongue
from printkit.systems.acw.terms.pieces import ALL_HILLS, CLIFFS, HILLS, ROADS, STEEP, STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult, ZoneSide
from printkit.terrain.field.features import Hill, HillFace, Kind
from printkit.terrain.geometry.outlines import largest_polygon

# --- Faces of a hill: cliffs, aprons of scree, steep sides (AC-F06..AC-F08) -------------------------------------------

_CLIFF_ARC: Final = (0.26, 0.39)


def add_hill_faces(placement: ZonePlacement) -> None:
    """Add cliffs and scree to hills, after all hills are placed (AC-F06..AC-F08).

    They replace the faces of these hills in ``placement.placed``.
    """
    for number, placed_piece in enumerate(placement.placed):
        if placed_piece.piece not in (*CLIFFS, Piece.HILL_SCREE) or not isinstance(placed_piece.feature, Hill):
            continue
        hill, stream = placed_piece.feature, placement.stream(placed_piece.feature.id, "faces")
        if placed_piece.piece is Piece.HILL_SCREE:
            line = _sector_line(hill.outline, stream.between(0, math.tau), placement.rules.number("scree_sector"))
            faces = [HillFace(line=line, kind=Kind.SCREE, going=placement.going("scree"), side=0)]
        else:
            share = stream.between(*_CLIFF_ARC)
            cliff, rest = _split_outline(hill.outline, _cliff_bearing(placement, placed_piece, stream), share)
            faces = [HillFace(line=cliff, kind=Kind.CLIFF, going=placement.going("cliff"), side=0)]
            if placed_piece.piece is Piece.STEEP_HILL_CLIFF:
                faces.append(HillFace(line=rest, kind=Kind.STEEP_SLOPE, going=hill.going, side=1))
        placement.placed[number] = replace(placed_piece, feature=replace(hill, faces=tuple(faces)))


def _cliff_bearing(placement: ZonePlacement, placed_piece: PlacedGround, stream: Stream) -> float:
    """Return the bearing of a cliff in radians: towards water, or away from the nearest hill (AC-F06).

    It is anticlockwise from +x. It is random for the only hill of a table without water and creek.
    """
    middle = placed_piece.outline.centroid
    if not placement.water.is_empty:
        foot = shapely.shortest_line(middle, placement.water).coords[-1]
        return math.atan2(foot[1] - middle.y, foot[0] - middle.x)
    creek = placement.creek
    if not creek.is_empty:
        foot = shapely.shortest_line(middle, creek).coords[-1]
        if middle.distance(creek) > 1e-6:
            return math.atan2(foot[1] - middle.y, foot[0] - middle.x)
    centroids = [
        nearest_hill.outline.centroid
        for nearest_hill in placement.find_pieces(ALL_HILLS)
        if nearest_hill is not placed_piece
    ]
    if not centroids:
        return stream.between(0, math.tau)
    nearest_hill = min(centroids, key=middle.distance)
    return math.atan2(middle.y - nearest_hill.y, middle.x - nearest_hill.x)


def counterclockwise(shape: Polygon) -> LineString:
    """Return an outline as a counterclockwise line in the same unit, with the area on its left."""
    return LineString(shapely.geometry.polygon.orient(shape).exterior.coords)


def _split_outline(shape: Polygon, bearing: float, share: float) -> tuple[LineString, LineString]:
    """Return the part of an outline around a bearing, and the rest, both as lines in mm on the board.

    Both run anticlockwise, with the hill on the left.

    Args:
        shape: the outline in mm.
        bearing: the direction from the middle to the middle of the first part, in radians anticlockwise from +x.
        share: the length of the first part, as a share of the outline, 0 to 1.
    """
    ring = counterclockwise(shape)
    distance = _ray_distance(ring, shape, bearing)
    half = share * ring.length / 2
    return _cut_ring(ring, distance - half, distance + half), _cut_ring(
        ring, distance + half, distance - half + ring.length
    )


def _sector_line(shape: Polygon, bearing: float, width_deg: float) -> LineString:
    """Return the part of an outline in a sector of ``width_deg`` degrees, in mm on the board (AC-F07).

    ``bearing`` is the direction from the middle to the middle of the sector, in radians. The angle is anticlockwise
    from +x; the line has the hill on its left.
    """
    ring, half = counterclockwise(shape), math.radians(width_deg / 2)
    return _cut_ring(ring, *(_ray_distance(ring, shape, bearing + angle) for angle in (-half, half)))


def _ray_distance(ring: LineString, shape: Polygon, bearing: float) -> float:
    """Return the distance along ``ring`` at which a ray from the middle of ``shape`` meets it.

    ``ring`` is the outline of ``shape`` as a line in mm on the board. ``bearing`` is the direction of the ray, in
    radians. It is 0 if the ray does not meet the outline.
    """
    middle, bounds = shape.centroid, shape.bounds
    far = 2 * math.hypot(bounds[2] - bounds[0], bounds[3] - bounds[1])
    ray = LineString([middle, (middle.x + far * math.cos(bearing), middle.y + far * math.sin(bearing))])
    hit = shapely.get_coordinates(ring.intersection(ray))
    return float(ring.project(Point(hit[0]))) if len(hit) else 0.0


def _cut_ring(ring: LineString, start: float, stop: float) -> LineString:
    """Return the part of a closed line from the distance ``start`` to ``stop``, in mm on the board.

    Distances outside the line wrap around; if ``stop`` is not behind ``start``, the part runs across the end of the
    line.
    """
    total_length = ring.length
    start, stop = start % total_length, stop % total_length
    if start < stop:
        return substring(ring, start, stop)
    tail, head = substring(ring, start, total_length), substring(ring, 0.0, stop)
    return LineString([*tail.coords, *head.coords[1:]])


# Maximum distance between a spur and its hill in the neighbouring zone, as a fraction of the unit.
_NEAR: Final = 0.1

_OFF_RAIL: Final = 8.0
# Scale of a ridge that is moved back. The change is smaller than the tolerance of sizes (AC-G04).
_SHRINK_FACTOR: Final = 0.985

_RETREAT: Final = 0.025  # distance that such a ridge moves, as a fraction of the unit

_MEETS: Final = (Piece.LONG_HILL, Piece.SPUR, *STEEP)
_TOUCHING: Final = 0.012
_SADDLE: Final = 0.12
_GAP: Final = 0.3
_LAP: Final = 1.0


def find_spur(placement: ZonePlacement, result: RollResult) -> Polygon | None:
    """Return the outline of a spur in mm on the board, or None without room.

    It starts at a hill in the next zone, at the table edge, or at a hill of its zone.
    """
    zone_ground, measure = placement.sites[result.zone], placement.measure(Piece.SPUR)
    stream = placement.stream(result.id, "outline")
    base_outline = spur_tongue((measure.long or 0) * zone_ground.unit, (measure.short or 0) * zone_ground.unit, stream)
    closed, _ = collect_obstacles(placement, zone_ground, Piece.SPUR)
    closed = shapely.union_all([closed, placement.ribbons(STREAMS, gap=0.02 * zone_ground.unit)])
    joints = shapely.union_all([point.buffer(JOINT * zone_ground.unit, quad_segs=4) for point in placement.joints])
    obstacles = shapely.union_all(
        [closed, joints, *(line.buffer(_OFF_RAIL) for line in placement.rails.get(zone_ground.zone, ()))]
    )
    spur_outline, separate_spur = None, None
    for side in _base_sides(placement, result.zone):
        spur_outline = _spur_from_side(placement, zone_ground, side, base_outline, obstacles, stream)
        if spur_outline is not None and _is_separate(placement, zone_ground, side, spur_outline):
            # A base far from the hill looks cut off, so it is only a last resort.
            separate_spur = separate_spur or spur_outline
        elif spur_outline is not None:
            return spur_outline
    for hill in placement.in_zone(result.zone, HILLS):
        others = [placed_piece.outline for placed_piece in placement.placed if placed_piece is not hill]
        hill_obstacles = shapely.union_all([*others, joints, placement.water])
        spur_outline = _spur_from_hill(zone_ground, hill.outline, base_outline, hill_obstacles, stream)
        if spur_outline is not None:
            return spur_outline
    return separate_spur


def _is_separate(placement: ZonePlacement, zone_ground: ZoneGround, side: ZoneSide, spur_outline: Polygon) -> bool:
    """Return whether a spur at a side inside the table is far from all hills of the next zone.

    ``spur_outline`` is in mm on the board. Far is over a tenth of the zone's shorter side. A side at the table edge
    gives False.
    """
    neighbour = placement.laying.grid.neighbour(zone_ground.zone, side)
    return neighbour is not None and all(
        placed_piece.outline.distance(spur_outline) > _NEAR * zone_ground.unit
        for placed_piece in placement.in_zone(neighbour, HILLS)
    )


def _base_sides(placement: ZonePlacement, zone: int) -> Iterator[ZoneSide]:
    """Yield the sides for the base of a spur, best first: with a hill beyond, then table edges (AC-F05).

    The water edge is left out. There may be no side at all.
    """
    grid, log = placement.laying.grid, placement.laying.log
    water = placement.laying.water
    yield from (side for side, neighbour in grid.neighbours(zone) if log.has(neighbour, *HILLS))
    yield from (side for side in grid.edges(zone) if water is None or side is not water.edge)


def _spur_from_side(
    placement: ZonePlacement,
    zone_ground: ZoneGround,
    side: ZoneSide,
    base_outline: Polygon,
    obstacles: BaseGeometry,
    stream: Stream,
) -> Polygon | None:
    """Return the outline of a spur with its base on a side of the zone, or None without room.

    It is in mm on the board, near the nearest hill beyond the side. On a side inside the table, return None without a
    hill there.

    Args:
        base_outline: the spur around the origin at its usual size, in mm on the board.
        obstacles: ground in mm that the spur must not touch.
    """
    line = zone_ground.side(side)
    turn = {ZoneSide.WEST: 0.0, ZoneSide.SOUTH: 90.0, ZoneSide.EAST: 180.0, ZoneSide.NORTH: 270.0}[side]
    neighbour = placement.laying.grid.neighbour(zone_ground.zone, side)
    hills = (
        [placed_piece.outline for placed_piece in placement.in_zone(neighbour, HILLS)] if neighbour is not None else []
    )
    near = min(hills, key=lambda hill: hill.distance(line), default=None)
    if neighbour is not None and near is None:
        return None
    measure = placement.measure(Piece.SPUR)
    for attempt in range(100):
        factor = stream.between(0.9, 1.1) if attempt < 60 else measure.least
        half = (measure.short or 0) * zone_ground.unit * factor / 2
        distance = stream.between(half, max(half, line.length - half))
        if near is not None and attempt < 80:
            distance = line.project(shapely.shortest_line(line, near).interpolate(0.0)) + stream.draw_normal(
                0.05 * zone_ground.unit
            )
        distance = min(
            max(distance, half + 0.04 * zone_ground.unit), max(half, line.length - half - 0.04 * zone_ground.unit)
        )
        base = line.interpolate(distance)
        shape = affinity.rotate(affinity.scale(base_outline, factor, factor, origin=(0, 0)), turn, origin=(0, 0))
        shape = largest_polygon(affinity.translate(shape, base.x, base.y).intersection(zone_ground.box))
        if not obstacles.intersects(shape):
            return shape
    return None


def _spur_from_hill(
    zone_ground: ZoneGround, hill: Polygon, base_outline: Polygon, obstacles: BaseGeometry, stream: Stream
) -> Polygon | None:
    """Return the outline in mm of a spur from a hill of the same zone; None without room.

    It does not contain the part inside the hill.

    Args:
        hill: the outline of the hill, in mm on the board.
        base_outline: the spur around the origin at its usual size, in mm.
        obstacles: ground in mm that the spur must not touch.
    """
    for attempt in range(100):
        factor = 0.9 if attempt < 50 else 0.7
        point = hill.exterior.interpolate(stream.draw_unit(), normalized=True)
        middle = hill.centroid
        bearing = math.degrees(math.atan2(point.y - middle.y, point.x - middle.x))
        start = middle.x + 0.7 * (point.x - middle.x), middle.y + 0.7 * (point.y - middle.y)
        shape = affinity.rotate(affinity.scale(base_outline, factor, factor, origin=(0, 0)), bearing, origin=(0, 0))
        shape = affinity.translate(shape, *start)
        free_part = largest_polygon(shape.difference(hill))
        if (
            zone_ground.room.contains(free_part)
            and not obstacles.intersects(free_part)
            and free_part.area > 0.4 * shape.area
        ):
            return free_part
    return None


def join_ridges(placement: ZonePlacement) -> None:
    """Join long hills to hills at the same side in the next zone, or move them back from it (AC-F04).

    The new outlines replace those in ``placement.placed``. Hills that are not close to the side do not change.
    """
    for number, placed_piece in enumerate(placement.placed):
        if placed_piece.piece is not Piece.LONG_HILL or not isinstance(placed_piece.feature, Hill):
            continue
        shape = placed_piece.outline
        for side, neighbour in placement.laying.grid.neighbours(placed_piece.zone):
            for hill in placement.in_zone(neighbour, _MEETS):
                line, unit = placement.sites[placed_piece.zone].side(side), placement.sites[placed_piece.zone].unit
                reach = max(item.distance(line) for item in (shape, hill.outline))
                if reach < _TOUCHING * unit and shape.distance(hill.outline) > _TOUCHING * unit:
                    others = [item.outline for item in placement.placed if item not in (placed_piece, hill)]
                    bars = [
                        *others,
                        *placement.rails.get(placed_piece.zone, ()),
                        *placement.rails.get(neighbour, ()),
                        placement.water,
                        placement.lines((*STREAMS, *ROADS)),
                    ]
                    size = _ridge_limits(placement, placed_piece.zone)
                    shape = _join_ridge(
                        placement.sites[placed_piece.zone], shape, hill.outline, line, shapely.union_all(bars), size
                    )
        if shape is not placed_piece.outline:
            placement.placed[number] = replace(placed_piece, feature=replace(placed_piece.feature, contours=(shape,)))


class _RidgeSize(Struct, frozen=True):
    """The maximum length and width of a ridge in mm on the board, and its minimum length ratio (AC-F04)."""

    long: float
    short: float
    slender: float

    def fits(self, shape: Polygon) -> bool:
        """Return whether a shape in mm on the board is not too long, not too wide, and slender enough for a ridge."""
        corners = shapely.get_coordinates(shape.minimum_rotated_rectangle.exterior)
        long, short = sorted((math.dist(corners[index], corners[index + 1]) for index in (0, 1)), reverse=True)
        return long <= self.long and short <= self.short and long >= self.slender * short


def _ridge_limits(placement: ZonePlacement, zone: int) -> _RidgeSize:
    """Return the size limits of a long hill of a zone, in mm on the board."""
    measure, unit = placement.measure(Piece.LONG_HILL), placement.sites[zone].unit
    most = measure.most * unit
    return _RidgeSize((measure.long or 0.0) * most, (measure.short or 0.0) * most, placement.rules.number("ridge"))


def _join_ridge(
    zone_ground: ZoneGround, ridge: Polygon, hill: Polygon, side: LineString, bars: BaseGeometry, size: _RidgeSize
) -> Polygon:
    """Return the outline in mm of a ridge that meets a hill across a side, or is moved back from it.

    Args:
        zone_ground: the zone of the ridge.
        ridge: the outline of the ridge, in mm on the board.
        hill: the outline of the hill in the next zone, in mm.
        side: the line between the zones, in mm.
        bars: ground in mm that the ridge must not touch.
        size: the limits of its size.
    """
    near = side.buffer(_SADDLE * zone_ground.unit)
    saddle = shapely.union(ridge.intersection(near), hill.intersection(near)).convex_hull
    soft = 0.03 * zone_ground.unit
    joined = largest_polygon(
        shapely.union(ridge, saddle)
        .buffer(soft)
        .buffer(-2 * soft)
        .buffer(soft)
        .intersection(zone_ground.box)
        .difference(hill)
    )
    meets = joined.distance(hill) < _TOUCHING * zone_ground.unit
    if ridge.distance(hill) < _GAP * zone_ground.unit and meets and not joined.intersects(bars) and size.fits(joined):
        return joined
    x, y = zone_ground.middle
    foot = side.interpolate(side.project(Point(x, y)))
    far = zone_ground.box.exterior.distance(Point(x, y)) or 1.0
    shift = _RETREAT * zone_ground.unit / far
    moved_ridge = affinity.translate(
        affinity.scale(ridge, _SHRINK_FACTOR, _SHRINK_FACTOR), shift * (x - foot.x), shift * (y - foot.y)
    )
    # If the move pushes it into another piece, for example a ridge of a third zone, cut off its end instead.
    if moved_ridge.intersection(bars).area <= ridge.intersection(bars).area + _LAP:
        return moved_ridge
    return largest_polygon(ridge.difference(side.buffer(2 * _TOUCHING * zone_ground.unit)))
