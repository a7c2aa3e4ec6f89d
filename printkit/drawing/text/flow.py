"""Pours settings into columns and pages: heads stay with what follows, tables break between rows, columns end level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.text.text_styles import SetBlock
from printkit.drawing.text.typesetting import column, column_height

_LOOSE: Final = 1e-6
_STEP: Final = 1.0


class Stretch(Struct, frozen=True):
    """Settings that run through ``columns`` side by side, ``gap`` mm apart. ``fresh`` begins on a page of its own."""

    settings: tuple[SetBlock, ...]
    columns: int = 1
    gap: float = 0.0
    fresh: bool = False


class TextStrip(NamedTuple):
    """A drawing as wide as the page, and the gap above it."""

    drawing: Drawing
    before: float


Strips = tuple[TextStrip, ...]


class Rooms(NamedTuple):
    """What a page holds in mm: its width, the height on the first page, and that on the others."""

    width: float
    first: float
    other: float


def filled(settings: Sequence[SetBlock], room: float, *, forced: bool = False) -> tuple[list[SetBlock], list[SetBlock]]:
    """Return the settings that a column ``room`` mm high takes from the top, and the rest.

    A head never stands last. ``forced``: the column is as high as any, so what does not fit is broken anywhere.

    Raises:
        PageError: forced, and a part alone is higher than the column.
    """
    taken: list[SetBlock] = []
    used = 0.0
    rest = list(settings)
    while rest:
        first = rest[0]
        gap = first.before if taken else 0.0
        if used + gap + first.height <= room + _LOOSE:
            taken.append(rest.pop(0))
            used += gap + first.height
            continue
        count = _breaking(first, room - used - gap, first.least)
        if count:
            upper, lower = first.split(count)
            taken.append(upper)
            rest[0] = lower
        break
    # A head alone at the foot of a column would stand away from what it heads.
    while rest and taken and taken[-1].keeps:
        rest.insert(0, taken.pop())
    if taken or not rest or not forced:
        return taken, rest
    return _broken(rest, room)


def _broken(settings: list[SetBlock], room: float) -> tuple[list[SetBlock], list[SetBlock]]:
    """Return the settings with as much taken as the column holds, where nothing may be kept together."""
    heads: list[SetBlock] = []
    rest = list(settings)
    while rest and rest[0].keeps and column_height([*heads, rest[0]]) < room:
        heads.append(rest.pop(0))
    left = room - column_height(heads) - (rest[0].before if heads and rest else 0.0)
    count = _breaking(rest[0], left, 1) if rest else 0
    if rest and count and not (rest[0].head is not None and count == 1):
        upper, lower = rest[0].split(count)
        return [*heads, upper], [lower, *rest[1:]]
    if heads:
        return heads, rest
    raise PageError(
        "a block {height:.0f} mm high does not fit on a page with {room:.0f} mm of space; use larger paper",
        height=rest[0].height,
        room=room,
    )


def _breaking(setting: SetBlock, room: float, least: int) -> int:
    """Return how many parts of a set block fit ``room``, so that neither piece has fewer than ``least``; 0 for none."""
    count = min(setting.fitting(room), len(setting.parts) - least)
    return count if count >= least else 0


def flow(stretches: Sequence[Stretch], rooms: Rooms) -> tuple[Strips, ...]:
    """Return pages, each of strips from the top.

    Raises:
        PageError: a part alone is higher than a page.
    """
    pages: list[list[TextStrip]] = [[]]
    held: list[SetBlock] = []
    for place, stretch in enumerate(stretches):
        if stretch.fresh and pages[-1]:
            pages.append([])
        if stretch.columns == 1:
            settings = [*held, *stretch.settings]
            held = []
            following = stretches[place + 1] if place + 1 < len(stretches) else None
            # Heads that end a stretch stand above the columns that follow, on the same page.
            while following is not None and following.columns > 1 and settings and settings[-1].keeps:
                held.insert(0, settings.pop())
            _pour_single(settings, pages, rooms)
        else:
            _pour_columns(held, stretch, pages, rooms)
            held = []
    return tuple(tuple(page) for page in pages if page)


def height_of(strips: Sequence[TextStrip]) -> float:
    """Return how high the strips of a page are with the gaps between them."""
    return plain_sum(strip.drawing.height + (strip.before if place else 0.0) for place, strip in enumerate(strips))


def _room(pages: Sequence[Sequence[TextStrip]], rooms: Rooms) -> float:
    whole = rooms.first if len(pages) == 1 else rooms.other
    return whole - height_of(pages[-1])


def _pour_single(settings: Sequence[SetBlock], pages: list[list[TextStrip]], rooms: Rooms) -> None:
    rest = list(settings)
    while rest:
        fresh = not pages[-1]
        gap = 0.0 if fresh else rest[0].before
        taken, rest = filled(rest, _room(pages, rooms) - gap, forced=fresh)
        pages[-1].extend(TextStrip(column([each], rooms.width), each.before) for each in taken)
        if rest:
            pages.append([])


def _pour_columns(heads: Sequence[SetBlock], stretch: Stretch, pages: list[list[TextStrip]], rooms: Rooms) -> None:
    """Put heads over the whole width, and below them the columns, as level as they come, on as many pages as it takes.

    What does not fit goes on in columns on the next page.
    """
    rest = list(stretch.settings)
    above = list(heads)
    while rest:
        fresh = not pages[-1]
        first = (above or rest)[0]
        lead = column_height(above) + (rest[0].before if above else 0.0)
        room = _room(pages, rooms) - lead - (0.0 if fresh else first.before)
        columns, left = _columns(rest, stretch.columns, room, forced=fresh)
        if not any(columns):
            pages.append([])
            continue
        pages[-1].extend(TextStrip(column([each], rooms.width), each.before) for each in above)
        before = rest[0].before
        width = (rooms.width - stretch.gap * (stretch.columns - 1)) / stretch.columns
        height = max(column_height(each) for each in columns)
        parts = [
            PlacedDrawing(column(each, width, height=height), number * (width + stretch.gap), 0.0)
            for number, each in enumerate(columns)
        ]
        pages[-1].append(TextStrip(joined(rooms.width, height, parts), before))
        rest, above = left, []
        if rest:
            pages.append([])


def _columns(
    settings: Sequence[SetBlock], count: int, room: float, *, forced: bool
) -> tuple[list[list[SetBlock]], list[SetBlock]]:
    """Return the columns that a room holds, level where all fit, and the rest."""
    if room <= 0 and not forced:
        return [], list(settings)
    whole, left = _poured(settings, count, room, forced=forced)
    if left:
        return whole, left
    low = max(column_height(settings) / count, 1.0)
    while low < room:
        level, over = _poured(settings, count, low, forced=False)
        if not over:
            return level, []
        low += _STEP
    return whole, []


def _poured(
    settings: Sequence[SetBlock], count: int, room: float, *, forced: bool
) -> tuple[list[list[SetBlock]], list[SetBlock]]:
    found: list[list[SetBlock]] = []
    rest = list(settings)
    for number in range(count):
        taken, rest = filled(rest, room, forced=forced and number == 0)
        found.append(taken)
    return found, rest


def fill_of(pages: Sequence[Strips], rooms: Rooms) -> float:
    """Return which share of the last page is filled."""
    room = rooms.first if len(pages) == 1 else rooms.other
    return height_of(pages[-1]) / room if pages else 0.0
