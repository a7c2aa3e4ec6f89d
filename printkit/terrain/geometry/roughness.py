"""Smooth value noise over the plane, the same on every machine: only sums, products and square roots go into it."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from printkit.chance.streams import Stream

_SIZE = 256
_CELLS_A_WAVE = 4.0


class Noise(Struct, frozen=True, eq=False):
    """A wrapped field of 256 x 256 values with unit spread about ±1, read at any wavelength."""

    field: NDArray[np.float64]

    @classmethod
    def of(cls, stream: Stream) -> Noise:
        """Return the noise of a stream: white noise smoothed by five binomial passes, then scaled to its spread."""
        field = stream.array(_SIZE * _SIZE).reshape(_SIZE, _SIZE) - 0.5
        for _ in range(5):
            field = _smoothed(_smoothed(field).T).T
        return cls(field / (field.std() * 2.2))

    def at(self, x: ArrayLike, y: ArrayLike, wavelength: float) -> NDArray[np.float64]:
        """Return the value at points in mm, bilinear, for hills and hollows about ``wavelength`` mm apart."""
        across = np.asarray(x, dtype=float) * (_CELLS_A_WAVE / wavelength)
        along = np.asarray(y, dtype=float) * (_CELLS_A_WAVE / wavelength)
        column, row = np.floor(across), np.floor(along)
        right, up = across - column, along - row
        left_index, low_index = column.astype(int) % _SIZE, row.astype(int) % _SIZE
        right_index, high_index = (left_index + 1) % _SIZE, (low_index + 1) % _SIZE
        low = self.field[low_index, left_index] * (1 - right) + self.field[low_index, right_index] * right
        high = self.field[high_index, left_index] * (1 - right) + self.field[high_index, right_index] * right
        value: NDArray[np.float64] = low * (1 - up) + high * up
        return value

    def fractal(self, x: ArrayLike, y: ArrayLike, wavelength: float, *, octaves: int = 3) -> NDArray[np.float64]:
        """Return noise whose wavelength and weight halve with each octave."""
        across, along = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        total: Any = np.zeros(np.broadcast(across, along).shape)
        weight, whole = 1.0, 0.0
        for octave in range(octaves):
            total = total + weight * self.at(across + 37.7 * octave, along - 91.3 * octave, wavelength / 2**octave)
            whole, weight = whole + weight, weight / 2
        return np.asarray(total / whole)


def _smoothed(field: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a field whose rows are mixed 1 : 2 : 1 with the rows beside them, the last beside the first."""
    mixed = field + field
    mixed[1:] += field[:-1]
    mixed[0] += field[-1]
    mixed[:-1] += field[1:]
    mixed[-1] += field[0]
    mixed *= 0.25
    return mixed
