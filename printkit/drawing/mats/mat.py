"""Paint a board as a mat: all kinds of features in painting order; towns, farms, forts and camps; cell corners."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import shapely
from msgspec import Struct, convert
from shapely import LineString, Point, Polygon, box, ops
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.mats import (
    fields_and_woods,
    ground,
    relief,
    ways,
)
from printkit.drawing.mats.dressing import CountryShapes, paint_dressing
from printkit.drawing.mats.fields_and_woods import paint_border, paint_trees
from printkit.drawing.mats.frames import long_side_bearing, make_frame, rectangle_in_frame
from printkit.drawing.mats.painter import COUNTRIES, Climate, ClimateLook, Painter, TextureLattice
from printkit.drawing.mats.raster import raster_noise, smoothstep
from printkit.drawing.scatter.crowns import poisson_points
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import (
    BUILT,
    KIND_ROWS,
    ROUTES,
    STILL_WATERS,
    WOODS,
    Area,
    Course,
    Crossing,
    Hill,
    Kind,
)
from printkit.terrain.field.grids import Grid


class TownLook(Struct, frozen=True, kw_only=True):
    """The look of buildings and camps, from their row in the table of kinds.

    Attributes:
        tents: whether there are tents, not houses.
        walled: whether there is a wall round them.
        green: whether much of the ground between them is grass.
        houses: the greatest number of houses; None for a settlement, where gardens are also closer.
    """

    tents: bool = False
    walled: bool = False
    green: bool = False
    houses: int | None = None


_TOWN_LOOKS: Final = {kind: convert(KIND_ROWS[kind].paint, TownLook) for kind in BUILT}
_MAX_HOUSES: Final = 400
# The side in mm of a settlement whose houses have normal size; smaller ones have smaller houses.
_NORMAL_SIDE: Final = 90.0

_TONES: Final = ((120, 90, 60), (90, 96, 96), (60, 40, 30))


class GabledHouse(NamedTuple):
    """A house: outline, centre, length and depth in printed mm, and bearing of the ridge in degrees."""

    ground: Polygon
    x: float
    y: float
    length: float
    depth: float
    bearing: float


def paint_town(
    painter: Painter, feature: Area, climate_look: ClimateLook, road_area: BaseGeometry, water: BaseGeometry
) -> None:
    """Paint a built-up area, a fort or a camp; ``road_area`` and ``water``, which houses avoid, are in printed mm.

    A camp has tents, other kinds have houses, gardens and trees, and some a wall. The items are added to ``painter``.
    """
    k, key, ground, town_look = painter.k, feature.id, feature.outline, _TOWN_LOOKS[feature.kind]
    painter.paint_area(climate_look.bare, ground, 5, 1.5, key, gain=0.85)
    raster, depth = painter.measure_depths(ground, 50)
    stream = painter.stream(f"{key}/yard")
    wave = raster_noise("broad", raster, 130 * k, stream) + 0.4 * raster_noise("middle", raster, 50 * k, stream)
    above = 0.15 if town_look.green else 0.9
    painter.paint_texture(
        climate_look.ground, raster, smoothstep((wave - above) / 0.5) * smoothstep((depth - k) / (3 * k)) * 0.85
    )
    painter.paint_rim(ground, (54, 42, 20), 0.75, 0.5, key)
    if town_look.tents:
        _paint_tents(painter, ground, key)
        return
    if town_look.walled:
        for number, part in enumerate(polygons(ground.buffer(-2.2 * k))):
            paint_border(painter, Kind.WALL, LineString(part.exterior.coords), f"{key}/wall{number}", road_area)
    houses = _place_houses(painter, feature, road_area, water)
    free_area = shapely.difference(ground.buffer(-(9 if town_look.walled else 4) * k), road_area.buffer(3 * k))
    if houses:
        free_area = shapely.difference(
            free_area, shapely.union_all([gabled_house.ground for gabled_house in houses]).buffer(2.2 * k)
        )
    beds = _paint_gardens(painter, free_area, feature)
    for number, gabled_house in enumerate(houses):
        paint_house(
            painter,
            gabled_house,
            f"{key}/house{number}",
            thatched=stream.draw_unit() < (0.25 if town_look.houses is None else 0.6),
        )
    tree_area = (
        shapely.difference(free_area.buffer(-2 * k), shapely.union_all(beds).buffer(k))
        if beds
        else free_area.buffer(-2 * k)
    )
    paint_trees(painter, tree_area, ("oak",), 18, (0.30, 0.55), f"{key}/trees")


def _place_houses(painter: Painter, feature: Area, road_area: BaseGeometry, water: BaseGeometry) -> list[GabledHouse]:
    """Return houses with gaps between them, parallel to nearby roads or to the long axis of the ground.

    Areas are in printed mm; houses avoid roads and water. On small ground they are smaller; there may be none. A farm
    has at most four houses, a building one, an edifice two, other kinds 400.
    """
    k, ground, town_look = painter.k, feature.outline, _TOWN_LOOKS[feature.kind]
    stream = painter.stream(f"{feature.id}/houses")
    max_houses = town_look.houses or _MAX_HOUSES
    # Houses of a little place are little.
    size = min(1.0, max(0.42, math.sqrt(ground.area) / (_NORMAL_SIDE * k)))
    main = long_side_bearing(ground)
    is_by_roads = not road_area.is_empty and road_area.distance(ground) < 30 * k
    house_area = ground.buffer(-(6.0 if town_look.walled else 3.5) * k * size)
    blocked_area = shapely.union(road_area.buffer(2.6 * k), water.buffer(3 * k))
    shapely.prepare(house_area)
    shapely.prepare(blocked_area)
    lots = [painter.stream(f"{feature.id}/lots{number}") for number in range(7)]
    points = [
        point for lot in lots for point in poisson_points(ground.buffer(-5 * k * size), 8.5 * k * size, lot).tolist()
    ]
    if is_by_roads:
        points.sort(key=lambda point: math.floor(road_area.distance(Point(point)) / (14 * k)))
    placed_houses: list[GabledHouse] = []
    gap = 2.8 * k * size
    for x, y in points:
        if len(placed_houses) >= max_houses:
            break
        length, depth = stream.between(13, 20) * k * size, stream.between(8.5, 11) * k * size
        if feature.kind is Kind.EDIFICE and not placed_houses:
            length, depth = length * 1.5, depth * 1.6
        bearing = main + (90.0 if stream.draw_unit() < 0.5 else 0.0) + stream.draw_normal(7)
        if is_by_roads and 0 < road_area.distance(Point(x, y)) < 26 * k:
            road_point = ops.nearest_points(road_area, Point(x, y))[0]
            bearing = math.degrees(math.atan2(y - road_point.y, x - road_point.x)) + 90 + stream.draw_normal(4)
        lot = rectangle_in_frame(make_frame(x, y, bearing), length / 2, depth / 2)
        if (
            not house_area.contains(lot)
            or blocked_area.intersects(lot)
            or any(lot.distance(neighbour.ground) < gap for neighbour in placed_houses)
        ):
            continue
        placed_houses.append(GabledHouse(lot, x, y, length, depth, bearing))
    return placed_houses


def paint_house(painter: Painter, gabled_house: GabledHouse, key: str, *, thatched: bool) -> None:
    """Paint a gabled roof: two shaded planes with eaves, ridge, chimney and shadow.

    ``key`` names the random stream; ``thatched`` chooses thatch instead of tiles. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    frame = make_frame(gabled_house.x, gabled_house.y, gabled_house.bearing)
    shadow_length, outline = (gabled_house.depth * 0.42 + 1.2 * k) * 0.7, gabled_house.ground
    cast = shapely.union_all([outline, translate(outline, shadow_length, -shadow_length)]).convex_hull
    painter.fill(shapely.difference(cast, outline), (18, 16, 8), 0.42)
    painter.fill(outline.buffer(0.35 * k, join_style="mitre"), (58, 42, 28), 0.9)
    origin = (gabled_house.x + stream.between(-90, 90) * k, gabled_house.y + stream.between(-90, 90) * k)
    half_length, half_depth = gabled_house.length / 2, gabled_house.depth / 2
    for side in (1, -1):
        plane = Polygon(
            [
                frame(-half_length, 0),
                frame(half_length, 0),
                frame(half_length, side * half_depth),
                frame(-half_length, side * half_depth),
            ]
        )
        texture_bearing = gabled_house.bearing + (90 if thatched else 0 if side > 0 else 180)
        painter.paint_texture(
            "thatch" if thatched else "tiles", clip=plane, lattice=TextureLattice(texture_bearing, origin)
        )
        facing = math.cos(math.radians(gabled_house.bearing + 90 * side - 135))
        shade = ((20, 12, 4), 0.04 - 0.44 * facing) if facing < 0 else ((255, 232, 200), 0.16 * facing)
        painter.fill(plane, *shade)
    painter.fill(outline, _TONES[stream.draw_index(3)], 0.16)
    painter.line(
        LineString([frame(-half_length, 0), frame(half_length, 0)]),
        (196, 172, 120) if thatched else (72, 44, 30),
        0.7,
        0.8,
    )
    painter.line(LineString([frame(-half_length, 0.25 * k), frame(half_length, 0.25 * k)]), (232, 196, 160), 0.22, 0.6)
    if stream.draw_unit() < 0.6:
        chimney_share = stream.between(0.2, 0.36) * (1 if stream.draw_unit() < 0.5 else -1)
        x, y = frame(gabled_house.length * chimney_share, gabled_house.depth * 0.10)
        chimney = box(x - 0.9 * k, y - 0.9 * k, x + 0.9 * k, y + 0.9 * k)
        painter.fill(translate(chimney, 0.9 * k, -0.9 * k), (12, 8, 4), 0.45)
        painter.fill(chimney, (150, 132, 112))
        painter.fill(chimney.buffer(-0.45 * k), (34, 26, 20))


