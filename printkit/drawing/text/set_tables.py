"""Lay out tables and die tables: columns by share or content, wrapped cells, a head, tinted rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.content.prose import Align, ScoreTable, Table
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing, Item, Path, Text
from printkit.drawing.lettering.lettering import TypeStyle
from printkit.drawing.text.text_runs import TextRow, draw_rows, longest_word, natural_width, plain_text, wrap_text
from printkit.drawing.text.text_styles import (
    LaidOutBlock,
    TextStyle,
    drawing_items,
    drawing_of,
    make_line,
    oblong,
    patch,
)

_SCORE_COLUMN: Final = 17.0
_SCORES_AS_WIDE_AS: Final = 62.0
_WIDEST_SCORE: Final = 0.45
_RULE: Final = 0.30
_BETWEEN: Final = 0.15
_BEFORE: Final = 0.5
_PAD: Final = 0.42
_PAD_LEAST: Final = 0.18
_AIR: Final = 0.16
_PARAGRAPH_GAP: Final = 0.2
_TOLERANCE: Final = 1e-6
_DROP: Final = 0.06


class _Grid(Struct, frozen=True, kw_only=True):
    """The columns of a table: left edges, widths, alignments, and plain and strong type styles.

    Lengths are in printed mm; ``pad`` is the space at both sides of a cell.
    """

    width: float
    lefts: tuple[float, ...]
    widths: tuple[float, ...]
    aligns: tuple[Align, ...]
    cell_styles: tuple[tuple[TypeStyle, TypeStyle], ...]
    pad: float
    has_rules: bool

    def draw_row(self, cells: Sequence[str], style: TextStyle, *, is_tinted: bool, min_height: float = 0.0) -> Drawing:
        """Return a row as wide as the columns, at least ``min_height`` printed mm high, with the rule below.

        It has a tint if ``is_tinted``, the wrapped cells, and vertical rules if the grid has any. The cell with most
        lines gives the height. With ``min_height`` above 0 the words are at the top, otherwise in the middle.
        """
        row_height = style.row_height()
        cell_rows = self._wrap_cells(cells, self.cell_styles)
        body = max(1, *(len(rows) for rows in cell_rows)) * row_height
        height = max(body + 2 * _AIR * style.size, min_height)
        items: list[Item] = []
        if is_tinted and style.tint is not None:
            # The rule above is part of the previous row; the tint must not cover its lower half.
            items.append(patch(oblong(0.0, 0.0, self.width, height - style.line(_BETWEEN) / 2), style.tint))
        items += self._vertical_rules(height, style)
        # Rows for writing have their words at the top, other rows in the middle.
        top = height - _AIR * style.size if min_height > 0 else height - (height - body) / 2
        tops = [
            height - (height - len(rows) * row_height) / 2
            if align == "middle" and len(rows) * row_height < body and min_height == 0
            else top
            for rows, align in zip(cell_rows, self.aligns, strict=True)
        ]
        items += self._draw_cells(cell_rows, tops, row_height, style.baseline_height() - _DROP * style.size)
        items.append(self._horizontal_rule(0.0, _BETWEEN, style))
        return drawing_of(self.width, height, items)

    def draw_head(self, cells: Sequence[str], style: TextStyle) -> Drawing:
        """Return the head row of a table, between two rules.

        Its cells are wrapped to the columns, and its size is in printed mm.
        """
        label_style = style.label
        row_height = style.row_height(label_style)
        cell_rows = self._wrap_cells(cells, ((label_style, label_style),) * len(self.widths))
        height = max(1, *(len(rows) for rows in cell_rows)) * row_height + 2 * _AIR * style.size
        tops = [_AIR * style.size + len(rows) * row_height for rows in cell_rows]
        items: list[Item] = [*self._vertical_rules(height, style)]
        items += self._draw_cells(
            cell_rows, tops, row_height, style.baseline_height(label_style) - _DROP * label_style.height
        )
        items += (self._horizontal_rule(y, _RULE, style) for y in (0.0, height))
        return drawing_of(self.width, height, items)

    def _wrap_cells(
        self, cells: Sequence[str], cell_styles: Sequence[tuple[TypeStyle, TypeStyle]]
    ) -> list[tuple[TextRow, ...]]:
        """Return the rows of text in each cell; ``cell_styles`` has a plain and a strong style for each."""
        return [
            wrap_text(text, *style_pair, max(width - 2 * self.pad, 0.5))
            for text, style_pair, width in zip(cells, cell_styles, self.widths, strict=True)
        ]

    def _draw_cells(
        self, cell_rows: Sequence[Sequence[TextRow]], tops: Sequence[float], row_height: float, baseline: float
    ) -> Iterator[Text]:
        """Yield the texts of the cells, each from its top.

        ``tops``, ``row_height`` and ``baseline`` (above the bottom of a row) are in printed mm.
        """
        for rows, top, left, column_width, align in zip(
            cell_rows, tops, self.lefts, self.widths, self.aligns, strict=True
        ):
            width = column_width - 2 * self.pad
            yield from draw_rows(
                rows, left + self.pad, top, width=width, row=row_height, baseline=baseline, align=align
            )

    def _horizontal_rule(self, y: float, width: float, style: TextStyle) -> Path:
        """Return a rule across the table at the height ``y``; ``width`` of the line is in printed mm."""
        return make_line([(0.0, y), (self.width, y)], style.rule, style.line(width))

    def add_heavy_rule(self, row: Drawing, style: TextStyle, *, above: bool = False) -> Drawing:
        """Return a row with a heavier rule below it, or above it with ``above``."""
        heavy_rule = self._horizontal_rule(row.height if above else 0.0, _RULE, style)
        return drawing_of(row.width, row.height, [*drawing_items(row), heavy_rule])

    def _vertical_rules(self, height: float, style: TextStyle) -> list[Item]:
        """Return the rules between columns in a row ``height`` printed mm high; empty without rules."""
        lefts = self.lefts[1:] if self.has_rules else ()
        return [make_line([(x, 0.0), (x, height)], style.rule, style.line(_BETWEEN)) for x in lefts]


def lay_out_table(block: Table, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a table over ``width`` printed mm. A page can break between rows and repeats the head.

    Rows for writing (``min_height``) have rules between columns and no tint. If words would break in the smallest type,
    each row becomes a paragraph.
    """
    count = max((len(row) for row in (block.head, *block.rows)), default=0)
    if count == 0:
        return LaidOutBlock(parts=(), gap_mm=0.0)
    rows = [_pad_cells(row, count) for row in block.rows]
    head = _pad_cells(block.head, count) if block.head else ()
    min_widths = _min_widths(rows, head, style)
    if plain_sum(min_widths) > width:
        style = style.scaled(width / plain_sum(min_widths))
        min_widths = _min_widths(rows, head, style)
    if plain_sum(min_widths) > width + _TOLERANCE and not block.min_height:
        return _lay_out_paragraphs(rows, head, width, style)
    pad = _PAD * style.size
    excess = max(0.0, plain_sum(min_widths) - width)
    if excess > _TOLERANCE:
        # A form keeps its columns: it gives up cell padding before its words get smaller.
        reduction = min(excess / (2 * count), pad - _PAD_LEAST * style.size)
        pad, min_widths = pad - reduction, tuple(min_width - 2 * reduction for min_width in min_widths)
    cell_styles = ((style.text, style.strong),) * count
    widths = _widths_from_shares(block.shares, min_widths, width) or _widths_from_content(
        rows, head, style, width=width, min_widths=min_widths
    )
    default_align: Align = "left"
    aligns = tuple([*block.aligns, *[default_align] * count][:count])
    is_form = block.min_height > 0
    grid = _Grid(
        width=width,
        lefts=_left_edges(widths),
        widths=widths,
        aligns=aligns,
        cell_styles=cell_styles,
        pad=pad,
        has_rules=is_form,
    )
    top = grid.draw_head(head, style) if head else None
    body = [
        grid.draw_row(row, style, is_tinted=number % 2 == 0 and not is_form, min_height=block.min_height)
        for number, row in enumerate(rows)
    ]
    return _join_rows(grid, body, top, style)


