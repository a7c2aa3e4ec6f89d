"""Paint a board as a mat: all kinds of features in painting order, and the cell corners of a grid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import shapely
from shapely import LineString, Polygon
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.mats import (
    fields_and_woods,
    ground,
    relief,
    towns,
    ways,
)
from printkit.drawing.mats.fields_and_woods import paint_border
from printkit.drawing.mats.painter import COUNTRIES, Climate, Painter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import BUILT, ROUTES, STILL_WATERS, Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.grids import Grid

# Length of an arm relative to the side of a cell.
_SHARE: Final = 0.14

_OFF: Final = 0.22


def paint_cell_corners(painter: Painter, grid: Grid) -> None:
    """Paint short lines at each cell corner of a grid in printed mm, along the sides of the cells.

    The items are added to ``painter``.
    """
    known_sides: set[tuple[tuple[int, int], ...]] = set()
    arms: list[LineString] = []
    for cell in grid.cells():
        corners = grid.corners(cell)
        for start, stop in zip(corners, (*corners[1:], corners[0]), strict=True):
            side = tuple(sorted((round(x * 10), round(y * 10)) for x, y in (start, stop)))
            if side in known_sides:
                continue
            known_sides.add(side)
            for origin, target in ((start, stop), (stop, start)):
                end = tuple(
                    origin_value + (target_value - origin_value) * _SHARE
                    for origin_value, target_value in zip(origin, target, strict=True)
                )
                arms.append(LineString([origin, end]))
    visible = shapely.intersection(shapely.multilinestrings(arms), painter.board)
    offset = _OFF * painter.k
    painter.line(translate(visible, offset, -offset), (255, 248, 220), 0.35, 0.45)
    painter.line(visible, (26, 24, 12), 0.40, 0.60)


_NOTHING: Final = Polygon()
_FIELDS: Final = (Kind.PLOUGH, Kind.CROPS, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD, Kind.ENCLOSURE)
_OPEN_KINDS: Final = (
    *(Kind.ROUGH_GROUND, Kind.BROKEN_GROUND, Kind.ROCKS, Kind.SCRUB, Kind.DUNES, Kind.BEACH, Kind.CLEARING),
    Kind.OASIS,
)
_WET: Final = (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND)
_CUTS: Final = (Kind.DITCH, Kind.RAVINE, Kind.GULLY)
_RUNNING: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK)
_BORDERS: Final = (Kind.HEDGE, Kind.FENCE, Kind.WORM_FENCE, Kind.WALL)


def painted(field: Battlefield, context: SymbolContext) -> LayeredItems:
    """Return (layer, item) pairs that paint a battlefield in printed mm, as one layer in painting order.

    Courses must have their drawn widths. On a grid the cell corners are marked.
    """
    climate = Climate(context.style.climate)
    painter = Painter(context, field.ground, context.style.veil, COUNTRIES[climate].plants)
    _paint_features(painter, field, climate)
    if field.grid is not None:
        paint_cell_corners(painter, field.grid)
    return ((LayerName.MAT, item) for item in painter.items)


def _paint_features(painter: Painter, field: Battlefield, climate: Climate) -> None:
    """Paint the ground and all features of a battlefield in printed mm, from the ground up to the trees.

    The items are added to ``painter``.
    """
    k, climate_look = painter.k, COUNTRIES[climate]
    areas = [feature for feature in field.features if isinstance(feature, Area)]
    courses = [feature for feature in field.features if isinstance(feature, Course)]
    paint_area = painter.board.buffer(4 * k)
    waters = [feature.outline for feature in areas if feature.kind in STILL_WATERS]
    waters += [ways.body(feature) for feature in courses if feature.kind in _RUNNING]
    water = (
        shapely.intersection(_extend_past_edge(shapely.union_all(waters), painter), paint_area) if waters else _NOTHING
    )
    road_bodies = [ways.body(feature) for feature in courses if feature.kind in ROUTES]
    roads = shapely.union_all(road_bodies) if road_bodies else _NOTHING
    solid = shapely.union_all([feature.outline for feature in areas] + [ways.body(feature) for feature in courses])
    ground.paint_ground(painter, climate_look, climate, solid)
    for hill in field.features:
        if isinstance(hill, Hill):
            relief.paint_hill(painter, hill, climate_look, climate)
    for area in areas:
        if area.kind in _FIELDS:
            fields_and_woods.field(painter, area, climate, roads)
    for area in areas:
        _paint_rough_area(painter, area, climate)
    for course in courses:
        if course.kind in _CUTS:
            ground.paint_cut(painter, shapely.intersection(ways.body(course), paint_area), course.id)
    ground.paint_waters(painter, water, climate_look, roads.buffer(2 * k), has_plants=climate is not Climate.WINTER)
    beaches = [feature.outline for feature in areas if feature.kind is Kind.BEACH]
    seas = [feature.outline for feature in areas if feature.kind is Kind.SEA]
    if beaches or seas:
        ground.paint_surf(painter, water, shapely.union_all(seas), shapely.union_all(beaches))
    for area in areas:
        if area.going.is_impassable and area.kind not in STILL_WATERS and area.kind not in fields_and_woods.WOODS:
            painter.line(area.outline.boundary, (26, 22, 10), 1.0, 0.85)
    grounds = {feature.id: ways.course_ground(feature, field, k) for feature in courses if feature.kind in ROUTES}
    ways.paint_road_grounds(painter, courses, climate_look, grounds)
    for course in courses:
        if course.kind is Kind.RAILWAY:
            ways.paint_railway(painter, course, grounds[course.id])
        elif course.kind in ROUTES:
            ways.paint_ruts(painter, course, climate_look, grounds[course.id])
        elif course.kind is Kind.CLIFF:
            relief.paint_cliff(painter, course.line, course.id)
    for crossing in field.features:
        if isinstance(crossing, Crossing):
            ways.paint_crossing(painter, crossing, field, water)
    for area in areas:
        if area.kind in BUILT:
            towns.paint_town(painter, area, climate_look, roads, water)
    for course in courses:
        if course.kind in _BORDERS:
            paint_border(painter, course.kind, course.line, course.id, roads)
    ground.paint_litter(painter, climate_look, solid)
    for key, kind, wood_area in _wood_areas(painter, field, roads, water):
        fields_and_woods.paint_wood(painter, kind, wood_area, climate_look, key)


def _extend_past_edge(water: BaseGeometry, painter: Painter) -> BaseGeometry:
    """Return water extended past the board edge where it meets the edge, because there is no bank there.

    Areas are in printed mm.
    """
    k = painter.k
    # The ring of the board starts at a corner, which would split the edge there.
    edge = shapely.line_merge(shapely.intersection(painter.board.exterior, water.buffer(0.1 * k)))
    # Flat ends: the ground beside a river mouth is dry, and no bank may appear there.
    outside = shapely.difference(edge.buffer(5 * k, cap_style="flat"), painter.board)
    return shapely.union(water, outside)


def _paint_rough_area(painter: Painter, area: Area, climate: Climate) -> None:
    """Paint an area of open, rough, wet or rocky ground.

    The items are added to ``painter``.
    """
    if area.kind in _OPEN_KINDS:
        ground.paint_open_ground(painter, area, COUNTRIES[climate], climate)
    elif area.kind in _WET:
        ground.paint_marsh(painter, area)
    elif area.kind is Kind.SCREE:
        painter.paint_area("gravel", area.outline, 3, 1.2, area.id)
        painter.paint_rim(area.outline, (50, 46, 40), 0.6, 0.45, area.id)
    elif area.kind is Kind.CLIFF:
        painter.paint_area("rock", area.outline, 2, 1.0, area.id)
        painter.paint_rim(area.outline, (24, 20, 10), 1.2, 0.6, area.id)


def _wood_areas(
    painter: Painter, field: Battlefield, roads: BaseGeometry, water: BaseGeometry
) -> Iterator[tuple[str, Kind, BaseGeometry]]:
    """Yield feature ID, kind of wood and area of each wood, including those on hills.

    Areas are in printed mm, without clearings, roads and water.
    """
    k = painter.k
    clearings = [
        feature.outline for feature in field.features if isinstance(feature, Area) and feature.kind is Kind.CLEARING
    ]
    open_area = shapely.union_all([*clearings, roads.buffer(k), water.buffer(1.5 * k)])
    for feature in field.features:
        if isinstance(feature, Area) and feature.kind in fields_and_woods.WOODS:
            yield feature.id, feature.kind, shapely.difference(feature.outline, open_area)
        elif isinstance(feature, Hill) and feature.cover is not None and feature.cover in fields_and_woods.WOODS:
            yield feature.id, feature.cover, shapely.difference(feature.outline, open_area)
