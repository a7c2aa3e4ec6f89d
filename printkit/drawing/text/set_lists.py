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
from printkit.drawing.text.text_styles import Manner, Setting, lozenge, oblong, part, patch, rule

# --- Sets what totals mean --------------------------------------------------------------------------------------------

_LINE: Final = 0.5 * MM_PER_POINT
_PAD: Final = 0.4
_AIR: Final = 0.10
_TYPESETTING_RESULTS_BEFORE: Final = 0.55
_BETWEEN: Final = 0.9
"""Between a score and what it gives, in spaces of the text."""


def set_results(block: Results, width: float, manner: Manner) -> Setting:
    """Return rows in boxes that stand on one another; a page breaks them between rows.

    In rows of one score alone all meanings begin at the same place.
    """
    single = [cells[0][0] for cells in block.rows if len(cells) == 1]
    column = max((natural(score, manner.strong, manner.strong) for score in single), default=0.0)
    parts = [_row(cells, width, manner, column=column) for cells in block.rows]
    # The lines of the first and the last box reach half their width over it.
    return Setting(parts=tuple(parts), before=manner.gap(_TYPESETTING_RESULTS_BEFORE))


def _row(cells: Sequence[tuple[str, str]], width: float, manner: Manner, *, column: float) -> Drawing:
    pad = _PAD * manner.size
    gap = _BETWEEN * manner.size
    alone = len(cells) == 1
    wanted = [_wide(score, meaning, manner) + 2 * pad for score, meaning in cells]
    spare = (width - sum(wanted)) / len(cells)
    widths = [wide + spare for wide in wanted] if spare >= 0 else [width * wide / sum(wanted) for wide in wanted]
    high = manner.row()
    written = []
    for (score, meaning), wide in zip(cells, widths, strict=True):
        first = (column if alone else natural(score, manner.strong, manner.strong)) + (gap if score else 0.0)
        rows = rows_of(meaning, manner.text, manner.strong, max(wide - 2 * pad - first, manner.size))
        written.append((score, first, rows))
    body = max(1, *(len(rows) for _, _, rows in written)) * high
    height = body + 2 * _AIR * manner.size
    ink, stroke = manner.rule, manner.line(_LINE)
    items: list[Item] = [patch(oblong(0.0, 0.0, width, height), None, Stroke(ink, stroke))]
    left = 0.0
    for place, ((score, first, rows), wide) in enumerate(zip(written, widths, strict=True)):
        if place:
            items.append(rule([(left, 0.0), (left, height)], ink, stroke))
        top = height - (height - max(1, len(rows)) * high) / 2
        spoken = rows_of(score, manner.strong, manner.strong, wide)
        foot = manner.foot() - 0.03 * manner.size
        items += set_rows(spoken, left + pad, top, width=wide, row=high, foot=foot)
        items += set_rows(rows, left + pad + first, top, width=wide - 2 * pad - first, row=high, foot=foot)
        left += wide
    return part(width, height, items)


def _wide(score: str, meaning: str, manner: Manner) -> float:
    own = natural(meaning, manner.text, manner.strong)
    return own + (natural(score, manner.strong, manner.strong) + _BETWEEN * manner.size if score else 0.0)


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


def set_paragraph(block: Paragraph, width: float, manner: Manner) -> Setting:
    """Return running text; a page breaks it between rows, two of which stay together."""
    match block.manner:
        case "plain":
            hand = manner.text
        case "note":
            hand = manner.note
        case "strong":
            hand = manner.strong
    # Within a note a strong word stands upright in the strong hand, as large as the note.
    strong = manner.strong.sized(min(1.0, hand.size_pt / manner.text.size_pt))
    rows = rows_of(block.text, hand, strong, width)
    parts = tuple(_plain_row(row, width, hand, manner) for row in rows)
    return Setting(parts=parts, before=manner.gap(_BEFORE), least=2)


def set_steps(block: Steps, width: float, manner: Manner) -> Setting:
    """Return numbered steps, their numbers in a column of their own."""
    marks = [_counted(number, letters=block.letters) for number in range(block.first, block.first + len(block.items))]
    hand = manner.figure
    indent = max((measure(mark, hand) for mark in marks), default=0.0) + _AFTER_MARK * manner.size
    parts: list[Drawing] = []
    for mark, text in zip(marks, block.items, strict=True):
        at = (indent - _AFTER_MARK * manner.size, manner.foot())
        parts.append(_item(text, width, manner, indent=indent, mark=_number(mark, at, hand), first=not parts))
    return Setting(parts=tuple(parts), before=manner.gap(_BEFORE))


