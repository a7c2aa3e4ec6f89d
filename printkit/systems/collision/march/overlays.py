"""What is drawn over the map for columns: base lines, boxes, entry stretch, landing shore, squares (CC-O01..CC-O07).

Everything is measured from a side's base line: its edge of the board, or the shore of a waterway there (CC-2.9).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import shapely
from shapely import LineString, MultiLineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.kit.book import RuleBook
from printkit.systems.collision.march.base_line import turned
from printkit.systems.collision.march.ground import shore_depth, squares
from printkit.systems.dba3.placing.placement import Shore
from printkit.systems.dba3.placing.quarters import NUMBERS, ground_of
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER, Edges, letters
from printkit.terrain.field.battlefield import Board, Edge, Overlay

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
