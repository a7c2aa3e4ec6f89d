"""Typefaces: each opened once, its tables read at a stroke, and the advances by which its type is measured."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, repeat
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


class OpenedFont(TTFont):  # type: ignore[misc]
    """A typeface for the pages of any document."""

    def __init__(self, name: str, file: bytes) -> None:
        """Open a file under the name that documents call it by; what ``TTFont`` does, but for how the face is read."""
        self.fontName = name
        self.face = _Face(io.BytesIO(file))
        self.encoding = TTEncoding()
        self.state: WeakKeyDictionary[object, object] = WeakKeyDictionary()
        self._asciiReadable = 0
        self.shapable = True


class _Face(TTFontFace):  # type: ignore[misc]
    """The letters of a typeface: which glyph each is, how wide it is, and where in the file its outline stands."""

    def extractInfo(self, charInfo: int = 1) -> None:  # noqa: N802, N803, ARG002 (names of the library)
        """Read the file: its short tables as the library does, those with a number for each letter at a stroke."""
        super().extractInfo(charInfo=0)
        self.charToGlyph: dict[int, int] = {}
        for codes, glyphs in self._characters():
            self.charToGlyph.update(zip(codes, glyphs, strict=True))
        self._read_widths()
        self.glyphPos = self._outlines()
        self.charToGlyph[_FIXED_SPACE] = self.charToGlyph[_SPACE]
        self.charWidths[_FIXED_SPACE] = self.charWidths[_SPACE]

    def _outlines(self) -> list[int]:
        """Return where the outline of each glyph begins, and where the last ends."""
        at, _ = self.get_table_pos("loca")
        if self.get_ushort(self.get_table_pos("head")[0] + 50):
            return self._numbers(">u4", at, self.numGlyphs + 1)
        return [2 * half for half in self._numbers(">u2", at, self.numGlyphs + 1)]

    def _read_widths(self) -> None:
        """Read how wide glyphs are; where fewer are told than there are, all others are as wide as the last."""
        at, _ = self.get_table_pos("hmtx")
        told = self.get_ushort(self.get_table_pos("hhea")[0] + 34)
        numbers = self._numbers(">u2", at, told + self.numGlyphs)
        wide, beside = numbers[: 2 * told : 2], chain(numbers[1 : 2 * told : 2], numbers[2 * told :])
        widths = [self._pdfScale(one) for one in wide]
        self.hmetrics = list(zip(chain(wide, repeat(widths[-1])), beside, strict=False))
        widths += [widths[-1]] * (self.numGlyphs - told)
        self.defaultWidth = widths[0]
        self.charWidths = {code: widths[glyph] for code, glyph in self.charToGlyph.items()}

    def _characters(self) -> Iterator[_Stretch]:
        """Return the characters with their glyphs, from the last of the tables of Unicode."""
        cmap, _ = self.get_table_pos("cmap")
        listed = [cmap + 4 + 8 * place for place in range(self.get_ushort(cmap + 2))]
        table = cmap + [self.get_ulong(at + 4) for at in listed if self.get_ushort(at) in _UNICODE][-1]
        return self._segments(table) if self.get_ushort(table) == 4 else self._groups(table)

    def _segments(self, table: int) -> Iterator[_Stretch]:
        """Yield the characters of a table of format 4: each stretch has a step to its glyphs, or a list of them too."""
        count = self.get_ushort(table + 6) // 2
        rows = [table + 14 + 2 * count * row + (2 if row else 0) for row in range(4)]
        ends, starts, steps, lists = (self._numbers(">u2", at, count) for at in rows)
        for place, (start, end, step, listed) in enumerate(zip(starts, ends, steps, lists, strict=True)):
            codes = range(start, end + 1)
            if listed:
                glyphs = self._numbers(">u2", rows[3] + 2 * place + listed, len(codes))
                yield codes, [(glyph + step) & 0xFFFF if glyph else 0 for glyph in glyphs]
            else:
                yield codes, [(code + step) & 0xFFFF for code in codes]

    def _groups(self, table: int) -> Iterator[_Stretch]:
        """Yield the characters of a table of format 12: the glyphs of a stretch follow one another."""
        numbers = self._numbers(">u4", table + 16, 3 * self.get_ulong(table + 12))
        for start, end, glyph in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
            yield range(start, end + 1), range(glyph, glyph + end - start + 1)

    def _numbers(self, kind: str, at: int, count: int) -> list[int]:
        """Return numbers that follow one another in the file."""
        found: list[int] = np.frombuffer(self._ttf_data, dtype=kind, count=count, offset=at).tolist()
        return found


class Advances(NamedTuple):
    """How far each letter that a face has moves the pen, in shares of the size, and what any other letter takes."""

    shares: dict[str, float]
    missing: float


@cache
def typeface(font: Font) -> Any:
    """Return the opened typeface, a ``reportlab.pdfbase.ttfonts.TTFont`` called by the font's value."""

    return OpenedFont(font.value, resource("fonts", f"{font.value}.ttf").read_bytes())


@cache
def advances(font: Font) -> Advances:
    """Return the advances of a typeface."""
    face = typeface(font).face
    shares = [wide / 1000 for wide in face.charWidths.values()]
    return Advances(dict(zip(map(chr, face.charWidths), shares, strict=True)), face.defaultWidth / 1000)
