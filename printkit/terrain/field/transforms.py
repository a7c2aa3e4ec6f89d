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

from printkit.terrain.field.battlefield import Battlefield, Beyond, Board, Edge
from printkit.terrain.field.features import Area, Crossing, Feature, reshaped
from printkit.terrain.field.grids import Grid, HexGrid

# --- Ground beyond the table ------------------------------------------------------------------------------------------

# Minimum share of an area outside the board for it to count as beyond an edge. Other areas are clipped at the edge.
_OUTSIDE: Final = 0.99


def with_beyond(field: Battlefield) -> Battlefield:
    """Return the battlefield on a larger board that includes the areas beyond the edges.

    All shapes move with the new origin, so their positions on the table do not change. Without such an area, or with
    a grid, the battlefield is returned unchanged.
    """
    board = field.board
    beyond = _beyond(field)
    if beyond == Beyond():
        return field

    offset = np.array((beyond.left, beyond.near))

    def moved(shape: Any) -> Any:
        return shapely.transform(shape, lambda points: points + offset)

    wider = Board(board.width + beyond.left + beyond.right, board.depth + beyond.near + beyond.far, board.scale, beyond)
    return replace(
        field,
        board=wider,
        features=tuple(reshaped(feature, moved) for feature in field.features),
        overlays=tuple(replace(overlay, shape=moved(overlay.shape)) for overlay in field.overlays),
    )


def edge_beyond(area: Area, board: Board) -> Edge | None:
    """Return the board edge that an area is outside of, or None for an area on the board."""
    if not _lies_outside(area, board):
        return None
    middle = area.outline.centroid
    reaches = {
        Edge.LEFT: -middle.x,
        Edge.NEAR: -middle.y,
        Edge.RIGHT: middle.x - board.width,
        Edge.FAR: middle.y - board.depth,
    }
    return max(reaches, key=lambda edge: reaches[edge])


def _beyond(field: Battlefield) -> Beyond:
    board = field.board
    bounds = [
        feature.outline.bounds
        for feature in field.features
        if isinstance(feature, Area) and _lies_outside(feature, board)
    ]
    if not bounds or field.grid is not None:
        return Beyond()
    lefts, lows, rights, highs = zip(*bounds, strict=True)
    return Beyond(
        left=max(0.0, -min(lefts)),
        near=max(0.0, -min(lows)),
        right=max(0.0, max(rights) - board.width),
        far=max(0.0, max(highs) - board.depth),
    )


def _lies_outside(area: Area, board: Board) -> bool:
    outside = shapely.difference(area.outline, board.shape).area
    return bool(outside >= _OUTSIDE * area.outline.area > 0)


# Quarter turns anticlockwise that bring each edge to the bottom of the sheet.
_QUARTERS: Final = {Edge.NEAR: 0, Edge.LEFT: 1, Edge.FAR: 2, Edge.RIGHT: 3}

# The edges in anticlockwise order: a quarter turn moves each edge to the next position.
_FROM_THE_LEFT: Final = (Edge.NEAR, Edge.RIGHT, Edge.FAR, Edge.LEFT)

_ROUND: Final = 360.0

_Points: TypeAlias = NDArray[np.float64]


def turned(field: Battlefield, edge: Edge) -> Battlefield:
    """Return the battlefield rotated so that ``edge`` becomes its near edge.

    A full turn gives the same shapes again, apart from rounding.
    """
    for _ in range(_QUARTERS[edge]):
        field = _quarter(field)
    return field


def edge_after(edge: Edge, bottom: Edge) -> Edge:
    """Return the position of an edge on a sheet that has ``bottom`` as its near edge."""
    place = _FROM_THE_LEFT.index(edge) + _QUARTERS[bottom]
    return _FROM_THE_LEFT[place % len(_FROM_THE_LEFT)]


def _quarter(field: Battlefield) -> Battlefield:
    """Return the battlefield after a quarter turn anticlockwise: the left edge becomes the near edge."""
    board, grid = field.board, field.grid
    depth = board.depth

    def moved(points: _Points) -> _Points:
        return np.column_stack([depth - points[:, 1], points[:, 0]])

    def shape(found: Any) -> Any:
        return shapely.transform(found, moved)

    def cell(column: int, row: int) -> tuple[int, int]:
        columns = grid.columns if grid is not None else 0
        return (row, columns + 1 - column)

    return replace(
        field,
        board=Board(board.depth, board.width, board.scale),
        features=tuple(
            replace(_turned(feature, shape), cells=tuple(cell(*each) for each in feature.cells))
            for feature in field.features
        ),
        overlays=tuple(replace(overlay, shape=shape(overlay.shape)) for overlay in field.overlays),
        grid=None if grid is None else _turned_grid(grid),
    )


def _turned(feature: Feature, shape: Callable[[Any], Any]) -> Feature:
    found = reshaped(feature, shape)
    return replace(found, bearing=(found.bearing + _ROUND / 4) % _ROUND) if isinstance(found, Crossing) else found


def _turned_grid(grid: Grid) -> Grid:
    """Return the grid after a quarter turn: columns become rows, flat-topped hexes pointy-topped."""
    made = replace(grid, columns=grid.rows, rows=grid.columns, turns=(grid.turns + 1) % len(_QUARTERS))
    return replace(made, grain=_grain(grid)) if isinstance(grid, HexGrid) else made


def _grain(grid: HexGrid) -> str:
    """Return the grain after a quarter turn: low shifts become right shifts, right ones become high."""
    if grid.flat:
        # The last column becomes the first row, so an even number of columns swaps odd and even.
        low = (grid.grain == "flat-odd-low") == (grid.columns % 2 == 1)
        return "pointy-odd-right" if low else "pointy-odd-left"
    return "flat-odd-high" if grid.grain == "pointy-odd-right" else "flat-odd-low"
