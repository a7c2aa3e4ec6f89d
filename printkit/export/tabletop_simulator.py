"""Boards and decks for Tabletop Simulator: saved objects that refer to pictures; one unit is an inch."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.core.units import MM_PER_INCH
from printkit.export.writers import BoardPicture
from printkit.terrain.field.record import Record, write

# The longest side of a picture, in pixels; Tabletop Simulator reduces larger pictures.
MOST_PIXELS: Final = 4096

# Side of a tile of scale 1, in units; a tile stretches to the shape of its picture.
_TILE: Final = 2.0

_THICKNESS: Final = 0.1

# Height above the table at which objects appear, in units.
_DROP_HEIGHT: Final = 1.0


class ObjectPosition(Struct, frozen=True):
    """The position of an object in inches, from the middle of the table to the right and to the far side.

    ``turn`` is 180 degrees if a player at the near side reads the object, 0 for a player at the far side.
    """

    x: float = 0.0
    z: float = 0.0
    turn: float = 180.0


# The middle of the table.
MIDDLE: Final = ObjectPosition()


def saved_object(title: str, objects: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the JSON of a saved object of Tabletop Simulator with several objects.

    They appear on the table together.
    """
    return (json.dumps({"SaveName": title, "ObjectStates": objects}, ensure_ascii=False, indent=2) + "\n").encode()


def board_object(record: Record, picture: BoardPicture, address: str) -> bytes:
    """Return the JSON of a saved object of Tabletop Simulator with the board as a locked tile.

    Args:
        record: the record.
        picture: a picture of the board without margins.
        address: URL of the picture, for example ``file:///C:/maps/field.tts.png``.
    """
    return saved_object(record.battlefield.title, [board_state(record, picture, address)])


def board_state(record: Record, picture: BoardPicture, address: str) -> dict[str, Any]:
    """Return the fields of the board of a record, as a locked tile in the middle of the table.

    ``address`` is the URL of ``picture``.
    """
    width, depth = board_size(picture)
    return {
        **_build_tile(write(record), record.battlefield.title, address, depth, MIDDLE),
        "Description": f"{width:.2f} x {depth:.2f} in",
        "Locked": True,
        "Grid": False,
        "Snap": False,
    }


def board_size(picture: BoardPicture) -> tuple[float, float]:
    """Return the width and depth of the board that a picture shows, in inches on the board."""
    width, depth = (side / picture.pixels * picture.cell / MM_PER_INCH for side in picture.size)
    return width, depth


def piece_state(name: str, address: str, depth: float, position: ObjectPosition) -> dict[str, Any]:
    """Return the fields of a movable piece, a tile in the form of ``saved_object``.

    Args:
        name: its name; empty if the name must stay secret.
        address: URL of its picture, which gives its shape.
        depth: depth of the piece in mm at 1:1, which is the height of its picture.
        position: its position.
    """
    return _build_tile(f"{name} {address} {position}", name, address, depth / MM_PER_INCH, position)


def _build_tile(key: str, name: str, address: str, depth: float, position: ObjectPosition) -> dict[str, Any]:
    """Return the fields of a tile in the shape of its picture, ``depth`` inches deep at 1:1.

    ``key`` is a unique text that gives its ID. ``name`` may be empty, and ``address`` is the URL of its picture.
    """
    scale = round(depth / _TILE, 4)
    return {
        "GUID": _object_id(key),
        "Name": "Custom_Tile",
        "Transform": _build_transform(position, scale),
        "Nickname": name,
        "CustomImage": {
            "ImageURL": address,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": _THICKNESS, "Stackable": False, "Stretch": True},
        },
    }


def _object_id(key: str) -> str:
    """Return the ID of the object with this unique key: six hexadecimal digits."""
    return f"{zlib.crc32(key.encode()) & 0xFFFFFF:06x}"


def _build_transform(position: ObjectPosition, scale: float, *, face_down: bool = False) -> dict[str, float]:
    """Return the ``Transform`` of an object: place (inches), rotation (degrees) and scale (1: unchanged).

    The keys are ``posX`` to ``scaleZ``; the height above the table is 1 inch. ``scale`` is that of width and depth.
    """
    return {
        "posX": round(position.x, 3),
        "posY": _DROP_HEIGHT,
        "posZ": round(position.z, 3),
        "rotX": 0.0,
        "rotY": position.turn,
        "rotZ": 180.0 if face_down else 0.0,
        "scaleX": scale,
        "scaleY": 1.0,
        "scaleZ": scale,
    }


# --- Decks ------------------------------------------------------------------------------------------------------------

# Maximum columns and rows of cards in a picture of a deck; the last place stays free.
MOST_COLUMNS: Final = 10
MOST_ROWS: Final = 7

# Height of a card of scale 1, in units; its width follows the picture.
_CARD: Final = 3.11


class DeckPicture(Struct, frozen=True, kw_only=True):
    """A picture with the faces of ``count`` cards in rows.

    ``faces`` and ``backs`` are URLs of pictures. ``own_backs`` is True if each card has its own back.
    """

    faces: str
    backs: str
    columns: int
    rows: int
    count: int
    own_backs: bool = False


def deck_state(
    title: str,
    pictures: Sequence[DeckPicture],
    names: Sequence[str],
    *,
    height: float,
    position: ObjectPosition = MIDDLE,
) -> dict[str, Any]:
    """Return a face-down deck, an object for ``saved_object``, with its first card on top.

    A single card is returned as a card with the title of the deck.

    Args:
        title: title of the deck.
        pictures: pictures of its cards in order.
        names: name of each card; empty texts if names would reveal face-down cards.
        height: height of a card in mm at 1:1.
        position: position of the deck.

    Raises:
        ValueError: the number of names is not the number of cards.
    """
    transform = _build_transform(position, round(height / MM_PER_INCH / _CARD, 4), face_down=True)
    sheets = {
        str(number): {
            "FaceURL": picture.faces,
            "BackURL": picture.backs,
            "NumWidth": picture.columns,
            "NumHeight": picture.rows,
            "BackIsHidden": True,
            "UniqueBack": picture.own_backs,
        }
        for number, picture in enumerate(pictures, 1)
    }
    places = [100 * number + place for number, picture in enumerate(pictures, 1) for place in range(picture.count)]
    cards = [
        {
            "GUID": _object_id(f"{title} {place}"),
            "Name": "Card",
            "Transform": transform,
            "Nickname": name,
            "CardID": place,
            "CustomDeck": {str(place // 100): sheets[str(place // 100)]},
        }
        for place, name in zip(places, names, strict=True)
    ]
    if len(cards) == 1:
        return {**cards[0], "Nickname": title}
    return {
        "GUID": _object_id(title),
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": title,
        "DeckIDs": places,
        "CustomDeck": sheets,
        "ContainedObjects": cards,
    }