def _paint_gardens(painter: Painter, free_area: BaseGeometry, feature: Area) -> list[Polygon]:
    """Paint garden beds between the houses, each with a hedge or fence, and return their outlines.

    ``free_area`` is the area for them; both are in printed mm. The items are added to ``painter``.
    """
    k, main = painter.k, long_side_bearing(feature.outline)
    stream = painter.stream(f"{feature.id}/gardens")
    spacing = (18 if _TOWN_LOOKS[feature.kind].houses is None else 30) * k
    lots: list[Polygon] = []
    for number, (x, y) in enumerate(poisson_points(shapely.buffer(free_area, -5 * k), spacing, stream).tolist()):
        lot = rectangle_in_frame(
            make_frame(x, y, main + stream.draw_normal(5)), stream.between(5, 8) * k, stream.between(3.5, 5) * k
        )
        if not free_area.contains(lot) or any(lot.distance(neighbour) < 2 * k for neighbour in lots):
            continue
        lots.append(lot)
        key = f"{feature.id}/bed{number}"
        painter.paint_area(
            "furrow" if number % 3 == 0 else "grass", lot, 1.6, 0.6, key, lattice=TextureLattice(main, (x, y))
        )
        paint_border(painter, Kind.HEDGE if number % 2 else Kind.FENCE, LineString(lot.exterior.coords), f"{key}/edge")
    return lots


