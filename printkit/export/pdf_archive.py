"""PDF/A-2b support for archiving: colour profile, properties in XML, and a document class.

The rules are those of ISO 19005-2 level B: embedded typefaces, no executable content, defined colours, and the
properties also as XML.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import cache
from html import escape
from struct import pack
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

# --- The sRGB profile in the format of the International Color Consortium (ICC.1:2004-10, version 4.2) ----------------

_CONDITION: Final = "sRGB IEC61966-2.1"
_D50: Final = (0.9642, 1.0, 0.8249)
# Red, green and blue of sRGB under the illuminant D50.
_PRIMARIES: Final = {
    "rXYZ": (0.4360747, 0.2225045, 0.0139322),
    "gXYZ": (0.3850649, 0.7168786, 0.0971045),
    "bXYZ": (0.1430804, 0.0606169, 0.7141733),
}

# The matrix that adapts colours from the illuminant D65 to D50 (Bradford).
_FROM_D65: Final = (
    1.0478112,
    0.0228866,
    -0.0501270,
    0.0295424,
    0.9904844,
    -0.0170491,
    -0.0092345,
    0.0150436,
    0.7521316,
)

# The transfer curve of sRGB: power, slope and offset, and slope and end of its linear part.
_CURVE: Final = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)

_CURVES: Final = ("rTRC", "gTRC", "bTRC")


@cache
def srgb_profile() -> bytes:
    """Return the sRGB profile as bytes."""
    curve = b"para\0\0\0\0" + pack(">HH", 3, 0) + _fixed_point(*_CURVE)
    tags = {
        "desc": _text_tag(_CONDITION),
        "cprt": _text_tag("Public domain"),
        "wtpt": _xyz_tag(_D50),
        "chad": b"sf32\0\0\0\0" + _fixed_point(*_FROM_D65),
        **{name: _xyz_tag(light) for name, light in _PRIMARIES.items()},
        **dict.fromkeys(_CURVES, curve),
    }
    start = 128 + 4 + 12 * len(tags)
    offsets: dict[bytes, int] = {}
    data = b""
    for content in tags.values():
        if content not in offsets:
            offsets[content] = start + len(data)
            data += content + b"\0" * (-len(content) % 4)
    tag_table = b"".join(name.encode() + pack(">II", offsets[tag], len(tag)) for name, tag in tags.items())
    header = pack(
        ">I4sI4s4s4s6H4s", start + len(data), b"", 0x04200000, b"mntr", b"RGB ", b"XYZ ", *_CREATION_DATE, b"acsp"
    )
    return header.ljust(68, b"\0") + _fixed_point(*_D50).ljust(60, b"\0") + pack(">I", len(tags)) + tag_table + data


# The fixed creation date of the profile.
_CREATION_DATE: Final = (2000, 1, 1, 0, 0, 0)


def _fixed_point(*values: float) -> bytes:
    """Return numbers as bytes in 16.16 fixed point."""
    return pack(f">{len(values)}i", *(round(value * 65536) for value in values))


def _xyz_tag(light: tuple[float, float, float]) -> bytes:
    """Return a colour in CIE XYZ as a tag of a colour profile."""
    return b"XYZ \0\0\0\0" + _fixed_point(*light)


def _text_tag(text: str) -> bytes:
    """Return an English text as a tag of a colour profile."""
    encoded_text = text.encode("utf-16-be")
    return b"mluc\0\0\0\0" + pack(">II2s2sII", 1, 12, b"en", b"US", len(encoded_text), 28) + encoded_text


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
        profile = _Stream(PDFDictionary({"N": 3, "Filter": PDFName("FlateDecode")}), zlib.compress(srgb_profile(), 9))
        return PDFDictionary(
            {
                "Type": PDFName("OutputIntent"),
                "S": PDFName("GTS_PDFA1"),
                "OutputConditionIdentifier": PDFString(_CONDITION),
                "Info": PDFString(_CONDITION),
                "DestOutputProfile": self.Reference(profile, "profile"),
            }
        )
