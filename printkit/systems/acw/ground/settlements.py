"""Place settlements, forts, farms and buildings on or near roads (AC-F32 to AC-F36)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core.errors import Sentence
from printkit.systems.acw.ground.areas import add_area, build_request
from printkit.systems.acw.ground.make_room import (
    PiecePose,
    PlacementRequest,
    PoseSampler,
    aligned_poses,
    clear_forest,
    count_parts,
    nearby_poses,
    place_first,
    place_outline,
    requests_without_pieces,
    uniform_poses,
    win_ground,
)
from printkit.systems.acw.ground.placement import JOINT, PlacedGround, ZonePlacement
from printkit.systems.acw.ground.zone_crossings import CREEK, ROAD, STREAM, Joints
from printkit.systems.acw.network.network import To
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult

# --- Settlements, towns and forts on their roads (AC-F32, AC-F35, AC-F36, AC-N16) -------------------------------------

_DRY: Final = 0.012  # gap between a place and a swamp that gave up ground to it, as a fraction of the unit
_WADE: Final = 0.078  # half the minimum width of such a swamp, as a fraction of the unit (AC-N33)
_LEFT: Final = 0.6  # share of the swamp that must remain
_SHORTEST: Final = 10.0  # minimum length in mm of a road that ends in a place
_ATTEMPTS: Final = 5  # number of searches in swamps


def place_campaign(placement: ZonePlacement, joints: Joints) -> None:
    """Place the towns and forts of the campaign on the expected roads, before other pieces (AC-302).

    They are added to ``placement.placed``. They have priority, so that they are placed even where the best position is
    off the roads.
    """
    for result in placement.find_results(*CAMPAIGN_PLACES):
        zone_ground, stream = placement.sites[result.zone], placement.stream(result.id, "place")
        roads, streams = (
            shapely.union_all([line for course in courses for line in joints.straight_lines(course, result.zone)])
            for courses in ((ROAD,), (STREAM, CREEK))
        )

        def score_nearness(shape: Polygon, roads: BaseGeometry = roads) -> float:
            """Return minus the mm on the board from a shape's middle to the expected roads; 0 without roads."""
            return 0.0 if roads.is_empty else -float(roads.distance(shape.centroid))

        def score_on_road(shape: Polygon, roads: BaseGeometry = roads) -> float:
            """Return ``score_nearness`` of a shape in mm on the board; minus infinity off the expected roads."""
            return -math.inf if not roads.is_empty and not shape.intersects(roads) else score_nearness(shape)

        request = build_request(placement, result, draw_pose=aligned_poses(zone_ground.room, roads))
        joint_areas = shapely.MultiPoint(placement.joints).buffer(JOINT * zone_ground.unit, quad_segs=4)
        # Never cover edge water. Cover the railroad, which cannot turn, before a stream.
        grounds = [
            shapely.union_all([closed, joint_areas, *stream_areas])
            for stream_areas in ((streams.buffer(JOINT * zone_ground.unit),), ())
            for closed in (request.closed, placement.water)
        ]
        requests = [
            replace(request, closed=ground, score=score)
            for score in (score_on_road, score_nearness)
            for ground in grounds
        ]
        outlines = (place_outline(attempt, stream) for attempt in (*requests, replace(request, closed=placement.water)))
        add_area(
            placement,
            result,
            next((outline for outline in outlines if outline is not None), None),
            extra_clause="AC-302",
        )


