"""Paint roads, tracks and railways, and their bridges, fords and level crossings, on a mat."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.decks import WaterSpan, find_deep_water, find_water_span
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.fields_and_woods import paint_border
from printkit.drawing.mats.frames import Frame, make_frame, offset_point, rectangle_in_frame
from printkit.drawing.mats.painter import ClimateLook, Painter, TextureLattice
from printkit.drawing.mats.raster import bump, distance_to_line, raster_noise, smoothstep
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, Area, Course, Crossing, Feature, Kind

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
    for mat, texture in (("lane", "earth"), ("road", "track")):
        bodies = [grounds[course.id] for course in courses if KIND_ROWS[course.kind].mat == mat]
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
    if KIND_ROWS[course.kind].mat == "lane" or width < _WIDE_ROAD:
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


_LARGEST: Final = 40.0
_USUAL_WAY: Final = 14.0
_OVER_WATER: Final = (Kind.FORD, Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE)


def paint_crossing(painter: Painter, feature: Crossing, field: Battlefield, water: BaseGeometry) -> None:
    """Paint a bridge, ford or level crossing of a battlefield in printed mm; a junction has no symbol.

    ``water`` is the area of all water; bridges cast their shadows on it. The items are added to ``painter``.
    """
    if feature.kind is Kind.JUNCTION:
        return
    k = painter.k
    features = {candidate.id: candidate for candidate in field.features}
    upper, lower = features.get(feature.route), features.get(feature.water)
    road_width = upper.width if isinstance(upper, Course) else _USUAL_WAY * k
    course = upper if isinstance(upper, Course) else None
    frame = make_frame(feature.at.x, feature.at.y, feature.bearing)
    if feature.kind is Kind.LEVEL_CROSSING:
        rails = [
            candidate.width
            for candidate in field.features
            if isinstance(candidate, Course) and candidate.kind is Kind.RAILWAY
        ]
        _paint_planks(painter, frame, max(rails, default=_USUAL_WAY * k) / 2, road_width * 0.42)
        return
    half_width = _deck_width(road_width, k) / 2
    frame, half_length = _deck_frame(frame, find_water_span(feature, course, 2 * half_width, water_ground(lower), k), k)
    deck = rectangle_in_frame(frame, half_length, half_width)
    if feature.kind is Kind.FORD:
        painter.paint_area("earth", deck, 7, 1.5, feature.id, gain=0.62)
        stones = painter.scatter_sprites(deck, "stone", 3.6, (0.13, 0.46), feature.id, share=0.8)
        painter.paint_shadows(stones, 2.6, 0.55, 0.4)
        painter.paint_sprites(stones, overlapping=False)
        return
    shadow = shapely.intersection(translate(deck, 2.2 * k, -2.6 * k), shapely.buffer(water, k))
    if not shadow.is_empty:
        painter.fill(shadow, (8, 14, 14), 0.45)
    if feature.kind is Kind.TIMBER_BRIDGE:
        _paint_timber_bridge(painter, deck, frame, half_length, half_width)
    else:
        _paint_stone_bridge(painter, feature, deck, frame, half_length, half_width)


def course_ground(course: Course, field: Battlefield, k: float) -> BaseGeometry:
    """Return the area of a course in printed mm without the water at its fords and beside its bridge decks.

    ``field`` has the crossings of the course, also in printed mm. ``k`` is the printed length of 1 mm at 1:1.
    """
    ground = body(course)
    features = {candidate.id: candidate for candidate in field.features}
    for feature in field.features:
        if isinstance(feature, Crossing) and feature.route == course.id and feature.kind in _OVER_WATER:
            water = water_ground(features.get(feature.water))
            if feature.kind is not Kind.FORD:
                span = find_water_span(feature, course, _deck_width(course.width, k), water, k)
                water = find_deep_water(feature, span, course.width, water, k)
            ground = shapely.difference(ground, water)
    return ground


def _deck_width(course_width: float, k: float) -> float:
    """Return the width of the deck on a course, in printed mm.

    ``course_width`` is in printed mm too; ``k`` is the printed length of 1 mm at 1:1.
    """
    return max(6 * k, min(course_width * 0.86, _LARGEST * k))


def water_ground(feature: Feature | None) -> BaseGeometry:
    """Return the area of the feature under a crossing in printed mm; empty if there is none."""
    if isinstance(feature, Course):
        return body(feature)
    return feature.outline if isinstance(feature, Area) else Polygon()


def _deck_frame(frame: Frame, span: WaterSpan, k: float) -> tuple[Frame, float]:
    """Return the frame at the middle of a deck with ends slanted like the banks, and half its length.

    The half length is in printed mm. ``k`` is the printed length of 1 mm at 1:1.
    """
    first, last = span.deck(k)
    middle = (first + last) / 2
    return lambda distance, offset: frame(middle + distance + span.slant * offset, offset), (last - first) / 2


def _paint_planks(painter: Painter, frame: Frame, half_length: float, half_width: float) -> None:
    """Paint planks across a frame, with gaps for the two rails; half length and half width are in printed mm.

    The items are added to ``painter``.
    """
    k = painter.k
    for distance in np.arange(-half_length, half_length, 1.7 * k).tolist():
        if abs(abs(distance) - half_length * 0.43) > k:
            plank_end = distance + 1.4 * k
            ends = [
                frame(distance, -half_width),
                frame(plank_end, -half_width),
                frame(plank_end, half_width),
                frame(distance, half_width),
            ]
            painter.fill(Polygon(ends), (116, 92, 62))
            painter.line(LineString([ends[0], ends[3]]), (52, 38, 22), 0.3, 0.8)


def _paint_stone_bridge(
    painter: Painter, feature: Crossing, deck: Polygon, frame: Frame, half_length: float, half_width: float
) -> None:
    """Paint a stone bridge: deck, and parapets with wing walls at both ends.

    ``deck`` is its area, and ``half_length`` and ``half_width`` are half its size in ``frame``, in printed mm. The
    items are added to ``painter``.
    """
    k, angle_rad = painter.k, math.radians(feature.bearing)
    deck_texture = "track" if feature.kind is Kind.BRIDGE else "gravel"
    painter.paint_texture(
        deck_texture, clip=deck, lattice=TextureLattice(feature.bearing, (feature.at.x, feature.at.y))
    )
    painter.fill(deck, (70, 58, 40), 0.12)
    joint_x, joint_y = 0.9 * k * math.sin(angle_rad), 0.9 * k * math.cos(angle_rad)
    wings = (
        (-half_length - 2.5 * k, half_width + 2 * k),
        (-half_length + k, half_width),
        (half_length - k, half_width),
        (half_length + 2.5 * k, half_width + 2 * k),
    )
    for side in (-1, 1):
        wall = LineString([frame(distance, side * offset) for distance, offset in wings])
        painter.line(translate(wall, 0.7 * k, -0.7 * k), (18, 16, 10), 2.2, 0.5)
        painter.line(wall, (72, 66, 56), 2.4)
        painter.line(wall, (170, 164, 148), 1.6)
        joints = []
        for distance in np.arange(0.0, wall.length, 2.1 * k).tolist():
            point = wall.interpolate(distance)
            joints.append(LineString([(point.x + joint_x, point.y - joint_y), (point.x - joint_x, point.y + joint_y)]))
        painter.line(shapely.multilinestrings(joints), (84, 78, 66), 0.28, 0.8)


def _paint_timber_bridge(painter: Painter, deck: Polygon, frame: Frame, half_length: float, half_width: float) -> None:
    """Paint a timber bridge: a deck of planks with a beam on each side.

    ``deck`` is its area, and ``half_length`` and ``half_width`` are half its size in ``frame``, in printed mm. The
    items are added to ``painter``.
    """
    k = painter.k
    painter.fill(deck, (126, 100, 66))
    joints = [
        LineString([frame(distance, -half_width), frame(distance, half_width)])
        for distance in np.arange(-half_length, half_length, 1.5 * k).tolist()
    ]
    painter.line(shapely.multilinestrings(joints), (60, 44, 26), 0.3, 0.8)
    for side in (-1, 1):
        painter.line(
            LineString([frame(-half_length, side * half_width), frame(half_length, side * half_width)]),
            (84, 62, 38),
            1.1,
        )
