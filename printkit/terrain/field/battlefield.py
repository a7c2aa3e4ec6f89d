"""The board, its edges and zones, the battlefield on it, and ruler measurements of shapes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.units import MM_PER_INCH
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.grids import Grid


class Edge(StrEnum):
    """An edge of the board. Rules with compass names: near is south, far is north."""

    NEAR = "near"
    FAR = "far"
    LEFT = "left"
    RIGHT = "right"


class GroundScale(Struct, frozen=True, kw_only=True):
    """The length on the board of one pace and one base width, in mm."""

    pace: float
    base_width: float

    def has_bases(self, scale: float = 1.0) -> bool:
        """Return whether the rules measure in base widths; otherwise the base width is one inch.

        The result is False if the base width is one inch, to within 0.000001 mm.

        Args:
            scale: drawn mm per mm of the board, if this is the ground scale of a drawing.
        """
        return abs(self.base_width - MM_PER_INCH * scale) > 1e-6


class OuterMargins(NamedTuple):
    """Width of the ground shown beyond each edge of the table, in mm."""

    left: float = 0.0
    near: float = 0.0
    right: float = 0.0
    far: float = 0.0


_NO_MARGINS: Final = OuterMargins()


class Board(Struct, frozen=True):
    """The playing surface in mm: origin at the near left corner, x to the right, y to the far edge.

    The mm are those on the table; a board scaled for a drawing has printed mm. A drawn board is larger than the table
    if it shows ground beyond the edges, with the widths ``outer_margins``.
    """

    width: float
    depth: float
    scale: GroundScale
    outer_margins: OuterMargins = _NO_MARGINS

    @property
    def playing_size(self) -> tuple[float, float]:
        """Return the width and depth of the table in mm of this board, without the outer margins.

        The outer margins are ground beyond the table's edges; without them the size is that of the board.
        """
        left, near, right, far = self.outer_margins
        return self.width - left - right, self.depth - near - far

    @property
    def shape(self) -> Polygon:
        """Return the board as a rectangle in its mm, with the near left corner at (0, 0).

        It includes the outer margins: x grows to the right edge and y to the far edge.
        """
        return box(0, 0, self.width, self.depth)

    def zones(self, columns: int, rows: int) -> tuple[Polygon, ...]:
        """Return the board cut into equal rectangles in its mm, in reading order from the far left.

        Index 0 is far left, the last one near right, and there are ``columns`` x ``rows`` of them. The outer margins
        are cut up too.
        """
        width, depth = self.width / columns, self.depth / rows
        return tuple(
            box(column * width, self.depth - (row + 1) * depth, (column + 1) * width, self.depth - row * depth)
            for row in range(rows)
            for column in range(columns)
        )

    def paces(self, count: float) -> float:
        """Return the length of ``count`` paces, in mm of this board."""
        return count * self.scale.pace

    def edge(self, edge: Edge) -> LineString:
        """Return an edge of the board as a line in its mm, from left to right or from near to far.

        Left and right edges run from near to far, near and far edges from left to right. They are edges of the whole
        board with its outer margins.
        """
        return _edges(self.width, self.depth)[edge]


@lru_cache(maxsize=8)
def _edges(width: float, depth: float) -> dict[Edge, LineString]:
    """Return the four edges of a board of this size as lines in the same mm, by edge.

    The near left corner is the origin. The near and far edge run from left to right, the others from near to far. The
    result is cached, because each attempt to route a course needs it.
    """
    return {
        Edge.NEAR: LineString([(0, 0), (width, 0)]),
        Edge.FAR: LineString([(0, depth), (width, depth)]),
        Edge.LEFT: LineString([(0, 0), (0, depth)]),
        Edge.RIGHT: LineString([(width, 0), (width, depth)]),
    }


class Overlay(Struct, frozen=True, kw_only=True):
    """A line or area on the map that is not terrain, in mm of the board.

    Attributes:
        kind: for example ``deployment`` or ``zone``.
        side: the player it belongs to; may be empty.
    """

    kind: str
    shape: BaseGeometry
    label: str = ""
    side: str = ""


class Battlefield(Struct, frozen=True, kw_only=True):
    """A board with its features in the order they were placed, and its overlays.

    With a ``grid``, play uses its cells and each feature lists the cells it occupies.
    """

    board: Board
    features: tuple[Feature, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    title: str = ""
    grid: Grid | None = None

    @property
    def ground(self) -> Polygon:
        """Return the outline of the playing area: all cells of the grid, or the board without a grid.

        It is in the mm of the battlefield: of the board, or printed mm if the battlefield is scaled. It is always a
        polygon with its near left corner at about (0, 0).
        """
        return self.board.shape if self.grid is None else self.grid.hull()

    def add(self, *features: Feature) -> Battlefield:
        """Return a copy of the battlefield with these features added at the end."""
        return replace(self, features=self.features + features)

    def select_features(self, *kinds: Kind) -> Iterator[Feature]:
        """Return an iterator over the features of these kinds, in order.

        Without kinds the iterator is empty. Features are in the order of the battlefield.
        """
        return (feature for feature in self.features if feature.kind in kinds)

    def find(self, identity: str) -> Feature:
        """Return the first feature with this ID.

        Raises:
            KeyError: no feature has this ID.
        """
        for feature in self.features:
            if feature.id == identity:
                return feature
        raise KeyError(identity)


# --- Sizes and positions for players who build the battlefield with a ruler -------------------------------------------

# Up to this ratio of length to width a shape counts as round: its rotation does not matter.
ROUND_RATIO: Final = 1.12

_EDGE_TOLERANCE_MM: Final = 0.5


class Dimensions(Struct, frozen=True, kw_only=True):
    """The bounds of a shape and its length and width along its own axes, in the mm of the shape.

    Attributes:
        left, right: distance from the left edge.
        near, far: distance from the near edge.
        angle_deg: direction of the length in degrees anticlockwise from the near edge, 0 to 180; None for a round
            shape.
    """

    left: float
    right: float
    near: float
    far: float
    length: float
    width: float
    angle_deg: float | None


def measure_shape(shape: BaseGeometry) -> Dimensions:
    """Return bounds, length and width of a shape in its mm, and the direction of its length in degrees.

    Length and width are those of the smallest rectangle around it. The direction is 0 to 180 anticlockwise from +x, or
    None for a shape about as long as wide.
    """
    left, near, right, far = shape.bounds
    corners = shapely.get_coordinates(shapely.oriented_envelope(shape))
    sides = [(math.dist(start, end), start, end) for start, end in pairwise(corners[:3])]
    (length, start, end), (width, _, _) = sorted(sides, key=lambda side: side[0], reverse=True)
    angle_deg = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) % 180
    return Dimensions(
        left=left,
        right=right,
        near=near,
        far=far,
        length=length,
        width=width,
        angle_deg=None if length < ROUND_RATIO * width else angle_deg,
    )


def simplify_course(line: LineString, board: Board, *, tolerance_mm: float) -> tuple[tuple[float, float], ...]:
    """Return the ends and main bends of a course on the board as (x, y) in its mm, in travel direction.

    Straight lines between these points stay within ``tolerance_mm`` mm of the course. The result is empty if no part of
    the course is on the board. A course that leaves the board and comes back gives the points of all its parts, one
    part after the other without a mark between them.
    """
    visible = shapely.intersection(line, board.shape)
    parts = [
        part for part in shapely.get_parts(visible) if isinstance(part, LineString) and part.length > _EDGE_TOLERANCE_MM
    ]
    parts.sort(key=lambda part: line.project(shapely.Point(part.coords[0])))
    points: list[tuple[float, float]] = []
    for part in parts:
        run = (
            part
            if line.project(shapely.Point(part.coords[0])) <= line.project(shapely.Point(part.coords[-1]))
            else part.reverse()
        )
        points.extend((float(x), float(y)) for x, y in shapely.get_coordinates(shapely.simplify(run, tolerance_mm)))
    return tuple(point for index, point in enumerate(points) if index == 0 or point != points[index - 1])


def find_edge(point: tuple[float, float], board: Board) -> Edge | None:
    """Return the edge that a point is on, or None if it is more than 0.5 mm inside the board.

    A point beyond an edge counts as on it, however far away. If several edges qualify, it is the one that the point is
    nearest to or farthest beyond. ``point`` is x and y in mm of the board.
    """
    x, y = point
    distances = {
        Edge.LEFT: x,
        Edge.RIGHT: board.width - x,
        Edge.NEAR: y,
        Edge.FAR: board.depth - y,
    }
    edge = min(distances, key=lambda candidate: distances[candidate])
    return edge if distances[edge] <= _EDGE_TOLERANCE_MM else None


def clip_to_board(shape: Polygon, board: Board) -> BaseGeometry:
    """Return the part of a shape on the board, in mm of the board; the shape unchanged if no part is on it.

    The result can have several parts. Outer margins count as board.
    """
    visible = shapely.intersection(shape, board.shape)
    return visible if visible.area > 0 else shape
