"""Water along an edge of the table: a river or the sea, with a shore that wanders (AC-F37, AC-F38)."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import Polygon

from printkit.systems.acw.ground.placement import Table, origin
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Axis
from printkit.terrain.field.features import Area

_STEP: Final = 3.0
_FACTOR: Final = (0.85, 1.15)
_WAVES: Final = {
    Piece.SEA: ((2.3, 0.16), (1.1, 0.12), (0.53, 0.07), (0.23, 0.03)),
    Piece.RIVER: ((2.6, 0.13), (1.3, 0.07)),
}
"""Wavelength in units of the zones, and height as a share of the depth, of what a shore is made of."""

_CALM: Final = 0.6
"""The shore keeps at least this share of its mean depth."""


def lay_water(table: Table) -> None:
    """Lay the water of the table's edge, if it has one."""
    water = table.laying.water
    if water is None:
        return
    measure = table.measure(water.piece)
    stream = table.stream("water", "shore")
    low = max(measure.least, _FACTOR[0])
    high = max(low, min(measure.most, _FACTOR[1]))
    deep = (measure.width or 0.0) * table.smallest * stream.between(low, high)
    along = water.edge in Axis.NORTH_SOUTH.sides
    length = table.board.width if along else table.board.depth
    at = np.linspace(0.0, length, max(8, math.ceil(length / _STEP)) + 1)
    shore = np.full_like(at, deep)
    for wave, height in _WAVES[water.piece]:
        phase, longer = stream.between(0, math.tau), stream.between(0.85, 1.2)
        shore += height * deep * np.sin(math.tau * at / (wave * longer * table.smallest) + phase)
    shore = np.maximum(shore, _CALM * deep)
    outline = _outline(table, at, shore)
    if table.settings["ac-q24"] == "outside":
        outline = _outline(table, at, np.full_like(at, 0.0), beyond=deep)
    table.edge_water = Area(
        id="water",
        kind=measure.kind,
        outline=outline,
        going=measure.going,
        origin=origin(0, (), (measure.clause, "AC-303")),
    )


def _outline(
    table: Table, at: np.typing.NDArray[np.float64], shore: np.typing.NDArray[np.float64], *, beyond: float = 0.0
) -> Polygon:
    """Return the ground between the edge of the table, or a line beyond it, and the shore."""
    assert table.laying.water is not None
    board = table.board
    foot = np.full_like(at, -beyond)
    ring = np.concatenate([np.column_stack([at, shore]), np.column_stack([at[[-1, 0]], foot[:2]])])
    match table.laying.water.edge.value:
        case "S":
            placed = ring
        case "N":
            placed = np.column_stack([ring[:, 0], board.depth - ring[:, 1]])
        case "W":
            placed = ring[:, ::-1]
        case _:
            placed = np.column_stack([board.width - ring[:, 1], ring[:, 0]])
    return shapely.geometry.polygon.orient(Polygon(placed))
