"""The die procedures of deployment: tables of the rule book, what each modifier compares with, which facts it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.chance.tables import DieTable, Row
from printkit.core.errors import Sentence
from printkit.core.resources import template
from printkit.kit.book import BookRow, RuleBook, read_book
from printkit.systems.solo.armies.steps import (
    COUNTED_OFF,
    AppliedModifier,
    Fact,
    Step,
    applied,
    open_of,
    settled,
    sum_of,
)

Case = TypeVar("Case")

BOOK: Final = "solo-dba"
_FILE: Final = "deployment"

_YES: Final = ("true", "yes", "on")


class Procedure(Struct, Generic[Case], frozen=True):
    """A die table of the rule book, and what decides each of its modifiers.

    ``tests`` are by the clause of the modifier; each gets the case, and the number that it compares with.
    """

    table: str
    tests: Mapping[str, Callable[[Case, int], Fact]]

    def judge(self, case: Case, about: str = "") -> tuple[AppliedModifier, ...]:
        """Return every modifier in the state that this case gives it, in the order of the rules."""
        return tuple(
            applied(
                modifier.condition,
                modifier.amount,
                self.tests[modifier.condition](case, count(modifier.condition)),
                about,
            )
            for modifier in table(self.table).modifiers
        )

    def row(self, total: int) -> Row[str]:
        """Return the row of a total; totals are not clamped, for the rows at the ends are open."""
        return table(self.table).row(total)

    def throw(
        self,
        case: Case,
        dice: Dice,
        settings: Mapping[str, str],
        *,
        reason: str,
        clause: str,
        inputs: Mapping[str, Any],
    ) -> Step:
        """Throw one die, add every modifier that counts, and read the row.

        Raises:
            ScenarioError: ``unknown`` is ``ask`` and a fact is not known.
        """
        modifiers = settled(self.judge(case), settings.get("unknown", COUNTED_OFF))
        added = sum_of(modifiers)
        die = dice.d6(reason, lambda score: self.row(score + added).clause)
        row = self.row(die + added)
        return Step(
            clause=clause,
            title=f"npg.battle.step.{self.table}",
            inputs=inputs,
            dice=(die,),
            modifiers=modifiers,
            total=die + added,
            row=row.clause,
            result=row.outcome,
            open=open_of(modifiers),
        )


class Choice(Struct, frozen=True, kw_only=True):
    """A place of an order of preference: a type, and when it is taken: ``any``, ``odd`` or ``not_threes``."""

    clause: str
    type: str
    when: str


def table(name: str) -> DieTable[str]:
    """Return a die table of the rule book."""
    return rule_book().tables[name]


def count(clause: str) -> int:
    """Return what the condition of a modifier compares with; 0 where it compares with nothing."""
    return BookRow(f"{_FILE}: [counts]", _tree()["counts"]).get(clause, int, 0)


def facts_of(clause: str, **places: str) -> tuple[str, ...]:
    """Return the names of the facts of the table that a modifier needs; ``places`` fills in the edge it is about."""
    names = BookRow(f"{_FILE}: [facts]", _tree()["facts"]).get(clause, list, [])
    return tuple(str(name).format(**places) for name in names)


def number(name: str) -> int:
    """Return a number of the rules; lengths are in paces.

    Raises:
        BookError: there is none.
    """
    return BookRow(f"{_FILE}: [numbers]", _tree()["numbers"]).need(name, int)


def type_order(name: str) -> tuple[str, ...]:
    """Return an order of types: ``grouping`` or ``lead``."""
    return tuple(BookRow(f"{_FILE}: [orders]", _tree()["orders"]).need(name, list))


@cache
def garrison_choices() -> tuple[Choice, ...]:
    """Return who garrisons a built-up area, the first that applies (SD-4.4-p1..p9)."""
    rows = BookRow(Sentence("{file}: [orders]", file=_FILE), _tree()["orders"]).need("garrison", list)
    return tuple(
        Choice(clause=row.need("clause", str), type=row.need("type", str), when=row.need("when", str))
        for row in (
            BookRow(Sentence("{file}: [orders] garrison row {place}", file=_FILE, place=place), values)
            for place, values in enumerate(rows, 1)
        )
    )


def is_yes(settings: Mapping[str, str], key: str) -> bool:
    """Return whether a setting is on; one that is not there is off."""
    return settings.get(key, "").lower() in _YES


@cache
def _tree() -> Mapping[str, Any]:
    return template("npg", _FILE)


@cache
def rule_book() -> RuleBook:
    """Return the rule book, read once."""
    return read_book(BOOK)
