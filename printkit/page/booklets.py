"""Booklets: pages two by two on sheets that lie, in the order in which they follow one another once they are folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.page.sheet import Flip, Page, Placement, Sheet

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
    whole = Rect(0.0, 0.0, sheet.width, sheet.height)
    return Page(sheet=sheet, placements=placed, trim=whole, label=label, bookmark=bookmark, back=back)


def _lying(sheet: Sheet) -> Sheet:
    return sheet if sheet.width >= sheet.height else sheet.turned()
