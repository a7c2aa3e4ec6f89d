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
from printkit.drawing.mats.borders import border
from printkit.drawing.mats.climates import COUNTRIES, Climate
from printkit.drawing.mats.frames import frame_at, long_bearing
from printkit.drawing.mats.painter import EdgeSide, Painter, TextureLattice
from printkit.drawing.mats.raster import noise, smooth
from printkit.terrain.field.features import Area, Kind

_TILLED: Final = (Kind.PLOUGH, Kind.CROPS)
_HEDGED: Final = (Kind.PASTURE, Kind.CROPS, Kind.ENCLOSURE, Kind.PLOUGH)
_STRIPPED: Final = 5200.0
_STRIP: Final = 48.0
_GATE: Final = 9.0
# Sprite and distances in mm of plants in rows: within a row and between rows.
_PLANTED: Final = {
    Kind.ORCHARD: ("apple", 10.8, 10.8),
    Kind.OLIVES: ("olive", 10.8, 10.8),
    Kind.VINEYARD: ("bush", 2.6, 6.0),
}


def field(painter: Painter, feature: Area, climate: Climate, ways: BaseGeometry) -> None:
    """Paint a field with its crop and border."""
    k, key, ground = painter.k, feature.id, feature.outline
    turn, middle = long_bearing(ground), (ground.centroid.x, ground.centroid.y)
    if feature.kind in _TILLED or feature.kind is Kind.VINEYARD:
        painter.area("earth", ground, 2.5, 1.0, f"{key}/headland", gain=0.8)
        for number, strip in enumerate(_strips(painter, feature, turn)):
            texture, aside = _sown(feature.kind, number)
            painter.area(texture, strip, 1.6, 0.8, f"{key}/strip{number}", lie=TextureLattice(turn + aside, middle))
        painter.rim(ground, (50, 38, 16), 2.6, 0.30, key, EdgeSide.INSIDE)
    elif feature.kind is Kind.PASTURE:
        _grazed(painter, feature, climate)
        tufts = painter.scattered(ground.buffer(-2.5 * k), "tuft", 11, (0.4, 0.8), key, share=0.5)
        painter.sprites(tufts, overlapping=False)
    else:
        painter.area(COUNTRIES[climate].meadow, ground, 2, 1, key, gain=0.7)
    if feature.kind in _PLANTED:
        _planted(painter, feature, turn)
    _enclosed(painter, feature, ways)


def _grazed(painter: Painter, feature: Area, climate: Climate) -> None:
    """Paint the even grass of a pasture; in winter, stalks in the snow."""
    k, key, ground = painter.k, feature.id, feature.outline
    if climate is Climate.WINTER:
        painter.area("steppe", ground, 2, 1, key, gain=0.45)
        return
    painter.area("steppe" if climate is Climate.DRY else "grass", ground, 2, 1, key)
    raster, depth = painter.depths(ground, 36)
    wave = noise("middle", raster, 60 * k, painter.stream(f"{key}/green"))
    painter.ink((150, 162, 86), raster, smooth(depth / (3 * k)) * (0.18 + 0.05 * wave))


def _sown(kind: Kind, number: int) -> tuple[str, float]:
    """Return the texture of a strip and the rotation of its rows in degrees."""
    if kind is Kind.VINEYARD:
        return "earth", 0.0
    if kind is Kind.PLOUGH:
        return ("meadow" if number % 3 == 2 else "furrow"), 90.0 * (number % 2)
    return ("furrow" if number % 3 == 2 else "corn"), 0.0


def _strips(painter: Painter, feature: Area, turn: float) -> list[Polygon]:
    """Return the strips of a large field, 35 to 60 mm wide, with balks between them; a small field is one strip."""
    k, ground = painter.k, feature.outline
    within = ground.buffer(-2.5 * k)
    if ground.area < _STRIPPED * k * k or feature.kind not in _TILLED:
        return polygons(within)
    stream, side = painter.stream(f"{feature.id}/strips"), math.sqrt(ground.area)
    count = max(2, round(side / (_STRIP * k)))
    frame = frame_at(ground.centroid.x, ground.centroid.y, turn + (90.0 if stream.draw_unit() < 0.5 else 0.0))
    span, far = side * 1.6, side * 4
    cuts = sorted(-span / 2 + span * number / count + stream.draw_normal(3) * k for number in range(count + 1))
    found: list[Polygon] = []
    for low, high in pairwise(cuts):
        strip = Polygon([frame(-far, low + k), frame(far, low + k), frame(far, high - k), frame(-far, high - k)])
        found += polygons(shapely.intersection(within, strip))
    return found


def _planted(painter: Painter, feature: Area, turn: float) -> None:
    """Paint trees or vines in rows."""
    k, ground, stream = painter.k, feature.outline, painter.stream(f"{feature.id}/rows")
    sort, along, aside = _PLANTED[feature.kind]
    is_vine = feature.kind is Kind.VINEYARD
    frame = frame_at(ground.centroid.x, ground.centroid.y, turn)
    left, low, right, high = ground.bounds
    reach, stray = math.hypot(right - left, high - low) / 2, (0.2 if is_vine else 0.5) * k
    places = np.array(
        [
            frame(u + stream.draw_normal(stray), v + stream.draw_normal(stray))
            for u in np.arange(-reach, reach, along * k).tolist()
            for v in np.arange(-reach, reach, aside * k).tolist()
        ]
    )
    kept = ground.buffer(-(4.0 if is_vine else 5.1) * k)
    places = places[shapely.contains_xy(kept, places[:, 0], places[:, 1])]
    if len(places):
        size = 0.42 if is_vine else 1.0
        puts = painter.chosen(places, sort, (size * 0.85, size * 1.1), stream, share=0.96)
        painter.shadows(puts, 2.8 if is_vine else 3.7, 0.62, 0.45)
        painter.sprites(puts)


def _enclosed(painter: Painter, feature: Area, ways: BaseGeometry) -> None:
    """Paint the border of a field, with a gate."""
    if feature.kind is Kind.VINEYARD:
        return
    k = painter.k
    for part in polygons(feature.outline.buffer(-1.2 * k)):
        ring = LineString(part.exterior.coords)
        gate = painter.stream(f"{feature.id}/gate").between(0, 0.8) * ring.length
        sides = (ops.substring(ring, gate + _GATE * k, ring.length), ops.substring(ring, 0, gate))
        for number, side in enumerate(sides):
            if side.length > 4 * k:
                kind = Kind.HEDGE if feature.kind in _HEDGED else Kind.FENCE
                border(painter, kind, side, f"{feature.id}/border{number}", ways)
