"""What is still to be thrown of a game that is recorded from the table, told without throwing anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from printkit.core.errors import Sentence, UsageError
from printkit.kit.system import RuleSystem, Scenario
from printkit.recipes.game.games import scenario_of
from printkit.recipes.game.request import Orders


@runtime_checkable
class DryRuns(Protocol):
    """A rule system of which a game can be recorded bit by bit."""

    def dry_run(self, scenario: Scenario) -> tuple[str, ...]:
        """Return line by line what is still to be thrown."""
        ...


def outstanding_lines(system: RuleSystem, orders: Orders) -> Iterator[str]:
    """Yield what is still to be thrown, given the lists of a scenario.

    Raises:
        UsageError: the rule system has no such lists.
        ScenarioError: a setting or a list is wrong.
    """
    if not isinstance(system, DryRuns):
        raise UsageError(
            "{system} is not recorded zone by zone, so nothing can be said of its dice beforehand", system=system.name
        )
    yield Sentence("{title}: still to be thrown", title=system.book.title)
    yield from (
        Sentence("  {line}", line=line) for line in system.dry_run(scenario_of(system, orders, orders.seed or 0))
    )
