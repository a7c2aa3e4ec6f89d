"""Sample free shapes onto grid cells: the cells of an area, and the faces that a course crosses.

The result depends only on areas, distances and reading order, so it is deterministic.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import BUILT, STILL_WATERS, WOODS, Area, Feature, Hill, Kind, reshaped
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.gridded.cell_courses import Chain

# Minimum share of a cell that an area must cover to take it.
SHARE: Final = 0.40

_HILLS: Final = (Kind.HILL, Kind.RISE, Kind.SPUR, Kind.LONG_HILL, Kind.MOUNTAIN)
# Priority between kinds that cover equal shares of a cell; all other kinds follow.
_RANKS: Final = (BUILT, STILL_WATERS, _HILLS, WOODS)

# Shares count as equal if they agree to this number of decimals.
_ALIKE: Final = 3

# Basic cost of a step between cells. Costs are squared distances from the line, in cells.
_STEP: Final = 0.02

# Cost of a bend between neighbouring sides of a hex: tile makers sell few such pieces.
_SHARP: Final = 0.35

# Cost of a U-turn: leaving a cell by the side of entry.
_BACK: Final = 4.0

# A line may use an outer face up to this much farther from its end than the nearest outer face, in cells.
_ASIDE: Final = 0.6

_ON_EDGE: Final = 0.5

# A course leads into a town or water if it ends this near to it, in cells.
_REACH: Final = 0.25


class _Claim(Struct, frozen=True):
    """The part of a cell that a feature covers.

    Attributes:
        share: covered share of the cell.
        place: index of the feature.
    """

    feature: Area | Hill
    share: float
    ground: BaseGeometry
    place: int

    @property
    def order(self) -> tuple[float, int, int]:
        """Return the sort key of claims: greater share, then rank of the kind, then earlier feature."""
        return -round(self.share, _ALIKE), _rank(self.feature.kind), self.place


def scaled_onto(battlefield: Battlefield, grid: Grid) -> Battlefield:
    """Return the battlefield stretched to the rectangle of a grid; its features do not have cells yet."""
    board = battlefield.board
    across, along = grid.width / board.width, grid.depth / board.depth
    features = tuple(_stretched(feature, across, along) for feature in battlefield.features)
    return replace(battlefield, board=Board(grid.width, grid.depth, board.scale), features=features, overlays=())


def cells_of_areas(features: Iterable[Area | Hill], grid: Grid) -> dict[str, tuple[Cell, ...]]:
    """Return the cells that each area takes, in reading order, by feature ID.

    Each area gets at least one cell. A cell goes to the area that covers most of it, and at least 40 %. A hill and an
    area on it share their cells.
    """
    listed = list(features)
    claims = {cell: sorted(_claims(listed, grid.outline(cell)), key=lambda claim: claim.order) for cell in grid.cells()}
    taken = {cell: _winners([claim for claim in found if claim.share >= SHARE]) for cell, found in claims.items()}
    for feature in listed:
        if not any(feature.id in ids for ids in taken.values()):
            _settle(feature, claims, taken, grid)
    return {feature.id: tuple(cell for cell in grid.cells() if feature.id in taken[cell]) for feature in listed}


class CourseGoal(Struct, frozen=True):
    """A town or still water where a course may end: its ground and its cells."""

    ground: BaseGeometry
    cells: tuple[Cell, ...]


def goals_of(features: Iterable[Feature], taken: Mapping[str, tuple[Cell, ...]]) -> tuple[CourseGoal, ...]:
    """Return the towns and still waters among the features, with the cells of each."""
    ends = (*BUILT, *STILL_WATERS)
    return tuple(
        CourseGoal(feature.outline, taken[feature.id])
        for feature in features
        if isinstance(feature, Area) and feature.kind in ends
    )


def chain_of(line: LineString, ground: BaseGeometry, grid: Grid, goals: Sequence[CourseGoal] = ()) -> Chain:
    """Return the chain of cells whose faces are nearest to a line, with as few sharp bends as possible.

    Args:
        line: the centre line on the board.
        ground: the board. A line that ends on its edge or beyond enters by an outer face near that point.
        goals: towns and waters. A line that ends next to one gets a chain that ends in one of its cells.
    """
    points = shapely.get_coordinates(line)
    first = _ends(Point(points[0]), line, ground, grid, goals)
    last = _ends(Point(points[-1]), line.reverse(), ground, grid, goals)
    found = _cheapest(first, last, _Prices.of(line, grid, _SHARP))
    if len(set(found.cells)) < len(found.cells):
        # To avoid an expensive bend a chain may make a loop, which courses never do.
        found = _cheapest(first, last, _Prices.of(line, grid, 0.0))
    return found


def outer_faces(grid: Grid) -> tuple[tuple[Cell, int], ...]:
    """Return the faces on the edge of the grid as cell and direction, in reading order."""
    return tuple(
        (cell, direction)
        for cell in grid.cells()
        for direction in range(grid.directions())
        if grid.beside(cell, direction) is None
    )


def _stretched(feature: Feature, across: float, along: float) -> Feature:
    found = reshaped(feature, lambda shape: affinity.scale(shape, across, along, origin=(0, 0)))
    return replace(found, cells=())


def _claims(features: Sequence[Area | Hill], cell: Polygon) -> list[_Claim]:
    found = []
    for place, feature in enumerate(features):
        if feature.outline.intersects(cell):
            ground = shapely.intersection(feature.outline, cell)
            found.append(_Claim(feature, ground.area / cell.area, ground, place))
    return found


def _winners(claims: Sequence[_Claim]) -> list[str]:
    """Return the IDs of the features that take a cell: the first claim, or a hill and an area on it."""
    if not claims:
        return []
    first = claims[0]
    for other in claims[1:]:
        common = shapely.intersection(first.ground, other.ground).area
        one_hill = (first.feature.kind in _HILLS) != (other.feature.kind in _HILLS)
        if one_hill and common >= 0.5 * min(first.ground.area, other.ground.area):
            return [first.feature.id, other.feature.id]
    return [first.feature.id]


def _settle(
    feature: Area | Hill, claims: Mapping[Cell, Sequence[_Claim]], taken: dict[Cell, list[str]], grid: Grid
) -> None:
    """Give a feature without a cell the cell that it covers most, or else the nearest one.

    It replaces features that have other cells. If there is no such cell, it shares the best one.
    """
    middle = feature.outline.representative_point()

    def near(cell: Cell) -> tuple[float, float]:
        shares = [claim.share for claim in claims[cell] if claim.feature.id == feature.id]
        return -round(plain_sum(shares), _ALIKE), middle.distance(Point(grid.centre(cell)))

    held: dict[str, int] = {}
    for ids in taken.values():
        for identity in ids:
            held[identity] = held.get(identity, 0) + 1
    by_nearness = sorted(grid.cells(), key=near)
    own = next((cell for cell in by_nearness if all(held[identity] > 1 for identity in taken[cell])), by_nearness[0])
    others = taken[own]
    alone = all(held[identity] > 1 for identity in others)
    taken[own] = [feature.id] if alone else [*others, feature.id]


def _rank(kind: Kind) -> int:
    return next((rank for rank, kinds in enumerate(_RANKS) if kind in kinds), len(_RANKS))


class _End(NamedTuple):
    """A possible end of a chain: a cell, the outer face that it uses (or None), and the cost."""

    cell: Cell
    face: int | None
    price: float


def _ends(
    end: Point, line: LineString, ground: BaseGeometry, grid: Grid, goals: Sequence[CourseGoal]
) -> tuple[_End, ...]:
    """Return the possible first cells of a chain.

    A line that starts on the board has one cell; a line from the edge or beyond has outer faces near its entry.
    """
    rim = ground.boundary
    if ground.contains(end) and rim.distance(end) > _ON_EDGE:
        # The cells of a town may be away from its edge, where the road to it stops.
        led = next((goal for goal in goals if goal.ground.distance(end) <= _REACH * grid.cell), None)
        return (_End(_nearest(end, grid, None if led is None else led.cells), None, 0.0),)
    meets = shapely.get_coordinates(line.intersection(rim.buffer(_ON_EDGE)))
    place = Point(min(meets.tolist(), key=lambda xy: line.project(Point(xy)))) if len(meets) else end
    faces = outer_faces(grid)
    off = {face: place.distance(_middle(grid, *face)) / grid.cell for face in faces}
    reach = min(off.values()) + _ASIDE
    return tuple(_End(*face, round(off[face] ** 2, 6)) for face in faces if off[face] <= reach)


def _nearest(point: Point, grid: Grid, cells: Sequence[Cell] | None = None) -> Cell:
    """Return the cell that contains a point, or the nearest one; only one of ``cells`` if they are given."""
    held = grid.at(point.x, point.y)
    if held is not None and (cells is None or held in cells):
        return held
    among = grid.cells() if cells is None else cells
    return min(among, key=lambda cell: round(point.distance(Point(grid.centre(cell))), 6))


def _middle(grid: Grid, cell: Cell, direction: int) -> Point:
    return Point(grid.face(cell, direction).interpolate(0.5, normalized=True))


class _Prices(Struct, frozen=True):
    """Costs of a chain along a line: for each side of each cell, and for each turn in a cell."""

    grid: Grid
    sides: Mapping[tuple[Cell, int], float]
    sharp: float

    @classmethod
    def of(cls, line: LineString, grid: Grid, sharp: float) -> _Prices:
        """Return the costs for a line; ``sharp`` is the cost of a bend between neighbouring sides of a hex."""
        sides = [(cell, direction) for cell in grid.cells() for direction in range(grid.directions())]
        middles = np.array([_middle(grid, *side) for side in sides])
        off = shapely.distance(line, middles) / grid.cell
        return cls(grid, {side: _STEP + float(far) ** 2 for side, far in zip(sides, off, strict=True)}, sharp)

    def turn(self, heading: int | None, direction: int | None) -> float:
        """Return the cost of entering a cell in one direction and leaving it in another."""
        if heading is None or direction is None:
            return 0.0
        count = self.grid.directions()
        steps = abs(heading - direction) % count
        steps = min(steps, count - steps)
        if 2 * steps == count:
            return _BACK
        return self.sharp if steps > 1 else 0.0


# A cell and the direction in which the chain entered it, or _BEGINS if the chain starts there.
_State = tuple[Cell, int]

_BEGINS: Final = -1


def _cheapest(first: Sequence[_End], last: Sequence[_End], prices: _Prices) -> Chain:
    """Return the cheapest chain: few sharp bends, and the centres of its faces near the line."""
    grid, half = prices.grid, prices.grid.directions() // 2
    price: dict[_State, float] = {}
    before: dict[_State, _State] = {}
    entered: dict[_State, int | None] = {}
    heap: list[tuple[float, int, int, int]] = []

    def reach(state: _State, total: float) -> bool:
        if total >= price.get(state, math.inf) - 1e-9:
            return False
        price[state] = total
        (column, row), heading = state
        heapq.heappush(heap, (total, row, column, heading))
        return True

    for end in first:
        state = end.cell, _BEGINS if end.face is None else (end.face + half) % grid.directions()
        if reach(state, end.price):
            entered[state] = end.face
    goals = {end.cell for end in last}
    best: tuple[float, _State, int | None] | None = None
    while heap and (best is None or heap[0][0] < best[0]):
        so_far, row, column, heading = heapq.heappop(heap)
        state = Cell(column, row), heading
        if so_far > price[state]:
            continue
        came = None if heading == _BEGINS else heading
        if state[0] in goals:
            for end in last:
                total = so_far + end.price + prices.turn(came, end.face)
                if end.cell == state[0] and (best is None or total < best[0] - 1e-9):
                    best = total, state, end.face
        for direction in range(grid.directions()):
            other = grid.beside(state[0], direction)
            if other is None:
                continue
            total = so_far + prices.sides[state[0], direction] + prices.turn(came, direction)
            if reach((other, direction), total):
                before[other, direction] = state
                entered.pop((other, direction), None)
    if best is None:
        raise ValueError(f"no cells of {grid.name} lead from {first} to {last}")
    found = [best[1]]
    while found[-1] not in entered:
        found.append(before[found[-1]])
    return Chain(tuple(cell for cell, _ in reversed(found)), entered[found[-1]], best[2])
