"""Markers of columns: baggage, plates with numbers, the point of entry, half on, the general off (CC-A07)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Rect
from printkit.drawing.text.setting import oblong, patch
from printkit.drawing.text.sheet_desk import SheetDesk, plain

PLATE: Final = (40.0, 25.0)
ARROW: Final = (30.0, 44.0)
_WHITE: Final = Ink(255, 255, 255)
_CUT: Final = 0.3
_BAND: Final = 6.5


class Plate(Struct, frozen=True):
    """A plate: a large sign or word, a line below it, and the ink of a side, which is none for both."""

    large: str
    below: tuple[str, ...] = ()
    token: str = "ink"


def plate(plate: Plate, desk: SheetDesk, size: tuple[float, float] = PLATE) -> Drawing:
    """Return a plate with a band in the side's ink along its foot for what stands below."""
    width, height = size
    ink = desk.style.solid(plate.token)
    items: list[Item] = [desk.box(Rect(0.0, 0.0, width, height), _CUT)]
    band = _BAND if plate.below else 0.0
    if band:
        items.append(patch(oblong(0.0, 0.0, width, band), ink))
        small = desk.hand(Font.BANNER, 9.5)
        white = replace(small, ink=_WHITE, track=0.15)
        at = (width / 2, band / 2 - 0.36 * small.height)
        items += desk.text(" · ".join(plate.below), at, white, room=width - 3.0, anchor=Anchor.MIDDLE)
    points = 40.0 if len(plate.large) == 1 else 15.0
    hand = desk.hand(Font.HEAVY, points, plate.token)
    at = (width / 2, band + (height - band) / 2 - 0.36 * hand.height)
    items += desk.text(plate.large, at, hand, room=width - 5.0, anchor=Anchor.MIDDLE)
    return plain(width, height, items)


def words_plate(rows: tuple[str, ...], desk: SheetDesk, size: tuple[float, float] = PLATE) -> Drawing:
    """Return a plate with words alone, a row a language, in a double frame."""
    width, height = size
    items: list[Item] = [desk.box(Rect(0.0, 0.0, width, height), _CUT)]
    items.append(desk.box(Rect(1.6, 1.6, width - 3.2, height - 3.2), 0.5))
    hand = desk.hand(Font.HEAVY, 16.0 if len(rows) == 1 else 14.0)
    pitch = 1.3 * hand.height
    top = height / 2 + (len(rows) - 1) * pitch / 2
    for number, row in enumerate(rows):
        at = (width / 2, top - number * pitch - 0.36 * hand.height)
        items += desk.text(row, at, hand, room=width - 7.0, anchor=Anchor.MIDDLE)
    return plain(width, height, items)


def baggage_tile(width: float, depth: float, rows: tuple[str, ...], desk: SheetDesk) -> Drawing:
    """Return the baggage as large as its base: a wagon from above, and its name."""
    items: list[Item] = [desk.box(Rect(0.0, 0.0, width, depth), _CUT, fill=desk.style.solid("plough"))]
    items += _wagon(Rect(0.26 * width, 0.36 * depth, 0.48 * width, 0.48 * depth), desk)
    hand = desk.hand(Font.BANNER, 8.5)
    for number, row in enumerate(reversed(rows)):
        at = (width / 2, 2.6 + number * 1.25 * hand.height)
        items += desk.text(row, at, hand, room=width - 3.0, anchor=Anchor.MIDDLE)
    return plain(width, depth, items)


def _wagon(place: Rect, desk: SheetDesk) -> list[Item]:
    """Return a wagon seen from above: bed with planks, four wheels, a pole."""
    timber, ink = desk.style.solid("timber"), desk.style.solid("ink")
    found: list[Item] = []
    wheel = (0.10 * place.width, 0.26 * place.height)
    for x in (place.x - 0.06 * place.width, place.right - 0.04 * place.width):
        feet = (place.y + 0.08 * place.height, place.top - 0.34 * place.height)
        found += (patch(oblong(x, y, *wheel), ink) for y in feet)
    found.append(desk.rule([(place.x + place.width / 2, place.top), (place.x + place.width / 2, place.top + 4.5)], 0.7))
    found.append(patch(oblong(*place), timber, desk.stroke(0.4)))
    for number in range(1, 5):
        x = place.x + number * place.width / 5
        found.append(desk.rule([(x, place.y), (x, place.top)], 0.25))
    return found


def entry_arrow(rows: tuple[str, ...], token: str, desk: SheetDesk) -> Drawing:
    """Return an arrow that is laid where a column came on, its point on the base edge."""
    width, height = ARROW
    ink = desk.style.solid(token)
    middle, neck = width / 2, height - 17.0
    shape = [
        (middle, height - 1.2),
        (width - 1.5, neck),
        (width - 8.0, neck),
        (width - 8.0, 12.0),
        (8.0, 12.0),
        (8.0, neck),
        (1.5, neck),
    ]
    items: list[Item] = [desk.box(Rect(0.0, 0.0, width, height), _CUT), patch(shape, ink)]
    hand = desk.hand(Font.BANNER, 8.5)
    for number, row in enumerate(reversed(rows)):
        at = (middle, 2.6 + number * 1.25 * hand.height)
        items += desk.text(row, at, hand, room=width - 2.5, anchor=Anchor.MIDDLE)
    return plain(width, height, items)
