"""Paper, pages and documents, independent of the file format; sheets are selected by name or size."""

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
    """The edge on which a duplex sheet is flipped."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"


class Sheet(Struct, frozen=True):
    """A sheet of paper in its printed position, with its unprintable margins.

    Attributes:
        name: the name of the paper.
        width: the width in mm.
        height: the height in mm; infinite for a roll.
        margin: the left and right margins in mm.
        head: the top and bottom margins in mm; ``margin`` if None.
        cut: whether the sheet is cut to its content: a piece of a roll, or a sheet as large as the map.
    """

    name: str
    width: float
    height: float
    margin: float
    head: float | None = None
    cut: bool = False

    def rotated(self) -> Sheet:
        """Return the sheet turned by 90 degrees."""
        side_margin, end_margin = (self.margin, None) if self.head is None else (self.head, self.margin)
        return replace(self, width=self.height, height=self.width, margin=side_margin, head=end_margin)

    @property
    def is_landscape(self) -> bool:
        """Return whether the sheet is wider than high."""
        return self.width > self.height

    @property
    def is_endless(self) -> bool:
        """Return whether a side has no fixed length: a roll, or a single sheet as large as the map."""
        return math.isinf(self.width + self.height)

    @property
    def portrait(self) -> Sheet:
        """Return the sheet in portrait."""
        return self.rotated() if self.is_landscape else self

    @property
    def area(self) -> Rect:
        """Return the area of the full sheet in mm on paper, margins included."""
        return Rect(0.0, 0.0, self.width, self.height)

    @property
    def printable(self) -> Rect:
        """Return the area inside the margins, in mm on paper."""
        side_margin, end_margin = self.margin, self.margin if self.head is None else self.head
        return Rect(side_margin, end_margin, self.width - 2 * side_margin, self.height - 2 * end_margin)

    def page(self, *placements: Placement, label: str, bookmark: str = "", back: bool = False) -> Page:
        """Return a page of this sheet with drawings on it, whose trim is the full sheet.

        ``label`` is the page's name, ``bookmark`` the text of its PDF bookmark (empty for none). ``back`` is True for
        the back of a sheet.
        """
        return Page(sheet=self, placements=placements, trim=self.area, label=label, bookmark=bookmark, back=back)


def intersect_rects(first: Rect, second: Rect) -> Rect:
    """Return the common part of two rectangles in one unit; a side is negative if they do not meet."""
    left, bottom = max(first.x, second.x), max(first.y, second.y)
    return Rect(left, bottom, min(first.right, second.right) - left, min(first.top, second.top) - bottom)


class Placement(Struct, frozen=True):
    """A drawing on a page: a transform from drawing mm to page mm, and an optional ``clip`` in page mm."""

    drawing: Drawing
    transform: Affine = _AS_IT_IS
    clip: Rect | None = None


class Page(Struct, frozen=True, kw_only=True):
    """One printed side.

    Attributes:
        sheet: the paper.
        placements: the drawings.
        trim: the area inside the cuts, in mm.
        label: the name of the page.
        bookmark: its entry in the outline of the PDF, or empty.
        back: whether it is the back of the page before it.
        bleed_mm: the bleed around the trim in mm, as far as the sheet extends.
    """

    sheet: Sheet
    placements: tuple[Placement, ...]
    trim: Rect
    label: str
    bookmark: str = ""
    back: bool = False
    bleed_mm: float = 0.0


# The most pages in one document.
MOST_PAGES: Final = 2000


def check_page_count(count: int) -> None:
    """Raise an error if a document would have too many pages, before they are drawn.

    Raises:
        PageError: there are more than ``MOST_PAGES``.
    """
    if count > MOST_PAGES:
        raise PageError(
            "this needs {count:,} pages, and a document has at most {most:,}. Print less, or use larger sheets",
            count=count,
            most=MOST_PAGES,
        )


class Document(Struct, frozen=True, kw_only=True):
    """Pages in order, with the properties of the file.

    Attributes:
        title: the title of the document.
        pages: the pages.
        language: a language code, for example ``en``.
        subject: the subject property of the file.
        keywords: the keywords property of the file.
        flip: the flip edge of duplex pages, or None.
        one_sided: whether a duplex printer must leave the backs blank, because the sheets are cut and joined.
        all_pages: all pages of the first print if ``pages`` are a selection, which is written exactly as it was then.
        dpi: the resolution of bitmaps in dots per inch.
    """

    title: str
    pages: tuple[Page, ...]
    language: str = "en"
    subject: str = ""
    keywords: tuple[str, ...] = ()
    flip: Flip | None = None
    one_sided: bool = False
    all_pages: tuple[Page, ...] = ()
    dpi: float = DPI

    def __post_init__(self) -> None:
        """Raise an error if there are too many pages, for example after documents were joined.

        Raises:
            PageError: there are more than ``MOST_PAGES``.
        """
        check_page_count(len(self.pages))

    def select_pages(self, labels: Collection[str]) -> Document:
        """Return a document of only the pages with these labels, in their order, each unchanged.

        Labels that no page has are ignored.
        """
        pages = tuple(page for page in self.pages if page.label in labels)
        return replace(self, pages=pages, all_pages=self.all_pages or self.pages)


class Tile(Struct, frozen=True):
    """One sheet of a large drawing.

    Attributes:
        row: the row, from 0 at the top.
        column: the column, from 0 at the left.
        window: the area of the drawing that the sheet shows, in mm.
        zone: the name of the zone if the map is tiled zone by zone, or empty.
    """

    row: int
    column: int
    window: Rect
    zone: str = ""

    @property
    def name(self) -> str:
        """Return the name of the sheet: row letter and column number, for example B3, or 5-B3 in zone 5."""
        letters = ""
        row = self.row
        while row >= 0:
            letters = chr(ord("A") + row % 26) + letters
            row = row // 26 - 1
        place = f"{letters}{self.column + 1}"
        return f"{self.zone}-{place}" if self.zone else place


# --- Sheets of paper by name or size, and pages exactly as large as their drawing -------------------------------------

# The longest side of a page in mm: 14,400 points. Longer pages need a PDF user unit, which readers ignore.
LARGEST: Final = 200 * MM_PER_INCH

# Default margin in mm: home printers may not print closer to the edge.
MARGIN: Final = 10.0

# The name of the sheet that is as large as the drawing.
ONE: Final = "one"

_KINDS: Final = ("iso", "north-america")


def find_sheet(text: str, *, margin: float = MARGIN, use_file_margins: bool = True) -> Sheet:
    """Return a sheet by its name or size, or from a file with the user's papers.

    A side without a fixed length is infinite: the length of a roll, and both sides of ``one``, which has no margin.
    Examples of names are ``a4`` and ``24in-roll``, and of a size ``30x40cm``.

    Args:
        text: the sheet.
        margin: in mm on paper, on all sides.
        use_file_margins: whether margins in the user's file replace ``margin``.

    Raises:
        UsageError: the sheet is unknown or too large for a page, or its margins leave no printable area.
        BookError: the file cannot be read or has an entry that is not valid.
    """
    name, head = text.strip().lower(), None
    if (paper := own_paper(text)) is not None:
        name, width, height = paper.name, paper.width, paper.height
        if use_file_margins and paper.margin is not None:
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
    elif name in named_sheets():
        width, height = named_sheets()[name]
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
            known=", ".join(named_sheets()),
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
    """Return the paper from a file of the user, or None if the text does not name a file.

    Raises:
        UsageError, BookError: the same as for ``find_sheet``.
    """
    name = text.strip().lower()
    if not (name.endswith(".toml") or ".toml:" in name):
        return None
    from printkit.page import papers

    return papers.own_paper(text, {**named_sheets(), ONE: None})


def unique_name(sheet: Sheet) -> str:
    """Return a unique name of a sheet, for file names.

    A name that does not determine the size is followed by the size, for example ``mine-300x400mm``. The position of the
    sheet, portrait or landscape, does not matter.
    """
    if sheet.name == ONE or named_sheets().get(sheet.name) in (
        (sheet.width, sheet.height),
        (sheet.height, sheet.width),
    ):
        return sheet.name
    try:
        named_size = parse_size(sheet.name) if is_number(sheet.name[:1]) else ()
    except UsageError:
        named_size = ()
    if named_size and sorted(named_size) == sorted((sheet.width, sheet.height)):
        return sheet.name
    sides = [f"{side:g}" for side in (sheet.width, sheet.height) if math.isfinite(side)]
    return f"{sheet.name}-{'x'.join(sides)}mm"


@cache
def named_sheets() -> Mapping[str, tuple[float, float]]:
    """Return the width and height in mm on paper of every named sheet in portrait, by its name.

    The height of a roll is infinite.

    Raises:
        BookError: an entry is not a sheet; the message gives the file and the entry.
    """
    sheets: dict[str, tuple[float, float]] = {}
    for kind in (kind for kind in _KINDS if kind in names("templates/sheets", ".toml")):
        for name, entry in template("sheets", kind).get("sheets", {}).items():
            sheets[name] = _size(f"sheets/{kind}.toml: {name}", entry)
    return sheets


def _size(location: str, entry: Any) -> tuple[float, float]:
    """Return the width and height in mm on paper of an entry of a paper file; a roll has infinite height.

    Raises:
        BookError: the entry is not a paper size; the message gives its ``location``.
    """
    sides = [entry.get("width"), entry.get("height", math.inf)] if isinstance(entry, Mapping) else [None, None]
    lengths = [float(side) for side in sides if isinstance(side, int | float) and not isinstance(side, bool)]
    if len(lengths) < 2 or min(lengths) <= 0:
        raise BookError(
            "{where} = {entry!r} is not a paper size; write {{ width = 210, height = 297 }} in mm",
            where=location,
            entry=entry,
        )
    return lengths[0], lengths[1]


def document_of(drawing: Drawing, *, title: str = "", language: str = "en") -> Document:
    """Return a document of one page that is exactly as large as the drawing, without margins; its label is ``1``.

    ``language`` is the code of its language.
    """
    return Document(title=title, pages=(page_of(drawing),), language=language)


def page_of(drawing: Drawing, *, label: str = "1", bookmark: str = "") -> Page:
    """Return a page that is exactly as large as the drawing.

    ``label`` is the page's name, ``bookmark`` the text of its PDF bookmark (empty for none).
    """
    sheet = Sheet(ONE, drawing.width, drawing.height, 0.0, cut=True)
    return sheet.page(Placement(drawing, clip=sheet.area), label=label, bookmark=bookmark)
