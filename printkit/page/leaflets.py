"""Pages of handouts: portrait sheets and folded booklets; and the whole map on one sheet with its check bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.core.resources import template
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, joined, marks_drawing
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import SMALL, line, measure, shorten
from printkit.page.check_bars import check_bar
from printkit.page.marks import Imprint
from printkit.page.sheet import Flip, Page, Placement, Sheet, find_sheet
from printkit.page.slots import ShelfPosition, place_on_shelves

if TYPE_CHECKING:
    from printkit.drawing.text.leaflet import Leaflet

_OVERVIEW_BAND: Final = 10.0
_OVERVIEW_SIDE: Final = 8.0
_CLEAR: Final = 1.2
# Baselines of the two lines of type next to the bars, in mm below the map.
_LINES: Final = (3.0, 5.8)

# The free width around the border that the bars need, in mm.
RIM: Final = 7.0


class Fit(NamedTuple):
    """The sheet, portrait or landscape, and the scale in printed mm per mm of the drawing, at most 1."""

    sheet: Sheet
    scale: float


def fit(width: float, height: float, sheet: Sheet) -> Fit:
    """Return the sheet position and scale that show a drawing as large as possible, at most 1:1.

    ``width`` and ``height`` are those of the drawing in its mm. The bands for the check bars stay free.

    Raises:
        PageError: the sheet has no fixed size or is too small.
    """
    if math.isinf(sheet.width + sheet.height):
        raise PageError('{sheet} has no fixed size, so "fit" cannot use it. Choose another paper.', sheet=sheet.name)
    candidates = []
    for paper in (sheet, sheet.rotated()):
        free = overview_area(paper)
        candidates.append(Fit(paper, min(free.width / width, free.height / height, 1.0)))
    best = max(candidates, key=lambda candidate: candidate.scale)
    if best.scale <= 0:
        raise PageError("{sheet} is too small for an overview; use larger paper or narrower margins", sheet=sheet.name)
    return best


def overview_area(sheet: Sheet) -> Rect:
    """Return the area for the overview in mm on paper, without the margins and the bands of check bars."""
    free = sheet.printable
    return Rect(
        free.x + _OVERVIEW_SIDE, free.y + _OVERVIEW_BAND, free.width - _OVERVIEW_SIDE, free.height - _OVERVIEW_BAND
    )


def ratio(scale: float) -> str:
    """Return a scale (printed mm per mm) as text: ``1:3.42``, ``1:4``, ``1:1``."""
    return f"1:{1 / scale:.2f}".rstrip("0").rstrip(".")


def overview(drawing: Drawing, sheet: Sheet, imprint: Imprint, words: Words, *, scale: float = 1.0) -> Page:
    """Return one sheet with the drawing centred, and check bars below and on the left.

    Args:
        drawing: the map; it is reduced if it does not fit.
        sheet: the paper; it is turned if the drawing is larger that way.
        imprint: the name of the pack and its seed.
        words: the language.
        scale: the scale of the drawing itself, in mm per mm of the board.

    Raises:
        PageError: the sheet is too small.
    """
    paper, smaller = fit(drawing.width, drawing.height, sheet)
    free = overview_area(paper)
    width, height = drawing.width * smaller, drawing.height * smaller
    # Centre on the sheet, unless the bars on the left need the space.
    left = max(free.x, (paper.width - width) / 2)
    place = Rect(left, free.y + (free.height - height) / 2, width, height)
    area = Rect(free.x - _CLEAR, free.y - _CLEAR, free.width + _CLEAR, free.height + _CLEAR)
    items = _draw_bars(area, paper.printable.x, scale * smaller, imprint, words)
    return paper.page(
        Placement(drawing, Affine(smaller, 0.0, 0.0, smaller, place.x, place.y), place),
        Placement(marks_drawing(paper.width, paper.height, items)),
        label=words.each()[0]("marks.overview-label"),
        bookmark=words("marks.overview-bookmark"),
    )


def with_bars(page: Page, rim: float, imprint: Imprint, words: Words, *, scale: float) -> Page:
    """Return a page as large as its map, with check bars and their texts on the rim outside the border.

    The bars are below the map and on its left.

    Args:
        page: a page with an empty rim.
        rim: the width of the empty border in mm on paper, at least ``RIM`` (7 mm).
        imprint: the name of the pack and its seed.
        words: the language.
        scale: printed mm per mm of the board.
    """
    sheet = page.sheet
    area = Rect(rim, rim, sheet.width - 2 * rim, sheet.height - 2 * rim)
    bars = marks_drawing(sheet.width, sheet.height, _draw_bars(area, rim, scale, imprint, words))
    return replace(page, placements=(*page.placements, Placement(bars)))


def _draw_bars(area: Rect, left: float, scale: float, imprint: Imprint, words: Words) -> list[Item]:
    """Return check bars below and left of an area, and two lines of type next to the lower bars.

    Args:
        area: the area of the map, in mm on paper.
        left: the x of the left end of the lower bars, in mm on paper.
        scale: printed mm per mm of the board.
        imprint: the name of the pack and its seed.
        words: the language.
    """
    true, label = ratio(scale), words("marks.true-size")
    first = label if true == "1:1" else f"{words('marks.as-scale', scale=true)}. {label}"
    horizontal, vertical = check_bar(area.right - left, words), check_bar(area.height, words)
    items: list[Item] = [*horizontal.draw_horizontal(left, area.y), *vertical.draw_vertical(area.x, area.y)]
    start = left + horizontal.total_length + 2.0
    for text, row in zip((first, imprint.format_line(words)), _LINES, strict=True):
        items += line(shorten(text, SMALL, area.right - start), (start, area.y - row), SMALL)
    return items


# --- Booklets ---------------------------------------------------------------------------------------------------------

# A landscape sheet of a booklet is printed duplex, flipped on the short edge.
FLIP: Final = Flip.SHORT_EDGE

# The smallest white border of each page in mm, so that the fold need not be exact.
_EDGE: Final = 8.0

_SHEET: Final = 4  # Pages per sheet.


class Booklet(Struct, frozen=True):
    """Printed sides, front and back alternately, and the number of sheets."""

    pages: tuple[Page, ...]
    sheets: int


def booklet_page_size(sheet: Sheet) -> tuple[float, float]:
    """Return the width and height in mm on paper of the drawing area of a booklet page (half a sheet).

    The area is inside margins of 8 mm, or of the sheet's margin if that is wider.
    """
    landscape = _landscape(sheet)
    edge = max(_EDGE, landscape.margin)
    return landscape.width / 2 - 2 * edge, landscape.height - 2 * edge


def make_booklet(drawings: Sequence[Drawing], sheet: Sheet, *, words: Words) -> Booklet:
    """Return a booklet of drawings of the size ``booklet_page_size``, in reading order.

    Four pages share a sheet. Blank pages complete the last sheet. Without drawings the booklet has no sheets.
    """
    landscape = _landscape(sheet)
    count = -(-len(drawings) // _SHEET) * _SHEET
    pages = tuple(
        _side(drawings, pair, landscape, number=number, words=words) for number, pair in enumerate(_pairs(count))
    )
    return Booklet(pages, count // _SHEET)


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    """Yield the left and right page number, from 1, for each side of each sheet, outermost sheet first.

    ``count`` is the number of pages, a multiple of four.
    """
    for sheet in range(count // _SHEET):
        first, last = 2 * sheet + 1, count - 2 * sheet
        yield last, first
        yield first + 1, last - 1


def _side(drawings: Sequence[Drawing], pair: tuple[int, int], sheet: Sheet, *, number: int, words: Words) -> Page:
    """Return one printed side of a booklet sheet.

    Args:
        drawings: the pages of the booklet.
        pair: the left and right page number, from 1; higher ones than the last stay blank.
        sheet: the paper in landscape.
        number: the number of the side, from 0.
        words: the language.
    """
    edge = max(_EDGE, sheet.margin)
    placements = tuple(
        Placement(drawings[page - 1], Affine(e=edge + place * sheet.width / 2, f=edge))
        for place, page in enumerate(pair)
        if page <= len(drawings)
    )
    sheet_number, back = number // 2 + 1, number % 2 == 1
    label = words.each()[0]("imposition.label-back", number=sheet_number) if back else str(sheet_number)
    bookmark = words("imposition.bookmark-back" if back else "imposition.bookmark", number=sheet_number)
    return sheet.page(*placements, label=label, bookmark=bookmark, back=back)


def _landscape(sheet: Sheet) -> Sheet:
    """Return the sheet in landscape."""
    return sheet if sheet.width >= sheet.height else sheet.rotated()


_BAND: Final = 8.0
_SIDE: Final = 4.0
_HEAD: Final = 3.0
# Largest sheets in mm²: a little more than Legal for reading in one hand, A3 for a sheet next to the board.
_LARGEST: Final = 80_000.0
_SPREAD: Final = 130_000.0

_METRIC, _NORTH_AMERICAN = "a4", "letter"


def reading_sheet(sheet: Sheet, *, spread: bool = False) -> Sheet:
    """Return a sheet size for reading: the sheet in portrait, or a smaller one.

    A sheet of more than 80,000 mm2, or a roll, becomes A4 or Letter with its own margins if it has some. For a page
    that is ``spread`` on the table the limit is 130,000 mm2, so it may be as large as A3.
    """
    if sheet.width * sheet.height <= (_SPREAD if spread else _LARGEST):
        return sheet.portrait
    american_sheets = template("sheets", "north-america").get("sheets", {})
    small = find_sheet(_NORTH_AMERICAN if sheet.name in american_sheets else _METRIC)
    # A sheet without margins is cut from a roll, but the small sheet needs the margins of a printer.
    return replace(small, margin=sheet.margin) if 0 < sheet.margin < math.inf else small


def leaflet_area(sheet: Sheet, *, measured: bool = False, spread: bool = False) -> Rect:
    """Return the area for drawings on a reading sheet, in mm on paper.

    It is inside the margins, without the band at the foot. Pages for reading have a wider white border; ``measured``
    pages use the full width inside the margins. See ``reading_sheet`` for ``spread``.
    """
    free = reading_sheet(sheet, spread=spread).printable
    side = 0.0 if measured else _SIDE
    return Rect(free.x + side, free.y + _BAND, free.width - 2 * side, free.height - _BAND - _HEAD)


def print_leaflet(
    leaflet: Leaflet,
    sheet: Sheet,
    style: Style,
    words: Words,
    *,
    bookmark: str,
    label: str = "",
    measured: bool = False,
    size_pt: float = 0.0,
) -> tuple[Page, ...]:
    """Return a leaflet as pages for reading on the requested paper.

    Args:
        leaflet: the text.
        sheet: the requested paper.
        style: the style of the text.
        words: the language.
        bookmark: the bookmark of the first page.
        label: the name of the pages, with a number if there are several.
        measured: whether players measure on these pages, so that they need check bars.
        size_pt: the normal size of running text in points; 0 for that of leaflets.

    Raises:
        PageError: one figure or row is larger than a page.
    """
    # Imported here because an overview of a map does not need the typesetting modules.
    from printkit.drawing.text.leaflet import SIZE_PT, leaflet_pages

    free = leaflet_area(sheet, measured=measured)
    size_pt = size_pt or SIZE_PT
    drawings = leaflet_pages(leaflet, free.width, free.height, style=style, words=words, size_pt=size_pt)
    least_pt = style.least_pt
    return leaflet_sheets(
        drawings, sheet, words=words, bookmark=bookmark, label=label, measured=measured, least_pt=least_pt
    )


def leaflet_sheets(
    drawings: Sequence[Drawing],
    sheet: Sheet,
    *,
    words: Words,
    bookmark: str = "",
    label: str = "",
    measured: bool = False,
    spread: bool = False,
    least_pt: float = 0.0,
) -> tuple[Page, ...]:
    """Return drawings of the size of ``leaflet_area``, in mm on paper, as pages, one drawing on each.

    Args:
        drawings: one per page.
        sheet: the requested paper.
        words: the language.
        bookmark: the bookmark of the first page.
        label: the name of the pages, with a number if there are several.
        measured: whether players measure on these pages, so that they need check bars.
        spread: whether the pages are used flat on the table, so that they may be as large as A3.
        least_pt: the smallest type size of the foot line, in points, for large print.
    """
    paper = reading_sheet(sheet, spread=spread)
    free = leaflet_area(sheet, measured=measured, spread=spread)
    foot = marks_drawing(paper.width, paper.height, _foot_items(paper, words, measured=measured, least_pt=least_pt))
    return tuple(
        paper.page(
            Placement(drawing, Affine(e=free.x, f=free.y)),
            Placement(foot),
            label=label if len(drawings) == 1 else f"{label} {number}".strip(),
            bookmark=bookmark if number == 1 else "",
        )
        for number, drawing in enumerate(drawings, 1)
    )


def shelved_pages(
    blocks: Sequence[Drawing], head: Drawing, sheet: Sheet, *, words: Words, label: str, spread: bool = False
) -> tuple[tuple[Page, ...], list[ShelfPosition]]:
    """Return pages with drawings under a common heading, and the position of each drawing.

    The pages are as few as possible. A position has the page, from 0, and the lower left corner in mm from the lower
    left of the area for drawings.

    Args:
        blocks: the drawings, at least one.
        head: the heading of every page.
        sheet: the requested paper.
        words: the language.
        label: the name of the pages.
        spread: whether the pages are used flat on the table, so that they may be as large as A3.

    Raises:
        PageError: a drawing is larger than a page.
    """
    free = leaflet_area(sheet, measured=True, spread=spread)
    space = Rect(0.0, 0.0, free.width, free.height - head.height)
    positions = place_on_shelves(blocks, space, space)
    drawings = []
    for page in range(1 + max(position.page for position in positions)):
        parts = [
            PlacedDrawing(position.drawing, position.x, position.y) for position in positions if position.page == page
        ]
        drawings.append(joined(free.width, free.height, [PlacedDrawing(head, 0.0, space.height), *parts]))
    pages = leaflet_sheets(drawings, sheet, words=words, bookmark=label, label=label, measured=True, spread=spread)
    return pages, positions


def _foot_items(paper: Sheet, words: Words, *, measured: bool, least_pt: float) -> list[Item]:
    """Return the line about actual size at the foot, and check bars on a ``measured`` page.

    ``least_pt`` is the smallest type size in points, 0 in ordinary print. Items are in mm on paper.
    """
    free = paper.printable
    text = words("marks.true-size")
    if not measured:
        style = replace(SMALL, size_pt=max(SMALL.size_pt, least_pt))
        width_mm = free.width - 2 * _SIDE
        if least_pt and measure(text, style) > width_mm:
            text = words.each()[0]("marks.true-size")
        return [*line(shorten(text, style, width_mm), (free.x + _SIDE, free.y + 0.6), style)]
    bar = check_bar(free.width, words)
    top = free.y + _BAND - 1.0
    start = free.x + bar.total_length + 2.0
    return [
        *bar.draw_horizontal(free.x, top),
        *line(shorten(text, SMALL, free.right - start), (start, top - 5.8), SMALL),
    ]
