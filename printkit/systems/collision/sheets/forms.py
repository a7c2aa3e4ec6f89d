"""Forms: a ledger of boxes for bounds, and a sheet of strips in one type size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import accumulate
from typing import Final

from msgspec import Struct

from printkit.content.prose import Block
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import TOLERANCE, WHITE
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import title_block
from printkit.drawing.text.typesetting import column_height, lay_out_blocks, stack_blocks

# --- A sheet of strips side by side under a title, in the largest type size that fits all of them ---------------------

SIZES: Final = (11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)
_GUTTER: Final = 7.0
_QUICK_SHEET_LINE: Final = 0.2
_ABOVE: Final = 5.0


def draw_quick_sheet(
    title: str,
    strips: Sequence[tuple[Block, ...]],
    width: float,
    height: float,
    drafter: Drafter,
    *,
    below: Sequence[Block] = (),
) -> Drawing:
    """Return a sheet of ``width`` by ``height`` printed mm: strips of text side by side under a title.

    Args:
        title: over the full width.
        strips: blocks side by side, each from the top.
        width: mm.
        height: mm.
        drafter: style and words.
        below: blocks under all strips, over the full width.

    Raises:
        PageError: a strip does not fit in the smallest type.
    """
    head = title_block(title, "", width, drafter.style)
    available_mm = height - head.height
    narrow = (width - _GUTTER * (len(strips) - 1)) / len(strips)
    for how in drafter.text_styles(SIZES):
        settings = [lay_out_blocks(blocks, narrow, how) for blocks in strips]
        below_blocks = lay_out_blocks(below, width, how)
        foot = column_height(below_blocks) + (_ABOVE if below else 0.0)
        needed_mm = max(column_height(each) for each in settings) + foot
        if needed_mm <= available_mm + TOLERANCE:
            break
    else:
        raise PageError(
            "{title} needs {needed:.0f} mm, but the page has only {room:.0f} mm of height; use larger "
            "paper or one language",
            title=title,
            needed=needed_mm,
            room=available_mm,
        )
    # Free height stays at the foot of the page, under the blocks below the strips.
    foot = available_mm - needed_mm
    parts = [PlacedDrawing(head, 0.0, available_mm)]
    for place, each in enumerate(settings):
        drawing = stack_blocks(each, narrow)
        parts.append(PlacedDrawing(drawing, place * (narrow + _GUTTER), available_mm - drawing.height))
    low = foot + column_height(below_blocks) + (_ABOVE / 2 if below else 0.0)
    if below:
        parts.append(PlacedDrawing(stack_blocks(below_blocks, width), 0.0, foot))
    separators = [
        drafter.rule([(x, low), (x, available_mm)], _QUICK_SHEET_LINE, "ink-secondary")
        for x in (place * (narrow + _GUTTER) - _GUTTER / 2 for place in range(1, len(strips)))
    ]
    return joined(width, height, [*parts, PlacedDrawing(drawing_of(width, height, separators), 0.0, 0.0)])


_PALE: Final = 0.78
_HEAD_PT: Final = 8.0
_TICK: Final = 3.4
_LINE: Final = 0.15
_FRAME: Final = 0.35
_OWED: Final = 0.75
_GROUP: Final = 5.0
_ROW: Final = 3.5
_NAME: Final = 4.6
_AIR: Final = 0.7


class CellShade(Enum):
    """State of a box: to fill in, not possible, or required by the rules."""

    OPEN = auto()
    CLOSED = auto()
    OWED = auto()


class LedgerCell(Struct, frozen=True):
    """A box with its text and state. ``ticked`` draws a check box, filled or empty; None draws none."""

    text: str = ""
    shade: CellShade = CellShade.OPEN
    ticked: bool | None = None
    strong: bool = False


class Ledger(Struct, frozen=True, kw_only=True):
    """Columns with names and shares of the width, in groups, and the rows.

    Shares are relative to their sum.

    Attributes:
        names: a line feed separates two languages.
        groups: name and number of columns; an ungrouped column (empty name) has a heading two rows high.
    """

    names: tuple[str, ...]
    shares: tuple[float, ...]
    groups: tuple[tuple[str, int], ...]
    rows: tuple[tuple[LedgerCell, ...], ...]

    @property
    def head(self) -> float:
        """Return the height of the row of column names, without group names, in mm on paper."""
        return _NAME * max(name.count("\n") + 1 for name in self.names)


def draw_ledger(ledger: Ledger, width: float, height: float, drafter: Drafter) -> Drawing:
    """Return a ledger of ``width`` by ``height`` mm on paper, with rows of equal height below its heads.

    The widths of the columns are in the ratio of the shares of the ledger. It must have at least one row.
    """
    total = plain_sum(ledger.shares)
    edges = [0.0, *accumulate(width * share / total for share in ledger.shares)]
    body = height - _GROUP - ledger.head
    pitch = body / len(ledger.rows)
    items: list[Item] = []
    places = [
        (cell, Rect(left, body - (number + 1) * pitch, right - left, pitch))
        for number, row in enumerate(ledger.rows)
        for cell, left, right in zip(row, edges[:-1], edges[1:], strict=True)
    ]
    grey = drafter.style.solid("ink").mix(WHITE, _PALE)
    items += (drafter.box(place, _LINE, fill=grey) for cell, place in places if cell.shade is CellShade.CLOSED)
    items += _draw_lines(ledger, edges, Rect(0.0, 0.0, width, height), pitch, drafter)
    items += _draw_heads(ledger, edges, body, drafter)
    for cell, place in places:
        items += _draw_cell(cell, place, drafter)
    return drawing_of(width, height, items)


def _draw_lines(ledger: Ledger, edges: Sequence[float], place: Rect, pitch: float, drafter: Drafter) -> Iterator[Item]:
    """Yield the lines between rows, columns and groups of a ledger, and its frame.

    ``edges`` are the sides of the columns and ``pitch`` is the height of a row, both in mm on paper.
    """
    body = place.height - _GROUP - ledger.head
    for number in range(1, len(ledger.rows)):
        yield drafter.rule([(0.0, number * pitch), (place.width, number * pitch)], _LINE)
    first = 0
    for name, count in ledger.groups:
        for index in range(first + 1, first + count):
            yield drafter.rule(
                [(edges[index], 0.0), (edges[index], body + (ledger.head if name else place.height - body))], _LINE
            )
        if first:
            yield drafter.rule([(edges[first], 0.0), (edges[first], place.height)], _FRAME)
        if name:
            level = body + ledger.head
            yield drafter.rule([(edges[first], level), (edges[first + count], level)], _LINE)
        first += count
    yield drafter.rule([(0.0, body), (place.width, body)], _FRAME)
    yield drafter.box(place, _FRAME)


def _draw_heads(ledger: Ledger, edges: Sequence[float], body: float, drafter: Drafter) -> Iterator[Item]:
    """Yield the names of groups and columns above the rows of a ledger.

    ``edges`` are the sides of the columns and ``body`` is the height of all rows, both in mm on paper.
    """
    type_style = drafter.type_style(Font.BANNER, _HEAD_PT)
    low = 0.36 * type_style.height
    first = 0
    for name, count in ledger.groups:
        left, right = edges[first], edges[first + count]
        if name:
            position = ((left + right) / 2, body + ledger.head + _GROUP / 2 - low)
            yield from drafter.text(
                name, position, type_style, max_width_mm=right - left - 2 * _AIR, anchor=Anchor.MIDDLE
            )
        for place in range(first, first + count):
            rows = ledger.names[place].split("\n")
            high = ledger.head if name else ledger.head + _GROUP
            top = body + high / 2 + (len(rows) - 1) * _ROW / 2 - low
            x, room = (edges[place] + edges[place + 1]) / 2, edges[place + 1] - edges[place] - 2 * _AIR
            for number, row in enumerate(rows):
                yield from drafter.text(
                    row, (x, top - number * _ROW), type_style, max_width_mm=room, anchor=Anchor.MIDDLE
                )
        first += count


def _draw_cell(cell: LedgerCell, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield the content of a box: a frame if the rules require it, and a check box or its text.

    Items are in printed mm.
    """
    middle = (place.x + place.width / 2, place.y + place.height / 2)
    if cell.shade is CellShade.OWED:
        yield drafter.box(place.padded(-_OWED), _OWED)
    if cell.ticked is not None:
        box = Rect(middle[0] - _TICK / 2, middle[1] - _TICK / 2, _TICK, _TICK)
        yield drafter.box(box, 0.25, fill=drafter.style.solid("ink") if cell.ticked else WHITE)
    elif cell.text:
        size = min(9.5, 0.55 * place.height / 0.3528)
        type_style = drafter.type_style(Font.HEAVY if cell.strong else Font.FIGURES, size)
        yield from drafter.centred_text(
            cell.text, (middle[0], middle[1]), type_style, max_width_mm=place.width - 2 * _AIR - _OWED
        )
