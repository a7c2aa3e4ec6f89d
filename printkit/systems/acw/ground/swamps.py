"""Place swamps on streams or at the water, and join neighbouring swamps (AC-N33, AC-N34).

In the functions for necks, ``first`` and ``second`` are the outlines of two swamps in mm, and ``zones`` are their zones
in the same order.
"""

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
from printkit.systems.acw.ground.areas import build_request
from printkit.systems.acw.ground.flanks import box_sides, roughen_straight_edges
from printkit.systems.acw.ground.hills import move_hills_off_swamps
from printkit.systems.acw.ground.make_room import PiecePose, PlacementRequest, PoseSampler, place_outline, uniform_poses
from printkit.systems.acw.ground.placement import PlacedGround, ZoneGround, ZonePlacement, build_area, build_origin
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import ALL_HILLS, STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.outlines import largest_polygon
from printkit.terrain.geometry.routing import CostField, RoutingGround

# Smallest and largest diameter of the discs in necks and in swamps along a stream; fractions of the unit.
_NECK: Final = (0.16, 0.32)

# Distance between the discs of a neck, a fraction of the unit; the discs along a stream are half as far apart.
_POOLS: Final = 0.13

# Radius of the rounded corners where necks begin, a fraction of the unit.
_SOFT: Final = 0.05

# Depth of the strip beyond the table edge where a swamp may be before it is cut, if the water begins at the edge; a
# fraction of the unit.
_BEYOND_EDGE: Final = 0.1

# Greatest length of a swamp of discs along a stream, a fraction of the unit.
_BOTTOM: Final = 0.45

# Number of points on a shared side through which routes of necks go.
_ROUTE_COUNT: Final = 19

# Step of the search for a route around obstacles, a fraction of the unit, and the room at their corners, in mm.
_ROUTE_STEP: Final = 1 / 36
_CORNER: Final = 2.0

# Distance of the first of these points from the end of the side, as a share of its length; the last is as far away.
_FIRST: Final = 0.12

_TOUCH: Final = 1.0  # maximum distance in mm between a swamp and its stream or water


def place_swamps(placement: ZonePlacement) -> None:
    """Place the swamps of all zones, join neighbouring swamps and move hills off them.

    Swamps go to ``placement.placed``, and those without room to ``placement.left_out``.
    """
    rolls: dict[int, list[RollResult]] = {}
    for result in placement.find_results(Piece.SWAMP):
        rolls.setdefault(result.zone, []).append(result)
    swamps: dict[int, Area] = {}
    for zone, results in rolls.items():
        shape = _find_swamp(placement, results)
        if shape is None:
            position = _required_position(placement, zone)
            for result in results:
                placement.leave_out(result, position)
            continue
        swamp = build_area(placement, results[0], shape)
        swamps[zone] = replace(swamp, origin=build_origin(zone, results, (*swamp.origin.clauses, "AC-N34")))
    for zone, feature in _join_swamps(placement, swamps).items():
        rough_swamp = replace(feature, outline=_roughen_edges(placement, zone, feature.outline))
        placement.placed.append(PlacedGround(piece=Piece.SWAMP, zone=zone, feature=rough_swamp))
    move_hills_off_swamps(placement)


def _required_position(placement: ZonePlacement, zone: int) -> Sentence | None:
    """Return where the swamp of a zone must be: on its stream, otherwise at its water; None for anywhere (AC-N34)."""
    if not placement.lines(STREAMS, zone).is_empty:
        return Sentence("on the stream of its zone")
    return None if placement.shore(zone).is_empty else Sentence("at the water")


def _roughen_edges(placement: ZonePlacement, zone: int, swamp: Polygon) -> Polygon:
    """Return the outline of a swamp in mm without straight edges along sides of zones or of the areas inside them.

    The shore stays as it is. The outline is unchanged if it would lose contact with its stream or water.
    """
    sites = [zone_ground for zone_ground in placement.sites.values() if zone_ground.box.intersects(swamp)]
    shore_strip = placement.shore(zone).buffer(0.02 * placement.unit)
    lines = [
        side.difference(shore_strip)
        for side in box_sides(box for zone_ground in sites for box in (zone_ground.box, zone_ground.room))
    ]
    streams = [leg.line for leg in placement.legs if leg.piece in STREAMS and leg.line.dwithin(swamp, _TOUCH)]
    rough_swamp = roughen_straight_edges(
        swamp,
        [side for side in lines if isinstance(side, LineString) and side.length],
        unit=placement.sites[zone].unit,
        neck=placement.rules.number("swamp_neck") * min(zone_ground.unit for zone_ground in sites),
        stream=placement.stream(f"z{zone}", "flanks"),
    )
    boxes = [zone_ground.box for zone_ground in sites if not placement.shore(zone_ground.zone).is_empty]
    wet = [box for box in boxes if swamp.intersection(box).dwithin(placement.water, _TOUCH)]
    is_on_streams = all(line.dwithin(rough_swamp, _TOUCH) for line in streams)
    return (
        rough_swamp
        if is_on_streams and all(rough_swamp.intersection(box).dwithin(placement.water, _TOUCH) for box in wet)
        else swamp
    )


