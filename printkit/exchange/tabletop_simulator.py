"""A board for Tabletop Simulator: a saved object with the picture of the board on a tile; one unit is an inch."""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

from printkit.core.units import MM_PER_INCH
from printkit.exchange.told import BoardPicture, told

MOST_PIXELS: Final = 4096
"""The longest side of a picture that the program shows as it is: what is larger it makes smaller."""

_TILE: Final = 2.0
"""The side of a tile of scale 1 in units; a tile stretches to the shape of its picture."""

_THICKNESS: Final = 0.1
_ABOVE: Final = 1.0
"""How high above the table it comes in, in units."""


def board_object(text: str, picture: BoardPicture, address: str) -> bytes:
    """Return the record of a text as a saved object with the board as a locked tile.

    Args:
        text: the record.
        picture: the board alone.
        address: where the picture lies, as ``file:///C:/maps/field.tts.png``.
    """
    field = told(text)
    wide, high = (side / picture.pixels * picture.cell / MM_PER_INCH for side in picture.size)
    scale = round(high / _TILE, 4)
    board: dict[str, Any] = {
        "GUID": f"{zlib.crc32(text.encode()) & 0xFFFFFF:06x}",
        "Name": "Custom_Tile",
        "Transform": {
            "posX": 0.0,
            "posY": _ABOVE,
            "posZ": 0.0,
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 0.0,
            "scaleX": scale,
            "scaleY": 1.0,
            "scaleZ": scale,
        },
        "Nickname": field.title,
        "Description": f"{wide:.2f} x {high:.2f} in",
        "Locked": True,
        "Grid": False,
        "Snap": False,
        "CustomImage": {
            "ImageURL": address,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": _THICKNESS, "Stackable": False, "Stretch": True},
        },
    }
    return (
        json.dumps({"SaveName": field.title, "ObjectStates": [board]}, ensure_ascii=False, indent=2) + "\n"
    ).encode()
