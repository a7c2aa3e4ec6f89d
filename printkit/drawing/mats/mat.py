"""Paint a board as a mat: all kinds of features in painting order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.mats import bare, crossings, fields, ground, relief, towns, ways, wet, woods
from printkit.drawing.mats.borders import border
from printkit.drawing.mats.cell_corners import cell_corners
from printkit.drawing.mats.climates import COUNTRIES, Climate
from printkit.drawing.mats.painter import Painter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import BUILT, STILL_WATERS, WAYS, Area, Course, Crossing, Hill, Kind

_NOTHING: Final = Polygon()
_FIELDS: Final = (Kind.PLOUGH, Kind.CROPS, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD, Kind.ENCLOSURE)
_BARE: Final = (
    *(Kind.ROUGH_GROUND, Kind.BROKEN_GROUND, Kind.ROCKS, Kind.SCRUB, Kind.DUNES, Kind.BEACH, Kind.CLEARING),
    Kind.OASIS,
)
_WET: Final = (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND)
_CUTS: Final = (Kind.DITCH, Kind.RAVINE, Kind.GULLY)
_RUNNING: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK)
_BORDERS: Final = (Kind.HEDGE, Kind.FENCE, Kind.WORM_FENCE, Kind.WALL)
# The kinds that a mat can paint.
PAINTED: Final = frozenset(
    {
        *(Kind.HILL, Kind.RISE, Kind.SPUR, Kind.LONG_HILL, Kind.MOUNTAIN, Kind.CLIFF, Kind.SCREE, Kind.STEEP_SLOPE),
        *(*_FIELDS, *_BARE, *_WET, *_CUTS, *_RUNNING, *_BORDERS, *STILL_WATERS, *WAYS, *BUILT, *woods.WOODS),
        *(Kind.FORD, Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE, Kind.LEVEL_CROSSING, Kind.JUNCTION),
    }
)


def painted(field: Battlefield, context: SymbolContext) -> LayeredItems:
    """Paint a battlefield in printed mm, as one layer in painting order.

    Courses must have their drawn widths. On a grid the cell corners are marked.
    """
    climate = Climate(context.style.climate)
    painter = Painter(context, field.ground, context.style.veil, COUNTRIES[climate].plants)
    _paint(painter, field, climate)
    if field.grid is not None:
        cell_corners(painter, field.grid)
    return ((LayerName.MAT, item) for item in painter.items)


def _paint(painter: Painter, field: Battlefield, climate: Climate) -> None:
    k, country = painter.k, COUNTRIES[climate]
    areas = [each for each in field.features if isinstance(each, Area)]
    courses = [each for each in field.features if isinstance(each, Course)]
    reach = painter.board.buffer(4 * k)
    waters = [each.outline for each in areas if each.kind in STILL_WATERS]
    waters += [ways.body(each) for each in courses if each.kind in _RUNNING]
    water = shapely.intersection(_carried_on(shapely.union_all(waters), painter), reach) if waters else _NOTHING
    trodden = [ways.body(each) for each in courses if each.kind in WAYS]
    roads = shapely.union_all(trodden) if trodden else _NOTHING
    solid = shapely.union_all([each.outline for each in areas] + [ways.body(each) for each in courses])
    ground.ground(painter, country, climate, solid)
    for hill in field.features:
        if isinstance(hill, Hill):
            relief.hill(painter, hill, country, climate)
    for area in areas:
        if area.kind in _FIELDS:
            fields.field(painter, area, climate, roads)
    for area in areas:
        _rough(painter, area, climate)
    for course in courses:
        if course.kind in _CUTS:
            wet.cut(painter, shapely.intersection(ways.body(course), reach), course.id)
    wet.waters(painter, water, country, roads.buffer(2 * k), growing=climate is not Climate.WINTER)
    beaches = [each.outline for each in areas if each.kind is Kind.BEACH]
    seas = [each.outline for each in areas if each.kind is Kind.SEA]
    if beaches or seas:
        wet.surf(painter, water, shapely.union_all(seas), shapely.union_all(beaches))
    for area in areas:
        if area.going.is_impassable and area.kind not in STILL_WATERS and area.kind not in woods.WOODS:
            painter.line(area.outline.boundary, (26, 22, 10), 1.0, 0.85)
    grounds = {each.id: crossings.way_ground(each, field, k) for each in courses if each.kind in WAYS}
    ways.way_grounds(painter, courses, country, grounds)
    for course in courses:
        if course.kind is Kind.RAILWAY:
            ways.railway(painter, course, grounds[course.id])
        elif course.kind in WAYS:
            ways.ruts(painter, course, country, grounds[course.id])
        elif course.kind is Kind.CLIFF:
            relief.alone(painter, course.line, course.id)
    for crossing in field.features:
        if isinstance(crossing, Crossing):
            crossings.crossing(painter, crossing, field, water)
    for area in areas:
        if area.kind in BUILT:
            towns.town(painter, area, country, roads, water)
    for course in courses:
        if course.kind in _BORDERS:
            border(painter, course.kind, course.line, course.id, roads)
    ground.litter(painter, country, solid)
    for key, kind, wooded in _wooded(painter, field, roads, water):
        woods.wood(painter, kind, wooded, country, key)


def _carried_on(water: BaseGeometry, painter: Painter) -> BaseGeometry:
    """Return water extended past the board edge where it meets the edge, because there is no bank there."""
    k = painter.k
    # The ring of the board starts at a corner, which would split the edge there.
    edge = shapely.line_merge(shapely.intersection(painter.board.exterior, water.buffer(0.1 * k)))
    # Flat ends: the ground beside a river mouth is dry, and no bank may appear there.
    beyond = shapely.difference(edge.buffer(5 * k, cap_style="flat"), painter.board)
    return shapely.union(water, beyond)


def _rough(painter: Painter, area: Area, climate: Climate) -> None:
    """Paint an area of open, rough, wet or rocky ground."""
    if area.kind in _BARE:
        bare.bare(painter, area, COUNTRIES[climate], climate)
    elif area.kind in _WET:
        wet.wet(painter, area)
    elif area.kind is Kind.SCREE:
        painter.area("gravel", area.outline, 3, 1.2, area.id)
        painter.rim(area.outline, (50, 46, 40), 0.6, 0.45, area.id)
    elif area.kind is Kind.CLIFF:
        painter.area("rock", area.outline, 2, 1.0, area.id)
        painter.rim(area.outline, (24, 20, 10), 1.2, 0.6, area.id)


def _wooded(
    painter: Painter, field: Battlefield, roads: BaseGeometry, water: BaseGeometry
) -> Iterator[tuple[str, Kind, BaseGeometry]]:
    """Yield the woods, including those on hills, without clearings, roads and water."""
    k = painter.k
    cleared = [each.outline for each in field.features if isinstance(each, Area) and each.kind is Kind.CLEARING]
    kept = shapely.union_all([*cleared, roads.buffer(k), water.buffer(1.5 * k)])
    for each in field.features:
        if isinstance(each, Area) and each.kind in woods.WOODS:
            yield each.id, each.kind, shapely.difference(each.outline, kept)
        elif isinstance(each, Hill) and each.cover is not None and each.cover in woods.WOODS:
            yield each.id, each.cover, shapely.difference(each.outline, kept)
