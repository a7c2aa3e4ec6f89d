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
from printkit.core import elementary
from printkit.drawing.canvas.area_fill import wash
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, polygons, rotate_points, uneven_oval
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import draw_trees
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.built import town_wall
from printkit.drawing.signs.built.buildings import House, houses
from printkit.drawing.signs.built.lots import Aim, Garden, build, draw_gardens
from printkit.drawing.signs.built.settlement_types import Lanes, SettlementType, settling_of
from printkit.drawing.signs.built.single_buildings import POST, Church, church, well, yard
from printkit.drawing.signs.built.streets import ENTERING, Street, gates, lanes, long_axis, middle, streets
from printkit.drawing.signs.built.town_wall import TownWall
from printkit.drawing.signs.built.village import (
    MeetingHouse,
    Mill,
    Tavern,
    as_tavern,
    chosen_tavern,
    draw_headstones,
    draw_mill,
    draw_tavern,
    headstones,
    laid_mill,
    meeting_house,
)
from printkit.drawing.signs.lines.course_lines import band, drawn_width, on, stroke_shape, way_size
from printkit.drawing.signs.lines.works import WIDTHS, fence_along, own_width, wall_along
from printkit.drawing.signs.ways.roads import ruts
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course

_INSET: Final = 2.2
_ABOUT_MILL: Final = 1.6
_EDGE: Final = 0.6
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
_NOTHING: Final = Polygon()


class TownPlan(Struct, frozen=True, kw_only=True):
    """The plan of a settlement before it is drawn.

    ``unit`` is the size of its houses as a factor of the usual size. ``spared`` is True if frontage was left free
    between houses. A city has a ``wall``; a village may have a ``mill`` and a ``tavern``.
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
    def paved(self) -> BaseGeometry:
        """Return the ground of streets and market place, with rounded corners between them."""
        corner = 0.2 * min(street.width for street in self.streets)
        whole = shapely.union_all([self.market, *(self.reached(street) for street in self.streets)])
        return whole.buffer(corner, quad_segs=4).buffer(-corner, quad_segs=4)

    def reached(self, street: Street, casing: float = 0.0) -> BaseGeometry:
        """Return the ground of a street. A street without a road ends at the settlement's edge."""
        covered = street.ground(casing)
        # The surface extends slightly past the casing, or the casing would show at the end.
        end = _EDGE - (_HAIR if casing else 0.0)
        if street.mouth:
            return covered
        if self.wall is not None and not any(street is each for each in _leaving(self.streets)):
            return shapely.intersection(covered, self.wall.ring.buffer(-self.wall.thick * 1.5))
        return shapely.intersection(covered, self.ground.buffer(-end))


