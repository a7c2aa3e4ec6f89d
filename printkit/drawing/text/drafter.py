"""The draughtsman's desk: pen and words together, and type by its size at 1:1."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Cap, Font, Ink, Join, Path, Stroke, Text
from printkit.drawing.canvas.shapes import outline
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.lettering.lettering import Hand, line, scaled_size


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
