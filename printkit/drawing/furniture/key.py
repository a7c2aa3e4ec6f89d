"""The key of a map, and the strip or column beside a framed board: legend, cartouche, compass, scale bars and key."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, count
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item
from printkit.drawing.canvas.layers import PlacedDrawing, defer_items, joined
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.drawing.furniture.compass import CARTOUCHE_WIDTH, build_cartouche, build_scale_bars, draw_compass
from printkit.drawing.furniture.compass import HEIGHT as COMPASS_HEIGHT
from printkit.drawing.furniture.frame import has_border
from printkit.drawing.furniture.legend import build_legend, going_word, legend_columns, legend_entries
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.map.board_drawing import MapLayout
from printkit.drawing.map.cell_marks import cell_address
from printkit.drawing.map.labels import disc_radius, draw_disc, numbered
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Feature, Hill
from printkit.terrain.field.grids import Cell, Grid

_ROWS_OF_TYPE: Final = 30.0
_COLUMN_GAP: Final = 9.0
_LEADING: Final = 1.18
_NOTE_GAP: Final = 0.55
_SENTENCES: Final = re.compile(r"(?<=\.) (?=\S)")


class _Part(NamedTuple):
    """Words of a row in one type style."""

    text: str
    style: TypeStyle


class _Note(Struct, frozen=True):
    """An entry of the key: number, rows of type in one or two type styles, and height in printed mm.

    On a grid ``cell_address`` (the first cell of the feature) replaces the number. A note without both is not for a
    feature.
    """

    number: int
    rows: tuple[tuple[_Part, ...], ...]
    height: float
    address: str = ""


def key_columns(width: float, drafter: Drafter) -> int:
    """Return the number of columns, at least 1, with lines of readable length in ``width`` printed mm."""
    return max(1, round(width / (_ROWS_OF_TYPE * drafter.type_style(Font.ITALIC, 13.5).height)))


def build_key_blocks(
    layout: MapLayout,
    drafter: Drafter,
    width: float,
    *,
    height: float | None = None,
    columns: int | None = None,
) -> tuple[Drawing, ...]:
    """Return the key as blocks of at most ``height`` printed mm; one block if no height is given.

    The tuple is empty if the battlefield has no features and no notes. A block has the heading of the key and its
    entries.

    Args:
        layout: the battlefield, the account of each feature, and the caption with the sides.
        drafter: context and words.
        width: width of the blocks in printed mm.
        height: height of a page in printed mm; None for no limit.
        columns: number of columns; by default ``key_columns``.
    """
    columns = columns or key_columns(width, drafter)
    gap = drafter.size(_COLUMN_GAP)
    column = (width - gap * (columns - 1)) / columns
    field = layout.field
    notes = [
        _build_note(number, feature, drafter, layout.accounts, column, field.grid)
        for number, feature in _key_features(field)
    ]
    notes += _overlay_notes(layout, drafter, column)
    heading = _draw_heading(drafter, width)
    blocks: list[Drawing] = []
    while notes:
        available_mm = None if height is None else height - heading.height
        note_columns, notes = _fill_columns(notes, columns, available_mm)
        body_height = max(plain_sum(note.height for note in column_notes) for column_notes in note_columns)
        parts = [
            PlacedDrawing(_draw_column(column_notes, drafter, column, body_height), index * (column + gap), 0.0)
            for index, column_notes in enumerate(note_columns)
        ]
        parts.append(PlacedDrawing(heading, 0.0, body_height))
        blocks.append(joined(width, body_height + heading.height, parts))
    return tuple(blocks)


def key_width(layout: MapLayout, drafter: Drafter, columns: int) -> float:
    """Return the width in printed mm that ``columns`` columns need for their longest rows.

    A column is at most as wide as a readable line.
    """
    max_width_mm = _ROWS_OF_TYPE * drafter.type_style(Font.ITALIC, 13.5).height
    max_row_mm = 0.0
    for number, feature in _key_features(layout.field):
        note = _build_note(number, feature, drafter, layout.accounts, max_width_mm, layout.field.grid)
        rows = [
            plain_sum(measure(f"{text} x", style) - measure("x", style) for text, style in row) for row in note.rows
        ]
        max_row_mm = max(max_row_mm, _indent(drafter, note.address) + max(rows))
    return columns * min(max_row_mm, max_width_mm) + drafter.size(_COLUMN_GAP) * (columns - 1)


def _key_features(field: Battlefield) -> Iterator[tuple[int, Feature]]:
    """Yield the features with their numbers from 1, in the order of the numbers.

    Unnamed areas of one kind on the same cells appear once, with the first number.
    """
    listed_parts: set[tuple[str, tuple[tuple[int, int], ...]]] = set()
    for number, feature in numbered(field):
        part = (feature.kind, feature.cells)
        if not (isinstance(feature, Area) and feature.cells and not feature.name and part in listed_parts):
            yield number, feature
        if isinstance(feature, Area):
            listed_parts.add(part)


def describe_feature(feature: Feature, words: Words, *, named: bool = True) -> str:
    """Return the name and kind of a feature: ``Harrow Hill, hill of two levels, lightly wooded``.

    Without ``named``, or for a feature without a name, it begins with the kind. The text is in the language of
    ``words``.
    """
    parts = [words(f"kind.{feature.kind}")]
    if isinstance(feature, Hill):
        parts = [words("hill.two_levels")] if len(feature.contours) > 1 else parts
        parts += [words(f"hill.{feature.cover}")] if feature.cover is not None else []
    if feature.name and named:
        parts = [feature.name, parts[0][:1].lower() + parts[0][1:], *parts[1:]]
    return ", ".join(parts)


def _build_note(
    number: int, feature: Feature, drafter: Drafter, accounts: Mapping[str, str], column: float, grid: Grid | None
) -> _Note:
    """Return the note of a feature: kind and going, then the account; on small sheets in one paragraph.

    ``number`` is its key number, from 1. ``accounts`` has the texts by feature ID, and ``column`` is the width of the
    column in printed mm. With a ``grid``, a feature of cells has the address of its first cell instead of the number.
    """
    cell_number = cell_address(grid, Cell(*feature.cells[0])) if grid is not None and feature.cells else ""
    measure_mm = column - _indent(drafter, cell_number)
    roman, italic = drafter.type_style(Font.ROMAN, 14.5), drafter.type_style(Font.ITALIC, 13.5, "ink-secondary")
    first, *other_languages = drafter.words.each()
    parts = [_Part(_headline(feature, first), roman)]
    parts += [_Part(_headline(feature, words, named=False), roman) for words in other_languages]
    if account := accounts.get(feature.id, ""):
        parts += [_Part(sentence, italic) for sentence in _merge_accounts(account.split(SEPARATOR))]
    if has_border(drafter):
        rows = tuple(row for part in parts for row in _wrap_parts([part], measure_mm))
    else:
        closed_parts = [part._replace(text=f"{part.text.rstrip('.')}.") for part in parts[:-1]]
        rows = _wrap_parts([*closed_parts, parts[-1]], measure_mm)
    height = plain_sum(_row_height(row) for row in rows) + rows[-1][0].style.height * _NOTE_GAP
    return _Note(number, rows, height, cell_number)


def _merge_accounts(accounts: Sequence[str]) -> list[str]:
    """Return the accounts, one per language, without repeated sentences.

    Equal accounts appear once. Sentences at the end that all of them share stay in the last only.
    """
    sentence_lists = [_SENTENCES.split(entry) for entry in dict.fromkeys(accounts)]
    shared_sentences: list[str] = []
    while (
        len(sentence_lists) > 1
        and all(len(entry) > 1 for entry in sentence_lists)
        and len({entry[-1] for entry in sentence_lists}) == 1
    ):
        shared_sentences.insert(0, sentence_lists[0][-1])
        sentence_lists = [entry[:-1] for entry in sentence_lists]
    return [" ".join(entry) for entry in (*sentence_lists[:-1], [*sentence_lists[-1], *shared_sentences])]


def _overlay_notes(layout: MapLayout, drafter: Drafter, column: float) -> Iterator[_Note]:
    """Yield the notes on overlays that have words, and on the two sides, one per language.

    ``column`` is the width of the column in printed mm.
    """
    italic = drafter.type_style(Font.ITALIC, 13.5, "ink-secondary")
    kinds = dict.fromkeys(f"overlay.{overlay.kind}" for overlay in layout.field.overlays)
    marks = (" ".join(words(key) for key in kinds if words.has(key)) for words in drafter.words.each())
    for text in (*marks, *(f"{side_text.replace(SEPARATOR, '. ')}." for side_text in layout.caption.who)):
        if text:
            rows = _wrap_parts([_Part(text, italic)], column - _indent(drafter, ""))
            yield _Note(0, rows, plain_sum(_row_height(row) for row in rows) + italic.height * _NOTE_GAP)


def _headline(feature: Feature, words: Words, *, named: bool = True) -> str:
    """Return the kind and the going of a feature, with its name if ``named``.

    The going follows after a colon; it is left out if it has no name. The text is in the language of ``words``.
    """
    description = describe_feature(feature, words, named=named)
    going_text = going_word(feature.going.name, words)
    return f"{description}: {going_text}" if going_text else description


def _wrap_parts(parts: Sequence[_Part], measure_mm: float) -> tuple[tuple[_Part, ...], ...]:
    """Return the parts as one paragraph, in rows of parts, broken between words to at most ``measure_mm`` printed mm.

    A single longer word has its own row. Words in one style are joined again to one part.
    """
    rows: list[list[_Part]] = []
    row_length = 0.0
    for text, style in parts:
        space = measure("x x", style) - measure("xx", style)
        for word in text.split():
            length = measure(word, style)
            if not rows or row_length + space + length > measure_mm:
                rows.append([_Part(word, style)])
                row_length = length
            elif rows[-1][-1].style == style:
                rows[-1][-1] = _Part(f"{rows[-1][-1].text} {word}", style)
                row_length += space + length
            else:
                rows[-1].append(_Part(word, style))
                row_length += space + length
    return tuple(tuple(row) for row in rows)


def _row_height(row: tuple[_Part, ...]) -> float:
    """Return the height of a row in printed mm, with its leading."""
    return max(part.style.height for part in row) * _LEADING


def _indent(drafter: Drafter, cell_number: str) -> float:
    """Return the space in printed mm before the text of a note, for its number or its cell address.

    ``cell_number`` is that address; empty for a number in a disc.
    """
    mark = measure(cell_number, _address_style(drafter)) if cell_number else 2 * disc_radius(drafter)
    return mark + drafter.size(2.4)


def _address_style(drafter: Drafter) -> TypeStyle:
    """Return the type style of cell addresses."""
    return drafter.type_style(Font.FIGURES_MEDIUM, 11.0)


def _fill_columns(
    notes: Sequence[_Note], columns: int, available_mm: float | None
) -> tuple[list[list[_Note]], list[_Note]]:
    """Return ``columns`` lists of notes of balanced height, and the notes that do not fit.

    ``available_mm`` is the height of a column in printed mm; None means no limit. If notes are left over, the columns
    are as full as possible and not balanced.
    """
    if available_mm is not None:
        first = _pour_notes(notes, columns, available_mm)
        if first[1]:
            return first
    # If all fit: find the least height that takes them, among the possible heights of a column.
    heights = [note.height for note in notes]
    sums = sorted({total for first in range(len(notes)) for total in accumulate(heights[first:], initial=0.0)})
    index = bisect_left(sums, True, key=lambda limit: not _pour_notes(notes, columns, limit + TOLERANCE)[1])
    return _pour_notes(notes, columns, sums[min(index, len(sums) - 1)] + TOLERANCE)


def _pour_notes(notes: Sequence[_Note], columns: int, available_mm: float) -> tuple[list[list[_Note]], list[_Note]]:
    """Return the notes in columns of at most ``available_mm`` printed mm, and the notes that do not fit.

    A note higher than that can fill a column. There may be fewer than ``columns``.
    """
    note_columns: list[list[_Note]] = []
    first = 0
    for _ in range(columns):
        last, total = first, 0.0
        while last < len(notes) and (last == first or total + notes[last].height <= available_mm):
            if last == first and notes[last].height > available_mm and note_columns:
                break
            total += notes[last].height
            last += 1
        if last > first:
            note_columns.append(list(notes[first:last]))
        first = last
    return note_columns, list(notes[first:])


def _draw_column(notes: Sequence[_Note], drafter: Drafter, width: float, height: float) -> Drawing:
    """Return a column of notes, ``width`` by ``height`` printed mm, from the top.

    Each note has its address or its disc with the number at the left of its first row.
    """
    return defer_items(width, height, lambda: _draw_notes(notes, drafter, height))


def _draw_notes(notes: Sequence[_Note], drafter: Drafter, top: float) -> Iterator[Item]:
    """Yield the items of a column of notes whose upper edge is at ``top``, in printed mm."""
    for note in notes:
        baseline = top
        for row in note.rows:
            baseline -= _row_height(row)
            x = _indent(drafter, note.address)
            for text, style in row:
                yield from drafter.text(text, (x, baseline + 0.32 * style.height), style)
                x += measure(f"{text} x", style) - measure("x", style)
        first = note.rows[0][0].style.height
        middle = top - _row_height(note.rows[0]) + 0.62 * first
        if note.address:
            style = _address_style(drafter)
            yield from drafter.text(note.address, (0.0, middle - 0.36 * style.height), style)
        elif note.number:
            yield from draw_disc(note.number, (disc_radius(drafter), middle), drafter)
        top -= note.height


def _draw_heading(drafter: Drafter, width: float) -> Drawing:
    """Return the heading of the key with a rule, ``width`` printed mm wide."""
    style = drafter.type_style(Font.ROMAN, 15, "ink-secondary", track=1.5)
    text = drafter.words("furniture.key").upper()
    height = style.height * 2.2

    def draw_items() -> Iterator[Item]:
        """Yield the word and the rule below it."""
        yield from drafter.text(text, (width / 2, height - style.height), style, anchor=Anchor.MIDDLE)
        rule = height - style.height * 1.5
        yield drafter.rule([(0, rule), (width, rule)], 0.35)

    return defer_items(width, height, draw_items)


# --- The strip below a framed board: legend, cartouche, compass and scales in a row, the key in front or below --------

_GAP: Final = 9.0
_PLATE_GAP: Final = 13.0
_RADIUS: Final = 30.0
_LEAST_PLATE: Final = 96.0
_LEAST_ROW: Final = 118.0
_STRIP_PLATE_SHARE: Final = 0.42
_FEW_ENTRIES: Final = 4
_WIDER_GAP: Final = 2.0

# Wider strips (mm at 1:1) are one row: a key below a short legend would leave most of the strip empty.
_SINGLE_ROW_WIDTH: Final = 1150.0

_BETWEEN_BLOCKS: Final = 16.0
_LEGEND_PITCH: Final = 86.0
_LEGEND_COLUMNS: Final = (3, 4)
# A legend in the row with more entries than this gets the larger number of columns.
_MANY_KINDS: Final = 15

_LEAST_PLATE_SHARE: Final = 0.165
_LEAST_KEY: Final = 110.0
_LOWER_SHARE: Final = 0.9
# A key that is more than this many times as high as its neighbours goes below them.
_HIGHEST_KEY: Final = 1.25

_ROSE_GAP: Final = 3.0
_ROW_MARGIN: Final = 5.0
_KEY_SIZES: Final = (1.2, 1.0)


class FurnitureStrip(Struct, frozen=True):
    """The parts of a strip and its height in printed mm. The origin is its lower left corner."""

    parts: list[PlacedDrawing]
    height: float


def build_strip(layout: MapLayout, drafter: Drafter, width: float, *, height: float = 0.0) -> FurnitureStrip:
    """Return the strip of a sheet, ``width`` printed mm wide and at least ``height`` mm high.

    Below a wide board everything is in one row, with the key first. Otherwise the key is the last row, and the legend
    is beside the cartouche if three columns fit there, or one column of a few entries. If not, it has its own row.
    """
    bars = build_scale_bars(layout.field, drafter, scale=layout.scale)
    if (
        width > _SINGLE_ROW_WIDTH * drafter.context.symbol_scale
        and (row := _build_single_row(layout, drafter, width, bars)) is not None
    ):
        return _stack_rows([row], 0.0, height)
    plate_width = min(drafter.size(CARTOUCHE_WIDTH), _STRIP_PLATE_SHARE * width)
    legend_width = width - plate_width - bars.width - 2 * drafter.size(_PLATE_GAP)
    rows: list[FurnitureStrip] = []
    columns = legend_columns(legend_width, drafter)
    if columns >= 3 or (columns and len(legend_entries(layout.field, layout.cover)) <= _FEW_ENTRIES):
        legend = build_legend(layout.field, drafter, legend_width, cover=layout.cover)
        rows.append(_build_legend_row(layout, drafter, width, plate_width, bars, legend))
    else:
        legend = build_legend(layout.field, drafter, width, cover=layout.cover)
        rows.append(_build_spread_row(layout, drafter, width, plate_width, bars))
        rows.append(FurnitureStrip([PlacedDrawing(legend, 0.0, 0.0)], legend.height))
    rows += build_key_rows(layout, drafter, width)
    return _stack_rows(rows, drafter.size(_GAP), height)


def build_key_rows(layout: MapLayout, drafter: Drafter, width: float) -> list[FurnitureStrip]:
    """Return the key as one row ``width`` printed mm wide; an empty list without features and notes."""
    blocks = build_key_blocks(layout, drafter, width)
    return [FurnitureStrip([PlacedDrawing(block, 0.0, 0.0)], block.height) for block in blocks]


def build_column(
    layout: MapLayout, drafter: Drafter, width: float, *, height: float, has_key: bool = True, has_rose: bool = True
) -> FurnitureStrip:
    """Return the parts as a column ``width`` printed mm wide beside a board, spread over ``height`` mm.

    ``has_key`` includes the key. If the compass does not fit beside the scale bars, ``has_rose`` places it above them;
    otherwise it is left out.
    """
    bars = build_scale_bars(layout.field, drafter, scale=layout.scale, max_width=width)
    legend = build_legend(layout.field, drafter, width, cover=layout.cover)
    plate = build_cartouche(layout, drafter, min(width, drafter.size(CARTOUCHE_WIDTH)))
    rows = [FurnitureStrip([PlacedDrawing(plate, (width - plate.width) / 2, 0.0)], plate.height)]
    radius = min(drafter.size(_RADIUS), bars.height / COMPASS_HEIGHT)
    rose = draw_compass(drafter, radius, letters=layout.caption.north)
    free_width = width - bars.width - rose.width
    if free_width >= 0:
        rows.append(
            FurnitureStrip(
                [PlacedDrawing(rose, free_width / 2, 0.0), PlacedDrawing(bars, width - bars.width, 0.0)], bars.height
            )
        )
    else:
        rows.append(FurnitureStrip([PlacedDrawing(bars, 0.0, 0.0)], bars.height))
    rows.append(FurnitureStrip([PlacedDrawing(legend, 0.0, 0.0)], legend.height))
    rows += build_key_rows(layout, drafter, width) if has_key else []
    gap = drafter.size(_GAP)
    if has_rose and free_width < 0:
        rows.insert(1, FurnitureStrip([PlacedDrawing(rose, (width - rose.width) / 2, 0.0)], rose.height))
    return _stack_rows(rows, gap, height)


def _build_single_row(layout: MapLayout, drafter: Drafter, width: float, bars: Drawing) -> FurnitureStrip | None:
    """Return key, legend, cartouche, and compass above scale bars in one row, ``width`` printed mm wide.

    Spare width goes into the gaps. Return None if the key does not fit or would be too high.
    """
    plate_width = max(drafter.size(CARTOUCHE_WIDTH), _LEAST_PLATE_SHARE * width)
    plate = build_cartouche(layout, drafter, plate_width, min_height=drafter.size(_LEAST_PLATE))
    kinds = len(legend_entries(layout.field, layout.cover))
    columns = min(_LEGEND_COLUMNS[kinds > _MANY_KINDS], max(1, kinds))
    pitch = drafter.size(_LEGEND_PITCH)
    legend = build_legend(layout.field, drafter, columns * pitch, columns=columns, cover=layout.cover)
    rose = draw_compass(drafter, drafter.size(_RADIUS), letters=layout.caption.north)
    tower = rose.height + drafter.size(_ROSE_GAP) + bars.height
    gap = drafter.size(_BETWEEN_BLOCKS)
    free_width = width - legend.width - plate.width - bars.width - 3 * gap
    height = max(legend.height, plate.height, tower)
    if free_width < drafter.size(_LEAST_KEY):
        return None
    key = _fit_key(layout, drafter, free_width, height)
    if key is not None and key.height > _HIGHEST_KEY * height:
        return None
    blocks = (legend, plate) if key is None else (key, legend, plate)
    height = max(height, *(block.height for block in blocks))
    gap = (width - bars.width - plain_sum(block.width for block in blocks)) / len(blocks)
    x = 0.0
    parts: list[PlacedDrawing] = []
    for block in blocks:
        parts.append(PlacedDrawing(block, x, (height - block.height) / 2))
        x += block.width + gap
    tower_bottom = (height - tower) / 2
    parts.append(PlacedDrawing(rose, x + (0.8 * bars.width - rose.width) / 2, tower_bottom + tower - rose.height))
    parts.append(PlacedDrawing(bars, x, tower_bottom))
    return FurnitureStrip(parts, height + drafter.size(_ROW_MARGIN))


def _fit_key(layout: MapLayout, drafter: Drafter, width: float, height: float) -> Drawing | None:
    """Return the key in the largest type and fewest columns that keep it lower than its neighbours.

    It is at most ``width`` printed mm wide; its neighbours are ``height`` mm high. It is only as wide as its columns
    need. Return None if the key has no entries.
    """
    key: Drawing | None = None
    for factor in _KEY_SIZES:
        larger_drafter = replace(drafter, growth=drafter.growth * factor)
        for columns in count(1):
            wanted_width = key_width(layout, larger_drafter, columns)
            if wanted_width > width and columns > key_columns(width, larger_drafter):
                break
            blocks = build_key_blocks(layout, larger_drafter, min(wanted_width, width), columns=columns)
            if not blocks:
                return None
            key = blocks[0]
            if key.height <= _LOWER_SHARE * height:
                return key
    return key


def _stack_rows(rows: list[FurnitureStrip], gap: float, height: float = 0.0) -> FurnitureStrip:
    """Return the rows as one strip, with gaps of ``gap`` printed mm, at least ``height`` mm high.

    Spare height widens the gaps up to a limit, then goes above and below.
    """
    gap_count = max(0, len(rows) - 1)
    used_height = plain_sum(row.height for row in rows) + gap * gap_count
    free_height = max(0.0, height - used_height)
    extra_gap = min(free_height / max(1, gap_count), _WIDER_GAP * gap)
    gap, height = gap + extra_gap, used_height + free_height
    parts: list[PlacedDrawing] = []
    top = height - (free_height - extra_gap * gap_count) / 2
    for row in rows:
        top -= row.height
        parts += [PlacedDrawing(part.drawing, part.x, part.y + top) for part in row.parts]
        top -= gap
    return FurnitureStrip(parts, height)


def _build_legend_row(
    layout: MapLayout, drafter: Drafter, width: float, plate_width: float, bars: Drawing, legend: Drawing
) -> FurnitureStrip:
    """Return one row: legend, cartouche, and the compass above the scale bars.

    ``width`` is that of the row and ``plate_width`` that of the cartouche, in printed mm.
    """
    min_height = drafter.size(_LEAST_ROW)
    plate = build_cartouche(layout, drafter, plate_width, min_height=drafter.size(_LEAST_PLATE))
    height = max(legend.height, plate.height, min_height)
    radius = min(drafter.size(_RADIUS), (height - bars.height - drafter.size(3)) / COMPASS_HEIGHT)
    rose = draw_compass(drafter, radius, letters=layout.caption.north)
    right = width - bars.width
    over_bars = right + (0.8 * bars.width - rose.width) / 2
    parts = [
        PlacedDrawing(legend, 0.0, (height - legend.height) / 2),
        PlacedDrawing(plate, right - drafter.size(_PLATE_GAP) - plate_width, (height - plate.height) / 2),
        PlacedDrawing(rose, over_bars, height - rose.height),
        PlacedDrawing(bars, right, 0.0),
    ]
    return FurnitureStrip(parts, height)


def _build_spread_row(
    layout: MapLayout, drafter: Drafter, width: float, plate_width: float, bars: Drawing
) -> FurnitureStrip:
    """Return one vertically centred row: cartouche, compass and scale bars.

    ``width`` is that of the row and ``plate_width`` that of the cartouche, in printed mm.
    """
    plate = build_cartouche(layout, drafter, plate_width)
    height = max(plate.height, bars.height)
    free_width = width - plate_width - bars.width
    radius = min(drafter.size(_RADIUS), height / COMPASS_HEIGHT, free_width * 0.36)
    rose = draw_compass(drafter, radius, letters=layout.caption.north)
    parts = [
        PlacedDrawing(plate, 0.0, (height - plate.height) / 2),
        PlacedDrawing(rose, plate_width + (free_width - rose.width) / 2, (height - rose.height) / 2),
        PlacedDrawing(bars, width - bars.width, (height - bars.height) / 2),
    ]
    return FurnitureStrip(parts, height)