def settlement(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a settlement of any kind in ``SETTLINGS``."""
    town, style = laid_out(area, context, field), context.style
    # Lines do not grow with larger houses, or they would dominate the map.
    hand = context.smaller(min(1.0, town.unit))
    yield from on(LayerName.TOWN_WASH, wash(town.ground, style.ink("town"), style.ink("town-wash-edge"), hand))
    paved = town.paved
    edge = shapely.difference(town.ground.exterior, paved)
    how = {"dash": (4, 1.6, 1, 1.6), "least": LEAST_MEANING}
    yield from on(LayerName.TOWN_EDGE, stroke_shape(edge, hand, "town-edge", 0.55, **how))
    yield from _paving(town, paved, hand)
    yield from draw_gardens(town.gardens, hand)
    if town.church is not None:
        yield from on(LayerName.GARDEN, fill(town.churchyard, style.ink("churchyard")))
        stream = context.stream(f"draw/{area.id}/wall")
        if isinstance(town.church, MeetingHouse):
            yield from fence_along(town.churchyard.exterior, hand, stream, hand.size(POST), LayerName.GARDEN)
            yield from draw_headstones(headstones(town.church, town.churchyard, town.trees), hand)
        else:
            yield from wall_along(town.churchyard.exterior, hand, stream, hand.size(1.2), LayerName.GARDEN)
    if town.well is not None:
        yield from well(town.well, hand)
    stream = context.stream(f"draw/{area.id}/crowns")
    large = context.smaller(town.unit)
    radii = [large.size(stream.between(2.3, 3.4)) for _ in town.trees]
    yield from draw_trees(list(town.trees), radii, "crown", hand, stream=stream, layer=LayerName.GARDEN)
    if town.tavern is not None:
        yield from draw_tavern(town.tavern, hand)
    yield from houses(town.houses, hand)
    if town.mill is not None:
        yield from draw_mill(town.mill, hand)
    if isinstance(town.church, MeetingHouse):
        yield from meeting_house(town.church, hand)
    elif town.church is not None:
        yield from church(town.church, hand)
    if town.wall is not None:
        yield from town_wall.draw(town.wall, hand)


def laid_out(area: Area, context: SymbolContext, field: Battlefield) -> TownPlan:
    """Return the plan of a settlement; it is the same in every style.

    The number of houses and the ground give the size of a house. If too few fit, smaller houses are tried.
    """
    settling = settling_of(area.kind, cells=field.grid is not None)
    least, most = settling.houses
    if most is None:
        return _planned(area, settling, context, field, Aim(wanted=math.inf))
    wanted = least + (most - least) * context.stream(f"draw/{area.id}/number").between(*_AIM)
    smallest = _LEAST_HOUSE / context.symbol_scale
    unit = min(_LARGEST_HOUSE, math.sqrt(area.outline.area / (settling.room * wanted)) / context.symbol_scale)
    in_vain: set[tuple[float, float]] = set()
    for spread, smaller in _TRIES:
        aim = Aim(wanted=wanted, unit=max(smallest, unit * smaller), spread=spread, crowded=False)
        # Skip a try that would give the same plan: smallest houses, or no frontage to spare.
        if not in_vain.isdisjoint(((aim.unit, spread), (aim.unit, 0.0))):
            continue
        plan = _planned(area, settling, context, field, aim)
        if len(plan.houses) >= least:
            return plan
        in_vain.add((aim.unit, spread if plan.spared else 0.0))
        if len(plan.houses) < _NEARLY_ENOUGH * least:
            in_vain |= {(aim.unit, less) for less, _ in _TRIES if 0.0 < less < spread}
    return _planned(area, settling, context, field, replace(aim, crowded=True))


def _planned(area: Area, settling: SettlementType, context: SymbolContext, field: Battlefield, aim: Aim) -> TownPlan:
    """Return the plan of a settlement for one aim."""
    whole, context = context, context.smaller(aim.unit)
    ground, stream = area.outline, context.stream(f"draw/{area.id}/streets")
    centre = Point(middle(ground))
    through = streets(ground, gates(ground, field, whole), settling, context, stream)
    large = ground.area >= settling.market_from * context.scale**2
    market = _market(ground, settling, context, stream) if large else _NOTHING
    strange = _courses(ground, field, context)
    paved = shapely.union_all([market, strange, context.clear, *(street.ground() for street in through)])
    ring = town_wall.walled(ground, context) if settling.walled else None
    room = ground.buffer(-context.size(_INSET), quad_segs=4) if ring is None else town_wall.inside(ring, context)
    side: list[Street] = []
    mill: Mill | None = None
    if settling.village:
        chance = context.stream(f"draw/{area.id}/mill")
        mill = laid_mill(room, paved.buffer(context.size(0.6), quad_segs=4), ground, field, context, chance)
        strange = strange if mill is None else shapely.union(strange, mill.ground.buffer(context.size(_ABOUT_MILL)))
        paved = shapely.union(paved, strange)
    building: Church | None = None
    # The church of a town is in a quarter of its lane ring. If no quarter is wide enough, the ring is dropped.
    if settling.lanes is Lanes.RING:
        side = lanes(ground, through, strange, settling, context, stream)
        quarters = shapely.union_all([paved, *(street.ground() for street in side)])
        building = _church(shapely.difference(room, quarters), settling, ground.area, context)
    if building is None:
        building = _church(shapely.difference(room, paved), settling, ground.area, context)
        side = []
    close = yard(building, context.stream(f"draw/{area.id}/yard")) if building else _NOTHING
    if building is None and not large and settling.market_instead:
        market = _market(ground, settling, context, stream)
    if not side:
        side = lanes(ground, through, shapely.union(close, strange), settling, context, stream)
    wall_about = town_wall.town_wall(ring, _leaving(through), context) if ring is not None else None
    taken = [
        market,
        strange,
        close.buffer(context.size(1.0), quad_segs=4),
        *(each.ground() for each in (*through, *side)),
    ]
    free = shapely.difference(room, shapely.union_all(taken).buffer(context.size(0.4), quad_segs=3))
    free = shapely.difference(free, context.clear)
    stream = context.stream(f"draw/{area.id}/houses")
    built = build((*through, *side), free, settling, aim, context, stream)
    tavern: Tavern | None = None
    if settling.village:
        chance = context.stream(f"draw/{area.id}/tavern")
        tavern = chosen_tavern(built.houses, through, free, middle(ground), context, chance)
        if tavern is not None:
            built.houses[tavern.number] = as_tavern(tavern.of(built.houses))
    planting = context.stream(f"draw/{area.id}/trees")
    occupied = built.built.buffer(context.size(3.2), quad_segs=4)
    if tavern is not None:
        occupied = shapely.union_all([occupied, tavern.gallery, tavern.post.buffer(context.size(3.4))])
    beds = shapely.union_all([garden.ground for garden in built.gardens])
    spots = poisson_points(
        shapely.difference(free.buffer(-context.size(2.0), quad_segs=4), occupied),
        context.size(8.5),
        planting,
        avoid=beds.buffer(-context.size(1.2), quad_segs=4),
    )
    churchyard_trees = _yard_trees(building, close, context, planting)
    return TownPlan(
        unit=aim.unit,
        ground=ground,
        streets=(*through, *side),
        market=market,
        well=None if market.is_empty or context.clear.dwithin(centre, context.size(2.5)) else centre,
        church=building,
        churchyard=close,
        houses=tuple(built.houses),
        gardens=tuple(built.gardens),
        trees=tuple((float(x), float(y)) for x, y in (*spots, *churchyard_trees)),
        spared=built.spared,
        wall=wall_about,
        mill=mill,
        tavern=tavern,
    )


def _leaving(through: Sequence[Street]) -> list[Street]:
    """Return the streets with a gate: those of roads, or both ends of the main street without roads."""
    return [street for street in through if street.mouth] or [street for street in through if street.main]


def _courses(ground: Polygon, field: Battlefield, context: SymbolContext) -> BaseGeometry:
    """Return the ground of rivers, railways, ditches and other courses that are not streets."""
    found = [
        band(feature.line, _across(feature, context) + context.size(3.0))
        for feature in field.features
        if isinstance(feature, Course) and feature.kind not in ENTERING and feature.line.intersects(ground)
    ]
    return shapely.union_all(found) if found else _NOTHING


def _across(course: Course, context: SymbolContext) -> float:
    """Return the printed width of a course, including walls, fences and hedges."""
    return course.width or (own_width(course.kind, context) if course.kind in WIDTHS else drawn_width(course, context))


def _market(ground: Polygon, settling: SettlementType, context: SymbolContext, stream: Stream) -> BaseGeometry:
    """Return the market place: an uneven oval in the middle, along the ground's long axis."""
    centre, axis = middle(ground), long_axis(ground)
    half = min(17.0, settling.market * math.sqrt(ground.area) / context.symbol_scale)
    long, broad = way_size(half, context), way_size(half * 0.62, context)
    return Polygon(rotate_points(*uneven_oval(long, broad, stream, 0.05, 60, waves=3, fading=0.0), axis, centre))


def _church(free: BaseGeometry, settling: SettlementType, ground: float, context: SymbolContext) -> Church | None:
    """Return the largest church that fits with its yard on a piece of free ground, apse towards the east."""
    most = math.sqrt(settling.churchyard * ground / _CHURCHYARD)
    sizes = [context.size(size) for size in settling.churches if context.size(size) <= most]
    pieces = sorted(polygons(free), key=lambda piece: -piece.area)[:3] if sizes else []
    shapely.prepare(pieces)
    # The largest circle in each piece, as a line from its centre to the edge.
    widest = shapely.maximum_inscribed_circle(np.array(pieces, dtype=object), tolerance=context.size(1.0))
    for size in sizes:
        # Skip pieces that are narrower than the yard.
        roomy = [(piece, rim) for piece, rim in zip(pieces, widest, strict=True) if rim.length > _LEAST_DEPTH * size]
        ovals = _ovals(size) if roomy else []
        for piece, rim in roomy:
            x, y = rim.coords[0]
            for turn, oval in zip(_TURNS, ovals, strict=True):
                if piece.contains(shapely.polygons(np.add(oval, (x, y)))):
                    form = MeetingHouse if settling.village else Church
                    return form(x=x, y=y, angle=turn, size=size)
    return None


def _ovals(size: float) -> list[Line]:
    """Return the outline of a churchyard of this size around the origin, for every turn."""
    x, y = elementary.cos(_ROUND) * _REACH[0] * size, elementary.sin(_ROUND) * _REACH[1] * size
    return [rotate_points(x, y, turn) for turn in _TURNS]


def _yard_trees(building: Church | None, close: Polygon, context: SymbolContext, stream: Stream) -> Line:
    if building is None:
        return np.zeros((0, 2))
    lawn = shapely.difference(close.buffer(-context.size(3.0)), building.footprint.buffer(context.size(2.8)))
    return poisson_points(lawn, context.size(12.0 if isinstance(building, MeetingHouse) else 7.5), stream)


def _paving(town: TownPlan, paved: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Draw casing, surface and ruts of the streets as one area, so that streets merge."""
    casing = context.width(0.55, minimum_mm=LEAST_MEANING)
    opened = [town.reached(street, casing) for street in town.streets if street.main]
    surface = shapely.union_all([paved.buffer(-casing, quad_segs=4), *opened])
    yield from on(LayerName.CASING, fill(paved, context.style.ink("road-casing")))
    yield from on(LayerName.COURSE, fill(surface, context.style.ink("road")))
    for street in town.streets:
        if street.main:
            inside = shapely.intersection(street.line, town.ground)
            yield from ruts(inside, street.width, context, cut=town.market)
