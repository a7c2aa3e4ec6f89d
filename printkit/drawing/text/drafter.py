"""The drafter: draw lines, boxes and type by their size at 1:1, in a style and languages; not for symbols."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Cap, Font, Ink, Item, Join, Path, Rect, Stroke, Text
from printkit.drawing.canvas.layers import drawing_items
from printkit.drawing.canvas.plain import TOLERANCE, make_line, make_rectangle
from printkit.drawing.canvas.shapes import outline
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import HAIRLINE, LEAST_MEANING, SymbolContext
from printkit.drawing.lettering.lettering import TypeStyle, line, scaled_size, shrink_to_fit
from printkit.drawing.text.text_runs import TextRow, draw_rows, wrap_text
from printkit.drawing.text.text_styles import TextStyle, text_style
from printkit.terrain.geometry.outlines import Noise

if TYPE_CHECKING:
    from printkit.content.prose import Block

# Type sizes in points to try for prose in a rectangle, largest first.
SIZES: Final = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)

# Distance of the baseline below the middle of the capitals, relative to the type size.
CAPITALS: Final = 0.36

_LEADING: Final = 1.18
_TIGHT_SETTING: Final = (1.08, 0.6)
# The seed for drawings on cards, chosen because its noise has grass all over a picture.
_CARD_SEED: Final = 342


class Drafter(Struct, frozen=True, kw_only=True):
    """The drawing settings of labels, furniture, sheets and cards. Sizes are in mm at 1:1 or points.

    Maps, sheets and cards differ only in ``min_line_mm``, ``widened_below_mm`` and ``shrinks``.

    Attributes:
        context: style, scale and random variation.
        words: the words in each language.
        min_line_mm: minimum line width in printed mm.
        widened_below_mm: lines thinner than this, in mm at 1:1, are widened by the line factor of the style.
        shrinks: whether type shrinks with the map, down to the smallest printable size.
        growth: growth factor for text that is read across a large table.
    """

    context: SymbolContext
    words: Words
    min_line_mm: float = LEAST_MEANING
    widened_below_mm: float = 1.3
    shrinks: bool = True
    growth: float = 1.0

    @classmethod
    def map(cls, style: Style, words: Words, jitter: Jitter, *, scale: float = 1.0) -> Drafter:
        """Return the drafter of a map, with its random variation.

        ``scale`` is printed mm per mm of the board.
        """
        noise = Noise.from_stream(jitter.stream("draw/noise"))
        return cls(context=SymbolContext(style=style, jitter=jitter, noise=noise, scale=scale), words=words)

    @classmethod
    def furniture(cls, style: Style, words: Words, *, scale: float = 1.0) -> Drafter:
        """Return the drafter for the furniture of a map; its random variation is always the same.

        ``scale`` is printed mm per mm of the board.
        """
        return cls(context=_fixed_context(style, 0, scale), words=words)

    @classmethod
    def sheet(cls, style: Style, words: Words) -> Drafter:
        """Return the drafter of a sheet of text: exact line widths and type sizes."""
        return cls(
            context=_fixed_context(style, 0), words=words, min_line_mm=0.0, widened_below_mm=math.inf, shrinks=False
        )

    @classmethod
    def card(cls, style: Style, words: Words) -> Drafter:
        """Return the drafter of cards: exact type sizes, and the same random variation in all games."""
        return cls(context=_fixed_context(style, _CARD_SEED), words=words, min_line_mm=HAIRLINE, shrinks=False)

    @property
    def style(self) -> Style:
        """Return the symbol set."""
        return self.context.style

    def at(self, scale: float) -> Drafter:
        """Return the drafter with another scale, in printed mm per mm of the board."""
        return replace(self, context=replace(self.context, scale=scale))

    def translations(self, key: str, **values: object) -> tuple[str, ...]:
        """Return the text of a key in each language, without duplicates; ``values`` are for its placeholders."""
        return tuple(dict.fromkeys(words(key, **values) for words in self.words.each()))

    def size(self, mm: float) -> float:
        """Return the printed size in mm of a length of ``mm`` at 1:1."""
        return self.context.size(mm) * self.growth

    def width(self, mm: float) -> float:
        """Return the printed width in mm of a line that is ``mm`` wide at 1:1.

        Thin lines are heavier in some styles.
        """
        heavier = self.style.line_factor if mm < self.widened_below_mm else 1.0
        return max(self.size(mm) * heavier, self.min_line_mm)

    def tint(self, token: str, alpha: float) -> Ink:
        """Return the ink called ``token``, with opacity ``alpha`` (0 to 1) if the style has washes.

        It must be one that all styles have.
        """
        return self.context.tint(token, alpha) or self.style.solid(token)

    def type_style(self, font: Font, size_pt: float, token: str = "ink", *, track: float = 0.0) -> TypeStyle:
        """Return a type style with a size in points and tracking in mm, both at 1:1.

        ``token`` is the name of its ink, one that all styles have.
        """
        ink = self.style.solid(token)
        if not self.shrinks:
            return TypeStyle.for_style(self.style, font, size_pt, ink, track=track)
        size = scaled_size(size_pt, font, self.context.symbol_scale) * self.growth
        return TypeStyle.for_style(self.style, font, size, ink, track=track * size / size_pt)

    def halo(self, token: str, mm: float) -> Stroke:
        """Return the halo for a name on terrain, ``mm`` wide at 1:1; ``token`` is the name of its ink."""
        return Stroke(self.style.solid(token).with_alpha(0.90), self.size(mm))

    def stroke(self, mm: float, token: str = "ink", *, dash: tuple[float, ...] = ()) -> Stroke:
        """Return a stroke with flat ends and sharp corners, for frames and scales; it does not extend past its ends.

        ``token`` is the name of its ink. Its width ``mm`` and its dashes are in mm at 1:1.
        """
        dashes = tuple(self.size(length) for length in dash)
        return Stroke(self.style.solid(token), self.width(mm), dashes, cap=Cap.BUTT, join=Join.MITRE)

    def rule(self, points: Sequence[tuple[float, float]], mm: float, token: str = "ink") -> Path:
        """Return a solid line through points in printed mm, in the ink ``token``; ``mm`` is its width at 1:1.

        Its ends are flat and stop at the first and last point.
        """
        return make_line(points, self.style.solid(token), self.width(mm))

    def dashed_line(
        self, points: Sequence[tuple[float, float]], mm: float, dash: tuple[float, ...], token: str = "ink"
    ) -> Path:
        """Return a dashed line through points in printed mm, for example a fold line.

        ``mm`` is its width and ``dash`` the lengths of dashes and gaps, in mm at 1:1. It is solid if ``dash`` is empty.
        ``token`` is the name of its ink.
        """
        return Path(self.rule(points, mm).runs, stroke=self.stroke(mm, token, dash=dash))

    def outline(self, shape: Any, mm: float, token: str = "ink") -> list[Path]:
        """Return the outline of a shape in printed mm, in the ink ``token``; ``mm`` is its line width at 1:1."""
        return outline(shape, self.stroke(mm, token))

    def box(
        self, rect: Rect, mm: float, token: str = "ink", *, dash: tuple[float, ...] = (), fill: Ink | None = None
    ) -> Path:
        """Return an outlined rectangle in printed mm, filled if ``fill`` is given.

        The line width ``mm`` and the dashes are in mm at 1:1; ``token`` is the name of its ink.
        """
        return make_rectangle(rect, fill, self.stroke(mm, token, dash=dash))

    def text(
        self,
        text: str,
        point: tuple[float, float],
        style: TypeStyle,
        *,
        max_width_mm: float = math.inf,
        anchor: Anchor = Anchor.START,
        angle: float = 0.0,
    ) -> tuple[Text, ...]:
        """Return one line of type with its baseline at a point in printed mm; an empty tuple for an empty text.

        ``anchor`` is the part of the line that is at the point. A line longer than ``max_width_mm`` printed mm is set
        tighter, then smaller. ``angle`` is in degrees anticlockwise.
        """
        return line(
            text,
            point,
            style if max_width_mm == math.inf else shrink_to_fit(text, style, max_width_mm),
            anchor=anchor,
            angle=angle,
        )

    def centred_text(
        self, text: str, middle: tuple[float, float], style: TypeStyle, *, max_width_mm: float = math.inf
    ) -> tuple[Text, ...]:
        """Return one line of type with its capitals centred on ``middle``, x and y in printed mm.

        It is at most ``max_width_mm`` mm long: longer lines are set tighter, then smaller.
        """
        baseline = (middle[0], middle[1] - CAPITALS * style.height)
        return self.text(text, baseline, style, max_width_mm=max_width_mm, anchor=Anchor.MIDDLE)

    def text_styles(self, sizes: Iterable[float] = SIZES) -> tuple[TextStyle, ...]:
        """Return the text styles to try for prose at sizes in points, in the order of ``sizes``.

        The last is one more: the last size again, with tighter leading and smaller gaps.
        """
        styles = [text_style(self.style, size, leading=_LEADING) for size in sizes]
        return (*styles, styles[-1].with_spacing(*_TIGHT_SETTING))

    def prose(
        self, blocks: Sequence[Block], rect: Rect, *, sizes: Iterable[float] = SIZES, is_centred: bool = False
    ) -> list[Item]:
        """Return blocks in the largest type (sizes in points) that fits a rectangle in printed mm.

        They begin at its top; with ``is_centred`` they are vertically centred.

        Raises:
            PageError: they do not fit in the smallest type.
        """
        # Imported here because maps have no prose and do not need the typesetting modules.
        from printkit.drawing.text.typesetting import lay_out_to_fit, stack_blocks

        fit = lay_out_to_fit(blocks, rect.width, rect.height, self.text_styles(sizes))
        if fit.excess_mm > 0:
            raise _overflow_error(fit.height, rect)
        top = rect.top - ((rect.height - fit.height) / 2 if is_centred else 0.0)
        return drawing_items(stack_blocks(fit.blocks, rect.width), rect.x, top - fit.height)

    def caption(self, lines: Sequence[str], rect: Rect, *, sizes: Iterable[float] = SIZES) -> list[Item]:
        """Return centred lines from the top of a rectangle in printed mm; the first line is strong.

        The type is the largest of ``sizes`` (in points) that fits.

        Raises:
            PageError: they do not fit in the smallest type.
        """
        for style in self.text_styles(sizes):
            rows = _caption_rows(lines, style, rect.width)
            height = len(rows) * style.row_height()
            if height <= rect.height + TOLERANCE:
                top_left = (rect.x, rect.top)
                return [
                    *draw_rows(
                        rows,
                        *top_left,
                        width=rect.width,
                        row=style.row_height(),
                        baseline=style.baseline_height(),
                        align="middle",
                    )
                ]
        raise _overflow_error(height, rect)

    def caption_height(self, lines: Sequence[str], width: float, *, sizes: Iterable[float] = SIZES) -> float:
        """Return the height in printed mm of a caption in the smallest type, ``width`` printed mm wide.

        ``sizes`` are type sizes in points.
        """
        smallest = self.text_styles(sizes)[-1]
        return len(_caption_rows(lines, smallest, width)) * smallest.row_height()


def _caption_rows(lines: Sequence[str], style: TextStyle, width: float) -> list[TextRow]:
    """Return lines wrapped to a width in printed mm; the first line is strong."""
    return [
        row
        for number, text in enumerate(lines)
        for row in wrap_text(text, style.text if number else style.strong, style.strong, width)
    ]


@cache
def _noise(seed: int) -> Noise:
    """Return the noise of a seed, computed once."""
    return Noise.from_stream(Jitter(seed).stream("draw/noise"))


def _fixed_context(style: Style, seed: int, scale: float = 1.0) -> SymbolContext:
    """Return a context with random variation from a fixed seed, independent of the game.

    ``scale`` is printed mm per mm of the board.
    """
    return SymbolContext(style=style, jitter=Jitter(seed), noise=_noise(seed), scale=scale)


def _overflow_error(height: float, rect: Rect) -> PageError:
    """Return the error for a text ``height`` printed mm high that does not fit a rectangle in mm."""
    return PageError(
        "a text needs {height:.0f} mm, but its place on the sheet is only {place_height:.0f} mm high; use "
        "larger paper or one language",
        height=height,
        place_height=rect.height,
    )
