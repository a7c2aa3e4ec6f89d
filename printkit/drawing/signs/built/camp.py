"""A camp: palisade, gate towards the enemy, tents lit from the north-west, the general's pennon, and baggage.

Source: the cartography, 10.9 and 17.
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

from printkit.drawing.canvas.items import Cap, Ink, Join, LayeredItems, LayerName
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.canvas.shapes import Line, fill, fill_and_stroke, lines
from printkit.drawing.canvas.symbol_context import FAINT_RINGS, LEAST_MEANING, SymbolContext
from printkit.drawing.signs.built.buildings import PlanSite, draw_shadows, fit_site, inset_ground
from printkit.drawing.signs.lines.course_lines import MeasuredLine, draw_area_ground, on_layer, stroke_shape
from printkit.drawing.signs.lines.walls_and_hedges import compute_normals
from printkit.kit.sides import find_look
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

# --- Tents from above, each a cone of twelve facets lit from the north-west, and the general's pennon -----------------

_FACETS: Final = 12
_SHADOW: Final = (1.5, 1.6)
_DARK_FROM: Final = -0.2
_LIT, _SHADED = 0.8, 0.75
_MAST: Final = 1.9
_LEAST_RADIUS: Final = 1.5


class Tent(Struct, frozen=True):
    """A round tent: its centre and its radius in printed mm."""

    x: float
    y: float
    radius: float

    @property
    def ground(self) -> Polygon:
        """Return the circle of the tent's ground, in printed mm."""
        return Point(self.x, self.y).buffer(self.radius, quad_segs=9)

    @property
    def seams(self) -> list[Line]:
        """Return the 12 lines from the peak to the rim, one between each two facets, in printed mm."""
        turns = np.arange(_FACETS) * (2 * math.pi / _FACETS)
        return [np.array([(self.x, self.y), self.at(turn)]) for turn in turns]

    def at(self, turn: float) -> tuple[float, float]:
        """Return the point on the rim of the tent in a direction, in printed mm.

        ``turn`` is the angle from the x axis in radians, anticlockwise.
        """
        return self.x + self.radius * math.cos(turn), self.y + self.radius * math.sin(turn)

    def facet(self, number: int) -> tuple[Polygon, float]:
        """Return a facet of the tent in printed mm, and its light from 1 (towards the light) to -1 (away).

        ``number`` counts the 12 facets from 0, anticlockwise from the x axis.
        """
        share = 2 * math.pi / _FACETS
        turn = (number + 0.5) * share
        rim = [self.at(number * share + part * share / 4) for part in range(5)]
        return Polygon([(self.x, self.y), *rim]), (math.sin(turn) - math.cos(turn)) * math.sqrt(0.5)


