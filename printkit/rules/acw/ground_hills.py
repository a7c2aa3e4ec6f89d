"""Hills: their outlines, upper contours, steep sides, cliffs and scree (AC-F01..AC-F08)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.rules.acw.ground_placing import ALL_HILLS, Wish, anywhere, place, taken
from printkit.rules.acw.ground_shapes import outline, tongue
from printkit.rules.acw.ground_table import Placed, Site, Table, origin
from printkit.rules.acw.pieces import HILLS, Piece
from printkit.rules.acw.plan import Result, Side
from printkit.terrain.features import Face, Hill, Kind
from printkit.terrain.outlines import inner_contour
from printkit.terrain.wavering import largest

STEEP: Final = (Piece.STEEP_HILL, Piece.STEEP_HILL_CLIFF)
_CLIFFS: Final = (Piece.HILL_CLIFF, Piece.STEEP_HILL_CLIFF)

_UPPER: Final = (0.30, 0.50)
_UPPER_INSET: Final = 0.045
_CLIFF_ARC: Final = (0.26, 0.39)
_SECTOR: Final = math.radians(45.0)
_CORRIDOR: Final = 0.05
_JOINT: Final = 0.09
_BESIDE_WAYS: Final = 0.05
_REACH: Final = 0.34
"""How far from a zone's side a hill beyond it may lie for a spur to run on to it, as a part of the unit."""

_NECK: Final = 0.8


def lay_hills(table: Table) -> None:
    """Lay all hills: steep ones first, for nothing may pass them, spurs last, for they grow out of others."""
    results = list(table.results(*ALL_HILLS))
    order = sorted(results, key=lambda result: _rank(result.piece))
    for result in order:
        assert result.piece is not None
        found = _spur(table, result) if result.piece is Piece.SPUR else _free(table, result)
        if found is None:
            table.note(result)
            continue
        table.placed.append(Placed(piece=result.piece, zone=result.zone, feature=_hill(table, result, found)))
    _faced(table)


def _rank(piece: Piece | None) -> int:
    order = (Piece.LONG_HILL, *STEEP)
    if piece is Piece.SPUR:
        return len(order) + 1
    return order.index(piece) if piece in order else len(order)


def _free(table: Table, result: Result) -> Polygon | None:
    """Return the outline of a hill that stands by itself."""
    assert result.piece is not None
    site, measure = table.sites[result.zone], table.measure(result.piece)
    stream = table.stream(result.id, "outline")
    drawn = outline(result.piece, (measure.long or 0) * site.unit, (measure.short or 0) * site.unit, stream)
    ridge = result.piece is Piece.LONG_HILL
    closed, last = taken(table, site, result.piece)
    corridor = _kept_free(table, site, steep=result.piece in STEEP)
    wish = Wish(
        drawn=drawn,
        factors=(measure.least, measure.most),
        room=site.box if ridge else site.room,
        closed=shapely.union_all([closed, corridor]),
        last=last,
        spot=anywhere(site.room),
        score=_liking(table, site, result),
    )
    straight = shapely.union_all(table.straights[site.zone]).buffer(_BESIDE_WAYS * site.unit, quad_segs=4)
    grounds = [shapely.union_all([wish.closed, straight]), wish.closed]
    if result.piece not in STEEP:
        # A gentle hill may lie on the way of a railroad, which passes it through a cutting.
        grounds.append(closed)
    return next(
        (found for ground in grounds if (found := place(replace(wish, closed=ground), stream)) is not None), None
    )


def _kept_free(table: Table, site: Site, *, steep: bool) -> BaseGeometry:
    """Return where hills would bar the courses: about joints, and along railroads, which cannot go around."""
    spots = [point.buffer(_JOINT * site.unit, quad_segs=4) for point in table.joints]
    room = (_CORRIDOR if steep else _CORRIDOR / 2) * site.unit
    lines = [line.buffer(room, quad_segs=4) for line in table.rails.get(site.zone, ())]
    return shapely.union_all([*spots, *lines])


def _liking(table: Table, site: Site, result: Result) -> Callable[[Polygon], float]:
    """Return how well a hill likes a place: off the straight ways between joints, near spurs that grow out of it."""
    bars = shapely.union_all(table.straights[site.zone])
    log, grid = table.laying.log, table.laying.grid
    pulls = [
        site.side(side)
        for side, other in grid.neighbours(result.zone)
        if log.has(other, Piece.SPUR) or (result.piece is Piece.LONG_HILL and log.has(other, Piece.LONG_HILL))
    ]
    pull = shapely.union_all(pulls)

    def score(shape: Polygon) -> float:
        barred = shape.intersection(bars).length if not bars.is_empty else 0.0
        near = shape.distance(pull) if not pull.is_empty else 0.0
        return -barred - near

    return score


