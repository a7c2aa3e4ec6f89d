"""Times what a printer pays: rasterising all sheets of a tiled map, as printkit writes them and with one shared form.

The other way to tile is to write the map once, as one form, and to show it on every sheet through a window. Such a
file is a little smaller, but whoever prints it works through the whole map for each sheet. Both files are made here
from the same display list, and pages of both are compared dot by dot.

    python benchmarks/shared_form.py [RULES [BOARD [SEED [DPI]]]]
"""

from __future__ import annotations

import sys
import time
from io import BytesIO

import numpy as np
import pikepdf
import pypdfium2
from msgspec.structs import replace
from numpy.typing import NDArray

from printkit.core import words as languages
from printkit.core.units import mm_to_points
from printkit.drawing.canvas.items import Drawing
from printkit.export import pdf
from printkit.kit import registry
from printkit.options.printing import MapOptions
from printkit.page.sheet import Document, Page, Placement, document_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context

_NAME = "/Whole"


def tiled_map(rules: str, board: str, seed: int, style: str = "campaign") -> Document:
    """Return a map on A4 at true size."""
    words = languages.find_words("en")
    system = registry.find(rules)
    order = map_context(MapOptions(style=style), words)
    record = play(system, Orders(rules=rules, board=board), seed, words).record
    return plan_map(record, system, order).document


def shared(document: Document) -> bytes:
    """Return the document as PDF with the drawing that most of its pages show held as one form, drawn on each."""
    drawing = _most_shown(document)
    rest = tuple(
        replace(page, placements=tuple(each for each in page.placements if each.drawing is not drawing))
        for page in document.pages
    )
    with (
        pikepdf.open(BytesIO(pdf.data(replace(document, pages=rest)))) as made,
        pikepdf.open(BytesIO(pdf.data(document_of(drawing, title=document.title)))) as alone,
    ):
        form = made.copy_foreign(alone.pages[0].as_form_xobject())
        for page, written in zip(document.pages, made.pages, strict=True):
            code = "".join(_shown(each) for each in page.placements if each.drawing is drawing)
            if code:
                resources = written.obj.Resources
                if "/XObject" not in resources:
                    resources.XObject = pikepdf.Dictionary()
                resources.XObject[_NAME] = form
                written.contents_add(code.encode("ascii"), prepend=True)
        data = BytesIO()
        made.save(data)
    return data.getvalue()


def _most_shown(document: Document) -> Drawing:
    """Return the drawing with the most items of those that several pages show."""
    found = {id(each.drawing): each.drawing for page in document.pages for each in page.placements}
    return max(found.values(), key=lambda drawing: sum(len(layer.items) for layer in drawing.layers))


def _shown(placement: Placement) -> str:
    turned = " ".join(f"{value:.6f}" for value in placement.transform[:4])
    at = " ".join(f"{mm_to_points(value):.4f}" for value in placement.transform[4:])
    clip = (
        "" if placement.clip is None else " ".join(f"{mm_to_points(side):.4f}" for side in placement.clip) + " re W n"
    )
    return f"q {clip} {turned} {at} cm {_NAME} Do Q\n"


def rasterised(data: bytes, dpi: float) -> tuple[float, list[NDArray[np.uint8]]]:
    """Return the seconds of CPU that it takes to rasterise all pages, and the pages."""
    began = time.process_time()
    with pypdfium2.PdfDocument(data) as document:
        pages = [page.render(scale=dpi / 72).to_numpy().copy() for page in document]
    return time.process_time() - began, pages


def sheets_alone(document: Document) -> Document:
    """Return the document with those pages alone that show the map through a window."""
    drawing = _most_shown(document)

    def shows(page: Page) -> bool:
        return any(each.drawing is drawing and each.clip is not None for each in page.placements)

    return replace(document, pages=tuple(page for page in document.pages if shows(page)))


def main() -> None:
    """Print bytes and seconds of both files, and how far their pages differ."""
    rules, board, seed, dpi = (*sys.argv[1:], *("acw", "72x48in", "7", "72")[len(sys.argv) - 1 :])
    document = sheets_alone(tiled_map(rules, board, int(seed)))
    own, other = pdf.data(document), shared(document)
    seconds, pages = rasterised(own, float(dpi))
    others, their_pages = rasterised(other, float(dpi))
    differ = sum(
        int((np.abs(page.astype(int) - their.astype(int)).max(axis=2) > 64).sum())
        for page, their in zip(pages, their_pages, strict=True)
    )
    dots = sum(page.shape[0] * page.shape[1] for page in pages)
    print(f"{rules} {board} seed {seed}: {len(pages)} sheets at {dpi} dots an inch")
    print(f"  as written   {len(own) / 1000:8.0f} kB {seconds:8.2f} s")
    print(f"  shared form  {len(other) / 1000:8.0f} kB {others:8.2f} s, {others / seconds:.1f} times as long")
    print(f"  {differ} of {dots} dots differ by more than a quarter of the scale")


if __name__ == "__main__":
    main()
