"""The ground of columns: edge squares to keep clear (CC-1.1..CC-1.3, CC-G02..CC-G06), and overlays for columns.

Terrain is kept out of the squares when it is placed. The checker measures the overlap with them on any map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, MultiLineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import PlacementObstacle
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.frame import rotate_from_edge, rotate_to_edge
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba3.placing.placement import KeepOut, Shore
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER, BaseEdges, edges_by_letter, quarter_overlays
from printkit.terrain.field.battlefield import Board, Edge, Overlay

OUTWARDS: Final = (Edge.NEAR, Edge.FAR, Edge.LEFT, Edge.RIGHT)


_EDGES: Final = {
    Edge.NEAR: Sentence("near"), Edge.FAR: Sentence("far"), Edge.LEFT: Sentence("left"), Edge.RIGHT: Sentence("right"),
}  # fmt: skip


class Square(Struct, frozen=True):
    """A square to keep clear, measured from an edge or from a shore; ``ground`` is in mm of the board."""

    edge: Edge
    from_shore: bool
    ground: Polygon

    @property
    def name(self) -> str:
        """Return the English name of the square for messages; it can be translated."""
        return Sentence(
            "the {edge} {value} square",
            edge=_EDGES[self.edge],
            value=Sentence("shore") if self.from_shore else Sentence("edge"),
        )


def build_squares(rules: Rules, shore: Shore | None) -> tuple[Square, ...]:
    """Return the squares of a board: near, far, left, right, and one from the shore after that of its edge (CC-G06).

    They are in mm on the board.
    """
    board_squares = []
    for edge in OUTWARDS:
        board_squares.append(Square(edge, False, _build_square(rules, edge, 0.0)))
        if shore is not None and shore.edge is edge:
            board_squares.append(Square(edge, True, _build_square(rules, edge, shore_depth(board_of(rules), shore))))
    return tuple(board_squares)


def board_of(rules: Rules) -> Board:
    """Return the board of a game; the rules must be those of a board."""
    assert rules.board is not None
    return rules.board


def shore_depth(board: Board, shore: Shore) -> float:
    """Return the width of the water from the middle of an edge to the shore, in mm on the board."""
    middle = LineString([(board.width / 2, 0.0), (board.width / 2, board.depth)])
    return float(rotate_to_edge(middle, board, shore.edge).intersection(shore.water).length)


def forbidden_pieces(rules: Rules) -> frozenset[Terrain]:
    """Return the pieces that may not be in a square: towns, and rough or bad ground (CC-G03).

    Ground that can become rough or bad is included.
    """
    goings = {row.need("going", str) for row in rules.rows("kept_free")}
    hard = (
        row.need("piece", Terrain)
        for row in rules.rows("pieces")
        if {row.need("going", str), row.get("wet", str, "")} & goings
    )
    return frozenset((*hard, Terrain.BUA))


def keep_out_of(rules: Rules) -> KeepOut:
    """Return the function that gives the squares as obstacles for a feature when it is placed (CC-G05).

    It gets a terrain type, the board and the waterway, and returns nothing for features that may be in a square.
    """
    barred_pieces = forbidden_pieces(rules)

    @cache
    def ground(board: Board, edge: Edge | None, deep: float) -> tuple[PlacementObstacle, ...]:
        """Return the squares as obstacles, for a board with a waterway ``deep`` mm deep at an edge.

        Lengths are in mm on the board. None as ``edge`` means a board without water.
        """
        # A rectangle of this depth replaces the waterway: the squares depend only on its depth.
        shore = None if edge is None else Shore(edge, rotate_to_edge(box(0, 0, board.width, deep), board, edge))
        return tuple(
            PlacementObstacle(each.name, each.ground, 0.0) for each in build_squares(replace(rules, board=board), shore)
        )

    def keep_out(terrain: Terrain, board: Board, shore: Shore | None) -> tuple[PlacementObstacle, ...]:
        """Return the squares as obstacles for a piece; empty if the piece may be in them."""
        if terrain not in barred_pieces:
            return ()
        return ground(board, shore.edge if shore else None, shore_depth(board, shore) if shore else 0.0)

    return keep_out


def _build_square(rules: Rules, edge: Edge, out: float) -> Polygon:
    """Return a square in mm on the board, ``out`` mm from the middle of an edge."""
    board, side, deep = board_of(rules), rules.length("edge_square_bw"), rules.length("edge_square_depth_bw")
    middle = board.width / 2
    return rotate_to_edge(box(middle - side / 2, out, middle + side / 2, out + deep), board, edge)


# --- Overlays of a map for columns ------------------------------------------------------------------------------------

# Word key of the label of a square. The map looks it up when it is drawn.
CLEAR: Final = "collision.clear_square"

_WHO: Final[Mapping[str, tuple[str, ...]]] = {
    "none": (), "defender": (DEFENDER,), "invader": (INVADER,), "both": (INVADER, DEFENDER),
}  # fmt: skip
_ON_SHORE: Final = 0.05

# The number for the distance of an entry stretch from the side edges, by its overlay (CC-O05).
ENTRIES: Final[Mapping[str, str]] = {"entry-fast": "zone_side_bw_fast", "entry": "zone_side_bw"}

# Points along an edge, in one unit: x from the left of a player who sits there, y inland.
Points: TypeAlias = "tuple[tuple[float, float], ...]"


def build_overlays(rules: Rules, edges: BaseEdges, shore: Shore | None, *, littoral: bool) -> Iterator[Overlay]:
    """Yield all overlays of a map for columns, in mm on the board: quarters, squares, centre line, sides, landing.

    Args:
        littoral: whether the defender's home is littoral, so that their third column may land.
        shore: the shore of the waterway; None if the board has no waterway.
    """
    board = board_of(rules)
    yield from quarter_overlays(board)
    for square in build_squares(rules, shore):
        yield Overlay(kind="keep-clear", shape=square.ground, label="" if square.from_shore else CLEAR)
    yield Overlay(kind="centre-line", shape=centre_line(board, edges.defender))
    for side, edge in edges_by_letter(edges).items():
        yield from _side_overlays(side, edge, rules, shore)
    if shore is not None:
        yield from landing_overlays(rules, shore, landing_sides(rules, littoral=littoral))


def centre_line(board: Board, edge: Edge) -> LineString:
    """Return the line through the middle of an edge across the board, in mm on the board (CC-O02)."""
    return rotate_to_edge(LineString([(board.width / 2, 0), (board.width / 2, board.depth)]), board, edge)


def landing_sides(
    rules: Rules, *, littoral: bool, planned_by_side: Mapping[str, bool] | None = None
) -> tuple[str, ...]:
    """Return the letters of the sides whose third column may land (CC-O06).

    A setting other than ``auto`` decides alone.

    Args:
        rules: of the game.
        littoral: whether the defender's home is littoral.
        planned_by_side: whether each known army plans a landing, by the letter of its side; it counts before the home.
    """
    setting = rules.choice("landing")
    if setting != "auto":
        return _WHO[setting]
    able = {DEFENDER: littoral, **(planned_by_side or {})}
    return tuple(side for side in _WHO["both"] if able.get(side))


def landing_overlays(rules: Rules, shore: Shore, sides: tuple[str, ...]) -> tuple[Overlay, ...]:
    """Return the shore as a landing overlay for each of these sides (CC-O06)."""
    return tuple(Overlay(kind="landing", shape=shore_line(board_of(rules), shore), side=side) for side in sides)


def base_line(board: Board, edge: Edge, shore: Shore | None) -> BaseGeometry:
    """Return a side's base line in mm on the board: its edge, or the shore along it (CC-O01)."""
    if shore is None or shore.edge is not edge:
        return rotate_to_edge(LineString([(0, 0), (board.width, 0)]), board, edge)
    return shore_line(board, shore)


