"""Paint hills on a mat, lit from the north-west: domes, terraces, steep slopes, cliffs, screes and mountains."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon

from printkit.drawing.mats.climates import Climate, ClimateLook
from printkit.drawing.mats.painter import Painter
from printkit.drawing.mats.raster import Dots, Raster, apart, blurred, bump, inside, lit, noise, noise_along, smooth
from printkit.drawing.mats.raster import along as along_line
from printkit.terrain.field.features import Hill, HillFace, Kind

_COARSE: Final = 50.0
# Colours of shade and light and the strength of shade, on grass (False) and on snow (True).
_SHADES: Final = {False: ((28, 26, 10), (244, 238, 160), 1.0), True: ((58, 66, 84), (255, 255, 255), 0.7)}

_FOOT: Final = (58, 50, 24)
_REACH: Final = {Kind.CLIFF: 8.0, Kind.SCREE: 13.0}
_STEEP: Final = 11.0


def hill(painter: Painter, feature: Hill, country: ClimateLook, climate: Climate) -> None:
    """Paint a hill with its upper contours and its faces."""
    k, stream = painter.k, painter.stream(f"{feature.id}/relief")
    raster = painter.raster(feature.outline, 8, _COARSE)
    base = inside(feature.outline, raster) / k
    heights = _heights(painter, feature, raster, base)
    if feature.kind is Kind.MOUNTAIN:
        heights = _ridges(painter, feature, raster, base, heights)
    light = lit(blurred(heights, 0.9 * k / raster.px), raster.px / k)
    fade = smooth((base + 2.5) / 4.5)
    cap = 0.16 * smooth(base / 16) + 0.26 * noise("broad", raster, 120 * k, stream)
    if feature.kind is not Kind.MOUNTAIN:
        painter.texture("snow" if climate is Climate.WINTER else country.second, raster, fade * np.clip(cap, 0, 0.8))
    grain = 1 + 0.16 * noise("middle", raster, 45 * k, stream)
    shade, bright, strength = _SHADES[climate is Climate.WINTER]
    painter.ink(shade, raster, np.clip((-light * 0.98 - 0.01) * grain, 0, 0.60) * fade * strength, levels=63)
    painter.ink(bright, raster, np.clip((light * 0.62 - 0.015) * grain, 0, 0.24) * fade, levels=63)
    for number, contour in enumerate(feature.contours):
        _foot(painter, contour, f"{feature.id}/foot{number}", 0.80 if number == 0 else 0.52)
    if feature.going.is_impassable:
        painter.line(feature.outline.exterior, (24, 20, 10), 1.0, 0.85)
    for number, each in enumerate(feature.faces):
        face(painter, each, feature.outline, f"{feature.id}/face{number}")
    stones = painter.scattered(
        feature.outline.buffer(-6 * k), country.stone, 24, (0.12, 0.4), f"{feature.id}/stones", share=0.45
    )
    painter.shadows(stones, 2.0, 0.5, 0.4)
    painter.sprites(stones, overlapping=False)


def _heights(painter: Painter, feature: Hill, raster: Raster, base: Dots) -> Dots:
    """Return heights in mm: a dome per contour, flatter at the top, steeper at steep slopes."""
    k, stream = painter.k, painter.stream(f"{feature.id}/heights")
    warp = np.clip(1 + 0.26 * noise("broad", raster, 230 * k, stream), 0.5, 1.5)
    found = np.zeros_like(base)
    for number, contour in enumerate(feature.contours):
        depth = base if number == 0 else inside(contour, raster) / k
        inner = max(float(depth.max()), 8.0)
        deep = np.clip(depth * warp, 0, None)
        dome = 5.0 * smooth(deep / 15) + 11.5 * min(1.25, math.pow(inner / 45, 0.55)) * smooth(deep / (inner * 0.92))
        dome = dome + (blurred(dome, 3.5 * k / raster.px) - dome) * smooth((depth - 6) / 14)
        found = found + (dome if number == 0 else dome * 0.55 + 2.6 * smooth(depth / 7))
        if number == 0 and feature.faces:
            weight = np.zeros_like(base)
            for each in feature.faces:
                far = apart(each.line, raster) / k - np.clip(base, 0, None)
                weight = np.maximum(weight, smooth(1.35 - far / 9))
            weight = blurred(weight, 1.5 * k / raster.px)
            found = found * (1 - 0.55 * weight) + weight * 9.5 * smooth(base / 12)
    rolling = noise("broad", raster, 240 * k, stream) * 0.35 + noise("broad", raster, 420 * k, stream) * 0.75
    return np.asarray(found + rolling * smooth(base / 22))


def _ridges(painter: Painter, feature: Hill, raster: Raster, base: Dots, heights: Dots) -> Dots:
    """Return the heights of a mountain with ridges and gullies, and paint its rock."""
    k, stream = painter.k, painter.stream(f"{feature.id}/ridges")
    broad = np.abs(noise("broad", raster, 300 * k, stream))
    middle = np.abs(noise("middle", raster, 240 * k, stream))
    rock = smooth((base - 2 + noise("middle", raster, 60 * k, stream) * 3) / 5) * 0.9
    painter.texture("rock", raster, rock)
    return np.asarray(heights * 1.9 - (13 * broad * smooth(base / 14) + 4.5 * middle * smooth(base / 9)))


def _foot(painter: Painter, contour: Polygon, key: str, alpha: float) -> None:
    """Paint a worn line along a contour, so that the recorded outline is visible."""
    raster, depth = painter.depths(contour)
    k = painter.k
    wave = noise("middle", raster, 50 * k, painter.stream(key))
    band = bump(depth - (0.1 - wave * 0.2) * k, 0.7 * k) * np.clip(0.68 + 0.28 * wave, 0.38, 0.9)
    painter.ink(_FOOT, raster, band * alpha)


def face(painter: Painter, each: HillFace, outline: Polygon, key: str) -> None:
    """Paint a hill face: rock ribs on a steep slope, rock on a cliff, stones on a scree."""
    k = painter.k
    hard = each.kind is Kind.CLIFF or each.going.is_impassable
    wide = _REACH.get(each.kind, _STEEP) * k
    line = each.line.simplify(0.02)
    band = shapely.intersection(line.buffer(wide * 1.4, cap_style="flat"), outline.buffer(0.6 * k))
    if band.is_empty:
        return
    raster = painter.raster(band, 2)
    depth = inside(outline, raster)
    off = apart(line, raster)
    chosen = (depth > -3 * k) & (depth < wide * 1.7) & (off < wide * 1.9)
    along = np.zeros_like(depth)
    if chosen.any():
        along[chosen] = along_line(line, raster.places(chosen))
    stream = painter.stream(key)
    along = (
        along + noise("middle", raster, 40 * k, stream) * 0.35 * k + noise("broad", raster, 60 * k, stream) * 0.8 * k
    )
    fine, slow = (noise_along(along, side * k, stream) for side in (260, 900))
    end = smooth((np.minimum(along, line.length - along) + 3 * k) / (6 * k)) * smooth(
        (wide * 1.3 + 2 * k - off) / (4 * k) + 0.5
    )
    reach = wide * np.clip(1 + 0.24 * slow + 0.22 * fine, 0.35, 1.5)
    down = np.clip(depth / reach, 0, 1)
    shown = smooth(depth / (0.9 * k) + 0.6) * smooth((reach - depth) / (2.2 * k)) * end * chosen
    bare = 0.80 if each.kind is Kind.CLIFF else 0.50 + 0.28 * fine
    painter.texture("gravel" if each.kind is Kind.SCREE else "rock", raster, np.clip(shown * bare, 0, 0.95))
    facing = _facing(line)
    rib = fine * 4 * down * (1 - down)
    painter.ink((24, 20, 10), raster, np.clip((0.10 - 0.12 * facing + 0.19 * rib + 0.08 * (1 - down)) * shown, 0, 0.66))
    painter.ink((255, 240, 206), raster, np.clip((0.14 + 0.18 * facing - 0.17 * rib) * shown, 0, 0.45))
    strength = 0.95 if hard else np.clip(0.42 + 0.18 * slow, 0.15, 0.7)
    painter.ink((22, 18, 8), raster, bump(depth - 0.3 * k, 0.65 * k) * end * strength * chosen)
    painter.ink(
        (24, 22, 8), raster, bump(depth - reach, 0.45 * k) * end * np.clip(0.22 + 0.22 * slow, 0, 0.55) * chosen
    )
    if hard:
        painter.line(line, (22, 18, 8), 0.9, 0.85)
    _fallen(painter, band, each, key)


def _fallen(painter: Painter, band: Polygon, each: HillFace, key: str) -> None:
    spacing = 3.5 if each.kind is Kind.SCREE else 7.0
    stones = painter.scattered(band, "stone", spacing, (0.15, 0.5), f"{key}/fallen", small=2)
    painter.shadows(stones, 2.2, 0.5, 0.4)
    painter.sprites(stones)


def _facing(line: LineString) -> float:
    """Return how much a face, whose crest is left of its line, faces north-west: from -1 to 1."""
    first, last = line.coords[0], line.coords[-1]
    across, up = last[0] - first[0], last[1] - first[1]
    length = math.hypot(across, up) or 1.0
    return float((-up - across) / length * 0.7071)


def alone(painter: Painter, line: LineString, key: str) -> None:
    """Paint a cliff without a hill; its rock is right of the line."""
    side = line.buffer(-7 * painter.k, single_sided=True)
    painter.area("rock", side, 2.0, 0.8, key)
    painter.rim(side, (24, 20, 10), 1.6, 0.5, key)
    painter.line(line, (22, 18, 8), 1.2, 0.9)
