"""Hexon pieces: what the maker sells, as numbers, and the hexes that they stand on."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from printkit.core.resources import template
from printkit.hexon.layout.pieces import (
    DIRECTIONS,
    PieceKind,
    build_relief,
    cell_of,
    components,
    corners,
    direction_of,
    footprints,
    hex_distance,
    hex_neighbours,
    hex_of,
    piece_set,
    rotate_hex,
    side_of,
)
from printkit.terrain.field.grids import GRAINS, Cell, HexGrid

PIECES = piece_set()


def _shapes_of_six() -> set[frozenset[tuple[int, int]]]:
    """Return every way in which six hexes hang together, turned and mirrored ones once."""

    def settled(hexes: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        forms = []
        for mirrored in (hexes, {(s, q) for q, s in hexes}):
            for turns in range(6):
                form = sorted(rotate_hex(each, turns) for each in mirrored)
                forms.append(tuple((q - form[0][0], s - form[0][1]) for q, s in form))
        return frozenset(min(forms))

    shapes = {frozenset({(0, 0)})}
    for _ in range(5):
        shapes = {
            settled(shape | {near}) for shape in shapes for each in shape for near in set(hex_neighbours(each)) - shape
        }
    return shapes


@pytest.mark.clause("HX-01", "HX-04", "HX-06", "HX-07")
def test_pieces_are_as_large_as_sold_in_boxes_and_slopes_in_two_heights() -> None:
    assert PIECES.across_flats == 100
    assert HexGrid(1, 1, PIECES.across_flats).side == pytest.approx(57.74, abs=0.01)
    table = template("hexon", "pieces")
    assert (table["box"]["boards"], table["box"]["boards"] * len(PIECES.board)) == (21, 126)
    assert PIECES.slopes == {(1, 2, 3): "A", (2, 2, 2): "B", (3, 2, 1): "C"}
    rises = table["rises"]["levels"]
    assert rises == [1, 2]
    sold = {f"{letter}{rise}" for letter in PIECES.slopes.values() for rise in rises}
    assert sold == {kind.value for kind in PieceKind} - {"board", "single"}


@pytest.mark.clause("HX-02", "HX-41", "HX-03")
def test_only_the_board_of_six_hexes_has_its_slopes_six_orientations_and_its_own_mirror_image() -> None:
    shapes = _shapes_of_six()
    fitting = []
    for shape in shapes:
        found = build_relief(shape)
        if not found.raised_hexes and Counter(each.shape for each in found.slopes) == {"A": 1, "B": 4, "C": 7}:
            fitting.append(shape)
    assert (len(shapes), len(fitting)) == (82, 1)
    assert sorted(fitting[0]) in [sorted(_moved(form)) for form in footprints()] + [
        sorted(_moved(tuple((s, q) for q, s in form))) for form in footprints()
    ]
    forms = footprints()
    assert len(set(forms)) == 6
    mirror = [(s, q) for q, s in PIECES.board]
    turned = [sorted(_moved(tuple(rotate_hex(each, turns) for each in mirror))) for turns in range(6)]
    assert {tuple(each) for each in turned} == set(forms)


def _moved(form: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    q, s = min(form)
    return [(each[0] - q, each[1] - s) for each in form]


@pytest.mark.clause("HX-03")
@pytest.mark.parametrize(("grain", "size"), [("flat-odd-low", (288.7, 250.0)), ("pointy-odd-right", (250.0, 288.7))])
def test_a_board_measures_288_7_by_250_mm(grain: str, size: tuple[float, float]) -> None:
    grid = HexGrid(9, 9, 100.0, grain)
    form = PIECES.board if grain.startswith("flat") else footprints()[1]
    sizes = []
    for turns in range(6):
        hexes = [rotate_hex(each, turns) for each in form]
        points = [point for each in hexes for point in grid.corners(cell_of(grid, each))]
        sizes.append((max(x for x, _ in points) - min(x for x, _ in points),
                      max(y for _, y in points) - min(y for _, y in points)))  # fmt: skip
    assert any(found == pytest.approx(size, abs=0.05) for found in sizes)


@pytest.mark.clause("HX-09")
@pytest.mark.parametrize(
    ("grain", "columns", "size"),
    [("flat-odd-low", 9, (808, 850)), ("flat-odd-low", 6, (549, 850)), ("pointy-odd-right", 9, (950, 722))],
)
def test_tables_measure_what_is_said(grain: str, columns: int, size: tuple[int, int]) -> None:
    grid = HexGrid(columns, 8, 100.0, grain)
    assert (grid.width, grid.depth) == pytest.approx(size, abs=0.6)


@pytest.mark.clause("HX-10")
@pytest.mark.parametrize("grain", GRAINS)
def test_sides_run_clockwise_from_the_south_east_or_the_east(grain: str) -> None:
    grid = HexGrid(9, 9, 100.0, grain)
    middle = Cell(5, 5)
    x, y = grid.centre(middle)
    first = 30 if grain.startswith("flat") else 0
    for side, step in enumerate(DIRECTIONS):
        q, s = hex_of(grid, middle)
        right, up = grid.centre(cell_of(grid, (q + step[0], s + step[1])))
        assert math.degrees(math.atan2(y - up, right - x)) % 360 == pytest.approx(first + 60 * side)
        assert grid.step(middle, direction_of(grid, side)) == cell_of(grid, hex_neighbours(hex_of(grid, middle))[side])
        assert side_of(grid, direction_of(grid, side)) == side


@pytest.mark.clause("HX-11", "HX-12")
def test_sides_corners_and_distances_are_those_of_the_formulas() -> None:
    low, high = HexGrid(9, 8, 100.0, "flat-odd-low"), HexGrid(9, 8, 100.0, "flat-odd-high")
    for cell in low.cells():
        q = cell.column - 1
        assert hex_of(low, cell) == (q, cell.row - 1 - (q + q % 2) // 2)
        assert hex_of(high, cell) == (q, cell.row - 1 - (q - q % 2) // 2)
    here = (3, -1)
    for side in range(6):
        joined = {corners(here)[side], corners(here)[side - 1]}
        assert joined == set(corners(here)) & set(corners(hex_neighbours(here)[side]))
    assert [hex_distance((0, 0), each) for each in ((0, 0), (1, -1), (2, -1), (-2, -1))] == [0, 1, 2, 3]
    assert components([(5, 5), (0, 0), (0, 1), (5, 6)]) == (((0, 0), (0, 1)), ((5, 5), (5, 6)))
