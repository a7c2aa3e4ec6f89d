"""Write documents as PDF or PDF/A-2b: exact page sizes, embedded typefaces, shared forms, byte-identical output.

The rules are those of ISO 19005-2 level B: embedded typefaces, no executable content, defined colours, and the
properties also as XML.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import md5
from html import escape
from pathlib import Path
from typing import Any, Final

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFCatalog,
    PDFDictionary,
    PDFDocument,
    PDFInfo,
    PDFName,
    PDFObject,
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
from printkit.core.reading import plain
from printkit.core.resources import resource
from printkit.core.units import MM_PER_POINT, mm_to_points
from printkit.drawing.canvas.items import Affine, Drawing, Rect, Text
from printkit.drawing.lettering.extent import PER_MM, Extent, box_of, window_of
from printkit.drawing.lettering.lettering import width
from printkit.export.pdf_content import ContentStream, matrix
from printkit.export.pdf_pictures import is_state
from printkit.export.pdf_sharing import Cut, Fonts, Form, Library, distribute_code
from printkit.export.placing import format_number, relative_path, replace_file
from printkit.page.sheet import LARGEST, Document, Flip, Page

# Extent of a link above and below the baseline of its text, in type sizes.
_LINK_ASCENT: Final = 0.9
_LINK_DESCENT: Final = 0.3

_CONDITION: Final = "sRGB IEC61966-2.1"

# --- The document -----------------------------------------------------------------------------------------------------

_XMP: Final = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" \
xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
{claim}<dc:format>application/pdf</dc:format>
{properties}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""

_CLAIM: Final = "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>"
_LANGUAGE_FORM: Final = '<{name}><rdf:Alt><rdf:li xml:lang="x-default">{text}</rdf:li></rdf:Alt></{name}>'
_PLAIN_FORM: Final = "<{name}>{text}</{name}>"
# The XML name and form of each property of a file.
_XML_PROPERTIES: Final = {
    "title": ("dc:title", _LANGUAGE_FORM),
    "subject": ("dc:description", _LANGUAGE_FORM),
    "keywords": ("pdf:Keywords", _PLAIN_FORM),
    "producer": ("pdf:Producer", _PLAIN_FORM),
    "creator": ("xmp:CreatorTool", _PLAIN_FORM),
}


class Properties(PDFInfo):  # type: ignore[misc]
    """The properties of a file, without the dates that the library adds."""

    def format(self, document: PDFDocument) -> bytes:
        """Return the properties as the bytes of the dictionary for older readers."""
        fields = {name.capitalize(): PDFString(text) for name in _XML_PROPERTIES if (text := getattr(self, name))}
        return bytes(PDFDictionary(fields).format(document))

    def xml(self, claim: str = _CLAIM) -> bytes:
        """Return the properties as XML, with the conformance claim of the file."""
        elements = [
            form.format(name=name, text=escape(plain(text), quote=False))
            for key, (name, form) in _XML_PROPERTIES.items()
            if (text := getattr(self, key))
        ]
        return _XMP.format(claim=claim, properties="\n".join(elements)).encode()


class _Stream(PDFStream):  # type: ignore[misc]
    """A stream with ``endstream`` on a separate line, and without a filter entry if it is not compressed."""

    def format(self, document: PDFDocument) -> bytes:
        """Return the stream as the bytes that are written to the file."""
        entries, content = dict(self.dictionary.dict), self.content
        for stream_filter in reversed(self.filters or ()):
            content = stream_filter.encode(content)
        if self.filters:
            entries["Filter"] = PDFArray([PDFName(stream_filter.pdfname) for stream_filter in self.filters])
        entries["Length"] = len(content)
        header = PDFDictionary(entries).format(document)
        # Data may end with a line feed, so CR LF marks the end of the data.
        return bytes(header + b"\nstream\n" + content + b"\r\nendstream\n")


class _Catalog(PDFCatalog):  # type: ignore[misc]
    """The library's catalog, which can also have output intents (the meaning of colours)."""

    __NoDefault__: Final = [*PDFCatalog.__NoDefault__, "OutputIntents"]


