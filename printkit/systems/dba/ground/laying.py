"""Features of placed DBA pieces, and the obstacles of a road among earlier features."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.kit.placement import PlacedOutline
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba.ground.placed import COURSES, HILLS, L, TerrainPlacement, TerrainSort
from printkit.systems.dba.ground.roads import CrossedCourse, RoadObstacles
from printkit.terrain.field.features import Area, Course, Crossing, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry import outlines
from printkit.terrain.geometry.measure import find_meetings, line_bearing

M = TypeVar("M")

# Simplification tolerance in mm for obstacles of a road.
_DETAIL: Final = 0.5


def area(sort: TerrainSort, identity: str, outline: Polygon, origin: Origin) -> Area:
    """Return an area feature of a terrain type."""
    return Area(id=identity, kind=sort.kind, outline=outline, going=sort.going, origin=origin)


def course(sort: TerrainSort, identity: str, line: LineString, width: float, origin: Origin) -> Course:
    """Return a course of a terrain type, ``width`` mm wide."""
    return Course(id=identity, kind=sort.kind, line=line, width=width, going=sort.going, origin=origin)


def stood(terrain: Terrain, sort: TerrainSort, identity: str, spot: PlacedOutline, origin: Origin) -> Area | Hill:
    """Return the feature of an area piece at its place; a steep hill is steep on every side."""
    if terrain not in HILLS:
        return area(sort, identity, spot.outline, origin)
    faces: tuple[HillFace, ...] = ()
    if terrain is Terrain.STEEP_HILL:
        faces = tuple(
            HillFace(line=line, kind=Kind.STEEP_SLOPE, going=sort.going, side=side)
            for side, line in enumerate(outlines.cut_arcs(spot.outline, spot.angle_deg))
        )
    return Hill(id=identity, kind=sort.kind, contours=(spot.outline,), going=sort.going, faces=faces, origin=origin)


def lie(
    placement: TerrainPlacement[L, M],
    axis: Axis,
    axis_of: Callable[[L], Axis],
    *,
    hard: tuple[Terrain, ...],
    shore: Polygon | None,
    through: Polygon | None,
    closed: Iterable[BaseGeometry] = (),
) -> RoadObstacles:
    """Return the obstacles of a road along an axis.

    Args:
        axis_of: returns the axis of an earlier course.
        hard: terrain that roads avoid most.
        shore: the waterway at the end of the road, which stops at its shore, or None.
        through: the town that the road must touch, or None.
        closed: ground that the road avoids like water.
    """
    areas = [each for each in placement.areas() if each.shape is not through]
    return RoadObstacles(
        water=shapely.union_all([*_shapes(placement, shore), *closed]),
        hard=_plainer(each.shape for each in areas if each.pick.terrain in hard),
        soft=_plainer(each.shape for each in areas if each.pick.terrain not in hard),
        passages=tuple(
            CrossedCourse(line=each.course.line, wide=each.course.width, along=axis_of(each) is axis)
            for each in placement.of(*COURSES)
        ),
        shore=shore,
        through=through,
    )


def _shapes(placement: TerrainPlacement[L, M], shore: Polygon | None) -> list[BaseGeometry]:
    return [each.shape for each in placement.of(Terrain.WATERWAY) if each.shape is not shore]


def _plainer(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return the union of simplified shapes; obstacles need not be exact."""
    return shapely.union_all([shapely.simplify(shape, _DETAIL) for shape in shapes])


def crossings(placement: TerrainPlacement[L, M], road: Course, kind: Kind, origin: Origin) -> tuple[Crossing, ...]:
    """Return the crossings of a new road with rivers."""
    found: list[Crossing] = []
    for each in placement.of(Terrain.RIVER):
        river = each.course
        for meeting in find_meetings(road.line, river.line):
            found.append(
                Crossing(
                    id=f"crossing-{placement.crossings() + len(found) + 1}",
                    kind=kind,
                    at=meeting.at,
                    bearing=line_bearing(road.line, meeting.distance, river.width),
                    route=road.id,
                    water=river.id,
                    going=road.going,
                    origin=origin,
                )
            )
    return tuple(found)
