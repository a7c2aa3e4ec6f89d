"""Cut-outs: area features and hills to scale on tiles with tabs, and numbers for the backs of zones (BR-A10, AC-A09).

They work with any rule system. A feature larger than the paper is printed on several sheets that are glued together.
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
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import make_disc
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.map.labels import numbered
from printkit.drawing.map.layout_plan import GridPlayer, draw_medallion
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import instruction_header
from printkit.page.leaflets import leaflet_area, reading_sheet, shelved_pages
from printkit.page.marks import Imprint
from printkit.page.printer import apply_profile
from printkit.page.sheet import Document, Page, Placement
from printkit.page.tiling import Zone
from printkit.page.tiling import tile_drawing as laid_over
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.features import Area, Hill
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import extend_board

# --- Additions to pieces of a board: tabs around a cut-out, number and direction on the back of a zone ----------------

# Length of the tabs of a cut-out, in mm.
TAB_MM: Final = 8.0

_SLANT: Final = 4.0
_CUT: Final = 0.3
_FOLD: Final = (2.4, 1.4)
_NUMBER: Final = 0.085
_RIM: Final = 1.6
# The plate with the direction: its width as a share of the zone, its height in mm, its distance from the edge in mm.
_PLATE: Final = (0.42, 9.0, 12.0)


def draw_tabs(width: float, height: float, texts: tuple[str, str], drafter: Drafter) -> Drawing:
    """Return a drawing of the tabs around a tile of ``width`` by ``height`` mm at 1:1.

    The drawing is larger than the tile by 8 mm on each side; the tile itself is empty.

    Args:
        width: the width of the tile without tabs.
        height: the height of the tile without tabs.
        texts: the text on the upper tab, which names the piece, and the text on the others.
        drafter: style and words.
    """
    tile = Rect(TAB_MM, TAB_MM, width, height)
    items: list[Item] = [drafter.dashed_line(_tile_outline(tile), 0.25, _FOLD)]
    items += [drafter.rule(points, _CUT) for points in _tab_outlines(tile)]
    type_style = drafter.type_style(Font.FIGURES, 7.5, "ink-secondary")
    middle = 0.36 * type_style.height
    x, y = tile.x + width / 2, tile.y + height / 2
    for text, point, angle in (
        (texts[0], (x, tile.top + TAB_MM / 2 - middle), 0.0),
        (texts[1], (x, TAB_MM / 2 - middle), 0.0),
        (texts[1], (TAB_MM / 2 + middle, y), 90.0),
        (texts[1], (tile.right + TAB_MM / 2 + middle, y), 90.0),
    ):
        available_mm = (height if angle else width) - 2 * _SLANT
        items += drafter.text(text, point, type_style, max_width_mm=available_mm, anchor=Anchor.MIDDLE, angle=angle)
    return drawing_of(width + 2 * TAB_MM, height + 2 * TAB_MM, items)


def draw_zone_back(number: str, side: float, upwards: GridPlayer, drafter: Drafter) -> Drawing:
    """Return the additions to the secret back of a zone: its number, and the side towards the far player.

    The drawing is as large as the zone. ``number`` is the number as text. ``side`` is the side of the zone in mm on
    paper. ``upwards`` is the player at the top.
    """
    middle = (side / 2, side / 2)
    radius = _NUMBER * side
    items: list[Item] = [make_disc(middle, radius + _RIM, drafter.style.solid("card-back-line"))]
    items += draw_medallion(number, middle, radius, drafter)
    width_share, plate_height, plate_inset = _PLATE
    plate = Rect(side * (1 - width_share) / 2, side - plate_inset - plate_height, width_share * side, plate_height)
    items += _draw_direction(upwards, plate, drafter)
    return drawing_of(side, side, items)


def _draw_direction(upwards: GridPlayer, plate: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield a plate with the name of the upper edge between two arrows, in the colour of its player.

    Items are in printed mm.
    """
    yield drafter.box(plate, 0.5, upwards.token, fill=drafter.style.solid("cartouche"))
    type_style = drafter.type_style(Font.BANNER, 11.0, upwards.token)
    yield from drafter.centred_text(
        f"↑ {upwards.edge} ↑",
        (plate.x + plate.width / 2, plate.y + plate.height / 2),
        type_style,
        max_width_mm=plate.width - 4.0,
    )


def _tile_outline(tile: Rect) -> list[tuple[float, float]]:
    """Return the closed outline of a tile in mm on paper, from its lower left corner anticlockwise."""
    return [(tile.x, tile.y), (tile.right, tile.y), (tile.right, tile.top), (tile.x, tile.top), (tile.x, tile.y)]


def _tab_outlines(tile: Rect) -> Iterator[list[tuple[float, float]]]:
    """Yield the outlines of the four tabs of a tile, in mm on paper.

    Each is along one side of the tile and has slanted outer corners. An outline is four points, open along the tile;
    the order is below, right, above, left.
    """
    corners = _tile_outline(tile)
    outwards = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
    sideways = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    for number, ((out_x, out_y), (by_x, by_y)) in enumerate(zip(outwards, sideways, strict=True)):
        (x0, y0), (x1, y1) = corners[number], corners[number + 1]
        yield [
            (x0, y0),
            (x0 + out_x * TAB_MM + by_x * _SLANT, y0 + out_y * TAB_MM + by_y * _SLANT),
            (x1 + out_x * TAB_MM - by_x * _SLANT, y1 + out_y * TAB_MM - by_y * _SLANT),
            (x1, y1),
        ]


