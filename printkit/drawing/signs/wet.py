"""Marsh: level strokes like water lying between tufts, and a few open pools. Source: the cartography, 10.4."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.items import Laid, LayerName
from printkit.drawing.pen import LEAST_MEANING, Pen
from printkit.drawing.planting import planted
from printkit.drawing.shapes import Line, fill, lines
from printkit.drawing.signs.courses import bands, on, ruled
from printkit.drawing.washes import wash
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Area, Kind

_FROM_BANK: Final = 2.0
_FIRM: Final = 0.2
_NOTHING: Final = Polygon()


def marsh(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a marsh; it keeps off the banks of a river, and ways lead through it dry."""
    ground = shapely.difference(area.outline, bands(field, Kind.RIVER, spare=pen.size(_FROM_BANK)))
    dry = shapely.union_all([bands(field, Kind.ROAD, spare=pen.size(1.0)), pen.clear])
    yield from on(LayerName.GROUND_WASH, wash(ground, pen.style.ink("marsh"), pen.style.ink("marsh-wash-edge"), pen))
    pools = _pools(area, ground, dry, pen)
    open_water = shapely.union_all(pools) if pools else _NOTHING
    yield from on(
        LayerName.GROUND_PATTERN,
        ruled(_level_strokes(area, ground, open_water, pen), pen, "marsh-stroke", 0.34, alpha=0.85),
    )
    yield from on(LayerName.GROUND_PATTERN, fill(open_water, pen.style.ink("water")))
    yield from on(LayerName.GROUND_PATTERN, ruled(open_water, pen, "bank-line", 0.38, least=LEAST_MEANING))
    inner = shapely.union_all([pool.buffer(-pen.size(1.0)) for pool in pools]) if pools else _NOTHING
    yield from on(LayerName.GROUND_PATTERN, ruled(inner, pen, "waterline", 0.22))
    yield from _tufts(area, ground, shapely.union_all([open_water.buffer(pen.size(2.0)), dry]), pen)
    yield from on(LayerName.GROUND_EDGE, ruled(ground, pen, "marsh-stroke", 0.50, dash=(2.6, 1.6), least=LEAST_MEANING))


def tuft(at: tuple[float, float], height: float, blades: int, stream: Stream) -> list[Line]:
    """Return the blades of one tuft as curves from a common foot; heights in printed mm."""
    found: list[Line] = []
    for number in range(blades):
        lean = 2 * number / max(1, blades - 1) - 1 + stream.between(-0.12, 0.12)
        length = height * (1.05 - 0.32 * abs(lean)) * stream.between(0.9, 1.1)
        foot = np.array([at[0] + 0.22 * height * lean, at[1]])
        middle = foot + np.array([0.16 * length * lean, 0.56 * length])
        tip = foot + np.array([0.62 * length * lean, length * (1 - 0.16 * lean * lean)])
        # A parabola through foot, middle and tip: a blade that bends outwards under its own weight.
        bow = 2 * middle - (foot + tip) / 2
        along = np.linspace(0, 1, 5)[:, None]
        found.append((1 - along) ** 2 * foot + 2 * along * (1 - along) * bow + along**2 * tip)
    return found


def _pools(area: Area, ground: BaseGeometry, dry: BaseGeometry, pen: Pen) -> list[BaseGeometry]:
    stream = pen.stream(f"draw/{area.id}/pools")
    room = shapely.difference(ground.buffer(-pen.size(13)), dry.buffer(pen.size(6)))
    pools: list[BaseGeometry] = []
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    for x, y in planted(room, pen.size(30), stream):
        wide, high = pen.size(stream.between(5, 9)), pen.size(stream.between(2.2, 3.4))
        radius = np.ones(len(turn))
        for wave in range(2, 6):
            radius += stream.bell(0.16) / wave**0.9 * np.cos(wave * turn + stream.between(0, 2 * np.pi))
        tilt = np.radians(stream.between(-8, 8))
        across, along = wide * radius * np.cos(turn), high * radius * np.sin(turn)
        ring = np.column_stack(
            [x + across * np.cos(tilt) - along * np.sin(tilt), y + across * np.sin(tilt) + along * np.cos(tilt)]
        )
        pools.append(shapely.make_valid(Polygon(ring)))
    return pools


def _level_strokes(area: Area, ground: BaseGeometry, pools: BaseGeometry, pen: Pen) -> list[LineString]:
    """Return the rows of broken horizontal strokes, with gaps on the fifth of the ground that is firmest."""
    stream = pen.stream(f"draw/{area.id}/strokes")
    left, low, right, high = ground.bounds
    strokes: list[LineString] = []
    starts: list[tuple[float, float]] = []
    y = low
    while y < high:
        y += pen.size(2.5) * stream.between(0.92, 1.08)
        x = left - pen.size(stream.between(0, 6))
        while x < right:
            length = pen.size(stream.between(4, 13))
            level, sag = y + pen.size(stream.between(-0.25, 0.25)), pen.size(stream.between(-0.12, 0.12))
            strokes.append(LineString([(x, level), (x + length / 2, level + sag), (x + length, level)]))
            starts.append((x, y))
            x += length + pen.size(stream.between(1.6, 5.0))
    inside = shapely.difference(ground.buffer(-pen.size(1.2)), pools.buffer(pen.size(1.0)))
    shown = shapely.difference(inside, pen.clear)
    shapely.prepare(shown)
    across, along = np.array(starts).T
    wet = pen.noise.at(across, 2.2 * along, pen.size(38))
    kept = np.array(strokes)[wet > np.quantile(wet, _FIRM)]
    return [part for piece in shapely.intersection(kept, shown) for part in lines(piece) if part.length > pen.size(0.8)]


def _tufts(area: Area, ground: BaseGeometry, avoid: BaseGeometry, pen: Pen) -> Laid:
    stream = pen.stream(f"draw/{area.id}/tufts")
    feet: list[Line] = []
    blades: list[Line] = []
    for x, y in planted(ground.buffer(-pen.size(3.5)), pen.size(9.5), stream, avoid=avoid):
        feet.append(np.array([(x - pen.size(2.3), y - 0.15), (x + pen.size(2.3), y - 0.15)]))
        blades += tuft((x, y), pen.size(3.3), 4 + stream.below(3), stream)
    yield from on(LayerName.GROUND_PATTERN, ruled(feet, pen, "marsh-stroke", 0.42))
    width = 0.40 if pen.style.washes else 0.28
    yield from on(LayerName.GROUND_PATTERN, ruled(blades, pen, "marsh-tuft", width))
