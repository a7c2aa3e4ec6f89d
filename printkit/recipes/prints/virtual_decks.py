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
from printkit.exchange.tabletop_simulator import (
    MIDDLE,
    MOST_COLUMNS,
    MOST_PIXELS,
    MOST_ROWS,
    DeckPicture,
    ObjectSpot,
    deck_state,
    piece_state,
    saved_object,
)
from printkit.export.writers import address
from printkit.page.sheet import ONE, Document, Placement, Sheet
from printkit.recipes.output.handout import DrawnPiece

# The maximum number of cards in a picture: the last cell is what other players see of a card in hand.
_MOST: Final = MOST_COLUMNS * MOST_ROWS - 1

_FINEST: Final = 300.0  # the maximum resolution in dpi; more is not visible on a card


class Virtual(NamedTuple):
    """Objects for a virtual tabletop, and their pictures by file name."""

    objects: tuple[dict[str, Any], ...]
    pictures: Mapping[str, bytes]


def virtual_deck(
    faces: Sequence[CardFace], size: CardSize, *, title: str, secret: bool, to: Path, url_base: str
) -> Mapping[str, bytes]:
    """Return the files of a deck for Tabletop Simulator by name: the object first, then its pictures.

    Args:
        faces: the cards, the first on top.
        size: the size of a card.
        title: the title of the deck.
        secret: whether all cards have the same back, and no name identifies a card.
        to: the folder of the files, and their name without suffix.
        url_base: the web address of the pictures; empty for that folder.

    Raises:
        PageError: a picture would be too large.
    """
    made = deck_object(faces, size, title=title, secret=secret, place=PicturePlace(to, url_base))
    return {f"{to.name}.tts.json": saved_object(title, made.objects), **made.pictures}


class PicturePlace(Struct, frozen=True):
    """The folder of pictures and their name without suffix, and their web address.

    If ``url_base`` is empty, the program reads them from that folder.
    """

    to: Path
    url_base: str = ""

    def address(self, name: str) -> str:
        """Return the address of a picture."""
        return address(self.url_base, self.to.parent, name)


def deck_object(
    faces: Sequence[CardFace],
    size: CardSize,
    *,
    title: str,
    secret: bool,
    place: PicturePlace,
    spot: ObjectSpot = MIDDLE,
) -> Virtual:
    """Return a face-down deck with its pictures; see ``virtual_deck``."""
    files: dict[str, bytes] = {}
    pictures: list[DeckPicture] = []
    for number, start in enumerate(range(0, len(faces), _MOST), 1):
        cards = faces[start : start + _MOST]
        columns = min(MOST_COLUMNS, max(2, len(cards) + 1))
        rows = max(2, math.ceil((len(cards) + 1) / columns))
        own = not secret and any(card.back is not None for card in cards)
        hidden = cards[0].back if secret else None
        name = place.to.name
        fronts, backs = f"{name}-faces-{number}.png", f"{name}-{f'backs-{number}' if own else 'back'}.png"
        files[fronts] = _rows([*(card.front for card in cards)], hidden, columns, rows, size)
        if own:
            files[backs] = _rows([card.back for card in cards], None, columns, rows, size)
        else:
            files[backs] = _rows([hidden], None, 1, 1, size)
        pictures.append(
            DeckPicture(
                faces=place.address(fronts),
                backs=place.address(backs),
                columns=columns,
                rows=rows,
                count=len(cards),
                own_backs=own,
            )
        )
    names = ["" if secret else card.id for card in faces]
    return Virtual((deck_state(title, pictures, names, height=size.height, spot=spot),), files)


# --- Movable pieces ---------------------------------------------------------------------------------------------------

_BETWEEN: Final = 0.25  # gap in inches between pieces in a row

# Distance in inches between the first rows of both sides, and width of a row, if there is no board between them.
_ROWS_APART: Final = 6.0
_ROW: Final = 24.0


