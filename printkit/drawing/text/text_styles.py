"""Text styles (type styles and inks of text, notes, headings and rules) and laid-out blocks."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate, takewhile
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing, Font, Ink
from printkit.drawing.canvas.plain import BLACK, TOLERANCE, WHITE
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import FIGURE_SHARE, LEAST_BOOK, TypeStyle, least_size, least_size_for

# --- A laid-out block -------------------------------------------------------------------------------------------------


class LaidOutBlock(Struct, frozen=True, kw_only=True):
    """A block laid out at the width of a column.

    Attributes:
        parts: drawings from top to bottom, without gaps.
        gap_mm: gap above the first part in printed mm.
        keeps_with_next: whether the next block must begin on the same page.
        head: a heading row to repeat if the parts continue in another column.
        min_parts: the number of parts that stay together at each end.
    """

    parts: tuple[Drawing, ...]
    gap_mm: float
    keeps_with_next: bool = False
    head: Drawing | None = None
    min_parts: int = 1

    @property
    def height(self) -> float:
        """Return the height in printed mm without the gap before."""
        return plain_sum(part.height for part in self.parts)

    def fitting_part_count(self, height_mm: float) -> int:
        """Return the number of parts from the top that fit in ``height_mm`` printed mm."""
        heights = accumulate(part.height for part in self.parts)
        return sum(1 for _ in takewhile(lambda used_mm: used_mm <= height_mm + TOLERANCE, heights))

    def split(self, count: int) -> tuple[LaidOutBlock, LaidOutBlock]:
        """Return the first ``count`` parts as a block, and the other parts as a block.

        The second block begins with the head row again, if there is one. The head row itself counts as the first part.
        """
        remaining = self.parts[count:]
        with_head = (self.head, *remaining) if self.head is not None else remaining
        return replace(self, parts=self.parts[:count]), replace(self, parts=with_head)


# ``book`` is EB Garamond, for pages and tables; ``plain`` is Lato, for small cards.
TextFace: TypeAlias = Literal["book", "plain"]

# The smallest type in points on handouts, figures included.
LEAST_PT: Final = 7.0

_SMALL_CUT_TO_PT: Final = 11.0
_ASCENT: Final = 0.74
_HANDS: Final = ("text", "strong", "note", "head", "aside", "label", "figure")


class TextStyle(Struct, frozen=True, kw_only=True):
    """The look of blocks of prose: type styles, leading and inks.

    ``leading`` is relative to the type size, and ``gap_factor`` multiplies all gaps. ``tint`` fills every other table
    row in a style with washes. ``heavier`` multiplies line widths. ``below_heading`` is the largest gap below a
    heading, in type sizes.
    """

    text: TypeStyle
    strong: TypeStyle
    note: TypeStyle
    head: TypeStyle
    aside: TypeStyle
    label: TypeStyle
    figure: TypeStyle
    leading: float
    rule: Ink
    tint: Ink | None
    paper: Ink
    gap_factor: float = 1.0
    heavier: float = 1.0
    below_heading: float = math.inf

    @property
    def size(self) -> float:
        """Return the size of running text in mm."""
        return self.text.height

    def row_height(self, type_style: TypeStyle | None = None) -> float:
        """Return the height of a row in printed mm, by default of running text."""
        return (type_style or self.text).height * self.leading

    def baseline_height(self, type_style: TypeStyle | None = None) -> float:
        """Return how far above the bottom of a row the baseline is, in printed mm; default: running text."""
        size = (type_style or self.text).height
        return size * (1 - _ASCENT + (self.leading - 1) / 2)

    def gap_mm(self, sizes: float) -> float:
        """Return a gap in printed mm from a number of type sizes of running text, times ``gap_factor``."""
        return sizes * self.size * self.gap_factor

    def line(self, mm: float) -> float:
        """Return the printed width in mm of a line of ``mm``; some styles have heavier lines."""
        return mm * self.heavier

    def map_type_styles(self, change: Callable[[TypeStyle], TypeStyle]) -> TextStyle:
        """Return the style with all type styles changed by a function, which takes and returns a type style."""
        return replace(self, **{name: change(getattr(self, name)) for name in _HANDS})

    def scaled(self, share: float) -> TextStyle:
        """Return the style with all type scaled by ``share``, but not below the smallest printable size.

        A share of 0.9 makes the type 10 per cent smaller.
        """
        return self.map_type_styles(lambda type_style: type_style.resize(share, minimum_pt=_min_size(type_style.font)))

    def with_min_size(self, size_pt: float) -> TextStyle:
        """Return the style with all type at least ``size_pt`` points."""
        return self.map_type_styles(lambda type_style: replace(type_style, size_pt=max(type_style.size_pt, size_pt)))

    def with_spacing(self, leading: float, gap_factor: float) -> TextStyle:
        """Return a copy of the style with another leading, in type sizes, and another ``gap_factor``.

        Both replace the earlier values; they are not multiplied with them.
        """
        return replace(self, leading=leading, gap_factor=gap_factor)


def text_style(style: Style, size_pt: float, *, face: TextFace = "book", leading: float | None = None) -> TextStyle:
    """Return the text style of a symbol set at a type size.

    Args:
        style: the symbol set with its inks; without washes there are no tints.
        size_pt: size of running text in points.
        face: typeface of running text.
        leading: leading relative to the type size; 1.2 by default.
    """
    ink, second = style.solid("ink"), style.solid("ink-secondary")
    size_pt = max(size_pt, least_size_for(Font.ROMAN if face == "book" else Font.FIGURES, style.least_pt))
    if face == "book":
        small = size_pt < _SMALL_CUT_TO_PT
        body, italic = (Font.SMALL, Font.SMALL_ITALIC) if small else (Font.ROMAN, Font.ITALIC)
        strong, figure, note = 0.90, 0.86, 0.92
    else:
        body, italic = Font.FIGURES, Font.FIGURES_ITALIC
        strong, figure, note = 1.0, 1.0, 0.92

    def make_type_style(font: Font, share: float, hand_ink: Ink = ink, *, track: float = 0.0) -> TypeStyle:
        """Return a type style at ``share`` of the size of running text, but readable.

        ``track`` is the space added between letters, in printed mm.
        """
        size = max(size_pt * share, min(_min_size(font), size_pt))
        return TypeStyle.for_style(style, font, size, hand_ink, track=track)

    return TextStyle(
        text=make_type_style(body, 1.0),
        strong=make_type_style(Font.BANNER, strong),
        note=make_type_style(italic, note, second),
        head=make_type_style(Font.SMALL_CAPITALS, 1.25, track=0.12),
        aside=make_type_style(italic, 0.95, second),
        label=make_type_style(Font.BANNER, 0.80, second, track=0.08),
        figure=make_type_style(Font.HEAVY, figure),
        leading=leading or 1.2,
        rule=ink,
        tint=style.ink("card-band") if style.washes else None,
        paper=WHITE,
        heavier=style.line_factor,
    )


def black_text_style(size_pt: float, language: str) -> TextStyle:
    """Return a text style in black at a type size, for text around a map, which is the same in all map styles.

    ``language`` is its code, for hyphens.
    """
    inks = {"ink": (BLACK,), "ink-secondary": (BLACK,)}
    style = Style(
        name="black", washes=False, shadows=False, hatched=False, line_factor=1.0, inks=inks, language=language
    )
    text = text_style(style, size_pt)
    # Title and sheet names of a plan have these two typefaces too, so the file needs no other.
    return replace(text, text=replace(text.text, font=Font.ROMAN), figure=replace(text.figure, font=Font.BANNER))


def _min_size(font: Font) -> float:
    """Return the smallest size in points at which the figures of a typeface are readable.

    Figures are a little smaller than the text around them.
    """
    return LEAST_PT / FIGURE_SHARE if least_size(font) == LEAST_BOOK else LEAST_PT
