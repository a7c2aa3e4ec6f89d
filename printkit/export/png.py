"""Documents as bitmaps: our own PDF, rendered, so that a picture shows what is printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PIL import Image
from pypdfium2 import PdfDocument

from printkit.core.errors import PageError
from printkit.core.units import MM_PER_INCH
from printkit.export import pdf
from printkit.export.files import numbered, replacing
from printkit.page.sheet import Document, Sheet

DPI: Final = 150.0
"""Dots an inch unless a person asks otherwise: enough for a screen; a printer gets the PDF."""

MOST_DOTS: Final = 200_000_000
"""The largest bitmap: 24 inches square at 589 dots an inch, 600 MB in memory while it is made."""


def write(document: Document, path: Path, *, dpi: float = DPI) -> tuple[Path, ...]:
    """Write a document as one PNG a page, and return their paths: ``map.png``, or ``map-1.png``, ``map-2.png`` ...

    Raises:
        PageError: a bitmap would be too large, ``dpi`` is no resolution, or a file cannot be written.
    """
    paths = numbered(path, len(document.pages))
    for target, picture in zip(paths, pictures(document, dpi), strict=True):
        with replacing(target) as unfinished:
            picture.save(unfinished, "PNG", dpi=(dpi, dpi))
    return paths


def pictures(document: Document, dpi: float) -> Iterator[Image.Image]:
    """Yield every page of a document as a bitmap in RGB.

    Raises:
        PageError: a bitmap would be too large, or ``dpi`` is no resolution; before the first is made.
    """
    sizes = [dots(page.sheet, dpi) for page in document.pages]
    rendered = PdfDocument(pdf.data(document))
    try:
        for number, size in enumerate(sizes):
            yield _rendered(rendered, number, size, dpi)
    finally:
        rendered.close()


def dots(sheet: Sheet, dpi: float) -> tuple[int, int]:
    """Return how many dots wide and high a page is.

    Raises:
        PageError: more than 200 million, or ``dpi`` is not positive; says what resolution would do.
    """
    if dpi <= 0:
        raise PageError("{dpi:g} dots an inch is no resolution; give more than 0, as {usual:g}", dpi=dpi, usual=DPI)
    width, height = (max(1, round(side / MM_PER_INCH * dpi)) for side in (sheet.width, sheet.height))
    if width * height > MOST_DOTS:
        most = (MOST_DOTS / (sheet.width * sheet.height)) ** 0.5 * MM_PER_INCH
        raise PageError(
            "a bitmap of {width} x {height} dots is too large; a page of {sheet_width:.0f} x "
            "{sheet_height:.0f} mm can have at most {most} dots an inch",
            width=width,
            height=height,
            sheet_width=sheet.width,
            sheet_height=sheet.height,
            most=int(most),
        )
    return width, height


def _rendered(document: PdfDocument, number: int, size: tuple[int, int], dpi: float) -> Image.Image:
    page = document[number]
    # The renderer rounds sizes up, even from a hair above a whole number, and stretches the page to them.
    bitmap = page.render(scale=dpi / 72 * (1 - 1e-6), rev_byteorder=True)
    picture: Image.Image = bitmap.to_pil().convert("RGB")
    page.close()
    if picture.size == size:
        return picture
    exact = Image.new("RGB", size, "white")
    exact.paste(picture, (0, 0))
    return exact
