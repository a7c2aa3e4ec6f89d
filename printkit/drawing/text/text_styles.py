"""Text styles (type styles and inks of text, notes, headings and rules), laid-out blocks, and plain shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, takewhile
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import (
    GRID,
    Cap,
    Drawing,
    Font,
    Ink,
    Item,
    Join,
    Layer,
    LayerName,
    Path,
    PathRun,
    Stroke,
)
from printkit.drawing.canvas.layers import translated
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import FIGURE_SHARE, LEAST_BOOK, TypeStyle, least_size, least_size_for

_TOLERANCE: Final = 1e-6

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
        return sum(1 for _ in takewhile(lambda used_mm: used_mm <= height_mm + _TOLERANCE, heights))

    def split(self, count: int) -> tuple[LaidOutBlock, LaidOutBlock]:
        """Return the first ``count`` parts as a block, and the other parts as a block.

        The second block begins with the head row again, if there is one. The head row itself counts as the first part.
        """
        remaining = self.parts[count:]
        with_head = (self.head, *remaining) if self.head is not None else remaining
        return replace(self, parts=self.parts[:count]), replace(self, parts=with_head)


def drawing_of(width: float, height: float, items: Iterable[Item], *lower_layers: Layer) -> Drawing:
    """Return items as a drawing of ``width`` by ``height`` printed mm, above the layers ``lower_layers``.

    The origin is the lower left corner.
    """
    item_tuple = tuple(items)
    return Drawing(width, height, (*lower_layers, *((Layer(LayerName.MARGIN, item_tuple),) if item_tuple else ())))


def drawing_items(drawing: Drawing, x: float = 0.0, y: float = 0.0) -> list[Item]:
    """Return the items of a drawing, moved so that its lower left corner is at ``x``, ``y`` (printed mm)."""
    return [item for layer in translated(drawing.layers, x, y) for item in layer.items]


def make_line(points: Sequence[tuple[float, float]], ink: Ink, width: float) -> Path:
    """Return a line through points, with flat ends that stop there; points and ``width`` are in printed mm."""
    return Path((_path_run(points, closed=False),), stroke=Stroke(ink, width, cap=Cap.BUTT, join=Join.MITRE))


def patch(points: Sequence[tuple[float, float]], ink: Ink | None, stroke: Stroke | None = None) -> Path:
    """Return a closed shape through points in printed mm, filled, stroked or both.

    Without ``ink`` it is not filled; without ``stroke`` it has no line.
    """
    return Path((_path_run(points, closed=True),), fill=ink, stroke=stroke)


def oblong(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a rectangle in printed mm, anticlockwise from ``x``, ``y`` (lower left)."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def lozenge_corners(x: float, y: float, half_width: float, half_height: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a lozenge about ``x``, ``y`` in printed mm, anticlockwise from the left one."""
    return (x - half_width, y), (x, y - half_height), (x + half_width, y), (x, y + half_height)


def make_disc(centre: tuple[float, float], radius: float, ink: Ink, *, sides: int = 40) -> Path:
    """Return a filled circle as a polygon with ``sides`` corners; centre (x and y) and radius are in printed mm."""
    angles = [2 * math.pi * step / sides for step in range(sides)]
    return patch(
        [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)) for angle in angles], ink
    )


def ornament_rule(
    end_xs: tuple[float, float], y: float, half_width: float, gap: float, ink: Ink, width: float
) -> list[Path]:
    """Return a horizontal rule with a lozenge in a gap in its middle.

    Args:
        end_xs: x of the left and the right end, in printed mm.
        y: height of the rule, in mm.
        half_width: half the width of the lozenge, in mm.
        gap: half the length of the gap, in mm.
        ink: the ink.
        width: line width in mm.
    """
    middle = (end_xs[0] + end_xs[1]) / 2
    return [
        make_line([(end_xs[0], y), (middle - gap, y)], ink, width),
        make_line([(middle + gap, y), (end_xs[1], y)], ink, width),
        patch(lozenge_corners(middle, y, half_width, 0.45 * half_width), ink),
    ]


def _path_run(points: Sequence[tuple[float, float]], *, closed: bool) -> PathRun:
    """Return the run of points in printed mm, on the grid of 0.01 mm; ``closed`` joins the last to the first."""
    return PathRun(tuple(round(value / GRID) for point in points for value in point), closed)


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
    row in a style with washes. ``heavier`` multiplies line widths.
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
        paper=Ink(255, 255, 255),
        heavier=style.line_factor,
    )


def _min_size(font: Font) -> float:
    """Return the smallest size in points at which the figures of a typeface are readable.

    Figures are a little smaller than the text around them.
    """
    return LEAST_PT / FIGURE_SHARE if least_size(font) == LEAST_BOOK else LEAST_PT
