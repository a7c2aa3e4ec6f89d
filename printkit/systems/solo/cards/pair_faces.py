"""The faces of the dice that are left once every modifier that is known has been counted (0.7, 8.6).

A modifier of which nobody knows whether it counts stays open: it goes with the faces as they would be with it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, sum_of
from printkit.systems.solo.cards.card_text import CardText

ONE: Final = range(1, 7)
"""What one die can show."""

TWO: Final = range(2, 13)
"""What two dice can come to together."""

Throws = tuple[int, ...]
"""Faces of a die, or sums of two."""


class Shifted(Struct, frozen=True):
    """An open modifier, and the throws for each outcome where it counts and no other open one does."""

    modifier: AppliedModifier
    faces: Mapping[str, Throws]


class Resolved(Struct, frozen=True, kw_only=True):
    """A table whose known modifiers are counted: their sum, the throws for each outcome, and what is still open."""

    sum: int
    faces: Mapping[str, Throws]
    open: tuple[Shifted, ...] = ()


def resolved(
    modifiers: Sequence[AppliedModifier],
    outcome_of: Callable[[int], str],
    outcomes: Iterable[str],
    throws: Sequence[int] = ONE,
) -> Resolved:
    """Return a table with its modifiers counted.

    Args:
        modifiers: in the state that the armies give them.
        outcome_of: what a total gives.
        outcomes: every outcome that is told, also those that cannot come.
        throws: what the dice can show.
    """
    known, named = sum_of(modifiers), tuple(dict.fromkeys(outcomes))

    def faces(added: int) -> dict[str, Throws]:
        found: dict[str, Throws] = dict.fromkeys(named, ())
        for throw in throws:
            found[outcome_of(throw + added)] = (*found.get(outcome_of(throw + added), ()), throw)
        return found

    shifted = tuple(Shifted(each, faces(known + each.amount)) for each in modifiers if each.state is ModifierState.OPEN)
    return Resolved(sum=known, faces=faces(known), open=shifted)


def either(one: Sequence[AppliedModifier], other: Sequence[AppliedModifier]) -> tuple[AppliedModifier, ...]:
    """Return modifiers judged for two cases of which nobody knows the right one: where they differ, open."""
    return tuple(
        first if first.state is second.state else AppliedModifier(
            clause=first.clause, amount=first.amount, state=ModifierState.OPEN, about=first.about
        )
        for first, second in zip(one, other, strict=True)
    )  # fmt: skip


def said(found: Throws, text: CardText, throws: Sequence[int] = ONE) -> str:
    """Return throws as they are printed: ``1–4``, ``6``, ``never`` or ``always``."""
    if not found:
        return text.words("npg.pair.never")
    if len(found) == len(throws):
        return text.words("npg.pair.always")
    if len(found) == 1:
        return str(found[0])
    return text.words("npg.cards.span.range", low=found[0], high=found[-1])


def short(found: Throws, text: CardText) -> str:
    """Return throws as they are printed in a narrow column: a dash where none does."""
    return said(found, text, ()) if found else text("nothing")
