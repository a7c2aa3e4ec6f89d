"""What every sign is given: the style, the scale, chance for its irregularity, and the ground that must stay clear."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter, Stream
from printkit.drawing.items import Cap, Ink, Join, Stroke
from printkit.drawing.style import Style
from printkit.terrain.noise import Noise

HAIRLINE = 0.12
LEAST_MEANING = 0.18
_NOTHING = Polygon()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """The draughtsman's hand. Signs receive shapes in printed millimetres and ask the pen for every size and line.

    ``scale`` is printed mm per mm of the board; ``clear`` holds the labels' boxes, which stamps keep out of.
    """

    style: Style
    jitter: Jitter
    noise: Noise
    scale: float = 1.0
    clear: BaseGeometry = _NOTHING
    factor: float = 1.0

    @property
    def symbol_scale(self) -> float:
        """Return how much smaller signs are than at 1:1: they shrink slower than the map."""
        return min(1.0, max(0.35, math.pow(self.scale, 0.55))) * self.factor

    def size(self, mm: float) -> float:
        """Return the printed size of a stamp, spacing or stroke length that measures ``mm`` at 1:1."""
        return mm * self.symbol_scale

    def width(self, mm: float, *, least: float = HAIRLINE) -> float:
        """Return the printed width of a line; ``least=LEAST_MEANING`` for one that carries meaning."""
        heavier = self.style.line_factor if mm < 1.3 else 1.0
        return max(mm * self.symbol_scale * heavier, least)

    def stroke(
        self,
        ink: Ink,
        mm: float,
        *,
        dash: tuple[float, ...] = (),
        phase: float = 0.0,
        cap: Cap = Cap.ROUND,
        join: Join = Join.ROUND,
        least: float = HAIRLINE,
    ) -> Stroke:
        """Return a stroke whose width and dashes are given at 1:1."""
        dashes = tuple(self.size(length) for length in dash)
        return Stroke(ink, self.width(mm, least=least), dashes, self.size(phase), cap, join)

    def tint(self, token: str, alpha: float) -> Ink | None:
        """Return an ink thinned to ``alpha``; a style without washes knows no greys and keeps it whole."""
        ink = self.style.ink(token)
        return ink.thin(alpha) if ink is not None and self.style.washes else ink

    def stream(self, name: str) -> Stream:
        """Return the chance of one feature and purpose: ``features/z5/trees``."""
        return self.jitter.stream(name)

    def smaller(self, factor: float) -> Pen:
        """Return the same hand drawing its signs smaller, as legends and small hills need."""
        return replace(self, factor=self.factor * factor)
