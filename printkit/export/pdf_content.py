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
from printkit.export.files import number

# --- Outlines of paths as PDF operators, and their bounds -------------------------------------------------------------

# Points per batch: large enough for fast arrays, small enough to save memory.
_AT_ONCE: Final = 50_000

# A coordinate is a leading group and a last group of four digits. With 1,000 leading groups it is below 10,000,000
# (100 m).
_GROUP: Final = 10_000
_BELOW_ZERO: Final = 1_000

_STRUCK: Final = b"\xff"
_PARTED: Final = b"\0"


class Outline(NamedTuple):
    """The operators of a path's outline, and the bounds of its points."""

    code: str
    left: int
    bottom: int
    right: int
    top: int


def outlines(paths: Iterable[Path]) -> Iterator[Outline]:
    """Yield the outline of each path. Each path must have runs, and each run points."""
    gathered: list[PathRun] = []
    counts: list[int] = []
    room = _AT_ONCE
    for path in paths:
        gathered += path.runs
        counts.append(len(path.runs))
        room -= sum([len(run.points) for run in path.runs]) // 2
        if room < 0:
            yield from _outlines(gathered, counts)
            gathered, counts, room = [], [], _AT_ONCE
    if gathered:
        yield from _outlines(gathered, counts)


def _outlines(runs: Sequence[PathRun], counts: Sequence[int]) -> Iterator[Outline]:
    """Yield outlines; ``counts`` is the number of runs of each."""
    coordinates = [run.points for run in runs]
    lengths = np.array([len(flat) // 2 for flat in coordinates])
    points = np.fromiter(chain.from_iterable(coordinates), np.int32, 2 * int(lengths.sum())).reshape(-1, 2)
    stops = np.cumsum(lengths)
    whole = stops[np.cumsum(counts) - 1]
    starts = np.concatenate([[0], whole[:-1]])
    low, high = (function.reduceat(points, starts).tolist() for function in (np.minimum, np.maximum))
    words = np.empty((len(points), 7), np.uint32)
    for axis, at in ((0, 0), (1, 3)):
        size = np.abs(points[:, axis])
        group = size // _GROUP
        words[:, at] = _FIRST.take(group + _BELOW_ZERO * (points[:, axis] < 0))
        words[:, at + 1] = _LAST.take(size - group * _GROUP + _GROUP * (group > 0))
    words[:, 2] = _word(b" ")
    words[:, 5] = _word(b" l\n")
    words[stops - lengths, 5] = _word(b" m\n")
    words[:, 6] = _word(b"")
    words[stops[[run.closed for run in runs]] - 1, 6] = _word(b"h\n")
    figures = words.view(np.uint8)
    figures[whole - 1, -1] = _PARTED[0]
    codes = figures.tobytes().translate(None, _STRUCK).decode("ascii").split(_PARTED.decode())
    for code, least, most in zip(codes, low, high, strict=False):
        yield Outline(code, *least, *most)


def _word(text: bytes) -> np.uint32:
    """Return up to four letters as a 32-bit word, padded with bytes that are removed later."""
    return np.uint32(int.from_bytes(text.ljust(4, _STRUCK), sys.byteorder))


def _figures(count: int) -> NDArray[np.uint8]:
    """Return the numbers below ``count`` as four digits each."""
    numbers = np.arange(count)[:, None]
    return (ord("0") + numbers // 10 ** np.arange(3, -1, -1) % 10).astype(np.uint8)


def _without_zeros(figures: NDArray[np.uint8], least: int) -> NDArray[np.uint8]:
    """Return numbers without leading zeros; each keeps at least its ``least`` last digits."""
    leading = np.logical_and.accumulate(figures == ord("0"), axis=1)
    leading[:, 4 - least :] = False
    return np.where(leading, np.uint8(_STRUCK[0]), figures)


def _tables() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the words for leading groups (positive, then negative) and for last groups."""
    first = _without_zeros(_figures(_BELOW_ZERO), 0)
    negative = first.copy()
    negative[:, 0] = ord("-")
    last = _figures(_GROUP)
    tables = np.concatenate([first, negative]), np.concatenate([_without_zeros(last, 1), last])
    return tables[0].view(np.uint32).ravel(), tables[1].view(np.uint32).ravel()


_FIRST, _LAST = _tables()


# A parameter of the graphics state, and the operator that sets it.
StateSetting: TypeAlias = tuple[str, str]

OPAQUE: Final[tuple[StateSetting, ...]] = (("fill alpha", "/F1000 gs"), ("stroke alpha", "/S1000 gs"))

# Readers move letters to the nearest printer dot. A letter between two dots could move differently on two sheets, so
# letters are offset by 0.002 mm from the grid.
_OFF_THE_DOTS: Final = 0.2


class Code(NamedTuple):
    """A piece of content: bounds, required graphics state, operators, and the resources they name."""

    box: Extent
    settings: tuple[StateSetting, ...]
    body: str
    fonts: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()


class GlyphEncoder(Protocol):
    """Encodes letters for embedded typefaces."""

    def spell(self, font: Font, text: str) -> list[tuple[str, str]]:
        """Return resource names of typefaces, each with the codes of its letters in hexadecimal."""


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
    _saved: list[dict[str, str]] = field(default_factory=list)

    def add(self, codes: Iterable[Code]) -> None:
        """Write pieces of content in order."""
        state, parts = self._state, self.parts
        before: tuple[StateSetting, ...] = ()
        for _, settings, body, fonts, forms, pictures in codes:
            # Most pieces need the same settings as the previous one.
            if settings is not before:
                before = settings
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

    def open(self, clip: Extent | PathRun | None = None, transform: str = "") -> None:
        """Save the state, and set a clip and a transform for the content that follows."""
        self._saved.append(dict(self._state))
        self.parts.append("q")
        match clip:
            case Extent(left, bottom, right, top):
                sides = (number(left), number(bottom), number(right - left), number(top - bottom))
                self.parts.append(f"{' '.join(sides)} re W n")
            case PathRun():
                self.parts.append(f"{next(outlines((Path((clip,)),))).code}W n")
        if transform:
            self.parts.append(transform)

    def close(self) -> None:
        """Restore the last saved state."""
        self._state = self._saved.pop()
        self.parts.append("Q")

    def text(self) -> str:
        """Return the stream as text."""
        return "\n".join(self.parts) + "\n"


def matrix(transform: Affine) -> str:
    """Return the ``cm`` operator for a transform in mm; rotation and scale have six digits."""
    turned = " ".join(number(value, 6) for value in transform[:4])
    return f"{turned} {number(transform.e * PER_MM)} {number(transform.f * PER_MM)} cm"


def path_codes(paths: Sequence[Path]) -> list[Code | None]:
    """Return the content of each path, or None if it paints nothing."""
    found = outlines(path for path in paths if _paints(path))
    return [_path_code(path, next(found)) if _paints(path) else None for path in paths]


def _paints(path: Path) -> bool:
    return bool(path.runs) and (path.fill is not None or path.stroke is not None)


def _path_code(path: Path, outline: Outline) -> Code:
    code, left, bottom, right, top = outline
    reach = 0.0 if path.stroke is None else stroke_reach(path.stroke) * PER_MM
    box = Extent(left - reach, bottom - reach, right + reach, top + reach)
    return Code(box, _settings(path.fill, path.stroke), code + _painting(path, code))


@lru_cache(maxsize=1024)
def _settings(fill: Ink | None, stroke: Stroke | None) -> tuple[StateSetting, ...]:
    """Return the settings to fill, to stroke, or both."""
    return (_fill_settings(fill) if fill else ()) + (_stroke_settings(stroke) if stroke else ())


def _fill_settings(ink: Ink) -> tuple[StateSetting, ...]:
    """Return the settings to fill with an ink."""
    return ("fill", f"{_colour(ink)} {'g' if _is_grey(ink) else 'rg'}"), ("fill alpha", f"/F{_thousandths(ink)} gs")


def _stroke_settings(stroke: Stroke) -> tuple[StateSetting, ...]:
    """Return the settings to draw a stroke."""
    dashes = " ".join(number(length * PER_MM, 1) for length in stroke.dash)
    phase = number(stroke.phase * PER_MM, 1) if stroke.dash else "0"
    return (
        ("stroke", f"{_colour(stroke.ink)} {'G' if _is_grey(stroke.ink) else 'RG'}"),
        ("stroke alpha", f"/S{_thousandths(stroke.ink)} gs"),
        ("width", f"{number(stroke.width * PER_MM, 1)} w"),
        ("cap", f"{int(stroke.cap)} J"),
        ("join", f"{int(stroke.join)} j"),
        ("dash", f"[{dashes}] {phase} d"),
    )


def text_code(text: Text, speller: GlyphEncoder) -> Code | None:
    """Return the content of a text, or None if it has no letters.

    A halo is stroked under the letters. Text with a halo, tracking or a curve also has its string as actual text, so
    that readers find and copy it as one word, once.
    """
    if not text.content.strip():
        return None
    size = text.size_pt * MM_PER_POINT * PER_MM
    shown, fonts = _curved(text, speller, size) if text.glyphs else _straight(text, speller, size)
    settings = _settings(text.ink, text.halo)
    body = f"BT\n{shown}ET"
    if text.halo is not None:
        body = f"BT\n1 Tr\n{shown}0 Tr\n{shown}ET"
    if text.halo is not None or text.glyphs or text.track:
        said = text.content.encode("utf-16-be").hex().upper()
        body = f"/Span <</ActualText <FEFF{said}>>> BDC\n{body}\nEMC"
    return Code(text_extent(text), settings, body, tuple(dict.fromkeys(fonts)))


def _straight(text: Text, speller: GlyphEncoder, size: float) -> tuple[str, list[str]]:
    x, y = text_foot(text)
    lines = [_placed(x, y, text.angle)]
    if text.track:
        lines.append(f"{number(text.track * PER_MM, 1)} Tc\n")
    spelled = speller.spell(text.font, text.content)
    kerns = iter(advances(text.font).kerning(text.content))
    lines += [f"/{name} {number(size, 2)} Tf {_shown(codes, kerns)}\n" for name, codes in spelled]
    if text.track:
        lines.append("0 Tc\n")
    return "".join(lines), [name for name, _ in spelled]


def _shown(codes: str, kerns: Iterator[float]) -> str:
    """Return the operator that shows letters, each followed by its kerning (relative to the type size)."""
    parts = []
    for start in range(0, len(codes), 2):
        parts.append(codes[start : start + 2])
        if kern := next(kerns):
            # PDF subtracts these numbers; they are thousandths of the type size.
            parts.append(f">{number(-1000 * kern, 0)}<")
    shown = "".join(parts)
    return f"<{shown}> Tj" if shown == codes else f"[<{shown}>] TJ".replace("<>", "")


def _curved(text: Text, speller: GlyphEncoder, size: float) -> tuple[str, list[str]]:
    letters = text.content if len(text.glyphs) == len(text.content) else text.content.replace(" ", "")
    lines: list[str] = []
    fonts: list[str] = []
    for letter, (x, y, angle) in zip(letters, text.glyphs, strict=True):
        if letter == " ":
            continue
        ((name, codes),) = speller.spell(text.font, letter)
        if name not in fonts[-1:]:
            lines.append(f"/{name} {number(size, 2)} Tf\n")
        fonts.append(name)
        lines.append(f"{_placed(x, y, angle)}<{codes}> Tj\n")
    return "".join(lines), fonts


def _placed(x: float, y: float, angle: float) -> str:
    return f"{_turned(angle)} {_beside_the_dots(x)} {_beside_the_dots(y)} Tm\n"


@lru_cache(maxsize=256)
def _turned(angle: float) -> str:
    turn = math.radians(angle)
    cosine, sine = number(math.cos(turn), 5), number(math.sin(turn), 5)
    return f"{cosine} {sine} {number(-math.sin(turn), 5)} {cosine}"


def _beside_the_dots(value: float) -> str:
    return f"{round(value * PER_MM) + _OFF_THE_DOTS:.1f}"


def _painting(path: Path, outline: str) -> str:
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
    return ink.red == ink.green == ink.blue


def _colour(ink: Ink) -> str:
    shades = (ink.red,) if _is_grey(ink) else (ink.red, ink.green, ink.blue)
    return " ".join(number(shade / 255) for shade in shades)


def _thousandths(ink: Ink) -> int:
    return round(ink.alpha * 1000)
