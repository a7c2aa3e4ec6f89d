"""The corners of cells on a mat: short arms pressed into the ground, dark with a light lip beside them."""

from __future__ import annotations

from typing import Final

import shapely
from shapely import LineString
from shapely.affinity import translate

from printkit.drawing.mats.painter import Painter
from printkit.terrain.field.grids import Grid

_SHARE: Final = 0.14
"""How much of the side of a cell an arm is long."""

_OFF: Final = 0.22


def cell_corners(painter: Painter, grid: Grid) -> None:
    """Paint arms from each corner of a cell along its sides."""
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
