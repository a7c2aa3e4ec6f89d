"""Paint fields with their borders, and woods, on a mat."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct, convert
from shapely import LineString, Point, Polygon, ops
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import lines, polygons
from printkit.drawing.mats.frames import long_side_bearing, make_frame, offset_point
from printkit.drawing.mats.painter import (
    COUNTRIES,
    Climate,
    ClimateLook,
    EdgeSide,
    Painter,
    PlacedSprite,
    TextureLattice,
)
from printkit.drawing.mats.raster import raster_noise, smoothstep
from printkit.drawing.scatter.crowns import poisson_points
from printkit.terrain.field.features import KIND_ROWS, WOODS, Area, Kind, find_family

_SPRITE_WIDTHS: Final = {"oak": 16.0, "conifer": 12.0, "palm": 15.0}
# The radius of a crown relative to the width of its sprite.
_CROWN: Final = {"oak": 0.405, "conifer": 0.46, "palm": 0.405}

# The ground of light woods; the climate gives its texture.
_MEADOW: Final = "meadow"

# The share of the veil on a closed wood, which stays darker than the ground round it.
_VEIL_SHARE: Final = 0.75


class Wood(Struct, frozen=True, kw_only=True):
    """The look of a wood, from its row in the table of kinds.

    Attributes:
        trees: kinds of trees; one that is listed twice is twice as frequent.
        spacing: least distance between trees in mm at 1:1.
        texture: texture of the ground; for light woods ``meadow`` means that of the climate.
        closed: whether the crowns touch.
        size: size of the trees relative to the picture of a tree.
    """

    trees: tuple[str, ...]
    spacing: float
    texture: str
    closed: bool = False
    size: float = 1.0


_WOOD_LOOKS: Final = {kind: convert(KIND_ROWS[kind].paint, Wood) for kind in WOODS}


def paint_wood(
    painter: Painter, kind: Kind, ground: BaseGeometry, climate_look: ClimateLook, key: str, *, has_line: bool
) -> None:
    """Paint a wood on an area in printed mm, which excludes clearings, roads and water.

    ``has_line`` adds a line to the row of crowns at the edge of a closed wood. ``key`` names the random streams. The
    items are added to ``painter``.
    """
    if ground.is_empty:
        return
    wood_look, k = _WOOD_LOOKS[kind], painter.k
    if not wood_look.closed:
        _paint_light_wood(painter, wood_look, ground, climate_look, key)
        return
    painter.paint_rim(translate(ground, 2.2 * k, -2.4 * k), (16, 18, 6), 3.0, 0.50, key, EdgeSide.OUTSIDE)
    painter.paint_area(wood_look.texture, ground, 3.5, 1.3, key)
    row = _edge_row(painter, wood_look, ground, key)
    inner = shapely.buffer(ground, -_SPRITE_WIDTHS[wood_look.trees[0]] * 0.38 * wood_look.size * k)
    stream = painter.stream(f"{key}/trees")
    inner_trees = _place_trees(
        painter, poisson_points(inner, wood_look.spacing * k, stream), wood_look.trees, (0.78, 1.12), key
    )
    puts = [put._replace(size=put.size * wood_look.size) for put in inner_trees] + row
    draws = stream.draw_array(len(puts)).tolist()
    order = sorted(range(len(puts)), key=lambda number: puts[number].size + draws[number] * 0.15)
    if has_line:
        painter.line(shapely.boundary(ground), (22, 26, 10), 0.5, 0.5)
    for number in range(0, len(order), 60):
        batch = [puts[index] for index in order[number : number + 60]]
        painter.paint_shadows(batch, 6.6, 0.45, 0.28)
        painter.paint_sprites(batch, veil_share=_VEIL_SHARE)


def _edge_row(painter: Painter, wood_look: Wood, ground: BaseGeometry, key: str) -> list[PlacedSprite]:
    """Return tree crowns that touch the outline of a wood from inside, so close that it looks closed.

    ``ground`` is the wood in printed mm; ``key`` names the random stream.
    """
    k, stream = painter.k, painter.stream(f"{key}/row")
    puts: list[PlacedSprite] = []
    shapely.prepare(ground)
    for part in polygons(ground):
        for ring in (part.exterior, *part.interiors):
            distance = 0.0
            while distance < ring.length - 2 * k:
                tree_kind = wood_look.trees[stream.draw_index(len(wood_look.trees))]
                size = (0.78 + 0.24 * stream.draw_unit()) * wood_look.size
                radius = _SPRITE_WIDTHS[tree_kind] * _CROWN[tree_kind] * size * 0.92 * k
                for side in (1, -1):
                    x, y = offset_point(ring, distance, side * radius, 0.8 * k)
                    if shapely.contains_xy(ground, x, y):
                        puts.append(
                            PlacedSprite(painter.pick_sprite(stream, tree_kind), x, y, size, stream.draw_unit() < 0.5)
                        )
                        break
                distance += radius * stream.between(1.05, 1.35)
    return puts


def _place_trees(
    painter: Painter, points: np.ndarray, tree_kinds: Sequence[str], sizes: tuple[float, float], key: str
) -> list[PlacedSprite]:
    """Return trees of several kinds at points (n x 2, in printed mm).

    ``sizes`` are the minimum and maximum size relative to the picture; ``key`` names the random stream.
    """
    stream = painter.stream(f"{key}/sorts")
    which = (stream.draw_array(len(points)) * len(tree_kinds)).astype(np.int64)
    return [
        put
        for number, tree_kind in enumerate(tree_kinds)
        for put in painter.choose_sprites(points[which == number], tree_kind, sizes, stream)
    ]


def paint_trees(
    painter: Painter,
    ground: BaseGeometry,
    tree_kinds: Sequence[str],
    spacing: float,
    sizes: tuple[float, float],
    key: str,
) -> None:
    """Paint single trees on an area in printed mm, each with its shadow on the ground.

    ``spacing`` is their minimum distance in mm at 1:1, and ``sizes`` their minimum and maximum size relative to the
    picture. ``key`` names the random streams. The items are added to ``painter``.
    """
    if ground.is_empty:
        return
    points = poisson_points(ground, spacing * painter.k, painter.stream(f"{key}/places"))
    puts = sorted(_place_trees(painter, points, tree_kinds, sizes, key), key=lambda put: put.size)
    painter.paint_shadows(puts, _SPRITE_WIDTHS[tree_kinds[0]] * 0.44, 0.66, 0.55)
    painter.paint_sprites(puts)


def _paint_light_wood(
    painter: Painter, wood_look: Wood, ground: BaseGeometry, climate_look: ClimateLook, key: str
) -> None:
    """Paint light woods on an area in printed mm: groves on a meadow with an irregular edge.

    ``key`` names the random streams. The items are added to ``painter``.
    """
    k = painter.k
    painter.paint_area(
        climate_look.meadow if wood_look.texture == _MEADOW else wood_look.texture,
        ground,
        6,
        1.7,
        key,
        gain=0.6,
    )
    painter.paint_rim(ground, (54, 58, 22), 0.65, 0.58, key)
    raster, _ = painter.measure_depths(ground, 25)
    stream = painter.stream(f"{key}/groves")
    grove = raster_noise("middle", raster, 90 * k, stream)
    bushes = painter.scatter_sprites(shapely.buffer(ground, -5 * k), "bush", 11, (0.26, 0.7), key, share=0.55)
    painter.paint_sprites(
        painter.scatter_sprites(ground, climate_look.tuft, 7, (0.5, 1.0), key, share=0.5), overlapping=False
    )
    painter.paint_shadows(bushes, 2.8, 0.6, 0.45)
    painter.paint_sprites(bushes, overlapping=False)
    points = poisson_points(shapely.buffer(ground, -8 * k), wood_look.spacing * k, stream)
    if not len(points):
        return
    share = np.clip(0.70 + 0.28 * raster.at(grove, points), 0.5, 0.95)
    puts = painter.choose_sprites(points, wood_look.trees[0], (0.62, 1.0), stream, share=share)
    puts.sort(key=lambda put: put.size)
    painter.paint_shadows(puts, _SPRITE_WIDTHS[wood_look.trees[0]] * 0.46, 0.68, 0.62)
    painter.paint_sprites(puts)


_POSTS: Final = 4.5
_ZIGZAG: Final = 1.1
# Hedges use only the first bush sprites, as many as this.
_HEDGE_SPRITES: Final = 2


def paint_border(painter: Painter, kind: Kind, line: BaseGeometry, key: str, gaps: BaseGeometry | None = None) -> None:
    """Paint a hedge, fence or wall along a line inside the board, except on ``gaps`` (roads).

    Line and gaps are in printed mm; ``key`` names the random streams. Parts up to 1 mm at 1:1 long are left out. The
    items are added to ``painter``.

    Raises:
        KeyError: ``kind`` is not a hedge, fence, worm fence or wall.
    """
    visible = shapely.intersection(line, painter.board.buffer(-painter.k))
    if gaps is not None and not gaps.is_empty:
        visible = shapely.difference(visible, gaps)
    for number, part in enumerate(lines(visible)):
        if part.length > painter.k:
            _BORDERS[KIND_ROWS[kind].mat](painter, part, f"{key}/{number}", kind)


def _paint_hedge(painter: Painter, line: LineString, key: str, _: Kind) -> None:
    """Paint a hedge of bushes along a line in printed mm; ``key`` names the random stream.

    The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    puts, distance, sprite_kind = list[PlacedSprite](), 0.0, painter.plants.get("bush", "bush")
    while distance < line.length:
        point = line.interpolate(distance)
        size = stream.between(0.42, 0.66) * (1.0 if stream.draw_unit() < 0.94 else 1.5)
        x, y = point.x + stream.draw_normal(0.35) * k, point.y + stream.draw_normal(0.35) * k
        puts.append(
            PlacedSprite(f"{sprite_kind}{stream.draw_index(_HEDGE_SPRITES)}", x, y, size, stream.draw_unit() < 0.5)
        )
        distance += stream.between(1.5, 2.5) * k
    painter.paint_shadows(puts, 2.9, 0.55, 0.5)
    painter.paint_sprites(puts)