def _spur(table: Table, result: Result) -> Polygon | None:
    """Return a tongue that grows out of a hill next door, else out of the table's edge, else out of its own hill."""
    site, measure = table.sites[result.zone], table.measure(Piece.SPUR)
    stream = table.stream(result.id, "outline")
    drawn = tongue((measure.long or 0) * site.unit, (measure.short or 0) * site.unit, stream)
    closed, _ = taken(table, site, Piece.SPUR)
    joints = shapely.union_all([point.buffer(_JOINT * site.unit, quad_segs=4) for point in table.joints])
    blocked = shapely.union_all([closed, joints, *(line.buffer(8.0) for line in table.rails.get(site.zone, ()))])
    for side in _bases(table, result.zone):
        found = _from_side(table, site, side, drawn, blocked, stream)
        if found is not None:
            return found
    for own in table.in_zone(result.zone, HILLS):
        others = [placed.outline for placed in table.placed if placed is not own]
        off = shapely.union_all([*others, joints, table.water])
        found = _from_hill(site, own.outline, drawn, off, stream)
        if found is not None:
            return found
    return None


def _bases(table: Table, zone: int) -> Iterator[Side]:
    """Yield the sides on which a spur may have its base, the best first (AC-F05)."""
    grid, log = table.laying.grid, table.laying.log
    water = table.laying.water
    yield from (side for side, other in grid.neighbours(zone) if log.has(other, *HILLS))
    yield from (side for side in grid.edges(zone) if water is None or side is not water.edge)


def _from_side(
    table: Table, site: Site, side: Side, drawn: Polygon, blocked: BaseGeometry, stream: Stream
) -> Polygon | None:
    """Return a tongue with its base on a side of the zone; to a hill beyond it the ground runs on."""
    line = site.side(side)
    turn = {Side.WEST: 0.0, Side.SOUTH: 90.0, Side.EAST: 180.0, Side.NORTH: 270.0}[side]
    other = table.laying.grid.neighbour(site.zone, side)
    hills = [placed.outline for placed in table.in_zone(other, HILLS)] if other is not None else []
    near = min(hills, key=lambda hill: hill.distance(line), default=None)
    if other is not None and near is None:
        return None
    measure = table.measure(Piece.SPUR)
    for attempt in range(100):
        factor = stream.between(0.9, 1.1) if attempt < 60 else measure.least
        half = (measure.short or 0) * site.unit * factor / 2
        along = stream.between(half, max(half, line.length - half))
        if near is not None and attempt < 80:
            along = line.project(shapely.shortest_line(line, near).interpolate(0.0)) + stream.bell(0.05 * site.unit)
        along = min(max(along, half + 0.04 * site.unit), max(half, line.length - half - 0.04 * site.unit))
        base = line.interpolate(along)
        shape = affinity.rotate(affinity.scale(drawn, factor, factor, origin=(0, 0)), turn, origin=(0, 0))
        shape = largest(affinity.translate(shape, base.x, base.y).intersection(site.box))
        if not blocked.intersects(shape):
            return _run_on(site, shape, near, line)
    return None


def _run_on(site: Site, shape: Polygon, hill: Polygon | None, side: LineString) -> Polygon:
    """Return a tongue with a saddle to the hill that it grows out of, if that is near."""
    if hill is None or hill.distance(side) > _REACH * site.unit:
        return shape
    base = shape.intersection(side.buffer(0.5))
    foot = hill.intersection(base.centroid.buffer(hill.distance(base) + 0.5 * (hill.bounds[2] - hill.bounds[0])))
    if base.is_empty or foot.is_empty:
        return shape
    saddle = shapely.union(base, affinity.scale(foot, _NECK, _NECK)).convex_hull
    joined = largest(shapely.union_all([shape, saddle]).difference(hill))
    soft = 0.03 * site.unit
    calm = largest(joined.buffer(soft).buffer(-2 * soft).buffer(soft))
    return calm if calm.intersects(shape) and not calm.is_empty else shape


def _from_hill(site: Site, hill: Polygon, drawn: Polygon, blocked: BaseGeometry, stream: Stream) -> Polygon | None:
    """Return a tongue that grows out of a hill of its own zone, its base hidden in it."""
    for attempt in range(100):
        factor = 0.9 if attempt < 50 else 0.7
        at = hill.exterior.interpolate(stream.unit(), normalized=True)
        middle = hill.centroid
        bearing = math.degrees(math.atan2(at.y - middle.y, at.x - middle.x))
        start = middle.x + 0.7 * (at.x - middle.x), middle.y + 0.7 * (at.y - middle.y)
        shape = affinity.rotate(affinity.scale(drawn, factor, factor, origin=(0, 0)), bearing, origin=(0, 0))
        shape = affinity.translate(shape, *start)
        rest = largest(shape.difference(hill))
        if site.room.contains(rest) and not blocked.intersects(rest) and rest.area > 0.4 * shape.area:
            return rest
    return None


