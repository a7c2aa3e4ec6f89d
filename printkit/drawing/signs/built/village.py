"""Village buildings: a meeting house with a steeple, a mill at a stream, a tavern; and the walls of towns.

They are on the village's ground and part of its symbol. Lengths are mm at 1:1, for houses of the usual size.

Source: the cartography, 10.9.

Source: the cartography, 10.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Cap, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, fill, polygons
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.built.buildings import SHADOW, House, draw_houses, draw_shadows, inset_ground
from printkit.drawing.signs.built.single_buildings import Church, draw_tower
from printkit.drawing.signs.built.streets import Street
from printkit.drawing.signs.lines.course_lines import WATERS, MeasuredLine, courses, on_layer, stroke_shape
from printkit.terrain.field.battlefield import Battlefield

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
        position: its middle on the wall.
        width: its length along the wall in mm.
        passage: the ground of the street through it.
    """

    position: Point
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


def draw_town_wall(wall: TownWall, context: SymbolContext) -> LayeredItems:
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
    gate_position, radius = wall_line.project(gate.position), context.size(_TOWER)
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
    middles = [ring.exterior.project(gate.position) for gate in gates]
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


# --- The meeting house ------------------------------------------------------------------------------------------------

_HALL: Final = House(x=1.0, y=0.0, width=21.0, depth=11.6, angle=0.0, roof="slate", shade=0)
_STEEPLE: Final = ((-14.6, -3.3), (-8.0, -3.3), (-8.0, 3.3), (-14.6, 3.3))
_SPIRE: Final = (-11.3, 0.0)
# Length of the spire's shadow; it is six times that of a roof, because the spire is tall.
_SPIRE_SHADOW: Final = 15.0

_STONES: Final = (4.2, 4.6)
_STONE: Final = (1.5, 0.8)
_LAWN: Final = 2.6


class MeetingHouse(Church, frozen=True, kw_only=True):
    """A timber church of the New World: one long roof, with a square steeple at its end."""

    @property
    def hall(self) -> House:
        """Return the meeting house without its steeple, in printed mm."""
        return self.place_house(_HALL)

    @property
    def footprint(self) -> BaseGeometry:
        """Return the ground of hall and steeple, in printed mm."""
        return shapely.union_all([self.hall.footprint, self.polygon(_STEEPLE)])


