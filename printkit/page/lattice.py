"""How many sheets a large drawing takes, how the paper lies, and where every window begins: arithmetic, no drawing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Rect
from printkit.page.sheet import LARGEST, Sheet, Tile, check_page_count

BAND: Final = 9.0
"""The least room in mm beside the window, at the left and below it, for check bars and names."""

NARROW: Final = 4.8
"""The room in mm that they do with, side by side instead of one below the other, where that saves a row of sheets."""

_LONG: Final = 172.0
_ROWS_BEFORE_TWO_LETTERS: Final = 26
_SHORT_ROWS: Final = 12
_SHORT_COLUMNS: Final = 9
"""Marks in a narrow band need a window of ``_LONG`` mm and the overlap, and names of sheets as short as B3 or L12."""

OVERLAP: Final = 10.0
"""How far neighbouring sheets repeat each other, in mm, unless a person asks otherwise."""

_WIDEST_LEFT: Final = 14.0
_WIDEST_BELOW: Final = 22.0
_OPPOSITE: Final = 5.0
_LEAST_PRINTABLE: Final = 80.0
_LEAST_FROM_ROLL: Final = 140.0
_TENTHS: Final = 10
_LOOSE: Final = 1e-6


class Lattice(Struct, frozen=True, kw_only=True):
    """Equal windows in rows and columns that cover a drawing, or a zone of it, of ``width`` by ``height`` mm.

    ``sheet`` lies as it is printed. ``window`` is where the window stands on each sheet; ``overlap`` is what
    neighbours share. Windows and their places begin on whole tenths of a millimetre, counted from the lower left of
    what is covered, which is ``at`` in the drawing; ``zone`` is its name, if it is a zone.
    """

    width: float
    height: float
    sheet: Sheet
    columns: int
    rows: int
    window: Rect
    overlap: float
    at: tuple[float, float] = (0.0, 0.0)
    zone: str = ""

    @property
    def count(self) -> int:
        """Return the number of sheets."""
        return self.columns * self.rows

    @property
    def bands(self) -> tuple[float, float]:
        """Return the room beside the window for check bars and names, at its left and below it."""
        room = self.sheet.printable
        return self.window.x - room.x, self.window.y - room.y

    @property
    def cuts(self) -> int:
        """Return the straight cuts it takes: two a sheet, and the upper and right edge of the whole."""
        return 2 * self.count + self.columns + self.rows

    def tile(self, row: int, column: int) -> Tile:
        """Return one sheet; row and column count from 0 at the upper left."""
        across, up = self.window.width - self.overlap, self.window.height - self.overlap
        x, y = tenths(column * across), tenths((self.rows - 1 - row) * up)
        return Tile(row, column, Rect(x, y, self.window.width, self.window.height), self.zone)

    def tiles(self) -> Iterator[Tile]:
        """Yield every sheet as a page is read."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.tile(row, column)


def lay(width: float, height: float, sheet: Sheet, *, overlap: float = OVERLAP, narrow: bool = True) -> Lattice:
    """Return the lattice with the fewest sheets; the paper stands upright unless turning it saves any.

    Of a sheet that is as long as it needs to be, as much is taken as one window needs, to the longest page possible.
    ``narrow`` lets the bands of the marks be as narrow as they can be where that saves a row or column of sheets.

    Raises:
        PageError: nothing is to be covered, the overlap is less than none or more than half of what a sheet shows, or
            the sheet is too small for the marks, or more sheets are needed than one document has.
    """
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise PageError(
            "a drawing of {width:g} x {height:g} mm cannot be printed; both sides must be more than 0",
            width=width,
            height=height,
        )
    if overlap < 0:
        raise PageError(
            "an overlap of {overlap:g} mm is negative; use 0mm or more, for example {usual:g}mm",
            overlap=overlap,
            usual=OVERLAP,
        )
    papers = [
        paper
        for lying in (sheet, sheet.turned())
        if min((paper := _cut(width, height, lying)).printable.width, paper.printable.height) >= _LEAST_PRINTABLE
    ]
    if not papers:
        raise PageError(
            "{sheet} ({width:g} x {height:g} mm) is too small: inside margins of {margin:g} mm it needs "
            "{least_printable:g} mm each way, plus {band:g} mm for marks",
            sheet=sheet.name,
            width=sheet.width,
            height=sheet.height,
            margin=sheet.margin,
            least_printable=_LEAST_PRINTABLE,
            band=BAND,
        )
    shared = math.ceil(overlap * _TENTHS - 1e-6) / _TENTHS
    most = [_most_overlap(width, height, paper) for paper in papers]
    allowed = [paper for paper, limit in zip(papers, most, strict=True) if shared <= limit]
    if not allowed:
        raise PageError(
            "an overlap of {overlap:g} mm is more than half of the printed area of {sheet}; use {most:g}mm "
            "or less, for example {usual:g}mm",
            overlap=overlap,
            sheet=sheet.name,
            most=max(most),
            usual=OVERLAP,
        )

    def lay_fewest(*, narrow: bool) -> Lattice:
        found = (_fewest(width, height, paper, shared, narrow=narrow) for paper in allowed)
        return min(found, key=lambda lattice: (lattice.count, lattice.sheet.width * lattice.sheet.height))

    usual = lay_fewest(narrow=False)
    fewest = lay_fewest(narrow=True) if narrow else usual
    # If turning the paper saves as many sheets, the usual bands stay.
    if fewest.count == usual.count:
        fewest = usual
    check_page_count(fewest.count)
    return fewest


