"""The symbols of the 17 troop types of DBA, in solid black and line: the weapon or the mount.

Each is drawn in a square of ten units around its centre. The outlines differ without colour, so the symbols work in one
ink at the size of a base (F-01). ``patterns.py`` stores them in ``templates/patterns``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from printkit.systems.dba.elements.deployed_overlay import STAR, SymbolPart

_Point: TypeAlias = tuple[float, float]


def _ink_part(*points: _Point) -> SymbolPart:
    """Return a part filled with ink, from its corners in units of the symbol (10 units wide)."""
    return SymbolPart("ink", points)


def _paper_part(*points: _Point) -> SymbolPart:
    """Return a part cut out of the ink, from its corners in units of the symbol (10 units wide)."""
    return SymbolPart("paper", points)


def _line_part(*points: _Point, width: float = 0.7) -> SymbolPart:
    """Return an open line through points; points and width are in units of the symbol (10 units wide)."""
    return SymbolPart("line", points, width)


def _ring_part(points: Iterable[_Point], width: float = 0.7) -> SymbolPart:
    """Return a closed line through points; points and width are in units of the symbol (10 units wide)."""
    return SymbolPart("ring", tuple(points), width)


def _ellipse_points(x: float, y: float, radius: float, height: float = 0.0) -> tuple[_Point, ...]:
    """Return the points of an ellipse around ``x``, ``y``, in units of the symbol.

    ``radius`` is horizontal and ``height`` is the vertical radius; 0 makes a circle.
    """
    return _arc_points(x, y, radius, 0.0, 345.0, height or radius)


def _arc_points(
    x: float, y: float, radius: float, first: float, last: float, height: float = 0.0
) -> tuple[_Point, ...]:
    """Return the points of an arc around ``x``, ``y``, in units of the symbol.

    ``first`` and ``last`` are angles in degrees anticlockwise from the right. ``height`` is the vertical radius; 0
    means ``radius``.
    """
    steps = max(4, round(abs(last - first) / 15))
    angles = [math.radians(first + (last - first) * step / steps) for step in range(steps + 1)]
    return tuple((x + radius * math.cos(angle), y + (height or radius) * math.sin(angle)) for angle in angles)


def _rotate_points(points: Sequence[_Point], degrees: float, centre: _Point = (0.0, 0.0)) -> tuple[_Point, ...]:
    """Return points rotated anticlockwise around ``centre``, in units of the symbol."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    shifted_points = [(x - centre[0], y - centre[1]) for x, y in points]
    return tuple((centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine) for x, y in shifted_points)


def _make_spear(x: float, foot: float, top: float, head: float = 1.7, width: float = 0.55) -> tuple[SymbolPart, ...]:
    """Return a vertical shaft at ``x`` from ``foot`` to ``top``, with a leaf-shaped point at its top.

    ``head`` is the length of the point and ``width`` the width of the shaft, all in units of the symbol.
    """
    leaf = ((x, top), (x + 0.33 * head, top - 0.6 * head), (x, top - head), (x - 0.33 * head, top - 0.6 * head))
    return _line_part((x, foot), (x, top - 0.7 * head), width=width), _ink_part(*leaf)


def _rotate_parts(parts: Iterable[SymbolPart], degrees: float) -> tuple[SymbolPart, ...]:
    """Return parts rotated anticlockwise around the centre of the symbol."""
    return tuple(SymbolPart(part.kind, _rotate_points(part.points, degrees), part.width) for part in parts)


def _make_wheel(x: float, y: float, radius: float, spokes: int = 4) -> tuple[SymbolPart, ...]:
    """Return a wheel around ``x``, ``y`` with spokes across its full diameter, in units of the symbol.

    The parts are the disc, the spokes, the rim and the hub, in painting order.
    """
    rays = []
    for spoke in range(spokes):
        angle = math.pi * spoke / spokes + math.pi / 8
        offset_x, offset_y = radius * math.cos(angle), radius * math.sin(angle)
        rays.append(_line_part((x - offset_x, y - offset_y), (x + offset_x, y + offset_y), width=0.4))
    return (
        _paper_part(*_ellipse_points(x, y, radius)),
        *rays,
        _ring_part(_ellipse_points(x, y, radius), 0.7),
        _ink_part(*_ellipse_points(x, y, 0.28 * radius)),
    )


# The head and neck of a horse that looks to the left.
_HORSE: Final[tuple[_Point, ...]] = (
    (-3.0, -4.6), (2.8, -4.6), (3.1, -1.6), (2.4, 1.4), (0.9, 3.4), (0.7, 4.9), (-0.3, 3.9), (-1.6, 3.2),
    (-3.9, 0.5), (-4.5, -0.6), (-3.9, -1.6), (-2.9, -1.5), (-1.3, -0.5), (-0.5, -0.6), (-1.2, -2.2),
)  # fmt: skip

