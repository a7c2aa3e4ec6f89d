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
    MIN_SHARE,
    CourseGoal,
    assign_cells,
    find_goals,
    outer_faces,
    sample_chain,
    stretch_to_grid,
)

# A scale factor that differs from 1 by more than this share counts as stretching the board.
_STRETCH_TOLERANCE: Final = 0.005

# Minimum length of a course for each step of its chain, in cells. It is 1 except where bends are cut.
_MIN_STEP_LENGTH: Final = 0.9


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
        """Return the plot of a cell; for a cell off the grid, a level and empty plot.

        Columns and rows of a cell count from 1.
        """
        if not self.grid.contains(cell):
            return CellPlot(cell=cell)
        return self.plots[(cell.row - 1) * self.grid.columns + cell.column - 1]


def build_plan(battlefield: Battlefield) -> GridPlan:
    """Return the plan of a gridded battlefield: the cells of its areas, courses and crossings on its own grid.

    Features without cells get those that their shapes cover, as in ``sample_plan``. The plan has no notes.

    Raises:
        PlacementError: the battlefield has no grid.
    """
    grid = battlefield.grid
    if grid is None:
        raise PlacementError("the battlefield has no grid; sample it onto one, for example hex-9x8")
    return _assemble_plan(battlefield, grid, ())


def sample_plan(battlefield: Battlefield, grid: Grid) -> GridPlan:
    """Return the plan of a battlefield on another grid; its board is stretched to the size of the grid.

    A cell goes to the area that covers most of it, and at least 40 %; an area without a cell takes the nearest one.
    Courses use the faces nearest to them and cross the board edge where their lines do. Cells that the features listed
    before are ignored. If the board is stretched noticeably, the plan has a note with both sizes in mm and both
    factors.
    """
    board = battlefield.board
    x_factor, y_factor = grid.width / board.width, grid.depth / board.depth
    notes = []
    if abs(x_factor - 1) > _STRETCH_TOLERANCE or abs(y_factor - 1) > _STRETCH_TOLERANCE:
        sizes = f"{board.width:.1f} x {board.depth:.1f} mm", f"{grid.width:.1f} x {grid.depth:.1f} mm"
        notes.append(f"{grid.name}: {sizes[0]} > {sizes[1]} ({x_factor:.2f} x {y_factor:.2f})")
    return _assemble_plan(stretch_to_grid(battlefield, grid), grid, tuple(notes))


def _assemble_plan(field: Battlefield, grid: Grid, notes: tuple[str, ...]) -> GridPlan:
    """Return the plan of a battlefield that has the size of the grid; features without cells are sampled.

    ``notes`` are notes about the plan for the user.
    """
    areas = [feature for feature in field.features if isinstance(feature, Area | Hill)]
    listed_cells = {area.id: tuple(Cell(*cell) for cell in area.cells) for area in areas if area.cells}
    cells_by_id = listed_cells | assign_cells([area for area in areas if not area.cells], grid)
    goals = find_goals(field.features, cells_by_id)
    strips = tuple(
        _build_chain(feature, field, grid, goals) for feature in field.features if isinstance(feature, Course)
    )
    chains = {strip.feature: strip.cells for strip in strips}
    return GridPlan(
        grid=grid,
        plots=_build_plots(field, grid, cells_by_id),
        strips=strips,
        meetings=tuple(
            _build_meeting(crossing, chains, grid) for crossing in field.features if isinstance(crossing, Crossing)
        ),
        notes=notes,
    )


def _build_plots(field: Battlefield, grid: Grid, cells_by_id: Mapping[str, tuple[Cell, ...]]) -> tuple[CellPlot, ...]:
    """Return all cells of a grid in reading order, each with its kinds, height and features.

    ``cells_by_id`` has the cells of each area and hill. The height is a number of contours, 0 for flat ground; features
    are IDs.
    """
    areas = [feature for feature in field.features if isinstance(feature, Area | Hill)]
    areas_by_cell: dict[Cell, list[Area | Hill]] = {cell: [] for cell in grid.cells()}
    for area in areas:
        for cell in cells_by_id[area.id]:
            areas_by_cell[cell].append(area)
    return tuple(
        CellPlot(
            cell=cell,
            kinds=tuple(dict.fromkeys(kind for area in cell_areas for kind in _list_kinds(area))),
            height=max((_count_contours(area, cell, grid) for area in cell_areas if isinstance(area, Hill)), default=0),
            features=tuple(area.id for area in cell_areas),
        )
        for cell, cell_areas in areas_by_cell.items()
    )


def _list_kinds(area: Area | Hill) -> tuple[Kind, ...]:
    """Return the kind of an area or hill, and after it the vegetation of a hill that has some."""
    return (area.kind, area.cover) if isinstance(area, Hill) and area.cover is not None else (area.kind,)


def _count_contours(hill: Hill, cell: Cell, grid: Grid) -> int:
    """Return the height of a hill at a cell, as a number of contours.

    The outermost contour counts, and each one that contains the centre of the cell or 40 % of it.
    """
    outline, middle = grid.outline(cell), Point(grid.centre(cell))
    contours = [
        contour
        for contour in hill.contours[1:]
        if contour.contains(middle) or contour.intersection(outline).area >= MIN_SHARE * outline.area
    ]
    return 1 + len(contours)


