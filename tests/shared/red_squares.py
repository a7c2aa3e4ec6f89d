"""Boards with a red square on every cell, and where these are seen in a picture."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, Path, PathRun
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.grids import GRAINS, Grid, grid_of
from printkit.terrain.field.record import Record

RED = Ink(255, 0, 0)
HALF = 3.0


def square(x: float, y: float) -> Path:
    """Return a red square about a point of the board."""
    corners = ((x - HALF, y - HALF), (x + HALF, y - HALF), (x + HALF, y + HALF), (x - HALF, y + HALF))
    return Path((PathRun(tuple(round(100 * value) for corner in corners for value in corner), True),), fill=RED)


def seen(picture: NDArray[np.uint8], x: float, y: float, reach: float) -> tuple[float, float]:
    """Return the middle of what is red near a pixel."""
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    near = picture[top : int(y + reach) + 1, left : int(x + reach) + 1]
    rows, columns = np.nonzero((near[..., 0] > 200) & (near[..., 1] < 120))
    return left + float(columns.mean()) + 0.5, top + float(rows.mean()) + 0.5


def grid_with(grain: str) -> Grid:
    """Return a grid of hexes that lie in one of four ways, or of squares."""
    name, cell = ("sq-8x8", 76.2) if grain == "square" else ("hex-9x8", 100.0)
    return grid_of(name, cell=cell, grain=grain if grain in GRAINS else GRAINS[0])


def fifty(grid: Grid) -> tuple[list[tuple[float, float]], Drawing]:
    """Return the middles of fifty cells, and a board on which each has its square."""
    places = [grid.centre(each) for each in grid.cells()][:50]
    layer = Layer(LayerName.OVERLAY, tuple(square(*place) for place in places))
    return places, Drawing(grid.width, grid.depth, (layer,))


def on_grid(record: Record, grid: Grid, *, free: bool) -> Record:
    """Return a record whose board is that of a grid, which is not drawn where it is free."""
    board = Board(grid.width, grid.depth, record.battlefield.board.scale)
    return replace(record, battlefield=replace(record.battlefield, board=board, grid=None if free else grid))
