"""Typefaces: each opened once, its tables read at a stroke, and the advances by which its type is measured."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, groupby, pairwise, repeat
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from reportlab.pdfbase.ttfonts import TTEncoding, TTFont, TTFontFace

from printkit.core.resources import resource
from printkit.drawing.canvas.items import Font

# --- Opened faces: a typeface as the library that embeds it reads it, its three long tables read at a stroke ----------

_UNICODE: Final = (0, 3)
"""The platforms whose characters are told by their Unicode."""

_Stretch: TypeAlias = tuple[range, Sequence[int]]
"""Characters that follow one another, and the glyph of each."""

_SPACE: Final = 0x20
_FIXED_SPACE: Final = 0xA0

_THOUSAND: Final = 1000
"""The parts of its size in which PDF tells how wide a letter is."""


class OpenedFont(TTFont):  # type: ignore[misc]
    """A typeface for the pages of any document."""

    def __init__(self, name: str, file: bytes) -> None:
        """Open a file under the name that documents call it by; what ``TTFont`` does, but for how the face is read."""
        self.fontName = name
        self.face = _Face(io.BytesIO(file))
        self.encoding = TTEncoding()
        self.state: WeakKeyDictionary[object, Any] = WeakKeyDictionary()
        self.shapable = True

    def splitString(self, text: str, doc: object, encoding: str = "utf-8") -> list[tuple[int, bytes]]:  # noqa: N802, ARG002
        """Return a text as codes of the subsets of a document, which grow by the letters that are new to it.

        What ``TTFont`` does where no codes are kept for ASCII: in each subset 0 is no letter, and 32 the space.
        """
        state = self.state.get(doc)
        if state is None:
            state = self.state[doc] = TTFont.State(0, self)
        codes = [self._assigned(state, _SPACE if ord(letter) == _FIXED_SPACE else ord(letter)) for letter in text]
        return [
            (number, bytes(code & 0xFF for code in group)) for number, group in groupby(codes, lambda code: code >> 8)
        ]

    def _assigned(self, state: Any, letter: int) -> int:
        """Return the code of a letter, with the number of its subset above the eight bits of it."""
        if letter in state.assignments or letter not in self.face.charToGlyph:
            return int(state.assignments.get(letter, 0))
        code, subsets = state.nextCode, state.subsets
        if code & 0xFF == _SPACE:
            # The first subset has its space from the beginning.
            if code != _SPACE:
                subsets[-1].append(_SPACE)
            code += 1
        if code > _SPACE and code & 0xFF == 0:
            subsets.append([0])
            code += 1
        if code > _SPACE:
            subsets[-1].append(letter)
        else:
            subsets[0][code] = letter
        state.assignments[letter] = code
        state.nextCode = code + 1
        return int(code)


class _Face(TTFontFace):  # type: ignore[misc]
    """The letters of a typeface: which glyph each is, how wide it is, and where in the file its outline stands."""

    def extractInfo(self, charInfo: int = 1) -> None:  # noqa: N802, N803, ARG002 (names of the library)
        """Read the file: its short tables as the library does, those with a number for each letter at a stroke."""
        super().extractInfo(charInfo=0)
        self.charToGlyph: dict[int, int] = {}
        for codes, glyphs in self._characters():
            self.charToGlyph.update(zip(codes, glyphs, strict=True))
        self._read_widths()
        self.glyphPos = self._outline_places()
        self.charToGlyph[_FIXED_SPACE] = self.charToGlyph[_SPACE]
        self.charWidths[_FIXED_SPACE] = self.charWidths[_SPACE]

    def _outline_places(self) -> list[int]:
        """Return where the outline of each glyph begins, and where the last ends."""
        table = self.get_table("loca")
        if self.get_ushort(self.get_table_pos("head")[0] + 50):
            return _numbers(">u4", table, 0, self.numGlyphs + 1)
        return [2 * half for half in _numbers(">u2", table, 0, self.numGlyphs + 1)]

    def _read_widths(self) -> None:
        """Read how wide glyphs are; where fewer are told than there are, all others are as wide as the last."""
        told = self.get_ushort(self.get_table_pos("hhea")[0] + 34)
        numbers = _numbers(">u2", self.get_table("hmtx"), 0, told + self.numGlyphs)
        wide, beside = numbers[: 2 * told : 2], chain(numbers[1 : 2 * told : 2], numbers[2 * told :])
        units, share = self.unitsPerEm, _THOUSAND / self.unitsPerEm
        widths = [one if units == _THOUSAND else one * share for one in wide]
        self.hmetrics = list(zip(chain(wide, repeat(widths[-1])), beside, strict=False))
        widths += [widths[-1]] * (self.numGlyphs - told)
        self.defaultWidth = widths[0]
        self.charWidths = {code: widths[glyph] for code, glyph in self.charToGlyph.items()}

    def _characters(self) -> Iterator[_Stretch]:
        """Return the characters with their glyphs, from the last of the tables of Unicode."""
        cmap = self.get_table("cmap")
        (count,) = _numbers(">u2", cmap, 2, 1)
        kinds = _numbers(">u2", cmap, 4, 4 * count)[::4]
        starts = _numbers(">u4", cmap, 4, 2 * count)[1::2]
        at = [start for kind, start in zip(kinds, starts, strict=True) if kind in _UNICODE][-1]
        return _segments(cmap, at) if _numbers(">u2", cmap, at, 1) == [4] else _groups(cmap, at)


def _segments(cmap: bytes, table: int) -> Iterator[_Stretch]:
    """Yield the characters of a table of format 4: each stretch has a step to its glyphs, or a list of them too."""
    count = _numbers(">u2", cmap, table + 6, 1)[0] // 2
    rows = [table + 14 + 2 * count * row + (2 if row else 0) for row in range(4)]
    ends, starts, steps, lists = (_numbers(">u2", cmap, at, count) for at in rows)
    for place, (start, end, step, listed) in enumerate(zip(starts, ends, steps, lists, strict=True)):
        codes = range(start, end + 1)
        if listed:
            glyphs = _numbers(">u2", cmap, rows[3] + 2 * place + listed, len(codes))
            yield codes, [(glyph + step) & 0xFFFF if glyph else 0 for glyph in glyphs]
        else:
            yield codes, [(code + step) & 0xFFFF for code in codes]


def _groups(cmap: bytes, table: int) -> Iterator[_Stretch]:
    """Yield the characters of a table of format 12: the glyphs of a stretch follow one another."""
    (count,) = _numbers(">u4", cmap, table + 12, 1)
    numbers = _numbers(">u4", cmap, table + 16, 3 * count)
    for start, end, glyph in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
        yield range(start, end + 1), range(glyph, glyph + end - start + 1)


def _numbers(kind: str, table: bytes, at: int, count: int) -> list[int]:
    """Return numbers that follow one another in a table."""
    found: list[int] = np.frombuffer(table, dtype=kind, count=count, offset=at).tolist()
    return found


class Advances(NamedTuple):
    """How far the letters of a typeface move the pen, in shares of the type size.

    ``shares`` has the letters of the typeface and ``missing`` counts for any other. ``kerns`` is what the second letter
    of a pair moves towards the first one, and so negative. No pair has a space: words are measured by themselves.
    """

    shares: dict[str, float]
    missing: float
    kerns: dict[str, float]

    def kerned(self, text: str) -> list[float]:
        """Return the kerning after each letter of a text in shares of the type size; 0.0 after the last."""
        return [*(self.kerns.get(first + second, 0.0) for first, second in pairwise(text)), 0.0][: len(text)]

    def steps(self, text: str) -> list[float]:
        """Return how far each letter of a text moves the pen, kerning included, in shares of the type size."""
        shares, missing = self.shares, self.missing
        return [shares.get(letter, missing) + kern for letter, kern in zip(text, self.kerned(text), strict=True)]


# EB Garamond and Old Standard have no kerning table, and gape in these pairs. In shares of the type size.
_BOOK_KERNS: Final = {
    **dict.fromkeys(("To", "Ta", "Te", "Tr", "Tu", "Ty", "Vo", "Va", "Ve", "Wa", "We", "Wo", "Ya", "Ye", "Yo"), -0.085),
    **dict.fromkeys(("Av", "Aw", "Ay", "AT", "TA", "LT", "P.", "P,", "F.", "F,"), -0.075),
    **dict.fromkeys(("AV", "VA", "AW", "WA", "AY", "YA"), -0.11),
}


@cache
def typeface(font: Font) -> Any:
    """Return the opened typeface, a ``reportlab.pdfbase.ttfonts.TTFont`` called by the font's value."""

    return OpenedFont(font.value, resource("fonts", f"{font.value}.ttf").read_bytes())


