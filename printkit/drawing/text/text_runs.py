"""Running text in two type styles: find ``**strong**`` parts, break rows between words, and draw them."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.content.prose import Align
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Font, Text
from printkit.drawing.lettering.lettering import TypeStyle, clean_text, line, measure, width

_STRONG: Final = re.compile(r"\*\*(.+?)\*\*")
_SEAMS: Final = re.compile(r"(?<=[-/–—_.,])(?=.)")
# A range of die scores, for example 2–3, is never broken.
_SPAN: Final = re.compile(r"\d{1,2}–\d{1,2}")

_LEAST_SHARE: Final = 0.8
_LOOSE: Final = 1e-6
_WORDS: Final = 20_000


class TextPiece(NamedTuple):
    """Letters in one type style, without spaces."""

    text: str
    hand: TypeStyle

    @property
    def width(self) -> float:
        """Return the length in mm."""
        return _long(self.text, self.hand)


# Pieces without a space between them, for example a strong word and its comma.
Word = tuple[TextPiece, ...]


class TextRow(Struct, frozen=True):
    """Words on one line, ``space`` mm apart."""

    words: tuple[Word, ...]
    space: float

    @property
    def width(self) -> float:
        """Return the length in mm."""
        gaps = self.space * max(0, len(self.words) - 1)
        return plain_sum(piece.width for word in self.words for piece in word) + gaps

    def items(self, x: float, y: float) -> Iterator[Text]:
        """Yield the texts of the row from the baseline point ``x``, ``y``. Words in one type style are one text."""
        for text, hand, start in self._stretches():
            yield from line(text, (x + start, y), hand)

    def _stretches(self) -> Iterator[tuple[str, TypeStyle, float]]:
        """Yield text, type style and start in mm of each section in one type style."""
        gathered: list[str] = []
        hand: TypeStyle | None = None
        start = gone = 0.0
        even = False
        for place, word in enumerate(self.words):
            gone += self.space if place else 0.0
            for part, piece in enumerate(word):
                # A section may continue after a space only if the row uses the space width of its type style.
                if piece.hand == hand and (part > 0 or even):
                    gathered.append(piece.text if part else f" {piece.text}")
                else:
                    if hand is not None:
                        yield "".join(gathered), hand, start
                    gathered, hand, start = [piece.text], piece.hand, gone
                    even = abs(_space(hand) - self.space) < _LOOSE
                gone += piece.width
        if hand is not None:
            yield "".join(gathered), hand, start


def rows_of(text: str, plain: TypeStyle, strong: TypeStyle, measure_mm: float) -> tuple[TextRow, ...]:
    """Return the rows of a text, none longer than ``measure_mm``. A line feed begins a row; an empty text yields none.

    A word that is longer than a row is broken at a hyphen, dash or slash, then between syllables. Otherwise it is made
    smaller, or hyphenated between two letters.
    """
    space = _space(plain)
    rows: list[list[Word]] = []
    for stretch in text.split("\n"):
        gone = measure_mm
        for word in words_of(stretch, plain, strong):
            for fitted in _fitted(word, measure_mm):
                length = plain_sum(piece.width for piece in fitted)
                if gone + space + length <= measure_mm + _LOOSE:
                    rows[-1].append(fitted)
                    gone += space + length
                else:
                    rows.append([fitted])
                    gone = length
    return tuple(TextRow(tuple(row), space) for row in rows)


def words_of(text: str, plain: TypeStyle, strong: TypeStyle) -> Iterator[Word]:
    """Yield the words of a text; text between ``**`` is in the strong type style."""
    word: list[TextPiece] = []
    for stretch, hand in _stretches(" ".join(text.split()), plain, strong):
        for place, part in enumerate(stretch.split(" ")):
            if place and word:
                yield tuple(word)
                word = []
            if cleaned := clean_text(part):
                word.append(TextPiece(cleaned, hand))
    if word:
        yield tuple(word)


def plain_text(text: str) -> str:
    """Return a text without ``**`` marks, for bookmarks and file properties."""
    return _STRONG.sub(r"\1", text)


def natural(text: str, plain: TypeStyle, strong: TypeStyle) -> float:
    """Return the length of the longest line of a text in mm, unwrapped."""
    space = _space(plain)
    return max(TextRow(tuple(words_of(row, plain, strong)), space).width for row in text.split("\n"))


def longest_word(text: str, plain: TypeStyle, strong: TypeStyle) -> float:
    """Return the length in mm of the longest word or part of a word that cannot break at a hyphen."""
    bits = (bit for word in words_of(text, plain, strong) for bit in _seamed(word))
    return max((plain_sum(piece.width for piece in bit) for bit in bits), default=0.0)


def set_rows(
    rows: Iterable[TextRow], x: float, top: float, *, width: float, row: float, foot: float, align: Align = "left"
) -> list[Text]:
    """Return the texts of rows, stacked. Lengths are in mm.

    Args:
        rows: the rows.
        x: left edge of the column.
        top: top of the first row.
        width: width of the column.
        row: height of a row.
        foot: height of the baseline above the bottom of its row.
        align: alignment of rows in the column.
    """
    found: list[Text] = []
    for number, one in enumerate(rows, 1):
        free = 0.0 if align == "left" else width - one.width
        start = x + (free / 2 if align == "middle" else free)
        found.extend(one.items(start, top - number * row + foot))
    return found


def _space(hand: TypeStyle) -> float:
    return _long("x x", hand) - 2 * _long("x", hand)


def _long(text: str, hand: TypeStyle) -> float:
    """Return the length of a word in mm. Lengths at one point are cached, because words repeat at many sizes."""
    return _share(text, hand.font) * hand.size_pt + hand.track * max(0, len(text) - 1)


@lru_cache(maxsize=_WORDS)
def _share(text: str, font: Font) -> float:
    """Return the length in mm of a word set in 1 pt."""
    return width(text, font, 1.0)


def _stretches(text: str, plain: TypeStyle, strong: TypeStyle) -> Iterator[tuple[str, TypeStyle]]:
    for place, stretch in enumerate(_STRONG.split(text)):
        if stretch:
            yield stretch, strong if place % 2 else plain


def _fitted(word: Word, measure_mm: float) -> Iterator[Word]:
    """Yield a word in parts that are at most ``measure_mm`` long."""
    if plain_sum(piece.width for piece in word) <= measure_mm + _LOOSE:
        yield word
        return
    held: list[TextPiece] = []
    for bit in _seamed(word):
        length = plain_sum(piece.width for piece in _joined((*held, *bit)))
        if held and length > measure_mm + _LOOSE:
            yield _joined(held)
            held = []
        if plain_sum(piece.width for piece in bit) > measure_mm + _LOOSE:
            *whole, last = _cut(bit, measure_mm)
            yield from whole
            held = list(last)
        else:
            held.extend(bit)
    if held:
        yield _joined(held)


def _seamed(word: Word) -> Iterator[Word]:
    """Yield the parts of a word between hyphens, dashes and slashes."""
    bit: list[TextPiece] = []
    for piece in word:
        for place, part in enumerate(_bits(piece.text)):
            if place:
                yield tuple(bit)
                bit = []
            bit.append(TextPiece(part, piece.hand))
    if bit:
        yield tuple(bit)


@lru_cache(maxsize=_WORDS)
def _bits(text: str) -> tuple[str, ...]:
    """Return a word split after its hyphens, dashes and slashes."""
    return (text,) if _SPAN.fullmatch(text) else tuple(_SEAMS.split(text))


def _cut(bit: Word, measure_mm: float) -> list[Word]:
    """Return a part of a word, made to fit.

    It is hyphenated between syllables. Without syllables it is made a little smaller, or hyphenated between letters.
    """
    length = plain_sum(piece.width for piece in bit)
    syllables = [_syllables(piece.text, piece.hand.language) for piece in bit]
    if not any(syllables) and measure_mm >= _LEAST_SHARE * length:
        share = 0.999 * measure_mm / length
        return [tuple(TextPiece(piece.text, piece.hand.resize(share)) for piece in bit)]
    found: list[Word] = []
    held: list[TextPiece] = []
    gone = 0.0
    for place, ((text, hand), breaks) in enumerate(zip(bit, syllables, strict=True)):
        start = 0
        for end in range(1, len(text) + 1):
            hyphen = "" if end == len(text) and place == len(bit) - 1 else "-"
            if gone + measure(text[start:end] + hyphen, hand) <= measure_mm:
                continue
            if end - start > 1:
                cut = max((at for at in breaks if start < at < end), default=end - 1)
                found.append((*held, TextPiece(f"{text[start:cut]}-", hand)))
                held, gone, start = [], 0.0, cut
            elif held:
                found.append((*held[:-1], TextPiece(f"{held[-1].text}-", held[-1].hand)))
                held, gone = [], 0.0
        held.append(TextPiece(text[start:], hand))
        gone += held[-1].width
    return [*found, tuple(held)]


@lru_cache(maxsize=_WORDS)
def _syllables(text: str, language: str) -> tuple[int, ...]:
    """Return the indices where a word can be hyphenated: the first letter of each syllable but the first.

    Return nothing for a language without hyphenation patterns.
    """
    # Imported here because nearly all sheets do without hyphenation.
    import pyphen

    patterns = pyphen.language_fallback(language)
    word = text.rstrip(string.punctuation)
    return tuple(pyphen.Pyphen(lang=patterns).positions(word)) if patterns else ()


def _joined(pieces: Iterable[TextPiece]) -> Word:
    """Return the pieces with neighbours of one type style merged, so that kerning counts in their length."""
    return tuple(
        TextPiece("".join(piece.text for piece in group), hand)
        for hand, group in groupby(pieces, key=lambda each: each.hand)
    )
