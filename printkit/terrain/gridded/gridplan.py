"""A battlefield as grid cells: features and height of each cell, and the chains of courses.

A gridded battlefield lists its own cells; free shapes are sampled.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from shapely import LineString, Point

from printkit.core.errors import PlacementError
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.grids import Cell, Grid, neighbours
from printkit.terrain.gridded.cell_courses import Chain
from printkit.terrain.gridded.sampling import (
    SHARE,
    CourseGoal,
    cells_of_areas,
    chain_of,
    goals_of,
    outer_faces,
    scaled_onto,
)

# A scale factor that differs from 1 by more than this share counts as stretching the board.
_ALIKE: Final = 0.005

# Minimum length of a course for each step of its chain, in cells. It is 1 except where bends are cut.
_THREADED: Final = 0.9


class CellPlot(Struct, frozen=True, kw_only=True):
    """A cell with the kinds and IDs of its areas and hills.

    Attributes:
        height: number of contours below the cell; 0 is level.
    """

    cell: Cell
    kinds: tuple[Kind, ...] = ()
    height: int = 0
    features: tuple[str, ...] = ()


class CellChain(Struct, frozen=True, kw_only=True):
    """A course as a chain of neighbouring cells.

    Attributes:
        enters, leaves: directions of the outer faces where the course crosses the board edge, in the first and the last
            cell; None where it ends on the board.
        wide: neighbouring cells that a wide course also takes.
    """

    feature: str
    kind: Kind
    cells: tuple[Cell, ...]
    enters: int | None = None
    leaves: int | None = None
    wide: tuple[Cell, ...] = ()


class CellMeeting(Struct, frozen=True, kw_only=True):
    """A cell with a crossing: ford, bridge, railway bridge, level crossing or junction."""

    cell: Cell
    kind: Kind
    feature: str


class GridPlan(Struct, frozen=True, kw_only=True):
    """All cells of a grid in reading order, courses and crossings; ``notes`` reports stretching."""

    grid: Grid
    plots: tuple[CellPlot, ...]
    strips: tuple[CellChain, ...] = ()
    meetings: tuple[CellMeeting, ...] = ()
    notes: tuple[str, ...] = ()

    def plot(self, cell: Cell) -> CellPlot:
        """Return a cell of the plan; a cell off the grid is level and empty."""
        if not self.grid.holds(cell):
            return CellPlot(cell=cell)
        return self.plots[(cell.row - 1) * self.grid.columns + cell.column - 1]


def plan_of(battlefield: Battlefield) -> GridPlan:
    """Return the plan of a gridded battlefield; features without cells are sampled.

    Raises:
        PlacementError: the battlefield has no grid.
    """
    grid = battlefield.grid
    if grid is None:
        raise PlacementError("the battlefield has no grid; sample it onto one, for example hex-9x8")
    return _plan(battlefield, grid, ())


def sampled(battlefield: Battlefield, grid: Grid) -> GridPlan:
    """Return the plan of a battlefield on another grid; its board is stretched to the size of the grid.

    A cell goes to the area that covers most of it, and at least 40 %; an area without a cell takes the nearest one.
    Courses use the faces nearest to them and cross the board edge where their lines do.
    """
    board = battlefield.board
    across, along = grid.width / board.width, grid.depth / board.depth
    notes = []
    if abs(across - 1) > _ALIKE or abs(along - 1) > _ALIKE:
        sizes = f"{board.width:.1f} x {board.depth:.1f} mm", f"{grid.width:.1f} x {grid.depth:.1f} mm"
        notes.append(f"{grid.name}: {sizes[0]} > {sizes[1]} ({across:.2f} x {along:.2f})")
    return _plan(scaled_onto(battlefield, grid), grid, tuple(notes))


def _plan(field: Battlefield, grid: Grid, notes: tuple[str, ...]) -> GridPlan:
    own = _cells_of(field, grid)
    goals = goals_of(field.features, own)
    strips = tuple(_strip(feature, field, grid, goals) for feature in field.features if isinstance(feature, Course))
    chains = {strip.feature: strip.cells for strip in strips}
    return GridPlan(
        grid=grid,
        plots=_plots(field, grid, own),
        strips=strips,
        meetings=tuple(_meeting(each, chains, grid) for each in field.features if isinstance(each, Crossing)),
        notes=notes,
    )


def _cells_of(field: Battlefield, grid: Grid) -> dict[str, tuple[Cell, ...]]:
    """Return the cells of each area and hill by ID: those that it lists, or sampled ones."""
    areas = [feature for feature in field.features if isinstance(feature, Area | Hill)]
    own = {area.id: tuple(Cell(*cell) for cell in area.cells) for area in areas if area.cells}
    return own | cells_of_areas([area for area in areas if not area.cells], grid)


def _plots(field: Battlefield, grid: Grid, own: Mapping[str, tuple[Cell, ...]]) -> tuple[CellPlot, ...]:
    areas = [feature for feature in field.features if isinstance(feature, Area | Hill)]
    within: dict[Cell, list[Area | Hill]] = {cell: [] for cell in grid.cells()}
    for area in areas:
        for cell in own[area.id]:
            within[cell].append(area)
    return tuple(
        CellPlot(
            cell=cell,
            kinds=tuple(dict.fromkeys(kind for area in found for kind in _kinds(area))),
            height=max((_height(area, cell, grid) for area in found if isinstance(area, Hill)), default=0),
            features=tuple(area.id for area in found),
        )
        for cell, found in within.items()
    )


def _kinds(area: Area | Hill) -> tuple[Kind, ...]:
    return (area.kind, area.cover) if isinstance(area, Hill) and area.cover is not None else (area.kind,)


def _height(hill: Hill, cell: Cell, grid: Grid) -> int:
    """Return the number of contours below a cell: the outermost, and those with its centre or 40 % of it."""
    outline, middle = grid.outline(cell), Point(grid.centre(cell))
    above = [
        contour
        for contour in hill.contours[1:]
        if contour.contains(middle) or contour.intersection(outline).area >= SHARE * outline.area
    ]
    return 1 + len(above)


def _strip(course: Course, field: Battlefield, grid: Grid, goals: Sequence[CourseGoal]) -> CellChain:
    own = tuple(Cell(*cell) for cell in course.cells)
    if own and _is_chain(own, grid) and _is_threaded(course, own, field, grid):
        chain = Chain(own, *_ends(course.line, own, field, grid))
    else:
        # The cells of a straight band are all that it covers, so sample the chain nearest to its line.
        chain = chain_of(course.line, field.ground, grid, goals)
    wide = _beside(course, chain.cells, grid)
    return CellChain(
        feature=course.id, kind=course.kind, cells=chain.cells, enters=chain.enters, leaves=chain.leaves, wide=wide
    )


def _is_chain(cells: Sequence[Cell], grid: Grid) -> bool:
    """Return whether each cell is next to the one before it; for squares a shared corner is enough."""
    if grid.shape == "square":
        return all(max(abs(one.column - other.column), abs(one.row - other.row)) == 1 for one, other in pairwise(cells))
    return all(other in [grid.step(one, way) for way in range(grid.directions())] for one, other in pairwise(cells))


def _is_threaded(course: Course, cells: Sequence[Cell], field: Battlefield, grid: Grid) -> bool:
    """Return whether the line is long enough for its cells; that of a straight band is too short."""
    return bool(course.line.intersection(field.ground).length >= _THREADED * (len(cells) - 1) * grid.cell)


def _beside(course: Course, chain: Collection[Cell], grid: Grid) -> tuple[Cell, ...]:
    """Return the cells next to its chain that a wide course also takes, in reading order.

    A cell that is not connected to the chain is joined by the cell between them that the course covers most. Without
    such a cell it is dropped.
    """
    if course.width < grid.cell:
        return ()
    band = course.line.buffer(course.width / 2, cap_style="flat")
    covered = {cell: float(band.intersection(grid.outline(cell)).area) for cell in grid.cells() if cell not in chain}
    taken = {cell for cell, area in covered.items() if area >= SHARE * grid.outline(cell).area}
    while apart := taken - _hanging(chain, taken, grid):
        joined = taken - apart | set(chain)
        between = [
            cell
            for cell, area in covered.items()
            if area > 0.0 and {*neighbours(grid, cell)} & apart and {*neighbours(grid, cell)} & joined
        ]
        # Cells that cannot be joined are not part of this course.
        taken = taken | {max(between, key=covered.__getitem__)} if between else taken - apart
    return tuple(cell for cell in grid.cells() if cell in taken)


def _hanging(chain: Collection[Cell], cells: Collection[Cell], grid: Grid) -> set[Cell]:
    """Return the cells that are connected to a chain by shared sides."""
    found, ahead = set[Cell](), [*chain]
    while ahead:
        for cell in neighbours(grid, ahead.pop()):
            if cell in cells and cell not in found:
                found.add(cell)
                ahead.append(cell)
    return found


def _ends(line: LineString, cells: tuple[Cell, ...], field: Battlefield, grid: Grid) -> tuple[int | None, int | None]:
    """Return the outer faces where a course with listed cells enters and leaves, or None."""
    found: list[int | None] = []
    for place, cell in ((0, cells[0]), (-1, cells[-1])):
        end = Point(line.coords[place])
        rim = line.intersection(field.ground.boundary)
        faces = [direction for own, direction in outer_faces(grid) if own == cell]
        inside = field.ground.contains(end) and field.ground.boundary.distance(end) > 0.5
        if inside or not faces:
            found.append(None)
            continue
        at = end if rim.is_empty else rim
        found.append(min(faces, key=lambda way: round(grid.face(cell, way).distance(at), 6)))
    return found[0], found[1]


def _meeting(crossing: Crossing, chains: Mapping[str, tuple[Cell, ...]], grid: Grid) -> CellMeeting:
    """Return the cell of a crossing: the listed cell if both courses pass it, or the nearest shared one."""
    both = [each for each in chains.get(crossing.way, ()) if each in chains.get(crossing.water, ())]
    if crossing.cells and (not both or Cell(*crossing.cells[0]) in both):
        cell = Cell(*crossing.cells[0])
    else:
        cells = both or list(chains.get(crossing.water, ())) or list(grid.cells())
        cell = min(cells, key=lambda each: round(crossing.at.distance(Point(grid.centre(each))), 6))
    return CellMeeting(cell=cell, kind=crossing.kind, feature=crossing.id)
