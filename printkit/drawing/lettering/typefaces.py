"""Typefaces: opened once, and the advances that measure type."""

from __future__ import annotations

import io
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from reportlab.pdfbase.ttfonts import TTFont

from printkit.core.resources import resource
from printkit.drawing.canvas.items import Font

_SPACE: Final = 0x20
_FIXED_SPACE: Final = 0xA0

# PDF gives widths of letters in thousandths of the type size.
_THOUSAND: Final = 1000


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
    file = io.BytesIO(resource("fonts", f"{font.value}.ttf").read_bytes())
    # In each subset code 0 is unused, and 32 is the space.
    return TTFont(font.value, file, asciiReadable=False)


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
    (count,) = np.frombuffer(table, ">u2", 1, 10).tolist()
    numbers = np.frombuffer(table, ">u2", 3 * count, 18).tolist()
    values = np.frombuffer(table, ">i2", 3 * count, 18)[2::3].tolist()
    letters = {glyph: chr(code) for code, glyph in face.charToGlyph.items() if code not in (_SPACE, _FIXED_SPACE)}
    pairs = zip(numbers[::3], numbers[1::3], values, strict=True)
    return {
        letters[first] + letters[second]: round(_THOUSAND * value / face.unitsPerEm) / _THOUSAND
        for first, second, value in pairs
        if first in letters and second in letters
    }
