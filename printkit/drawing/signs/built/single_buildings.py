"""Farms, and single buildings: a church with its yard, a well, a great building in a walled yard, a house.

Source: the cartography, 10.9.

Source: the cartography, 10.9.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Cap, Ink, Join, LayeredItems, LayerName, Path
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.canvas.shapes import Line, fill, fill_and_stroke, normals, resampled, uneven_oval
from printkit.drawing.canvas.symbol_context import FAINT_RINGS, LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import draw_trees, poisson_points
from printkit.drawing.signs.built.buildings import (
    House,
    PlanSite,
    draw_houses,
    draw_shadows,
    find_road_point,
    fit_site,
    inset_ground,
    merge_lines,
    open_ring,
)
from printkit.drawing.signs.built.streets import ENTERING
from printkit.drawing.signs.lines.course_lines import courses, draw_area_ground, drawn_width, on_layer, stroke_shape
from printkit.drawing.signs.lines.gates import FARM_REACH
from printkit.drawing.signs.lines.walls_and_hedges import draw_fence, draw_wall
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Feature, Hill, Kind

SHADOW: Final = (2.3, 2.5)
_NAVE: Final = ((-9.0, 0.0), (9.0, 0.0), 4.2)
_CROSSING: Final = ((3.5, -8.0), (3.5, 8.0), 2.5)
_APSE: Final = ((9.0, -3.2), (11.5, -2.2), (12.6, 0.0), (11.5, 2.2), (9.0, 3.2))
_TOWER: Final = ((-16.0, -4.6), (-7.0, -4.6), (-7.0, 4.6), (-16.0, 4.6))


class Church(PlanSite, frozen=True, kw_only=True):
    """A church whose x axis, from tower to apse, has the direction ``angle`` in radians, anticlockwise.

    ``size`` is printed mm per mm of its plan.
    """

    @property
    def footprint(self) -> BaseGeometry:
        """Return the ground of the church, in printed mm."""
        halves = [half for ridge in (_NAVE, _CROSSING) for half, _ in self.gable_planes(ridge)]
        return shapely.union_all([*halves, Polygon(self.to_map(_APSE)), Polygon(self.to_map(_TOWER))])

    def gable_planes(
        self, ridge: tuple[tuple[float, float], tuple[float, float], float]
    ) -> list[tuple[Polygon, float]]:
        """Return the two roof planes along a ridge in printed mm, each with its light.

        Light is above 0 on a plane that faces the light. ``ridge`` is both ends and half the width of the roof, in mm
        of the church's plan.
        """
        first, last, half = np.array(ridge[0]), np.array(ridge[1]), ridge[2]
        direction = (last - first) / float(np.hypot(*(last - first)))
        normal = np.array([-direction[1], direction[0]])
        origin = self.to_map([(0, 0)])[0]
        planes = []
        for side in (1, -1):
            offset = side * half * normal
            light_vector = self.to_map([offset])[0] - origin
            planes.append(
                (
                    Polygon(self.to_map([first, last, last + offset, first + offset])),
                    float(light_vector[1] - light_vector[0]),
                )
            )
        return planes


def draw_church(building: Church, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw nave, crossing, apse, and a tower with a pyramid roof and a cross.

    Shapes and items are in printed mm.
    """
    slate = context.style.family("slate")[0]
    yield from on_layer(LayerName.HOUSE, draw_shadows([building.footprint], context, SHADOW, 0.32))
    for ridge in (_CROSSING, _NAVE):
        for plane, facing in building.gable_planes(ridge):
            ink = slate.mix(WHITE, 0.32) if facing > 0 else slate.mix(Ink(21, 21, 26), 0.30)
            yield from on_layer(LayerName.HOUSE, _draw_plane(plane, slate if context.style.hatched else ink, context))
        if context.style.hatched:
            yield from on_layer(
                LayerName.HOUSE, stroke_shape(_make_hatching(building, ridge), context, "roof-line", 0.20, cap=Cap.BUTT)
            )
    apse = Polygon(building.to_map(_APSE))
    yield from on_layer(LayerName.HOUSE, _draw_plane(apse, slate.mix(WHITE, 0.10), context))
    yield from draw_tower(building, _TOWER, context)


def _draw_plane(plane: Polygon, ink: Ink, context: SymbolContext) -> list[Path]:
    """Return a plane of a roof, in printed mm, as a filled path with an edge line."""
    return fill_and_stroke(plane, ink, context.stroke(context.style.solid("roof-line"), 0.30, join=Join.MITRE))


def _make_hatching(building: Church, ridge: tuple[tuple[float, float], tuple[float, float], float]) -> list[Line]:
    """Return strokes from ridge to eave on the plane away from the light, in printed mm.

    ``ridge`` is both ends and half the width of the roof, in mm of the church's plan.
    """
    dark = min(building.gable_planes(ridge), key=lambda plane: plane[1])[0]
    first, last, eave_last, eave_first = (np.array(corner) for corner in dark.exterior.coords[:4])
    return [
        np.array([first + (last - first) * share, eave_first + (eave_last - eave_first) * share])
        for share in np.arange(0.04, 1.0, 0.07)
    ]


