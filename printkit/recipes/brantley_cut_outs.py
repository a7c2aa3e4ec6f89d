"""Cut-outs: each area and hill of a board at true size on a tile of its own, with tabs to glue it on card (BR-A10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from printkit.chance.streams import Jitter
from printkit.drawing.composing import Placed, joined
from printkit.drawing.items import Affine, Drawing, Rect
from printkit.drawing.key import described
from printkit.drawing.leaflet_heads import running_head
from printkit.drawing.piece_marks import TAB, tabbed
from printkit.drawing.plan import board_drawing
from printkit.drawing.sheet_desk import plain
from printkit.errors import PageError
from printkit.page.leaflets import leaflet_sheets, room
from printkit.page.printer import corrected
from printkit.page.sheet import Document, Page, Placement
from printkit.page.shelves import shelved
from printkit.prose import Paragraph
from printkit.recipes.brantley_sheets import SheetOrder
from printkit.terrain.features import Area, Hill
from printkit.terrain.record import Record

_ABOUT: Final = 2.0
_HEAD: Final = 20.0
"""The ground in mm that stays about a feature, and what the head of a page takes."""


@dataclass(frozen=True, slots=True)
class _Tile:
    """A feature to be cut out: what of the board it shows, and the tabs about it."""

    window: Rect
    tabs: Drawing


def cut_out_document(record: Record, order: SheetOrder) -> Document:
    """Return the features of a board as a document.

    Raises:
        PageError: a feature is larger than the paper, or there is none.
    """
    pages = cut_out_pages(record, order)
    if not pages:
        raise PageError("no area or hill lies on this board, so there is nothing to cut out")
    title = order.words("brantley.sheets.cut_outs.title")
    return corrected(Document(title=title, pages=pages, language=order.words.code), order.profile).document


def cut_out_pages(record: Record, order: SheetOrder) -> tuple[Page, ...]:
    """Return every area and hill at true size on its tile, as many to a page as fit; none where the board is bare.

    Raises:
        PageError: a feature is larger than the paper.
    """
    tiles = _tiles(record, order)
    if not tiles:
        return ()
    words, free = order.words, room(order.sheet, measured=True)
    space = Rect(0.0, 0.0, free.width, free.height - _HEAD)
    _judge(tiles, space)
    board = _board(record, order)
    spots = shelved([tile.tabs for tile in tiles], space, space)
    title = words("brantley.sheets.cut_outs.title")
    head = _head(title, free.width, order)
    drawings: list[Drawing] = []
    pictures: list[list[Placement]] = []
    for number in range(1 + max(spot.page for spot in spots)):
        here = [(spot, tile) for spot, tile in zip(spots, tiles, strict=True) if spot.page == number]
        parts = [Placed(spot.drawing, spot.x, spot.y) for spot, _ in here]
        drawings.append(joined(free.width, free.height, [Placed(head, 0.0, free.height - _HEAD), *parts]))
        pictures.append(
            [_picture(board, tile.window, (free.x + spot.x + TAB, free.y + spot.y + TAB)) for spot, tile in here]
        )
    pages = leaflet_sheets(drawings, order.sheet, words=words, bookmark=title, label=title, measured=True)
    return tuple(
        replace(page, placements=(*shown, *page.placements)) for page, shown in zip(pages, pictures, strict=True)
    )


def _tiles(record: Record, order: SheetOrder) -> list[_Tile]:
    words = order.words
    found = []
    for feature in record.battlefield.features:
        if isinstance(feature, Area | Hill):
            left, low, right, high = feature.outline.buffer(_ABOUT).bounds
            window = Rect(left, low, right - left, high - low)
            named = described(feature, words)
            if feature.origin.zone is not None:
                named = words("brantley.sheets.cut_outs.named", zone=feature.origin.zone, feature=named)
            said = (named, words("brantley.sheets.cut_outs.tab"))
            found.append(_Tile(window, tabbed(window.width, window.height, said, order.desk)))
    return found


def _judge(tiles: Sequence[_Tile], space: Rect) -> None:
    for tile in tiles:
        width, height = tile.tabs.width, tile.tabs.height
        if width > space.width or height > space.height:
            raise PageError(
                f"a cut-out is {width:.0f} x {height:.0f} mm with its tabs; the sheet has {space.width:.0f} x "
                f"{space.height:.0f} mm for it: take larger paper or narrower margins"
            )


def _board(record: Record, order: SheetOrder) -> Drawing:
    """Return the board with its areas and hills alone: no river runs through what is cut out."""
    features = tuple(feature for feature in record.battlefield.features if isinstance(feature, Area | Hill))
    return board_drawing(
        replace(record.battlefield, features=features, overlays=()),
        style=order.style,
        words=order.words,
        jitter=Jitter(record.seed or 0, record.reseeded),
        numbers=False,
        zones=False,
        deployment=False,
    )


def _head(title: str, width: float, order: SheetOrder) -> Drawing:
    top = running_head(title, width, order.style)
    how = Paragraph(order.words("brantley.sheets.cut_outs.how"))
    said = order.desk.prose((how,), Rect(0.0, 2.0, width, _HEAD - top.height - 2.0))
    return joined(width, _HEAD, [Placed(top, 0.0, _HEAD - top.height), Placed(plain(width, _HEAD, said), 0.0, 0.0)])


def _picture(board: Drawing, window: Rect, at: tuple[float, float]) -> Placement:
    place = Rect(*at, window.width, window.height)
    return Placement(board, Affine(e=at[0] - window.x, f=at[1] - window.y), place)
