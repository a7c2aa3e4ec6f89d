"""Paint woods on a mat: closed woods with a solid row of crowns on the outline, light woods as groves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.frames import offset_point
from printkit.drawing.mats.painter import ClimateLook, EdgeSide, Painter, PlacedSprite
from printkit.drawing.mats.raster import raster_noise
from printkit.drawing.scatter.scatter import poisson_points
from printkit.terrain.field.features import Kind

_SPRITE_WIDTHS: Final = {"oak": 16.0, "conifer": 12.0, "palm": 15.0}
# The radius of a crown relative to the width of its sprite.
_CROWN: Final = {"oak": 0.405, "conifer": 0.46, "palm": 0.405}

# The ground of light woods; the climate gives its texture.
_MEADOW: Final = "meadow"

# The share of the veil on a closed wood, which stays darker than the ground round it.
_VEIL_SHARE: Final = 0.75


class Wood(NamedTuple):
    """The look of a wood: kinds of trees, spacing in mm at 1:1, whether it is closed, texture, tree size.

    The tree size is relative to the picture of a tree.
    """

    tree_kinds: tuple[str, ...]
    spacing: float
    is_closed: bool
    ground_texture: str
    size: float = 1.0


WOODS: Final[Mapping[Kind, Wood]] = {
    Kind.LIGHT_WOODS: Wood(("oak",), 11.0, False, _MEADOW),
    Kind.WOODLAND: Wood(("oak",), 11.0, False, _MEADOW),
    Kind.HEAVY_WOODS: Wood(("oak",), 6.8, True, "litter"),
    Kind.FOREST: Wood(("oak",), 7.2, True, "litter", 1.05),
    Kind.LIGHT_CONIFERS: Wood(("conifer",), 10.0, False, _MEADOW),
    Kind.CONIFER_FOREST: Wood(("conifer",), 5.9, True, "litter"),
    Kind.MIXED_WOODS: Wood(("oak", "conifer", "oak"), 6.6, True, "litter"),
    Kind.LIGHT_PALMS: Wood(("palm",), 11.0, False, "steppe"),
    Kind.PALM_FOREST: Wood(("palm",), 7.2, True, "litter"),
}


def paint_wood(painter: Painter, kind: Kind, ground: BaseGeometry, climate_look: ClimateLook, key: str) -> None:
    """Paint a wood on an area in printed mm, which excludes clearings, roads and water.

    ``key`` names the random streams. The items are added to ``painter``.
    """
    if ground.is_empty:
        return
    wood_look, k = WOODS[kind], painter.k
    if not wood_look.is_closed:
        _paint_light_wood(painter, wood_look, ground, climate_look, key)
        return
    painter.paint_rim(translate(ground, 2.2 * k, -2.4 * k), (16, 18, 6), 3.0, 0.50, key, EdgeSide.OUTSIDE)
    painter.paint_area(wood_look.ground_texture, ground, 3.5, 1.3, key)
    row = _edge_row(painter, wood_look, ground, key)
    inner = shapely.buffer(ground, -_SPRITE_WIDTHS[wood_look.tree_kinds[0]] * 0.38 * wood_look.size * k)
    stream = painter.stream(f"{key}/trees")
    inner_trees = _place_trees(
        painter, poisson_points(inner, wood_look.spacing * k, stream), wood_look.tree_kinds, (0.78, 1.12), key
    )
    puts = [put._replace(size=put.size * wood_look.size) for put in inner_trees] + row
    draws = stream.draw_array(len(puts)).tolist()
    order = sorted(range(len(puts)), key=lambda number: puts[number].size + draws[number] * 0.15)
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
                tree_kind = wood_look.tree_kinds[stream.draw_index(len(wood_look.tree_kinds))]
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
        climate_look.meadow if wood_look.ground_texture == _MEADOW else wood_look.ground_texture,
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
    share = np.clip(0.62 + 0.30 * raster.at(grove, points), 0.22, 0.95)
    puts = painter.choose_sprites(points, wood_look.tree_kinds[0], (0.62, 1.0), stream, share=share)
    puts.sort(key=lambda put: put.size)
    painter.paint_shadows(puts, _SPRITE_WIDTHS[wood_look.tree_kinds[0]] * 0.46, 0.68, 0.62)
    painter.paint_sprites(puts)
