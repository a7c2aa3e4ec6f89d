"""Broken ground: little scarps, stones and grit inside a dotted edge. Source: the cartography, 10.8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from shapely import LineString, MultiPoint, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.items import Ink, Join, Laid, LayerName
from printkit.drawing.pen import LEAST_MEANING, Pen
from printkit.drawing.planting import planted
from printkit.drawing.shapes import Line, dots, fill, lines, polygons, wedges
from printkit.drawing.signs.courses import bands, on, ruled
from printkit.drawing.washes import hatched, wash
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Area, Kind

_NOTHING: Final = Polygon()


@dataclass(frozen=True, slots=True)
class Stone:
    """A boulder seen from above: its hull, the flat top, and the side away from the light."""

    hull: Polygon
    top: Polygon
    dark: BaseGeometry
    radius: float

    @classmethod
    def of(cls, at: tuple[float, float], radius: float, stream: Stream) -> Stone:
        """Return a stone of six to eight corners, of a radius in printed mm."""
        corners = 6 + stream.below(3)
        turn = (np.arange(corners) + [stream.between(-0.36, 0.36) for _ in range(corners)]) * (2 * np.pi / corners)
        reach = radius * np.array([stream.between(0.8, 1.1) for _ in range(corners)])
        points = np.column_stack([at[0] + reach * np.cos(turn), at[1] + 0.8 * reach * np.sin(turn)])
        hull = MultiPoint(points).convex_hull
        flat = affinity.scale(hull, 0.60, 0.55)
        tops = (affinity.translate(flat, -0.16 * radius * far, 0.22 * radius * far) for far in (1.0, 0.7, 0.4, 0.1))
        top = next((found for found in tops if hull.contains(found)), affinity.scale(hull, 0.5, 0.5, origin="centroid"))
        dark = shapely.difference(hull, affinity.translate(hull, -0.32 * radius, 0.36 * radius))
        return cls(hull, top, dark, radius)

    @property
    def edges(self) -> list[LineString]:
        """Return the edge of the top, and the edges that run down from every second corner of it."""
        upper, lower = shapely.get_coordinates(self.top)[:-1], shapely.get_coordinates(self.hull)[:-1]
        return [LineString(self.top.exterior), *(LineString(pair) for pair in zip(upper[::2], lower[::2], strict=True))]


def broken_ground(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw broken ground; ways and rivers run through it free of stones."""
    wet = bands(field, Kind.RIVER, spare=pen.size(2.0))
    ground = shapely.difference(area.outline, wet)
    avoid = shapely.union_all([bands(field, Kind.ROAD, spare=pen.size(1.0)), pen.clear])
    style = pen.style
    yield from on(
        LayerName.GROUND_WASH, wash(ground, style.ink("broken-ground"), style.ink("broken-ground-wash-edge"), pen)
    )
    yield from on(LayerName.GROUND_EDGE, ruled(ground, pen, "rock-line", 0.42, dash=(1.0, 1.5), least=LEAST_MEANING))
    grit_stream = pen.stream(f"draw/{area.id}/grit")
    grit = planted(ground.buffer(-pen.size(2.0)), pen.size(3.4), grit_stream, avoid=avoid)
    sizes = [pen.size(grit_stream.between(0.15, 0.30)) for _ in grit]
    if sizes:
        yield from on(LayerName.GROUND_PATTERN, dots(grit, sizes, pen.tint("rock-line", 0.75)))
    yield from _scarps(area, ground, avoid, pen)
    stream = pen.stream(f"draw/{area.id}/stones")
    places = planted(ground.buffer(-pen.size(4.7)), pen.size(9.0), stream, avoid=avoid.buffer(pen.size(1.5)))
    chosen = [Stone.of((x, y), pen.size(stream.between(1.2, 2.9)), stream) for x, y in places if stream.unit() < 0.6]
    yield from stones(chosen, pen, LayerName.GROUND_PATTERN)


def stones(chosen: list[Stone], pen: Pen, layer: LayerName) -> Laid:
    """Draw stones that do not touch: shadow, faces, edges, one path each."""
    if not chosen:
        return
    hulls = shapely.MultiPolygon([stone.hull for stone in chosen])
    dark = shapely.MultiPolygon([part for stone in chosen for part in polygons(stone.dark)])
    if pen.style.shadows:
        cast = [affinity.translate(stone.hull, 0.45 * stone.radius, -0.50 * stone.radius) for stone in chosen]
        yield from on(layer, fill(shapely.union_all(cast), pen.tint("shadow", 0.28)))
    yield from on(layer, fill(hulls, pen.style.ink("rock")))
    if pen.style.hatched:
        yield from on(layer, hatched(dark, pen.style.ink("rock-line"), pen.size(0.8), pen.width(0.18)))
    else:
        yield from on(layer, fill(dark, pen.tint("rock-shade", 0.75)))
        yield from on(layer, fill([stone.top for stone in chosen], pen.tint("stone-lit", 0.65)))
    edges = [edge for stone in chosen for edge in stone.edges]
    yield from on(layer, ruled(edges, pen, "rock-line", 0.15, alpha=0.7))
    yield from on(layer, ruled(hulls, pen, "rock-line", 0.32, join=Join.MITRE))


def _scarps(area: Area, ground: BaseGeometry, avoid: BaseGeometry, pen: Pen) -> Laid:
    """Draw short steps in the ground: an arc with strokes outward, heavy at the edge."""
    stream = pen.stream(f"draw/{area.id}/scarps")
    arcs: list[Line] = []
    strokes: list[tuple[Line, float, float]] = []
    flat = np.array([1.0, 0.8])
    inside = ground.buffer(-pen.size(0.6))
    shapely.prepare(inside)
    for x, y in planted(ground.buffer(-pen.size(6.5)), pen.size(11.5), stream, avoid=avoid.buffer(pen.size(5.0))):
        start, span = stream.between(0, 2 * np.pi), stream.between(1.5, 2.4)
        radius, middle = pen.size(stream.between(3.0, 5.0)), np.array([x, y])
        turn = np.linspace(start, start + span, 12)
        arcs.append(middle + radius * np.column_stack([np.cos(turn), np.sin(turn)]) * flat)
        for angle in np.linspace(start + 0.08, start + span - 0.08, max(2, round(span * radius / pen.size(1.05)))):
            out = np.array([np.cos(angle), np.sin(angle)]) * flat
            length = pen.size(stream.between(1.5, 2.7))
            points = np.vstack([middle + radius * out, middle + (radius + length) * out])
            if shapely.contains_xy(inside, points).all():
                strokes.append((points, pen.width(0.46), pen.width(0.10)))
    shown = [part for arc in arcs for part in lines(shapely.intersection(LineString(arc), inside))]
    ink: Ink | None = pen.tint("hachure", 0.9)
    yield from on(LayerName.GROUND_PATTERN, wedges(strokes, ink))
    yield from on(LayerName.GROUND_PATTERN, ruled(shown, pen, "hachure", 0.34))
