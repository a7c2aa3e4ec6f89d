"""Cliffs: a hard crest and below it a wall of buttresses, each with a face in the light and a face in shade.

Source: the cartography, 10.1.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import shapely
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Join, Laid, LayerName
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.signs.lines.course_lines import Measured, on, overrun, ruled
from printkit.drawing.signs.lines.widths import sized
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course

DEPTH: Final = 6.5
"""How far a cliff on a hill reaches down, in mm at 1:1."""

_STEP: Final = 0.5
_MEAN: Final = 0.76
_WAVER: Final = 0.24
_WAVE: Final = 16.0
_END: Final = 7.0
_END_DEPTH: Final = 0.30
_BUTTRESS: Final = (2.0, 4.5)
_RIDGE: Final = (0.38, 0.62)
_FOOT: Final = (0.86, 1.0)
_BETWEEN: Final = 0.55
"""Share of the depth down to which the wall is closed between its buttresses."""

_SHADE_STROKES: Final = (0.2, 0.4, 0.6, 0.8)
_TO_LIGHT: Final = np.array([-0.7071, 0.7071])


class _Buttress(NamedTuple):
    """A buttress: where it begins and ends on the crest, its ridge's head there, its foot; which half is in shade."""

    first: Line
    last: Line
    head: Line
    foot: Line
    shaded: Line

    @property
    def lit(self) -> Line:
        """Return the corner of the half in the light."""
        return self.first if self.shaded is self.last else self.last


def cliff(course: Course, pen: Pen, field: Battlefield) -> Laid:
    """Draw a cliff that stands alone: its crest is the course, the drop lies on the right of its direction."""
    course = sized(course, pen)
    line, stream = overrun(course, field), pen.stream(f"draw/{course.id}/cliff")
    yield from cliff_along(line, pen, stream, depth=course.width, layer=LayerName.WORKS)


def cliff_along(
    line: BaseGeometry,
    pen: Pen,
    stream: Stream,
    *,
    depth: float | None = None,
    layer: LayerName = LayerName.CONTOUR,
) -> Laid:
    """Draw a cliff along any lines, each of them a crest with the drop on its right, as on the face of a hill.

    Args:
        line: lines in printed mm.
        stream: for the width and the feet of its buttresses.
        depth: printed mm from the crest to the foot; None is what suits a hill, ``DEPTH``.
        layer: where all of it is painted, its shadow first.
    """
    deep = pen.size(DEPTH) if depth is None else depth
    for part in lines(line):
        if part.length > pen.size(_BUTTRESS[1]):
            yield from _wall(resampled(part, pen.size(_STEP)), deep, pen, stream, layer)


def _wall(crest: Line, depth: float, pen: Pen, stream: Stream, layer: LayerName) -> Laid:
    foot = _foot(crest, depth, pen)
    found = _buttresses(crest, foot, pen, stream)
    between = crest + (foot - crest) * _BETWEEN
    pieces = np.stack([crest[:-1], crest[1:], between[1:], between[:-1], crest[:-1]], axis=1)
    fronts = [Polygon([each.first, each.last, each.foot]) for each in found]
    body = shapely.union_all([*shapely.convex_hull(shapely.polygons(pieces)), *fronts])
    if pen.style.shadows:
        cast = affinity.translate(body, pen.size(1.2), -pen.size(1.2))
        yield from on(layer, fill(shapely.difference(cast, body), pen.tint("shadow", 0.22)))
    yield from on(layer, fill(body, pen.style.ink("cliff")))
    yield from on(
        layer, fill([Polygon([each.head, each.lit, each.foot]) for each in found], pen.style.ink("cliff-lit"))
    )
    shaded = [Polygon([each.head, each.shaded, each.foot]) for each in found]
    yield from on(layer, fill(shaded, pen.style.ink("cliff-shaded")))
    edges = [np.array([each.first, each.foot, each.last]) for each in found]
    ridges = [np.array([each.head, each.foot]) for each in found]
    yield from on(layer, ruled([*edges, *ridges], pen, "rock-line", 0.26, join=Join.MITRE))
    if pen.style.hatched:
        yield from on(layer, wedges(_shade_strokes(found, pen), pen.style.ink("rock-line")))
    yield from on(layer, ruled(crest, pen, "rock-line", 1.05, least=LEAST_MEANING))


def _foot(crest: Line, depth: float, pen: Pen) -> Line:
    """Return the foot below every point of the crest: uneven, and drawn in towards both ends."""
    way = Measured.of(crest)
    waver = np.clip(pen.noise.at(crest[:, 0], crest[:, 1], _WAVE * pen.scale), -1.0, 1.0)
    to_end = np.minimum(way.gone, way.length - way.gone) / pen.size(_END)
    ends = _END_DEPTH + (1 - _END_DEPTH) * np.sin(np.pi / 2 * np.minimum(1.0, to_end))
    return np.asarray(crest - normals(crest) * (depth * (_MEAN + _WAVER * waver) * ends)[:, None])


def _buttresses(crest: Line, foot: Line, pen: Pen, stream: Stream) -> list[_Buttress]:
    """Return buttresses side by side along the crest; of each the half that faces away from the light is in shade."""
    way, below = Measured.of(crest), Measured.of(foot)
    widths = [0.0]
    while widths[-1] < way.length:
        widths.append(widths[-1] + pen.size(stream.between(*_BUTTRESS)))
    ends = np.array(widths) * (way.length / widths[-1])
    found: list[_Buttress] = []
    for begins, stops in pairwise(ends):
        middle = begins + (stops - begins) * stream.between(*_RIDGE)
        first, last, head = way.at([begins, stops, middle])
        place = float(np.interp(middle, way.gone, np.arange(len(crest))))
        tip = np.array([np.interp(place, np.arange(len(foot)), below.points[:, axis]) for axis in (0, 1)])
        tip = head + (tip - head) * stream.between(*_FOOT)
        shaded = last if float((last - first) @ _TO_LIGHT) < 0 else first
        found.append(_Buttress(first, last, head, tip, shaded))
    return found


def _shade_strokes(found: list[_Buttress], pen: Pen) -> list[tuple[Line, float, float]]:
    """Return the strokes that darken the halves in shade where there is no tone: from the crest, closing downwards."""
    thick, thin = pen.width(0.28), pen.width(0.12)
    return [
        (
            np.array(
                [
                    each.head + (each.shaded - each.head) * share,
                    each.foot + (each.shaded - each.foot) * 0.15 * share,
                ]
            ),
            thick,
            thin,
        )
        for each in found
        for share in _SHADE_STROKES
    ]
