"""Plans of hexes for the tests of Hexon layouts, written as maps of letters."""

from __future__ import annotations

from collections.abc import Mapping

from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, HexGrid
from printkit.terrain.gridded.gridplan import CellChain, CellMeeting, CellPlot, GridPlan

LETTERS: Mapping[str, tuple[tuple[Kind, ...], int]] = {
    ".": ((), 0),
    "1": ((Kind.HILL,), 1),
    "2": ((Kind.HILL,), 2),
    "m": ((Kind.MOUNTAIN,), 2),
    "t": ((Kind.LIGHT_WOODS,), 0),
    "T": ((Kind.HILL, Kind.LIGHT_WOODS), 1),
    "v": ((Kind.VILLAGE,), 0),
    "w": ((Kind.RIVER,), 0),
}


def plan(
    *rows: str, grain: str = "flat-odd-low", strips: tuple[CellChain, ...] = (), meetings: tuple[CellMeeting, ...] = ()
) -> GridPlan:
    """Return a plan whose rows are written from the far edge, a letter a cell."""
    grid = HexGrid(len(rows[0]), len(rows), 100.0, grain)
    plots = []
    for cell in grid.cells():
        kinds, height = LETTERS[rows[cell.row - 1][cell.column - 1]]
        features = (f"{kinds[0]}-{cell.row}-{cell.column}",) if kinds else ()
        plots.append(CellPlot(cell=cell, kinds=kinds, height=height, features=features))
    return GridPlan(grid=grid, plots=tuple(plots), strips=strips, meetings=meetings)


def bare(columns: int, rows: int, grain: str = "flat-odd-low") -> GridPlan:
    """Return a plan of open ground."""
    return plan(*("." * columns for _ in range(rows)), grain=grain)


def full() -> GridPlan:
    """Return a plan with something of everything: hills, a mountain, woods, a village, a river, roads and a bridge."""
    road = CellChain(
        feature="road-1",
        kind=Kind.ROAD,
        cells=tuple(Cell(column, row) for column, row in enumerate((6, 6, 5, 6, 5, 6, 5, 6, 5), 1)),
        enters=4,
        leaves=2,
    )
    lane = CellChain(feature="road-2", kind=Kind.ROAD, cells=(Cell(5, 5), Cell(5, 6), Cell(5, 7)))
    middle = tuple(Cell(8, row) for row in range(1, 9))
    river = CellChain(feature="river-1", kind=Kind.RIVER, cells=middle, enters=0, leaves=3)
    return plan(
        ".....v...",
        ".1.......",
        ".11..t...",
        ".........",
        ".........",
        ".........",
        "1.......v",
        "...m.....",
        strips=(road, lane, river),
        meetings=(CellMeeting(cell=Cell(8, 6), kind=Kind.BRIDGE, feature="bridge-1"),),
    )
