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
    """Return the sines of angles in radians."""
    return _each(math.sin, angles)


def cos(angles: ArrayLike) -> Digits:
    """Return the cosines of angles in radians."""
    return _each(math.cos, angles)


def tanh(values: ArrayLike) -> Digits:
    """Return the hyperbolic tangents of numbers."""
    return _each(math.tanh, values)


def exp(values: ArrayLike) -> Digits:
    """Return e to the power of each value."""
    return _each(math.exp, values)


def log2(values: ArrayLike) -> Digits:
    """Return the base-2 logarithms of positive numbers."""
    return _each(math.log2, values)


def arctan2(up: ArrayLike, across: ArrayLike) -> Digits:
    """Return the angles of vectors in radians, from their y and x components."""
    return _each(math.atan2, *np.broadcast_arrays(up, across))


def power(values: ArrayLike, exponent: float) -> Digits:
    """Return non-negative numbers raised to an exponent."""
    return _each(lambda value: math.pow(value, exponent), values)


def product(one: ArrayLike, other: ArrayLike) -> Digits:
    """Return the product of matrices or vectors; the same operation as ``@``."""
    left, right = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if right.ndim == 1:
        return np.asarray((left * right).sum(axis=-1))[()]
    return np.asarray((left[..., None] * right).sum(axis=-2))


def cubic(first: ArrayLike, lead: ArrayLike, tail: ArrayLike, last: ArrayLike, share: Digits) -> Digits:
    """Return the points of a cubic Bézier curve from ``first`` to ``last``; ``share`` is a column of 0 to 1."""
    rest, ends = 1 - share, [np.asarray(each, dtype=float) for each in (first, lead, tail, last)]
    weights = (rest * rest * rest, 3 * rest * rest * share, 3 * rest * share * share, share * share * share)
    return np.asarray(sum(weight * end for weight, end in zip(weights, ends, strict=True)))


def convolved(values: Digits, weights: Digits) -> Digits:
    """Return the convolution of values and weights, only where they overlap completely."""
    if len(weights) > len(values):
        values, weights = weights, values
    whole = len(values) - len(weights) + 1
    found = np.zeros(whole)
    for place, weight in enumerate(weights[::-1].tolist()):
        found += weight * values[place : place + whole]
    return found


def _each(function: Callable[..., float], *values: ArrayLike) -> Digits:
    arrays = [np.asarray(each, dtype=float) for each in values]
    found = np.fromiter(map(function, *(each.ravel().tolist() for each in arrays)), float, arrays[0].size)
    return found.reshape(arrays[0].shape)[()]
