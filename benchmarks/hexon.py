"""Times the planning of Hexon layouts: tables that divide into boards and tables that do not, bare and with hills.

For each it prints the seconds, the pieces, the boards and the bound that no layout can pass.

    python benchmarks/hexon.py
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from printkit.terrain.features import Kind
from printkit.terrain.gridplan import GridPlan, Plot
from printkit.terrain.hexes import HexGrid
from printkit.terrain.hexon_layout import lay_out
from printkit.terrain.hexon_settings import HexonSettings

SIZES = ((9, 8), (13, 9), (24, 16), (35, 23), (36, 24))
GRAINS = ("flat-odd-low", "pointy-odd-right")
EVERY = 7
"""One cell in so many is a hill."""


def plan(grid: HexGrid, *, hilly: bool) -> GridPlan:
    """Return open ground, or ground with a hill of two or three cells here and there."""

    def plot(column: int, row: int) -> Plot:
        high = hilly and (column * 3 + row) % EVERY == 0 and row % 5 in (2, 3)
        return Plot(cell=cells[column, row], kinds=(Kind.HILL,) if high else (), height=int(high))

    cells = {tuple(cell): cell for cell in grid.cells()}
    return GridPlan(grid=grid, plots=tuple(plot(*cell) for cell in grid.cells()))


def cases() -> Iterator[tuple[str, GridPlan]]:
    """Yield every plan with its name."""
    for columns, rows in SIZES:
        for grain in GRAINS:
            grid = HexGrid(columns, rows, 100.0, grain)
            for hilly in (False, True):
                yield f"{columns}x{rows} {grain}{', hills' if hilly else ''}", plan(grid, hilly=hilly)


def main() -> None:
    """Print a line for each case."""
    print(f"{'table':36} {'seconds':>8} {'pieces':>7} {'boards':>7} {'bound':>6} {'gap':>4}")
    for name, ground in cases():
        start = time.perf_counter()
        layout = lay_out(ground, HexonSettings(hills="slope"))
        seconds = time.perf_counter() - start
        boards = sum(layer.boards for layer in layout.layers)
        pieces = sum(layout.counts().values())
        print(f"{name:36} {seconds:8.2f} {pieces:7} {boards:7} {boards + layout.gap:6} {layout.gap:4}")


if __name__ == "__main__":
    main()
