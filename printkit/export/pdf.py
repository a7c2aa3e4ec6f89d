"""Write documents as PDF: exact page sizes, embedded typefaces, shared forms, byte-identical output."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import md5
from pathlib import Path
from typing import Final

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFName,
    PDFObjectReference,
    PDFPage,
    PDFPageLabel,
    PDFPageLabels,
    PDFStream,
    PDFStreamFilterZCompress,
    PDFString,
    ViewerPreferencesPDFDictionary,
)

from printkit import __version__
from printkit.core.errors import PageError
from printkit.core.units import mm_to_points
from printkit.drawing.canvas.items import Affine, Drawing
from printkit.drawing.lettering.extent import PER_MM, Extent, box_of, window_of
from printkit.export.files import number, way_of
from printkit.export.pdf_archive import Container, NamedObjects, Properties
from printkit.export.pdf_content import ContentStream, matrix
from printkit.export.pdf_pictures import is_state
from printkit.export.pdf_sharing import Cut, Fonts, Form, Library, spread
from printkit.export.placing import replacing
from printkit.page.sheet import LARGEST, Document, FileLink, Flip, Page

_AS_IT_IS: Final = Affine()
_DUPLEX: Final = {Flip.LONG_EDGE: "DuplexFlipLongEdge", Flip.SHORT_EDGE: "DuplexFlipShortEdge"}
_ONE_SIDE: Final = "Simplex"
_FIRST_SCALE: Final = f"{number(mm_to_points(1 / PER_MM), 12)} 0 0 {number(mm_to_points(1 / PER_MM), 12)} 0 0 cm"

# The print flag of an annotation, which PDF/A requires (ISO 19005-2, 6.3.2).
_PRINTED: Final = 4

# Compression level (1 to 9): half the time of the library's level 6, for files that are a fortieth larger.
_PACKING: Final = 4


class _Packing(PDFStreamFilterZCompress):  # type: ignore[misc]
    """The library's compression filter with another level."""

    def encode(self, text: bytes) -> bytes:
        return zlib.compress(text, _PACKING)


_PACKED: Final = _Packing()


def write(document: Document, path: Path) -> tuple[Path, ...]:
    """Write a document as one PDF and return its path.

    Raises:
        PageError: a page is longer than 200 in, or the file cannot be written.
    """
    made = data(document)
    with replacing(path) as unfinished:
        unfinished.write_bytes(made)
    return (path,)


def data(document: Document) -> bytes:
    """Return a document as the bytes of a PDF.

    Raises:
        PageError: a page is longer than 200 in, or the document has no pages.
    """
    _judge(document)
    container = Container(document.language, _properties(document))
    # The library seeds the file ID with the time or an environment variable; a fixed seed keeps the output identical.
    container.signature = md5(usedforsecurity=False)
    library = Library(Fonts(container))
    shown: list[str] = []
    painted: dict[str, None] = {}
    whole = document.all_pages or document.pages
    for page, stream in _wanted(document.pages, zip(whole, _streams(whole, library), strict=True)):
        content = stream.text().encode()
        container.updateSignature(content)
        container.addPage(_page(page, stream, content))
        shown += stream.forms
        painted |= stream.pictures
    for name, form in (_reached(library, shown) if document.all_pages else library.forms).items():
        content = form.stream.text().encode()
        container.updateSignature(content)
        container.Reference(_form(form, content), name)
        painted |= form.stream.pictures
    for name, part in library.pictures.reached(painted):
        content = part.content
        container.updateSignature(content)
        container.Reference(part.written(), name)
    if painted:
        container.claims_nothing()
    _describe(container, document)
    return bytes(container.GetPDFData(None))


def _wanted(
    pages: Iterable[Page], streams: Iterable[tuple[Page, ContentStream]]
) -> Iterator[tuple[Page, ContentStream]]:
    """Yield only the pages to write, with their streams."""
    wanted = {id(page) for page in pages}
    return ((page, stream) for page, stream in streams if id(page) in wanted)


def _reached(library: Library, names: Iterable[str]) -> dict[str, Form]:
    """Return the named forms and the forms that they use, in library order."""
    left, found = list(names), set[str]()
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += library.forms[name].stream.forms
    return {name: form for name, form in library.forms.items() if name in found}


def _judge(document: Document) -> None:
    if not document.pages:
        raise PageError("a document needs at least one page")
    for page in document.pages:
        longest = max(page.sheet.width, page.sheet.height)
        if longest > LARGEST + 0.01:
            raise PageError(
                "a page of {width:.0f} x {height:.0f} mm is too large for PDF (at most {largest:.0f} mm, "
                "200 in, a side). Print it on several sheets, or smaller.",
                width=page.sheet.width,
                height=page.sheet.height,
                largest=LARGEST,
            )


def _streams(pages: Sequence[Page], library: Library) -> Iterator[ContentStream]:
    """Yield the content of each page. A drawing on several pages is encoded once."""
    ready = _shown(pages, library)
    for page, placed in zip(pages, ready, strict=True):
        stream = ContentStream([_FIRST_SCALE])
        for placement, layers in zip(page.placements, placed, strict=True):
            transform = "" if placement.transform == _AS_IT_IS else matrix(placement.transform)
            stream.open(None if placement.clip is None else box_of(placement.clip), transform)
            for clip, codes in layers:
                if clip is not None:
                    stream.open(clip)
                stream.add(codes)
                if clip is not None:
                    stream.close()
            stream.close()
        yield stream


