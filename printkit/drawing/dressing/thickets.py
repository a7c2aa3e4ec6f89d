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
from printkit.core import elementary
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.dressing.country import OpenCountry, growth
from printkit.drawing.dressing.drifts import bush_room
from printkit.drawing.dressing.open_ground import OpenGround
from printkit.terrain.geometry.outlines import blob

# Diameter of the largest empty circle that may remain, as a share of the board's depth.
_BARE: Final = 0.24

_STEP: Final = 10.0
_ROUGHLY: Final = 1.5

# Narrower courses, in mm, do not make the ground next to them look less empty.
_BROAD: Final = 7.0

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
SEEN: Final = 1

_BUSHES: Final = (3, 3)
_SPREAD: Final = (2.8, 5.0)
_RADII: Final = (1.6, 2.8)


class Thickets(Struct, frozen=True, eq=False):
    """Bands of rough grass, the widest first, and bushes as x, y and radius, n x 3."""

    grass: tuple[BaseGeometry, ...] = ()
    bushes: NDArray[np.float64] = np.zeros((0, 3))


def thickets(
    ground: OpenGround, country: OpenCountry, lanes: tuple[LineString, ...], worked: BaseGeometry, stream: Stream
) -> Thickets:
    """Return the thickets of a board; none if the board is only lightly dressed.

    Args:
        ground: the board.
        country: settings of its dressing.
        lanes: lanes, which stay clear.
        worked: area of tilled parcels. Old furlongs count as empty ground and get thickets.
        stream: random numbers.
    """
    if not country.overgrown:
        return Thickets()
    grown = growth(ground.field, country)
    bands: list[list[BaseGeometry]] = [[] for _ in _BANDS]
    found: list[tuple[float, float, float]] = []
    room = bush_room(ground, lanes, worked)
    shapely.prepare(room)
    for x, y, bearing in _barest(ground, worked, room, grown, stream):
        long = stream.between(*_LONG) * grown
        patch = blob(long, long * stream.between(*_NARROWER), stream, roughness=_ROUGHNESS)
        for shapes, share in zip(bands, _BANDS, strict=True):
            shapes.append(_laid(patch, x, y, bearing, share))
        for number in range(_BUSHES[0] + stream.draw_index(_BUSHES[1])):
            turn, off = stream.between(0.0, 2 * np.pi), stream.between(*_SPREAD) * grown if number else 0.0
            found.append((x + off * _cosine(turn), y + off * _sine(turn), stream.between(*_RADII)))
    bushes = np.array(found).reshape(-1, 3)
    soft = shapely.difference(ground.soft, worked)
    return Thickets(
        grass=tuple(shapely.intersection(soft, shapely.union_all(shapes)) for shapes in bands),
        bushes=bushes[shapely.contains_xy(room, bushes[:, 0], bushes[:, 1])],
    )


def _barest(
    ground: OpenGround, worked: BaseGeometry, room: BaseGeometry, grown: float, stream: Stream
) -> Iterator[tuple[float, float, float]]:
    """Yield x, y and bearing of thickets, each near the middle of the largest empty circle that remains."""
    left, low, right, high = ground.whole.bounds
    step = _STEP * grown
    nodes = np.stack(np.meshgrid(np.arange(left, right, step), np.arange(low, high, step)), axis=-1).reshape(-1, 2)
    seen = np.array(polygons(shapely.simplify(shapely.union(ground.grounds(_BROAD), worked), _ROUGHLY)))
    edge = np.min([nodes[:, 0] - left, right - nodes[:, 0], nodes[:, 1] - low, high - nodes[:, 1]], axis=0)
    if len(seen):
        points = shapely.points(nodes)
        nearest = shapely.STRtree(seen).nearest(points)
        edge = np.minimum(edge, shapely.distance(seen[nearest], points))
    bare = edge
    free = shapely.contains_xy(room, nodes[:, 0], nodes[:, 1])
    least = _BARE * (high - low) / 2
    for _ in range(_MOST):
        at = int(np.argmax(bare))
        radius = float(bare[at])
        if radius <= least:
            return
        turn, off = stream.between(0.0, 2 * np.pi), stream.between(0.0, _STRAY) * radius
        wanted = nodes[at] + off * np.array([_cosine(turn), _sine(turn)])
        away = np.where(free, np.hypot(*(nodes - wanted).T), np.inf)
        place = int(np.argmin(away))
        if away[place] > _FAR * radius:
            # No place near the middle allows a thicket, so leave this circle empty.
            bare = np.minimum(bare, np.hypot(*(nodes - nodes[at]).T) + least / 2)
            continue
        bare = np.minimum(bare, np.maximum(np.hypot(*(nodes - nodes[place]).T) - _LONG[0] * grown / 3, 0.0))
        yield float(nodes[place, 0]), float(nodes[place, 1]), turn


def _laid(patch: BaseGeometry, x: float, y: float, bearing: float, share: float) -> BaseGeometry:
    cosine, sine = share * _cosine(bearing), share * _sine(bearing)
    return shapely.transform(
        patch,
        lambda points: np.column_stack(
            [x + points[:, 0] * cosine - points[:, 1] * sine, y + points[:, 0] * sine + points[:, 1] * cosine]
        ),
    )


def _cosine(turn: float) -> float:
    return float(elementary.cos(turn))


def _sine(turn: float) -> float:
    return float(elementary.sin(turn))
