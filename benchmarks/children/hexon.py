"""Plans Hexon layouts: tables that divide into boards and tables that do not, bare and with hills; prints JSON.

python -m benchmarks.children.hexon [COLUMNSxROWS ...]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator

from printkit.hexon.layout.layout import lay_out
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import HexGrid
from printkit.terrain.gridded.gridplan import CellPlot, GridPlan

GRAINS = ("flat-odd-low", "pointy-odd-right")
EVERY = 7
"""One cell in so many is a hill."""


def plan(grid: HexGrid, *, hilly: bool) -> GridPlan:
    """Return open ground, or ground with a hill of two or three cells here and there."""

    def plot(column: int, row: int) -> CellPlot:
        high = hilly and (column * 3 + row) % EVERY == 0 and row % 5 in (2, 3)
        return CellPlot(cell=cells[column, row], kinds=(Kind.HILL,) if high else (), height=int(high))

    cells = {tuple(cell): cell for cell in grid.cells()}
    return GridPlan(grid=grid, plots=tuple(plot(*cell) for cell in grid.cells()))


def cases(sizes: list[str]) -> Iterator[tuple[str, str, str, GridPlan]]:
    """Yield every plan with its size, its grain and its ground."""
    for size in sizes:
        columns, rows = map(int, size.split("x"))
        for grain in GRAINS:
            grid = HexGrid(columns, rows, 100.0, grain)
            for hilly in (False, True):
                yield size, grain, "hills" if hilly else "bare", plan(grid, hilly=hilly)


def main() -> None:
    """Plan every case and print what it took and what it came to."""
    found = []
    for size, grain, ground, gridded in cases(sys.argv[1:]):
        began = time.process_time()
        layout = lay_out(gridded, "slope")
        seconds = time.process_time() - began
        boards = sum(layer.boards for layer in layout.layers)
        pieces = sum(layout.counts().values())
        found.append([size, grain, ground, seconds, pieces, boards, boards + layout.gap])
    print(json.dumps(found))


if __name__ == "__main__":
    main()
