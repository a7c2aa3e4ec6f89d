"""Paint open and rough ground on a mat: stones, scrub, dunes, beaches, clearings and oases."""

from __future__ import annotations

import numpy as np
import shapely
from shapely import Polygon, affinity

from printkit.drawing.mats.painter import Climate, ClimateLook, EdgeSide, Painter, TextureLattice
from printkit.drawing.mats.raster import blurred, lit, raster_noise, smoothstep
from printkit.drawing.mats.wet_ground import paint_water
from printkit.drawing.mats.woods import paint_trees
from printkit.terrain.field.features import Area, Kind

_STONY = (Kind.ROUGH_GROUND, Kind.BROKEN_GROUND, Kind.ROCKS)


def paint_open_ground(painter: Painter, feature: Area, climate_look: ClimateLook, climate: Climate) -> None:
    """Paint an area of open or rough ground, such as rocks, scrub, dunes, a beach or an oasis.

    The items are added to ``painter``.
    """
    ground, key, k = feature.outline, feature.id, painter.k
    if feature.kind in _STONY:
        _paint_stony_ground(painter, feature, climate_look)
    elif feature.kind is Kind.SCRUB:
        painter.paint_area("snow" if climate is Climate.WINTER else "steppe", ground, 5, 1.7, key, gain=0.55)
        painter.paint_rim(ground, (74, 72, 30), 0.6, 0.42, key)
        tufts = painter.scatter_sprites(ground, "straw", 6, (0.5, 1.2), key, share=0.8)
        painter.paint_sprites(tufts, overlapping=False)
        bushes = painter.scatter_sprites(
            ground.buffer(-2 * k), "bush", 5.2, (0.25, 1.05), key, share=0.86, small_power=2
        )
        painter.paint_shadows(bushes, 2.8, 0.62, 0.45)
        painter.paint_sprites(sorted(bushes, key=lambda put: put.size))
    elif feature.kind is Kind.DUNES:
        _paint_dunes(painter, ground, key)
    elif feature.kind is Kind.BEACH:
        painter.paint_area("sand", ground, 3, 1.2, key)
        painter.paint_rim(ground, (150, 124, 80), 0.6, 0.35, key)
    elif feature.kind is Kind.CLEARING:
        painter.paint_area(climate_look.meadow, ground, 3, 1.2, key, gain=0.7)
        painter.paint_sprites(painter.scatter_sprites(ground, "tuft", 8, (0.4, 1.0), key, share=0.5), overlapping=False)
    else:
        _paint_oasis(painter, ground, climate_look, key)


def _paint_stony_ground(painter: Painter, feature: Area, climate_look: ClimateLook) -> None:
    """Paint rough ground: large stones in drifts, and small ones along the edge.

    The items are added to ``painter``.
    """
    ground, key, k = feature.outline, feature.id, painter.k
    painter.paint_area("rough", ground, 3.5, 1.6, key)
    painter.paint_rim(ground, (52, 42, 22), 3.2, 0.34, key, EdgeSide.INSIDE)
    painter.paint_rim(ground, (40, 32, 14), 0.55, 0.45, key)
    raster, _ = painter.measure_depths(ground, 25)
    stream = painter.stream(f"{key}/drifts")
    drift = raster_noise("middle", raster, 110 * k, stream)
    largest = 1.9 if feature.kind is Kind.ROCKS else 1.25
    stones = painter.scatter_sprites(
        ground.buffer(-2.5 * k), climate_look.stone, 4.4, (0.17, largest), key, small_power=3
    )
    points = np.array([(put.x, put.y) for put in stones]).reshape(-1, 2)
    dense = np.clip(0.42 + 0.42 * raster.at(drift, points), 0.06, 1).tolist()
    puts = [
        put._replace(size=max(0.16, put.size * (0.6 + 0.5 * share)))
        for put, share in zip(stones, dense, strict=True)
        if stream.draw_unit() < share
    ]
    edge = shapely.intersection(ground.exterior.buffer(2.0 * k), ground.buffer(0.5 * k))
    puts += painter.scatter_sprites(edge, climate_look.stone, 4.6, (0.14, 0.42), f"{key}/edge", small_power=2)
    painter.paint_sprites(painter.scatter_sprites(ground, "straw", 12, (0.6, 1.2), key, share=0.6), overlapping=False)
    puts.sort(key=lambda put: put.size)
    painter.paint_shadows(puts, 2.7, 0.6, 0.42)
    painter.paint_sprites(puts)
    bushes = painter.scatter_sprites(ground.buffer(-4 * k), "bush", 26, (0.28, 0.64), key, share=0.6)
    painter.paint_shadows(bushes, 2.8, 0.6, 0.45)
    painter.paint_sprites(bushes, overlapping=False)


