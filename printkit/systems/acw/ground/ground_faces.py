"""What differs along the side of a hill: cliffs, aprons of scree, steep sides (AC-F06..AC-F08).

Faces are settled once streams lie, for a cliff looks to the water.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, Polygon
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.make_room import ALL_HILLS
from printkit.systems.acw.ground.placement import CLIFFS, Placed, Table
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Face, Hill, Kind

_CLIFF_ARC: Final = (0.26, 0.39)
_SECTOR: Final = math.radians(45.0)


def face_hills(table: Table) -> None:
    """Give hills their cliffs and scree, now that all hills lie (AC-F06..AC-F08)."""
    for number, placed in enumerate(table.placed):
        if placed.piece not in (*CLIFFS, Piece.HILL_SCREE) or not isinstance(placed.feature, Hill):
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
    creek = table.creek
    if not creek.is_empty:
        foot = shapely.shortest_line(middle, creek).coords[-1]
        if middle.distance(creek) > 1e-6:
            return math.atan2(foot[1] - middle.y, foot[0] - middle.x)
    others = [other.outline.centroid for other in table.of(ALL_HILLS) if other is not placed]
    if not others:
        return stream.between(0, math.tau)
    other = min(others, key=middle.distance)
    return math.atan2(middle.y - other.y, middle.x - other.x)


def counterclockwise(shape: Polygon) -> LineString:
    """Return an outline as a line that has its ground on the left."""
    return LineString(shapely.geometry.polygon.orient(shape).exterior.coords)


def _arc(shape: Polygon, bearing: float, share: float) -> tuple[LineString, LineString]:
    """Return the part of an outline about a bearing, and the rest; the hill lies on the left of both."""
    ring = counterclockwise(shape)
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
    ring = counterclockwise(shape)
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
