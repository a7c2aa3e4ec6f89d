"""Lettering: measure type, choose typefaces for characters, wrap, fit, and set type along curves.

Type is measured with the advances of its typeface. Every text gets the position of its left foot here, so that all
writers put it in the same place.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace

from printkit.core import exact_math
from printkit.core.errors import ResourceError
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Font, Ink, Stroke, Text
from printkit.drawing.canvas.plain import BLACK
from printkit.drawing.canvas.shapes import Line
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.typefaces import advances

# Size of lining figures relative to the text around them. They are used because EB Garamond's old-style 1 looks like I.
FIGURE_SHARE: Final = 0.90

# The smallest printed type in points: in EB Garamond, and in Lato, which sets the figures.
LEAST_BOOK: Final = 7.5
LEAST_FIGURES: Final = 6.5

_COMPANION: Final = {
    Font.ROMAN: Font.FIGURES,
    Font.ITALIC: Font.FIGURES_ITALIC,
    Font.SMALL: Font.FIGURES,
    Font.SMALL_ITALIC: Font.FIGURES_ITALIC,
    Font.SMALL_CAPITALS: Font.FIGURES,
}
# A straight apostrophe after a letter, as in Keller's and HARTS'; feet after figures keep theirs.
_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])'")
_FIGURES: Final = re.compile(r"[+\-−±×≤≥<>=]?\d+(?:[.,:/×–−-]\d+)*%?")


class TypeStyle(Struct, frozen=True, kw_only=True):
    """The type style of a text.

    Attributes:
        font: the typeface.
        size_pt: type size in points.
        ink: the colour.
        track: extra space between letters, in printed mm.
        halo: stroke under the letters.
        least_pt: minimum type size in points.
        language: language for hyphenation.
        link: name of a file that opens on a click, or empty.
    """

    font: Font
    size_pt: float
    ink: Ink
    track: float = 0.0
    halo: Stroke | None = None
    least_pt: float = 0.0
    language: str = "en"
    link: str = ""

    @classmethod
    def for_style(cls, style: Style, font: Font, size_pt: float, ink: Ink, *, track: float = 0.0) -> TypeStyle:
        """Return a type style of ``size_pt`` points; ``track`` is extra space between letters, in printed mm.

        In large print the size is raised to the minimum of the map style.
        """
        minimum_pt = least_size_for(font, style.least_pt)
        if size_pt < minimum_pt:
            size_pt, track = minimum_pt, track * minimum_pt / size_pt
        return cls(font=font, size_pt=size_pt, ink=ink, track=track, least_pt=minimum_pt, language=style.language)

    def resize(self, share: float, *, minimum_pt: float = 0.0) -> TypeStyle:
        """Return the type style with size and tracking scaled by ``share``, at least ``minimum_pt`` points.

        The minimum of the style itself (``least_pt``) counts too. A style that is already smaller is not made larger.
        """
        size = max(self.size_pt * share, min(max(minimum_pt, self.least_pt), self.size_pt))
        return replace(self, size_pt=size, track=self.track * size / self.size_pt)

    def with_alpha(self, alpha: float) -> TypeStyle:
        """Return the type style with opacity ``alpha``, from 0 (transparent) to 1 (opaque)."""
        return replace(self, ink=self.ink.with_alpha(alpha))

    def with_halo(self, halo: Stroke) -> TypeStyle:
        """Return the type style with a halo: a stroke under the letters, with its width in printed mm."""
        return replace(self, halo=halo)

    @property
    def height(self) -> float:
        """Return the type size in printed mm."""
        return self.size_pt * MM_PER_POINT


class GlyphRun(NamedTuple):
    """Characters of a text in one typeface, at a share of the type size."""

    text: str
    font: Font
    share: float


def least_size(font: Font) -> float:
    """Return the smallest size at which a typeface may be printed, in points: that of body text, or of figures."""
    return LEAST_BOOK if font in _COMPANION else LEAST_FIGURES


def least_size_for(font: Font, least_pt: float) -> float:
    """Return the size in points at which all text of a typeface has at least ``least_pt`` points.

    Figures are smaller than the text around them, so the size of some typefaces is larger than ``least_pt``.
    """
    return least_pt / FIGURE_SHARE if font in _COMPANION else least_pt


def scaled_size(size_pt: float, font: Font, symbol_scale: float) -> float:
    """Return the printed type size in points at a symbol scale (1 at actual size).

    ``size_pt`` is the size at 1:1. Type shrinks faster than symbols, down to the smallest printed size.
    """
    return max(size_pt * math.pow(symbol_scale, 1.35), least_size(font))


@cache
def clean_text(text: str) -> str:
    """Return the text as it is set: in Unicode NFC, on one line, without control characters.

    Any white space becomes one space, and none is left at the ends. An apostrophe after a letter becomes U+2019.
    """
    normal_form = " ".join(unicodedata.normalize("NFC", text).split())
    letters = "".join(letter for letter in normal_form if unicodedata.category(letter)[0] != "C")
    return _APOSTROPHE.sub("’", letters) if "'" in letters else letters


@cache
def split_by_font(text: str, font: Font) -> tuple[GlyphRun, ...]:
    """Return a clean text split by typeface; the companion typeface sets figures and missing letters.

    Each run has the share of the type size at which it is set, below 1 for figures. An empty text has no runs.

    Raises:
        ResourceError: no typeface has a character.
    """
    if advances(font).shares.keys() >= set(text) and _FIGURES.search(text) is None:
        return (GlyphRun(text, font, 1.0),) if text else ()
    companion = _COMPANION.get(font, font)
    faces = [font] * len(text)
    for match in _FIGURES.finditer(text):
        faces[slice(*match.span())] = [companion] * (match.end() - match.start())
    for place, letter in enumerate(text):
        faces[place] = _choose_font(letter, faces[place], companion)
    runs = []
    for face, group in groupby(zip(faces, text, strict=True), key=lambda pair: pair[0]):
        share = FIGURE_SHARE if face is not font and face is companion else 1.0
        runs.append(GlyphRun("".join(letter for _, letter in group), face, share))
    return tuple(runs)


@cache
def _choose_font(letter: str, font: Font, companion: Font) -> Font:
    """Return the typeface that sets a letter: ``font``, its companion, or the roman.

    Raises:
        ResourceError: none of them has the letter.
    """
    for face in (font, companion, Font.ROMAN):
        if letter in advances(face).shares:
            return face
    raise ResourceError(
        "none of the typefaces has {letter!r} (U+{code:04X}); remove it from the name or title",
        letter=letter,
        code=ord(letter),
    )


@cache
def _advances(text: str, font: Font, size_pt: float) -> tuple[float, ...]:
    """Return the advance of each letter of a clean text in printed mm, with kerning, without tracking."""
    advance_list: list[float] = []
    for piece, face, share in split_by_font(text, font):
        size = share * size_pt * MM_PER_POINT
        advance_list += [size * step for step in advances(face).steps(piece)]
    return tuple(advance_list)


def width(text: str, font: Font, size_pt: float, *, track: float = 0.0) -> float:
    """Return the length in printed mm of a line of type at ``size_pt`` points; 0.0 for an empty text.

    ``track`` is extra space between letters, in mm. The text is cleaned first (``clean_text``).
    """
    if not text:
        return 0.0
    text = clean_text(text)
    return _measure_untracked(text, font, size_pt) + track * max(0, len(text) - 1)


@cache
def _measure_untracked(text: str, font: Font, size_pt: float) -> float:
    """Return the length in printed mm of a clean text at ``size_pt`` points, without tracking."""
    return plain_sum(_advances(text, font, size_pt))


def measure(text: str, style: TypeStyle) -> float:
    """Return the length of a line of type in printed mm, including tracking between letters."""
    return width(text, style.font, style.size_pt, track=style.track)


def line(
    text: str, position: tuple[float, float], style: TypeStyle, *, anchor: Anchor = Anchor.START, angle: float = 0.0
) -> tuple[Text, ...]:
    """Return one line of type, one text for each typeface; an empty tuple for an empty text.

    ``position`` is x and y of the baseline at ``anchor``, in printed mm; ``angle`` is in degrees anticlockwise.
    """
    text = clean_text(text)
    if not text:
        return ()
    share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[anchor]
    offset = -share * measure(text, style) if share else -0.0
    unit_x, unit_y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    parts = split_by_font(text, style.font)
    if len(parts) == 1:
        return (_build_text(parts[0], style, (position[0] + offset * unit_x, position[1] + offset * unit_y), angle),)
    steps = _advances(text, style.font, style.size_pt)
    texts: list[Text] = []
    first = 0
    for piece in parts:
        texts.append(_build_text(piece, style, (position[0] + offset * unit_x, position[1] + offset * unit_y), angle))
        last = first + len(piece.text)
        for step in steps[first:last]:
            offset += step + style.track
        first = last
    return tuple(texts)


def _build_text(
    piece: GlyphRun,
    style: TypeStyle,
    position: tuple[float, float],
    angle: float = 0.0,
    glyphs: tuple[tuple[float, float, float], ...] = (),
) -> Text:
    """Return one text in the typeface of a run; ``position`` is its left foot in printed mm.

    ``angle`` is in degrees anticlockwise. ``glyphs`` has x and y in mm and angle in degrees of each letter on a curve.
    """
    return Text(
        content=piece.text,
        at=position,
        size_pt=style.size_pt * piece.share,
        ink=style.ink,
        font=piece.font,
        angle=angle,
        track=style.track,
        halo=style.halo,
        glyphs=glyphs,
        link=style.link,
    )


# The minimum space between two words on a curve, in em.
LEAST_WORD_SPACE: Final = 0.28
# The largest angle between neighbouring letters on a curve, in degrees; a word with a larger one is set straight.
MOST_TURN: Final = 9.0
# Height of the middle of small letters above the baseline, in type sizes. Letters are spaced along this line.
_MIDDLE: Final = 0.24
_WORD_TRIES: Final = 8

# The left foot of a letter, x and y in mm, and its angle in degrees.
_Glyph: TypeAlias = tuple[float, float, float]


def set_along_curve(
    text: str, path: Line, style: TypeStyle, *, middle: float = 0.5, offset: float = 0.0
) -> tuple[Text, ...]:
    """Return text set along a curve, one text for each typeface.

    The text needs at least one letter. It may extend past the ends of the path, which continues straight.

    Args:
        text: the text.
        path: points in printed mm in reading direction; it is the baseline.
        style: the type style.
        middle: position of the middle of the text along the path, 0 to 1.
        offset: distance of the baseline to the left of the path, in mm (upwards for a path to the right).
    """
    text = clean_text(text)
    spine = _Spine.for_path(path, -offset, style)
    begin = spine.distances[-1] * middle - measure(text, style) / 2
    glyphs, _ = spine.set_letters(begin, np.asarray(_advances(text, style.font, style.size_pt)), style.track)
    return _build_texts(text, style, glyphs)


def set_words_along_curve(text: str, path: Line, style: TypeStyle, *, offset: float = 0.0) -> tuple[Text, ...]:
    """Return text set word by word along the middle of a winding curve, one text for each typeface.

    Args:
        text: the text.
        path: points in printed mm in reading direction.
        style: the type style.
        offset: distance of the baseline to the left of the path, in mm.
    """
    text = clean_text(text)
    rise = _MIDDLE * style.height
    spine = _Spine.for_path(_offset_path(path, offset + rise), rise, style)
    begin = (spine.distances[-1] - measure(text, style)) / 2
    glyphs, added_mm = _set_words(text, spine, style, begin)
    if added_mm:
        glyphs, _ = _set_words(text, spine, style, begin - added_mm / 2)
    return _build_texts(text, style, glyphs)


def _build_texts(text: str, style: TypeStyle, glyphs: Sequence[_Glyph]) -> tuple[Text, ...]:
    """Return a text from the positions of its letters, one text for each typeface.

    A glyph is x and y in printed mm of the left foot of a letter, and its angle in degrees.
    """
    texts, first = [], 0
    for piece in split_by_font(text, style.font):
        piece_glyphs = tuple(glyphs[first : first + len(piece.text)])
        texts.append(_build_text(piece, style, piece_glyphs[0][:2], glyphs=piece_glyphs))
        first += len(piece.text)
    return tuple(texts)


def _set_words(text: str, spine: _Spine, style: TypeStyle, begin: float) -> tuple[list[_Glyph], float]:
    """Return the glyphs of all letters along a curve, and the length added to keep words apart.

    Lengths are in printed mm. A glyph is x and y, and angle in degrees; spaces have the position of the end of the word
    before. ``begin`` is the start of the text along the curve, in mm.
    """
    steps = np.asarray(_advances(text, style.font, style.size_pt))
    starts = begin + np.concatenate([[0.0], np.cumsum(steps + style.track)])[:-1]
    minimum_gap = LEAST_WORD_SPACE * style.size_pt * MM_PER_POINT
    glyphs: list[_Glyph] = []
    last_end: _Glyph = (0.0, 0.0, 0.0)
    added_mm = 0.0
    for match in re.finditer(r"[^ ]+", text):
        first, last = match.span()
        for _ in range(_WORD_TRIES):
            word, end = spine.set_letters(starts[first] + added_mm, steps[first:last], style.track, most_turn=MOST_TURN)
            gap = math.dist(last_end[:2], word[0][:2]) if glyphs else minimum_gap
            if gap >= minimum_gap:
                break
            added_mm += minimum_gap - gap + 1e-3
        if glyphs:
            glyphs += [last_end] * (first - len(glyphs))
        glyphs += word
        last_end = end
    return glyphs, added_mm


class _Spine(Struct, frozen=True, eq=False):
    """A curve along which letters are spaced, in printed mm.

    Attributes:
        path: its points.
        distances: distance of each point from the start.
        rise: distance of the baseline below the curve.
        reach: half the length of curve that gives the angle of a letter.
    """

    path: Line
    distances: Line
    rise: float
    reach: float

    @classmethod
    def for_path(cls, path: Line, rise: float, style: TypeStyle) -> _Spine:
        """Return the spine of a path (points in printed mm, n x 2) for letters of a type style.

        The baseline is ``rise`` mm below the path.
        """
        distances = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
        return cls(path, distances, rise, max(style.height, 1e-3))

    def set_letters(
        self, start: float, steps: Line, track: float, *, most_turn: float = math.inf
    ) -> tuple[list[_Glyph], _Glyph]:
        """Return the positions of letters, and the end of the last one.

        Each is x and y in printed mm, and an angle in degrees. The middle of each letter is on the curve and follows
        its direction there.

        Args:
            start: start of the first letter along the curve, in mm.
            steps: the advance of each letter, in mm.
            track: extra space between letters, in mm.
            most_turn: if the angle between two neighbours is larger, in degrees, all letters are on a straight line.
        """
        starts = np.concatenate([[0.0], np.cumsum(steps + track)])[:-1]
        centres = start + starts + steps / 2
        before, middles, after = (
            _points_at_distances(self.path, self.distances, centres + shift) for shift in (-self.reach, 0.0, self.reach)
        )
        directions = after - before
        angles = exact_math.arctan2(directions[:, 1], directions[:, 0])
        turns = np.abs((np.diff(angles) + math.pi) % (2 * math.pi) - math.pi)
        if len(turns) and math.degrees(float(turns.max())) > most_turn:
            length = float(starts[-1] + steps[-1])
            left, right = _points_at_distances(self.path, self.distances, np.array([start, start + length]))
            chord = right - left
            angles = np.full(len(steps), exact_math.arctan2(chord[1:], chord[:1])[0])
            unit = np.column_stack([exact_math.cos(angles), exact_math.sin(angles)])
            middles = (left + right) / 2 + unit * (starts + steps / 2 - length / 2)[:, None]
        unit = np.column_stack([exact_math.cos(angles), exact_math.sin(angles)])
        feet = middles - self.rise * np.column_stack([-unit[:, 1], unit[:, 0]]) - unit * (steps / 2)[:, None]
        glyphs = [
            (float(x), float(y), math.degrees(angle))
            for (x, y), angle in zip(feet.tolist(), angles.tolist(), strict=True)
        ]
        x, y = (feet[-1] + unit[-1] * steps[-1]).tolist()
        return glyphs, (x, y, glyphs[-1][2])


def _offset_path(path: Line, distance: float) -> Line:
    """Return the parallel curve ``distance`` printed mm to the left of a path, as points in mm, n x 2.

    If that curve is empty, the path itself is returned. The direction is that of the path.
    """
    if abs(distance) < 1e-9:
        return path
    parts = shapely.get_parts(shapely.offset_curve(shapely.linestrings(path), distance, quad_segs=8))
    if not len(parts):
        return path
    points: Line = shapely.get_coordinates(max(parts, key=lambda part: float(part.length)))
    chord, path_chord = points[-1] - points[0], path[-1] - path[0]
    return points if chord[0] * path_chord[0] + chord[1] * path_chord[1] >= 0 else points[::-1]


def _points_at_distances(path: Line, path_distances: Line, distances: Line) -> Line:
    """Return points (n x 2, in printed mm) at distances in mm along a path.

    The path continues straight beyond its ends. ``path_distances`` has the distance of each point of the path from its
    start, in mm.
    """
    first, last = path[1] - path[0], path[-1] - path[-2]
    first, last = first / max(np.hypot(*first), 1e-9), last / max(np.hypot(*last), 1e-9)
    points = np.column_stack([np.interp(distances, path_distances, path[:, axis]) for axis in (0, 1)])
    undershoot = np.minimum(distances, 0.0)[:, None]
    overshoot = np.maximum(distances - path_distances[-1], 0.0)[:, None]
    return np.asarray(points + undershoot * first + overshoot * last)


def wrap_words(text: str, style: TypeStyle, measure_mm: float) -> tuple[str, ...]:
    """Return the lines of a text in one type style, at most ``measure_mm`` printed mm long.

    A longer word gets its own line. An empty text has no lines. Text on pages and cards is wrapped by ``wrap_text`` of
    ``printkit.drawing.text.text_runs``, which also breaks words.
    """
    rows: list[str] = []
    text = clean_text(text).lstrip(" ")
    if text and measure(text, style) <= measure_mm + 1e-9:
        return (text,)
    for word in text.split(" "):
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and measure(longer, style) <= measure_mm + 1e-9:
            rows[-1] = longer
        elif word:
            rows.append(word)
    return tuple(rows)


def shrink_to_fit(text: str, style: TypeStyle, measure_mm: float) -> TypeStyle:
    """Return the type style in which a text fits ``measure_mm`` printed mm: tighter, then smaller.

    The size may become too small to read.
    """
    length = measure(text, style)
    if length <= measure_mm:
        return style
    gaps = max(1, len(text) - 1)
    closer_style = replace(style, track=max(0.0, style.track - (length - measure_mm) / gaps))
    length = measure(text, closer_style)
    return closer_style if length <= measure_mm + 1e-9 else closer_style.resize(measure_mm / length)


def fit_text(
    text: str, style: TypeStyle, measure_mm: float, *, lines: int = 1, least_share: float = 0.6
) -> tuple[tuple[str, ...], TypeStyle]:
    """Return the lines of a text, and the type style in which they fit.

    At most ``lines`` lines, each at most ``measure_mm`` printed mm long, are wanted. The type shrinks only as needed,
    at most to the share ``least_share`` (0 to 1) or to the smallest printed size. If that is not enough, the text gets
    more lines; at last the type shrinks further until the longest word fits. An empty text has no lines and keeps its
    style.
    """
    minimum_pt = min(least_size(style.font), style.size_pt)
    for share in _shares(least_share):
        candidate = style.resize(share, minimum_pt=minimum_pt)
        rows = wrap_words(text, candidate, measure_mm)
        if len(rows) <= lines and all(measure(row, candidate) <= measure_mm + 1e-9 for row in rows):
            return rows, candidate
    longest = max((measure(row, candidate) for row in rows), default=0.0)
    if longest > measure_mm:
        candidate = candidate.resize(0.999 * measure_mm / longest)
        rows = wrap_words(text, candidate, measure_mm)
    return rows, candidate


def _shares(least_share: float) -> Iterator[float]:
    """Yield the scales of type to try, from 1 down to ``least_share`` in steps of 0.05."""
    share = 1.0
    while share > least_share:
        yield share
        share -= 0.05
    yield least_share


# The smallest type that is printed.
SMALL: Final = TypeStyle(font=Font.FIGURES, size_pt=6.5, ink=BLACK)


def shorten(text: str, style: TypeStyle, available_mm: float) -> str:
    """Return a text cut to at most ``available_mm`` mm on paper, with an ellipsis if it was cut.

    It is empty if not even the ellipsis with one letter fits.
    """
    if measure(text, style) <= available_mm:
        return text
    # Cut a very long text to a length that is close to the width first.
    fits = 16
    while measure(text[:fits], style) <= available_mm:
        fits *= 2
    text = text[:fits].rstrip()
    while text and measure(f"{text}…", style) > available_mm:
        text = text[:-1].rstrip()
    return f"{text}…" if text else ""
