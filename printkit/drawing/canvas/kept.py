"""What looks alike on many sheets is drawn once: swatches of legends, pictures of cards."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from msgspec import Struct, field

from printkit.drawing.canvas.symbol_context import Pen

_Drawn = TypeVar("_Drawn")


class Kept(Struct, Generic[_Drawn]):
    """The last ``most`` things that were drawn, by all that they follow from; the oldest goes first."""

    most: int
    _found: dict[Hashable, tuple[_Drawn, tuple[object, ...]]] = field(default_factory=dict)

    def once(self, draw: Callable[[], _Drawn], pen: Pen, *about: object, by: Hashable = ()) -> _Drawn:
        """Return what is drawn, drawn only the first time that a pen of this style, chance and size is asked for it.

        Args:
            draw: draws it; always the same with an equal pen for the same things.
            pen: the pen that it is drawn with.
            about: the very things that it is drawn of.
            by: what else tells it from other drawings of them.
        """
        chance = (pen.jitter.seed, tuple(sorted(pen.jitter.reseeded.items())))
        things = (pen.style, pen.noise, pen.clear, *about)
        key = (by, pen.scale, pen.factor, chance, *map(id, things))
        if key not in self._found:
            if len(self._found) >= self.most:
                del self._found[next(iter(self._found))]
            # The things are kept as well, so that no other can come to stand in their place in memory.
            self._found[key] = draw(), things
        return self._found[key][0]
