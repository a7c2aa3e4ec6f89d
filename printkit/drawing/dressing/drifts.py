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
from printkit.core import elementary
from printkit.drawing.canvas.shapes import resampled, ribbon
from printkit.drawing.dressing.country import OpenCountry, growth
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
_SWARD_ABOUT: Final = (-0.16, -0.08, 0.0, 0.08, 0.18)
_COMMONS_ABOUT: Final = (-0.12, 0.0, 0.14)

# Share of a tilled board that shows more than open ground, if there is space.
_SEEN: Final = 0.40

# Index of the widest band of meadow that is visible.
_SEEN_MEADOW: Final = 1


def bushes(
    ground: OpenGround, country: OpenCountry, room: BaseGeometry, noise: Noise, stream: Stream
) -> NDArray[np.float64]:
    """Return the bushes in the area ``room`` as x, y and radius, n x 3."""
    grown = growth(ground.field, country)
    places = poisson_points(room, country.bushes * grown, stream)
    if not len(places):
        return np.zeros((0, 3))
    drift = sum(
        (share * noise.at(places[:, 0], places[:, 1], wave * grown) for share, wave in _WAVES), np.zeros(len(places))
    )
    found: list[tuple[float, float, float]] = []
    for (x, y), value in zip(places.tolist(), drift.tolist(), strict=True):
        if value <= country.grown:
            continue
        for number in range(1 + stream.draw_index(_GROUP)):
            turn, off = stream.between(0.0, 2 * np.pi), stream.between(2.6, _SPREAD) * grown if number else 0.0
            radius = stream.between(*_RADII) if stream.draw_unit() > _LARGE else stream.between(_RADII[1], _LARGEST)
            found.append(
                (x + off * float(elementary.cos(turn)), y + off * float(elementary.sin(turn)), min(radius, _LARGEST))
            )
    made = np.array(found).reshape(-1, 3)
    shapely.prepare(room)
    return np.asarray(made[shapely.contains_xy(room, made[:, 0], made[:, 1])])


def bush_room(ground: OpenGround, lanes: tuple[LineString, ...], tilled: BaseGeometry) -> BaseGeometry:
    """Return the area for bushes, away from features, roads, lanes and tilled ground."""
    whole = ground.whole.buffer(-_FROM_EDGE, join_style="mitre")
    taken = [ground.solid.buffer(_CLEAR, quad_segs=4), ground.roads.buffer(_CLEAR_OF_WAYS, quad_segs=4)]
    taken += [lane.buffer(WIDTH / 2 + _FROM_LANE, quad_segs=4) for lane in lanes]
    if not tilled.is_empty:
        taken.append(tilled.buffer(_FROM_PARCEL, quad_segs=2))
    return shapely.difference(whole, shapely.union_all(taken))


def meadow(ground: OpenGround, country: OpenCountry, noise: Noise) -> tuple[BaseGeometry, ...]:
    """Return the bands of meadow along rivers, streams and lakes, the widest first."""
    if not (ground.running or ground.still):
        return ()
    grown = growth(ground.field, country)
    soft = ground.soft
    found = []
    for reach in _MEADOWS:
        bands: list[BaseGeometry] = [
            ribbon(points, course.width + 2 * grown * _swollen(points, reach, noise, grown))
            for course in ground.running
            if len(points := resampled(course.line, _STEP)) > 1
        ]
        for area in ground.still:
            points = resampled(area.outline.exterior, _STEP)
            bands.append(ribbon(points, grown * _swollen(points, reach, noise, grown)))
        found.append(shapely.intersection(soft, shapely.union_all(shapely.make_valid(bands))))
    return tuple(found)


def sward(
    ground: OpenGround, country: OpenCountry, noise: Noise, meadow: tuple[BaseGeometry, ...]
) -> tuple[BaseGeometry, ...]:
    """Return patches of grass, the widest first; none if there are parcels or enough grass."""
    if not country.sward:
        return ()
    soft = ground.soft
    if country.grassy is None:
        return _Drift(ground, country, noise, _SWARD_WAVES).above(_SWARD_LEVELS, soft)
    taken = meadow[_SEEN_MEADOW : _SEEN_MEADOW + 1]
    lacking = country.grassy * ground.whole.area - _shown(ground, taken)
    return _Drift(ground, country, noise, _SWARD_WAVES).over(lacking, soft, taken, _SWARD_ABOUT)


