"""Share content between the pages of a PDF, and encode letters for embedded subsets of typefaces.

Each item is written as code once. A page gets only the items whose bounds meet its window. Items that are visible on
the same pages form a bunch, if painting order allows; a long bunch on several pages becomes a form. One form for the
complete map would be a little smaller, but printers would process all of it for every page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, assert_never

import numpy as np
from msgspec import Struct, field
from reportlab.pdfbase.pdfdoc import PDFDocument

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import (
    Artwork,
    Drawing,
    Font,
    Item,
    Path,
    PathRun,
    Picture,
    Rect,
    Stamp,
    Text,
)
from printkit.drawing.lettering.extent import PER_MM, Extent, box_of, union_extents
from printkit.drawing.lettering.typefaces import typeface
from printkit.export.pdf_content import OPAQUE, Code, ContentStream, encode_paths, encode_text
from printkit.export.pdf_pictures import Pictures
from printkit.export.placing import format_number

# --- Typefaces for PDF: letters to codes of an embedded subset --------------------------------------------------------


class Fonts:
    """The typeface subsets of one document, which grow as texts are encoded."""

    def __init__(self, container: PDFDocument) -> None:
        """Keep subsets for ``container``, which embeds them when it is written."""
        self._container = container
        self._first: dict[Font, dict[str, str]] = {}

    def encode_letters(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the subsets that a text needs: each with its name and the codes of its letters in hexadecimal.

        Raises:
            PageError: the typeface does not have a letter.
        """
        # Nearly all texts have only known letters of the first subset of their typeface.
        known_codes = self._first.setdefault(font, {})
        try:
            codes = "".join([known_codes[letter] for letter in text])
        except KeyError:
            return self._encode_new_letters(font, text)
        return [(self._subset_name(typeface(font), 0), codes)]

    def _encode_new_letters(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the subsets that a text with new letters needs, each with its name and the codes in hexadecimal.

        The letters are added to the subsets of the document.

        Raises:
            PageError: the typeface does not have a letter.
        """
        face = typeface(font)
        for letter in text:
            if ord(letter) not in face.face.charToGlyph:
                raise PageError(
                    "{font} has no character {letter!r} (U+{code:04X}), which is in {text!r}",
                    font=font,
                    letter=letter,
                    code=ord(letter),
                    text=text,
                )
        encoded_subsets = face.splitString(text, self._container)
        if [subset for subset, _ in encoded_subsets] == [0]:
            ((_, codes),) = encoded_subsets
            self._first[font].update(zip(text, map("{:02x}".format, codes), strict=True))
        return [(self._subset_name(face, subset), codes.hex()) for subset, codes in encoded_subsets]

    def _subset_name(self, face: Any, subset: int) -> str:
        """Return the resource name of a subset of a typeface, by its number from 0."""
        return str(face.getSubsetInternalName(subset, self._container)[1:])


# A bunch becomes a form if its repetition would cost more bytes of code than this.
FORM_BYTES: Final = 2000

# The distance at which two pieces cannot overlap, in hundredths of a mm: half a pixel of a coarse screen.
_CLEARANCE: Final = 20.0

# The side of the squares for checking painting order, in hundredths of a mm (10 mm).
_SQUARE: Final = 1000.0

_LOOK_BACK: Final = 40


class Cut(NamedTuple):
    """The code of one layer, and the rectangle or run that clips it."""

    clip: Extent | PathRun | None
    codes: list[Code]


class Form(NamedTuple):
    """Shared content: its bounds and its stream."""

    box: Extent
    stream: ContentStream


class Library(Struct):
    """The forms of one document by name."""

    encoder: Fonts
    forms: dict[str, Form] = field(default_factory=dict)
    pictures: Pictures = field(default_factory=Pictures)
    _stamps: dict[tuple[str, tuple[Code, ...]], str] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)
    _paths: dict[int, Code | None] = field(default_factory=dict)

    def encode_drawings(self, drawings: Iterable[Drawing]) -> None:
        """Encode all paths of drawings in one batch, which is faster. The drawings must stay in memory."""
        items = {id(item): item for drawing in drawings for layer in drawing.layers for item in layer.items}
        paths = {id(path): path for item in items.values() for path in _item_paths(item)}
        self._paths.update(zip(paths, encode_paths(list(paths.values())), strict=True))

    def layer_cuts(self, drawing: Drawing) -> list[Cut]:
        """Return the code of a drawing, one entry per layer that is not empty.

        ``encode_drawings`` must have encoded its paths.
        """
        cuts = []
        for layer in drawing.layers:
            if layer.items:
                clip = box_of(layer.clip) if isinstance(layer.clip, Rect) else layer.clip
                cuts.append(Cut(clip, [code for item in layer.items for code in self._item_codes(item)]))
        return cuts

    def add_form(self, codes: Sequence[Code], prefix: str) -> tuple[str, Extent]:
        """Make a form from pieces of content, and return its name and its bounds.

        Bounds are in units of 0.01 mm of the drawing. ``prefix`` is the start of the name.
        """
        name = f"{prefix}{len(self.forms) + 1}"
        stream = ContentStream()
        stream.add_codes(codes)
        box = union_extents(code.box for code in codes)
        self.forms[name] = Form(box, stream)
        return name, box

    def _item_codes(self, item: Item) -> Iterator[Code]:
        """Yield the content of an item; nothing if it is not visible. A stamp has one piece for each of its positions.

        ``encode_drawings`` must have encoded its paths. New letters, forms and pictures are added to the document.
        Bounds of the content are in units of 0.01 mm of the drawing.

        Raises:
            PageError: the typeface does not have a letter.
        """
        match item:
            case Path():
                code = self._paths[id(item)]
                if code is not None:
                    yield code
            case Text():
                code = encode_text(item, self.encoder)
                if code is not None:
                    yield code
            case Stamp():
                yield from self._stamp_codes(item)
            case Picture():
                yield self.pictures.encode_picture(item)
            case _:
                assert_never(item)

    def _stamp_codes(self, stamp: Stamp) -> Iterator[Code]:
        """Yield a reference to the form of a stamp for each of its positions; nothing for an empty artwork."""
        name = self._stamp_form(stamp.artwork)
        if name:
            box = self.forms[name].box
            for transform in stamp.places:
                a, b, c, d, e, f = transform
                matrix = f"{_rotation_numbers(a, b, c, d)} {round(e * PER_MM)} {round(f * PER_MM)}"
                yield Code(
                    box.apply_transform(transform),
                    OPAQUE,
                    f"q\n{matrix} cm\n/{name} Do\nQ",
                    (),
                    (name,),
                )

    def _stamp_form(self, artwork: Artwork) -> str:
        """Return the name of the form of an artwork, made at the first call; empty if it paints nothing."""
        form_name = self._names.get(id(artwork))
        if form_name is not None:
            return form_name
        # Equal artwork of another drawing has equal code, which is faster to compare than all its points.
        artwork_codes = [code for path in artwork.paths if (code := self._paths[id(path)]) is not None]
        codes = (*artwork_codes, *map(self.pictures.encode_picture, artwork.pictures))
        name = self._stamps.get((artwork.name, codes))
        if name is None:
            name = self._stamps[artwork.name, codes] = self.add_form(codes, "T")[0] if codes else ""
        self._names[id(artwork)] = name
        return name


def _item_paths(item: Item) -> tuple[Path, ...]:
    """Return the paths of an item; empty for texts and pictures."""
    match item:
        case Path():
            return (item,)
        case Stamp():
            return item.artwork.paths
        case _:
            return ()


def distribute_code(layers: Sequence[Cut], windows: Sequence[Extent], library: Library) -> list[list[Cut]]:
    """Return the code that is visible in each window, layer by layer, with long shared code as forms.

    Windows are in units of 0.01 mm of the drawing. The result has a list for each window, empty if nothing is visible.
    """
    window_cuts: list[list[Cut]] = [[] for _ in windows]
    columns = _distinct_spans([(window.left, window.right) for window in windows])
    rows = _distinct_spans([(window.bottom, window.top) for window in windows])
    for clip, codes in layers:
        parts: dict[int, list[Code]] = {}
        for window_bits, pieces in _make_bunches(codes, columns, rows):
            targets = list(_bit_positions(window_bits))
            if sum(len(piece.body) for piece in pieces) * (len(targets) - 1) > FORM_BYTES:
                name, box = library.add_form(pieces, "X")
                pieces = [Code(box, OPAQUE, f"/{name} Do", (), (name,))]
            for target in targets:
                parts.setdefault(target, []).extend(pieces)
        for target, part in parts.items():
            window_cuts[target].append(Cut(clip, part))
    return window_cuts


def _bit_positions(number: int) -> Iterator[int]:
    """Yield the positions of the set bits of ``number``, the lowest first; the lowest bit has position 0."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class _Bunch(NamedTuple):
    """Code that is visible in the same windows; ``window_bits`` has a bit for each window."""

    window_bits: int
    codes: list[Code]


def _make_bunches(codes: Sequence[Code], columns: _Spans, rows: _Spans) -> list[_Bunch]:
    """Return the code that any window shows, in groups that are visible in the same windows.

    A piece joins an earlier bunch only if it overlaps no later bunch: then the painting order is not visible.
    """
    visible_codes = [(window_bits, code) for code in codes if (window_bits := _window_bits(code.box, columns, rows))]
    if len({window_bits for window_bits, _ in visible_codes}) < 2:
        return [_Bunch(window_bits, [code for _, code in visible_codes]) for window_bits, _ in visible_codes[:1]]
    bunches: list[_Bunch] = []
    last_by_windows: dict[int, int] = {}
    squares = _square_ranges([code.box for _, code in visible_codes])
    # The last bunch that touches each square of the map. Earlier bunches may be under it.
    last_bunches = np.full((max(square[2] for square in squares), max(square[3] for square in squares)), -1)
    for (window_bits, code), (left, bottom, right, top) in zip(visible_codes, squares, strict=True):
        square_bunches = last_bunches[left:right, bottom:top]
        bunch_index = last_by_windows.get(window_bits, -1)
        if bunch_index < 0 or bunch_index < len(bunches) - _LOOK_BACK or bunch_index < square_bunches.max():
            bunch_index = last_by_windows[window_bits] = len(bunches)
            bunches.append(_Bunch(window_bits, []))
        bunches[bunch_index].codes.append(code)
        square_bunches[:] = bunch_index
    return bunches


def _square_ranges(boxes: Sequence[Extent]) -> list[list[int]]:
    """Return the squares that each box touches, as first column, first row, last column + 1, last row + 1.

    Boxes are in units of 0.01 mm; a margin for screen pixels is added. Squares are numbered from 0, the first that any
    box touches.
    """
    bounds = np.array(boxes)
    bounds[:, :2] -= _CLEARANCE
    bounds[:, 2:] += _CLEARANCE
    squares = np.floor(bounds / _SQUARE).astype(int)
    squares[:, 2:] += 1
    squares -= np.tile(squares[:, :2].min(axis=0), 2)
    ranges: list[list[int]] = squares.tolist()
    return ranges


def _window_bits(box: Extent, columns: _Spans, rows: _Spans) -> int:
    """Return the windows that a box meets, bit ``i`` for window ``i``; 0 if none. Units are 0.01 mm."""
    column_bits = 0
    for low, high, bits in columns:
        if box[0] <= high and low <= box[2]:
            column_bits |= bits
    row_bits = 0
    for low, high, bits in rows:
        if box[1] <= high and low <= box[3]:
            row_bits |= bits
    return column_bits & row_bits


_Spans = list[tuple[float, float, int]]


def _distinct_spans(spans: Sequence[tuple[float, float]]) -> _Spans:
    """Return each distinct span of windows as low, high and bits, in units of 0.01 mm of the drawing.

    Bit ``i`` is set if the span is that of window ``i``, counted from 0. A grid of pages has few columns and rows.
    """
    span_bits: dict[tuple[float, float], int] = {}
    for bit, span in enumerate(spans):
        span_bits[span] = span_bits.get(span, 0) | 1 << bit
    return [(low, high, bits) for (low, high), bits in span_bits.items()]


@lru_cache(maxsize=1024)
def _rotation_numbers(a: float, b: float, c: float, d: float) -> str:
    """Return the rotation and size of a stamp, the first four values of its transform, as text."""
    return " ".join([format_number(value, 4) for value in (a, b, c, d)])
