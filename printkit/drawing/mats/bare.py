"""Paint open and rough ground on a mat: stones, scrub, dunes, beaches, clearings and oases."""

from __future__ import annotations

import numpy as np
import shapely
from shapely import Polygon, affinity

from printkit.drawing.mats.climates import Climate, ClimateLook
from printkit.drawing.mats.painter import EdgeSide, Painter, TextureLattice
from printkit.drawing.mats.raster import blurred, lit, noise, smooth
from printkit.drawing.mats.wet import water
from printkit.drawing.mats.woods import trees
from printkit.terrain.field.features import Area, Kind

_STONY = (Kind.ROUGH_GROUND, Kind.BROKEN_GROUND, Kind.ROCKS)


def bare(painter: Painter, feature: Area, country: ClimateLook, climate: Climate) -> None:
    """Paint an area of open or rough ground."""
    ground, key, k = feature.outline, feature.id, painter.k
    if feature.kind in _STONY:
        _stony(painter, feature, country)
    elif feature.kind is Kind.SCRUB:
        painter.area("snow" if climate is Climate.WINTER else "steppe", ground, 5, 1.7, key, gain=0.55)
        painter.rim(ground, (74, 72, 30), 0.6, 0.42, key)
        tufts = painter.scattered(ground, "straw", 6, (0.5, 1.2), key, share=0.8)
        painter.sprites(tufts, overlapping=False)
        bushes = painter.scattered(ground.buffer(-2 * k), "bush", 5.2, (0.25, 1.05), key, share=0.86, small=2)
        painter.shadows(bushes, 2.8, 0.62, 0.45)
        painter.sprites(sorted(bushes, key=lambda put: put.size))
    elif feature.kind is Kind.DUNES:
        _dunes(painter, ground, key)
    elif feature.kind is Kind.BEACH:
        painter.area("sand", ground, 3, 1.2, key)
        painter.rim(ground, (150, 124, 80), 0.6, 0.35, key)
    elif feature.kind is Kind.CLEARING:
        painter.area(country.meadow, ground, 3, 1.2, key, gain=0.7)
        painter.sprites(painter.scattered(ground, "tuft", 8, (0.4, 1.0), key, share=0.5), overlapping=False)
    else:
        _oasis(painter, ground, country, key)


def _stony(painter: Painter, feature: Area, country: ClimateLook) -> None:
    """Paint rough ground: large stones in drifts, and small ones along the edge."""
    ground, key, k = feature.outline, feature.id, painter.k
    painter.area("rough", ground, 3.5, 1.6, key)
    painter.rim(ground, (52, 42, 22), 3.2, 0.34, key, EdgeSide.INSIDE)
    painter.rim(ground, (40, 32, 14), 0.55, 0.45, key)
    raster, _ = painter.depths(ground, 25)
    stream = painter.stream(f"{key}/drifts")
    drift = noise("middle", raster, 110 * k, stream)
    largest = 1.9 if feature.kind is Kind.ROCKS else 1.25
    strewn = painter.scattered(ground.buffer(-2.5 * k), country.stone, 4.4, (0.17, largest), key, small=3)
    at = np.array([(put.x, put.y) for put in strewn]).reshape(-1, 2)
    dense = np.clip(0.42 + 0.42 * raster.at(drift, at), 0.06, 1).tolist()
    puts = [
        put._replace(size=max(0.16, put.size * (0.6 + 0.5 * share)))
        for put, share in zip(strewn, dense, strict=True)
        if stream.draw_unit() < share
    ]
    edge = shapely.intersection(ground.exterior.buffer(2.0 * k), ground.buffer(0.5 * k))
    puts += painter.scattered(edge, country.stone, 4.6, (0.14, 0.42), f"{key}/edge", small=2)
    painter.sprites(painter.scattered(ground, "straw", 12, (0.6, 1.2), key, share=0.6), overlapping=False)
    puts.sort(key=lambda put: put.size)
    painter.shadows(puts, 2.7, 0.6, 0.42)
    painter.sprites(puts)
    bushes = painter.scattered(ground.buffer(-4 * k), "bush", 26, (0.28, 0.64), key, share=0.6)
    painter.shadows(bushes, 2.8, 0.6, 0.45)
    painter.sprites(bushes, overlapping=False)


def _dunes(painter: Painter, ground: Polygon, key: str) -> None:
    """Paint dunes: crests with a long windward side and a short lee side."""
    k, stream = painter.k, painter.stream(f"{key}/dunes")
    painter.area("sand", ground, 6, 1.7, key, lie=TextureLattice(25))
    raster, depth = painter.depths(ground, 50)
    across = (raster.across[None, :] * 0.92 + raster.up[:, None] * -0.40) / k
    bent = noise("broad", raster, 420 * k, stream) * 17 + noise("middle", raster, 90 * k, stream) * 2.0
    phase = (across + bent) / 27
    phase = phase - np.floor(phase)
    height = np.where(phase < 0.74, smooth(phase / 0.74) * 0.6 + 0.4 * phase / 0.74, smooth((1 - phase) / 0.26))
    height = height * 5.0 * np.clip(0.75 + 0.45 * noise("broad", raster, 260 * k, stream), 0.1, 1.3)
    light = lit(blurred(height * smooth(depth / (12 * k)), 0.5 * k / raster.px), raster.px / k)
    painter.ink((104, 74, 34), raster, np.clip(-light * 0.66, 0, 0.46), levels=63)
    painter.ink((255, 246, 214), raster, np.clip(light * 1.5, 0, 0.42), levels=63)
    painter.rim(ground, (112, 84, 40), 0.7, 0.45, key)
    painter.sprites(painter.scattered(ground, "straw", 22, (0.7, 1.3), key, share=0.5), overlapping=False)


def _oasis(painter: Painter, ground: Polygon, country: ClimateLook, key: str) -> None:
    """Paint an oasis: a pool with grass, reeds, bushes and palms."""
    k = painter.k
    painter.area("grass", ground, 7, 1.7, key, gain=0.95)
    core = affinity.scale(ground, 0.42, 0.34)
    painter.area("wet", core.buffer(5 * k), 4, 1.5, f"{key}/damp")
    water(painter, core, country, f"{key}/pool", growing=False)
    reeds = painter.scattered(shapely.difference(core.buffer(7 * k), core), "reed", 3.6, (0.5, 1.0), key)
    painter.sprites(reeds)
    painter.rim(ground, (70, 80, 30), 0.6, 0.42, key)
    around = shapely.difference(ground.buffer(-4 * k), core.buffer(5 * k))
    bushes = painter.scattered(around, "bush", 14, (0.3, 0.7), key, share=0.7)
    painter.shadows(bushes, 2.8, 0.6, 0.45)
    painter.sprites(bushes, overlapping=False)
    trees(painter, around, ("palm",), 11, (0.7, 1.05), f"{key}/palms")
