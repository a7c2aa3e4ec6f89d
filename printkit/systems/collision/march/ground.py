"""The ground of columns: the board from one edge, squares kept open (CC-1.1..CC-1.3, CC-G02..CC-G06), overlays.

A piece keeps off them while it is placed; the judge measures what overlaps them on any map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeVar

import shapely
from msgspec import Struct
from shapely import LineString, MultiLineString, Polygon, box
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.placement import Closed
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba3.placing.placement import KeepOut, Shore
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER, NUMBERS, Edges, ground_of, letters
from printkit.terrain.field.battlefield import Board, Edge, Overlay

# --- A square board as the side at one of its edges sees it -----------------------------------------------------------

_Shape = TypeVar("_Shape", bound=BaseGeometry)

_TURNS: Final[Mapping[Edge, tuple[int, int]]] = {
    Edge.NEAR: (1, 0), Edge.RIGHT: (0, 1), Edge.FAR: (-1, 0), Edge.LEFT: (0, -1),
}  # fmt: skip
"""Cosine and sine of the quarter turns, anticlockwise, that bring the near edge to each."""


def turned(shape: _Shape, board: Board, edge: Edge) -> _Shape:
    """Return a shape drawn for the near edge as it lies at another, turned about the middle of the board."""
    cosine, sine = _TURNS[edge]
    if edge is Edge.NEAR:
        return shape
    x, y = board.width / 2, board.depth / 2
    found: _Shape = affine_transform(
        shape, [cosine, -sine, sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y]
    )
    return found


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


# --- What is drawn over the map for columns ---------------------------------------------------------------------------

CLEAR: Final = "collision.clear_square"
"""The word of a square; it is looked up where the map is drawn."""

STRETCH: Final = "cc-q16"
_WHO: Final[Mapping[str, tuple[str, ...]]] = {
    "none": (), "defender": (DEFENDER,), "invader": (INVADER,), "both": (INVADER, DEFENDER),
}  # fmt: skip
_ON_SHORE: Final = 0.05


def overlays(
    board: Board, edges: Edges, book: RuleBook, settings: Mapping[str, str], shore: Shore | None, *, littoral: bool
) -> Iterator[Overlay]:
    """Yield everything that lies over a map.

    Args:
        littoral: whether the defender's home is littoral, so that his third column may land.
    """
    for number in NUMBERS:
        yield Overlay(kind="quarters", shape=ground_of(board, number), label=str(number))
    for square in squares(board, book, settings, shore):
        yield Overlay(kind="keep-clear", shape=square.ground, label="" if square.from_shore else CLEAR)
    centre = LineString([(board.width / 2, 0), (board.width / 2, board.depth)])
    yield Overlay(kind="centre-line", shape=turned(centre, board, edges.defender))
    for side, edge in letters(edges).items():
        yield from _side(side, edge, board, book, settings, shore)
    if shore is not None:
        yield from _landing(board, shore, settings["landing"], littoral=littoral)


def base_line(board: Board, edge: Edge, shore: Shore | None) -> BaseGeometry:
    """Return the base line of a side: its edge, or the shore of the waterway along it (CC-O01)."""
    if shore is None or shore.edge is not edge:
        return turned(LineString([(0, 0), (board.width, 0)]), board, edge)
    return shore_line(board, shore)


def shore_line(board: Board, shore: Shore) -> BaseGeometry:
    """Return the shore of a waterway: its outline less what is the edge of the board."""
    inner = shapely.difference(shore.water.exterior, board.shape.exterior.buffer(_ON_SHORE))
    return shapely.line_merge(inner) if inner.geom_type == "MultiLineString" else inner


def column_box(board: Board, book: RuleBook, edge: Edge, shore: Shore | None) -> Polygon:
    """Return where the lead of column 1 has its front edge: 2 BW aside, up to 4 BW from the base line (CC-O03)."""
    return _box(board, book, edge, shore, "column_box_bw_deep")


def column_strip(board: Board, book: RuleBook, edge: Edge, shore: Shore | None) -> Polygon:
    """Return where the lead of column 2 stands: as wide, one element deep (CC-O04)."""
    return _box(board, book, edge, shore, "column_strip_bw_deep")


def entry_stretch(board: Board, margin: float, edge: Edge, shore: Shore | None) -> BaseGeometry:
    """Return the part of a base line that keeps so many mm from the sides (CC-O05)."""
    strip = turned(box(margin, -1.0, board.width - margin, board.depth), board, edge)
    found = shapely.intersection(base_line(board, edge, shore), strip)
    return shapely.line_merge(found) if isinstance(found, MultiLineString) else found


def _side(
    side: str, edge: Edge, board: Board, book: RuleBook, settings: Mapping[str, str], shore: Shore | None
) -> Iterator[Overlay]:
    base, numbers = board.scale.base_width, book.numbers
    line = base_line(board, edge, shore)
    first = column_box(board, book, edge, shore)
    yield Overlay(kind="deployment", shape=first, label=f"{numbers['column_box_bw_deep']:g}", side=side)
    yield Overlay(kind="base-line", shape=line, side=side)
    reading = settings[STRETCH]
    usual = 0.0 if reading == "none" else numbers["zone_side_bw"] * base
    if reading in ("strictest", "lead-type"):
        fast = entry_stretch(board, numbers["zone_side_bw_fast"] * base, edge, shore)
        yield Overlay(kind="entry-fast", shape=fast, side=side)
    yield Overlay(kind="entry", shape=entry_stretch(board, usual, edge, shore), label="3", side=side)
    yield Overlay(kind="column", shape=column_strip(board, book, edge, shore), label="2", side=side)
    yield Overlay(kind="column", shape=first, label="1", side=side)


def _landing(board: Board, shore: Shore, asked: str, *, littoral: bool) -> Iterator[Overlay]:
    who = _WHO["defender" if littoral else "none"] if asked == "auto" else _WHO[asked]
    for side in who:
        yield Overlay(kind="landing", shape=shore_line(board, shore), side=side)


def _box(board: Board, book: RuleBook, edge: Edge, shore: Shore | None, depth: str) -> Polygon:
    aside, deep = (book.numbers[name] * board.scale.base_width for name in ("column_box_bw_aside", depth))
    start = shore_depth(board, shore) if shore is not None and shore.edge is edge else 0.0
    return turned(box(board.width / 2 - aside, start, board.width / 2 + aside, start + deep), board, edge)
