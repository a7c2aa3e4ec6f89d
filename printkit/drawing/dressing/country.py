"""What lies between the features of a board in each country, and how large its things are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.drawing.canvas.symbol_context import large_board
from printkit.kit.countryside import Countryside
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind


class DressingLevel(StrEnum):
    """How much country is drawn between the features."""

    NONE = "none"
    LIGHT = "light"
    FULL = "full"


class FieldUse(StrEnum):
    """What a parcel of land bears for the eye alone; ``OLD`` ones were tilled once, and have no rows or hedges."""

    PLOUGH = "plough"
    CROPS = "crops"
    PASTURE = "pasture"
    FALLOW = "fallow"
    OLD_PASTURE = "old pasture"
    OLD_FALLOW = "old fallow"

    @property
    def is_old(self) -> bool:
        """Return whether the parcel is tilled no longer."""
        return self in (FieldUse.OLD_PASTURE, FieldUse.OLD_FALLOW)


HARDLY_TINTED: Final = (FieldUse.PLOUGH, FieldUse.FALLOW, FieldUse.OLD_FALLOW)
"""Uses whose ground is hardly darker than bare ground: their rows alone are seen."""


class Tillage(Struct, frozen=True, kw_only=True):
    """How land is parcelled along its ways; lengths in mm of the board.

    ``uses`` has as many of each use as its share. Land is tilled where the noise of its fertility is above
    ``fertile``. ``hedged`` is the share of sides that have a hedge, ``second`` that of blocks with a row of parcels
    behind the first. ``straight`` parcels are rectangles on the chord of their way.
    """

    uses: tuple[FieldUse, ...]
    wide: tuple[float, float]
    deep: tuple[float, float]
    fertile: float
    hedged: float = 0.0
    second: float = 0.0
    straight: bool = False


class OpenCountry(Struct, frozen=True, kw_only=True):
    """Numbers of a country; lengths in mm of the board.

    ``lanes`` is how many are sought on a board of 24 inches besides those of towns, each through ground that lies
    ``away`` from every way and edge; ``bushes`` the least distance of groups, which grow where the drift is above
    ``grown``; ``grows`` whether things are larger on large tables.
    ``overgrown`` is whether second growth stands where the land is barest.
    ``tillage`` is None where nothing is parcelled, ``sward`` the token of the patches of grass that grow there
    instead; ``grassy`` is how much of the board at the least is to be seen as grass or ground that counts, None where
    the patches are as large as they come.
    """

    lanes: int = 5
    away: float = 88.0
    bushes: float = 21.0
    grown: float = 0.25
    grows: bool = False
    overgrown: bool = False
    tillage: Tillage | None = None
    sward: str = ""
    grassy: float | None = None

    @property
    def sign(self) -> str:
        """Return the key of the entry of a legend that shows it."""
        if self.tillage is None:
            return "dressing" if self.lanes else "open-ground"
        return "old-furlongs" if all(use.is_old for use in self.tillage.uses) else "parcels"


def _shares(**shares: int) -> tuple[FieldUse, ...]:
    return tuple(use for name, count in shares.items() for use in [FieldUse[name.upper()]] * count)


_MIXED: Final = Tillage(
    uses=_shares(plough=2, crops=4, pasture=4, fallow=2),
    wide=(22.0, 46.0),
    deep=(34.0, 62.0),
    fertile=-0.40,
    hedged=0.46,
    second=0.42,
)
_COUNTRIES: Final[Mapping[Countryside, OpenCountry]] = {
    Countryside.TEMPERATE: OpenCountry(tillage=_MIXED),
    Countryside.PASTORAL: OpenCountry(
        tillage=replace(_MIXED, uses=_shares(plough=2, crops=4, pasture=8, fallow=2)),
    ),
    Countryside.ARABLE: OpenCountry(
        tillage=Tillage(
            uses=_shares(plough=3, crops=5, pasture=2, fallow=2),
            wide=(17.0, 40.0),
            deep=(40.0, 72.0),
            fertile=-0.34,
            hedged=0.25,
            second=0.50,
        )
    ),
    Countryside.AMERICAN: OpenCountry(
        lanes=7,
        bushes=16.0,
        grows=True,
        tillage=Tillage(
            uses=_shares(crops=3, plough=2, pasture=4, fallow=2),
            wide=(40.0, 92.0),
            deep=(44.0, 80.0),
            fertile=-0.22,
            second=0.38,
            straight=True,
        ),
    ),
    Countryside.DRY: OpenCountry(
        lanes=3,
        bushes=25.0,
        grown=0.45,
        tillage=Tillage(
            uses=_shares(plough=2, fallow=4), wide=(16.0, 30.0), deep=(24.0, 40.0), fertile=0.35, second=0.1
        ),
    ),
    Countryside.STEPPE: OpenCountry(lanes=2, bushes=25.0, grown=0.55),
}
_CELLS: Final = OpenCountry(lanes=0, bushes=24.0, grown=0.22)

_OLD: Final = _shares(old_pasture=3, old_fallow=2)
_TILLED: Final = {
    kind.value
    for kind in (
        *(Kind.PLOUGH, Kind.CROPS, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD, Kind.ENCLOSURE),
        *(Kind.WALL, Kind.FENCE, Kind.WORM_FENCE, Kind.HEDGE),
    )
}
_PARCELLED: Final = (3, 66.0)
"""How many more lanes there are on parcelled land, and through how narrow ground they run."""

_SECOND_GROWTH: Final = 0.24
"""How much lower the drift is above which bushes grow, where land was tilled once."""


_GRASSY: Final = 0.31
"""How much of a lightly dressed board is seen as grass or as ground that counts, at the least."""


def open_country(
    field: Battlefield, country: Countryside, level: DressingLevel, owned: Collection[str] = ()
) -> OpenCountry | None:
    """Return what lies between the features of a board; None for nothing.

    Args:
        field: a board of cells has no lanes and no parcels.
        country: the home of the record.
        level: parcels lie on fully dressed boards alone.
        owned: the kinds of ground that count in the rule system. Where fields, fences or walls do, land for the eye
            alone has none of their likeness: old furlongs, and second growth.
    """
    if level is DressingLevel.NONE:
        return None
    found = _CELLS if field.grid is not None else _COUNTRIES[country]
    is_dry = country in (Countryside.DRY, Countryside.STEPPE)
    if level is DressingLevel.LIGHT:
        grass = "" if field.grid is not None else "crops" if is_dry else "pasture"
        return replace(found, tillage=None, sward=grass, grassy=_GRASSY)
    if found.tillage is not None:
        found = replace(found, lanes=found.lanes + _PARCELLED[0], away=_PARCELLED[1])
    if not _TILLED.isdisjoint(owned):
        old = None if found.tillage is None else replace(found.tillage, uses=_OLD, hedged=0.0)
        found = replace(found, tillage=old, grown=found.grown - _SECOND_GROWTH)
    return replace(
        found, overgrown=True, sward="" if found.sign == "parcels" and not is_dry else "crops" if is_dry else "pasture"
    )


def growth(field: Battlefield, country: OpenCountry) -> float:
    """Return how much larger things of a country are on a board than on one of 24 inches."""
    return large_board(field.board.width, field.board.depth) if country.grows else 1.0
