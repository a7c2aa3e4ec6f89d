"""Decks and pieces for a virtual tabletop: their saved objects and pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.drawing.cards.faces import CardFace
from printkit.export.tabletop_simulator import (
    MIDDLE,
    MOST_COLUMNS,
    MOST_PIXELS,
    MOST_ROWS,
    DeckPicture,
    ObjectPosition,
    deck_state,
    piece_state,
    saved_object,
)
from printkit.export.writers import picture_url
from printkit.page.sheet import ONE, Document, Placement, Sheet
from printkit.recipes.output.handout import DrawnPiece

# The maximum number of cards in a picture: the last cell is what other players see of a card in hand.
_MAX_CARDS: Final = MOST_COLUMNS * MOST_ROWS - 1

_MAX_DPI: Final = 300.0  # the maximum resolution in dpi; more is not visible on a card


class VirtualObjects(NamedTuple):
    """Objects for a virtual tabletop, and their pictures by file name."""

    objects: tuple[dict[str, Any], ...]
    pictures: Mapping[str, bytes]


def virtual_deck(
    faces: Sequence[CardFace], size: CardSize, *, title: str, secret: bool, target: Path, url_base: str
) -> Mapping[str, bytes]:
    """Return the files of a deck for Tabletop Simulator by name: the object first, then its pictures.

    Args:
        faces: the cards, the first on top.
        size: the size of a card.
        title: the title of the deck.
        secret: whether all cards have the same back, and no name identifies a card.
        target: the folder of the files, and their name without suffix.
        url_base: the web address of the pictures; empty for that folder.

    Raises:
        PageError: a picture would be too large.
    """
    objects = deck_object(faces, size, title=title, secret=secret, place=PicturePlace(target, url_base))
    return {f"{target.name}.tts.json": saved_object(title, objects.objects), **objects.pictures}


class PicturePlace(Struct, frozen=True):
    """The folder of pictures and their name without suffix, and their web address.

    If ``url_base`` is empty, Tabletop Simulator reads them from that folder.
    """

    target: Path
    url_base: str = ""

    def address(self, name: str) -> str:
        """Return the URL of a picture by its file name: below ``url_base``, or a file URL if that is empty."""
        return picture_url(self.url_base, self.target.parent, name)


def deck_object(
    faces: Sequence[CardFace],
    size: CardSize,
    *,
    title: str,
    secret: bool,
    place: PicturePlace,
    position: ObjectPosition = MIDDLE,
) -> VirtualObjects:
    """Return a face-down deck and its PNG pictures by file name; see ``virtual_deck``.

    Many cards are on several pictures. A secret deck has one back, that of the first card, and cards without names.

    Args:
        faces: the cards, the first on top.
        size: the size of a card.
        title: the title of the deck.
        secret: whether all cards have the same back.
        place: the location of the pictures.
        position: the position of the deck on the table, in inches from its centre.
    """
    files: dict[str, bytes] = {}
    pictures: list[DeckPicture] = []
    for number, start in enumerate(range(0, len(faces), _MAX_CARDS), 1):
        cards = faces[start : start + _MAX_CARDS]
        columns = min(MOST_COLUMNS, max(2, len(cards) + 1))
        rows = max(2, math.ceil((len(cards) + 1) / columns))
        has_card_backs = not secret and any(card.back is not None for card in cards)
        deck_back = cards[0].back if secret else None
        name = place.target.name
        fronts, backs = f"{name}-faces-{number}.png", f"{name}-{f'backs-{number}' if has_card_backs else 'back'}.png"
        files[fronts] = _card_rows_png([*(card.front for card in cards)], deck_back, columns, rows, size)
        if has_card_backs:
            files[backs] = _card_rows_png([card.back for card in cards], None, columns, rows, size)
        else:
            files[backs] = _card_rows_png([deck_back], None, 1, 1, size)
        pictures.append(
            DeckPicture(
                faces=place.address(fronts),
                backs=place.address(backs),
                columns=columns,
                rows=rows,
                count=len(cards),
                own_backs=has_card_backs,
            )
        )
    names = ["" if secret else card.id for card in faces]
    return VirtualObjects((deck_state(title, pictures, names, height=size.height, position=position),), files)


# --- Movable pieces ---------------------------------------------------------------------------------------------------

_PIECE_GAP: Final = 0.25  # gap in inches between pieces in a row

# Distance in inches between the first rows of both sides, and width of a row, if there is no board between them.
_ROW_DISTANCE: Final = 6.0
_ROW_WIDTH: Final = 24.0


def piece_objects(
    pieces: Sequence[DrawnPiece], *, place: PicturePlace, width: float, row: ObjectPosition
) -> VirtualObjects:
    """Return pieces in rows, from left to right, with their pictures by file name; equal drawings share a picture.

    Args:
        pieces: the pieces in order; their drawings are in mm at actual size.
        place: the location of the pictures.
        width: the width of a row in inches.
        row: the centre of the first row in inches; further rows are behind it, seen from the centre of the table.

    Raises:
        PageError: a picture would be too large.
    """
    states: list[dict[str, Any]] = []
    pictures: dict[str, bytes] = {}
    picture_names: dict[Drawing, str] = {}
    direction = 1.0 if row.z > 0 else -1.0
    x, z, deepest = 0.0, row.z, 0.0
    for piece in pieces:
        wide, deep = piece.drawing.width / MM_PER_INCH, piece.drawing.height / MM_PER_INCH
        if x and x + wide > width:
            x, z, deepest = 0.0, z + direction * (deepest + _PIECE_GAP), 0.0
        if piece.drawing not in picture_names:
            picture_names[piece.drawing] = f"{place.target.name}-{len(picture_names) + 1}.png"
            pictures[picture_names[piece.drawing]] = _drawing_png(piece.drawing)
        position = ObjectPosition(row.x - width / 2 + x + wide / 2, z + direction * deep / 2, row.turn)
        states.append(
            piece_state(piece.name, place.address(picture_names[piece.drawing]), piece.drawing.height, position)
        )
        x, deepest = x + wide + _PIECE_GAP, max(deepest, deep)
    return VirtualObjects(tuple(states), pictures)


def virtual_pieces(
    title: str, sides: Sequence[Sequence[DrawnPiece]], *, target: Path, url_base: str
) -> Mapping[str, bytes]:
    """Return the files of the pieces of one side, or of two sides that face each other; see ``virtual_deck``.

    ``sides`` has the pieces of each side; those of a second side are turned, and further sides are ignored. The files
    are the object, then the pictures, by name. ``url_base`` is the web address of the pictures; empty for their folder.
    ``title`` is the name of the object on the virtual table.
    """
    rows = (ObjectPosition(0.0, -_ROW_DISTANCE / 2), ObjectPosition(0.0, _ROW_DISTANCE / 2, 0.0))
    objects: list[dict[str, Any]] = []
    pictures: dict[str, bytes] = {}
    for number, (pieces, row) in enumerate(zip(sides, rows, strict=False), 1):
        place = PicturePlace(target.with_name(f"{target.name}-{number}"), url_base)
        row_objects = piece_objects(pieces, place=place, width=_ROW_WIDTH, row=row)
        objects += row_objects.objects
        pictures.update(row_objects.pictures)
    return {f"{target.name}.tts.json": saved_object(title, objects), **pictures}


def _drawing_png(drawing: Drawing) -> bytes:
    """Return a drawing (mm at 1:1) as the bytes of a PNG without a margin."""
    sheet = Sheet(ONE, drawing.width, drawing.height, 0.0, cut=True)
    return _sheet_png(sheet, [Placement(drawing, Affine(1.0, 0.0, 0.0, 1.0, 0.0, 0.0), clip=sheet.area)])


# --- Pictures ---------------------------------------------------------------------------------------------------------


def _card_rows_png(
    sides: Sequence[Drawing | None], last: Drawing | None, columns: int, rows: int, size: CardSize
) -> bytes:
    """Return card sides in rows from the top as the bytes of a PNG.

    ``columns`` and ``rows`` count cards. ``last`` is drawn at the last position, or nothing for None. A side of None is
    white.
    """
    sheet = Sheet(ONE, columns * size.width, rows * size.height, 0.0, cut=True)
    placements = [*_place_cards(sides, columns, rows, size)]
    if last is not None:
        placements += _place_cards([None] * (columns * rows - 1) + [last], columns, rows, size)
    return _sheet_png(sheet, placements)


def _sheet_png(sheet: Sheet, placements: Sequence[Placement]) -> bytes:
    """Return a sheet as the bytes of a PNG in the best resolution that Tabletop Simulator accepts.

    It has one page with the placements.
    """
    from printkit.export.png import pictures

    dpi = min(_MAX_DPI, MOST_PIXELS / max(sheet.width, sheet.height) * MM_PER_INCH)
    document = Document(title="", pages=(sheet.page(*placements, label="1"),), dpi=dpi)
    (picture,) = pictures(document, dpi)
    buffer = BytesIO()
    picture.save(buffer, "PNG", dpi=(dpi, dpi))
    return buffer.getvalue()


def _place_cards(sides: Sequence[Drawing | None], columns: int, rows: int, size: CardSize) -> Iterator[Placement]:
    """Yield the placement in mm on the sheet of each card side that is not None, row by row from the top.

    A side is clipped to the size of the card. ``sides`` leaves out a position with None. There are ``columns`` by
    ``rows`` positions; the first is at the top left.
    """
    for index, side in enumerate(sides):
        if side is not None:
            row, column = divmod(index, columns)
            x, y = column * size.width, (rows - 1 - row) * size.height
            margins = (side.width - size.width) / 2, (side.height - size.height) / 2
            yield Placement(
                side,
                Affine(1.0, 0.0, 0.0, 1.0, x - margins[0], y - margins[1]),
                clip=Rect(x, y, size.width, size.height),
            )
