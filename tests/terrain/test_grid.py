"""Grids of squares and hexes: addresses, neighbours, shapes, and the names by which they are asked for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point

from printkit.core.errors import UsageError
from printkit.terrain.field.grids import GRAINS, Cell, Grid, HexGrid, SquareGrid, grid_of, neighbours

SQUARES = SquareGrid(8, 8, 100.0)
HEXES = tuple(HexGrid(9, 8, 100.0, grain) for grain in GRAINS)
GRIDS = (SQUARES, *HEXES)
EVERY = pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.grain or grid.shape)


@pytest.mark.clause("PW0-18")
@EVERY
def test_cells_are_read_like_a_page_and_have_fewer_neighbours_at_the_edge(grid: Grid) -> None:
    cells = grid.cells()
    assert len(cells) == grid.columns * grid.rows
    assert cells[0] == Cell(1, 1)
    assert cells[grid.columns] == Cell(1, 2)
    assert all(grid.contains(cell) for cell in cells)
    assert not grid.contains(Cell(0, 1))
    assert not grid.contains(Cell(1, grid.rows + 1))
    assert len(neighbours(grid, Cell(4, 4))) == grid.direction_count()
    for cell in grid.cells():
        beside = neighbours(grid, cell)
        assert len(set(beside)) == len(beside)
        assert all(cell in neighbours(grid, other) for other in beside)
    assert grid.neighbour(Cell(1, 1), 0 if grid.grain != "pointy-odd-right" else 5) is None


@pytest.mark.clause("PW0-12", "PW0-18")
@EVERY
def test_neighbours_share_a_face_to_the_last_bit(grid: Grid) -> None:
    for cell in grid.cells():
        for direction in range(grid.direction_count()):
            other = grid.step(cell, direction)
            back = grid.find_direction(other, cell)
            assert back == (direction + grid.direction_count() // 2) % grid.direction_count()
            assert grid.find_direction(cell, other) == direction
            assert list(grid.face(cell, direction).coords) == list(grid.face(other, back).coords)[::-1]


@pytest.mark.clause("PW0-12")
@pytest.mark.parametrize(
    ("grid", "bearings"),
    [
        (SQUARES, ((0, 1), (1, 0), (0, -1), (-1, 0))),
        (HEXES[0], ((0, 1), (1, 1), (1, -1), (0, -1), (-1, -1), (-1, 1))),
        (HEXES[1], ((0, 1), (1, 1), (1, -1), (0, -1), (-1, -1), (-1, 1))),
        (HEXES[2], ((1, 1), (1, 0), (1, -1), (-1, -1), (-1, 0), (-1, 1))),
        (HEXES[3], ((1, 1), (1, 0), (1, -1), (-1, -1), (-1, 0), (-1, 1))),
    ],
    ids=lambda value: "" if isinstance(value, tuple) else value.grain or value.shape,
)
def test_directions_run_clockwise_from_the_top(grid: Grid, bearings: tuple[tuple[int, int], ...]) -> None:
    for cell in (Cell(3, 3), Cell(4, 4)):
        x, y = grid.centre(cell)
        for direction, (right, up) in enumerate(bearings):
            across, along = grid.centre(grid.step(cell, direction))
            assert (round(across - x) > 0) - (round(across - x) < 0) == right
            assert (round(along - y) > 0) - (round(along - y) < 0) == up
            assert grid.face(cell, direction).distance(Point((x + across) / 2, (y + along) / 2)) < 1e-9


@pytest.mark.clause("PW0-03")
def test_odd_lines_of_hexes_stand_half_a_hex_off_and_axial_coordinates_follow_them() -> None:
    low, high, right, left = HEXES
    assert low.centre(Cell(1, 1))[1] == pytest.approx(low.depth - 100)
    assert low.centre(Cell(2, 1))[1] == pytest.approx(low.depth - 50)
    assert high.centre(Cell(1, 1))[1] == pytest.approx(high.depth - 50)
    assert high.centre(Cell(2, 1))[1] == pytest.approx(high.depth - 100)
    assert right.centre(Cell(1, 1))[0] == pytest.approx(100)
    assert right.centre(Cell(1, 2))[0] == pytest.approx(50)
    assert left.centre(Cell(1, 1))[0] == pytest.approx(50)
    assert left.centre(Cell(1, 2))[0] == pytest.approx(100)
    assert neighbours(low, Cell(1, 1)) == (Cell(2, 1), Cell(2, 2), Cell(1, 2))
    low, high, *pointy = HEXES
    assert [low.axial(Cell(column, 3)) for column in (1, 2, 3)] == [(0, 2), (1, 1), (2, 1)]
    assert [high.axial(Cell(column, 3)) for column in (1, 2, 3)] == [(0, 2), (1, 2), (2, 1)]
    for grid in (low, high, *pointy):
        assert all(grid.from_axial(*grid.axial(cell)) == cell for cell in grid.cells())
    with pytest.raises(ValueError, match="square"):
        SQUARES.axial(Cell(1, 1))
    with pytest.raises(ValueError, match="square"):
        SQUARES.from_axial(0, 0)


@EVERY
def test_the_hull_is_all_cells_without_a_gap_and_a_point_is_in_the_cell_that_holds_it(grid: Grid) -> None:
    hull = grid.hull()
    assert hull.is_valid
    assert not hull.interiors
    assert hull.exterior.is_ccw
    assert hull.area == pytest.approx(sum(grid.outline(cell).area for cell in grid.cells()))
    assert hull.bounds == pytest.approx((0, 0, grid.width, grid.depth))
    assert all(grid.outline(cell).exterior.is_ccw for cell in grid.cells())
    for cell in grid.cells():
        x, y = grid.centre(cell)
        assert grid.at(x, y) == cell
        assert all(grid.at(x + 0.999 * (a - x), y + 0.999 * (b - y)) == cell for a, b in grid.corners(cell))
    for cell in (Cell(1, 1), Cell(3, 3), Cell(4, 4), Cell(8, 8)):
        outlines = [(other, grid.outline(other)) for other in grid.cells()]
        for corner in grid.corners(cell):
            assert grid.at(*corner) == next(o for o, outline in outlines if outline.distance(Point(corner)) < 1e-6)
    for x, y in ((-1, 50), (grid.width + 1, 50), (50, -1), (50, grid.depth + 1)):
        assert grid.at(x, y) is None


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(GRIDS))
@settings(max_examples=60, deadline=None)
def test_every_point_of_the_board_is_in_its_cell_or_off_the_hull(across: float, up: float, grid: Grid) -> None:
    x, y = across * grid.width, up * grid.depth
    found = grid.at(x, y)
    if found is None:
        assert grid.hull().distance(Point(x, y)) > 0
    else:
        assert grid.outline(found).distance(Point(x, y)) < 1e-5


@pytest.mark.clause("PW0-01")
def test_grids_are_asked_for_by_name_and_their_sizes_follow_the_cell() -> None:
    assert grid_of("hex-9x8", cell=100) == HEXES[0]
    assert grid_of(" SQ-8x8 ", cell=100) == SQUARES
    assert grid_of("square-10x12", cell=60) == SquareGrid(10, 12, 60)
    assert grid_of("hex-6x8", cell=80, grain="pointy-odd-left") == HexGrid(6, 8, 80, "pointy-odd-left")
    assert [len(grid_of(name, cell=100).cells()) for name in ("sq-8x8", "hex-9x8", "hex-6x8")] == [64, 72, 48]
    assert [grid.name for grid in GRIDS[:2]] == ["sq-8x8", "hex-9x8"]
    assert (SQUARES.width, SQUARES.depth) == (800, 800)
    flat, pointy = HEXES[0], HEXES[2]
    assert (flat.width, flat.depth) == pytest.approx((57.735027 * 14, 850))
    assert (pointy.width, pointy.depth) == pytest.approx((950, 57.735027 * 12.5))


def test_names_cells_and_grains_of_no_grid_are_refused() -> None:
    for text in ("8x8", "hex-9", "tri-3x3", "hex-2x8", "sq-8x61", "hex-0x0", ""):
        with pytest.raises(UsageError, match="grid"):
            grid_of(text, cell=100)
    with pytest.raises(UsageError, match="greater than 0"):
        grid_of("hex-9x8", cell=0)
    with pytest.raises(UsageError, match="flat-odd-low"):
        grid_of("hex-9x8", cell=100, grain="sideways")
