"""Place walls, fences and ditches by fields, roads and swamps; ravines (AC-F15..AC-F17, AC-F20)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.placement import INSET, TRIES, ZonePlacement, build_origin
from printkit.systems.acw.terms.pieces import ALL_HILLS, PLACES, ROADS, STREAMS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Course
from printkit.terrain.geometry.measure import line_bearing
from printkit.terrain.geometry.routing import resample_line, smooth_curve

_FIELD_GAP_MM: Final = 1.6  # gap in mm between a work and a field that it follows
_ROAD_GAP_MM: Final = 3.5  # gap in mm between a work and a road that it follows
# Gaps in mm between a work and other roads, other works, and all other pieces.
_OFF_WAYS, _OFF_WORKS, _OFF_REST = 1.5, 3.0, 4.0

# Gaps from a railroad, as fractions of the unit: the normal one, and the one if there is no other room.
_OFF_RAIL, _AT_RAIL = 0.05, 0.012

_BENDS: Final = {Piece.WALL: "wall_pieces", Piece.FENCE_LINE: "fence_pieces", Piece.DITCH: "ditch_pieces"}
_TURN: Final = math.radians(24.0)
_SMALL: Final = 0.6
# Maximum distance of the ends of a ditch from its start and its water, as a fraction of the unit (AC-F17).
_AT_END: Final = 0.05

_TO_EDGE: Final = 1.01 * INSET
_ALONG_FIELDS: Final = (Piece.WALL, Piece.FENCE_LINE)
_STARTS: Final = 6
# Number of works with separate sides of one field. If more works share the field: maximum number of corners of each,
# and the gap between two of them in mm.
_TO_A_FIELD, _CORNERS, _BETWEEN = 2, 2, 4.0

_FARTHER: Final = (0.0, 0.012, 0.024)
_PASSABLE: Final = (Piece.RISE, Piece.HILL, *TREES, Piece.SCRUB)
_WINDS: Final = 0.06


def place_work(placement: ZonePlacement, result: RollResult) -> None:
    """Place a wall, fence or ditch along fields and roads, otherwise in the open (AC-F15..AC-F17).

    The course is added to ``placement.works``; one without room goes to ``placement.left_out``.
    """
    assert result.piece is not None
    zone_ground, measure = placement.sites[result.zone], placement.measure(result.piece)
    stream = placement.stream(result.id, "line")
    low, high = max(measure.least, 0.8), min(measure.most, 1.2)
    length = (measure.long or 0.0) * zone_ground.unit * stream.between(min(low, high), max(low, high))
    least, most = ((measure.long or 0.0) * zone_ground.unit * factor for factor in (measure.least, measure.most))
    preferred_lines = list(_preferred_lines(placement, result, length, stream))
    free_lines = list(_free_lines(placement, result, length, least, stream))
    ends = _ditch_ends(placement, result.zone, most) if result.piece is Piece.DITCH else []
    # Water beyond the table edge is some distance away from the area for placement.
    shore = placement.shore(result.zone) if ends else LineString()
    wet = shapely.union_all([*_waters(placement, result.zone), shore])
    reach = placement.rules.number("ditch_reach") * zone_ground.unit
    if ends or (result.piece is Piece.WALL and any(placement.in_zone(result.zone, (Piece.FIELD,)))):
        free_lines = []
    for lines, obstacles in _line_rounds(placement, result, preferred_lines, free_lines):
        for line in lines:
            free = _longest_line(line.intersection(zone_ground.room).difference(obstacles))
            if free is None or any(free.boundary.distance(end) > _AT_END * zone_ground.unit for end in ends):
                continue
            if not shore.is_empty and free.distance(wet) > reach:
                continue
            if max(least, _SMALL * length) - 1e-6 <= free.length <= most + 1e-6:
                _add_work(placement, result, free, (measure.width or 0.0) * placement.unit)
                return
    position = (
        Sentence("along fields and roads, then in the open") if free_lines else Sentence("along the fields of its zone")
    )
    if result.piece is Piece.DITCH:
        position = Sentence("from field, road or swamp to the water of its zone") if ends else Sentence("in the open")
    placement.leave_out(result, position)


def _line_rounds(
    placement: ZonePlacement, result: RollResult, preferred_lines: list[LineString], free_lines: list[LineString]
) -> Iterator[tuple[list[LineString], BaseGeometry]]:
    """Yield lines with their obstacles, both in mm on the board, best first.

    Only ``preferred_lines`` may be near a railroad.
    """
    open_ground, passable = (_collect_obstacles(placement, result, strictly=strictly) for strictly in (True, False))
    yield preferred_lines, open_ground
    yield preferred_lines, passable
    yield preferred_lines, _collect_obstacles(placement, result, strictly=False, off_rail=_AT_RAIL)
    yield free_lines, open_ground
    yield free_lines, passable


def place_ravines(placement: ZonePlacement) -> None:
    """Place ravines along the stream of their zone or freely (AC-F20).

    Ravines of neighbouring zones meet at the shared side. They are added to ``placement.works``; one without room goes
    to ``placement.left_out``.
    """
    for result in placement.find_results(Piece.RAVINE):
        zone_ground, measure = placement.sites[result.zone], placement.measure(Piece.RAVINE)
        stream = placement.stream(result.id, "line")
        length = (measure.long or 0.0) * zone_ground.unit * stream.between(0.9, 1.1)
        line = _stream_part(placement, result, length) or _winding_line(
            placement, result, length, measure.least, stream
        )
        if line is None:
            placement.leave_out(result)
            continue
        _add_work(placement, result, line, (measure.short or 0.0) * zone_ground.unit)


def _add_work(placement: ZonePlacement, result: RollResult, line: LineString, width: float) -> None:
    """Add a wall, fence, ditch or ravine along a line; line and width are in mm on the board.

    The course is added to ``placement.works`` with the ID of the roll.
    """
    assert result.piece is not None
    measure = placement.measure(result.piece)
    placement.works.append(
        Course(
            id=result.id,
            kind=measure.kind,
            line=line,
            width=width,
            going=measure.going,
            origin=build_origin(result.zone, (result,), (measure.clause,)),
        )
    )


def _collect_obstacles(
    placement: ZonePlacement, result: RollResult, *, strictly: bool, off_rail: float = _OFF_RAIL
) -> BaseGeometry:
    """Return the obstacles of a wall, fence or ditch; gentle hills and trees only if ``strictly``.

    They are in mm on the board. ``off_rail`` is the gap to a railroad, as a fraction of the shorter side of the zone.
    """
    zone = result.zone
    zone_ground = placement.sites[zone]
    near = zone_ground.box.buffer(1.0)
    grounds = [
        placed_piece.outline.buffer(-1.0 if placed_piece.piece is Piece.FIELD else _OFF_REST)
        for placed_piece in placement.placed
        if placed_piece.outline.intersects(near) and (strictly or placed_piece.piece not in _PASSABLE)
    ]
    works = [work.line.buffer(_OFF_WORKS) for work in placement.works]
    rails = placement.ribbons((Piece.RAILROAD,), gap=off_rail * zone_ground.unit, zone=zone)
    roads = shapely.union_all([placement.ribbons(ROADS, gap=_OFF_WAYS, zone=zone), rails])
    waters = placement.ribbons(STREAMS, gap=0.5, zone=zone)
    return shapely.union_all([*grounds, *works, roads, waters, placement.water])


def _preferred_lines(
    placement: ZonePlacement, result: RollResult, length: float, stream: Stream
) -> Iterator[LineString]:
    """Yield lines in mm along the fields and roads of the zone, or ditch lines; best first.

    ``length`` is the length of the work in mm on the board; lines can be shorter.
    """
    assert result.piece is not None
    zone = result.zone
    fields = [placed_piece.outline for placed_piece in placement.in_zone(zone, (Piece.FIELD,))]
    if result.piece is Piece.DITCH:
        yield from _ditch_lines(placement, zone, length, stream)
        return
    has_more = sum(zone_result.piece in _ALONG_FIELDS for zone_result in placement.laying.log.placed_rolls(zone)) > len(
        fields
    )
    work_ids = [
        zone_result.id for zone_result in placement.laying.log.placed_rolls(zone) if zone_result.piece in _ALONG_FIELDS
    ]
    if fields and len(work_ids) > _TO_A_FIELD * len(fields):
        yield from _shared_lines(placement, result, length, fields, len(work_ids) - work_ids.index(result.id))
    # If a wall and a fence share a field, each leaves two sides to the other.
    most = 1 if has_more else 2 if result.piece is Piece.WALL else 3
    rest_lines: list[LineString] = []
    for field in fields:
        ring = field.buffer(_FIELD_GAP_MM, join_style="mitre").exterior
        corners = [ring.project(Point(corner)) for corner in ring.coords[:-1]]
        two_rounds = LineString([*ring.coords, *ring.coords[1:]])
        for start in sorted(corners, key=lambda _corner: stream.draw_unit()):
            ring_line = substring(two_rounds, start, start + ring.length)
            corner_distances = [ring_line.project(Point(corner)) for corner in ring_line.coords[1:-1]]
            far = min(length, *corner_distances[most : most + 1], ring.length)
            # After a full round the last corner may be reported as the first one, at distance 0.
            if far > _FIELD_GAP_MM:
                yield substring(ring_line, 0.0, far)
            else:
                rest_lines.append(substring(ring_line, 0.0, min(length, ring.length)))
    bends = placement.rules.whole(_BENDS[result.piece])
    for leg in placement.legs:
        if leg.zone == zone and leg.piece in ROADS:
            near = _ROAD_GAP_MM + placement.width(leg) / 2
            left = 1.0 if stream.draw_unit() < 0.5 else -1.0
            # Straight pieces cut the bends of a road, so try some a little farther away.
            offsets = [near + farther * placement.sites[zone].unit for farther in _FARTHER]
            for offset, share, side in product(offsets, (1.0, _SMALL), (left, -left)):
                yield from _straight_parts(leg.line.offset_curve(side * offset), share * length, bends, stream)
    yield from rest_lines


def _shared_lines(
    placement: ZonePlacement, result: RollResult, length: float, fields: list[Polygon], work_count: int
) -> Iterator[LineString]:
    """Yield lines in mm on the board around fields that many works share.

    Args:
        length: the largest length of a line, in mm.
        fields: the outlines of the fields, in mm.
        work_count: the number of works that still need room; each line leaves room for the others.
    """
    free_area = placement.sites[result.zone].room.difference(_collect_obstacles(placement, result, strictly=False))
    rims = [field.buffer(_FIELD_GAP_MM, join_style="mitre").exterior.intersection(free_area) for field in fields]
    parts = [part for rim in rims for part in shapely.get_parts(shapely.line_merge(rim))]
    free = [part for part in parts if isinstance(part, LineString) and part.length > _BETWEEN]
    share = max(0.0, plain_sum(part.length for part in free) / work_count - _BETWEEN)
    for part in sorted(free, key=lambda part: -part.length):
        corner_distances = [part.project(Point(corner)) for corner in part.coords[1:-1]]
        yield substring(part, 0.0, min(length, share, *corner_distances[_CORNERS : _CORNERS + 1], part.length))


def _straight_parts(line: BaseGeometry, length: float, pieces: int, stream: Stream) -> Iterator[LineString]:
    """Yield parts of a line in mm on the board, each simplified to a few straight pieces.

    Each part of the line gives several random starts.

    Args:
        line: one or more lines in mm; short ones give no parts.
        length: the largest length of a part, in mm.
        pieces: the number of straight pieces.
        stream: the random stream of the starts.
    """
    for part in shapely.get_parts(line):
        if not isinstance(part, LineString) or part.length < _SMALL * length:
            continue
        part_length = min(length, part.length)
        for _ in range(_STARTS):
            start = stream.between(0.0, part.length - part_length)
            points = [part.interpolate(start + share * part_length) for share in np.linspace(0, 1, pieces + 1)]
            yield LineString(points)


def _ditch_lines(placement: ZonePlacement, zone: int, length: float, stream: Stream) -> Iterator[LineString]:
    """Yield ditches in mm on the board from a field, road or swamp to the water of the zone (AC-F17).

    If the zone has only one of these, they go in any direction, ``length`` mm long. Without both, yield nothing.
    """
    measure, zone_ground = placement.measure(Piece.DITCH), placement.sites[zone]
    least, most = ((measure.long or 0.0) * zone_ground.unit * factor for factor in (measure.least, measure.most))
    ends = _ditch_ends(placement, zone, most)
    if not ends:
        return
    starts = [part for part in shapely.get_parts(ends[0]) if isinstance(part, LineString)]
    for attempt in range(4 * TRIES):
        start = starts[stream.draw_index(len(starts))].interpolate(stream.draw_unit(), normalized=True)
        if len(ends) > 1:
            lowest = shapely.get_parts(ends[1])
            part = lowest[stream.draw_index(len(lowest))]
            foot_line = part if attempt % 2 else part.interpolate(stream.draw_unit(), normalized=True)
            foot = Point(shapely.shortest_line(start, foot_line).coords[-1])
        else:
            ditch_length, bearing = length if attempt < TRIES else 1.1 * least, stream.between(0, math.tau)
            foot = Point(start.x + ditch_length * math.cos(bearing), start.y + ditch_length * math.sin(bearing))
        if least <= start.distance(foot) <= most:
            yield _bent_line(start, foot, stream)
    # If the start is too near to the water, make a detour.
    left, low, right, high = zone_ground.room.bounds
    for _ in range(4 * TRIES if len(ends) > 1 else 0):
        knee = Point(stream.between(left, right), stream.between(low, high))
        start, foot = (Point(shapely.shortest_line(knee, end).coords[-1]) for end in ends)
        line = LineString([start, knee, foot])
        if least <= line.length <= most and start.distance(foot) > _SMALL * line.length:
            yield line


def _ditch_ends(placement: ZonePlacement, zone: int, longest: float) -> list[BaseGeometry]:
    """Return the lines where a ditch may start (fields, roads, swamps) and end (water), if any.

    They are in mm on the board. There is no start if all of them are farther than ``longest`` mm from the water.
    Without start or water the list is shorter.
    """
    zone_ground, lowest = placement.sites[zone], _lowest_ground(placement, zone)
    starts: list[BaseGeometry] = [leg.line for leg in placement.legs if leg.zone == zone and leg.piece in ROADS]
    starts += [item.outline.exterior for item in placement.find_pieces((Piece.FIELD, Piece.SWAMP))]
    heads = shapely.union_all(starts).intersection(zone_ground.room)
    # A ditch that reaches a swamp need not reach the water in it.
    swamps = [item.outline.buffer(_AT_END * zone_ground.unit) for item in placement.find_pieces((Piece.SWAMP,))]
    lowest = dry if not (dry := lowest.difference(shapely.union_all(swamps))).is_empty else lowest
    if not lowest.is_empty and not heads.is_empty and heads.distance(lowest) > longest:
        heads = LineString()
    return [shapely.line_merge(item) if item.geom_type == "MultiLineString" else item for item in (heads, lowest)
            if item.length > 0.0]  # fmt: skip


def _lowest_ground(placement: ZonePlacement, zone: int) -> BaseGeometry:
    """Return the lines of a zone's stream, pool and shore, where ditches may end; in mm on the board."""
    zone_ground, shore = placement.sites[zone], placement.shore(zone)
    if not shore.is_empty and not shore.intersects(zone_ground.room):
        # Water beyond the table begins at the edge. A ditch towards it ends at the border of the area for placement.
        shore = zone_ground.room.exterior.intersection(shore.buffer(_TO_EDGE * zone_ground.unit, cap_style="flat"))
    return shapely.union_all([*_waters(placement, zone), shore]).intersection(zone_ground.room)


