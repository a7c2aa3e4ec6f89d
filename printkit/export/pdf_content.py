"""Content streams: texts and paths as PDF operators, in whole hundredths of a millimetre.

Numbers are integers or have a fixed number of digits, because PDF does not allow exponents.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Affine, FillRule, Font, Ink, Path, PathRun, Stroke, Text
from printkit.drawing.lettering.extent import PER_MM, Extent, stroke_reach, text_extent, text_foot
from printkit.drawing.lettering.typefaces import advances
from printkit.export.placing import format_number

# --- Outlines of paths as PDF operators, and their bounds -------------------------------------------------------------

# Points per batch: large enough for fast arrays, small enough to save memory.
_AT_ONCE: Final = 50_000

# A coordinate is a leading group and a last group of four digits. With 1,000 leading groups it is below 10,000,000
# (100 m).
_GROUP: Final = 10_000
_LEADING_GROUPS: Final = 1_000

_REMOVED_BYTE: Final = b"\xff"
_SEPARATOR: Final = b"\0"


class Outline(NamedTuple):
    """The operators of a path's outline, and the bounds of its points in units of 0.01 mm of the drawing."""

    code: str
    left: int
    bottom: int
    right: int
    top: int


def path_outlines(paths: Iterable[Path]) -> Iterator[Outline]:
    """Yield the outline of each path in order, in units of 0.01 mm of the drawing; each path must have points."""
    runs: list[PathRun] = []
    counts: list[int] = []
    free_points = _AT_ONCE
    for path in paths:
        runs += path.runs
        counts.append(len(path.runs))
        free_points -= sum([len(run.points) for run in path.runs]) // 2
        if free_points < 0:
            yield from _batch_outlines(runs, counts)
            runs, counts, free_points = [], [], _AT_ONCE
    if runs:
        yield from _batch_outlines(runs, counts)


