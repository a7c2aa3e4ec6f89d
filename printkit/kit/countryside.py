"""The country about a battlefield, by the home of its rule system's records: what climate its open ground has."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol, runtime_checkable

from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record


class Countryside(StrEnum):
    """How the land between the features of a board is used."""

    TEMPERATE = "temperate"
    PASTORAL = "pastoral"
    ARABLE = "arable"
    AMERICAN = "american"
    DRY = "dry"
    STEPPE = "steppe"


@runtime_checkable
class InCountryside(Protocol):
    """A rule system whose battles are fought in a country that their records tell."""

    def countryside(self, record: Record) -> Countryside:
        """Return the country of a record."""
        ...


def countryside_of(system: RuleSystem, record: Record) -> Countryside:
    """Return the country of a record; temperate where its rule system knows none."""
    return system.countryside(record) if isinstance(system, InCountryside) else Countryside.TEMPERATE
