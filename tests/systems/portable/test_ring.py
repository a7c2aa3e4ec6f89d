"""The ring of sides and corners, and stations on a side (PW1-10..PW1-13, PWA-02)."""

from __future__ import annotations

import pytest
from first_version import grid, rules

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


@pytest.mark.clause("PW1-10", "PW1-11")
def test_the_entry_is_the_first_slot_of_its_score_from_the_top() -> None:
    entries = [RING.entry(score).name for score in range(1, 7)]
    assert entries == ["top", "top", "right", "right", "bottom-right", "top-right"]


@pytest.mark.clause("PW1-10", "PW1-12")
@pytest.mark.parametrize("entry", TABLE)
def test_the_exit_is_the_next_slot_of_its_score_clockwise(entry: str) -> None:
    exits = [RING.exit(RING.slot(entry), score).name for score in range(1, 7)]
    assert exits == TABLE[entry].split()


@pytest.mark.clause("PW1-13", "PWA-02")
@pytest.mark.parametrize(
    ("stations", "shares"),
    [
        ("six", (5 / 12, 7 / 12, 1 / 12, 3 / 12, 9 / 12, 11 / 12)),
        ("thirds", (1 / 2, 1 / 2, 1 / 6, 1 / 6, 5 / 6, 5 / 6)),
        ("quarters", (1 / 2, 1 / 2, 1 / 4, 1 / 4, 3 / 4, 3 / 4)),
        ("five", (1 / 2, 1 / 2, 1 / 10, 3 / 10, 7 / 10, 9 / 10)),
    ],
)
def test_a_score_names_a_station(stations: str, shares: tuple[float, ...]) -> None:
    ring = Ring.of(rules(pw1__stations=stations))
    assert [ring.station(score) for score in range(1, 7)] == pytest.approx(shares)


@pytest.mark.clause("PW1-13", "PW1-15")
def test_stations_run_from_the_left_or_the_top_and_corners_are_exact() -> None:
    board = grid("sq-8x8")
    assert point(board, Stand("top", 0.25)) == (200, 800)
    assert point(board, Stand("bottom", 0.25)) == (200, 0)
    assert point(board, Stand("left", 0.25)) == (0, 600)
    assert point(board, Stand("right", 0.25)) == (800, 600)
    corners = [point(board, Stand(name)) for name in ("top-left", "top-right", "bottom-right", "bottom-left")]
    assert corners == [(0, 800), (800, 800), (800, 0), (0, 0)]
    hexes = grid("hex-9x8")
    assert point(hexes, Stand("bottom-right")) == (hexes.width, 0)


@pytest.mark.clause("PW1-60")
@pytest.mark.parametrize("board", BOARDS, ids=lambda each: each.grain or "square")
def test_a_chain_begins_in_the_area_of_its_stand_and_comes_in_by_a_side(board: HexGrid) -> None:
    for slot in ("top", "right", "bottom", "left"):
        for share in (0.0, 1 / 12, 0.5, 11 / 12, 1.0):
            stand = Stand(slot, share)
            found = edge_cell(board, stand)
            assert board.holds(found)
            side = outer_side(board, found, point(board, stand))
            assert side is not None
            assert board.beside(found, side) is None
    assert edge_cell(board, Stand("top-right")) == Cell(board.columns, 1)
    assert edge_cell(board, Stand("bottom-left")) == Cell(1, board.rows)


@pytest.mark.clause("PWA-11")
def test_a_taken_area_of_the_edge_gives_way_to_the_next_clockwise() -> None:
    board = grid("sq-8x8")
    assert free_edge_cell(board, Cell(4, 1), frozenset()) == Cell(4, 1)
    assert free_edge_cell(board, Cell(4, 1), frozenset({Cell(4, 1), Cell(5, 1)})) == Cell(6, 1)
    assert free_edge_cell(board, Cell(8, 1), frozenset({Cell(8, 1)})) == Cell(8, 2)
    assert free_edge_cell(board, Cell(1, 2), frozenset({Cell(1, 2)})) == Cell(1, 1)
    assert free_edge_cell(board, Cell(1, 2), frozenset(board.cells())) is None
