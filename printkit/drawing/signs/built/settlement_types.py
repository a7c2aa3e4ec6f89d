"""Settings for each kind of settlement: number of houses, streets, church, market place and wall.

Source: the cartography, 9.9, 10.9 and 20.1. Lengths are mm at 1:1, for houses of the usual size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.terrain.field.features import Kind


class Lanes(Enum):
    """The lanes between the streets of a settlement."""

    NONE = auto()
    SOME = auto()
    RING = auto()


class SettlementType(Struct, frozen=True, kw_only=True):
    """Settings for one kind of settlement. Lengths and areas are in mm and mm² at 1:1.

    Attributes:
        houses: least and greatest number of houses; None as the greatest fills the ground with houses of the usual
            size.
        room: mm² of ground per house. Larger or smaller ground makes larger or smaller houses.
        widths: widths of the street of the first road, of those of other roads, of side streets and of lanes.
        widest: greatest angle between neighbouring streets, in radians; a full turn means no side streets.
        churches: sizes to try for the church; empty for no church.
        churchyard: greatest share of the ground for the churchyard.
        village: whether the church is a meeting house and there may be a mill and a tavern.
        market_from: least ground in mm² with a market place and a well.
        market: half the length of the market place, as a share of the side of a square with the ground's area.
        market_instead: whether a market place replaces a church that does not fit.
        gaps: least and greatest distance between neighbouring houses on a street.
        setback: least and greatest distance from the street to its houses.
        shares: shares of the usual frontage and depth, tried in order until a house fits.
        infill: sizes of houses away from the streets, placed before gardens.
        afterwards: sizes of houses away from the streets, placed after gardens.
        walled: whether there is a town wall with towers and gates.
    """

    houses: tuple[int, int | None]
    room: float
    widths: tuple[float, float, float, float] = (7.0, 6.4, 5.4, 4.6)
    widest: float = math.tau
    lanes: Lanes = Lanes.NONE
    churches: tuple[float, ...] = ()
    churchyard: float = 0.16
    village: bool = False
    market_from: float = math.inf
    market: float = 0.15
    market_instead: bool = False
    gaps: tuple[float, float] = (0.5, 2.4)
    setback: tuple[float, float] = (1.0, 2.2)
    shares: tuple[float, ...] = (1.0,)
    infill: tuple[float, ...] = ()
    afterwards: tuple[float, ...] = ()
    walled: bool = False


_CHURCHES: Final = (0.86, 0.78, 0.70, 0.62)
_SMALL_CHURCHES: Final = (*_CHURCHES, 0.54, 0.47, 0.41, 0.35)

_TOWN: Final = SettlementType(
    houses=(25, 45),
    room=140.0,
    widths=(4.4, 4.0, 3.6, 3.0),
    widest=math.radians(140),
    lanes=Lanes.RING,
    churches=_SMALL_CHURCHES,
    churchyard=0.09,
    market_from=0.0,
    market=0.115,
    gaps=(0.45, 0.9),
    setback=(0.7, 1.3),
    shares=(1.0, 0.8, 0.62),
    infill=(1.0, 0.8, 0.65),
)
# Settings for every kind of settlement where roads continue as streets.
SETTLINGS: Final[Mapping[Kind, SettlementType]] = {
    Kind.BUA: SettlementType(
        houses=(12, None),
        room=230.0,
        widths=(9.6, 8.4, 6.4, 5.0),
        widest=math.radians(150),
        lanes=Lanes.SOME,
        churches=_CHURCHES,
        churchyard=1.0,
        market_from=6500.0,
        market_instead=True,
        afterwards=(1.0, 0.8),
    ),
    Kind.HAMLET: SettlementType(houses=(3, 6), room=420.0),
    Kind.SETTLEMENT: SettlementType(houses=(5, 10), room=350.0),
    Kind.VILLAGE: SettlementType(houses=(12, 20), room=260.0, widest=math.radians(150), churches=_SMALL_CHURCHES),
    Kind.TOWN: _TOWN,
    Kind.CITY: replace(_TOWN, houses=(40, 80), room=115.0, widest=math.radians(130), churchyard=0.07, walled=True),
}

_VILLAGE: Final = replace(SETTLINGS[Kind.SETTLEMENT], churches=_SMALL_CHURCHES, churchyard=0.18, village=True)


def get_settlement_type(kind: Kind, *, cells: bool) -> SettlementType:
    """Return the settings for a kind of settlement.

    Args:
        kind: the kind of settlement.
        cells: whether the board has grid cells. On cells a settlement is a few houses; elsewhere it is a village.
    """
    return _VILLAGE if kind is Kind.SETTLEMENT and not cells else SETTLINGS[kind]
