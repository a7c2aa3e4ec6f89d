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
from printkit.drawing.signs.built.buildings import inset_ground
from printkit.drawing.signs.built.streets import Street
from printkit.drawing.signs.lines.course_lines import MeasuredLine, on_layer, stroke_shape

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
    """An opening in a town wall, in printed mm.

    Attributes:
        at: its middle on the wall.
        width: its length along the wall in mm.
        passage: the ground of the street through it.
    """

    at: Point
    width: float
    passage: BaseGeometry


class TownWall(Struct, frozen=True, kw_only=True):
    """A town wall, in printed mm.

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
        """Return the ground of the wall between its gates, in printed mm."""
        wall_ground = self.ring.exterior.buffer(self.thick / 2, join_style="mitre")
        return shapely.difference(wall_ground, shapely.union_all([gate.passage for gate in self.gates]))

    @property
    def ground(self) -> BaseGeometry:
        """Return the ground of wall and towers, in printed mm."""
        return shapely.union_all([self.curtain, *(tower.buffer(self.radius) for tower in self.towers)])


def make_wall_ring(ground: Polygon, context: SymbolContext) -> Polygon:
    """Return the centre line of a wall just inside the edge of a town, as a polygon in printed mm.

    It has straight sections. If towers would extend outside the town, the ring is further inside.
    """
    tower_ground = ground.buffer(-context.size(_TOWER + 0.3))
    for inset in (_INSET, 1.3 * _INSET, 1.7 * _INSET):
        ring = ground.buffer(-context.size(inset), join_style="mitre").simplify(context.size(_STRAIGHT))
        largest = max(polygons(ring), key=lambda part: part.area, default=Polygon())
        if tower_ground.contains(largest):
            return Polygon(largest.exterior)
    return inset_ground(ground, context.size(_TOWER + 0.3))


def find_inner_ground(ring: Polygon, context: SymbolContext) -> BaseGeometry:
    """Return the ground for houses inside a wall, without a lane along the wall, in printed mm.

    ``ring`` is the centre line of the wall.
    """
    return ring.buffer(-context.size(_THICK / 2 + _CLEAR))


def build_wall(ring: Polygon, street_list: Sequence[Street], context: SymbolContext) -> TownWall:
    """Return a wall on a ring, with a gate for each street that crosses it.

    ``ring`` is its centre line, in printed mm; so are the thickness and the radius of the towers.
    """
    gates = tuple(gate for street in street_list for gate in _find_gates(ring, street, context))
    return TownWall(
        ring=ring,
        gates=gates,
        towers=_place_towers(ring, gates, context),
        thick=context.size(_THICK),
        radius=context.size(_TOWER),
    )


def draw_wall(wall: TownWall, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw a town wall, with its towers on top.

    Shapes and items are in printed mm.
    """
    towers = shapely.union_all([tower.buffer(wall.radius, quad_segs=6) for tower in wall.towers])
    stone = context.style.ink("stone")
    if context.style.shadows:
        shadows = [
            affinity.translate(wall.curtain, context.size(1.1), -context.size(1.3)),
            affinity.translate(towers, context.size(1.2), -context.size(1.4)),
        ]
        yield from on_layer(LayerName.WORKS, fill(shapely.union_all(shadows), context.tint("shadow", 0.35)))
    yield from on_layer(LayerName.WORKS, fill(wall.curtain, stone))
    yield from on_layer(LayerName.WORKS, stroke_shape(wall.curtain, context, "stone-line", 0.40, join=Join.MITRE))
    yield from on_layer(LayerName.WORKS, fill(towers, stone))
    rings = [tower.buffer(_TOWER_RING / _TOWER * wall.radius, quad_segs=4).exterior for tower in wall.towers]
    yield from on_layer(LayerName.WORKS, stroke_shape([towers, rings], context, "stone-line", 0.38))


