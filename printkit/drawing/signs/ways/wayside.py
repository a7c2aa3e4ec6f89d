"""Single trees along roads and rivers: ornament that gives a calm board its measure, and never stands for a wood."""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Laid
from printkit.drawing.canvas.shapes import normals, resampled
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.scatter.crowns import trees
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind

_STEP: Final = {
    Kind.ROAD: 46.0,
    Kind.FENCED_ROAD: 46.0,
    Kind.TRACK: 60.0,
    Kind.RIVER: 40.0,
    Kind.CREEK: 40.0,
    Kind.STREAM: 44.0,
}
"""Millimetres along a course from one tree to the next; no other course has trees."""

_KEPT: Final = 0.7
_OFF: Final = (9.2, 14.0)
_RADII: Final = (3.6, 4.8)
_APART: Final = 12.0
_FROM_EDGE: Final = 8.0


def wayside_trees(field: Battlefield, pen: Pen, free: BaseGeometry) -> Laid:
    """Draw trees beside the courses of a battlefield in printed mm, on free ground only and clear of labels."""
    room = free.intersection(field.board.shape.buffer(-pen.size(_FROM_EDGE))).difference(pen.clear)
    room = room.buffer(-pen.size(_RADII[1]))
    stream = pen.stream("draw/wayside/trees")
    places: list[tuple[float, float]] = []
    for course in field.features:
        if isinstance(course, Course) and course.kind in _STEP:
            places += _beside(course, pen)
    kept: list[tuple[float, float]] = []
    for x, y in places:
        fits = shapely.contains_xy(room, x, y)
        if fits and all(np.hypot(x - other[0], y - other[1]) >= pen.size(_APART) for other in kept):
            kept.append((x, y))
    kept.sort(key=lambda place: -place[1])
    yield from trees(kept, [pen.size(stream.between(*_RADII)) for _ in kept], "crown", pen, stream)


def _beside(course: Course, pen: Pen) -> list[tuple[float, float]]:
    """Return where trees may stand along a course: now on its left, now on its right, some left out."""
    stream = pen.stream(f"draw/{course.id}/wayside")
    line = resampled(course.line, pen.size(_STEP[course.kind]))
    found = []
    for (x, y), (across, up) in zip(line, normals(line), strict=True):
        side = 1 if stream.unit() < 0.5 else -1
        off = side * (course.width / 2 + pen.size(stream.between(*_OFF)))
        if stream.unit() < _KEPT:
            found.append((x + off * across, y + off * up))
    return found
