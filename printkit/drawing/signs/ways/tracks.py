"""Tracks and paths: a strip between two broken lines, and one fine broken line.

Both give way to whatever is wider; a track opens the casing of the road that it comes to.

Source: the cartography, 10.5.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

import shapely

from printkit.drawing.canvas.items import Cap, Laid, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.signs.lines.course_lines import band, courses, on, ruled
from printkit.drawing.signs.lines.widths import covered, ground, sized
from printkit.drawing.signs.ways.roads import ROADS, beside, casing_width, forded, open_ground
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind

_DASH: Final = (3.4, 1.8)
_STAGGER: Final = 1.2
_LINE: Final = 0.42
_PATH_DASH: Final = (2.2, 1.5)
_HAIR: Final = 0.1


def track(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw a track: a pale strip between two broken lines whose gaps do not stand opposite one another."""
    course = sized(course, pen)
    line, wet, roads = open_ground(course, field), forded(course, pen, field), covered(field, ROADS, pen)
    tracks = courses(field, Kind.TRACK)
    before = [ground(other, field, pen) for other in takewhile(lambda other: other.id != course.id, tracks)]
    strip = shapely.difference(band(line, course.width), shapely.union_all([roads, wet, *before]))
    yield from on(LayerName.COURSE, fill(strip, pen.tint("track", 0.75)))
    yield from _mouths(course, pen, field)
    others = [ground(other, field, pen, spare=-_HAIR) for other in tracks if other.id != course.id]
    cut = shapely.union_all([roads, wet, *others])
    for side, phase in ((1, 0.0), (-1, _STAGGER)):
        border = beside(line, side * course.width / 2, cut)
        dashed = ruled(border, pen, "road-casing", _LINE, dash=_DASH, phase=phase, cap=Cap.BUTT, least=LEAST_MEANING)
        yield from on(LayerName.COURSE_DETAIL, dashed)


def path(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw a path: one fine broken line on a thread of pale ground."""
    wider = covered(field, (*ROADS, Kind.TRACK), pen)
    course = sized(course, pen)
    line = shapely.difference(open_ground(course, field), wider.union(forded(course, pen, field)))
    if pen.style.washes:
        yield from on(LayerName.COURSE, ruled(line, pen, "track", 1.5, alpha=0.6, cap=Cap.BUTT))
    dashed = ruled(line, pen, "road-casing", _LINE, dash=_PATH_DASH, cap=Cap.BUTT, least=LEAST_MEANING)
    yield from on(LayerName.COURSE_DETAIL, dashed)


def _mouths(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw the surface of roads over their own casing, where the track comes in."""
    inner = band(open_ground(course, field), course.width - pen.width(_LINE, least=LEAST_MEANING))
    for kind in ROADS:
        for road in courses(field, kind):
            surface = ground(road, field, pen, spare=-2 * casing_width(pen))
            rim = shapely.difference(ground(road, field, pen, spare=_HAIR), surface)
            yield from on(LayerName.COURSE, fill(shapely.intersection(inner, rim), pen.style.ink("road")))