def _build_chain(course: Course, field: Battlefield, grid: Grid, goals: Sequence[CourseGoal]) -> CellChain:
    """Return the chain of a course: its listed cells if they follow its line, otherwise sampled ones.

    The chain has the faces where the course enters and leaves the board. A line is followed if enough of it is on the
    board for the number of listed cells. Goals are towns and waters where a sampled chain may end.
    """
    listed_cells = tuple(Cell(*cell) for cell in course.cells)
    min_length = _MIN_STEP_LENGTH * (len(listed_cells) - 1) * grid.cell
    if listed_cells and _is_chain(listed_cells, grid) and course.line.intersection(field.ground).length >= min_length:
        chain = Chain(listed_cells, *_find_outer_faces(course.line, listed_cells, field, grid))
    else:
        # The cells of a straight band are all that it covers, too many for its length: sample the nearest chain.
        chain = sample_chain(course.line, field.ground, grid, goals)
    wide_cells = _find_wide_cells(course, chain.cells, grid)
    return CellChain(
        feature=course.id,
        kind=course.kind,
        cells=chain.cells,
        enters=chain.enters,
        leaves=chain.leaves,
        wide=wide_cells,
    )


def _is_chain(cells: Sequence[Cell], grid: Grid) -> bool:
    """Return whether each cell is next to the one before it; for squares a shared corner is enough.

    A single cell is a chain too.
    """
    if grid.shape == "square":
        return all(max(abs(one.column - other.column), abs(one.row - other.row)) == 1 for one, other in pairwise(cells))
    return all(
        other in [grid.step(one, direction) for direction in range(grid.direction_count())]
        for one, other in pairwise(cells)
    )


def _find_wide_cells(course: Course, chain: Collection[Cell], grid: Grid) -> tuple[Cell, ...]:
    """Return the cells next to its chain that a wide course also takes, in reading order.

    A cell that is not connected to the chain is joined by the cell between them that the course covers most. Without
    such a cell it is dropped.
    """
    if course.width < grid.cell:
        return ()
    band = course.line.buffer(course.width / 2, cap_style="flat")
    coverage = {cell: float(band.intersection(grid.outline(cell)).area) for cell in grid.cells() if cell not in chain}
    wide_cells = {cell for cell, area in coverage.items() if area >= MIN_SHARE * grid.outline(cell).area}
    while strays := wide_cells - _connected_cells(chain, wide_cells, grid):
        joined = wide_cells - strays | set(chain)
        links = [
            cell
            for cell, area in coverage.items()
            if area > 0.0 and {*neighbours(grid, cell)} & strays and {*neighbours(grid, cell)} & joined
        ]
        # Cells that cannot be joined are not part of this course.
        wide_cells = wide_cells | {max(links, key=coverage.__getitem__)} if links else wide_cells - strays
    return tuple(cell for cell in grid.cells() if cell in wide_cells)


def _connected_cells(chain: Collection[Cell], cells: Collection[Cell], grid: Grid) -> set[Cell]:
    """Return those of ``cells`` that are connected to a chain by shared sides, directly or through others of them."""
    component, pending = set[Cell](), [*chain]
    while pending:
        for cell in neighbours(grid, pending.pop()):
            if cell in cells and cell not in component:
                component.add(cell)
                pending.append(cell)
    return component


def _find_outer_faces(
    line: LineString, cells: tuple[Cell, ...], field: Battlefield, grid: Grid
) -> tuple[int | None, int | None]:
    """Return the directions of the outer faces where a course with listed cells enters and leaves.

    The result for an end on the board is ``None``. ``line`` is the centre line in mm on the board.
    """
    end_faces: list[int | None] = []
    for index, cell in ((0, cells[0]), (-1, cells[-1])):
        end = Point(line.coords[index])
        edge_crossings = line.intersection(field.ground.boundary)
        faces = [direction for face_cell, direction in outer_faces(grid) if face_cell == cell]
        inside = field.ground.contains(end) and field.ground.boundary.distance(end) > 0.5
        if inside or not faces:
            end_faces.append(None)
            continue
        edge_shape = end if edge_crossings.is_empty else edge_crossings
        end_faces.append(min(faces, key=lambda candidate: round(grid.face(cell, candidate).distance(edge_shape), 6)))
    return end_faces[0], end_faces[1]


def _build_meeting(crossing: Crossing, chains: Mapping[str, tuple[Cell, ...]], grid: Grid) -> CellMeeting:
    """Return the cell of a crossing, with its kind and ID.

    It is the crossing's listed cell, if its route and water share no cell or share this one. Otherwise it is the shared
    cell nearest to the crossing, or without a shared one the nearest cell of the water, or the nearest of the grid.
    ``chains`` has the cells of each course by its ID.
    """
    shared_cells = [
        candidate for candidate in chains.get(crossing.route, ()) if candidate in chains.get(crossing.water, ())
    ]
    if crossing.cells and (not shared_cells or Cell(*crossing.cells[0]) in shared_cells):
        cell = Cell(*crossing.cells[0])
    else:
        cells = shared_cells or list(chains.get(crossing.water, ())) or list(grid.cells())
        cell = min(cells, key=lambda candidate: round(crossing.at.distance(Point(grid.centre(candidate))), 6))
    return CellMeeting(cell=cell, kind=crossing.kind, feature=crossing.id)
