"""Sets running text and lists: paragraphs, steps, bullets, boxes to tick, modifiers of a die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from printkit.content.prose import Bullets, Modifiers, Paragraph, Results, Steps, Ticks
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Item, Stroke
from printkit.drawing.canvas.layers import moved
from printkit.drawing.lettering.lettering import Hand, line, measure
from printkit.drawing.text.text_runs import Row, natural, plain_text, rows_of, set_rows
from printkit.drawing.text.text_styles import SetBlock, TextStyle, drawing_of, lozenge, oblong, patch, rule

# --- Sets what totals mean --------------------------------------------------------------------------------------------

_LINE: Final = 0.5 * MM_PER_POINT
_PAD: Final = 0.4
_AIR: Final = 0.10
_TYPESETTING_RESULTS_BEFORE: Final = 0.55
_BETWEEN: Final = 0.9
"""Between a score and what it gives, in spaces of the text."""


def set_results(block: Results, width: float, style: TextStyle) -> SetBlock:
    """Return rows in boxes that stand on one another; a page breaks them between rows.

    In rows of one score alone all meanings begin at the same place.
    """
    single = [cells[0][0] for cells in block.rows if len(cells) == 1]
    column = max((natural(score, style.strong, style.strong) for score in single), default=0.0)
    parts = [_row(cells, width, style, column=column) for cells in block.rows]
    # The lines of the first and the last box reach half their width over it.
    return SetBlock(parts=tuple(parts), before=style.gap(_TYPESETTING_RESULTS_BEFORE))


def _row(cells: Sequence[tuple[str, str]], width: float, style: TextStyle, *, column: float) -> Drawing:
    pad = _PAD * style.size
    gap = _BETWEEN * style.size
    alone = len(cells) == 1
    wanted = [_wide(score, meaning, style) + 2 * pad for score, meaning in cells]
    spare = (width - sum(wanted)) / len(cells)
    widths = [wide + spare for wide in wanted] if spare >= 0 else [width * wide / sum(wanted) for wide in wanted]
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


TICK: Final = 3.0
"""The side of a box to tick, in mm."""

_TICK_LINE: Final = 0.75 * MM_PER_POINT
_BETWEEN_TICKS: Final = 1.2
_BETWEEN_BOXES: Final = 0.5
_AMOUNT: Final = 8.0
_WIDEST_AMOUNT: Final = 0.22
_BEFORE: Final = 0.45
_BEFORE_ITEM: Final = 0.14
_AFTER_MARK: Final = 0.5
_BULLET: Final = 0.17


def set_paragraph(block: Paragraph, width: float, style: TextStyle) -> SetBlock:
    """Return running text; a page breaks it between rows, two of which stay together."""
    match block.manner:
        case "plain":
            hand = style.text
        case "note":
            hand = style.note
        case "strong":
            hand = style.strong
    # Within a note a strong word stands upright in the strong hand, as large as the note.
    strong = style.strong.sized(min(1.0, hand.size_pt / style.text.size_pt))
    rows = rows_of(block.text, hand, strong, width)
    parts = tuple(_plain_row(row, width, hand, style) for row in rows)
    return SetBlock(parts=parts, before=style.gap(_BEFORE), least=2)


def set_steps(block: Steps, width: float, style: TextStyle) -> SetBlock:
    """Return numbered steps, their numbers in a column of their own."""
    marks = [_counted(number, letters=block.letters) for number in range(block.first, block.first + len(block.items))]
    hand = style.figure
    indent = max((measure(mark, hand) for mark in marks), default=0.0) + _AFTER_MARK * style.size
    parts: list[Drawing] = []
    for mark, text in zip(marks, block.items, strict=True):
        at = (indent - _AFTER_MARK * style.size, style.foot())
        parts.append(_item(text, width, style, indent=indent, mark=_number(mark, at, hand), first=not parts))
    return SetBlock(parts=tuple(parts), before=style.gap(_BEFORE))


def set_bullets(block: Bullets, width: float, style: TextStyle) -> SetBlock:
    """Return a list without order, each item after a small lozenge."""
    half = _BULLET * style.size
    indent = 2 * half + _AFTER_MARK * style.size
    mark = patch(lozenge(half, style.foot() + 0.3 * style.size, half, half), style.rule)
    parts: list[Drawing] = []
    for text in block.items:
        parts.append(_item(text, width, style, indent=indent, mark=[mark], first=not parts))
    return SetBlock(parts=tuple(parts), before=style.gap(_BEFORE))


def set_ticks(block: Ticks, width: float, style: TextStyle) -> SetBlock:
    """Return a list with boxes of 3 x 3 mm before each item."""
    boxes = block.boxes * TICK + (block.boxes - 1) * _BETWEEN_TICKS
    indent = boxes + max(1.5, _AFTER_MARK * style.size)
    foot = style.foot() + 0.34 * style.size - TICK / 2
    stroke = Stroke(style.rule, style.line(_TICK_LINE))
    marks = [
        patch(oblong(number * (TICK + _BETWEEN_TICKS), foot, TICK, TICK), None, stroke) for number in range(block.boxes)
    ]
    parts: list[Drawing] = []
    for text in block.items:
        parts.append(
            _item(text, width, style, indent=indent, mark=marks, first=not parts, least=TICK + 0.25 * style.size)
        )
    return SetBlock(parts=tuple(parts), before=style.gap(_BEFORE))


def set_modifiers(block: Modifiers, width: float, style: TextStyle) -> SetBlock:
    """Return what is added to a die: strong amounts to the right of their column of 8 mm, and after them conditions.

    Boxes to tick stand before the amounts, and before these the letter of the row.
    """
    hand = style.figure
    amounts = [plain_text(amount).replace("-", "−") for amount, _ in block.rows]
    needed = max((measure(amount, hand) for amount in amounts), default=0.0)
    column = max(needed, min(_AMOUNT, _WIDEST_AMOUNT * width))
    letters = [_counted(number, letters=True) if block.letters else "" for number in range(1, len(amounts) + 1)]
    lettered = max((measure(letter, hand) for letter in letters), default=0.0)
    boxed = lettered + block.boxes * (TICK + _BETWEEN_TICKS)
    indent = boxed + column + 0.45 * style.size
    stroke = Stroke(style.rule, style.line(_TICK_LINE))
    foot = style.foot() + 0.34 * style.size - TICK / 2
    boxes = [
        patch(oblong(lettered + number * (TICK + _BETWEEN_TICKS), foot, TICK, TICK), None, stroke)
        for number in range(block.boxes)
    ]
    least = TICK + _BETWEEN_BOXES if block.boxes else 0.0
    parts: list[Drawing] = []
    for letter, amount, (_, text) in zip(letters, amounts, block.rows, strict=True):
        mark = [
            *line(letter, (0.0, style.foot()), hand),
            *boxes,
            *_number(amount, (boxed + column, style.foot()), hand),
        ]
        parts.append(_item(text, width, style, indent=indent, mark=mark, first=not parts, least=least))
    return SetBlock(parts=tuple(parts), before=style.gap(_BEFORE))


def _plain_row(row: Row, width: float, hand: Hand, style: TextStyle) -> Drawing:
    high = style.row(hand)
    return drawing_of(width, high, set_rows([row], 0.0, high, width=width, row=high, foot=style.foot(hand)))


def _item(
    text: str,
    width: float,
    style: TextStyle,
    *,
    indent: float,
    mark: Sequence[Item],
    first: bool,
    least: float = 0.0,
) -> Drawing:
    """Return one item of a list behind its mark, which is drawn for a single row that stands on the foot."""
    rows = rows_of(text, style.text, style.strong, max(width - indent, style.size))
    high = style.row()
    body = max(1, len(rows)) * high
    before = 0.0 if first else style.gap(_BEFORE_ITEM)
    # A box higher than the row takes its room above and below the first row.
    over = max(0.0, least - body) / 2
    height = body + 2 * over + before
    top = height - before - over
    items: list[Item] = [*_raised(mark, top - high)]
    items += set_rows(rows, indent, top, width=width - indent, row=high, foot=style.foot())
    return drawing_of(width, height, items)


def _raised(items: Sequence[Item], up: float) -> tuple[Item, ...]:
    """Return items moved up by so many mm."""
    layers = moved(drawing_of(0.0, 0.0, items).layers, 0.0, up)
    return layers[0].items if layers else ()


def _number(mark: str, at: tuple[float, float], hand: Hand) -> list[Item]:
    return [*line(mark, at, hand, anchor=Anchor.END)]


def _counted(number: int, *, letters: bool) -> str:
    """Return 1, 2, 3 or a, b, c ... z, aa, ab."""
    if not letters:
        return str(number)
    found = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        found = chr(ord("a") + place) + found
    return found
