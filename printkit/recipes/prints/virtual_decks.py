"""Decks for a virtual table: pictures with the faces of cards in rows, and the saved object that holds them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from printkit.content.cards import CardSize
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.drawing.cards.faces import CardFace
from printkit.exchange.tabletop_simulator import MOST_COLUMNS, MOST_PIXELS, MOST_ROWS, DeckPicture, deck_object
from printkit.export.writers import address
from printkit.page.sheet import ONE, Document, Placement, Sheet

_MOST: Final = MOST_COLUMNS * MOST_ROWS - 1
"""Cards that a picture holds: the last place is what a hand shows to others."""

_FINEST: Final = 300.0
"""Dots an inch beyond which nobody sees more of a card."""


def virtual_deck(
    faces: Sequence[CardFace], size: CardSize, *, title: str, secret: bool, to: Path, url_base: str
) -> Mapping[str, bytes]:
    """Return the files of a deck for Tabletop Simulator by their names: the object first, then its pictures.

    Args:
        faces: its cards, the first on top.
        size: of each.
        title: what it is called.
        secret: whether all backs are one, and no card may be told by a name.
        to: the folder and the name without ending under which the files come to stand.
        url_base: where the pictures lie; empty: in that folder.

    Raises:
        PageError: a picture would be too large.
    """
    files: dict[str, bytes] = {}
    pictures: list[DeckPicture] = []
    for number, start in enumerate(range(0, len(faces), _MOST), 1):
        cards = faces[start : start + _MOST]
        columns = min(MOST_COLUMNS, max(2, len(cards) + 1))
        rows = max(2, math.ceil((len(cards) + 1) / columns))
        own = not secret and any(card.back is not None for card in cards)
        hidden = cards[0].back if secret else None
        fronts, backs = f"{to.name}-faces-{number}.png", f"{to.name}-{f'backs-{number}' if own else 'back'}.png"
        files[fronts] = _rows([*(card.front for card in cards)], hidden, columns, rows, size)
        if own:
            files[backs] = _rows([card.back for card in cards], None, columns, rows, size)
        else:
            files[backs] = _rows([hidden], None, 1, 1, size)
        pictures.append(
            DeckPicture(
                faces=address(url_base, to.parent, fronts),
                backs=address(url_base, to.parent, backs),
                columns=columns,
                rows=rows,
                count=len(cards),
                own_backs=own,
            )
        )
    names = ["" if secret else card.id for card in faces]
    return {f"{to.name}.tts.json": deck_object(title, pictures, names, height=size.height), **files}


def _rows(sides: Sequence[Drawing | None], last: Drawing | None, columns: int, rows: int, size: CardSize) -> bytes:
    """Return sides of cards in rows as PNG, and in the last place one more; a side that is none is white."""
    from printkit.export.png import pictures

    sheet = Sheet(ONE, columns * size.width, rows * size.height, 0.0, cut=True)
    placed = [*_placed(sides, columns, rows, size)]
    if last is not None:
        placed += _placed([None] * (columns * rows - 1) + [last], columns, rows, size)
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
