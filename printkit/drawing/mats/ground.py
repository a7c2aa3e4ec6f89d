"""Paint the open ground of a mat: mixed textures without visible repeats, tints, worn places, tufts and stones."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from shapely import Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.mats.painter import Climate, ClimateLook, Painter, TextureLattice
from printkit.drawing.mats.raster import Dots, Raster, raster_about, raster_noise, smoothstep
from printkit.drawing.scatter.scatter import poisson_points

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


def paint_litter(painter: Painter, climate_look: ClimateLook, solid: BaseGeometry) -> None:
    """Paint tufts, stones and single bushes in drifts on open ground.

    ``solid`` is the area of the features in printed mm, which stays free. The items are added to ``painter``.
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
    for sprite_kind, spacing, clear, sizes, (first, slope, offset, min_share) in litter_kinds:
        stream = painter.stream(f"litter/{sprite_kind}")
        points = poisson_points(shapely.buffer(free_area, -clear * k) if clear else free_area, spacing * k, stream)
        if len(points):
            share = np.clip(first + slope * (raster.at(drift, points) + offset), min_share, 0.5)
            puts = painter.choose_sprites(points, sprite_kind, sizes, stream, share=share)
            if sprite_kind != climate_look.tuft:
                painter.paint_shadows(puts, 2.6, 0.55, 0.4)
            painter.paint_sprites(puts, overlapping=False)
