"""Sums of fractions that are the same in every Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def plain_sum(values: Iterable[float]) -> float:
    """Return a sum made term after term.

    Since Python 3.12 ``sum`` makes good what rounding loses of fractions, so that its last digit hangs on the version;
    that digit may decide how a line of text is broken.
    """
    return reduce(add, values, 0)
