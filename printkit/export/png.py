"""Render documents as bitmaps from their PDF, so that pictures match the print, and measure their ink."""

from __future__ import annotations

import math
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image
from pypdfium2 import PdfDocument

from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.units import DPI, MM_PER_INCH
from printkit.drawing.canvas.items import Affine, Rect
from printkit.export import pdf
from printkit.export.placing import page_paths, replace_file
from printkit.page.sheet import Document, Page, Placement, Sheet, intersect_rects

# The largest bitmap in dots: 24 inches square at 589 dpi, which needs 600 MB of memory.
MOST_DOTS: Final = 200_000_000


def write(document: Document, path: Path, *, dpi: float | None = None) -> tuple[Path, ...]:
    """Write a document as one PNG per page, and return the paths: ``map.png``, or ``map-1.png``, ``map-2.png`` ...

    The default ``dpi`` is the resolution of the document.

    Raises:
        PageError: a bitmap would be too large, ``dpi`` is not positive, or a file cannot be written.
    """
    dpi = document.dpi if dpi is None else dpi
    paths = page_paths(path, len(document.pages))
    for target, picture in zip(paths, pictures(document, dpi), strict=True):
        with replace_file(target) as temporary:
            picture.save(temporary, "PNG", dpi=(dpi, dpi))
    return paths


def pictures(document: Document, dpi: float) -> Iterator[Image.Image]:
    """Yield the pages of a document as RGB bitmaps of ``dpi`` dots per inch, in order.

    Raises:
        PageError: a bitmap would be too large, ``dpi`` is not positive, or the document cannot be a PDF. It is raised
            when the first bitmap is asked for.
    """
    sizes = [size_in_dots(page.sheet, dpi) for page in document.pages]
    pdf_document = PdfDocument(pdf.data(document))
    try:
        for number, size in enumerate(sizes):
            yield _render_page(pdf_document, number, size, dpi)
    finally:
        pdf_document.close()


def render_transparent(document: Document, dpi: float) -> bytes:
    """Return the first page of a document as the bytes of a PNG, transparent where nothing is drawn.

    ``dpi`` is in dots per inch. The document has at least one page.

    Raises:
        PageError: a bitmap would be too large, or ``dpi`` is not positive.
    """
    size = size_in_dots(document.pages[0].sheet, dpi)
    pdf_document = PdfDocument(pdf.data(document))
    try:
        bitmap = pdf_document[0].render(scale=dpi / 72 * (1 - 1e-6), fill_color=(255, 255, 255, 0), rev_byteorder=True)
        picture = bitmap.to_pil().convert("RGBA").crop((0, 0, *size))
    finally:
        pdf_document.close()
    buffer = BytesIO()
    picture.save(buffer, "PNG", dpi=(dpi, dpi))
    return buffer.getvalue()


def render_thumbnail(document: Document, long_side: int, *, dpi: float) -> bytes:
    """Return the first page of a document as the bytes of a small JPEG, ``long_side`` dots on its longer side.

    It is smaller if the page has fewer dots at ``dpi``.

    Args:
        document: the document, with at least one page.
        long_side: length of the longer side in dots.
        dpi: rendering resolution before the picture is reduced, so that fine lines stay fine.

    Raises:
        PageError: a bitmap would be too large, or ``dpi`` is not positive.
    """
    picture = next(pictures(document, dpi))
    picture.thumbnail((long_side, long_side), Image.Resampling.LANCZOS)
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=82, optimize=True)
    return buffer.getvalue()


def size_in_dots(sheet: Sheet, dpi: float) -> tuple[int, int]:
    """Return the width and height of a page in dots, for a resolution in dots per inch.

    Raises:
        PageError: there are more than 200 million dots, or ``dpi`` is not positive. The message suggests a resolution.
    """
    if dpi <= 0:
        raise PageError(
            "{dpi:g} dots per inch is not a resolution; use more than 0, for example {usual:g}", dpi=dpi, usual=DPI
        )
    width, height = (max(1, round(side / MM_PER_INCH * dpi)) for side in (sheet.width, sheet.height))
    if width * height > MOST_DOTS:
        most = (MOST_DOTS / (sheet.width * sheet.height)) ** 0.5 * MM_PER_INCH
        raise PageError(
            "a picture of {width} x {height} pixels is too large; a page of {sheet_width:.0f} x "
            "{sheet_height:.0f} mm can have at most {most} dots per inch",
            width=width,
            height=height,
            sheet_width=sheet.width,
            sheet_height=sheet.height,
            most=int(most),
        )
    return width, height


