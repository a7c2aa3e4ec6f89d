"""Settlements from hamlet to city: ground, streets, houses, gardens, church, market place and wall.

Source: the cartography, 9.9 and 10.9; BR-G11 opens the edge where a road enters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, fill, polygons, rotate_points, uneven_oval
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext, wash
from printkit.drawing.scatter.crowns import draw_trees, poisson_points
from printkit.drawing.signs.built.buildings import House, draw_houses
from printkit.drawing.signs.built.lots import Aim, Garden, build_houses, draw_gardens
from printkit.drawing.signs.built.outskirts import draw_lanes, extend_gardens, fade_ground, find_lanes, thin_trees
from printkit.drawing.signs.built.single_buildings import POST, Church, draw_church, draw_well, make_churchyard
from printkit.drawing.signs.built.streets import (
    ENTERING,
    Lanes,
    SettlementType,
    Street,
    find_gates,
    find_long_axis,
    find_middle,
    get_settlement_type,
    make_lanes,
    make_streets,
)
from printkit.drawing.signs.built.village import (
    MeetingHouse,
    Mill,
    Tavern,
    TownWall,
    build_wall,
    choose_tavern,
    draw_headstones,
    draw_meeting_house,
    draw_mill,
    draw_tavern,
    draw_town_wall,
    find_inner_ground,
    make_tavern,
    make_wall_ring,
    place_headstones,
    place_mill,
)
from printkit.drawing.signs.lines.course_lines import band, drawn_width, on_layer, scale_road_width, stroke_shape
from printkit.drawing.signs.lines.walls_and_hedges import WIDTHS, draw_fence, draw_wall, own_width
from printkit.drawing.signs.routes.roads import draw_ruts
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course

_INSET: Final = 2.2
_ABOUT_MILL: Final = 1.6
_EDGE: Final = 0.6
_EDGE_LINE: Final = 0.55  # Width of the line around a settlement in mm at 1:1
_THIN_EDGE: Final = 0.40  # The same around a village whose ground fades out
_HAIR: Final = 0.1
_LEAST_HOUSE: Final = 0.3
_LARGEST_HOUSE: Final = 2.4
_AIM: Final = (0.4, 0.7)  # Target number of houses, as a share of the range from least to greatest.

# Spread of houses and their size factor, tried in order until there are enough houses.
_TRIES: Final = ((1.0, 1.0), (0.5, 1.0), (0.2, 1.0), (0.0, 1.0), (0.0, 0.88), (0.0, 0.77), (0.0, 0.68), (0.0, 0.6))

# If fewer houses than this share of the least number fit, the next try has no spread.
_NEARLY_ENOUGH: Final = 0.8

_CHURCHYARD: Final = 968.0  # Area of the churchyard of a church of size 1, in mm²

# Half the length and half the depth of the oval of a church of size 1 with its yard, in mm
_REACH: Final = (23.5, 15.5)

_LEAST_DEPTH: Final = 0.99 * _REACH[1]
# Directions around the middle of a churchyard, in radians
_ROUND: Final = np.linspace(0.0, -2 * math.pi, 64, endpoint=False)

_TURNS: Final = (0.1, -0.2, 0.35, -0.5, 0.65, -0.8)


class TownPlan(Struct, frozen=True, kw_only=True):
    """The plan of a settlement before it is drawn, in printed mm.

    ``unit`` is the size of its houses as a factor of the usual size. ``spared`` is True if frontage was left free
    between houses. ``market`` and ``churchyard`` are empty if there is no market place or church. A city has a
    ``wall``; a village may have a ``mill`` and a ``tavern``. ``trees`` are centres (x, y).
    """

    unit: float
    ground: Polygon
    streets: tuple[Street, ...]
    market: BaseGeometry
    well: Point | None
    church: Church | None
    churchyard: Polygon
    houses: tuple[House, ...]
    gardens: tuple[Garden, ...]
    trees: tuple[tuple[float, float], ...]
    spared: bool = False
    wall: TownWall | None = None
    mill: Mill | None = None
    tavern: Tavern | None = None

    @property
    def paved_ground(self) -> BaseGeometry:
        """Return the ground of streets and market place in printed mm, with rounded corners between them."""
        corner = 0.2 * min(street.width for street in self.streets)
        street_area = shapely.union_all([self.market, *(self.street_ground(street) for street in self.streets)])
        return street_area.buffer(corner, quad_segs=4).buffer(-corner, quad_segs=4)

    def street_ground(self, street: Street, casing: float = 0.0) -> BaseGeometry:
        """Return the ground of a street in printed mm, ``casing`` mm smaller on each side.

        The ground of a street that continues a road is complete. Other streets end at the settlement's edge, or inside
        the town wall if they have no gate.
        """
        street_area = street.ground(casing)
        # The surface extends slightly past the casing, or the casing would show at the end.
        end = _EDGE - (_HAIR if casing else 0.0)
        if street.mouth:
            return street_area
        if self.wall is not None and not any(
            street is leaving_street for leaving_street in _find_leaving_streets(self.streets)
        ):
            return shapely.intersection(street_area, self.wall.ring.buffer(-self.wall.thick * 1.5))
        return shapely.intersection(street_area, self.ground.buffer(-end))


def settlement(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a settlement of any kind in ``SETTLINGS``.

    Shapes and items are in printed mm.
    """
    town, style = laid_out(area, context, field), context.style
    # Lines do not grow with larger houses, or they would dominate the map.
    line_context = context.smaller(min(1.0, town.unit))
    paved_area = town.paved_ground
    edge = shapely.difference(town.ground.exterior, paved_area)
    if get_settlement_type(area.kind, cells=field.grid is not None).village:
        lanes = find_lanes(town.streets, town.ground, line_context, field, area.id)
        yield from draw_lanes(lanes, line_context)
        yield from on_layer(LayerName.TOWN_WASH, fade_ground(town.ground, line_context))
        edge = shapely.difference(edge, shapely.union_all([Point(points[0]).buffer(mm / 2) for points, mm in lanes]))
        edge_mm = _THIN_EDGE if style.washes else _EDGE_LINE
    else:
        ground_wash = wash(town.ground, style.ink("town"), style.ink("town-wash-edge"), line_context)
        yield from on_layer(LayerName.TOWN_WASH, ground_wash)
        edge_mm = _EDGE_LINE
    stroke_options = {"dash": (4, 1.6, 1, 1.6), "minimum_mm": LEAST_MEANING}
    yield from on_layer(LayerName.TOWN_EDGE, stroke_shape(edge, line_context, "town-edge", edge_mm, **stroke_options))
    yield from _draw_paving(town, paved_area, line_context)
    yield from draw_gardens(town.gardens, line_context)
    if town.church is not None:
        yield from on_layer(LayerName.GARDEN, fill(town.churchyard, style.ink("churchyard")))
        stream = context.stream(f"draw/{area.id}/wall")
        if isinstance(town.church, MeetingHouse):
            yield from draw_fence(
                town.churchyard.exterior, line_context, stream, line_context.size(POST), LayerName.GARDEN
            )
            yield from draw_headstones(place_headstones(town.church, town.churchyard, town.trees), line_context)
        else:
            yield from draw_wall(
                town.churchyard.exterior, line_context, stream, line_context.size(1.2), LayerName.GARDEN
            )
    if town.well is not None:
        yield from draw_well(town.well, line_context)
    stream = context.stream(f"draw/{area.id}/crowns")
    tree_context = context.smaller(town.unit)
    radii = [tree_context.size(stream.between(2.3, 3.4)) for _ in town.trees]
    yield from draw_trees(list(town.trees), radii, "crown", line_context, stream=stream, layer=LayerName.GARDEN)
    if town.tavern is not None:
        yield from draw_tavern(town.tavern, line_context)
    yield from draw_houses(town.houses, line_context)
    if town.mill is not None:
        yield from draw_mill(town.mill, line_context)
    if isinstance(town.church, MeetingHouse):
        yield from draw_meeting_house(town.church, line_context)
    elif town.church is not None:
        yield from draw_church(town.church, line_context)
    if town.wall is not None:
        yield from draw_town_wall(town.wall, line_context)


