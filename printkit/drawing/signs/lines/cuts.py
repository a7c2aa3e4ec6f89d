"""Cuts: ravines, gullies and ditches.

They are below all waters and roads: a stream can run in a ravine, and a bridge can cross a ditch.

Source: the cartography, 10.1.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct, convert
from numpy.typing import NDArray
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Cap, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.lines.course_lines import (
    TOUCH,
    WATERS,
    MeasuredLine,
    courses,
    courses_meet,
    covered,
    extend_past_edge,
    on_layer,
    set_drawn_width,
    stroke_shape,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, Course, find_family

CUTS: Final = find_family("cut")

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
_RAVINE_HAIR: Final = 0.05

# Bends of a ditch: greatest shift in half widths, least number and how many numbers there are, and how uneven they are.
# The last value is the reach of its ground past the true ground in mm at 1:1.
_BENDS: Final = (0.75, (5, 4), 0.11, 2.0)
_NARROWS: Final = 0.20  # Greatest part of the width that is missing
_NARROW_END: Final = (25.0, 0.28)  # Length of an open end in mm at 1:1, and its width as a share of the usual width

# Spoil bank: its breadth as a share of half the width, its wave in mm at 1:1, and pitch and width of its strokes
_BANK: Final = (0.46, 22.0, 2.1, 0.42)
_TO_LIGHT: Final = np.array([-0.7071, 0.7071])


class RavineStyle(Struct, frozen=True, kw_only=True):
    """Drawing settings for one kind of cut; lengths in mm at 1:1.

    Attributes:
        pitch: spacing of the strokes.
        stroke: width of a stroke.
        edge: width of the line along the brink.
        ink: ink of strokes and edge.
        even: whether it is a ditch: of about constant width, with narrow ends and a spoil bank on one side.
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


_STYLES: Final = {kind: convert(KIND_ROWS[kind].look, RavineStyle) for kind in CUTS}


class _Cut(Struct, frozen=True):
    """The shape of a cut, in printed mm.

    Attributes:
        bed: points of the bed, n x 2.
        brinks: points of the left and of the right brink, one for each point of the bed.
        half: half the width at each point.
        bank_side: side with a spoil bank, 0 for the left and 1 for the right; None for a cut without a bank.
        bank: breadth of that bank at each point, as a share of half the width.
    """

    bed: Line
    brinks: tuple[Line, Line]
    half: NDArray[np.float64]
    bank_side: int | None = None
    bank: NDArray[np.float64] | None = None

    def slope_top(self, side: int) -> Line:
        """Return the upper edge of the slope on one side, in printed mm: the brink, or the inner edge of the bank."""
        if side != self.bank_side or self.bank is None:
            return self.brinks[side]
        return self.brinks[side] + self.bank[:, None] * (self.bed - self.brinks[side])

    def quads(self, side: int) -> NDArray[np.object_]:
        """Return the pieces of one bank from brink to bed, as polygons in printed mm.

        ``side`` is 0 for the left bank and 1 for the right.
        """
        brink = self.brinks[side]
        return np.asarray(
            shapely.polygons(np.stack([brink[:-1], brink[1:], self.bed[1:], self.bed[:-1], brink[:-1]], axis=1))
        )

    @property
    def body(self) -> BaseGeometry:
        """Return the complete ground of the cut, in printed mm.

        Pieces may overlap inside a narrow bend; convex hulls prevent holes there.
        """
        pieces = np.concatenate([self.quads(0), self.quads(1)])
        return shapely.union_all(shapely.convex_hull(pieces))


