"""Paint hills on a mat, lit from the north-west: domes, terraces, steep slopes, cliffs, screes and mountains."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon

from printkit.drawing.mats.painter import Climate, ClimateLook, Painter
from printkit.drawing.mats.raster import (
    Dots,
    Raster,
    blurred,
    bump,
    distance_to_line,
    inside,
    line_noise,
    lit,
    raster_noise,
    smoothstep,
)
from printkit.drawing.mats.raster import distance_along_line as along_line
from printkit.terrain.field.features import Hill, HillFace, Kind

_COARSE: Final = 50.0
# Colours of shade and light and the strength of shade, on grass (False) and on snow (True).
_SHADES: Final = {False: ((28, 26, 10), (244, 238, 160), 1.0), True: ((58, 66, 84), (255, 255, 255), 0.7)}

# The line at the foot of a contour: its colour, its opacity, and that on the lit side of gentle ground. The line is
# strongest on two thirds of the contour, away from the light.
_FOOT: Final = (58, 50, 24)
_FOOT_ALPHA: Final = (0.45, 0.19)
_FOOT_UPPER: Final = 0.7
# The greatest opacity of shade; a deeper one looks like a smudge. ``_SOFTER`` bends the shade towards it.
_MAX_SHADE: Final = 0.42
_SOFTER: Final = 0.9
_FACE_WIDTHS: Final = {Kind.CLIFF: 8.0, Kind.SCREE: 13.0}
_STEEP_WIDTH: Final = 11.0


def paint_hill(painter: Painter, feature: Hill, climate_look: ClimateLook, climate: Climate) -> None:
    """Paint a hill in printed mm with its upper contours and its faces.

    The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(f"{feature.id}/relief")
    raster = painter.make_raster(feature.outline, 8, _COARSE)
    base = inside(feature.outline, raster) / k
    heights = _dome_heights(painter, feature, raster, base)
    if feature.kind is Kind.MOUNTAIN:
        heights = _mountain_heights(painter, feature, raster, base, heights)
    light = lit(blurred(heights, 0.9 * k / raster.px), raster.px / k)
    fade = smoothstep((base + 2.5) / 4.5)
    cap = 0.16 * smoothstep(base / 16) + 0.26 * raster_noise("broad", raster, 120 * k, stream)
    if feature.kind is not Kind.MOUNTAIN:
        painter.paint_texture(
            "snow" if climate is Climate.WINTER else climate_look.second, raster, fade * np.clip(cap, 0, 0.8)
        )
    grain = 1 + 0.16 * raster_noise("middle", raster, 45 * k, stream)
    shade, bright, strength = _SHADES[climate is Climate.WINTER]
    darkness = np.clip((-light * 0.98 - 0.01) * grain, 0, 2)
    darkness = np.minimum(darkness / (1 + darkness / _SOFTER), _MAX_SHADE)
    painter.paint_ink(shade, raster, darkness * fade * strength, levels=63)
    painter.paint_ink(bright, raster, np.clip((light * 0.62 - 0.015) * grain, 0, 0.24) * fade, levels=63)
    for number, contour in enumerate(feature.contours):
        share = 1.0 if number == 0 else _FOOT_UPPER
        _paint_contour(painter, contour, f"{feature.id}/foot{number}", share, is_slow=feature.going.rank > 0)
    if feature.going.is_impassable:
        painter.line(feature.outline.exterior, (24, 20, 10), 1.0, 0.85)
    for number, hill_face in enumerate(feature.faces):
        paint_face(painter, hill_face, feature.outline, f"{feature.id}/face{number}")
    stones = painter.scatter_sprites(
        feature.outline.buffer(-6 * k), climate_look.stone, 24, (0.12, 0.4), f"{feature.id}/stones", share=0.45
    )
    painter.paint_shadows(stones, 2.0, 0.5, 0.4)
    painter.paint_sprites(stones, overlapping=False)


