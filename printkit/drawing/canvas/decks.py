"""Decks of bridges and fords: where a road or railway crosses water, and how long its deck is."""

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
from printkit.terrain.geometry.measure import line_bearing, turn_between

# Overhang of a deck on each bank: its share of the width of the water, and its minimum and maximum in mm at 1:1.
_SHARE: Final = 0.125
_LEAST: Final = 3.5
_MOST: Final = 6.0

# Half the length of water that a crossing on dry ground gets, in mm at 1:1.
_DRY_HALF_SPAN: Final = 1.0

# The largest angle in degrees between a crossing and its course, if the crossing follows the course.
_COURSE_ANGLE: Final = 45.0

# The steepest slant of a deck's ends: mm along the axis for each mm sideways.
_SLANT: Final = 1.2

# The length of a course that gives its direction, in mm.
_DIRECTION_SPAN: Final = 10.0


class WaterSpan(Struct, frozen=True):
    """The water under a crossing, from ``first`` to ``last``.

    Both are distances from the crossing's position along its bearing, in printed mm. The banks are slanted: ``slant``
    mm further along the bearing for each mm to the left.
    """

    first: float
    last: float
    slant: float = 0.0

    def deck(self, k: float) -> tuple[float, float]:
        """Return start and end of the deck, as distances along the crossing's bearing from its position.

        Both are in printed mm; the start is usually negative. ``k`` is the printed length in mm of 1 mm at 1:1.
        """
        overhang = min(_MOST * k, max(_LEAST * k, _SHARE * (self.last - self.first)))
        return self.first - overhang, self.last + overhang

    def place(self, shape: BaseGeometry, crossing: Crossing) -> BaseGeometry:
        """Return a shape drawn about the origin along the x-axis, slanted, rotated and moved to a crossing.

        Shape and result are in printed mm.
        """
        bearing = math.radians(crossing.bearing)
        cosine, sine = math.cos(bearing), math.sin(bearing)
        matrix = [cosine, self.slant * cosine - sine, sine, self.slant * sine + cosine]
        return affinity.affine_transform(shape, [*matrix, crossing.at.x, crossing.at.y])


def find_water_span(
    crossing: Crossing, course: Course | None, width: float, water: BaseGeometry, k: float
) -> WaterSpan:
    """Return the part of a crossing's axis that is in the water, and the slant of the banks.

    Without water within ``width`` of the crossing, the span is 1 mm at 1:1 to each side of its position, with slant 0.
    The slant is from -1.2 to 1.2.

    Args:
        crossing: in printed mm, like the other shapes.
        course: the course that crosses; the axis ends where the course turns away from it. None leaves the axis uncut.
        width: width of the course in printed mm.
        water: the area that is crossed.
        k: printed length in mm of 1 mm at 1:1.
    """
    middle = _find_wet_interval(crossing, _clip_axis_to_course(crossing, course, width, water), water, width)
    if middle is None or middle[1] - middle[0] < _DRY_HALF_SPAN * k:
        return WaterSpan(-_DRY_HALF_SPAN * k, _DRY_HALF_SPAN * k)
    right, left = (
        _find_wet_interval(crossing, _build_parallel_line(crossing, offset, water), water, width)
        for offset in (-width / 2, width / 2)
    )
    slant = (sum(left) - sum(right)) / 2 / width if left and right else 0.0
    return WaterSpan(*middle, min(_SLANT, max(-_SLANT, slant)))


def find_deep_water(crossing: Crossing, span: WaterSpan, width: float, water: BaseGeometry, k: float) -> BaseGeometry:
    """Return the part of the water that a bridge over ``span`` does not cover, in printed mm.

    ``width`` of the bridge is in printed mm too. The covered part is wider than the bridge, because its course may bend
    on the bank. ``k`` is the printed length in mm of 1 mm at 1:1.
    """
    first, last = span.deck(k)
    return water.difference(span.place(shapely.box(first - width / 2, -width, last + width / 2, width), crossing))


def _clip_axis_to_course(crossing: Crossing, course: Course | None, width: float, water: BaseGeometry) -> BaseGeometry:
    """Return the axis of a crossing as a line in printed mm, across all the water.

    If the axis follows the course, it is cut to the part within ``width`` mm of the course's line.
    """
    axis = _build_parallel_line(crossing, 0.0, water)
    if course is None:
        return axis
    angle = (
        turn_between(crossing.bearing, line_bearing(course.line, course.line.project(crossing.at), _DIRECTION_SPAN))
        % 180.0
    )
    if min(angle, 180.0 - angle) > _COURSE_ANGLE:
        return axis
    wet_parts = lines(axis.intersection(course.line.buffer(width)))
    return min(wet_parts, key=lambda part: float(part.distance(crossing.at)), default=axis)


def _build_parallel_line(crossing: Crossing, offset: float, water: BaseGeometry) -> LineString:
    """Return a line parallel to a crossing's bearing, ``offset`` mm to its left, across all the water.

    Coordinates are in printed mm; a negative offset is to the right.
    """
    bearing = math.radians(crossing.bearing)
    forward, leftward = (
        np.array([math.cos(bearing), math.sin(bearing)]),
        np.array([-math.sin(bearing), math.cos(bearing)]),
    )
    place = np.array([crossing.at.x, crossing.at.y])
    reach = float(shapely.hausdorff_distance(crossing.at, shapely.box(*water.bounds))) if not water.is_empty else 1.0
    return LineString([place + offset * leftward - reach * forward, place + offset * leftward + reach * forward])


def _find_wet_interval(
    crossing: Crossing, line: BaseGeometry, water: BaseGeometry, limit: float
) -> tuple[float, float] | None:
    """Return start and end of a line's wet part at a crossing, or None without water near it.

    Both are distances from the crossing's position along its bearing, in printed mm. None is returned
    unless a part of the line in the water is within ``limit`` mm of the crossing.
    """
    parts = lines(line.intersection(water))
    part = min(parts, key=lambda candidate: float(candidate.distance(crossing.at)), default=None)
    if part is None or part.distance(crossing.at) > limit:
        return None
    bearing = math.radians(crossing.bearing)
    ends = [(x - crossing.at.x) * math.cos(bearing) + (y - crossing.at.y) * math.sin(bearing) for x, y in part.coords]
    return min(ends), max(ends)
