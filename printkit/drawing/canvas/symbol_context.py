"""The context of every symbol (style, scale, random streams), and a memo for repeated drawings."""

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
_Result = TypeVar("_Result")


class SymbolContext(Struct, frozen=True, kw_only=True, eq=False):
    """Style, scale and random streams for symbols.

    Symbols receive shapes in printed mm and take all sizes and lines from the context.

    Attributes:
        scale: printed mm per mm of the board.
        clear: boxes of labels; stamps do not cover them.
        factor: extra scale of symbols, below 1 in legends.
        memo: results of ``once``.
    """

    style: Style
    jitter: Jitter
    noise: Noise
    scale: float = 1.0
    clear: BaseGeometry = _NOTHING
    factor: float = 1.0
    memo: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, measure: Callable[[], _Result], *subjects: object, by: Hashable) -> _Result:
        """Return the result of ``measure``, computed once for each size and each set of objects.

        Args:
            measure: computes the result from the objects alone, independent of ``clear``.
            subjects: the objects that it measures, compared by identity: for example a battlefield and a course.
            by: the rest of the key: the name of the measure, then its parameters.
        """
        key = (by, self.scale, self.factor, *map(id, subjects))
        if key not in self.memo:
            # Store the objects too: otherwise Python could reuse their IDs for other objects.
            self.memo[key] = measure(), subjects
        result: _Result = self.memo[key][0]
        return result

    @property
    def symbol_scale(self) -> float:
        """Return the scale of symbols: printed mm per mm at 1:1; symbols shrink more slowly than the map."""
        return _shrink_scale(self.scale) * self.factor

    def size(self, mm: float) -> float:
        """Return the printed size in mm of a stamp, spacing or stroke length that measures ``mm`` at 1:1."""
        return mm * self.symbol_scale

    def width(self, mm: float, *, minimum_mm: float = HAIRLINE) -> float:
        """Return the printed width in mm of a line that is ``mm`` wide at 1:1, at least ``minimum_mm``.

        Use ``minimum_mm=LEAST_MEANING`` if the line carries meaning. A line below 1.3 mm at 1:1 is multiplied by the
        line factor of the style.
        """
        heavier = self.style.line_factor if mm < 1.3 else 1.0
        return max(mm * self.symbol_scale * heavier, minimum_mm)

    def stroke(
        self,
        ink: Ink,
        mm: float,
        *,
        dash: tuple[float, ...] = (),
        phase: float = 0.0,
        cap: Cap = Cap.ROUND,
        join: Join = Join.ROUND,
        minimum_mm: float = HAIRLINE,
    ) -> Stroke:
        """Return a stroke in printed mm; its width ``mm``, dashes and phase are given in mm at 1:1.

        ``dash`` has lengths of dashes and gaps in turn; empty for a solid line. ``phase`` is where in the dashes the
        line begins. ``minimum_mm`` is the smallest printed width.
        """
        dashes = tuple(self.size(length) for length in dash)
        return Stroke(ink, self.width(mm, minimum_mm=minimum_mm), dashes, self.size(phase), cap, join)

    def tint(self, token: str, alpha: float) -> Ink | None:
        """Return the ink called ``token`` with opacity ``alpha`` (0 to 1); None if the style has no such ink.

        In a style without washes the ink keeps its own opacity.
        """
        ink = self.style.ink(token)
        return ink.with_alpha(alpha) if ink is not None and self.style.washes else ink

    def stream(self, name: str) -> Stream:
        """Return the random stream of one feature and purpose, for example ``features/z5/trees``.

        Equal names give equal streams: each call returns a new one from its start.
        """
        return self.jitter.stream(name)

    def smaller(self, factor: float) -> SymbolContext:
        """Return a context with symbols ``factor`` times their present size, for legends and small hills."""
        return replace(self, factor=self.factor * factor)


@cache
def _shrink_scale(scale: float) -> float:
    """Return the scale of symbols, from 0.35 to 1, on a map of ``scale`` printed mm per mm of the board."""
    return min(1.0, max(0.35, math.pow(scale, 0.55)))


# Diagonal of a 24-inch board, in mm.
_USUAL_DIAGONAL = 862.0


def large_board(width: float, depth: float) -> float:
    """Return the scale, at least 1, of things read from across the board; 1 on a board of 24 inches.

    ``width`` and ``depth`` are the sides of the board in mm of the board.
    """
    return max(1.0, math.sqrt(math.hypot(width, depth) / _USUAL_DIAGONAL))


# --- A memo for drawings that repeat on many sheets: swatches of legends, pictures of cards ---------------------------

_Drawn = TypeVar("_Drawn")


class Memo(Struct, Generic[_Drawn]):
    """A cache of the last ``capacity`` drawings; the oldest is dropped first."""

    capacity: int
    _entries: dict[Hashable, tuple[_Drawn, tuple[object, ...]]] = field(default_factory=dict)

    def draw_once(
        self, draw: Callable[[], _Drawn], context: SymbolContext, *subjects: object, purpose: Hashable = ()
    ) -> _Drawn:
        """Return the result of ``draw``, computed once for each context and each set of objects.

        Args:
            draw: draws the result, which depends only on the context, the objects and ``purpose``.
            context: the key includes its style, random seeds, scale and clear ground.
            subjects: the objects that it draws, compared by identity.
            purpose: the rest of the key.
        """
        chance = (context.jitter.seed, tuple(sorted(context.jitter.stage_seeds.items())))
        things = (context.style, context.noise, context.clear, *subjects)
        key = (purpose, context.scale, context.factor, chance, *map(id, things))
        if key not in self._entries:
            if len(self._entries) >= self.capacity:
                del self._entries[next(iter(self._entries))]
            # Store the objects too: otherwise Python could reuse their IDs for other objects.
            self._entries[key] = draw(), things
        return self._entries[key][0]
