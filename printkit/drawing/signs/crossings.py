"""Bridges and fords: drawn along the way, as long as the water under it is wide.

Source: the cartography, 10.4; BR-G61 makes the sign 1.25 times the river's width along the road.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from printkit.drawing.items import Cap, Ink, Join, Laid, LayerName
from printkit.drawing.pen import LEAST_MEANING, Pen
from printkit.drawing.shapes import fill, outline
from printkit.drawing.signs.courses import band, on, overrun, parallel, ruled
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Course, Crossing

_WHITE: Final = Ink(255, 255, 255)
_ALONG: Final = 1.25
_SHORE: Final = 2.0


def bridge(crossing: Crossing, pen: Pen, field: Battlefield) -> Laid:
    """Draw a stone bridge: cutwaters, a jointed deck a little wider than the road, parapets with splayed wings."""
    way = _course(crossing.way, field)
    first, last = water_under(crossing, way.width, field)
    spare = max(pen.size(7.0), (_ALONG - 1.0) * (last - first)) / 2
    first, last, half = first - spare, last + spare, (way.width + pen.size(0.8)) / 2
    deck = box(first, -half, last, half)
    piers = _cutwaters(first, last, half, pen)
    if pen.style.shadows:
        cast = affinity.translate(_placed(deck, crossing), pen.size(1.2), -pen.size(1.4))
        sides = affinity.translate(_placed(piers, crossing), pen.size(0.9), -pen.size(0.9))
        beside = shapely.difference(cast.union(sides), band(way.line, way.width))
        yield from on(LayerName.CROSSING, fill(beside, pen.tint("shadow", 0.28)))
    stone = _placed(piers, crossing)
    yield from on(LayerName.CROSSING, fill(stone, pen.style.ink("stone")))
    yield from on(LayerName.CROSSING, ruled(stone, pen, "stone-line", 0.35, join=Join.MITRE))
    yield from on(LayerName.CROSSING, fill(_placed(deck, crossing), pen.style.ink("road")))
    pitch = pen.size(2.6)
    joints = [LineString([(x, -half), (x, half)]) for x in np.arange(first + pitch / 2, last, pitch)]
    placed_joints = _placed(shapely.MultiLineString(joints), crossing)
    yield from on(LayerName.CROSSING, ruled(placed_joints, pen, "road-casing", 0.14, alpha=0.6, cap=Cap.BUTT))
    wing, splay, aside = pen.size(3.0), pen.size(1.8), pen.size(0.4)
    parapets = [
        LineString(
            [
                (first - wing, side * (half + aside + splay)),
                (first, side * (half + aside)),
                (last, side * (half + aside)),
                (last + wing, side * (half + aside + splay)),
            ]
        )
        for side in (1, -1)
    ]
    walls = _placed(shapely.MultiLineString(parapets), crossing)
    yield from on(LayerName.CROSSING, ruled(walls, pen, "stone-line", 1.55))
    core = pen.stroke(pen.style.solid("stone") if pen.style.washes else _WHITE, 0.85)
    yield from on(LayerName.CROSSING, outline(walls, core))


def ford(crossing: Crossing, pen: Pen, field: Battlefield) -> Laid:
    """Draw a ford: shallows from bank to bank, rows of dashes in the stream, stepping stones, dotted sides."""
    way, water = _course(crossing.way, field), _course(crossing.water, field)
    stream = pen.stream(f"draw/{crossing.id}/ford")
    first, last = water_under(crossing, way.width, field)
    half, beside = way.width / 2, way.width / 2 + pen.size(1.5)
    river, path = band(overrun(water, field), water.width), overrun(way, field)
    shallows = _nearest(band(path, 2 * beside).intersection(river.buffer(pen.size(_SHORE))), crossing)
    yield from on(LayerName.CROSSING, fill(shallows, pen.tint("road", 0.55)))
    rows: list[LineString] = []
    for y in np.linspace(-half, half, max(5, round(2 * half / pen.size(2.2)))):
        x = first + stream.between(0, pen.size(2))
        while abs(y) > pen.size(1.4) and x < last:
            length = pen.size(stream.between(1.6, 3.4))
            rows.append(LineString([(x, y), (min(last, x + length), y)]))
            x += length + pen.size(stream.between(1.2, 2.6))
    dashes = shapely.intersection(_placed(shapely.MultiLineString(rows), crossing), river.buffer(-pen.size(0.8)))
    yield from on(LayerName.CROSSING, ruled(dashes, pen, "waterline", 0.34))
    yield from _stones(first, last, crossing, river, pen)
    whole = river.buffer((_ALONG - 1) / 2 * water.width)
    dotted = [
        _nearest(side.intersection(whole), crossing) for turn in (1, -1) for side in parallel(path, turn * beside)
    ]
    how = {"dash": (1.4, 1.5), "cap": Cap.BUTT, "least": LEAST_MEANING}
    yield from on(LayerName.CROSSING, ruled(dotted, pen, "road-casing", 0.5, **how))


def water_under(crossing: Crossing, width: float, field: Battlefield) -> tuple[float, float]:
    """Return from where to where the water reaches under a way of ``width`` mm, along it from the crossing's point."""
    water = _course(crossing.water, field)
    ground = affinity.translate(band(overrun(water, field), water.width), -crossing.at.x, -crossing.at.y)
    turned = affinity.rotate(ground, -crossing.bearing, origin=(0, 0))
    reach = 4 * water.width
    strip = shapely.intersection(turned, box(-reach, -width / 2, reach, width / 2))
    parts = shapely.get_parts(strip)
    if not len(parts):
        return -water.width / 2, water.width / 2
    nearest = parts[int(np.argmin(shapely.distance(parts, shapely.Point(0, 0))))]
    first, _, last, _ = nearest.bounds
    return float(first), float(last)


