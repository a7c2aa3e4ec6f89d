"""Strips (rivers, roads, railways) by the hex sides that they cross, and markers for other features (HX-51, HX-52)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Final

from msgspec import Struct

from printkit.hexon.layout.pieces import SIDES, side_of
from printkit.terrain.field.features import WOODS, Kind
from printkit.terrain.field.grids import Cell, Grid, neighbours
from printkit.terrain.gridded.gridplan import CellChain, CellPlot, GridPlan

# Kinds that are built from tiles; all other kinds go on top of them.
RELIEF: Final = frozenset({Kind.HILL, Kind.RISE, Kind.SPUR, Kind.LONG_HILL, Kind.MOUNTAIN})

# Trees and bushes: a slope may have them.
TREES: Final = frozenset({*WOODS, Kind.SCRUB})


class StripName(StrEnum):
    """A generic strip shape by the sides that it joins; no maker publishes a list of such pieces (HX-08)."""

    END = "end"
    STRAIGHT = "straight"
    GENTLE = "gentle"
    SHARP = "sharp"
    Y = "Y"
    JUNCTION = "junction"
    CROSS = "cross"


class StripPiece(Struct, frozen=True, kw_only=True):
    """All courses of one kind in one hex: the sides that they cross, in order, at the level of the hex.

    ``pattern`` is the smallest mask of all rotations; ``rotation`` is the number of 60 degree turns clockwise from
    ``pattern`` to ``mask``.
    """

    cell: Cell
    level: int
    kind: Kind
    sides: tuple[int, ...]
    features: tuple[str, ...]

    @property
    def mask(self) -> int:
        """Return the sides as bits; side 0 is the lowest bit."""
        return sum(1 << side for side in self.sides)

    @property
    def name(self) -> StripName:
        """Return the name of the strip shape."""
        return strip_name(self.sides)

    @property
    def pattern(self) -> int:
        """Return the smallest mask of all rotations of the piece."""
        return min(rotate_mask(self.mask, turns) for turns in range(SIDES))

    @property
    def rotation(self) -> int:
        """Return the number of 60 degree turns clockwise from the pattern to the mask."""
        return next(turns for turns in range(SIDES) if rotate_mask(self.pattern, turns) == self.mask)


class Marker(Struct, frozen=True, kw_only=True):
    """A feature on a hex that does not change the tile below, for example a wood, a village or a bridge."""

    cell: Cell
    level: int
    kind: Kind
    features: tuple[str, ...]


def strip_name(sides: Iterable[int]) -> StripName:
    """Return the strip shape for the numbers (0 to 5) of the sides that it joins, at least one.

    Sides may repeat; their order does not matter.
    """
    used_sides = sorted(set(sides))
    gaps = sorted(
        (after - before) % SIDES for before, after in zip(used_sides, (*used_sides[1:], used_sides[0]), strict=True)
    )
    match len(used_sides), gaps[0]:
        case 1, _:
            return StripName.END
        case 2, gap:
            return (StripName.SHARP, StripName.GENTLE, StripName.STRAIGHT)[gap - 1]
        case 3, 2:
            return StripName.Y
        case 3, _:
            return StripName.JUNCTION
        case _:
            return StripName.CROSS


def rotate_mask(mask: int, turns: int) -> int:
    """Return a mask (bit ``i`` for side ``i``, from 0) rotated clockwise by ``turns`` times 60 degrees."""
    turns %= SIDES
    return (mask << turns | mask >> (SIDES - turns)) & (1 << SIDES) - 1


def crossed_sides(strip: CellChain, grid: Grid) -> Iterator[tuple[Cell, int]]:
    """Yield each cell of a course with a side that the course crosses, in order of travel.

    A cell appears once for each side. Sides count clockwise from 0 (HX-12). Consecutive cells without a common side are
    not joined; this can occur in water that is two cells wide.
    """
    if strip.enters is not None:
        yield strip.cells[0], side_of(grid, strip.enters)
    for cell, next_cell in pairwise(strip.cells):
        directions = [
            direction for direction in range(grid.direction_count()) if grid.step(cell, direction) == next_cell
        ]
        for direction in directions:
            yield cell, side_of(grid, direction)
            yield next_cell, side_of(grid, direction + grid.direction_count() // 2)
    if strip.leaves is not None:
        yield strip.cells[-1], side_of(grid, strip.leaves)


def cells_with_outside(strip: CellChain, grid: Grid) -> tuple[Cell, ...]:
    """Return the cells of a course in order of travel, with the cells off the board where it enters and leaves."""
    before = () if strip.enters is None else (grid.step(strip.cells[0], strip.enters),)
    after = () if strip.leaves is None else (grid.step(strip.cells[-1], strip.leaves),)
    return (*before, *strip.cells, *after)


def broad_cells(strip: CellChain, grid: Grid) -> frozenset[Cell]:
    """Return the cells that a wide course fills completely.

    They are the cells where the course is widened, and their neighbours on the course.
    """
    wide = frozenset(strip.wide)
    return wide | {cell for cell in strip.cells if not wide.isdisjoint(neighbours(grid, cell))}


def strip_pieces(plan: GridPlan, levels: dict[Cell, int]) -> tuple[StripPiece, ...]:
    """Return the strips of all courses in reading order; courses of one kind share a strip in a cell.

    ``levels`` has the level of the surface of each cell, 0 for the base. Cells off the grid are left out.
    """
    cell_sides: dict[tuple[Cell, Kind], tuple[set[int], dict[str, None]]] = {}
    for strip in plan.strips:
        broad = broad_cells(strip, plan.grid)
        for cell, side in crossed_sides(strip, plan.grid):
            if cell in broad:
                continue
            sides, features = cell_sides.setdefault((cell, strip.kind), (set(), {}))
            sides.add(side)
            features[strip.feature] = None
    return tuple(
        StripPiece(
            cell=cell, level=levels.get(cell, 0), kind=kind, sides=tuple(sorted(sides)), features=tuple(features)
        )
        for (cell, kind), (sides, features) in sorted(cell_sides.items(), key=lambda entry: _reading_key(*entry[0]))
        if plan.grid.contains(cell)
    )


def make_markers(plan: GridPlan, levels: dict[Cell, int], pieces: Iterable[StripPiece]) -> tuple[Marker, ...]:
    """Return a marker for each kind in a cell without a strip of it, and for each crossing.

    They are in reading order. ``levels`` has the level of the surface of each cell, and ``pieces`` are the strips.
    """
    strip_kinds = {(piece.cell, piece.kind) for piece in pieces}
    marker_features: dict[tuple[Cell, Kind], dict[str, None]] = {}
    for plot in plan.plots:
        for kind in _marker_kinds(plot):
            marker_features.setdefault((plot.cell, kind), {}).update(dict.fromkeys(plot.features))
    for strip in plan.strips:
        for cell in (*strip.cells, *strip.wide):
            marker_features.setdefault((cell, strip.kind), {})[strip.feature] = None
    for meeting in plan.meetings:
        marker_features.setdefault((meeting.cell, meeting.kind), {})[meeting.feature] = None
    return tuple(
        Marker(cell=cell, level=levels.get(cell, 0), kind=kind, features=tuple(features))
        for (cell, kind), features in sorted(marker_features.items(), key=lambda entry: _reading_key(*entry[0]))
        if (cell, kind) not in strip_kinds and plan.grid.contains(cell)
    )


def occupied_cells(plan: GridPlan, left_out: Collection[Kind] = ()) -> frozenset[Cell]:
    """Return the cells with any feature except hills and the kinds ``left_out``."""
    plots = {plot.cell for plot in plan.plots if any(kind not in left_out for kind in _marker_kinds(plot))}
    strips = {cell for strip in plan.strips for cell in (*strip.cells, *strip.wide)}
    return frozenset(plots | strips | {meeting.cell for meeting in plan.meetings})


def _marker_kinds(plot: CellPlot) -> tuple[Kind, ...]:
    """Return the kinds of a cell without hills."""
    return tuple(kind for kind in plot.kinds if kind not in RELIEF)


def _reading_key(cell: Cell, kind: Kind) -> tuple[int, int, str]:
    """Return the sort key of a kind in a cell: row, column, then kind."""
    return cell.row, cell.column, kind.value
