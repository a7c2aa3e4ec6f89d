"""Paint fields on a mat: strips of plough and crops, pasture, orchards and vineyards, with their borders."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon, ops
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.borders import paint_border
from printkit.drawing.mats.frames import long_side_bearing, make_frame
from printkit.drawing.mats.painter import COUNTRIES, Climate, EdgeSide, Painter, TextureLattice
from printkit.drawing.mats.raster import raster_noise, smoothstep
from printkit.terrain.field.features import Area, Kind

_TILLED_KINDS: Final = (Kind.PLOUGH, Kind.CROPS)
_HEDGED_KINDS: Final = (Kind.PASTURE, Kind.CROPS, Kind.ENCLOSURE, Kind.PLOUGH)
_MIN_STRIP_AREA: Final = 5200.0
_STRIP: Final = 48.0
_GATE: Final = 9.0
# Sprite and distances in mm of plants in rows: within a row and between rows.
_PLANTS: Final = {
    Kind.ORCHARD: ("apple", 10.8, 10.8),
    Kind.OLIVES: ("olive", 10.8, 10.8),
    Kind.VINEYARD: ("bush", 2.6, 6.0),
}


def field(painter: Painter, feature: Area, climate: Climate, road_area: BaseGeometry) -> None:
    """Paint a field with its crop and border; the border has gaps at ``road_area`` (printed mm).

    Tilled fields and vineyards have strips, other kinds one texture. The items are added to ``painter``.
    """
    k, key, ground = painter.k, feature.id, feature.outline
    bearing, middle = long_side_bearing(ground), (ground.centroid.x, ground.centroid.y)
    if feature.kind in _TILLED_KINDS or feature.kind is Kind.VINEYARD:
        painter.paint_area("earth", ground, 2.5, 1.0, f"{key}/headland", gain=0.8)
        for number, strip in enumerate(_make_strips(painter, feature, bearing)):
            texture, rotation = _strip_texture(feature.kind, number)
            painter.paint_area(
                texture, strip, 1.6, 0.8, f"{key}/strip{number}", lattice=TextureLattice(bearing + rotation, middle)
            )
        painter.paint_rim(ground, (50, 38, 16), 2.6, 0.30, key, EdgeSide.INSIDE)
    elif feature.kind is Kind.PASTURE:
        _paint_pasture(painter, feature, climate)
        tufts = painter.scatter_sprites(ground.buffer(-2.5 * k), "tuft", 11, (0.4, 0.8), key, share=0.5)
        painter.paint_sprites(tufts, overlapping=False)
    else:
        painter.paint_area(COUNTRIES[climate].meadow, ground, 2, 1, key, gain=0.7)
    if feature.kind in _PLANTS:
        _paint_plants(painter, feature, bearing)
    _paint_border(painter, feature, road_area)


def _paint_pasture(painter: Painter, feature: Area, climate: Climate) -> None:
    """Paint the even grass of a pasture; in winter, stalks in the snow.

    The items are added to ``painter``.
    """
    k, key, ground = painter.k, feature.id, feature.outline
    if climate is Climate.WINTER:
        painter.paint_area("steppe", ground, 2, 1, key, gain=0.45)
        return
    painter.paint_area("steppe" if climate is Climate.DRY else "grass", ground, 2, 1, key)
    raster, depth = painter.measure_depths(ground, 36)
    wave = raster_noise("middle", raster, 60 * k, painter.stream(f"{key}/green"))
    painter.paint_ink((150, 162, 86), raster, smoothstep(depth / (3 * k)) * (0.18 + 0.05 * wave))


def _strip_texture(kind: Kind, number: int) -> tuple[str, float]:
    """Return the texture of a field's strip and the rotation of its rows, in degrees.

    ``number`` is the index of the strip from 0.
    """
    if kind is Kind.VINEYARD:
        return "earth", 0.0
    if kind is Kind.PLOUGH:
        return ("meadow" if number % 3 == 2 else "furrow"), 90.0 * (number % 2)
    return ("furrow" if number % 3 == 2 else "corn"), 0.0


def _make_strips(painter: Painter, feature: Area, bearing: float) -> list[Polygon]:
    """Return the strips of a large field, about 48 mm wide at 1:1, with balks between them.

    They are in printed mm, along or across ``bearing`` (degrees). A small field is one strip.
    """
    k, ground = painter.k, feature.outline
    inner_area = ground.buffer(-2.5 * k)
    if ground.area < _MIN_STRIP_AREA * k * k or feature.kind not in _TILLED_KINDS:
        return polygons(inner_area)
    stream, side = painter.stream(f"{feature.id}/strips"), math.sqrt(ground.area)
    count = max(2, round(side / (_STRIP * k)))
    frame = make_frame(ground.centroid.x, ground.centroid.y, bearing + (90.0 if stream.draw_unit() < 0.5 else 0.0))
    span, half_length = side * 1.6, side * 4
    cuts = sorted(-span / 2 + span * number / count + stream.draw_normal(3) * k for number in range(count + 1))
    strips: list[Polygon] = []
    for near_cut, far_cut in pairwise(cuts):
        strip = Polygon(
            [
                frame(-half_length, near_cut + k),
                frame(half_length, near_cut + k),
                frame(half_length, far_cut - k),
                frame(-half_length, far_cut - k),
            ]
        )
        strips += polygons(shapely.intersection(inner_area, strip))
    return strips


def _paint_plants(painter: Painter, feature: Area, bearing: float) -> None:
    """Paint trees or vines of a field in rows along ``bearing``, in degrees anticlockwise.

    The items are added to ``painter``.
    """
    k, ground, stream = painter.k, feature.outline, painter.stream(f"{feature.id}/rows")
    sprite_kind, plant_gap, row_gap = _PLANTS[feature.kind]
    is_vine = feature.kind is Kind.VINEYARD
    frame = make_frame(ground.centroid.x, ground.centroid.y, bearing)
    left, bottom, right, top = ground.bounds
    radius, scatter = math.hypot(right - left, top - bottom) / 2, (0.2 if is_vine else 0.5) * k
    points = np.array(
        [
            frame(u + stream.draw_normal(scatter), v + stream.draw_normal(scatter))
            for u in np.arange(-radius, radius, plant_gap * k).tolist()
            for v in np.arange(-radius, radius, row_gap * k).tolist()
        ]
    )
    planting_area = ground.buffer(-(4.0 if is_vine else 5.1) * k)
    points = points[shapely.contains_xy(planting_area, points[:, 0], points[:, 1])]
    if len(points):
        size = 0.42 if is_vine else 1.0
        puts = painter.choose_sprites(points, sprite_kind, (size * 0.85, size * 1.1), stream, share=0.96)
        painter.paint_shadows(puts, 2.8 if is_vine else 3.7, 0.62, 0.45)
        painter.paint_sprites(puts)


def _paint_border(painter: Painter, feature: Area, road_area: BaseGeometry) -> None:
    """Paint the border of a field, with a gate and with gaps at ``road_area`` (printed mm).

    A vineyard does not get a border. The items are added to ``painter``.
    """
    if feature.kind is Kind.VINEYARD:
        return
    k = painter.k
    for part in polygons(feature.outline.buffer(-1.2 * k)):
        ring = LineString(part.exterior.coords)
        gate = painter.stream(f"{feature.id}/gate").between(0, 0.8) * ring.length
        sides = (ops.substring(ring, gate + _GATE * k, ring.length), ops.substring(ring, 0, gate))
        for number, side in enumerate(sides):
            if side.length > 4 * k:
                kind = Kind.HEDGE if feature.kind in _HEDGED_KINDS else Kind.FENCE
                paint_border(painter, kind, side, f"{feature.id}/border{number}", road_area)
