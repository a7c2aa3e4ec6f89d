"""Paint wet ground and water on a mat: marshes, ditches and ravines, rivers and lakes with banks, surf.

``k`` is the number of printed mm for 1 mm at 1:1.
"""

from __future__ import annotations

import math

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.frames import offset_point
from printkit.drawing.mats.painter import ClimateLook, Painter, PlacedSprite
from printkit.drawing.mats.raster import blurred, bump, distance_to_line, inside, lit, raster_noise, smoothstep
from printkit.drawing.mats.woods import paint_trees
from printkit.drawing.scatter.scatter import poisson_points
from printkit.terrain.field.features import Area, Kind

_EMPTY = Polygon()
# Area of large water, which becomes deep more slowly, in mm2 at 1:1.
_LARGE = 6000.0
_FOAM = (238, 242, 238)
# Lines of surf: distance from the shore and half width in mm at 1:1, opacity, and share of the line that breaks.
_BREAKERS = ((1.2, 0.8, 0.9, 1.0), (4.6, 0.6, 0.7, 0.55), (9.5, 0.55, 0.55, 0.34))


def paint_marsh(painter: Painter, feature: Area) -> None:
    """Paint a marsh, a swamp or boggy ground.

    The items are added to ``painter``.
    """
    ground, key, k = feature.outline, feature.id, painter.k
    painter.paint_area("wet", ground, 5, 1.7, key, gain=0.95)
    painter.paint_rim(ground, (36, 44, 18), 0.75, 0.74, key)
    raster, depth = painter.measure_depths(ground)
    stream = painter.stream(f"{key}/pools")
    wave = raster_noise("broad", raster, 95 * k, stream) + 0.30 * raster_noise("middle", raster, 45 * k, stream)
    threshold = 0.8 if feature.kind is Kind.BOGGY_GROUND else 0.25
    pool = smoothstep((wave - threshold) / 0.30) * smoothstep((depth - 5 * k) / (3 * k))
    painter.paint_ink(
        (36, 40, 22),
        raster,
        smoothstep((wave - threshold + 0.30) / 0.35) * smoothstep((depth - 4 * k) / (4 * k)) * 0.55,
    )
    painter.paint_texture("water", raster, pool * 0.92)
    slope = lit(blurred(pool, 1.2), 1.0)
    painter.paint_ink((14, 22, 18), raster, np.clip(slope * 2.2, 0, 0.55) * (pool > 0.02))
    painter.paint_ink((214, 220, 190), raster, np.clip(-slope * 1.2, 0, 0.30))
    points = poisson_points(ground.buffer(-3.5 * k), 3.6 * k, stream)
    if len(points):
        wave_values = raster.at(wave, points)
        share = np.where(wave_values > threshold + 0.12, 0.0, np.where(wave_values > threshold - 0.6, 0.75, 0.24))
        painter.paint_sprites(painter.choose_sprites(points, "reed", (0.45, 1.05), stream, share=share))
    if feature.kind is Kind.SWAMP:
        paint_trees(painter, ground.buffer(-4 * k), ("oak",), 20, (0.5, 0.8), f"{key}/trees")


def paint_cut(painter: Painter, ground: BaseGeometry, key: str) -> None:
    """Paint a ditch, gully or ravine in printed mm: sunk into the ground, with its shaded side dark.

    ``key`` names the random streams. The items are added to ``painter``.
    """
    k = painter.k
    painter.paint_area("earth", ground.buffer(1.5 * k), 2, 0.8, key)
    raster, depth = painter.measure_depths(ground)
    deepest = max(2.0 * k, float(depth.max()))
    light = lit(blurred(-6.0 * smoothstep(depth / deepest), 0.5 * k / raster.px), raster.px / k)
    painter.paint_ink((20, 16, 8), raster, np.clip(-light * 0.6 + 0.18 * smoothstep(depth / (2 * k)), 0, 0.75))
    painter.paint_ink((255, 240, 206), raster, np.clip(light * 0.35, 0, 0.4))
    painter.paint_rim(ground, (40, 32, 16), 0.55, 0.5, key)
    stones = painter.scatter_sprites(ground, "stone", 10, (0.13, 0.36), key)
    painter.paint_shadows(stones, 2.6, 0.55, 0.4)
    painter.paint_sprites(stones, overlapping=False)


def paint_waters(
    painter: Painter,
    water_area: BaseGeometry,
    climate_look: ClimateLook,
    clear_area: BaseGeometry,
    *,
    has_plants: bool,
) -> None:
    """Paint all water of the board together, so that mouths join.

    Areas are in printed mm. ``clear_area`` stays free of reeds and stones. Without ``has_plants``, the banks have
    neither. The items are added to ``painter``.
    """
    for number, part in enumerate(polygons(water_area)):
        paint_water(painter, part, climate_look, f"water{number}", clear_area=clear_area, has_plants=has_plants)


