"""Write a Hexon layout as a Tiled map: layers of rotated tiles, boards as polygons, the picture of the tileset (HX-60).

The image is written as PNG, transparent outside the hexes, and as SVG for users who want to edit or enlarge it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from msgspec import Struct

from printkit.core.numbers import is_number
from printkit.core.reading import plain
from printkit.core.resources import template
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Layer, LayerName, Path, PathRun, Stroke
from printkit.drawing.lettering.lettering import TypeStyle, line
from printkit.hexon.formats.tables import HexMark, HexPlace, HexTile, LayoutData, Link
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

    ``centre`` is the centre in pixels from the lower left corner of the image; ``colours`` are those of the template
    ``programs``.
    """

    centre: tuple[float, float]
    colours: Mapping[str, Any]

    def ink(self, code: str) -> Ink:
        """Return the ink of a colour code, for example ``#5c5a3c``."""
        return Ink(*bytes.fromhex(code.removeprefix("#")))

    def run(self, points: Sequence[tuple[float, float]], *, closed: bool = False) -> PathRun:
        """Return points of the tile, in pixels, as a run of the page."""
        page_points = ((self.centre[0] + x, self.centre[1] - y) for x, y in points)
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
        x, y = self.centre
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


# Flags of a tile rotated clockwise by 0 to 5 times 60 degrees on a hexagonal map.
TURNS: Final = (0x00000000, 0x20000000, 0x10000000, 0xC0000000, 0xE0000000, 0xD0000000)

# The version of the written format.
VERSION: Final = "1.10"

# The number of the first tile of the tileset; 0 is an empty cell.
_FIRST: Final = 1

_BOARD: Final = "board"
# Position and visibility of every layer.
_SHOWN: Final = {"x": 0, "y": 0, "opacity": 1, "visible": True}


class TiledMap(Struct, frozen=True):
    """A map, and the tiles of its tileset in order, for the tileset image."""

    text: str
    tiles: tuple[TileName, ...]


def tiled_map(layout: LayoutData, *, image: str) -> TiledMap:
    """Return a layout as JSON for Tiled; ``image`` is the file name of the tileset image.

    Each level has a tile layer for its pieces, one for each kind of course, and one or more for markers. An object
    layer has the outline of each six-hex board. A pixel is about 1 mm.
    """
    tiles = _unique_tiles(layout)
    numbers = {name: _FIRST + place for place, name in enumerate(tiles)}
    objects = count(1)
    layers: list[dict[str, Any]] = []
    for level in layout.levels():
        layers.append(_piece_layer(layout, level, numbers))
        for feature in dict.fromkeys(link.feature for link in layout.links if link.level == level):
            cells = {
                link.place: numbers[link_name(link)] | TURNS[link.rotation]
                for link in layout.links
                if link.level == level and link.feature == feature
            }
            layers.append(_tile_layer(layout, f"{feature} {level}", cells))
        for depth, cells in enumerate(_marker_layers(layout, level, numbers)):
            name = f"markers {level}" if depth == 0 else f"markers {level}, {depth + 1}"
            layers.append(_tile_layer(layout, name, cells))
        boards = [tile for tile in layout.level_tiles(level) if tile.piece == _BOARD]
        if boards:
            layers.append(_board_layer(layout, level, boards, objects))
    layers = [layer | {"id": number} for number, layer in enumerate(layers, 1)]
    document = {
        "type": "map",
        "version": VERSION,
        "orientation": "hexagonal",
        "renderorder": "right-down",
        "width": layout.columns,
        "height": layout.rows,
        **_tile_size(layout),
        "hexsidelength": SIDE,
        "staggeraxis": "x" if layout.flat else "y",
        "staggerindex": stagger_index(layout),
        "infinite": False,
        "nextlayerid": len(layers) + 1,
        "nextobjectid": next(objects),
        "properties": [_property("title", layout.title), _property("cell_mm", layout.cell)],
        "tilesets": [_tileset(layout, tiles, image)],
        "layers": layers,
    }
    return TiledMap(json.dumps(document, ensure_ascii=False, indent=1) + "\n", tiles)


def stagger_index(layout: LayoutData) -> str:
    """Return which columns or rows are shifted in Tiled, ``odd`` or ``even``, counted from 0.

    Those of printkit count from 1, so the parity is opposite.
    """
    return "even" if layout.odd_lags else "odd"


