"""A terrain box on paper: list, pieces to scale, numbers to stick on; and the battlefields that a box builds best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString

from printkit.content.prose import Align, Heading, Paragraph, Table
from printkit.core.errors import Sentence, UsageError
from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import WHITE, make_rectangle
from printkit.drawing.canvas.style import Style
from printkit.drawing.furniture.swatches import UNSTATED, make_field_size, make_sample
from printkit.drawing.lettering.lettering import TypeStyle, line, measure
from printkit.drawing.map.board_drawing import board_drawing, small_map
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import Columns, Content, Figure, Leaflet
from printkit.kit.system import RuleSystem
from printkit.page.leaflets import leaflet_area, print_leaflet, reading_sheet
from printkit.page.sheet import Document
from printkit.recipes.box.box_list import number_ranges
from printkit.recipes.box.piece_box import BoxPiece, PieceBox
from printkit.recipes.box.piece_matching import MatchedPieces, Use, find_needs, match_pieces, need_shares, select_needs
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.handout import HandoutContext, LengthFormatter, rules_document
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.output.report import report_lines
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Course, Feature, Shape
from printkit.terrain.field.record import Record

# Most numbers that are printed for one box.
MOST_STICKERS: Final = 400

_SCALES: Final = (4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)
_GAP_MM: Final = 4.0
# The least width of a drawn piece, in mm on paper.
_LEAST_WIDTH_MM: Final = 0.6
# Greatest height of a row of pieces, in mm.
_ROW_HEIGHT_MM: Final = 42.0

_STICKER: Final = (24.0, 13.0)
_STICKER_LARGE: Final = (36.0, 15.0)
_NUMBER_PT: Final = 15.0
_NAME_PT: Final = 6.5
_INSIDE: Final = 1.4
_SHEET_SHARES: Final = (0.9, 2.6, 1.6, 2.2, 3.4)
_ALIGNS: Final[tuple[Align, ...]] = ("left", "left", "right", "left", "left")
_SHEET_HEAD: Final = ("numbers", "name", "count", "size", "stands")


class _NumberedEntry(Struct, frozen=True):
    """An entry of a box with the number of its first piece."""

    piece: BoxPiece
    first: int

    @property
    def numbers(self) -> range:
        """Return the numbers of all pieces of the entry."""
        return range(self.first, self.first + self.piece.number)


def box_document(box: PieceBox, order: SheetContext) -> Document:
    """Return a box as pages: list, pieces to scale, numbers to stick under them.

    Raises:
        UsageError: the box has more than ``MOST_STICKERS`` pieces.
        PageError: the paper is too small.
    """
    count = sum(piece.number for piece in box.pieces)
    if count > MOST_STICKERS:
        raise UsageError(
            "the box has {count} pieces, but at most {most} numbers can be printed; list loose trees and "
            "the like as one piece without a size",
            count=count,
            most=MOST_STICKERS,
        )
    words, style, sheet = order.words, order.style, reading_sheet(order.sheet)
    free = leaflet_area(sheet)
    title = words("box.sheet-title")
    leaflet = Leaflet(
        title=title,
        subtitle=box.title,
        contents=tuple(_sheet_contents(box, words, style, free.width)),
        origin=words("box.sheet-origin"),
        has_level_pages=False,
    )
    pages = print_leaflet(leaflet, sheet, style, words, bookmark=title, label=title)
    return Document(title=title, pages=pages, language=words.code)


def _sheet_contents(box: PieceBox, words: Words, style: Style, width: float) -> Iterator[Content]:
    """Yield the list of the box, its pieces to scale, and the numbers to cut out.

    ``width`` is that of the type area, in mm on paper.
    """
    entries = [_NumberedEntry(piece, first) for piece, first in zip(box.pieces, box.first_numbers, strict=True)]
    for language in words.each():
        yield Paragraph(language("box.sheet-how"))
    rows = tuple(_row(entry, box, words) for entry in entries)
    yield Table(
        rows=rows, head=tuple(words(f"box.sheet-{name}") for name in _SHEET_HEAD), shares=_SHEET_SHARES, aligns=_ALIGNS
    )
    sized_entries = [entry for entry in entries if entry.piece.length is not None and entry.piece.number]
    if sized_entries:
        scale = _choose_scale(sized_entries, width)
        yield Heading(words("box.sheet-pieces"), remark=words("box.sheet-scale", scale=scale))
        for drawing in _draw_shelves(sized_entries, scale, Drafter.furniture(style, words), width):
            yield Figure(drawing)
    stickers = [(number, entry) for entry in entries for number in entry.numbers]
    if stickers:
        yield Heading(words("box.sheet-stickers"), remark=words("box.sheet-stickers-aside"))
        column_count = int(width // _sticker_size(style)[0])
        for start in range(0, len(stickers), column_count):
            yield Figure(_draw_stickers(stickers[start : start + column_count], words, style))


def _row(entry: _NumberedEntry, box: PieceBox, words: Words) -> tuple[str, ...]:
    """Return a row of the list: numbers, name with kind, count, size, and the kinds it can replace.

    Cells are text, with a dash for nothing.
    """
    piece = entry.piece
    kind = words(f"kind.{piece.kind}")
    name = f"{piece.name}\n{kind}" if piece.name else kind
    numbers = number_ranges(list(entry.numbers)) if piece.number else "–"
    replaced_kinds = ", ".join(words(f"kind.{relative}") for relative in box.relatives(piece.kind)) or "–"
    return f"**{numbers}**", name, str(piece.number), _size(piece, words), replaced_kinds


def _size(piece: BoxPiece, words: Words) -> str:
    """Return the size of a piece as text, with its bend; a phrase if the piece has no size."""
    measures = LengthFormatter(words)
    if piece.length is None:
        return words("box.as-drawn")
    if piece.shape is not Shape.COURSE:
        return measures.format_size(piece.length, piece.width or piece.length)
    size = (
        measures.format_two_lines(piece.length)
        if piece.width is None
        else measures.format_size(piece.length, piece.width)
    )
    return f"{size}\n{words('box.bent', degrees=f'{piece.bend:.0f}')}" if piece.bend else size


def _choose_scale(entries: list[_NumberedEntry], width: float) -> int:
    """Return n of the scale 1:n, the largest at which all pieces fit; the smallest scale if none does.

    ``width`` is the length of a row on paper, in mm.
    """
    longest = max(entry.piece.length or 0.0 for entry in entries)
    widest = max(entry.piece.width or 0.0 for entry in entries)
    fitting_scales = (scale for scale in _SCALES if longest / scale <= width and widest / scale <= _ROW_HEIGHT_MM)
    return next(fitting_scales, _SCALES[-1])


def _draw_shelves(entries: list[_NumberedEntry], scale: int, drafter: Drafter, width: float) -> Iterator[Drawing]:
    """Yield drawings of rows of pieces with their numbers; equal pieces are drawn once.

    The scale is 1 to ``scale``. ``width`` is the length of a row on paper, in mm.
    """
    row: list[tuple[_NumberedEntry, float]] = []
    used_width = 0.0
    for entry in sorted(entries, key=lambda entry: -(entry.piece.width or 0.0)):
        entry_width = max((entry.piece.length or 0.0) / scale, _label_width(entry, drafter.style))
        if row and used_width + entry_width > width:
            yield _draw_shelf(row, scale, drafter)
            row, used_width = [], 0.0
        row.append((entry, used_width))
        used_width += entry_width + _GAP_MM
    if row:
        yield _draw_shelf(row, scale, drafter)


def _sticker_size(style: Style) -> tuple[float, float]:
    """Return the width and height of a number to cut out, in mm on paper."""
    return _STICKER_LARGE if style.least_pt else _STICKER


def _label_style(style: Style) -> TypeStyle:
    """Return the type style of the numbers next to drawn pieces."""
    return TypeStyle.for_style(style, Font.BANNER, 8.0, style.solid("ink"))


def _number_label(entry: _NumberedEntry) -> str:
    """Return the numbers of an entry as text with ranges."""
    return number_ranges(list(entry.numbers))


def _label_width(entry: _NumberedEntry, style: Style) -> float:
    """Return the width of the number of an entry on paper, in mm."""
    return measure(_number_label(entry), _label_style(style))


def _draw_shelf(row: list[tuple[_NumberedEntry, float]], scale: int, drafter: Drafter) -> Drawing:
    """Return the drawing of one row of pieces at 1 to ``scale``.

    ``row`` has each entry with its left edge on paper, in mm. Each piece is its symbol in a rectangle above its number.
    """
    style = drafter.style
    label_style, ink = _label_style(style), style.solid("ink")
    baseline = label_style.height + 1.2
    items: list[Item] = []
    pictures: list[PlacedDrawing] = []
    height = 0.0
    for entry, x in row:
        picture = _draw_piece(entry.piece, scale, drafter)
        pictures.append(PlacedDrawing(picture, x + 0.2, baseline))
        items.append(make_rectangle((x + 0.2, baseline, picture.width, picture.height), None, Stroke(ink, 0.35)))
        items += line(_number_label(entry), (x + 0.2, 0.8), label_style)
        height = max(height, baseline + picture.height)
    last_entry, last_x = row[-1]
    total_width = last_x + max((last_entry.piece.length or 0.0) / scale, _label_width(last_entry, style)) + 0.4
    frames = drawing_of(total_width, height + 0.4, items)
    return joined(total_width, height + 0.4, [*pictures, PlacedDrawing(frames, 0.0, 0.0)])


def _draw_piece(piece: BoxPiece, scale: int, drafter: Drafter) -> Drawing:
    """Return a piece with a size as its symbol on the map, at 1 to ``scale``."""
    length, width = piece.length or 0.0, max(piece.width or 0.0, _LEAST_WIDTH_MM * scale)
    if piece.shape is Shape.COURSE:
        middle = LineString([(-length, width / 2), (2 * length, width / 2)])
        course = Course(id="piece", kind=piece.kind, line=middle, width=piece.width or 0.0, going=UNSTATED)
        features: tuple[Feature, ...] = (course,)
    else:
        features = make_sample(make_field_size(length, width), piece.kind)
    field = Battlefield(board=Board(length, width, GroundScale(pace=0.254, base_width=40.0)), features=features)
    return board_drawing(field, drafter.at(1 / scale), numbers=False, zones=False, deployment=False)


def _draw_stickers(row: list[tuple[int, _NumberedEntry]], words: Words, style: Style) -> Drawing:
    """Return a row of numbers with cutting lines; ``row`` has each piece number, from 1, with its entry.

    Each has the number and the name of the piece, shortened to fit. Sizes are in mm on paper.
    """
    ink, pale = style.solid("ink"), style.solid("ink-secondary")
    sticker_width, sticker_height = _sticker_size(style)
    items: list[Item] = []
    number_style = TypeStyle.for_style(style, Font.BANNER, _NUMBER_PT, ink)
    for index, (number, entry) in enumerate(row):
        x = index * sticker_width
        items.append(
            make_rectangle((x + 0.1, 0.1, sticker_width, sticker_height), WHITE, Stroke(pale, 0.2, dash=(1.0, 1.0)))
        )
        items += line(str(number), (x + sticker_width / 2, sticker_height - 7.2), number_style, anchor=Anchor.MIDDLE)
        name_style = TypeStyle.for_style(style, Font.FIGURES, _NAME_PT, ink)
        name = entry.piece.name or words.each()[0](f"kind.{entry.piece.kind}")
        while len(name) > 1 and measure(name, name_style) > sticker_width - 2 * _INSIDE:
            name = name[:-2] + "…"
        items += line(name, (x + sticker_width / 2, 2.0), name_style, anchor=Anchor.MIDDLE)
    return drawing_of(len(row) * sticker_width + 0.2, sticker_height + 0.2, items)


# Number of the best battlefields that get a small map.
SHOWN: Final = 6

# Factor for a feature with a piece of another size.
_MISFIT_FACTOR: Final = 0.5

_PICTURE_HEIGHT: Final = 62.0
_SHARES: Final = (0.8, 0.8, 0.8, 3.0, 3.0)
_HEAD: Final = ("seed", "score", "pieces", "missing", "instead")


class FieldFit(Struct, frozen=True, kw_only=True):
    """A battlefield, and how well a box builds it: 100 means fitting pieces for every feature."""

    record: Record
    match: MatchedPieces
    score: int

    @property
    def piece_count(self) -> int:
        """Return the number of pieces that it uses."""
        return len(self.match.uses)

    @property
    def missing_kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds with missing pieces, each once."""
        return tuple(dict.fromkeys(missing_piece.need.kind.value for missing_piece in self.match.missing_pieces))

    @property
    def replaced_kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds that pieces of other kinds replace, each once."""
        return tuple(dict.fromkeys(use.need.kind.value for use in self.match.uses if use.is_substitute))


def score_box(match: MatchedPieces, need_count: int) -> int:
    """Return how well a box builds a battlefield, a whole number from 0 to 100.

    ``need_count`` is the number of features, on a grid of their cells; 0 gives 100. A feature counts 1 minus half of
    the uncovered share and the overhang. It counts half of that if its pieces do not fit. A course counts only for the
    share that strips cover.
    """
    if not need_count:
        return 100
    missing_weight = plain_sum(missing_piece.weight for missing_piece in match.missing_pieces)
    lost_weight = plain_sum(_lost_weight(uses) for uses in match.group_by_need())
    return max(0, round(100 * (need_count - missing_weight - lost_weight) / need_count))


def _lost_weight(uses: Sequence[Use]) -> float:
    """Return the score that one feature loses by uncovered area, overhang and misfits, 0 to 1."""
    uncovered_share, overhang = need_shares(uses) or (0.0, 0.0)
    value = max(0.0, 1.0 - (uncovered_share + overhang) / 2)
    return 1.0 - (value if all(use.fits for use in uses) else value * _MISFIT_FACTOR)


def find_fits(
    system: RuleSystem, orders: Orders, box: PieceBox, seeds: Iterable[int], words: Words
) -> Iterator[FieldFit]:
    """Yield the battlefield of each seed with its score from 0 to 100.

    Raises:
        PrintkitError: the orders cannot be played.
    """
    yield from (fit_record(play(system, orders, seed, words).record, box) for seed in seeds)


def fit_record(record: Record, box: PieceBox) -> FieldFit:
    """Return a battlefield with the pieces of a box that build it, and its score from 0 to 100."""
    needs = select_needs(find_needs(record.battlefield), box)
    match = match_pieces(needs, box)
    return FieldFit(record=record, match=match, score=score_box(match, sum(len(need.parts) or 1 for need in needs)))


def sort_fits(field_fits: Iterable[FieldFit]) -> tuple[FieldFit, ...]:
    """Return battlefields, the best first.

    Those with nothing missing come first, then those with most pieces used, then the highest score, then the lowest
    seed.
    """
    return tuple(
        sorted(
            field_fits,
            key=lambda fit: (bool(fit.missing_kinds), -fit.piece_count, -fit.score, fit.record.seed or 0),
        )
    )


def fit_lines(field_fits: Sequence[FieldFit], words: Words) -> Iterator[str]:
    """Yield a table of battlefields: the seed, the score, the number of pieces and the missing kinds of each."""
    head = Sentence("{count} battlefields, best first:", count=len(field_fits))
    columns = (Sentence("seed"), Sentence("score"), Sentence("pieces used"), Sentence("missing"))
    rows = (
        (
            str(fit.record.seed),
            str(fit.score),
            str(fit.piece_count),
            _kind_names(fit.missing_kinds, words, Sentence("nothing")),
        )
        for fit in field_fits
    )
    return report_lines(head, (columns, *rows))


def fit_document(field_fits: Sequence[FieldFit], system: RuleSystem, order: SheetContext) -> Document:
    """Return a document with small maps of the best battlefields, and the list of all.

    Args:
        field_fits: the battlefields, the best first; at least one.
        system: their rules.
        order: how to print it.

    Raises:
        PageError: the paper is too small.
    """
    words = order.words
    title = words("box.fit-title")
    first_handout = replace(HandoutContext.from_record(field_fits[0].record, system, order), blank=True)
    origin = words("box.fit-origin", rules=system.book.title_in(words.each()[0]))
    pages = first_handout.build_pages(
        title, _contents(field_fits, system, order), subtitle=field_fits[0].match.box.title, origin=origin, level=False
    )
    return rules_document(title, pages, system.name, words)


def _contents(field_fits: Sequence[FieldFit], system: RuleSystem, order: SheetContext) -> Iterator[Content]:
    """Yield the explanation, small maps of the best battlefields, and the table of all.

    ``field_fits`` are sorted, the best first.
    """
    words = order.words
    for language in words.each():
        yield Paragraph(language("box.fit-how"))
    blocks: list[Heading | Figure] = []
    best_fits = field_fits[:SHOWN]
    # Columns fill downwards, but the best battlefields go from left to right.
    for field_fit in (*best_fits[::2], *best_fits[1::2]):
        handout = HandoutContext.from_record(field_fit.record, system, order)
        width = (handout.page_size()[0] - 8.0) / 2
        picture = small_map(field_fit.record.battlefield, width, _PICTURE_HEIGHT, handout.map_drafter())
        blocks.append(
            Figure(picture, caption=words("box.fit-caption", seed=field_fit.record.seed, score=field_fit.score))
        )
    yield Columns(tuple(blocks))
    yield Heading(words("box.fit-list"))
    rows = tuple(
        (
            str(field_fit.record.seed),
            str(field_fit.score),
            str(field_fit.piece_count),
            _kind_names(field_fit.missing_kinds, words),
            _kind_names(field_fit.replaced_kinds, words),
        )
        for field_fit in field_fits
    )
    yield Table(rows=rows, head=tuple(words(f"box.fit-{name}") for name in _HEAD), shares=_SHARES)


def _kind_names(kinds: Sequence[str], words: Words, none: str = "–") -> str:
    """Return the kinds as words with commas, or the text ``none`` if there are none."""
    return ", ".join(words(f"kind.{kind}") for kind in kinds) or none
