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
    Affine,
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
from printkit.export.files import number
from printkit.export.pdf_content import OPAQUE, Code, ContentStream, path_codes, text_code
from printkit.export.pdf_pictures import Pictures

# --- Typefaces for PDF: letters to codes of an embedded subset --------------------------------------------------------


class Fonts:
    """The typeface subsets of one document, which grow as texts are encoded."""

    def __init__(self, container: PDFDocument) -> None:
        """Keep subsets for ``container``, which embeds them when it is written."""
        self._container = container
        self._first: dict[Font, dict[str, str]] = {}

    def spell(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the subsets that a text needs: each with its name and the codes of its letters in hexadecimal.

        Raises:
            PageError: the typeface does not have a letter.
        """
        # Nearly all texts have only known letters of the first subset of their typeface.
        known = self._first.setdefault(font, {})
        try:
            codes = "".join([known[letter] for letter in text])
        except KeyError:
            return self._learned(font, text)
        return [(self._name(typeface(font), 0), codes)]

    def _learned(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the codes of a text with new letters, or with letters from a later subset."""
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
        spelled = face.splitString(text, self._container)
        if [subset for subset, _ in spelled] == [0]:
            ((_, codes),) = spelled
            self._first[font].update(zip(text, map("{:02x}".format, codes), strict=True))
        return [(self._name(face, subset), codes.hex()) for subset, codes in spelled]

    def _name(self, face: Any, subset: int) -> str:
        return str(face.getSubsetInternalName(subset, self._container)[1:])


# A bunch becomes a form if its repetition would cost more bytes of code than this.
LONG: Final = 2000

# The distance at which two pieces cannot overlap, in hundredths of a mm: half a pixel of a coarse screen.
_CLEAR: Final = 20.0

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

    speller: Fonts
    forms: dict[str, Form] = field(default_factory=dict)
    pictures: Pictures = field(default_factory=Pictures)
    _stamps: dict[tuple[str, tuple[Code, ...]], str] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)
    _paths: dict[int, Code | None] = field(default_factory=dict)

    def learn(self, drawings: Iterable[Drawing]) -> None:
        """Encode all paths of drawings in one batch, which is faster. The drawings must stay in memory."""
        items = {id(item): item for drawing in drawings for layer in drawing.layers for item in layer.items}
        drawn = {id(path): path for item in items.values() for path in _paths(item)}
        self._paths.update(zip(drawn, path_codes(list(drawn.values())), strict=True))

    def layers(self, drawing: Drawing) -> list[Cut]:
        """Return the code of a drawing, layer by layer; ``learn`` must have encoded its paths."""
        cuts = []
        for layer in drawing.layers:
            if layer.items:
                clip = box_of(layer.clip) if isinstance(layer.clip, Rect) else layer.clip
                cuts.append(Cut(clip, [code for item in layer.items for code in self._codes(item)]))
        return cuts

    def keep(self, codes: Sequence[Code], prefix: str) -> tuple[str, Extent]:
        """Make a form from pieces of content, and return its name and bounds."""
        name = f"{prefix}{len(self.forms) + 1}"
        stream = ContentStream()
        stream.add(codes)
        box = union_extents(code.box for code in codes)
        self.forms[name] = Form(box, stream)
        return name, box

    def _codes(self, item: Item) -> Iterator[Code]:
        match item:
            case Path():
                code = self._paths[id(item)]
                if code is not None:
                    yield code
            case Text():
                code = text_code(item, self.speller)
                if code is not None:
                    yield code
            case Stamp():
                yield from self._places(item)
            case Picture():
                yield self.pictures.code(item)
            case _:
                assert_never(item)

    def _places(self, stamp: Stamp) -> Iterator[Code]:
        name = self._stamp(stamp.artwork)
        if name:
            box = self.forms[name].box
            for place in stamp.places:
                yield Code(box.apply_transform(place), OPAQUE, f"q\n{_placing(place)}\n/{name} Do\nQ", (), (name,))

    def _stamp(self, artwork: Artwork) -> str:
        known = self._names.get(id(artwork))
        if known is not None:
            return known
        # Equal artwork of another drawing has equal code, which is faster to compare than all its points.
        drawn = [code for path in artwork.paths if (code := self._paths[id(path)]) is not None]
        codes = (*drawn, *map(self.pictures.code, artwork.pictures))
        name = self._stamps.get((artwork.name, codes))
        if name is None:
            name = self._stamps[artwork.name, codes] = self.keep(codes, "T")[0] if codes else ""
        self._names[id(artwork)] = name
        return name


