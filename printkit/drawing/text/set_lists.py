"""Lay out paragraphs and lists: steps, bullets, check boxes, die modifiers, results of totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from printkit.content.prose import Bullets, CheckBoxes, Modifiers, Paragraph, Results, Steps
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Item, Stroke, Text
from printkit.drawing.lettering.lettering import line, measure
from printkit.drawing.text.set_tables import at_least
from printkit.drawing.text.text_runs import longest_word, natural, plain_text, rows_of, set_rows
from printkit.drawing.text.text_styles import (
    LaidOutBlock,
    TextStyle,
    drawing_of,
    items_of,
    lozenge,
    oblong,
    patch,
    rule,
)

# --- Results of totals ------------------------------------------------------------------------------------------------

_LINE: Final = 0.5 * MM_PER_POINT
_PAD: Final = 0.4
_LOOSE: Final = 1e-6
_AIR: Final = 0.10
_BEFORE_RESULTS: Final = 0.55
# Gap between a score and its meaning, in type sizes.
_BETWEEN: Final = 0.9


def set_results(block: Results, width: float, style: TextStyle) -> LaidOutBlock:
    """Return rows in stacked boxes; a page can break between rows.

    In rows with one score the meanings are aligned. Cells that are too narrow for a word get separate rows.
    """
    laid = [row for cells in block.rows for row in _unbroken(cells, width, style)]
    single = [cells[0][0] for cells in laid if len(cells) == 1]
    column = max((natural(score, style.strong, style.strong) for score in single), default=0.0)
    parts = [_row(cells, width, style, column=column) for cells in laid]
    # The outlines of the first and last box extend past it by half their width.
    return LaidOutBlock(parts=tuple(parts), before=style.gap(_BEFORE_RESULTS))


_Cells: TypeAlias = Sequence[tuple[str, str]]


def _unbroken(cells: _Cells, width: float, style: TextStyle) -> Sequence[_Cells]:
    """Return the cells as one row if no word breaks in it, otherwise as one row per cell."""
    least = plain_sum(_least(score, meaning, style) for score, meaning in cells)
    return [cells] if len(cells) == 1 or least <= width + _LOOSE else [(cell,) for cell in cells]


def _least(score: str, meaning: str, style: TextStyle) -> float:
    """Return the width in mm of a cell at which no word breaks."""
    first = natural(score, style.strong, style.strong) + _BETWEEN * style.size if score else 0.0
    return first + longest_word(meaning, style.text, style.strong) + 2 * _PAD * style.size


def _row(cells: Sequence[tuple[str, str]], width: float, style: TextStyle, *, column: float) -> Drawing:
    pad = _PAD * style.size
    gap = _BETWEEN * style.size
    alone = len(cells) == 1
    wanted = [_wide(score, meaning, style) + 2 * pad for score, meaning in cells]
    spare = (width - plain_sum(wanted)) / len(cells)
    widths = [wide + spare for wide in wanted] if spare >= 0 else [width * wide / plain_sum(wanted) for wide in wanted]
    least = [_least(score, meaning, style) for score, meaning in cells]
    if any(wide < own - _LOOSE for wide, own in zip(widths, least, strict=True)):
        widths = list(at_least(widths, least, width))
    high = style.row()
    written = []
    for (score, meaning), wide in zip(cells, widths, strict=True):
        first = (column if alone else natural(score, style.strong, style.strong)) + (gap if score else 0.0)
        rows = rows_of(meaning, style.text, style.strong, max(wide - 2 * pad - first, style.size))
        written.append((score, first, rows))
    body = max(1, *(len(rows) for _, _, rows in written)) * high
    height = body + 2 * _AIR * style.size
    ink, stroke = style.rule, style.line(_LINE)
    items: list[Item] = [patch(oblong(0.0, 0.0, width, height), None, Stroke(ink, stroke))]
    left = 0.0
    for place, ((score, first, rows), wide) in enumerate(zip(written, widths, strict=True)):
        if place:
            items.append(rule([(left, 0.0), (left, height)], ink, stroke))
        top = height - (height - max(1, len(rows)) * high) / 2
        spoken = rows_of(score, style.strong, style.strong, wide)
        foot = style.foot() - 0.03 * style.size
        items += set_rows(spoken, left + pad, top, width=wide, row=high, foot=foot)
        items += set_rows(rows, left + pad + first, top, width=wide - 2 * pad - first, row=high, foot=foot)
        left += wide
    return drawing_of(width, height, items)


def _wide(score: str, meaning: str, style: TextStyle) -> float:
    own = natural(meaning, style.text, style.strong)
    return own + (natural(score, style.strong, style.strong) + _BETWEEN * style.size if score else 0.0)


# Side of a check box in mm.
TICK: Final = 3.0

_TICK_LINE: Final = 0.75 * MM_PER_POINT
_BETWEEN_TICKS: Final = 1.2
_BETWEEN_BOXES: Final = 0.5
_AMOUNT: Final = 8.0
_WIDEST_AMOUNT: Final = 0.22
_BEFORE: Final = 0.45
_BEFORE_ITEM: Final = 0.14
_AFTER_MARK: Final = 0.5
_BULLET: Final = 0.17


def set_paragraph(block: Paragraph, width: float, style: TextStyle) -> LaidOutBlock:
    """Return running text. A break keeps two rows together, and a single strong row stays with the next block."""
    hand = {"plain": style.text, "note": style.note, "strong": style.strong}[block.emphasis]
    # A strong word in a note uses the strong type style at the size of the note.
    strong = style.strong.resize(min(1.0, hand.size_pt / style.text.size_pt))
    high, foot = style.row(hand), style.foot(hand)
    rows = rows_of(block.text, hand, strong, width)
    parts = (drawing_of(width, high, set_rows([row], 0.0, high, width=width, row=high, foot=foot)) for row in rows)
    heads = block.emphasis == "strong" and len(rows) == 1
    return LaidOutBlock(parts=tuple(parts), before=style.gap(_BEFORE), least=2, keeps=heads)


def set_steps(block: Steps, width: float, style: TextStyle) -> LaidOutBlock:
    """Return numbered steps with their numbers in a separate column."""
    numbers = [_counted(number, letters=block.letters) for number in range(block.first, block.first + len(block.items))]
    indent = max((measure(number, style.figure) for number in numbers), default=0.0) + _AFTER_MARK * style.size
    marks = [_number(number, indent - _AFTER_MARK * style.size, style) for number in numbers]
    return _list(block.items, marks, width, style, indent=indent)


def set_bullets(block: Bullets, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a bullet list; the bullets are small lozenges."""
    half = _BULLET * style.size
    mark = patch(lozenge(half, style.foot() + 0.3 * style.size, half, half), style.rule)
    indent = 2 * half + _AFTER_MARK * style.size
    return _list(block.items, [[mark]] * len(block.items), width, style, indent=indent)


