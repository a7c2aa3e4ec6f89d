"""Bushes, meadow, sward and commons from noise, in mm of the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.shapes import resampled, ribbon
from printkit.drawing.dressing.countryside_types import OpenCountry, dressing_scale
from printkit.drawing.dressing.lanes import WIDTH
from printkit.drawing.dressing.open_ground import OpenGround
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.relief.relief_field import Regions, ReliefGrid
from printkit.terrain.geometry.roughness import Noise

_CLEAR: Final = 7.0
_CLEAR_OF_WAYS: Final = 5.0
_FROM_EDGE: Final = 4.0
_FROM_LANE: Final = 2.2
_FROM_PARCEL: Final = 2.5
_WAVES: Final = ((1.0, 120.0), (0.5, 46.0))
_GROUP: Final = 5
_SPREAD: Final = 5.2
_RADII: Final = (1.15, 2.1)
_LARGE: Final = 0.16

# Largest radius of a bush: larger ones look like the trees of a wood.
_LARGEST: Final = 2.8

# Width in mm of the bands of meadow from the bank, the outermost first.
_MEADOWS: Final = (30.0, 21.0, 13.0)

_SWELL: Final = 0.42
_SWELL_WAVE: Final = 130.0
_STEP: Final = 9.0
_SWARD_WAVES: Final = ((1.0, 140.0), (0.45, 40.0))
_SWARD_LEVELS: Final = (-0.10, -0.02, 0.06, 0.14, 0.22)
_SWARD_CELL: Final = 6.0

# Noise levels of the bands of grass, relative to the level from which grass is visible. Each band is pale: light grass
# is visible from the third band, rough grass from the second.
_SWARD_STEPS: Final = (-0.16, -0.08, 0.0, 0.08, 0.18)
_COMMONS_STEPS: Final = (-0.12, 0.0, 0.14)

# Share of a tilled board that shows more than open ground, if there is space.
_VISIBLE_SHARE: Final = 0.40

# Index of the widest band of meadow that is visible.
_VISIBLE_MEADOW: Final = 1


def bushes(
    ground: OpenGround, cover: OpenCountry, area: BaseGeometry, noise: Noise, stream: Stream
) -> NDArray[np.float64]:
    """Return the bushes in an area: x and y in mm of the board and radius in mm at 1:1, n x 3.

    They grow in groups of one to five, where ``noise`` is above the level of the settings. The area is in mm of the
    board. An empty area gives an empty array.
    """
    scale = dressing_scale(ground.field, cover)
    places = poisson_points(area, cover.bush_spacing * scale, stream)
    if not len(places):
        return np.zeros((0, 3))
    drift = sum(
        (share * noise.at(places[:, 0], places[:, 1], wave * scale) for share, wave in _WAVES), np.zeros(len(places))
    )
    plants: list[tuple[float, float, float]] = []
    for (x, y), value in zip(places.tolist(), drift.tolist(), strict=True):
        if value <= cover.bush_level:
            continue
        for number in range(1 + stream.draw_index(_GROUP)):
            turn, offset = stream.between(0.0, 2 * np.pi), stream.between(2.6, _SPREAD) * scale if number else 0.0
            radius = stream.between(*_RADII) if stream.draw_unit() > _LARGE else stream.between(_RADII[1], _LARGEST)
            plants.append(
                (
                    x + offset * float(exact_math.cos(turn)),
                    y + offset * float(exact_math.sin(turn)),
                    min(radius, _LARGEST),
                )
            )
    plant_array = np.array(plants).reshape(-1, 3)
    shapely.prepare(area)
    return np.asarray(plant_array[shapely.contains_xy(area, plant_array[:, 0], plant_array[:, 1])])


def find_bush_area(ground: OpenGround, lanes: tuple[LineString, ...], parcel_area: BaseGeometry) -> BaseGeometry:
    """Return the area for bushes, in mm of the board.

    It is away from the board edge, features, roads, lanes (centre lines) and parcels (``parcel_area``, in mm of the
    board).
    """
    inner_area = ground.board_area.buffer(-_FROM_EDGE, join_style="mitre")
    obstacles = [ground.solid.buffer(_CLEAR, quad_segs=4), ground.road_area.buffer(_CLEAR_OF_WAYS, quad_segs=4)]
    obstacles += [lane.buffer(WIDTH / 2 + _FROM_LANE, quad_segs=4) for lane in lanes]
    if not parcel_area.is_empty:
        obstacles.append(parcel_area.buffer(_FROM_PARCEL, quad_segs=2))
    return shapely.difference(inner_area, shapely.union_all(obstacles))


def meadow(ground: OpenGround, cover: OpenCountry, noise: Noise) -> tuple[BaseGeometry, ...]:
    """Return the bands of meadow along rivers, streams and lakes, in mm of the board, the widest first.

    Without water there are none. There is one band for each reach in ``_MEADOWS``, varied by ``noise``.
    """
    if not (ground.rivers or ground.lakes):
        return ()
    scale = dressing_scale(ground.field, cover)
    wash_area = ground.wash_area
    bands_by_reach = []
    for reach in _MEADOWS:
        bands: list[BaseGeometry] = [
            ribbon(points, course.width + 2 * scale * _vary_reach(points, reach, noise, scale))
            for course in ground.rivers
            if len(points := resampled(course.line, _STEP)) > 1
        ]
        for area in ground.lakes:
            points = resampled(area.outline.exterior, _STEP)
            bands.append(ribbon(points, scale * _vary_reach(points, reach, noise, scale)))
        bands_by_reach.append(shapely.intersection(wash_area, shapely.union_all(shapely.make_valid(bands))))
    return tuple(bands_by_reach)


def sward(
    ground: OpenGround, cover: OpenCountry, noise: Noise, meadow: tuple[BaseGeometry, ...]
) -> tuple[BaseGeometry, ...]:
    """Return patches of grass in mm of the board, the widest first.

    There are none if the settings have no grass, or if features and meadow cover the share
    of the board that the settings ask for.
    """
    if not cover.sward:
        return ()
    wash_area = ground.wash_area
    if cover.grassy is None:
        return _GrowthNoise(ground, cover, noise, _SWARD_WAVES).areas_above(_SWARD_LEVELS, wash_area)
    visible_bands = meadow[_VISIBLE_MEADOW : _VISIBLE_MEADOW + 1]
    missing_area = cover.grassy * ground.board_area.area - _visible_area(ground, visible_bands)
    return _GrowthNoise(ground, cover, noise, _SWARD_WAVES).areas_of_size(
        missing_area, wash_area, visible_bands, _SWARD_STEPS
    )


def commons(
    ground: OpenGround,
    cover: OpenCountry,
    noise: Noise,
    thickets: tuple[BaseGeometry, ...],
    tilled_area: BaseGeometry,
    visible_areas: Sequence[BaseGeometry],
) -> tuple[BaseGeometry, ...]:
    """Return the rough grass of thickets and commons in mm of the board, the widest first.

    Land with tilled parcels gets commons between them, until 0.4 of the board shows more than open ground.

    Args:
        ground: the board.
        cover: settings of its dressing.
        noise: commons are in the same places as most bushes.
        thickets: bands of grass in thickets.
        tilled_area: area of tilled parcels.
        visible_areas: visible areas of the dressing.
    """
    missing_area = _VISIBLE_SHARE * ground.board_area.area - _visible_area(ground, visible_areas)
    if cover.sward or cover.sign != "parcels" or missing_area <= 0.0:
        return thickets
    free_area = shapely.difference(ground.wash_area, tilled_area)
    common_bands = _GrowthNoise(ground, cover, noise, _WAVES).areas_of_size(
        missing_area, free_area, visible_areas, _COMMONS_STEPS
    )
    if not thickets or not common_bands:
        return common_bands or thickets
    return tuple(shapely.union(thicket, common) for thicket, common in zip(thickets, common_bands, strict=True))


def _visible_area(ground: OpenGround, areas: Sequence[BaseGeometry]) -> float:
    """Return the total area in mm2 of the features of a board and of other areas, all in mm of the board."""
    features = shapely.intersection(ground.board_area, shapely.union(ground.solid, ground.road_area))
    return float(features.area + sum(area.area for area in areas))


class _GrowthNoise:
    """A field of noise over a board; plants grow where it is high."""

    def __init__(
        self, ground: OpenGround, cover: OpenCountry, noise: Noise, waves: Sequence[tuple[float, float]]
    ) -> None:
        self.ground, self.noise, self.waves = ground, noise, waves
        self.grown = dressing_scale(ground.field, cover)

    @cached_property
    def _grid(self) -> tuple[ReliefGrid, NDArray[np.float64]]:
        """Return a grid over the board, in mm of the board, and the value of the noise at each node."""
        grid = ReliefGrid.covering(self.ground.board_area, 0.0, _SWARD_CELL * self.grown)
        x, y = grid.nodes()
        thick = np.zeros_like(x)
        for share, wave in self.waves:
            thick = thick + share * self.noise.at(x, y, wave * self.grown)
        return grid, thick

    def areas_above(self, levels: Sequence[float], limits: BaseGeometry) -> tuple[BaseGeometry, ...]:
        """Return the areas where the noise is above each of some levels, one for each level, cut to ``limits``.

        Areas are in mm of the board; levels are values of the noise, without a unit. An area may be empty.
        """
        regions = Regions.from_field(*self._grid)
        return tuple(shapely.intersection(regions.area_above(level), limits) for level in levels)

    def areas_of_size(
        self, area: float, limits: BaseGeometry, grassy_areas: Sequence[BaseGeometry], level_steps: Sequence[float]
    ) -> tuple[BaseGeometry, ...]:
        """Return areas above levels near the one that gives ``area`` mm2 of ground outside ``grassy_areas``.

        ``level_steps`` has the differences from that level, without a unit. All areas are in mm of the board and cut to
        ``limits``. The result is empty if no area is needed or free.
        """
        if area <= 0.0:
            return ()
        free = shapely.difference(limits, shapely.union_all(list(grassy_areas))) if grassy_areas else limits
        shapely.prepare(free)
        grid, thick = self._grid
        heights = np.sort(thick[shapely.contains_xy(free, *grid.nodes())])
        if not len(heights):
            return ()
        level = float(heights[-min(len(heights), 1 + int(len(heights) * area / free.area))])
        return self.areas_above([level + step for step in level_steps], limits)


def _vary_reach(points: NDArray[np.float64], reach: float, noise: Noise, scale: float) -> NDArray[np.float64]:
    """Return the width of a band at each point, in mm of the board: ``reach`` varied by noise.

    Points (n x 2) and ``reach`` are in mm of the board; ``scale`` is that of the dressing, 1 on a 24-inch board.
    """
    swell = noise.at(points[:, 0], points[:, 1], _SWELL_WAVE * scale)
    return np.asarray(reach * np.maximum(0.25, 1.0 + _SWELL * swell))
