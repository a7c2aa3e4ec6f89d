"""Smooth value noise, identical on every machine, and outlines roughened with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.terrain.geometry.measure import interpolate_points

_SIZE = 256
_CELLS_PER_WAVE = 4.0


class Noise(Struct, frozen=True, eq=False):
    """A periodic field of 256 x 256 values, about -1 to 1, that can be sampled at any wavelength."""

    field: NDArray[np.float64]

    @classmethod
    def from_stream(cls, stream: Stream) -> Noise:
        """Return noise from a random stream: white noise, smoothed by five binomial passes and normalised.

        The field is random, wraps at its borders, and has a standard deviation of about 0.45.
        """
        field = stream.draw_array(_SIZE * _SIZE).reshape(_SIZE, _SIZE) - 0.5
        for _ in range(5):
            field = _smoothed(_smoothed(field).T).T
        return cls(field / (field.std() * 2.2))

    def at(self, x: ArrayLike, y: ArrayLike, wavelength: float) -> NDArray[np.float64]:
        """Return the noise, about -1 to 1, at points; peaks are about ``wavelength`` apart, in their mm.

        ``x`` and ``y`` are coordinates in mm; they have one shape, which is that of the result. Far away the noise
        repeats.
        """
        x_cells = np.asarray(x, dtype=float) * (_CELLS_PER_WAVE / wavelength)
        y_cells = np.asarray(y, dtype=float) * (_CELLS_PER_WAVE / wavelength)
        column, row = np.floor(x_cells), np.floor(y_cells)
        right, up = x_cells - column, y_cells - row
        left_index, low_index = column.astype(int) % _SIZE, row.astype(int) % _SIZE
        right_index, high_index = (left_index + 1) % _SIZE, (low_index + 1) % _SIZE
        low = self.field[low_index, left_index] * (1 - right) + self.field[low_index, right_index] * right
        high = self.field[high_index, left_index] * (1 - right) + self.field[high_index, right_index] * right
        value: NDArray[np.float64] = low * (1 - up) + high * up
        return value

    def fractal(self, x: ArrayLike, y: ArrayLike, wavelength: float, *, octaves: int = 3) -> NDArray[np.float64]:
        """Return the noise at points, about -1 to 1, as a weighted mean of layers of noise (octaves).

        The first has peaks about ``wavelength`` apart, in the mm of the points. Wavelength and weight halve with each
        octave.
        """
        x_values, y_values = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        total: Any = np.zeros(np.broadcast(x_values, y_values).shape)
        weight, total_weight = 1.0, 0.0
        for octave in range(octaves):
            total = total + weight * self.at(x_values + 37.7 * octave, y_values - 91.3 * octave, wavelength / 2**octave)
            total_weight, weight = total_weight + weight, weight / 2
        return np.asarray(total / total_weight)


def _smoothed(field: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a field of noise with each row averaged 1 : 2 : 1 with its neighbours.

    The last row is next to the first.
    """
    smooth = field + field
    smooth[1:] += field[:-1]
    smooth[0] += field[-1]
    smooth[:-1] += field[1:]
    smooth[-1] += field[0]
    smooth *= 0.25
    return smooth


# --- Outlines without straight sides ----------------------------------------------------------------------------------

_Line = NDArray[np.float64]


def waver_outline(
    ground: BaseGeometry,
    noise: Noise,
    *,
    spread: float,
    step: float,
    max_outwards: float,
    waves: Sequence[tuple[float, float]],
) -> Polygon:
    """Return the largest polygon of a ground, its outline smoothed and then moved by noise.

    All lengths are in the mm of the ground: on the board, or printed mm for a scaled battlefield. Holes waver too. The
    polygon is empty if the ground has no area.

    Args:
        spread: spread of the smoothing along the outline, in mm; it removes corners of about that size.
        step: mm between the points of the outline.
        max_outwards: maximum outward movement by the noise, in mm; larger values flatten towards it.
        waves: wavelength and height of each noise, in mm.
    """
    polygon = shapely.geometry.polygon.orient(largest_polygon(ground))
    rings = []
    # The ground is on the left of each ring; its last point repeats the first.
    for boundary in (polygon.exterior, *polygon.interiors):
        ring = shapely.get_coordinates(boundary)[:-1]
        smooth = _smoothed_ring(_resample_ring(ring, step), spread / step)
        inwards = _sum_noise(smooth, noise, waves)
        soft = max_outwards * exact_math.tanh(inwards / max_outwards)
        rings.append(smooth + np.where(inwards < 0, soft, inwards)[:, None] * _left_normals(smooth))
    return largest_polygon(shapely.make_valid(Polygon(rings[0], rings[1:])))


def open_shape(shape: BaseGeometry, radius: float) -> Polygon:
    """Return the largest polygon of a shape without spikes and notches narrower than 2 x ``radius``.

    The radius is in the mm of the shape. The polygon is empty if nothing is wide enough.
    """
    return largest_polygon(
        shape.buffer(-radius, quad_segs=8).buffer(2 * radius, quad_segs=8).buffer(-radius, quad_segs=8)
    )


def largest_polygon(shape: BaseGeometry) -> Polygon:
    """Return the largest polygon of a shape, in its mm, or an empty polygon if there is none."""
    pieces = [piece for piece in shapely.get_parts(shape) if isinstance(piece, Polygon)]
    return max(pieces, key=lambda piece: piece.area, default=Polygon())


def _sum_noise(ring: _Line, noise: Noise, waves: Sequence[tuple[float, float]]) -> _Line:
    """Return the sum of several noises at each point of a ring, in the mm of the ring.

    ``waves`` has the wavelength and height of each noise, in mm.
    """
    total = np.zeros(len(ring))
    for place, (length, height) in enumerate(waves):
        # Sample each noise at a different offset; otherwise all would have their hollows in the same places.
        total += height * noise.at(ring[:, 0] + 411.3 * place, ring[:, 1] - 173.9 * place, length)
    return total


def _resample_ring(ring: _Line, step: float) -> _Line:
    """Return a ring with evenly spaced points about ``step`` apart (mm of the ring), at least 12 of them.

    Neither ring repeats its first point. Rings are rows of x and y in mm; the new one starts at the same point.
    """
    closed = shapely.linestrings(np.vstack([ring, ring[:1]]))
    count = max(12, round(closed.length / step))
    return interpolate_points(closed, np.arange(count) / count * closed.length)


def _smoothed_ring(ring: _Line, spread: float) -> _Line:
    """Return a ring of evenly spaced points, in its mm, smoothed by a bell curve.

    ``spread`` is its standard deviation in points of the ring.
    """
    reach = min(max(1, round(3 * spread)), len(ring) // 2 - 1)
    bell = exact_math.exp(-0.5 * (np.arange(-reach, reach + 1) / spread) ** 2)
    padded = np.vstack([ring[-reach:], ring, ring[:reach]])
    return np.column_stack([exact_math.convolve(padded[:, axis], bell / bell.sum()) for axis in (0, 1)])


def _left_normals(ring: _Line) -> _Line:
    """Return the unit normal to the left at each point of a ring, as rows of x and y."""
    tangents = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    tangents = tangents / (np.hypot(tangents[:, 0], tangents[:, 1])[:, None] + 1e-12)
    return np.column_stack([-tangents[:, 1], tangents[:, 0]])
