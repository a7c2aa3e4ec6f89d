"""Paint open, rough and wet ground and water on a mat.

``k`` is the number of printed mm for 1 mm at 1:1.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct, convert
from shapely import Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.fields_and_woods import paint_trees
from printkit.drawing.mats.frames import offset_point
from printkit.drawing.mats.painter import (
    COUNTRIES,
    Climate,
    ClimateLook,
    EdgeSide,
    Painter,
    PlacedSprite,
    TextureLattice,
)
from printkit.drawing.mats.raster import (
    Dots,
    Raster,
    between,
    blurred,
    bump,
    distance_to_line,
    inside,
    lit,
    raster_about,
    raster_noise,
    smoothstep,
)
from printkit.drawing.scatter.crowns import poisson_points
from printkit.terrain.field.features import KIND_ROWS, Area, Kind

_MIXED: Final = 25.4 / 1.5
_TINTED: Final = 25.4 / 4
_PATCHED: Final = 25.4 / 2
_TINTS: Final = ((0.30, 0.2), (0.26, 0.3), (0.20, 0.7))
_PATCHES: Final = ((0.34, 0.55, 250.0), (0.30, 0.60, 210.0))
_DARKER: Final = 0.82


def paint_ground(painter: Painter, climate_look: ClimateLook, climate: Climate, solid: BaseGeometry) -> None:
    """Paint the open ground of the board: three textures, five tints, and worn places.

    ``solid`` is the area of the features in printed mm; worn places keep away from it. The items are added to
    ``painter``.
    """
    k, (left, bottom, right, top) = painter.k, painter.board.bounds
    width, depth = right - left, top - bottom
    painter.paint_texture(climate_look.ground)
    raster = raster_about(painter.board.bounds, 0, _MIXED)
    wave_mix = _mix_noise(painter, raster, (310, 110), 0.45, "third")
    painter.paint_texture(
        climate_look.ground,
        raster,
        np.clip(0.5 + 0.9 * wave_mix, 0, 1),
        lattice=TextureLattice(-29, (left + width * 0.63, bottom + depth * 0.22)),
    )
    if climate_look.second != climate_look.ground:
        wave_mix = _mix_noise(painter, raster, (430, 150), 0.45, "second")
        painter.paint_texture(
            climate_look.second,
            raster,
            np.clip(0.36 + 0.45 * wave_mix, 0, 0.95),
            lattice=TextureLattice(37, (left + width * 0.31, bottom + depth * 0.57)),
        )
    raster = raster_about(painter.board.bounds, 0, _TINTED)
    for number, (colour, (alpha, above)) in enumerate(zip(climate_look.tints, _TINTS, strict=True)):
        wave = _mix_noise(painter, raster, (610 + 90 * number, 260), 0.35, f"tint{number}")
        painter.paint_ink(colour, raster, np.clip((wave - above) * 0.30, 0, 1) * alpha * 1.6, levels=63)
    raster = raster_about(painter.board.bounds, 0, _PATCHED)
    red, green, blue = climate_look.tints[0]
    dark = (int(red * _DARKER), int(green * _DARKER), int(blue * _DARKER))
    for number, (colour, (alpha, above, side)) in enumerate(zip((dark, climate_look.tints[1]), _PATCHES, strict=True)):
        stream = painter.stream(f"patch{number}")
        wave = 0.8 * raster_noise("middle", raster, side * k, stream) + 0.7 * raster_noise(
            "broad", raster, 520 * k, stream
        )
        painter.paint_ink(colour, raster, smoothstep((wave - above) / 1.1) * alpha)
    if climate is not Climate.WINTER:
        _paint_worn_places(painter, climate_look, solid)


def _mix_noise(painter: Painter, raster: Raster, sides: tuple[float, float], share: float, key: str) -> Dots:
    """Return broad noise plus a share of finer noise over a raster.

    ``sides`` are the widths of the broad and the fine pattern in mm at 1:1; ``key`` names the random stream.
    """
    stream, k = painter.stream(key), painter.k
    broad_noise = raster_noise("broad", raster, sides[0] * k, stream)
    return np.asarray(broad_noise + share * raster_noise("middle", raster, sides[1] * k, stream))


def _paint_worn_places(painter: Painter, climate_look: ClimateLook, solid: BaseGeometry) -> None:
    """Paint places with thin grass outside the features; ``solid`` is the area of these in printed mm.

    The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream("worn")
    free_area = shapely.difference(painter.board, shapely.buffer(solid, 12 * k))
    for number, (x, y) in enumerate(poisson_points(free_area, 150 * k, stream).tolist()):
        if stream.draw_unit() < 0.55:
            oval = affinity.scale(Point(x, y).buffer(k), stream.between(7, 20), stream.between(4, 9))
            rotated_oval = affinity.rotate(oval, stream.between(0, 180))
            painter.paint_area(climate_look.bare, rotated_oval, 14, 4.5, f"worn{number}", gain=0.62)