def _dome_heights(painter: Painter, feature: Hill, raster: Raster, base: Dots) -> Dots:
    """Return the height of each dot in mm at 1:1: a dome per contour, steeper at steep slopes.

    ``base`` is the depth of each dot inside the outline, in mm at 1:1.
    """
    k, stream = painter.k, painter.stream(f"{feature.id}/heights")
    warp = np.clip(1 + 0.26 * raster_noise("broad", raster, 230 * k, stream), 0.5, 1.5)
    heights = np.zeros_like(base)
    for number, contour in enumerate(feature.contours):
        depth = base if number == 0 else inside(contour, raster) / k
        inner = max(float(depth.max()), 8.0)
        warped_depth = np.clip(depth * warp, 0, None)
        dome = 5.0 * smoothstep(warped_depth / 15) + 11.5 * min(1.25, math.pow(inner / 45, 0.55)) * smoothstep(
            warped_depth / (inner * 0.92)
        )
        dome = dome + (blurred(dome, 3.5 * k / raster.px) - dome) * smoothstep((depth - 6) / 14)
        heights = heights + (dome if number == 0 else dome * 0.55 + 2.6 * smoothstep(depth / 7))
        if number == 0 and feature.faces:
            weight = np.zeros_like(base)
            for hill_face in feature.faces:
                face_distance = distance_to_line(hill_face.line, raster) / k - np.clip(base, 0, None)
                weight = np.maximum(weight, smoothstep(1.35 - face_distance / 9))
            weight = blurred(weight, 1.5 * k / raster.px)
            heights = heights * (1 - 0.55 * weight) + weight * 9.5 * smoothstep(base / 12)
    rolling = (
        raster_noise("broad", raster, 240 * k, stream) * 0.35 + raster_noise("broad", raster, 420 * k, stream) * 0.75
    )
    return np.asarray(heights + rolling * smoothstep(base / 22))


def _mountain_heights(painter: Painter, feature: Hill, raster: Raster, base: Dots, heights: Dots) -> Dots:
    """Return the heights of a mountain with ridges and gullies, and paint its rock.

    ``base`` is the depth of each dot inside the outline, and ``heights`` its height as a hill, in mm at 1:1.
    """
    k, stream = painter.k, painter.stream(f"{feature.id}/ridges")
    broad_ridges = np.abs(raster_noise("broad", raster, 300 * k, stream))
    middle = np.abs(raster_noise("middle", raster, 240 * k, stream))
    rock = smoothstep((base - 2 + raster_noise("middle", raster, 60 * k, stream) * 3) / 5) * 0.9
    painter.paint_texture("rock", raster, rock)
    return np.asarray(heights * 1.9 - (13 * broad_ridges * smoothstep(base / 14) + 4.5 * middle * smoothstep(base / 9)))


def _paint_contour(painter: Painter, contour: Polygon, key: str, share: float, *, is_slow: bool) -> None:
    """Paint a worn line along a contour in printed mm, so that the recorded outline is visible.

    The line almost vanishes towards the light, unless the ground ``is_slow``. ``key`` names the random stream;
    ``share`` is a factor of its opacity. The items are added to ``painter``.
    """
    raster, depth = painter.measure_depths(contour)
    k = painter.k
    wave = raster_noise("middle", raster, 50 * k, painter.stream(key))
    band = bump(depth - (0.1 - wave * 0.2) * k, np.clip(0.62 + 0.26 * wave, 0.3, 0.9) * k)
    shaded, lit_side = _FOOT_ALPHA
    facing = lit(depth, raster.px)
    alpha = shaded if is_slow else lit_side + (shaded - lit_side) * smoothstep((0.7 - facing) / 0.4)
    painter.paint_ink(_FOOT, raster, band * alpha * share)