def set_ticks(block: CheckBoxes, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a list with check boxes of 3 x 3 mm before each item."""
    boxes = block.boxes * TICK + (block.boxes - 1) * _BETWEEN_TICKS
    indent = boxes + max(1.5, _AFTER_MARK * style.size)
    marks = [_tick_boxes(block.boxes, 0.0, style)] * len(block.items)
    return _list(block.items, marks, width, style, indent=indent, least=TICK + 0.25 * style.size)


def set_modifiers(block: Modifiers, width: float, style: TextStyle) -> LaidOutBlock:
    """Return die modifiers: strong amounts, right-aligned in a column of 8 mm, each followed by its condition.

    A row begins with its letter and its check boxes, if it has them.
    """
    hand = style.figure
    amounts = [plain_text(amount).replace("-", "−") for amount, _ in block.rows]
    needed = max((measure(amount, hand) for amount in amounts), default=0.0)
    column = max(needed, min(_AMOUNT, _WIDEST_AMOUNT * width))
    numbers = range(1, len(amounts) + 1)
    if block.prefix:
        hand, letters = style.text, [f"{block.prefix}{number}" for number in numbers]
    else:
        letters = [_counted(number, letters=True) if block.letters else "" for number in numbers]
    lettered = max((measure(letter, hand) for letter in letters), default=0.0)
    lettered += 0.3 * style.size if block.prefix else 0.0
    boxed = lettered + block.boxes * (TICK + _BETWEEN_TICKS)
    boxes = _tick_boxes(block.boxes, lettered, style)
    marks = [
        [*line(letter, (0.0, style.foot()), hand), *boxes, *_number(amount, boxed + column, style)]
        for letter, amount in zip(letters, amounts, strict=True)
    ]
    indent, least = boxed + column + 0.45 * style.size, TICK + _BETWEEN_BOXES if block.boxes else 0.0
    return _list([text for _, text in block.rows], marks, width, style, indent=indent, least=least)


def _list(
    texts: Sequence[str],
    marks: Sequence[Sequence[Item]],
    width: float,
    style: TextStyle,
    *,
    indent: float,
    least: float = 0.0,
) -> LaidOutBlock:
    """Return the items of a list after their marks. A mark is drawn relative to the bottom of a single row."""
    parts: list[Drawing] = []
    high = style.row()
    for text, mark in zip(texts, marks, strict=True):
        rows = rows_of(text, style.text, style.strong, max(width - indent, style.size))
        body = max(1, len(rows)) * high
        before = style.gap(_BEFORE_ITEM) if parts else 0.0
        # A box higher than the row needs extra space above and below it.
        over = max(0.0, least - body) / 2
        height = body + 2 * over + before
        top = height - before - over
        items: list[Item] = items_of(drawing_of(0.0, 0.0, mark), 0.0, top - high)
        items += set_rows(rows, indent, top, width=width - indent, row=high, foot=style.foot())
        parts.append(drawing_of(width, height, items))
    return LaidOutBlock(parts=tuple(parts), before=style.gap(_BEFORE))


def _tick_boxes(count: int, left: float, style: TextStyle) -> list[Item]:
    """Return check boxes side by side, relative to the bottom of a row."""
    foot = style.foot() + 0.34 * style.size - TICK / 2
    stroke = Stroke(style.rule, style.line(_TICK_LINE))
    lefts = (left + number * (TICK + _BETWEEN_TICKS) for number in range(count))
    return [patch(oblong(x, foot, TICK, TICK), None, stroke) for x in lefts]


def _number(mark: str, right: float, style: TextStyle) -> tuple[Text, ...]:
    return line(mark, (right, style.foot()), style.figure, anchor=Anchor.END)


def _counted(number: int, *, letters: bool) -> str:
    """Return 1, 2, 3 or a, b, c ... z, aa, ab."""
    if not letters:
        return str(number)
    found = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        found = chr(ord("a") + place) + found
    return found
