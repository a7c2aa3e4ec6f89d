"""Typefaces: opened once, with fast reading of their tables, and the advances that measure type."""

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

# --- Open fonts: reportlab's reader, but with its three long tables read with numpy -----------------------------------

# The platform IDs whose tables map Unicode characters.
_UNICODE: Final = (0, 3)

# A range of characters, and the glyph of each.
_CharacterRange: TypeAlias = tuple[range, Sequence[int]]

_SPACE: Final = 0x20
_FIXED_SPACE: Final = 0xA0

# PDF gives widths of letters in thousandths of the type size.
_THOUSAND: Final = 1000


class OpenedFont(TTFont):  # type: ignore[misc]
    """A typeface that can be embedded in any document."""

    def __init__(self, name: str, file: bytes) -> None:
        """Open the bytes of a font file under a name, as ``TTFont`` does, but with ``_Face`` as its reader."""
        self.fontName = name
        self.face = _Face(io.BytesIO(file))
        self.encoding = TTEncoding()
        self.state: WeakKeyDictionary[object, Any] = WeakKeyDictionary()
        self.shapable = True

    def splitString(self, text: str, doc: object, encoding: str = "utf-8") -> list[tuple[int, bytes]]:  # noqa: N802, ARG002
        """Return a text as codes of a document's subsets; new letters are added to them.

        It does the same as ``TTFont`` without reserved ASCII codes: in each subset 0 is unused and 32 is the space.
        """
        state = self.state.get(doc)
        if state is None:
            state = self.state[doc] = TTFont.State(0, self)
        codes = [self._assign_code(state, _SPACE if ord(letter) == _FIXED_SPACE else ord(letter)) for letter in text]
        return [
            (number, bytes(code & 0xFF for code in group)) for number, group in groupby(codes, lambda code: code >> 8)
        ]

    def _assign_code(self, state: Any, letter: int) -> int:
        """Return the code of a letter: its subset number above the low eight bits; 0 if it has no glyph.

        ``letter`` is a Unicode code point. New letters are added to ``state``, the subsets of one document.
        """
        if letter in state.assignments or letter not in self.face.charToGlyph:
            return int(state.assignments.get(letter, 0))
        code, subsets = state.nextCode, state.subsets
        if code & 0xFF == _SPACE:
            # The first subset already has its space.
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
    """The letters of a typeface: glyphs, widths, and file positions of outlines."""

    def extractInfo(self, charInfo: int = 1) -> None:  # noqa: N802, N803, ARG002 (names of the library)
        """Read the file into this object: ``charToGlyph``, ``charWidths``, ``glyphPos`` and the library's own values.

        ``charToGlyph`` has glyph numbers by code point, ``glyphPos`` the start of each outline in bytes. The fixed
        space equals the space. ``charInfo`` is ignored.
        """
        super().extractInfo(charInfo=0)
        self.charToGlyph: dict[int, int] = {}
        for codes, glyphs in self._read_characters():
            self.charToGlyph.update(zip(codes, glyphs, strict=True))
        self._read_widths()
        self.glyphPos = self._read_outline_places()
        self.charToGlyph[_FIXED_SPACE] = self.charToGlyph[_SPACE]
        self.charWidths[_FIXED_SPACE] = self.charWidths[_SPACE]

    def _read_outline_places(self) -> list[int]:
        """Return the start of each glyph's outline in bytes, and the end of the last."""
        table = self.get_table("loca")
        if self.get_ushort(self.get_table_pos("head")[0] + 50):
            return _read_numbers(">u4", table, 0, self.numGlyphs + 1)
        return [2 * half for half in _read_numbers(">u2", table, 0, self.numGlyphs + 1)]

    def _read_widths(self) -> None:
        """Read the widths of glyphs; if the file gives fewer widths, the other glyphs have the last one."""
        width_count = self.get_ushort(self.get_table_pos("hhea")[0] + 34)
        numbers = _read_numbers(">u2", self.get_table("hmtx"), 0, width_count + self.numGlyphs)
        glyph_widths, side_bearings = (
            numbers[: 2 * width_count : 2],
            chain(numbers[1 : 2 * width_count : 2], numbers[2 * width_count :]),
        )
        units, share = self.unitsPerEm, _THOUSAND / self.unitsPerEm
        widths = [value if units == _THOUSAND else value * share for value in glyph_widths]
        self.hmetrics = list(zip(chain(glyph_widths, repeat(widths[-1])), side_bearings, strict=False))
        widths += [widths[-1]] * (self.numGlyphs - width_count)
        self.defaultWidth = widths[0]
        self.charWidths = {code: widths[glyph] for code, glyph in self.charToGlyph.items()}

    def _read_characters(self) -> Iterator[_CharacterRange]:
        """Return the ranges of code points and their glyph numbers, from the last Unicode table of the font file."""
        cmap = self.get_table("cmap")
        (count,) = _read_numbers(">u2", cmap, 2, 1)
        kinds = _read_numbers(">u2", cmap, 4, 4 * count)[::4]
        starts = _read_numbers(">u4", cmap, 4, 2 * count)[1::2]
        table_start = [start for kind, start in zip(kinds, starts, strict=True) if kind in _UNICODE][-1]
        return (
            _read_format_4(cmap, table_start)
            if _read_numbers(">u2", cmap, table_start, 1) == [4]
            else _read_format_12(cmap, table_start)
        )