def cut(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a ravine, a gully or a ditch between its brinks.

    Shapes and items are in printed mm.
    """
    style = _STYLES[course.kind]
    course = set_drawn_width(course, context)
    shape = _build_cut(course, style, context, field)
    body = shape.body
    yield from on_layer(LayerName.CUT, fill(body, context.style.ink("ravine-bed")))
    yield from _draw_shades(shape, body, context)
    yield from _draw_strokes(shape, course, style, context)
    yield from _draw_spoil_bank(shape, course, style, context)
    yield from _draw_bed(shape, style, context, field)
    touching_grounds = [
        compute_cut_ground(neighbour, context, field)
        for neighbour in courses(field, *CUTS)
        if courses_meet(course, neighbour)
    ]
    # Slightly more than the ground of the others, or a line would separate two cuts that meet end to end.
    inside = shapely.buffer(shapely.union_all(touching_grounds), _RAVINE_HAIR)
    brinks = [shapely.difference(part.exterior, inside) for part in polygons(body)]
    edge = stroke_shape(brinks, context, style.ink, style.edge, join=Join.ROUND, minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.CUT, edge)


def compute_cut_ground(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a ravine, a gully or a ditch from brink to brink, in printed mm.

    Raises:
        KeyError: the course is of another kind.
    """
    return _build_cut(set_drawn_width(course, context), _STYLES[course.kind], context, field).body


def _build_cut(course: Course, style: RavineStyle, context: SymbolContext, field: Battlefield) -> _Cut:
    """Return the cut along its course, in printed mm.

    An end tapers to a point, unless another cut or the board's edge is there.
    """
    bed = resampled(extend_past_edge(course, field), context.size(_STEP))
    half_widths = np.full(len(bed), course.width / 2)
    waver = np.clip(context.noise.at(bed[:, 0], bed[:, 1], _WAVE * context.scale), -1.0, 1.0)
    shares = np.linspace(0.0, 1.0, len(bed))
    other_cuts = [cut.line for cut in courses(field, *CUTS) if cut.id != course.id]
    open_ends = [
        distance_shares
        for end, distance_shares in ((course.line.coords[0], shares), (course.line.coords[-1], 1.0 - shares))
        if all(line.distance(Point(end)) > TOUCH for line in (field.board.shape.exterior, *other_cuts))
    ]
    if style.even:
        return _bend_ditch(course, bed, half_widths * (1.0 - _NARROWS * (1.0 - waver) / 2), open_ends, context)
    taper = np.ones(len(bed))
    for distance_shares in open_ends:
        taper *= _POINT + (1 - _POINT) * exact_math.sin(np.pi / 2 * np.minimum(1.0, distance_shares / _PINCHED))
    half_widths = half_widths * taper * (1.0 - _WAVER * (1.0 - waver) / 2)
    offsets = normals(bed) * half_widths[:, None]
    return _Cut(bed, (bed + offsets, bed - offsets), half_widths)


def _bend_ditch(
    course: Course,
    line: Line,
    half_widths: NDArray[np.float64],
    open_ends: list[NDArray[np.float64]],
    context: SymbolContext,
) -> _Cut:
    """Return a ditch with five to eight slight bends, narrow open ends and a spoil bank, in printed mm.

    It reaches at most 2 mm at 1:1 past its true ground, and the true line is always inside it.

    Args:
        course: the ditch at its drawn width.
        line: points of its true line, evenly spaced.
        half_widths: half its width at each point.
        open_ends: for each end in open ground, the distance of each point from it, as a share of the length.
        context: gives sizes and noise.
    """
    length = float(np.hypot(*np.diff(line, axis=0).T).sum())
    long, narrow = _NARROW_END
    reach = min(context.size(long), length / 3)
    taper = np.ones(len(line))
    for distance_shares in open_ends:
        share = np.minimum(1.0, distance_shares * length / reach)
        taper *= narrow + (1 - narrow) * exact_math.sin(np.pi / 2 * share)
    half_widths = half_widths * taper
    most, (fewest, kinds), unevenness, past = _BENDS
    chance = context.stream(f"draw/{course.id}/spoil")
    bank_side, bends = chance.draw_index(2), fewest + chance.draw_index(kinds)
    noise = np.clip(context.noise.at(line[:, 0], line[:, 1], length / bends), -1.0, 1.0)
    shares = np.linspace(0.0, 1.0, len(line)) + unevenness * noise
    swing = exact_math.sin(np.pi * (bends * shares + chance.draw_unit())) * (0.8 + 0.2 * noise)
    # Both ends stay where they are, because other ground may begin there.
    free = np.minimum(1.0, np.minimum(np.linspace(0, length, len(line)), np.linspace(length, 0, len(line))) / reach)
    room = np.minimum(most * half_widths, context.size(past) + course.width / 2 - half_widths)
    bed = line + normals(line) * (swing * free * room)[:, None]
    offsets = normals(bed) * half_widths[:, None]
    breadth, bank_wave, _, _ = _BANK
    uneven = np.clip(context.noise.at(line[:, 1], line[:, 0], context.size(bank_wave)), -1.0, 1.0)
    return _Cut(bed, (bed + offsets, bed - offsets), half_widths, bank_side, breadth * (0.82 + 0.3 * uneven))


def _draw_shades(shape: _Cut, body: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the banks, dark on the side away from the light and pale on the side towards it.

    Each tone has three depths. ``body`` is the ground of the cut, in printed mm.
    """
    if not context.style.washes:
        return
    pieces = np.concatenate([shape.quads(0), shape.quads(1)])
    bank_normals = normals(shape.bed)
    middles = (bank_normals[:-1] + bank_normals[1:]) / 2
    lit = exact_math.product(np.concatenate([-middles, middles]), _TO_LIGHT)
    for token, alpha, facing in (("ravine-shaded", _SHADED, -lit), ("ravine-lit", _LIT, lit)):
        for threshold in _SHADES:
            facing_pieces = shapely.convex_hull(pieces[facing > threshold])
            tone = shapely.intersection(shapely.union_all(facing_pieces), body)
            yield from on_layer(LayerName.CUT, fill(tone, context.tint(token, alpha / len(_SHADES))))


def _draw_strokes(shape: _Cut, course: Course, style: RavineStyle, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw strokes down both banks, heavier where the bank faces away from the light.

    They are evenly spaced along each brink. Shapes and items are in printed mm.
    """
    stream = context.stream(f"draw/{course.id}/banks")
    strokes: list[tuple[Line, float, float]] = []
    for brink in (shape.slope_top(0), shape.slope_top(1)):
        brink_line = MeasuredLine.from_line(brink)
        distance = 0.0
        while distance < brink_line.length:
            index = float(np.interp(distance, brink_line.distances, np.arange(len(brink))))
            low = min(int(index), len(shape.bed) - 2)
            top = brink_line.at(distance)[0]
            bottom = shape.bed[low] + (shape.bed[low + 1] - shape.bed[low]) * (index - low)
            depth = float(np.hypot(*(bottom - top)))
            share = stream.between(*_STROKE_SHARE)
            distance += context.size(style.pitch) * stream.between(0.85, 1.15)
            if depth >= context.size(_LEAST_HALF):
                down = (bottom - top) / depth
                stroke_width = style.stroke * (1 - _AWAY_FROM_LIGHT * float(exact_math.product(down, _TO_LIGHT)))
                foot = top + down * min(share * depth, context.size(_LONGEST) * share)
                strokes.append(
                    (np.array([top, foot]), context.width(stroke_width, minimum_mm=LEAST_MEANING), context.width(0.12))
                )
    yield from on_layer(LayerName.CUT, wedges(strokes, context.style.ink(style.ink)))


def _draw_spoil_bank(shape: _Cut, course: Course, style: RavineStyle, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the spoil bank of a ditch: its ground, its crest, and strokes that fall outward.

    Shapes and items are in printed mm.
    """
    if shape.bank_side is None or shape.bank is None:
        return
    stream = context.stream(f"draw/{course.id}/bank")
    brink, crest = shape.brinks[shape.bank_side], shape.slope_top(shape.bank_side)
    quads = shapely.polygons(np.stack([brink[:-1], brink[1:], crest[1:], crest[:-1], brink[:-1]], axis=1))
    _, _, pitch, width = _BANK
    yield from on_layer(LayerName.CUT, fill(shapely.union_all(shapely.convex_hull(quads)), context.style.ink("hill-1")))
    yield from on_layer(LayerName.CUT, stroke_shape(crest, context, style.ink, style.edge, minimum_mm=LEAST_MEANING))
    strokes: list[tuple[Line, float, float]] = []
    crest_line = MeasuredLine.from_line(crest)
    distance = context.size(pitch) / 2
    while distance < crest_line.length:
        index = min(int(np.searchsorted(crest_line.distances, distance)), len(brink) - 1)
        fall = (brink[index] - crest[index]) * stream.between(0.55, 0.85)
        strokes.append((np.array([crest[index], crest[index] + fall]), context.width(width), context.width(0.12)))
        distance += context.size(pitch) * stream.between(0.8, 1.2)
    yield from on_layer(LayerName.CUT, wedges(strokes, context.style.ink(style.ink)))


def _draw_bed(shape: _Cut, style: RavineStyle, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw the dry bed where it has room.

    A cut with a stream in it has no bed line. Shapes and items are in printed mm.
    """
    if style.dash is None:
        return
    wet = covered(field, WATERS, context)
    line = LineString(shape.bed)
    if shapely.intersection(line, wet).length > _WATERED * line.length:
        return
    wide_indices = np.flatnonzero(shape.half >= context.size(2 * _LEAST_HALF))
    if len(wide_indices) > 1:
        piece = shape.bed[wide_indices[0] : wide_indices[-1] + 1]
        cap = Cap.ROUND if style.dash[0] < 0.1 else Cap.BUTT
        stroke_options = {"dash": style.dash, "cap": cap, "minimum_mm": LEAST_MEANING}
        yield from on_layer(LayerName.CUT, stroke_shape(piece, context, "hachure-gentle", style.bed, **stroke_options))
