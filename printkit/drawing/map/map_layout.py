"""Map layout: a battlefield with all settings for its drawing, and its caption."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import large_board
from printkit.drawing.dressing.countryside_types import OpenCountry
from printkit.terrain.field.battlefield import Battlefield


def grown_by(field: Battlefield, scale: float) -> float:
    """Return the growth factor of text, relative to a 24-inch board: at least 1.

    It is 1 for grids and below actual size. ``scale`` is printed mm per mm of the board; the board is in mm.
    """
    return large_board(field.board.width, field.board.depth) if scale >= 1 and field.grid is None else 1.0


class MapCaption(Struct, frozen=True, kw_only=True):
    """The caption of a sheet: title, subtitle, seed to print it again, and whether it shows north.

    ``who`` names the sides, and ``marks`` has the texts beside the zone of each side, both one per language.
    """

    title: str
    subtitle: str = ""
    seed: int | None = None
    north: bool = True
    who: tuple[str, ...] = ()
    marks: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class SheetArea(Struct, frozen=True):
    """The area of a sheet available for a drawing: width and height in printed mm."""

    width: float
    height: float


class MapLayout(Struct, frozen=True, kw_only=True):
    """A battlefield in mm of the board, printed at ``scale`` (printed mm per mm of the board) in a style and language.

    ``accounts`` has, by feature ID, the text of the key that explains how the feature was placed. ``sheet_area`` is the
    area for the furniture of an overview; without it the sheet is as wide as the framed board. ``cover`` is the
    dressing between the features; the legend says that it has no effect in play.
    """

    field: Battlefield
    style: Style
    words: Words
    caption: MapCaption
    scale: float = 1.0
    accounts: Mapping[str, str] = msgspec.field(default_factory=dict)
    sheet_area: SheetArea | None = None
    cover: OpenCountry | None = None

    @property
    def growth(self) -> float:
        """Return the growth factor of the furniture; 1 on a 24-inch board."""
        return grown_by(self.field, self.scale)