def set_bullets(block: Bullets, width: float, manner: Manner) -> Setting:
    """Return a list without order, each item after a small lozenge."""
    half = _BULLET * manner.size
    indent = 2 * half + _AFTER_MARK * manner.size
    mark = patch(lozenge(half, manner.foot() + 0.3 * manner.size, half, half), manner.rule)
    parts: list[Drawing] = []
    for text in block.items:
        parts.append(_item(text, width, manner, indent=indent, mark=[mark], first=not parts))
    return Setting(parts=tuple(parts), before=manner.gap(_BEFORE))


def set_ticks(block: Ticks, width: float, manner: Manner) -> Setting:
    """Return a list with boxes of 3 x 3 mm before each item."""
    boxes = block.boxes * TICK + (block.boxes - 1) * _BETWEEN_TICKS
    indent = boxes + max(1.5, _AFTER_MARK * manner.size)
    foot = manner.foot() + 0.34 * manner.size - TICK / 2
    stroke = Stroke(manner.rule, manner.line(_TICK_LINE))
    marks = [
        patch(oblong(number * (TICK + _BETWEEN_TICKS), foot, TICK, TICK), None, stroke) for number in range(block.boxes)
    ]
    parts: list[Drawing] = []
    for text in block.items:
        parts.append(
            _item(text, width, manner, indent=indent, mark=marks, first=not parts, least=TICK + 0.25 * manner.size)
        )
    return Setting(parts=tuple(parts), before=manner.gap(_BEFORE))


def set_modifiers(block: Modifiers, width: float, manner: Manner) -> Setting:
    """Return what is added to a die: strong amounts to the right of their column of 8 mm, and after them conditions.

    Boxes to tick stand before the amounts, and before these the letter of the row.
    """
    hand = manner.figure
    amounts = [plain_text(amount).replace("-", "−") for amount, _ in block.rows]
    needed = max((measure(amount, hand) for amount in amounts), default=0.0)
    column = max(needed, min(_AMOUNT, _WIDEST_AMOUNT * width))
    letters = [_counted(number, letters=True) if block.letters else "" for number in range(1, len(amounts) + 1)]
    lettered = max((measure(letter, hand) for letter in letters), default=0.0)
    boxed = lettered + block.boxes * (TICK + _BETWEEN_TICKS)
    indent = boxed + column + 0.45 * manner.size
    stroke = Stroke(manner.rule, manner.line(_TICK_LINE))
    foot = manner.foot() + 0.34 * manner.size - TICK / 2
    boxes = [
        patch(oblong(lettered + number * (TICK + _BETWEEN_TICKS), foot, TICK, TICK), None, stroke)
        for number in range(block.boxes)
    ]
    least = TICK + _BETWEEN_BOXES if block.boxes else 0.0
    parts: list[Drawing] = []
    for letter, amount, (_, text) in zip(letters, amounts, block.rows, strict=True):
        mark = [
            *line(letter, (0.0, manner.foot()), hand),
            *boxes,
            *_number(amount, (boxed + column, manner.foot()), hand),
        ]
        parts.append(_item(text, width, manner, indent=indent, mark=mark, first=not parts, least=least))
    return Setting(parts=tuple(parts), before=manner.gap(_BEFORE))


def _plain_row(row: Row, width: float, hand: Hand, manner: Manner) -> Drawing:
    high = manner.row(hand)
    return part(width, high, set_rows([row], 0.0, high, width=width, row=high, foot=manner.foot(hand)))


def _item(
    text: str,
    width: float,
    manner: Manner,
    *,
    indent: float,
    mark: Sequence[Item],
    first: bool,
    least: float = 0.0,
) -> Drawing:
    """Return one item of a list behind its mark, which is drawn for a single row that stands on the foot."""
    rows = rows_of(text, manner.text, manner.strong, max(width - indent, manner.size))
    high = manner.row()
    body = max(1, len(rows)) * high
    before = 0.0 if first else manner.gap(_BEFORE_ITEM)
    # A box higher than the row takes its room above and below the first row.
    over = max(0.0, least - body) / 2
    height = body + 2 * over + before
    top = height - before - over
    items: list[Item] = [*_raised(mark, top - high)]
    items += set_rows(rows, indent, top, width=width - indent, row=high, foot=manner.foot())
    return part(width, height, items)


def _raised(items: Sequence[Item], up: float) -> tuple[Item, ...]:
    """Return items moved up by so many mm."""
    layers = moved(part(0.0, 0.0, items).layers, 0.0, up)
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