def draw_tents(tent_list: Sequence[Tent], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw tents, with all shadows below them.

    Shapes and items are in printed mm. All are on the layer of camps; it yields nothing for an empty sequence.
    """
    if not tent_list:
        return
    style = context.style
    yield from on_layer(LayerName.CAMP, draw_shadows([tent.ground for tent in tent_list], context, _SHADOW, 0.30))
    if style.hatched:
        yield from on_layer(LayerName.CAMP, fill([tent.ground for tent in tent_list], style.ink("tent")))
        strokes = [stroke for tent in tent_list for stroke in _make_shade_strokes(tent)]
        yield from on_layer(LayerName.CAMP, stroke_shape(strokes, context, "tent-line", 0.18))
    else:
        inks: dict[Ink, list[Polygon]] = {}
        for number in range(_FACETS):
            for tent in tent_list:
                facet, facing = tent.facet(number)
                if facing > 0:
                    ink = style.solid("tent-lit").mix(WHITE, facing * _LIT)
                else:
                    ink = style.solid("tent-shaded").mix(style.solid("tent-dark"), -facing * _SHADED)
                inks.setdefault(ink, []).append(facet)
        for ink, facets in inks.items():
            yield from on_layer(LayerName.CAMP, fill(facets, ink))
    seams = [seam for tent in tent_list if tent.radius > _LEAST_RADIUS for seam in tent.seams]
    yield from on_layer(LayerName.CAMP, stroke_shape(seams, context, "tent-line", 0.16))
    yield from on_layer(
        LayerName.CAMP,
        stroke_shape([tent.ground for tent in tent_list], context, "tent-line", 0.34, minimum_mm=LEAST_MEANING),
    )


def draw_pennon(tent: Tent, side: str, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of a tent's mast and its pennon: filled and pointed for red, open and forked for blue.

    The foot of the mast is at the centre of the tent, and the pennon flies to the right. ``side`` is the ink of the
    side, for example ``side-red``. Shapes and items are in printed mm.
    """
    style, radius = context.style, tent.radius
    top = tent.y + mast_height(radius)
    yield from on_layer(
        LayerName.CAMP, stroke_shape([np.array([(tent.x, tent.y), (tent.x, top)])], context, "ink", 0.40, cap=Cap.BUTT)
    )
    half, length = 0.30 * radius, 1.25 * radius
    middle, fly = top - half, tent.x + length
    line = context.stroke(style.solid(side), 0.50, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    if side == "side-red":
        pointed_shape = Polygon([(tent.x, top), (fly, middle), (tent.x, top - 2 * half)])
        yield from on_layer(LayerName.CAMP, fill_and_stroke(pointed_shape, style.solid(side), line))
    else:
        fork = (tent.x + 0.62 * length, middle)
        upper, lower = [(tent.x, top), (fly, top - 0.1 * half)], [(fly, top - 1.9 * half), (tent.x, top - 2 * half)]
        fork_shape = Polygon([*upper, fork, *lower])
        yield from on_layer(LayerName.CAMP, fill_and_stroke(fork_shape, style.solid("tent"), line))


def mast_height(radius: float) -> float:
    """Return the height of the pennon's top above the centre of its tent: 1.9 times the radius.

    ``radius`` is the radius of the tent in printed mm; so is the result.
    """
    return _MAST * radius


def _make_shade_strokes(tent: Tent) -> list[Line]:
    """Return strokes from the peak of a tent down the facets that face away from the light, in printed mm."""
    share = 2 * math.pi / _FACETS
    dark = [number for number in range(_FACETS) if tent.facet(number)[1] < _DARK_FROM]
    return [
        np.array([(tent.x, tent.y), tent.at((number + part) * share)]) for number in dark for part in (1 / 3, 2 / 3)
    ]


_STAKE: Final = 1.9
_PITCH: Final = 2.1
_GATE: Final = 11.0
_TENT: Final = 4.9
_GENERAL: Final = 7.2
_APART: Final = 1.35
_USUAL: Final = 68.0  # Side in mm of the square ground for tents of the sizes above

_SITE: Final = (34.0, 19.0)


def camp(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a camp on its ground.

    Shapes and items are in printed mm.
    """
    ground = area.outline
    site, gate, wall = plan_camp(area, context, field)
    small_context = context.smaller(site.size / context.size(1.0))
    half_gate = _GATE / 2 * site.size
    # The lane runs from the gate towards the general's tent.
    goal = site.to_map([(0.0, 0.0)])[0] * 0.65 + _find_back(site, wall) * 0.35
    lane_band = LineString([gate, Point(goal)]).buffer(half_gate, cap_style="flat")
    lane = shapely.intersection(lane_band, wall.buffer(half_gate))
    yield from draw_area_ground(ground, small_context, ("camp-ground",), rings=FAINT_RINGS)
    yield from on_layer(LayerName.CAMP, fill(lane, context.tint("road", 0.8)))
    palisade = shapely.difference(wall.exterior, gate.buffer(half_gate))
    yield from on_layer(
        LayerName.CAMP, stroke_shape(palisade, small_context, "timber", 1.0, cap=Cap.BUTT, minimum_mm=LEAST_MEANING)
    )
    yield from on_layer(
        LayerName.CAMP,
        stroke_shape(
            _make_stakes(palisade, ground, small_context), small_context, "timber", 0.42, minimum_mm=LEAST_MEANING
        ),
    )
    chief, other_tents = _place_tents(site, gate, wall, lane, small_context)
    yield from draw_tents([*other_tents, chief], small_context)
    yield from draw_pennon(chief, find_side_ink(area, field), small_context)


def baggage(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a camp's baggage: two carts and a pennon inside a rope.

    Shapes and items are in printed mm.
    """
    ground = area.outline
    inward = find_enemy_direction(area, field)
    angle = math.atan2(inward[1], inward[0]) - math.pi / 2
    site = fit_site(
        inset_ground(ground, context.size(1.2)),
        *_SITE,
        angle=_align_to_ground(ground, angle),
        max_size=context.size(1.6),
    )
    small_context = context.smaller(min(1.0, site.size / context.size(1.0)))
    yield from draw_area_ground(ground, small_context, ("camp-ground",), rings=FAINT_RINGS)
    rope = inset_ground(ground, small_context.size(0.5))
    yield from on_layer(
        LayerName.CAMP,
        stroke_shape(rope, small_context, "timber", 0.5, dash=(4.2, 1.1, 0.01, 1.1), minimum_mm=LEAST_MEANING),
    )
    stream = context.stream(f"draw/{area.id}/carts")
    for x, y in ((-10.4, 4.6), (5.4, -5.0)):
        yield from _draw_cart(site, (x + stream.between(-0.6, 0.6), y), stream.between(-0.12, 0.12), small_context)
    ((x, y),) = site.to_map([(0.4, -1.4)])
    yield from draw_pennon(Tent(float(x), float(y), 3.8 * site.size), find_side_ink(area, field), small_context)


def plan_camp(area: Area, context: SymbolContext, field: Battlefield) -> tuple[PlanSite, Point, Polygon]:
    """Return the site of a camp, the middle of its gate, and the ground inside its palisade.

    Everything is in printed mm. The y axis of the site points at the enemy; its size scales the tents. The size is
    limited to 0.45 to 1.25 times that of the map.
    """
    ground = area.outline
    inward = find_enemy_direction(area, field)
    angle = _align_to_ground(ground, math.atan2(inward[1], inward[0]) - math.pi / 2)
    size = min(1.25 * context.size(1.0), max(0.45 * context.size(1.0), math.sqrt(ground.area) / _USUAL))
    wall = inset_ground(ground, (_STAKE + 0.5) * size)
    frame = fit_site(wall, 1.0, 1.0, angle=angle)
    site = PlanSite(x=frame.x, y=frame.y, angle=angle, size=size)
    outwards = LineString(site.to_map([(0.0, 0.0), (0.0, 9e3)]))
    gate = Point(shapely.get_coordinates(shapely.intersection(outwards, wall.exterior))[0])
    return site, gate, wall


def find_enemy_direction(area: Area, field: Battlefield) -> tuple[float, float]:
    """Return the unit vector (x, y) from the board edge nearest to an area towards the middle of the board.

    The enemy is in that direction. If two edges are equally near, the near or far edge counts, because it is a player's
    edge.
    """
    left, low, right, high = area.outline.bounds
    board = field.board
    near_edge, far_edge = (low, (0.0, 1.0)), (board.depth - high, (0.0, -1.0))
    edges = (near_edge, far_edge, (left, (1.0, 0.0)), (board.width - right, (-1.0, 0.0)))
    return min(edges, key=lambda edge: round(edge[0], 1))[1]


def find_side_ink(area: Area, field: Battlefield) -> str:
    """Return the name of the ink of the side that placed an area.

    If no side placed it, the ink is that of the side whose half of the board the area is in.
    """
    return find_look(area.origin.placed_by or "", far=bool(area.outline.centroid.y > field.board.depth / 2)).ink


def _align_to_ground(ground: BaseGeometry, target: float) -> float:
    """Return the direction of a side of the ground's smallest box that is nearest to ``target``.

    Both are in radians, anticlockwise from the x axis; opposite directions of a side differ.
    """
    corners = shapely.get_coordinates(ground.minimum_rotated_rectangle)[:3]
    first = math.atan2(*(corners[1] - corners[0])[::-1])
    turns = [first + quarter * math.pi / 2 for quarter in range(4)]
    return min(turns, key=lambda turn: abs((turn - target + math.pi) % (2 * math.pi) - math.pi))


def _find_back(site: PlanSite, wall: Polygon) -> Line:
    """Return the point behind the middle of a camp where its y axis meets the palisade, in printed mm.

    ``wall`` is the ground inside the palisade.
    """
    rear = LineString(site.to_map([(0.0, 0.0), (0.0, -9e3)]))
    return np.asarray(shapely.get_coordinates(shapely.intersection(rear, wall.exterior))[0])


def _place_tents(
    site: PlanSite, gate: Point, wall: Polygon, lane: BaseGeometry, context: SymbolContext
) -> tuple[Tent, list[Tent]]:
    """Return the general's tent at the end of the lane, and the other tents in rows on both sides.

    There may be no other tents if there is no room.

    Args:
        site: site of the camp; its size scales the tents.
        gate: the middle of the gate, in printed mm.
        wall: the ground inside the palisade.
        lane: the ground of the lane from the gate to the general's tent.
        context: gives the boxes of labels, which stay free of tents.
    """
    radius, chief_radius = _TENT * site.size, _GENERAL * site.size
    back = _find_back(site, wall)
    front = np.array([gate.x, gate.y])
    min_share = min(0.5, (chief_radius + 3.0 * site.size) / float(np.hypot(*(front - back))))
    # The mast points up the sheet. If the back of the camp is there, the general's tent moves towards the gate.
    candidates = (back + (front - back) * share for share in np.linspace(min_share, 0.75, 12))
    general_point = next(
        (point for point in candidates if wall.contains(Point(point[0], point[1] + mast_height(chief_radius)))),
        back + (front - back) * 0.75,
    )
    general = Tent(float(general_point[0]), float(general_point[1]), chief_radius)
    occupied_ground = shapely.union_all([lane, Point(general_point).buffer(chief_radius), context.clear]).buffer(
        1.0 * site.size
    )
    free = shapely.difference(wall.buffer(-1.8 * site.size), occupied_ground).buffer(-radius)
    step, row = 2 * radius * 1.13, 2 * radius * _APART
    if free.is_empty:
        return general, []
    local = affinity.rotate(affinity.translate(free, -site.x, -site.y), -math.degrees(site.angle), origin=(0.0, 0.0))
    left, low, right, high = local.bounds
    rows = max(1, math.floor((high - low) / row) + 1)
    levels = np.linspace(high, high - row * (rows - 1), rows) - ((high - low) - row * (rows - 1)) / 2
    local_points: list[tuple[float, float]] = []
    for level in levels:
        row_parts = shapely.intersection(local, LineString([(left - 1, level), (right + 1, level)]))
        for part in lines(row_parts):
            first, last = part.bounds[0], part.bounds[2]
            count = math.floor((last - first) / step) + 1
            spread = np.linspace(first, last, count) if count > 1 else np.array([(first + last) / 2])
            local_points += [(float(x), float(level)) for x in spread]
    tent_points = PlanSite(x=site.x, y=site.y, angle=site.angle, size=1.0).to_map(local_points)
    return general, [Tent(float(x), float(y), radius) for x, y in tent_points]


def _make_stakes(palisade: BaseGeometry, ground: Polygon, context: SymbolContext) -> list[Line]:
    """Return the stakes of a palisade, pointing outwards, each as a line from foot to tip in printed mm.

    ``palisade`` is its line, and ``ground`` the outline of the camp.
    """
    stake_lines: list[Line] = []
    joined = shapely.line_merge(palisade)
    for part in lines(joined):
        part_line = MeasuredLine.from_line(part)
        count = max(2, round(part_line.length / context.size(_PITCH)) + 1)
        distances = np.linspace(0, part_line.length, count)
        wall_points, normals = part_line.at(distances), -compute_normals(part_line, distances, 0.2)
        inside = shapely.contains_xy(
            ground.buffer(-context.size(_STAKE)), *(wall_points + normals * context.size(0.6)).T
        )
        outwards = normals * np.where(inside, -1.0, 1.0)[:, None]
        feet, tips = wall_points - outwards * context.size(0.2), wall_points + outwards * context.size(_STAKE - 0.2)
        stake_lines += list(np.stack([feet, tips], axis=1))
    return stake_lines


def _draw_cart(site: PlanSite, position: tuple[float, float], turn: float, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw a cart from above: its box with boards, four wheels and the shaft.

    Args:
        site: the site of the baggage.
        position: centre of the cart in mm of plan.
        turn: angle of the shaft from the x axis of the plan, in radians.
        context: gives the style and sizes.
    """
    ((x, y),) = site.to_map([position])
    cart_site = PlanSite(x=float(x), y=float(y), angle=site.angle + turn, size=site.size)
    body = cart_site.box(10.0, 6.0)
    wheels = [
        cart_site.polygon([(wx - 1.6, wy - 0.45), (wx + 1.6, wy - 0.45), (wx + 1.6, wy + 0.45), (wx - 1.6, wy + 0.45)])
        for wx in (-3.0, 3.0)
        for wy in (-3.6, 3.6)
    ]
    shaft = cart_site.to_map([(5.0, 0.0), (10.0, 0.0)])
    yoke = cart_site.to_map([(9.4, -1.9), (9.4, 1.9)])
    style = context.style
    yield from on_layer(LayerName.CAMP, draw_shadows([body], context, (1.3, 1.4), 0.30))
    yield from on_layer(LayerName.CAMP, stroke_shape([shaft, yoke], context, "timber", 0.7))
    yield from on_layer(LayerName.CAMP, fill(wheels, style.ink("timber")))
    edge = context.stroke(style.solid("tent-line"), 0.38, join=Join.MITRE)
    yield from on_layer(LayerName.CAMP, fill_and_stroke(body, style.ink("timber-deck") or WHITE, edge))
    boards = [cart_site.to_map([(x, -2.7), (x, 2.7)]) for x in np.arange(-4.0, 4.1, 1.6)]
    yield from on_layer(LayerName.CAMP, stroke_shape(boards, context, "tent-line", 0.16))
    load = [
        Point(cart_site.to_map([sack_point])[0]).buffer(1.25 * cart_site.size, quad_segs=4)
        for sack_point in ((-2.2, 0.6), (1.2, -0.7))
    ]
    for sack in load:
        yield from on_layer(
            LayerName.CAMP, fill_and_stroke(sack, style.solid("tent"), context.stroke(style.solid("tent-line"), 0.24))
        )
