"""Town walls: straight curtains between round towers, and a gate with two towers at each street.

Source: the cartography, 10.6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill, polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.built.buildings import shrunk
from printkit.drawing.signs.built.streets import Street
from printkit.drawing.signs.lines.course_lines import Measured, on, stroke_shape

_THICK: Final = 2.4
_TOWER: Final = 2.7
_TOWER_RING: Final = 1.5
_TOWERS_APART: Final = 26.0
_NEAREST: Final = 9.0
_INSET: Final = 3.4
_STRAIGHT: Final = 1.8
_CLEAR: Final = 3.4
_BESIDE: Final = (0.7, 0.85, 1.0, 1.2, 1.4)
_GATE_MARGIN: Final = 2.0


class TownGate(Struct, frozen=True):
    """An opening in a town wall.

    Attributes:
        at: its middle on the wall.
        width: its length along the wall in mm.
        passage: the ground of the street through it.
    """

    at: Point
    width: float
    passage: BaseGeometry


class TownWall(Struct, frozen=True, kw_only=True):
    """A town wall.

    Attributes:
        ring: its centre line.
        gates: its gates.
        towers: centres of its towers.
        thick: its thickness in mm.
        radius: radius of a tower in mm.
    """

    ring: Polygon
    gates: tuple[TownGate, ...]
    towers: tuple[Point, ...]
    thick: float
    radius: float

    @property
    def curtain(self) -> BaseGeometry:
        """Return the ground of the wall between its gates."""
        whole = self.ring.exterior.buffer(self.thick / 2, join_style="mitre")
        return shapely.difference(whole, shapely.union_all([gate.passage for gate in self.gates]))

    @property
    def ground(self) -> BaseGeometry:
        """Return the ground of wall and towers."""
        return shapely.union_all([self.curtain, *(tower.buffer(self.radius) for tower in self.towers)])


def walled(ground: Polygon, context: SymbolContext) -> Polygon:
    """Return the centre line of a wall just inside the edge of a town's ground, with straight sections."""
    room = ground.buffer(-context.size(_TOWER + 0.3))
    for inset in (_INSET, 1.3 * _INSET, 1.7 * _INSET):
        ring = ground.buffer(-context.size(inset), join_style="mitre").simplify(context.size(_STRAIGHT))
        largest = max(polygons(ring), key=lambda part: part.area, default=Polygon())
        if room.contains(largest):
            return Polygon(largest.exterior)
    return shrunk(ground, context.size(_TOWER + 0.3))


def inside(ring: Polygon, context: SymbolContext) -> BaseGeometry:
    """Return the ground for houses inside a wall, without a lane along the wall."""
    return ring.buffer(-context.size(_THICK / 2 + _CLEAR))


def town_wall(ring: Polygon, through: Sequence[Street], context: SymbolContext) -> TownWall:
    """Return a wall on a ring, with a gate for each street that crosses it."""
    gates = tuple(gate for street in through for gate in _gates(ring, street, context))
    return TownWall(
        ring=ring,
        gates=gates,
        towers=_towers(ring, gates, context),
        thick=context.size(_THICK),
        radius=context.size(_TOWER),
    )


def draw(wall: TownWall, context: SymbolContext) -> LayeredItems:
    """Draw a town wall, with its towers on top."""
    towers = shapely.union_all([tower.buffer(wall.radius, quad_segs=6) for tower in wall.towers])
    stone = context.style.ink("stone")
    if context.style.shadows:
        cast = [
            affinity.translate(wall.curtain, context.size(1.1), -context.size(1.3)),
            affinity.translate(towers, context.size(1.2), -context.size(1.4)),
        ]
        yield from on(LayerName.WORKS, fill(shapely.union_all(cast), context.tint("shadow", 0.35)))
    yield from on(LayerName.WORKS, fill(wall.curtain, stone))
    yield from on(LayerName.WORKS, stroke_shape(wall.curtain, context, "stone-line", 0.40, join=Join.MITRE))
    yield from on(LayerName.WORKS, fill(towers, stone))
    rings = [tower.buffer(_TOWER_RING / _TOWER * wall.radius, quad_segs=4).exterior for tower in wall.towers]
    yield from on(LayerName.WORKS, stroke_shape([towers, rings], context, "stone-line", 0.38))


def _gates(ring: Polygon, street: Street, context: SymbolContext) -> list[TownGate]:
    """Return the gates where a street crosses a wall, a little wider than the street at any crossing angle."""
    margin = context.size(_GATE_MARGIN) / 2
    covered = street.ground().buffer(margin)
    way = LineString(ring.exterior)
    found = []
    for at in shapely.get_parts(shapely.intersection(street.line, way)):
        if at.geom_type == "Point":
            passage = shapely.intersection(covered, at.buffer(1.5 * (street.width + street.mouth) + margin))
            here = way.project(at)
            ends = shapely.get_coordinates(shapely.intersection(way, passage.boundary))
            asides = [(way.project(Point(end)) - here + way.length / 2) % way.length - way.length / 2 for end in ends]
            first, last = min(asides, default=-margin), max(asides, default=margin)
            middle = way.interpolate((here + (first + last) / 2) % way.length)
            found.append(TownGate(middle, last - first, passage))
    return found


def _flanks(way: LineString, gate: TownGate, context: SymbolContext) -> list[float]:
    """Return the positions of a gate's two towers along the wall, as near as possible without blocking the passage."""
    here, radius = way.project(gate.at), context.size(_TOWER)
    found: list[float] = []
    for side in (-1, 1):
        asides = (gate.width / 2 + radius * share for share in _BESIDE)
        spots = [(here + side * aside) % way.length for aside in asides]
        clear = (spot for spot in spots if way.interpolate(spot).distance(gate.passage) > radius - context.size(0.7))
        found.append(next(clear, spots[-1]))
    return found


def _towers(ring: Polygon, gates: Sequence[TownGate], context: SymbolContext) -> tuple[Point, ...]:
    """Return two towers at every gate, one at every corner, and more on long sections."""
    way = Measured.of(LineString(ring.exterior))
    line = LineString(ring.exterior)
    flanks = [spot for gate in gates for spot in _flanks(line, gate, context)]
    least = context.size(_NEAREST)
    taken = list(flanks)
    corners = [float(gone) for gone in way.gone[:-1]]
    apart = context.size(_TOWERS_APART)
    stretches = zip(corners, [*corners[1:], way.length], strict=True)
    between = [
        first + (last - first) * number / pieces
        for first, last in stretches
        for pieces in [max(1, math.floor((last - first) / apart + 0.5))]
        for number in range(1, pieces)
    ]
    middles = [ring.exterior.project(gate.at) for gate in gates]
    for spot in (*corners, *between):
        clear = all(_round(spot, other, way.length) >= least for other in taken)
        if clear and all(
            _round(spot, middle, way.length) > gate.width / 2 for middle, gate in zip(middles, gates, strict=True)
        ):
            taken.append(spot)
    return tuple(Point(float(x), float(y)) for x, y in way.at(np.array(taken)))


def _round(one: float, other: float, length: float) -> float:
    """Return the shorter distance between two positions on a ring."""
    apart = abs(one - other) % length
    return min(apart, length - apart)
