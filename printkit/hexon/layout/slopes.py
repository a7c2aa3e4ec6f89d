"""Slopes round a plateau, found by the heights of corners, so that two pieces always match (HX-20 to HX-28).

Every corner of the grid is high or low. A side with two high corners is of full height, one with two low corners is
low, the others are triangulated; which piece a hex needs follows from its six corners alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import cache
from typing import Final

from msgspec import Struct

from printkit.hexon.layout.pieces import SIDES, Corner, Hex, corners, piece_set


class HexShape(StrEnum):
    """What a hex is by its corners: a slope that is sold, ground, a flat top, or one of three that no piece fits.

    D is the free end of a ridge (one high corner), E a deep notch (one low corner), X a saddle.
    """

    GROUND = "ground"
    A = "A"
    B = "B"
    C = "C"
    FLAT = "flat"
    D = "D"
    E = "E"
    X = "X"


# The shapes that are sold as slopes.
_SOLD: Final = frozenset({HexShape.A, HexShape.B, HexShape.C})


class HexSlope(Struct, frozen=True):
    """A slope hex: ``rotation`` is its first low side going clockwise (HX-26)."""

    at: Hex
    shape: HexShape
    rotation: int


class SlopeRelief(Struct, frozen=True, kw_only=True):
    """A plateau and its rim. ``raised`` are the plateau hexes that repair added; all hexes are in order."""

    plateau: tuple[Hex, ...]
    raised: tuple[Hex, ...]
    slopes: tuple[HexSlope, ...]

    @property
    def footprint(self) -> frozenset[Hex]:
        """Return every hex that is not plain ground (HX-22)."""
        return frozenset((*self.plateau, *(each.at for each in self.slopes)))


def shape_of(high: Collection[bool]) -> HexShape:
    """Return what a hex is by its corners 0 to 5, high or low (HX-20)."""
    return _shape(tuple(high))


@cache
def _shape(flags: tuple[bool, ...]) -> HexShape:
    if len(set(flags)) == 1:
        return HexShape.FLAT if flags[0] else HexShape.GROUND
    full = sum(flags[i] and flags[i - 1] for i in range(SIDES))
    low = sum(not flags[i] and not flags[i - 1] for i in range(SIDES))
    letter = piece_set().slopes.get((low, SIDES - low - full, full))
    if letter is not None:
        return HexShape(letter)
    if sum(flags) == 1:
        return HexShape.D
    return HexShape.E if sum(flags) == SIDES - 1 else HexShape.X


def rotation_of(high: Collection[bool]) -> int:
    """Return the first low side going clockwise, and 0 where no side or every side is low (HX-26)."""
    flags = tuple(high)
    low = [not flags[i] and not flags[i - 1] for i in range(SIDES)]
    return next((side for side in range(SIDES) if low[side] and not low[side - 1]), 0)


def relief(plateau: Iterable[Hex]) -> SlopeRelief:
    """Return a plateau with the slopes of its whole rim (HX-21); hexes that no slope fits are raised to it (HX-25).

    The repair is the smallest there is: an E or X hex stays one, or becomes all high, whatever else is raised about it.
    So every plateau that holds this one and can be built has to hold that hex too.
    """
    asked = frozenset(plateau)
    flat = set(asked)
    while True:
        high: frozenset[Corner] = frozenset().union(*map(corners, flat))
        touched = {at for each in high for at in each} - flat
        rim = {at: tuple(each in high for each in corners(at)) for at in touched}
        raised = {at for at, flags in rim.items() if shape_of(flags) not in _SOLD}
        if not raised:
            return SlopeRelief(
                plateau=tuple(sorted(flat)),
                raised=tuple(sorted(flat - asked)),
                slopes=tuple(HexSlope(at, shape_of(rim[at]), rotation_of(rim[at])) for at in sorted(rim)),
            )
        flat |= raised