def _paint_fence(painter: Painter, line: LineString, key: str, kind: Kind) -> None:
    """Paint a fence with posts along a line in printed mm; a worm fence zigzags.

    A line with fewer than two posts stays empty. ``key`` names the random stream. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    posts = []
    for number, distance in enumerate(np.arange(0.0, line.length, _POSTS * k).tolist()):
        offset = (-1) ** number * _ZIGZAG if kind is Kind.WORM_FENCE else 0.0
        posts.append(offset_point(line, distance, (offset + stream.draw_normal(0.15)) * k, k))
    if len(posts) < 2:
        return
    rail = LineString(posts)
    painter.line(translate(rail, 0.7 * k, -0.8 * k), (20, 20, 8), 0.8, 0.45)
    painter.line(rail, (96, 78, 52), 0.75)
    painter.line(translate(rail, -0.12 * k, 0.12 * k), (176, 152, 112), 0.32)
    painter.fill(shapely.union_all([Point(post).buffer(0.55 * k, 4) for post in posts]), (74, 58, 38))
    tops = shapely.union_all([Point(x - 0.1 * k, y + 0.1 * k).buffer(0.34 * k, 4) for x, y in posts])
    painter.fill(tops, (160, 138, 102))


def _paint_wall(painter: Painter, line: LineString, key: str, _: Kind) -> None:
    """Paint a wall of stones along a line in printed mm; ``key`` names the random stream.

    The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    painter.line(translate(line, 0.9 * k, -0.9 * k), (18, 16, 8), 2.6, 0.5)
    painter.line(line, (88, 82, 70), 2.4)
    painter.paint_sprites(
        [
            PlacedSprite(
                painter.pick_sprite(stream, "stone"), x, y, stream.between(0.24, 0.32), stream.draw_unit() < 0.5
            )
            for x, y in _stone_positions(line, k)
        ]
    )


