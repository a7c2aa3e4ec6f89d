"""Parts of forms: rows of fields with lines or boxes, and tables of cells to fill in or tick."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from shapely import Point

from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.shapes import fill_and_stroke
from printkit.drawing.lettering.lettering import LEAST_FIGURES, TypeStyle, fit_text, line, measure
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_runs import wrap_text
from printkit.drawing.text.text_styles import LEAST_PT

# --- Form tables that fill a rectangle of a sheet: cells to write in, boxes to tick, letters to circle ----------------

TickState: TypeAlias = Literal["empty", "on", "off"]

# Side of a box to tick, in mm.
TICK: Final = 3.0

# Line width of the box, in mm.
LINE: Final = 0.75 * MM_PER_POINT

_TEXT_PT: Final = 9.0
_HEAD_PT: Final = 8.0
_PAD: Final = 0.9
_PITCH: Final = 1.12
_CAPITALS: Final = 0.36
_THIN: Final = 0.15
_HEAVY: Final = 0.35
_BETWEEN: Final = 1.6
_RING: Final = 5.2
_ROUND: Final = 12


class Marks(Struct, frozen=True):
    """Boxes side by side, each followed by its label; with ``rings``, circles around the labels."""

    states: tuple[TickState, ...]
    labels: tuple[str, ...] = ()
    rings: bool = False


class DrawnCell(Struct, frozen=True):
    """A cell with a custom drawing; ``draw`` receives its rectangle in printed mm and yields the items."""

    draw: Callable[[Rect], Iterator[Item]]


FormCell: TypeAlias = str | Marks | DrawnCell


class FormColumn(Struct, frozen=True):
    """A column: share of the width, heading, centred text (``middle``), and bold text (``strong``)."""

    share: float
    head: str = ""
    middle: bool = False
    strong: bool = False


def draw_form_table(
    columns: Sequence[FormColumn],
    rows: Sequence[Sequence[FormCell]],
    place: Rect,
    drafter: Drafter,
    *,
    head: float = 5.0,
) -> Iterator[Item]:
    """Yield a table that fills a rectangle, with rows of equal height.

    Args:
        columns: from left to right.
        rows: from the top, a cell for each column.
        place: the rectangle, in printed mm.
        drafter: drawing tools.
        head: height of the heading row in printed mm; 0 for no headings.

    Raises:
        PageError: a text does not fit its cell at 6.5 points.
        ValueError: a row has more or fewer cells than there are columns.
    """
    total_share = plain_sum(column.share for column in columns)
    lefts, x = [], place.x
    for column in columns:
        lefts.append(x)
        x += place.width * column.share / total_share
    rights = [*lefts[1:], place.right]
    row_height = (place.height - head) / max(1, len(rows))
    if head:
        for column, left, right in zip(columns, lefts, rights, strict=True):
            box = Rect(left, place.top - head, right - left, head)
            yield from draw_cell_text(
                column.head, box, drafter, middle=column.middle, size_pt=_HEAD_PT, font=Font.HEAVY
            )
    for number, row in enumerate(rows):
        foot = place.top - head - (number + 1) * row_height
        for column, left, right, cell in zip(columns, lefts, rights, row, strict=True):
            yield from _draw_cell(cell, Rect(left, foot, right - left, row_height), column, drafter)
        if number < len(rows) - 1:
            yield drafter.rule([(place.x, foot), (place.right, foot)], _THIN)
    for left in lefts[1:]:
        yield drafter.rule([(left, place.y), (left, place.top)], _THIN)
    if head:
        yield drafter.rule([(place.x, place.top - head), (place.right, place.top - head)], _HEAVY)
    yield drafter.box(place, _HEAVY)


def draw_cell_text(
    text: str,
    place: Rect,
    drafter: Drafter,
    *,
    middle: bool = False,
    size_pt: float = _TEXT_PT,
    font: Font = Font.FIGURES,
) -> Iterator[Item]:
    """Yield text, vertically centred in a rectangle in printed mm, on one to five rows.

    ``middle`` centres it across too. ``size_pt`` is the preferred type size in points; the type shrinks to 7 points,
    and to 6.5 points in close rows if nothing else fits. An empty text yields nothing.

    Raises:
        PageError: it does not fit at 6.5 points.
    """
    if not text:
        return
    available_mm = place.width - 2 * _PAD
    style = drafter.type_style(font, size_pt)
    for count in range(1, 6):
        rows, fitting = fit_text(text, style, available_mm, lines=count, least_share=LEAST_PT / size_pt)
        if len(rows) <= count and fitting.size_pt >= LEAST_PT - 1e-6:
            break
    pitch = _PITCH * fitting.height
    if len(rows) * pitch > place.height + 0.3 or fitting.size_pt < LEAST_PT - 1e-6:
        # For long languages: the smallest legible type, tight leading and hyphenated words.
        fitting = style.resize(LEAST_FIGURES / size_pt)
        close, pitch = wrap_text(text, fitting, fitting, available_mm), fitting.height
        if len(close) * pitch <= place.height + 0.3:
            rows = tuple(" ".join("".join(piece.text for piece in word) for word in row.words) for row in close)
            yield from _draw_rows(rows, fitting, place, pitch, middle=middle)
            return
    if len(rows) * pitch > place.height + 0.3 or fitting.size_pt < LEAST_PT - 1e-6:
        raise PageError(
            "{text!r} does not fit in {room:.0f} x {height:.0f} mm at {least_pt:g} pt; shorten it, or use larger paper",
            text=text,
            room=available_mm,
            height=place.height,
            least_pt=LEAST_PT,
        )
    yield from _draw_rows(rows, fitting, place, pitch, middle=middle)


def draw_tick_box(state: TickState, left: float, foot: float, drafter: Drafter) -> Iterator[Item]:
    """Yield a box to tick, 3 printed mm wide and high: empty, ticked (``on``) or struck through (``off``).

    ``left`` and ``foot`` are its lower left corner in mm. The stroke of ``off`` is horizontal.
    """
    yield drafter.box(Rect(left, foot, TICK, TICK), LINE)
    if state == "on":
        points = [(left + 0.5, foot + 1.6), (left + 1.3, foot + 0.6), (left + TICK - 0.3, foot + TICK + 0.2)]
        yield drafter.rule(points, 0.55)
    elif state == "off":
        yield drafter.rule([(left + 0.4, foot + TICK / 2), (left + TICK - 0.4, foot + TICK / 2)], 0.35)


def _draw_rows(rows: Sequence[str], style: TypeStyle, place: Rect, pitch: float, *, middle: bool) -> Iterator[Item]:
    """Yield rows of text, from the top, vertically centred in a rectangle in printed mm.

    ``middle`` centres them across too; otherwise they begin 0.9 mm from its left side. ``pitch`` is the distance
    between rows in printed mm.
    """
    x = place.x + (place.width / 2 if middle else _PAD)
    centre = place.y + place.height / 2
    for number, row in enumerate(rows):
        y = centre + pitch * (len(rows) - 1) / 2 - number * pitch - _CAPITALS * style.height
        yield from line(row, (x, y), style, anchor=Anchor.MIDDLE if middle else Anchor.START)


def _draw_cell(cell: FormCell, place: Rect, column: FormColumn, drafter: Drafter) -> Iterator[Item]:
    """Yield a cell of a form table in a rectangle in printed mm: text, boxes, rings or a custom drawing.

    Raises:
        PageError: a text does not fit the cell.
    """
    match cell:
        case str():
            font = Font.HEAVY if column.strong else Font.FIGURES
            yield from draw_cell_text(cell, place, drafter, middle=column.middle, font=font)
        case Marks():
            yield from _draw_rings(cell, place, drafter) if cell.rings else draw_boxes(cell, place, drafter)
        case DrawnCell():
            yield from cell.draw(place)


def draw_boxes(cell: Marks, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield boxes to tick, each followed by its label, side by side in the middle of a rectangle in printed mm.

    ``cell`` has a label for each state, or no labels at all. Boxes and labels may be wider than the rectangle.

    Raises:
        ValueError: the number of labels is neither 0 nor the number of states.
    """
    style = drafter.type_style(Font.FIGURES, 8.0)
    labels = cell.labels or ("",) * len(cell.states)
    widths = [TICK + (measure(label, style) + 1.0 if label else 0.0) for label in labels]
    gap = _BETWEEN if any(labels) else max(0.4, min(_BETWEEN, (place.width - plain_sum(widths)) / (len(widths) + 1)))
    x = place.x + (place.width - plain_sum(widths) - gap * (len(widths) - 1)) / 2
    foot = place.y + (place.height - TICK) / 2
    for state, label, width in zip(cell.states, labels, widths, strict=True):
        yield from draw_tick_box(state, x, foot, drafter)
        if label:
            yield from line(label, (x + TICK + 0.8, place.y + place.height / 2 - _CAPITALS * style.height), style)
        x += width + gap


