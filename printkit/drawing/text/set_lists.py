"""Lay out paragraphs and lists: steps, bullets, check boxes, die modifiers, results of totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from printkit.content.prose import Bullets, CheckBoxes, Modifiers, Paragraph, Results, Steps
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Item, Stroke, Text
from printkit.drawing.lettering.lettering import line, measure
from printkit.drawing.text.set_tables import widths_with_minimum
from printkit.drawing.text.text_runs import draw_rows, longest_word, natural_width, plain_text, wrap_text
from printkit.drawing.text.text_styles import (
    LaidOutBlock,
    TextStyle,
    drawing_items,
    drawing_of,
    lozenge_corners,
    make_line,
    oblong,
    patch,
)

# --- Results of totals ------------------------------------------------------------------------------------------------

_LINE: Final = 0.5 * MM_PER_POINT
_PAD: Final = 0.4
_TOLERANCE: Final = 1e-6
_AIR: Final = 0.10
_BEFORE_RESULTS: Final = 0.55
# Gap between a score and its meaning, in type sizes.
_BETWEEN: Final = 0.9


def lay_out_results(block: Results, width: float, style: TextStyle) -> LaidOutBlock:
    """Return rows in stacked boxes over ``width`` printed mm; a page can break between rows.

    In rows with one score the meanings are aligned. Cells that are too narrow for a word get separate rows.
    """
    rows = [row for cells in block.rows for row in _split_cells(cells, width, style)]
    single = [cells[0][0] for cells in rows if len(cells) == 1]
    column = max((natural_width(score, style.strong, style.strong) for score in single), default=0.0)
    parts = [_draw_row(cells, width, style, column=column) for cells in rows]
    # The outlines of the first and last box extend past it by half their width.
    return LaidOutBlock(parts=tuple(parts), gap_mm=style.gap_mm(_BEFORE_RESULTS))


_Cells: TypeAlias = Sequence[tuple[str, str]]


def _split_cells(cells: _Cells, width: float, style: TextStyle) -> Sequence[_Cells]:
    """Return the cells as one row if no word breaks in ``width`` printed mm, otherwise each as a row."""
    min_width = plain_sum(_min_cell_width(score, meaning, style) for score, meaning in cells)
    return [cells] if len(cells) == 1 or min_width <= width + _TOLERANCE else [(cell,) for cell in cells]


def _min_cell_width(score: str, meaning: str, style: TextStyle) -> float:
    """Return the width in printed mm of a cell at which no word breaks."""
    first = natural_width(score, style.strong, style.strong) + _BETWEEN * style.size if score else 0.0
    return first + longest_word(meaning, style.text, style.strong) + 2 * _PAD * style.size


def _draw_row(cells: Sequence[tuple[str, str]], width: float, style: TextStyle, *, column: float) -> Drawing:
    """Return one row of results over ``width`` printed mm: a box with each score and its meaning.

    ``cells`` are (score, meaning) pairs; a score may be empty. ``column`` is the width in mm of the scores if the row
    has only one cell.
    """
    pad = _PAD * style.size
    gap = _BETWEEN * style.size
    is_single = len(cells) == 1
    natural_widths = [_natural_width(score, meaning, style) + 2 * pad for score, meaning in cells]
    spare = (width - plain_sum(natural_widths)) / len(cells)
    widths = (
        [cell_width + spare for cell_width in natural_widths]
        if spare >= 0
        else [width * cell_width / plain_sum(natural_widths) for cell_width in natural_widths]
    )
    min_widths = [_min_cell_width(score, meaning, style) for score, meaning in cells]
    if any(
        cell_width < min_cell_width - _TOLERANCE for cell_width, min_cell_width in zip(widths, min_widths, strict=True)
    ):
        widths = list(widths_with_minimum(widths, min_widths, width))
    row_height = style.row_height()
    cell_rows = []
    for (score, meaning), cell_width in zip(cells, widths, strict=True):
        score_width = (column if is_single else natural_width(score, style.strong, style.strong)) + (
            gap if score else 0.0
        )
        rows = wrap_text(meaning, style.text, style.strong, max(cell_width - 2 * pad - score_width, style.size))
        cell_rows.append((score, score_width, rows))
    body = max(1, *(len(rows) for _, _, rows in cell_rows)) * row_height
    height = body + 2 * _AIR * style.size
    ink, stroke = style.rule, style.line(_LINE)
    items: list[Item] = [patch(oblong(0.0, 0.0, width, height), None, Stroke(ink, stroke))]
    left = 0.0
    for index, ((score, score_width, rows), cell_width) in enumerate(zip(cell_rows, widths, strict=True)):
        if index:
            items.append(make_line([(left, 0.0), (left, height)], ink, stroke))
        top = height - (height - max(1, len(rows)) * row_height) / 2
        score_rows = wrap_text(score, style.strong, style.strong, cell_width)
        baseline = style.baseline_height() - 0.03 * style.size
        items += draw_rows(score_rows, left + pad, top, width=cell_width, row=row_height, baseline=baseline)
        items += draw_rows(
            rows,
            left + pad + score_width,
            top,
            width=cell_width - 2 * pad - score_width,
            row=row_height,
            baseline=baseline,
        )
        left += cell_width
    return drawing_of(width, height, items)


def _natural_width(score: str, meaning: str, style: TextStyle) -> float:
    """Return the width in printed mm of a score and its meaning on one line."""
    meaning_width = natural_width(meaning, style.text, style.strong)
    return meaning_width + (natural_width(score, style.strong, style.strong) + _BETWEEN * style.size if score else 0.0)


# Side of a check box in mm.
CHECK_BOX: Final = 3.0

_TICK_LINE: Final = 0.75 * MM_PER_POINT
_BETWEEN_TICKS: Final = 1.2
_BETWEEN_BOXES: Final = 0.5
_AMOUNT: Final = 8.0
_WIDEST_AMOUNT: Final = 0.22
_BEFORE: Final = 0.45
_BEFORE_ITEM: Final = 0.14
_AFTER_MARK: Final = 0.5
_BULLET: Final = 0.17


def lay_out_paragraph(block: Paragraph, width: float, style: TextStyle) -> LaidOutBlock:
    """Return running text over ``width`` printed mm, one part for each row.

    A break keeps two rows together, and a single strong row stays with the next block.
    """
    paragraph_style = {"plain": style.text, "note": style.note, "strong": style.strong}[block.emphasis]
    # A strong word in a note uses the strong type style at the size of the note.
    strong = style.strong.resize(min(1.0, paragraph_style.size_pt / style.text.size_pt))
    row_height, baseline = style.row_height(paragraph_style), style.baseline_height(paragraph_style)
    rows = wrap_text(block.text, paragraph_style, strong, width)
    parts = (
        drawing_of(width, row_height, draw_rows([row], 0.0, row_height, width=width, row=row_height, baseline=baseline))
        for row in rows
    )
    is_heading = block.emphasis == "strong" and len(rows) == 1
    return LaidOutBlock(parts=tuple(parts), gap_mm=style.gap_mm(_BEFORE), min_parts=2, keeps_with_next=is_heading)


def lay_out_steps(block: Steps, width: float, style: TextStyle) -> LaidOutBlock:
    """Return numbered steps over ``width`` printed mm, with their numbers in a separate column."""
    numbers = [
        _counter_text(number, letters=block.letters) for number in range(block.first, block.first + len(block.items))
    ]
    indent = max((measure(number, style.figure) for number in numbers), default=0.0) + _AFTER_MARK * style.size
    marks = [_draw_number(number, indent - _AFTER_MARK * style.size, style) for number in numbers]
    return _lay_out_list(block.items, marks, width, style, indent=indent)


def lay_out_bullets(block: Bullets, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a bullet list over ``width`` printed mm; the bullets are small lozenges."""
    half_width = _BULLET * style.size
    mark = patch(
        lozenge_corners(half_width, style.baseline_height() + 0.3 * style.size, half_width, half_width), style.rule
    )
    indent = 2 * half_width + _AFTER_MARK * style.size
    return _lay_out_list(block.items, [[mark]] * len(block.items), width, style, indent=indent)


