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
from printkit.core import elementary
from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.make_room import ALL_HILLS
from printkit.systems.acw.ground.placement import INSET, TRIES, ZonePlacement, origin
from printkit.systems.acw.terms.pieces import PLACES, ROADS, STREAMS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Course
from printkit.terrain.geometry.measure import line_bearing
from printkit.terrain.geometry.routing import resample_line, smooth_curve

_OFF_FIELD: Final = 1.6  # gap in mm between a work and a field that it follows
_OFF_ROAD: Final = 3.5  # gap in mm between a work and a road that it follows
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


def lay_work(placement: ZonePlacement, result: RollResult) -> None:
    """Place a wall, fence or ditch (AC-F15..AC-F17)."""
    assert result.piece is not None
    site, measure = placement.sites[result.zone], placement.measure(result.piece)
    stream = placement.stream(result.id, "line")
    low, high = max(measure.least, 0.8), min(measure.most, 1.2)
    length = (measure.long or 0.0) * site.unit * stream.between(min(low, high), max(low, high))
    least, most = ((measure.long or 0.0) * site.unit * factor for factor in (measure.least, measure.most))
    wanted = list(_wanted(placement, result, length, stream))
    anywhere = list(_free(placement, result, length, least, stream))
    ends = _ditch_ends(placement, result.zone, most) if result.piece is Piece.DITCH else []
    # Water beyond the table edge is some distance away from the area for placement.
    shore = placement.shore(result.zone) if ends else LineString()
    wet = shapely.union_all([*_waters(placement, result.zone), shore])
    reach = placement.rules.number("ditch_reach") * site.unit
    if ends or (result.piece is Piece.WALL and any(placement.in_zone(result.zone, (Piece.FIELD,)))):
        anywhere = []
    for lines, barred in _rounds(placement, result, wanted, anywhere):
        for line in lines:
            free = _longest(line.intersection(site.room).difference(barred))
            if free is None or any(free.boundary.distance(end) > _AT_END * site.unit for end in ends):
                continue
            if not shore.is_empty and free.distance(wet) > reach:
                continue
            if max(least, _SMALL * length) - 1e-6 <= free.length <= most + 1e-6:
                _put(placement, result, free, (measure.width or 0.0) * placement.unit)
                return
    where = (
        Sentence("along fields and roads, then in the open") if anywhere else Sentence("along the fields of its zone")
    )
    if result.piece is Piece.DITCH:
        where = Sentence("from field, road or swamp to the water of its zone") if ends else Sentence("in the open")
    placement.leave_out(result, where)


def _rounds(
    placement: ZonePlacement, result: RollResult, wanted: list[LineString], anywhere: list[LineString]
) -> Iterator[tuple[list[LineString], BaseGeometry]]:
    """Yield lines with their obstacles, best first; only ``wanted`` lines may be near a railroad."""
    open_ground, passable = (_barred(placement, result, strictly=strictly) for strictly in (True, False))
    yield wanted, open_ground
    yield wanted, passable
    yield wanted, _barred(placement, result, strictly=False, off_rail=_AT_RAIL)
    yield anywhere, open_ground
    yield anywhere, passable


def lay_ravines(placement: ZonePlacement) -> None:
    """Place ravines along the stream of their zone or freely; neighbouring ones meet at the side."""
    for result in placement.results(Piece.RAVINE):
        site, measure = placement.sites[result.zone], placement.measure(Piece.RAVINE)
        stream = placement.stream(result.id, "line")
        length = (measure.long or 0.0) * site.unit * stream.between(0.9, 1.1)
        line = _in_stream(placement, result, length) or _winding(placement, result, length, measure.least, stream)
        if line is None:
            placement.leave_out(result)
            continue
        _put(placement, result, line, (measure.short or 0.0) * site.unit)


def _put(placement: ZonePlacement, result: RollResult, line: LineString, width: float) -> None:
    assert result.piece is not None
    measure = placement.measure(result.piece)
    placement.works.append(
        Course(
            id=result.id,
            kind=measure.kind,
            line=line,
            width=width,
            going=measure.going,
            origin=origin(result.zone, (result,), (measure.clause,)),
        )
    )


