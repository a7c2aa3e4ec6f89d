"""Forms: a ledger of boxes for bounds, and a sheet of strips in one type size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import islice
from typing import Final

from msgspec import Struct

from printkit.content.prose import Block
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import TOLERANCE, WHITE
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.form_parts import DrawnCell, FormCell, FormColumn, Marks, draw_cell_text, draw_form_table
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
_LINE: Final = 0.15
_OWED: Final = 0.75
# Height of the names of groups, and of a row of the names of columns, in mm.
_GROUP: Final = 5.0
_NAME: Final = 4.6


class CellShade(Enum):
    """State of a box: to fill in, not possible, or required by the rules."""

    OPEN = auto()
    CLOSED = auto()
    OWED = auto()


class LedgerCell(Struct, frozen=True):
    """A box with its text and state. ``ticked`` draws a check box, ticked or empty; None draws none."""

    text: str = ""
    shade: CellShade = CellShade.OPEN
    ticked: bool | None = None


class Ledger(Struct, frozen=True, kw_only=True):
    """Columns with names and shares of the width, in groups, and the rows.

    Shares are relative to their sum. ``groups`` has the name and the number of columns of each group.
    """

    names: tuple[str, ...]
    shares: tuple[float, ...]
    groups: tuple[tuple[str, int], ...]
    rows: tuple[tuple[LedgerCell, ...], ...]


def draw_ledger(ledger: Ledger, width: float, height: float, drafter: Drafter) -> Drawing:
    """Return a ledger of ``width`` by ``height`` mm on paper, with rows of equal height below its heads.

    The widths of the columns are in the ratio of the shares of the ledger. It must have at least one row.

    Raises:
        PageError: a text does not fit its cell.
    """
    shares = iter(ledger.shares)
    groups = [FormColumn(plain_sum(islice(shares, count)), name, middle=True) for name, count in ledger.groups]
    columns = [
        FormColumn(share, name, middle=True, strong=number == 0)
        for number, (share, name) in enumerate(zip(ledger.shares, ledger.names, strict=True))
    ]
    rows = [[_make_form_cell(cell, drafter) for cell in row] for row in ledger.rows]
    # In large print a name takes two rows.
    name_rows = 2 if drafter.style.least_pt else 1
    top, head = _GROUP * name_rows, _NAME * name_rows * len(drafter.words.languages)
    items = draw_form_table(groups, (), Rect(0.0, height - top, width, top), drafter, head=top)
    body = draw_form_table(columns, rows, Rect(0.0, 0.0, width, height - top), drafter, head=head)
    return drawing_of(width, height, [*items, *body])


def _make_form_cell(cell: LedgerCell, drafter: Drafter) -> FormCell:
    """Return the cell of a form for a box of a ledger: grey if it is closed, with a frame if the rules require it."""

    def draw_closed(place: Rect) -> Iterator[Item]:
        """Yield a grey cell in a rectangle in printed mm."""
        yield drafter.box(place, _LINE, fill=drafter.style.solid("ink").mix(WHITE, _PALE))

    def draw_owed(place: Rect) -> Iterator[Item]:
        """Yield a cell with a heavy frame and its text in a rectangle in printed mm."""
        yield drafter.box(place.padded(-_OWED), _OWED)
        yield from draw_cell_text(cell.text, place, drafter, middle=True)

    if cell.shade is not CellShade.OPEN:
        return DrawnCell(draw_closed if cell.shade is CellShade.CLOSED else draw_owed)
    return cell.text if cell.ticked is None else Marks(("on" if cell.ticked else "empty",))
