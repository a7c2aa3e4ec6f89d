"""Which kind of attack a combat is, by the chances of destroying and of being destroyed (SD-5.1, AMB-41)."""

from __future__ import annotations

from fractions import Fraction

from printkit.systems.solo.tactics.tactics_tables import Action


def attack_class(kill: Fraction, die: Fraction, *, supports: bool = False) -> Action | None:
    """Return the kind of an attack, or None where it cannot destroy anything and so is none.

    Args:
        kill: K, the chance that it destroys an element of YOURS.
        die: D, the chance that it destroys one of the NPG's.
        supports: it is made to help another attack of the same bound, whatever its chances.
    """
    if supports:
        return Action.SUPPORT_ATTACK
    if kill == 0:
        return None
    if die == 0:
        return Action.SAFE_ATTACK
    if kill > die:
        return Action.CALCULATED_ATTACK
    return Action.AGGRESSIVE_ATTACK if kill == die else Action.RECKLESS_ATTACK
