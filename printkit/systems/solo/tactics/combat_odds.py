"""Chances of a close combat of two elements, to kill and to die, by which an attack has its name (SD-5.1, F-15)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from printkit.core.errors import BookError
from printkit.systems.solo.armies.force import TroopTable, TroopType
from printkit.systems.solo.tactics.tactics_tables import FACES, Action, attack_class

ALL: Final = "*"
THROWS: Final = len(FACES) ** 2


class CombatOdds(NamedTuple):
    """In how many of 36 throws of two dice the attacker destroys, and in how many he is destroyed."""

    kill: int
    die: int

    @property
    def attack(self) -> Action | None:
        """Return which attack it is, or None where it can destroy nothing (AMB-41)."""
        return attack_class(Fraction(self.kill, THROWS), Fraction(self.die, THROWS))


def fighting_types(troops: TroopTable) -> tuple[TroopType, ...]:
    """Return the types that move into contact, which camp followers do not."""
    return tuple(each for each in troops.types if each.factor)


def combat_odds(attacker: TroopType, defender: TroopType) -> CombatOdds:
    """Return the chances of an element that has moved into contact, front to front in good going, alone on both sides.

    Both throw a die and add their factor. Who has less is destroyed where the other's type does so, and who has half or
    less unless the other's type spares him.

    Raises:
        BookError: a type has no factors.
    """
    kill = die = 0
    own, other = _factor(attacker, defender), _factor(defender, attacker)
    for first in FACES:
        for second in FACES:
            one, two = first + own, second + other
            kill += one > two and _destroyed(defender, attacker, two, one, charging=False)
            die += two > one and _destroyed(attacker, defender, one, two, charging=True)
    return CombatOdds(kill, die)


def _factor(own: TroopType, other: TroopType) -> int:
    key = "mounted" if other.mounted else "foot"
    if key not in own.factor:
        raise BookError("the troop type {code} has no factor against {what}", code=own.code, what=key)
    return own.factor[key]


def _destroyed(loser: TroopType, winner: TroopType, less: int, more: int, *, charging: bool) -> bool:
    """Return whether who has less is destroyed."""
    named = (*loser.destroyers, *(loser.contact_destroyers if charging else ()))
    if winner.code in named or ALL in named:
        return True
    return 2 * less <= more and winner.code not in loser.nonlethal_types
