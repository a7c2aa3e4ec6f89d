"""Outlines drawn free of the straight sides they came from: corners rounded, sides wavered by noise, holes kept.

Source: the cartography, 7, 14 and 20.2. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.terrain.geometry.roughness import Noise
from printkit.terrain.geometry.stations import stations

Line = NDArray[np.float64]


def wavered(
    ground: BaseGeometry,
    noise: Noise,
    *,
    spread: float,
    step: float,
    outwards: float,
    waves: Sequence[tuple[float, float]],
) -> Polygon:
    """Return the largest piece of a ground, its outline smoothed and then moved in and out by noise.

    Args:
        spread: mm of the outline over which it is smoothed: corners of about that size go.
        step: mm between the points of the outline.
        outwards: mm that noise may move it outwards; what would go farther flattens towards that.
        waves: wavelength and height in mm of each noise.
    """
    found = []
    for ring in _rings(largest(ground)):
        smooth = _smoothed(_evenly(ring, step), spread / step)
        inwards = _inwards(smooth, noise, waves)
        soft = outwards * np.tanh(inwards / outwards)
        found.append(smooth + np.where(inwards < 0, soft, inwards)[:, None] * _left(smooth))
    return largest(shapely.make_valid(Polygon(found[0], found[1:])))


def opened(shape: BaseGeometry, radius: float) -> Polygon:
    """Return the largest piece of a shape opened and closed by a radius: no spike and no notch of it is narrower."""
    return largest(shape.buffer(-radius, quad_segs=8).buffer(2 * radius, quad_segs=8).buffer(-radius, quad_segs=8))


def largest(shape: BaseGeometry) -> Polygon:
    """Return the largest polygon of a shape, an empty one where it has none."""
    pieces = [piece for piece in shapely.get_parts(shape) if isinstance(piece, Polygon)]
    return max(pieces, key=lambda piece: piece.area, default=Polygon())


def _rings(shape: Polygon) -> list[Line]:
    """Return the rings of a polygon, the first point not repeated; the ground lies on the left of each."""
    whole = shapely.geometry.polygon.orient(shape)
    return [shapely.get_coordinates(ring)[:-1] for ring in (whole.exterior, *whole.interiors)]


def _inwards(ring: Line, noise: Noise, waves: Sequence[tuple[float, float]]) -> Line:
    total = np.zeros(len(ring))
    for place, (length, height) in enumerate(waves):
        # Each noise is read elsewhere in its field, or hollows of one would always lie in hollows of another.
        total += height * noise.at(ring[:, 0] + 411.3 * place, ring[:, 1] - 173.9 * place, length)
    return total


def _evenly(ring: Line, step: float) -> Line:
    closed = shapely.linestrings(np.vstack([ring, ring[:1]]))
    count = max(12, round(closed.length / step))
    return stations(closed, np.arange(count) / count * closed.length)


def _smoothed(ring: Line, spread: float) -> Line:
    """Return a ring of even points smoothed by a bell of ``spread`` points."""
    reach = min(max(1, round(3 * spread)), len(ring) // 2 - 1)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / spread) ** 2)
    around = np.vstack([ring[-reach:], ring, ring[:reach]])
    return np.column_stack([np.convolve(around[:, axis], bell / bell.sum(), mode="valid") for axis in (0, 1)])


def _left(ring: Line) -> Line:
    """Return the unit normal to the left at every point of a ring."""
    along = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    along = along / (np.hypot(along[:, 0], along[:, 1])[:, None] + 1e-12)
    return np.column_stack([-along[:, 1], along[:, 0]])
