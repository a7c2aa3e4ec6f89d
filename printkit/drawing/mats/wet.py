"""Paint wet ground and water on a mat: marshes, ditches and ravines, rivers and lakes with banks, surf."""

from __future__ import annotations

import math

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.climates import ClimateLook
from printkit.drawing.mats.frames import beside
from printkit.drawing.mats.painter import Painter, PlacedSprite
from printkit.drawing.mats.raster import apart, blurred, bump, inside, lit, noise, smooth
from printkit.drawing.mats.woods import trees
from printkit.drawing.scatter.scatter import poisson_points
from printkit.terrain.field.features import Area, Kind

_NOTHING = Polygon()
_LARGE = 6000.0
_FOAM = (238, 242, 238)
# Lines of surf: distance from the shore and width in mm, opacity, and share of the line that breaks.
_BREAKERS = ((1.2, 0.8, 0.9, 1.0), (4.6, 0.6, 0.7, 0.55), (9.5, 0.55, 0.55, 0.34))


def wet(painter: Painter, feature: Area) -> None:
    """Paint a marsh, a swamp or boggy ground."""
    ground, key, k = feature.outline, feature.id, painter.k
    painter.area("wet", ground, 5, 1.7, key, gain=0.95)
    painter.rim(ground, (36, 44, 18), 0.75, 0.74, key)
    raster, depth = painter.depths(ground)
    stream = painter.stream(f"{key}/pools")
    wave = noise("broad", raster, 95 * k, stream) + 0.30 * noise("middle", raster, 45 * k, stream)
    above = 0.8 if feature.kind is Kind.BOGGY_GROUND else 0.25
    pool = smooth((wave - above) / 0.30) * smooth((depth - 5 * k) / (3 * k))
    painter.ink((36, 40, 22), raster, smooth((wave - above + 0.30) / 0.35) * smooth((depth - 4 * k) / (4 * k)) * 0.55)
    painter.texture("water", raster, pool * 0.92)
    slope = lit(blurred(pool, 1.2), 1.0)
    painter.ink((14, 22, 18), raster, np.clip(slope * 2.2, 0, 0.55) * (pool > 0.02))
    painter.ink((214, 220, 190), raster, np.clip(-slope * 1.2, 0, 0.30))
    places = poisson_points(ground.buffer(-3.5 * k), 3.6 * k, stream)
    if len(places):
        here = raster.at(wave, places)
        share = np.where(here > above + 0.12, 0.0, np.where(here > above - 0.6, 0.75, 0.24))
        painter.sprites(painter.chosen(places, "reed", (0.45, 1.05), stream, share=share))
    if feature.kind is Kind.SWAMP:
        trees(painter, ground.buffer(-4 * k), ("oak",), 20, (0.5, 0.8), f"{key}/trees")


def cut(painter: Painter, ground: BaseGeometry, key: str) -> None:
    """Paint a ditch, a gully or a ravine: sunk into the ground, with its shaded side dark."""
    k = painter.k
    painter.area("earth", ground.buffer(1.5 * k), 2, 0.8, key)
    raster, depth = painter.depths(ground)
    deepest = max(2.0 * k, float(depth.max()))
    light = lit(blurred(-6.0 * smooth(depth / deepest), 0.5 * k / raster.px), raster.px / k)
    painter.ink((20, 16, 8), raster, np.clip(-light * 0.6 + 0.18 * smooth(depth / (2 * k)), 0, 0.75))
    painter.ink((255, 240, 206), raster, np.clip(light * 0.35, 0, 0.4))
    painter.rim(ground, (40, 32, 16), 0.55, 0.5, key)
    stones = painter.scattered(ground, "stone", 10, (0.13, 0.36), key)
    painter.shadows(stones, 2.6, 0.55, 0.4)
    painter.sprites(stones, overlapping=False)


def waters(painter: Painter, found: BaseGeometry, country: ClimateLook, kept: BaseGeometry, *, growing: bool) -> None:
    """Paint all water of the board together, so that mouths join. ``kept`` stays free of plants."""
    for number, part in enumerate(polygons(found)):
        water(painter, part, country, f"water{number}", kept=kept, growing=growing)


