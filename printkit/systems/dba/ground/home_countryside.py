"""The country about a field of DBA: that of the home topography in which it is fought."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.kit.countryside import Countryside
from printkit.terrain.field.record import Record

_OF_HOMES: Final[Mapping[object, Countryside]] = {
    "arable": Countryside.ARABLE,
    "hilly": Countryside.PASTORAL,
    "littoral": Countryside.PASTORAL,
    "dry": Countryside.DRY,
    "steppe": Countryside.STEPPE,
}


def home_countryside(record: Record) -> Countryside:
    """Return the country of the home that a record tells; temperate for the others, and where it tells none."""
    terrain = record.details.get("terrain")
    home = terrain.get("home") if isinstance(terrain, Mapping) else None
    return _OF_HOMES.get(home, Countryside.TEMPERATE) if isinstance(home, str) else Countryside.TEMPERATE
