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


def paint_cell_corners(painter: Painter, grid: Grid) -> None:
    """Paint short lines at each cell corner of a grid in printed mm, along the sides of the cells.

    The items are added to ``painter``.
    """
    known_sides: set[tuple[tuple[int, int], ...]] = set()
    arms: list[LineString] = []
    for cell in grid.cells():
        corners = grid.corners(cell)
        for start, stop in zip(corners, (*corners[1:], corners[0]), strict=True):
            side = tuple(sorted((round(x * 10), round(y * 10)) for x, y in (start, stop)))
            if side in known_sides:
                continue
            known_sides.add(side)
            for origin, target in ((start, stop), (stop, start)):
                end = tuple(
                    origin_value + (target_value - origin_value) * _SHARE
                    for origin_value, target_value in zip(origin, target, strict=True)
                )
                arms.append(LineString([origin, end]))
    visible = shapely.intersection(shapely.multilinestrings(arms), painter.board)
    offset = _OFF * painter.k
    painter.line(translate(visible, offset, -offset), (255, 248, 220), 0.35, 0.45)
    painter.line(visible, (26, 24, 12), 0.40, 0.60)
