"""Paint roads, tracks and lanes with ruts, and railways, on a mat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import shapely
from shapely import LineString
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.borders import paint_border
from printkit.drawing.mats.frames import offset_point
from printkit.drawing.mats.painter import ClimateLook, Painter
from printkit.drawing.mats.raster import bump, distance_to_line, raster_noise, smoothstep
from printkit.terrain.field.features import Course, Kind

LANES: Final = (Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH)
ROADS: Final = (Kind.ROAD, Kind.FENCED_ROAD)
_JUNCTION_RADIUS: Final = 2.2
_WIDE_ROAD: Final = 16.0


def paint_road_grounds(
    painter: Painter, courses: Sequence[Course], climate_look: ClimateLook, grounds: Mapping[str, BaseGeometry]
) -> None:
    """Paint all roads of a group together, so that junctions have no edges.

    ``grounds`` has the area of each course in printed mm, by its ID. The items are added to ``painter``.
    """
    k = painter.k
    paint_bounds = painter.board.buffer(4 * k)
    for kinds, texture in ((LANES, "earth"), (ROADS, "track")):
        bodies = [grounds[course.id] for course in courses if course.kind in kinds]
        if not bodies:
            continue
        joined = shapely.union_all(bodies).buffer(_JUNCTION_RADIUS * k).buffer(-_JUNCTION_RADIUS * k)
        for number, part in enumerate(polygons(shapely.intersection(joined, paint_bounds))):
            key = f"ways/{texture}{number}"
            painter.paint_area("earth", part.buffer(1.2 * k), 4, 1.4, f"{key}/verge", gain=0.55)
            painter.paint_area(texture, part, 2.2, 1.0, key, gain=0.95)
            painter.paint_rim(part, (60, 50, 24), 0.6, 0.5, key)
            edge = shapely.intersection(part.boundary.buffer(1.4 * k), painter.board.buffer(-0.5 * k))
            tufts = painter.scatter_sprites(edge, climate_look.tuft, 3.4, (0.35, 0.85), f"{key}/tufts", share=0.62)
            painter.paint_sprites(tufts, overlapping=False)
            stones = painter.scatter_sprites(edge, climate_look.stone, 11, (0.11, 0.32), f"{key}/stones", share=0.6)
            painter.paint_shadows(stones, 2.6, 0.5, 0.4)
            painter.paint_sprites(stones, overlapping=False)


def body(course: Course) -> BaseGeometry:
    """Return the area of a course with round ends, in the mm of its line."""
    return course.line.buffer(course.width / 2, cap_style="round", join_style="round")


def paint_ruts(painter: Painter, course: Course, climate_look: ClimateLook, road_area: BaseGeometry) -> None:
    """Paint the ruts of a road, the grass between them, and the fences of a fenced road.

    ``road_area`` is the area of the course in printed mm. The items are added to ``painter``.
    """
    k = painter.k
    ground = shapely.intersection(road_area, painter.board.buffer(4 * k))
    if ground.is_empty:
        return
    raster, depth = painter.measure_depths(ground)
    stream = painter.stream(f"{course.id}/ruts")
    line_distance = distance_to_line(course.line.simplify(0.05), raster) / k
    wander = (
        raster_noise("broad", raster, 170 * k, stream) * 0.50 + raster_noise("middle", raster, 60 * k, stream) * 0.10
    )
    fine = raster_noise("fine", raster, 40 * k, stream)
    width = course.width / k
    gauge, fade = min(width * 0.24, 4.2), smoothstep(depth / (2 * k))
    rut = bump(line_distance + wander - gauge, 0.95) * (0.50 + 0.10 * fine) * np.clip(0.85 + 0.35 * wander, 0.35, 1.2)
    painter.paint_ink((84, 64, 38), raster, np.clip(rut, 0, 0.70) * fade)
    painter.paint_ink((245, 226, 186), raster, bump(line_distance + wander - gauge - 1.5, 0.65) * 0.25 * fade)
    if course.kind in LANES or width < _WIDE_ROAD:
        middle_grass = bump(line_distance + wander * 0.5, gauge * 0.38) * 0.62 * np.clip(0.6 + fine * 0.3, 0, 1)
        painter.paint_texture(climate_look.ground, raster, middle_grass * fade)
    else:
        verge = smoothstep((line_distance - gauge - 2.2 + wander * 1.3) / 3) * 0.34 * np.clip(0.7 + 0.5 * wander, 0, 1)
        painter.paint_texture(climate_look.second, raster, verge * fade)
    if course.kind is Kind.SUNKEN_LANE:
        painter.paint_ink((24, 20, 8), raster, bump(depth / k, 1.5) * 0.6)
    if course.kind is Kind.FENCED_ROAD:
        for side in (-1, 1):
            line = course.line.offset_curve(side * (course.width / 2 + k))
            paint_border(painter, Kind.FENCE, line, f"{course.id}/fence{side}")


def paint_railway(painter: Painter, course: Course, ground: BaseGeometry) -> None:
    """Paint a railway: ballast on its ground (printed mm), sleepers, and two bright rails.

    The items are added to ``painter``.
    """
    k, half_width = painter.k, course.width * 0.30
    painter.paint_area("gravel", ground, 2, 0.8, course.id)
    sleepers = [
        LineString([offset_point(course.line, distance, side * half_width * 1.35, 0.5 * k) for side in (-1, 1)])
        for distance in np.arange(0.0, course.line.length - k, 2.6 * k).tolist()
    ]
    painter.line(shapely.multilinestrings(sleepers), (70, 54, 38), 1.3, 0.9)
    for side in (-1, 1):
        rail = course.line.offset_curve(side * half_width * 0.72)
        painter.line(translate(rail, 0.25 * k, -0.25 * k), (20, 18, 14), 0.8, 0.6)
        painter.line(rail, (150, 144, 136), 0.55)
