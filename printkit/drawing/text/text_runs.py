"""Running text in two type styles: find strong parts and links, break rows between words, and draw them."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Align
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Font, Text
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.drawing.lettering.lettering import TypeStyle, clean_text, line, measure, width

# ``**strong**`` and ``[[folder/file.pdf]]``; the name of a file is strong too.
_MARKUP: Final = re.compile(r"\*\*(.+?)\*\*|\[\[((?:\w[\w-]*/)*\w[\w-]*\.pdf)\]\]")
_SEAMS: Final = re.compile(r"(?<=[-/–—_.,])(?=.)")
# A range of die scores, for example 2–3, is never broken.
_SCORE_RANGE: Final = re.compile(r"\d{1,2}–\d{1,2}")

_LEAST_SHARE: Final = 0.8
_CACHED_WORDS: Final = 20_000


class TextPiece(NamedTuple):
    """Letters in one type style, without spaces."""

    text: str
    style: TypeStyle

    @property
    def width(self) -> float:
        """Return the length of the letters in printed mm."""
        return _word_length(self.text, self.style)


# Pieces without a space between them, for example a strong word and its comma.
Word = tuple[TextPiece, ...]


class TextRow(Struct, frozen=True):
    """Words on one line, ``space`` printed mm apart."""

    words: tuple[Word, ...]
    space: float

    @property
    def width(self) -> float:
        """Return the length of the row in printed mm."""
        gaps = self.space * max(0, len(self.words) - 1)
        return plain_sum(piece.width for word in self.words for piece in word) + gaps

    def items(self, x: float, y: float) -> Iterator[Text]:
        """Yield the texts of the row from the baseline point ``x``, ``y`` (printed mm).

        Words in one type style are one text.
        """
        for text, style, start in self._style_sections():
            yield from line(text, (x + start, y), style)

    def _style_sections(self) -> Iterator[tuple[str, TypeStyle, float]]:
        """Yield text, type style and start of each section in one type style, from left to right.

        The start is in printed mm from the start of the row.
        """
        parts: list[str] = []
        style: TypeStyle | None = None
        start = length = 0.0
        has_own_space = False
        for index, word in enumerate(self.words):
            length += self.space if index else 0.0
            for part, piece in enumerate(word):
                # A section may continue after a space only if the row uses the space width of its type style.
                if piece.style == style and (part > 0 or has_own_space):
                    parts.append(piece.text if part else f" {piece.text}")
                else:
                    if style is not None:
                        yield "".join(parts), style, start
                    parts, style, start = [piece.text], piece.style, length
                    has_own_space = abs(_space_width(style) - self.space) < TOLERANCE
                length += piece.width
        if style is not None:
            yield "".join(parts), style, start


def wrap_text(text: str, plain: TypeStyle, strong: TypeStyle, measure_mm: float) -> tuple[TextRow, ...]:
    """Return the rows of a text, none longer than ``measure_mm`` printed mm; an empty tuple for an empty text.

    Text between ``**`` is in the ``strong`` type style, other text in ``plain``. A line feed begins a row; empty rows
    are left out. A word that is longer than a row is broken at a hyphen, dash or slash, then between syllables.
    Otherwise it is made smaller, or hyphenated between two letters.
    """
    space = _space_width(plain)
    rows: list[list[Word]] = []
    for text_line in text.split("\n"):
        row_length = measure_mm
        for word in split_words(text_line, plain, strong):
            for word_part in _fit_word(word, measure_mm):
                length = plain_sum(piece.width for piece in word_part)
                if row_length + space + length <= measure_mm + TOLERANCE:
                    rows[-1].append(word_part)
                    row_length += space + length
                else:
                    rows.append([word_part])
                    row_length = length
    return tuple(TextRow(tuple(row), space) for row in rows)


def split_words(text: str, plain: TypeStyle, strong: TypeStyle) -> Iterator[Word]:
    """Yield the words of a text, each as pieces of one type style.

    Text between ``**`` is in the ``strong`` type style, other text in ``plain``. The name of a PDF file between ``[[``
    and ``]]`` is strong, and a link to that file.
    """
    word: list[TextPiece] = []
    for section, style in _styled_sections(" ".join(text.split()), plain, strong):
        for index, part in enumerate(section.split(" ")):
            if index and word:
                yield tuple(word)
                word = []
            if letters := clean_text(part):
                word.append(TextPiece(letters, style))
    if word:
        yield tuple(word)


def _styled_sections(text: str, plain: TypeStyle, strong: TypeStyle) -> Iterator[tuple[str, TypeStyle]]:
    """Yield the sections of a text without its marks, each with its type style."""
    end = 0
    for match in _MARKUP.finditer(text):
        yield text[end : match.start()], plain
        yield (match[1], strong) if match[1] else (match[2], replace(strong, link=match[2]))
        end = match.end()
    yield text[end:], plain


def plain_text(text: str) -> str:
    """Return a text without the pairs of marks around strong text and links; a single mark stays."""
    return _MARKUP.sub(lambda match: match[1] or match[2], text)


def natural_width(text: str, plain: TypeStyle, strong: TypeStyle) -> float:
    """Return the length in printed mm of the longest line of a text, unwrapped.

    Text between ``**`` is in the ``strong`` type style, other text in ``plain``.
    """
    space = _space_width(plain)
    return max(TextRow(tuple(split_words(row, plain, strong)), space).width for row in text.split("\n"))


def longest_word(text: str, plain: TypeStyle, strong: TypeStyle) -> float:
    """Return the printed length in mm of the longest word, or part that cannot break; 0.0 for an empty text.

    A word can break after a hyphen, dash, slash, underscore, full stop or comma.
    """
    bits = (bit for word in split_words(text, plain, strong) for bit in _split_at_seams(word))
    return max((plain_sum(piece.width for piece in bit) for bit in bits), default=0.0)


def draw_rows(
    rows: Iterable[TextRow], x: float, top: float, *, width: float, row: float, baseline: float, align: Align = "left"
) -> list[Text]:
    """Return the texts of rows, stacked. Lengths are in printed mm.

    Args:
        rows: the rows.
        x: left edge of the column.
        top: top of the first row.
        width: width of the column.
        row: height of a row.
        baseline: height of the baseline above the bottom of its row.
        align: alignment of rows in the column.
    """
    texts: list[Text] = []
    for number, text_row in enumerate(rows, 1):
        free_mm = 0.0 if align == "left" else width - text_row.width
        start = x + (free_mm / 2 if align == "middle" else free_mm)
        texts.extend(text_row.items(start, top - number * row + baseline))
    return texts


def _space_width(style: TypeStyle) -> float:
    """Return the width of a space in printed mm."""
    return _word_length("x x", style) - 2 * _word_length("x", style)


def _word_length(text: str, style: TypeStyle) -> float:
    """Return the length of a word in printed mm, from its cached length at a size of 1 point."""
    return _unit_length(text, style.font) * style.size_pt + style.track * max(0, len(text) - 1)


@lru_cache(maxsize=_CACHED_WORDS)
def _unit_length(text: str, font: Font) -> float:
    """Return the length in printed mm of a word set in 1 pt."""
    return width(text, font, 1.0)


def _fit_word(word: Word, measure_mm: float) -> Iterator[Word]:
    """Yield a word in parts that are at most ``measure_mm`` printed mm long, in order.

    A word that fits is yielded unchanged. Others are split at hyphens, dashes and slashes first, then hyphenated.
    """
    if plain_sum(piece.width for piece in word) <= measure_mm + TOLERANCE:
        yield word
        return
    pieces: list[TextPiece] = []
    for bit in _split_at_seams(word):
        length = plain_sum(piece.width for piece in _merge_pieces((*pieces, *bit)))
        if pieces and length > measure_mm + TOLERANCE:
            yield _merge_pieces(pieces)
            pieces = []
        if plain_sum(piece.width for piece in bit) > measure_mm + TOLERANCE:
            *full_parts, last = _hyphenate(bit, measure_mm)
            yield from full_parts
            pieces = list(last)
        else:
            pieces.extend(bit)
    if pieces:
        yield _merge_pieces(pieces)


def _split_at_seams(word: Word) -> Iterator[Word]:
    """Yield the parts of a word that are separated by hyphens, dashes, slashes, underscores, full stops or commas.

    A part keeps that sign at its end. A range of scores such as ``1–2`` is not split.
    """
    bit: list[TextPiece] = []
    for piece in word:
        for index, part in enumerate(_seam_parts(piece.text)):
            if index:
                yield tuple(bit)
                bit = []
            bit.append(TextPiece(part, piece.style))
    if bit:
        yield tuple(bit)


@lru_cache(maxsize=_CACHED_WORDS)
def _seam_parts(text: str) -> tuple[str, ...]:
    """Return a word split after its hyphens, dashes, slashes, underscores, full stops and commas.

    A range of scores such as ``1–2`` is one part.
    """
    return (text,) if _SCORE_RANGE.fullmatch(text) else tuple(_SEAMS.split(text))


def _hyphenate(bit: Word, measure_mm: float) -> list[Word]:
    """Return the parts of a word without seams, each made to fit ``measure_mm`` printed mm, with hyphens at their ends.

    It is hyphenated between syllables. A word without syllables that is at most a quarter too long is made smaller
    instead; a longer one is hyphenated between letters.
    """
    length = plain_sum(piece.width for piece in bit)
    syllables = [_syllables(piece.text, piece.style.language) for piece in bit]
    if not any(syllables) and measure_mm >= _LEAST_SHARE * length:
        share = 0.999 * measure_mm / length
        return [tuple(TextPiece(piece.text, piece.style.resize(share)) for piece in bit)]
    parts: list[Word] = []
    pieces: list[TextPiece] = []
    used_mm = 0.0
    for index, ((text, style), breaks) in enumerate(zip(bit, syllables, strict=True)):
        start = 0
        for end in range(1, len(text) + 1):
            hyphen = "" if end == len(text) and index == len(bit) - 1 else "-"
            # After a break between syllables, the rest may still be too long.
            while used_mm + measure(text[start:end] + hyphen, style) > measure_mm and (pieces or end - start > 1):
                if end - start > 1:
                    cut = max(
                        (index_of_break for index_of_break in breaks if start < index_of_break < end), default=end - 1
                    )
                    parts.append((*pieces, TextPiece(f"{text[start:cut]}-", style)))
                    pieces, used_mm, start = [], 0.0, cut
                else:
                    parts.append((*pieces[:-1], TextPiece(f"{pieces[-1].text}-", pieces[-1].style)))
                    pieces, used_mm = [], 0.0
        pieces.append(TextPiece(text[start:], style))
        used_mm += pieces[-1].width
    return [*parts, tuple(pieces)]


@lru_cache(maxsize=_CACHED_WORDS)
def _syllables(text: str, language: str) -> tuple[int, ...]:
    """Return the indices (from 0) at which a new syllable begins, where a word can be hyphenated.

    Return nothing for a language without hyphenation patterns.
    """
    # Imported here because nearly all sheets do without hyphenation.
    import pyphen

    patterns = pyphen.language_fallback(language)
    word = text.rstrip(string.punctuation)
    return tuple(pyphen.Pyphen(lang=patterns).positions(word)) if patterns else ()


def _merge_pieces(pieces: Iterable[TextPiece]) -> Word:
    """Return the pieces with neighbours of one type style merged, so that kerning counts in their length."""
    return tuple(
        TextPiece("".join(piece.text for piece in group), style)
        for style, group in groupby(pieces, key=lambda text_piece: text_piece.style)
    )
