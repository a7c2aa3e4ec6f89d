"""Write a Hexon layout as a Tiled map: layers of rotated tiles, and boards as polygons (HX-60)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Final

from msgspec import Struct

from printkit.hexon.formats.tables import HexPlace, HexTile, LayoutData
from printkit.hexon.formats.tile_picture import (
    COLUMNS,
    PITCH,
    SIDE,
    TALL,
    WIDE,
    TileName,
    hex_size,
    link_name,
    mark_name,
    piece_name,
    sheet_size,
)

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