def _read_format_4(cmap: bytes, table: int) -> Iterator[_CharacterRange]:
    """Yield the characters of a format 4 table: each range has an offset to its glyphs, or a list.

    ``table`` is the position of the table in ``cmap``, in bytes. A range is its code points, with the glyph number of
    each (0 for none).
    """
    count = _read_numbers(">u2", cmap, table + 6, 1)[0] // 2
    rows = [table + 14 + 2 * count * row + (2 if row else 0) for row in range(4)]
    ends, starts, steps, lists = (_read_numbers(">u2", cmap, position, count) for position in rows)
    for place, (start, end, step, list_offset) in enumerate(zip(starts, ends, steps, lists, strict=True)):
        codes = range(start, end + 1)
        if list_offset:
            glyphs = _read_numbers(">u2", cmap, rows[3] + 2 * place + list_offset, len(codes))
            yield codes, [(glyph + step) & 0xFFFF if glyph else 0 for glyph in glyphs]
        else:
            yield codes, [(code + step) & 0xFFFF for code in codes]


def _read_format_12(cmap: bytes, table: int) -> Iterator[_CharacterRange]:
    """Yield the characters of a format 12 table: the glyphs of a range are consecutive.

    ``table`` is the position of the table in ``cmap``, in bytes.
    """
    (count,) = _read_numbers(">u4", cmap, table + 12, 1)
    numbers = _read_numbers(">u4", cmap, table + 16, 3 * count)
    for start, end, glyph in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
        yield range(start, end + 1), range(glyph, glyph + end - start + 1)


def _read_numbers(kind: str, table: bytes, offset: int, count: int) -> list[int]:
    """Return ``count`` consecutive numbers of a table as a list.

    ``kind`` is their numpy type, for example ``>u2``; ``offset`` is the position of the first, in bytes.
    """
    values: list[int] = np.frombuffer(table, dtype=kind, count=count, offset=offset).tolist()
    return values


class Advances(NamedTuple):
    """The advances of a typeface, in shares of the type size.

    Attributes:
        shares: advance of each letter.
        missing: advance of any other letter.
        kerns: kerning of letter pairs, usually negative; pairs with a space are left out, because words are measured
            separately.
    """

    shares: dict[str, float]
    missing: float
    kerns: dict[str, float]

    def kerning(self, text: str) -> list[float]:
        """Return the kerning after each letter of a text, in fractions of the type size; 0.0 after the last."""
        return [*(self.kerns.get(first + second, 0.0) for first, second in pairwise(text)), 0.0][: len(text)]

    def steps(self, text: str) -> list[float]:
        """Return the advance of each letter of a text with kerning, in fractions of the type size."""
        shares, missing = self.shares, self.missing
        return [shares.get(letter, missing) + kern for letter, kern in zip(text, self.kerning(text), strict=True)]


# EB Garamond and Old Standard have no kerning table and need it for these pairs. In shares of the type size.
_BOOK_KERNS: Final = {
    **dict.fromkeys(("To", "Ta", "Te", "Tr", "Tu", "Ty", "Vo", "Va", "Ve", "Wa", "We", "Wo", "Ya", "Ye", "Yo"), -0.085),
    **dict.fromkeys(("Av", "Aw", "Ay", "AT", "TA", "LT", "P.", "P,", "F.", "F,"), -0.075),
    **dict.fromkeys(("AV", "VA", "AW", "WA", "AY", "YA"), -0.11),
}


@cache
def typeface(font: Font) -> Any:
    """Return the open typeface, a ``reportlab.pdfbase.ttfonts.TTFont`` with the font's value as its name."""

    return OpenedFont(font.value, resource("fonts", f"{font.value}.ttf").read_bytes())


@cache
def advances(font: Font) -> Advances:
    """Return the advances and the kerning of a typeface, in fractions of the type size."""
    face = typeface(font).face
    shares = [wide / _THOUSAND for wide in face.charWidths.values()]
    kerns = _read_kerns(face) if "kern" in face.table else _BOOK_KERNS
    return Advances(dict(zip(map(chr, face.charWidths), shares, strict=True)), face.defaultWidth / _THOUSAND, kerns)


def _read_kerns(face: Any) -> dict[str, float]:
    """Return the kerning by pair of letters, such as "AV", from a format 0 ``kern`` table.

    It is in fractions of the type size with three decimals.
    """
    table = face.get_table("kern")
    # The header of the table has 4 bytes; that of its only subtable has 14, with the count of pairs in bytes 6 and 7.
    (count,) = _read_numbers(">u2", table, 10, 1)
    numbers = _read_numbers(">u2", table, 18, 3 * count)
    values = _read_numbers(">i2", table, 18, 3 * count)[2::3]
    letters = {glyph: chr(code) for code, glyph in face.charToGlyph.items() if code not in (_SPACE, _FIXED_SPACE)}
    pairs = zip(numbers[::3], numbers[1::3], values, strict=True)
    return {
        letters[first] + letters[second]: round(_THOUSAND * value / face.unitsPerEm) / _THOUSAND
        for first, second, value in pairs
        if first in letters and second in letters
    }
