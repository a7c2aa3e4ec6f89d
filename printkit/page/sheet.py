"""Paper, pages and documents: drawings put down on sheets, which are found by name or size; no file format yet."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import BookError, PageError, UsageError
from printkit.core.numbers import is_number
from printkit.core.resources import names, template
from printkit.core.units import DPI, MM_PER_INCH, parse_size
from printkit.drawing.canvas.items import Affine, Drawing, Rect

if TYPE_CHECKING:
    from printkit.page.papers import OwnPaper

_AS_IT_IS = Affine()


class Flip(StrEnum):
    """The edge of a sheet over which it is turned to come to its back."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"


class Sheet(Struct, frozen=True):
    """A sheet of paper in mm as it lies, and the edge of it that a printer cannot reach.

    ``margin`` stands at the left and the right, and at head and foot too unless ``head`` says otherwise. A sheet is
    ``cut`` for what stands on it if it is a piece of a roll, or as large as a map.
    """

    name: str
    width: float
    height: float
    margin: float
    head: float | None = None
    cut: bool = False

    def turned(self) -> Sheet:
        """Return the sheet lying the other way."""
        across, along = (self.margin, None) if self.head is None else (self.head, self.margin)
        return replace(self, width=self.height, height=self.width, margin=across, head=along)

    @property
    def lies(self) -> bool:
        """Return whether it is wider than high."""
        return self.width > self.height

    @property
    def endless(self) -> bool:
        """Return whether a side is as long as it needs to be: it is a roll, or a single sheet as large as the map."""
        return math.isinf(self.width + self.height)

    @property
    def upright(self) -> Sheet:
        """Return the sheet, turned where it lies."""
        return self.turned() if self.lies else self

    @property
    def whole(self) -> Rect:
        """Return all of it, the margins too."""
        return Rect(0.0, 0.0, self.width, self.height)

    @property
    def printable(self) -> Rect:
        """Return the part inside the margins."""
        across, along = self.margin, self.margin if self.head is None else self.head
        return Rect(across, along, self.width - 2 * across, self.height - 2 * along)

    def page(self, *placements: Placement, label: str, bookmark: str = "", back: bool = False) -> Page:
        """Return a page that nobody cuts."""
        return Page(sheet=self, placements=placements, trim=self.whole, label=label, bookmark=bookmark, back=back)


def common(one: Rect, other: Rect) -> Rect:
    """Return what two rectangles share; its sides are less than 0 where they do not meet."""
    left, bottom = max(one.x, other.x), max(one.y, other.y)
    return Rect(left, bottom, min(one.right, other.right) - left, min(one.top, other.top) - bottom)


class Placement(Struct, frozen=True):
    """A drawing put on a page: drawing mm to page mm, cut to ``clip`` (in page mm) where there is one."""

    drawing: Drawing
    transform: Affine = _AS_IT_IS
    clip: Rect | None = None


class FileLink(Struct, frozen=True):
    """A part of a page, in page mm, that leads to another file, named from the folder of its own: ``you/you.pdf``."""

    place: Rect
    file: str


class Page(Struct, frozen=True, kw_only=True):
    """One printed side. ``trim`` is where a person cuts; ``label`` names the page, ``bookmark`` lists it.

    A page that is a ``back`` is printed on the other side of the page before it. ``links`` are for who reads it on
    a screen. Around the trim there may be ``bleed`` mm of ground on every side, as far as the sheet reaches.
    """

    sheet: Sheet
    placements: tuple[Placement, ...]
    trim: Rect
    label: str
    bookmark: str = ""
    back: bool = False
    links: tuple[FileLink, ...] = ()
    bleed: float = 0.0


# The most pages of one document.
MOST_PAGES: Final = 2000


def check_page_count(count: int) -> None:
    """Refuse a document of too many pages before any is made.

    Raises:
        PageError: they are more than ``MOST_PAGES``.
    """
    if count > MOST_PAGES:
        raise PageError(
            "this needs {count:,} pages, and a document has at most {most:,}. Print less, or use larger sheets",
            count=count,
            most=MOST_PAGES,
        )


class Document(Struct, frozen=True, kw_only=True):
    """Pages in order. ``language`` is a code as ``en``; ``subject`` and ``keywords`` go into the file's properties.

    ``flip`` is the edge over which the sheets are turned, where they are printed on both sides. Of ``one_sided`` ones
    a printer that turns sheets by itself must leave the backs white: they are cut and joined. Where pages are
    printed again by themselves, ``whole`` are all of the printing: each is written as it was among them. As bitmaps
    they have ``dpi`` dots an inch.
    """

    title: str
    pages: tuple[Page, ...]
    language: str = "en"
    subject: str = ""
    keywords: tuple[str, ...] = ()
    flip: Flip | None = None
    one_sided: bool = False
    whole: tuple[Page, ...] = ()
    dpi: float = DPI

    def __post_init__(self) -> None:
        """Refuse too many pages, for example of several documents that were joined.

        Raises:
            PageError: they are more than ``MOST_PAGES``.
        """
        check_page_count(len(self.pages))

    def alone(self, labels: Collection[str]) -> Document:
        """Return the pages of these labels as a document, each as it is among all."""
        pages = tuple(page for page in self.pages if page.label in labels)
        return replace(self, pages=pages, whole=self.whole or self.pages)


class Tile(Struct, frozen=True):
    """One sheet of a large drawing: row and column from 0 at the upper left, and the part of the drawing it shows.

    ``zone`` names the zone that the sheet is of, where a map is laid out zone by zone.
    """

    row: int
    column: int
    window: Rect
    zone: str = ""

    @property
    def name(self) -> str:
        """Return the name people say: the row as a letter, the column as a number from 1: B3, in zone 5 5-B3."""
        letters = ""
        row = self.row
        while row >= 0:
            letters = chr(ord("A") + row % 26) + letters
            row = row // 26 - 1
        place = f"{letters}{self.column + 1}"
        return f"{self.zone}-{place}" if self.zone else place


