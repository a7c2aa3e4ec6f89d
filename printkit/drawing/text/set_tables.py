"""Lay out tables and die tables: columns by share or content, wrapped cells, a head, tinted rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.content.prose import Align, ScoreTable, Table
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing, Item, Path, Text
from printkit.drawing.lettering.lettering import TypeStyle
from printkit.drawing.text.text_runs import TextRow, longest_word, natural, plain_text, rows_of, set_rows
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle, drawing_of, items_of, oblong, patch, rule

_SCORE_COLUMN: Final = 17.0
_SCORES_AS_WIDE_AS: Final = 62.0
_WIDEST_SCORE: Final = 0.45
_RULE: Final = 0.30
_BETWEEN: Final = 0.15
_BEFORE: Final = 0.5
_PAD: Final = 0.42
_PAD_LEAST: Final = 0.18
_AIR: Final = 0.16
_BETWEEN_LISTED: Final = 0.2
_LOOSE: Final = 1e-6
_DROP: Final = 0.06


class _Grid(Struct, frozen=True, kw_only=True):
    """The columns of a table: left edges, widths, alignments, and plain and strong type styles."""

    width: float
    lefts: tuple[float, ...]
    widths: tuple[float, ...]
    aligns: tuple[Align, ...]
    hands: tuple[tuple[TypeStyle, TypeStyle], ...]
    pad: float
    ruled: bool

    def row(self, cells: Sequence[str], style: TextStyle, *, tinted: bool, least: float = 0.0) -> Drawing:
        """Return one row: tint, cells, and rules between columns if the grid has them."""
        high = style.row()
        written = self._written(cells, self.hands)
        body = max(1, *(len(rows) for rows in written)) * high
        height = max(body + 2 * _AIR * style.size, least)
        items: list[Item] = []
        if tinted and style.tint is not None:
            # The rule above is part of the previous row; the tint must not cover its lower half.
            items.append(patch(oblong(0.0, 0.0, self.width, height - style.line(_BETWEEN) / 2), style.tint))
        items += self._uprights(height, style)
        # Rows for writing have their words at the top, other rows in the middle.
        top = height - _AIR * style.size if least > 0 else height - (height - body) / 2
        tops = [
            height - (height - len(rows) * high) / 2
            if align == "middle" and len(rows) * high < body and least == 0
            else top
            for rows, align in zip(written, self.aligns, strict=True)
        ]
        items += self._cells(written, tops, high, style.foot() - _DROP * style.size)
        items.append(self._level(0.0, _BETWEEN, style))
        return drawing_of(self.width, height, items)

    def headed(self, cells: Sequence[str], style: TextStyle) -> Drawing:
        """Return the head row between two rules."""
        hand = style.label
        high = style.row(hand)
        written = self._written(cells, ((hand, hand),) * len(self.widths))
        height = max(1, *(len(rows) for rows in written)) * high + 2 * _AIR * style.size
        tops = [_AIR * style.size + len(rows) * high for rows in written]
        items: list[Item] = [*self._uprights(height, style)]
        items += self._cells(written, tops, high, style.foot(hand) - _DROP * hand.height)
        items += (self._level(y, _RULE, style) for y in (0.0, height))
        return drawing_of(self.width, height, items)

    def _written(self, cells: Sequence[str], hands: Sequence[tuple[TypeStyle, TypeStyle]]) -> list[tuple[TextRow, ...]]:
        return [
            rows_of(text, *pair, max(width - 2 * self.pad, 0.5))
            for text, pair, width in zip(cells, hands, self.widths, strict=True)
        ]

    def _cells(
        self, written: Sequence[Sequence[TextRow]], tops: Sequence[float], high: float, foot: float
    ) -> Iterator[Text]:
        """Yield the texts of the cells, each from its top."""
        for rows, top, left, wide, align in zip(written, tops, self.lefts, self.widths, self.aligns, strict=True):
            width = wide - 2 * self.pad
            yield from set_rows(rows, left + self.pad, top, width=width, row=high, foot=foot, align=align)

    def _level(self, y: float, width: float, style: TextStyle) -> Path:
        return rule([(0.0, y), (self.width, y)], style.rule, style.line(width))

    def closed(self, row: Drawing, style: TextStyle, *, top: bool = False) -> Drawing:
        """Return a row with a heavier rule below it, or with ``top`` above it."""
        heavier = self._level(row.height if top else 0.0, _RULE, style)
        return drawing_of(row.width, row.height, [*items_of(row), heavier])

    def _uprights(self, height: float, style: TextStyle) -> list[Item]:
        lefts = self.lefts[1:] if self.ruled else ()
        return [rule([(x, 0.0), (x, height)], style.rule, style.line(_BETWEEN)) for x in lefts]


def set_table(block: Table, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a table over the full width. A page can break between rows and repeats the head.

    Rows for writing (``least``) have rules between columns and no tint. If words would break in the smallest type,
    each row becomes a paragraph.
    """
    count = max((len(row) for row in (block.head, *block.rows)), default=0)
    if count == 0:
        return LaidOutBlock(parts=(), before=0.0)
    rows = [_filled(row, count) for row in block.rows]
    head = _filled(block.head, count) if block.head else ()
    least = _least_widths(rows, head, style)
    if plain_sum(least) > width:
        style = style.sized(width / plain_sum(least))
        least = _least_widths(rows, head, style)
    if plain_sum(least) > width + _LOOSE and not block.min_height:
        return _listed(rows, head, width, style)
    pad = _PAD * style.size
    over = max(0.0, plain_sum(least) - width)
    if over > _LOOSE:
        # A form keeps its columns: it gives up cell padding before its words get smaller.
        closer = min(over / (2 * count), pad - _PAD_LEAST * style.size)
        pad, least = pad - closer, tuple(own - 2 * closer for own in least)
    hands = ((style.text, style.strong),) * count
    widths = _shared(block.shares, least, width) or _by_content(rows, head, style, width=width, least=least)
    unsaid: Align = "left"
    aligns = tuple([*block.aligns, *[unsaid] * count][:count])
    form = block.min_height > 0
    grid = _Grid(width=width, lefts=_lefts(widths), widths=widths, aligns=aligns, hands=hands, pad=pad, ruled=form)
    top = grid.headed(head, style) if head else None
    body = [
        grid.row(row, style, tinted=number % 2 == 0 and not form, least=block.min_height)
        for number, row in enumerate(rows)
    ]
    return _table(grid, body, top, style)


