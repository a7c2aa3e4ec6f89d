"""Steps of procedures: facts, modifiers, and the step itself; and the procedures of deployment by dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.tables import DieTable
from printkit.core.errors import Sentence

if TYPE_CHECKING:
    from printkit.systems.solo.armies.rules import SoloRules

Fact: TypeAlias = bool | None
"""Yes, no, or unknown (0.6)."""


class Mode(StrEnum):
    """How much of a stage or a sheet is filled in (0.7)."""

    BLANK = "blank"
    RANGES = "ranges"
    ROLLED = "rolled"


class ModifierState(StrEnum):
    """Whether a modifier counts: its condition holds, does not hold, or is unknown (0.6)."""

    ON = "on"
    OFF = "off"
    OPEN = "open"

    @classmethod
    def of(cls, fact: Fact) -> ModifierState:
        """Return the state of a modifier whose condition is this fact."""
        if fact is None:
            return cls.OPEN
        return cls.ON if fact else cls.OFF


class AppliedModifier(Struct, frozen=True, kw_only=True):
    """A modifier as it stands in one step: its clause, what it adds, and whether it counts.

    ``about`` says for which of several options it was judged: the general's type, an edge; empty where the step has
    only one total.
    """

    clause: str
    amount: int
    state: ModifierState
    about: str = ""

    @property
    def value(self) -> int:
        """Return what it adds now; while it is open, nothing."""
        return self.amount if self.state is ModifierState.ON else 0


class Step(Struct, frozen=True, kw_only=True):
    """One step that was worked through (7.8).

    ``clause`` is that of the procedure, ``row`` that of the row or place of the list which decided, or empty. ``title``
    is a key of the words, ``inputs`` are the facts by name that the step looked at, numbers or text. ``dice`` are the
    scores in the order thrown, those thrown again among them. ``total`` is the one that decided, None without a die.
    ``result`` is what came, as data. ``open`` are the clauses of the open modifiers. ``needs_person`` is the key of
    the words of a question that only a person can answer, or empty.
    """

    clause: str
    title: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    dice: tuple[int, ...] = ()
    modifiers: tuple[AppliedModifier, ...] = ()
    total: int | None = None
    row: str = ""
    result: str = ""
    open: tuple[str, ...] = ()
    needs_person: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return the step as plain values, as it is written to a log in JSON."""
        return {
            "clause": self.clause,
            "title": self.title,
            "inputs": dict(self.inputs),
            "dice": list(self.dice),
            "modifiers": [
                {"id": one.clause, "value": one.amount, "state": one.state.value, "about": one.about}
                for one in self.modifiers
            ],
            "total": self.total,
            "row": self.row,
            "result": self.result,
            "open": list(self.open),
            "needs_person": self.needs_person or None,
        }


def applied(clause: str, amount: int, fact: Fact, about: str = "") -> AppliedModifier:
    """Return a modifier in the state that its condition gives it."""
    return AppliedModifier(clause=clause, amount=amount, state=ModifierState.of(fact), about=about)


def agreed(cases: Iterable[Sequence[AppliedModifier]]) -> tuple[AppliedModifier, ...]:
    """Return modifiers judged for cases of which nobody knows the right one: where they differ, open."""
    return tuple(
        first if all(one.state is first.state for one in others) else replace(first, state=ModifierState.OPEN)
        for first, *others in zip(*cases, strict=True)
    )


def sum_of(modifiers: Iterable[AppliedModifier]) -> int:
    """Return what the modifiers add together; open ones add nothing."""
    return sum(modifier.value for modifier in modifiers)


def sums_of(modifiers: Sequence[AppliedModifier]) -> tuple[int, int]:
    """Return the least and the greatest sum that can come, whatever the open modifiers turn out to be."""
    known = sum_of(modifiers)
    unsure = [modifier.amount for modifier in modifiers if modifier.state is ModifierState.OPEN]
    return known + sum(min(0, amount) for amount in unsure), known + sum(max(0, amount) for amount in unsure)


def open_of(modifiers: Iterable[AppliedModifier]) -> tuple[str, ...]:
    """Return the clauses of the open modifiers, each once, in their order."""
    return tuple(dict.fromkeys(one.clause for one in modifiers if one.state is ModifierState.OPEN))


def on_of(modifiers: Iterable[AppliedModifier], about: str = "") -> tuple[str, ...]:
    """Return the clauses of the modifiers that count, for one option or for the only total."""
    return tuple(one.clause for one in modifiers if one.state is ModifierState.ON and one.about == about)


def all_of(*facts: Fact) -> Fact:
    """Return whether all facts hold; one that does not outweighs those unknown."""
    if any(fact is False for fact in facts):
        return False
    return None if None in facts else True


def any_of(*facts: Fact) -> Fact:
    """Return whether one of the facts holds; one that does outweighs those unknown."""
    if any(fact is True for fact in facts):
        return True
    return None if None in facts else False


def opposite(fact: Fact) -> Fact:
    """Return the opposite of a fact; of an unknown one, unknown."""
    return None if fact is None else not fact


def at_least(number: int | None, least: int) -> Fact:
    """Return whether a number is large enough; of an unknown number, unknown."""
    return None if number is None else number >= least


# --- The die procedures of deployment ---------------------------------------------------------------------------------

_Case = TypeVar("_Case")


class Procedure(Struct, Generic[_Case], frozen=True):
    """A die table of the rule book, and what decides each of its modifiers.

    ``tests`` are by the clause of the modifier; each gets the case, and what says a number of the rules by its name.
    """

    table: str
    tests: Mapping[str, Callable[[_Case, Callable[[str], int]], Fact]]

    def judge(self, case: _Case, rules: SoloRules, about: str = "") -> tuple[AppliedModifier, ...]:
        """Return every modifier in the state that this case gives it, in the order of the rules."""
        return tuple(
            applied(each.condition, each.amount, self.tests[each.condition](case, rules.whole), about)
            for each in rules.outcomes(self.table).modifiers
        )

    def throw(
        self,
        case: _Case,
        dice: Dice,
        rules: SoloRules,
        *,
        reason: Sentence,
        clause: str,
        inputs: Mapping[str, Any],
    ) -> Step:
        """Throw one die, add every modifier that counts, and read the row."""
        modifiers = self.judge(case, rules)
        title = f"npg.battle.step.{self.table}"
        table = rules.outcomes(self.table)
        return throw_on(table, modifiers, dice, reason=reason, clause=clause, title=title, inputs=inputs)


def throw_on(
    rows: DieTable[str],
    modifiers: tuple[AppliedModifier, ...],
    dice: Dice,
    *,
    reason: Sentence,
    clause: str,
    title: str,
    inputs: Mapping[str, Any],
) -> Step:
    """Throw one die on a table, add every modifier that counts, and return the step with the row that came."""
    added = sum_of(modifiers)
    die = dice.d6(
        reason,
        lambda score: rows.row(score + added).clause,
        brings=lambda score: rows.look_up(score + added),
    )
    row = rows.row(die + added)
    return Step(
        clause=clause,
        title=title,
        inputs=inputs,
        dice=(die,),
        modifiers=modifiers,
        total=die + added,
        row=row.clause,
        result=row.outcome,
        open=open_of(modifiers),
    )
