"""Bounds rolled before the game, by the dice that the battle of the same seed throws (S3, 8.5)."""

from __future__ import annotations

from msgspec import Struct

from printkit.chance.dice import Dice, Seeded
from printkit.systems.solo.cards.sheet_values import BOUNDS
from printkit.systems.solo.tactics.tactics_tables import Stance, tactics


class RolledBound(Struct, frozen=True, kw_only=True):
    """One bound: its number from 1, both dice, the stance at each NET, and whether an override passes in it."""

    number: int
    pips: int
    die: int
    strip: tuple[Stance, ...]
    free: bool


def rolled_bounds(seed: int, count: int = BOUNDS) -> tuple[RolledBound, ...]:
    """Return the first bounds of a battle of a seed, each with the die of an override that may be tried in it."""
    dice, tables = Dice(Seeded(seed)), tactics()
    found = []
    for number in range(1, count + 1):
        own = dice.at(f"bound {number}")
        pips, die = own.d6("PIPs", "SD-5.3-a"), own.d6("stance", "SD-5.3-b")
        tried = dice.at(f"override {number}").d6("override of the engine", "SD-5.4-a")
        free = tables.override.look_up(tried) == "free"
        found.append(RolledBound(number=number, pips=pips, die=die, strip=tables.strip(pips, die), free=free))
    return tuple(found)