def _paint_dunes(painter: Painter, ground: Polygon, key: str) -> None:
    """Paint dunes on an area in printed mm: crests with a long windward side and a short lee side.

    ``key`` names the random streams. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(f"{key}/dunes")
    painter.paint_area("sand", ground, 6, 1.7, key, lattice=TextureLattice(25))
    raster, depth = painter.measure_depths(ground, 50)
    wind_distance = (raster.column_centres[None, :] * 0.92 + raster.row_centres[:, None] * -0.40) / k
    bent = raster_noise("broad", raster, 420 * k, stream) * 17 + raster_noise("middle", raster, 90 * k, stream) * 2.0
    phase = (wind_distance + bent) / 27
    phase = phase - np.floor(phase)
    height = np.where(phase < 0.74, smoothstep(phase / 0.74) * 0.6 + 0.4 * phase / 0.74, smoothstep((1 - phase) / 0.26))
    height = height * 5.0 * np.clip(0.75 + 0.45 * raster_noise("broad", raster, 260 * k, stream), 0.1, 1.3)
    light = lit(blurred(height * smoothstep(depth / (12 * k)), 0.5 * k / raster.px), raster.px / k)
    painter.paint_ink((104, 74, 34), raster, np.clip(-light * 0.66, 0, 0.46), levels=63)
    painter.paint_ink((255, 246, 214), raster, np.clip(light * 1.5, 0, 0.42), levels=63)
    painter.paint_rim(ground, (112, 84, 40), 0.7, 0.45, key)
    painter.paint_sprites(painter.scatter_sprites(ground, "straw", 22, (0.7, 1.3), key, share=0.5), overlapping=False)


def _paint_oasis(painter: Painter, ground: Polygon, climate_look: ClimateLook, key: str) -> None:
    """Paint an oasis on an area in printed mm: a pool with grass, reeds, bushes and palms.

    ``key`` names the random streams. The items are added to ``painter``.
    """
    k = painter.k
    painter.paint_area("grass", ground, 7, 1.7, key, gain=0.95)
    core = affinity.scale(ground, 0.42, 0.34)
    painter.paint_area("wet", core.buffer(5 * k), 4, 1.5, f"{key}/damp")
    paint_water(painter, core, climate_look, f"{key}/pool", has_plants=False)
    reeds = painter.scatter_sprites(shapely.difference(core.buffer(7 * k), core), "reed", 3.6, (0.5, 1.0), key)
    painter.paint_sprites(reeds)
    painter.paint_rim(ground, (70, 80, 30), 0.6, 0.42, key)
    surroundings = shapely.difference(ground.buffer(-4 * k), core.buffer(5 * k))
    bushes = painter.scatter_sprites(surroundings, "bush", 14, (0.3, 0.7), key, share=0.7)
    painter.paint_shadows(bushes, 2.8, 0.6, 0.45)
    painter.paint_sprites(bushes, overlapping=False)
    paint_trees(painter, surroundings, ("palm",), 11, (0.7, 1.05), f"{key}/palms")
