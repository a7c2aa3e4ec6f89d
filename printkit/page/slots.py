"""Positions on sheets: slots for cards in a centred block, and shelves for blocks of known size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.page.sheet import Flip, Sheet

# --- Blocks of known size on pages: side by side on shelves, each block on the first shelf that fits ------------------

SHELF_GAP = 6.0


class ShelfPosition(Struct, frozen=True):
    """The position of a block: its page, counted from 0, and its lower left corner in mm."""

    drawing: Drawing
    page: int
    x: float
    y: float


class _Shelf(Struct):
    """A row of blocks with their tops at ``top``, as high as its highest block; in mm."""

    top: float
    height: float
    used_mm: float


class _Space(Struct):
    """The free area of a page in mm, with its shelves from top to bottom."""

    free_area: Rect
    shelves: list[_Shelf] = field(default_factory=list)

    @property
    def _lowest(self) -> float:
        """Return the y in mm of the top of the next shelf."""
        return self.shelves[-1].top - self.shelves[-1].height - SHELF_GAP if self.shelves else self.free_area.top

    def place_block(self, block: Drawing) -> tuple[float, float] | None:
        """Place a block on the first shelf with space, or a new one, and return its lower left corner.

        The corner (x, y) is in mm on paper. Without enough height it returns None. The shelves change in place. The
        caller checks the width.
        """
        for shelf in self.shelves:
            grows = shelf is self.shelves[-1] and shelf.top - block.height >= self.free_area.y
            if shelf.used_mm + SHELF_GAP + block.width <= self.free_area.width and (
                block.height <= shelf.height or grows
            ):
                x = self.free_area.x + shelf.used_mm + SHELF_GAP
                shelf.used_mm += SHELF_GAP + block.width
                shelf.height = max(shelf.height, block.height)
                return x, shelf.top - block.height
        top = self._lowest
        if top - block.height < self.free_area.y:
            return None
        self.shelves.append(_Shelf(top, block.height, block.width))
        return self.free_area.x, top - block.height


def place_on_shelves(blocks: Sequence[Drawing], first_area: Rect, other_area: Rect) -> list[ShelfPosition]:
    """Return the positions of blocks on pages (numbers from 0), in order where possible.

    Args:
        blocks: drawings; they are not resized, because some contain scales.
        first_area: the free area of the first page in mm; it may be empty.
        other_area: the free area of every other page in mm.

    Raises:
        PageError: a block is larger than a page.
    """
    spaces = [_Space(first_area)]
    positions = []
    for block in blocks:
        if block.width > other_area.width or block.height > other_area.height:
            raise PageError(
                "a block of {block_width:.0f} x {block_height:.0f} mm does not fit the assembly sheet "
                "({others_width:.0f} x {others_height:.0f} mm); use larger paper or narrower margins",
                block_width=block.width,
                block_height=block.height,
                others_width=other_area.width,
                others_height=other_area.height,
            )
        page, corner = 0, spaces[0].place_block(block) if block.width <= first_area.width else None
        while corner is None:
            page += 1
            if page == len(spaces):
                spaces.append(_Space(other_area))
            corner = spaces[page].place_block(block)
        positions.append(ShelfPosition(block, page, *corner))
    return positions


def count_shelf_cuts(positions: Sequence[ShelfPosition]) -> int:
    """Return the number of straight cuts that separate the blocks.

    They are the top of each shelf, each different bottom edge, and both sides of each block.
    """
    shelves: dict[tuple[int, float], list[float]] = {}
    for position in positions:
        top = round(position.y + position.drawing.height, 3)
        shelves.setdefault((position.page, top), []).append(round(position.drawing.height, 3))
    return sum(1 + len(set(heights)) + 2 * len(heights) for heights in shelves.values())


# Distance from the block to its crop ticks, in mm.
CLEAR: Final = 2.0

# Depth in mm of a band next to the block with one row of small type or one check bar, and with two.
ONE_ROW: Final = 2.4
TWO_ROWS: Final = 4.1

# Gap between ticks and type, in mm.
GAP: Final = 0.4

_TICK: Final = 1.5
_NEAR: Final = 0.2
_ROUNDING: Final = 1e-6


class Bands(NamedTuple):
    """Bands ``depth`` mm deep on two opposite sides for type and check bars: left and right if ``vertical``."""

    vertical: bool
    depth: float


class Slots(Struct, frozen=True, kw_only=True):
    """Equal slots in columns and rows, ``gutter`` mm apart, centred on the sheet; all sizes in mm."""

    sheet: Sheet
    columns: int
    rows: int
    width: float
    height: float
    gutter: float

    @property
    def count(self) -> int:
        """Return the number of slots."""
        return self.columns * self.rows

    @property
    def block(self) -> Rect:
        """Return the area of all slots and the gutters between them, in mm."""
        width = self.columns * (self.width + self.gutter) - self.gutter
        height = self.rows * (self.height + self.gutter) - self.gutter
        return Rect((self.sheet.width - width) / 2, (self.sheet.height - height) / 2, width, height)

    @property
    def cuts(self) -> int:
        """Return the number of straight cuts for a full sheet.

        One along each outer side, and one between neighbours, or two with a gutter.
        """
        return sum(count + 1 if self.gutter == 0 else 2 * count for count in (self.columns, self.rows))

    def slot(self, number: int) -> Rect:
        """Return the area in mm of a slot, counted from 0 at the upper left in reading order."""
        row, column = divmod(number, self.columns)
        x = self.block.x + column * (self.width + self.gutter)
        return Rect(x, self.block.top - row * (self.height + self.gutter) - self.height, self.width, self.height)

    def bands(self) -> Bands | None:
        """Return the bands for type and check bars, or None if there is no space for them.

        Two rows are preferred to one, full-length ticks to short or missing ones, then top and bottom to left and
        right.
        """
        printable, block = self.sheet.printable, self.block
        free = ((False, printable.top - block.top), (True, printable.right - block.right))
        for depth, distance in ((TWO_ROWS, CLEAR + _TICK), (ONE_ROW, CLEAR + _TICK), (ONE_ROW, _NEAR)):
            for vertical, spare in free:
                if spare + _ROUNDING >= distance + GAP + depth:
                    return Bands(vertical, depth)
        return None


def fit_slots(width: float, height: float, sheet: Sheet, *, gutter: float = 0.0) -> Slots:
    """Return the most slots of ``width`` x ``height`` mm that fit, with the sheet in portrait or landscape.

    Two opposite sides keep space for type and check bars. ``gutter`` is the gap between slots in mm. If both positions
    hold equally many, the sheet is in portrait.

    Raises:
        PageError: the gutter is negative, the paper has no fixed size, or no slot fits.
    """
    if gutter < 0 or not math.isfinite(gutter):
        raise PageError("a gutter of {gutter:g} mm is not possible; use 0mm or more, for example 2mm", gutter=gutter)
    if math.isinf(sheet.width + sheet.height):
        raise PageError("{sheet} has no fixed size, so cards cannot use it. Choose another paper.", sheet=sheet.name)
    portrait = sheet.portrait
    candidates = [
        slots
        for paper in (portrait, portrait.rotated())
        for slots in _possible_slots(width, height, paper, gutter)
        if slots.bands() is not None
    ]
    if not candidates:
        printable = portrait.printable
        raise PageError(
            "a card of {width:g} x {height:g} mm with its marks does not fit the printable area of {sheet} "
            "({room_width:g} x {room_height:g} mm); use larger paper or smaller cards",
            width=width,
            height=height,
            room_width=printable.width,
            room_height=printable.height,
            sheet=sheet.name,
        )
    return max(candidates, key=lambda slots: slots.count)


def mirror_to_back(rect: Rect, sheet: Sheet, flip: Flip) -> Rect:
    """Return the area on the back, in mm, that is behind an area on the front.

    The sheet is turned over on the edge ``flip``.
    """
    if flips_left_right(sheet, flip):
        return rect._replace(x=sheet.width - rect.right)
    return rect._replace(y=sheet.height - rect.top)


def flips_left_right(sheet: Sheet, flip: Flip) -> bool:
    """Return whether a flip mirrors left and right, like the page of a book.

    Otherwise it mirrors top and bottom.
    """
    return (sheet.width <= sheet.height) == (flip is Flip.LONG_EDGE)


def _possible_slots(width: float, height: float, sheet: Sheet, gutter: float) -> Iterator[Slots]:
    """Yield every block of slots that fits inside the margins, most columns first; lengths are in mm."""
    printable = sheet.printable
    columns = _count_fitting(printable.width, width, gutter)
    rows = _count_fitting(printable.height, height, gutter)
    for column_count in range(columns, 0, -1):
        for row_count in range(rows, 0, -1):
            yield Slots(sheet=sheet, columns=column_count, rows=row_count, width=width, height=height, gutter=gutter)


def _count_fitting(available_mm: float, length: float, gutter: float) -> int:
    """Return how many slots of ``length`` mm, ``gutter`` mm apart, fit into ``available_mm`` mm."""
    return math.floor((available_mm + gutter + _ROUNDING) / (length + gutter))