def _waters(placement: ZonePlacement, zone: int) -> list[BaseGeometry]:
    """Return the streams of a zone and the rims of its pools, as lines in mm on the board.

    The streams are first.
    """
    streams = [leg.line for leg in placement.legs if leg.zone == zone and leg.piece in STREAMS]
    return [*streams, *(placed_piece.outline.exterior for placed_piece in placement.in_zone(zone, (Piece.POOL,)))]


def _bent_line(start: Point, foot: Point, stream: Stream) -> LineString:
    """Return a line of two straight pieces from ``start`` to ``foot``, in mm on the board.

    The bend is at 35 to 65 % of the way, up to 12 % of the length to either side.
    """
    far = start.distance(foot)
    bend = stream.between(-0.12, 0.12) * far
    normal = ((foot.y - start.y) / far, -(foot.x - start.x) / far)
    share = stream.between(0.35, 0.65)
    knee = (
        start.x + share * (foot.x - start.x) + bend * normal[0],
        start.y + share * (foot.y - start.y) + bend * normal[1],
    )
    return LineString([start, knee, foot])


def _free_lines(
    placement: ZonePlacement, result: RollResult, length: float, least_length: float, stream: Stream
) -> Iterator[LineString]:
    """Yield ``TRIES`` random lines in mm of a few straight pieces; they start anywhere in the zone and may leave it.

    The first half has the length ``length``, the others are a little above the minimum, both in mm on the board.
    """
    assert result.piece is not None
    zone_ground = placement.sites[result.zone]
    left, low, right, high = zone_ground.room.bounds
    for attempt in range(TRIES):
        total_length = length if attempt < TRIES // 2 else max(least_length, _SMALL * length) * 1.02
        pieces = 1 + stream.draw_index(placement.rules.whole(_BENDS[result.piece]))
        bearing = stream.between(0, math.tau)
        points = [(stream.between(left, right), stream.between(low, high))]
        for _ in range(pieces):
            x, y = points[-1]
            points.append(
                (x + total_length / pieces * math.cos(bearing), y + total_length / pieces * math.sin(bearing))
            )
            bearing += stream.between(-_TURN, _TURN)
        yield LineString(points)