def commons(
    ground: OpenGround,
    country: OpenCountry,
    noise: Noise,
    thickets: tuple[BaseGeometry, ...],
    worked: BaseGeometry,
    shown: Sequence[BaseGeometry],
) -> tuple[BaseGeometry, ...]:
    """Return the rough grass of thickets and commons on a fully dressed board, the widest first.

    Land with tilled parcels gets commons between them, until enough of the board shows more than open ground.

    Args:
        ground: the board.
        country: settings of its dressing.
        noise: commons are in the same places as most bushes.
        thickets: bands of grass in thickets.
        worked: area of tilled parcels.
        shown: visible areas of the dressing.
    """
    lacking = _SEEN * ground.whole.area - _shown(ground, shown)
    if country.sward or country.sign != "parcels" or lacking <= 0.0:
        return thickets
    within = shapely.difference(ground.soft, worked)
    found = _Drift(ground, country, noise, _WAVES).over(lacking, within, shown, _COMMONS_ABOUT)
    if not thickets or not found:
        return found or thickets
    return tuple(shapely.union(one, other) for one, other in zip(thickets, found, strict=True))


def _shown(ground: OpenGround, besides: Sequence[BaseGeometry]) -> float:
    """Return the area in mm2 of the features of a board and of the areas in ``besides``."""
    features = shapely.intersection(ground.whole, shapely.union(ground.solid, ground.roads))
    return float(features.area + sum(each.area for each in besides))


class _Drift:
    """A field of noise over a board; plants grow where it is high."""

    def __init__(
        self, ground: OpenGround, country: OpenCountry, noise: Noise, waves: Sequence[tuple[float, float]]
    ) -> None:
        self.ground, self.noise, self.waves = ground, noise, waves
        self.grown = growth(ground.field, country)

    @cached_property
    def _grid(self) -> tuple[ReliefGrid, NDArray[np.float64]]:
        grid = ReliefGrid.over(self.ground.whole, 0.0, _SWARD_CELL * self.grown)
        x, y = grid.nodes()
        thick = np.zeros_like(x)
        for share, wave in self.waves:
            thick = thick + share * self.noise.at(x, y, wave * self.grown)
        return grid, thick

    def above(self, levels: Sequence[float], within: BaseGeometry) -> tuple[BaseGeometry, ...]:
        """Return the areas above each of some levels, cut to ``within``."""
        regions = Regions.of(*self._grid)
        return tuple(shapely.intersection(regions.above(level), within) for level in levels)

    def over(
        self, area: float, within: BaseGeometry, taken: Sequence[BaseGeometry], about: Sequence[float]
    ) -> tuple[BaseGeometry, ...]:
        """Return areas above levels near the one that gives ``area`` mm2 of ground outside ``taken``.

        ``about`` has the differences from that level. The result is empty if no area is needed or free.
        """
        if area <= 0.0:
            return ()
        free = shapely.difference(within, shapely.union_all(list(taken))) if taken else within
        shapely.prepare(free)
        grid, thick = self._grid
        heights = np.sort(thick[shapely.contains_xy(free, *grid.nodes())])
        if not len(heights):
            return ()
        level = float(heights[-min(len(heights), 1 + int(len(heights) * area / free.area))])
        return self.above([level + step for step in about], within)


def _swollen(points: NDArray[np.float64], reach: float, noise: Noise, grown: float) -> NDArray[np.float64]:
    """Return the width of a band at each point, varied by noise, in mm."""
    swell = noise.at(points[:, 0], points[:, 1], _SWELL_WAVE * grown)
    return np.asarray(reach * np.maximum(0.25, 1.0 + _SWELL * swell))