def paint_litter(
    painter: Painter,
    climate_look: ClimateLook,
    solid: BaseGeometry,
    dressed_area: BaseGeometry = NOTHING,
    *,
    has_bushes: bool = True,
) -> None:
    """Paint tufts, stones and, with ``has_bushes``, single bushes in drifts on open ground.

    ``solid`` is the area of the features and ``dressed_area`` that of fields and lanes, both in printed mm; they stay
    free. Fields and lanes move no tuft elsewhere. The items are added to ``painter``.
    """
    k = painter.k
    free_area = shapely.difference(painter.board.buffer(-2 * k), shapely.buffer(solid, 3 * k))
    raster = raster_about(painter.board.bounds, 0, _PATCHED)
    drift = _mix_noise(painter, raster, (330, 120), 0.4, "drift")
    litter_kinds = (
        (climate_look.tuft, 4.2, 0.0, (0.4, 1.05), (0.03, 0.34, -0.45, 0.006)),
        (climate_look.stone, 15.0, 3.0, (0.10, 0.30), (0.16, -0.25, 0.0, 0.05)),
        ("bush", 20.0, 6.0, (0.25, 0.62), (0.0, 0.30, -0.45, 0.0)),
    )
    shapely.prepare(dressed_area)
    for sprite_kind, spacing, clear, sizes, (first, slope, offset, min_share) in litter_kinds[: 3 if has_bushes else 2]:
        stream = painter.stream(f"litter/{sprite_kind}")
        points = poisson_points(shapely.buffer(free_area, -clear * k) if clear else free_area, spacing * k, stream)
        if len(points):
            share = np.clip(first + slope * (raster.at(drift, points) + offset), min_share, 0.5)
            puts = painter.choose_sprites(points, sprite_kind, sizes, stream, share=share)
            hidden = shapely.contains_xy(dressed_area, [put.x for put in puts], [put.y for put in puts]).tolist()
            puts = [put for put, is_hidden in zip(puts, hidden, strict=True) if not is_hidden]
            if sprite_kind != climate_look.tuft:
                painter.paint_shadows(puts, 2.6, 0.55, 0.4)
            painter.paint_sprites(puts, overlapping=False)


# Area of large water, which becomes deep more slowly, in mm2 at 1:1.
_LARGE = 6000.0
# The least and the greatest width of the dark foot of a bank in mm at 1:1, and its rest at an end.
_RIM: Final = (0.4, 1.6)
_LEAST_RIM: Final = 0.02

# How bends are found: dots per inch, blur in mm at 1:1, and the bend per mm at 1:1 where the foot inside is gone.
_BEND_DPI: Final = 25.0
_BEND_BLUR: Final = 2.5
_SHARP_BEND: Final = 0.018
_FOAM = (238, 242, 238)
# Lines of surf: distance from the shore and half width in mm at 1:1, opacity, and share of the line that breaks.
_BREAKERS = ((1.2, 0.8, 0.9, 1.0), (4.6, 0.6, 0.7, 0.55), (9.5, 0.55, 0.55, 0.34))


def _paint_marsh(painter: Painter, feature: Area) -> None:
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
    clear_area: BaseGeometry = NOTHING,
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
    rim_mm = _rim_widths(raster, depth, k, stream)
    rim = bump(board_depth_mm + 0.25 * rim_mm, 0.5 * rim_mm + _LEAST_RIM) * np.clip(rim_mm / _RIM[0], 0, 1)
    painter.paint_ink((30, 24, 10), raster, np.where(board_depth_mm < 0.2, rim, 0) * 0.72)
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


def _rim_widths(raster: Raster, depth: Dots, k: float, stream: Stream) -> Dots:
    """Return the width in mm at 1:1 of the dark foot of the bank near each dot; 0 inside a bend, where sand settles.

    ``depth`` is that of each dot in the water, in printed mm; ``k`` is the printed length of 1 mm at 1:1.
    """
    least, most = _RIM
    frame = raster.frame
    dots = raster_about((frame.x, frame.y, frame.right, frame.top), 0, _BEND_DPI)
    depth = between(depth, raster, dots)
    blur = _BEND_BLUR * k / dots.px
    down, across = np.gradient(blurred(depth, blur) / dots.px)
    # The sum of the second slopes of a distance is the bend of its outline, per mm; positive inside a bend of water.
    bend = (np.gradient(down, axis=0) + np.gradient(across, axis=1)) / dots.px * k
    outside_bend = smoothstep(1.0 - blurred(bend, blur) / _SHARP_BEND)
    wave = raster_noise("middle", dots, 50 * k, stream)
    return between(np.clip((least + most) / 2 + 0.5 * wave, least, most) * outside_bend, dots, raster)


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


