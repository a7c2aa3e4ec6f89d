"""Sets what totals mean: each row in a box, one or more scores in it side by side, strong before what they give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from printkit.content.prose import Results
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Drawing, Item, Stroke
from printkit.drawing.text.setting import Setting, oblong, part, patch, rule
from printkit.drawing.text.text_runs import natural, rows_of, set_rows
from printkit.drawing.text.text_styles import Manner

_LINE: Final = 0.5 * MM_PER_POINT
_PAD: Final = 0.4
_AIR: Final = 0.10
_BEFORE: Final = 0.55
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
    return Setting(parts=tuple(parts), before=manner.gap(_BEFORE))


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
