"""Formats by name, and what writes each: pages of a document, or a record. A library is loaded when it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.units import parse_length

if TYPE_CHECKING:
    from printkit.exchange.told import BoardPicture
    from printkit.page.sheet import Document


class FieldShow(Struct, frozen=True, kw_only=True):
    """Options and picture for the formats of other programs.

    ``picture`` draws the board. That takes time, so only a format that shows the picture calls it; None if nothing is
    drawn. ``kerf`` is the width of the cut in mm. ``url_base`` is the address of the pictures of a virtual table, empty
    for the folder of the table.
    """

    picture: Callable[[], BoardPicture] | None = None
    kerf: float = 0.0
    url_base: str = ""

    def pictured(self) -> BoardPicture:
        """Return the board alone as a picture.

        Raises:
            UsageError: this battlefield has no drawing.
        """
        if self.picture is None:
            raise UsageError("this format shows the map, but this battlefield has no drawing")
        return self.picture()


_KERF: Final = 5.0
"""The widest kerf in millimetres: a hot wire's is 2."""


def parse_kerf(text: str) -> float:
    """Return the width of the cut in mm.

    Raises:
        UsageError: the text is not a length, or the cut is too wide.
    """
    width = parse_length(text)
    if not 0.0 <= width <= _KERF:
        raise UsageError("--kerf {kerf} is not valid; use 0mm to {most:g}mm", kerf=text, most=_KERF)
    return width


class RecordedField(FieldShow, frozen=True):
    """What a record is written from: numbers and strings, and no shapes.

    ``text`` is the record as GeoJSON, with all lengths in millimetres. ``name`` is that of the files, without ending,
    and ``folder`` where they come to stand.
    """

    text: str
    name: str = ""
    folder: Path | None = None


class RecordFormat(Struct, frozen=True, kw_only=True):
    """A format of records: the ``endings`` of its files, of which the first is to be opened, and what writes them."""

    endings: tuple[str, ...]
    write: RecordWriter


PageWriter: TypeAlias = Callable[["Document", Path], tuple[Path, ...]]
"""Writes a document to a file, or to one file a page, and returns their paths."""

RecordWriter: TypeAlias = "Callable[[RecordedField], tuple[bytes, ...]]"
"""Returns the files of a record, as many as its format has endings."""

"""Makes the error of a format that there is not: from its name, and from the names that there are."""


def _pdf(document: Document, path: Path) -> tuple[Path, ...]:
    from printkit.export import pdf

    return pdf.write(document, path)


def _svg(document: Document, path: Path) -> tuple[Path, ...]:
    from printkit.export import svg

    return svg.write(document, path)


def _png(document: Document, path: Path) -> tuple[Path, ...]:
    from printkit.export import png

    return png.write(document, path)


def _geojson(field: RecordedField) -> tuple[bytes, ...]:
    return (field.text.encode(),)


def _geopackage(field: RecordedField) -> tuple[bytes, ...]:
    from printkit.exchange.geopackage import geopackage

    return (geopackage(field.text),)


def _cut_lines(field: RecordedField) -> tuple[bytes, ...]:
    from printkit.exchange.cut_lines import cut_lines

    return (cut_lines(field.text, kerf=field.kerf),)


def _universal_vtt(field: RecordedField) -> tuple[bytes, ...]:
    from printkit.exchange.universal_vtt import universal_vtt

    return (universal_vtt(field.text, field.pictured()),)


def _tabletop_simulator(field: RecordedField) -> tuple[bytes, ...]:
    from printkit.exchange.tabletop_simulator import board_object

    picture = field.pictured()
    ending = RECORDS["tts"].endings[1]
    lies = address(field.url_base, field.folder or Path(), f"{field.name}.{ending}")
    return board_object(field.text, picture, lies), picture.data


PAGES: Final[Mapping[str, PageWriter]] = {"pdf": _pdf, "svg": _svg, "png": _png}

RECORDS: Final[Mapping[str, RecordFormat]] = {
    "json": RecordFormat(endings=("json",), write=_geojson),
    "geojson": RecordFormat(endings=("geojson",), write=_geojson),
    "gpkg": RecordFormat(endings=("gpkg",), write=_geopackage),
    "svg-cut": RecordFormat(endings=("cut.svg",), write=_cut_lines),
    "uvtt": RecordFormat(endings=("dd2vtt",), write=_universal_vtt),
    "tts": RecordFormat(endings=("tts.json", "tts.png"), write=_tabletop_simulator),
}

DECKS: Final[Mapping[str, str]] = {"tts": "tts.json"}

FOLDERS: Final[Mapping[str, str]] = {"pdf": "pdf", **DECKS}
"""What a folder of sheets may be made as: sheets to be printed, or what lies on a virtual table."""
"""Formats of decks that are no sheets, each with the ending of the file that is to be opened."""

PICTURED: Final = ("uvtt", "tts")
"""Formats of records that hold a picture of the board, whose pixels to a cell may be asked for."""

ENDINGS: Final = (*PAGES, *(ending for each in RECORDS.values() for ending in each.endings))
"""What the files of all formats end in."""


def address(base: str, folder: Path, name: str) -> str:
    """Return where a picture lies: below ``base``, or as a file in a folder where there is no base."""
    base = base or f"{folder.resolve().as_uri()}/"
    return f"{base if base.endswith('/') else f'{base}/'}{PurePosixPath(f'/{name}').as_uri()[8:]}"


def named_by(out: Path) -> Path | None:
    """Return a file that a person named without its ending, or None of a folder."""
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if out.name.lower().endswith(f".{ending}"):
            return out.with_name(out.name[: -len(ending) - 1])
    return None
