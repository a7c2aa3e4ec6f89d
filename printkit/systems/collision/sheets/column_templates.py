"""What is cut out to lay columns by: the edge square, its corners, measuring strips, the queue of a column (CC-A08)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Rect
from printkit.drawing.text.setting import oblong, patch
from printkit.drawing.text.sheet_desk import SheetDesk, plain

PLACES: Final = 6
"""Places of the queue: five elements with an allied contingent, and the baggage (CC-Q10)."""

_WHITE: Final = Ink(255, 255, 255)
_ARM: Final = 0.3
_STRIP: Final = 14.0
_CUT: Final = 0.3
_MARK: Final = 0.15
_PALE: Final = 0.72


class TemplatesSaid(Struct, frozen=True, kw_only=True):
    """What stands on the templates."""

    square: str
    clear: str
    corner: tuple[str, ...]
    clear_rows: tuple[str, ...]
    queue_note: str
    edge: str


def edge_square(side: float, base_width: float, said: TemplatesSaid, desk: SheetDesk) -> Drawing:
    """Return the whole edge square of ``side`` mm, with a mark each base width along its sides and its centre line."""
    items: list[Item] = [desk.box(Rect(0.0, 0.0, side, side), _CUT)]
    items += _ticks(side, base_width, desk)
    middle = side / 2
    items.append(desk.dashed([(middle, 8.0), (middle, side - 8.0)], _MARK, (3.0, 2.0)))
    for text, above, font, size in ((said.square, 8.0, Font.BANNER, 15.0), (said.clear, -9.0, Font.FIGURES, 13.0)):
        items += _plate(text, (middle, middle + above), desk, font, size, side - 20.0)
    items += _lines(said.edge, Rect(0.0, 2.4, side, 4.0), desk)
    return plain(side, side, items)


def edge_corner(side: float, base_width: float, said: TemplatesSaid, desk: SheetDesk) -> Drawing:
    """Return a corner of the edge square: two arms along its sides, to be laid about terrain that is there already."""
    arm = _ARM * side
    items: list[Item] = [_outline([(0, 0), (side, 0), (side, arm), (arm, arm), (arm, side), (0, side)], desk)]
    for number in range(1, round(side / base_width)):
        at = number * base_width
        items.append(desk.rule([(at, 0.0), (at, 4.0)], _MARK))
        items.append(desk.rule([(0.0, at), (4.0, at)], _MARK))
    hand = desk.hand(Font.BANNER, 10.0)
    for across, level in _levels(len(said.corner), arm / 2, hand.height):
        items += desk.text(said.corner[across], (arm + 4.0, level), hand, room=side - arm - 6.0)
    for across, level in _levels(len(said.clear_rows), arm / 2, hand.height):
        foot = (arm - level, arm + 4.0)
        items += desk.text(said.clear_rows[across], foot, hand, room=side - arm - 6.0, angle=90.0)
    return plain(side, side, items)


def strip(length: float, base_width: float, text: str, desk: SheetDesk, *, upright: bool = False) -> Drawing:
    """Return a measuring strip of ``length`` mm, every second base width of it grey; ``upright`` on narrow paper."""
    items: list[Item] = []
    grey = desk.style.solid("ink").towards(_WHITE, _PALE)
    small, hand = desk.hand(Font.HEAVY, 10.0), desk.hand(Font.BANNER, 12.0)

    def lying(along: float, wide: float) -> Rect:
        return Rect(0.0, along, _STRIP, wide) if upright else Rect(along, 0.0, wide, _STRIP)

    for number in range(round(length / base_width)):
        place = lying(number * base_width, base_width)
        items.append(desk.box(place, _MARK, fill=grey if number % 2 else None))
        at = (place.x + 4.0, place.y + 3.0)
        items += desk.text(str(number + 1), at, small, room=8.0, anchor=Anchor.MIDDLE)
    whole = lying(0.0, length)
    items.append(desk.box(whole, _CUT))
    capital = 0.72 * hand.height
    at = (2.0 + capital, length - 2.5) if upright else (length - 2.5, _STRIP - 2.0 - capital)
    items += desk.text(text, at, hand, room=length / 2, anchor=Anchor.END, angle=90.0 if upright else 0.0)
    return plain(whole.width, whole.height, items)


def queue(base_width: float, depth: float, said: tuple[str, str], token: str, desk: SheetDesk) -> Drawing:
    """Return the strip beside the board with numbered places, each one base wide and ``depth`` mm deep, lead on top.

    ``said`` is whose column it is and a note, ``token`` the ink of the side.
    """
    head = 12.0
    width, height = base_width, PLACES * depth + head
    items: list[Item] = [desk.box(Rect(0.0, 0.0, width, height), _CUT)]
    hand = desk.hand(Font.HEAVY, 26.0, token)
    pale = hand.faint(0.45) if desk.style.washes else hand
    for number in range(1, PLACES + 1):
        place = Rect(0.0, height - head - number * depth, width, depth)
        items.append(desk.box(place, _MARK))
        at = (width / 2, place.y + depth / 2 - 0.36 * hand.height)
        items += desk.text(str(number), at, pale, room=width - 6.0, anchor=Anchor.MIDDLE)
    small = desk.hand(Font.BANNER, 8.5, token)
    for text, foot in zip(said, (height - 4.6, height - 9.2), strict=True):
        items += desk.text(text, (width / 2, foot), small, room=width - 2.0, anchor=Anchor.MIDDLE)
    return plain(width, height, items)


def _ticks(side: float, base_width: float, desk: SheetDesk) -> Iterator[Item]:
    for number in range(1, round(side / base_width)):
        at = number * base_width
        for ends in (
            [(at, 0.0), (at, 4.0)],
            [(at, side), (at, side - 4.0)],
            [(0.0, at), (4.0, at)],
            [(side, at), (side - 4.0, at)],
        ):
            yield desk.rule(ends, _MARK)


def _plate(text: str, at: tuple[float, float], desk: SheetDesk, font: Font, size: float, room: float) -> Iterator[Item]:
    """Yield a line of type on a white ground, as a line runs behind it."""
    hand = desk.hand(font, size)
    yield patch(oblong(at[0] - room / 2, at[1] - 4.0, room, 8.0), _WHITE)
    yield from desk.text(text, (at[0], at[1] - 0.36 * hand.height), hand, room=room, anchor=Anchor.MIDDLE)


def _lines(text: str, place: Rect, desk: SheetDesk) -> Iterator[Item]:
    hand = desk.hand(Font.FIGURES, 8.5, "ink-secondary")
    at = (place.x + place.width / 2 + 0.0, place.y)
    yield patch(oblong(at[0] - 22.0, place.y - 1.0, 44.0, 4.6), _WHITE)
    yield from desk.text(text, at, hand, room=40.0, anchor=Anchor.MIDDLE)


def _levels(count: int, middle: float, size: float) -> Iterator[tuple[int, float]]:
    """Yield rows, a language each, with the height of their feet about a middle."""
    for row in range(count):
        yield row, middle - 0.36 * size + ((count - 1) / 2 - row) * 1.3 * size


def _outline(points: list[tuple[float, float]], desk: SheetDesk) -> Item:
    return desk.rule([*points, points[0]], _CUT)