# Ground kept around a feature, in mm.
_MARGIN_MM: Final = 2.0
# Height of the page heading, in mm.
_HEAD_MM: Final = 20.0


class _Tile(Struct, frozen=True):
    """A feature to cut out: its number and name, its window on the board in mm, and its tabs."""

    number: int
    name: str
    window: Rect
    tabs: Drawing


def cut_out_document(record: Record, order: SheetContext) -> Document:
    """Return the area features and hills of a board as a document of cut-outs.

    Raises:
        PageError: the paper is too small for the join marks, or the board has no feature to cut out.
    """
    pages = cut_out_pages(record, order)
    if not pages:
        raise PageError("this board has no area feature or hill, so there is nothing to cut out")
    title = order.words("brantley.sheets.cut_outs.title")
    return apply_profile(Document(title=title, pages=pages, language=order.words.code), order.profile).document


def cut_out_pages(record: Record, order: SheetContext) -> tuple[Page, ...]:
    """Return every area feature and hill to scale on its tile, as many to a page as fit.

    The result is empty without features. Features larger than a page follow, each on sheets labelled with its number.

    Raises:
        PageError: the paper is too small for the join marks of the sheets.
    """
    record = replace(record, battlefield=extend_board(record.battlefield))
    tiles = _make_tiles(record, order)
    if not tiles:
        return ()
    printable = leaflet_area(order.sheet, measured=True, spread=True)
    tile_space = Rect(0.0, 0.0, printable.width, printable.height - _HEAD_MM)
    # Rivers and roads are not drawn through cut-outs.
    area_features = tuple(feature for feature in record.battlefield.features if isinstance(feature, Area | Hill))
    field = replace(record.battlefield, features=area_features, overlays=())
    board = draw_plain_board(replace(record, battlefield=field), order)
    small = [tile for tile in tiles if tile.tabs.width <= tile_space.width and tile.tabs.height <= tile_space.height]
    large = [tile for tile in tiles if tile not in small]
    shelves = _pack_tiles(small, board, order) if small else ()
    return (*shelves, *(page for tile in large for page in _split_tile(tile, board, record, order)))


def _pack_tiles(tiles: Sequence[_Tile], board: Drawing, order: SheetContext) -> tuple[Page, ...]:
    """Return pages of tiles with their tabs at actual size, as many to a page as fit, in the order of ``tiles``."""
    words, printable = order.words, leaflet_area(order.sheet, measured=True, spread=True)
    title = words("brantley.sheets.cut_outs.title")
    head = instruction_header(title, words("brantley.sheets.cut_outs.how"), printable.width, _HEAD_MM, order.drafter)
    tabs = [tile.tabs for tile in tiles]
    pages, positions = shelved_pages(tabs, head, order.sheet, words=words, label=title, spread=True)
    pictures: list[list[Placement]] = [[] for _ in pages]
    for position, tile in zip(positions, tiles, strict=True):
        x, y, window = printable.x + position.x + TAB_MM, printable.y + position.y + TAB_MM, tile.window
        place = Rect(x, y, window.width, window.height)
        pictures[position.page].append(Placement(board, Affine(e=x - window.x, f=y - window.y), place))
    return tuple(
        replace(page, placements=(*page_pictures, *page.placements))
        for page, page_pictures in zip(pages, pictures, strict=True)
    )


def _split_tile(tile: _Tile, board: Drawing, record: Record, order: SheetContext) -> tuple[Page, ...]:
    """Return the sheets of a tile that is larger than a page, with join marks.

    A roll is replaced by a sheet for reading.
    """
    imprint = Imprint(
        title=tile.name,
        seed=str(record.seed) if order.asked.show_seed and record.seed is not None else "",
        profile=order.printer,
    )
    part = Zone(str(tile.number), tile.window)
    # A roll, or a sheet as large as the map, has no width: large tiles then go on sheets of a size for reading.
    sheet = reading_sheet(order.sheet) if math.isinf(order.sheet.width) else order.sheet
    return laid_over(board, sheet, imprint=imprint, words=order.words, zone=part).pages


def _make_tiles(record: Record, order: SheetContext) -> list[_Tile]:
    """Return a tile for each area feature and hill, in the order of their numbers on the map.

    Its window is the box of the feature with a margin, in mm on the board.
    """
    words = order.words
    tiles = []
    for number, feature in numbered(record.battlefield):
        if isinstance(feature, Area | Hill):
            left, low, right, high = feature.outline.buffer(_MARGIN_MM).bounds
            window = Rect(left, low, right - left, high - low)
            name = describe_feature(feature, words)
            if feature.origin.zone is not None:
                name = words("brantley.sheets.cut_outs.named", zone=feature.origin.zone, feature=name)
            tab_texts = (name, words("brantley.sheets.cut_outs.tab"))
            tiles.append(_Tile(number, name, window, draw_tabs(window.width, window.height, tab_texts, order.drafter)))
    return tiles


def draw_plain_board(record: Record, order: SheetContext) -> Drawing:
    """Return the board of a record to scale, with names as its only text."""
    drafter = Drafter.map(order.style, order.words, Jitter(record.seed or 0, record.reseeded))
    return board_drawing(record.battlefield, drafter, numbers=False, zones=False, deployment=False)
