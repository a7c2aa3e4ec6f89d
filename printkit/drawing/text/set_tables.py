"""Lay out paragraphs, lists and tables: steps, bullets, check boxes, modifiers, results, and tables of dice or text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.content.prose import Align, Bullets, CheckBoxes, Modifiers, Paragraph, Results, ScoreTable, Steps, Table
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Item, Path, Stroke, Text
from printkit.drawing.canvas.layers import drawing_items, drawing_of
from printkit.drawing.canvas.plain import TOLERANCE, make_line, make_lozenge, make_rectangle
from printkit.drawing.lettering.lettering import TypeStyle, line, measure
from printkit.drawing.text.text_runs import TextRow, draw_rows, longest_word, natural_width, plain_text, wrap_text
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle

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
            items.append(make_rectangle((0.0, 0.0, self.width, height - style.line(_BETWEEN) / 2), style.tint))
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
    if plain_sum(min_widths) > width + TOLERANCE and not block.min_height:
        return _lay_out_paragraphs(rows, head, width, style)
    pad = _PAD * style.size
    excess = max(0.0, plain_sum(min_widths) - width)
    if excess > TOLERANCE:
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


# --- Results of totals ------------------------------------------------------------------------------------------------

_LINE: Final = 0.5 * MM_PER_POINT
_LIST_PAD: Final = 0.4
_LIST_AIR: Final = 0.10
_BEFORE_RESULTS: Final = 0.55
# Gap between a score and its meaning, in type sizes.
_LIST_BETWEEN: Final = 0.9


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
    return [cells] if len(cells) == 1 or min_width <= width + TOLERANCE else [(cell,) for cell in cells]


def _min_cell_width(score: str, meaning: str, style: TextStyle) -> float:
    """Return the width in printed mm of a cell at which no word breaks."""
    first = natural_width(score, style.strong, style.strong) + _LIST_BETWEEN * style.size if score else 0.0
    return first + longest_word(meaning, style.text, style.strong) + 2 * _LIST_PAD * style.size


def _draw_row(cells: Sequence[tuple[str, str]], width: float, style: TextStyle, *, column: float) -> Drawing:
    """Return one row of results over ``width`` printed mm: a box with each score and its meaning.

    ``cells`` are (score, meaning) pairs; a score may be empty. ``column`` is the width in mm of the scores if the row
    has only one cell.
    """
    pad = _LIST_PAD * style.size
    gap = _LIST_BETWEEN * style.size
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
        cell_width < min_cell_width - TOLERANCE for cell_width, min_cell_width in zip(widths, min_widths, strict=True)
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
    height = body + 2 * _LIST_AIR * style.size
    ink, stroke = style.rule, style.line(_LINE)
    items: list[Item] = [make_rectangle((0.0, 0.0, width, height), None, Stroke(ink, stroke))]
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
    return meaning_width + (
        natural_width(score, style.strong, style.strong) + _LIST_BETWEEN * style.size if score else 0.0
    )


# Side of a check box in mm.
CHECK_BOX: Final = 3.0

_TICK_LINE: Final = 0.75 * MM_PER_POINT
_BETWEEN_TICKS: Final = 1.2
_BETWEEN_BOXES: Final = 0.5
_AMOUNT: Final = 8.0
_WIDEST_AMOUNT: Final = 0.22
_LIST_BEFORE: Final = 0.45
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
    return LaidOutBlock(parts=tuple(parts), gap_mm=style.gap_mm(_LIST_BEFORE), min_parts=2, keeps_with_next=is_heading)


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
    mark = make_lozenge((half_width, style.baseline_height() + 0.3 * style.size), half_width, half_width, style.rule)
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
    return LaidOutBlock(parts=tuple(parts), gap_mm=style.gap_mm(_LIST_BEFORE))


def _draw_check_boxes(count: int, left: float, style: TextStyle) -> list[Item]:
    """Return check boxes side by side, on the bottom of a row; ``left`` of the first is in printed mm."""
    bottom = style.baseline_height() + 0.34 * style.size - CHECK_BOX / 2
    stroke = Stroke(style.rule, style.line(_TICK_LINE))
    lefts = (left + number * (CHECK_BOX + _BETWEEN_TICKS) for number in range(count))
    return [make_rectangle((x, bottom, CHECK_BOX, CHECK_BOX), None, stroke) for x in lefts]


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
