"""Shapes of cells: each cell is filled or not beyond doubt, and no line passes a corner."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest
import shapely
from cell_country import FLAT, POINTY, SQUARES, country, courses, outer, stream, way
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point

from printkit.core.errors import PlacementError
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.grids import Cell, Grid, SquareGrid, neighbours
from printkit.terrain.geometry.measure import crossing_angle
from printkit.terrain.gridded.cell_courses import Chain, course_width, thread_course, thread_wide_river
from printkit.terrain.gridded.cell_shapes import (
    draw_fields,
    draw_plot,
    find_cell_groups,
    grow_contours,
    grow_hill,
    grow_outline,
    union_cells,
)

GRIDS = (FLAT, POINTY, SQUARES)
KINDS = (Kind.RIVER, Kind.ROAD, Kind.RAILWAY)


@st.composite
def grounds(draw: st.DrawFn) -> tuple[Grid, tuple[Cell, ...], int]:
    """Draw a grid, one to six cells of it that hang together, and a seed."""
    grid = draw(st.sampled_from(GRIDS))
    cells = [draw(st.sampled_from(grid.cells()))]
    for _ in range(draw(st.integers(0, 5))):
        cells.append(draw(st.sampled_from(neighbours(grid, draw(st.sampled_from(cells))))))
    return grid, tuple(dict.fromkeys(cells)), draw(st.integers(0, 9))


@given(grounds())
@settings(max_examples=25, deadline=None)
def test_natural_ground_fills_its_cells_and_no_other(ground: tuple[Grid, tuple[Cell, ...], int]) -> None:
    grid, cells, seed = ground
    found = grow_outline(grid, cells, stream(f"ground/{seed}"))
    assert found.is_valid
    assert union_cells(grid, cells).buffer(-1.5 * grid.cell / 74).contains(found)
    for cell in cells:
        whole = grid.outline(cell)
        assert found.intersection(whole).area >= 0.70 * whole.area
        assert found.contains(Point(grid.centre(cell)))


@given(grounds())
@settings(max_examples=25, deadline=None)
def test_a_hill_fills_its_cells_and_no_other(ground: tuple[Grid, tuple[Cell, ...], int]) -> None:
    grid, cells, seed = ground
    found = grow_hill(grid, cells, stream(f"ground/{seed}"))
    assert found.is_valid
    assert union_cells(grid, cells).buffer(-1.5 * grid.cell / 74).contains(found)
    for cell in cells:
        whole = grid.outline(cell)
        assert found.intersection(whole).area >= 0.55 * whole.area
        assert found.contains(Point(grid.centre(cell)))


@pytest.mark.parametrize("grid", GRIDS)
def test_a_hill_of_one_cell_is_long_and_one_of_two_has_hardly_a_waist(grid: Grid) -> None:
    def sides(shape: shapely.Polygon) -> list[float]:
        corners = shapely.get_coordinates(shape.minimum_rotated_rectangle)
        return sorted(math.dist(one, other) for one, other in pairwise(corners[:3]))

    ratios = [long / short for short, long in (sides(grow_hill(grid, [Cell(4, 4)], stream(f"{n}"))) for n in range(12))]
    assert sum(ratios) / len(ratios) > 1.15
    pair = [Cell(4, 4), neighbours(grid, Cell(4, 4))[0]]
    border = shapely.intersection(grid.outline(pair[0]), grid.outline(pair[1]))
    hills = [grow_hill(grid, pair, stream(f"{number}")) for number in range(12)]
    waists = [found.intersection(border).length / sides(found)[0] for found in hills]
    assert sum(waists) / len(waists) > 0.64
    block = [Cell(3, 3), Cell(3, 4), Cell(4, 3), Cell(4, 4)]
    assert not grow_hill(SQUARES, block, stream("block")).interiors
    ring = neighbours(FLAT, Cell(5, 5))
    assert len(grow_hill(FLAT, ring, stream("ring")).interiors) == 1


def test_ground_hangs_together_about_cells_that_it_leaves_free_and_hides_the_lattice() -> None:
    about = neighbours(FLAT, Cell(5, 5))
    found = grow_outline(FLAT, about, stream("ring"))
    assert len(found.interiors) == 1
    assert not found.contains(Point(FLAT.centre(Cell(5, 5))))
    # No stretch of a wood longer than a third of a side runs straight along the sides of its cells.
    ring = grow_outline(FLAT, [Cell(4, 4), Cell(5, 4), Cell(5, 5)], stream("wood")).exterior
    sides = union_cells(FLAT, [Cell(4, 4), Cell(5, 4), Cell(5, 5)]).exterior
    off = [sides.distance(Point(ring.interpolate(share, normalized=True))) for share in (n / 60 for n in range(60))]
    assert max(off) - min(off) > 4.0
    cells = [Cell(2, 2), Cell(3, 2)]
    assert grow_outline(FLAT, cells, stream("one")).equals(grow_outline(FLAT, cells, stream("one")))
    assert not grow_outline(FLAT, cells, stream("one")).equals(grow_outline(FLAT, cells, stream("two")))
    for apart in ((), (Cell(1, 1), Cell(5, 5))):
        with pytest.raises(PlacementError, match=r"no cells|do not share a side"):
            grow_outline(FLAT, apart, stream("apart"))
    for chain in ((Cell(1, 1), Cell(3, 3)), (Cell(1, 1),)):
        with pytest.raises(PlacementError, match=r"do not share a side|needs two cells"):
            thread_course(FLAT, chain, stream("broken"))


@pytest.mark.parametrize("grid", GRIDS)
def test_upper_contours_hold_the_higher_cells_alone_also_in_a_ring_of_them(grid: Grid) -> None:
    found = find_cell_groups(grid, [Cell(1, 1), Cell(1, 2), Cell(5, 5), Cell(8, 8)])
    assert [len(group) for group in found] == [2, 1, 1]
    base, upper = [Cell(3, 3), Cell(3, 4), Cell(3, 5), Cell(3, 6)], [Cell(3, 3), Cell(3, 6)]
    outer_contour, *tops = grow_contours(grid, base, upper, stream("hill"))
    assert len(tops) == 2
    for cell in base:
        held = [top for top in tops if top.contains(Point(grid.centre(cell)))]
        assert len(held) == (cell in upper)
    assert all(outer_contour.buffer(-4).contains(top) for top in tops)
    with pytest.raises(PlacementError, match="higher than the hill"):
        grow_contours(grid, base, [Cell(8, 8)], stream("hill"))
    middle = Cell(4, 4)
    corners = {cell for near in neighbours(grid, middle) for cell in neighbours(grid, near)}
    ring = tuple(cell for cell in sorted({*corners, *neighbours(grid, middle)}) if cell != middle)
    outer_contour, *tops = grow_contours(grid, (*ring, middle), ring, stream("ring"))
    assert outer_contour.contains(Point(grid.centre(middle)))
    assert not any(top.contains(Point(grid.centre(middle))) for top in tops)


@given(grounds())
@settings(max_examples=20, deadline=None)
def test_every_higher_cell_lies_on_the_upper_contour(ground: tuple[Grid, tuple[Cell, ...], int]) -> None:
    grid, cells, seed = ground
    _, *tops = grow_contours(grid, cells, cells, stream(f"hill/{seed}"))
    assert [sum(top.contains(Point(grid.centre(cell))) for top in tops) for cell in cells] == [1] * len(cells)


@pytest.mark.parametrize("grid", GRIDS)
def test_a_farm_and_fields_lie_within_their_cell(grid: Grid) -> None:
    counts = set()
    for number in range(30):
        quads = draw_fields(grid, Cell(4, 4), stream(f"field/{number}"))
        counts.add(len(quads))
        whole = shapely.union_all(quads)
        assert grid.outline(Cell(4, 4)).contains(whole)
        assert 0.30 < whole.area / grid.outline(Cell(4, 4)).area < 0.68
        assert sum(quad.area for quad in quads) == pytest.approx(whole.area)
    assert counts == {1, 2, 3}
    farm = draw_plot(grid, Cell(2, 2), stream("farm"))
    assert grid.outline(Cell(2, 2)).buffer(-4).contains(farm)
    assert farm.contains(Point(grid.centre(Cell(2, 2))))


def passed(grid: Grid, line: LineString) -> list[Cell]:
    """Return the cells that a line passes, in its order."""
    count = round(line.length)
    places = [line.interpolate(number / count, normalized=True) for number in range(count + 1)]
    cells = [cell for place in places if (cell := grid.at(place.x, place.y)) is not None]
    return [cell for number, cell in enumerate(cells) if not number or cells[number - 1] != cell]


@pytest.mark.clause("PW2-33")
@pytest.mark.parametrize("grid", GRIDS)
def test_courses_pass_their_cells_by_faces_never_by_corners(grid: Grid) -> None:
    for course in country(grid).select_features(Kind.RIVER, Kind.ROAD, Kind.TRACK, Kind.RAILWAY):
        assert isinstance(course, Course)
        cells = [Cell(*cell) for cell in course.cells]
        assert passed(grid, course.line) == cells
        for one, other in pairwise(cells):
            face = grid.face(one, grid.find_direction(one, other))
            at = face.project(course.line.intersection(face))
            assert 0.12 * face.length < at < 0.88 * face.length


def test_calm_cells_are_passed_in_their_middle_and_courses_keep_aside_of_each_other() -> None:
    chain = way(FLAT, (5, 1), (5, 8))
    line = thread_course(FLAT, chain, stream("river"), enters=0, leaves=3, calm=[Cell(5, 4)])
    distances = [line.distance(Point(FLAT.centre(cell))) for cell in chain]
    assert distances[3] < 0.05
    assert max(distances) > 2.0
    assert not FLAT.hull().contains(Point(line.coords[0]))
    assert not FLAT.hull().contains(Point(line.coords[-1]))
    line = thread_course(FLAT, way(FLAT, (7, 4), (6, 1)), stream("track"), leaves=0)
    assert Point(line.coords[0]).distance(Point(FLAT.centre(Cell(7, 4)))) < 0.05


def test_three_courses_with_the_same_cells_run_beside_one_another() -> None:
    chain = Chain(way(FLAT, (5, 1), (5, 8)), 0, 3)
    for first, second in combinations(courses(FLAT, *((kind, chain) for kind in KINDS)), 2):
        assert not first.line.intersection(FLAT.hull()).intersects(second.line.intersection(FLAT.hull()))


@pytest.mark.parametrize("grid", GRIDS)
def test_courses_that_share_cells_keep_apart_and_cross_once(grid: Grid) -> None:
    river = Chain(way(grid, (4, 1), (4, 8)), outer(grid, Cell(4, 1), "far"), outer(grid, Cell(4, 8), "near"))
    road = Chain(way(grid, (1, 3), (4, 3), (4, 6), (8, 6)), outer(grid, Cell(1, 3), "left"), None)
    first, second = courses(grid, (Kind.RIVER, river), (Kind.ROAD, road))
    (spot,) = shapely.get_parts(first.line.intersection(second.line))
    assert grid.at(spot.x, spot.y) in {*river.cells} & {*road.cells}
    assert crossing_angle(spot, first.line, second.line) > 30
    beside = second.line.difference(spot.buffer(0.6 * grid.cell))
    assert beside.distance(first.line) > (first.width + second.width) / 2


@pytest.mark.parametrize("grid", GRIDS)
def test_courses_that_leave_by_one_side_leave_beside_one_another(grid: Grid) -> None:
    gone = Cell(4, 8)
    river = Chain(way(grid, (4, 1), (4, 8)), outer(grid, Cell(4, 1), "far"), outer(grid, gone, "near"))
    road = Chain(way(grid, (1, 8), (4, 8)), outer(grid, Cell(1, 8), "left"), outer(grid, gone, "near"))
    lines = [each.line.intersection(grid.hull()) for each in courses(grid, (Kind.RIVER, river), (Kind.ROAD, road))]
    ends = (Point(line.coords[-1]) for line in lines)
    assert next(ends).distance(next(ends)) > 0.10 * grid.cell


@pytest.mark.clause("PW2-36")
def test_a_river_two_cells_wide_holds_both_and_courses_shrink_slower_than_cells() -> None:
    chain = way(FLAT, (5, 1), (5, 8))
    bank = [Cell(6, cell.row) for cell in chain]
    line, width = thread_wide_river(FLAT, chain, bank, stream("wide"), enters=0, leaves=3)
    water = line.buffer(width / 2)
    assert all(water.contains(Point(FLAT.centre(cell))) for cell in (*chain, *bank))
    small = SquareGrid(8, 8, 37.0)
    for kind in (Kind.RIVER, Kind.ROAD, Kind.RAILWAY):
        share = course_width(small, kind) / course_width(FLAT, kind)
        assert 0.5 < share < 0.65
        assert math.isclose(course_width(FLAT, kind, cells=2), 1.12 * 74)


@pytest.mark.clause("PW2-36")
@pytest.mark.parametrize(
    ("grid", "course", "bank"),
    [
        (FLAT, [(4, 4), (4, 5), (4, 6), (4, 7), (5, 7), (6, 8)], {(4, 7): (3, 7)}),
        (SquareGrid(8, 8, 74.0), [(3, 3), (2, 3), (2, 4), (2, 5), (1, 5)], {(2, 4): (1, 4), (2, 5): (3, 5)}),
    ],
    ids=["hexes", "squares"],
)
def test_a_river_two_cells_wide_is_not_drawn_out_of_the_second_by_a_bend(grid, course, bank) -> None:
    chain = [Cell(*cell) for cell in course]
    beside = [Cell(*bank[cell]) if cell in bank else None for cell in course]
    line, width = thread_wide_river(grid, chain, beside, stream("bend"))
    water = line.buffer(width / 2)
    for cell in filter(None, (*chain, *beside)):
        assert water.intersection(grid.outline(cell)).area > 0.1 * grid.outline(cell).area, cell