# --- Finds sheets of paper by their names or sizes, and makes pages that are just as large as what stands on them -----

LARGEST: Final = 200 * MM_PER_INCH
"""The longest side of a page in mm: 14,400 points. Longer ones need a unit of their own, which readers ignore."""

MARGIN: Final = 10.0
"""The edge in mm that a home printer may not reach, unless a person knows better."""

ONE: Final = "one"
"""The name of the sheet that is as large as the drawing."""

_KINDS: Final = ("iso", "north-america")


def find(text: str, *, margin: float = MARGIN, own: bool = True) -> Sheet:
    """Return a sheet by its name (``a4``, ``24in-roll``), its size (``30x40cm``), or a file of a person's own papers.

    A side that is as long as it needs to be is infinite: the length of a roll, and both sides of ``one``, which has
    no margin.

    Args:
        text: the sheet.
        margin: in mm, at all sides.
        own: whether margins that a person's own file tells go before ``margin``.

    Raises:
        UsageError: there is no such sheet, it is too large for a page, or the margins leave nothing of it.
        BookError: the file cannot be read, or holds what is no paper.
    """
    name, head = text.strip().lower(), None
    if (paper := own_paper(text)) is not None:
        name, width, height = paper.name, paper.width, paper.height
        if own and paper.margin is not None:
            margin, head = paper.margin, paper.head
        sides = [side for side in (width, height) if math.isfinite(side)]
        if max(sides) > LARGEST:
            raise UsageError(
                "paper {text!r} is too large; a side can be at most {largest:.0f} mm (200 in)",
                text=text,
                largest=LARGEST,
            )
    elif name == ONE:
        return Sheet(ONE, math.inf, math.inf, 0.0)
    elif name in known():
        width, height = known()[name]
    elif is_number(name[:1]) and ("x" in name or "×" in name):
        width, height = parse_size(name)
        if max(width, height) > LARGEST:
            raise UsageError(
                "paper {text!r} is too large; a side can be at most {largest:.0f} mm (200 in)",
                text=text,
                largest=LARGEST,
            )
    else:
        raise UsageError(
            "unknown paper {text!r}; use {known}, {one}, or a size such as 30x40cm",
            text=text,
            known=", ".join(known()),
            one=ONE,
        )
    if head is not None and height <= 2 * head:
        raise UsageError(
            "top and bottom margins of {head:g} mm leave no printable area on {text}", head=head, text=text
        )
    if margin < 0 or min(width, height if head is None else math.inf) <= 2 * margin:
        raise UsageError(
            "margins of {margin:g} mm leave no printable area on paper {shorter:g} mm wide; use 0 mm or "
            "more, and less than {half:g} mm",
            margin=margin,
            shorter=min(width, height),
            half=min(width, height) / 2,
        )
    return Sheet(name, width, height, margin, head)


def own_paper(text: str) -> OwnPaper | None:
    """Return the paper of a person's own that a text names by its file, or None where it names no file.

    Raises:
        UsageError, BookError: as ``find``.
    """
    name = text.strip().lower()
    if not (name.endswith(".toml") or ".toml:" in name):
        return None
    from printkit.page import papers

    return papers.own_paper(text, {**known(), ONE: None})


def called(sheet: Sheet) -> str:
    """Return what a sheet is called where others have the same name: that of a person's own has its size behind it."""
    if sheet.name == ONE or known().get(sheet.name) in ((sheet.width, sheet.height), (sheet.height, sheet.width)):
        return sheet.name
    try:
        named = parse_size(sheet.name) if is_number(sheet.name[:1]) else ()
    except UsageError:
        named = ()
    if named and sorted(named) == sorted((sheet.width, sheet.height)):
        return sheet.name
    sides = [f"{side:g}" for side in (sheet.width, sheet.height) if math.isfinite(side)]
    return f"{sheet.name}-{'x'.join(sides)}mm"


@cache
def known() -> Mapping[str, tuple[float, float]]:
    """Return width and height in mm of every named sheet, upright; a roll is infinitely high.

    Raises:
        BookError: an entry is not a sheet; names the file and the entry.
    """
    found: dict[str, tuple[float, float]] = {}
    for kind in (kind for kind in _KINDS if kind in names("templates/sheets", ".toml")):
        for name, entry in template("sheets", kind).get("sheets", {}).items():
            found[name] = _size(f"sheets/{kind}.toml: {name}", entry)
    return found


def _size(where: str, entry: Any) -> tuple[float, float]:
    sides = [entry.get("width"), entry.get("height", math.inf)] if isinstance(entry, Mapping) else [None, None]
    lengths = [float(side) for side in sides if isinstance(side, int | float) and not isinstance(side, bool)]
    if len(lengths) < 2 or min(lengths) <= 0:
        raise BookError(
            "{where} = {entry!r} is not a paper size; write {{ width = 210, height = 297 }} in mm",
            where=where,
            entry=entry,
        )
    return lengths[0], lengths[1]


def document_of(drawing: Drawing, *, title: str = "", language: str = "en") -> Document:
    """Return a document of one page exactly as large as the drawing."""
    return Document(title=title, pages=(page_of(drawing),), language=language)


def page_of(drawing: Drawing, *, label: str = "1", bookmark: str = "") -> Page:
    """Return a page exactly as large as the drawing."""
    sheet = Sheet(ONE, drawing.width, drawing.height, 0.0, cut=True)
    return sheet.page(Placement(drawing, clip=sheet.whole), label=label, bookmark=bookmark)
