"""Pages of leaflets on paper: upright sheets held in the hand with a word about true size, and booklets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.resources import template
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.lettering.lettering import line, measure
from printkit.page.marks import check_bar
from printkit.page.ruling import SMALL, printed, shortened
from printkit.page.sheet import Flip, Page, Placement, Sheet, find
from printkit.page.slots import ShelfSpot, shelved

# --- Booklets ---------------------------------------------------------------------------------------------------------

FLIP: Final = Flip.SHORT_EDGE
"""A sheet that lies is turned like the page of a book over its short edge."""

_EDGE: Final = 8.0
"""What stays white about each page at least, in mm, so that the fold need not be exact."""

_SHEET: Final = 4
"""Pages of a sheet."""


class Booklet(Struct, frozen=True):
    """Pages of sheets, front and back in turn, and how many sheets they are."""

    pages: tuple[Page, ...]
    sheets: int


def page_room(sheet: Sheet) -> tuple[float, float]:
    """Return width and height in mm that a page of the booklet has on half of a sheet."""
    lying = _lying(sheet)
    edge = max(_EDGE, lying.margin)
    return lying.width / 2 - 2 * edge, lying.height - 2 * edge


def booklet(drawings: Sequence[Drawing], sheet: Sheet, *, words: Words) -> Booklet:
    """Return drawings of the size of ``page_room`` on sheets; white pages fill up the last."""
    lying = _lying(sheet)
    count = -(-len(drawings) // _SHEET) * _SHEET
    pages = tuple(_side(drawings, pair, lying, number=number, words=words) for number, pair in enumerate(_pairs(count)))
    return Booklet(pages, count // _SHEET)


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    """Yield for each side of each sheet the numbers of its left and of its right page, from 1."""
    for sheet in range(count // _SHEET):
        first, last = 2 * sheet + 1, count - 2 * sheet
        yield last, first
        yield first + 1, last - 1


def _side(drawings: Sequence[Drawing], pair: tuple[int, int], sheet: Sheet, *, number: int, words: Words) -> Page:
    edge = max(_EDGE, sheet.margin)
    placed = tuple(
        Placement(drawings[page - 1], Affine(e=edge + place * sheet.width / 2, f=edge))
        for place, page in enumerate(pair)
        if page <= len(drawings)
    )
    named, back = number // 2 + 1, number % 2 == 1
    label = words.each()[0]("imposition.label-back", number=named) if back else str(named)
    bookmark = words("imposition.bookmark-back" if back else "imposition.bookmark", number=named)
    return sheet.page(*placed, label=label, bookmark=bookmark, back=back)


def _lying(sheet: Sheet) -> Sheet:
    return sheet if sheet.width >= sheet.height else sheet.turned()


_BAND: Final = 8.0
_SIDE: Final = 4.0
_HEAD: Final = 3.0
_LARGEST: Final = 80_000.0
_SPREAD: Final = 130_000.0
"""Square millimetres: a leaflet on a sheet larger than legal paper is not held in one hand, one larger than A3 not
spread beside a board."""

_METRIC, _NORTH_AMERICAN = "a4", "letter"


def in_hand(sheet: Sheet, *, spread: bool = False) -> Sheet:
    """Return the sheet upright; for a large one, a roll, or one as large as the map, the common small sheet instead.

    What is ``spread`` on a table, and not held, may be as large as A3.
    """
    if sheet.width * sheet.height <= (_SPREAD if spread else _LARGEST):
        return sheet.upright
    named = template("sheets", "north-america").get("sheets", {})
    small = find(_NORTH_AMERICAN if sheet.name in named else _METRIC)
    # A sheet without margins is cut from a roll; the small one goes through a printer.
    return replace(small, margin=sheet.margin) if 0 < sheet.margin < math.inf else small


def room(sheet: Sheet, *, measured: bool = False, spread: bool = False) -> Rect:
    """Return what the drawings of a leaflet have on a sheet: all inside the margins but the band at the foot.

    Type stands somewhat inside the margins, for a page is read; what is ``measured`` may use all of them.
    """
    free = in_hand(sheet, spread=spread).printable
    side = 0.0 if measured else _SIDE
    return Rect(free.x + side, free.y + _BAND, free.width - 2 * side, free.height - _BAND - _HEAD)


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
    """Return drawings of the size of ``room`` as pages.

    Args:
        drawings: one a page.
        sheet: the paper that was asked for.
        words: the language.
        bookmark: of the first page.
        label: the name of the pages, which is counted where there are several.
        measured: people will measure on these pages, so they bear the check bar.
        spread: they lie on a table, and may be as large as A3.
        least_pt: the smallest type in points of the line at the foot; in large print it is larger.
    """
    paper = in_hand(sheet, spread=spread)
    free = room(sheet, measured=measured, spread=spread)
    foot = printed(paper.width, paper.height, _foot(paper, words, measured=measured, least_pt=least_pt))
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
) -> tuple[tuple[Page, ...], list[ShelfSpot]]:
    """Return drawings on as few pages as they fit, each page under the same head, and where each stands."""
    free = room(sheet, measured=True, spread=spread)
    space = Rect(0.0, 0.0, free.width, free.height - head.height)
    spots = shelved(blocks, space, space)
    drawings = []
    for page in range(1 + max(spot.page for spot in spots)):
        parts = [PlacedDrawing(spot.drawing, spot.x, spot.y) for spot in spots if spot.page == page]
        drawings.append(joined(free.width, free.height, [PlacedDrawing(head, 0.0, space.height), *parts]))
    pages = leaflet_sheets(drawings, sheet, words=words, bookmark=label, label=label, measured=True, spread=spread)
    return pages, spots


def _foot(paper: Sheet, words: Words, *, measured: bool, least_pt: float) -> list[Item]:
    """Return the word about true size, and the bars to check it where measures matter."""
    free = paper.printable
    said = words("marks.true-size")
    if not measured:
        hand = replace(SMALL, size_pt=max(SMALL.size_pt, least_pt))
        wide = free.width - 2 * _SIDE
        if least_pt and measure(said, hand) > wide:
            said = words.each()[0]("marks.true-size")
        return [*line(shortened(said, hand, wide), (free.x + _SIDE, free.y + 0.6), hand)]
    bar = check_bar(free.width, words)
    top = free.y + _BAND - 1.0
    start = free.x + bar.room + 2.0
    return [*bar.across(free.x, top), *line(shortened(said, SMALL, free.right - start), (start, top - 5.8), SMALL)]