def _find_swamp(placement: ZonePlacement, results: Sequence[RollResult]) -> Polygon | None:
    """Return the outline in mm of the swamp of a zone; None without room.

    It is at the end of a course, otherwise on the stream of the zone, otherwise at the water, otherwise anywhere.
    ``results`` are the rolls for swamps in this zone; two give one larger swamp. The end of the course is removed from
    ``placement.anchors``.
    """
    result = results[0]
    zone_ground = placement.sites[result.zone]
    size_factor = sqrt(placement.rules.number("swamp_twice")) if len(results) > 1 else 1.0
    stream_line, shore = placement.lines(STREAMS, result.zone), placement.shore(result.zone)
    anchor = placement.anchors.pop((result.zone, To.SWAMP), None)
    shared_sides = _joined_sides(placement, result.zone)
    draw_pose: PoseSampler = uniform_poses(zone_ground.room)
    if anchor is not None:
        draw_pose = _poses_along_lines(LineString([anchor, (anchor.x + 0.1, anchor.y)]), 0.05 * zone_ground.unit)
    elif not stream_line.is_empty:
        draw_pose = _poses_along_lines(stream_line, 0.04 * zone_ground.unit)
    elif not shore.is_empty:
        draw_pose = _poses_along_lines(shore, 0.05 * zone_ground.unit)
    request = build_request(
        placement,
        result,
        draw_pose=draw_pose,
        score=_swamp_score(placement, zone_ground, stream_line, shared_sides),
        size_factor=size_factor,
    )
    if not shore.is_empty:
        # A swamp may touch the water. It is cut at the shore.
        request = replace(
            request, closed=_placed_obstacles(placement, zone_ground), search_area=_area_to_water(zone_ground, shore)
        )
    shape = place_outline(request, placement.stream(result.id, "place"))
    if shape is None and not stream_line.is_empty:
        shape = _stream_bottoms(placement, zone_ground, request, stream_line)
    if shape is None:
        return None
    dry = shape.difference(placement.water)
    return _part_on_stream(dry if zone_ground.box.covers(dry) else dry.intersection(zone_ground.box), stream_line)


def _part_on_stream(shape: BaseGeometry, stream_line: BaseGeometry) -> Polygon | None:
    """Return the largest part of a swamp (in mm) after the cut at the water, or None.

    On a stream, only parts that touch ``stream_line`` count; ``stream_line`` is empty without a stream.
    """
    if stream_line.is_empty:
        return largest_polygon(shape)
    on_stream = [part for part in shapely.get_parts(shape) if part.distance(stream_line) < _TOUCH]
    return largest_polygon(shapely.union_all(on_stream)) if on_stream else None


def _stream_bottoms(
    placement: ZonePlacement, zone_ground: ZoneGround, request: PlacementRequest, stream_line: BaseGeometry
) -> Polygon | None:
    """Return the outline in mm of a swamp of small discs along a stream, if the usual shape has no room.

    ``stream_line`` is the stream of the zone in mm. Return None if the free ground is too small.
    """
    longest = max(shapely.get_parts(stream_line), key=lambda part: float(part.length))
    far = min(_BOTTOM * zone_ground.unit, longest.length)
    random_stream = placement.stream(f"z{zone_ground.zone}", "bottoms")
    start = random_stream.between(0.0, longest.length - far)
    count = max(3, round(far / (_POOLS * zone_ground.unit / 2)))
    discs = [
        longest.interpolate(start + far * number / count).buffer(
            random_stream.between(*_NECK) * zone_ground.unit / 2, quad_segs=12
        )
        for number in range(count + 1)
    ]
    shape = shapely.union_all(discs).intersection(zone_ground.room).difference(request.closed)
    return (
        largest_polygon(shape) if shape.area > (placement.rules.number("swamp_neck") * zone_ground.unit) ** 2 else None
    )


