"""Paint towns, farms, forts and camps on a mat: houses along roads, gardens, walls and tents."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import shapely
from shapely import LineString, Point, Polygon, box, ops
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.borders import border
from printkit.drawing.mats.climates import ClimateLook
from printkit.drawing.mats.frames import frame_at, long_bearing, oblong_in
from printkit.drawing.mats.painter import Painter, TextureLattice
from printkit.drawing.mats.raster import noise, smooth
from printkit.drawing.mats.woods import trees
from printkit.drawing.scatter.scatter import poisson_points
from printkit.terrain.field.features import Area, Kind

_TENTED: Final = (Kind.CAMP, Kind.BAGGAGE)
_WALLED: Final = (Kind.CITY, Kind.TOWN, Kind.FORT)
_GREEN: Final = (Kind.FARM, Kind.HAMLET, Kind.VILLAGE, Kind.SETTLEMENT, Kind.BUILDING)
_FEW: Final = {Kind.FARM: 4, Kind.BUILDING: 1, Kind.EDIFICE: 2}
_MOST: Final = 400
# The side in mm of a settlement whose houses have normal size; smaller ones have smaller houses.
_USUAL: Final = 90.0

_TONES: Final = ((120, 90, 60), (90, 96, 96), (60, 40, 30))


class GabledHouse(NamedTuple):
    """A house: outline, centre, length and depth in mm, and bearing of the ridge in degrees."""

    ground: Polygon
    x: float
    y: float
    long: float
    deep: float
    bearing: float


def town(painter: Painter, feature: Area, country: ClimateLook, ways: BaseGeometry, water: BaseGeometry) -> None:
    """Paint a built-up area, a fort or a camp."""
    k, key, ground = painter.k, feature.id, feature.outline
    painter.area(country.bare, ground, 5, 1.5, key, gain=0.85)
    raster, depth = painter.depths(ground, 50)
    stream = painter.stream(f"{key}/yard")
    wave = noise("broad", raster, 130 * k, stream) + 0.4 * noise("middle", raster, 50 * k, stream)
    above = 0.15 if feature.kind in _GREEN else 0.9
    painter.texture(country.ground, raster, smooth((wave - above) / 0.5) * smooth((depth - k) / (3 * k)) * 0.85)
    painter.rim(ground, (54, 42, 20), 0.75, 0.5, key)
    if feature.kind in _TENTED:
        _tents(painter, ground, key)
        return
    if feature.kind in _WALLED:
        for number, part in enumerate(polygons(ground.buffer(-2.2 * k))):
            border(painter, Kind.WALL, LineString(part.exterior.coords), f"{key}/wall{number}", ways)
    houses = _houses(painter, feature, ways, water)
    free = shapely.difference(ground.buffer(-(9 if feature.kind in _WALLED else 4) * k), ways.buffer(3 * k))
    if houses:
        free = shapely.difference(free, shapely.union_all([each.ground for each in houses]).buffer(2.2 * k))
    beds = _gardens(painter, free, feature)
    for number, each in enumerate(houses):
        house(
            painter, each, f"{key}/house{number}", thatched=stream.draw_unit() < (0.6 if feature.kind in _FEW else 0.25)
        )
    left = shapely.difference(free.buffer(-2 * k), shapely.union_all(beds).buffer(k)) if beds else free.buffer(-2 * k)
    trees(painter, left, ("oak",), 18, (0.30, 0.55), f"{key}/trees")


def _houses(painter: Painter, feature: Area, ways: BaseGeometry, water: BaseGeometry) -> list[GabledHouse]:
    """Return houses with gaps between them, parallel to nearby roads, otherwise to the long axis of the ground."""
    k, ground = painter.k, feature.outline
    stream = painter.stream(f"{feature.id}/houses")
    most, is_walled = _FEW.get(feature.kind, _MOST), feature.kind in _WALLED
    # Houses of a little place are little.
    size = min(1.0, max(0.42, math.sqrt(ground.area) / (_USUAL * k)))
    main = long_bearing(ground)
    is_by_ways = not ways.is_empty and ways.distance(ground) < 30 * k
    room = ground.buffer(-(6.0 if is_walled else 3.5) * k * size)
    kept = shapely.union(ways.buffer(2.6 * k), water.buffer(3 * k))
    shapely.prepare(room)
    shapely.prepare(kept)
    lots = [painter.stream(f"{feature.id}/lots{number}") for number in range(7)]
    places = [
        place for lot in lots for place in poisson_points(ground.buffer(-5 * k * size), 8.5 * k * size, lot).tolist()
    ]
    if is_by_ways:
        places.sort(key=lambda place: math.floor(ways.distance(Point(place)) / (14 * k)))
    found: list[GabledHouse] = []
    gap = 2.8 * k * size
    for x, y in places:
        if len(found) >= most:
            break
        long, deep = stream.between(13, 20) * k * size, stream.between(8.5, 11) * k * size
        if feature.kind is Kind.EDIFICE and not found:
            long, deep = long * 1.5, deep * 1.6
        turn = main + (90.0 if stream.draw_unit() < 0.5 else 0.0) + stream.draw_normal(7)
        if is_by_ways and 0 < ways.distance(Point(x, y)) < 26 * k:
            near = ops.nearest_points(ways, Point(x, y))[0]
            turn = math.degrees(math.atan2(y - near.y, x - near.x)) + 90 + stream.draw_normal(4)
        lot = oblong_in(frame_at(x, y, turn), long / 2, deep / 2)
        if not room.contains(lot) or kept.intersects(lot) or any(lot.distance(each.ground) < gap for each in found):
            continue
        found.append(GabledHouse(lot, x, y, long, deep, turn))
    return found


def house(painter: Painter, told: GabledHouse, key: str, *, thatched: bool) -> None:
    """Paint a gabled roof: two shaded planes with eaves, ridge, chimney and shadow."""
    k, stream = painter.k, painter.stream(key)
    frame = frame_at(told.x, told.y, told.bearing)
    far, out = (told.deep * 0.42 + 1.2 * k) * 0.7, told.ground
    cast = shapely.union_all([out, translate(out, far, -far)]).convex_hull
    painter.fill(shapely.difference(cast, out), (18, 16, 8), 0.42)
    painter.fill(out.buffer(0.35 * k, join_style="mitre"), (58, 42, 28), 0.9)
    origin = (told.x + stream.between(-90, 90) * k, told.y + stream.between(-90, 90) * k)
    half, deep = told.long / 2, told.deep / 2
    for side in (1, -1):
        plane = Polygon([frame(-half, 0), frame(half, 0), frame(half, side * deep), frame(-half, side * deep)])
        turn = told.bearing + (90 if thatched else 0 if side > 0 else 180)
        painter.texture("thatch" if thatched else "tiles", clip=plane, lie=TextureLattice(turn, origin))
        facing = math.cos(math.radians(told.bearing + 90 * side - 135))
        shade = ((20, 12, 4), 0.04 - 0.44 * facing) if facing < 0 else ((255, 232, 200), 0.16 * facing)
        painter.fill(plane, *shade)
    painter.fill(out, _TONES[stream.draw_index(3)], 0.16)
    painter.line(LineString([frame(-half, 0), frame(half, 0)]), (196, 172, 120) if thatched else (72, 44, 30), 0.7, 0.8)
    painter.line(LineString([frame(-half, 0.25 * k), frame(half, 0.25 * k)]), (232, 196, 160), 0.22, 0.6)
    if stream.draw_unit() < 0.6:
        aside = stream.between(0.2, 0.36) * (1 if stream.draw_unit() < 0.5 else -1)
        x, y = frame(told.long * aside, told.deep * 0.10)
        chimney = box(x - 0.9 * k, y - 0.9 * k, x + 0.9 * k, y + 0.9 * k)
        painter.fill(translate(chimney, 0.9 * k, -0.9 * k), (12, 8, 4), 0.45)
        painter.fill(chimney, (150, 132, 112))
        painter.fill(chimney.buffer(-0.45 * k), (34, 26, 20))


def _gardens(painter: Painter, free: BaseGeometry, feature: Area) -> list[Polygon]:
    """Paint garden beds between the houses, each with a hedge or fence, and return their outlines."""
    k, main = painter.k, long_bearing(feature.outline)
    stream = painter.stream(f"{feature.id}/gardens")
    spacing = (30 if feature.kind in _FEW else 18) * k
    taken: list[Polygon] = []
    for number, (x, y) in enumerate(poisson_points(shapely.buffer(free, -5 * k), spacing, stream).tolist()):
        lot = oblong_in(
            frame_at(x, y, main + stream.draw_normal(5)), stream.between(5, 8) * k, stream.between(3.5, 5) * k
        )
        if not free.contains(lot) or any(lot.distance(other) < 2 * k for other in taken):
            continue
        taken.append(lot)
        key = f"{feature.id}/bed{number}"
        painter.area("furrow" if number % 3 == 0 else "grass", lot, 1.6, 0.6, key, lie=TextureLattice(main, (x, y)))
        border(painter, Kind.HEDGE if number % 2 else Kind.FENCE, LineString(lot.exterior.coords), f"{key}/edge")
    return taken


def _tents(painter: Painter, ground: Polygon, key: str) -> None:
    """Paint tents of 10 by 8 mm."""
    k, stream = painter.k, painter.stream(f"{key}/tents")
    for x, y in poisson_points(ground.buffer(-8 * k), 15 * k, stream).tolist():
        turn = stream.between(0, 180)
        frame, long = frame_at(x, y, turn), 5 * k
        painter.fill(translate(oblong_in(frame, long, 4 * k), 1.4 * k, -1.6 * k), (16, 16, 8), 0.45)
        for side in (1, -1):
            bright = 0.86 + 0.16 * math.cos(math.radians(turn + 90 * side - 135))
            foot = 4 * k * side
            plane = Polygon([frame(-long, 0), frame(long, 0), frame(long, foot), frame(-long, foot)])
            painter.fill(plane, [min(255, round(shade * bright)) for shade in (226, 214, 188)])
