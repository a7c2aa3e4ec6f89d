"""Sample free shapes onto grid cells: the cells of an area, and the faces that a course crosses.

The result depends only on areas, distances and reading order, so it is deterministic.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import BUILT, STILL_WATERS, WOODS, Area, Feature, Hill, Kind, transform_shapes
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.gridded.cell_courses import Chain

# Minimum share of a cell that an area must cover to take it.
MIN_SHARE: Final = 0.40

_HILLS: Final = (Kind.HILL, Kind.RISE, Kind.SPUR, Kind.LONG_HILL, Kind.MOUNTAIN)
# Priority between kinds that cover equal shares of a cell; all other kinds follow.
_KIND_PRIORITY: Final = (BUILT, STILL_WATERS, _HILLS, WOODS)

# Shares count as equal if they agree to this number of decimals.
_SHARE_DECIMALS: Final = 3

# Basic cost of a step between cells. Costs are squared distances from the line, in cells.
_STEP_COST: Final = 0.02

# Cost of a bend between neighbouring sides of a hex: tile makers sell few such pieces.
_SHARP_BEND_COST: Final = 0.35

# Cost of a U-turn: leaving a cell by the side of entry.
_U_TURN_COST: Final = 4.0

NO_COSTS: Final[Mapping[tuple[Cell, int], float]] = MappingProxyType({})

# A line may use an outer face up to this much farther from its end than the nearest outer face, in cells.
_FACE_TOLERANCE: Final = 0.6

_EDGE_TOLERANCE_MM: Final = 0.5

# A course leads into a town or water if it ends this near to it, in cells.
_GOAL_REACH: Final = 0.25


class _Claim(Struct, frozen=True):
    """The part of a cell that a feature covers.

    Attributes:
        share: covered share of the cell.
        index: index of the feature.
    """

    feature: Area | Hill
    share: float
    ground: BaseGeometry
    index: int

    @property
    def order(self) -> tuple[float, int, int]:
        """Return the sort key of claims: greater share first, then rank of the kind, then earlier feature.

        The parts are the negative share, the rank of the kind from 0, and the index of the feature.
        """
        kind = self.feature.kind
        rank = next((rank for rank, kinds in enumerate(_KIND_PRIORITY) if kind in kinds), len(_KIND_PRIORITY))
        return -round(self.share, _SHARE_DECIMALS), rank, self.index


def stretch_to_grid(battlefield: Battlefield, grid: Grid) -> Battlefield:
    """Return the battlefield stretched to the rectangle of a grid; its features do not have cells yet.

    The width and depth are scaled separately, in mm on the board. Overlays are dropped, and the battlefield's own grid
    field does not change.
    """
    board = battlefield.board
    x_factor, y_factor = grid.width / board.width, grid.depth / board.depth

    def scale_shape(shape: Any) -> Any:
        return affinity.scale(shape, x_factor, y_factor, origin=(0, 0))

    features = tuple(replace(transform_shapes(feature, scale_shape), cells=()) for feature in battlefield.features)
    return replace(battlefield, board=Board(grid.width, grid.depth, board.scale), features=features, overlays=())


def assign_cells(features: Iterable[Area | Hill], grid: Grid) -> dict[str, tuple[Cell, ...]]:
    """Return the cells that each area takes, in reading order, by feature ID.

    Each area gets at least one cell. A cell goes to the area that covers most of it, and at least 40 %. A hill and an
    area on it share their cells. A feature that covers no cell so far takes one from features that have others, or
    shares one. The features are in mm on the board of the grid.
    """
    areas = list(features)
    claims = {
        cell: sorted(_collect_claims(areas, grid.outline(cell)), key=lambda claim: claim.order) for cell in grid.cells()
    }
    cell_owners = {
        cell: _choose_owners([claim for claim in cell_claims if claim.share >= MIN_SHARE])
        for cell, cell_claims in claims.items()
    }
    for feature in areas:
        if not any(feature.id in ids for ids in cell_owners.values()):
            _force_cell(feature, claims, cell_owners, grid)
    return {feature.id: tuple(cell for cell in grid.cells() if feature.id in cell_owners[cell]) for feature in areas}


class CourseGoal(Struct, frozen=True):
    """A town or still water where a course may end: its ground in mm on the board and its cells."""

    ground: BaseGeometry
    cells: tuple[Cell, ...]


def find_goals(features: Iterable[Feature], cells_by_id: Mapping[str, tuple[Cell, ...]]) -> tuple[CourseGoal, ...]:
    """Return the areas that are buildings, camps or still waters, with the outline and cells of each.

    ``cells_by_id`` has the cells of each such area by its ID; a missing one raises KeyError.
    """
    ends = (*BUILT, *STILL_WATERS)
    return tuple(
        CourseGoal(feature.outline, cells_by_id[feature.id])
        for feature in features
        if isinstance(feature, Area) and feature.kind in ends
    )


def sample_chain(
    line: LineString,
    ground: BaseGeometry,
    grid: Grid,
    goals: Sequence[CourseGoal] = (),
    *,
    side_costs: Mapping[tuple[Cell, int], float] = NO_COSTS,
) -> Chain:
    """Return the chain of cells whose faces are nearest to a line, with as few sharp bends as possible.

    Args:
        line: the centre line in mm on the board, in the direction of the chain.
        ground: the outline of the board in mm. A line that ends on its edge or beyond enters by an outer face near that
            point.
        grid: the grid.
        goals: towns and waters. A line that ends next to one gets a chain that ends in one of its cells.
        side_costs: extra costs of leaving a cell in a direction, in squared cells; an outer face with one is not used.

    Raises:
        ValueError: no cells connect the ends.
    """
    points = shapely.get_coordinates(line)
    first = _find_ends(Point(points[0]), line, ground, grid, goals, side_costs)
    last = _find_ends(Point(points[-1]), line.reverse(), ground, grid, goals, side_costs)
    chain = _find_cheapest(first, last, _ChainCosts.for_line(line, grid, _SHARP_BEND_COST, side_costs))
    if len(set(chain.cells)) < len(chain.cells):
        # To avoid an expensive bend a chain may make a loop, which courses never do.
        chain = _find_cheapest(first, last, _ChainCosts.for_line(line, grid, 0.0, side_costs))
    return chain


def outer_faces(grid: Grid) -> tuple[tuple[Cell, int], ...]:
    """Return the faces on the edge of the grid as cell and direction (from 0), in reading order."""
    return tuple(
        (cell, direction)
        for cell in grid.cells()
        for direction in range(grid.direction_count())
        if grid.neighbour(cell, direction) is None
    )


def _collect_claims(features: Sequence[Area | Hill], cell: Polygon) -> list[_Claim]:
    """Return the claims of all features that cover part of a cell; empty if none does.

    ``cell`` is its outline in mm on the board.
    """
    claims = []
    for index, feature in enumerate(features):
        if feature.outline.intersects(cell):
            ground = shapely.intersection(feature.outline, cell)
            claims.append(_Claim(feature, ground.area / cell.area, ground, index))
    return claims


def _choose_owners(claims: Sequence[_Claim]) -> list[str]:
    """Return the IDs of the features that take a cell; empty without claims.

    The first claim takes it. It shares the cell with the next claim that overlaps at least half of the smaller ground,
    if exactly one of both is a hill. The ID of the first claim comes first.
    """
    if not claims:
        return []
    first = claims[0]
    for other in claims[1:]:
        common = shapely.intersection(first.ground, other.ground).area
        one_hill = (first.feature.kind in _HILLS) != (other.feature.kind in _HILLS)
        if one_hill and common >= 0.5 * min(first.ground.area, other.ground.area):
            return [first.feature.id, other.feature.id]
    return [first.feature.id]


def _force_cell(
    feature: Area | Hill, claims: Mapping[Cell, Sequence[_Claim]], cell_owners: dict[Cell, list[str]], grid: Grid
) -> None:
    """Give a feature without a cell the cell that it covers most, or otherwise the nearest one.

    It changes ``cell_owners``, the IDs of the owners by cell, in place. The feature replaces owners that have other
    cells too. If every cell has an owner without another one, it shares the cell that it covers most. ``claims`` has
    the claims on each cell.
    """
    middle = feature.outline.representative_point()

    def sort_key(cell: Cell) -> tuple[float, float]:
        """Return the sort key of a cell: the share that it covers, then its distance in mm on the board."""
        shares = [claim.share for claim in claims[cell] if claim.feature.id == feature.id]
        return -round(plain_sum(shares), _SHARE_DECIMALS), middle.distance(Point(grid.centre(cell)))

    cell_counts: dict[str, int] = {}
    for ids in cell_owners.values():
        for identity in ids:
            cell_counts[identity] = cell_counts.get(identity, 0) + 1
    by_nearness = sorted(grid.cells(), key=sort_key)
    target = next(
        (cell for cell in by_nearness if all(cell_counts[identity] > 1 for identity in cell_owners[cell])),
        by_nearness[0],
    )
    owners = cell_owners[target]
    is_replaceable = all(cell_counts[identity] > 1 for identity in owners)
    cell_owners[target] = [feature.id] if is_replaceable else [*owners, feature.id]


class _End(NamedTuple):
    """A possible end of a chain: a cell, the outer face that it uses (or None), and the cost (0 is best).

    The face is a direction from 0.
    """

    cell: Cell
    face: int | None
    cost: float


def _find_ends(
    end: Point,
    line: LineString,
    ground: BaseGeometry,
    grid: Grid,
    goals: Sequence[CourseGoal],
    side_costs: Mapping[tuple[Cell, int], float] = NO_COSTS,
) -> tuple[_End, ...]:
    """Return the possible first cells of a chain.

    A line that starts on the board has one cell; a line from the edge or beyond has outer faces near its entry.

    Args:
        end: the start of the line, in mm on the board.
        line: the centre line, from that end.
        ground: the outline of the board in mm.
        grid: the grid.
        goals: towns and waters. A line that ends next to one gets one of its cells.
        side_costs: extra costs; an outer face with one is left out.
    """
    edge = ground.boundary
    if ground.contains(end) and edge.distance(end) > _EDGE_TOLERANCE_MM:
        # The cells of a town may be away from its edge, where the road to it stops.
        target = next((goal for goal in goals if goal.ground.distance(end) <= _GOAL_REACH * grid.cell), None)
        return (_End(_nearest_cell(end, grid, None if target is None else target.cells), None, 0.0),)
    crossings = shapely.get_coordinates(line.intersection(edge.buffer(_EDGE_TOLERANCE_MM)))
    entry = Point(min(crossings.tolist(), key=lambda xy: line.project(Point(xy)))) if len(crossings) else end
    faces = [face for face in outer_faces(grid) if face not in side_costs]
    distances = {face: entry.distance(_face_centre(grid, *face)) / grid.cell for face in faces}
    max_distance = min(distances.values()) + _FACE_TOLERANCE
    return tuple(_End(*face, round(distances[face] ** 2, 6)) for face in faces if distances[face] <= max_distance)


def _nearest_cell(point: Point, grid: Grid, cells: Sequence[Cell] | None = None) -> Cell:
    """Return the cell that contains a point, or the nearest one; only one of ``cells`` if it is given.

    The point is in mm on the board.
    """
    hit = grid.at(point.x, point.y)
    if hit is not None and (cells is None or hit in cells):
        return hit
    candidates = grid.cells() if cells is None else cells
    return min(candidates, key=lambda cell: round(point.distance(Point(grid.centre(cell))), 6))


def _face_centre(grid: Grid, cell: Cell, direction: int) -> Point:
    """Return the middle of the side of a cell in a direction, in mm on the board."""
    return Point(grid.face(cell, direction).interpolate(0.5, normalized=True))


class _ChainCosts(Struct, frozen=True):
    """Costs of a chain along a line: for each side of each cell, and for each turn in a cell.

    Costs are without a unit. ``sharp`` is the cost of a bend between neighbouring sides of a hex.
    """

    grid: Grid
    sides: Mapping[tuple[Cell, int], float]
    sharp: float

    @classmethod
    def for_line(
        cls, line: LineString, grid: Grid, sharp: float, side_costs: Mapping[tuple[Cell, int], float] = NO_COSTS
    ) -> _ChainCosts:
        """Return the costs of chains along a line in mm on the board.

        They grow with the distance of a cell's side from the line. ``sharp`` is the cost of a bend between neighbouring
        sides of a hex, and ``side_costs`` has extra costs.
        """
        sides = [(cell, direction) for cell in grid.cells() for direction in range(grid.direction_count())]
        middles = np.array([_face_centre(grid, *side) for side in sides])
        distances = shapely.distance(line, middles) / grid.cell
        return cls(
            grid,
            {
                side: _STEP_COST + float(distance) ** 2 + side_costs.get(side, 0.0)
                for side, distance in zip(sides, distances, strict=True)
            },
            sharp,
        )

    def turn_cost(self, heading: int | None, direction: int | None) -> float:
        """Return the cost of entering a cell in the direction ``heading`` and leaving it in ``direction``.

        Straight on and turns to a neighbouring direction cost nothing. Other turns cost ``sharp``, and turning back a
        large amount. At an end of the chain, where a direction has the value None, the cost is 0.
        """
        if heading is None or direction is None:
            return 0.0
        count = self.grid.direction_count()
        steps = abs(heading - direction) % count
        steps = min(steps, count - steps)
        if 2 * steps == count:
            return _U_TURN_COST
        return self.sharp if steps > 1 else 0.0


# A cell and the direction in which the chain entered it, or _BEGINS if the chain starts there.
_State = tuple[Cell, int]

_NO_HEADING: Final = -1


def _find_cheapest(first: Sequence[_End], last: Sequence[_End], costs: _ChainCosts) -> Chain:
    """Return the cheapest chain from one of the ends ``first`` to one of the ends ``last``, in that direction.

    The centres of its faces are near the line. Sharp bends cost extra, so it has few of them, but it may make a loop to
    avoid one: then a cell occurs twice. Test for this, and search again with a bend cost of 0.

    Raises:
        ValueError: no cells connect the ends.
    """
    grid, half = costs.grid, costs.grid.direction_count() // 2
    totals: dict[_State, float] = {}
    previous: dict[_State, _State] = {}
    entry_faces: dict[_State, int | None] = {}
    heap: list[tuple[float, int, int, int]] = []

    def push_state(state: _State, total: float) -> bool:
        """Add a state to the search unless a cost as low is known; return whether it was added."""
        if total >= totals.get(state, math.inf) - 1e-9:
            return False
        totals[state] = total
        (column, row), heading = state
        heapq.heappush(heap, (total, row, column, heading))
        return True

    for end in first:
        state = end.cell, _NO_HEADING if end.face is None else (end.face + half) % grid.direction_count()
        if push_state(state, end.cost):
            entry_faces[state] = end.face
    goals = {end.cell for end in last}
    best: tuple[float, _State, int | None] | None = None
    while heap and (best is None or heap[0][0] < best[0]):
        so_far, row, column, heading = heapq.heappop(heap)
        state = Cell(column, row), heading
        if so_far > totals[state]:
            continue
        entry_heading = None if heading == _NO_HEADING else heading
        if state[0] in goals:
            for end in last:
                total = so_far + end.cost + costs.turn_cost(entry_heading, end.face)
                if end.cell == state[0] and (best is None or total < best[0] - 1e-9):
                    best = total, state, end.face
        for direction in range(grid.direction_count()):
            neighbour = grid.neighbour(state[0], direction)
            if neighbour is None:
                continue
            total = so_far + costs.sides[state[0], direction] + costs.turn_cost(entry_heading, direction)
            if push_state((neighbour, direction), total):
                previous[neighbour, direction] = state
                entry_faces.pop((neighbour, direction), None)
    if best is None:
        raise ValueError(f"no cells of {grid.name} lead from {first} to {last}")
    states = [best[1]]
    while states[-1] not in entry_faces:
        states.append(previous[states[-1]])
    return Chain(tuple(cell for cell, _ in reversed(states)), entry_faces[states[-1]], best[2])
