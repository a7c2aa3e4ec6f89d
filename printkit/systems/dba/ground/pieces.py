"""The pieces of terrain that DBA names, and those picked for one field before they are placed."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Terrain(StrEnum):
    """Every type of terrain of DBA 2.2 and 3; the value is its name in the tables."""

    WATERWAY = "waterway"
    RIVER = "river"
    ROAD = "road"
    BUA = "bua"
    WOODS = "woods"
    STEEP_HILL = "steep_hill"  # DBA 3: difficult hill
    GENTLE_HILL = "gentle_hill"
    ROUGH = "rough"
    MARSH = "marsh"
    DUNES = "dunes"
    OASIS = "oasis"
    # DBA 3 alone
    PLOUGH = "plough"
    ENCLOSURES = "enclosures"
    SCRUB = "scrub"
    BOGGY = "boggy"
    ROCKY = "rocky"
    GULLY = "gully"


class Pick(Struct, frozen=True):
    """One piece that a field will have, and whether its home topography compels it."""

    terrain: Terrain
    compulsory: bool = False