def place_settlement(placement: ZonePlacement, result: RollResult) -> None:
    """Place a settlement so that the road of its zone passes through it (AC-N16).

    It is added to ``placement.placed``, or to ``placement.left_out`` without room. Swamps and forests can lose ground.
    """
    zone_ground, stream = placement.sites[result.zone], placement.stream(result.id, "place")
    anchor = placement.anchors.get((result.zone, To.PLACE))
    roads = placement.lines(ROADS, result.zone)
    has_roads = not roads.is_empty
    samplers = [] if anchor is None else [nearby_poses(anchor, 0.05 * zone_ground.unit)]
    samplers.append(uniform_poses(zone_ground.room))
    if has_roads:
        on_roads = [
            _poses_on_lines(roads, anchor, 0.03 * zone_ground.unit),
            _poses_on_lines(roads, None, 0.06 * zone_ground.unit),
        ]
        samplers = [*on_roads, *samplers]

    def build_requests(samplers: Sequence[PoseSampler] = samplers[:2]) -> list[PlacementRequest]:
        """Return the requests to place it by some functions that draw poses; most road inside is best."""
        request = build_request(placement, result, score=lambda shape: float(shape.intersection(roads).length))
        return [replace(request, draw_pose=draw_pose) for draw_pose in samplers]

    requests = build_requests(samplers)
    least = placement.measure(Piece.SETTLEMENT).least
    smallest = [replace(request, factors=(least, least)) for request in requests[:2]] if has_roads else []
    settlement = place_first((*requests, *smallest), stream)
    if settlement is None and has_roads:
        settlement = _drain_swamp(placement, result, build_requests, stream)
    if settlement is None:
        settlement = clear_forest(placement, result.zone, build_requests, stream)
    extra_clause = "AC-N16" if settlement is not None and has_roads else ""
    position = Sentence("on the road of its zone") if has_roads else None
    add_area(placement, result, settlement, extra_clause=extra_clause, position=position)
    if settlement is not None and anchor is not None:
        _end_road_in_place(placement, result.zone, settlement)


def _end_road_in_place(placement: ZonePlacement, zone: int, place_area: Polygon) -> None:
    """Shorten the road that ends in a place, so that it stops just inside its outline (in mm on the board).

    It replaces the leg in ``placement.legs``. A road that crosses the place or ends on another road does not change.
    """
    for number, leg in enumerate(placement.legs):
        is_loose = leg.zone == zone and leg.piece in ROADS and leg.ends is None and leg.meets is None
        if is_loose and leg.line.intersects(place_area) and not place_area.contains(Point(leg.line.coords[-1])):
            inner = shapely.get_coordinates(leg.line.intersection(place_area))
            distances = sorted(leg.line.project(shapely.points(inner)))
            if distances[-1] > _SHORTEST:
                placement.legs[number] = replace(leg, line=substring(leg.line, 0.0, (distances[0] + distances[-1]) / 2))


def _drain_swamp(
    placement: ZonePlacement, result: RollResult, build_requests: Callable[[], list[PlacementRequest]], stream: Stream
) -> Polygon | None:
    """Return the outline in mm of a place that takes ground from a swamp; None if that would split it.

    ``build_requests`` returns the requests to try; it is called while swamps are off the table.
    """
    unit = placement.sites[result.zone].unit
    streams = placement.lines(STREAMS)

    def is_intact(swamp: PlacedGround, remainder: Polygon) -> bool:
        """Return whether a swamp's rest (mm on the board) is one wet part, joined as before and large enough."""
        is_whole = count_parts(remainder, _WADE * unit) <= count_parts(swamp.outline, _WADE * unit)
        is_wet = remainder.intersects(streams) or not swamp.outline.intersects(streams)
        is_joined = _joined_zones(placement, swamp.outline) <= _joined_zones(placement, remainder)
        return is_whole and is_wet and is_joined and remainder.area > _LEFT * swamp.outline.area

    swamps = (Piece.SWAMP,)
    requests = requests_without_pieces(placement, swamps, build_requests)
    return win_ground(placement, swamps, requests * _ATTEMPTS, stream, gap=_DRY * unit, is_intact=is_intact)


def _joined_zones(placement: ZonePlacement, swamp: Polygon) -> set[tuple[int, int]]:
    """Return pairs of zones that a swamp (mm on the board) joins, wide enough everywhere (AC-N33)."""
    sites = [zone_ground for zone_ground in placement.sites.values() if zone_ground.box.intersects(swamp)]
    neck = placement.rules.number("swamp_neck") * min((zone_ground.unit for zone_ground in sites), default=0.0)
    bodies = shapely.get_parts(swamp.buffer(-neck / 2))
    body_zones = [
        [zone_ground.zone for zone_ground in sites if body.intersection(zone_ground.box).area > neck] for body in bodies
    ]
    return {pair for zones in body_zones for pair in combinations(zones, 2)}