def piece_objects(pieces: Sequence[DrawnPiece], *, place: PicturePlace, width: float, row: ObjectSpot) -> Virtual:
    """Return pieces in rows; pieces with equal drawings share a picture.

    Args:
        pieces: the pieces in order.
        place: the location of the pictures.
        width: the width of a row in inches.
        row: the centre of the first row; further rows are behind it, seen from the centre of the table.

    Raises:
        PageError: a picture would be too large.
    """
    found: list[dict[str, Any]] = []
    pictures: dict[str, bytes] = {}
    known: dict[Drawing, str] = {}
    out = 1.0 if row.z > 0 else -1.0
    x, z, deepest = 0.0, row.z, 0.0
    for piece in pieces:
        wide, deep = piece.drawing.width / MM_PER_INCH, piece.drawing.height / MM_PER_INCH
        if x and x + wide > width:
            x, z, deepest = 0.0, z + out * (deepest + _BETWEEN), 0.0
        if piece.drawing not in known:
            known[piece.drawing] = f"{place.to.name}-{len(known) + 1}.png"
            pictures[known[piece.drawing]] = _picture(piece.drawing)
        spot = ObjectSpot(row.x - width / 2 + x + wide / 2, z + out * deep / 2, row.turn)
        found.append(piece_state(piece.name, place.address(known[piece.drawing]), piece.drawing.height, spot))
        x, deepest = x + wide + _BETWEEN, max(deepest, deep)
    return Virtual(tuple(found), pictures)


def virtual_pieces(
    title: str, sides: Sequence[Sequence[DrawnPiece]], *, to: Path, url_base: str
) -> Mapping[str, bytes]:
    """Return the files of the pieces of one side, or of two sides that face each other; see ``virtual_deck``."""
    rows = (ObjectSpot(0.0, -_ROWS_APART / 2), ObjectSpot(0.0, _ROWS_APART / 2, 0.0))
    objects: list[dict[str, Any]] = []
    pictures: dict[str, bytes] = {}
    for number, (pieces, row) in enumerate(zip(sides, rows, strict=False), 1):
        place = PicturePlace(to.with_name(f"{to.name}-{number}"), url_base)
        made = piece_objects(pieces, place=place, width=_ROW, row=row)
        objects += made.objects
        pictures.update(made.pictures)
    return {f"{to.name}.tts.json": saved_object(title, objects), **pictures}


def _picture(drawing: Drawing) -> bytes:
    """Return a drawing as PNG without a margin."""
    sheet = Sheet(ONE, drawing.width, drawing.height, 0.0, cut=True)
    return _png(sheet, [Placement(drawing, Affine(1.0, 0.0, 0.0, 1.0, 0.0, 0.0), clip=sheet.whole)])


# --- Pictures ---------------------------------------------------------------------------------------------------------


def _rows(sides: Sequence[Drawing | None], last: Drawing | None, columns: int, rows: int, size: CardSize) -> bytes:
    """Return card sides in rows as PNG, with ``last`` in the last cell; None is a white side."""
    sheet = Sheet(ONE, columns * size.width, rows * size.height, 0.0, cut=True)
    placed = [*_placed(sides, columns, rows, size)]
    if last is not None:
        placed += _placed([None] * (columns * rows - 1) + [last], columns, rows, size)
    return _png(sheet, placed)


def _png(sheet: Sheet, placed: Sequence[Placement]) -> bytes:
    """Return a sheet as PNG in the best resolution that Tabletop Simulator accepts."""
    from printkit.export.png import pictures

    dpi = min(_FINEST, MOST_PIXELS / max(sheet.width, sheet.height) * MM_PER_INCH)
    document = Document(title="", pages=(sheet.page(*placed, label="1"),), dpi=dpi)
    (picture,) = pictures(document, dpi)
    kept = BytesIO()
    picture.save(kept, "PNG", dpi=(dpi, dpi))
    return kept.getvalue()


def _placed(sides: Sequence[Drawing | None], columns: int, rows: int, size: CardSize) -> Iterator[Placement]:
    for place, side in enumerate(sides):
        if side is not None:
            row, column = divmod(place, columns)
            x, y = column * size.width, (rows - 1 - row) * size.height
            out = (side.width - size.width) / 2, (side.height - size.height) / 2
            yield Placement(
                side, Affine(1.0, 0.0, 0.0, 1.0, x - out[0], y - out[1]), clip=Rect(x, y, size.width, size.height)
            )
