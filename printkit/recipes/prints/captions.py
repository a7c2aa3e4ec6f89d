"""What stands under the title of a map: what the rule system says of one game, or else of all its games."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record


@runtime_checkable
class NamesSides(Protocol):
    """A rule system that knows who fights on a field."""

    def subtitle(self, record: Record, words: Words) -> str:
        """Return a line for under the title, or an empty text where the record does not tell."""
        ...


def subtitle_of(system: RuleSystem, record: Record, words: Words) -> str:
    """Return the line under the title of a map."""
    own = system.subtitle(record, words) if isinstance(system, NamesSides) else ""
    return own or words(f"rules.{system.name}.subtitle")
