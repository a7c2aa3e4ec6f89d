"""What every sign is given: style, scale, chance, clear ground; and the memo of what looks alike on many sheets."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter, Stream
from printkit.drawing.canvas.items import Cap, Ink, Join, Stroke
from printkit.drawing.canvas.style import Style
from printkit.terrain.geometry.roughness import Noise

HAIRLINE = 0.12
LEAST_MEANING = 0.18
_NOTHING = Polygon()
_Found = TypeVar("_Found")


class SymbolContext(Struct, frozen=True, kw_only=True, eq=False):
    """What signs draw with. They receive shapes in printed millimetres and ask the context for every size and line.

    ``scale`` is printed mm per mm of the board; ``clear`` holds the labels' boxes, which stamps keep out of.
    """

    style: Style
    jitter: Jitter
    noise: Noise
    scale: float = 1.0
    clear: BaseGeometry = _NOTHING
    factor: float = 1.0
    known: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, measure: Callable[[], _Found], *about: object, by: Hashable) -> _Found:
        """Return what is measured on a board, measured only the first time that any sign asks for it at this size.

        Args:
            measure: finds it; always the same for the same things, whatever is to stay clear.
            about: the very things that it is measured of, as a battlefield and one of its courses.
            by: what else tells it from other measures of them, its name first.
        """
        key = (by, self.scale, self.factor, *map(id, about))
        if key not in self.known:
            # The things are kept as well, so that no other can come to stand in their place in memory.
            self.known[key] = measure(), about
        found: _Found = self.known[key][0]
        return found

    @property
    def symbol_scale(self) -> float:
        """Return how much smaller signs are than at 1:1: they shrink slower than the map."""
        return _shrunk(self.scale) * self.factor

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

    def smaller(self, factor: float) -> SymbolContext:
        """Return the same hand drawing its signs smaller, as legends and small hills need."""
        return replace(self, factor=self.factor * factor)


@cache
def _shrunk(scale: float) -> float:
    return min(1.0, max(0.35, math.pow(scale, 0.55)))


_USUAL_BOARD = 862.0
"""Diagonal in mm of a board of 24 inches."""


def large_board(width: float, depth: float) -> float:
    """Return how much larger than on a board of 24 inches things are that must be read across it, sides in mm."""
    return max(1.0, math.sqrt(math.hypot(width, depth) / _USUAL_BOARD))


# --- What looks alike on many sheets is drawn once: swatches of legends, pictures of cards ----------------------------

_Drawn = TypeVar("_Drawn")


class Memo(Struct, Generic[_Drawn]):
    """The last ``most`` things that were drawn, by all that they follow from; the oldest goes first."""

    most: int
    _found: dict[Hashable, tuple[_Drawn, tuple[object, ...]]] = field(default_factory=dict)

    def once(self, draw: Callable[[], _Drawn], context: SymbolContext, *about: object, by: Hashable = ()) -> _Drawn:
        """Return what is drawn, drawn only the first time for a context of this style, chance and size.

        Args:
            draw: draws it; always the same with an equal context for the same things.
            context: the context that it is drawn with.
            about: the very things that it is drawn of.
            by: what else tells it from other drawings of them.
        """
        chance = (context.jitter.seed, tuple(sorted(context.jitter.reseeded.items())))
        things = (context.style, context.noise, context.clear, *about)
        key = (by, context.scale, context.factor, chance, *map(id, things))
        if key not in self._found:
            if len(self._found) >= self.most:
                del self._found[next(iter(self._found))]
            # The things are kept as well, so that no other can come to stand in their place in memory.
            self._found[key] = draw(), things
        return self._found[key][0]
