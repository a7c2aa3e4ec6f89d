"""Distribute laid-out blocks over columns and pages: headings stay with their text, columns are balanced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.text.text_styles import LaidOutBlock
from printkit.drawing.text.typesetting import column, column_height

_LOOSE: Final = 1e-6
_STEP: Final = 1.0


class TextSection(Struct, frozen=True):
    """Laid-out blocks that flow through ``columns`` columns, ``gap`` mm apart. ``fresh`` begins a new page."""

    settings: tuple[LaidOutBlock, ...]
    columns: int = 1
    gap: float = 0.0
    fresh: bool = False


class PagePart(NamedTuple):
    """A drawing as wide as the page, and the gap above it in mm."""

    drawing: Drawing
    before: float


Strips = tuple[PagePart, ...]


class TypeArea(NamedTuple):
    """The type area of pages in mm: width, height on the first page, height on the others."""

    width: float
    first: float
    other: float


def filled(
    settings: Sequence[LaidOutBlock], room: float, *, forced: bool = False
) -> tuple[list[LaidOutBlock], list[LaidOutBlock]]:
    """Return the blocks that fit a column ``room`` mm high, and the other blocks.

    A heading is never the last block. ``forced`` means that no column is higher, so a block that does not fit breaks
    anywhere.

    Raises:
        PageError: forced, and one part is higher than the column.
    """
    taken: list[LaidOutBlock] = []
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
    # A heading must not be at the bottom of a column, away from its text.
    while rest and taken and taken[-1].keeps:
        rest.insert(0, taken.pop())
    if taken or not rest or not forced:
        return taken, rest
    return _broken(rest, room)


def _broken(settings: list[LaidOutBlock], room: float) -> tuple[list[LaidOutBlock], list[LaidOutBlock]]:
    """Return the blocks that fit a column, and the other blocks, without keeping parts together."""
    heads: list[LaidOutBlock] = []
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


def _breaking(setting: LaidOutBlock, room: float, least: int) -> int:
    """Return how many parts fit in ``room`` mm if each piece must have ``least`` parts; 0 if none."""
    count = min(setting.fitting(room), len(setting.parts) - least)
    return count if count >= least else 0


def flow(stretches: Sequence[TextSection], rooms: TypeArea) -> tuple[Strips, ...]:
    """Return the pages, each as drawings from top to bottom.

    Raises:
        PageError: one part is higher than a page.
    """
    pages: list[list[PagePart]] = [[]]
    held: list[LaidOutBlock] = []
    for place, stretch in enumerate(stretches):
        if stretch.fresh and pages[-1]:
            pages.append([])
        if stretch.columns == 1:
            settings = [*held, *stretch.settings]
            held = []
            following = stretches[place + 1] if place + 1 < len(stretches) else None
            # Headings at the end of a section go above the columns that follow, on the same page.
            while following is not None and following.columns > 1 and settings and settings[-1].keeps:
                held.insert(0, settings.pop())
            _pour_single(settings, pages, rooms)
        else:
            _pour_columns(held, stretch, pages, rooms)
            held = []
    return tuple(tuple(page) for page in pages if page)


def height_of(strips: Sequence[PagePart]) -> float:
    """Return the height of the drawings of a page with the gaps between them, in mm."""
    return plain_sum(strip.drawing.height + (strip.before if place else 0.0) for place, strip in enumerate(strips))


def _room(pages: Sequence[Sequence[PagePart]], rooms: TypeArea) -> float:
    whole = rooms.first if len(pages) == 1 else rooms.other
    return whole - height_of(pages[-1])


def _pour_single(settings: Sequence[LaidOutBlock], pages: list[list[PagePart]], rooms: TypeArea) -> None:
    rest = list(settings)
    while rest:
        fresh = not pages[-1]
        gap = 0.0 if fresh else rest[0].before
        taken, rest = filled(rest, _room(pages, rooms) - gap, forced=fresh)
        pages[-1].extend(PagePart(column([each], rooms.width), each.before) for each in taken)
        if rest:
            pages.append([])


def _pour_columns(
    heads: Sequence[LaidOutBlock], stretch: TextSection, pages: list[list[PagePart]], rooms: TypeArea
) -> None:
    """Add headings over the full width, and balanced columns below them.

    Blocks that do not fit continue in columns on the next page.
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
        pages[-1].extend(PagePart(column([each], rooms.width), each.before) for each in above)
        before = rest[0].before
        width = (rooms.width - stretch.gap * (stretch.columns - 1)) / stretch.columns
        height = max(column_height(each) for each in columns)
        parts = [
            PlacedDrawing(column(each, width, height=height), number * (width + stretch.gap), 0.0)
            for number, each in enumerate(columns)
        ]
        pages[-1].append(PagePart(joined(rooms.width, height, parts), before))
        rest, above = left, []
        if rest:
            pages.append([])


def _columns(
    settings: Sequence[LaidOutBlock], count: int, room: float, *, forced: bool
) -> tuple[list[list[LaidOutBlock]], list[LaidOutBlock]]:
    """Return the columns that fit in ``room`` mm, balanced if all blocks fit, and the other blocks."""
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
    settings: Sequence[LaidOutBlock], count: int, room: float, *, forced: bool
) -> tuple[list[list[LaidOutBlock]], list[LaidOutBlock]]:
    found: list[list[LaidOutBlock]] = []
    rest = list(settings)
    for number in range(count):
        taken, rest = filled(rest, room, forced=forced and number == 0)
        found.append(taken)
    return found, rest


def fill_of(pages: Sequence[Strips], rooms: TypeArea) -> float:
    """Return the filled share of the last page."""
    room = rooms.first if len(pages) == 1 else rooms.other
    return height_of(pages[-1]) / room if pages else 0.0