def _render_page(document: PdfDocument, number: int, size: tuple[int, int], dpi: float) -> Image.Image:
    """Return a page as a bitmap of exactly ``size`` dots (width, height); ``number`` counts pages from 0.

    ``dpi`` is the resolution in dots per inch. Dots that the page does not cover are white.
    """
    page = document[number]
    # The renderer rounds sizes up and stretches the page, even from just above a whole number.
    bitmap = page.render(scale=dpi / 72 * (1 - 1e-6), rev_byteorder=True)
    picture: Image.Image = bitmap.to_pil().convert("RGB")
    page.close()
    if picture.size == size:
        return picture
    exact = Image.new("RGB", size, "white")
    exact.paste(picture, (0, 0))
    return exact


# --- Ink of a print ---------------------------------------------------------------------------------------------------

_WHITE: Final = 255

# Resolution in dpi for estimating ink; the finest lines count for a third more than at 100 dpi.
_COARSE_DPI: Final = 50.0

# Number of samples of the pages for the estimate, and their longest side in mm.
_SAMPLES: Final = 4
_SIDE: Final = 120.0


def picture_share(picture: NDArray[np.uint8]) -> float:
    """Return the mean of C + M + Y + K of a picture, each ink 0 to 1: 0 for white, 1 for black, 2 for red.

    ``picture`` is height x width x RGB, 0 to 255.
    """
    # With K = 1 - max and each other ink max - light, the four add up to 1 + 2 max - (R + G + B).
    brightest = int(picture.max(axis=2).sum(dtype=np.int64))
    light = int(picture.sum(dtype=np.int64))
    dots = picture.size // 3
    return 1.0 + (2 * brightest - light) / (_WHITE * dots)


def ink_estimate(document: Document) -> float:
    """Return an estimate of the mean ``picture_share`` from a few samples of the pages, as fast as writing the pages.

    White paper has 0, solid black 1, solid red 2.
    """
    parts = [part for page in document.pages for part in _page_parts(page)]
    count = min(_SAMPLES, len(parts))
    samples = tuple(parts[(2 * number + 1) * len(parts) // (2 * count)] for number in range(count))
    shares = [
        picture_share(np.asarray(picture))
        for picture in pictures(replace(document, pages=samples, all_pages=()), _COARSE_DPI)
    ]
    areas = [part.sheet.width * part.sheet.height for part in samples]
    return plain_sum(share * area for share, area in zip(shares, areas, strict=True)) / plain_sum(areas)


def _page_parts(page: Page) -> Iterator[Page]:
    """Yield equal parts of a page as pages, row by row from the lower left, each at most ``_SIDE`` mm on paper.

    Each has only what is visible in it.
    """
    columns, rows = (math.ceil(side / _SIDE) for side in (page.sheet.width, page.sheet.height))
    width, height = page.sheet.width / columns, page.sheet.height / rows
    for row in range(rows):
        for column in range(columns):
            window = Rect(column * width, row * height, width, height)
            placements = tuple(
                visible_part for placement in page.placements for visible_part in _placement_part(placement, window)
            )
            sheet = Sheet("part", width, height, 0.0)
            yield replace(page, sheet=sheet, placements=placements, trim=sheet.printable)


def _placement_part(placement: Placement, window: Rect) -> Iterator[Placement]:
    """Yield the part of a placement that is visible in a window of the page, relative to the window.

    The window is in mm of the page. Nothing is yielded if no part is visible.
    """
    part = intersect_rects(placement.clip or window, window)
    if part.width > 0 and part.height > 0:
        a, b, c, d, e, f = placement.transform
        transform = Affine(a, b, c, d, e - window.x, f - window.y)
        yield Placement(placement.drawing, transform, part._replace(x=part.x - window.x, y=part.y - window.y))
