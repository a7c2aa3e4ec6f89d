"""A farm: three houses around a fenced yard, with a gate towards a nearby road.

Source: the cartography, 10.9.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.area_fill import FAINT_RINGS
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import normals, resampled
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.crowns import draw_trees
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.built.buildings import (
    House,
    PlanSite,
    draw_houses,
    find_road_point,
    fit_site,
    inset_ground,
    merge_lines,
    open_ring,
)
from printkit.drawing.signs.built.farm_grounds import draw_grounds, draw_woodpile, find_occupied_ground, plan_grounds
from printkit.drawing.signs.built.single_buildings import POST, draw_well
from printkit.drawing.signs.built.streets import ENTERING
from printkit.drawing.signs.lines.course_lines import courses, draw_area_ground, drawn_width, on_layer, stroke_shape
from printkit.drawing.signs.lines.gates import FARM_REACH
from printkit.drawing.signs.lines.walls_and_hedges import draw_fence
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Feature, Hill, Kind

_FARM_LARGEST: Final = 1.45
_PUSHES: Final = 41
_WELL: Final = 0.8
_TRACK_REACH: Final = 110.0  # A cart track leads to a road within this distance, in mm on the board.

_TRACK_END: Final = 1.0
_GATED: Final = (Kind.WALL, Kind.FENCE, Kind.WORM_FENCE)
_TRACK_CLEAR: Final = 3.0
_WOODPILE: Final = 10.6
_FARM: Final = (37.0, 27.0)
_FARMHOUSES: Final = (
    House(x=-8.2, y=6.6, width=15.0, depth=8.5, angle=0.04, roof="thatch", shade=1),
    House(x=10.6, y=2.0, width=15.0, depth=8.0, angle=math.pi / 2 - 0.05, roof="roof", shade=2, chimney=True),
    House(x=-3.0, y=-8.2, width=13.0, depth=7.0, angle=-0.04, roof="slate", shade=0),
)
_FARM_GATE: Final = 6.0


def farm(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw three houses around a fenced yard and a cart track.

    A large farm also has an orchard and gardens. Shapes and items are in printed mm.
    """
    ground = area.outline
    road_point = find_road_point(ground, field, context)
    site = place_farm(area, context, road_point)
    small_context = context.smaller(min(1.0, site.size / context.size(1.0)))
    yield from draw_area_ground(ground, small_context, ("farm-yard",), rings=FAINT_RINGS)
    post = small_context.size(POST)
    ring = LineString(inset_ground(ground, 0.55 * post).exterior)
    entrance = road_point or Point(site.to_map([(4.0, -99.0)])[0])
    fence, gate = open_ring(ring, entrance, _FARM_GATE * site.size)
    posts = context.stream(f"draw/{area.id}/fence")
    yield from draw_fence(merge_lines(fence), small_context, posts, post, LayerName.GARDEN)
    farm_houses = make_farmhouses(area, context, road_point)
    house_context = context.smaller(site.size / context.size(1.0))
    first_house, _, third_house = farm_houses
    well_point = Point((first_house.x + third_house.x) / 2, (first_house.y + third_house.y) / 2)
    occupied_ground = find_occupied_ground(
        farm_houses, LineString([(gate.x, gate.y), (site.x, site.y)]), context.clear, site.size
    )
    grounds = plan_grounds(ground, occupied_ground, site)
    yield from _draw_cart_track(
        gate, site, farm_houses, Point() if grounds.orchard.is_empty else well_point, small_context
    )
    yield from _draw_track_to_road(area, gate, small_context, field)
    yield from draw_grounds(grounds, area.id, site, house_context)
    if not grounds.orchard.is_empty:
        yield from draw_well(well_point, house_context.smaller(_WELL))
        stack = _shift_inwards(farm_houses[1], _WOODPILE * site.size, site)
        used_ground = [house.footprint.buffer(0.8 * site.size) for house in farm_houses]
        yield from draw_woodpile(
            stack, site.angle, shapely.difference(ground, shapely.union_all(used_ground)), house_context
        )
    stream = context.stream(f"draw/{area.id}/trees")
    used_ground = shapely.union_all([grounds.orchard, grounds.woodlot, *(garden.ground for garden in grounds.gardens)])
    tree_points = _choose_tree_points(ground, gate, farm_houses, area, context, site, used_ground)
    radii = [site.size * stream.between(2.9, 3.6) for _ in tree_points]
    yield from draw_trees(tree_points, radii, "crown", small_context, stream=stream, layer=LayerName.GARDEN)
    yield from draw_houses(farm_houses, small_context)


