"""How places of every kind are built: how many houses, by which streets, with church, market place or wall.

Source: the cartography, 9.9, 10.9 and 20.1. Lengths are mm at 1:1 among houses of their own size.
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
    """The lanes between the streets of a place."""

    NONE = auto()
    SOME = auto()
    RING = auto()


class SettlementType(Struct, frozen=True, kw_only=True):
    """How one kind of place is built.

    Attributes:
        houses: how many it has at least and at most; a most of None fills the ground with houses of their own size.
        room: mm² of ground to a house; larger or smaller ground makes houses larger or smaller.
        widths: of the street that the first road becomes, of those of other roads, of side streets and of lanes.
        widest: no two streets part by a greater angle, in radians; a full turn asks for no side streets at all.
        churches: sizes of the church that are tried; none, and there is no church.
        churchyard: the share of the ground that the churchyard takes at most.
        village: whether its church is a meeting house, and whether mill and tavern stand there by chance.
        market_from: from how many mm² of ground there is a market place with a well.
        market: half the length of the market place, in sides of a square as large as the ground.
        market_instead: whether a place without room for its church has a market place instead.
        gaps: least and most from one house of a street to the next.
        setback: least and most from the street to its houses.
        shares: of the usual frontage and depth, tried one after the other until a house finds room.
        infill: sizes of houses set on what the streets left over, before gardens are laid out.
        afterwards: the same, after gardens are laid out.
        walled: whether a town wall with towers and gates stands about it.
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
"""How every kind of place is built in whose ground the streets of the map's roads go on."""

_VILLAGE: Final = replace(SETTLINGS[Kind.SETTLEMENT], churches=_SMALL_CHURCHES, churchyard=0.18, village=True)


def settling_of(kind: Kind, *, cells: bool) -> SettlementType:
    """Return how a kind of place is built; a settlement of the open country is a village about its meeting house.

    Args:
        kind: of the place.
        cells: whether it lies on a board of cells, where a settlement is a few houses in one of them.
    """
    return _VILLAGE if kind is Kind.SETTLEMENT and not cells else SETTLINGS[kind]