def laid_out(area: Area, context: SymbolContext, field: Battlefield) -> TownPlan:
    """Return the plan of a settlement in printed mm; it is the same in every style.

    The number of houses and the ground give the size of a house. If too few fit, smaller houses are tried; the last
    plan may still have too few. Random choices depend on the ID of the area.
    """
    settling = get_settlement_type(area.kind, cells=field.grid is not None)
    min_houses, max_houses = settling.least_houses, settling.most_houses
    if max_houses is None:
        return _plan_for_aim(area, settling, context, field, Aim(target_count=math.inf))
    target_count = min_houses + (max_houses - min_houses) * context.stream(f"draw/{area.id}/number").between(*_AIM)
    smallest = _LEAST_HOUSE / context.symbol_scale
    unit = min(_LARGEST_HOUSE, math.sqrt(area.outline.area / (settling.room * target_count)) / context.symbol_scale)
    failed_tries: set[tuple[float, float]] = set()
    for spread, size_factor in _TRIES:
        aim = Aim(target_count=target_count, unit=max(smallest, unit * size_factor), spread=spread, crowded=False)
        # Skip a try that would give the same plan: smallest houses, or no frontage to spare.
        if not failed_tries.isdisjoint(((aim.unit, spread), (aim.unit, 0.0))):
            continue
        plan = _plan_for_aim(area, settling, context, field, aim)
        if len(plan.houses) >= min_houses:
            return plan
        failed_tries.add((aim.unit, spread if plan.spared else 0.0))
        if len(plan.houses) < _NEARLY_ENOUGH * min_houses:
            failed_tries |= {(aim.unit, lower_spread) for lower_spread, _ in _TRIES if 0.0 < lower_spread < spread}
    return _plan_for_aim(area, settling, context, field, replace(aim, crowded=True))