def _shown(pages: Sequence[Page], library: Library) -> list[list[list[Cut]]]:
    """Return the layers with their visible code, for each page and placement."""
    spots: dict[int, list[tuple[int, int]]] = {}
    drawings: dict[int, Drawing] = {}
    for page_number, page in enumerate(pages):
        for place_number, placement in enumerate(page.placements):
            drawings[id(placement.drawing)] = placement.drawing
            spots.setdefault(id(placement.drawing), []).append((page_number, place_number))
    library.learn(drawings.values())
    ready: list[list[list[Cut]]] = [[[] for _ in page.placements] for page in pages]
    for key, drawing in drawings.items():
        windows = [_window(pages[page_number], place_number) for page_number, place_number in spots[key]]
        shown = spread(library.layers(drawing), windows, library)
        for (page_number, place_number), cuts in zip(spots[key], shown, strict=True):
            ready[page_number][place_number] = cuts
    return ready


def _window(page: Page, place_number: int) -> Extent:
    placement = page.placements[place_number]
    return window_of(page.sheet.area if placement.clip is None else placement.clip, placement.transform)


def _page(page: Page, stream: ContentStream, content: bytes) -> PDFPage:
    made = PDFPage()
    made.MediaBox = _corners(0.0, 0.0, page.sheet.width, page.sheet.height)
    made.TrimBox = _corners(page.trim.x, page.trim.y, page.trim.right, page.trim.top)
    if page.bleed_mm:
        # Print shops want explicit boxes, although these are the defaults.
        made.CropBox = made.BleedBox = made.MediaBox
    made.Resources = _resources(stream)
    made.Contents = PDFStream(content=content, filters=[_PACKED])
    if page.links:
        made.Annots = PDFArray([_annotation(link) for link in page.links])
    return made


def _annotation(link: FileLink) -> PDFDictionary:
    """Return an invisible link that opens another file at its first page in a new window.

    Raises:
        PageError: the file is not below the folder of the document.
    """
    place = link.place
    leads = PDFDictionary(
        {
            "S": PDFName("GoToR"),
            "F": PDFString(way_of(link.file).as_posix()),
            "D": PDFArray([0, PDFName("Fit")]),
            "NewWindow": "true",
        }
    )
    return PDFDictionary(
        {
            "Type": PDFName("Annot"),
            "Subtype": PDFName("Link"),
            "Rect": _corners(place.x, place.y, place.right, place.top),
            "Border": PDFArray([0, 0, 0]),
            "F": _PRINTED,
            "A": leads,
        }
    )


def _corners(*corners: float) -> PDFArray:
    return PDFArray([number(mm_to_points(corner), 4) for corner in corners])


def _form(form: Form, content: bytes) -> PDFStream:
    # Round the bounds outwards, so that they do not clip the content.
    box = form.box
    bounds = (int(box.left) - 2, int(box.bottom) - 2, int(box.right) + 2, int(box.top) + 2)
    head = {
        "Type": PDFName("XObject"),
        "Subtype": PDFName("Form"),
        "BBox": PDFArray([str(bound) for bound in bounds]),
        "Resources": _resources(form.stream),
    }
    return PDFStream(PDFDictionary(head), content, [_PACKED])


def _resources(stream: ContentStream) -> PDFDictionary:
    shown = {name: None for name in stream.pictures if not is_state(name)}
    groups = {"Font": stream.fonts, "XObject": {**stream.forms, **shown}}
    found = PDFDictionary({})
    for kind, names in groups.items():
        if names:
            found[kind] = NamedObjects(names)
    masks = tuple(name for name in stream.pictures if is_state(name))
    if masks:
        named = {name: PDFObjectReference(name) for name in masks}
        found["ExtGState"] = PDFDictionary({**_alphas(stream.alphas), **named})
    elif stream.alphas:
        found["ExtGState"] = _states(tuple(stream.alphas))
    return found


@lru_cache(maxsize=256)
def _states(alphas: tuple[str, ...]) -> bytes:
    """Return graphics states as bytes; cached, because a hundred forms of a map use the same few."""
    return bytes(PDFDictionary(_alphas(alphas)).format(None))


def _alphas(names: Iterable[str]) -> dict[str, PDFDictionary]:
    return {name: PDFDictionary({"ca" if name[0] == "F" else "CA": number(int(name[1:]) / 1000)}) for name in names}


def _describe(container: PDFDocument, document: Document) -> None:
    """Set how readers show and print the document: title, page labels, bookmarks, duplex, no scaling."""
    catalog = container.Catalog
    catalog.ViewerPreferences = ViewerPreferencesPDFDictionary()
    catalog.ViewerPreferences["PrintScaling"] = "None"
    catalog.ViewerPreferences["DisplayDocTitle"] = "true"
    if document.flip is not None:
        catalog.ViewerPreferences["Duplex"] = _DUPLEX[document.flip]
    elif document.one_sided:
        catalog.ViewerPreferences["Duplex"] = _ONE_SIDE
    catalog.PageLabels = PDFPageLabels()
    for page_number, page in enumerate(document.pages):
        catalog.PageLabels.addPageLabel(page_number, PDFPageLabel(prefix=page.label))
    _bookmark(container, [(number_, page.bookmark) for number_, page in enumerate(document.pages, 1) if page.bookmark])


def _bookmark(container: PDFDocument, entries: Iterable[tuple[int, str]]) -> None:
    found = []
    for page_number, title in entries:
        key = f"page {page_number}"
        container.Outlines.destinationnamestotitles[key] = title
        found.append({key: PDFArray([PDFObjectReference(f"Page{page_number}"), PDFName("Fit")])})
    if found:
        container.Outlines.setDestinations(found)
        container.Catalog.setPageMode("UseOutlines")


def _properties(document: Document) -> Properties:
    found = Properties()
    found.title = document.title
    found.subject = document.subject
    found.keywords = ", ".join(document.keywords)
    found.creator = found.producer = f"printkit {__version__}"
    return found
