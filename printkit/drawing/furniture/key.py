"""The key: features by number, or by cell on a grid, with name, going, and the rolls that placed them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, LayerName
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.furniture.frame import bordered
from printkit.drawing.furniture.legend import going_word
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.map.cells import address
from printkit.drawing.map.labels import disc, disc_radius, numbered
from printkit.drawing.map.map_layout import MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Feature, Hill
from printkit.terrain.field.grids import Cell, Grid

_ROWS_OF_TYPE: Final = 30.0
_BETWEEN: Final = 9.0
_LEADING: Final = 1.18
_AFTER: Final = 0.55
_LOOSE: Final = 1e-6
_SENTENCES: Final = re.compile(r"(?<=\.) (?=\S)")


class _Part(NamedTuple):
    """Words of a row in one type style."""

    text: str
    hand: TypeStyle


class _Note(Struct, frozen=True):
    """An entry of the key: number, rows of type in one or two type styles, and height in mm.

    On a grid ``address`` (the first cell of the feature) replaces the number. A note without both is not for a feature.
    """

    number: int
    rows: tuple[tuple[_Part, ...], ...]
    height: float
    address: str = ""


def key_columns(width: float, drafter: Drafter) -> int:
    """Return the number of columns for a key ``width`` mm wide that gives lines of a readable length."""
    return max(1, round(width / (_ROWS_OF_TYPE * drafter.hand(Font.ITALIC, 13.5).height)))


def key_blocks(
    layout: MapLayout,
    drafter: Drafter,
    width: float,
    *,
    height: float | None = None,
    columns: int | None = None,
) -> tuple[Drawing, ...]:
    """Return the key as blocks of at most ``height`` mm; one block if no height is given.

    Args:
        layout: the battlefield, the account of each feature, and the caption with the sides.
        drafter: context and words.
        width: width of the blocks in mm.
        height: height of a page in mm.
        columns: number of columns; by default ``key_columns``.
    """
    columns = columns or key_columns(width, drafter)
    gap = drafter.size(_BETWEEN)
    column = (width - gap * (columns - 1)) / columns
    field = layout.field
    notes = [_note(number, feature, drafter, layout.accounts, column, field.grid) for number, feature in _listed(field)]
    notes += _overlay_notes(layout, drafter, column)
    heading = _heading(drafter, width)
    blocks: list[Drawing] = []
    while notes:
        room = None if height is None else height - heading.height
        columned, notes = _filled(notes, columns, room)
        body_height = max(plain_sum(note.height for note in filled) for filled in columned)
        parts = [
            PlacedDrawing(_column(filled, drafter, column, body_height), place * (column + gap), 0.0)
            for place, filled in enumerate(columned)
        ]
        parts.append(PlacedDrawing(heading, 0.0, body_height))
        blocks.append(joined(width, body_height + heading.height, parts))
    return tuple(blocks)


def key_width(layout: MapLayout, drafter: Drafter, columns: int) -> float:
    """Return the width in mm that ``columns`` columns need for their longest rows, up to a readable line length."""
    most = _ROWS_OF_TYPE * drafter.hand(Font.ITALIC, 13.5).height
    longest = 0.0
    for number, feature in _listed(layout.field):
        note = _note(number, feature, drafter, layout.accounts, most, layout.field.grid)
        rows = [plain_sum(measure(f"{text} x", hand) - measure("x", hand) for text, hand in row) for row in note.rows]
        longest = max(longest, _indent(drafter, note.address) + max(rows))
    return columns * min(longest, most) + drafter.size(_BETWEEN) * (columns - 1)


def _listed(field: Battlefield) -> Iterator[tuple[int, Feature]]:
    """Yield the features with their numbers. Unnamed areas of one kind on the same cells appear once."""
    told: set[tuple[str, tuple[tuple[int, int], ...]]] = set()
    for number, feature in numbered(field):
        part = (feature.kind, feature.cells)
        if not (isinstance(feature, Area) and feature.cells and not feature.name and part in told):
            yield number, feature
        if isinstance(feature, Area):
            told.add(part)


def described(feature: Feature, words: Words, *, named: bool = True) -> str:
    """Return the name and kind of a feature: ``Harrow Hill, hill of two levels, lightly wooded``."""
    said = [words(f"kind.{feature.kind}")]
    if isinstance(feature, Hill):
        said = [words("hill.two_levels")] if len(feature.contours) > 1 else said
        said += [words(f"hill.{feature.cover}")] if feature.cover is not None else []
    if feature.name and named:
        said = [feature.name, said[0][:1].lower() + said[0][1:], *said[1:]]
    return ", ".join(said)


def _note(
    number: int, feature: Feature, drafter: Drafter, accounts: Mapping[str, str], column: float, grid: Grid | None
) -> _Note:
    """Return the note of a feature: kind and going, then the account; on small sheets in one paragraph."""
    at = address(grid, Cell(*feature.cells[0])) if grid is not None and feature.cells else ""
    measure_mm = column - _indent(drafter, at)
    roman, italic = drafter.hand(Font.ROMAN, 14.5), drafter.hand(Font.ITALIC, 13.5, "ink-secondary")
    first, *others = drafter.words.each()
    said = [_Part(_headline(feature, first), roman)]
    said += [_Part(_headline(feature, words, named=False), roman) for words in others]
    if account := accounts.get(feature.id, ""):
        said += [_Part(sentence, italic) for sentence in _told_once(account.split(SEPARATOR))]
    if bordered(drafter):
        rows = tuple(row for part in said for row in _flowed([part], measure_mm))
    else:
        ended = [part._replace(text=f"{part.text.rstrip('.')}.") for part in said[:-1]]
        rows = _flowed([*ended, said[-1]], measure_mm)
    height = plain_sum(_row_height(row) for row in rows) + rows[-1][0].hand.height * _AFTER
    return _Note(number, rows, height, at)


def _told_once(told: Sequence[str]) -> list[str]:
    """Return the accounts, one per language. Sentences at the end that all of them share stay in the last only."""
    parted = [_SENTENCES.split(each) for each in dict.fromkeys(told)]
    shared: list[str] = []
    while len(parted) > 1 and all(len(each) > 1 for each in parted) and len({each[-1] for each in parted}) == 1:
        shared.insert(0, parted[0][-1])
        parted = [each[:-1] for each in parted]
    return [" ".join(each) for each in (*parted[:-1], [*parted[-1], *shared])]


def _overlay_notes(layout: MapLayout, drafter: Drafter, column: float) -> Iterator[_Note]:
    """Yield the notes on overlays that have words, and on the two sides, one per language."""
    italic = drafter.hand(Font.ITALIC, 13.5, "ink-secondary")
    kinds = dict.fromkeys(f"overlay.{overlay.kind}" for overlay in layout.field.overlays)
    marks = (" ".join(words(key) for key in kinds if words.has(key)) for words in drafter.words.each())
    for said in (*marks, *(f"{who.replace(SEPARATOR, '. ')}." for who in layout.caption.who)):
        if said:
            rows = _flowed([_Part(said, italic)], column - _indent(drafter, ""))
            yield _Note(0, rows, plain_sum(_row_height(row) for row in rows) + italic.height * _AFTER)


def _headline(feature: Feature, words: Words, *, named: bool = True) -> str:
    said = described(feature, words, named=named)
    going = going_word(feature.going.name, words)
    return f"{said}: {going}" if going else said


def _flowed(parts: Sequence[_Part], measure_mm: float) -> tuple[tuple[_Part, ...], ...]:
    """Return the parts as one paragraph in rows of at most ``measure_mm``, broken between words."""
    rows: list[list[_Part]] = []
    gone = 0.0
    for text, hand in parts:
        space = measure("x x", hand) - measure("xx", hand)
        for word in text.split():
            length = measure(word, hand)
            if not rows or gone + space + length > measure_mm:
                rows.append([_Part(word, hand)])
                gone = length
            elif rows[-1][-1].hand == hand:
                rows[-1][-1] = _Part(f"{rows[-1][-1].text} {word}", hand)
                gone += space + length
            else:
                rows[-1].append(_Part(word, hand))
                gone += space + length
    return tuple(tuple(row) for row in rows)


def _row_height(row: tuple[_Part, ...]) -> float:
    return max(part.hand.height for part in row) * _LEADING


def _indent(drafter: Drafter, at: str) -> float:
    mark = measure(at, _address_hand(drafter)) if at else 2 * disc_radius(drafter)
    return mark + drafter.size(2.4)


def _address_hand(drafter: Drafter) -> TypeStyle:
    return drafter.hand(Font.FIGURES_MEDIUM, 11.0)


def _filled(notes: Sequence[_Note], columns: int, room: float | None) -> tuple[list[list[_Note]], list[_Note]]:
    """Return the notes in columns of balanced height, and the notes that do not fit."""
    if room is not None:
        first = _poured(notes, columns, room)
        if first[1]:
            return first
    # If all fit: find the least height that takes them, among the possible heights of a column.
    heights = [note.height for note in notes]
    sums = sorted({total for first in range(len(notes)) for total in accumulate(heights[first:], initial=0.0)})
    least = bisect_left(sums, True, key=lambda limit: not _poured(notes, columns, limit + _LOOSE)[1])
    return _poured(notes, columns, sums[min(least, len(sums) - 1)] + _LOOSE)


def _poured(notes: Sequence[_Note], columns: int, room: float) -> tuple[list[list[_Note]], list[_Note]]:
    """Return columns filled up to ``room`` mm, and the other notes. A note higher than ``room`` can fill a column."""
    found: list[list[_Note]] = []
    first = 0
    for _ in range(columns):
        last, total = first, 0.0
        while last < len(notes) and (last == first or total + notes[last].height <= room):
            if last == first and notes[last].height > room and found:
                break
            total += notes[last].height
            last += 1
        if last > first:
            found.append(list(notes[first:last]))
        first = last
    return found, list(notes[first:])


def _column(notes: Sequence[_Note], drafter: Drafter, width: float, height: float) -> Drawing:
    if drafter.draft:
        return Drawing(width, height, ())
    items: list[Item] = []
    top = height
    for note in notes:
        foot = top
        for row in note.rows:
            foot -= _row_height(row)
            x = _indent(drafter, note.address)
            for text, hand in row:
                items.extend(drafter.text(text, (x, foot + 0.32 * hand.height), hand))
                x += measure(f"{text} x", hand) - measure("x", hand)
        first = note.rows[0][0].hand.height
        middle = top - _row_height(note.rows[0]) + 0.62 * first
        if note.address:
            items.extend(
                drafter.text(note.address, (0.0, middle - 0.36 * _address_hand(drafter).height), _address_hand(drafter))
            )
        elif note.number:
            items.extend(disc(note.number, (disc_radius(drafter), middle), drafter))
        top -= note.height
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))


def _heading(drafter: Drafter, width: float) -> Drawing:
    hand = drafter.hand(Font.ROMAN, 15, "ink-secondary", track=1.5)
    text = drafter.words("furniture.key").upper()
    height = hand.height * 2.2
    if drafter.draft:
        return Drawing(width, height, ())
    items: list[Item] = [*drafter.text(text, (width / 2, height - hand.height), hand, anchor=Anchor.MIDDLE)]
    rule = height - hand.height * 1.5
    items.append(drafter.rule([(0, rule), (width, rule)], 0.35))
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))