def _plan_for_aim(
    area: Area, settling: SettlementType, context: SymbolContext, field: Battlefield, aim: Aim
) -> TownPlan:
    """Return the plan of a settlement for one aim: number of houses, size and spread.

    The plan may have fewer houses than ``settling`` asks for.
    """
    full_context, context = context, context.smaller(aim.unit)
    ground, stream = area.outline, context.stream(f"draw/{area.id}/streets")
    centre = Point(find_middle(ground))
    main_streets = make_streets(ground, find_gates(ground, field, full_context), settling, context, stream)
    has_market = ground.area >= settling.market_from * context.scale**2
    market = _make_market(ground, settling, context, stream) if has_market else NOTHING
    course_ground = _find_course_ground(ground, field, context)
    paved_area = shapely.union_all(
        [market, course_ground, context.clear, *(street.ground() for street in main_streets)]
    )
    ring = make_wall_ring(ground, context) if settling.walled else None
    building_ground = (
        ground.buffer(-context.size(_INSET), quad_segs=4) if ring is None else find_inner_ground(ring, context)
    )
    side_streets: list[Street] = []
    mill: Mill | None = None
    if settling.village:
        chance = context.stream(f"draw/{area.id}/mill")
        mill = place_mill(
            building_ground, paved_area.buffer(context.size(0.6), quad_segs=4), ground, field, context, chance
        )
        course_ground = (
            course_ground
            if mill is None
            else shapely.union(course_ground, mill.ground.buffer(context.size(_ABOUT_MILL)))
        )
        paved_area = shapely.union(paved_area, course_ground)
    building: Church | None = None
    # The church of a town is in a quarter of its lane ring. If no quarter is wide enough, the ring is dropped.
    if settling.lanes is Lanes.RING:
        side_streets = make_lanes(ground, main_streets, course_ground, settling, context, stream)
        quarters = shapely.union_all([paved_area, *(street.ground() for street in side_streets)])
        building = _place_church(shapely.difference(building_ground, quarters), settling, ground.area, context)
    if building is None:
        building = _place_church(shapely.difference(building_ground, paved_area), settling, ground.area, context)
        side_streets = []
    churchyard = make_churchyard(building, context.stream(f"draw/{area.id}/yard")) if building else NOTHING
    if building is None and not has_market and settling.market_instead:
        market = _make_market(ground, settling, context, stream)
    if not side_streets:
        side_streets = make_lanes(
            ground, main_streets, shapely.union(churchyard, course_ground), settling, context, stream
        )
    wall = build_wall(ring, _find_leaving_streets(main_streets), context) if ring is not None else None
    blocked_parts = [
        market,
        course_ground,
        churchyard.buffer(context.size(1.0), quad_segs=4),
        *(street_item.ground() for street_item in (*main_streets, *side_streets)),
    ]
    free = shapely.difference(building_ground, shapely.union_all(blocked_parts).buffer(context.size(0.4), quad_segs=3))
    free = shapely.difference(free, context.clear)
    stream = context.stream(f"draw/{area.id}/houses")
    builder = build_houses((*main_streets, *side_streets), free, settling, aim, context, stream)
    tavern: Tavern | None = None
    if settling.village:
        chance = context.stream(f"draw/{area.id}/tavern")
        tavern = choose_tavern(builder.houses, main_streets, free, find_middle(ground), context, chance)
        if tavern is not None:
            builder.houses[tavern.number] = make_tavern(tavern.get_house(builder.houses))
    planting = context.stream(f"draw/{area.id}/trees")
    house_margins = builder.houses_ground.buffer(context.size(3.2), quad_segs=4)
    if tavern is not None:
        house_margins = shapely.union_all([house_margins, tavern.gallery, tavern.post.buffer(context.size(3.4))])
    gardens = builder.gardens
    if settling.village:
        all_streets = (*main_streets, *side_streets)
        gardens = extend_gardens(gardens, ground, free, builder.houses_ground, all_streets, context)
    beds = shapely.union_all([garden.ground for garden in gardens])
    tree_points = poisson_points(
        shapely.difference(free.buffer(-context.size(2.0), quad_segs=4), house_margins),
        context.size(8.5),
        planting,
        avoid=beds.buffer(-context.size(1.2), quad_segs=4),
    )
    if settling.village:
        tree_points = thin_trees(tree_points, ground, context)
    churchyard_trees = _place_yard_trees(building, churchyard, context, planting)
    return TownPlan(
        unit=aim.unit,
        ground=ground,
        streets=(*main_streets, *side_streets),
        market=market,
        well=None if market.is_empty or context.clear.dwithin(centre, context.size(2.5)) else centre,
        church=building,
        churchyard=churchyard,
        houses=tuple(builder.houses),
        gardens=tuple(gardens),
        trees=tuple((float(x), float(y)) for x, y in (*tree_points, *churchyard_trees)),
        spared=builder.spared,
        wall=wall,
        mill=mill,
        tavern=tavern,
    )


