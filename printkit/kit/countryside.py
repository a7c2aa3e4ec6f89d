"""The region of a battlefield: its type of open ground, and the place names of the army's home."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record


class Countryside(StrEnum):
    """The style of the land use between the features of a board; it gives no shapes."""

    TEMPERATE = "temperate"
    PASTORAL = "pastoral"
    ARABLE = "arable"
    AMERICAN = "american"
    DRY = "dry"
    STEPPE = "steppe"


@runtime_checkable
class CountrysideSystem(Protocol):
    """A rule system whose records determine the countryside."""

    def countryside(self, record: Record) -> Countryside:
        """Return the style of the land use between the features, for the battlefield of a record."""
        ...


def countryside_of(system: RuleSystem, record: Record) -> Countryside:
    """Return the style of the land use of a record: temperate if its rule system has no styles."""
    return system.countryside(record) if isinstance(system, CountrysideSystem) else Countryside.TEMPERATE


@runtime_checkable
class HomeNamesSystem(Protocol):
    """A rule system whose home regions have different place names."""

    def home_names(self, details: Mapping[str, Any]) -> str:
        """Return the name list (period) of the place names from the details of a record.

        It is an empty string if the list of the rule book applies. ``details`` is the JSON object of the rule system in
        the record.
        """
        ...


def default_name_list(system: RuleSystem, details: Mapping[str, Any]) -> str:
    """Return the name of the list of place names to use by default.

    It is that of the home region in the ``details`` of a record, or that of the rule book.
    """
    period = system.home_names(details) if isinstance(system, HomeNamesSystem) else ""
    return period or system.book.names
