"""What sort of country lies between the features of a board, and how large its things are."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from printkit.drawing.canvas.symbol_context import large_board
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind


class OpenCountry(Struct, frozen=True, kw_only=True):
    """Numbers of a country; lengths in mm of the board.

    ``lanes`` is how many are sought on a board of 24 inches besides those of towns; ``bushes`` the least distance of
    groups, which grow where the drift is above ``grown``; ``grows`` whether things are larger on large tables.
    """

    lanes: int = 5
    bushes: float = 21.0
    grown: float = 0.25
    grows: bool = False


_TEMPERATE: Final = OpenCountry()
_AMERICAN: Final = OpenCountry(lanes=7, bushes=16.0, grows=True)
_DRY: Final = OpenCountry(lanes=3, bushes=25.0, grown=0.45)
_CELLS: Final = OpenCountry(lanes=0, bushes=24.0, grown=0.22)

_AMERICAN_SIGNS: Final = {Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.WORM_FENCE, Kind.RAILWAY, Kind.CREEK, Kind.STREAM}
_DRY_SIGNS: Final = {Kind.DUNES, Kind.OASIS, Kind.LIGHT_PALMS, Kind.PALM_FOREST}


def country_of(field: Battlefield) -> OpenCountry:
    """Return the country of a battlefield, told by what stands on it."""
    kinds = {feature.kind for feature in field.features}
    if field.grid is not None:
        return _CELLS
    if kinds & _DRY_SIGNS:
        return _DRY
    return _AMERICAN if kinds & _AMERICAN_SIGNS else _TEMPERATE


def growth(field: Battlefield, country: OpenCountry) -> float:
    """Return how much larger things of a country are on a board than on one of 24 inches."""
    return large_board(field.board.width, field.board.depth) if country.grows else 1.0
