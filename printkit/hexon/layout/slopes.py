"""Find the slopes around a plateau from the heights of corners, so that neighbouring pieces match (HX-20 to HX-28).

Each corner of the grid is high or low. A side with two high corners is full, a side with two low corners is low, and
the others are triangulated. The six corners of a hex determine its piece.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import cache
from typing import Final

from msgspec import Struct

from printkit.hexon.layout.pieces import SIDES, Corner, Hex, corners, piece_set


class HexShape(StrEnum):
    """The shape of a hex by its corners: ground, flat, a slope that is sold (A, B, C), or a shape without a piece.

    D is the free end of a ridge (one high corner), E is a deep notch (one low corner), X is a saddle.
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
    """A slope hex; ``rotation`` is its first low side, clockwise (HX-26)."""

    at: Hex
    shape: HexShape
    rotation: int


class SlopeRelief(Struct, frozen=True, kw_only=True):
    """A plateau and its slopes; ``raised_hexes`` are the hexes added to the plateau. All hexes are sorted."""

    plateau: tuple[Hex, ...]
    raised_hexes: tuple[Hex, ...]
    slopes: tuple[HexSlope, ...]

    @property
    def footprint(self) -> frozenset[Hex]:
        """Return all hexes of the plateau and the slopes (HX-22)."""
        return frozenset((*self.plateau, *(each.at for each in self.slopes)))


def hex_shape(high: Collection[bool]) -> HexShape:
    """Return the shape of a hex by its corners 0 to 5 clockwise, True for high (HX-20)."""
    return _shape(tuple(high))


@cache
def _shape(flags: tuple[bool, ...]) -> HexShape:
    """Return the shape of a hex by its corners 0 to 5 clockwise, True for high.

    All high corners give FLAT, all low corners GROUND, one high corner D, one low corner E; other combinations without
    a piece give X. Results are cached.
    """
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


def slope_rotation(high: Collection[bool]) -> int:
    """Return the number (0 to 5) of the first low side of a hex, by its corners, True for high (HX-26).

    It is 0 if no side or every side is low.
    """
    flags = tuple(high)
    low = [not flags[i] and not flags[i - 1] for i in range(SIDES)]
    return next((side for side in range(SIDES) if low[side] and not low[side - 1]), 0)


def build_relief(plateau: Iterable[Hex]) -> SlopeRelief:
    """Return a plateau with the slopes of its rim (HX-21).

    Hexes without a matching slope are raised (HX-25). The result is the smallest possible: if neighbours are raised, a
    hex without a matching slope stays one or becomes flat. So every buildable plateau around this one contains that hex
    too.
    """
    original = frozenset(plateau)
    flat = set(original)
    while True:
        high: frozenset[Corner] = frozenset().union(*map(corners, flat))
        rim_hexes = {position for point in high for position in point} - flat
        rim = {position: tuple(point in high for point in corners(position)) for position in rim_hexes}
        unfit_hexes = {position for position, flags in rim.items() if hex_shape(flags) not in _SOLD}
        if not unfit_hexes:
            return SlopeRelief(
                plateau=tuple(sorted(flat)),
                raised_hexes=tuple(sorted(flat - original)),
                slopes=tuple(
                    HexSlope(position, hex_shape(rim[position]), slope_rotation(rim[position]))
                    for position in sorted(rim)
                ),
            )
        flat |= unfit_hexes
