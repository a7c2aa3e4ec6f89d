"""The squares as the judge measures them anew, on every edge and from every shore (CC-G02, CC-G06)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import shapely
from shapely import Polygon, box

from printkit.core.errors import Sentence
from printkit.systems.dba.ground.judged import Piece
from printkit.systems.dba.ground.pieces import Terrain
from printkit.systems.dba3.judge.case import Case
from printkit.systems.dba3.judge.courses import edge_of
from printkit.terrain.field.battlefield import Edge

_EDGES: Final = (Edge.NEAR, Edge.FAR, Edge.LEFT, Edge.RIGHT)


def squares_of(case: Case) -> Iterator[tuple[str, Polygon]]:
    """Yield the squares by name, measured anew: from each edge, and from the shore where one lies along it (CC-G06)."""
    deep = float(case.settings["cc-q01"]) * case.base
    shores = {edge_of(case, water): water for water in case.of_type(Terrain.WATERWAY)}
    for edge in _EDGES:
        if edge not in shores or case.settings["cc-q02"] != "shore":
            yield Sentence("the {edge} edge square", edge=edge), _square(case, edge, 0.0, deep)
        if edge in shores and case.settings["cc-q02"] != "edge":
            yield (
                Sentence("the {edge} shore square", edge=edge),
                _square(case, edge, _shore_depth(case, shores[edge], edge), deep),
            )


def _square(case: Case, edge: Edge, out: float, deep: float) -> Polygon:
    side = case.bw("edge_square_bw")
    wide, high = case.board.width, case.board.depth
    low_x, low_y = wide / 2 - side / 2, high / 2 - side / 2
    match edge:
        case Edge.NEAR:
            return box(low_x, out, low_x + side, out + deep)
        case Edge.FAR:
            return box(low_x, high - out - deep, low_x + side, high - out)
        case Edge.LEFT:
            return box(out, low_y, out + deep, low_y + side)
        case Edge.RIGHT:
            return box(wide - out - deep, low_y, wide - out, low_y + side)


def _shore_depth(case: Case, water: Piece, edge: Edge) -> float:
    wide, high = case.board.width, case.board.depth
    upright = edge in (Edge.NEAR, Edge.FAR)
    line = [(wide / 2, 0), (wide / 2, high)] if upright else [(0, high / 2), (wide, high / 2)]
    return float(shapely.LineString(line).intersection(water.ground).length)
