"""Courses over squares that pass corners as well as sides: through the middles of cells, sides, and over corners.

Lengths are mm on the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from shapely import LineString

from printkit.chance.streams import Stream
from printkit.terrain.field.grid import Cell, Grid
from printkit.terrain.geometry.routing import smooth_curve

Point = NDArray[np.float64]

_WAVER: Final = 0.05
"""How far a course keeps off the middle of a cell at most, in cells; on sides and corners it keeps to the middle."""

_BEYOND: Final = 0.35
"""How far a course runs on over the outer side, in cells."""

_SPACING: Final = 2.0


def passes_corners(grid: Grid, cells: Sequence[Cell]) -> bool:
    """Return whether two cells of a chain that follow one another share but a corner."""
    return grid.shape == "square" and any(
        one.column != other.column and one.row != other.row for one, other in pairwise(cells)
    )


def cornered(
    grid: Grid,
    cells: Sequence[Cell],
    stream: Stream,
    *,
    enters: int | None = None,
    leaves: int | None = None,
    beside: Sequence[Cell | None] = (),
) -> LineString:
    """Return a course through a chain of squares that share sides or corners.

    Args:
        enters: the outer side of the first cell through which it comes onto the board, as a direction.
        leaves: that of the last through which it leaves; both ends run on beyond the board.
        beside: for each cell the one that a wide river takes too; it flows between the two.
    """
    seconds = beside or (None,) * len(cells)
    middles = [_middle(grid, cell, other) for cell, other in zip(cells, seconds, strict=True)]
    points = [middle + _wavered(grid, stream) for middle in middles]
    found = [points[0]]
    for place in range(1, len(points)):
        found += [(middles[place - 1] + middles[place]) / 2, points[place]]
    if enters is not None:
        found = [*_over_edge(grid, cells[0], enters, middles[0])[::-1], *found]
    if leaves is not None:
        found += _over_edge(grid, cells[-1], leaves, middles[-1])
    return LineString(smooth_curve(np.array(found), _SPACING))


def _middle(grid: Grid, cell: Cell, other: Cell | None) -> Point:
    own = np.array(grid.centre(cell))
    return own if other is None else (own + np.array(grid.centre(other))) / 2


def _wavered(grid: Grid, stream: Stream) -> Point:
    waver = _WAVER * grid.cell
    return np.array([stream.between(-waver, waver), stream.between(-waver, waver)])


def _over_edge(grid: Grid, cell: Cell, direction: int, middle: Point) -> list[Point]:
    out = np.array(grid.centre(grid.step(cell, direction))) - np.array(grid.centre(cell))
    return [middle + out / 2, middle + (0.5 + _BEYOND) * out]
