"""A board of nine zones with a small card in each and text below it, face down or revealed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.content.prose import Block
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Font, Item, Layer, Rect, Text
from printkit.drawing.canvas.layers import drawing_items, drawing_of
from printkit.drawing.map.layout_plan import GridPlayer, ZoneGrid, draw_medallion
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import title_block
from printkit.systems.brantley.sheets.zone_board import sides

# Height of the title with its subtitle, in mm.
_HEAD_MM: Final = 25.0

_ABOVE: Final = 3.0
_EDGE: Final = 6.0
_DISC: Final = 4.0
_SIDE: Final = 1.4
_MIN_CARD_MM: Final = 26.0
_RATIO: Final = 63.0 / 88.0
_CAPTION_PT: Final = (10.0, 9.5, 9.0, 8.5, 8.0, 7.5)
_GAP: Final = 3.0
# Extra space for rounding the height of a card, and the tolerance of a height; both in mm.
_ROUNDING_MM: Final = 0.1
_TOLERANCE_MM: Final = 1e-6


class CardCell(Struct, frozen=True, kw_only=True):
    """The content of a zone: its card if it has one, the player, and the lines below; the first is bold."""

    zone: int
    card: Drawing | None
    side: GridPlayer | None
    lines: tuple[str, ...]


class CardBoard(Struct, frozen=True, kw_only=True):
    """A page with a board of cards: title, zones, text below them, and a footer of the full width."""

    title: str
    subtitle: str
    cells: tuple[CardCell, ...]
    below: tuple[Block, ...]
    foot: Drawing


class SmallCard(NamedTuple):
    """A card and the rectangle on the page that it fills, in mm on paper."""

    drawing: Drawing
    place: Rect


class CardPage(NamedTuple):
    """A page in mm on paper from its lower left corner, and the cards on it.

    ``drawing`` already shows the place of each card, but the cards are separate.
    """

    drawing: Drawing
    cards: tuple[SmallCard, ...]


class BoardLayout(NamedTuple):
    """The layout of a board page: the rectangle of all cells, card size, caption height, text area; in mm on paper."""

    grid: Rect
    size: CardSize
    caption: float
    below: Rect


def plan_board_page(width: float, height: float, *, caption: float, below: float, foot: float) -> BoardLayout:
    """Return the layout of a page of ``width`` by ``height`` mm on paper.

    Args:
        width: the width of the page inside its margins.
        height: its height.
        caption: height in mm of the text below each card.
        below: height in mm of the text below the board.
        foot: height in mm of the footer.

    Raises:
        PageError: the cards would be narrower than 26 mm.
    """
    top = height - _HEAD_MM - _EDGE
    bottom = foot + below + _EDGE
    cell = (top - bottom) / 3
    card_height = cell - caption - _ABOVE
    card_width = min(card_height * _RATIO, width / 3 - 4 * _DISC - 3 * _SIDE)
    if card_width < _MIN_CARD_MM:
        raise PageError(
            "a sheet with {width:.0f} x {height:.0f} mm inside its margins is too small for nine cards and "
            "their notes; use larger paper or one language",
            width=width,
            height=height,
        )
    size = CardSize(
        name="small", width=_round_down(card_width), height=_round_down(card_width / _RATIO), safe=2.0, corner=2.0
    )
    return BoardLayout(Rect(0.0, bottom, width, top - bottom), size, caption, Rect(0.0, foot, width, below))


def draw_board_page(board: CardBoard, width: float, height: float, layout: BoardLayout, drafter: Drafter) -> CardPage:
    """Return the page of ``width`` by ``height`` mm, and its cards with the rectangles that they fill.

    Lengths are in mm on paper. If the captions need more space, for example in large print, the cards become smaller.

    Raises:
        PageError: the cards would be too small to recognise.
    """
    caption_height = max(
        drafter.caption_height(card_cell.lines, layout.grid.width / 3 - 2 * _SIDE, sizes=_CAPTION_PT)
        for card_cell in board.cells
    )
    missing_height = (
        caption_height - _caption_area(ZoneGrid(place=layout.grid).cell(board.cells[0].zone), layout.size).height
    )
    if missing_height > _TOLERANCE_MM:
        caption = layout.caption + missing_height + _ROUNDING_MM
        layout = plan_board_page(width, height, caption=caption, below=layout.below.height, foot=layout.below.y)
    head = title_block(board.title, board.subtitle, width, drafter.style)
    grid = ZoneGrid(place=layout.grid)
    items: list[Item] = drawing_items(head, 0.0, height - head.height)
    items += grid.edges(*sides(drafter.words), drafter)
    for cell in board.cells:
        items += _draw_cell(cell, grid.cell(cell.zone), layout, drafter)
    items += grid.lines(drafter)
    items += drafter.prose(board.below, layout.below._replace(height=layout.below.height - _GAP), is_centred=True)
    items += drawing_items(board.foot)
    cards = tuple(
        SmallCard(cell.card, _card_area(grid.cell(cell.zone), layout.size))
        for cell in board.cells
        if cell.card is not None
    )
    return CardPage(drawing_of(width, height, items), cards)


def remove_text(drawing: Drawing) -> Drawing:
    """Return a drawing without its text, for card backs that must not name any terrain.

    Layers that then have no items are left out.
    """
    layers = (
        Layer(layer.name, tuple(item for item in layer.items if not isinstance(item, Text)), layer.clip)
        for layer in drawing.layers
    )
    return Drawing(drawing.width, drawing.height, tuple(layer for layer in layers if layer.items))


def _draw_cell(cell: CardCell, place: Rect, layout: BoardLayout, drafter: Drafter) -> Iterator[Item]:
    """Yield the drawing of a zone: its number, its player, the border of the card, and the lines below.

    ``place`` is the rectangle of the cell in mm on paper.
    """
    number_style = drafter.type_style(Font.HEAVY, 15.0)
    number_point = (place.x + _SIDE, place.top - _SIDE - 0.72 * number_style.height)
    yield from drafter.text(str(cell.zone), number_point, number_style, max_width_mm=place.width)
    if cell.side is not None:
        disc_centre = (place.right - _SIDE - _DISC, place.top - _SIDE - _DISC)
        yield from draw_medallion(cell.side.name, disc_centre, _DISC, drafter, token=cell.side.token)
    card = _card_area(place, layout.size)
    if cell.card is None:
        yield drafter.box(card, 0.25, "ink-secondary", dash=(1.6, 1.2))
    else:
        yield drafter.box(card, 0.2)
    yield from drafter.caption(cell.lines, _caption_area(place, layout.size), sizes=_CAPTION_PT)


def _caption_area(place: Rect, size: CardSize) -> Rect:
    """Return the rectangle for the text below a card, in mm on paper; ``place`` is that of the cell."""
    return Rect(place.x + _SIDE, place.y + 0.8, place.width - 2 * _SIDE, _card_area(place, size).y - place.y - 2.2)


def _card_area(place: Rect, size: CardSize) -> Rect:
    """Return the rectangle of a card in mm on paper; ``place`` is that of the cell."""
    x = place.x + (place.width - size.width) / 2
    return Rect(x, place.top - _ABOVE - size.height, size.width, size.height)


def _round_down(length: float) -> float:
    """Return a length in printed mm, rounded down to a multiple of 0.04 mm.

    Half of it is then on the drawing grid too.
    """
    return int(length * 25) / 25
