"""A layout: a battlefield together with everything that decides how it is printed and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import large_board
from printkit.drawing.dressing.country import OpenCountry
from printkit.terrain.field.battlefield import Battlefield


def grown_by(field: Battlefield, scale: float) -> float:
    """Return how much larger than on a board of 24 inches what must be read is; boards of cells stay as they are."""
    return large_board(field.board.width, field.board.depth) if scale >= 1 and field.grid is None else 1.0


class MapCaption(Struct, frozen=True, kw_only=True):
    """What a sheet says of itself: title, a line beneath, the seed that makes it again, and whether it has a north.

    ``who`` tells in a line a language who is who, ``marks`` what stands beside the ground of a side, likewise.
    """

    title: str
    subtitle: str = ""
    seed: int | None = None
    north: bool = True
    who: tuple[str, ...] = ()
    marks: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class FurnitureRoom(Struct, frozen=True):
    """Width and height in mm that a drawing may take of a sheet."""

    width: float
    height: float


class MapLayout(Struct, frozen=True, kw_only=True):
    """A battlefield in mm of the board, printed at ``scale`` (printed mm per mm of the board) in a style and language.

    ``accounts`` hold, by the ID of a feature, the sentence of the key that tells how it came about. ``room`` is the
    sheet in which the furniture of an overview may spread; without it the sheet is as wide as the framed board.
    ``country``: what is drawn between the features, of which the legend says that it counts for nothing.
    """

    field: Battlefield
    style: Style
    words: Words
    caption: MapCaption
    scale: float = 1.0
    accounts: Mapping[str, str] = msgspec.field(default_factory=dict)
    room: FurnitureRoom | None = None
    country: OpenCountry | None = None

    @property
    def grown(self) -> float:
        """Return how much larger furniture is than about a board of 24 inches: as much on large boards at true size."""
        return grown_by(self.field, self.scale)
