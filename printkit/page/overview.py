"""A whole map on one sheet, labelled with its true scale, and with bars to check it by, across and along."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Item, Rect
from printkit.drawing.lettering.lettering import line
from printkit.page.marks import Imprint, check_bar
from printkit.page.ruling import SMALL, printed, shortened
from printkit.page.sheet import Page, Placement, Sheet

_BAND: Final = 10.0
_SIDE: Final = 8.0
_CLEAR: Final = 1.2
_LINES: Final = (3.0, 5.8)
"""How far below the map the two lines beside the bars have their feet."""

RIM: Final = 7.0
"""What a sheet needs to have free about its border for the bars to stand there."""


class Fit(NamedTuple):
    """The sheet as it lies, and printed mm per mm of what is put on it, at most 1."""

    sheet: Sheet
    scale: float


def fit(width: float, height: float, sheet: Sheet) -> Fit:
    """Return how ``width`` by ``height`` mm become as large as possible on one sheet, with bands for the check bars.

    Raises:
        PageError: the sheet has no size of its own, or nothing of it is left.
    """
    if math.isinf(sheet.width + sheet.height):
        raise PageError('{sheet} has no fixed size, so "fit" cannot use it. Choose another paper.', sheet=sheet.name)
    found = []
    for lying in (sheet, sheet.turned()):
        free = room(lying)
        found.append(Fit(lying, min(free.width / width, free.height / height, 1.0)))
    best = max(found, key=lambda each: each.scale)
    if best.scale <= 0:
        raise PageError("{sheet} is too small for an overview; use larger paper or narrower margins", sheet=sheet.name)
    return best


def room(sheet: Sheet) -> Rect:
    """Return what an overview has on a sheet as it lies: all inside the margins but the bands of the check bars."""
    free = sheet.printable
    return Rect(free.x + _SIDE, free.y + _BAND, free.width - _SIDE, free.height - _BAND)


def ratio(scale: float) -> str:
    """Return a scale as people write it: ``1:3.42``, ``1:4``, ``1:1``."""
    return f"1:{1 / scale:.2f}".rstrip("0").rstrip(".")


def overview(drawing: Drawing, sheet: Sheet, imprint: Imprint, words: Words, *, scale: float = 1.0) -> Page:
    """Return one sheet with the drawing in its middle, and check bars below and at the left.

    Args:
        drawing: the map, put down smaller where it is larger than the sheet has room.
        sheet: the paper, turned whichever way shows the drawing larger.
        imprint: the name of the pack and its seed.
        words: the language.
        scale: printed mm per mm of the board that the drawing itself is drawn at.

    Raises:
        PageError: the sheet is too small.
    """
    lying, smaller = fit(drawing.width, drawing.height, sheet)
    free = room(lying)
    width, height = drawing.width * smaller, drawing.height * smaller
    # In the middle of the sheet, unless the bars at the left need so much.
    left = max(free.x, (lying.width - width) / 2)
    place = Rect(left, free.y + (free.height - height) / 2, width, height)
    about = Rect(free.x - _CLEAR, free.y - _CLEAR, free.width + _CLEAR, free.height + _CLEAR)
    items = _bars(about, lying.printable.x, scale * smaller, imprint, words)
    return lying.page(
        Placement(drawing, Affine(smaller, 0.0, 0.0, smaller, place.x, place.y), place),
        Placement(printed(lying.width, lying.height, items)),
        label=words.each()[0]("marks.overview-label"),
        bookmark=words("marks.overview-bookmark"),
    )


def with_bars(page: Page, rim: float, imprint: Imprint, words: Words, *, scale: float) -> Page:
    """Return a sheet as large as its map with the check bars, and what they say, on the rim outside its border.

    Args:
        page: with a rim that is free of ink.
        rim: how wide it is, in mm, ``RIM`` at least.
        imprint: the name of the pack and its seed.
        words: the language.
        scale: printed mm per mm of the board.
    """
    sheet = page.sheet
    about = Rect(rim, rim, sheet.width - 2 * rim, sheet.height - 2 * rim)
    bars = printed(sheet.width, sheet.height, _bars(about, rim, scale, imprint, words))
    return replace(page, placements=(*page.placements, Placement(bars)))


def _bars(about: Rect, left: float, scale: float, imprint: Imprint, words: Words) -> list[Item]:
    """Return the bars below a place from ``left`` on and at its left side, and two lines beside those below."""
    true, told = ratio(scale), words("marks.true-size")
    first = told if true == "1:1" else f"{words('marks.as-scale', scale=true)}. {told}"
    lying, standing = check_bar(about.right - left, words), check_bar(about.height, words)
    items: list[Item] = [*lying.across(left, about.y), *standing.up(about.x, about.y)]
    start = left + lying.room + 2.0
    for text, row in zip((first, imprint.said(words)), _LINES, strict=True):
        items += line(shortened(text, SMALL, about.right - start), (start, about.y - row), SMALL)
    return items
