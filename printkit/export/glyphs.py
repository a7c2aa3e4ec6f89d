"""Outlines of letters from TrueType files as SVG path data: quadratic curves in typeface units, y up."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Affine, Font
from printkit.drawing.lettering.typefaces import typeface

# Flag bits of points in simple glyphs, and of components in composite glyphs (OpenType specification, glyf table).
_ON_CURVE, _X_SHORT, _Y_SHORT, _REPEAT, _X_SAME, _Y_SAME = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_WORDS, _OFFSETS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x01, 0x02, 0x08, 0x20, 0x40, 0x80
_FRACTION: Final = 1 << 14


class _Point(NamedTuple):
    """A point of a contour in typeface units, and whether it is on the curve."""

    x: float
    y: float
    on_curve: bool


_Contour = list[_Point]


@cache
def outline(font: Font, letter: str) -> str:
    """Return the SVG path data of a letter in typeface units, y up; empty for a space.

    Raises:
        PageError: the typeface does not have the letter.
    """
    face = typeface(font).face
    if ord(letter) not in face.charToGlyph:
        raise PageError("{font} has no character {letter!r} (U+{code:04X})", font=font, letter=letter, code=ord(letter))
    return "".join(_contour_path(contour) for contour in _glyph_contours(face, face.charToGlyph[ord(letter)]))


def units_per_em(font: Font) -> int:
    """Return the number of typeface units per em, the size of the type."""
    return int(typeface(font).face.unitsPerEm)


def _glyph_contours(face: Any, number: int) -> list[_Contour]:
    """Return the contours of a glyph by its number in the typeface, in typeface units; empty for a space."""
    first, last = face.glyphPos[number], face.glyphPos[number + 1]
    if first == last:
        return []
    data = face.get_table("glyf")[first:last]
    contours = int(struct.unpack_from(">h", data)[0])
    return _simple_contours(data, contours) if contours >= 0 else list(_composite_contours(face, data))


def _simple_contours(data: bytes, count: int) -> list[_Contour]:
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
        _Point(x, y, bool(flag & _ON_CURVE))
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


def _composite_contours(face: Any, data: bytes) -> Iterator[_Contour]:
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
            yield [_Point(*transform.at(point.x, point.y), point.on_curve) for point in contour]


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


def _contour_path(contour: _Contour) -> str:
    """Return a contour as SVG path data in typeface units.

    Two consecutive off-curve points imply an on-curve point half-way.
    """
    full: _Contour = []
    for before, point in zip([contour[-1], *contour[:-1]], contour, strict=True):
        if not before.on_curve and not point.on_curve:
            full.append(_Point((before.x + point.x) / 2, (before.y + point.y) / 2, True))
        full.append(point)
    start = next(index for index, point in enumerate(full) if point.on_curve)
    ring = full[start:] + full[: start + 1]
    parts = [f"M{_xy(ring[0])}"]
    control: _Point | None = None
    for point in ring[1:]:
        if not point.on_curve:
            control = point
        else:
            parts.append(f"L{_xy(point)}" if control is None else f"Q{_xy(control)} {_xy(point)}")
            control = None
    return "".join(parts) + "Z"


def _xy(point: _Point) -> str:
    """Return the rounded coordinates of a point with a space between them, in typeface units."""
    return f"{round(point.x)} {round(point.y)}"
