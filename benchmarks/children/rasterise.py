"""Renders every page of a file and keeps nothing.

python -m benchmarks.children.rasterise DPI FILE
"""

from __future__ import annotations

import sys

from pypdfium2 import PdfDocument


def main() -> None:
    """Render the pages one after the other."""
    dpi, file = sys.argv[1:]
    document = PdfDocument(file)
    for number in range(len(document)):
        page = document[number]
        page.render(scale=float(dpi) / 72)
        page.close()


if __name__ == "__main__":
    main()