def _placed_obstacles(placement: ZonePlacement, zone_ground: ZoneGround) -> BaseGeometry:
    """Return the ground in mm of all areas and hills that are in a zone or within 1 mm of it."""
    near = zone_ground.box.buffer(1.0)
    return shapely.union_all(
        [placed_piece.outline for placed_piece in placement.placed if placed_piece.outline.intersects(near)]
    )


def _area_to_water(zone_ground: ZoneGround, shore: BaseGeometry) -> Polygon:
    """Return the area in mm where a swamp may be: its zone, and a strip beyond the table edge.

    The strip is only there if the water begins at the edge. ``shore`` is the line in mm where the water begins.
    """
    if shore.intersects(zone_ground.room):
        return zone_ground.room
    left, low, right, high = zone_ground.room.bounds
    west, south, east, north = shore.bounds
    extra, (x, y) = _BEYOND_EDGE * zone_ground.unit, zone_ground.middle
    if south == north:
        low, high = (low, north + extra) if south > y else (south - extra, high)
    else:
        left, right = (left, east + extra) if west > x else (west - extra, right)
    return shapely.box(left, low, right, high)


def _poses_along_lines(line: BaseGeometry, spread: float) -> PoseSampler:
    """Return a function that draws positions near lines, with any rotation.

    The function takes a random stream and a size factor. It returns x and y in mm on the table, and a rotation in
    degrees.

    Args:
        line: one or more lines in mm on the table.
        spread: the standard deviation of x and y, in mm.
    """
    parts = list(shapely.get_parts(line))

    def draw_pose(stream, _factor: float) -> PiecePose:  # type: ignore[no-untyped-def]
        """Return x and y in mm on the table, near a random point of a random line, and a rotation in degrees."""
        part = parts[stream.draw_index(len(parts))]
        point = part.interpolate(stream.draw_unit(), normalized=True)
        return point.x + stream.draw_normal(spread), point.y + stream.draw_normal(spread), stream.between(0.0, 360.0)

    return draw_pose


def _joined_sides(placement: ZonePlacement, zone: int) -> list[LineString]:
    """Return the sides in mm that a zone shares with zones whose swamps must join this one."""
    grid = placement.laying.grid
    pairs = [pair for pair in placement.laying.network.swamps if zone in pair]
    neighbours = [first if second == zone else second for first, second in pairs]
    return [placement.sites[zone].side(grid.side_between(zone, neighbour)) for neighbour in neighbours]


def _swamp_score(
    placement: ZonePlacement, zone_ground: ZoneGround, stream_line: BaseGeometry, shared_sides: list[LineString]
) -> Callable[[Polygon], float]:
    """Return a function that scores an outline: higher near ``shared_sides``, and on the stream or at the water.

    The score, in mm, is a preference: outlines far from the sides stay possible.

    Args:
        placement: the placement with the water.
        zone_ground: the zone of the swamp.
        stream_line: the stream of the zone in mm; empty without a stream.
        shared_sides: the sides in mm that the zone shares with zones whose swamps must join this one.
    """
    water = (
        placement.water if not placement.water.is_empty and placement.water.intersects(zone_ground.box) else Polygon()
    )

    def score(shape: Polygon) -> float:
        """Return the score of an outline, in mm on the board; the highest is best."""
        total = -plain_sum(shape.distance(side) for side in shared_sides)
        if not stream_line.is_empty:
            return float(total + min(shape.intersection(stream_line).length, 0.3 * zone_ground.unit))
        if not water.is_empty:
            outside = shape.intersection(water).area / shape.area
            return float(total - 2 * shape.distance(water) - zone_ground.unit * max(0.0, outside - 0.2))
        return float(total)

    return score