def water(
    painter: Painter,
    ground: Polygon,
    country: ClimateLook,
    key: str,
    *,
    kept: BaseGeometry = _NOTHING,
    growing: bool = True,
) -> None:
    """Paint water: an earth bank with a solid dark line, shallows, deep water, and the shadow of the banks."""
    k, stream = painter.k, painter.stream(f"{key}/water")
    painter.area(country.bare, ground.buffer(2.0 * k), 3.0, 1.0, f"{key}/bank")
    raster, depth = painter.depths(ground)
    waver = noise("middle", raster, 55 * k, stream) * 0.40 + noise("middle", raster, 18 * k, stream) * 0.25
    deep = depth / k + waver
    painter.ink((30, 24, 10), raster, np.where(deep < 0.2, bump(deep + 0.4, 0.8), 0) * 0.72)
    painter.texture("water", raster, smooth(deep / 0.8 + 0.5))
    painter.ink((150, 140, 104), raster, smooth(deep / 0.6 + 0.3) * bump(np.clip(deep, 0, None), 1.6) * 0.42)
    reach = 11 if ground.area > _LARGE * k * k else 6
    wave = np.clip(1 + 0.25 * noise("broad", raster, 160 * k, stream), 0.6, 1.3)
    painter.ink((16, 34, 48), raster, smooth((deep - 3) / reach) * 0.26 * wave, levels=63)
    light = lit(blurred(smooth(deep / 2.2 + 0.5), 0.5), raster.px / k)
    painter.ink((10, 16, 16), raster, np.clip(light * 1.3, 0, 0.55) * smooth(deep + 0.6))
    painter.ink((236, 240, 226), raster, np.clip(-light * 0.55, 0, 0.30) * smooth(deep + 0.3))
    painter.line(ground.boundary, (28, 22, 10), 0.45, 0.62)
    if growing:
        _bank(painter, ground, kept, key)


def surf(painter: Painter, found: BaseGeometry, sea: BaseGeometry, beach: BaseGeometry) -> None:
    """Paint the surf along seas and beaches, and the wet sand beside it."""
    k, stream = painter.k, painter.stream("surf")
    near = shapely.union(sea.buffer(k), beach.buffer(4 * k))
    edge = shapely.buffer(painter.board.exterior, 2 * k)
    for part in polygons(found):
        shore = shapely.difference(shapely.intersection(part.boundary, near), edge)
        if shore.is_empty:
            continue
        raster, depth = painter.depths(part)
        away = apart(shore, raster) / k
        bent = noise("middle", raster, 70 * k, stream) * 0.9 + noise("middle", raster, 22 * k, stream) * 0.55
        drawn_out = noise("broad", raster, 210 * k, stream) * 0.8 + noise("middle", raster, 34 * k, stream) * 0.35
        within = smooth(depth / (0.6 * k))
        for number, (off, wide, strong, breaking) in enumerate(_BREAKERS):
            crest = bump(away + bent * (0.5 + 0.5 * number) - off, wide)
            painter.ink(_FOAM, raster, crest * within * strong * np.clip(breaking + drawn_out, 0.3 * breaking, 1))
        sand = shapely.intersection(beach, shapely.buffer(part, 12 * k))
        for wet_sand in polygons(sand):
            dots = painter.raster(wet_sand, 2)
            soaked = smooth(1 - (apart(shore, dots) / k + noise("middle", dots, 50 * k, stream) * 1.2) / 7)
            painter.ink((108, 90, 58), dots, soaked * smooth(inside(wet_sand, dots) / k + 0.5) * 0.42)


def _bank(painter: Painter, ground: Polygon, kept: BaseGeometry, key: str) -> None:
    """Paint reeds and stones along a bank, but not on roads."""
    k, stream = painter.k, painter.stream(f"{key}/growth")
    shapely.prepare(kept)
    reeds: list[PlacedSprite] = []
    stones: list[PlacedSprite] = []
    for ring in (ground.exterior, *ground.interiors):
        along = stream.between(0, 5) * k
        while along < ring.length:
            x, y = beside(ring, along, (stream.draw_normal(1.0) - 0.9) * k, k)
            if not shapely.contains_xy(kept, x, y):
                chance = stream.draw_unit()
                if chance < 0.42:
                    reeds.append(
                        PlacedSprite(
                            painter.picked(stream, "reed"), x, y, stream.between(0.35, 0.8), stream.draw_unit() < 0.5
                        )
                    )
                elif chance < 0.70:
                    stones.append(PlacedSprite(painter.picked(stream, "stone"), x, y, stream.between(0.10, 0.34)))
            step = (
                1.2 - 5.5 * math.log(1.0 - stream.draw_unit()) if stream.draw_unit() < 0.8 else 26 * stream.draw_unit()
            )
            along += max(step, 0.5) * k
    painter.shadows(stones, 2.4, 0.5, 0.35)
    painter.sprites(stones, overlapping=False)
    painter.sprites(reeds, overlapping=False)
