"""What a sheet of cards carries outside them: crop ticks, hairlines on the cuts, fold lines, check bars, type.

Nothing of it stands inside a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Ink, Item, Rect
from printkit.drawing.lettering.lettering import line, measure, wrapped
from printkit.page.marks import check_bar
from printkit.page.ruling import BLACK, SMALL, frame, lines, printed, shortened, striped
from printkit.page.slots import CLEAR, GAP, TWO_ROWS, Bands, Slots

_TICK: Final = 5.0
_LEAST_TICK: Final = 1.0
_NEAREST: Final = 0.5
_HAIR: Final = 0.15
_OUTLINE: Final = Ink(120, 120, 120)
_OUTLINE_WIDTH: Final = 0.12
_FOLD: Final = (1.6, 1.2)
_BAR: Final = 1.6
_PITCH: Final = 2.3
_LARGE: Final = SMALL.sized(1.35)
_RISE: Final = 0.76
_SINK: Final = 0.2
"""How far type rises above its foot and sinks below it, as shares of its size."""
_BETWEEN: Final = 5.0


class CardSheet(Struct, frozen=True, kw_only=True):
    """One printed side of a sheet of cards, as its marks see it.

    ``cards`` are the places of the cards, or of the pairs to be folded; ``folds`` says whether they are pairs.
    """

    slots: Slots
    cards: Sequence[Rect]
    said: str
    bleed: float = 0.0
    outlined: bool = True
    folds: bool = False

    @property
    def block(self) -> Rect:
        """Return the bounds of the cards."""
        left, bottom = min(card.x for card in self.cards), min(card.y for card in self.cards)
        right, top = max(card.right for card in self.cards), max(card.top for card in self.cards)
        return Rect(left, bottom, right - left, top - bottom)


def card_marks(side: CardSheet, words: Words) -> Drawing:
    """Return everything that a sheet carries outside its cards, as large as the sheet."""
    sheet = side.slots.sheet
    bands = side.slots.bands()
    room = sheet.printable
    items: list[Item] = []
    free = room
    if bands is not None:
        lane = _Lane(room=room, block=side.slots.block, bands=bands)
        items += lane.bars(words)
        items += lane.said(side.said)
        free = lane.between
    items += [_ticks(side, free), *_outlines(side), *_fold_lines(side, free)]
    return printed(sheet.width, sheet.height, items)


class _Lane(Struct, frozen=True, kw_only=True):
    """The two sides of a sheet that bear type and check bars: above and below, or at the left and the right."""

    room: Rect
    block: Rect
    bands: Bands

    @property
    def between(self) -> Rect:
        """Return what is left between type and bars, for ticks."""
        by = self.bands.depth + GAP
        if self.bands.standing:
            return Rect(self.room.x + by, self.room.y, self.room.width - 2 * by, self.room.height)
        return Rect(self.room.x, self.room.y + by, self.room.width, self.room.height - 2 * by)

    @property
    def _span(self) -> tuple[float, float]:
        """Return where along the lane the block begins, and where the paper's margin ends it."""
        if self.bands.standing:
            return self.block.y, self.room.top
        return self.block.x, self.room.right

    def bars(self, words: Words) -> list[Item]:
        """Return the check bars at the outer edge: side by side, one above the other, or the metric one alone."""
        start, end = self._span
        least = self.room.y if self.bands.standing else self.room.x
        bar = check_bar(end - least, words)
        parts = [(10.0, round(bar.length / 10)), (MM_PER_INCH, bar.inches)]
        lengths = [
            step * count + 1.0 + measure(text, SMALL) for (step, count), text in zip(parts, bar.texts, strict=True)
        ]
        start = max(least, min(start, end - max(lengths)))
        items: list[Item] = []
        row, at, reached = 0, start, start
        for (step, count), text, length in zip(parts, bar.texts, lengths, strict=True):
            if at + length > end:
                if self.bands.depth < TWO_ROWS:
                    break
                row, at = 1, start
            items += self._bar([step] * count, text, at, row)
            reached = max(reached, at + length)
            at += length + _BETWEEN
        return items + self._beside("marks.true-size", words, reached + _BETWEEN, end)

    def said(self, text: str) -> list[Item]:
        """Return the line of type at the other side: large where there is room, in two rows where one is too short."""
        start, end = self._span
        least = self.room.y if self.bands.standing else self.room.x
        most = 2 if self.bands.depth == TWO_ROWS else 1
        hand = _LARGE if most == 2 and measure(text, _LARGE) <= end - start else SMALL
        start = max(least, min(start, end - measure(text, hand)))
        rows = list(wrapped(text, hand.font, hand.size_pt, end - start))
        if len(rows) > most:
            rows = [*rows[: most - 1], shortened(" ".join(rows[most - 1 :]), hand, end - start)]
        items: list[Item] = []
        for number, row in enumerate(rows):
            foot = _RISE * hand.height + number * _PITCH
            if self.bands.standing:
                items += line(row, (self.room.x + foot, start), hand, angle=90)
            else:
                items += line(row, (start, self.room.top - foot), hand)
        return items

    def _bar(self, steps: Sequence[float], text: str, start: float, row: int) -> list[Item]:
        outer = row * _PITCH
        step, length = steps[0], sum(steps)
        if self.bands.standing:
            x = self.room.right - outer - _BAR
            parts = [Rect(x, start + number * step, _BAR, step) for number in range(len(steps))]
            label = line(text, (x + _BAR, start + length + 1.0), SMALL, angle=90)
        else:
            y = self.room.y + outer
            parts = [Rect(start + number * step, y, step, _BAR) for number in range(len(steps))]
            label = line(text, (start + length + 1.0, y), SMALL)
        return [*striped(parts), *label]

    def _beside(self, key: str, words: Words, start: float, end: float) -> list[Item]:
        """Return words in what the bars leave of their row: in all languages, in the first, or none."""
        said = [text for text in (words(key), words.each()[0](key)) if measure(text, SMALL) <= end - start]
        if not said:
            return []
        tails = _SINK * SMALL.height
        if self.bands.standing:
            return [*line(said[0], (self.room.right - tails, start), SMALL, angle=90)]
        return [*line(said[0], (start, self.room.y + tails), SMALL)]


