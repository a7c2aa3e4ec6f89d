"""A board of nine zones with a small card in each and text below it, face down or revealed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.content.prose import Block
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Font, Item, Layer, Rect, Text
from printkit.drawing.forms.zone_grid import GridPlayer, ZoneGrid, draw_medallion
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import title_block
from printkit.drawing.text.text_styles import drawing_items, drawing_of
from printkit.systems.brantley.sheets.zone_board import sides

# Height of the title with its subtitle, in mm.
_HEAD: Final = 25.0

_ABOVE: Final = 3.0
_EDGE: Final = 6.0
_DISC: Final = 4.0
_SIDE: Final = 1.4
_SMALLEST: Final = 26.0
_RATIO: Final = 63.0 / 88.0
_CAPTION_PT: Final = (10.0, 9.5, 9.0, 8.5, 8.0, 7.5)
_GAP: Final = 3.0
# Extra space for rounding the height of a card, and the tolerance of a height; both in mm.
_ROUNDED: Final = 0.1
_LOOSE: Final = 1e-6


class CardCell(Struct, frozen=True, kw_only=True):
    """The content of a zone: its card if it has one, the player, and the lines below; the first is bold."""

    zone: int
    card: Drawing | None
    side: GridPlayer | None
    said: tuple[str, ...]


class CardBoard(Struct, frozen=True, kw_only=True):
    """A page with a board of cards: title, zones, text below them, and a footer of the full width."""

    title: str
    subtitle: str
    cells: tuple[CardCell, ...]
    below: tuple[Block, ...]
    foot: Drawing


class SmallCard(NamedTuple):
    """A card and the rectangle on the page that it fills."""

    drawing: Drawing
    place: Rect


class CardPage(NamedTuple):
    """A page and the cards on it."""

    drawing: Drawing
    cards: tuple[SmallCard, ...]


class BoardRoom(NamedTuple):
    """The layout of a board page: the rectangle of all cells, the card size, the caption height and the text area."""

    grid: Rect
    size: CardSize
    caption: float
    below: Rect


def board_room(width: float, height: float, *, caption: float, below: float, foot: float) -> BoardRoom:
    """Return the layout of a page of ``width`` by ``height`` mm.

    Args:
        width: of the page.
        height: of the page.
        caption: height in mm of the text below each card.
        below: height in mm of the text below the board.
        foot: height in mm of the footer.

    Raises:
        PageError: the cards would be too small to recognise.
    """
    top = height - _HEAD - _EDGE
    low = foot + below + _EDGE
    cell = (top - low) / 3
    high = cell - caption - _ABOVE
    wide = min(high * _RATIO, width / 3 - 4 * _DISC - 3 * _SIDE)
    if wide < _SMALLEST:
        raise PageError(
            "a sheet with {width:.0f} x {height:.0f} mm inside its margins is too small for nine cards and "
            "their notes; use larger paper or one language",
            width=width,
            height=height,
        )
    size = CardSize(name="small", width=_even(wide), height=_even(wide / _RATIO), safe=2.0, corner=2.0)
    return BoardRoom(Rect(0.0, low, width, top - low), size, caption, Rect(0.0, foot, width, below))


def board_page(said: CardBoard, width: float, height: float, room: BoardRoom, drafter: Drafter) -> CardPage:
    """Return the page, and its cards with the rectangles that they are scaled to.

    If the captions need more space, for example in large print, the cards become smaller.

    Raises:
        PageError: the cards would be too small to recognise.
    """
    needed = max(
        drafter.caption_height(each.said, room.grid.width / 3 - 2 * _SIDE, sizes=_CAPTION_PT) for each in said.cells
    )
    lacking = needed - _caption(ZoneGrid(place=room.grid).cell(said.cells[0].zone), room.size).height
    if lacking > _LOOSE:
        caption = room.caption + lacking + _ROUNDED
        room = board_room(width, height, caption=caption, below=room.below.height, foot=room.below.y)
    head = title_block(said.title, said.subtitle, width, drafter.style)
    grid = ZoneGrid(place=room.grid)
    items: list[Item] = drawing_items(head, 0.0, height - head.height)
    items += grid.edges(*sides(drafter.words), drafter)
    for cell in said.cells:
        items += _cell(cell, grid.cell(cell.zone), room, drafter)
    items += grid.lines(drafter)
    items += drafter.prose(said.below, room.below._replace(height=room.below.height - _GAP), is_centred=True)
    items += drawing_items(said.foot)
    cards = tuple(
        SmallCard(cell.card, _card(grid.cell(cell.zone), room.size)) for cell in said.cells if cell.card is not None
    )
    return CardPage(drawing_of(width, height, items), cards)


def wordless(drawing: Drawing) -> Drawing:
    """Return a drawing without its text, for card backs that must not name any terrain."""
    layers = (
        Layer(layer.name, tuple(item for item in layer.items if not isinstance(item, Text)), layer.clip)
        for layer in drawing.layers
    )
    return Drawing(drawing.width, drawing.height, tuple(layer for layer in layers if layer.items))


def _cell(cell: CardCell, place: Rect, room: BoardRoom, drafter: Drafter) -> Iterator[Item]:
    number = drafter.type_style(Font.HEAVY, 15.0)
    at = (place.x + _SIDE, place.top - _SIDE - 0.72 * number.height)
    yield from drafter.text(str(cell.zone), at, number, max_width_mm=place.width)
    if cell.side is not None:
        spot = (place.right - _SIDE - _DISC, place.top - _SIDE - _DISC)
        yield from draw_medallion(cell.side.name, spot, _DISC, drafter, token=cell.side.token)
    card = _card(place, room.size)
    if cell.card is None:
        yield drafter.box(card, 0.25, "ink-secondary", dash=(1.6, 1.2))
    else:
        yield drafter.box(card, 0.2)
    yield from drafter.caption(cell.said, _caption(place, room.size), sizes=_CAPTION_PT)


def _caption(place: Rect, size: CardSize) -> Rect:
    """Return the rectangle for the text below a card."""
    return Rect(place.x + _SIDE, place.y + 0.8, place.width - 2 * _SIDE, _card(place, size).y - place.y - 2.2)


def _card(place: Rect, size: CardSize) -> Rect:
    x = place.x + (place.width - size.width) / 2
    return Rect(x, place.top - _ABOVE - size.height, size.width, size.height)


def _even(length: float) -> float:
    """Return a length rounded down so that the length and its half are both on the drawing grid."""
    return int(length * 25) / 25