def place_farm(area: Area, context: SymbolContext, road_point: Point | None = None) -> PlanSite:
    """Return the site of a farm's plan: on large ground, at the end towards a nearby road.

    A random end depends on the ID of the farm, so each call gives the same site. The size is in printed mm per mm of
    plan.

    Args:
        area: the farm.
        context: gives the sizes.
        road_point: the point of its edge nearest to a road, in printed mm; None for a random end.
    """
    ground = inset_ground(area.outline, context.size(1.6))
    max_size = context.size(_FARM_LARGEST)
    site = fit_site(ground, *_FARM, max_size=max_size)
    if site.size < max_size:
        return site
    direction = np.array([math.cos(site.angle), math.sin(site.angle)])
    if road_point is None:
        side = 1.0 if context.stream(f"draw/{area.id}/end").draw_unit() < 0.5 else -1.0
    else:
        side = 1.0 if (road_point.x - site.x) * direction[0] + (road_point.y - site.y) * direction[1] > 0 else -1.0
    farthest = math.sqrt(area.outline.area)
    for share in np.linspace(1.0, 0.0, _PUSHES).tolist():
        x, y = np.array([site.x, site.y]) + side * share * farthest * direction
        shifted_site = replace(site, x=float(x), y=float(y))
        if shapely.contains(ground, shifted_site.box(*_FARM)):
            return shifted_site
    return site


def make_farmhouses(area: Area, context: SymbolContext, road_point: Point | None = None) -> list[House]:
    """Return the three houses of a farm on the site from ``place_farm``, in printed mm.

    Their roofs are of thatch, tiles and slate, in this order. Angles and shades are random by the ID of the farm.
    ``road_point`` is the point of the farm's edge nearest to a road, or None.
    """
    site, stream = place_farm(area, context, road_point), context.stream(f"draw/{area.id}/houses")
    flip = 1 if stream.draw_unit() < 0.5 else -1
    turn = 1 if stream.draw_unit() < 0.5 else -1
    placed_houses = []
    for house in _FARMHOUSES:
        angle = flip * turn * house.angle + stream.between(-0.04, 0.04)
        turned_house = replace(
            house, x=flip * house.x, y=turn * house.y, angle=angle, shade=house.shade + stream.draw_index(4)
        )
        placed_houses.append(site.place_house(turned_house))
    return placed_houses


def _shift_inwards(house: House, distance_mm: float, site: PlanSite) -> Point:
    """Return the point ``distance_mm`` mm from a house's centre, across the plan, towards its x axis.

    House and point are in printed mm.
    """
    plan_normal = np.array([-math.sin(site.angle), math.cos(site.angle)])
    side = -1.0 if site.is_above(Point(house.x, house.y)) else 1.0
    x, y = np.array([house.x, house.y]) + side * distance_mm * plan_normal
    return Point(float(x), float(y))


