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
from printkit.systems.acw.ground.make_room import ALL_HILLS, taken
from printkit.systems.acw.ground.placement import CLIFFS, JOINT, STEEP, PlacedGround, ZoneGround, ZonePlacement
from printkit.systems.acw.ground.shapes import tongue
from printkit.systems.acw.terms.pieces import HILLS, ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult, ZoneSide
from printkit.terrain.field.features import Hill, HillFace, Kind
from printkit.terrain.geometry.roughness import largest_polygon

# --- Faces of a hill: cliffs, aprons of scree, steep sides (AC-F06..AC-F08) -------------------------------------------

_CLIFF_ARC: Final = (0.26, 0.39)


def face_hills(placement: ZonePlacement) -> None:
    """Add cliffs and scree to hills, after all hills are placed (AC-F06..AC-F08)."""
    for number, placed in enumerate(placement.placed):
        if placed.piece not in (*CLIFFS, Piece.HILL_SCREE) or not isinstance(placed.feature, Hill):
            continue
        hill, stream = placed.feature, placement.stream(placed.feature.id, "faces")
        if placed.piece is Piece.HILL_SCREE:
            line = _sector(hill.outline, stream.between(0, math.tau), placement.rules.number("scree_sector"))
            found = [HillFace(line=line, kind=Kind.SCREE, going=placement.going("scree"), side=0)]
        else:
            share = stream.between(*_CLIFF_ARC)
            cliff, rest = _arc(hill.outline, _dropping(placement, placed, stream), share)
            found = [HillFace(line=cliff, kind=Kind.CLIFF, going=placement.going("cliff"), side=0)]
            if placed.piece is Piece.STEEP_HILL_CLIFF:
                found.append(HillFace(line=rest, kind=Kind.STEEP_SLOPE, going=hill.going, side=1))
        feature = Hill(
            id=hill.id,
            kind=hill.kind,
            contours=hill.contours,
            going=hill.going,
            faces=tuple(found),
            origin=hill.origin,
        )
        placement.placed[number] = PlacedGround(piece=placed.piece, zone=placed.zone, feature=feature)


def _dropping(placement: ZonePlacement, placed: PlacedGround, stream: Stream) -> float:
    """Return the bearing of a cliff in radians: towards water, or away from the nearest hill (AC-F06)."""
    middle = placed.outline.centroid
    if not placement.water.is_empty:
        foot = shapely.shortest_line(middle, placement.water).coords[-1]
        return math.atan2(foot[1] - middle.y, foot[0] - middle.x)
    creek = placement.creek
    if not creek.is_empty:
        foot = shapely.shortest_line(middle, creek).coords[-1]
        if middle.distance(creek) > 1e-6:
            return math.atan2(foot[1] - middle.y, foot[0] - middle.x)
    others = [other.outline.centroid for other in placement.of(ALL_HILLS) if other is not placed]
    if not others:
        return stream.between(0, math.tau)
    other = min(others, key=middle.distance)
    return math.atan2(middle.y - other.y, middle.x - other.x)


def counterclockwise(shape: Polygon) -> LineString:
    """Return an outline as a counterclockwise line, with the area on its left."""
    return LineString(shapely.geometry.polygon.orient(shape).exterior.coords)


def _arc(shape: Polygon, bearing: float, share: float) -> tuple[LineString, LineString]:
    """Return the part of an outline around a bearing, and the rest; the hill is on the left of both."""
    ring = counterclockwise(shape)
    at = _seen(ring, shape, bearing)
    half = share * ring.length / 2
    return _stretch(ring, at - half, at + half), _stretch(ring, at + half, at - half + ring.length)


def _sector(shape: Polygon, bearing: float, wide: float) -> LineString:
    """Return the part of an outline in a sector of ``wide`` degrees around a bearing (AC-F07)."""
    ring, half = counterclockwise(shape), math.radians(wide / 2)
    return _stretch(ring, *(_seen(ring, shape, bearing + by) for by in (-half, half)))


def _seen(ring: LineString, shape: Polygon, bearing: float) -> float:
    """Return the distance along an outline where a ray from the middle meets it, in mm."""
    middle, bounds = shape.centroid, shape.bounds
    far = 2 * math.hypot(bounds[2] - bounds[0], bounds[3] - bounds[1])
    ray = LineString([middle, (middle.x + far * math.cos(bearing), middle.y + far * math.sin(bearing))])
    hit = shapely.get_coordinates(ring.intersection(ray))
    return float(ring.project(Point(hit[0]))) if len(hit) else 0.0


