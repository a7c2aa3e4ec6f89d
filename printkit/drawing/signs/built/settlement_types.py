"""Settings for each kind of settlement: number of houses, streets, church, market place and wall.

Source: the cartography, 9.9, 10.9 and 20.1. Lengths are mm at 1:1, for houses of the usual size.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

from msgspec import Struct, convert

from printkit.core.resources import template
from printkit.terrain.field.features import Kind


class Lanes(StrEnum):
    """The lanes between the streets of a settlement."""

    NONE = "none"
    SOME = "some"
    RING = "ring"


class SettlementType(Struct, frozen=True, kw_only=True):
    """Settings for one kind of settlement. Lengths and areas are in mm and mm² at 1:1.

    Attributes:
        least_houses: least number of houses.
        most_houses: greatest number of houses; None fills the ground with houses of the usual size.
        room: mm² of ground per house. Larger or smaller ground makes larger or smaller houses.
        widths: widths of the street of the first road, of those of other roads, of side streets and of lanes.
        widest: greatest angle between neighbouring streets, in degrees; a full turn means no side streets.
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

    least_houses: int
    most_houses: int | None = None
    room: float
    widths: tuple[float, float, float, float] = (7.0, 6.4, 5.4, 4.6)
    widest: float = 360.0
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


# Settings for every kind of settlement where roads continue as streets, by the name of the kind.
SETTLINGS: Final = convert(template("symbols", "settlements"), dict[str, SettlementType])


def get_settlement_type(kind: Kind, *, cells: bool) -> SettlementType:
    """Return the settings for a kind of settlement.

    Args:
        kind: the kind of settlement.
        cells: whether the board has grid cells. On cells a settlement is a few houses; elsewhere it is a village.
    """
    return SETTLINGS["village_settlement" if kind is Kind.SETTLEMENT and not cells else kind]
