"""Steps of procedures, their facts and modifiers, and die procedures of deployment."""

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

# Yes, no, or unknown (0.6).
Fact: TypeAlias = bool | None


class Mode(StrEnum):
    """The amount of detail filled in on a stage or sheet (0.7)."""

    BLANK = "blank"
    RANGES = "ranges"
    ROLLED = "rolled"


class ModifierState(StrEnum):
    """Whether a modifier counts: its condition is true, false or unknown (0.6)."""

    ON = "on"
    OFF = "off"
    OPEN = "open"

    @classmethod
    def from_fact(cls, fact: Fact) -> ModifierState:
        """Return ON for a true fact, OFF for a false one, OPEN for None (unknown)."""
        if fact is None:
            return cls.OPEN
        return cls.ON if fact else cls.OFF


class AppliedModifier(Struct, frozen=True, kw_only=True):
    """A modifier in one step: its clause, its amount, and whether it counts.

    ``option`` is the option it applies to, for example the general's type or an edge; empty if the step has one total.
    """

    clause: str
    amount: int
    state: ModifierState
    option: str = ""

    @property
    def value(self) -> int:
        """Return the amount if the modifier counts, otherwise 0."""
        return self.amount if self.state is ModifierState.ON else 0


class Step(Struct, frozen=True, kw_only=True):
    """One completed step of a procedure (7.8).

    ``clause`` is the clause of the procedure, ``row`` the clause of the row or list entry that decided, or empty.
    ``title`` is a key of the words. ``inputs`` are the facts used, by name: numbers or text. ``dice`` are all scores
    in order, including re-rolls. ``total`` is the deciding total, None without a die. ``result`` is the result as
    data. ``open`` are the clauses of the open modifiers. ``question_key`` is the key of a question that only the user
    can answer, or empty.
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
    question_key: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return the step as plain values for the JSON log, by name.

        The keys are ``clause``, ``title``, ``inputs``, ``dice``, ``modifiers``, ``total``, ``row``, ``result``,
        ``open`` and ``needs_person``. A modifier has ``id``, ``value``, ``state`` and ``about``.
        """
        return {
            "clause": self.clause,
            "title": self.title,
            "inputs": dict(self.inputs),
            "dice": list(self.dice),
            "modifiers": [
                {
                    "id": modifier.clause,
                    "value": modifier.amount,
                    "state": modifier.state.value,
                    "about": modifier.option,
                }
                for modifier in self.modifiers
            ],
            "total": self.total,
            "row": self.row,
            "result": self.result,
            "open": list(self.open),
            "needs_person": self.question_key or None,
        }


def apply_modifier(clause: str, amount: int, fact: Fact, option: str = "") -> AppliedModifier:
    """Return a modifier with its state, given the fact of its condition.

    ``clause`` is the ID of the modifier, and ``amount`` what it adds. ``option`` is the option to which it applies, or
    empty.
    """
    return AppliedModifier(clause=clause, amount=amount, state=ModifierState.from_fact(fact), option=option)


def merge_states(cases: Iterable[Sequence[AppliedModifier]]) -> tuple[AppliedModifier, ...]:
    """Merge the modifiers of several possible cases; one is unknown (open) if its state differs.

    Each case has the same modifiers in the same order.
    """
    return tuple(
        first if all(modifier.state is first.state for modifier in others) else replace(first, state=ModifierState.OPEN)
        for first, *others in zip(*cases, strict=True)
    )


def sum_modifiers(modifiers: Iterable[AppliedModifier]) -> int:
    """Return the sum of the modifiers; open ones add 0."""
    return sum(modifier.value for modifier in modifiers)


def find_sum_range(modifiers: Sequence[AppliedModifier]) -> tuple[int, int]:
    """Return the lowest and highest possible sum, whether the unknown (open) modifiers count or not."""
    known_sum = sum_modifiers(modifiers)
    open_amounts = [modifier.amount for modifier in modifiers if modifier.state is ModifierState.OPEN]
    return known_sum + sum(min(0, amount) for amount in open_amounts), known_sum + sum(
        max(0, amount) for amount in open_amounts
    )