def _draw_cart_track(
    gate: Point, site: PlanSite, built: list[House], spring: Point, context: SymbolContext
) -> LayeredItems:
    """Yield (layer, item) pairs of two ruts from the gate to the middle of the yard, except near houses and the well.

    Args:
        gate: the middle of the gate, in printed mm.
        site: site of the farm's plan; its origin is the middle of the yard.
        built: the houses of the farm.
        spring: position of the well; an empty point for none.
        context: gives the sizes.
    """
    line = resampled(LineString([(gate.x, gate.y), (site.x, site.y)]), 1.0)
    blocked_area = shapely.union_all([house.footprint for house in built]).buffer(context.size(1.2))
    blocked_area = blocked_area.union(spring.buffer(context.size(2.4)))
    offset = normals(line) * context.size(1.7)
    rut_lines = shapely.difference(shapely.multilinestrings([line + offset, line - offset]), blocked_area)
    dashes = stroke_shape(rut_lines, context, "road-casing", 0.42, dash=(3.4, 1.8))
    yield from on_layer(LayerName.COURSE_DETAIL, dashes)


def _draw_track_to_road(area: Area, gate: Point, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw two ruts from the gate to a nearby road, if no other feature is between them.

    ``gate`` is the middle of the farm's gate, in printed mm.
    """
    roads = [course for course in courses(field, *ENTERING) if course.line.dwithin(gate, _TRACK_REACH * context.scale)]
    if not roads:
        return
    road = min(roads, key=lambda course: course.line.distance(gate))
    goal = road.line.interpolate(road.line.project(gate))
    line = LineString([(gate.x, gate.y), (goal.x, goal.y)])
    outside = shapely.difference(line, road.line.buffer(drawn_width(road, context) / 2 + context.size(_TRACK_END)))
    if outside.is_empty or outside.geom_type != "LineString":
        return
    track_ground = outside.buffer(context.size(_TRACK_CLEAR), cap_style="flat")
    # A wall or fence near the farm has a gate for the track.
    passable_kinds = _GATED if line.length < context.size(FARM_REACH) else ()
    obstacles = (
        candidate
        for candidate in field.features
        if candidate is not area and candidate is not road and candidate.kind not in passable_kinds
    )
    if any(track_ground.intersects(_get_ground(feature)) for feature in obstacles):
        return
    points = resampled(outside, 1.0)
    offset = normals(points) * context.size(1.7)
    rut_lines = shapely.difference(shapely.multilinestrings([points + offset, points - offset]), context.clear)
    dashes = stroke_shape(rut_lines, context, "road-casing", 0.42, dash=(3.4, 1.8))
    yield from on_layer(LayerName.COURSE_DETAIL, dashes)


def _get_ground(feature: Feature) -> BaseGeometry:
    """Return the ground of an area or hill, the line of a course, or an empty point for any other feature.

    Coordinates are in printed mm.
    """
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line
        case _:
            return Point()


def _choose_tree_points(
    ground: Polygon,
    gate: Point,
    built: list[House],
    area: Area,
    context: SymbolContext,
    site: PlanSite,
    used_ground: BaseGeometry,
) -> list[tuple[float, float]]:
    """Return the positions of up to two trees in the yard, far from the houses and from each other.

    Positions are in printed mm; an empty list means that there is no room. The first point is the one farthest from the
    middle of the plan.

    Args:
        ground: outline of the farm, in printed mm.
        gate: the middle of its gate.
        built: its houses.
        area: the farm; its ID names the random stream.
        context: gives the random stream and the boxes of labels.
        site: site of its plan.
        used_ground: orchard, gardens and woodlot, which stay free of these trees.
    """
    unit = site.size
    house_margins = [house.footprint.buffer(3.4 * unit) for house in built]
    free = shapely.difference(
        ground.buffer(-4.6 * unit),
        shapely.union_all([*house_margins, gate.buffer(9 * unit), context.clear, used_ground.buffer(3.4 * unit)]),
    )
    points = poisson_points(
        free, max(2.0 * unit, 0.04 * math.sqrt(ground.area)), context.stream(f"draw/{area.id}/planting")
    )
    if not len(points):
        return []
    first = points[int(np.argmax(np.hypot(*(points - (site.x, site.y)).T)))]
    second = points[int(np.argmax(np.hypot(*(points - first).T)))]
    tree_distance = float(np.hypot(*(second - first)))
    return [(float(x), float(y)) for x, y in ((first, second) if tree_distance > 8 * unit else (first,))]