def _join_swamps(placement: ZonePlacement, areas: dict[int, Area]) -> dict[int, Area]:
    """Return the swamps by zone; those of neighbouring zones are joined and keep the ID of the lowest zone (AC-N33).

    ``areas`` has one swamp for each zone with a swamp, and does not change. A joined swamp is only under its lowest
    zone. Pairs without room for a neck stay apart.
    """
    swamps = dict(areas)
    owners = {zone: zone for zone in areas}
    for first_zone, second_zone in placement.laying.network.swamps:
        if first_zone not in owners or second_zone not in owners:
            continue
        first_owner, second_owner = owners[first_zone], owners[second_zone]
        neck = _find_neck(placement, areas[first_zone].outline, areas[second_zone].outline, (first_zone, second_zone))
        if neck is None:
            continue
        shapes = [swamps[zone].outline for zone in dict.fromkeys((first_owner, second_owner))]
        outline = _round_corners(placement, shapely.union_all([*shapes, neck]), (*shapes, neck))
        members = [zone for zone, owner in owners.items() if owner in (first_owner, second_owner)]
        outline = largest_polygon(
            outline.intersection(shapely.union_all([placement.sites[zone].box for zone in members]))
        )
        kept_zone, gone_zone = min(first_owner, second_owner), max(first_owner, second_owner)
        origins = [swamps[zone].origin for zone in dict.fromkeys((kept_zone, gone_zone))]
        swamps[kept_zone] = replace(
            swamps[kept_zone],
            outline=outline,
            origin=replace(
                origins[0],
                throws=tuple(sorted({throw for source in origins for throw in source.throws})),
                clauses=tuple(dict.fromkeys((*origins[0].clauses, "AC-N33"))),
            ),
        )
        if gone_zone != kept_zone:
            del swamps[gone_zone]
        owners = {zone: kept_zone if owner == gone_zone else owner for zone, owner in owners.items()}
    return swamps


def _find_neck(placement: ZonePlacement, first: Polygon, second: Polygon, zones: tuple[int, int]) -> Polygon | None:
    """Return the neck in mm that joins two swamps across the shared side; None if other pieces block it.

    ``zones`` are the two neighbouring zones. Hills are ignored if they leave no route. All is in mm on the board.
    ``first`` and ``second`` are the outlines of the swamps, in the order of ``zones``.
    """
    nearest = LineString(shapely.shortest_line(first, second))
    routes = (
        nearest,
        LineString([first.centroid, second.centroid]),
        *_routes_across_side(placement, first, second, zones),
    )
    firm = [
        placed_piece.outline.buffer(2.0) for placed_piece in placement.placed if placed_piece.piece not in ALL_HILLS
    ]
    hills = [placed_piece.outline.buffer(2.0) for placed_piece in placement.find_pieces(ALL_HILLS)]
    # If hills leave no route, ignore them; they move away later.
    grounds = [shapely.union_all([*closed, placement.water]) for closed in ([*firm, *hills], firm)]
    for obstacles in grounds:
        shapely.prepare(obstacles)
        for cut in (False, True):
            neck = _neck_along_routes(placement, routes, obstacles, first, second, zones, cut=cut)
            if neck is not None:
                return neck
    for obstacles in grounds:
        detours = _route_around(placement, obstacles, first, second, zones)
        if (neck := _neck_along_routes(placement, detours, obstacles, first, second, zones, cut=False)) is not None:
            return neck
    return None


def _route_around(
    placement: ZonePlacement, obstacles: BaseGeometry, first: Polygon, second: Polygon, zones: tuple[int, int]
) -> list[LineString]:
    """Return the shortest route in mm between two swamps that leaves room for a neck, or no route.

    It stays in both zones and off the obstacles, which are in mm too.
    """
    unit = min(placement.sites[zone].unit for zone in zones)
    half = (placement.rules.number("swamp_neck") + 0.01) * unit / 2 + _CORNER
    both = shapely.union_all([placement.sites[zone].box for zone in zones]).envelope
    ground = RoutingGround(
        free_area=both.buffer(-half, join_style="mitre"), closed=obstacles, half_width=half, step=_ROUTE_STEP * unit
    )
    barrier = obstacles.buffer(half)
    ends = [largest_polygon(swamp.difference(barrier)).representative_point() for swamp in (first, second)]
    if any(end.is_empty for end in ends):
        return []
    start, goal = ((end.x, end.y) for end in ends)
    path = CostField(ground, start).path(goal)
    return [LineString(path)] if path else []


