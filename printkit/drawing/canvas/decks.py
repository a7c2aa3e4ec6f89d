"""Decks of bridges and fords: where the way lies over water, and how far its deck reaches, in every style alike."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import lines
from printkit.terrain.field.features import Course, Crossing
from printkit.terrain.geometry.measure import direction, turn_between

# How far a deck reaches over each bank, in mm at 1:1: a share of the water, at least and at most.
_SHARE: Final = 0.125
_LEAST: Final = 3.5
_MOST: Final = 6.0

# Half the water that a crossing on dry ground is drawn over, in mm at 1:1.
_DRY: Final = 1.0

# Degrees up to which a crossing lies along its way.
_ALONG: Final = 45.0

# The steepest slant of a deck's ends: mm along the axis for each mm aside.
_SLANT: Final = 1.2

# The piece of a way that gives its direction, in mm.
_OVER: Final = 10.0


class WaterSpan(Struct, frozen=True):
    """Where a crossing lies over water: from ``first`` to ``last`` mm along its bearing from its place.

    The banks are slanted: ``slant`` mm further along for each mm to the left.
    """

    first: float
    last: float
    slant: float = 0.0

    def deck(self, k: float) -> tuple[float, float]:
        """Return from where to where the deck reaches; ``k`` is the printed mm of 1 mm at 1:1."""
        spare = min(_MOST * k, max(_LEAST * k, _SHARE * (self.last - self.first)))
        return self.first - spare, self.last + spare

    def place(self, shape: BaseGeometry, crossing: Crossing) -> BaseGeometry:
        """Return a shape drawn along the x-axis about the origin, slanted, moved to the crossing and turned."""
        turn = math.radians(crossing.bearing)
        cosine, sine = math.cos(turn), math.sin(turn)
        matrix = [cosine, self.slant * cosine - sine, sine, self.slant * sine + cosine]
        return affinity.affine_transform(shape, [*matrix, crossing.at.x, crossing.at.y])


def find_water_span(crossing: Crossing, way: Course | None, width: float, water: BaseGeometry, k: float) -> WaterSpan:
    """Return where a crossing's own axis lies in the water, and how its banks slant.

    Args:
        crossing: in the same mm as the shapes.
        way: what crosses; the axis ends where the way turns off it.
        width: of the way.
        water: the ground that is crossed.
        k: printed mm of 1 mm at 1:1.
    """
    middle = _wet_part(crossing, _on_way(crossing, way, width, water), water, width)
    if middle is None or middle[1] - middle[0] < _DRY * k:
        return WaterSpan(-_DRY * k, _DRY * k)
    right, left = (
        _wet_part(crossing, _line_aside(crossing, off, water), water, width) for off in (-width / 2, width / 2)
    )
    slant = (sum(left) - sum(right)) / 2 / width if left and right else 0.0
    return WaterSpan(*middle, min(_SLANT, max(-_SLANT, slant)))


def find_deep_water(crossing: Crossing, span: WaterSpan, width: float, water: BaseGeometry, k: float) -> BaseGeometry:
    """Return the water beside a bridge that its way of ``width`` mm does not cover; a way may bend on the bank."""
    first, last = span.deck(k)
    return water.difference(span.place(shapely.box(first - width / 2, -width, last + width / 2, width), crossing))


def _on_way(crossing: Crossing, way: Course | None, width: float, water: BaseGeometry) -> BaseGeometry:
    """Return the axis of a crossing, as far as it lies on a way along which it runs."""
    axis = _line_aside(crossing, 0.0, water)
    if way is None:
        return axis
    turn = turn_between(crossing.bearing, direction(way.line, way.line.project(crossing.at), _OVER)) % 180.0
    if min(turn, 180.0 - turn) > _ALONG:
        return axis
    near = lines(axis.intersection(way.line.buffer(width)))
    return min(near, key=lambda part: float(part.distance(crossing.at)), default=axis)


def _line_aside(crossing: Crossing, off: float, water: BaseGeometry) -> LineString:
    """Return the line along a crossing's bearing, ``off`` mm to its left, that runs through all of a water."""
    turn = math.radians(crossing.bearing)
    along, aside = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    place = np.array([crossing.at.x, crossing.at.y])
    reach = float(shapely.hausdorff_distance(crossing.at, shapely.box(*water.bounds))) if not water.is_empty else 1.0
    return LineString([place + off * aside - reach * along, place + off * aside + reach * along])


def _wet_part(crossing: Crossing, line: BaseGeometry, water: BaseGeometry, near: float) -> tuple[float, float] | None:
    """Return from where to where a line lies in water next to a crossing, in mm along its bearing; None: nowhere."""
    parts = lines(line.intersection(water))
    part = min(parts, key=lambda each: float(each.distance(crossing.at)), default=None)
    if part is None or part.distance(crossing.at) > near:
        return None
    turn = math.radians(crossing.bearing)
    ends = [(x - crossing.at.x) * math.cos(turn) + (y - crossing.at.y) * math.sin(turn) for x, y in part.coords]
    return min(ends), max(ends)