def _barred(
    placement: ZonePlacement, result: RollResult, *, strictly: bool, off_rail: float = _OFF_RAIL
) -> BaseGeometry:
    """Return the obstacles of a wall, fence or ditch; gentle hills and trees only if ``strictly``."""
    zone = result.zone
    site = placement.sites[zone]
    near = site.box.buffer(1.0)
    grounds = [
        placed.outline.buffer(-1.0 if placed.piece is Piece.FIELD else _OFF_REST)
        for placed in placement.placed
        if placed.outline.intersects(near) and (strictly or placed.piece not in _PASSABLE)
    ]
    works = [work.line.buffer(_OFF_WORKS) for work in placement.works]
    rails = placement.ribbons((Piece.RAILROAD,), gap=off_rail * site.unit, zone=zone)
    ways = shapely.union_all([placement.ribbons(ROADS, gap=_OFF_WAYS, zone=zone), rails])
    waters = placement.ribbons(STREAMS, gap=0.5, zone=zone)
    return shapely.union_all([*grounds, *works, ways, waters, placement.water])


def _wanted(placement: ZonePlacement, result: RollResult, length: float, stream: Stream) -> Iterator[LineString]:
    """Yield lines along the fields and roads of the zone, or ditch lines; best first."""
    assert result.piece is not None
    zone = result.zone
    fields = [one.outline for one in placement.in_zone(zone, (Piece.FIELD,))]
    if result.piece is Piece.DITCH:
        yield from _ditches(placement, zone, length, stream)
        return
    more = sum(other.piece in _ALONG_FIELDS for other in placement.laying.log.lying(zone)) > len(fields)
    along = [other.id for other in placement.laying.log.lying(zone) if other.piece in _ALONG_FIELDS]
    if fields and len(along) > _TO_A_FIELD * len(fields):
        yield from _shared(placement, result, length, fields, len(along) - along.index(result.id))
    # If a wall and a fence share a field, each leaves two sides to the other.
    most = 1 if more else 2 if result.piece is Piece.WALL else 3
    rest: list[LineString] = []
    for field in fields:
        ring = field.buffer(_OFF_FIELD, join_style="mitre").exterior
        corners = [ring.project(Point(at)) for at in ring.coords[:-1]]
        for start in sorted(corners, key=lambda _at: stream.draw_unit()):
            whole = _along_ring(ring, start, ring.length)
            spots = [whole.project(Point(at)) for at in whole.coords[1:-1]]
            far = min(length, *spots[most : most + 1], ring.length)
            # After a full round the last corner may be reported as the first one, at distance 0.
            if far > _OFF_FIELD:
                yield substring(whole, 0.0, far)
            else:
                rest.append(substring(whole, 0.0, min(length, ring.length)))
    bends = placement.rules.whole(_BENDS[result.piece])
    for leg in placement.legs:
        if leg.zone == zone and leg.piece in ROADS:
            near = _OFF_ROAD + placement.width(leg) / 2
            left = 1.0 if stream.draw_unit() < 0.5 else -1.0
            # Straight pieces cut the bends of a road, so try some a little farther away.
            offs = [near + farther * placement.sites[zone].unit for farther in _FARTHER]
            for off, share, side in product(offs, (1.0, _SMALL), (left, -left)):
                yield from _stretches(leg.line.offset_curve(side * off), share * length, bends, stream)
    yield from rest


def _shared(
    placement: ZonePlacement, result: RollResult, length: float, fields: list[Polygon], left: int
) -> Iterator[LineString]:
    """Yield lines around fields that many works share, short enough to leave room for ``left`` works."""
    room = placement.sites[result.zone].room.difference(_barred(placement, result, strictly=False))
    rims = [field.buffer(_OFF_FIELD, join_style="mitre").exterior.intersection(room) for field in fields]
    parts = [part for rim in rims for part in shapely.get_parts(shapely.line_merge(rim))]
    free = [part for part in parts if isinstance(part, LineString) and part.length > _BETWEEN]
    share = max(0.0, plain_sum(part.length for part in free) / left - _BETWEEN)
    for part in sorted(free, key=lambda part: -part.length):
        spots = [part.project(Point(at)) for at in part.coords[1:-1]]
        yield substring(part, 0.0, min(length, share, *spots[_CORNERS : _CORNERS + 1], part.length))


def _along_ring(ring: LineString, start: float, length: float) -> LineString:
    """Return the part of a closed line from a start distance on, with its corners."""
    twice = LineString([*ring.coords, *ring.coords[1:]])
    return substring(twice, start, start + length)


def _stretches(line: BaseGeometry, length: float, pieces: int, stream: Stream) -> Iterator[LineString]:
    """Yield parts of a line, each simplified to a few straight pieces."""
    for part in shapely.get_parts(line):
        if not isinstance(part, LineString) or part.length < _SMALL * length:
            continue
        whole = min(length, part.length)
        for _ in range(_STARTS):
            start = stream.between(0.0, part.length - whole)
            spots = [part.interpolate(start + share * whole) for share in np.linspace(0, 1, pieces + 1)]
            yield LineString(spots)


