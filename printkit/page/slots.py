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


class ShelfSpot(Struct, frozen=True):
    """The position of a block: its page, counted from 0, and its lower left corner in mm."""

    drawing: Drawing
    page: int
    x: float
    y: float


class _Shelf(Struct):
    top: float
    height: float
    used: float


class _Space(Struct):
    room: Rect
    shelves: list[_Shelf] = field(default_factory=list)

    @property
    def _lowest(self) -> float:
        return self.shelves[-1].top - self.shelves[-1].height - SHELF_GAP if self.shelves else self.room.top

    def put(self, block: Drawing) -> tuple[float, float] | None:
        """Place a block and return its lower left corner, or None if it does not fit."""
        for shelf in self.shelves:
            grows = shelf is self.shelves[-1] and shelf.top - block.height >= self.room.y
            if shelf.used + SHELF_GAP + block.width <= self.room.width and (block.height <= shelf.height or grows):
                x = self.room.x + shelf.used + SHELF_GAP
                shelf.used += SHELF_GAP + block.width
                shelf.height = max(shelf.height, block.height)
                return x, shelf.top - block.height
        top = self._lowest
        if top - block.height < self.room.y:
            return None
        self.shelves.append(_Shelf(top, block.height, block.width))
        return self.room.x, top - block.height


def shelved(blocks: Sequence[Drawing], first: Rect, others: Rect) -> list[ShelfSpot]:
    """Return the positions of blocks, in order where possible.

    Args:
        blocks: drawings; they are not resized, because some contain scales.
        first: the free area of the first page; it may be empty.
        others: the free area of every other page.

    Raises:
        PageError: a block is larger than a page.
    """
    spaces = [_Space(first)]
    spots = []
    for block in blocks:
        if block.width > others.width or block.height > others.height:
            raise PageError(
                "a block of {block_width:.0f} x {block_height:.0f} mm does not fit the assembly sheet "
                "({others_width:.0f} x {others_height:.0f} mm); use larger paper or narrower margins",
                block_width=block.width,
                block_height=block.height,
                others_width=others.width,
                others_height=others.height,
            )
        page, place = 0, spaces[0].put(block) if block.width <= first.width else None
        while place is None:
            page += 1
            if page == len(spaces):
                spaces.append(_Space(others))
            place = spaces[page].put(block)
        spots.append(ShelfSpot(block, page, *place))
    return spots


def shelf_cuts(spots: Sequence[ShelfSpot]) -> int:
    """Return how many straight cuts separate the blocks: the top of each shelf, each bottom edge, and both sides."""
    shelves: dict[tuple[int, float], list[float]] = {}
    for spot in spots:
        top = round(spot.y + spot.drawing.height, 3)
        shelves.setdefault((spot.page, top), []).append(round(spot.drawing.height, 3))
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


class Used(NamedTuple):
    """The columns and rows of slots in use on a sheet, from the upper left."""

    columns: int
    rows: int


class Bands(NamedTuple):
    """Bands ``depth`` mm deep on two opposite sides for type and check bars: left and right if ``standing``."""

    standing: bool
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
        """Return the area of all slots and the gutters between them."""
        width = self.columns * (self.width + self.gutter) - self.gutter
        height = self.rows * (self.height + self.gutter) - self.gutter
        return Rect((self.sheet.width - width) / 2, (self.sheet.height - height) / 2, width, height)

    @property
    def cuts(self) -> int:
        """Return how many straight cuts a full sheet needs: one between neighbours, or two with a gutter."""
        return sum(count + 1 if self.gutter == 0 else 2 * count for count in (self.columns, self.rows))

    def slot(self, number: int) -> Rect:
        """Return the area of a slot, counted from 0 at the upper left in reading order."""
        row, column = divmod(number, self.columns)
        x = self.block.x + column * (self.width + self.gutter)
        return Rect(x, self.block.top - row * (self.height + self.gutter) - self.height, self.width, self.height)

    def used(self, count: int) -> Used:
        """Return the columns and rows that ``count`` cards use (at least one card)."""
        return Used(min(count, self.columns), math.ceil(count / self.columns))

    def bands(self) -> Bands | None:
        """Return the bands for type and check bars, or None if there is no space for them.

        Two rows are preferred to one, full-length ticks to short ones, then top and bottom to left and right.
        """
        room, block = self.sheet.printable, self.block
        free = ((False, room.top - block.top), (True, room.right - block.right))
        for depth, beside in ((TWO_ROWS, CLEAR + _TICK), (ONE_ROW, CLEAR + _TICK), (ONE_ROW, _NEAR)):
            for standing, spare in free:
                if spare + _ROUNDING >= beside + GAP + depth:
                    return Bands(standing, depth)
        return None


def lay_slots(width: float, height: float, sheet: Sheet, *, gutter: float = 0.0) -> Slots:
    """Return the most slots of ``width`` by ``height`` mm that fit a sheet, in portrait or landscape.

    Two opposite sides keep space for type and check bars.

    Raises:
        PageError: the gutter is negative, the paper has no fixed size, or no slot fits.
    """
    if gutter < 0 or not math.isfinite(gutter):
        raise PageError("a gutter of {gutter:g} mm is not possible; use 0mm or more, for example 2mm", gutter=gutter)
    if math.isinf(sheet.width + sheet.height):
        raise PageError("{sheet} has no fixed size, so cards cannot use it. Choose another paper.", sheet=sheet.name)
    upright = sheet.portrait
    found = [
        slots
        for lying in (upright, upright.turned())
        for slots in _filled(width, height, lying, gutter)
        if slots.bands() is not None
    ]
    if not found:
        room = upright.printable
        raise PageError(
            "a card of {width:g} x {height:g} mm with its marks does not fit the printable area of {sheet} "
            "({room_width:g} x {room_height:g} mm); use larger paper or smaller cards",
            width=width,
            height=height,
            room_width=room.width,
            room_height=room.height,
            sheet=sheet.name,
        )
    return max(found, key=lambda slots: slots.count)


def behind(rect: Rect, sheet: Sheet, flip: Flip) -> Rect:
    """Return the position on the back that is behind ``rect`` when the sheet is turned over on the edge ``flip``."""
    if turns_sideways(sheet, flip):
        return rect._replace(x=sheet.width - rect.right)
    return rect._replace(y=sheet.height - rect.top)


def turns_sideways(sheet: Sheet, flip: Flip) -> bool:
    """Return whether the flip mirrors left and right (like the page of a book); otherwise top and bottom."""
    return (sheet.width <= sheet.height) == (flip is Flip.LONG_EDGE)


def _filled(width: float, height: float, sheet: Sheet, gutter: float) -> Iterator[Slots]:
    """Yield every block of slots that fits inside the margins, most columns first."""
    room = sheet.printable
    columns = _fitting(room.width, width, gutter)
    rows = _fitting(room.height, height, gutter)
    for across in range(columns, 0, -1):
        for down in range(rows, 0, -1):
            yield Slots(sheet=sheet, columns=across, rows=down, width=width, height=height, gutter=gutter)


def _fitting(room: float, length: float, gutter: float) -> int:
    return math.floor((room + gutter + _ROUNDING) / (length + gutter))
