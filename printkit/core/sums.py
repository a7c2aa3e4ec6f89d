"""Sums of floats that are the same in every Python version."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def plain_sum(values: Iterable[float]) -> float:
    """Return the sum of numbers, added one after another.

    Since Python 3.12 ``sum`` compensates for rounding errors, so its last digit depends on the version. That digit can
    change where a line of text breaks.
    """
    return reduce(add, values, 0)
