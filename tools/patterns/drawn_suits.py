"""The shapes of the four suits of playing cards. ``patterns.py`` stores them in ``templates/patterns``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import shapely
from shapely import Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import Suit
from printkit.core.exact_math import cubic
from printkit.drawing.canvas.shapes import Line

_STEPS: Final = 16

# Points in a quarter of a unit circle, before a suit is scaled.
_FINE: Final = 40


def _heart() -> BaseGeometry:
    """Return the shape of a heart, about 2 units high around the origin."""
    # Two lobes that meet above a point; the sides bulge a little.
    left = _build_curve((0.0, -1.0), (-0.34, -0.56), (-1.02, -0.12), (-1.02, 0.40))
    top = _build_curve((-1.02, 0.40), (-1.02, 0.78), (-0.78, 1.0), (-0.50, 1.0))
    dip = _build_curve((-0.50, 1.0), (-0.24, 1.0), (-0.05, 0.84), (0.0, 0.56))
    return _mirrored(np.vstack([left, top, dip]))


def _diamond() -> BaseGeometry:
    """Return the shape of a diamond, about 2 units high around the origin."""
    lower = _build_curve((0.0, -1.12), (-0.22, -0.68), (-0.48, -0.34), (-0.80, 0.0))
    upper = _build_curve((-0.80, 0.0), (-0.48, 0.34), (-0.22, 0.68), (0.0, 1.12))
    return _mirrored(np.vstack([lower, upper]))


def _spade() -> BaseGeometry:
    """Return the shape of a spade, about 2 units high around the origin."""
    leaf = affinity.scale(_heart(), 0.98, -0.94, origin=(0, 0))
    return shapely.union(affinity.translate(leaf, 0, 0.14), _build_foot(-0.50))


def _club() -> BaseGeometry:
    """Return the shape of a club, about 2 units high around the origin."""
    leaves = [Point(x, y).buffer(0.50, quad_segs=_FINE) for x, y in ((-0.54, -0.14), (0.54, -0.14), (0.0, 0.60))]
    middle = Polygon([(-0.26, -0.2), (0.26, -0.2), (0.14, 0.3), (-0.14, 0.3)])
    return shapely.union_all([*leaves, middle, _build_foot(-0.20)])


def _build_foot(top: float) -> BaseGeometry:
    """Return the foot of a black suit up to the height ``top``: a stalk that widens downwards.

    Suits are about 2 units high around the origin.
    """
    side = _build_curve((-0.46, -1.10), (-0.16, -1.02), (-0.06, -0.72), (-0.06, top))
    return _mirrored(side)


SUITS: Final[Mapping[Suit, Callable[[], BaseGeometry]]] = {
    Suit.SPADES: _spade,
    Suit.CLUBS: _club,
    Suit.HEARTS: _heart,
    Suit.DIAMONDS: _diamond,
}


def _build_curve(*knots: tuple[float, float]) -> Line:
    """Return the points of a cubic Bézier curve with four control points, in their units, n x 2."""
    first, lead, tail, last = knots
    share = np.linspace(0.0, 1.0, _STEPS)[:, None]
    return cubic(first, lead, tail, last, share)


def _mirrored(left: Line) -> BaseGeometry:
    """Return a symmetric shape from its left side, a line from bottom to top that ends on the y-axis.

    The result is in the units of the line.
    """
    return shapely.make_valid(Polygon(np.vstack([left, left[::-1] * (-1, 1)])))
