"""Cut-outs: areas and hills at true size on tiles (BR-A10, AC-A09), with tabs, and numbers on the backs of zones.

Of any rule system (BR-A10, AC-A09). What is larger than the paper goes over several sheets that are glued together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Affine, Anchor, Drawing, Font, Item, Rect
from printkit.drawing.forms.zone_grid import GridPlayer, medallion
from printkit.drawing.furniture.key import described
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.map.labels import numbered
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import explained_head
from printkit.drawing.text.text_styles import disc, drawing_of
from printkit.page.leaflets import leaflet_area, reading_sheet, shelved_pages
from printkit.page.marks import Imprint
from printkit.page.printer import apply_profile
from printkit.page.sheet import Document, Page, Placement, Sheet
from printkit.page.tiling import Zone
from printkit.page.tiling import tile_drawing as laid_over
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.features import Area, Hill
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import with_beyond

# --- What is drawn upon pieces of a board: tabs about a cut-out feature, number and bearing on the back of a zone -----

TAB: Final = 8.0
"""How far the tabs of a cut-out reach, in mm."""

_SLANT: Final = 4.0
_CUT: Final = 0.3
_FOLD: Final = (2.4, 1.4)
_NUMBER: Final = 0.085
_RIM: Final = 1.6
_PLATE: Final = (0.42, 9.0, 12.0)
"""The width of the plate with the bearing as a share of the zone, its height, and how far below the edge it is."""


def tabbed(width: float, height: float, said: tuple[str, str], drafter: Drafter) -> Drawing:
    """Return the tabs of a tile of ``width`` by ``height`` mm, as large as both together.

    Args:
        width: of the tile alone.
        height: of the tile alone.
        said: what stands on the upper tab, which names the piece, and on the others.
        drafter: style and words.
    """
    tile = Rect(TAB, TAB, width, height)
    items: list[Item] = [drafter.dashed(_ring(tile), 0.25, _FOLD)]
    items += [drafter.rule(points, _CUT) for points in _tabs(tile)]
    hand = drafter.hand(Font.FIGURES, 7.5, "ink-secondary")
    middle = 0.36 * hand.height
    x, y = tile.x + width / 2, tile.y + height / 2
    for text, at, angle in (
        (said[0], (x, tile.top + TAB / 2 - middle), 0.0),
        (said[1], (x, TAB / 2 - middle), 0.0),
        (said[1], (TAB / 2 + middle, y), 90.0),
        (said[1], (tile.right + TAB / 2 + middle, y), 90.0),
    ):
        room = (height if angle else width) - 2 * _SLANT
        items += drafter.text(text, at, hand, room=room, anchor=Anchor.MIDDLE, angle=angle)
    return drawing_of(width + 2 * TAB, height + 2 * TAB, items)


def zone_back(number: str, side: float, upwards: GridPlayer, drafter: Drafter) -> Drawing:
    """Return what stands upon the secret back of a zone: its number, and which side goes to the far player."""
    middle = (side / 2, side / 2)
    radius = _NUMBER * side
    items: list[Item] = [disc(middle, radius + _RIM, drafter.style.solid("card-back-line"))]
    items += medallion(number, middle, radius, drafter)
    share, high, inset = _PLATE
    plate = Rect(side * (1 - share) / 2, side - inset - high, share * side, high)
    items += _bearing(upwards, plate, drafter)
    return drawing_of(side, side, items)


def _bearing(upwards: GridPlayer, plate: Rect, drafter: Drafter) -> Iterator[Item]:
    yield drafter.box(plate, 0.5, upwards.token, fill=drafter.style.solid("cartouche"))
    hand = drafter.hand(Font.BANNER, 11.0, upwards.token)
    yield from drafter.centred(
        f"↑ {upwards.edge} ↑", (plate.x + plate.width / 2, plate.y + plate.height / 2), hand, room=plate.width - 4.0
    )


def _ring(tile: Rect) -> list[tuple[float, float]]:
    return [(tile.x, tile.y), (tile.right, tile.y), (tile.right, tile.top), (tile.x, tile.top), (tile.x, tile.y)]


def _tabs(tile: Rect) -> Iterator[list[tuple[float, float]]]:
    """Yield the four tabs, each from one corner of the tile to the next, its outer corners cut away."""
    corners = _ring(tile)
    outwards = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
    along = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    for number, ((out_x, out_y), (by_x, by_y)) in enumerate(zip(outwards, along, strict=True)):
        (x0, y0), (x1, y1) = corners[number], corners[number + 1]
        yield [
            (x0, y0),
            (x0 + out_x * TAB + by_x * _SLANT, y0 + out_y * TAB + by_y * _SLANT),
            (x1 + out_x * TAB - by_x * _SLANT, y1 + out_y * TAB - by_y * _SLANT),
            (x1, y1),
        ]


_ABOUT: Final = 2.0
_HEAD: Final = 20.0
"""The ground in mm that stays about a feature, and what the head of a page takes."""


class _Tile(Struct, frozen=True):
    """A feature to be cut out: its number and name, what of the board it shows, and the tabs about it."""

    number: int
    name: str
    window: Rect
    tabs: Drawing


def cut_out_document(record: Record, order: SheetContext) -> Document:
    """Return the features of a board as a document.

    Raises:
        PageError: a feature is larger than the paper, or there is none.
    """
    pages = cut_out_pages(record, order)
    if not pages:
        raise PageError("this board has no area feature or hill, so there is nothing to cut out")
    title = order.words("brantley.sheets.cut_outs.title")
    return apply_profile(Document(title=title, pages=pages, language=order.words.code), order.profile).document


def cut_out_pages(record: Record, order: SheetContext) -> tuple[Page, ...]:
    """Return every area and hill at true size on its tile, as many to a page as fit; none where the board is bare.

    Those that are larger than a page follow, each on sheets that are named by its number.

    Raises:
        PageError: the paper is too small for the marks by which sheets are joined.
    """
    record = replace(record, battlefield=with_beyond(record.battlefield))
    tiles = _tiles(record, order)
    if not tiles:
        return ()
    free = leaflet_area(order.sheet, measured=True, spread=True)
    space = Rect(0.0, 0.0, free.width, free.height - _HEAD)
    # No river runs through what is cut out.
    grown = tuple(feature for feature in record.battlefield.features if isinstance(feature, Area | Hill))
    field = replace(record.battlefield, features=grown, overlays=())
    board = bare_board(replace(record, battlefield=field), order)
    small = [tile for tile in tiles if tile.tabs.width <= space.width and tile.tabs.height <= space.height]
    large = [tile for tile in tiles if tile not in small]
    shelves = _shelved(small, board, order) if small else ()
    return (*shelves, *(page for tile in large for page in _joined(tile, board, record, order)))


def _shelved(tiles: Sequence[_Tile], board: Drawing, order: SheetContext) -> tuple[Page, ...]:
    """Return tiles with their tabs, as many to a page as fit."""
    words, free = order.words, leaflet_area(order.sheet, measured=True, spread=True)
    title = words("brantley.sheets.cut_outs.title")
    head = explained_head(title, words("brantley.sheets.cut_outs.how"), free.width, _HEAD, order.drafter)
    tabs = [tile.tabs for tile in tiles]
    pages, spots = shelved_pages(tabs, head, order.sheet, words=words, label=title, spread=True)
    pictures: list[list[Placement]] = [[] for _ in pages]
    for spot, tile in zip(spots, tiles, strict=True):
        at = (free.x + spot.x + TAB, free.y + spot.y + TAB)
        pictures[spot.page].append(_picture(board, tile.window, at))
    return tuple(
        replace(page, placements=(*shown, *page.placements)) for page, shown in zip(pages, pictures, strict=True)
    )


def _joined(tile: _Tile, board: Drawing, record: Record, order: SheetContext) -> tuple[Page, ...]:
    """Return a tile that is larger than a page over several sheets, with the marks by which they are joined."""
    imprint = Imprint(
        title=tile.name,
        seed=str(record.seed) if order.asked.show_seed and record.seed is not None else "",
        profile=order.printer,
    )
    part = Zone(str(tile.number), tile.window)
    return laid_over(board, _finite(order.sheet), imprint=imprint, words=order.words, zone=part).pages


def _finite(sheet: Sheet) -> Sheet:
    """Return the sheet, or that of a leaflet where it is as large as the whole map."""
    return reading_sheet(sheet) if math.isinf(sheet.width) else sheet


def _tiles(record: Record, order: SheetContext) -> list[_Tile]:
    words = order.words
    found = []
    for number, feature in numbered(record.battlefield):
        if isinstance(feature, Area | Hill):
            left, low, right, high = feature.outline.buffer(_ABOUT).bounds
            window = Rect(left, low, right - left, high - low)
            named = described(feature, words)
            if feature.origin.zone is not None:
                named = words("brantley.sheets.cut_outs.named", zone=feature.origin.zone, feature=named)
            said = (named, words("brantley.sheets.cut_outs.tab"))
            found.append(_Tile(number, named, window, tabbed(window.width, window.height, said, order.drafter)))
    return found


def bare_board(record: Record, order: SheetContext) -> Drawing:
    """Return the board of a record at true size without any lettering on it but names."""
    drafter = Drafter.map(order.style, order.words, Jitter(record.seed or 0, record.reseeded))
    return board_drawing(record.battlefield, drafter, numbers=False, zones=False, deployment=False)


def _picture(board: Drawing, window: Rect, at: tuple[float, float]) -> Placement:
    place = Rect(*at, window.width, window.height)
    return Placement(board, Affine(e=at[0] - window.x, f=at[1] - window.y), place)
