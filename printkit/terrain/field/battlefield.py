"""The board, its edges and zones, the battlefield that lies on it, and sizes as a person with a ruler measures them."""

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
    """An edge of the board: near is south, far is north of what the rules call by compass."""

    NEAR = "near"
    FAR = "far"
    LEFT = "left"
    RIGHT = "right"


class GroundScale(Struct, frozen=True, kw_only=True):
    """Millimetres on the board of one pace and of one base width."""

    pace: float
    base_width: float

    def has_bases(self, scale: float = 1.0) -> bool:
        """Return whether the rules measure in base widths; where they do not, a base width is an inch.

        Args:
            scale: drawn mm per mm of the board, where this ground scale is that of a drawing.
        """
        return abs(self.base_width - MM_PER_INCH * scale) > 1e-6


class Beyond(NamedTuple):
    """How far in mm ground reaches beyond each edge of the table, on a board that shows some of it."""

    left: float = 0.0
    near: float = 0.0
    right: float = 0.0
    far: float = 0.0


_NOTHING_BEYOND: Final = Beyond()


class Board(Struct, frozen=True):
    """The playing surface in millimetres: origin at the near left corner, x to the right, y to the far edge.

    A board that is drawn may be wider than the table, by what is ``beyond`` its edges.
    """

    width: float
    depth: float
    scale: GroundScale
    beyond: Beyond = _NOTHING_BEYOND

    @property
    def playing_size(self) -> tuple[float, float]:
        """Return width and depth of the table that is played on."""
        left, near, right, far = self.beyond
        return self.width - left - right, self.depth - near - far

    @property
    def shape(self) -> Polygon:
        """Return the board as a rectangle."""
        return box(0, 0, self.width, self.depth)

    def zones(self, columns: int, rows: int) -> tuple[Polygon, ...]:
        """Return equal rectangles, far left first, as a page is read."""
        width, depth = self.width / columns, self.depth / rows
        return tuple(
            box(column * width, self.depth - (row + 1) * depth, (column + 1) * width, self.depth - row * depth)
            for row in range(rows)
            for column in range(columns)
        )

    def paces(self, count: float) -> float:
        """Return the millimetres of ``count`` paces."""
        return count * self.scale.pace

    def edge(self, edge: Edge) -> LineString:
        """Return an edge, running left to right or near to far."""
        return _edges(self.width, self.depth)[edge]


@lru_cache(maxsize=8)
def _edges(width: float, depth: float) -> dict[Edge, LineString]:
    """Return the edges of a board: courses ask for them at every try."""
    return {
        Edge.NEAR: LineString([(0, 0), (width, 0)]),
        Edge.FAR: LineString([(0, depth), (width, depth)]),
        Edge.LEFT: LineString([(0, 0), (0, depth)]),
        Edge.RIGHT: LineString([(width, 0), (width, depth)]),
    }


class Overlay(Struct, frozen=True, kw_only=True):
    """Something on the map that is no terrain: ``deployment`` line, ``zone`` ...; ``side`` is a player, or empty."""

    kind: str
    shape: BaseGeometry
    label: str = ""
    side: str = ""


class Battlefield(Struct, frozen=True, kw_only=True):
    """A board with its features in the order they were placed, and its overlays.

    A ``grid`` fills the board: what is played on is its cells, and features name theirs.
    """

    board: Board
    features: tuple[Feature, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    title: str = ""
    grid: Grid | None = None

    @property
    def ground(self) -> Polygon:
        """Return what is played on: all cells of the grid, or else the whole board."""
        return self.board.shape if self.grid is None else self.grid.hull()

    def add(self, *features: Feature) -> Battlefield:
        """Return the battlefield with more features."""
        return replace(self, features=self.features + features)

    def of(self, *kinds: Kind) -> Iterator[Feature]:
        """Yield the features of these kinds in order."""
        return (feature for feature in self.features if feature.kind in kinds)

    def find(self, identity: str) -> Feature:
        """Return the feature of that ID.

        Raises:
            KeyError: there is none.
        """
        for feature in self.features:
            if feature.id == identity:
                return feature
        raise KeyError(identity)


# --- How large a thing is and where it lies, as a person measures it who lays it out with a ruler ---------------------

ROUND: Final = 1.12
"""How many times longer than wide a shape may be that nobody turns with care."""

_LOOSE: Final = 0.5


class Dimensions(Struct, frozen=True, kw_only=True):
    """Where a shape ends, in mm from the left and the near edge, and its own length and width however it is turned.

    ``turned`` is the direction of its length in degrees anticlockwise from the near edge, 0 to 180; None for a shape
    as wide as long.
    """

    left: float
    right: float
    near: float
    far: float
    length: float
    width: float
    turned: float | None


def dimensions(shape: BaseGeometry) -> Dimensions:
    """Return where a shape ends and how large it is."""
    left, near, right, far = shape.bounds
    corners = shapely.get_coordinates(shapely.oriented_envelope(shape))
    sides = [(math.dist(start, end), start, end) for start, end in pairwise(corners[:3])]
    (length, start, end), (width, _, _) = sorted(sides, key=lambda side: side[0], reverse=True)
    turned = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) % 180
    return Dimensions(
        left=left,
        right=right,
        near=near,
        far=far,
        length=length,
        width=width,
        turned=None if length < ROUND * width else turned,
    )


def bends(line: LineString, board: Board, *, within: float) -> tuple[tuple[float, float], ...]:
    """Return the ends and the fewest bends of a course on the board, in its direction.

    Straight lines through them lie nowhere farther than ``within`` mm from the course.
    """
    seen = shapely.intersection(line, board.shape)
    parts = [part for part in shapely.get_parts(seen) if isinstance(part, LineString) and part.length > _LOOSE]
    parts.sort(key=lambda part: line.project(shapely.Point(part.coords[0])))
    found: list[tuple[float, float]] = []
    for part in parts:
        run = (
            part
            if line.project(shapely.Point(part.coords[0])) <= line.project(shapely.Point(part.coords[-1]))
            else part.reverse()
        )
        found.extend((float(x), float(y)) for x, y in shapely.get_coordinates(shapely.simplify(run, within)))
    return tuple(point for place, point in enumerate(found) if place == 0 or point != found[place - 1])


def edge_at(point: tuple[float, float], board: Board) -> Edge | None:
    """Return the edge on which a point lies, or None."""
    x, y = point
    reaches = {
        Edge.LEFT: x,
        Edge.RIGHT: board.width - x,
        Edge.NEAR: y,
        Edge.FAR: board.depth - y,
    }
    edge = min(reaches, key=lambda each: reaches[each])
    return edge if reaches[edge] <= _LOOSE else None


def outline_of(shape: Polygon, board: Board) -> BaseGeometry:
    """Return the part of a shape that lies on the board; of one that at most touches it the whole."""
    seen = shapely.intersection(shape, board.shape)
    return seen if seen.area > 0 else shape
