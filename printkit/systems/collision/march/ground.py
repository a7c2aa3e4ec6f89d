"""The squares in the middle of every edge in which no column may find its way barred (CC-1.1..CC-1.3, CC-G02..CC-G06).

A piece keeps off them while it is placed; the judge measures what overlaps them on any map.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct
from shapely import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.placement import Closed
from printkit.systems.collision.march.base_line import turned
from printkit.systems.dba.ground.pieces import Terrain
from printkit.systems.dba3.placing.placement import KeepOut, Shore
from printkit.terrain.field.battlefield import Board, Edge

DEPTH: Final = "cc-q01"
ON_WATER: Final = "cc-q02"
TOWNS: Final = "cc-q03"
WATERCOURSES: Final = "cc-q04"

ALLOWED: Final = "allow-bua"
WATERWAY_ONLY: Final = "waterway-only"

OUTWARDS: Final = (Edge.NEAR, Edge.FAR, Edge.LEFT, Edge.RIGHT)


class Square(Struct, frozen=True):
    """A square to keep free: its edge, whether it is measured from the shore, and its ground in mm of the board."""

    edge: Edge
    from_shore: bool
    ground: Polygon

    @property
    def name(self) -> str:
        """Return what it is called."""
        return Sentence(
            "the {edge} {value} square",
            edge=self.edge,
            value=Sentence("shore") if self.from_shore else Sentence("edge"),
        )


def squares(board: Board, book: RuleBook, settings: Mapping[str, str], shore: Shore | None) -> tuple[Square, ...]:
    """Return the squares of a board: one on every edge, and on that of a waterway one from its shore (CC-G06)."""
    side = book.numbers["edge_square_bw"] * board.scale.base_width
    deep = float(settings[DEPTH]) * board.scale.base_width
    found = []
    for edge in OUTWARDS:
        wet = shore is not None and shore.edge is edge
        if not wet or settings[ON_WATER] != "shore":
            found.append(Square(edge, False, _square(board, edge, 0.0, side, deep)))
        if shore is not None and wet and settings[ON_WATER] != "edge":
            found.append(Square(edge, True, _square(board, edge, shore_depth(board, shore), side, deep)))
    return tuple(found)


def shore_depth(board: Board, shore: Shore) -> float:
    """Return the mm of water between the middle of an edge and the shore, along the centre line."""
    middle = LineString([(board.width / 2, 0.0), (board.width / 2, board.depth)])
    line: BaseGeometry = turned(middle, board, shore.edge)
    return float(line.intersection(shore.water).length)


def forbidden(book: RuleBook, settings: Mapping[str, str]) -> frozenset[Terrain]:
    """Return the pieces that may not lie in a square: what is rough or bad going or may become so, and towns (CC-G03).

    Rivers are among them only where a setting allows waterways alone (CC-Q04).
    """
    goings = {row.need("going", str) for row in book.own("kept_free")}
    found = {
        Terrain(row.need("piece", str))
        for row in book.own("pieces")
        if {row.need("going", str), row.get("wet", str, "")} & goings
    }
    if settings[TOWNS] != ALLOWED:
        found.add(Terrain.BUA)
    if settings[WATERCOURSES] == WATERWAY_ONLY:
        found.add(Terrain.RIVER)
    return frozenset(found)


def keep_out_of(book: RuleBook, settings: Mapping[str, str]) -> KeepOut:
    """Return the constraint by which a piece keeps off the squares while it is placed (CC-G05)."""
    barred = forbidden(book, settings)

    @cache
    def ground(board: Board, edge: Edge | None, deep: float) -> tuple[Closed, ...]:
        # A stand-in for the waterway of that depth: the squares ask for nothing else of it.
        shore = None if edge is None else Shore(edge, turned(box(0, 0, board.width, deep), board, edge))
        return tuple(Closed(each.name, each.ground, 0.0) for each in squares(board, book, settings, shore))

    def keep_out(terrain: Terrain, board: Board, shore: Shore | None) -> tuple[Closed, ...]:
        if terrain not in barred:
            return ()
        return ground(board, shore.edge if shore else None, shore_depth(board, shore) if shore else 0.0)

    return keep_out


def _square(board: Board, edge: Edge, out: float, side: float, deep: float) -> Polygon:
    """Return a square whose outer side lies ``out`` mm from an edge."""
    middle = board.width / 2
    return turned(box(middle - side / 2, out, middle + side / 2, out + deep), board, edge)
