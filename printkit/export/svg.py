"""Documents as SVG: one file a page, in millimetres, layer by layer, for screens and drawing programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Affine, Layer, Rect, Run
from printkit.drawing.lettering.extent import PER_MM, Box, box_of, window_of
from printkit.export.files import numbered, replacing
from printkit.export.numbers import number
from printkit.export.svg_items import Definitions, elements, matrix
from printkit.page.sheet import Document, Page, Placement

_AS_IT_IS = Affine()


def write(document: Document, path: Path) -> tuple[Path, ...]:
    """Write a document as one SVG a page, and return their paths: ``map.svg``, or ``map-1.svg``, ``map-2.svg`` ...

    Raises:
        PageError: there is no page, or a file cannot be written.
    """
    if not document.pages:
        raise PageError("a document without pages cannot be written; give it at least one")
    paths = numbered(path, len(document.pages))
    for target, page in zip(paths, document.pages, strict=True):
        with replacing(target) as unfinished:
            unfinished.write_text(text(document, page), encoding="utf-8", newline="\n")
    return paths


def text(document: Document, page: Page) -> str:
    """Return one page as SVG."""
    definitions = Definitions()
    body = [line for placement in page.placements for line in _placement(placement, page, definitions)]
    width, height = page.sheet.width, page.sheet.height
    size = f'width="{number(width)}mm" height="{number(height)}mm"'
    view = f'viewBox="0 0 {number(width * PER_MM)} {number(height * PER_MM)}"'
    title = document.title if len(document.pages) == 1 else f"{document.title} – {page.label}"
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg {spaces} {size} {view} xml:lang="{escape(document.language)}">',
        f"<title>{escape(title)}</title>",
    ]
    if document.subject:
        parts.append(f"<desc>{escape(document.subject)}</desc>")
    if definitions.elements:
        parts += ["<defs>", *definitions.elements, "</defs>"]
    return "\n".join(
        [*parts, f'<g transform="matrix(1 0 0 -1 0 {number(height * PER_MM)})">', *body, "</g>", "</svg>", ""]
    )


def _placement(placement: Placement, page: Page, definitions: Definitions) -> Iterator[str]:
    whole = Rect(0.0, 0.0, page.sheet.width, page.sheet.height)
    window = window_of(whole if placement.clip is None else placement.clip, placement.transform)
    cut = f' clip-path="url(#{definitions.clip(box_of(placement.clip))})"' if placement.clip is not None else ""
    moved = f' transform="{matrix(placement.transform)}"' if placement.transform != _AS_IT_IS else ""
    # The clip is in mm of the page, so it stands outside the transform.
    yield f"<g{cut}><g{moved}>"
    for layer in placement.drawing.layers:
        shown = list(elements(layer.items, window, definitions))
        if shown:
            yield _opening(layer, definitions)
            yield from shown
            yield "</g>"
    yield "</g></g>"


def _opening(layer: Layer, definitions: Definitions) -> str:
    cut = f' clip-path="url(#{definitions.clip(_cut_to(layer.clip))})"' if layer.clip is not None else ""
    label = layer.name.name.lower().replace("_", " ")
    return f'<g inkscape:groupmode="layer" inkscape:label="{label}"{cut}>'


def _cut_to(clip: Rect | Run) -> Box | Run:
    return box_of(clip) if isinstance(clip, Rect) else clip
