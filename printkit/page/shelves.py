"""Stacks blocks of known size on pages: side by side on shelves, each block on the first shelf that fits."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Rect

GAP = 6.0


class Spot(Struct, frozen=True):
    """Where a block stands: the page from 0, and its lower left corner in mm."""

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
        return self.shelves[-1].top - self.shelves[-1].height - GAP if self.shelves else self.room.top

    def put(self, block: Drawing) -> tuple[float, float] | None:
        """Return the lower left corner that a block gets, or None where it does not fit any more."""
        for shelf in self.shelves:
            grows = shelf is self.shelves[-1] and shelf.top - block.height >= self.room.y
            if shelf.used + GAP + block.width <= self.room.width and (block.height <= shelf.height or grows):
                x = self.room.x + shelf.used + GAP
                shelf.used += GAP + block.width
                shelf.height = max(shelf.height, block.height)
                return x, shelf.top - block.height
        top = self._lowest
        if top - block.height < self.room.y:
            return None
        self.shelves.append(_Shelf(top, block.height, block.width))
        return self.room.x, top - block.height


def shelved(blocks: Sequence[Drawing], first: Rect, others: Rect) -> list[Spot]:
    """Return where blocks stand, in their order where possible.

    Args:
        blocks: drawings at their own size, which is kept: there are scales among them.
        first: the room on the first page, which may be nothing.
        others: the room on every page after it.

    Raises:
        PageError: a block is larger than a page.
    """
    spaces = [_Space(first)]
    spots = []
    for block in blocks:
        if block.width > others.width or block.height > others.height:
            raise PageError(
                "a block of {block_width:.0f} x {block_height:.0f} mm does not fit the "
                "{others_width:.0f} x {others_height:.0f} mm of the assembly sheet; take larger paper or "
                "narrower margins",
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
        spots.append(Spot(block, page, *place))
    return spots
