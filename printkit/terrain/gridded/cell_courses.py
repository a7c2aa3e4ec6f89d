"""Lines of courses through chains of grid cells.

Directions count from 0, clockwise from the top, like those of the grid. Lengths are mm on the board.

Source: the cartography, 14; PW2-33 and PW2-36.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from shapely import LineString

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.errors import PlacementError
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.routing import smooth_curve
from printkit.terrain.gridded.cell_shapes import REFERENCE_CELL_MM

_Point = NDArray[np.float64]
_Line = NDArray[np.float64]
XY = tuple[float, float]

# Distance that a course continues past the outer side, in cells.
_OVERRUN: Final = 0.35

_SPACING: Final = 2.0

# Largest random offset of a course from the middle of a side, as a share of its length.
_WAVER: Final = 0.08

# Largest random offset of a wide river from the middle between its cells, in cells.
_WIDE_WAVER: Final = 0.03

_WIDTHS: Final[Mapping[Kind, float]] = {
    Kind.RIVER: 15.0,
    Kind.CREEK: 4.6,
    Kind.STREAM: 3.6,
    Kind.ROAD: 8.6,
    Kind.FENCED_ROAD: 8.6,
    Kind.SUNKEN_LANE: 8.0,
    Kind.TRACK: 5.4,
    Kind.PATH: 3.0,
    Kind.RAILWAY: 7.5,
}
_WIDE_RIVER_WIDTH: Final = 1.12
# Distances of the points of a wide river past the board edge, from the centre of its last cell, in cells.
_OUTER_DISTANCES: Final = (0.55, 1.1)

# Minimum distance of a wide river from its first cell's centre, as a share of the distance to the second's. Smoothing a
# bend would pull the river out of its second cell.
_MIN_SHARE: Final = 0.2


class Chain(NamedTuple):
    """A course as a sequence of neighbouring cells.

    Attributes:
        enters, leaves: directions of the outer faces where the course crosses the board edge, in the first and the last
            cell; None where it ends on the board.
    """

    cells: tuple[Cell, ...]
    enters: int | None = None
    leaves: int | None = None


def course_width(grid: Grid, kind: Kind, *, cells: int = 1) -> float:
    """Return the width of a course in mm on the board, which shrinks more slowly than the cell.

    For a wide river it is a fixed share of the cell, whatever the kind.

    Args:
        grid: the grid, for the size of its cells.
        kind: the kind of the course.
        cells: how many cells wide a river is; more than 1 for a wide river.
    """
    if cells > 1:
        return _WIDE_RIVER_WIDTH * grid.cell
    return _WIDTHS[kind] * math.pow(grid.cell / REFERENCE_CELL_MM, 0.8)


def thread_course(
    grid: Grid,
    cells: Sequence[Cell],
    stream: Stream,
    *,
    enters: int | None = None,
    leaves: int | None = None,
    calm: Collection[Cell] = (),
) -> LineString:
    """Return the centre line, in mm on the board, of a course through a chain of neighbouring cells.

    It is a smooth curve through points near the middle of each side between two cells. An end on the board is the
    centre of its cell.

    Args:
        grid: the grid.
        cells: the chain of cells.
        stream: the random numbers for small offsets along the sides.
        enters: direction (from 0) of the outer side where the course enters the board, in the first cell; None for an
            end on the board.
        leaves: direction of the outer side where it leaves, in the last cell; None for an end on the board. Past a side
            the line continues beyond the board.
        calm: cells through whose centre the course runs, for example crossings and towns.

    Raises:
        PlacementError: consecutive cells do not share a side, or a course of one cell has neither side.
    """
    _validate_chain(grid, cells, enters, leaves)
    points = [] if enters is None else _edge_points(grid, cells[0], enters, stream)[::-1]
    ends = {index for index, side in ((0, enters), (len(cells) - 1, leaves)) if side is None}
    for index, cell in enumerate(cells):
        if cell in calm or index in ends or len(cells) == 1:
            points.append(grid.centre(cell))
        if index + 1 < len(cells):
            points.append(_side_point(grid.face(cell, grid.find_direction(cell, cells[index + 1])), stream))
    if leaves is not None:
        points += _edge_points(grid, cells[-1], leaves, stream)
    return LineString(smooth_curve(np.array(points), _SPACING))


def thread_wide_river(
    grid: Grid,
    cells: Sequence[Cell],
    neighbours: Sequence[Cell | None],
    stream: Stream,
    *,
    enters: int | None = None,
    leaves: int | None = None,
) -> tuple[LineString, float]:
    """Return the centre line and the width, both in mm on the board, of a river two cells wide (PW2-36).

    The line runs between the cells of the chain and their neighbours. At an outer face it continues past the board.

    Args:
        grid: the grid.
        cells: the chain of cells, each sharing a side with the next.
        neighbours: for each cell the neighbour that the river also takes; None where it is one cell wide. As many as
            cells.
        stream: the random numbers for small offsets.
        enters: direction of the outer face where the river enters, in the first cell; None for an end on the board.
        leaves: direction of the outer face where it leaves, in the last cell; None for an end on the board.

    Raises:
        PlacementError: see ``thread_course``.
        ValueError: there are not as many neighbours as cells.
    """
    _validate_chain(grid, cells, enters, leaves)
    points: list[XY] = []
    for cell, neighbour in zip(cells, neighbours, strict=True):
        centre = grid.centre(cell)
        waver = _WIDE_WAVER * grid.cell
        x, y = _midpoint(centre, centre if neighbour is None else grid.centre(neighbour))
        points.append((x + stream.between(-waver, waver), y + stream.between(-waver, waver)))
    for end, cell, direction in ((0, cells[0], enters), (-1, cells[-1], leaves)):
        if direction is None:
            continue
        # The river leaves parallel to the line from the cell to its outer neighbour, with the same offset.
        x, y = points[end]
        centre, outer_centre = grid.centre(cell), grid.centre(grid.step(cell, direction))
        for share in _OUTER_DISTANCES:
            point = (x + share * (outer_centre[0] - centre[0]), y + share * (outer_centre[1] - centre[1]))
            points.insert(0 if end == 0 else len(points), point)
    line = np.array(points)
    # Smooth the line, because a wide river must not bend within its own width.
    line[1:-1] = line[1:-1] / 2 + (line[:-2] + line[2:]) / 4
    first = 0 if enters is None else len(_OUTER_DISTANCES)
    for index, (cell, neighbour) in enumerate(zip(cells, neighbours, strict=True), first):
        if neighbour is not None:
            line[index] = _pull_to_second(line[index], np.array(grid.centre(cell)), np.array(grid.centre(neighbour)))
    return LineString(smooth_curve(line, _SPACING)), course_width(grid, Kind.RIVER, cells=2)


def _validate_chain(grid: Grid, cells: Sequence[Cell], enters: int | None, leaves: int | None) -> None:
    """Reject a chain of cells that a course cannot run through.

    ``enters`` and ``leaves`` are the directions of the outer sides, from 0; None if the course ends on the board.

    Raises:
        PlacementError: consecutive cells do not share a side, or a single cell has neither an entry nor an exit face.
    """
    for one, other in pairwise(cells):
        if other not in [grid.step(one, direction) for direction in range(grid.direction_count())]:
            raise PlacementError(
                "cells {one} and {other} do not share a side, so a course cannot run between them",
                one=tuple(one),
                other=tuple(other),
            )
    if not cells or (len(cells) == 1 and enters is None and leaves is None):
        raise PlacementError("a course needs two cells, or one cell and a side where it enters or leaves")


def _side_point(side: LineString, stream: Stream) -> XY:
    """Return a point near the middle of a side, x and y in mm on the board."""
    x, y = side.interpolate(0.5 + stream.between(-_WAVER, _WAVER), normalized=True).coords[0]
    return x, y


def _edge_points(grid: Grid, cell: Cell, direction: int, stream: Stream) -> list[XY]:
    """Return a point near the middle of an outer side and one beyond it, each as x and y in mm on the board.

    ``direction`` is that of the side.
    """
    x, y = _side_point(grid.face(cell, direction), stream)
    (from_x, from_y), (to_x, to_y) = grid.centre(cell), grid.centre(grid.step(cell, direction))
    return [(x, y), (x + _OVERRUN * (to_x - from_x), y + _OVERRUN * (to_y - from_y))]


def _midpoint(first: XY, second: XY) -> XY:
    """Return the point halfway between two points."""
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


def _pull_to_second(point: _Point, first: _Point, second: _Point) -> _Point:
    """Return a point of a wide river, moved towards its second cell if smoothing pulled it away.

    ``first`` and ``second`` are the centres of its two cells. All points are x and y in mm on the board.
    """
    towards = second - first
    missing_share = _MIN_SHARE - float(
        exact_math.product(point - first, towards) / exact_math.product(towards, towards)
    )
    return point + max(0.0, missing_share) * towards