def _paint_tents(painter: Painter, ground: Polygon, key: str) -> None:
    """Paint tents of 10 by 8 mm at 1:1 on an area in printed mm; ``key`` names the random stream.

    The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(f"{key}/tents")
    for x, y in poisson_points(ground.buffer(-8 * k), 15 * k, stream).tolist():
        bearing = stream.between(0, 180)
        frame, half_length = make_frame(x, y, bearing), 5 * k
        painter.fill(translate(rectangle_in_frame(frame, half_length, 4 * k), 1.4 * k, -1.6 * k), (16, 16, 8), 0.45)
        for side in (1, -1):
            bright = 0.86 + 0.16 * math.cos(math.radians(bearing + 90 * side - 135))
            edge_offset = 4 * k * side
            plane = Polygon(
                [
                    frame(-half_length, 0),
                    frame(half_length, 0),
                    frame(half_length, edge_offset),
                    frame(-half_length, edge_offset),
                ]
            )
            painter.fill(plane, [min(255, round(shade * bright)) for shade in (226, 214, 188)])


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


def painted(field: Battlefield, context: SymbolContext, dressing: CountryShapes | None = None) -> LayeredItems:
    """Return (layer, item) pairs that paint a battlefield in printed mm, as one layer in painting order.

    Courses must have their drawn widths. On a grid the cell corners are marked. ``dressing`` has the shapes between the
    features, in mm of the board.
    """
    climate = Climate(context.style.climate)
    painter = Painter(context, field.ground, context.style.veil, COUNTRIES[climate].plants)
    _paint_features(painter, field, climate, dressing)
    if field.grid is not None:
        paint_cell_corners(painter, field.grid)
    return ((LayerName.MAT, item) for item in painter.items)


def _paint_features(
    painter: Painter, field: Battlefield, climate: Climate, dressing: CountryShapes | None = None
) -> None:
    """Paint the ground and all features of a battlefield in printed mm, from the ground up to the trees.

    ``dressing`` has the shapes between the features, in mm of the board. The items are added to ``painter``.
    """
    k, climate_look = painter.k, COUNTRIES[climate]
    areas = [feature for feature in field.features if isinstance(feature, Area)]
    courses = [feature for feature in field.features if isinstance(feature, Course)]
    paint_area = painter.board.buffer(4 * k)
    waters = [feature.outline for feature in areas if feature.kind in STILL_WATERS]
    waters += [ways.body(course) for course in courses if KIND_ROWS[course.kind].family == "running-water"]
    water = (
        shapely.intersection(_extend_past_edge(shapely.union_all(waters), painter), paint_area) if waters else NOTHING
    )
    road_bodies = [ways.body(feature) for feature in courses if feature.kind in ROUTES]
    roads = shapely.union_all(road_bodies) if road_bodies else NOTHING
    solid = shapely.union_all([feature.outline for feature in areas] + [ways.body(feature) for feature in courses])
    ground.paint_ground(painter, climate_look, climate, solid)
    dressed_area = NOTHING if dressing is None else paint_dressing(painter, dressing, climate_look)
    for hill in field.features:
        if isinstance(hill, Hill):
            relief.paint_hill(painter, hill, climate_look, climate)
    for area in areas:
        if KIND_ROWS[area.kind].family == "field":
            fields_and_woods.field(painter, area, climate, roads)
    for area in areas:
        ground.paint_open_ground(painter, area, climate)
    for course in courses:
        if KIND_ROWS[course.kind].family == "cut":
            ground.paint_cut(painter, shapely.intersection(ways.body(course), paint_area), course.id)
    ground.paint_waters(painter, water, climate_look, roads.buffer(2 * k), has_plants=climate is not Climate.WINTER)
    beaches = [feature.outline for feature in areas if feature.kind is Kind.BEACH]
    seas = [feature.outline for feature in areas if feature.kind is Kind.SEA]
    if beaches or seas:
        ground.paint_surf(painter, water, shapely.union_all(seas), shapely.union_all(beaches))
    for area in areas:
        if area.going.is_impassable and area.kind not in STILL_WATERS and area.kind not in WOODS:
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
            paint_town(painter, area, climate_look, roads, water)
    for course in courses:
        if KIND_ROWS[course.kind].family == "border":
            paint_border(painter, course.kind, course.line, course.id, roads)
    has_bushes = dressing is None or not len(dressing.bushes)
    ground.paint_litter(painter, climate_look, solid, dressed_area, has_bushes=has_bushes)
    for feature, kind, wood_area in _wood_areas(painter, field, roads, water):
        # Elsewhere crowns are the edge; a line around them looks cut out.
        is_barred = feature.going.is_impassable
        fields_and_woods.paint_wood(painter, kind, wood_area, climate_look, feature.id, has_line=is_barred)


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


def _wood_areas(
    painter: Painter, field: Battlefield, roads: BaseGeometry, water: BaseGeometry
) -> Iterator[tuple[Area | Hill, Kind, BaseGeometry]]:
    """Yield feature, kind of wood and area of each wood, including those on hills.

    Areas are in printed mm, without clearings, roads and water.
    """
    k = painter.k
    clearings = [
        feature.outline for feature in field.features if isinstance(feature, Area) and feature.kind is Kind.CLEARING
    ]
    open_area = shapely.union_all([*clearings, roads.buffer(k), water.buffer(1.5 * k)])
    for feature in field.features:
        if isinstance(feature, Area) and feature.kind in WOODS:
            yield feature, feature.kind, shapely.difference(feature.outline, open_area)
        elif isinstance(feature, Hill) and feature.cover is not None and feature.cover in WOODS:
            yield feature, feature.cover, shapely.difference(feature.outline, open_area)
