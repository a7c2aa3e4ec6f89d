"""A battlefield as it lies before a person at another of its edges: everything on it turned, nothing changed.

Cells keep the numbers that they have for the person at the near edge, so that both speak of the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray

from printkit.terrain.field.battlefield import Battlefield, Board, Edge
from printkit.terrain.field.features import Area, Course, Crossing, Face, Feature, Hill
from printkit.terrain.field.grid import Grid, HexGrid

_QUARTERS: Final = {Edge.NEAR: 0, Edge.LEFT: 1, Edge.FAR: 2, Edge.RIGHT: 3}
"""How many quarter turns anticlockwise bring an edge to the bottom of a sheet."""

_FROM_THE_LEFT: Final = (Edge.NEAR, Edge.RIGHT, Edge.FAR, Edge.LEFT)
"""The edges anticlockwise: each quarter turn moves an edge on by one."""

_ROUND: Final = 360.0

Points: TypeAlias = NDArray[np.float64]


def turned(field: Battlefield, edge: Edge) -> Battlefield:
    """Return the battlefield turned so that ``edge`` becomes its near edge; texts are no part of it and stay upright.

    Turning four times by a quarter, or twice by a half, gives the first again to within rounding.
    """
    for _ in range(_QUARTERS[edge]):
        field = _quarter(field)
    return field


def edge_after(edge: Edge, bottom: Edge) -> Edge:
    """Return where an edge lies on a sheet that is turned so that ``bottom`` is its near edge."""
    place = _FROM_THE_LEFT.index(edge) + _QUARTERS[bottom]
    return _FROM_THE_LEFT[place % len(_FROM_THE_LEFT)]


def _quarter(field: Battlefield) -> Battlefield:
    """Return the battlefield after a quarter turn anticlockwise: its left edge comes to lie near."""
    board, grid = field.board, field.grid
    depth = board.depth

    def moved(points: Points) -> Points:
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
    match feature:
        case Area():
            return replace(feature, outline=shape(feature.outline))
        case Hill():
            contours = tuple(shape(contour) for contour in feature.contours)
            faces = tuple(_turned_face(face, shape) for face in feature.faces)
            return replace(feature, contours=contours, faces=faces)
        case Course():
            return replace(feature, line=shape(feature.line))
        case Crossing():
            return replace(feature, at=shape(feature.at), bearing=(feature.bearing + _ROUND / 4) % _ROUND)


def _turned_face(face: Face, shape: Callable[[Any], Any]) -> Face:
    return replace(face, line=shape(face.line))


def _turned_grid(grid: Grid) -> Grid:
    """Return the grid after a quarter turn: columns become rows, flat-topped hexes pointy-topped ones."""
    made = replace(grid, columns=grid.rows, rows=grid.columns, turns=(grid.turns + 1) % len(_QUARTERS))
    return replace(made, grain=_grain(grid)) if isinstance(grid, HexGrid) else made


def _grain(grid: HexGrid) -> str:
    """Return how the hexes lie: what stood low comes to stand right, what stood right comes to stand high."""
    if grid.flat:
        # The last column becomes the first row, so an even number of columns exchanges odd and even.
        low = (grid.grain == "flat-odd-low") == (grid.columns % 2 == 1)
        return "pointy-odd-right" if low else "pointy-odd-left"
    return "flat-odd-high" if grid.grain == "pointy-odd-right" else "flat-odd-low"
