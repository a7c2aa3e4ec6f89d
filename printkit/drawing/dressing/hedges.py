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
from printkit.drawing.dressing.country import OpenCountry
from printkit.drawing.dressing.parcels import Parcel
from printkit.terrain.geometry.measure import stations
from printkit.terrain.geometry.roughness import Noise

_RADII: Final = (0.75, 1.25)
_SPACING: Final = (1.5, 2.6)
_BROKEN: Final = (34.0, -0.2)
_TREES: Final = 0.26
_TREE_RADII: Final = (2.0, 2.8)
_CORNER: Final = 3.0

# Shorter sides, in mm, are cut corners and have no hedge.
_SIDE: Final = 9.0

# Factor of the share of hedged sides: with too many hedges parcels look like walled gardens.
_SHARE: Final = 0.6

_TOO_NEAR: Final = 1.1


def hedges(parcels: Sequence[Parcel], country: OpenCountry, noise: Noise, stream: Stream) -> NDArray[np.float64]:
    """Return the bushes of hedges and field trees as x, y and radius, n x 3."""
    found: list[tuple[float, float, float]] = []
    hedged = 0.0 if country.tillage is None else country.tillage.hedged * _SHARE
    ways: list[BaseGeometry] = []
    for parcel in parcels:
        sides = _sides(parcel)
        for side in sides:
            if stream.draw_unit() >= hedged:
                continue
            line = shapely.LineString(side)
            middle = line.interpolate(0.5, normalized=True)
            if any(other.distance(middle) < 3 * _TOO_NEAR for other in ways):
                continue
            ways.append(line)
            found += _hedge(line, noise, stream)
        if hedged and stream.draw_unit() < _TREES and sides:
            x, y = sides[stream.draw_index(len(sides))][0].tolist()
            found.append((x, y, stream.between(*_TREE_RADII)))
    return np.array(found).reshape(-1, 3)


def _hedge(line: shapely.LineString, noise: Noise, stream: Stream) -> list[tuple[float, float, float]]:
    """Return the bushes of one hedge as x, y and radius, with gaps where the noise is low."""
    spots, at = [], stream.between(0.5, 2.0)
    while at < line.length:
        spots.append(at)
        at += stream.between(*_SPACING)
    places = stations(line, np.array(spots))
    grows = noise.at(places[:, 0], places[:, 1], _BROKEN[0]) >= _BROKEN[1]
    return [
        (x + stream.between(-0.3, 0.3), y + stream.between(-0.3, 0.3), stream.between(*_RADII))
        for (x, y), shown in zip(places.tolist(), grows.tolist(), strict=True)
        if shown
    ]


def _sides(parcel: Parcel) -> list[Line]:
    """Return the sides of a parcel from corner to corner, with their bends but without cut corners."""
    ring = shapely.get_coordinates(parcel.ground.exterior)
    corners = shapely.get_coordinates(shapely.simplify(parcel.ground.exterior, _CORNER))
    at = [int(np.argmin(np.hypot(*(ring[:-1] - corner).T))) for corner in corners[:-1]] + [len(ring) - 1]
    pairs = ((first, last) for first, last in pairwise(at) if last > first)
    return [ring[first : last + 1] for first, last in pairs if float(np.hypot(*(ring[last] - ring[first]))) > _SIDE]
