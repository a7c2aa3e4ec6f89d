"""The pieces of a hex terrain system, hexes in axial coordinates, and slopes around a plateau (HX-1, HX-20 to HX-28).

A hex is ``(q, s)``. Its sides and neighbours are numbered clockwise from 0: south-east on a flat-topped hex, east on a
pointy-topped hex. Corner ``i`` is between side ``i`` and side ``i + 1``.

Each corner of the grid is high or low. A side with two high corners is full, a side with two low corners is low, and
the others are triangulated. The six corners of a hex determine its piece.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from enum import StrEnum
from functools import cache
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.resources import template
from printkit.terrain.field.grids import Cell, Grid

Hex: TypeAlias = tuple[int, int]
# The point where three hexes meet, as these hexes in sorted order (HX-12).
Corner: TypeAlias = tuple[Hex, Hex, Hex]

SIDES: Final = 6
# The axial step through each side (HX-10).
DIRECTIONS: Final[tuple[Hex, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class PieceKind(StrEnum):
    """A tile: a flat piece, or a slope of one or two levels."""

    BOARD = "board"
    SINGLE = "single"
    A1 = "A1"
    B1 = "B1"
    C1 = "C1"
    A2 = "A2"
    B2 = "B2"
    C2 = "C2"


class PieceSet(Struct, frozen=True, kw_only=True):
    """The pieces that the maker sells.

    Attributes:
        across_flats: the width of a hex across the flats, in mm.
        board: the hexes of a board.
        slopes: the letter of a slope by its numbers of low, triangulated and full sides.
    """

    across_flats: float
    board: tuple[Hex, ...]
    slopes: Mapping[tuple[int, int, int], str]


@cache
def piece_set() -> PieceSet:
    """Return the pieces of ``templates/hexon/pieces.toml``. Cached."""
    tree = template("hexon", "pieces")
    return PieceSet(
        across_flats=tree["hex"]["across_flats"],
        board=tuple(sorted((q, s) for q, s in tree["board"]["cells"])),
        slopes={(row["low"], row["triangulated"], row["full"]): row["name"] for row in tree["slopes"]},
    )


def hex_neighbours(position: Hex) -> tuple[Hex, ...]:
    """Return the six neighbours of a hex, clockwise from side 0."""
    return tuple((position[0] + right, position[1] + down) for right, down in DIRECTIONS)


def corners(position: Hex) -> tuple[Corner, ...]:
    """Return the six corners of a hex; corner ``i`` touches the neighbours ``i`` and ``i + 1`` (HX-12)."""
    hexes = hex_neighbours(position)
    return tuple(corner(position, hexes[i], hexes[(i + 1) % SIDES]) for i in range(SIDES))


def corner(a: Hex, b: Hex, c: Hex) -> Corner:
    """Return the corner where three hexes meet, as these hexes sorted; their order does not matter."""
    first, second, third = sorted((a, b, c))
    return first, second, third


def hex_distance(a: Hex, b: Hex) -> int:
    """Return the distance of two hexes, as the number of steps from hex to neighbouring hex."""
    q, s = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(s), abs(q + s))


def rotate_hex(position: Hex, turns: int) -> Hex:
    """Return a hex rotated clockwise around (0, 0) by ``turns`` times 60 degrees."""
    q, s = position
    for _ in range(turns % SIDES):
        q, s = -s, q + s
    return q, s


@cache
def footprints() -> tuple[tuple[Hex, ...], ...]:
    """Return the hexes of a board in each orientation (HX-03). Cached.

    Entry ``i`` is rotated clockwise by ``i`` times 60 degrees. The smallest hex of each is (0, 0). Orientations equal
    to an earlier one are omitted.
    """
    orientations: list[tuple[Hex, ...]] = []
    for turns in range(SIDES):
        hexes = sorted(rotate_hex(position, turns) for position in piece_set().board)
        q, s = hexes[0]
        shape = tuple((position[0] - q, position[1] - s) for position in hexes)
        if shape not in orientations:
            orientations.append(shape)
    return tuple(orientations)


def components(hexes: Collection[Hex]) -> tuple[tuple[Hex, ...], ...]:
    """Return the connected parts of a set of hexes, each sorted, in the order of their smallest hexes."""
    remaining, parts = set(hexes), []
    for start in sorted(hexes):
        if start in remaining:
            remaining.discard(start)
            part = [start]
            # The loop also visits the hexes that it appends.
            for position in part:
                new_hexes = remaining.intersection(hex_neighbours(position))
                remaining -= new_hexes
                part += new_hexes
            parts.append(tuple(sorted(part)))
    return tuple(parts)


def hex_of(grid: Grid, cell: Cell) -> Hex:
    """Return the axial coordinates of a cell of a grid of hexes (HX-11)."""
    return grid.axial(cell)


def cell_of(grid: Grid, position: Hex) -> Cell:
    """Return the cell at axial coordinates; it may be off the grid."""
    return grid.from_axial(*position)


def side_of(grid: Grid, direction: int) -> int:
    """Return the side of a hex (0 to 5 clockwise, HX-12) for a direction of the grid, from 0 at the top."""
    return (direction - _side_zero(grid)) % SIDES


def direction_of(grid: Grid, side: int) -> int:
    """Return the direction of the grid, clockwise from 0 at the top, for a side (0 to 5) of a hex."""
    return (side + _side_zero(grid)) % SIDES


def _side_zero(grid: Grid) -> int:
    """Return the grid direction of side 0 of a hex.

    It is 2 (south-east) for flat-topped hexes and 1 (east) for pointy-topped ones.
    """
    return 2 if grid.grain.startswith("flat") else 1


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
    """A plateau and its slopes. All hexes are sorted.

    ``raised_hexes`` are the hexes added to the plateau, and ``gaps`` those of the rim that stay without a piece.
    """

    plateau: tuple[Hex, ...]
    raised_hexes: tuple[Hex, ...]
    slopes: tuple[HexSlope, ...]
    gaps: tuple[Hex, ...] = ()

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


def build_relief(
    plateau: Iterable[Hex], fixed_hexes: Set[Hex] = frozenset(), closed_hexes: Set[Hex] = frozenset()
) -> SlopeRelief:
    """Return a plateau with the slopes of its rim (HX-21).

    Hexes without a matching slope are raised (HX-25). The result is the smallest possible: if neighbours are raised, a
    hex without a matching slope stays one or becomes flat. So every buildable plateau around this one contains that hex
    too.

    Args:
        plateau: the flat hexes.
        fixed_hexes: hexes that are never raised.
        closed_hexes: those of them that have no slope either. The plateau has a vertical side there.
    """
    original = frozenset(plateau)
    flat = set(original)
    while True:
        high: frozenset[Corner] = frozenset().union(*map(corners, flat))
        rim_hexes = {position for point in high for position in point} - flat
        rim = {position: tuple(point in high for point in corners(position)) for position in rim_hexes}
        unfit_hexes = {position for position, flags in rim.items() if hex_shape(flags) not in _SOLD}
        if unfit_hexes <= fixed_hexes:
            gaps = unfit_hexes | (rim_hexes & closed_hexes)
            return SlopeRelief(
                plateau=tuple(sorted(flat)),
                raised_hexes=tuple(sorted(flat - original)),
                slopes=tuple(
                    HexSlope(position, hex_shape(rim[position]), slope_rotation(rim[position]))
                    for position in sorted(rim.keys() - gaps)
                ),
                gaps=tuple(sorted(gaps)),
            )
        flat |= unfit_hexes - fixed_hexes
