"""Where cards stand on a sheet: as many as fit, in one block in its middle. Arithmetic, no drawing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Rect
from printkit.page.sheet import Flip, Sheet

CLEAR: Final = 2.0
"""How far from the block crop ticks begin, in mm."""

ONE_ROW: Final = 2.4
TWO_ROWS: Final = 4.1
"""What one row of small type or one check bar takes of a band beside the block, and what two take."""

GAP: Final = 0.4
"""What is left between ticks and type, in mm."""

_TICK: Final = 1.5
_NEAR: Final = 0.2
_ROUNDING: Final = 1e-6


class Used(NamedTuple):
    """How many columns and rows of the slots are taken on a sheet, from the upper left."""

    columns: int
    rows: int


class Bands(NamedTuple):
    """Two opposite sides that bear type and check bars, and how much of each: ``standing`` are left and right."""

    standing: bool
    depth: float


class Slots(Struct, frozen=True, kw_only=True):
    """Equal slots in columns and rows, ``gutter`` mm apart, in the middle of the sheet as it lies."""

    sheet: Sheet
    columns: int
    rows: int
    width: float
    height: float
    gutter: float

    @property
    def count(self) -> int:
        """Return how many slots there are."""
        return self.columns * self.rows

    @property
    def lies(self) -> bool:
        """Return whether the paper is turned so that its long side is at the bottom."""
        return self.sheet.width > self.sheet.height

    @property
    def block(self) -> Rect:
        """Return all slots together, with the gutters between them."""
        width = self.columns * (self.width + self.gutter) - self.gutter
        height = self.rows * (self.height + self.gutter) - self.gutter
        return Rect((self.sheet.width - width) / 2, (self.sheet.height - height) / 2, width, height)

    @property
    def cuts(self) -> int:
        """Return the straight cuts that a full sheet takes: one between neighbours, or two where there is a gutter."""
        return sum(count + 1 if self.gutter == 0 else 2 * count for count in (self.columns, self.rows))

    def slot(self, number: int) -> Rect:
        """Return a slot; they count from 0 at the upper left, as a page is read."""
        row, column = divmod(number, self.columns)
        x = self.block.x + column * (self.width + self.gutter)
        return Rect(x, self.block.top - row * (self.height + self.gutter) - self.height, self.width, self.height)

    def used(self, count: int) -> Used:
        """Return what ``count`` cards, at least one, take of the block."""
        return Used(min(count, self.columns), math.ceil(count / self.columns))

    def bands(self) -> Bands | None:
        """Return the sides that have room for type and check bars, or None where there is no room for them.

        Above and below go before left and right, and sides where ticks keep their place before those where they do not.
        """
        room, block = self.sheet.printable, self.block
        free = ((False, room.top - block.top), (True, room.right - block.right))
        for depth, beside in ((TWO_ROWS, CLEAR + _TICK), (ONE_ROW, CLEAR + _TICK), (ONE_ROW, _NEAR)):
            for standing, spare in free:
                if spare + _ROUNDING >= beside + GAP + depth:
                    return Bands(standing, depth)
        return None


def lay_slots(width: float, height: float, sheet: Sheet, *, gutter: float = 0.0) -> Slots:
    """Return as many slots of ``width`` by ``height`` mm as a sheet holds, upright or turned, whichever holds more.

    Two sides keep room for type and check bars.

    Raises:
        PageError: the gutter is negative, the paper has no size of its own, or not one slot fits.
    """
    if gutter < 0 or not math.isfinite(gutter):
        raise PageError("a gutter of {gutter:g} mm cannot be; give 0mm or more, as 2mm", gutter=gutter)
    if math.isinf(sheet.width + sheet.height):
        raise PageError(
            "sheet {sheet} is as long as it needs to be, so cards cannot fill it; name another", sheet=sheet.name
        )
    upright = sheet.turned() if sheet.width > sheet.height else sheet
    found = [
        slots
        for lying in (upright, upright.turned())
        for slots in _filled(width, height, lying, gutter)
        if slots.bands() is not None
    ]
    if not found:
        room = upright.printable
        raise PageError(
            "not one card of {width:g} x {height:g} mm with its marks fits the {room_width:g} x "
            "{room_height:g} mm that can be printed of sheet {sheet}; take larger paper or smaller "
            "cards",
            width=width,
            height=height,
            room_width=room.width,
            room_height=room.height,
            sheet=sheet.name,
        )
    return max(found, key=lambda slots: slots.count)


def behind(rect: Rect, sheet: Sheet, flip: Flip) -> Rect:
    """Return where something comes to lie on the back of a sheet that is turned over as ``flip`` says."""
    if turns_sideways(sheet, flip):
        return rect._replace(x=sheet.width - rect.right)
    return rect._replace(y=sheet.height - rect.top)


def turns_sideways(sheet: Sheet, flip: Flip) -> bool:
    """Return whether a sheet as it lies is turned like the page of a book; otherwise head over heels."""
    return (sheet.width <= sheet.height) == (flip is Flip.LONG_EDGE)


def _filled(width: float, height: float, sheet: Sheet, gutter: float) -> Iterator[Slots]:
    """Yield every block that fits inside the margins, the fullest first."""
    room = sheet.printable
    columns = _fitting(room.width, width, gutter)
    rows = _fitting(room.height, height, gutter)
    for across in range(columns, 0, -1):
        for down in range(rows, 0, -1):
            yield Slots(sheet=sheet, columns=across, rows=down, width=width, height=height, gutter=gutter)


def _fitting(room: float, length: float, gutter: float) -> int:
    return math.floor((room + gutter + _ROUNDING) / (length + gutter))
