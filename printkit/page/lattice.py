"""The layout of a large drawing on sheets: number of sheets, paper position, and windows."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Rect
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.page.sheet import LARGEST, Sheet, Tile, check_page_count

# Smallest usual width in mm of the bands left of and below the window, for check bars and names.
BAND: Final = 9.0

# Width in mm of a narrow band, with the marks in one row, used if it saves a row or column of sheets.
NARROW: Final = 4.8

# A narrow band needs a window of _LONG mm plus the overlap, and short sheet names such as B3 or L12.
_LONG: Final = 172.0
_ROWS_BEFORE_TWO_LETTERS: Final = 26
_SHORT_ROWS: Final = 12
_SHORT_COLUMNS: Final = 9

# Default overlap of neighbouring sheets, in mm.
OVERLAP: Final = 10.0

_WIDEST_LEFT: Final = 14.0
_WIDEST_BELOW: Final = 22.0
_OPPOSITE: Final = 5.0
_LEAST_PRINTABLE: Final = 80.0
_LEAST_FROM_ROLL: Final = 140.0
_TENTHS: Final = 10


class Lattice(Struct, frozen=True, kw_only=True):
    """Equal windows in rows and columns that cover a drawing or one of its zones.

    Windows start on whole tenths of a mm from the lower left of the covered area.

    Attributes:
        width: the width of the covered area in mm.
        height: the height of the covered area in mm.
        sheet: the paper, turned to its printed position.
        columns: the number of columns of sheets.
        rows: the number of rows of sheets.
        window: the window on each sheet, in mm.
        overlap: the overlap of neighbouring windows, in mm.
        at: the lower left corner of the covered area in the drawing, in mm.
        zone: the name of the zone, or empty.
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
        """Return the widths in mm on paper of the bands for marks, left of the map area and below it."""
        printable = self.sheet.printable
        return self.window.x - printable.x, self.window.y - printable.y

    def count_cuts(self, left_out: Collection[str] = ()) -> int:
        """Return the number of straight cuts: two for each sheet, and those for the upper and right edges of the map.

        ``left_out`` has the names of sheets that are not printed.
        """
        printed_tiles = [tile for tile in self.tiles() if tile.name not in left_out]
        columns, rows = {tile.column for tile in printed_tiles}, {tile.row for tile in printed_tiles}
        return 2 * len(printed_tiles) + len(columns) + len(rows)

    def tile(self, row: int, column: int) -> Tile:
        """Return the sheet in a row and a column; both count from 0 at the upper left.

        The window of the sheet is in mm from the lower left of the covered area.
        """
        step_x, step_y = self.window.width - self.overlap, self.window.height - self.overlap
        x, y = tenths(column * step_x), tenths((self.rows - 1 - row) * step_y)
        return Tile(row, column, Rect(x, y, self.window.width, self.window.height), self.zone)

    def tiles(self) -> Iterator[Tile]:
        """Yield all sheets in reading order: row by row from the upper left."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.tile(row, column)


def fit_lattice(width: float, height: float, sheet: Sheet, *, overlap: float = OVERLAP, narrow: bool = True) -> Lattice:
    """Return the lattice with the fewest sheets for an area of ``width`` x ``height`` printed mm.

    The paper is turned if that saves sheets, if it fits only so, or if sheets cut from a roll are then smaller. A roll
    is cut to the length of one window with margins and marks, at most the longest possible page.

    Args:
        width: the width of the area in mm on paper.
        height: the height of the area in mm on paper.
        sheet: the paper.
        overlap: the overlap of neighbouring windows in mm, rounded up to 0.1 mm.
        narrow: whether the bands for the marks may be narrow if that saves a row or column of sheets.

    Raises:
        PageError: the area is empty; the overlap is negative, or more than half of a window in a direction that needs
            several sheets; the sheet is too small for the marks; or there are too many sheets.
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
        for position in (sheet, sheet.rotated())
        if min((paper := _cut_roll(width, height, position)).printable.width, paper.printable.height)
        >= _LEAST_PRINTABLE
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
    rounded_overlap = math.ceil(overlap * _TENTHS - 1e-6) / _TENTHS
    limits = [_largest_overlap(width, height, paper) for paper in papers]
    allowed = [paper for paper, limit in zip(papers, limits, strict=True) if rounded_overlap <= limit]
    if not allowed:
        raise PageError(
            "an overlap of {overlap:g} mm is more than half of the printed area of {sheet}; use {most:g}mm "
            "or less, for example {usual:g}mm",
            overlap=overlap,
            sheet=sheet.name,
            most=max(limits),
            usual=OVERLAP,
        )

    def find_fewest(*, narrow: bool) -> Lattice:
        """Return the lattice with the fewest sheets, and of these the smallest sheet."""
        lattices = (_fewest_sheets(width, height, paper, rounded_overlap, narrow=narrow) for paper in allowed)
        return min(lattices, key=lambda lattice: (lattice.count, lattice.sheet.width * lattice.sheet.height))

    usual = find_fewest(narrow=False)
    fewest = find_fewest(narrow=True) if narrow else usual
    # Keep the usual bands if narrow ones do not save sheets.
    if fewest.count == usual.count:
        fewest = usual
    check_page_count(fewest.count)
    return fewest