def _course(identity: str, field: Battlefield) -> Course:
    found = field.find(identity)
    if not isinstance(found, Course):
        raise KeyError(identity)
    return found


def _placed(shape: BaseGeometry, crossing: Crossing) -> BaseGeometry:
    """Return a shape drawn along the x-axis about the origin, moved to the crossing and turned along the way."""
    turn = math.radians(crossing.bearing)
    cosine, sine = math.cos(turn), math.sin(turn)
    return affinity.affine_transform(shape, [cosine, -sine, sine, cosine, crossing.at.x, crossing.at.y])


def _cutwaters(first: float, last: float, half: float, pen: Pen) -> BaseGeometry:
    """Return the pointed feet of two piers, up and down stream."""
    middle, reach = (first + last) / 2, (last - first) / 2 * 0.34
    base, out = pen.size(1.7), pen.size(2.7)
    return shapely.MultiPolygon(
        [
            Polygon([(x - base, side * half), (x + base, side * half), (x, side * (half + out))])
            for x in (middle - reach, middle + reach)
            for side in (1, -1)
        ]
    )


def _stones(first: float, last: float, crossing: Crossing, river: BaseGeometry, pen: Pen) -> Laid:
    """Draw stepping stones on the axis, as far as there is water."""
    stream = pen.stream(f"draw/{crossing.id}/stones")
    row = [
        _stone(x, pen.size(stream.between(-0.5, 0.5)), pen.size(stream.between(0.75, 1.05)))
        for x in np.arange(first + pen.size(1.0), last, pen.size(2.7))
    ]
    placed = shapely.get_parts(_placed(shapely.MultiPolygon(row), crossing))
    stones = shapely.multipolygons(placed[shapely.dwithin(placed, river, pen.size(0.2))])
    if pen.style.shadows:
        cast = affinity.translate(stones, pen.size(0.4), -pen.size(0.45))
        yield from on(LayerName.CROSSING, fill(cast, pen.tint("shadow", 0.28)))
    yield from on(LayerName.CROSSING, fill(stones, pen.style.ink("stone")))
    yield from on(LayerName.CROSSING, ruled(stones, pen, "stone-line", 0.28))


def _nearest(shape: BaseGeometry, crossing: Crossing) -> BaseGeometry:
    """Return the part of a shape that lies at the crossing; the way may meet the river more than once."""
    parts = shapely.get_parts(shape)
    return parts[int(np.argmin(shapely.distance(parts, crossing.at)))] if len(parts) else shape


def _stone(x: float, y: float, radius: float) -> Polygon:
    turn = np.arange(8) * (np.pi / 4)
    return Polygon(np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)]))
