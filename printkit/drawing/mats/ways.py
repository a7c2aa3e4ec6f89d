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
from printkit.drawing.mats.borders import border
from printkit.drawing.mats.climates import ClimateLook
from printkit.drawing.mats.frames import beside
from printkit.drawing.mats.painter import Painter
from printkit.drawing.mats.raster import apart, bump, noise, smooth
from printkit.terrain.field.features import Course, Kind

LANES: Final = (Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH)
ROADS: Final = (Kind.ROAD, Kind.FENCED_ROAD)
_ROUND: Final = 2.2
_WIDE: Final = 16.0


def way_grounds(
    painter: Painter, ways: Sequence[Course], country: ClimateLook, grounds: Mapping[str, BaseGeometry]
) -> None:
    """Paint all roads of a group together, so that junctions have no edges; ``grounds`` has each by its ID."""
    k = painter.k
    reach = painter.board.buffer(4 * k)
    for kinds, texture in ((LANES, "earth"), (ROADS, "track")):
        bodies = [grounds[each.id] for each in ways if each.kind in kinds]
        if not bodies:
            continue
        joined = shapely.union_all(bodies).buffer(_ROUND * k).buffer(-_ROUND * k)
        for number, part in enumerate(polygons(shapely.intersection(joined, reach))):
            key = f"ways/{texture}{number}"
            painter.area("earth", part.buffer(1.2 * k), 4, 1.4, f"{key}/verge", gain=0.55)
            painter.area(texture, part, 2.2, 1.0, key, gain=0.95)
            painter.rim(part, (60, 50, 24), 0.6, 0.5, key)
            edge = shapely.intersection(part.boundary.buffer(1.4 * k), painter.board.buffer(-0.5 * k))
            tufts = painter.scattered(edge, country.tuft, 3.4, (0.35, 0.85), f"{key}/tufts", share=0.62)
            painter.sprites(tufts, overlapping=False)
            stones = painter.scattered(edge, country.stone, 11, (0.11, 0.32), f"{key}/stones", share=0.6)
            painter.shadows(stones, 2.6, 0.5, 0.4)
            painter.sprites(stones, overlapping=False)


def body(course: Course) -> BaseGeometry:
    """Return the ground of a course, with round ends."""
    return course.line.buffer(course.width / 2, cap_style="round", join_style="round")


def ruts(painter: Painter, course: Course, country: ClimateLook, whole: BaseGeometry) -> None:
    """Paint the ruts of a road, the grass between them, and the fences of a fenced road."""
    k = painter.k
    ground = shapely.intersection(whole, painter.board.buffer(4 * k))
    if ground.is_empty:
        return
    raster, depth = painter.depths(ground)
    stream = painter.stream(f"{course.id}/ruts")
    off = apart(course.line.simplify(0.05), raster) / k
    wander = noise("broad", raster, 170 * k, stream) * 0.50 + noise("middle", raster, 60 * k, stream) * 0.10
    fine = noise("fine", raster, 40 * k, stream)
    wide = course.width / k
    gauge, on = min(wide * 0.24, 4.2), smooth(depth / (2 * k))
    rut = bump(off + wander - gauge, 0.95) * (0.50 + 0.10 * fine) * np.clip(0.85 + 0.35 * wander, 0.35, 1.2)
    painter.ink((84, 64, 38), raster, np.clip(rut, 0, 0.70) * on)
    painter.ink((245, 226, 186), raster, bump(off + wander - gauge - 1.5, 0.65) * 0.25 * on)
    if course.kind in LANES or wide < _WIDE:
        between = bump(off + wander * 0.5, gauge * 0.38) * 0.62 * np.clip(0.6 + fine * 0.3, 0, 1)
        painter.texture(country.ground, raster, between * on)
    else:
        verge = smooth((off - gauge - 2.2 + wander * 1.3) / 3) * 0.34 * np.clip(0.7 + 0.5 * wander, 0, 1)
        painter.texture(country.second, raster, verge * on)
    if course.kind is Kind.SUNKEN_LANE:
        painter.ink((24, 20, 8), raster, bump(depth / k, 1.5) * 0.6)
    if course.kind is Kind.FENCED_ROAD:
        for side in (-1, 1):
            line = course.line.offset_curve(side * (course.width / 2 + k))
            border(painter, Kind.FENCE, line, f"{course.id}/fence{side}")


def railway(painter: Painter, course: Course, ground: BaseGeometry) -> None:
    """Paint a railway: ballast, sleepers, and two bright rails."""
    k, half = painter.k, course.width * 0.30
    painter.area("gravel", ground, 2, 0.8, course.id)
    sleepers = [
        LineString([beside(course.line, along, side * half * 1.35, 0.5 * k) for side in (-1, 1)])
        for along in np.arange(0.0, course.line.length - k, 2.6 * k).tolist()
    ]
    painter.line(shapely.multilinestrings(sleepers), (70, 54, 38), 1.3, 0.9)
    for side in (-1, 1):
        rail = course.line.offset_curve(side * half * 0.72)
        painter.line(translate(rail, 0.25 * k, -0.25 * k), (20, 18, 14), 0.8, 0.6)
        painter.line(rail, (150, 144, 136), 0.55)
