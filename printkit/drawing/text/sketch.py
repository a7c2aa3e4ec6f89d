"""Draw small plans: lines, dashes, hatching, elements, arrows and words, in mm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

import shapely
from msgspec import Struct, field
from msgspec.structs import replace
from shapely import LineString, box

from printkit.core.errors import PageError
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Cap, Drawing, Font, Ink, Item, Join, Stroke
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import make_line, make_polygon, make_rectangle, rectangle_corners
from printkit.drawing.canvas.shapes import outline
from printkit.drawing.lettering.lettering import TypeStyle, line, measure, shrink_to_fit, wrap_words
from printkit.drawing.text.text_styles import LEAST_PT, TextStyle

Weight = Literal["fine", "plain", "strong"]

# The thinnest line of a plan in mm; photocopies still show it.
THIN: Final = 0.4 * MM_PER_POINT

_WEIGHTS: Final = {"fine": THIN, "plain": 0.25, "strong": 0.5}
_DASH: Final = (1.2, 0.9)
_PITCH: Final = 1.3
# Distance of the baseline below the middle of a line of type, relative to the type size.
_CAPITALS: Final = 0.36
# Words that cannot shrink may be this many times as long as their space, because it includes some margin.
_OVERFLOW_RATIO: Final = 1.25


class DiagramSketch(Struct):
    """A plan under construction: size in printed mm, text style of the page, and items so far."""

    width: float
    height: float
    style: TextStyle
    items: list[Item] = field(default_factory=list)

    @property
    def word_style(self) -> TypeStyle:
        """Return the type style of words on plans: the figures face at a printable size."""
        return self._type_style(Font.FIGURES_MEDIUM)

    @property
    def strong_style(self) -> TypeStyle:
        """Return the type style of die faces."""
        return self._type_style(Font.HEAVY)

    def _type_style(self, font: Font) -> TypeStyle:
        """Return a type style of words on plans in this typeface, at a printable size."""
        text = self.style.text
        return TypeStyle(font=font, size_pt=max(LEAST_PT, text.size_pt), ink=self.style.rule, least_pt=text.least_pt)

    def drawing(self) -> Drawing:
        """Return the finished drawing."""
        return drawing_of(self.width, self.height, self.items)

    def draw_rectangle(self, x: float, y: float, width: float, height: float, *, weight: Weight = "plain") -> None:
        """Draw the outline of a rectangle in printed mm; ``x`` and ``y`` are its lower left corner.

        ``weight`` is the line width, as in ``line``. The items are added to the sketch.
        """
        self.items.append(make_rectangle((x, y, width, height), None, self._stroke(weight)))

    def shade_rectangle(self, x: float, y: float, width: float, height: float, share: float = 0.12) -> None:
        """Fill a rectangle with light grey; its lower left corner and its sides are in printed mm.

        ``share`` is the share of black, from 0 to 1. Words stay readable on the default share.
        """
        grey = self.style.rule.mix(self.style.paper, 1 - share)
        self.items.append(make_rectangle((x, y, width, height), grey))

    def hatch_rectangle(self, x: float, y: float, width: float, height: float) -> None:
        """Hatch a rectangle with fine diagonal lines; its lower left corner and its sides are in printed mm."""
        rectangle = box(x, y, x + width, y + height)
        starts = range(math.floor((x - y - height) / _PITCH) - 1, math.ceil((x + width - y) / _PITCH) + 2)
        diagonals = [LineString([(n * _PITCH + y, y), (n * _PITCH + y + height, y + height)]) for n in starts]
        hatching = shapely.intersection(shapely.MultiLineString(diagonals), rectangle)
        self.items += outline(hatching, Stroke(self.style.rule, self.style.line(THIN), cap=Cap.BUTT))

    def line(self, *points: tuple[float, float], weight: Weight = "plain", is_dashed: bool = False) -> None:
        """Draw a line through points, x and y in printed mm; with ``is_dashed`` it is dashed.

        ``weight`` is its line width: ``fine`` 0.14 mm, ``plain`` 0.25 mm, ``strong`` 0.5 mm.
        """
        if not is_dashed:
            self.items.append(make_line(points, self.style.rule, self.style.line(_WEIGHTS[weight])))
            return
        stroke = Stroke(self.style.rule, self.style.line(_WEIGHTS[weight]), dash=_DASH, cap=Cap.BUTT)
        self.items += outline(LineString(points), stroke)

    def draw_shape(
        self, points: Sequence[tuple[float, float]], *, is_filled: bool = False, weight: Weight = "plain"
    ) -> None:
        """Draw a closed shape through points in printed mm, black if ``is_filled``, otherwise white."""
        fill = self.style.rule if is_filled else self.style.paper
        self.items.append(make_polygon(points, fill, self._stroke(weight)))

    def draw_arrow(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw an arrow from start to end, x and y in printed mm.

        The items are added to the sketch.
        """
        direction = math.atan2(end[1] - start[1], end[0] - start[0])
        head = [
            end,
            *(
                (end[0] - 1.8 * math.cos(direction + offset_rad), end[1] - 1.8 * math.sin(direction + offset_rad))
                for offset_rad in (0.4, -0.4)
            ),
        ]
        shaft_end = (end[0] - 1.4 * math.cos(direction), end[1] - 1.4 * math.sin(direction))
        self.line(start, shaft_end)
        self.items.append(make_polygon(head, self.style.rule))

    def words(
        self,
        text: str,
        point: tuple[float, float],
        *,
        anchor: Anchor = Anchor.MIDDLE,
        strong: bool = False,
        angle: float = 0.0,
        max_width_mm: float = 0.0,
        ink: Ink | None = None,
    ) -> None:
        """Write one line, vertically centred on ``point`` (printed mm), and smaller if it is too long.

        The items are added to the sketch.

        Args:
            text: the line.
            point: x and y in printed mm.
            anchor: the part of the line that is at ``point``.
            strong: use heavy type, as on die faces.
            angle: rotation in degrees anticlockwise.
            max_width_mm: the greatest length in mm; 0 for no limit. Type does not shrink below 7 points, so a line may
                be longer.
            ink: the ink; None for that of rules.

        Raises:
            PageError: the line does not fit in large print, where it cannot shrink.
        """
        style = self.strong_style if strong else self.word_style
        if ink is not None:
            style = replace(style, ink=ink)
        if max_width_mm > 0:
            style = shrink_to_fit(text, style, max_width_mm)
            if style.least_pt and measure(text, style) > _OVERFLOW_RATIO * max_width_mm:
                raise PageError("a plan has no room for {text!r} in large print; use a larger card", text=text)
            style = style if style.size_pt >= LEAST_PT else style.resize(LEAST_PT / style.size_pt)
        drop = _CAPITALS * style.height
        x, y = point
        angle_rad = math.radians(angle)
        self.items += line(
            text, (x + drop * math.sin(angle_rad), y - drop * math.cos(angle_rad)), style, anchor=anchor, angle=angle
        )

    def rows(self, text: str, point: tuple[float, float], *, max_width_mm: float, strong: bool = False) -> None:
        """Write words centred on a point (x and y in printed mm), wrapped to ``max_width_mm`` mm.

        With ``strong`` the type is bold. The items are added to the sketch.

        Raises:
            PageError: a word does not fit in large print, where it cannot shrink.
        """
        style = self.strong_style if strong else self.word_style
        rows = wrap_words(text, style, max_width_mm)
        pitch = 1.12 * style.height
        top = point[1] + pitch * (len(rows) - 1) / 2
        for index, row in enumerate(rows):
            self.words(row, (point[0], top - index * pitch), strong=strong, max_width_mm=max_width_mm)

    def write_on_plate(self, text: str, point: tuple[float, float], *, strong: bool = True) -> None:
        """Write words centred on a point (printed mm) on a white background, so that lines do not cross them.

        The words are on one line. With ``strong`` the type is bold. The items are added to the sketch.
        """
        style = self.strong_style if strong else self.word_style
        width, height = measure(text, style) + 1.0, style.height * 1.05
        self.items.append(
            make_rectangle((point[0] - width / 2, point[1] - height / 2, width, height), self.style.paper)
        )
        self.words(text, point, strong=strong)

    def draw_element(self, x: float, y: float, width: float, depth: float, *, is_filled: bool = False) -> None:
        """Draw an element (a base of figures) centred on ``x``, ``y``, black if ``is_filled``, else white.

        Position and sides are in printed mm. The items are added to the sketch.
        """
        points = rectangle_corners(x - width / 2, y - depth / 2, width, depth)
        self.draw_shape(points, is_filled=is_filled)

    def _stroke(self, weight: Weight) -> Stroke:
        """Return the stroke of a line of this weight."""
        return Stroke(self.style.rule, self.style.line(_WEIGHTS[weight]), join=Join.MITRE)
