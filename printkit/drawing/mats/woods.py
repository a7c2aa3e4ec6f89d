"""Paint woods on a mat: closed woods with a solid row of crowns on the outline, light woods as groves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.mats.climates import ClimateLook
from printkit.drawing.mats.frames import beside
from printkit.drawing.mats.painter import EdgeSide, Painter, PlacedSprite
from printkit.drawing.mats.raster import noise
from printkit.drawing.scatter.scatter import poisson_points
from printkit.terrain.field.features import Kind

_WIDE: Final = {"oak": 16.0, "conifer": 12.0, "palm": 15.0}
# The radius of a crown relative to the width of its sprite.
_CROWN: Final = {"oak": 0.405, "conifer": 0.46, "palm": 0.405}

# The ground of light woods; the climate gives its texture.
_MEADOW: Final = "meadow"

# The share of the veil on a closed wood, which stays darker than the ground round it.
_VEILED: Final = 0.75


class Wood(NamedTuple):
    """The look of a wood: kinds of trees, spacing in mm, whether it is closed, ground texture, relative tree size."""

    sorts: tuple[str, ...]
    spacing: float
    is_closed: bool
    floor: str
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


def wood(painter: Painter, kind: Kind, ground: BaseGeometry, country: ClimateLook, key: str) -> None:
    """Paint a wood; ``ground`` excludes clearings, roads and water."""
    if ground.is_empty:
        return
    told, k = WOODS[kind], painter.k
    if not told.is_closed:
        _light(painter, told, ground, country, key)
        return
    painter.rim(translate(ground, 2.2 * k, -2.4 * k), (16, 18, 6), 3.0, 0.50, key, EdgeSide.OUTSIDE)
    painter.area(told.floor, ground, 3.5, 1.3, key)
    row = _row(painter, told, ground, key)
    inner = shapely.buffer(ground, -_WIDE[told.sorts[0]] * 0.38 * told.size * k)
    stream = painter.stream(f"{key}/trees")
    within = _trees(painter, poisson_points(inner, told.spacing * k, stream), told.sorts, (0.78, 1.12), key)
    puts = [put._replace(size=put.size * told.size) for put in within] + row
    draws = stream.draw_array(len(puts)).tolist()
    order = sorted(range(len(puts)), key=lambda number: puts[number].size + draws[number] * 0.15)
    painter.line(shapely.boundary(ground), (22, 26, 10), 0.5, 0.5)
    for number in range(0, len(order), 60):
        some = [puts[place] for place in order[number : number + 60]]
        painter.shadows(some, 6.6, 0.45, 0.28)
        painter.sprites(some, veiled=_VEILED)


def _row(painter: Painter, told: Wood, ground: BaseGeometry, key: str) -> list[PlacedSprite]:
    """Return crowns that touch the outline from inside, close together so that the wood looks closed."""
    k, stream = painter.k, painter.stream(f"{key}/row")
    puts: list[PlacedSprite] = []
    shapely.prepare(ground)
    for part in polygons(ground):
        for ring in (part.exterior, *part.interiors):
            along = 0.0
            while along < ring.length - 2 * k:
                sort = told.sorts[stream.draw_index(len(told.sorts))]
                size = (0.78 + 0.24 * stream.draw_unit()) * told.size
                radius = _WIDE[sort] * _CROWN[sort] * size * 0.92 * k
                for side in (1, -1):
                    x, y = beside(ring, along, side * radius, 0.8 * k)
                    if shapely.contains_xy(ground, x, y):
                        puts.append(PlacedSprite(painter.picked(stream, sort), x, y, size, stream.draw_unit() < 0.5))
                        break
                along += radius * stream.between(1.05, 1.35)
    return puts


def _trees(
    painter: Painter, places: np.ndarray, sorts: Sequence[str], sizes: tuple[float, float], key: str
) -> list[PlacedSprite]:
    """Return trees of several kinds at places."""
    stream = painter.stream(f"{key}/sorts")
    which = (stream.draw_array(len(places)) * len(sorts)).astype(np.int64)
    return [
        put for number, sort in enumerate(sorts) for put in painter.chosen(places[which == number], sort, sizes, stream)
    ]


def trees(
    painter: Painter, ground: BaseGeometry, sorts: Sequence[str], spacing: float, sizes: tuple[float, float], key: str
) -> None:
    """Paint single trees, each with its shadow on the ground."""
    if ground.is_empty:
        return
    places = poisson_points(ground, spacing * painter.k, painter.stream(f"{key}/places"))
    puts = sorted(_trees(painter, places, sorts, sizes, key), key=lambda put: put.size)
    painter.shadows(puts, _WIDE[sorts[0]] * 0.44, 0.66, 0.55)
    painter.sprites(puts)


def _light(painter: Painter, told: Wood, ground: BaseGeometry, country: ClimateLook, key: str) -> None:
    """Paint light woods: groves on a meadow with an irregular edge."""
    k = painter.k
    painter.area(country.meadow if told.floor == _MEADOW else told.floor, ground, 6, 1.7, key, gain=0.6)
    painter.rim(ground, (54, 58, 22), 0.65, 0.58, key)
    raster, _ = painter.depths(ground, 25)
    stream = painter.stream(f"{key}/groves")
    grove = noise("middle", raster, 90 * k, stream)
    bushes = painter.scattered(shapely.buffer(ground, -5 * k), "bush", 11, (0.26, 0.7), key, share=0.55)
    painter.sprites(painter.scattered(ground, country.tuft, 7, (0.5, 1.0), key, share=0.5), overlapping=False)
    painter.shadows(bushes, 2.8, 0.6, 0.45)
    painter.sprites(bushes, overlapping=False)
    places = poisson_points(shapely.buffer(ground, -8 * k), told.spacing * k, stream)
    if not len(places):
        return
    share = np.clip(0.62 + 0.30 * raster.at(grove, places), 0.22, 0.95)
    puts = painter.chosen(places, told.sorts[0], (0.62, 1.0), stream, share=share)
    puts.sort(key=lambda put: put.size)
    painter.shadows(puts, _WIDE[told.sorts[0]] * 0.46, 0.68, 0.62)
    painter.sprites(puts)