_ELEPHANT: Final[tuple[_Point, ...]] = (
    (-4.9, -2.6), (-4.2, -3.0), (-3.8, -1.9), (-3.3, -0.6), (-2.6, -1.2), (-2.2, -4.6), (-0.7, -4.6), (-0.5, -2.3),
    (1.7, -2.3), (2.0, -4.6), (3.6, -4.6), (3.8, -1.6), (4.6, -2.6), (4.9, -2.2), (4.3, 0.2), (3.4, 1.5), (1.5, 1.9),
    (-0.8, 1.7), (-1.6, 2.3), (-3.1, 2.3), (-4.2, 1.2), (-4.6, -0.6),
)  # fmt: skip
_CAMEL: Final[tuple[_Point, ...]] = (
    (-4.9, 2.9), (-4.6, 3.7), (-3.5, 4.0), (-3.0, 3.2), (-3.1, 1.2), (-2.5, 0.1), (-1.4, 1.0), (-0.2, 1.5),
    (0.6, 3.9), (1.7, 4.1), (2.6, 1.7), (3.8, 0.9), (4.3, -0.4), (4.0, -4.6), (3.1, -4.6), (2.9, -1.4), (2.2, -1.8),
    (-0.8, -1.7), (-1.5, -1.2), (-1.7, -4.6), (-2.6, -4.6), (-2.8, -0.9), (-3.9, 0.2), (-4.2, 2.4),
)  # fmt: skip
_TOWER: Final[tuple[_Point, ...]] = (
    (-0.6, 1.7), (3.0, 1.7), (3.2, 4.9), (2.3, 4.9), (2.3, 4.2), (1.7, 4.2), (1.7, 4.9), (0.7, 4.9), (0.7, 4.2),
    (0.1, 4.2), (0.1, 4.9), (-0.8, 4.9),
)  # fmt: skip
_SHIELD: Final[tuple[_Point, ...]] = (
    (-2.5, 3.4), (2.5, 3.4), (2.5, 0.2), (1.9, -2.0), (0.0, -4.8), (-1.9, -2.0), (-2.5, 0.2),
)  # fmt: skip
_SWORD: Final = (
    _ink_part((-0.75, -1.7), (0.75, -1.7), (0.7, 3.4), (0.0, 4.9), (-0.7, 3.4)),
    _ink_part((-2.5, -2.4), (2.5, -2.4), (2.5, -1.6), (-2.5, -1.6)),
    _line_part((0.0, -2.2), (0.0, -4.2), width=0.8),
    _ink_part(*_ellipse_points(0.0, -4.2, 0.75)),
)
_STAR: Final = _ink_part(
    *(
        ((4.9 if point % 2 == 0 else 2.0) * math.sin(math.pi * point / 5),
         (4.9 if point % 2 == 0 else 2.0) * math.cos(math.pi * point / 5))
        for point in range(10)
    )
)  # fmt: skip

