"""Outlines of letters: the contours of their glyphs, and the area of a printed text."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Affine, Font, Text
from printkit.drawing.lettering.extent import text_foot
from printkit.drawing.lettering.typefaces import advances, typeface

# Flag bits of points in simple glyphs, and of components in composite glyphs (OpenType specification, glyf table).
_ON_CURVE, _X_SHORT, _Y_SHORT, _REPEAT, _X_SAME, _Y_SAME = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_WORDS, _OFFSETS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x01, 0x02, 0x08, 0x20, 0x40, 0x80
_FRACTION: Final = 1 << 14


class GlyphPoint(NamedTuple):
    """A point of a contour in typeface units, and whether it is on the curve."""

    x: float
    y: float
    on_curve: bool


Contour: TypeAlias = list[GlyphPoint]


def units_per_em(font: Font) -> int:
    """Return the number of typeface units per em, the size of the type."""
    return int(typeface(font).face.unitsPerEm)


def letter_contours(font: Font, letter: str) -> list[Contour]:
    """Return the contours of a letter that the typeface has, in typeface units, y up; empty for a space."""
    face = typeface(font).face
    return _glyph_contours(face, face.charToGlyph[ord(letter)])


def contour_segments(contour: Contour) -> list[tuple[GlyphPoint | None, GlyphPoint]]:
    """Return a closed contour as segments: each the control point of a curve, or None for a line, and its end.

    The first segment has only the point where the contour begins, and the last ends there. Two off-curve points in a
    row imply an on-curve point half-way.
    """
    full: Contour = []
    for before, point in zip([contour[-1], *contour[:-1]], contour, strict=True):
        if not before.on_curve and not point.on_curve:
            full.append(GlyphPoint((before.x + point.x) / 2, (before.y + point.y) / 2, True))
        full.append(point)
    start = next(index for index, point in enumerate(full) if point.on_curve)
    segments: list[tuple[GlyphPoint | None, GlyphPoint]] = []
    control: GlyphPoint | None = None
    for point in full[start:] + full[: start + 1]:
        if point.on_curve:
            segments.append((control, point))
        control = None if point.on_curve else point
    return segments


def _glyph_contours(face: Any, number: int) -> list[Contour]:
    """Return the contours of a glyph by its number in the typeface, in typeface units; empty for a space."""
    first, last = face.glyphPos[number], face.glyphPos[number + 1]
    if first == last:
        return []
    data = face.get_table("glyf")[first:last]
    contours = int(struct.unpack_from(">h", data)[0])
    return _simple_contours(data, contours) if contours >= 0 else list(_composite_contours(face, data))


def _simple_contours(data: bytes, count: int) -> list[Contour]:
    """Return the contours of a simple glyph from its data, in typeface units; ``count`` is their number.

    Each is a list of points, with whether it is on the curve.
    """
    ends = struct.unpack_from(f">{count}H", data, 10)
    offset = 10 + 2 * count
    offset += 2 + struct.unpack_from(">H", data, offset)[0]
    flags: list[int] = []
    while len(flags) < ends[-1] + 1:
        flag, offset = data[offset], offset + 1
        flags.append(flag)
        if flag & _REPEAT:
            flags += [flag] * data[offset]
            offset += 1
    x_steps, offset = _read_steps(data, offset, [(flag & _X_SHORT, flag & _X_SAME) for flag in flags])
    y_steps, offset = _read_steps(data, offset, [(flag & _Y_SHORT, flag & _Y_SAME) for flag in flags])
    points = [
        GlyphPoint(x, y, bool(flag & _ON_CURVE))
        for x, y, flag in zip(accumulate(x_steps), accumulate(y_steps), flags, strict=True)
    ]
    return [points[first + 1 : last + 1] for first, last in pairwise((-1, *ends))]


def _read_steps(data: bytes, offset: int, kinds: list[tuple[int, int]]) -> tuple[list[int], int]:
    """Return the coordinate steps between points in typeface units, and the byte offset of the next data.

    ``kinds`` has two flags for each point: whether the step is one byte, and whether it is positive or, if not one
    byte, zero.
    """
    steps = []
    for short, same in kinds:
        if short:
            steps.append(data[offset] if same else -data[offset])
            offset += 1
        elif same:
            steps.append(0)
        else:
            steps.append(struct.unpack_from(">h", data, offset)[0])
            offset += 2
    return steps, offset


def _composite_contours(face: Any, data: bytes) -> Iterator[Contour]:
    """Yield the contours of a composite glyph, such as a letter with an accent, in typeface units.

    The components follow each other, each with its transform.
    """
    offset, flags = 10, _MORE
    while flags & _MORE:
        flags, number = struct.unpack_from(">HH", data, offset)
        offset += 4
        x, y = struct.unpack_from(">hh" if flags & _WORDS else ">bb", data, offset)
        offset += 4 if flags & _WORDS else 2
        count = 1 if flags & _SCALE else 2 if flags & _TWO_SCALES else 4 if flags & _MATRIX else 0
        component_transform = _component_transform(
            [value / _FRACTION for value in struct.unpack_from(f">{count}h", data, offset)]
        )
        offset += 2 * count
        transform = component_transform._replace(e=float(x), f=float(y)) if flags & _OFFSETS else component_transform
        for contour in _glyph_contours(face, number):
            yield [GlyphPoint(*transform.at(point.x, point.y), point.on_curve) for point in contour]


def _component_transform(numbers: list[float]) -> Affine:
    """Return the transform of a component, without an offset.

    ``numbers`` has no value, one scale, two scales (x, y), or the four values of a matrix (a, b, c, d as in
    ``Affine``). Scales are factors.
    """
    match numbers:
        case [scale]:
            return Affine(a=scale, d=scale)
        case [x_scale, y_scale]:
            return Affine(a=x_scale, d=y_scale)
        case [a, b, c, d]:
            return Affine(a, b, c, d)
        case _:
            return Affine()


# Tolerance for simplifying the outline of a letter, in type sizes.
_TOLERANCE: Final = 0.01


@cache
def _letter_outline(font: Font, letter: str) -> BaseGeometry:
    """Return the area of a letter without its holes, in type sizes from its left foot; empty for a space."""
    rings: list[BaseGeometry] = []
    for contour in letter_contours(font, letter):
        (_, before), *segments = contour_segments(contour)
        points = [(before.x, before.y)]
        for control, end in segments:
            if control is not None:
                # The middle of the curve.
                points.append(((before.x + 2 * control.x + end.x) / 4, (before.y + 2 * control.y + end.y) / 4))
            points.append((end.x, end.y))
            before = end
        if len(points) > 3:
            rings.append(shapely.make_valid(shapely.polygons(np.array(points) / units_per_em(font))))
    return shapely.simplify(shapely.union_all(rings), _TOLERANCE)


def letters_area(texts: Iterable[Text], reach: float) -> BaseGeometry:
    """Return the area within ``reach`` of the letters of texts; all lengths are in printed mm.

    The holes of letters belong to it.
    """
    outlines, places = [], []
    for text in texts:
        size = text.size_pt * MM_PER_POINT
        outlines += [_letter_outline(text.font, letter) for letter in text.content]
        places += [(size, *foot) for foot in _letter_feet(text)]
    sizes, x, y, angles = np.array(places).reshape(-1, 4).T
    points, indexes = shapely.get_coordinates(outlines, return_index=True)
    angles = np.radians(angles)
    cosines, sines = ((sizes * values)[indexes] for values in (exact_math.cos(angles), exact_math.sin(angles)))
    placed_points = [
        x[indexes] + cosines * points[:, 0] - sines * points[:, 1],
        y[indexes] + sines * points[:, 0] + cosines * points[:, 1],
    ]
    shapes = shapely.set_coordinates(np.array(outlines, dtype=object), np.column_stack(placed_points))
    return shapely.union_all(shapely.buffer(shapes, reach, quad_segs=4))


def _letter_feet(text: Text) -> Iterable[tuple[float, float, float]]:
    """Return x and y of the left foot of each letter of a text, in printed mm, and its angle in degrees."""
    if text.glyphs:
        return text.glyphs
    (x, y), turn = text_foot(text), math.radians(text.angle)
    steps = [step * text.size_pt * MM_PER_POINT + text.track for step in advances(text.font).steps(text.content)]
    starts = accumulate(steps[:-1], initial=0.0)
    return [(x + start * math.cos(turn), y + start * math.sin(turn), text.angle) for start in starts]
