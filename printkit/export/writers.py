"""File formats by name with their writers, for pages and records. Libraries are imported when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.units import parse_length

if TYPE_CHECKING:
    from printkit.page.sheet import Document
    from printkit.terrain.field.record import Record


class BoardPicture(Struct, frozen=True, kw_only=True):
    """A PNG of the board without margins.

    ``size`` is in pixels. A cell of ``cell`` mm has ``pixels`` pixels; cells start at the far left corner.
    """

    data: bytes
    size: tuple[int, int]
    pixels: int
    cell: float


class FieldShow(Struct, frozen=True, kw_only=True):
    """Options and picture for the formats of other programs.

    ``picture`` draws the board. That takes time, so only a format that shows the picture calls it; None if nothing is
    drawn. ``kerf`` is the width of the cut in mm. ``url_base`` is the address of the pictures of a virtual table, empty
    for the folder of the table.
    """

    picture: Callable[[], BoardPicture] | None = None
    kerf: float = 0.0
    url_base: str = ""

    def draw_picture(self) -> BoardPicture:
        """Return the picture of the board.

        Raises:
            UsageError: this battlefield has no drawing.
        """
        if self.picture is None:
            raise UsageError("this format shows the map, but this battlefield has no drawing")
        return self.picture()


# Maximum kerf in mm; a hot wire has 2 mm.
_MAX_KERF: Final = 5.0


def parse_kerf(text: str) -> float:
    """Return the width of a cutter's cut in mm at 1:1 from a text with a unit, for example ``0.2mm``.

    Raises:
        UsageError: the text is not a length, or the cut is negative or wider than 5 mm.
    """
    width = parse_length(text)
    if not 0.0 <= width <= _MAX_KERF:
        raise UsageError("--kerf {kerf} is not valid; use 0mm to {most:g}mm", kerf=text, most=_MAX_KERF)
    return width


class RecordedField(FieldShow, frozen=True):
    """The data for writing a record.

    ``record`` is as read from its file, with rounded shapes in mm. ``name`` is the file name without extension, and
    ``folder`` is the output folder.
    """

    record: Record
    name: str = ""
    folder: Path | None = None


class RecordFormat(Struct, frozen=True, kw_only=True):
    """A format of records: the extensions of its files (the first is the file to open), and its writer."""

    endings: tuple[str, ...]
    write: RecordWriter


# Writes a document to one file, or to one file per page, and returns the paths.
PageWriter: TypeAlias = Callable[["Document", Path], tuple[Path, ...]]

# Returns the contents of the files of a record, one for each extension of the format.
RecordWriter: TypeAlias = "Callable[[RecordedField], tuple[bytes, ...]]"


def _pdf(document: Document, path: Path) -> tuple[Path, ...]:
    """Write a document as one PDF; return its path."""
    from printkit.export import pdf

    return pdf.write(document, path)


def _svg(document: Document, path: Path) -> tuple[Path, ...]:
    """Write a document as one SVG per page; return the paths."""
    from printkit.export import svg

    return svg.write(document, path)


def _png(document: Document, path: Path) -> tuple[Path, ...]:
    """Write a document as one PNG per page; return the paths."""
    from printkit.export import png

    return png.write(document, path)


def _geojson(field: RecordedField) -> tuple[bytes, ...]:
    """Return the bytes of the one GeoJSON file of a record."""
    from printkit.terrain.field.record import write

    return (write(field.record).encode(),)


def _geopackage(field: RecordedField) -> tuple[bytes, ...]:
    """Return the bytes of the one GeoPackage file of a record."""
    from printkit.export.geopackage import geopackage

    return (geopackage(field.record),)


def _cut_lines(field: RecordedField) -> tuple[bytes, ...]:
    """Return the bytes of the one file of a record with the lines for a cutter."""
    from printkit.export.field_shapes import cut_lines

    return (cut_lines(field.record, kerf=field.kerf),)


def _universal_vtt(field: RecordedField) -> tuple[bytes, ...]:
    """Return the bytes of the one Universal VTT file of a record.

    Raises:
        UsageError: the battlefield has no drawing.
    """
    from printkit.export.universal_vtt import universal_vtt

    return (universal_vtt(field.record, field.draw_picture()),)


def _tabletop_simulator(field: RecordedField) -> tuple[bytes, ...]:
    """Return the bytes of the Tabletop Simulator object of a record, and of its picture.

    Raises:
        UsageError: the battlefield has no drawing.
    """
    from printkit.export.tabletop_simulator import board_object

    picture = field.draw_picture()
    ending = RECORDS["tts"].endings[1]
    url = picture_url(field.url_base, field.folder or Path(), f"{field.name}.{ending}")
    return board_object(field.record, picture, url), picture.data


PAGES: Final[Mapping[str, PageWriter]] = {"pdf": _pdf, "svg": _svg, "png": _png}

RECORDS: Final[Mapping[str, RecordFormat]] = {
    "json": RecordFormat(endings=("json",), write=_geojson),
    "geojson": RecordFormat(endings=("geojson",), write=_geojson),
    "gpkg": RecordFormat(endings=("gpkg",), write=_geopackage),
    "svg-cut": RecordFormat(endings=("cut.svg",), write=_cut_lines),
    "uvtt": RecordFormat(endings=("dd2vtt",), write=_universal_vtt),
    "tts": RecordFormat(endings=("tts.json", "tts.png"), write=_tabletop_simulator),
}

# Formats of card decks for virtual tables, each with the extension of the file to open.
DECKS: Final[Mapping[str, str]] = {"tts": "tts.json"}

# Formats of a folder of sheets: PDF for printing, or a deck for a virtual table.
FOLDERS: Final[Mapping[str, str]] = {"pdf": "pdf", **DECKS}

# Record formats that contain a picture of the board; the user can set its pixels per cell.
PICTURE_FORMATS: Final = ("uvtt", "tts")

# File extensions of all formats.
ENDINGS: Final = (*PAGES, *(ending for record_format in RECORDS.values() for ending in record_format.endings))


def picture_url(base: str, folder: Path, name: str) -> str:
    """Return the URL of a picture: below ``base``, or a file URL in ``folder`` if ``base`` is empty.

    ``name`` is the file name of the picture; its special characters are escaped.
    """
    base = base or f"{folder.resolve().as_uri()}/"
    return f"{base if base.endswith('/') else f'{base}/'}{PurePosixPath(f'/{name}').as_uri()[8:]}"


def path_without_extension(out: Path) -> Path | None:
    """Return the path without its extension if it names a file of a known format; None if it names a folder.

    The longest extension counts (``.tts.json`` before ``.json``), in capitals or not.
    """
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if out.name.lower().endswith(f".{ending}"):
            return out.with_name(out.name[: -len(ending) - 1])
    return None
