"""A whole map on one sheet, labelled with its true scale."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Item, Rect
from printkit.drawing.lettering.lettering import line
from printkit.page.marks import Imprint, check_bar
from printkit.page.ruling import SMALL, printed, shortened
from printkit.page.sheet import Page, Placement, Sheet

_BAND: Final = 10.0


class Fit(NamedTuple):
    """The sheet as it lies, and printed mm per mm of what is put on it, at most 1."""

    sheet: Sheet
    scale: float


def fit(width: float, height: float, sheet: Sheet) -> Fit:
    """Return how ``width`` by ``height`` mm become as large as possible on one sheet, with a band for the check bar.

    Raises:
        PageError: the sheet has no size of its own, or nothing of it is left.
    """
    if math.isinf(sheet.width + sheet.height):
        raise PageError(
            "sheet {sheet} is as long as it needs to be, so nothing can be fitted to it; name another", sheet=sheet.name
        )
    found = []
    for lying in (sheet, sheet.turned()):
        free = room(lying)
        found.append(Fit(lying, min(free.width / width, free.height / height, 1.0)))
    best = max(found, key=lambda each: each.scale)
    if best.scale <= 0:
        raise PageError(
            "sheet {sheet} is too small for an overview; take a larger one or narrower margins", sheet=sheet.name
        )
    return best


def room(sheet: Sheet) -> Rect:
    """Return what an overview has on a sheet as it lies: all inside the margins but the band of the check bar."""
    free = sheet.printable
    return Rect(free.x, free.y + _BAND, free.width, free.height - _BAND)


def ratio(scale: float) -> str:
    """Return a scale as people write it: ``1:3.42``, ``1:4``, ``1:1``."""
    return f"1:{1 / scale:.2f}".rstrip("0").rstrip(".")


def overview(drawing: Drawing, sheet: Sheet, imprint: Imprint, words: Words, *, scale: float = 1.0) -> Page:
    """Return one sheet with the drawing in its middle and a check bar below.

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
    place = Rect(free.x + (free.width - width) / 2, free.y + (free.height - height) / 2, width, height)
    true = ratio(scale * smaller)
    bar = check_bar(free.width, words)
    top = free.y - 1.4
    items: list[Item] = bar.across(free.x, top)
    if true == "1:1":
        said = (words("marks.true-size"), imprint.said(words))
    else:
        said = (f"{words('marks.as-scale', scale=true)}. {words('marks.true-size')}", imprint.said(words))
    for text, row in zip(said, (3.0, 5.8), strict=True):
        start = free.x + bar.room + 2.0
        items += line(shortened(text, SMALL, free.right - start), (start, top - row), SMALL)
    return lying.page(
        Placement(drawing, Affine(smaller, 0.0, 0.0, smaller, place.x, place.y), place),
        Placement(printed(lying.width, lying.height, items)),
        label=words.each()[0]("marks.overview-label"),
        bookmark=words("marks.overview-bookmark"),
    )