def _batch_outlines(runs: Sequence[PathRun], counts: Sequence[int]) -> Iterator[Outline]:
    """Yield outlines in units of 0.01 mm of the drawing; ``counts`` is the number of runs (lines) of each.

    ``runs`` are those of all paths in order.
    """
    coordinates = [run.points for run in runs]
    lengths = np.array([len(flat) // 2 for flat in coordinates])
    points = np.fromiter(chain.from_iterable(coordinates), np.int32, 2 * int(lengths.sum())).reshape(-1, 2)
    stops = np.cumsum(lengths)
    path_ends = stops[np.cumsum(counts) - 1]
    starts = np.concatenate([[0], path_ends[:-1]])
    minima, maxima = (function.reduceat(points, starts).tolist() for function in (np.minimum, np.maximum))
    word_rows = np.empty((len(points), 7), np.uint32)
    for axis, word_index in ((0, 0), (1, 3)):
        size = np.abs(points[:, axis])
        group = size // _GROUP
        word_rows[:, word_index] = _FIRST.take(group + _LEADING_GROUPS * (points[:, axis] < 0))
        word_rows[:, word_index + 1] = _LAST.take(size - group * _GROUP + _GROUP * (group > 0))
    word_rows[:, 2] = _pack_word(b" ")
    word_rows[:, 5] = _pack_word(b" l\n")
    word_rows[stops - lengths, 5] = _pack_word(b" m\n")
    word_rows[:, 6] = _pack_word(b"")
    word_rows[stops[[run.closed for run in runs]] - 1, 6] = _pack_word(b"h\n")
    byte_rows = word_rows.view(np.uint8)
    byte_rows[path_ends - 1, -1] = _SEPARATOR[0]
    codes = byte_rows.tobytes().translate(None, _REMOVED_BYTE).decode("ascii").split(_SEPARATOR.decode())
    for code, low_corner, high_corner in zip(codes, minima, maxima, strict=False):
        yield Outline(code, *low_corner, *high_corner)


def _pack_word(text: bytes) -> np.uint32:
    """Return up to four ASCII letters as a 32-bit word, padded with bytes that are removed later."""
    return np.uint32(int.from_bytes(text.ljust(4, _REMOVED_BYTE), sys.byteorder))


def _digit_table(count: int) -> NDArray[np.uint8]:
    """Return the numbers below ``count`` as four ASCII digits each."""
    numbers = np.arange(count)[:, None]
    return (ord("0") + numbers // 10 ** np.arange(3, -1, -1) % 10).astype(np.uint8)


def _strip_zeros(figures: NDArray[np.uint8], min_digits: int) -> NDArray[np.uint8]:
    """Return numbers without leading zeros; each keeps at least its ``min_digits`` last digits.

    ``figures`` has four ASCII digits per row.
    """
    leading = np.logical_and.accumulate(figures == ord("0"), axis=1)
    leading[:, 4 - min_digits :] = False
    return np.where(leading, np.uint8(_REMOVED_BYTE[0]), figures)


def _digit_words() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return two tables: words for leading groups (positive, then negative), and words for last groups.

    A word is four letters in 32 bits. A last group has the four lowest digits of a number: first without leading zeros,
    for numbers below 10,000, then with them.
    """
    first = _strip_zeros(_digit_table(_LEADING_GROUPS), 0)
    negative = first.copy()
    negative[:, 0] = ord("-")
    last = _digit_table(_GROUP)
    tables = np.concatenate([first, negative]), np.concatenate([_strip_zeros(last, 1), last])
    return tables[0].view(np.uint32).ravel(), tables[1].view(np.uint32).ravel()


_FIRST, _LAST = _digit_words()


# A parameter of the graphics state, and the operator that sets it.
StateSetting: TypeAlias = tuple[str, str]

OPAQUE: Final[tuple[StateSetting, ...]] = (("fill alpha", "/F1000 gs"), ("stroke alpha", "/S1000 gs"))

# Readers move letters to the nearest printer dot. A letter between two dots could move differently on two sheets, so
# letters are offset by 0.002 mm from the grid.
_DOT_OFFSET: Final = 0.2


class Code(NamedTuple):
    """A piece of content: bounds in units of 0.01 mm, required graphics state, operators, and resources they name."""

    box: Extent
    settings: tuple[StateSetting, ...]
    body: str
    fonts: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()


class GlyphEncoder(Protocol):
    """Encodes letters for embedded typefaces."""

    def encode_letters(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return the resource names of typefaces, each with the codes of its letters in hexadecimal."""


class ContentStream(Struct):
    """A content stream under construction; a setting is written only when it changes.

    A stream begins opaque with all other settings unknown, so that the same code can start a page and a form.
    """

    parts: list[str] = field(default_factory=list)
    fonts: dict[str, None] = field(default_factory=dict)
    forms: dict[str, None] = field(default_factory=dict)
    alphas: dict[str, None] = field(default_factory=dict)
    pictures: dict[str, None] = field(default_factory=dict)
    _state: dict[str, str] = field(default_factory=lambda: dict(OPAQUE))
    _state_stack: list[dict[str, str]] = field(default_factory=list)

    def add_codes(self, codes: Iterable[Code]) -> None:
        """Write pieces of content in order, with the settings that differ from the present ones.

        The names of the typefaces, forms, pictures and opacities that they use are added to the stream.
        """
        state, parts = self._state, self.parts
        last_settings: tuple[StateSetting, ...] = ()
        for _, settings, body, fonts, forms, pictures in codes:
            # Most pieces need the same settings as the previous one.
            if settings is not last_settings:
                last_settings = settings
                for parameter, operator in settings:
                    if state.get(parameter) != operator:
                        state[parameter] = operator
                        parts.append(operator)
                        if operator.endswith(" gs"):
                            self.alphas[operator[1:-3]] = None
            parts.append(body)
            if fonts:
                self.fonts.update(dict.fromkeys(fonts))
            if forms:
                self.forms.update(dict.fromkeys(forms))
            if pictures:
                self.pictures.update(dict.fromkeys(pictures))

    def save_state(self, clip: Extent | PathRun | None = None, transform: str = "") -> None:
        """Save the state, and set a clip and a transform for the content that follows.

        The clip is in units of 0.01 mm; without one nothing is clipped. The transform is a ``cm`` operator, or empty.
        """
        self._state_stack.append(dict(self._state))
        self.parts.append("q")
        match clip:
            case Extent(left, bottom, right, top):
                sides = (
                    format_number(left),
                    format_number(bottom),
                    format_number(right - left),
                    format_number(top - bottom),
                )
                self.parts.append(f"{' '.join(sides)} re W n")
            case PathRun():
                self.parts.append(f"{next(path_outlines((Path((clip,)),))).code}W n")
        if transform:
            self.parts.append(transform)

    def restore_state(self) -> None:
        """Restore the state that was saved last."""
        self._state = self._state_stack.pop()
        self.parts.append("Q")

    def text(self) -> str:
        """Return the stream as text."""
        return "\n".join(self.parts) + "\n"


def matrix(transform: Affine) -> str:
    """Return the ``cm`` operator of a PDF for a transform whose shift is in mm.

    The shift of the operator is in units of 0.01 mm.
    """
    rotation = " ".join(format_number(value, 6) for value in transform[:4])
    return f"{rotation} {format_number(transform.e * PER_MM)} {format_number(transform.f * PER_MM)} cm"


def encode_paths(paths: Sequence[Path]) -> list[Code | None]:
    """Return the PDF operators of each path, in the order of ``paths``.

    The entry of a path without runs, or without both fill and stroke, is empty (None). Coordinates, and the box of each
    ``Code``, are in units of 0.01 mm of the drawing. The box includes the reach of the stroke.
    """
    visible_outlines = path_outlines(path for path in paths if _is_painted(path))
    return [_encode_path(path, next(visible_outlines)) if _is_painted(path) else None for path in paths]


def _is_painted(path: Path) -> bool:
    """Return whether a path has runs, and a fill or a stroke."""
    return bool(path.runs) and (path.fill is not None or path.stroke is not None)


def _encode_path(path: Path, outline: Outline) -> Code:
    """Return the content of a painted path; ``outline`` is in units of 0.01 mm of the drawing."""
    code, left, bottom, right, top = outline
    stroke_margin = 0.0 if path.stroke is None else stroke_reach(path.stroke) * PER_MM
    box = Extent(left - stroke_margin, bottom - stroke_margin, right + stroke_margin, top + stroke_margin)
    return Code(box, _paint_settings(path.fill, path.stroke), code + _paint_operator(path, code))


@lru_cache(maxsize=1024)
def _paint_settings(fill: Ink | None, stroke: Stroke | None) -> tuple[StateSetting, ...]:
    """Return the graphics settings to fill, to stroke, or both; a stroke is in mm of the drawing."""
    return (_fill_settings(fill) if fill else ()) + (_stroke_settings(stroke) if stroke else ())


def _fill_settings(ink: Ink) -> tuple[StateSetting, ...]:
    """Return the graphics settings (name and operator) to fill with an ink."""
    return ("fill", f"{_colour(ink)} {'g' if _is_grey(ink) else 'rg'}"), ("fill alpha", f"/F{_thousandths(ink)} gs")


def _stroke_settings(stroke: Stroke) -> tuple[StateSetting, ...]:
    """Return the graphics settings (name and operator) to draw a stroke, which is in mm of the drawing.

    Numbers of the operators are in units of 0.01 mm.
    """
    dashes = " ".join(format_number(length * PER_MM, 1) for length in stroke.dash)
    phase = format_number(stroke.phase * PER_MM, 1) if stroke.dash else "0"
    return (
        ("stroke", f"{_colour(stroke.ink)} {'G' if _is_grey(stroke.ink) else 'RG'}"),
        ("stroke alpha", f"/S{_thousandths(stroke.ink)} gs"),
        ("width", f"{format_number(stroke.width * PER_MM, 1)} w"),
        ("cap", f"{int(stroke.cap)} J"),
        ("join", f"{int(stroke.join)} j"),
        ("dash", f"[{dashes}] {phase} d"),
    )


def encode_text(text: Text, encoder: GlyphEncoder) -> Code | None:
    """Return the content of a text, or None if it has no letters.

    A halo is stroked under the letters. Text with a halo, tracking or a curve also has its string as actual text, so
    that readers find and copy it as one word, once.
    """
    if not text.content.strip():
        return None
    size = text.size_pt * MM_PER_POINT * PER_MM
    letters, fonts = _encode_curved(text, encoder, size) if text.glyphs else _encode_straight(text, encoder, size)
    settings = _paint_settings(text.ink, text.halo)
    body = f"BT\n{letters}ET"
    if text.halo is not None:
        body = f"BT\n1 Tr\n{letters}0 Tr\n{letters}ET"
    if text.halo is not None or text.glyphs or text.track:
        actual_text = text.content.encode("utf-16-be").hex().upper()
        body = f"/Span <</ActualText <FEFF{actual_text}>>> BDC\n{body}\nEMC"
    return Code(text_extent(text), settings, body, tuple(dict.fromkeys(fonts)))


def _encode_straight(text: Text, encoder: GlyphEncoder, size: float) -> tuple[str, list[str]]:
    """Return the operators of a straight text, and the names of its typefaces.

    ``size`` is the type size in units of 0.01 mm of the drawing.
    """
    x, y = text_foot(text)
    lines = [_text_matrix(x, y, text.angle)]
    if text.track:
        lines.append(f"{format_number(text.track * PER_MM, 1)} Tc\n")
    encoded_subsets = encoder.encode_letters(text.font, text.content)
    kerns = iter(advances(text.font).kerning(text.content))
    lines += [
        f"/{name} {format_number(size, 2)} Tf {_show_operator(codes, kerns)}\n" for name, codes in encoded_subsets
    ]
    if text.track:
        lines.append("0 Tc\n")
    return "".join(lines), [name for name, _ in encoded_subsets]


def _show_operator(codes: str, kerns: Iterator[float]) -> str:
    """Return the operator that shows letters, each followed by its kerning (a share of the type size).

    ``codes`` has two hexadecimal digits per letter.
    """
    parts = []
    for start in range(0, len(codes), 2):
        parts.append(codes[start : start + 2])
        if kern := next(kerns):
            # PDF subtracts these numbers; they are thousandths of the type size.
            parts.append(f">{format_number(-1000 * kern, 0)}<")
    operands = "".join(parts)
    return f"<{operands}> Tj" if operands == codes else f"[<{operands}>] TJ".replace("<>", "")


def _encode_curved(text: Text, encoder: GlyphEncoder, size: float) -> tuple[str, list[str]]:
    """Return the operators of a text with a position for each letter, and the names of its typefaces.

    ``size`` is the type size in units of 0.01 mm of the drawing.
    """
    letters = text.content if len(text.glyphs) == len(text.content) else text.content.replace(" ", "")
    lines: list[str] = []
    fonts: list[str] = []
    for letter, (x, y, angle) in zip(letters, text.glyphs, strict=True):
        if letter == " ":
            continue
        ((name, codes),) = encoder.encode_letters(text.font, letter)
        if name not in fonts[-1:]:
            lines.append(f"/{name} {format_number(size, 2)} Tf\n")
        fonts.append(name)
        lines.append(f"{_text_matrix(x, y, angle)}<{codes}> Tj\n")
    return "".join(lines), fonts


def _text_matrix(x: float, y: float, angle: float) -> str:
    """Return the operator that sets the position of a text in mm of the drawing and its angle in degrees."""
    return f"{_rotation_numbers(angle)} {_offset_coordinate(x)} {_offset_coordinate(y)} Tm\n"


@lru_cache(maxsize=256)
def _rotation_numbers(angle: float) -> str:
    """Return the four numbers of a rotation matrix for an angle in degrees anticlockwise."""
    angle_rad = math.radians(angle)
    cosine, sine = format_number(math.cos(angle_rad), 5), format_number(math.sin(angle_rad), 5)
    return f"{cosine} {sine} {format_number(-math.sin(angle_rad), 5)} {cosine}"


def _offset_coordinate(value: float) -> str:
    """Return a coordinate in mm of the drawing as text in units of 0.01 mm, with an offset of 0.2 units."""
    return f"{round(value * PER_MM) + _DOT_OFFSET:.1f}"


def _paint_operator(path: Path, outline: str) -> str:
    """Return the operators that fill and stroke a path, after its ``outline``."""
    star = "*" if path.rule is FillRule.EVEN_ODD else ""
    if path.stroke is None:
        return f"f{star}"
    if path.fill is None:
        return "S"
    if path.stroke.ink.alpha < 1:
        # Readers differ in whether a translucent stroke shows the fill below it, so paint fill and stroke separately.
        return f"f{star}\n{outline}S"
    return f"B{star}"


def _is_grey(ink: Ink) -> bool:
    """Return whether red, green and blue of an ink are equal."""
    return ink.red == ink.green == ink.blue


def _colour(ink: Ink) -> str:
    """Return the colour of an ink as numbers from 0 to 1: one for grey, three otherwise."""
    shades = (ink.red,) if _is_grey(ink) else (ink.red, ink.green, ink.blue)
    return " ".join(format_number(shade / 255) for shade in shades)


def _thousandths(ink: Ink) -> int:
    """Return the opacity of an ink in thousandths, 0 to 1000."""
    return round(ink.alpha * 1000)