def _ticks(side: CardSheet, free: Rect) -> Item:
    """Return a tick at both ends of every cut, outside the block."""
    block = side.block
    across = sorted({round(x, 4) for card in side.cards for x in (card.x, card.right)})
    up = sorted({round(y, 4) for card in side.cards for y in (card.y, card.top)})
    return lines(_ends(side, block, free, across=across, up=up), BLACK, _HAIR)


def _ends(
    side: CardSheet, block: Rect, free: Rect, *, across: Sequence[float], up: Sequence[float]
) -> list[tuple[float, float, float, float]]:
    """Return ticks that point at the lines ``across`` from below and above, and at those ``up`` from both sides."""
    found: list[tuple[float, float, float, float]] = []
    for y, outwards, spare in ((block.top, 1, free.top - block.top), (block.y, -1, block.y - free.y)):
        tick = _tick(spare, side.bleed)
        if tick is not None:
            found += [(x, y + outwards * tick[0], x, y + outwards * tick[1]) for x in across]
    for x, outwards, spare in ((block.x, -1, block.x - free.x), (block.right, 1, free.right - block.right)):
        tick = _tick(spare, side.bleed)
        if tick is not None:
            found += [(x + outwards * tick[0], y, x + outwards * tick[1], y) for y in up]
    return found


def _tick(spare: float, bleed: float) -> tuple[float, float] | None:
    """Return how far outside the block a tick begins and ends; it comes nearer where there is little room."""
    begins = max(CLEAR, bleed)
    ends = min(begins + _TICK, spare)
    if ends - begins < _LEAST_TICK:
        begins = max(_NEAREST, bleed, ends - _LEAST_TICK)
    return (begins, ends) if ends - begins >= _NEAREST else None


def _outlines(side: CardSheet) -> list[Item]:
    return [frame(card, _OUTLINE, _OUTLINE_WIDTH) for card in side.cards] if side.outlined else []


def _fold_lines(side: CardSheet, free: Rect) -> list[Item]:
    """Return the dashed lines on which pairs are folded, and dashed ticks that point at them."""
    if not side.folds:
        return []
    middles = sorted({round(card.x + card.width / 2, 4) for card in side.cards})
    inside = [(card.x + card.width / 2, card.y, card.x + card.width / 2, card.top) for card in side.cards]
    ticks = _ends(side, side.block, free, across=middles, up=())
    return [lines(inside, _OUTLINE, _OUTLINE_WIDTH, _FOLD), lines(ticks, BLACK, _HAIR, (0.6, 0.6))]
