"""Hedges along some sides of parcels, and trees in some of their corners, in mm of the board."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.shapes import Line
from printkit.drawing.dressing.countryside_types import OpenCountry
from printkit.drawing.dressing.parcels import Parcel
from printkit.terrain.geometry.measure import interpolate_points
from printkit.terrain.geometry.roughness import Noise

_RADII: Final = (0.75, 1.25)
_SPACING: Final = (1.5, 2.6)
_BROKEN: Final = (34.0, -0.2)
_TREES: Final = 0.26
_TREE_RADII: Final = (2.0, 2.8)
_CORNER: Final = 3.0

# Shorter sides, in mm, are cut corners and have no hedge.
_LEAST_SIDE: Final = 9.0

# Factor of the share of hedged sides: with too many hedges parcels look like walled gardens.
_HEDGE_FACTOR: Final = 0.6

_TOO_NEAR: Final = 1.1


def hedges(parcels: Sequence[Parcel], cover: OpenCountry, noise: Noise, stream: Stream) -> NDArray[np.float64]:
    """Return the bushes of hedges and field trees, n x 3.

    Each is x and y in mm of the board, and radius in mm at 1:1. The array is empty without hedges. ``stream`` decides
    which sides have a hedge; ``noise`` makes gaps in it. A side next to an earlier hedge does not get another.
    """
    bushes: list[tuple[float, float, float]] = []
    hedge_share = 0.0 if cover.tillage is None else cover.tillage.hedge_share * _HEDGE_FACTOR
    hedge_lines: list[BaseGeometry] = []
    for parcel in parcels:
        sides = _find_sides(parcel)
        for side in sides:
            if stream.draw_unit() >= hedge_share:
                continue
            line = shapely.LineString(side)
            middle = line.interpolate(0.5, normalized=True)
            if any(neighbour.distance(middle) < 3 * _TOO_NEAR for neighbour in hedge_lines):
                continue
            hedge_lines.append(line)
            bushes += _plant_hedge(line, noise, stream)
        if hedge_share and stream.draw_unit() < _TREES and sides:
            x, y = sides[stream.draw_index(len(sides))][0].tolist()
            bushes.append((x, y, stream.between(*_TREE_RADII)))
    return np.array(bushes).reshape(-1, 3)


def _plant_hedge(line: shapely.LineString, noise: Noise, stream: Stream) -> list[tuple[float, float, float]]:
    """Return the bushes of one hedge along a line in mm of the board, with gaps where the noise is low.

    Each bush is x and y in mm of the board, and radius in mm at 1:1.
    """
    distances, distance = [], stream.between(0.5, 2.0)
    while distance < line.length:
        distances.append(distance)
        distance += stream.between(*_SPACING)
    places = interpolate_points(line, np.array(distances))
    grows = noise.at(places[:, 0], places[:, 1], _BROKEN[0]) >= _BROKEN[1]
    return [
        (x + stream.between(-0.3, 0.3), y + stream.between(-0.3, 0.3), stream.between(*_RADII))
        for (x, y), is_grown in zip(places.tolist(), grows.tolist(), strict=True)
        if is_grown
    ]


def _find_sides(parcel: Parcel) -> list[Line]:
    """Return the sides of a parcel from corner to corner, as points in mm of the board, n x 2 for each side.

    Sides include their bends. Cut corners and other sides of at most 9 mm are left out.
    """
    ring = shapely.get_coordinates(parcel.ground.exterior)
    corners = shapely.get_coordinates(shapely.simplify(parcel.ground.exterior, _CORNER))
    indexes = [int(np.argmin(np.hypot(*(ring[:-1] - corner).T))) for corner in corners[:-1]] + [len(ring) - 1]
    pairs = ((first, last) for first, last in pairwise(indexes) if last > first)
    return [
        ring[first : last + 1] for first, last in pairs if float(np.hypot(*(ring[last] - ring[first]))) > _LEAST_SIDE
    ]