# The symbol of each type by its code, and the star of a general.
SYMBOLS: Final[Mapping[str, tuple[SymbolPart, ...]]] = {
    "El": (_ink_part(*_ELEPHANT), _ink_part(*_TOWER), _paper_part(*_ellipse_points(-2.9, 1.1, 0.34))),
    "Kn": (
        *_rotate_parts(_make_spear(0.0, -6.2, 6.4, head=2.4), -42.0),
        _paper_part(*((x * 1.22, y * 1.12) for x, y in _SHIELD)),
        _ink_part(*_SHIELD),
        _line_part((-2.5, 1.3), (2.5, 1.3), width=0.9),
        _paper_part((-0.5, 3.4), (0.5, 3.4), (0.5, 1.7), (2.5, 1.7), (2.5, 0.7), (0.5, 0.7), (0.5, -3.9), (0.0, -4.8),
               (-0.5, -3.9), (-0.5, 0.7), (-2.5, 0.7), (-2.5, 1.7), (-0.5, 1.7)),
        _ring_part(_SHIELD, 0.7),
    ),
    "Cv": (_ink_part(*_HORSE), _paper_part(*_ellipse_points(-1.5, 1.6, 0.35))),
    "LH": (
        *_rotate_parts(_make_spear(3.2, -5.2, 5.4, head=1.7), 12.0),
        _paper_part(*((x * 0.92 - 1.0, y * 0.92 - 0.4) for x, y in _HORSE)),
        _ring_part(((x * 0.86 - 1.0, y * 0.86 - 0.4) for x, y in _HORSE), 0.7),
        _ink_part(*_ellipse_points(-2.3, 1.0, 0.35)),
    ),
    "Cm": (_ink_part(*_CAMEL),),
    "SCh": (
        *_make_wheel(0.0, 0.0, 3.3),
        _ink_part((-3.3, 0.5), (-4.9, 2.6), (-4.5, 0.0), (-4.9, -2.6), (-3.3, -0.5)),
        _ink_part((3.3, 0.5), (4.9, 2.6), (4.5, 0.0), (4.9, -2.6), (3.3, -0.5)),
    ),
    "Sp": (
        *_make_spear(0.0, -4.9, 4.9, head=2.2, width=0.7),
        _paper_part(*_ellipse_points(0.0, -1.2, 3.0)),
        _ring_part(_ellipse_points(0.0, -1.2, 2.7), 0.8),
        _ink_part(*_ellipse_points(0.0, -1.2, 1.0)),
    ),
    "Pk": tuple(part for x in (-3.6, -1.2, 1.2, 3.6) for part in _make_spear(x, -4.9, 4.9, head=2.0, width=0.6)),
    "Bd": _SWORD,
    "Ax": (
        *_rotate_parts(_make_spear(0.0, -4.9, 5.2), 38.0),
        *_rotate_parts(_make_spear(0.0, -4.9, 5.2), -38.0),
        _paper_part(*_ellipse_points(0.0, -0.3, 2.1, 3.2)),
        _ink_part(*_ellipse_points(0.0, -0.3, 1.7, 2.8)),
        _paper_part((-0.3, 2.6), (0.3, 2.6), (0.3, -3.2), (-0.3, -3.2)),
    ),
    "Bw": (
        _line_part((-1.4, 4.8), *_arc_points(-2.0, 0.0, 4.6, 78.0, -78.0, 4.6), (-1.4, -4.8), width=0.9),
        _line_part((-1.2, 4.5), (-2.6, 0.0), (-1.2, -4.5), width=0.35),
        _line_part((-4.6, 0.0), (3.6, 0.0), width=0.5),
        _ink_part((4.9, 0.0), (3.1, 0.9), (3.1, -0.9)),
        _ink_part((-4.9, 0.9), (-3.9, 0.0), (-4.9, -0.9), (-3.9, -0.9), (-3.1, 0.0), (-3.9, 0.9)),
    ),
    "Ps": (
        _line_part((-4.0, -4.6), (-0.6, 1.2), width=0.55),
        _line_part((-3.1, -4.9), (1.2, 0.4), width=0.55),
        _ring_part(_ellipse_points(1.0, 1.6, 1.9, 1.3), 0.6),
        _ink_part(*_ellipse_points(1.0, 1.6, 1.0)),
        _ink_part(*_ellipse_points(3.9, 4.1, 0.8)),
        _ink_part(*_ellipse_points(-3.4, 3.4, 0.8)),
    ),
    "Wb": (
        _ink_part(*_arc_points(0.0, -1.8, 3.0, 0.0, 180.0, 4.2)),
        _ink_part((-3.4, -2.9), (3.4, -2.9), (3.4, -1.7), (-3.4, -1.7)),
        _ink_part((-2.6, 0.4), (-4.7, 1.6), (-4.4, 4.8), (-3.2, 2.6), (-1.8, 1.9)),
        _ink_part((2.6, 0.4), (4.7, 1.6), (4.4, 4.8), (3.2, 2.6), (1.8, 1.9)),
        _ink_part((-0.5, -2.9), (0.5, -2.9), (0.4, -4.8), (-0.4, -4.8)),
    ),
    "Hd": (
        _line_part((0.0, -4.9), (0.0, 4.7), width=0.8),
        _line_part((-2.7, 4.7), (-2.7, 1.9), (-1.6, 0.6), (1.6, 0.6), (2.7, 1.9), (2.7, 4.7), width=0.8),
        _line_part((-1.1, -3.0), (1.1, -3.0), width=0.8),
    ),
    "Art": (
        _ink_part(
            *_rotate_points(((-4.6, -0.8), (3.9, -1.2), (3.9, 1.2), (-4.6, 0.9), (-5.4, 0.0)), 24.0, (-0.4, 0.6))
        ),
        *_make_wheel(-0.9, -2.2, 2.5, 3),
        _line_part((-1.6, -2.4), (-4.8, -4.5), width=0.9),
    ),
    "WWg": (
        _ink_part((-4.7, -1.9), (4.7, -1.9), (4.7, 3.9), (3.3, 3.9), (3.3, 2.7), (2.1, 2.7), (2.1, 3.9), (0.7, 3.9),
             (0.7, 2.7), (-0.7, 2.7), (-0.7, 3.9), (-2.1, 3.9), (-2.1, 2.7), (-3.3, 2.7), (-3.3, 3.9), (-4.7, 3.9)),
        *(_paper_part((x - 0.3, -0.6), (x + 0.3, -0.6), (x + 0.3, 1.6), (x - 0.3, 1.6)) for x in (-2.7, 0.0, 2.7)),
        *_make_wheel(-2.7, -3.0, 1.8, 2),
        *_make_wheel(2.7, -3.0, 1.8, 2),
    ),
    "CF": (
        _paper_part((0.0, 3.6), (4.8, -4.2), (-4.8, -4.2)),
        _ring_part(((0.0, 3.4), (4.6, -4.2), (-4.6, -4.2)), 0.8),
        _ink_part((0.0, 1.6), (1.5, -4.2), (-1.5, -4.2)),
        _line_part((0.0, 3.2), (0.0, 4.9), width=0.6),
        _ink_part((0.0, 4.9), (2.2, 4.4), (0.0, 3.8)),
    ),
    STAR: (_STAR,),
}  # fmt: skip
