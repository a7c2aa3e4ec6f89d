"""Array functions with the same digits on every processor.

numpy computes sines, powers and matrix products differently for each processor family, so the last digits differ.
Drawings are rounded, and sometimes such a digit decides the result. These functions use Python's ``math`` for each
number, or only sums and products, whose rounding is the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Digits: TypeAlias = NDArray[np.float64]


def sin(angles: ArrayLike) -> Digits:
    """Return the sines of angles in radians: an array of the same shape, or a number for a number."""
    return _map_values(math.sin, angles)


def cos(angles: ArrayLike) -> Digits:
    """Return the cosines of angles in radians: an array of the same shape, or a number for a number."""
    return _map_values(math.cos, angles)


def tanh(values: ArrayLike) -> Digits:
    """Return the hyperbolic tangents of numbers: an array of the same shape, or a number for a number."""
    return _map_values(math.tanh, values)


def exp(values: ArrayLike) -> Digits:
    """Return e to the power of each number: an array of the same shape, or a number for a number."""
    return _map_values(math.exp, values)


def log2(values: ArrayLike) -> Digits:
    """Return the base-2 logarithms of positive numbers, in the same shape; ValueError for 0 or less."""
    return _map_values(math.log2, values)


def arctan2(y: ArrayLike, x: ArrayLike) -> Digits:
    """Return the angles of vectors in radians, anticlockwise from +x, -pi to pi.

    ``y`` and ``x`` are their components, arrays of one shape, which is that of the result.
    """
    return _map_values(math.atan2, *np.broadcast_arrays(y, x))


def power(values: ArrayLike, exponent: float) -> Digits:
    """Return each non-negative number raised to an exponent, in the same shape."""
    return _map_values(lambda value: math.pow(value, exponent), values)


def product(first: ArrayLike, second: ArrayLike) -> Digits:
    """Return the product of matrices or vectors; the same operation as ``@``.

    ``first`` may be a stack of matrices; ``second`` is a vector or one matrix. Two vectors give a number.
    """
    left, right = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if right.ndim == 1:
        return np.asarray((left * right).sum(axis=-1))[()]
    return np.asarray((left[..., None] * right).sum(axis=-2))


def cubic(first: ArrayLike, lead: ArrayLike, tail: ArrayLike, last: ArrayLike, share: Digits) -> Digits:
    """Return points of a cubic Bézier curve, as rows of x and y.

    Args:
        first: its start.
        lead: its first control point.
        tail: its second control point.
        last: its end.
        share: a column with the parameter of each point, 0 to 1.
    """
    rest, ends = 1 - share, [np.asarray(point, dtype=float) for point in (first, lead, tail, last)]
    weights = (rest * rest * rest, 3 * rest * rest * share, 3 * rest * share * share, share * share * share)
    return np.asarray(sum(weight * end for weight, end in zip(weights, ends, strict=True)))


def convolve(values: Digits, weights: Digits) -> Digits:
    """Return the convolution of two one-dimensional arrays, only where the shorter one overlaps completely.

    The result has ``len(values) - len(weights) + 1`` numbers if the weights are the shorter one.
    """
    if len(weights) > len(values):
        values, weights = weights, values
    length = len(values) - len(weights) + 1
    sums = np.zeros(length)
    for index, weight in enumerate(weights[::-1].tolist()):
        sums += weight * values[index : index + length]
    return sums


def _map_values(function: Callable[..., float], *values: ArrayLike) -> Digits:
    """Return the results of a function for arrays of equal shape, element by element.

    ``function`` gets one number of each array.
    """
    arrays = [np.asarray(operand, dtype=float) for operand in values]
    results = np.fromiter(map(function, *(operand.ravel().tolist() for operand in arrays)), float, arrays[0].size)
    return results.reshape(arrays[0].shape)[()]
