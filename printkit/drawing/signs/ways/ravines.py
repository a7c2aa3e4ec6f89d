"""Cuts in the ground: ravines, gullies and ditches, as two banks of strokes on both sides of a narrow bed.

They are below all waters and roads: a stream can run in a ravine, and a bridge can cross a ditch.

Source: the cartography, 10.1.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.items import Cap, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.lines.course_lines import (
    TOUCH,
    WATERS,
    Measured,
    courses,
    covered,
    extend_past_edge,
    meet,
    on,
    sized,
    stroke_shape,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind

CUTS: Final = (Kind.RAVINE, Kind.GULLY, Kind.DITCH)

_STEP: Final = 1.0
_PINCHED: Final = 0.28
_POINT: Final = 0.03
_WAVER: Final = 0.22
_WAVE: Final = 26.0
_LONGEST: Final = 15.0
_LEAST_HALF: Final = 1.2
_STROKE_SHARE: Final = (0.55, 0.86)
_AWAY_FROM_LIGHT: Final = 0.30
_SHADES: Final = (0.0, 0.34, 0.68)
_SHADED: Final = 0.30
_LIT: Final = 0.35
_WATERED: Final = 0.25
_HAIR: Final = 0.05
_TO_LIGHT: Final = np.array([-0.7071, 0.7071])


class RavineStyle(Struct, frozen=True, kw_only=True):
    """Drawing settings for one kind of cut; lengths in mm at 1:1.

    Attributes:
        pitch: spacing of the strokes.
        stroke: width of a stroke.
        edge: width of the line along the brink.
        ink: ink of strokes and edge.
        even: whether the width stays constant, without tapered ends.
        bed: width of the bed line.
        dash: dashes of the bed line; None for no bed line.
    """

    pitch: float
    stroke: float
    edge: float
    ink: str
    even: bool = False
    bed: float = 0.0
    dash: tuple[float, float] | None = None


_MANNERS: Final = {
    Kind.RAVINE: RavineStyle(pitch=1.5, stroke=0.62, edge=0.62, ink="hachure-steep", bed=0.34, dash=(2.2, 1.5)),
    Kind.GULLY: RavineStyle(pitch=1.9, stroke=0.50, edge=0.45, ink="hachure", bed=0.55, dash=(0.01, 1.8)),
    Kind.DITCH: RavineStyle(pitch=1.5, stroke=0.50, edge=0.45, ink="hachure", even=True),
}


class _Cut(Struct, frozen=True):
    """The shape of a cut.

    Attributes:
        bed: points of the bed.
        brinks: points of the left and of the right brink.
        half: half the width at each point.
    """

    bed: Line
    brinks: tuple[Line, Line]
    half: NDArray[np.float64]

    def quads(self, side: int) -> NDArray[np.object_]:
        """Return the pieces of one bank, from brink to bed."""
        brink = self.brinks[side]
        return np.asarray(
            shapely.polygons(np.stack([brink[:-1], brink[1:], self.bed[1:], self.bed[:-1], brink[:-1]], axis=1))
        )

    @property
    def body(self) -> BaseGeometry:
        """Return the complete ground. Pieces may overlap inside a narrow bend; convex hulls prevent holes there."""
        pieces = np.concatenate([self.quads(0), self.quads(1)])
        return shapely.union_all(shapely.convex_hull(pieces))


def cut(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a ravine, a gully or a ditch between its brinks."""
    manner = _MANNERS[course.kind]
    course = sized(course, context)
    found = _traced(course, manner, context, field)
    body = found.body
    yield from on(LayerName.CUT, fill(body, context.style.ink("ravine-bed")))
    yield from _shades(found, body, context)
    yield from _strokes(found, course, manner, context)
    yield from _bed(found, manner, context, field)
    joined = [cut_ground(other, context, field) for other in courses(field, *CUTS) if meet(course, other)]
    # Slightly more than the ground of the others, or a line would separate two cuts that meet end to end.
    inside = shapely.buffer(shapely.union_all(joined), _HAIR)
    brinks = [shapely.difference(part.exterior, inside) for part in polygons(body)]
    edge = stroke_shape(brinks, context, manner.ink, manner.edge, join=Join.ROUND, least=LEAST_MEANING)
    yield from on(LayerName.CUT, edge)


