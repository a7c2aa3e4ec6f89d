"""Rotate a battlefield to another edge, and extend its board to areas beyond the edges.

A rotated grid remembers its quarter turns, so both players use the same cell numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray

from printkit.terrain.field.battlefield import Battlefield, Board, Edge, OuterMargins
from printkit.terrain.field.features import Area, Crossing, Feature, transform_shapes
from printkit.terrain.field.grids import Grid, HexGrid

# --- Ground beyond the table ------------------------------------------------------------------------------------------

# Minimum share of an area outside the board for it to count as beyond an edge. Other areas are clipped at the edge.
_MIN_OUTSIDE_SHARE: Final = 0.99


def extend_board(field: Battlefield) -> Battlefield:
    """Return the battlefield on a larger board that includes the areas beyond the edges.

    The origin moves to the near left corner of the larger board, and all features and overlays move with it. Their
    positions on the table therefore do not change. The new board has the added strips as its ``outer_margins``. If no
    area is outside, or with a grid, the same battlefield is returned. Lengths are in mm on the board.
    """
    board = field.board
    margins = _measure_margins(field)
    if margins == OuterMargins():
        return field

    offset = np.array((margins.left, margins.near))

    def shift_shape(shape: Any) -> Any:
        return shapely.transform(shape, lambda points: points + offset)

    larger = Board(
        board.width + margins.left + margins.right, board.depth + margins.near + margins.far, board.scale, margins
    )
    return replace(
        field,
        board=larger,
        features=tuple(transform_shapes(feature, shift_shape) for feature in field.features),
        overlays=tuple(replace(overlay, shape=shift_shape(overlay.shape)) for overlay in field.overlays),
    )


def find_outside_edge(area: Area, board: Board) -> Edge | None:
    """Return the board edge that an area is outside of, or None for an area on the board.

    An area counts as outside if at least 99 % of it is off the board. At a corner it is the edge that the centre of the
    area is farther beyond.
    """
    if not _is_outside(area, board):
        return None
    centroid = area.outline.centroid
    distances = {
        Edge.LEFT: -centroid.x,
        Edge.NEAR: -centroid.y,
        Edge.RIGHT: centroid.x - board.width,
        Edge.FAR: centroid.y - board.depth,
    }
    return max(distances, key=lambda edge: distances[edge])


def _measure_margins(field: Battlefield) -> OuterMargins:
    """Return how far areas outside the board extend past each edge, in mm on the board; all 0 on a grid."""
    board = field.board
    bounds = [
        feature.outline.bounds
        for feature in field.features
        if isinstance(feature, Area) and _is_outside(feature, board)
    ]
    if not bounds or field.grid is not None:
        return OuterMargins()
    lefts, lows, rights, highs = zip(*bounds, strict=True)
    return OuterMargins(
        left=max(0.0, -min(lefts)),
        near=max(0.0, -min(lows)),
        right=max(0.0, max(rights) - board.width),
        far=max(0.0, max(highs) - board.depth),
    )


def _is_outside(area: Area, board: Board) -> bool:
    """Return whether at least 99 % of an area is off the board."""
    outside = shapely.difference(area.outline, board.shape).area
    return bool(outside >= _MIN_OUTSIDE_SHARE * area.outline.area > 0)


# Quarter turns anticlockwise that bring each edge to the bottom of the sheet.
_QUARTER_TURNS: Final = {Edge.NEAR: 0, Edge.LEFT: 1, Edge.FAR: 2, Edge.RIGHT: 3}

# The edges in anticlockwise order: a quarter turn moves each edge to the next position.
_ANTICLOCKWISE_EDGES: Final = (Edge.NEAR, Edge.RIGHT, Edge.FAR, Edge.LEFT)

_FULL_TURN: Final = 360.0

_Points: TypeAlias = NDArray[np.float64]


def rotate_to_edge(field: Battlefield, edge: Edge) -> Battlefield:
    """Return the battlefield rotated by quarter turns so that ``edge`` becomes its near edge.

    Features, overlays and grid rotate with the board; one quarter turn swaps its width and depth. For the near edge the
    same battlefield is returned. Four quarter turns give the same shapes again, apart from rounding.
    """
    for _ in range(_QUARTER_TURNS[edge]):
        field = _rotate_quarter(field)
    return field


def rotate_edge(edge: Edge, bottom: Edge) -> Edge:
    """Return where an edge of the board is on a sheet that has the edge ``bottom`` at its near side.

    The result is near for ``edge`` = ``bottom``. With ``bottom`` left, the board's near edge is at the right of the
    sheet.
    """
    index = _ANTICLOCKWISE_EDGES.index(edge) + _QUARTER_TURNS[bottom]
    return _ANTICLOCKWISE_EDGES[index % len(_ANTICLOCKWISE_EDGES)]


def _rotate_quarter(field: Battlefield) -> Battlefield:
    """Return the battlefield after a quarter turn anticlockwise: the left edge becomes the near edge.

    Shapes are in mm on the board; the new width is the old depth. The new board has no outer margins. Cells and grid
    rotate too.
    """
    board, grid = field.board, field.grid
    depth = board.depth

    def rotate_points(points: _Points) -> _Points:
        return np.column_stack([depth - points[:, 1], points[:, 0]])

    def rotate_shape(geometry: Any) -> Any:
        return shapely.transform(geometry, rotate_points)

    def rotate_cell(column: int, row: int) -> tuple[int, int]:
        """Return the column and row of a cell after the quarter turn."""
        columns = grid.columns if grid is not None else 0
        return (row, columns + 1 - column)

    return replace(
        field,
        board=Board(board.depth, board.width, board.scale),
        features=tuple(
            replace(
                _rotate_feature(feature, rotate_shape), cells=tuple(rotate_cell(*address) for address in feature.cells)
            )
            for feature in field.features
        ),
        overlays=tuple(replace(overlay, shape=rotate_shape(overlay.shape)) for overlay in field.overlays),
        grid=None if grid is None else _rotate_grid(grid),
    )


def _rotate_feature(feature: Feature, rotate_shape: Callable[[Any], Any]) -> Feature:
    """Return the feature with its shapes changed, and the bearing of a crossing 90 degrees further on.

    The bearing is anticlockwise and stays below 360 degrees. ``rotate_shape`` gets one shapely geometry in mm and
    returns the new one. Cells do not change.
    """
    rotated = transform_shapes(feature, rotate_shape)
    return (
        replace(rotated, bearing=(rotated.bearing + _FULL_TURN / 4) % _FULL_TURN)
        if isinstance(rotated, Crossing)
        else rotated
    )


def _rotate_grid(grid: Grid) -> Grid:
    """Return the grid after a quarter turn: columns become rows, flat-topped hexes pointy-topped."""
    rotated = replace(grid, columns=grid.rows, rows=grid.columns, turns=(grid.turns + 1) % len(_QUARTER_TURNS))
    return replace(rotated, grain=_rotate_grain(grid)) if isinstance(grid, HexGrid) else rotated


def _rotate_grain(grid: HexGrid) -> str:
    """Return the grain after a quarter turn: low shifts become right shifts, right ones become high."""
    if grid.flat:
        # The last column becomes the first row, so an even number of columns swaps odd and even.
        low = (grid.grain == "flat-odd-low") == (grid.columns % 2 == 1)
        return "pointy-odd-right" if low else "pointy-odd-left"
    return "flat-odd-high" if grid.grain == "pointy-odd-right" else "flat-odd-low"
