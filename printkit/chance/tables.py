"""Die tables: ranges of scores and their outcomes, without gaps or overlaps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct

from printkit.chance.dice import Dice
from printkit.core.errors import BookError

T = TypeVar("T")


class Citation(Struct, frozen=True):
    """The source of a rule: the work, and its clauses or section."""

    work: str
    section: str


class Span(Struct, frozen=True):
    """Scores from ``low`` to ``high``; None is an open end. In text: ``3``, ``1-2``, ``..3``, ``4..``."""

    low: int | None
    high: int | None

    @classmethod
    def parse(cls, text: str) -> Span:
        """Return the span of ``1-2``, ``3``, ``..3`` or ``4..``; both ends are included.

        An open end has the value None.

        Raises:
            BookError: the text is not a span.
        """
        try:
            if ".." in text:
                low, high = text.split("..")
                return cls(int(low) if low else None, int(high) if high else None)
            first, dash, last = text.partition("-")
            return cls(int(first), int(last if dash else first))
        except ValueError:
            raise BookError(
                "{text!r} is not a range of scores; write for example 3, 1-2, ..3 or 4..", text=text
            ) from None

    def __contains__(self, score: int) -> bool:
        return (self.low is None or score >= self.low) and (self.high is None or score <= self.high)

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


class Modifier(Struct, frozen=True, forbid_unknown_fields=True):
    """An ``amount`` to add to the score if the named ``condition`` is met."""

    amount: Annotated[int, Meta(ge=-1000, le=1000)]
    condition: str


class DieRow(Struct, Generic[T], frozen=True):
    """One row of a die table: a span, its outcome and the clause."""

    span: Span
    outcome: T
    clause: str = ""


class DieTable(Struct, Generic[T], frozen=True, kw_only=True):
    """A published table for one die, without gaps or overlaps.

    Raises:
        BookError: a possible score, with or without modifiers, does not have exactly one row.
    """

    name: str
    sides: int
    rows: tuple[DieRow[T], ...]
    source: Citation
    modifiers: tuple[Modifier, ...] = ()

    def __post_init__(self) -> None:
        for score in self.scores():
            matches = [row for row in self.rows if score in row.span]
            if len(matches) != 1:
                raise BookError(
                    "table {name!r} has {count} rows for a score of {score}; it needs exactly one",
                    name=self.name,
                    count=len(matches),
                    score=score,
                )

    def scores(self) -> Iterator[int]:
        """Yield every score from the lowest to the highest that is possible with the modifiers, in order."""
        low = 1 + sum(min(0, modifier.amount) for modifier in self.modifiers)
        high = self.sides + sum(max(0, modifier.amount) for modifier in self.modifiers)
        yield from range(low, high + 1)

    def row(self, score: int) -> DieRow[T]:
        """Return the row of the table for a score with its modifiers.

        Raises:
            BookError: there is no such row.
        """
        for row in self.rows:
            if score in row.span:
                return row
        raise BookError("table {name!r} has no row for {score}", name=self.name, score=score)

    def look_up(self, score: int) -> T:
        """Return the outcome for a score that has its modifiers already.

        Raises:
            BookError: there is no such row.
        """
        return self.row(score).outcome

    def apply_modifiers(self, score: int, conditions: Collection[str] = ()) -> int:
        """Return a score plus every modifier whose condition is in ``conditions``.

        The result can be less than 1 or more than the sides of the die. Unknown conditions have no effect.
        """
        return score + sum(modifier.amount for modifier in self.modifiers if modifier.condition in conditions)

    def roll(
        self,
        dice: Dice,
        reason: str,
        conditions: Collection[str] = (),
        *,
        describe: Callable[[T], object] = lambda outcome: outcome,
    ) -> T:
        """Roll the die of the table, apply the modifiers and return the outcome.

        The log cites the clause of the row.

        Args:
            dice: the dice of the stage.
            reason: what the die is for, as shown in the log.
            conditions: the conditions of modifiers that are met.
            describe: returns the text of an outcome, for a user who rolls the die.
        """

        def find_row(die_score: int) -> DieRow[T]:
            """Return the row for a score of the die, with the modifiers."""
            return self.row(self.apply_modifiers(die_score, conditions))

        score = dice.roll(
            self.sides,
            reason,
            lambda die_score: find_row(die_score).clause,
            brings=lambda die_score: describe(find_row(die_score).outcome),
        )
        return find_row(score).outcome