@cache
def advances(font: Font) -> Advances:
    """Return the advances and the kerning of a typeface."""
    face = typeface(font).face
    shares = [wide / _THOUSAND for wide in face.charWidths.values()]
    kerns = _kerns(face) if "kern" in face.table else _BOOK_KERNS
    return Advances(dict(zip(map(chr, face.charWidths), shares, strict=True)), face.defaultWidth / _THOUSAND, kerns)


def _kerns(face: Any) -> dict[str, float]:
    """Read the pairs of a ``kern`` table of format 0 in shares of the type size, rounded to what a PDF can say."""
    table = face.get_table("kern")
    # The header of the table has 4 bytes; that of its only subtable has 14, with the count of pairs in bytes 6 and 7.
    (count,) = _numbers(">u2", table, 10, 1)
    numbers = _numbers(">u2", table, 18, 3 * count)
    values = _numbers(">i2", table, 18, 3 * count)[2::3]
    letters = {glyph: chr(code) for code, glyph in face.charToGlyph.items() if code not in (_SPACE, _FIXED_SPACE)}
    pairs = zip(numbers[::3], numbers[1::3], values, strict=True)
    return {
        letters[first] + letters[second]: round(_THOUSAND * value / face.unitsPerEm) / _THOUSAND
        for first, second, value in pairs
        if first in letters and second in letters
    }
