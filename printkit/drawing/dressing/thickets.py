"""Thickets in the widest open ground of a board, in mm of the board: rough grass with a few bushes.

Thickets are added one by one, near the middle of the largest empty circle, until no empty circle is wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.dressing.countryside_types import OpenCountry, dressing_scale
from printkit.drawing.dressing.drifts import find_bush_area
from printkit.drawing.dressing.open_ground import OpenGround
from printkit.terrain.geometry.outlines import blob

# Diameter of the largest empty circle that may remain, as a share of the board's depth.
_EMPTY_CIRCLE: Final = 0.24

_STEP: Final = 10.0
_ROUGHLY: Final = 1.5

# Narrower courses, in mm, do not make the ground next to them look less empty.
_LEAST_WIDTH: Final = 7.0

_MOST: Final = 24

# Distance of a thicket from the middle of its circle, in radii: the random offset, and the maximum.
_STRAY: Final = 0.30
_FAR: Final = 0.62

_LONG: Final = (26.0, 46.0)
_NARROWER: Final = (0.55, 0.85)
_ROUGHNESS: Final = 0.26

# Scale of each band of grass, the outermost first.
_BANDS: Final = (1.0, 0.84, 0.66)

# Index of the widest band that is visible.
VISIBLE_BAND: Final = 1

_BUSHES: Final = (3, 3)
_SPREAD: Final = (2.8, 5.0)
_RADII: Final = (1.6, 2.8)


class Thickets(Struct, frozen=True, eq=False):
    """Bands of rough grass, the widest first, and bushes as x, y and radius, n x 3.

    Areas, x and y are in mm of the board; the radius is in mm at 1:1.
    """

    grass: tuple[BaseGeometry, ...] = ()
    bushes: NDArray[np.float64] = np.zeros((0, 3))


def thickets(
    ground: OpenGround, cover: OpenCountry, lanes: tuple[LineString, ...], tilled_area: BaseGeometry, stream: Stream
) -> Thickets:
    """Return the thickets of a board, in mm of the board; none if the board is only lightly dressed.

    Args:
        ground: the board.
        cover: settings of its dressing.
        lanes: centre lines of lanes, which stay clear.
        tilled_area: area of tilled parcels. Old furlongs count as empty ground and get thickets.
        stream: random numbers.
    """
    if not cover.overgrown:
        return Thickets()
    scale = dressing_scale(ground.field, cover)
    bands: list[list[BaseGeometry]] = [[] for _ in _BANDS]
    plants: list[tuple[float, float, float]] = []
    area = find_bush_area(ground, lanes, tilled_area)
    shapely.prepare(area)
    for x, y, bearing in _find_empty_places(ground, tilled_area, area, scale, stream):
        length = stream.between(*_LONG) * scale
        patch = blob(length, length * stream.between(*_NARROWER), stream, roughness=_ROUGHNESS)
        for shapes, share in zip(bands, _BANDS, strict=True):
            shapes.append(_place_patch(patch, x, y, bearing, share))
        for number in range(_BUSHES[0] + stream.draw_index(_BUSHES[1])):
            turn, offset = stream.between(0.0, 2 * np.pi), stream.between(*_SPREAD) * scale if number else 0.0
            plants.append((x + offset * _cosine(turn), y + offset * _sine(turn), stream.between(*_RADII)))
    bushes = np.array(plants).reshape(-1, 3)
    wash_area = shapely.difference(ground.wash_area, tilled_area)
    return Thickets(
        grass=tuple(shapely.intersection(wash_area, shapely.union_all(shapes)) for shapes in bands),
        bushes=bushes[shapely.contains_xy(area, bushes[:, 0], bushes[:, 1])],
    )


def _find_empty_places(
    ground: OpenGround, tilled_area: BaseGeometry, area: BaseGeometry, scale: float, stream: Stream
) -> Iterator[tuple[float, float, float]]:
    """Yield x and y in mm of the board, and bearing in radians, of places for thickets.

    There may be none. Each is near the middle of the largest empty circle that remains.

    Args:
        ground: the board.
        tilled_area: area of tilled parcels in mm of the board; it does not count as empty.
        area: area in mm of the board where thickets may be.
        scale: scale of the dressing, 1 on a 24-inch board.
        stream: random numbers.
    """
    left, low, right, high = ground.board_area.bounds
    step = _STEP * scale
    nodes = np.stack(np.meshgrid(np.arange(left, right, step), np.arange(low, high, step)), axis=-1).reshape(-1, 2)
    visible_shapes = np.array(
        polygons(shapely.simplify(shapely.union(ground.dark_area(_LEAST_WIDTH), tilled_area), _ROUGHLY))
    )
    clearance = np.min([nodes[:, 0] - left, right - nodes[:, 0], nodes[:, 1] - low, high - nodes[:, 1]], axis=0)
    if len(visible_shapes):
        points = shapely.points(nodes)
        nearest = shapely.STRtree(visible_shapes).nearest(points)
        clearance = np.minimum(clearance, shapely.distance(visible_shapes[nearest], points))
    open_radius = clearance
    free = shapely.contains_xy(area, nodes[:, 0], nodes[:, 1])
    least_radius = _EMPTY_CIRCLE * (high - low) / 2
    for _ in range(_MOST):
        index = int(np.argmax(open_radius))
        radius = float(open_radius[index])
        if radius <= least_radius:
            return
        turn, offset = stream.between(0.0, 2 * np.pi), stream.between(0.0, _STRAY) * radius
        target = nodes[index] + offset * np.array([_cosine(turn), _sine(turn)])
        distances = np.where(free, np.hypot(*(nodes - target).T), np.inf)
        place = int(np.argmin(distances))
        if distances[place] > _FAR * radius:
            # No place near the middle allows a thicket, so leave this circle empty.
            open_radius = np.minimum(open_radius, np.hypot(*(nodes - nodes[index]).T) + least_radius / 2)
            continue
        open_radius = np.minimum(
            open_radius, np.maximum(np.hypot(*(nodes - nodes[place]).T) - _LONG[0] * scale / 3, 0.0)
        )
        yield float(nodes[place, 0]), float(nodes[place, 1]), turn


def _place_patch(patch: BaseGeometry, x: float, y: float, bearing: float, share: float) -> BaseGeometry:
    """Return a patch drawn about the origin, scaled by ``share``, rotated and moved to x and y.

    All lengths are in mm of the board. ``bearing`` is in radians, anticlockwise.
    """
    cosine, sine = share * _cosine(bearing), share * _sine(bearing)
    return shapely.transform(
        patch,
        lambda points: np.column_stack(
            [x + points[:, 0] * cosine - points[:, 1] * sine, y + points[:, 0] * sine + points[:, 1] * cosine]
        ),
    )


def _cosine(turn: float) -> float:
    """Return the cosine of an angle in radians, the same on every machine."""
    return float(exact_math.cos(turn))


def _sine(turn: float) -> float:
    """Return the sine of an angle in radians, the same on every machine."""
    return float(exact_math.sin(turn))
