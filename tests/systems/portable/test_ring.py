"""The ring of sides and corners, and stations on a side (PW1-10..PW1-13, PWA-02)."""

from __future__ import annotations

from itertools import product

import pytest
from first_version import cell, cells, grid, rules

from printkit.systems.portable.grid.edges import Ring, Stand, edge_cell, free_edge_cell, outer_side, point
from printkit.terrain.field.grids import GRAINS, Cell, HexGrid

BOARDS = (grid("sq-8x8"), *(HexGrid(9, 8, 100.0, grain) for grain in GRAINS))
RING = Ring.of(rules())
TABLE = {
    "top": "bottom bottom right right bottom-right top-right",
    "top-right": "bottom bottom right right bottom-right bottom-left",
    "right": "bottom bottom left left bottom-right bottom-left",
    "bottom-right": "bottom bottom left left top-left bottom-left",
}


@pytest.mark.clause("PW1-10", "PW1-11", "PW1-12")
def test_the_entry_is_the_first_slot_of_its_score_from_the_top_and_the_exit_the_next_clockwise() -> None:
    entries = [RING.entry(score).name for score in range(1, 7)]
    assert entries == ["top", "top", "right", "right", "bottom-right", "top-right"]
    exits = {entry: [RING.exit(RING.slot(entry), score).name for score in range(1, 7)] for entry in TABLE}
    assert exits == {entry: slots.split() for entry, slots in TABLE.items()}


@pytest.mark.clause("PW1-13", "PWA-02")
def test_a_score_names_a_station() -> None:
    twelfths = [12 * RING.station(score) for score in range(1, 7)]
    assert twelfths == pytest.approx([5, 7, 1, 3, 9, 11])


@pytest.mark.clause("PW1-13", "PW1-15")
def test_stations_run_from_the_left_or_the_top_and_corners_are_exact() -> None:
    sides = {"top": (200, 800), "bottom": (200, 0), "left": (0, 600), "right": (800, 600)}
    assert {side: point(grid("sq-8x8"), Stand(side, 0.25)) for side in sides} == sides
    corners = {"top-left": (0, 800), "top-right": (800, 800), "bottom-right": (800, 0), "bottom-left": (0, 0)}
    assert {corner: point(grid("sq-8x8"), Stand(corner)) for corner in corners} == corners
    hexes = grid("hex-9x8")
    assert point(hexes, Stand("bottom-right")) == (hexes.width, 0)


@pytest.mark.clause("PW1-60")
@pytest.mark.parametrize("board", BOARDS, ids=lambda each: each.grain or "square")
def test_a_chain_begins_in_the_area_of_its_stand_and_comes_in_by_a_side(board: HexGrid) -> None:
    for slot, share in product(("top", "right", "bottom", "left"), (0.0, 1 / 12, 0.5, 11 / 12, 1.0)):
        stand = Stand(slot, share)
        found = edge_cell(board, stand)
        assert board.holds(found)
        side = outer_side(board, found, point(board, stand))
        assert side is not None
        assert board.beside(found, side) is None
    assert edge_cell(board, Stand("top-right")) == Cell(board.columns, 1)
    assert edge_cell(board, Stand("bottom-left")) == Cell(1, board.rows)


@pytest.mark.clause("PWA-11")
@pytest.mark.parametrize(
    ("area", "taken", "given"),
    [("1;4", "", "1;4"), ("1;4", "1;4 1;5", "1;6"), ("1;8", "1;8", "2;8"), ("2;1", "2;1", "1;1")],
)
def test_a_taken_area_of_the_edge_gives_way_to_the_next_clockwise(area: str, taken: str, given: str) -> None:
    board = grid("sq-8x8")
    assert free_edge_cell(board, cell(area), frozenset(cells(taken))) == cell(given)
    assert free_edge_cell(board, cell(area), frozenset(board.cells())) is None