def _ditches(placement: ZonePlacement, zone: int, length: float, stream: Stream) -> Iterator[LineString]:
    """Yield ditches from a field, road or swamp to the water of the zone, or in any direction (AC-F17)."""
    measure, site = placement.measure(Piece.DITCH), placement.sites[zone]
    least, most = ((measure.long or 0.0) * site.unit * factor for factor in (measure.least, measure.most))
    ends = _ditch_ends(placement, zone, most)
    if not ends:
        return
    starts = [part for part in shapely.get_parts(ends[0]) if isinstance(part, LineString)]
    for attempt in range(4 * TRIES):
        start = starts[stream.draw_index(len(starts))].interpolate(stream.draw_unit(), normalized=True)
        if len(ends) > 1:
            lowest = shapely.get_parts(ends[1])
            part = lowest[stream.draw_index(len(lowest))]
            spot = part if attempt % 2 else part.interpolate(stream.draw_unit(), normalized=True)
            foot = Point(shapely.shortest_line(start, spot).coords[-1])
        else:
            whole, bearing = length if attempt < TRIES else 1.1 * least, stream.between(0, math.tau)
            foot = Point(start.x + whole * math.cos(bearing), start.y + whole * math.sin(bearing))
        if least <= start.distance(foot) <= most:
            yield _bent(start, foot, stream)
    # If the start is too near to the water, make a detour.
    left, low, right, high = site.room.bounds
    for _ in range(4 * TRIES if len(ends) > 1 else 0):
        knee = Point(stream.between(left, right), stream.between(low, high))
        start, foot = (Point(shapely.shortest_line(knee, end).coords[-1]) for end in ends)
        line = LineString([start, knee, foot])
        if least <= line.length <= most and start.distance(foot) > _SMALL * line.length:
            yield line


def _ditch_ends(placement: ZonePlacement, zone: int, most: float) -> list[BaseGeometry]:
    """Return the lines where a ditch may start (fields, roads, swamps) and end (water), if any.

    There is no start if all of them are farther than ``most`` from the water.
    """
    site, lowest = placement.sites[zone], _lowest(placement, zone)
    found: list[BaseGeometry] = [leg.line for leg in placement.legs if leg.zone == zone and leg.piece in ROADS]
    found += [one.outline.exterior for one in placement.of((Piece.FIELD, Piece.SWAMP))]
    heads = shapely.union_all(found).intersection(site.room)
    # A ditch that reaches a swamp need not reach the water in it.
    swamps = [one.outline.buffer(_AT_END * site.unit) for one in placement.of((Piece.SWAMP,))]
    lowest = dry if not (dry := lowest.difference(shapely.union_all(swamps))).is_empty else lowest
    if not lowest.is_empty and not heads.is_empty and heads.distance(lowest) > most:
        heads = LineString()
    return [shapely.line_merge(one) if one.geom_type == "MultiLineString" else one for one in (heads, lowest)
            if one.length > 0.0]  # fmt: skip


def _lowest(placement: ZonePlacement, zone: int) -> BaseGeometry:
    """Return the stream, pool and shore of a zone as ends of its ditches."""
    site, shore = placement.sites[zone], placement.shore(zone)
    if not shore.is_empty and not shore.intersects(site.room):
        # Water beyond the table begins at the edge. A ditch towards it ends at the border of the area for placement.
        shore = site.room.exterior.intersection(shore.buffer(_TO_EDGE * site.unit, cap_style="flat"))
    return shapely.union_all([*_waters(placement, zone), shore]).intersection(site.room)


def _waters(placement: ZonePlacement, zone: int) -> list[BaseGeometry]:
    """Return the streams of a zone and the rims of its pools."""
    streams = [leg.line for leg in placement.legs if leg.zone == zone and leg.piece in STREAMS]
    return [*streams, *(one.outline.exterior for one in placement.in_zone(zone, (Piece.POOL,)))]


def _bent(start: Point, foot: Point, stream: Stream) -> LineString:
    """Return a line in two straight pieces."""
    far = start.distance(foot)
    bend = stream.between(-0.12, 0.12) * far
    across = ((foot.y - start.y) / far, -(foot.x - start.x) / far)
    share = stream.between(0.35, 0.65)
    knee = (
        start.x + share * (foot.x - start.x) + bend * across[0],
        start.y + share * (foot.y - start.y) + bend * across[1],
    )
    return LineString([start, knee, foot])