def list_open_clauses(modifiers: Iterable[AppliedModifier]) -> tuple[str, ...]:
    """Return the clauses of the open modifiers in order, without duplicates."""
    return tuple(dict.fromkeys(modifier.clause for modifier in modifiers if modifier.state is ModifierState.OPEN))


def all_facts(*facts: Fact) -> Fact:
    """Return whether all facts are true; a false one outweighs unknown ones. Without facts it is True.

    An unknown fact has the value None, as argument and as result.
    """
    if any(fact is False for fact in facts):
        return False
    return None if None in facts else True


def any_fact(*facts: Fact) -> Fact:
    """Return whether one of the facts is true; a true one outweighs unknown ones. Without facts it is False.

    An unknown fact has the value None, as argument and as result.
    """
    if any(fact is True for fact in facts):
        return True
    return None if None in facts else False


def negate_fact(fact: Fact) -> Fact:
    """Return the opposite of a fact; None (unknown) stays None."""
    return None if fact is None else not fact


def is_at_least(number: int | None, minimum: int) -> Fact:
    """Return whether a number is at least ``minimum``; None (unknown) if the number is unknown."""
    return None if number is None else number >= minimum


# --- The die procedures of deployment ---------------------------------------------------------------------------------

_Case = TypeVar("_Case")


class Procedure(Struct, Generic[_Case], frozen=True):
    """A die table of the rule book, with a test for each of its modifiers.

    ``tests`` are by modifier clause. A test gets the case, and a function that returns a number of the rules by name.
    """

    table: str
    tests: Mapping[str, Callable[[_Case, Callable[[str], int]], Fact]]

    def judge(self, case: _Case, rules: SoloRules, option: str = "") -> tuple[AppliedModifier, ...]:
        """Return every modifier with its state in this case, in the order of the rules.

        ``option`` is what they apply to, if the step has several totals.
        """
        return tuple(
            apply_modifier(
                modifier.condition, modifier.amount, self.tests[modifier.condition](case, rules.whole), option
            )
            for modifier in rules.outcomes(self.table).modifiers
        )

    def roll(
        self,
        case: _Case,
        dice: Dice,
        rules: SoloRules,
        *,
        reason: Sentence,
        clause: str,
        inputs: Mapping[str, Any],
    ) -> Step:
        """Roll a die, add every modifier that counts, and return the step with its row.

        Args:
            case: the input of the tests.
            dice: rolls one D6.
            rules: the rules of the game.
            reason: the reason of the die in the log.
            clause: the clause of the procedure.
            inputs: the facts used, for the log.
        """
        modifiers = self.judge(case, rules)
        title = f"npg.battle.step.{self.table}"
        table = rules.outcomes(self.table)
        return roll_on_table(table, modifiers, dice, reason=reason, clause=clause, title=title, inputs=inputs)


def roll_on_table(
    table: DieTable[str],
    modifiers: tuple[AppliedModifier, ...],
    dice: Dice,
    *,
    reason: Sentence,
    clause: str,
    title: str,
    inputs: Mapping[str, Any],
) -> Step:
    """Roll a die on a table, add every modifier that counts, and return the step with its row.

    The die is logged. A total outside the table raises BookError.

    Args:
        table: the die table; its own modifiers are not applied.
        modifiers: with their states; open ones add 0.
        dice: rolls one D6.
        reason: the reason of the die in the log.
        clause: the clause of the procedure.
        title: the key of the step's title.
        inputs: the facts used, for the log.
    """
    modifier_sum = sum_modifiers(modifiers)
    die = dice.d6(
        reason,
        lambda score: table.row(score + modifier_sum).clause,
        brings=lambda score: table.look_up(score + modifier_sum),
    )
    row = table.row(die + modifier_sum)
    return Step(
        clause=clause,
        title=title,
        inputs=inputs,
        dice=(die,),
        modifiers=modifiers,
        total=die + modifier_sum,
        row=row.clause,
        result=row.outcome,
        open=list_open_clauses(modifiers),
    )


def steps_facts(steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Return steps as plain values for the JSON record, one mapping for each, in their order.

    The keys are for example ``clause``, ``title``, ``inputs``, ``dice``, ``modifiers``, ``total`` and ``result``.
    """
    return [step.as_data() for step in steps]
