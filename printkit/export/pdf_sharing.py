"""What several pages show is held once: the hybrid of a shared form for what is long and a copy of what is short.

Every item is written as code once. A page receives only items whose bounds meet its window. Items that show on the
same pages make a bunch, as far as painting order allows; a long bunch on several pages becomes a form of its own.
One form for the whole map would be a little smaller, but every page would have to work through all of it in print.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, assert_never

from printkit.drawing.extent import PER_MM, Box, around, box_of
from printkit.drawing.items import Affine, Artwork, Drawing, Item, Path, Rect, Run, Stamp, Text
from printkit.export.numbers import number
from printkit.export.pdf_content import OPAQUE, Code, Speller, Stream, path_code, text_code

LONG: Final = 700
"""Bytes of code, written again, above which a bunch is worth a form of its own."""

_CLEAR: Final = 20.0
"""How far pieces keep apart to be out of each other's sight, on the grid: half a pixel of a coarse screen."""

_SQUARE: Final = 1000.0
"""The side of the squares by which painting order is judged, on the grid: 10 mm."""

_LOOK_BACK: Final = 40


class Cut(NamedTuple):
    """The code of one layer, and the rectangle or the run that it is cut to."""

    clip: Box | Run | None
    codes: list[Code]


class Form(NamedTuple):
    """Content held once: its bounds and its stream."""

    box: Box
    stream: Stream


@dataclass(slots=True)
class Library:
    """The forms of one document by their names."""

    speller: Speller
    forms: dict[str, Form] = field(default_factory=dict)
    _stamps: dict[Artwork, str] = field(default_factory=dict)
    _names: dict[int, tuple[Artwork, str]] = field(default_factory=dict)

    def layers(self, drawing: Drawing) -> list[Cut]:
        """Return the code of a drawing layer by layer."""
        return [
            Cut(
                box_of(layer.clip) if isinstance(layer.clip, Rect) else layer.clip,
                [c for item in layer.items for c in self._codes(item)],
            )
            for layer in drawing.layers
            if layer.items
        ]

    def keep(self, codes: Sequence[Code], prefix: str) -> tuple[str, Box]:
        """Make a form of pieces of content; return its name and bounds."""
        name = f"{prefix}{len(self.forms) + 1}"
        stream = Stream()
        stream.add(codes)
        box = around(code.box for code in codes)
        self.forms[name] = Form(box, stream)
        return name, box

    def _codes(self, item: Item) -> Iterator[Code]:
        match item:
            case Path():
                code = path_code(item)
                if code is not None:
                    yield code
            case Text():
                code = text_code(item, self.speller)
                if code is not None:
                    yield code
            case Stamp():
                yield from self._places(item)
            case _:
                assert_never(item)

    def _places(self, stamp: Stamp) -> Iterator[Code]:
        name = self._stamp(stamp.artwork)
        if name:
            box = self.forms[name].box
            for place in stamp.places:
                yield Code(box.moved(place), OPAQUE, f"q\n{_placing(place)}\n/{name} Do\nQ", (), (name,))

    def _stamp(self, artwork: Artwork) -> str:
        # Hashing artwork walks through all its points, so what was met before is known by its identity first.
        known = self._names.get(id(artwork))
        if known is not None:
            return known[1]
        if artwork not in self._stamps:
            codes = [code for path in artwork.paths if (code := path_code(path)) is not None]
            self._stamps[artwork] = self.keep(codes, "T")[0] if codes else ""
        self._names[id(artwork)] = (artwork, self._stamps[artwork])
        return self._stamps[artwork]


def spread(layers: Sequence[Cut], windows: Sequence[Box], library: Library) -> list[list[Cut]]:
    """Return for each window the code that shows in it, layer by layer; long code in several windows as a form."""
    shown: list[list[Cut]] = [[] for _ in windows]
    columns = _intervals([(window.left, window.right) for window in windows])
    rows = _intervals([(window.bottom, window.top) for window in windows])
    for clip, codes in layers:
        parts: list[list[Code]] = [[] for _ in windows]
        for bunch in _bunched(codes, columns, rows):
            targets = [part for bit, part in enumerate(parts) if bunch.where >> bit & 1]
            pieces = bunch.codes
            if sum(len(piece.body) for piece in pieces) * (len(targets) - 1) > LONG:
                name, box = library.keep(pieces, "X")
                pieces = [Code(box, OPAQUE, f"/{name} Do", (), (name,))]
            for part in targets:
                part.extend(pieces)
        for bit, part in enumerate(parts):
            if part:
                shown[bit].append(Cut(clip, part))
    return shown


@dataclass(slots=True)
class _Bunch:
    """Code that shows in the same windows, a bit each, and the squares of the map that it touches."""

    where: int
    codes: list[Code]
    squares: set[tuple[int, int]]


def _bunched(codes: Sequence[Code], columns: _Spans, rows: _Spans) -> list[_Bunch]:
    """Return the code that shows anywhere in bunches of equal windows.

    A piece joins an earlier bunch only if it keeps clear of all bunches since: then nobody sees which came first.
    """
    bunches: list[_Bunch] = []
    for code in codes:
        where = _where(code.box, columns, rows)
        if not where:
            continue
        squares = _squares(code.box)
        for bunch in reversed(bunches[-_LOOK_BACK:]):
            if bunch.where == where:
                bunch.codes.append(code)
                bunch.squares |= squares
                break
            if not bunch.squares.isdisjoint(squares):
                bunches.append(_Bunch(where, [code], squares))
                break
        else:
            bunches.append(_Bunch(where, [code], squares))
    return bunches


def _squares(box: Box) -> set[tuple[int, int]]:
    """Return the squares that a box touches, and those it comes so near that a coarse screen would mix the two."""
    left, bottom, right, top = box
    across = range(int((left - _CLEAR) // _SQUARE), int((right + _CLEAR) // _SQUARE) + 1)
    up = range(int((bottom - _CLEAR) // _SQUARE), int((top + _CLEAR) // _SQUARE) + 1)
    return {(x, y) for x in across for y in up}


def _where(box: Box, columns: _Spans, rows: _Spans) -> int:
    """Return the windows that a box meets, a bit each."""
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
    """Return each different span with the windows that have it, a bit each: a grid has few columns and rows."""
    found: dict[tuple[float, float], int] = {}
    for bit, span in enumerate(spans):
        found[span] = found.get(span, 0) | 1 << bit
    return [(low, high, bits) for (low, high), bits in found.items()]


def _placing(place: Affine) -> str:
    turned = " ".join(number(value, 4) for value in place[:4])
    return f"{turned} {round(place.e * PER_MM)} {round(place.f * PER_MM)} cm"
