"""A board for virtual tables: Universal VTT, one JSON object with a picture and with what blocks sight."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, Final

from shapely.geometry.base import BaseGeometry

from printkit.exchange.told import BoardPicture, ToldField, kinds, rings, told

FORMAT: Final = 0.3
_DECIMALS: Final = 4
"""Of a cell, to which places are written: a tenth of a pixel and less."""

_COARSE: Final = 0.01
"""How far a wall may stand off its outline, in cells: virtual tables grow slow with every corner."""


def universal_vtt(text: str, picture: BoardPicture) -> bytes:
    """Return the record of a text as Universal VTT, whose walls are what hides things.

    Outlines of woods and buildings are walls, and the crests of hills.

    Args:
        text: the record.
        picture: the board alone.
    """
    field = told(text)
    wide, high = (side / picture.pixels for side in picture.size)
    document: dict[str, Any] = {
        "format": FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": wide, "y": high},
            "pixels_per_grid": picture.pixels,
        },
        "line_of_sight": list(_walls(field, picture)),
        "objects_line_of_sight": [],
        "portals": [],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "lights": [],
        "image": b64encode(picture.data).decode("ascii"),
    }
    return (json.dumps(document) + "\n").encode()


def _walls(field: ToldField, picture: BoardPicture) -> Iterator[list[dict[str, float]]]:
    """Yield the walls as runs of points in cells, downwards from the far left corner."""
    looks = kinds()
    for feature in field.features:
        seen: BaseGeometry | None = None
        if feature.kind in looks.sight:
            seen = feature.ground
        elif feature.kind in looks.crests:
            seen = (feature.shape, *feature.contours)[-1]
        if seen is None:
            continue
        for run in rings(seen.intersection(field.board).simplify(_COARSE * picture.cell)):
            yield [
                {"x": round(x / picture.cell, _DECIMALS), "y": round((field.depth - y) / picture.cell, _DECIMALS)}
                for x, y in run
            ]
