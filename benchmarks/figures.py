"""What is made of measurements: medians, ratios of paired runs, and how steeply one thing grows with another."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Ratio(NamedTuple):
    """The median of the ratios of paired runs, and the smallest and largest of them."""

    middle: float
    least: float
    most: float

    def __str__(self) -> str:
        """Return it as the tables show it: ``7.6 (7.4 to 8.1)``; a single run has no spread."""
        if self.least == self.most:
            return f"{self.middle:.2f}"
        return f"{self.middle:.2f} ({self.least:.2f} to {self.most:.2f})"


def ratio(values: Sequence[float], bases: Sequence[float]) -> Ratio:
    """Return how values compare with bases, run by run: the machine is as slow for one as for the other.

    Raises:
        ValueError: there are none, or not as many of one as of the other.
    """
    found = [value / base for value, base in zip(values, bases, strict=True)]
    if not found:
        raise ValueError("no runs to compare")
    return Ratio(statistics.median(found), min(found), max(found))


class Growth(NamedTuple):
    """The line through points on a paper with logarithms on both sides: y = ``factor`` x ** ``exponent``.

    ``fit`` is the share of the scatter that the line explains; 1 where all points lie on it.
    """

    exponent: float
    factor: float
    fit: float


def growth(points: Sequence[tuple[float, float]]) -> Growth:
    """Return how y grows with x, by least squares; 1 is in proportion, 2 is the square.

    Raises:
        ValueError: fewer than two different x, or a number that has no logarithm.
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    across, up = (statistics.fmean(values) for values in zip(*logs, strict=True)) if logs else (0.0, 0.0)
    spread = sum((x - across) ** 2 for x, _ in logs)
    if not spread:
        raise ValueError("a line needs points with different x")
    exponent = sum((x - across) * (y - up) for x, y in logs) / spread
    start = up - exponent * across
    missed = sum((y - start - exponent * x) ** 2 for x, y in logs)
    scatter = sum((y - up) ** 2 for _, y in logs)
    return Growth(exponent, math.exp(start), 1 - missed / scatter if scatter else 1.0)