def draw_tower(building: Church, foot: tuple[tuple[float, float], ...], context: SymbolContext) -> LayeredItems:
    """Draw the pyramid roof and cross of a tower; ``foot`` is its corners in mm of the church's plan.

    Yields (layer, item) pairs.
    """
    stone, corners = context.style.solid("stone"), np.array(foot)
    middle = corners.mean(axis=0)
    origin = building.to_map([(0.0, 0.0)])[0]
    for first, last in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        outward = building.to_map([(first + last) / 2 - middle])[0] - origin
        facing = float(outward[1] - outward[0]) / (float(np.hypot(*outward)) * math.sqrt(2))
        shade_ink = WHITE if facing > 0 else Ink(42, 32, 24)
        ink = stone if context.style.hatched else stone.mix(Ink(120, 105, 92), 0.35).mix(shade_ink, abs(facing) * 0.55)
        yield from on_layer(LayerName.HOUSE, _draw_plane(Polygon(building.to_map([first, last, middle])), ink, context))
    x, y = building.to_map([middle])[0]
    size = building.size
    cross_post = np.array([(x, y - 2.6 * size), (x, y + 3.4 * size)])
    cross_arm = np.array([(x - 2.0 * size, y + 1.3 * size), (x + 2.0 * size, y + 1.3 * size)])
    yield from on_layer(LayerName.HOUSE, stroke_shape([cross_post, cross_arm], context, "ink", 0.75, cap=Cap.BUTT))


def make_churchyard(building: Church, stream: Stream) -> Polygon:
    """Return the churchyard in printed mm: an uneven oval around the church.

    ``stream`` gives the uneven edge.
    """
    x, y = uneven_oval(22.0, 14.0, stream, 0.055, 90)
    # The middle of the church is about 1.7 west of its plan's origin; the yard leaves at least 5 around it.
    return Polygon(building.to_map(np.column_stack([x - 1.7, y])))


