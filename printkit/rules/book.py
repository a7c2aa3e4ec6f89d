"""Rule books: one TOML file a system, read into typed tables; errors name the file, the table and the row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from printkit.chance.tables import DieTable
from printkit.terrain.features import Going


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One choice that a person may make: its key, its values with the default first, the clause it settles.

    ``alias`` is a plain name beside the key; ``open`` means that other values than the listed ones may be given.
    """

    key: str
    values: tuple[str, ...]
    clause: str
    title: str
    alias: str = ""
    open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook:
    """Everything of a system that is data: clauses with one-line titles, settings, going, die tables, numbers."""

    name: str
    title: str
    source: str
    clauses: Mapping[str, str]
    settings: tuple[Setting, ...]
    going: Mapping[str, Going]
    tables: Mapping[str, DieTable[str]]
    numbers: Mapping[str, float]
