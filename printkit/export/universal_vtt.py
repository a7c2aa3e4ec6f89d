"""A board for virtual tabletops: Universal VTT, a JSON object with a picture and walls."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, Final

from shapely.geometry.base import BaseGeometry

from printkit.export.field_shapes import board_outline, covered_ground, iter_rings, load_kind_looks
from printkit.export.writers import BoardPicture
from printkit.terrain.field.record import Record, record_parts

FORMAT: Final = 0.3

# Decimals of positions in cells: finer than a tenth of a pixel.
_DECIMALS: Final = 4

# Simplification tolerance of walls, in cells: many corners make virtual tabletops slow.
_SIMPLIFY_CELLS: Final = 0.01


def universal_vtt(record: Record, picture: BoardPicture) -> bytes:
    """Return a record as a Universal VTT file with a picture and walls.

    The outlines of woods and buildings and the crests of hills are walls, which block sight.

    Args:
        record: the record.
        picture: a picture of the board without margins.
    """
    wide, high = (side / picture.pixels for side in picture.size)
    document: dict[str, Any] = {
        "format": FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": wide, "y": high},
            "pixels_per_grid": picture.pixels,
        },
        "line_of_sight": list(_iter_walls(record, picture)),
        "objects_line_of_sight": [],
        "portals": [],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "lights": [],
        "image": b64encode(picture.data).decode("ascii"),
    }
    return (json.dumps(document) + "\n").encode()


def _iter_walls(record: Record, picture: BoardPicture) -> Iterator[list[dict[str, float]]]:
    """Yield each wall as a list of points with ``x`` and ``y``, in cells of the picture.

    They count to the right of and below the far left corner of the board. A board without walls yields nothing.
    """
    kind_looks, board = load_kind_looks(), record.battlefield.board
    for part in record_parts(record):
        wall_shape: BaseGeometry
        if part.properties["kind"] in kind_looks.sight:
            wall_shape = covered_ground(part)
        elif part.properties["kind"] in kind_looks.crests:
            wall_shape = part.shapes[-1]
        else:
            continue
        on_board = wall_shape.intersection(board_outline(board))
        for run in iter_rings(on_board.simplify(_SIMPLIFY_CELLS * picture.cell)):
            yield [
                {"x": round(x / picture.cell, _DECIMALS), "y": round((board.depth - y) / picture.cell, _DECIMALS)}
                for x, y in run
            ]