def _draw_rings(cell: Marks, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield letters in circles, side by side in a rectangle in printed mm.

    ``cell`` has a label for each state. A letter that is ``on`` has a heavy circle; ``off`` and ``empty`` look the
    same.
    """
    style = drafter.type_style(Font.HEAVY, 8.5)
    step = place.width / len(cell.states)
    for number, (state, label) in enumerate(zip(cell.states, cell.labels, strict=True)):
        x, y = place.x + (number + 0.5) * step, place.y + place.height / 2
        ring = Point(x, y).buffer(min(_RING, step - 0.6) / 2, quad_segs=_ROUND)
        yield from fill_and_stroke(ring, None, drafter.stroke(0.9 if state == "on" else 0.2))
        yield from line(label, (x, y - _CAPITALS * style.height), style, anchor=Anchor.MIDDLE)


# Usual side of a box in a field, in mm.
BOX: Final = 5.4

# Least height of a row of fields, and space around a box that is higher than usual, in mm.
_ROW: Final = 8.6
_ROW_AIR: Final = 1.0

_LABEL_PT: Final = 8.5
_WRITTEN_PT: Final = 10.5
_GAP: Final = 6.0
_NEAR: Final = 1.6
_FOOT: Final = 1.9


class WritingLine(Struct, frozen=True):
    """A line to write on, at least ``least_mm`` printed mm long; ``text`` is text that is already on it."""

    least_mm: float = 26.0
    text: str = ""


class TickBox(Struct, frozen=True):
    """A box with a pale label inside; ``is_crossed_out`` crosses it out, ``is_ticked`` marks it as ticked.

    ``side`` is its side in mm.
    """

    label: str = ""
    is_crossed_out: bool = False
    is_ticked: bool = False
    side: float = BOX


class FormLabel(Struct, frozen=True):
    """A text between lines and boxes."""

    text: str


FormPart = WritingLine | TickBox | FormLabel


class FormField(Struct, frozen=True):
    """A label followed by the parts to fill in; a field stays on one row."""

    label: str
    parts: tuple[FormPart, ...]


def field_rows(fields: Sequence[FormField], width: float, drafter: Drafter) -> tuple[tuple[FormField, ...], ...]:
    """Return the fields in their order, in rows no wider than ``width`` printed mm.

    A field that is wider is alone in its row. Fields have their least widths.
    """
    rows: list[list[FormField]] = []
    used_mm = 0.0
    for field in fields:
        field_width = _least_width(field, drafter)
        if not rows or used_mm + _GAP + field_width > width:
            rows.append([field])
            used_mm = field_width
        else:
            rows[-1].append(field)
            used_mm += _GAP + field_width
    return tuple(tuple(row) for row in rows)


def fields_height(fields: Sequence[FormField], width: float, drafter: Drafter) -> float:
    """Return the height in printed mm of the fields in rows no wider than ``width`` printed mm.

    A row is 8.6 mm high, or higher for boxes larger than usual.
    """
    return plain_sum(_row_height(row) for row in field_rows(fields, width, drafter))


def draw_fields(fields: Sequence[FormField], width: float, drafter: Drafter) -> Drawing:
    """Return a drawing of fields in rows, ``width`` printed mm wide; its height depends on the rows."""
    height = fields_height(fields, width, drafter)
    return drawing_of(width, height, set_fields(fields, Rect(0.0, 0.0, width, height), drafter))


def set_fields(fields: Sequence[FormField], place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield fields in rows from the top of a rectangle in printed mm.

    Lines to write on are extended until each row fills its width. Rows may continue below the rectangle.
    """
    bottom = place.top
    for row in field_rows(fields, place.width, drafter):
        height = _row_height(row)
        bottom -= height
        foot = bottom + _FOOT + (height - _ROW) / 2
        free = place.width - plain_sum(_least_width(field, drafter) for field in row) - _GAP * (len(row) - 1)
        lines = sum(_count_lines(field) for field in row)
        longer = max(free, 0.0) / lines if lines else 0.0
        x = place.x
        for field in row:
            yield from _set_field(field, (x, foot), longer, drafter)
            x += _least_width(field, drafter) + _count_lines(field) * longer + _GAP


def _row_height(row: Sequence[FormField]) -> float:
    """Return the height of a row of fields in printed mm."""
    boxes = (part.side for field in row for part in field.parts if isinstance(part, TickBox))
    return max([_ROW, *(side + _ROW_AIR for side in boxes)])


def _count_lines(field: FormField) -> int:
    """Return the number of lines to write on in a field; boxes and texts do not count."""
    return sum(isinstance(part, WritingLine) for part in field.parts)


def _set_field(field: FormField, position: tuple[float, float], longer: float, drafter: Drafter) -> Iterator[Item]:
    """Yield a field at ``position`` (printed mm), with lines ``longer`` mm longer than their minimum.

    ``position`` is the left end of the baseline, as x and y. The label is first, then the parts from left to right.
    """
    x, foot = position
    style = drafter.type_style(Font.BANNER, _LABEL_PT)
    label_width = measure(field.label, style)
    yield from drafter.text(field.label, (x, foot), style, max_width_mm=label_width + 1.0)
    x += label_width
    for part, gap in zip(field.parts, _part_gaps(field), strict=True):
        x += gap
        match part:
            case WritingLine():
                end = x + part.least_mm + longer
                yield drafter.rule([(x, foot - 0.7), (end, foot - 0.7)], 0.2)
                written_style = drafter.type_style(Font.ROMAN, _WRITTEN_PT)
                yield from drafter.text(part.text, (x + 1.0, foot), written_style, max_width_mm=end - x - 1.0)
                x = end
            case TickBox():
                box = Rect(x, foot - 1.6 - (part.side - BOX) / 2, part.side, part.side)
                yield from _draw_field_box(part, box, drafter)
                x += part.side
            case FormLabel():
                small_style = drafter.type_style(Font.FIGURES, _LABEL_PT, "ink-secondary")
                label_width = measure(part.text, small_style)
                yield from drafter.text(part.text, (x, foot), small_style, max_width_mm=label_width + 1.0)
                x += label_width


def _part_gaps(field: FormField) -> Iterator[float]:
    """Yield the space before each part of a field in printed mm; boxes side by side touch."""
    for previous, part in zip((None, *field.parts), field.parts, strict=False):
        yield 0.0 if isinstance(previous, TickBox) and isinstance(part, TickBox) else _NEAR


def _draw_field_box(tick: TickBox, box: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield a box to tick, a part of a field of a form, in a rectangle in printed mm, with its label and marks."""
    style = drafter.type_style(Font.FIGURES, 7.0, "ink-secondary")
    yield from drafter.centred_text(
        tick.label, (box.x + box.width / 2, box.y + box.height / 2), style, max_width_mm=box.width - 1.0
    )
    yield drafter.box(box, 0.3)
    if tick.is_crossed_out:
        yield drafter.rule([(box.x, box.y), (box.right, box.top)], 0.35)
        yield drafter.rule([(box.x, box.top), (box.right, box.y)], 0.35)
    if tick.is_ticked:
        yield drafter.box(Rect(box.x + 0.7, box.y + 0.7, box.width - 1.4, box.height - 1.4), 0.6)


def _least_width(field: FormField, drafter: Drafter) -> float:
    """Return the width of a field in printed mm with its lines at their minimum length.

    It includes the label and the gaps between parts.
    """
    total = measure(field.label, drafter.type_style(Font.BANNER, _LABEL_PT))
    total += plain_sum(_part_gaps(field))
    for part in field.parts:
        match part:
            case WritingLine():
                total += part.least_mm
            case TickBox():
                total += part.side
            case FormLabel():
                total += measure(part.text, drafter.type_style(Font.FIGURES, _LABEL_PT))
    return total
