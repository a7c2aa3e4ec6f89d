"""How much ink a print takes: measured on rendered pages, so that washes, halos and hatching count as they print."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Affine, Rect
from printkit.export.png import pictures
from printkit.page.sheet import Document, Page, Placement, Sheet

_DPI: Final = 100.0
"""Dots an inch at which ink is measured. The renderer makes no line thinner than a dot, so with fewer dots the fine
lines of a map count for too much: by a third at 36, by a fiftieth at 100."""

_MOST_DOTS: Final = 50_000_000
"""Of the largest page; one that is larger is measured more coarsely, so that it takes 200 MB at most."""

_WHITE: Final = 255

_COARSE_DPI: Final = 50.0
"""Dots an inch at which ink is estimated; the finest lines count for a third more there than at 100."""

_SAMPLES: Final = 4
_SIDE: Final = 120.0
"""How many parts of the pages the ink is estimated by, and the longest side of each in mm."""


def ink_share(document: Document) -> float:
    """Return the mean of C + M + Y + K per unit of area of all pages, with full grey replacement.

    White paper takes 0, a sheet of solid black 1, one of solid red 2. Grey replacement prints with black alone what
    the three colours have in common, as drivers of printers do when they save ink.
    """
    dots, inked = 0, 0.0
    for picture in pictures(document, _resolution(page.sheet for page in document.pages)):
        size = picture.width * picture.height
        dots += size
        inked += size * picture_share(np.asarray(picture))
    return inked / dots


def picture_share(picture: NDArray[np.uint8]) -> float:
    """Return the mean of C + M + Y + K over a picture of height x width x RGB, each ink 0 to 1."""
    # With K = 1 - max and each other ink max - light, the four add up to 1 + 2 max - (R + G + B).
    brightest = int(picture.max(axis=2).sum(dtype=np.int64))
    light = int(picture.sum(dtype=np.int64))
    dots = picture.size // 3
    return 1.0 + (2 * brightest - light) / (_WHITE * dots)


def _resolution(sheets: Iterable[Sheet]) -> float:
    largest = max(sheet.width * sheet.height for sheet in sheets)
    return min(_DPI, math.sqrt(_MOST_DOTS / largest) * MM_PER_INCH)


def ink_estimate(document: Document) -> float:
    """Return about what ``ink_share`` measures, by a few parts of the pages: it takes no longer than to write them."""
    parts = [part for page in document.pages for part in _parts(page)]
    count = min(_SAMPLES, len(parts))
    chosen = tuple(parts[(2 * number + 1) * len(parts) // (2 * count)] for number in range(count))
    shares = [picture_share(np.asarray(each)) for each in pictures(replace(document, pages=chosen), _COARSE_DPI)]
    areas = [part.sheet.width * part.sheet.height for part in chosen]
    return sum(share * area for share, area in zip(shares, areas, strict=True)) / sum(areas)


def _parts(page: Page) -> Iterator[Page]:
    """Yield a page cut into equal parts, row by row."""
    columns, rows = (math.ceil(side / _SIDE) for side in (page.sheet.width, page.sheet.height))
    width, height = page.sheet.width / columns, page.sheet.height / rows
    for row in range(rows):
        for column in range(columns):
            window = Rect(column * width, row * height, width, height)
            shown = tuple(each for placement in page.placements for each in _cut(placement, window))
            sheet = Sheet("part", width, height, 0.0)
            yield replace(page, sheet=sheet, placements=shown, trim=sheet.printable)


def _cut(placement: Placement, window: Rect) -> Iterator[Placement]:
    """Yield what of a placement is seen in a window of the page, as it lies there."""
    clip = placement.clip or window
    left, bottom = max(clip.x, window.x), max(clip.y, window.y)
    width, height = min(clip.right, window.right) - left, min(clip.top, window.top) - bottom
    if width > 0 and height > 0:
        a, b, c, d, e, f = placement.transform
        moved = Affine(a, b, c, d, e - window.x, f - window.y)
        yield Placement(placement.drawing, moved, Rect(left - window.x, bottom - window.y, width, height))
