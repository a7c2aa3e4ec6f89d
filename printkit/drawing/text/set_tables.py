"""Sets tables: columns by share or by content, wrapped cells, a head, tints on every other row; and tables of a die."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from printkit.content.prose import Align, Scores, Table
from printkit.drawing.canvas.items import Drawing, Item
from printkit.drawing.lettering.lettering import Hand
from printkit.drawing.text.text_runs import longest_word, natural, plain_text, rows_of, set_rows
from printkit.drawing.text.text_styles import Manner, Setting, oblong, part, patch, rule

_SCORE_COLUMN: Final = 17.0
_SCORES_AS_WIDE_AS: Final = 62.0
_WIDEST_SCORE: Final = 0.45
_RULE: Final = 0.30
_BETWEEN: Final = 0.15
_BEFORE: Final = 0.5
_PAD: Final = 0.42
_AIR: Final = 0.16
_DROP: Final = 0.06


class _Grid(Struct, frozen=True, kw_only=True):
    """The columns of a table: where each begins, how wide it is, how its cells stand, and in which hands."""

    width: float
    lefts: tuple[float, ...]
    widths: tuple[float, ...]
    aligns: tuple[Align, ...]
    hands: tuple[tuple[Hand, Hand], ...]
    pad: float
    ruled: bool

    def row(self, cells: Sequence[str], manner: Manner, *, tinted: bool, least: float = 0.0) -> Drawing:
        """Return one row: its ground, its cells, the rules between columns where there are any."""
        high = manner.row()
        written = [
            rows_of(text, *hands, max(width - 2 * self.pad, 0.5))
            for text, hands, width in zip(cells, self.hands, self.widths, strict=True)
        ]
        body = max(1, *(len(rows) for rows in written)) * high
        height = max(body + 2 * _AIR * manner.size, least)
        items: list[Item] = []
        if tinted and manner.tint is not None:
            # The rule above belongs to the row before; the tint must not cover its lower half.
            items.append(patch(oblong(0.0, 0.0, self.width, height - manner.line(_BETWEEN) / 2), manner.tint))
        items += self._uprights(height, manner)
        for rows, left, width, align in zip(written, self.lefts, self.widths, self.aligns, strict=True):
            # Rows that are written into keep their words at the top, others at their middle.
            top = height - _AIR * manner.size if least > 0 else height - (height - body) / 2
            if align == "middle" and len(rows) * high < body and least == 0:
                top = height - (height - len(rows) * high) / 2
            items += set_rows(
                rows,
                left + self.pad,
                top,
                width=width - 2 * self.pad,
                row=high,
                foot=manner.foot() - _DROP * manner.size,
                align=align,
            )
        items.append(rule([(0.0, 0.0), (self.width, 0.0)], manner.rule, manner.line(_BETWEEN)))
        return part(self.width, height, items)

    def headed(self, cells: Sequence[str], manner: Manner) -> Drawing:
        """Return the head between two rules."""
        hand = manner.label
        high = manner.row(hand)
        written = [
            rows_of(text, hand, hand, max(width - 2 * self.pad, 0.5))
            for text, width in zip(cells, self.widths, strict=True)
        ]
        height = max(1, *(len(rows) for rows in written)) * high + 2 * _AIR * manner.size
        items: list[Item] = [*self._uprights(height, manner)]
        for rows, left, width, align in zip(written, self.lefts, self.widths, self.aligns, strict=True):
            top = _AIR * manner.size + len(rows) * high
            inner = width - 2 * self.pad
            items += set_rows(
                rows,
                left + self.pad,
                top,
                width=inner,
                row=high,
                foot=manner.foot(hand) - _DROP * hand.height,
                align=align,
            )
        for y in (0.0, height):
            items.append(rule([(0.0, y), (self.width, y)], manner.rule, manner.line(_RULE)))
        return part(self.width, height, items)

    def closed(self, row: Drawing, manner: Manner, *, top: bool = False) -> Drawing:
        """Return a row with the heavier rule below it, or above it."""
        y = row.height if top else 0.0
        items = [item for _, item in row.items()]
        return part(row.width, row.height, [*items, rule([(0.0, y), (self.width, y)], manner.rule, manner.line(_RULE))])

    def _uprights(self, height: float, manner: Manner) -> list[Item]:
        lefts = self.lefts[1:] if self.ruled else ()
        return [rule([(x, 0.0), (x, height)], manner.rule, manner.line(_BETWEEN)) for x in lefts]


def set_table(block: Table, width: float, manner: Manner) -> Setting:
    """Return a table over the whole width; a page breaks it between rows and repeats the head.

    Rows that are written into (``least``) have rules between their columns and no tint.
    """
    count = max((len(row) for row in (block.head, *block.rows)), default=0)
    if count == 0:
        return Setting(parts=(), before=0.0)
    rows = [_filled(row, count) for row in block.rows]
    head = _filled(block.head, count) if block.head else ()
    least = _least_widths(rows, head, manner)
    if sum(least) > width:
        manner = manner.sized(width / sum(least))
        least = _least_widths(rows, head, manner)
    pad = _PAD * manner.size
    hands = ((manner.text, manner.strong),) * count
    widths = _shared(block.shares, least, width) or _by_content(rows, head, manner, width=width, least=least)
    unsaid: Align = "left"
    aligns = tuple([*block.aligns, *[unsaid] * count][:count])
    form = block.least > 0
    grid = _Grid(width=width, lefts=_lefts(widths), widths=widths, aligns=aligns, hands=hands, pad=pad, ruled=form)
    top = grid.headed(head, manner) if head else None
    body = [
        grid.row(row, manner, tinted=number % 2 == 0 and not form, least=block.least) for number, row in enumerate(rows)
    ]
    return _table(grid, body, top, manner)


def set_scores(block: Scores, width: float, manner: Manner) -> Setting:
    """Return a table of a die: strong spans in the middle of their column, a rule, and what they mean.

    The column of scores is 17 mm wide in a column of 62 mm, narrower in narrower ones. Above stand the die and the
    title, where there are any.
    """
    pad = _PAD * manner.size
    spoken = [plain_text(score) for score, _ in block.rows]
    needed = max((natural(score, manner.figure, manner.figure) for score in (*spoken, "1–2")), default=0.0) + 2 * pad
    usual = _SCORE_COLUMN * min(1.0, width / _SCORES_AS_WIDE_AS)
    left = min(max(needed, usual), max(_WIDEST_SCORE * width, usual))
    widths = (left, width - left)
    grid = _Grid(
        width=width,
        lefts=_lefts(widths),
        widths=widths,
        aligns=("middle", "left"),
        hands=((manner.figure, manner.figure), (manner.text, manner.strong)),
        pad=pad,
        ruled=True,
    )
    head = grid.headed((block.dice, block.title), manner) if block.dice or block.title else None
    rows = [
        grid.row((score, meaning), manner, tinted=number % 2 == 0)
        for number, (score, (_, meaning)) in enumerate(zip(spoken, block.rows, strict=True))
    ]
    return _table(grid, rows, head, manner)


def _table(grid: _Grid, rows: list[Drawing], head: Drawing | None, manner: Manner) -> Setting:
    if rows:
        rows[-1] = grid.closed(rows[-1], manner)
        if head is None:
            rows[0] = grid.closed(rows[0], manner, top=True)
    parts = tuple(rows) if head is None else (head, *rows)
    return Setting(parts=parts, before=manner.gap(_BEFORE), head=head, least=2 if head is None else 3)


def _filled(cells: Sequence[str], count: int) -> tuple[str, ...]:
    return (*cells, *("",) * (count - len(cells)))


def _lefts(widths: Sequence[float]) -> tuple[float, ...]:
    return tuple(sum(widths[:place]) for place in range(len(widths)))


def _shared(shares: Sequence[float], least: Sequence[float], width: float) -> tuple[float, ...]:
    """Return the width divided by shares, a column with a longer word at the cost of the others.

    Nothing where there is not a share for each column.
    """
    if len(shares) != len(least) or min(shares) <= 0:
        return ()
    wanted = [width * share / sum(shares) for share in shares]
    return _at_least(wanted, least, width)


def _by_content(
    rows: Sequence[Sequence[str]], head: Sequence[str], manner: Manner, *, width: float, least: Sequence[float]
) -> tuple[float, ...]:
    """Return the width divided so that columns wrap as little as can be, each at least as wide as its longest word."""
    wanted = _widest(rows, head, manner, natural)
    if sum(wanted) <= width:
        spare = width - sum(wanted)
        return tuple(own + spare * own / sum(wanted) for own in wanted)
    over = [want - own for want, own in zip(wanted, least, strict=True)]
    room = width - sum(least)
    if room <= 0 or sum(over) <= 0:
        return _at_least(wanted, least, width)
    return tuple(own + room * more / sum(over) for own, more in zip(least, over, strict=True))


def _at_least(wanted: Sequence[float], least: Sequence[float], width: float) -> tuple[float, ...]:
    """Return widths near those wanted that fill ``width``, each its least where all of these have room."""
    if sum(least) >= width:
        return tuple(own * width / sum(least) for own in least)
    widths = [max(want, own) for want, own in zip(wanted, least, strict=True)]
    spare = [wide - own for wide, own in zip(widths, least, strict=True)]
    over = sum(widths) - width
    return tuple(wide - over * slack / sum(spare) for wide, slack in zip(widths, spare, strict=True))


def _least_widths(rows: Sequence[Sequence[str]], head: Sequence[str], manner: Manner) -> tuple[float, ...]:
    """Return for each column the width at which no word of it is broken."""
    return _widest(rows, head, manner, longest_word)


def _widest(
    rows: Sequence[Sequence[str]], head: Sequence[str], manner: Manner, length: Callable[[str, Hand, Hand], float]
) -> tuple[float, ...]:
    """Return for each column the greatest length of its cells, with room on either side."""
    room = 2 * _PAD * manner.size + 0.05
    found = [0.0] * len((*rows, head)[0])
    for cells, plain, strong in (
        *((row, manner.text, manner.strong) for row in rows),
        (head, manner.label, manner.label),
    ):
        for place, cell in enumerate(cells):
            found[place] = max(found[place], length(cell, plain, strong) + room)
    return tuple(found)
