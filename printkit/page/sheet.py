"""Paper, pages and documents: drawings put down on sheets, still without a file format."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from printkit.drawing.canvas.items import Affine, Drawing, Rect

_AS_IT_IS = Affine()


class Flip(StrEnum):
    """The edge of a sheet over which it is turned to come to its back."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"


class Sheet(Struct, frozen=True):
    """A sheet of paper in mm as it lies, and the edge of it that a printer cannot reach.

    ``margin`` stands at the left and the right, and at head and foot too unless ``head`` says otherwise.
    """

    name: str
    width: float
    height: float
    margin: float
    head: float | None = None

    def turned(self) -> Sheet:
        """Return the sheet lying the other way."""
        if self.head is None:
            return Sheet(self.name, self.height, self.width, self.margin)
        return Sheet(self.name, self.height, self.width, self.head, self.margin)

    @property
    def printable(self) -> Rect:
        """Return the part inside the margins."""
        across, along = self.margin, self.margin if self.head is None else self.head
        return Rect(across, along, self.width - 2 * across, self.height - 2 * along)


class Placement(Struct, frozen=True):
    """A drawing put on a page: drawing mm to page mm, cut to ``clip`` (in page mm) where there is one."""

    drawing: Drawing
    transform: Affine = _AS_IT_IS
    clip: Rect | None = None


class Page(Struct, frozen=True, kw_only=True):
    """One printed side. ``trim`` is where a person cuts; ``label`` names the page, ``bookmark`` lists it.

    A page that is a ``back`` is printed on the other side of the page before it.
    """

    sheet: Sheet
    placements: tuple[Placement, ...]
    trim: Rect
    label: str
    bookmark: str = ""
    back: bool = False


class Document(Struct, frozen=True, kw_only=True):
    """Pages in order. ``language`` is a code as ``en``; ``subject`` and ``keywords`` go into the file's properties.

    ``flip`` is the edge over which the sheets are turned, where they are printed on both sides.
    """

    title: str
    pages: tuple[Page, ...]
    language: str = "en"
    subject: str = ""
    keywords: tuple[str, ...] = ()
    flip: Flip | None = None


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
