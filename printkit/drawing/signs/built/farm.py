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
    fitted,
    houses,
    nearest_way,
    opened,
    shrunk,
    whole_lines,
)
from printkit.drawing.signs.built.farm_grounds import draw_grounds, draw_woodpile, laid_grounds, taken_by
from printkit.drawing.signs.built.single_buildings import POST, well
from printkit.drawing.signs.built.streets import ENTERING
from printkit.drawing.signs.lines.course_lines import courses, drawn_width, floor, on, stroke_shape
from printkit.drawing.signs.lines.gates import FARM_REACH
from printkit.drawing.signs.lines.works import fence_along
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
    """Draw three houses around a fenced yard and a cart track; a large farm also has an orchard and gardens."""
    ground = area.outline
    way = nearest_way(ground, field, context)
    site = farmstead(area, context, way)
    hand = context.smaller(min(1.0, site.size / context.size(1.0)))
    yield from floor(ground, hand, ("farm-yard",), rings=FAINT_RINGS)
    post = hand.size(POST)
    ring = LineString(shrunk(ground, 0.55 * post).exterior)
    entrance = way or Point(site.placed([(4.0, -99.0)])[0])
    fence, gate = opened(ring, entrance, _FARM_GATE * site.size)
    posts = context.stream(f"draw/{area.id}/fence")
    yield from fence_along(whole_lines(fence), hand, posts, post, LayerName.GARDEN)
    built = farmhouses(area, context, way)
    drawn = context.smaller(site.size / context.size(1.0))
    spring = _between(built[0], built[2])
    taken = taken_by(built, LineString([(gate.x, gate.y), (site.x, site.y)]), context.clear, site.size)
    grounds = laid_grounds(ground, taken, site)
    yield from _cart_track(gate, site, built, Point() if grounds.orchard.is_empty else spring, hand)
    yield from _track_to_way(area, gate, hand, field)
    yield from draw_grounds(grounds, area.id, site, drawn)
    if not grounds.orchard.is_empty:
        yield from well(spring, drawn.smaller(_WELL))
        stack = _beyond(built[1], _WOODPILE * site.size, site)
        used = [house.footprint.buffer(0.8 * site.size) for house in built]
        yield from draw_woodpile(stack, site.angle, shapely.difference(ground, shapely.union_all(used)), drawn)
    stream = context.stream(f"draw/{area.id}/trees")
    used = shapely.union_all([grounds.orchard, grounds.woodlot, *(garden.ground for garden in grounds.gardens)])
    places = _tree_places(ground, gate, built, area, context, site, used)
    radii = [site.size * stream.between(2.9, 3.6) for _ in places]
    yield from draw_trees(places, radii, "crown", hand, stream=stream, layer=LayerName.GARDEN)
    yield from houses(built, hand)


def farmstead(area: Area, context: SymbolContext, way: Point | None = None) -> PlanSite:
    """Return the site of a farm's plan: on large ground, at the end towards a nearby road.

    Args:
        area: the farm.
        context: gives the sizes.
        way: the point of its edge nearest to a road; None for a random end.
    """
    ground = shrunk(area.outline, context.size(1.6))
    most = context.size(_FARM_LARGEST)
    site = fitted(ground, *_FARM, most=most)
    if site.size < most:
        return site
    ahead = np.array([math.cos(site.angle), math.sin(site.angle)])
    if way is None:
        side = 1.0 if context.stream(f"draw/{area.id}/end").draw_unit() < 0.5 else -1.0
    else:
        side = 1.0 if (way.x - site.x) * ahead[0] + (way.y - site.y) * ahead[1] > 0 else -1.0
    farthest = math.sqrt(area.outline.area)
    for share in np.linspace(1.0, 0.0, _PUSHES).tolist():
        x, y = np.array([site.x, site.y]) + side * share * farthest * ahead
        moved = replace(site, x=float(x), y=float(y))
        if shapely.contains(ground, moved.box(*_FARM)):
            return moved
    return site


def farmhouses(area: Area, context: SymbolContext, way: Point | None = None) -> list[House]:
    """Return the houses of a farm on the site from ``farmstead``."""
    site, stream = farmstead(area, context, way), context.stream(f"draw/{area.id}/houses")
    flip = 1 if stream.draw_unit() < 0.5 else -1
    turn = 1 if stream.draw_unit() < 0.5 else -1
    found = []
    for house in _FARMHOUSES:
        angle = flip * turn * house.angle + stream.between(-0.04, 0.04)
        stood = replace(
            house, x=flip * house.x, y=turn * house.y, angle=angle, shade=house.shade + stream.draw_index(4)
        )
        found.append(site.house(stood))
    return found


