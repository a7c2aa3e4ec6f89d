"""Settings of the dressing for each type of countryside."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

from msgspec import Struct, convert
from msgspec.structs import replace

from printkit.core.resources import template
from printkit.drawing.canvas.symbol_context import large_board
from printkit.kit.countryside import Countryside
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import find_family


class DressingLevel(StrEnum):
    """How much dressing is drawn between the features."""

    NONE = "none"
    LIGHT = "light"
    FULL = "full"


class FieldUse(StrEnum):
    """The use of a decorative parcel; ``OLD`` ones were tilled in the past and have no rows or hedges."""

    PLOUGH = "plough"
    CROPS = "crops"
    PASTURE = "pasture"
    FALLOW = "fallow"
    OLD_PASTURE = "old pasture"
    OLD_FALLOW = "old fallow"

    @property
    def is_old(self) -> bool:
        """Return whether the parcel was tilled only in the past."""
        return self in (FieldUse.OLD_PASTURE, FieldUse.OLD_FALLOW)


# Uses with a tint so pale that only their rows are visible.
HARDLY_TINTED: Final = (FieldUse.PLOUGH, FieldUse.FALLOW, FieldUse.OLD_FALLOW)


class Tillage(Struct, frozen=True, kw_only=True):
    """Settings of the parcels along roads and lanes; lengths in mm of the board.

    Attributes:
        uses: the uses to choose from; a use occurs as often as its share.
        wide: minimum and maximum width of a parcel.
        deep: minimum and maximum depth of a parcel.
        fertility_level: land is tilled if its fertility noise is above this level.
        hedge_share: share of sides with a hedge.
        second_row_share: share of blocks with a second row of parcels behind the first.
        straight: True if parcels are rectangles on the chord of their road.
        shares: least and largest share of the board with parcels, as far as there is space.
    """

    uses: tuple[FieldUse, ...]
    wide: tuple[float, float]
    deep: tuple[float, float]
    fertility_level: float
    hedge_share: float = 0.0
    second_row_share: float = 0.0
    straight: bool = False
    shares: tuple[float, float] = (0.0, 0.38)


class OpenCountry(Struct, frozen=True, kw_only=True):
    """Settings of the dressing; lengths in mm of the board.

    Attributes:
        lanes: number of lanes to try on a 24-inch board, without those of towns and farms.
        lane_clearance: minimum distance from roads and board edges of the open ground that a lane crosses.
        bush_spacing: minimum distance between groups of bushes.
        bush_level: bushes grow where the noise is above this level.
        scales_with_board: True if the dressing is larger on large boards.
        overgrown: True if thickets grow in the widest open ground.
        tillage: settings of parcels, or None for no parcels.
        pale: True if there are only a few blocks of parcels, pale and without rows.
        sward: name of the ink of the patches of grass, empty for none.
        relief: True if a fully dressed board has slight relief between its features.
        grassy: minimum share of the board with grass or features; None leaves the patches at their natural size.
    """

    lanes: int = 5
    lane_clearance: float = 88.0
    bush_spacing: float = 21.0
    bush_level: float = 0.25
    scales_with_board: bool = False
    overgrown: bool = False
    tillage: Tillage | None = None
    pale: bool = False
    sward: str = ""
    relief: bool = False
    grassy: float | None = None

    @property
    def sign(self) -> str:
        """Return the key of the dressing's legend entry, for example ``parcels``."""
        if self.tillage is None or self.pale:
            return "dressing" if self.lanes else "open-ground"
        return "old-furlongs" if all(use.is_old for use in self.tillage.uses) else "parcels"


_COUNTRIES: Final = convert(template("symbols", "countryside"), dict[Countryside, OpenCountry])
_CELLS: Final = OpenCountry(lanes=0, bush_spacing=24.0, bush_level=0.22)

_OLD: Final = (*[FieldUse.OLD_PASTURE] * 3, *[FieldUse.OLD_FALLOW] * 2)
_TILLED: Final = frozenset(find_family("field", "border"))

# On land with parcels: the number of extra lanes, and the value of ``lane_clearance``.
_PARCEL_LANES: Final = (3, 66.0)

# On land that was tilled in the past, the noise level for bushes is lower by this.
_OLD_LAND_LEVEL: Final = 0.24

# Minimum share of a lightly dressed board with grass or features.
_GRASS_SHARE: Final = 0.31


def open_country(
    field: Battlefield, countryside: Countryside, level: DressingLevel, rule_kinds: Collection[str] = ()
) -> OpenCountry | None:
    """Return the settings of the dressing between the features of a board, or None for no dressing.

    Lengths in the settings are in mm of the board.

    Args:
        field: the battlefield; a board of cells has no lanes and no parcels.
        countryside: the countryside of the record.
        level: a lightly dressed board has only a few pale parcels.
        rule_kinds: the terrain kinds of the rule system. If it has fields, fences or walls, the dressing has only old
            furlongs and more bushes, so that players do not confuse them.
    """
    if level is DressingLevel.NONE:
        return None
    cover = _CELLS if field.grid is not None else _COUNTRIES[countryside]
    is_dry = countryside in (Countryside.DRY, Countryside.STEPPE)
    has_fields = not _TILLED.isdisjoint(rule_kinds)
    if has_fields and cover.tillage is not None:
        cover = replace(cover, tillage=replace(cover.tillage, uses=_OLD, hedge_share=0.0))
    if level is DressingLevel.LIGHT:
        grass = "" if field.grid is not None else "crops" if is_dry else "pasture"
        return replace(cover, pale=True, sward=grass, relief=False, grassy=_GRASS_SHARE)
    if cover.tillage is not None:
        cover = replace(cover, lanes=cover.lanes + _PARCEL_LANES[0], lane_clearance=_PARCEL_LANES[1])
    if has_fields:
        cover = replace(cover, bush_level=cover.bush_level - _OLD_LAND_LEVEL)
    return replace(
        cover, overgrown=True, sward="" if cover.sign == "parcels" and not is_dry else "crops" if is_dry else "pasture"
    )


def dressing_scale(field: Battlefield, cover: OpenCountry) -> float:
    """Return the scale of the dressing on a board; 1 on a 24-inch board, or if it does not grow."""
    return large_board(field.board.width, field.board.depth) if cover.scales_with_board else 1.0
