"""How much ink a print takes: measured on rendered pages, so that washes, halos and hatching count as they print."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from printkit.export.png import pictures
from printkit.page.sheet import Document, Sheet
from printkit.units import MM_PER_INCH

_DPI: Final = 100.0
"""Dots an inch at which ink is measured. The renderer makes no line thinner than a dot, so with fewer dots the fine
lines of a map count for too much: by a third at 36, by a fiftieth at 100."""

_MOST_DOTS: Final = 50_000_000
"""Of the largest page; one that is larger is measured more coarsely, so that it takes 200 MB at most."""

_WHITE: Final = 255


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
