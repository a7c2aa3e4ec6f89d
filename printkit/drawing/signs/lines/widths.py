"""How wide courses are drawn where the rules give them no width, and the ground that they cover.

Source: the cartography, 7 (order of width), 10.1, 10.4 and 10.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.lines.course_lines import band, courses, overrun
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind

WAYS: Final[tuple[Kind, ...]] = (
    Kind.ROAD,
    Kind.FENCED_ROAD,
    Kind.SUNKEN_LANE,
    Kind.TRACK,
    Kind.PATH,
    Kind.RAILWAY,
)
WATERS: Final[tuple[Kind, ...]] = (Kind.RIVER, Kind.CREEK, Kind.STREAM)

_OWN: Final[Mapping[Kind, float]] = {
    Kind.ROAD: 9.6,
    Kind.FENCED_ROAD: 9.6,
    Kind.SUNKEN_LANE: 8.4,
    Kind.TRACK: 5.4,
    Kind.PATH: 3.0,
    Kind.RAILWAY: 7.5,
    Kind.RIVER: 15.0,
    Kind.CREEK: 4.2,
    Kind.STREAM: 3.4,
    Kind.RAVINE: 15.0,
    Kind.GULLY: 8.0,
    Kind.DITCH: 5.0,
    Kind.CLIFF: 9.0,
}


def way_size(mm: float, pen: Pen) -> float:
    """Return the printed width of a way that the rules give no width: it shrinks faster than a sign."""
    return float(mm * pen.symbol_scale**0.4 * min(1.0, pen.scale * pen.factor) ** 0.6)


def drawn_width(course: Course, pen: Pen) -> float:
    """Return the printed width in mm of a course: the true one where a rule gives it, else the sign's own."""
    return course.width or own_size(course.kind, pen)


def own_size(kind: Kind, pen: Pen) -> float:
    """Return the printed width in mm that the sign of a course has by itself."""
    return way_size(_OWN[kind], pen)


def sized(course: Course, pen: Pen) -> Course:
    """Return the course with the width at which it is drawn."""
    return course if course.width else replace(course, width=drawn_width(course, pen))


def all_sized(field: Battlefield, pen: Pen) -> Battlefield:
    """Return the battlefield, every course of it with the width at which it is drawn, for what keeps beside them.

    Signs are given the battlefield as it is: a stream without a true width grows downstream.
    """
    features = tuple(
        sized(feature, pen) if isinstance(feature, Course) and feature.kind in _OWN else feature
        for feature in field.features
    )
    return replace(field, features=features)


def ground(course: Course, field: Battlefield, pen: Pen, *, spare: float = 0.0) -> BaseGeometry:
    """Return the ground that a course covers, with ``spare`` printed mm on either side."""

    def measured() -> BaseGeometry:
        whole = sized(course, pen)
        return band(overrun(whole, field), whole.width + 2 * spare)

    return pen.once(measured, field, course, by=("ground of a course", spare))


def covered(
    field: Battlefield, kinds: Iterable[Kind], pen: Pen, spare: Mapping[Kind, float] | None = None
) -> BaseGeometry:
    """Return the ground of all courses of these kinds, with ``spare`` mm at 1:1 by kind on either side."""
    spares = tuple((kind, pen.size((spare or {}).get(kind, 0.0))) for kind in kinds)

    def measured() -> BaseGeometry:
        found = [ground(course, field, pen, spare=beside) for kind, beside in spares for course in courses(field, kind)]
        return shapely.union_all(found) if found else Polygon()

    return pen.once(measured, field, by=("covered by courses", spares))