def _stretch(ring: LineString, start: float, stop: float) -> LineString:
    """Return the part of a closed line between two distances, which wrap around its length."""
    whole = ring.length
    start, stop = start % whole, stop % whole
    if start < stop:
        return substring(ring, start, stop)
    tail, head = substring(ring, start, whole), substring(ring, 0.0, stop)
    return LineString([*tail.coords, *head.coords[1:]])


# Maximum distance between a spur and its hill in the neighbouring zone, as a fraction of the unit.
_NEAR: Final = 0.1

_OFF_RAIL: Final = 8.0
# Scale of a ridge that is moved back. The change is smaller than the tolerance of sizes (AC-G04).
_LESS: Final = 0.985

_BACK: Final = 0.025  # distance that such a ridge moves, as a fraction of the unit

_MEETS: Final = (Piece.LONG_HILL, Piece.SPUR, *STEEP)
_TOUCHING: Final = 0.012
_SADDLE: Final = 0.12
_GAP: Final = 0.3
_LAP: Final = 1.0


def spur(placement: ZonePlacement, result: RollResult) -> Polygon | None:
    """Return a tongue from a hill in the next zone, the table edge, or a hill of its zone; or None."""
    site, measure = placement.sites[result.zone], placement.measure(Piece.SPUR)
    stream = placement.stream(result.id, "outline")
    drawn = tongue((measure.long or 0) * site.unit, (measure.short or 0) * site.unit, stream)
    closed, _ = taken(placement, site, Piece.SPUR)
    closed = shapely.union_all([closed, placement.ribbons(STREAMS, gap=0.02 * site.unit)])
    joints = shapely.union_all([point.buffer(JOINT * site.unit, quad_segs=4) for point in placement.joints])
    blocked = shapely.union_all(
        [closed, joints, *(line.buffer(_OFF_RAIL) for line in placement.rails.get(site.zone, ()))]
    )
    found, alone = None, None
    for side in _bases(placement, result.zone):
        found = _from_side(placement, site, side, drawn, blocked, stream)
        if found is not None and _stands_alone(placement, site, side, found):
            # A base far from the hill looks cut off, so it is only a last resort.
            alone = alone or found
        elif found is not None:
            return found
    for own in placement.in_zone(result.zone, HILLS):
        others = [placed.outline for placed in placement.placed if placed is not own]
        off = shapely.union_all([*others, joints, placement.water])
        found = _from_hill(site, own.outline, drawn, off, stream)
        if found is not None:
            return found
    return alone


def _stands_alone(placement: ZonePlacement, site: ZoneGround, side: ZoneSide, found: Polygon) -> bool:
    """Return whether a spur at a side inside the table is far from all hills of the next zone."""
    other = placement.laying.grid.neighbour(site.zone, side)
    return other is not None and all(
        placed.outline.distance(found) > _NEAR * site.unit for placed in placement.in_zone(other, HILLS)
    )


def _bases(placement: ZonePlacement, zone: int) -> Iterator[ZoneSide]:
    """Yield the sides for the base of a spur, best first (AC-F05)."""
    grid, log = placement.laying.grid, placement.laying.log
    water = placement.laying.water
    yield from (side for side, other in grid.neighbours(zone) if log.has(other, *HILLS))
    yield from (side for side in grid.edges(zone) if water is None or side is not water.edge)


def _from_side(
    placement: ZonePlacement, site: ZoneGround, side: ZoneSide, drawn: Polygon, blocked: BaseGeometry, stream: Stream
) -> Polygon | None:
    """Return a tongue with its base on a side of the zone, near the nearest hill beyond it; or None."""
    line = site.side(side)
    turn = {ZoneSide.WEST: 0.0, ZoneSide.SOUTH: 90.0, ZoneSide.EAST: 180.0, ZoneSide.NORTH: 270.0}[side]
    other = placement.laying.grid.neighbour(site.zone, side)
    hills = [placed.outline for placed in placement.in_zone(other, HILLS)] if other is not None else []
    near = min(hills, key=lambda hill: hill.distance(line), default=None)
    if other is not None and near is None:
        return None
    measure = placement.measure(Piece.SPUR)
    for attempt in range(100):
        factor = stream.between(0.9, 1.1) if attempt < 60 else measure.least
        half = (measure.short or 0) * site.unit * factor / 2
        along = stream.between(half, max(half, line.length - half))
        if near is not None and attempt < 80:
            along = line.project(shapely.shortest_line(line, near).interpolate(0.0)) + stream.draw_normal(
                0.05 * site.unit
            )
        along = min(max(along, half + 0.04 * site.unit), max(half, line.length - half - 0.04 * site.unit))
        base = line.interpolate(along)
        shape = affinity.rotate(affinity.scale(drawn, factor, factor, origin=(0, 0)), turn, origin=(0, 0))
        shape = largest_polygon(affinity.translate(shape, base.x, base.y).intersection(site.box))
        if not blocked.intersects(shape):
            return shape
    return None


