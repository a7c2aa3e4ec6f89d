"""Roads: a dark casing under a pale surface with the ruts of wheels, on three layers, so that they open at meetings."""

from __future__ import annotations

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.items import Laid, LayerName
from printkit.drawing.pen import LEAST_MEANING, Pen
from printkit.drawing.shapes import fill, lines
from printkit.drawing.signs.courses import areas, band, courses, ends_on, on, overrun, parallel, ruled
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Course, Crossing, Kind

_CASING = 0.55
_SOFT = 1.0
_HAIR = 0.1
_RUTS = (0.13, 0.27)
_NOTHING = Polygon()


def road(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw a road at its true width, up to a built-up area, whose street goes on, and not over the water of a ford."""
    line = open_ground(course, field)
    yield from laid(line, course.width, pen, cut=_fords(course, field))
    others = [other for other in courses(field, Kind.ROAD) if ends_on(course, other)]
    crossed = [band(other.line, other.width) for other in others]
    yield from ruts(line, course.width, pen, cut=shapely.union_all([_fords(course, field), *crossed]))


def open_ground(course: Course, field: Battlefield) -> BaseGeometry:
    """Return the centre line beyond the board's edges and outside the built-up areas that it comes to."""
    towns = [town.outline for town in areas(field, Kind.BUA)]
    return shapely.difference(overrun(course, field), shapely.union_all(towns)) if towns else overrun(course, field)


def laid(line: BaseGeometry, width: float, pen: Pen, *, cut: BaseGeometry = _NOTHING) -> Laid:
    """Draw casing and surface of a way of ``width`` mm over all, but not on the ground of ``cut``."""
    casing = pen.width(_CASING, least=LEAST_MEANING)
    # The casing stops short of the surface, or its edge would show as a hair where both are cut.
    whole = shapely.difference(band(line, width), cut.buffer(_HAIR))
    if pen.style.washes:
        soft = shapely.difference(band(line, width + 2 * pen.size(_SOFT)), cut)
        yield from on(LayerName.CASING, fill(soft, pen.tint("relief-shade", 0.10)))
    yield from on(LayerName.CASING, fill(whole, pen.style.ink("road-casing")))
    surface = shapely.difference(band(line, width - 2 * casing), cut)
    yield from on(LayerName.COURSE, fill(surface, pen.style.ink("road")))


def ruts(line: BaseGeometry, width: float, pen: Pen, *, cut: BaseGeometry = _NOTHING) -> Laid:
    """Draw the ruts of wheels: one pair in a narrow way, two where carts can pass."""
    pairs = _RUTS if width > pen.size(13) else (0.17,)
    for number, share in enumerate(pairs):
        for side in (1, -1):
            tracks = [
                shapely.difference(track, cut) for part in lines(line) for track in parallel(part, side * share * width)
            ]
            phase = 3 + 3 * side + 7.5 * number
            dashes = ruled(tracks, pen, "wheel-rut", 0.45, alpha=0.85, dash=(9, 3.5, 4, 5), phase=phase)
            yield from on(LayerName.COURSE_DETAIL, dashes)


def _fords(course: Course, field: Battlefield) -> BaseGeometry:
    """Return the water that this road wades, which shows through it."""
    waters: list[BaseGeometry] = []
    for crossing in field.of(Kind.FORD):
        if isinstance(crossing, Crossing) and crossing.way == course.id:
            water = field.find(crossing.water)
            if isinstance(water, Course):
                waters.append(band(overrun(water, field), water.width))
    return shapely.union_all(waters) if waters else _NOTHING
