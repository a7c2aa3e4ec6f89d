"""The ground of a board with and without terrain features, in mm of the board."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final

import shapely
from msgspec import Struct
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import STILL_WATERS, Area, Course, Hill, Kind, find_family

_WAYS: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH)
_RUNNING: Final = find_family("running-water")

# Gap between soft washes and features, in mm.
_WASH_GAP: Final = 1.6

# Simplification tolerance of the outlines that soft washes avoid, in mm.
_SIMPLIFY_MM: Final = 0.15


class OpenGround(Struct, frozen=True, eq=False, dict=True):
    """The areas of a battlefield with and without terrain features."""

    field: Battlefield

    @cached_property
    def board_area(self) -> BaseGeometry:
        """Return the outline of the board as a polygon, in mm of the board."""
        return self.field.ground

    @cached_property
    def solid(self) -> BaseGeometry:
        """Return the area of all features except roads, tracks and paths, in mm of the board."""
        return self._feature_area(_WAYS)

    @cached_property
    def covered_area(self) -> BaseGeometry:
        """Return the area where features hide the ground, in mm of the board.

        It is ``solid`` without gullies, which taper.
        """
        return self._feature_area((*_WAYS, Kind.GULLY))

    def _feature_area(self, skip_kinds: Collection[Kind]) -> BaseGeometry:
        """Return the area of all features in mm of the board, without courses of ``skip_kinds``."""
        areas = [feature.outline for feature in self.field.features if isinstance(feature, Area | Hill)]
        courses = [_course_area(course) for course in self.courses if course.kind not in skip_kinds]
        return shapely.union_all([*areas, *courses])

    def dark_area(self, broad: float) -> BaseGeometry:
        """Return the area of all features that look dark, in mm of the board.

        Roads are pale, and so are courses under ``broad`` mm wide; they are left out.
        """
        areas = [feature.outline for feature in self.field.features if isinstance(feature, Area | Hill)]
        dark = (course for course in self.courses if course.width >= broad and course.kind not in _WAYS)
        return shapely.union_all([*areas, *map(_course_area, dark)])

    @cached_property
    def wash_area(self) -> BaseGeometry:
        """Return the area for washes without an outline, in mm of the board, a little away from features."""
        obstacles = [
            shapely.simplify(shape, _SIMPLIFY_MM).buffer(_WASH_GAP + _SIMPLIFY_MM, quad_segs=4)
            for shape in (self.covered_area, self.road_area)
        ]
        return shapely.difference(self.board_area, shapely.union(*obstacles))

    @cached_property
    def courses(self) -> tuple[Course, ...]:
        """Return all linear features."""
        return tuple(feature for feature in self.field.features if isinstance(feature, Course))

    @cached_property
    def roadways(self) -> tuple[Course, ...]:
        """Return roads, tracks and paths."""
        return tuple(course for course in self.courses if course.kind in _WAYS)

    @cached_property
    def road_lines(self) -> tuple[LineString, ...]:
        """Return the centre lines of roads, tracks and paths, in mm of the board."""
        return tuple(course.line for course in self.roadways)

    @cached_property
    def road_area(self) -> BaseGeometry:
        """Return the area of roads, tracks and paths, in mm of the board."""
        return shapely.union_all([_course_area(course) for course in self.roadways])

    @cached_property
    def rivers(self) -> tuple[Course, ...]:
        """Return rivers, streams and creeks, in the order of the features."""
        return tuple(course for course in self.courses if course.kind in _RUNNING)

    @cached_property
    def lakes(self) -> tuple[Area, ...]:
        """Return lakes and pools."""
        areas = (feature for feature in self.field.features if isinstance(feature, Area))
        return tuple(area for area in areas if area.kind in STILL_WATERS)

    def areas(self, *kinds: Kind) -> tuple[Area, ...]:
        """Return the area features of some kinds."""
        return tuple(feature for feature in self.field.features if isinstance(feature, Area) and feature.kind in kinds)


def _course_area(course: Course) -> BaseGeometry:
    """Return the area that a course covers, in mm of the board, at least 1 mm wide; its ends are square."""
    return course.line.buffer(max(course.width, 1.0) / 2, cap_style="flat")
