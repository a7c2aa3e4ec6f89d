"""The features of DBA pieces: areas, hills and courses with the kind and going of their type."""

from __future__ import annotations

from shapely import LineString, Polygon

from printkit.kit.placement import PlacedOutline
from printkit.systems.dba.ground.terrain_limits import HILLS, Terrain
from printkit.systems.dba.ground.terrain_terms import TerrainType
from printkit.terrain.field.features import Area, Course, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry import outlines


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