def _between(one: House, other: House) -> Point:
    return Point((one.x + other.x) / 2, (one.y + other.y) / 2)


def _beyond(house: House, by: float, site: PlanSite) -> Point:
    """Return the point ``by`` mm from a house's centre, across the plan, towards its middle line."""
    up = np.array([-math.sin(site.angle), math.cos(site.angle)])
    side = -1.0 if site.above(Point(house.x, house.y)) else 1.0
    x, y = np.array([house.x, house.y]) + side * by * up
    return Point(float(x), float(y))


def _cart_track(gate: Point, site: PlanSite, built: list[House], spring: Point, context: SymbolContext) -> LayeredItems:
    """Draw two ruts from the gate to the middle of the yard, except near houses and the well."""
    line = resampled(LineString([(gate.x, gate.y), (site.x, site.y)]), 1.0)
    clear = shapely.union_all([house.footprint for house in built]).buffer(context.size(1.2))
    clear = clear.union(spring.buffer(context.size(2.4)))
    across = normals(line) * context.size(1.7)
    tracks = shapely.difference(shapely.multilinestrings([line + across, line - across]), clear)
    dashes = stroke_shape(tracks, context, "road-casing", 0.42, dash=(3.4, 1.8))
    yield from on(LayerName.COURSE_DETAIL, dashes)


def _track_to_way(area: Area, gate: Point, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw two ruts from the gate to a nearby road, if no other feature is between them."""
    ways = [course for course in courses(field, *ENTERING) if course.line.dwithin(gate, _TRACK_REACH * context.scale)]
    if not ways:
        return
    way = min(ways, key=lambda course: course.line.distance(gate))
    goal = way.line.interpolate(way.line.project(gate))
    line = LineString([(gate.x, gate.y), (goal.x, goal.y)])
    outside = shapely.difference(line, way.line.buffer(drawn_width(way, context) / 2 + context.size(_TRACK_END)))
    if outside.is_empty or outside.geom_type != "LineString":
        return
    between = outside.buffer(context.size(_TRACK_CLEAR), cap_style="flat")
    # A wall or fence near the farm has a gate for the track.
    gated = _GATED if line.length < context.size(FARM_REACH) else ()
    others = (each for each in field.features if each is not area and each is not way and each.kind not in gated)
    if any(between.intersects(_ground_of(feature)) for feature in others):
        return
    points = resampled(outside, 1.0)
    across = normals(points) * context.size(1.7)
    tracks = shapely.difference(shapely.multilinestrings([points + across, points - across]), context.clear)
    dashes = stroke_shape(tracks, context, "road-casing", 0.42, dash=(3.4, 1.8))
    yield from on(LayerName.COURSE_DETAIL, dashes)


def _ground_of(feature: Feature) -> BaseGeometry:
    """Return the ground of a feature, or the line of a course."""
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line
        case _:
            return Point()


def _tree_places(
    ground: Polygon,
    gate: Point,
    built: list[House],
    area: Area,
    context: SymbolContext,
    site: PlanSite,
    used: BaseGeometry,
) -> list[tuple[float, float]]:
    """Return up to two points in the yard, far from the houses and from each other."""
    unit = site.size
    taken = [house.footprint.buffer(3.4 * unit) for house in built]
    free = shapely.difference(
        ground.buffer(-4.6 * unit),
        shapely.union_all([*taken, gate.buffer(9 * unit), context.clear, used.buffer(3.4 * unit)]),
    )
    spots = poisson_points(
        free, max(2.0 * unit, 0.04 * math.sqrt(ground.area)), context.stream(f"draw/{area.id}/planting")
    )
    if not len(spots):
        return []
    first = spots[int(np.argmax(np.hypot(*(spots - (site.x, site.y)).T)))]
    second = spots[int(np.argmax(np.hypot(*(spots - first).T)))]
    apart = float(np.hypot(*(second - first)))
    return [(float(x), float(y)) for x, y in ((first, second) if apart > 8 * unit else (first,))]
