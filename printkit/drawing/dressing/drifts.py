"""Bushes and meadow: groups of bushes where the drift is high, soft bands of meadow along water, in mm of the board."""

from __future__ import annotations

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
from printkit.drawing.scatter.scatter import planted
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
_LARGEST: Final = 2.8
"""No bush is larger, or it would be taken for a tree of a wood."""

_MEADOWS: Final = (30.0, 21.0, 13.0)
"""Reach in mm of the bands of meadow from the bank, the outermost first."""

_SWELL: Final = 0.42
_SWELL_WAVE: Final = 130.0
_STEP: Final = 9.0
_SWARD_WAVES: Final = ((1.0, 140.0), (0.45, 40.0))
_SWARD_LEVELS: Final = (-0.10, -0.02, 0.06, 0.14, 0.22)
_SWARD_CELL: Final = 6.0
_SOFT: Final = 1.6
"""What has no outline may come so near to what counts."""


def bushes(
    ground: OpenGround, country: OpenCountry, room: BaseGeometry, noise: Noise, stream: Stream
) -> NDArray[np.float64]:
    """Return the bushes in the ``room`` that there is for them as x, y and radius, n x 3."""
    grown = growth(ground.field, country)
    places = planted(room, country.bushes * grown, stream)
    if not len(places):
        return np.zeros((0, 3))
    drift = sum(
        (share * noise.at(places[:, 0], places[:, 1], wave * grown) for share, wave in _WAVES), np.zeros(len(places))
    )
    found: list[tuple[float, float, float]] = []
    for (x, y), value in zip(places.tolist(), drift.tolist(), strict=True):
        if value <= country.grown:
            continue
        for number in range(1 + stream.below(_GROUP)):
            turn, off = stream.between(0.0, 2 * np.pi), stream.between(2.6, _SPREAD) * grown if number else 0.0
            radius = stream.between(*_RADII) if stream.unit() > _LARGE else stream.between(_RADII[1], _LARGEST)
            found.append(
                (x + off * float(elementary.cos(turn)), y + off * float(elementary.sin(turn)), min(radius, _LARGEST))
            )
    made = np.array(found).reshape(-1, 3)
    shapely.prepare(room)
    return np.asarray(made[shapely.contains_xy(room, made[:, 0], made[:, 1])])


def bush_room(ground: OpenGround, lanes: tuple[LineString, ...], tilled: BaseGeometry) -> BaseGeometry:
    """Return where bushes may stand: off what counts, off ways, lanes and tilled ground."""
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
    soft = soft_ground(ground)
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


def sward(ground: OpenGround, country: OpenCountry, noise: Noise) -> tuple[BaseGeometry, ...]:
    """Return patches of grass, the widest first; none where the land is parcelled out."""
    if not country.sward:
        return ()
    grown = growth(ground.field, country)
    grid = ReliefGrid.over(ground.whole, 0.0, _SWARD_CELL * grown)
    x, y = grid.nodes()
    thick = np.zeros_like(x)
    for share, wave in _SWARD_WAVES:
        thick = thick + share * noise.at(x, y, wave * grown)
    regions = Regions.of(grid, thick)
    soft = soft_ground(ground)
    return tuple(shapely.intersection(regions.above(level), soft) for level in _SWARD_LEVELS)


def soft_ground(ground: OpenGround) -> BaseGeometry:
    """Return the ground on which washes without an outline may lie."""
    taken = shapely.union(ground.covered.buffer(_SOFT, quad_segs=4), ground.roads.buffer(_SOFT, quad_segs=4))
    return shapely.difference(ground.whole, taken)


def _swollen(points: NDArray[np.float64], reach: float, noise: Noise, grown: float) -> NDArray[np.float64]:
    """Return how far a band reaches at points: now wider, now narrower."""
    swell = noise.at(points[:, 0], points[:, 1], _SWELL_WAVE * grown)
    return np.asarray(reach * np.maximum(0.25, 1.0 + _SWELL * swell))