def line_points(board: Board, edge: Edge, shore: Shore | None) -> Points:
    """Return a side's base line as its player sees it: pairs of mm along the edge from their left and mm inland.

    They are sorted by the distance along the edge, in mm on the board. The base line follows ``shore`` if the waterway
    is at this edge; None if the board has no waterway.
    """
    line = rotate_from_edge(base_line(board, edge, shore), board, edge)
    return tuple(sorted((float(x), float(y)) for x, y in shapely.get_coordinates(line)))


def cut_line(points: Points, low: float, high: float) -> Points:
    """Return the part of a base line between ``low`` and ``high``, distances along its edge.

    It has both end points, interpolated. All lengths are in the unit of ``points``, for example mm or base widths.
    """
    x, y = zip(*points, strict=True)
    ends = [(place, float(np.interp(place, x, y))) for place in (low, high)]
    return (ends[0], *(point for point in points if low < point[0] < high), ends[1])


def shore_line(board: Board, shore: Shore) -> BaseGeometry:
    """Return the shore of a waterway in mm on the board: its outline without the edge of the board."""
    inner = shapely.difference(shore.water.exterior, board.shape.exterior.buffer(_ON_SHORE))
    return shapely.line_merge(inner) if inner.geom_type == "MultiLineString" else inner


def column_box(rules: Rules, edge: Edge, shore: Shore | None) -> Polygon:
    """Return the box, in mm on the board, for the front of column 1's first element (CC-O03).

    It is 2 BW to each side and up to 4 BW from the base line, which can be a shore.
    """
    return _column_area(rules, edge, shore, "column_box_bw_deep")