def _stone_positions(line: LineString, k: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of stones in two rows along a line, in printed mm.

    ``k`` is the printed length of 1 mm at 1:1.
    """
    for distance in np.arange(0.0, line.length, 1.25 * k).tolist():
        for offset in (-0.5 * k, 0.55 * k):
            yield offset_point(line, distance, offset, 0.6 * k)


_BORDERS: Final = {
    "hedge": _paint_hedge,
    "fence": _paint_fence,
    "wall": _paint_wall,
}


_TILLED_KINDS: Final = (Kind.PLOUGH, Kind.CROPS)
_MIN_STRIP_AREA: Final = 5200.0
_STRIP: Final = 48.0
_GATE: Final = 9.0


class FieldLook(Struct, frozen=True, kw_only=True):
    """The look of a field, from its row in the table of kinds.

    Attributes:
        plants: for plants in rows: their sprite, and their distances in mm at 1:1 in a row and between rows.
        border: what is along its edge, or None.
    """

    plants: tuple[str, float, float] | None = None
    border: Kind | None = None


_FIELD_LOOKS: Final = {kind: convert(KIND_ROWS[kind].paint, FieldLook) for kind in find_family("field")}


def field(painter: Painter, feature: Area, climate: Climate, road_area: BaseGeometry) -> None:
    """Paint a field with its crop and border; the border has gaps at ``road_area`` (printed mm).

    Tilled fields and vineyards have strips, other kinds one texture. The items are added to ``painter``.
    """
    k, key, ground = painter.k, feature.id, feature.outline
    bearing, middle = long_side_bearing(ground), (ground.centroid.x, ground.centroid.y)
    if feature.kind in _TILLED_KINDS or feature.kind is Kind.VINEYARD:
        painter.paint_area("earth", ground, 2.5, 1.0, f"{key}/headland", gain=0.8)
        for number, strip in enumerate(_make_strips(painter, feature, bearing)):
            texture, rotation = _strip_texture(feature.kind, number)
            painter.paint_area(
                texture, strip, 1.6, 0.8, f"{key}/strip{number}", lattice=TextureLattice(bearing + rotation, middle)
            )
        painter.paint_rim(ground, (50, 38, 16), 2.6, 0.30, key, EdgeSide.INSIDE)
    elif feature.kind is Kind.PASTURE:
        _paint_pasture(painter, feature, climate)
        tufts = painter.scatter_sprites(ground.buffer(-2.5 * k), "tuft", 11, (0.4, 0.8), key, share=0.5)
        painter.paint_sprites(tufts, overlapping=False)
    else:
        painter.paint_area(COUNTRIES[climate].meadow, ground, 2, 1, key, gain=0.7)
    field_look = _FIELD_LOOKS[feature.kind]
    if field_look.plants is not None:
        _paint_plants(painter, feature, field_look.plants, bearing)
    if field_look.border is not None:
        _paint_border(painter, feature, field_look.border, road_area)


def _paint_pasture(painter: Painter, feature: Area, climate: Climate) -> None:
    """Paint the even grass of a pasture; in winter, stalks in the snow.

    The items are added to ``painter``.
    """
    k, key, ground = painter.k, feature.id, feature.outline
    if climate is Climate.WINTER:
        painter.paint_area("steppe", ground, 2, 1, key, gain=0.45)
        return
    painter.paint_area("steppe" if climate is Climate.DRY else "grass", ground, 2, 1, key)
    raster, depth = painter.measure_depths(ground, 36)
    wave = raster_noise("middle", raster, 60 * k, painter.stream(f"{key}/green"))
    painter.paint_ink((150, 162, 86), raster, smoothstep(depth / (3 * k)) * (0.18 + 0.05 * wave))


def _strip_texture(kind: Kind, number: int) -> tuple[str, float]:
    """Return the texture of a field's strip and the rotation of its rows, in degrees.

    ``number`` is the index of the strip from 0.
    """
    if kind is Kind.VINEYARD:
        return "earth", 0.0
    if kind is Kind.PLOUGH:
        return ("meadow" if number % 3 == 2 else "furrow"), 90.0 * (number % 2)
    return ("furrow" if number % 3 == 2 else "corn"), 0.0


def _make_strips(painter: Painter, feature: Area, bearing: float) -> list[Polygon]:
    """Return the strips of a large field, about 48 mm wide at 1:1, with balks between them.

    They are in printed mm, along or across ``bearing`` (degrees). A small field is one strip.
    """
    k, ground = painter.k, feature.outline
    inner_area = ground.buffer(-2.5 * k)
    if ground.area < _MIN_STRIP_AREA * k * k or feature.kind not in _TILLED_KINDS:
        return polygons(inner_area)
    stream, side = painter.stream(f"{feature.id}/strips"), math.sqrt(ground.area)
    count = max(2, round(side / (_STRIP * k)))
    frame = make_frame(ground.centroid.x, ground.centroid.y, bearing + (90.0 if stream.draw_unit() < 0.5 else 0.0))
    span, half_length = side * 1.6, side * 4
    cuts = sorted(-span / 2 + span * number / count + stream.draw_normal(3) * k for number in range(count + 1))
    strips: list[Polygon] = []
    for near_cut, far_cut in pairwise(cuts):
        strip = Polygon(
            [
                frame(-half_length, near_cut + k),
                frame(half_length, near_cut + k),
                frame(half_length, far_cut - k),
                frame(-half_length, far_cut - k),
            ]
        )
        strips += polygons(shapely.intersection(inner_area, strip))
    return strips


def _paint_plants(painter: Painter, feature: Area, plants: tuple[str, float, float], bearing: float) -> None:
    """Paint trees or vines of a field in rows along ``bearing``, in degrees anticlockwise.

    ``plants`` are those of its look. The items are added to ``painter``.
    """
    k, ground, stream = painter.k, feature.outline, painter.stream(f"{feature.id}/rows")
    sprite_kind, plant_gap, row_gap = plants
    is_vine = feature.kind is Kind.VINEYARD
    frame = make_frame(ground.centroid.x, ground.centroid.y, bearing)
    left, bottom, right, top = ground.bounds
    radius, scatter = math.hypot(right - left, top - bottom) / 2, (0.2 if is_vine else 0.5) * k
    points = np.array(
        [
            frame(u + stream.draw_normal(scatter), v + stream.draw_normal(scatter))
            for u in np.arange(-radius, radius, plant_gap * k).tolist()
            for v in np.arange(-radius, radius, row_gap * k).tolist()
        ]
    )
    planting_area = ground.buffer(-(4.0 if is_vine else 5.1) * k)
    points = points[shapely.contains_xy(planting_area, points[:, 0], points[:, 1])]
    if len(points):
        size = 0.42 if is_vine else 1.0
        puts = painter.choose_sprites(points, sprite_kind, (size * 0.85, size * 1.1), stream, share=0.96)
        painter.paint_shadows(puts, 2.8 if is_vine else 3.7, 0.62, 0.45)
        painter.paint_sprites(puts)


def _paint_border(painter: Painter, feature: Area, kind: Kind, road_area: BaseGeometry) -> None:
    """Paint the border of a field, of a kind, with a gate and with gaps at ``road_area`` (printed mm).

    The items are added to ``painter``.
    """
    k = painter.k
    for part in polygons(feature.outline.buffer(-1.2 * k)):
        ring = LineString(part.exterior.coords)
        gate = painter.stream(f"{feature.id}/gate").between(0, 0.8) * ring.length
        sides = (ops.substring(ring, gate + _GATE * k, ring.length), ops.substring(ring, 0, gate))
        for number, side in enumerate(sides):
            if side.length > 4 * k:
                paint_border(painter, kind, side, f"{feature.id}/border{number}", road_area)