def lay_out_check_list(block: CheckBoxes, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a list over ``width`` printed mm, with check boxes of 3 x 3 mm before each item."""
    boxes = block.boxes * CHECK_BOX + (block.boxes - 1) * _BETWEEN_TICKS
    indent = boxes + max(1.5, _AFTER_MARK * style.size)
    marks = [_draw_check_boxes(block.boxes, 0.0, style)] * len(block.items)
    return _lay_out_list(block.items, marks, width, style, indent=indent, min_height=CHECK_BOX + 0.25 * style.size)


def lay_out_modifiers(block: Modifiers, width: float, style: TextStyle) -> LaidOutBlock:
    """Return die modifiers over ``width`` printed mm: strong amounts, each followed by its condition.

    Amounts are right-aligned in a column of 8 mm, or less if ``width`` is small. A row begins with its letter and its
    check boxes, if it has them.
    """
    letter_style = style.figure
    amounts = [plain_text(amount).replace("-", "−") for amount, _ in block.rows]
    max_amount_mm = max((measure(amount, letter_style) for amount in amounts), default=0.0)
    column = max(max_amount_mm, min(_AMOUNT, _WIDEST_AMOUNT * width))
    numbers = range(1, len(amounts) + 1)
    if block.prefix:
        letter_style, letters = style.text, [f"{block.prefix}{number}" for number in numbers]
    else:
        letters = [_counter_text(number, letters=True) if block.letters else "" for number in numbers]
    letters_width = max((measure(letter, letter_style) for letter in letters), default=0.0)
    letters_width += 0.3 * style.size if block.prefix else 0.0
    boxes_right = letters_width + block.boxes * (CHECK_BOX + _BETWEEN_TICKS)
    boxes = _draw_check_boxes(block.boxes, letters_width, style)
    marks = [
        [
            *line(letter, (0.0, style.baseline_height()), letter_style),
            *boxes,
            *_draw_number(amount, boxes_right + column, style),
        ]
        for letter, amount in zip(letters, amounts, strict=True)
    ]
    indent, min_height = boxes_right + column + 0.45 * style.size, CHECK_BOX + _BETWEEN_BOXES if block.boxes else 0.0
    return _lay_out_list([text for _, text in block.rows], marks, width, style, indent=indent, min_height=min_height)


def _lay_out_list(
    texts: Sequence[str],
    marks: Sequence[Sequence[Item]],
    width: float,
    style: TextStyle,
    *,
    indent: float,
    min_height: float = 0.0,
) -> LaidOutBlock:
    """Return the items of a list over ``width`` printed mm, each after its mark.

    Text begins ``indent`` mm from the left, and an item is at least ``min_height`` mm high. A mark is drawn relative to
    the bottom of a single row.
    """
    parts: list[Drawing] = []
    row_height = style.row_height()
    for text, mark in zip(texts, marks, strict=True):
        rows = wrap_text(text, style.text, style.strong, max(width - indent, style.size))
        body = max(1, len(rows)) * row_height
        gap = style.gap_mm(_BEFORE_ITEM) if parts else 0.0
        # A box higher than the row needs extra space above and below it.
        extra = max(0.0, min_height - body) / 2
        height = body + 2 * extra + gap
        top = height - gap - extra
        items: list[Item] = drawing_items(drawing_of(0.0, 0.0, mark), 0.0, top - row_height)
        items += draw_rows(rows, indent, top, width=width - indent, row=row_height, baseline=style.baseline_height())
        parts.append(drawing_of(width, height, items))
    return LaidOutBlock(parts=tuple(parts), gap_mm=style.gap_mm(_BEFORE))


def _draw_check_boxes(count: int, left: float, style: TextStyle) -> list[Item]:
    """Return check boxes side by side, on the bottom of a row; ``left`` of the first is in printed mm."""
    bottom = style.baseline_height() + 0.34 * style.size - CHECK_BOX / 2
    stroke = Stroke(style.rule, style.line(_TICK_LINE))
    lefts = (left + number * (CHECK_BOX + _BETWEEN_TICKS) for number in range(count))
    return [patch(oblong(x, bottom, CHECK_BOX, CHECK_BOX), None, stroke) for x in lefts]


def _draw_number(mark: str, right: float, style: TextStyle) -> tuple[Text, ...]:
    """Return a number or amount with its right end at ``right`` (printed mm), on the bottom of a row."""
    return line(mark, (right, style.baseline_height()), style.figure, anchor=Anchor.END)


def _counter_text(number: int, *, letters: bool) -> str:
    """Return a number from 1 on as text: 1, 2, 3, or with ``letters`` a, b, c ... z, aa, ab."""
    if not letters:
        return str(number)
    text = ""
    while number > 0:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text