def _paths(item: Item) -> tuple[Path, ...]:
    match item:
        case Path():
            return (item,)
        case Stamp():
            return item.artwork.paths
        case _:
            return ()


def spread(layers: Sequence[Cut], windows: Sequence[Extent], library: Library) -> list[list[Cut]]:
    """Return the code that is visible in each window, layer by layer, with long shared code as forms."""
    shown: list[list[Cut]] = [[] for _ in windows]
    columns = _intervals([(window.left, window.right) for window in windows])
    rows = _intervals([(window.bottom, window.top) for window in windows])
    for clip, codes in layers:
        parts: dict[int, list[Code]] = {}
        for where, pieces in _bunched(codes, columns, rows):
            targets = list(_bits(where))
            if sum(len(piece.body) for piece in pieces) * (len(targets) - 1) > LONG:
                name, box = library.keep(pieces, "X")
                pieces = [Code(box, OPAQUE, f"/{name} Do", (), (name,))]
            for target in targets:
                parts.setdefault(target, []).extend(pieces)
        for target, part in parts.items():
            shown[target].append(Cut(clip, part))
    return shown


def _bits(number: int) -> Iterator[int]:
    """Yield the positions of the set bits, from the lowest."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class _Bunch(NamedTuple):
    """Code that is visible in the same windows; ``where`` has a bit for each window."""

    where: int
    codes: list[Code]


def _bunched(codes: Sequence[Code], columns: _Spans, rows: _Spans) -> list[_Bunch]:
    """Return the visible code in bunches with the same windows.

    A piece joins an earlier bunch only if it overlaps no later bunch: then the painting order is not visible.
    """
    seen = [(where, code) for code in codes if (where := _where(code.box, columns, rows))]
    if len({where for where, _ in seen}) < 2:
        return [_Bunch(where, [code for _, code in seen]) for where, _ in seen[:1]]
    bunches: list[_Bunch] = []
    latest: dict[int, int] = {}
    squares = _squares([code.box for _, code in seen])
    # The last bunch that touches each square of the map. Earlier bunches may be under it.
    touched = np.full((max(square[2] for square in squares), max(square[3] for square in squares)), -1)
    for (where, code), (left, bottom, right, top) in zip(seen, squares, strict=True):
        there = touched[left:right, bottom:top]
        joined = latest.get(where, -1)
        if joined < 0 or joined < len(bunches) - _LOOK_BACK or joined < there.max():
            joined = latest[where] = len(bunches)
            bunches.append(_Bunch(where, []))
        bunches[joined].codes.append(code)
        there[:] = joined
    return bunches


def _squares(boxes: Sequence[Extent]) -> list[list[int]]:
    """Return the range of squares that each box touches, including a margin for screen pixels.

    Squares are numbered from the first that any box touches.
    """
    bounds = np.array(boxes)
    bounds[:, :2] -= _CLEAR
    bounds[:, 2:] += _CLEAR
    squares = np.floor(bounds / _SQUARE).astype(int)
    squares[:, 2:] += 1
    squares -= np.tile(squares[:, :2].min(axis=0), 2)
    found: list[list[int]] = squares.tolist()
    return found


def _where(box: Extent, columns: _Spans, rows: _Spans) -> int:
    """Return the windows that a box meets as bits."""
    across = 0
    for low, high, bits in columns:
        if box[0] <= high and low <= box[2]:
            across |= bits
    up = 0
    for low, high, bits in rows:
        if box[1] <= high and low <= box[3]:
            up |= bits
    return across & up


_Spans = list[tuple[float, float, int]]


def _intervals(spans: Sequence[tuple[float, float]]) -> _Spans:
    """Return each distinct span with the bits of its windows; a grid of pages has few columns and rows."""
    found: dict[tuple[float, float], int] = {}
    for bit, span in enumerate(spans):
        found[span] = found.get(span, 0) | 1 << bit
    return [(low, high, bits) for (low, high), bits in found.items()]


def _placing(place: Affine) -> str:
    a, b, c, d, _, _ = place
    return f"{_turn(a, b, c, d)} {round(place.e * PER_MM)} {round(place.f * PER_MM)} cm"


@lru_cache(maxsize=1024)
def _turn(a: float, b: float, c: float, d: float) -> str:
    """Return rotation and size of a stamp; cached, because many stamps share them."""
    return " ".join([number(value, 4) for value in (a, b, c, d)])
