"""The ink of whole pages."""

from __future__ import annotations

import numpy as np

from printkit.export.png import picture_share, pictures
from printkit.page.sheet import Document

_DPI = 100.0


def ink_share(document: Document) -> float:
    """Return the mean of C + M + Y + K per unit of area of all pages, measured at 100 dpi."""
    pages = [np.asarray(picture) for picture in pictures(document, _DPI)]
    return sum(page.size * picture_share(page) for page in pages) / sum(page.size for page in pages)
