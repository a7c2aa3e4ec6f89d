"""Check bars to measure on a print, with a mark for a bank card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Item, Rect
from printkit.drawing.canvas.plain import BLACK, WHITE, make_frame, make_rectangle, make_rectangles
from printkit.drawing.lettering.lettering import SMALL, line, measure

_HAIR: Final = 0.15
_BAR: Final = 1.6
_LONG_BAR: Final = 100.0
# The long and the short side of a bank card in mm (ISO/IEC 7810, ID-1).
CARD_LONG: Final = 85.60
CARD_SHORT: Final = 53.98
# The line of a card mark in mm: its width, and how far it extends below or left of the bar.
_CARD_LINE: Final = (0.2, 0.45)
# The card before that line, as shares of the thickness of the bar: its gap to the line, and its side across the bar.
_CARD_SIGN: Final = (0.25, 0.72)
# The stripe of that card, as shares of its height: its distance from the lower edge, and its height.
_CARD_STRIPE: Final = (0.56, 0.24)
# Distance in mm from the window to the two bars and to the baseline of the third row.
ROWS: Final = (1.4, 4.2, 8.2)
# Narrow bands, in mm: distance to the two bars, and their thickness.
CLOSE_ROWS: Final = (0.7, 2.5)
THIN: Final = 1.2


class CheckBar(Struct, frozen=True):
    """A centimetre bar of ``length`` mm and an inch bar next to it, to measure on the print."""

    length: float
    words: Words

    @property
    def inches(self) -> int:
        """Return the length of the inch bar in whole inches."""
        return round(self.length / MM_PER_INCH)

    @property
    def texts(self) -> tuple[str, str]:
        """Return the labels at the ends of the centimetre bar and the inch bar."""
        centimetres = self.words("marks.bar-cm", length=round(self.length / 10))
        return centimetres, self.words("marks.bar-in", length=self.inches)

    @property
    def total_length(self) -> float:
        """Return the length of the bars with their labels, in mm on paper."""
        ends = (self.length, self.inches * MM_PER_INCH)
        return max(end + measure(text, SMALL) for end, text in zip(ends, self.texts, strict=True)) + 2.0

    def draw_horizontal(self, x: float, top: float, rows: Sequence[float] = ROWS, thick: float = _BAR) -> list[Item]:
        """Return the two bars, horizontal, from ``x`` mm to the right.

        ``rows`` are their distances in mm below ``top``, and ``thick`` is their thickness in mm on paper.
        """
        items: list[Item] = []
        for index in (0, 1):
            y = top - rows[index] - thick
            step, count = self._steps()[index]
            items += _draw_bar([Rect(x + step * part, y, step, thick) for part in range(count)])
            items += line(self.texts[index], (x + step * count + 1.0, y), SMALL)
        return items

    def draw_vertical(self, right: float, y: float) -> list[Item]:
        """Return the two bars, vertical, left of the x ``right`` and from ``y`` upwards, in mm on paper."""
        items: list[Item] = []
        for index in (0, 1):
            items += self._draw_vertical_bar(index, right - ROWS[index], y, _BAR)[0]
        return items

    def _steps(self) -> tuple[tuple[float, int], tuple[float, int]]:
        """Return the length of each part in mm on paper and their number, for the cm and the inch bar."""
        return (10.0, round(self.length / 10)), (MM_PER_INCH, self.inches)

    def draw_single(self, index: int, right: float, y: float) -> tuple[list[Item], float]:
        """Return one vertical bar left of the x ``right``, and the y above it where the next bar can start.

        The bar with index 0 has centimetres, that with 1 inches. It starts at ``y``; all lengths are in mm on paper.
        """
        items, top = self._draw_vertical_bar(index, right - CLOSE_ROWS[0], y, THIN)
        return items, top + measure(self.texts[index], SMALL) + 3.0

    def _draw_vertical_bar(self, index: int, right: float, y: float, thick: float) -> tuple[list[Item], float]:
        """Return one vertical bar with its label, and the y of its upper end.

        Its right edge is at ``right``, and it starts at ``y``. All lengths, with ``thick``, are in mm on paper.
        """
        step, count = self._steps()[index]
        top = y + step * count
        items = _draw_bar([Rect(right - thick, y + step * part, thick, step) for part in range(count)])
        return [*items, *line(self.texts[index], (right, top + 1.0), SMALL, angle=90)], top


def _draw_bar(parts: list[Rect]) -> list[Item]:
    """Return a striped bar of equal parts; a bar of ten parts, which is 10 cm long, has the mark for a bank card."""
    return [*striped_bar(parts), *(_draw_card_mark(parts[0]) if len(parts) == 10 else ())]


def striped_bar(parts: list[Rect]) -> list[Item]:
    """Return a bar of alternating black and white parts, given as rectangles in mm on paper.

    Its outline is exactly as long as the bar.
    """
    first, last = parts[0], parts[-1]
    bar = Rect(first.x, first.y, last.right - first.x, last.top - first.y)
    return [make_rectangle(bar, WHITE), make_rectangles(parts[::2], BLACK), make_frame(bar, BLACK, _HAIR)]


def _draw_card_mark(bar: Rect) -> list[Item]:
    """Return the mark at which a bank card ends that starts with a 10 cm bar: a line across the bar, and a small card.

    ``bar`` is the first part of the bar. On a horizontal bar the mark is for the long side of the card, on a vertical
    one for the short side.
    """
    is_vertical = bar.height > bar.width
    end, thick = (CARD_SHORT, bar.width) if is_vertical else (CARD_LONG, bar.height)
    is_black = end // 10 % 2 == 0
    ink, ground = (WHITE, BLACK) if is_black else (BLACK, WHITE)
    width, overhang = _CARD_LINE
    gap, high = (share * thick for share in _CARD_SIGN)
    long = high * (CARD_SHORT / CARD_LONG if is_vertical else CARD_LONG / CARD_SHORT)

    def place(distance: float, offset: float, length: float, height: float) -> Rect:
        """Return a rectangle by its distances along and across the bar from its start, and its sizes in mm."""
        if is_vertical:
            return Rect(bar.x + offset, bar.y + distance, height, length)
        return Rect(bar.x + distance, bar.y + offset, length, height)

    line_start = end - width / 2
    card = place(line_start - gap - long, (thick - high) / 2, long, high)
    stripe_y, stripe = (share * card.height for share in _CARD_STRIPE)
    return [
        make_rectangles([place(line_start, -overhang, width, overhang)], BLACK),
        make_rectangles([place(line_start, 0.0, width, thick), card], ink),
        make_rectangle((card.x, card.y + stripe_y, card.width, stripe), ground),
    ]


def draw_stacked_bars(right: float, y: float, top: float, words: Words) -> list[Item]:
    """Return a 10 cm bar left of the line ``right``, and an inch bar above it.

    The inch bar is the longest that ends below ``top``; it is left out if none does. The first bar starts at ``y``; all
    lengths are in mm on paper.
    """
    long_bar = CheckBar(_LONG_BAR, words)
    items, start = long_bar.draw_single(0, right, y)
    others = (bar.draw_single(1, right, start) for bar in (long_bar, CheckBar(50.0, words)))
    other = next((bar_items for bar_items, end in others if end - 2.0 <= top), [])
    return [*items, *other]


def check_bar(available_mm: float, words: Words) -> CheckBar:
    """Return a check bar of 10 cm and 4 in, if it fits ``available_mm`` mm on paper with its labels.

    Otherwise the bar has 5 cm and 2 in, whether that fits or not.
    """
    long_bar = CheckBar(_LONG_BAR, words)
    return long_bar if long_bar.total_length <= available_mm else CheckBar(50.0, words)
