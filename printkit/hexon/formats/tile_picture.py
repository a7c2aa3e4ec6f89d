"""The tileset image of a Tiled map: one hex for each piece, strip and marker that the map uses.

The image is written as PNG, transparent outside the hexes, and as SVG for users who want to edit or enlarge it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from printkit.core.numbers import is_number
from printkit.core.reading import plain
from printkit.core.resources import template
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Layer, LayerName, Path, PathRun, Stroke
from printkit.drawing.lettering.lettering import TypeStyle, line
from printkit.hexon.formats.tables import HexMark, HexTile, Link
from printkit.page.sheet import Document, page_of

# Resolution in dots per inch at which the image has the pixel size in the map file.
DOTS: Final = 150.0

_MM_PER_PIXEL: Final = MM_PER_INCH / DOTS

# Pixels of a hex across its corners, across its flats, of its side, and from one column to the next.
WIDE: Final = 116
TALL: Final = 100
SIDE: Final = 58
PITCH: Final = (WIDE - SIDE) // 2 + SIDE

# Tiles per row of the image.
COLUMNS: Final = 6

# Half the height of a capital letter, as a share of the type size.
_HALF_HIGH: Final = 0.35

# Angles of the corners of a disc, in radians.
_ROUND: Final = [math.radians(10 * step) for step in range(36)]

# Number of low sides of a slope, by the first letter of its name.
_LOW_SIDES: Final = {"A": 1, "B": 2, "C": 3}


class TileName(NamedTuple):
    """The identity of a tile.

    Attributes:
        group: ``piece``, ``strip`` or ``marker``.
        kind: the kind of piece or feature.
        pattern: the sides of a strip, or the low sides of a slope, as bits.
        level: the level of a piece, which sets its colour.
    """

    group: str
    kind: str
    pattern: int = 0
    level: int = 0


def piece_name(tile: HexTile) -> TileName:
    """Return the tile name of a piece: its kind, the low sides of a slope as bits, and its level."""
    low = _LOW_SIDES.get(tile.piece[:1], 0) if is_number(tile.piece[1:]) else 0
    return TileName("piece", tile.piece, (1 << low) - 1, tile.level)


def link_name(link: Link) -> TileName:
    """Return the tile name of a strip, before rotation."""
    return TileName("strip", link.feature, link.pattern)


def mark_name(mark: HexMark) -> TileName:
    """Return the tile name of a marker."""
    return TileName("marker", mark.feature)


def hex_size(*, flat: bool) -> tuple[int, int]:
    """Return the width and height in pixels of one tile; ``flat`` is True for hexes with a flat top."""
    return (WIDE, TALL) if flat else (TALL, WIDE)


def sheet_size(tiles: int, *, flat: bool) -> tuple[int, int]:
    """Return the width and height in pixels of the image of so many tiles, in rows of six.

    ``flat`` is True for hexes with a flat top.
    """
    wide, tall = hex_size(flat=flat)
    return COLUMNS * wide, math.ceil(tiles / COLUMNS) * tall


def draw_tile_sheet(tiles: Sequence[TileName], *, flat: bool) -> Document:
    """Return a document of one page with the tiles in rows of ``COLUMNS``, in their order from the upper left.

    One dot is one pixel at ``DOTS`` dots per inch. ``flat`` is True for hexes with a flat top.
    """
    width, height = sheet_size(len(tiles), flat=flat)
    wide, tall = hex_size(flat=flat)
    colours = template("hexon", "programs")["colours"]
    items: list[Item] = []
    for index, name in enumerate(tiles):
        centre = index % COLUMNS * wide + wide / 2, height - (index // COLUMNS * tall + tall / 2)
        items += _draw_tile(name, _Pen(centre, colours), flat=flat)
    drawing = Drawing(width * _MM_PER_PIXEL, height * _MM_PER_PIXEL, (Layer(LayerName.OVERLAY, tuple(items)),))
    return Document(title="", pages=(page_of(drawing),))


class _Pen(NamedTuple):
    """A pen for one tile. Points are in pixels from its centre, y downwards.

    ``at`` is the centre in pixels from the lower left corner of the image; ``colours`` are those of the template
    ``programs``.
    """

    at: tuple[float, float]
    colours: Mapping[str, Any]

    def ink(self, code: str) -> Ink:
        """Return the ink of a colour code, for example ``#5c5a3c``."""
        return Ink(*bytes.fromhex(code.removeprefix("#")))

    def run(self, points: Sequence[tuple[float, float]], *, closed: bool = False) -> PathRun:
        """Return points of the tile, in pixels, as a run of the page."""
        page_points = ((self.at[0] + x, self.at[1] - y) for x, y in points)
        return PathRun(tuple(round(value * _MM_PER_PIXEL * 100) for point in page_points for value in point), closed)

    def shape(self, points: Sequence[tuple[float, float]], fill: str, *, edge: float) -> Path:
        """Return a filled shape through points in pixels, with an edge ``edge`` pixels wide."""
        stroke = Stroke(self.ink(self.colours["edge"]), edge * _MM_PER_PIXEL)
        return Path((self.run(points, closed=True),), fill=self.ink(fill), stroke=stroke)

    def strokes(self, lines: Sequence[Sequence[tuple[float, float]]], ink: str, width: float) -> Path:
        """Return lines through points in pixels, ``width`` pixels wide."""
        return Path(tuple(self.run(points) for points in lines), stroke=Stroke(self.ink(ink), width * _MM_PER_PIXEL))

    def letters(self, text: str, size: float, ink: str) -> Iterator[Item]:
        """Yield a text in the centre of the tile; ``size`` is the type size in pixels."""
        size_pt = size * 72 / DOTS
        x, y = self.at
        foot = x * _MM_PER_PIXEL, (y - _HALF_HIGH * size) * _MM_PER_PIXEL
        yield from line(
            plain(text),
            foot,
            TypeStyle(font=Font.FIGURES_MEDIUM, size_pt=size_pt, ink=self.ink(ink)),
            anchor=Anchor.MIDDLE,
        )


