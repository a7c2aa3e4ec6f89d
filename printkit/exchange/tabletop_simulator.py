"""Boards and decks for Tabletop Simulator: saved objects with their pictures beside them; one unit is an inch."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
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


class ObjectSpot(Struct, frozen=True):
    """Where an object lies, in inches right of the middle of the table and away from its near side, and how turned.

    ``turn`` is 180 for what its owner at the near side reads, 0 for what one at the far side does.
    """

    x: float = 0.0
    z: float = 0.0
    turn: float = 180.0


MIDDLE: Final = ObjectSpot()
"""The middle of the table."""


def saved_object(title: str, objects: Sequence[Mapping[str, Any]]) -> bytes:
    """Return objects as one that is kept among the saved ones, and comes onto the table whole."""
    return (json.dumps({"SaveName": title, "ObjectStates": objects}, ensure_ascii=False, indent=2) + "\n").encode()


def board_object(text: str, picture: BoardPicture, address: str) -> bytes:
    """Return the record of a text as a saved object with the board as a locked tile.

    Args:
        text: the record.
        picture: the board alone.
        address: where the picture lies, as ``file:///C:/maps/field.tts.png``.
    """
    return saved_object(told(text).title, [board_state(text, picture, address)])


def board_state(text: str, picture: BoardPicture, address: str) -> dict[str, Any]:
    """Return the board of a record as a locked tile in the middle of the table; as ``board_object``."""
    wide, high = board_size(picture)
    return {
        **_tile(text, told(text).title, address, high, MIDDLE),
        "Description": f"{wide:.2f} x {high:.2f} in",
        "Locked": True,
        "Grid": False,
        "Snap": False,
    }


def board_size(picture: BoardPicture) -> tuple[float, float]:
    """Return width and depth of a board in inches."""
    wide, high = (side / picture.pixels * picture.cell / MM_PER_INCH for side in picture.size)
    return wide, high


def piece_state(name: str, address: str, depth: float, spot: ObjectSpot) -> dict[str, Any]:
    """Return a piece that is moved on the board, as a tile.

    Args:
        name: what it is called; empty where that would tell a secret.
        address: where its picture lies, which has its shape.
        depth: of the piece in mm, as its picture is high.
        spot: where it lies.
    """
    return _tile(f"{name} {address} {spot}", name, address, depth / MM_PER_INCH, spot)


def _tile(key: str, name: str, address: str, high: float, spot: ObjectSpot) -> dict[str, Any]:
    """Return a tile in the shape of its picture, ``high`` inches deep; ``key`` sets it apart from others."""
    scale = round(high / _TILE, 4)
    return {
        "GUID": _identity(key),
        "Name": "Custom_Tile",
        "Transform": _placed(spot, scale),
        "Nickname": name,
        "CustomImage": {
            "ImageURL": address,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": _THICKNESS, "Stackable": False, "Stretch": True},
        },
    }


def _identity(key: str) -> str:
    """Return the six digits by which the program tells an object from others."""
    return f"{zlib.crc32(key.encode()) & 0xFFFFFF:06x}"


def _placed(spot: ObjectSpot, scale: float, *, face_down: bool = False) -> dict[str, float]:
    return {
        "posX": round(spot.x, 3),
        "posY": _ABOVE,
        "posZ": round(spot.z, 3),
        "rotX": 0.0,
        "rotY": spot.turn,
        "rotZ": 180.0 if face_down else 0.0,
        "scaleX": scale,
        "scaleY": 1.0,
        "scaleZ": scale,
    }


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


def deck_state(
    title: str, pictures: Sequence[DeckPicture], names: Sequence[str], *, height: float, spot: ObjectSpot = MIDDLE
) -> dict[str, Any]:
    """Return a deck face down, its first card on top; one card lies by itself.

    Args:
        title: of the deck.
        pictures: of its cards in their order.
        names: what each card is called; empty texts where a name would tell what lies face down.
        height: of a card in mm.
        spot: where it lies.
    """
    placed = _placed(spot, round(height / MM_PER_INCH / _CARD, 4), face_down=True)
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
    cards = [
        {
            "GUID": _identity(f"{title} {place}"),
            "Name": "Card",
            "Transform": placed,
            "Nickname": name,
            "CardID": place,
            "CustomDeck": {str(place // 100): sheets[str(place // 100)]},
        }
        for place, name in zip(places, names, strict=True)
    ]
    if len(cards) == 1:
        return {**cards[0], "Nickname": title}
    return {
        "GUID": _identity(title),
        "Name": "DeckCustom",
        "Transform": placed,
        "Nickname": title,
        "DeckIDs": places,
        "CustomDeck": sheets,
        "ContainedObjects": cards,
    }
