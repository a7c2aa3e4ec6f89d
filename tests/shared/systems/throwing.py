"""Dice of the specification's cases, and what a step counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState

FACES = range(1, 7)


def dice(*scores: int) -> Dice:
    """Return dice that give these scores, and complain when asked for one more."""
    return Dice(ScriptedSource([str(score) for score in scores], Seeded(0)))


def no_dice() -> Dice:
    """Return dice of which none may be thrown."""
    return dice()


def on(modifiers: Iterable[AppliedModifier], about: str = "") -> list[str]:
    """Return the tails of the modifiers that count: ``m1``, ``m4``."""
    return [
        modifier.clause.rpartition("-")[2]
        for modifier in modifiers
        if modifier.state is ModifierState.ON and modifier.option == about
    ]


def pairs() -> Iterator[tuple[int, int]]:
    """Yield every throw of two dice."""
    yield from product(FACES, FACES)


def share(found: Iterable[bool]) -> Fraction:
    """Return the part of equally likely throws that hold."""
    held = list(found)
    return Fraction(sum(held), len(held))