def _lay_out_paragraphs(
    rows: Sequence[Sequence[str]], head: Sequence[str], width: float, style: TextStyle
) -> LaidOutBlock:
    """Return a table as paragraphs over ``width`` printed mm.

    The first cell of a row is strong, the others follow their column heads, separated by semicolons; empty cells are
    left out. Each row is one part.
    """
    parts = []
    for row in rows:
        head_cells = zip(head[1:] or [""] * len(row), row[1:], strict=False)
        details = "; ".join(f"{name}: {cell}" if name else cell for name, cell in head_cells if cell)
        first = plain_text(row[0])
        text = f"**{first}** {details}" if first else details
        text_rows = wrap_text(" ".join(text.split()), style.text, style.strong, width)
        row_height = style.row_height()
        height = len(text_rows) * row_height + _PARAGRAPH_GAP * style.size
        items = draw_rows(
            text_rows, 0.0, height, width=width, row=row_height, baseline=style.baseline_height(), align="left"
        )
        parts.append(drawing_of(width, height, items))
    return LaidOutBlock(parts=tuple(parts), gap_mm=style.gap_mm(_BEFORE))


def lay_out_scores(block: ScoreTable, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a die table over ``width`` printed mm: centred strong scores, a rule, and their meanings.

    The score column is 17 mm wide in a table of 62 mm or more, and narrower in a narrower one. The head has the die and
    the title, if they are given.
    """
    pad = _PAD * style.size
    scores = [plain_text(score) for score, _ in block.rows]
    max_score_mm = (
        max((natural_width(score, style.figure, style.figure) for score in (*scores, "1–2")), default=0.0) + 2 * pad
    )
    normal_width = _SCORE_COLUMN * min(1.0, width / _SCORES_AS_WIDE_AS)
    score_width = min(max(max_score_mm, normal_width), max(_WIDEST_SCORE * width, normal_width))
    widths = (score_width, width - score_width)
    grid = _Grid(
        width=width,
        lefts=_left_edges(widths),
        widths=widths,
        aligns=("middle", "left"),
        cell_styles=((style.figure, style.figure), (style.text, style.strong)),
        pad=pad,
        has_rules=True,
    )
    head = grid.draw_head((block.dice, block.title), style) if block.dice or block.title else None
    rows = [
        grid.draw_row((score, meaning), style, is_tinted=number % 2 == 0)
        for number, (score, (_, meaning)) in enumerate(zip(scores, block.rows, strict=True))
    ]
    return _join_rows(grid, rows, head, style)


def _join_rows(grid: _Grid, rows: list[Drawing], head: Drawing | None, style: TextStyle) -> LaidOutBlock:
    """Return a table from its rows and its head, with heavy rules at the top and the bottom."""
    if rows:
        rows[-1] = grid.add_heavy_rule(rows[-1], style)
        if head is None:
            rows[0] = grid.add_heavy_rule(rows[0], style, above=True)
    parts = tuple(rows) if head is None else (head, *rows)
    return LaidOutBlock(parts=parts, gap_mm=style.gap_mm(_BEFORE), head=head, min_parts=2 if head is None else 3)


def _pad_cells(cells: Sequence[str], count: int) -> tuple[str, ...]:
    """Return the cells of a row, with empty texts added at the end up to ``count`` cells."""
    return (*cells, *("",) * (count - len(cells)))


def _left_edges(widths: Sequence[float]) -> tuple[float, ...]:
    """Return the left edge of each column in printed mm, from the widths of the columns."""
    return tuple(plain_sum(widths[:index]) for index in range(len(widths)))


def _widths_from_shares(shares: Sequence[float], min_widths: Sequence[float], width: float) -> tuple[float, ...]:
    """Return column widths by shares of ``width``, wide enough for the longest word of each column.

    All widths are in printed mm, and their sum is ``width``. The tuple is empty unless each column has a share.
    """
    if len(shares) != len(min_widths) or min(shares) <= 0:
        return ()
    share_widths = [width * share / plain_sum(shares) for share in shares]
    return widths_with_minimum(share_widths, min_widths, width)


def _widths_from_content(
    rows: Sequence[Sequence[str]], head: Sequence[str], style: TextStyle, *, width: float, min_widths: Sequence[float]
) -> tuple[float, ...]:
    """Return column widths in printed mm that fill ``width`` mm with as little wrapping as possible.

    Each column is at least as wide as its minimum in ``min_widths``, if all minimums fit.
    """
    natural_widths = _max_lengths(rows, head, style, natural_width)
    if plain_sum(natural_widths) <= width:
        spare = width - plain_sum(natural_widths)
        return tuple(min_width + spare * min_width / plain_sum(natural_widths) for min_width in natural_widths)
    excesses = [wanted_width - min_width for wanted_width, min_width in zip(natural_widths, min_widths, strict=True)]
    spare_width = width - plain_sum(min_widths)
    if spare_width <= 0 or plain_sum(excesses) <= 0:
        return widths_with_minimum(natural_widths, min_widths, width)
    return tuple(
        min_width + spare_width * excess / plain_sum(excesses)
        for min_width, excess in zip(min_widths, excesses, strict=True)
    )


def widths_with_minimum(
    preferred_widths: Sequence[float], min_widths: Sequence[float], width: float
) -> tuple[float, ...]:
    """Return column widths in printed mm near ``preferred_widths`` that fill ``width`` mm.

    Each is at least its minimum in ``min_widths`` if all minimums fit, otherwise in proportion to the minimums.
    """
    if plain_sum(min_widths) >= width:
        return tuple(min_width * width / plain_sum(min_widths) for min_width in min_widths)
    widths = [
        max(preferred_width, min_width) for preferred_width, min_width in zip(preferred_widths, min_widths, strict=True)
    ]
    spare = [column_width - min_width for column_width, min_width in zip(widths, min_widths, strict=True)]
    excess = plain_sum(widths) - width
    return tuple(
        column_width - excess * slack / plain_sum(spare) for column_width, slack in zip(widths, spare, strict=True)
    )


def _min_widths(rows: Sequence[Sequence[str]], head: Sequence[str], style: TextStyle) -> tuple[float, ...]:
    """Return the width in printed mm of each column at which no word breaks, with padding."""
    return _max_lengths(rows, head, style, longest_word)


def _max_lengths(
    rows: Sequence[Sequence[str]],
    head: Sequence[str],
    style: TextStyle,
    length: Callable[[str, TypeStyle, TypeStyle], float],
) -> tuple[float, ...]:
    """Return the greatest length in printed mm of the cells of each column, plus padding.

    ``length`` measures a text in its plain and strong type style.
    """
    padding = 2 * _PAD * style.size + 0.05
    max_lengths = [0.0] * len((*rows, head)[0])
    for cells, text_style, strong_style in (
        *((row, style.text, style.strong) for row in rows),
        (head, style.label, style.label),
    ):
        for index, cell in enumerate(cells):
            max_lengths[index] = max(max_lengths[index], length(cell, text_style, strong_style) + padding)
    return tuple(max_lengths)