def _poses_on_lines(lines: BaseGeometry, anchor: Point | None, spread: float) -> PoseSampler:
    """Return a function that draws x, y (mm) and a rotation (degrees) on lines, near the anchor if any.

    ``spread`` is the standard deviation of x and y, in mm on the board.
    """
    parts = list(shapely.get_parts(lines))

    def draw_pose(stream: Stream, _factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: on a random line."""
        part = parts[stream.draw_index(len(parts))]
        point = part.interpolate(stream.between(0.15, 0.85), normalized=True)
        if anchor is not None:
            point = part.interpolate(part.project(anchor) - abs(stream.draw_normal(2 * spread)))
        return point.x + stream.draw_normal(spread), point.y + stream.draw_normal(spread), stream.between(0.0, 360.0)

    return draw_pose


_ROAD_GAP: Final = 0.012
_PLAY: Final = 3.0
# Maximum distance between a farm and its road if there is no room next to the road, as a fraction of the unit.
AWAY: Final = 0.09

_SKEW: Final = 5.0  # maximum deviation of a farm near its road from the axes of the table, in degrees
_MIDDLES: Final = 8  # number of tries for its middle on open ground

# Spread of the positions of a farm around the end of its side road, as fractions of the unit.
_ENDS_NEAR: Final = (0.08, 0.14)
# Maximum distance between a farm and that end, as a fraction of the unit.
_REACHED: Final = 0.06

# Margin in mm of the distance of a farm from its road, which changes a little later.
_ROAD_MARGIN: Final = 2.0

_ENDS: Final = 0.12  # share of a road at each end without positions next to it


def place_buildings(placement: ZonePlacement) -> None:
    """Place settlements, then farms, then single buildings.

    They are added to ``placement.placed``; those without room go to ``placement.left_out``.
    """
    for result in placement.find_results(Piece.SETTLEMENT):
        place_settlement(placement, result)
    for result in placement.find_results(Piece.FARM):
        _place_farm(placement, result)
    for result in placement.find_results(Piece.BUILDING):
        _place_building(placement, result)


def poses_along_courses(placement: ZonePlacement, zone: int) -> PoseSampler:
    """Return a function that draws x, y (mm on the board) and degrees, parallel to the nearest course.

    Courses are the roads, railroads and streams of the zone; positions are in its area for placement.
    """
    return aligned_poses(placement.sites[zone].room, placement.lines((*ROADS, Piece.RAILROAD, *STREAMS), zone))


class _RoadSide:
    """The ground at the roads of a zone, for one farm or building (AC-F33, AC-N16)."""

    def __init__(self, placement: ZonePlacement, result: RollResult) -> None:
        self.placement, self.result, self.unit = placement, result, placement.unit
        legs = [leg for leg in placement.legs if leg.zone == result.zone and leg.piece in ROADS]
        self.lines = [(leg.line, placement.width(leg) / 2) for leg in legs]
        self.roads: BaseGeometry = shapely.union_all([line for line, _ in self.lines])
        self.anchor = placement.anchors.get((result.zone, To.FARM))
        homes = placement.in_zone(result.zone, (Piece.FARM, Piece.BUILDING))
        # A side road without a farm goes to the first house of its zone.
        self.is_road_end = self.anchor is not None and not any(
            home.outline.distance(self.anchor) < _REACHED * self.unit for home in homes
        )

    def request(self, limit: float) -> PlacementRequest:
        """Return the request for a position within ``limit`` mm on the board of the roads, parallel to a course."""
        request = build_request(
            self.placement, self.result, draw_pose=poses_along_courses(self.placement, self.result.zone)
        )
        return replace(request, accepts=lambda shape: not self.lines or bool(shape.distance(self.roads) <= limit))

    def requests(self, limit: float) -> Iterator[PlacementRequest]:
        """Yield the requests for positions at the roads, from the best to the worst.

        ``limit`` is the greatest distance from the roads, in mm on the board.
        """
        request = self.request(limit)
        if self.anchor is not None and self.is_road_end:
            yield from _requests_at_end(request, self.anchor, self.unit)
        if self.lines:
            gap = _ROAD_GAP * self.unit
            beside = poses_along_lines(self.lines, request.base_outline, gap, self.anchor)
            yield replace(request, draw_pose=beside)
            yield self.request_beside(limit)
        if self.lines and limit < math.inf:
            yield from _requests_near_road(self.by_distance(request), self.roads, limit)

    def request_beside(self, limit: float) -> PlacementRequest:
        """Return the request for a position next to a road, or a little farther from it, within ``limit`` mm."""
        request = self.request(limit)
        if not self.lines:
            return request
        gap, play = _ROAD_GAP * self.unit, AWAY * self.unit
        return replace(request, draw_pose=poses_along_lines(self.lines, request.base_outline, gap, play=play))

    def by_distance(self, request: PlacementRequest) -> PlacementRequest:
        """Return a request that prefers positions near the roads, if there are any."""
        return replace(request, score=lambda shape: -float(shape.distance(self.roads))) if self.lines else request

    def clear_forest(self, limit: float, stream: Stream) -> Polygon | None:
        """Return the outline of a position within ``limit`` mm where a forest gives up ground; None without room."""
        return clear_forest(self.placement, self.result.zone, lambda: [self.request_beside(limit)], stream)


def _place_farm(placement: ZonePlacement, result: RollResult) -> None:
    """Place a farm next to the road of its zone, if there is one (AC-F33, AC-N16).

    It is added to ``placement.placed``, or to ``placement.left_out`` without room. A forest can lose ground for it.
    """
    road_side, stream = _RoadSide(placement, result), placement.stream(result.id, "place")
    if not road_side.lines:
        outline = place_outline(road_side.request(math.inf), stream) or road_side.clear_forest(math.inf, stream)
        add_area(placement, result, outline)
        return
    # A road that ends at this farm must come nearer to it than a road that passes it (AC-N10).
    number = placement.rules.number("end_reach" if road_side.is_road_end else "farm_road")
    limit = number * placement.unit - _ROAD_MARGIN
    outline = place_first(road_side.requests(limit), stream) or road_side.clear_forest(limit, stream)
    add_area(placement, result, outline, extra_clause="AC-N16", position=Sentence("beside the road of its zone"))


def _place_building(placement: ZonePlacement, result: RollResult) -> None:
    """Place a building next to the road of its zone, otherwise next to a farm or field, otherwise anywhere.

    It is added to ``placement.placed``, or to ``placement.left_out`` without room. A forest can lose ground for it.
    """
    road_side, stream = _RoadSide(placement, result), placement.stream(result.id, "place")
    outline = place_first(road_side.requests(math.inf), stream)
    extra_clause = "AC-N16" if outline is not None else ""
    request = road_side.request(math.inf)
    grounds = [ground.outline for ground in placement.in_zone(result.zone, (Piece.FARM, Piece.FIELD))]
    if outline is None and grounds:
        draw_pose = poses_along_sides(grounds, request.base_outline, 0.02 * placement.unit)
        outline = place_outline(replace(request, draw_pose=draw_pose), stream)
    outline = outline or place_outline(road_side.by_distance(request), stream)
    outline = outline or road_side.clear_forest(math.inf, stream)
    add_area(placement, result, outline, extra_clause=extra_clause)


def _requests_at_end(request: PlacementRequest, anchor: Point, unit: float) -> list[PlacementRequest]:
    """Return the requests to place a farm near the end of its side road (AC-N04).

    ``anchor`` is the end of the road. ``unit`` is the shorter side of a zone in mm on the board.
    """

    def score(shape: Polygon) -> float:
        """Return minus the distance of a shape from the end of the road (mm on the board); minus infinity if far."""
        distance = float(shape.distance(anchor))
        return -distance if distance < _REACHED * unit else -math.inf

    return [replace(request, draw_pose=nearby_poses(anchor, spread * unit), score=score) for spread in _ENDS_NEAR]


def _requests_near_road(request: PlacementRequest, roads: BaseGeometry, far: float) -> Iterator[PlacementRequest]:
    """Yield the request to place a farm on open ground near its road, but not parallel to it, if there is any.

    ``roads`` are lines, and ``far`` is the greatest distance of the farm from them, both in mm on the board.
    """
    left, low, right, high = request.base_outline.bounds
    half = request.factors[0] * (high - low) / 2
    open_ground = request.search_area.buffer(-half, join_style="mitre").difference(
        request.closed.buffer(half, quad_segs=4)
    )
    near = open_ground.intersection(roads.buffer(far + request.factors[0] * (right - left) / 2))
    if near.is_empty:
        return
    middles = shapely.get_parts(near)
    shapely.prepare(middles)

    def draw_pose(stream: Stream, _factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: on open ground near the road."""
        ground = middles[stream.draw_index(len(middles))]
        west, south, east, north = ground.bounds
        for _ in range(_MIDDLES):
            x, y = stream.between(west, east), stream.between(south, north)
            if shapely.contains_xy(ground, x, y):
                break
        return x, y, 90.0 * stream.draw_index(4) + stream.between(-_SKEW, _SKEW)

    yield replace(request, draw_pose=draw_pose)


def poses_along_lines(
    lines: list[tuple[LineString, float]],
    base_outline: Polygon,
    gap: float,
    anchor: Point | None = None,
    play: float = _PLAY,
) -> PoseSampler:
    """Return a function that draws x, y (mm) and a rotation (degrees) next to lines and parallel to them.

    ``lines`` has lines with half widths. ``gap`` separates them from the piece, plus up to ``play``. If a line reaches
    ``anchor``, positions on it are near that point. All lengths are in mm on the board.
    """
    depth = base_outline.bounds[3] - base_outline.bounds[1]

    def draw_pose(stream: Stream, factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: next to a random line."""
        line, half = lines[stream.draw_index(len(lines))]
        ends = _ENDS if play == _PLAY else 0.0
        distance = stream.between(ends, 1 - ends) * line.length
        if anchor is not None and line.distance(anchor) < 5.0:
            distance = min(max(line.project(anchor) + stream.draw_normal(12.0), 8.0), line.length - 4.0)
        before, after = line.interpolate(max(0, distance - 20)), line.interpolate(min(line.length, distance + 20))
        bearing = math.atan2(after.y - before.y, after.x - before.x)
        side = 1.0 if stream.draw_unit() < 0.5 else -1.0
        offset = half + gap + factor * depth / 2 + stream.between(0.3, play)
        point = line.interpolate(distance)
        turn = math.degrees(bearing) + stream.between(-3, 3) + (180.0 if stream.draw_unit() < 0.5 else 0.0)
        return point.x - side * offset * math.sin(bearing), point.y + side * offset * math.cos(bearing), turn

    return draw_pose


def poses_along_sides(grounds: list[Polygon], base_outline: Polygon, gap: float, play: float = _PLAY) -> PoseSampler:
    """Return a function that draws x, y (mm) and a rotation (degrees) next to the sides of areas.

    The piece is parallel to the side. ``gap`` separates them, plus up to ``play``. All lengths are in mm on the board.
    ``grounds`` are the areas. ``base_outline`` is the piece around the origin, with its height across the side.
    """
    sides = [side for ground in grounds for side in ground_sides(ground)]
    depth = base_outline.bounds[3] - base_outline.bounds[1]

    def draw_pose(stream: Stream, factor: float) -> PiecePose:
        """Return x and y in mm on the board and a rotation in degrees: next to a random side."""
        side = sides[stream.draw_index(len(sides))]
        point = side.interpolate(stream.between(0.1, 0.9), normalized=True)
        (x, y), (end_x, end_y) = side.coords
        bearing = math.atan2(end_y - y, end_x - x)
        offset = gap + factor * depth / 2 + stream.between(0.3, play)
        return point.x + offset * math.sin(bearing), point.y - offset * math.cos(bearing), math.degrees(bearing)

    return draw_pose


def ground_sides(ground: Polygon) -> list[LineString]:
    """Return the straight sides of an area, in mm on the board; the area is on the left of each.

    An area of seven or more corners is replaced by the smallest rectangle around it.
    """
    outer_ring = ground.exterior if len(ground.exterior.coords) < 8 else ground.minimum_rotated_rectangle.exterior
    ring = shapely.geometry.polygon.orient(Polygon(outer_ring)).exterior.coords
    return [LineString([ring[index], ring[index + 1]]) for index in range(len(ring) - 1)]