def _listed(rows: Sequence[Sequence[str]], head: Sequence[str], width: float, style: TextStyle) -> LaidOutBlock:
    """Return a table as paragraphs: the first cell of a row is strong, the others follow their column heads."""
    parts = []
    for row in rows:
        named = zip(head[1:] or [""] * len(row), row[1:], strict=False)
        told = "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
        first = plain_text(row[0])
        said = f"**{first}** {told}" if first else told
        written = rows_of(" ".join(said.split()), style.text, style.strong, width)
        high = style.row()
        height = len(written) * high + _BETWEEN_LISTED * style.size
        items = set_rows(written, 0.0, height, width=width, row=high, foot=style.foot(), align="left")
        parts.append(drawing_of(width, height, items))
    return LaidOutBlock(parts=tuple(parts), before=style.gap(_BEFORE))


def set_scores(block: ScoreTable, width: float, style: TextStyle) -> LaidOutBlock:
    """Return a die table: a column of centred strong scores, a rule, and a column of meanings.

    The score column is 17 mm wide in a table of 62 mm or more, and narrower in a narrower one. The head has the die
    and the title, if they are given.
    """
    pad = _PAD * style.size
    spoken = [plain_text(score) for score, _ in block.rows]
    needed = max((natural(score, style.figure, style.figure) for score in (*spoken, "1–2")), default=0.0) + 2 * pad
    usual = _SCORE_COLUMN * min(1.0, width / _SCORES_AS_WIDE_AS)
    left = min(max(needed, usual), max(_WIDEST_SCORE * width, usual))
    widths = (left, width - left)
    grid = _Grid(
        width=width,
        lefts=_lefts(widths),
        widths=widths,
        aligns=("middle", "left"),
        hands=((style.figure, style.figure), (style.text, style.strong)),
        pad=pad,
        ruled=True,
    )
    head = grid.headed((block.dice, block.title), style) if block.dice or block.title else None
    rows = [
        grid.row((score, meaning), style, tinted=number % 2 == 0)
        for number, (score, (_, meaning)) in enumerate(zip(spoken, block.rows, strict=True))
    ]
    return _table(grid, rows, head, style)