def draw_well(centre: Point, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw a well with a stone kerb; ``centre`` is in printed mm."""
    kerb, water = centre.buffer(context.size(2.0)), centre.buffer(context.size(1.0))
    yield from on_layer(LayerName.GARDEN, fill(kerb, context.style.ink("stone")))
    yield from on_layer(LayerName.GARDEN, stroke_shape(kerb, context, "stone-line", 0.50))
    yield from on_layer(LayerName.GARDEN, fill(water, context.style.ink("bank-line")))


# --- A great single building in a walled yard -------------------------------------------------------------------------

_PLAN: Final = (44.0, 31.0)
_EDIFICE_LARGEST: Final = 2.4
_EDIFICE_GATE: Final = 6.5
_WALL: Final = 1.5
_HALL: Final = House(x=0.0, y=7.6, width=38.0, depth=12.0, angle=0.0, roof="slate", hipped=True)
_WINGS: Final = tuple(
    House(x=side * 14.6, y=-5.2, width=13.2, depth=8.0, angle=math.pi / 2, roof="slate", shade=1) for side in (-1, 1)
)
_GATEHOUSES: Final = tuple(
    House(x=side * 6.4, y=-10.6, width=7.4, depth=4.8, angle=0.0, roof="roof", shade=side + 1) for side in (-1, 1)
)
_COURT: Final = (19.6, 8.4)
_COURT_AT: Final = -3.2


class Edifice(Struct, frozen=True, kw_only=True):
    """The plan of a great building, in printed mm.

    Attributes:
        site: position and scale of the plan.
        roofs: its buildings.
        yard: the walled yard.
        gate: middle of the gap in the wall.
        path: the path from the gate.
        court: the garden court.
    """

    site: PlanSite
    roofs: tuple[House, ...]
    yard: Polygon
    gate: Point
    path: BaseGeometry
    court: Polygon


def edifice(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a great building with its court, in a walled yard.

    Shapes and items are in printed mm.
    """
    plan, style = plan_edifice(area, context, field), context.style
    unit_mm = plan.site.size
    small_context = context.smaller(min(1.0, unit_mm / context.size(1.0)))
    yield from draw_area_ground(area.outline, small_context, ("churchyard",), rings=FAINT_RINGS)
    yield from on_layer(LayerName.GARDEN, fill(plan.path, style.ink("road")))
    edges = shapely.difference(plan.path.boundary, plan.gate.buffer(_EDIFICE_GATE * unit_mm))
    yield from on_layer(LayerName.GARDEN, stroke_shape(edges, small_context, "road-casing", 0.28))
    yield from on_layer(LayerName.GARDEN, fill(plan.court, style.ink("gardens")))
    yield from on_layer(
        LayerName.GARDEN, stroke_shape(plan.court, small_context, "hedge-line", 0.32, minimum_mm=LEAST_MEANING)
    )
    ((x, y),) = plan.site.to_map([(0.0, _COURT_AT)])
    alleys = [plan.site.to_map([(-_COURT[0] / 2, _COURT_AT), (_COURT[0] / 2, _COURT_AT)])]
    alleys += [plan.site.to_map([(0.0, _COURT_AT - _COURT[1] / 2), (0.0, _COURT_AT + _COURT[1] / 2)])]
    yield from on_layer(LayerName.GARDEN, stroke_shape(alleys, small_context, "hedge-line", 0.32))
    yield from draw_well(Point(float(x), float(y)), context.smaller(0.8 * unit_mm / context.size(1.0)))
    wall_line, _ = open_ring(LineString(plan.yard.exterior), plan.gate, _EDIFICE_GATE * unit_mm)
    stones = context.stream(f"draw/{area.id}/wall")
    yield from draw_wall(merge_lines(wall_line), small_context, stones, _WALL * unit_mm, LayerName.GARDEN)
    stream = context.stream(f"draw/{area.id}/trees")
    margins = [*(roof.footprint.buffer(3.6 * unit_mm) for roof in plan.roofs), plan.path.buffer(2.6 * unit_mm)]
    blocked_area = shapely.union_all([*margins, plan.court.buffer(2.6 * unit_mm), context.clear])
    lawn = shapely.difference(plan.yard.buffer(-4.2 * unit_mm), blocked_area)
    tree_points = poisson_points(lawn, max(9.5 * unit_mm, 0.09 * math.sqrt(area.outline.area)), stream)
    radii = [unit_mm * stream.between(2.2, 3.0) for _ in tree_points]
    yield from draw_trees(tree_points, radii, "crown", small_context, stream=stream, layer=LayerName.GARDEN)
    yield from draw_houses(plan.roofs, small_context)


def plan_edifice(area: Area, context: SymbolContext, field: Battlefield) -> Edifice:
    """Return the plan of a great building, in printed mm.

    Its gate faces a nearby road; without one it is on the negative side of the plan's x axis.
    """
    ground = area.outline
    yard = inset_ground(ground, context.size(0.9))
    site = fit_site(inset_ground(yard, context.size(2.2)), *_PLAN, max_size=context.size(_EDIFICE_LARGEST))
    road_point = find_road_point(ground, field, context)
    if road_point and site.is_above(road_point):
        site = replace(site, angle=site.angle + math.pi)
    front_line = LineString(site.to_map([(0.0, 0.0), (0.0, -9e3)]))
    gate = Point(shapely.get_coordinates(shapely.intersection(front_line, yard.exterior))[0])
    line = LineString([site.to_map([(0.0, _COURT_AT - _COURT[1] / 2)])[0], (gate.x, gate.y)])
    inner = site.box(*_COURT, level=_COURT_AT)
    path = shapely.difference(line.buffer(_EDIFICE_GATE / 2 * 0.7 * site.size, cap_style="flat"), inner)
    roofs = tuple(site.place_house(house) for house in (_HALL, *_WINGS, *_GATEHOUSES))
    return Edifice(site=site, roofs=roofs, yard=yard, gate=gate, path=shapely.intersection(path, ground), court=inner)


# --- A single building ------------------------------------------------------------------------------------------------

_BUILDING_LARGEST: Final = 2.2
POST: Final = 1.9
_HOUSE: Final = (24.0, 18.0)
_BESIDE: Final = ((-10.2, -6.5), (-10.9, 2.0), (-9.8, 7.6), (-1.0, 7.9))


def building(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw one house with a piece of fence, its front towards a nearby road.

    It is larger on larger ground. Shapes and items are in printed mm.
    """
    stream = context.stream(f"draw/{area.id}/house")
    site = fit_site(area.outline, *_HOUSE, max_size=context.size(_BUILDING_LARGEST))
    if (road_point := find_road_point(area.outline, field, context)) and site.is_above(road_point):
        site = replace(site, angle=site.angle + math.pi)
    mirrored = 1 if stream.draw_unit() < 0.5 else -1
    fence = LineString(site.to_map([(mirrored * x, y) for x, y in _BESIDE]))
    small_context = context.smaller(min(1.0, site.size / context.size(1.0)))
    posts = context.stream(f"draw/{area.id}/fence")
    yield from draw_fence(
        LineString(resampled(fence, 0.5)), small_context, posts, small_context.size(POST), LayerName.GARDEN
    )
    plan = House(x=1.2 * mirrored, y=-1.2, width=17.0, depth=11.0, angle=stream.between(-0.05, 0.05), chimney=True)
    yield from draw_houses([site.place_house(plan)], small_context)


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
    # Villages use this module too, and need no fields.
    from printkit.drawing.signs.built.farm_grounds import (
        draw_grounds,
        draw_woodpile,
        find_occupied_ground,
        plan_grounds,
    )

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