def column_strip(rules: Rules, edge: Edge, shore: Shore | None) -> Polygon:
    """Return the strip for the first element of column 2: as wide as the box, one element deep (CC-O04).

    It is in mm on the board. The base line follows ``shore`` if the waterway is at this edge; None if the board has no
    waterway.
    """
    return _column_area(rules, edge, shore, "column_strip_bw_deep")


def entry_stretch(rules: Rules, margin: float, edge: Edge, shore: Shore | None) -> BaseGeometry:
    """Return the part of a base line ``margin`` mm or more from the side edges, in mm on the board.

    The base line follows ``shore`` if the waterway is at this edge; None if the board has no waterway.
    """
    board = board_of(rules)
    strip = rotate_to_edge(box(margin, -1.0, board.width - margin, board.depth), board, edge)
    line = shapely.intersection(base_line(board, edge, shore), strip)
    return shapely.line_merge(line) if isinstance(line, MultiLineString) else line


def _side_overlays(side: str, edge: Edge, rules: Rules, shore: Shore | None) -> Iterator[Overlay]:
    """Yield the overlays of one side: deployment box, base line, entries of its columns, strip and box.

    Shapes are in mm on the board, labels of depth in base widths.
    """
    first = column_box(rules, edge, shore)
    yield Overlay(kind="deployment", shape=first, label=f"{rules.number('column_box_bw_deep'):g}", side=side)
    yield Overlay(kind="base-line", shape=base_line(board_of(rules), edge, shore), side=side)
    for kind, number in ENTRIES.items():
        entry_line = entry_stretch(rules, rules.length(number), edge, shore)
        yield Overlay(kind=kind, shape=entry_line, label="3" if kind == "entry" else "", side=side)
    yield Overlay(kind="column", shape=column_strip(rules, edge, shore), label="2", side=side)
    yield Overlay(kind="column", shape=first, label="1", side=side)


def _column_area(rules: Rules, edge: Edge, shore: Shore | None, depth: str) -> Polygon:
    """Return the area for a column, from the base line inland on both sides of the centre line.

    It is in mm on the board. ``depth`` is the name of the number in the rule book for its depth. The base line follows
    ``shore`` if the waterway is at this edge; None if the board has no waterway.
    """
    board, half_width, deep = board_of(rules), rules.length("column_box_bw_aside"), rules.length(depth)
    near = cut_line(line_points(board, edge, shore), board.width / 2 - half_width, board.width / 2 + half_width)
    far = [(x, y + deep) for x, y in reversed(near)]
    return rotate_to_edge(Polygon([near[-1], *far, *near[:-1]]), board, edge)