def tenths(mm: float) -> float:
    """Return a length in mm, rounded to the nearest 0.1 mm."""
    return round(mm * _TENTHS) / _TENTHS


def _cut_roll(width: float, height: float, sheet: Sheet) -> Sheet:
    """Return a sheet with finite sides; a roll is cut for a map of ``width`` x ``height`` mm."""
    return replace(
        sheet,
        width=_roll_length(width, sheet.margin) if math.isinf(sheet.width) else sheet.width,
        height=_roll_length(height, sheet.printable.y) if math.isinf(sheet.height) else sheet.height,
        cut=sheet.cut or math.isinf(sheet.width + sheet.height),
    )


def _largest_overlap(width: float, height: float, sheet: Sheet) -> float:
    """Return the largest overlap that sheets may have, for an area of ``width`` x ``height``.

    All lengths are in mm on paper. It is half of a window, in each direction that needs several sheets; otherwise it
    is infinite.
    """
    printable = sheet.printable
    window_sides = [
        side for length, side in ((width, printable.width - BAND), (height, printable.height - BAND)) if length > side
    ]
    return min((math.floor(side / 2 * _TENTHS + 1e-6) / _TENTHS for side in window_sides), default=math.inf)


def _fewest_sheets(width: float, height: float, sheet: Sheet, overlap: float, *, narrow: bool) -> Lattice:
    """Return the lattice with the fewest sheets for this paper position; lengths are in mm on paper.

    ``width`` and ``height`` are those of the drawing. With ``narrow``, bands may be narrow if that saves sheets.
    """
    usual = _build_lattice(width, height, sheet, overlap, (BAND, BAND))
    bands = ((NARROW, BAND), (BAND, NARROW), (NARROW, NARROW)) if narrow else ()
    candidates = [_build_lattice(width, height, sheet, overlap, widths) for widths in bands]
    return min([usual, *(lattice for lattice in candidates if _marks_fit(lattice))], key=lambda lattice: lattice.count)


def _marks_fit(lattice: Lattice) -> bool:
    """Return whether the marks of a lattice with narrow bands fit on its sheets."""
    (left, below), printable, window = lattice.bands, lattice.sheet.printable, lattice.window
    # Windows start on whole tenths, and with narrow bands the rounding can push them off the sheet.
    if window.right > printable.right + TOLERANCE or window.top > printable.top + TOLERANCE:
        return False
    short = lattice.columns <= _SHORT_COLUMNS or lattice.rows <= _SHORT_ROWS
    if not short or lattice.rows > _ROWS_BEFORE_TWO_LETTERS:
        return False
    band_lengths = ((left, window.height), (below, window.width))
    return all(band >= BAND or length >= _LONG + lattice.overlap for band, length in band_lengths)


def _build_lattice(width: float, height: float, sheet: Sheet, overlap: float, bands: tuple[float, float]) -> Lattice:
    """Return the lattice for this paper position; all lengths are in mm on paper.

    ``width`` and ``height`` are those of the drawing. ``bands`` has the smallest widths of the left and the lower band.
    """
    printable = sheet.printable
    columns, window_width = _split_length(width, printable.width - bands[0], overlap)
    rows, window_height = _split_length(height, printable.height - bands[1], overlap)
    left = _band_width(printable.width - window_width, bands[0], _WIDEST_LEFT)
    below = _band_width(printable.height - window_height, bands[1], _WIDEST_BELOW)
    x = math.ceil((printable.x + left) * _TENTHS - 1e-6) / _TENTHS
    y = math.ceil((printable.y + below) * _TENTHS - 1e-6) / _TENTHS
    window = Rect(x, y, window_width, window_height)
    return Lattice(width=width, height=height, sheet=sheet, columns=columns, rows=rows, window=window, overlap=overlap)


def _roll_length(length: float, margin: float) -> float:
    """Return the length in whole mm on paper to cut from a roll for a window ``length`` mm long.

    It is long enough for the check bar too. ``margin`` is the margin at each end in mm.
    """
    needed_mm = max(length + BAND + _OPPOSITE, _LEAST_FROM_ROLL)
    return min(math.ceil(needed_mm + 2 * margin), LARGEST)


def _split_length(length: float, available_mm: float, overlap: float) -> tuple[int, float]:
    """Return how many equal windows cover ``length`` mm, and their size in mm on paper, in whole tenths.

    Each window has at most ``available_mm`` mm, and neighbours overlap by ``overlap`` mm.
    """
    available_mm = math.floor(available_mm * _TENTHS + 1e-6) / _TENTHS
    if length <= available_mm:
        return 1, math.ceil(length * _TENTHS - 1e-6) / _TENTHS
    count = math.ceil((length - overlap) / (available_mm - overlap) - 1e-9)
    return count, math.ceil((length + (count - 1) * overlap) / count * _TENTHS - 1e-6) / _TENTHS


def _band_width(spare: float, minimum: float, widest: float) -> float:
    """Return the width of a band for marks, from ``minimum`` to ``widest``, all in mm on paper.

    It is the space ``spare`` without the crop marks on the opposite side. If the spare space allows the usual band, the
    band is not narrower than that.
    """
    return max(minimum, min(BAND, spare), min(widest, spare - _OPPOSITE))
