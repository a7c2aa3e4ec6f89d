"""Inhabited areas and what they make together: settlements, villages, towns and cities (PW2-57)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from printkit.terrain.field.features import Kind
from printkit.terrain.field.grid import neighbours
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.gridded.cell_shapes import groups


class Place(Struct, frozen=True, kw_only=True):
    """Inhabited areas that hang together by their sides, in the order located; ``id`` is that of its feature."""

    id: str
    kind: Kind
    cells: tuple[Cell, ...]


def bodies(grid: Grid, cells: Sequence[Cell]) -> tuple[tuple[Cell, ...], ...]:
    """Return the areas that hang together by their sides, in the order located, as their first ones were."""
    found = (tuple(sorted(group, key=cells.index)) for group in groups(grid, cells))
    return tuple(sorted(found, key=lambda group: cells.index(group[0])))


def about(grid: Grid, cells: Collection[Cell]) -> frozenset[Cell]:
    """Return some areas and all that share a side with one of them (PW0-18)."""
    return frozenset(cells) | {other for cell in cells for other in neighbours(grid, cell)}