def cut_ground(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a ravine, a gully or a ditch from brink to brink."""
    return _traced(sized(course, context), _MANNERS[course.kind], context, field).body


def _traced(course: Course, manner: RavineStyle, context: SymbolContext, field: Battlefield) -> _Cut:
    """Return the cut along its course. An end tapers to a point, unless another cut or the board's edge is there."""
    bed = resampled(extend_past_edge(course, field), context.size(_STEP))
    half = np.full(len(bed), course.width / 2)
    if not manner.even:
        gone = np.linspace(0.0, 1.0, len(bed))
        taper = np.ones(len(bed))
        for end, way in ((course.line.coords[0], gone), (course.line.coords[-1], 1.0 - gone)):
            if not _goes_on(Point(end), course, field):
                taper *= _POINT + (1 - _POINT) * elementary.sin(np.pi / 2 * np.minimum(1.0, way / _PINCHED))
        waver = np.clip(context.noise.at(bed[:, 0], bed[:, 1], _WAVE * context.scale), -1.0, 1.0)
        half = half * taper * (1.0 - _WAVER * (1.0 - waver) / 2)
    across = normals(bed) * half[:, None]
    return _Cut(bed, (bed + across, bed - across), half)


def _goes_on(end: Point, course: Course, field: Battlefield) -> bool:
    others = [other.line for other in courses(field, *CUTS) if other.id != course.id]
    return any(line.distance(end) <= TOUCH for line in (field.board.shape.exterior, *others))


def _shades(found: _Cut, body: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Draw the banks dark where they face away from the light and pale where they face it, in three depths each."""
    if not context.style.washes:
        return
    pieces = np.concatenate([found.quads(0), found.quads(1)])
    falls = normals(found.bed)
    middles = (falls[:-1] + falls[1:]) / 2
    lit = elementary.product(np.concatenate([-middles, middles]), _TO_LIGHT)
    for token, alpha, facing in (("ravine-shaded", _SHADED, -lit), ("ravine-lit", _LIT, lit)):
        for least in _SHADES:
            chosen = shapely.convex_hull(pieces[facing > least])
            tone = shapely.intersection(shapely.union_all(chosen), body)
            yield from on(LayerName.CUT, fill(tone, context.tint(token, alpha / len(_SHADES))))


def _strokes(found: _Cut, course: Course, manner: RavineStyle, context: SymbolContext) -> LayeredItems:
    """Draw strokes down both banks, evenly along each brink, heavier where the bank faces away from the light."""
    stream = context.stream(f"draw/{course.id}/banks")
    strokes: list[tuple[Line, float, float]] = []
    for brink in found.brinks:
        way = Measured.of(brink)
        gone = 0.0
        while gone < way.length:
            place = float(np.interp(gone, way.gone, np.arange(len(brink))))
            at, to = way.at(gone)[0], _between(found.bed, place)
            room = float(np.hypot(*(to - at)))
            share = stream.between(*_STROKE_SHARE)
            gone += context.size(manner.pitch) * stream.between(0.85, 1.15)
            if room >= context.size(_LEAST_HALF):
                down = (to - at) / room
                heavy = manner.stroke * (1 - _AWAY_FROM_LIGHT * float(elementary.product(down, _TO_LIGHT)))
                foot = at + down * min(share * room, context.size(_LONGEST) * share)
                strokes.append(
                    (np.array([at, foot]), context.width(heavy, minimum_mm=LEAST_MEANING), context.width(0.12))
                )
    yield from on(LayerName.CUT, wedges(strokes, context.style.ink(manner.ink)))


def _between(line: Line, place: float) -> Line:
    """Return the point of a line at a fractional index."""
    low = min(int(place), len(line) - 2)
    return np.asarray(line[low] + (line[low + 1] - line[low]) * (place - low))


def _bed(found: _Cut, manner: RavineStyle, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw the dry bed where it has room. A cut with a stream in it has no bed line."""
    if manner.dash is None:
        return
    wet = covered(field, WATERS, context)
    line = LineString(found.bed)
    if shapely.intersection(line, wet).length > _WATERED * line.length:
        return
    wide = np.flatnonzero(found.half >= context.size(2 * _LEAST_HALF))
    if len(wide) > 1:
        piece = found.bed[wide[0] : wide[-1] + 1]
        cap = Cap.ROUND if manner.dash[0] < 0.1 else Cap.BUTT
        how = {"dash": manner.dash, "cap": cap, "least": LEAST_MEANING}
        yield from on(LayerName.CUT, stroke_shape(piece, context, "hachure-gentle", manner.bed, **how))