def _from_hill(
    site: ZoneGround, hill: Polygon, drawn: Polygon, blocked: BaseGeometry, stream: Stream
) -> Polygon | None:
    """Return a tongue from a hill of the same zone, without the part inside the hill; or None."""
    for attempt in range(100):
        factor = 0.9 if attempt < 50 else 0.7
        at = hill.exterior.interpolate(stream.draw_unit(), normalized=True)
        middle = hill.centroid
        bearing = math.degrees(math.atan2(at.y - middle.y, at.x - middle.x))
        start = middle.x + 0.7 * (at.x - middle.x), middle.y + 0.7 * (at.y - middle.y)
        shape = affinity.rotate(affinity.scale(drawn, factor, factor, origin=(0, 0)), bearing, origin=(0, 0))
        shape = affinity.translate(shape, *start)
        rest = largest_polygon(shape.difference(hill))
        if site.room.contains(rest) and not blocked.intersects(rest) and rest.area > 0.4 * shape.area:
            return rest
    return None


def meet_ridges(placement: ZonePlacement) -> None:
    """Join long hills to hills at the same side in the next zone, or move them back from it (AC-F04)."""
    for number, placed in enumerate(placement.placed):
        if placed.piece is not Piece.LONG_HILL or not isinstance(placed.feature, Hill):
            continue
        shape = placed.outline
        for side, other in placement.laying.grid.neighbours(placed.zone):
            for hill in placement.in_zone(other, _MEETS):
                line, unit = placement.sites[placed.zone].side(side), placement.sites[placed.zone].unit
                reach = max(one.distance(line) for one in (shape, hill.outline))
                if reach < _TOUCHING * unit and shape.distance(hill.outline) > _TOUCHING * unit:
                    others = [one.outline for one in placement.placed if one not in (placed, hill)]
                    bars = [
                        *others,
                        *placement.rails.get(placed.zone, ()),
                        *placement.rails.get(other, ()),
                        placement.water,
                        placement.lines((*STREAMS, *ROADS)),
                    ]
                    size = _size(placement, placed.zone)
                    shape = _meeting(
                        placement.sites[placed.zone], shape, hill.outline, line, shapely.union_all(bars), size
                    )
        if shape is not placed.outline:
            placement.placed[number] = replace(placed, feature=replace(placed.feature, contours=(shape,)))


class _RidgeSize(Struct, frozen=True):
    """The maximum length and width of a ridge in mm, and its minimum ratio of length to width (AC-F04)."""

    long: float
    short: float
    slender: float

    def fits(self, shape: Polygon) -> bool:
        """Return whether a shape has the size of a ridge."""
        corners = shapely.get_coordinates(shape.minimum_rotated_rectangle.exterior)
        long, short = sorted((math.dist(corners[place], corners[place + 1]) for place in (0, 1)), reverse=True)
        return long <= self.long and short <= self.short and long >= self.slender * short


def _size(placement: ZonePlacement, zone: int) -> _RidgeSize:
    """Return the size limits of a long hill of a zone."""
    measure, unit = placement.measure(Piece.LONG_HILL), placement.sites[zone].unit
    most = measure.most * unit
    return _RidgeSize((measure.long or 0.0) * most, (measure.short or 0.0) * most, placement.rules.number("ridge"))


def _meeting(
    site: ZoneGround, ridge: Polygon, hill: Polygon, side: LineString, bars: BaseGeometry, size: _RidgeSize
) -> Polygon:
    """Return a ridge that meets a hill across a side of its zone, or that is moved back from it."""
    near = side.buffer(_SADDLE * site.unit)
    saddle = shapely.union(ridge.intersection(near), hill.intersection(near)).convex_hull
    soft = 0.03 * site.unit
    joined = largest_polygon(
        shapely.union(ridge, saddle).buffer(soft).buffer(-2 * soft).buffer(soft).intersection(site.box).difference(hill)
    )
    meets = joined.distance(hill) < _TOUCHING * site.unit
    if ridge.distance(hill) < _GAP * site.unit and meets and not joined.intersects(bars) and size.fits(joined):
        return joined
    x, y = site.middle
    foot = side.interpolate(side.project(Point(x, y)))
    far = site.box.exterior.distance(Point(x, y)) or 1.0
    by = _BACK * site.unit / far
    back = affinity.translate(affinity.scale(ridge, _LESS, _LESS), by * (x - foot.x), by * (y - foot.y))
    # If the move pushes it into another piece, for example a ridge of a third zone, cut off its end instead.
    if back.intersection(bars).area <= ridge.intersection(bars).area + _LAP:
        return back
    return largest_polygon(ridge.difference(side.buffer(2 * _TOUCHING * site.unit)))