def _table(grid: _Grid, rows: list[Drawing], head: Drawing | None, style: TextStyle) -> LaidOutBlock:
    if rows:
        rows[-1] = grid.closed(rows[-1], style)
        if head is None:
            rows[0] = grid.closed(rows[0], style, top=True)
    parts = tuple(rows) if head is None else (head, *rows)
    return LaidOutBlock(parts=parts, before=style.gap(_BEFORE), head=head, least=2 if head is None else 3)


def _filled(cells: Sequence[str], count: int) -> tuple[str, ...]:
    return (*cells, *("",) * (count - len(cells)))


def _lefts(widths: Sequence[float]) -> tuple[float, ...]:
    return tuple(plain_sum(widths[:place]) for place in range(len(widths)))


def _shared(shares: Sequence[float], least: Sequence[float], width: float) -> tuple[float, ...]:
    """Return column widths by shares, but wide enough for the longest word of each column.

    Return nothing unless each column has a share.
    """
    if len(shares) != len(least) or min(shares) <= 0:
        return ()
    wanted = [width * share / plain_sum(shares) for share in shares]
    return at_least(wanted, least, width)


def _by_content(
    rows: Sequence[Sequence[str]], head: Sequence[str], style: TextStyle, *, width: float, least: Sequence[float]
) -> tuple[float, ...]:
    """Return column widths with as little wrapping as possible, each at least as wide as its longest word."""
    wanted = _widest(rows, head, style, natural)
    if plain_sum(wanted) <= width:
        spare = width - plain_sum(wanted)
        return tuple(own + spare * own / plain_sum(wanted) for own in wanted)
    over = [want - own for want, own in zip(wanted, least, strict=True)]
    room = width - plain_sum(least)
    if room <= 0 or plain_sum(over) <= 0:
        return at_least(wanted, least, width)
    return tuple(own + room * more / plain_sum(over) for own, more in zip(least, over, strict=True))


def at_least(wanted: Sequence[float], least: Sequence[float], width: float) -> tuple[float, ...]:
    """Return widths near ``wanted`` that fill ``width``, each at least its minimum if all minimums fit."""
    if plain_sum(least) >= width:
        return tuple(own * width / plain_sum(least) for own in least)
    widths = [max(want, own) for want, own in zip(wanted, least, strict=True)]
    spare = [wide - own for wide, own in zip(widths, least, strict=True)]
    over = plain_sum(widths) - width
    return tuple(wide - over * slack / plain_sum(spare) for wide, slack in zip(widths, spare, strict=True))


def _least_widths(rows: Sequence[Sequence[str]], head: Sequence[str], style: TextStyle) -> tuple[float, ...]:
    """Return the width of each column at which no word breaks."""
    return _widest(rows, head, style, longest_word)


def _widest(
    rows: Sequence[Sequence[str]],
    head: Sequence[str],
    style: TextStyle,
    length: Callable[[str, TypeStyle, TypeStyle], float],
) -> tuple[float, ...]:
    """Return the greatest length of the cells of each column, plus padding."""
    room = 2 * _PAD * style.size + 0.05
    found = [0.0] * len((*rows, head)[0])
    for cells, plain, strong in (
        *((row, style.text, style.strong) for row in rows),
        (head, style.label, style.label),
    ):
        for place, cell in enumerate(cells):
            found[place] = max(found[place], length(cell, plain, strong) + room)
    return tuple(found)
