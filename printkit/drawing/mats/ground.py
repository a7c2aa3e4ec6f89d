"""Paint the open ground of a mat: mixed textures without visible repeats, tints, worn places, tufts and stones."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from shapely import Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.mats.climates import Climate, ClimateLook
from printkit.drawing.mats.painter import Painter, TextureLattice
from printkit.drawing.mats.raster import Dots, Raster, noise, raster_about, smooth
from printkit.drawing.scatter.scatter import poisson_points

_MIXED: Final = 25.4 / 1.5
_TINTED: Final = 25.4 / 4
_PATCHED: Final = 25.4 / 2
_TINTS: Final = ((0.30, 0.2), (0.26, 0.3), (0.20, 0.7))
_PATCHES: Final = ((0.34, 0.55, 250.0), (0.30, 0.60, 210.0))
_DARKER: Final = 0.82


def ground(painter: Painter, country: ClimateLook, climate: Climate, solid: BaseGeometry) -> None:
    """Paint the ground of the board: three textures, five tints, and worn places away from ``solid`` features."""
    k, (left, low, right, high) = painter.k, painter.board.bounds
    wide, deep = right - left, high - low
    painter.texture(country.ground)
    raster = raster_about(painter.board.bounds, 0, _MIXED)
    mixed = _waves(painter, raster, (310, 110), 0.45, "third")
    painter.texture(
        country.ground,
        raster,
        np.clip(0.5 + 0.9 * mixed, 0, 1),
        lie=TextureLattice(-29, (left + wide * 0.63, low + deep * 0.22)),
    )
    if country.second != country.ground:
        mixed = _waves(painter, raster, (430, 150), 0.45, "second")
        painter.texture(
            country.second,
            raster,
            np.clip(0.36 + 0.45 * mixed, 0, 0.95),
            lie=TextureLattice(37, (left + wide * 0.31, low + deep * 0.57)),
        )
    raster = raster_about(painter.board.bounds, 0, _TINTED)
    for number, (colour, (alpha, above)) in enumerate(zip(country.tints, _TINTS, strict=True)):
        wave = _waves(painter, raster, (610 + 90 * number, 260), 0.35, f"tint{number}")
        painter.ink(colour, raster, np.clip((wave - above) * 0.30, 0, 1) * alpha * 1.6, levels=63)
    raster = raster_about(painter.board.bounds, 0, _PATCHED)
    red, green, blue = country.tints[0]
    dark = (int(red * _DARKER), int(green * _DARKER), int(blue * _DARKER))
    for number, (colour, (alpha, above, side)) in enumerate(zip((dark, country.tints[1]), _PATCHES, strict=True)):
        stream = painter.stream(f"patch{number}")
        wave = 0.8 * noise("middle", raster, side * k, stream) + 0.7 * noise("broad", raster, 520 * k, stream)
        painter.ink(colour, raster, smooth((wave - above) / 1.1) * alpha)
    if climate is not Climate.WINTER:
        _worn(painter, country, solid)


def _waves(painter: Painter, raster: Raster, sides: tuple[float, float], share: float, key: str) -> Dots:
    stream, k = painter.stream(key), painter.k
    broad = noise("broad", raster, sides[0] * k, stream)
    return np.asarray(broad + share * noise("middle", raster, sides[1] * k, stream))


def _worn(painter: Painter, country: ClimateLook, solid: BaseGeometry) -> None:
    """Paint places with thin grass."""
    k, stream = painter.k, painter.stream("worn")
    free = shapely.difference(painter.board, shapely.buffer(solid, 12 * k))
    for number, (x, y) in enumerate(poisson_points(free, 150 * k, stream).tolist()):
        if stream.draw_unit() < 0.55:
            oval = affinity.scale(Point(x, y).buffer(k), stream.between(7, 20), stream.between(4, 9))
            turned = affinity.rotate(oval, stream.between(0, 180))
            painter.area(country.bare, turned, 14, 4.5, f"worn{number}", gain=0.62)


def litter(painter: Painter, country: ClimateLook, solid: BaseGeometry) -> None:
    """Paint drifts of tufts, stones and single bushes on open ground."""
    k = painter.k
    free = shapely.difference(painter.board.buffer(-2 * k), shapely.buffer(solid, 3 * k))
    raster = raster_about(painter.board.bounds, 0, _PATCHED)
    drift = _waves(painter, raster, (330, 120), 0.4, "drift")
    strewn = (
        (country.tuft, 4.2, 0.0, (0.4, 1.05), (0.03, 0.34, -0.45, 0.006)),
        (country.stone, 15.0, 3.0, (0.10, 0.30), (0.16, -0.25, 0.0, 0.05)),
        ("bush", 20.0, 6.0, (0.25, 0.62), (0.0, 0.30, -0.45, 0.0)),
    )
    for sort, spacing, clear, sizes, (first, slope, at, least) in strewn:
        stream = painter.stream(f"litter/{sort}")
        places = poisson_points(shapely.buffer(free, -clear * k) if clear else free, spacing * k, stream)
        if len(places):
            share = np.clip(first + slope * (raster.at(drift, places) + at), least, 0.5)
            puts = painter.chosen(places, sort, sizes, stream, share=share)
            if sort != country.tuft:
                painter.shadows(puts, 2.6, 0.55, 0.4)
            painter.sprites(puts, overlapping=False)
