"""Mark the cell corners of a grid on a mat with short engraved lines."""

from __future__ import annotations

from typing import Final

import shapely
from shapely import LineString
from shapely.affinity import translate

from printkit.drawing.mats.painter import Painter
from printkit.terrain.field.grids import Grid

# Length of an arm relative to the side of a cell.
_SHARE: Final = 0.14

_OFF: Final = 0.22


def cell_corners(painter: Painter, grid: Grid) -> None:
    """Paint arms from each cell corner along the sides of the cells."""
    seen: set[tuple[tuple[int, int], ...]] = set()
    arms: list[LineString] = []
    for cell in grid.cells():
        corners = grid.corners(cell)
        for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
            side = tuple(sorted((round(x * 10), round(y * 10)) for x, y in (one, other)))
            if side in seen:
                continue
            seen.add(side)
            for near, far in ((one, other), (other, one)):
                end = tuple(at + (to - at) * _SHARE for at, to in zip(near, far, strict=True))
                arms.append(LineString([near, end]))
    found = shapely.intersection(shapely.multilinestrings(arms), painter.board)
    off = _OFF * painter.k
    painter.line(translate(found, off, -off), (255, 248, 220), 0.35, 0.45)
    painter.line(found, (26, 24, 12), 0.40, 0.60)