def corner_of(layout: LayoutData, place: HexPlace) -> tuple[int, int]:
    """Return the upper left corner (x, y) in pixels of the bounding box of a hex, y downwards."""
    column, row = place.column - 1, place.row - 1
    if layout.flat:
        return column * PITCH, row * TALL + (TALL // 2 if _is_shifted(layout, column) else 0)
    return column * TALL + (TALL // 2 if _is_shifted(layout, row) else 0), row * PITCH


def _is_shifted(layout: LayoutData, line: int) -> bool:
    """Return whether a column or row, counted from 0, is shifted."""
    return line % 2 == (0 if stagger_index(layout) == "even" else 1)


def _unique_tiles(layout: LayoutData) -> tuple[TileName, ...]:
    """Return the different tiles of the map: pieces first, then courses, then markers."""
    pieces = sorted({piece_name(tile) for tile in layout.tiles})
    links = sorted({link_name(link) for link in layout.links})
    return (*pieces, *links, *sorted({mark_name(mark) for mark in layout.marks}))


def _piece_layer(layout: LayoutData, level: int, numbers: Mapping[TileName, int]) -> dict[str, Any]:
    """Return the JSON fields of the tile layer for the pieces of a level (0 is the base).

    ``numbers`` are the tile numbers of the map.
    """
    cells = {
        # The tile of a board is one plain hex without rotation; the polygon shows the position of the board.
        place: numbers[piece_name(tile)] | TURNS[0 if tile.piece == _BOARD else tile.rotation]
        for tile in layout.level_tiles(level)
        for place in tile.places
    }
    return _tile_layer(layout, f"level {level}", cells)


def _marker_layers(layout: LayoutData, level: int, numbers: Mapping[TileName, int]) -> list[dict[HexPlace, int]]:
    """Return layers of markers, each with the tile numbers by hex; empty if the level has no marker.

    There are as many as the largest number of markers in one hex of the level.
    """
    depths: list[dict[HexPlace, int]] = []
    for mark in layout.marks:
        if mark.level == level:
            free = next((cells for cells in depths if mark.place not in cells), None)
            if free is None:
                free = {}
                depths.append(free)
            free[mark.place] = numbers[mark_name(mark)]
    return depths


def _tile_layer(layout: LayoutData, name: str, cells: Mapping[HexPlace, int]) -> dict[str, Any]:
    """Return the JSON fields of a tile layer; ``cells`` has the tile number of each hex that is not empty.

    The list ``data`` is row by row, 0 for an empty hex.
    """
    data = [0] * (layout.columns * layout.rows)
    for place, number in cells.items():
        data[(place.row - 1) * layout.columns + place.column - 1] = number
    return {
        "type": "tilelayer",
        "name": name,
        "width": layout.columns,
        "height": layout.rows,
        **_SHOWN,
        "data": data,
    }


def _board_layer(layout: LayoutData, level: int, boards: Sequence[HexTile], objects: count[int]) -> dict[str, Any]:
    """Return the JSON fields of the object layer with the outlines of a level's boards; ``objects`` gives their IDs."""
    return {
        "type": "objectgroup",
        "name": f"boards {level}",
        "draworder": "index",
        **_SHOWN,
        "objects": [_board_object(layout, board, next(objects)) for board in boards],
    }


def _board_object(layout: LayoutData, board: HexTile, number: int) -> dict[str, Any]:
    """Return the JSON object with the outline of a board, in pixels; ``number`` is the ID of the object.

    The object is at a corner of the outline; the points of ``polygon`` are relative to it, y downwards.
    """
    outline = _outline([_corners(layout, place) for place in board.places])
    left, top = outline[0]
    cells = " ".join(place.address for place in board.places)
    return {
        "id": number,
        "name": f"{board.level}.{board.number}",
        "type": _BOARD,
        "x": left,
        "y": top,
        "width": 0,
        "height": 0,
        "rotation": 0,
        "visible": True,
        "polygon": [{"x": x - left, "y": y - top} for x, y in outline],
        "properties": [_property("cells", cells), _property("kind", board.piece), _property("rot", board.rotation)],
    }


def _corners(layout: LayoutData, place: HexPlace) -> list[tuple[int, int]]:
    """Return the six corners (x, y) of a hex clockwise, in pixels of the map, y down from the upper left corner."""
    left, top = corner_of(layout, place)
    flank = (WIDE - SIDE) // 2
    points = [(flank, 0), (flank + SIDE, 0), (WIDE, TALL // 2), (flank + SIDE, TALL), (flank, TALL), (0, TALL // 2)]
    if not layout.flat:
        # A pointy-topped hex has x and y swapped; swapping reverses the direction, so reverse the order too.
        points = [(y, x) for x, y in reversed(points)]
    return [(left + x, top + y) for x, y in points]


def _outline(hexes: Iterable[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the outline of connected hexes without a hole, from the corners of each, in pixels.

    It runs clockwise from its smallest corner.
    """
    sides = {(start, end) for corners in hexes for start, end in zip(corners, (*corners[1:], corners[0]), strict=True)}
    next_corner = {start: end for start, end in sides if (end, start) not in sides}
    outline = [min(next_corner)]
    while next_corner[outline[-1]] != outline[0]:
        outline.append(next_corner[outline[-1]])
    return outline


def _tile_size(layout: LayoutData) -> dict[str, Any]:
    """Return the width and height of a tile in pixels, as fields of the map."""
    wide, tall = hex_size(flat=layout.flat)
    return {"tilewidth": wide, "tileheight": tall}


def _tileset(layout: LayoutData, tiles: Sequence[TileName], image: str) -> dict[str, Any]:
    """Return the tileset with the properties of each tile; ``image`` is the file name of its picture.

    Sizes are in pixels; IDs of tiles count from 0.
    """
    width, height = sheet_size(len(tiles), flat=layout.flat)
    return {
        "firstgid": _FIRST,
        "name": "hexon",
        **_tile_size(layout),
        "tilecount": len(tiles),
        "columns": COLUMNS,
        "margin": 0,
        "spacing": 0,
        "image": image,
        "imagewidth": width,
        "imageheight": height,
        "tiles": [{"id": place, "properties": _properties(name)} for place, name in enumerate(tiles)],
    }


def _properties(name: TileName) -> list[dict[str, Any]]:
    """Return the properties of a tile as JSON objects: its group, its kind and its sides as bits."""
    return [_property("group", name.group), _property("kind", name.kind), _property("sides", name.pattern)]


def _property(name: str, value: str | float) -> dict[str, Any]:
    """Return a property as a JSON object with the keys ``name``, ``type`` and ``value``."""
    kind = "string" if isinstance(value, str) else "int" if isinstance(value, int) else "float"
    return {"name": name, "type": kind, "value": value}
