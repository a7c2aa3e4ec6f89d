"""The draughtsman's desk: pen and words together, and type by its size at 1:1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import (
    Anchor,
    Cap,
    Drawing,
    Font,
    Ink,
    Item,
    Join,
    Layer,
    LayerName,
    Path,
    Rect,
    Stroke,
    Text,
)
from printkit.drawing.canvas.layers import moved
from printkit.drawing.canvas.shapes import outline
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.lettering.lettering import Hand, line, scaled_size, shrunk
from printkit.drawing.text.text_runs import rows_of, set_rows
from printkit.drawing.text.text_styles import Manner, manner, oblong, patch, rule

if TYPE_CHECKING:
    from printkit.content.prose import Block

# --- The desk for sheets of a game that are no map: rules, boxes, type that fits its place, prose in a rectangle ------

SIZES: Final = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)
"""Sizes in points that are tried for prose in a rectangle, the roomiest first."""

_LEADING: Final = 1.18
_CLOSE: Final = (1.08, 0.6)
_LOOSE: Final = 1e-6


class SheetDesk(Struct, frozen=True, kw_only=True):
    """A style and the words, and the means that all such sheets are drawn with. Lengths are mm of paper."""

    style: Style
    words: Words

    def hand(self, font: Font, size_pt: float, token: str = "ink", *, track: float = 0.0) -> Hand:
        """Return a hand of a true size in points."""
        return Hand(font=font, size_pt=size_pt, ink=self.style.solid(token), track=track)

    def stroke(self, mm: float, token: str = "ink", *, dash: tuple[float, ...] = ()) -> Stroke:
        """Return a line with square ends and sharp corners."""
        width = mm * self.style.line_factor
        return Stroke(self.style.solid(token), width, dash, cap=Cap.BUTT, join=Join.MITRE)

    def box(
        self,
        place: Rect,
        mm: float,
        token: str = "ink",
        *,
        dash: tuple[float, ...] = (),
        fill: Ink | None = None,
    ) -> Path:
        """Return a rectangle in outline, filled where an ink is given."""
        return patch(oblong(*place), fill, self.stroke(mm, token, dash=dash))

    def rule(self, points: Sequence[tuple[float, float]], mm: float, token: str = "ink") -> Path:
        """Return a line through points."""
        return rule(points, self.style.solid(token), mm * self.style.line_factor)

    def dashed(self, points: Sequence[tuple[float, float]], mm: float, dash: tuple[float, ...]) -> Path:
        """Return a dashed line through points, as one folds on."""
        bare = self.rule(points, mm)
        return Path(bare.runs, stroke=self.stroke(mm, dash=dash))

    def text(
        self,
        text: str,
        at: tuple[float, float],
        hand: Hand,
        *,
        room: float,
        anchor: Anchor = Anchor.START,
        angle: float = 0.0,
    ) -> tuple[Item, ...]:
        """Return one line of type that is no longer than ``room``: set closer, then smaller, where it would be."""
        return line(text, at, shrunk(text, hand, room), anchor=anchor, angle=angle)

    def manners(self, sizes: Iterable[float] = SIZES) -> tuple[Manner, ...]:
        """Return the manners that are tried for prose, the last set closer."""
        found = [manner(self.style, size, leading=_LEADING) for size in sizes]
        return (*found, found[-1].closer(*_CLOSE))

    def prose(
        self, blocks: Sequence[Block], place: Rect, *, sizes: Iterable[float] = SIZES, middle: bool = False
    ) -> list[Item]:
        """Return blocks in the largest type in which they fit a rectangle, from its top or in its middle.

        Raises:
            PageError: they do not fit in the smallest.
        """
        # A map has no prose, and does without what sets it.
        from printkit.drawing.text.typesetting import column, column_height, set_blocks

        for how in self.manners(sizes):
            settings = set_blocks(blocks, place.width, how)
            height = column_height(settings)
            if height <= place.height + _LOOSE:
                top = place.top - ((place.height - height) / 2 if middle else 0.0)
                return items_of(column(settings, place.width), place.x, top - height)
        raise self._too_high(height, place)

    def caption(self, lines: Sequence[str], place: Rect, *, sizes: Iterable[float] = SIZES) -> list[Item]:
        """Return lines in the middle of a rectangle from its top, the first strong, in the largest type that fits.

        Raises:
            PageError: they do not fit in the smallest.
        """
        for how in self.manners(sizes):
            rows = [
                row
                for number, text in enumerate(lines)
                for row in rows_of(text, how.strong if number == 0 else how.text, how.strong, place.width)
            ]
            if len(rows) * how.row() <= place.height + _LOOSE:
                return [
                    *set_rows(
                        rows, place.x, place.top, width=place.width, row=how.row(), foot=how.foot(), align="middle"
                    )
                ]
        raise self._too_high(len(rows) * how.row(), place)

    def _too_high(self, height: float, place: Rect) -> PageError:
        return PageError(
            "a text needs {height:.0f} mm of the {place_height:.0f} mm that its place on the sheet "
            "is high; take larger paper, or one language",
            height=height,
            place_height=place.height,
        )


def items_of(drawing: Drawing, x: float, y: float) -> list[Item]:
    """Return what a drawing shows, with its lower left corner at a place."""
    return [item for layer in moved(drawing.layers, x, y) for item in layer.items]


def plain(width: float, height: float, items: Iterable[Item], *below: Layer) -> Drawing:
    """Return a drawing of layers that lie below, and of items above them all."""
    found = tuple(items)
    return Drawing(width, height, (*below, *((Layer(LayerName.MARGIN, found),) if found else ())))


class Desk(Struct, frozen=True, kw_only=True):
    """Whatever lettering and furniture need: a pen for sizes and lines, words for people.

    A ``draft`` is made to measure only: its pictures stay empty.
    """

    pen: Pen
    words: Words
    draft: bool = False

    @property
    def style(self) -> Style:
        """Return the style of the pen."""
        return self.pen.style

    def size(self, mm: float) -> float:
        """Return the printed size of what measures ``mm`` at 1:1."""
        return self.pen.size(mm)

    def tint(self, token: str, alpha: float) -> Ink:
        """Return an ink that every style has, thinned where the style has washes."""
        return self.pen.tint(token, alpha) or self.style.solid(token)

    def hand(self, font: Font, size_pt: float, token: str = "ink", *, track: float = 0.0) -> Hand:
        """Return the hand that has ``size_pt`` and ``track`` (mm) at 1:1, in an ink that every style has."""
        size = scaled_size(size_pt, font, self.pen.symbol_scale)
        return Hand(font=font, size_pt=size, ink=self.style.solid(token), track=track * size / size_pt)

    def text(
        self, text: str, x: float, y: float, hand: Hand, *, anchor: Anchor = Anchor.START, angle: float = 0.0
    ) -> tuple[Text, ...]:
        """Return a line of type whose feet stand at ``x``, ``y``."""
        return line(text, (x, y), hand, anchor=anchor, angle=angle)

    def rule(self, shape: Any, mm: float, token: str = "ink") -> list[Path]:
        """Return lines drawn with square ends and mitred corners, as frames and scales need."""
        stroke = self.pen.stroke(self.style.solid(token), mm, cap=Cap.BUTT, join=Join.MITRE, least=LEAST_MEANING)
        return outline(shape, stroke)

    def line(self, *points: tuple[float, float], mm: float, token: str = "ink") -> list[Path]:
        """Return one straight or broken rule."""
        return self.rule([np.asarray(points, dtype=float)], mm, token)

    def halo(self, token: str, mm: float) -> Stroke:
        """Return the halo of a name on a ground, ``mm`` wide at 1:1."""
        return Stroke(self.style.solid(token).thin(0.90), self.size(mm))