def tenths(mm: float) -> float:
    """Return a length rounded to tenths of a millimetre."""
    return round(mm * _TENTHS) / _TENTHS


def _cut(width: float, height: float, sheet: Sheet) -> Sheet:
    """Return a sheet with both its sides; of a roll, as much as one window needs."""
    return replace(
        sheet,
        width=_cut_from_roll(width, sheet.margin) if math.isinf(sheet.width) else sheet.width,
        height=_cut_from_roll(height, sheet.printable.y) if math.isinf(sheet.height) else sheet.height,
        cut=sheet.cut or math.isinf(sheet.width + sheet.height),
    )


def _most_overlap(width: float, height: float, sheet: Sheet) -> float:
    """Return how far neighbours may repeat each other: half of a window each way in which there are neighbours."""
    room = sheet.printable
    shown = [side for length, side in ((width, room.width - BAND), (height, room.height - BAND)) if length > side]
    return min((math.floor(side / 2 * _TENTHS + 1e-6) / _TENTHS for side in shown), default=math.inf)


def _fewest(width: float, height: float, sheet: Sheet, overlap: float, *, narrow: bool) -> Lattice:
    """Return the lattice with the fewest sheets as the paper lies; a band is narrow only where that saves some."""
    usual = _laid(width, height, sheet, overlap, (BAND, BAND))
    bands = ((NARROW, BAND), (BAND, NARROW), (NARROW, NARROW)) if narrow else ()
    tried = [_laid(width, height, sheet, overlap, each) for each in bands]
    return min([usual, *(lattice for lattice in tried if _has_room(lattice))], key=lambda lattice: lattice.count)


def _has_room(lattice: Lattice) -> bool:
    """Return whether the marks find room in bands of which one is narrow."""
    (left, below), room, window = lattice.bands, lattice.sheet.printable, lattice.window
    # Windows begin on whole tenths, and here nothing is left by which they could leave the sheet.
    if window.right > room.right + _LOOSE or window.top > room.top + _LOOSE:
        return False
    short = lattice.columns <= _SHORT_COLUMNS or lattice.rows <= _SHORT_ROWS
    if not short or lattice.rows > _ROWS_BEFORE_TWO_LETTERS:
        return False
    along = ((left, window.height), (below, window.width))
    return all(band >= BAND or length >= _LONG + lattice.overlap for band, length in along)


def _laid(width: float, height: float, sheet: Sheet, overlap: float, bands: tuple[float, float]) -> Lattice:
    """Return the lattice with the paper as it lies, and bands of so many mm at least at the left and below."""
    room = sheet.printable
    columns, across = _shared(width, room.width - bands[0], overlap)
    rows, up = _shared(height, room.height - bands[1], overlap)
    left = _band(room.width - across, bands[0], _WIDEST_LEFT)
    below = _band(room.height - up, bands[1], _WIDEST_BELOW)
    x = math.ceil((room.x + left) * _TENTHS - 1e-6) / _TENTHS
    y = math.ceil((room.y + below) * _TENTHS - 1e-6) / _TENTHS
    window = Rect(x, y, across, up)
    return Lattice(width=width, height=height, sheet=sheet, columns=columns, rows=rows, window=window, overlap=overlap)


def _cut_from_roll(length: float, margin: float) -> float:
    """Return how long a sheet is cut for a window of ``length``, in whole mm: long enough for the check bar too."""
    needed = max(length + BAND + _OPPOSITE, _LEAST_FROM_ROLL)
    return min(math.ceil(needed + 2 * margin), LARGEST)


def _shared(length: float, room: float, overlap: float) -> tuple[int, float]:
    """Return how many equal windows cover a length, each at most ``room``, and their size on whole tenths."""
    room = math.floor(room * _TENTHS + 1e-6) / _TENTHS
    if length <= room:
        return 1, math.ceil(length * _TENTHS - 1e-6) / _TENTHS
    count = math.ceil((length - overlap) / (room - overlap) - 1e-9)
    return count, math.ceil((length + (count - 1) * overlap) / count * _TENTHS - 1e-6) / _TENTHS


def _band(spare: float, least: float, widest: float) -> float:
    """Return the width of the band: what is left once the opposite side has its crop marks, within its limits.

    A window that leaves the usual room has it, so that a narrow band is never wider than it must be and yet narrow.
    """
    return max(least, min(BAND, spare), min(widest, spare - _OPPOSITE))