def _draw_tile(name: TileName, pen: _Pen, *, flat: bool) -> Iterator[Item]:
    """Yield the picture of a tile: a piece, a strip through its sides, or a marker in a disc."""
    ink = pen.colours["kinds"].get(name.kind, pen.colours["other"])
    match name.group:
        case "piece":
            yield from _draw_piece(name, pen, flat=flat)
        case "strip":
            sides = [side for side in range(6) if name.pattern >> side & 1]
            yield pen.strokes([((0.0, 0.0), _side_midpoint(side, flat=flat)) for side in sides], ink, 16)
        case _:
            circle = [(24 * math.cos(step), 24 * math.sin(step)) for step in _ROUND]
            yield pen.shape(circle, ink, edge=2)
            yield from pen.letters(name.kind[:2].capitalize(), 22, "#ffffff")


def _draw_piece(name: TileName, pen: _Pen, *, flat: bool) -> Iterator[Item]:
    """Yield the picture of a piece: a hex in the colour of its level.

    A slope also has an arrow and its name.
    """
    levels = pen.colours["levels"]
    yield pen.shape(_hexagon(flat=flat), levels[min(name.level, len(levels) - 1)], edge=1)
    if name.pattern:
        low = name.pattern.bit_length()
        yield _draw_arrow(60 * (low - 1) / 2, pen, flat=flat)
        yield from pen.letters(name.kind, 20, pen.colours["arrow"])


def _draw_arrow(turn: float, pen: _Pen, *, flat: bool) -> Item:
    """Return an arrow from the centre towards the low sides, ``turn`` degrees clockwise from the middle of side 0."""
    angle = math.radians(turn + (30 if flat else 0))
    cos_angle, sin_angle = math.cos(angle), math.sin(angle)
    lines = [((16.0, 0.0), (40.0, 0.0)), ((32.0, -7.0), (40.0, 0.0), (32.0, 7.0))]
    rotated_lines = [
        [(x * cos_angle - y * sin_angle, x * sin_angle + y * cos_angle) for x, y in points] for points in lines
    ]
    return pen.strokes(rotated_lines, pen.colours["arrow"], 3)


def _side_midpoint(side: int, *, flat: bool) -> tuple[float, float]:
    """Return the midpoint of a side in pixels from the centre, y downwards."""
    corners = _hexagon(flat=flat)
    (left, top), (right, bottom) = corners[side - 1], corners[side]
    return (left + right) / 2, (top + bottom) / 2


def _hexagon(*, flat: bool) -> list[tuple[float, float]]:
    """Return the corners of a tile in pixels around the centre, y downwards.

    Corner ``i`` is between sides ``i`` and ``i + 1``. ``flat`` is True for hexes with a flat top.
    """
    half, tall = WIDE / 2, TALL / 2
    if flat:
        return [(SIDE / 2, tall), (-SIDE / 2, tall), (-half, 0), (-SIDE / 2, -tall), (SIDE / 2, -tall), (half, 0)]
    return [(tall, SIDE / 2), (0, half), (-tall, SIDE / 2), (-tall, -SIDE / 2), (0, -half), (tall, -SIDE / 2)]
