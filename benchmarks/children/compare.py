"""Renders files page by page and prints, for each but the first, the share of dots that differ from the first.

python -m benchmarks.children.compare DPI FILE [FILE ...]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import numpy as np
from pypdfium2 import PdfDocument

STEP = 64
"""A dot differs if a colour of it does by more than this of 255: not by the smoothing of an edge."""


def pages(file: str, dpi: float) -> Iterator[np.ndarray]:
    """Yield every page as an array of dots."""
    document = PdfDocument(file)
    for number in range(len(document)):
        yield document[number].render(scale=dpi / 72).to_numpy().astype(np.int16)


def main() -> None:
    """Compare the files with the first."""
    dpi, first, *others = sys.argv[1:]
    ours = list(pages(first, float(dpi)))
    found = []
    for other in others:
        differing = total = 0
        for one, two in zip(ours, pages(other, float(dpi)), strict=True):
            high, wide = (min(sides) for sides in zip(one.shape[:2], two.shape[:2], strict=True))
            apart = np.abs(one[:high, :wide, :3] - two[:high, :wide, :3]).max(axis=2) > STEP
            differing += int(apart.sum())
            total += apart.size
        found.append(differing / total)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
