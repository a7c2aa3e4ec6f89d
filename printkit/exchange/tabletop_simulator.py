"""Boards and decks for Tabletop Simulator: saved objects with their pictures beside them; one unit is an inch."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

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


# --- Decks ------------------------------------------------------------------------------------------------------------

MOST_COLUMNS: Final = 10
MOST_ROWS: Final = 7
"""How many cards a picture of a deck may hold side by side and one above the other; the last place is kept free."""

_CARD: Final = 3.11
"""The height of a card of scale 1 in units; its width follows the picture."""


class DeckPicture(Struct, frozen=True, kw_only=True):
    """A picture with the faces of ``count`` cards in rows, and where it lies; ``own_backs`` has one for each card."""

    faces: str
    backs: str
    columns: int
    rows: int
    count: int
    own_backs: bool = False


def deck_object(title: str, pictures: Sequence[DeckPicture], names: Sequence[str], *, height: float) -> bytes:
    """Return a saved object with a deck face down, its first card on top.

    Args:
        title: of the deck.
        pictures: of its cards in their order.
        names: what each card is called; empty texts where a name would tell what lies face down.
        height: of a card in mm.
    """
    scale = round(height / MM_PER_INCH / _CARD, 4)
    sheets = {
        str(number): {
            "FaceURL": each.faces,
            "BackURL": each.backs,
            "NumWidth": each.columns,
            "NumHeight": each.rows,
            "BackIsHidden": True,
            "UniqueBack": each.own_backs,
        }
        for number, each in enumerate(pictures, 1)
    }
    places = [100 * number + place for number, each in enumerate(pictures, 1) for place in range(each.count)]
    lying = {"posX": 0.0, "posY": _ABOVE, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    placed = {**lying, "scaleX": scale, "scaleY": 1.0, "scaleZ": scale}
    cards = [
        {
            "GUID": f"{zlib.crc32(f'{title} {place}'.encode()) & 0xFFFFFF:06x}",
            "Name": "Card",
            "Transform": placed,
            "Nickname": name,
            "CardID": place,
            "CustomDeck": {str(place // 100): sheets[str(place // 100)]},
        }
        for place, name in zip(places, names, strict=True)
    ]
    deck = {
        "GUID": f"{zlib.crc32(title.encode()) & 0xFFFFFF:06x}",
        "Name": "DeckCustom",
        "Transform": placed,
        "Nickname": title,
        "DeckIDs": places,
        "CustomDeck": sheets,
        "ContainedObjects": cards,
    }
    saved = {"SaveName": title, "ObjectStates": [deck if len(cards) > 1 else {**cards[0], "Nickname": title}]}
    return (json.dumps(saved, ensure_ascii=False, indent=2) + "\n").encode()
