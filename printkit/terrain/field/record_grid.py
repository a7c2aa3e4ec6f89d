"""The grid of a record: ``{"shape": "hex", "columns": 9, "rows": 8, "grain": "flat-odd-low", "cell_mm": 100.0}``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from printkit.core.errors import RecordError, Sentence
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Feature
from printkit.terrain.field.geojson import Json
from printkit.terrain.field.grid import GRAINS, LEAST, MOST, Cell, Grid, HexGrid, SquareGrid
from printkit.terrain.field.members import Member

_HEX: Final = HexGrid.shape
_SQUARE: Final = SquareGrid.shape
_SIDES: Final = ("columns", "rows")
_PLACES: Final = 6
_NEAR: Final = 0.05
"""Millimetres by which the board may differ from its grid, for lengths written by hand are rounded."""


def grid_object(grid: Grid | None) -> Json | None:
    """Return a grid as the record writes it; None where there is none."""
    if grid is None:
        return None
    return {
        "shape": grid.shape,
        "columns": grid.columns,
        "rows": grid.rows,
        "grain": grid.grain,
        "cell_mm": round(float(grid.cell), _PLACES),
    }


def read_grid(member: Member | None) -> Grid | None:
    """Return the grid of a record, None where it has none.

    Raises:
        RecordError: a member is missing or wrong; names it and what would be right.
    """
    if member is None:
        return None
    shape = member.need("shape", Sentence('write "{hex}" or "{square}"', hex=_HEX, square=_SQUARE))
    columns, rows = (
        _count(member.need(name, Sentence("write how many {name} of cells there are", name=name))) for name in _SIDES
    )
    cell = round(
        member.need("cell_mm", Sentence("write the millimetres across the flats or of a side")).positive(), _PLACES
    )
    grain = member.get("grain")
    if shape.text() == _SQUARE:
        if grain is not None and grain.text():
            raise grain.wrong('"", for squares have no grain')
        return SquareGrid(columns, rows, cell)
    if shape.text() != _HEX:
        raise shape.wrong('"{hex}" or "{square}"', hex=_HEX, square=_SQUARE)
    if grain is not None and grain.text() not in GRAINS:
        raise grain.wrong("a grain of hexes; there are {grains}", grains=", ".join(GRAINS))
    return HexGrid(columns, rows, cell, grain.text() if grain else GRAINS[0])


def judge_grid(grid: Grid | None, board: Board, features: Iterable[Feature]) -> None:
    """Refuse a board that is not as large as its grid, and features in cells that the grid does not have.

    Raises:
        RecordError: says which, and what would be right.
    """
    if grid is None:
        return
    for name, size, needed in (("width_mm", board.width, grid.width), ("depth_mm", board.depth, grid.depth)):
        if abs(size - needed) > _NEAR:
            raise RecordError(
                "board.{name} is {size:g}, but {grid} of {cell:g} mm takes {needed:.6g}",
                name=name,
                size=size,
                grid=grid.name,
                cell=grid.cell,
                needed=needed,
            )
    for feature in features:
        for column, row in feature.cells:
            if not grid.holds(Cell(column, row)):
                raise RecordError(
                    "feature {feature!r} lies in cell [{column}, {row}], which {grid} does not have; columns "
                    "go to {columns}, rows to {rows}",
                    feature=feature.id,
                    column=column,
                    row=row,
                    grid=grid.name,
                    columns=grid.columns,
                    rows=grid.rows,
                )


def _count(member: Member) -> int:
    if not LEAST <= member.whole() <= MOST:
        raise member.wrong("a number of cells from {least} to {most}", least=LEAST, most=MOST)
    return member.whole()