def paint_water(
    painter: Painter,
    ground: Polygon,
    climate_look: ClimateLook,
    key: str,
    *,
    clear_area: BaseGeometry = _EMPTY,
    has_plants: bool = True,
) -> None:
    """Paint water: an earth bank with a solid dark line, shallows, deep water, and the banks' shadow.

    Areas are in printed mm, and ``key`` names the random streams. ``clear_area`` stays free of reeds and stones.
    Without ``has_plants``, the bank has neither. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(f"{key}/water")
    painter.paint_area(climate_look.bare, ground.buffer(2.0 * k), 3.0, 1.0, f"{key}/bank")
    raster, depth = painter.measure_depths(ground)
    waver = (
        raster_noise("middle", raster, 55 * k, stream) * 0.40 + raster_noise("middle", raster, 18 * k, stream) * 0.25
    )
    # Distance from the shore in mm at 1:1, positive in the water; ``waver`` makes the edges irregular.
    board_depth_mm = depth / k + waver
    painter.paint_ink((30, 24, 10), raster, np.where(board_depth_mm < 0.2, bump(board_depth_mm + 0.4, 0.8), 0) * 0.72)
    painter.paint_texture("water", raster, smoothstep(board_depth_mm / 0.8 + 0.5))
    painter.paint_ink(
        (150, 140, 104),
        raster,
        smoothstep(board_depth_mm / 0.6 + 0.3) * bump(np.clip(board_depth_mm, 0, None), 1.6) * 0.42,
    )
    fade_mm = 11 if ground.area > _LARGE * k * k else 6
    wave = np.clip(1 + 0.25 * raster_noise("broad", raster, 160 * k, stream), 0.6, 1.3)
    painter.paint_ink((16, 34, 48), raster, smoothstep((board_depth_mm - 3) / fade_mm) * 0.26 * wave, levels=63)
    light = lit(blurred(smoothstep(board_depth_mm / 2.2 + 0.5), 0.5), raster.px / k)
    painter.paint_ink((10, 16, 16), raster, np.clip(light * 1.3, 0, 0.55) * smoothstep(board_depth_mm + 0.6))
    painter.paint_ink((236, 240, 226), raster, np.clip(-light * 0.55, 0, 0.30) * smoothstep(board_depth_mm + 0.3))
    painter.line(ground.boundary, (28, 22, 10), 0.45, 0.62)
    if has_plants:
        _paint_bank(painter, ground, clear_area, key)


def paint_surf(painter: Painter, water_area: BaseGeometry, sea: BaseGeometry, beach: BaseGeometry) -> None:
    """Paint the surf along seas and beaches, and the wet sand beside it.

    Areas are in printed mm. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream("surf")
    shore_area = shapely.union(sea.buffer(k), beach.buffer(4 * k))
    edge = shapely.buffer(painter.board.exterior, 2 * k)
    for part in polygons(water_area):
        shore = shapely.difference(shapely.intersection(part.boundary, shore_area), edge)
        if shore.is_empty:
            continue
        raster, depth = painter.measure_depths(part)
        shore_distance = distance_to_line(shore, raster) / k
        bend = (
            raster_noise("middle", raster, 70 * k, stream) * 0.9 + raster_noise("middle", raster, 22 * k, stream) * 0.55
        )
        drawn_out = (
            raster_noise("broad", raster, 210 * k, stream) * 0.8 + raster_noise("middle", raster, 34 * k, stream) * 0.35
        )
        water_mask = smoothstep(depth / (0.6 * k))
        for number, (offset_mm, half_width_mm, opacity, breaking) in enumerate(_BREAKERS):
            crest = bump(shore_distance + bend * (0.5 + 0.5 * number) - offset_mm, half_width_mm)
            painter.paint_ink(
                _FOAM, raster, crest * water_mask * opacity * np.clip(breaking + drawn_out, 0.3 * breaking, 1)
            )
        sand = shapely.intersection(beach, shapely.buffer(part, 12 * k))
        for wet_sand in polygons(sand):
            dots = painter.make_raster(wet_sand, 2)
            wetness = smoothstep(
                1 - (distance_to_line(shore, dots) / k + raster_noise("middle", dots, 50 * k, stream) * 1.2) / 7
            )
            painter.paint_ink((108, 90, 58), dots, wetness * smoothstep(inside(wet_sand, dots) / k + 0.5) * 0.42)


def _paint_bank(painter: Painter, ground: Polygon, clear_area: BaseGeometry, key: str) -> None:
    """Paint reeds and stones along the bank of water, but not on ``clear_area`` (roads).

    Areas are in printed mm; ``key`` names the random stream. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(f"{key}/growth")
    shapely.prepare(clear_area)
    reeds: list[PlacedSprite] = []
    stones: list[PlacedSprite] = []
    for ring in (ground.exterior, *ground.interiors):
        distance = stream.between(0, 5) * k
        while distance < ring.length:
            x, y = offset_point(ring, distance, (stream.draw_normal(1.0) - 0.9) * k, k)
            if not shapely.contains_xy(clear_area, x, y):
                chance = stream.draw_unit()
                if chance < 0.42:
                    reeds.append(
                        PlacedSprite(
                            painter.pick_sprite(stream, "reed"),
                            x,
                            y,
                            stream.between(0.35, 0.8),
                            stream.draw_unit() < 0.5,
                        )
                    )
                elif chance < 0.70:
                    stones.append(PlacedSprite(painter.pick_sprite(stream, "stone"), x, y, stream.between(0.10, 0.34)))
            step = (
                1.2 - 5.5 * math.log(1.0 - stream.draw_unit()) if stream.draw_unit() < 0.8 else 26 * stream.draw_unit()
            )
            distance += max(step, 0.5) * k
    painter.paint_shadows(stones, 2.4, 0.5, 0.35)
    painter.paint_sprites(stones, overlapping=False)
    painter.paint_sprites(reeds, overlapping=False)