def _find_leaving_streets(street_list: Sequence[Street]) -> list[Street]:
    """Return the streets with a gate: those of roads, or both ends of the main street if no road enters."""
    return [street for street in street_list if street.mouth] or [street for street in street_list if street.main]


def _find_course_ground(ground: Polygon, field: Battlefield, context: SymbolContext) -> BaseGeometry:
    """Return the ground of rivers, railways, ditches and other courses that are not streets.

    It includes a margin of 1.5 mm at 1:1 on each side. Everything is in printed mm; an empty polygon means that no
    course crosses the ground.
    """
    grounds = [
        band(feature.line, _get_printed_width(feature, context) + context.size(3.0))
        for feature in field.features
        if isinstance(feature, Course) and feature.kind not in ENTERING and feature.line.intersects(ground)
    ]
    return shapely.union_all(grounds) if grounds else NOTHING


def _get_printed_width(course: Course, context: SymbolContext) -> float:
    """Return the printed width of a course in mm, also of a wall, fence or hedge."""
    return course.width or (own_width(course.kind, context) if course.kind in WIDTHS else drawn_width(course, context))


def _make_market(ground: Polygon, settling: SettlementType, context: SymbolContext, stream: Stream) -> BaseGeometry:
    """Return the market place in printed mm: an uneven oval in the middle, along the ground's long axis.

    Its half length is at most 17 mm at 1:1. ``stream`` gives the uneven edge.
    """
    centre, axis = find_middle(ground), find_long_axis(ground)
    half = min(17.0, settling.market * math.sqrt(ground.area) / context.symbol_scale)
    long, broad = scale_road_width(half, context), scale_road_width(half * 0.62, context)
    return Polygon(rotate_points(*uneven_oval(long, broad, stream, 0.05, 60, waves=3, fading=0.0), axis, centre))


