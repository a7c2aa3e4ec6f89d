"""Slopes round a plateau, found by the heights of corners, so that two pieces always match (HX-20 to HX-28).

Every corner of the grid is high or low. A side with two high corners is of full height, one with two low corners is
low, the others are triangulated; which piece a hex needs follows from its six corners alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import Literal

from msgspec import Struct

from printkit.hexon.layout.pieces import SIDES, Corner, Hex, corners, piece_set, ring

Repair = Literal["raise", "report"]
RidgeEnd = Literal["raise", "c-piece", "open"]
FootprintRule = Literal["drop", "grow"]


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


class HexSlope(Struct, frozen=True):
    """A slope hex: ``rotation`` is its first low side going clockwise (HX-26).

    ``matched`` is false for a piece that stands where none fits exactly.
    """

    at: Hex
    shape: HexShape
    rotation: int
    matched: bool = True


class SlopeRelief(Struct, frozen=True, kw_only=True):
    """A plateau and its rim. ``raised`` are the plateau hexes that repair added; all hexes are in order.

    ``unbuildable`` are hexes that no piece fits, with what they would have to be.
    """

    plateau: tuple[Hex, ...]
    raised: tuple[Hex, ...]
    slopes: tuple[HexSlope, ...]
    unbuildable: tuple[tuple[Hex, HexShape], ...]
    high: frozenset[Corner]

    @property
    def footprint(self) -> frozenset[Hex]:
        """Return every hex that is not plain ground."""
        return frozenset((*self.plateau, *(each.at for each in self.slopes), *(at for at, _ in self.unbuildable)))

    def counts(self) -> Mapping[HexShape, int]:
        """Return how many hexes there are of each shape, the unbuildable ones as what they are."""
        shapes = [each.shape for each in self.slopes] + [shape for _, shape in self.unbuildable]
        found = Counter([HexShape.FLAT] * len(self.plateau) + shapes)
        return {shape: found[shape] for shape in HexShape if found[shape]}


class GivenPlateau(Struct, frozen=True):
    """The plateau of a hill that was given with its slopes; ``thin`` are hexes too narrow to be slopes (HX-22)."""

    plateau: tuple[Hex, ...]
    thin: tuple[Hex, ...]


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


def relief(
    plateau: Iterable[Hex],
    *,
    ridge: Iterable[Corner] = (),
    repair: Repair = "raise",
    ridge_end: RidgeEnd = "raise",
) -> SlopeRelief:
    """Return a plateau with the slopes of its whole rim (HX-21, HX-23, HX-25).

    Without a ridge the repair is the smallest there is: an E or X hex stays one, or becomes all high, whatever else is
    raised about it, so every plateau that holds this one and can be built has to hold that hex too.

    Args:
        plateau: the hexes that are to be flat.
        ridge: further corners that are high.
        repair: ``raise`` makes plateau of every hex that no piece fits, until all fit; ``report`` lists them.
        ridge_end: a D hex is made plateau (if shapes are repaired at all), takes a C although a side of it does not
            match, or stays open.
    """
    asked = frozenset(plateau)
    crest = frozenset(ridge)
    flat = set(asked)
    while True:
        high = crest.union(*(corners(each) for each in flat))
        shapes = {each: _flags(each, high) for each in _touched(high) - flat}
        risen = {each for each, flags in shapes.items() if _rises(shape_of(flags), repair, ridge_end)}
        if not risen:
            return _settled(asked, flat, shapes=shapes, high=high, c_piece=ridge_end == "c-piece")
        flat |= risen


def _flags(at: Hex, high: Collection[Corner]) -> tuple[bool, ...]:
    return tuple(each in high for each in corners(at))


def _touched(high: Iterable[Corner]) -> set[Hex]:
    return {each for corner in high for each in corner}


def _rises(shape: HexShape, repair: Repair, ridge_end: RidgeEnd) -> bool:
    match shape:
        case HexShape.FLAT:
            return True
        case HexShape.E | HexShape.X:
            return repair == "raise"
        case HexShape.D:
            return repair == "raise" and ridge_end == "raise"
        case _:
            return False


def _settled(
    asked: frozenset[Hex],
    flat: set[Hex],
    *,
    shapes: Mapping[Hex, tuple[bool, ...]],
    high: frozenset[Corner],
    c_piece: bool,
) -> SlopeRelief:
    slopes, unbuildable = [], []
    for at in sorted(shapes):
        shape = shape_of(shapes[at])
        if shape is HexShape.D and c_piece:
            slopes.append(HexSlope(at, HexShape.C, _end_rotation(at, shapes[at], high), matched=False))
        elif shape in (HexShape.D, HexShape.E, HexShape.X):
            unbuildable.append((at, shape))
        else:
            slopes.append(HexSlope(at, shape, rotation_of(shapes[at])))
    return SlopeRelief(
        plateau=tuple(sorted(flat)),
        raised=tuple(sorted(flat - asked)),
        slopes=tuple(slopes),
        unbuildable=tuple(unbuildable),
        high=high,
    )


def _end_rotation(at: Hex, flags: tuple[bool, ...], high: frozenset[Corner]) -> int:
    """Return how a C stands on the free end of a ridge: its wrong corner, if it can, where only ground is beside it."""
    peak = flags.index(True)
    around = ring(at)

    def beside(wrong: int) -> tuple[bool, int]:
        # The wrongly high corner lies between two neighbours; the one away from the ridge would show the step.
        outer = around[wrong] if wrong == (peak - 1) % SIDES else around[(wrong + 1) % SIDES]
        return any(_flags(outer, high)), _with(flags, wrong)

    return min(beside((peak - 1) % SIDES), beside((peak + 1) % SIDES))[1]


def _with(flags: tuple[bool, ...], also: int) -> int:
    return rotation_of(tuple(flag or i == also for i, flag in enumerate(flags)))


def plateau_of(footprint: Collection[Hex], rule: FootprintRule = "drop") -> GivenPlateau:
    """Return the plateau of a hill whose hexes include its slopes (HX-22).

    Hexes that are neither plateau nor beside it are too thin to be slopes: ``drop`` leaves them as ground, ``grow``
    makes them plateau, so that the hill gets a rim of its own beyond them.
    """
    whole = frozenset(footprint)
    inner = {each for each in whole if whole.issuperset(ring(each))}
    thin = whole - inner - {near for each in inner for near in ring(each)}
    plateau = inner | thin if rule == "grow" else inner
    return GivenPlateau(tuple(sorted(plateau)), tuple(sorted(thin)))


def cut(found: SlopeRelief, holds: Callable[[Hex], bool]) -> tuple[HexSlope, ...]:
    """Return the slopes that lie off the table and are not supplied; the plateau ends in a wall there (HX-28)."""
    return tuple(each for each in found.slopes if not holds(each.at))
