"""The ground between the features of a board, in mm of the board: what is taken, where ways and waters run."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final

import shapely
from msgspec import Struct
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import STILL_WATERS, Area, Course, Hill, Kind

_WAYS: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH)
_RUNNING: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK)
TOWNS: Final = (Kind.BUA, Kind.TOWN, Kind.CITY, Kind.VILLAGE, Kind.HAMLET, Kind.SETTLEMENT)
FARMS: Final = (Kind.FARM, Kind.BUILDING)
_SOFT: Final = 1.6
"""What has no outline may come so near in mm to what counts."""

_EASED: Final = 0.15
"""How far in mm the outline of what counts may lie beside the line that soft washes keep off."""


class OpenGround(Struct, frozen=True, eq=False, dict=True):
    """A battlefield, asked for the ground on which nothing counts."""

    field: Battlefield

    @cached_property
    def whole(self) -> BaseGeometry:
        """Return the ground of the board."""
        return self.field.ground

    @cached_property
    def solid(self) -> BaseGeometry:
        """Return all that counts and is no way: areas, hills, waters, works."""
        return self._taken(_WAYS)

    @cached_property
    def covered(self) -> BaseGeometry:
        """Return what counts, is no way and hides the ground: all that is solid but gullies, which taper."""
        return self._taken((*_WAYS, Kind.GULLY))

    def _taken(self, without: Collection[Kind]) -> BaseGeometry:
        areas = [feature.outline for feature in self.field.features if isinstance(feature, Area | Hill)]
        courses = [_band(course) for course in self.courses if course.kind not in without]
        return shapely.union_all([*areas, *courses])

    def grounds(self, broad: float) -> BaseGeometry:
        """Return all that counts but ways, as pale as bare ground, and courses narrower than ``broad`` mm."""
        areas = [feature.outline for feature in self.field.features if isinstance(feature, Area | Hill)]
        dark = (course for course in self.courses if course.width >= broad and course.kind not in _WAYS)
        return shapely.union_all([*areas, *map(_band, dark)])

    @cached_property
    def soft(self) -> BaseGeometry:
        """Return the ground on which washes without an outline may lie."""
        taken = [
            shapely.simplify(each, _EASED).buffer(_SOFT + _EASED, quad_segs=4) for each in (self.covered, self.roads)
        ]
        return shapely.difference(self.whole, shapely.union(*taken))

    @cached_property
    def courses(self) -> tuple[Course, ...]:
        """Return everything that runs."""
        return tuple(feature for feature in self.field.features if isinstance(feature, Course))

    @cached_property
    def roadways(self) -> tuple[Course, ...]:
        """Return roads, tracks and paths."""
        return tuple(course for course in self.courses if course.kind in _WAYS)

    @cached_property
    def ways(self) -> tuple[LineString, ...]:
        """Return the middle lines of roads, tracks and paths."""
        return tuple(course.line for course in self.roadways)

    @cached_property
    def roads(self) -> BaseGeometry:
        """Return the ground of roads, tracks and paths."""
        return shapely.union_all([_band(course) for course in self.roadways])

    @cached_property
    def running(self) -> tuple[Course, ...]:
        """Return rivers and streams."""
        return tuple(course for course in self.courses if course.kind in _RUNNING)

    @cached_property
    def still(self) -> tuple[Area, ...]:
        """Return lakes and pools."""
        areas = (feature for feature in self.field.features if isinstance(feature, Area))
        return tuple(area for area in areas if area.kind in STILL_WATERS)

    def areas(self, *kinds: Kind) -> tuple[Area, ...]:
        """Return the areas of some kinds."""
        return tuple(feature for feature in self.field.features if isinstance(feature, Area) and feature.kind in kinds)


def _band(course: Course) -> BaseGeometry:
    return course.line.buffer(max(course.width, 1.0) / 2, cap_style="flat")