class GroundLook(Struct, frozen=True, kw_only=True):
    """The look of ground with one texture, from its row in the table of kinds.

    Attributes:
        texture: the texture.
        edge: how far it fades and wavers at the edge, in mm at 1:1.
        rim: the colour of the line around it.
        rim_size: the width of this line in mm at 1:1, and its opacity.
    """

    texture: str
    edge: tuple[float, float]
    rim: tuple[int, int, int]
    rim_size: tuple[float, float]


class _StonyLook(Struct, frozen=True):
    """The look of a kind of stony ground on mats, from its row in the table of kinds.

    Attributes:
        earth: how much of the grass the bare earth hides, from 0 to 1.
        stones: distance between stones in mm at 1:1, and the size of the largest as a share of its picture.
        bushes: distance between bushes in mm at 1:1.
        tufts: distance between tufts of straw in mm at 1:1.
    """

    earth: float
    stones: tuple[float, float]
    bushes: float
    tufts: float


def paint_open_ground(painter: Painter, feature: Area, climate: Climate) -> None:
    """Paint an area of open, rough, wet or rocky ground, such as rocks, scrub, dunes, a beach or an oasis.

    The items are added to ``painter``.
    """
    ground, key, k, climate_look = feature.outline, feature.id, painter.k, COUNTRIES[climate]
    row = KIND_ROWS[feature.kind]
    match row.mat:
        case "flat":
            look = convert(row.paint, GroundLook)
            painter.paint_area(look.texture, ground, *look.edge, key)
            painter.paint_rim(ground, look.rim, *look.rim_size, key)
        case "stones":
            _paint_stony_ground(painter, feature, climate_look)
        case "marsh":
            _paint_marsh(painter, feature)
        case "scrub":
            painter.paint_area("snow" if climate is Climate.WINTER else "steppe", ground, 5, 1.7, key, gain=0.55)
            painter.paint_rim(ground, (74, 72, 30), 0.6, 0.42, key)
            tufts = painter.scatter_sprites(ground, "straw", 6, (0.5, 1.2), key, share=0.8)
            painter.paint_sprites(tufts, overlapping=False)
            bushes = painter.scatter_sprites(
                ground.buffer(-2 * k), "bush", 5.2, (0.25, 1.05), key, share=0.86, small_power=2
            )
            painter.paint_shadows(bushes, 2.8, 0.62, 0.45)
            painter.paint_sprites(sorted(bushes, key=lambda put: put.size))
        case "dunes":
            _paint_dunes(painter, ground, key)
        case "clearing":
            painter.paint_area(climate_look.meadow, ground, 3, 1.2, key, gain=0.7)
            tufts = painter.scatter_sprites(ground, "tuft", 8, (0.4, 1.0), key, share=0.5)
            painter.paint_sprites(tufts, overlapping=False)
        case "oasis":
            _paint_oasis(painter, ground, climate_look, key)


def _paint_stony_ground(painter: Painter, feature: Area, climate_look: ClimateLook) -> None:
    """Paint rough ground: large stones in drifts, and small ones along the edge.

    The items are added to ``painter``.
    """
    ground, key, k = feature.outline, feature.id, painter.k
    look = convert(KIND_ROWS[feature.kind].paint, _StonyLook)
    painter.paint_area("rough", ground, 3.5, 1.6, key, gain=look.earth)
    painter.paint_rim(ground, (52, 42, 22), 3.2, 0.34, key, EdgeSide.INSIDE)
    painter.paint_rim(ground, (40, 32, 14), 0.55, 0.45, key)
    raster, _ = painter.measure_depths(ground, 25)
    stream = painter.stream(f"{key}/drifts")
    drift = raster_noise("middle", raster, 110 * k, stream)
    spacing, largest = look.stones
    stones = painter.scatter_sprites(
        ground.buffer(-2.5 * k), climate_look.stone, spacing, (0.17, largest), key, small_power=3
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
    tufts = painter.scatter_sprites(ground, "straw", look.tufts, (0.6, 1.2), key, share=0.6)
    painter.paint_sprites(tufts, overlapping=False)
    puts.sort(key=lambda put: put.size)
    painter.paint_shadows(puts, 2.7, 0.6, 0.42)
    painter.paint_sprites(puts)
    bushes = painter.scatter_sprites(ground.buffer(-4 * k), "bush", look.bushes, (0.28, 0.64), key, share=0.6)
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