def _place_church(free: BaseGeometry, settling: SettlementType, ground: float, context: SymbolContext) -> Church | None:
    """Return the largest church that fits with its yard on free ground, or None if none fits.

    The apse is towards the east.

    Args:
        free: the ground where it may be, in printed mm.
        settling: gives the sizes and whether it is a meeting house.
        ground: area of the settlement in printed mm².
        context: gives the scale.
    """
    max_size = math.sqrt(settling.churchyard * ground / _CHURCHYARD)
    sizes = [context.size(size) for size in settling.churches if context.size(size) <= max_size]
    pieces = sorted(polygons(free), key=lambda piece: -piece.area)[:3] if sizes else []
    shapely.prepare(pieces)
    # The largest circle in each piece, as a line from its centre to the edge.
    widest = shapely.maximum_inscribed_circle(np.array(pieces, dtype=object), tolerance=context.size(1.0))
    for size in sizes:
        # Skip pieces that are narrower than the yard.
        roomy = [(piece, rim) for piece, rim in zip(pieces, widest, strict=True) if rim.length > _LEAST_DEPTH * size]
        ovals = _make_yard_outlines(size) if roomy else []
        for piece, rim in roomy:
            x, y = rim.coords[0]
            for turn, oval in zip(_TURNS, ovals, strict=True):
                if piece.contains(shapely.polygons(np.add(oval, (x, y)))):
                    form = MeetingHouse if settling.village else Church
                    return form(x=x, y=y, angle=turn, size=size)
    return None


def _make_yard_outlines(size: float) -> list[Line]:
    """Return the outline of a churchyard around the origin for every turn in ``_TURNS``, in printed mm.

    ``size`` is printed mm per mm of the church's plan.
    """
    x, y = exact_math.cos(_ROUND) * _REACH[0] * size, exact_math.sin(_ROUND) * _REACH[1] * size
    return [rotate_points(x, y, turn) for turn in _TURNS]


def _place_yard_trees(building: Church | None, churchyard: Polygon, context: SymbolContext, stream: Stream) -> Line:
    """Return the positions of trees in a churchyard as an n x 2 array in printed mm.

    The array is empty (0 x 2) without a church. ``stream`` gives the random positions.
    """
    if building is None:
        return np.zeros((0, 2))
    lawn = shapely.difference(churchyard.buffer(-context.size(3.0)), building.footprint.buffer(context.size(2.8)))
    return poisson_points(lawn, context.size(12.0 if isinstance(building, MeetingHouse) else 7.5), stream)


def _draw_paving(town: TownPlan, paved_area: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw casing, surface and ruts of the streets as one area, so that streets merge.

    ``paved_area`` is the ground of streets and market place, in printed mm.
    """
    casing = context.width(0.55, minimum_mm=LEAST_MEANING)
    street_surfaces = [town.street_ground(street, casing) for street in town.streets if street.main]
    surface = shapely.union_all([paved_area.buffer(-casing, quad_segs=4), *street_surfaces])
    yield from on_layer(LayerName.CASING, fill(paved_area, context.style.ink("road-casing")))
    yield from on_layer(LayerName.COURSE, fill(surface, context.style.ink("road")))
    for street in town.streets:
        if street.main:
            inside = shapely.intersection(street.line, town.ground)
            yield from draw_ruts(inside, street.width, context, cut=town.market)