def _neck_along_routes(
    placement: ZonePlacement,
    routes: Sequence[LineString],
    obstacles: BaseGeometry,
    first: Polygon,
    second: Polygon,
    zones: tuple[int, int],
    *,
    cut: bool,
) -> Polygon | None:
    """Return a neck in mm along the first free route, or None.

    Args:
        routes: lines in mm from the first swamp to the second, best first.
        obstacles: the obstacles in mm.
        cut: cut the obstacles out of the neck if the rest is wide enough.
        first: the outline of the first swamp, in mm.
        second: the outline of the second swamp, in mm.
        zones: the zones of both swamps.
    """
    unit = min(placement.sites[zone].unit for zone in zones)
    for middle_line in routes:
        start, end = (Point(middle_line.coords[index]) for index in (0, -1))
        inner = [_inner_point(swamp, point, unit) for swamp, point in ((first, start), (second, end))]
        route = LineString([inner[0], *middle_line.coords, inner[1]])
        for neck in (
            _wavy_neck(placement, route, unit, zones),
            route.buffer((placement.rules.number("swamp_neck") + 0.01) * unit / 2, quad_segs=8),
        ):
            if not obstacles.intersects(neck):
                return neck
            if cut and _is_wide_enough(
                placement, cut_neck := largest_polygon(neck.difference(obstacles)), first, second, zones
            ):
                return cut_neck
    return None


def _is_wide_enough(
    placement: ZonePlacement, neck: Polygon, first: Polygon, second: Polygon, zones: tuple[int, int]
) -> bool:
    """Return whether two swamps and their neck (in mm) are wide enough everywhere, from swamp to swamp."""
    least = placement.rules.number("swamp_neck") * min(placement.sites[zone].unit for zone in zones)
    joined_area = shapely.union_all([first, second, neck]).buffer(-least / 2)
    ends = [first, second, *(placement.sites[zone].box for zone in zones)]
    return any(all(part.intersection(end).area > least for end in ends) for part in shapely.get_parts(joined_area))


def _routes_across_side(
    placement: ZonePlacement, first: Polygon, second: Polygon, zones: tuple[int, int]
) -> Iterator[LineString]:
    """Yield routes in mm between two swamps across the shared side.

    Each is a line of three points, with its middle point on the side. The shortest come first, then routes from middle
    to middle.
    """
    side = placement.sites[zones[0]].side(placement.laying.grid.side_between(*zones))
    shares = [_FIRST + (1 - 2 * _FIRST) * number / (_ROUTE_COUNT - 1) for number in range(_ROUTE_COUNT)]
    points = [side.interpolate(share, normalized=True) for share in shares]
    points.sort(key=lambda point: point.distance(first) + point.distance(second))
    for point in points:
        ends = [Point(shapely.shortest_line(swamp, point).coords[0]) for swamp in (first, second)]
        yield LineString([ends[0], point, ends[1]])
    for point in points:
        yield LineString([first.centroid, point, second.centroid])


def _wavy_neck(placement: ZonePlacement, route: LineString, unit: float, zones: tuple[int, int]) -> Polygon:
    """Return a neck in mm with irregular sides, at least the minimum width everywhere.

    ``zones`` name its random stream.

    Args:
        route: the middle line of the neck, in mm.
        unit: the shorter side of a zone, in mm.
    """
    random_stream = placement.stream(f"z{zones[0]}", f"neck/{zones[1]}")
    count = max(2, round(route.length / (_POOLS * unit)))
    discs = [
        route.interpolate(index / count, normalized=True).buffer(random_stream.between(*_NECK) * unit / 2, quad_segs=12)
        for index in range(count + 1)
    ]
    least = route.buffer((placement.rules.number("swamp_neck") + 0.01) * unit / 2, quad_segs=8)
    return largest_polygon(shapely.union_all([least, *discs]))


def _inner_point(swamp: Polygon, point: Point, unit: float) -> Point:
    """Return a point in mm inside a swamp, behind a point of its edge.

    ``unit`` is the shorter side of a zone in mm.
    """
    middle = swamp.centroid
    far = point.distance(middle) or 1.0
    share = min(1.0, 0.12 * unit / far)
    return Point(point.x + share * (middle.x - point.x), point.y + share * (middle.y - point.y))


def _round_corners(placement: ZonePlacement, joined_area: BaseGeometry, parts: Sequence[Polygon]) -> Polygon:
    """Return the outline of joined swamps in mm, with rounded corners where the necks begin.

    ``parts`` are the outlines of the swamps and of the neck; the result contains all of them.
    """
    radius = _SOFT * placement.unit
    closed = joined_area.buffer(radius, quad_segs=8).buffer(-radius, quad_segs=8)
    obstacles = shapely.union_all(
        [placed_piece.outline.buffer(1.0) for placed_piece in placement.placed] + [placement.water]
    )
    smoothed = largest_polygon(shapely.union_all([closed.difference(obstacles), *parts]))
    return Polygon(smoothed.exterior) if not obstacles.intersects(Polygon(smoothed.exterior)) else smoothed