def draw_meeting_house(building: MeetingHouse, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the hall like a house, and its steeple with a long shadow, spire and cross.

    Shapes and items are in printed mm.
    """
    foot, reach = building.polygon(_STEEPLE), _SPIRE_SHADOW * building.size
    yield from draw_houses([building.hall], context)
    if context.style.shadows:
        tip = building.to_map([_SPIRE])[0] + reach * np.array([SHADOW[0], -SHADOW[1]]) / math.hypot(*SHADOW)
        cone = shapely.union_all([foot, Point(*tip)]).convex_hull
        yield from on_layer(LayerName.HOUSE, fill(cone, context.tint("shadow", 0.30)))
    yield from draw_tower(building, _STEEPLE, context)


def place_headstones(
    building: MeetingHouse, churchyard: BaseGeometry, trees: Sequence[tuple[float, float]]
) -> list[Polygon]:
    """Return the stones of a burying ground, in rows around the meeting house, clear of it and of trees.

    The list may be empty. Each stone is a rectangle in printed mm.

    Args:
        building: the meeting house; it sets the size.
        churchyard: the yard, in printed mm.
        trees: centres of the trees in the yard.
    """
    size = building.size
    lawn = shapely.difference(churchyard.buffer(-_LAWN * size), building.footprint.buffer(_LAWN * size))
    lawn = shapely.difference(lawn, shapely.union_all([Point(x, y).buffer(4.2 * size) for x, y in trees]))
    column_spacing, row_spacing = _STONES
    points = [(x * column_spacing, y * row_spacing) for y in range(-3, 4) for x in range(-6, 6)]
    stones = [box(x - _STONE[0] / 2, y - _STONE[1] / 2, x + _STONE[0] / 2, y + _STONE[1] / 2) for x, y in points]
    placed_stones = [building.polygon(stone.exterior.coords) for stone in stones]
    return [stone for stone in placed_stones if shapely.contains(lawn, stone)]


def draw_headstones(stones: Sequence[Polygon], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the stones of a burying ground, rectangles in printed mm."""
    yield from on_layer(LayerName.GARDEN, fill(list(stones), context.style.ink("stone")))
    yield from on_layer(LayerName.GARDEN, stroke_shape(list(stones), context, "stone-line", 0.16, join=Join.MITRE))


# --- The mill ---------------------------------------------------------------------------------------------------------

# A stream whose centre line is within this distance, in mm on the board, can drive a mill.
_BY_WATER: Final = 44.0

_MILLS: Final = 0.75
_MILLHOUSE: Final = (13.0, 9.0)
_WHEEL: Final = (8.4, 2.2)
_PADDLES: Final = 9
_BEHIND_EDGE: Final = 2.8
_FOOT: Final = 5.0
_ALONG: Final = (0.0, 8.0, -8.0, 14.0, -14.0, 22.0, -22.0)


class Mill(Struct, frozen=True):
    """A mill: its building, with a long side towards the stream, and the wheel in front of that side, in printed mm."""

    house: House
    wheel: Polygon

    @property
    def ground(self) -> BaseGeometry:
        """Return the ground of building and wheel, in printed mm."""
        return shapely.union(self.house.footprint, self.wheel)


def place_mill(
    room: BaseGeometry,
    occupied_ground: BaseGeometry,
    ground: Polygon,
    field: Battlefield,
    context: SymbolContext,
    stream: Stream,
) -> Mill | None:
    """Return a mill at the edge of a village, facing a nearby stream, in printed mm.

    The result is None if there is no stream near, if there is no room, or in a quarter of cases at random.

    Args:
        room: ground for houses.
        occupied_ground: streets and other occupied ground.
        ground: outline of the village in printed mm.
        field: the battlefield in printed mm.
        context: context with the size of the houses.
        stream: random stream of the mill.
    """
    water_lines = [course.line for course in courses(field, *WATERS)]
    near_waters = [line for line in water_lines if line.dwithin(ground, _BY_WATER * context.scale)]
    if not near_waters or stream.draw_unit() >= _MILLS:
        return None
    water = min(near_waters, key=lambda line: line.distance(ground))
    edge = ground.exterior
    nearest = edge.project(Point(shapely.shortest_line(edge, water).coords[0]))
    width, depth = (context.size(length) for length in _MILLHOUSE)
    free = shapely.difference(room, occupied_ground)
    for edge_offset in _ALONG:
        distance = nearest + context.size(edge_offset)
        previous_point, point, next_point = (
            np.array(edge.interpolate((distance + context.size(step)) % edge.length).coords[0])
            for step in (-_FOOT, 0.0, _FOOT)
        )
        direction = (next_point - previous_point) / max(float(np.hypot(*(next_point - previous_point))), 1e-9)
        # The mill is parallel to the edge, with the wheel on its side towards the water.
        outward = np.array([direction[1], -direction[0]])
        outward *= 1.0 if ground.distance(Point(point + outward)) > 0 else -1.0
        wheel_deep = context.size(_WHEEL[1])
        x, y = point - outward * (context.size(_BEHIND_EDGE) + wheel_deep + depth / 2)
        angle = math.atan2(outward[1], outward[0]) - math.pi / 2
        house = House(x=float(x), y=float(y), width=width, depth=depth, angle=angle, roof="slate", shade=1)
        half, front_y = context.size(_WHEEL[0]) / 2, depth / 2
        wheel = Polygon(
            house.to_map(
                [(-half, front_y), (half, front_y), (half, front_y + wheel_deep), (-half, front_y + wheel_deep)]
            )
        )
        if shapely.contains(free, shapely.union(house.footprint, wheel)):
            return Mill(house, wheel)
    return None


def draw_mill(mill: Mill, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the wheel with its paddles, and the building.

    Shapes and items are in printed mm.
    """
    points = np.array(mill.wheel.exterior.coords)
    yield from on_layer(LayerName.HOUSE, fill(mill.wheel, context.style.ink("timber-deck")))
    inner_edge, outer_edge = points[[0, 1]], points[[3, 2]]
    shares = np.linspace(0.0, 1.0, _PADDLES)[1:-1, None]
    paddles = np.stack(
        [
            inner_edge[0] + shares * (inner_edge[1] - inner_edge[0]),
            outer_edge[0] + shares * (outer_edge[1] - outer_edge[0]),
        ],
        axis=1,
    )
    yield from on_layer(LayerName.HOUSE, stroke_shape(list(paddles), context, "timber", 0.30, cap=Cap.BUTT))
    yield from on_layer(
        LayerName.HOUSE, stroke_shape(mill.wheel, context, "timber", 0.42, minimum_mm=LEAST_MEANING, join=Join.MITRE)
    )
    yield from draw_houses([mill.house], context)


# --- The tavern -------------------------------------------------------------------------------------------------------

_AT_MIDDLE: Final = 60.0
# Probability of a tavern with one or two roads; with three roads there is always a tavern.
_TAVERNS: Final = 0.4

_GALLERY: Final = (2.3, 1.6, 1.1, 0.8, 0.5)  # Depths of the gallery, tried in order.

_KERB: Final = 0.3
_SIGN_POST: Final = 2.0
_SIGN_BOARD: Final = (2.0, 1.2)
_POSTS: Final = 5


class Tavern(Struct, frozen=True):
    """A house of a village that is its tavern.

    Attributes:
        number: index of its house in the list of houses, from 0.
        gallery: the gallery along its front, in printed mm.
        post: position of its sign post, in printed mm.
    """

    number: int
    gallery: Polygon
    post: Point

    def get_house(self, built: Sequence[House]) -> House:
        """Return the tavern's house by its index in ``built``, the list given to ``choose_tavern``."""
        return built[self.number]


def choose_tavern(
    built: Sequence[House],
    street_list: Sequence[Street],
    free: BaseGeometry,
    centre: tuple[float, float],
    context: SymbolContext,
    stream: Stream,
) -> Tavern | None:
    """Return the tavern of a village, or None without a road, without room, or at random.

    With one or two roads, a village has a tavern in 40 percent of cases; with three or more, always if there is room.
    It is the large house nearest to the middle that has room for a gallery.

    Args:
        built: the houses; the list is not changed.
        street_list: the streets.
        free: ground next to streets where a gallery may be, in printed mm.
        centre: the point where the streets meet.
        context: context with the size of the houses.
        stream: random stream of the tavern.
    """
    road_count = sum(bool(street.mouth) for street in street_list)
    roll = stream.draw_unit()
    if not road_count or (road_count < 3 and roll >= _TAVERNS):
        return None
    lines = shapely.union_all([street.line for street in street_list])
    ranked_houses = [
        (math.hypot(house.x - centre[0], house.y - centre[1]), number)
        for number, house in enumerate(built)
        if house.width > context.size(9.0)
    ]
    footprints = [house.footprint for house in built]
    for distance, number in sorted(ranked_houses):
        if distance > context.size(_AT_MIDDLE):
            break
        house = built[number]
        kerb = shapely.union_all([footprint for index, footprint in enumerate(footprints) if index != number])
        front, half = _find_front(house, lines)
        for gallery_depth in _GALLERY:
            depth_mm = context.size(gallery_depth)
            corners = [front(-half, 0.0), front(half, 0.0), front(half, depth_mm), front(-half, depth_mm)]
            gallery = Polygon(house.to_map(corners))
            for end in (1, -1):
                ((x, y),) = house.to_map([front(end * (half + context.size(_SIGN_POST)), depth_mm / 2)])
                needed_area = gallery.buffer(-1e-3).union(Point(x, y).buffer(context.size(0.8)))
                if shapely.contains(free, needed_area) and not needed_area.dwithin(kerb, context.size(_KERB)):
                    return Tavern(number, gallery, Point(float(x), float(y)))
    return None


def _find_front(house: House, lines: BaseGeometry) -> tuple[Callable[[float, float], tuple[float, float]], float]:
    """Return the side of a house that faces the nearest street, as a function, and half its length in mm.

    The function takes the distance along the side from its middle, and the distance outwards from the wall. It returns
    a point in the frame of its building. All are in printed mm; ``lines`` are the centre lines of the streets.
    """
    w, d = house.width / 2, house.depth / 2
    sides = ((0, d), (0, -d), (w, 0), (-w, 0))
    distances = [float(lines.distance(Point(middle))) for middle in house.to_map(sides)]
    x, y = sides[distances.index(min(distances))]
    if x:
        return lambda run, rise: (x + math.copysign(rise, x), run), d
    return lambda run, rise: (run, y + math.copysign(rise, y)), w


def make_tavern(house: House) -> House:
    """Return a house as a tavern: hipped roof (if long enough) and a chimney."""
    return replace(house, roof="roof", hipped=house.width > 1.2 * house.depth, chimney=True)


def draw_tavern(tavern: Tavern, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the gallery with its posts, and the sign on its post.

    Its building is drawn with the houses. Shapes and items are in printed mm.
    """
    style, points = context.style, np.array(tavern.gallery.exterior.coords)
    yield from on_layer(LayerName.GARDEN, draw_shadows([tavern.gallery], context, (0.9, 0.9), 0.26))
    yield from on_layer(LayerName.GARDEN, fill(tavern.gallery, style.ink("timber-deck")))
    boards = LineString([(points[0] + points[3]) / 2, (points[1] + points[2]) / 2])
    yield from on_layer(LayerName.GARDEN, stroke_shape(boards, context, "timber", 0.16))
    yield from on_layer(
        LayerName.GARDEN,
        stroke_shape(tavern.gallery, context, "timber", 0.34, minimum_mm=LEAST_MEANING, join=Join.MITRE),
    )
    posts = points[3] + np.linspace(0.0, 1.0, _POSTS)[:, None] * (points[2] - points[3])
    yield from on_layer(LayerName.GARDEN, dots(posts, context.size(0.5), style.ink("timber")))
    width, height = (context.size(length) for length in _SIGN_BOARD)
    x, y = tavern.post.x, tavern.post.y
    arm: Line = np.array([(x, y - context.size(1.0)), (x, y + context.size(1.6))])
    board = box(x, y + context.size(0.2), x + width, y + context.size(0.2) + height)
    yield from on_layer(
        LayerName.HOUSE, stroke_shape([arm], context, "timber", 0.5, minimum_mm=LEAST_MEANING, cap=Cap.BUTT)
    )
    yield from on_layer(LayerName.HOUSE, fill(polygons(board), style.ink("chimney")))
    yield from on_layer(LayerName.HOUSE, stroke_shape(board, context, "ink", 0.24, join=Join.MITRE))
