"""The writers of documents by the name of their format; each imports its library when it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from printkit.core.errors import UsageError

if TYPE_CHECKING:
    from printkit.page.sheet import Document

Writer = Callable[["Document", Path], tuple[Path, ...]]

RECORDS: Final = ("json", "geojson")
"""Formats that are the record itself under an ending."""


def _pdf(document: Document, path: Path) -> tuple[Path, ...]:
    from printkit.export import pdf

    return pdf.write(document, path)


def _svg(document: Document, path: Path) -> tuple[Path, ...]:
    from printkit.export import svg

    return svg.write(document, path)


def _png(document: Document, path: Path) -> tuple[Path, ...]:
    from printkit.export import png

    return png.write(document, path)


WRITERS: Final[Mapping[str, Writer]] = {"pdf": _pdf, "svg": _svg, "png": _png}

FORMATS: Final = (*WRITERS, *RECORDS)


def known(name: str) -> str:
    """Return a format in lower case.

    Raises:
        UsageError: there is none of that name.
    """
    if name.lower() not in FORMATS:
        raise UsageError("no format {name!r}; there are {formats}", name=name, formats=", ".join(FORMATS))
    return name.lower()


def known_document(name: str) -> str:
    """Return a format of sheets in lower case; those of records are none.

    Raises:
        UsageError: there is none of that name.
    """
    if name.lower() not in WRITERS:
        raise UsageError("no format {name!r} for sheets; there are {writers}", name=name, writers=", ".join(WRITERS))
    return name.lower()
