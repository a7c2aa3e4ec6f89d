"""PDF/A-2b support for archiving: colour profile, properties in XML, and a document class.

The rules are those of ISO 19005-2 level B: embedded typefaces, no executable content, defined colours, and the
properties also as XML.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from html import escape
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
    PDFStream,
    PDFString,
)

from printkit.core.reading import plain
from printkit.core.resources import resource

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