def paint_face(painter: Painter, hill_face: HillFace, outline: Polygon, key: str) -> None:
    """Paint a hill face: rock ribs on a steep slope, rock on a cliff, stones on a scree.

    ``outline`` is the hill in printed mm; ``key`` names the random streams. The items are added to ``painter``.
    """
    k = painter.k
    hard = hill_face.kind is Kind.CLIFF or hill_face.going.is_impassable
    face_width = _FACE_WIDTHS.get(hill_face.kind, _STEEP_WIDTH) * k
    line = hill_face.line.simplify(0.02)
    band = shapely.intersection(line.buffer(face_width * 1.4, cap_style="flat"), outline.buffer(0.6 * k))
    if band.is_empty:
        return
    raster = painter.make_raster(band, 2)
    depth = inside(outline, raster)
    line_distance = distance_to_line(line, raster)
    is_near = (depth > -3 * k) & (depth < face_width * 1.7) & (line_distance < face_width * 1.9)
    distances = np.zeros_like(depth)
    if is_near.any():
        distances[is_near] = along_line(line, raster.dot_positions(is_near))
    stream = painter.stream(key)
    distances = (
        distances
        + raster_noise("middle", raster, 40 * k, stream) * 0.35 * k
        + raster_noise("broad", raster, 60 * k, stream) * 0.8 * k
    )
    fine, slow = (line_noise(distances, side * k, stream) for side in (260, 900))
    end = smoothstep((np.minimum(distances, line.length - distances) + 3 * k) / (6 * k)) * smoothstep(
        (face_width * 1.3 + 2 * k - line_distance) / (4 * k) + 0.5
    )
    lower_edge = face_width * np.clip(1 + 0.24 * slow + 0.22 * fine, 0.35, 1.5)
    down = np.clip(depth / lower_edge, 0, 1)
    visibility = smoothstep(depth / (0.9 * k) + 0.6) * smoothstep((lower_edge - depth) / (2.2 * k)) * end * is_near
    rock_share = 0.80 if hill_face.kind is Kind.CLIFF else 0.50 + 0.28 * fine
    painter.paint_texture(
        "gravel" if hill_face.kind is Kind.SCREE else "rock", raster, np.clip(visibility * rock_share, 0, 0.95)
    )
    facing = _north_west_facing(line)
    rib = fine * 4 * down * (1 - down)
    painter.paint_ink(
        (24, 20, 10), raster, np.clip((0.10 - 0.12 * facing + 0.19 * rib + 0.08 * (1 - down)) * visibility, 0, 0.66)
    )
    painter.paint_ink((255, 240, 206), raster, np.clip((0.14 + 0.18 * facing - 0.17 * rib) * visibility, 0, 0.45))
    strength = 0.95 if hard else np.clip(0.42 + 0.18 * slow, 0.15, 0.7)
    painter.paint_ink((22, 18, 8), raster, bump(depth - 0.3 * k, 0.65 * k) * end * strength * is_near)
    painter.paint_ink(
        (24, 22, 8), raster, bump(depth - lower_edge, 0.45 * k) * end * np.clip(0.22 + 0.22 * slow, 0, 0.55) * is_near
    )
    if hard:
        painter.line(line, (22, 18, 8), 0.9, 0.85)
    _paint_fallen_stones(painter, band, hill_face, key)


def _paint_fallen_stones(painter: Painter, band: Polygon, hill_face: HillFace, key: str) -> None:
    """Paint stones on the band along a hill face, in printed mm; a scree has most.

    ``key`` names the random stream. The items are added to ``painter``.
    """
    spacing = 3.5 if hill_face.kind is Kind.SCREE else 7.0
    stones = painter.scatter_sprites(band, "stone", spacing, (0.15, 0.5), f"{key}/fallen", small_power=2)
    painter.paint_shadows(stones, 2.2, 0.5, 0.4)
    painter.paint_sprites(stones)


def _north_west_facing(line: LineString) -> float:
    """Return how much a hill face faces north-west, from -1 (south-east) to 1.

    ``line`` is its foot, with the crest on its left; its unit does not matter.
    """
    first, last = line.coords[0], line.coords[-1]
    dx, dy = last[0] - first[0], last[1] - first[1]
    length = math.hypot(dx, dy) or 1.0
    return float((-dy - dx) / length * 0.7071)


def paint_cliff(painter: Painter, line: LineString, key: str) -> None:
    """Paint a cliff without a hill along a line in printed mm; its rock is right of the line.

    ``key`` names the random streams. The items are added to ``painter``.
    """
    side = line.buffer(-7 * painter.k, single_sided=True)
    painter.paint_area("rock", side, 2.0, 0.8, key)
    painter.paint_rim(side, (24, 20, 10), 1.6, 0.5, key)
    painter.line(line, (22, 18, 8), 1.2, 0.9)