def _find_gates(ring: Polygon, street: Street, context: SymbolContext) -> list[TownGate]:
    """Return the gates where a street crosses a wall; empty if it does not.

    They are a little wider than the street at any crossing angle. ``ring`` is the centre line of the wall, in printed
    mm.
    """
    margin = context.size(_GATE_MARGIN) / 2
    street_ground = street.ground().buffer(margin)
    wall_line = LineString(ring.exterior)
    gate_list = []
    for crossing_point in shapely.get_parts(shapely.intersection(street.line, wall_line)):
        if crossing_point.geom_type == "Point":
            passage = shapely.intersection(
                street_ground, crossing_point.buffer(1.5 * (street.width + street.mouth) + margin)
            )
            crossing_position = wall_line.project(crossing_point)
            ends = shapely.get_coordinates(shapely.intersection(wall_line, passage.boundary))
            end_offsets = [
                (wall_line.project(Point(end)) - crossing_position + wall_line.length / 2) % wall_line.length
                - wall_line.length / 2
                for end in ends
            ]
            first, last = min(end_offsets, default=-margin), max(end_offsets, default=margin)
            middle = wall_line.interpolate((crossing_position + (first + last) / 2) % wall_line.length)
            gate_list.append(TownGate(middle, last - first, passage))
    return gate_list


def _find_flank_positions(wall_line: LineString, gate: TownGate, context: SymbolContext) -> list[float]:
    """Return the positions of a gate's two towers, as distances in printed mm along the wall.

    The tower before the gate is first. They are as near to the gate as possible without blocking the passage.
    """
    gate_position, radius = wall_line.project(gate.at), context.size(_TOWER)
    flank_positions: list[float] = []
    for side in (-1, 1):
        offsets = (gate.width / 2 + radius * share for share in _BESIDE)
        positions = [(gate_position + side * offset) % wall_line.length for offset in offsets]
        free_positions = (
            position
            for position in positions
            if wall_line.interpolate(position).distance(gate.passage) > radius - context.size(0.7)
        )
        flank_positions.append(next(free_positions, positions[-1]))
    return flank_positions


def _place_towers(ring: Polygon, gates: Sequence[TownGate], context: SymbolContext) -> tuple[Point, ...]:
    """Return the centres of two towers at every gate, one at every corner, and more on long sections.

    Corners near another tower get no tower. ``ring`` is the centre line of the wall, in printed mm. Centres are in
    printed mm; none is in a passage.
    """
    wall_line = MeasuredLine.from_line(LineString(ring.exterior))
    line = LineString(ring.exterior)
    flanks = [position for gate in gates for position in _find_flank_positions(line, gate, context)]
    min_distance = context.size(_NEAREST)
    chosen_positions = list(flanks)
    corners = [float(distance) for distance in wall_line.distances[:-1]]
    spacing = context.size(_TOWERS_APART)
    sections = zip(corners, [*corners[1:], wall_line.length], strict=True)
    extra_positions = [
        first + (last - first) * number / pieces
        for first, last in sections
        for pieces in [max(1, math.floor((last - first) / spacing + 0.5))]
        for number in range(1, pieces)
    ]
    middles = [ring.exterior.project(gate.at) for gate in gates]
    for position in (*corners, *extra_positions):
        is_clear = all(
            _ring_distance(position, chosen_position, wall_line.length) >= min_distance
            for chosen_position in chosen_positions
        )
        if is_clear and all(
            _ring_distance(position, middle, wall_line.length) > gate.width / 2
            for middle, gate in zip(middles, gates, strict=True)
        ):
            chosen_positions.append(position)
    return tuple(Point(float(x), float(y)) for x, y in wall_line.at(np.array(chosen_positions)))


def _ring_distance(first: float, second: float, length: float) -> float:
    """Return the shorter distance between two positions along a ring of ``length``, all in printed mm."""
    distance = abs(first - second) % length
    return min(distance, length - distance)
