"""An edition: a battlefield together with everything that decides how it is printed and what is said of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from printkit.drawing.style import Style
from printkit.terrain.battlefield import Battlefield
from printkit.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """What a sheet says of itself: title, a line beneath, the seed that makes it again, and whether it has a north."""

    title: str
    subtitle: str = ""
    seed: int | None = None
    north: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A battlefield in mm of the board, printed at ``scale`` (printed mm per mm of the board) in a style and language.

    ``accounts`` hold, by the ID of a feature, the sentence of the key that tells how it came about.
    """

    field: Battlefield
    style: Style
    words: Words
    caption: Caption
    scale: float = 1.0
    accounts: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def at(self, scale: float) -> Edition:
        """Return the edition at another scale."""
        return dataclasses.replace(self, scale=scale)
