"""The countryside and the place names of a DBA battlefield, from its home topography."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from printkit.kit.book import RuleBook
from printkit.kit.countryside import Countryside
from printkit.terrain.field.record import Record

_HOME_COUNTRYSIDES: Final[Mapping[object, Countryside]] = {
    "arable": Countryside.ARABLE,
    "hilly": Countryside.PASTORAL,
    "littoral": Countryside.PASTORAL,
    "dry": Countryside.DRY,
    "steppe": Countryside.STEPPE,
}


def find_home_countryside(record: Record) -> Countryside:
    """Return the countryside for the home topography of a record; temperate for other homes or without one."""
    return _HOME_COUNTRYSIDES.get(_read_home(record.details), Countryside.TEMPERATE)


def find_home_names(book: RuleBook, details: Mapping[str, Any]) -> str:
    """Return the period of names for the home topography in some details; empty if the rule book does not list any."""
    home = _read_home(details)
    return next((row.get("names", str, "") for row in book.own("topography") if row.need("home", str) == home), "")


def _read_home(details: Mapping[str, Any]) -> str:
    """Return the home topography in the details of a record, or an empty text."""
    terrain = details.get("terrain")
    home = terrain.get("home") if isinstance(terrain, Mapping) else None
    return home if isinstance(home, str) else ""