def _longest_line(shape: BaseGeometry) -> LineString | None:
    """Return the longest part of lines in mm on the board, or None if all are 1 mm or shorter."""
    merged = shapely.line_merge(shape) if shape.geom_type == "MultiLineString" else shape
    parts = [part for part in shapely.get_parts(merged) if isinstance(part, LineString) and part.length > 1.0]
    return max(parts, key=lambda part: part.length, default=None)


def _stream_part(placement: ZonePlacement, result: RollResult, length: float) -> LineString | None:
    """Return the part of the stream of the zone that runs in the ravine, in mm on the board; or None.

    It has ``length`` mm or less. Return None if the zone has no stream, or one that is too short.
    """
    lines = [leg.line for leg in placement.legs if leg.zone == result.zone and leg.piece in STREAMS]
    line = max(lines, key=lambda stream_line: stream_line.length, default=None)
    measure = placement.measure(Piece.RAVINE)
    if line is None or line.length < (measure.long or 0.0) * measure.least * placement.sites[result.zone].unit:
        return None
    part_length = min(length, line.length)
    joint = _meeting_point(placement, result)
    middle = line.project(joint) if joint is not None else line.length / 2
    start = min(max(0.0, middle - part_length / 2), line.length - part_length)
    return substring(line, start, start + part_length)