def _hill(table: Table, result: Result, shape: Polygon) -> Hill:
    """Return a hill without cliffs and scree, which hang on what lies about it."""
    assert result.piece is not None
    measure = table.measure(result.piece)
    stream, unit = table.stream(result.id, "contours"), table.sites[result.zone].unit
    contours: tuple[Polygon, ...] = (shape,)
    faces: tuple[Face, ...] = ()
    if result.piece in STEEP:
        contours = (shape, inner_contour(shape, stream, share=_UPPER, inset=_UPPER_INSET * unit))
        if result.piece is Piece.STEEP_HILL:
            whole = _counterclockwise(shape)
            faces = (Face(line=whole, kind=Kind.STEEP_SLOPE, going=measure.going, side=0),)
    return Hill(
        id=result.id,
        kind=measure.kind,
        contours=contours,
        going=measure.going,
        faces=faces,
        origin=origin(result.zone, (result,), (measure.clause,)),
    )


def _faced(table: Table) -> None:
    """Give hills their cliffs and scree, now that all hills lie (AC-F06..AC-F08)."""
    for number, placed in enumerate(table.placed):
        if placed.piece not in (*_CLIFFS, Piece.HILL_SCREE) or not isinstance(placed.feature, Hill):
            continue
        hill, stream = placed.feature, table.stream(placed.feature.id, "faces")
        if placed.piece is Piece.HILL_SCREE:
            line = _sector(hill.outline, stream.between(0, math.tau))
            found = [Face(line=line, kind=Kind.SCREE, going=table.going("scree"), side=0)]
        else:
            share = stream.between(*_CLIFF_ARC)
            cliff, rest = _arc(hill.outline, _dropping(table, placed, stream), share)
            found = [Face(line=cliff, kind=Kind.CLIFF, going=table.going("cliff"), side=0)]
            if placed.piece is Piece.STEEP_HILL_CLIFF:
                found.append(Face(line=rest, kind=Kind.STEEP_SLOPE, going=hill.going, side=1))
        feature = Hill(
            id=hill.id,
            kind=hill.kind,
            contours=hill.contours,
            going=hill.going,
            faces=tuple(found),
            origin=hill.origin,
        )
        table.placed[number] = Placed(piece=placed.piece, zone=placed.zone, feature=feature)


def _dropping(table: Table, placed: Placed, stream: Stream) -> float:
    """Return the bearing of a cliff in radians: to the water, else away from the nearest other hill (AC-F06)."""
    middle = placed.outline.centroid
    if not table.water.is_empty:
        foot = shapely.shortest_line(middle, table.water).coords[-1]
        return math.atan2(foot[1] - middle.y, foot[0] - middle.x)
    creek = table.laying.network.creek
    if creek is not None:
        spots = [Point(table.sites[zone].middle) for zone in creek.path]
        near = min(spots, key=middle.distance)
        if near.distance(middle) > 1e-6:
            return math.atan2(near.y - middle.y, near.x - middle.x)
    others = [other.outline.centroid for other in table.of(ALL_HILLS) if other is not placed]
    if not others:
        return stream.between(0, math.tau)
    other = min(others, key=middle.distance)
    return math.atan2(middle.y - other.y, middle.x - other.x)


def _counterclockwise(shape: Polygon) -> LineString:
    return LineString(shapely.geometry.polygon.orient(shape).exterior.coords)


def _arc(shape: Polygon, bearing: float, share: float) -> tuple[LineString, LineString]:
    """Return the part of an outline about a bearing, and the rest; the hill lies on the left of both."""
    ring = _counterclockwise(shape)
    middle = shape.centroid
    bounds = shape.bounds
    far = 2 * math.hypot(bounds[2] - bounds[0], bounds[3] - bounds[1])
    ray = LineString([middle, (middle.x + far * math.cos(bearing), middle.y + far * math.sin(bearing))])
    hit = shapely.get_coordinates(ring.intersection(ray))
    at = ring.project(Point(hit[0])) if len(hit) else 0.0
    half = share * ring.length / 2
    return _stretch(ring, at - half, at + half), _stretch(ring, at + half, at - half + ring.length)


def _sector(shape: Polygon, bearing: float) -> LineString:
    """Return the part of an outline that is seen from its middle within 45 degrees of a bearing (AC-F07)."""
    ring = _counterclockwise(shape)
    points = shapely.get_coordinates(ring)[:-1]
    middle = shape.centroid
    off = np.arctan2(points[:, 1] - middle.y, points[:, 0] - middle.x) - bearing
    within = np.abs(np.arctan2(np.sin(off), np.cos(off))) <= _SECTOR
    first = int(np.flatnonzero(within & ~np.roll(within, 1))[0])
    order = np.roll(np.arange(len(points)), -first)
    count = int(np.argmin(within[order])) or len(order)
    return LineString(points[order[:count]])


def _stretch(ring: LineString, start: float, stop: float) -> LineString:
    """Return a closed line from one distance on to another; both may lie beyond its ends."""
    whole = ring.length
    start, stop = start % whole, stop % whole
    if start < stop:
        return substring(ring, start, stop)
    tail, head = substring(ring, start, whole), substring(ring, 0.0, stop)
    return LineString([*tail.coords, *head.coords[1:]])
