"""Formats by name, and what writes each: pages of a document, or a record. A library is loaded when it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import UsageError

if TYPE_CHECKING:
    from printkit.drawing.canvas.items import Drawing
    from printkit.page.sheet import Document


class RecordedField(Struct, frozen=True):
    """What a record is written from: numbers and strings, and no shapes.

    ``text`` is the record as GeoJSON, with all lengths in millimetres. ``draw`` returns the board alone, as the map
    shows it, and is called by a format that needs a picture alone, for that takes time; None where nothing is drawn.
    """

    text: str
    draw: Callable[[], Drawing] | None = None


PageWriter: TypeAlias = Callable[["Document", Path], tuple[Path, ...]]
"""Writes a document to a file, or to one file a page, and returns their paths."""

RecordWriter: TypeAlias = Callable[[RecordedField], bytes]
"""Returns the one file of a record."""

Refusal: TypeAlias = Callable[[str, str], UsageError]
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


def _geojson(field: RecordedField) -> bytes:
    return field.text.encode()


PAGES: Final[Mapping[str, PageWriter]] = {"pdf": _pdf, "svg": _svg, "png": _png}

RECORDS: Final[Mapping[str, RecordWriter]] = {"json": _geojson, "geojson": _geojson}
"""The name of a format is also the ending of its file."""

FORMATS: Final = (*PAGES, *RECORDS)


def known(name: str, *kinds: Mapping[str, object], refusal: Refusal | None = None) -> str:
    """Return the name of a format in lower case.

    Args:
        name: as a person wrote it.
        kinds: the tables in which it may stand, as ``PAGES``.
        refusal: what is said where it stands in none of them.

    Raises:
        UsageError: there is none of that name.
    """
    there = tuple(each for kind in kinds for each in kind)
    if name.lower() not in there:
        refused = refusal or (_no_sheets if kinds == (PAGES,) else _no_format)
        raise refused(name, ", ".join(there))
    return name.lower()


def _no_format(name: str, there: str) -> UsageError:
    return UsageError("no format {name!r}; there are {formats}", name=name, formats=there)


def _no_sheets(name: str, there: str) -> UsageError:
    return UsageError("no format {name!r} for sheets; there are {writers}", name=name, writers=there)