def _free(
    placement: ZonePlacement, result: RollResult, length: float, least: float, stream: Stream
) -> Iterator[LineString]:
    """Yield lines of a few straight pieces anywhere in the zone; the later ones have the minimum length."""
    assert result.piece is not None
    site = placement.sites[result.zone]
    left, low, right, high = site.room.bounds
    for attempt in range(TRIES):
        whole = length if attempt < TRIES // 2 else max(least, _SMALL * length) * 1.02
        pieces = 1 + stream.draw_index(placement.rules.whole(_BENDS[result.piece]))
        bearing = stream.between(0, math.tau)
        points = [(stream.between(left, right), stream.between(low, high))]
        for _ in range(pieces):
            x, y = points[-1]
            points.append((x + whole / pieces * math.cos(bearing), y + whole / pieces * math.sin(bearing)))
            bearing += stream.between(-_TURN, _TURN)
        yield LineString(points)


def _longest(shape: BaseGeometry) -> LineString | None:
    merged = shapely.line_merge(shape) if shape.geom_type == "MultiLineString" else shape
    parts = [part for part in shapely.get_parts(merged) if isinstance(part, LineString) and part.length > 1.0]
    return max(parts, key=lambda part: part.length, default=None)


def _in_stream(placement: ZonePlacement, result: RollResult, length: float) -> LineString | None:
    """Return the part of the stream of the zone that runs in the ravine, or None."""
    lines = [leg.line for leg in placement.legs if leg.zone == result.zone and leg.piece in STREAMS]
    line = max(lines, key=lambda one: one.length, default=None)
    measure = placement.measure(Piece.RAVINE)
    if line is None or line.length < (measure.long or 0.0) * measure.least * placement.sites[result.zone].unit:
        return None
    whole = min(length, line.length)
    joint = _meeting(placement, result)
    middle = line.project(joint) if joint is not None else line.length / 2
    start = min(max(0.0, middle - whole / 2), line.length - whole)
    return substring(line, start, start + whole)


def _meeting(placement: ZonePlacement, result: RollResult) -> Point | None:
    """Return the shared point where a ravine meets one of a neighbouring zone (AC-F20), or None."""
    grid, log = placement.laying.grid, placement.laying.log
    for side, other in grid.neighbours(result.zone):
        if log.has(other, Piece.RAVINE):
            first, last = sorted((result.zone, other))
            share = placement.stream(f"z{first}", f"ravine/{last}").between(0.35, 0.65)
            return placement.sites[result.zone].side(side).interpolate(share, normalized=True)
    return None


def _winding(
    placement: ZonePlacement, result: RollResult, length: float, least: float, stream: Stream
) -> LineString | None:
    """Return a winding ravine on free ground, starting at its meeting point with another ravine, if any."""
    site = placement.sites[result.zone]
    pieces = (*ALL_HILLS, *PLACES, Piece.POOL, Piece.SWAMP)
    grounds = _outlines(placement, pieces, site.box)
    bars = shapely.union_all([*grounds, placement.water]).buffer(0.05 * site.unit)
    meets = _meeting(placement, result)
    left, low, right, high = site.room.bounds
    reach = site.box if meets is not None else site.room
    stub = None if meets is not None else _stub(placement, result.zone)
    if stub is not None:
        meets = Point(stub.coords[-1])
        reach, length = site.box, max(0.0, length - stub.length)
    for attempt in range(TRIES):
        whole = length * (1.0 if attempt < TRIES // 2 else least)
        start = meets or Point(stream.between(left, right), stream.between(low, high))
        bearing = stream.between(0, math.tau)
        if stub is not None:
            bearing = math.radians(line_bearing(stub, stub.length, 8.0) + stream.between(-45.0, 45.0))
        at = np.linspace(0.0, 1.0, 7)
        wave = (
            _WINDS
            * site.unit
            * elementary.sin(math.tau * at * 1.3 + stream.between(0, math.tau))
            * np.minimum(at * 4, 1)
        )
        x = start.x + at * whole * math.cos(bearing) - wave * math.sin(bearing)
        y = start.y + at * whole * math.sin(bearing) + wave * math.cos(bearing)
        line = LineString(resample_line(smooth_curve(np.column_stack([x, y])), 3.0))
        if reach.contains(Polygon(line.buffer(1.0).exterior) if meets is None else line) and not bars.intersects(line):
            return line if stub is None else LineString([*stub.coords[:-1], *line.coords])
    return None


def _stub(placement: ZonePlacement, zone: int) -> LineString | None:
    """Return the short stream of a zone from its joint inwards, which a ravine continues; or None."""
    for leg in placement.legs:
        if leg.zone == zone and leg.piece in STREAMS:
            return leg.line if leg.starts is not None else LineString(leg.line.coords[::-1])
    return None


def _outlines(placement: ZonePlacement, pieces: Iterable[Piece], near: Polygon) -> list[Polygon]:
    return [placed.outline for placed in placement.of(tuple(pieces)) if placed.outline.intersects(near)]
