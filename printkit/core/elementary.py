"""Functions of arrays that give the same digits on every processor.

numpy works out sines, powers and products of matrices in a way of its own for each family of processors, and their
last digits differ. What is drawn is rounded, and now and then such a digit decides. These go through Python's
mathematics number by number, or by sums and products alone, which no processor is free to round as it likes.
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
    """Return the powers of e."""
    return _each(math.exp, values)


def log2(values: ArrayLike) -> Digits:
    """Return the logarithms of numbers greater than 0 to the base of 2."""
    return _each(math.log2, values)


def arctan2(up: ArrayLike, across: ArrayLike) -> Digits:
    """Return the angles of ways in radians, from their parts."""
    return _each(math.atan2, *np.broadcast_arrays(up, across))


def power(values: ArrayLike, exponent: float) -> Digits:
    """Return the powers of numbers of 0 or more."""
    return _each(lambda value: math.pow(value, exponent), values)


def product(one: ArrayLike, other: ArrayLike) -> Digits:
    """Return the product of two matrices, or of one and a vector, or of two vectors, as ``@`` does."""
    left, right = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if right.ndim == 1:
        return np.asarray((left * right).sum(axis=-1))[()]
    return np.asarray((left[..., None] * right).sum(axis=-2))


def cubic(first: ArrayLike, lead: ArrayLike, tail: ArrayLike, last: ArrayLike, share: Digits) -> Digits:
    """Return the points of a cubic curve from ``first`` to ``last`` at shares of its way, given as a column."""
    rest, ends = 1 - share, [np.asarray(each, dtype=float) for each in (first, lead, tail, last)]
    weights = (rest * rest * rest, 3 * rest * rest * share, 3 * rest * share * share, share * share * share)
    return np.asarray(sum(weight * end for weight, end in zip(weights, ends, strict=True)))


def convolved(values: Digits, weights: Digits) -> Digits:
    """Return the sums of neighbouring numbers, each with its weight, where all of the weights have a number."""
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