def _meeting_point(placement: ZonePlacement, result: RollResult) -> Point | None:
    """Return the point (mm on the board) where a ravine meets one of the next zone (AC-F20).

    The point is on the shared side, and the same for both zones. None if no next zone has a ravine.
    """
    grid, log = placement.laying.grid, placement.laying.log
    for side, neighbour in grid.neighbours(result.zone):
        if log.has(neighbour, Piece.RAVINE):
            first, last = sorted((result.zone, neighbour))
            share = placement.stream(f"z{first}", f"ravine/{last}").between(0.35, 0.65)
            return placement.sites[result.zone].side(side).interpolate(share, normalized=True)
    return None


def _winding_line(
    placement: ZonePlacement, result: RollResult, length: float, least_factor: float, stream: Stream
) -> LineString | None:
    """Return the line of a winding ravine on free ground, in mm on the board; None without room.

    It starts at its meeting point with another ravine, if any, or continues a short stream.

    Args:
        length: its length in mm.
        least_factor: the smallest factor of the length.
    """
    zone_ground = placement.sites[result.zone]
    pieces = (*ALL_HILLS, *PLACES, Piece.POOL, Piece.SWAMP)
    grounds = _outlines(placement, pieces, zone_ground.box)
    bars = shapely.union_all([*grounds, placement.water]).buffer(0.05 * zone_ground.unit)
    meets = _meeting_point(placement, result)
    left, low, right, high = zone_ground.room.bounds
    reach = zone_ground.box if meets is not None else zone_ground.room
    stub = None if meets is not None else _stream_stub(placement, result.zone)
    if stub is not None:
        meets = Point(stub.coords[-1])
        reach, length = zone_ground.box, max(0.0, length - stub.length)
    for attempt in range(TRIES):
        total_length = length * (1.0 if attempt < TRIES // 2 else least_factor)
        start = meets or Point(stream.between(left, right), stream.between(low, high))
        bearing = stream.between(0, math.tau)
        if stub is not None:
            bearing = math.radians(line_bearing(stub, stub.length, 8.0) + stream.between(-45.0, 45.0))
        shares = np.linspace(0.0, 1.0, 7)
        wave = (
            _WINDS
            * zone_ground.unit
            * exact_math.sin(math.tau * shares * 1.3 + stream.between(0, math.tau))
            * np.minimum(shares * 4, 1)
        )
        x = start.x + shares * total_length * math.cos(bearing) - wave * math.sin(bearing)
        y = start.y + shares * total_length * math.sin(bearing) + wave * math.cos(bearing)
        line = LineString(resample_line(smooth_curve(np.column_stack([x, y])), 3.0))
        if reach.contains(Polygon(line.buffer(1.0).exterior) if meets is None else line) and not bars.intersects(line):
            return line if stub is None else LineString([*stub.coords[:-1], *line.coords])
    return None


def _stream_stub(placement: ZonePlacement, zone: int) -> LineString | None:
    """Return the short stream of a zone that a ravine continues, in mm on the board.

    The line begins at its joint with the next zone. None if the zone has no stream.
    """
    for leg in placement.legs:
        if leg.zone == zone and leg.piece in STREAMS:
            return leg.line if leg.starts is not None else LineString(leg.line.coords[::-1])
    return None


def _outlines(placement: ZonePlacement, pieces: Iterable[Piece], near: Polygon) -> list[Polygon]:
    """Return the outlines of the placed pieces that meet the area ``near``, in mm on the board.

    They are in the order of placement.
    """
    return [
        placed_piece.outline
        for placed_piece in placement.find_pieces(tuple(pieces))
        if placed_piece.outline.intersects(near)
    ]
