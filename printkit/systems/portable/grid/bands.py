"""Straight bands over a grid: the share of each area that they cover, and where they cross (PW1-15, PW1-21, PW1-25)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import compress

import shapely
from shapely import LineString, Point, box

from printkit.terrain.field.grids import Cell, Grid

# The start and end point of a band, in mm on the board.
Ends = tuple[tuple[float, float], tuple[float, float]]

_PLACES = 9
_AT_THE_EDGE = 1e-6
# A line crosses an area only if it is longer inside it than this, in areas.
_GRAZED = 0.01


def axis(ends: Ends, extension_mm: float = 0.0) -> LineString:
    """Return the straight centre line of a band in mm on the board, ``extension_mm`` mm longer at both ends.

    ``ends`` are two different points (x, y) in mm on the board, where the band enters and where it leaves.
    """
    (x, y), (to_x, to_y) = ends
    length = math.dist(*ends)
    right, up = extension_mm * (to_x - x) / length, extension_mm * (to_y - y) / length
    return LineString([(x - right, y - up), (to_x + right, to_y + up)])


def measure_shares(grid: Grid, ends: Ends, width: float) -> dict[Cell, float]:
    """Return the share of each area that a band covers, above 0 to 1, in travel order.

    Areas that it does not cover are left out. The band extends beyond the edge.

    Args:
        grid: the grid.
        ends: two points (x, y) in mm on the board, where the band enters and where it leaves.
        width: of the band, in areas.
    """
    line = axis(ends)
    band = axis(ends, extension_mm=2 * grid.cell).buffer(width * grid.cell / 2, cap_style="flat")
    cells = sorted(grid.cells(), key=lambda cell: round(line.project(Point(grid.centre(cell))), _PLACES))
    outlines = [grid.outline(cell) for cell in cells]
    covered_areas = shapely.area(shapely.intersection(outlines, band))
    cell_area = outlines[0].area
    return {
        cell: round(float(part) / cell_area, _PLACES)
        for cell, part in zip(cells, covered_areas, strict=True)
        if part > 0
    }


def find_filled_cells(
    grid: Grid, ends: Ends, cell_shares: Mapping[Cell, float], *, sliver: float, least_count: float
) -> tuple[Cell, ...]:
    """Return the areas that a band fills, in travel order: it covers more than ``sliver`` of each (PW1-25).

    If fewer than ``least_count`` areas are filled, return the areas that its centre line crosses instead. If the centre
    line crosses none, return all areas that the band touches, because a course must have areas.

    Args:
        grid: the grid.
        ends: two points (x, y) in mm on the board, where the band enters and where it leaves.
        cell_shares: the share of each area that the band covers, 0 to 1, in travel order.
        sliver: the largest share that does not fill an area.
        least_count: the number of filled areas that is enough.
    """
    filled_cells = tuple(cell for cell, share in cell_shares.items() if share > sliver)
    if len(filled_cells) >= least_count:
        return filled_cells
    crossed_cells = set(find_crossed_cells(grid, ends))
    return tuple(cell for cell in cell_shares if cell in crossed_cells) or tuple(cell_shares)


def find_crossed_cells(grid: Grid, ends: Ends) -> tuple[Cell, ...]:
    """Return the areas that the centre line of a band crosses or follows, in reading order.

    ``ends`` are two points in mm on the board. The result is empty if the band runs along the edge of the board, or
    if both ends coincide.
    """
    least = _GRAZED * grid.cell
    if math.dist(*ends) < least:
        return ()
    line = axis(ends)
    if line.intersection(box(least, least, grid.width - least, grid.depth - least)).length <= least:
        return ()
    cells = grid.cells()
    lengths = shapely.length(shapely.intersection(line, [grid.outline(cell) for cell in cells]))
    return tuple(compress(cells, (lengths > least).tolist()))


def find_board_crossing(grid: Grid, first: Ends, second: Ends) -> tuple[float, float] | None:
    """Return the point (x, y), in mm on the board, where the centre lines of two bands cross, or None.

    Bands that share an end meet beyond the edge of the board, and two bands on one line never cross.
    """
    point = find_crossing(grid, first, second)
    # A hex grid does not fill its bounding rectangle: outside its cells there is no board.
    return point if point is not None and grid.at(*point) is not None else None


def find_crossing(grid: Grid, first: Ends, second: Ends) -> tuple[float, float] | None:
    """Return the point (x, y), in mm on the board, where the centre lines of two bands cross, or None.

    It is inside the bounding rectangle of the grid, not on its edge; on a hex grid it can be outside all areas.
    """
    point = axis(first).intersection(axis(second))
    if not isinstance(point, Point) or point.is_empty:
        return None
    inside = min(point.x, point.y, grid.width - point.x, grid.depth - point.y)
    return (point.x, point.y) if inside > _AT_THE_EDGE else None
