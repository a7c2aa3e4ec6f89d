"""A terrain box on paper: the list, every piece to scale with its number, and numbers to cut out and stick on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from printkit.content.prose import Align, Heading, Paragraph, Table
from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Stroke
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, line, measure
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Content, Leaflet, leaflet_pages
from printkit.drawing.text.text_styles import drawing_of, oblong, patch
from printkit.page.leaflets import leaflet_sheets, reading_sheet, room
from printkit.page.sheet import Document
from printkit.recipes.box.box_list import spans
from printkit.recipes.box.piece_box import BoxPiece, PieceBox
from printkit.recipes.output.handout import Measures
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record_features import Shape

# Most numbers that are printed for one box.
MOST_STICKERS: Final = 400

_SCALES: Final = (4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)
_GAP: Final = 4.0
# Greatest height of a row of pieces, in mm.
_ROW: Final = 42.0

_STICKER: Final = (24.0, 13.0)
_STICKER_LARGE: Final = (36.0, 15.0)
_NUMBER_PT: Final = 15.0
_NAME_PT: Final = 6.5
_INSIDE: Final = 1.4
_SHARES: Final = (0.9, 2.6, 1.6, 2.2, 3.4)
_ALIGNS: Final[tuple[Align, ...]] = ("left", "left", "right", "left", "left")
_HEAD: Final = ("numbers", "name", "count", "size", "stands")


class _Numbered(Struct, frozen=True):
    """An entry of a box with the number of its first piece."""

    piece: BoxPiece
    first: int

    @property
    def numbers(self) -> range:
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
    free = room(sheet)
    title = words("box.sheet-title")
    leaflet = Leaflet(
        title=title,
        subtitle=box.title,
        contents=tuple(_contents(box, words, style, free.width)),
        origin=words("box.sheet-origin"),
        level=False,
    )
    drawings = leaflet_pages(leaflet, free.width, free.height, style=style, words=words)
    least = style.least_pt
    pages = leaflet_sheets(drawings, sheet, words=words, bookmark=title, label=title, least_pt=least)
    return Document(title=title, pages=pages, language=words.code)


def _contents(box: PieceBox, words: Words, style: Style, width: float) -> Iterator[Content]:
    entries = [_Numbered(piece, first) for piece, first in zip(box.pieces, box.first_numbers, strict=True)]
    for one in words.each():
        yield Paragraph(one("box.sheet-how"))
    rows = tuple(_row(entry, box, words) for entry in entries)
    yield Table(rows=rows, head=tuple(words(f"box.sheet-{name}") for name in _HEAD), shares=_SHARES, aligns=_ALIGNS)
    sized = [entry for entry in entries if entry.piece.length is not None and entry.piece.number]
    if sized:
        scale = _scale(sized, width)
        yield Heading(words("box.sheet-pieces"), aside=words("box.sheet-scale", scale=scale))
        for drawing in _shelves(sized, scale, style, width):
            yield Figure(drawing)
    stickers = [(number, entry) for entry in entries for number in entry.numbers]
    if stickers:
        yield Heading(words("box.sheet-stickers"), aside=words("box.sheet-stickers-aside"))
        across = int(width // _sticker(style)[0])
        for place in range(0, len(stickers), across):
            yield Figure(_stickers(stickers[place : place + across], words, style))


def _row(entry: _Numbered, box: PieceBox, words: Words) -> tuple[str, ...]:
    piece = entry.piece
    kind = words(f"kind.{piece.kind}")
    name = f"{piece.name}\n{kind}" if piece.name else kind
    numbers = spans(list(entry.numbers)) if piece.number else "–"
    stands = _families(box.relatives(piece.kind), words)
    return f"**{numbers}**", name, str(piece.number), _size(piece, words), stands


def _size(piece: BoxPiece, words: Words) -> str:
    said = Measures(words)
    if piece.length is None:
        return words("box.as-drawn")
    if piece.shape is not Shape.COURSE:
        return said.size(piece.length, piece.width or piece.length)
    size = said.length(piece.length) if piece.width is None else said.size(piece.length, piece.width)
    return f"{size}\n{words('box.bent', degrees=f'{piece.bend:.0f}')}" if piece.bend else size


def _families(kinds: tuple[Kind, ...], words: Words) -> str:
    return ", ".join(words(f"kind.{kind}") for kind in kinds) or "–"


def _scale(entries: list[_Numbered], width: float) -> int:
    """Return the largest scale that fits the longest piece on a line and the widest in a row."""
    longest = max(entry.piece.length or 0.0 for entry in entries)
    widest = max(entry.piece.width or 0.0 for entry in entries)
    fitting = (scale for scale in _SCALES if longest / scale <= width and widest / scale <= _ROW)
    return next(fitting, _SCALES[-1])


def _shelves(entries: list[_Numbered], scale: int, style: Style, width: float) -> Iterator[Drawing]:
    """Yield rows of pieces with their numbers; equal pieces are drawn once."""
    row: list[tuple[_Numbered, float]] = []
    used = 0.0
    for entry in sorted(entries, key=lambda entry: -(entry.piece.width or 0.0)):
        long = max((entry.piece.length or 0.0) / scale, _label_width(entry, style))
        if row and used + long > width:
            yield _shelf(row, scale, style)
            row, used = [], 0.0
        row.append((entry, used))
        used += long + _GAP
    if row:
        yield _shelf(row, scale, style)


def _sticker(style: Style) -> tuple[float, float]:
    """Return the width and height of a number to cut out, in mm."""
    return _STICKER_LARGE if style.least_pt else _STICKER


def _hand(style: Style) -> TypeStyle:
    return TypeStyle.of(style, Font.BANNER, 8.0, style.solid("ink"))


def _label(entry: _Numbered) -> str:
    return spans(list(entry.numbers))


def _label_width(entry: _Numbered, style: Style) -> float:
    return measure(_label(entry), _hand(style))


def _shelf(row: list[tuple[_Numbered, float]], scale: int, style: Style) -> Drawing:
    hand, ink = _hand(style), style.solid("ink")
    foot = hand.height + 1.2
    items: list[Item] = []
    high = 0.0
    for entry, x in row:
        length, width = (entry.piece.length or 0.0) / scale, max((entry.piece.width or 0.0) / scale, 0.6)
        items.append(patch(oblong(x + 0.2, foot, length, width), style.solid("paper"), Stroke(ink, 0.35)))
        items += line(_label(entry), (x + 0.2, 0.8), hand)
        high = max(high, foot + width)
    last, at = row[-1]
    across = at + max((last.piece.length or 0.0) / scale, _label_width(last, style)) + 0.4
    return drawing_of(across, high + 0.4, items)


def _stickers(row: list[tuple[int, _Numbered]], words: Words, style: Style) -> Drawing:
    """Return a row of numbers with cutting lines."""
    ink, pale = style.solid("ink"), style.solid("ink-secondary")
    across, deep = _sticker(style)
    items: list[Item] = []
    number_hand = TypeStyle.of(style, Font.BANNER, _NUMBER_PT, ink)
    for place, (number, entry) in enumerate(row):
        x = place * across
        items.append(patch(oblong(x + 0.1, 0.1, across, deep), Ink(255, 255, 255), Stroke(pale, 0.2, dash=(1.0, 1.0))))
        items += line(str(number), (x + across / 2, deep - 7.2), number_hand, anchor=Anchor.MIDDLE)
        hand = TypeStyle.of(style, Font.FIGURES, _NAME_PT, ink)
        name = entry.piece.name or words.each()[0](f"kind.{entry.piece.kind}")
        while len(name) > 1 and measure(name, hand) > across - 2 * _INSIDE:
            name = name[:-2] + "…"
        items += line(name, (x + across / 2, 2.0), hand, anchor=Anchor.MIDDLE)
    return drawing_of(len(row) * across + 0.2, deep + 0.2, items)
