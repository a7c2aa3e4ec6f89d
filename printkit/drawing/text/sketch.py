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
from printkit.drawing.canvas.shapes import outline
from printkit.drawing.lettering.lettering import TypeStyle, line, measure, shrink_to_fit
from printkit.drawing.text.text_styles import LEAST_PT, TextStyle, drawing_of, oblong, patch, rule

Weight = Literal["fine", "plain", "strong"]

# The thinnest line of a plan in mm; photocopies still show it.
THIN: Final = 0.4 * MM_PER_POINT

_WEIGHTS: Final = {"fine": THIN, "plain": 0.25, "strong": 0.5}
_DASH: Final = (1.2, 0.9)
_PITCH: Final = 1.3
# Distance of the baseline below the middle of a line of type, relative to the type size.
_CAPITALS: Final = 0.36
# Words that cannot shrink may be this many times as long as their space, because it includes some margin.
_OVER: Final = 1.25


class DiagramSketch(Struct):
    """A plan under construction: size in mm, text style of the page, and items so far."""

    width: float
    height: float
    style: TextStyle
    items: list[Item] = field(default_factory=list)

    @property
    def hand(self) -> TypeStyle:
        """Return the type style of words on plans: the figures face at a printable size."""
        return self._hand(Font.FIGURES_MEDIUM)

    @property
    def strong(self) -> TypeStyle:
        """Return the type style of die faces."""
        return self._hand(Font.HEAVY)

    def _hand(self, font: Font) -> TypeStyle:
        text = self.style.text
        return TypeStyle(font=font, size_pt=max(LEAST_PT, text.size_pt), ink=self.style.rule, least_pt=text.least_pt)

    def drawing(self) -> Drawing:
        """Return the finished drawing."""
        return drawing_of(self.width, self.height, self.items)

    def oblong(self, x: float, y: float, width: float, height: float, *, weight: Weight = "plain") -> None:
        """Draw a rectangle."""
        self.items.append(patch(oblong(x, y, width, height), None, self._stroke(weight)))

    def shaded(self, x: float, y: float, width: float, height: float, share: float = 0.12) -> None:
        """Fill a rectangle with light grey; words on it stay readable at the default share."""
        grey = self.style.rule.mix(self.style.paper, 1 - share)
        self.items.append(patch(oblong(x, y, width, height), grey))

    def hatched(self, x: float, y: float, width: float, height: float) -> None:
        """Hatch a rectangle with fine diagonal lines."""
        room = box(x, y, x + width, y + height)
        starts = range(math.floor((x - y - height) / _PITCH) - 1, math.ceil((x + width - y) / _PITCH) + 2)
        slants = [LineString([(n * _PITCH + y, y), (n * _PITCH + y + height, y + height)]) for n in starts]
        found = shapely.intersection(shapely.MultiLineString(slants), room)
        self.items += outline(found, Stroke(self.style.rule, self.style.line(THIN), cap=Cap.BUTT))

    def line(self, *points: tuple[float, float], weight: Weight = "plain", dashed: bool = False) -> None:
        """Draw a line through points."""
        if not dashed:
            self.items.append(rule(points, self.style.rule, self.style.line(_WEIGHTS[weight])))
            return
        stroke = Stroke(self.style.rule, self.style.line(_WEIGHTS[weight]), dash=_DASH, cap=Cap.BUTT)
        self.items += outline(LineString(points), stroke)

    def shape(self, points: Sequence[tuple[float, float]], *, filled: bool = False, weight: Weight = "plain") -> None:
        """Draw a closed shape, black if ``filled``, otherwise white."""
        fill = self.style.rule if filled else self.style.paper
        self.items.append(patch(points, fill, self._stroke(weight)))

    def arrow(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw an arrow from start to end."""
        way = math.atan2(end[1] - start[1], end[0] - start[0])
        head = [
            end,
            *((end[0] - 1.8 * math.cos(way + turn), end[1] - 1.8 * math.sin(way + turn)) for turn in (0.4, -0.4)),
        ]
        foot = (end[0] - 1.4 * math.cos(way), end[1] - 1.4 * math.sin(way))
        self.line(start, foot)
        self.items.append(patch(head, self.style.rule))

    def words(
        self,
        text: str,
        at: tuple[float, float],
        *,
        anchor: Anchor = Anchor.MIDDLE,
        strong: bool = False,
        angle: float = 0.0,
        room: float = 0.0,
        ink: Ink | None = None,
    ) -> None:
        """Write one line, vertically centred on ``at``, and smaller if it is longer than ``room`` mm.

        Raises:
            PageError: the line does not fit in large print, where it cannot shrink.
        """
        hand = self.strong if strong else self.hand
        if ink is not None:
            hand = replace(hand, ink=ink)
        if room > 0:
            hand = shrink_to_fit(text, hand, room)
            if hand.least_pt and measure(text, hand) > _OVER * room:
                raise PageError("a plan has no room for {text!r} in large print; use a larger card", text=text)
            hand = hand if hand.size_pt >= LEAST_PT else hand.resize(LEAST_PT / hand.size_pt)
        drop = _CAPITALS * hand.height
        x, y = at
        turn = math.radians(angle)
        self.items += line(
            text, (x + drop * math.sin(turn), y - drop * math.cos(turn)), hand, anchor=anchor, angle=angle
        )

    def rows(self, text: str, at: tuple[float, float], *, room: float, strong: bool = False) -> None:
        """Write words centred on a point, wrapped to ``room`` mm."""
        hand = self.strong if strong else self.hand
        rows: list[str] = []
        for word in text.split():
            if rows and measure(f"{rows[-1]} {word}", hand) <= room:
                rows[-1] = f"{rows[-1]} {word}"
            else:
                rows.append(word)
        pitch = 1.12 * hand.height
        top = at[1] + pitch * (len(rows) - 1) / 2
        for place, row in enumerate(rows):
            self.words(row, (at[0], top - place * pitch), strong=strong, room=room)

    def plate(self, text: str, at: tuple[float, float], *, strong: bool = True) -> None:
        """Write words on a white background, so that lines do not cross them."""
        hand = self.strong if strong else self.hand
        wide, high = measure(text, hand) + 1.0, hand.height * 1.05
        self.items.append(patch(oblong(at[0] - wide / 2, at[1] - high / 2, wide, high), self.style.paper))
        self.words(text, at, strong=strong)

    def element(self, x: float, y: float, wide: float, deep: float, *, filled: bool = False) -> None:
        """Draw an element centred on a point."""
        points = oblong(x - wide / 2, y - deep / 2, wide, deep)
        self.shape(points, filled=filled)

    def _stroke(self, weight: Weight) -> Stroke:
        return Stroke(self.style.rule, self.style.line(_WEIGHTS[weight]), join=Join.MITRE)
