"""Features of placed DBA pieces, and the obstacles of a road among earlier features."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.kit.placement import PlacedOutline
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.placed_pieces import COURSES, HILLS, L, TerrainPlacement, TerrainType
from printkit.systems.dba.ground.roads import CrossedCourse, RoadObstacles
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.terrain.field.features import Area, Course, Crossing, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry import outlines
from printkit.terrain.geometry.measure import find_meetings, line_bearing

M = TypeVar("M")

# Simplification tolerance in mm for obstacles of a road.
_TOLERANCE_MM: Final = 0.5


def make_area(terrain_type: TerrainType, identity: str, outline: Polygon, origin: Origin) -> Area:
    """Return an area feature with the kind and going of a terrain type; ``outline`` is in mm on the board."""
    return Area(id=identity, kind=terrain_type.kind, outline=outline, going=terrain_type.going, origin=origin)


def make_course(terrain_type: TerrainType, identity: str, line: LineString, width: float, origin: Origin) -> Course:
    """Return a course with the kind and going of a terrain type; line and width are in mm on the board."""
    return Course(id=identity, kind=terrain_type.kind, line=line, width=width, going=terrain_type.going, origin=origin)


def make_area_feature(
    terrain: Terrain, terrain_type: TerrainType, identity: str, placed_outline: PlacedOutline, origin: Origin
) -> Area | Hill:
    """Return the feature of an area piece at its place; a steep hill is steep on every side."""
    if terrain not in HILLS:
        return make_area(terrain_type, identity, placed_outline.outline, origin)
    faces: tuple[HillFace, ...] = ()
    if terrain is Terrain.STEEP_HILL:
        faces = tuple(
            HillFace(line=line, kind=Kind.STEEP_SLOPE, going=terrain_type.going, side=side)
            for side, line in enumerate(outlines.cut_arcs(placed_outline.outline, placed_outline.angle_deg))
        )
    return Hill(
        id=identity,
        kind=terrain_type.kind,
        contours=(placed_outline.outline,),
        going=terrain_type.going,
        faces=faces,
        origin=origin,
    )


def find_road_obstacles(
    placement: TerrainPlacement[L, M],
    axis: Axis,
    axis_of: Callable[[L], Axis],
    *,
    hard: tuple[Terrain, ...],
    shore: Polygon | None,
    town: Polygon | None,
    closed: Iterable[BaseGeometry] = (),
) -> RoadObstacles:
    """Return the obstacles of a road along an axis.

    All shapes are in mm on the board.

    Args:
        axis_of: returns the axis of an earlier course.
        hard: terrain that roads avoid most.
        shore: the waterway at the end of the road, which stops at its shore, or None.
        town: the town that the road must touch, or None.
        closed: ground that the road avoids like water.
    """
    areas = [piece for piece in placement.area_pieces() if piece.shape is not town]
    other_waters = [piece.shape for piece in placement.select_pieces(Terrain.WATERWAY) if piece.shape is not shore]
    return RoadObstacles(
        water=shapely.union_all([*other_waters, *closed]),
        hard=_simplify_union(piece.shape for piece in areas if piece.pick.terrain in hard),
        soft=_simplify_union(piece.shape for piece in areas if piece.pick.terrain not in hard),
        passages=tuple(
            CrossedCourse(line=piece.course.line, width=piece.course.width, is_parallel=axis_of(piece) is axis)
            for piece in placement.select_pieces(*COURSES)
        ),
        shore=shore,
        town=town,
    )


def _simplify_union(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return the union of shapes, simplified by up to 0.5 mm on the board; obstacles need not be exact."""
    return shapely.union_all([shapely.simplify(shape, _TOLERANCE_MM) for shape in shapes])


def make_crossings(placement: TerrainPlacement[L, M], road: Course, kind: Kind, origin: Origin) -> tuple[Crossing, ...]:
    """Return the crossings of a new road with the placed rivers; empty if it crosses none.

    ``kind`` and ``origin`` are those of each crossing, and its ID continues the count of crossings. Positions are in mm
    on the board, bearings of the road in degrees.
    """
    result: list[Crossing] = []
    for placed_river in placement.select_pieces(Terrain.RIVER):
        river = placed_river.course
        for meeting in find_meetings(road.line, river.line):
            result.append(
                Crossing(
                    id=f"crossing-{placement.count_crossings() + len(result) + 1}",
                    kind=kind,
                    at=meeting.at,
                    bearing=line_bearing(road.line, meeting.distance, river.width),
                    route=road.id,
                    water=river.id,
                    going=road.going,
                    origin=origin,
                )
            )
    return tuple(result)
