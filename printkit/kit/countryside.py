"""The country about a battlefield, by the home of its rule system's records: its open ground, and its names."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

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


@runtime_checkable
class NamesByHome(Protocol):
    """A rule system whose battles are fought in countries with names of their own."""

    def home_names(self, details: Mapping[str, Any]) -> str:
        """Return the period of the names of what a record tells beside its field; empty where it is the usual one."""
        ...


def usual_names(system: RuleSystem, details: Mapping[str, Any]) -> str:
    """Return the period of the names on a field where a person asks for none: that of its home, or of the rule book."""
    own = system.home_names(details) if isinstance(system, NamesByHome) else ""
    return own or system.book.names