def _metadata_stream(xml: bytes) -> PDFStream:
    """Return XML properties as an uncompressed stream."""
    return _Stream(PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")}), xml)


_ROW_LENGTH: Final = 6


class NamedObjects(PDFObject):  # type: ignore[misc]
    """A resource list of named objects, with cached references: hundreds of pages and forms use the same ones."""

    def __init__(self, names: Iterable[str]) -> None:
        """List the objects with these names."""
        self._names = tuple(names)

    def format(self, document: Container) -> bytes:
        """Return the list as bytes in the form of the library, six entries per line."""
        entries = [b"/%b %b" % (name.encode(), document.object_reference(name)) for name in sorted(self._names)]
        rows = [b" ".join(entries[first : first + _ROW_LENGTH]) for first in range(0, len(entries), _ROW_LENGTH)]
        return b"<<\n" + b" \n  ".join(rows) + b"\n>>"


class Container(PDFDocument):  # type: ignore[misc]
    """The library's document, made to conform to PDF/A-2b."""

    def __init__(self, language: str, properties: Properties) -> None:
        """Begin a document with a language and properties."""
        super().__init__(invariant=1, compression=1, pdfVersion=(1, 7), lang=language)
        catalog = _Catalog()
        catalog.Pages, catalog.Outlines, catalog.Lang = self.Pages, self.Outlines, PDFString(language)
        self.Catalog = catalog
        self.info = properties
        catalog.Metadata = _metadata_stream(properties.xml())
        catalog.OutputIntents = PDFArray([self._output_intent()])
        self._told: dict[str, bytes] = {}

    def object_reference(self, name: str) -> bytes:
        """Return the reference to a named object as bytes; each is formatted once."""
        if name not in self._told:
            self._told[name] = bytes(PDFObjectReference(name).format(self))
        return self._told[name]

    def remove_claim(self) -> None:
        """Remove the PDF/A claim: painted pictures are interpolated, which ISO 19005-2 forbids."""
        self.Catalog.Metadata = _metadata_stream(self.info.xml(claim=""))

    def Reference(self, obj: Any, name: str | None = None) -> Any:  # noqa: N802
        """Return a reference to an object that is added to the document, with streams replaced by ``_Stream``."""
        if type(obj) is PDFStream:
            obj = _Stream(obj.dictionary, obj.content, obj.filters)
        return super().Reference(obj, name)

    def _output_intent(self) -> PDFObject:
        """Return the output intent, which gives the meaning of colours, with the sRGB profile."""
        # The profile has the format of ICC.1:2004-10, version 4.2, and is in the public domain.
        profile_bytes = zlib.compress(resource("templates/profiles", "sRGB.icc").read_bytes(), 9)
        profile = _Stream(PDFDictionary({"N": 3, "Filter": PDFName("FlateDecode")}), profile_bytes)
        return PDFDictionary(
            {
                "Type": PDFName("OutputIntent"),
                "S": PDFName("GTS_PDFA1"),
                "OutputConditionIdentifier": PDFString(_CONDITION),
                "Info": PDFString(_CONDITION),
                "DestOutputProfile": self.Reference(profile, "profile"),
            }
        )


_IDENTITY: Final = Affine()
_DUPLEX: Final = {Flip.LONG_EDGE: "DuplexFlipLongEdge", Flip.SHORT_EDGE: "DuplexFlipShortEdge"}
_ONE_SIDE: Final = "Simplex"
_FIRST_SCALE: Final = (
    f"{format_number(mm_to_points(1 / PER_MM), 12)} 0 0 {format_number(mm_to_points(1 / PER_MM), 12)} 0 0 cm"
)

# The print flag of an annotation, which PDF/A requires (ISO 19005-2, 6.3.2).
_PRINT_FLAG: Final = 4

# Compression level (1 to 9): half the time of the library's level 6, for files that are a fortieth larger.
_COMPRESSION_LEVEL: Final = 4


class _Packing(PDFStreamFilterZCompress):  # type: ignore[misc]
    """The library's compression filter with another level."""

    def encode(self, text: bytes) -> bytes:
        """Return data compressed with zlib."""
        return zlib.compress(text, _COMPRESSION_LEVEL)


_COMPRESSION: Final = _Packing()


def write(document: Document, path: Path) -> tuple[Path, ...]:
    """Write a document as one PDF and return its path, as a tuple with one entry.

    Raises:
        PageError: a page is longer than 200 in, the document has no pages, a typeface does not have a letter, or the
            file cannot be written.
    """
    pdf_bytes = data(document)
    with replace_file(path) as temporary:
        temporary.write_bytes(pdf_bytes)
    return (path,)


def data(document: Document) -> bytes:
    """Return a document as the bytes of a PDF; equal documents give equal bytes.

    Raises:
        PageError: a page is longer than 200 in, the document has no pages, or a typeface does not have a letter.
        ResourceError: the stock has no picture of a name in a drawing.
    """
    _check_pages(document)
    container = Container(document.language, _properties(document))
    # The library seeds the file ID with the time or an environment variable; a fixed seed keeps the output identical.
    container.signature = md5(usedforsecurity=False)
    library = Library(Fonts(container))
    form_names: list[str] = []
    picture_names: dict[str, None] = {}
    all_pages = document.all_pages or document.pages
    written_page_ids = {id(page) for page in document.pages}
    drawings = {id(placement.drawing): placement.drawing for page in document.pages for placement in page.placements}
    linked_texts = {key: _linked_texts(drawing) for key, drawing in drawings.items()}
    for page, stream in zip(all_pages, _page_streams(all_pages, library), strict=True):
        if id(page) not in written_page_ids:
            continue
        content = stream.text().encode()
        container.updateSignature(content)
        container.addPage(_make_page(page, stream, content, _links(page, linked_texts)))
        form_names += stream.forms
        picture_names |= stream.pictures
    for name, form in (_used_forms(library, form_names) if document.all_pages else library.forms).items():
        content = form.stream.text().encode()
        container.updateSignature(content)
        container.Reference(_make_form(form, content), name)
        picture_names |= form.stream.pictures
    for name, part in library.pictures.required_parts(picture_names):
        content = part.content
        container.updateSignature(content)
        container.Reference(part.pdf_object(), name)
    if picture_names:
        container.remove_claim()
    _set_viewer_options(container, document)
    return bytes(container.GetPDFData(None))


def _used_forms(library: Library, names: Iterable[str]) -> dict[str, Form]:
    """Return the named forms and the forms that they use, by name in the order of their creation."""
    remaining, used_names = list(names), set[str]()
    while remaining:
        name = remaining.pop()
        if name not in used_names:
            used_names.add(name)
            remaining += library.forms[name].stream.forms
    return {name: form for name, form in library.forms.items() if name in used_names}


def _check_pages(document: Document) -> None:
    """Reject a document that cannot be a PDF.

    Raises:
        PageError: there is no page, or a page is longer than 200 in.
    """
    if not document.pages:
        raise PageError("a document needs at least one page")
    for page in document.pages:
        longest_side = max(page.sheet.width, page.sheet.height)
        if longest_side > LARGEST + 0.01:
            raise PageError(
                "a page of {width:.0f} x {height:.0f} mm is too large for PDF (at most {largest:.0f} mm, "
                "200 in, a side). Print it on several sheets, or smaller.",
                width=page.sheet.width,
                height=page.sheet.height,
                largest=LARGEST,
            )


def _page_streams(pages: Sequence[Page], library: Library) -> Iterator[ContentStream]:
    """Yield the content stream of each page, in order, in units of 0.01 mm.

    A drawing on several pages is encoded once. New forms and pictures are added to ``library``.
    """
    page_cuts = _visible_cuts(pages, library)
    for page, placement_layers in zip(pages, page_cuts, strict=True):
        stream = ContentStream([_FIRST_SCALE])
        for placement, layers in zip(page.placements, placement_layers, strict=True):
            transform = "" if placement.transform == _IDENTITY else matrix(placement.transform)
            stream.save_state(None if placement.clip is None else box_of(placement.clip), transform)
            for clip, codes in layers:
                if clip is not None:
                    stream.save_state(clip)
                stream.add_codes(codes)
                if clip is not None:
                    stream.restore_state()
            stream.restore_state()
        yield stream


def _visible_cuts(pages: Sequence[Page], library: Library) -> list[list[list[Cut]]]:
    """Return the layers with their visible code: a list for each page, in it a list for each placement.

    Encoded drawings are stored in ``library``.
    """
    drawing_positions: dict[int, list[tuple[int, int]]] = {}
    drawings: dict[int, Drawing] = {}
    for page_number, page in enumerate(pages):
        for place_number, placement in enumerate(page.placements):
            drawings[id(placement.drawing)] = placement.drawing
            drawing_positions.setdefault(id(placement.drawing), []).append((page_number, place_number))
    library.encode_drawings(drawings.values())
    page_cuts: list[list[list[Cut]]] = [[[] for _ in page.placements] for page in pages]
    for key, drawing in drawings.items():
        windows = [_window(pages[page_number], place_number) for page_number, place_number in drawing_positions[key]]
        window_cuts = distribute_code(library.layer_cuts(drawing), windows, library)
        for (page_number, place_number), cuts in zip(drawing_positions[key], window_cuts, strict=True):
            page_cuts[page_number][place_number] = cuts
    return page_cuts


def _window(page: Page, place_number: int) -> Extent:
    """Return the visible part of the drawing of a placement (by its index), in units of 0.01 mm of it."""
    placement = page.placements[place_number]
    return window_of(page.sheet.area if placement.clip is None else placement.clip, placement.transform)


def _make_page(page: Page, stream: ContentStream, content: bytes, links: Sequence[tuple[Rect, str]]) -> PDFPage:
    """Return the PDF page with its size, content and links (area in mm on paper and file).

    ``content`` is the text of ``stream``.
    """
    pdf_page = PDFPage()
    pdf_page.MediaBox = _corners(0.0, 0.0, page.sheet.width, page.sheet.height)
    pdf_page.TrimBox = _corners(page.trim.x, page.trim.y, page.trim.right, page.trim.top)
    if page.bleed_mm:
        # Print shops want explicit boxes, although these are the defaults.
        pdf_page.CropBox = pdf_page.BleedBox = pdf_page.MediaBox
    pdf_page.Resources = _make_resources(stream)
    pdf_page.Contents = PDFStream(content=content, filters=[_COMPRESSION])
    if links:
        pdf_page.Annots = PDFArray([_annotation(rect, file) for rect, file in links])
    return pdf_page


def _linked_texts(drawing: Drawing) -> list[Text]:
    """Return the texts of a drawing that open a file."""
    return [item for _, item in drawing.items() if isinstance(item, Text) and item.link]


def _links(page: Page, texts_by_drawing: Mapping[int, Sequence[Text]]) -> list[tuple[Rect, str]]:
    """Return the areas of links on a page in mm on paper, with the name of their file, in reading order.

    ``texts_by_drawing`` has the texts with a link by the ``id`` of their drawing.
    """
    areas = [
        (_text_area(text, placement.transform), text.link)
        for placement in page.placements
        for text in texts_by_drawing[id(placement.drawing)]
    ]
    return sorted(areas, key=lambda link: (-round(link[0].y, 1), link[0].x))


def _text_area(text: Text, transform: Affine) -> Rect:
    """Return the area of a line of type in mm on paper, with ascenders and descenders.

    ``transform`` is that of the placement of its drawing.
    """
    height = text.size_pt * MM_PER_POINT
    x, y = text.at
    left, low = transform.at(x, y - _LINK_DESCENT * height)
    right, top = transform.at(
        x + width(text.content, text.font, text.size_pt, track=text.track), y + _LINK_ASCENT * height
    )
    return Rect(left, low, right - left, top - low)


def _annotation(rect: Rect, file: str) -> PDFDictionary:
    """Return an invisible link that opens another file at its first page in a new window.

    ``rect`` is its area in mm on paper.

    Raises:
        PageError: the file is not below the folder of the document.
    """
    action = PDFDictionary(
        {
            "S": PDFName("GoToR"),
            "F": PDFString(relative_path(file).as_posix()),
            "D": PDFArray([0, PDFName("Fit")]),
            "NewWindow": "true",
        }
    )
    return PDFDictionary(
        {
            "Type": PDFName("Annot"),
            "Subtype": PDFName("Link"),
            "Rect": _corners(rect.x, rect.y, rect.right, rect.top),
            "Border": PDFArray([0, 0, 0]),
            "F": _PRINT_FLAG,
            "A": action,
        }
    )


def _corners(*corners: float) -> PDFArray:
    """Return coordinates in mm on paper as a PDF array in points."""
    return PDFArray([format_number(mm_to_points(corner), 4) for corner in corners])


def _make_form(form: Form, content: bytes) -> PDFStream:
    """Return a form as a PDF stream; ``content`` is the text of its content stream."""
    # Round the bounds outwards, so that they do not clip the content.
    box = form.box
    bounds = (int(box.left) - 2, int(box.bottom) - 2, int(box.right) + 2, int(box.top) + 2)
    head = {
        "Type": PDFName("XObject"),
        "Subtype": PDFName("Form"),
        "BBox": PDFArray([str(bound) for bound in bounds]),
        "Resources": _make_resources(form.stream),
    }
    return PDFStream(PDFDictionary(head), content, [_COMPRESSION])


def _make_resources(stream: ContentStream) -> PDFDictionary:
    """Return the resources that a content stream names: typefaces, forms, pictures, graphics states."""
    images = {name: None for name in stream.pictures if not is_state(name)}
    groups = {"Font": stream.fonts, "XObject": {**stream.forms, **images}}
    resources = PDFDictionary({})
    for kind, names in groups.items():
        if names:
            resources[kind] = NamedObjects(names)
    masks = tuple(name for name in stream.pictures if is_state(name))
    if masks:
        mask_references = {name: PDFObjectReference(name) for name in masks}
        resources["ExtGState"] = PDFDictionary({**_alpha_states(stream.alphas), **mask_references})
    elif stream.alphas:
        resources["ExtGState"] = _encode_states(tuple(stream.alphas))
    return resources


@lru_cache(maxsize=256)
def _encode_states(alphas: tuple[str, ...]) -> bytes:
    """Return graphics states as bytes; cached, because a hundred forms of a map use the same few.

    ``alphas`` are names such as ``F500``: fill with opacity 0.5.
    """
    return bytes(PDFDictionary(_alpha_states(alphas)).format(None))


def _alpha_states(names: Iterable[str]) -> dict[str, PDFDictionary]:
    """Return the graphics state of each name: ``F500`` fills and ``S500`` strokes with opacity 0.5."""
    return {
        name: PDFDictionary({"ca" if name[0] == "F" else "CA": format_number(int(name[1:]) / 1000)}) for name in names
    }


def _set_viewer_options(container: PDFDocument, document: Document) -> None:
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
    _add_bookmarks(
        container, [(number_, page.bookmark) for number_, page in enumerate(document.pages, 1) if page.bookmark]
    )


def _add_bookmarks(container: PDFDocument, entries: Iterable[tuple[int, str]]) -> None:
    """Add bookmarks to a PDF; each entry is a page number from 1 and a title.

    Without entries the PDF does not change.
    """
    bookmarks = []
    for page_number, title in entries:
        key = f"page {page_number}"
        container.Outlines.destinationnamestotitles[key] = title
        bookmarks.append({key: PDFArray([PDFObjectReference(f"Page{page_number}"), PDFName("Fit")])})
    if bookmarks:
        container.Outlines.setDestinations(bookmarks)
        container.Catalog.setPageMode("UseOutlines")


def _properties(document: Document) -> Properties:
    """Return the title, subject and keywords of a document as PDF properties.

    Creator and producer are printkit with its version.
    """
    properties = Properties()
    properties.title = document.title
    properties.subject = document.subject
    properties.keywords = ", ".join(document.keywords)
    properties.creator = properties.producer = f"printkit {__version__}"
    return properties
