"""Rivers, roads and other strips by the sides of hexes that they pass, and what else a hex holds (HX-51, HX-52)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Final

from msgspec import Struct

from printkit.hexon.layout.pieces import SIDES, side_of
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid, neighbours
from printkit.terrain.gridded.gridplan import CellPlot, GridPlan, Strip

RELIEF: Final = frozenset({Kind.HILL, Kind.RISE, Kind.SPUR, Kind.LONG_HILL, Kind.MOUNTAIN})
"""Kinds that pieces build; all others are laid on top."""


class StripName(StrEnum):
    """A generic piece by the sides that it joins; no maker's list of such pieces is public (HX-08)."""

    END = "end"
    STRAIGHT = "straight"
    GENTLE = "gentle"
    SHARP = "sharp"
    Y = "Y"
    JUNCTION = "junction"
    CROSS = "cross"


class StripPiece(Struct, frozen=True, kw_only=True):
    """One hex of all courses of one kind: the sides that they pass, in order, at the level of the hex.

    ``rotation`` turns ``pattern``, the least mask that turning can give, by 60 degrees clockwise so many times onto
    ``mask``.
    """

    cell: Cell
    level: int
    kind: Kind
    sides: tuple[int, ...]
    features: tuple[str, ...]

    @property
    def mask(self) -> int:
        """Return the sides as bits, side 0 the lowest."""
        return sum(1 << side for side in self.sides)

    @property
    def name(self) -> StripName:
        """Return the name of the piece."""
        return strip_name(self.sides)

    @property
    def pattern(self) -> int:
        """Return the least mask among all turns of the piece."""
        return min(turned_mask(self.mask, turns) for turns in range(SIDES))

    @property
    def rotation(self) -> int:
        """Return how often the pattern is turned."""
        return next(turns for turns in range(SIDES) if turned_mask(self.pattern, turns) == self.mask)


class Marker(Struct, frozen=True, kw_only=True):
    """What lies on a hex without changing the piece below: a wood, a village, a bridge."""

    cell: Cell
    level: int
    kind: Kind
    features: tuple[str, ...]


def strip_name(sides: Iterable[int]) -> StripName:
    """Return the name of a piece by the sides that it joins, one at least."""
    used = sorted(set(sides))
    gaps = sorted((after - before) % SIDES for before, after in zip(used, (*used[1:], used[0]), strict=True))
    match len(used), gaps[0]:
        case 1, _:
            return StripName.END
        case 2, apart:
            return (StripName.SHARP, StripName.GENTLE, StripName.STRAIGHT)[apart - 1]
        case 3, 2:
            return StripName.Y
        case 3, _:
            return StripName.JUNCTION
        case _:
            return StripName.CROSS


def turned_mask(mask: int, turns: int) -> int:
    """Return sides as bits, turned by 60 degrees clockwise so many times."""
    turns %= SIDES
    return (mask << turns | mask >> (SIDES - turns)) & (1 << SIDES) - 1


def sides_passed(strip: Strip, grid: Grid) -> Iterator[tuple[Cell, int]]:
    """Yield every cell of a course with a side that it passes, in the order of travel.

    Cells that follow each other without sharing a side, as those of water two cells wide may, are not joined.
    """
    if strip.enters is not None:
        yield strip.cells[0], side_of(grid, strip.enters)
    for one, other in pairwise(strip.cells):
        directions = [way for way in range(grid.directions()) if grid.step(one, way) == other]
        for way in directions:
            yield one, side_of(grid, way)
            yield other, side_of(grid, way + grid.directions() // 2)
    if strip.leaves is not None:
        yield strip.cells[-1], side_of(grid, strip.leaves)


def with_outside(strip: Strip, grid: Grid) -> tuple[Cell, ...]:
    """Return the cells of a course with those off the board from which it comes and to which it goes."""
    before = () if strip.enters is None else (grid.step(strip.cells[0], strip.enters),)
    after = () if strip.leaves is None else (grid.step(strip.cells[-1], strip.leaves),)
    return (*before, *strip.cells, *after)


def broad_cells(strip: Strip, grid: Grid) -> frozenset[Cell]:
    """Return the cells that a course fills from side to side: where it is wide, those of its chain and those beside."""
    wide = frozenset(strip.wide)
    return wide | {cell for cell in strip.cells if not wide.isdisjoint(neighbours(grid, cell))}


def strip_pieces(plan: GridPlan, levels: dict[Cell, int]) -> tuple[StripPiece, ...]:
    """Return the pieces of all courses, in reading order; courses of one kind share the piece of a cell."""
    passed: dict[tuple[Cell, Kind], tuple[set[int], dict[str, None]]] = {}
    for strip in plan.strips:
        broad = broad_cells(strip, plan.grid)
        for cell, side in sides_passed(strip, plan.grid):
            if cell in broad:
                continue
            sides, features = passed.setdefault((cell, strip.kind), (set(), {}))
            sides.add(side)
            features[strip.feature] = None
    return tuple(
        StripPiece(
            cell=cell, level=levels.get(cell, 0), kind=kind, sides=tuple(sorted(sides)), features=tuple(features)
        )
        for (cell, kind), (sides, features) in sorted(passed.items(), key=lambda entry: _reading(*entry[0]))
        if plan.grid.holds(cell)
    )


def markers(plan: GridPlan, levels: dict[Cell, int], pieces: Iterable[StripPiece]) -> tuple[Marker, ...]:
    """Return one marker for every kind in a cell that no piece shows, and for every crossing, in reading order."""
    shown = {(piece.cell, piece.kind) for piece in pieces}
    found: dict[tuple[Cell, Kind], dict[str, None]] = {}
    for plot in plan.plots:
        for kind in _laid_on_top(plot):
            found.setdefault((plot.cell, kind), {}).update(dict.fromkeys(plot.features))
    for strip in plan.strips:
        for cell in (*strip.cells, *strip.wide):
            found.setdefault((cell, strip.kind), {})[strip.feature] = None
    for meeting in plan.meetings:
        found.setdefault((meeting.cell, meeting.kind), {})[meeting.feature] = None
    return tuple(
        Marker(cell=cell, level=levels.get(cell, 0), kind=kind, features=tuple(features))
        for (cell, kind), features in sorted(found.items(), key=lambda entry: _reading(*entry[0]))
        if (cell, kind) not in shown and plan.grid.holds(cell)
    )


def occupied(plan: GridPlan) -> frozenset[Cell]:
    """Return the cells that hold anything but a hill."""
    plots = {plot.cell for plot in plan.plots if _laid_on_top(plot)}
    strips = {cell for strip in plan.strips for cell in (*strip.cells, *strip.wide)}
    return frozenset(plots | strips | {meeting.cell for meeting in plan.meetings})


def _laid_on_top(plot: CellPlot) -> tuple[Kind, ...]:
    return tuple(kind for kind in plot.kinds if kind not in RELIEF)


def _reading(cell: Cell, kind: Kind) -> tuple[int, int, str]:
    return cell.row, cell.column, kind.value
