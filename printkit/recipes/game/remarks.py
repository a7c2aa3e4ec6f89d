"""What a rule system finds in a record beyond its clauses, in the language of the person: armies that may not march."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record


@runtime_checkable
class Remarks(Protocol):
    """A rule system that has something to say about what a scenario gave besides terrain."""

    def remarks(self, record: Record, words: Words) -> Iterable[str]:
        """Return lines about a record."""
        ...


def remarks_of(system: RuleSystem, record: Record, words: Words) -> tuple[str, ...]:
    """Return the lines of a rule system about a record; none of most systems.

    Raises:
        ScenarioError: what the record gives cannot be read.
    """
    return tuple(system.remarks(record, words)) if isinstance(system, Remarks) else ()
